//! The felt: the seats round it, the trick in the middle, and beside the trick the stock or the card that is
//! turned up. All ways to put the other seats to the left, to the top and to the right are compared.

use super::{CARD_HEIGHT, Frame, Rect, TOUCH, TableKind};

/// The narrowest card of a trick.
pub(super) const LEAST_CARD: f32 = 38.0;
/// The part of a back, and of a face, that is visible under the next card.
const VISIBLE_BACK: f32 = 0.3;
const VISIBLE_FACE: f32 = 0.45;
/// The space between the cards of a trick, in widths of a card.
const GAP: f32 = 0.1;
/// The width of the stock or the turned card, in widths of a card of the trick.
const ASIDE: f32 = 0.72;
/// Seats without their cards are worth less, and seats round the trick more.
const BARE: f32 = 0.82;
const AROUND: f32 = 1.12;

/// A player on the felt.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SeatBox {
    /// The name and the marks.
    pub plate: Rect,
    /// Whether the marks stand beside the name, not below it.
    pub is_flat: bool,
    /// The cards of the player, as backs or open; without width if there is no room for them.
    pub cards: Rect,
    card_width: f32,
    /// How many cards one row takes.
    row: usize,
}

impl SeatBox {
    /// Whether there is room for the player's cards.
    pub fn has_cards(&self) -> bool {
        self.cards.width > 0.0
    }

    /// The box of one of `count` cards. A later card lies on an earlier one.
    pub fn card_box(&self, at: usize, count: usize) -> Rect {
        let (row, column) = (at / self.row, at % self.row);
        let columns = if row == 0 { count.min(self.row) } else { count - self.row };
        let step = (self.cards.width - self.card_width) / (self.row.max(2) - 1) as f32;
        let step = step.min(self.card_width * 1.05);
        let used = self.card_width + step * (columns - 1) as f32;
        let height = self.card_width * CARD_HEIGHT;
        Rect::new(
            self.cards.x + (self.cards.width - used) / 2.0 + step * column as f32,
            self.cards.y + row as f32 * height * VISIBLE_FACE,
            self.card_width,
            height,
        )
    }
}

/// Where everything on the felt is drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct FeltLayout {
    /// The whole felt.
    pub area: Rect,
    /// The seats clockwise from the viewer's.
    pub seats: Vec<SeatBox>,
    /// The cards of a trick, by the places of the seats.
    pub trick: Vec<Rect>,
    /// The stock, or the card that is turned up.
    pub aside: Option<Rect>,
    /// The bids to choose from, while there is no trick.
    pub bids: Rect,
}

impl FeltLayout {
    /// The width of a card of the trick.
    pub fn card_width(&self) -> f32 {
        self.trick.first().map_or(0.0, |card| card.width)
    }
}

/// How a seat is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// The name above the marks, and the cards below.
    Stacked,
    /// Everything in one line.
    Flat,
    /// The name above the marks, without cards.
    Bare,
}

/// How many seats are to the left and to the right, and how many at the top.
#[derive(Clone, Copy)]
struct SeatPlan {
    sides: usize,
    top: usize,
    style: Style,
    top_style: Style,
    /// The width of a seat at the sides, in em.
    width: f32,
    /// Whether the seats at the sides begin below those at the top.
    is_below: bool,
}

/// The best felt in an area; None if there is not enough room.
pub(super) fn best(frame: Frame<'_>, area: Rect) -> Option<FeltLayout> {
    if area.height < 60.0 || area.width < 200.0 {
        return None;
    }
    let mut inner = area.inner(frame.margin());
    let own = own_seat(frame, &mut inner)?;
    let plans = plans(frame);
    let felts = plans.into_iter().filter_map(|plan| {
        let (others, middle) = seats(frame, inner, plan)?;
        let (trick, aside, bids) = middle_parts(frame, middle)?;
        let seats = [own].into_iter().chain(others).collect();
        let felt = FeltLayout { area, seats, trick, aside, bids };
        let bare = if plan.style == Style::Bare { BARE } else { 1.0 };
        // Wide plates for long names are worth a little.
        let around = if plan.sides > 0 { AROUND } else { 1.0 };
        let score = felt.card_width() * bare * around * (1.0 + plan.width / 80.0);
        Some((score, felt))
    });
    felts.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, felt)| felt)
}

