//! Properties that hold in random matches of all rules.

use cards::{BySeat, Card, CardSet, Seat};
use game::deal::{Deal, Dealer};
use game::event::{OpenEvent, SeatEvent, Viewer};
use game::position::InPlay;
use game::{Action, Event, Rules, Table, View};

use crate::random::{Match, Rng, seats};

/// The number of random matches for each property.
const MATCHES: u64 = 300;

fn matches() -> impl Iterator<Item = Match> {
    (0..MATCHES).map(|number| {
        let mut rng = Rng(0xacc0 + number);
        let rules = rng.rules();
        Match::new(rules, rng)
    })
}

fn viewers(rules: &Rules) -> Vec<Viewer> {
    let seats = Seat::first(rules.players()).map(Viewer::Seat);
    seats.chain([Viewer::Spectator]).collect()
}

/// Every conceivable action, legal or not.
fn conceivable(rules: &Rules) -> Vec<Action> {
    let mut actions: Vec<Action> = (0..=10).map(Action::Bid).collect();
    for card in rules.pack().cards() {
        actions.extend([false, true].map(|call| Action::Play { card, call }));
    }
    for trick in 0..13 {
        actions.extend(seats(6).into_iter().map(|accused| Action::Challenge { trick, accused }));
    }
    actions.push(Action::Accept);
    actions
}

#[test]
fn what_is_listed_is_accepted_and_nothing_else() {
    for mut game in matches().take(60) {
        let rules = *game.table.rules();
        let all = conceivable(&rules);
        let mut steps = 0;
        loop {
            for seat in seats(6) {
                let listed = game.table.public().actions(seat, game.table.hand(seat));
                let before = game.table.clone();
                for action in &all {
                    let decided = game.table.decide(seat, *action);
                    assert_eq!(decided.is_ok(), listed.contains(action), "{seat:?} {action:?}");
                    assert_eq!(decided.is_ok(), game.table.check(seat, *action).is_ok());
                }
                assert_eq!(game.table, before, "deciding changes nothing");
                if seat.index() < rules.players() {
                    let view = game.table.view(Viewer::Seat(seat));
                    assert_eq!(view.actions(), listed);
                    let plays = |card: Card| {
                        listed
                            .iter()
                            .any(|a| matches!(a, Action::Play { card: c, .. } if *c == card))
                    };
                    let cards = view.cards();
                    assert!(cards.iter().all(|(card, why)| why.is_none() == plays(*card)));
                    assert_eq!(
                        cards.is_empty(),
                        !listed.iter().any(|a| matches!(a, Action::Play { .. }))
                    );
                }
            }
            steps += 1;
            if steps > 120 || game.step().is_none() {
                break;
            }
        }
    }
}

#[test]
fn replaying_the_events_gives_the_same_table() {
    for mut game in matches() {
        let first = game.table.public().first();
        let mut log = Vec::new();
        while let Some((events, _)) = game.step() {
            log.extend(events);
        }
        let again = Table::replay(*game.table.rules(), first, &log).expect("the log fits");
        assert_eq!(again, game.table);
    }
}

#[test]
fn a_log_with_a_missing_or_repeated_event_is_refused() {
    for mut game in matches().take(100) {
        let (rules, first) = (*game.table.rules(), game.table.public().first());
        let mut log = Vec::new();
        while let Some((events, _)) = game.step() {
            log.extend(events);
        }
        for at in (0..log.len()).step_by(7) {
            let mut without = log.clone();
            without.remove(at);
            // On an honour table a wrong challenge changes nothing later, nor does
            // a card of a deal that is thrown in.
            let fits = Table::replay(rules, first, &without).is_ok();
            assert!(!fits || rules.honour() || at + 1 == log.len(), "without {:?}", log[at]);
            let mut twice = log.clone();
            twice.insert(at, log[at].clone());
            assert!(Table::replay(rules, first, &twice).is_err(), "{:?} twice", log[at]);
        }
    }
}

#[test]
fn views_are_built_from_the_events_that_the_viewer_sees() {
    for mut game in matches() {
        let rules = *game.table.rules();
        let first = game.table.public().first();
        let mut views: Vec<View> =
            viewers(&rules).into_iter().map(|viewer| View::new(rules, first, viewer)).collect();
        while let Some((events, _)) = game.step() {
            for view in &mut views {
                for event in &events {
                    view.apply(&event.seen_by(view.viewer())).expect("the event fits");
                }
                assert_eq!(*view, game.table.view(view.viewer()));
            }
        }
    }
}

