//! What the server does for a contest that is played on it: it opens the tables that were drawn, gives
//! the players their seats, and reports the results of matches.
//!
//! All of it takes a while, so tasks do it and send the ledger task a message. While the store fails they
//! try again, as long as the ledger task runs. No state is stored here: the ledger holds which tables are
//! open and which results are known, and after a restart the rest is done again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cards::{Seat, Side};
use contest::{Contest, ContestTable, ContestTableId, MatchOutcome, MatchReport, Role, Venue};
use game::Rules;
use game::record::Name;
use room::driver::ConnectionId;
use store::{LedgerId, PlayerId, StoreError, TableId};
use tokio::sync::{mpsc, watch};
use wire::contest::{RefusalText, parse_table};
use wire::ledger::{LedgerRefusal, LedgerServerMessage};
use wire::table::{Pace, RefusalReason};

use super::task::LedgerMessage;
use crate::look_queue::TableReader;
use crate::random;
use crate::retry::retry;
use crate::table_task::TableRequest;
use crate::tables::{TableError, TableRegistry, TableSettings};

/// How many results a contest reads at once; the others wait.
const MAX_CHECKS: usize = 4;

/// The server as the host of one online contest.
pub(super) struct ContestHost {
    /// The contest's ledger.
    ledger: LedgerId,
    tables: Arc<TableRegistry>,
    /// Sends to the ledger task.
    task_sender: mpsc::WeakSender<LedgerMessage>,
    /// The tables that are being opened, or of which it is not stored yet which they are.
    opening: BTreeSet<ContestTableId>,
    /// The tables whose results are being read, and whether to read each once more: its match may have
    /// ended after it was read.
    checking: BTreeMap<ContestTableId, bool>,
    /// The tables whose results are to be read after those: a large contest has hundreds.
    to_check: BTreeSet<ContestTableId>,
    /// Closed when the ledger task has ended.
    alive: watch::Sender<()>,
}

/// A command that a table carries out.
pub(super) struct TableStart {
    pub(super) connection: ConnectionId,
    pub(super) id: String,
}

/// A seat that a contest has for a player.
pub(crate) struct AssignedSeat {
    pub(crate) table: TableId,
    /// The request to the table.
    pub(crate) request: TableRequest,
}

/// The table on the server at which a match of a contest is played.
fn server_table(table: &ContestTable) -> Option<TableId> {
    table.server_table()?.as_str().parse().ok()
}

/// The table on the server whose result is not reported yet.
fn table_to_check(table: &ContestTable) -> Option<TableId> {
    let by_server = |report: &MatchReport| report.by == Role::Server;
    let is_reported = table.ruling().is_some() || table.reports().iter().any(by_server);
    if is_reported { None } else { server_table(table) }
}

/// The seats of a side with their names: one, or those of a pair.
fn seats_of(contest: &Contest, table: &ContestTable, side: Side) -> Vec<(Seat, Name)> {
    let rules = table.rules();
    let named = Seat::first(rules.players()).zip(contest.seats(table));
    named.filter(|(seat, _)| rules.side_of(*seat) == side).collect()
}

impl ContestHost {
    pub(super) fn new(
        ledger: LedgerId,
        tables: Arc<TableRegistry>,
        task_sender: mpsc::WeakSender<LedgerMessage>,
    ) -> ContestHost {
        ContestHost {
            ledger,
            tables,
            task_sender,
            opening: BTreeSet::new(),
            checking: BTreeMap::new(),
            to_check: BTreeSet::new(),
            alive: watch::Sender::new(()),
        }
    }

    /// Completes when the ledger task has ended.
    fn ended(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut alive = self.alive.subscribe();
        async move { while alive.changed().await.is_ok() {} }
    }

