//! What is kept of a match, and how it goes on from there.

use bots::Level;
use game::deal::{Lots, Seed};
use practice::{JournalUpdate, MAX_ENTRIES, Practice, UnusableJournal};
use replica::table::TableReplica;
use wire::table::{ClientMessage, RefusalReason, ServerMessage, TableCommand, TableStage};

use crate::evening::{EVENING, Evening, entropy, plan, timeless};

fn read(lines: &[String]) -> Result<Practice, UnusableJournal> {
    Practice::resume(lines.iter().map(String::as_str), practice::tempo(), EVENING)
}

#[test]
fn a_match_goes_on_from_its_journal_as_if_nothing_had_been() {
    for (number, code) in (0..).zip(["cruce2-3", "cruce4t-3", "whist4"]) {
        let plan = plan(code, &[Level::Easy, Level::Medium]);
        let mut whole = Evening::new(&plan, number);
        whole.matches = 2;
        whole.play();
        let mut broken = Evening::new(&plan, number);
        broken.matches = 2;
        let mut lots = Lots::new(Seed(entropy(number)), 0);
        let mut times = 0;
        while broken.step() {
            if lots.below(25) == 0 {
                broken.resume();
                times += 1;
            }
        }
        assert!(times > 5, "{code} was interrupted {times} times");
        assert_eq!(timeless(&broken.journal), timeless(&whole.journal), "{code}");
        assert_eq!(broken.records, whole.records);
        assert_eq!(broken.state().next, whole.state().next, "even what is promised next");
    }
}

#[test]
fn a_new_page_goes_on_where_the_old_one_stood() {
    let mut evening = Evening::new(&plan("cruce4t-3", &[Level::Easy]), 7);
    for page in 0..40 {
        (0..15).for_each(|_| _ = evening.step());
        evening.replica = TableReplica::new(&format!("page{page}-"));
        evening.resume();
    }
    evening.play();
    assert_eq!(evening.state().stage, TableStage::Over);
    assert!(evening.records[0].verify().expect("true").finished);
}

#[test]
fn a_journal_holds_one_match() {
    let mut evening = Evening::new(&plan("cruce2-2", &[Level::Easy]), 8);
    assert_eq!(evening.begun, 1);
    evening.matches = 2;
    evening.play();
    assert_eq!(evening.begun, 2);
    let started = |line: &&String| line.contains(r#""did":"started""#);
    assert_eq!(evening.journal.iter().filter(started).count(), 1);
    assert!(started(&&evening.journal[1]));
    assert_eq!(evening.practice.journal(), JournalUpdate::default(), "nothing is told twice");
}

#[test]
fn a_last_line_that_was_not_written_to_its_end_is_left_out() {
    let mut evening = Evening::new(&plan("whist3", &[Level::Easy]), 9);
    (0..60).for_each(|_| assert!(evening.step()));
    let whole = evening.journal.clone();
    for cut in 1..whole.last().expect("a line").len() {
        let mut torn = whole.clone();
        torn.last_mut().expect("a line").truncate(cut);
        let mut practice = read(&torn).expect("the rest is whole");
        let pages = practice.journal();
        assert_eq!(pages, JournalUpdate { anew: true, lines: whole[..whole.len() - 1].to_vec() });
        assert_eq!(practice.shown().version + 1, evening.state().version);
    }
    // Whoever goes on from there comes to the same end.
    let end = whole.len() - 1;
    evening.journal.truncate(end);
    evening.replica.forget();
    evening.resume();
    assert_eq!(evening.journal.len(), end);
    evening.play();
    assert!(evening.records[0].verify().expect("true").finished);
}

#[test]
fn a_spoilt_journal_says_where() {
    let mut evening = Evening::new(&plan("whist3", &[Level::Easy]), 10);
    (0..60).for_each(|_| assert!(evening.step()));
    let whole = evening.journal.clone();
    let fault = |lines: &[String]| match read(lines) {
        Ok(_) => panic!("it was read: {lines:?}"),
        Err(spoilt) => spoilt.line,
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
    // What stands before the fault is a journal.
    assert!(read(&whole[..5]).is_ok());
}

#[test]
fn no_journal_makes_it_fall_over() {
    let mut evening = Evening::new(&plan("cruce3-2", &[Level::Easy]), 11);
    evening.play();
    let whole = evening.journal.clone();
    let mut lots = Lots::new(Seed([5; 32]), 0);
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
            // Whatever was believed can be played on.
            let hello = ClientMessage::Hello { ghinda: wire::table::VERSION, since: None };
            practice.hear(EVENING, &hello.text());
            practice.think(|| true);
            practice.wake(EVENING + 10_000);
        }
    }
}

#[test]
fn a_full_journal_takes_nothing_more_until_a_match_begins() {
    let mut evening = Evening::new(&plan("cruce2-2", &[Level::Easy]), 12);
    evening.play();
    let mut last = String::new();
    for number in 0..MAX_ENTRIES {
        let what = TableCommand::Rename { name: format!("Ana {number}") };
        let text = ClientMessage::Do { id: format!("n{number}"), what }.text();
        last = evening.practice.hear(evening.now, &text).last().expect("an answer").to_string();
        evening.journal.extend(evening.practice.journal().lines);
    }
    let ServerMessage::Refused { refusal, .. } = ServerMessage::read(&last).expect("a message")
    else {
        panic!("{last}")
    };
    assert_eq!(refusal.reason, RefusalReason::Unavailable);
    assert_eq!(evening.journal.len(), 1 + MAX_ENTRIES);
    assert!(read(&evening.journal).is_ok(), "what was written can be read");
    evening.replica = TableReplica::new("b");
    evening.greet();
    evening.now += 5_000;
    evening.command(TableCommand::Start);
    assert_eq!(evening.state().stage, TableStage::Playing);
    assert_eq!(evening.journal.len(), 3, "a heading, the start and the first deal");
}
