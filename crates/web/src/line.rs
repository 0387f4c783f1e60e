//! The line to a table: to a server's, by a cable that comes back by itself, or to one in this
//! browser.
//!
//! What the table tells is folded into the mirror; what people wish is sent, and sent again after
//! a lost connection. A line is hung up when its table is left.

use client::mirror::{Heard, Mirror};
use client::spoken::spoken;
use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures_util::{FutureExt, StreamExt, select};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wire::table::{ClientMessage, Command, Farewell, Refusal, ServerMessage};

use crate::api::{self, Trouble};
use crate::cable::Cable;
use crate::text::Words;

/// How often we say that we are there.
pub(crate) const BEATS_MS: u32 = 20_000;
/// How long a server may be silent before the line is taken for dead.
pub(crate) const SILENCE_MS: f64 = 50_000.0;
/// How long we wait before we try again, at first and at most.
pub(crate) const WAITS_MS: (u32, u32) = (250, 8_000);

/// How the line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    /// It is being made for the first time.
    Opening,
    /// The table is known and answers.
    Live,
    /// It was lost and is being made again.
    Lost,
    /// It has ended for good.
    Ended(End),
}

/// Why a line has ended for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// The server said so.
    Farewell(Farewell),
    /// We were not let in.
    Refused(Trouble),
    /// The worker that plays with us cannot.
    NoWorker,
}

/// Where a line leads.
#[derive(Clone, Debug)]
pub(crate) enum Far {
    /// To a table of the server, by its name.
    Table(String),
    /// To a table in this browser, by its plan.
    Practice(String),
}

/// A line to a table.
#[derive(Clone, Copy)]
pub(crate) struct Line {
    /// What is known of the table.
    pub(crate) mirror: RwSignal<Mirror>,
    /// How the line is.
    pub(crate) state: RwSignal<State>,
    /// What was refused last.
    pub(crate) refused: RwSignal<Option<(Command, Refusal)>>,
    /// What happened last, in words.
    pub(crate) said: RwSignal<Vec<String>>,
    /// The server's clock minus ours, in milliseconds.
    pub(crate) ahead: RwSignal<f64>,
    /// The record of the match that is over, where no server has it.
    pub(crate) record: RwSignal<Option<String>>,
    wishes: StoredValue<UnboundedSender<Order>>,
}

enum Order {
    Wish(Command),
    /// The network is back: try at once.
    Hurry,
}

impl Line {
    /// A line to this table, which is hung up with the component that asks for it.
    pub(crate) fn open(far: Far, words: Words) -> Line {
        let (sender, orders) = unbounded();
        let name = format!("{:06x}", (js_sys::Math::random() * 16_777_216.0) as u32);
        let line = Line::new(&name, sender.clone());
        let hurry = window_event_listener(leptos::ev::online, move |_| {
            let _ = sender.unbounded_send(Order::Hurry);
        });
        on_cleanup(move || hurry.remove());
        let keeper = Keeper { line, far, words, orders, bye: None, heard_at: 0.0 };
        // The queue ends with the component, and with it the keeper.
        spawn_local(keeper.keep());
        line
    }

    /// A line that nobody hears: a lesson has no table.
    pub(crate) fn to_nobody() -> Line {
        Line::new("", unbounded().0)
    }

    fn new(name: &str, wishes: UnboundedSender<Order>) -> Line {
        Line {
            mirror: RwSignal::new(Mirror::new(name)),
            state: RwSignal::new(State::Opening),
            refused: RwSignal::new(None),
            said: RwSignal::new(Vec::new()),
            ahead: RwSignal::new(0.0),
            record: RwSignal::new(None),
            wishes: StoredValue::new(wishes),
        }
    }

    /// Wishes something.
    pub(crate) fn wish(self, command: Command) {
        self.wishes.with_value(|wishes| {
            let _ = wishes.unbounded_send(Order::Wish(command));
        });
    }
}

struct Keeper {
    line: Line,
    far: Far,
    words: Words,
    orders: UnboundedReceiver<Order>,
    bye: Option<Farewell>,
    heard_at: f64,
}

/// Why a connection is over.
enum Over {
    /// It was lost, or the server asks us to come back.
    Lost,
    /// It is of no use to come back.
    Ended(End),
    /// Nobody looks at the table any more.
    Left,
}

