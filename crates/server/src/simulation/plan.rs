//! Draws a world from its seed: what there is in it, and what goes wrong.

use contest::{ContestSettings, Venue};
use game::Rules;
use wire::contest::header_line;
use wire::table::Pace;

use super::ledger_clients::{LedgerPart, SimulatedLedgerClient};
use super::lots::Lots;
use super::table_clients::SimulatedTableClient;

/// What a world is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WorldKind {
    /// Tables of one server.
    Tables,
    /// Tables of two servers on one store.
    TwoServers,
    /// An online contest.
    Contests,
    /// Score sheets, and many sessions.
    Sheets,
}

/// After this time, in milliseconds, less and less goes wrong.
const SHORTEST_TROUBLE: u64 = 20_000;
const LONGEST_TROUBLE: u64 = 70_000;

/// Rules with short matches.
const SHORT: [&str; 6] =
    ["cruce2-2", "cruce2-3", "cruce3-2", "cruce2-2-honour", "cruce4t-2", "cruce2-3-auto"];

/// What goes wrong in a world.
pub(super) struct WorldPlan {
    pub(super) kind: WorldKind,
    pub(super) trouble_ends: u64,
    /// Whether the store fails at times.
    pub(super) store: bool,
    /// Whether bots misbehave.
    pub(super) bots: bool,
    /// Whether no bot answers at all.
    pub(super) silent_bots: bool,
    /// Whether there is room for little: few tasks, bytes, connections and requests.
    pub(super) scarce: bool,
    /// Whether connections are lost, and clients read slowly or send too much.
    pub(super) network: bool,
    /// How often the servers crash, and how often they are stopped.
    pub(super) crashes: usize,
    pub(super) stops: usize,
    /// Whether the clock of the system is wrong at some starts.
    pub(super) clocks: bool,
    /// Whether one log cannot be written until all other clients have what they want.
    pub(super) victim: bool,
    /// Whether one table cannot be read.
    pub(super) unreadable: bool,
    /// Whether quiet tables are closed soon, and not after a month.
    pub(super) sweeps: bool,
    /// How many messages wait for a client that reads slowly.
    pub(super) outbox: usize,
    pub(super) tables: Vec<TablePlan>,
    pub(super) ledgers: Vec<LedgerPlan>,
}

/// A table that is opened in a world.
pub(super) struct TablePlan {
    pub(super) rules: Rules,
    pub(super) pace: Pace,
    pub(super) listed: bool,
    /// Whether another table plays the same deals.
    pub(super) duplicate: bool,
    /// How many clients there are; the first is the host.
    pub(super) clients: usize,
}

/// A ledger that is opened in a world.
pub(super) struct LedgerPlan {
    /// Its first line.
    pub(super) header: String,
    /// How many enter, if it is a contest.
    pub(super) entrants: usize,
    /// How many of them have a client.
    pub(super) present: usize,
    pub(super) readers: usize,
}

impl WorldPlan {
    pub(super) fn draw(kind: WorldKind, lots: &mut Lots) -> WorldPlan {
        let calm = lots.chance(12);
        let some = |lots: &mut Lots, one_in| !calm && lots.chance(one_in);
        let restarts = |lots: &mut Lots| if calm { 0 } else { lots.below(3) };
        let mut plan = WorldPlan {
            kind,
            trouble_ends: lots.within(SHORTEST_TROUBLE..LONGEST_TROUBLE),
            store: !some(lots, 4) && !calm,
            bots: !some(lots, 3) && !calm,
            silent_bots: some(lots, 8),
            scarce: some(lots, 4),
            network: !some(lots, 3) && !calm,
            crashes: restarts(lots),
            stops: restarts(lots),
            clocks: some(lots, 4),
            victim: some(lots, 5),
            unreadable: some(lots, 5),
            sweeps: some(lots, 8),
            outbox: *lots.pick(&[8, 20, 64]),
            tables: Vec::new(),
            ledgers: Vec::new(),
        };
        match kind {
            WorldKind::Tables | WorldKind::TwoServers => plan.draw_tables(lots),
            WorldKind::Contests => plan.ledgers.push(contest_plan(lots)),
            WorldKind::Sheets => {
                let sheets = 1 + lots.below(2);
                plan.ledgers = (0..sheets).map(|_| sheet_plan(lots)).collect();
            }
        }
        plan
    }

    fn draw_tables(&mut self, lots: &mut Lots) {
        let tables = 1 + lots.below(3);
        for _ in 0..tables {
            let code = *lots.pick(&SHORT);
            let rules = Rules::from_code(code).expect("a code");
            let plan = TablePlan {
                rules,
                pace: *lots.pick(&[Pace::Off, Pace::Relaxed, Pace::Fast]),
                listed: !lots.chance(3),
                duplicate: false,
                clients: 1 + lots.below(rules.players().min(3)) + usize::from(lots.chance(4)),
            };
            self.tables.push(plan);
        }
        if lots.chance(5) {
            let TablePlan { rules, pace, listed, .. } = self.tables[0];
            self.tables.truncate(1);
            self.tables[0].duplicate = true;
            self.tables.push(TablePlan { rules, pace, listed, duplicate: true, clients: 1 });
        }
    }

    /// The clients of the tables.
    pub(super) fn table_clients(&self) -> Vec<SimulatedTableClient> {
        let mut clients = Vec::new();
        for (table, plan) in self.tables.iter().enumerate() {
            for number in 0..plan.clients {
                let name = format!("t{table}c{number}-");
                // One more than there are seats watches.
                let watches = number >= plan.rules.players();
                clients.push(SimulatedTableClient::new(&name, Some(table), number == 0, watches));
            }
        }
        clients
    }

    /// The clients of the ledgers.
    pub(super) fn ledger_clients(&self) -> Vec<SimulatedLedgerClient> {
        let mut clients = Vec::new();
        for (ledger, plan) in self.ledgers.iter().enumerate() {
            let mut add = |part| {
                let name = format!("l{ledger}c{}-", clients.len());
                clients.push(SimulatedLedgerClient::new(&name, ledger, part));
            };
            add(LedgerPart::Organiser);
            if plan.entrants > 0 {
                add(LedgerPart::Referee);
            } else {
                // A second writer of the same sheet.
                add(LedgerPart::Organiser);
            }
            (0..plan.readers).for_each(|_| add(LedgerPart::Reader));
        }
        clients
    }
}

fn contest_plan(lots: &mut Lots) -> LedgerPlan {
    let rules = if lots.chance(3) { "cruce4s-3" } else { "cruce4s-2" };
    let rules = Rules::from_code(rules).expect("a code");
    let (title, word) = ("Cupa".parse().expect("a name"), "cupa".parse().expect("a word"));
    let settings = ContestSettings::new(title, word, rules, Venue::Online).expect("settings");
    let entrants = if lots.chance(4) { 8 } else { 4 };
    let (present, readers) = (1 + lots.below(3), lots.below(3));
    LedgerPlan { header: header_line(&settings), entrants, present, readers }
}

fn sheet_plan(lots: &mut Lots) -> LedgerPlan {
    let header =
        r#"{"ghinda_sheet":1,"rules":"cruce4t-9","names":["Ana","Ion","Eva","Dan"],"dealer":1}"#;
    LedgerPlan { header: header.into(), entrants: 0, present: 0, readers: lots.below(3) }
}
