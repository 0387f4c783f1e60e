//! Widgets that several screens share: cards, bars, windows, wrapped lines.

use cards::{Card, Pack, Suit};
use phrases::Phrases;
use phrases::layout::{shortened, width};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph};
use table_view::scene::{SceneTrump, SideTally, TableScene};

use crate::appearance::Appearance;

/// The smallest terminal on which a table can be drawn.
pub(crate) const MIN_SIZE: (u16, u16) = (80, 24);

/// The size of drawn cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scale {
    /// Rank and suit.
    Small,
    /// The rank in two corners, and the suit between them.
    Large,
    /// The same with wider margins.
    Huge,
}

impl Scale {
    /// The largest scale that fits a screen.
    pub(crate) const fn of(screen: Rect) -> Scale {
        match (screen.width, screen.height) {
            (180.., 56..) => Scale::Huge,
            (_, 36..) => Scale::Large,
            _ => Scale::Small,
        }
    }

    /// How much wider than the longest suit the inside of a card is, and the height of the card.
    const fn paper(self) -> (usize, u16) {
        match self {
            Scale::Small => (0, 4),
            Scale::Large => (2, 5),
            Scale::Huge => (6, 9),
        }
    }
}

/// How a card is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CardPose {
    /// Without a mark.
    Plain,
    /// It may not be played now.
    Forbidden,
    /// Enter plays it.
    Chosen,
    /// Chosen, and it may not be played now.
    ChosenForbidden,
}

/// Draws the cards of a pack.
#[derive(Clone, Copy)]
pub(crate) struct Art<'a> {
    pub(crate) appearance: Appearance,
    pub(crate) phrases: &'a Phrases,
    pub(crate) pack: Pack,
    pub(crate) scale: Scale,
}

impl Art<'_> {
    fn has_french_face(&self) -> bool {
        self.appearance.french || !self.pack.is_hungarian()
    }

    fn inner(&self) -> usize {
        let emblems = Suit::ALL.map(|suit| width(&self.phrases.suit_symbol(self.pack, suit)));
        let widest = emblems.into_iter().max().unwrap_or_default().max(4);
        widest + self.scale.paper().0
    }

    /// The width and height of a card.
    pub(crate) fn size(&self) -> (u16, u16) {
        (self.inner() as u16 + 2, self.scale.paper().1)
    }

    /// Draws a card with its upper left corner at `x`, `y`, and returns its area.
    pub(crate) fn draw(
        &self,
        buffer: &mut Buffer,
        x: u16,
        y: u16,
        card: Card,
        pose: CardPose,
    ) -> Rect {
        let (wide, high) = self.size();
        let area = Rect::new(x, y, wide, high).intersection(buffer.area);
        if (area.width, area.height) != (wide, high) {
            return Rect::default();
        }
        let forbidden = matches!(pose, CardPose::Forbidden | CardPose::ChosenForbidden);
        let paper = if forbidden { self.appearance.forbidden() } else { self.appearance.paper() };
        let border = match pose {
            CardPose::Plain => BorderType::Rounded,
            CardPose::Forbidden => BorderType::LightDoubleDashed,
            CardPose::Chosen => BorderType::Thick,
            CardPose::ChosenForbidden => BorderType::HeavyDoubleDashed,
        };
        let ink = if forbidden {
            paper
        } else {
            self.appearance.suit(card.suit(), self.has_french_face())
        };
        let (inner, corner) = (self.inner(), self.phrases.corner(self.pack, card));
        let emblem = self.phrases.suit_symbol(self.pack, card.suit());
        let mut lines = vec![format!("{corner:<inner$}")];
        // The suit is in the middle of the card.
        let above = usize::from(high - 3) / 2;
        lines.resize(above.max(1), String::new());
        if self.scale == Scale::Small && width(&emblem) > 1 {
            lines.push(format!("{emblem:<inner$}"));
        } else {
            lines.push(format!("{emblem:^inner$}"));
        }
        if self.scale != Scale::Small {
            lines.resize(usize::from(high - 3), String::new());
            lines.push(format!("{corner:>inner$}"));
        }
        let lines: Vec<Line<'_>> =
            lines.into_iter().map(|line| Line::from(Span::styled(line, ink))).collect();
        let block = Block::bordered().border_type(border).border_style(paper).style(paper);
        ratatui::widgets::Widget::render(Clear, area, buffer);
        ratatui::widgets::Widget::render(Paragraph::new(lines).block(block), area, buffer);
        area
    }
}

