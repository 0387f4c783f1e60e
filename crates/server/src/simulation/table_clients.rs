//! The clients of tables: players and spectators who open tables, come to them and play.

use std::collections::BTreeMap;
use std::sync::Arc;

use contest::{EntrantId, Role};
use replica::conversation::Tick;
use replica::table::TableChange;
use replica::{Conversation, Replica, TableReplica};
use store::{PlayerId, TableId};
use wire::ledger::role_key;
use wire::table::{ClientMessage, CloseReason, ServerMessage, TableCommand, TableStage};

use super::commands::{ClientGoals, next_command};
use super::network::{Link, delay_of};
use super::plan::WorldKind;
use super::sockets::SimulatedSocket;
use super::world::{KnownTable, ShellWorld, Who, WorldEvent};
use super::{CLIENTS, READER};
use crate::accounts::{Accounts, Token};
use crate::tables::{TableError, TableRegistry, TableSettings};

/// A client of a table.
pub(super) struct SimulatedTableClient {
    pub(super) link: Link,
    pub(super) conversation: Conversation<CloseReason>,
    pub(super) replica: TableReplica,
    /// The number of its table. None for an entrant who has no seat yet.
    pub(super) table: Option<usize>,
    /// The ledger of its contest, and its number there.
    pub(super) entrant: Option<(usize, EntrantId)>,
    /// Whether it opens the table.
    host: bool,
    /// Whether it wants no seat.
    pub(super) watches: bool,
    session: Option<(Token, PlayerId)>,
    /// The last commands, some of which are sent again.
    sent: Vec<SentCommand>,
    /// The versions of the commands that were done.
    done: BTreeMap<String, u64>,
    name: String,
}

/// A command that was sent.
struct SentCommand {
    text: String,
    /// The version that the client knew then.
    at: u64,
}

/// Commands are sent again within this many versions, as clients do.
const RESEND_VERSIONS: u64 = 32;

impl SimulatedTableClient {
    pub(super) fn new(
        name: &str,
        table: Option<usize>,
        host: bool,
        watches: bool,
    ) -> SimulatedTableClient {
        SimulatedTableClient {
            link: Link::default(),
            conversation: Conversation::default(),
            replica: TableReplica::new(name),
            table,
            entrant: None,
            host,
            watches,
            session: None,
            sent: Vec::new(),
            done: BTreeMap::new(),
            name: name.into(),
        }
    }

    pub(super) fn player(&self) -> Option<PlayerId> {
        self.session.as_ref().map(|(_, player)| *player)
    }

    /// The client in a few words, for a report.
    pub(super) fn describe(&self) -> String {
        let state = self.replica.state();
        format!(
            "{} at table {:?}: connected {:?}, busy {}, ended {}, unanswered {}, version {:?}, {:?}",
            self.name,
            self.table,
            self.link.connection,
            self.link.busy,
            self.link.ended,
            self.replica.unanswered().len(),
            self.replica.version(),
            state.map(|state| (state.stage, state.you, state.paused, &state.seats)),
        )
    }

    /// Whether it has seen what it came for.
    pub(super) fn is_content(&self, matches: u32) -> bool {
        let over = self.replica.state().is_some_and(|state| {
            let enough = state.commitment.number >= matches || state.contest.is_some();
            state.closed || (state.stage == TableStage::Over && enough)
        });
        self.link.ended || (over && self.replica.is_settled() && self.link.connection.is_some())
    }
}

/// What a request to be admitted to a table found.
struct AdmissionAnswer {
    /// Another token of the player, if the session had expired.
    renewed: Option<Token>,
    admitted: bool,
}

/// Looks the session up, as every request does, and is admitted if the table is not listed. The host
/// gives every player the link.
async fn admit(
    tables: &TableRegistry,
    accounts: &Accounts,
    table: TableId,
    (token, player): (Token, PlayerId),
) -> Result<AdmissionAnswer, TableError> {
    let renewed = match accounts.find_session(&token).await? {
        Some(session) => {
            assert_eq!(session.player, player, "a session belongs to another player");
            None
        }
        // It has expired, because a clock was wrong: the player logs in again.
        None => Some(accounts.bot_token(player, "again").await?),
    };
    let (key, admits) =
        tables.read(table, READER, move |room| (room.key(), room.admits(player))).await?;
    let admitted = admits || tables.admit(table, player, key).await?.is_ok();
    Ok(AdmissionAnswer { renewed, admitted })
}

/// How many matches are to be played at every table.
pub(super) const MATCHES: u32 = 1;

