//! Whole matches, played through the protocol alone.

use bots::Level;
use cards::Seat;
use game::fair::Secret;
use game::record::{Record, parse_all};
use wire::table::{Occupant, TableCommand, TableStage};

use crate::session::{Session, plan};

/// Checks that `ghinda verify` accepts a record.
fn check_record(record: &Record) {
    let read = parse_all(&record.to_string()).expect("a record is read back");
    assert_eq!(read, std::slice::from_ref(record));
    let verified = record.verify().expect("the record is true");
    assert!(verified.finished && verified.revealed);
}

fn whole_match(code: &str, bots: &[Level], number: u8) -> Session {
    let mut session = Session::new(&plan(code, bots), number);
    let committed = session.state().commitment.clone();
    assert_eq!(committed.secret, None);
    session.play();
    let state = session.state();
    assert_eq!(state.stage, TableStage::Over, "{code}");
    assert!(session.replica.is_settled());
    // The dealt cards follow from the commitment that was made before the first card.
    assert_eq!(state.commitment.commitment, committed.commitment);
    let secret: Secret =
        state.commitment.secret.as_deref().expect("revealed").parse().expect("hex");
    let [record] = &session.records[..] else { panic!("one match, one record") };
    assert_eq!((record.secret, record.table.as_str()), (Some(secret), committed.table.as_str()));
    assert_eq!(record.commitment.to_string(), committed.commitment);
    check_record(record);
    session.check_refusals();
    session
}

#[test]
fn cruce_is_played_to_the_end() {
    let mut claimed = 0;
    for (number, code) in
        (0..).zip(["cruce2-3", "cruce3-3", "cruce4t-3", "cruce4s-3", "cruce4t-2-honour"])
    {
        claimed += whole_match(code, &[Level::Easy, Level::Medium], number).claimed;
    }
    assert!(claimed > 0, "a claim that is true is granted");
}

#[test]
fn whist_is_played_to_the_end() {
    let mut refused = 0;
    for (number, code) in (0..).zip(["whist3", "whist4", "whist5-818", "whist6"]) {
        refused += whole_match(code, &[Level::Medium, Level::Easy], number).refused.len();
    }
    assert!(refused > 0, "a claim that cannot be proven is refused");
}

#[test]
fn strong_bots_act_without_time_to_think() {
    let mut session = Session::new(&plan("cruce4t-2", &[Level::Hard]), 1);
    session.bots_may_think = false;
    session.play();
    check_record(&session.records[0]);
}

#[test]
fn players_sit_where_the_plan_says() {
    for seat in Seat::first(4) {
        let mut plan = plan("cruce4t-3", &[Level::Easy, Level::Hard]);
        plan.seat = Some(seat);
        let session = Session::new(&plan, 2);
        let state = session.state();
        assert_eq!((state.you.seat, state.you.host), (Some(seat.number()), true));
        let mut levels = ["easy", "hard", "easy"].into_iter();
        for (at, seat_state) in Seat::first(4).zip(&state.seats) {
            let who = match at == seat {
                true => Occupant::Person("Ana".into()),
                false => Occupant::Bot(levels.next().expect("three bots").into()),
            };
            assert_eq!(seat_state.who, Some(who));
            assert_eq!(seat_state.present, at == seat);
        }
    }
}

#[test]
fn without_a_seat_in_the_plan_one_is_drawn() {
    let plan = plan("whist6", &[]);
    let seats: std::collections::BTreeSet<Option<usize>> =
        (0..40).map(|number| Session::new(&plan, number).state().you.seat).collect();
    assert_eq!(seats.len(), 6);
}

#[test]
fn a_word_of_the_player_changes_the_deals() {
    let mut waits = plan("cruce2-2", &[Level::Easy]);
    waits.begins = false;
    let deals = |words: &[&str]| {
        let mut session = Session::new(&waits, 3);
        assert_eq!(session.state().stage, TableStage::Waiting);
        let commitment = session.state().commitment.commitment.clone();
        words.iter().for_each(|word| session.command(TableCommand::Word((*word).into())));
        session.play();
        let record = &session.records[0];
        check_record(record);
        assert_eq!(record.commitment.to_string(), commitment, "committed before the word");
        assert_eq!(record.words.iter().flatten().count(), words.len());
        record.deals[0].deal.clone()
    };
    assert_eq!(deals(&[]), deals(&[]));
    assert_ne!(deals(&[]), deals(&["mac"]));
    assert_ne!(deals(&["mac"]), deals(&["popa"]));
}

#[test]
fn a_rematch_has_deals_of_its_own() {
    let mut session = Session::new(&plan("cruce3-2", &[Level::Easy]), 4);
    session.matches = 3;
    session.play();
    let state = session.state();
    assert_eq!((state.commitment.number, state.stage), (3, TableStage::Over));
    let [first, second, third] = &session.records[..] else { panic!("three matches") };
    [first, second, third].into_iter().for_each(check_record);
    assert_ne!(first.deals[0].deal, second.deals[0].deal);
    assert_ne!(second.secret, third.secret);
    // The next match is committed to as soon as the match before it is over.
    assert_eq!(state.next.as_ref().map(|next| next.number), Some(4));
    assert_eq!(session.journal_starts, 3, "the journal begins anew with every match");
}

#[test]
fn between_matches_the_rules_can_be_changed() {
    let mut session = Session::new(&plan("cruce2-2", &[Level::Easy]), 5);
    session.play();
    session.command(TableCommand::Rules("whist3".into()));
    assert_eq!(session.practice.record(), None, "new rules end the old match");
    session.check();
    session.matches = 2;
    session.play();
    let codes: Vec<String> = session.records.iter().map(|record| record.rules.code()).collect();
    assert_eq!(codes, ["cruce2-2", "whist3"]);
    session.records.iter().for_each(check_record);
}

#[test]
fn a_player_who_leaves_may_sit_down_again() {
    let mut session = Session::new(&plan("cruce4t-2", &[Level::Easy]), 6);
    (0..20).for_each(|_| assert!(session.step()));
    let seat = session.state().you.seat.expect("a seat");
    session.command(TableCommand::Leave);
    session.check();
    assert_eq!(session.practice.due(), None, "bots do not play without the player");
    session.command(TableCommand::Sit { seat, name: "Ana".into() });
    session.play();
    check_record(&session.records[0]);
}
