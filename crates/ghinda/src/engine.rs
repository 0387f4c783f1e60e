//! `ghinda engine`: one of the bots of Ghinda, for other programs, over the bot protocol.

use std::io::{BufRead, Write};
use std::time::Duration;

use anyhow::Result;
use bots::{Bot, Level, Limit};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use game::deal::Seed;
use game::fair::Secret;
use game::notation::action_text;
use game::{View, Viewer};
use wire::bot::{Act, BotHello, BotMessage, ErrorMessage, HostMessage, MAX_BYTES, MessageError};

use crate::clock;
use arena::lines::{InputLine, LineReader};

/// Run one of the bots over standard input and output, for other programs
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ghinda engine --bot random                            JSON lines until bye
  ghinda arena random 'cmd:ghinda engine --bot random'  plays in an arena

docs/bots.md explains the protocol, with a transcript. A line that is not a
message is answered with an error, and the bot reads on. It ends with the
input, or at bye.")]
pub(crate) struct EngineArgs {
    /// The bot's level
    #[arg(long, value_name = "LEVEL", value_parser = level())]
    bot: Level,
    /// How many cards it may search for a decision [default: set by the host or the level]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
}

/// A parser of levels that lists all of them in the help.
fn level() -> impl TypedValueParser<Value = Level> {
    let names = PossibleValuesParser::new(Level::ALL.iter().map(|level| level.name()));
    names.try_map(|name| name.parse::<Level>())
}

impl EngineArgs {
    pub(crate) fn run(&self, input: impl BufRead, out: &mut impl Write) -> Result<()> {
        let mut bot = self.bot.bot();
        let mut lines = LineReader::new(input, MAX_BYTES);
        loop {
            let message = match lines.read_line()? {
                InputLine::End => return Ok(()),
                InputLine::Text(line) if line.trim().is_empty() => continue,
                InputLine::Text(line) => HostMessage::read(&line),
                InputLine::TooLong => Err(MessageError::TooLong { most: MAX_BYTES }),
                InputLine::NotText => Err(MessageError::NoMessage("the line is not UTF-8".into())),
            };
            let answer = match message {
                Ok(HostMessage::Bye) => return Ok(()),
                Ok(HostMessage::Hello(_)) => Some(self.hello()),
                Ok(HostMessage::Act(question)) => Some(self.answer(bot.as_mut(), &question)),
                Ok(HostMessage::DealOver(_) | HostMessage::MatchOver(_)) => None,
                // Answering an error with an error does not help.
                Ok(HostMessage::Error(_)) => None,
                Err(unread) => Some(BotMessage::Error(ErrorMessage::new(unread.to_string()))),
            };
            if let Some(answer) = answer {
                out.write_all(answer.line().as_bytes())?;
                out.flush()?;
            }
        }
    }

    fn hello(&self) -> BotMessage {
        let name = format!("ghinda-{}", self.bot);
        BotMessage::Hello(BotHello::new(name, env!("CARGO_PKG_VERSION").into()))
    }

    fn answer(&self, bot: &mut dyn Bot, question: &Act) -> BotMessage {
        let id = question.id;
        match self.act(bot, question) {
            Ok(action) => BotMessage::Action { id, action },
            Err(why) => BotMessage::Error(ErrorMessage::about(id, why)),
        }
    }

    fn act(&self, bot: &mut dyn Bot, question: &Act) -> Result<String, String> {
        let start = clock::now();
        let view: View =
            question.view.parse().map_err(|fault| format!("the view is not valid: {fault}"))?;
        let Viewer::Seat(seat) = view.viewer() else {
            return Err("a spectator cannot act".into());
        };
        // Some of the time is left to the host, to receive the answer.
        let time = question.clock.move_ms.map(|ms| Duration::from_millis(ms - ms / 8));
        let stop = || time.is_some_and(|time| start.elapsed() >= time);
        let nodes = self.nodes.or(question.clock.nodes).unwrap_or(self.bot.nodes());
        let action = bot.act(&view, seed(question)?, Limit { nodes, stop: &stop });
        match action {
            Some(action) => Ok(action_text(view.public().rules(), seat, action)),
            None => Err("this seat cannot act now".into()),
        }
    }
}

/// The seed of the question; without one, a seed from the view, so that the same question always
/// gets the same answer.
fn seed(question: &Act) -> Result<Seed, String> {
    match &question.seed {
        None => Ok(Seed(Secret::from_phrase(&question.view).0)),
        Some(text) => match text.parse::<Secret>() {
            Ok(bytes) => Ok(Seed(bytes.0)),
            Err(why) => Err(format!("the seed is not valid: {why}")),
        },
    }
}
