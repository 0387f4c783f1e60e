//! A position: one deal with all its cards, to be printed, counted or searched.
//!
//! It is what [`notation`](crate::notation) reads and writes. Unlike a
//! [`Table`](crate::Table) it has no match around it, and it may begin in
//! the middle of a deal.

use arrayvec::ArrayVec;
use cards::{BySeat, BySide, Card, CardSet, Seat, Side};
use thiserror::Error;

use crate::action::Illegal;
use crate::deal::Deal;
use crate::public::{Auction, Phase, Public};
use crate::rules::Rules;
use crate::trick::Trick;
use crate::{cruce, whist};

/// A deal with all its cards, in the bidding or in play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub(crate) rules: Rules,
    pub(crate) first: Seat,
    pub(crate) turned: Option<Card>,
    /// The bids said so far; in play all of them, or none where they are not known.
    pub(crate) bids: ArrayVec<u8, 6>,
    pub(crate) stage: Stage,
}

/// How far a deal has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The seats say their bids.
    Bidding(Box<Deal>),
    /// Cards are played.
    Playing(Play),
}

/// Cards in play, of either game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// Cruce.
    Cruce(cruce::Play),
    /// Romanian whist.
    Whist(whist::Play),
}

/// Why some cards are no position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Impossible {
    /// Hands whose sizes do not go together.
    #[error("{seat:?} must hold {expected} cards, not {found}")]
    WrongCount {
        /// Whose hand.
        seat: Seat,
        /// What goes with the other hands and the trick.
        expected: usize,
        /// How many it holds.
        found: usize,
    },
    /// A card in two places.
    #[error("{card:?} is there twice")]
    Twice {
        /// The card.
        card: Card,
    },
    /// No cards are left, or more than are dealt.
    #[error("each player holds at most {most} cards, and somebody must hold one")]
    NoSuchHands {
        /// How many cards are dealt.
        most: usize,
    },
    /// Trump is fixed by the first lead, neither sooner nor later (C7).
    #[error("trump must be given once a card has been led, and not before")]
    WrongTrump,
    /// The stock does not go with the hands (C13).
    #[error("a stock of {found} cards does not go with these hands")]
    WrongStock {
        /// How many cards it has.
        found: usize,
    },
    /// The bids are not those of a finished bidding.
    #[error("the bidding is not over with these bids")]
    BiddingOpen,
}

impl Play {
    /// How many play.
    #[inline]
    pub fn players(&self) -> usize {
        match self {
            Play::Cruce(play) => play.players(),
            Play::Whist(play) => play.players(),
        }
    }

    /// Whose turn it is; nobody's when all cards are played.
    #[inline]
    pub fn turn(&self) -> Option<Seat> {
        match self {
            Play::Cruce(play) => play.turn(),
            Play::Whist(play) => play.turn(),
        }
    }

    /// A seat's cards.
    pub fn hand(&self, seat: Seat) -> CardSet {
        match self {
            Play::Cruce(play) => play.hand(seat),
            Play::Whist(play) => play.hand(seat),
        }
    }

    /// The trick on the table.
    pub fn trick(&self) -> &Trick {
        match self {
            Play::Cruce(play) => play.trick(),
            Play::Whist(play) => play.trick(),
        }
    }

    /// The cards that the seat in turn may play.
    #[inline]
    pub fn legal(&self) -> CardSet {
        match self {
            Play::Cruce(play) => play.legal(),
            Play::Whist(play) => play.legal(),
        }
    }

    /// Why the seat in turn may not play this card or call with it.
    pub fn refusal(&self, card: Card, call: bool) -> Option<Illegal> {
        let (ladder, may_call) = match self {
            Play::Cruce(play) => (play.ladder(), play.may_call(card)),
            Play::Whist(play) => (play.ladder(), false),
        };
        let no_call = (call && !may_call).then_some(Illegal::CannotCall { card });
        ladder.refusal(card).or(no_call)
    }

    /// Plays a legal card of the seat in turn.
    #[inline]
    pub fn play(&mut self, card: Card, call: bool) {
        match self {
            Play::Cruce(play) => play.play(card, call),
            Play::Whist(play) => play.play(card),
        }
    }
}

