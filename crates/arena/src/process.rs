//! A child process with three pipes. No call waits for ever.

use std::collections::VecDeque;
use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use wire::bot::MAX_BYTES;

use crate::clock;
use crate::lines::{InputLine, LineReader};

/// How many lines wait in a queue; the pipe holds back the rest.
const QUEUE: usize = 64;

/// How many lines of standard error are kept, and how many characters of each.
const MAX_ERROR_LINES: usize = 5;
const MAX_ERROR_CHARS: usize = 200;

/// How long a child may take to end after bye, or after its output has ended.
const GRACE: Duration = Duration::from_millis(500);

/// Output of the child.
pub(super) enum ProcessOutput {
    Line(String),
    NotText,
    TooLong,
    /// No output before the deadline.
    TimedOut,
    /// The output has ended.
    End,
}

/// A running child. When dropped, it is killed and waited for.
pub(super) struct Process {
    child: Child,
    to: Option<SyncSender<String>>,
    from: Receiver<InputLine>,
    errors: Arc<Mutex<VecDeque<String>>>,
    errors_end: Receiver<()>,
}

impl Process {
    /// Starts the first word as the program, with the others as its arguments.
    pub(super) fn start(command: &[String]) -> io::Result<Process> {
        let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (to, to_write) = mpsc::sync_channel(QUEUE);
        let (read, from) = mpsc::sync_channel(QUEUE);
        let (errors_over, errors_end) = mpsc::sync_channel(1);
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        // These threads are not joined: a grandchild may hold the pipes open.
        if let Some(stdin) = child.stdin.take() {
            thread::spawn(move || write_all(stdin, &to_write));
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || read_all(stdout, &read));
        }
        if let Some(stderr) = child.stderr.take() {
            let last_lines = Arc::clone(&errors);
            thread::spawn(move || {
                keep_last_lines(stderr, &last_lines);
                let _ = errors_over.send(());
            });
        }
        Ok(Process { child, to: Some(to), from, errors, errors_end })
    }

    /// Sends a line to the child. If the child does not read it, the answer will be late, so a
    /// failure is not reported here.
    pub(super) fn send(&mut self, line: String) {
        if let Some(to) = &self.to {
            let _ = to.try_send(line);
        }
    }

    /// The next output of the child, waiting until `end` at most.
    pub(super) fn receive(&mut self, end: Instant) -> ProcessOutput {
        match self.from.recv_timeout(end.saturating_duration_since(clock::now())) {
            Ok(InputLine::Text(line)) => ProcessOutput::Line(line),
            Ok(InputLine::NotText) => ProcessOutput::NotText,
            Ok(InputLine::TooLong) => ProcessOutput::TooLong,
            Ok(InputLine::End) | Err(RecvTimeoutError::Disconnected) => ProcessOutput::End,
            Err(RecvTimeoutError::Timeout) => ProcessOutput::TimedOut,
        }
    }

    /// Whether the child has ended, though another process may still hold its pipes.
    pub(super) fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// How a child ended whose output has ended.
    pub(super) fn describe_end(&mut self) -> String {
        let ended = match self.wait_for_end() {
            Some(status) => format!("it ended with {status}"),
            None => "it closed its output".into(),
        };
        let _ = self.errors_end.recv_timeout(GRACE);
        ended + &self.last_errors()
    }

    /// The last lines of its standard error, as an appendix to a sentence.
    pub(super) fn last_errors(&self) -> String {
        let last_lines = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        if last_lines.is_empty() {
            return String::new();
        }
        let lines: Vec<&str> = last_lines.iter().map(String::as_str).collect();
        format!("; its standard error: {}", lines.join(" | "))
    }

    /// Sends bye and waits a short time for the child to end by itself.
    pub(super) fn dismiss(mut self) {
        self.send(wire::bot::HostMessage::Bye.line());
        self.to = None;
        self.wait_for_end();
    }

    fn wait_for_end(&mut self) -> Option<std::process::ExitStatus> {
        let end = clock::now() + GRACE;
        loop {
            match self.child.try_wait() {
                Ok(None) if clock::now() < end => thread::sleep(Duration::from_millis(2)),
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write_all(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_all(stdout: ChildStdout, received: &SyncSender<InputLine>) {
    let mut lines = LineReader::new(BufReader::new(stdout), MAX_BYTES);
    loop {
        match lines.read_line() {
            Ok(InputLine::End) | Err(_) => return,
            Ok(line) => {
                if received.send(line).is_err() {
                    return;
                }
            }
        }
    }
}

fn keep_last_lines(stderr: ChildStderr, last_lines: &Mutex<VecDeque<String>>) {
    let mut lines = LineReader::new(BufReader::new(stderr), MAX_BYTES);
    loop {
        let line = match lines.read_line() {
            Ok(InputLine::Text(line)) => line.chars().take(MAX_ERROR_CHARS).collect(),
            Ok(InputLine::NotText | InputLine::TooLong) => String::from("…"),
            Ok(InputLine::End) | Err(_) => return,
        };
        let mut last_lines = last_lines.lock().unwrap_or_else(PoisonError::into_inner);
        if last_lines.len() == MAX_ERROR_LINES {
            last_lines.pop_front();
        }
        last_lines.push_back(line);
    }
}
