//! The writer: one task through which all tables append.
//!
//! While a transaction is being committed, the appends of other tables gather in the queue; they form
//! the next transaction. So one sync of the disk serves all waiting appends.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::error::StoreError;
use crate::event::{Append, AppendOutcome};
use crate::store::AppendStore;

/// The limits of a writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriterLimits {
    /// The maximum number of waiting appends; later callers wait for a place in the queue.
    pub waiting: usize,
    /// The maximum number of appends in one transaction.
    pub batch: usize,
    /// The approximate maximum of bytes in one transaction; a single append may be larger.
    pub bytes: usize,
    /// How long a transaction waits for more appends if the one before it had several: under load this
    /// saves most of the syncs, and otherwise there is no delay.
    pub gather: Duration,
}

impl Default for WriterLimits {
    fn default() -> Self {
        Self { waiting: 4096, batch: 1024, bytes: 8 << 20, gather: Duration::from_millis(3) }
    }
}

/// An append and the channel for its outcome.
struct AppendRequest {
    append: Append,
    answer: oneshot::Sender<AppendResult>,
}

/// The outcome of an append.
pub type AppendResult = Result<AppendOutcome, StoreError>;

/// The task that writes. When it is dropped, queued appends are still stored.
pub struct Writer {
    queue: AppendQueue,
    /// When dropped, the task accepts nothing more.
    open: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

/// Queues appends for the writer; it can be cloned.
#[derive(Clone)]
pub struct AppendQueue {
    requests: mpsc::Sender<AppendRequest>,
    fails: Arc<AtomicBool>,
}

impl Writer {
    /// Starts the task, inside a tokio runtime. The limits must not be zero.
    pub fn start(log: Arc<impl AppendStore>, limits: WriterLimits) -> Self {
        let (requests, waiting) = mpsc::channel(limits.waiting);
        let (open, closing) = oneshot::channel();
        let fails = Arc::new(AtomicBool::new(false));
        let queue = AppendQueue { requests, fails: Arc::clone(&fails) };
        let task = WriterTask { log, limits, waiting, next: VecDeque::new(), fails };
        let task = tokio::spawn(task.run(closing));
        Self { queue, open, task }
    }

    /// The queue of the writer.
    pub fn queue(&self) -> AppendQueue {
        self.queue.clone()
    }

    /// Accepts nothing more, stores what is waiting, and returns when all of it has been answered.
    pub async fn close(self) {
        drop(self.open);
        // A task that panicked has dropped its requests, which answers them.
        let _ = self.task.await;
    }
}

impl AppendQueue {
    /// Whether the database failed at the last attempt to store.
    pub fn is_failing(&self) -> bool {
        self.fails.load(Ordering::Relaxed)
    }

    /// Clears the failure, after the caller has seen the database store again.
    pub fn works_again(&self) {
        self.fails.store(false, Ordering::Relaxed);
    }

    /// Queues an append and waits for its outcome. Once it is in the queue it is stored even if the
    /// caller stops waiting.
    pub async fn append(&self, append: Append) -> AppendResult {
        let (answer, outcome) = oneshot::channel();
        let request = AppendRequest { append, answer };
        self.requests.send(request).await.map_err(|_| StoreError::Closed)?;
        outcome
            .await
            .unwrap_or_else(|_| Err(StoreError::Uncertain("the writer panicked".to_owned())))
    }
}

struct WriterTask<L> {
    log: Arc<L>,
    limits: WriterLimits,
    waiting: mpsc::Receiver<AppendRequest>,
    /// Taken from the queue, but too much for the last transaction.
    next: VecDeque<AppendRequest>,
    /// Whether the last transaction failed.
    fails: Arc<AtomicBool>,
}

impl<L: AppendStore> WriterTask<L> {
    async fn run(mut self, mut closing: oneshot::Receiver<()>) {
        let mut open = true;
        let mut busy = false;
        loop {
            if self.next.is_empty() {
                let mut taken = Vec::new();
                tokio::select! {
                    biased;
                    _ = &mut closing, if open => {
                        self.waiting.close();
                        open = false;
                    }
                    count = self.waiting.recv_many(&mut taken, self.limits.batch) => {
                        if count == 0 {
                            return;
                        }
                    }
                }
                self.next.extend(taken);
            }
            if busy && open && self.next.len() < self.limits.batch {
                tokio::time::sleep(self.limits.gather).await;
                while self.next.len() < self.limits.batch
                    && let Ok(request) = self.waiting.try_recv()
                {
                    self.next.push_back(request);
                }
            }
            let (appends, answers) = self.batch();
            busy = appends.len() > 1;
            if !appends.is_empty() {
                self.store(appends, answers).await;
            }
        }
    }

    /// The first requests that fit into one transaction, at least one if there is any.
    fn batch(&mut self) -> (Vec<Append>, Vec<oneshot::Sender<AppendResult>>) {
        let (mut appends, mut answers, mut bytes) = (Vec::new(), Vec::new(), 0);
        while let Some(request) = self.next.pop_front() {
            bytes += request.append.size();
            if bytes > self.limits.bytes && !appends.is_empty() {
                self.next.push_front(request);
                break;
            }
            appends.push(request.append);
            answers.push(request.answer);
        }
        (appends, answers)
    }

    async fn store(&self, appends: Vec<Append>, answers: Vec<oneshot::Sender<AppendResult>>) {
        let outcome = self.log.append(&appends).await;
        // A refusal concerns only this batch, not the state of the database.
        let fails = !matches!(outcome, Ok(_) | Err(StoreError::Refused(_)));
        self.fails.store(fails, Ordering::Relaxed);
        match outcome {
            Ok(outcomes) => {
                assert_eq!(outcomes.len(), answers.len(), "an outcome for each append");
                for (answer, outcome) in answers.into_iter().zip(outcomes) {
                    // The caller may have stopped waiting.
                    let _ = answer.send(Ok(outcome));
                }
            }
            // One of them cannot be stored at all; the others must be.
            Err(StoreError::Refused(_)) if appends.len() > 1 => {
                for (append, answer) in appends.iter().zip(answers) {
                    let outcome = self.log.append(std::slice::from_ref(append)).await;
                    let _ = answer.send(outcome.map(|outcomes| outcomes[0]));
                }
            }
            Err(error) => {
                for answer in answers {
                    let _ = answer.send(Err(error.clone()));
                }
            }
        }
    }
}
