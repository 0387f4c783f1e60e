//! The start screen that `ghinda` shows without a command: the quickest way to a game.

use anyhow::Result;
use phrases::Phrases;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::appearance::Appearance;
use crate::screen::{ScreenView, inputs, show};
use crate::widgets::{draw_if_too_small, styled, window};

/// What the user chose on the start screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HomeChoice {
    /// A match against bots, by this rules code.
    Play(&'static str),
    /// Starts a server for tables in the browser.
    Serve,
    /// Lists all commands.
    Commands,
    /// Leaves the program.
    Leave,
}

/// Shows the start screen and returns the choice.
pub fn home(appearance: Appearance, phrases: Phrases) -> Result<HomeChoice> {
    let mut screen =
        HomeScreen { appearance, phrases, at: 0, chosen: None, lines: Rect::default() };
    let (sender, receiver) = inputs();
    show(&mut screen, &sender, &receiver)?;
    Ok(screen.chosen.unwrap_or(HomeChoice::Leave))
}

struct HomeScreen {
    appearance: Appearance,
    phrases: Phrases,
    at: usize,
    chosen: Option<HomeChoice>,
    /// The area of the choices, for the mouse.
    lines: Rect,
}

impl HomeScreen {
    fn choices(&self) -> Vec<(String, HomeChoice)> {
        let phrases = &self.phrases;
        let cruce = |how: String| format!("{}: {how}", phrases.cruce());
        let whist = |count: usize| format!("{}: {}", phrases.whist(), phrases.home_players(count));
        vec![
            (cruce(phrases.home_players_teams(4)), HomeChoice::Play("cruce4t-21")),
            (cruce(phrases.home_players(3)), HomeChoice::Play("cruce3-21")),
            (cruce(phrases.home_players(2)), HomeChoice::Play("cruce2-21")),
            (whist(4), HomeChoice::Play("whist4")),
            (whist(6), HomeChoice::Play("whist6")),
            (phrases.term_home_serve(), HomeChoice::Serve),
            (phrases.term_home_commands(), HomeChoice::Commands),
        ]
    }
}

impl ScreenView for HomeScreen {
    fn draw(&mut self, frame: &mut Frame<'_>) {
        if draw_if_too_small(frame, &self.phrases) {
            return;
        }
        let area = frame.area();
        let mut lines = styled(&self.phrases.home_lead(), 60, Style::new());
        lines.push(Line::default());
        let above = lines.len() as u16;
        for (at, (label, _)) in self.choices().into_iter().enumerate() {
            let style = if at == self.at { self.appearance.chosen() } else { Style::new() };
            lines.push(Line::from(Span::styled(format!(" {label} "), style)));
        }
        let foot = [
            ("↑ ↓", self.phrases.term_do_choose()),
            ("Enter", self.phrases.play_now()),
            ("Q", self.phrases.term_do_leave()),
        ];
        let title = format!("{} · {}", self.phrases.brand(), self.phrases.home_title());
        let place = window(frame, area, self.appearance, &title, lines, &foot);
        let count = self.choices().len() as u16;
        self.lines = Rect::new(place.x, place.y + 1 + above, place.width, count);
    }

    fn key(&mut self, key: KeyEvent) {
        let choices = self.choices();
        match key.code {
            KeyCode::Down => self.at = (self.at + 1) % choices.len(),
            KeyCode::Up => self.at = (self.at + choices.len() - 1) % choices.len(),
            KeyCode::Enter => self.chosen = Some(choices[self.at].1),
            KeyCode::Char('q' | 'Q') | KeyCode::Esc => self.chosen = Some(HomeChoice::Leave),
            _ => {}
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        let lines = self.lines;
        if mouse.kind == MouseEventKind::Down(MouseButton::Left)
            && lines.contains((mouse.column, mouse.row).into())
        {
            self.at = usize::from(mouse.row - lines.y);
            self.chosen = Some(self.choices()[self.at].1);
        }
    }

    fn has_left(&self) -> bool {
        self.chosen.is_some()
    }
}

#[cfg(test)]
mod tests {
    use phrases::Language;

    use super::*;
    use crate::snapshots::{check, screen};

    fn home_screen(language: Language) -> HomeScreen {
        let (appearance, phrases) = (Appearance::default(), Phrases::new(language));
        HomeScreen { appearance, phrases, at: 0, chosen: None, lines: Rect::default() }
    }

    #[test]
    fn the_start_screen_is_drawn_and_keys_choose() {
        check("home", |language, size| screen(&mut home_screen(language), size));
        let mut home = home_screen(Language::English);
        for key in [KeyCode::Up, KeyCode::Up, KeyCode::Enter] {
            home.key(key.into());
        }
        assert_eq!(home.chosen, Some(HomeChoice::Serve));
    }
}
