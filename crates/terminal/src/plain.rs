//! A table line by line: for screen readers, pipes and tests. Events are printed in the same
//! sentences as in the browser. Lines with a prefix are not part of the match: `>` is a prompt, `!`
//! a refusal, `=` the answer to a question.

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};

use anyhow::{Context, Result, bail};
use game::Action;
use game::notation::parse_card;
use phrases::Phrases;
use replica::table::Prompt;
use table_view::actions::{OfferedAction, offers};
use table_view::narrator::QUICK;
use table_view::scene::{BidChoice, HandCard, ScenePrompt, TableScene};
use table_view::scores::Scores;
use table_view::{glance, participants};
use wire::table::{TableCommand, TableStage};

use crate::appearance::Appearance;
use crate::screen::ScreenInput;
use crate::table_connection::{ConnectionNotice, TerminalConnection, TerminalConnectionState};
use crate::table_screen::TableAccess;

/// Runs a connection until the player leaves or the input ends.
pub(crate) fn run(
    connection: TerminalConnection,
    access: TableAccess,
    appearance: Appearance,
    phrases: Phrases,
    sender: &Sender<ScreenInput>,
    receiver: &Receiver<ScreenInput>,
) -> Result<()> {
    let typed = sender.clone();
    let read = move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if typed.send(ScreenInput::Line(line)).is_err() {
                return;
            }
        }
        let _ = typed.send(ScreenInput::End);
    };
    std::thread::Builder::new()
        .name("lines".into())
        .spawn(read)
        .context("the thread that reads lines cannot be started")?;
    let mut plain = PlainSession {
        connection,
        access,
        appearance,
        phrases,
        out: std::io::stdout(),
        typed: VecDeque::new(),
        input_ended: false,
        asked: None,
        seat_requested: false,
        has_left: false,
    };
    while !plain.has_left {
        plain.connection.tick();
        let input = match plain.connection.tick_after() {
            Some(wait) => match receiver.recv_timeout(wait) {
                Err(RecvTimeoutError::Timeout) => continue,
                input => input?,
            },
            None => receiver.recv()?,
        };
        match input {
            ScreenInput::Transport(event) => {
                for notice in plain.connection.receive(event, &plain.phrases) {
                    plain.print_notice(notice)?;
                }
            }
            ScreenInput::Line(line) => plain.typed.push_back(line),
            ScreenInput::End => plain.input_ended = true,
            ScreenInput::Event(_) | ScreenInput::Signal(_) => {}
        }
        plain.process_lines()?;
    }
    Ok(())
}

struct PlainSession<W> {
    connection: TerminalConnection,
    access: TableAccess,
    appearance: Appearance,
    phrases: Phrases,
    out: W,
    /// Lines that were typed and not processed yet.
    typed: VecDeque<String>,
    /// Whether the input has ended.
    input_ended: bool,
    /// The last prompt, so that it is not printed twice.
    asked: Option<(Prompt, u64)>,
    seat_requested: bool,
    has_left: bool,
}

/// What became of a line.
enum LineOutcome {
    /// It was processed.
    Done,
    /// It waits for the next prompt.
    Pending,
}

impl<W: Write> PlainSession<W> {
    fn print(&mut self, prefix: &str, text: &str) -> Result<()> {
        writeln!(self.out, "{prefix}{text}")?;
        Ok(self.out.flush()?)
    }

    fn print_notice(&mut self, notice: ConnectionNotice) -> Result<()> {
        match notice {
            ConnectionNotice::Happened(sentence) => self.print("", &sentence),
            ConnectionNotice::Refused(why) => {
                self.asked = None;
                self.print("! ", &why)
            }
            ConnectionNotice::Warning(sentence) => self.print("! ", &sentence),
            ConnectionNotice::Shown => self.print_state(),
        }
    }

