//! Sentences about the table that need a choice between several phrases.

use cards::CardSet;
use game::Rules;
use game::cruce::promised_points;

use super::{Phrases, game_word};

impl Phrases {
    /// The cards that a player with this hand may play.
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

    /// The bids that a player may make.
    pub fn legal_bids(&self, rules: &Rules, name: &str, bids: &[u8]) -> String {
        let words: Vec<String> = bids.iter().map(|bid| self.bid(rules, *bid)).collect();
        self.may_bid(name, self.list_or(&words))
    }

    /// The player whose turn it is to bid.
    pub fn bidder(&self, rules: &Rules, name: &str) -> String {
        self.turn_to_bid(game_word(rules), name)
    }

    /// The trump suit.
    pub fn trump(&self, rules: &Rules, trump: Option<cards::Suit>) -> String {
        match trump {
            Some(suit) => self.trump_is(game_word(rules), self.suit_name(rules.pack(), suit)),
            None => self.no_trump(),
        }
    }

    /// The declarer of Cruce, and the points that their side must make (C6).
    pub fn promise(&self, name: &str, side: &str, bid: u8) -> String {
        let points = self.points(promised_points(bid));
        if bid == 0 {
            self.story_no_promise(name)
        } else if side == name {
            self.story_promise_alone(name, self.bid_word(bid), points)
        } else {
            self.story_promise(name, self.bid_word(bid), side, points)
        }
    }

    /// The same as a complete sentence.
    pub fn declarer(&self, name: &str, side: &str, bid: u8) -> String {
        format!("{} – {}.", self.story_declarer(), self.promise(name, side, bid))
    }

    /// The winner of a trick, and the points in it.
    pub fn taker(&self, rules: &Rules, name: &str, points: u8) -> String {
        match rules {
            Rules::Cruce(_) => self.takes_points(name, self.points(points)),
            Rules::Whist(_) => self.takes(name),
        }
    }

    /// The player who bids first in the next deal.
    pub fn first_bidder(&self, rules: &Rules, name: &str) -> String {
        self.next_first(game_word(rules), name)
    }
}
