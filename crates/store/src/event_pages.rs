//! The events of a log, read a page at a time.

use std::vec;

use crate::{LogId, Store, StoreError, StoredEvent};

/// How many events a page has at most.
const PAGE: u32 = 1_000;

/// Reads the events of a log from one on. No reader has to count pages, and none keeps other tasks from
/// the thread, however long the log is.
pub struct EventPages<'a, S> {
    store: &'a S,
    log: LogId,
    /// The first event that is not read yet; None after the last one.
    next: Option<u64>,
    /// What is read and not yet returned: the store returns all events of an archived log at once.
    rest: vec::IntoIter<StoredEvent>,
}

impl<'a, S: Store> EventPages<'a, S> {
    /// Reads nothing yet.
    pub fn new(store: &'a S, log: LogId, from: u64) -> Self {
        EventPages { store, log, next: Some(from), rest: Vec::new().into_iter() }
    }

    /// The next events; none after the last one.
    pub async fn next(&mut self) -> Result<Vec<StoredEvent>, StoreError> {
        if self.rest.len() == 0
            && let Some(next) = self.next
        {
            let events = self.store.events(self.log, next, PAGE).await?;
            let is_last = events.len() < PAGE as usize;
            self.next = match events.last() {
                Some(last) if !is_last => Some(last.sequence + 1),
                Some(_) | None => None,
            };
            self.rest = events.into_iter();
        }
        // A store may answer at once.
        tokio::task::yield_now().await;
        Ok(self.rest.by_ref().take(PAGE as usize).collect())
    }
}
