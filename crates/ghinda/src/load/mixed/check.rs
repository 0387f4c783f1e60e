//! The acknowledged actions of all clients, and their comparison with the stored logs: every one is
//! stored, once, and every log can be played again.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result};
use room::{LoggedCommand, Room, Timings, log};
use serde_json::{Value, json};
use store::{Database, EventPages, LogId, PlayerId, StoredEvent};
use wire::ledger::Ledger;

/// How many faults of a kind are listed.
const MAX_LISTED: usize = 20;

/// The acknowledged actions, by tables and ledgers.
#[derive(Default)]
pub(super) struct Acknowledged(BTreeMap<LogId, Vec<AcknowledgedAction>>);

struct AcknowledgedAction {
    /// The player, at a table.
    player: Option<PlayerId>,
    /// The id of the command.
    id: Box<str>,
    /// The version, at a table.
    version: Option<u64>,
}

/// What the comparison has found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct LogComparison {
    logs: usize,
    acknowledged: usize,
    /// How many events were stored in each interval since the beginning.
    stored: Vec<u64>,
    /// Acknowledged actions that are not stored, or at another version.
    lost: Vec<String>,
    /// Actions that are stored twice.
    doubled: Vec<String>,
    /// Logs that cannot be played again.
    unreadable: Vec<String>,
}

/// The commands of a log, each with the sequence of its event.
type StoredCommands = BTreeMap<(Option<PlayerId>, String), u64>;

impl Acknowledged {
    pub(super) fn add(
        &mut self,
        log: LogId,
        player: Option<PlayerId>,
        id: &str,
        version: Option<u64>,
    ) {
        let action = AcknowledgedAction { player, id: id.into(), version };
        self.0.entry(log).or_default().push(action);
    }

    /// Compares all with the logs in a database. `began_ms` is the beginning of the intervals.
    pub(super) async fn compare(
        &self,
        database: &Database,
        began_ms: u64,
        interval: Duration,
    ) -> Result<LogComparison> {
        let mut found = LogComparison { logs: self.0.len(), ..LogComparison::default() };
        for (log, actions) in &self.0 {
            let events = read(database, *log).await?;
            for event in &events {
                let after = (event.at_ms as u64).saturating_sub(began_ms);
                let at = (after / interval.as_millis() as u64) as usize;
                if found.stored.len() <= at {
                    found.stored.resize(at + 1, 0);
                }
                found.stored[at] += 1;
            }
            // All actions at a log have a player, or none has.
            let is_table = actions.iter().any(|action| action.player.is_some());
            let commands = match is_table {
                true => play_table(*log, &events, &mut found.doubled),
                false => play_ledger(*log, &events, &mut found.doubled),
            };
            match commands {
                Ok(commands) => found.compare(*log, actions, &commands),
                Err(error) => found.unreadable.push(format!("{log}: {error:#}")),
            }
        }
        Ok(found)
    }
}

impl LogComparison {
    fn compare(&mut self, log: LogId, actions: &[AcknowledgedAction], commands: &StoredCommands) {
        self.acknowledged += actions.len();
        for AcknowledgedAction { player, id, version } in actions {
            let of = player.map(|player| format!(" of {player}")).unwrap_or_default();
            match (commands.get(&(*player, id.to_string())), version) {
                (None, _) => self.lost.push(format!("{id}{of} at {log} is not stored")),
                (Some(stored), Some(version)) if stored != version => self.lost.push(format!(
                    "{id}{of} at {log} was acknowledged as {version} and is stored as {stored}"
                )),
                (Some(_), _) => {}
            }
        }
    }

    pub(super) fn json(&self) -> Value {
        let listed = |faults: &[String]| json!(faults.iter().take(MAX_LISTED).collect::<Vec<_>>());
        json!({
            "logs": self.logs,
            "events": self.stored.iter().sum::<u64>(),
            "acknowledged": self.acknowledged,
            "stored": self.stored,
            "lost": self.lost.len(),
            "doubled": self.doubled.len(),
            "unreadable": self.unreadable.len(),
            "faults": [listed(&self.lost), listed(&self.doubled), listed(&self.unreadable)],
        })
    }
}

