//! A position: one deal with all its cards, to be printed, counted or searched.
//!
//! [`notation`](crate::notation) reads and writes it. Unlike a
//! [`Table`](crate::Table) it has no match, and it may begin in the middle of a
//! deal. It always enforces the duties, also with the rules of an honour table,
//! because searches and counts consider only lawful play.

use arrayvec::ArrayVec;
use cards::{BySeat, BySide, Card, CardSet, Seat, Side, Suit};
use thiserror::Error;

use crate::action::Illegal;
use crate::auction::{Auction, BidSet};
use crate::deal::Deal;
use crate::public::{Phase, Public};
use crate::rules::Rules;
use crate::trick::Trick;
use crate::{cruce, whist};

/// A deal with all its cards, in the bidding or in play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub(crate) rules: Rules,
    pub(crate) first: Seat,
    pub(crate) turned: Option<Card>,
    /// The bids so far; in play all of them, or none if they are not known.
    pub(crate) bids: ArrayVec<u8, 6>,
    pub(crate) stage: DealStage,
}

/// The stage of a deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DealStage {
    /// The seats bid.
    Bidding(Box<Deal>),
    /// Cards are played.
    Playing {
        /// The hands, and what matters of the trick.
        play: InPlay,
        /// The trick on the table.
        trick: Trick,
    },
}

/// Cards in play, of either game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InPlay {
    /// Cruce.
    Cruce(cruce::Play),
    /// Romanian whist.
    Whist(whist::Play),
}

/// Why some cards are not a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PositionFault {
    /// Hands whose sizes do not match.
    #[error("{seat:?} must hold {expected} cards, not {found}")]
    WrongCount {
        /// The seat that holds it.
        seat: Seat,
        /// The size that matches the other hands and the trick.
        expected: usize,
        /// How many it holds.
        found: usize,
    },
    /// A card in two places.
    #[error("{card:?} appears twice")]
    Twice {
        /// The card.
        card: Card,
    },
    /// More cards than are dealt.
    #[error("each player holds at most {most} cards")]
    NoSuchHands {
        /// How many cards are dealt.
        most: usize,
    },
    /// Trump is fixed by the first lead, neither sooner nor later (C7).
    #[error("trump is the suit of the first lead: given after that lead, and not before")]
    WrongTrump,
    /// Deals of eight cards have no trump (W3).
    #[error("a deal of eight cards has no trump")]
    TrumpInEights,
    /// More points or tricks than the cards played so far allow.
    #[error("more points or tricks than can have been taken by now")]
    WrongPoints,
    /// The first trick of a deal is led by the declarer, or the first player (C7, W2).
    #[error("{leader:?} leads the first trick after these bids")]
    WrongLeader {
        /// The seat that leads.
        leader: Seat,
    },
    /// The size of the stock does not match the hands (C13).
    #[error("a stock of {found} cards does not match these hands")]
    WrongStock {
        /// How many cards it has.
        found: usize,
    },
    /// The bids are not those of a finished bidding that led to play.
    #[error("these bids cannot have led to this play")]
    WrongBids,
}

impl InPlay {
    /// The number of players.
    #[inline]
    pub fn players(&self) -> usize {
        match self {
            InPlay::Cruce(play) => play.players(),
            InPlay::Whist(play) => play.players(),
        }
    }

    /// The seat in turn; `None` when all cards are played.
    #[inline]
    pub fn turn(&self) -> Option<Seat> {
        match self {
            InPlay::Cruce(play) => play.turn(),
            InPlay::Whist(play) => play.turn(),
        }
    }

    /// A seat's cards.
    pub fn hand(&self, seat: Seat) -> CardSet {
        match self {
            InPlay::Cruce(play) => play.hand(seat),
            InPlay::Whist(play) => play.hand(seat),
        }
    }

    /// The trump, if there is one yet.
    pub fn trump(&self) -> Option<Suit> {
        match self {
            InPlay::Cruce(play) => play.trump(),
            InPlay::Whist(play) => play.trump(),
        }
    }

    /// The cards that the seat in turn may play.
    #[inline]
    pub fn legal(&self) -> CardSet {
        match self {
            InPlay::Cruce(play) => play.legal(),
            InPlay::Whist(play) => play.legal(),
        }
    }

    /// Why the seat in turn may not play this card; `None` if it may.
    pub fn refusal(&self, card: Card) -> Option<Illegal> {
        match self {
            InPlay::Cruce(play) => play.ladder().refusal(card),
            InPlay::Whist(play) => play.ladder().refusal(card),
        }
    }

