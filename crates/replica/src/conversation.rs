//! The conversation of a client with a server over a transport that may be lost: hello, resume,
//! commands that are sent again, beats, retries and the end. Pure: messages and times are values.
//!
//! The caller owns the transport and the replica. It reports what happens to the transport and does
//! what each method returns:
//!
//! - [`connected`](Conversation::connected) when the transport is open: send the hello.
//! - [`receive`](Conversation::receive) for every message: do what the [`ConversationStep`] says.
//! - [`command`](Conversation::command) for a command of the user: send it, if it can be sent now.
//! - [`tick`](Conversation::tick) at [`due_at`](Conversation::due_at): send the beat, or drop the
//!   transport.
//! - [`disconnected`](Conversation::disconnected) when the transport is gone: connect again at the
//!   returned time.
//!
//! The page, the terminal, the load generator's tables and mixed load, and the simulated clients are such
//! callers. Clients that measure or check the messages themselves have loops of their own: the load
//! generator's hall, which counts lines without folding them, and the ledger clients of the server's
//! network tests, which choose ids and repeat commands.

use wire::table::CloseReason;

/// The interval between beats.
const BEAT: u64 = 20_000;
/// The silence of the server after which the transport counts as lost.
const MAX_SILENCE: u64 = 50_000;
/// The delay before the first retry. It doubles with each failure.
const MIN_DELAY: u64 = 250;
/// The maximum delay before a retry.
const MAX_DELAY: u64 = 8_000;
/// A conversation that was never live is shown as lost once the delay exceeds this.
const MAX_OPENING_DELAY: u64 = 2_000;

/// What a conversation needs of the client's copy.
pub trait Replica {
    /// A command of the user.
    type Command;
    /// A message to the server.
    type Outgoing;
    /// A message from the server.
    type Incoming;
    /// The effect of a message on the replica.
    type Change;

    /// The first message over a new transport. It says what is known already.
    fn hello(&self) -> Self::Outgoing;
    /// The message that checks the transport.
    fn beat() -> Self::Outgoing;
    /// Makes the message of a command, with the id of its answer. The command is kept until it is
    /// answered.
    fn command(&mut self, command: Self::Command) -> (String, Self::Outgoing);
    /// The messages of the unanswered commands, oldest first.
    fn unanswered(&self) -> Vec<Self::Outgoing>;
    /// Forgets the state, but not the unanswered commands.
    fn forget(&mut self);
    /// The part of a message that concerns the conversation.
    fn signal(message: &Self::Incoming) -> ControlSignal;
    /// Folds a message.
    fn receive(&mut self, message: Self::Incoming) -> Self::Change;
    /// What a change means for the conversation.
    fn progress(change: &Self::Change) -> ReplicaProgress;
}

/// The part of a message that concerns the conversation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ControlSignal {
    /// The server's time, in a hello or the answer to a beat.
    Time(u64),
    /// The server closes the connection.
    Bye(CloseReason),
    /// Any other message.
    None,
}

/// What a change of the replica means for the conversation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplicaProgress {
    /// Nothing.
    None,
    /// After a hello, the replica is up to date.
    Synced,
    /// Something is missing: the whole state is needed.
    Gap,
    /// The state cannot be read: this program is too old.
    Unreadable,
}

/// The state of a conversation, as it is shown to the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConversationState<End> {
    /// The first connection is being opened.
    Opening,
    /// The connection works and the replica is up to date.
    Live,
    /// The connection was lost and is being reopened.
    Lost,
    /// The conversation has ended for good.
    Ended(End),
}

/// What the caller does after a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConversationStep<R: Replica> {
    /// The effect on the replica.
    pub change: R::Change,
    /// The messages to send, in order.
    pub send: Vec<R::Outgoing>,
    /// Whether to drop the transport.
    pub disconnect: bool,
}

/// What the caller does after a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tick {
    /// Nothing yet.
    Wait,
    /// Send a beat.
    Beat,
    /// The server is silent: drop the transport.
    Disconnect,
}

/// A conversation. `End` says why it has ended: by the server's bye, or for a reason of the caller.
#[derive(Clone, Debug)]
pub struct Conversation<End> {
    state: ConversationState<End>,
    transport: Option<OpenTransport>,
    /// Whether the state was forgotten because of a gap, and nothing was synced since then.
    recovers: bool,
    delay: u64,
    /// The failed attempts since the beginning, until it is live for the first time.
    failed_openings: Option<u32>,
    clock_offset: i64,
}

/// The state of a transport.
#[derive(Clone, Debug)]
struct OpenTransport {
    /// Whether the replica is up to date since the hello.
    synced: bool,
    received_at: u64,
    beat_at: u64,
}

impl<End: Copy> Default for Conversation<End> {
    fn default() -> Self {
        Conversation {
            state: ConversationState::Opening,
            transport: None,
            recovers: false,
            delay: MIN_DELAY,
            failed_openings: Some(0),
            clock_offset: 0,
        }
    }
}

