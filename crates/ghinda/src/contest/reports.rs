//! The commands that look at a contest.

use std::io::Write;

use anyhow::{Context, Result};
use contest::Contest;
use phrases::Phrases;
use wire::contest::export::ContestExport;
use wire::contest::moment_text;

use super::contest_file::read;
use super::{ExportContestArgs, Exported, FileArgs, TablesArgs};

/// A report below the summary of the contest.
fn with_summary(phrases: &Phrases, contest: &Contest, report: Vec<String>) -> Vec<String> {
    let mut lines = contest_view::summary(phrases, contest);
    lines.push(String::new());
    lines.extend(report);
    lines
}

impl TablesArgs {
    fn phase(&self, contest: &Contest) -> Result<usize> {
        let number = self.phase.unwrap_or(contest.phases().len());
        let phase = number.checked_sub(1).filter(|phase| *phase < contest.phases().len());
        phase.with_context(|| match contest.phases().len() {
            0 => "no lots have been drawn yet".to_owned(),
            drawn => format!("phases 1 to {drawn} have been drawn"),
        })
    }

    pub(super) fn tables(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let contest = read(&self.file)?.contest;
        let report = contest_view::tables(phrases, &contest, self.phase(&contest)?);
        Ok(with_summary(phrases, &contest, report))
    }

    pub(super) fn tickets(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let contest = read(&self.file)?.contest;
        Ok(contest_view::tickets(phrases, &contest, self.phase(&contest)?))
    }
}

impl FileArgs {
    pub(super) fn standings(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let contest = read(&self.file)?.contest;
        Ok(with_summary(phrases, &contest, contest_view::standings(phrases, &contest)))
    }

    pub(super) fn entrants(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let contest = read(&self.file)?.contest;
        Ok(with_summary(phrases, &contest, contest_view::entrants(phrases, &contest)))
    }

    /// Every entry with its time, described as of the state of the contest then.
    pub(super) fn log(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let log = read(&self.file)?;
        let from_file = log.contest.imported().unwrap_or_default();
        let mut contest = Contest::new(log.initial_settings);
        let mut lines = Vec::with_capacity(log.entries.len());
        for (at, entry) in log.entries.iter().enumerate() {
            contest.apply(entry)?;
            let text = contest_view::entry_text(phrases, &contest, entry, at < from_file);
            lines.push(format!("{}  {text}", moment_text(entry.at)));
        }
        Ok(lines)
    }

    /// Shows the draws. Reading a contest already rechecks all of it.
    pub(super) fn verify(&self, phrases: &Phrases) -> Result<Vec<String>> {
        let log = read(&self.file)?;
        Ok(with_summary(phrases, &log.contest, contest_view::draws(phrases, &log.contest)))
    }
}

impl ExportContestArgs {
    pub(super) fn run(&self, out: &mut impl Write) -> Result<()> {
        let contest = read(&self.file)?.contest;
        let text = match self.what {
            Exported::Standings => contest.standings_csv(),
            Exported::Results => contest.results_csv(),
            Exported::Tickets => contest.tickets_csv(),
            Exported::Draws => contest.draws(),
            Exported::Json => serde_json::to_string_pretty(&ContestExport::of(&contest))? + "\n",
        };
        Ok(write!(out, "{text}")?)
    }
}