#[test]
fn points_and_tricks_add_up() {
    for mut game in matches() {
        let rules = *game.table.rules();
        let mut calls = 0;
        while let Some((events, _)) = game.step() {
            for event in &events {
                match event {
                    Event::Dealt(_) => calls = 0,
                    Event::Open(OpenEvent::Played { call, .. }) => {
                        calls += u32::from(call.unwrap_or(0));
                    }
                    Event::Open(OpenEvent::Scored(score)) => {
                        let points: u32 = score.points.iter().map(|p| u32::from(*p)).sum();
                        match &rules {
                            Rules::Cruce(_) => assert_eq!(points, 120 + calls),
                            Rules::Whist(whist) => {
                                let deal = game.table.public().number() - 1;
                                assert_eq!(Some(points as usize), whist.cards_each(deal));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        assert!(game.table.public().turn().is_none());
    }
}

/// A step of a match: a deal, or an action of a seat.
#[derive(Clone)]
enum Step {
    Deal(Deal),
    Act(Seat, Action),
}

/// Replays the steps and returns what a viewer sees of them; `None` if a step
/// is impossible.
fn seen(
    rules: Rules,
    first: Seat,
    steps: &[Step],
    viewer: Viewer,
) -> Option<(Vec<SeatEvent>, View)> {
    let mut table = Table::new(rules, first);
    let mut stream = Vec::new();
    for step in steps {
        let events = match step {
            Step::Deal(deal) => table.deal(deal.clone()).ok()?,
            Step::Act(seat, action) => table.decide(*seat, *action).ok()?,
        };
        for event in &events {
            table.apply(event).expect("it was decided");
            stream.push(event.seen_by(viewer));
        }
    }
    Some((stream, table.view(viewer)))
}

/// The cards of a deal that a viewer has seen: their own and the open ones.
fn cards_known(table: &Table, dealt: &Deal, viewer: Viewer) -> CardSet {
    let mut known = table.public().cards_seen();
    if let Some(round) = table.public().round() {
        known = round.shown().iter().fold(known, |known, shown| known | *shown);
    }
    if let Viewer::Seat(seat) = viewer {
        known |= table.hand(seat);
        known |= table.view(viewer).drawn().iter().copied().collect();
    }
    known | dealt.turned.map_or(CardSet::EMPTY, CardSet::of)
}

/// The same deal with the unknown cards exchanged among each other.
fn exchanged(deal: &Deal, to: impl Fn(Card) -> Card) -> Deal {
    let set = |set: CardSet| set.iter().map(&to).collect::<CardSet>();
    let sets = |sets: &BySeat<CardSet>| sets.map(set);
    Deal {
        hands: sets(&deal.hands),
        opening: sets(&deal.opening),
        stock: deal.stock.iter().map(|card| to(*card)).collect(),
        turned: deal.turned,
    }
}

#[test]
fn a_viewer_learns_nothing_about_cards_they_may_not_see() {
    let mut other_worlds = 0;
    for mut game in matches().take(120) {
        let rules = *game.table.rules();
        let mut first = game.table.public().first();
        let mut steps: Vec<Step> = Vec::new();
        for _ in 0..60 {
            if game.table.wants_deal() {
                // Every deal is compared separately.
                steps.clear();
                first = game.table.public().first();
            }
            let number = game.table.public().number();
            if number > 0 && matches!(rules, Rules::Whist(_)) {
                break;
            }
            let Some((events, by)) = game.step() else { break };
            match (&events[0], by) {
                (Event::Dealt(deal), _) => steps.push(Step::Deal((**deal).clone())),
                (_, Some((seat, action))) => steps.push(Step::Act(seat, action)),
                _ => unreachable!("a deal or an action"),
            }
            if game.table.is_over() || game.table.wants_deal() || number > 0 {
                continue;
            }
            other_worlds += compare_worlds(&mut game, first, &steps);
        }
    }
    assert!(other_worlds > 5_000, "only {other_worlds} other worlds were found");
}

fn compare_worlds(game: &mut Match, first: Seat, steps: &[Step]) -> usize {
    let rules = *game.table.rules();
    let Step::Deal(deal) = &steps[0] else { unreachable!("the deal comes first") };
    let mut found = 0;
    for viewer in viewers(&rules) {
        let known = cards_known(&game.table, deal, viewer);
        let unknown: Vec<Card> = (rules.pack().cards() - known).iter().collect();
        let mut shuffled = unknown.clone();
        for at in (1..shuffled.len()).rev() {
            shuffled.swap(at, game.rng.below(at + 1));
        }
        let to = |card: Card| match unknown.iter().position(|c| *c == card) {
            Some(at) => shuffled[at],
            None => card,
        };
        let mut other = steps.to_vec();
        other[0] = Step::Deal(exchanged(deal, to));
        let truth = seen(rules, first, steps, viewer).expect("the steps were possible");
        // Skip worlds in which a step is impossible.
        let Some(elsewhere) = seen(rules, first, &other, viewer) else { continue };
        let judged = |events: &[SeatEvent]| {
            events.iter().any(|e| matches!(e, SeatEvent::Open(OpenEvent::Challenged { .. })))
        };
        if judged(&truth.0) && truth != elsewhere {
            continue; // A judgement reveals something to every viewer, by the rules (C15).
        }
        assert_eq!(truth.0, elsewhere.0, "{viewer:?} sees the difference");
        assert_eq!(truth.1.to_string(), elsewhere.1.to_string());
        found += 1;
    }
    found
}

#[test]
fn playing_out_equals_playing_card_by_card() {
    for mut game in matches() {
        for _ in 0..40 {
            game.step();
            let Some(position) = game.table.position() else { continue };
            let Some(play) = position.play() else { continue };
            let (seed, mut by_card) = (game.rng.draw(), *play);
            let pick = |rng: &mut Rng, legal: CardSet| {
                legal.nth(rng.below(legal.len())).expect("a legal card")
            };
            let mut rng = Rng(seed);
            while by_card.turn().is_some() {
                let card = pick(&mut rng, by_card.legal());
                by_card.play(card, by_card.may_call(card));
            }
            let mut rng = Rng(seed);
            let mut at_once = *play;
            match &mut at_once {
                InPlay::Cruce(play) => play.play_out(|legal| pick(&mut rng, legal)),
                InPlay::Whist(play) => play.play_out(|legal| pick(&mut rng, legal)),
            }
            assert_eq!(at_once, by_card, "from {position}");
        }
    }
}

#[test]
fn hostile_events_do_not_panic_and_change_nothing_when_they_do_not_fit() {
    for mut game in matches().take(60) {
        let hostile = hostile_events(game.table.rules());
        loop {
            for happened in &hostile {
                let mut table = game.table.clone();
                let mut view = game.table.view(Viewer::Spectator);
                let _ = view.apply(&SeatEvent::Open(*happened));
                if table.apply(&Event::Open(*happened)).is_err() {
                    assert_eq!(table, game.table, "{happened:?}");
                }
            }
            let cards = game.table.rules().pack().cards();
            let view = game.table.view(Viewer::Seat(Seat::default()));
            for event in [
                SeatEvent::Dealt { hand: Some(cards), turned: None },
                SeatEvent::Completed { rest: Some(cards) },
                SeatEvent::Completed { rest: Some(CardSet::EMPTY) },
            ] {
                assert!(view.clone().apply(&event).is_err(), "{event:?}");
            }
            if game.table.public().number() > 0 || game.step().is_none() {
                break;
            }
        }
    }
}

/// Events with seats that do not exist, tricks that do not exist, and impossible calls.
fn hostile_events(rules: &Rules) -> Vec<OpenEvent> {
    let mut hostile = Vec::new();
    let last = Seat::new(5).expect("a seat");
    for seat in seats(6) {
        hostile.push(OpenEvent::Accepted { seat });
        hostile.push(OpenEvent::Bid { seat, bid: 200 });
        hostile.push(OpenEvent::Took { seat, points: 255 });
        for broken in [None, Some(game::Illegal::NotPlaying)] {
            for trick in [0, 1, 11, 255] {
                hostile.push(OpenEvent::Challenged { by: seat, trick, accused: last, broken });
                hostile.push(OpenEvent::Challenged { by: last, trick, accused: seat, broken });
            }
        }
        for card in rules.pack().cards() {
            hostile.extend([20, 40].map(|points| OpenEvent::Played {
                seat,
                card,
                call: Some(points),
            }));
        }
    }
    hostile
}

#[test]
fn no_seat_can_act_between_the_events_of_an_action() {
    for mut game in matches().take(60) {
        let (rules, first) = (*game.table.rules(), game.table.public().first());
        let mut log: Vec<Event> = Vec::new();
        for _ in 0..100 {
            let Some((events, _)) = game.step() else { break };
            for cut in 1..events.len() {
                let beginning = log.iter().chain(&events[..cut]);
                let table = Table::replay(rules, first, beginning).expect("a beginning fits");
                for seat in seats(rules.players()) {
                    let actions = table.public().actions(seat, table.hand(seat));
                    assert_eq!(actions, [], "after {:?}", events[cut - 1]);
                }
            }
            log.extend(events);
        }
    }
}

#[test]
fn the_deal_is_uniform_over_seats_and_cards() {
    // 4,800 deals: each of 24 cards should come to each of 4 seats 1,200 times
    // (standard deviation 30), and each seat should be drawn first 1,200 times.
    let rules = Rules::from_code("cruce4t").expect("a preset");
    let mut counts = [[0u32; 4]; 64];
    let mut firsts = [0u32; 4];
    for number in 0..4_800 {
        let dealer = Dealer::new(rules, Rng(number).seed());
        firsts[dealer.first_seat().index()] += 1;
        let deal = dealer.deal(0, Seat::default()).expect("a deal");
        for (seat, hand) in deal.hands.entries() {
            hand.iter().for_each(|card| counts[card.index()][seat.index()] += 1);
        }
    }
    let even = |count: u32| (1_200 - 180..=1_200 + 180).contains(&count);
    assert!(firsts.into_iter().all(even), "{firsts:?}");
    for card in rules.pack().cards() {
        let row = counts[card.index()];
        assert!(row.into_iter().all(even), "{card:?} {row:?}");
    }
}
