//! Threads that hash passphrases, apart from those that serve connections.
//!
//! Argon2 needs much memory on purpose. There are few threads, and each uses its memory again, so that
//! any number of log-ins takes no more than that. Requests wait in a bounded queue and have their turn
//! in order. One whose client has gone by then costs nothing, and a job that panics costs its own
//! answer.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use thiserror::Error;
use tokio::sync::oneshot;

use crate::random;

/// The bytes of a salt, as many as the authors of Argon2 recommend.
const SALT: usize = 16;

/// Why a passphrase was not hashed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(crate) enum NotHashed {
    /// Too many requests wait.
    #[error("too many passphrases wait to be hashed")]
    Busy,
    /// It failed.
    #[error("a passphrase could not be hashed")]
    Failed,
}

type HashJob = Box<dyn FnOnce(&mut HashMemory) + Send>;

/// The threads; they end when the last handle is dropped.
pub(crate) struct PassphraseHasher {
    jobs: SyncSender<HashJob>,
}

impl PassphraseHasher {
    /// Starts the threads. So many jobs may wait for all of them together.
    pub(crate) fn start(
        threads: NonZeroUsize,
        max_waiting: usize,
    ) -> std::io::Result<PassphraseHasher> {
        let (jobs, queue) = sync_channel(max_waiting);
        let queue = Arc::new(Mutex::new(queue));
        for number in 0..threads.get() {
            let queue = queue.clone();
            let name = format!("hasher {}", number + 1);
            thread::Builder::new().name(name).spawn(move || run_jobs(&queue))?;
        }
        Ok(PassphraseHasher { jobs })
    }

    /// Runs a job in its turn, unless the caller stops waiting before.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut HashMemory) -> T + Send + 'static,
    ) -> Result<T, NotHashed> {
        let (answer, answered) = oneshot::channel();
        let job = move |memory: &mut HashMemory| {
            if !answer.is_closed() {
                // The caller may have stopped waiting meanwhile.
                let _ = answer.send(work(memory));
            }
        };
        self.jobs.try_send(Box::new(job)).map_err(|_| NotHashed::Busy)?;
        answered.await.map_err(|_| NotHashed::Failed)
    }
}

/// Runs jobs in a thread until the hasher is dropped.
fn run_jobs(queue: &Mutex<Receiver<HashJob>>) {
    let mut memory = HashMemory::default();
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        // Nothing that a job reads from the memory was written by an earlier one.
        if catch_unwind(AssertUnwindSafe(|| job(&mut memory))).is_err() {
            tracing::error!("the hash of a passphrase has panicked");
        }
    }
}

/// The memory of a thread: taken for the first passphrase, and used again for all others.
#[derive(Default)]
pub(crate) struct HashMemory(Vec<Block>);

impl HashMemory {
    /// The hash of a passphrase as it is stored, with a salt of its own.
    pub(crate) fn hash(&mut self, passphrase: &str) -> Result<String, NotHashed> {
        let salt: [u8; SALT] = random::bytes();
        let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
        self.fill(&Argon2::default(), passphrase, &salt, &mut output).ok_or(NotHashed::Failed)?;
        stored_form(&salt, &output).ok_or(NotHashed::Failed)
    }

    /// Whether a stored hash is that of a passphrase. Its own parameters count.
    pub(crate) fn verify(&mut self, passphrase: &str, stored: &str) -> bool {
        self.same(passphrase, stored).unwrap_or(false)
    }

    fn same(&mut self, passphrase: &str, stored: &str) -> Option<bool> {
        let stored = PasswordHash::new(stored).ok()?;
        let (salt, expected) = (stored.salt?, stored.hash?);
        let algorithm = Algorithm::try_from(stored.algorithm.as_str()).ok()?;
        let version = stored.version.map_or(Ok(Version::default()), Version::try_from).ok()?;
        let argon2 = Argon2::new(algorithm, version, Params::try_from(&stored).ok()?);
        let mut output = [0; Output::MAX_LENGTH];
        let output = output.get_mut(..expected.len())?;
        self.fill(&argon2, passphrase, &salt, output)?;
        // Outputs are compared in constant time.
        Some(Output::new(output).ok()? == expected)
    }

    fn fill(
        &mut self,
        argon2: &Argon2<'_>,
        passphrase: &str,
        salt: &[u8],
        output: &mut [u8],
    ) -> Option<()> {
        let blocks = argon2.params().block_count();
        if self.0.len() < blocks {
            self.0.resize(blocks, Block::new());
        }
        argon2.hash_password_into_with_memory(passphrase.as_bytes(), salt, output, &mut self.0).ok()
    }
}

/// A stored hash that belongs to no passphrase, and takes as long to compare as any other.
pub(crate) fn dummy_hash() -> String {
    let salt: [u8; SALT] = random::bytes();
    stored_form(&salt, &random::bytes::<{ Params::DEFAULT_OUTPUT_LEN }>()).unwrap_or_default()
}