async fn read(database: &Database, log: LogId) -> Result<Vec<StoredEvent>> {
    let mut events = Vec::new();
    let mut pages = EventPages::new(database, log, 1);
    loop {
        let page = pages.next().await?;
        if page.is_empty() {
            return Ok(events);
        }
        events.extend(page);
    }
}

/// Adds a stored command; a command that was stored before is a fault.
fn insert(
    commands: &mut StoredCommands,
    command: (Option<PlayerId>, String),
    sequence: u64,
    (log, doubled): (LogId, &mut Vec<String>),
) {
    if let Some(before) = commands.insert(command.clone(), sequence) {
        let (player, id) = command;
        let of = player.map(|player| format!(" of {player}")).unwrap_or_default();
        doubled.push(format!("{id}{of} at {log}: stored as {before} and as {sequence}"));
    }
}

/// Plays the log of a table again, and returns its commands.
fn play_table(
    table: LogId,
    events: &[StoredEvent],
    doubled: &mut Vec<String>,
) -> Result<StoredCommands> {
    let mut commands = StoredCommands::new();
    let mut room: Option<Room> = None;
    for (expected, event) in (1..).zip(events) {
        anyhow::ensure!(event.sequence == expected, "event {expected} is missing");
        let logged = log::decode(event.at_ms as u64, &event.body)?;
        let fits = match &mut room {
            None => Room::open(table.as_table(), 1, &logged, Timings::default())
                .map(|(opened, _)| room = Some(opened)),
            Some(room) => room.apply(&logged).map(|_| ()),
        };
        fits.with_context(|| format!("event {expected} does not apply"))?;
        if let Some(LoggedCommand { player, id, .. }) = logged.command {
            insert(&mut commands, (Some(player), id), expected, (table, doubled));
        }
    }
    Ok(commands)
}

/// Reads the lines of a ledger again, and returns its commands.
fn play_ledger(
    id: LogId,
    events: &[StoredEvent],
    doubled: &mut Vec<String>,
) -> Result<StoredCommands> {
    let mut commands = StoredCommands::new();
    let mut ledger: Option<Ledger> = None;
    for (expected, event) in (1..).zip(events) {
        anyhow::ensure!(event.sequence == expected, "event {expected} is missing");
        // A word, what belongs to it, and the line, which is a JSON object.
        let (head, line) = event.body.split_at(event.body.find('{').unwrap_or(event.body.len()));
        match (&mut ledger, line.is_empty()) {
            // A secret of the server.
            (_, true) => continue,
            (None, false) => ledger = Some(Ledger::from_header(line)?),
            (Some(ledger), false) => ledger.add(expected as usize, line)?,
        }
        let mut words = head.split_whitespace();
        if let (Some("did" | "done"), Some(command)) = (words.next(), words.next())
            && command != "-"
        {
            insert(&mut commands, (None, command.to_owned()), expected, (id, doubled));
        }
    }
    Ok(commands)
}

#[cfg(test)]
mod tests {
    use game::Rules;
    use game::fair::Secret;
    use room::{Entry, Key, LoggedEntry, Opening};
    use store::{Append, AppendStore, LogKind, NewEvent, Store};
    use test_support::folder::TempFolder;

    use super::*;

    const TEN_SECONDS: Duration = Duration::from_secs(10);

    fn player() -> PlayerId {
        PlayerId::new(7).expect("small")
    }

    fn log_id(number: u64) -> LogId {
        LogId::new(number).expect("small")
    }

    /// The events of a table at which a player was admitted by each of these commands.
    fn table_events(commands: &[&str]) -> Vec<String> {
        let opening = Opening {
            rules: Rules::from_code("cruce2").expect("rules"),
            pace: Default::default(),
            listed: true,
            host: player(),
            key: Key::new([1; 16]),
            secret: Secret::from_phrase("check"),
            siblings: Vec::new(),
            contest: None,
        };
        let entry = |command: Option<&str>, entry| {
            let command = command.map(|id| LoggedCommand {
                player: player(),
                id: id.to_owned(),
                fingerprint: None,
            });
            log::encode(&LoggedEntry { at: 0, command, entry })
        };
        let opened = entry(None, Entry::Opened(Box::new(opening)));
        let relinked = commands
            .iter()
            .map(|id| entry(Some(id), Entry::Relinked { key: Key::new([id.len() as u8; 16]) }));
        std::iter::once(opened).chain(relinked).collect()
    }

