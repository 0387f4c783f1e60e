//! `ghinda verify`: rechecks records completely.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use game::record::{self, Record, RecordError, RecordErrorAt};
use phrases::{Language, Phrases};

/// Recheck match records: the shuffles, every bid and card, every score
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ghinda verify match.record     a record as text
  ghinda verify match.jsonl      a record as JSON lines
  ghinda simulate --record - | ghinda verify -
  ghinda verify --json *.record  one JSON object per match

A record has one match or several. Rechecked are the commitment and the secret,
the first seat, every card dealt, every bid, card, call and challenge, every
score and the winner. The first error is printed, with exit code 2.")]
pub(crate) struct VerifyArgs {
    /// Record files; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object per match
    #[arg(long)]
    json: bool,
}

/// A longer record is refused.
const MAX_BYTES: u64 = 256 << 20;

impl VerifyArgs {
    pub(crate) fn run(&self, language: Language, out: &mut impl Write) -> Result<()> {
        let phrases = Phrases::new(language);
        let mut wrong = 0;
        for file in &self.files {
            let name = file.display();
            let lines = match self.json {
                true => write_json(file, &phrases, out),
                false => verify(file, &phrases),
            };
            match lines {
                Ok(lines) => lines.iter().try_for_each(|line| writeln!(out, "{name}: {line}"))?,
                Err(error) if self.files.len() == 1 => {
                    return Err(error.context(format!("{name} is not valid")));
                }
                Err(error) => {
                    wrong += 1;
                    eprintln!("{name}: {}", phrases::layout::harmless(&format!("{error:#}")));
                }
            }
        }
        if wrong > 0 {
            bail!("{wrong} of {} files are not valid", self.files.len());
        }
        Ok(())
    }
}

fn verify(file: &Path, phrases: &Phrases) -> Result<Vec<String>> {
    let records = read(file)?;
    let several = records.len() > 1;
    let mut lines = Vec::new();
    for (at, record) in records.iter().enumerate() {
        let number = if several { format!("match {}: ", at + 1) } else { String::new() };
        let verified = match record.verify() {
            Ok(verified) => verified,
            Err(wrong) => bail!("{number}{}", sentence(&wrong, record, phrases)),
        };
        let counts = format!("{} deals, {} actions", verified.deals, verified.actions);
        let state = match (verified.finished, verified.revealed) {
            (true, _) => "correct",
            (false, true) => "correct so far, unfinished",
            (false, false) => {
                "correct so far, unfinished; the deals cannot be rechecked before the secret is revealed"
            }
        };
        lines.push(format!("{number}{}: {counts}, {state}", record.rules));
    }
    Ok(lines)
}

/// Writes one object for each match, also for an invalid one. The first error is returned; there
/// are no lines for people.
fn write_json(file: &Path, phrases: &Phrases, out: &mut impl Write) -> Result<Vec<String>> {
    let mut first = None;
    for (at, record) in read(file)?.iter().enumerate() {
        let (verified, rules) = (record.verify(), record.rules.code());
        let wrong = verified.as_ref().err().map(|wrong| sentence(wrong, record, phrases));
        let verified = verified.ok();
        let object = serde_json::json!({
            "file": file, "match": at + 1, "rules": rules, "right": wrong.is_none(), "wrong": wrong,
            "deals": verified.as_ref().map(|verified| verified.deals),
            "actions": verified.as_ref().map(|verified| verified.actions),
            "finished": verified.as_ref().map(|verified| verified.finished),
            "revealed": verified.as_ref().map(|verified| verified.revealed),
        });
        writeln!(out, "{object}")?;
        first = first.or(wrong);
    }
    match first {
        Some(wrong) => bail!(wrong),
        None => Ok(Vec::new()),
    }
}

/// The error, with the reason as a player reads it.
fn sentence(wrong: &RecordErrorAt, record: &Record, phrases: &Phrases) -> String {
    match &wrong.what {
        RecordError::Illegal(illegal) => {
            format!("{}{}", wrong.place(), phrases.refusal(illegal, &record.rules))
        }
        _ => wrong.to_string(),
    }
}

/// The records of a file, or of standard input.
pub(crate) fn read(file: &Path) -> Result<Vec<Record>> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    } else {
        let file = std::fs::File::open(file).context("the file cannot be opened")?;
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes).context("the file cannot be read")?;
    }
    if bytes.len() as u64 > MAX_BYTES {
        bail!("the record is longer than {} MiB", MAX_BYTES >> 20);
    }
    let text = String::from_utf8(bytes).context("the record is not UTF-8 text")?;
    Ok(if wire::record::looks_like_lines(&text) {
        wire::record::from_lines(&text)?
    } else {
        record::parse_all(&text)?
    })
}
