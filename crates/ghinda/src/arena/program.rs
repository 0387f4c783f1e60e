//! A bot that is a program of its own: asked over pipes, and not trusted.
//!
//! Nothing that the program does can stop us: threads of their own read what it
//! says and write what it is told, every wait has an end, every queue a bound,
//! and a program that ends or hangs is started again a few times and then left
//! alone.

use std::collections::BTreeSet;
use std::time::Instant;

use cards::Seat;
use game::deal::Seed;
use game::{Action, View, Viewer};
use phrases::{Language, Phrases};
use wire::bot::{self, Act, BotHello, BotMessage, Complaint, HostMessage, ThinkTime, Unread};

use super::contender::Terms;
use super::fault::{FaultKind, LostTurn};
use super::process::{Process, ProcessOutput};
use crate::clock;

/// How often a program is started again.
const RESTARTS: u32 = 3;

/// After so many questions without an answer, one after the other, it hangs.
const MAX_LATE: u32 = 3;

/// How many lines may come that answer nothing, before it is a flood.
const MAX_IDLE_LINES: u32 = 100;

/// How many lost questions we remember, to know their late answers again.
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

/// What one line meant for the question that waits.
enum Reply {
    Answer(Action),
    /// Something that is no answer, and no harm.
    Idle,
}

impl Program {
    /// The program, started at once, so that its first turn is not spent on that.
    /// If it cannot be, its first turn tries again.
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

    /// Starts the program, hears its hello and lets it go.
    pub(crate) fn introduce(command: &[String], terms: &Terms) -> Result<BotHello, LostTurn> {
        let (process, hello) = start(command, terms)?;
        process.leave();
        Ok(hello)
    }

    /// Asks what a seat does.
    pub(crate) fn act(&mut self, view: &View, seed: Seed) -> Result<Action, LostTurn> {
        let mut process = self.process()?;
        self.last_id += 1;
        let answer = self.ask(&mut process, self.last_id, view, seed);
        let hangs = answer.as_ref().err().is_some_and(|fault| self.note_lost(fault));
        if answer.is_ok() {
            self.late = 0;
        }
        if hangs {
            // Dropped, it is ended and cleared away.
            (self.late, self.lost) = (0, BTreeSet::new());
        } else {
            self.running = Some(process);
        }
        answer
    }

    /// Tells the program something; one that does not listen loses nothing yet.
    pub(crate) fn tell(&mut self, message: &HostMessage) {
        if let Some(process) = &mut self.running {
            process.say(message.line());
        }
    }

    /// The program, started if need be.
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

