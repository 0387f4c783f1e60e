//! Ledgers of the mixed load: score sheets and contests, each with writers and many readers. After a
//! while all leave one for a new one.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use cards::Seat;
use contest::sheet::Setup;
use contest::{ContestTableId, Role};
use game::Rules;
use game::deal::RandomStream;
use replica::{LedgerReplica, RoleKey};
use room::Key;
use store::LedgerId;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use wire::contest::{ContestChangeText, table_text};
use wire::ledger::{Ledger, LedgerCommand};
use wire::sheet::{LineText, SheetChangeText, header_line};

use super::super::around;
use super::super::contest::{contest_header, first_draw, report};
use super::mixed_client::MixedClient;
use super::{CreatedResources, MixedLoad, PAUSE, Task, lock, stagger};

/// How long a ledger is used, in seconds.
const LIFE: std::ops::Range<usize> = 30..90;
/// The mean time between the changes of one writer.
const WRITE_INTERVAL: Duration = Duration::from_millis(1_500);
/// The mean time for which a reader keeps a connection.
const READ_INTERVAL: Duration = Duration::from_secs(20);
/// How many readers a ledger has besides its writers.
const READERS: usize = 8;
const ENTRANTS: usize = 16;

/// Uses one ledger after the other.
pub(super) async fn keep_opening(load: Arc<MixedLoad>, number: usize) {
    let mut lots = load.lots(Task::Ledgers, number);
    stagger(&mut lots).await;
    while !load.is_over() {
        let life = Duration::from_secs((LIFE.start + lots.below(LIFE.len())) as u64);
        let ends = load.ends.min(Instant::now() + life);
        let used = match lots.below(2) {
            0 => use_sheet(&load, ends, &mut lots).await,
            _ => use_contest(&load, ends, &mut lots).await,
        };
        if used.is_none() {
            sleep(PAUSE).await;
        }
    }
}

type Page = MixedClient<LedgerReplica>;

/// A ledger that was opened.
struct UsedLedger {
    load: Arc<MixedLoad>,
    id: LedgerId,
    organiser: RoleKey,
}

impl UsedLedger {
    async fn open(load: &Arc<MixedLoad>, lines: String) -> Option<UsedLedger> {
        let opened = load.open_ledger(lines).await?;
        CreatedResources::remember(&mut lock(&load.created).ledgers, opened.ledger.clone());
        let key: Key = opened.key.parse().ok()?;
        let (load, id) = (load.clone(), opened.ledger.parse().ok()?);
        Some(UsedLedger { load, id, organiser: RoleKey::organiser(key) })
    }

    /// A page in a role; without one it only reads.
    fn page(&self, role: Option<Role>, number: usize) -> Page {
        let role_key = role.and_then(|role| self.organiser.for_role(role));
        let replica = LedgerReplica::new(&format!("p{number}-"), role_key);
        MixedClient::new(&self.load, replica, self.id.into(), None)
    }

    /// Lets readers come and go until a moment.
    fn let_read(&self, ends: Instant, lots: &mut RandomStream) -> JoinSet<()> {
        let mut readers = JoinSet::new();
        for number in 0..READERS {
            let (mut page, first) = (self.page(None, number), around(READ_INTERVAL, lots));
            readers.spawn(async move {
                let mut until = Instant::now() + first;
                while Instant::now() < ends {
                    page.receive_until(until.min(ends)).await;
                    page.disconnect(Duration::from_secs(1));
                    until = Instant::now() + READ_INTERVAL;
                }
            });
        }
        readers
    }
}

/// Writes changes until a moment. Each follows from its number.
async fn write_until(
    page: &mut Page,
    ends: Instant,
    lots: &mut RandomStream,
    change: impl Fn(usize) -> LedgerCommand,
) {
    for number in 1.. {
        page.receive_until(ends.min(Instant::now() + around(WRITE_INTERVAL, lots))).await;
        if Instant::now() >= ends || page.is_stuck() {
            break;
        }
        if page.is_idle() {
            page.send(change(number), if number % 16 == 0 { 2 } else { 1 }).await;
        }
    }
    page.settle().await;
}

