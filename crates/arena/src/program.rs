//! A bot that is a separate program: asked over pipes, and not trusted.
//!
//! Nothing that the program does can block the arena: separate threads read and write its pipes,
//! every wait has a time limit, every queue a bound, and a program that ends or hangs is started
//! again only a few times.

use std::collections::BTreeSet;
use std::time::Instant;

use cards::Seat;
use game::deal::Seed;
use game::{Action, View, Viewer};
use phrases::{Language, Phrases};
use wire::bot::{
    self, Act, BotHello, BotMessage, ErrorMessage, HostMessage, MessageError, ThinkTime,
};

use crate::clock;
use crate::contender::Terms;
use crate::fault::{FaultKind, LostTurn};
use crate::process::{Process, ProcessOutput};

/// How often a program is started again.
const RESTARTS: u32 = 3;

/// After this many unanswered questions in a row the program counts as hanging.
const MAX_LATE: u32 = 3;

/// How many lines may come without an answer.
const MAX_IDLE_LINES: u32 = 100;

/// How many lost questions are remembered, to recognise their late answers.
const MAX_LOST: usize = 64;

/// A program that plays.
pub(crate) struct Program {
    command: Vec<String>,
    terms: Terms,
    phrases: Phrases,
    running: Option<Process>,
    starts_left: u32,
    last_id: u64,
    /// Questions whose turn was lost: their answers may still come.
    lost: BTreeSet<u64>,
    /// How many answers in a row have not come.
    late: u32,
}

/// The meaning of a line for the current question.
enum Reply {
    Answer(Action),
    /// Neither an answer nor a fault.
    Idle,
}

impl Program {
    /// The program, started at once, so that its first turn does not include the start. If the
    /// start fails, its first turn tries again.
    pub(crate) fn new(command: &[String], terms: &Terms) -> Program {
        Program {
            command: command.to_vec(),
            terms: terms.clone(),
            phrases: Phrases::new(Language::English),
            running: start(command, terms).ok().map(|(process, _)| process),
            starts_left: RESTARTS,
            last_id: 0,
            lost: BTreeSet::new(),
            late: 0,
        }
    }

    /// Starts the program, receives its hello and ends it.
    pub(crate) fn introduce(command: &[String], terms: &Terms) -> Result<BotHello, LostTurn> {
        let (process, hello) = start(command, terms)?;
        process.dismiss();
        Ok(hello)
    }

    /// Asks for the action of a seat.
    pub(crate) fn act(&mut self, view: &View, seed: Seed) -> Result<Action, LostTurn> {
        let mut process = self.process()?;
        self.last_id += 1;
        let answer = self.ask(&mut process, self.last_id, view, seed);
        let hangs = answer.as_ref().err().is_some_and(|fault| self.note_lost(fault));
        if answer.is_ok() {
            self.late = 0;
        }
        if hangs {
            // The process is dropped, which kills it.
            (self.late, self.lost) = (0, BTreeSet::new());
        } else {
            self.running = Some(process);
        }
        answer
    }

    /// Sends a message to the program. A program that does not read it is not at fault yet.
    pub(crate) fn notify(&mut self, message: &HostMessage) {
        if let Some(process) = &mut self.running {
            process.send(message.line());
        }
    }

    /// The running program, started if necessary.
    fn process(&mut self) -> Result<Process, LostTurn> {
        if let Some(process) = self.running.take() {
            return Ok(process);
        }
        if self.starts_left == 0 {
            let message = format!("it failed {} times and is not started again", 1 + RESTARTS);
            return Err(LostTurn::new(FaultKind::GivenUp, message));
        }
        self.starts_left -= 1;
        start(&self.command, &self.terms).map(|(process, _)| process)
    }

    /// Remembers a lost turn and returns whether the program must be ended.
    fn note_lost(&mut self, fault: &LostTurn) -> bool {
        self.lost.insert(self.last_id);
        if self.lost.len() > MAX_LOST {
            self.lost.pop_first();
        }
        self.late = if fault.kind == FaultKind::Late { self.late + 1 } else { 0 };
        matches!(fault.kind, FaultKind::Ended | FaultKind::Flooded) || self.late == MAX_LATE
    }

    fn ask(
        &self,
        process: &mut Process,
        id: u64,
        view: &View,
        seed: Seed,
    ) -> Result<Action, LostTurn> {
        let Viewer::Seat(seat) = view.viewer() else { return Err(spectator_cannot_act()) };
        let question = Act::new(id, view, self.clock(), seed).ok_or_else(spectator_cannot_act)?;
        let end = clock::now() + self.terms.answer;
        process.send(HostMessage::Act(Box::new(question)).line());
        for _ in 0..MAX_IDLE_LINES {
            let line = self.receive(process, end)?;
            match self.reply(process, id, view, seat, &line)? {
                Reply::Answer(action) => return Ok(action),
                Reply::Idle => {}
            }
        }
        let message = format!("it sent {MAX_IDLE_LINES} lines without an answer");
        Err(LostTurn::new(FaultKind::Flooded, message))
    }

    /// The limits of the program, as it receives them.
    fn clock(&self) -> ThinkTime {
        let time = self.terms.time.map_or(self.terms.answer, |time| time.min(self.terms.answer));
        ThinkTime { move_ms: u64::try_from(time.as_millis()).ok(), nodes: self.terms.nodes }
    }