    const HEADER: &str =
        r#"{"ghinda_sheet":1,"rules":"whist3","names":["Ana","Ion","Eva"],"dealer":1}"#;

    /// The events of a sheet on which a player was renamed by each of these commands.
    fn sheet_events(commands: &[&str]) -> Vec<String> {
        let line = |name: &str| {
            let at = "2026-11-16T09:30:00.250Z";
            format!(r#"{{"at":"{at}","did":"rename","seat":1,"name":"{name}"}}"#)
        };
        let opened = format!("opened {} {HEADER}", "0".repeat(32));
        let secret = format!("secret {}", "0".repeat(64));
        let done = commands.iter().map(|id| format!("done {id} 00000000000000ff {}", line(id)));
        [opened, secret].into_iter().chain(done).collect()
    }

    async fn compared(
        acknowledged: &Acknowledged,
        logs: &[(LogKind, u64, Vec<String>)],
    ) -> LogComparison {
        let folder = TempFolder::create();
        let file = folder.file("check.db").display().to_string();
        let database = Database::open(&file).await.expect("a database");
        for (kind, number, bodies) in logs {
            let log = log_id(*number);
            let epoch = database.create(*kind, log, None, 0).await.expect("created");
            let event = |(at, body): (usize, &String)| NewEvent {
                at_ms: 5_000 + 1_000 * at as i64,
                body: body.clone(),
            };
            let events = bodies.iter().enumerate().map(event).collect();
            let append = Append { log, epoch, first: 1, events, linked_writes: Vec::new() };
            database.append(&[append]).await.expect("stored");
        }
        let found = acknowledged.compare(&database, 5_000, TEN_SECONDS).await.expect("compared");
        database.close().await;
        found
    }

    #[tokio::test]
    async fn what_is_stored_once_is_found() {
        let mut acknowledged = Acknowledged::default();
        acknowledged.add(log_id(1), Some(player()), "a1", Some(2));
        acknowledged.add(log_id(1), Some(player()), "a2", Some(3));
        acknowledged.add(log_id(2), None, "p1", None);
        let logs = [
            (LogKind::Table, 1, table_events(&["a1", "a2", "not-answered"])),
            (LogKind::Ledger, 2, sheet_events(&["p1", "p2"])),
        ];
        let found = compared(&acknowledged, &logs).await;
        let fine =
            LogComparison { logs: 2, acknowledged: 3, stored: vec![8], ..Default::default() };
        assert_eq!(found, fine);
    }

    #[tokio::test]
    async fn lost_and_doubled_actions_are_found() {
        let mut acknowledged = Acknowledged::default();
        acknowledged.add(log_id(1), Some(player()), "lost", Some(2));
        acknowledged.add(log_id(1), Some(player()), "moved", Some(9));
        acknowledged.add(log_id(1), Some(player()), "twice", Some(4));
        acknowledged.add(log_id(2), None, "p1", None);
        acknowledged.add(log_id(2), None, "lost", None);
        acknowledged.add(log_id(3), None, "no such ledger", None);
        let logs = [
            (LogKind::Table, 1, table_events(&["moved", "twice", "twice"])),
            (LogKind::Ledger, 2, sheet_events(&["p1", "p1"])),
        ];
        let found = compared(&acknowledged, &logs).await;
        assert_eq!(found.lost.len(), 4, "{found:?}");
        assert!(found.lost.iter().any(|fault| fault.starts_with("moved")), "{found:?}");
        assert_eq!(found.doubled.len(), 2, "{found:?}");
        assert!(found.unreadable.is_empty(), "{found:?}");
    }

    #[tokio::test]
    async fn a_log_that_does_not_apply_is_found() {
        let mut acknowledged = Acknowledged::default();
        acknowledged.add(log_id(1), Some(player()), "a1", Some(2));
        let mut events = table_events(&["a1"]);
        let opening = events[0].clone();
        events.push(opening);
        let found = compared(&acknowledged, &[(LogKind::Table, 1, events)]).await;
        assert_eq!(found.unreadable.len(), 1, "{found:?}");
    }
}
