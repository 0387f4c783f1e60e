//! A child process with three pipes, none of which can make us wait for ever.

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

/// How many lines wait in a queue; the pipe holds the rest back.
const QUEUE: usize = 64;

/// How many lines of standard error are kept, and how much of each.
const LAST_WORDS: usize = 5;
const MAX_WORDS: usize = 200;

/// How long a child that was told goodbye, or whose output has ended, may take to end.
const GRACE: Duration = Duration::from_millis(500);

/// What came from the child.
pub(super) enum ProcessOutput {
    Line(String),
    NotText,
    TooLong,
    /// Nothing until the end of the time.
    Nothing,
    /// Nothing, and nothing will come.
    End,
}

/// A child at work. Dropped, it is killed and cleared away.
pub(super) struct Process {
    child: Child,
    to: Option<SyncSender<String>>,
    from: Receiver<InputLine>,
    errors: Arc<Mutex<VecDeque<String>>>,
    errors_end: Receiver<()>,
}

impl Process {
    /// Starts the first word with the others as its arguments.
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
        // Nobody waits for these threads: a grandchild may hold the pipes open.
        if let Some(stdin) = child.stdin.take() {
            thread::spawn(move || write_all(stdin, &to_write));
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || read_all(stdout, &read));
        }
        if let Some(stderr) = child.stderr.take() {
            let kept = Arc::clone(&errors);
            thread::spawn(move || {
                keep_last(stderr, &kept);
                let _ = errors_over.send(());
            });
        }
        Ok(Process { child, to: Some(to), from, errors, errors_end })
    }

    /// Gives the child a line. One that does not read will be late with its
    /// answer, so that it is not told here.
    pub(super) fn say(&mut self, line: String) {
        if let Some(to) = &self.to {
            let _ = to.try_send(line);
        }
    }

    /// What the child says next, waiting until `end` at most.
    pub(super) fn hear(&mut self, end: Instant) -> ProcessOutput {
        match self.from.recv_timeout(end.saturating_duration_since(clock::now())) {
            Ok(InputLine::Text(line)) => ProcessOutput::Line(line),
            Ok(InputLine::NotText) => ProcessOutput::NotText,
            Ok(InputLine::TooLong) => ProcessOutput::TooLong,
            Ok(InputLine::End) | Err(RecvTimeoutError::Disconnected) => ProcessOutput::End,
            Err(RecvTimeoutError::Timeout) => ProcessOutput::Nothing,
        }
    }

    /// Whether the child is no more, though somebody may still hold its pipes.
    pub(super) fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// How a child ended whose output has ended.
    pub(super) fn obituary(&mut self) -> String {
        let ended = match self.wait_a_little() {
            Some(status) => format!("it ended with {status}"),
            None => "it closed its output".into(),
        };
        let _ = self.errors_end.recv_timeout(GRACE);
        ended + &self.last_words()
    }

    /// The last lines of its standard error, to be put after a sentence.
    pub(super) fn last_words(&self) -> String {
        let kept = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.is_empty() {
            return String::new();
        }
        let lines: Vec<&str> = kept.iter().map(String::as_str).collect();
        format!("; its standard error: {}", lines.join(" | "))
    }

    /// Says goodbye and lets the child end by itself, if it is quick.
    pub(super) fn leave(mut self) {
        self.say(wire::bot::HostMessage::Bye.line());
        self.to = None;
        self.wait_a_little();
    }

    fn wait_a_little(&mut self) -> Option<std::process::ExitStatus> {
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

fn read_all(stdout: ChildStdout, heard: &SyncSender<InputLine>) {
    let mut lines = LineReader::new(BufReader::new(stdout), MAX_BYTES);
    loop {
        match lines.next() {
            Ok(InputLine::End) | Err(_) => return,
            Ok(line) => {
                if heard.send(line).is_err() {
                    return;
                }
            }
        }
    }
}

fn keep_last(stderr: ChildStderr, kept: &Mutex<VecDeque<String>>) {
    let mut lines = LineReader::new(BufReader::new(stderr), MAX_BYTES);
    loop {
        let line = match lines.next() {
            Ok(InputLine::Text(line)) => line.chars().take(MAX_WORDS).collect(),
            Ok(InputLine::NotText | InputLine::TooLong) => String::from("…"),
            Ok(InputLine::End) | Err(_) => return,
        };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == LAST_WORDS {
            kept.pop_front();
        }
        kept.push_back(line);
    }
}
