//! The tasks that each write one table or one ledger. They are found by id, and started when a message
//! is sent to them.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use store::AppendResult;
use tokio::sync::{OnceCell, mpsc, oneshot};

/// An append that is being stored.
pub(crate) type Storing = Pin<Box<dyn Future<Output = AppendResult> + Send>>;

/// Waits for the outcome of an append. Never returns if there is none.
pub(crate) async fn outcome(storing: &mut Option<Storing>) -> AppendResult {
    match storing {
        Some(storing) => storing.await,
        None => std::future::pending().await,
    }
}

/// Sends messages to a task.
pub(crate) struct TaskHandle<M> {
    sender: mpsc::Sender<M>,
}

impl<M> Clone for TaskHandle<M> {
    fn clone(&self) -> TaskHandle<M> {
        TaskHandle { sender: self.sender.clone() }
    }
}

impl<M> TaskHandle<M> {
    pub(crate) fn new(sender: mpsc::Sender<M>) -> TaskHandle<M> {
        TaskHandle { sender }
    }

    /// Sends a message. Returns it if the task has ended.
    pub(crate) async fn send(&self, message: M) -> Result<(), M> {
        self.sender.send(message).await.map_err(|unsent| unsent.0)
    }

    /// Whether the task has ended.
    fn is_ended(&self) -> bool {
        self.sender.is_closed()
    }
}

/// The server is being stopped, and no task is started any more.
pub(crate) struct Stopping;

/// The tasks in memory.
pub(crate) struct TaskRegistry<I, M> {
    tasks: Mutex<TaskMap<I, M>>,
    stopping: AtomicBool,
}

type TaskMap<I, M> = BTreeMap<I, Arc<OnceCell<TaskHandle<M>>>>;

impl<I, M> Default for TaskRegistry<I, M> {
    fn default() -> TaskRegistry<I, M> {
        TaskRegistry { tasks: Mutex::default(), stopping: false.into() }
    }
}

impl<I: Ord + Copy, M> TaskRegistry<I, M> {
    fn lock(&self) -> MutexGuard<'_, TaskMap<I, M>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a task, unless there is one with that id already.
    pub(crate) async fn adopt(&self, id: I, start: impl FnOnce() -> TaskHandle<M>) {
        let cell = self.lock().entry(id).or_default().clone();
        let _ = cell.get_or_init(|| async { start() }).await;
    }

    /// Sends a message to a task, which is loaded if it does not run, and returns its handle.
    pub(crate) async fn send<E, F>(
        &self,
        id: I,
        mut message: M,
        load: impl Fn() -> F,
    ) -> Result<TaskHandle<M>, E>
    where
        E: From<Stopping>,
        F: Future<Output = Result<TaskHandle<M>, E>>,
    {
        // A task may end just before it gets the message; then it is loaded again.
        for _ in 0..3 {
            let handle = self.handle(id, &load).await?;
            match handle.send(message).await {
                Ok(()) => return Ok(handle),
                Err(unsent) => message = unsent,
            }
        }
        Err(Stopping.into())
    }

    async fn handle<E, F>(&self, id: I, load: impl Fn() -> F) -> Result<TaskHandle<M>, E>
    where
        E: From<Stopping>,
        F: Future<Output = Result<TaskHandle<M>, E>>,
    {
        if self.stopping.load(Ordering::Acquire) {
            return Err(Stopping.into());
        }
        let cell = {
            let mut tasks = self.lock();
            let cell = tasks.entry(id).or_default();
            if cell.get().is_some_and(TaskHandle::is_ended) {
                *cell = Arc::default();
            }
            cell.clone()
        };
        // Boxed, because the future of a load is large and every connection would have room for it.
        let loaded = cell.get_or_try_init(|| Box::pin(load())).await.cloned();
        if loaded.is_err() {
            let mut tasks = self.lock();
            if tasks.get(&id).is_some_and(|cell| cell.get().is_none()) {
                tasks.remove(&id);
            }
        }
        loaded
    }

    /// Removes the tasks that have ended.
    pub(crate) fn remove_ended(&self) {
        self.lock().retain(|_, cell| !cell.get().is_some_and(TaskHandle::is_ended));
    }

    /// Lets all tasks finish what they are storing, and starts no other.
    pub(crate) async fn stop(&self, stop: impl Fn(oneshot::Sender<()>) -> M) {
        self.stopping.store(true, Ordering::Release);
        let handles: Vec<TaskHandle<M>> =
            self.lock().values().filter_map(|cell| cell.get().cloned()).collect();
        let mut waiting = Vec::new();
        for handle in handles {
            let (done, finished) = oneshot::channel();
            if handle.send(stop(done)).await.is_ok() {
                waiting.push(finished);
            }
        }
        for finished in waiting {
            let _ = finished.await;
        }
    }
}