/// Wraps a text into lines of at most this many columns. A longer word is cut.
pub(crate) fn wrap(text: &str, max_width: usize) -> Vec<String> {
    let max_width = max_width.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split([' ', '\n']).filter(|word| !word.is_empty()) {
        let word: String = word.replace('\u{a0}', " ").chars().take(max_width).collect();
        if !line.is_empty() && width(&line) + 1 + width(&word) > max_width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    lines.push(line);
    lines
}

/// A key and what it does.
pub(crate) type KeyHint = (&'static str, String);

/// The hints that fit on a line, in their order.
pub(crate) fn hints(appearance: Appearance, hints: &[KeyHint], max_width: u16) -> Line<'static> {
    let mut spans = Vec::new();
    let mut taken = 0;
    for (key, what) in hints {
        let wide = width(key) + width(what) + 4;
        if taken + wide > usize::from(max_width) + 1 {
            continue;
        }
        taken += wide;
        spans.push(Span::styled(format!(" {key} "), appearance.chosen()));
        spans.push(Span::raw(format!(" {what} ")));
    }
    Line::from(spans)
}

/// A bar over the whole width, with a text at the left and one at the right.
pub(crate) fn bar(
    frame: &mut Frame<'_>,
    area: Rect,
    appearance: Appearance,
    left: &str,
    right: &str,
) {
    let wide = usize::from(area.width);
    let right = shortened(right, wide / 2);
    let room = wide.saturating_sub(width(&right) + 3);
    let left = shortened(left, room);
    let gap = wide.saturating_sub(width(&left) + width(&right) + 2);
    let text = format!(" {left}{}{right} ", " ".repeat(gap));
    frame.render_widget(Paragraph::new(Span::styled(text, appearance.bar())), area);
}

/// Draws a window in the middle of an area, as large as its lines, and returns its area.
pub(crate) fn window(
    frame: &mut Frame<'_>,
    area: Rect,
    appearance: Appearance,
    title: &str,
    lines: Vec<Line<'static>>,
    foot: &[KeyHint],
) -> Rect {
    let widest = lines.iter().map(Line::width).max().unwrap_or_default();
    let foot = hints(appearance, foot, area.width.saturating_sub(4));
    let wide = widest.max(foot.width()).max(width(title) + 2) as u16 + 4;
    let wide = wide.min(area.width);
    let high = (lines.len() as u16 + 4).min(area.height);
    let x = area.x + (area.width - wide) / 2;
    let y = area.y + (area.height - high) / 2;
    let place = Rect::new(x, y, wide, high);
    let block = Block::bordered()
        .border_type(BorderType::Double)
        .title(Span::styled(format!(" {title} "), appearance.strong()));
    let inner = block.inner(place);
    frame.render_widget(Clear, place);
    frame.render_widget(block, place);
    let text = Rect::new(inner.x + 1, inner.y, inner.width - 2, inner.height.saturating_sub(2));
    frame.render_widget(Paragraph::new(lines), text);
    let foot_area = Rect::new(inner.x, inner.bottom().saturating_sub(1), inner.width, 1);
    frame.render_widget(Paragraph::new(foot).centered(), foot_area);
    place
}

/// The score and the points still needed, on one line.
pub(crate) fn score_line(
    scene: &TableScene,
    appearance: Appearance,
    max_width: u16,
) -> Line<'static> {
    let tally_text = |tally: &SideTally| {
        let mut text = format!(" {}", tally.score);
        if scene.sides.len() <= 3 {
            text.extend(deal_points(scene, tally).map(|points| format!(" · {points}")));
            text.extend(tally.need.as_ref().map(|need| format!(" ({need})")));
        } else if let Some((points, promised)) = tally.points.zip(tally.promised) {
            text = format!("{text} {points}/{promised}");
        }
        text
    };
    let tallies: Vec<String> = scene.sides.iter().map(tally_text).collect();
    // The room for all names together; if it is too little, the longest are shortened.
    let max_width = usize::from(max_width);
    let room = max_width.saturating_sub(tallies.iter().map(|text| width(text) + 2).sum());
    let names =
        |max_width: usize| scene.sides.iter().map(move |side| width(&side.name).min(max_width));
    let longest =
        (3..=room).rev().find(|max_width| names(*max_width).sum::<usize>() <= room).unwrap_or(3);
    let texts: Vec<String> = scene
        .sides
        .iter()
        .zip(tallies)
        .map(|(side, tally)| format!(" {}{tally} ", shortened(&side.name, longest)))
        .collect();
    // In columns of equal width where possible, so that no text moves when a number grows.
    let each = max_width / texts.len().max(1);
    let even = texts.iter().all(|text| width(text) <= each);
    let gap = room.saturating_sub(names(longest).sum()) / texts.len().max(1);
    let spans = scene.sides.iter().zip(texts).map(|(side, text)| {
        let style = if side.own { appearance.strong() } else { Style::new() };
        let wide = if even { each } else { width(&text) + gap };
        Span::styled(format!("{text:<wide$}"), style)
    });
    Line::from_iter(spans)
}

