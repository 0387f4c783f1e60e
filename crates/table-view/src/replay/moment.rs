//! The moments of a match, as they stand in links: `d3` when the third deal is dealt, `d3b2` after
//! its second bid, `d3t2c1` after the first card of its second trick, `d3t2` when that trick is
//! taken, `d3s1` after its first challenge or acceptance, `d3e` at its end.

use core::fmt;

/// A moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// In which deal, counted from one.
    pub deal: usize,
    /// When in it.
    pub part: DealMoment,
}

/// A moment of a deal; everything is counted from one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DealMoment {
    /// The cards are dealt.
    Dealt,
    /// A bid was said.
    Bid(usize),
    /// A card was played.
    Card {
        /// To which trick.
        trick: usize,
        /// Which of its cards.
        card: usize,
    },
    /// A trick was taken.
    Taken(usize),
    /// A card was challenged, or the deal accepted (C15).
    Said(usize),
    /// The deal is over.
    End,
}

impl DealMoment {
    /// What comes later is larger, but for what is said in between.
    pub(super) fn rank(self) -> (u8, usize, usize) {
        match self {
            DealMoment::Dealt => (0, 0, 0),
            DealMoment::Bid(bid) => (1, bid, 0),
            DealMoment::Card { trick, card } => (2, trick, card),
            DealMoment::Taken(trick) => (2, trick, usize::MAX),
            DealMoment::Said(said) => (3, said, 0),
            DealMoment::End => (4, 0, 0),
        }
    }
}

impl Moment {
    /// The moment that a link tells. Capitals, spaces and signs do not matter, a number that is
    /// left out is one, and what cannot be understood is passed over.
    pub fn parse(text: &str) -> Option<Moment> {
        let mut told: [Option<usize>; 6] = [None; 6];
        let mut letter = 0;
        let mut signs = text.bytes();
        while let Some(sign) = signs.next() {
            if let Some(at) = b"dbtcse".iter().position(|known| sign.eq_ignore_ascii_case(known)) {
                // A word that merely has such letters in it is no moment.
                if at > 0 && told[0].is_none() {
                    return None;
                }
                letter = at;
                told[at] = Some(0);
            } else if sign.is_ascii_digit() {
                let number = told[letter].get_or_insert(0);
                *number = number.saturating_mul(10).saturating_add(usize::from(sign - b'0'));
            } else if sign.is_ascii_alphabetic() {
                return None;
            } else if sign == b'%' {
                // A space or a sign as browsers write it, in two more digits.
                signs.nth(1);
            }
        }
        let [deal, bid, trick, card, said, end] = told.map(|told| told.map(|number| number.max(1)));
        let part = match (bid, trick, card, said, end) {
            (.., Some(_)) => DealMoment::End,
            (_, _, _, Some(said), _) => DealMoment::Said(said),
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
            DealMoment::Said(said) => write!(f, "d{deal}s{said}"),
            DealMoment::End => write!(f, "d{deal}e"),
        }
    }
}
