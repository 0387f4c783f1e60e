//! What the server does itself for a contest that is played on it: opens the tables that were
//! drawn, gives the players their seats, and tells how the matches ended.
//!
//! All of it takes a while, so tasks do it and send the scribe a post. Nothing is remembered here: which tables
//! are open and which results are known stands in the ledger, and after a restart the rest
//! is done again.

use std::collections::BTreeSet;
use std::sync::Arc;

use cards::{Seat, Side};
use contest::{Contest, ContestTable, ContestTableId as AtContest, MatchOutcome, Role, Venue};
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

/// The server's hand in one contest.
pub(super) struct ContestHost {
    /// The contest's ledger.
    ledger: LedgerId,
    hall: Arc<TableRegistry>,
    /// The way back to the scribe.
    own: mpsc::WeakSender<LedgerMessage>,
    /// The tables that are being opened.
    opening: BTreeSet<AtContest>,
}

/// Somebody's wish that the hall fulfils.
pub(super) struct SeatRequest {
    pub(super) connection: ConnectionId,
    pub(super) id: String,
}

/// A seat that a contest has for a player, at a table of the hall.
pub(crate) struct AssignedSeat {
    pub(crate) table: TableId,
    /// What the table is to be asked.
    pub(crate) question: TableRequest,
}

/// The table on the server at which a match is played.
fn room_of(table: &ContestTable) -> Option<TableId> {
    table.opened()?.as_str().parse().ok()
}

/// The seats of a place, with who is called how there: one, or those of a pair.
fn seats_of(contest: &Contest, table: &ContestTable, place: Side) -> Vec<(Seat, Name)> {
    let rules = table.rules();
    let named = Seat::first(rules.players()).zip(contest.seats(table));
    named.filter(|(seat, _)| rules.side_of(*seat) == place).collect()
}

impl ContestHost {
    pub(super) fn new(
        ledger: LedgerId,
        hall: Arc<TableRegistry>,
        own: mpsc::WeakSender<LedgerMessage>,
    ) -> ContestHost {
        ContestHost { ledger, hall, own, opening: BTreeSet::new() }
    }

    /// Does something, and sends what came of it.
    fn spawn(&self, work: impl Future<Output = LedgerMessage> + Send + 'static) {
        let own = self.own.clone();
        tokio::spawn(async move {
            let post = work.await;
            if let Some(own) = own.upgrade() {
                // A scribe that has given up will do it again when it is there again.
                let _ = own.send(post).await;
            }
        });
    }

    /// Opens the tables that wait for it.
    pub(super) fn open_tables(&mut self, contest: &Contest) {
        for table in contest.to_open() {
            let place = table.id();
            if !self.opening.insert(place) {
                continue;
            }
            let (hall, ledger, rules) = (self.hall.clone(), self.ledger, *table.rules());
            self.spawn(async move {
                // Nobody is the host of such a table.
                let host = PlayerId::from_random(random::bits());
                let plan = TableSettings {
                    rules,
                    pace: Pace::Relaxed,
                    listed: false,
                    contest: Some(ledger),
                };
                let room = match hall.open(&plan, host).await {
                    Ok(room) => Some(room),
                    Err(error) => {
                        tracing::error!(%ledger, %error, "a table of a contest cannot be opened");
                        None
                    }
                };
                LedgerMessage::Opened { place, room }
            });
        }
    }

    /// A table was opened, or was not.
    pub(super) fn opened(&mut self, place: AtContest) {
        self.opening.remove(&place);
    }

    /// Looks whether matches are over whose results are not known: that of one table, or all.
    pub(super) fn look_for_results(&self, contest: &Contest, of: Option<TableId>) {
        let Some(phase) = contest.phases().last() else { return };
        let online = contest.settings().venue() == Venue::Online;
        let told = |table: &ContestTable| {
            table.ruling().is_some() || table.reports().iter().any(|told| told.by == Role::House)
        };
        let open = phase.tables().iter().filter(|table| online && !told(table));
        for table in open {
            let Some(room) = room_of(table) else { continue };
            if of.is_some_and(|of| of != room) {
                continue;
            }
            let (hall, place, rules) = (self.hall.clone(), table.id(), *table.rules());
            self.spawn(async move {
                let outcome = match hall.finished_record(room, 1).await {
                    Ok(record) => {
                        record.and_then(|record| MatchOutcome::of_record(&record, &rules).ok())
                    }
                    Err(error) => {
                        tracing::error!(table = %room, %error, "a result cannot be read");
                        None
                    }
                };
                LedgerMessage::Ended { place, outcome }
            });
        }
    }

    /// The seat of a player, if he has one at a table that is open.
    pub(super) fn seat(
        &self,
        contest: &Contest,
        role: Role,
        player: PlayerId,
    ) -> Option<AssignedSeat> {
        let Role::Player(entrant) = role else { return None };
        let (table, place) = contest.seat_of(entrant)?;
        let seats = seats_of(contest, table, place);
        let question = TableRequest::Seat { contest: self.ledger, player, seats };
        Some(AssignedSeat { table: room_of(table)?, question })
    }

    /// Begins a match with whoever has come.
    pub(super) fn start(
        &self,
        contest: &Contest,
        role: Role,
        table: &str,
        asked: SeatRequest,
    ) -> Result<(), LedgerRefusal> {
        let place = parse_table(table).map_err(LedgerRefusal::Unreadable)?;
        if !role.referees(place) {
            return Err(not_yours(contest));
        }
        let room = contest.table(place).and_then(room_of).ok_or(LedgerRefusal::NoTable)?;
        let (hall, contest) = (self.hall.clone(), self.ledger);
        self.spawn(async move {
            let SeatRequest { connection, id } = asked;
            let answer = match hall.ask(room, TableRequest::Begin { contest }).await {
                Ok(Ok(())) => LedgerServerMessage::Done { id },
                Ok(Err(_)) => LedgerServerMessage::Refused { id, refusal: LedgerRefusal::NoTable },
                Err(_) => LedgerServerMessage::Refused { id, refusal: LedgerRefusal::Unavailable },
            };
            LedgerMessage::Reply { connection, text: answer.text() }
        });
        Ok(())
    }
}

fn not_yours(contest: &Contest) -> LedgerRefusal {
    let rules = contest.settings().rules();
    LedgerRefusal::Because(RefusalText::of(&contest::ContestRefusal::NotYours, rules))
}
