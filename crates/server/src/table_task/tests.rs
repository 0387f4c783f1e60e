//! A table task with its store, its clients and the bot pool: how it ends, and what it costs others.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use bots::Level;
use futures_util::FutureExt;
use game::deal::Seed;
use game::{Rules, Viewer};
use metrics::{Counter, Gauge, Histogram, KeyName, Metadata, Recorder, SharedString, Unit};
use room::{BotQuestion, Timings};
use store::{
    AppendStore, Database, FaultPlan, LogKind, MemoryDatabase, NoFaults, Operation, OperationFate,
    Store,
};
use tokio::time::{Instant, timeout};
use wire::table::{Pace, ServerMessage, TableCommand};

use super::*;
use crate::bot_pool::{AnswerFn, BotJob, JobQueue, run_job};
use crate::clock::Clocks;
use crate::look_queue::TableReader;
use crate::outbox::{OutboxReceiver, Outboxes, Outgoing};
use crate::quotas::MemoryQuotas;
use crate::random;
use crate::rations::{ByteRations, RationBytes, ShareOf, free_payer};
use crate::tables::{TableRegistry, TableSettings};

const ANA: u64 = 1;
const ION: u64 = 2;

fn player(number: u64) -> PlayerId {
    PlayerId::new(number).expect("small")
}

/// Keeps jobs, or refuses them as a full queue does.
struct TestQueue {
    is_full: bool,
    jobs: Mutex<Vec<BotJob>>,
}

impl TestQueue {
    fn new(is_full: bool) -> Arc<TestQueue> {
        Arc::new(TestQueue { is_full, jobs: Mutex::default() })
    }
}

impl JobQueue for TestQueue {
    fn try_queue(&self, job: BotJob) -> Result<(), BotJob> {
        if self.is_full {
            return Err(job);
        }
        self.jobs.lock().expect("a lock").push(job);
        Ok(())
    }
}

fn registry(memory: MemoryDatabase, queue: Arc<TestQueue>) -> TableRegistry {
    let (pool, clocks) = (BotPool::over(queue), Clocks::at(1_000, None));
    TableRegistry::with(
        Arc::new(Database::Memory(memory)),
        clocks,
        pool,
        Timings::default(),
        MemoryQuotas::default(),
    )
}

/// Opens a table of Ana for two.
async fn open(tables: &TableRegistry) -> TableId {
    open_for(tables, None).await
}

async fn open_for(tables: &TableRegistry, contest: Option<LedgerId>) -> TableId {
    let rules = Rules::from_code("cruce2-1").expect("rules");
    let settings = TableSettings { rules, pace: Pace::Off, listed: true, contest };
    tables.open(&settings, player(ANA)).await.expect("a table")
}

/// Connects a player, whose connection has their number.
async fn connect(
    tables: &TableRegistry,
    table: TableId,
    number: u64,
    messages: usize,
) -> (TableHandle, OutboxReceiver) {
    connect_for(tables, table, number, free_payer(player(number)), messages).await
}

/// The same, for a payer.
async fn connect_for(
    tables: &TableRegistry,
    table: TableId,
    number: u64,
    payer: Payer,
    messages: usize,
) -> (TableHandle, OutboxReceiver) {
    let (outbox, receiver) = Outboxes::new(usize::MAX).open(messages);
    let (connection, player) = (ConnectionId(number), player(number));
    let connected = NewConnection { connection, player, since: None, payer, outbox };
    let handle = tables.send(table, TableMessage::Connected(Box::new(connected))).await;
    (handle.expect("a task"), receiver)
}

async fn send(table: &TableHandle, number: u64, id: &str, what: TableCommand) {
    let input = RoomInput::Command { connection: ConnectionId(number), id: id.into(), what }.into();
    let sent = table.send(TableMessage::Input(Box::new(input))).await;
    assert!(sent.is_ok(), "the task has ended");
}

/// The answer to a command.
async fn answer(receiver: &mut OutboxReceiver, asked: &str) -> Result<(), RefusalReason> {
    loop {
        let Ok(Outgoing::Text(text)) = receiver.recv().await else { panic!("no answer") };
        match ServerMessage::read(text.as_str()).expect("a message") {
            ServerMessage::Update(update) if update.done.as_deref() == Some(asked) => return Ok(()),
            ServerMessage::Done { id, .. } if id == asked => return Ok(()),
            ServerMessage::Refused { id, refusal } if id == asked => return Err(refusal.reason),
            _ => {}
        }
    }
}