    /// Whether the seat in turn may call with this card (C10).
    pub fn may_call(&self, card: Card) -> bool {
        match self {
            InPlay::Cruce(play) => play.may_call(card),
            InPlay::Whist(_) => false,
        }
    }

    /// The cards in play with these hands and this stock, its next card first.
    /// `None` while no card is to be played, or if the sizes of the hands are
    /// wrong.
    pub fn of(public: &Public, hands: &BySeat<CardSet>, stock: &[Card]) -> Option<InPlay> {
        let round = public.round().filter(|round| !round.is_played(public.rules()))?;
        let (trump, points, trick) = (round.trump, round.points, round.trick.clone());
        let state = PlayState { trump, points, trick };
        if hands.len() != public.rules().players() || stock.len() != round.stock() {
            return None;
        }
        check_cards(public.rules(), hands, stock, round.auction.turned(), &state).ok()?;
        match in_play(public.rules(), hands, stock, state) {
            DealStage::Playing { play, .. } => Some(play),
            DealStage::Bidding(_) => None,
        }
    }

    /// The same position with other hands and another stock of the same sizes.
    #[inline]
    #[must_use]
    pub fn holding(&self, hands: &BySeat<CardSet>, stock: &[Card]) -> InPlay {
        match self {
            InPlay::Cruce(play) => InPlay::Cruce(play.holding(hands, stock)),
            InPlay::Whist(play) => InPlay::Whist(play.holding(hands)),
        }
    }

    /// Plays a legal card of the seat in turn.
    #[inline]
    pub fn play(&mut self, card: Card, call: bool) {
        match self {
            InPlay::Cruce(play) => play.play(card, call),
            InPlay::Whist(play) => play.play(card),
        }
    }
}

impl Position {
    /// A deal before the first bid.
    pub fn new(rules: Rules, first: Seat, deal: Deal) -> Position {
        let turned = deal.turned;
        let stage = DealStage::Bidding(Box::new(deal));
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
            Phase::Playing(round) if !round.is_played(&rules) => {
                position.bids = round.auction.bids.clone();
                let next_first: ArrayVec<Card, 8> = stock.iter().rev().copied().collect();
                let state = PlayState {
                    trump: round.trump,
                    points: round.points,
                    trick: round.trick.clone(),
                };
                position.stage = in_play(&rules, hands, &next_first, state);
            }
            Phase::Playing(_) | Phase::Dealing | Phase::Over => return None,
        }
        Some(position)
    }

    /// A deal in the middle of its play, or why it is impossible.
    pub(crate) fn in_play(
        rules: Rules,
        first: Seat,
        turned: Option<Card>,
        bids: ArrayVec<u8, 6>,
        (hands, stock): (BySeat<CardSet>, &[Card]),
        state: PlayState,
    ) -> Result<Position, PositionFault> {
        check_cards(&rules, &hands, stock, turned, &state)?;
        if !bids.is_empty() {
            check_bids(&rules, first, turned, &bids, (&hands, stock), &state)?;
        }
        let stage = in_play(&rules, &hands, stock, state);
        Ok(Position { rules, first, turned, bids, stage })
    }

    /// The rules of the deal.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The seat that bids first.
    pub fn first(&self) -> Seat {
        self.first
    }

    /// The card turned up for trump (W3), if it is known.
    pub fn turned(&self) -> Option<Card> {
        self.turned
    }

    /// The bids so far, in the order in which they were made.
    pub fn bids(&self) -> &[u8] {
        &self.bids
    }

    /// The stage of the deal.
    pub fn stage(&self) -> &DealStage {
        &self.stage
    }

    /// The cards in play, once the bidding is over.
    pub fn play(&self) -> Option<&InPlay> {
        match &self.stage {
            DealStage::Playing { play, .. } => Some(play),
            DealStage::Bidding(_) => None,
        }
    }

    /// The trick on the table, once the bidding is over.
    pub fn trick(&self) -> Option<&Trick> {
        match &self.stage {
            DealStage::Playing { trick, .. } => Some(trick),
            DealStage::Bidding(_) => None,
        }
    }

    /// Why the seat in turn may not play this card with or without a call.
    pub fn refusal(&self, card: Card, call: bool) -> Option<Illegal> {
        let Some(play) = self.play().filter(|play| play.turn().is_some()) else {
            return Some(Illegal::NotPlaying);
        };
        let call_fault = self.rules.call_fault(card, call, play.may_call(card));
        play.refusal(card).or(call_fault)
    }

    /// Plays a card of the seat in turn, or returns why it is illegal.
    pub fn play_card(&mut self, card: Card, call: bool) -> Result<(), Illegal> {
        let players = self.rules.players();
        if let Some(illegal) = self.refusal(card, call) {
            return Err(illegal);
        }
        let DealStage::Playing { play, trick } = &mut self.stage else {
            return Err(Illegal::NotPlaying);
        };
        play.play(card, call);
        trick.lay(card, call, play.trump(), players);
        if trick.is_full(players) {
            *trick = Trick::led_by(trick.winner());
        }
        Ok(())
    }

    fn auction_of(&self, cards_each: usize) -> Auction {
        let mut auction = Auction::new(&self.rules, cards_each, self.turned);
        for bid in &self.bids {
            // The bids were checked when they were made.
            let result = auction.bid(*bid);
            debug_assert_eq!(result, Ok(()));
        }
        auction
    }

    fn auction(&self, deal: &Deal) -> Auction {
        self.auction_of(deal.hands[self.first].len())
    }

    /// The seat that is to bid or play; `None` once the deal is over.
    pub fn turn(&self) -> Option<Seat> {
        let players = self.rules.players();
        match &self.stage {
            DealStage::Bidding(_) if self.bids.len() == players => None,
            DealStage::Bidding(_) => Some(self.first.after(self.bids.len(), players)),
            DealStage::Playing { play, .. } => play.turn(),
        }
    }

    /// The cards that a seat holds and sees: in the bidding, the cards it bids on.
    pub fn hand(&self, seat: Seat) -> CardSet {
        match &self.stage {
            DealStage::Bidding(deal) => deal.opening[seat],
            DealStage::Playing { play, .. } => play.hand(seat),
        }
    }

    /// The legal bids of the seat in turn, lowest first.
    pub fn legal_bids(&self) -> BidSet {
        match &self.stage {
            DealStage::Bidding(deal) => self.auction(deal).legal(),
            DealStage::Playing { .. } => BidSet::default(),
        }
    }

    /// Makes a bid for the seat in turn, or returns why it is illegal.
    pub fn bid(&mut self, bid: u8) -> Result<(), Illegal> {
        let DealStage::Bidding(deal) = &self.stage else { return Err(Illegal::NotBidding) };
        let mut auction = self.auction(deal);
        auction.bid(bid)?;
        if auction.is_over() {
            let leader = match &self.rules {
                Rules::Cruce(_) => auction.contract(self.first).map(|contract| contract.declarer),
                Rules::Whist(_) => Some(self.first),
            };
            // No seat leads if every player passed and the cards are thrown in (C6).
            if let Some(leader) = leader {
                let state = PlayState::at_start(&self.rules, deal, leader);
                self.stage = in_play(&self.rules, &deal.hands, &deal.stock, state);
            }
        }
        self.bids = auction.bids;
        Ok(())
    }

    /// The contract of Cruce, if the bids are known (C6).
    pub fn contract(&self) -> Option<cruce::Contract> {
        let Rules::Cruce(rules) = &self.rules else { return None };
        self.auction_of(rules.cards_each()).contract(self.first)
    }
}

