//! The clients of ledgers: organisers and referees of contests, writers of score sheets, and readers.

use std::collections::BTreeSet;

use contest::{Contest, ContestStage, ContestTable, ContestTableId, Role, TableStatus};
use replica::conversation::Tick;
use replica::ledger::LedgerChange;
use replica::{Conversation, LedgerReplica, Replica, RoleKey};
use store::PlayerId;
use wire::contest::{ContestChangeText, PartyText, table_text};
use wire::ledger::{
    CloseReason, Ledger, LedgerClientMessage, LedgerCommand, LedgerRefusal, LedgerServerMessage,
    role_key,
};
use wire::sheet::{LineText, SheetChangeText};

use super::CLIENTS;
use super::lots::Lots;
use super::network::{Link, delay_of};
use super::sockets::{LedgerHello, SimulatedSocket};
use super::witness::Witness;
use super::world::{ShellWorld, Who, WorldEvent};
use crate::ledger::LedgerError;

/// What a client does with a ledger.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LedgerPart {
    /// Writes a sheet, or runs a contest.
    Organiser,
    /// Decides about the first table of a contest.
    Referee,
    Reader,
}

/// The table of the referee.
const FIRST: ContestTableId = ContestTableId { phase: 0, table: 0 };
/// How many lines a sheet gets, unless its match is over before.
const SHEET_LINES: usize = 14;

/// A client of a ledger.
pub(super) struct SimulatedLedgerClient {
    pub(super) link: Link,
    pub(super) conversation: Conversation<CloseReason>,
    pub(super) replica: LedgerReplica,
    pub(super) ledger: usize,
    part: LedgerPart,
    /// Whether the replica has the key of its part.
    has_key: bool,
    /// The commands that are done, as their answers say.
    done: BTreeSet<String>,
    /// The commands that were done without an answer when the connection began, and are sent again.
    done_unanswered: BTreeSet<String>,
    /// The last messages, some of which are sent again.
    sent: Vec<String>,
    name: String,
}

impl SimulatedLedgerClient {
    pub(super) fn new(name: &str, ledger: usize, part: LedgerPart) -> SimulatedLedgerClient {
        SimulatedLedgerClient {
            link: Link::default(),
            conversation: Conversation::default(),
            replica: LedgerReplica::new(name, None),
            ledger,
            part,
            has_key: false,
            done: BTreeSet::new(),
            done_unanswered: BTreeSet::new(),
            sent: Vec::new(),
            name: name.into(),
        }
    }

    fn contest(&self) -> Option<&Contest> {
        self.replica.ledger()?.contest()
    }

    /// The client in a few words, for a report.
    pub(super) fn describe(&self) -> String {
        format!(
            "{} ({:?}) of ledger {}: connected {:?}, busy {}, unanswered {}, {} lines, {:?}",
            self.name,
            self.part,
            self.ledger,
            self.link.connection,
            self.link.busy,
            self.replica.unanswered().len(),
            self.replica.ledger().map_or(0, Ledger::len),
            self.contest().map(Contest::stage),
        )
    }

    /// What has come to its end, as the organiser sees it.
    pub(super) fn end(&self) -> Option<&'static str> {
        let organises = self.part == LedgerPart::Organiser;
        match self.replica.ledger().filter(|_| organises)? {
            Ledger::Contest(log) if log.contest.stage() == ContestStage::Over => {
                Some("a contest that ended")
            }
            Ledger::Contest(_) => None,
            Ledger::Sheet(_) => Some("a sheet that was written"),
        }
    }

    /// Whether the ledger is as it should be in the end.
    pub(super) fn is_content(&self) -> bool {
        let over = match self.replica.ledger() {
            Some(Ledger::Contest(log)) => log.contest.stage() == ContestStage::Over,
            Some(Ledger::Sheet(sheet)) => {
                sheet.winners().is_some() || sheet.log().len() >= SHEET_LINES
            }
            None => false,
        };
        let settled = self.replica.unanswered().is_empty();
        over && settled && self.link.connection.is_some()
    }
}

impl ShellWorld {
    /// Whether the contest of a player is over, as its organiser sees it.
    pub(super) fn is_contest_over(&self, at: usize) -> bool {
        let Some((ledger, _)) = self.table_clients[at].entrant else { return false };
        let mut clients = self.ledger_clients.iter().filter(|client| client.ledger == ledger);
        clients.any(|client| {
            client.contest().is_some_and(|contest| contest.stage() == ContestStage::Over)
        })
    }

