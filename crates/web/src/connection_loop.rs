//! Maintains a connection to a table or a ledger: opens transports, carries messages, and ends with
//! the component that opened it. What is said and when is decided by the [`Conversation`].

use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures_util::{FutureExt, StreamExt, select};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use replica::conversation::{Conversation, ConversationState, Replica, Tick};
use wire::table::CloseReason;

use crate::api::ApiError;
use crate::transport::Transport;

/// The state of a connection.
pub(crate) type ConnectionState = ConversationState<EndReason>;

/// Why a connection has ended for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EndReason {
    /// The server closed it.
    ClosedByServer(CloseReason),
    /// The server did not admit the client.
    Refused(ApiError),
    /// The worker of a practice table does not start or has failed.
    NoWorker,
}

impl From<CloseReason> for EndReason {
    fn from(reason: CloseReason) -> EndReason {
        EndReason::ClosedByServer(reason)
    }
}

/// Why one transport ended.
pub(crate) enum Interruption {
    /// It was lost, or the conversation drops it.
    Lost,
    /// Reconnecting does not help.
    Ended(EndReason),
    /// The component is gone.
    ComponentGone,
}

impl From<ApiError> for Interruption {
    fn from(error: ApiError) -> Interruption {
        match error {
            ApiError::Unreachable | ApiError::TooMany | ApiError::ServerFault => Interruption::Lost,
            error => Interruption::Ended(EndReason::Refused(error)),
        }
    }
}

/// The side of a connection that knows its messages. Methods return None if the component is gone.
pub(crate) trait ConnectionClient: 'static {
    type Replica: Replica;
    /// A command of the user, and what its sender waits for.
    type Command: Send + 'static;

    async fn connect_transport(&mut self) -> Result<Transport, Interruption>;

    /// The meaning of a transport that ended without a message.
    fn on_disconnect(&self) -> Interruption {
        Interruption::Lost
    }

    /// Reads a message. Returns None if it is from a newer server.
    fn read(text: &str) -> Option<<Self::Replica as Replica>::Incoming>;

    /// The text of a message.
    fn text(message: &<Self::Replica as Replica>::Outgoing) -> String;

    /// Uses the replica without notifying those who watch it.
    fn with_replica<T>(&self, act: impl FnOnce(&mut Self::Replica) -> T) -> Option<T>;

    /// Keeps a command until it is answered, and returns the message if it can be sent now.
    fn command(
        &mut self,
        conversation: &mut Conversation<EndReason>,
        command: Self::Command,
    ) -> Option<Option<<Self::Replica as Replica>::Outgoing>>;

    /// The replica has changed.
    fn on_change(&mut self, change: <Self::Replica as Replica>::Change);

    /// Shows the state of the conversation.
    fn show(&self, conversation: &Conversation<EndReason>);
}

/// An input of the connection loop.
enum LoopInput<Command> {
    Command(Command),
    /// The network is back: retry at once.
    NetworkBack,
}

/// The sender of commands. It is dropped with its component, which ends the connection.
pub(crate) struct CommandSender<Command: 'static>(StoredValue<UnboundedSender<LoopInput<Command>>>);

impl<Command> Clone for CommandSender<Command> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Command> Copy for CommandSender<Command> {}

impl<Command: Send> CommandSender<Command> {
    /// Sends a command. Returns None if the connection has ended.
    pub(crate) fn send(self, command: Command) -> Option<()> {
        self.0.try_with_value(|inputs| inputs.unbounded_send(LoopInput::Command(command)).ok())?
    }
}

/// The commands that wait for the connection loop.
pub(crate) struct CommandQueue<Command>(UnboundedReceiver<LoopInput<Command>>);

/// A sender of commands, and the queue from which the connection loop takes them.
pub(crate) fn command_queue<Command: Send>() -> (CommandSender<Command>, CommandQueue<Command>) {
    let (sender, inputs) = unbounded();
    (CommandSender(StoredValue::new(sender)), CommandQueue(inputs))
}

/// Maintains a connection for this client until the current component is gone.
pub(crate) fn run<C: ConnectionClient>(
    client: C,
    commands: CommandSender<C::Command>,
    queue: CommandQueue<C::Command>,
) {
    let online_listener = window_event_listener(leptos::ev::online, move |_| {
        let _ = commands.0.try_with_value(|inputs| inputs.unbounded_send(LoopInput::NetworkBack));
    });
    on_cleanup(move || online_listener.remove());
    // The queue ends with the component, which ends the loop.
    let conversation = Conversation::default();
    spawn_local(ConnectionLoop { client, conversation, inputs: queue.0 }.run());
}