/// The state of the play besides the hands.
#[derive(Clone, Debug)]
pub(crate) struct PlayState {
    pub(crate) trump: Option<Suit>,
    pub(crate) points: BySide<u8>,
    pub(crate) trick: Trick,
}

impl PlayState {
    pub(crate) fn at_start(rules: &Rules, deal: &Deal, leader: Seat) -> PlayState {
        PlayState {
            trump: deal.trump(),
            points: BySide::filled(0, rules.sides()),
            trick: Trick::led_by(leader),
        }
    }
}

fn in_play(rules: &Rules, hands: &BySeat<CardSet>, stock: &[Card], state: PlayState) -> DealStage {
    let play = match rules {
        Rules::Cruce(rules) => {
            let mut play = cruce::Play::new(rules, hands, stock, state.trick.leader());
            play.resume(state.trump, &state.points, &state.trick);
            InPlay::Cruce(play)
        }
        Rules::Whist(_) => {
            let mut play = whist::Play::new(hands, state.trump, state.trick.leader());
            let taken = |seat: Seat| state.points[Side::alone(seat)];
            play.resume(&BySeat::from_fn(hands.len(), taken), &state.trick);
            InPlay::Whist(play)
        }
    };
    DealStage::Playing { play, trick: state.trick }
}

/// Checks that the bids can have led to this play.
fn check_bids(
    rules: &Rules,
    first: Seat,
    turned: Option<Card>,
    bids: &[u8],
    (hands, stock): (&BySeat<CardSet>, &[Card]),
    state: &PlayState,
) -> Result<(), PositionFault> {
    let cards_each = match rules {
        Rules::Cruce(rules) => rules.cards_each(),
        Rules::Whist(_) => {
            let held = hands[state.trick.leader().previous(rules.players())].len();
            held + state.points.iter().map(|taken| usize::from(*taken)).sum::<usize>()
        }
    };
    let mut auction = Auction::new(rules, cards_each, turned);
    for bid in bids {
        auction.bid(*bid).map_err(|_| PositionFault::WrongBids)?;
    }
    let held = hands[state.trick.leader().previous(rules.players())].len();
    let (leader, first_trick) = match rules {
        Rules::Cruce(rules) => (
            auction.contract(first).map(|contract| contract.declarer),
            is_first_trick(rules, held, stock.len()),
        ),
        Rules::Whist(_) => (auction.is_over().then_some(first), held == cards_each),
    };
    match leader {
        None => Err(PositionFault::WrongBids),
        Some(leader) if first_trick && state.trick.leader() != leader => {
            Err(PositionFault::WrongLeader { leader })
        }
        Some(_) => Ok(()),
    }
}

