//! The way to a ledger on the server: a contest or a score sheet that everybody folds for himself.
//!
//! What the server tells goes to the [follower](client::follower); what people wish is sent, and sent again
//! after a lost connection until it is answered. The way is closed with the component that opened it.

use std::collections::BTreeMap;

use client::follower::{Answer, Follower, Heard};
use client::pass::Pass;
use contest::{Contest, Role, Sheet};
use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures_channel::oneshot;
use futures_util::{FutureExt, StreamExt, select};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wire::ledger::{ClientMessage, Farewell, Ledger, ServerMessage, Wish};

use crate::api::{self, Trouble};
use crate::cable::Cable;
use crate::line::{BEATS_MS, End, SILENCE_MS, State, WAITS_MS, now};

/// A ledger of the server, as it is known here.
#[derive(Clone, Copy)]
pub(crate) struct Book {
    follower: RwSignal<Follower>,
    /// How the line is.
    pub(crate) state: RwSignal<State>,
    orders: StoredValue<UnboundedSender<Order>>,
}

enum Order {
    Wish(Box<Wish>, oneshot::Sender<Answer>),
    /// The network is back: try at once.
    Hurry,
}

impl Book {
    /// Opens a ledger, to do in it what the pass allows.
    pub(crate) fn open(name: &str, pass: Option<Pass>) -> Book {
        let (sender, orders) = unbounded();
        let own = format!("{:06x}-", (js_sys::Math::random() * 16_777_216.0) as u32);
        let book = Book {
            follower: RwSignal::new(Follower::new(&own, pass)),
            state: RwSignal::new(State::Opening),
            orders: StoredValue::new(sender.clone()),
        };
        let hurry = window_event_listener(leptos::ev::online, move |_| {
            let _ = sender.unbounded_send(Order::Hurry);
        });
        on_cleanup(move || hurry.remove());
        let keeper = Keeper {
            book,
            name: name.into(),
            orders,
            waiting: BTreeMap::new(),
            bye: None,
            heard_at: 0.0,
        };
        // The queue ends with the component, and with it the keeper.
        spawn_local(keeper.keep());
        book
    }

    /// Something about the ledger; nothing before it is known.
    pub(crate) fn look<T>(self, look: impl FnOnce(&Ledger) -> T) -> Option<T> {
        self.follower.with(|follower| follower.ledger().map(look))
    }

    /// Something about the contest, if it is one.
    pub(crate) fn contest<T>(self, look: impl FnOnce(&Contest) -> T) -> Option<T> {
        self.follower.with(|follower| follower.ledger().and_then(Ledger::contest).map(look))
    }

    /// Something about the sheet, if it is one.
    pub(crate) fn sheet<T>(self, look: impl FnOnce(&Sheet) -> T) -> Option<T> {
        self.follower.with(|follower| follower.ledger().and_then(Ledger::sheet).map(look))
    }

    /// What the server lets us do; nothing before it has said so.
    pub(crate) fn granted(self) -> Option<Role> {
        self.follower.with(Follower::granted)
    }

    /// Whether our key is not right.
    pub(crate) fn is_refused(self) -> bool {
        self.follower.with(Follower::is_refused)
    }

    /// Wishes something, and waits for the answer however long the line is down. Nothing if the ledger
    /// was left meanwhile.
    pub(crate) async fn wish(self, wish: Wish) -> Option<Answer> {
        let (answer, answered) = oneshot::channel();
        let order = Order::Wish(Box::new(wish), answer);
        self.orders.try_with_value(|orders| orders.unbounded_send(order).ok())??;
        answered.await.ok()
    }
}

struct Keeper {
    book: Book,
    name: String,
    orders: UnboundedReceiver<Order>,
    /// Who waits for the answer to which wish.
    waiting: BTreeMap<String, oneshot::Sender<Answer>>,
    bye: Option<Farewell>,
    heard_at: f64,
}

/// Why a connection is over.
enum Over {
    /// It was lost, or the server asks us to come back.
    Lost,
    /// It is of no use to come back.
    Ended(End),
    /// Nobody looks at the ledger any more.
    Left,
}