impl Keeper {
    async fn keep(mut self) {
        let mut waits = WAITS_MS.0;
        loop {
            let over = self.connect().await;
            let known = self.line.state.try_get_untracked();
            match over {
                Over::Left => return,
                _ if known.is_none() => return,
                Over::Ended(end) => {
                    self.line.state.try_set(State::Ended(end));
                    return;
                }
                Over::Lost => {}
            }
            if known == Some(State::Live) {
                waits = WAITS_MS.0;
            }
            if known != Some(State::Opening) {
                self.line.state.try_set(State::Lost);
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
                    Some(Order::Wish(command)) => {
                        // Kept by the mirror, and sent when the table is known again.
                        let wished = self.line.mirror.try_update_untracked(|mirror| mirror.wish(command));
                        if wished.is_none() { return true }
                    }
                    Some(Order::Hurry) | None => return true,
                },
            }
        }
    }

    /// One connection from its beginning to its end.
    async fn connect(&mut self) -> Over {
        let mut cable = match self.cable().await {
            Ok(cable) => cable,
            Err(over) => return over,
        };
        let Some(hello) = self.line.mirror.try_with_untracked(Mirror::hello) else {
            return Over::Left;
        };
        if !cable.send(hello.text()).await {
            return Over::Lost;
        }
        (self.bye, self.heard_at) = (None, now());
        let mut beat = TimeoutFuture::new(BEATS_MS).fuse();
        loop {
            let messages = select! {
                text = cable.next() => match text {
                    Some(text) => match self.hear(&text) {
                        Ok(messages) => messages,
                        Err(over) => return over,
                    },
                    None => return self.closed(),
                },
                order = self.orders.next() => match order {
                    Some(Order::Wish(command)) => {
                        let wished = self.line.mirror.try_update_untracked(|mirror| mirror.wish(command));
                        let Some(message) = wished else { return Over::Left };
                        vec![message]
                    }
                    Some(Order::Hurry) => Vec::new(),
                    None => return Over::Left,
                },
                () = beat => {
                    if now() - self.heard_at > SILENCE_MS {
                        return Over::Lost;
                    }
                    beat = TimeoutFuture::new(BEATS_MS).fuse();
                    vec![ClientMessage::Beat]
                }
            };
            for message in messages {
                if !cable.send(message.text()).await {
                    return Over::Lost;
                }
            }
        }
    }

    async fn cable(&self) -> Result<Cable, Over> {
        let table = match &self.far {
            Far::Practice(plan) => {
                let opened = Cable::to_worker(plan, self.words, self.line.record).await;
                return opened.ok_or(Over::Ended(End::NoWorker));
            }
            Far::Table(table) => table,
        };
        // A browser does not say why a WebSocket is refused, so we ask first.
        match api::look(table).await {
            Ok(()) => {
                let path = format!("/api/tables/{table}/socket");
                Cable::to_server(&path).ok_or(Over::Lost)
            }
            Err(Trouble::Unreachable | Trouble::TooMany | Trouble::Unwell) => Err(Over::Lost),
            Err(trouble) => Err(Over::Ended(End::Refused(trouble))),
        }
    }

    fn closed(&self) -> Over {
        match self.bye {
            // A worker that has died would die again.
            _ if matches!(self.far, Far::Practice(_)) => Over::Ended(End::NoWorker),
            Some(bye) if !bye.may_return() => Over::Ended(End::Farewell(bye)),
            _ => Over::Lost,
        }
    }

    /// Takes a message, and says what is to be sent because of it.
    fn hear(&mut self, text: &str) -> Result<Vec<ClientMessage>, Over> {
        self.heard_at = now();
        // A message that we cannot read is of a newer server, and an update will be missed.
        let Ok(message) = ServerMessage::read(text) else { return Ok(Vec::new()) };
        match &message {
            ServerMessage::Hello { time, .. } | ServerMessage::Beat { time } => {
                self.line.ahead.try_set(*time as f64 - now());
            }
            ServerMessage::Bye { why } => self.bye = Some(*why),
            _ => {}
        }
        let heard = self.line.mirror.try_update(|mirror| mirror.hear(message)).ok_or(Over::Left)?;
        match heard {
            Heard::Lost => {
                let forgotten = self.line.mirror.try_update_untracked(|mirror| {
                    mirror.forget();
                    mirror.hello()
                });
                return Ok(forgotten.into_iter().collect());
            }
            Heard::Arrived { .. } => {
                self.line.state.try_set(State::Live);
                let again = self.line.mirror.try_with_untracked(|m| m.unanswered().collect());
                return Ok(again.unwrap_or_default());
            }
            Heard::Refused { wish, refusal } => {
                self.line.refused.try_set(Some((wish, refusal)));
            }
            Heard::Told(told) => {
                let said = self.line.mirror.try_with_untracked(|mirror| {
                    self.words.with_untracked(|phrases| {
                        let said = told.iter().filter_map(|told| spoken(told, mirror, phrases));
                        said.collect::<Vec<String>>()
                    })
                });
                if let Some(said) = said.filter(|said| !said.is_empty()) {
                    self.line.said.try_set(said);
                }
            }
            Heard::Nothing | Heard::Snapshot | Heard::Presence => {}
        }
        Ok(Vec::new())
    }
}

/// Our time, in milliseconds.
pub(crate) fn now() -> f64 {
    js_sys::Date::now()
}
