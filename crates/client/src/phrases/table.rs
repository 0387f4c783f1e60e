//! Sentences about the table that need a choice between several phrases.

use cards::CardSet;
use game::Rules;

use super::{Phrases, game_word};

impl Phrases {
    /// What somebody with this hand may play.
    pub fn legal_cards(&self, rules: &Rules, name: &str, hand: CardSet, legal: CardSet) -> String {
        let pack = rules.pack();
        if legal == hand && hand.len() > 1 {
            self.may_play_any(name)
        } else if legal.len() == 1 {
            self.may_play_only(name, self.one_of(pack, legal))
        } else {
            self.may_play(name, self.one_of(pack, legal))
        }
    }

    /// What somebody may bid.
    pub fn legal_bids(&self, rules: &Rules, name: &str, bids: &[u8]) -> String {
        let words: Vec<String> = bids.iter().map(|bid| self.bid(rules, *bid)).collect();
        self.may_bid(name, self.list_or(&words))
    }

    /// Who must bid.
    pub fn bidder(&self, rules: &Rules, name: &str) -> String {
        self.turn_to_bid(game_word(rules), name)
    }

    /// Which suit is trump.
    pub fn trump(&self, rules: &Rules, trump: Option<cards::Suit>) -> String {
        match trump {
            Some(suit) => self.trump_is(game_word(rules), self.suit_name(rules.pack(), suit)),
            None => self.no_trump(),
        }
    }

    /// Who takes a trick, and the points in it.
    pub fn taker(&self, rules: &Rules, name: &str, points: u8) -> String {
        match rules {
            Rules::Cruce(_) => self.takes_points(name, self.points(points)),
            Rules::Whist(_) => self.takes(name),
        }
    }

    /// Who bids first in the next deal.
    pub fn first_bidder(&self, rules: &Rules, name: &str) -> String {
        self.next_first(game_word(rules), name)
    }
}
