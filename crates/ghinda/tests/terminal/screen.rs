//! The terminal is resized and killed, and restored at the end.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use test_support::folder::TempFolder;
use vt100::MouseProtocolMode;

use crate::pty::Pty;

const POLL_INTERVAL: Duration = Duration::from_millis(50);
const PLAY: [&str; 8] =
    ["play", "--seed", "screen", "--level", "easy", "--name", "Ana", "--bots-take"];

fn in_shell(folder: &TempFolder) -> Pty {
    let pty = Pty::in_shell((80, 24), folder.path(), &[&PLAY[..], &["0"]].concat());
    pty.wait_for("Keys");
    assert!(pty.read(vt100::Screen::alternate_screen));
    assert_ne!(pty.read(vt100::Screen::mouse_protocol_mode), MouseProtocolMode::None);
    pty
}

/// Checks that the terminal is restored: lines are echoed and edited, and the screen is cleared.
#[track_caller]
fn check_restored(pty: &Pty) -> String {
    let text = pty.wait_until(|text| text.contains("done"), "the end");
    assert!(!pty.read(vt100::Screen::alternate_screen), "{text}");
    assert!(!pty.read(vt100::Screen::hide_cursor), "{text}");
    assert_eq!(pty.read(vt100::Screen::mouse_protocol_mode), MouseProtocolMode::None);
    let words: Vec<&str> = text.split([' ', '\n', ';']).collect();
    assert!(words.contains(&"icanon") && words.contains(&"echo"), "{text}");
    assert!(!text.contains('╭'), "{text}");
    text
}

#[test]
fn leaving_restores_the_terminal() {
    let folder = TempFolder::create();
    let mut pty = in_shell(&folder);
    pty.press("q");
    pty.wait_for("Leave the table?");
    pty.press("\r");
    assert!(check_restored(&pty).contains("ended=0"));
}

#[test]
fn control_c_leaves_at_once() {
    let folder = TempFolder::create();
    let mut pty = in_shell(&folder);
    pty.press("\x03");
    assert!(check_restored(&pty).contains("ended=0"));
}

#[test]
fn a_signal_restores_the_terminal() {
    for (signal, code) in [("TERM", "ended=143"), ("HUP", "ended=129"), ("INT", "ended=130")] {
        let folder = TempFolder::create();
        let pty = in_shell(&folder);
        let id = pty.grandchild().to_string();
        let killed = Command::new("kill").args([&format!("-{signal}"), &id]).status();
        assert!(killed.expect("kill").success());
        let text = check_restored(&pty);
        assert!(text.contains(code), "{signal}: {text}");
    }
}

/// The first child of a process; None if it has none yet.
fn child_of(id: u32) -> Option<u32> {
    let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).ok()?;
    children.split_whitespace().next()?.parse().ok()
}

#[test]
fn a_client_without_its_terminal_ends() {
    let folder = TempFolder::create();
    let play = [&PLAY[..], &["0"]].concat().join(" ");
    let ghinda = format!("exec {} {play}", env!("CARGO_BIN_EXE_ghinda"));
    // `script` owns the terminal of ghinda. When it is killed, the terminal is gone.
    let mut holder = Command::new("script");
    holder.args(["-qfc", &ghinda, "/dev/null"]).env("GHINDA_STATE", folder.path());
    holder.env("TERM", "xterm-256color").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut holder = holder.spawn().expect("script runs");
    let mut shown = holder.stdout.take().expect("its output");
    let mut bytes = [0; 4096];
    let mut text = String::new();
    while !text.contains("\u{1b}[?1049h") {
        let count = shown.read(&mut bytes).expect("output");
        assert!(count > 0, "{text}");
        text.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    let client = child_of(holder.id()).expect("a client");
    holder.kill().expect("killed");
    holder.wait().expect("ended");
    let until = Duration::from_secs(60);
    let mut waited = Duration::ZERO;
    while Path::new(&format!("/proc/{client}")).exists() {
        assert!(waited < until, "the client runs on without a terminal");
        std::thread::sleep(POLL_INTERVAL);
        waited += POLL_INTERVAL;
    }
}

#[test]
fn the_window_can_be_resized() {
    let folder = TempFolder::create();
    let mut pty = Pty::ghinda((80, 24), folder.path(), &[&PLAY[..], &["0"]].concat());
    pty.wait_for("Keys");
    pty.resize((60, 20));
    pty.wait_for("80×24");
    pty.resize((150, 50));
    // The panel beside the table lists the events.
    pty.wait_for("The cards are dealt.");
    pty.resize((80, 24));
    pty.wait_until(|text| text.contains("Keys") && !text.contains("│ Score"), "the small table");
    // crossterm delivers a key that arrives together with a resize only with the next key; no user
    // is that fast.
    std::thread::sleep(Duration::from_millis(500));
    pty.press("?");
    pty.wait_for("walk through the hand");
}

#[test]
fn ghinda_without_arguments_opens_a_menu() {
    let folder = TempFolder::create();
    let mut pty = Pty::ghinda((80, 24), folder.path(), &[]);
    pty.wait_for("Play now");
    pty.press("\x1b[B\x1b[B\r");
    pty.wait_for("Cruce for two");
    pty.press("q\r");
    assert!(pty.wait_for_end().success());
    let mut pty = Pty::ghinda((80, 24), folder.path(), &["--lang", "ro"]);
    pty.wait_for("Joacă acum");
    pty.press("q");
    assert!(pty.wait_for_end().success());
}
