//! The entries of a room as they are stored: one JSON object each.
//!
//! What is stored outlives programs, so its form is written down here apart from
//! the types it comes from. Seats are counted from 1; cards, rules and actions are
//! written as in `docs/notation.md`. A log holds the secrets of its matches: who can
//! read the database can know the cards.

use bots::Level;
use cards::{BySeat, Seat};
use game::fair::{Secret, Word};
use game::record::Name;
use game::{Action, Rules};
use ids::{PlayerId, TableId};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use wire::bot::{action_text, parse_action};
use wire::table::{Pace, Phrase, StandInReason};

use crate::room::{
    ActedBy, DoneCommand, Entry, Key, LoggedEntry, Millis, Opening, Roster, RosterSeat, Saying,
};

/// Something stored that this program cannot have written.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the log cannot be read: {0}")]
pub struct UnreadableLog(String);

/// An entry with the command that led to it.
#[derive(Serialize, Deserialize)]
struct Line {
    /// The player and the id of his command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<(u64, String)>,
    #[serde(flatten)]
    entry: Stored,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "did", rename_all = "snake_case")]
enum Stored {
    Opened(StoredOpening),
    Admitted {
        player: u64,
    },
    Relinked {
        key: String,
    },
    Sat {
        seat: usize,
        player: u64,
        name: String,
    },
    Renamed {
        seat: usize,
        name: String,
    },
    Left {
        seat: usize,
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        kicked: bool,
    },
    Swapped {
        seats: [usize; 2],
    },
    BotSat {
        seat: usize,
        level: String,
    },
    Emptied {
        seat: usize,
    },
    Hosted {
        player: u64,
    },
    Settings {
        rules: String,
        pace: Pace,
        listed: bool,
    },
    Promised {
        number: u32,
        secret: String,
    },
    Word {
        seat: usize,
        word: String,
    },
    Started(StoredRoster),
    Dealt,
    Acted {
        seat: usize,
        action: String,
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        bot: bool,
    },
    Claimed {
        seat: usize,
        line: Vec<(usize, String)>,
    },
    StoodIn {
        seat: usize,
        why: StandInReason,
    },
    Back {
        seat: usize,
    },
    Ready {
        seat: usize,
    },
    WantsPause {
        seat: usize,
    },
    Paused,
    Resumed,
    WantsRematch {
        seat: usize,
    },
    Said {
        seat: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        phrase: Option<Phrase>,
    },
    Muted {
        seat: usize,
        muted: bool,
    },
    Closed,
}

