//! A bot depends on its view and nothing else: its action does not change with the hidden cards or
//! with earlier questions.

use arrayvec::ArrayVec;
use bots::beliefs::{Beliefs, World};
use bots::{Level, Limit};
use cards::{BySeat, Card, CardSet, Seat};
use game::deal::{Deal, RandomStream};
use game::event::Viewer;
use game::public::Phase;
use game::{Action, Table, View};

use crate::matches::{KINDS, Lot, Match, ask, each_choice, seed};

/// The number of attempts to find another order of drawn cards (C13).
const TRIES: usize = 200;

/// A table with the same actions and the same view, but with the unseen cards as in `world`.
fn replayed(game: &Match, viewer: Seat, world: &World, lot: &mut Lot) -> Option<Table> {
    let mut table = game.before.clone();
    let events = table.deal(dealt(game, viewer, world, lot)?).ok()?;
    events.iter().try_for_each(|event| table.apply(event)).ok()?;
    for (seat, action) in &game.done {
        let events = table.decide(*seat, *action).ok()?;
        events.iter().try_for_each(|event| table.apply(event)).ok()?;
    }
    (table.view(Viewer::Seat(viewer)) == game.view(viewer)).then_some(table)
}

/// A deal that can have led to a world.
fn dealt(game: &Match, viewer: Seat, world: &World, lot: &mut Lot) -> Option<Deal> {
    let (public, view) = (game.table.public(), game.view(viewer));
    let players = public.rules().players();
    let mut hands = world.hands;
    for (seat, action) in &game.done {
        if let Action::Play { card, .. } = action {
            hands[*seat].insert(*card);
        }
    }
    let mut stock = drawn(&view, viewer, &hands, lot)?;
    stock.iter().for_each(|card| {
        Seat::first(players).for_each(|seat| {
            hands[seat].remove(*card);
        });
    });
    stock.extend(world.stock.iter().copied());
    let bidding = matches!(public.phase(), Phase::Bidding(_));
    let opening = public.rules().opening(hands[viewer].len());
    let opening = BySeat::from_fn(players, |seat: Seat| match bidding && seat == viewer {
        true => view.hand(),
        false => some_of(hands[seat], opening, lot),
    });
    let turned = match public.phase() {
        Phase::Bidding(auction) => auction.turned(),
        Phase::Playing(round) => round.auction().turned(),
        Phase::Dealing | Phase::Over => None,
    };
    Some(Deal { hands, opening, stock, turned })
}

/// The cards drawn from the stock so far, in order: the viewer's as they saw them, the other's at
/// random among those that can have been drawn then (C13).
fn drawn(
    view: &View,
    viewer: Seat,
    hands: &BySeat<CardSet>,
    lot: &mut Lot,
) -> Option<ArrayVec<Card, 8>> {
    let Some(round) = view.public().round() else { return Some(ArrayVec::new()) };
    let other = viewer.next(2);
    let draws = view.drawn().len();
    let mut theirs = [None; 4];
    let mut left = hands[other];
    // A card that can have come last can have come earlier, but not the reverse.
    for draw in (0..draws).rev() {
        let early = round.tricks()[..=draw].iter().filter_map(|trick| trick.card_of(other, 2));
        let late = left - early.collect();
        let card = late.nth(lot.below(late.len().max(1)))?;
        left.remove(card);
        theirs[draw] = Some(card);
    }
    let pair = |draw: usize| {
        let (own, theirs) = (view.drawn().get(draw).copied(), theirs[draw]);
        let first = round.tricks()[draw].winner() == viewer;
        if first { [own, theirs] } else { [theirs, own] }
    };
    Some((0..draws).flat_map(pair).flatten().collect())
}

/// A random choice of this number of cards of a set.
fn some_of(mut cards: CardSet, count: usize, lot: &mut Lot) -> CardSet {
    while cards.len() > count {
        let card = cards.nth(lot.below(cards.len())).expect("one of them");
        cards.remove(card);
    }
    cards
}

/// A table with other hidden cards and the same view.
fn with_other_cards(game: &Match, viewer: Seat, lot: &mut Lot) -> Table {
    let view = game.view(viewer);
    let beliefs = Beliefs::new(&view).unwrap_or_else(|| panic!("no world agrees: {view}"));
    let mut lots = RandomStream::new(seed(lot.draw()), 0);
    let tries = if game.table.rules().stock() > 0 { TRIES } else { 1 };
    let tried = |_| replayed(game, viewer, &beliefs.sample(&mut lots), lot);
    let found = (0..tries).find_map(tried);
    found.unwrap_or_else(|| panic!("match {}: no other cards fit: {view}", game.number))
}

/// As much search as the test has time for.
fn limit(view: &View, lot: &mut Lot) -> Limit<'static> {
    match lot.below(3) {
        0 => Limit::nodes(200),
        _ if view.hand().len() <= 3 => Limit::nodes(50_000),
        _ => Limit::nodes(3_000),
    }
}

#[test]
fn the_same_view_gets_the_same_action_whatever_is_hidden_or_was_asked_before() {
    // These bots are asked on every seat of many tables, and so have seen many hands.
    let mut asked_before = Level::ALL.map(|level| (level, level.bot()));
    let (mut views, mut other_cards) = (0, 0);
    for (number, code) in (0..).zip(KINDS.iter().cycle().take(3 * KINDS.len())) {
        let mut lot = Lot(number);
        each_choice(code, number, |game, seat, view| {
            if lot.below(6) > 0 {
                return;
            }
            let other = with_other_cards(game, seat, &mut lot);
            let mut seats = Seat::first(game.table.rules().players());
            other_cards += usize::from(seats.any(|seat| game.table.hand(seat) != other.hand(seat)));
            views += 1;
            let (question, limit) = (lot.draw(), limit(view, &mut lot));
            let context =
                |level| format!("{level}, match {number}, seed {question}, {limit:?}: {view}");
            for (level, bot) in &mut asked_before {
                let one = ask(bot.as_mut(), *level, view, question, limit);
                let again = ask(bot.as_mut(), *level, view, question, limit);
                let other = other.view(Viewer::Seat(seat));
                let fresh = ask(level.bot().as_mut(), *level, &other, question, limit);
                assert_eq!(one, again, "asked again, {}", context(*level));
                assert_eq!(one, fresh, "asked for the first time, {}", context(*level));
            }
        });
    }
    assert!(views > 200 && 10 * other_cards > 8 * views, "{other_cards} of {views}");
}
