//! Invalid messages and commands are answered, and change nothing.

use bots::Level;
use cards::Seat;
use practice::{JournalUpdate, Practice};
use replica::Replica;
use wire::table::{
    ClientMessage, CloseReason, RefusalReason, ServerMessage, TableCommand, VERSION,
};

use crate::session::{START, Session, entropy, plan};

fn only_message(sent: &[std::sync::Arc<str>]) -> ServerMessage {
    let [text] = sent else { panic!("one answer: {sent:?}") };
    ServerMessage::read(text).expect("a message")
}

/// A session in which it is the player's turn to play a card.
fn in_turn() -> Session {
    let mut session = Session::new(&plan("cruce4t-3", &[Level::Easy]), 20);
    loop {
        let card = session.next_command().is_some_and(|next_command| match next_command {
            TableCommand::Act(text) => text.len() > 1 && text != "ok",
            _ => false,
        });
        if card {
            return session;
        }
        assert!(session.step());
    }
}

#[test]
fn invalid_texts_change_nothing() {
    let mut session = in_turn();
    let before = session.practice.snapshot();
    let long = "x".repeat(wire::table::MAX_BYTES + 1);
    for text in ["", "{", "[]", "{}", r#"{"type":"dance"}"#, r#"{"type":"do","id":"1"}"#, &long] {
        let answer = only_message(&session.practice.receive(session.now, text));
        assert!(matches!(answer, ServerMessage::Error { .. }), "{text}: {answer:?}");
    }
    assert_eq!(session.practice.snapshot(), before);
    assert_eq!(session.practice.take_journal_update(), JournalUpdate::default());
}

#[test]
fn refused_commands_change_nothing() {
    let mut session = in_turn();
    let before = session.practice.snapshot();
    let own = before.you.seat.expect("a seat");
    let other = own % 4 + 1;
    let commands = [
        (TableCommand::Act("9z".into()), RefusalReason::BadAction),
        (TableCommand::Act("2".into()), RefusalReason::Illegal),
        (TableCommand::Ready, RefusalReason::NothingToRead),
        (TableCommand::Start, RefusalReason::MatchRuns),
        (TableCommand::AskForRematch, RefusalReason::MatchRuns),
        (TableCommand::Resume, RefusalReason::NotPaused),
        (TableCommand::TakeBack, RefusalReason::NotStoodIn),
        (TableCommand::Rules("whist4".into()), RefusalReason::MatchRuns),
        (TableCommand::Kick { seat: other }, RefusalReason::BotsSeat),
        (TableCommand::Sit { seat: other, name: "Ana".into() }, RefusalReason::MatchRuns),
        (TableCommand::AddBot { seat: other, level: "genius".into() }, RefusalReason::BadLevel),
        (TableCommand::AddBot { seat: own, level: "easy".into() }, RefusalReason::SeatTaken),
        (TableCommand::Rename { name: " ".into() }, RefusalReason::BadName),
        (TableCommand::Say(String::new()), RefusalReason::BadChat),
    ];
    for (what, reason) in commands {
        session.command(what.clone());
        let (refused, refusal) = session.refused.pop().expect("a refusal");
        assert_eq!((refused, refusal.reason), (what, reason));
    }
    // The refusal of an illegal card names the clause.
    let cards = session.replica.view().expect("a view").cards();
    if let Some((card, Some(_))) = cards.iter().find(|(_, why)| why.is_some()) {
        let pack = session.replica.view().expect("a view").public().rules().pack();
        session.command(TableCommand::Act(game::notation::card_text(pack, *card)));
        let (_, refusal) = session.refused.pop().expect("a refusal");
        assert!(refusal.illegal.is_some_and(|illegal| !illegal.clause.is_empty()));
    }
    assert_eq!(session.practice.snapshot(), before);
    assert_eq!(session.practice.take_journal_update(), JournalUpdate::default());
    assert!(session.replica.is_settled());
    session.play();
}

#[test]
fn a_command_that_is_sent_twice_is_done_once() {
    let mut session = in_turn();
    let what = session.next_command().expect("it is the player's turn");
    let (_, command) = session.replica.command(what);
    session.send(&command);
    let after = session.practice.snapshot().version;
    let answer = only_message(&session.practice.receive(session.now, &command.text()));
    assert!(matches!(answer, ServerMessage::Done { version, .. } if version <= after));
    assert_eq!(session.practice.snapshot().version, after);
    assert_eq!(session.practice.take_journal_update(), JournalUpdate::default());
}

#[test]
fn a_hello_must_come_first() {
    let plan = plan("cruce2-2", &[Level::Easy]);
    let mut practice = Practice::open(&plan, entropy(1), START).expect("a table");
    assert_eq!(practice.due(), None, "nothing happens before the hello");
    let garbled = ServerMessage::Bye { why: CloseReason::Garbled };
    let ready = ClientMessage::Do { id: "1".into(), what: TableCommand::Ready };
    for text in [ready.text(), ClientMessage::Beat.text(), "?".into()] {
        assert_eq!(only_message(&practice.receive(START, &text)), garbled);
    }
    let hello = ClientMessage::Hello { ghinda: VERSION, since: None };
    let sent = practice.receive(START, &hello.text());
    let kinds = sent.iter().map(|text| ServerMessage::read(text).expect("a message"));
    let kinds: Vec<&str> = kinds
        .map(|message| match message {
            ServerMessage::Hello { .. } => "hello",
            ServerMessage::Snapshot(_) => "snapshot",
            ServerMessage::Present { .. } => "present",
            ServerMessage::Update(_) => "update",
            _ => "something else",
        })
        .collect();
    assert_eq!(kinds, ["hello", "snapshot", "present", "update"]);
    assert!(practice.due().is_some());
    let other = hello.text().replace(&format!("\"ghinda\":{VERSION}"), "\"ghinda\":999");
    let answer = only_message(&practice.receive(START, &other));
    assert_eq!(answer, ServerMessage::Bye { why: CloseReason::OtherVersion });
    assert_eq!(practice.due(), None, "the connection has ended");
}

#[test]
fn a_beat_is_answered_with_the_time() {
    let mut session = in_turn();
    let sent = session.practice.receive(START + 77_777_777, &ClientMessage::Beat.text());
    assert_eq!(only_message(&sent), ServerMessage::Beat { time: START + 77_777_777 });
    // A clock that goes back is ignored.
    let sent = session.practice.receive(START, &ClientMessage::Beat.text());
    assert_eq!(only_message(&sent), ServerMessage::Beat { time: START + 77_777_777 });
}

#[test]
fn a_plan_that_does_not_fit_is_refused() {
    let mut plan = plan("cruce2-2", &[Level::Easy]);
    plan.seat = Seat::new(2);
    let refusal = Practice::open(&plan, entropy(1), START).err().expect("a refusal");
    assert_eq!(refusal.reason, RefusalReason::NoSuchSeat);
}
