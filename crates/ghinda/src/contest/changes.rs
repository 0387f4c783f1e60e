//! The commands that change a contest.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use cards::BySide;
use contest::{
    ContestChange, ContestSettings, ContestTableId, MatchOutcome, Party, Role, Venue, roster, urn,
};
use game::cruce;
use game::fair::{Secret, Word};
use game::record::Name;
use phrases::Phrases;
use wire::contest::ContestLog;

use super::contest_file::{ContestFile, act, find_entrant, secret_of, table, table_id, ticket};
use super::{
    AddArgs, DrawArgs, FileArgs, NewContestArgs, PardonArgs, PenaliseArgs, PenaltyReasonArg,
    PhaseArgs, PlayoffArgs, RenameArgs, ReportArgs, RuleArgs, WhoArgs,
};
use crate::locked_file::{self, LockedFile};

impl NewContestArgs {
    pub(super) fn run(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let title = Name::new(&self.title).context("--title")?;
        let rules = crate::rules::read(&self.rules)?;
        let word = match &self.word {
            Some(word) => word.parse().context("--word")?,
            None => contest_view::word_of(&self.title)
                .context("--word: the title has no usable word")?,
        };
        let settings = ContestSettings::new(title, word, rules, Venue::Hall)
            .map_err(|refusal| anyhow!(phrases.refused_by_contest(&refusal, &rules)))?;
        let mut log = ContestLog::new(settings);
        if let Some(list) = &self.list {
            let pairs = log.contest.settings().pairs();
            let parties = parties(&locked_file::read(list)?, pairs, phrases)?;
            act(&mut log, phrases, Role::Organiser, ContestChange::Enter(parties))?;
        }
        LockedFile::new(&self.file)?.create(&log.to_lines())?;
        Ok(contest_view::summary(phrases, &log.contest))
    }
}

/// The entrants of a list, or all its faults.
fn parties(text: &str, pairs: bool, phrases: &Phrases) -> Result<Vec<Party>> {
    roster::parse(text, pairs).map_err(|faults| {
        let texts: Vec<String> = faults.iter().map(|fault| phrases.fault_of_list(fault)).collect();
        anyhow!(texts.join("\n"))
    })
}

impl AddArgs {
    pub(super) fn run(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let mut file = ContestFile::open(&self.file, phrases)?;
        let text = match &self.list {
            Some(list) => locked_file::read(list)?,
            None => self.names.join("\n"),
        };
        let parties = parties(&text, file.contest().settings().pairs(), phrases)?;
        file.act(Role::Organiser, ContestChange::Enter(parties))?;
        file.close()
    }
}

impl RenameArgs {
    pub(super) fn run(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let mut file = ContestFile::open(&self.file, phrases)?;
        let entrant = find_entrant(file.contest(), &self.who)?;
        let pairs = file.contest().settings().pairs();
        let party = match parties(&self.name, pairs, phrases)?.as_slice() {
            [party] => party.clone(),
            _ => bail!("one name is needed"),
        };
        file.act(Role::Organiser, ContestChange::Rename { entrant, party })?;
        file.close()
    }
}

impl WhoArgs {
    pub(super) fn withdraw(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let mut file = ContestFile::open(&self.file, phrases)?;
        let entrant = find_entrant(file.contest(), &self.who)?;
        file.act(Role::Organiser, ContestChange::Withdraw { entrant })?;
        file.close()
    }

    pub(super) fn return_entrant(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let mut file = ContestFile::open(&self.file, phrases)?;
        let entrant = find_entrant(file.contest(), &self.who)?;
        file.act(Role::Organiser, ContestChange::Return { entrant })?;
        file.close()
    }
}

/// Draws a secret for the next draw and enters its commitment in the log.
fn commit_to_secret(file: &mut ContestFile<'_>) -> Result<Secret> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| anyhow!("no secret can be drawn: {error}"))?;
    let secret = Secret(bytes);
    let contest = file.contest();
    let commitment = urn::commitment(contest.settings(), contest.phases().len(), &secret);
    file.act(Role::Organiser, ContestChange::Commit(commitment))?;
    Ok(secret)
}

impl FileArgs {
    /// Commits to the next draw (T6). The secret is stored in a file beside the contest that only
    /// the organiser can read.
    pub(super) fn commit(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let mut file = ContestFile::open(&self.file, phrases)?;
        let secret = commit_to_secret(&mut file)?;
        // The secret is written first: a commitment without its secret would be worthless.
        locked_file::write_secret(&secret_of(&self.file), &format!("{}\n", secret.reveal()))?;
        let mut lines = file.close()?;
        lines.push(contest_view::commitment_note(phrases));
        Ok(lines)
    }
}

impl DrawArgs {
    pub(super) fn run(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let mut file = ContestFile::open(&self.file, phrases)?;
        let words: Result<Vec<Word>, _> = self.words.iter().map(|word| word.parse()).collect();
        let words = words.context("--word")?;
        let secret = match self.at_once {
            true => commit_to_secret(&mut file)?,
            false => file.secret(&self.file)?,
        };
        file.act(Role::Organiser, ContestChange::Draw { secret, words })?;
        let phase = file.contest().phases().len() - 1;
        let tables = contest_view::tables(phrases, file.contest(), phase);
        file.close()?;
        // The log reveals the secret now.
        locked_file::remove(&secret_of(&self.file))?;
        Ok(tables)
    }
}

fn by_sides(scores: &[i32]) -> Result<BySide<i32>> {
    BySide::from_slice(scores).with_context(|| format!("{} scores are too many", scores.len()))
}