struct ConnectionLoop<C: ConnectionClient> {
    client: C,
    conversation: Conversation<EndReason>,
    inputs: UnboundedReceiver<LoopInput<C::Command>>,
}

type MessageOf<C> = <<C as ConnectionClient>::Replica as Replica>::Outgoing;

impl<C: ConnectionClient> ConnectionLoop<C> {
    async fn run(mut self) {
        loop {
            let interruption = self.connect().await.unwrap_or_else(|interruption| interruption);
            match interruption {
                Interruption::ComponentGone => return,
                Interruption::Ended(end) => self.conversation.end(end),
                Interruption::Lost => {}
            }
            let retry_at = self.conversation.disconnected(now());
            self.client.show(&self.conversation);
            let Some(retry_at) = retry_at else { return };
            if self.wait(retry_at).await.is_none() {
                return;
            }
        }
    }

    /// Waits before a retry. Returns None if the component is gone.
    async fn wait(&mut self, until: u64) -> Option<()> {
        let mut timer = timer(until).fuse();
        loop {
            select! {
                () = timer => return Some(()),
                input = self.inputs.next() => match input? {
                    // The replica keeps it, and it is sent once the replica is up to date again.
                    LoopInput::Command(command) => _ = self.command(command)?,
                    LoopInput::NetworkBack => {
                        self.conversation.network_is_back();
                        return Some(());
                    }
                },
            }
        }
    }

    fn command(&mut self, command: C::Command) -> Option<Option<MessageOf<C>>> {
        self.client.command(&mut self.conversation, command)
    }

    /// Runs one transport from its beginning to its end.
    async fn connect(&mut self) -> Result<Interruption, Interruption> {
        let mut transport = self.client.connect_transport().await?;
        let conversation = &mut self.conversation;
        let hello = self.client.with_replica(|replica| conversation.connected(replica, now()));
        let mut messages = vec![hello.ok_or(Interruption::ComponentGone)?];
        let mut wake = timer(self.conversation.due_at().unwrap_or_default()).fuse();
        loop {
            for message in messages {
                if !transport.send(C::text(&message)).await {
                    return Err(Interruption::Lost);
                }
            }
            messages = select! {
                text = transport.next() => match text {
                    Some(text) => self.receive(&text)?,
                    None => return Ok(self.client.on_disconnect()),
                },
                input = self.inputs.next() => match input.ok_or(Interruption::ComponentGone)? {
                    LoopInput::Command(command) => {
                        let message = self.command(command).ok_or(Interruption::ComponentGone)?;
                        message.into_iter().collect()
                    }
                    LoopInput::NetworkBack => Vec::new(),
                },
                () = wake => {
                    let tick = self.conversation.tick(now());
                    wake = timer(self.conversation.due_at().unwrap_or_default()).fuse();
                    match tick {
                        Tick::Wait => Vec::new(),
                        Tick::Beat => vec![C::Replica::beat()],
                        Tick::Disconnect => return Err(Interruption::Lost),
                    }
                }
            };
        }
    }

    /// Handles a received text, and returns the messages to send in answer.
    fn receive(&mut self, text: &str) -> Result<Vec<MessageOf<C>>, Interruption> {
        let Some(message) = C::read(text) else {
            self.conversation.received_anything(now());
            return Ok(Vec::new());
        };
        let conversation = &mut self.conversation;
        let step =
            self.client.with_replica(|replica| conversation.receive(replica, message, now()));
        let step = step.ok_or(Interruption::ComponentGone)?;
        self.client.show(&self.conversation);
        self.client.on_change(step.change);
        if step.disconnect { Err(Interruption::Lost) } else { Ok(step.send) }
    }
}

/// Ends at a time of this device's clock.
fn timer(until: u64) -> TimeoutFuture {
    TimeoutFuture::new(u32::try_from(until.saturating_sub(now())).unwrap_or(u32::MAX))
}

/// The time of this device, in milliseconds.
pub(crate) fn now() -> u64 {
    js_sys::Date::now() as u64
}

/// A random prefix for the command ids of this client. A ledger has hundreds of clients, and two with
/// one prefix would take the answers of each other, so it is long.
pub(crate) fn random_id_prefix() -> String {
    let half = || (js_sys::Math::random() * 4_294_967_296.0) as u32;
    format!("{:08x}{:08x}", half(), half())
}

/// Sets a signal if its value has changed, so that nothing is drawn again for the same value.
pub(crate) fn set_if_changed<T: Copy + PartialEq + Send + Sync + 'static>(
    signal: RwSignal<T>,
    value: T,
) {
    if signal.try_get_untracked().is_some_and(|before| before != value) {
        signal.try_set(value);
    }
}
