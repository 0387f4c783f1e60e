//! `ghinda admin`: what an operator does to the database of a server, whether or not the server runs.

mod changes;
mod erase;
mod listing;

use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use store::{Database, ListedLog, LogKind, Store};

use crate::clock;
use crate::database_copies::runtime;

/// The exit code if the operator does not confirm a change.
const EXIT_DECLINED: u8 = 1;
/// How many logs are read at once.
const PAGE: u32 = 1_000;

/// Look after the database of a server: what takes room, closing, removing, erasing a player
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda admin usage                      what takes room
  ghinda admin list tables --sort age     the tables, the quietest first
  ghinda admin close 7rk2m0q9xw           close a table for good
  ghinda admin remove 7rk2m0q9xw          delete a table with its records
  ghinda admin erase --account Ana        erase a player

All of them work while a server runs on the database, and without one. Make a
backup first: ghinda backup before.db")]
pub(crate) struct AdminArgs {
    #[command(subcommand)]
    command: AdminCommand,
}

#[derive(Subcommand)]
enum AdminCommand {
    Usage(listing::UsageArgs),
    List(listing::ListArgs),
    Close(changes::CloseArgs),
    Remove(changes::RemoveArgs),
    Erase(erase::EraseArgs),
}

/// Whether the operator is asked before something is changed.
#[derive(Args)]
struct ConfirmArg {
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

impl AdminArgs {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<ExitCode> {
        let database = match &self.command {
            AdminCommand::Usage(usage) => &usage.database,
            AdminCommand::List(list) => &list.database,
            AdminCommand::Close(close) => &close.database,
            AdminCommand::Remove(remove) => &remove.database,
            AdminCommand::Erase(erase) => &erase.database,
        };
        runtime()?.block_on(async {
            let database = database.open().await?;
            let done = match &self.command {
                AdminCommand::Usage(usage) => usage.run(&database, out).await,
                AdminCommand::List(list) => list.run(&database, out).await,
                AdminCommand::Close(close) => close.run(&database, out).await,
                AdminCommand::Remove(remove) => remove.run(&database, out).await,
                AdminCommand::Erase(erase) => erase.run(&database, out).await,
            };
            database.close().await;
            done
        })
    }
}

impl ConfirmArg {
    /// Asks whether to go on. Without a terminal that is an error, as no one can answer.
    fn is_given(&self, question: &str) -> Result<bool> {
        if self.yes {
            return Ok(true);
        }
        if !io::stdin().is_terminal() {
            bail!("standard input is no terminal, so no one can be asked: add --yes to go on");
        }
        eprint!("{question} Type yes to go on: ");
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        let is_given = answer.trim() == "yes";
        if !is_given {
            eprintln!("nothing was changed");
        }
        Ok(is_given)
    }
}

/// All logs of a database.
async fn all_logs(database: &Database) -> Result<Vec<ListedLog>> {
    let mut logs: Vec<ListedLog> = Vec::new();
    loop {
        let after = logs.last().map(|listed| listed.info.log);
        let page = database.logs(after, PAGE).await?;
        let is_last = page.len() < PAGE as usize;
        logs.extend(page);
        if is_last {
            return Ok(logs);
        }
    }
}

/// What is done to a log now.
fn state(listed: &ListedLog) -> &'static str {
    let info = &listed.info;
    match info.kind {
        _ if info.archived > 0 && info.archived == info.last => "archived",
        LogKind::Table if info.closed => "closed",
        LogKind::Table | LogKind::Ledger => "open",
    }
}

fn kind(listed: &ListedLog) -> &'static str {
    match listed.info.kind {
        LogKind::Table => "table",
        LogKind::Ledger => "ledger",
    }
}

/// A number of bytes as people read it.
fn bytes_text(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let mut amount = bytes as f64 / 1024.0;
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut unit = UNITS[0];
    for larger in &UNITS[1..] {
        if amount < 1024.0 {
            break;
        }
        (amount, unit) = (amount / 1024.0, larger);
    }
    format!("{amount:.1} {unit}")
}

/// How long ago something was, as people read it.
fn age_text(at_ms: i64) -> String {
    let since = clock::millis().saturating_sub(at_ms.unsigned_abs());
    let minutes = Duration::from_millis(since).as_secs() / 60;
    match (minutes / 60, minutes / (24 * 60)) {
        (0, _) => format!("{minutes} min"),
        (hours, 0..=1) => format!("{hours} h"),
        (_, days) => format!("{days} days"),
    }
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn declined() -> ExitCode {
    ExitCode::from(EXIT_DECLINED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_written_in_units_that_fit() {
        for (bytes, text) in [
            (0, "0 B"),
            (1_023, "1023 B"),
            (1_024, "1.0 KiB"),
            (1_536, "1.5 KiB"),
            (5 << 20, "5.0 MiB"),
            (3 << 40, "3.0 TiB"),
            (5 << 50, "5120.0 TiB"),
        ] {
            assert_eq!(bytes_text(bytes), text);
        }
    }

    #[test]
    fn ages_are_written_in_units_that_fit() {
        let ago = |minutes: u64| age_text((clock::millis() - minutes * 60_000) as i64);
        assert_eq!(ago(0), "0 min");
        assert_eq!(ago(59), "59 min");
        assert_eq!(ago(47 * 60), "47 h");
        assert_eq!(ago(48 * 60), "2 days");
        // A clock that was ahead.
        assert_eq!(age_text(i64::MAX), "0 min");
    }
}
