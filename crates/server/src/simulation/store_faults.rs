//! The faults of the store: what a plan makes of each operation of one server.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use store::{FaultPlan, LogId, Operation, OperationFate, OperationFault, StoreError};

use super::lots::Lots;
use super::tally::WorldTally;

/// How the store works for one server at present.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StoreMode {
    /// It answers soon.
    Healthy,
    /// It answers, but late.
    Busy,
    /// Some operations fail, some lose their answers, some take longer than a statement may.
    Flaky,
    /// The disk is full.
    Full,
    /// It can only be read.
    ReadOnly,
    /// It is not there.
    Gone,
    /// Every operation takes longer than most wait, or than a statement may.
    Stalled,
}

impl StoreMode {
    pub(super) const TROUBLES: [StoreMode; 6] = [
        StoreMode::Busy,
        StoreMode::Flaky,
        StoreMode::Full,
        StoreMode::ReadOnly,
        StoreMode::Gone,
        StoreMode::Stalled,
    ];
}

/// The plan of one server's store. The world changes it.
pub(super) struct StoreFaults {
    state: Mutex<FaultState>,
}

struct FaultState {
    lots: Lots,
    mode: StoreMode,
    /// The logs that cannot be written, though the store works.
    refused: BTreeSet<LogId>,
    tally: WorldTally,
}

impl StoreFaults {
    pub(super) fn new(lots: Lots) -> StoreFaults {
        let (mode, refused, tally) = (StoreMode::Healthy, BTreeSet::new(), WorldTally::default());
        StoreFaults { state: Mutex::new(FaultState { lots, mode, refused, tally }) }
    }

    fn lock(&self) -> MutexGuard<'_, FaultState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set_mode(&self, mode: StoreMode) {
        self.lock().mode = mode;
    }

    /// Refuses every append to these logs.
    pub(super) fn refuse(&self, logs: BTreeSet<LogId>) {
        self.lock().refused = logs;
    }

    /// Takes what has happened.
    pub(super) fn take_tally(&self) -> WorldTally {
        std::mem::take(&mut self.lock().tally)
    }
}

impl FaultPlan for StoreFaults {
    fn fate(&self, operation: &Operation<'_>) -> OperationFate {
        self.lock().fate(operation)
    }
}

impl FaultState {
    fn fate(&mut self, operation: &Operation<'_>) -> OperationFate {
        let refuses = operation.name == "append"
            && operation.logs.iter().any(|log| self.refused.contains(log));
        if refuses {
            return self.fails("an append refused", StoreError::Refused("this log".into()));
        }
        let mode = self.mode;
        match mode {
            StoreMode::Healthy => self.slow(0..12, 0..6),
            StoreMode::Busy => self.slow(5..400, 1..200),
            StoreMode::Flaky => self.flaky(),
            StoreMode::Full if operation.writes => {
                self.fails("a full disk", StoreError::Full("no room".into()))
            }
            StoreMode::ReadOnly if operation.writes => {
                self.fails("a read-only store", StoreError::ReadOnly("only to be read".into()))
            }
            StoreMode::Full | StoreMode::ReadOnly => self.slow(0..12, 0..6),
            StoreMode::Gone => {
                let late = self.lots.chance(3);
                let before = if late { self.millis(50..5_000) } else { Duration::ZERO };
                let gone = StoreError::Unavailable("not there".into());
                OperationFate { before, ..self.fails("a store that is gone", gone) }
            }
            StoreMode::Stalled => self.stalls(),
        }
    }

    fn flaky(&mut self) -> OperationFate {
        match self.lots.below(30) {
            0..4 => {
                let unavailable = StoreError::Unavailable("not now".into());
                self.fails("a failed operation", unavailable)
            }
            4 | 5 => self.loses(true),
            6 | 7 => self.loses(false),
            8 => self.stalls(),
            _ => self.slow(0..60, 0..30),
        }
    }

    fn millis(&mut self, range: std::ops::Range<u64>) -> Duration {
        Duration::from_millis(self.lots.within(range))
    }

    fn slow(&mut self, before: std::ops::Range<u64>, after: std::ops::Range<u64>) -> OperationFate {
        OperationFate { before: self.millis(before), fault: None, after: self.millis(after) }
    }

    fn fails(&mut self, what: &str, error: StoreError) -> OperationFate {
        self.tally.count(what);
        OperationFate { fault: Some(OperationFault::Fails(error)), ..OperationFate::default() }
    }

    fn loses(&mut self, done: bool) -> OperationFate {
        self.tally.count(if done { "a lost answer, done" } else { "a lost answer, not done" });
        let before = self.millis(0..100);
        let fault = Some(OperationFault::AnswerLost { done });
        OperationFate { before, fault, after: Duration::ZERO }
    }

    /// Takes long before it is done or after it; beyond 20 s there is no answer.
    fn stalls(&mut self) -> OperationFate {
        let late = self.millis(3_000..30_000);
        let too_late = late.as_secs() >= 20;
        self.tally.count(if too_late { "an answer that came too late" } else { "a late answer" });
        match self.lots.chance(2) {
            true => OperationFate { before: late, ..OperationFate::default() },
            false => OperationFate { after: late, ..OperationFate::default() },
        }
    }
}
