//! A view as JSON, for bots that do not read our notation.

use cards::{Card, CardSet, Pack, Seat, Suit};
use game::auction::Auction;
use game::notation::card_text;
use game::public::{Phase, Round};
use game::trick::Trick;
use game::{Rules, View, Viewer};
use serde::Serialize;

/// What a seat knows of a deal. Lists over seats or sides begin with number 1,
/// cards are texts, and fields that do not apply to a game are left out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BotState {
    /// The code of the rules.
    pub rules: String,
    /// The seat of the viewer.
    pub seat: usize,
    /// The side of each seat.
    pub sides: Vec<usize>,
    /// The number of the deal.
    pub deal: usize,
    /// The seat that bids first.
    pub first: usize,
    /// How many cards each player was dealt.
    pub cards_each: usize,
    /// What the seat must do.
    pub phase: BotPrompt,
    /// The seat's cards.
    pub hand: Vec<String>,
    /// The cards that the seat drew from the stock, in order (C13).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drawn: Vec<String>,
    /// The number of cards left in the stock (C13).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stock: Option<usize>,
    /// The card turned up for trump (W3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turned: Option<String>,
    /// The trump suit, if there is one yet.
    pub trump: Option<String>,
    /// The bids so far.
    pub bids: Vec<SeatBid>,
    /// The contract of Cruce, once the bidding is over (C6).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract: Option<ContractState>,
    /// The current trick, once the bidding is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trick: Option<TrickState>,
    /// The finished tricks, in order.
    pub tricks: Vec<TrickState>,
    /// The cards that each seat has shown by calls and still holds (C10).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<Vec<String>>,
    /// Each side's points with calls in Cruce, each player's tricks in whist.
    pub points: Vec<u8>,
    /// Each side's score in the match.
    pub score: Vec<i32>,
    /// Bids in a row that were right (3) or wrong (-3), for the prize of whist (W7).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<i8>,
    /// The challenges that were wrong (C15).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub challenges: Vec<Challenged>,
    /// The seats that have accepted the deal (C15).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<usize>,
}

/// What a seat must do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BotPrompt {
    /// Bid.
    Bidding,
    /// Play a card.
    Playing,
    /// On an honour table, accept the deal or challenge a card (C15).
    Reckoning,
}

/// A bid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SeatBid {
    /// The bidder's seat.
    pub seat: usize,
    /// The bid.
    pub bid: u8,
}

/// The contract of a deal of Cruce (C6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ContractState {
    /// The seat that leads the first trick.
    pub declarer: usize,
    /// The side must make this many times 33 points.
    pub bid: u8,
}

/// A trick, finished or not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TrickState {
    /// The seat that leads.
    pub leader: usize,
    /// The cards, the leader's first.
    pub cards: Vec<String>,
    /// Whether the lead was called (C10).
    pub called: bool,
    /// The seat that won or is winning the trick; None before its first card.
    pub winner: Option<usize>,
}

/// A challenge that was wrong (C15).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Challenged {
    /// The challenger's seat.
    pub by: usize,
    /// The trick.
    pub trick: usize,
    /// The seat whose card was challenged.
    pub accused: usize,
}

impl BotState {
    /// What a seat knows. Returns None for a spectator, or while no deal is in progress.
    pub(super) fn of(view: &View) -> Option<BotState> {
        let Viewer::Seat(seat) = view.viewer() else { return None };
        let public = view.public();
        let (rules, pack, players) =
            (public.rules(), public.rules().pack(), public.rules().players());
        let (auction, phase) = match public.phase() {
            Phase::Bidding(auction) => (auction, BotPrompt::Bidding),
            Phase::Playing(round) if public.awaits_acceptance() => {
                (round.auction(), BotPrompt::Reckoning)
            }
            Phase::Playing(round) => (round.auction(), BotPrompt::Playing),
            Phase::Dealing | Phase::Over => return None,
        };
        let state = BotState {
            rules: rules.code(),
            seat: seat.number(),
            sides: Seat::first(players).map(|seat| rules.side_of(seat).number()).collect(),
            deal: public.number() + 1,
            first: public.first().number(),
            cards_each: auction.cards_each(),
            phase,
            hand: set(pack, view.hand()),
            drawn: list(pack, view.drawn()),
            stock: (rules.stock() > 0).then_some(rules.stock()),
            turned: auction.turned().map(|card| card_text(pack, card)),
            trump: auction.turned().map(|card| pack.suit_letter(card.suit()).into()),
            bids: bids(auction, public.first(), players),
            contract: None,
            trick: None,
            tricks: Vec::new(),
            shown: Vec::new(),
            points: vec![0; rules.sides()],
            score: public.score().as_slice().to_vec(),
            runs: match rules {
                Rules::Cruce(_) => Vec::new(),
                Rules::Whist(_) => public.runs().as_slice().to_vec(),
            },
            challenges: Vec::new(),
            accepted: Vec::new(),
        };
        Some(match public.round() {
            Some(round) => state.with_play(round, rules),
            None => state,
        })
    }

    fn with_play(self, round: &Round, rules: &Rules) -> BotState {
        let pack = rules.pack();
        let accepted = round.accepted().entries().filter(|(_, accepted)| **accepted);
        BotState {
            stock: (rules.stock() > 0).then_some(round.stock()),
            trump: round.trump().map(|suit| pack.suit_letter(suit).into()),
            contract: round.contract().map(|contract| ContractState {
                declarer: contract.declarer.number(),
                bid: contract.bid,
            }),
            trick: Some(trick(pack, round.trick())),
            tricks: round.tricks().iter().map(|finished| trick(pack, finished)).collect(),
            shown: match rules {
                Rules::Cruce(_) => round.shown().iter().map(|shown| set(pack, *shown)).collect(),
                Rules::Whist(_) => Vec::new(),
            },
            points: round.points().as_slice().to_vec(),
            challenges: round
                .challenges()
                .iter()
                .map(|made| Challenged {
                    by: made.by.number(),
                    trick: usize::from(made.trick) + 1,
                    accused: made.accused.number(),
                })
                .collect(),
            accepted: accepted.map(|(seat, _): (Seat, _)| seat.number()).collect(),
            ..self
        }
    }
}

fn bids(auction: &Auction, first: Seat, players: usize) -> Vec<SeatBid> {
    let bids = auction.bids().iter().enumerate();
    bids.map(|(at, bid)| SeatBid { seat: first.after(at, players).number(), bid: *bid }).collect()
}

fn trick(pack: Pack, trick: &Trick) -> TrickState {
    TrickState {
        leader: trick.leader().number(),
        cards: list(pack, trick.cards()),
        called: trick.called(),
        winner: trick.lead().map(|lead| lead.winner.number()),
    }
}

fn list(pack: Pack, cards: &[Card]) -> Vec<String> {
    cards.iter().map(|card| card_text(pack, *card)).collect()
}

/// The cards of a set, suit by suit, the strongest of each first.
fn set(pack: Pack, set: CardSet) -> Vec<String> {
    let in_suit = |suit: Suit| set.in_suit(suit).iter().rev().collect::<Vec<Card>>();
    list(pack, &Suit::ALL.into_iter().flat_map(in_suit).collect::<Vec<Card>>())
}
