//! A bot by its name: a level, or any program that uses the protocol.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use bots::{Bot, Level, Limit};
use game::deal::Seed;
use game::{Action, Rules, View};
use wire::bot::{BotHello, HostMessage};

use crate::clock;
use crate::fault::{FaultKind, LostTurn};
use crate::program::Program;

/// The prefix of the name of a bot that is a program.
const PROGRAM: &str = "cmd:";

/// A bot as the user typed it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contender {
    /// One of the levels of Ghinda.
    Level(Level),
    /// A program and its arguments.
    Program(Vec<String>),
}

/// The conditions under which bots play.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The rules of every deal.
    pub rules: Rules,
    /// How many positions a bot may search; None for the default of its level.
    pub nodes: Option<u64>,
    /// How long it may think.
    pub time: Option<Duration>,
    /// How long to wait for the answer of a program.
    pub answer: Duration,
    /// How long to wait for its hello.
    pub hello: Duration,
}

impl FromStr for Contender {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Contender> {
        let Some(command) = text.strip_prefix(PROGRAM) else {
            let level = text.parse::<Level>().map_err(|unknown| {
                anyhow!("{unknown}, and {PROGRAM}PROGRAM for any program that uses the protocol")
            });
            return level.map(Contender::Level);
        };
        Ok(Contender::Program(words(command)?))
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contender::Level(level) => level.fmt(f),
            Contender::Program(words) => write!(f, "{PROGRAM}{}", words.join(" ")),
        }
    }
}

/// The words of a command line: between spaces, except inside of single or double quotes. There is
/// no shell, so nothing else has a meaning.
fn words(line: &str) -> Result<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match (letter, quote) {
            (_, Some(open)) if letter == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (' ' | '\t', None) => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    match quote {
        Some(open) => bail!("the quote {open} is not closed in {PROGRAM}{line}"),
        None if words.is_empty() => bail!("{PROGRAM} needs a program after it"),
        None => Ok(words),
    }
}

impl Contender {
    /// Checks that it can play, and returns its name. A program that does not answer hello is an
    /// error here, not a fault of play.
    pub fn introduce(&self, terms: &Terms) -> Result<String> {
        match self {
            Contender::Level(level) => Ok(level.to_string()),
            Contender::Program(command) => {
                let hello = Program::introduce(command, terms);
                let hello = hello.map_err(|fault| anyhow!("{self}: {}", fault.message))?;
                Ok(full_name(&hello))
            }
        }
    }

    /// A new player, for one worker.
    pub(crate) fn player(&self, terms: &Terms) -> ArenaPlayer {
        let kind = match self {
            Contender::Level(level) => ContenderKind::Inside {
                bot: level.bot(),
                nodes: terms.nodes.unwrap_or(level.nodes()),
                time: terms.time,
            },
            Contender::Program(command) => {
                ContenderKind::Outside(Box::new(Program::new(command, terms)))
            }
        };
        ArenaPlayer { kind, fallback: Level::Random.bot() }
    }
}

/// The name that a program gives itself, cleaned for a table.
fn full_name(hello: &BotHello) -> String {
    let given = format!("{} {}", hello.name, hello.version);
    let name: String =
        phrases::layout::harmless(&given.replace('\n', " ")).chars().take(40).collect();
    match name.trim() {
        "" => "nameless".into(),
        name => name.into(),
    }
}

/// A bot that plays.
pub(crate) struct ArenaPlayer {
    kind: ContenderKind,
    /// The bot that plays when a turn is lost.
    fallback: Box<dyn Bot>,
}

enum ContenderKind {
    Inside { bot: Box<dyn Bot>, nodes: u64, time: Option<Duration> },
    Outside(Box<Program>),
}

/// The action of a player, and the fault that replaced its own choice.
pub(crate) struct ArenaMove {
    pub(crate) action: Option<Action>,
    pub(crate) fault: Option<LostTurn>,
}

impl ArenaPlayer {
    /// Its action; None only if its seat cannot act.
    pub(crate) fn act(&mut self, view: &View, seed: Seed) -> ArenaMove {
        let chosen = match &mut self.kind {
            ContenderKind::Inside { bot, nodes, time } => {
                let end = time.map(|time| clock::now() + time);
                let stop = || end.is_some_and(|end| clock::now() >= end);
                ask(bot.as_mut(), view, seed, Limit { nodes: *nodes, stop: &stop })
            }
            ContenderKind::Outside(program) => program.act(view, seed),
        };
        match chosen {
            Ok(action) => ArenaMove { action: Some(action), fault: None },
            Err(fault) => ArenaMove {
                action: self.fallback.act(view, seed, Limit::nodes(0)),
                fault: Some(fault),
            },
        }
    }

    /// Sends a message to a program; the bots of Ghinda ignore messages.
    pub(crate) fn notify(&mut self, message: &HostMessage) {
        if let ContenderKind::Outside(program) = &mut self.kind {
            program.notify(message);
        }
    }
}

fn ask(bot: &mut dyn Bot, view: &View, seed: Seed, limit: Limit<'_>) -> Result<Action, LostTurn> {
    let action = bot.act(view, seed, limit);
    let action = action.ok_or_else(|| {
        LostTurn::new(FaultKind::Declined, format!("returned no action for the view {view}"))
    })?;
    view.check(action).map_err(|illegal| {
        LostTurn::new(FaultKind::Illegal, format!("{action:?}: {illegal}, in the view {view}"))
    })?;
    Ok(action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_split_at_spaces_outside_of_quotes() {
        let split = |line: &str| words(line).expect("words");
        assert_eq!(split("./bot"), ["./bot"]);
        assert_eq!(split("  python3  a.py\t-x "), ["python3", "a.py", "-x"]);
        assert_eq!(split("sh -c 'a \"b\" c' \"it's\" ''"), ["sh", "-c", "a \"b\" c", "it's", ""]);
        assert_eq!(split("a\\b $HOME *"), ["a\\b", "$HOME", "*"]);
        assert!(words("a 'b").is_err() && words("").is_err() && words("  ").is_err());
    }

    #[test]
    fn a_name_is_a_level_or_a_program() {
        assert_eq!("random".parse::<Contender>().expect("a bot").to_string(), "random");
        assert_eq!("cmd:./bot -x".parse::<Contender>().expect("a bot").to_string(), "cmd:./bot -x");
        let error = "grandmaster".parse::<Contender>().expect_err("no such bot");
        assert!(format!("{error:#}").contains("there is no bot \"grandmaster\""), "{error:#}");
    }
}