/// All ways to place the other seats.
fn plans(frame: Frame<'_>) -> Vec<SeatPlan> {
    let others = frame.parts.seats - 1;
    // The cards that a call has shown are seen on the felt (C10), and so are open hands.
    let may_be_bare = !frame.parts.has_calls && frame.parts.kind != TableKind::Replay;
    let styles: &[(Style, Style)] = match may_be_bare {
        true => &[
            (Style::Stacked, Style::Stacked),
            (Style::Stacked, Style::Flat),
            (Style::Bare, Style::Bare),
        ],
        false => &[(Style::Stacked, Style::Stacked), (Style::Stacked, Style::Flat)],
    };
    let mut found = Vec::new();
    for sides in 0..=others / 2 {
        for (style, top_style) in styles {
            for width in [10.5, 8.0, 6.6, 5.6] {
                for is_below in [true, false] {
                    let top = others - 2 * sides;
                    let (style, top_style) = (*style, *top_style);
                    found.push(SeatPlan { sides, top, style, top_style, width, is_below });
                }
            }
        }
    }
    found
}

/// The sizes of a seat for a given width.
#[derive(Clone, Copy)]
struct SeatSize {
    style: Style,
    plate: (f32, f32),
    cards: (f32, f32),
    card_width: f32,
    row: usize,
    /// The space between the plate and the cards.
    gap: f32,
}

impl SeatSize {
    fn new(frame: Frame<'_>, style: Style, width: f32) -> Option<SeatSize> {
        let count = frame.parts.hand;
        let (card_width, visible) = match frame.parts.kind {
            TableKind::Replay => (frame.em(2.3).clamp(34.0, width.max(34.0)), VISIBLE_FACE),
            _ => (frame.em(1.7).max(24.0), VISIBLE_BACK),
        };
        let (gap, flat) = (frame.em(0.25), frame.em(1.85));
        let one_row = card_width * (1.0 + (count - 1) as f32 * visible);
        let (plate, cards, row) = match style {
            Style::Flat => {
                let plate = (width - one_row - gap).min(frame.em(15.0));
                let height = card_width * CARD_HEIGHT;
                ((plate, flat.max(frame.em(1.85))), (one_row, height), count)
            }
            Style::Stacked | Style::Bare => {
                let plate = (width.min(frame.em(11.0)), frame.em(2.95) + 2.0);
                let row = ((plate.0 - card_width) / (card_width * visible)) as usize + 1;
                let (row, rows) = (row.min(count), count.div_ceil(row));
                let height = card_width * CARD_HEIGHT;
                let strip = height * (1.0 + (rows - 1) as f32 * VISIBLE_FACE);
                match style {
                    Style::Bare => (plate, (0.0, 0.0), count),
                    _ if rows > 2 => return None,
                    _ => (plate, (plate.0.min(one_row * 1.3), strip), row),
                }
            }
        };
        let least = if style == Style::Flat { 8.5 } else { 5.4 };
        let fits = plate.0 >= frame.em(least);
        fits.then_some(SeatSize { style, plate, cards, card_width, row, gap })
    }

    fn height(&self) -> f32 {
        match self.style {
            Style::Flat => self.plate.1.max(self.cards.1),
            Style::Stacked => self.plate.1 + self.gap + self.cards.1,
            Style::Bare => self.plate.1,
        }
    }

