//! Single writers: the tasks of which each writes one table or one ledger, found by its id and
//! started when somebody asks for it.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use store::AppendResult;
use tokio::sync::{OnceCell, mpsc, oneshot};

/// What is being stored.
pub(crate) type Storing = Pin<Box<dyn Future<Output = AppendResult> + Send>>;

/// The outcome of what is being stored; never, if nothing is.
pub(crate) async fn outcome(storing: &mut Option<Storing>) -> AppendResult {
    match storing {
        Some(storing) => storing.await,
        None => std::future::pending().await,
    }
}

/// The way to a writer.
pub(crate) struct TaskHandle<P> {
    posts: mpsc::Sender<P>,
}

impl<P> Clone for TaskHandle<P> {
    fn clone(&self) -> TaskHandle<P> {
        TaskHandle { posts: self.posts.clone() }
    }
}

impl<P> TaskHandle<P> {
    pub(crate) fn new(posts: mpsc::Sender<P>) -> TaskHandle<P> {
        TaskHandle { posts }
    }

    /// Sends a post; it comes back if the writer has given up.
    pub(crate) async fn send(&self, post: P) -> Result<(), P> {
        self.posts.send(post).await.map_err(|unsent| unsent.0)
    }

    /// Whether the writer has given up.
    fn is_gone(&self) -> bool {
        self.posts.is_closed()
    }
}

/// The server is being stopped, and no writer is started any more.
pub(crate) struct Stopping;

/// The writers in memory.
pub(crate) struct TaskRegistry<I, P> {
    known: Mutex<TaskMap<I, P>>,
    stopping: AtomicBool,
}

type TaskMap<I, P> = BTreeMap<I, Arc<OnceCell<TaskHandle<P>>>>;

impl<I, P> Default for TaskRegistry<I, P> {
    fn default() -> TaskRegistry<I, P> {
        TaskRegistry { known: Mutex::default(), stopping: false.into() }
    }
}

impl<I: Ord + Copy, P> TaskRegistry<I, P> {
    fn known(&self) -> MutexGuard<'_, TaskMap<I, P>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a writer in, unless there is one of that id: whoever was faster is right.
    pub(crate) async fn adopt(&self, id: I, start: impl FnOnce() -> TaskHandle<P>) {
        let cell = self.known().entry(id).or_default().clone();
        let _ = cell.get_or_init(|| async { start() }).await;
    }

    /// Sends a post to a writer, which is loaded if it is not there, and returns the way to it.
    pub(crate) async fn send<E, F>(
        &self,
        id: I,
        mut post: P,
        load: impl Fn() -> F,
    ) -> Result<TaskHandle<P>, E>
    where
        E: From<Stopping>,
        F: Future<Output = Result<TaskHandle<P>, E>>,
    {
        // A writer may give up just before it gets the post; then it is loaded anew, and once
        // is enough.
        for _ in 0..3 {
            let handle = self.handle(id, &load).await?;
            match handle.send(post).await {
                Ok(()) => return Ok(handle),
                Err(unsent) => post = unsent,
            }
        }
        Err(Stopping.into())
    }

    async fn handle<E, F>(&self, id: I, load: impl Fn() -> F) -> Result<TaskHandle<P>, E>
    where
        E: From<Stopping>,
        F: Future<Output = Result<TaskHandle<P>, E>>,
    {
        if self.stopping.load(Ordering::Acquire) {
            return Err(Stopping.into());
        }
        let cell = {
            let mut known = self.known();
            let cell = known.entry(id).or_default();
            if cell.get().is_some_and(TaskHandle::is_gone) {
                *cell = Arc::default();
            }
            cell.clone()
        };
        // To load takes much room for a while, and every connection would keep it.
        let loaded = cell.get_or_try_init(|| Box::pin(load())).await.cloned();
        if loaded.is_err() {
            let mut known = self.known();
            if known.get(&id).is_some_and(|cell| cell.get().is_none()) {
                known.remove(&id);
            }
        }
        loaded
    }

    /// Forgets those that have given up.
    pub(crate) fn forget_gone(&self) {
        self.known().retain(|_, cell| !cell.get().is_some_and(TaskHandle::is_gone));
    }

    /// Has all of them finish what is under way, and starts no other.
    pub(crate) async fn stop(&self, stop: impl Fn(oneshot::Sender<()>) -> P) {
        self.stopping.store(true, Ordering::Release);
        let handles: Vec<TaskHandle<P>> =
            self.known().values().filter_map(|cell| cell.get().cloned()).collect();
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
