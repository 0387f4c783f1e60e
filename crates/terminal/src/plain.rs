//! A table line by line: for screen readers, pipes and tests. What happens is told in the
//! sentences that the page speaks; lines with a sign in front are not part of the match:
//! `>` asks, `!` refuses, `=` answers a question.

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, Sender};

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

use crate::look::Look;
use crate::screen::ScreenInput;
use crate::table_screen::Visit;
use crate::table_session::{SessionNotice, SessionState, TableSession};

/// Speaks with a table until the player leaves or nobody types any more.
pub(crate) fn speak(
    talk: TableSession,
    visit: Visit,
    look: Look,
    phrases: Phrases,
    to: &Sender<ScreenInput>,
    from: &Receiver<ScreenInput>,
) -> Result<()> {
    let typed = to.clone();
    let read = move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if typed.send(ScreenInput::Line(line)).is_err() {
                return;
            }
        }
        let _ = typed.send(ScreenInput::End);
    };
    std::thread::Builder::new().name("lines".into()).spawn(read).context("no thread")?;
    let mut plain = PlainSession {
        talk,
        visit,
        look,
        phrases,
        out: std::io::stdout(),
        typed: VecDeque::new(),
        ended: false,
        asked: None,
        sat: false,
        left: false,
    };
    while !plain.left {
        match from.recv()? {
            ScreenInput::News(news) => {
                for said in plain.talk.receive(news, &plain.phrases) {
                    plain.said(said)?;
                }
            }
            ScreenInput::Line(line) => plain.typed.push_back(line),
            ScreenInput::End => plain.ended = true,
            ScreenInput::Event(_) | ScreenInput::Signal(_) => {}
        }
        plain.serve()?;
    }
    Ok(())
}

struct PlainSession<W> {
    talk: TableSession,
    visit: Visit,
    look: Look,
    phrases: Phrases,
    out: W,
    /// What was typed and not done yet.
    typed: VecDeque<String>,
    /// Whether nothing more will be typed.
    ended: bool,
    /// What was asked last, so that it is not asked twice.
    asked: Option<(Prompt, u64)>,
    sat: bool,
    left: bool,
}

/// What became of a line.
enum LineOutcome {
    /// It is dealt with.
    Yes,
    /// It waits until something is asked.
    Waits,
}

impl<W: Write> PlainSession<W> {
    fn line(&mut self, sign: &str, text: &str) -> Result<()> {
        writeln!(self.out, "{sign}{text}")?;
        Ok(self.out.flush()?)
    }

    fn said(&mut self, said: SessionNotice) -> Result<()> {
        match said {
            SessionNotice::Happened(sentence) => self.line("", &sentence),
            SessionNotice::Refused(why) => {
                self.asked = None;
                self.line("! ", &why)
            }
            SessionNotice::Shown => self.shown(),
        }
    }

    /// Tells where the table stands, to somebody who has just come.
    fn shown(&mut self) -> Result<()> {
        if self.talk.state != SessionState::Live {
            return Ok(());
        }
        let Some(state) = self.talk.replica.state().cloned() else { return Ok(()) };
        if state.stage == TableStage::Waiting {
            let names = participants::names(&state, &self.phrases);
            for (at, name) in names.iter().enumerate() {
                self.line("= ", &format!("{}: {name}", at + 1))?;
            }
            return Ok(());
        }
        let Some(scene) = self.scene() else { return Ok(()) };
        self.line("= ", &format!("{}. {}", scene.deal, self.phrases.title(&scene.rules)))?;
        if !scene.hand.is_empty() {
            self.hand(&scene)?;
        }
        Ok(())
    }

    fn scene(&self) -> Option<TableScene> {
        self.talk.scene(self.look, &self.phrases)
    }

    /// Does what was typed, as far as it can be done now, and asks what is to be asked.
    fn serve(&mut self) -> Result<()> {
        loop {
            if let SessionState::Ended(ended) = self.talk.state {
                bail!(ended.sentence(&self.phrases));
            }
            let live = self.talk.state == SessionState::Live && self.talk.replica.is_settled();
            let Some(state) = self.talk.replica.state().filter(|_| live) else { return Ok(()) };
            if !std::mem::replace(&mut self.sat, true)
                && let Some(sit) = self.visit.sits(state)
            {
                self.talk.send(sit);
                return Ok(());
            }
            let over = state.stage == TableStage::Over || state.closed;
            self.ask()?;
            let Some(line) = self.typed.front().cloned() else {
                // Nobody can answer any more.
                self.left |= self.ended && (self.talk.replica.asked().is_some() || over);
                return Ok(());
            };
            match self.typed(line.trim())? {
                LineOutcome::Yes => _ = self.typed.pop_front(),
                LineOutcome::Waits => return Ok(()),
            }
            if self.left {
                return Ok(());
            }
        }
    }

