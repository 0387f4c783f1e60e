//! Timings: bots take their time, and nothing hurries the player.

use std::cell::Cell;

use bots::Level;
use practice::Due;
use room::Timings;
use wire::table::{Pace, TableCommand, TableStage};

use crate::session::{Session, plan};

/// Steps until a bot has decided, and returns when it will act.
fn next_bot_action(session: &mut Session) -> u64 {
    loop {
        if session.next_command().is_none() && session.practice.due() == Some(Due::Think) {
            session.practice.think(|| true);
            match session.practice.due() {
                Some(Due::Wake { at }) => return at,
                due => panic!("{due:?} after a decision"),
            }
        }
        assert!(session.step());
    }
}

#[test]
fn a_bot_takes_the_same_time_for_every_action() {
    for takes in [1, 500, 900] {
        let mut plan = plan("cruce4t-2", &[Level::Easy, Level::Medium]);
        plan.timings = Timings { bot_delay: takes, ..practice::timings() };
        let mut session = Session::new(&plan, 30);
        for _ in 0..20 {
            let (before, version) = (session.now, session.state().version);
            let at = next_bot_action(&mut session);
            assert!(at <= session.now.max(before) + takes);
            if at > session.now {
                let sent = session.practice.wake(at - 1);
                assert!(sent.is_empty(), "a bot was early: {sent:?}");
            }
            session.now = at;
            assert!(session.step());
            assert!(session.state().version > version);
        }
    }
}

#[test]
fn the_score_stays_until_the_player_continues() {
    let mut session = Session::new(&plan("whist3", &[Level::Easy]), 31);
    while session.next_command() != Some(TableCommand::Ready) {
        assert!(session.step());
    }
    assert_eq!(session.practice.due(), None);
    session.now += 86_400_000;
    assert!(session.practice.wake(session.now).is_empty(), "the score still stands a day later");
    assert_eq!(session.state().clock, None);
    session.command(TableCommand::Ready);
    session.check();
    assert_ne!(session.next_command(), Some(TableCommand::Ready));
}

#[test]
fn a_pause_of_the_only_player_pauses_the_table() {
    let mut session = Session::new(&plan("cruce3-2", &[Level::Medium]), 32);
    let at = next_bot_action(&mut session);
    session.command(TableCommand::AskForPause);
    assert!(session.state().paused);
    let version = session.state().version;
    // A decision from before the pause is not used.
    session.now = at + 60_000;
    let sent = session.practice.wake(session.now);
    assert!(sent.is_empty(), "{sent:?}");
    assert_eq!(session.practice.due(), None);
    session.command(TableCommand::Resume);
    assert!(!session.state().paused);
    assert_eq!(session.practice.due(), Some(Due::Think), "the bot is asked again");
    session.play();
    assert!(session.state().version > version);
    assert_eq!(session.state().stage, TableStage::Over);
}

#[test]
fn nothing_happens_while_the_player_is_away() {
    let mut session = Session::new(&plan("cruce4t-2", &[Level::Easy]), 33);
    let at = next_bot_action(&mut session);
    session.practice.disconnect(session.now);
    assert_eq!(session.practice.due(), None);
    assert!(session.practice.wake(at + 1_000_000).is_empty());
    session.now = at + 1_000_000;
    session.connect();
    session.play();
    assert_eq!(session.state().stage, TableStage::Over);
    assert!(session.records[0].verify().is_ok());
}

#[test]
fn a_clock_can_be_chosen() {
    let mut plan = plan("cruce2-2", &[Level::Easy]);
    plan.begins = false;
    let mut session = Session::new(&plan, 34);
    session.command(TableCommand::Pace(Pace::Fast));
    session.command(TableCommand::Start);
    // The player does nothing: a bot stands in, and the match goes on.
    while session.state().stage == TableStage::Playing {
        match session.practice.due().expect("a clock runs") {
            Due::Think => session.practice.think(|| true),
            Due::Wake { at } => {
                session.now = at;
                session.wake();
            }
        }
        session.check();
    }
    assert!(session.journal.iter().any(|line| line.contains("stood_in")));
}

#[test]
fn thinking_stops_when_it_may_not_go_on() {
    let mut session = Session::new(&plan("cruce4t-3", &[Level::Hard]), 35);
    let asked = Cell::new(0);
    while asked.get() == 0 {
        if session.next_command().is_none() && session.practice.due() == Some(Due::Think) {
            session.practice.think(|| {
                asked.set(asked.get() + 1);
                asked.get() < 3
            });
        }
        assert!(session.step(), "no bot had to think");
    }
    assert!(asked.get() >= 3, "it stops when it may not go on");
    session.bots_may_think = false;
    session.play();
}
