//! From the log of a table to the record of a match.

use game::public::Misfit;
use game::record::{Name, Record};
use ids::TableId;

use crate::room::{Entry, LoggedEntry, Room, RosterSeat, Timings};

/// The record of a match, from the entry that began it up to its end or to the
/// last entry. The secret is told only if the match is over.
///
/// It shows the cards of the deals: where several tables play the same, whoever
/// shows it must know that all of them are over.
pub fn record<'a>(
    table: TableId,
    version: u64,
    entries: impl IntoIterator<Item = &'a LoggedEntry>,
) -> Result<Record, Misfit> {
    let mut entries = entries.into_iter();
    let started = entries.next().ok_or(Misfit)?;
    let Entry::Started(roster) = &started.entry else { return Err(Misfit) };
    let (mut room, _) = Room::open(table, version, started, Timings::default())?;
    let (rules, words) = (roster.opening.rules, roster.words);
    let name = room.match_name(roster.number);
    let secret = roster.opening.secret;
    let mut record = Record::new(rules, name, secret.commit(&name, &rules), words);
    for (known, sitter) in record.names.iter_mut().zip(&roster.seats) {
        *known = match sitter {
            RosterSeat::Person { name, .. } => Some(name.clone()),
            RosterSeat::Bot(level) => level.name().parse::<Name>().ok(),
        };
    }
    for logged in entries {
        if let Entry::Started(_) = logged.entry {
            break;
        }
        let transition = room.apply(logged)?;
        transition.note_in(&mut record, &room)?;
        if record.won.is_some() {
            record.secret = Some(secret);
            break;
        }
    }
    Ok(record)
}