    /// Asks what the table waits for, once.
    fn ask(&mut self) -> Result<()> {
        let version = self.talk.replica.version().unwrap_or_default();
        let asked = self.talk.replica.asked().map(|asked| (asked, version));
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
        self.line("> ", &question)
    }

    fn question(&self, scene: &TableScene) -> String {
        let phrases = &self.phrases;
        match &scene.asks {
            ScenePrompt::Bid(choices) => {
                let may = choices.iter().filter(|choice| choice.why.is_none());
                let told: Vec<String> = may.map(told_bid).collect();
                phrases.plain_bids(told.join(", "))
            }
            ScenePrompt::Card => {
                let told = |held: &dyn Fn(&HandCard) -> bool| {
                    let cards = scene.hand.iter().enumerate().filter(|(_, card)| held(card));
                    let told = cards.map(|(at, held)| match held.call {
                        Some(points) => {
                            let call = phrases.plain_call(at + 1, points);
                            format!("{} {} ({call})", at + 1, held.name)
                        }
                        None => format!("{} {}", at + 1, held.name),
                    });
                    told.collect::<Vec<_>>().join(", ")
                };
                let (may, not) =
                    (told(&|held| held.why.is_none()), told(&|held| held.why.is_some()));
                match not.is_empty() {
                    true => phrases.plain_cards(may),
                    false => format!("{} {}", phrases.plain_cards(may), phrases.plain_not_now(not)),
                }
            }
            ScenePrompt::Accept => phrases.plain_accept(),
            ScenePrompt::Nothing => scene.status.clone(),
        }
    }

