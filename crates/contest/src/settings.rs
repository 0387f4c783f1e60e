//! What a contest is played by.

use game::Rules;
use game::fair::Word;
use game::record::Name;

use crate::ContestRefusal;
use crate::entrant::MAX_PLAYERS;

/// The longest word of a contest: the number of the phase must still fit after it.
const LONGEST_WORD: usize = 60;

/// Where the tables of a contest stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Venue {
    /// In a hall: people and referees enter the results.
    #[default]
    Hall,
    /// On a server, which opens them and enters the results from its records.
    Online,
}

/// What is settled before the lots are drawn for the first time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContestSettings {
    title: Name,
    word: Word,
    rules: Rules,
    venue: Venue,
}

impl ContestSettings {
    /// The settings, or why no contest can be played by them.
    ///
    /// `word` names the contest under the commitments of its urn.
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

    /// What the contest is called.
    pub fn title(&self) -> &Name {
        &self.title
    }

    /// Its name under the commitments of its urn.
    pub const fn word(&self) -> &Word {
        &self.word
    }

    /// The rules of a full table.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Where the tables stand.
    pub const fn venue(&self) -> Venue {
        self.venue
    }

    /// Whether two play together: where the rules have teams, partners enter as a pair.
    pub fn pairs(&self) -> bool {
        self.rules.sides() == 2
    }

    /// How many entrants sit at a full table (T1): four players, or two pairs.
    pub fn full_table(&self) -> usize {
        self.rules.sides()
    }

    /// How many of a table go on (T3): two players, or one pair.
    pub fn going_on(&self) -> usize {
        self.full_table() / 2
    }

    /// The most entrants that there can be.
    pub fn most_entrants(&self) -> usize {
        if self.pairs() { MAX_PLAYERS / 2 } else { MAX_PLAYERS }
    }

    /// The rules of a table with so many entrants: where three sit, they play the same game in three.
    pub fn rules_for(&self, entrants: usize) -> Rules {
        if entrants == self.full_table() {
            return self.rules;
        }
        // Both games can be played in three, whatever the other options are.
        self.rules.with("players", &entrants.to_string()).unwrap_or(self.rules)
    }
}
