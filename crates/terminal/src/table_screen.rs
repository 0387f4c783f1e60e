//! A table on the whole screen: what is chosen, what is open, what a key does. It holds no rules:
//! the felt says what may be done and why not.

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
use table_view::participants;
use table_view::scene::{ScenePrompt, TableScene};
use table_view::scores::Scores;
use wire::table::{Snapshot, TableCommand, TableStage};

use crate::clock;
use crate::look::Look;
use crate::screen::ScreenView;
use crate::table_session::{SessionNotice, SessionState, TableSession, TransportEvent};

/// How many sentences are kept for those who look back.
const MAX_SAID: usize = 200;
/// For how long the end of a deal or of a match is shown before a key leads on, in milliseconds:
/// whoever pressed Enter twice has meant his last card.
const RESTS: u64 = 400;
/// With how many cards in hand the rest can be claimed: more is hardly ever certain.
const MAX_CLAIMED: usize = 5;

/// Why somebody is at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Visit {
    /// He plays against bots, in this process.
    Alone,
    /// He comes by a link, to sit down as this or to look on.
    Guest {
        /// What he is called.
        name: String,
        /// Where he would like to sit.
        seat: Option<usize>,
        /// Whether he only looks on.
        watches: bool,
        /// The link, to be sent to others.
        link: String,
    },
}

/// A window over the table.
#[derive(Clone, PartialEq, Eq, Debug)]
enum BoardWindow {
    /// The keys.
    Help,
    /// The last trick.
    Last,
    /// The score sheet, from so many lines on.
    Sheet(usize),
    /// What happened, so many lines back.
    Log(usize),
    /// All hands of the deal that is over.
    Hands,
    /// What can be done at the table; which is chosen, and whether it was asked back.
    Offers(usize, bool),
    /// The cards that can be challenged; which is chosen, and whether it was asked back.
    Challenge(usize, bool),
    /// With a call or without.
    Call(Card, u8),
    /// Whether to leave.
    Leave,
    /// Something is being said.
    Say(String),
}

/// What a place on the screen means to the mouse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ClickTarget {
    Card(Card),
    Bid(u8),
    /// The same as a key.
    Enter,
    Offer(usize),
}

/// Something told below the table.
#[derive(Clone, PartialEq, Eq, Debug)]
enum BoardNote {
    /// What was asked for by a key.
    Told(String),
    /// Why something cannot be done.
    Why(String),
}

/// A table on the whole screen.
pub(crate) struct TableScreen {
    phrases: Phrases,
    look: Look,
    pub(crate) talk: TableSession,
    visit: Visit,
    /// How well a bot plays that is added.
    level: String,
    card: Option<Card>,
    bid: Option<u8>,
    window: Option<BoardWindow>,
    note: Option<BoardNote>,
    log: Vec<String>,
    areas: Vec<(Rect, ClickTarget)>,
    /// Which of the offers is chosen before a match.
    at_offer: usize,
    /// How far the open window could be scrolled when it was drawn.
    most_scrolled: usize,
    /// Whether he has asked for a seat already.
    sat: bool,
    left: bool,
    /// Since when it is asked what is asked now.
    asked_at: u64,
}

impl TableScreen {
    pub(crate) fn new(
        talk: TableSession,
        visit: Visit,
        look: Look,
        phrases: Phrases,
    ) -> TableScreen {
        TableScreen {
            phrases,
            look,
            talk,
            visit,
            level: "hard".into(),
            card: None,
            bid: None,
            window: None,
            note: None,
            log: Vec::new(),
            areas: Vec::new(),
            at_offer: 0,
            most_scrolled: 0,
            sat: false,
            left: false,
            asked_at: 0,
        }
    }

    fn scene(&self) -> Option<TableScene> {
        self.talk.scene(self.look, &self.phrases)
    }

    fn is_alone(&self) -> bool {
        self.visit == Visit::Alone
    }

    fn stage(&self) -> Option<TableStage> {
        self.talk.replica.state().map(|state| state.stage)
    }

