//! Who sits at a table, by name, and what is said of each.

use cards::Seat;
use wire::table::{Chair, Snapshot, Who, Why};

use crate::phrases::Phrases;

/// What everybody is called, in the order of the seats.
pub fn names(state: &Snapshot, phrases: &Phrases) -> Vec<String> {
    let names = state.seats.iter().enumerate();
    names.map(|(at, chair)| name(chair.who.as_ref(), at + 1, phrases)).collect()
}

/// What somebody on a seat is called; the bots are called after trees.
pub fn name(who: Option<&Who>, number: usize, phrases: &Phrases) -> String {
    match who {
        Some(Who::Person(name)) => name.clone(),
        Some(Who::Bot(_)) => phrases.bot_name(number),
        None => phrases.seat_free(),
    }
}

/// What is to be known of a seat besides its cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Presence {
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

impl Presence {
    /// That of a seat.
    pub fn of(chair: &Chair) -> Presence {
        match (&chair.who, chair.stand_in) {
            (None, _) => Presence::Free,
            (Some(Who::Bot(_)), _) => Presence::Bot,
            (Some(Who::Person(_)), Some(Why::Time)) => Presence::StandInForTime,
            (Some(Who::Person(_)), Some(Why::Gone)) => Presence::StandInForAway,
            (Some(Who::Person(_)), None) if chair.present => Presence::Here,
            (Some(Who::Person(_)), None) => Presence::Away,
        }
    }

    /// In words; nothing for somebody who is here.
    pub fn words(self, phrases: &Phrases) -> Option<String> {
        match self {
            Presence::Here => None,
            Presence::Bot => Some(phrases.presence_bot()),
            Presence::Away => Some(phrases.presence_away()),
            Presence::StandInForAway => Some(phrases.presence_stand_in_away()),
            Presence::StandInForTime => Some(phrases.presence_stand_in_time()),
            Presence::Free => Some(phrases.seat_free()),
        }
    }
}

/// A seat of the wire, which counts from 1.
pub fn seat(number: usize) -> Option<Seat> {
    Seat::new(number.checked_sub(1)?)
}
