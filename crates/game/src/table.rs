//! A table: the full state of a match.
//!
//! [`Table::decide`] returns the events of an action or the reason why it is
//! illegal; it changes nothing. [`Table::apply`] applies an event. Applying all
//! events in order to a new table gives the same table.

use arrayvec::ArrayVec;
use cards::{BySeat, Card, CardSet, Seat};

use crate::action::{Action, Illegal};
use crate::deal::{Deal, DealFault};
use crate::event::{Event, Events, OpenEvent, ThrownIn, Viewer};
use crate::position::Position;
use crate::public::{InvalidEvent, Phase, Public, duties};
use crate::rules::Rules;
use crate::view::View;

/// The full state of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    public: Public,
    hidden: Hidden,
}

/// The cards that not every viewer sees.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Hidden {
    /// The cards that each seat holds and sees.
    hands: BySeat<CardSet>,
    /// The cards that each seat will get after the bidding (C6, bids on three cards).
    rest: BySeat<CardSet>,
    /// The next card to be drawn is the last one, so that drawing is popping.
    stock: ArrayVec<Card, 8>,
    /// The deal as it was dealt, to judge challenges.
    deal: Option<Box<Deal>>,
}

impl Table {
    /// A table that waits for the first deal, in which `first` will bid first.
    pub fn new(rules: Rules, first: Seat) -> Table {
        Table { public: Public::new(rules, first), hidden: Hidden::none(rules.players()) }
    }

    /// A table that waits for the `number`-th deal, counted from 0, with all
    /// scores 0: to play one deal outside of its match.
    pub fn at_deal(rules: Rules, first: Seat, number: usize) -> Table {
        let mut table = Table::new(rules, first);
        table.public.number = number as u32;
        table
    }

