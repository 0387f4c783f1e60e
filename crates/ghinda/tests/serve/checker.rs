//! Reads the log of a table from the store and compares it with the messages that clients received:
//! every acknowledged command is stored once, at its version, and every update matches its entry.

use std::collections::BTreeMap;

use game::Viewer;
use replica::table::TableReplica;
use room::{Entry, LoggedCommand, LoggedEntry, Presence, Room, Timings, Transition, archive, log};
use store::{Database, PlayerId, Store, StoredEvent, TableId};
use wire::table::Snapshot;

use crate::test_client::TestClient;

/// The stored log of a table, played again.
pub(crate) struct Log {
    pub(crate) table: TableId,
    pub(crate) entries: Vec<LoggedEntry>,
    transitions: Vec<Transition>,
    /// The viewer that each player was after each entry.
    viewers: Vec<BTreeMap<PlayerId, Viewer>>,
    pub(crate) room: Room,
}

impl Log {
    pub(crate) async fn read(database: &Database, table: &str) -> Log {
        let table: TableId = table.parse().expect("the name of a table");
        let stored = database.events(table.into(), 1, u32::MAX).await.expect("its events");
        let last = database.find_log(table.into()).await.expect("answered").expect("a table").last;
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
            Room::open(table, 1, &entries[0], Timings::default()).expect("the log opens a room");
        let mut transitions = vec![first];
        let viewers_of = |room: &Room| -> BTreeMap<PlayerId, Viewer> {
            room.players().into_iter().map(|player| (player, room.viewer(player))).collect()
        };
        let mut viewers = vec![viewers_of(&room)];
        for logged in &entries[1..] {
            transitions.push(room.apply(logged).expect("a stored entry applies"));
            viewers.push(viewers_of(&room));
        }
        Log { table, entries, transitions, viewers, room }
    }

    pub(crate) fn last(&self) -> u64 {
        self.entries.len() as u64
    }

    /// The version of each command.
    fn commands(&self) -> BTreeMap<(PlayerId, &str), u64> {
        let mut commands = BTreeMap::new();
        for (version, logged) in (1..).zip(&self.entries) {
            if let Some(LoggedCommand { player, id, .. }) = &logged.command {
                let before = commands.insert((*player, id.as_str()), version);
                assert_eq!(before, None, "{id} of {player} was done twice at {}", self.table);
            }
        }
        commands
    }

    /// Checks that the messages of a client match the log.
    pub(crate) fn check(&self, client: &TestClient) {
        let (commands, player, table) = (self.commands(), client.player, self.table);
        let stored = |id: &str| commands.get(&(player, id)).copied();
        for (id, version) in &client.notes.done {
            assert_eq!(stored(id), Some(*version), "{id} was acknowledged at {table}");
        }
        // A command that was sent twice may be refused once and done once.
        let once = |id: &str| client.notes.sent.get(id) == Some(&1);
        for (id, why) in client.notes.refused.iter().filter(|(id, _)| once(id)) {
            assert_eq!(stored(id), None, "{id} was refused at {table}: {why:?}");
        }
        for update in &client.notes.updates {
            assert!(
                update.version <= self.last(),
                "received at {table} and not stored: {update:?}"
            );
            let at = update.version as usize - 1;
            let viewer = self.viewers[at].get(&player).copied().unwrap_or(Viewer::Spectator);
            assert_eq!(
                update.events,
                self.transitions[at].events_for(viewer),
                "{table}: {update:?}"
            );
            assert_eq!(update.at, self.entries[at].at, "{table}: {update:?}");
            if let Some(id) = &update.done {
                assert_eq!(stored(id), Some(update.version), "{table}: {update:?}");
            }
        }
    }

    /// Checks that a client with all updates has the state of the log.
    pub(crate) fn check_end(&self, client: &TestClient) {
        assert_eq!(
            client.version(),
            self.last(),
            "{} does not know all of {}",
            client.player,
            self.table
        );
        assert!(client.replica.is_settled(), "a command was not answered at {}", self.table);
        self.check_replica(&client.replica, client.player);
    }

    pub(crate) fn check_replica(&self, replica: &TableReplica, player: PlayerId) {
        let shown = self.room.snapshot(player, &Presence::default());
        assert_same(replica, &shown);
    }

    /// The numbers of the finished matches. The record of every match is verified.
    pub(crate) fn check_records(&self) -> Vec<u32> {
        let mut finished = Vec::new();
        for (at, logged) in self.entries.iter().enumerate() {
            let Entry::Started(checkpoint) = &logged.entry else { continue };
            let record = archive::record(self.table, at as u64 + 1, &self.entries[at..]);
            let record = record.expect("a log makes a record");
            record.verify().expect("the record is valid");
            if record.won.is_some() {
                finished.push(checkpoint.number);
            }
        }
        finished
    }
}

/// A snapshot without the parts that have no version: presence, and clocks that depend on it.
fn without_presence(snapshot: &Snapshot) -> Snapshot {
    let mut bare = snapshot.clone();
    bare.clock = None;
    bare.seats.iter_mut().for_each(|seat| seat.present = false);
    bare
}

/// Checks that a replica has the state of the log. A restarted server has no chat from before a
/// match.
fn assert_same(replica: &TableReplica, log: &Snapshot) {
    let mut replicated = without_presence(replica.state().expect("the table is known"));
    replicated.view = replica.view().map(ToString::to_string);
    let log = without_presence(log);
    if log.chat.ends_with(&replicated.chat) {
        replicated.chat.clone_from(&log.chat);
    }
    if replicated == log {
        return;
    }
    let (one, two) = (format!("{replicated:#?}"), format!("{log:#?}"));
    let differ = one.lines().zip(two.lines()).filter(|(one, two)| one != two);
    let differ: Vec<String> =
        differ.take(12).map(|(one, two)| format!("{one}  /  {two}")).collect();
    panic!("the replica / the log:\n{}", differ.join("\n"));
}
