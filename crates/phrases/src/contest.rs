//! The refusals of contests and score sheets as sentences.

use contest::csv::InvalidRow;
use contest::roster::{RosterFault, RosterFaultKind};
use contest::{ContestRefusal, InvalidOutcome, MAX_PLAYERS, sheet};
use game::Rules;
use wire::ledger::LedgerRefusal;

use super::Phrases;

impl Phrases {
    /// Why a score sheet refuses a change, with the clause that forbids it.
    pub fn refused_by_sheet(&self, refusal: &sheet::SheetRefusal, rules: &Rules) -> String {
        let clause = refusal.clause(rules);
        self.with_clause(self.sheet_reason(refusal, rules), clause)
    }

    /// Why a contest with these rules refuses a change, with the clause that forbids it.
    pub fn refused_by_contest(&self, refusal: &ContestRefusal, rules: &Rules) -> String {
        let clause = refusal.clause(rules);
        self.with_clause(self.contest_reason(refusal, rules), clause)
    }

    /// Why a command to a contest or a score sheet with these rules was refused.
    pub fn refused_by_ledger(&self, refused: &LedgerRefusal, rules: &Rules) -> String {
        match refused {
            LedgerRefusal::Because(text) => match text.refusal() {
                Some(refusal) => self.refused_by_contest(&refusal, rules),
                // A newer server may send a reason that this client does not know.
                None => self.ledger_refused(text.name.clone()),
            },
            LedgerRefusal::Unreadable(_) | LedgerRefusal::OtherLedger | LedgerRefusal::BadId => {
                self.ledger_unreadable()
            }
            LedgerRefusal::Full => self.ledger_full(),
            LedgerRefusal::TooFast => self.ledger_too_fast(),
            LedgerRefusal::Unavailable => self.ledger_unavailable(),
            LedgerRefusal::NoTable => self.ledger_no_table(),
        }
    }

    fn with_clause(&self, sentence: String, clause: Option<&'static str>) -> String {
        match clause {
            Some(clause) => self.refused(sentence, clause),
            None => format!("{sentence}."),
        }
    }

    fn sheet_reason(&self, refusal: &sheet::SheetRefusal, rules: &Rules) -> String {
        use sheet::SheetRefusal;
        match *refusal {
            SheetRefusal::MatchOver => self.refusal_match_over(),
            SheetRefusal::Bid(illegal) => self.reason(&illegal, rules),
            SheetRefusal::OtherGame => self.sheet_other_game(),
            SheetRefusal::NoSuchSeat => self.refusal_no_such_seat(),
            SheetRefusal::OtherPlayers { players } => self.sheet_players(players),
            SheetRefusal::OtherSides { sides } => self.sheet_sides(sides),
            SheetRefusal::OpenerDeclares { opener } => self.sheet_opener(opener.number()),
            SheetRefusal::AllPassedIsThrownIn => self.sheet_all_passed(),
            SheetRefusal::CardsDoNotAddUp { found } => self.sheet_cards(found),
            SheetRefusal::NoSuchPoints { points, .. } => self.sheet_points(points),
            SheetRefusal::NoSuchCalls => self.sheet_calls(),
            SheetRefusal::TricksDoNotAddUp { found, cards } => self.sheet_tricks(cards, found),
            SheetRefusal::OtherBids => self.sheet_other_bids(),
            SheetRefusal::NoSuchLine => self.sheet_no_such_line(),
            SheetRefusal::NothingToUndo => self.sheet_nothing_to_undo(),
            SheetRefusal::NoPenalties => self.sheet_no_penalties(),
            SheetRefusal::SheetFull => self.sheet_full(),
            SheetRefusal::Unchanged => self.table_unchanged(),
        }
    }

