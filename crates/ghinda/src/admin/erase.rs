//! `ghinda admin erase`: a player's names, chat, account and sessions are erased; what others played with
//! them stays.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use room::erasure::ERASED;
use server::accounts::fold_name;
use server::stored_logs::{self, ErasureError};
use store::{Database, LogId, PlayerId, PlayerTraces, Store};

use super::{ConfirmArg, DatabaseArg, all_logs, declined};
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

/// The last event of each log when it was searched.
#[derive(Default)]
struct LogSearch {
    searched: BTreeMap<LogId, u64>,
}

impl LogSearch {
    /// Finds the logs that name a player, among those that have changed since the last search.
    async fn find(&mut self, database: &Database, player: PlayerId) -> Result<Vec<LogId>> {
        let mut logs = all_logs(database).await?;
        logs.retain(|listed| self.searched.get(&listed.info.log) != Some(&listed.info.last));
        let bar = bar("searching");
        bar.set_length(logs.len() as u64);
        let mut found = Vec::new();
        for listed in &logs {
            let info = &listed.info;
            if stored_logs::names_player(database, info, player).await? {
                found.push(info.log);
            }
            self.searched.insert(info.log, info.last);
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(found)
    }
}

impl EraseArgs {
    pub(super) async fn run(&self, database: &Database, out: &mut impl Write) -> Result<ExitCode> {
        let player = self.who.find(database).await?;
        let traces = database.player_traces(player).await?;
        let mut search = LogSearch::default();
        let found = search.find(database, player).await?;
        describe(player, &traces, found.len())?;
        if !self.confirm.is_given("This cannot be undone.")? {
            return Ok(declined());
        }
        // Without a session the player writes nothing new. The account goes last: if this is interrupted,
        // the same command finishes it.
        database.revoke_sessions_of(player).await?;
        let (erased, failed) = erase_from_logs(database, player, found, &mut search).await?;
        database.erase_player(player, ERASED).await?;
        let plural = if erased == 1 { "" } else { "s" };
        writeln!(out, "{player} is erased, and their traces at {erased} table{plural}")?;
        if failed > 0 {
            bail!("{failed} logs still name {player}, for the reasons above");
        }
        Ok(ExitCode::SUCCESS)
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
fn describe(player: PlayerId, traces: &PlayerTraces, tables: usize) -> Result<()> {
    let PlayerTraces { account, sessions, seated, finished, owned } = traces;
    if account.is_none() && sessions + seated + finished + owned == 0 && tables == 0 {
        bail!("nothing is stored about a player {player}");
    }
    let account = account.as_deref().unwrap_or("none");
    eprintln!("player {player}");
    for (what, value) in [
        ("account", account.to_owned()),
        ("sessions", sessions.to_string()),
        ("seats at open tables", seated.to_string()),
        ("seats in finished matches", finished.to_string()),
        ("tables that name them", tables.to_string()),
    ] {
        eprintln!("  {what:<26} {value}");
    }
    Ok(())
}

/// Erases a player from these logs, and from those that have come to name them meanwhile. Returns how many
/// have changed, and how many could not be.
async fn erase_from_logs(
    database: &Database,
    player: PlayerId,
    mut found: Vec<LogId>,
    search: &mut LogSearch,
) -> Result<(u64, u64)> {
    let (mut erased, mut failed) = (0, 0);
    for _ in 0..ROUNDS {
        let bar = bar("erasing");
        bar.set_length(found.len() as u64);
        for log in found {
            match stored_logs::erase_player(database, log.as_table(), player).await {
                Ok(changed) => erased += u64::from(changed),
                Err(ErasureError::Store(error)) => return Err(error.into()),
                Err(error) => {
                    failed += 1;
                    bar.suspend(|| eprintln!("{log}: {error}"));
                }
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        found = search.find(database, player).await?;
        if found.is_empty() {
            break;
        }
    }
    Ok((erased, failed))
}
