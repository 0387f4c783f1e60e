//! The lines of ledgers that are not in memory. Readers of the same lines share them for as long as one
//! of them reads.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use store::LedgerId;

use super::LedgerError;
use super::line_blocks::LineBlocks;
use crate::byte_pool::{BytePool, PooledBytes};
use crate::quotas::{MAX_STORED_LINES_BYTES, Quota};

/// The lines that are being read, by ledger and number of events.
pub(super) struct StoredLines {
    ledgers: Mutex<BTreeMap<(LedgerId, u64), Arc<StoredLedger>>>,
    pool: Arc<BytePool>,
}

struct StoredLedger {
    /// The first client that reads it has taken them.
    _bytes: PooledBytes,
    /// Locked while the lines are loaded: of many readers that come at once, one loads them.
    lines: tokio::sync::Mutex<Weak<LineBlocks>>,
}

impl StoredLedger {
    /// Whether a client reads the lines or waits for them.
    fn is_used(self: &Arc<Self>) -> bool {
        let is_read = || self.lines.try_lock().map_or(true, |lines| lines.strong_count() > 0);
        Arc::strong_count(self) > 1 || is_read()
    }
}

impl Default for StoredLines {
    fn default() -> StoredLines {
        StoredLines { ledgers: Mutex::default(), pool: BytePool::new(MAX_STORED_LINES_BYTES) }
    }
}

impl StoredLines {
    /// The lines of a ledger that has so many events and bytes, for a client at an address; loaded unless
    /// another client reads them.
    pub(super) async fn get(
        &self,
        id: LedgerId,
        last: u64,
        bytes: (IpAddr, u64),
        load: impl AsyncFnOnce() -> Result<LineBlocks, LedgerError>,
    ) -> Result<Arc<LineBlocks>, LedgerError> {
        let ledger = self.place(id, last, bytes)?;
        let mut shared = ledger.lines.lock().await;
        if let Some(lines) = shared.upgrade() {
            return Ok(lines);
        }
        let lines = Arc::new(load().await?);
        *shared = Arc::downgrade(&lines);
        Ok(lines)
    }

    /// The place of a ledger among those that are read.
    fn place(
        &self,
        id: LedgerId,
        last: u64,
        (address, bytes): (IpAddr, u64),
    ) -> Result<Arc<StoredLedger>, LedgerError> {
        let mut ledgers = self.ledgers.lock().unwrap_or_else(PoisonError::into_inner);
        ledgers.retain(|_, ledger| ledger.is_used());
        if let Some(known) = ledgers.get(&(id, last)) {
            return Ok(known.clone());
        }
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let Some(bytes) = self.pool.take(address, bytes) else {
            Quota::StoredLedgers.count_refusal();
            return Err(LedgerError::Busy);
        };
        let ledger = Arc::new(StoredLedger { _bytes: bytes, lines: tokio::sync::Mutex::default() });
        ledgers.insert((id, last), ledger.clone());
        Ok(ledger)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::time::Duration;

    use tokio::time::sleep;

    use super::*;

    const MIB: u64 = 1 << 20;
    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn id(number: u64) -> LedgerId {
        LedgerId::new(number).expect("small")
    }

    fn lines(count: usize) -> LineBlocks {
        let mut lines = LineBlocks::default();
        (0..count).for_each(|_| lines.push("{}"));
        lines
    }

    #[tokio::test]
    async fn readers_share_the_lines_until_there_are_more_or_no_client_reads() {
        let quiet = StoredLines::default();
        let first = quiet.get(id(1), 3, (HERE, 9), async || Ok(lines(3))).await.expect("lines");
        let shares = async || panic!("they are known");
        let second = quiet.get(id(1), 3, (HERE, 9), shares).await.expect("lines");
        assert!(Arc::ptr_eq(&first, &second));
        let longer = quiet.get(id(1), 4, (HERE, 12), async || Ok(lines(4))).await.expect("lines");
        assert_eq!((first.len(), longer.len()), (3, 4));
        drop(longer);
        let again = quiet.get(id(1), 4, (HERE, 12), async || Ok(lines(5))).await.expect("lines");
        assert_eq!(again.len(), 5, "they are loaded again");
    }

    #[tokio::test(start_paused = true)]
    async fn of_many_readers_one_loads_and_others_do_not_wait_for_another_ledger() {
        let quiet = StoredLines::default();
        let slowly = async || {
            sleep(Duration::from_secs(5)).await;
            Ok(lines(1))
        };
        let first = quiet.get(id(1), 1, (HERE, 9), slowly);
        let rest = async {
            tokio::task::yield_now().await;
            let other = quiet.get(id(2), 1, (HERE, 9), async || Ok(lines(2))).await.expect("lines");
            assert_eq!(other.len(), 2, "at once");
            quiet.get(id(1), 1, (HERE, 9), async || panic!("they are being loaded")).await
        };
        let (first, second) = tokio::join!(first, rest);
        assert!(Arc::ptr_eq(&first.expect("lines"), &second.expect("lines")));
    }

    #[tokio::test]
    async fn so_many_bytes_of_stored_ledgers_are_read_and_no_more() {
        let quiet = StoredLines::default();
        let mut reading = Vec::new();
        let address = |number: u64| IpAddr::from([10, 0, 0, number as u8]);
        for number in 1..=MAX_STORED_LINES_BYTES as u64 / MIB / 8 {
            // Two for each address are its share.
            let taken = (address(number / 2), 8 * MIB);
            let lines = quiet.get(id(number), 1, taken, async || Ok(lines(1))).await;
            reading.push(lines.expect("lines"));
        }
        let one_more = quiet.get(id(1_000), 1, (HERE, MIB), async || Ok(lines(1))).await;
        assert!(matches!(one_more, Err(LedgerError::Busy)));
        let known = quiet.get(id(1), 1, (HERE, 8 * MIB), async || panic!("it is known")).await;
        assert!(known.is_ok(), "a ledger that is read already needs no place");
        drop((known, reading));
        assert!(quiet.get(id(1_000), 1, (HERE, MIB), async || Ok(lines(1))).await.is_ok());
    }
}
