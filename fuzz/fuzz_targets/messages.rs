//! Any text is a message of a client or of a server, or is refused. What was read survives being
//! written and read, and its game events can be read.
#![no_main]

use game::Rules;
use libfuzzer_sys::fuzz_target;
use wire::table::{ClientMessage, ServerMessage, MessageError};

const CODES: [&str; 3] = ["cruce2", "cruce4t-3-honour", "whist6"];

fuzz_target!(|text: &str| {
    match ClientMessage::read(text) {
        Ok(message) => assert_eq!(ClientMessage::read(&message.text()), Ok(message)),
        Err(error) => check_short(&error),
    }
    match ServerMessage::read(text) {
        Ok(message) => {
            check_events(&message);
            assert_eq!(ServerMessage::read(&message.text()), Ok(message));
        }
        Err(error) => check_short(&error),
    }
});

/// An error quotes the message, but never at length.
fn check_short(error: &MessageError) {
    assert!(error.to_string().len() < 1000);
}

/// A game event is valid under some rules, or is refused; a valid one survives being written and
/// read.
fn check_events(message: &ServerMessage) {
    let ServerMessage::Update(update) = message else { return };
    for rules in CODES.map(|code| Rules::from_code(code).expect("rules")) {
        for event in &update.events {
            if let Ok(Some(seat_event)) = event.seat_event(&rules) {
                let again = wire::table::TableEvent::of(&seat_event, &rules);
                assert_eq!(again.seat_event(&rules), Ok(Some(seat_event)));
            }
        }
    }
}
