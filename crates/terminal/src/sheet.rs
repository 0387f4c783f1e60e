//! The score sheet of a real table on the whole screen: it shows the sheet and which line comes next,
//! and takes one line at a time.

use anyhow::Result;
use phrases::Phrases;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Constraint, Layout};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use crate::appearance::Appearance;
use crate::screen::{ScreenView, inputs, show};
use crate::widgets::{bar, draw_if_too_small, hints, styled, window};

/// A score sheet and its storage.
pub trait SheetBackend {
    /// The sheet as on paper, and which line comes next.
    fn lines(&self, phrases: &Phrases) -> Vec<String>;
    /// The title, such as the game.
    fn title(&self, phrases: &Phrases) -> String;
    /// Writes a line, or returns why it cannot be written.
    fn write(&mut self, line: &str, phrases: &Phrases) -> Result<()>;
    /// Undoes the last change.
    fn undo(&mut self, phrases: &Phrases) -> Result<()>;
}

/// Edits a sheet until the user leaves.
pub fn sheet(backend: impl SheetBackend, appearance: Appearance, phrases: Phrases) -> Result<()> {
    let (sender, receiver) = inputs();
    show(&mut SheetScreen::new(backend, appearance, phrases), &sender, &receiver)
}

struct SheetScreen<P> {
    backend: P,
    appearance: Appearance,
    phrases: Phrases,
    line: String,
    refusal: Option<String>,
    help: bool,
    has_left: bool,
    /// How many lines at the end of a long sheet are scrolled away.
    scrolled_back: usize,
}

impl<P: SheetBackend> ScreenView for SheetScreen<P> {
    fn draw(&mut self, frame: &mut Frame<'_>) {
        if draw_if_too_small(frame, &self.phrases) {
            return;
        }
        let area = frame.area();
        let [top, page, why, line, foot] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(2),
            Constraint::Length(1),
            Constraint::Length(1),
        ])
        .areas(area);
        bar(
            frame,
            top,
            self.appearance,
            &self.phrases.score_sheet(),
            &self.backend.title(&self.phrases),
        );
        let all = self.backend.lines(&self.phrases);
        let room = usize::from(page.height);
        self.scrolled_back = self.scrolled_back.min(all.len().saturating_sub(room));
        let end = all.len() - self.scrolled_back;
        let shown = all[end.saturating_sub(room)..end].iter();
        let lines: Vec<Line<'_>> = shown.map(|line| Line::from(format!(" {line}"))).collect();
        frame.render_widget(Paragraph::new(lines), page);
        if let Some(text) = &self.refusal {
            let lines = styled(text, usize::from(why.width) - 2, self.appearance.warning());
            frame.render_widget(Paragraph::new(lines), why);
        }
        let typed =
            Line::from(Span::styled(format!(" > {}▏", self.line), self.appearance.strong()));
        frame.render_widget(Paragraph::new(typed), line);
        let keys = [
            ("Enter", self.phrases.term_sheet_write()),
            ("Esc", self.phrases.term_do_leave()),
            ("F1", self.phrases.term_sheet_how()),
            ("F8", self.phrases.term_sheet_undo()),
        ];
        frame.render_widget(Paragraph::new(hints(self.appearance, &keys, foot.width)), foot);
        if self.help {
            let lines = self.phrases.term_sheet_help();
            let lines = lines.lines().map(|line| Line::from(line.to_owned())).collect();
            let close = [("Esc", self.phrases.close())];
            window(frame, area, self.appearance, &self.phrases.term_sheet_how(), lines, &close);
        }
    }

    fn key(&mut self, key: KeyEvent) {
        if std::mem::take(&mut self.help) {
            return;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::F(8) => self.undo(),
            KeyCode::Enter if !self.line.trim().is_empty() => {
                let written = self.backend.write(self.line.trim(), &self.phrases);
                self.refusal = written.err().map(|error| format!("{error:#}"));
                if self.refusal.is_none() {
                    (self.line, self.scrolled_back) = (String::new(), 0);
                }
            }
            KeyCode::F(1) => self.help = true,
            KeyCode::Char('?') if self.line.is_empty() => self.help = true,
            KeyCode::Char(letter) if !control && self.line.len() < 200 => {
                self.line.push(letter);
                self.refusal = None;
            }
            KeyCode::Backspace => _ = self.line.pop(),
            KeyCode::Up => self.scrolled_back += 1,
            KeyCode::Down => self.scrolled_back = self.scrolled_back.saturating_sub(1),
            KeyCode::PageUp => self.scrolled_back += 10,
            KeyCode::PageDown => self.scrolled_back = self.scrolled_back.saturating_sub(10),
            KeyCode::Esc if self.line.is_empty() => self.has_left = true,
            KeyCode::Esc => self.line.clear(),
            _ => {}
        }
    }

    fn has_left(&self) -> bool {
        self.has_left
    }
}

