//! Acquires logs: those of callers that wait at the same time in one transaction with one sync.
//!
//! After a start all clients connect again, and each of their tables must be acquired.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::error::StoreError;
use crate::event::AcquiredLog;
use crate::id::{LogId, LogKind};
use crate::store::Store;

type AcquireResult = Result<Option<AcquiredLog>, StoreError>;

/// Acquires the logs of one kind.
pub struct AcquireQueue<S> {
    store: Arc<S>,
    kind: LogKind,
    waiting: Mutex<Vec<(LogId, oneshot::Sender<AcquireResult>)>>,
    /// Held by the caller that acquires for all that wait.
    turn: tokio::sync::Mutex<()>,
}

impl<S: Store> AcquireQueue<S> {
    /// The queue for the logs of this kind in a store.
    pub fn new(store: Arc<S>, kind: LogKind) -> AcquireQueue<S> {
        let (waiting, turn) = (Mutex::default(), tokio::sync::Mutex::default());
        AcquireQueue { store, kind, waiting, turn }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(LogId, oneshot::Sender<AcquireResult>)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a log over from its owner. Returns `None` if there is none of that kind, or if it is closed.
    pub async fn acquire(&self, log: LogId) -> AcquireResult {
        loop {
            let (answer, mut answered) = oneshot::channel();
            self.lock().push((log, answer));
            let turn = self.turn.lock().await;
            if let Ok(answer) = answered.try_recv() {
                return answer;
            }
            self.acquire_waiting().await;
            drop(turn);
            // A caller that acquired for this one may have stopped waiting.
            if let Ok(answer) = answered.try_recv() {
                return answer;
            }
        }
    }

    /// Acquires the logs that wait. Of two callers that want the same log the second has another turn: each
    /// needs an epoch of its own.
    async fn acquire_waiting(&self) {
        let (mut batch, mut again) = (Vec::new(), Vec::new());
        for (log, answer) in std::mem::take(&mut *self.lock()) {
            let is_known = batch.iter().any(|(known, _)| *known == log);
            if is_known { &mut again } else { &mut batch }.push((log, answer));
        }
        self.lock().append(&mut again);
        // A caller that does not wait any more must not take a log over from another server.
        batch.retain(|(_, answer)| !answer.is_closed());
        let logs: Vec<LogId> = batch.iter().map(|(log, _)| *log).collect();
        if logs.is_empty() {
            return;
        }
        let acquired = self.store.acquire_all(self.kind, &logs).await;
        for (log, answer) in batch {
            let of_log = |all: &Vec<AcquiredLog>| all.iter().find(|it| it.log == log).cloned();
            let _ = answer.send(acquired.as_ref().map(of_log).map_err(StoreError::clone));
        }
    }
}
