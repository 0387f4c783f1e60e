//! When things happen: bots take their time, and nothing hurries the person.

use std::cell::Cell;

use bots::Level;
use practice::Due;
use room::Timings;
use wire::table::{Pace, TableCommand, TableStage};

use crate::evening::{Evening, plan};

/// Steps until a bot has been thought for, and says when it will act.
fn thought(evening: &mut Evening) -> u64 {
    loop {
        if evening.idea().is_none() && evening.practice.due() == Some(Due::Think) {
            evening.practice.think(|| true);
            match evening.practice.due() {
                Some(Due::Wake { at }) => return at,
                due => panic!("{due:?} after a thought"),
            }
        }
        assert!(evening.step());
    }
}

#[test]
fn a_bot_takes_the_same_time_for_everything() {
    for takes in [1, 500, 900] {
        let mut plan = plan("cruce4t-2", &[Level::Easy, Level::Medium]);
        plan.tempo = Timings { bot_takes: takes, ..practice::tempo() };
        let mut evening = Evening::new(&plan, 30);
        for _ in 0..20 {
            let (before, version) = (evening.now, evening.state().version);
            let at = thought(&mut evening);
            assert!(at <= evening.now.max(before) + takes);
            if at > evening.now {
                let sent = evening.practice.wake(at - 1);
                assert!(sent.is_empty(), "a bot was early: {sent:?}");
            }
            evening.now = at;
            assert!(evening.step());
            assert!(evening.state().version > version);
        }
    }
}

#[test]
fn the_score_stands_until_it_was_read() {
    let mut evening = Evening::new(&plan("whist3", &[Level::Easy]), 31);
    while evening.idea() != Some(TableCommand::Ready) {
        assert!(evening.step());
    }
    assert_eq!(evening.practice.due(), None);
    evening.now += 86_400_000;
    assert!(evening.practice.wake(evening.now).is_empty(), "a day later it still stands");
    assert_eq!(evening.state().clock, None);
    evening.command(TableCommand::Ready);
    evening.check();
    assert_ne!(evening.idea(), Some(TableCommand::Ready));
}

#[test]
fn a_pause_of_one_is_a_pause_of_all() {
    let mut evening = Evening::new(&plan("cruce3-2", &[Level::Medium]), 32);
    let at = thought(&mut evening);
    evening.command(TableCommand::Pause);
    assert!(evening.state().paused);
    let version = evening.state().version;
    // What was thought before is not said now.
    evening.now = at + 60_000;
    let sent = evening.practice.wake(evening.now);
    assert!(sent.is_empty(), "{sent:?}");
    assert_eq!(evening.practice.due(), None);
    evening.command(TableCommand::Resume);
    assert!(!evening.state().paused);
    assert_eq!(evening.practice.due(), Some(Due::Think), "the bot is asked anew");
    evening.play();
    assert!(evening.state().version > version);
    assert_eq!(evening.state().stage, TableStage::Over);
}

#[test]
fn nothing_happens_while_the_person_is_away() {
    let mut evening = Evening::new(&plan("cruce4t-2", &[Level::Easy]), 33);
    let at = thought(&mut evening);
    evening.practice.part(evening.now);
    assert_eq!(evening.practice.due(), None);
    assert!(evening.practice.wake(at + 1_000_000).is_empty());
    evening.now = at + 1_000_000;
    evening.greet();
    evening.play();
    assert_eq!(evening.state().stage, TableStage::Over);
    assert!(evening.records[0].verify().is_ok());
}

#[test]
fn whoever_wants_a_clock_has_one() {
    let mut plan = plan("cruce2-2", &[Level::Easy]);
    plan.begins = false;
    let mut evening = Evening::new(&plan, 34);
    evening.command(TableCommand::Pace(Pace::Fast));
    evening.command(TableCommand::Start);
    // He does nothing: a bot stands in, and the match goes on without him.
    while evening.state().stage == TableStage::Playing {
        match evening.practice.due().expect("a clock runs") {
            Due::Think => evening.practice.think(|| true),
            Due::Wake { at } => {
                evening.now = at;
                evening.wake();
            }
        }
        evening.check();
    }
    assert!(evening.journal.iter().any(|line| line.contains("stood_in")));
}

#[test]
fn whoever_thinks_asks_whether_it_may_go_on() {
    let mut evening = Evening::new(&plan("cruce4t-3", &[Level::Hard]), 35);
    let asked = Cell::new(0);
    while asked.get() == 0 {
        if evening.idea().is_none() && evening.practice.due() == Some(Due::Think) {
            evening.practice.think(|| {
                asked.set(asked.get() + 1);
                asked.get() < 3
            });
        }
        assert!(evening.step(), "nobody had to think");
    }
    assert!(asked.get() >= 3, "it goes on until it may not");
    evening.patient = false;
    evening.play();
}