async fn end(mut readers: JoinSet<()>, load: &MixedLoad) {
    while let Some(ended) = readers.join_next().await {
        if let Err(error) = ended {
            load.fault("a client has panicked", &error.to_string());
        }
    }
}

fn sheet_header() -> Result<String> {
    let names = ["Ana", "Ion", "Eva", "Dan"].map(str::parse);
    let names = names.into_iter().collect::<Result<_, _>>()?;
    let dealer = Seat::new(0).context("there is a first seat")?;
    Ok(header_line(&Setup { rules: Rules::from_code("cruce4t-21")?, names, dealer }))
}

/// A change of a sheet: deals, corrections and names.
fn sheet_change(number: usize) -> LedgerCommand {
    let line = LineText::Cruce {
        declarer: 1 + number % 4,
        bid: 1 + (number % 2) as u8,
        cards: vec![50, 70],
        calls: vec![0, 20],
    };
    let rename = |seat| SheetChangeText::Rename { seat, name: format!("Player {number}") };
    LedgerCommand::Sheet(match number % 8 {
        0 | 3 | 6 => SheetChangeText::Write { line },
        1 | 5 => SheetChangeText::Edit { number: 1, line },
        2 | 4 => SheetChangeText::Undo {},
        _ => rename(1 + number / 8 % 4),
    })
}

async fn use_sheet(load: &Arc<MixedLoad>, ends: Instant, lots: &mut RandomStream) -> Option<()> {
    let ledger = UsedLedger::open(load, sheet_header().ok()?).await?;
    let readers = ledger.let_read(ends, lots);
    let mut writer = ledger.page(Some(Role::Organiser), READERS);
    write_until(&mut writer, ends, lots, sheet_change).await;
    end(readers, load).await;
    Some(())
}

async fn use_contest(load: &Arc<MixedLoad>, ends: Instant, lots: &mut RandomStream) -> Option<()> {
    let ledger = UsedLedger::open(load, contest_header().ok()?).await?;
    let mut organiser = ledger.page(Some(Role::Organiser), 100);
    for command in first_draw(ENTRANTS) {
        if !organiser.command(command).await {
            return None;
        }
    }
    let contest = organiser.replica().ledger().and_then(Ledger::contest)?;
    let phase = contest.phases().first()?;
    let drawn = phase.tables().iter().map(|table| (table.id(), table.entrants().to_vec()));
    let drawn: Vec<(ContestTableId, Vec<contest::EntrantId>)> = drawn.collect();
    drop(organiser);
    let mut pages = ledger.let_read(ends, lots);
    for (table, entrants) in drawn {
        let mut referee = ledger.page(Some(Role::Referee(table)), 200 + table.table);
        let mut lots = super::super::lots(lots.below(usize::MAX >> 33) as u64, 1);
        let places = entrants.len();
        pages.spawn(async move {
            write_until(&mut referee, ends, &mut lots, |number| ruling(table, places, number))
                .await;
        });
        for (place, entrant) in entrants.into_iter().enumerate() {
            let mut page = ledger.page(Some(Role::Player(entrant)), 300 + entrant.number());
            pages.spawn(async move {
                if place == 0 {
                    page.command(report(table, places)).await;
                }
                page.receive_until(ends).await;
            });
        }
    }
    end(pages, load).await;
    Some(())
}

/// A result that the referee decides; it differs from the one before.
fn ruling(table: ContestTableId, places: usize, number: usize) -> LedgerCommand {
    let scores =
        (0..places).map(|place| if place == 0 { 21 } else { -((number % 90 + place) as i32) });
    LedgerCommand::Contest(ContestChangeText::Rule {
        table: table_text(table),
        scores: scores.collect(),
        broken_off: false,
    })
}
