//! Where everybody sits on the screen: the viewer below, the others round the table, each with his
//! words at the edge and his card towards the middle.

use phrases::Phrases;
use phrases::layout::{shortened, width};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use table_view::glance;
use table_view::scene::{PlayedCard, SceneSeat, TableScene};

use crate::look::Look;
use crate::widgets::{Art, CardPose, styled};

/// The most felt for cards of ordinary size: more of it would tear them apart.
const MOST: (u16, u16) = (110, 22);
/// How wide the words of somebody at the side are.
const WORDS: u16 = 22;

/// To which edge words lean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lean {
    Left,
    Middle,
    Right,
}

/// A place at the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SeatArea {
    /// Where his name and his bid stand.
    pub(crate) words: Rect,
    /// Where his card lies.
    pub(crate) card: Rect,
    /// How his words are aligned.
    pub(crate) side: Lean,
}

/// The places of so many players, clockwise from the viewer.
pub(crate) fn spots(area: Rect, players: usize, card: (u16, u16)) -> Vec<SeatArea> {
    let most = (MOST.0.max(card.0 * 11), MOST.1.max(card.1 * 4 + 2));
    let (wide, high) = (area.width.min(most.0), area.height.min(most.1));
    let scene =
        Rect::new(area.x + (area.width - wide) / 2, area.y + (area.height - high) / 2, wide, high);
    let round = SeatRing { scene, card, crowded: players > 5 };
    // Clockwise from the viewer, the next player sits to the left.
    let others: Vec<SeatArea> = match players {
        0 | 1 => Vec::new(),
        2 => vec![round.top(1, 1)],
        3 => vec![round.top(1, 2), round.top(2, 2)],
        4 => vec![round.left(), round.top(1, 1), round.right()],
        5 => vec![round.left(), round.top(1, 2), round.top(2, 2), round.right()],
        _ => vec![round.left(), round.top(1, 3), round.top(2, 3), round.top(3, 3), round.right()],
    };
    std::iter::once(round.own()).chain(others).collect()
}

struct SeatRing {
    scene: Rect,
    card: (u16, u16),
    /// Whether three sit at the top, whose cards leave no room beside them.
    crowded: bool,
}

impl SeatRing {
    fn middle(&self) -> u16 {
        self.scene.x + self.scene.width / 2
    }

    /// Cards are laid in a block in the middle, so that they look like one trick: two rows of them
    /// and those at the sides between. Here begins the upper row, below the names at the top.
    fn upper(&self) -> u16 {
        let free = self.scene.height.saturating_sub(3 + self.card.1 * 2 + 1);
        self.scene.y + 2 + free / 2
    }

    fn lower(&self) -> u16 {
        self.upper() + self.card.1 + 1
    }

    fn card_at(&self, x: u16, y: u16) -> Rect {
        Rect::new(x, y, self.card.0, self.card.1)
    }

    fn own(&self) -> SeatArea {
        let y = self.scene.bottom().saturating_sub(1);
        let words = Rect::new(self.scene.x, y, self.scene.width, 1);
        let card = self.card_at(self.middle() - self.card.0 / 2, self.lower());
        SeatArea { words, card, side: Lean::Middle }
    }

    /// The `number`-th of so many at the top, from the left.
    fn top(&self, number: u16, all: u16) -> SeatArea {
        let each = self.scene.width / all;
        let words = Rect::new(self.scene.x + each * (number - 1), self.scene.y, each, 2);
        let middle = self.middle();
        let gap = self.card.0 + if all == 3 { 4 } else { 2 };
        // Around the middle, in the order in which they sit.
        let offset = i32::from(gap) * (2 * i32::from(number) - i32::from(all) - 1) / 2;
        let x = (i32::from(middle) + offset) as u16 - self.card.0 / 2;
        SeatArea { words, card: self.card_at(x, self.upper()), side: Lean::Middle }
    }

    fn at_side(&self) -> u16 {
        match self.crowded {
            true => self.upper() + self.card.1,
            // Between the rows, in columns of their own.
            false => self.upper() + self.card.1.div_ceil(2),
        }
    }

    fn left(&self) -> SeatArea {
        let middle = self.middle();
        let y = self.at_side();
        let x = middle.saturating_sub(self.card.0 * 2 + 4).max(self.scene.x);
        let words = Rect::new(self.scene.x + 1, y, WORDS.min(x - self.scene.x - 2), 4);
        SeatArea { words, card: self.card_at(x, y), side: Lean::Left }
    }

