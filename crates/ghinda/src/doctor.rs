//! `ghinda doctor`: whether everything is here that it takes, and what to do if not.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use crate::{display_args, serve};

/// How many files a server wants to have open at least.
const FILES: u64 = 4096;

/// Check that this machine has what it takes, and say how to mend what is missing
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda doctor
  ghinda doctor --listen 0.0.0.0:80 --database postgres://ghinda@db/ghinda
  ghinda doctor --json

Nothing is changed. The exit code is 1 if something is broken; what could
merely be better is told and does not count.")]
pub(crate) struct DoctorArgs {
    /// The address that the server would listen on
    #[arg(long, env = "GHINDA_LISTEN", value_name = "ADDRESS", default_value = serve::LISTEN)]
    listen: SocketAddr,
    /// Where tables would be kept
    #[arg(long, env = "GHINDA_DATABASE", value_name = "URL", default_value = serve::DATABASE, hide_env_values = true)]
    database: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum FindingState {
    Well,
    CouldBeBetter,
    Broken,
}

/// What came of looking at something.
#[derive(Serialize)]
struct Finding {
    what: &'static str,
    state: FindingState,
    found: String,
    /// How to mend it.
    #[serde(skip_serializing_if = "Option::is_none")]
    mend: Option<String>,
}

impl Finding {
    fn well(what: &'static str, found: impl Into<String>) -> Finding {
        Finding { what, state: FindingState::Well, found: found.into(), mend: None }
    }

    fn better(what: &'static str, found: impl Into<String>, mend: impl Into<String>) -> Finding {
        let (found, mend) = (found.into(), Some(mend.into()));
        Finding { what, state: FindingState::CouldBeBetter, found, mend }
    }

