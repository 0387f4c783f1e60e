//! Where everything at a table is drawn: from the size of the screen, the size of the text and the parts
//! of the table follow the boxes of seats, trick, stock, bids, prompt and hand. Nothing overlaps, and the
//! cards are as large as the space allows. The same for live tables, spectators, lessons and replays.
//!
//! The layout depends on the rules and not on the course of a deal, so that nothing moves while it is played.

mod felt;
mod hand;
#[cfg(test)]
mod tests;

use game::Rules;

pub use felt::{FeltLayout, SeatBox};
pub use hand::HandLayout;

/// The smallest side of what can be tapped.
pub const TOUCH: f32 = 44.0;
/// The height of a card for a width of 1.
pub const CARD_HEIGHT: f32 = 1.5;
/// The text of a table never gets smaller than this, and that of a page that is read never than the second.
const LEAST_TEXT: f32 = 11.0;
const LEAST_READ_TEXT: f32 = 14.0;
/// The next smaller size of text that is tried.
const SHRINK: f32 = 0.96;
/// By how much a table becomes higher than its screen at a time.
const GROW: f32 = 24.0;

/// A rectangle in CSS pixels, from the upper left corner of the table.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Rect {
    /// The left edge.
    pub x: f32,
    /// The upper edge.
    pub y: f32,
    /// From the left edge to the right one.
    pub width: f32,
    /// From the upper edge to the lower one.
    pub height: f32,
}

impl Rect {
    /// A rectangle by its upper left corner and its size.
    pub const fn new(x: f32, y: f32, width: f32, height: f32) -> Rect {
        Rect { x, y, width, height }
    }

    /// A rectangle of this size round a point.
    fn around((x, y): (f32, f32), width: f32, height: f32) -> Rect {
        Rect::new(x - width / 2.0, y - height / 2.0, width, height)
    }

    /// The right edge.
    pub fn right(&self) -> f32 {
        self.x + self.width
    }

    /// The lower edge.
    pub fn bottom(&self) -> f32 {
        self.y + self.height
    }

    /// The point in the middle.
    pub fn center(&self) -> (f32, f32) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// Cuts off the upper part; the rest stays.
    fn cut_top(&mut self, height: f32) -> Rect {
        let top = Rect { height, ..*self };
        self.y += height;
        self.height -= height;
        top
    }

    /// Cuts off the lower part; the rest stays.
    fn cut_bottom(&mut self, height: f32) -> Rect {
        self.height -= height;
        Rect { y: self.bottom(), height, ..*self }
    }

    /// Cuts off the right part; the rest stays.
    fn cut_right(&mut self, width: f32) -> Rect {
        self.width -= width;
        Rect { x: self.right(), width, ..*self }
    }

    /// The rectangle without a margin on every side.
    fn inner(&self, margin: f32) -> Rect {
        Rect::new(
            self.x + margin,
            self.y + margin,
            self.width - 2.0 * margin,
            self.height - 2.0 * margin,
        )
    }
}

/// The space for a table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScreenSize {
    /// The width in CSS pixels.
    pub width: f32,
    /// The height in CSS pixels.
    pub height: f32,
    /// The size of text that the player wants, in pixels: 16 unless they chose another one.
    pub text: f32,
}

/// For whom a table is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableKind {
    /// A player with a hand.
    Seated,
    /// A spectator: all seats are on the felt.
    Watched,
    /// A player with a hand, and a text of several lines.
    Lesson,
    /// All hands are open, and the controls of the replay take the place of the hand.
    Replay,
}

/// What a table consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    kind: TableKind,
    /// The number of seats.
    seats: usize,
    /// The most cards of a hand.
    hand: usize,
    /// The most bids to choose from.
    bids: usize,
    /// Whether there is a stock, or a card that is turned up.
    has_aside: bool,
    /// Whether cards are shown by calls (C10).
    has_calls: bool,
    /// Whether there are only two sides, whose scores fit into the bar.
    has_two_sides: bool,
}

impl Parts {
    /// The parts of a table with these rules.
    pub fn new(rules: &Rules, kind: TableKind) -> Parts {
        let deals = (0..).map_while(|deal| rules.cards_each(deal)).take(64);
        let (bids, has_aside) = match rules {
            Rules::Cruce(cruce) => (usize::from(cruce.max_bid()) + 1, rules.stock() > 0),
            Rules::Whist(_) => (9, true),
        };
        Parts {
            kind,
            seats: rules.players(),
            hand: deals.max().unwrap_or_default(),
            bids,
            has_aside,
            has_calls: matches!(rules, Rules::Cruce(_)),
            has_two_sides: rules.sides() == 2,
        }
    }

