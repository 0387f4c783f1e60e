//! Servers and their clients as processes: how they are started, what they cost, what they report.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

/// How often processes are looked at.
const LOOKS: Duration = Duration::from_millis(100);
/// Time that /proc counts, a second.
const TICKS: f64 = 100.0;
/// How long a server may take to start, and clients to sit down.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program that ends with us.
pub(super) struct ServerProgram {
    child: Child,
    lines: Receiver<String>,
}

/// What a process has used so far.
#[derive(Clone, Copy)]
pub(super) struct Usage {
    at: Instant,
    cpu_seconds: f64,
    pub(super) kib: f64,
}

/// What was measured of a server under load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ServerFigures {
    pub(super) moves_a_second: f64,
    pub(super) p50_ms: f64,
    pub(super) p99_ms: f64,
    /// Processors that were busy for the server, and for its clients.
    pub(super) cores: f64,
    pub(super) clients_cores: f64,
    /// Its memory in the end.
    pub(super) kib: f64,
}

impl ServerFigures {
    pub(super) fn micros_a_move(&self) -> f64 {
        1e6 * self.cores / self.moves_a_second
    }
}

impl ServerProgram {
    /// Starts a program with as many open files as this machine allows.
    pub(super) fn start(command: &Command) -> Result<ServerProgram> {
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -n \"$(ulimit -Hn)\" && exec \"$0\" \"$@\""]);
        shell.arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            shell.env(name, value.unwrap_or_default());
        }
        if let Some(folder) = command.get_current_dir() {
            shell.current_dir(folder);
        }
        let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let output = BufReader::new(child.stdout.take().context("no output")?);
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(ServerProgram { child, lines })
    }

    /// The address that a server prints when it is there.
    pub(super) fn address(&self) -> Result<String> {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).context("the server does not start")?;
            if line.starts_with("http://") {
                return Ok(line);
            }
        }
    }

    pub(super) fn usage(&self) -> Result<Usage> {
        let read = |name: &str| {
            let path = format!("/proc/{}/{name}", self.child.id());
            fs::read_to_string(&path).with_context(|| format!("{path} cannot be read"))
        };
        let cpu_seconds = cpu_seconds(&read("stat")?).context("/proc/…/stat looks unusual")?;
        let kib = resident_kib(&read("status")?).context("/proc/…/status looks unusual")?;
        Ok(Usage { at: now(), cpu_seconds, kib })
    }

    /// Asks one of our Node servers to collect its garbage, and tells how little memory that leaves.
    pub(super) fn least_kib(&mut self) -> Result<f64> {
        self.child.stdin.as_mut().context("no input")?.write_all(b"collect\n")?;
        let mut least = self.usage()?.kib;
        for _ in 0..15 {
            thread::sleep(LOOKS);
            least = least.min(self.usage()?.kib);
        }
        Ok(least)
    }
}

