//! A hint in words: the advised action, the reasons, and the worth of the alternatives.
//!
//! The caller supplies the worths as numbers; all other facts come from the view. A hint contains
//! only what the seat can know.

mod reasons;

use cards::{Card, CardSet};
use game::cruce;
use game::duty::Ladder;
use game::public::{Phase, Round};
use game::{Action, Illegal, Rules, View, Viewer};

use phrases::layout::{Columns, capitalised, wrap};
use phrases::{Phrases, game_word};

/// An action with its worth to the seat, in points of score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ActionWorth {
    /// The action.
    pub action: Action,
    /// Its worth; only differences are meaningful.
    pub worth: f64,
}

/// The weighed choices of a seat.
#[derive(Clone, Debug)]
pub struct Hint<'a> {
    /// The view of the seat.
    pub view: &'a View,
    /// The advised action: the best choice.
    pub best: ActionWorth,
    /// The other weighed actions, the best first.
    pub others: Vec<ActionWorth>,
    /// The allowed actions that were not weighed.
    pub unweighed: Vec<Action>,
    /// The number of ways in which the unseen cards can be distributed.
    pub ways: u128,
    /// In the bidding: the expected points of the seat's side as declarer, or its tricks in whist.
    pub promise: Option<f64>,
    /// Whether no player who plays later to the trick can beat the advised card.
    pub unbeatable: bool,
    /// Whether the numbers are rough, because the time ran out.
    pub rough: bool,
}

/// Why a viewer gets no hint. Returns None if the viewer has a decision to make.
pub fn refusal(phrases: &Phrases, view: &View) -> Option<String> {
    let public = view.public();
    let Viewer::Seat(seat) = view.viewer() else { return Some(phrases.hint_spectator()) };
    let illegal = match (public.phase(), public.turn()) {
        (Phase::Dealing, _) => return Some(phrases.hint_no_deal()),
        (Phase::Over, _) => Illegal::MatchOver,
        (_, Some(turn)) if turn == seat => return None,
        (_, Some(turn)) => Illegal::NotYourTurn { turn },
        (_, None) => view.check(Action::Accept).err()?,
    };
    Some(phrases.refusal(&illegal, public.rules()))
}