impl<End: Copy + From<CloseReason>> Conversation<End> {
    /// Its state.
    pub fn state(&self) -> ConversationState<End> {
        self.state
    }

    /// The server's clock minus the caller's clock, in milliseconds.
    pub fn clock_offset(&self) -> i64 {
        self.clock_offset
    }

    /// Whether the replica is up to date, and commands are sent at once.
    pub fn is_live(&self) -> bool {
        self.transport.as_ref().is_some_and(|transport| transport.synced)
    }

    /// The number of failed attempts, if it was never live.
    pub fn failed_openings(&self) -> Option<u32> {
        self.failed_openings
    }

    /// A transport is open. Returns the hello to send.
    pub fn connected<R: Replica>(&mut self, replica: &R, now: u64) -> R::Outgoing {
        self.transport =
            Some(OpenTransport { synced: false, received_at: now, beat_at: now + BEAT });
        replica.hello()
    }

    /// Keeps a command until it is answered. Returns the id of its answer, and the message if it can
    /// be sent now; otherwise it is sent once the replica is up to date.
    pub fn command<R: Replica>(
        &mut self,
        replica: &mut R,
        command: R::Command,
    ) -> (String, Option<R::Outgoing>) {
        let (id, message) = replica.command(command);
        (id, self.is_live().then_some(message))
    }

    /// A message of the server has arrived.
    pub fn receive<R: Replica>(
        &mut self,
        replica: &mut R,
        message: R::Incoming,
        now: u64,
    ) -> ConversationStep<R> {
        self.received_anything(now);
        self.receive_signal(R::signal(&message), now);
        let change = replica.receive(message);
        let send = self.advance(replica, R::progress(&change));
        ConversationStep { change, send, disconnect: self.transport.is_none() }
    }

    /// Returns the messages to send.
    fn advance<R: Replica>(
        &mut self,
        replica: &mut R,
        progress: ReplicaProgress,
    ) -> Vec<R::Outgoing> {
        let Some(transport) = &mut self.transport else { return Vec::new() };
        match progress {
            ReplicaProgress::None => {}
            ReplicaProgress::Synced => {
                transport.synced = true;
                self.state = ConversationState::Live;
                (self.recovers, self.delay, self.failed_openings) = (false, MIN_DELAY, None);
                return replica.unanswered();
            }
            // Connects again without a version.
            ReplicaProgress::Gap if !self.recovers => {
                replica.forget();
                (self.transport, self.recovers) = (None, true);
            }
            // The whole state does not help either: this program cannot read it.
            ReplicaProgress::Gap | ReplicaProgress::Unreadable => {
                self.end(CloseReason::OtherVersion.into());
            }
        }
        Vec::new()
    }

    /// Something has arrived that is not a readable message: the server is there. A message of an
    /// unknown type is from a newer server; if it was an update, the next one reveals the gap.
    pub fn received_anything(&mut self, now: u64) {
        if let Some(transport) = &mut self.transport {
            transport.received_at = now;
        }
    }

    fn receive_signal(&mut self, signal: ControlSignal, now: u64) {
        match signal {
            ControlSignal::Time(time) => self.clock_offset = time as i64 - now as i64,
            ControlSignal::Bye(reason) if reason.may_return() => self.transport = None,
            ControlSignal::Bye(reason) => self.end(reason.into()),
            ControlSignal::None => {}
        }
    }

    /// When to call [`Conversation::tick`].
    pub fn due_at(&self) -> Option<u64> {
        let transport = self.transport.as_ref()?;
        Some(transport.beat_at.min(transport.received_at + MAX_SILENCE))
    }

    /// Time has passed.
    pub fn tick(&mut self, now: u64) -> Tick {
        let Some(transport) = &mut self.transport else { return Tick::Wait };
        if now >= transport.received_at + MAX_SILENCE {
            self.transport = None;
            return Tick::Disconnect;
        }
        if now < transport.beat_at {
            return Tick::Wait;
        }
        transport.beat_at = now + BEAT;
        Tick::Beat
    }

    /// The transport is gone, or could not be opened. Returns when to connect again; None if the
    /// conversation has ended.
    pub fn disconnected(&mut self, now: u64) -> Option<u64> {
        self.transport = None;
        let delay = self.delay;
        match self.state {
            ConversationState::Ended(_) => return None,
            ConversationState::Opening if delay <= MAX_OPENING_DELAY => {}
            _ => self.state = ConversationState::Lost,
        }
        self.failed_openings = self.failed_openings.map(|failed| failed + 1);
        self.delay = (delay * 2).min(MAX_DELAY);
        Some(now + delay)
    }

    /// The device reports that the network is back: the next delay is the shortest.
    pub fn network_is_back(&mut self) {
        self.delay = MIN_DELAY;
    }

    /// Ends the conversation for a reason of the caller, unless it has ended before.
    pub fn end(&mut self, end: End) {
        self.transport = None;
        if !matches!(self.state, ConversationState::Ended(_)) {
            self.state = ConversationState::Ended(end);
        }
    }
}
