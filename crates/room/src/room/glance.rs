//! A table as the lobby shows it.

use names::{PlayerId, TableId};
use wire::table::{DealPlayed, Pace, Stage as WireStage, Who};

use super::{Millis, Room, Stage};

/// A table at a glance: nothing that not everybody may know.
#[derive(Clone, Debug)]
pub struct Glance {
    /// Its name in links.
    pub table: TableId,
    /// The rules code.
    pub rules: String,
    /// The clock.
    pub pace: Pace,
    /// Where it stands.
    pub stage: WireStage,
    /// Who sits where.
    pub seats: Vec<Option<Who>>,
    /// When something happened last.
    pub at: Millis,
}

impl Room {
    /// The room at a glance.
    pub fn glance(&self) -> Glance {
        Glance {
            table: self.id,
            rules: self.rules.code(),
            pace: self.pace,
            stage: match self.stage {
                Stage::Waiting => WireStage::Waiting,
                Stage::Playing(_) => WireStage::Playing,
                Stage::Over(_) => WireStage::Over,
            },
            seats: self.chairs.iter().map(super::Chair::who).collect(),
            at: self.at,
        }
    }

    /// Whether a match is over, and no other has begun.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over(_))
    }

    /// The deals of the last match that are over.
    pub fn deals(&self) -> &[DealPlayed] {
        self.last_match().map_or(&[], |played| &played.deals)
    }

    /// The persons at the table.
    pub fn players(&self) -> Vec<PlayerId> {
        self.chairs.iter().filter_map(super::Chair::player).collect()
    }
}
