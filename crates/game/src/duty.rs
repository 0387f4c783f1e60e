//! The ladder of duties (C8, W5): which cards may be played, and why not the others.
//!
//! Each rung narrows the hand, but only where it can be obeyed. The first
//! rung that excludes a card is the reason it is refused, and the cards left
//! on that rung are the evidence. The table, the views and the searches all
//! climb this one ladder.

use cards::{Card, CardSet, Suit};

use crate::action::Illegal;
use crate::trick::Lead;

/// A hand narrowed rung by rung.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ladder {
    hand: CardSet,
    lead: Option<Lead>,
    /// What is left after the duty to follow (C8.1, W5).
    followed: CardSet,
    /// What is left after the duty to trump (C8.2, W5).
    trumped: CardSet,
    /// What is left after the duty to overtake the best card (C8.3).
    overtaken: CardSet,
}

impl Ladder {
    /// A ladder without duties: the leader's, and everybody's in Cruce in two
    /// while the stock lasts (C13).
    #[inline]
    pub const fn free(hand: CardSet) -> Ladder {
        Ladder { hand, lead: None, followed: hand, trumped: hand, overtaken: hand }
    }

    /// The duties of a hand towards what was led, if anything was.
    #[inline]
    pub fn climb(hand: CardSet, lead: Option<Lead>, trump: Option<Suit>, overtake: bool) -> Ladder {
        let Some(led) = lead else { return Ladder::free(hand) };
        let of_suit = hand.in_suit(led.suit);
        let trumps = trump.map_or(CardSet::EMPTY, |trump| hand.in_suit(trump));
        let followed = of_suit.or(hand);
        let trumped = of_suit.or(trumps).or(hand);
        let overtaken =
            if overtake { (trumped & winning(led, trump)).or(trumped) } else { trumped };
        Ladder { hand, lead, followed, trumped, overtaken }
    }

    /// The cards that may be played.
    #[inline]
    pub const fn legal(&self) -> CardSet {
        self.overtaken
    }

    /// Why a card may not be played; nothing if it may.
    pub fn refusal(&self, card: Card) -> Option<Illegal> {
        if !self.hand.contains(card) {
            return Some(Illegal::NotInHand { card });
        }
        // A free ladder excludes nothing, so a duty always has a lead.
        let Lead { suit, best, .. } = self.lead?;
        let have = self.overtaken;
        if !self.followed.contains(card) {
            Some(Illegal::MustFollow { led: suit, have })
        } else if !self.trumped.contains(card) {
            Some(Illegal::MustTrump { have })
        } else if !self.overtaken.contains(card) {
            Some(Illegal::MustBeat { best, have })
        } else {
            None
        }
    }
}

/// All cards that would take the trick now: those above the best one and, while
/// a plain card is winning, every trump.
///
/// Once a suit has been trumped, no card of it is among them, and so whoever
/// follows suit owes no card that beats (C8.3).
#[inline]
fn winning(lead: Lead, trump: Option<Suit>) -> CardSet {
    let above = CardSet::above(lead.best);
    match trump {
        Some(trump) if lead.best.suit() != trump => above | CardSet::suit(trump),
        _ => above,
    }
}
