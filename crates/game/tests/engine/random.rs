//! Reproducible random choices, rules and matches for the tests.

use cards::{Seat, Side};
use game::cruce::{self, AllPass, BidOn, Calls, Enforcement};
use game::deal::{Dealer, Seed};
use game::event::{Event, Events};
use game::whist::{self, DealOrder};
use game::{Action, Rules, RulesSpec, Table};

/// A random stream from a number (SplitMix64).
#[derive(Clone, Debug)]
pub struct Rng(pub u64);

impl Rng {
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.draw() % bound as u64) as usize
    }

    pub fn coin(&mut self) -> bool {
        self.draw() & 1 == 1
    }

    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    pub fn seed(&mut self) -> Seed {
        let mut bytes = [0; 32];
        bytes.chunks_mut(8).for_each(|chunk| chunk.copy_from_slice(&self.draw().to_le_bytes()));
        Seed(bytes)
    }

    /// Any rules of either game, every option drawn.
    pub fn rules(&mut self) -> Rules {
        if self.coin() { self.whist_rules() } else { self.cruce_rules() }
    }

    pub fn cruce_rules(&mut self) -> Rules {
        let (players, teams) = self.one_of(&[(2, false), (3, false), (4, false), (4, true)]);
        let spec = cruce::Spec {
            players,
            teams,
            target: self.one_of(&[3, 11, 15, 21]),
            margin: self.one_of(&[1, 2, 3]),
            max_bid: self.one_of(&[1, 4, 5, 6, 6]),
            bid_on: self.one_of(&[BidOn::Full, BidOn::Three]),
            all_pass: self.one_of(&[AllPass::Opener, AllPass::Redeal]),
            overtake: self.coin(),
            calls: self.one_of(&[Calls::Declared, Calls::Automatic]),
            others_score_on_failure: self.coin(),
            enforcement: self.one_of(&[Enforcement::Enforced, Enforcement::Honour]),
        };
        RulesSpec::Cruce(spec).check().expect("valid options")
    }

    pub fn whist_rules(&mut self) -> Rules {
        let spec = whist::Spec {
            players: self.one_of(&[3, 4, 5, 6]),
            order: self.one_of(&[DealOrder::OneEightOne, DealOrder::EightOneEight]),
            trump_in_ones: self.coin(),
            prize: self.one_of(&[10, 5, 0]),
        };
        RulesSpec::Whist(spec).check().expect("valid options")
    }

    /// A seat that may act, and an action it may do.
    ///
    /// High bids of Cruce, cards that break a duty and challenges are rare, and
    /// rarer in long matches; otherwise the scores would only fall and no match
    /// would end.
    pub fn action(&mut self, table: &Table) -> (Seat, Action) {
        let public = table.public();
        let players = seats(table.rules().players());
        let early = public.number() < 30;
        let challenging = table.rules().honour() && early && self.below(60) == 0;
        if challenging || public.turn().is_none() {
            let accepting = public.turn().is_none() && self.below(8) > 0;
            let seat = self.one_of(&players);
            let mut actions = public.actions(seat, table.hand(seat));
            actions.retain(|action| match action {
                Action::Accept => accepting,
                action => !accepting && matches!(action, Action::Challenge { .. }),
            });
            return match actions.as_slice() {
                [] => self.action(table),
                some => (seat, self.one_of(some)),
            };
        }
        let turn = public.turn().expect("a seat must act");
        let hand = table.hand(turn);
        let lawful = public.lawful_cards(hand);
        let revoking = early && self.below(60) == 0;
        let mut actions = public.actions(turn, hand);
        actions.retain(|action| match action {
            Action::Play { card, .. } => revoking || lawful.contains(*card),
            action => matches!(action, Action::Bid(_)),
        });
        let cruce = matches!(table.rules(), Rules::Cruce(_));
        if cruce && matches!(actions[0], Action::Bid(_)) {
            let mut at = 0;
            while at + 1 < actions.len() && self.below(if early { 5 } else { 12 }) == 0 {
                at += 1;
            }
            return (turn, actions[at]);
        }
        (turn, self.one_of(&actions))
    }
}

pub fn seats(players: usize) -> Vec<Seat> {
    Seat::first(players).collect()
}

pub fn sides(rules: &Rules) -> Vec<Side> {
    Side::first(rules.sides()).collect()
}

/// A match of random actions, played step by step.
#[derive(Clone, Debug)]
pub struct Match {
    pub table: Table,
    pub dealer: Dealer,
    pub rng: Rng,
}

impl Match {
    pub fn new(rules: Rules, mut rng: Rng) -> Match {
        let dealer = Dealer::new(rules, rng.seed());
        Match { table: Table::new(rules, dealer.first_seat()), dealer, rng }
    }

    /// Deals or acts once; returns the events and the action that caused them.
    pub fn step(&mut self) -> Option<(Events, Option<(Seat, Action)>)> {
        if self.table.is_over() {
            return None;
        }
        let (events, by) = if self.table.wants_deal() {
            let public = self.table.public();
            let deal = self.dealer.deal(public.number(), public.first()).expect("another deal");
            (self.table.deal(deal).expect("a fair deal"), None)
        } else {
            let (seat, action) = self.rng.action(&self.table);
            (self.table.decide(seat, action).expect("a listed action"), Some((seat, action)))
        };
        self.apply(&events);
        Some((events, by))
    }

    pub fn apply(&mut self, events: &[Event]) {
        for event in events {
            self.table.apply(event).unwrap_or_else(|_| panic!("{event:?} does not fit"));
        }
    }
}
