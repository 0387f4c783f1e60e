//! The practice table: passes inputs to the driver and performs its effects at once.

use std::sync::Arc;

use bots::Limit;
use cards::Seat;
use game::record::Record;
use game::{Action, Position};
use ids::PlayerId;
use room::driver::{
    ConnectionId, DriverContext, Effect, Input, PendingClaim, RoomInput, TableDriver,
};
use room::{
    BotQuestion, BotRunner, CLAIM_NODES, DecisionContext, Entry, LoggedEntry, Millis, Opening,
    PlayerCommand, Presence, Room, STAND_IN, Timings, prove_claim,
};
use wire::table::{
    ClientMessage, CloseReason, CommandRefusal, MessageError, Pace, RefusalReason, ServerMessage,
    Snapshot, TableCommand, VERSION,
};

use crate::journal::{JournalUpdate, MatchJournal, UnusableJournal};
use crate::plan::PracticePlan;
use crate::random_source::RandomSource;

/// The only player.
const PLAYER: PlayerId = match PlayerId::new(1) {
    Some(player) => player,
    None => unreachable!(),
};

/// What is due next without a message of the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    /// A bot's decision or the check of a claim: [`Practice::think`]. The result takes effect only when
    /// it is due, so it may be computed at once.
    Think,
    /// Something happens at a time: [`Practice::wake`].
    Wake {
        /// When.
        at: Millis,
    },
}

/// A table for one player and bots.
pub struct Practice {
    driver: TableDriver,
    journal: MatchJournal,
    /// The last time that the caller passed; it never decreases.
    now: Millis,
    /// The player's connection, if any.
    connection: Option<ConnectionId>,
    /// The number of connections so far.
    connections: u64,
    bot_runner: BotRunner,
    /// The open question to a bot, and the answer, which takes effect when it is due.
    question: Option<Box<BotQuestion>>,
    answer: Option<(Box<BotQuestion>, Action)>,
    /// The claim to check, and the result of the check.
    claim: Option<(PendingClaim, Box<Position>)>,
    proof: Option<Input>,
}

impl Practice {
    /// Opens a table: seats the player and the bots, and perhaps begins the match. `entropy` are random
    /// bytes that were never used before: they determine all deals.
    pub fn open(
        plan: &PracticePlan,
        entropy: [u8; 32],
        now: Millis,
    ) -> Result<Practice, CommandRefusal> {
        let source = RandomSource::new(entropy);
        let opening = Opening {
            rules: plan.rules,
            pace: Pace::Off,
            listed: false,
            host: PLAYER,
            key: source.key(),
            secret: source.secret(0),
            siblings: Vec::new(),
            contest: None,
        };
        let mut journal = MatchJournal::new(source.table(), source);
        let opened =
            LoggedEntry { at: now, command: None, entry: Entry::Opened(Box::new(opening)) };
        journal.write(&opened);
        let (mut room, _) = Room::open(source.table(), journal.last(), &opened, plan.timings)
            .map_err(|_| RefusalReason::Unavailable)?;
        for what in commands(plan, source)? {
            let command = PlayerCommand { player: PLAYER, id: "open".into(), what };
            let new_secret = || source.secret(journal.last());
            let context =
                DecisionContext { now, presence: &Presence::default(), new_secret: &new_secret };
            for entry in room.decide(&command, &context)? {
                let logged = LoggedEntry { at: now, command: None, entry };
                journal.write(&logged);
                room.apply(&logged).map_err(|_| RefusalReason::Unavailable)?;
            }
        }
        Ok(Practice::from_room(room, journal, now))
    }

