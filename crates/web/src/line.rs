//! The line to a table: to a server's, by a cable that comes back by itself, or to one in this
//! browser.
//!
//! What the table tells is folded into the mirror; what people wish is sent, and sent again after
//! a lost connection. A line is hung up when its table is left.

use client::mirror::{Heard, Mirror};
use client::spoken::spoken;
use leptos::prelude::*;
use wire::table::{ClientMessage, Command, Refusal, ServerMessage};

use crate::api;
use crate::cable::Cable;
use crate::keeper::{self, Caller, End, Over, State, Wishes, now};
use crate::text::Words;

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
    wishes: Wishes<Command>,
}

impl Line {
    /// A line to this table, which is hung up with the component that asks for it.
    pub(crate) fn open(far: Far, words: Words) -> Line {
        let (wishes, waiting) = keeper::wishes();
        let line = Line::new(&keeper::own_name(), wishes);
        keeper::keep(Talk { line, far, words }, wishes, waiting);
        line
    }

    /// A line that nobody hears: a lesson has no table.
    pub(crate) fn to_nobody() -> Line {
        Line::new("", keeper::wishes().0)
    }

    fn new(name: &str, wishes: Wishes<Command>) -> Line {
        Line {
            mirror: RwSignal::new(Mirror::new(name)),
            state: RwSignal::new(State::Opening),
            refused: RwSignal::new(None),
            said: RwSignal::new(Vec::new()),
            ahead: RwSignal::new(0.0),
            record: RwSignal::new(None),
            wishes,
        }
    }

    /// Wishes something.
    pub(crate) fn wish(self, command: Command) {
        let _ = self.wishes.put(command);
    }
}

/// The talk with a table.
struct Talk {
    line: Line,
    far: Far,
    words: Words,
}

impl Caller for Talk {
    type Wish = Command;

    fn state(&self) -> RwSignal<State> {
        self.line.state
    }

    async fn cable(&mut self) -> Result<Cable, Over> {
        let table = match &self.far {
            Far::Practice(plan) => {
                let opened = Cable::to_worker(plan, self.words, self.line.record).await;
                return opened.ok_or(Over::Ended(End::NoWorker));
            }
            Far::Table(table) => table,
        };
        // A browser does not say why a WebSocket is refused, so we ask first.
        api::look(table).await?;
        Cable::to_server(&format!("/api/tables/{table}/socket")).ok_or(Over::Lost)
    }

    fn hello(&self) -> Option<String> {
        Some(self.line.mirror.try_with_untracked(Mirror::hello)?.text())
    }

    fn beat(&self) -> String {
        ClientMessage::Beat.text()
    }

    fn wish(&mut self, command: Command) -> Option<String> {
        Some(self.line.mirror.try_update_untracked(|mirror| mirror.wish(command))?.text())
    }

    fn cut(&self) -> Over {
        match self.far {
            // A worker that has died would die again.
            Far::Practice(_) => Over::Ended(End::NoWorker),
            Far::Table(_) => Over::Lost,
        }
    }

    fn hear(&mut self, text: &str) -> Result<Vec<String>, Over> {
        // A message that we cannot read is of a newer server, and an update will be missed.
        let Ok(message) = ServerMessage::read(text) else { return Ok(Vec::new()) };
        match &message {
            ServerMessage::Hello { time, .. } | ServerMessage::Beat { time } => {
                self.line.ahead.try_set(*time as f64 - now());
            }
            ServerMessage::Bye { why } => return Err(Over::from(*why)),
            _ => {}
        }
        let heard = self.line.mirror.try_update(|mirror| mirror.hear(message)).ok_or(Over::Left)?;
        match heard {
            Heard::Lost => {
                let forgotten = self.line.mirror.try_update_untracked(|mirror| {
                    mirror.forget();
                    mirror.hello().text()
                });
                return Ok(forgotten.into_iter().collect());
            }
            Heard::Arrived { .. } => {
                self.line.state.try_set(State::Live);
                let again = self.line.mirror.try_with_untracked(|mirror| {
                    mirror.unanswered().map(|wish| wish.text()).collect()
                });
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
