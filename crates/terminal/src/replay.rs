//! The replay of a finished match, step by step on the whole screen, or printed line by line.

use std::io::Write;

use anyhow::{Context, Result};
use cards::Seat;
use game::record::Record;
use phrases::Phrases;
use phrases::game_word;
use phrases::layout::{shortened, width};
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEvent, MouseEventKind};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use table_view::replay::{Replay, Stride, Verdict};
use table_view::scene::TableScene;

use crate::DisplayMode;
use crate::appearance::Appearance;
use crate::scene_layout::SceneWidget;
use crate::screen::{ScreenView, inputs, show};
use crate::widgets::{
    Art, KeyHint, Scale, bar, draw_if_too_small, hints, score_line, styled, trump, window,
};

/// The height of the hands below the table: a name and a line for each suit.
const HANDS: u16 = 5;

/// Whose cards a replay shows, and where it begins.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReplayOptions {
    /// Shows only this seat's cards, counted from one; `None` shows all hands.
    pub seat: Option<usize>,
    /// The first moment, such as `d3t2`.
    pub moment: Option<String>,
}

/// Shows a finished match.
pub fn replay(
    record: &Record,
    options: &ReplayOptions,
    mode: DisplayMode,
    phrases: Phrases,
) -> Result<()> {
    let replay = Replay::new(record).context("this match has no events")?;
    let players = replay.rules().players();
    let seat = match options.seat {
        Some(number) => {
            let seat = Seat::from_number(number);
            let seat = seat.filter(|seat| seat.index() < players);
            Some(seat.with_context(|| format!("there is no seat {number}"))?)
        }
        None => None,
    };
    let step = options.moment.as_deref().map_or(0, |moment| replay.find(moment));
    if mode.plain {
        return print_sentences(&replay, seat, step, &phrases, &mut std::io::stdout().lock());
    }
    let names = replay.names(&phrases);
    let verdict = Verdict::of(record, &names, &phrases);
    let mut screen = ReplayScreen {
        replay,
        seat,
        step,
        verdict,
        window: None,
        has_left: false,
        appearance: mode.appearance,
        phrases,
    };
    let (sender, receiver) = inputs();
    show(&mut screen, &sender, &receiver)
}

