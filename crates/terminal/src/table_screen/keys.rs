//! Keys and the mouse at a table: the keys of the browser client, and the arrows.

use cards::{Card, Suit};
use game::Action;
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;
use table_view::glance;
use table_view::narrator::QUICK;
use table_view::scene::{ChallengeableCard, ScenePrompt, TableScene};
use wire::table::{TableCommand, TableStage};

use super::{ClickTarget, ScreenNote, TableScreen, TableWindow};
use crate::table_connection::TerminalConnectionState;

impl TableScreen {
    pub(super) fn key_pressed(&mut self, key: KeyEvent) {
        if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
            return;
        }
        if let TerminalConnectionState::Ended(_) = self.connection.state() {
            self.has_left |= matches!(key.code, KeyCode::Enter | KeyCode::Esc | KeyCode::Char('q'));
        } else if let Some(window) = self.window.take() {
            self.window_key(window, key.code);
        } else if self.stage() == Some(TableStage::Waiting) {
            self.waiting_key(key.code);
        } else {
            self.table_key(key.code);
        }
    }

    /// Before a match, the list of offers fills the screen.
    fn waiting_key(&mut self, code: KeyCode) {
        match code {
            KeyCode::Char('q' | 'Q') | KeyCode::Esc => self.window = Some(TableWindow::Leave),
            KeyCode::Char('?') | KeyCode::F(1) => self.window = Some(TableWindow::Help),
            KeyCode::Char('y' | 'Y' | '/') => self.window = Some(TableWindow::Say(String::new())),
            _ => self.window_key(TableWindow::Offers(self.chosen_offer, false), code),
        }
        if let Some(TableWindow::Offers(at, false)) = self.window {
            (self.chosen_offer, self.window) = (at, None);
        }
    }

    fn table_key(&mut self, code: KeyCode) {
        let scene = self.scene();
        match code {
            KeyCode::Right => self.move_choice(scene.as_ref(), true),
            KeyCode::Left => self.move_choice(scene.as_ref(), false),
            KeyCode::Home => self.choose_at(scene.as_ref(), 0),
            KeyCode::End => self.choose_at(scene.as_ref(), usize::MAX),
            KeyCode::Enter | KeyCode::Char(' ') => self.enter(),
            KeyCode::Char(letter) => self.letter_key(letter, scene.as_ref()),
            KeyCode::F(1) => self.window = Some(TableWindow::Help),
            KeyCode::Esc => match self.note.take() {
                Some(_) => {}
                None => self.window = Some(TableWindow::Leave),
            },
            _ => {}
        }
    }

    fn letter_key(&mut self, letter: char, scene: Option<&TableScene>) {
        match letter {
            't' | 'T' => self.show_note(scene.map(|scene| scene.status.clone())),
            'r' => self.show_note(scene.map(glance::trick)),
            'R' => self.window = Some(TableWindow::Last),
            'v' | 'V' => self.show_note(scene.map(glance::bids)),
            'p' | 'P' => self.show_note(scene.map(glance::points)),
            's' | 'S' => self.window = Some(TableWindow::Sheet(usize::MAX)),
            'e' | 'E' => self.window = Some(TableWindow::Log(0)),
            'd' | 'D' if self.connection.replica.hands().is_some() => {
                self.window = Some(TableWindow::Hands)
            }
            'm' | 'M' if !self.is_practice() => self.window = Some(TableWindow::Offers(0, false)),
            'y' | 'Y' | '/' if !self.is_practice() => {
                self.window = Some(TableWindow::Say(String::new()));
            }
            'c' | 'C' if scene.is_some_and(|scene| scene.honour.is_some()) => {
                self.window = Some(TableWindow::Challenge(0, false));
            }
            'x' | 'X' if scene.is_some_and(TableScene::may_claim) => {
                self.command(TableCommand::Claim);
            }
            '?' => self.window = Some(TableWindow::Help),
            'q' | 'Q' => self.window = Some(TableWindow::Leave),
            _ => self.choose(letter, scene),
        }
    }

    /// Handles a digit or a suit's letter: it chooses a bid, or the first card of a suit.
    fn choose(&mut self, letter: char, scene: Option<&TableScene>) {
        let Some(scene) = scene else { return };
        let digit = letter.to_digit(10).map(|digit| digit as u8);
        if let (ScenePrompt::Bid(choices), Some(digit)) = (&scene.prompt, digit) {
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
        // The same key again chooses the next card of the suit.
        let of_suit = scene.hand.iter().map(|held| held.card).filter(|card| card.suit() == suit);
        let cards: Vec<Card> = of_suit.collect();
        let at = cards.iter().position(|card| Some(*card) == self.card);
        if !cards.is_empty() {
            let next = at.map_or(0, |at| (at + 1) % cards.len());
            (self.card, self.note) = (Some(cards[next]), None);
        }
    }

    fn show_note(&mut self, text: Option<String>) {
        let text = text.filter(|text| !text.is_empty());
        self.note = Some(ScreenNote::Info(text.unwrap_or_else(|| self.phrases.nothing_yet())));
    }

    /// Chooses the next or the previous bid or card. The first choice is a legal one.
    pub(super) fn move_choice(&mut self, scene: Option<&TableScene>, forward: bool) {
        let Some(scene) = scene else { return };
        let (at, may): (Option<usize>, Vec<bool>) = match &scene.prompt {
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
        self.choose_at(Some(scene), next);
    }

    fn choose_at(&mut self, scene: Option<&TableScene>, at: usize) {
        let Some(scene) = scene else { return };
        self.note = None;
        match &scene.prompt {
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

    /// Handles a key of a window that was taken from `self.window`; storing it again keeps it open.
    fn window_key(&mut self, window: TableWindow, code: KeyCode) {
        match window {
            TableWindow::Leave => {
                self.has_left |= matches!(code, KeyCode::Enter | KeyCode::Char('q' | 'Q'));
            }
            TableWindow::Call(card, points) => match code {
                KeyCode::Enter | KeyCode::Char('c' | 'C') => {
                    self.act(Action::Play { card, call: true });
                }
                KeyCode::Char(' ') => self.act(Action::Play { card, call: false }),
                KeyCode::Esc | KeyCode::Left | KeyCode::Right => {}
                _ => self.window = Some(TableWindow::Call(card, points)),
            },
            TableWindow::Sheet(at) => self.scroll(code, at),
            TableWindow::Log(back) => {
                self.window = match code {
                    KeyCode::Up => Some(TableWindow::Log(back.saturating_add(1))),
                    KeyCode::PageUp => Some(TableWindow::Log(back.saturating_add(10))),
                    KeyCode::Down => Some(TableWindow::Log(back.saturating_sub(1))),
                    KeyCode::PageDown => Some(TableWindow::Log(back.saturating_sub(10))),
                    _ => None,
                };
            }
            TableWindow::Say(text) => self.chat_key(text, code),
            TableWindow::Offers(at, asked) => self.offers_key(at, asked, code),
            TableWindow::Challenge(at, asked) => self.challenge_key(at, asked, code),
            // Any key closes a window that only shows something.
            TableWindow::Help | TableWindow::Last | TableWindow::Hands => {}
        }
    }

    fn offers_key(&mut self, at: usize, asked: bool, code: KeyCode) {
        let offers = self.offers();
        let Some(at) = index_after(code, at, offers.len(), asked) else { return };
        self.window = Some(TableWindow::Offers(at, false));
        let Some(offer) = offers.get(at).filter(|_| code == KeyCode::Enter) else { return };
        if offer.question.is_some() && !asked {
            self.window = Some(TableWindow::Offers(at, true));
        } else {
            self.window = None;
            self.command(offer.command.clone());
        }
    }

    fn challenge_key(&mut self, at: usize, asked: bool, code: KeyCode) {
        let challengeable = self.challengeable();
        let Some(at) = index_after(code, at, challengeable.len(), asked) else { return };
        self.window = Some(TableWindow::Challenge(at, false));
        let Some(card) = challengeable.get(at).filter(|_| code == KeyCode::Enter) else { return };
        match &card.why {
            Some(why) => self.note = Some(ScreenNote::Refusal(why.sentence.clone())),
            None if asked => self.act(card.action),
            None => self.window = Some(TableWindow::Challenge(at, true)),
        }
    }

    /// All cards that may be challenged, in one list.
    pub(super) fn challengeable(&self) -> Vec<ChallengeableCard> {
        let honour = self.scene().and_then(|scene| scene.honour);
        let tricks = honour.map(|honour| honour.tricks).unwrap_or_default();
        tricks.into_iter().flat_map(|trick| trick.cards).collect()
    }

    fn scroll(&mut self, code: KeyCode, at: usize) {
        // `usize::MAX` stands for the end; the last draw computed where that is.
        let at = at.min(self.max_scrolled);
        self.window = match code {
            KeyCode::Up => Some(TableWindow::Sheet(at.saturating_sub(1))),
            KeyCode::Down => Some(TableWindow::Sheet(at + 1)),
            KeyCode::PageUp => Some(TableWindow::Sheet(at.saturating_sub(10))),
            KeyCode::PageDown => Some(TableWindow::Sheet(at + 10)),
            KeyCode::Home => Some(TableWindow::Sheet(0)),
            KeyCode::End => Some(TableWindow::Sheet(usize::MAX)),
            _ => None,
        };
    }

    fn chat_key(&mut self, mut text: String, code: KeyCode) {
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
                if text.chars().count() < wire::table::MAX_CHAT_TEXT {
                    text.push(letter);
                }
            }
            _ => {}
        }
        self.window = Some(TableWindow::Say(text));
    }

    pub(super) fn mouse_event(&mut self, mouse: MouseEvent) {
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let at = Position::new(mouse.column, mouse.row);
                // The area that was drawn last is on top.
                let found = self.areas.iter().rev().find(|(area, _)| area.contains(at));
                let target = found.map(|(_, target)| *target);
                self.click(target);
            }
            MouseEventKind::ScrollUp if self.window.is_some() => {
                self.key_pressed(KeyCode::Up.into())
            }
            MouseEventKind::ScrollDown if self.window.is_some() => {
                self.key_pressed(KeyCode::Down.into());
            }
            _ => {}
        }
    }

    fn click(&mut self, target: Option<ClickTarget>) {
        match target {
            Some(ClickTarget::Enter) => self.key_pressed(KeyCode::Enter.into()),
            Some(ClickTarget::Offer(index)) => {
                let chosen = match &mut self.window {
                    Some(TableWindow::Offers(chosen, _) | TableWindow::Challenge(chosen, _)) => {
                        chosen
                    }
                    _ => &mut self.chosen_offer,
                };
                if std::mem::replace(chosen, index) == index {
                    self.key_pressed(KeyCode::Enter.into());
                }
            }
            _ if self.window.is_some() => self.key_pressed(KeyCode::Esc.into()),
            Some(ClickTarget::Card(card)) if self.card == Some(card) => self.enter(),
            Some(ClickTarget::Card(card)) => (self.card, self.note) = (Some(card), None),
            Some(ClickTarget::Bid(bid)) if self.bid == Some(bid) => self.enter(),
            Some(ClickTarget::Bid(bid)) => (self.bid, self.note) = (Some(bid), None),
            None => {}
        }
    }
}

/// The chosen index of a list after a key. Returns `None` if the key closes the list.
fn index_after(code: KeyCode, at: usize, all: usize, asked: bool) -> Option<usize> {
    let last = all.saturating_sub(1);
    match code {
        KeyCode::Down => Some(if at >= last { 0 } else { at + 1 }),
        KeyCode::Up => Some(if at == 0 { last } else { at - 1 }),
        KeyCode::Esc if !asked => None,
        KeyCode::Char(_) => None,
        _ => Some(at.min(last)),
    }
}
