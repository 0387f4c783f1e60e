//! Why an action is refused: the duty, the cards that fulfil it, and the clause.

use game::{Illegal, Rules};

use super::{Phrases, game_word};

impl Phrases {
    /// Why a player may not do something, addressed to that player, with the clause of `docs/rules`
    /// that forbids it.
    pub fn refusal(&self, illegal: &Illegal, rules: &Rules) -> String {
        self.refused(self.reason(illegal, rules), illegal.clause(rules))
    }

    pub(super) fn reason(&self, illegal: &Illegal, rules: &Rules) -> String {
        let (pack, game) = (rules.pack(), game_word(rules));
        match *illegal {
            Illegal::NoSuchSeat => self.refusal_no_such_seat(),
            Illegal::NotYourTurn { turn } => self.refusal_not_your_turn(turn.number()),
            Illegal::NotBidding => self.refusal_not_bidding(game),
            Illegal::NotPlaying => self.refusal_not_playing(),
            Illegal::MatchOver => self.refusal_match_over(),
            Illegal::BidTooLow { highest } => {
                let bid = self.bid(rules, highest);
                let top = matches!(rules, Rules::Cruce(rules) if highest >= rules.max_bid());
                if top { self.refusal_bid_topped(bid) } else { self.refusal_bid_too_low(bid) }
            }
            Illegal::BidTooHigh { most } => match rules {
                Rules::Cruce(_) => self.refusal_bid_too_high(self.bid(rules, most)),
                Rules::Whist(_) => self.refusal_more_than_tricks(most),
            },
            Illegal::SumForbidden { bid } => self.refusal_sum(bid),
            Illegal::NotInHand { card } => self.refusal_not_in_hand(self.the_card(pack, card)),
            Illegal::MustFollow { led, have } => {
                self.refusal_follow(self.suit_name(pack, led), self.one_of(pack, have))
            }
            Illegal::MustTrump { have } => self.refusal_trump(game, self.one_of(pack, have)),
            Illegal::MustBeat { best, have } => {
                self.refusal_overtake(self.the_card(pack, best), self.one_of(pack, have))
            }
            Illegal::CannotCall { card } => match rules {
                Rules::Cruce(_) => self.refusal_call(self.the_card(pack, card)),
                Rules::Whist(_) => self.refusal_call_in_whist(),
            },
            Illegal::MustCall { card } => self.refusal_must_call(self.the_card(pack, card)),
            Illegal::NotAnHonourTable => self.refusal_no_honour_table(),
            Illegal::TrickNotFinished => self.refusal_trick_not_finished(),
            Illegal::OwnSide => self.refusal_own_side(),
            Illegal::AlreadyJudged => self.refusal_already_judged(),
            Illegal::NoChallengesLeft => self.refusal_no_challenges_left(),
            Illegal::NothingToAccept => self.refusal_nothing_to_accept(),
            Illegal::AlreadyAccepted => self.refusal_already_accepted(),
        }
    }