fn sit(seat: usize) -> TableCommand {
    TableCommand::Sit { seat, name: "Ana".into() }
}

/// Plays a match of Ana and Ion until it is as far as this. Returns the entries.
fn match_until(room: Room, is_far_enough: impl Fn(&Room) -> bool) -> Vec<LoggedEntry> {
    let (contest, mut entries) = (room.contest(), Vec::new());
    let mut driver = TableDriver::new(room);
    let (mut now, mut ids) = (2_000, 0..);
    let mut handle = |driver: &mut TableDriver, input| {
        let mut effects = Vec::new();
        now += 60_000;
        let context = DriverContext { now, new_secret: &random::secret };
        driver.handle(input, &context, &mut effects);
        while let Some(at) = effects.iter().position(|it| matches!(it, Effect::Store { .. })) {
            if let Effect::Store { entries: stored, .. } = effects.swap_remove(at) {
                entries.extend(stored);
            }
            driver.handle(Input::Stored, &context, &mut effects);
        }
    };
    for number in [ANA, ION] {
        let (connection, player) = (ConnectionId(number), player(number));
        handle(&mut driver, Input::Connected { connection, player, since: None });
        let what = sit(number as usize);
        handle(
            &mut driver,
            match contest {
                None => RoomInput::Command { connection, id: "sit".into(), what }.into(),
                Some(contest) => {
                    let seat = Seat::new(number as usize - 1).expect("a seat");
                    let seats = vec![(seat, "Ana".parse().expect("a name"))];
                    RoomInput::Seat { contest, player, seats, request_id: 1 }.into()
                }
            },
        );
    }
    let (connection, what) = (ConnectionId(ANA), TableCommand::Start);
    handle(
        &mut driver,
        match contest {
            None => RoomInput::Command { connection, id: "start".into(), what }.into(),
            Some(contest) => {
                RoomInput::Start { contest, command: "s".into(), request_id: 1 }.into()
            }
        },
    );
    while !is_far_enough(driver.room()) {
        let turn = |who| Some((who, first_action(driver.room(), who)?));
        // While the score is shown, there is none.
        let input = match [ANA, ION].into_iter().find_map(turn) {
            None => Input::TimerFired,
            Some((who, action)) => {
                let (connection, what) = (ConnectionId(who), TableCommand::Act(action));
                let id = format!("id-{}", ids.next().unwrap_or(0));
                RoomInput::Command { connection, id, what }.into()
            }
        };
        handle(&mut driver, input);
    }
    entries
}

/// The player who may claim.
fn claimant(room: &Room) -> Option<u64> {
    [ANA, ION].into_iter().find(|who| room.claimant(player(*who)).is_ok())
}

/// The first legal action of a player, if they are in turn.
fn first_action(room: &Room, who: u64) -> Option<String> {
    let seat = room.seat_of(player(who))?;
    let view = room.snapshot(player(who), &Default::default()).view?;
    let view: game::View = view.parse().expect("a view");
    let action = *view.lawful_actions().first()?;
    Some(game::notation::action_text(room.rules(), seat, action))
}

/// A table in the middle of a deal, at which a player may claim.
async fn claimable(memory: &MemoryDatabase) -> (TableId, u64) {
    let tables = registry(memory.open_again(Arc::new(NoFaults)), TestQueue::new(false));
    let table = open(&tables).await;
    let room = tables.read(table, TableReader::Server, Room::clone).await.expect("a room");
    store(memory, table, &match_until(room, |room| claimant(room).is_some())).await;
    let tables = registry(memory.open_again(Arc::new(NoFaults)), TestQueue::new(false));
    let who = tables.read(table, TableReader::Server, claimant).await.expect("a room");
    (table, who.expect("a player in turn"))
}

/// Stores entries behind the back of a table.
async fn store(memory: &MemoryDatabase, table: TableId, entries: &[LoggedEntry]) {
    let acquired = memory.acquire(LogKind::Table, table.into()).await.expect("a store");
    let acquired = acquired.expect("a table");
    let event =
        |logged: &LoggedEntry| NewEvent { at_ms: logged.at as i64, body: log::encode(logged) };
    let append = Append {
        log: table.into(),
        epoch: acquired.epoch,
        first: acquired.last + 1,
        events: entries.iter().map(event).collect(),
        linked_writes: Vec::new(),
    };
    assert_eq!(memory.append(&[append]).await, Ok(vec![AppendOutcome::Done]));
}

