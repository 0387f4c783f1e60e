//! `ghinda admin usage` and `ghinda admin list`: what the database holds.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, ValueEnum};
use phrases::layout::{self, Columns};
use serde_json::{Value, json};
use server::stored_logs;
use store::{Database, ListedLog, LogKind, Store};

use super::{age_text, all_logs, bytes_text, kind, state};
use crate::database_arg::DatabaseArg;

/// The most columns of a label: beside the others a line has 80.
const LABEL_WIDTH: usize = 20;

/// Show what takes room in the database
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda admin usage
  ghinda admin usage --largest 50
  ghinda admin usage --json --database postgres://ghinda@localhost/ghinda

The bytes of logs are those of their events, compressed where they are archived;
the database takes more, for indexes, histories and free pages.")]
pub(super) struct UsageArgs {
    /// How many of the largest logs to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    largest: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pub(super) database: DatabaseArg,
}

/// List tables and ledgers, which are contests and score sheets
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda admin list                        the largest logs
  ghinda admin list tables --sort age      the tables, the quietest first
  ghinda admin list ledgers --limit 100
  ghinda admin list --json --limit 1000")]
pub(super) struct ListArgs {
    /// Which logs [default: all]
    #[arg(value_enum)]
    which: Option<ListedKind>,
    /// Which come first: the largest, or those with the oldest last change
    #[arg(long, value_enum, default_value_t = LogOrder::Size)]
    sort: LogOrder,
    /// How many to list
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Print one JSON array
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pub(super) database: DatabaseArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ListedKind {
    Tables,
    Ledgers,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LogOrder {
    Size,
    Age,
}

/// How many logs of a state there are, and the bytes of their events.
struct LogGroup {
    name: &'static str,
    kind: LogKind,
    state: &'static str,
    count: u64,
    bytes: u64,
}

impl UsageArgs {
    pub(super) async fn run(&self, database: &Database, out: &mut impl Write) -> Result<ExitCode> {
        let mut logs = all_logs(database).await?;
        let usage = database.usage().await?;
        let groups = groups(&logs);
        sort(&mut logs, LogOrder::Size);
        logs.truncate(self.largest);
        let largest = labelled(database, &logs).await?;
        if self.json {
            let group = |group: &LogGroup| {
                json!({
                    "kind": group.name, "state": group.state, "count": group.count, "bytes": group.bytes,
                })
            };
            let object = json!({
                "bytes": usage.bytes,
                "logs": groups.iter().map(group).collect::<Vec<_>>(),
                "matches": usage.finished,
                "sessions": usage.sessions,
                "accounts": usage.accounts,
                "largest": largest.iter().map(log_json).collect::<Vec<_>>(),
            });
            writeln!(out, "{object}")?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut columns = Columns::new("<>>");
        columns.row(["the database".into(), String::new(), bytes_text(usage.bytes)]);
        for LogGroup { name, state, count, bytes, .. } in &groups {
            columns.row([format!("{name}, {state}"), count.to_string(), bytes_text(*bytes)]);
        }
        columns.row(["finished matches".into(), usage.finished.to_string()]);
        columns.row(["sessions".into(), usage.sessions.to_string()]);
        columns.row(["accounts".into(), usage.accounts.to_string()]);
        columns.lines("", 3).iter().try_for_each(|line| writeln!(out, "{line}"))?;
        if !largest.is_empty() {
            writeln!(out, "\nThe largest:")?;
            write_logs(&largest, out)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl ListArgs {
    pub(super) async fn run(&self, database: &Database, out: &mut impl Write) -> Result<ExitCode> {
        let mut logs = all_logs(database).await?;
        let kind = self.which.map(|which| match which {
            ListedKind::Tables => LogKind::Table,
            ListedKind::Ledgers => LogKind::Ledger,
        });
        logs.retain(|listed| kind.is_none_or(|kind| listed.info.kind == kind));
        sort(&mut logs, self.sort);
        logs.truncate(self.limit);
        let logs = labelled(database, &logs).await?;
        match self.json {
            true => writeln!(out, "{}", Value::from_iter(logs.iter().map(log_json)))?,
            false if logs.is_empty() => writeln!(out, "there are none")?,
            false => write_logs(&logs, out)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn groups(logs: &[ListedLog]) -> Vec<LogGroup> {
    let group = |name, kind, state| LogGroup { name, kind, state, count: 0, bytes: 0 };
    let mut groups = vec![
        group("tables", LogKind::Table, "open"),
        group("tables", LogKind::Table, "closed"),
        group("tables", LogKind::Table, "archived"),
        group("ledgers", LogKind::Ledger, "open"),
        group("ledgers", LogKind::Ledger, "archived"),
    ];
    for listed in logs {
        let of =
            |group: &&mut LogGroup| group.kind == listed.info.kind && group.state == state(listed);
        if let Some(group) = groups.iter_mut().find(of) {
            group.count += 1;
            group.bytes += listed.stored_bytes;
        }
    }
    groups
}

fn sort(logs: &mut [ListedLog], order: LogOrder) {
    match order {
        LogOrder::Size => logs.sort_by_key(|listed| std::cmp::Reverse(listed.stored_bytes)),
        LogOrder::Age => logs.sort_by_key(|listed| listed.info.last_ms),
    }
}

/// The logs with what they are called.
async fn labelled(
    database: &Database,
    logs: &[ListedLog],
) -> Result<Vec<(ListedLog, Option<String>)>> {
    let mut labelled = Vec::new();
    for listed in logs {
        labelled.push((*listed, stored_logs::label(database, &listed.info).await?));
    }
    Ok(labelled)
}

fn log_json((listed, label): &(ListedLog, Option<String>)) -> Value {
    json!({
        "id": listed.info.log.to_string(),
        "kind": kind(listed),
        "label": label,
        "events": listed.info.last,
        "bytes": listed.stored_bytes,
        "uncompressed": listed.info.bytes,
        "changed_ms": listed.info.last_ms,
        "state": state(listed),
    })
}

fn write_logs(logs: &[(ListedLog, Option<String>)], out: &mut impl Write) -> Result<()> {
    let mut columns = Columns::new("<<>>><<");
    columns.row(["id", "kind", "events", "size", "changed", "state", "label"]);
    for (listed, label) in logs {
        let label = layout::harmless(label.as_deref().unwrap_or("-"));
        columns.row([
            listed.info.log.to_string(),
            kind(listed).into(),
            listed.info.last.to_string(),
            bytes_text(listed.stored_bytes),
            age_text(listed.info.last_ms),
            state(listed).into(),
            layout::shortened(&label, LABEL_WIDTH),
        ]);
    }
    columns.lines("", 2).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use store::{Epoch, LogId, LogInfo};

    use super::*;

    #[test]
    fn the_largest_numbers_fit_into_eighty_columns() {
        let info = LogInfo {
            log: LogId::new((1 << 50) - 1).expect("an id"),
            kind: LogKind::Ledger,
            last: 110_000,
            checkpoint: None,
            closed: false,
            last_ms: 0,
            bytes: 13 << 20,
            archived: 110_000,
            epoch: Epoch::FIRST,
        };
        let listed = ListedLog { info, stored_bytes: (1 << 20) - 1 };
        let label = Some("a contest in a village hall with a long name".to_owned());
        let mut out = Vec::new();
        write_logs(&[(listed, label)], &mut out).expect("written");
        let text = String::from_utf8(out).expect("UTF-8");
        assert_eq!(text.lines().count(), 2, "{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
