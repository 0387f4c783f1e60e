//! How a table is to be.

use bots::Level;
use cards::Seat;
use game::Rules;
use game::record::Name;
use room::{STAND_IN, Tempo};

/// How a table is to be.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rules of the first match.
    pub rules: Rules,
    /// What the person is called.
    pub name: Name,
    /// Where the person sits; any seat if that does not matter.
    pub seat: Option<Seat>,
    /// How well the others play, in the order of their seats; if there are fewer of these
    /// than seats, they are taken in turns.
    pub bots: Vec<Level>,
    /// Whether the match begins at once. Otherwise the table waits for the person's
    /// `start`, and until then he may see the promise and add a word to the seed.
    pub begins: bool,
    /// How long the table waits for what.
    pub tempo: Tempo,
}

impl Plan {
    /// A match that begins at once, on any seat, with bots of the usual level.
    pub fn new(rules: Rules, name: Name) -> Plan {
        Plan { rules, name, seat: None, bots: vec![STAND_IN], begins: true, tempo: tempo() }
    }
}

/// How long a table waits where nobody waits for the person: a bot takes as long as it
/// takes to see what it does, and the score stands until it was read.
pub fn tempo() -> Tempo {
    Tempo { bot_takes: 700, score_stands: None, ..Tempo::default() }
}