#[derive(Serialize, Deserialize)]
struct StoredOpening {
    rules: String,
    pace: Pace,
    listed: bool,
    host: u64,
    key: String,
    secret: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    siblings: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contest: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct StoredRoster {
    #[serde(flatten)]
    opening: StoredOpening,
    seats: Vec<StoredSitter>,
    number: u32,
    words: Vec<Option<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    admitted: Vec<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sent_away: Vec<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    muted: Vec<u64>,
    /// Commands that were done: whose, their ids, and in which versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    answered: Vec<(u64, String, u64)>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredSitter {
    Person { player: u64, name: String },
    Bot(String),
}

/// The stored form of an entry of a room that plays by these rules.
pub fn encode(logged: &LoggedEntry, rules: &Rules) -> String {
    let by = logged.command.as_ref().map(|(player, id)| (player.get(), id.clone()));
    let line = Line { by, entry: stored(&logged.entry, rules) };
    // Strings, numbers and lists always have a JSON form.
    serde_json::to_string(&line).unwrap_or_default()
}

/// The entry that was stored. `rules` are those of the room before it; nothing for
/// the first entry.
pub fn decode(at: Millis, body: &str, rules: Option<&Rules>) -> Result<LoggedEntry, UnreadableLog> {
    let line: Line = serde_json::from_str(body).map_err(unreadable)?;
    let command = match line.by {
        Some((player, id)) => Some((player_of(player)?, id)),
        None => None,
    };
    Ok(LoggedEntry { at, command, entry: entry(line.entry, rules)? })
}

fn stored(entry: &Entry, rules: &Rules) -> Stored {
    match entry {
        Entry::Opened(opening) => Stored::Opened(stored_opening(opening)),
        Entry::Admitted { player } => Stored::Admitted { player: player.get() },
        Entry::Relinked { key } => Stored::Relinked { key: key.to_string() },
        Entry::Sat { seat, player, name } => {
            Stored::Sat { seat: seat.number(), player: player.get(), name: name.to_string() }
        }
        Entry::Renamed { seat, name } => {
            Stored::Renamed { seat: seat.number(), name: name.to_string() }
        }
        Entry::Left { seat, kicked } => Stored::Left { seat: seat.number(), kicked: *kicked },
        Entry::Swapped { seats } => Stored::Swapped { seats: seats.map(|seat| seat.number()) },
        Entry::BotSat { seat, level } => {
            Stored::BotSat { seat: seat.number(), level: level.name().into() }
        }
        Entry::Emptied { seat } => Stored::Emptied { seat: seat.number() },
        Entry::Hosted { player } => Stored::Hosted { player: player.get() },
        Entry::Settings { rules, pace, listed } => {
            Stored::Settings { rules: rules.code(), pace: *pace, listed: *listed }
        }
        Entry::Promised { number, secret } => {
            Stored::Promised { number: *number, secret: secret.reveal() }
        }
        Entry::Word { seat, word } => Stored::Word { seat: seat.number(), word: word.to_string() },
        Entry::Started(roster) => Stored::Started(stored_roster(roster)),
        Entry::Dealt => Stored::Dealt,
        Entry::Acted { seat, action, by } => Stored::Acted {
            seat: seat.number(),
            action: action_text(rules, *seat, *action),
            bot: *by == ActedBy::Bot,
        },
        Entry::Claimed { seat, line } => {
            let laid = |(seat, action): &(Seat, Action)| {
                (seat.number(), action_text(rules, *seat, *action))
            };
            Stored::Claimed { seat: seat.number(), line: line.iter().map(laid).collect() }
        }
        Entry::StoodIn { seat, why } => Stored::StoodIn { seat: seat.number(), why: *why },
        Entry::Back { seat } => Stored::Back { seat: seat.number() },
        Entry::Ready { seat } => Stored::Ready { seat: seat.number() },
        Entry::WantsPause { seat } => Stored::WantsPause { seat: seat.number() },
        Entry::Paused => Stored::Paused,
        Entry::Resumed => Stored::Resumed,
        Entry::WantsRematch { seat } => Stored::WantsRematch { seat: seat.number() },
        Entry::Said { seat, saying } => {
            let (text, phrase) = saying.parts();
            Stored::Said { seat: seat.number(), text, phrase }
        }
        Entry::Muted { seat, muted } => Stored::Muted { seat: seat.number(), muted: *muted },
        Entry::Closed => Stored::Closed,
    }
}

fn stored_opening(opening: &Opening) -> StoredOpening {
    StoredOpening {
        rules: opening.rules.code(),
        pace: opening.pace,
        listed: opening.listed,
        host: opening.host.get(),
        key: opening.key.to_string(),
        secret: opening.secret.reveal(),
        siblings: opening.siblings.iter().map(|table| table.to_string()).collect(),
        contest: opening.contest.map(|ledger| ledger.to_string()),
    }
}

fn stored_roster(roster: &Roster) -> StoredRoster {
    let sitter = |sitter: &RosterSeat| match sitter {
        RosterSeat::Person { player, name } => {
            StoredSitter::Person { player: player.get(), name: name.to_string() }
        }
        RosterSeat::Bot(level) => StoredSitter::Bot(level.name().into()),
    };
    let numbers = |players: &[PlayerId]| players.iter().map(|player| player.get()).collect();
    StoredRoster {
        opening: stored_opening(&roster.opening),
        seats: roster.seats.iter().map(sitter).collect(),
        number: roster.number,
        words: roster.words.iter().map(|word| word.map(|word| word.to_string())).collect(),
        admitted: numbers(&roster.admitted),
        sent_away: numbers(&roster.kicked),
        muted: numbers(&roster.muted),
        answered: roster
            .done
            .iter()
            .map(|done| (done.player.get(), done.id.clone(), done.version))
            .collect(),
    }
}

fn entry(stored: Stored, rules: Option<&Rules>) -> Result<Entry, UnreadableLog> {
    let action = |seat: Seat, text: &str| -> Result<Action, UnreadableLog> {
        let rules = rules.ok_or_else(|| unreadable("an action before the table was opened"))?;
        parse_action(rules, seat, text).map_err(unreadable)
    };
    Ok(match stored {
        Stored::Opened(stored) => Entry::Opened(Box::new(opening(stored)?)),
        Stored::Admitted { player } => Entry::Admitted { player: player_of(player)? },
        Stored::Relinked { key } => Entry::Relinked { key: parse::<Key>(&key)? },
        Stored::Sat { seat, player, name } => Entry::Sat {
            seat: seat_of(seat)?,
            player: player_of(player)?,
            name: parse::<Name>(&name)?,
        },
        Stored::Renamed { seat, name } => {
            Entry::Renamed { seat: seat_of(seat)?, name: parse(&name)? }
        }
        Stored::Left { seat, kicked } => Entry::Left { seat: seat_of(seat)?, kicked },
        Stored::Swapped { seats: [one, two] } => {
            Entry::Swapped { seats: [seat_of(one)?, seat_of(two)?] }
        }
        Stored::BotSat { seat, level } => {
            Entry::BotSat { seat: seat_of(seat)?, level: parse::<Level>(&level)? }
        }
        Stored::Emptied { seat } => Entry::Emptied { seat: seat_of(seat)? },
        Stored::Hosted { player } => Entry::Hosted { player: player_of(player)? },
        Stored::Settings { rules, pace, listed } => {
            Entry::Settings { rules: rules_of(&rules)?, pace, listed }
        }
        Stored::Promised { number, secret } => {
            Entry::Promised { number, secret: parse::<Secret>(&secret)? }
        }
        Stored::Word { seat, word } => {
            Entry::Word { seat: seat_of(seat)?, word: parse::<Word>(&word)? }
        }
        Stored::Started(stored) => Entry::Started(Box::new(roster(stored)?)),
        Stored::Dealt => Entry::Dealt,
        Stored::Acted { seat, action: text, bot } => {
            let seat = seat_of(seat)?;
            let by = if bot { ActedBy::Bot } else { ActedBy::Person };
            Entry::Acted { seat, action: action(seat, &text)?, by }
        }
        Stored::Claimed { seat, line } => {
            let laid = |(number, text): &(usize, String)| {
                let seat = seat_of(*number)?;
                Ok((seat, action(seat, text)?))
            };
            let line = line.iter().map(laid).collect::<Result<Vec<_>, UnreadableLog>>()?;
            Entry::Claimed { seat: seat_of(seat)?, line }
        }
        Stored::StoodIn { seat, why } => Entry::StoodIn { seat: seat_of(seat)?, why },
        Stored::Back { seat } => Entry::Back { seat: seat_of(seat)? },
        Stored::Ready { seat } => Entry::Ready { seat: seat_of(seat)? },
        Stored::WantsPause { seat } => Entry::WantsPause { seat: seat_of(seat)? },
        Stored::Paused => Entry::Paused,
        Stored::Resumed => Entry::Resumed,
        Stored::WantsRematch { seat } => Entry::WantsRematch { seat: seat_of(seat)? },
        Stored::Said { seat, text, phrase } => {
            let saying = match (text, phrase) {
                (Some(text), None) => Saying::Text(text),
                (None, Some(phrase)) => Saying::Phrase(phrase),
                _ => return Err(unreadable("something said is a text or a phrase")),
            };
            Entry::Said { seat: seat_of(seat)?, saying }
        }
        Stored::Muted { seat, muted } => Entry::Muted { seat: seat_of(seat)?, muted },
        Stored::Closed => Entry::Closed,
    })
}

fn opening(stored: StoredOpening) -> Result<Opening, UnreadableLog> {
    Ok(Opening {
        rules: rules_of(&stored.rules)?,
        pace: stored.pace,
        listed: stored.listed,
        host: player_of(stored.host)?,
        key: parse(&stored.key)?,
        secret: parse(&stored.secret)?,
        siblings: stored
            .siblings
            .iter()
            .map(|table| parse::<TableId>(table))
            .collect::<Result<_, _>>()?,
        contest: stored.contest.as_deref().map(parse::<TableId>).transpose()?,
    })
}

fn roster(stored: StoredRoster) -> Result<Roster, UnreadableLog> {
    let sitter = |sitter: StoredSitter| -> Result<RosterSeat, UnreadableLog> {
        Ok(match sitter {
            StoredSitter::Person { player, name } => {
                RosterSeat::Person { player: player_of(player)?, name: parse(&name)? }
            }
            StoredSitter::Bot(level) => RosterSeat::Bot(parse(&level)?),
        })
    };
    let answered =
        |(player, id, version): (u64, String, u64)| -> Result<DoneCommand, UnreadableLog> {
            Ok(DoneCommand { player: player_of(player)?, id, version })
        };
    let players =
        |numbers: Vec<u64>| numbers.into_iter().map(player_of).collect::<Result<Vec<_>, _>>();
    let opening = opening(stored.opening)?;
    let mut words = BySeat::filled(None, opening.rules.players());
    if stored.words.len() != words.len() {
        return Err(unreadable("a word, or none, for every seat"));
    }
    for (seat, word) in Seat::first(words.len()).zip(stored.words) {
        words[seat] = word.as_deref().map(parse::<Word>).transpose()?;
    }
    Ok(Roster {
        opening,
        seats: stored.seats.into_iter().map(sitter).collect::<Result<_, _>>()?,
        number: stored.number,
        words,
        admitted: players(stored.admitted)?,
        kicked: players(stored.sent_away)?,
        muted: players(stored.muted)?,
        done: stored.answered.into_iter().map(answered).collect::<Result<_, _>>()?,
    })
}

fn seat_of(number: usize) -> Result<Seat, UnreadableLog> {
    let seat = number.checked_sub(1).and_then(Seat::new);
    seat.ok_or_else(|| unreadable(format!("there is no seat {number}")))
}

fn player_of(number: u64) -> Result<PlayerId, UnreadableLog> {
    PlayerId::new(number).ok_or_else(|| unreadable("no number of a player"))
}

fn rules_of(code: &str) -> Result<Rules, UnreadableLog> {
    Rules::from_code(code).map_err(unreadable)
}

fn parse<T: core::str::FromStr<Err: ToString>>(text: &str) -> Result<T, UnreadableLog> {
    text.parse().map_err(|error: T::Err| unreadable(error.to_string()))
}

fn unreadable(what: impl ToString) -> UnreadableLog {
    UnreadableLog(what.to_string())
}
