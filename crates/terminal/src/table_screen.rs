//! A table on the whole screen: what is chosen, which window is open, what a key does. It holds no
//! rules: the [`TableScene`] states what may be done and why not.

mod draw;
mod keys;
mod windows;

use std::time::Duration;

use cards::Card;
use game::Action;
use phrases::Phrases;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use ratatui::layout::Rect;
use replica::table::Prompt;
use table_view::actions::{OfferedAction, offers};
use table_view::scene::{ScenePrompt, TableScene};
use table_view::scores::Scores;
use wire::table::{Snapshot, TableCommand, TableStage};

use crate::appearance::Appearance;
use crate::clock;
use crate::screen::ScreenView;
use crate::table_connection::{
    ConnectionNotice, TerminalConnection, TerminalConnectionState, TransportEvent,
};

/// How many sentences the log keeps.
const MAX_LOG: usize = 200;
/// How long the end of a deal or of a match is shown before a key leads on, in milliseconds. A second
/// quick Enter was meant for the last card.
const END_PAUSE_MILLIS: u64 = 400;

/// How the player came to the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TableAccess {
    /// Against bots, in this process.
    Practice,
    /// By a link to a table of a server, as a player or a spectator.
    Link {
        /// The player's name.
        name: String,
        /// The preferred seat.
        seat: Option<usize>,
        /// Whether to join as a spectator.
        watches: bool,
        /// The link, to invite others.
        link: String,
    },
}

/// A window over the table.
#[derive(Clone, PartialEq, Eq, Debug)]
enum TableWindow {
    /// The keys.
    Help,
    /// The last trick.
    Last,
    /// The score sheet, scrolled down by this many lines.
    Sheet(usize),
    /// The log, scrolled back by this many lines.
    Log(usize),
    /// All hands of the finished deal.
    Hands,
    /// The actions besides playing: the chosen index, and whether it waits for confirmation.
    Offers(usize, bool),
    /// The cards that can be challenged: the chosen index, and whether it waits for confirmation.
    Challenge(usize, bool),
    /// Whether to play a card with a call of this many points or without.
    Call(Card, u8),
    /// Whether to leave.
    Leave,
    /// The chat message that is being typed.
    Say(String),
}

/// What a click on an area does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ClickTarget {
    Card(Card),
    Bid(u8),
    /// The same as the Enter key.
    Enter,
    Offer(usize),
}

/// A note below the table.
#[derive(Clone, PartialEq, Eq, Debug)]
enum ScreenNote {
    /// The answer to a key.
    Info(String),
    /// Why an action is refused, or a warning.
    Refusal(String),
}

/// A table on the whole screen.
pub(crate) struct TableScreen {
    phrases: Phrases,
    appearance: Appearance,
    pub(crate) connection: TerminalConnection,
    access: TableAccess,
    /// The level of a bot that the host adds.
    level: String,
    card: Option<Card>,
    bid: Option<u8>,
    window: Option<TableWindow>,
    note: Option<ScreenNote>,
    log: Vec<String>,
    areas: Vec<(Rect, ClickTarget)>,
    /// The chosen offer before a match.
    chosen_offer: usize,
    /// How far the open window could be scrolled when it was drawn.
    max_scrolled: usize,
    /// Whether a seat was requested already.
    seat_requested: bool,
    has_left: bool,
    /// When the current prompt appeared, in milliseconds.
    asked_at: u64,
}

impl TableScreen {
    pub(crate) fn new(
        connection: TerminalConnection,
        access: TableAccess,
        appearance: Appearance,
        phrases: Phrases,
    ) -> TableScreen {
        TableScreen {
            phrases,
            appearance,
            connection,
            access,
            level: "hard".into(),
            card: None,
            bid: None,
            window: None,
            note: None,
            log: Vec::new(),
            areas: Vec::new(),
            chosen_offer: 0,
            max_scrolled: 0,
            seat_requested: false,
            has_left: false,
            asked_at: 0,
        }
    }

    fn scene(&self) -> Option<TableScene> {
        self.connection.scene(self.appearance, &self.phrases)
    }

