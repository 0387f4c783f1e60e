//! Limits of connections, in all and from one address, and of costly requests.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::RateLimiter;
use governor::clock::DefaultClock;
use governor::state::keyed::DashMapStateStore;
use tokio::sync::Notify;

use crate::address::address_block;
use crate::quotas::{MAX_UPLOADS, MAX_UPLOADS_FROM_ONE, Quota};
use crate::rations::{ByteRations, Payer, RationBytes, ShareOf};

/// The limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// WebSockets in all, and as many other connections.
    pub sockets: usize,
    /// WebSockets from one address, as many other connections, and as many requests under way.
    pub sockets_from_one: usize,
    /// Costly requests (new sessions, new tables, passphrases) a minute from one address.
    pub costly_a_minute: u32,
    /// Messages a second on one WebSocket, with a burst of twice as many.
    pub messages_a_second: u32,
    /// Requests over HTTP that are under way at the same time.
    pub requests: usize,
    /// The bytes of contests and score sheets that one address may have stored at once, and in an hour.
    pub ledger_bytes_an_hour: u32,
    /// The bytes of what is said and changed at tables that one address may have stored at once, and in an
    /// hour.
    pub table_bytes_an_hour: u32,
    /// The bytes of play (bids, cards, claims) that one address may have stored at once, and in an hour.
    pub play_bytes_an_hour: u32,
    /// How long the network may take to accept a message on a WebSocket, or anything of an answer over
    /// HTTP.
    pub write_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            sockets: 30_000,
            sockets_from_one: 100,
            costly_a_minute: 60,
            messages_a_second: 20,
            requests: 1_024,
            ledger_bytes_an_hour: 16 << 20,
            table_bytes_an_hour: 16 << 20,
            play_bytes_an_hour: 64 << 20,
            write_timeout: Duration::from_secs(10),
        }
    }
}

/// Additional connections from one address for other requests than WebSockets; a browser uses six.
const MAX_OTHER_FROM_ONE: usize = 24;

/// From this many addresses on, those without recent requests are forgotten.
const MAX_REMEMBERED: usize = 10_000;

/// Counts connections, requests, and what is rationed.
pub(super) struct ConnectionLimits {
    limits: Limits,
    sockets: Arc<ConnectionLimit>,
    connections: Arc<ConnectionLimit>,
    requests: Arc<ConnectionLimit>,
    uploads: Arc<ConnectionLimit>,
    costly: AddressRation,
    rations: Arc<ByteRations>,
}

/// Counts one kind of connections, or requests.
struct ConnectionLimit {
    counts: Mutex<ConnectionCounts>,
    /// Notified when the last permit is dropped.
    empty: Notify,
    gauge: &'static str,
    quota: Quota,
}

/// How much each address may still do.
struct AddressRation {
    limiter: RateLimiter<IpAddr, DashMapStateStore<IpAddr>, DefaultClock>,
    /// The number of addresses at which those without recent requests are forgotten.
    forget_at: AtomicUsize,
    quota: Quota,
}

#[derive(Default)]
struct ConnectionCounts {
    all: usize,
    from: BTreeMap<IpAddr, usize>,
}

/// The permission for one connection or request, returned when it is dropped.
pub(super) struct Permit {
    limit: Arc<ConnectionLimit>,
    address: IpAddr,
}

impl ConnectionLimit {
    fn new(gauge: &'static str, quota: Quota) -> Arc<ConnectionLimit> {
        Arc::new(ConnectionLimit { counts: Mutex::default(), empty: Notify::new(), gauge, quota })
    }

    fn lock(&self) -> MutexGuard<'_, ConnectionCounts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A permit. Returns None if there are too many in all or from this address.
    fn acquire(
        self: &Arc<Self>,
        address: IpAddr,
        max: usize,
        max_from_one: usize,
    ) -> Option<Permit> {
        let address = address_block(address);
        let mut counts = self.lock();
        let from = counts.from.get(&address).copied().unwrap_or(0);
        if counts.all >= max || from >= max_from_one {
            if self.quota == Quota::Connections {
                metrics::counter!("ghinda_turned_away_total").increment(1);
            }
            self.quota.count_refusal();
            return None;
        }
        counts.all += 1;
        counts.from.insert(address, from + 1);
        metrics::gauge!(self.gauge).set(counts.all as f64);
        Some(Permit { limit: self.clone(), address })
    }