impl ShellWorld {
    /// Adds the players of contests.
    pub(super) fn add_entrants(&mut self) {
        for ledger in 0..self.plan.ledgers.len() {
            let (present, entrants) =
                (self.plan.ledgers[ledger].present, self.plan.ledgers[ledger].entrants);
            for number in 0..present.min(entrants) {
                let mut client =
                    SimulatedTableClient::new(&format!("e{number}-"), None, false, false);
                client.entrant = EntrantId::new(number).map(|entrant| (ledger, entrant));
                self.table_clients.push(client);
            }
        }
    }

    pub(super) fn connect_to_table(&mut self, at: usize, server: usize) {
        let client = &self.table_clients[at];
        match (&client.session, client.entrant, client.table) {
            (None, ..) => self.begin_session(at, server),
            (Some(_), Some((ledger, entrant)), _) => self.take_seat(at, server, ledger, entrant),
            (Some(_), None, Some(table)) if self.tables[table].id.is_none() => {
                if client.host {
                    self.open_table(at, server, table);
                } else {
                    self.schedule_within(200..900, WorldEvent::Connect { who: Who::Table(at) });
                }
            }
            _ => self.admit(at, server),
        }
    }

    fn begin_session(&mut self, at: usize, server: usize) {
        let Some(accounts) = self.servers[server].as_ref().map(|known| known.accounts.clone())
        else {
            return;
        };
        let who = Who::Table(at);
        self.ask(server, "a session", Some(who), async move {
            let begun = accounts.create_guest("").await;
            move |world: &mut ShellWorld| match begun {
                Ok(session) => {
                    world.table_clients[at].session = Some(session);
                    world.schedule_within(1..50, WorldEvent::Connect { who });
                }
                Err(_) => world.retry(who),
            }
        });
    }

    fn open_table(&mut self, at: usize, server: usize, table: usize) {
        let plan = &self.plan.tables[table];
        let (rules, pace, listed) = (plan.rules, plan.pace, plan.listed);
        let settings = TableSettings { rules, pace, listed, contest: None };
        // The second of two tables with the same deals is opened together with the first.
        let count = if plan.duplicate { 2 } else { 1 };
        if plan.duplicate && table > 0 {
            self.schedule_within(200..900, WorldEvent::Connect { who: Who::Table(at) });
            return;
        }
        let Some((tables, host)) = self.tables_and_player(server, at) else { return };
        let who = Who::Table(at);
        self.ask(server, "a table", Some(who), async move {
            let opened = tables.open_all(&settings, host, count).await;
            move |world: &mut ShellWorld| match opened {
                Ok(opened) => {
                    for (number, id) in opened.into_iter().enumerate() {
                        assert!(
                            world.witness.table(id).last > 0,
                            "a table is opened and not stored"
                        );
                        world.tables[table + number].id = Some(id);
                    }
                    world.tally.count("a table opened");
                    world.choose_victims(table);
                    world.schedule_within(1..50, WorldEvent::Connect { who });
                }
                Err(_) => world.retry(who),
            }
        });
    }

    fn tables_and_player(
        &self,
        server: usize,
        at: usize,
    ) -> Option<(Arc<TableRegistry>, PlayerId)> {
        let tables = self.servers[server].as_ref()?.tables.clone();
        Some((tables, self.table_clients[at].session.as_ref()?.1))
    }

    /// Looks the session up, as every request does, and is admitted if the table is not listed.
    fn admit(&mut self, at: usize, server: usize) {
        let Some(known) = self.servers[server].as_ref() else { return };
        let (tables, accounts) = (known.tables.clone(), known.accounts.clone());
        let client = &self.table_clients[at];
        let (Some(table), Some(session)) = (client.table, client.session.clone()) else { return };
        let Some(id) = self.tables[table].id else { return };
        let who = Who::Table(at);
        let player = session.1;
        self.ask(server, "to be admitted", Some(who), async move {
            let answer = admit(&tables, &accounts, id, session).await;
            move |world: &mut ShellWorld| match answer {
                Ok(AdmissionAnswer { renewed, admitted }) => {
                    if let Some(token) = renewed {
                        world.tally.count("a session that expired under a wrong clock");
                        world.table_clients[at].session = Some((token, player));
                    }
                    match admitted {
                        true => world.open_table_socket(at, server),
                        false => world.retry(who),
                    }
                }
                Err(TableError::NotFound) => world.table_is_gone(at, table),
                Err(_) => world.retry(who),
            }
        });
    }

    /// A table does not exist any more. It must have been closed.
    fn table_is_gone(&mut self, at: usize, table: usize) {
        let id = self.tables[table].id.expect("a table that was asked for");
        assert!(self.witness.table(id).is_closed(), "an open table is not found: {id}");
        self.table_clients[at].conversation.end(CloseReason::Closed);
        self.table_clients[at].link.ended = true;
    }

