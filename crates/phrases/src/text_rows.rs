//! Hands, tricks and bids as rows of plain text.

use cards::{BySeat, Card, CardSet, Pack, Seat, Suit};
use game::Rules;

use crate::layout::{Columns, TIE, WIDTH, shortened, width};
use crate::{Phrases, face};

/// The maximum length of a name where space is short.
pub const SHORT_NAME: usize = 10;

/// The short text of a card: `IV bells`, `IV dubă`; `Q♥`.
pub fn card(phrases: &Phrases, pack: Pack, card: Card) -> String {
    let (corner, pack) = (phrases.corner(pack, card), phrases.displayed_pack(pack));
    match symbol(pack, card.suit()) {
        Some(symbol) => format!("{corner}{symbol}"),
        None => format!("{corner} {}", phrases.suit_name(pack, card.suit())),
    }
}

/// The symbol of a French suit; the Hungarian suits have no character.
pub const fn symbol(pack: Pack, suit: Suit) -> Option<char> {
    match (pack.is_hungarian(), suit) {
        (true, _) => None,
        (false, Suit::Bell) => Some('♣'),
        (false, Suit::Leaf) => Some('♠'),
        (false, Suit::Acorn) => Some('♦'),
        (false, Suit::Heart) => Some('♥'),
    }
}

/// All hands, one row each, with the suits in columns. Empty hands have no row.
pub fn hands(
    phrases: &Phrases,
    pack: Pack,
    names: &[String],
    hands: &BySeat<CardSet>,
    indent: &str,
) -> Vec<String> {
    let mut rows = Columns::new("<<<<<");
    let title = |suit: Suit| match symbol(pack, suit) {
        Some(symbol) => symbol.to_string(),
        None => phrases.suit_name(pack, suit),
    };
    rows.row(std::iter::once(String::new()).chain(Suit::ALL.map(title)));
    for (name, hand) in names.iter().zip(hands.iter()).filter(|(_, hand)| !hand.is_empty()) {
        let cells = Suit::ALL.map(|suit| {
            let faces = hand.in_suit(suit).iter().rev().map(|card| face(pack, card.rank()));
            faces.collect::<Vec<_>>().join(" ")
        });
        let void = |cell: String| if cell.is_empty() { "–".into() } else { cell };
        rows.row(std::iter::once(shortened(name, SHORT_NAME)).chain(cells.map(void)));
    }
    rows.lines(indent, 4)
}

/// A list of cards; the words of each card are [tied](TIE) together.
pub fn cards(phrases: &Phrases, pack: Pack, cards: &[Card]) -> String {
    let texts = cards.iter().map(|c| card(phrases, pack, *c).replace(' ', TIE));
    texts.collect::<Vec<_>>().join(", ")
}

/// Each player's bid, in the order of bidding; the words of each bid are [tied](TIE) together.
pub fn bids(
    phrases: &Phrases,
    rules: &Rules,
    names: &[String],
    first: Seat,
    bids: &[u8],
) -> String {
    let players = rules.players();
    let texts = bids.iter().enumerate().map(|(at, bid)| {
        let name = &names[first.after(at, players).index()];
        format!("{} {}", shortened(name, SHORT_NAME), phrases.bid(rules, *bid)).replace(' ', TIE)
    });
    texts.collect::<Vec<_>>().join(" · ")
}

/// A finished trick.
#[derive(Clone, Debug)]
pub struct TakenRow {
    /// The cards with the seats that played them, from the leader on.
    pub plays: Vec<(Seat, Card)>,
    /// The points of the call that the leader made (C10).
    pub call: Option<u8>,
    /// The winner.
    pub by: Seat,
    /// The points in it; 0 in whist.
    pub points: u8,
}

/// A trick on a line: its number, the cards with their players from the leader on, a call, and the
/// winner with the points.
///
/// In Cruce the suit is named only for the lead and for cards of other suits.
pub fn trick(
    phrases: &Phrases,
    rules: &Rules,
    names: &[String],
    number: usize,
    taken: &TakenRow,
) -> String {
    let longest =
        names.iter().map(|name| width(&shortened(name, SHORT_NAME))).max().unwrap_or_default();
    let taker = shortened(&names[taken.by.index()], SHORT_NAME);
    // The winners of the tricks are aligned at the right.
    let (result, wide) = match rules {
        Rules::Cruce(_) => (format!("→ {taker:<longest$} {:>2}", taken.points), longest + 5),
        Rules::Whist(_) => (format!("→ {taker}"), longest + 2),
    };
    let cells: Vec<String> =
        (0..taken.plays.len()).map(|at| play_cell(phrases, rules, names, taken, at)).collect();
    let room = WIDTH - wide - 1;
    let number = format!("{number:>3}  ");
    // Aligned if there is room, else close together, else on two lines.
    let lead = longest + widest_card(phrases, rules.pack()) + 1;
    let (aligned, close) = (join(&cells, lead, longest + 4), join(&cells, 0, 0));
    let lines = if width(&number) + width(&aligned) <= room {
        vec![aligned]
    } else if width(&number) + width(&close) <= room {
        vec![close]
    } else {
        let half = cells.len().div_ceil(2);
        vec![join(&cells[..half], 0, 0), join(&cells[half..], 0, 0)]
    };
    let lines = lines.join(&format!("\n{}", " ".repeat(width(&number))));
    let last = width(lines.rsplit('\n').next().unwrap_or_default());
    let indent = if lines.contains('\n') { 0 } else { width(&number) };
    let space = WIDTH.saturating_sub(indent + last + wide).max(1);
    format!("{number}{lines}{}{result}", " ".repeat(space))
}

/// The cells of a trick in a row, the first at least as wide as `lead`, the others as `rest`.
fn join(cells: &[String], lead: usize, rest: usize) -> String {
    let padded = cells.iter().enumerate().map(|(at, cell)| {
        let least = if at == 0 { lead } else { rest };
        format!("{cell:<least$}")
    });
    padded.collect::<Vec<_>>().join("  ").trim_end().into()
}

/// The width of the widest card of a pack.
fn widest_card(phrases: &Phrases, pack: Pack) -> usize {
    let all = pack.cards().iter().map(|c| width(&card(phrases, pack, c)));
    all.max().unwrap_or_default()
}

/// The `at`-th card of a trick, after the name of its player.
fn play_cell(
    phrases: &Phrases,
    rules: &Rules,
    names: &[String],
    taken: &TakenRow,
    at: usize,
) -> String {
    let pack = rules.pack();
    let (seat, played) = taken.plays[at];
    let follows = at > 0 && taken.plays[0].1.suit() == played.suit();
    let text = match (follows, pack.is_hungarian()) {
        (true, true) => face(pack, played.rank()).into(),
        _ => card(phrases, pack, played),
    };
    let called = match taken.call.filter(|_| at == 0) {
        Some(points) => format!(" {}", phrases.story_calls(points)),
        None => String::new(),
    };
    format!("{} {text}{called}", shortened(&names[seat.index()], SHORT_NAME))
}
