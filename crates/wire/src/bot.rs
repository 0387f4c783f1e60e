//! The bot protocol: JSON lines between a host, which runs the table, and a bot,
//! which plays one or more seats of it. `docs/bots.md` explains it with a
//! transcript.
//!
//! The host asks with an [`Act`], which is made from the view of one seat only,
//! and the bot answers with an action as text. The question holds everything a
//! bot needs, so a bot can be stateless.

mod state;

use cards::{BySide, Seat, Side};
use game::deal::Seed;
use game::event::{DealScore, ThrownIn};
use game::{Illegal, Public, Rules, View, Viewer};
use serde::{Deserialize, Serialize};

use crate::message::{self, Protocol, Versioned};

pub use crate::message::MessageError;
pub use state::{BotPrompt, BotState, Challenged, ContractState, SeatBid, TrickState};

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// The maximum number of bytes in a line, without the line end.
pub const MAX_BYTES: usize = 64 << 10;

/// A message from the host.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HostMessage {
    /// The host's program and protocol version; the bot answers with its own hello.
    Hello(HostHello),
    /// A seat of the bot must act; the bot answers with an action.
    Act(Box<Act>),
    /// A deal has ended. No answer.
    DealOver(DealOver),
    /// A match has ended. No answer.
    MatchOver(MatchOver),
    /// An answer was refused. No answer.
    Error(ErrorMessage),
    /// The last message.
    Bye,
}

/// The first message of a host.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HostHello {
    /// The version of the protocol: [`VERSION`].
    pub ghinda: u32,
    /// The name of the host's program.
    #[serde(default)]
    pub host: String,
    /// The code of the rules that will be played.
    #[serde(default)]
    pub rules: String,
}

/// A request for the next action of a seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Act {
    /// The answer repeats this id.
    pub id: u64,
    /// Everything the seat knows, in the notation of views.
    pub view: String,
    /// The same as JSON. Programs that read our notation do not need it, so it is
    /// never deserialised here.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub state: Option<BotState>,
    /// The legal actions.
    #[serde(default)]
    pub legal: Vec<String>,
    /// On honour tables: the actions that break no duty and challenge no card (C15).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lawful: Vec<String>,
    /// How long the bot may think.
    #[serde(default)]
    pub clock: ThinkTime,
    /// 64 hexadecimal digits to draw lots with, so that a match can be repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
}

/// How long a bot may think about one question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ThinkTime {
    /// Milliseconds within which the caller must receive the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_ms: Option<u64>,
    /// The maximum number of positions that its search may visit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// How a deal ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DealOver {
    /// The number of the deal.
    pub deal: usize,
    /// The seats that the bot held.
    pub seats: Vec<usize>,
    /// Why it ended.
    pub result: DealResult,
    /// Each side's points with calls in Cruce, each player's tricks in whist;
    /// empty if the deal was thrown in.
    pub points: Vec<u8>,
    /// How much the deal changed the score of each side.
    pub change: Vec<i16>,
    /// The prizes of whist, in addition to `change`.
    pub prize: Vec<i16>,
    /// The score after the deal.
    pub score: Vec<i32>,
}

/// Why a deal ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DealResult {
    /// It was played to the end.
    Scored,
    /// Every player passed and the cards were thrown in (C6).
    AllPassed,
    /// A challenge was right (C15).
    Revoke,
}

/// How a match ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MatchOver {
    /// The seats that the bot held.
    pub seats: Vec<usize>,
    /// The sides that won; empty if the match was stopped.
    pub winners: Vec<usize>,
    /// The final score.
    pub score: Vec<i32>,
}

/// Why a message could not be used.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ErrorMessage {
    /// The id of the question, if the message was an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// The reason as a sentence.
    pub message: String,
    /// The name of the refusal, if the rules forbid the action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub illegal: Option<String>,
}

/// A message from the bot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum BotMessage {
    /// The answer to the host's hello.
    Hello(BotHello),
    /// The answer to a question.
    Action {
        /// The id of the question.
        id: u64,
        /// One of the legal actions.
        action: String,
    },
    /// The bot could not read the message, or cannot answer.
    Error(ErrorMessage),
}

/// The first message of a bot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BotHello {
    /// The version of the protocol: [`VERSION`].
    pub ghinda: u32,
    /// The name of the bot.
    pub name: String,
    /// The version of the bot.
    #[serde(default)]
    pub version: String,
}

const FROM_HOST: Protocol = Protocol {
    version: VERSION,
    max_bytes: MAX_BYTES,
    types: &["hello", "act", "deal_over", "match_over", "error", "bye"],
};
const FROM_BOT: Protocol = Protocol { types: &["hello", "action", "error"], ..FROM_HOST };

impl Versioned for HostMessage {
    fn version(&self) -> Option<u32> {
        match self {
            HostMessage::Hello(hello) => Some(hello.ghinda),
            _ => None,
        }
    }
}