impl Keeper {
    async fn keep(mut self) {
        let mut waits = WAITS_MS.0;
        loop {
            let over = self.connect().await;
            let known = self.book.state.try_get_untracked();
            match over {
                Over::Left => return,
                _ if known.is_none() => return,
                Over::Ended(end) => {
                    self.book.state.try_set(State::Ended(end));
                    return;
                }
                Over::Lost => {}
            }
            if known == Some(State::Live) {
                waits = WAITS_MS.0;
            }
            // Whoever has seen nothing yet is told so too, if it takes long.
            if known != Some(State::Opening) || waits > 2_000 {
                self.book.state.try_set(State::Lost);
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
                    // Kept by the follower, and sent when the server is there again.
                    Some(Order::Wish(wish, answer)) => if self.note(*wish, answer).is_none() {
                        return true;
                    },
                    Some(Order::Hurry) | None => return true,
                },
            }
        }
    }

    /// Notes a wish and who waits for its answer, and says what is to be sent.
    fn note(&mut self, wish: Wish, answer: oneshot::Sender<Answer>) -> Option<ClientMessage> {
        let follower = self.book.follower;
        let (id, message) = follower.try_update_untracked(|follower| follower.wish(wish))?;
        self.waiting.insert(id, answer);
        Some(message)
    }

    /// One connection from its beginning to its end.
    async fn connect(&mut self) -> Over {
        if let Err(over) = self.read().await {
            return over;
        }
        let Some(mut cable) = Cable::to_server(&format!("/api/ledgers/{}/socket", self.name))
        else {
            return Over::Lost;
        };
        let Some(hello) = self.book.follower.try_with_untracked(Follower::hello) else {
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
                    Some(Order::Wish(wish, answer)) => match self.note(*wish, answer) {
                        Some(message) => vec![message],
                        None => return Over::Left,
                    },
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

    /// Gets what is written, where nothing is known yet: a browser does not say why a WebSocket is
    /// refused, and so we learn whether there is such a ledger.
    async fn read(&mut self) -> Result<(), Over> {
        let follower = self.book.follower;
        let known = follower.try_with_untracked(|follower| follower.ledger().is_some());
        if known.ok_or(Over::Left)? {
            return Ok(());
        }
        match api::ledger(&self.name).await {
            Ok(lines) => {
                let read = follower.try_update(|follower| follower.read(&lines));
                if read.ok_or(Over::Left)? { Ok(()) } else { Err(Over::Ended(OLD)) }
            }
            Err(Trouble::Unreachable | Trouble::TooMany | Trouble::Unwell) => Err(Over::Lost),
            Err(trouble) => Err(Over::Ended(End::Refused(trouble))),
        }
    }

    fn closed(&self) -> Over {
        match self.bye {
            Some(bye) if !bye.may_return() => Over::Ended(End::Farewell(bye)),
            _ => Over::Lost,
        }
    }

    /// Takes a message, and says what is to be sent because of it.
    fn hear(&mut self, text: &str) -> Result<Vec<ClientMessage>, Over> {
        self.heard_at = now();
        // What we cannot read is of a newer server, and a line will be missed.
        let Ok(message) = ServerMessage::read(text) else { return Ok(Vec::new()) };
        if let ServerMessage::Bye { why } = &message {
            self.bye = Some(*why);
        }
        let follower = self.book.follower;
        let heard = follower.try_update_untracked(|follower| follower.hear(message));
        match heard.ok_or(Over::Left)? {
            Heard::Nothing => {}
            Heard::Arrived => {
                follower.notify();
                self.book.state.try_set(State::Live);
                let again = follower.try_with_untracked(|follower| follower.unanswered().collect());
                return Ok(again.unwrap_or_default());
            }
            Heard::Lines { .. } => follower.notify(),
            Heard::Answered { id, answer } => {
                if let Some(waits) = self.waiting.remove(&id) {
                    let _ = waits.send(answer);
                }
            }
            Heard::Lost => {
                let hello = follower.try_update_untracked(|follower| {
                    follower.forget();
                    follower.hello()
                });
                return Ok(hello.into_iter().collect());
            }
            Heard::Unread => return Err(Over::Ended(OLD)),
        }
        Ok(Vec::new())
    }
}

/// The page is older than the server.
const OLD: End = End::Farewell(Farewell::OtherVersion);
