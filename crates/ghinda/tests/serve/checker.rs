//! Reads the log of a table from the store and compares it with what guests were told:
//! everything that was acknowledged is there once, where it was said to be, and nobody
//! was told anything else.

use std::collections::BTreeMap;

use game::Viewer;
use replica::table::TableReplica;
use room::{Entry, LoggedEntry, Presence, Room, Timings, Transition, archive, log};
use store::{Database, PlayerId, Store, StoredEvent, TableId};
use wire::table::Snapshot;

use crate::test_client::TestClient;

/// Everything that the store holds of a table, played again.
pub(crate) struct Log {
    pub(crate) table: TableId,
    pub(crate) entries: Vec<LoggedEntry>,
    happenings: Vec<Transition>,
    /// As what each player saw the table after each entry.
    viewers: Vec<BTreeMap<PlayerId, Viewer>>,
    pub(crate) room: Room,
}

impl Log {
    pub(crate) async fn read(database: &Database, table: &str) -> Log {
        let table: TableId = table.parse().expect("the name of a table");
        let stored = database.events(table.into(), 1, u32::MAX).await.expect("its events");
        let last = database.last_sequence(table.into()).await.expect("answered").expect("a table");
        let sequences: Vec<u64> = stored.iter().map(|event| event.sequence).collect();
        assert_eq!(sequences, (1..=last).collect::<Vec<u64>>(), "table {table} has a gap");
        let read = |event: &StoredEvent| {
            let logged = log::decode(event.at_ms as u64, &event.body);
            logged.unwrap_or_else(|error| panic!("{error}: {}", event.body))
        };
        Log::play(table, stored.iter().map(read).collect())
    }

    fn play(table: TableId, entries: Vec<LoggedEntry>) -> Log {
        let (mut room, first) =
            Room::open(table, 1, &entries[0], Timings::default()).expect("it opens");
        let mut happenings = vec![first];
        let viewers_of = |room: &Room| -> BTreeMap<PlayerId, Viewer> {
            room.players().into_iter().map(|player| (player, room.viewer(player))).collect()
        };
        let mut viewers = vec![viewers_of(&room)];
        for logged in &entries[1..] {
            happenings.push(room.apply(logged).expect("what is stored fits"));
            viewers.push(viewers_of(&room));
        }
        Log { table, entries, happenings, viewers, room }
    }

    pub(crate) fn last(&self) -> u64 {
        self.entries.len() as u64
    }

    /// Where each command is.
    fn commands(&self) -> BTreeMap<(PlayerId, &str), u64> {
        let mut commands = BTreeMap::new();
        for (version, logged) in (1..).zip(&self.entries) {
            if let Some((player, id)) = &logged.command {
                let before = commands.insert((*player, id.as_str()), version);
                assert_eq!(before, None, "{id} of {player} was done twice at {}", self.table);
            }
        }
        commands
    }

    /// What a guest was told is what is stored.
    pub(crate) fn check(&self, client: &TestClient) {
        let (commands, player, table) = (self.commands(), client.player, self.table);
        let stored = |id: &str| commands.get(&(player, id)).copied();
        for (id, version) in &client.notes.done {
            assert_eq!(stored(id), Some(*version), "{id} was acknowledged at {table}");
        }
        // What was sent twice may be refused once and done once.
        let once = |id: &str| client.notes.sent.get(id) == Some(&1);
        for (id, why) in client.notes.refused.iter().filter(|(id, _)| once(id)) {
            assert_eq!(stored(id), None, "{id} was refused at {table}: {why:?}");
        }
        for update in &client.notes.updates {
            assert!(update.version <= self.last(), "told at {table} and not stored: {update:?}");
            let at = update.version as usize - 1;
            let viewer = self.viewers[at].get(&player).copied().unwrap_or(Viewer::Spectator);
            assert_eq!(update.told, self.happenings[at].told(viewer), "{table}: {update:?}");
            assert_eq!(update.at, self.entries[at].at, "{table}: {update:?}");
            if let Some(id) = &update.done {
                assert_eq!(stored(id), Some(update.version), "{table}: {update:?}");
            }
        }
    }

    /// A guest who has heard everything knows what the log leads to.
    pub(crate) fn check_end(&self, client: &TestClient) {
        assert_eq!(
            client.version(),
            self.last(),
            "{} does not know all of {}",
            client.player,
            self.table
        );
        assert!(client.replica.is_settled(), "a wish was not answered at {}", self.table);
        self.check_mirror(&client.replica, client.player);
    }

    pub(crate) fn check_mirror(&self, replica: &TableReplica, player: PlayerId) {
        let shown = self.room.snapshot(player, &Presence::default());
        same(replica, &shown);
    }

    /// The numbers of the matches that are over; each makes a record that proves itself.
    pub(crate) fn check_records(&self) -> Vec<u32> {
        let mut finished = Vec::new();
        for (at, logged) in self.entries.iter().enumerate() {
            let Entry::Started(roster) = &logged.entry else { continue };
            let record = archive::record(self.table, at as u64 + 1, &self.entries[at..]);
            let record = record.expect("a log makes a record");
            record.verify().expect("the record is true");
            if record.won.is_some() {
                finished.push(roster.number);
            }
        }
        finished
    }
}

/// A snapshot without what has no version: who is here, and clocks that depend on it.
fn bare(snapshot: &Snapshot) -> Snapshot {
    let mut bare = snapshot.clone();
    bare.clock = None;
    bare.seats.iter_mut().for_each(|chair| chair.present = false);
    bare
}

/// The mirror shows what the log leads to. A server that was started anew has forgotten
/// what was said before a match.
fn same(replica: &TableReplica, log: &Snapshot) {
    let mut mirrored = bare(replica.state().expect("the table is known"));
    mirrored.view = replica.view().map(ToString::to_string);
    let log = bare(log);
    if log.said.ends_with(&mirrored.said) {
        mirrored.said.clone_from(&log.said);
    }
    if mirrored == log {
        return;
    }
    let (one, two) = (format!("{mirrored:#?}"), format!("{log:#?}"));
    let differ = one.lines().zip(two.lines()).filter(|(one, two)| one != two);
    let differ: Vec<String> =
        differ.take(12).map(|(one, two)| format!("{one}  /  {two}")).collect();
    panic!("the mirror shows / the log leads to:\n{}", differ.join("\n"));
}
