//! Any text is a message of a client or of a server, or is refused; what was read survives
//! being written and read, and what it tells of the game can be looked at.
#![no_main]

use game::Rules;
use libfuzzer_sys::fuzz_target;
use wire::table::{ClientMessage, ServerMessage, Unread};

const CODES: [&str; 3] = ["cruce2", "cruce4t-3-honour", "whist6"];

fuzz_target!(|text: &str| {
    match ClientMessage::read(text) {
        Ok(message) => assert_eq!(ClientMessage::read(&message.text()), Ok(message)),
        Err(unread) => harmless(&unread),
    }
    match ServerMessage::read(text) {
        Ok(message) => {
            look(&message);
            assert_eq!(ServerMessage::read(&message.text()), Ok(message));
        }
        Err(unread) => harmless(&unread),
    }
});

/// A complaint quotes what it complains of, but never at length.
fn harmless(unread: &Unread) {
    assert!(unread.to_string().len() < 1000);
}

/// What happened in the game fits some rules, or is misread; it is told again as it was.
fn look(message: &ServerMessage) {
    let ServerMessage::Update(update) = message else { return };
    for rules in CODES.map(|code| Rules::from_code(code).expect("rules")) {
        for told in &update.told {
            if let Ok(Some(event)) = told.seat_event(&rules) {
                let again = wire::table::TableEvent::of(&event, &rules);
                assert_eq!(again.seat_event(&rules), Ok(Some(event)));
            }
        }
    }
}
