//! Contests as JSON lines: the settings, then all changes, one entry a line.
//!
//! A file of such lines is a whole contest, for people to read and for programs to fold. It holds
//! no secret before the draw that reveals it. Phases, tables, places, entrants and penalties are
//! counted from 1; a table is written with its phase, `2B`. `docs/contest.md` has the schema.
//! Clients also send [`ContestChangeText`]; [`export`] is for scripts that do not fold the lines.

mod change;
pub mod export;
mod refusal;

use contest::{
    Contest, ContestEntry, ContestRefusal, ContestSettings, ContestTableId, EntrantId, Role, Venue,
};
use game::Rules;
use serde::{Deserialize, Serialize};

use crate::lines::{self, JsonLine, LineResult, check_version, error_text, line_fault};
use crate::moment;
use crate::record::LineFault;

pub use change::{ContestChangeText, PartyText, PenaltyText};
pub use refusal::RefusalText;

/// The version of the format.
const VERSION: u32 = 1;
/// The maximum number of entries, far above that of any real contest.
const MAX_ENTRIES: usize = 1_000_000;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ContestHeader {
    ghinda_contest: u32,
    #[serde(flatten)]
    settings: SettingsText,
}

/// The settings of a contest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SettingsText {
    /// The title.
    pub title: String,
    /// The name that the commitments of its urn contain.
    pub word: String,
    /// The rules code of a full table.
    pub rules: String,
    /// The place of its tables.
    pub venue: VenueText,
}

/// The place of a contest's tables.
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
    /// The settings as texts.
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

    /// Parses the settings; the error describes what is wrong.
    pub fn settings(&self) -> LineResult<ContestSettings> {
        let rules = Rules::from_code(&self.rules).map_err(error_text)?;
        let venue = match self.venue {
            VenueText::Hall => Venue::Hall,
            VenueText::Online => Venue::Online,
        };
        let title = self.title.parse().map_err(error_text)?;
        let word = self.word.parse().map_err(error_text)?;
        ContestSettings::new(title, word, rules, venue).map_err(error_text)
    }
}

/// A table with its phase, as text: `2B`.
pub fn table_text(id: ContestTableId) -> String {
    format!("{}{}", id.phase + 1, contest::urn::table_letters(id.table))
}

/// Parses a table such as `2B`.
pub fn parse_table(text: &str) -> LineResult<ContestTableId> {
    let letters = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (phase, table) = text.split_at(letters);
    let phase = phase.parse::<usize>().ok().and_then(|phase| phase.checked_sub(1));
    let phase = phase.filter(|phase| *phase < contest::MAX_PHASES);
    let table = contest::urn::table_of(table).ok();
    let id = phase.zip(table).map(|(phase, table)| ContestTableId { phase, table });
    id.ok_or_else(|| "expected a table with its phase, such as 2B".into())
}

/// A role as a log contains it: `organiser`, `referee 2B`, `player 7`, `house`, `public`.
pub fn role_text(role: Role) -> String {
    match role {
        Role::Organiser => "organiser".into(),
        Role::Referee(table) => format!("referee {}", table_text(table)),
        Role::Player(entrant) => format!("player {}", entrant.number()),
        Role::Server => "house".into(),
        Role::Public => "public".into(),
    }
}

/// Parses a role.
pub fn parse_role(text: &str) -> LineResult<Role> {
    match text.split_once(' ') {
        None if text == "organiser" => Ok(Role::Organiser),
        None if text == "house" => Ok(Role::Server),
        None if text == "public" => Ok(Role::Public),
        Some(("referee", table)) => Ok(Role::Referee(parse_table(table)?)),
        Some(("player", number)) => {
            let number = number.parse().map_err(|_| "expected the number of a player")?;
            Ok(Role::Player(entrant(number)?))
        }
        _ => Err("expected organiser, referee 2B, player 7, house or public".into()),
    }
}

fn entrant(number: usize) -> LineResult<EntrantId> {
    let entrant = number.checked_sub(1).and_then(EntrantId::new);
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

/// A contest with all its entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContestLog {
    /// The initial settings.
    pub initial_settings: ContestSettings,
    /// The entries, in order.
    pub entries: Vec<ContestEntry>,
    /// The state after the last entry.
    pub contest: Contest,
}

impl ContestLog {
    /// A contest without entries.
    pub fn new(initial_settings: ContestSettings) -> ContestLog {
        ContestLog {
            contest: Contest::new(initial_settings.clone()),
            initial_settings,
            entries: Vec::new(),
        }
    }

    /// The contest as JSON lines.
    pub fn to_lines(&self) -> String {
        let entries = self.entries.iter().map(entry_line);
        header_line(&self.initial_settings) + &entries.collect::<String>()
    }

    /// Reads a contest from JSON lines. Everything is checked again: roles, results and draws.
    pub fn from_lines(text: &str) -> Result<ContestLog, LineFault> {
        let mut lines = lines::numbered(text);
        let (at, first) =
            lines.next().ok_or_else(|| line_fault(1, "expected the header of a contest"))?;
        let mut log = ContestLog::from_header(at, first)?;
        for (at, text) in lines {
            log.add_line(at, text)?;
        }
        Ok(log)
    }

    /// Reads a header; the contest has no entries yet.
    pub fn from_header<'a>(
        at: usize,
        line: impl Into<JsonLine<'a>>,
    ) -> Result<ContestLog, LineFault> {
        let header: ContestHeader = lines::read(at, line)?;
        check_version(header.ghinda_contest, VERSION).map_err(|what| line_fault(at, what))?;
        Ok(ContestLog::new(header.settings.settings().map_err(|what| line_fault(at, what))?))
    }

    /// Adds the entry of a line, if it is valid.
    pub fn add_line<'a>(
        &mut self,
        at: usize,
        line: impl Into<JsonLine<'a>>,
    ) -> Result<(), LineFault> {
        let entry = entry(lines::read(at, line)?).map_err(|what| line_fault(at, what))?;
        self.add(entry).map_err(|refusal| line_fault(at, refusal))
    }

    /// Adds an entry, if it is valid.
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

/// A moment of a log as text, in UTC.
pub fn moment_text(at: contest::Millis) -> String {
    moment::text(at)
}
