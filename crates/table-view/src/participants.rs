//! Who sits at a table, by name, and what is said of each.

use cards::Seat;
use wire::table::{Occupant, SeatState, Snapshot, StandInReason, TableStage};

use crate::actions::TableAction;
use phrases::Phrases;

/// What a record calls the seats of our bots: by their levels.
const LEVELS: [&str; 4] = ["random", "easy", "medium", "hard"];

/// What everybody is called, in the order of the seats.
pub fn names(state: &Snapshot, phrases: &Phrases) -> Vec<String> {
    let names = state.seats.iter().enumerate();
    names.map(|(at, chair)| name(chair.who.as_ref(), at + 1, phrases)).collect()
}

/// What somebody on a seat is called; the bots are called after trees.
pub fn name(who: Option<&Occupant>, number: usize, phrases: &Phrases) -> String {
    match who {
        Some(Occupant::Person(name)) => name.clone(),
        Some(Occupant::Bot(_)) => phrases.bot_name(number),
        None => phrases.seat_free(),
    }
}

/// What somebody is called whom a record names. It names our bots by their levels: several would
/// have one name, and at the table they were called otherwise.
pub fn recorded(name: Option<&str>, number: usize, phrases: &Phrases) -> String {
    match name {
        Some(name) if !LEVELS.contains(&name) => name.to_owned(),
        _ => phrases.bot_name(number),
    }
}

/// What is to be known of a seat besides its cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SeatStatus {
    /// Its player is here.
    #[default]
    Here,
    /// One of our bots plays it.
    Bot,
    /// Its player is not connected; nobody acts for him yet.
    Away,
    /// A bot stands in, because the player is not connected.
    StandInForAway,
    /// A bot stands in, because the player's time ran out.
    StandInForTime,
    /// Nobody sits there.
    Free,
}

impl SeatStatus {
    /// That of a seat.
    pub fn of(chair: &SeatState) -> SeatStatus {
        match (&chair.who, chair.stand_in) {
            (None, _) => SeatStatus::Free,
            (Some(Occupant::Bot(_)), _) => SeatStatus::Bot,
            (Some(Occupant::Person(_)), Some(StandInReason::Time)) => SeatStatus::StandInForTime,
            (Some(Occupant::Person(_)), Some(StandInReason::Gone)) => SeatStatus::StandInForAway,
            (Some(Occupant::Person(_)), None) if chair.present => SeatStatus::Here,
            (Some(Occupant::Person(_)), None) => SeatStatus::Away,
        }
    }

    /// In words; nothing for somebody who is here.
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

/// How many seats somebody who watches could take: a bot gives up its own, a contest none.
pub fn seats_to_take(state: &Snapshot) -> usize {
    (1..=state.seats.len()).filter(|seat| TableAction::Sit(*seat).is_of_use(state)).count()
}

/// Whether the table rests, or somebody would like it to. It does when everybody agrees who is
/// here and plays himself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Pause {
    /// Nobody has thought of it.
    #[default]
    Nobody,
    /// Somebody asks the viewer for it, in a sentence; or others, if he watches.
    Asked(String),
    /// The viewer has agreed, and the sentence says who has not.
    Awaited(String),
    /// The table rests.
    Rests,
}

impl Pause {
    /// Where a table stands between wishing and resting.
    pub fn of(state: &Snapshot, phrases: &Phrases) -> Pause {
        if state.paused {
            return Pause::Rests;
        }
        if state.stage != TableStage::Playing {
            return Pause::Nobody;
        }
        let who = |asked: &dyn Fn(&SeatState) -> bool| -> Vec<String> {
            let chairs = names(state, phrases).into_iter().zip(&state.seats);
            chairs.filter(|(_, chair)| asked(chair)).map(|(name, _)| name).collect()
        };
        let command = who(&|chair| chair.wants_pause);
        let own = state.you.seat.and_then(|seat| state.seats.get(seat.checked_sub(1)?));
        if command.is_empty() {
            Pause::Nobody
        } else if own.is_some_and(|own| own.wants_pause) {
            let lacking =
                who(&|chair| !chair.wants_pause && SeatStatus::of(chair) == SeatStatus::Here);
            Pause::Awaited(phrases.pause_waits(phrases.list_and(&lacking)))
        } else {
            Pause::Asked(phrases.spoken_wants_pause(phrases.list_and(&command)))
        }
    }
}

/// A seat of the wire, which counts from 1.
pub fn seat(number: usize) -> Option<Seat> {
    Seat::new(number.checked_sub(1)?)
}

#[cfg(test)]
mod tests;
