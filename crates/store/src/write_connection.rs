//! The one connection that writes: transactions come one after the other anyway.
//!
//! Whatever interrupts a transaction also ends its connection, which leaves nothing half done behind:
//! a database may have rolled back by itself or not, and a pooled connection would not know.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use sqlx::{ConnectOptions, Connection, Database};
use tokio::sync::{Mutex, MutexGuard};
use tokio::time::Instant;

use crate::error::{Risk, StoreError, within};

/// A connection that rested this long is asked whether it still lives.
const RESTED: Duration = Duration::from_secs(1);

pub(crate) struct WriteConnection<DB: Database> {
    options: <DB::Connection as Connection>::Options,
    kept: Mutex<Option<IdleConnection<DB>>>,
}

struct IdleConnection<DB: Database> {
    connection: DB::Connection,
    since: Instant,
}

/// The connection while somebody uses it; it is closed unless it is put back.
pub(crate) struct HeldConnection<'a, DB: Database> {
    place: MutexGuard<'a, Option<IdleConnection<DB>>>,
    connection: DB::Connection,
}

impl<DB: Database> WriteConnection<DB> {
    pub(crate) fn new(options: <DB::Connection as Connection>::Options) -> Self {
        Self { options, kept: Mutex::new(None) }
    }

    /// Waits for whoever writes now; connects when there is no connection or it has died.
    pub(crate) async fn hold(&self) -> Result<HeldConnection<'_, DB>, StoreError> {
        let mut place = self.kept.lock().await;
        if let Some(mut kept) = place.take() {
            let lives = kept.since.elapsed() < RESTED
                || within(Risk::None, kept.connection.ping()).await.is_ok();
            if lives {
                return Ok(HeldConnection { place, connection: kept.connection });
            }
        }
        let connection = within(Risk::None, self.options.connect()).await?;
        Ok(HeldConnection { place, connection })
    }

    /// Ends the connection, if there is one, properly.
    pub(crate) async fn close(&self) {
        if let Some(kept) = self.kept.lock().await.take() {
            // What it wrote is committed; a failing farewell changes nothing.
            let _ = within(Risk::None, kept.connection.close()).await;
        }
    }
}

impl<DB: Database> HeldConnection<'_, DB> {
    /// To be called when the connection is at rest, outside any transaction.
    pub(crate) fn put_back(mut self) {
        *self.place = Some(IdleConnection { connection: self.connection, since: Instant::now() });
    }
}

impl<DB: Database> Deref for HeldConnection<'_, DB> {
    type Target = DB::Connection;

    fn deref(&self) -> &DB::Connection {
        &self.connection
    }
}

impl<DB: Database> DerefMut for HeldConnection<'_, DB> {
    fn deref_mut(&mut self) -> &mut DB::Connection {
        &mut self.connection
    }
}
