//! The tricks that a hand of whist promises, and how plausible the others' bids and plays are in a
//! world of whist.

use arrayvec::ArrayVec;
use cards::{BySeat, Card, CardSet, Seat, Suit};
use game::Public;
use game::duty::Ladder;
use game::trick::Lead;

use crate::plausible::likelihood_of;
use crate::play_model::whist::{WhistTurn, chance};

/// The standard deviation of bids from what hands promise, in tricks.
const SPREAD: f64 = 0.9;
/// The minimum chance of a trump to take a trick, by ruffing or in the end.
const LOW_TRUMP: f64 = 0.35;
/// The chance that a winner of a plain suit is not trumped, and in deals without trump that it is
/// played.
const NOT_TRUMPED: f64 = 0.75;
const GETS_IN: f64 = 0.9;
/// The minimum chance of any card: every player surprises now and then.
const LEAST: f64 = 0.02;

/// The parts of a deal on which the promise of a hand depends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WhistDeal {
    pub(crate) pack: CardSet,
    pub(crate) players: usize,
    pub(crate) trump: Option<Suit>,
}

impl WhistDeal {
    /// The number of tricks that a hand promises.
    pub(crate) fn estimate(&self, hand: CardSet) -> f64 {
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

/// The others' bids of a deal, as evidence about their hands.
pub(crate) struct WhistBids {
    deal: WhistDeal,
    others_bids: ArrayVec<(Seat, u8), 6>,
}

impl WhistBids {
    pub(crate) fn of(public: &Public, deal: WhistDeal, viewer: Seat) -> WhistBids {
        let bids = public.auction().map_or(&[][..], |auction| auction.bids());
        let seat = |at| public.first().after(at, deal.players);
        let others_bids = bids.iter().enumerate().map(|(at, bid)| (seat(at), *bid));
        WhistBids { deal, others_bids: others_bids.filter(|(seat, _)| *seat != viewer).collect() }
    }

    /// The likelihood of the others' bids if these are the hands they bid on.
    pub(crate) fn likelihood(&self, hands: &BySeat<CardSet>) -> f64 {
        let off = |(seat, bid): &(Seat, u8)| {
            let off = (f64::from(*bid) - self.deal.estimate(hands[*seat])) / SPREAD;
            (-0.5 * off * off).exp().max(0.02)
        };
        self.others_bids.iter().map(off).product()
    }
}

/// The played cards of a deal, as evidence about the others' hands.
pub(crate) struct WhistPlays {
    deal: WhistDeal,
    viewer: Seat,
    plays: ArrayVec<WhistPlayed, 48>,
    /// The number of cards dealt to each player, and the card turned up, which no player holds.
    each: usize,
    turned: CardSet,
}

#[derive(Clone, Copy)]
struct WhistPlayed {
    seat: Seat,
    card: Card,
    lead: Option<Lead>,
    /// The number of cards played to the trick before.
    laid: usize,
    /// All cards played before.
    gone: CardSet,
    /// The number of tricks that the player needed then, and that all others needed together.
    need: i8,
    theirs: i8,
}

impl WhistPlays {
    pub(crate) fn of(public: &Public, deal: WhistDeal, viewer: Seat) -> WhistPlays {
        let players = deal.players;
        let mut plays = ArrayVec::new();
        let mut gone = CardSet::EMPTY;
        let mut needs = BySeat::from_fn(players, |seat| public.bid_of(seat).unwrap_or(0) as i8);
        let (mut each, mut turned) = (0, CardSet::EMPTY);
        if let Some(round) = public.round() {
            (each, turned) =
                (round.auction().cards_each(), round.auction().turned().into_iter().collect());
            for trick in round.tricks().iter().chain([round.trick()]) {
                for (laid, (seat, card)) in trick.plays(players).enumerate() {
                    let lead = trick.before(laid, deal.trump, players).lead();
                    let need = needs[seat];
                    let theirs = needs.iter().map(|need| (*need).max(0)).sum::<i8>() - need.max(0);
                    plays.push(WhistPlayed { seat, card, lead, laid, gone, need, theirs });
                    gone.insert(card);
                }
                if trick.is_full(players) {
                    needs[trick.winner()] -= 1;
                }
            }
        }
        WhistPlays { deal, viewer, plays, each, turned }
    }

    /// The likelihood of the others' cards if they hold these now.
    pub(crate) fn likelihood(&self, hands: &BySeat<CardSet>) -> f64 {
        let plays = self.plays.iter().map(|played| (played.seat, played.card, played));
        likelihood_of(plays, self.viewer, hands, |played, hand| self.of_one(played, hand))
    }

    fn of_one(&self, played: &WhistPlayed, hand: CardSet) -> f64 {
        let WhistDeal { pack, players, trump } = self.deal;
        let legal = Ladder::climb(hand, played.lead, trump, false).legal();
        if legal.len() < 2 {
            return 1.0;
        }
        let turn = WhistTurn {
            hand,
            legal,
            unseen: pack - played.gone - hand - self.turned,
            lead: played.lead,
            trump,
            need: played.need,
            spare: hand.len() as i8 - played.theirs,
            others: players * self.each - played.gone.len() - hand.len(),
            after: players - played.laid - 1,
        };
        chance(&turn, played.card).max(LEAST)
    }
}
