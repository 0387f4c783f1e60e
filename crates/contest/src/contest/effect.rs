//! Whether a change would change anything. One that would not is not written.

use super::{Contest, ContestChange, Role};
use crate::outcome::MatchOutcome;
use crate::sheet::SheetChange;
use crate::table::{ContestTable, ContestTableId, MatchReport};

impl Contest {
    /// Whether a change that this role may make changes anything.
    pub fn has_effect(&self, by: Role, change: &ContestChange) -> bool {
        match change {
            ContestChange::Settings(settings) => *settings != self.settings,
            ContestChange::Rename { entrant, party } => {
                self.entrant(*entrant).is_none_or(|known| known.party != *party)
            }
            ContestChange::Commit(commitment) => self.commitment != Some(*commitment),
            ContestChange::WriteSheet { table, change } => self.changes_sheet(*table, change),
            ContestChange::Report { table, outcome } => {
                self.table(*table).is_none_or(|table| !has_reported(table, by, *outcome))
            }
            ContestChange::Rule { table, outcome } => {
                self.table(*table).is_none_or(|table| changes_ruling(table, by, *outcome))
            }
            // Once it is done, doing it again is forbidden.
            ContestChange::Withdraw { .. }
            | ContestChange::Return { .. }
            | ContestChange::Draw { .. }
            | ContestChange::Open { .. }
            | ContestChange::Reopen { .. }
            | ContestChange::Close { .. } => true,
            // The same again is something new: another entrant of that name, one more penalty, one
            // penalty less, further deals that end as those before, another file.
            ContestChange::Enter(_)
            | ContestChange::Penalise { .. }
            | ContestChange::Pardon { .. }
            | ContestChange::PlayOff { .. }
            | ContestChange::Import => true,
        }
    }

    fn changes_sheet(&self, table: ContestTableId, change: &SheetChange) -> bool {
        let Some(table) = self.table(table) else { return true };
        match table.sheet() {
            Some(sheet) => sheet.has_effect(change),
            None => self.fresh_sheet(table).is_ok_and(|sheet| sheet.has_effect(change)),
        }
    }
}

/// Whether this role made this report with this result. An imported report does not count: its author is not
/// known.
fn is_report_of(report: &MatchReport, by: Role, outcome: MatchOutcome) -> bool {
    report.by == by && report.outcome == outcome && !report.imported
}

/// Whether a role has reported this result. Only differing results are kept side by side.
fn has_reported(table: &ContestTable, by: Role, outcome: MatchOutcome) -> bool {
    table.reports.iter().any(|report| is_report_of(report, by, outcome))
}

/// Whether a ruling changes the result, its author, or the play-offs, which it voids.
fn changes_ruling(table: &ContestTable, by: Role, outcome: MatchOutcome) -> bool {
    let ruled = table.ruling.as_ref().is_some_and(|ruling| is_report_of(ruling, by, outcome));
    !ruled || !table.play_offs.is_empty()
}
