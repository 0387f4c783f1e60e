//! Two referees at each table of a contest write at the same time, while the server is killed again
//! and again. Every acknowledged result is in the ledger exactly once and in order, and all
//! referees read the same.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use contest::{ContestSettings, ContestTableId, Role, Venue};
use futures_util::{SinkExt, StreamExt};
use game::Rules;
use replica::conversation::ConversationStep;
use replica::ledger::LedgerChange;
use replica::{Conversation, LedgerReplica, Replica, RoleKey};
use room::Key;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};
use wire::contest::{ContestChangeText, PartyText, header_line, table_text};
use wire::ledger::{CloseReason, Ledger, LedgerCommand, LedgerServerMessage};

use crate::ledger_client::LedgerClient;
use crate::load_run::{lots, seed};
use crate::test_server::TestServer;

const TABLES: usize = 4;
/// How many results are written in all.
const RESULTS: usize = 1_000;
/// How often the server is killed meanwhile.
const KILLS: usize = 8;
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// The state that all referees share.
struct Shared {
    address: String,
    ledger: String,
    key: Key,
    /// How many results were acknowledged.
    done: AtomicUsize,
    over: AtomicBool,
    again: AtomicUsize,
}

/// A referee who writes results until the end, over any number of connections.
struct Referee {
    shared: Arc<Shared>,
    number: usize,
    role: Role,
    conversation: Conversation<CloseReason>,
    replica: LedgerReplica,
    /// How many of their results were acknowledged.
    acknowledged: usize,
}

impl Referee {
    fn new(shared: Arc<Shared>, number: usize) -> Referee {
        let role = Role::Referee(ContestTableId { phase: 0, table: number / 2 });
        let role_key = RoleKey::organiser(shared.key).for_role(role);
        Referee {
            shared,
            number,
            role,
            conversation: Conversation::default(),
            replica: LedgerReplica::new(&format!("{number}-"), role_key),
            acknowledged: 0,
        }
    }

    /// A result that contains the number of its author and its own number.
    fn result(&self) -> LedgerCommand {
        let Role::Referee(table) = self.role else { unreachable!("a referee") };
        let scores = vec![21, self.number as i32, -(self.acknowledged as i32) - 1, 0];
        LedgerCommand::Contest(ContestChangeText::Rule {
            table: table_text(table),
            scores,
            broken_off: false,
        })
    }

    /// Connects, and writes until the connection is lost. The clock of the conversation stands still: the
    /// test has a time limit of its own.
    async fn visit(&mut self) -> Option<()> {
        let Shared { address, ledger, .. } = &*self.shared;
        let url = format!("ws://{address}/api/ledgers/{ledger}/socket");
        let connected = timeout(TIME_LIMIT, tokio_tungstenite::connect_async(url)).await.ok()?;
        let (mut socket, _) = connected.ok()?;
        let hello = self.conversation.connected(&self.replica, 0);
        socket.send(hello.text().into()).await.ok()?;
        loop {
            if self.conversation.is_live() && self.replica.unanswered().is_empty() {
                if self.shared.over.load(Ordering::Relaxed) {
                    return Some(());
                }
                let result = self.result();
                let (_, message) = self.conversation.command(&mut self.replica, result);
                socket.send(message.expect("it is live").text().into()).await.ok()?;
            }
            let frame = timeout(TIME_LIMIT, socket.next()).await.expect("in time")?.ok()?;
            let Ok(text) = frame.to_text() else { continue };
            if !frame.is_text() {
                continue;
            }
            let message = LedgerServerMessage::read(text).expect("the protocol");
            let step = self.receive(message);
            for message in step.send {
                socket.send(message.text().into()).await.ok()?;
            }
            if step.disconnect {
                return None;
            }
        }
    }

    fn receive(&mut self, message: LedgerServerMessage) -> ConversationStep<LedgerReplica> {
        if let LedgerServerMessage::Lines { from, .. } = &message {
            let known = self.replica.ledger().map_or(0, Ledger::len);
            assert_eq!(*from, known, "no gap and no repetition");
        }
        let step = self.conversation.receive(&mut self.replica, message, 0);
        assert!(!self.replica.is_refused(), "the key grants the role");
        match &step.change {
            LedgerChange::Answered { answer, .. } => {
                assert_eq!(*answer, Ok(()));
                self.acknowledged += 1;
                self.shared.done.fetch_add(1, Ordering::Relaxed);
            }
            LedgerChange::Gap | LedgerChange::Unreadable => panic!("{:?}", step.change),
            LedgerChange::Nothing | LedgerChange::Synced | LedgerChange::Lines { .. } => {}
        }
        step
    }

