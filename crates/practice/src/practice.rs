//! The table itself: letters to the desk, and its errands done on the spot.

use std::sync::Arc;

use bots::Limit;
use cards::Seat;
use game::record::Record;
use game::{Action, Position};
use ids::PlayerId;
use room::driver::{ConnectionId, DriverContext, Effect, Input, PendingClaim, TableDriver};
use room::{
    BotQuestion, BotRunner, CLAIM_NODES, DecisionContext, Entry, LoggedEntry, Millis, Opening,
    PlayerCommand, Presence, Room, STAND_IN, Timings, prove,
};
use wire::table::{
    ClientMessage, CloseReason, CommandRefusal, Pace, RefusalReason, ServerMessage, Snapshot,
    TableCommand, Unread, VERSION,
};

use crate::journal::{JournalUpdate, MatchJournal, UnusableJournal};
use crate::plan::PracticePlan;
use crate::random_source::RandomSource;

/// The one person here.
const PERSON: PlayerId = match PlayerId::new(1) {
    Some(player) => player,
    None => unreachable!(),
};

/// What is to be done next if the person says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    /// A bot is to be thought for, or a claim to be looked into: [`Practice::think`]. A
    /// bot says what it does only when it is time to, so it may well be done at once.
    Think,
    /// Something is to happen at a time: [`Practice::wake`].
    Wake {
        /// When.
        at: Millis,
    },
}

/// A table for one person and bots.
pub struct Practice {
    driver: TableDriver,
    book: MatchJournal,
    /// The last time that was told; it never goes back.
    now: Millis,
    /// The person's connection, while he is here.
    connection: Option<ConnectionId>,
    /// How often he has come.
    came: u64,
    thinker: BotRunner,
    /// A question to a bot, and what it does, which is said in time.
    ask: Option<Box<BotQuestion>>,
    answer: Option<(Box<BotQuestion>, Action)>,
    /// A claim that is to be looked into, and what was found.
    claim: Option<(PendingClaim, Box<Position>)>,
    proof: Option<Input>,
}

