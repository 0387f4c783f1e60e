//! The conversation of a client over a transport that is lost, silent, or speaks another version.

use contest::Role;
use replica::conversation::{Conversation, ConversationState, Replica, Tick};
use replica::table::TableChange;
use replica::{LedgerReplica, TableReplica};
use wire::ledger::{LedgerClientMessage, LedgerServerMessage};
use wire::table::{
    ClientMessage, CloseReason, ServerMessage, Snapshot, TableCommand, Update, VERSION,
};

type TableConversation = Conversation<CloseReason>;

const BEAT: u64 = 20_000;
const SILENCE: u64 = 50_000;

struct Client {
    conversation: TableConversation,
    replica: TableReplica,
    now: u64,
}

impl Client {
    fn new() -> Client {
        let conversation = Conversation::default();
        Client { conversation, replica: TableReplica::new("a"), now: 1_000 }
    }

    /// Connects, and returns the version in the hello.
    fn connect(&mut self) -> Option<u64> {
        match self.conversation.connected(&self.replica, self.now) {
            ClientMessage::Hello { since, .. } => since,
            other => panic!("{other:?}"),
        }
    }

    fn receive(&mut self, message: ServerMessage) -> Vec<ClientMessage> {
        let step = self.conversation.receive(&mut self.replica, message, self.now);
        assert!(!step.disconnect, "the conversation goes on");
        step.send
    }

    fn is_closed_by(&mut self, message: ServerMessage) -> bool {
        self.conversation.receive(&mut self.replica, message, self.now).disconnect
    }

    fn state(&self) -> ConversationState<CloseReason> {
        self.conversation.state()
    }

    /// The whole answer to a hello. Returns the messages that are sent then.
    fn sync(&mut self, version: u64) -> Vec<ClientMessage> {
        assert!(self.receive(hello(self.now)).is_empty());
        assert!(self.receive(snapshot(version, "classic")).is_empty());
        self.receive(ServerMessage::Present { seats: vec![true; 4], watching: 0, clock: None })
    }

    fn live() -> Client {
        let mut client = Client::new();
        client.connect();
        client.sync(5);
        assert_eq!(client.state(), ConversationState::Live);
        client
    }
}

fn hello(time: u64) -> ServerMessage {
    ServerMessage::Hello { ghinda: VERSION, server: "test".into(), time }
}

fn snapshot(version: u64, rules: &str) -> ServerMessage {
    let state = Snapshot { version, ..test_support::table::snapshot(rules, 4) };
    ServerMessage::Snapshot(Box::new(state))
}

fn update(version: u64) -> ServerMessage {
    ServerMessage::Update(Update { version, at: 0, events: Vec::new(), clock: None, done: None })
}

fn id(message: &ClientMessage) -> &str {
    match message {
        ClientMessage::Do { id, .. } => id,
        other => panic!("not a command: {other:?}"),
    }
}

#[test]
fn commands_wait_until_the_replica_is_up_to_date() {
    let mut client = Client::new();
    let command = TableCommand::Start;
    let (first, message) = client.conversation.command(&mut client.replica, command.clone());
    assert_eq!(message, None, "nothing is connected");
    assert_eq!(client.connect(), None, "nothing is known");
    assert_eq!(client.conversation.command(&mut client.replica, command.clone()).1, None);
    assert_eq!(client.state(), ConversationState::Opening);
    let sent = client.sync(3);
    assert_eq!((sent.len(), id(&sent[0])), (2, first.as_str()), "oldest first");
    let (third, message) = client.conversation.command(&mut client.replica, command);
    assert_eq!(id(&message.expect("it is live")), third);
}

#[test]
fn a_lost_connection_is_resumed_and_unanswered_commands_are_sent_again() {
    let mut client = Client::live();
    client.conversation.command(&mut client.replica, TableCommand::Start);
    let retry_at = client.conversation.disconnected(client.now).expect("it goes on");
    assert_eq!((client.state(), retry_at), (ConversationState::Lost, client.now + 250));
    client.now = retry_at;
    assert_eq!(client.connect(), Some(5), "only what is missing is requested");
    assert!(client.receive(hello(9)).is_empty());
    assert!(client.receive(update(6)).is_empty());
    let present = ServerMessage::Present { seats: vec![true; 4], watching: 0, clock: None };
    assert_eq!(client.receive(present).len(), 1);
    assert_eq!(client.state(), ConversationState::Live);
    assert_eq!(client.replica.version(), Some(6));
}

#[test]
fn delays_double_up_to_a_limit_and_begin_anew_once_it_was_live() {
    let mut client = Client::new();
    let mut shown = Vec::new();
    for expected in [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000] {
        let retry_at = client.conversation.disconnected(client.now).expect("it goes on");
        assert_eq!(retry_at - client.now, expected);
        shown.push(client.state() == ConversationState::Lost);
        client.now = retry_at;
    }
    assert_eq!(client.conversation.failed_openings(), Some(7));
    let expected = [false, false, false, false, true, true, true];
    assert_eq!(shown, expected, "a short delay at the beginning is not shown");
    client.connect();
    client.sync(1);
    assert_eq!(client.conversation.failed_openings(), None);
    assert_eq!(client.conversation.disconnected(client.now), Some(client.now + 250));
    assert_eq!(client.conversation.disconnected(client.now), Some(client.now + 500));
    client.conversation.network_is_back();
    assert_eq!(client.conversation.disconnected(client.now), Some(client.now + 250));
    // A transport that opens and is lost before the state arrives does not shorten the delay.
    client.connect();
    assert_eq!(client.conversation.disconnected(client.now), Some(client.now + 500));
}

