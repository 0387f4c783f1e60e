//! How much is let in: connections in all and from one address, and how often
//! something costly may be asked.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use governor::clock::DefaultClock;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use tokio::sync::Notify;

/// The bounds of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// WebSockets in all, and as many connections that are none.
    pub sockets: usize,
    /// WebSockets from one address, and as many connections that are none.
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

/// Connections of one address for other requests than WebSockets; a browser has six.
const BESIDES: usize = 24;

type ByAddress = RateLimiter<IpAddr, DashMapStateStore<IpAddr>, DefaultClock>;

/// Counts those who are inside.
pub(super) struct ConnectionLimits {
    limits: Limits,
    sockets: Arc<ConnectionLimit>,
    connections: Arc<ConnectionLimit>,
    costly: ByAddress,
}

/// Where places are counted.
struct ConnectionLimit {
    inside: Mutex<ConnectionCounts>,
    /// Told when the last one has left.
    empty: Notify,
    gauge: &'static str,
}

#[derive(Default)]
struct ConnectionCounts {
    all: usize,
    from: BTreeMap<IpAddr, usize>,
}

/// A place inside, free again when it is dropped.
pub(super) struct Permit {
    hallway: Arc<ConnectionLimit>,
    address: IpAddr,
}

impl ConnectionLimit {
    fn new(gauge: &'static str) -> Arc<ConnectionLimit> {
        Arc::new(ConnectionLimit { inside: Mutex::default(), empty: Notify::new(), gauge })
    }

    fn lock(&self) -> MutexGuard<'_, ConnectionCounts> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place, if there is room in all and for one more of this address.
    fn acquire(self: &Arc<Self>, address: IpAddr, most: usize, of_one: usize) -> Option<Permit> {
        let address = address_block(address);
        let mut inside = self.lock();
        let from = inside.from.get(&address).copied().unwrap_or(0);
        if inside.all >= most || from >= of_one {
            metrics::counter!("ghinda_turned_away_total").increment(1);
            return None;
        }
        inside.all += 1;
        inside.from.insert(address, from + 1);
        metrics::gauge!(self.gauge).set(inside.all as f64);
        Some(Permit { hallway: self.clone(), address })
    }

    /// Waits until nobody is inside.
    async fn all_released(&self) {
        loop {
            let last = self.empty.notified();
            if self.lock().all == 0 {
                return;
            }
            last.await;
        }
    }
}

impl ConnectionLimits {
    pub(super) fn new(limits: Limits) -> ConnectionLimits {
        let a_minute = NonZeroU32::new(limits.costly_a_minute).unwrap_or(NonZeroU32::MIN);
        let costly = RateLimiter::keyed(Quota::per_minute(a_minute));
        let sockets = ConnectionLimit::new("ghinda_sockets");
        ConnectionLimits {
            limits,
            sockets,
            connections: ConnectionLimit::new("ghinda_connections"),
            costly,
        }
    }

    /// Lets a WebSocket in, if there is room.
    pub(super) fn enter(&self, address: IpAddr) -> Option<Permit> {
        self.sockets.acquire(address, self.limits.sockets, self.limits.sockets_from_one)
    }

    /// Lets a connection in that is no WebSocket yet, if there is room. A proxy in front
    /// brings everybody from one address.
    pub(super) fn connect(&self, address: IpAddr, behind_proxy: bool) -> Option<Permit> {
        let of_one = match behind_proxy {
            true => usize::MAX,
            false => self.limits.sockets_from_one.saturating_add(BESIDES),
        };
        self.connections.acquire(address, self.limits.sockets, of_one)
    }

    /// Waits until everybody has left.
    pub(super) async fn emptied(&self) {
        self.sockets.all_released().await;
        self.connections.all_released().await;
    }

    /// Whether something costly may be done for this address now.
    pub(super) fn allows_costly(&self, address: IpAddr) -> bool {
        // Addresses that have been quiet are forgotten now and then.
        if self.costly.len() > 10_000 {
            self.costly.retain_recent();
        }
        self.costly.check_key(&address_block(address)).is_ok()
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut inside = self.hallway.lock();
        inside.all = inside.all.saturating_sub(1);
        metrics::gauge!(self.hallway.gauge).set(inside.all as f64);
        if inside.all == 0 {
            self.hallway.empty.notify_waiters();
        }
        if let Some(from) = inside.from.get_mut(&self.address) {
            *from -= 1;
            if *from == 0 {
                inside.from.remove(&self.address);
            }
        }
    }
}

/// What counts as one address: with IPv6 a whole network, as everybody at home has one.
fn address_block(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => {
            let network = u128::from(address) >> 64 << 64;
            Ipv6Addr::from(network).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_home_is_one_address() {
        let same = |one: &str, other: &str| {
            let [one, other] = [one, other].map(|text| address_block(text.parse().expect("one")));
            one == other
        };
        assert!(same("2001:db8:1:2::1", "2001:db8:1:2:ffff::"));
        assert!(!same("2001:db8:1:2::1", "2001:db8:1:3::1"));
        assert!(same("10.0.0.1", "::ffff:10.0.0.1"));
        assert!(!same("10.0.0.1", "10.0.0.2"));
    }
}