    /// Resumes the match of a journal. If the last line is incomplete, the match goes on from the line
    /// before it.
    pub fn resume<'a>(
        journal: impl IntoIterator<Item = &'a str>,
        timings: Timings,
        now: Millis,
    ) -> Result<Practice, UnusableJournal> {
        let (journal, room) = MatchJournal::read(journal, timings)?;
        Ok(Practice::from_room(room, journal, now))
    }

    fn from_room(room: Room, journal: MatchJournal, now: Millis) -> Practice {
        Practice {
            now: now.max(room.at()),
            driver: TableDriver::new(room),
            journal,
            connection: None,
            connections: 0,
            bot_runner: BotRunner::default(),
            question: None,
            answer: None,
            claim: None,
            proof: None,
        }
    }

    /// Handles a message of the client and returns the answers, like a socket of the server. The first
    /// message must be a hello; a later hello counts as a new connection.
    pub fn receive(&mut self, now: Millis, text: &str) -> Vec<Arc<str>> {
        self.now = self.now.max(now);
        let mut sent = Vec::new();
        match (ClientMessage::read(text), self.connection) {
            (Ok(ClientMessage::Hello { since, .. }), _) => self.open_connection(since, &mut sent),
            (Err(MessageError::OtherVersion { .. }), _) => {
                self.close(CloseReason::OtherVersion, &mut sent);
            }
            (_, None) => self.close(CloseReason::Garbled, &mut sent),
            (Ok(ClientMessage::Beat), Some(_)) => {
                sent.push(text_of(&ServerMessage::Beat { time: self.now }));
            }
            (Ok(ClientMessage::Do { id, what }), Some(connection)) => {
                self.input(RoomInput::Command { connection, id, what }.into(), &mut sent);
            }
            (Err(error), Some(_)) => {
                sent.push(text_of(&ServerMessage::Error { message: error.to_string() }));
            }
        }
        sent
    }

    /// Disconnects the player. Nothing happens until the next hello.
    pub fn disconnect(&mut self, now: Millis) {
        self.now = self.now.max(now);
        self.end_connection(&mut Vec::new());
    }

    /// What is due next without a message of the player. Returns `None` if everything waits for the
    /// player.
    pub fn due(&self) -> Option<Due> {
        self.connection?;
        let open = self.open_question();
        let is_open = |question: &BotQuestion| open == Some(question.version);
        if self.claim.is_some() || self.question.as_deref().is_some_and(is_open) {
            return Some(Due::Think);
        }
        let new_secret = || self.journal.source().secret(self.journal.last());
        let timer = self.driver.due_at(&DriverContext { now: self.now, new_secret: &new_secret });
        let answer = self
            .answer
            .as_ref()
            .filter(|(question, _)| is_open(question))
            .map(|(question, _)| question.due);
        let proof = self.proof.as_ref().map(|_| self.now);
        let at = [timer, answer, proof].into_iter().flatten().min()?;
        Some(Due::Wake { at: at.max(self.now) })
    }

    /// The version of the question that waits for a bot's answer. An older question, such as one from
    /// before a pause, is void.
    fn open_question(&self) -> Option<u64> {
        self.driver.room().question_version(self.driver.presence())
    }

    /// Computes what is due. It calls `may_go_on` now and then; on `false` a bot takes its best action so
    /// far, and a claim counts as not proven. The result is sent at the next [`Practice::wake`].
    pub fn think(&mut self, may_go_on: impl Fn() -> bool) {
        let stop = || !may_go_on();
        if let Some((claim, position)) = self.claim.take() {
            let line = prove_claim(&position, Limit { nodes: CLAIM_NODES, stop: &stop });
            self.proof = Some(RoomInput::ClaimChecked { claim, line }.into());
        } else if let Some(question) = self.question.take() {
            // Without an answer the driver asks again.
            self.answer = self.bot_runner.answer(&question, &stop).map(|action| (question, action));
        }
    }

    /// Does what is due by now, and returns the messages to the client.
    pub fn wake(&mut self, now: Millis) -> Vec<Arc<str>> {
        self.now = self.now.max(now);
        let mut sent = Vec::new();
        if self.connection.is_none() {
            return sent;
        }
        if let Some(proof) = self.proof.take() {
            self.input(proof, &mut sent);
        }
        let (open, now) = (self.open_question(), self.now);
        let is_due = |(question, _): &mut (Box<BotQuestion>, Action)| {
            open == Some(question.version) && question.due <= now
        };
        if let Some((question, action)) = self.answer.take_if(is_due) {
            let BotQuestion { seat, version, .. } = *question;
            self.input(RoomInput::BotAnswered { seat, version, action }.into(), &mut sent);
        }
        self.input(Input::TimerFired, &mut sent);
        sent
    }

    /// Takes the new lines of the journal. A caller that wants to resume the match stores them; whatever is
    /// lost at the end of the journal did not happen.
    pub fn take_journal_update(&mut self) -> JournalUpdate {
        self.journal.take_update()
    }

    /// The record of the finished match, until another begins. During a match there is none: it would
    /// reveal the cards.
    pub fn record(&self) -> Option<Record> {
        if self.driver.room().is_over() { self.journal.record() } else { None }
    }

    /// The table as the player sees it now.
    pub fn snapshot(&self) -> Snapshot {
        self.driver.room().snapshot(PLAYER, self.driver.presence())
    }

    fn open_connection(&mut self, since: Option<u64>, sent: &mut Vec<Arc<str>>) {
        self.end_connection(sent);
        self.connections += 1;
        let connection = ConnectionId(self.connections);
        self.connection = Some(connection);
        sent.push(text_of(&ServerMessage::Hello {
            ghinda: VERSION,
            server: concat!("ghinda ", env!("CARGO_PKG_VERSION")).into(),
            time: self.now,
        }));
        self.input(Input::Connected { connection, player: PLAYER, since }, sent);
    }

    fn end_connection(&mut self, sent: &mut Vec<Arc<str>>) {
        if let Some(connection) = self.connection.take() {
            self.input(Input::Disconnected { connection }, sent);
        }
    }

    fn close(&mut self, why: CloseReason, sent: &mut Vec<Arc<str>>) {
        self.end_connection(sent);
        sent.push(text_of(&ServerMessage::Bye { why }));
    }

    /// Passes an input to the driver, and performs its effects until there are none left.
    fn input(&mut self, input: Input, sent: &mut Vec<Arc<str>>) {
        let mut next = Some(input);
        while let Some(input) = next.take() {
            let (source, last) = (self.journal.source(), self.journal.last());
            let new_secret = move || source.secret(last);
            let mut effects = Vec::new();
            self.driver.handle(
                input,
                &DriverContext { now: self.now, new_secret: &new_secret },
                &mut effects,
            );
            for effect in effects {
                // The driver stores one batch at a time, so at most one effect returns an input.
                next = self.effect(effect, sent).or(next);
            }
        }
    }

    /// Performs an effect, and returns the input that follows from it, if any.
    fn effect(&mut self, effect: Effect, sent: &mut Vec<Arc<str>>) -> Option<Input> {
        match effect {
            Effect::Send { connection, text } | Effect::SendRefusal { connection, text } => {
                sent.extend((self.connection == Some(connection)).then_some(text));
            }
            Effect::Disconnect { connection, why } => {
                if self.connection.take_if(|known| *known == connection).is_some() {
                    sent.push(text_of(&ServerMessage::Bye { why }));
                }
            }
            Effect::Store { entries, .. } => {
                if self.journal.is_full(&entries) {
                    return Some(Input::StoreFailed);
                }

                entries.iter().for_each(|logged| self.journal.write(logged));
                return Some(Input::Stored);
            }
            Effect::AskBot(question) => (self.question, self.answer) = (Some(question), None),
            Effect::CheckClaim { claim, position } => {
                (self.claim, self.proof) = (Some((claim, position)), None);
            }
            // There are no requests and no lobby here, and messages report the end of a match.
            Effect::Reply { .. } | Effect::MatchFinished(_) | Effect::UpdateLobby => {}
            // There is no store that could hold anything else than what was decided here.
            Effect::GiveUp { version } => panic!("an entry after {version} does not apply"),
        }
        None
    }
}

/// The commands that fill a table.
fn commands(
    plan: &PracticePlan,
    source: RandomSource,
) -> Result<Vec<TableCommand>, CommandRefusal> {
    let players = plan.rules.players();
    let own = plan.seat.or(source.seat(players)).ok_or(RefusalReason::NoSuchSeat)?;
    let mut commands = vec![TableCommand::Sit { seat: own.number(), name: plan.name.to_string() }];
    let others = Seat::first(players).filter(|seat| *seat != own);
    for (at, seat) in others.enumerate() {
        let level = plan.bots.get(at % plan.bots.len().max(1)).copied().unwrap_or(STAND_IN);
        commands.push(TableCommand::AddBot { seat: seat.number(), level: level.name().into() });
    }
    commands.extend(plan.begins.then_some(TableCommand::Start));
    Ok(commands)
}

fn text_of(message: &ServerMessage) -> Arc<str> {
    message.text().into()
}
