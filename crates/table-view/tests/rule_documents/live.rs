//! A deal in progress: a real table if the example starts with the bidding, otherwise a position.

use cards::{BySeat, BySide, Card, CardSet, Seat, Suit};
use game::deal::{Deal, Dealer, Seed};
use game::position::{DealStage, InPlay};
use game::public::Phase;
use game::{Action, Event, Illegal, OpenEvent, Position, Public, Rules, Table, cruce};

pub enum Live {
    Table(Box<Table>),
    Position(Box<Middle>),
}

/// A position, with the shown cards, which it does not store.
pub struct Middle {
    position: Position,
    shown: BySeat<CardSet>,
}

impl Live {
    pub fn new(position: &Position) -> Result<Live, String> {
        let DealStage::Bidding(deal) = position.stage() else {
            let shown = BySeat::filled(CardSet::EMPTY, position.rules().players());
            return Ok(Live::Position(Box::new(Middle { position: position.clone(), shown })));
        };
        let mut table = table_before(position.rules(), position.first(), deal)?;
        let events = table.deal((**deal).clone()).map_err(|fault| fault.to_string())?;
        apply(&mut table, events)?;
        for bid in position.bids() {
            let seat = table.public().turn().ok_or("no seat is to bid")?;
            let events = table.decide(seat, Action::Bid(*bid)).map_err(|e| e.to_string())?;
            apply(&mut table, events)?;
        }
        Ok(Live::Table(Box::new(table)))
    }

    pub fn table(&self) -> Option<&Table> {
        match self {
            Live::Table(table) => Some(table),
            Live::Position(_) => None,
        }
    }

    fn public(&self) -> Option<&Public> {
        self.table().map(Table::public)
    }

    pub fn turn(&self) -> Option<Seat> {
        match self {
            Live::Table(table) => table.public().turn(),
            Live::Position(middle) => middle.position.turn(),
        }
    }

    pub fn is_bidding(&self) -> bool {
        self.public().is_some_and(|public| matches!(public.phase(), Phase::Bidding(_)))
    }

    pub fn hand(&self, seat: Seat) -> CardSet {
        match self {
            Live::Table(table) => table.hand(seat),
            Live::Position(middle) => middle.position.hand(seat),
        }
    }

    /// The cards that the seat in turn may play.
    pub fn legal(&self) -> CardSet {
        match self {
            Live::Table(table) => {
                let hand = table.public().turn().map_or(CardSet::EMPTY, |seat| table.hand(seat));
                table.public().legal_cards(hand)
            }
            Live::Position(middle) => middle.position.play().map_or(CardSet::EMPTY, InPlay::legal),
        }
    }

    pub fn legal_bids(&self) -> Vec<u8> {
        self.public().map_or(Vec::new(), |public| public.legal_bids().iter().collect())
    }

    pub fn trump(&self) -> Option<Suit> {
        match self {
            Live::Table(table) => match table.public().phase() {
                Phase::Playing(round) => round.trump(),
                Phase::Bidding(auction) => auction.turned().map(Card::suit),
                _ => None,
            },
            Live::Position(middle) => middle.position.play().and_then(InPlay::trump),
        }
    }

    /// The card turned up for trump.
    pub fn turned(&self) -> Option<Card> {
        match self {
            Live::Table(table) => match table.public().phase() {
                Phase::Playing(round) => round.auction().turned(),
                Phase::Bidding(auction) => auction.turned(),
                _ => None,
            },
            Live::Position(middle) => middle.position.turned(),
        }
    }

    /// Points with calls in Cruce, tricks in whist.
    pub fn points(&self, rules: &Rules) -> BySide<u8> {
        let zero = BySide::filled(0, rules.sides());
        match self {
            Live::Table(table) => table.public().round().map_or(zero, |round| *round.points()),
            Live::Position(middle) => {
                BySide::from_fn(rules.sides(), |side| match middle.position.play() {
                    Some(InPlay::Cruce(play)) => play.points(side),
                    Some(InPlay::Whist(play)) => {
                        play.taken(Seat::new(side.index()).unwrap_or_default())
                    }
                    None => 0,
                })
            }
        }
    }

    pub fn shown(&self, seat: Seat) -> CardSet {
        match self {
            Live::Table(table) => {
                table.public().round().map_or(CardSet::EMPTY, |round| round.shown()[seat])
            }
            Live::Position(middle) => middle.shown[seat],
        }
    }

    pub fn stock(&self) -> usize {
        match self {
            Live::Table(table) => table.public().round().map_or(0, |round| round.stock()),
            Live::Position(middle) => match middle.position.play() {
                Some(InPlay::Cruce(play)) => play.stock().len(),
                _ => 0,
            },
        }
    }

