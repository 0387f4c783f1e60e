//! The brute force: every distribution of the cards that a view does not show, each tried by
//! replaying the whole deal with the engine.

use std::collections::BTreeMap;

use arrayvec::ArrayVec;
use bots::beliefs::World;
use cards::{BySeat, Card, CardSet, Seat};
use game::auction::Auction;
use game::deal::Deal;
use game::event::{Event, OpenEvent, Viewer};
use game::public::{Phase, Round};
use game::{Action, Position, Rules, Table, View};

/// A world as a key: the hands, and the stock in its order.
pub type Key = (Vec<u64>, Vec<Card>);

pub fn key(world: &World) -> Key {
    (world.hands.iter().map(|hand| hand.bits()).collect(), world.stock.to_vec())
}

/// All that the brute force found, with the stock in the order of the pack: any other order is
/// equally possible.
pub struct Found {
    /// Every distribution of the cards, with the number of deals that lead to it.
    pub worlds: BTreeMap<Key, u128>,
    /// The number of possible orders of the stock.
    pub orders: u128,
}

impl Found {
    pub fn deals(&self) -> u128 {
        self.worlds.values().sum::<u128>() * self.orders
    }

    /// The worlds that at least one deal leads to.
    pub fn possible(&self) -> impl Iterator<Item = (&Key, u128)> {
        self.worlds.iter().filter(|(_, deals)| **deals > 0).map(|(key, deals)| (key, *deals))
    }
}

/// The contents of a view, extracted independently.
struct Seen<'a> {
    view: &'a View,
    own: Seat,
    rules: Rules,
    auction: &'a Auction,
    round: Option<&'a Round>,
    /// The cards that each seat has played, in order.
    played: Vec<Vec<Card>>,
    unseen: Vec<Card>,
}

impl<'a> Seen<'a> {
    fn of(view: &'a View) -> Seen<'a> {
        let (public, rules) = (view.public(), *view.public().rules());
        let Viewer::Seat(own) = view.viewer() else { panic!("spectators have no beliefs") };
        let (auction, round) = match public.phase() {
            Phase::Bidding(auction) => (auction, None),
            Phase::Playing(round) => (round.auction(), Some(round)),
            _ => panic!("no deal is in progress"),
        };
        let mut played = vec![Vec::new(); rules.players()];
        for (seat, card, _) in plays(round, rules.players()) {
            played[seat.index()].push(card);
        }
        let mut seen: Vec<Card> = played.concat();
        seen.extend(auction.turned());
        seen.extend(view.hand());
        let unseen = rules.pack().cards().iter().filter(|card| !seen.contains(card)).collect();
        Seen { view, own, rules, auction, round, played, unseen }
    }

    /// The number of cards that a seat was dealt or has drawn and not played.
    fn held(&self, seat: Seat) -> usize {
        let drawn = match self.round {
            Some(round) => (self.rules.stock() - round.stock()) / 2,
            None => 0,
        };
        self.auction.cards_each() + drawn - self.played[seat.index()].len()
    }
}

/// The played cards, with their seats and whether they were called.
fn plays(round: Option<&Round>, players: usize) -> Vec<(Seat, Card, bool)> {
    let mut plays = Vec::new();
    let tricks = round.into_iter().flat_map(|round| round.tricks().iter().chain([round.trick()]));
    for trick in tricks {
        for (at, (seat, card)) in trick.plays(players).enumerate() {
            plays.push((seat, card, at == 0 && trick.called()));
        }
    }
    plays
}

/// Tries everything; `None` if there are more than `most` distributions of the cards.
pub fn search(view: &View, most: u128) -> Option<Found> {
    let seen = Seen::of(view);
    let mut found = Found { worlds: BTreeMap::new(), orders: 1 };
    let (cards, slots) = if seen.rules.stock() > 0 { slots_of_two(&seen) } else { slots(&seen) };
    if ways_to_fill(&slots, cards.len()) > most {
        return None;
    }
    if let Some(stock) = slots.iter().find(|slot| matches!(slot.place, Place::Stock)) {
        found.orders = (1..=stock.room as u128).product();
    }
    fill(&cards, &mut slots.clone(), &mut |slots| {
        let deals = found.worlds.entry(key(&world(&seen, slots))).or_default();
        *deals += u128::from(replays(&seen, deal(&seen, slots)));
    });
    Some(found)
}

/// Where an unseen card can have been at first.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// Dealt to a seat.
    Dealt(Seat),
    /// Drawn by the other player of Cruce for two, as their n-th card from the stock.
    Draw(usize),
    /// Still in the stock.
    Stock,
    /// Never dealt.
    Pile,
}

