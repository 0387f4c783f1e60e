//! Maintains a connection to a table or a ledger: sends beats, reconnects after a loss, and ends with the
//! component that opened it. The [`Conversation`] handles the messages.

use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures_util::{FutureExt, StreamExt, select};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wire::table::CloseReason;

use crate::api::ApiError;
use crate::transport::Transport;

/// The interval between beats.
const BEAT_MS: u32 = 20_000;
/// The silence of the other side after which the connection counts as lost.
const SILENCE_MS: f64 = 50_000.0;
/// The delay before the first retry. It doubles with each failure.
const MIN_DELAY_MS: u32 = 250;
/// The maximum delay before a retry.
const MAX_DELAY_MS: u32 = 8_000;
/// A connection that never opened is shown as lost once the delay exceeds this.
const OPENING_DELAY_MS: u32 = 2_000;

/// The state of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConnectionState {
    /// The first connection is being opened.
    Opening,
    /// The connection works and the state is up to date.
    Live,
    /// The connection was lost and is being reopened.
    Lost,
    /// The connection has ended for good.
    Ended(EndReason),
}

/// Why a connection has ended for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EndReason {
    /// The server closed it.
    Farewell(CloseReason),
    /// The server did not admit the client.
    Refused(ApiError),
    /// The worker of a practice table does not start or has failed.
    NoWorker,
}

/// Why one transport ended.
pub(crate) enum Interruption {
    /// It was lost, or the server asks the client to reconnect.
    Lost,
    /// Reconnecting does not help.
    Ended(EndReason),
    /// The component is gone.
    ComponentGone,
}

impl From<CloseReason> for Interruption {
    fn from(why: CloseReason) -> Interruption {
        if why.may_return() {
            Interruption::Lost
        } else {
            Interruption::Ended(EndReason::Farewell(why))
        }
    }
}

impl From<ApiError> for Interruption {
    fn from(error: ApiError) -> Interruption {
        match error {
            ApiError::Unreachable | ApiError::TooMany | ApiError::Unwell => Interruption::Lost,
            error => Interruption::Ended(EndReason::Refused(error)),
        }
    }
}

/// Handles the messages of a connection. Methods return None if the component is gone.
pub(crate) trait Conversation: 'static {
    /// A command of the user.
    type Command: Send + 'static;

    fn state(&self) -> RwSignal<ConnectionState>;

    async fn connect_transport(&mut self) -> Result<Transport, Interruption>;

    /// The first text over a new transport.
    fn hello(&self) -> Option<String>;

    /// The text of a beat.
    fn beat(&self) -> String;

    /// Keeps a command until it is answered, and returns the text to send.
    fn keep_command(&mut self, command: Self::Command) -> Option<String>;

    /// Handles a received text, and returns the texts to send in answer.
    fn receive(&mut self, text: &str) -> Result<Vec<String>, Interruption>;

    /// The meaning of a transport that ended without a message.
    fn on_disconnect(&self) -> Interruption {
        Interruption::Lost
    }
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

/// Maintains a connection for this conversation until the current component is gone.
pub(crate) fn run<C: Conversation>(
    conversation: C,
    commands: CommandSender<C::Command>,
    queue: CommandQueue<C::Command>,
) {
    let online_listener = window_event_listener(leptos::ev::online, move |_| {
        let _ = commands.0.try_with_value(|inputs| inputs.unbounded_send(LoopInput::NetworkBack));
    });
    on_cleanup(move || online_listener.remove());
    // The queue ends with the component, which ends the loop.
    spawn_local(ConnectionLoop { conversation, inputs: queue.0 }.run());
}

struct ConnectionLoop<C: Conversation> {
    conversation: C,
    inputs: UnboundedReceiver<LoopInput<C::Command>>,
}

impl<C: Conversation> ConnectionLoop<C> {
    async fn run(mut self) {
        let state = self.conversation.state();
        let mut delay = MIN_DELAY_MS;
        loop {
            let interruption = self.connect().await.unwrap_or_else(|interruption| interruption);
            let Some(previous) = state.try_get_untracked() else { return };
            match interruption {
                Interruption::ComponentGone => return,
                Interruption::Ended(end) => {
                    state.try_set(ConnectionState::Ended(end));
                    return;
                }
                Interruption::Lost => {}
            }
            if previous == ConnectionState::Live {
                delay = MIN_DELAY_MS;
            }
            if previous != ConnectionState::Opening || delay > OPENING_DELAY_MS {
                state.try_set(ConnectionState::Lost);
            }
            if self.wait(delay).await {
                delay = MIN_DELAY_MS;
            } else {
                delay = (delay * 2).min(MAX_DELAY_MS);
            }
        }
    }

    /// Waits before a retry. Returns true if the wait was cut short.
    async fn wait(&mut self, millis: u32) -> bool {
        let mut timer = TimeoutFuture::new(millis).fuse();
        loop {
            select! {
                () = timer => return false,
                input = self.inputs.next() => match input {
                    // The conversation keeps it, and sends it once it is connected again.
                    Some(LoopInput::Command(command)) => {
                        if self.conversation.keep_command(command).is_none() {
                            return true;
                        }
                    }
                    Some(LoopInput::NetworkBack) | None => return true,
                },
            }
        }
    }

    /// Runs one transport from its beginning to its end.
    async fn connect(&mut self) -> Result<Interruption, Interruption> {
        let mut transport = self.conversation.connect_transport().await?;
        let hello = self.conversation.hello().ok_or(Interruption::ComponentGone)?;
        if !transport.send(hello).await {
            return Err(Interruption::Lost);
        }
        let mut received_at = now();
        let mut beat = TimeoutFuture::new(BEAT_MS).fuse();
        loop {
            let texts = select! {
                text = transport.next() => match text {
                    Some(text) => {
                        received_at = now();
                        self.conversation.receive(&text)?
                    }
                    None => return Ok(self.conversation.on_disconnect()),
                },
                input = self.inputs.next() => match input {
                    Some(LoopInput::Command(command)) => {
                        let text = self.conversation.keep_command(command);
                        vec![text.ok_or(Interruption::ComponentGone)?]
                    }
                    Some(LoopInput::NetworkBack) => Vec::new(),
                    None => return Err(Interruption::ComponentGone),
                },
                () = beat => {
                    if now() - received_at > SILENCE_MS {
                        return Err(Interruption::Lost);
                    }
                    beat = TimeoutFuture::new(BEAT_MS).fuse();
                    vec![self.conversation.beat()]
                }
            };
            for text in texts {
                if !transport.send(text).await {
                    return Err(Interruption::Lost);
                }
            }
        }
    }
}

/// The time of this device, in milliseconds.
pub(crate) fn now() -> f64 {
    js_sys::Date::now()
}

/// A random prefix for the command ids of this client.
pub(crate) fn random_client_name() -> String {
    format!("{:06x}", (js_sys::Math::random() * 16_777_216.0) as u32)
}
