//! The refusals of a table on a server as sentences, and the title of rules.

use game::Rules;
use wire::table::RefusalReason;

use super::Phrases;

impl Phrases {
    /// The game and its seats: `Cruce, four players in two teams`.
    pub fn title(&self, rules: &Rules) -> String {
        match rules {
            Rules::Cruce(rules) => {
                self.rules_cruce(if rules.teams() { "yes" } else { "no" }, rules.players())
            }
            Rules::Whist(rules) => self.rules_whist(rules.players()),
        }
    }

    /// Why a table refused a command, addressed to the client that sent it.
    pub fn refused_by_table(&self, reason: RefusalReason) -> String {
        let sentence = match reason {
            RefusalReason::NotSeated | RefusalReason::NoSuchSeat | RefusalReason::NotStoodIn => {
                self.table_not_yours()
            }
            RefusalReason::NotHost => self.table_not_host(),
            RefusalReason::SeatTaken | RefusalReason::BotsSeat | RefusalReason::Full => {
                self.table_seat_taken()
            }
            RefusalReason::SeatEmpty | RefusalReason::NobodyPlays => self.table_seat_empty(),
            RefusalReason::Contest => self.table_of_contest(),
            RefusalReason::MatchRuns | RefusalReason::Duplicate => self.table_match_runs(),
            RefusalReason::NoMatch | RefusalReason::NothingToRead => self.table_no_match(),
            RefusalReason::SawCards => self.table_saw_cards(),
            RefusalReason::NotAdmitted => self.table_not_admitted(),
            RefusalReason::Kicked => self.table_kicked(),
            RefusalReason::Paused | RefusalReason::NotPaused => self.table_paused(),
            RefusalReason::NotProven => self.table_not_proven(),
            RefusalReason::NoClaims => self.table_no_claims(),
            RefusalReason::Muted => self.table_muted(),
            RefusalReason::TooFast => self.table_too_fast(),
            RefusalReason::Unchanged => self.table_unchanged(),
            RefusalReason::LogFull => self.table_log_full(),
            RefusalReason::BadName => self.table_bad_name(),
            RefusalReason::BadChat => self.table_bad_chat(),
            RefusalReason::Unavailable => self.table_unavailable(),
            RefusalReason::Closed => self.table_closed_now(),
            // Our clients cause these only if the table has changed in the meantime.
            RefusalReason::Illegal
            | RefusalReason::BadWord
            | RefusalReason::BadAction
            | RefusalReason::BadLevel
            | RefusalReason::BadRules
            | RefusalReason::BadId => self.table_late(),
        };
        format!("{sentence}.")
    }
}
