//! What a contest or a score sheet refuses, in sentences.

use contest::csv::NotARow;
use contest::roster::{Fault, What};
use contest::{MOST_PLAYERS, NotAnOutcome, Refusal, sheet};
use game::Rules;
use wire::ledger::Refused;

use super::Phrases;

impl Phrases {
    /// Why something may not stand on a score sheet, with the clause that forbids it.
    pub fn refused_by_sheet(&self, refusal: &sheet::Refusal, rules: &Rules) -> String {
        let clause = refusal.clause(rules);
        self.with_clause(self.sheet_reason(refusal, rules), clause)
    }

    /// Why a contest by these rules refuses something, with the clause that forbids it.
    pub fn refused_by_contest(&self, refusal: &Refusal, rules: &Rules) -> String {
        let clause = refusal.clause(rules);
        self.with_clause(self.contest_reason(refusal, rules), clause)
    }

    /// Why a wish about a contest or a sheet by these rules was refused.
    pub fn refused_by_ledger(&self, refused: &Refused, rules: &Rules) -> String {
        match refused {
            Refused::Because(text) => match text.refusal() {
                Some(refusal) => self.refused_by_contest(&refusal, rules),
                // A newer server has more reasons than we know.
                None => self.ledger_refused(text.name.clone()),
            },
            Refused::Unreadable(_) | Refused::OtherLedger | Refused::BadId => {
                self.ledger_unreadable()
            }
            Refused::Full => self.ledger_full(),
            Refused::TooFast => self.ledger_too_fast(),
            Refused::Unavailable => self.ledger_unavailable(),
            Refused::NoTable => self.ledger_no_table(),
        }
    }

    fn with_clause(&self, sentence: String, clause: Option<&'static str>) -> String {
        match clause {
            Some(clause) => self.refused(sentence, clause),
            None => format!("{sentence}."),
        }
    }

    fn sheet_reason(&self, refusal: &sheet::Refusal, rules: &Rules) -> String {
        use sheet::Refusal;
        match *refusal {
            Refusal::MatchOver => self.refusal_match_over(),
            Refusal::Bid(illegal) => self.reason(&illegal, rules),
            Refusal::OtherGame => self.sheet_other_game(),
            Refusal::NoSuchSeat => self.refusal_no_such_seat(),
            Refusal::OtherPlayers { players } => self.sheet_players(players),
            Refusal::OtherSides { sides } => self.sheet_sides(sides),
            Refusal::OpenerDeclares { opener } => self.sheet_opener(opener.number()),
            Refusal::AllPassedIsThrownIn => self.sheet_all_passed(),
            Refusal::CardsDoNotAddUp { found } => self.sheet_cards(found),
            Refusal::NoSuchPoints { points, .. } => self.sheet_points(points),
            Refusal::NoSuchCalls => self.sheet_calls(),
            Refusal::TricksDoNotAddUp { found, cards } => self.sheet_tricks(cards, found),
            Refusal::OtherBids => self.sheet_other_bids(),
            Refusal::NoSuchLine => self.sheet_no_such_line(),
            Refusal::NothingToUndo => self.sheet_nothing_to_undo(),
            Refusal::NoPenalties => self.sheet_no_penalties(),
            Refusal::SheetFull => self.sheet_full(),
        }
    }

    fn contest_reason(&self, refusal: &Refusal, rules: &Rules) -> String {
        match *refusal {
            Refusal::NotForFour { players } => self.contest_not_for_four(players),
            Refusal::WordTooLong { most } => self.contest_word_too_long(most),
            Refusal::NotYours => self.contest_not_yours(),
            Refusal::ForReferee => self.contest_for_referee(),
            Refusal::TooMany { most } => self.contest_too_many(most),
            Refusal::TooFew { least } => self.contest_too_few(least),
            Refusal::NoPairs => self.contest_no_pairs(),
            Refusal::PairsOnly => self.contest_pairs_only(),
            Refusal::NoSuchEntrant => self.contest_no_such_entrant(),
            Refusal::HasWithdrawn => self.contest_has_withdrawn(),
            Refusal::CannotReturn => self.contest_cannot_return(),
            Refusal::NoSuchPhase => self.contest_no_such_phase(),
            Refusal::NoSuchTable => self.contest_no_such_table(),
            Refusal::NoSuchPlace => self.contest_no_such_place(),
            Refusal::PhaseClosed { phase } => self.contest_phase_closed(phase + 1),
            Refusal::PhaseOpen { phase } => self.contest_phase_open(phase + 1),
            Refusal::NotReopened { phase } => self.contest_not_reopened(phase + 1),
            Refusal::Reopened { phase } => self.contest_reopened(phase + 1),
            Refusal::NotSettled { table } => self.contest_not_settled(contest::urn::letters(table)),
            Refusal::AlreadyDrawn => self.contest_already_drawn(),
            Refusal::FinalDrawn => self.contest_final_drawn(),
            Refusal::Over => self.contest_over_now(),
            Refusal::TooManyPhases { most } => self.contest_too_many_phases(most),
            Refusal::NoCommitment => self.contest_no_commitment(),
            Refusal::OtherSecret => self.contest_other_secret(),
            Refusal::TooManyWords { most } => self.contest_too_many_words(most),
            Refusal::Outcome(fault) => self.outcome_reason(&fault),
            Refusal::Sheet(refusal) => self.sheet_reason(&refusal, rules),
            Refusal::Ruled => self.contest_ruled(),
            Refusal::NoTie => self.contest_no_tie(),
            Refusal::NoPenalties => self.sheet_no_penalties(),
            Refusal::NoSuchPenalty => self.contest_no_such_penalty(),
            Refusal::TooMuch => self.contest_too_much(),
            Refusal::NotOnline => self.contest_not_online(),
            Refusal::AlreadyOpened => self.contest_already_opened(),
        }
    }