    /// Prints the state of the table for a player who has just joined.
    fn print_state(&mut self) -> Result<()> {
        if self.connection.state() != TerminalConnectionState::Live {
            return Ok(());
        }
        let Some(state) = self.connection.replica.state().cloned() else { return Ok(()) };
        if state.stage == TableStage::Waiting {
            let names = participants::names(&state, &self.phrases);
            for (at, name) in names.iter().enumerate() {
                self.print("= ", &format!("{}: {name}", at + 1))?;
            }
            return Ok(());
        }
        let Some(scene) = self.scene() else { return Ok(()) };
        self.print("= ", &format!("{}. {}", scene.deal, self.phrases.title(&scene.rules)))?;
        if !scene.hand.is_empty() {
            self.print_hand(&scene)?;
        }
        Ok(())
    }

    fn scene(&self) -> Option<TableScene> {
        self.connection.scene(self.appearance, &self.phrases)
    }

    /// Processes the typed lines as far as possible now, and prints any new prompt.
    fn process_lines(&mut self) -> Result<()> {
        loop {
            if let TerminalConnectionState::Ended(ended) = self.connection.state() {
                bail!(ended.sentence(&self.phrases));
            }
            let live = self.connection.state() == TerminalConnectionState::Live
                && self.connection.replica.is_settled();
            let Some(state) = self.connection.replica.state().filter(|_| live) else {
                return Ok(());
            };
            if !std::mem::replace(&mut self.seat_requested, true)
                && let Some(sit) = self.access.seat_command(state)
            {
                self.connection.send(sit);
                return Ok(());
            }
            let over = state.stage == TableStage::Over || state.closed;
            self.print_prompt()?;
            let Some(line) = self.typed.front().cloned() else {
                // No more input can answer.
                self.has_left |=
                    self.input_ended && (self.connection.replica.prompt().is_some() || over);
                return Ok(());
            };
            match self.execute(line.trim())? {
                LineOutcome::Done => _ = self.typed.pop_front(),
                LineOutcome::Pending => return Ok(()),
            }
            if self.has_left {
                return Ok(());
            }
        }
    }

    /// Prints the prompt of the table, once.
    fn print_prompt(&mut self) -> Result<()> {
        let version = self.connection.replica.version().unwrap_or_default();
        let asked = self.connection.replica.prompt().map(|asked| (asked, version));
        if asked == self.asked {
            return Ok(());
        }
        self.asked = asked;
        let question = match asked.map(|(asked, _)| asked) {
            None => return Ok(()),
            Some(Prompt::Ready) => self.phrases.plain_ready(),
            Some(Prompt::Rematch) => self.phrases.plain_rematch(),
            Some(Prompt::Act) => match self.scene() {
                Some(scene) => self.question(&scene),
                None => return Ok(()),
            },
        };
        self.print("> ", &question)
    }

    fn question(&self, scene: &TableScene) -> String {
        let phrases = &self.phrases;
        match &scene.prompt {
            ScenePrompt::Bid(choices) => {
                let may = choices.iter().filter(|choice| choice.why.is_none());
                let labels: Vec<String> = may.map(bid_label).collect();
                phrases.plain_bids(labels.join(", "))
            }
            ScenePrompt::Card => {
                let labels = |filter: &dyn Fn(&HandCard) -> bool| {
                    let cards = scene.hand.iter().enumerate().filter(|(_, card)| filter(card));
                    let labels = cards.map(|(at, held)| match held.call {
                        Some(points) => {
                            let call = phrases.plain_call(at + 1, points);
                            format!("{} {} ({call})", at + 1, held.name)
                        }
                        None => format!("{} {}", at + 1, held.name),
                    });
                    labels.collect::<Vec<_>>().join(", ")
                };
                let (may, not) =
                    (labels(&|held| held.why.is_none()), labels(&|held| held.why.is_some()));
                match not.is_empty() {
                    true => phrases.plain_cards(may),
                    false => format!("{} {}", phrases.plain_cards(may), phrases.plain_not_now(not)),
                }
            }
            ScenePrompt::Accept => phrases.plain_accept(),
            ScenePrompt::Nothing => scene.status.clone(),
        }
    }

