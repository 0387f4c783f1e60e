//! How long a search may go on.

use core::fmt;

/// A bound on the work of a search: positions between tricks that it looks at, and
/// a question asked now and then.
///
/// The count makes searches repeatable; the question lets a caller who has a
/// clock, or a user who has changed his mind, end one early.
#[derive(Clone, Copy)]
pub struct Limit<'a> {
    /// How many positions may be looked at.
    pub nodes: u64,
    /// Whether to stop now.
    pub stop: &'a dyn Fn() -> bool,
}

impl Limit<'static> {
    /// No bound at all.
    pub const NONE: Limit<'static> = Limit::nodes(u64::MAX);

    /// So many positions and no more.
    pub const fn nodes(nodes: u64) -> Limit<'static> {
        Limit { nodes, stop: &|| false }
    }
}

impl fmt::Debug for Limit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limit").field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

/// The search reached its [`Limit`] before it knew the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the search was stopped before it knew the answer")
    }
}

impl core::error::Error for Stopped {}

/// Positions looked at between two looks at a limit's question.
const LOOK: u64 = 1024;

/// Counts the work of a search against its limit.
pub(crate) struct Meter<'a> {
    limit: Limit<'a>,
    pub(crate) nodes: u64,
    look_at: u64,
    /// Whether the limit is reached; what the search says then means nothing.
    pub(crate) stopped: bool,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(limit: Limit<'a>) -> Meter<'a> {
        Meter { limit, nodes: 0, look_at: LOOK.min(limit.nodes), stopped: false }
    }

    /// Counts a position; whether the search must stop.
    #[inline]
    pub(crate) fn tick(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes > self.look_at {
            self.look();
        }
        self.stopped
    }

    #[cold]
    fn look(&mut self) {
        self.stopped |= self.nodes > self.limit.nodes || (self.limit.stop)();
        self.look_at = self.limit.nodes.min(self.nodes + LOOK);
    }
}
