//! One simulated deal as a JSON object: each choice with its legal alternatives. `docs/notation.md`
//! has the schema.

use cards::{CardSet, Seat};
use game::deal::Deal;
use game::event::{DealScore, OpenEvent, ThrownIn};
use game::notation::card_text;
use game::{Action, Event, Rules, Table};
use serde::Serialize;

/// A deal as it is printed, one object per line.
#[derive(Serialize)]
pub(crate) struct SimulatedDeal {
    rules: String,
    #[serde(rename = "match")]
    match_number: usize,
    deal: usize,
    dealer: usize,
    first: usize,
    cards_each: usize,
    hands: Vec<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<Vec<Vec<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stock: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turned: Option<String>,
    bids: Vec<BidMade>,
    #[serde(skip_serializing_if = "Option::is_none")]
    declarer: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bid: Option<u8>,
    trump: Option<String>,
    tricks: Vec<TrickObject>,
    calls: Vec<CallMade>,
    challenges: Vec<ChallengeMade>,
    result: &'static str,
    points: Vec<u8>,
    change: Vec<i16>,
    prize: Vec<i16>,
    score: Vec<i32>,
    over: bool,
    winners: Vec<usize>,
}

#[derive(Serialize)]
struct BidMade {
    seat: usize,
    bid: u8,
    legal: Vec<u8>,
}

#[derive(Serialize)]
struct TrickObject {
    leader: usize,
    plays: Vec<CardPlayed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<u8>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    drawn: Vec<CardDrawn>,
}

#[derive(Serialize)]
struct CardPlayed {
    seat: usize,
    card: String,
    legal: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    callable: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<u8>,
}

#[derive(Serialize)]
struct CardDrawn {
    seat: usize,
    card: String,
}

#[derive(Serialize)]
struct CallMade {
    trick: usize,
    seat: usize,
    suit: String,
    points: u8,
}

#[derive(Serialize)]
struct ChallengeMade {
    by: usize,
    trick: usize,
    accused: usize,
    upheld: bool,
}

impl SimulatedDeal {
    /// A deal before its first bid; `table` has not received it yet.
    pub(crate) fn new(match_number: usize, table: &Table, deal: &Deal) -> SimulatedDeal {
        let (rules, public) = (table.rules(), table.public());
        let texts = |set: &CardSet| cards(rules, *set);
        let has_opening = deal.opening != deal.hands;
        SimulatedDeal {
            rules: rules.code(),
            match_number,
            deal: public.number() + 1,
            dealer: public.dealer().number(),
            first: public.first().number(),
            cards_each: deal.hands[Seat::default()].len(),
            hands: deal.hands.iter().map(texts).collect(),
            opening: has_opening.then(|| deal.opening.iter().map(texts).collect()),
            stock: (!deal.stock.is_empty())
                .then(|| deal.stock.iter().map(|card| card_text(rules.pack(), *card)).collect()),
            turned: deal.turned.map(|card| card_text(rules.pack(), card)),
            bids: Vec::new(),
            declarer: None,
            bid: None,
            trump: deal.trump().map(|suit| rules.pack().suit_letter(suit).to_string()),
            tricks: Vec::new(),
            calls: Vec::new(),
            challenges: Vec::new(),
            result: "open",
            points: Vec::new(),
            change: Vec::new(),
            prize: Vec::new(),
            score: Vec::new(),
            over: false,
            winners: Vec::new(),
        }
    }

    /// Notes the action of a seat before it happens, with its legal alternatives.
    pub(crate) fn choose(&mut self, table: &Table, seat: Seat, action: Action) {
        let (rules, public) = (table.rules(), table.public());
        match action {
            Action::Bid(bid) => {
                let legal = public.legal_bids().iter().collect();
                self.bids.push(BidMade { seat: seat.number(), bid, legal });
            }
            Action::Play { card, .. } => {
                let hand = table.hand(seat);
                let leads = public.round().is_some_and(|round| round.trick().is_empty());
                if leads {
                    let leader = seat.number();
                    let (plays, drawn) = (Vec::new(), Vec::new());
                    self.tricks.push(TrickObject {
                        leader,
                        plays,
                        winner: None,
                        points: None,
                        drawn,
                    });
                }
                let played = CardPlayed {
                    seat: seat.number(),
                    card: card_text(rules.pack(), card),
                    legal: cards(rules, public.legal_cards(hand)),
                    callable: cards(rules, public.callable(hand)),
                    call: None,
                };
                self.tricks.change_last(|trick| trick.plays.push(played));
            }
            Action::Challenge { .. } | Action::Accept => {}
        }
    }

