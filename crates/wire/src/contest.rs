//! Contests as JSON lines: the settings, then everything that was ever done, one entry a line.
//!
//! A file of such lines is a whole contest, for people to read and for programs to fold; it holds no
//! secret before its draw is made. Phases, tables, places, entrants and penalties are counted from 1;
//! a table is written with its phase, `2B`. `docs/contest.md` has the schema. [`ContestChange`] is
//! also what a client sends, and [`view`] is for scripts that fold nothing themselves.

mod change;
mod refusal;
pub mod view;

use contest::{
    Contest, ContestEntry, ContestRefusal, ContestSettings, ContestTableId, Entrant, Role, Venue,
};
use game::Rules;
use serde::{Deserialize, Serialize};

use crate::lines::{self, LineResult, said, version, wrong};
use crate::moment;
use crate::record::RecordFault;

pub use change::{ContestChangeText, PartyText, PenaltyText};
pub use refusal::RefusalText;

/// The version of the format.
const VERSION: u32 = 1;
/// More entries than any contest has.
const MAX_ENTRIES: usize = 1_000_000;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ContestHeader {
    ghinda_contest: u32,
    #[serde(flatten)]
    settings: SettingsText,
}

/// What a contest is played by.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SettingsText {
    /// What it is called.
    pub title: String,
    /// Its name under the commitments of its urn.
    pub word: String,
    /// The rules code of a full table.
    pub rules: String,
    /// Where its tables stand.
    pub venue: VenueText,
}

/// Where the tables of a contest stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VenueText {
    /// In a hall.
    Hall,
    /// On a server.
    Online,
}

#[derive(Serialize, Deserialize)]
struct ContestEntryLine {
    at: String,
    by: String,
    #[serde(flatten)]
    change: ContestChangeText,
}

impl SettingsText {
    /// The settings in words that travel.
    pub fn of(settings: &ContestSettings) -> SettingsText {
        SettingsText {
            title: settings.title().to_string(),
            word: settings.word().to_string(),
            rules: settings.rules().code(),
            venue: match settings.venue() {
                Venue::Hall => VenueText::Hall,
                Venue::Online => VenueText::Online,
            },
        }
    }

    /// The settings that these words mean, or what is wrong with them.
    pub fn settings(&self) -> LineResult<ContestSettings> {
        let rules = Rules::from_code(&self.rules).map_err(said)?;
        let venue = match self.venue {
            VenueText::Hall => Venue::Hall,
            VenueText::Online => Venue::Online,
        };
        let (title, word) = (self.title.parse().map_err(said)?, self.word.parse().map_err(said)?);
        ContestSettings::new(title, word, rules, venue).map_err(said)
    }
}

/// A table with its phase, as people say it: `2B`.
pub fn table_text(id: ContestTableId) -> String {
    format!("{}{}", id.phase + 1, contest::urn::letters(id.table))
}

/// The table of such a text.
pub fn parse_table(text: &str) -> LineResult<ContestTableId> {
    let letters = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (phase, table) = text.split_at(letters);
    let phase = phase.parse::<usize>().ok().and_then(|phase| phase.checked_sub(1));
    let phase = phase.filter(|phase| *phase < contest::MAX_PHASES);
    let table = contest::urn::table_of(table).ok();
    let id = phase.zip(table).map(|(phase, table)| ContestTableId { phase, table });
    id.ok_or_else(|| "expected a table with its phase, such as 2B".into())
}

/// A role as it stands in a log: `organiser`, `referee 2B`, `player 7`, `house`, `public`.
pub fn role_text(role: Role) -> String {
    match role {
        Role::Organiser => "organiser".into(),
        Role::Referee(table) => format!("referee {}", table_text(table)),
        Role::Player(entrant) => format!("player {}", entrant.number()),
        Role::House => "house".into(),
        Role::Public => "public".into(),
    }
}