    /// Whether a deal or the match has just ended, which a window tells.
    fn is_at_end(&self) -> bool {
        self.stage() == Some(TableStage::Over) || self.talk.replica.is_between_deals()
    }

    /// The score sheet so far.
    fn scores(&self) -> Scores {
        let replica = &self.talk.replica;
        let Some((state, view)) = replica.state().zip(replica.view()) else {
            return Scores::default();
        };
        let names = participants::names(state, &self.phrases);
        Scores::new(view.public().rules(), &names, &state.deals, &self.phrases)
    }

    fn offers(&self) -> Vec<OfferedAction> {
        let name = match &self.visit {
            Visit::Guest { name, .. } => name.as_str(),
            Visit::Alone => return Vec::new(),
        };
        let state = self.talk.replica.state();
        state.map(|state| offers(state, name, &self.level, &self.phrases)).unwrap_or_default()
    }

    /// The card that would be played: the chosen one, or the only one that may be. Otherwise none:
    /// a key that was pressed once too often plays nothing.
    fn chosen(&self, scene: &TableScene) -> Option<Card> {
        let held = |card: &Card| scene.hand.iter().any(|held| held.card == *card);
        let mut playable = scene.playable().map(|held| held.card);
        let only = playable.next().filter(|_| playable.next().is_none());
        self.card.filter(held).or(only)
    }

    /// The bid that would be said: the chosen one, or the only one that may be.
    fn chosen_bid(&self, scene: &TableScene) -> Option<u8> {
        let ScenePrompt::Bid(choices) = &scene.asks else { return None };
        let mut lawful = choices.iter().filter(|choice| choice.why.is_none()).map(|c| c.bid);
        let only = lawful.next().filter(|_| lawful.next().is_none());
        self.bid.filter(|bid| choices.iter().any(|choice| choice.bid == *bid)).or(only)
    }

    /// Whether the rest can be claimed.
    fn may_claim(&self, scene: &TableScene) -> bool {
        let few = (2..=MAX_CLAIMED).contains(&scene.hand.len());
        let free = scene.stock.is_none_or(|left| left == 0);
        scene.asks == ScenePrompt::Card
            && scene.trick.is_empty()
            && few
            && free
            && !scene.rules.honour()
    }

    fn act(&mut self, action: Action) {
        if !self.talk.replica.is_settled() {
            return;
        }
        if let Some(command) = self.talk.replica.act(action) {
            self.talk.replica.lay(action);
            self.talk.send(command);
        }
        (self.card, self.bid, self.note, self.window) = (None, None, None, None);
    }

    /// Says the chosen bid, or why it may not be said.
    fn say_bid(&mut self, scene: &TableScene) {
        let ScenePrompt::Bid(choices) = &scene.asks else { return };
        let chosen = self.chosen_bid(scene);
        let Some(choice) = choices.iter().find(|choice| Some(choice.bid) == chosen) else { return };
        match &choice.why {
            Some(why) => self.note = Some(BoardNote::Why(why.sentence.clone())),
            None => self.act(Action::Bid(choice.bid)),
        }
    }

    /// Plays the chosen card, asks whether it is called, or says why it may not be played.
    fn play(&mut self, scene: &TableScene) {
        let chosen = self.chosen(scene);
        let Some(held) = scene.hand.iter().find(|held| Some(held.card) == chosen) else { return };
        if scene.asks != ScenePrompt::Card {
            self.note = Some(BoardNote::Told(scene.status.clone()));
        } else if let Some(why) = &held.why {
            self.note = Some(BoardNote::Why(why.sentence.clone()));
        } else if let Some(points) = held.call {
            match scene.rules.calls_are_automatic() {
                true => self.act(Action::Play { card: held.card, call: true }),
                false => self.window = Some(BoardWindow::Call(held.card, points)),
            }
        } else {
            self.act(Action::Play { card: held.card, call: false });
        }
    }

