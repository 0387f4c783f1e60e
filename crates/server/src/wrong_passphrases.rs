//! How many wrong passphrases a name takes, so that a passphrase is not guessed from many addresses.
//!
//! The rate limiters of `governor` count what they allow. Here only wrong passphrases count, and which
//! one is wrong is known later: `is_exhausted` looks, and `count` counts.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};
use tokio::time::Instant;

/// A name by its hash, which has one size however long the name is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct NameHash([u8; 32]);

impl NameHash {
    /// The hash of a folded name, with an account or without.
    pub(crate) fn of(folded: &str) -> NameHash {
        NameHash(Sha256::digest(folded).into())
    }
}

/// How many wrong passphrases are taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrongPassphraseQuota {
    /// So many at once.
    pub(crate) at_once: u32,
    /// Then another one each time that this has passed.
    pub(crate) recovery: Duration,
    /// The maximum number of names that are remembered.
    pub(crate) max_names: usize,
}

/// The wrong passphrases of the recent past.
pub(crate) struct WrongPassphrases {
    quota: WrongPassphraseQuota,
    /// When all wrong passphrases of a name are forgotten: each adds the time of one.
    forgotten_at: Mutex<BTreeMap<NameHash, Instant>>,
}

impl WrongPassphrases {
    pub(crate) fn new(quota: WrongPassphraseQuota) -> WrongPassphrases {
        WrongPassphrases { quota, forgotten_at: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<NameHash, Instant>> {
        self.forgotten_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a name takes no more passphrases now.
    pub(crate) fn is_exhausted(&self, name: NameHash, now: Instant) -> bool {
        let remembered = match self.lock().get(&name) {
            Some(forgotten_at) => forgotten_at.saturating_duration_since(now),
            None => return false,
        };
        remembered > self.quota.recovery * self.quota.at_once.saturating_sub(1)
    }

    /// Counts a wrong passphrase.
    pub(crate) fn count(&self, name: NameHash, now: Instant) {
        let mut names = self.lock();
        if names.len() >= self.quota.max_names && !names.contains_key(&name) {
            names.retain(|_, forgotten_at| *forgotten_at > now);
            // If all of them are recent, the name with the fewest wrong passphrases is forgotten.
            while names.len() >= self.quota.max_names {
                let least = names.iter().min_by_key(|(_, forgotten_at)| **forgotten_at);
                let Some((&least, _)) = least else { break };
                names.remove(&least);
            }
        }
        let forgotten_at = names.entry(name).or_insert(now);
        *forgotten_at = (*forgotten_at).max(now) + self.quota.recovery;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn wrong_passphrases() -> WrongPassphrases {
        WrongPassphrases::new(WrongPassphraseQuota { at_once: 3, recovery: MINUTE, max_names: 5 })
    }

    #[test]
    fn a_name_takes_so_many_wrong_passphrases_and_then_one_a_minute() {
        let wrong = wrong_passphrases();
        let (ana, ion) = (NameHash::of("ana"), NameHash::of("ion"));
        let start = Instant::now();
        for _ in 0..3 {
            assert!(!wrong.is_exhausted(ana, start));
            wrong.count(ana, start);
        }
        assert!(wrong.is_exhausted(ana, start) && !wrong.is_exhausted(ion, start));
        assert!(wrong.is_exhausted(ana, start + MINUTE - Duration::from_millis(1)));
        for minute in 1..10 {
            let now = start + MINUTE * minute;
            assert!(!wrong.is_exhausted(ana, now), "looking counts nothing");
            assert!(!wrong.is_exhausted(ana, now));
            wrong.count(ana, now);
            assert!(wrong.is_exhausted(ana, now));
        }
        // After a while without any, there are as many at once as at first.
        let later = start + MINUTE * 60;
        for _ in 0..3 {
            assert!(!wrong.is_exhausted(ana, later));
            wrong.count(ana, later);
        }
        assert!(wrong.is_exhausted(ana, later));
    }

    #[test]
    fn the_names_are_bounded_and_the_least_tried_is_forgotten_first() {
        let wrong = wrong_passphrases();
        let start = Instant::now();
        let ana = NameHash::of("ana");
        for _ in 0..3 {
            wrong.count(ana, start);
        }
        for number in 0..1_000 {
            wrong.count(NameHash::of(&number.to_string()), start);
            assert!(wrong.lock().len() <= 5);
        }
        assert!(wrong.is_exhausted(ana, start), "other names do not wash it out");
        let later = start + MINUTE * 3;
        wrong.count(NameHash::of("ion"), later);
        assert_eq!(wrong.lock().len(), 1, "what is over is forgotten");
    }
}