    fn has_hand(&self) -> bool {
        matches!(self.kind, TableKind::Seated | TableKind::Lesson)
    }
}

/// The bar above a table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BarLayout {
    /// The whole bar.
    pub area: Rect,
    /// Whether the deal stands below the buttons, not beside them.
    pub deal_is_below: bool,
    /// Whether the scores of two sides stand below the buttons.
    pub sides_are_below: bool,
}

/// Where everything at a table is drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct TableLayout {
    /// The size of the text in pixels.
    pub text: f32,
    /// The width of the screen.
    pub width: f32,
    /// The height of the screen; more if the table does not fit, which can then be scrolled.
    pub height: f32,
    /// The bar above the table.
    pub bar: BarLayout,
    /// The score sheet, the chat and the story of the deal, if they fit beside the table.
    pub panel: Option<Rect>,
    /// The text of a lesson.
    pub lesson: Option<Rect>,
    /// The felt.
    pub felt: FeltLayout,
    /// What the player is asked, or the controls of a replay.
    pub prompt: Rect,
    /// The viewer's cards; None for spectators and in replays.
    pub hand: Option<HandLayout>,
}

impl TableLayout {
    /// The layout of a table. The text gets smaller if the table does not fit otherwise, and the table gets
    /// higher than the screen if even that does not help.
    pub fn new(screen: ScreenSize, parts: &Parts) -> TableLayout {
        let wanted = screen.text * growth(screen);
        let least = match parts.kind {
            TableKind::Seated | TableKind::Watched => LEAST_TEXT,
            TableKind::Lesson | TableKind::Replay => LEAST_READ_TEXT,
        };
        let mut higher = screen;
        loop {
            let sizes = std::iter::successors(Some(wanted), |text| Some(text * SHRINK));
            for text in sizes.take_while(|text| *text > least).chain([least.min(wanted)]) {
                if let Some(layout) = best(Frame { screen: higher, text, parts }) {
                    return layout;
                }
            }
            higher.height += GROW;
        }
    }
}

/// How much larger text is on a large screen.
fn growth(screen: ScreenSize) -> f32 {
    (screen.width * 0.0095).min(screen.height * 0.017).max(16.0) / 16.0
}

/// A screen with a size of text to try.
#[derive(Clone, Copy)]
struct Frame<'a> {
    screen: ScreenSize,
    text: f32,
    parts: &'a Parts,
}

/// What is left when the bar, the panel and the text of a lesson have their places.
struct Remainder {
    bar: BarLayout,
    panel: Option<Rect>,
    lesson: Option<Rect>,
    area: Rect,
}

impl Frame<'_> {
    /// A length in units of the text.
    fn em(&self, units: f32) -> f32 {
        units * self.text
    }

    fn margin(&self) -> f32 {
        self.em(0.35).clamp(4.0, 10.0)
    }

    fn bar(&self, area: &mut Rect) -> BarLayout {
        let buttons = match self.parts.kind {
            TableKind::Seated | TableKind::Watched if area.width < self.em(30.0) => 5.0,
            TableKind::Seated | TableKind::Watched => 6.0,
            TableKind::Replay => 3.0,
            TableKind::Lesson => 1.0,
        };
        let button = self.em(2.75).max(TOUCH);
        let left = area.width - buttons * button - 2.0 * self.em(0.8);
        // Whist counts its deals and their cards.
        let deal = if self.parts.has_calls { 7.5 } else { 11.0 };
        let deal_is_below = left < self.em(deal);
        let sides_are_below = self.parts.has_two_sides && left < self.em(22.0);
        // The deal beside the scores is one line.
        let second = if deal_is_below || sides_are_below { self.em(2.1) } else { 0.0 };
        let area = area.cut_top(button + 4.0 + second);
        BarLayout { area, deal_is_below, sides_are_below }
    }

    /// The height of the text of a lesson, with its buttons.
    fn lesson_height(&self, width: f32) -> f32 {
        /// The longest text of a lesson, and the letters in a line of one em.
        const LETTERS: f32 = 260.0;
        const LETTERS_IN_EM: f32 = 1.95;
        let line = (width.min(self.em(44.0)) - self.em(2.0)) / self.text * LETTERS_IN_EM;
        let lines = (LETTERS / line).ceil() + 1.0;
        self.em(lines * 1.45 + 1.6) + TOUCH.max(self.em(2.6)) + 8.0
    }

    fn rest(&self) -> Remainder {
        let mut area = Rect::new(0.0, 0.0, self.screen.width, self.screen.height);
        let is_live = matches!(self.parts.kind, TableKind::Seated | TableKind::Watched);
        let has_panel = is_live && area.width >= self.em(64.0) && area.height >= self.em(34.0);
        let panel = has_panel.then(|| {
            let width = (area.width * 0.27).clamp(self.em(20.0), self.em(30.0));
            area.cut_right(width)
        });
        let bar = self.bar(&mut area);
        Remainder { bar, panel, lesson: None, area }
    }

    /// The height of the prompt below the felt: a sentence and a row of buttons, or the controls of a replay.
    fn prompt_height(&self, width: f32) -> f32 {
        let button = self.em(2.75).max(TOUCH);
        match self.parts.kind {
            TableKind::Replay if width < self.em(38.0) => self.em(9.5) + 4.0 * (button + 6.0),
            TableKind::Replay => self.em(6.5) + 3.0 * (button + 6.0),
            _ if width < self.em(26.0) => self.em(3.3) + button + 8.0,
            _ => self.em(1.9) + button + 8.0,
        }
    }
}

