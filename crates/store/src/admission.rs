//! Decides which appends of a batch are stored, once for all databases, from the rows of the logs, which no
//! other server can change meanwhile.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::StoreError;
use crate::event::{Append, AppendOutcome, FinishedMatch, LinkedWrite, NewEvent};
use crate::id::{Epoch, LogId, PlayerId, StoredId};

/// Columns `id, epoch, last_sequence, closed` of a log.
pub(crate) type HeadRow = (i64, i64, i64, bool);

/// The logs of a batch, each once and in the order in which they must be locked: batches that lock
/// in the same order cannot deadlock.
pub(crate) fn logs(batch: &[Append]) -> Vec<i64> {
    let logs: BTreeSet<i64> = batch.iter().map(|append| append.log.stored()).collect();
    logs.into_iter().collect()
}

/// The state of a log before its next append.
struct LogHead {
    epoch: Epoch,
    last: u64,
    closed: bool,
    checkpoint: Option<u64>,
    /// The time of the last event of this batch, and the bytes of all of them.
    last_ms: Option<i64>,
    bytes: u64,
    /// Whether an append of this batch was admitted.
    changed: bool,
}

/// The decisions about a batch.
pub(crate) struct Admission<'a> {
    pub(crate) outcomes: Vec<AppendOutcome>,
    admitted: Vec<&'a Append>,
    heads: BTreeMap<LogId, LogHead>,
}

/// The new values of a table's row.
pub(crate) struct ChangedLog {
    pub(crate) log: i64,
    pub(crate) last: i64,
    pub(crate) checkpoint: Option<i64>,
    pub(crate) closed: bool,
    /// The time of the last event, if there are new ones.
    pub(crate) last_ms: Option<i64>,
    /// The bytes of the new events.
    pub(crate) bytes: i64,
}

impl<'a> Admission<'a> {
    /// Decides about the appends in order, as if those before were already stored.
    pub(crate) fn decide(batch: &'a [Append], rows: Vec<HeadRow>) -> Result<Self, StoreError> {
        let mut heads = BTreeMap::new();
        for (table, epoch, last, closed) in rows {
            let epoch = Epoch::new(from_stored(epoch)?);
            let last = from_stored(last)?;
            let (checkpoint, last_ms, bytes, changed) = (None, None, 0, false);
            let head = LogHead { epoch, last, closed, checkpoint, last_ms, bytes, changed };
            heads.insert(LogId::from_stored(table)?, head);
        }
        let mut admission = Self { outcomes: Vec::new(), admitted: Vec::new(), heads };
        for append in batch {
            let head = admission.heads.get_mut(&append.log);
            let outcome = head.map_or(AppendOutcome::Gone, |head| head.admit(append));
            if outcome == AppendOutcome::Done {
                admission.admitted.push(append);
            }
            admission.outcomes.push(outcome);
        }
        Ok(admission)
    }

    /// All events to store, with table and sequence.
    pub(crate) fn events(&self) -> Vec<(i64, i64, &'a NewEvent)> {
        let numbered = |append: &&'a Append| {
            let (table, first) = (append.log.stored(), to_stored(append.first));
            (first..).zip(&append.events).map(move |(sequence, event)| (table, sequence, event))
        };
        self.admitted.iter().flat_map(numbered).collect()
    }

    pub(crate) fn finished(&self) -> Vec<(i64, &'a FinishedMatch)> {
        self.linked_writes(|write| match write {
            LinkedWrite::Finished(finished) => Some(finished),
            LinkedWrite::Checkpoint(_) | LinkedWrite::Seats(_) | LinkedWrite::Closed => None,
        })
    }

    /// The players at the tables whose seats have changed. A table may be here more than once: the last
    /// one counts.
    pub(crate) fn seats(&self) -> Vec<(i64, &'a Vec<PlayerId>)> {
        self.linked_writes(|write| match write {
            LinkedWrite::Seats(players) => Some(players),
            LinkedWrite::Checkpoint(_) | LinkedWrite::Finished(_) | LinkedWrite::Closed => None,
        })
    }

    /// The linked writes of one kind, with their tables.
    fn linked_writes<T>(&self, of_kind: fn(&'a LinkedWrite) -> Option<T>) -> Vec<(i64, T)> {
        let of = |append: &&'a Append| {
            let table = append.log.stored();
            append.linked_writes.iter().filter_map(of_kind).map(move |write| (table, write))
        };
        self.admitted.iter().flat_map(of).collect()
    }

    pub(crate) fn changed(&self) -> Vec<ChangedLog> {
        let changed = self.heads.iter().filter(|(_, head)| head.changed);
        let row = |(log, head): (&LogId, &LogHead)| ChangedLog {
            log: log.stored(),
            last: to_stored(head.last),
            checkpoint: head.checkpoint.map(to_stored),
            closed: head.closed,
            last_ms: head.last_ms,
            bytes: to_stored(head.bytes),
        };
        changed.map(row).collect()
    }
}

