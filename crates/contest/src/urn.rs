//! The urn: who plays where, by lot (T1, T4, T6).
//!
//! Before the draw the organiser publishes a commitment to a secret; then people in the hall may
//! say words aloud; the seed is a hash of both, exactly as for the deals of a table
//! ([`game::fair`]). So the organiser cannot choose the draw after hearing the words, and no one can
//! choose a word knowing the draw. The secret is revealed with the draw, and anyone can repeat it:
//!
//! 1. The seed is that of a table called `WORD.PHASE`, with the contest's rules and the words of the hall.
//! 2. The entrants, in the order of their numbers, are shuffled with stream 0 of the seed, as a pack is.
//! 3. They get the tickets in order: A1, A2, A3, A4, B1, …; those left over have a bye.
//! 4. The first dealer of the k-th table is drawn with stream k.

use core::fmt;
use core::str::FromStr;

use cards::{BySeat, MAX_SEATS, Seat, Side};
use game::deal::{RandomStream, Seed};
use game::fair::{Commitment, Secret, Word};
use thiserror::Error;

use crate::entrant::EntrantId;
use crate::settings::ContestSettings;

/// The maximum number of words in a draw.
pub const MAX_WORDS: usize = MAX_SEATS;

/// The number of tables of a phase, and their sizes (T4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PhasePlan {
    /// The number of entrants at a full table.
    pub full: usize,
    /// The number of tables.
    pub tables: usize,
    /// How many of the tables, the last ones, have one entrant less.
    pub smaller: usize,
    /// The number of entrants that go on without playing.
    pub byes: usize,
}

impl PhasePlan {
    /// The plan for a number of entrants; `None` if there are too few for a table.
    ///
    /// Players sit at tables of four, and at as few tables of three as needed; five players are one
    /// table of three and two byes (T4). Pairs always play two against two, so an odd one has a bye.
    pub fn new(entrants: usize, full: usize) -> Option<PhasePlan> {
        let plan = |tables, smaller, byes| Some(PhasePlan { full, tables, smaller, byes });
        match (full, entrants) {
            (2, 0..=1) | (4, 0..=2) => None,
            (2, pairs) => plan(pairs / 2, 0, pairs % 2),
            (_, 5) => plan(1, 1, 2),
            (_, players) => {
                let tables = players.div_ceil(4);
                plan(tables, 4 * tables - players, 0)
            }
        }
    }

    /// The number of entrants at a table, which is given by its index.
    pub fn seats(&self, table: usize) -> usize {
        let smaller = table + self.smaller >= self.tables;
        self.full - usize::from(smaller)
    }

    /// The number of all entrants.
    pub fn entrants(&self) -> usize {
        self.full * self.tables - self.smaller + self.byes
    }

    /// Whether this is the last phase: one table and no byes.
    pub fn is_final(&self) -> bool {
        self.tables == 1 && self.byes == 0
    }

    /// The tickets in the urn, in order; byes have none.
    pub fn tickets(&self) -> impl Iterator<Item = Ticket> + '_ {
        let places = |table| Side::first(self.seats(table));
        (0..self.tables)
            .flat_map(move |table| places(table).map(move |place| Ticket { table, place }))
    }
}

/// A ticket of the urn: `A1` is the first place at the first table (T1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ticket {
    /// The index of the table.
    pub table: usize,
    /// The place at it: a seat, or for a pair the seats of a side.
    pub place: Side,
}

impl fmt::Display for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", table_letters(self.table), self.place.number())
    }
}

/// The text is neither a table nor a ticket.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a table is written A, B, … Z, AA, AB, …, and a ticket A1")]
pub struct InvalidTicket;

impl FromStr for Ticket {
    type Err = InvalidTicket;

    fn from_str(text: &str) -> Result<Ticket, InvalidTicket> {
        let text = text.trim();
        let digits = text.find(|c: char| c.is_ascii_digit()).ok_or(InvalidTicket)?;
        let table = table_of(&text[..digits])?;
        let place = match &text.as_bytes()[digits..] {
            [digit] => usize::from(digit - b'0').checked_sub(1).and_then(Side::new),
            _ => None,
        };
        Ok(Ticket { table, place: place.ok_or(InvalidTicket)? })
    }
}

/// The letters of a table: A to Z, then AA, AB and so on.
pub fn table_letters(table: usize) -> String {
    let letter = |index: usize| char::from(b'A' + (index % 26) as u8);
    match table.checked_sub(26) {
        None => letter(table).into(),
        Some(rest) => table_letters(rest / 26) + &String::from(letter(rest)),
    }
}