    fn outcome_reason(&self, fault: &NotAnOutcome) -> String {
        match *fault {
            NotAnOutcome::OtherSides { sides } => self.sheet_sides(sides),
            NotAnOutcome::OutOfReach { score, least, most } => {
                self.outcome_reach(score, least, most)
            }
            NotAnOutcome::NobodyWon { target, margin } => self.outcome_nobody_won(target, margin),
            NotAnOutcome::NotOver => self.outcome_not_over(),
            NotAnOutcome::OtherRules => self.outcome_other_rules(),
        }
    }

    /// What is wrong with a list of entrants, and where.
    pub fn fault_of_list(&self, fault: &Fault) -> String {
        let what = match fault.what {
            What::NotARow(NotARow::OpenQuotes) => self.roster_open_quotes(),
            What::NotARow(NotARow::AfterQuotes) => self.roster_after_quotes(),
            What::NotAName => self.roster_not_a_name(),
            What::PartnerMissing => self.roster_partner(),
            What::TooManyCells { found, .. } => self.roster_cells(found),
            What::TooMany => self.roster_too_many(MOST_PLAYERS),
            What::TooLong => self.roster_too_long(),
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
    fn check(refusal: Refusal, english: &str, romanian: &str) {
        let rules = Rules::from_code("contest").unwrap();
        let said = Language::ALL
            .map(|language| Phrases::new(language).refused_by_contest(&refusal, &rules));
        assert_eq!(said, [english, romanian]);
    }

    #[test]
    fn a_refusal_names_its_clause() {
        check(
            Refusal::Outcome(NotAnOutcome::NobodyWon { target: 21, margin: 1 }),
            "Nobody has won with these scores: 21 are needed, and 1 more than the next (C12).",
            "Cu scorurile acestea n-a câștigat nimeni: trebuie 21, și cu 1 mai mult decât următorul (C12).",
        );
        check(
            Refusal::Sheet(sheet::Refusal::CardsDoNotAddUp { found: 121 }),
            "The cards are worth 120 points together, not 121 (C1).",
            "Cărțile fac împreună 120 de puncte, nu 121 (C1).",
        );
        check(
            Refusal::PhaseClosed { phase: 0 },
            "Phase 1 is closed, as the next one has been drawn: it must be reopened first.",
            "Faza 1 e închisă, fiindcă s-a tras la sorți următoarea: întâi trebuie redeschisă.",
        );
        check(
            Refusal::TooFew { least: 4 },
            "At least 4 entrants are needed (T4).",
            "E nevoie de cel puțin 4 înscriși (T4).",
        );
    }

    #[test]
    fn every_refusal_is_a_sentence() {
        use sheet::Refusal as OfSheet;
        let of_sheet = [
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
        ];
        let mut all: Vec<Refusal> = of_sheet.into_iter().map(Refusal::Sheet).collect();
        all.extend([
            Refusal::NotForFour { players: 5 },
            Refusal::WordTooLong { most: 60 },
            Refusal::NotYours,
            Refusal::ForReferee,
            Refusal::TooMany { most: 512 },
            Refusal::NoPairs,
            Refusal::PairsOnly,
            Refusal::NoSuchEntrant,
            Refusal::HasWithdrawn,
            Refusal::CannotReturn,
            Refusal::NoSuchPhase,
            Refusal::NoSuchTable,
            Refusal::NoSuchPlace,
            Refusal::PhaseOpen { phase: 0 },
            Refusal::NotReopened { phase: 0 },
            Refusal::Reopened { phase: 0 },
            Refusal::NotSettled { table: 27 },
            Refusal::AlreadyDrawn,
            Refusal::FinalDrawn,
            Refusal::Over,
            Refusal::TooManyPhases { most: 99 },
            Refusal::NoCommitment,
            Refusal::OtherSecret,
            Refusal::TooManyWords { most: 6 },
            Refusal::Outcome(NotAnOutcome::OtherSides { sides: 3 }),
            Refusal::Outcome(NotAnOutcome::OutOfReach { score: 1, least: 2, most: 3 }),
            Refusal::Outcome(NotAnOutcome::NotOver),
            Refusal::Outcome(NotAnOutcome::OtherRules),
            Refusal::Ruled,
            Refusal::NoTie,
            Refusal::NoPenalties,
            Refusal::NoSuchPenalty,
            Refusal::TooMuch,
            Refusal::NotOnline,
            Refusal::AlreadyOpened,
        ]);
        for language in Language::ALL {
            let phrases = Phrases::new(language);
            for rules in ["contest", "whist"].map(|code| Rules::from_code(code).unwrap()) {
                for refusal in &all {
                    let said = phrases.refused_by_contest(refusal, &rules);
                    assert!(said.ends_with('.') && !said.contains(['{', '$']), "{said}");
                    let clause = refusal.clause(&rules).map(|clause| format!("({clause})."));
                    assert!(clause.is_none_or(|clause| said.ends_with(&clause)), "{said}");
                }
            }
        }
    }
}
