//! Bytes of memory: a bounded number for all, and a share of them for one address: a client
//! that opens much and keeps it open must not be able to take all of them.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::address::address_block;

/// One address may take one part in this many.
pub const SHARES: usize = 4;

/// A pool of bytes.
pub(crate) struct BytePool {
    used: Mutex<UsedBytes>,
    max: usize,
    /// The part of them that is left for what grows.
    reserve: usize,
}

#[derive(Default)]
struct UsedBytes {
    all: usize,
    by_address: BTreeMap<IpAddr, usize>,
}

/// Bytes of a pool, which it gets back when they are dropped.
pub(crate) struct PooledBytes {
    pool: Arc<BytePool>,
    address: IpAddr,
    bytes: usize,
}

impl BytePool {
    pub(crate) fn new(max: usize) -> Arc<BytePool> {
        BytePool::with_reserve(max, 0)
    }

    /// A pool of which a part is left for what grows.
    pub(crate) fn with_reserve(max: usize, reserve: usize) -> Arc<BytePool> {
        Arc::new(BytePool { used: Mutex::default(), max, reserve })
    }

    fn lock(&self) -> MutexGuard<'_, UsedBytes> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes bytes for an address. Returns None if there are not enough, in all or for it. What needs more than
    /// the share of an address takes the whole share: it must not be out of reach for ever.
    pub(crate) fn take(self: &Arc<Self>, address: IpAddr, bytes: usize) -> Option<PooledBytes> {
        let address = address_block(address);
        let bytes = bytes.min(self.max / SHARES);
        let mut used = self.lock();
        let of_address = used.of_address(address);
        let fits = |used: usize, max| used + bytes <= max;
        if !fits(used.all, self.max - self.reserve) || !fits(of_address, self.max / SHARES) {
            return None;
        }
        used.all += bytes;
        used.by_address.insert(address, of_address + bytes);
        Some(PooledBytes { pool: self.clone(), address, bytes })
    }

    /// Counts bytes of an address that are in use already, also if that is more than there may be.
    pub(crate) fn count(self: &Arc<Self>, address: IpAddr, bytes: usize) -> PooledBytes {
        let address = address_block(address);
        let mut counted = PooledBytes { pool: self.clone(), address, bytes: 0 };
        counted.grow(bytes);
        counted
    }

    /// The bytes that are taken.
    #[cfg(test)]
    pub(crate) fn used(&self) -> usize {
        self.lock().all
    }

    /// Whether what an address has may grow.
    pub(crate) fn may_grow(&self, address: IpAddr) -> bool {
        let used = self.lock();
        let of_address = used.of_address(address_block(address));
        used.all < self.max && of_address < self.max / SHARES
    }

    /// Whether more than half of them are used.
    pub(crate) fn is_scarce(&self) -> bool {
        self.lock().all > self.max / 2
    }
}

impl UsedBytes {
    fn of_address(&self, address: IpAddr) -> usize {
        self.by_address.get(&address).copied().unwrap_or(0)
    }
}

impl PooledBytes {
    /// Counts further bytes that are in use already, even beyond the bound.
    pub(crate) fn grow(&mut self, bytes: usize) {
        let mut used = self.pool.lock();
        used.all += bytes;
        *used.by_address.entry(self.address).or_default() += bytes;
        self.bytes += bytes;
    }
}

impl Drop for PooledBytes {
    fn drop(&mut self) {
        let mut used = self.pool.lock();
        used.all -= self.bytes;
        let of_address = used.of_address(self.address) - self.bytes;
        match of_address {
            0 => used.by_address.remove(&self.address),
            left => used.by_address.insert(self.address, left),
        };
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn address(number: u8) -> IpAddr {
        Ipv4Addr::new(10, 0, 0, number).into()
    }

    #[test]
    fn an_address_gets_a_share_and_all_together_no_more_than_there_is() {
        let pool = BytePool::new(100);
        let first = pool.take(address(1), 20).expect("a share of 25");
        assert!(pool.take(address(1), 6).is_none(), "too much for one address");
        let small = pool.take(address(1), 5).expect("the rest of the share");
        drop(small);
        let others: Vec<PooledBytes> =
            (2..=4).filter_map(|number| pool.take(address(number), 25)).collect();
        assert_eq!(others.len(), 3);
        assert!(pool.take(address(5), 6).is_none(), "there are 5 left");
        assert!(pool.is_scarce());
        drop(others);
        assert!(!pool.is_scarce());
        drop(first);
        assert!(pool.lock().by_address.is_empty(), "addresses are forgotten");
    }

    #[test]
    fn what_is_larger_than_a_share_takes_a_whole_share() {
        let pool = BytePool::with_reserve(100, 25);
        let largest = pool.take(address(1), usize::MAX).expect("a share");
        assert!(pool.take(address(1), 1).is_none(), "nothing is left for it");
        let others = [2, 3].map(|number| pool.take(address(number), 26).expect("a share"));
        assert!(pool.take(address(4), 1).is_none(), "the rest is the reserve");
        drop((largest, others));
        assert_eq!(pool.lock().all, 0);
    }

    #[test]
    fn what_has_grown_gives_back_what_it_has() {
        let pool = BytePool::new(100);
        let mut bytes = pool.take(address(1), 20).expect("a share");
        assert!(pool.may_grow(address(1)));
        bytes.grow(40);
        assert!(pool.is_scarce() && pool.take(address(1), 1).is_none());
        assert!(!pool.may_grow(address(1)) && pool.may_grow(address(2)));
        drop(bytes);
        let used = pool.lock();
        assert_eq!((used.all, used.by_address.len()), (0, 0));
    }

    #[test]
    fn what_grows_may_use_the_reserve() {
        let pool = BytePool::with_reserve(100, 20);
        let mut taken: Vec<PooledBytes> =
            (1..=4).filter_map(|number| pool.take(address(number), 20)).collect();
        assert!(pool.take(address(5), 1).is_none(), "the reserve is not taken");
        assert!(pool.may_grow(address(5)));
        taken[3].grow(20);
        assert!(!pool.may_grow(address(5)), "there is nothing left");
    }
}
