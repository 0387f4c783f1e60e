//! What a database in memory holds, and every operation on it as a plain function.

use std::collections::{BTreeMap, BTreeSet};

use crate::accounts::{Account, Cursor, Session};
use crate::admission::{Admission, HeadRow, from_stored, logs, to_stored};
use crate::archive::compress;
use crate::error::StoreError;
use crate::event::{
    AcquiredLog, Append, AppendOutcome, DatabaseUsage, FinishedMatch, ListedLog, LogInfo,
    LogOpener, PastMatch, PlayerTraces, Retention, StoredEvent,
};
use crate::id::{Epoch, LogId, LogKind, PlayerId, StoredId, TableId, TokenHash};

#[derive(Default)]
pub(super) struct Contents {
    logs: BTreeMap<LogId, MemoryLog>,
    sessions: BTreeMap<TokenHash, Session>,
    /// By folded name.
    accounts: BTreeMap<String, Account>,
    pub(super) trusted_ms: Option<i64>,
}

/// A table or a ledger.
struct MemoryLog {
    kind: LogKind,
    owner: Option<PlayerId>,
    epoch: Epoch,
    checkpoint: Option<u64>,
    closed: bool,
    /// The time of the last event; without events when it was created.
    last_ms: i64,
    events: Vec<StoredEvent>,
    /// The last event that counts as archived. Nothing is compressed here.
    archived: u64,
    seats: BTreeSet<PlayerId>,
    /// Whether the seats are stored. In a database of an earlier version they are not.
    seats_known: bool,
    /// By the number of the match.
    finished: BTreeMap<u32, FinishedMatch>,
}

impl MemoryLog {
    fn last(&self) -> u64 {
        self.events.last().map_or(0, |event| event.sequence)
    }

    /// Whether a retention applies to it, once it is quiet.
    fn falls_under(&self, retention: Retention) -> bool {
        let may_be_put_away = self.closed || self.kind == LogKind::Ledger;
        match retention {
            Retention::Archive => may_be_put_away && self.archived < self.last(),
            Retention::Remove => may_be_put_away || self.events.is_empty(),
            Retention::NeverBegun => self.events.is_empty(),
        }
    }

    fn acquire(&mut self, log: LogId) -> AcquiredLog {
        self.epoch = Epoch::new(self.epoch.get() + 1);
        AcquiredLog { log, epoch: self.epoch, last: self.last(), checkpoint: self.checkpoint }
    }
}

/// The tables and ledgers.
impl Contents {
    pub(super) fn append(&mut self, batch: &[Append]) -> Result<Vec<AppendOutcome>, StoreError> {
        let head = |log: i64| -> Option<HeadRow> {
            let stored = self.logs.get(&LogId::from_stored(log).ok()?)?;
            Some((log, to_stored(stored.epoch.get()), to_stored(stored.last()), stored.closed))
        };
        let heads = logs(batch).into_iter().filter_map(head).collect();
        let admission = Admission::decide(batch, heads)?;
        // A batch is stored completely or not at all, so that what may be refused comes first.
        self.add_finished(&admission.finished())?;
        for (log, sequence, event) in admission.events() {
            let stored = StoredEvent {
                sequence: from_stored(sequence)?,
                at_ms: event.at_ms,
                body: event.body.clone(),
            };
            self.log_mut(log)?.events.push(stored);
        }
        for (log, players) in admission.seats() {
            let stored = self.log_mut(log)?;
            (stored.seats, stored.seats_known) = (players.iter().copied().collect(), true);
        }
        for changed in admission.changed() {
            let stored = self.log_mut(changed.log)?;
            stored.closed = changed.closed;
            stored.last_ms = changed.last_ms.unwrap_or(stored.last_ms);
            if let Some(checkpoint) = changed.checkpoint {
                stored.checkpoint = Some(from_stored(checkpoint)?);
            }
        }
        Ok(admission.outcomes)
    }

    fn add_finished(&mut self, finished: &[(i64, &FinishedMatch)]) -> Result<(), StoreError> {
        let mut added: Vec<(LogId, u32)> = Vec::new();
        for (log, ended) in finished {
            let key = (LogId::from_stored(*log)?, ended.number);
            let known = self.log_mut(*log)?.finished.contains_key(&ended.number);
            if known || added.contains(&key) {
                return Err(StoreError::Refused(format!("match {} is stored already", key.1)));
            }
            added.push(key);
        }
        for (log, ended) in finished {
            self.log_mut(*log)?.finished.insert(ended.number, (*ended).clone());
        }
        Ok(())
    }