impl HostMessage {
    /// Reads a message from a line.
    pub fn read(line: &str) -> Result<HostMessage, MessageError> {
        FROM_HOST.read(line)
    }

    /// The message as a line, with the line end.
    pub fn line(&self) -> String {
        line(self)
    }
}

impl Versioned for BotMessage {
    fn version(&self) -> Option<u32> {
        match self {
            BotMessage::Hello(hello) => Some(hello.ghinda),
            _ => None,
        }
    }
}

impl BotMessage {
    /// Reads a message from a line.
    pub fn read(line: &str) -> Result<BotMessage, MessageError> {
        FROM_BOT.read(line)
    }

    /// The message as a line, with the line end.
    pub fn line(&self) -> String {
        line(self)
    }
}

fn line(message: &impl Serialize) -> String {
    let mut line = message::text(message);
    line.push('\n');
    line
}

impl HostHello {
    /// The hello of a host that plays by these rules.
    pub fn new(host: String, rules: &Rules) -> HostHello {
        HostHello { ghinda: VERSION, host, rules: rules.code() }
    }
}

impl BotHello {
    /// The hello of a bot.
    pub fn new(name: String, version: String) -> BotHello {
        BotHello { ghinda: VERSION, name, version }
    }
}

impl Act {
    /// The question to the seat of this view. Returns None for a spectator's view.
    pub fn new(id: u64, view: &View, clock: ThinkTime, seed: Seed) -> Option<Act> {
        let Viewer::Seat(seat) = view.viewer() else { return None };
        let rules = view.public().rules();
        let texts = |actions: Vec<game::Action>| {
            actions
                .into_iter()
                .map(|action| game::notation::action_text(rules, seat, action))
                .collect()
        };
        let lawful = if rules.honour() { view.lawful_actions() } else { Vec::new() };
        Some(Act {
            id,
            view: view.to_string(),
            state: Some(BotState::of(view)?),
            legal: texts(view.actions()),
            lawful: texts(lawful),
            clock,
            seed: Some(seed.0.iter().map(|byte| format!("{byte:02x}")).collect()),
        })
    }
}

impl DealOver {
    /// The end of a deal that was scored; `after` is the public state afterwards.
    pub fn scored(score: &DealScore, after: &Public, seats: &[Seat]) -> DealOver {
        DealOver {
            points: score.points.as_slice().to_vec(),
            change: score.change.as_slice().to_vec(),
            prize: score.prize.as_slice().to_vec(),
            ..DealOver::of(DealResult::Scored, after, seats)
        }
    }

    /// The end of a deal that was thrown in.
    pub fn thrown_in(
        why: ThrownIn,
        change: &BySide<i16>,
        after: &Public,
        seats: &[Seat],
    ) -> DealOver {
        let result = match why {
            ThrownIn::AllPassed => DealResult::AllPassed,
            ThrownIn::Revoke { .. } => DealResult::Revoke,
        };
        DealOver { change: change.as_slice().to_vec(), ..DealOver::of(result, after, seats) }
    }

    fn of(result: DealResult, after: &Public, seats: &[Seat]) -> DealOver {
        DealOver {
            // `number` counts from 0 and is already that of the next deal.
            deal: after.number(),
            seats: seats.iter().map(|seat| seat.number()).collect(),
            result,
            points: Vec::new(),
            change: Vec::new(),
            prize: vec![0; after.rules().sides()],
            score: after.score().as_slice().to_vec(),
        }
    }
}

impl MatchOver {
    /// The end of a match with these winners, or of a stopped match if None.
    pub fn new(winners: Option<&BySide<bool>>, after: &Public, seats: &[Seat]) -> MatchOver {
        let numbers = |winners: &BySide<bool>| {
            let won = winners.entries().filter(|(_, won)| **won);
            won.map(|(side, _): (Side, _)| side.number()).collect()
        };
        MatchOver {
            seats: seats.iter().map(|seat| seat.number()).collect(),
            winners: winners.map(numbers).unwrap_or_default(),
            score: after.score().as_slice().to_vec(),
        }
    }
}

impl ErrorMessage {
    /// An error that concerns no particular question.
    pub fn new(message: impl Into<String>) -> ErrorMessage {
        ErrorMessage { id: None, message: message.into(), illegal: None }
    }

    /// An error about a question or about its answer.
    pub fn about(id: u64, message: impl Into<String>) -> ErrorMessage {
        ErrorMessage { id: Some(id), ..ErrorMessage::new(message) }
    }

    /// An error about an action that the rules forbid; the caller provides the sentence.
    pub fn illegal(id: u64, illegal: &Illegal, message: impl Into<String>) -> ErrorMessage {
        ErrorMessage { illegal: Some(illegal.name().into()), ..ErrorMessage::about(id, message) }
    }
}