#[derive(Clone, Debug)]
struct Slot {
    place: Place,
    room: usize,
    cards: Vec<Card>,
}

impl Slot {
    fn new(place: Place, room: usize) -> Slot {
        Slot { place, room, cards: Vec::new() }
    }
}

/// The unseen cards are in the hands, or undealt.
fn slots(seen: &Seen<'_>) -> (Vec<Card>, Vec<Slot>) {
    let mut slots: Vec<Slot> = Seat::first(seen.rules.players())
        .map(|seat| {
            let known = if seat == seen.own { seen.view.hand().len() } else { 0 };
            Slot::new(Place::Dealt(seat), seen.held(seat) - known)
        })
        .collect();
    let room: usize = slots.iter().map(|slot| slot.room).sum();
    slots.push(Slot::new(Place::Pile, seen.unseen.len() - room));
    (seen.unseen.clone(), slots)
}

/// In Cruce for two, the cards that the other player has played must have come from somewhere too.
fn slots_of_two(seen: &Seen<'_>) -> (Vec<Card>, Vec<Slot>) {
    let other = seen.own.next(2);
    let stock = seen.round.map_or(8, Round::stock);
    let drawn = (8 - stock) / 2;
    let own_missing = seen.held(seen.own) - seen.view.hand().len();
    let mut slots = vec![
        Slot::new(Place::Dealt(seen.own), own_missing),
        Slot::new(Place::Dealt(other), 8),
        Slot::new(Place::Stock, stock),
    ];
    slots.extend((0..drawn).map(|n| Slot::new(Place::Draw(n), 1)));
    let cards = [seen.unseen.as_slice(), &seen.played[other.index()]].concat();
    (cards, slots)
}

fn ways_to_fill(slots: &[Slot], cards: usize) -> u128 {
    assert_eq!(slots.iter().map(|slot| slot.room).sum::<usize>(), cards);
    let mut ways: u128 = 1;
    let mut left = cards;
    for slot in slots {
        for taken in 0..slot.room {
            ways = ways * (left - taken) as u128 / (taken + 1) as u128;
        }
        left -= slot.room;
    }
    ways
}

fn fill(cards: &[Card], slots: &mut Vec<Slot>, done: &mut dyn FnMut(&[Slot])) {
    let Some((card, others)) = cards.split_first() else { return done(slots) };
    for at in 0..slots.len() {
        if slots[at].cards.len() < slots[at].room {
            slots[at].cards.push(*card);
            fill(others, slots, done);
            slots[at].cards.pop();
        }
    }
}

fn cards_in(slots: &[Slot], place: Place) -> &[Card] {
    slots.iter().find(|slot| slot.place == place).map_or(&[], |slot| &slot.cards)
}