/// The points of a side in this deal, and the points that it promised.
pub(crate) fn deal_points(scene: &TableScene, tally: &SideTally) -> Option<String> {
    // A bid of zero in Cruce promises nothing.
    let cruce = matches!(scene.rules, game::Rules::Cruce(_));
    let promised = tally.promised.filter(|promised| !cruce || *promised > 0);
    tally.points.map(|points| match promised {
        Some(promised) => format!("{points}/{promised}"),
        None => points.to_string(),
    })
}

/// The trump, for the bar at the top.
pub(crate) fn trump(scene: &TableScene, phrases: &Phrases) -> String {
    match scene.trump {
        SceneTrump::NoDeal => String::new(),
        SceneTrump::Unknown => phrases.trump_unknown(),
        SceneTrump::None => phrases.no_trump(),
        SceneTrump::Suit(suit, turned) => {
            let trump = phrases.trump(&scene.rules, Some(suit));
            let turned = turned.map(|card| phrases.card(scene.rules.pack(), card));
            let turned = turned.map(|card| format!(" ({card})")).unwrap_or_default();
            format!("{}{turned}", trump.trim_end_matches('.'))
        }
    }
}

/// Wraps a text into lines of a style.
pub(crate) fn styled(text: &str, max_width: usize, style: Style) -> Vec<Line<'static>> {
    wrap(text, max_width).into_iter().map(|line| Line::from(Span::styled(line, style))).collect()
}

/// Draws a message if the terminal is too small, and returns whether it is.
pub(crate) fn draw_if_too_small(frame: &mut Frame<'_>, phrases: &Phrases) -> bool {
    let area = frame.area();
    if area.width >= MIN_SIZE.0 && area.height >= MIN_SIZE.1 {
        return false;
    }
    let text = phrases.term_too_small(area.width, area.height, MIN_SIZE.0, MIN_SIZE.1);
    let lines = styled(&text, usize::from(area.width), Style::new());
    let high = (lines.len() as u16).min(area.height);
    let place = Rect::new(area.x, area.y + (area.height - high) / 2, area.width, high);
    frame.render_widget(Paragraph::new(lines).centered(), place);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_at_the_maximum_width() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij k", 4), ["abcd", "k"]);
        assert_eq!(wrap("IV\u{a0}dubă, A", 9), ["IV dubă,", "A"]);
        assert_eq!(wrap("", 9), [""]);
    }
}
