//! What the registry of tables holds, for tests.

use store::TableId;

use super::TableRegistry;

impl TableRegistry {
    /// The tables whose tasks run, or are being loaded, and whether they run.
    pub(crate) fn in_memory(&self) -> Vec<(TableId, bool)> {
        self.tables.known()
    }
}
