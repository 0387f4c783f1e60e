//! The layout of the seats on the screen: the viewer below, the other players round the table, each
//! with a name at the edge and a card towards the middle.

use phrases::Phrases;
use phrases::layout::{shortened, width};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use table_view::glance;
use table_view::scene::{PlayedCard, SceneSeat, TableScene};

use crate::appearance::Appearance;
use crate::widgets::{Art, CardPose, styled};

/// The maximum size of the table for cards of ordinary size. On a larger one they lie too far apart.
const MAX_SIZE: (u16, u16) = (110, 22);
/// The width of the text of a player at the side.
const SIDE_TEXT_WIDTH: u16 = 22;

/// How the text of a seat is aligned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TextSide {
    Left,
    Middle,
    Right,
}

/// The areas of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SeatArea {
    /// The player's name and bid.
    pub(crate) text: Rect,
    /// The player's card.
    pub(crate) card: Rect,
    /// The alignment of the text.
    pub(crate) side: TextSide,
}

/// The areas of all seats, clockwise from the viewer.
pub(crate) fn seat_areas(area: Rect, players: usize, card: (u16, u16)) -> Vec<SeatArea> {
    let most = (MAX_SIZE.0.max(card.0 * 11), MAX_SIZE.1.max(card.1 * 4 + 2));
    let (wide, high) = (area.width.min(most.0), area.height.min(most.1));
    let scene =
        Rect::new(area.x + (area.width - wide) / 2, area.y + (area.height - high) / 2, wide, high);
    let ring = SeatRing { scene, card, crowded: players > 5 };
    // Clockwise from the viewer, the next player sits to the left.
    let others: Vec<SeatArea> = match players {
        0 | 1 => Vec::new(),
        2 => vec![ring.top(1, 1)],
        3 => vec![ring.top(1, 2), ring.top(2, 2)],
        4 => vec![ring.left(), ring.top(1, 1), ring.right()],
        5 => vec![ring.left(), ring.top(1, 2), ring.top(2, 2), ring.right()],
        _ => vec![ring.left(), ring.top(1, 3), ring.top(2, 3), ring.top(3, 3), ring.right()],
    };
    std::iter::once(ring.own()).chain(others).collect()
}

struct SeatRing {
    scene: Rect,
    card: (u16, u16),
    /// Whether three players sit at the top, whose cards leave no room beside them.
    crowded: bool,
}

impl SeatRing {
    fn middle(&self) -> u16 {
        self.scene.x + self.scene.width / 2
    }

    /// The y of the upper row of cards, below the names at the top. The cards of a trick form a block
    /// in the middle: two rows, and the cards at the sides between them.
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
        let text = Rect::new(self.scene.x, y, self.scene.width, 1);
        let card = self.card_at(self.middle() - self.card.0 / 2, self.lower());
        SeatArea { text, card, side: TextSide::Middle }
    }

    /// The `number`-th of `all` seats at the top, from the left.
    fn top(&self, number: u16, all: u16) -> SeatArea {
        let each = self.scene.width / all;
        let text = Rect::new(self.scene.x + each * (number - 1), self.scene.y, each, 2);
        let middle = self.middle();
        let gap = self.card.0 + if all == 3 { 4 } else { 2 };
        // Around the middle, in the order of the seats.
        let offset = i32::from(gap) * (2 * i32::from(number) - i32::from(all) - 1) / 2;
        let x = (i32::from(middle) + offset) as u16 - self.card.0 / 2;
        SeatArea { text, card: self.card_at(x, self.upper()), side: TextSide::Middle }
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
        let text = Rect::new(self.scene.x + 1, y, SIDE_TEXT_WIDTH.min(x - self.scene.x - 2), 4);
        SeatArea { text, card: self.card_at(x, y), side: TextSide::Left }
    }

    fn right(&self) -> SeatArea {
        let middle = self.middle();
        let y = self.at_side();
        let x = middle + self.card.0 + 4;
        let wide = SIDE_TEXT_WIDTH.min(self.scene.right().saturating_sub(x + self.card.0 + 2));
        let text = Rect::new(self.scene.right() - wide - 1, y, wide, 4);
        SeatArea { text, card: self.card_at(x, y), side: TextSide::Right }
    }
}

