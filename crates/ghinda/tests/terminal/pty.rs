//! A pseudo-terminal: it runs a program, sends it keys and reads its screen.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

/// The time limit of every wait, for a busy machine.
const TIME_LIMIT: Duration = Duration::from_secs(90);
/// How often the screen is read.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

pub(crate) struct Pty {
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    screen: Arc<Mutex<vt100::Parser>>,
}

fn pty_size((width, height): (u16, u16)) -> PtySize {
    PtySize { rows: height, cols: width, pixel_width: 0, pixel_height: 0 }
}

fn non_zero(length: u16) -> NonZeroU16 {
    NonZeroU16::new(length).expect("a positive size")
}

fn parser((width, height): (u16, u16)) -> vt100::Parser {
    vt100::Parser::new(non_zero(height), non_zero(width), 0)
}

impl Pty {
    /// Runs ghinda with these arguments; it stores unfinished matches in the folder.
    pub(crate) fn ghinda(size: (u16, u16), state: &Path, args: &[&str]) -> Pty {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_ghinda"));
        command.args(args);
        Pty::run(size, state, command)
    }

    /// Runs ghinda in a shell, which prints the state of the terminal afterwards.
    pub(crate) fn in_shell(size: (u16, u16), state: &Path, args: &[&str]) -> Pty {
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", "\"$@\"; echo \"ended=$?\"; stty -a; echo done", "sh"]);
        command.arg(env!("CARGO_BIN_EXE_ghinda"));
        command.args(args);
        Pty::run(size, state, command)
    }

    fn run(size: (u16, u16), state: &Path, mut command: CommandBuilder) -> Pty {
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        command.env("GHINDA_STATE", state);
        command.env_remove("NO_COLOR");
        let pair = native_pty_system().openpty(pty_size(size)).expect("a pseudo-terminal");
        let child = pair.slave.spawn_command(command).expect("ghinda runs");
        drop(pair.slave);
        let mut output = pair.master.try_clone_reader().expect("its output");
        let keys = pair.master.take_writer().expect("its input");
        let screen = Arc::new(Mutex::new(parser(size)));
        let shown = screen.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                shown.lock().expect("the screen").process(&bytes[..count]);
            }
        });
        Pty { master: pair.master, keys, child, screen }
    }

    /// The text on the screen.
    pub(crate) fn text(&self) -> String {
        self.screen.lock().expect("the screen").screen().contents()
    }

    /// Reads a property of the terminal.
    pub(crate) fn read<T>(&self, what: impl Fn(&vt100::Screen) -> T) -> T {
        what(self.screen.lock().expect("the screen").screen())
    }

    pub(crate) fn press(&mut self, keys: &str) {
        // A program that has ended does not read its keys.
        let _ = self.keys.write_all(keys.as_bytes());
        let _ = self.keys.flush();
    }

    pub(crate) fn resize(&mut self, size: (u16, u16)) {
        self.screen.lock().expect("the screen").set_size(non_zero(size.1), non_zero(size.0));
        self.master.resize(pty_size(size)).expect("resized");
    }

    /// Waits until a text is on the screen.
    #[track_caller]
    pub(crate) fn wait_for(&self, what: &str) -> String {
        self.wait_until(|text| text.contains(what), what)
    }

    #[track_caller]
    pub(crate) fn wait_until(&self, found: impl Fn(&str) -> bool, what: &str) -> String {
        let mut left = TIME_LIMIT;
        loop {
            let text = self.text();
            if found(&text) {
                return text;
            }
            assert!(!left.is_zero(), "{what:?} never appears:\n{text}");
            std::thread::sleep(POLL_INTERVAL);
            left = left.saturating_sub(POLL_INTERVAL);
        }
    }

    /// The first process that the child has started.
    pub(crate) fn grandchild(&self) -> u32 {
        let id = self.child.process_id().expect("a process");
        let mut left = TIME_LIMIT;
        loop {
            let path = format!("/proc/{id}/task/{id}/children");
            let children = std::fs::read_to_string(path).unwrap_or_default();
            if let Some(Ok(child)) = children.split_whitespace().next().map(str::parse) {
                return child;
            }
            assert!(!left.is_zero(), "the child started no process");
            std::thread::sleep(POLL_INTERVAL);
            left = left.saturating_sub(POLL_INTERVAL);
        }
    }

    /// Waits until the program has ended.
    pub(crate) fn wait_for_end(&mut self) -> ExitStatus {
        let mut left = TIME_LIMIT;
        loop {
            if let Some(status) = self.child.try_wait().expect("a status") {
                return status;
            }
            assert!(!left.is_zero(), "the program does not end:\n{}", self.text());
            std::thread::sleep(POLL_INTERVAL);
            left = left.saturating_sub(POLL_INTERVAL);
        }
    }

    /// Plays anything that may be played, until a text is on the screen.
    #[track_caller]
    pub(crate) fn play_until(&mut self, end: &str) -> String {
        let mut seen = (String::new(), TIME_LIMIT);
        loop {
            let text = self.text();
            if text.contains(end) {
                return text;
            }
            if text == seen.0 {
                assert!(!seen.1.is_zero(), "the screen does not change:\n{text}");
                seen.1 = seen.1.saturating_sub(POLL_INTERVAL * 3);
            } else {
                seen = (text, TIME_LIMIT);
            }
            // Moves to a bid or card that may be played, and plays it; Enter also closes any
            // dialog.
            self.press("\x1b[C");
            std::thread::sleep(POLL_INTERVAL);
            self.press("\r");
            std::thread::sleep(POLL_INTERVAL);
            if self.text().contains("Space") {
                self.press("\r");
            }
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