    pub(super) fn connect_to_ledger(&mut self, at: usize, server: usize) {
        let who = Who::Ledger(at);
        let ledger = self.ledger_clients[at].ledger;
        let known = &self.ledgers[ledger];
        let (Some(id), Some(key)) = (known.id, known.key) else {
            let first = self.ledger_clients.iter().position(|client| client.ledger == ledger);
            if first == Some(at) {
                self.open_ledger(at, server, ledger);
            } else {
                self.schedule_within(200..900, WorldEvent::Connect { who });
            }
            return;
        };
        let Some(known) = self.servers[server].as_ref() else { return };
        let (ledgers, tables) = (known.ledgers.clone(), known.tables.clone());
        let Some(place) = known.web.permit_socket(CLIENTS) else { return self.find_no_place(who) };
        let (connection, delay) = (self.next_number(), delay_of(&mut self.lots));
        let client = &mut self.ledger_clients[at];
        let role = match client.part {
            LedgerPart::Organiser => Some(Role::Organiser),
            LedgerPart::Referee => Some(Role::Referee(FIRST)),
            LedgerPart::Reader => None,
        };
        let asks = role.map(|role| (role, role_key(key, role)));
        if !client.has_key {
            let role_key = asks.map(|(role, key)| RoleKey { role, key });
            client.replica = LedgerReplica::new(&client.name, role_key);
            client.has_key = true;
        }
        let unanswered = client.replica.unanswered().into_iter();
        let ids = unanswered.filter_map(|message| match message {
            LedgerClientMessage::Do { id, .. } => Some(id),
            _ => None,
        });
        client.done_unanswered =
            ids.filter(|command| self.witness.has_done(id.into(), command)).collect();
        let hello = client.conversation.connected(&client.replica, self.now);
        let LedgerClientMessage::Hello { since, .. } = hello else {
            panic!("a connection begins with a hello")
        };
        let reports = self.reports.clone().expect("a runtime");
        let (handle, socket) =
            SimulatedSocket::open(connection, delay, self.plan.outbox, (place, reports));
        let hello = LedgerHello { since, asks };
        tokio::spawn(socket.serve_ledger(ledgers, tables, id, hello));
        self.tally.count(if since > 0 { "a ledger resumed" } else { "a ledger joined" });
        self.opened(who, connection, server, delay, handle);
    }

    fn open_ledger(&mut self, at: usize, server: usize, ledger: usize) {
        let header = &self.plan.ledgers[ledger].header;
        let new = Ledger::from_lines(header).expect("a ledger");
        let Some(ledgers) = self.servers[server].as_ref().map(|known| known.ledgers.clone()) else {
            return;
        };
        let (who, owner) = (Who::Ledger(at), PlayerId::new(8).expect("small"));
        self.ask(server, "a ledger", Some(who), async move {
            let opened = ledgers.open(new, owner, CLIENTS).await;
            move |world: &mut ShellWorld| match opened {
                Ok((id, key)) => {
                    let stored = world.witness.ledger(id.into());
                    assert!(stored.lines() > 0, "a ledger is opened and not stored");
                    (world.ledgers[ledger].id, world.ledgers[ledger].key) = (Some(id), Some(key));
                    world.tally.count("a ledger opened");
                    world.choose_victim_ledger(ledger);
                    world.schedule_within(1..50, WorldEvent::Connect { who });
                }
                Err(LedgerError::NotFound) => panic!("a new ledger is not found"),
                Err(_) => world.retry(who),
            }
        });
    }

    pub(super) fn ledger_client_receives(&mut self, at: usize, connection: u64, text: &str) {
        let message = LedgerServerMessage::read(text).expect("a message of the protocol");
        self.check_ledger_message(at, &message);
        let client = &mut self.ledger_clients[at];
        let step = client.conversation.receive(&mut client.replica, message, self.now);
        match step.change {
            LedgerChange::Gap | LedgerChange::Unreadable => {
                panic!("{text} does not fit the replica of client {at}")
            }
            LedgerChange::Answered { answer: Err(refusal), .. } => {
                let what = match &refusal {
                    LedgerRefusal::Because(why) => why.name.clone(),
                    other => format!("{other:?}"),
                };
                self.tally.count(&format!("refused by a ledger: {what}"));
            }
            LedgerChange::Answered { answer: Ok(()), .. } => {
                self.tally.count("a command of a ledger done");
            }
            LedgerChange::Nothing | LedgerChange::Synced | LedgerChange::Lines { .. } => {}
        }
        for command in step.send {
            self.send_text(connection, command.text());
        }
        if step.disconnect {
            self.disconnect(Who::Ledger(at));
        }
    }

