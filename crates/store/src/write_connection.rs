//! The one connection that writes: transactions run one after the other anyway.
//!
//! If a transaction is interrupted, its connection is closed, so that nothing is left half done: the
//! database may or may not have rolled back by itself, and a pooled connection would not know.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use sqlx::{ConnectOptions, Connection, Database};
use tokio::sync::{Mutex, MutexGuard};
use tokio::time::Instant;

use crate::error::{Risk, StoreError, with_timeout};

/// A connection that was idle this long is checked before use.
const IDLE_BEFORE_CHECK: Duration = Duration::from_secs(1);

pub(crate) struct WriteConnection<DB: Database> {
    options: <DB::Connection as Connection>::Options,
    idle: Mutex<Option<IdleConnection<DB>>>,
}

struct IdleConnection<DB: Database> {
    connection: DB::Connection,
    since: Instant,
}

/// The connection in use; it is closed unless it is put back.
pub(crate) struct HeldConnection<'a, DB: Database> {
    slot: MutexGuard<'a, Option<IdleConnection<DB>>>,
    connection: DB::Connection,
}

impl<DB: Database> WriteConnection<DB> {
    pub(crate) fn new(options: <DB::Connection as Connection>::Options) -> Self {
        Self { options, idle: Mutex::new(None) }
    }

    /// Waits until the connection is free; connects if there is no connection or it is broken.
    pub(crate) async fn hold(&self) -> Result<HeldConnection<'_, DB>, StoreError> {
        let mut slot = self.idle.lock().await;
        if let Some(mut idle) = slot.take() {
            let is_alive = idle.since.elapsed() < IDLE_BEFORE_CHECK
                || with_timeout(Risk::None, idle.connection.ping()).await.is_ok();
            if is_alive {
                return Ok(HeldConnection { slot, connection: idle.connection });
            }
        }
        let connection = with_timeout(Risk::None, self.options.connect()).await?;
        Ok(HeldConnection { slot, connection })
    }

    /// Closes the connection properly, if there is one.
    pub(crate) async fn close(&self) {
        if let Some(idle) = self.idle.lock().await.take() {
            // Its writes are committed; an error while closing changes nothing.
            let _ = with_timeout(Risk::None, idle.connection.close()).await;
        }
    }
}

impl<DB: Database> HeldConnection<'_, DB> {
    /// Returns the connection, which must be outside any transaction.
    pub(crate) fn put_back(mut self) {
        *self.slot = Some(IdleConnection { connection: self.connection, since: Instant::now() });
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
