//! The terminal client: tables against bots and on a server, replays of records and score
//! sheets, on the whole screen or line by line.
//!
//! It holds no rules and no sentences: it shares both with the browser client. It draws, handles
//! keys and connects to a table: [in a thread with bots](Offline) or [over a socket](Online).

mod appearance;
mod clock;
mod home;
mod offline;
mod online;
mod plain;
mod replay;
mod scene_layout;
mod screen;
mod sheet;
#[cfg(test)]
mod snapshots;
mod table_connection;
mod table_screen;
mod widgets;

use anyhow::Result;
use phrases::Phrases;

use screen::{ScreenInput, inputs, show};
use table_connection::TerminalConnection;
use table_screen::{TableAccess, TableScreen};

pub use appearance::{Appearance, Colours};
pub use home::{HomeChoice, home};
pub use offline::Offline;
pub use online::{Online, TableLink};
pub use replay::{ReplayOptions, replay};
pub use screen::{is_terminal, size};
pub use sheet::{SheetBackend, sheet};

/// How a table is displayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DisplayMode {
    /// Line by line instead of on the whole screen.
    pub plain: bool,
    /// Colours, cards and direction of play.
    pub appearance: Appearance,
}

/// Plays against bots in this process until the player leaves.
pub fn play(table: Offline, mode: DisplayMode, phrases: Phrases) -> Result<()> {
    let (sender, receiver) = inputs();
    let events = sender.clone();
    let (transport, thread) =
        table.open(move |event| _ = events.send(ScreenInput::Transport(event)))?;
    let connection = TerminalConnection::new(transport);
    let shown = show_table(connection, TableAccess::Practice, mode, phrases, &sender, &receiver);
    shown.and(thread.end())
}

/// A player or spectator who joins a table on a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visitor {
    /// The player's name.
    pub name: String,
    /// The preferred seat.
    pub seat: Option<usize>,
    /// Whether to join as a spectator.
    pub watches: bool,
}

/// Sits at a table of a server, or watches it, until the player leaves.
pub fn join(table: Online, visitor: Visitor, mode: DisplayMode, phrases: Phrases) -> Result<()> {
    let (sender, receiver) = inputs();
    let (events, link) = (sender.clone(), table.link.to_string());
    let (transport, thread) =
        table.open(move |event| _ = events.send(ScreenInput::Transport(event)))?;
    let connection = TerminalConnection::new(transport);
    let Visitor { name, seat, watches } = visitor;
    let access = TableAccess::Link { name, seat, watches, link };
    let shown = show_table(connection, access, mode, phrases, &sender, &receiver);
    thread.end();
    shown
}

fn show_table(
    connection: TerminalConnection,
    access: TableAccess,
    mode: DisplayMode,
    phrases: Phrases,
    sender: &std::sync::mpsc::Sender<ScreenInput>,
    receiver: &std::sync::mpsc::Receiver<ScreenInput>,
) -> Result<()> {
    if mode.plain {
        return plain::run(connection, access, mode.appearance, phrases, sender, receiver);
    }
    show(&mut TableScreen::new(connection, access, mode.appearance, phrases), sender, receiver)
}
