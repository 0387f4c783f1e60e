//! Looks at what is not in memory: a few at a time, and fairly. A client whose looks take long waits for itself
//! and not with all others in one queue.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use crate::address::address_block;
use crate::quotas::{MAX_LOOKS, MAX_LOOKS_FROM_ONE, MAX_LOOKS_WAITING, Quota};

/// For whom something is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TableReader {
    /// A client at an address.
    Address(IpAddr),
    /// The server itself, for its contests and sweeps.
    Server,
}

impl TableReader {
    /// The reader with whom this one shares its places.
    fn block(self) -> TableReader {
        match self {
            TableReader::Address(address) => TableReader::Address(address_block(address)),
            TableReader::Server => TableReader::Server,
        }
    }
}

/// The places for looks.
pub(crate) struct LookQueue {
    places: Semaphore,
    readers: Mutex<BTreeMap<TableReader, ReaderPlaces>>,
}

/// The places of one reader.
struct ReaderPlaces {
    places: Arc<Semaphore>,
    /// Its looks that go on or wait.
    looks: usize,
}

/// Why there is no place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoPlace {
    /// As many looks of the reader wait as may.
    Full,
    /// The server is being stopped.
    Stopping,
}

/// A look that goes on, until it is dropped.
pub(crate) struct LookPlace<'a> {
    _place: SemaphorePermit<'a>,
    _of_reader: OwnedSemaphorePermit,
    _asked: AskedLook<'a>,
}

/// A look that goes on or waits, until it is dropped.
struct AskedLook<'a> {
    queue: &'a LookQueue,
    reader: TableReader,
}

impl LookQueue {
    pub(crate) fn new() -> LookQueue {
        LookQueue { places: Semaphore::new(MAX_LOOKS), readers: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<TableReader, ReaderPlaces>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a place. A reader waits for one of its own first, so that of all places it takes no more than
    /// its share, also in the queue for them.
    pub(crate) async fn enter(&self, reader: TableReader) -> Result<LookPlace<'_>, NoPlace> {
        let (asked, places) = self.ask(reader.block())?;
        let of_reader = places.acquire_owned().await.map_err(|_| NoPlace::Stopping)?;
        let place = self.places.acquire().await.map_err(|_| NoPlace::Stopping)?;
        Ok(LookPlace { _place: place, _of_reader: of_reader, _asked: asked })
    }

    fn ask(&self, reader: TableReader) -> Result<(AskedLook<'_>, Arc<Semaphore>), NoPlace> {
        let mut readers = self.lock();
        let places = match reader {
            TableReader::Address(_) => MAX_LOOKS_FROM_ONE,
            TableReader::Server => MAX_LOOKS / 2,
        };
        let of_reader = readers
            .entry(reader)
            .or_insert_with(|| ReaderPlaces { places: Arc::new(Semaphore::new(places)), looks: 0 });
        // What the server reads for itself is bounded by its contests.
        let is_full = of_reader.looks >= MAX_LOOKS_FROM_ONE + MAX_LOOKS_WAITING;
        if is_full && reader != TableReader::Server {
            Quota::Looks.count_refusal();
            return Err(NoPlace::Full);
        }
        of_reader.looks += 1;
        Ok((AskedLook { queue: self, reader }, of_reader.places.clone()))
    }
}

impl Drop for AskedLook<'_> {
    fn drop(&mut self) {
        let mut readers = self.queue.lock();
        if let Some(of_reader) = readers.get_mut(&self.reader) {
            of_reader.looks -= 1;
            if of_reader.looks == 0 {
                readers.remove(&self.reader);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::pin::pin;

    use futures_util::FutureExt;

    use super::*;

    fn reader(number: u8) -> TableReader {
        TableReader::Address(Ipv4Addr::new(10, 0, 0, number).into())
    }

    #[tokio::test]
    async fn a_reader_whose_looks_take_long_delays_no_other() {
        let queue = LookQueue::new();
        let mut slow: Vec<_> = (0..10).map(|_| Box::pin(queue.enter(reader(1)))).collect();
        let going_on: Vec<_> = slow.iter_mut().filter_map(|look| look.now_or_never()).collect();
        assert_eq!(going_on.len(), MAX_LOOKS_FROM_ONE, "its other looks wait");
        let other = queue.enter(reader(2)).now_or_never().expect("a place at once");
        assert!(other.is_ok() && queue.enter(TableReader::Server).now_or_never().is_some());
        drop(going_on);
        let rest = slow.iter_mut().skip(MAX_LOOKS_FROM_ONE);
        let next: Vec<_> = rest.filter_map(|look| look.now_or_never()).collect();
        assert_eq!(next.len(), MAX_LOOKS_FROM_ONE, "when the first end, the next go on");
        drop((next, slow, other));
        assert!(queue.lock().is_empty(), "readers are forgotten");
    }

    #[tokio::test]
    async fn so_many_looks_of_a_reader_wait_and_no_more() {
        let queue = LookQueue::new();
        let mut looks = Vec::new();
        let mut going_on = Vec::new();
        for _ in 0..MAX_LOOKS_FROM_ONE + MAX_LOOKS_WAITING {
            let mut look = Box::pin(queue.enter(reader(1)));
            match look.as_mut().now_or_never() {
                Some(place) => going_on.push(place),
                None => looks.push(look),
            }
        }
        let one_more = queue.enter(reader(1)).now_or_never().expect("an answer at once");
        assert_eq!(one_more.err(), Some(NoPlace::Full));
        assert!(queue.enter(reader(2)).now_or_never().expect("a place").is_ok());
        // A look that is given up gives its place to another one.
        looks.pop();
        assert!(pin!(queue.enter(reader(1))).now_or_never().is_none(), "it waits");
    }

    #[tokio::test]
    async fn so_many_looks_go_on_and_no_more() {
        let queue = LookQueue::new();
        let mut going_on = Vec::new();
        for number in 0..100 {
            going_on.extend(queue.enter(reader(number)).now_or_never());
        }
        assert_eq!(going_on.len(), MAX_LOOKS);
    }
}
