//! The tasks that each write one table or one ledger. They are found by id, and started when a message
//! is sent to them.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use store::AppendResult;
use tokio::sync::{OnceCell, mpsc, oneshot, watch};

use crate::address::address_block;
use crate::byte_pool::{BytePool, PooledBytes};
use crate::clock::Clock;
use crate::quotas::Quota;

/// An append that is being stored.
pub(crate) type Storing = Pin<Box<dyn Future<Output = AppendResult> + Send>>;

/// Waits for the outcome of an append. Never returns if there is none.
pub(crate) async fn outcome(storing: &mut Option<Storing>) -> AppendResult {
    match storing {
        Some(storing) => storing.await,
        None => std::future::pending().await,
    }
}

/// Fewer tasks than this are not looked through for those that have ended.
const MIN_CLEAN: usize = 64;

/// Sends messages to a task.
pub(crate) struct TaskHandle<M> {
    sender: mpsc::Sender<M>,
    clock: Clock,
}

impl<M> Clone for TaskHandle<M> {
    fn clone(&self) -> TaskHandle<M> {
        TaskHandle { sender: self.sender.clone(), clock: self.clock }
    }
}

impl<M> TaskHandle<M> {
    pub(crate) fn new(sender: mpsc::Sender<M>, clock: Clock) -> TaskHandle<M> {
        TaskHandle { sender, clock }
    }

    /// The clock of the task's log, by which its clients set theirs.
    pub(crate) fn clock(&self) -> Clock {
        self.clock
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

/// Why no task is started.
pub(crate) enum NotStarted {
    /// The server is being stopped.
    Stopping,
    /// There are as many tasks as there may be.
    Full,
}

/// How much the tasks in memory take up, and how much they may. While it is more than half of that, those
/// that no client uses do not stay: otherwise a client that goes from one to the next could fill it.
pub(crate) struct Occupancy {
    tasks: AtomicUsize,
    max: usize,
    bytes: Arc<BytePool>,
    gauge: &'static str,
}

/// A task among those in memory, until it is dropped.
pub(crate) struct OccupancyGuard {
    occupancy: Arc<Occupancy>,
    /// The bytes with which it was loaded.
    _loaded: Option<PooledBytes>,
    /// The bytes that were written since, by the address of the writer.
    written: BTreeMap<IpAddr, PooledBytes>,
}

/// How long a task that no client uses stays in memory.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// The same while memory is scarce.
const SHORT_IDLE_TIMEOUT: Duration = Duration::from_secs(1);

impl Occupancy {
    /// A quarter of the bytes is left for what is written to tasks in memory.
    pub(crate) fn new(gauge: &'static str, max: usize, max_bytes: usize) -> Arc<Occupancy> {
        let bytes = BytePool::with_reserve(max_bytes, max_bytes / 4);
        Arc::new(Occupancy { tasks: AtomicUsize::new(0), max, bytes, gauge })
    }

    /// Counts a task whose bytes do not count.
    pub(crate) fn enter(self: &Arc<Occupancy>) -> OccupancyGuard {
        self.guard(None)
    }

    /// Counts a task of this many bytes, which an address needs. Returns None if there is no room for it.
    pub(crate) fn enter_with(
        self: &Arc<Occupancy>,
        address: IpAddr,
        bytes: usize,
    ) -> Option<OccupancyGuard> {
        let bytes = self.bytes.take(address, bytes)?;
        Some(self.guard(Some(bytes)))
    }

    /// The tasks in memory, and their bytes.
    #[cfg(test)]
    pub(crate) fn in_use(&self) -> usize {
        self.tasks.load(Ordering::Relaxed) + self.bytes.used()
    }

    fn guard(self: &Arc<Occupancy>, loaded: Option<PooledBytes>) -> OccupancyGuard {
        self.tasks.fetch_add(1, Ordering::Relaxed);
        metrics::gauge!(self.gauge).increment(1);
        OccupancyGuard { occupancy: self.clone(), _loaded: loaded, written: BTreeMap::new() }
    }
}

impl OccupancyGuard {
    /// Whether an address may write to the task. Otherwise there is no room for what it would write.
    pub(crate) fn may_write(&self, address: IpAddr) -> bool {
        self.occupancy.bytes.may_grow(address)
    }

    /// Counts bytes that an address has written.
    pub(crate) fn note_written(&mut self, address: IpAddr, bytes: usize) {
        let address = address_block(address);
        match self.written.get_mut(&address) {
            Some(written) => written.grow(bytes),
            None => {
                self.written.insert(address, self.occupancy.bytes.count(address, bytes));
            }
        }
    }

    /// How long the task stays if no client uses it.
    pub(crate) fn idle_timeout(&self) -> Duration {
        let Occupancy { tasks, max, bytes, .. } = &*self.occupancy;
        let is_scarce = tasks.load(Ordering::Relaxed) > max / 2 || bytes.is_scarce();
        if is_scarce { SHORT_IDLE_TIMEOUT } else { IDLE_TIMEOUT }
    }
}

impl Drop for OccupancyGuard {
    fn drop(&mut self) {
        self.occupancy.tasks.fetch_sub(1, Ordering::Relaxed);
        metrics::gauge!(self.occupancy.gauge).decrement(1);
    }
}

/// The tasks in memory.
pub(crate) struct TaskRegistry<I, M> {
    tasks: Mutex<TaskMap<I, M>>,
    /// Whether the server is being stopped.
    stopping: watch::Sender<bool>,
    /// The number of tasks at which those that have ended are removed.
    clean_at: AtomicUsize,
    occupancy: Arc<Occupancy>,
    /// What is refused once there are as many as there may be.
    quota: Quota,
}

type TaskMap<I, M> = BTreeMap<I, TaskCell<M>>;
/// A task, or the place of one that is being loaded.
type TaskCell<M> = Arc<OnceCell<TaskHandle<M>>>;

/// A caller that waits for a task to be loaded.
struct LoadWaiter<'a, I: Ord + Copy, M> {
    registry: &'a TaskRegistry<I, M>,
    id: I,
    cell: TaskCell<M>,
}

impl<I: Ord + Copy, M> Drop for LoadWaiter<'_, I, M> {
    /// If the last one leaves and nothing was loaded, nothing stays: the load has failed, or the caller
    /// does not wait for it any more.
    fn drop(&mut self) {
        let mut tasks = self.registry.lock();
        let cell = std::mem::take(&mut self.cell);
        let is_known = tasks.get(&self.id).is_some_and(|known| Arc::ptr_eq(known, &cell));
        // One is in the map, and this one.
        if is_known && cell.get().is_none() && Arc::strong_count(&cell) == 2 {
            tasks.remove(&self.id);
        }
        // While the map is locked, so that of two callers one is the last.
        drop(cell);
    }
}