impl Practice {
    /// Opens a table: the person sits down, then the bots, and perhaps the match begins.
    /// `entropy` are random bytes that were never used before: all deals follow from them.
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
            host: PERSON,
            key: source.key(),
            secret: source.secret(0),
            siblings: Vec::new(),
            contest: None,
        };
        let mut book = MatchJournal::new(source.table(), source);
        let opened =
            LoggedEntry { at: now, command: None, entry: Entry::Opened(Box::new(opening)) };
        book.write(&opened);
        let (mut room, _) = Room::open(source.table(), book.last(), &opened, plan.tempo)
            .map_err(|_| RefusalReason::Unavailable)?;
        for what in commands(plan, source)? {
            let command = PlayerCommand { player: PERSON, id: "open".into(), what };
            let fresh = || source.secret(book.last());
            let moment = DecisionContext { now, presence: &Presence::default(), fresh: &fresh };
            for entry in room.decide(&command, &moment)? {
                let logged = LoggedEntry { at: now, command: None, entry };
                book.write(&logged);
                room.apply(&logged).map_err(|_| RefusalReason::Unavailable)?;
            }
        }
        Ok(Practice::at(room, book, now))
    }

    /// Goes on with what a journal tells, as if nothing had been in between. If its last
    /// line was not written to its end, it goes on with what came before.
    pub fn resume<'a>(
        journal: impl IntoIterator<Item = &'a str>,
        tempo: Timings,
        now: Millis,
    ) -> Result<Practice, UnusableJournal> {
        let (book, room) = MatchJournal::read(journal, tempo)?;
        Ok(Practice::at(room, book, now))
    }

    fn at(room: Room, book: MatchJournal, now: Millis) -> Practice {
        Practice {
            now: now.max(room.at()),
            driver: TableDriver::new(room),
            book,
            connection: None,
            came: 0,
            thinker: BotRunner::default(),
            ask: None,
            answer: None,
            claim: None,
            proof: None,
        }
    }

    /// Takes a message of the client, and gives what is sent to it: all as a server's
    /// socket would. A hello may come again, as on a new connection; nothing else may
    /// come before the first.
    pub fn hear(&mut self, now: Millis, text: &str) -> Vec<Arc<str>> {
        self.now = self.now.max(now);
        let mut sent = Vec::new();
        match (ClientMessage::read(text), self.connection) {
            (Ok(ClientMessage::Hello { since, .. }), _) => self.came(since, &mut sent),
            (Err(Unread::OtherVersion { .. }), _) => {
                self.dismiss(CloseReason::OtherVersion, &mut sent);
            }
            (_, None) => self.dismiss(CloseReason::Garbled, &mut sent),
            (Ok(ClientMessage::Beat), Some(_)) => {
                sent.push(said(&ServerMessage::Beat { time: self.now }));
            }
            (Ok(ClientMessage::Do { id, what }), Some(connection)) => {
                self.input(Input::Command { connection, id, what }, &mut sent);
            }
            (Err(error), Some(_)) => {
                sent.push(said(&ServerMessage::Error { message: error.to_string() }));
            }
        }
        sent
    }

    /// The person is not here for a while. Nothing happens until his next hello.
    pub fn part(&mut self, now: Millis) {
        self.now = self.now.max(now);
        self.went(&mut Vec::new());
    }

    /// What is to be done next if the person says nothing; nothing if everything waits
    /// for him.
    pub fn due(&self) -> Option<Due> {
        self.connection?;
        let asked = self.asked();
        let stands = |ask: &BotQuestion| asked == Some(ask.version);
        if self.claim.is_some() || self.ask.as_deref().is_some_and(stands) {
            return Some(Due::Think);
        }
        let fresh = || self.book.source().secret(self.book.last());
        let wakes = self.driver.wakes_at(&DriverContext { now: self.now, fresh: &fresh });
        let answer = self.answer.as_ref().filter(|(ask, _)| stands(ask)).map(|(ask, _)| ask.due);
        let proof = self.proof.as_ref().map(|_| self.now);
        let at = [wakes, answer, proof].into_iter().flatten().min()?;
        Some(Due::Wake { at: at.max(self.now) })
    }

    /// The question to a bot that waits for its answer. One that was asked before a pause,
    /// say, does not stand any more.
    fn asked(&self) -> Option<u64> {
        self.driver.room().question_version(self.driver.presence())
    }

    /// Thinks about what is due. It takes as long as it takes, and now and then asks
    /// whether it may go on: if not, a bot does what seems best so far, and a claim is not
    /// proven. What comes of it is said at the next [`Practice::wake`].
    pub fn think(&mut self, may_go_on: impl Fn() -> bool) {
        let stop = || !may_go_on();
        if let Some((claim, position)) = self.claim.take() {
            let line = prove(&position, Limit { nodes: CLAIM_NODES, stop: &stop });
            self.proof = Some(Input::ClaimChecked { claim, line });
        } else if let Some(ask) = self.ask.take() {
            // If it should know nothing it is asked again.
            self.answer = self.thinker.answer(&ask, &stop).map(|action| (ask, action));
        }
    }

    /// Does what is due by now, and gives what is sent to the client.
    pub fn wake(&mut self, now: Millis) -> Vec<Arc<str>> {
        self.now = self.now.max(now);
        let mut sent = Vec::new();
        if self.connection.is_none() {
            return sent;
        }
        if let Some(proof) = self.proof.take() {
            self.input(proof, &mut sent);
        }
        let (asked, now) = (self.asked(), self.now);
        let ripe = |(ask, _): &mut (Box<BotQuestion>, Action)| {
            asked == Some(ask.version) && ask.due <= now
        };
        if let Some((ask, action)) = self.answer.take_if(ripe) {
            let BotQuestion { seat, version, .. } = *ask;
            self.input(Input::BotAnswered { seat, version, action }, &mut sent);
        }
        self.input(Input::TimerFired, &mut sent);
        sent
    }

    /// What is new in the journal since the last time. Whoever wants to go on some day
    /// keeps it; whatever he loses at its end did not happen.
    pub fn journal(&mut self) -> JournalUpdate {
        self.book.take_pages()
    }

    /// The record of the match that is over, until another begins. Before the end there is
    /// none: it would show the cards.
    pub fn record(&self) -> Option<Record> {
        if self.driver.room().is_over() { self.book.record() } else { None }
    }

    /// The table as the person sees it now.
    pub fn shown(&self) -> Snapshot {
        self.driver.room().snapshot(PERSON, self.driver.presence())
    }

    fn came(&mut self, since: Option<u64>, sent: &mut Vec<Arc<str>>) {
        self.went(sent);
        self.came += 1;
        let connection = ConnectionId(self.came);
        self.connection = Some(connection);
        sent.push(said(&ServerMessage::Hello {
            ghinda: VERSION,
            server: concat!("ghinda ", env!("CARGO_PKG_VERSION")).into(),
            time: self.now,
        }));
        self.input(Input::Connected { connection, player: PERSON, since }, sent);
    }

    fn went(&mut self, sent: &mut Vec<Arc<str>>) {
        if let Some(connection) = self.connection.take() {
            self.input(Input::Disconnected { connection }, sent);
        }
    }

    fn dismiss(&mut self, why: CloseReason, sent: &mut Vec<Arc<str>>) {
        self.went(sent);
        sent.push(said(&ServerMessage::Bye { why }));
    }

    /// Hands a letter to the desk, and does what it wants until it wants nothing more.
    fn input(&mut self, input: Input, sent: &mut Vec<Arc<str>>) {
        let mut next = Some(input);
        while let Some(input) = next.take() {
            let (source, last) = (self.book.source(), self.book.last());
            let fresh = move || source.secret(last);
            let mut effects = Vec::new();
            self.driver.handle(
                input,
                &DriverContext { now: self.now, fresh: &fresh },
                &mut effects,
            );
            for effect in effects {
                // While something is being stored a desk wants nothing else stored.
                next = self.effect(effect, sent).or(next);
            }
        }
    }

    /// Does an errand; what the desk is told of it, if anything.
    fn effect(&mut self, effect: Effect, sent: &mut Vec<Arc<str>>) -> Option<Input> {
        match effect {
            Effect::Send { connection, text } | Effect::SendRefusal { connection, text } => {
                sent.extend((self.connection == Some(connection)).then_some(text));
            }
            Effect::Disconnect { connection, why } => {
                if self.connection.take_if(|known| *known == connection).is_some() {
                    sent.push(said(&ServerMessage::Bye { why }));
                }
            }
            Effect::Store { entries, .. } => {
                if self.book.is_full(&entries) {
                    return Some(Input::StoreFailed);
                }

                entries.iter().for_each(|logged| self.book.write(logged));
                return Some(Input::Stored);
            }
            Effect::AskBot(ask) => (self.ask, self.answer) = (Some(ask), None),
            Effect::CheckClaim { claim, position } => {
                (self.claim, self.proof) = (Some((claim, position)), None);
            }
            // Nobody knocks, and there is no lobby; the end is told by messages.
            Effect::Reply { .. } | Effect::MatchFinished(_) | Effect::UpdateLobby => {}
            // There is no store that could hold anything else than what was decided here.
            Effect::GiveUp { version } => panic!("an entry after {version} does not apply"),
        }
        None
    }
}

/// What fills a table.
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
        commands.push(TableCommand::Bot { seat: seat.number(), level: level.name().into() });
    }
    commands.extend(plan.begins.then_some(TableCommand::Start));
    Ok(commands)
}

fn said(message: &ServerMessage) -> Arc<str> {
    message.text().into()
}