    fn receive(&self, process: &mut Process, end: Instant) -> Result<String, LostTurn> {
        match process.receive(end) {
            ProcessOutput::Line(line) => Ok(line),
            ProcessOutput::NotText => {
                Err(LostTurn::new(FaultKind::Garbled, "it sent a line that is not UTF-8"))
            }
            ProcessOutput::TooLong => {
                let message = format!("it sent a line of more than {} bytes", bot::MAX_BYTES);
                Err(LostTurn::new(FaultKind::Flooded, message))
            }
            ProcessOutput::TimedOut if !process.has_ended() => {
                let message = format!("it was silent for {} ms", self.terms.answer.as_millis());
                Err(LostTurn::new(FaultKind::Late, message + &process.last_errors()))
            }
            ProcessOutput::TimedOut | ProcessOutput::End => {
                Err(LostTurn::new(FaultKind::Ended, process.describe_end()))
            }
        }
    }

    fn reply(
        &self,
        process: &mut Process,
        id: u64,
        view: &View,
        seat: Seat,
        line: &str,
    ) -> Result<Reply, LostTurn> {
        match BotMessage::read(line) {
            Ok(BotMessage::Action { id: answered, action }) if answered == id => {
                self.check(process, id, view, seat, &action).map(Reply::Answer)
            }
            // The late answer to a question whose turn was lost.
            Ok(BotMessage::Action { id: answered, .. }) if self.lost.contains(&answered) => {
                Ok(Reply::Idle)
            }
            Ok(BotMessage::Action { id: answered, .. }) => {
                let message = format!("it answered question {answered} instead of {id}");
                process.send(HostMessage::Error(ErrorMessage::about(answered, &message)).line());
                Err(LostTurn::new(FaultKind::WrongId, message))
            }
            Ok(BotMessage::Error(error)) if error.id == Some(id) => {
                let message = format!("it had no answer: {}", error.message);
                Err(LostTurn::new(FaultKind::Declined, message))
            }
            Ok(BotMessage::Error(_) | BotMessage::Hello(_)) => Ok(Reply::Idle),
            Err(unknown @ MessageError::UnknownType { .. }) => {
                process.send(HostMessage::Error(ErrorMessage::new(unknown.to_string())).line());
                Ok(Reply::Idle)
            }
            Err(unread) => {
                process.send(HostMessage::Error(ErrorMessage::new(unread.to_string())).line());
                Err(LostTurn::new(
                    FaultKind::Garbled,
                    format!("{unread}; it sent {}", quoted(line)),
                ))
            }
        }
    }

    /// Checks the answer; if it is not legal, sends the program the reason.
    fn check(
        &self,
        process: &mut Process,
        id: u64,
        view: &View,
        seat: Seat,
        text: &str,
    ) -> Result<Action, LostTurn> {
        let rules = view.public().rules();
        let refused = |process: &mut Process, error: ErrorMessage| {
            let message = format!("{}: {}", quoted(text), error.message);
            process.send(HostMessage::Error(error).line());
            Err(LostTurn::new(FaultKind::Illegal, message))
        };
        let action = match game::notation::parse_action(rules, seat, text) {
            Ok(action) => action,
            Err(none) => return refused(process, ErrorMessage::about(id, none.to_string())),
        };
        match view.check(action) {
            Ok(()) => Ok(action),
            Err(illegal) => {
                let sentence = self.phrases.refusal(&illegal, rules);
                refused(process, ErrorMessage::illegal(id, &illegal, sentence))
            }
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(process) = self.running.take() {
            process.dismiss();
        }
    }
}

/// Starts a program and waits for its hello.
fn start(command: &[String], terms: &Terms) -> Result<(Process, BotHello), LostTurn> {
    let mut process = Process::start(command).map_err(|error| {
        LostTurn::new(FaultKind::Ended, format!("it cannot be started: {error}"))
    })?;
    let host = concat!("ghinda ", env!("CARGO_PKG_VERSION")).to_owned();
    let end = clock::now() + terms.hello;
    process.send(HostMessage::Hello(bot::HostHello::new(host, &terms.rules)).line());
    let line = match process.receive(end) {
        ProcessOutput::Line(line) => line,
        ProcessOutput::TimedOut => {
            let message = format!("it sent no hello within {} ms", terms.hello.as_millis());
            return Err(LostTurn::new(FaultKind::Late, message + &process.last_errors()));
        }
        ProcessOutput::End => return Err(LostTurn::new(FaultKind::Ended, process.describe_end())),
        ProcessOutput::NotText | ProcessOutput::TooLong => {
            let message = "it sent a line that is not a message instead of hello";
            return Err(LostTurn::new(FaultKind::Garbled, message));
        }
    };
    match BotMessage::read(&line) {
        Ok(BotMessage::Hello(hello)) => Ok((process, hello)),
        Ok(BotMessage::Error(error)) => {
            let message = format!("it refused the hello: {}", error.message);
            Err(LostTurn::new(FaultKind::Declined, message))
        }
        Err(other @ MessageError::OtherVersion { .. }) => {
            process.send(HostMessage::Error(ErrorMessage::new(other.to_string())).line());
            Err(LostTurn::new(FaultKind::Garbled, other.to_string()))
        }
        Ok(BotMessage::Action { .. }) | Err(_) => {
            let message = format!("it sent something else than hello: {}", quoted(&line));
            Err(LostTurn::new(FaultKind::Garbled, message))
        }
    }
}

/// A line of a program, shortened for a report.
fn quoted(line: &str) -> String {
    let short: String = line.chars().take(80).collect();
    let more = if short.len() < line.len() { "…" } else { "" };
    format!("{short:?}{more}")
}

fn spectator_cannot_act() -> LostTurn {
    LostTurn::new(FaultKind::Declined, "a spectator cannot act")
}