#[tokio::test(start_paused = true)]
async fn a_claim_for_which_the_bots_have_no_time_is_not_counted_as_wrong() {
    let memory = MemoryDatabase::default();
    let (table, who) = claimable(&memory).await;
    let tables = registry(memory, TestQueue::new(true));
    let (task, mut receiver) = connect(&tables, table, who, 64).await;
    for number in 0..5 {
        let id = format!("claim-{number}");
        send(&task, who, &id, TableCommand::Claim).await;
        assert_eq!(answer(&mut receiver, &id).await, Err(RefusalReason::Unavailable));
    }
}

#[tokio::test(start_paused = true)]
async fn the_jobs_of_a_table_that_has_ended_are_skipped() {
    let memory = MemoryDatabase::default();
    let (table, who) = claimable(&memory).await;
    let queue = TestQueue::new(false);
    let tables = registry(memory, queue.clone());
    let (task, mut receiver) = connect(&tables, table, who, 64).await;
    send(&task, who, "claim", TableCommand::Claim).await;
    let (done, stopped) = oneshot::channel();
    assert!(task.send(TableMessage::Stop { done }).await.is_ok());
    stopped.await.expect("it stops");
    while receiver.recv().await.is_ok() {}
    tokio::task::yield_now().await;
    let job = queue.jobs.lock().expect("a lock").pop().expect("a claim");
    let BotJob::Claim(_, answer) = &job else { panic!("another job") };
    assert!(answer.is_closed(), "the table has no task any more");
}

#[tokio::test]
async fn a_bot_whose_answer_has_no_receiver_does_not_think() {
    let memory = MemoryDatabase::default();
    let (table, _) = claimable(&memory).await;
    let tables = registry(memory, TestQueue::new(false));
    let view = tables.read(table, TableReader::Server, |room| {
        let view = room.snapshot(player(ANA), &Default::default()).view.expect("a match");
        view.parse::<game::View>().expect("a view")
    });
    let view = view.await.expect("a table");
    let Viewer::Seat(seat) = view.viewer() else { panic!("Ana has a seat") };
    let question = || {
        let (level, seed) = (Level::Easy, Seed([1; 32]));
        Box::new(BotQuestion { seat, level, view: view.clone(), seed, version: 1, due: 0 })
    };
    static THOUGHT: AtomicBool = AtomicBool::new(false);
    let mut bots: AnswerFn = Box::new(|_, _| {
        THOUGHT.store(true, Ordering::Relaxed);
        None
    });
    let (on_answer, answer) = oneshot::channel();
    drop(answer);
    assert!(run_job(BotJob::Bot(question(), on_answer), &mut bots).is_ok());
    assert!(!THOUGHT.load(Ordering::Relaxed));
    let (on_answer, _answer) = oneshot::channel();
    assert!(run_job(BotJob::Bot(question(), on_answer), &mut bots).is_ok());
    assert!(THOUGHT.load(Ordering::Relaxed));
}

/// Counts slow clients.
#[derive(Default)]
struct SlowClients(Arc<AtomicU64>);