    /// Takes the seat that a contest has for a player.
    fn take_seat(&mut self, at: usize, server: usize, ledger: usize, entrant: EntrantId) {
        let who = Who::Table(at);
        let known = &self.ledgers[ledger];
        let (Some(id), Some(key)) = (known.id, known.key) else {
            self.schedule_within(500..2_000, WorldEvent::Connect { who });
            return;
        };
        let Some((_, player)) = self.tables_and_player(server, at) else { return };
        let Some(ledgers) = self.servers[server].as_ref().map(|known| known.ledgers.clone()) else {
            return;
        };
        let role = Role::Player(entrant);
        let asks = (role, role_key(key, role));
        self.ask(server, "a seat", Some(who), async move {
            let seat = ledgers.sit(id, asks, player, CLIENTS).await;
            move |world: &mut ShellWorld| match seat {
                Ok(Some(table)) => {
                    let stored = world.witness.table(table);
                    assert!(stored.sat.contains(&player), "a seat is given and not stored");
                    world.tally.count("a seat of a contest");
                    world.comes_to(at, table);
                    world.open_table_socket(at, server);
                }
                Ok(None) => world.schedule_within(800..3_000, WorldEvent::Connect { who }),
                Err(_) => world.retry(who),
            }
        });
    }

    /// A player of a contest has a table now, perhaps another one than before.
    fn comes_to(&mut self, at: usize, table: TableId) {
        let known = self.tables.iter().position(|known| known.id == Some(table));
        let number = known.unwrap_or_else(|| {
            let progress = self.now;
            let known =
                KnownTable { id: Some(table), contest: true, progress, ..Default::default() };
            self.tables.push(known);
            self.tables.len() - 1
        });
        let client = &mut self.table_clients[at];
        if client.table != Some(number) {
            client.table = Some(number);
            client.replica = TableReplica::new(&format!("{}{number}-", client.name));
            client.sent.clear();
            client.done.clear();
        }
    }

    fn open_table_socket(&mut self, at: usize, server: usize) {
        let client = &self.table_clients[at];
        let (Some(table), Some((_, player))) = (client.table, client.session.as_ref()) else {
            return;
        };
        if client.link.left || client.link.connection.is_some() {
            return;
        }
        let (Some(id), player) = (self.tables[table].id, *player) else { return };
        let Some(known) = self.servers[server].as_ref() else { return };
        let tables = known.tables.clone();
        let Some(place) = known.web.permit_socket(CLIENTS) else {
            return self.find_no_place(Who::Table(at));
        };
        let (connection, delay) = (self.next_number(), delay_of(&mut self.lots));
        let client = &mut self.table_clients[at];
        let hello = client.conversation.connected(&client.replica, self.now);
        let ClientMessage::Hello { since, .. } = hello else {
            panic!("a connection begins with a hello")
        };
        let reports = self.reports.clone().expect("a runtime");
        let (handle, socket) =
            SimulatedSocket::open(connection, delay, self.plan.outbox, (place, reports));
        tokio::spawn(socket.serve_table(tables, id, player, since));
        self.tally.count(if since.is_some() { "a table resumed" } else { "a table joined" });
        self.opened(Who::Table(at), connection, server, delay, handle);
    }

    pub(super) fn table_client_receives(&mut self, at: usize, connection: u64, text: &str) {
        let message = ServerMessage::read(text).expect("a message of the protocol");
        self.check_stored(at, &message);
        if let ServerMessage::Refused { refusal, .. } = &message {
            self.tally.count(&format!("refused: {:?}", refusal.reason));
        }
        let client = &mut self.table_clients[at];
        let step = client.conversation.receive(&mut client.replica, message, self.now);
        match step.change {
            // A server that has lost the table to another one does not know it.
            TableChange::Gap if self.plan.kind == WorldKind::TwoServers => {}
            TableChange::Gap => panic!("{text} does not fit the replica of client {at}"),
            _ => {}
        }
        for command in step.send {
            self.send_text(connection, command.text());
        }
        if step.disconnect {
            self.disconnect(Who::Table(at));
        }
    }

    pub(super) fn table_client_hears_bye(&mut self, at: usize, why: CloseReason) {
        if why == CloseReason::Closed
            && let Some(id) = self.table_clients[at].table.and_then(|table| self.tables[table].id)
        {
            assert!(self.witness.table(id).is_closed(), "{id} is open and said to be closed");
        }
        let client = &mut self.table_clients[at];
        let bye = ServerMessage::Bye { why };
        client.conversation.receive(&mut client.replica, bye, self.now);
    }