impl Position {
    /// A deal before the first bid.
    pub fn new(rules: Rules, first: Seat, deal: Deal) -> Position {
        let turned = deal.turned;
        let stage = Stage::Bidding(Box::new(deal));
        Position { rules, first, turned, bids: ArrayVec::new(), stage }
    }

    pub(crate) fn of(
        public: &Public,
        deal: &Deal,
        hands: &BySeat<CardSet>,
        stock: &[Card],
    ) -> Option<Position> {
        let (rules, first) = (*public.rules(), public.first());
        let mut position = Position::new(rules, first, deal.clone());
        match public.phase() {
            Phase::Bidding(auction) => position.bids = auction.bids.clone(),
            Phase::Playing(round) => {
                position.bids = round.auction.bids.clone();
                let next_first: ArrayVec<Card, 8> = stock.iter().rev().copied().collect();
                let stand =
                    Standing { trump: round.trump, points: round.points, trick: round.trick };
                position.stage = Stage::Playing(in_play(&rules, hands, &next_first, stand));
            }
            Phase::Dealing | Phase::Over => return None,
        }
        Some(position)
    }

    /// A deal in the middle of its play, or everything that speaks against it.
    pub(crate) fn in_play(
        rules: Rules,
        first: Seat,
        turned: Option<Card>,
        bids: ArrayVec<u8, 6>,
        (hands, stock): (BySeat<CardSet>, &[Card]),
        stand: Standing,
    ) -> Result<Position, Impossible> {
        check_cards(&rules, &hands, stock, turned, &stand)?;
        if !bids.is_empty() && bids.len() != rules.players() {
            return Err(Impossible::BiddingOpen);
        }
        let stage = Stage::Playing(in_play(&rules, &hands, stock, stand));
        Ok(Position { rules, first, turned, bids, stage })
    }

    /// The rules it is played by.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Who bids first.
    pub fn first(&self) -> Seat {
        self.first
    }

    /// The card turned up for trump (W3), where it is known.
    pub fn turned(&self) -> Option<Card> {
        self.turned
    }

    /// The bids so far, in the order in which they were said.
    pub fn bids(&self) -> &[u8] {
        &self.bids
    }

    /// How far the deal has come.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// The cards in play, once the bidding is over.
    pub fn play(&self) -> Option<&Play> {
        match &self.stage {
            Stage::Playing(play) => Some(play),
            Stage::Bidding(_) => None,
        }
    }

    /// The cards in play, to play on.
    pub fn play_mut(&mut self) -> Option<&mut Play> {
        match &mut self.stage {
            Stage::Playing(play) => Some(play),
            Stage::Bidding(_) => None,
        }
    }

    fn auction(&self, deal: &Deal) -> Auction {
        let cards_each = deal.hands[self.first].len() as u8;
        Auction { cards_each, turned: self.turned, bids: self.bids.clone() }
    }

    /// Who is to bid or play; nobody once the deal is over.
    pub fn turn(&self) -> Option<Seat> {
        let players = self.rules.players();
        match &self.stage {
            Stage::Bidding(_) if self.bids.len() == players => None,
            Stage::Bidding(_) => Some(self.first.after(self.bids.len(), players)),
            Stage::Playing(play) => play.turn(),
        }
    }

    /// What a seat holds and sees: in the bidding, the cards it bids on.
    pub fn hand(&self, seat: Seat) -> CardSet {
        match &self.stage {
            Stage::Bidding(deal) => deal.opening[seat],
            Stage::Playing(play) => play.hand(seat),
        }
    }

    /// The bids open to the seat in turn, lowest first.
    pub fn legal_bids(&self) -> ArrayVec<u8, 9> {
        match &self.stage {
            Stage::Bidding(deal) if self.turn().is_some() => self.auction(deal).legal(&self.rules),
            _ => ArrayVec::new(),
        }
    }

