//! Bytes of memory of which there are so many for all, and a share of them for one address: a client
//! that opens much and keeps it open must not be able to take all of them.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::web::address_block;

/// One address may take one part in so many.
pub const SHARES: usize = 4;

/// A pool of bytes.
pub(crate) struct BytePool {
    used: Mutex<UsedBytes>,
    max: usize,
}

#[derive(Default)]
struct UsedBytes {
    all: usize,
    of: BTreeMap<IpAddr, usize>,
}

/// Bytes of a pool, which it gets back when they are dropped.
pub(crate) struct PooledBytes {
    pool: Arc<BytePool>,
    address: IpAddr,
    bytes: usize,
}

impl BytePool {
    pub(crate) fn new(max: usize) -> Arc<BytePool> {
        Arc::new(BytePool { used: Mutex::default(), max })
    }

    fn lock(&self) -> MutexGuard<'_, UsedBytes> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes bytes for an address. Returns None if there are not so many, in all or for it.
    pub(crate) fn take(self: &Arc<Self>, address: IpAddr, bytes: usize) -> Option<PooledBytes> {
        let address = address_block(address);
        let mut used = self.lock();
        let of_address = used.of.get(&address).copied().unwrap_or(0);
        let fits = |used: usize, max| used.checked_add(bytes).is_some_and(|sum| sum <= max);
        if !fits(used.all, self.max) || !fits(of_address, self.max / SHARES) {
            return None;
        }
        used.all += bytes;
        used.of.insert(address, of_address + bytes);
        Some(PooledBytes { pool: self.clone(), address, bytes })
    }

    /// Whether more than half of them are used.
    pub(crate) fn is_scarce(&self) -> bool {
        self.lock().all > self.max / 2
    }
}

impl PooledBytes {
    /// Notes that there are so many now, also if that is more than there may be: they are in use already.
    pub(crate) fn set(&mut self, bytes: usize) {
        let mut used = self.pool.lock();
        used.all = used.all - self.bytes + bytes;
        let of_address = used.of.remove(&self.address).unwrap_or(0) - self.bytes + bytes;
        if of_address > 0 {
            used.of.insert(self.address, of_address);
        }
        self.bytes = bytes;
    }
}

impl Drop for PooledBytes {
    fn drop(&mut self) {
        self.set(0);
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
        assert!(pool.lock().of.is_empty(), "addresses are forgotten");
    }

    #[test]
    fn what_has_grown_gives_back_what_it_has() {
        let pool = BytePool::new(100);
        let mut bytes = pool.take(address(1), 20).expect("a share");
        bytes.set(60);
        assert!(pool.is_scarce() && pool.take(address(1), 1).is_none());
        drop(bytes);
        let used = pool.lock();
        assert_eq!((used.all, used.of.len()), (0, 0));
    }
}