    fn typed(&mut self, line: &str) -> Result<LineOutcome> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let scene = self.scene();
        let glanced =
            |tell: fn(&TableScene) -> String| scene.as_ref().map(tell).unwrap_or_default();
        let answer = match word {
            "t" | "T" => glanced(|scene| scene.status.clone()),
            "r" => glanced(glance::trick),
            "R" => glanced(glance::last_trick),
            "v" | "V" => glanced(glance::bids),
            "p" | "P" => glanced(glance::points),
            "h" | "H" => {
                if let Some(scene) = &scene {
                    self.hand(scene)?;
                }
                return Ok(LineOutcome::Yes);
            }
            "s" | "S" => return self.sheet(),
            "?" => return self.help(),
            "q" | "Q" => {
                self.left = true;
                return Ok(LineOutcome::Yes);
            }
            "m" | "M" => return self.menu(rest),
            "c" | "C" => return self.challenge(scene.as_ref(), rest),
            "y" | "Y" => return self.say(rest),
            _ => return self.act(line, scene.as_ref()),
        };
        let answer = if answer.is_empty() { self.phrases.nothing_yet() } else { answer };
        self.line("= ", &answer)?;
        Ok(LineOutcome::Yes)
    }

    fn hand(&mut self, scene: &TableScene) -> Result<()> {
        let cards: Vec<String> = scene.hand.iter().map(|held| held.name.clone()).collect();
        let said = self.phrases.plain_hand(cards.join(", "));
        self.line("= ", &said)
    }

    fn sheet(&mut self) -> Result<LineOutcome> {
        let replica = &self.talk.replica;
        let scores = match replica.state().zip(replica.view()) {
            Some((state, view)) => {
                let names = participants::names(state, &self.phrases);
                Scores::new(view.public().rules(), &names, &state.deals, &self.phrases)
            }
            None => Scores::default(),
        };
        if scores.rows.is_empty() {
            let nothing = self.phrases.no_deal_yet();
            self.line("= ", &nothing)?;
        }
        for row in
            scores.grid(&self.phrases).lines("", 3).iter().filter(|_| !scores.rows.is_empty())
        {
            self.line("= ", row)?;
        }
        Ok(LineOutcome::Yes)
    }

    fn help(&mut self) -> Result<LineOutcome> {
        for line in self.phrases.plain_help().lines() {
            self.line("= ", line)?;
        }
        Ok(LineOutcome::Yes)
    }

    fn offers(&self) -> Vec<OfferedAction> {
        let (Visit::Guest { name, .. }, Some(state)) = (&self.visit, self.talk.replica.state())
        else {
            return Vec::new();
        };
        offers(state, name, "hard", &self.phrases)
    }

    /// What can be done besides playing: shown, or done by its number.
    fn menu(&mut self, number: &str) -> Result<LineOutcome> {
        let offers = self.offers();
        let chosen =
            number.trim().parse::<usize>().ok().and_then(|at| offers.get(at.checked_sub(1)?));
        if let Some(offer) = chosen {
            self.talk.send(offer.command.clone());
            return Ok(LineOutcome::Yes);
        }
        for (at, offer) in offers.iter().enumerate() {
            self.line("= ", &format!("m {}: {}", at + 1, offer.label))?;
        }
        if offers.is_empty() {
            let nothing = self.phrases.nothing_yet();
            self.line("= ", &nothing)?;
        }
        Ok(LineOutcome::Yes)
    }

    /// The cards that may be challenged (C15): shown, or challenged by their number.
    fn challenge(&mut self, scene: Option<&TableScene>, number: &str) -> Result<LineOutcome> {
        let Some(honour) = scene.and_then(|scene| scene.honour.as_ref()) else {
            self.not_understood("c")?;
            return Ok(LineOutcome::Yes);
        };
        let cards: Vec<_> = honour.tricks.iter().flat_map(|trick| &trick.cards).collect();
        let chosen =
            number.trim().parse::<usize>().ok().and_then(|at| cards.get(at.checked_sub(1)?));
        match chosen {
            Some(card) => match &card.why {
                Some(why) => self.line("! ", &why.sentence)?,
                None => self.command(card.action),
            },
            None => {
                for (at, card) in cards.iter().enumerate() {
                    self.line("= ", &format!("c {}: {}: {}", at + 1, card.player, card.name))?;
                }
                if cards.is_empty() {
                    let nothing = self.phrases.challenge_none();
                    self.line("= ", &nothing)?;
                }
            }
        }
        Ok(LineOutcome::Yes)
    }

    fn say(&mut self, text: &str) -> Result<LineOutcome> {
        let quick = text.trim().parse::<usize>().ok().and_then(|at| QUICK.get(at.checked_sub(1)?));
        match quick {
            Some(phrase) => self.talk.send(TableCommand::Phrase(*phrase)),
            None => self.talk.send(TableCommand::Say(text.trim().into())),
        }
        Ok(LineOutcome::Yes)
    }

    fn command(&mut self, action: Action) {
        if let Some(command) = self.talk.replica.act(action) {
            self.talk.send(command);
        }
    }

    /// A bid, a card, or that something was read.
    fn act(&mut self, line: &str, scene: Option<&TableScene>) -> Result<LineOutcome> {
        match (self.talk.replica.asked(), scene) {
            (None, _) if line.is_empty() => return Ok(LineOutcome::Yes),
            (Some(Prompt::Ready), _) => {
                self.talk.send(TableCommand::Ready);
                // Whoever has typed more than Enter has not meant the score.
                return Ok(if line.is_empty() { LineOutcome::Yes } else { LineOutcome::Waits });
            }
            (Some(Prompt::Rematch), _) if line.is_empty() => self.talk.send(TableCommand::Rematch),
            (Some(Prompt::Act), Some(scene)) => return self.decide(line, scene),
            (Some(Prompt::Rematch), _) => self.not_understood(line)?,
            // It is for the next time that something is asked.
            (Some(Prompt::Act) | None, _) => return Ok(LineOutcome::Waits),
        }
        Ok(LineOutcome::Yes)
    }

    /// What is asked is asked again; after an empty line without a word.
    fn not_understood(&mut self, line: &str) -> Result<()> {
        self.asked = None;
        if line.is_empty() {
            return Ok(());
        }
        let shown: String = line.chars().filter(|letter| !letter.is_control()).take(40).collect();
        let said = self.phrases.plain_not_understood(shown);
        self.line("! ", &said)
    }

    fn decide(&mut self, line: &str, scene: &TableScene) -> Result<LineOutcome> {
        match &scene.asks {
            ScenePrompt::Bid(choices) => {
                let meant = |choice: &&BidChoice| {
                    line.parse() == Ok(choice.bid)
                        || line.to_lowercase() == choice.word.to_lowercase()
                };
                match choices.iter().find(meant) {
                    Some(BidChoice { why: Some(why), .. }) => self.refuse(&why.sentence)?,
                    Some(choice) => self.command(Action::Bid(choice.bid)),
                    None => self.not_understood(line)?,
                }
            }
            ScenePrompt::Card if line.eq_ignore_ascii_case("x") => {
                self.talk.send(TableCommand::Claim)
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
                        self.command(Action::Play { card: held.card, call: calls || automatic });
                    }
                    None => self.not_understood(line)?,
                }
            }
            ScenePrompt::Accept if line.is_empty() => self.command(Action::Accept),
            ScenePrompt::Accept => self.not_understood(line)?,
            ScenePrompt::Nothing => return Ok(LineOutcome::Waits),
        }
        Ok(LineOutcome::Yes)
    }

    fn refuse(&mut self, why: &str) -> Result<()> {
        self.asked = None;
        self.line("! ", why)
    }
}

fn told_bid(choice: &BidChoice) -> String {
    match choice.points {
        _ if choice.word == choice.bid.to_string() => choice.word.clone(),
        Some(points) => format!("{} {} ({points})", choice.bid, choice.word),
        None => format!("{} {}", choice.bid, choice.word),
    }
}