/// The text in which a hash by the default parameters is stored.
fn stored_form(salt: &[u8], output: &[u8]) -> Option<String> {
    let hash = PasswordHash {
        algorithm: Algorithm::default().ident(),
        version: Some(Version::default().into()),
        params: ParamsString::try_from(&Params::default()).ok()?,
        salt: Some(Salt::new(salt).ok()?),
        hash: Some(Output::new(output).ok()?),
    };
    Some(hash.to_string())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::{Sender, channel};

    use argon2::password_hash::{PasswordHasher, PasswordVerifier};
    use futures_util::FutureExt;
    use tokio::task::JoinHandle;

    use super::*;

    fn hasher(threads: usize, max_waiting: usize) -> Arc<PassphraseHasher> {
        let threads = NonZeroUsize::new(threads).expect("threads");
        Arc::new(PassphraseHasher::start(threads, max_waiting).expect("threads"))
    }

    /// A job that has begun, and ends when the sender is dropped.
    async fn hold_thread(hasher: &Arc<PassphraseHasher>) -> (Sender<()>, JoinHandle<()>) {
        let (release, released) = channel::<()>();
        let (begun, has_begun) = oneshot::channel();
        let hasher = hasher.clone();
        let held = tokio::spawn(async move {
            let job = move |_: &mut HashMemory| {
                let _ = begun.send(());
                let _ = released.recv();
            };
            hasher.run(job).await.expect("it runs");
        });
        has_begun.await.expect("it has begun");
        (release, held)
    }

    #[tokio::test]
    async fn requests_wait_in_order_and_more_than_the_queue_holds_are_refused() {
        let hasher = hasher(1, 5);
        let (release, held) = hold_thread(&hasher).await;
        let order = Arc::new(Mutex::new(Vec::new()));
        let numbered = |number: usize| {
            let order = order.clone();
            move |_: &mut HashMemory| order.lock().expect("a list").push(number)
        };
        let mut waiting = Vec::new();
        for number in 0..5 {
            let mut job = Box::pin(hasher.run(numbered(number)));
            // The first poll puts it into the queue.
            assert!((&mut job).now_or_never().is_none());
            waiting.push(job);
        }
        assert_eq!(hasher.run(numbered(5)).await, Err(NotHashed::Busy));
        drop(release);
        for job in waiting {
            job.await.expect("its turn comes");
        }
        held.await.expect("it ended");
        assert_eq!(*order.lock().expect("a list"), [0, 1, 2, 3, 4]);
    }

    #[tokio::test]
    async fn a_request_whose_client_has_gone_is_skipped() {
        let hasher = hasher(2, 100);
        let (first, held) = hold_thread(&hasher).await;
        let (second, also_held) = hold_thread(&hasher).await;
        let runs = Arc::new(AtomicUsize::new(0));
        let counted = || {
            let runs = runs.clone();
            move |_: &mut HashMemory| runs.fetch_add(1, Ordering::Relaxed)
        };
        for _ in 0..90 {
            let mut gone = Box::pin(hasher.run(counted()));
            assert!((&mut gone).now_or_never().is_none());
        }
        drop((first, second));
        hasher.run(counted()).await.expect("its turn comes");
        for held in [held, also_held] {
            held.await.expect("it ended");
        }
        assert_eq!(runs.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn a_job_that_panics_costs_its_own_answer() {
        let hasher = hasher(1, 10);
        for _ in 0..3 {
            let failed = hasher.run(|_| -> usize { panic!("a hash fails") }).await;
            assert_eq!(failed, Err(NotHashed::Failed));
            assert_eq!(hasher.run(|_| 7).await, Ok(7));
        }
    }

    /// What an earlier version has stored, and the other way round.
    #[test]
    fn stored_hashes_are_those_of_argon2id_with_its_default_parameters() {
        let mut memory = HashMemory::default();
        let older = Argon2::default().hash_password(b"a long passphrase").expect("a hash");
        assert!(memory.verify("a long passphrase", &older.to_string()));
        assert!(!memory.verify("a wrong passphrase", &older.to_string()));
        let newer = memory.hash("a long passphrase").expect("a hash");
        assert!(newer.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{newer}");
        let parsed = PasswordHash::new(&newer).expect("a hash");
        assert_eq!(Argon2::default().verify_password(b"a long passphrase", &parsed), Ok(()));
        assert_ne!(memory.hash("a long passphrase").expect("a hash"), newer, "the salt is new");
        for broken in ["", "$argon2id$v=19$m=19456,t=2,p=1$", "$scrypt$x"] {
            assert!(!memory.verify("a long passphrase", broken), "{broken}");
        }
        // Of 19 MiB each.
        assert_eq!(memory.0.len(), 19 << 10);
    }

    #[test]
    fn the_hash_for_names_without_an_account_costs_as_much_as_any_other() {
        let costs = |stored: &str| {
            let hash = PasswordHash::new(stored).expect("a hash");
            (hash.algorithm, hash.version, hash.params, hash.hash.map(|output| output.len()))
        };
        let real = HashMemory::default().hash("a long passphrase").expect("a hash");
        assert_eq!(costs(&dummy_hash()), costs(&real));
        assert_ne!(dummy_hash(), dummy_hash());
    }
}
