//! A table as a client gets it, for tests of what clients do with it.

use wire::table::{MatchCommitment, Pace, SeatState, Snapshot, TableStage, ViewerPlace};

const TABLE: &str = "0000000001";

/// A new private table with empty seats, as a spectator knows it.
pub fn snapshot(rules: &str, seats: usize) -> Snapshot {
    Snapshot {
        version: 9,
        table: TABLE.into(),
        you: ViewerPlace { seat: None, host: false },
        rules: rules.into(),
        pace: Pace::Off,
        listed: false,
        host: None,
        seats: vec![SeatState::default(); seats],
        stage: TableStage::Waiting,
        commitment: commitment(1),
        next: None,
        view: None,
        deals: Vec::new(),
        clock: None,
        paused: false,
        chat: Vec::new(),
        duplicate: None,
        contest: None,
        closed: false,
    }
}

/// The commitment about a match of that table.
pub fn commitment(number: u32) -> MatchCommitment {
    let (table, commitment) = (format!("{TABLE}-{number}"), "0".repeat(64));
    MatchCommitment { number, table, commitment, secret: None }
}
