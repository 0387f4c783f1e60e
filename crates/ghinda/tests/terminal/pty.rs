//! A terminal without a window: a program runs in it, keys are typed, and what it shows is read.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);
/// How often the screen is looked at.
const GLANCE: Duration = Duration::from_millis(20);

pub(crate) struct Pty {
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    screen: Arc<Mutex<vt100::Parser>>,
}

fn size((wide, high): (u16, u16)) -> PtySize {
    PtySize { rows: high, cols: wide, pixel_width: 0, pixel_height: 0 }
}

fn some(length: u16) -> NonZeroU16 {
    NonZeroU16::new(length).expect("some columns and rows")
}

fn parser((wide, high): (u16, u16)) -> vt100::Parser {
    vt100::Parser::new(some(high), some(wide), 0)
}

impl Pty {
    /// Runs ghinda with these arguments; its unfinished matches are kept in the folder.
    pub(crate) fn ghinda(wide_high: (u16, u16), state: &Path, args: &[&str]) -> Pty {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_ghinda"));
        command.args(args);
        Pty::run(wide_high, state, command)
    }

    /// Runs it in a shell, which tells afterwards how the terminal was left.
    pub(crate) fn in_shell(wide_high: (u16, u16), state: &Path, args: &[&str]) -> Pty {
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", "\"$@\"; echo \"ended=$?\"; stty -a; echo done", "sh"]);
        command.arg(env!("CARGO_BIN_EXE_ghinda"));
        command.args(args);
        Pty::run(wide_high, state, command)
    }

    fn run(wide_high: (u16, u16), state: &Path, mut command: CommandBuilder) -> Pty {
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        command.env("GHINDA_STATE", state);
        command.env_remove("NO_COLOR");
        let pair = native_pty_system().openpty(size(wide_high)).expect("a pseudo-terminal");
        let child = pair.slave.spawn_command(command).expect("ghinda runs");
        drop(pair.slave);
        let mut output = pair.master.try_clone_reader().expect("its output");
        let keys = pair.master.take_writer().expect("its input");
        let screen = Arc::new(Mutex::new(parser(wide_high)));
        let shown = screen.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                shown.lock().expect("the screen").process(&bytes[..count]);
            }
        });
        Pty { master: pair.master, keys, child, screen }
    }

    /// What is shown.
    pub(crate) fn text(&self) -> String {
        self.screen.lock().expect("the screen").screen().contents()
    }

    /// Asks something of the terminal itself.
    pub(crate) fn ask<T>(&self, what: impl Fn(&vt100::Screen) -> T) -> T {
        what(self.screen.lock().expect("the screen").screen())
    }

    pub(crate) fn press(&mut self, keys: &str) {
        // A program that has ended does not read.
        let _ = self.keys.write_all(keys.as_bytes());
        let _ = self.keys.flush();
    }

    pub(crate) fn resize(&mut self, wide_high: (u16, u16)) {
        self.screen.lock().expect("the screen").set_size(some(wide_high.1), some(wide_high.0));
        self.master.resize(size(wide_high)).expect("resized");
    }

    /// Waits until a text is shown.
    #[track_caller]
    pub(crate) fn wait_for(&self, what: &str) -> String {
        self.wait_until(|text| text.contains(what), what)
    }

    #[track_caller]
    pub(crate) fn wait_until(&self, found: impl Fn(&str) -> bool, what: &str) -> String {
        let mut left = PATIENCE;
        loop {
            let text = self.text();
            if found(&text) {
                return text;
            }
            assert!(!left.is_zero(), "never {what:?}:\n{text}");
            std::thread::sleep(GLANCE);
            left = left.saturating_sub(GLANCE);
        }
    }

    /// The programs that were started by what runs here.
    pub(crate) fn grandchild(&self) -> u32 {
        let id = self.child.process_id().expect("a process");
        let mut left = PATIENCE;
        loop {
            let path = format!("/proc/{id}/task/{id}/children");
            let children = std::fs::read_to_string(path).unwrap_or_default();
            if let Some(Ok(child)) = children.split_whitespace().next().map(str::parse) {
                return child;
            }
            assert!(!left.is_zero(), "nothing was started");
            std::thread::sleep(GLANCE);
            left = left.saturating_sub(GLANCE);
        }
    }

    /// Waits for its end.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        let mut left = PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("a status") {
                return status;
            }
            assert!(!left.is_zero(), "it does not end:\n{}", self.text());
            std::thread::sleep(GLANCE);
            left = left.saturating_sub(GLANCE);
        }
    }

    /// Plays whatever may be played, until something is shown.
    #[track_caller]
    pub(crate) fn play_until(&mut self, end: &str) -> String {
        let mut seen = (String::new(), PATIENCE);
        loop {
            let text = self.text();
            if text.contains(end) {
                return text;
            }
            if text == seen.0 {
                assert!(!seen.1.is_zero(), "nothing happens:\n{text}");
                seen.1 = seen.1.saturating_sub(GLANCE * 3);
            } else {
                seen = (text, PATIENCE);
            }
            // To something that may be said or played, then that; and Enter closes whatever asks.
            self.press("\x1b[C");
            std::thread::sleep(GLANCE);
            self.press("\r");
            std::thread::sleep(GLANCE);
            if self.text().contains("Space") {
                self.press("\r");
            }
            std::thread::sleep(GLANCE);
        }
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