/// Draws a [`TableScene`].
#[derive(Clone, Copy)]
pub(crate) struct SceneWidget<'a> {
    pub(crate) appearance: Appearance,
    pub(crate) phrases: &'a Phrases,
    pub(crate) art: Art<'a>,
}

impl SceneWidget<'_> {
    /// Draws all players round the table, and the trick between them.
    pub(crate) fn draw(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        scene: &TableScene,
        extra_notes: impl Fn(&SceneSeat) -> Vec<String>,
    ) {
        let places = seat_areas(area, scene.places.len(), self.art.size());
        for (area, place) in places.iter().zip(&scene.places) {
            self.draw_seat(frame, area, scene, place, extra_notes(place));
        }
        // A finished trick is shown until the next card is played.
        let (cards, taken): (&[PlayedCard], bool) = match &scene.last {
            Some(last) if scene.trick.is_empty() => (&last.cards, true),
            _ => (&scene.trick, false),
        };
        for card in cards {
            let Some(area) = places.get(card.place) else { continue };
            let pose = match (card.best, taken) {
                (true, _) => CardPose::Chosen,
                (false, true) => CardPose::Forbidden,
                (false, false) => CardPose::Plain,
            };
            self.art.draw(frame.buffer_mut(), area.card.x, area.card.y, card.card, pose);
        }
        if let Some(left) = scene.stock.filter(|left| *left > 0) {
            let lines = styled(&self.phrases.stock_left(left), 22, self.appearance.quiet());
            let place = Rect::new(area.x + 1, area.y + area.height / 2, 22, 3);
            frame.render_widget(Paragraph::new(lines), place.intersection(area));
        }
    }

    fn draw_seat(
        &self,
        frame: &mut Frame<'_>,
        area: &SeatArea,
        scene: &TableScene,
        place: &SceneSeat,
        extra_notes: Vec<String>,
    ) {
        let mark = if place.turn { "▶ " } else { "" };
        let dealer = match place.deals {
            true => format!(" ({})", self.phrases.mark_dealer()),
            false => String::new(),
        };
        let room = usize::from(area.text.width);
        let name = shortened(&place.name, room.saturating_sub(width(mark) + width(&dealer)));
        let style = match (place.turn, place.declares) {
            (true, _) => self.appearance.asked(),
            (false, true) => self.appearance.trump(),
            (false, false) => self.appearance.strong(),
        };
        let notes = glance::notes(scene, place, self.phrases);
        let notes = extra_notes.into_iter().chain(notes).collect::<Vec<_>>().join(" · ");
        let mut title = vec![Span::styled(format!("{mark}{name}"), style), Span::raw(dealer)];
        let lines = if area.text.height == 1 {
            title.push(Span::styled(format!("  {notes}"), self.appearance.quiet()));
            vec![Line::from(title)]
        } else {
            let notes = styled(&notes, room, self.appearance.quiet());
            std::iter::once(Line::from(title)).chain(notes).collect()
        };
        let text = Paragraph::new(lines);
        let text = match area.side {
            TextSide::Left => text,
            TextSide::Right => text.right_aligned(),
            TextSide::Middle => text.centered(),
        };
        frame.render_widget(text, area.text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_areas_overlap() {
        for (wide, high) in [(80, 13), (80, 20), (100, 24), (200, 60)] {
            for card in [(6, 4), (8, 4), (10, 5), (14, 9)] {
                if high < card.1 * 4 && card.1 > 4 {
                    continue;
                }
                for players in 2..=6 {
                    let area = Rect::new(3, 2, wide, high);
                    let seat_areas = seat_areas(area, players, card);
                    assert_eq!(seat_areas.len(), players);
                    let all: Vec<Rect> =
                        seat_areas.iter().flat_map(|area| [area.text, area.card]).collect();
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