    /// What Enter does where no window is open.
    fn enter(&mut self) {
        match self.talk.replica.asked() {
            Some(Prompt::Ready | Prompt::Rematch) if self.is_new() => return,
            Some(Prompt::Ready) => return self.command(TableCommand::Ready),
            Some(Prompt::Rematch) => return self.command(TableCommand::Rematch),
            Some(Prompt::Act) | None => {}
        }
        let Some(scene) = self.scene() else { return };
        match scene.asks {
            ScenePrompt::Bid(_) if self.chosen_bid(&scene).is_none() => {
                self.walk(Some(&scene), true)
            }
            ScenePrompt::Card if self.chosen(&scene).is_none() => self.walk(Some(&scene), true),
            ScenePrompt::Bid(_) => self.say_bid(&scene),
            ScenePrompt::Card => self.play(&scene),
            ScenePrompt::Accept if self.is_new() => {}
            ScenePrompt::Accept => self.act(Action::Accept),
            ScenePrompt::Nothing => self.note = Some(BoardNote::Told(scene.status)),
        }
    }

    /// What is asked: a card and whether a deal was fair are different questions.
    fn question(&self) -> (Option<Prompt>, bool) {
        let view = self.talk.replica.view();
        (self.talk.replica.asked(), view.is_some_and(|view| view.public().is_reckoning()))
    }

    /// Whether what is asked has hardly been seen.
    fn is_new(&self) -> bool {
        clock::millis().abs_diff(self.asked_at) < RESTS
    }

    fn command(&mut self, command: TableCommand) {
        if self.talk.replica.is_settled() {
            self.talk.send(command);
        }
    }

    /// Whoever comes by a link sits down, once.
    fn sit_down(&mut self) {
        let Some(state) = self.talk.replica.state().filter(|_| !self.sat) else { return };
        if self.talk.state == SessionState::Live {
            self.sat = true;
            if let Some(sit) = self.visit.sits(state) {
                self.talk.send(sit);
            }
        }
    }
}

impl Visit {
    /// The wish of somebody who comes to sit down; nothing if he only looks on, sits already, finds no
    /// free seat, or comes to a table of a contest, where seats are given by lot.
    pub(crate) fn sits(&self, state: &Snapshot) -> Option<TableCommand> {
        let Visit::Guest { name, seat, watches: false, .. } = self else { return None };
        if state.you.seat.is_some() || state.contest.is_some() {
            return None;
        }
        let free = |at: &usize| state.seats.get(at - 1).is_some_and(|chair| chair.who.is_none());
        let seat = seat.or_else(|| (1..=state.seats.len()).find(free))?;
        Some(TableCommand::Sit { seat, name: name.clone() })
    }
}

impl ScreenView for TableScreen {
    fn draw(&mut self, frame: &mut Frame<'_>) {
        self.areas.clear();
        self.draw_all(frame);
    }

    fn key(&mut self, key: KeyEvent) {
        self.pressed(key);
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        self.tapped(mouse);
    }

    fn news(&mut self, news: TransportEvent) {
        let asked = self.question();
        for said in self.talk.receive(news, &self.phrases) {
            match said {
                SessionNotice::Happened(sentence) => {
                    if self.log.len() == MAX_SAID {
                        self.log.remove(0);
                    }
                    self.log.push(sentence);
                    // What was told by a key is stale now; why a card is refused is not.
                    if let Some(BoardNote::Told(_)) = self.note {
                        self.note = None;
                    }
                }
                SessionNotice::Refused(why) => self.note = Some(BoardNote::Why(why)),
                SessionNotice::Shown => {}
            }
        }
        if asked != self.question() {
            self.asked_at = clock::millis();
            (self.card, self.bid) = (None, None);
            if let Some(BoardWindow::Call(..)) = self.window {
                self.window = None;
            }
        }
        self.sit_down();
    }

    fn waits(&self) -> Option<Duration> {
        // A clock that runs is drawn anew each second.
        self.talk.seconds_left().map(|_| Duration::from_millis(500))
    }

    fn is_left(&self) -> bool {
        self.left
    }
}

#[cfg(test)]
mod tests;
