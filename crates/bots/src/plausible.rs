//! How plausible the others' bids and plays are in a world of Cruce.

use arrayvec::ArrayVec;
use cards::{BySeat, Card, CardSet, Seat};
use game::duty::Ladder;
use game::trick::Lead;
use game::{Public, cruce};

use crate::play_model::{self, CruceTurn};
use crate::strength;

/// How many points solved deals promise too much, compared with what people and bots make.
pub(crate) const OVERESTIMATE: f64 = 10.0;
/// How sharply willingness to bid grows with the promise, in points.
const WIDTH: f64 = 9.0;

/// The chance that a player whose hand promises this many points would bid this number.
pub(crate) fn willing(promise: f64, bid: u8) -> f64 {
    let needed = f64::from(bid) * f64::from(cruce::POINTS_PER_SCORE) + OVERESTIMATE;
    1.0 / (1.0 + (-(promise - needed) / WIDTH).exp())
}

/// The others' bids of a deal, as evidence about their hands.
pub(crate) struct CruceBids {
    rules: cruce::Rules,
    evidence: ArrayVec<BidEvidence, 4>,
}

#[derive(Clone, Copy)]
struct BidEvidence {
    seat: Seat,
    bid: u8,
    /// The highest bid before.
    highest: u8,
    /// Whether the partner had bid it.
    partner: bool,
}

impl CruceBids {
    pub(crate) fn of(public: &Public, rules: &cruce::Rules, viewer: Seat) -> CruceBids {
        let bids = public.auction().map_or(&[][..], |auction| auction.bids());
        let mut evidence = ArrayVec::new();
        let (mut highest, mut by) = (0, None);
        for (at, bid) in bids.iter().enumerate() {
            let seat = public.first().after(at, rules.players());
            let partner = by.is_some_and(|by| rules.side_of(by) == rules.side_of(seat));
            if seat != viewer {
                evidence.push(BidEvidence { seat, bid: *bid, highest, partner });
            }
            if *bid > highest {
                (highest, by) = (*bid, Some(seat));
            }
        }
        CruceBids { rules: *rules, evidence }
    }

    /// The likelihood of the others' bids if these are the hands they bid on.
    pub(crate) fn likelihood(&self, hands: &BySeat<CardSet>) -> f64 {
        self.evidence.iter().map(|evidence| self.of_one(evidence, hands[evidence.seat])).product()
    }

    fn of_one(&self, evidence: &BidEvidence, hand: CardSet) -> f64 {
        let promise = strength::estimate(&self.rules, hand);
        let enough = evidence.highest + 1;
        let chance = match evidence.bid {
            _ if enough > self.rules.max_bid() => 1.0,
            // A pass after the partner's bid is weak evidence.
            0 if evidence.partner => 1.0 - 0.3 * willing(promise, enough),
            0 => 1.0 - willing(promise, enough),
            bid => willing(promise, bid) * (1.0 - willing(promise, bid + 1)).max(0.2),
        };
        chance.max(0.02)
    }
}

/// The played cards of a deal, as evidence about the others' hands.
pub(crate) struct CrucePlays {
    rules: cruce::Rules,
    viewer: Seat,
    plays: ArrayVec<CrucePlayed, 24>,
    pack: CardSet,
}

#[derive(Clone, Copy)]
struct CrucePlayed {
    seat: Seat,
    card: Card,
    lead: Option<Lead>,
    trump: Option<cards::Suit>,
    /// The number of cards played to the trick before.
    laid: usize,
    /// All cards played before.
    gone: CardSet,
}

impl CrucePlays {
    pub(crate) fn of(public: &Public, rules: &cruce::Rules, viewer: Seat) -> CrucePlays {
        let (players, pack) = (rules.players(), public.rules().pack().cards());
        let mut plays = ArrayVec::new();
        let mut gone = CardSet::EMPTY;
        if let Some(round) = public.round() {
            for trick in round.tricks().iter().chain([round.trick()]) {
                for (laid, (seat, card)) in trick.plays(players).enumerate() {
                    let trump = round.trump().filter(|_| !gone.is_empty());
                    let lead = trick.before(laid, trump, players).lead();
                    plays.push(CrucePlayed { seat, card, lead, trump, laid, gone });
                    gone.insert(card);
                }
            }
        }
        CrucePlays { rules: *rules, viewer, plays, pack }
    }

    /// The likelihood of the others' cards if they hold these now.
    pub(crate) fn likelihood(&self, hands: &BySeat<CardSet>) -> f64 {
        let plays = self.plays.iter().map(|played| (played.seat, played.card, played));
        likelihood_of(plays, self.viewer, hands, |played, hand| self.of_one(played, hand))
    }

    fn of_one(&self, played: &CrucePlayed, hand: CardSet) -> f64 {
        let overtake = self.rules.spec().overtake;
        let legal = Ladder::climb(hand, played.lead, played.trump, overtake).legal();
        if legal.len() < 2 {
            return 1.0;
        }
        let side = |seat: Seat| self.rules.side_of(seat);
        let turn = CruceTurn {
            hand,
            legal,
            unseen: self.pack - played.gone - hand,
            lead: played.lead,
            trump: played.trump,
            ours: played.lead.is_some_and(|lead| side(lead.winner) == side(played.seat)),
            after: self.rules.players() - played.laid - 1,
        };
        play_model::chance(&turn, played.card, !self.rules.teams()).max(0.01)
    }
}

/// The likelihood of what the others played, if they hold these cards now: the cards are taken back
/// into the hands, the last one first, and each is judged by the hand it came from.
pub(crate) fn likelihood_of<T>(
    plays: impl DoubleEndedIterator<Item = (Seat, Card, T)>,
    viewer: Seat,
    hands: &BySeat<CardSet>,
    of_one: impl Fn(T, CardSet) -> f64,
) -> f64 {
    let mut hands = *hands;
    let mut likelihood = 1.0;
    for (seat, card, played) in plays.rev() {
        hands[seat].insert(card);
        if seat != viewer {
            likelihood *= of_one(played, hands[seat]);
        }
    }
    likelihood
}
