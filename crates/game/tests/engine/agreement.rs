//! The engine and the naive reference agree on every legal set, winner, call,
//! point, score and end over random matches of all rules.

use cards::{CardSet, Seat};
use game::cruce::{AllPass, BidOn, Calls};
use game::event::OpenEvent;
use game::notation::card_text;
use game::public::Phase;
use game::whist::DealOrder;
use game::{Action, Event, Position, Rules};

use crate::random::{Match, Rng, seats, sides};
use crate::reference;

/// How many matches are compared, in two halves so that two cores share them.
const MATCHES: u64 = 20_000;

#[test]
fn engine_and_reference_agree_on_even_matches() {
    (0..MATCHES).step_by(2).for_each(compare);
}

#[test]
fn engine_and_reference_agree_on_odd_matches() {
    (1..MATCHES).step_by(2).for_each(compare);
}

fn options(rules: &Rules) -> reference::Options {
    match rules {
        Rules::Cruce(rules) => {
            let spec = rules.spec();
            reference::Options::Cruce {
                players: rules.players(),
                teams: spec.teams,
                target: spec.target.into(),
                margin: spec.margin.into(),
                max_bid: spec.max_bid,
                bid_on_three: spec.bid_on == BidOn::Three,
                all_pass_redeal: spec.all_pass == AllPass::Redeal,
                overtake: spec.overtake,
                automatic_calls: spec.calls == Calls::Automatic,
                others_score_on_failure: spec.others_score_on_failure,
                honour: spec.enforcement == game::cruce::Enforcement::Honour,
            }
        }
        Rules::Whist(rules) => reference::Options::Whist {
            players: rules.players(),
            start_with_ones: rules.spec().order == DealOrder::OneEightOne,
            trump_in_ones: rules.spec().trump_in_ones,
            prize: rules.spec().prize.into(),
        },
    }
}

fn compare(number: u64) {
    let mut rng = Rng(number);
    let rules = rng.rules();
    let mut fast = Match::new(rules, rng);
    let mut slow = reference::Match::new(options(&rules), fast.table.public().first().index());
    let mut followed: Option<Position> = None;
    let mut steps = 0;
    loop {
        steps += 1;
        assert!(steps < 100_000, "match {number} of {rules} does not end");
        assert_same(&fast, &slow, number);
        if fast.table.wants_deal() {
            let pack = fast.dealer.pack(fast.table.public().number());
            let pack: Vec<String> =
                pack.iter().map(|card| card_text(rules.pack(), *card)).collect();
            slow.deal(&pack);
        }
        let Some((events, by)) = fast.step() else { break };
        if let Some((seat, action)) = by {
            act(&mut slow, &rules, seat, action, &events);
        }
        follow(&mut followed, &fast, by.map(|(_, action)| action));
    }
    assert!(slow.over(), "match {number} of {rules}");
}

/// A position that is played card by card stays equal to the position of the table.
fn follow(followed: &mut Option<Position>, fast: &Match, action: Option<Action>) {
    let goes_on = match (followed.as_mut(), action) {
        (Some(position), Some(Action::Bid(bid))) => position.bid(bid).is_ok(),
        (Some(position), Some(Action::Play { card, call })) => {
            position.play_card(card, call).is_ok()
        }
        (followed, _) => followed.is_some(),
    };
    // Positions enforce the duties, so they cannot follow a card that breaks one (C15).
    assert!(goes_on || followed.is_none() || fast.table.rules().honour());
    let now = fast.table.position();
    match (followed.as_ref(), &now) {
        (Some(position), Some(now)) if goes_on && action.is_some() => assert_eq!(position, now),
        _ => *followed = now,
    }
}

/// Applies an action of the engine to the reference and compares the results.
fn act(slow: &mut reference::Match, rules: &Rules, seat: Seat, action: Action, events: &[Event]) {
    match action {
        Action::Bid(bid) => {
            assert_eq!(slow.turn(), Some(seat.index()));
            slow.bid(bid.into());
        }
        Action::Play { card, call } => {
            assert_eq!(slow.turn(), Some(seat.index()));
            let calls_before = slow.call_worth().len();
            slow.play(&card_text(rules.pack(), card), call);
            let worth = slow.call_worth()[calls_before..].first().copied();
            let called = events.iter().find_map(|event| match event {
                Event::Open(OpenEvent::Played { seat, call: Some(points), .. }) => {
                    Some((seat.index(), i64::from(*points)))
                }
                _ => None,
            });
            assert_eq!(called, worth);
        }
        Action::Challenge { trick, accused } => {
            let upheld = slow.challenge(seat.index(), trick.into(), accused.index());
            let judged = events.iter().any(|event| {
                matches!(event, Event::Open(OpenEvent::Challenged { broken: Some(_), .. }))
            });
            assert_eq!(upheld, judged);
        }
        Action::Accept => slow.accept(seat.index()),
    }
    for event in events {
        if let Event::Open(OpenEvent::Took { seat, .. }) = event {
            assert_eq!(slow.trick_winners().last(), Some(&seat.index()));
        }
        if let Event::Open(OpenEvent::Scored(score)) = event {
            let result = slow.last_result().expect("the reference scores the deal too");
            assert_eq!(result.thrown_in, None);
            assert_eq!(result.points, wide(score.points.as_slice()));
            assert_eq!(result.change, wide(score.change.as_slice()));
            assert_eq!(result.prize, wide(score.prize.as_slice()));
        }
        if let Event::Open(OpenEvent::ThrownIn { change, .. }) = event {
            let result = slow.last_result().expect("the reference throws the deal in too");
            assert!(result.thrown_in.is_some());
            assert_eq!(result.change, wide(change.as_slice()));
        }
        if let Event::Open(OpenEvent::Won { sides }) = event {
            let winners: Vec<usize> =
                sides.entries().filter(|(_, won)| **won).map(|(side, _)| side.index()).collect();
            assert_eq!(slow.winners(), winners);
        }
    }
}