/// Prints the match as sentences, from a step on.
fn print_sentences(
    replay: &Replay,
    seat: Option<Seat>,
    from: usize,
    phrases: &Phrases,
    out: &mut impl Write,
) -> Result<()> {
    for step in from..=replay.last() {
        writeln!(out, "{}", replay.sentence(step, seat, phrases))?;
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReplayWindow {
    Help,
    Sheet,
    Verdict,
}

struct ReplayScreen {
    replay: Replay,
    seat: Option<Seat>,
    step: usize,
    verdict: Verdict,
    window: Option<ReplayWindow>,
    has_left: bool,
    appearance: Appearance,
    phrases: Phrases,
}

impl ReplayScreen {
    fn stride(&mut self, stride: Stride, forward: bool) {
        self.step = self.replay.stride(self.step, stride, forward);
    }

    /// Switches to the next seat's view, and after the last seat to all hands.
    fn next_viewpoint(&mut self) {
        let players = self.replay.rules().players();
        self.seat = match self.seat {
            None => Seat::new(0),
            Some(seat) => Seat::new(seat.index() + 1).filter(|seat| seat.index() < players),
        };
    }

    fn draw_hands(&self, frame: &mut Frame<'_>, area: Rect, scene: &TableScene) {
        let pack = scene.rules.pack();
        let count = scene.places.len() as u16;
        let each = area.width / count.max(1);
        // In the order of the seats, so that no hand moves when the viewpoint changes.
        let mut places: Vec<_> = scene.places.iter().collect();
        places.sort_by_key(|place| place.seat.index());
        for (at, place) in places.into_iter().enumerate() {
            let room = usize::from(each).saturating_sub(2);
            let style = if place.turn { self.appearance.asked() } else { self.appearance.strong() };
            let mut lines = vec![Line::from(Span::styled(shortened(&place.name, room), style))];
            for suit in cards::Suit::ALL {
                let cards = place.hand.iter().filter(|card| card.suit() == suit);
                let corners: Vec<&str> =
                    cards.map(|card| self.phrases.corner(pack, *card)).collect();
                if !corners.is_empty() {
                    let emblem = self.phrases.suit_symbol(pack, suit);
                    let corners = corners.join(" ");
                    let gap = if width(&emblem) + width(&corners) < room { " " } else { "" };
                    lines.push(Line::from(shortened(&format!("{emblem}{gap}{corners}"), room)));
                }
            }
            let x = area.x + each * at as u16 + 1;
            let place = Rect::new(x, area.y, each.saturating_sub(1), area.height);
            frame.render_widget(Paragraph::new(lines), place.intersection(area));
        }
    }

    fn progress(&self, wide: u16) -> Line<'static> {
        let moment = self.replay.moment(self.step).to_string();
        let viewpoint = match self.seat {
            Some(seat) => self.replay.names(&self.phrases)[seat.index()].clone(),
            None => self.phrases.replay_open(),
        };
        let text = format!(" {moment}  {}/{}  {viewpoint} ", self.step + 1, self.replay.last() + 1);
        let room = usize::from(wide).saturating_sub(width(&text) + 1);
        let done = room * self.step / self.replay.last().max(1);
        let line = format!("{}{}", "━".repeat(done), "─".repeat(room - done));
        Line::from(vec![
            Span::styled(text, self.appearance.strong()),
            Span::styled(line, self.appearance.quiet()),
        ])
    }

    fn draw_window(&self, frame: &mut Frame<'_>, area: Rect) {
        let Some(open) = self.window else { return };
        let close = [("Esc", self.phrases.close())];
        let room = usize::from(area.width) - 8;
        let (title, lines) = match open {
            ReplayWindow::Help => (self.phrases.key_help(), self.help()),
            ReplayWindow::Sheet => {
                let scores = self.replay.scores(self.step, &self.phrases);
                let lines = match scores.rows.is_empty() {
                    true => vec![Line::from(self.phrases.no_deal_yet())],
                    false => {
                        let grid = scores.grid(&self.phrases).lines("", 3);
                        let skip = grid.len().saturating_sub(usize::from(area.height) - 6);
                        grid.into_iter().skip(skip).map(Line::from).collect()
                    }
                };
                (self.phrases.score_sheet(), lines)
            }
            ReplayWindow::Verdict => {
                let title = match self.verdict.right {
                    true => self.phrases.verified(),
                    false => self.phrases.verified_not(),
                };
                let lines = self.verdict.lines.iter();
                (title, lines.flat_map(|line| styled(line, room, Style::new())).collect())
            }
        };
        window(frame, area, self.appearance, &title, lines, &close);
    }

    fn keys(&self) -> Vec<KeyHint> {
        let phrases = &self.phrases;
        vec![
            ("← →", phrases.term_key_step()),
            ("↑ ↓", phrases.term_key_tricks()),
            ("PgUp PgDn", phrases.term_key_deals(game_word(self.replay.rules()))),
            ("Tab", phrases.term_key_eyes()),
            ("?", phrases.key_help()),
            ("Q", phrases.term_do_leave()),
            ("S", phrases.score_sheet()),
            ("V", phrases.verify_deals()),
            ("Home End", phrases.term_key_ends()),
        ]
    }

    fn help(&self) -> Vec<Line<'static>> {
        let line = |(key, what): KeyHint| {
            Line::from(vec![
                Span::styled(format!("{key:<12}"), self.appearance.strong()),
                Span::raw(what),
            ])
        };
        self.keys().into_iter().map(line).collect()
    }
}

