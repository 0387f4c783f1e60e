//! The server of a soak: a process with its database, which is killed, restarted and sampled.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::figures::ServerSample;
use super::postgres;
use crate::servers::process::{ServerProgram, get, metric_in, now, status_number};
use crate::steps::written_by;

/// Ports below those from which connections get theirs: while the server is away, no connection of a
/// client can take its port.
const PORTS: std::ops::Range<u16> = 21_000..32_000;
/// How long a server may take to be ready, and to stop.
const TIME_LIMIT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(10);
const MIB: f64 = 1024.0 * 1024.0;

/// The database of a soak.
pub(super) struct SoakDatabase {
    address: String,
    /// What counts as its size: a file with the files beside it, or a folder.
    place: PathBuf,
    /// It ends when it is dropped.
    _postgres: Option<postgres::Server>,
}

impl SoakDatabase {
    /// A new database: a file in a folder, or one on a PostgreSQL of its own.
    pub(super) fn create(folder: &Path, on_postgres: bool) -> SoakDatabase {
        if !on_postgres {
            let place = folder.join("soak.db");
            let address = format!("sqlite:{}", place.display());
            return SoakDatabase { address, place, _postgres: None };
        }
        let postgres = postgres::Server::start();
        let (address, place) = (postgres.database(), postgres.table_folder());
        SoakDatabase { address, place, _postgres: Some(postgres) }
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    fn mib(&self) -> f64 {
        let bytes = if self.place.is_dir() {
            folder_bytes(&self.place)
        } else {
            let file = self.place.as_os_str().to_owned();
            let beside = ["", "-wal"].map(|end| {
                let mut name = file.clone();
                name.push(end);
                fs::metadata(name).map_or(0, |data| data.len())
            });
            beside.iter().sum()
        };
        bytes as f64 / MIB
    }
}

/// The bytes of all files in a folder. Files may come and go meanwhile.
fn folder_bytes(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes = entries.filter_map(|entry| {
        let data = entry.metadata().ok()?;
        Some(if data.is_dir() { folder_bytes(&entry.path()) } else { data.len() })
    });
    bytes.sum()
}

pub(super) struct SoakServer {
    binary: PathBuf,
    log: PathBuf,
    database: String,
    port: u16,
    address: String,
    program: Option<ServerProgram>,
}

/// A program that appends its errors to a log, and ends with the process that starts it.
pub(super) fn in_shell(binary: &Path, log: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "exec 2>>\"$0\" && exec \"$@\""]).arg(log);
    command.args(["setpriv", "--pdeathsig", "KILL", "--"]).arg(binary).env("NO_COLOR", "1");
    command
}

impl SoakServer {
    /// Starts a server on a free port and waits until it is ready.
    pub(super) fn start(
        binary: &Path,
        folder: &Path,
        database: &SoakDatabase,
    ) -> Result<SoakServer> {
        let log = folder.join("server.log");
        File::create(&log).with_context(|| log.display().to_string())?;
        let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
        // Different soaks at the same time seldom look at the same port.
        let first = PORTS.start + (std::process::id() % 10_000) as u16;
        let port = (first..PORTS.end).find(is_free).context("no port is free")?;
        let mut server = SoakServer {
            binary: binary.to_owned(),
            log,
            database: database.address().to_owned(),
            port,
            address: format!("http://127.0.0.1:{port}"),
            program: None,
        };
        server.run().with_context(|| format!("its log is {}", server.log.display()))?;
        Ok(server)
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    fn run(&mut self) -> Result<()> {
        let mut command = in_shell(&self.binary, &self.log);
        command.args(["serve", "--listen", &format!("127.0.0.1:{}", self.port)]);
        command.args(["--database", &self.database]);
        // All clients have one address. They are admitted, and even so some ask too often.
        command.args([
            "--sockets-from-one",
            "5000",
            "--costly-a-minute",
            "3000",
            "--ledger-mib-an-hour",
            "64",
        ]);
        command.args(["--bot-ms", "100"]);
        let program = self.program.insert(ServerProgram::start(&command)?);
        program.address()?;
        let began = now();
        while !get(&self.address, "/ready").is_ok_and(|answer| is_success(&answer)) {
            if began.elapsed() > TIME_LIMIT {
                bail!("the server is not ready.");
            }
            thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }

    /// Kills the process, starts another one at the same address, and waits until it is ready.
    pub(super) fn restart(&mut self) -> Result<()> {
        // Dropping a program kills it, as `kill -9` does.
        self.program = None;
        self.run()
    }

    pub(super) fn is_running(&mut self) -> bool {
        self.program.as_mut().is_some_and(ServerProgram::is_running)
    }

    /// Stops the server as an operator does.
    pub(super) fn stop(&mut self) -> Result<()> {
        let Some(mut program) = self.program.take() else { return Ok(()) };
        let script = format!("kill -TERM {}", program.id());
        written_by(Command::new("sh").args(["-c", &script]))?;
        let began = now();
        while program.is_running() {
            if began.elapsed() > TIME_LIMIT {
                bail!("the server does not stop.");
            }
            thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }

    /// What it has logged, in all its lives.
    pub(super) fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// What the process and its database take now.
    pub(super) fn sample(&self, at: f64, database: &SoakDatabase) -> Result<ServerSample> {
        let id = self.program.as_ref().context("there is no server")?.id();
        let status = fs::read_to_string(format!("/proc/{id}/status"))?;
        let number = |name| status_number(&status, name).with_context(|| format!("no {name}"));
        let files = fs::read_dir(format!("/proc/{id}/fd"))?.count();
        let metrics = get(&self.address, "/metrics")?;
        // A counter that was never counted is not there yet.
        let metric = |name| metric_in(&metrics, name).unwrap_or(0.0);
        Ok(ServerSample {
            at,
            rss_mib: number("VmRSS")? / 1024.0,
            threads: number("Threads")?,
            files: files as f64,
            disk_mib: database.mib(),
            tables: metric("ghinda_tables_in_memory"),
            ledgers: metric("ghinda_ledgers_in_memory"),
            sockets: metric("ghinda_sockets"),
        })
    }
}

fn is_success(answer: &str) -> bool {
    answer.split_whitespace().nth(1) == Some("200")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_200_is_ready() {
        assert!(is_success("HTTP/1.0 200 OK\r\n\r\n"));
        assert!(!is_success("HTTP/1.0 503 Service Unavailable\r\n\r\n200"));
        assert!(!is_success(""));
    }
}