    fn log_mut(&mut self, log: i64) -> Result<&mut MemoryLog, StoreError> {
        let id = LogId::from_stored(log)?;
        self.logs.get_mut(&id).ok_or_else(|| StoreError::Corrupt(format!("{log} is not there")))
    }

    pub(super) fn create(
        &mut self,
        kind: LogKind,
        log: LogId,
        opener: Option<LogOpener>,
        at_ms: i64,
    ) -> Result<Epoch, StoreError> {
        if self.logs.contains_key(&log) {
            return Err(StoreError::LogExists);
        }
        if let Some(LogOpener { player, max }) = opener {
            let counts = |stored: &&MemoryLog| {
                let is_theirs = stored.owner == Some(player) && stored.kind == kind;
                let counts_from = at_ms.saturating_sub(LogOpener::LEDGER_COUNTS_MS);
                let is_used = kind == LogKind::Table || stored.last_ms > counts_from;
                is_theirs && !stored.closed && is_used
            };
            if self.logs.values().filter(counts).count() >= max as usize {
                return Err(StoreError::TooMany);
            }
        }
        let stored = MemoryLog {
            kind,
            owner: opener.map(|opener| opener.player),
            epoch: Epoch::FIRST,
            checkpoint: None,
            closed: false,
            last_ms: at_ms,
            events: Vec::new(),
            archived: 0,
            seats: BTreeSet::new(),
            seats_known: true,
            finished: BTreeMap::new(),
        };
        self.logs.insert(log, stored);
        Ok(Epoch::FIRST)
    }

    pub(super) fn find_log(&self, log: LogId) -> Option<LogInfo> {
        let stored = self.logs.get(&log)?;
        Some(LogInfo {
            log,
            kind: stored.kind,
            last: stored.last(),
            checkpoint: stored.checkpoint,
            closed: stored.closed,
            last_ms: stored.last_ms,
            bytes: stored.events.iter().map(|event| event.body.len() as u64).sum(),
            archived: stored.archived,
            epoch: stored.epoch,
        })
    }

    pub(super) fn logs(&self, after: Option<LogId>, limit: u32) -> Vec<ListedLog> {
        let logs = self.logs.keys().filter(|log| after.is_none_or(|after| **log > after));
        let infos = logs.filter_map(|log| self.find_log(*log)).take(limit as usize);
        infos.map(|info| ListedLog { info, stored_bytes: self.stored_bytes(&info) }).collect()
    }

    /// The bytes that a database would need for the events of a log.
    fn stored_bytes(&self, info: &LogInfo) -> u64 {
        let archived = usize::try_from(info.archived).unwrap_or(usize::MAX);
        let events = self.logs.get(&info.log).map_or(&[][..], |stored| &stored.events);
        let (archived, later) = events.split_at(archived.min(events.len()));
        let packed = match archived {
            [] => 0,
            archived => compress(archived).map_or(0, |packed| packed.len() as u64),
        };
        packed + later.iter().map(|event| event.body.len() as u64).sum::<u64>()
    }

    pub(super) fn usage(&self) -> DatabaseUsage {
        DatabaseUsage {
            bytes: self
                .logs
                .keys()
                .filter_map(|log| self.find_log(*log))
                .map(|log| log.bytes)
                .sum(),
            finished: self.logs.values().map(|stored| stored.finished.len() as u64).sum(),
            sessions: self.sessions.len() as u64,
            accounts: self.accounts.len() as u64,
        }
    }

    pub(super) fn rewrite(&mut self, info: &LogInfo, changed: &[StoredEvent]) -> bool {
        if self.find_log(info.log) != Some(*info) {
            return false;
        }
        let Some(stored) = self.logs.get_mut(&info.log) else { return false };
        for event in changed {
            let known = stored.events.iter_mut().find(|known| known.sequence == event.sequence);
            if let Some(known) = known {
                known.body.clone_from(&event.body);
            }
        }
        stored.epoch = Epoch::new(stored.epoch.get() + 1);
        true
    }

    pub(super) fn player_traces(&self, player: PlayerId) -> PlayerTraces {
        let logs = || self.logs.values();
        let seats =
            logs().flat_map(|stored| stored.finished.values()).flat_map(|ended| &ended.seats);
        let sessions = self.sessions.values().filter(|session| session.player == player);
        PlayerTraces {
            account: self.account_of(player).map(|account| account.name),
            sessions: sessions.count() as u64,
            seated: logs().filter(|stored| stored.seats.contains(&player)).count() as u64,
            finished: seats.filter(|seat| seat.player == Some(player)).count() as u64,
            opened: logs().filter(|stored| stored.owner == Some(player)).count() as u64,
        }
    }

