//! `ghinda admin close` and `ghinda admin remove`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use server::stored_logs;
use store::{Database, LogId, LogKind, Store, TableId};

use super::{ConfirmArg, bytes_text, counted, declined};
use crate::clock;
use crate::database_arg::DatabaseArg;

/// Close tables for good; their records stay
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda admin close 7rk2m0q9xw
  ghinda admin close 7rk2m0q9xw 0d3m8c1vtz --database /var/lib/ghinda/ghinda.db

A server that runs on the database notices when a client acts at the table, and
ends the connections. A table with a damaged log can be closed too.")]
pub(super) struct CloseArgs {
    /// The tables, as in their links
    #[arg(required = true, value_name = "TABLE")]
    tables: Vec<TableId>,
    #[command(flatten)]
    pub(super) database: DatabaseArg,
}

/// Delete tables and ledgers for good, with their records
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda admin remove 7rk2m0q9xw
  ghinda admin remove 7rk2m0q9xw 0d3m8c1vtz --yes   without asking

The matches disappear from the histories of their players. Only a backup brings
them back.")]
pub(super) struct RemoveArgs {
    /// The tables, contests and score sheets, as in their links
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<LogId>,
    #[command(flatten)]
    confirm: ConfirmArg,
    #[command(flatten)]
    pub(super) database: DatabaseArg,
}

impl CloseArgs {
    pub(super) async fn run(&self, database: &Database, out: &mut impl Write) -> Result<ExitCode> {
        let mut missing = 0;
        for table in &self.tables {
            if stored_logs::close_table(database, *table, clock::millis()).await? {
                writeln!(out, "{table} is closed")?;
                continue;
            }
            match database.find_log((*table).into()).await? {
                Some(info) if info.kind == LogKind::Ledger => {
                    missing += 1;
                    eprintln!("{table} is a contest or a score sheet, which are never closed");
                }
                Some(info) if info.closed => writeln!(out, "{table} was closed before")?,
                Some(_) | None => {
                    missing += 1;
                    eprintln!("there is no table {table}");
                }
            }
        }
        if missing > 0 {
            bail!("{missing} of {} were not closed", counted(self.tables.len() as u64, "table"));
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl RemoveArgs {
    pub(super) async fn run(&self, database: &Database, out: &mut impl Write) -> Result<ExitCode> {
        // All are found before the first is removed: a typing error changes nothing.
        for log in &self.logs {
            let Some(info) = database.find_log(*log).await? else {
                bail!("there is no table and no ledger {log}; nothing was removed");
            };
            let what = match (info.kind, info.closed) {
                (LogKind::Table, true) => "a closed table",
                (LogKind::Table, false) => "an open table",
                (LogKind::Ledger, _) => "a contest or a score sheet",
            };
            eprintln!("{log}: {what}, {}, {}", counted(info.last, "event"), bytes_text(info.bytes));
        }
        if !self.confirm.is_given("This deletes them for good.")? {
            return Ok(declined());
        }
        for log in &self.logs {
            match database.remove(*log, None).await? {
                true => writeln!(out, "{log} is removed")?,
                false => eprintln!("{log} is removed already"),
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