    /// Runs a future in a task, and sends its message to the ledger task.
    fn spawn_task(&self, work: impl Future<Output = Option<LedgerMessage>> + Send + 'static) {
        let task_sender = self.task_sender.clone();
        tokio::spawn(async move {
            if let (Some(message), Some(task_sender)) = (work.await, task_sender.upgrade()) {
                // A ledger task that has ended does it again when it is loaded.
                let _ = task_sender.send(message).await;
            }
        });
    }

    /// Opens the tables that were drawn and are not open.
    pub(super) fn open_tables(&mut self, contest: &Contest) {
        for table in contest.to_open() {
            let id = table.id();
            if !self.opening.insert(id) {
                continue;
            }
            let (tables, ledger) = (self.tables.clone(), self.ledger);
            let settings = TableSettings {
                rules: *table.rules(),
                pace: Pace::Relaxed,
                listed: false,
                contest: Some(ledger),
            };
            let ended = self.ended();
            self.spawn_task(async move {
                let open = || async {
                    // Such a table has no host: no player has this id.
                    let host = PlayerId::from_random(random::bits());
                    let opened = tables.open(&settings, host).await;
                    let failed = |error| {
                        tracing::error!(%ledger, %error, "a table of a contest cannot be opened");
                    };
                    opened.map_err(failed).ok()
                };
                let server_table = retry(ended, open).await?;
                Some(LedgerMessage::Opened { table: id, server_table })
            });
        }
    }

    /// Whether tables are being opened.
    pub(super) fn opens_tables(&self) -> bool {
        !self.opening.is_empty()
    }

    /// Notes that it is stored which table was opened.
    pub(super) fn on_opened(&mut self, table: ContestTableId) {
        self.opening.remove(&table);
    }

    /// Reports matches that are over and have no result yet: that of one table, or all.
    pub(super) fn check_results(&mut self, contest: &Contest, of: Option<TableId>) {
        let Some(phase) = contest.phases().last() else { return };
        if contest.settings().venue() != Venue::Online {
            return;
        }
        for table in phase.tables() {
            match table_to_check(table) {
                Some(server_table) if of.is_none_or(|of| of == server_table) => {
                    match self.checking.get_mut(&table.id()) {
                        Some(once_more) => *once_more = true,
                        None => drop(self.to_check.insert(table.id())),
                    }
                }
                _ => {}
            }
        }
        self.check_next(contest);
    }

    /// Reads the next results, as many as are read at once.
    fn check_next(&mut self, contest: &Contest) {
        while self.checking.len() < MAX_CHECKS
            && let Some(id) = self.to_check.pop_first()
        {
            // It may have been reported meanwhile, or its phase may be void.
            let Some(table) = contest.table(id) else { continue };
            if let Some(server_table) = table_to_check(table) {
                self.check_result(id, server_table, *table.rules());
            }
        }
    }

    /// Reads the result of a match.
    fn check_result(&mut self, id: ContestTableId, table: TableId, rules: Rules) {
        self.checking.insert(id, false);
        let (tables, ended) = (self.tables.clone(), self.ended());
        self.spawn_task(async move {
            let read = || async {
                match tables.finished_record(table, 1, TableReader::Server).await {
                    Ok(record) => Some(
                        record.and_then(|record| MatchOutcome::of_record(&record, &rules).ok()),
                    ),
                    Err(error) => {
                        tracing::error!(%table, %error, "a result cannot be read");
                        // It is not read again if it can never be read.
                        (!is_transient(&error)).then_some(None)
                    }
                }
            };
            let outcome = retry(ended, read).await?;
            Some(LedgerMessage::Ended { table: id, outcome })
        });
    }

    /// Notes that a result was read, which is in the contest if there was one.
    pub(super) fn on_checked(&mut self, contest: &Contest, table: ContestTableId) {
        if self.checking.remove(&table) == Some(true) {
            self.to_check.insert(table);
        }
        self.check_next(contest);
    }

