//! The viewer's hand: one row of cards, or two on a narrow screen. Of every card at least the corner with
//! rank and suit is visible, and as much as a finger needs.

use super::{CARD_HEIGHT, Frame, Rect, TOUCH};

/// How many sizes are tried.
const SIZES: usize = 16;
/// The part of a card's width that shows its rank and suit.
const CORNER_WIDTH: f32 = 0.45;
/// The part of a card's height that shows its rank and suit.
const CORNER_HEIGHT: f32 = 0.45;
/// The narrowest card.
pub(super) const LEAST_WIDTH: f32 = 46.0;

/// A size of the hand.
#[derive(Clone, Copy)]
pub(super) struct HandSize {
    card_width: f32,
    rows: usize,
    /// The number of cards in a full row.
    row: usize,
    margin: f32,
    pub(super) height: f32,
}

/// The sizes that fit into a width, from large to small.
pub(super) fn sizes(frame: Frame<'_>, width: f32) -> Vec<HandSize> {
    let margin = frame.margin();
    let inner = width - 2.0 * margin;
    let most = (width * 0.24).min((frame.screen.height * 0.19).max(64.0));
    let widths = (0..SIZES).map(|at| most * 0.93_f32.powi(at as i32));
    let widths = widths.filter(|width| *width >= LEAST_WIDTH);
    let of_width = |card_width: f32| {
        (1..=2_usize).filter_map(move |rows| {
            let row = frame.parts.hand.div_ceil(rows);
            let step = (inner - card_width) / (row.max(2) - 1) as f32;
            let fits = step >= TOUCH.max(card_width * CORNER_WIDTH);
            let card_height = card_width * CARD_HEIGHT;
            let height = card_height
                + lift(card_width)
                + (rows - 1) as f32 * row_step(card_height)
                + 1.5 * margin;
            fits.then_some(HandSize { card_width, rows, row, margin, height })
        })
    };
    widths.flat_map(of_width).collect()
}

/// How far a raised card is moved up.
fn lift(card_width: f32) -> f32 {
    (card_width * 0.2).max(10.0)
}

/// How far the second row is below the first one.
fn row_step(card_height: f32) -> f32 {
    TOUCH.max(card_height * CORNER_HEIGHT)
}

/// Where the cards of a hand are drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HandLayout {
    /// The space for all cards, also raised ones.
    pub area: Rect,
    /// The width of a card.
    pub card_width: f32,
    /// How far a raised card is moved up.
    pub lift: f32,
    rows: usize,
    row: usize,
    margin: f32,
}

impl HandLayout {
    pub(super) fn new(size: HandSize, area: Rect) -> HandLayout {
        let HandSize { card_width, rows, row, margin, .. } = size;
        HandLayout { area, card_width, lift: lift(card_width), rows, row, margin }
    }

    /// What the size is worth: the cards of a second row cover those of the first.
    pub(super) fn worth(&self) -> f32 {
        if self.rows == 2 { self.card_width * 0.62 } else { self.card_width }
    }

    /// The box of a card in a hand of `count` cards. A later card lies on an earlier one.
    pub fn card_box(&self, at: usize, count: usize) -> Rect {
        // The first row takes the odd card; a hand for which one row is enough has one.
        let first = if count <= self.row { count } else { count.div_ceil(self.rows) };
        let (row, column, columns) = match at < first {
            true => (0, at, first),
            false => (1, at - first, count - first),
        };
        let inner = self.area.width - 2.0 * self.margin;
        let card_height = self.card_width * CARD_HEIGHT;
        let step = (inner - self.card_width) / (columns.max(2) - 1) as f32;
        let step = step.min(self.card_width * 1.04);
        let used = self.card_width + step * (columns - 1) as f32;
        let top = match self.rows == 2 && count <= self.row {
            // A single row stands where the lower row was.
            true => row_step(card_height),
            false => row as f32 * row_step(card_height),
        };
        Rect::new(
            self.area.x + (self.area.width - used) / 2.0 + step * column as f32,
            self.area.y + self.lift + self.margin / 2.0 + top,
            self.card_width,
            card_height,
        )
    }
}
