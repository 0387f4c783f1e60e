//! How much is let in: connections in all and from one address, and how often
//! something costly may be asked.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use governor::clock::DefaultClock;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use tokio::sync::Notify;

/// The bounds of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// WebSockets in all.
    pub sockets: usize,
    /// WebSockets from one address.
    pub sockets_from_one: usize,
    /// Costly requests (new sessions, new tables, passphrases) a minute from one address.
    pub costly_a_minute: u32,
    /// Messages a second on one WebSocket, with a burst of twice as many.
    pub messages_a_second: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            sockets: 30_000,
            sockets_from_one: 100,
            costly_a_minute: 60,
            messages_a_second: 20,
        }
    }
}

type ByAddress = RateLimiter<IpAddr, DashMapStateStore<IpAddr>, DefaultClock>;

/// Counts those who are inside.
pub(super) struct Door {
    limits: Limits,
    inside: Arc<Inside>,
    costly: ByAddress,
}

#[derive(Default)]
struct Inside {
    count: Mutex<Count>,
    /// Told when the last one has gone.
    emptied: Notify,
}

#[derive(Default)]
struct Count {
    all: usize,
    from: BTreeMap<IpAddr, usize>,
}

impl Inside {
    fn count(&self) -> MutexGuard<'_, Count> {
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place inside, free again when it is dropped.
pub(super) struct PlaceInside {
    inside: Arc<Inside>,
    address: IpAddr,
}

impl Door {
    pub(super) fn new(limits: Limits) -> Door {
        let a_minute = NonZeroU32::new(limits.costly_a_minute).unwrap_or(NonZeroU32::MIN);
        let costly = RateLimiter::keyed(Quota::per_minute(a_minute));
        Door { limits, inside: Arc::default(), costly }
    }

    /// Lets a connection in, if there is room.
    pub(super) fn enter(&self, address: IpAddr) -> Option<PlaceInside> {
        let mut count = self.inside.count();
        let from = count.from.get(&address).copied().unwrap_or(0);
        if count.all >= self.limits.sockets || from >= self.limits.sockets_from_one {
            return None;
        }
        count.all += 1;
        count.from.insert(address, from + 1);
        metrics::gauge!("ghinda_sockets").set(count.all as f64);
        Some(PlaceInside { inside: self.inside.clone(), address })
    }

    /// Waits until everybody has gone.
    pub(super) async fn emptied(&self) {
        loop {
            let emptied = self.inside.emptied.notified();
            if self.inside.count().all == 0 {
                return;
            }
            emptied.await;
        }
    }

    /// Whether something costly may be done for this address now.
    pub(super) fn allows_costly(&self, address: IpAddr) -> bool {
        // Addresses that have been quiet are forgotten now and then.
        if self.costly.len() > 10_000 {
            self.costly.retain_recent();
        }
        self.costly.check_key(&address).is_ok()
    }
}

impl Drop for PlaceInside {
    fn drop(&mut self) {
        let mut count = self.inside.count();
        count.all = count.all.saturating_sub(1);
        metrics::gauge!("ghinda_sockets").set(count.all as f64);
        if let Some(from) = count.from.get_mut(&self.address) {
            *from -= 1;
            if *from == 0 {
                count.from.remove(&self.address);
            }
        }
        if count.all == 0 {
            self.inside.emptied.notify_waiters();
        }
    }
}
