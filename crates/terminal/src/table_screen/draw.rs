//! The table: a bar, the scene, the prompt, the hand and the keys; and beside them, where there is
//! room, the score and the log.

use phrases::layout::{shortened, width};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Paragraph};
use table_view::participants;
use table_view::scene::{BidChoice, ScenePrompt, SceneSeat, TableScene};
use wire::table::TableStage;

use super::{ClickTarget, ScreenNote, TableScreen};
use crate::scene_layout::{SceneWidget, seat_areas};
use crate::table_connection::TerminalConnectionState;
use crate::widgets::{
    Art, CardPose, KeyHint, Scale, bar, deal_points, draw_if_too_small, hints, score_line, styled,
    trump, wrap,
};

/// The minimum width for a panel beside the table, and the width of the panel.
const PANEL_FROM: u16 = 112;
const PANEL: u16 = 38;

impl TableScreen {
    pub(super) fn draw_screen(&mut self, frame: &mut Frame<'_>) {
        if draw_if_too_small(frame, &self.phrases) {
            return;
        }
        let area = frame.area();
        match self.connection.state() {
            TerminalConnectionState::Ended(ended) => {
                let text = ended.sentence(&self.phrases);
                return self.draw_message(frame, &text, &[("Enter", self.phrases.term_do_leave())]);
            }
            TerminalConnectionState::Opening => {
                let text = self.phrases.table_opening();
                return self.draw_message(
                    frame,
                    &text,
                    &[("Ctrl-C", self.phrases.term_do_leave())],
                );
            }
            TerminalConnectionState::Live | TerminalConnectionState::Lost => {}
        }
        match (self.scene(), self.stage()) {
            (Some(scene), Some(TableStage::Playing | TableStage::Over)) => {
                self.draw_table(frame, area, &scene)
            }
            _ => self.draw_waiting(frame, area),
        }
        self.draw_window(frame, area);
    }

    fn draw_message(&self, frame: &mut Frame<'_>, text: &str, foot: &[KeyHint]) {
        let area = frame.area();
        let lines = styled(text, usize::from(area.width).min(64), Style::new());
        crate::widgets::window(frame, area, self.appearance, &self.phrases.brand(), lines, foot);
    }

