//! A log that does not fit the memory.

use game::Rules;
use ids::{Key, TableId};

use super::*;
use crate::room::{Opening, Timings};

fn opened() -> TableDriver {
    let opening = Opening {
        rules: Rules::from_code("cruce2").expect("rules"),
        pace: ids::terms::Pace::Off,
        listed: false,
        host: PlayerId::new(1).expect("an id"),
        key: Key::new([7; 16]),
        secret: Secret::from_phrase("driver"),
        siblings: Vec::new(),
        contest: None,
    };
    let entry = Entry::Opened(Box::new(opening));
    let first = LoggedEntry { at: 0, command: None, entry };
    let id = TableId::new(1).expect("an id");
    let (room, _) = Room::open(id, 1, &first, Timings::default()).expect("a room");
    TableDriver::new(room)
}

#[test]
fn a_stored_entry_that_does_not_apply_ends_the_driver() {
    let mut driver = opened();
    let context = DriverContext { now: 1, fresh: &|| Secret::from_phrase("next") };
    // No match is being played, so it cannot be paused. The driver would not store this itself: the
    // log was written by another program.
    let entry = Entry::Paused;
    let entries = vec![LoggedEntry { at: 1, command: None, entry }];
    driver.pending = Some(PendingAppend { entries, command: None, ticket: Some(5) });
    let mut effects = Vec::new();
    driver.handle(Input::Stored, &context, &mut effects);
    let [Effect::GiveUp { version: 1 }] = effects.as_slice() else {
        panic!("nothing else is sent or answered: {effects:?}")
    };
    effects.clear();
    let player = PlayerId::new(1).expect("an id");
    let connection = ConnectionId(1);
    driver.handle(Input::Connected { connection, player, since: None }, &context, &mut effects);
    driver.handle(Input::TimerFired, &context, &mut effects);
    assert!(effects.is_empty(), "{effects:?}");
    assert_eq!(driver.wakes_at(&context), None);
}
