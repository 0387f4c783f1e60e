//! `ghinda doctor`: checks what Ghinda needs on this machine, and how to repair what is missing.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use store::Database;

use crate::capacity::Capacity;
use crate::{display_args, serve};

/// The number of open files that a server should at least be allowed.
const WANTED_FILES: u64 = 4096;

/// Check this machine for what Ghinda needs, and explain how to repair faults
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda doctor
  ghinda doctor --listen 0.0.0.0:80 --database postgres://ghinda@db/ghinda
  ghinda doctor --json

The check changes nothing. The exit code is 1 if something is broken; notes
about what could be better do not count.")]
pub(crate) struct DoctorArgs {
    /// The address that the server would listen on
    #[arg(long, env = "GHINDA_LISTEN", value_name = "ADDRESS", default_value = serve::LISTEN)]
    listen: SocketAddr,
    /// The database of the server
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

/// The result of one check.
#[derive(Serialize)]
struct Finding {
    what: &'static str,
    state: FindingState,
    found: String,
    /// How to repair it.
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
            self.database(),
            matches(),
            terminal(),
            encoding(),
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
                format!("another program listens on {listen}"),
                "if it is ghinda serve, open it in the browser; or choose another port with --listen",
            ),
            Err(error) => Finding::broken(
                "port",
                format!("{listen}: {error}"),
                "choose an address of this machine, and a port from 1024 on, with --listen",
            ),
        }
    }

    fn database(&self) -> Finding {
        let path = match Database::file_of(&self.database) {
            Ok(Some(path)) => path,
            Ok(None) => return postgres(&self.database),
            Err(error) => {
                let mend = "name it with --database, as sqlite:PATH or postgres://USER@HOST/NAME";
                return Finding::broken("database", error.to_string(), mend);
            }
        };
        let name = path.display();
        if path.exists() {
            return match OpenOptions::new().read(true).append(true).open(path) {
                Ok(_) => Finding::well("database", format!("{name} exists and can be written")),
                Err(error) => Finding::broken(
                    "database",
                    format!("{name}: {error}"),
                    "give it to the user that runs the server (chown), or choose another with --database",
                ),
            };
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        match writable(folder.unwrap_or(Path::new("."))) {
            Ok(()) => Finding::well("database", format!("{name} will be created by ghinda serve")),
            Err(error) => Finding::broken(
                "database",
                format!("{name} cannot be created: {error}"),
                "change to a folder that you may write, or choose another with --database",
            ),
        }
    }
}

fn answers(listen: SocketAddr) -> bool {
    TcpStream::connect_timeout(&listen, Duration::from_secs(1)).is_ok()
}

/// Checks only that a server answers: more would need opening the database.
fn postgres(address: &str) -> Finding {
    let rest = address.split_once("://").map_or("", |(_, rest)| rest);
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    let host = if host.is_empty() { "localhost" } else { host };
    let host = if host.contains(':') { host.to_owned() } else { format!("{host}:5432") };
    let answered = host.to_socket_addrs().is_ok_and(|mut all| all.any(answers));
    match answered {
        true => Finding::well("database", format!("a server answers at {host}")),
        false => Finding::broken(
            "database",
            format!("no server answers at {host}"),
            "start PostgreSQL, or choose another --database; see docs/hosting.md",
        ),
    }
}

/// Tries to write a file in the folder.
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
            "this binary has no web client",
            "build it with the default features: cargo install --path crates/ghinda",
        ),
        files => {
            Finding::well("page", format!("the binary contains the web client, {files} files"))
        }
    }
}

fn matches() -> Finding {
    let Some(folder) = display_args::state_folder() else {
        return Finding::better(
            "matches",
            "no folder for unfinished matches",
            "set HOME or GHINDA_STATE to a folder",
        );
    };
    let name = folder.display();
    // The folder is created when it is needed, in the nearest folder that exists.
    let nearest = folder.ancestors().find(|folder| folder.exists()).map(PathBuf::from);
    match nearest.map(|folder| writable(&folder)) {
        Some(Ok(())) => {
            Finding::well("matches", format!("unfinished matches are stored in {name}"))
        }
        _ => Finding::better(
            "matches",
            format!("{name} cannot be written, so an unfinished match is lost"),
            "set GHINDA_STATE to a folder that you may write",
        ),
    }
}

fn terminal() -> Finding {
    if !terminal::is_terminal() {
        let mend = "start it in a terminal to check its size";
        return Finding::better("terminal", "none: tables are printed line by line", mend);
    }
    let colours = terminal::Colours::of_environment(|name| std::env::var(name).ok());
    let colours = match colours {
        terminal::Colours::None => "without colours",
        terminal::Colours::Sixteen => "16 colours",
        terminal::Colours::Many => "256 colours",
    };
    match terminal::size() {
        Some((width, height)) if width >= 80 && height >= 24 => {
            Finding::well("terminal", format!("{width}×{height}, {colours}"))
        }
        size => {
            let (width, height) = size.unwrap_or_default();
            let mend = "make the window larger or its font smaller: a table takes 80×24";
            Finding::better("terminal", format!("{width}×{height}, {colours}"), mend)
        }
    }
}

fn encoding() -> Finding {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG"));
    let locale = locale.unwrap_or_default();
    let folded = locale.to_lowercase().replace('-', "");
    if folded.contains("utf8") {
        return Finding::well("letters", locale);
    }
    Finding::better(
        "letters",
        format!("the locale is {locale:?}, which is not UTF-8"),
        "if cards look like garbage: export LANG=C.UTF-8",
    )
}

fn processors() -> Finding {
    let count = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    Finding::well("processors", count.to_string())
}

/// Every player of a server has a connection, and every connection uses a file descriptor.
fn files() -> Finding {
    match Capacity::of_machine().files {
        Some(soft) if soft < WANTED_FILES => Finding::better(
            "open files",
            format!("at most {soft}, so a server has fewer than {soft} players"),
            format!("for more players: ulimit -n {WANTED_FILES}"),
        ),
        Some(soft) => Finding::well("open files", format!("at most {soft}")),
        None => Finding::well("open files", "no limit known"),
    }
}
