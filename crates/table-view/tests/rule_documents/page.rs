//! What an example tells, in all languages at once.

use cards::{BySide, Card, CardSet, Seat, Side};
use game::Rules;
use phrases::layout::{TIE, WIDTH, capitalised, total, width, wrap};
use phrases::sorted;
use phrases::{Language, Phrases, card_text};

/// How far pictures that stand beside each other are apart.
const APART: usize = 4;

/// A voice in one language, with names for the seats.
pub struct Voice {
    pub phrases: Phrases,
    pub rules: Rules,
    pub names: Vec<String>,
}

/// A piece of a page. Pieces of the same kind follow each other without a
/// blank line, but for blocks.
enum Piece {
    /// A sentence, wrapped.
    Sentence(String),
    /// A row of a table that other rows join.
    Row(String),
    /// A picture or a table.
    Block(Vec<String>),
}

pub struct Page {
    voices: [Voice; 2],
    pieces: [Vec<Piece>; 2],
}

impl Page {
    pub fn new(rules: Rules) -> Page {
        let voices = Language::ALL.map(|language| {
            let phrases = Phrases::new(language);
            let names = Seat::first(rules.players()).map(|seat| phrases.seat_name(seat)).collect();
            Voice { phrases, rules, names }
        });
        Page { voices, pieces: [Vec::new(), Vec::new()] }
    }

    fn add(&mut self, piece: impl Fn(&Voice) -> Piece) {
        for (live_region, pieces) in self.voices.iter().zip(&mut self.pieces) {
            pieces.push(piece(live_region));
        }
    }

    /// Says a sentence.
    pub fn say(&mut self, sentence: impl Fn(&Voice) -> String) {
        self.add(|live_region| Piece::Sentence(capitalised(&sentence(live_region))));
    }

    /// Adds a row.
    pub fn row(&mut self, row: impl Fn(&Voice) -> String) {
        self.add(|live_region| Piece::Row(row(live_region)));
    }

    /// Shows a table or a picture.
    pub fn show(&mut self, block: impl Fn(&Voice) -> Vec<String>) {
        self.add(|live_region| Piece::Block(block(live_region)));
    }

    /// Whether the last thing told is a row.
    pub fn ends_in_row(&self) -> bool {
        matches!(self.pieces[0].last(), Some(Piece::Row(_)))
    }

    /// Says that something is refused, and why.
    pub fn refuse(&mut self, what: impl Fn(&Voice) -> String, why: impl Fn(&Voice) -> String) {
        self.add(|live_region| {
            let what = capitalised(what(live_region).trim_end_matches('.'));
            let text = format!("✗ {what} – {}", why(live_region));
            Piece::Sentence(text)
        });
    }

    /// The whole page in a language.
    pub fn text(&self, language: Language) -> String {
        let at = Language::ALL.iter().position(|known| *known == language).unwrap_or_default();
        let mut text = String::new();
        let mut last: Option<&Piece> = None;
        for piece in &self.pieces[at] {
            let together = matches!(
                (last, piece),
                (Some(Piece::Sentence(_)), Piece::Sentence(_))
                    | (Some(Piece::Row(_)), Piece::Row(_))
            );
            if last.is_some() && !together {
                text.push('\n');
            }
            let lines = match piece {
                Piece::Sentence(sentence) if sentence.starts_with('✗') => {
                    wrap(sentence, "", "  ")
                }
                Piece::Sentence(sentence) => wrap(sentence, "", ""),
                Piece::Row(row) => row.clone(),
                Piece::Block(lines) => lines.join("\n"),
            };
            text.push_str(&lines);
            text.push('\n');
            last = Some(piece);
        }
        text
    }
}

/// A picture with a title over it.
pub struct Group {
    pub title: String,
    pub cards: Vec<Card>,
    pub notes: Vec<String>,
}

impl Voice {
    pub fn name(&self, seat: Seat) -> &str {
        &self.names[seat.index()]
    }

    pub fn side(&self, side: Side) -> String {
        self.phrases.side_name(&self.rules, side)
    }

    /// A number for each side: `Points – seats 1 and 3: 40 · seats 2 and 4: 27`.
    pub fn each_side<T: Copy + Into<i32>>(&self, label: String, numbers: &BySide<T>) -> String {
        let told = numbers.entries().map(|(side, number)| {
            format!("{}: {}", self.side(side), total((*number).into())).replace(' ', TIE)
        });
        format!("{label} – {}", told.collect::<Vec<_>>().join(" · "))
    }

    /// Some cards under a title, in the order of a hand.
    pub fn hand(&self, title: String, hand: CardSet) -> Group {
        Group { title, cards: sorted(hand), notes: Vec::new() }
    }

    /// Pictures beside each other as far as there is room.
    pub fn pictures(&self, groups: &[Group]) -> Vec<String> {
        let mut rows: Vec<Vec<String>> = Vec::new();
        for group in groups {
            let drawn =
                card_text::noted(&self.phrases, self.rules.pack(), &group.cards, &group.notes);
            let title = Some(capitalised(&group.title)).filter(|title| !title.is_empty());
            let lines: Vec<String> =
                title.into_iter().chain(drawn.lines().map(String::from)).collect();
            match rows.last_mut().filter(|row| widest(row) + APART + widest(&lines) <= WIDTH) {
                Some(row) => beside(row, &lines),
                None => rows.push(lines),
            }
        }
        rows.join(&[String::new()][..])
    }
}

fn widest(lines: &[String]) -> usize {
    lines.iter().map(|line| width(line)).max().unwrap_or_default()
}

fn beside(left: &mut Vec<String>, right: &[String]) {
    let wide = widest(left);
    while left.len() < right.len() {
        left.push(String::new());
    }
    for (line, more) in left.iter_mut().zip(right) {
        let space = " ".repeat(wide - width(line) + APART);
        *line = format!("{line}{space}{more}").trim_end().into();
    }
}
