//! A ledger task without its loop: each message is handled, and each append answered, by hand.

use std::net::Ipv4Addr;
use std::num::NonZeroUsize;
use std::time::Duration;

use room::Timings;
use store::{Database, LogKind, Store};
use test_support::folder::TempFolder;
use wire::ledger::LedgerRefusal;
use wire::sheet::SheetChangeText;

use super::*;
use crate::clock::Clocks;
use crate::ledger::state::LedgerEvent;
use crate::outbox::{OutboxReceiver, Outboxes, Outgoing};
use crate::quotas::MemoryQuotas;
use crate::rations::free_payer;
use crate::task_registry::Occupancy;

const ANA: ConnectionId = ConnectionId(1);
const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const HEADER: &str =
    r#"{"ghinda_sheet":1,"rules":"cruce4t-21","names":["Ana","Ion","Eva","Dan"],"dealer":1}"#;

/// A writer here, for whom nothing is rationed.
fn payer() -> Payer {
    free_payer(PlayerId::new(1).expect("small"))
}

/// A sheet with one writer, and what was sent to them.
struct TestLedger {
    task: Box<LedgerTask>,
    outbox: OutboxReceiver,
    /// Keeps the queue of the task open.
    sender: mpsc::Sender<LedgerMessage>,
    _folder: TempFolder,
}

impl TestLedger {
    async fn open() -> TestLedger {
        TestLedger::with_room(usize::MAX).await
    }

    /// A sheet in memory of this many bytes.
    async fn with_room(max_bytes: usize) -> TestLedger {
        let folder = TempFolder::create();
        let path = folder.file("ghinda.db").display().to_string();
        let database = Arc::new(Database::open(&path).await.unwrap());
        let clocks = Clocks::at(0, None);
        let tables = TableRegistry::new(
            database.clone(),
            clocks,
            NonZeroUsize::MIN,
            Timings::default(),
            MemoryQuotas::default(),
        );
        let tables = Arc::new(tables.unwrap());
        let (id, key) = (LedgerId::from_random(7), Key::new([7; 16]));
        let epoch = database.create(LogKind::Ledger, id.into(), None, 0).await.unwrap();
        let acquired = AcquiredLog { log: id.into(), epoch, last: 1, checkpoint: None };
        let opened = LedgerEvent::Opened { key, line: HEADER.into() };
        let state = LedgerState::open(&opened).unwrap();
        let occupancy_guard = Occupancy::new("ledgers", 9, max_bytes).enter();
        let (task, sender) =
            LedgerTask::new(id, &acquired, tables.clock(), state, &tables, (occupancy_guard, HERE));
        let (outbox, received) = tables.outboxes().open(8 * MAX_QUEUED);
        let asks = Some((Role::Organiser, key));
        let new = NewSubscriber {
            connection: ANA,
            since: 1,
            asks,
            granted: Arc::default(),
            payer: payer(),
            outbox,
        };
        let mut ledger = TestLedger { task, outbox: received, sender, _folder: folder };
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
        self.task.handle(rename(id, name));
    }

    /// The store answers the append under way, and the next one begins.
    fn answer_append(&mut self, answer: AppendResult) {
        assert!(self.task.storing.take().is_some(), "an append is under way");
        self.task.on_stored(answer);
        self.task.store();
    }
}

fn rename(id: &str, name: &str) -> LedgerMessage {
    let rename = SheetChangeText::Rename { seat: 1, name: name.into() };
    let what = Box::new(LedgerCommand::Sheet(rename));
    LedgerMessage::Command { connection: ANA, id: id.into(), what }
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
    let outboxes = Outboxes::new(usize::MAX);
    // The first is Ana's.
    for number in 1..=MAX_SUBSCRIBERS as u64 {
        let (outbox, mut received) = outboxes.open(8);
        let connection = ConnectionId(1_000 + number);
        let granted = Arc::default();
        let payer = payer();
        let new = NewSubscriber { connection, since: 1, asks: None, granted, payer, outbox };
        ledger.task.handle(LedgerMessage::Connected(Box::new(new)));
        let first = received.try_recv().expect("a message");
        let is_refused = matches!(first, Outgoing::Close(CloseReason::Unavailable));
        assert_eq!(is_refused, number == MAX_SUBSCRIBERS as u64, "{number}");
    }
    assert_eq!(ledger.task.subscribers.len(), MAX_SUBSCRIBERS);
}

/// While an append takes long, commands wait at the task, and then their senders do.
#[tokio::test]
async fn so_many_commands_wait_to_be_stored_and_no_more() {
    let mut ledger = TestLedger::open().await;
    tokio::time::pause();
    ledger.task.storing = Some(Box::pin(std::future::pending()));
    let sender = ledger.sender.clone();
    let sent = tokio::spawn(async move {
        for number in 0..10 * BATCH {
            // New names, repeated ones, and commands that were sent before.
            let (id, name) = (format!("{}", number / 2), format!("Zoe {}", number / 3));
            sender.send(rename(&id, &name)).await.expect("a task");
        }
    });
    let steps = async {
        while ledger.task.end_reason.is_none() {
            ledger.task.step().await
        }
    };
    assert!(tokio::time::timeout(Duration::from_secs(20), steps).await.is_err());
    assert!(!sent.is_finished(), "the senders wait");
    let LedgerTask { pending_events, pending_commands, storing_commands, messages, .. } =
        &*ledger.task;
    assert!(pending_events.len() <= BATCH, "{}", pending_events.len());
    assert!(pending_commands.len() + storing_commands.len() <= 2 * BATCH);
    assert_eq!(messages.len(), MAX_QUEUED);
    sent.abort();
}

#[tokio::test]
async fn what_is_written_needs_room_in_memory() {
    // A quarter of it is the share of an address.
    let mut ledger = TestLedger::with_room(40_000).await;
    let mut written = 0;
    let refused = loop {
        ledger.rename(&format!("n{written}"), &format!("Zoe {written}"));
        ledger.task.store();
        if ledger.task.storing.is_none() {
            break ledger.sent().pop();
        }
        ledger.answer_append(Ok(AppendOutcome::Done));
        written += 1;
        assert!(written < 1_000, "there is no limit");
        ledger.sent();
    };
    let id = format!("n{written}");
    let refusal = LedgerRefusal::Unavailable;
    assert_eq!(refused, Some(LedgerServerMessage::Refused { id, refusal }));
    let bytes = ledger.task.state.bytes();
    assert!((9_000..=11_000).contains(&bytes), "{bytes}");
}

#[tokio::test]
async fn a_stop_takes_no_more_commands() {
    let mut ledger = TestLedger::open().await;
    ledger.rename("first", "Zoe");
    ledger.task.store();
    let (done, _stopped) = oneshot::channel();
    ledger.task.handle(LedgerMessage::Stop { done });
    ledger.rename("second", "Ana");
    ledger.answer_append(Ok(AppendOutcome::Done));
    let messages = ledger.sent();
    assert!(messages.iter().any(|message| is_done(message, "first")));
    assert!(ledger.task.storing.is_none() && ledger.task.pending_commands.is_empty());
}