/// The best arrangement of a frame; None if nothing fits.
fn best(frame: Frame<'_>) -> Option<TableLayout> {
    let below = arrangements_below(frame);
    let beside = arrangements_beside(frame);
    below
        .into_iter()
        .chain(beside)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, layout)| layout)
}

/// The arrangements with everything in one column.
fn arrangements_below(frame: Frame<'_>) -> Vec<(f32, TableLayout)> {
    let mut rest = frame.rest();
    if frame.parts.kind == TableKind::Lesson {
        let height = frame.lesson_height(rest.area.width);
        rest.lesson = Some(rest.area.cut_top(height));
    }
    let height = frame.prompt_height(rest.area.width);
    with_hands(frame, &rest, move |area, hand| {
        let bottom = hand.map(|height| area.cut_bottom(height));
        (area.cut_bottom(height), bottom)
    })
}

/// The arrangements with the prompt, and the text of a lesson, in a column beside the felt.
fn arrangements_beside(frame: Frame<'_>) -> Vec<(f32, TableLayout)> {
    let mut rest = frame.rest();
    let least = match frame.parts.kind {
        TableKind::Lesson | TableKind::Replay => 19.0,
        TableKind::Seated | TableKind::Watched => 11.5,
    };
    let width = (rest.area.width * 0.3).clamp(frame.em(least), frame.em(least * 1.6));
    // A column beside the felt is for low screens.
    let is_low = rest.area.height < frame.em(34.0) || frame.parts.kind != TableKind::Seated;
    if !is_low || rest.area.width < rest.area.height || rest.area.width < width * 2.4 {
        return Vec::new();
    }
    let mut column = rest.area.cut_right(width);
    if frame.parts.kind == TableKind::Lesson {
        let height = frame.lesson_height(width);
        if column.height < height + frame.prompt_height(width) {
            return Vec::new();
        }
        rest.lesson = Some(column.cut_top(height));
    }
    if column.height < frame.prompt_height(width) {
        return Vec::new();
    }
    with_hands(frame, &rest, move |area, hand| (column, hand.map(|height| area.cut_bottom(height))))
}

/// Tries hands of several sizes in an area, each with the best felt in what is left.
fn with_hands(
    frame: Frame<'_>,
    rest: &Remainder,
    split: impl Fn(&mut Rect, Option<f32>) -> (Rect, Option<Rect>),
) -> Vec<(f32, TableLayout)> {
    let mut found = Vec::new();
    let mut add = |hand: Option<hand::HandSize>| {
        let mut area = rest.area;
        let (prompt, hand_area) = split(&mut area, hand.map(|hand| hand.height));
        let Some(felt) = felt::best(frame, area) else { return };
        let hand = hand.zip(hand_area).map(|(size, area)| HandLayout::new(size, area));
        // A card on the felt may be a little smaller than one in the hand.
        let width = |hand: &HandLayout| (hand.worth() / 1.25).min(felt.card_width());
        let score = hand.as_ref().map_or(felt.card_width(), width);
        let layout = TableLayout {
            text: frame.text,
            width: frame.screen.width,
            height: frame.screen.height,
            bar: rest.bar,
            panel: rest.panel,
            lesson: rest.lesson,
            felt,
            prompt,
            hand,
        };
        found.push((score, layout));
    };
    if frame.parts.has_hand() {
        hand::sizes(frame, rest.area.width).into_iter().for_each(|size| add(Some(size)));
    } else {
        add(None);
    }
    found
}
