//! Statements that are the same in both databases, written once.
//!
//! The macro is used inside `impl Store for Sqlite` and `impl Store for Postgres`, which both have a
//! pool `reading`, a `write_connection`, and `change`, which runs a single statement on the latter.

use crate::accounts::{Account, Session, SessionKind};
use crate::admission::from_stored;
use crate::error::StoreError;
use crate::event::{ClaimedLog, FinishedMatch, FinishedSeat, PastMatch, StoredEvent};
use crate::id::{Epoch, LogId, PlayerId, StoredId, TableId};

/// Columns `id, epoch, last_sequence, checkpoint`.
pub(crate) type ClaimRow = (i64, i64, i64, Option<i64>);
/// Columns `sequence, at_ms, body`.
pub(crate) type EventRow = (i64, i64, String);
/// Columns `table_id, number, rules, ended_ms, summary` and, of one seat, `player, name`.
pub(crate) type PastRow = (i64, i64, String, i64, String, Option<i64>, Option<String>);
/// Columns `player, kind, label, created_ms, expires_ms`.
pub(crate) type SessionRow = (i64, String, String, i64, i64);
/// Columns `folded, name, passphrase, player, created_ms`.
pub(crate) type AccountRow = (String, String, String, i64, i64);

pub(crate) fn claim((table, epoch, last, checkpoint): ClaimRow) -> Result<ClaimedLog, StoreError> {
    Ok(ClaimedLog {
        log: LogId::from_stored(table)?,
        epoch: Epoch::new(from_stored(epoch)?),
        last: from_stored(last)?,
        checkpoint: checkpoint.map(from_stored).transpose()?,
    })
}

pub(crate) fn event((sequence, at_ms, body): EventRow) -> Result<StoredEvent, StoreError> {
    Ok(StoredEvent { sequence: from_stored(sequence)?, at_ms, body })
}

/// Groups rows into matches: there is one row per seat, in the order of matches and seats.
pub(crate) fn past_matches(rows: Vec<PastRow>) -> Result<Vec<PastMatch>, StoreError> {
    let mut matches: Vec<PastMatch> = Vec::new();
    for (table, number, rules, ended_ms, summary, player, name) in rows {
        let table = TableId::from_stored(table)?;
        let number = u32::try_from(number)
            .map_err(|_| StoreError::Corrupt(format!("{number} is not a number of a match")))?;
        let player = player.map(PlayerId::from_stored).transpose()?;
        let seat = name.map(|name| FinishedSeat { player, name });
        match matches.last_mut() {
            Some(last) if last.table == table && last.finished.number == number => {
                last.finished.seats.extend(seat);
            }
            _ => {
                let seats = seat.into_iter().collect();
                let finished = FinishedMatch { number, rules, ended_ms, seats, summary };
                matches.push(PastMatch { table, finished });
            }
        }
    }
    Ok(matches)
}

pub(crate) fn session(row: SessionRow) -> Result<Session, StoreError> {
    let (player, kind, label, created_ms, expires_ms) = row;
    let player = PlayerId::from_stored(player)?;
    Ok(Session { player, kind: SessionKind::from_stored(&kind)?, label, created_ms, expires_ms })
}

pub(crate) fn account(row: AccountRow) -> Result<Account, StoreError> {
    let (folded, name, passphrase, player, created_ms) = row;
    let player = PlayerId::from_stored(player)?;
    Ok(Account { name, folded, passphrase, player, created_ms })
}