    fn broken(what: &'static str, found: impl Into<String>, mend: impl Into<String>) -> Finding {
        Finding { state: FindingState::Broken, ..Finding::better(what, found, mend) }
    }
}

impl DoctorArgs {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<ExitCode> {
        let findings = [
            page(),
            self.port(),
            self.kept(),
            matches(),
            terminal(),
            letters(),
            processors(),
            files(),
        ];
        let broken = findings.iter().any(|finding| finding.state == FindingState::Broken);
        if self.json {
            let version = env!("CARGO_PKG_VERSION");
            let report = serde_json::json!({
                "version": version, "well": !broken, "findings": findings,
            });
            writeln!(out, "{report}")?;
        } else {
            for finding in &findings {
                let sign = match finding.state {
                    FindingState::Well => "ok    ",
                    FindingState::CouldBeBetter => "note  ",
                    FindingState::Broken => "BROKEN",
                };
                writeln!(out, "{sign}  {:<11} {}", finding.what, finding.found)?;
                if let Some(mend) = &finding.mend {
                    writeln!(out, "                    → {mend}")?;
                }
            }
        }
        Ok(if broken { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }

    fn port(&self) -> Finding {
        let listen = self.listen;
        match TcpListener::bind(listen) {
            Ok(_) => Finding::well("port", format!("{listen} is free")),
            Err(_) if answers(listen) => Finding::broken(
                "port",
                format!("somebody listens on {listen} already"),
                "perhaps ghinda serve runs: open it in the browser; or choose another port with --listen",
            ),
            Err(error) => Finding::broken(
                "port",
                format!("{listen}: {error}"),
                "choose an address of this machine, and a port from 1024 on, with --listen",
            ),
        }
    }

    fn kept(&self) -> Finding {
        if self.database.starts_with("postgres") {
            return postgres(&self.database);
        }
        let path = self.database.strip_prefix("sqlite:").unwrap_or(&self.database);
        let path = Path::new(path.trim_start_matches("//"));
        let name = path.display();
        if path.exists() {
            return match OpenOptions::new().read(true).append(true).open(path) {
                Ok(_) => Finding::well("database", format!("{name} is there and can be written")),
                Err(error) => Finding::broken(
                    "database",
                    format!("{name}: {error}"),
                    "give it to whoever runs the server (chown), or choose another with --database",
                ),
            };
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        match writable(folder.unwrap_or(Path::new("."))) {
            Ok(()) => Finding::well("database", format!("{name} will be made by ghinda serve")),
            Err(error) => Finding::broken(
                "database",
                format!("{name} cannot be made: {error}"),
                "go to a folder where you may write, or choose another with --database",
            ),
        }
    }
}

fn answers(listen: SocketAddr) -> bool {
    TcpStream::connect_timeout(&listen, Duration::from_secs(1)).is_ok()
}

/// Only whether somebody is there: to ask more, the database would have to be opened.
fn postgres(address: &str) -> Finding {
    let rest = address.split_once("://").map_or("", |(_, rest)| rest);
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    let host = if host.is_empty() { "localhost" } else { host };
    let host = if host.contains(':') { host.to_owned() } else { format!("{host}:5432") };
    let there = host.to_socket_addrs().is_ok_and(|mut all| all.any(answers));
    match there {
        true => Finding::well("database", format!("somebody answers at {host}")),
        false => Finding::broken(
            "database",
            format!("nobody answers at {host}"),
            "start PostgreSQL, or say another --database; docs/hosting.md tells how",
        ),
    }
}

/// Tries to write beside what is there.
fn writable(folder: &Path) -> std::io::Result<()> {
    let probe = folder.join(format!(".ghinda-doctor-{}", std::process::id()));
    fs::write(&probe, "")?;
    fs::remove_file(probe)
}

fn page() -> Finding {
    let files = serve::pages().0.len();
    match files {
        0 => Finding::broken(
            "page",
            "the web client is not in this binary",
            "build it with its usual features: cargo install --path crates/ghinda",
        ),
        files => Finding::well("page", format!("the web client is here, {files} files")),
    }
}

fn matches() -> Finding {
    let Some(folder) = display_args::state_folder() else {
        return Finding::better(
            "matches",
            "nowhere to keep unfinished matches",
            "set HOME or GHINDA_STATE to a folder",
        );
    };
    let name = folder.display();
    // It is made when it is needed: the nearest folder that exists must let us.
    let nearest = folder.ancestors().find(|folder| folder.exists()).map(PathBuf::from);
    match nearest.map(|folder| writable(&folder)) {
        Some(Ok(())) => Finding::well("matches", format!("unfinished matches are kept in {name}")),
        _ => Finding::better(
            "matches",
            format!("{name} cannot be written, so an unfinished match is lost"),
            "set GHINDA_STATE to a folder of yours",
        ),
    }
}

fn terminal() -> Finding {
    if !terminal::is_terminal() {
        let mend = "start it in a terminal to see how large that is";
        return Finding::better("terminal", "none: tables are told line by line", mend);
    }
    let colours = terminal::Colours::of_environment(|name| std::env::var(name).ok());
    let colours = match colours {
        terminal::Colours::None => "without colours",
        terminal::Colours::Sixteen => "16 colours",
        terminal::Colours::Many => "256 colours",
    };
    match terminal::size() {
        Some((wide, high)) if wide >= 80 && high >= 24 => {
            Finding::well("terminal", format!("{wide}×{high}, {colours}"))
        }
        size => {
            let (wide, high) = size.unwrap_or_default();
            let mend = "make the window larger or its letters smaller: a table takes 80×24";
            Finding::better("terminal", format!("{wide}×{high}, {colours}"), mend)
        }
    }
}

fn letters() -> Finding {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG"));
    let locale = locale.unwrap_or_default();
    let folded = locale.to_lowercase().replace('-', "");
    if folded.contains("utf8") {
        return Finding::well("letters", locale);
    }
    Finding::better(
        "letters",
        format!("the locale is {locale:?}, not one of UTF-8"),
        "if cards look like garbage: export LANG=C.UTF-8",
    )
}

fn processors() -> Finding {
    let count = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    Finding::well("processors", count.to_string())
}

/// Every player of a server has a connection, and every connection is a file.
fn files() -> Finding {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find(|line| line.starts_with("Max open files"));
    let soft = line.and_then(|line| line.split_whitespace().nth(3)?.parse::<u64>().ok());
    match soft {
        Some(soft) if soft < FILES => Finding::better(
            "open files",
            format!("at most {soft}, so a server has fewer than {soft} players"),
            format!("for a larger house: ulimit -n {FILES}"),
        ),
        Some(soft) => Finding::well("open files", format!("at most {soft}")),
        None => Finding::well("open files", "as many as the system gives"),
    }
}
