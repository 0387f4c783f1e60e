//! What a table task reports about itself in tests.

use room::driver::{MAX_CONNECTIONS, RESERVED_CONNECTIONS};

use super::{MAX_QUEUED, TableTask};
use crate::simulation::probes;

/// The answers that wait for their time: a question may be asked again before its old answer is due.
const MAX_HELD: usize = 16;
/// The requests that wait: the driver defers as many inputs, and one may be being stored.
const MAX_REQUESTS: usize = 129;

impl TableTask {
    pub(super) fn observe(&self) {
        probes::step();
        let seats = self.driver.room().rules().players();
        let max_connections = MAX_CONNECTIONS + (seats + 1) * RESERVED_CONNECTIONS;
        probes::size("connections to a table", self.clients.len(), max_connections);
        probes::size("answers held by a table", self.held_answers.len(), MAX_HELD);
        probes::size("requests that wait at a table", self.requests.len(), MAX_REQUESTS);
        probes::size("messages that wait at a table", self.messages.len(), MAX_QUEUED);
    }
}
