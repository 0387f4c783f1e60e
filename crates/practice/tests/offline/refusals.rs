//! What is of no use is answered, and changes nothing.

use bots::Level;
use cards::Seat;
use practice::{JournalUpdate, Practice};
use wire::table::{
    ClientMessage, CloseReason, RefusalReason, ServerMessage, TableCommand, VERSION,
};

use crate::evening::{EVENING, Evening, entropy, plan};

fn only(sent: &[std::sync::Arc<str>]) -> ServerMessage {
    let [text] = sent else { panic!("one answer: {sent:?}") };
    ServerMessage::read(text).expect("a message")
}

/// An evening in which it is the person's turn to play a card.
fn in_turn() -> Evening {
    let mut evening = Evening::new(&plan("cruce4t-3", &[Level::Easy]), 20);
    loop {
        let card = evening.idea().is_some_and(|idea| match idea {
            TableCommand::Act(text) => text.len() > 1 && text != "ok",
            _ => false,
        });
        if card {
            return evening;
        }
        assert!(evening.step());
    }
}

#[test]
fn texts_that_are_no_messages_change_nothing() {
    let mut evening = in_turn();
    let before = evening.practice.shown();
    let long = "x".repeat(wire::table::MAX_BYTES + 1);
    for text in ["", "{", "[]", "{}", r#"{"type":"dance"}"#, r#"{"type":"do","id":"1"}"#, &long] {
        let answer = only(&evening.practice.hear(evening.now, text));
        assert!(matches!(answer, ServerMessage::Error { .. }), "{text}: {answer:?}");
    }
    assert_eq!(evening.practice.shown(), before);
    assert_eq!(evening.practice.journal(), JournalUpdate::default());
}

#[test]
fn wishes_that_may_not_be_change_nothing() {
    let mut evening = in_turn();
    let before = evening.practice.shown();
    let own = before.you.seat.expect("a seat");
    let other = own % 4 + 1;
    let wishes = [
        (TableCommand::Act("9z".into()), RefusalReason::BadAction),
        (TableCommand::Act("2".into()), RefusalReason::Illegal),
        (TableCommand::Ready, RefusalReason::NothingToRead),
        (TableCommand::Start, RefusalReason::MatchRuns),
        (TableCommand::Rematch, RefusalReason::MatchRuns),
        (TableCommand::Resume, RefusalReason::NotPaused),
        (TableCommand::TakeBack, RefusalReason::NotStoodIn),
        (TableCommand::Rules("whist4".into()), RefusalReason::MatchRuns),
        (TableCommand::Kick { seat: other }, RefusalReason::BotsSeat),
        (TableCommand::Sit { seat: other, name: "Ana".into() }, RefusalReason::MatchRuns),
        (TableCommand::Bot { seat: other, level: "genius".into() }, RefusalReason::BadLevel),
        (TableCommand::Bot { seat: own, level: "easy".into() }, RefusalReason::SeatTaken),
        (TableCommand::Rename { name: " ".into() }, RefusalReason::BadName),
        (TableCommand::Say(String::new()), RefusalReason::BadSaying),
    ];
    for (what, reason) in wishes {
        evening.command(what.clone());
        let (refused, refusal) = evening.refused.pop().expect("a refusal");
        assert_eq!((refused, refusal.reason), (what, reason));
    }
    // A card that is not in the hand names the clause.
    let cards = evening.replica.view().expect("a view").cards();
    if let Some((card, Some(_))) = cards.iter().find(|(_, why)| why.is_some()) {
        let pack = evening.replica.view().expect("a view").public().rules().pack();
        evening.command(TableCommand::Act(game::notation::card_text(pack, *card)));
        let (_, refusal) = evening.refused.pop().expect("a refusal");
        assert!(refusal.illegal.is_some_and(|illegal| !illegal.clause.is_empty()));
    }
    assert_eq!(evening.practice.shown(), before);
    assert_eq!(evening.practice.journal(), JournalUpdate::default());
    assert!(evening.replica.is_settled());
    evening.play();
}

#[test]
fn a_wish_that_is_sent_twice_is_done_once() {
    let mut evening = in_turn();
    let what = evening.idea().expect("it is his turn");
    let command = evening.replica.command(what);
    evening.say(&command);
    let after = evening.practice.shown().version;
    let answer = only(&evening.practice.hear(evening.now, &command.text()));
    assert!(matches!(answer, ServerMessage::Done { version, .. } if version <= after));
    assert_eq!(evening.practice.shown().version, after);
    assert_eq!(evening.practice.journal(), JournalUpdate::default());
}

#[test]
fn nothing_comes_before_a_hello() {
    let plan = plan("cruce2-2", &[Level::Easy]);
    let mut practice = Practice::open(&plan, entropy(1), EVENING).expect("a table");
    assert_eq!(practice.due(), None, "nothing happens before the person is here");
    let garbled = ServerMessage::Bye { why: CloseReason::Garbled };
    let ready = ClientMessage::Do { id: "1".into(), what: TableCommand::Ready };
    for text in [ready.text(), ClientMessage::Beat.text(), "?".into()] {
        assert_eq!(only(&practice.hear(EVENING, &text)), garbled);
    }
    let hello = ClientMessage::Hello { ghinda: VERSION, since: None };
    let sent = practice.hear(EVENING, &hello.text());
    let kinds = sent.iter().map(|text| ServerMessage::read(text).expect("a message"));
    let kinds: Vec<&str> = kinds
        .map(|message| match message {
            ServerMessage::Hello { .. } => "hello",
            ServerMessage::Snapshot(_) => "everything",
            ServerMessage::Present { .. } => "who is here",
            ServerMessage::Update(_) => "what happens",
            _ => "something else",
        })
        .collect();
    assert_eq!(kinds, ["hello", "everything", "who is here", "what happens"]);
    assert!(practice.due().is_some());
    let other = hello.text().replace(&format!("\"ghinda\":{VERSION}"), "\"ghinda\":999");
    let answer = only(&practice.hear(EVENING, &other));
    assert_eq!(answer, ServerMessage::Bye { why: CloseReason::OtherVersion });
    assert_eq!(practice.due(), None, "he is not here any more");
}

#[test]
fn a_beat_is_answered_with_the_time() {
    let mut evening = in_turn();
    let sent = evening.practice.hear(EVENING + 77_777_777, &ClientMessage::Beat.text());
    assert_eq!(only(&sent), ServerMessage::Beat { time: EVENING + 77_777_777 });
    // A clock that goes back is not believed.
    let sent = evening.practice.hear(EVENING, &ClientMessage::Beat.text());
    assert_eq!(only(&sent), ServerMessage::Beat { time: EVENING + 77_777_777 });
}

#[test]
fn a_plan_that_does_not_fit_is_refused() {
    let mut plan = plan("cruce2-2", &[Level::Easy]);
    plan.seat = Seat::new(2);
    let refusal = Practice::open(&plan, entropy(1), EVENING).err().expect("a refusal");
    assert_eq!(refusal.reason, RefusalReason::NoSuchSeat);
}
