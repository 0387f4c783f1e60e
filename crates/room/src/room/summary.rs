//! A table as the lobby shows it.

use game::PlayedDeal;
use ids::terms::Pace;
use ids::{PlayerId, TableId};
use wire::table::{Occupant, TableStage};

use super::{LoggedEntry, Millis, Room, RoomStage};

/// A table in short. It holds only what every client may know.
#[derive(Clone, Debug)]
pub struct TableSummary {
    /// Its id.
    pub table: TableId,
    /// The rules code.
    pub rules: String,
    /// The pace: how long a player may think.
    pub pace: Pace,
    /// The stage of its match.
    pub stage: TableStage,
    /// Who sits on each seat.
    pub seats: Vec<Option<Occupant>>,
    /// When its last entry was made.
    pub at: Millis,
}

impl Room {
    /// The room in short.
    pub fn summary(&self) -> TableSummary {
        TableSummary {
            table: self.id,
            rules: self.rules.code(),
            pace: self.pace,
            stage: match self.stage {
                RoomStage::Waiting => TableStage::Waiting,
                RoomStage::Playing(_) => TableStage::Playing,
                RoomStage::Over(_) => TableStage::Over,
            },
            seats: self.slots.iter().map(super::SeatSlot::who).collect(),
            at: self.at,
        }
    }

    /// Whether the last match is over and no other has begun.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, RoomStage::Over(_))
    }

    /// The finished deals of the last match.
    pub fn deals(&self) -> &[PlayedDeal] {
        self.last_match().map_or(&[], |played| &played.deals)
    }

    /// The players on the seats.
    pub fn players(&self) -> Vec<PlayerId> {
        self.slots.iter().filter_map(super::SeatSlot::player).collect()
    }

    /// The players on the seats after some entries that follow. Returns None if the same sit there.
    pub fn players_after(&self, entries: &[LoggedEntry]) -> Option<Vec<PlayerId>> {
        // Most entries are cards, and to try entries out takes a copy of the room.
        if !entries.iter().any(|logged| logged.entry.may_change_players()) {
            return None;
        }
        let mut after = self.clone();
        entries.iter().try_for_each(|logged| after.apply(logged).map(drop)).ok()?;
        // Players do not return to a closed table.
        let players = if after.closed { Vec::new() } else { after.players() };
        (players != self.players()).then_some(players)
    }
}
