//! What a ledger task reports about itself in tests.

use super::{BATCH, LedgerTask, MAX_QUEUED, MAX_SUBSCRIBERS};
use crate::simulation::probes;

/// The commands of one message each; the last message may bring several events.
const MAX_PENDING: usize = BATCH + 2;

impl LedgerTask {
    pub(super) fn observe(&self) {
        probes::step();
        probes::size("connections to a ledger", self.subscribers.len(), MAX_SUBSCRIBERS);
        probes::size("events that wait at a ledger", self.pending_events.len(), MAX_PENDING);
        probes::size("commands that wait at a ledger", self.pending_commands.len(), MAX_PENDING);
        probes::size("messages that wait at a ledger", self.messages.len(), MAX_QUEUED);
    }
}
