//! The journal of a match, and how the match is resumed from it.

use bots::Level;
use game::deal::{RandomStream, Seed};
use practice::{JournalUpdate, MAX_ENTRIES, Practice, UnusableJournal};
use replica::Replica;
use replica::table::TableReplica;
use wire::table::{ClientMessage, RefusalReason, ServerMessage, TableCommand, TableStage};

use crate::session::{START, Session, entropy, plan, without_times};

fn read(lines: &[String]) -> Result<Practice, UnusableJournal> {
    Practice::resume(lines.iter().map(String::as_str), practice::timings(), START)
}

#[test]
fn a_resumed_match_equals_an_uninterrupted_one() {
    for (number, code) in (0..).zip(["cruce2-11", "cruce4t-3", "whist4"]) {
        let plan = plan(code, &[Level::Easy, Level::Medium]);
        let mut whole = Session::new(&plan, number);
        whole.matches = 2;
        whole.play();
        let mut broken = Session::new(&plan, number);
        broken.matches = 2;
        let mut lots = RandomStream::new(Seed(entropy(number)), 0);
        let mut times = 0;
        while broken.step() {
            if lots.below(25) == 0 {
                broken.resume();
                times += 1;
            }
        }
        assert!(times > 5, "{code} was interrupted {times} times");
        assert_eq!(without_times(&broken.journal), without_times(&whole.journal), "{code}");
        assert_eq!(broken.records, whole.records);
        assert_eq!(broken.state().next, whole.state().next, "the next commitment");
    }
}

#[test]
fn a_new_page_resumes_the_match() {
    let mut session = Session::new(&plan("cruce4t-3", &[Level::Easy]), 7);
    for page in 0..40 {
        (0..15).for_each(|_| _ = session.step());
        session.replica = TableReplica::new(&format!("page{page}-"));
        session.resume();
    }
    session.play();
    assert_eq!(session.state().stage, TableStage::Over);
    assert!(session.records[0].verify().expect("true").finished);
}