impl<P: SheetBackend> SheetScreen<P> {
    fn new(backend: P, appearance: Appearance, phrases: Phrases) -> SheetScreen<P> {
        let line = String::new();
        SheetScreen {
            backend,
            appearance,
            phrases,
            line,
            refusal: None,
            help: false,
            has_left: false,
            scrolled_back: 0,
        }
    }

    fn undo(&mut self) {
        self.refusal = self.backend.undo(&self.phrases).err().map(|error| format!("{error:#}"));
    }
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;
    use crate::snapshots::{check, screen};

    /// A sheet in memory that refuses only the line `nonsense`.
    struct MemorySheet(Vec<String>);

    impl SheetBackend for MemorySheet {
        fn lines(&self, _: &Phrases) -> Vec<String> {
            self.0.clone()
        }

        fn title(&self, _: &Phrases) -> String {
            "tonight.sheet".into()
        }

        fn write(&mut self, line: &str, _: &Phrases) -> Result<()> {
            if line == "nonsense" {
                bail!("that cannot stand there");
            }
            self.0.push(line.into());
            Ok(())
        }

        fn undo(&mut self, _: &Phrases) -> Result<()> {
            self.0.pop();
            Ok(())
        }
    }

    fn sheet_screen(phrases: Phrases, typed: &[&str]) -> SheetScreen<MemorySheet> {
        let mut screen = SheetScreen::new(MemorySheet(Vec::new()), Appearance::default(), phrases);
        for line in typed {
            line.chars().for_each(|letter| screen.key(KeyCode::Char(letter).into()));
            screen.key(KeyCode::Enter.into());
        }
        screen
    }

    #[test]
    fn lines_are_written_refused_and_taken_back() {
        let english = || Phrases::new(phrases::Language::English);
        let mut sheet = sheet_screen(english(), &["1 2 64 56", "nonsense"]);
        assert_eq!(sheet.backend.0, ["1 2 64 56"]);
        assert_eq!(
            (sheet.refusal.as_deref(), sheet.line.as_str()),
            (Some("that cannot stand there"), "nonsense")
        );
        sheet.key(KeyCode::F(8).into());
        assert!(sheet.backend.0.is_empty());
        sheet.key(KeyCode::Esc.into());
        assert!(!sheet.has_left && sheet.line.is_empty());
        sheet.key(KeyCode::Esc.into());
        assert!(sheet.has_left);
    }

    #[test]
    fn the_sheet_and_its_help_are_drawn() {
        let typed = ["1 2 64 56", "nonsense"];
        check("sheet", |language, size| {
            screen(&mut sheet_screen(Phrases::new(language), &typed), size)
        });
        check("sheet-help", |language, size| {
            let mut sheet = sheet_screen(Phrases::new(language), &[]);
            sheet.key(KeyCode::F(1).into());
            screen(&mut sheet, size)
        });
    }
}