    fn execute(&mut self, line: &str) -> Result<LineOutcome> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let scene = self.scene();
        let glance_text =
            |text: fn(&TableScene) -> String| scene.as_ref().map(text).unwrap_or_default();
        let answer = match word {
            "t" | "T" => glance_text(|scene| scene.status.clone()),
            "r" => glance_text(glance::trick),
            "R" => glance_text(glance::last_trick),
            "v" | "V" => glance_text(glance::bids),
            "p" | "P" => glance_text(glance::points),
            "h" | "H" => {
                if let Some(scene) = &scene {
                    self.print_hand(scene)?;
                }
                return Ok(LineOutcome::Done);
            }
            "s" | "S" => return self.print_sheet(),
            "?" => return self.print_help(),
            "q" | "Q" => {
                self.has_left = true;
                return Ok(LineOutcome::Done);
            }
            "m" | "M" => return self.menu(rest),
            "c" | "C" => return self.challenge(scene.as_ref(), rest),
            "y" | "Y" => return self.send_chat(rest),
            _ => return self.answer(line, scene.as_ref()),
        };
        let answer = if answer.is_empty() { self.phrases.nothing_yet() } else { answer };
        self.print("= ", &answer)?;
        Ok(LineOutcome::Done)
    }

    fn print_hand(&mut self, scene: &TableScene) -> Result<()> {
        let cards: Vec<String> = scene.hand.iter().map(|held| held.name.clone()).collect();
        let text = self.phrases.plain_hand(cards.join(", "));
        self.print("= ", &text)
    }

    fn print_sheet(&mut self) -> Result<LineOutcome> {
        let scores = Scores::so_far(&self.connection.replica, &self.phrases);
        if scores.rows.is_empty() {
            let nothing = self.phrases.no_deal_yet();
            self.print("= ", &nothing)?;
            return Ok(LineOutcome::Done);
        }
        for row in &scores.grid(&self.phrases).lines("", 3) {
            self.print("= ", row)?;
        }
        Ok(LineOutcome::Done)
    }

    fn print_help(&mut self) -> Result<LineOutcome> {
        for line in self.phrases.plain_help().lines() {
            self.print("= ", line)?;
        }
        Ok(LineOutcome::Done)
    }

    fn offers(&self) -> Vec<OfferedAction> {
        let (TableAccess::Link { name, .. }, Some(state)) =
            (&self.access, self.connection.replica.state())
        else {
            return Vec::new();
        };
        offers(state, name, "hard", &self.phrases)
    }

    /// Lists the actions besides playing, or takes one by its number.
    fn menu(&mut self, number: &str) -> Result<LineOutcome> {
        let offers = self.offers();
        let chosen =
            number.trim().parse::<usize>().ok().and_then(|at| offers.get(at.checked_sub(1)?));
        if let Some(offer) = chosen {
            self.connection.send(offer.command.clone());
            return Ok(LineOutcome::Done);
        }
        for (at, offer) in offers.iter().enumerate() {
            self.print("= ", &format!("m {}: {}", at + 1, offer.label))?;
        }
        if offers.is_empty() {
            let nothing = self.phrases.nothing_yet();
            self.print("= ", &nothing)?;
        }
        Ok(LineOutcome::Done)
    }

    /// Lists the cards that may be challenged (C15), or challenges one by its number.
    fn challenge(&mut self, scene: Option<&TableScene>, number: &str) -> Result<LineOutcome> {
        let Some(honour) = scene.and_then(|scene| scene.honour.as_ref()) else {
            self.not_understood("c")?;
            return Ok(LineOutcome::Done);
        };
        let cards: Vec<_> = honour.tricks.iter().flat_map(|trick| &trick.cards).collect();
        let chosen =
            number.trim().parse::<usize>().ok().and_then(|at| cards.get(at.checked_sub(1)?));
        match chosen {
            Some(card) => match &card.why {
                Some(why) => self.print("! ", &why.sentence)?,
                None => self.send_action(card.action),
            },
            None => {
                for (at, card) in cards.iter().enumerate() {
                    self.print("= ", &format!("c {}: {}: {}", at + 1, card.player, card.name))?;
                }
                if cards.is_empty() {
                    let nothing = self.phrases.challenge_none();
                    self.print("= ", &nothing)?;
                }
            }
        }
        Ok(LineOutcome::Done)
    }

    fn send_chat(&mut self, text: &str) -> Result<LineOutcome> {
        let quick = text.trim().parse::<usize>().ok().and_then(|at| QUICK.get(at.checked_sub(1)?));
        match quick {
            Some(phrase) => self.connection.send(TableCommand::Phrase(*phrase)),
            None => self.connection.send(TableCommand::Say(text.trim().into())),
        }
        Ok(LineOutcome::Done)
    }

    fn send_action(&mut self, action: Action) {
        if let Some(command) = self.connection.replica.act(action) {
            self.connection.send(command);
        }
    }

    /// Answers the prompt: a bid, a card, or a confirmation.
    fn answer(&mut self, line: &str, scene: Option<&TableScene>) -> Result<LineOutcome> {
        match (self.connection.replica.prompt(), scene) {
            (None, _) if line.is_empty() => return Ok(LineOutcome::Done),
            (Some(Prompt::Ready), _) => {
                self.connection.send(TableCommand::Ready);
                // A line with more than Enter was not meant for the score.
                return Ok(if line.is_empty() { LineOutcome::Done } else { LineOutcome::Pending });
            }
            (Some(Prompt::Rematch), _) if line.is_empty() => {
                self.connection.send(TableCommand::AskForRematch)
            }
            (Some(Prompt::Act), Some(scene)) => return self.decide(line, scene),
            (Some(Prompt::Rematch), _) => self.not_understood(line)?,
            // The line waits for the next prompt.
            (Some(Prompt::Act) | None, _) => return Ok(LineOutcome::Pending),
        }
        Ok(LineOutcome::Done)
    }

    /// Repeats the prompt. An empty line is not reported.
    fn not_understood(&mut self, line: &str) -> Result<()> {
        self.asked = None;
        if line.is_empty() {
            return Ok(());
        }
        let shown: String = line.chars().filter(|letter| !letter.is_control()).take(40).collect();
        let text = self.phrases.plain_not_understood(shown);
        self.print("! ", &text)
    }

    fn decide(&mut self, line: &str, scene: &TableScene) -> Result<LineOutcome> {
        match &scene.prompt {
            ScenePrompt::Bid(choices) => {
                let meant = |choice: &&BidChoice| {
                    line.parse() == Ok(choice.bid)
                        || line.to_lowercase() == choice.word.to_lowercase()
                };
                match choices.iter().find(meant) {
                    Some(BidChoice { why: Some(why), .. }) => self.refuse(&why.sentence)?,
                    Some(choice) => self.send_action(Action::Bid(choice.bid)),
                    None => self.not_understood(line)?,
                }
            }
            ScenePrompt::Card if line.eq_ignore_ascii_case("x") => {
                self.connection.send(TableCommand::Claim)
            }
            ScenePrompt::Card => {
                let (name, calls) = match line.strip_suffix('!') {
                    Some(name) => (name.trim(), true),
                    None => (line, false),
                };
                let by_number =
                    name.parse::<usize>().ok().and_then(|at| scene.hand.get(at.checked_sub(1)?));
                let pack = scene.rules.pack();
                let named = parse_card(pack, name).ok();
                let by_name = || scene.hand.iter().find(|held| Some(held.card) == named);
                match by_number.or_else(by_name) {
                    Some(HandCard { why: Some(why), .. }) => self.refuse(&why.sentence)?,
                    Some(held) => {
                        let automatic = scene.rules.calls_are_automatic() && held.call.is_some();
                        self.send_action(Action::Play {
                            card: held.card,
                            call: calls || automatic,
                        });
                    }
                    None => self.not_understood(line)?,
                }
            }
            ScenePrompt::Accept if line.is_empty() => self.send_action(Action::Accept),
            ScenePrompt::Accept => self.not_understood(line)?,
            ScenePrompt::Nothing => return Ok(LineOutcome::Pending),
        }
        Ok(LineOutcome::Done)
    }

    fn refuse(&mut self, why: &str) -> Result<()> {
        self.asked = None;
        self.print("! ", why)
    }
}

fn bid_label(choice: &BidChoice) -> String {
    match choice.points {
        _ if choice.word == choice.bid.to_string() => choice.word.clone(),
        Some(points) => format!("{} {} ({points})", choice.bid, choice.word),
        None => format!("{} {}", choice.bid, choice.word),
    }
}
