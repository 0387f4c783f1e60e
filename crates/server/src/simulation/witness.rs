//! A witness that reads what is stored, beside all servers and without faults. What a server has
//! acknowledged must be there, once.

use std::collections::BTreeMap;

use futures_util::FutureExt;
use room::{Entry, Millis, Room, log};
use store::{LogId, MemoryDatabase, PlayerId, Store, StoredEvent, TableId};
use wire::ledger::Ledger;

use super::world::TEMPO;

/// A reader of all logs.
pub(super) struct Witness {
    memory: MemoryDatabase,
    tables: BTreeMap<TableId, TableLog>,
    ledgers: BTreeMap<LogId, LedgerLog>,
    /// The newest time of any event.
    newest: Millis,
}

/// What the log of a table says.
#[derive(Default)]
pub(super) struct TableLog {
    /// The number of events.
    pub(super) last: u64,
    /// The commands that were done, with their versions.
    done: BTreeMap<(PlayerId, String), u64>,
    /// The room that the entries lead to. None if there are none, or if one cannot be read.
    pub(super) room: Option<Room>,
    pub(super) unreadable: bool,
    /// How many matches have ended.
    pub(super) finished: u32,
    /// Who was given a seat.
    pub(super) sat: Vec<PlayerId>,
    /// The command of a contest that began the match.
    begun_by: Option<String>,
}

/// What the log of a ledger says.
#[derive(Default)]
pub(super) struct LedgerLog {
    pub(super) last: u64,
    /// The ids of the commands that were done, with their events.
    done: BTreeMap<String, u64>,
    pub(super) ledger: Option<Ledger>,
}

impl Witness {
    pub(super) fn new(memory: MemoryDatabase) -> Witness {
        Witness { memory, tables: BTreeMap::new(), ledgers: BTreeMap::new(), newest: 0 }
    }

    /// What is stored after an event. Without faults the database answers at once.
    fn events(&self, log: LogId, after: u64) -> Vec<StoredEvent> {
        let events = self.memory.events(log, after + 1, u32::MAX).now_or_never();
        events.expect("an answer").expect("events")
    }

    /// The newest time of any event that was read.
    pub(super) fn newest(&self) -> Millis {
        self.newest
    }

    /// The log of a table as it is stored now.
    pub(super) fn table(&mut self, table: TableId) -> &TableLog {
        let after = self.tables.get(&table).map_or(0, |known| known.last);
        let events = self.events(table.into(), after);
        let known = self.tables.entry(table).or_default();
        for event in events {
            assert_eq!(event.sequence, known.last + 1, "table {table} has a gap");
            self.newest = self.newest.max(event.at_ms as Millis);
            known.add(table, &event);
        }
        known
    }

    /// The log of a ledger as it is stored now.
    pub(super) fn ledger(&mut self, ledger: LogId) -> &LedgerLog {
        let after = self.ledgers.get(&ledger).map_or(0, |known| known.last);
        let events = self.events(ledger, after);
        let known = self.ledgers.entry(ledger).or_default();
        for event in events {
            assert_eq!(event.sequence, known.last + 1, "ledger {ledger} has a gap");
            self.newest = self.newest.max(event.at_ms as Millis);
            known.add(&event);
        }
        known
    }
}

impl Witness {
    /// Whether a command of a ledger was done: on a line of the ledger or, if it begins a match, at a table
    /// of the contest.
    pub(super) fn has_done(&mut self, ledger: LogId, command: &str) -> bool {
        let known = self.ledger(ledger);
        if known.done.contains_key(command) {
            return true;
        }
        let tables = known.opened_tables();
        tables.into_iter().any(|table| self.table(table).begun_by.as_deref() == Some(command))
    }
}

impl TableLog {
    fn add(&mut self, table: TableId, event: &StoredEvent) {
        self.last = event.sequence;
        let Ok(logged) = log::decode(event.at_ms as Millis, &event.body) else {
            (self.unreadable, self.room) = (true, None);
            return;
        };
        if let Some(command) = &logged.command {
            let key = (command.player, command.id.clone());
            let before = self.done.insert(key, event.sequence);
            assert_eq!(before, None, "{command:?} was done twice at {table}");
        }
        match &logged.entry {
            Entry::Sat { player, .. } => self.sat.push(*player),
            Entry::Started(checkpoint) => self.begun_by.clone_from(&checkpoint.contest_command),
            // The room below says whether it was the last one.
            _ if self.unreadable => return,
            _ => {}
        }
        match &mut self.room {
            None => {
                assert_eq!(event.sequence, 1, "the log of {table} begins with its opening");
                let opened = Room::open(table, 1, &logged, TEMPO).expect("an opening");
                self.room = Some(opened.0);
            }
            Some(room) => {
                let transition = room.apply(&logged);
                let transition = transition.expect("a stored entry fits those before it");
                self.finished += u32::from(transition.finished.is_some());
            }
        }
    }

    /// Whether a command was done in this version.
    pub(super) fn has_done(&self, player: PlayerId, id: &str, version: u64) -> bool {
        self.done.get(&(player, id.to_owned())) == Some(&version)
    }

    pub(super) fn is_closed(&self) -> bool {
        self.room.as_ref().is_some_and(Room::is_closed)
    }
}

impl LedgerLog {
    fn add(&mut self, event: &StoredEvent) {
        self.last = event.sequence;
        let (word, rest) = event.body.split_once(' ').expect("a word and the rest");
        let after = |rest: &str| rest.split_once(' ').map(|(_, line)| line.to_owned());
        match word {
            "opened" => {
                let header = after(rest).expect("a header");
                self.ledger = Some(Ledger::from_header(header.as_str()).expect("a header"));
            }
            "secret" => {}
            "did" | "done" => {
                let (id, rest) = rest.split_once(' ').expect("an id");
                let line = if word == "done" { after(rest).expect("a line") } else { rest.into() };
                if id != "-" {
                    let before = self.done.insert(id.to_owned(), event.sequence);
                    assert_eq!(before, None, "{id} was done twice");
                }
                let ledger = self.ledger.as_mut().expect("a ledger is opened first");
                let at = ledger.len() + 1;
                ledger.add(at, line.as_str()).expect("a stored line fits those before it");
            }
            other => panic!("{other:?} is not an event of a ledger"),
        }
    }

    /// The tables on the server that were opened for a contest.
    fn opened_tables(&self) -> Vec<TableId> {
        let contest = self.ledger.as_ref().and_then(Ledger::contest);
        let phases = contest.into_iter().flat_map(|contest| contest.phases());
        let tables = phases.flat_map(|phase| phase.tables());
        tables.filter_map(|table| table.server_table()?.as_str().parse().ok()).collect()
    }

    /// How many lines clients may have.
    pub(super) fn lines(&self) -> usize {
        self.ledger.as_ref().map_or(0, Ledger::len)
    }
}