impl ScreenView for ReplayScreen {
    fn draw(&mut self, frame: &mut Frame<'_>) {
        if draw_if_too_small(frame, &self.phrases) {
            return;
        }
        let area = frame.area();
        let scene =
            self.replay.scene(self.step, self.seat, self.appearance.direction, &self.phrases);
        let [top, score, middle, sentence_area, hands, progress, foot] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(2),
            Constraint::Length(HANDS),
            Constraint::Length(1),
            Constraint::Length(1),
        ])
        .areas(area);
        let game = self.phrases.title(&scene.rules);
        bar(
            frame,
            top,
            self.appearance,
            &format!("{} · {game}", scene.deal),
            &trump(&scene, &self.phrases),
        );
        let pack = scene.rules.pack();
        let scale = Scale::of(area);
        let art = Art { appearance: self.appearance, phrases: &self.phrases, pack, scale };
        let widget = SceneWidget { appearance: self.appearance, phrases: &self.phrases, art };
        frame
            .render_widget(Paragraph::new(score_line(&scene, self.appearance, score.width)), score);
        widget.draw(frame, middle, &scene, |_| Vec::new());
        let sentence = self.replay.sentence(self.step, self.seat, &self.phrases);
        let lines =
            styled(&sentence, usize::from(sentence_area.width) - 2, self.appearance.strong());
        frame.render_widget(Paragraph::new(lines).centered(), sentence_area);
        self.draw_hands(frame, hands, &scene);
        frame.render_widget(Paragraph::new(self.progress(progress.width)), progress);
        let keys = hints(self.appearance, &self.keys(), foot.width);
        frame.render_widget(Paragraph::new(keys), foot);
        self.draw_window(frame, area);
    }

    fn key(&mut self, key: KeyEvent) {
        if self.window.take().is_some() {
            return;
        }
        match key.code {
            KeyCode::Right | KeyCode::Char(' ') | KeyCode::Enter => self.stride(Stride::Step, true),
            KeyCode::Left | KeyCode::Backspace => self.stride(Stride::Step, false),
            KeyCode::Down => self.stride(Stride::Trick, true),
            KeyCode::Up => self.stride(Stride::Trick, false),
            KeyCode::PageDown => self.stride(Stride::Deal, true),
            KeyCode::PageUp => self.stride(Stride::Deal, false),
            KeyCode::Home => self.stride(Stride::Match, false),
            KeyCode::End => self.stride(Stride::Match, true),
            KeyCode::Tab => self.next_viewpoint(),
            KeyCode::Char('s' | 'S') => self.window = Some(ReplayWindow::Sheet),
            KeyCode::Char('v' | 'V') => self.window = Some(ReplayWindow::Verdict),
            KeyCode::Char('?') | KeyCode::F(1) => self.window = Some(ReplayWindow::Help),
            KeyCode::Char('q' | 'Q') | KeyCode::Esc => self.has_left = true,
            _ => {}
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        match mouse.kind {
            MouseEventKind::ScrollDown => self.stride(Stride::Step, true),
            MouseEventKind::ScrollUp => self.stride(Stride::Step, false),
            _ => {}
        }
    }

    fn has_left(&self) -> bool {
        self.has_left
    }
}

#[cfg(test)]
mod tests {
    use game::record::parse_all;
    use phrases::Language;

    use super::*;
    use crate::snapshots::{check, screen};

    /// A match of Cruce, played at random.
    const RECORD: &str = include_str!("../screens/match.record");

    fn replay_screen(language: Language, keys: &[KeyCode]) -> ReplayScreen {
        let record = parse_all(RECORD).expect("a record").remove(0);
        let phrases = Phrases::new(language);
        let replay = Replay::new(&record).expect("a match");
        let verdict = Verdict::of(&record, &replay.names(&phrases), &phrases);
        let (appearance, window) = (Appearance::default(), None);
        let mut screen = ReplayScreen {
            replay,
            seat: None,
            step: 0,
            verdict,
            window,
            has_left: false,
            appearance,
            phrases,
        };
        keys.iter().for_each(|key| screen.key((*key).into()));
        screen
    }

    #[test]
    fn every_moment_is_drawn() {
        use KeyCode::{Char, Down, End, PageDown, Right, Tab};
        let moments: [(&str, &[KeyCode]); 7] = [
            ("replay-dealt", &[]),
            ("replay-card", &[PageDown, Down, Right, Right]),
            ("replay-eyes", &[PageDown, Down, Right, Right, Tab, Tab]),
            ("replay-end", &[End]),
            ("replay-sheet", &[End, Char('s')]),
            ("replay-verdict", &[Char('v')]),
            ("replay-help", &[Char('?')]),
        ];
        for (name, keys) in moments {
            check(name, |language, size| screen(&mut replay_screen(language, keys), size));
        }
    }

    #[test]
    fn steps_go_both_ways_and_stop_at_the_ends() {
        let mut replay = replay_screen(Language::English, &[KeyCode::Left, KeyCode::PageUp]);
        assert_eq!(replay.step, 0);
        replay.key(KeyCode::Right.into());
        assert_eq!(replay.step, 1);
        replay.key(KeyCode::End.into());
        replay.key(KeyCode::Right.into());
        assert_eq!(replay.step, replay.replay.last());
        replay.key(KeyCode::Char('q').into());
        assert!(replay.has_left());
    }
}
