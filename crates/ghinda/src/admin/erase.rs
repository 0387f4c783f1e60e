//! `ghinda admin erase`: a player's names, chat, account and sessions are erased; what others played with
//! them stays.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use indicatif::ProgressBar;
use room::erasure::ERASED;
use server::accounts::fold_name;
use server::stored_logs::{self, ErasureError};
use store::{Database, LogId, PlayerId, PlayerTraces, Store, StoreError};

use super::{ConfirmArg, all_logs, counted, declined};
use crate::database_arg::DatabaseArg;
use crate::database_copies::bar;

/// How often logs are searched again that have changed meanwhile.
const ROUNDS: usize = 5;

/// Erase a player: their account, sessions, names and chat
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda admin erase --account Ana
  ghinda admin erase --player 3vq0d8m1k2xwz --yes   without asking

Their sessions and their account are deleted. At all tables, archived ones too,
their names and their chat become a dash and their number another one, so that
the matches stay readable and can still be verified.

Not reached: what others wrote about them, names in contests and score sheets,
words that they added to a shuffle, backups, and what others have downloaded.
A guest who has logged in was another player before. If they are connected now,
stop the server first, or erase them again afterwards.")]
pub(super) struct EraseArgs {
    #[command(flatten)]
    who: PlayerArg,
    #[command(flatten)]
    confirm: ConfirmArg,
    #[command(flatten)]
    pub(super) database: DatabaseArg,
}

/// A player, named in one of two ways.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct PlayerArg {
    /// The player, as GET /api/me names them
    #[arg(long, value_name = "ID")]
    player: Option<PlayerId>,
    /// The name of their account
    #[arg(long, value_name = "NAME")]
    account: Option<String>,
}

/// A player is erased from all logs that name them.
struct LogErasure<'a> {
    database: &'a Database,
    player: PlayerId,
    /// The last event of each log when it was searched.
    searched: BTreeMap<LogId, u64>,
    /// How many logs have changed.
    erased: u64,
    /// Logs that cannot be searched or changed.
    failed: BTreeSet<LogId>,
}

