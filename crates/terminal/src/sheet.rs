//! The score sheet of a real table on the whole screen: it shows what is written, says what is to
//! be written next, and takes a line at a time.

use anyhow::Result;
use phrases::Phrases;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Constraint, Layout};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use crate::look::Look;
use crate::screen::{ScreenView, inputs, show};
use crate::widgets::{bar, hints, styled, too_small, window};

/// A sheet that somebody keeps; where, is his affair.
pub trait SheetBackend {
    /// The sheet as it would stand on paper, and what is to be written next.
    fn lines(&self, phrases: &Phrases) -> Vec<String>;
    /// What game it is.
    fn title(&self, phrases: &Phrases) -> String;
    /// Writes a line, or says why it cannot stand there.
    fn write(&mut self, line: &str, phrases: &Phrases) -> Result<()>;
    /// Takes the last change back.
    fn undo(&mut self, phrases: &Phrases) -> Result<()>;
}

/// Keeps a sheet until it is left.
pub fn sheet(paper: impl SheetBackend, look: Look, phrases: Phrases) -> Result<()> {
    let (to, from) = inputs();
    show(&mut SheetScreen::new(paper, look, phrases), &to, &from)
}

struct SheetScreen<P> {
    paper: P,
    look: Look,
    phrases: Phrases,
    line: String,
    why: Option<String>,
    help: bool,
    left: bool,
    /// How many lines of a long sheet are passed over at its end.
    back: usize,
}

impl<P: SheetBackend> ScreenView for SheetScreen<P> {
    fn draw(&mut self, frame: &mut Frame<'_>) {
        if too_small(frame, &self.phrases) {
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
        bar(frame, top, self.look, &self.phrases.score_sheet(), &self.paper.title(&self.phrases));
        let all = self.paper.lines(&self.phrases);
        let room = usize::from(page.height);
        self.back = self.back.min(all.len().saturating_sub(room));
        let end = all.len() - self.back;
        let shown = all[end.saturating_sub(room)..end].iter();
        let lines: Vec<Line<'_>> = shown.map(|line| Line::from(format!(" {line}"))).collect();
        frame.render_widget(Paragraph::new(lines), page);
        if let Some(said) = &self.why {
            let lines = styled(said, usize::from(why.width) - 2, self.look.warning());
            frame.render_widget(Paragraph::new(lines), why);
        }
        let typed = Line::from(Span::styled(format!(" > {}▏", self.line), self.look.strong()));
        frame.render_widget(Paragraph::new(typed), line);
        let keys = [
            ("Enter", self.phrases.term_sheet_write()),
            ("Esc", self.phrases.term_do_leave()),
            ("F1", self.phrases.term_sheet_how()),
            ("F8", self.phrases.term_sheet_undo()),
        ];
        frame.render_widget(Paragraph::new(hints(self.look, &keys, foot.width)), foot);
        if self.help {
            let lines = self.phrases.term_sheet_help();
            let lines = lines.lines().map(|line| Line::from(line.to_owned())).collect();
            let close = [("Esc", self.phrases.close())];
            window(frame, area, self.look, &self.phrases.term_sheet_how(), lines, &close);
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
                let written = self.paper.write(self.line.trim(), &self.phrases);
                self.why = written.err().map(|error| format!("{error:#}"));
                if self.why.is_none() {
                    (self.line, self.back) = (String::new(), 0);
                }
            }
            KeyCode::F(1) => self.help = true,
            KeyCode::Char('?') if self.line.is_empty() => self.help = true,
            KeyCode::Char(letter) if !control && self.line.len() < 200 => {
                self.line.push(letter);
                self.why = None;
            }
            KeyCode::Backspace => _ = self.line.pop(),
            KeyCode::Up => self.back += 1,
            KeyCode::Down => self.back = self.back.saturating_sub(1),
            KeyCode::PageUp => self.back += 10,
            KeyCode::PageDown => self.back = self.back.saturating_sub(10),
            KeyCode::Esc if self.line.is_empty() => self.left = true,
            KeyCode::Esc => self.line.clear(),
            _ => {}
        }
    }

    fn is_left(&self) -> bool {
        self.left
    }
}

impl<P: SheetBackend> SheetScreen<P> {
    fn new(paper: P, look: Look, phrases: Phrases) -> SheetScreen<P> {
        let line = String::new();
        SheetScreen { paper, look, phrases, line, why: None, help: false, left: false, back: 0 }
    }

    fn undo(&mut self) {
        self.why = self.paper.undo(&self.phrases).err().map(|error| format!("{error:#}"));
    }
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;
    use crate::snapshots::{check, screen};

    /// A sheet on which anything can be written but nonsense.
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

    fn driver(phrases: Phrases, typed: &[&str]) -> SheetScreen<MemorySheet> {
        let mut driver = SheetScreen::new(MemorySheet(Vec::new()), Look::default(), phrases);
        for line in typed {
            line.chars().for_each(|letter| driver.key(KeyCode::Char(letter).into()));
            driver.key(KeyCode::Enter.into());
        }
        driver
    }

    #[test]
    fn lines_are_written_refused_and_taken_back() {
        let english = || Phrases::new(phrases::Language::English);
        let mut kept = driver(english(), &["1 2 64 56", "nonsense"]);
        assert_eq!(kept.paper.0, ["1 2 64 56"]);
        assert_eq!(
            (kept.why.as_deref(), kept.line.as_str()),
            (Some("that cannot stand there"), "nonsense")
        );
        kept.key(KeyCode::F(8).into());
        assert!(kept.paper.0.is_empty());
        kept.key(KeyCode::Esc.into());
        assert!(!kept.left && kept.line.is_empty());
        kept.key(KeyCode::Esc.into());
        assert!(kept.left);
    }

    #[test]
    fn a_sheet_is_shown() {
        let typed = ["1 2 64 56", "nonsense"];
        check("sheet", |language, size| screen(&mut driver(Phrases::new(language), &typed), size));
        check("sheet-help", |language, size| {
            let mut driver = driver(Phrases::new(language), &[]);
            driver.key(KeyCode::F(1).into());
            screen(&mut driver, size)
        });
    }
}