    /// Remembers a lost turn; whether the program must be ended for it.
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
        let Viewer::Seat(seat) = view.viewer() else { return Err(nobody()) };
        let question = Act::new(id, view, self.clock(), seed).ok_or_else(nobody)?;
        let end = clock::now() + self.terms.answer;
        process.say(HostMessage::Act(Box::new(question)).line());
        for _ in 0..MAX_IDLE_LINES {
            let line = self.hear(process, end)?;
            match self.reply(process, id, view, seat, &line)? {
                Reply::Answer(action) => return Ok(action),
                Reply::Idle => {}
            }
        }
        let message = format!("it said {MAX_IDLE_LINES} lines without an answer");
        Err(LostTurn::new(FaultKind::Flooded, message))
    }

    /// What the program may spend, as it is told.
    fn clock(&self) -> ThinkTime {
        let time = self.terms.time.map_or(self.terms.answer, |time| time.min(self.terms.answer));
        ThinkTime { move_ms: u64::try_from(time.as_millis()).ok(), nodes: self.terms.nodes }
    }

    fn hear(&self, process: &mut Process, end: Instant) -> Result<String, LostTurn> {
        match process.hear(end) {
            ProcessOutput::Line(line) => Ok(line),
            ProcessOutput::NotText => {
                Err(LostTurn::new(FaultKind::Garbled, "it said something not UTF-8"))
            }
            ProcessOutput::TooLong => {
                let message = format!("it said a line of more than {} bytes", bot::MAX_BYTES);
                Err(LostTurn::new(FaultKind::Flooded, message))
            }
            ProcessOutput::Nothing if !process.has_ended() => {
                let message = format!("it was silent for {} ms", self.terms.answer.as_millis());
                Err(LostTurn::new(FaultKind::Late, message + &process.last_words()))
            }
            ProcessOutput::Nothing | ProcessOutput::End => {
                Err(LostTurn::new(FaultKind::Ended, process.obituary()))
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
                self.judge(process, id, view, seat, &action).map(Reply::Answer)
            }
            // The answer to a question whose turn was lost, too late.
            Ok(BotMessage::Action { id: answered, .. }) if self.lost.contains(&answered) => {
                Ok(Reply::Idle)
            }
            Ok(BotMessage::Action { id: answered, .. }) => {
                let message = format!("it answered question {answered} instead of {id}");
                process.say(HostMessage::Error(Complaint::about(answered, &message)).line());
                Err(LostTurn::new(FaultKind::WrongId, message))
            }
            Ok(BotMessage::Error(complaint)) if complaint.id == Some(id) => {
                let message = format!("it had no answer: {}", complaint.message);
                Err(LostTurn::new(FaultKind::Declined, message))
            }
            Ok(BotMessage::Error(_) | BotMessage::Hello(_)) => Ok(Reply::Idle),
            Err(unknown @ Unread::UnknownType { .. }) => {
                process.say(HostMessage::Error(Complaint::new(unknown.to_string())).line());
                Ok(Reply::Idle)
            }
            Err(unread) => {
                process.say(HostMessage::Error(Complaint::new(unread.to_string())).line());
                Err(LostTurn::new(
                    FaultKind::Garbled,
                    format!("{unread}; it said {}", quoted(line)),
                ))
            }
        }
    }

    /// Whether the answer may be; if not, the program hears why.
    fn judge(
        &self,
        process: &mut Process,
        id: u64,
        view: &View,
        seat: Seat,
        text: &str,
    ) -> Result<Action, LostTurn> {
        let rules = view.public().rules();
        let refused = |process: &mut Process, complaint: Complaint| {
            let message = format!("{}: {}", quoted(text), complaint.message);
            process.say(HostMessage::Error(complaint).line());
            Err(LostTurn::new(FaultKind::Illegal, message))
        };
        let action = match game::notation::parse_action(rules, seat, text) {
            Ok(action) => action,
            Err(none) => return refused(process, Complaint::about(id, none.to_string())),
        };
        match view.check(action) {
            Ok(()) => Ok(action),
            Err(illegal) => {
                let sentence = self.phrases.refusal(&illegal, rules);
                refused(process, Complaint::illegal(id, &illegal, sentence))
            }
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(process) = self.running.take() {
            process.leave();
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
    process.say(HostMessage::Hello(bot::HostHello::new(host, &terms.rules)).line());
    let line = match process.hear(end) {
        ProcessOutput::Line(line) => line,
        ProcessOutput::Nothing => {
            let message = format!("it said no hello within {} ms", terms.hello.as_millis());
            return Err(LostTurn::new(FaultKind::Late, message + &process.last_words()));
        }
        ProcessOutput::End => return Err(LostTurn::new(FaultKind::Ended, process.obituary())),
        ProcessOutput::NotText | ProcessOutput::TooLong => {
            let message = "it said something else than hello: a line that is no message";
            return Err(LostTurn::new(FaultKind::Garbled, message));
        }
    };
    match BotMessage::read(&line) {
        Ok(BotMessage::Hello(hello)) => Ok((process, hello)),
        Ok(BotMessage::Error(complaint)) => {
            let message = format!("it refused our hello: {}", complaint.message);
            Err(LostTurn::new(FaultKind::Declined, message))
        }
        Err(other @ Unread::OtherVersion { .. }) => {
            process.say(HostMessage::Error(Complaint::new(other.to_string())).line());
            Err(LostTurn::new(FaultKind::Garbled, other.to_string()))
        }
        Ok(BotMessage::Action { .. }) | Err(_) => {
            let message = format!("it said something else than hello: {}", quoted(&line));
            Err(LostTurn::new(FaultKind::Garbled, message))
        }
    }
}

/// What a program said, as short as a report needs it.
fn quoted(line: &str) -> String {
    let short: String = line.chars().take(80).collect();
    let more = if short.len() < line.len() { "…" } else { "" };
    format!("{short:?}{more}")
}

fn nobody() -> LostTurn {
    LostTurn::new(FaultKind::Declined, "a spectator has nothing to do")
}
