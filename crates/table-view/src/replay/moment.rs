//! The moments of a match in links: `d3` after the third deal is dealt, `d3b2` after its second bid,
//! `d3t2c1` after the first card of its second trick, `d3t2` after that trick, `d3s1` after its first
//! challenge or acceptance, `d3e` at its end.

use core::fmt;

/// A moment of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The number of the deal, counted from 1.
    pub deal: usize,
    /// The moment of the deal.
    pub part: DealMoment,
}

/// A moment of a deal; all numbers count from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DealMoment {
    /// The cards are dealt.
    Dealt,
    /// A bid was made.
    Bid(usize),
    /// A card was played.
    Card {
        /// The number of the trick.
        trick: usize,
        /// The number of the card in the trick.
        card: usize,
    },
    /// A trick is finished.
    Taken(usize),
    /// A card was challenged, or the deal accepted (C15).
    Statement(usize),
    /// The deal is over.
    End,
}

impl DealMoment {
    /// A key that grows with time, except for challenges during the play.
    pub(super) fn rank(self) -> (u8, usize, usize) {
        match self {
            DealMoment::Dealt => (0, 0, 0),
            DealMoment::Bid(bid) => (1, bid, 0),
            DealMoment::Card { trick, card } => (2, trick, card),
            DealMoment::Taken(trick) => (2, trick, usize::MAX),
            DealMoment::Statement(said) => (3, said, 0),
            DealMoment::End => (4, 0, 0),
        }
    }
}

impl Moment {
    /// Parses the moment of a link. Ignores case, spaces and punctuation; a missing number is 1.
    /// Returns None if there is no deal or an unknown letter.
    pub fn parse(text: &str) -> Option<Moment> {
        let mut numbers: [Option<usize>; 6] = [None; 6];
        let mut letter = 0;
        let mut bytes = text.bytes();
        while let Some(byte) = bytes.next() {
            if let Some(at) = b"dbtcse".iter().position(|known| byte.eq_ignore_ascii_case(known)) {
                // A word that contains these letters is not a moment.
                if at > 0 && numbers[0].is_none() {
                    return None;
                }
                letter = at;
                numbers[at] = Some(0);
            } else if byte.is_ascii_digit() {
                let number = numbers[letter].get_or_insert(0);
                *number = number.saturating_mul(10).saturating_add(usize::from(byte - b'0'));
            } else if byte.is_ascii_alphabetic() {
                return None;
            } else if byte == b'%' {
                // A percent-encoded character has two more digits.
                bytes.nth(1);
            }
        }
        let [deal, bid, trick, card, said, end] =
            numbers.map(|number| number.map(|number| number.max(1)));
        let part = match (bid, trick, card, said, end) {
            (.., Some(_)) => DealMoment::End,
            (_, _, _, Some(said), _) => DealMoment::Statement(said),
            (_, trick, Some(card), ..) => DealMoment::Card { trick: trick.unwrap_or(1), card },
            (_, Some(trick), ..) => DealMoment::Taken(trick),
            (Some(bid), ..) => DealMoment::Bid(bid),
            _ => DealMoment::Dealt,
        };
        Some(Moment { deal: deal?, part })
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let deal = self.deal;
        match self.part {
            DealMoment::Dealt => write!(f, "d{deal}"),
            DealMoment::Bid(bid) => write!(f, "d{deal}b{bid}"),
            DealMoment::Card { trick, card } => write!(f, "d{deal}t{trick}c{card}"),
            DealMoment::Taken(trick) => write!(f, "d{deal}t{trick}"),
            DealMoment::Statement(said) => write!(f, "d{deal}s{said}"),
            DealMoment::End => write!(f, "d{deal}e"),
        }
    }
}
