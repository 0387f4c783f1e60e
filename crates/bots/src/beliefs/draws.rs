//! When each card can have come into the other hand of Cruce for two (C13).
//!
//! The other player was dealt eight cards and has drawn up to four, one after each trick. It is not
//! known which was which, but a card that they played or showed in a trick cannot have been drawn
//! after it, and a card that they did not hold in a trick must have been drawn after it. So one hand
//! can stand for more deals than another.

use arrayvec::ArrayVec;
use cards::{Card, CardSet, Seat};
use game::cruce;
use game::public::Round;

/// The maximum number of cards that a player of Cruce for two draws (C13).
pub(super) const DRAWS: usize = 4;
/// The number of tricks in a deal of Cruce for two (C13).
const TRICKS: usize = 12;

/// A draw by the number of tricks before it; 0 stands for the deal itself.
type Arrival = usize;

/// When the cards of the other hand can have come into it. In games without a stock no player draws,
/// and every hand stands for one deal.
#[derive(Clone, Debug, Default)]
pub(super) struct Draws {
    /// The number of cards that the other player has drawn.
    drawn: usize,
    /// Their known cards: played, or shown by a call.
    known: CardSet,
    /// For each draw, the number of known cards that can have been dealt and came early enough to be
    /// this draw instead.
    early: [usize; DRAWS + 1],
    /// The first and last possible arrival of the other known cards, which must have been drawn.
    late: ArrayVec<(Arrival, Arrival), TRICKS>,
    /// For each draw, the unseen cards that came with it or later, if they came.
    since: [CardSet; DRAWS + 1],
}

impl Draws {
    /// What a round shows about `other`, who has drawn `drawn` cards and held none of `absent[t]` in
    /// the `t`-th trick.
    pub(super) fn of(
        round: &Round,
        other: Seat,
        drawn: usize,
        absent: &[CardSet; TRICKS],
    ) -> Draws {
        let drawn = drawn.min(DRAWS);
        let mut draws = Draws { drawn, ..Draws::default() };
        // The latest proof of absence gives the earliest arrival.
        let earliest = |card| absent.iter().rposition(|cards| cards.contains(card));
        for (at, trick) in round.tricks().iter().chain([round.trick()]).enumerate() {
            let Some(card) = trick.card_of(other, 2) else { continue };
            let called = trick.called() && trick.leader() == other;
            let shown = cruce::partner_in_pair(card).filter(|_| called);
            for card in [Some(card), shown].into_iter().flatten() {
                // A card that was shown earlier arrived earlier.
                if !draws.known.contains(card) {
                    draws.add_known(card, earliest(card).map_or(0, |t| t + 1), at.min(drawn));
                }
            }
        }
        for arrival in 1..=drawn {
            // While the stock lasts only the lead of its pair proves a card absent, so no card is in two
            // of these sets.
            draws.since[arrival] = absent[arrival - 1] - draws.known;
        }
        draws
    }

    /// Adds a known card that came between these arrivals, both included.
    fn add_known(&mut self, card: Card, first: Arrival, last: Arrival) {
        self.known.insert(card);
        if first > 0 {
            self.late.push((first, last));
        } else {
            self.early[..=last].iter_mut().for_each(|early| *early += 1);
        }
    }

    /// Whether hands can stand for different numbers of deals.
    pub(super) fn has_draws(&self) -> bool {
        self.drawn > 0
    }

    /// The unseen cards in sets of equivalent cards: those of a set came from the same draw on, if
    /// they came.
    pub(super) fn kinds(&self) -> impl Iterator<Item = CardSet> + '_ {
        self.since.iter().copied().filter(|cards| !cards.is_empty())
    }

    /// The number of ways in which such a hand can have been dealt and drawn, together with the cards
    /// that its player has already played.
    pub(super) fn ways(&self, hand: CardSet) -> u64 {
        let unseen = hand - self.known;
        let mut late = self.late.clone();
        for (arrival, cards) in self.since.iter().enumerate().skip(1) {
            for _ in unseen & *cards {
                if late.try_push((arrival, self.drawn)).is_err() {
                    return 0;
                }
            }
        }
        let unseen_late = late.len() - self.late.len();
        self.place(&late, unseen.len() - unseen_late, 0)
    }

    /// The number of ways in which the late cards can be drawn, if the draws in `taken` are used
    /// already and `early` unseen cards can be any draw.
    fn place(&self, late: &[(Arrival, Arrival)], early: usize, taken: u8) -> u64 {
        if let Some(((first, last), others)) = late.split_first() {
            let free = (*first..=*last).filter(|arrival| taken >> arrival & 1 == 0);
            return free.map(|arrival| self.place(others, early, taken | 1 << arrival)).sum();
        }
        // A card that could be a later draw could be an earlier one too, so from the last draw on every
        // choice leaves the same number for the one before.
        let free = (1..=self.drawn).rev().filter(|arrival| taken >> arrival & 1 == 0);
        let choices = free.enumerate().map(|(used, arrival)| {
            let enough = self.early[arrival] + early;
            enough.saturating_sub(used) as u64
        });
        choices.product()
    }
}