impl LogHead {
    fn admit(&mut self, append: &Append) -> AppendOutcome {
        if append.epoch != self.epoch {
            return AppendOutcome::Fenced;
        }
        if self.closed {
            return AppendOutcome::Gone;
        }
        let last = self.last + append.events.len() as u64;
        let is_valid = |write: &LinkedWrite| match write {
            LinkedWrite::Checkpoint(sequence) => (1..=last).contains(sequence),
            LinkedWrite::Finished(_) | LinkedWrite::Seats(_) | LinkedWrite::Closed => true,
        };
        if append.first != self.last + 1 || !append.linked_writes.iter().all(is_valid) {
            return AppendOutcome::OutOfOrder;
        }
        for write in &append.linked_writes {
            match write {
                LinkedWrite::Checkpoint(sequence) => self.checkpoint = Some(*sequence),
                LinkedWrite::Closed => self.closed = true,
                LinkedWrite::Finished(_) | LinkedWrite::Seats(_) => {}
            }
        }
        self.last_ms = append.events.last().map(|event| event.at_ms).or(self.last_ms);
        self.bytes += append.events.iter().map(|event| event.body.len() as u64).sum::<u64>();
        self.last = last;
        self.changed = true;
        AppendOutcome::Done
    }
}

/// A count in the signed form that both databases store.
pub(crate) fn to_stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(crate) fn from_stored(stored: i64) -> Result<u64, StoreError> {
    u64::try_from(stored).map_err(|_| StoreError::Corrupt(format!("{stored} is not a count")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn append(table: u64, epoch: u64, first: u64, events: usize) -> Append {
        let event = NewEvent { at_ms: 0, body: String::new() };
        Append {
            log: LogId::new(table).unwrap(),
            epoch: Epoch::new(epoch),
            first,
            events: vec![event; events],
            linked_writes: Vec::new(),
        }
    }

    #[test]
    fn each_append_is_decided_after_those_before_it() {
        let mut closing = append(1, 2, 9, 0);
        closing.linked_writes.push(LinkedWrite::Closed);
        let batch = [
            append(1, 2, 6, 2),
            append(2, 1, 1, 1),
            append(1, 1, 8, 1),
            append(1, 2, 8, 1),
            append(1, 2, 8, 1),
            append(1, 2, 10, 1),
            append(3, 1, 1, 1),
            closing,
            append(1, 2, 9, 1),
        ];
        let admission = Admission::decide(&batch, vec![(1, 2, 5, false), (2, 1, 0, true)]).unwrap();
        use AppendOutcome::{Done, Fenced, Gone, OutOfOrder};
        let expected = [Done, Gone, Fenced, Done, OutOfOrder, OutOfOrder, Gone, Done, Gone];
        assert_eq!(admission.outcomes, expected);
        let stored: Vec<_> = admission.events().iter().map(|event| (event.0, event.1)).collect();
        assert_eq!(stored, [(1, 6), (1, 7), (1, 8)]);
        let changed: Vec<_> =
            admission.changed().iter().map(|row| (row.log, row.last, row.closed)).collect();
        assert_eq!(changed, [(1, 8, true)]);
    }

    #[test]
    fn a_checkpoint_must_be_at_an_existing_event() {
        for (sequence, outcome) in [
            (0, AppendOutcome::OutOfOrder),
            (1, AppendOutcome::Done),
            (7, AppendOutcome::Done),
            (8, AppendOutcome::OutOfOrder),
        ] {
            let mut batch = [append(1, 1, 6, 2)];
            batch[0].linked_writes.push(LinkedWrite::Checkpoint(sequence));
            let admission = Admission::decide(&batch, vec![(1, 1, 5, false)]).unwrap();
            assert_eq!(admission.outcomes, [outcome], "{sequence}");
        }
    }

    #[test]
    fn extreme_sequences_are_out_of_order() {
        let batch = [append(1, 1, u64::MAX, 3), append(1, 1, 0, 1)];
        let admission = Admission::decide(&batch, vec![(1, 1, 0, false)]).unwrap();
        assert_eq!(admission.outcomes, [AppendOutcome::OutOfOrder; 2]);
        assert!(admission.events().is_empty() && admission.changed().is_empty());
    }

    #[test]
    fn logs_are_locked_in_one_order() {
        let batch = [append(9, 1, 1, 1), append(2, 1, 1, 1), append(9, 1, 2, 1)];
        assert_eq!(logs(&batch), [2, 9]);
    }
}