    pub(super) fn ledger_client_hears_bye(&mut self, at: usize, why: CloseReason) {
        let client = &mut self.ledger_clients[at];
        let bye = LedgerServerMessage::Bye { why };
        client.conversation.receive(&mut client.replica, bye, self.now);
        assert_ne!(why, CloseReason::Closed, "a ledger that was opened is not found");
    }

    /// What was acknowledged is stored, once; what is shown is stored.
    fn check_ledger_message(&mut self, at: usize, message: &LedgerServerMessage) {
        let client = &mut self.ledger_clients[at];
        let id = self.ledgers[client.ledger].id.expect("a ledger that is connected to");
        let stored = self.witness.ledger(id.into());
        match message {
            LedgerServerMessage::Lines { from, lines } => {
                assert!(from + lines.len() <= stored.lines(), "lines are shown and not stored");
            }
            LedgerServerMessage::Done { id: command } => {
                let stored = self.witness.has_done(id.into(), command);
                assert!(stored, "{command} was acknowledged and is not stored");
                client.done.insert(command.clone());
            }
            LedgerServerMessage::Refused { id, refusal } => {
                let later = [LedgerRefusal::Unavailable, LedgerRefusal::TooFast].contains(refusal);
                let done = client.done.contains(id) || client.done_unanswered.contains(id);
                assert!(later || !done, "{id} is done and was refused: {refusal:?}");
            }
            _ => {}
        }
    }

    /// Checks again that everything that was acknowledged is stored.
    pub(super) fn check_acknowledged_lines(&mut self) {
        for client in &self.ledger_clients {
            let Some(id) = self.ledgers[client.ledger].id else { continue };
            for command in &client.done {
                assert!(self.witness.has_done(id.into(), command), "{command} is lost");
            }
        }
    }

    pub(super) fn ledger_client_thinks(&mut self, at: usize, connection: u64) {
        let who = Who::Ledger(at);
        if self.link(who).connection != Some(connection) {
            return;
        }
        match self.ledger_clients[at].conversation.tick(self.now) {
            Tick::Wait => {}
            Tick::Beat => self.send_text(connection, LedgerClientMessage::Beat.text()),
            Tick::Disconnect => return self.disconnect(who),
        }
        let slow = self.is_slow(who);
        let client = &self.ledger_clients[at];
        let (present, entrants) = {
            let plan = &self.plan.ledgers[client.ledger];
            (plan.present, plan.entrants)
        };
        let troubled = self.is_troubled();
        let idle = client.replica.unanswered().is_empty() && !client.is_content();
        if idle && !slow && client.conversation.is_live() {
            let command = match (client.part, client.contest()) {
                (LedgerPart::Reader, _) => None,
                (LedgerPart::Referee, _) => self.lots.chance(5).then(|| start(FIRST)),
                (LedgerPart::Organiser, Some(contest)) => {
                    let closed = closed_tables(contest, &mut self.witness);
                    let crowd = Crowd { present, entrants, closed };
                    contest_command(contest, &crowd, &mut self.lots)
                }
                (LedgerPart::Organiser, None) => Some(sheet_command(troubled, &mut self.lots)),
            };
            if let Some(command) = command {
                self.send_ledger_command(at, connection, command);
            }
        }
        if self.plan.network && troubled && self.lots.chance(12) {
            let sent = &self.ledger_clients[at].sent;
            if !sent.is_empty() && self.ledger_clients[at].conversation.is_live() {
                let text = self.lots.pick(sent).clone();
                self.tally.count("a command sent again");
                self.send_text(connection, text);
            }
        }
        let content = self.ledger_clients[at].is_content();
        let next = if content { 2_000..6_000 } else { 100..900 };
        self.schedule_within(next, WorldEvent::Think { who, connection });
    }

    fn send_ledger_command(&mut self, at: usize, connection: u64, command: LedgerCommand) {
        let client = &mut self.ledger_clients[at];
        let (_, message) = client.conversation.command(&mut client.replica, command);
        let Some(message) = message else { return };
        if client.sent.len() == 4 {
            client.sent.remove(0);
        }
        client.sent.push(message.text());
        self.send_text(connection, message.text());
    }