    /// The seat of a player. Returns None if they have none at an open table.
    pub(super) fn seat(
        &self,
        contest: &Contest,
        role: Role,
        player: PlayerId,
    ) -> Option<AssignedSeat> {
        let Role::Player(entrant) = role else { return None };
        let (table, side) = contest.seat_of(entrant)?;
        if self.opening.contains(&table.id()) {
            return None;
        }
        let seats = seats_of(contest, table, side);
        let request = TableRequest::Seat { contest: self.ledger, player, seats };
        Some(AssignedSeat { table: server_table(table)?, request })
    }

    /// Begins a match with the players who have come.
    pub(super) fn start(
        &self,
        contest: &Contest,
        role: Role,
        table: &str,
        command: TableStart,
    ) -> Result<(), LedgerRefusal> {
        let id = parse_table(table).map_err(LedgerRefusal::Unreadable)?;
        if !role.referees(id) {
            return Err(not_yours_refusal(contest));
        }
        if self.opening.contains(&id) {
            return Err(LedgerRefusal::NoTable);
        }
        let table = contest.table(id).and_then(server_table).ok_or(LedgerRefusal::NoTable)?;
        let (tables, contest) = (self.tables.clone(), self.ledger);
        self.spawn_task(async move {
            let TableStart { connection, id } = command;
            let start = TableRequest::Start { contest, command: id.clone() };
            let answer = match tables.request(table, start).await {
                Ok(Ok(())) => LedgerServerMessage::Done { id },
                Ok(Err(refusal)) => {
                    let refusal = start_refusal(refusal.reason);
                    LedgerServerMessage::Refused { id, refusal }
                }
                Err(_) => LedgerServerMessage::Refused { id, refusal: LedgerRefusal::Unavailable },
            };
            Some(LedgerMessage::Reply { connection, text: answer.text() })
        });
        Ok(())
    }
}

/// Why a match does not begin, as its table says.
fn start_refusal(reason: RefusalReason) -> LedgerRefusal {
    match reason {
        // It may have begun: the command is to be sent again.
        RefusalReason::Unavailable => LedgerRefusal::Unavailable,
        RefusalReason::TooFast => LedgerRefusal::TooFast,
        _ => LedgerRefusal::NoTable,
    }
}

/// Whether a table that cannot be read may be readable later.
fn is_transient(error: &TableError) -> bool {
    match error {
        TableError::NotFound
        | TableError::Unreadable(_)
        | TableError::Store(StoreError::Corrupt(_)) => false,
        TableError::Store(_) | TableError::TooMany | TableError::Busy | TableError::Stopping => {
            true
        }
    }
}

