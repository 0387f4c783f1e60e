//! Plays every lesson through at a real table and compares each step with the learner's view.

use cards::{BySeat, Seat};
use game::deal::Deal;
use game::notation::{parse_all_hands, parse_card};
use game::{Illegal, Table, Viewer, whist};

use super::*;
use phrases::Language;

/// The deal of a lesson with all its actions.
struct Script {
    game: &'static str,
    hands: &'static str,
    turned: Option<&'static str>,
    bids: &'static [u8],
    play: &'static str,
}

const CRUCE_DEAL: Script = Script {
    game: "cruce",
    hands: "A43bX2l9h/9b3lAXaA4h/XbA9l42a3h/2b4l93aX2h",
    turned: None,
    bids: &[0, 1, 2, 0],
    play: "4b! 9b Xb 2b 9l 4l Xl 3l 9h Ah 3h 2h Aa 2a 9a 3b Ab 4h 4a 3a 2l Xa Al Xh",
};

const WHIST_DEAL: Script = Script {
    game: "whist",
    hands: "7cAsAh/KcQd8s/8c9dKs/JcTdJs",
    turned: Some("9h"),
    bids: &[1, 0, 1, 2],
    play: "Kc 8c Jc 7c Qd 9d Td Ah As 8s Ks Js",
};

impl Script {
    fn table(&self, view: &View) -> Table {
        let rules = *view.public().rules();
        let (hands, opening) = parse_all_hands(&rules, self.hands).unwrap();
        let turned = self.turned.map(|card| parse_card(rules.pack(), card).unwrap());
        let deal = Deal { hands, opening, stock: Default::default(), turned };
        let mut table = Table::at_deal(rules, view.public().first(), view.public().number());
        let events = table.deal(deal).unwrap();
        events.iter().for_each(|event| table.apply(event).unwrap());
        table
    }

    fn actions(&self, rules: &Rules) -> Vec<Action> {
        let bids = self.bids.iter().map(|bid| Action::Bid(*bid));
        let plays = self.play.split(' ').map(|text| Action::Play {
            card: parse_card(rules.pack(), text.trim_end_matches('!')).unwrap(),
            call: text.ends_with('!'),
        });
        bids.chain(plays).collect()
    }
}

/// The notation of a view without the results of earlier deals.
fn without_scores(view: &View) -> String {
    let text = view.to_string();
    let is_kept = |field: &&str| !field.starts_with("score=") && !field.starts_with("runs=");
    text.split(' ').filter(is_kept).collect::<Vec<_>>().join(" ")
}

fn learner() -> Seat {
    Seat::default()
}

#[test]
fn every_step_is_a_view_of_the_real_table() {
    for script in [CRUCE_DEAL, WHIST_DEAL] {
        let mut lesson = Lesson::new(script.game).unwrap();
        let mut table = script.table(lesson.view());
        let actions = script.actions(lesson.rules());
        let mut shown = vec![without_scores(&table.view(Viewer::Seat(learner())))];
        for action in &actions {
            let turn = table.public().turn().unwrap();
            let events = table.decide(turn, *action).unwrap();
            events.iter().for_each(|event| table.apply(event).unwrap());
            shown.push(without_scores(&table.view(Viewer::Seat(learner()))));
        }
        let mut from = 0;
        for at in 0..lesson.steps() {
            lesson.go(at);
            let text = without_scores(lesson.view());
            let found = shown[from..].iter().position(|other| *other == text);
            from += found.unwrap_or_else(|| panic!("{} {}: {text}", script.game, at + 1));
            // The task expects the next action of the script.
            if matches!(lesson.task(), LessonTask::Bid(_) | LessonTask::Play(_)) {
                assert_eq!(lesson.action(), Some(actions[from]), "{} {}", script.game, at + 1);
            }
        }
        assert_eq!(from, actions.len(), "{} is not played to its end", script.game);
        if let Rules::Cruce(_) = lesson.rules() {
            assert_eq!(lesson.view().public().score(), table.public().score());
        }
    }
}