    fn is_practice(&self) -> bool {
        self.access == TableAccess::Practice
    }

    fn stage(&self) -> Option<TableStage> {
        self.connection.replica.state().map(|state| state.stage)
    }

    /// Whether a deal or the match has just ended, which opens a window.
    fn is_at_end(&self) -> bool {
        self.stage() == Some(TableStage::Over) || self.connection.replica.is_between_deals()
    }

    /// The score sheet so far.
    fn scores(&self) -> Scores {
        Scores::so_far(&self.connection.replica, &self.phrases)
    }

    fn offers(&self) -> Vec<OfferedAction> {
        let name = match &self.access {
            TableAccess::Link { name, .. } => name.as_str(),
            TableAccess::Practice => return Vec::new(),
        };
        let state = self.connection.replica.state();
        state.map(|state| offers(state, name, &self.level, &self.phrases)).unwrap_or_default()
    }

    /// The card that Enter plays: the chosen one, or the only legal one. Otherwise none, so that an
    /// extra key press plays nothing.
    fn chosen(&self, scene: &TableScene) -> Option<Card> {
        let held = |card: &Card| scene.hand.iter().any(|held| held.card == *card);
        let mut playable = scene.playable().map(|held| held.card);
        let only = playable.next().filter(|_| playable.next().is_none());
        self.card.filter(held).or(only)
    }

    /// The bid that Enter makes: the chosen one, or the only legal one.
    fn chosen_bid(&self, scene: &TableScene) -> Option<u8> {
        let ScenePrompt::Bid(choices) = &scene.prompt else { return None };
        let mut legal = choices.iter().filter(|choice| choice.why.is_none()).map(|c| c.bid);
        let only = legal.next().filter(|_| legal.next().is_none());
        self.bid.filter(|bid| choices.iter().any(|choice| choice.bid == *bid)).or(only)
    }

    fn act(&mut self, action: Action) {
        if !self.connection.replica.is_settled() {
            return;
        }
        if let Some(command) = self.connection.replica.act(action) {
            self.connection.replica.show_early(action);
            self.connection.send(command);
        }
        (self.card, self.bid, self.note, self.window) = (None, None, None, None);
    }

    /// Makes the chosen bid, or shows why it is refused.
    fn make_bid(&mut self, scene: &TableScene) {
        let ScenePrompt::Bid(choices) = &scene.prompt else { return };
        let chosen = self.chosen_bid(scene);
        let Some(choice) = choices.iter().find(|choice| Some(choice.bid) == chosen) else { return };
        match &choice.why {
            Some(why) => self.note = Some(ScreenNote::Refusal(why.sentence.clone())),
            None => self.act(Action::Bid(choice.bid)),
        }
    }

    /// Plays the chosen card, asks whether to call, or shows why the card is refused.
    fn play(&mut self, scene: &TableScene) {
        let chosen = self.chosen(scene);
        let Some(held) = scene.hand.iter().find(|held| Some(held.card) == chosen) else { return };
        if scene.prompt != ScenePrompt::Card {
            self.note = Some(ScreenNote::Info(scene.status.clone()));
        } else if let Some(why) = &held.why {
            self.note = Some(ScreenNote::Refusal(why.sentence.clone()));
        } else if let Some(points) = held.call {
            match scene.rules.calls_are_automatic() {
                true => self.act(Action::Play { card: held.card, call: true }),
                false => self.window = Some(TableWindow::Call(held.card, points)),
            }
        } else {
            self.act(Action::Play { card: held.card, call: false });
        }
    }

