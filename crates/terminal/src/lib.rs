//! The client in the terminal: tables against bots and on a server, replays of records and score
//! sheets, on a whole screen or line by line.
//!
//! It holds no rules and no sentences: both come from `client`, which the page shares. What is
//! here is how it is drawn, what keys do, and who carries the texts: a [thread with bots](Offline)
//! or one with [a socket](Online).

mod clock;
mod home;
mod look;
mod offline;
mod online;
mod plain;
mod replay;
mod scene_layout;
mod screen;
mod sheet;
#[cfg(test)]
mod snapshots;
mod table_screen;
mod table_session;
mod widgets;

use anyhow::Result;
use phrases::Phrases;

use screen::{ScreenInput, inputs, show};
use table_screen::{TableScreen, Visit};
use table_session::TableSession;

pub use home::{HomeChoice, home};
pub use look::{Colours, Look};
pub use offline::Offline;
pub use online::{Online, TableLink};
pub use replay::{ReplayOptions, replay};
pub use screen::{is_terminal, size};
pub use sheet::{SheetBackend, sheet};

/// How somebody speaks with a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DisplayMode {
    /// Line by line instead of on the whole screen.
    pub plain: bool,
    /// How it looks.
    pub look: Look,
}

/// Plays against bots in this process until the player leaves.
pub fn play(table: Offline, manner: DisplayMode, phrases: Phrases) -> Result<()> {
    let (to, from) = inputs();
    let news = to.clone();
    let (post, running) = table.open(move |told| _ = news.send(ScreenInput::News(told)))?;
    let talk = TableSession::new(post);
    let shown = visit(talk, Visit::Alone, manner, phrases, &to, &from);
    shown.and(running.end())
}

/// Who comes to a table on a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visitor {
    /// What he is called.
    pub name: String,
    /// Where he would like to sit.
    pub seat: Option<usize>,
    /// Whether he only looks on.
    pub watches: bool,
}

/// Sits at a table of a server, or watches it, until the player leaves.
pub fn join(table: Online, guest: Visitor, manner: DisplayMode, phrases: Phrases) -> Result<()> {
    let (to, from) = inputs();
    let (news, link) = (to.clone(), table.link.to_string());
    let (post, running) = table.open(move |told| _ = news.send(ScreenInput::News(told)))?;
    let talk = TableSession::new(post);
    let Visitor { name, seat, watches } = guest;
    let visit_as = Visit::Guest { name, seat, watches, link };
    let shown = visit(talk, visit_as, manner, phrases, &to, &from);
    running.end();
    shown
}

fn visit(
    talk: TableSession,
    visit: Visit,
    manner: DisplayMode,
    phrases: Phrases,
    to: &std::sync::mpsc::Sender<ScreenInput>,
    from: &std::sync::mpsc::Receiver<ScreenInput>,
) -> Result<()> {
    if manner.plain {
        return plain::speak(talk, visit, manner.look, phrases, to, from);
    }
    show(&mut TableScreen::new(talk, visit, manner.look, phrases), to, from)
}