#[test]
fn a_journal_holds_one_match() {
    let mut session = Session::new(&plan("cruce2-2", &[Level::Easy]), 8);
    assert_eq!(session.journal_starts, 1);
    session.matches = 2;
    session.play();
    assert_eq!(session.journal_starts, 2);
    let started = |line: &&String| line.contains(r#""did":"started""#);
    assert_eq!(session.journal.iter().filter(started).count(), 1);
    assert!(started(&&session.journal[1]));
    assert_eq!(
        session.practice.take_journal_update(),
        JournalUpdate::default(),
        "the update is taken once"
    );
}

#[test]
fn an_incomplete_last_line_is_left_out() {
    let mut session = Session::new(&plan("whist3", &[Level::Easy]), 9);
    (0..60).for_each(|_| assert!(session.step()));
    let whole = session.journal.clone();
    for cut in 1..whole.last().expect("a line").len() {
        let mut cut_journal = whole.clone();
        cut_journal.last_mut().expect("a line").truncate(cut);
        let mut practice = read(&cut_journal).expect("the rest is whole");
        let update = practice.take_journal_update();
        assert_eq!(
            update,
            JournalUpdate { replaces: true, lines: whole[..whole.len() - 1].to_vec() }
        );
        assert_eq!(practice.snapshot().version + 1, session.state().version);
    }
    // The resumed match can be played to its end.
    let end = whole.len() - 1;
    session.journal.truncate(end);
    session.replica.forget();
    session.resume();
    assert_eq!(session.journal.len(), end);
    session.play();
    assert!(session.records[0].verify().expect("true").finished);
}

#[test]
fn a_last_line_that_does_not_fit_changes_nothing() {
    let mut session = Session::new(&plan("whist3", &[Level::Easy]), 9);
    (0..60).for_each(|_| assert!(session.step()));
    let whole = session.journal.clone();
    let expected = read(&whole).expect("a journal").snapshot();
    let host = whole.iter().find_map(|line| line.split_once("\"host\":")).expect("a host").1;
    let host: u64 = host.split([',', '}']).next().expect("a number").parse().expect("a player");
    let mut last = whole.last().expect("a line").splitn(3, ' ');
    let mut counted = || last.next().expect("a number").parse::<u64>().expect("a number");
    let (number, at) = (counted(), counted());
    // The player leaves their seat for one that the table does not have.
    let body = format!(r#"{{"did":"sat","seat":6,"player":{host},"name":"Ana"}}"#);
    let broken = [whole, vec![format!("{} {at} {body}", number + 1)]].concat();
    assert_eq!(read(&broken).expect("the rest is whole").snapshot(), expected);
}

#[test]
fn an_unusable_journal_names_the_line() {
    let mut session = Session::new(&plan("whist3", &[Level::Easy]), 10);
    (0..60).for_each(|_| assert!(session.step()));
    let whole = session.journal.clone();
    let fault = |lines: &[String]| match read(lines) {
        Ok(_) => panic!("it was read: {lines:?}"),
        Err(unusable) => unusable.line,
    };
    assert_eq!(fault(&[]), 1);
    assert_eq!(fault(&whole[..1]), 2);
    assert_eq!(fault(&whole[1..]), 1);
    let changed = |at: usize, line: &str| {
        let mut lines = whole.clone();
        lines[at] = line.into();
        lines
    };
    for heading in ["", "ghinda practice 2 0000000000 00", "ghinda practice 1 0000000000"] {
        assert_eq!(fault(&changed(0, heading)), if heading.is_empty() { 2 } else { 1 });
    }
    for line in ["?", "7 8 {}", "7 x {\"did\":\"dealt\"}", "99999999999999999999 1 {}"] {
        assert_eq!(fault(&changed(5, line)), 6, "{line}");
    }
    let mut missing = whole.clone();
    missing.remove(5);
    assert_eq!(fault(&missing), 6);
    let mut doubled = whole.clone();
    doubled.insert(5, whole[5].clone());
    assert_eq!(fault(&doubled), 7);
    // The lines before the fault form a journal.
    assert!(read(&whole[..5]).is_ok());
}

#[test]
fn no_journal_causes_a_panic() {
    let mut session = Session::new(&plan("cruce3-2", &[Level::Easy]), 11);
    session.play();
    let whole = session.journal.clone();
    let mut lots = RandomStream::new(Seed([5; 32]), 0);
    for _ in 0..2_000 {
        let mut lines = whole.clone();
        for _ in 0..=lots.below(3) {
            let at = lots.below(lines.len());
            let mut bytes = std::mem::take(&mut lines[at]).into_bytes();
            if !bytes.is_empty() {
                let place = lots.below(bytes.len());
                bytes[place] = b"0123456789{}[]\",:abz -"[lots.below(22)];
            }
            lines[at] = String::from_utf8_lossy(&bytes).into_owned();
        }
        if let Ok(mut practice) = read(&lines) {
            // Whatever was accepted can be played on.
            let hello = ClientMessage::Hello { ghinda: wire::table::VERSION, since: None };
            practice.receive(START, &hello.text());
            practice.think(|| true);
            practice.wake(START + 10_000);
        }
    }
}

#[test]
fn a_full_journal_refuses_entries_until_a_match_begins() {
    let mut session = Session::new(&plan("cruce2-2", &[Level::Easy]), 12);
    session.play();
    let mut last = String::new();
    for number in 0..MAX_ENTRIES {
        // Slowly enough for the limit of commands.
        session.now += 250;
        let what = TableCommand::Rename { name: format!("Ana {number}") };
        let text = ClientMessage::Do { id: format!("n{number}"), what }.text();
        last = session.practice.receive(session.now, &text).last().expect("an answer").to_string();
        session.journal.extend(session.practice.take_journal_update().lines);
    }
    let ServerMessage::Refused { refusal, .. } = ServerMessage::read(&last).expect("a message")
    else {
        panic!("{last}")
    };
    assert_eq!(refusal.reason, RefusalReason::Unavailable);
    assert_eq!(session.journal.len(), 1 + MAX_ENTRIES);
    assert!(read(&session.journal).is_ok(), "what was written can be read");
    session.replica = TableReplica::new("b");
    session.connect();
    session.now += 5_000;
    session.command(TableCommand::Start);
    assert_eq!(session.state().stage, TableStage::Playing);
    assert_eq!(session.journal.len(), 3, "a heading, the start and the first deal");
}