    /// Handles Enter while no window is open.
    fn enter(&mut self) {
        match self.connection.replica.prompt() {
            Some(Prompt::Ready | Prompt::Rematch) if self.is_prompt_new() => return,
            Some(Prompt::Ready) => return self.command(TableCommand::Ready),
            Some(Prompt::Rematch) => return self.command(TableCommand::AskForRematch),
            Some(Prompt::Act) | None => {}
        }
        let Some(scene) = self.scene() else { return };
        match scene.prompt {
            ScenePrompt::Bid(_) if self.chosen_bid(&scene).is_none() => {
                self.move_choice(Some(&scene), true)
            }
            ScenePrompt::Card if self.chosen(&scene).is_none() => {
                self.move_choice(Some(&scene), true)
            }
            ScenePrompt::Bid(_) => self.make_bid(&scene),
            ScenePrompt::Card => self.play(&scene),
            ScenePrompt::Accept if self.is_prompt_new() => {}
            ScenePrompt::Accept => self.act(Action::Accept),
            ScenePrompt::Nothing => self.note = Some(ScreenNote::Info(scene.status)),
        }
    }

    /// The current prompt. Playing a card and accepting a deal are different prompts.
    fn prompt(&self) -> (Option<Prompt>, bool) {
        let view = self.connection.replica.view();
        (
            self.connection.replica.prompt(),
            view.is_some_and(|view| view.public().awaits_acceptance()),
        )
    }

    /// Whether the current prompt appeared only just now.
    fn is_prompt_new(&self) -> bool {
        clock::millis().abs_diff(self.asked_at) < END_PAUSE_MILLIS
    }

    fn command(&mut self, command: TableCommand) {
        if self.connection.replica.is_settled() {
            self.connection.send(command);
        }
    }

    /// Requests a seat, once, if the player came by a link.
    fn request_seat(&mut self) {
        let Some(state) = self.connection.replica.state().filter(|_| !self.seat_requested) else {
            return;
        };
        if self.connection.state() == TerminalConnectionState::Live {
            self.seat_requested = true;
            if let Some(sit) = self.access.seat_command(state) {
                self.connection.send(sit);
            }
        }
    }
}

impl TableAccess {
    /// The command that takes a seat. Returns `None` for a spectator, a seated player, a full table, or
    /// a table of a contest, where seats are drawn by lot.
    pub(crate) fn seat_command(&self, state: &Snapshot) -> Option<TableCommand> {
        let TableAccess::Link { name, seat, watches: false, .. } = self else { return None };
        if state.you.seat.is_some() || state.contest.is_some() {
            return None;
        }
        let free =
            |at: &usize| state.seats.get(at - 1).is_some_and(|seat_state| seat_state.who.is_none());
        let seat = seat.or_else(|| (1..=state.seats.len()).find(free))?;
        Some(TableCommand::Sit { seat, name: name.clone() })
    }
}

impl ScreenView for TableScreen {
    fn draw(&mut self, frame: &mut Frame<'_>) {
        self.areas.clear();
        self.draw_screen(frame);
    }

    fn key(&mut self, key: KeyEvent) {
        self.key_pressed(key);
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        self.mouse_event(mouse);
    }

    fn receive(&mut self, event: TransportEvent) {
        let prompt = self.prompt();
        for notice in self.connection.receive(event, &self.phrases) {
            match notice {
                ConnectionNotice::Happened(sentence) => {
                    if self.log.len() == MAX_LOG {
                        self.log.remove(0);
                    }
                    self.log.push(sentence);
                    // The answer to a key is outdated now; the reason of a refusal is not.
                    if let Some(ScreenNote::Info(_)) = self.note {
                        self.note = None;
                    }
                }
                ConnectionNotice::Refused(why) | ConnectionNotice::Warning(why) => {
                    self.note = Some(ScreenNote::Refusal(why));
                }
                ConnectionNotice::Shown => {}
            }
        }
        if prompt != self.prompt() {
            self.asked_at = clock::millis();
            (self.card, self.bid) = (None, None);
            if let Some(TableWindow::Call(..)) = self.window {
                self.window = None;
            }
        }
        self.request_seat();
    }

    fn tick_after(&self) -> Option<Duration> {
        // A running clock is drawn again each second.
        let clock = self.connection.seconds_left().map(|_| Duration::from_millis(500));
        clock.into_iter().chain(self.connection.tick_after()).min()
    }

    fn tick(&mut self) {
        self.connection.tick();
    }

    fn has_left(&self) -> bool {
        self.has_left
    }
}

#[cfg(test)]
mod tests;
