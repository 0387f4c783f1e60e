//! A player's traces in a log, replaced: the matches stay as they were played.
//!
//! The player's id becomes another one, their names, their chat and the ids of their commands become a dash, and the fingerprints of
//! their commands go. Deals, actions and words stay, as the records of the other players are proved by them.

use game::public::InvalidEvent;
use game::record::Name;
use ids::{PlayerId, TableId};

use crate::room::{
    ChatContent, Checkpoint, CheckpointSeat, DoneCommand, Entry, LoggedCommand, LoggedEntry,
    Opening, Room, Timings,
};

/// What replaces the names and the chat of an erased player.
pub const ERASED: &str = "—";
/// What replaces the ids of their commands, as a client begins all of its ids alike.
const ERASED_COMMAND: &str = "-";

/// Replaces the traces of a player in the whole log of a table, by another id. Returns the entries that
/// change, each with its place.
pub fn erase(
    table: TableId,
    entries: &[LoggedEntry],
    player: PlayerId,
    replacement: PlayerId,
) -> Result<Vec<(usize, LoggedEntry)>, InvalidEvent> {
    let mut changed = Vec::new();
    // The second room checks that the new entries can be replayed as the old ones.
    let mut rooms: Option<[Room; 2]> = None;
    let eraser = Eraser { player, replacement, name: ERASED.parse().map_err(|_| InvalidEvent)? };
    for (at, logged) in entries.iter().enumerate() {
        let erased = eraser.logged(logged, rooms.as_ref().map(|[room, _]| room));
        match &mut rooms {
            None => {
                let open = |logged| Room::open(table, 1, logged, Timings::default());
                rooms = Some([open(logged)?.0, open(&erased)?.0]);
            }
            Some([room, after]) => {
                room.apply(logged)?;
                after.apply(&erased)?;
            }
        }
        if erased != *logged {
            changed.push((at, erased));
        }
    }
    Ok(changed)
}

struct Eraser {
    player: PlayerId,
    replacement: PlayerId,
    name: Name,
}

impl Eraser {
    fn id(&self, player: PlayerId) -> PlayerId {
        if player == self.player { self.replacement } else { player }
    }

    fn ids(&self, players: &[PlayerId]) -> Vec<PlayerId> {
        players.iter().map(|player| self.id(*player)).collect()
    }

    fn name_of(&self, player: PlayerId, name: &Name) -> Name {
        if player == self.player { self.name.clone() } else { name.clone() }
    }

    /// The fingerprint goes too: it would tell whether the player had a certain name.
    fn command(&self, command: &LoggedCommand) -> LoggedCommand {
        if command.player != self.player {
            return command.clone();
        }
        LoggedCommand { player: self.replacement, id: ERASED_COMMAND.into(), fingerprint: None }
    }

    /// An entry without the traces of the player; `room` is the room before it.
    fn logged(&self, logged: &LoggedEntry, room: Option<&Room>) -> LoggedEntry {
        LoggedEntry {
            at: logged.at,
            command: logged.command.as_ref().map(|command| self.command(command)),
            entry: self.entry(&logged.entry, room),
        }
    }

    fn entry(&self, entry: &Entry, room: Option<&Room>) -> Entry {
        let sits_on = |seat| room.and_then(|room| room.player_on(seat)) == Some(self.player);
        match entry {
            Entry::Opened(opening) => Entry::Opened(Box::new(self.opening(opening))),
            Entry::Admitted { player } => Entry::Admitted { player: self.id(*player) },
            Entry::Sat { seat, player, name } => Entry::Sat {
                seat: *seat,
                player: self.id(*player),
                name: self.name_of(*player, name),
            },
            Entry::Renamed { seat, .. } if sits_on(*seat) => {
                Entry::Renamed { seat: *seat, name: self.name.clone() }
            }
            Entry::Hosted { player } => Entry::Hosted { player: self.id(*player) },
            Entry::Started(checkpoint) => Entry::Started(Box::new(self.checkpoint(checkpoint))),
            Entry::Said { seat, content: ChatContent::Text(_) } if sits_on(*seat) => {
                Entry::Said { seat: *seat, content: ChatContent::Text(ERASED.into()) }
            }
            // Named one by one: a new kind of entry must be decided about here.
            Entry::Renamed { .. }
            | Entry::Said { .. }
            | Entry::Relinked { .. }
            | Entry::SeatFreed { .. }
            | Entry::Swapped { .. }
            | Entry::BotAdded { .. }
            | Entry::BotRemoved { .. }
            | Entry::Settings { .. }
            | Entry::Committed { .. }
            | Entry::Word { .. }
            | Entry::Dealt
            | Entry::Acted { .. }
            | Entry::Claimed { .. }
            | Entry::ClaimRefused { .. }
            | Entry::StoodIn { .. }
            | Entry::TookBack { .. }
            | Entry::Ready { .. }
            | Entry::AskedForPause { .. }
            | Entry::Paused
            | Entry::Resumed
            | Entry::AskedForRematch { .. }
            | Entry::Muted { .. }
            | Entry::Closed => entry.clone(),
        }
    }

    fn opening(&self, opening: &Opening) -> Opening {
        Opening { host: self.id(opening.host), ..opening.clone() }
    }

    fn checkpoint(&self, checkpoint: &Checkpoint) -> Checkpoint {
        let Checkpoint {
            opening,
            seats,
            number,
            words,
            admitted,
            kicked,
            muted,
            done,
            log_bytes,
            contest_command,
        } = checkpoint;
        let seat = |seat: &CheckpointSeat| match seat {
            CheckpointSeat::Person { player, name } => CheckpointSeat::Person {
                player: self.id(*player),
                name: self.name_of(*player, name),
            },
            CheckpointSeat::Bot(level) => CheckpointSeat::Bot(*level),
        };
        let done = done.iter().map(|done| DoneCommand {
            command: self.command(&done.command),
            version: done.version,
        });
        Checkpoint {
            opening: self.opening(opening),
            seats: seats.iter().map(seat).collect(),
            number: *number,
            words: *words,
            admitted: self.ids(admitted),
            kicked: self.ids(kicked),
            muted: self.ids(muted),
            done: done.collect(),
            // About as much as before: a dash may be longer than a name of one letter, but the ids and the
            // fingerprints of commands are shorter.
            log_bytes: *log_bytes,
            contest_command: contest_command.clone(),
        }
    }
}