    async fn run(mut self) -> Referee {
        while self.visit().await.is_none() {
            let retry = self.conversation.disconnected(0);
            assert!(retry.is_some(), "it ended for good: {:?}", self.conversation.state());
            self.shared.again.fetch_add(1, Ordering::Relaxed);
            // Sooner than the conversation says: the server is killed every few seconds.
            sleep(Duration::from_millis(20)).await;
        }
        self
    }
}

/// A contest of sixteen entrants with its first phase drawn.
async fn draw_contest(server: &TestServer) -> (String, Key) {
    let rules = Rules::from_code("contest").expect("rules");
    let (title, word) = ("Cupa".parse().expect("a name"), "cupa".parse().expect("a word"));
    let settings = ContestSettings::new(title, word, rules, Venue::Hall).expect("settings");
    let client = server.new_client().await;
    let lines = json!({ "lines": header_line(&settings) });
    let answer: Value =
        server.post(&client, "/api/ledgers", lines).await.json().await.expect("JSON");
    let ledger = answer["ledger"].as_str().expect("a name").to_owned();
    let key: Key = answer["key"].as_str().expect("a key").parse().expect("a key");
    let organiser = Some(RoleKey::organiser(key));
    let mut organiser = LedgerClient::connect(&server.address, &ledger, "draw-", organiser).await;
    let entrants = (1..=4 * TABLES).map(|number| PartyText::Alone(format!("Player {number}")));
    let commands = [
        LedgerCommand::Contest(ContestChangeText::Enter { entrants: entrants.collect() }),
        LedgerCommand::Prepare,
        LedgerCommand::Draw { words: Vec::new() },
    ];
    for command in commands {
        assert_eq!(organiser.command(command).await, Ok(()));
    }
    (ledger, key)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_referees_write_at_once_while_the_server_is_killed_repeatedly() {
    let mut moments = lots(seed(), 7);
    let mut server = TestServer::open().await;
    let (ledger, key) = draw_contest(&server).await;
    let shared = Arc::new(Shared {
        address: server.address.clone(),
        ledger: ledger.clone(),
        key,
        done: AtomicUsize::new(0),
        over: AtomicBool::new(false),
        again: AtomicUsize::new(0),
    });
    let referees: Vec<_> = (0..2 * TABLES)
        .map(|number| Referee::new(shared.clone(), number))
        .map(|referee| tokio::spawn(referee.run()))
        .collect();
    for kill in 1..=KILLS {
        let until = Instant::now() + TIME_LIMIT;
        while shared.done.load(Ordering::Relaxed) < RESULTS * kill / KILLS {
            assert!(Instant::now() < until, "no results are written");
            sleep(Duration::from_millis(2)).await;
        }
        sleep(Duration::from_micros(moments.below(20_000) as u64)).await;
        server.kill();
        server.start_again().await;
    }
    shared.over.store(true, Ordering::Relaxed);
    let mut finished = Vec::new();
    for referee in referees {
        finished.push(timeout(TIME_LIMIT, referee).await.expect("in time").expect("a referee"));
    }
    let text = server.text(&format!("/api/ledgers/{ledger}")).await;
    let stored: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for referee in &finished {
        let number = referee.number as i64;
        let own = stored
            .iter()
            .filter(|line| line["did"] == "rule" && line["scores"][1].as_i64() == Some(number));
        let counted: Vec<i64> = own.filter_map(|line| line["scores"][2].as_i64()).collect();
        let expected: Vec<i64> = (1..=referee.acknowledged as i64).map(|count| -count).collect();
        assert_eq!(counted, expected, "each once and in order");
        let read = referee.replica.ledger().expect("a ledger").to_lines();
        assert!(text.starts_with(&read), "the referee has read the stored lines");
    }
    let again = shared.again.load(Ordering::Relaxed);
    println!("{KILLS} kills: {} results, {again} connections lost", stored.len());
    assert!(again >= KILLS, "the server was killed while they wrote");
    Ledger::from_lines(&text).expect("a valid contest");
    server.stop().await;
}
