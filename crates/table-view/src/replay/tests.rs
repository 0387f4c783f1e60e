//! Replays of both games, from every seat and at every step.

use super::*;
use game::deal::Dealer;
use game::fair::Secret;
use game::record::RecordedMove;
use game::{Action, SeatEvent, View};
use phrases::language::Language;

/// A random match with all its events.
fn played(code: &str, deals: usize) -> (Record, Vec<Event>) {
    let rules = Rules::from_code(code).unwrap();
    let (secret, table) = (Secret::from_phrase(code), "kitchen".parse().unwrap());
    let mut words = BySeat::filled(None, rules.players());
    words[Seat::default()] = Some("plum".parse().unwrap());
    let dealer = Dealer::new(rules, secret.seed(&table, &rules, &words));
    let mut record = Record::new(rules, table, secret.commit(&table, &rules), words);
    record.secret = Some(secret);
    record.names[0] = Some("Ana".parse().unwrap());
    record.names[1] = Some("medium".parse().unwrap());
    let mut table = Table::new(rules, dealer.first_seat());
    let mut all = Vec::new();
    let mut random: u64 = 7;
    while !table.is_over() {
        let (number, first) = (table.public().number(), table.public().first());
        let events = if table.wants_deal() {
            if number == deals {
                break;
            }
            table.deal(dealer.deal(number, first).unwrap()).unwrap()
        } else {
            let mut choices = Vec::new();
            for seat in Seat::first(rules.players()) {
                let actions = table.public().actions(seat, table.hand(seat));
                choices.extend(actions.into_iter().map(|action| (seat, action)));
            }
            choices.retain(|(_, action)| !matches!(action, Action::Bid(3..)));
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let (seat, action) = choices[(random >> 33) as usize % choices.len()];
            table.decide(seat, action).unwrap()
        };
        for event in events {
            table.apply(&event).unwrap();
            record.record_event(&event, table.public()).unwrap();
            all.push(event);
        }
    }
    (record, all)
}

const CODES: [&str; 7] = [
    "cruce2-3-m1",
    "cruce3-3-on3-auto",
    "cruce4t-4",
    "cruce4s-3-redeal",
    "cruce4t-3-honour",
    "whist3",
    "whist6",
];

fn english() -> Phrases {
    Phrases::new(Language::English)
}

fn viewers(rules: &Rules) -> impl Iterator<Item = Viewer> {
    Seat::first(rules.players()).map(Viewer::Seat).chain([Viewer::Spectator])
}

/// At every step, the view of every seat equals the one built from the events that it received, and
/// the hands are those of the table.
#[test]
fn every_step_equals_the_views_of_the_match() {
    for code in CODES {
        let (record, events) = played(code, 12);
        let replay = Replay::new(&record).unwrap();
        assert_eq!(replay.events, events, "{code}");
        let first = record.deals[0].first;
        let mut views: Vec<View> =
            viewers(&record.rules).map(|viewer| View::new(record.rules, first, viewer)).collect();
        let mut expected = Table::new(record.rules, first);
        let mut applied = 0;
        for step in 0..=replay.last() {
            for event in &events[applied..replay.steps[step].events] {
                expected.apply(event).unwrap();
                for view in &mut views {
                    view.apply(&event.seen_by(view.viewer())).unwrap();
                }
            }
            applied = replay.steps[step].events;
            let table = replay.at(step);
            assert_eq!(table, expected, "{code} {}", replay.moment(step));
            for view in &views {
                assert_eq!(table.view(view.viewer()), *view, "{code} {}", replay.moment(step));
            }
        }
        assert_eq!(applied, events.len(), "{code}: every event is part of a step");
    }
}

#[test]
fn a_scene_is_that_of_the_seat_or_has_all_hands_open() {
    let phrases = english();
    for code in CODES {
        let (record, _) = played(code, 3);
        let replay = Replay::new(&record).unwrap();
        let names = replay.names(&phrases);
        for step in 0..=replay.last() {
            let table = replay.at(step);
            let seat = Seat::new(1).unwrap();
            let mut seen = replay.scene(step, Some(seat), Direction::Clockwise, &phrases);
            let view = table.view(Viewer::Seat(seat));
            let live = TableScene::new(&view, &names, Direction::Clockwise, &phrases);
            // After the end of a deal only its title differs.
            if replay.moment(step).part == DealMoment::End {
                seen.deal.clone_from(&live.deal);
            }
            // The seat's own cards are open, and the forbidden ones are marked.
            let own = &mut seen.places[0];
            let hand = own.hand.iter().copied().fold(CardSet::EMPTY, CardSet::with);
            assert_eq!(hand, table.hand(seat));
            let lawful = if own.turn { table.public().lawful_cards(hand) } else { hand };
            let forbidden =
                if table.public().round().is_some() { hand - lawful } else { CardSet::EMPTY };
            assert_eq!(own.forbidden, forbidden, "{code} {}", replay.moment(step));
            (own.hand, own.forbidden) = (Vec::new(), CardSet::EMPTY);
            own.label.clone_from(&live.places[0].label);
            assert_eq!(seen, live);
            assert!(seen.places.iter().all(|place| place.hand.is_empty()));
            let open = replay.scene(step, None, Direction::Clockwise, &phrases);
            for place in &open.places {
                let hand = place.hand.iter().copied().fold(CardSet::EMPTY, CardSet::with);
                assert_eq!(hand, table.hand(place.seat));
                assert_eq!(hand.len(), place.cards, "{code} {}", replay.moment(step));
            }
            assert_eq!(open.hand, [], "a spectator has no hand");
            let part = replay.moment(step).part;
            let is_complete = matches!(part, DealMoment::Card { card, .. } if card == names.len());
            let turns = open.places.iter().filter(|place| place.turn).count();
            let has_turn = table.public().turn().is_some() && !is_complete;
            assert_eq!(turns, usize::from(has_turn), "{code} {}", replay.moment(step));
        }
    }
}

