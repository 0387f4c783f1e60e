//! A view: what one seat or a spectator knows of a match.
//!
//! It is built from [`SeatEvent`]s alone and has no field for another hand,
//! the stock or a seed.

use arrayvec::ArrayVec;
use cards::{Card, CardSet, Seat};

use crate::action::{Action, Illegal};
use crate::cruce;
use crate::event::{OpenEvent, SeatEvent, Viewer};
use crate::public::{InvalidEvent, Phase, Public};
use crate::rules::Rules;
use crate::table::Table;

/// What a viewer knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    pub(crate) public: Public,
    pub(crate) own: Option<Own>,
}

/// What only the player on a seat knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Own {
    pub(crate) seat: Seat,
    pub(crate) hand: CardSet,
    /// The cards drawn from the stock in this deal, in order (C13).
    pub(crate) drawn: ArrayVec<Card, 4>,
}

impl View {
    /// What a viewer knows before the first deal.
    pub fn new(rules: Rules, first: Seat, viewer: Viewer) -> View {
        let own = match viewer {
            Viewer::Seat(seat) => Some(Own { seat, hand: CardSet::EMPTY, drawn: ArrayVec::new() }),
            Viewer::Spectator => None,
        };
        View { public: Public::new(rules, first), own }
    }

    /// What a viewer knows of this table.
    pub(crate) fn of(table: &Table, viewer: Viewer) -> View {
        let own = match viewer {
            Viewer::Seat(seat) => {
                Some(Own { seat, hand: table.hand(seat), drawn: drawn_by(table, seat) })
            }
            Viewer::Spectator => None,
        };
        View { public: table.public().clone(), own }
    }

    /// What every viewer knows.
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// The viewer.
    pub fn viewer(&self) -> Viewer {
        self.own.as_ref().map_or(Viewer::Spectator, |own| Viewer::Seat(own.seat))
    }

    /// The viewer's own cards; empty for a spectator.
    pub fn hand(&self) -> CardSet {
        self.own.as_ref().map_or(CardSet::EMPTY, |own| own.hand)
    }

    /// The cards that the viewer drew from the stock in this deal, in order (C13).
    pub fn drawn(&self) -> &[Card] {
        self.own.as_ref().map_or(&[], |own| &own.drawn)
    }

    /// Checks whether the viewer may do this now.
    pub fn check(&self, action: Action) -> Result<(), Illegal> {
        let own = self.own.as_ref().ok_or(Illegal::NoSuchSeat)?;
        self.public.check(own.seat, own.hand, action)
    }

    /// The viewer's cards, each with why it may not be played now; empty when it
    /// is not their turn to play.
    pub fn cards(&self) -> Vec<(Card, Option<Illegal>)> {
        let playing = self.public.round().is_some();
        if !playing || self.public.turn().map(Viewer::Seat) != Some(self.viewer()) {
            return Vec::new();
        }
        let calls = match self.public.rules.calls_are_automatic() {
            true => self.public.callable(self.hand()),
            false => CardSet::EMPTY,
        };
        let why = |card| self.check(Action::Play { card, call: calls.contains(card) }).err();
        self.hand().iter().map(|card| (card, why(card))).collect()
    }

    /// All legal actions of the viewer; empty for a spectator.
    pub fn actions(&self) -> Vec<Action> {
        self.own.as_ref().map_or(Vec::new(), |own| self.public.actions(own.seat, own.hand))
    }

    /// The legal actions of the viewer that break no duty and challenge no player (C8, C15).
    pub fn lawful_actions(&self) -> Vec<Action> {
        let lawful = self.public.lawful_cards(self.hand());
        let mut actions = self.actions();
        actions.retain(|action| match action {
            Action::Play { card, .. } => lawful.contains(*card),
            Action::Bid(_) | Action::Accept => true,
            Action::Challenge { .. } => false,
        });
        actions
    }