    /// Notes an event; `after` is the table after it.
    pub(crate) fn note(&mut self, event: &Event, after: &Table) {
        let pack = after.rules().pack();
        match event {
            Event::Drew { seat, card } => {
                let drawn = CardDrawn { seat: seat.number(), card: card_text(pack, *card) };
                self.tricks.change_last(|trick| trick.drawn.push(drawn));
            }
            Event::Open(happened) => self.note_open(happened, after),
            Event::Dealt(_) | Event::Completed { .. } => {}
        }
    }

    fn note_open(&mut self, happened: &OpenEvent, after: &Table) {
        let (rules, pack) = (after.rules(), after.rules().pack());
        match *happened {
            OpenEvent::Declared(contract) => {
                self.declarer = Some(contract.declarer.number());
                self.bid = Some(contract.bid);
            }
            OpenEvent::Played { seat, card, call } => {
                let letter = |suit| pack.suit_letter(suit).to_string();
                if matches!(rules, Rules::Cruce(_)) && self.trump.is_none() {
                    self.trump = Some(letter(card.suit()));
                }
                if let Some(points) = call {
                    let (trick, suit) = (self.tricks.len(), letter(card.suit()));
                    self.calls.push(CallMade { trick, seat: seat.number(), suit, points });
                    self.tricks.change_last(|trick| {
                        if let Some(played) = trick.plays.last_mut() {
                            played.call = Some(points);
                        }
                    });
                }
            }
            OpenEvent::Took { seat, points } => self.tricks.change_last(|trick| {
                trick.winner = Some(seat.number());
                trick.points = matches!(rules, Rules::Cruce(_)).then_some(points);
            }),
            OpenEvent::Challenged { by, trick, accused, broken } => {
                self.challenges.push(ChallengeMade {
                    by: by.number(),
                    trick: usize::from(trick) + 1,
                    accused: accused.number(),
                    upheld: broken.is_some(),
                });
            }
            OpenEvent::ThrownIn { why, change } => {
                self.result = match why {
                    ThrownIn::AllPassed => "all_passed",
                    ThrownIn::Revoke { .. } => "revoke",
                };
                self.change = change.as_slice().to_vec();
                self.prize = vec![0; change.len()];
                self.score = after.public().score().as_slice().to_vec();
            }
            OpenEvent::Scored(DealScore { points, change, prize }) => {
                self.result = "scored";
                self.points = points.as_slice().to_vec();
                self.change = change.as_slice().to_vec();
                self.prize = prize.as_slice().to_vec();
                self.score = after.public().score().as_slice().to_vec();
            }
            OpenEvent::Won { sides } => {
                self.over = true;
                let won = sides.entries().filter(|(_, won)| **won);
                self.winners = won.map(|(side, _)| side.number()).collect();
            }
            OpenEvent::Bid { .. } | OpenEvent::Accepted { .. } => {}
        }
    }
}

/// Changes the last trick, which is the one on the table.
trait ChangeLast<T> {
    fn change_last(&mut self, change: impl FnOnce(&mut T));
}

impl<T> ChangeLast<T> for Vec<T> {
    fn change_last(&mut self, change: impl FnOnce(&mut T)) {
        if let Some(last) = self.last_mut() {
            change(last);
        }
    }
}

/// The cards of a set, strongest first within each suit.
fn cards(rules: &Rules, set: CardSet) -> Vec<String> {
    cards::Suit::ALL
        .into_iter()
        .flat_map(|suit| set.in_suit(suit).iter().rev().collect::<Vec<_>>())
        .map(|card| card_text(rules.pack(), card))
        .collect()
}
