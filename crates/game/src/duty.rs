//! The duties (C8, W5): which cards may be played, and why not the others.
//!
//! The duties form a ladder: each one narrows the hand, but only if it can be
//! obeyed. The first duty that excludes a card is the reason for its refusal.
//! The table, the views and the searches all use this code.

use cards::{Card, CardSet, Suit};

use crate::action::Illegal;
use crate::trick::Lead;

/// A hand narrowed duty by duty.
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
    /// No duties: for the leader, and for both players of Cruce with two while
    /// the stock lasts (C13).
    #[inline]
    pub const fn free(hand: CardSet) -> Ladder {
        Ladder { hand, lead: None, followed: hand, trumped: hand, overtaken: hand }
    }

    /// The duties of a hand towards the lead, if there is one.
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

    /// Why a card may not be played; `None` if it may.
    pub fn refusal(&self, card: Card) -> Option<Illegal> {
        if !self.hand.contains(card) {
            return Some(Illegal::NotInHand { card });
        }
        // Without a lead there are no duties.
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

/// The cards that a hand cannot have held beside `card` when it played `card`
/// lawfully (C8, W5): with any one of them, `card` would have broken a duty, and
/// with none of them it breaks none.
///
/// Single cards suffice, because every duty asks only whether there is *some*
/// card that obeys it. Viewers use this to infer what a hand lacks.
#[inline]
pub fn ruled_out(card: Card, lead: Option<Lead>, trump: Option<Suit>, overtake: bool) -> CardSet {
    let Some(led) = lead else { return CardSet::EMPTY };
    let of_suit = CardSet::suit(led.suit);
    let trumps = trump.map_or(CardSet::EMPTY, CardSet::suit);
    let takes = winning(led, trump);
    let owed = if overtake && !takes.contains(card) { takes } else { CardSet::EMPTY };
    if card.suit() == led.suit {
        of_suit & owed
    } else if Some(card.suit()) == trump {
        of_suit | (trumps & owed)
    } else {
        of_suit | trumps
    }
}

/// All cards that would take the trick now: those above the best one and, while
/// a plain card is winning, every trump.
///
/// Once a suit has been trumped, no card of it is among them, so a player who
/// follows suit need not beat anything (C8.3).
#[inline]
fn winning(lead: Lead, trump: Option<Suit>) -> CardSet {
    let above = CardSet::above(lead.best);
    match trump {
        Some(trump) if lead.best.suit() != trump => above | CardSet::suit(trump),
        _ => above,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cards::{Pack, Rank, Seat};

    #[test]
    fn a_card_is_ruled_out_exactly_if_the_duties_refuse_the_play_with_it() {
        let pack = Pack::Hungarian.cards();
        let trumps = [None, Some(Suit::Bell), Some(Suit::Heart)];
        for (led, best) in pack.iter().flat_map(|led| pack.iter().map(move |best| (led, best))) {
            for (trump, overtake) in trumps.into_iter().flat_map(|t| [(t, false), (t, true)]) {
                let wins = best == led || best.beats(led, trump);
                let lead = Lead { suit: led.suit(), best, winner: Seat::default() };
                for card in pack.without(best).iter().filter(|_| wins) {
                    let out = ruled_out(card, Some(lead), trump, overtake);
                    for other in pack.without(card) {
                        let hand = CardSet::of(card).with(other);
                        let ladder = Ladder::climb(hand, Some(lead), trump, overtake);
                        assert_eq!(out.contains(other), !ladder.legal().contains(card));
                    }
                    let rest = Ladder::climb(pack - out, Some(lead), trump, overtake);
                    assert!(rest.legal().contains(card), "with none of them no duty is broken");
                }
            }
        }
        let nine = Card::new(Rank::Nine, Suit::Leaf);
        assert_eq!(ruled_out(nine, None, Some(Suit::Bell), true), CardSet::EMPTY);
    }
}