    pub(super) fn erase_player(&mut self, player: PlayerId, name: &str) {
        self.sessions.retain(|_, session| session.player != player);
        self.accounts.retain(|_, account| account.player != player);
        for stored in self.logs.values_mut() {
            stored.seats.remove(&player);
            stored.owner = stored.owner.filter(|owner| *owner != player);
            let seats = stored.finished.values_mut().flat_map(|ended| &mut ended.seats);
            for seat in seats.filter(|seat| seat.player == Some(player)) {
                (seat.player, seat.name) = (None, name.to_owned());
            }
        }
    }

    pub(super) fn acquire(&mut self, kind: LogKind, log: LogId) -> Option<AcquiredLog> {
        let stored = self.logs.get_mut(&log)?;
        (stored.kind == kind && !stored.closed).then(|| stored.acquire(log))
    }

    pub(super) fn events(&self, log: LogId, from: u64, limit: u32) -> Vec<StoredEvent> {
        let Some(stored) = self.logs.get(&log) else { return Vec::new() };
        // They are numbered from 1, without a gap.
        let before = from.saturating_sub(1);
        // Archived ones are read all at once.
        let most = stored.archived.saturating_sub(before) + u64::from(limit);
        let [before, most] =
            [before, most].map(|count| usize::try_from(count).unwrap_or(usize::MAX));
        stored.events.iter().skip(before).take(most).cloned().collect()
    }

    pub(super) fn seated_tables(&self, player: PlayerId, limit: u32) -> Vec<TableId> {
        let mut seated: Vec<_> =
            self.logs.iter().filter(|(_, stored)| stored.seats.contains(&player)).collect();
        seated.sort_by_key(|(log, stored)| (std::cmp::Reverse(stored.last_ms), **log));
        seated.into_iter().map(|(log, _)| log.as_table()).take(limit as usize).collect()
    }

    /// Makes every table one of an earlier version.
    pub(super) fn forget_seats(&mut self) {
        for stored in self.logs.values_mut().filter(|stored| stored.kind == LogKind::Table) {
            (stored.seats, stored.seats_known) = (BTreeSet::new(), false);
        }
    }

    pub(super) fn tables_without_seats(&self, limit: u32) -> Vec<TableId> {
        let unknown = self.logs.iter().filter(|(_, stored)| !stored.seats_known);
        unknown.map(|(log, _)| log.as_table()).take(limit as usize).collect()
    }

    pub(super) fn fill_seats(&mut self, table: TableId, players: &[PlayerId]) {
        let stored = self.logs.get_mut(&table.into()).filter(|stored| !stored.seats_known);
        if let Some(stored) = stored {
            (stored.seats, stored.seats_known) = (players.iter().copied().collect(), true);
        }
    }

    pub(super) fn quiet_tables(
        &self,
        before_ms: i64,
        after: Option<TableId>,
        limit: u32,
    ) -> Vec<TableId> {
        let is_open = |stored: &MemoryLog| {
            stored.kind == LogKind::Table && !stored.closed && !stored.events.is_empty()
        };
        let quiet = self.quiet(before_ms, after.map(LogId::from), is_open);
        quiet.map(LogId::as_table).take(limit as usize).collect()
    }

    pub(super) fn quiet_logs(
        &self,
        retention: Retention,
        before_ms: i64,
        after: Option<LogId>,
        limit: u32,
    ) -> Vec<LogId> {
        let concerns = |stored: &MemoryLog| stored.falls_under(retention);
        self.quiet(before_ms, after, concerns).take(limit as usize).collect()
    }

    /// The logs of some kind whose last event is older than a time, after one of them.
    fn quiet(
        &self,
        before_ms: i64,
        after: Option<LogId>,
        concerns: impl Fn(&MemoryLog) -> bool,
    ) -> impl Iterator<Item = LogId> {
        let logs = self.logs.iter().filter(move |(log, _)| after.is_none_or(|after| **log > after));
        let quiet = logs.filter(move |(_, stored)| stored.last_ms < before_ms && concerns(stored));
        quiet.map(|(log, _)| *log)
    }

