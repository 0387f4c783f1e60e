//! What the server does for a contest that is played on it: it opens the tables that were drawn, gives
//! the players their seats, and reports the results of matches.
//!
//! All of it takes a while, so tasks do it and send the ledger task a message. No state is stored here:
//! the ledger holds which tables are open and which results are known, and after a restart the rest is
//! done again.

use std::collections::BTreeSet;
use std::sync::Arc;

use cards::{Seat, Side};
use contest::{Contest, ContestTable, ContestTableId, MatchOutcome, Role, Venue};
use game::record::Name;
use room::driver::ConnectionId;
use store::{LedgerId, PlayerId, TableId};
use tokio::sync::mpsc;
use wire::contest::{RefusalText, parse_table};
use wire::ledger::{LedgerRefusal, LedgerServerMessage};
use wire::table::Pace;

use super::task::LedgerMessage;
use crate::random;
use crate::table_task::TableRequest;
use crate::tables::{TableRegistry, TableSettings};

/// The server as the host of one online contest.
pub(super) struct ContestHost {
    /// The contest's ledger.
    ledger: LedgerId,
    tables: Arc<TableRegistry>,
    /// Sends to the ledger task.
    task_sender: mpsc::WeakSender<LedgerMessage>,
    /// The tables that are being opened.
    opening: BTreeSet<ContestTableId>,
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
    table.opened()?.as_str().parse().ok()
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
        ContestHost { ledger, tables, task_sender, opening: BTreeSet::new() }
    }

    /// Runs a future in a task, and sends its message to the ledger task.
    fn spawn_task(&self, work: impl Future<Output = LedgerMessage> + Send + 'static) {
        let task_sender = self.task_sender.clone();
        tokio::spawn(async move {
            let message = work.await;
            if let Some(task_sender) = task_sender.upgrade() {
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
            let (tables, ledger, rules) = (self.tables.clone(), self.ledger, *table.rules());
            self.spawn_task(async move {
                // Such a table has no host: no player has this id.
                let host = PlayerId::from_random(random::bits());
                let settings = TableSettings {
                    rules,
                    pace: Pace::Relaxed,
                    listed: false,
                    contest: Some(ledger),
                };
                let opened = match tables.open(&settings, host).await {
                    Ok(opened) => Some(opened),
                    Err(error) => {
                        tracing::error!(%ledger, %error, "a table of a contest cannot be opened");
                        None
                    }
                };
                LedgerMessage::Opened { table: id, opened }
            });
        }
    }

    /// Notes that a table was opened, or could not be.
    pub(super) fn on_opened(&mut self, table: ContestTableId) {
        self.opening.remove(&table);
    }

    /// Reports matches that are over and have no result yet: that of one table, or all.
    pub(super) fn check_results(&self, contest: &Contest, of: Option<TableId>) {
        let Some(phase) = contest.phases().last() else { return };
        let online = contest.settings().venue() == Venue::Online;
        let is_reported = |table: &ContestTable| {
            table.ruling().is_some()
                || table.reports().iter().any(|report| report.by == Role::Server)
        };
        let open = phase.tables().iter().filter(|table| online && !is_reported(table));
        for table in open {
            let Some(server_table) = server_table(table) else { continue };
            if of.is_some_and(|of| of != server_table) {
                continue;
            }
            let (tables, id, rules) = (self.tables.clone(), table.id(), *table.rules());
            self.spawn_task(async move {
                let outcome = match tables.finished_record(server_table, 1).await {
                    Ok(record) => {
                        record.and_then(|record| MatchOutcome::of_record(&record, &rules).ok())
                    }
                    Err(error) => {
                        tracing::error!(table = %server_table, %error, "a result cannot be read");
                        None
                    }
                };
                LedgerMessage::Ended { table: id, outcome }
            });
        }
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
        let table = contest.table(id).and_then(server_table).ok_or(LedgerRefusal::NoTable)?;
        let (tables, contest) = (self.tables.clone(), self.ledger);
        self.spawn_task(async move {
            let TableStart { connection, id } = command;
            let answer = match tables.request(table, TableRequest::Begin { contest }).await {
                Ok(Ok(())) => LedgerServerMessage::Done { id },
                Ok(Err(_)) => LedgerServerMessage::Refused { id, refusal: LedgerRefusal::NoTable },
                Err(_) => LedgerServerMessage::Refused { id, refusal: LedgerRefusal::Unavailable },
            };
            LedgerMessage::Reply { connection, text: answer.text() }
        });
        Ok(())
    }
}

fn not_yours_refusal(contest: &Contest) -> LedgerRefusal {
    let rules = contest.settings().rules();
    LedgerRefusal::Because(RefusalText::of(&contest::ContestRefusal::NotYours, rules))
}
