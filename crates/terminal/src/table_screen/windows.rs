//! The windows over the table: the end of a deal and of the match, the score sheet, the last trick,
//! the keys, the actions besides playing; and the screen before a match.

use cards::CardSet;
use game::notation::parse_set;
use phrases::layout::width;
use phrases::sorted;
use phrases::text_rows;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use replica::table::Prompt;
use table_view::narrator::{QUICK, quick, sentence};
use table_view::participants;
use table_view::scores::Scores;
use wire::table::TableStage;

use super::{ClickTarget, TableAccess, TableScreen, TableWindow};
use crate::widgets::{KeyHint, bar, hints, styled, window, wrap};

impl TableScreen {
    pub(super) fn draw_window(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let Some(open) = self.window.clone() else { return self.draw_end(frame, area) };
        let room = usize::from(area.width).saturating_sub(8);
        let close = vec![("Esc", self.phrases.close())];
        match open {
            TableWindow::Help => {
                let (title, lines) = (self.phrases.key_help(), self.help_lines());
                window(frame, area, self.appearance, &title, lines, &close);
            }
            TableWindow::Last => {
                let last = self.scene().and_then(|scene| scene.last).map(|last| last.label);
                let text = last.unwrap_or_else(|| self.phrases.no_trick_yet());
                let lines = text.split("; ").flat_map(|part| styled(part, room, Style::new()));
                let lines = lines.collect();
                window(frame, area, self.appearance, &self.phrases.last_trick(), lines, &close);
            }
            TableWindow::Sheet(at) => self.draw_sheet(frame, area, at, &close),
            TableWindow::Log(back) => self.draw_log(frame, area, back, &close),
            TableWindow::Hands => {
                let (title, lines) = (self.phrases.all_hands(), self.hand_lines(room));
                window(frame, area, self.appearance, &title, lines, &close);
            }
            TableWindow::Offers(at, asked) => {
                let offers = self.offers();
                let question = offers.get(at).and_then(|offer| offer.question.clone());
                let labels: Vec<String> = offers.into_iter().map(|offer| offer.label).collect();
                let title = self.phrases.participants_title();
                self.draw_list(frame, area, &title, &labels, at, question.filter(|_| asked));
            }
            TableWindow::Challenge(at, asked) => self.draw_challenge(frame, area, at, asked),
            TableWindow::Call(card, points) => {
                let rules = self.connection.rules();
                let title = rules.map(|rules| self.phrases.card(rules.pack(), card));
                let title = title.unwrap_or_default();
                let foot = [
                    ("Enter", self.phrases.play_calling(points)),
                    ("Space", self.phrases.play_silently()),
                    ("Esc", self.phrases.close()),
                ];
                window(frame, area, self.appearance, &title, Vec::new(), &foot);
            }
            TableWindow::Leave => {
                let text = match (self.is_practice(), self.stage()) {
                    (true, Some(TableStage::Over)) => String::new(),
                    (true, _) => self.phrases.term_leave_kept(),
                    (false, _) => self.phrases.term_leave_seat(),
                };
                let lines = styled(&text, room.min(60), Style::new());
                let foot =
                    [("Enter", self.phrases.term_do_leave()), ("Esc", self.phrases.term_do_stay())];
                window(frame, area, self.appearance, &self.phrases.term_leave_ask(), lines, &foot);
            }
            TableWindow::Say(text) => self.draw_say(frame, area, &text),
        }
    }

