//! The real server as a process, for browsers.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::process_guard::ProcessGuard;
use test_support::process::run_with_input;

/// A server that runs until this is dropped.
pub(crate) struct TestServer {
    child: Child,
    folder: PathBuf,
    /// Its address: `http://127.0.0.1:…`.
    pub(crate) url: String,
}

impl TestServer {
    /// A server whose bots answer at once.
    pub(crate) fn open() -> TestServer {
        TestServer::with_bots_of(1)
    }

    /// A server whose bots take this many milliseconds for a card.
    pub(crate) fn with_bots_of(millis: u32) -> TestServer {
        static OPENED: AtomicU32 = AtomicU32::new(0);
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        let folder = ProcessGuard::shared().folder().join(format!("server-{number}"));
        std::fs::create_dir(&folder).expect("a folder");
        let log = File::create(folder.join("log")).expect("a log");
        let mut child = Command::new(env!("CARGO_BIN_EXE_ghinda"))
            .args(["serve", "--listen", "127.0.0.1:0", "--costly-a-minute", "100000"])
            .args(["--thinkers", "1", "--bot-ms", &millis.to_string(), "--database"])
            .arg(folder.join("ghinda.db"))
            .env_remove("RUST_LOG")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("ghinda runs");
        ProcessGuard::shared().add(child.id().into());
        let mut line = String::new();
        let output = child.stdout.take().expect("its output");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let url = line.trim().to_owned();
        let server = TestServer { child, folder, url };
        assert!(
            server.url.starts_with("http://"),
            "the server does not start: {line:?}\n{}",
            server.log()
        );
        server
    }

    /// Kills the server, as a power failure does.
    pub(crate) fn stop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    /// Rechecks a record with `ghinda verify`, and returns its output.
    #[track_caller]
    pub(crate) fn verify(record: &str) -> String {
        let mut verify = Command::new(env!("CARGO_BIN_EXE_ghinda"));
        let output = run_with_input(verify.args(["verify", "-"]).env("LC_ALL", "C"), record);
        let wrong = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "the record is not valid: {wrong}\n{record}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop();
        if std::thread::panicking() {
            let log = self.log();
            let tail: Vec<&str> = log.lines().rev().take(10).collect();
            eprintln!("the server logged last, newest first:\n{}", tail.join("\n"));
        }
    }
}
