//! What keys and the mouse do at a table: the keys of the page, and the arrows.

use cards::{Card, Suit};
use game::Action;
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;
use table_view::glance;
use table_view::narrator::QUICK;
use table_view::scene::{Doubted, ScenePrompt, TableScene};
use wire::table::{TableCommand, TableStage};

use super::{BoardNote, BoardWindow, ClickTarget, TableScreen};
use crate::table_session::SessionState;

impl TableScreen {
    pub(super) fn pressed(&mut self, key: KeyEvent) {
        if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
            return;
        }
        if let SessionState::Ended(_) = self.talk.state {
            self.left |= matches!(key.code, KeyCode::Enter | KeyCode::Esc | KeyCode::Char('q'));
        } else if let Some(window) = self.window.take() {
            self.in_window(window, key.code);
        } else if self.stage() == Some(TableStage::Waiting) {
            self.waiting(key.code);
        } else {
            self.at_table(key.code);
        }
    }

    /// Before a match: the list of what can be done is the screen.
    fn waiting(&mut self, code: KeyCode) {
        match code {
            KeyCode::Char('q' | 'Q') | KeyCode::Esc => self.window = Some(BoardWindow::Leave),
            KeyCode::Char('?') | KeyCode::F(1) => self.window = Some(BoardWindow::Help),
            KeyCode::Char('y' | 'Y' | '/') => self.window = Some(BoardWindow::Say(String::new())),
            _ => self.in_window(BoardWindow::Offers(self.at_offer, false), code),
        }
        if let Some(BoardWindow::Offers(at, false)) = self.window {
            (self.at_offer, self.window) = (at, None);
        }
    }

    fn at_table(&mut self, code: KeyCode) {
        let scene = self.scene();
        match code {
            KeyCode::Right => self.walk(scene.as_ref(), true),
            KeyCode::Left => self.walk(scene.as_ref(), false),
            KeyCode::Home => self.walk_to(scene.as_ref(), 0),
            KeyCode::End => self.walk_to(scene.as_ref(), usize::MAX),
            KeyCode::Enter | KeyCode::Char(' ') => self.enter(),
            KeyCode::Char(letter) => self.letter(letter, scene.as_ref()),
            KeyCode::F(1) => self.window = Some(BoardWindow::Help),
            KeyCode::Esc => match self.note.take() {
                Some(_) => {}
                None => self.window = Some(BoardWindow::Leave),
            },
            _ => {}
        }
    }

    fn letter(&mut self, letter: char, scene: Option<&TableScene>) {
        match letter {
            't' | 'T' => self.tell(scene.map(|scene| scene.status.clone())),
            'r' => self.tell(scene.map(glance::trick)),
            'R' => self.window = Some(BoardWindow::Last),
            'v' | 'V' => self.tell(scene.map(glance::bids)),
            'p' | 'P' => self.tell(scene.map(glance::points)),
            's' | 'S' => self.window = Some(BoardWindow::Sheet(usize::MAX)),
            'e' | 'E' => self.window = Some(BoardWindow::Log(0)),
            'd' | 'D' if self.talk.replica.hands().is_some() => {
                self.window = Some(BoardWindow::Hands)
            }
            'm' | 'M' if !self.is_alone() => self.window = Some(BoardWindow::Offers(0, false)),
            'y' | 'Y' | '/' if !self.is_alone() => {
                self.window = Some(BoardWindow::Say(String::new()));
            }
            'c' | 'C' if scene.is_some_and(|scene| scene.honour.is_some()) => {
                self.window = Some(BoardWindow::Challenge(0, false));
            }
            'x' | 'X' if scene.is_some_and(|scene| self.may_claim(scene)) => {
                self.command(TableCommand::Claim);
            }
            '?' => self.window = Some(BoardWindow::Help),
            'q' | 'Q' => self.window = Some(BoardWindow::Leave),
            _ => self.choose(letter, scene),
        }
    }

    /// A digit or a suit's letter: a bid, or the first card of a suit.
    fn choose(&mut self, letter: char, scene: Option<&TableScene>) {
        let Some(scene) = scene else { return };
        let digit = letter.to_digit(10).map(|digit| digit as u8);
        if let (ScenePrompt::Bid(choices), Some(digit)) = (&scene.asks, digit) {
            if choices.iter().any(|choice| choice.bid == digit) {
                (self.bid, self.note) = (Some(digit), None);
            }
            return;
        }
        let suit = match (digit, letter.to_ascii_lowercase()) {
            (Some(digit @ 1..=4), _) => Suit::ALL[usize::from(digit) - 1],
            (_, 'b') => Suit::Bell,
            (_, 'l') => Suit::Leaf,
            (_, 'a') => Suit::Acorn,
            (_, 'h') => Suit::Heart,
            _ => return,
        };
        // Once more leads to the next card of the suit.
        let of_suit = scene.hand.iter().map(|held| held.card).filter(|card| card.suit() == suit);
        let cards: Vec<Card> = of_suit.collect();
        let at = cards.iter().position(|card| Some(*card) == self.card);
        if !cards.is_empty() {
            let next = at.map_or(0, |at| (at + 1) % cards.len());
            (self.card, self.note) = (Some(cards[next]), None);
        }
    }

    fn tell(&mut self, said: Option<String>) {
        let said = said.filter(|said| !said.is_empty());
        self.note = Some(BoardNote::Told(said.unwrap_or_else(|| self.phrases.nothing_yet())));
    }

    /// To the next bid or card, or the one before; at first to one that may be said or played.
    pub(super) fn walk(&mut self, scene: Option<&TableScene>, forward: bool) {
        let Some(scene) = scene else { return };
        let (at, may): (Option<usize>, Vec<bool>) = match &scene.asks {
            ScenePrompt::Bid(choices) => {
                let chosen = self.chosen_bid(scene);
                let at = choices.iter().position(|choice| Some(choice.bid) == chosen);
                (at, choices.iter().map(|choice| choice.why.is_none()).collect())
            }
            _ => {
                let chosen = self.chosen(scene);
                let at = scene.hand.iter().position(|held| Some(held.card) == chosen);
                (at, scene.hand.iter().map(|held| held.why.is_none()).collect())
            }
        };
        let all = may.len();
        if all == 0 {
            return;
        }
        let next = match at {
            None if forward => may.iter().position(|may| *may).unwrap_or_default(),
            None => may.iter().rposition(|may| *may).unwrap_or(all - 1),
            Some(at) if forward => (at + 1) % all,
            Some(at) => (at + all - 1) % all,
        };
        self.walk_to(Some(scene), next);
    }

    fn walk_to(&mut self, scene: Option<&TableScene>, at: usize) {
        let Some(scene) = scene else { return };
        self.note = None;
        match &scene.asks {
            ScenePrompt::Bid(choices) => {
                let at = at.min(choices.len().saturating_sub(1));
                self.bid = choices.get(at).map(|choice| choice.bid);
            }
            _ => {
                let at = at.min(scene.hand.len().saturating_sub(1));
                self.card = scene.hand.get(at).map(|held| held.card);
            }
        }
    }

    /// A key while a window is open, which was taken away; whoever wants it open puts it back.
    fn in_window(&mut self, window: BoardWindow, code: KeyCode) {
        match window {
            BoardWindow::Leave => {
                self.left |= matches!(code, KeyCode::Enter | KeyCode::Char('q' | 'Q'));
            }
            BoardWindow::Call(card, points) => match code {
                KeyCode::Enter | KeyCode::Char('c' | 'C') => {
                    self.act(Action::Play { card, call: true });
                }
                KeyCode::Char(' ') => self.act(Action::Play { card, call: false }),
                KeyCode::Esc | KeyCode::Left | KeyCode::Right => {}
                _ => self.window = Some(BoardWindow::Call(card, points)),
            },
            BoardWindow::Sheet(at) => self.scroll(code, at),
            BoardWindow::Log(back) => {
                self.window = match code {
                    KeyCode::Up => Some(BoardWindow::Log(back.saturating_add(1))),
                    KeyCode::PageUp => Some(BoardWindow::Log(back.saturating_add(10))),
                    KeyCode::Down => Some(BoardWindow::Log(back.saturating_sub(1))),
                    KeyCode::PageDown => Some(BoardWindow::Log(back.saturating_sub(10))),
                    _ => None,
                };
            }
            BoardWindow::Say(text) => self.saying(text, code),
            BoardWindow::Offers(at, asked) => self.offering(at, asked, code),
            BoardWindow::Challenge(at, asked) => self.challenging(at, asked, code),
            // Any key closes what only shows something.
            BoardWindow::Help | BoardWindow::Last | BoardWindow::Hands => {}
        }
    }

    fn offering(&mut self, at: usize, asked: bool, code: KeyCode) {
        let offers = self.offers();
        let Some(at) = chosen_by(code, at, offers.len(), asked) else { return };
        self.window = Some(BoardWindow::Offers(at, false));
        let Some(offer) = offers.get(at).filter(|_| code == KeyCode::Enter) else { return };
        if offer.question.is_some() && !asked {
            self.window = Some(BoardWindow::Offers(at, true));
        } else {
            self.window = None;
            self.command(offer.command.clone());
        }
    }

    fn challenging(&mut self, at: usize, asked: bool, code: KeyCode) {
        let doubted = self.doubted();
        let Some(at) = chosen_by(code, at, doubted.len(), asked) else { return };
        self.window = Some(BoardWindow::Challenge(at, false));
        let Some(card) = doubted.get(at).filter(|_| code == KeyCode::Enter) else { return };
        match &card.why {
            Some(why) => self.note = Some(BoardNote::Why(why.sentence.clone())),
            None if asked => self.act(card.action),
            None => self.window = Some(BoardWindow::Challenge(at, true)),
        }
    }

    /// What may be doubted, in one list.
    pub(super) fn doubted(&self) -> Vec<Doubted> {
        let honour = self.scene().and_then(|scene| scene.honour);
        let tricks = honour.map(|honour| honour.tricks).unwrap_or_default();
        tricks.into_iter().flat_map(|trick| trick.cards).collect()
    }

    fn scroll(&mut self, code: KeyCode, at: usize) {
        // The end is wherever it was drawn to be.
        let at = at.min(self.most_scrolled);
        self.window = match code {
            KeyCode::Up => Some(BoardWindow::Sheet(at.saturating_sub(1))),
            KeyCode::Down => Some(BoardWindow::Sheet(at + 1)),
            KeyCode::PageUp => Some(BoardWindow::Sheet(at.saturating_sub(10))),
            KeyCode::PageDown => Some(BoardWindow::Sheet(at + 10)),
            KeyCode::Home => Some(BoardWindow::Sheet(0)),
            KeyCode::End => Some(BoardWindow::Sheet(usize::MAX)),
            _ => None,
        };
    }

    fn saying(&mut self, mut text: String, code: KeyCode) {
        match code {
            KeyCode::Esc => return,
            KeyCode::Enter => {
                if !text.trim().is_empty() {
                    self.command(TableCommand::Say(text.trim().into()));
                }
                return;
            }
            KeyCode::Backspace => _ = text.pop(),
            KeyCode::Char(letter) => {
                let quick = letter.to_digit(10).map(|digit| (digit as usize + 9) % 10);
                if let Some(quick) = quick.filter(|_| text.is_empty()) {
                    return self.command(TableCommand::Phrase(QUICK[quick]));
                }
                if text.chars().count() < wire::table::MAX_SAID {
                    text.push(letter);
                }
            }
            _ => {}
        }
        self.window = Some(BoardWindow::Say(text));
    }

    pub(super) fn tapped(&mut self, mouse: MouseEvent) {
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let at = Position::new(mouse.column, mouse.row);
                // What was drawn last lies on top.
                let found = self.areas.iter().rev().find(|(area, _)| area.contains(at));
                let tap = found.map(|(_, tap)| *tap);
                self.tap(tap);
            }
            MouseEventKind::ScrollUp if self.window.is_some() => self.pressed(KeyCode::Up.into()),
            MouseEventKind::ScrollDown if self.window.is_some() => {
                self.pressed(KeyCode::Down.into());
            }
            _ => {}
        }
    }

    fn tap(&mut self, tap: Option<ClickTarget>) {
        match tap {
            Some(ClickTarget::Enter) => self.pressed(KeyCode::Enter.into()),
            Some(ClickTarget::Offer(index)) => {
                let chosen = match &mut self.window {
                    Some(BoardWindow::Offers(chosen, _) | BoardWindow::Challenge(chosen, _)) => {
                        chosen
                    }
                    _ => &mut self.at_offer,
                };
                if std::mem::replace(chosen, index) == index {
                    self.pressed(KeyCode::Enter.into());
                }
            }
            _ if self.window.is_some() => self.pressed(KeyCode::Esc.into()),
            Some(ClickTarget::Card(card)) if self.card == Some(card) => self.enter(),
            Some(ClickTarget::Card(card)) => (self.card, self.note) = (Some(card), None),
            Some(ClickTarget::Bid(bid)) if self.bid == Some(bid) => self.enter(),
            Some(ClickTarget::Bid(bid)) => (self.bid, self.note) = (Some(bid), None),
            None => {}
        }
    }
}

/// Where a list stands after a key; nothing if it is closed by it.
fn chosen_by(code: KeyCode, at: usize, all: usize, asked: bool) -> Option<usize> {
    let last = all.saturating_sub(1);
    match code {
        KeyCode::Down => Some(if at >= last { 0 } else { at + 1 }),
        KeyCode::Up => Some(if at == 0 { last } else { at - 1 }),
        KeyCode::Esc if !asked => None,
        KeyCode::Char(_) => None,
        _ => Some(at.min(last)),
    }
}
