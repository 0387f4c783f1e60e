//! Matches of all kinds of rules in which bots are asked one question at a time.

use bots::{Bot, Level, Limit};
use cards::Seat;
use game::deal::{Dealer, Seed};
use game::event::{Events, Viewer};
use game::{Action, Rules, RulesSpec, Table, View, cruce};

/// Every kind of rules: each game, each option and the presets.
pub const KINDS: [&str; 30] = [
    "cruce2",
    "cruce3",
    "cruce4t",
    "cruce4s",
    "contest2",
    "contest3",
    "contest4s",
    "contest4t",
    "cruce4t-11",
    "cruce4t-auto",
    "cruce2-auto",
    "cruce3-redeal",
    "cruce4t-on3-redeal",
    "cruce2-on3",
    "cruce4s-nobeat",
    "cruce4t-15-m1-b4-noothers",
    "cruce2-honour",
    "cruce3-auto-honour",
    "cruce4t-honour",
    "cruce4s-honour-on3",
    "contest4t-honour-redeal",
    "whist3",
    "whist4",
    "whist5",
    "whist6",
    "whist3-818",
    "whist4-818-plain1",
    "whist5-plain1-p5",
    "whist6-p0",
    "whist4-p5",
];

/// More deals than any match takes; whist has a fixed number.
pub const MAX_DEALS: usize = 1_000;

pub use crate::lot::Lot;

/// The seed of a number, so that failures can name it.
pub fn seed(number: u64) -> Seed {
    Lot(number).seed()
}

/// The rules of a code.
pub fn rules(code: &str) -> Rules {
    Rules::from_code(code).unwrap_or_else(|faults| panic!("{code}: {faults}"))
}

/// The code of the same rules with a match that ends early.
pub fn shorter(code: &str) -> String {
    match rules(code) {
        Rules::Cruce(rules) => {
            let spec = cruce::Spec { target: 3, margin: 1, ..*rules.spec() };
            RulesSpec::Cruce(spec).check().expect("a target like any other").code()
        }
        Rules::Whist(_) => code.into(),
    }
}

/// The actions of a seat that break no duty and challenge no card (C8, C15).
pub fn lawful(view: &View) -> Vec<Action> {
    let lawful = view.public().lawful_cards(view.hand());
    let mut actions = view.actions();
    actions.retain(|action| match action {
        Action::Play { card, .. } => lawful.contains(*card),
        Action::Bid(_) | Action::Accept => true,
        Action::Challenge { .. } => false,
    });
    actions
}

/// The action of a bot: there must be one, it must break no duty, and challenge only if it may.
#[track_caller]
pub fn ask(bot: &mut dyn Bot, level: Level, view: &View, number: u64, limit: Limit<'_>) -> Action {
    let context = || format!("seed {number}, {limit:?}: {view}");
    let action = bot.act(view, seed(number), limit);
    let action = action.unwrap_or_else(|| panic!("{level} does nothing, {}", context()));
    let may = match action {
        Action::Challenge { .. } => view.check(action).is_ok(),
        _ => lawful(view).contains(&action),
    };
    assert!(may, "{level} does {action:?}, {}", context());
    action
}

/// A match, deal by deal, with the actions of the current deal.
#[derive(Clone, Debug)]
pub struct Match {
    pub number: u64,
    pub table: Table,
    /// The table before the current deal.
    pub before: Table,
    /// All actions of the current deal.
    pub done: Vec<(Seat, Action)>,
    dealer: Dealer,
}

impl Match {
    pub fn new(code: &str, number: u64) -> Match {
        let rules = rules(code);
        let dealer = Dealer::new(rules, seed(number));
        let table = Table::new(rules, dealer.first_seat());
        Match { number, before: table.clone(), table, done: Vec::new(), dealer }
    }

    /// A match that starts with the deal of this index.
    pub fn at_deal(code: &str, number: u64, deal: usize) -> Match {
        let mut one = Match::new(code, number);
        one.table = Table::at_deal(*one.table.rules(), one.dealer.first_seat(), deal);
        one
    }

    /// The seat that must act next, after dealing if needed; `None` when the match is over.
    pub fn next(&mut self) -> Option<Seat> {
        if self.table.wants_deal() {
            (self.before, self.done) = (self.table.clone(), Vec::new());
            let public = self.table.public();
            let deal = self.dealer.deal(public.number(), public.first()).expect("another deal");
            let events = self.table.deal(deal).expect("the dealer keeps the rules");
            events.iter().for_each(|event| self.table.apply(event).expect("it was just dealt"));
        }
        let waited_for = |seat: &Seat| self.table.check(*seat, Action::Accept).is_ok();
        let mut seats = Seat::first(self.table.rules().players());
        self.table.public().turn().or_else(|| seats.find(waited_for))
    }

    pub fn view(&self, seat: Seat) -> View {
        self.table.view(Viewer::Seat(seat))
    }

    /// Makes an action, which the table must accept, and returns its events.
    #[track_caller]
    pub fn act(&mut self, seat: Seat, action: Action, by: &str) -> Events {
        let events = self.table.decide(seat, action).unwrap_or_else(|why| {
            let view = self.view(seat);
            panic!("{by} does {action:?}, refused: {why}; match {}: {view}", self.number)
        });
        self.done.push((seat, action));
        events.iter().for_each(|event| self.table.apply(event).expect("a decided event fits"));
        events
    }

    /// The number of finished deals.
    pub fn deals(&self) -> usize {
        self.table.public().number()
    }
}

/// A random card, whether it breaks a duty or not (C15).
pub fn any_card(view: &View, lot: &mut Lot) -> Action {
    let mut actions = view.actions();
    actions.retain(|action| matches!(action, Action::Play { .. }));
    lot.one_of(&actions)
}

/// Plays one deal of a match of these rules by weak bots, which sometimes break a duty if the table
/// allows it, and calls `look` at every turn.
pub fn each_turn(code: &str, number: u64, mut look: impl FnMut(&Match, Seat, &View)) {
    let mut lot = Lot(number);
    let deal = match rules(code) {
        Rules::Cruce(_) => 0,
        Rules::Whist(rules) => lot.below(rules.deals()),
    };
    let mut game = Match::at_deal(code, number, deal);
    let mut players = [Level::Random, Level::Easy].map(|level| (level, level.bot()));
    while let Some(seat) = game.next().filter(|_| game.deals() == deal) {
        let view = game.view(seat);
        look(&game, seat, &view);
        let (level, bot) = &mut players[lot.below(2)];
        let action = match ask(bot.as_mut(), *level, &view, lot.draw(), Limit::nodes(0)) {
            Action::Play { .. } if lot.below(6) == 0 => any_card(&view, &mut lot),
            action => action,
        };
        game.act(seat, action, level.name());
    }
}

/// The same, but only for turns with a choice.
pub fn each_choice(code: &str, number: u64, mut look: impl FnMut(&Match, Seat, &View)) {
    each_turn(code, number, |game, seat, view| {
        if lawful(view).len() > 1 {
            look(game, seat, view);
        }
    });
}
