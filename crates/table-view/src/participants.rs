//! The players of a table: their names, the status of their seats, and pauses.

use wire::table::{Occupant, SeatState, Snapshot, StandInReason, TableStage};

use crate::actions::TableAction;
use phrases::Phrases;

/// The names of our bots in a record, which are their levels.
const LEVELS: [&str; 4] = ["random", "easy", "medium", "hard"];

/// The names of all players, in the order of the seats.
pub fn names(state: &Snapshot, phrases: &Phrases) -> Vec<String> {
    let names = state.seats.iter().enumerate();
    names.map(|(at, seat)| name(seat.who.as_ref(), at + 1, phrases)).collect()
}

/// The name of the player on a seat; bots are named after trees.
pub fn name(who: Option<&Occupant>, number: usize, phrases: &Phrases) -> String {
    match who {
        Some(Occupant::Person(name)) => name.clone(),
        Some(Occupant::Bot(_)) => phrases.bot_name(number),
        None => phrases.seat_free(),
    }
}

/// The name of a player of a record. A record names our bots by their levels, which are not unique, so
/// bots get the names that they have at tables.
pub fn recorded(name: Option<&str>, number: usize, phrases: &Phrases) -> String {
    match name {
        Some(name) if !LEVELS.contains(&name) => name.to_owned(),
        _ => phrases.bot_name(number),
    }
}

/// The status of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SeatStatus {
    /// Its player is connected.
    #[default]
    Here,
    /// One of our bots plays it.
    Bot,
    /// Its player is not connected, and no bot stands in yet.
    Away,
    /// A bot stands in, because the player is not connected.
    StandInForAway,
    /// A bot stands in, because the player's time ran out.
    StandInForTime,
    /// It is free.
    Free,
}

impl SeatStatus {
    /// The status of a seat.
    pub fn of(seat: &SeatState) -> SeatStatus {
        match (&seat.who, seat.stand_in) {
            (None, _) => SeatStatus::Free,
            (Some(Occupant::Bot(_)), _) => SeatStatus::Bot,
            (Some(Occupant::Person(_)), Some(StandInReason::Time)) => SeatStatus::StandInForTime,
            (Some(Occupant::Person(_)), Some(StandInReason::Gone)) => SeatStatus::StandInForAway,
            (Some(Occupant::Person(_)), None) if seat.present => SeatStatus::Here,
            (Some(Occupant::Person(_)), None) => SeatStatus::Away,
        }
    }

    /// The status in words. Returns None if the player is connected.
    pub fn words(self, phrases: &Phrases) -> Option<String> {
        match self {
            SeatStatus::Here => None,
            SeatStatus::Bot => Some(phrases.presence_bot()),
            SeatStatus::Away => Some(phrases.presence_away()),
            SeatStatus::StandInForAway => Some(phrases.presence_stand_in_away()),
            SeatStatus::StandInForTime => Some(phrases.presence_stand_in_time()),
            SeatStatus::Free => Some(phrases.seat_free()),
        }
    }
}

/// The number of seats that a spectator can take. Bots give up their seats; a contest has none.
pub fn seats_to_take(state: &Snapshot) -> usize {
    (1..=state.seats.len()).filter(|seat| TableAction::Sit(*seat).is_possible(state)).count()
}

/// The state of a pause. The table pauses when all connected players agree; players for whom a bot
/// stands in need not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Pause {
    /// No player has asked for a pause.
    #[default]
    NotAsked,
    /// A player asks for a pause and the viewer has not agreed; a sentence.
    Asked(String),
    /// The viewer has agreed; the sentence names the players who have not.
    Awaited(String),
    /// The table is paused.
    Paused,
}

impl Pause {
    /// The state of a table's pause.
    pub fn of(state: &Snapshot, phrases: &Phrases) -> Pause {
        if state.paused {
            return Pause::Paused;
        }
        if state.stage != TableStage::Playing {
            return Pause::NotAsked;
        }
        let names_where = |condition: &dyn Fn(&SeatState) -> bool| -> Vec<String> {
            let seats = names(state, phrases).into_iter().zip(&state.seats);
            seats.filter(|(_, seat)| condition(seat)).map(|(name, _)| name).collect()
        };
        let asking = names_where(&|seat| seat.asked_for_pause);
        let own = state.you.seat.and_then(|seat| state.seats.get(seat.checked_sub(1)?));
        if asking.is_empty() {
            Pause::NotAsked
        } else if own.is_some_and(|own| own.asked_for_pause) {
            let undecided = names_where(&|seat| {
                !seat.asked_for_pause && SeatStatus::of(seat) == SeatStatus::Here
            });
            Pause::Awaited(phrases.pause_waits(phrases.list_and(&undecided)))
        } else {
            Pause::Asked(phrases.spoken_asked_for_pause(phrases.list_and(&asking)))
        }
    }
}

#[cfg(test)]
mod tests;
