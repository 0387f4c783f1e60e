//! How long a search may go on.

use core::fmt;

/// A bound on the work of a search: cards laid, and a question asked now and then.
///
/// The count makes searches repeatable; the question lets a caller who has a
/// clock, or a user who has changed his mind, end one early.
#[derive(Clone, Copy)]
pub struct Limit<'a> {
    /// How many cards may be laid.
    pub nodes: u64,
    /// Whether to stop now.
    pub stop: &'a dyn Fn() -> bool,
}

impl Limit<'static> {
    /// No bound at all.
    pub const NONE: Limit<'static> = Limit::nodes(u64::MAX);

    /// So many cards and no more.
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