/// The deal that these slots describe.
fn deal(seen: &Seen<'_>, slots: &[Slot]) -> Deal {
    let dealt =
        |seat: Seat| -> CardSet { cards_in(slots, Place::Dealt(seat)).iter().copied().collect() };
    let mut stock: ArrayVec<Card, 8> = ArrayVec::new();
    let mut hands = BySeat::from_fn(seen.rules.players(), dealt);
    if seen.rules.stock() > 0 {
        hands[seen.own] |= own_played(seen) | seen.view.hand();
        let mut own_draws = seen.view.drawn().iter();
        let mut other_draws = 0..;
        let tricks = seen.round.map_or(&[][..], Round::tricks).iter();
        for drawer in tricks.flat_map(|trick| [trick.winner(), trick.winner().next(2)]).take(8) {
            if drawer == seen.own {
                let card = own_draws.next().expect("as many draws as tricks");
                hands[seen.own].remove(*card);
                stock.push(*card);
            } else {
                stock.push(cards_in(slots, Place::Draw(other_draws.next().unwrap()))[0]);
            }
        }
        stock.extend(cards_in(slots, Place::Stock).iter().copied());
    } else {
        for seat in Seat::first(seen.rules.players()) {
            hands[seat] |= seen.played[seat.index()].iter().copied().collect();
        }
        hands[seen.own] |= seen.view.hand();
    }
    let opening = match seen.rules.opening(seen.auction.cards_each()) {
        all if all == seen.auction.cards_each() => hands,
        some => hands.map(|hand| hand.iter().take(some).collect()),
    };
    Deal { hands, opening, stock, turned: seen.auction.turned() }
}

fn own_played(seen: &Seen<'_>) -> CardSet {
    seen.played[seen.own.index()].iter().copied().collect()
}

/// The world that these slots describe.
fn world(seen: &Seen<'_>, slots: &[Slot]) -> World {
    let hand = |seat: Seat| {
        let mut hand: CardSet = cards_in(slots, Place::Dealt(seat)).iter().copied().collect();
        if seat == seen.own {
            hand |= seen.view.hand();
        } else {
            let drawn = slots.iter().filter(|slot| matches!(slot.place, Place::Draw(_)));
            hand |= drawn.flat_map(|slot| slot.cards.iter().copied()).collect();
        }
        hand - seen.played[seat.index()].iter().copied().collect()
    };
    let stock: CardSet = cards_in(slots, Place::Stock).iter().copied().collect();
    World { hands: BySeat::from_fn(seen.rules.players(), hand), stock: stock.iter().collect() }
}

/// Whether all that was seen can have happened with this deal.
fn replays(seen: &Seen<'_>, deal: Deal) -> bool {
    if seen.rules.honour() { replays_on_honour(seen, deal) } else { replays_enforced(seen, deal) }
}

fn replays_enforced(seen: &Seen<'_>, deal: Deal) -> bool {
    let mut position = Position::new(seen.rules, seen.view.public().first(), deal);
    for bid in seen.auction.bids() {
        position.bid(*bid).expect("bids do not depend on cards");
    }
    for (seat, card, call) in plays(seen.round, seen.rules.players()) {
        assert_eq!(position.turn(), Some(seat));
        if position.play_card(card, call).is_err() {
            return false;
        }
    }
    if seen.round.is_some() {
        assert_eq!(position.hand(seen.own), seen.view.hand());
    }
    true
}

/// A position always enforces the duties; an honour table does not, but it judges challenges.
fn replays_on_honour(seen: &Seen<'_>, deal: Deal) -> bool {
    let public = seen.view.public();
    let mut table = Table::at_deal(seen.rules, public.first(), public.number());
    let events = table.deal(deal).expect("a deal of these rules");
    table.apply(&events[0]).expect("it was just dealt");
    let bids = seen.auction.bids().iter().map(|bid| Action::Bid(*bid));
    let plays = plays(seen.round, seen.rules.players());
    let plays = plays.iter().map(|(_, card, call)| Action::Play { card: *card, call: *call });
    for action in bids.chain(plays) {
        let seat = table.public().turn().expect("a seat is in turn");
        let Ok(events) = table.decide(seat, action) else { return false };
        events.iter().for_each(|event| table.apply(event).expect("a decided event fits"));
    }
    let mut challenges = seen.round.into_iter().flat_map(|round| round.challenges());
    challenges.all(|c| {
        let action = Action::Challenge { trick: c.trick, accused: c.accused };
        let events = table.decide(c.by, action).expect("it was made");
        matches!(events[0], Event::Open(OpenEvent::Challenged { broken: None, .. }))
    })
}
