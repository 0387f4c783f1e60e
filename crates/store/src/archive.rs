//! The compressed form of the events of a log that has been quiet for long.
//!
//! Every event is its time, its length and its body, in order from the first; brotli compresses all of
//! them together.

use std::io::{Read, Write};

use tokio::sync::Semaphore;

use crate::error::StoreError;
use crate::event::StoredEvent;

/// How hard to compress: more would take several times longer for a few per cent.
const QUALITY: u32 = 5;
/// The binary logarithm of the window in which repetitions are found.
const WINDOW: u32 = 22;
const BUFFER: usize = 64 << 10;
/// The maximum bytes of an unpacked archive: several times the longest log.
const MAX_BYTES: u64 = 256 << 20;
/// The bytes of the time and the length before each body.
const HEAD: usize = 12;

/// Packs the events of a log, which must be all of them up to `last`. Runs apart, as it takes a while.
pub(crate) async fn pack(events: Vec<StoredEvent>, last: u64) -> Result<Vec<u8>, StoreError> {
    run_apart(move || {
        let events: Vec<StoredEvent> =
            events.into_iter().take_while(|event| event.sequence <= last).collect();
        if !(1..=last).eq(events.iter().map(|event| event.sequence)) {
            return Err(StoreError::Corrupt("a log to be archived has a gap".into()));
        }
        let packed = compress(&events)?;
        // The events are deleted after this: what cannot be read back must not replace them.
        match unpack(&packed)? == events {
            true => Ok(packed),
            false => Err(StoreError::Corrupt("an archive is not what was packed".into())),
        }
    })
    .await
}

/// One archive is unpacked at a time: it takes a processor and a hundred times its bytes, and anyone may ask for
/// what is in it.
static UNPACKING: Semaphore = Semaphore::const_new(1);

/// The events of an archive from a sequence on, followed by later ones. They are not limited: an archive
/// can only be unpacked as a whole, and a reader of one page after the other would unpack it for each.
pub(crate) async fn read(
    packed: Vec<u8>,
    from: u64,
    later: Vec<StoredEvent>,
) -> Result<Vec<StoredEvent>, StoreError> {
    // It is never closed.
    let _turn = UNPACKING.acquire().await;
    run_apart(move || {
        let mut events = unpack(&packed)?;
        let archived = events.len() as u64;
        events.retain(|event| event.sequence >= from);
        // An archive that was written after they were read holds them too.
        events.extend(later.into_iter().filter(|event| event.sequence > archived));
        Ok(events)
    })
    .await
}

/// Replaces the bodies of some events.
pub(crate) fn replace(
    events: &mut [StoredEvent],
    changed: Vec<StoredEvent>,
) -> Result<(), StoreError> {
    for new in changed {
        let at = events.binary_search_by_key(&new.sequence, |event| event.sequence);
        let at = at.map_err(|_| StoreError::Corrupt("an archive misses an event".into()))?;
        events[at].body = new.body;
    }
    Ok(())
}

async fn run_apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(StoreError::Corrupt("an archive cannot be handled".into())))
}

pub(crate) fn compress(events: &[StoredEvent]) -> Result<Vec<u8>, StoreError> {
    let mut packer = brotli::CompressorWriter::new(Vec::new(), BUFFER, QUALITY, WINDOW);
    for event in events {
        let length = u32::try_from(event.body.len());
        let length = length.map_err(|_| StoreError::Refused("an event is too long".into()))?;
        let parts = [&event.at_ms.to_le_bytes()[..], &length.to_le_bytes(), event.body.as_bytes()];
        // Writing to memory does not fail.
        parts.iter().try_for_each(|part| packer.write_all(part)).map_err(unreadable)?;
    }
    Ok(packer.into_inner())
}

fn unpack(packed: &[u8]) -> Result<Vec<StoredEvent>, StoreError> {
    let mut bytes = Vec::new();
    let unpacker = brotli::Decompressor::new(packed, BUFFER);
    unpacker.take(MAX_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
    let (mut events, mut rest) = (Vec::new(), bytes.as_slice());
    while let Some((head, body)) = rest.split_at_checked(HEAD) {
        let (at_ms, length) = head.split_at(HEAD - size_of::<u32>());
        let at_ms = i64::from_le_bytes(at_ms.try_into().map_err(unreadable)?);
        let length = u32::from_le_bytes(length.try_into().map_err(unreadable)?);
        let (body, after) =
            body.split_at_checked(length as usize).ok_or_else(|| unreadable("it is cut off"))?;
        let body = str::from_utf8(body).map_err(unreadable)?.to_owned();
        events.push(StoredEvent { sequence: events.len() as u64 + 1, at_ms, body });
        rest = after;
    }
    match rest.is_empty() {
        true => Ok(events),
        false => Err(unreadable("it is cut off")),
    }
}

fn unreadable(why: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt(format!("an archive cannot be read: {why}"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn events(count: u64) -> Vec<StoredEvent> {
        let event = |sequence| StoredEvent {
            sequence,
            at_ms: 1_700_000_000_000 + sequence as i64,
            body: format!("{{\"did\":\"acted\",\"seat\":{},\"action\":\"ză\"}}", sequence % 4),
        };
        (1..=count).map(event).collect()
    }

    #[tokio::test]
    async fn an_archive_holds_what_was_packed_and_is_much_smaller() {
        let all = events(2_000);
        let packed = pack(all.clone(), 2_000).await.unwrap();
        let plain: usize = all.iter().map(|event| event.body.len()).sum();
        assert!(packed.len() * 5 < plain, "{} of {plain} bytes", packed.len());
        assert_eq!(read(packed.clone(), 1, Vec::new()).await.unwrap(), all);
        assert_eq!(read(packed.clone(), 1_990, Vec::new()).await.unwrap(), all[1_989..]);
        let later = events(2_003)[1_998..].to_vec();
        let joined = read(packed, 1_998, later).await.unwrap();
        assert_eq!(joined, events(2_003)[1_997..]);
    }

    #[tokio::test]
    async fn a_log_with_a_gap_is_not_packed_and_a_damaged_archive_not_read() {
        let mut gap = events(5);
        gap.remove(2);
        assert!(matches!(pack(gap, 5).await, Err(StoreError::Corrupt(_))));
        assert!(matches!(pack(events(5), 6).await, Err(StoreError::Corrupt(_))));
        let packed = pack(events(50), 50).await.unwrap();
        for end in 0..packed.len() {
            let cut = read(packed[..end].to_vec(), 1, Vec::new()).await;
            assert!(cut.is_err(), "{end} of {} bytes", packed.len());
        }
    }

    #[tokio::test]
    async fn one_archive_is_unpacked_at_a_time() {
        let packed = pack(events(5), 5).await.unwrap();
        let turn = UNPACKING.acquire().await.unwrap();
        let mut reading = Box::pin(read(packed, 1, Vec::new()));
        let waits = tokio::time::timeout(Duration::from_millis(200), reading.as_mut()).await;
        assert!(waits.is_err(), "another one is being unpacked");
        drop(turn);
        assert_eq!(reading.await.unwrap(), events(5));
    }

    #[tokio::test]
    async fn an_empty_log_has_an_archive() {
        let packed = pack(Vec::new(), 0).await.unwrap();
        assert_eq!(read(packed, 1, Vec::new()).await, Ok(Vec::new()));
    }
}