    fn help_lines(&self) -> Vec<Line<'static>> {
        let phrases = &self.phrases;
        let mut rows = vec![
            ("← →", phrases.key_walk()),
            ("Enter", phrases.term_key_play()),
            ("1 2 3 4, B L A H", phrases.key_suit()),
            ("0 1 2 …", phrases.term_key_bid()),
            ("T", phrases.key_turn()),
            ("R", phrases.key_trick()),
            ("Shift-R", phrases.last_trick()),
            ("V", phrases.key_bids()),
            ("P", phrases.key_points()),
            ("S", phrases.score_sheet()),
            ("E", phrases.term_key_log()),
            ("D", phrases.all_hands()),
            ("X", phrases.claim()),
            ("C", phrases.key_challenge()),
        ];
        if !self.is_practice() {
            rows.push(("M", phrases.participants_title()));
            rows.push(("Y", phrases.talk_title()));
        }
        rows.push(("Q, Esc", phrases.term_do_leave()));
        let line = |(key, what): (&str, String)| {
            Line::from(vec![
                Span::styled(format!("{key:<18}"), self.appearance.strong()),
                Span::raw(what),
            ])
        };
        rows.into_iter().map(line).collect()
    }

    fn sheet_lines(&self, scores: &Scores) -> Vec<Line<'static>> {
        if scores.rows.is_empty() {
            return vec![Line::from(self.phrases.no_deal_yet())];
        }
        let grid = scores.grid(&self.phrases).lines("", 3).into_iter();
        let mut lines: Vec<Line<'static>> = grid.map(Line::from).collect();
        if let Some(first) = lines.first_mut() {
            *first = first.clone().style(self.appearance.strong());
        }
        lines
    }

    fn draw_sheet(&mut self, frame: &mut Frame<'_>, area: Rect, at: usize, close: &[KeyHint]) {
        let scores = self.scores();
        let mut lines = self.sheet_lines(&scores);
        let legend = self.phrases.term_sheet_legend(match self.connection.rules() {
            Some(game::Rules::Whist(_)) => "whist",
            _ => "cruce",
        });
        let legend = styled(&legend, usize::from(area.width) - 8, self.appearance.quiet());
        let room = usize::from(area.height).saturating_sub(6 + legend.len());
        let head = lines.remove(0);
        self.max_scrolled = lines.len().saturating_sub(room);
        let at = at.min(self.max_scrolled);
        let mut shown = vec![head];
        shown.extend(lines.into_iter().skip(at).take(room));
        shown.push(Line::default());
        shown.extend(legend);
        let mut foot = close.to_vec();
        if self.max_scrolled > 0 {
            foot.insert(0, ("↑ ↓", format!("{}–{}", at + 1, at + shown.len() - 2)));
        }
        window(frame, area, self.appearance, &self.phrases.score_sheet(), shown, &foot);
    }

    fn draw_log(&self, frame: &mut Frame<'_>, area: Rect, back: usize, close: &[KeyHint]) {
        let (wide, room) = (usize::from(area.width) - 8, usize::from(area.height) - 6);
        let all: Vec<String> = self.log.iter().flat_map(|sentence| wrap(sentence, wide)).collect();
        let end = all.len() - back.min(all.len().saturating_sub(room));
        let shown = all[end.saturating_sub(room)..end].iter();
        let lines: Vec<Line<'static>> = shown.map(|line| Line::from(line.clone())).collect();
        let mut foot = close.to_vec();
        foot.insert(0, ("↑ ↓", self.phrases.term_do_scroll()));
        window(frame, area, self.appearance, &self.phrases.term_log(), lines, &foot);
    }

    /// All hands of the finished deal, as they were dealt.
    fn hand_lines(&self, room: usize) -> Vec<Line<'static>> {
        let replica = &self.connection.replica;
        let Some((state, hands)) = replica.state().zip(replica.hands()) else { return Vec::new() };
        let Some(rules) = self.connection.rules() else { return Vec::new() };
        let names = participants::names(state, &self.phrases);
        let mut lines = Vec::new();
        for (name, hand) in names.iter().zip(hands) {
            let set = parse_set(rules.pack(), hand).unwrap_or(CardSet::EMPTY);
            let cards = text_rows::cards(&self.phrases, rules.pack(), &sorted(set));
            lines.push(Line::from(Span::styled(name.clone(), self.appearance.strong())));
            lines.extend(wrap(&cards, room - 2).into_iter().map(|l| Line::from(format!("  {l}"))));
        }
        lines
    }

    /// The sentences of the last trick, whose cards are no longer visible behind the score.
    fn last_trick_sentences(&self) -> &[String] {
        let players = self.connection.replica.state().map_or(0, |state| state.seats.len());
        // The score is the last sentence of a deal, and the winner is the last of a match.
        let after = 1 + usize::from(self.stage() == Some(TableStage::Over));
        let end = self.log.len().saturating_sub(after);
        &self.log[end.saturating_sub(players + 1)..end]
    }

    /// Draws the end of a deal or of the match, which opens without a key.
    fn draw_end(&mut self, frame: &mut Frame<'_>, area: Rect) {
        if !self.is_at_end() {
            return;
        }
        let over = self.stage() == Some(TableStage::Over);
        let scores = self.scores();
        let room = usize::from(area.width).saturating_sub(8).min(90);
        let mut lines = Vec::new();
        for sentence in self.last_trick_sentences() {
            lines.extend(styled(sentence, room, self.appearance.quiet()));
        }
        let mut foot: Vec<KeyHint> = Vec::new();
        let title = match over {
            true => scores.winner(&self.phrases),
            false => self.phrases.deal_over(scores.game),
        };
        // Which card broke a rule, and who challenged it (C15).
        let replica = &self.connection.replica;
        let judged = replica.challenged().and_then(|event| sentence(event, replica, &self.phrases));
        for sentence in
            judged.iter().chain(scores.rows.last().iter().flat_map(|row| &row.explanation))
        {
            lines.extend(styled(sentence, room, Style::new()));
        }
        lines.push(Line::default());
        let mut grid = self.sheet_lines(&scores);
        let max_rows = usize::from(area.height).saturating_sub(lines.len() + 6);
        if grid.len() > max_rows {
            let head = grid.remove(0);
            let last = grid.split_off(grid.len().saturating_sub(max_rows.saturating_sub(1)));
            grid = std::iter::once(head).chain(last).collect();
        }
        lines.extend(grid);
        match replica.prompt() {
            Some(Prompt::Ready) => foot.push(("Enter", self.phrases.next_deal(scores.game))),
            Some(Prompt::Rematch) => foot.push(("Enter", self.phrases.rematch())),
            _ if replica.seat().is_some() => {
                lines.push(Line::default());
                lines.push(Line::from(self.phrases.waits_for_others()));
            }
            _ => {}
        }
        foot.push(("S", self.phrases.score_sheet()));
        if replica.hands().is_some() {
            foot.push(("D", self.phrases.term_do_hands()));
        }
        foot.push(("Q", self.phrases.term_do_leave()));
        let place = window(frame, area, self.appearance, &title, lines, &foot);
        if replica.prompt().is_some() {
            let last = Rect::new(place.x, place.bottom().saturating_sub(2), place.width, 1);
            self.areas.push((last, ClickTarget::Enter));
        }
    }

    /// Draws a list to choose from, or the question that confirms the choice.
    fn draw_list(
        &mut self,
        frame: &mut Frame<'_>,
        area: Rect,
        title: &str,
        labels: &[String],
        at: usize,
        question: Option<String>,
    ) {
        let foot = [
            ("↑ ↓", self.phrases.term_do_choose()),
            ("Enter", self.phrases.term_do_it()),
            ("Esc", self.phrases.close()),
        ];
        if let Some(question) = question {
            let lines = styled(&question, usize::from(area.width).min(70) - 8, Style::new());
            let place = window(frame, area, self.appearance, title, lines, &foot[1..]);
            self.areas.push((place, ClickTarget::Enter));
            return;
        }
        let room = usize::from(area.height).saturating_sub(6);
        let from = (at + 1).saturating_sub(room);
        let widest = labels.iter().map(|label| width(label)).max().unwrap_or_default();
        let line = |(index, label): (usize, &String)| {
            let text = format!(" {label:<widest$} ");
            let style = if index == at { self.appearance.chosen() } else { Style::new() };
            Line::from(Span::styled(text, style))
        };
        let shown = labels.iter().enumerate().skip(from).take(room).map(line);
        let mut lines: Vec<Line<'static>> = shown.collect();
        if lines.is_empty() {
            lines.push(Line::from(self.phrases.nothing_yet()));
        }
        let count = labels.len().saturating_sub(from).min(room);
        let place = window(frame, area, self.appearance, title, lines, &foot);
        for row in 0..count {
            let line = Rect::new(place.x, place.y + 1 + row as u16, place.width, 1);
            self.areas.push((line, ClickTarget::Offer(from + row)));
        }
    }

    fn draw_challenge(&mut self, frame: &mut Frame<'_>, area: Rect, at: usize, asked: bool) {
        let challengeable = self.challengeable();
        let question = challengeable.get(at).filter(|_| asked).map(|card| card.question.clone());
        let labels: Vec<String> = challengeable
            .iter()
            .map(|card| {
                let cleared =
                    if card.cleared { self.phrases.challenge_cleared() } else { String::new() };
                format!("{}: {} {cleared}", card.player, card.name).trim_end().to_owned()
            })
            .collect();
        let title = self.phrases.challenge_title();
        self.draw_list(frame, area, &title, &labels, at, question);
    }

    fn draw_say(&self, frame: &mut Frame<'_>, area: Rect, text: &str) {
        let room = usize::from(area.width).min(72) - 8;
        let mut lines = Vec::new();
        let chat =
            self.connection.replica.state().map(|state| state.chat.as_slice()).unwrap_or_default();
        for message in chat.iter().rev().take(6).rev() {
            let words = match (&message.text, message.phrase) {
                (Some(text), _) => text.clone(),
                (None, Some(phrase)) => quick(phrase, &self.phrases),
                (None, None) => continue,
            };
            lines.extend(styled(&format!("{}: {words}", message.name), room, Style::new()));
        }
        lines.push(Line::default());
        for pair in QUICK.chunks(2).enumerate() {
            let (row, pair) = pair;
            let each = pair.iter().enumerate().map(|(at, phrase)| {
                let key = (row * 2 + at + 1) % 10;
                format!("{:<32}", format!("{key} {}", quick(*phrase, &self.phrases)))
            });
            lines.push(Line::from(each.collect::<String>()).style(self.appearance.quiet()));
        }
        lines.push(Line::default());
        lines.push(Line::from(format!("> {text}▏")).style(self.appearance.strong()));
        let foot = [("Enter", self.phrases.talk_send()), ("Esc", self.phrases.close())];
        window(frame, area, self.appearance, &self.phrases.talk_title(), lines, &foot);
    }

    /// Draws the screen before a match: the players, the link for others, the offers.
    pub(super) fn draw_waiting(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let Some(state) = self.connection.replica.state().cloned() else { return };
        let [top, rest, foot] =
            Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)])
                .areas(area);
        let rules = self.connection.rules();
        let game = rules.map(|rules| self.phrases.title(&rules)).unwrap_or_default();
        bar(frame, top, self.appearance, &game, &self.phrases.waiting_title());
        let names = participants::names(&state, &self.phrases);
        let mut lines = vec![Line::default()];
        for (at, (name, seat_state)) in names.iter().zip(&state.seats).enumerate() {
            let mut notes = Vec::new();
            if state.host == Some(at + 1) {
                notes.push(self.phrases.is_host());
            }
            let presence = participants::SeatStatus::of(seat_state);
            if presence != participants::SeatStatus::Free {
                notes.extend(presence.words(&self.phrases));
            }
            let own = state.you.seat == Some(at + 1);
            let style = if own { self.appearance.strong() } else { Style::new() };
            let notes =
                if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
            lines.push(Line::from(Span::styled(format!("  {}  {name}{notes}", at + 1), style)));
        }
        lines.push(Line::default());
        if let TableAccess::Link { link, .. } = &self.access {
            lines.push(Line::from(format!("  {}:", self.phrases.table_link())));
            // The link has no spaces, and must stay whole when it is copied.
            let letters: Vec<char> = link.chars().collect();
            for part in letters.chunks(usize::from(rest.width).saturating_sub(3)) {
                lines.push(Line::from(format!("  {}", part.iter().collect::<String>())));
            }
        }
        let more = match state.you.host {
            true => self.phrases.start_more(),
            false => self.phrases.waits_for_host(),
        };
        lines.push(Line::from(Span::styled(format!("  {more}"), self.appearance.quiet())));
        if let Some(super::ScreenNote::Refusal(why)) = &self.note {
            lines.push(Line::from(Span::styled(format!("  {why}"), self.appearance.warning())));
        }
        if let Some(sentence) = self.log.last() {
            lines.push(Line::from(Span::styled(format!("  {sentence}"), self.appearance.quiet())));
        }
        lines.push(Line::default());
        let start = rest.y + lines.len() as u16;
        let offers = self.offers();
        for (at, offer) in offers.iter().enumerate() {
            let style =
                if at == self.chosen_offer { self.appearance.chosen() } else { Style::new() };
            lines.push(Line::from(vec![
                Span::raw("  "),
                Span::styled(format!(" {} ", offer.label), style),
            ]));
            let y = start + at as u16;
            if y < rest.bottom() {
                self.areas.push((Rect::new(rest.x, y, rest.width, 1), ClickTarget::Offer(at)));
            }
        }
        frame.render_widget(Paragraph::new(lines), rest);
        let keys = [
            ("↑ ↓ Enter", self.phrases.term_do_choose()),
            ("Y", self.phrases.talk_title()),
            ("Q", self.phrases.term_do_leave()),
        ];
        frame.render_widget(Paragraph::new(hints(self.appearance, &keys, foot.width)), foot);
    }
}