    fn contest_reason(&self, refusal: &ContestRefusal, rules: &Rules) -> String {
        match *refusal {
            ContestRefusal::NotForFour { players } => self.contest_not_for_four(players),
            ContestRefusal::WordTooLong { most } => self.contest_word_too_long(most),
            ContestRefusal::NotYours => self.contest_not_yours(),
            ContestRefusal::ForReferee => self.contest_for_referee(),
            ContestRefusal::TooMany { most } => self.contest_too_many(most),
            ContestRefusal::TooFew { least } => self.contest_too_few(least),
            ContestRefusal::NoPairs => self.contest_no_pairs(),
            ContestRefusal::PairsOnly => self.contest_pairs_only(),
            ContestRefusal::NoSuchEntrant => self.contest_no_such_entrant(),
            ContestRefusal::HasWithdrawn => self.contest_has_withdrawn(),
            ContestRefusal::CannotReturn => self.contest_cannot_return(),
            ContestRefusal::NoSuchPhase => self.contest_no_such_phase(),
            ContestRefusal::NoSuchTable => self.contest_no_such_table(),
            ContestRefusal::NoSuchPlace => self.contest_no_such_place(),
            ContestRefusal::PhaseClosed { phase } => self.contest_phase_closed(phase + 1),
            ContestRefusal::PhaseOpen { phase } => self.contest_phase_open(phase + 1),
            ContestRefusal::NotReopened { phase } => self.contest_not_reopened(phase + 1),
            ContestRefusal::Reopened { phase } => self.contest_reopened(phase + 1),
            ContestRefusal::NotSettled { table } => {
                self.contest_not_settled(contest::urn::table_letters(table))
            }
            ContestRefusal::AlreadyDrawn => self.contest_already_drawn(),
            ContestRefusal::FinalDrawn => self.contest_final_drawn(),
            ContestRefusal::Over => self.contest_over_now(),
            ContestRefusal::TooManyPhases { most } => self.contest_too_many_phases(most),
            ContestRefusal::NoCommitment => self.contest_no_commitment(),
            ContestRefusal::OtherSecret => self.contest_other_secret(),
            ContestRefusal::TooManyWords { most } => self.contest_too_many_words(most),
            ContestRefusal::Outcome(fault) => self.outcome_reason(&fault),
            ContestRefusal::Sheet(refusal) => self.sheet_reason(&refusal, rules),
            ContestRefusal::Ruled => self.contest_ruled(),
            ContestRefusal::NoTie => self.contest_no_tie(),
            ContestRefusal::NoPenalties => self.sheet_no_penalties(),
            ContestRefusal::NoSuchPenalty => self.contest_no_such_penalty(),
            ContestRefusal::TooMuch => self.contest_too_much(),
            ContestRefusal::NotOnline => self.contest_not_online(),
            ContestRefusal::AlreadyOpened => self.contest_already_opened(),
            ContestRefusal::Unchanged => self.table_unchanged(),
        }
    }

    fn outcome_reason(&self, fault: &InvalidOutcome) -> String {
        match *fault {
            InvalidOutcome::OtherSides { sides } => self.sheet_sides(sides),
            InvalidOutcome::OutOfReach { score, least, most } => {
                self.outcome_reach(score, least, most)
            }
            InvalidOutcome::NobodyWon { target, margin } => self.outcome_nobody_won(target, margin),
            InvalidOutcome::NotOver => self.outcome_not_over(),
            InvalidOutcome::OtherRules => self.outcome_other_rules(),
        }
    }

