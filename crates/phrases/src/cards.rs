//! The names of cards, suits and ranks.

use cards::{Card, CardSet, Pack, Rank, Seat, Side, Suit};
use game::Rules;

use super::Phrases;

/// The word that identifies a suit in messages.
const fn suit_key(pack: Pack, suit: Suit) -> &'static str {
    match (pack.is_hungarian(), suit) {
        (true, Suit::Bell) => "bell",
        (true, Suit::Leaf) => "leaf",
        (true, Suit::Acorn) => "acorn",
        (true, Suit::Heart) => "heart",
        (false, Suit::Bell) => "clubs",
        (false, Suit::Leaf) => "spades",
        (false, Suit::Acorn) => "diamonds",
        (false, Suit::Heart) => "hearts",
    }
}

/// The word that identifies a rank in messages.
const fn rank_key(pack: Pack, rank: Rank) -> &'static str {
    match (pack.is_hungarian(), rank) {
        (_, Rank::Ace) => "ace",
        (true, Rank::Zaca) => "x",
        (true, Rank::King) => "iv",
        (true, Rank::Queen) => "iii",
        (true, Rank::Jack) => "ii",
        (true, Rank::Nine) => "ix",
        (_, Rank::King) => "king",
        (_, Rank::Queen) => "queen",
        (_, Rank::Jack) => "jack",
        // The ten of Cruce on a French card.
        (false, Rank::Zaca) | (_, Rank::Ten) => "ten",
        (_, Rank::Nine) => "nine",
        (_, Rank::Eight) => "eight",
        (_, Rank::Seven) => "seven",
        (_, Rank::Six) => "six",
        (_, Rank::Five) => "five",
        (_, Rank::Four) => "four",
        (_, Rank::Three) => "three",
    }
}

/// The text in the corner of a card, the same in all languages: `A`, `IV`, `10`.
pub const fn face(pack: Pack, rank: Rank) -> &'static str {
    match (pack.is_hungarian(), rank) {
        (_, Rank::Ace) => "A",
        (true, Rank::Zaca) => "X",
        (true, Rank::King) => "IV",
        (true, Rank::Queen) => "III",
        (true, Rank::Jack) => "II",
        (true, Rank::Nine) => "IX",
        (_, Rank::King) => "K",
        (_, Rank::Queen) => "Q",
        (_, Rank::Jack) => "J",
        (false, Rank::Zaca) | (_, Rank::Ten) => "10",
        (_, Rank::Nine) => "9",
        (_, Rank::Eight) => "8",
        (_, Rank::Seven) => "7",
        (_, Rank::Six) => "6",
        (_, Rank::Five) => "5",
        (_, Rank::Four) => "4",
        (_, Rank::Three) => "3",
    }
}

/// The cards in the order of a hand: suit by suit, strongest first.
pub fn sorted(cards: CardSet) -> Vec<Card> {
    Suit::ALL.into_iter().flat_map(|suit| cards.in_suit(suit).iter().rev()).collect()
}

impl Phrases {
    /// A suit: `bells`, `dubă`; `hearts`, `inimă`.
    pub fn suit_name(&self, pack: Pack, suit: Suit) -> String {
        self.suit(suit_key(self.displayed_pack(pack), suit))
    }

    /// The short name of a suit, as printed on a card: `bell`, `dubă`.
    pub fn sign(&self, pack: Pack, suit: Suit) -> String {
        self.suit_sign(suit_key(self.displayed_pack(pack), suit))
    }

