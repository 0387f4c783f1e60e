//! The settings of a contest.

use game::Rules;
use game::fair::Word;
use game::record::Name;

use crate::ContestRefusal;
use crate::entrant::MAX_PLAYERS;

/// The maximum length of a contest's word: the number of the phase must fit after it.
const LONGEST_WORD: usize = 60;

/// Where the tables of a contest are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Venue {
    /// In a hall: players and referees enter the results.
    #[default]
    Hall,
    /// On a server, which opens them and enters the results from its records.
    Online,
}

/// What is fixed before the first draw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContestSettings {
    title: Name,
    word: Word,
    rules: Rules,
    venue: Venue,
}

impl ContestSettings {
    /// Checks and returns the settings.
    ///
    /// `word` identifies the contest in the commitments of its urn.
    pub fn new(
        title: Name,
        word: Word,
        rules: Rules,
        venue: Venue,
    ) -> Result<ContestSettings, ContestRefusal> {
        if rules.players() != 4 {
            return Err(ContestRefusal::NotForFour { players: rules.players() });
        }
        if word.as_str().len() > LONGEST_WORD {
            return Err(ContestRefusal::WordTooLong { most: LONGEST_WORD });
        }
        Ok(ContestSettings { title, word, rules, venue })
    }

    /// The title of the contest.
    pub fn title(&self) -> &Name {
        &self.title
    }

    /// The word that identifies the contest in the commitments of its urn.
    pub const fn word(&self) -> &Word {
        &self.word
    }

    /// The rules of a full table.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Where the tables are.
    pub const fn venue(&self) -> Venue {
        self.venue
    }

    /// Whether partners enter as a pair, which they do if the rules have teams.
    pub fn pairs(&self) -> bool {
        self.rules.sides() == 2
    }

    /// The number of entrants at a full table (T1): four players, or two pairs.
    pub fn full_table(&self) -> usize {
        self.rules.sides()
    }

    /// The number of entrants of a table that go on (T3): two players, or one pair.
    pub fn advancing_count(&self) -> usize {
        self.full_table() / 2
    }

    /// The maximum number of entrants.
    pub fn most_entrants(&self) -> usize {
        if self.pairs() { MAX_PLAYERS / 2 } else { MAX_PLAYERS }
    }

    /// The rules of a table with this many entrants: at a table of three, the same game for three players.
    pub fn rules_for(&self, entrants: usize) -> Rules {
        if entrants == self.full_table() {
            return self.rules;
        }
        // Both games can be played by three, whatever the other options are.
        self.rules.with("players", &entrants.to_string()).unwrap_or(self.rules)
    }
}