    /// Sends more commands at once than a ledger queues.
    pub(super) fn ledger_client_floods(&mut self, at: usize, connection: u64) {
        let client = &self.ledger_clients[at];
        if client.part != LedgerPart::Organiser || !client.conversation.is_live() {
            return;
        }
        self.tally.count("a flood");
        let is_contest = client.contest().is_some();
        let outbox = self.plan.outbox as u64;
        for _ in 0..self.lots.within(outbox..outbox * 5) {
            let command = match is_contest {
                true => start(FIRST),
                false => {
                    let name = self.lots.pick(&["Dana", "Mara", "Vlad"]);
                    LedgerCommand::Sheet(SheetChangeText::Rename { seat: 2, name: (*name).into() })
                }
            };
            self.send_ledger_command(at, connection, command);
        }
    }
}

fn start(table: ContestTableId) -> LedgerCommand {
    LedgerCommand::Start { table: table_text(table) }
}

/// What the organiser of a contest knows beside its lines.
struct Crowd {
    /// How many will enter, and how many of them have a client.
    entrants: usize,
    present: usize,
    /// The tables that were closed before their match was over.
    closed: Vec<ContestTableId>,
}

fn closed_tables(contest: &Contest, witness: &mut Witness) -> Vec<ContestTableId> {
    let tables = contest.phases().iter().flat_map(|phase| phase.tables());
    let is_closed = |table: &&ContestTable| {
        let opened = table.server_table().and_then(|word| word.as_str().parse().ok());
        opened.is_some_and(|id| witness.table(id).is_closed())
    };
    tables.filter(is_closed).map(ContestTable::id).collect()
}

/// What the organiser of a contest does next.
fn contest_command(contest: &Contest, crowd: &Crowd, lots: &mut Lots) -> Option<LedgerCommand> {
    let entered = contest.entrants().count();
    let draw = || match contest.commitment() {
        None => LedgerCommand::Prepare,
        Some(_) => LedgerCommand::Draw { words: vec!["mere".into()] },
    };
    match contest.stage() {
        ContestStage::Entering if entered < crowd.entrants => {
            let names =
                (entered + 1..=crowd.entrants).map(|at| PartyText::Alone(format!("Player {at}")));
            Some(LedgerCommand::Contest(ContestChangeText::Enter { entrants: names.collect() }))
        }
        ContestStage::Entering | ContestStage::Played { .. } => Some(draw()),
        ContestStage::Over => None,
        ContestStage::Playing { phase } => {
            let tables = contest.phases()[phase].tables();
            let open = tables.iter().filter(|table| table.status() != TableStatus::Settled);
            let open: Vec<&ContestTable> = open.collect();
            referee_command(open.first()?, crowd, lots)
        }
    }
}

/// What the organiser does about a table whose result is not known.
fn referee_command(table: &ContestTable, crowd: &Crowd, lots: &mut Lots) -> Option<LedgerCommand> {
    let id = table_text(table.id());
    let sides = table.entrants().len() as i32;
    let change = match table.status() {
        TableStatus::Tied => ContestChangeText::PlayOff { table: id, scores: (0..sides).collect() },
        TableStatus::Disputed => {
            ContestChangeText::Rule { table: id, scores: (0..sides).collect(), broken_off: true }
        }
        TableStatus::Awaited | TableStatus::Playing | TableStatus::Settled => {
            let comes = table.entrants().iter().any(|entrant| entrant.index() < crowd.present);
            if comes && !crowd.closed.contains(&table.id()) {
                // Bots take the seats of those who do not come.
                let opened = table.server_table().is_some();
                return (opened && lots.chance(5)).then(|| start(table.id()));
            }
            ContestChangeText::Rule { table: id, scores: (0..sides).collect(), broken_off: true }
        }
    };
    Some(LedgerCommand::Contest(change))
}

/// What a writer of a sheet writes next.
fn sheet_command(troubled: bool, lots: &mut Lots) -> LedgerCommand {
    let change = match lots.below(8) {
        0 if troubled => SheetChangeText::Undo {},
        1 => SheetChangeText::Rename { seat: 1 + lots.below(4), name: "Dana".into() },
        _ => {
            let cards = lots.within(0..121) as u8;
            let line = LineText::Cruce {
                declarer: 1 + lots.below(4),
                bid: 1 + lots.below(2) as u8,
                cards: vec![cards, 120 - cards],
                calls: vec![0, 0],
            };
            SheetChangeText::Write { line }
        }
    };
    LedgerCommand::Sheet(change)
}
