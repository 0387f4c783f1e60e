//! The page of an example, in all languages at once.

use cards::{BySide, Card, CardSet, Seat, Side};
use game::Rules;
use phrases::layout::{TIE, WIDTH, capitalised, total, width, wrap};
use phrases::sorted;
use phrases::{Language, Phrases, card_text};

/// The distance between pictures on one line.
const GAP: usize = 4;

/// The phrases of one language, with names for the seats.
pub struct Wording {
    pub phrases: Phrases,
    pub rules: Rules,
    pub names: Vec<String>,
}

/// A piece of a page. Consecutive sentences and consecutive rows have no blank line between them.
enum Piece {
    /// A sentence, wrapped.
    Sentence(String),
    /// A row of a table.
    Row(String),
    /// A picture or a table.
    Block(Vec<String>),
}

pub struct Page {
    wordings: [Wording; 2],
    pieces: [Vec<Piece>; 2],
}

impl Page {
    pub fn new(rules: Rules) -> Page {
        let wordings = Language::ALL.map(|language| {
            let phrases = Phrases::new(language);
            let names = Seat::first(rules.players()).map(|seat| phrases.seat_name(seat)).collect();
            Wording { phrases, rules, names }
        });
        Page { wordings, pieces: [Vec::new(), Vec::new()] }
    }

    fn add(&mut self, piece: impl Fn(&Wording) -> Piece) {
        for (wording, pieces) in self.wordings.iter().zip(&mut self.pieces) {
            pieces.push(piece(wording));
        }
    }

    /// Adds a sentence.
    pub fn sentence(&mut self, sentence: impl Fn(&Wording) -> String) {
        self.add(|wording| Piece::Sentence(capitalised(&sentence(wording))));
    }

    /// Adds a row.
    pub fn row(&mut self, row: impl Fn(&Wording) -> String) {
        self.add(|wording| Piece::Row(row(wording)));
    }

    /// Adds a table or a picture.
    pub fn block(&mut self, block: impl Fn(&Wording) -> Vec<String>) {
        self.add(|wording| Piece::Block(block(wording)));
    }

    /// Whether the last piece is a row.
    pub fn ends_in_row(&self) -> bool {
        matches!(self.pieces[0].last(), Some(Piece::Row(_)))
    }

    /// Adds a refused action with the reason.
    pub fn refusal(&mut self, what: impl Fn(&Wording) -> String, why: impl Fn(&Wording) -> String) {
        self.add(|wording| {
            let what = capitalised(what(wording).trim_end_matches('.'));
            let text = format!("✗ {what} – {}", why(wording));
            Piece::Sentence(text)
        });
    }

    /// The whole page in a language.
    pub fn text(&self, language: Language) -> String {
        let at = Language::ALL.iter().position(|known| *known == language).unwrap_or_default();
        let mut text = String::new();
        let mut last: Option<&Piece> = None;
        for piece in &self.pieces[at] {
            let is_continued = matches!(
                (last, piece),
                (Some(Piece::Sentence(_)), Piece::Sentence(_))
                    | (Some(Piece::Row(_)), Piece::Row(_))
            );
            if last.is_some() && !is_continued {
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

/// A picture of cards with a title.
pub struct Group {
    pub title: String,
    pub cards: Vec<Card>,
    pub notes: Vec<String>,
}

impl Wording {
    pub fn name(&self, seat: Seat) -> &str {
        &self.names[seat.index()]
    }

    pub fn side(&self, side: Side) -> String {
        self.phrases.side_name(&self.rules, side)
    }

    /// A number for each side: `Points – seats 1 and 3: 40 · seats 2 and 4: 27`.
    pub fn each_side<T: Copy + Into<i32>>(&self, label: String, numbers: &BySide<T>) -> String {
        let texts = numbers.entries().map(|(side, number)| {
            format!("{}: {}", self.side(side), total((*number).into())).replace(' ', TIE)
        });
        format!("{label} – {}", texts.collect::<Vec<_>>().join(" · "))
    }

    /// Cards under a title, in the order of a hand.
    pub fn hand(&self, title: String, hand: CardSet) -> Group {
        Group { title, cards: sorted(hand), notes: Vec::new() }
    }

    /// Pictures side by side as far as there is room.
    pub fn pictures(&self, groups: &[Group]) -> Vec<String> {
        let mut rows: Vec<Vec<String>> = Vec::new();
        for group in groups {
            let drawn =
                card_text::with_notes(&self.phrases, self.rules.pack(), &group.cards, &group.notes);
            let title = Some(capitalised(&group.title)).filter(|title| !title.is_empty());
            let lines: Vec<String> =
                title.into_iter().chain(drawn.lines().map(String::from)).collect();
            match rows.last_mut().filter(|row| widest(row) + GAP + widest(&lines) <= WIDTH) {
                Some(row) => append_beside(row, &lines),
                None => rows.push(lines),
            }
        }
        rows.join(&[String::new()][..])
    }
}

fn widest(lines: &[String]) -> usize {
    lines.iter().map(|line| width(line)).max().unwrap_or_default()
}

fn append_beside(left: &mut Vec<String>, right: &[String]) {
    let wide = widest(left);
    while left.len() < right.len() {
        left.push(String::new());
    }
    for (line, more) in left.iter_mut().zip(right) {
        let space = " ".repeat(wide - width(line) + GAP);
        *line = format!("{line}{space}{more}").trim_end().into();
    }
}