fn not_yours_refusal(contest: &Contest) -> LedgerRefusal {
    let rules = contest.settings().rules();
    LedgerRefusal::Because(RefusalText::of(&contest::ContestRefusal::NotYours, rules))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::time::Duration;

    use contest::{ContestChange, ContestSettings, Party, urn};
    use game::fair::Secret;
    use room::Timings;
    use store::{Database, MemoryDatabase, Store};
    use test_support::folder::TempFolder;

    use super::*;
    use crate::clock::Clocks;
    use crate::quotas::MemoryQuotas;

    /// An online contest whose final is drawn.
    fn drawn() -> Contest {
        drawn_for(4)
    }

    /// An online contest whose first phase is drawn.
    fn drawn_for(entrants: usize) -> Contest {
        let rules = Rules::from_code("contest").unwrap();
        let (title, word) = ("Cupa".parse().unwrap(), "cupa".parse().unwrap());
        let settings = ContestSettings::new(title, word, rules, Venue::Online).unwrap();
        let mut contest = Contest::new(settings);
        let secret = Secret::from_phrase("host");
        let commitment = urn::commitment(contest.settings(), 0, &secret);
        let party = |at: usize| Party::Alone(format!("P{at}").parse().unwrap());
        let parties: Vec<Party> = (0..entrants).map(party).collect();
        for change in [
            ContestChange::Enter(parties),
            ContestChange::Commit(commitment),
            ContestChange::Draw { secret, words: Vec::new() },
        ] {
            let entry = contest.decide(0, Role::Organiser, change).unwrap();
            contest.apply(&entry).unwrap();
        }
        contest
    }

    /// The store and its writer are closed, so that every attempt fails; without an end they would go on
    /// for ever.
    #[tokio::test]
    async fn a_failing_store_is_asked_as_long_as_the_ledger_is_in_memory() {
        let folder = TempFolder::create();
        let path = folder.file("ghinda.db").display().to_string();
        let database = Arc::new(Database::open(&path).await.unwrap());
        let (clocks, timings) = (Clocks::at(0, None), Timings::default());
        let tables = TableRegistry::new(
            database.clone(),
            clocks,
            NonZeroUsize::MIN,
            timings,
            MemoryQuotas::default(),
        );
        let tables = Arc::new(tables.unwrap());
        tables.stop().await;
        database.close().await;
        let (sender, mut messages) = mpsc::channel(8);
        let ledger = LedgerId::from_random(random::bits());
        let mut host = ContestHost::new(ledger, tables.clone(), sender.downgrade());
        let mut contest = drawn();
        host.open_tables(&contest);
        // A second call does not open the table twice.
        host.open_tables(&contest);
        let (at, bits) = (contest.to_open().next().unwrap().id(), random::bits());
        let server_table = TableId::from_random(bits).to_string().parse().unwrap();
        let open = ContestChange::Open { table: at, server_table };
        contest.apply(&contest.decide(0, Role::Server, open).unwrap()).unwrap();
        host.check_results(&contest, None);
        host.check_results(&contest, None);
        assert_eq!(host.checking, BTreeMap::from([(at, true)]), "it is read once more");
        // The registry is held by the host and by the two tasks, which have failed and wait.
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert_eq!(Arc::strong_count(&tables), 4);
        drop(host);
        let ended = async {
            while Arc::strong_count(&tables) > 1 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), ended).await.expect("the tasks have ended");
        assert!(messages.try_recv().is_err(), "nothing was opened or read");
    }

    /// Says to a contest which tables were opened for its last phase.
    fn open_all(contest: &mut Contest) -> Vec<ContestTableId> {
        let tables: Vec<ContestTableId> = contest.to_open().map(ContestTable::id).collect();
        for table in &tables {
            let server_table = TableId::from_random(random::bits()).to_string().parse().unwrap();
            let open = ContestChange::Open { table: *table, server_table };
            contest.apply(&contest.decide(0, Role::Server, open).unwrap()).unwrap();
        }
        tables
    }

    /// None of the tables is there, so that every check ends at once with no outcome.
    #[tokio::test]
    async fn a_large_contest_reads_few_results_at_once_and_all_in_the_end() {
        let database = Arc::new(Database::Memory(MemoryDatabase::default()));
        let (clocks, timings, quotas) =
            (Clocks::at(0, None), Timings::default(), MemoryQuotas::default());
        let tables =
            TableRegistry::new(database, clocks, NonZeroUsize::MIN, timings, quotas).unwrap();
        let (sender, mut messages) = mpsc::channel(8);
        let ledger = LedgerId::from_random(random::bits());
        let mut host = ContestHost::new(ledger, Arc::new(tables), sender.downgrade());
        let mut contest = drawn_for(1_024);
        let all = open_all(&mut contest);
        assert_eq!(all.len(), 256);
        host.check_results(&contest, None);
        let mut checked = BTreeSet::new();
        while checked.len() < all.len() {
            assert!(host.checking.len() <= MAX_CHECKS, "{}", host.checking.len());
            let Some(LedgerMessage::Ended { table, outcome: None }) = messages.recv().await else {
                panic!("a result that is not there")
            };
            assert!(checked.insert(table), "{table:?} is read once");
            host.on_checked(&contest, table);
        }
        assert!(host.checking.is_empty() && host.to_check.is_empty());
    }
}