    /// What was acknowledged is stored, once; what is shown is stored.
    fn check_stored(&mut self, at: usize, message: &ServerMessage) {
        let client = &self.table_clients[at];
        let (Some(table), Some((_, player))) = (client.table, client.session.as_ref()) else {
            return;
        };
        let player = *player;
        let id = self.tables[table].id.expect("a table that is connected to");
        let (shown, done) = match message {
            ServerMessage::Snapshot(snapshot) => (Some(snapshot.version), None),
            ServerMessage::Update(update) => {
                let done = update.done.clone().map(|id| (id, update.version));
                (Some(update.version), done)
            }
            ServerMessage::Done { id, version } => (Some(*version), Some((id.clone(), *version))),
            _ => (None, None),
        };
        let Some(shown) = shown else { return };
        let stored = self.witness.table(id);
        assert!(shown <= stored.last, "version {shown} of {id} is shown and not stored");
        if let Some((command, version)) = done {
            let is_there = stored.has_done(player, &command, version);
            assert!(is_there, "{command} was acknowledged and is not stored");
            let before = self.table_clients[at].done.insert(command.clone(), version);
            assert!(before.is_none_or(|before| before == version), "{command} was done twice");
            let what = if before.is_some() { "a command answered again" } else { "a command done" };
            self.tally.count(what);
        }
    }

    /// Checks again that everything that was acknowledged is stored.
    pub(super) fn check_acknowledged(&mut self) {
        for client in &self.table_clients {
            let (Some(table), Some((_, player))) = (client.table, client.session.as_ref()) else {
                continue;
            };
            let Some(id) = self.tables[table].id else { continue };
            let stored = self.witness.table(id);
            for (command, version) in &client.done {
                assert!(stored.has_done(*player, command, *version), "{command} is lost");
            }
        }
    }

    pub(super) fn table_client_thinks(&mut self, at: usize, connection: u64) {
        let who = Who::Table(at);
        if self.link(who).connection != Some(connection) {
            return;
        }
        let matches = MATCHES;
        let client = &mut self.table_clients[at];
        match client.conversation.tick(self.now) {
            Tick::Wait => {}
            Tick::Beat => self.send_text(connection, ClientMessage::Beat.text()),
            Tick::Disconnect => return self.disconnect(who),
        }
        let client = &self.table_clients[at];
        let content = client.is_content(matches);
        let moves_on = client.entrant.is_some() && content && !self.is_contest_over(at);
        if moves_on {
            // There may be another table in the next phase.
            self.disconnect(who);
            return;
        }
        let goals = ClientGoals { seat: !client.watches, extras: self.is_troubled(), matches };
        if client.replica.is_settled() && !content && !self.is_slow(who) {
            let client = &self.table_clients[at];
            let command = next_command(&client.replica, goals, &mut self.lots);
            if let Some(command) = command {
                self.send_command(at, connection, command);
            }
        }
        if self.plan.network && self.is_troubled() && self.lots.chance(12) {
            self.send_again(at, connection);
        }
        let dreams = self.lots.chance(40) || content;
        let next = if dreams { 2_000..6_000 } else { 60..600 };
        self.schedule_within(next, WorldEvent::Think { who, connection });
    }

    fn send_command(&mut self, at: usize, connection: u64, command: TableCommand) {
        let client = &mut self.table_clients[at];
        let (_, message) = client.conversation.command(&mut client.replica, command);
        let Some(message) = message else { return };
        let text = message.text();
        if client.sent.len() == 4 {
            client.sent.remove(0);
        }
        let at = client.replica.version().unwrap_or_default();
        client.sent.push(SentCommand { text: text.clone(), at });
        self.send_text(connection, text);
    }

    /// Sends a command once more, answered or not.
    fn send_again(&mut self, at: usize, connection: u64) {
        let client = &mut self.table_clients[at];
        let version = client.replica.version().unwrap_or_default();
        client.sent.retain(|command| version < command.at + RESEND_VERSIONS);
        if !client.sent.is_empty() && client.conversation.is_live() {
            let text = self.lots.pick(&client.sent).text.clone();
            self.tally.count("a command sent again");
            self.send_text(connection, text);
        }
    }

    /// Sends more commands at once than a table takes.
    pub(super) fn table_client_floods(&mut self, at: usize, connection: u64) {
        if !self.table_clients[at].conversation.is_live() {
            return;
        }
        self.tally.count("a flood");
        let outbox = self.plan.outbox as u64;
        let count = self.lots.within(outbox..outbox * 5);
        for _ in 0..count {
            let client = &mut self.table_clients[at];
            let (_, message) = client.replica.command(TableCommand::Resume);
            self.send_text(connection, message.text());
        }
    }
}