impl Hint<'_> {
    /// The whole hint as plain text.
    pub fn text(&self, phrases: &Phrases) -> String {
        let mut paragraphs = vec![wrap(&self.advice(phrases), "", "")];
        let reasons = self.reasons(phrases).join(" ");
        if !reasons.is_empty() {
            paragraphs[0] += &format!("\n{}", wrap(&reasons, "", ""));
        }
        if !self.others.is_empty() {
            paragraphs.push(self.table(phrases));
            paragraphs.extend(self.unweighed_line(phrases));
            paragraphs.extend(self.refused_lines(phrases));
        }
        paragraphs.join("\n\n")
    }

    /// The advice, as a sentence.
    pub fn advice(&self, phrases: &Phrases) -> String {
        let rules = self.view.public().rules();
        match self.best.action {
            Action::Bid(0) if matches!(rules, Rules::Cruce(_)) => phrases.hint_bid("pass", 0),
            Action::Bid(bid) => phrases.hint_bid(game_word(rules), phrases.bid(rules, bid)),
            Action::Play { card, call } => {
                let name = phrases.the_card(rules.pack(), card);
                match self.view.public().round().map(|round| round.trick().is_empty()) {
                    Some(true) if call => phrases.hint_lead_calling(name, self.call_worth(card)),
                    Some(true) => phrases.hint_lead(name),
                    _ => phrases.hint_play(name),
                }
            }
            Action::Accept => phrases.hint_accept(),
            Action::Challenge { trick, accused } => {
                let round = self.view.public().round();
                let judged = round.and_then(|round| round.tricks().get(usize::from(trick)));
                let card = judged.and_then(|judged| judged.card_of(accused, rules.players()));
                let card =
                    card.map_or_else(String::new, |card| phrases.the_card(rules.pack(), card));
                phrases.hint_challenge(phrases.seat_name(accused), trick + 1, card)
            }
        }
    }

    /// Whether no other action is allowed.
    pub fn is_forced(&self) -> bool {
        self.others.is_empty() && self.unweighed.is_empty()
    }

    /// All weighed actions, the best first.
    pub fn choices(&self) -> impl Iterator<Item = &ActionWorth> {
        std::iter::once(&self.best).chain(&self.others)
    }

    /// How much less a choice is worth than the best one; at most 0.
    pub fn compared_with_best(&self, choice: &ActionWorth) -> f64 {
        (choice.worth - self.best.worth).min(0.0)
    }

    /// The forbidden cards of the hand or the forbidden bids, with the reasons. At an honour table:
    /// the cards that would break a duty (C15).
    pub fn refused(&self) -> Vec<(Action, Illegal)> {
        let (view, public) = (self.view, self.view.public());
        let refused = |action| view.check(action).err().map(|illegal| (action, illegal));
        match public.phase() {
            Phase::Bidding(auction) => {
                let most = match public.rules() {
                    Rules::Cruce(rules) => rules.max_bid(),
                    Rules::Whist(_) => auction.cards_each() as u8,
                };
                (0..=most).map(Action::Bid).filter_map(refused).collect()
            }
            Phase::Playing(round) => {
                let why = |(card, illegal): (Card, Option<Illegal>)| {
                    let illegal = illegal.or_else(|| self.broken_duty(round, card))?;
                    Some((Action::Play { card, call: false }, illegal))
                };
                view.cards().into_iter().filter_map(why).collect()
            }
            Phase::Dealing | Phase::Over => Vec::new(),
        }
    }

    /// The duty that a card would break at an honour table, where it is not refused (C15).
    fn broken_duty(&self, round: &Round, card: Card) -> Option<Illegal> {
        let (hand, public) = (self.view.hand(), self.view.public());
        let Rules::Cruce(rules) = public.rules() else { return None };
        let is_lawful = public.lawful_cards(hand).contains(card);
        let overtake = rules.spec().overtake;
        let ladder = Ladder::climb(hand, round.trick().lead(), round.trump(), overtake);
        ladder.refusal(card).filter(|_| !is_lawful)
    }

    /// Whether this is an honour table, as a word for phrases.
    fn honour_word(&self) -> &'static str {
        if self.view.public().rules().honour() { "yes" } else { "no" }
    }

    fn call_worth(&self, card: Card) -> u8 {
        let trump = self.view.public().round().and_then(Round::trump).unwrap_or(card.suit());
        cruce::worth_of_call(card.suit(), Some(trump))
    }

    /// The choices, best first, with how much less they are worth.
    fn table(&self, phrases: &Phrases) -> String {
        let mut rows = Columns::new("<>");
        for choice in self.choices() {
            let worth = decimal(phrases, self.compared_with_best(choice), 2);
            rows.row([self.name(phrases, choice.action), worth]);
        }
        let mut lines = vec![phrases.hint_compared()];
        lines.extend(rows.lines("  ", 3));
        lines.join("\n")
    }

    /// The bids that were not weighed. Leads without a call are left out.
    fn unweighed_line(&self, phrases: &Phrases) -> Option<String> {
        let bids = self.unweighed.iter().filter(|action| is_bid(action));
        let names: Vec<String> = bids.map(|bid| self.name(phrases, *bid)).collect();
        let line = || wrap(&phrases.hint_unweighed(phrases.list_and(&names)), "", "");
        (!names.is_empty()).then(line)
    }

    /// The forbidden actions, grouped by reason.
    fn refused_lines(&self, phrases: &Phrases) -> Option<String> {
        let rules = self.view.public().rules();
        let mut reasons: Vec<(Illegal, Vec<Action>)> = Vec::new();
        for (action, illegal) in self.refused() {
            match reasons.iter_mut().find(|(other, _)| *other == illegal) {
                Some((_, actions)) => actions.push(action),
                None => reasons.push((illegal, vec![action])),
            }
        }
        let mut lines = vec![phrases.hint_refused(self.honour_word())];
        for (illegal, actions) in &reasons {
            let what = capitalised(&self.all_of(phrases, actions));
            let why = phrases.refusal(illegal, rules);
            lines.push(wrap(&format!("{what} – {why}"), "  ", "    "));
        }
        (lines.len() > 1).then(|| lines.join("\n"))
    }

    /// The name of an action in a row of the table.
    fn name(&self, phrases: &Phrases, action: Action) -> String {
        let rules = self.view.public().rules();
        match action {
            Action::Bid(bid) => phrases.bid(rules, bid),
            Action::Play { card, call } => {
                let name = phrases.card(rules.pack(), card);
                if call { phrases.with_call(name) } else { name }
            }
            Action::Accept | Action::Challenge { .. } => self.advice(phrases),
        }
    }

    /// The name of an action in a sentence, with an article.
    fn name_with_article(&self, phrases: &Phrases, action: Action) -> String {
        match action {
            Action::Play { card, call } => {
                let name = phrases.the_card(self.view.public().rules().pack(), card);
                if call { phrases.with_call(name) } else { name }
            }
            _ => self.name(phrases, action),
        }
    }

    fn one_of(&self, phrases: &Phrases, actions: &[Action]) -> String {
        let names: Vec<String> = actions.iter().map(|action| self.name(phrases, *action)).collect();
        match cards(actions) {
            Some(cards) => phrases.one_of(self.view.public().rules().pack(), cards),
            None => phrases.list_or(&names),
        }
    }

    fn all_of(&self, phrases: &Phrases, actions: &[Action]) -> String {
        let names: Vec<String> = actions.iter().map(|action| self.name(phrases, *action)).collect();
        match cards(actions) {
            Some(cards) => phrases.all_of(self.view.public().rules().pack(), cards),
            None => phrases.list_and(&names),
        }
    }
}

fn is_bid(action: &Action) -> bool {
    matches!(action, Action::Bid(_))
}

/// The cards of the actions. Returns None if one of them does not play a card.
fn cards(actions: &[Action]) -> Option<CardSet> {
    let card = |action: &Action| match action {
        Action::Play { card, .. } => Some(*card),
        _ => None,
    };
    actions.iter().map(card).collect()
}

/// A number with this many digits after the point; never a negative zero.
fn decimal(phrases: &Phrases, number: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", number.abs());
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let sign = if number < 0.0 && !is_zero { "−" } else { "" };
    match text.split_once('.') {
        Some((whole, part)) => format!("{sign}{}", phrases.decimal(whole, part)),
        None => format!("{sign}{text}"),
    }
}

/// A whole number with separated thousands.
fn whole(phrases: &Phrases, number: u128) -> String {
    if number < 1000 {
        return number.to_string();
    }
    phrases.thousands(whole(phrases, number / 1000), format!("{:03}", number % 1000))
}

#[cfg(test)]
mod tests;