/// The index of the table with these letters.
pub fn table_of(letters: &str) -> Result<usize, InvalidTicket> {
    let known =
        (1..=3).contains(&letters.len()) && letters.bytes().all(|b| b.is_ascii_alphabetic());
    if !known {
        return Err(InvalidTicket);
    }
    let digit = |byte: u8| usize::from(byte.to_ascii_uppercase() - b'A') + 1;
    Ok(letters.bytes().fold(0, |number, byte| 26 * number + digit(byte)) - 1)
}

/// The name under which a phase, given by its index, is committed to and drawn.
fn draw_name(settings: &ContestSettings, phase: usize) -> Word {
    // The word of the settings is short enough, and words may contain digits and a dot.
    format!("{}.{}", settings.word(), phase + 1).parse().unwrap_or(*settings.word())
}

/// The commitment published before a phase, given by its index, is drawn with this secret.
pub fn commitment(settings: &ContestSettings, phase: usize, secret: &Secret) -> Commitment {
    secret.commit(&draw_name(settings, phase), settings.rules())
}

/// The seed of a draw, from the secret and the words of the hall.
pub fn seed(settings: &ContestSettings, phase: usize, secret: &Secret, words: &[Word]) -> Seed {
    let mut said = BySeat::filled(None, words.len());
    for (seat, word) in Seat::first(MAX_SEATS).zip(words) {
        said[seat] = Some(*word);
    }
    secret.seed(&draw_name(settings, phase), settings.rules(), &said)
}

/// The result of a draw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// The entrants at each table, by places, and its first dealer.
    pub tables: Vec<(Vec<EntrantId>, Seat)>,
    /// The entrants that go on without playing.
    pub byes: Vec<EntrantId>,
}

/// Draws the lots; `entrants` are in the order of their numbers, as many as planned.
pub fn draw(seed: Seed, plan: &PhasePlan, entrants: &[EntrantId]) -> Drawn {
    debug_assert!(entrants.is_sorted() && entrants.len() == plan.entrants());
    let mut order = entrants.to_vec();
    RandomStream::new(seed, 0).shuffle(&mut order);
    let mut left = order.into_iter();
    let mut tables = Vec::with_capacity(plan.tables);
    for table in 0..plan.tables {
        let seats = plan.seats(table);
        // Two pairs are four players.
        let players = if plan.full == 2 { 4 } else { seats };
        let dealer = RandomStream::new(seed, table as u64 + 1).below(players);
        let dealer = Seat::new(dealer).unwrap_or_default();
        tables.push((left.by_ref().take(seats).collect(), dealer));
    }
    Drawn { tables, byes: left.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_few_tables_of_three_as_needed() {
        let check = |entrants, tables, smaller, byes| {
            let plan = PhasePlan { full: 4, tables, smaller, byes };
            assert_eq!(PhasePlan::new(entrants, 4), Some(plan), "{entrants}");
        };
        assert_eq!(PhasePlan::new(2, 4), None);
        check(3, 1, 1, 0);
        check(4, 1, 0, 0);
        check(5, 1, 1, 2);
        check(6, 2, 2, 0);
        check(7, 2, 1, 0);
        check(8, 2, 0, 0);
        check(9, 3, 3, 0);
        check(1024, 256, 0, 0);
        for entrants in 3..=1024 {
            let plan = PhasePlan::new(entrants, 4).unwrap();
            assert_eq!(plan.entrants(), entrants);
            assert_eq!(plan.tickets().count() + plan.byes, entrants);
            // Fewer tables of three would leave players without a place.
            assert!(entrants == 5 || plan.smaller == (4 - entrants % 4) % 4);
            assert!((0..plan.tables).all(|table| (3..=4).contains(&plan.seats(table))));
        }
    }

    #[test]
    fn an_odd_pair_has_a_bye() {
        assert_eq!(PhasePlan::new(1, 2), None);
        for pairs in 2..=512 {
            let plan = PhasePlan::new(pairs, 2).unwrap();
            assert_eq!((plan.entrants(), plan.byes, plan.smaller), (pairs, pairs % 2, 0));
            assert_eq!(plan.is_final(), pairs == 2);
        }
    }

    #[test]
    fn tickets_and_tables_are_written_and_read() {
        let names = [0, 1, 25, 26, 51, 52, 255, 701, 702].map(table_letters);
        assert_eq!(names, ["A", "B", "Z", "AA", "AZ", "BA", "IV", "ZZ", "AAA"]);
        for table in 0..800 {
            let ticket = Ticket { table, place: Side::new(table % 4).unwrap() };
            assert_eq!(ticket.to_string().parse(), Ok(ticket));
            assert_eq!(table_of(&table_letters(table).to_lowercase()), Ok(table));
        }
        for wrong in ["", "A", "1", "A0", "A7", "A11", "Ă1", "A-1", "AAAA1"] {
            assert!(wrong.parse::<Ticket>().is_err(), "{wrong}");
        }
    }
}
