//! The terminal itself: resized, killed, and given back as it was.

use std::process::Command;

use for_tests::folder::Folder;
use vt100::MouseProtocolMode;

use crate::pty::Pty;

const PLAY: [&str; 8] =
    ["play", "--seed", "screen", "--level", "easy", "--name", "Ana", "--bots-take"];

fn in_shell(folder: &Folder) -> Pty {
    let pty = Pty::in_shell((80, 24), folder.path(), &[&PLAY[..], &["0"]].concat());
    pty.wait_for("Keys");
    assert!(pty.ask(vt100::Screen::alternate_screen));
    assert_ne!(pty.ask(vt100::Screen::mouse_protocol_mode), MouseProtocolMode::None);
    pty
}

/// The terminal is as it was: lines are echoed and edited, nothing of ours is left.
#[track_caller]
fn is_restored(pty: &Pty) -> String {
    let text = pty.wait_until(|text| text.contains("done"), "the end");
    assert!(!pty.ask(vt100::Screen::alternate_screen), "{text}");
    assert!(!pty.ask(vt100::Screen::hide_cursor), "{text}");
    assert_eq!(pty.ask(vt100::Screen::mouse_protocol_mode), MouseProtocolMode::None);
    let words: Vec<&str> = text.split([' ', '\n', ';']).collect();
    assert!(words.contains(&"icanon") && words.contains(&"echo"), "{text}");
    assert!(!text.contains('╭'), "{text}");
    text
}

#[test]
fn whoever_leaves_finds_the_terminal_as_it_was() {
    let folder = Folder::fresh();
    let mut pty = in_shell(&folder);
    pty.press("q");
    pty.wait_for("Leave the table?");
    pty.press("\r");
    assert!(is_restored(&pty).contains("ended=0"));
}

#[test]
fn control_c_leaves_at_once() {
    let folder = Folder::fresh();
    let mut pty = in_shell(&folder);
    pty.press("\x03");
    assert!(is_restored(&pty).contains("ended=0"));
}

#[test]
fn a_killed_terminal_is_restored() {
    for (signal, code) in [("TERM", "ended=143"), ("HUP", "ended=129"), ("INT", "ended=130")] {
        let folder = Folder::fresh();
        let pty = in_shell(&folder);
        let id = pty.grandchild().to_string();
        let killed = Command::new("kill").args([&format!("-{signal}"), &id]).status();
        assert!(killed.expect("kill").success());
        let text = is_restored(&pty);
        assert!(text.contains(code), "{signal}: {text}");
    }
}

#[test]
fn a_window_may_change_its_size() {
    let folder = Folder::fresh();
    let mut pty = Pty::ghinda((80, 24), folder.path(), &[&PLAY[..], &["0"]].concat());
    pty.wait_for("Keys");
    pty.resize((60, 20));
    pty.wait_for("80×24");
    pty.resize((150, 50));
    // The panel beside the table tells what happened.
    pty.wait_for("The cards are dealt.");
    pty.resize((80, 24));
    pty.wait_until(|text| text.contains("Keys") && !text.contains("│ Score"), "the small table");
    // A key that comes in the same instant as a change of size is read by crossterm only with the
    // next one; no person is as fast.
    std::thread::sleep(std::time::Duration::from_millis(500));
    pty.press("?");
    pty.wait_for("walk through the hand");
}

#[test]
fn ghinda_alone_leads_to_a_game() {
    let folder = Folder::fresh();
    let mut pty = Pty::ghinda((80, 24), folder.path(), &[]);
    pty.wait_for("Play now");
    pty.press("\x1b[B\x1b[B\r");
    pty.wait_for("Cruce for two");
    pty.press("q\r");
    assert!(pty.ended().success());
    let mut pty = Pty::ghinda((80, 24), folder.path(), &["--lang", "ro"]);
    pty.wait_for("Joacă acum");
    pty.press("q");
    assert!(pty.ended().success());
}
