//! Servers and their clients as processes: how they are started, what they cost, what they report.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

/// How often processes are sampled.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(100);
/// Clock ticks of /proc per second.
const TICKS_PER_SECOND: f64 = 100.0;
/// How long a server may take to start, and clients to take their seats.
const TIME_LIMIT: Duration = Duration::from_secs(120);
/// How long a server may take to answer a request.
const ANSWER_LIMIT: Duration = Duration::from_secs(30);

/// A program that is killed when dropped.
pub(crate) struct ServerProgram {
    child: Child,
    lines: Receiver<String>,
}

/// What a process has used so far.
#[derive(Clone, Copy)]
pub(crate) struct Usage {
    at: Instant,
    cpu_seconds: f64,
    pub(crate) kib: f64,
}

/// The measurements of a server under load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ServerFigures {
    pub(super) moves_per_second: f64,
    pub(super) p50_ms: f64,
    pub(super) p99_ms: f64,
    /// Processors that were busy for the server, and for its clients.
    pub(super) cores: f64,
    pub(super) clients_cores: f64,
    /// The memory of the server at the end.
    pub(super) kib: f64,
}

impl ServerFigures {
    pub(super) fn micros_per_move(&self) -> f64 {
        1e6 * self.cores / self.moves_per_second
    }
}

impl ServerProgram {
    /// Starts a program with as many open files as this machine allows.
    pub(crate) fn start(command: &Command) -> Result<ServerProgram> {
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

    /// The address that a server prints when it is ready.
    pub(crate) fn address(&self) -> Result<String> {
        loop {
            let line = self.lines.recv_timeout(TIME_LIMIT).context("the server does not start")?;
            if line.starts_with("http://") {
                return Ok(line);
            }
        }
    }

    /// The next line that the program prints; None if none comes within this time.
    pub(crate) fn next_line(&self, within: Duration) -> Result<Option<String>> {
        match self.lines.recv_timeout(within) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => bail!("the program has ended."),
        }
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it still runs.
    pub(crate) fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    pub(crate) fn usage(&self) -> Result<Usage> {
        let read = |name: &str| {
            let path = format!("/proc/{}/{name}", self.child.id());
            fs::read_to_string(&path).with_context(|| format!("{path} cannot be read"))
        };
        let cpu_seconds =
            cpu_seconds(&read("stat")?).context("/proc/…/stat has an unexpected format")?;
        let kib = status_number(&read("status")?, "VmRSS")
            .context("/proc/…/status has an unexpected format")?;
        Ok(Usage { at: now(), cpu_seconds, kib })
    }

    /// Makes a Node server collect its garbage, and returns the least memory after that.
    pub(super) fn least_kib(&mut self) -> Result<f64> {
        self.child.stdin.as_mut().context("no input")?.write_all(b"collect\n")?;
        let mut least = self.usage()?.kib;
        for _ in 0..15 {
            thread::sleep(SAMPLE_INTERVAL);
            least = least.min(self.usage()?.kib);
        }
        Ok(least)
    }
}

impl Drop for ServerProgram {
    fn drop(&mut self) {
        // The program may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs clients against a server and samples both during the measured seconds: the last ones before
/// the report of the clients. The clients may go on afterwards.
pub(super) fn measure(
    server: &ServerProgram,
    clients: &ServerProgram,
    seconds: f64,
) -> Result<ServerFigures> {
    let (mut of_server, mut of_clients) = (Vec::new(), Vec::new());
    let mut report = String::new();
    let began = now();
    loop {
        match clients.lines.recv_timeout(SAMPLE_INTERVAL) {
            Ok(line) => {
                report += &line;
                report.push('\n');
                if line == "done" || line.starts_with('{') {
                    break;
                }
            }
            Err(RecvTimeoutError::Disconnected) => bail!("the clients have failed.\n{report}"),
            Err(RecvTimeoutError::Timeout) => {
                ensure!(
                    began.elapsed() < TIME_LIMIT + Duration::from_secs_f64(seconds),
                    "too slow."
                );
            }
        }
        of_server.push(server.usage().context("the server has ended")?);
        // Clients may have ended after a report that is not read yet.
        of_clients.extend(clients.usage());
    }
    let kib = of_server.last().context("the measurement was too short")?.kib;
    let (moves_per_second, p50_ms, p99_ms) = read_report(&report)?;
    ensure!(moves_per_second > 0.0, "no moves were played.");
    let cores = busy(&of_server, seconds).context("the measurement was too short")?;
    let clients_cores = busy(&of_clients, seconds).context("the measurement was too short")?;
    Ok(ServerFigures { moves_per_second, p50_ms, p99_ms, cores, clients_cores, kib })
}

/// The number of processors that were busy in the last seconds.
fn busy(usages: &[Usage], seconds: f64) -> Option<f64> {
    let last = usages.last()?;
    let first = usages.iter().find(|one| (last.at - one.at).as_secs_f64() <= seconds)?;
    let between = (last.at - first.at).as_secs_f64();
    (between > 0.0).then(|| last.cpu_seconds_since(*first) / between)
}

impl Usage {
    /// Processor seconds since an earlier sample.
    pub(super) fn cpu_seconds_since(self, before: Usage) -> f64 {
        self.cpu_seconds - before.cpu_seconds
    }
}

/// Moves per second and two latencies: as JSON from `ghinda load`, as lines from the others.
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
    // The name is in brackets and may contain anything; the fields follow it.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS_PER_SECOND)
}

/// A number of /proc/…/status, in KiB where it has a unit.
pub(crate) fn status_number(status: &str, name: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// What a server answers to a request, with the head of the answer.
pub(crate) fn get(address: &str, path: &str) -> Result<String> {
    let host = address.strip_prefix("http://").context("not an HTTP address")?;
    let mut stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(ANSWER_LIMIT))?;
    write!(stream, "GET {path} HTTP/1.0\r\nHost: {host}\r\n\r\n")?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    Ok(text)
}

/// A metric of the ghinda server.
pub(super) fn metric(address: &str, name: &str) -> Result<f64> {
    metric_in(&get(address, "/metrics")?, name)
}

/// The value of a metric in the text of all of them.
pub(crate) fn metric_in(text: &str, name: &str) -> Result<f64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value
        .with_context(|| format!("the server has no metric {name}"))?
        .trim()
        .parse()
        .context("the metric is not a number")
}

#[allow(clippy::disallowed_methods, reason = "costs are measured over time")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_the_kernel_are_read() {
        let stat = "7 (node (x) y) S 1 7 7 0 -1 4194560 9 0 0 0 1250 250 3 4 20 0";
        assert_eq!(cpu_seconds(stat), Some(15.0));
        assert_eq!(cpu_seconds("7 node"), None);
        let status = "VmPeak:\t  9 kB\nVmRSS:\t   2048 kB\nThreads:\t7\n";
        assert_eq!(status_number(status, "VmRSS"), Some(2048.0));
        assert_eq!(status_number(status, "Threads"), Some(7.0));
        assert_eq!(status_number(status, "VmSwap"), None);
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