#[test]
fn moments_lead_back_to_their_steps() {
    for code in CODES {
        let (record, _) = played(code, 12);
        let replay = Replay::new(&record).unwrap();
        for step in 0..=replay.last() {
            let link = replay.moment(step).to_string();
            assert_eq!(Moment::parse(&link), Some(replay.moment(step)), "{code} {link}");
            assert_eq!(replay.find(&link), step, "{code} {link}");
        }
    }
}

#[test]
fn links_are_read_leniently() {
    let (record, _) = played("cruce4t-4", 12);
    let replay = Replay::new(&record).unwrap();
    let moment_of = |link: &str| replay.moment(replay.find(link)).to_string();
    for (link, moment) in [
        ("d2t2c1", "d2t2c1"),
        (" #D2 T2 C1", "d2t2c1"),
        ("d2.t2", "d2t2"),
        ("D2%20T2", "d2t2"),
        ("d2b", "d2b1"),
        ("d2b3t1", "d2t1"),
        ("d2c2", "d2t1c2"),
        ("2", "d2"),
        ("d0", "d1"),
        ("d1t99c1", "d1t6"),
        ("d1t2c99", "d1t2c4"),
        ("d1b99", "d1b4"),
        ("d2e", "d2e"),
        ("", "d1"),
        ("credit", "d1"),
        ("hello", "d1"),
        ("d99999999999999999999999t1", &replay.moment(replay.last()).to_string()),
    ] {
        assert_eq!(moment_of(link), moment, "{link}");
    }
    assert_eq!(Moment::parse("weather"), None);
}

#[test]
fn strides_stop_at_tricks_and_deals() {
    for code in CODES {
        let (record, _) = played(code, 12);
        let replay = Replay::new(&record).unwrap();
        for stride in [Stride::Step, Stride::Trick, Stride::Deal, Stride::Match] {
            let (mut step, mut forward) = (0, vec![0]);
            while step < replay.last() {
                let next = replay.stride(step, stride, true);
                assert!(next > step, "{code} {stride:?}");
                forward.push(next);
                step = next;
            }
            // Jumps back stop at the same steps as jumps forward.
            let mut back = vec![step];
            while step > 0 {
                step = replay.stride(step, stride, false);
                back.push(step);
            }
            back.reverse();
            assert_eq!(back, forward, "{code} {stride:?}");
        }
        for (at, deal) in replay.deals().iter().enumerate() {
            assert_eq!(replay.moment(deal.start).to_string(), format!("d{}", at + 1));
            for (number, step) in deal.tricks.iter().enumerate() {
                let first = DealMoment::Card { trick: number + 1, card: 1 };
                assert_eq!(replay.moment(*step).part, first);
            }
        }
        let deals = replay.deals();
        assert_eq!(deals.len(), record.deals.len());
        let tricks = deals.iter().map(|deal| deal.tricks.len()).sum::<usize>();
        let leads = replay.steps.iter();
        let leads =
            leads.filter(|s| matches!(s.moment.part, DealMoment::Card { card: 1, .. })).count();
        assert_eq!(tricks, leads);
    }
}

/// This includes challenges and acceptances at honour tables.
#[test]
fn every_step_has_a_sentence() {
    for language in Language::ALL {
        let phrases = Phrases::new(language);
        for code in CODES {
            let (record, _) = played(code, 4);
            let replay = Replay::new(&record).unwrap();
            for step in 0..=replay.last() {
                for seat in [None, Some(Seat::default())] {
                    let sentence = replay.sentence(step, seat, &phrases);
                    assert!(
                        sentence.ends_with(['.', '!', ')']),
                        "{code} {}: {sentence}",
                        replay.moment(step)
                    );
                }
            }
        }
    }
}