impl Drop for ServerProgram {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Lets clients play against a server and looks at both during the seconds that count: the last
/// ones before the clients' report. The clients may go on afterwards.
pub(super) fn measure(
    server: &ServerProgram,
    clients: &ServerProgram,
    seconds: f64,
) -> Result<ServerFigures> {
    let (mut of_server, mut of_clients) = (Vec::new(), Vec::new());
    let mut report = String::new();
    let began = now();
    loop {
        match clients.lines.recv_timeout(LOOKS) {
            Ok(line) => {
                report += &line;
                report.push('\n');
                if line == "done" || line.starts_with('{') {
                    break;
                }
            }
            Err(RecvTimeoutError::Disconnected) => bail!("the clients have failed.\n{report}"),
            Err(RecvTimeoutError::Timeout) => {
                ensure!(began.elapsed() < PATIENCE + Duration::from_secs_f64(seconds), "too slow.");
            }
        }
        of_server.push(server.usage().context("the server has ended")?);
        // Clients may have ended after a report that has not reached us yet.
        of_clients.extend(clients.usage());
    }
    let kib = of_server.last().context("it was over at once")?.kib;
    let (moves_a_second, p50_ms, p99_ms) = read_report(&report)?;
    ensure!(moves_a_second > 0.0, "nobody has played.");
    let cores = busy(&of_server, seconds).context("it was over at once")?;
    let clients_cores = busy(&of_clients, seconds).context("it was over at once")?;
    Ok(ServerFigures { moves_a_second, p50_ms, p99_ms, cores, clients_cores, kib })
}

/// Processors that were busy in the last seconds.
fn busy(usages: &[Usage], seconds: f64) -> Option<f64> {
    let last = usages.last()?;
    let first = usages.iter().find(|one| (last.at - one.at).as_secs_f64() <= seconds)?;
    let between = (last.at - first.at).as_secs_f64();
    (between > 0.0).then(|| last.cpu_seconds_since(*first) / between)
}

impl Usage {
    /// Seconds of processors that were used since an earlier look.
    pub(super) fn cpu_seconds_since(self, before: Usage) -> f64 {
        self.cpu_seconds - before.cpu_seconds
    }
}

/// Moves a second and two latencies: as JSON from `ghinda load`, as lines from the others.
fn read_report(text: &str) -> Result<(f64, f64, f64)> {
    let Some(json) = text.lines().find(|line| line.starts_with('{')) else {
        let figure = |key| crate::steps::figure(text, key);
        return Ok((figure("moves_per_second")?, figure("p50_ms")?, figure("p99_ms")?));
    };
    let value: serde_json::Value = serde_json::from_str(json)?;
    let figure = |path: &str| {
        value.pointer(path).and_then(|one| one.as_f64()).with_context(|| format!("no {path}"))
    };
    Ok((figure("/moves_per_second")?, figure("/latency_ms/p50")?, figure("/latency_ms/p99")?))
}

fn cpu_seconds(stat: &str) -> Option<f64> {
    // The name stands in brackets and may hold anything; what follows it is plain.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS)
}

fn resident_kib(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// A number that our server tells about itself.
pub(super) fn metric(address: &str, name: &str) -> Result<f64> {
    let host = address.strip_prefix("http://").context("an address")?;
    let mut stream = TcpStream::connect(host)?;
    write!(stream, "GET /metrics HTTP/1.0\r\nHost: {host}\r\n\r\n")?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.with_context(|| format!("the server tells no {name}"))?.trim().parse().context("a number")
}

#[allow(clippy::disallowed_methods, reason = "costs are measured over time")]
pub(super) fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_tells_is_read() {
        let stat = "7 (node (x) y) S 1 7 7 0 -1 4194560 9 0 0 0 1250 250 3 4 20 0";
        assert_eq!(cpu_seconds(stat), Some(15.0));
        assert_eq!(cpu_seconds("7 node"), None);
        assert_eq!(resident_kib("VmPeak:\t  9 kB\nVmRSS:\t   2048 kB\n"), Some(2048.0));
    }

    #[test]
    fn both_kinds_of_report_are_read() {
        let ours =
            r#"{"moves_per_second":900.5,"latency_ms":{"p50":1.5,"p90":2,"p99":12,"max":80}}"#;
        assert_eq!(read_report(ours).unwrap(), (900.5, 1.5, 12.0));
        let theirs = "moves_per_second=10\np50_ms=1\np99_ms=2.5\ndone\n";
        assert_eq!(read_report(theirs).unwrap(), (10.0, 1.0, 2.5));
        assert!(read_report("done\n").is_err());
    }

    #[test]
    fn only_the_last_seconds_count() {
        let start = now();
        let usage = |second: u64, cpu_seconds| Usage {
            at: start + Duration::from_secs(second),
            cpu_seconds,
            kib: 1.0,
        };
        let usages = [usage(0, 0.0), usage(5, 50.0), usage(10, 51.0), usage(15, 60.0)];
        assert_eq!(busy(&usages, 10.0), Some(1.0));
        assert_eq!(busy(&usages[..1], 10.0), None);
    }
}
