//! From the log of a table to the record of a match.

use game::public::InvalidEvent;
use game::record::{Name, Record};
use ids::TableId;

use crate::room::{CheckpointSeat, Entry, LoggedEntry, Room, Timings};

/// The record of a match, from the entry that began it up to its end or to the last entry. It holds
/// the secret only if the match is over.
///
/// The record shows the cards. Where several tables play the same deals, the caller must make sure
/// that all of them are over before it shows the record.
pub fn record<'a>(
    table: TableId,
    version: u64,
    entries: impl IntoIterator<Item = &'a LoggedEntry>,
) -> Result<Record, InvalidEvent> {
    let mut entries = entries.into_iter();
    let started = entries.next().ok_or(InvalidEvent)?;
    let Entry::Started(checkpoint) = &started.entry else { return Err(InvalidEvent) };
    let (mut room, _) = Room::open(table, version, started, Timings::default())?;
    let (rules, words) = (checkpoint.opening.rules, checkpoint.words);
    let name = room.match_name(checkpoint.number);
    let secret = checkpoint.opening.secret;
    let mut record = Record::new(rules, name, secret.commit(&name, &rules), words);
    for (name_in_record, seat) in record.names.iter_mut().zip(&checkpoint.seats) {
        *name_in_record = match seat {
            CheckpointSeat::Person { name, .. } => Some(name.clone()),
            CheckpointSeat::Bot(level) => level.name().parse::<Name>().ok(),
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