    fn right(&self) -> SeatArea {
        let middle = self.middle();
        let y = self.at_side();
        let x = middle + self.card.0 + 4;
        let wide = WORDS.min(self.scene.right().saturating_sub(x + self.card.0 + 2));
        let words = Rect::new(self.scene.right() - wide - 1, y, wide, 4);
        SeatArea { words, card: self.card_at(x, y), side: Lean::Right }
    }
}

/// What draws a felt.
#[derive(Clone, Copy)]
pub(crate) struct SceneWidget<'a> {
    pub(crate) look: Look,
    pub(crate) phrases: &'a Phrases,
    pub(crate) art: Art<'a>,
}

impl SceneWidget<'_> {
    /// Draws everybody round the table, and the trick between them.
    pub(crate) fn draw(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        scene: &TableScene,
        more: impl Fn(&SceneSeat) -> Vec<String>,
    ) {
        let places = spots(area, scene.places.len(), self.art.size());
        for (spot, place) in places.iter().zip(&scene.places) {
            self.place(frame, spot, scene, place, more(place));
        }
        // A trick that was taken lies there until the next card.
        let (laid, taken): (&[PlayedCard], bool) = match &scene.last {
            Some(last) if scene.trick.is_empty() => (&last.cards, true),
            _ => (&scene.trick, false),
        };
        for card in laid {
            let Some(spot) = places.get(card.place) else { continue };
            let lies = match (card.best, taken) {
                (true, _) => CardPose::Chosen,
                (false, true) => CardPose::Forbidden,
                (false, false) => CardPose::Plain,
            };
            self.art.draw(frame.buffer_mut(), spot.card.x, spot.card.y, card.card, lies);
        }
        if let Some(left) = scene.stock.filter(|left| *left > 0) {
            let lines = styled(&self.phrases.stock_left(left), 22, self.look.quiet());
            let place = Rect::new(area.x + 1, area.y + area.height / 2, 22, 3);
            frame.render_widget(Paragraph::new(lines), place.intersection(area));
        }
    }

    fn place(
        &self,
        frame: &mut Frame<'_>,
        spot: &SeatArea,
        scene: &TableScene,
        place: &SceneSeat,
        more: Vec<String>,
    ) {
        let mark = if place.turn { "▶ " } else { "" };
        let dealer = match place.deals {
            true => format!(" ({})", self.phrases.mark_dealer()),
            false => String::new(),
        };
        let room = usize::from(spot.words.width);
        let name = shortened(&place.name, room.saturating_sub(width(mark) + width(&dealer)));
        let style = match (place.turn, place.declares) {
            (true, _) => self.look.asked(),
            (false, true) => self.look.trump(),
            (false, false) => self.look.strong(),
        };
        let notes = glance::notes(scene, place, self.phrases);
        let notes = more.into_iter().chain(notes).collect::<Vec<_>>().join(" · ");
        let mut title = vec![Span::styled(format!("{mark}{name}"), style), Span::raw(dealer)];
        let lines = if spot.words.height == 1 {
            title.push(Span::styled(format!("  {notes}"), self.look.quiet()));
            vec![Line::from(title)]
        } else {
            let notes = styled(&notes, room, self.look.quiet());
            std::iter::once(Line::from(title)).chain(notes).collect()
        };
        let text = Paragraph::new(lines);
        let text = match spot.side {
            Lean::Left => text,
            Lean::Right => text.right_aligned(),
            Lean::Middle => text.centered(),
        };
        frame.render_widget(text, spot.words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_lies_over_anything_else() {
        for (wide, high) in [(80, 13), (80, 20), (100, 24), (200, 60)] {
            for card in [(6, 4), (8, 4), (10, 5), (14, 9)] {
                if high < card.1 * 4 && card.1 > 4 {
                    continue;
                }
                for players in 2..=6 {
                    let area = Rect::new(3, 2, wide, high);
                    let spots = spots(area, players, card);
                    assert_eq!(spots.len(), players);
                    let all: Vec<Rect> =
                        spots.iter().flat_map(|spot| [spot.words, spot.card]).collect();
                    for (at, one) in all.iter().enumerate() {
                        let inside = one.intersection(area);
                        assert_eq!(inside, *one, "{wide}x{high} {card:?} {players}");
                        for other in &all[at + 1..] {
                            let shared = one.intersection(*other);
                            assert!(
                                shared.is_empty(),
                                "{wide}x{high} {card:?} {players}: {one} {other}"
                            );
                        }
                    }
                }
            }
        }
    }
}