impl LogErasure<'_> {
    fn new(database: &Database, player: PlayerId) -> LogErasure<'_> {
        let (searched, failed) = (BTreeMap::new(), BTreeSet::new());
        LogErasure { database, player, searched, erased: 0, failed }
    }

    /// Finds the logs that name the player, among those that have changed since the last search. A damaged
    /// one is named to the operator, and does not stop the search.
    async fn find(&mut self) -> Result<Vec<LogId>> {
        let mut logs = all_logs(self.database).await?;
        logs.retain(|listed| self.searched.get(&listed.info.log) != Some(&listed.info.last));
        let bar = bar("searching");
        bar.set_length(logs.len() as u64);
        let mut found = Vec::new();
        for listed in &logs {
            let info = &listed.info;
            match stored_logs::names_player(self.database, info, self.player).await {
                Ok(true) => found.push(info.log),
                Ok(false) => {}
                Err(error @ StoreError::Corrupt(_)) => self.fail(info.log, &error, &bar),
                Err(error) => return Err(error.into()),
            }
            self.searched.insert(info.log, info.last);
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(found)
    }

    fn fail(&mut self, log: LogId, error: &dyn Error, bar: &ProgressBar) {
        bar.suspend(|| eprintln!("{log}: {error}"));
        self.failed.insert(log);
    }

    /// Erases the player from these logs.
    async fn erase_from(&mut self, logs: Vec<LogId>) -> Result<()> {
        let bar = bar("erasing");
        bar.set_length(logs.len() as u64);
        for log in logs {
            match stored_logs::erase_player(self.database, log.as_table(), self.player).await {
                Ok(changed) => {
                    self.erased += u64::from(changed);
                    self.failed.remove(&log);
                }
                Err(ErasureError::Store(error)) if !is_of_one_log(&error) => {
                    return Err(error.into());
                }
                Err(error) => self.fail(log, &error, &bar),
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Erases the player from these logs, and from those that have come to name them meanwhile. Returns
    /// those that name them after all rounds.
    async fn erase(&mut self, mut found: Vec<LogId>) -> Result<Vec<LogId>> {
        for _ in 0..ROUNDS {
            self.erase_from(found).await?;
            found = self.find().await?;
            if found.is_empty() {
                break;
            }
        }
        Ok(found)
    }
}

/// Whether an error concerns one log: the others can be read and written.
fn is_of_one_log(error: &StoreError) -> bool {
    matches!(error, StoreError::Corrupt(_) | StoreError::Refused(_))
}

/// Erases a player from the database, and says what was done. An error if anything is left of them.
async fn erase(
    mut logs: LogErasure<'_>,
    found: Vec<LogId>,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let (database, player) = (logs.database, logs.player);
    // Without a session the player writes nothing new. The account goes last: if this is interrupted,
    // the same command finishes it.
    database.revoke_sessions_of(player).await?;
    let left = logs.erase(found).await?;
    database.erase_player(player, ERASED).await?;
    let tables = counted(logs.erased, "table");
    if left.is_empty() && logs.failed.is_empty() {
        writeln!(out, "{player} is erased, and their traces at {tables}")?;
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("erased: the account and the sessions of {player}, and their traces at {tables}");
    if !logs.failed.is_empty() {
        let failed = counted(logs.failed.len() as u64, "log");
        eprintln!("not erased: {failed} may still name {player}, for the reasons above");
    }
    if !left.is_empty() {
        let left = counted(left.len() as u64, "table");
        eprintln!(
            "not erased: {player} is still connected, and is named again at {left}. Stop the server, or \
             wait until they have left, and run: ghinda admin erase --player {player}"
        );
    }
    bail!("{player} is not erased completely")
}

impl EraseArgs {
    pub(super) async fn run(&self, database: &Database, out: &mut impl Write) -> Result<ExitCode> {
        let player = self.who.find(database).await?;
        let traces = database.player_traces(player).await?;
        let mut logs = LogErasure::new(database, player);
        let found = logs.find().await?;
        describe(player, &traces, found.len(), logs.failed.len())?;
        if !self.confirm.is_given("This cannot be undone.")? {
            return Ok(declined());
        }
        erase(logs, found, out).await
    }
}

impl PlayerArg {
    async fn find(&self, database: &Database) -> Result<PlayerId> {
        if let Some(player) = self.player {
            return Ok(player);
        }
        let name = self.account.as_deref().unwrap_or_default();
        let folded = fold_name(name)?;
        let account = database.find_account(&folded).await?;
        account.map(|account| account.player).ok_or_else(|| anyhow!("there is no account {name}"))
    }
}

/// Says what is going to be erased; an error if that is nothing.
fn describe(player: PlayerId, traces: &PlayerTraces, tables: usize, damaged: usize) -> Result<()> {
    let PlayerTraces { account, sessions, seated, finished, opened } = traces;
    if account.is_none() && sessions + seated + finished + opened == 0 && tables == 0 {
        let where_readable = if damaged == 0 { "" } else { ", where it can be read" };
        bail!("nothing is stored about a player {player}{where_readable}");
    }
    let account = account.as_deref().unwrap_or("none");
    eprintln!("player {player}");
    for (what, value) in [
        ("account", account.to_owned()),
        ("sessions", sessions.to_string()),
        ("seats at open tables", seated.to_string()),
        ("seats in finished matches", finished.to_string()),
        ("tables that name them", tables.to_string()),
        ("logs that cannot be read", damaged.to_string()),
    ] {
        eprintln!("  {what:<26} {value}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use futures_util::FutureExt;
    use game::Rules;
    use game::fair::Secret;
    use room::{Entry, Key, LoggedEntry, Opening, log};
    use store::{
        Append, AppendOutcome, AppendStore, FaultPlan, LogKind, MemoryDatabase, NewEvent, NoFaults,
        Operation, OperationFate,
    };
    use wire::table::Pace;

    use super::*;

    fn player() -> PlayerId {
        PlayerId::new(1_234_567_890).expect("an id")
    }

    /// Opens a table of the player.
    async fn open_table(store: &MemoryDatabase, number: u64) {
        let table = LogId::new(number).expect("an id");
        let opening = Opening {
            rules: Rules::from_code("cruce2").expect("rules"),
            pace: Pace::Off,
            listed: true,
            host: player(),
            key: Key::new([7; 16]),
            secret: Secret::from_phrase("word"),
            siblings: Vec::new(),
            contest: None,
        };
        let logged = LoggedEntry { at: 1, command: None, entry: Entry::Opened(Box::new(opening)) };
        let epoch = store.create(LogKind::Table, table, None, 1).await.expect("created");
        let events = vec![NewEvent { at_ms: 1, body: log::encode(&logged) }];
        let append = Append { log: table, epoch, first: 1, events, linked_writes: Vec::new() };
        assert_eq!(store.append(&[append]).await, Ok(vec![AppendOutcome::Done]));
    }

    /// The player opens a new table whenever they are erased from one, up to a number of tables.
    struct StillConnected {
        store: MemoryDatabase,
        opened: AtomicU64,
        most: u64,
    }

    impl FaultPlan for StillConnected {
        fn fate(&self, operation: &Operation<'_>) -> OperationFate {
            if operation.name == "rewrite" && self.opened.load(Ordering::Relaxed) < self.most {
                let number = 1 + self.opened.fetch_add(1, Ordering::Relaxed);
                open_table(&self.store, number).now_or_never().expect("it answers at once");
            }
            OperationFate::default()
        }
    }

    /// Erases the player, who opens this many tables, and returns what is written and the error.
    async fn erased(most: u64) -> (String, Option<String>) {
        let memory = MemoryDatabase::default();
        open_table(&memory, 1).await;
        let store = memory.open_again(Arc::new(NoFaults));
        let connected = StillConnected { store, opened: AtomicU64::new(1), most };
        let database = Database::Memory(memory.open_again(Arc::new(connected)));
        let mut logs = LogErasure::new(&database, player());
        let found = logs.find().await.expect("searched");
        let mut out = Vec::new();
        let outcome = erase(logs, found, &mut out).await;
        (String::from_utf8(out).expect("UTF-8"), outcome.err().map(|error| error.to_string()))
    }

    #[tokio::test]
    async fn a_player_who_is_named_again_is_erased_again() {
        let (out, error) = erased(ROUNDS as u64).await;
        assert_eq!(error, None);
        assert!(out.contains("5 tables"), "{out}");
    }

    #[tokio::test]
    async fn a_player_who_is_named_again_and_again_is_no_success() {
        let (out, error) = erased(u64::MAX).await;
        assert_eq!(out, "");
        assert!(error.is_some_and(|error| error.contains("is not erased completely")));
    }
}