macro_rules! statements_of_both_databases {
    () => {
        async fn ping(&self) -> Result<(), StoreError> {
            let query = sqlx::query("SELECT version FROM schema_version");
            with_timeout(Risk::None, query.fetch_one(&self.reading)).await?;
            Ok(())
        }

        async fn create(
            &self,
            kind: LogKind,
            log: LogId,
            at_ms: i64,
        ) -> Result<Epoch, StoreError> {
            let insert = sqlx::query(
                "INSERT INTO tables (id, epoch, last_sequence, closed, created_ms, ledger)
                 VALUES ($1, $2, 0, FALSE, $3, $4) ON CONFLICT DO NOTHING",
            );
            let insert = insert.bind(log.stored()).bind(to_stored(Epoch::FIRST.get())).bind(at_ms);
            match self.change(insert.bind(kind == LogKind::Ledger)).await? {
                0 => Err(StoreError::TableExists),
                _ => Ok(Epoch::FIRST),
            }
        }

        async fn claim(&self, kind: LogKind, log: LogId) -> Result<Option<ClaimedLog>, StoreError> {
            let claimed = sqlx::query_as::<_, ClaimRow>(
                "UPDATE tables SET epoch = epoch + 1
                 WHERE id = $1 AND NOT closed AND ledger = $2
                 RETURNING id, epoch, last_sequence, checkpoint",
            );
            let mut connection = self.write_connection.hold().await?;
            // Reads to the end of the answer, though it has one row: the commit follows the row.
            let claimed = claimed.bind(log.stored()).bind(kind == LogKind::Ledger);
            let claimed = claimed.fetch_all(&mut *connection);
            let mut claimed = with_timeout(Risk::Commits, claimed).await?;
            connection.put_back();
            claimed.pop().map(statements::claim).transpose()
        }

        async fn claim_all_open(&self) -> Result<Vec<ClaimedLog>, StoreError> {
            let mut connection = self.write_connection.hold().await?;
            let claimed = sqlx::query_as::<_, ClaimRow>(CLAIM_ALL_OPEN).fetch_all(&mut *connection);
            let claimed = with_timeout(Risk::Commits, claimed).await?;
            connection.put_back();
            let mut claims: Vec<ClaimedLog> =
                claimed.into_iter().map(statements::claim).collect::<Result<_, _>>()?;
            claims.sort_by_key(|claim| claim.log);
            Ok(claims)
        }

        async fn quiet_tables(
            &self,
            before_ms: i64,
            limit: u32,
        ) -> Result<Vec<TableId>, StoreError> {
            let quiet = sqlx::query_scalar::<_, i64>(
                "SELECT tables.id FROM tables
                 JOIN events ON table_id = tables.id AND sequence = last_sequence
                 WHERE NOT closed AND NOT ledger AND at_ms < $1 ORDER BY tables.id LIMIT $2",
            );
            let quiet = quiet.bind(before_ms).bind(i64::from(limit));
            let quiet = with_timeout(Risk::None, quiet.fetch_all(&self.reading)).await?;
            quiet.into_iter().map(TableId::from_stored).collect()
        }

        async fn events(
            &self,
            log: LogId,
            from: u64,
            limit: u32,
        ) -> Result<Vec<StoredEvent>, StoreError> {
            let query = sqlx::query_as::<_, EventRow>(
                "SELECT sequence, at_ms, body FROM events
                 WHERE table_id = $1 AND sequence >= $2 ORDER BY sequence LIMIT $3",
            );
            let query = query.bind(log.stored()).bind(to_stored(from)).bind(i64::from(limit));
            let rows = with_timeout(Risk::None, query.fetch_all(&self.reading)).await?;
            rows.into_iter().map(statements::event).collect()
        }

        async fn checkpoint(&self, log: LogId) -> Result<Option<u64>, StoreError> {
            let checkpoint = sqlx::query_scalar::<_, Option<i64>>(
                "SELECT checkpoint FROM tables WHERE id = $1",
            );
            let checkpoint = checkpoint.bind(log.stored()).fetch_optional(&self.reading);
            with_timeout(Risk::None, checkpoint).await?.flatten().map(from_stored).transpose()
        }

        async fn last_sequence(&self, log: LogId) -> Result<Option<u64>, StoreError> {
            let last =
                sqlx::query_scalar::<_, i64>("SELECT last_sequence FROM tables WHERE id = $1");
            let last = last.bind(log.stored()).fetch_optional(&self.reading);
            with_timeout(Risk::None, last).await?.map(from_stored).transpose()
        }

        async fn finished_match(
            &self,
            table: TableId,
            number: u32,
        ) -> Result<Option<PastMatch>, StoreError> {
            let query = sqlx::query_as::<_, PastRow>(
                "SELECT finished.table_id, finished.number, rules, finished.ended_ms, summary,
                        player, name
                 FROM finished LEFT JOIN finished_seats
                   ON finished_seats.table_id = finished.table_id
                   AND finished_seats.number = finished.number
                 WHERE finished.table_id = $1 AND finished.number = $2 ORDER BY seat",
            );
            let query = query.bind(table.stored()).bind(i64::from(number));
            let rows = with_timeout(Risk::None, query.fetch_all(&self.reading)).await?;
            Ok(statements::past_matches(rows)?.pop())
        }

        async fn history(
            &self,
            player: PlayerId,
            after: Option<Cursor>,
            limit: u32,
        ) -> Result<Vec<PastMatch>, StoreError> {
            // A player may have had two seats in a match, which counts once.
            let query = sqlx::query_as::<_, PastRow>(
                "SELECT finished.table_id, finished.number, rules, finished.ended_ms, summary,
                        seats.player, seats.name
                 FROM (SELECT DISTINCT ended_ms, table_id, number FROM finished_seats
                       WHERE player = $1 AND (ended_ms, table_id, number) < ($2, $3, $4)
                       ORDER BY ended_ms DESC, table_id DESC, number DESC LIMIT $5) AS page
                 JOIN finished
                   ON finished.table_id = page.table_id AND finished.number = page.number
                 JOIN finished_seats AS seats
                   ON seats.table_id = page.table_id AND seats.number = page.number
                 ORDER BY page.ended_ms DESC, page.table_id DESC, page.number DESC, seats.seat",
            );
            let position = |cursor: Cursor| {
                (cursor.ended_ms, cursor.table.stored(), i64::from(cursor.number))
            };
            let (ended_ms, table, number) = after.map_or((i64::MAX, i64::MAX, i64::MAX), position);
            let query = query.bind(player.stored()).bind(ended_ms).bind(table).bind(number);
            let query = query.bind(i64::from(limit)).fetch_all(&self.reading);
            statements::past_matches(with_timeout(Risk::None, query).await?)
        }

        async fn create_session(
            &self,
            token: TokenHash,
            session: &Session,
        ) -> Result<(), StoreError> {
            let insert = sqlx::query(
                "INSERT INTO sessions (token, player, kind, label, created_ms, expires_ms)
                 VALUES ($1, $2, $3, $4, $5, $6)",
            );
            let insert = insert.bind(token.0.to_vec()).bind(session.player.stored());
            let insert = insert.bind(session.kind.stored()).bind(session.label.clone());
            self.change(insert.bind(session.created_ms).bind(session.expires_ms)).await?;
            Ok(())
        }

        async fn find_session(
            &self,
            token: TokenHash,
            now_ms: i64,
        ) -> Result<Option<Session>, StoreError> {
            let query = sqlx::query_as::<_, SessionRow>(
                "SELECT player, kind, label, created_ms, expires_ms FROM sessions
                 WHERE token = $1 AND expires_ms > $2",
            );
            let query = query.bind(token.0.to_vec()).bind(now_ms).fetch_optional(&self.reading);
            with_timeout(Risk::None, query).await?.map(statements::session).transpose()
        }

        async fn move_session(&self, token: TokenHash, to: PlayerId) -> Result<bool, StoreError> {
            let moved = sqlx::query("UPDATE sessions SET player = $2 WHERE token = $1");
            Ok(self.change(moved.bind(token.0.to_vec()).bind(to.stored())).await? > 0)
        }

        async fn revoke_session(&self, token: TokenHash) -> Result<bool, StoreError> {
            let revoked = sqlx::query("DELETE FROM sessions WHERE token = $1");
            Ok(self.change(revoked.bind(token.0.to_vec())).await? > 0)
        }

        async fn revoke_sessions_of(&self, player: PlayerId) -> Result<u64, StoreError> {
            let revoked = sqlx::query("DELETE FROM sessions WHERE player = $1");
            self.change(revoked.bind(player.stored())).await
        }

        async fn prune_sessions(&self, now_ms: i64) -> Result<u64, StoreError> {
            let pruned = sqlx::query("DELETE FROM sessions WHERE expires_ms <= $1");
            self.change(pruned.bind(now_ms)).await
        }

        async fn create_account(&self, account: &Account) -> Result<(), StoreError> {
            let insert = sqlx::query(
                "INSERT INTO accounts (folded, name, passphrase, player, created_ms)
                 VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
            );
            let insert = insert.bind(account.folded.clone()).bind(account.name.clone());
            let insert = insert.bind(account.passphrase.clone()).bind(account.player.stored());
            if self.change(insert.bind(account.created_ms)).await? > 0 {
                return Ok(());
            }
            // Accounts are never removed, so the conflicting one still exists.
            match self.find_account(&account.folded).await? {
                Some(_) => Err(StoreError::NameTaken),
                None => Err(StoreError::HasAccount),
            }
        }

        async fn find_account(&self, folded: &str) -> Result<Option<Account>, StoreError> {
            let query = sqlx::query_as::<_, AccountRow>(
                "SELECT folded, name, passphrase, player, created_ms FROM accounts
                 WHERE folded = $1",
            );
            let query = query.bind(folded.to_owned()).fetch_optional(&self.reading);
            with_timeout(Risk::None, query).await?.map(statements::account).transpose()
        }

        async fn account_of(&self, player: PlayerId) -> Result<Option<Account>, StoreError> {
            let query = sqlx::query_as::<_, AccountRow>(
                "SELECT folded, name, passphrase, player, created_ms FROM accounts
                 WHERE player = $1",
            );
            let query = query.bind(player.stored()).fetch_optional(&self.reading);
            with_timeout(Risk::None, query).await?.map(statements::account).transpose()
        }

        async fn change_passphrase(
            &self,
            folded: &str,
            passphrase: &str,
        ) -> Result<bool, StoreError> {
            let changed = sqlx::query("UPDATE accounts SET passphrase = $2 WHERE folded = $1");
            let changed = changed.bind(folded.to_owned()).bind(passphrase.to_owned());
            Ok(self.change(changed).await? > 0)
        }
    };
}

pub(crate) use statements_of_both_databases;
