//! Pictures of cards in plain text, for terminals and documents.

use cards::{Card, Pack, Suit};

use crate::layout::{WIDTH, shortened, width};
use crate::{Phrases, face};

/// The maximum number of cards in a row.
const MAX_IN_A_ROW: usize = 8;

/// Boxed cards in rows, each with its rank above its suit.
pub fn cards(phrases: &Phrases, pack: Pack, cards: &[Card]) -> String {
    with_notes(phrases, pack, cards, &[])
}

/// The same with a short note under each card, such as its player or whether it may be played.
pub fn with_notes(phrases: &Phrases, pack: Pack, cards: &[Card], notes: &[String]) -> String {
    let inner = inner_width(phrases, pack);
    let fitting = (WIDTH + 1) / (inner + 3);
    let row = MAX_IN_A_ROW.min(fitting).max(1);
    let mut lines = Vec::new();
    for (at, cards) in cards.chunks(row).enumerate() {
        let across = "─".repeat(inner);
        let each = |line: &dyn Fn(Card) -> String| {
            cards.iter().map(|card| line(*card)).collect::<Vec<_>>().join(" ")
        };
        lines.push(each(&|_| format!("┌{across}┐")));
        lines.push(each(&|card| format!("│{:<inner$}│", face(pack, card.rank()))));
        lines.push(each(&|card| format!("│{:<inner$}│", phrases.sign(pack, card.suit()))));
        lines.push(each(&|_| format!("└{across}┘")));
        let notes = notes.iter().skip(at * row).take(cards.len());
        let wide = inner + 2;
        let notes: Vec<String> =
            notes.map(|note| format!("{:^wide$}", shortened(note, wide))).collect();
        if !notes.is_empty() {
            lines.push(notes.join(" ").trim_end().into());
        }
    }
    lines.join("\n")
}

/// The width of a card between its borders: that of the longest suit, so that all cards of a pack
/// are equally wide.
fn inner_width(phrases: &Phrases, pack: Pack) -> usize {
    let signs = Suit::ALL.map(|suit| width(&phrases.sign(pack, suit)));
    signs.into_iter().max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use crate::sorted;
    use cards::Rank;

    #[test]
    fn a_card_is_a_box_with_rank_and_suit() {
        let phrases = Phrases::new(Language::Romanian);
        let hand = [Card::new(Rank::Ace, Suit::Bell), Card::new(Rank::King, Suit::Acorn)];
        assert_eq!(
            cards(&phrases, Pack::Hungarian, &hand),
            "\
┌──────┐ ┌──────┐
│A     │ │IV    │
│dubă  │ │ghindă│
└──────┘ └──────┘"
        );
        let notes = ["locul 1".into(), "✓".into()];
        let noted = with_notes(&phrases, Pack::Hungarian, &hand, &notes);
        assert_eq!(noted.lines().last(), Some("locul 1     ✓"));
    }

    #[test]
    fn rows_fit_the_terminal() {
        for language in Language::ALL {
            let phrases = Phrases::new(language);
            for pack in [Pack::Hungarian, Pack::FrenchFrom(Rank::Three)] {
                let all = sorted(pack.cards());
                let drawn = cards(&phrases, pack, &all);
                assert_eq!(drawn.lines().count(), 4 * all.len().div_ceil(8));
                assert!(drawn.lines().all(|line| width(line) <= WIDTH), "{drawn}");
                assert_eq!(cards(&phrases, pack, &[]), "");
            }
        }
    }
}
