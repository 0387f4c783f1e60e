//! The database of a command that is about what is stored already.

use anyhow::{Context, Result, bail};
use clap::Args;
use store::Database;

use crate::serve;

/// The database of a command.
#[derive(Args)]
pub(crate) struct DatabaseArg {
    /// The database
    #[arg(long, env = "GHINDA_DATABASE", value_name = "URL", default_value = serve::DATABASE)]
    #[arg(hide_env_values = true)]
    database: String,
}

impl DatabaseArg {
    /// Opens the database, which must exist.
    pub(crate) async fn open(&self) -> Result<Database> {
        open_existing(&self.database).await
    }
}

/// Opens a database. A missing file is an error: a new database would hold nothing.
pub(crate) async fn open_existing(address: &str) -> Result<Database> {
    if let Some(path) = Database::file_of(address)?
        && !path.exists()
    {
        bail!("there is no database {}: name it with --database", path.display());
    }
    Database::open(address).await.context("cannot open the database")
}