/// The role of such a text.
pub fn parse_role(text: &str) -> LineResult<Role> {
    match text.split_once(' ') {
        None if text == "organiser" => Ok(Role::Organiser),
        None if text == "house" => Ok(Role::House),
        None if text == "public" => Ok(Role::Public),
        Some(("referee", table)) => Ok(Role::Referee(parse_table(table)?)),
        Some(("player", number)) => {
            let number = number.parse().map_err(|_| "expected the number of a player")?;
            Ok(Role::Player(entrant(number)?))
        }
        _ => Err("expected organiser, referee 2B, player 7, house or public".into()),
    }
}

fn entrant(number: usize) -> LineResult<Entrant> {
    let entrant = number.checked_sub(1).and_then(Entrant::new);
    entrant.ok_or_else(|| format!("there is no entrant {number}"))
}

/// The first line of a contest.
pub fn header_line(settings: &ContestSettings) -> String {
    lines::line(&ContestHeader { ghinda_contest: VERSION, settings: SettingsText::of(settings) })
}

/// The line of an entry.
pub fn entry_line(entry: &ContestEntry) -> String {
    lines::line(&ContestEntryLine {
        at: moment::text(entry.at),
        by: role_text(entry.by),
        change: ContestChangeText::of(&entry.change),
    })
}

/// A contest with everything that was ever done in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContestLog {
    /// What it was founded with.
    pub founded: ContestSettings,
    /// What was done, in order.
    pub entries: Vec<ContestEntry>,
    /// What it came to.
    pub contest: Contest,
}

impl ContestLog {
    /// A contest in which nothing was done yet.
    pub fn new(founded: ContestSettings) -> ContestLog {
        ContestLog { contest: Contest::new(founded.clone()), founded, entries: Vec::new() }
    }

    /// The contest as JSON lines.
    pub fn to_lines(&self) -> String {
        let entries = self.entries.iter().map(entry_line);
        header_line(&self.founded) + &entries.collect::<String>()
    }

    /// The contest of some JSON lines. Everything is checked again: who did what, every result
    /// and every draw.
    pub fn from_lines(text: &str) -> Result<ContestLog, RecordFault> {
        let mut told = lines::told(text);
        let (at, first) =
            told.next().ok_or_else(|| wrong(1, "expected the header of a contest"))?;
        let mut log = ContestLog::from_header(at, first)?;
        for (at, text) in told {
            log.add_line(at, text)?;
        }
        Ok(log)
    }

    /// The contest of a first line, in which nothing was done yet.
    pub fn from_header(at: usize, line: &str) -> Result<ContestLog, RecordFault> {
        let header: ContestHeader = lines::read(at, line)?;
        version(header.ghinda_contest, VERSION).map_err(|what| wrong(at, what))?;
        Ok(ContestLog::new(header.settings.settings().map_err(|what| wrong(at, what))?))
    }

    /// Adds what a line tells, if it fits.
    pub fn add_line(&mut self, at: usize, line: &str) -> Result<(), RecordFault> {
        let entry = entry(lines::read(at, line)?).map_err(|what| wrong(at, what))?;
        self.add(entry).map_err(|refusal| wrong(at, refusal))
    }

    /// Adds an entry, if it fits.
    pub fn add(&mut self, entry: ContestEntry) -> Result<(), ContestRefusal> {
        if self.entries.len() == MAX_ENTRIES {
            return Err(ContestRefusal::TooMuch);
        }
        self.contest.apply(&entry)?;
        self.entries.push(entry);
        Ok(())
    }
}

fn entry(line: ContestEntryLine) -> LineResult<ContestEntry> {
    let at = moment::parse(&line.at).ok_or("expected a moment such as 2026-11-16T09:30:00.250Z")?;
    Ok(ContestEntry { at, by: parse_role(&line.by)?, change: line.change.change()? })
}

/// A moment of a log as people write it, in UTC.
pub fn moment_text(at: contest::Millis) -> String {
    moment::text(at)
}
