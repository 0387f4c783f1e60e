//! "The rest is mine": whether a seat takes every trick that is left, whatever
//! the others play.
//!
//! The claimer wins every trick and so leads every one. Each lead must be a card that
//! no other seat can beat, and then the others only choose what to give up. Of one
//! suit they give up the lowest card: a higher card kept is at least as strong
//! against the claimer, and the duties depend only on how many cards of a suit a seat
//! holds. So few choices are left that the search tries all of them.

use std::collections::BTreeMap;

use arrayvec::ArrayVec;
use cards::{Card, CardSet, Seat, Suit};
use game::position::InPlay;
use game::trick::Lead;

use crate::limit::{Limit, Meter, Stopped};

/// The rest of a deal: the seats and their cards in order, and whether each card is
/// called (C10).
pub type Rest = Vec<(Seat, Card, bool)>;

/// The rest of the deal if the seat in turn takes every trick of it; `None` if that is
/// not certain.
///
/// The claimer calls pairs that they lead; the cards of the others are only one of
/// their choices.
pub fn claim(play: &InPlay, limit: Limit<'_>) -> Result<Option<Rest>, Stopped> {
    let Some(claimer) = play.turn() else { return Ok(None) };
    let mut search = ClaimSearch { claimer, known: BTreeMap::new(), meter: Meter::new(limit) };
    let mut line = Vec::new();
    let mut play = *play;
    while let Some(seat) = play.turn() {
        let choice = if seat == claimer {
            let good = search.winning_card(&play);
            if search.meter.stopped {
                return Err(Stopped);
            }
            good
        } else {
            lowest_of_suits(&play).next()
        };
        let Some(card) = choice else { return Ok(None) };
        let call = seat == claimer && play.may_call(card);
        line.push((seat, card, call));
        play.play(card, call);
    }
    Ok(Some(line))
}

struct ClaimSearch<'a> {
    claimer: Seat,
    /// The results for positions in which the claimer leads, by the cards left, the size of the stock and
    /// the trump, which the first lead of Cruce decides (C7).
    known: BTreeMap<(CardSet, usize, Option<Suit>), bool>,
    meter: Meter<'a>,
}

impl ClaimSearch<'_> {
    /// A card with which the claimer in turn takes this trick and all others.
    fn winning_card(&mut self, play: &InPlay) -> Option<Card> {
        let legal = play.legal();
        let highest = |suit: Suit| legal.in_suit(suit).iter().next_back();
        // Of one suit the highest card is the best lead; a trick that others have
        // led may be taken by a lower card, and the higher one kept.
        let cards: CardSet = match lead(play) {
            None => Suit::ALL.into_iter().filter_map(highest).collect(),
            Some(_) => legal,
        };
        cards.iter().find(|card| {
            let (wins, mut next) = (takes(play, *card), *play);
            next.play(*card, false);
            wins && self.takes_all(&next)
        })
    }

    /// Whether the claimer, who is winning the trick or leads, takes everything.
    fn takes_all(&mut self, play: &InPlay) -> bool {
        let Some(seat) = play.turn() else { return true };
        if seat == self.claimer {
            let left = (cards_left(play), stock(play), play.trump());
            if let Some(known) = self.known.get(&left) {
                return *known;
            }
            if self.meter.tick() {
                return false;
            }
            let good = self.winning_card(play).is_some();
            if !self.meter.stopped {
                self.known.insert(left, good);
            }
            return good;
        }
        let beaten = play.legal().iter().any(|card| takes(play, card));
        !beaten
            && lowest_of_suits(play).collect::<ArrayVec<Card, 4>>().into_iter().all(|card| {
                let mut next = *play;
                next.play(card, false);
                self.takes_all(&next)
            })
    }
}

/// The lowest legal card of each suit.
fn lowest_of_suits(play: &InPlay) -> impl Iterator<Item = Card> {
    let legal = play.legal();
    Suit::ALL.into_iter().filter_map(move |suit| legal.in_suit(suit).iter().next())
}

/// Whether the seat in turn takes the trick so far with this card.
fn takes(play: &InPlay, card: Card) -> bool {
    lead(play).is_none_or(|lead| card.beats(lead.best, play.trump()))
}

fn lead(play: &InPlay) -> Option<Lead> {
    match play {
        InPlay::Cruce(play) => play.lead(),
        InPlay::Whist(play) => play.lead(),
    }
}

fn cards_left(play: &InPlay) -> CardSet {
    let hand = |seat| play.hand(seat).iter();
    Seat::first(play.players()).flat_map(hand).collect()
}

/// How many cards of the stock are left.
fn stock(play: &InPlay) -> usize {
    match play {
        InPlay::Cruce(play) => play.stock().len(),
        InPlay::Whist(_) => 0,
    }
}