    /// Says a bid for the seat in turn, or why it may not be said.
    pub fn bid(&mut self, bid: u8) -> Result<(), Illegal> {
        let players = self.rules.players();
        let Stage::Bidding(deal) = &self.stage else { return Err(Illegal::NotBidding) };
        if self.bids.len() == players {
            return Err(Illegal::NotBidding);
        }
        let mut auction = self.auction(deal);
        auction.check(&self.rules, bid)?;
        auction.bids.push(bid);
        if auction.bids.len() == players {
            let leader = match &self.rules {
                Rules::Cruce(rules) => auction.contract(rules, self.first).map(|c| c.declarer),
                Rules::Whist(_) => Some(self.first),
            };
            // Nobody leads where everybody passed and the cards are thrown in (C6).
            if let Some(leader) = leader {
                let stand = Standing::at_start(&self.rules, deal, leader);
                let play = in_play(&self.rules, &deal.hands, &deal.stock, stand);
                self.stage = Stage::Playing(play);
            }
        }
        self.bids = auction.bids;
        Ok(())
    }

    /// The contract of Cruce, where the bids are known (C6).
    pub fn contract(&self) -> Option<cruce::Contract> {
        let Rules::Cruce(rules) = &self.rules else { return None };
        let auction =
            Auction { cards_each: rules.cards_each() as u8, turned: None, bids: self.bids.clone() };
        auction.contract(rules, self.first)
    }
}

/// Where the play stands beside the hands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub(crate) trump: Option<cards::Suit>,
    pub(crate) points: BySide<u8>,
    pub(crate) trick: Trick,
}

impl Standing {
    pub(crate) fn at_start(rules: &Rules, deal: &Deal, leader: Seat) -> Standing {
        Standing {
            trump: deal.trump(),
            points: BySide::filled(0, rules.sides()),
            trick: Trick::led_by(leader),
        }
    }
}

fn in_play(rules: &Rules, hands: &BySeat<CardSet>, stock: &[Card], stand: Standing) -> Play {
    match rules {
        Rules::Cruce(rules) => {
            let mut play = cruce::Play::new(rules, hands, stock, stand.trick.leader());
            play.resume(stand.trump, &stand.points, stand.trick);
            Play::Cruce(play)
        }
        Rules::Whist(_) => {
            let mut play = whist::Play::new(hands, stand.trump, stand.trick.leader());
            let taken = |seat: Seat| Side::new(seat.index()).map_or(0, |side| stand.points[side]);
            play.resume(&BySeat::from_fn(hands.len(), taken), stand.trick);
            Play::Whist(play)
        }
    }
}

/// Whether hands, stock and trick can lie like this in the middle of a deal.
fn check_cards(
    rules: &Rules,
    hands: &BySeat<CardSet>,
    stock: &[Card],
    turned: Option<Card>,
    stand: &Standing,
) -> Result<(), Impossible> {
    let players = rules.players();
    let laid = stand.trick.cards();
    let mut seen = CardSet::EMPTY;
    let in_hands = hands.iter().flat_map(|hand| hand.iter());
    for card in in_hands.chain(stock.iter().copied()).chain(laid.iter().copied()).chain(turned) {
        if seen.contains(card) {
            return Err(Impossible::Twice { card });
        }
        seen.insert(card);
    }
    // Who has laid a card holds one fewer than who has not; the last seat to play has not.
    let full = hands[stand.trick.leader().previous(players)].len();
    for (seat, hand) in hands.entries() {
        let steps = seat.steps_from(stand.trick.leader(), players);
        let expected = if steps < laid.len() { full.saturating_sub(1) } else { full };
        if hand.len() != expected {
            return Err(Impossible::WrongCount { seat, expected, found: hand.len() });
        }
    }
    let most = match rules {
        Rules::Cruce(rules) => rules.cards_each(),
        Rules::Whist(_) => 8,
    };
    if full == 0 || full > most {
        return Err(Impossible::NoSuchHands { most });
    }
    if let Rules::Cruce(rules) = rules {
        let found = stock.len();
        let fits = found == 0 || (found % 2 == 0 && found <= rules.stock() && full == most);
        // A full hand in two means that the stock is untouched or being drawn.
        let untouched = found == rules.stock() && full == most;
        if !fits {
            return Err(Impossible::WrongStock { found });
        }
        if stand.trump.is_some() == (untouched && laid.is_empty()) {
            return Err(Impossible::WrongTrump);
        }
    }
    Ok(())
}