    /// The cards on the table, from the leader on.
    pub fn trick(&self, rules: &Rules) -> Vec<(Seat, Card)> {
        let trick = match self {
            Live::Table(table) => table.public().round().map(|round| round.trick()),
            Live::Position(middle) => middle.position.trick(),
        };
        trick.map_or(Vec::new(), |trick| trick.plays(rules.players()).collect())
    }

    /// The events of an action, or why it is refused.
    pub fn act(&self, seat: Seat, action: Action) -> Result<Vec<Event>, Illegal> {
        match self {
            Live::Table(table) => table.decide(seat, action).map(|events| events.to_vec()),
            Live::Position(middle) => middle.clone_and_play(seat, action).map(|(_, events)| events),
        }
    }

    /// Applies an event that [`act`](Live::act) returned.
    pub fn apply(&mut self, event: &Event) -> Result<(), String> {
        match self {
            Live::Table(table) => table.apply(event).map_err(|misfit| misfit.to_string()),
            Live::Position(middle) => {
                if let Event::Open(OpenEvent::Played { seat, card, call }) = *event {
                    let action = Action::Play { card, call: call.is_some() };
                    let (after, _) =
                        middle.clone_and_play(seat, action).map_err(|e| e.to_string())?;
                    **middle = after;
                }
                Ok(())
            }
        }
    }
}

impl Middle {
    /// The position after a card, and the events that a table would return.
    fn clone_and_play(&self, seat: Seat, action: Action) -> Result<(Middle, Vec<Event>), Illegal> {
        let (Action::Play { card, call }, Some(turn)) = (action, self.position.turn()) else {
            return Err(Illegal::NotBidding);
        };
        // A position only knows the seat in turn.
        if seat != turn {
            return Err(Illegal::NotYourTurn { turn });
        }
        let rules = *self.position.rules();
        let players = rules.players();
        let trump = self.position.play().and_then(InPlay::trump);
        let mut trick = self.position.trick().map_or(Vec::new(), |trick| trick.cards().to_vec());
        let stock = match self.position.play() {
            Some(InPlay::Cruce(play)) => play.stock(),
            _ => Default::default(),
        };
        let mut after = Middle { position: self.position.clone(), shown: self.shown };
        after.position.play_card(card, call)?;
        trick.push(card);
        let worth = cruce::worth_of_call(card.suit(), trump.or(Some(card.suit())));
        let mut events =
            vec![Event::Open(OpenEvent::Played { seat, card, call: call.then_some(worth) })];
        after.shown[seat].remove(card);
        if let Some(other) = cruce::partner_in_pair(card).filter(|_| call) {
            after.shown[seat].insert(other);
        }
        if trick.len() == players {
            let winner = after.position.trick().map_or(seat, |trick| trick.leader());
            let points = if matches!(rules, Rules::Cruce(_)) { cruce::worth_of(&trick) } else { 0 };
            events.push(Event::Open(OpenEvent::Took { seat: winner, points }));
            for (steps, card) in stock.iter().take(players).enumerate() {
                let seat = winner.after(steps, players);
                debug_assert!(after.position.hand(seat).contains(*card));
                events.push(Event::Drew { seat, card: *card });
            }
        }
        Ok((after, events))
    }
}

fn apply(table: &mut Table, events: impl IntoIterator<Item = Event>) -> Result<(), String> {
    let mut events = events.into_iter();
    events.try_for_each(|event| table.apply(&event)).map_err(|misfit| misfit.to_string())
}

/// A table at which this deal comes next. In whist arbitrary earlier deals are played until the number
/// of cards matches (W2).
fn table_before(rules: &Rules, first: Seat, deal: &Deal) -> Result<Table, String> {
    let cards_each = deal.hands[first].len();
    let number = (0..99).find(|number| rules.cards_each(*number) == Some(cards_each));
    let number = number.ok_or("there is no such deal")?;
    let players = rules.players();
    let start = (0..number).fold(first, |seat, _| seat.previous(players));
    let dealer = Dealer::new(*rules, Seed([0; 32]));
    let mut table = Table::new(*rules, start);
    while table.public().number() < number || !table.wants_deal() {
        let events = match table.public().turn() {
            Some(seat) => {
                let actions = table.public().actions(seat, table.hand(seat));
                let action = *actions.first().ok_or("nothing can be done")?;
                table.decide(seat, action).map_err(|illegal| illegal.to_string())?
            }
            None => {
                let (number, first) = (table.public().number(), table.public().first());
                let deal = dealer.deal(number, first).ok_or("there is no such deal")?;
                table.deal(deal).map_err(|fault| fault.to_string())?
            }
        };
        apply(&mut table, events)?;
    }
    Ok(table)
}
