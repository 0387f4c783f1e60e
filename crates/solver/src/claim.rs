//! "The rest is mine": whether a seat takes every trick that is left, whatever
//! the others play.
//!
//! Whoever claims wins every trick and so leads every one. What he leads must be a
//! card that nobody can beat, and then the others only choose what to give up. Of one
//! suit they give up the lowest card: a higher one kept is worth at least as much
//! against him, and how many cards of a suit somebody holds decides his duties. So few
//! choices are left that the search sees all of them.

use std::collections::BTreeMap;

use arrayvec::ArrayVec;
use cards::{Card, CardSet, Seat, Suit};
use game::position::InPlay;
use game::trick::Lead;

use crate::limit::{Limit, Meter, Stopped};

/// How the rest of a deal goes: who lays which card, in order, and whether with a
/// call (C10).
pub type Rest = Vec<(Seat, Card, bool)>;

/// How the rest goes if the seat in turn takes every trick of it; nothing if it may
/// not.
///
/// His pairs are called when he leads them; what the others give up is only one of
/// their choices.
pub fn claim(play: &InPlay, limit: Limit<'_>) -> Result<Option<Rest>, Stopped> {
    let Some(claimer) = play.turn() else { return Ok(None) };
    let mut search = ClaimSearch { claimer, known: BTreeMap::new(), meter: Meter::new(limit) };
    let mut line = Vec::new();
    let mut play = *play;
    while let Some(seat) = play.turn() {
        let choice = if seat == claimer {
            let good = search.good_card(&play);
            if search.meter.stopped {
                return Err(Stopped);
            }
            good
        } else {
            given_up(&play).next()
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
    /// What is known of positions in which the claimer leads, by the cards left.
    known: BTreeMap<(CardSet, usize), bool>,
    meter: Meter<'a>,
}

impl ClaimSearch<'_> {
    /// A card with which the claimer in turn takes this trick and all others.
    fn good_card(&mut self, play: &InPlay) -> Option<Card> {
        let legal = play.legal();
        let highest = |suit: Suit| legal.in_suit(suit).iter().next_back();
        // Of one suit the highest card is the one to lead; a trick that others have
        // begun may be taken by a lower one, and the higher kept.
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
            let left = (cards_left(play), stock(play));
            if let Some(known) = self.known.get(&left) {
                return *known;
            }
            if self.meter.tick() {
                return false;
            }
            let good = self.good_card(play).is_some();
            if !self.meter.stopped {
                self.known.insert(left, good);
            }
            return good;
        }
        let beaten = play.legal().iter().any(|card| takes(play, card));
        !beaten
            && given_up(play).collect::<ArrayVec<Card, 4>>().into_iter().all(|card| {
                let mut next = *play;
                next.play(card, false);
                self.takes_all(&next)
            })
    }
}

/// The lowest legal card of each suit.
fn given_up(play: &InPlay) -> impl Iterator<Item = Card> {
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