    /// Applies an event that the viewer sees. An impossible event is a misfit
    /// and changes nothing.
    pub fn apply(&mut self, event: &SeatEvent) -> Result<(), InvalidEvent> {
        match event {
            SeatEvent::Dealt { hand, turned } => {
                let cards_each = self.public.rules.cards_each(self.public.number());
                let dealt = self.public.rules.opening(cards_each.ok_or(InvalidEvent)?);
                let turned_set = turned.map_or(CardSet::EMPTY, CardSet::of);
                self.check_own(*hand, dealt, turned_set)?;
                self.public.apply_deal(*turned)?;
                if let (Some(own), Some(hand)) = (&mut self.own, hand) {
                    (own.hand, own.drawn) = (*hand, ArrayVec::new());
                }
            }
            SeatEvent::Completed { rest } => {
                let cards_each = self.public.rules.cards_each(self.public.number());
                let missing = cards_each.ok_or(InvalidEvent)?.saturating_sub(self.hand().len());
                self.check_own(*rest, missing, self.hand())?;
                self.public.apply_completion()?;
                if let (Some(own), Some(rest)) = (&mut self.own, rest) {
                    own.hand |= *rest;
                }
            }
            SeatEvent::Drew { seat, card } => {
                let mine = self.own.as_ref().is_some_and(|own| own.seat == *seat);
                if card.is_some() != mine {
                    return Err(InvalidEvent);
                }
                if mine {
                    let known = self.hand() | self.public.cards_seen();
                    self.check_own(card.map(CardSet::of), 1, known)?;
                }
                self.public.apply_draw(*seat)?;
                if let (Some(own), Some(card)) = (&mut self.own, card) {
                    own.hand.insert(*card);
                    own.drawn.push(*card);
                }
            }
            SeatEvent::Open(happened) => self.apply_open(happened)?,
        }
        Ok(())
    }

    /// Checks that these can be the viewer's new cards: the right number, from the
    /// pack, and none that is elsewhere. A spectator gets none.
    fn check_own(
        &self,
        cards: Option<CardSet>,
        count: usize,
        elsewhere: CardSet,
    ) -> Result<(), InvalidEvent> {
        let fits = |cards: CardSet| {
            cards.len() == count
                && self.public.rules.pack().cards().contains_all(cards)
                && (cards & elsewhere).is_empty()
        };
        let right = cards.is_some() == self.own.is_some() && cards.is_none_or(fits);
        if right { Ok(()) } else { Err(InvalidEvent) }
    }

    fn apply_open(&mut self, happened: &OpenEvent) -> Result<(), InvalidEvent> {
        if let (Some(own), OpenEvent::Played { seat, card, call }) = (&self.own, *happened) {
            let action = Action::Play { card, call: call.is_some() };
            let pair = call.and(cruce::partner_in_pair(card));
            let possible = if seat == own.seat {
                self.check(action).is_ok()
            } else {
                !own.hand.contains(card) && !pair.is_some_and(|other| own.hand.contains(other))
            };
            if !possible {
                return Err(InvalidEvent);
            }
        }
        self.public.apply_open(happened)?;
        if let Some(own) = &mut self.own {
            match *happened {
                OpenEvent::Played { seat, card, .. } if seat == own.seat => {
                    own.hand.remove(card);
                }
                OpenEvent::Scored(_) | OpenEvent::ThrownIn { .. } => {
                    (own.hand, own.drawn) = (CardSet::EMPTY, ArrayVec::new());
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The cards that a seat has drawn in the deal in progress (C13).
fn drawn_by(table: &Table, seat: Seat) -> ArrayVec<Card, 4> {
    let (Phase::Playing(round), Some(deal)) = (table.public().phase(), table.dealt()) else {
        return ArrayVec::new();
    };
    let drawers = round.tricks().iter().flat_map(|trick| {
        let winner = trick.winner();
        [winner, winner.next(2)]
    });
    let drawn = deal.stock.len() - round.stock();
    deal.stock
        .iter()
        .take(drawn)
        .zip(drawers)
        .filter(|(_, by)| *by == seat)
        .map(|(card, _)| *card)
        .collect()
}