    pub(super) fn archive(&mut self, log: LogId) -> bool {
        let Some(stored) = self.logs.get_mut(&log) else { return false };
        let may_grow = stored.kind == LogKind::Table && !stored.closed;
        if may_grow || stored.archived == stored.last() {
            return false;
        }
        stored.archived = stored.last();
        true
    }

    pub(super) fn remove(&mut self, log: LogId, only_if: Option<(Retention, i64)>) -> bool {
        let Some(stored) = self.logs.get(&log) else { return false };
        let is_removed = only_if.is_none_or(|(retention, before_ms)| {
            stored.last_ms < before_ms && stored.falls_under(retention)
        });
        if is_removed {
            self.logs.remove(&log);
        }
        is_removed
    }

    /// The time of what is newest.
    pub(super) fn newest_ms(&self) -> Option<i64> {
        let logs = self.logs.values().map(|stored| stored.last_ms);
        let sessions = self.sessions.values().map(|session| session.created_ms);
        let accounts = self.accounts.values().map(|account| account.created_ms);
        logs.chain(sessions).chain(accounts).max()
    }

    pub(super) fn finished_match(&self, table: TableId, number: u32) -> Option<PastMatch> {
        let finished = self.logs.get(&table.into())?.finished.get(&number)?.clone();
        Some(PastMatch { table, finished })
    }

    pub(super) fn history(
        &self,
        player: PlayerId,
        after: Option<Cursor>,
        limit: u32,
    ) -> Vec<PastMatch> {
        let key = |cursor: Cursor| (cursor.ended_ms, cursor.table, cursor.number);
        let of_log = |(log, stored): (&LogId, &MemoryLog)| {
            let table = log.as_table();
            let of_table =
                |finished: &FinishedMatch| PastMatch { table, finished: finished.clone() };
            stored.finished.values().map(of_table).collect::<Vec<PastMatch>>()
        };
        let took_part =
            |past: &PastMatch| past.finished.seats.iter().any(|seat| seat.player == Some(player));
        let is_older = |past: &PastMatch| after.is_none_or(|after| key(past.cursor()) < key(after));
        let mut past: Vec<PastMatch> = self.logs.iter().flat_map(of_log).collect();
        past.retain(|past| took_part(past) && is_older(past));
        past.sort_by_key(|past| std::cmp::Reverse(key(past.cursor())));
        past.truncate(limit as usize);
        past
    }
}

/// The sessions and accounts.
impl Contents {
    pub(super) fn create_session(
        &mut self,
        token: TokenHash,
        session: &Session,
    ) -> Result<(), StoreError> {
        if self.sessions.contains_key(&token) {
            return Err(StoreError::Refused("there is such a session".to_owned()));
        }
        self.sessions.insert(token, session.clone());
        Ok(())
    }

    pub(super) fn find_session(&self, token: TokenHash, now_ms: i64) -> Option<Session> {
        self.sessions.get(&token).filter(|session| session.expires_ms > now_ms).cloned()
    }

    pub(super) fn revoke_session(&mut self, token: TokenHash) -> bool {
        self.sessions.remove(&token).is_some()
    }

    pub(super) fn revoke_sessions_of(&mut self, player: PlayerId) -> u64 {
        self.remove_sessions(|session| session.player == player)
    }

    pub(super) fn prune_sessions(&mut self, now_ms: i64) -> u64 {
        self.remove_sessions(|session| session.expires_ms <= now_ms)
    }

    fn remove_sessions(&mut self, is_over: impl Fn(&Session) -> bool) -> u64 {
        let before = self.sessions.len();
        self.sessions.retain(|_, session| !is_over(session));
        (before - self.sessions.len()) as u64
    }

    pub(super) fn create_account(&mut self, account: &Account) -> Result<(), StoreError> {
        if self.accounts.contains_key(&account.folded) {
            return Err(StoreError::NameTaken);
        }
        if self.account_of(account.player).is_some() {
            return Err(StoreError::HasAccount);
        }
        self.accounts.insert(account.folded.clone(), account.clone());
        Ok(())
    }

    pub(super) fn find_account(&self, folded: &str) -> Option<Account> {
        self.accounts.get(folded).cloned()
    }

    pub(super) fn account_of(&self, player: PlayerId) -> Option<Account> {
        self.accounts.values().find(|account| account.player == player).cloned()
    }

    pub(super) fn change_passphrase(&mut self, folded: &str, passphrase: &str) -> bool {
        let Some(account) = self.accounts.get_mut(folded) else { return false };
        account.passphrase = passphrase.to_owned();
        let player = account.player;
        self.revoke_sessions_of(player);
        true
    }
}
