//! A ledger task without its loop: each message is handled, and each append answered, by hand.

use std::num::NonZeroUsize;

use room::Timings;
use store::{Database, LogKind, Store};
use test_support::folder::TempFolder;
use wire::ledger::LedgerRefusal;
use wire::sheet::SheetChangeText;

use super::*;
use crate::clock::Clocks;
use crate::ledger::state::LedgerEvent;
use crate::outbox::{OutboxReceiver, Outgoing, outbox};
use crate::task_registry::Occupancy;

const ANA: ConnectionId = ConnectionId(1);
const HEADER: &str =
    r#"{"ghinda_sheet":1,"rules":"cruce4t-21","names":["Ana","Ion","Eva","Dan"],"dealer":1}"#;

/// A sheet with one writer, and what was sent to them.
struct TestLedger {
    task: Box<LedgerTask>,
    outbox: OutboxReceiver,
    /// Keeps the queue of the task open.
    _sender: mpsc::Sender<LedgerMessage>,
    _folder: TempFolder,
}

impl TestLedger {
    async fn open() -> TestLedger {
        let folder = TempFolder::create();
        let path = folder.file("ghinda.db").display().to_string();
        let database = Arc::new(Database::open(&path).await.unwrap());
        let clocks = Clocks::at(0, None);
        let tables =
            TableRegistry::new(database.clone(), clocks, NonZeroUsize::MIN, Timings::default());
        let tables = Arc::new(tables.unwrap());
        let (id, key) = (LedgerId::from_random(7), Key::new([7; 16]));
        let epoch = database.create(LogKind::Ledger, id.into(), None, 0).await.unwrap();
        let acquired = AcquiredLog { log: id.into(), epoch, last: 1, checkpoint: None };
        let opened = LedgerEvent::Opened { key, line: HEADER.into() };
        let state = LedgerState::open(&opened).unwrap();
        let occupancy_guard = Occupancy::new("ledgers", 9, usize::MAX).enter();
        let (task, sender) =
            LedgerTask::new(id, &acquired, tables.clock(), state, &tables, occupancy_guard);
        let (outbox, received) = outbox(64);
        let asks = Some((Role::Organiser, key));
        let new =
            NewSubscriber { connection: ANA, since: 1, asks, granted: Arc::default(), outbox };
        let mut ledger = TestLedger { task, outbox: received, _sender: sender, _folder: folder };
        ledger.task.handle(LedgerMessage::Connected(Box::new(new)));
        assert!(matches!(ledger.sent()[..], [LedgerServerMessage::Hello { .. }]));
        ledger
    }

    /// The messages since the last call.
    fn sent(&mut self) -> Vec<LedgerServerMessage> {
        let mut messages = Vec::new();
        while let Some(Outgoing::Shared(text)) = self.outbox.try_recv() {
            messages.push(LedgerServerMessage::read(&text).unwrap());
        }
        messages
    }

    fn rename(&mut self, id: &str, name: &str) {
        let rename = SheetChangeText::Rename { seat: 1, name: name.into() };
        let what = Box::new(LedgerCommand::Sheet(rename));
        self.task.handle(LedgerMessage::Command { connection: ANA, id: id.into(), what });
    }

    /// The store answers the append under way, and the next one begins.
    fn answer_append(&mut self, answer: AppendResult) {
        assert!(self.task.storing.take().is_some(), "an append is under way");
        self.task.on_stored(answer);
        self.task.store();
    }
}

fn is_unchanged(message: &LedgerServerMessage, of: &str) -> bool {
    matches!(message,
        LedgerServerMessage::Refused { id, refusal } if id == of && refusal.is_unchanged())
}

fn is_done(message: &LedgerServerMessage, of: &str) -> bool {
    matches!(message, LedgerServerMessage::Done { id } if id == of)
}

#[tokio::test]
async fn that_it_is_so_already_is_said_when_it_is_stored() {
    let mut ledger = TestLedger::open().await;
    ledger.rename("first", "Zoe");
    ledger.rename("pending", "Zoe");
    ledger.task.store();
    ledger.rename("storing", "Zoe");
    assert_eq!(ledger.sent(), [], "nothing is stored yet");
    ledger.answer_append(Ok(AppendOutcome::Done));
    let [LedgerServerMessage::Lines { from: 1, lines }, done, pending, storing] =
        &ledger.sent()[..]
    else {
        panic!("the lines and three answers")
    };
    assert_eq!(lines.len(), 1);
    assert!(is_done(done, "first"), "{done:?}");
    assert!(is_unchanged(pending, "pending") && is_unchanged(storing, "storing"));
    // Nothing waits for the store any more: the answer comes at once.
    ledger.rename("later", "Zoe");
    assert!(is_unchanged(&ledger.sent()[0], "later"));
    // An id that was refused is still free.
    ledger.rename("later", "Ana");
    ledger.task.store();
    ledger.answer_append(Ok(AppendOutcome::Done));
    assert!(is_done(&ledger.sent()[1], "later"));
}

#[tokio::test]
async fn what_is_not_stored_is_not_so_already() {
    let mut ledger = TestLedger::open().await;
    ledger.rename("first", "Zoe");
    ledger.task.store();
    ledger.rename("second", "Zoe");
    ledger.answer_append(Err(StoreError::Unavailable("the disk is full".into())));
    let refused = ["first", "second"].map(|id| LedgerServerMessage::Refused {
        id: id.into(),
        refusal: LedgerRefusal::Unavailable,
    });
    assert_eq!(ledger.sent(), refused);
    assert_eq!(ledger.task.end_reason, Some(CloseReason::Unavailable));
}

#[tokio::test]
async fn a_ledger_has_so_many_connections_and_no_more() {
    let mut ledger = TestLedger::open().await;
    // The first is Ana's.
    for number in 1..=MAX_SUBSCRIBERS as u64 {
        let (outbox, mut received) = outbox(8);
        let connection = ConnectionId(1_000 + number);
        let granted = Arc::default();
        let new = NewSubscriber { connection, since: 1, asks: None, granted, outbox };
        ledger.task.handle(LedgerMessage::Connected(Box::new(new)));
        let first = received.try_recv().expect("a message");
        let is_refused = matches!(first, Outgoing::Close(CloseReason::Unavailable));
        assert_eq!(is_refused, number == MAX_SUBSCRIBERS as u64, "{number}");
    }
    assert_eq!(ledger.task.subscribers.len(), MAX_SUBSCRIBERS);
}