    /// The seat, centred between two edges.
    fn at(&self, left: f32, right: f32, top: f32) -> SeatBox {
        let middle = f32::midpoint(left, right);
        let (width, height) = self.plate;
        let (plate, cards) = match self.style {
            Style::Flat => {
                let start = middle - (width + self.gap + self.cards.0) / 2.0;
                let drop = |height: f32| top + (self.height() - height) / 2.0;
                (
                    Rect::new(start, drop(height), width, height),
                    Rect::new(
                        start + width + self.gap,
                        drop(self.cards.1),
                        self.cards.0,
                        self.cards.1,
                    ),
                )
            }
            Style::Stacked | Style::Bare => (
                Rect::new(middle - width / 2.0, top, width, height),
                Rect::new(
                    middle - self.cards.0 / 2.0,
                    top + height + self.gap,
                    self.cards.0,
                    self.cards.1,
                ),
            ),
        };
        SeatBox {
            plate,
            is_flat: self.style == Style::Flat,
            cards,
            card_width: self.card_width,
            row: self.row,
        }
    }
}

/// The viewer's seat at the lower edge. Beside a hand it is a line; else it has its cards like the others.
fn own_seat(frame: Frame<'_>, inner: &mut Rect) -> Option<SeatBox> {
    if frame.parts.has_hand() {
        let height = frame.em(1.85);
        let line = inner.cut_bottom(height);
        inner.cut_bottom(frame.margin());
        let width = line.width.min(frame.em(24.0));
        let plate = Rect { x: line.x + (line.width - width) / 2.0, width, ..line };
        let cards = Rect::new(plate.x, plate.y, 0.0, 0.0);
        return Some(SeatBox { plate, is_flat: true, cards, card_width: 0.0, row: 1 });
    }
    let size = SeatSize::new(frame, Style::Flat, inner.width)
        .or_else(|| SeatSize::new(frame, Style::Stacked, inner.width))?;
    let line = inner.cut_bottom(size.height());
    inner.cut_bottom(frame.margin());
    Some(size.at(line.x, line.right(), line.y))
}

/// The other seats clockwise from the left, and what they leave in the middle.
fn seats(frame: Frame<'_>, area: Rect, plan: SeatPlan) -> Option<(Vec<SeatBox>, Rect)> {
    let gap = frame.margin() * 1.5;
    let mut middle = area;
    let (mut left, mut right, mut top) = (Vec::new(), Vec::new(), Vec::new());
    let mut top_row = |middle: &mut Rect| -> Option<()> {
        let cell = middle.width / plan.top as f32;
        let size = SeatSize::new(frame, plan.top_style, cell - gap)?;
        let row = middle.cut_top(size.height());
        middle.cut_top(gap);
        top.extend((0..plan.top).map(|at| {
            let start = row.x + at as f32 * cell;
            size.at(start, start + cell, row.y)
        }));
        Some(())
    };
    if plan.top > 0 && plan.is_below {
        top_row(&mut middle)?;
    }
    if plan.sides > 0 {
        let size = SeatSize::new(frame, plan.style, frame.em(plan.width))?;
        let cell = middle.height / plan.sides as f32;
        if cell < size.height() {
            return None;
        }
        let width = size.plate.0.max(size.cards.0);
        for at in 0..plan.sides {
            let y = middle.y + at as f32 * cell + (cell - size.height()) / 2.0;
            right.push(size.at(middle.right() - width, middle.right(), y));
            left.push(size.at(middle.x, middle.x + width, y));
        }
        middle =
            Rect { x: middle.x + width + gap, width: middle.width - 2.0 * (width + gap), ..middle };
    }
    if plan.top > 0 && !plan.is_below {
        top_row(&mut middle)?;
    }
    left.reverse();
    let fits = middle.width > LEAST_CARD && middle.height > LEAST_CARD;
    fits.then(|| (left.into_iter().chain(top).chain(right).collect(), middle))
}