impl Recorder for SlowClients {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &metrics::Key, _: &Metadata<'_>) -> Counter {
        match key.name() {
            "ghinda_slow_clients_total" => Counter::from_arc(self.0.clone()),
            _ => Counter::noop(),
        }
    }

    fn register_gauge(&self, _: &metrics::Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, _: &metrics::Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_has_gone_is_not_counted_as_slow() {
    let counted = SlowClients::default();
    let _counts = metrics::set_default_local_recorder(&counted);
    let tables = registry(MemoryDatabase::default(), TestQueue::new(false));
    let table = open(&tables).await;
    let (task, mut receiver) = connect(&tables, table, ANA, 64).await;
    let (_, gone) = connect(&tables, table, ION, 64).await;
    drop(gone);
    send(&task, ANA, "sit", sit(1)).await;
    assert_eq!(answer(&mut receiver, "sit").await, Ok(()));
    assert_eq!(counted.0.load(Ordering::Relaxed), 0);
    // The first message of a client that reads nothing is the only one that fits.
    let (_, _slow) = connect(&tables, table, ION, 0).await;
    send(&task, ANA, "say", TableCommand::Say("salut".into())).await;
    assert_eq!(answer(&mut receiver, "say").await, Ok(()));
    assert_eq!(counted.0.load(Ordering::Relaxed), 1);
}

/// A store that takes its time to append.
struct SlowAppends(Duration);

impl FaultPlan for SlowAppends {
    fn fate(&self, operation: &Operation<'_>) -> OperationFate {
        let before = if operation.name == "append" { self.0 } else { Duration::ZERO };
        OperationFate { before, ..OperationFate::default() }
    }
}

#[tokio::test(start_paused = true)]
async fn clients_cannot_prolong_the_stop_of_a_table() {
    let memory = MemoryDatabase::default();
    let table = open(&registry(memory.open_again(Arc::new(NoFaults)), TestQueue::new(false))).await;
    let append_time = Duration::from_secs(5);
    let plan = Arc::new(SlowAppends(append_time));
    let tables = registry(memory.open_again(plan), TestQueue::new(false));
    let (task, mut receiver) = connect(&tables, table, ANA, 64).await;
    send(&task, ANA, "sit", sit(1)).await;
    // These wait until the first is stored.
    for number in 0..3 {
        send(&task, ANA, &format!("before-{number}"), TableCommand::Say("salut".into())).await;
    }
    let (done, stopped) = oneshot::channel();
    assert!(task.send(TableMessage::Stop { done }).await.is_ok());
    let (begun, mut asked) = (Instant::now(), 0);
    let mut stopped = std::pin::pin!(stopped);
    while timeout(Duration::from_secs(1), stopped.as_mut()).await.is_err() {
        let what = TableCommand::Say("still here".into());
        send(&task, ANA, &format!("after-{asked}"), what).await;
        asked += 1;
    }
    assert!(asked > 0 && begun.elapsed() < 2 * append_time, "{:?}", begun.elapsed());
    let last = memory.find_log(table.into()).await.expect("a store").expect("a table").last;
    assert_eq!(last, 2, "the table was opened, and Ana has sat down");
    let mut texts = Vec::new();
    while let Some(Ok(Outgoing::Text(text))) = receiver.recv().now_or_never() {
        texts.push(text.as_str().to_owned());
    }
    assert!(texts.iter().any(|text| text.contains(r#""id":"sit","version":2"#)), "{texts:?}");
    let is_answer = |text: &String| text.contains("before-") || text.contains("after-");
    assert!(!texts.iter().any(is_answer), "they are sent again to the next server: {texts:?}");
}

#[tokio::test]
async fn a_task_that_panics_leaves_nothing_in_the_lobby() {
    let tables = registry(MemoryDatabase::default(), TestQueue::new(false));
    let table = open(&tables).await;
    let (task, mut receiver) = connect(&tables, table, ANA, 64).await;
    send(&task, ANA, "sit", sit(1)).await;
    assert_eq!(answer(&mut receiver, "sit").await, Ok(()));
    assert_eq!(tables.index().lobby(9).len(), 1);
    // Without the hook, which would print it.
    let panics = TableMessage::Read(Box::new(|_| std::panic::resume_unwind(Box::new("a test"))));
    assert!(task.send(panics).await.is_ok());
    while receiver.recv().await.is_ok() {}
    assert!(tables.index().lobby(9).is_empty(), "the table has no task");
    let (task, mut receiver) = connect(&tables, table, ANA, 64).await;
    send(&task, ANA, "say", TableCommand::Say("salut".into())).await;
    assert_eq!(answer(&mut receiver, "say").await, Ok(()));
    assert_eq!(tables.index().lobby(9).len(), 1, "it is loaded anew");
}

#[tokio::test(start_paused = true)]
async fn bots_play_for_the_ration_of_the_players() {
    let queue = TestQueue::new(false);
    let tables = registry(MemoryDatabase::default(), queue.clone());
    let table = open(&tables).await;
    // A byte counts for fifteen seconds, and a player may have 60 of them.
    let rations = ByteRations::new(RationBytes { ledger: 240, table: 1 << 20, play: 240 });
    let payer = rations.payer(std::net::Ipv4Addr::LOCALHOST.into(), ShareOf::Player(player(ANA)));
    let (task, mut receiver) = connect_for(&tables, table, ANA, payer.clone(), 1_024).await;
    send(&task, ANA, "sit", sit(1)).await;
    send(&task, ANA, "start", TableCommand::Start).await;
    assert_eq!(answer(&mut receiver, "start").await, Ok(()));
    let room = async || tables.read(table, TableReader::Server, Room::clone).await.expect("a room");
    // Until it is the bot's turn.
    let job = loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        if let Some(job) = queue.jobs.lock().expect("a lock").pop() {
            break job;
        }
        if let Some(action) = first_action(&room().await, ANA) {
            send(&task, ANA, "act", TableCommand::Act(action)).await;
        }
    };
    payer.charge(RationKind::Play, 100);
    let before = room().await.version();
    let mut bots: AnswerFn =
        Box::new(|question, _| question.view.lawful_actions().first().copied());
    assert!(run_job(job, &mut bots).is_ok());
    tokio::time::sleep(Duration::from_secs(300)).await;
    assert_eq!(room().await.version(), before, "the bot waits");
    tokio::time::sleep(Duration::from_secs(3_600)).await;
    assert!(room().await.version() > before, "it goes on");
}

#[tokio::test]
async fn spectators_at_one_address_cannot_take_the_places_of_all() {
    let tables = registry(MemoryDatabase::default(), TestQueue::new(false));
    let table = open(&tables).await;
    let bytes = RationBytes { ledger: 1 << 20, table: 1 << 20, play: 1 << 20 };
    let rations = ByteRations::new(bytes);
    let mut open = Vec::new();
    let mut is_taken = async |number: u64, address: u8| {
        let address = std::net::Ipv4Addr::new(10, 0, 0, address).into();
        let payer = rations.payer(address, ShareOf::Player(player(number)));
        let (_, mut receiver) = connect_for(&tables, table, number, payer, 64).await;
        let first = receiver.recv().await.expect("an answer");
        open.push(receiver);
        !matches!(first, Outgoing::Close(CloseReason::TooMuch))
    };
    let share = (MAX_CONNECTIONS / SHARES) as u64;
    for number in 0..share {
        assert!(is_taken(100 + number, 1).await);
    }
    assert!(!is_taken(99, 1).await, "as many as may are from there");
    assert!(is_taken(ANA, 1).await, "the host has a place of their own");
    assert!(is_taken(98, 2).await, "another address");
}

/// The task that stored the end of the match may have ended before it knew that it was stored.
#[tokio::test]
async fn a_table_that_is_loaded_after_its_match_notifies_its_contest() {
    let memory = MemoryDatabase::default();
    let contest = LedgerId::new(5).expect("small");
    let tables = registry(memory.open_again(Arc::new(NoFaults)), TestQueue::new(false));
    let table = open_for(&tables, Some(contest)).await;
    let room = tables.read(table, TableReader::Server, Room::clone).await.expect("a room");
    store(&memory, table, &match_until(room, Room::is_over)).await;
    let tables = registry(memory, TestQueue::new(false));
    let mut ended = tables.ended_matches();
    let (_task, _receiver) = connect(&tables, table, ANA, 64).await;
    assert_eq!(ended.try_recv(), Ok((contest, table)));
}

#[tokio::test]
async fn so_many_messages_wait_at_a_table_and_then_its_connections_wait() {
    let tables = registry(MemoryDatabase::default(), TestQueue::new(false));
    let table = open(&tables).await;
    let (handle, _receiver) = connect(&tables, table, ANA, 8).await;
    let (answer, answered) = oneshot::channel();
    let read = TableMessage::Read(Box::new(|_| answer.send(()).expect("it waits")));
    assert!(handle.send(read).await.is_ok());
    answered.await.expect("the task has read all messages");
    // It does not run while this test does not wait.
    let send = || tokio::task::unconstrained(handle.send(TableMessage::Read(Box::new(|_| {}))));
    for number in 0..MAX_QUEUED {
        assert!(matches!(send().now_or_never(), Some(Ok(()))), "{number}");
    }
    let mut next = Box::pin(send());
    assert!((&mut next).now_or_never().is_none(), "it waits");
    assert!(next.await.is_ok(), "until there is a place");
}
