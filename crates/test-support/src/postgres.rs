//! A private PostgreSQL server for the lifetime of one test program.
//!
//! It listens on loopback at a free port, keeps its data in a temporary folder, and ends with the
//! program that started it, however that ends. Without PostgreSQL the tests fail with instructions;
//! they are never skipped.

use std::ffi::OsStr;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// PostgreSQL does not run as root; its Debian package creates this user.
const USER: &str = "postgres";
const INSTRUCTIONS: &str = "the tests need PostgreSQL: install it with `apt-get install postgresql` \
                    (`cargo xtask test` does so) or put initdb and pg_ctl on the PATH";

/// A running server. [`Server::database`] creates databases.
pub struct Server {
    programs: Programs,
    folder: PathBuf,
    port: u16,
    databases: AtomicU32,
    /// Ends the server when its input ends, which happens at the latest when this program ends.
    watchdog: Child,
}

/// Where the programs of PostgreSQL are, and whether they must be run as another user.
struct Programs {
    folder: PathBuf,
    as_root: bool,
}

/// How a server is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// As an operator does it: connections are closed and everything is written.
    Fast,
    /// Like a crash: all processes end at once, and the next start has to recover.
    Immediate,
}

impl Server {
    /// The server that all tests of this program share.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Server> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// Starts a separate server, for tests that stop it.
    pub fn start() -> Self {
        static STARTED: AtomicU32 = AtomicU32::new(0);
        let programs = Programs::find();
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let name = format!("ghinda-postgres-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        // Left over if an earlier program had the same process id and its watchdog was killed too.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).expect("a temporary folder");
        if programs.as_root {
            succeed(Command::new("chown").arg(USER).arg(&folder));
        }
        let watchdog = programs.start_watchdog(&folder);
        succeed(programs.command("initdb").arg("--pgdata").arg(folder.join("data")).args([
            "--username",
            USER,
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ]));
        let mut server = Self { programs, folder, port: 0, databases: AtomicU32::new(0), watchdog };
        // Another program may take the port before the server does.
        let started = (0..5).any(|_| {
            server.port = free_port();
            server.try_start()
        });
        assert!(started, "PostgreSQL does not start:\n{}", server.log());
        server
    }

    /// Creates an empty database and returns its address.
    pub fn database(&self) -> String {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        let (name, port) = (format!("test{number}"), self.port.to_string());
        let mut command = self.programs.command("createdb");
        succeed(command.args(["-h", "127.0.0.1", "-U", USER, "-p", &port, &name]));
        format!("postgres://{USER}@127.0.0.1:{port}/{name}")
    }

    /// The folder with the tables of all databases.
    pub fn table_folder(&self) -> PathBuf {
        self.folder.join("data/base")
    }

    /// Stops the server; [`Server::start_again`] starts it at the same port.
    pub fn stop(&self, how: Stop) {
        let mode = match how {
            Stop::Fast => "fast",
            Stop::Immediate => "immediate",
        };
        succeed(self.pg_ctl().args(["--wait", "-m", mode, "stop"]));
    }

    /// Starts the server after it was stopped.
    pub fn start_again(&self) {
        assert!(self.try_start(), "PostgreSQL does not start again:\n{}", self.log());
    }

    fn try_start(&self) -> bool {
        let settings = format!(
            "-c listen_addresses=127.0.0.1 -c port={} -c unix_socket_directories={}",
            self.port,
            self.folder.display()
        );
        let mut command = self.pg_ctl();
        command.arg("-l").arg(self.folder.join("log")).args(["--wait", "-o", &settings, "start"]);
        // The server inherits the output of pg_ctl; a pipe would never end.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    fn pg_ctl(&self) -> Command {
        let mut command = self.programs.command("pg_ctl");
        command.arg("--pgdata").arg(self.folder.join("data"));
        command
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.watchdog.stdin.take());
        let _ = self.watchdog.wait();
    }
}

impl Programs {
    fn find() -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let on_path = std::env::split_paths(&path);
        let folder = on_path.chain(debian_folders()).find(|folder| {
            ["initdb", "pg_ctl", "createdb"].iter().all(|program| folder.join(program).is_file())
        });
        let folder = folder.expect(INSTRUCTIONS);
        let who = Command::new("id").arg("-u").output().expect("the program `id`");
        Self { folder, as_root: who.stdout.trim_ascii() == b"0" }
    }

    fn command(&self, program: &str) -> Command {
        let mut command = self.unprivileged(self.folder.join(program));
        // The unprivileged user cannot read the current folder, and it is not needed.
        command.current_dir("/").stdin(Stdio::null());
        command
    }

    fn unprivileged(&self, program: impl AsRef<OsStr>) -> Command {
        if !self.as_root {
            return Command::new(program);
        }
        // Unlike `runuser`, it is on every PATH.
        let mut command = Command::new("setpriv");
        command.args(["--reuid", USER, "--regid", USER, "--init-groups", "--"]).arg(program);
        command
    }

    /// Starts a process that waits for the end of its input and then removes the server and its folder.
    fn start_watchdog(&self, folder: &Path) -> Child {
        const SCRIPT: &str = "cat >/dev/null; \
            \"$1\" --pgdata \"$2/data\" --wait -m immediate stop; rm -rf \"$2\"";
        let mut command = self.unprivileged("sh");
        command.args(["-c", SCRIPT, "watchdog"]).arg(self.folder.join("pg_ctl")).arg(folder);
        command.current_dir("/").stdin(Stdio::piped());
        // With our output, a reader of it would wait for the watchdog too.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("a shell")
    }
}

/// The folders of Debian's PostgreSQL versions, which are not on the PATH; the newest comes first.
fn debian_folders() -> Vec<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let number = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u32>().ok();
    let mut versions: Vec<PathBuf> = versions.map(|entry| entry.path()).collect();
    versions.sort_by_key(|path| std::cmp::Reverse(number(path)));
    versions.into_iter().map(|version| version.join("bin")).collect()
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port on loopback");
    listener.local_addr().expect("its address").port()
}

fn succeed(command: &mut Command) {
    let output =
        command.output().unwrap_or_else(|error| panic!("{command:?}: {error}. {INSTRUCTIONS}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} ended with {}:\n{errors}", output.status);
}
