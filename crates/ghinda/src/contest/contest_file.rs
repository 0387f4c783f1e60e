//! The file of a contest, opened for changes.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use contest::urn::{self, Ticket};
use contest::{
    Contest, ContestChange, ContestEntry, ContestTable, ContestTableId, EntrantId, Role,
};
use game::fair::Secret;
use phrases::Phrases;
use wire::contest::{ContestLog, parse_table};

use crate::clock;
use crate::locked_file::{self, LockedFile};

/// A contest that no other process changes meanwhile. Changes are written when it is closed.
pub(super) struct ContestFile<'a> {
    file: LockedFile,
    log: ContestLog,
    phrases: &'a Phrases,
    /// How many entries are in the file.
    written: usize,
}

/// The contest of a file, for reading.
pub(super) fn read(file: &Path) -> Result<ContestLog> {
    let text = locked_file::read(file)?;
    ContestLog::from_lines(&text).with_context(|| format!("{} is not a contest", file.display()))
}

/// Makes a change, or returns why it is refused.
pub(super) fn act(
    log: &mut ContestLog,
    phrases: &Phrases,
    by: Role,
    change: ContestChange,
) -> Result<()> {
    let rules = *log.contest.settings().rules();
    let refused = |refusal| anyhow!(phrases.refused_by_contest(&refusal, &rules));
    let entry = log.contest.decide(clock::millis(), by, change).map_err(refused)?;
    log.contest.apply(&entry).map_err(refused)?;
    log.entries.push(entry);
    Ok(())
}

/// The file with the secret of the next draw.
pub(super) fn secret_of(file: &Path) -> PathBuf {
    file.with_added_extension("secret")
}

impl<'a> ContestFile<'a> {
    pub(super) fn open(file: &Path, phrases: &'a Phrases) -> Result<ContestFile<'a>> {
        // No lock file is created for a missing contest.
        locked_file::read(file)?;
        let locked = LockedFile::new(file)?;
        let log = ContestLog::from_lines(&locked.read()?);
        let log = log.with_context(|| format!("{} is not a contest", file.display()))?;
        Ok(ContestFile { file: locked, written: log.entries.len(), log, phrases })
    }

    pub(super) fn contest(&self) -> &Contest {
        &self.log.contest
    }

    /// Makes a change, or returns why it is refused.
    pub(super) fn act(&mut self, by: Role, change: ContestChange) -> Result<()> {
        act(&mut self.log, self.phrases, by, change)
    }

    /// Repeats a change that was made elsewhere, also if it has no effect: an `Undo` after it undoes it.
    pub(super) fn repeat(&mut self, by: Role, change: ContestChange) -> Result<()> {
        let rules = *self.contest().settings().rules();
        let entry = ContestEntry { at: clock::millis(), by, change };
        let refused = |refusal| anyhow!(self.phrases.refused_by_contest(&refusal, &rules));
        self.log.add(entry).map_err(refused)
    }

    /// Writes the file and returns a line for every new entry.
    pub(super) fn close(self) -> Result<Vec<String>> {
        if self.log.entries.len() > self.written {
            self.file.replace(&self.log.to_lines())?;
        }
        let new = &self.log.entries[self.written..];
        Ok(new
            .iter()
            .map(|entry| contest_view::entry_text(self.phrases, &self.log.contest, entry, false))
            .collect())
    }

    /// The secret of the commitment to the next draw, from its file.
    pub(super) fn secret(&self, file: &Path) -> Result<Secret> {
        if self.contest().commitment().is_none() {
            let rules = self.contest().settings().rules();
            let refused =
                self.phrases.refused_by_contest(&contest::ContestRefusal::NoCommitment, rules);
            bail!("{refused} (ghinda contest commit)");
        }
        let path = secret_of(file);
        let text = locked_file::read(&path).context("the secret is lost; commit to another one")?;
        text.trim().parse().with_context(|| format!("{} has no secret", path.display()))
    }
}

/// The table with a name: `B` of the last phase, or `1B`.
pub(super) fn table_id(contest: &Contest, text: &str) -> Result<ContestTableId> {
    if text.starts_with(|letter: char| letter.is_ascii_digit()) {
        return parse_table(text).map_err(|what| anyhow!(what));
    }
    let table = urn::table_of(text).with_context(|| format!("\"{text}\" is not a table"))?;
    let phase = contest.phases().len().checked_sub(1).context("no lots have been drawn yet")?;
    Ok(ContestTableId { phase, table })
}

/// The table with a name, if it exists.
pub(super) fn table<'c>(contest: &'c Contest, text: &str) -> Result<&'c ContestTable> {
    let id = table_id(contest, text)?;
    contest.table(id).with_context(|| format!("there is no table {text}"))
}

/// The table and place of a ticket: `B3` of the last phase, or `1B3`.
pub(super) fn ticket(contest: &Contest, text: &str) -> Result<(ContestTableId, cards::Side)> {
    let phase_ends = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (phase, rest) = text.split_at(phase_ends);
    let ticket: Ticket = rest.parse().with_context(|| format!("\"{text}\" is not a ticket"))?;
    let table = table_id(contest, &format!("{phase}{}", urn::table_letters(ticket.table)))?;
    Ok((table, ticket.place))
}

/// The entrant with a number, a ticket of the last phase, or a name.
pub(super) fn find_entrant(contest: &Contest, text: &str) -> Result<EntrantId> {
    if let Ok(number) = text.trim_start_matches('#').parse::<usize>() {
        let entrant = number.checked_sub(1).and_then(EntrantId::new);
        let entered = entrant.filter(|entrant| contest.entrant(*entrant).is_some());
        return entered.with_context(|| format!("there is no entrant {number}"));
    }
    if let Ok((id, place)) = ticket(contest, text)
        && let Some(entrant) =
            contest.table(id).and_then(|table| table.entrants().get(place.index()))
    {
        return Ok(*entrant);
    }
    let wanted = text.trim().to_lowercase();
    let has_name = |entrant: EntrantId, party: &contest::Party| {
        [contest.name(entrant), party.to_string()].iter().any(|name| name.to_lowercase() == wanted)
    };
    let all: Vec<EntrantId> = contest
        .entrants()
        .filter(|(entrant, entered)| has_name(*entrant, entered.party()))
        .map(|(entrant, _)| entrant)
        .collect();
    match all.as_slice() {
        [only] => Ok(*only),
        [] => bail!("no entrant is called \"{text}\""),
        several => {
            let numbers: Vec<String> = several.iter().map(|one| one.number().to_string()).collect();
            bail!(
                "several entrants are called \"{text}\": give the number ({})",
                numbers.join(", ")
            )
        }
    }
}