    /// The table that these events lead to.
    pub fn replay<'a>(
        rules: Rules,
        first: Seat,
        events: impl IntoIterator<Item = &'a Event>,
    ) -> Result<Table, InvalidEvent> {
        let mut table = Table::new(rules, first);
        events.into_iter().try_for_each(|event| table.apply(event))?;
        Ok(table)
    }

    /// What every viewer knows.
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// The rules of the match.
    pub fn rules(&self) -> &Rules {
        &self.public.rules
    }

    /// The cards that a seat holds and sees now.
    pub fn hand(&self, seat: Seat) -> CardSet {
        self.hidden.hands.as_slice().get(seat.index()).copied().unwrap_or_default()
    }

    /// Whether the next cards are to be dealt.
    pub fn wants_deal(&self) -> bool {
        self.public.phase == Phase::Dealing
    }

    /// Whether the match is over.
    pub fn is_over(&self) -> bool {
        self.public.phase == Phase::Over
    }

    /// What a viewer knows.
    pub fn view(&self, viewer: Viewer) -> View {
        View::of(self, viewer)
    }

    /// The deal in progress with all its cards, as a position to print or search.
    pub fn position(&self) -> Option<Position> {
        let hidden = &self.hidden;
        Position::of(&self.public, hidden.deal.as_deref()?, &hidden.hands, &hidden.stock)
    }

    pub(crate) fn dealt(&self) -> Option<&Deal> {
        self.hidden.deal.as_deref()
    }

    /// The events of dealing these cards.
    pub fn deal(&self, deal: Deal) -> Result<Events, DealFault> {
        if !self.wants_deal() {
            return Err(DealFault::NoSuchDeal);
        }
        deal.check(self.rules(), self.public.number())?;
        Ok(Events::from_iter([Event::Dealt(Box::new(deal))]))
    }

    /// Checks whether a seat may do this now.
    pub fn check(&self, seat: Seat, action: Action) -> Result<(), Illegal> {
        self.public.check(seat, self.hand(seat), action)
    }

    /// The events of an action, or why it is illegal. Changes nothing.
    pub fn decide(&self, seat: Seat, action: Action) -> Result<Events, Illegal> {
        self.check(seat, action)?;
        let mut decision = LookAhead {
            public: self.public.clone(),
            hidden: &self.hidden,
            drawn: 0,
            events: Events::new(),
        };
        match action {
            Action::Bid(bid) => {
                decision.emit(OpenEvent::Bid { seat, bid });
                decision.end_bidding();
            }
            Action::Play { card, call } => {
                let call = call.then(|| self.public.call_points(card));
                decision.emit(OpenEvent::Played { seat, card, call });
                decision.end_trick();
                decision.end_deal();
            }
            Action::Challenge { trick, accused } => {
                let broken = self.broken_duty(trick, accused);
                decision.emit(OpenEvent::Challenged { by: seat, trick, accused, broken });
                if broken.is_some() {
                    decision.throw_in(ThrownIn::Revoke { seat: accused });
                }
            }
            Action::Accept => {
                decision.emit(OpenEvent::Accepted { seat });
                decision.end_deal();
            }
        }
        Ok(decision.events)
    }

    /// The duty that a card of a finished trick broke when it was played (C15).
    fn broken_duty(&self, trick: u8, accused: Seat) -> Option<Illegal> {
        let (round, deal) = (self.public.round()?, self.hidden.deal.as_deref()?);
        let (rules, players) = (self.rules(), self.rules().players());
        let judged = round.tricks.get(usize::from(trick))?;
        let card = judged.card_of(accused, players)?;
        // The hand at that time: as dealt, without the cards played before, with those drawn.
        let mut hand = deal.hands[accused];
        let mut stock = deal.stock.iter();
        for earlier in &round.tricks[..usize::from(trick)] {
            hand -= earlier.set();
            let winner = earlier.winner();
            for seat in [winner, winner.next(players)] {
                match stock.next() {
                    Some(drawn) if seat == accused => hand.insert(*drawn),
                    _ => {}
                }
            }
        }
        let before =
            judged.before(accused.steps_from(judged.leader(), players), round.trump, players);
        duties(rules, hand, before.lead(), round.trump, stock.next().is_some()).refusal(card)
    }

    /// Checks an open event against the hidden cards.
    fn check_hidden(&self, happened: &OpenEvent) -> Result<(), InvalidEvent> {
        match *happened {
            OpenEvent::Played { seat, card, call } => {
                let action = Action::Play { card, call: call.is_some() };
                self.check(seat, action).map_err(|_| InvalidEvent)
            }
            OpenEvent::Challenged { by, trick, accused, broken } => {
                let action = Action::Challenge { trick, accused };
                self.check(by, action).map_err(|_| InvalidEvent)?;
                if broken == self.broken_duty(trick, accused) { Ok(()) } else { Err(InvalidEvent) }
            }
            _ => Ok(()),
        }
    }

    /// Applies an event from [`decide`](Table::decide) or [`deal`](Table::deal).
    /// Any other event is refused with [`InvalidEvent`] and changes nothing.
    pub fn apply(&mut self, event: &Event) -> Result<(), InvalidEvent> {
        match event {
            Event::Dealt(deal) => {
                deal.check(self.rules(), self.public.number()).map_err(|_| InvalidEvent)?;
                self.public.apply_deal(deal.turned)?;
                self.hidden = Hidden {
                    hands: deal.opening,
                    rest: BySeat::from_fn(deal.hands.len(), |seat| {
                        deal.hands[seat] - deal.opening[seat]
                    }),
                    stock: deal.stock.iter().rev().copied().collect(),
                    deal: Some(deal.clone()),
                };
            }
            Event::Completed { rest } => {
                if *rest != self.hidden.rest {
                    return Err(InvalidEvent);
                }
                self.public.apply_completion()?;
                self.hidden.complete();
            }
            Event::Drew { seat, card } => {
                if self.hidden.stock.last() != Some(card) {
                    return Err(InvalidEvent);
                }
                self.public.apply_draw(*seat)?;
                self.hidden.stock.pop();
                self.hidden.hands[*seat].insert(*card);
            }
            Event::Open(happened) => {
                self.check_hidden(happened)?;
                self.public.apply_open(happened)?;
                match *happened {
                    OpenEvent::Played { seat, card, .. } => {
                        self.hidden.hands[seat].remove(card);
                    }
                    OpenEvent::Scored(_) | OpenEvent::ThrownIn { .. } => {
                        self.hidden = Hidden::none(self.rules().players());
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

impl Hidden {
    /// No cards, between the deals.
    fn none(players: usize) -> Hidden {
        let nothing = BySeat::filled(CardSet::EMPTY, players);
        Hidden { hands: nothing, rest: nothing, stock: ArrayVec::new(), deal: None }
    }

    fn complete(&mut self) {
        let (hands, rest) = (self.hands, self.rest);
        self.hands = BySeat::from_fn(hands.len(), |seat| hands[seat] | rest[seat]);
        self.rest = rest.map(|_| CardSet::EMPTY);
    }
}

/// Collects the events of a decision, with what every viewer knows after each.
struct LookAhead<'a> {
    public: Public,
    hidden: &'a Hidden,
    drawn: usize,
    events: Events,
}

impl LookAhead<'_> {
    fn emit(&mut self, happened: OpenEvent) {
        // Every event follows from an action that was just checked.
        let fits = self.public.apply_open(&happened);
        debug_assert_eq!(fits, Ok(()), "{happened:?}");
        self.events.push(Event::Open(happened));
    }

    /// After the last bid: declares the contract, or throws the cards in (C6).
    fn end_bidding(&mut self) {
        let Phase::Bidding(auction) = &self.public.phase else { return };
        if !auction.is_over() {
            return;
        }
        match self.public.contract_bid() {
            Some(contract) => {
                self.emit(OpenEvent::Declared(contract));
                if self.public.awaits_rest() && self.public.apply_completion().is_ok() {
                    self.events.push(Event::Completed { rest: self.hidden.rest });
                }
            }
            None => self.throw_in(ThrownIn::AllPassed),
        }
    }

    /// After the last card of a trick: takes the trick and draws (C9, C13, W5).
    fn end_trick(&mut self) {
        let Some((seat, points)) = self.public.full_trick() else { return };
        self.emit(OpenEvent::Took { seat, points });
        while let Some(seat) = self.public.next_to_draw() {
            let Some(card) = self.hidden.stock.iter().rev().nth(self.drawn) else { return };
            let fits = self.public.apply_draw(seat);
            debug_assert_eq!(fits, Ok(()));
            self.drawn += 1;
            self.events.push(Event::Drew { seat, card: *card });
        }
    }

    /// After the last trick, or the last acceptance: scores the deal.
    fn end_deal(&mut self) {
        let Some(score) = self.public.deal_score() else { return };
        self.emit(OpenEvent::Scored(score));
        self.end_match();
    }

    fn throw_in(&mut self, why: ThrownIn) {
        let change = self.public.thrown_in_change(why);
        self.emit(OpenEvent::ThrownIn { why, change });
        self.end_match();
    }

    fn end_match(&mut self) {
        if let Some(sides) = self.public.winners() {
            self.emit(OpenEvent::Won { sides });
        }
    }
}