    /// Waits until all permits are dropped.
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
        let a_minute = governor::Quota::per_minute(at_least_one(limits.costly_a_minute));
        let bytes = RationBytes {
            ledger: limits.ledger_bytes_an_hour,
            table: limits.table_bytes_an_hour,
            play: limits.play_bytes_an_hour,
        };
        ConnectionLimits {
            limits,
            sockets: ConnectionLimit::new("ghinda_sockets", Quota::Connections),
            connections: ConnectionLimit::new("ghinda_connections", Quota::Connections),
            requests: ConnectionLimit::new("ghinda_requests_under_way", Quota::Requests),
            uploads: ConnectionLimit::new("ghinda_uploads_under_way", Quota::Requests),
            costly: AddressRation::new(a_minute, Quota::CostlyRequests),
            rations: ByteRations::new(bytes),
        }
    }

    /// A permit for a WebSocket. Returns None if there are too many.
    pub(super) fn permit_socket(&self, address: IpAddr) -> Option<Permit> {
        self.sockets.acquire(address, self.limits.sockets, self.limits.sockets_from_one)
    }

    /// A permit for a connection that is not a WebSocket yet. Returns None if there are too many.
    /// Behind a proxy all connections come from one address.
    pub(super) fn permit_connection(&self, address: IpAddr, behind_proxy: bool) -> Option<Permit> {
        let max_from_one = match behind_proxy {
            true => usize::MAX,
            false => self.limits.sockets_from_one.saturating_add(MAX_OTHER_FROM_ONE),
        };
        self.connections.acquire(address, self.limits.sockets, max_from_one)
    }

    /// Waits until all permits are dropped.
    pub(super) async fn all_released(&self) {
        self.sockets.all_released().await;
        self.connections.all_released().await;
    }

    /// The permits that are given.
    #[cfg(test)]
    pub(super) fn in_use(&self) -> usize {
        let limits = [&self.sockets, &self.connections, &self.requests, &self.uploads];
        limits.into_iter().map(|limit| limit.lock().all).sum()
    }

    /// A permit for a request over HTTP. Returns None if too many are under way.
    pub(super) fn permit_request(&self, address: IpAddr) -> Option<Permit> {
        self.requests.acquire(address, self.limits.requests, self.limits.sockets_from_one)
    }

    /// A permit for a request that gives a ledger to the server. Returns None if too many are under way.
    pub(super) fn permit_upload(&self, address: IpAddr) -> Option<Permit> {
        self.uploads.acquire(address, MAX_UPLOADS, MAX_UPLOADS_FROM_ONE)
    }

    /// Whether this address may send now what costs as much as this many costly requests. Counts them.
    pub(super) fn allows_costly(&self, address: IpAddr, requests: NonZeroU32) -> bool {
        self.costly.take(address, requests)
    }

    /// The client at an address for which counts what is stored.
    pub(super) fn payer(&self, address: IpAddr, share: ShareOf) -> Payer {
        self.rations.payer(address, share)
    }
}

fn at_least_one(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN)
}

impl AddressRation {
    fn new(rate: governor::Quota, quota: Quota) -> AddressRation {
        let forget_at = MAX_REMEMBERED.into();
        AddressRation { limiter: RateLimiter::keyed(rate), forget_at, quota }
    }

    /// Whether an address may have this many units now. Takes them.
    fn take(&self, address: IpAddr, units: NonZeroU32) -> bool {
        // When they have doubled: then it costs little for each address, however many there are.
        if self.limiter.len() > self.forget_at.load(Ordering::Relaxed) {
            self.limiter.retain_recent();
            self.forget_at.store(MAX_REMEMBERED.max(2 * self.limiter.len()), Ordering::Relaxed);
        }
        let taken = self.limiter.check_key_n(&address_block(address), units);
        let allowed = matches!(taken, Ok(Ok(())));
        if !allowed {
            self.quota.count_refusal();
        }
        allowed
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut counts = self.limit.lock();
        counts.all = counts.all.saturating_sub(1);
        metrics::gauge!(self.limit.gauge).set(counts.all as f64);
        if counts.all == 0 {
            self.limit.empty.notify_waiters();
        }
        if let Some(from) = counts.from.get_mut(&self.address) {
            *from -= 1;
            if *from == 0 {
                counts.from.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;

    fn address(number: usize) -> IpAddr {
        Ipv4Addr::from_bits(0x0a00_0000 + number as u32).into()
    }

    #[test]
    fn all_addresses_together_give_so_many_ledgers_at_once_and_no_more() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let limits = ConnectionLimits::new(Limits::default());
        metrics::with_local_recorder(&recorder, || {
            let mut uploads: Vec<Permit> = (0..MAX_UPLOADS)
                .map(|number| limits.permit_upload(address(number / MAX_UPLOADS_FROM_ONE)))
                .map(|permit| permit.expect("a place"))
                .collect();
            let another = address(MAX_UPLOADS);
            assert!(limits.permit_upload(another).is_none());
            assert_eq!(Quota::Requests.refusals(&recorder), 1);
            uploads.pop();
            assert!(limits.permit_upload(another).is_some());
        });
    }

    #[test]
    fn all_addresses_together_have_so_many_connections_and_requests_and_no_more() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let limits = Limits { sockets: 5, requests: 6, sockets_from_one: 2, ..Limits::default() };
        let limits = ConnectionLimits::new(limits);
        metrics::with_local_recorder(&recorder, || {
            let all = |permit: &dyn Fn(IpAddr) -> Option<Permit>| {
                // Three from each of three addresses.
                let asked = (0..9).map(|number| permit(address(number / 3)));
                asked.collect::<Vec<Option<Permit>>>().iter().flatten().count()
            };
            assert_eq!(all(&|address| limits.permit_socket(address)), 5);
            assert_eq!(all(&|address| limits.permit_request(address)), 6);
            // Behind a proxy, one address may have all of them.
            assert_eq!(all(&|_| limits.permit_connection(address(0), true)), 5);
        });
        assert_eq!(Quota::Connections.refusals(&recorder), 8);
        assert_eq!(Quota::Requests.refusals(&recorder), 3);
    }
}