/// The real table has no earlier deals, so the test computes the prize.
#[test]
fn the_last_step_of_whist_has_the_resulting_score() {
    let mut lesson = Lesson::new("whist").unwrap();
    lesson.go(7);
    let before = lesson.view().public().clone();
    lesson.go(8);
    let after = lesson.view().public();
    let Rules::Whist(rules) = before.rules() else { panic!() };
    let bids = BySeat::from_padded([2, 1, 0, 1, 0, 0], 4);
    let taken = BySeat::from_padded([2, 1, 0, 0, 0, 0], 4);
    let score = whist::score(rules, 3, &bids, &taken, before.runs());
    assert_eq!(after.runs(), &score.runs);
    for (side, total) in after.score().entries() {
        let change = i32::from(score.change[side]) + i32::from(score.prize[side]);
        assert_eq!(*total, before.score()[side] + change, "{side:?}");
    }
}

#[test]
fn forbidden_actions_are_refused_for_the_expected_reasons() {
    let reasons = |game: &str| -> Vec<(usize, Illegal)> {
        let mut lesson = Lesson::new(game).unwrap();
        let mut reasons = Vec::new();
        for at in 0..lesson.steps() {
            lesson.go(at);
            match lesson.task() {
                LessonTask::TryBid(_) | LessonTask::TryCard(_) => {
                    reasons.push((at + 1, lesson.why().unwrap()))
                }
                _ => assert_eq!(lesson.why(), None, "{game} {}", at + 1),
            }
        }
        reasons
    };
    let cruce = reasons("cruce");
    assert!(
        matches!(
            cruce[..],
            [
                (2, Illegal::BidTooLow { highest: 1 }),
                (6, Illegal::MustFollow { .. }),
                (7, Illegal::MustBeat { .. })
            ]
        ),
        "{cruce:?}"
    );
    let whist = reasons("whist");
    assert!(
        matches!(
            whist[..],
            [
                (2, Illegal::SumForbidden { .. }),
                (4, Illegal::MustFollow { .. }),
                (6, Illegal::MustTrump { .. })
            ]
        ),
        "{whist:?}"
    );
}

/// A learner who does every task reaches the end.
#[test]
fn a_lesson_can_be_completed() {
    for game in ["cruce", "whist"] {
        let mut lesson = Lesson::new(game).unwrap();
        for at in 0..lesson.steps() - 1 {
            assert_eq!(lesson.at(), at);
            match lesson.task() {
                LessonTask::Read => {}
                LessonTask::TryBid(_) | LessonTask::TryCard(_) => {
                    assert!(!lesson.is_done());
                    lesson.refused();
                    assert!(lesson.is_done() && lesson.wanted().is_none());
                }
                LessonTask::Bid(_) | LessonTask::Play(_) => {
                    let before = lesson.clone();
                    lesson.refused();
                    for other in lesson.view().actions() {
                        let is_expected = before.action() == Some(other);
                        assert_eq!(before.clone().act(other), is_expected, "{game} {at} {other:?}");
                    }
                    assert_eq!(lesson, before);
                    assert!(lesson.act(before.action().unwrap()));
                    continue;
                }
            }
            lesson.go(at + 1);
        }
        assert!(lesson.is_last() && lesson.is_done());
        // There is no further step.
        lesson.go(lesson.steps());
        assert!(lesson.is_last());
    }
    assert_eq!(Lesson::new("bridge"), None);
}

/// Every step has its own text in both languages, and a prompt unless it is a step to read.
#[test]
fn every_step_has_its_own_text() {
    for language in Language::ALL {
        let phrases = Phrases::new(language);
        for game in ["cruce", "whist"] {
            let mut lesson = Lesson::new(game).unwrap();
            let mut texts = Vec::new();
            for at in 0..lesson.steps() {
                lesson.go(at);
                texts.push(lesson.words(&phrases));
                let scene = lesson.scene(Direction::Clockwise, &phrases);
                assert_eq!(scene.prompt == ScenePrompt::Nothing, lesson.task() == LessonTask::Read);
                if let Some(card) = lesson.wanted() {
                    let held = scene.hand.iter().find(|held| held.card == card).unwrap();
                    let is_forbidden = matches!(lesson.task(), LessonTask::TryCard(_));
                    assert_eq!(held.why.is_some(), is_forbidden, "{game} {at}");
                    // The text names the card.
                    let name = phrases.the_card(scene.rules.pack(), card);
                    assert!(texts[at].contains(&name), "{name}: {}", texts[at]);
                }
            }
            texts.sort();
            texts.dedup();
            assert_eq!(texts.len(), lesson.steps());
        }
    }
}