    fn draw_table(&mut self, frame: &mut Frame<'_>, area: Rect, scene: &TableScene) {
        let wide = area.width >= PANEL_FROM;
        let [top, rest] =
            Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
        let [rest, foot] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]).areas(rest);
        let (game, right) = (self.phrases.title(&scene.rules), trump(scene, &self.phrases));
        bar(frame, top, self.appearance, &format!("{} · {game}", scene.deal), &right);
        let table = if wide {
            let sides = [Constraint::Fill(1), Constraint::Length(PANEL)];
            let [table, panel] = Layout::horizontal(sides).areas(rest);
            self.draw_panel(frame, panel, scene);
            table
        } else {
            rest
        };
        let art = Art {
            appearance: self.appearance,
            phrases: &self.phrases,
            pack: scene.rules.pack(),
            scale: Scale::of(area),
        };
        let hand_high = art.size().1 + 1;
        let score_high = u16::from(!wide);
        let [score, middle, status, note, hand] = Layout::vertical([
            Constraint::Length(score_high),
            Constraint::Fill(1),
            Constraint::Length(1),
            Constraint::Length(2),
            Constraint::Length(hand_high),
        ])
        .areas(table);
        if !wide {
            frame.render_widget(
                Paragraph::new(score_line(scene, self.appearance, score.width)),
                score,
            );
        }
        let mut targets = self.draw_scene(frame, middle, scene, art);
        self.draw_status(frame, status, note, scene);
        targets.extend(self.draw_hand(frame, hand, scene, art));
        self.areas.extend(targets);
        let hints = hints(self.appearance, &self.table_hints(scene), foot.width);
        frame.render_widget(Paragraph::new(hints), foot);
    }

    /// Draws the players round the table and the trick between them, and returns the areas of the bids.
    fn draw_scene(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        scene: &TableScene,
        art: Art<'_>,
    ) -> Vec<(Rect, ClickTarget)> {
        let widget = SceneWidget { appearance: self.appearance, phrases: &self.phrases, art };
        widget.draw(frame, area, scene, |place| self.seat_notes(place));
        match &scene.prompt {
            ScenePrompt::Bid(choices) => {
                let own = seat_areas(area, scene.places.len(), art.size())[0].text;
                self.draw_bids(frame, own, scene, choices)
            }
            _ => Vec::new(),
        }
    }

    /// Notes on a player besides the match: the clock, and whether they are connected.
    fn seat_notes(&self, place: &SceneSeat) -> Vec<String> {
        let seat_state =
            self.connection.replica.state().and_then(|state| state.seats.get(place.seat.index()));
        let presence = seat_state.map(participants::SeatStatus::of).unwrap_or_default();
        let mut notes = Vec::new();
        if let Some((Some(seat), left)) = self.connection.seconds_left()
            && seat == place.seat.number()
        {
            notes.push(format!("{left} s"));
        }
        // At a practice table all other players are bots.
        if !(self.is_practice() && presence == participants::SeatStatus::Bot) {
            notes.extend(presence.words(&self.phrases));
        }
        notes
    }

    /// Draws the bids above the viewer's own name.
    fn draw_bids(
        &self,
        frame: &mut Frame<'_>,
        own: Rect,
        scene: &TableScene,
        choices: &[BidChoice],
    ) -> Vec<(Rect, ClickTarget)> {
        let chosen = self.chosen_bid(scene);
        let label = |choice: &BidChoice| match choice.points {
            Some(points) => format!(" {} {points} ", choice.word),
            None => format!(" {} ", choice.word),
        };
        let all: usize = choices.iter().map(|choice| width(&label(choice)) + 1).sum();
        let row = Rect { y: own.y.saturating_sub(2), ..own };
        let title = Line::from(Span::styled(self.phrases.your_bid(), self.appearance.strong()));
        let above = Rect { y: row.y.saturating_sub(1), ..row };
        frame.render_widget(Paragraph::new(title).centered(), above);
        let mut x = row.x + row.width.saturating_sub(all as u16) / 2;
        let mut targets = Vec::new();
        for choice in choices {
            let text = label(choice);
            let place = Rect::new(x, row.y, width(&text) as u16, 1).intersection(row);
            let style = match (chosen == Some(choice.bid), choice.why.is_some()) {
                (true, _) => self.appearance.chosen(),
                (false, true) => {
                    self.appearance.quiet().add_modifier(ratatui::style::Modifier::CROSSED_OUT)
                }
                (false, false) => self.appearance.strong(),
            };
            frame.render_widget(Paragraph::new(Span::styled(text, style)), place);
            targets.push((place, ClickTarget::Bid(choice.bid)));
            x += place.width + 1;
        }
        targets
    }

    /// Draws whose turn it is; and below it why an action is refused, the answer to a key, or the last
    /// event.
    fn draw_status(&self, frame: &mut Frame<'_>, status: Rect, note: Rect, scene: &TableScene) {
        let (text, style) = match self.connection.state() {
            TerminalConnectionState::Lost => (self.phrases.line_lost(), self.appearance.warning()),
            _ if scene.prompt != ScenePrompt::Nothing => {
                (scene.status.clone(), self.appearance.asked())
            }
            _ => (scene.status.clone(), self.appearance.strong()),
        };
        frame.render_widget(Paragraph::new(Span::styled(text, style)).centered(), status);
        let (text, style) = match &self.note {
            Some(ScreenNote::Refusal(why)) => (why.clone(), self.appearance.warning()),
            Some(ScreenNote::Info(text)) => (text.clone(), Style::new()),
            None => (self.default_note(scene), self.appearance.quiet()),
        };
        let lines = styled(&text, usize::from(note.width).saturating_sub(2), style);
        frame.render_widget(Paragraph::new(lines).centered(), note);
    }

    /// The note that is shown if there is no other.
    fn default_note(&self, scene: &TableScene) -> String {
        let state = self.connection.replica.state();
        let own = state.and_then(|state| state.seats.get(state.you.seat?.checked_sub(1)?));
        if own.is_some_and(|own| own.stand_in.is_some()) {
            return format!("{} (M)", self.phrases.bot_plays_for_you());
        }
        if let Some(state) = state {
            match participants::Pause::of(state, &self.phrases) {
                participants::Pause::Asked(text) | participants::Pause::Awaited(text) => {
                    return text;
                }
                participants::Pause::Paused => return self.phrases.paused_more(),
                participants::Pause::NotAsked => {}
            }
            if state.you.seat.is_none() && scene.trick.is_empty() && self.log.is_empty() {
                return self.phrases.watching_title();
            }
        }
        if self.is_at_end() {
            return String::new();
        }
        let challenged = self.connection.replica.challenged().filter(|_| scene.tricks > 0);
        let judged = challenged.and_then(|event| {
            table_view::narrator::sentence(event, &self.connection.replica, &self.phrases)
        });
        judged.or_else(|| self.log.last().cloned()).unwrap_or_default()
    }

    fn draw_hand(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        scene: &TableScene,
        art: Art<'_>,
    ) -> Vec<(Rect, ClickTarget)> {
        if scene.hand.is_empty() {
            return Vec::new();
        }
        let ((wide, high), count) = (art.size(), scene.hand.len() as u16);
        // Cards overlap where there are too many of them.
        let room = area.width.saturating_sub(wide + 2);
        let step = match count {
            1 => 0,
            _ => (wide + 1).min(room / (count - 1)),
        };
        let x = area.x + area.width.saturating_sub(step * (count - 1) + wide) / 2;
        let asked = scene.prompt == ScenePrompt::Card;
        let chosen = self.chosen(scene).filter(|_| asked || self.card.is_some());
        let mut targets = Vec::new();
        for (at, held) in scene.hand.iter().enumerate() {
            let is_chosen = chosen == Some(held.card);
            let pose = match (is_chosen, held.why.is_some()) {
                (true, true) => CardPose::ChosenForbidden,
                (true, false) => CardPose::Chosen,
                (false, true) => CardPose::Forbidden,
                (false, false) => CardPose::Plain,
            };
            let y = area.bottom().saturating_sub(high) - u16::from(is_chosen);
            let drawn = art.draw(frame.buffer_mut(), x + step * at as u16, y, held.card, pose);
            targets.push((drawn, ClickTarget::Card(held.card)));
        }
        targets
    }

    fn table_hints(&self, scene: &TableScene) -> Vec<KeyHint> {
        let phrases = &self.phrases;
        let mut hints: Vec<KeyHint> = Vec::new();
        match scene.prompt {
            ScenePrompt::Bid(_) => hints.push(("← → Enter", phrases.term_do_bid())),
            ScenePrompt::Card => hints.push(("← → Enter", phrases.term_do_play())),
            ScenePrompt::Accept => hints.push(("Enter", phrases.accept_deal())),
            ScenePrompt::Nothing => {}
        }
        if scene.may_claim() {
            hints.push(("X", phrases.claim()));
        }
        hints.push(("?", phrases.key_help()));
        hints.push(("Q", phrases.term_do_leave()));
        hints.push(("S", phrases.score_sheet()));
        if scene.last.is_some() {
            hints.push(("Shift-R", phrases.last_trick()));
        }
        if scene.honour.as_ref().is_some_and(|honour| !honour.tricks.is_empty()) {
            hints.push(("C", phrases.challenge_title()));
        }
        if !self.is_practice() {
            hints.push(("M", phrases.participants_title()));
            hints.push(("Y", phrases.talk_title()));
        }
        hints
    }

    /// Draws the score and the log beside the table.
    fn draw_panel(&self, frame: &mut Frame<'_>, area: Rect, scene: &TableScene) {
        let block = Block::new().borders(Borders::LEFT).border_style(self.appearance.quiet());
        let inner = block.inner(area);
        frame.render_widget(block, area);
        let inner = Rect::new(inner.x + 1, inner.y, inner.width - 1, inner.height);
        let room = usize::from(inner.width);
        let mut lines =
            vec![Line::from(Span::styled(self.phrases.score_title(), self.appearance.strong()))];
        for tally in &scene.sides {
            let style = if tally.own { self.appearance.strong() } else { Style::new() };
            let name = shortened(&tally.name, room - width(&tally.score) - 1);
            let gap = " ".repeat(room - width(&name) - width(&tally.score));
            lines.push(Line::from(Span::styled(format!("{name}{gap}{}", tally.score), style)));
            let mut notes = Vec::new();
            notes.extend(deal_points(scene, tally));
            notes.extend(tally.need.clone());
            if !notes.is_empty() {
                let notes = format!("  {}", notes.join(" · "));
                lines.push(Line::from(Span::styled(notes, self.appearance.quiet())));
            }
        }
        lines.push(Line::default());
        let above = (lines.len() as u16).min(inner.height);
        frame.render_widget(Paragraph::new(lines), Rect { height: above, ..inner });
        let below = Rect { y: inner.y + above, height: inner.height - above, ..inner };
        let mut log: Vec<Line<'static>> = Vec::new();
        for sentence in self.log.iter().rev() {
            if log.len() >= usize::from(below.height) {
                break;
            }
            let wrapped = wrap(sentence, room - 2).into_iter().enumerate().rev();
            for (at, line) in wrapped {
                log.push(Line::from(format!("{}{line}", if at == 0 { "" } else { "  " })));
            }
        }
        log.truncate(usize::from(below.height));
        log.reverse();
        frame.render_widget(Paragraph::new(log), below);
    }
}
