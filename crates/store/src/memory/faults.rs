//! What goes wrong in a database in memory, as a test plans it.

use std::fmt;
use std::time::Duration;

use crate::error::StoreError;
use crate::id::LogId;

/// Decides what happens to each operation. The test owns the plan, and may change it at any time.
pub trait FaultPlan: Send + Sync + 'static {
    /// The fate of an operation that begins now.
    fn fate(&self, operation: &Operation<'_>) -> OperationFate;
}

/// A plan without faults or delays.
#[derive(Clone, Copy, Debug)]
pub struct NoFaults;

/// An operation as a plan sees it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Operation<'a> {
    /// The name of its function.
    pub name: &'static str,
    /// Whether it writes. If its answer is lost, it is uncertain whether it was done.
    pub writes: bool,
    /// The logs that it concerns.
    pub logs: &'a [LogId],
}

/// What happens to an operation. By default it is done at once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OperationFate {
    /// How long the database does nothing. An operation that takes longer than the time limit of a
    /// statement fails, as with the other databases.
    pub before: Duration,
    /// What goes wrong then, if anything does.
    pub fault: Option<OperationFault>,
    /// How long the answer takes once the operation is done.
    pub after: Duration,
}

/// What goes wrong with an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OperationFault {
    /// It is not done, and answered by this error.
    Fails(StoreError),
    /// It has no answer.
    AnswerLost {
        /// Whether it is done.
        done: bool,
    },
}

impl FaultPlan for NoFaults {
    fn fate(&self, _: &Operation<'_>) -> OperationFate {
        OperationFate::default()
    }
}

impl fmt::Debug for Operation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        self.logs.iter().try_for_each(|log| write!(f, " {log}"))
    }
}
