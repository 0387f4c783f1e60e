//! A private PostgreSQL server for the length of one test program.
//!
//! It listens on loopback at a free port, keeps its data in a new folder among the temporary files,
//! and is gone with the program that started it, however that ends. A machine without PostgreSQL
//! fails the tests with a sentence; it never skips them.

use std::ffi::OsStr;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// PostgreSQL does not run as root; its Debian package makes this user.
const USER: &str = "postgres";
const MEND: &str = "the tests need PostgreSQL: install it with `apt-get install postgresql` \
                    (`cargo xtask test` does so) or put initdb and pg_ctl on the PATH";

/// A running server. Its databases are made by [`Server::database`].
pub struct Server {
    programs: Programs,
    folder: PathBuf,
    port: u16,
    databases: AtomicU32,
    /// Ends the server when its input ends, which it does at the latest when this program does.
    keeper: Child,
}

/// Where the programs of PostgreSQL are, and whether they must be run as another user.
struct Programs {
    folder: PathBuf,
    as_root: bool,
}

/// How a server is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// As an operator does it: connections are ended, everything is written.
    Fast,
    /// Like a crash: all processes are gone at once, and the next start has to recover.
    Immediate,
}

impl Server {
    /// The server that all tests of this program share.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Server> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// Starts a server of one's own, for tests that stop it.
    pub fn start() -> Self {
        static STARTED: AtomicU32 = AtomicU32::new(0);
        let programs = Programs::find();
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let name = format!("ghinda-postgres-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        // Left over when an earlier program had the same number and its keeper was killed too.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).expect("a folder among the temporary files");
        if programs.as_root {
            succeed(Command::new("chown").arg(USER).arg(&folder));
        }
        let keeper = programs.keeper(&folder);
        succeed(programs.command("initdb").arg("--pgdata").arg(folder.join("data")).args([
            "--username",
            USER,
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ]));
        let mut server = Self { programs, folder, port: 0, databases: AtomicU32::new(0), keeper };
        // Between finding a free port and using it, somebody else may take it.
        let started = (0..5).any(|_| {
            server.port = free_port();
            server.try_again()
        });
        assert!(started, "PostgreSQL does not start:\n{}", server.log());
        server
    }

    /// Makes an empty database and gives its address.
    pub fn database(&self) -> String {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        let (name, port) = (format!("test{number}"), self.port.to_string());
        let mut command = self.programs.command("createdb");
        succeed(command.args(["-h", "127.0.0.1", "-U", USER, "-p", &port, &name]));
        format!("postgres://{USER}@127.0.0.1:{port}/{name}")
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
        assert!(self.try_again(), "PostgreSQL does not start again:\n{}", self.log());
    }

    fn try_again(&self) -> bool {
        let settings = format!(
            "-c listen_addresses=127.0.0.1 -c port={} -c unix_socket_directories={}",
            self.port,
            self.folder.display()
        );
        let mut command = self.pg_ctl();
        command.arg("-l").arg(self.folder.join("log")).args(["--wait", "-o", &settings, "start"]);
        // The server inherits what pg_ctl writes to; a pipe would never end.
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
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

impl Programs {
    fn find() -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let on_path = std::env::split_paths(&path);
        let folder = on_path.chain(debian()).find(|folder| {
            ["initdb", "pg_ctl", "createdb"].iter().all(|program| folder.join(program).is_file())
        });
        let folder = folder.expect(MEND);
        let who = Command::new("id").arg("-u").output().expect("the program `id`");
        Self { folder, as_root: who.stdout.trim_ascii() == b"0" }
    }

    fn command(&self, program: &str) -> Command {
        let mut command = self.unprivileged(self.folder.join(program));
        // Nobody can read the folder of whoever starts the tests, and it is not needed.
        command.current_dir("/").stdin(Stdio::null());
        command
    }

    fn unprivileged(&self, program: impl AsRef<OsStr>) -> Command {
        if !self.as_root {
            return Command::new(program);
        }
        // Unlike `runuser`, it stands on every PATH.
        let mut command = Command::new("setpriv");
        command.args(["--reuid", USER, "--regid", USER, "--init-groups", "--"]).arg(program);
        command
    }

    /// A process that waits for the end of its input and then removes the server and its folder.
    fn keeper(&self, folder: &Path) -> Child {
        const SCRIPT: &str = "cat >/dev/null; \
            \"$1\" --pgdata \"$2/data\" --wait -m immediate stop; rm -rf \"$2\"";
        let mut command = self.unprivileged("sh");
        command.args(["-c", SCRIPT, "keeper"]).arg(self.folder.join("pg_ctl")).arg(folder);
        command.current_dir("/").stdin(Stdio::piped());
        // Not ours: whoever reads our output would wait for the keeper too.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("a shell")
    }
}

/// Debian keeps them off the PATH, in a folder for each version; the newest comes first.
fn debian() -> Vec<PathBuf> {
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
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}. {MEND}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} ended with {}:\n{said}", output.status);
}
