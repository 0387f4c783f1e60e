//! The lines of ledgers that are being sent over HTTP. Readers of the same lines share them for as long as
//! one of them reads, and their bytes count once.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use store::LedgerId;

use super::LedgerError;
use super::line_blocks::LineBlocks;
use crate::byte_pool::{BytePool, PooledBytes};
use crate::quotas::Quota;

/// How far the lines of a ledger go.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum LinesVersion {
    /// The lines of a ledger in memory, by their number.
    Lines(usize),
    /// The lines of a ledger in the store, by the number of its events.
    Events(u64),
}

/// The lines that are being sent.
pub(super) struct SharedLines {
    ledgers: Mutex<BTreeMap<LinesKey, Arc<LinesCell>>>,
    pool: Arc<BytePool>,
}

type LinesKey = (LedgerId, LinesVersion);
/// Locked while the lines are loaded: of many readers that come at once, one loads them.
type LinesCell = tokio::sync::Mutex<Weak<AnswerLines>>;

/// Lines with the bytes that they take until the last of their readers has them.
pub(crate) struct AnswerLines {
    lines: LineBlocks,
    _bytes: PooledBytes,
}

impl Deref for AnswerLines {
    type Target = LineBlocks;

    fn deref(&self) -> &LineBlocks {
        &self.lines
    }
}

/// Whether a client reads the lines or waits for them.
fn is_used(cell: &Arc<LinesCell>) -> bool {
    let is_read = || cell.try_lock().map_or(true, |lines| lines.strong_count() > 0);
    Arc::strong_count(cell) > 1 || is_read()
}

impl SharedLines {
    pub(super) fn new(pool: Arc<BytePool>) -> SharedLines {
        SharedLines { ledgers: Mutex::default(), pool }
    }

    /// Lines that have this many bytes, for a client at an address; loaded unless another client reads them.
    pub(super) async fn get(
        &self,
        key: LinesKey,
        (address, bytes): (IpAddr, usize),
        load: impl AsyncFnOnce() -> Result<LineBlocks, LedgerError>,
    ) -> Result<Arc<AnswerLines>, LedgerError> {
        let cell = {
            let mut ledgers = self.ledgers.lock().unwrap_or_else(PoisonError::into_inner);
            ledgers.retain(|_, cell| is_used(cell));
            ledgers.entry(key).or_default().clone()
        };
        let mut shared = cell.lock().await;
        if let Some(lines) = shared.upgrade() {
            return Ok(lines);
        }
        let Some(bytes) = self.pool.take(address, bytes) else {
            Quota::Answers.count_refusal();
            return Err(LedgerError::Busy);
        };
        let lines = Arc::new(AnswerLines { lines: load().await?, _bytes: bytes });
        *shared = Arc::downgrade(&lines);
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::time::Duration;

    use metrics_exporter_prometheus::PrometheusBuilder;
    use tokio::time::sleep;

    use super::*;

    const MIB: usize = 1 << 20;
    const POOL: usize = 64 * MIB;
    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn key(ledger: u64, events: u64) -> LinesKey {
        (LedgerId::new(ledger).expect("small"), LinesVersion::Events(events))
    }

    fn shared_lines() -> SharedLines {
        SharedLines::new(BytePool::new(POOL))
    }

    fn lines(count: usize) -> LineBlocks {
        let mut lines = LineBlocks::default();
        (0..count).for_each(|_| lines.push("{}"));
        lines
    }

    #[tokio::test]
    async fn readers_share_the_lines_until_there_are_more_or_no_client_reads() {
        let shared = shared_lines();
        let first = shared.get(key(1, 3), (HERE, 9), async || Ok(lines(3))).await.expect("lines");
        let shares = async || panic!("they are known");
        let second = shared.get(key(1, 3), (HERE, 9), shares).await.expect("lines");
        assert!(Arc::ptr_eq(&first, &second));
        let longer = shared.get(key(1, 4), (HERE, 12), async || Ok(lines(4))).await.expect("lines");
        assert_eq!((first.len(), longer.len()), (3, 4));
        drop(longer);
        let again = shared.get(key(1, 4), (HERE, 12), async || Ok(lines(5))).await.expect("lines");
        assert_eq!(again.len(), 5, "they are loaded again");
    }

    #[tokio::test(start_paused = true)]
    async fn of_many_readers_one_loads_and_others_do_not_wait_for_another_ledger() {
        let shared = shared_lines();
        let slowly = async || {
            sleep(Duration::from_secs(5)).await;
            Ok(lines(1))
        };
        let first = shared.get(key(1, 1), (HERE, 9), slowly);
        let rest = async {
            tokio::task::yield_now().await;
            let other =
                shared.get(key(2, 1), (HERE, 9), async || Ok(lines(2))).await.expect("lines");
            assert_eq!(other.len(), 2, "at once");
            shared.get(key(1, 1), (HERE, 9), async || panic!("they are being loaded")).await
        };
        let (first, second) = tokio::join!(first, rest);
        assert!(Arc::ptr_eq(&first.expect("lines"), &second.expect("lines")));
    }

    #[tokio::test]
    async fn so_many_bytes_of_ledgers_are_sent_and_no_more() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let _counts = metrics::set_default_local_recorder(&recorder);
        let shared = shared_lines();
        let mut reading = Vec::new();
        let address = |number: u64| IpAddr::from([10, 0, 0, number as u8]);
        for number in 1..=(POOL / MIB / 8) as u64 {
            // Two for each address are its share.
            let taken = (address(number / 2), 8 * MIB);
            let lines = shared.get(key(number, 1), taken, async || Ok(lines(1))).await;
            reading.push(lines.expect("lines"));
        }
        let one_more = shared.get(key(1_000, 1), (HERE, MIB), async || Ok(lines(1))).await;
        assert!(matches!(one_more, Err(LedgerError::Busy)));
        assert_eq!(Quota::Answers.refusals(&recorder), 1);
        let known = shared.get(key(1, 1), (HERE, 8 * MIB), async || panic!("it is known")).await;
        assert!(known.is_ok(), "a ledger that is read already needs no place");
        drop((known, reading));
        assert!(shared.get(key(1_000, 1), (HERE, MIB), async || Ok(lines(1))).await.is_ok());
    }
}