/// Checks that hands, stock and trick are possible in the middle of a deal.
fn check_cards(
    rules: &Rules,
    hands: &BySeat<CardSet>,
    stock: &[Card],
    turned: Option<Card>,
    state: &PlayState,
) -> Result<(), PositionFault> {
    let players = rules.players();
    let laid = state.trick.cards();
    let mut seen = CardSet::EMPTY;
    let in_hands = hands.iter().flat_map(|hand| hand.iter());
    for card in in_hands.chain(stock.iter().copied()).chain(laid.iter().copied()).chain(turned) {
        if seen.contains(card) {
            return Err(PositionFault::Twice { card });
        }
        seen.insert(card);
    }
    // A seat that has laid a card holds one fewer than the others; the last seat has not.
    let full = hands[state.trick.leader().previous(players)].len();
    let full = if laid.is_empty() { full } else { full.max(1) };
    for (seat, hand) in hands.entries() {
        let has_laid = seat.steps_from(state.trick.leader(), players) < laid.len();
        let expected = full - usize::from(has_laid);
        if hand.len() != expected {
            return Err(PositionFault::WrongCount { seat, expected, found: hand.len() });
        }
    }
    check_points(rules, full, seen, state)?;
    match rules {
        Rules::Cruce(rules) => check_cruce(rules, full, stock.len(), state),
        Rules::Whist(_) => {
            let taken: usize = state.points.iter().map(|taken| usize::from(*taken)).sum();
            if full > 8 {
                Err(PositionFault::NoSuchHands { most: 8 })
            } else if full + taken == 8 && state.trump.is_some() {
                Err(PositionFault::TrumpInEights)
            } else {
                Ok(())
            }
        }
    }
}

/// Checks that hands of this size match the stock and the trump (C5, C7, C13).
fn check_cruce(
    rules: &cruce::Rules,
    full: usize,
    stock: usize,
    state: &PlayState,
) -> Result<(), PositionFault> {
    let most = rules.cards_each();
    let drawing = stock.is_multiple_of(2) && stock <= rules.stock() && full == most;
    if full > most {
        return Err(PositionFault::NoSuchHands { most });
    }
    if stock > 0 && !drawing {
        return Err(PositionFault::WrongStock { found: stock });
    }
    let right = match state.trick.lead() {
        None if is_first_trick(rules, full, stock) => state.trump.is_none(),
        Some(lead) if is_first_trick(rules, full, stock) => state.trump == Some(lead.suit),
        _ => state.trump.is_some(),
    };
    if right { Ok(()) } else { Err(PositionFault::WrongTrump) }
}

/// Whether no trick has been taken yet.
fn is_first_trick(rules: &cruce::Rules, full: usize, stock: usize) -> bool {
    full == rules.cards_each() && stock == rules.stock()
}

/// Checks that so much can have been taken; `seen` are the cards that are still to be taken.
fn check_points(
    rules: &Rules,
    full: usize,
    seen: CardSet,
    state: &PlayState,
) -> Result<(), PositionFault> {
    let taken: u32 = state.points.iter().map(|points| u32::from(*points)).sum();
    let most = match rules {
        Rules::Cruce(_) => {
            let left: u32 = seen.iter().map(|card| u32::from(cruce::worth(card))).sum();
            // A pair of which no card has been played has not been called.
            let whole = cruce::callable(seen - state.trick.set()).len() / 2;
            let calls = if whole < 4 { 20 * (4 - whole as u32) + 20 } else { 0 };
            u32::from(cruce::POINTS_IN_PACK) - left + calls
        }
        Rules::Whist(_) => 8u32.saturating_sub(full as u32),
    };
    if taken <= most { Ok(()) } else { Err(PositionFault::WrongPoints) }
}