    /// The duty that a player broke with a card, addressed to the whole table (C15).
    pub fn broken_duty(&self, name: &str, broken: &Illegal, rules: &Rules) -> String {
        let (pack, game) = (rules.pack(), game_word(rules));
        let reason = match *broken {
            Illegal::MustFollow { led, have } => {
                self.broken_follow(name, self.suit_name(pack, led), self.one_of(pack, have))
            }
            Illegal::MustTrump { have } => self.broken_trump(game, name, self.one_of(pack, have)),
            Illegal::MustBeat { best, have } => {
                self.broken_overtake(name, self.the_card(pack, best), self.one_of(pack, have))
            }
            // The other refusals do not depend on the cards on the table.
            _ => self.reason(broken, rules),
        };
        self.refused(reason, broken.clause(rules))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use cards::{Card, CardSet, Seat, Suit};
    use game::notation::{parse_card, parse_set};

    fn rules(code: &str) -> Rules {
        Rules::from_code(code).unwrap()
    }

    fn card(text: &str) -> Card {
        parse_card(rules("cruce").pack(), text).unwrap()
    }

    fn set(text: &str) -> CardSet {
        parse_set(rules("cruce").pack(), text).unwrap()
    }

    #[track_caller]
    fn check(code: &str, illegal: Illegal, english: &str, romanian: &str) {
        let sentences =
            Language::ALL.map(|language| Phrases::new(language).refusal(&illegal, &rules(code)));
        assert_eq!(sentences, [english, romanian]);
    }

    #[test]
    fn a_refused_card_names_the_duty() {
        check(
            "cruce",
            Illegal::MustFollow { led: Suit::Bell, have: set("AX2b") },
            "You must follow bells: play A, X or II of bells (C8).",
            "Trebuie să dai la culoare (dubă): as, zacă sau doiar de dubă (C8).",
        );
        check(
            "cruce",
            Illegal::MustTrump { have: set("2h") },
            "You cannot follow suit, so you owe a trump: play the II of hearts (C8).",
            "N-ai culoarea cerută, deci trebuie să dai tromf: doiarul de roșu (C8).",
        );
        check(
            "whist",
            Illegal::MustTrump { have: set("Ab") },
            "You cannot follow suit, so you owe a trump: play the ace of clubs (W5).",
            "N-ai culoarea cerută, deci trebuie să dai atu: asul de treflă (W5).",
        );
        check(
            "cruce",
            Illegal::MustBeat { best: card("4b"), have: set("AXb") },
            "You must overtake the IV of bells: play A or X of bells (C8).",
            "Trebuie să mărești peste pătrarul de dubă: as sau zacă de dubă (C8).",
        );
    }

    #[test]
    fn a_refused_bid_names_the_allowed_bids() {
        check(
            "cruce",
            Illegal::BidTooLow { highest: 2 },
            "The bid stands at two: say more, or pass (C6).",
            "S-a zis deja două: ori zici mai mult, ori zici pas (C6).",
        );
        check(
            "contest",
            Illegal::BidTooLow { highest: 4 },
            "The bid stands at four, and nobody can say more: you can only pass (C6).",
            "S-a zis deja patru și mai mult nu se poate: mai poți zice doar pas (C6).",
        );
        check(
            "whist",
            Illegal::BidTooHigh { most: 1 },
            "There is only one trick: you can say at most 1 (W4).",
            "E o singură mână: poți spune cel mult 1 (W4).",
        );
    }

    #[test]
    fn every_refusal_is_a_sentence_with_its_clause() {
        let (card, have) = (card("4b"), set("AXb"));
        let turn = Seat::new(2).unwrap();
        let all = [
            Illegal::NoSuchSeat,
            Illegal::NotYourTurn { turn },
            Illegal::NotBidding,
            Illegal::NotPlaying,
            Illegal::MatchOver,
            Illegal::BidTooLow { highest: 1 },
            Illegal::BidTooHigh { most: 3 },
            Illegal::SumForbidden { bid: 1 },
            Illegal::NotInHand { card },
            Illegal::MustFollow { led: Suit::Bell, have },
            Illegal::MustTrump { have },
            Illegal::MustBeat { best: card, have },
            Illegal::CannotCall { card },
            Illegal::MustCall { card },
            Illegal::NotAnHonourTable,
            Illegal::TrickNotFinished,
            Illegal::OwnSide,
            Illegal::AlreadyJudged,
            Illegal::NoChallengesLeft,
            Illegal::NothingToAccept,
            Illegal::AlreadyAccepted,
        ];
        for language in Language::ALL {
            let phrases = Phrases::new(language);
            for rules in ["cruce", "contest3-honour", "whist"].map(rules) {
                for illegal in &all {
                    for sentence in [
                        phrases.refusal(illegal, &rules),
                        phrases.broken_duty("Ana", illegal, &rules),
                    ] {
                        let clause = format!("({}).", illegal.clause(&rules));
                        assert!(sentence.ends_with(&clause), "{sentence}");
                        assert!(sentence.len() > clause.len() + 10, "{sentence}");
                        assert!(!sentence.contains('{'), "{sentence}");
                    }
                }
            }
        }
    }
}