    /// A fault in a list of entrants, with its line.
    pub fn fault_of_list(&self, fault: &RosterFault) -> String {
        let what = match fault.what {
            RosterFaultKind::NotARow(InvalidRow::OpenQuotes) => self.roster_open_quotes(),
            RosterFaultKind::NotARow(InvalidRow::AfterQuotes) => self.roster_after_quotes(),
            RosterFaultKind::NotAName => self.roster_not_a_name(),
            RosterFaultKind::PartnerMissing => self.roster_partner(),
            RosterFaultKind::TooManyCells { found, .. } => self.roster_cells(found),
            RosterFaultKind::TooMany => self.roster_too_many(MAX_PLAYERS),
            RosterFaultKind::TooLong => self.roster_too_long(),
        };
        self.roster_fault(fault.line, what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use cards::{Seat, Side};
    use game::Illegal;

    #[track_caller]
    fn check(refusal: ContestRefusal, english: &str, romanian: &str) {
        let rules = Rules::from_code("contest").unwrap();
        let sentences = Language::ALL
            .map(|language| Phrases::new(language).refused_by_contest(&refusal, &rules));
        assert_eq!(sentences, [english, romanian]);
    }

    #[test]
    fn a_refusal_names_its_clause() {
        check(
            ContestRefusal::Outcome(InvalidOutcome::NobodyWon { target: 21, margin: 1 }),
            "Nobody has won with these scores: 21 are needed, and 1 more than the next (C12).",
            "Cu scorurile acestea n-a câștigat nimeni: trebuie 21, și cu 1 mai mult decât următorul (C12).",
        );
        check(
            ContestRefusal::Sheet(sheet::SheetRefusal::CardsDoNotAddUp { found: 121 }),
            "The cards are worth 120 points together, not 121 (C1).",
            "Cărțile fac împreună 120 de puncte, nu 121 (C1).",
        );
        check(
            ContestRefusal::PhaseClosed { phase: 0 },
            "Phase 1 is closed, as the next one has been drawn: it must be reopened first.",
            "Faza 1 e închisă, fiindcă s-a tras la sorți următoarea: întâi trebuie redeschisă.",
        );
        check(
            ContestRefusal::TooFew { least: 4 },
            "At least 4 entrants are needed (T4).",
            "E nevoie de cel puțin 4 înscriși (T4).",
        );
    }

    fn sheet_refusals() -> Vec<ContestRefusal> {
        use sheet::SheetRefusal as OfSheet;
        let refusals = [
            OfSheet::MatchOver,
            OfSheet::Bid(Illegal::SumForbidden { bid: 1 }),
            OfSheet::OtherGame,
            OfSheet::NoSuchSeat,
            OfSheet::OtherPlayers { players: 4 },
            OfSheet::OtherSides { sides: 2 },
            OfSheet::OpenerDeclares { opener: Seat::default() },
            OfSheet::AllPassedIsThrownIn,
            OfSheet::CardsDoNotAddUp { found: 2 },
            OfSheet::NoSuchPoints { side: Side::default(), points: 1 },
            OfSheet::NoSuchCalls,
            OfSheet::TricksDoNotAddUp { found: 2, cards: 1 },
            OfSheet::OtherBids,
            OfSheet::NoSuchLine,
            OfSheet::NothingToUndo,
            OfSheet::NoPenalties,
            OfSheet::SheetFull,
            OfSheet::Unchanged,
        ];
        refusals.into_iter().map(ContestRefusal::Sheet).collect()
    }

    fn contest_refusals() -> Vec<ContestRefusal> {
        vec![
            ContestRefusal::NotForFour { players: 5 },
            ContestRefusal::WordTooLong { most: 60 },
            ContestRefusal::NotYours,
            ContestRefusal::ForReferee,
            ContestRefusal::TooMany { most: 512 },
            ContestRefusal::NoPairs,
            ContestRefusal::PairsOnly,
            ContestRefusal::NoSuchEntrant,
            ContestRefusal::HasWithdrawn,
            ContestRefusal::CannotReturn,
            ContestRefusal::NoSuchPhase,
            ContestRefusal::NoSuchTable,
            ContestRefusal::NoSuchPlace,
            ContestRefusal::PhaseOpen { phase: 0 },
            ContestRefusal::NotReopened { phase: 0 },
            ContestRefusal::Reopened { phase: 0 },
            ContestRefusal::NotSettled { table: 27 },
            ContestRefusal::AlreadyDrawn,
            ContestRefusal::FinalDrawn,
            ContestRefusal::Over,
            ContestRefusal::TooManyPhases { most: 99 },
            ContestRefusal::NoCommitment,
            ContestRefusal::OtherSecret,
            ContestRefusal::TooManyWords { most: 6 },
            ContestRefusal::Outcome(InvalidOutcome::OtherSides { sides: 3 }),
            ContestRefusal::Outcome(InvalidOutcome::OutOfReach { score: 1, least: 2, most: 3 }),
            ContestRefusal::Outcome(InvalidOutcome::NotOver),
            ContestRefusal::Outcome(InvalidOutcome::OtherRules),
            ContestRefusal::Ruled,
            ContestRefusal::NoTie,
            ContestRefusal::NoPenalties,
            ContestRefusal::NoSuchPenalty,
            ContestRefusal::TooMuch,
            ContestRefusal::NotOnline,
            ContestRefusal::AlreadyOpened,
            ContestRefusal::Unchanged,
        ]
    }

    #[test]
    fn every_refusal_is_a_sentence() {
        let refusals = [sheet_refusals(), contest_refusals()].concat();
        for language in Language::ALL {
            let phrases = Phrases::new(language);
            for rules in ["contest", "whist"].map(|code| Rules::from_code(code).unwrap()) {
                for refusal in &refusals {
                    let sentence = phrases.refused_by_contest(refusal, &rules);
                    assert!(
                        sentence.ends_with('.') && !sentence.contains(['{', '$']),
                        "{sentence}"
                    );
                    let clause = refusal.clause(&rules).map(|clause| format!("({clause})."));
                    assert!(clause.is_none_or(|clause| sentence.ends_with(&clause)), "{sentence}");
                }
            }
        }
    }
}
