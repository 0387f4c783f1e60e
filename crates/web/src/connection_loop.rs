//! Keeps a connection, to a table or to a ledger: beats while it is there, waits and comes back when it
//! is lost, and ends with the component that asked for it. What is said over it is the caller's affair.

use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures_util::{FutureExt, StreamExt, select};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wire::table::CloseReason;

use crate::api::ApiError;
use crate::transport::Transport;

/// How often we say that we are there.
const BEATS_MS: u32 = 20_000;
/// How long the other side may be silent before the connection is taken for dead.
const SILENCE_MS: f64 = 50_000.0;
/// How long we wait before we try again, at first and at most.
const WAITS_MS: (u32, u32) = (250, 8_000);
/// Once we wait so long, whoever has seen nothing yet is told that there is no connection.
const PATIENCE_MS: u32 = 2_000;

/// How the connection is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConnectionState {
    /// It is being made for the first time.
    Opening,
    /// The other side is known and answers.
    Live,
    /// It was lost and is being made again.
    Lost,
    /// It has ended for good.
    Ended(EndReason),
}

/// Why a connection has ended for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EndReason {
    /// The server said so.
    Farewell(CloseReason),
    /// We were not let in.
    Refused(ApiError),
    /// The worker that plays with us cannot.
    NoWorker,
}

/// Why one cable is of no use any more.
pub(crate) enum Interruption {
    /// It was lost, or the server asks us to come back.
    Lost,
    /// It is of no use to come back.
    Ended(EndReason),
    /// Nobody looks any more.
    Left,
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
    fn from(trouble: ApiError) -> Interruption {
        match trouble {
            ApiError::Unreachable | ApiError::TooMany | ApiError::Unwell => Interruption::Lost,
            trouble => Interruption::Ended(EndReason::Refused(trouble)),
        }
    }
}

/// Who talks over a connection. Where nothing is to be said, because nobody looks any more, there is
/// nothing.
pub(crate) trait Conversation: 'static {
    /// What people wish from the other side.
    type Wish: Send + 'static;

    fn state(&self) -> RwSignal<ConnectionState>;

    async fn connect_transport(&mut self) -> Result<Transport, Interruption>;

    /// The first text over a new cable.
    fn hello(&self) -> Option<String>;

    /// The text that says that we are there.
    fn beat(&self) -> String;

    /// Keeps a wish until it is answered, and says how to send it.
    fn command(&mut self, command: Self::Wish) -> Option<String>;

    /// Takes a text, and says what is to be sent because of it.
    fn receive(&mut self, text: &str) -> Result<Vec<String>, Interruption>;

    /// What it means that the cable was cut without a word.
    fn on_cut(&self) -> Interruption {
        Interruption::Lost
    }
}

/// What the keeper is told.
enum LoopInput<Wish> {
    Wish(Wish),
    /// The network is back: try at once.
    Hurry,
}

/// Where wishes are put. A connection ends when its component is gone, and this with it.
pub(crate) struct CommandSender<Wish: 'static>(StoredValue<UnboundedSender<LoopInput<Wish>>>);

impl<Wish> Clone for CommandSender<Wish> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Wish> Copy for CommandSender<Wish> {}

impl<Wish: Send> CommandSender<Wish> {
    /// Wishes something. Nothing if nobody can hear it any more.
    pub(crate) fn send(self, command: Wish) -> Option<()> {
        self.0.try_with_value(|orders| orders.unbounded_send(LoopInput::Wish(command)).ok())?
    }
}

/// What was wished before anybody could hear it.
pub(crate) struct CommandQueue<Wish>(UnboundedReceiver<LoopInput<Wish>>);

/// A place for wishes, and what a keeper needs to hear them.
pub(crate) fn command_queue<Wish: Send>() -> (CommandSender<Wish>, CommandQueue<Wish>) {
    let (sender, orders) = unbounded();
    (CommandSender(StoredValue::new(sender)), CommandQueue(orders))
}

/// Keeps a connection for this caller until the component around is gone.
pub(crate) fn run<C: Conversation>(
    caller: C,
    commands: CommandSender<C::Wish>,
    waiting: CommandQueue<C::Wish>,
) {
    let hurry = window_event_listener(leptos::ev::online, move |_| {
        let _ = commands.0.try_with_value(|orders| orders.unbounded_send(LoopInput::Hurry));
    });
    on_cleanup(move || hurry.remove());
    // The queue ends with the component, and with it the keeper.
    spawn_local(ConnectionLoop { caller, orders: waiting.0 }.keep());
}

struct ConnectionLoop<C: Conversation> {
    caller: C,
    orders: UnboundedReceiver<LoopInput<C::Wish>>,
}

impl<C: Conversation> ConnectionLoop<C> {
    async fn keep(mut self) {
        let state = self.caller.state();
        let mut waits = WAITS_MS.0;
        loop {
            let over = self.connect().await.unwrap_or_else(|over| over);
            let Some(known) = state.try_get_untracked() else { return };
            match over {
                Interruption::Left => return,
                Interruption::Ended(end) => {
                    state.try_set(ConnectionState::Ended(end));
                    return;
                }
                Interruption::Lost => {}
            }
            if known == ConnectionState::Live {
                waits = WAITS_MS.0;
            }
            if known != ConnectionState::Opening || waits > PATIENCE_MS {
                state.try_set(ConnectionState::Lost);
            }
            if self.wait(waits).await {
                waits = WAITS_MS.0;
            } else {
                waits = (waits * 2).min(WAITS_MS.1);
            }
        }
    }

    /// Waits; whether there is a reason to hurry.
    async fn wait(&mut self, millis: u32) -> bool {
        let mut timer = TimeoutFuture::new(millis).fuse();
        loop {
            select! {
                () = timer => return false,
                order = self.orders.next() => match order {
                    // Kept by the caller, and sent when the other side is there again.
                    Some(LoopInput::Wish(command)) => if self.caller.command(command).is_none() { return true },
                    Some(LoopInput::Hurry) | None => return true,
                },
            }
        }
    }

    /// One cable from its beginning to its end.
    async fn connect(&mut self) -> Result<Interruption, Interruption> {
        let mut transport = self.caller.connect_transport().await?;
        let hello = self.caller.hello().ok_or(Interruption::Left)?;
        if !transport.send(hello).await {
            return Err(Interruption::Lost);
        }
        let mut heard_at = now();
        let mut beat = TimeoutFuture::new(BEATS_MS).fuse();
        loop {
            let texts = select! {
                text = transport.next() => match text {
                    Some(text) => {
                        heard_at = now();
                        self.caller.receive(&text)?
                    }
                    None => return Ok(self.caller.on_cut()),
                },
                order = self.orders.next() => match order {
                    Some(LoopInput::Wish(command)) => vec![self.caller.command(command).ok_or(Interruption::Left)?],
                    Some(LoopInput::Hurry) => Vec::new(),
                    None => return Err(Interruption::Left),
                },
                () = beat => {
                    if now() - heard_at > SILENCE_MS {
                        return Err(Interruption::Lost);
                    }
                    beat = TimeoutFuture::new(BEATS_MS).fuse();
                    vec![self.caller.beat()]
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

/// Our time, in milliseconds.
pub(crate) fn now() -> f64 {
    js_sys::Date::now()
}

/// A name for this end of a connection, so that our wishes are told from those of others.
pub(crate) fn own_name() -> String {
    format!("{:06x}", (js_sys::Math::random() * 16_777_216.0) as u32)
}
