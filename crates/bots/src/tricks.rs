//! How many tricks a hand of whist promises, and how plausible bids are.

use cards::{BySeat, CardSet, Seat, Suit};
use game::Public;

/// How far bids lie from what hands promise, in tricks.
const SPREAD: f64 = 0.9;
/// The least chance of a trump to take a trick, by ruffing or in the end.
const LOW_TRUMP: f64 = 0.35;
/// The chance that a winner of a plain suit is not trumped, and of one without trump
/// that it comes to be played.
const NOT_TRUMPED: f64 = 0.75;
const GETS_IN: f64 = 0.9;

/// A deal as far as it matters for what a hand promises.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    pub(crate) pack: CardSet,
    pub(crate) players: usize,
    pub(crate) trump: Option<Suit>,
}

impl Table {
    /// How many tricks a hand promises.
    pub(crate) fn promise(&self, hand: CardSet) -> f64 {
        let unseen = self.pack - hand;
        let others = ((self.players - 1) * hand.len()) as f64;
        let dealt = (others / unseen.len().max(1) as f64).min(1.0);
        let of = |card| {
            let higher = (CardSet::above(card) & unseen).len() as f64 * dealt;
            let alone = (-higher).exp();
            match self.trump {
                Some(trump) if trump == card.suit() => alone.max(LOW_TRUMP),
                Some(_) => alone * NOT_TRUMPED,
                None => alone * GETS_IN,
            }
        };
        hand.iter().map(of).sum()
    }
}

/// The bids of a deal, as far as they tell something about the hands.
pub(crate) struct Bids {
    table: Table,
    said: arrayvec::ArrayVec<(Seat, u8), 6>,
}

impl Bids {
    pub(crate) fn of(public: &Public, table: Table, viewer: Seat) -> Bids {
        let bids = public.auction().map_or(&[][..], |auction| auction.bids());
        let seat = |at| public.first().after(at, table.players);
        let said = bids.iter().enumerate().map(|(at, bid)| (seat(at), *bid));
        Bids { table, said: said.filter(|(seat, _)| *seat != viewer).collect() }
    }

    /// The likelihood of the others' bids if these are the hands they bid on.
    pub(crate) fn likelihood(&self, hands: &BySeat<CardSet>) -> f64 {
        let off = |(seat, bid): &(Seat, u8)| {
            let off = (f64::from(*bid) - self.table.promise(hands[*seat])) / SPREAD;
            (-0.5 * off * off).exp().max(0.02)
        };
        self.said.iter().map(off).product()
    }
}