fn outcome(scores: &[i32], broken_off: bool) -> Result<MatchOutcome> {
    Ok(MatchOutcome { scores: by_sides(scores)?, broken_off })
}

impl ReportArgs {
    pub(super) fn run(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let mut file = ContestFile::open(&self.file, phrases)?;
        let id = table_id(file.contest(), &self.table)?;
        let by = match self.by.as_str() {
            "organiser" => Role::Organiser,
            "referee" => Role::Referee(id),
            player => Role::Player(find_entrant(file.contest(), player)?),
        };
        match (&self.sheet, &self.record) {
            (Some(sheet), _) => self.write_sheet(&mut file, id, by, sheet)?,
            (None, Some(record)) => {
                let rules = *table(file.contest(), &self.table)?.rules();
                let outcome = outcome_of_record(record, &rules, phrases)?;
                file.act(by, ContestChange::Report { table: id, outcome })?;
            }
            (None, None) => {
                let outcome = outcome(&self.scores, self.broken_off)?;
                file.act(by, ContestChange::Report { table: id, outcome })?;
            }
        }
        close_with_table(file, id, phrases)
    }

    /// Writes a whole sheet into the sheet of the table, line by line.
    fn write_sheet(
        &self,
        file: &mut ContestFile<'_>,
        id: ContestTableId,
        by: Role,
        path: &Path,
    ) -> Result<()> {
        let sheet = wire::sheet::from_lines(&locked_file::read(path)?);
        let sheet = sheet.with_context(|| format!("{} is not a score sheet", path.display()))?;
        let table = table(file.contest(), &self.table)?;
        if table.sheet().is_some() {
            bail!("table {} has a score sheet already", self.table);
        }
        if sheet.rules() != table.rules() {
            bail!("the sheet is of {}, and the table plays {}", sheet.rules(), table.rules());
        }
        if sheet.setup().dealer != table.dealer() {
            let (found, drawn) = (sheet.setup().dealer.number(), table.dealer().number());
            bail!("seat {found} deals first on the sheet, and seat {drawn} was drawn");
        }
        for entry in sheet.log() {
            file.repeat(by, ContestChange::WriteSheet { table: id, change: entry.change.clone() })?;
        }
        Ok(())
    }
}

/// The outcome of a recorded match. Everything in the record is rechecked.
fn outcome_of_record(file: &Path, rules: &game::Rules, phrases: &Phrases) -> Result<MatchOutcome> {
    let records = crate::verify::read(file)?;
    let [record] = records.as_slice() else {
        bail!("{} does not hold exactly one match", file.display())
    };
    record.verify().with_context(|| format!("{} is not valid", file.display()))?;
    MatchOutcome::of_record(record, rules)
        .map_err(|fault| anyhow!(phrases.refused_by_contest(&fault.into(), rules)))
}

/// The lines of the new entries, and the state of the table.
fn close_with_table(
    file: ContestFile<'_>,
    id: ContestTableId,
    phrases: &Phrases,
) -> Result<Vec<String>> {
    let table =
        file.contest().table(id).map(|table| contest_view::table(phrases, file.contest(), table));
    let mut lines = file.close()?;
    lines.extend(table.unwrap_or_default());
    Ok(lines)
}

impl RuleArgs {
    pub(super) fn run(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let mut file = ContestFile::open(&self.file, phrases)?;
        let id = table_id(file.contest(), &self.table)?;
        let outcome = outcome(&self.scores, self.broken_off)?;
        file.act(Role::Organiser, ContestChange::Rule { table: id, outcome })?;
        close_with_table(file, id, phrases)
    }
}

impl PenaliseArgs {
    pub(super) fn run(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let mut file = ContestFile::open(&self.file, phrases)?;
        let (table, place) = ticket(file.contest(), &self.ticket)?;
        let penalty = match self.why {
            PenaltyReasonArg::Revoke => cruce::Penalty::Revoke,
            PenaltyReasonArg::Misdeal => cruce::Penalty::Misdeal,
        };
        file.act(Role::Organiser, ContestChange::Penalise { table, place, penalty })?;
        close_with_table(file, table, phrases)
    }
}

impl PardonArgs {
    pub(super) fn run(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let mut file = ContestFile::open(&self.file, phrases)?;
        let table = table_id(file.contest(), &self.table)?;
        let penalty = self.penalty.checked_sub(1).context("penalties are counted from 1")?;
        file.act(Role::Organiser, ContestChange::Pardon { table, penalty })?;
        close_with_table(file, table, phrases)
    }
}

impl PlayoffArgs {
    pub(super) fn run(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let mut file = ContestFile::open(&self.file, phrases)?;
        let table = table_id(file.contest(), &self.table)?;
        let scores = by_sides(&self.scores)?;
        file.act(Role::Organiser, ContestChange::PlayOff { table, scores })?;
        close_with_table(file, table, phrases)
    }
}

impl PhaseArgs {
    fn phase(&self) -> Result<usize> {
        self.phase.checked_sub(1).context("phases are counted from 1")
    }

    pub(super) fn reopen(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let mut file = ContestFile::open(&self.file, phrases)?;
        file.act(Role::Organiser, ContestChange::Reopen { phase: self.phase()? })?;
        file.close()
    }

    pub(super) fn close(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let mut file = ContestFile::open(&self.file, phrases)?;
        file.act(Role::Organiser, ContestChange::Close { phase: self.phase()? })?;
        let summary = contest_view::summary(phrases, file.contest());
        let mut lines = file.close()?;
        lines.extend(summary);
        Ok(lines)
    }
}