fn wide<T: Copy + Into<i64>>(values: &[T]) -> Vec<i64> {
    values.iter().map(|value| (*value).into()).collect()
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}

/// Asserts that all visible state is the same in both.
fn assert_same(fast: &Match, slow: &reference::Match, number: u64) {
    let (table, public) = (&fast.table, fast.table.public());
    let rules = *table.rules();
    let context = || format!("match {number} of {rules}, deal {}", public.number() + 1);
    let texts = |set: CardSet| {
        sorted(set.iter().map(|card| card_text(rules.pack(), card)).collect::<Vec<_>>())
    };
    assert_eq!(slow.over(), table.is_over(), "{}", context());
    assert_eq!(slow.wants_deal(), table.wants_deal(), "{}", context());
    assert_eq!(slow.scores(), wide(public.score().as_slice()), "{}", context());
    if let Rules::Whist(_) = rules {
        assert_eq!(slow.runs(), wide(public.runs().as_slice()), "{}", context());
    }
    if table.is_over() {
        return;
    }
    assert_eq!(slow.first(), public.first().index(), "{}", context());
    assert_eq!(Some(slow.cards_each()), rules.cards_each(public.number()), "{}", context());
    assert_eq!(slow.turn(), public.turn().map(Seat::index), "{}", context());
    assert_eq!(slow.awaits_acceptance(), public.awaits_acceptance(), "{}", context());
    for seat in seats(rules.players()) {
        let held = sorted(slow.visible_hand(seat.index()));
        assert_eq!(held, texts(table.hand(seat)), "{}", context());
    }
    match public.phase() {
        Phase::Bidding(auction) => {
            assert!(slow.bidding());
            let bids: Vec<u32> = public.legal_bids().iter().map(u32::from).collect();
            assert_eq!(slow.legal_bids(), bids, "{}", context());
            let turned = auction.turned().map(|card| card_text(rules.pack(), card));
            assert_eq!(slow.turned(), turned, "{}", context());
        }
        Phase::Playing(round) => {
            assert_eq!(slow.points(), wide(round.points().as_slice()), "{}", context());
            let trump = round.trump().map(|suit| rules.pack().suit_letter(suit));
            assert_eq!(slow.trump(), trump, "{}", context());
            let contract = round.contract().map(|c| (c.declarer.index(), u32::from(c.bid)));
            assert_eq!(slow.declarer(), contract, "{}", context());
            for seat in seats(rules.players()) {
                let shown = sorted(slow.shown(seat.index()));
                assert_eq!(shown, texts(round.shown()[seat]), "{}", context());
            }
            if let Some(turn) = public.turn() {
                let hand = table.hand(turn);
                assert_eq!(
                    sorted(slow.lawful_cards()),
                    texts(public.lawful_cards(hand)),
                    "{}",
                    context()
                );
                assert_eq!(
                    sorted(slow.playable_cards()),
                    texts(public.legal_cards(hand)),
                    "{}",
                    context()
                );
                assert_eq!(sorted(slow.callable()), texts(public.callable(hand)), "{}", context());
                assert_same_search_position(fast);
            }
            assert_same_challenges(fast, slow);
        }
        Phase::Dealing | Phase::Over => {}
    }
}

/// Asserts that the position for searches has the same duties and points.
fn assert_same_search_position(fast: &Match) {
    let (table, public) = (&fast.table, fast.table.public());
    let position = table.position().expect("a deal is in play");
    let play = position.play().expect("cards are in play");
    let turn = play.turn().expect("a seat is to play");
    assert_eq!(Some(turn), public.turn());
    assert_eq!(play.legal(), public.lawful_cards(table.hand(turn)));
    if let (game::position::InPlay::Cruce(play), Some(round)) = (play, public.round()) {
        for side in sides(table.rules()) {
            assert_eq!(play.points(side), round.points()[side]);
        }
    }
}

fn assert_same_challenges(fast: &Match, slow: &reference::Match) {
    let (table, public) = (&fast.table, fast.table.public());
    if !table.rules().honour() {
        return;
    }
    let players = seats(table.rules().players());
    for by in &players {
        let may = |action| table.check(*by, action).is_ok();
        assert_eq!(slow.may_accept(by.index()), may(Action::Accept));
        for accused in &players {
            for trick in 0..public.round().map_or(0, |round| round.tricks().len()) + 1 {
                let action = Action::Challenge { trick: trick as u8, accused: *accused };
                let slow_may = slow.may_challenge(by.index(), trick, accused.index());
                assert_eq!(slow_may, may(action));
            }
        }
    }
}