/// The cards of the trick, the stock, and the bids: what is in the middle.
fn middle_parts(frame: Frame<'_>, middle: Rect) -> Option<(Vec<Rect>, Option<Rect>, Rect)> {
    let shapes = [trick_block(frame.parts.seats), trick_row(frame.parts.seats)];
    let most = (frame.screen.width * 0.2).min((frame.screen.height * 0.155).max(60.0));
    let mut best: Option<(Vec<Rect>, Option<Rect>, Rect)> = None;
    for slots in &shapes {
        let (columns, rows) = extent(slots);
        // The stock stands to the left of the trick, or above it.
        for is_beside in [true, false] {
            let extra = if frame.parts.has_aside { ASIDE + 2.0 * GAP } else { 0.0 };
            let (wide, high) = match is_beside {
                true => (columns + extra, rows * CARD_HEIGHT),
                false => (columns, (rows + extra) * CARD_HEIGHT),
            };
            let width = (middle.width / wide).min(middle.height / high).min(most);
            if width < LEAST_CARD || best.as_ref().is_some_and(|best| best.0[0].width >= width) {
                continue;
            }
            let mut rest = middle;
            let aside = frame.parts.has_aside.then(|| aside(&mut rest, width, is_beside));
            if !has_room_for_bids(frame, rest) {
                continue;
            }
            let (x, y) = rest.center();
            let card = |&(dx, dy): &(f32, f32)| {
                let center = (x + dx * width, y + dy * width * CARD_HEIGHT);
                Rect::around(center, width * (1.0 - GAP), width * (1.0 - GAP) * CARD_HEIGHT)
            };
            best = Some((slots.iter().map(card).collect(), aside, rest));
        }
    }
    best
}

/// Takes the place of the stock from the middle.
fn aside(middle: &mut Rect, card: f32, is_beside: bool) -> Rect {
    let (width, height) = (card * ASIDE, card * ASIDE * CARD_HEIGHT);
    if is_beside {
        // On the right, so that the trick stays as near to the middle as the space allows.
        let column = middle.cut_right(width + 2.0 * GAP * card);
        Rect::around((column.right() - width / 2.0, column.center().1), width, height)
    } else {
        let row = middle.cut_top(height + 2.0 * GAP * card * CARD_HEIGHT);
        Rect::around((row.center().0, row.y + height / 2.0), width, height)
    }
}

/// Whether all bids can be tapped in an area.
fn has_room_for_bids(frame: Frame<'_>, area: Rect) -> bool {
    let gap = 4.0;
    let columns = ((area.width + gap) / (TOUCH.max(frame.em(2.9)) + gap)) as usize;
    let rows = frame.parts.bids.div_ceil(columns.max(1));
    let is_asked = frame.parts.has_hand();
    !is_asked || (columns > 0 && rows as f32 * (TOUCH.max(frame.em(2.6)) + gap) <= area.height)
}

/// The cards of a trick in a block, by place: how many cards right of the middle and below it.
fn trick_block(seats: usize) -> Vec<(f32, f32)> {
    match seats {
        2 => vec![(0.0, 0.5), (0.0, -0.5)],
        3 => vec![(0.0, 0.5), (-0.5, -0.5), (0.5, -0.5)],
        4 => vec![(0.0, 0.5), (-1.0, 0.0), (0.0, -0.5), (1.0, 0.0)],
        5 => vec![(0.0, 0.5), (-1.0, 0.5), (-0.5, -0.5), (0.5, -0.5), (1.0, 0.5)],
        _ => vec![(0.0, 0.5), (-1.0, 0.5), (-1.0, -0.5), (0.0, -0.5), (1.0, -0.5), (1.0, 0.5)],
    }
}

/// The cards of a trick in a row, by place.
fn trick_row(seats: usize) -> Vec<(f32, f32)> {
    let from_left: &[usize] = match seats {
        2 => &[1, 0],
        3 => &[1, 0, 2],
        4 => &[1, 2, 0, 3],
        5 => &[1, 2, 0, 3, 4],
        _ => &[1, 2, 3, 0, 4, 5],
    };
    let at = |place: usize| from_left.iter().position(|other| *other == place).unwrap_or_default();
    let middle = (seats - 1) as f32 / 2.0;
    (0..seats).map(|place| (at(place) as f32 - middle, 0.0)).collect()
}

/// How many cards wide and high a trick is.
fn extent(slots: &[(f32, f32)]) -> (f32, f32) {
    let most = |of: fn(&(f32, f32)) -> f32| slots.iter().map(of).fold(0.0, f32::max);
    (2.0 * most(|slot| slot.0) + 1.0, 2.0 * most(|slot| slot.1.abs()) + 1.0)
}