impl<I: Ord + Copy, M> TaskRegistry<I, M> {
    /// A registry for as many tasks as may be in memory.
    pub(crate) fn new(occupancy: Arc<Occupancy>, quota: Quota) -> TaskRegistry<I, M> {
        TaskRegistry {
            tasks: Mutex::default(),
            stopping: watch::Sender::new(false),
            clean_at: MIN_CLEAN.into(),
            occupancy,
            quota,
        }
    }

    /// How much the tasks take up.
    pub(crate) fn occupancy(&self) -> &Arc<Occupancy> {
        &self.occupancy
    }

    fn lock(&self) -> MutexGuard<'_, TaskMap<I, M>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a task, unless there is one with that id already or the server is being stopped.
    pub(crate) async fn adopt(&self, id: I, start: impl FnOnce() -> TaskHandle<M>) {
        let cell = {
            let mut tasks = self.lock();
            // The caller has asked for a place; others may have taken it since.
            self.has_place_for(&mut tasks, id);
            tasks.entry(id).or_default().clone()
        };
        let waiter = LoadWaiter { registry: self, id, cell };
        let started =
            async || if self.is_stopping() { Err(NotStarted::Stopping) } else { Ok(start()) };
        // The next message loads it.
        let _ = waiter.cell.get_or_try_init(started).await;
    }

    fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Sends a message to a task, which is loaded if it does not run, and returns its handle.
    pub(crate) async fn send<E, F>(
        &self,
        id: I,
        mut message: M,
        load: impl Fn() -> F,
    ) -> Result<TaskHandle<M>, E>
    where
        E: From<NotStarted>,
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
        Err(NotStarted::Stopping.into())
    }

    async fn handle<E, F>(&self, id: I, load: impl Fn() -> F) -> Result<TaskHandle<M>, E>
    where
        E: From<NotStarted>,
        F: Future<Output = Result<TaskHandle<M>, E>>,
    {
        if self.is_stopping() {
            return Err(NotStarted::Stopping.into());
        }
        let cell = {
            let mut tasks = self.lock();
            if !self.has_place_for(&mut tasks, id) {
                self.quota.count_refusal();
                return Err(NotStarted::Full.into());
            }
            let cell = tasks.entry(id).or_default();
            if cell.get().is_some_and(TaskHandle::is_ended) {
                *cell = Arc::default();
            }
            cell.clone()
        };
        if let Some(handle) = cell.get() {
            return Ok(handle.clone());
        }
        let waiter = LoadWaiter { registry: self, id, cell };
        let mut stopping = self.stopping.subscribe();
        tokio::select! {
            biased;
            _ = stopping.wait_for(|stopping| *stopping) => Err(NotStarted::Stopping.into()),
            // Boxed, because the future of a load is large and every connection would have room for it.
            loaded = waiter.cell.get_or_try_init(|| Box::pin(load())) => loaded.cloned(),
        }
    }

    /// Whether a task of an id may be started. Counts a refusal if not.
    pub(crate) fn has_place(&self, id: I) -> bool {
        let has_place = self.has_place_for(&mut self.lock(), id);
        if !has_place {
            self.quota.count_refusal();
        }
        has_place
    }

    /// Whether a task may be started. Those that have ended do not count.
    fn has_place_for(&self, tasks: &mut TaskMap<I, M>, id: I) -> bool {
        if tasks.contains_key(&id) {
            return true;
        }
        // Tables come and go: that costs no more than to start them if it is done when they have doubled.
        if tasks.len() >= self.clean_at.load(Ordering::Relaxed).min(self.occupancy.max) {
            tasks.retain(|_, cell| !cell.get().is_some_and(TaskHandle::is_ended));
            self.clean_at.store((2 * tasks.len()).max(MIN_CLEAN), Ordering::Relaxed);
        }
        tasks.len() < self.occupancy.max
    }

    /// The task of an id, if it runs.
    pub(crate) fn running(&self, id: I) -> Option<TaskHandle<M>> {
        let tasks = self.lock();
        tasks.get(&id)?.get().filter(|handle| !handle.is_ended()).cloned()
    }

    /// Removes the tasks that have ended.
    pub(crate) fn remove_ended(&self) {
        self.lock().retain(|_, cell| !cell.get().is_some_and(TaskHandle::is_ended));
    }

    /// The tasks that run, or are being loaded, and whether they run.
    #[cfg(test)]
    pub(crate) fn known(&self) -> Vec<(I, bool)> {
        self.remove_ended();
        self.lock().iter().map(|(id, cell)| (*id, cell.get().is_some())).collect()
    }

    /// Lets all tasks finish what they are storing, and starts no other.
    pub(crate) async fn stop(&self, stop: impl Fn(oneshot::Sender<()>) -> M) {
        self.stopping.send_replace(true);
        let cells: Vec<TaskCell<M>> = self.lock().values().cloned().collect();
        let mut waiting = Vec::new();
        for cell in cells {
            // One that is being loaded is given up, or has started just before.
            let Ok(handle) = cell.get_or_try_init(async || Err(NotStarted::Stopping)).await else {
                continue;
            };
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

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use metrics_exporter_prometheus::PrometheusBuilder;
    use tokio::time::{sleep, timeout};

    use super::*;
    use crate::clock::Clocks;

    impl From<NotStarted> for bool {
        /// Whether it is for want of a place.
        fn from(why: NotStarted) -> bool {
            matches!(why, NotStarted::Full)
        }
    }

    fn occupancy(max: usize) -> Arc<Occupancy> {
        Occupancy::new("tasks", max, 100)
    }

    #[test]
    fn tasks_without_clients_stay_only_while_there_is_room() {
        let occupancy = occupancy(4);
        let enter = |bytes| occupancy.enter_with(Ipv4Addr::LOCALHOST.into(), bytes).expect("room");
        let mut tasks: Vec<OccupancyGuard> = (0..2).map(|_| enter(5)).collect();
        assert_eq!(tasks[0].idle_timeout(), IDLE_TIMEOUT);
        tasks.push(enter(5));
        assert_eq!(tasks[0].idle_timeout(), SHORT_IDLE_TIMEOUT, "more than half of the tasks");
        tasks.pop();
        tasks[1].note_written(Ipv4Addr::LOCALHOST.into(), 41);
        assert_eq!(tasks[0].idle_timeout(), SHORT_IDLE_TIMEOUT, "more than half of the bytes");
        tasks.pop();
        assert_eq!(tasks[0].idle_timeout(), IDLE_TIMEOUT);
    }

    #[tokio::test]
    async fn there_are_so_many_tasks_and_no_more() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let _counts = metrics::set_default_local_recorder(&recorder);
        let registry: TaskRegistry<u32, ()> =
            TaskRegistry::new(occupancy(2), Quota::TablesInMemory);
        let mut receivers = Vec::new();
        let mut started = Vec::new();
        for id in 1..=3 {
            let (sender, receiver) = mpsc::channel(4);
            let handle = TaskHandle::new(sender, Clocks::at(0, None).play);
            let load = || async { Ok::<_, bool>(handle.clone()) };
            started.push(registry.send(id, (), load).await.map(drop));
            receivers.push(receiver);
        }
        assert_eq!(started, [Ok(()), Ok(()), Err(true)]);
        assert_eq!([1, 2, 3].map(|id| registry.has_place(id)), [true, true, false]);
        assert_eq!(Quota::TablesInMemory.refusals(&recorder), 2);
        let never = || async { Err::<TaskHandle<()>, _>(false) };
        assert_eq!(registry.send(1, (), never).await.map(drop), Ok(()), "it runs already");
        // A task that has ended gives its place to another.
        receivers.remove(0);
        let (sender, _receiver) = mpsc::channel(4);
        let handle = TaskHandle::new(sender, Clocks::at(0, None).play);
        let load = || async { Ok::<_, bool>(handle.clone()) };
        assert_eq!(registry.send(3, (), load).await.map(drop), Ok(()));
    }

    #[derive(Debug, PartialEq)]
    struct LoadFault;

    impl From<NotStarted> for LoadFault {
        fn from(_: NotStarted) -> LoadFault {
            LoadFault
        }
    }

    fn registry<M>() -> TaskRegistry<u32, M> {
        TaskRegistry::new(occupancy(9), Quota::TablesInMemory)
    }

    /// A task that takes no messages.
    async fn idle_task() -> Result<TaskHandle<()>, LoadFault> {
        sleep(Duration::from_secs(9)).await;
        let (sender, mut messages) = mpsc::channel(4);
        tokio::spawn(async move { while messages.recv().await.is_some() {} });
        Ok(TaskHandle::new(sender, Clocks::at(0, None).play))
    }

    #[tokio::test(start_paused = true)]
    async fn a_load_that_is_given_up_leaves_nothing() {
        let registry = registry::<()>();
        let load = registry.send::<LoadFault, _>(1, (), idle_task);
        assert!(timeout(Duration::from_secs(1), load).await.is_err(), "it is still being loaded");
        assert_eq!(registry.known(), []);
    }

    #[tokio::test(start_paused = true)]
    async fn a_load_that_fails_does_not_disturb_another_one() {
        let registry = registry::<()>();
        let fails = async || {
            sleep(Duration::from_secs(1)).await;
            Err(LoadFault)
        };
        let failing = registry.send(1, (), fails);
        let others = async {
            tokio::task::yield_now().await;
            // This one loads after the first has failed, and the last one waits for it.
            let second = registry.send(1, (), idle_task);
            let third = async {
                sleep(Duration::from_secs(2)).await;
                let unexpected = async || panic!("it is being loaded already");
                registry.send::<LoadFault, _>(1, (), unexpected).await
            };
            tokio::join!(second, third)
        };
        let (first, (second, third)) = tokio::join!(failing, others);
        assert_eq!(first.err(), Some(LoadFault));
        assert!(second.is_ok() && third.is_ok());
        assert_eq!(registry.known(), [(1, true)]);
    }

    /// Takes the first message as the request to stop.
    async fn stopping_task(loads_for: u64) -> Result<TaskHandle<oneshot::Sender<()>>, LoadFault> {
        sleep(Duration::from_secs(loads_for)).await;
        let (sender, mut messages) = mpsc::channel::<oneshot::Sender<()>>(4);
        tokio::spawn(async move {
            let stop = messages.recv().await;
            messages.close();
            stop.map(|done| done.send(()))
        });
        Ok(TaskHandle::new(sender, Clocks::at(0, None).play))
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_is_being_loaded_does_not_outlive_the_stop() {
        let registry = Arc::new(registry());
        let (unused, _) = oneshot::channel();
        let loading = registry.clone();
        let load = tokio::spawn(async move {
            loading.send::<LoadFault, _>(2, unused, || stopping_task(9)).await.map(|_| ())
        });
        sleep(Duration::from_secs(1)).await;
        registry.stop(|done| done).await;
        assert_eq!(load.await.expect("it ends"), Err(LoadFault));
        sleep(Duration::from_secs(20)).await;
        assert!(registry.known().iter().all(|(_, runs)| !runs));
    }
}
