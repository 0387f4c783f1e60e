//! What a table on a server refuses, in sentences; and rules in a few words.

use game::Rules;
use wire::table::Reason;

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

    /// Why a table refused something, said to whoever wished it.
    pub fn refused_by_table(&self, reason: Reason) -> String {
        let sentence = match reason {
            Reason::NotSeated | Reason::NoSuchSeat | Reason::NotStoodIn => self.table_not_yours(),
            Reason::NotHost => self.table_not_host(),
            Reason::SeatTaken | Reason::BotsSeat | Reason::Full => self.table_seat_taken(),
            Reason::SeatEmpty | Reason::NobodyPlays => self.table_seat_empty(),
            Reason::Contest => self.table_of_contest(),
            Reason::MatchRuns | Reason::Duplicate => self.table_match_runs(),
            Reason::NoMatch | Reason::NothingToRead => self.table_no_match(),
            Reason::SawCards => self.table_saw_cards(),
            Reason::NotAdmitted => self.table_not_admitted(),
            Reason::SentAway => self.table_sent_away(),
            Reason::Paused | Reason::NotPaused => self.table_paused(),
            Reason::NotProven => self.table_not_proven(),
            Reason::NoClaims => self.table_no_claims(),
            Reason::Muted => self.table_muted(),
            Reason::TooFast => self.table_too_fast(),
            Reason::BadName => self.table_bad_name(),
            Reason::BadSaying => self.table_bad_saying(),
            Reason::Unavailable => self.table_unavailable(),
            Reason::Closed => self.table_closed_now(),
            // What a client of ours never sends unless the table has changed meanwhile.
            Reason::Illegal
            | Reason::BadWord
            | Reason::BadAction
            | Reason::BadLevel
            | Reason::BadRules
            | Reason::BadId => self.table_late(),
        };
        format!("{sentence}.")
    }
}
