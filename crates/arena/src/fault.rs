//! Faults of bots: every fault costs a bot its turn, and is reported at the end.

use std::collections::BTreeMap;

/// A kind of fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum FaultKind {
    /// No answer in time.
    Late,
    /// The program ended, or could not be started.
    Ended,
    /// A line that is not a message.
    Garbled,
    /// An answer to a question that was not asked.
    WrongId,
    /// An action that the rules forbid, or that cannot be read.
    Illegal,
    /// More lines, or a longer line, than a bot may send.
    Flooded,
    /// The bot answered that it has no action.
    Declined,
    /// The program failed too often and is not started again.
    GivenUp,
}

impl FaultKind {
    /// Its name in JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            FaultKind::Late => "late",
            FaultKind::Ended => "ended",
            FaultKind::Garbled => "garbled",
            FaultKind::WrongId => "wrong_id",
            FaultKind::Illegal => "illegal",
            FaultKind::Flooded => "flooded",
            FaultKind::Declined => "declined",
            FaultKind::GivenUp => "given_up",
        }
    }

    /// Its name in text reports.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            FaultKind::Late => "no answer in time",
            FaultKind::Ended => "the program ended",
            FaultKind::Garbled => "not a message of the protocol",
            FaultKind::WrongId => "an answer to another question",
            FaultKind::Illegal => "an illegal action",
            FaultKind::Flooded => "too much output",
            FaultKind::Declined => "no answer given",
            FaultKind::GivenUp => "not started again",
        }
    }
}

/// A turn that a bot lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LostTurn {
    pub(crate) kind: FaultKind,
    /// A sentence that describes the fault.
    pub(crate) message: String,
}

impl LostTurn {
    pub(crate) fn new(kind: FaultKind, message: impl Into<String>) -> LostTurn {
        LostTurn { kind, message: message.into() }
    }
}

/// All the turns that a bot lost: how many of each kind, and the first few messages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Faults {
    pub(crate) kinds: BTreeMap<FaultKind, u64>,
    pub(crate) first: Vec<String>,
}

impl Faults {
    /// How many messages are kept.
    const MAX_MESSAGES: usize = 4;

    pub(crate) fn note(&mut self, place: &str, fault: &LostTurn) {
        *self.kinds.entry(fault.kind).or_default() += 1;
        if self.first.len() < Faults::MAX_MESSAGES {
            self.first.push(format!("{place}: {}", fault.message));
        }
    }

    /// Adds faults that came later.
    pub(crate) fn add(&mut self, later: &Faults) {
        for (kind, count) in &later.kinds {
            *self.kinds.entry(*kind).or_default() += count;
        }
        let room = Faults::MAX_MESSAGES - self.first.len();
        self.first.extend(later.first.iter().take(room).cloned());
    }

    pub(crate) fn count(&self) -> u64 {
        self.kinds.values().sum()
    }
}