#[test]
fn a_silent_server_is_given_up() {
    let mut client = Client::live();
    let began = client.now;
    assert_eq!(client.conversation.due_at(), Some(began + BEAT));
    for beat in 1..=2 {
        client.now = began + beat * BEAT;
        assert_eq!(client.conversation.tick(client.now - 1), Tick::Wait);
        assert_eq!(client.conversation.tick(client.now), Tick::Beat);
    }
    // Anything that arrives shows that the server is there.
    client.conversation.received_anything(client.now);
    assert_eq!(client.conversation.due_at(), Some(client.now + BEAT));
    assert_eq!(client.conversation.tick(client.now + SILENCE), Tick::Disconnect);
    assert_eq!(client.conversation.due_at(), None, "it does not wake again and again");
    assert!(client.conversation.disconnected(client.now + SILENCE).is_some());
}

#[test]
fn the_clock_of_the_server_is_followed() {
    let mut client = Client::live();
    assert_eq!(client.conversation.clock_offset(), 0);
    client.receive(ServerMessage::Beat { time: client.now - 40 });
    assert_eq!(client.conversation.clock_offset(), -40);
}

#[test]
fn a_bye_ends_the_conversation_unless_the_client_may_return() {
    let mut client = Client::live();
    assert!(client.is_closed_by(ServerMessage::Bye { why: CloseReason::Stopping }));
    assert!(client.conversation.disconnected(client.now).is_some());
    assert_eq!(client.state(), ConversationState::Lost);
    client.connect();
    assert!(client.is_closed_by(ServerMessage::Bye { why: CloseReason::Revoked }));
    assert_eq!(client.conversation.disconnected(client.now), None);
    client.conversation.end(CloseReason::Closed);
    assert_eq!(client.state(), ConversationState::Ended(CloseReason::Revoked), "the first reason");
}

#[test]
fn after_a_gap_the_client_connects_again_for_the_whole_state() {
    let mut client = Client::live();
    for _ in 0..2 {
        let before = client.replica.version().expect("a version");
        assert!(client.is_closed_by(update(before + 3)));
        let (_, message) = client.conversation.command(&mut client.replica, TableCommand::Start);
        assert_eq!(message, None, "a command waits meanwhile");
        assert_eq!(client.conversation.disconnected(client.now), Some(client.now + 250));
        assert_eq!(client.connect(), None, "the whole state is requested");
        assert!(!client.sync(before + 4).is_empty(), "the command is sent now");
        assert_eq!(client.replica.version(), Some(before + 4));
    }
}

#[test]
fn a_state_that_cannot_be_read_ends_the_conversation() {
    let mut client = Client::new();
    client.connect();
    client.receive(hello(0));
    assert!(client.is_closed_by(snapshot(1, "a-game-of-tomorrow")));
    assert!(client.conversation.disconnected(client.now).is_some(), "it is tried once more");
    client.connect();
    client.receive(hello(0));
    assert!(client.is_closed_by(snapshot(1, "a-game-of-tomorrow")));
    assert_eq!(client.state(), ConversationState::Ended(CloseReason::OtherVersion));
    assert_eq!(client.conversation.disconnected(client.now), None);
}

#[test]
fn what_arrives_on_a_dropped_transport_changes_nothing_in_the_conversation() {
    let mut client = Client::live();
    client.conversation.disconnected(client.now);
    let step = client.conversation.receive(&mut client.replica, update(8), client.now);
    assert_eq!((step.change, step.send), (TableChange::Gap, Vec::new()));
    assert!(step.disconnect);
    assert_eq!(client.conversation.tick(client.now + SILENCE), Tick::Wait);
}

#[test]
fn a_ledger_has_the_same_conversation() {
    let header =
        r#"{"ghinda_contest":1,"title":"Cupa","word":"cupa","rules":"contest","venue":"hall"}"#;
    let lines = |from, line: &str| {
        let text = LedgerServerMessage::lines_text(from, [line].into_iter());
        LedgerServerMessage::read(&text).expect("a message")
    };
    let server_hello = LedgerServerMessage::Hello {
        ghinda: wire::ledger::VERSION,
        server: "test".into(),
        time: 0,
        role: "public".into(),
    };
    let mut conversation: TableConversation = Conversation::default();
    let mut replica = LedgerReplica::new("a", None);
    conversation.connected(&replica, 0);
    conversation.receive(&mut replica, server_hello.clone(), 0);
    assert_eq!(conversation.state(), ConversationState::Live);
    assert_eq!(replica.granted(), Some(Role::Public));
    conversation.receive(&mut replica, lines(0, header), 0);
    assert!(conversation.receive(&mut replica, lines(7, header), 0).disconnect);
    assert!(conversation.disconnected(0).is_some());
    let LedgerClientMessage::Hello { since: 0, .. } = conversation.connected(&replica, 0) else {
        panic!("all lines are requested")
    };
    conversation.receive(&mut replica, server_hello, 0);
    let newer = conversation.receive(&mut replica, lines(0, r#"{"ghinda_contest":2}"#), 0);
    assert!(newer.disconnect);
    assert_eq!(conversation.state(), ConversationState::Ended(CloseReason::OtherVersion));
    assert_eq!(replica.unanswered(), []);
}
