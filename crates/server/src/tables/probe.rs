//! What the registry of tables holds, for tests.

use store::TableId;

use super::TableRegistry;

impl TableRegistry {
    /// The tables whose tasks run, or are being loaded, and whether they run.
    pub(crate) fn in_memory(&self) -> Vec<(TableId, bool)> {
        self.tables.known()
    }

    /// How much of memory the tables and all connections take: tasks, and bytes that wait for clients.
    pub(crate) fn in_use(&self) -> usize {
        self.tables.occupancy().in_use() + self.outboxes.waiting()
    }
}
