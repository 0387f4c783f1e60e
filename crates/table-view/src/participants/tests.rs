//! Seats that can be taken, and pauses.

use wire::table::ViewerPlace;

use super::*;
use phrases::language::Language;

/// A match between Ana on the first seat, Bogdan on the second, and a bot.
fn table(you: Option<usize>) -> Snapshot {
    let person = |name: &str| SeatState {
        who: Some(Occupant::Person(name.into())),
        present: true,
        ..SeatState::default()
    };
    let bot = SeatState { who: Some(Occupant::Bot("easy".into())), ..SeatState::default() };
    Snapshot {
        you: ViewerPlace { seat: you, host: false },
        listed: true,
        seats: vec![person("Ana"), person("Bogdan"), bot],
        stage: TableStage::Playing,
        ..test_support::table::snapshot("cruce3", 3)
    }
}

fn pause(state: &Snapshot) -> Pause {
    Pause::of(state, &Phrases::new(Language::English))
}

#[test]
fn a_spectator_may_take_the_seat_of_a_bot() {
    let mut state = table(None);
    assert_eq!(seats_to_take(&state), 1);
    state.seats[2].who = Some(Occupant::Person("Călin".into()));
    assert_eq!(seats_to_take(&state), 0);
    state.seats[1].who = None;
    assert_eq!(seats_to_take(&state), 1, "a free seat");
}

#[test]
fn a_pause_is_requested_agreed_to_and_begins() {
    let mut ana = table(Some(1));
    assert_eq!(pause(&ana), Pause::NotAsked);
    ana.seats[0].asked_for_pause = true;
    let awaited = Pause::Awaited("You would like a pause. Still to agree: Bogdan.".into());
    assert_eq!(pause(&ana), awaited, "a bot need not agree");
    for you in [Some(2), None] {
        let other = Snapshot { you: ViewerPlace { seat: you, host: false }, ..ana.clone() };
        assert_eq!(pause(&other), Pause::Asked("Ana would like a pause.".into()));
    }
    ana.paused = true;
    assert_eq!(pause(&ana), Pause::Paused);
}

#[test]
fn absent_players_need_not_agree_and_there_is_no_pause_between_matches() {
    let mut state = table(Some(1));
    state.seats[0].asked_for_pause = true;
    state.seats[1].stand_in = Some(StandInReason::Time);
    let Pause::Awaited(sentence) = pause(&state) else { panic!("{:?}", pause(&state)) };
    assert!(!sentence.contains("Bogdan"), "{sentence}");
    state.stage = TableStage::Over;
    assert_eq!(pause(&state), Pause::NotAsked);
}