    /// The text in the corner of a card: `IV`, or `K` with French cards.
    pub fn corner(&self, pack: Pack, card: Card) -> &'static str {
        face(self.displayed_pack(pack), card.rank())
    }

    /// The symbol of a suit on a drawn card: `♥`; a word for the German suits, which have no
    /// character.
    pub fn suit_symbol(&self, pack: Pack, suit: Suit) -> String {
        let symbol = crate::text_rows::symbol(self.displayed_pack(pack), suit);
        symbol.map_or_else(|| self.sign(pack, suit), String::from)
    }

    /// The name of a card: `ace of bells`, `as de dubă`.
    pub fn card(&self, pack: Pack, card: Card) -> String {
        let rank = self.rank(rank_key(self.displayed_pack(pack), card.rank()));
        self.of_suit(rank, self.suit_name(pack, card.suit()))
    }

    /// The name of a card with its article: `the ace of bells`, `asul de dubă`.
    pub fn the_card(&self, pack: Pack, card: Card) -> String {
        let rank = self.rank_the(rank_key(self.displayed_pack(pack), card.rank()));
        self.of_suit(rank, self.suit_name(pack, card.suit()))
    }

    /// A choice of cards: `the IX of bells`, `A, X or II of bells`.
    pub fn one_of(&self, pack: Pack, cards: CardSet) -> String {
        self.choice(pack, cards, |things| self.list_or(things))
    }

    /// Some cards: `the IX of bells`, `A, X and II of bells`.
    pub fn all_of(&self, pack: Pack, cards: CardSet) -> String {
        self.choice(pack, cards, |things| self.list_and(things))
    }

    fn choice(&self, pack: Pack, cards: CardSet, join: impl Fn(&[String]) -> String) -> String {
        if let (1, Some(card)) = (cards.len(), cards.lowest()) {
            return self.the_card(pack, card);
        }
        let shown = self.displayed_pack(pack);
        let listed = |card: Card| self.rank_listed(rank_key(shown, card.rank()));
        let mut suits = Vec::new();
        for suit in Suit::ALL {
            let ranks: Vec<String> = cards.in_suit(suit).iter().rev().map(listed).collect();
            if !ranks.is_empty() {
                suits.push(self.of_suit(join(&ranks), self.suit_name(pack, suit)));
            }
        }
        suits.join("; ")
    }

    /// A bid: `two`, `două` in Cruce, a number in whist.
    pub fn bid(&self, rules: &Rules, bid: u8) -> String {
        match rules {
            Rules::Cruce(_) => self.bid_word(bid),
            Rules::Whist(_) => bid.to_string(),
        }
    }

    /// A seat by its number: `seat 2`, `locul 2`.
    pub fn seat_name(&self, seat: Seat) -> String {
        self.seat(seat.number())
    }

    /// A side by its seats: `seats 1 and 3`, `locul 2`.
    pub fn side_name(&self, rules: &Rules, side: Side) -> String {
        let numbers: Vec<usize> = Seat::first(rules.players())
            .filter(|seat| rules.side_of(*seat) == side)
            .map(Seat::number)
            .collect();
        match numbers[..] {
            [first, second] => self.seats(first, second),
            _ => self.seat(side.number()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    #[track_caller]
    fn check(code: &str, cards: &str, english: &str, romanian: &str) {
        let rules = Rules::from_code(code).unwrap();
        let set = game::notation::parse_set(rules.pack(), cards).unwrap();
        let names = Language::ALL.map(|language| Phrases::new(language).one_of(rules.pack(), set));
        assert_eq!(names, [english, romanian]);
    }

    #[test]
    fn cards_have_names_in_both_languages() {
        check("cruce", "Ab", "the ace of bells", "asul de dubă");
        check("cruce", "Xl", "the X of leaves", "zaca de verde");
        check("cruce", "4a", "the IV of acorns", "pătrarul de ghindă");
        check("cruce", "9h", "the IX of hearts", "nouarul de roșu");
        check("cruce", "AX2b", "A, X or II of bells", "as, zacă sau doiar de dubă");
        check(
            "cruce",
            "A3bX9h",
            "A or III of bells; X or IX of hearts",
            "as sau treiar de dubă; zacă sau nouar de roșu",
        );
        check("whist6", "Qh", "the queen of hearts", "dama de inimă");
        check("whist6", "3d", "the 3 of diamonds", "treiul de romb");
        check("whist6", "KT8c", "K, 10 or 8 of clubs", "popă, zece sau opt de treflă");
    }

    #[test]
    fn every_card_has_its_own_name() {
        for language in Language::ALL {
            let phrases = Phrases::new(language);
            for pack in [Pack::Hungarian, Pack::FrenchFrom(Rank::Three)] {
                let names: std::collections::BTreeSet<String> =
                    pack.cards().iter().map(|card| phrases.the_card(pack, card)).collect();
                assert_eq!(names.len(), pack.cards().len());
                let faces: std::collections::BTreeSet<&str> =
                    pack.cards().iter().map(|card| face(pack, card.rank())).collect();
                assert_eq!(faces.len() * 4, pack.cards().len());
            }
        }
    }

    #[test]
    fn romanian_has_three_plural_forms() {
        let phrases = Phrases::new(Language::Romanian);
        for (count, text) in [
            (0, "0 puncte"),
            (1, "1 punct"),
            (2, "2 puncte"),
            (19, "19 puncte"),
            (20, "20 de puncte"),
            (66, "66 de puncte"),
            (101, "101 puncte"),
            (102, "102 puncte"),
            (120, "120 de puncte"),
        ] {
            assert_eq!(phrases.points(count), text);
        }
    }
}