#[test]
fn the_sentences_of_a_match_depend_on_the_seat() {
    let (record, _) = played("cruce2-3-m1", 12);
    let replay = Replay::new(&record).unwrap();
    let phrases = english();
    assert_eq!(replay.names(&phrases), ["Ana", "Beech"], "a bot has its name of the table");
    let sentence = |link: &str, seat: Option<usize>| {
        let seat = seat.and_then(Seat::new);
        replay.sentence(replay.find(link), seat, &phrases)
    };
    assert_eq!(sentence("d1", None), "The cards are dealt.");
    assert!(sentence("d1", Some(0)).starts_with("The cards are dealt. You hold "));
    // With all hands open, the drawn cards are named, too.
    let [open, seen] = [None, Some(0)].map(|seat| sentence("d1t1", seat));
    assert!(open.contains("takes the trick") && open.matches(" draws the ").count() == 2, "{open}");
    assert!(seen.contains("You draw the ") && seen.contains("Beech draws."), "{seen}");
    let last = replay.sentence(replay.last(), None, &phrases);
    assert!(last.contains("won the match"), "{last}");
}

#[test]
fn a_correct_record_is_verified() {
    let phrases = english();
    let (record, _) = played("cruce4t-4", 100);
    let names = Replay::new(&record).unwrap().names(&phrases);
    let verdict = Verdict::of(&record, &names, &phrases);
    assert!(verdict.right, "{verdict:?}");
    assert_eq!(verdict.lines.len(), 4);
    assert!(verdict.lines[0].contains(&record.commitment.to_string()));
    assert!(verdict.lines[1].ends_with("foresee: Ana."), "{:?}", verdict.lines);
}

#[test]
fn a_forged_record_is_reported_and_shown_up_to_the_fault() {
    let phrases = english();
    let (record, _) = played("cruce4t-4", 100);
    let verdict = |record: &Record| {
        let verdict = Verdict::of(record, &[], &phrases);
        assert!(!verdict.right);
        verdict.lines.concat()
    };
    let mut other = record.clone();
    other.secret = Some(Secret::from_phrase("another"));
    assert!(verdict(&other).starts_with("The secret is not the one"));
    let mut other = record.clone();
    other.secret = None;
    assert!(verdict(&other).starts_with("The secret was not revealed"));
    // A card that was not in the hand.
    let mut other = record.clone();
    let moves = &mut other.deals[1].moves;
    let RecordedMove::Play { card, .. } = moves[3] else { panic!("no honour table") };
    moves[2] = RecordedMove::Play { card, call: false };
    assert!(verdict(&other).starts_with("Deal 2, action 7: this was against the rules."));
    let replay = Replay::new(&other).unwrap();
    assert_eq!(replay.moment(replay.last()).to_string(), "d2t1c2");
    // Different cards: the match can be shown, although they were not dealt.
    let mut other = record.clone();
    other.words[Seat::default()] = None;
    let all = Replay::new(&record).unwrap().last();
    assert!(
        verdict(&other).contains("begins, not seat") || verdict(&other).contains("not the cards")
    );
    assert_eq!(Replay::new(&other).unwrap().last(), all);
    other.deals.clear();
    assert!(Replay::new(&other).is_none());
}

/// A replay shows a seat only what the seat saw at the table.
#[test]
fn the_sentences_of_a_seat_do_not_name_the_cards_of_others() {
    let (record, events) = played("cruce2-3-m1", 12);
    let seat = Seat::default();
    let replay = Replay::new(&record).unwrap();
    let phrases = english();
    for event in events {
        if let (Event::Drew { seat: who, card }, SeatEvent::Drew { card: seen, .. }) =
            (&event, event.seen_by(Viewer::Seat(seat)))
        {
            assert_eq!(seen, (*who == seat).then_some(*card));
        }
    }
    let mut sentences = (0..=replay.last()).map(|step| replay.sentence(step, Some(seat), &phrases));
    assert!(!sentences.any(|sentence| sentence.contains("Beech draws the")));
}

#[test]
fn the_score_sheet_has_the_finished_deals() {
    let phrases = english();
    let (record, _) = played("cruce4t-4", 3);
    let replay = Replay::new(&record).unwrap();
    for step in 0..=replay.last() {
        let Moment { deal, part } = replay.moment(step);
        let finished = if part == DealMoment::End { deal } else { deal - 1 };
        let scores = replay.scores(step, &phrases);
        assert_eq!(scores.rows.len(), finished, "{}", replay.moment(step));
        let totals: Vec<i32> = scores
            .rows
            .last()
            .map_or(vec![0, 0], |row| row.cells.iter().map(|c| c.total).collect());
        assert_eq!(totals, replay.at(step).public().score().as_slice(), "{}", replay.moment(step));
    }
}
