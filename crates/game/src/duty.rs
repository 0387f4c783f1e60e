//! The ladder of duties (C8, W5): which cards may be played, and why not the others.
//!
//! Each rung narrows the hand, but only where it can be obeyed. The first
//! rung that excludes a card is the reason it is refused, and the cards left
//! on that rung are the evidence. The table, the views and the searches all
//! climb this one ladder.

use cards::{Card, CardSet, Suit};

use crate::action::Illegal;
use crate::trick::Trick;

/// A hand narrowed rung by rung.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ladder {
    hand: CardSet,
    led: Option<Suit>,
    /// What is left after the duty to follow (C8.1, W5).
    followed: CardSet,
    /// What is left after the duty to trump (C8.2, W5).
    trumped: CardSet,
    /// What is left after the duty to overtake `best` (C8.3).
    overtaken: CardSet,
    best: Option<Card>,
}

impl Ladder {
    /// A ladder without duties: the leader's, and everybody's in Cruce in two
    /// while the stock lasts (C13).
    #[inline]
    pub fn free(hand: CardSet) -> Ladder {
        Ladder { hand, led: None, followed: hand, trumped: hand, overtaken: hand, best: None }
    }

    /// The duties of a hand towards the cards on the table.
    #[inline]
    pub fn climb(hand: CardSet, trick: &Trick, trump: Option<Suit>, overtake: bool) -> Ladder {
        let (Some(led), Some(best)) = (trick.suit_led(), trick.best()) else {
            return Ladder::free(hand);
        };
        let of_suit = hand.in_suit(led);
        let (followed, trumped) = if of_suit.is_empty() {
            let trumps = trump.map_or(CardSet::EMPTY, |trump| hand.in_suit(trump));
            (hand, if trumps.is_empty() { hand } else { trumps })
        } else {
            (of_suit, of_suit)
        };
        let overtaken = if overtake { Self::overtake(trumped, led, best, trump) } else { trumped };
        Ladder { hand, led: Some(led), followed, trumped, overtaken, best: Some(best) }
    }

    /// Those of the cards that beat the best one on the table, if any do.
    ///
    /// Where cards of the suit led are left, a suit that has been trumped
    /// cannot win and the mask is empty. Where trumps are left because the suit
    /// is missing, they beat any plain card. Where neither is left, nothing can
    /// beat.
    #[inline]
    fn overtake(cards: CardSet, led: Suit, best: Card, trump: Option<Suit>) -> CardSet {
        let mut winning = CardSet::above(best);
        if best.suit() == led
            && let Some(trump) = trump
            && trump != led
        {
            winning |= CardSet::suit(trump);
        }
        let able = cards & winning;
        if able.is_empty() { cards } else { able }
    }

    /// The cards that may be played.
    #[inline]
    pub fn legal(&self) -> CardSet {
        self.overtaken
    }

    /// Why a card may not be played; nothing if it may.
    pub fn refusal(&self, card: Card) -> Option<Illegal> {
        if !self.hand.contains(card) {
            return Some(Illegal::NotInHand { card });
        }
        // A free ladder excludes nothing, so a duty always has a led card.
        let (led, best) = (self.led?, self.best?);
        if !self.followed.contains(card) {
            Some(Illegal::MustFollow { led, have: self.overtaken })
        } else if !self.trumped.contains(card) {
            Some(Illegal::MustTrump { have: self.overtaken })
        } else if !self.overtaken.contains(card) {
            Some(Illegal::MustBeat { best, have: self.overtaken })
        } else {
            None
        }
    }
}
