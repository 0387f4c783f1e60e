//! `ghinda backup`, `ghinda restore` and `ghinda export`: copies of the database and of its
//! records.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use server::stored_logs;
use store::{Database, Progress, Store, TableId};

use crate::database_arg::DatabaseArg;
use crate::serve;

/// Copy the database into one SQLite file while the server runs
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda backup tonight.db
  ghinda backup tonight.db --database postgres://ghinda@localhost/ghinda

The copy is consistent: it holds the state of one moment. It can be served
directly (--database tonight.db), or copied into another database by ghinda
restore. An existing file is never replaced.")]
pub(crate) struct BackupArgs {
    /// The file to write
    to: PathBuf,
    #[command(flatten)]
    database: DatabaseArg,
}

/// Fill an empty database from a backup
#[derive(Args)]
#[command(after_help = "Example:
  ghinda restore tonight.db --database postgres://ghinda@localhost/ghinda")]
pub(crate) struct RestoreArgs {
    /// The backup
    from: PathBuf,
    /// The database to fill; it must be empty
    #[arg(long, env = "GHINDA_DATABASE", value_name = "URL", default_value = serve::DATABASE)]
    #[arg(hide_env_values = true)]
    database: String,
}

/// Print the record of a match that was played on a server
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda export 7rk2m0q9xw > match.record     the first match of a table
  ghinda export 7rk2m0q9xw --match 3 --json
  ghinda export 7rk2m0q9xw | ghinda verify -  recheck every deal, card and score

A match that is not over is printed up to its last action, without its secret.")]
pub(crate) struct ExportArgs {
    /// The name of the table, as in its link
    table: TableId,
    /// The number of the match at the table
    #[arg(long = "match", default_value_t = 1, value_name = "N")]
    number: u32,
    /// Print JSON lines
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: DatabaseArg,
}

pub(crate) fn runtime() -> Result<tokio::runtime::Runtime> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.context("cannot start the runtime")
}

/// A progress bar on standard error. It is cleared at the end, and hidden without a terminal.
pub(crate) fn bar(message: &'static str) -> ProgressBar {
    let bar = ProgressBar::new(0).with_message(message);
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn update(bar: &ProgressBar) -> impl FnMut(Progress) + Send + use<> {
    let bar = bar.clone();
    move |progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.done);
    }
}

impl BackupArgs {
    pub(crate) fn run(&self) -> Result<()> {
        runtime()?.block_on(async {
            let database = self.database.open().await?;
            let bar = bar("copying");
            let done = database.backup(&self.to, update(&bar)).await;
            bar.finish_and_clear();
            database.close().await;
            done.context("nothing was copied")
        })
    }
}

impl RestoreArgs {
    pub(crate) fn run(&self) -> Result<()> {
        runtime()?.block_on(async {
            let database = Database::open(&self.database).await?;
            let bar = bar("restoring");
            let done = database.restore(&self.from, update(&bar)).await;
            bar.finish_and_clear();
            database.close().await;
            done.context("nothing was restored")
        })
    }
}

impl ExportArgs {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        let record = runtime()?.block_on(async {
            let database = self.database.open().await?;
            let record = stored_logs::record(&database, self.table, self.number).await;
            database.close().await;
            anyhow::Ok(record?)
        })?;
        let Some(record) = record else {
            bail!("table {} has no match {}", self.table, self.number);
        };
        match self.json {
            true => write!(out, "{}", wire::record::to_lines(&record))?,
            false => write!(out, "{record}")?,
        }
        Ok(())
    }
}
