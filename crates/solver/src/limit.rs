//! Limits on the work of a search.

use core::fmt;

/// A limit on the work of a search: a number of positions between tricks, and a
/// function that is called regularly.
///
/// The count makes searches repeatable; the function lets the caller end one early,
/// because of a clock or because the user cancelled.
#[derive(Clone, Copy)]
pub struct Limit<'a> {
    /// The maximum number of positions.
    pub nodes: u64,
    /// Returns whether to stop now.
    pub stop: &'a dyn Fn() -> bool,
}

impl Limit<'static> {
    /// No limit.
    pub const NONE: Limit<'static> = Limit::nodes(u64::MAX);

    /// At most this many positions.
    pub const fn nodes(nodes: u64) -> Limit<'static> {
        Limit { nodes, stop: &|| false }
    }
}

impl fmt::Debug for Limit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limit").field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

/// The error of a search that reached its [`Limit`] before its result was known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the search was stopped before it knew the answer")
    }
}

impl core::error::Error for Stopped {}

/// The number of positions between two calls of [`Limit::stop`].
const CHECK_INTERVAL: u64 = 1024;

/// Counts the work of a search against its limit.
pub(crate) struct Meter<'a> {
    limit: Limit<'a>,
    pub(crate) nodes: u64,
    next_check: u64,
    /// Whether the limit is reached; then the values of the search are meaningless.
    pub(crate) stopped: bool,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(limit: Limit<'a>) -> Meter<'a> {
        Meter { limit, nodes: 0, next_check: CHECK_INTERVAL.min(limit.nodes), stopped: false }
    }

    /// Counts a position; returns whether the search must stop.
    #[inline]
    pub(crate) fn tick(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes > self.next_check {
            self.check();
        }
        self.stopped
    }

    #[cold]
    fn check(&mut self) {
        self.stopped |= self.nodes > self.limit.nodes || (self.limit.stop)();
        self.next_check = self.limit.nodes.min(self.nodes + CHECK_INTERVAL);
    }
}
