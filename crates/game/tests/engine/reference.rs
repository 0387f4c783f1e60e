//! A slow, naive reference engine for Cruce and Romanian whist.
//!
//! It exists only to be compared, move by move, with the real engine. It was written from the
//! rules alone (clauses C1 to C15 and W1 to W8) and shares no code with the engine. A card is a
//! rank and a suit: "4l" is the IV of leaf in Cruce, "Th" the ten of hearts in whist. Seats, sides
//! and tricks count from 0.

use std::collections::BTreeSet;

/// Ranks, strongest first, and suits: bell, leaf, acorn, heart (C1).
const CRUCE_RANKS: &str = "AX4329";
const CRUCE_SUITS: &str = "blah";
/// Ranks, strongest first, and suits: clubs, spades, diamonds, hearts (W1).
const WHIST_RANKS: &str = "AKQJT9876543";
const WHIST_SUITS: &str = "csdh";

/// The game and its options.
#[derive(Clone, Debug)]
pub enum Options {
    Cruce {
        players: usize,
        teams: bool,
        target: i64,
        margin: i64,
        max_bid: u32,
        bid_on_three: bool,
        all_pass_redeal: bool,
        overtake: bool,
        automatic_calls: bool,
        others_score_on_failure: bool,
        honour: bool,
    },
    Whist {
        players: usize,
        /// True for 1-8-1, false for 8-1-8 (W2).
        start_with_ones: bool,
        trump_in_ones: bool,
        /// 10, 5, or 0 for off (W7).
        prize: i64,
    },
}
use Options::{Cruce, Whist};

/// How a deal ended, per side.
#[derive(Clone, Debug, PartialEq)]
pub struct DealResult {
    pub thrown_in: Option<ThrownIn>,
    /// Cruce: points with calls; whist: tricks taken.
    pub points: Vec<i64>,
    /// The change of the score, without the prize.
    pub change: Vec<i64>,
    /// Whist prizes; zeros for Cruce.
    pub prize: Vec<i64>,
}

/// Why a deal was not played to its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ThrownIn {
    AllPassed,
    Revoke { seat: usize },
}

/// Every card of the pack (C1, W1).
pub fn deck(options: &Options) -> Vec<String> {
    let (ranks, suits, size) = match options {
        Cruce { .. } => (CRUCE_RANKS, CRUCE_SUITS, 24),
        Whist { players, .. } => (WHIST_RANKS, WHIST_SUITS, 8 * players),
    };
    let mut pack = Vec::new();
    for rank in ranks.chars() {
        for suit in suits.chars() {
            if pack.len() < size {
                pack.push(format!("{rank}{suit}"));
            }
        }
    }
    pack
}

fn rank_of(card: &str) -> char {
    card.chars().next().expect("a card has a rank")
}

fn suit_of(card: &str) -> char {
    card.chars().nth(1).expect("a card has a suit")
}

/// The worth of a Cruce card (C1).
fn card_points(card: &str) -> i64 {
    match rank_of(card) {
        'A' => 11,
        'X' => 10,
        '4' => 4,
        '3' => 3,
        '2' => 2,
        '9' => 0,
        other => panic!("no such Cruce rank: {other}"),
    }
}

/// The other card of a pair of III and IV, if this card is one of the two (C10).
fn other_of_pair(card: &str) -> Option<String> {
    match rank_of(card) {
        '3' => Some(format!("4{}", suit_of(card))),
        '4' => Some(format!("3{}", suit_of(card))),
        _ => None,
    }
}

fn of_suit(cards: &[String], suit: char) -> Vec<String> {
    let mut found = Vec::new();
    for card in cards {
        if suit_of(card) == suit {
            found.push(card.clone());
        }
    }
    found
}

/// The card that takes the trick: the highest trump, or else the highest of the suit led (C9, W5).
fn taking_card(ranks: &str, trump: Option<char>, table: &[String]) -> String {
    let mut candidates = of_suit(table, suit_of(&table[0]));
    if let Some(trump) = trump
        && !of_suit(table, trump).is_empty()
    {
        candidates = of_suit(table, trump);
    }
    // Ranks are listed strongest first.
    for rank in ranks.chars() {
        for card in &candidates {
            if rank_of(card) == rank {
                return card.clone();
            }
        }
    }
    panic!("nothing takes {table:?}");
}

/// The cards of a hand that obey follow, trump and overtake, in that order (C8, W5).
fn dutiful_cards(
    ranks: &str,
    trump: Option<char>,
    overtake: bool,
    table: &[String],
    hand: &[String],
) -> Vec<String> {
    // The leader may play anything.
    if table.is_empty() {
        return hand.to_vec();
    }
    // Duty 1: the suit led. Duty 2: with none of it, a trump. With neither, anything.
    let mut left = of_suit(hand, suit_of(&table[0]));
    if left.is_empty()
        && let Some(trump) = trump
    {
        left = of_suit(hand, trump);
    }
    if left.is_empty() {
        left = hand.to_vec();
    }
    // Duty 3: among those, one that would take the trick as it lies on the table.
    let mut winning = Vec::new();
    for card in &left {
        let mut table_with_it = table.to_vec();
        table_with_it.push(card.clone());
        if taking_card(ranks, trump, &table_with_it) == *card {
            winning.push(card.clone());
        }
    }
    if overtake && !winning.is_empty() {
        return winning;
    }
    left
}

/// What each side scores for a Cruce deal played to its end (C11).
fn cruce_change(points: &[i64], declaring: usize, bid: u32, others_score: bool) -> Vec<i64> {
    let mut change = Vec::new();
    for made in points {
        change.push(made / 33);
    }
    if points[declaring] < 33 * i64::from(bid) {
        if !others_score {
            change = vec![0; points.len()];
        }
        change[declaring] = -i64::from(bid);
    }
    change
}

/// Whether the leading side has the target and the margin (C12).
fn cruce_is_over(scores: &[i64], target: i64, margin: i64) -> bool {
    let mut best_first = scores.to_vec();
    best_first.sort();
    best_first.reverse();
    best_first[0] >= target && best_first[0] - best_first[1] >= margin
}

/// What a player scores for a whist deal (W6).
fn whist_change(bid: i64, tricks: i64) -> i64 {
    if bid == tricks {
        return 5 + tricks;
    }
    -(bid - tricks).abs()
}

/// A player's run after one more deal of two cards or more, and their prize (W7).
fn run_and_prize(run: i64, right: bool, prize: i64) -> (i64, i64) {
    let run = match (right, run > 0, run < 0) {
        (true, true, _) => run + 1,
        (true, false, _) => 1,
        (false, _, true) => run - 1,
        (false, _, false) => -1,
    };
    match run {
        5 => (0, prize),
        -5 => (0, -prize),
        _ => (run, 0),
    }
}

/// The number of cards each player gets, deal after deal, in a whist match (W2).
fn whist_deals(players: usize, start_with_ones: bool) -> Vec<usize> {
    let mut sizes = vec![8, 7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7, 8];
    if start_with_ones {
        sizes = vec![1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1];
    }
    let mut deals = Vec::new();
    for size in sizes {
        let ends = size == 1 || size == 8;
        let times = if ends { players } else { 1 };
        deals.extend(vec![size; times]);
    }
    deals
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    WantsDeal,
    Bidding,
    Playing,
    AwaitingAcceptance,
    Over,
}

/// The deal in progress or, between deals, the rest of the last one.
#[derive(Clone, Debug, Default)]
struct Deal {
    hands: Vec<Vec<String>>,
    stock: Vec<String>,
    turned: Option<String>,
    trump: Option<char>,
    turn: usize,
    /// In the order they were made, beginning with the first player's.
    bids: Vec<u32>,
    declarer: Option<(usize, u32)>,
    table: Vec<String>,
    trick_winners: Vec<usize>,
    points: Vec<i64>,
    call_worth: Vec<(usize, i64)>,
    shown: Vec<(usize, String)>,
    /// Trick and seat of every card that broke C8, and of every card that was challenged.
    unlawful: BTreeSet<(usize, usize)>,
    judged: BTreeSet<(usize, usize)>,
    wrong_challenges: Vec<usize>,
    accepted: BTreeSet<usize>,
}

impl Deal {
    fn new(players: usize, sides: usize) -> Deal {
        Deal {
            hands: vec![Vec::new(); players],
            points: vec![0; sides],
            wrong_challenges: vec![0; players],
            ..Deal::default()
        }
    }
}

/// A match, from the first deal to the winner.
#[derive(Clone, Debug)]
pub struct Match {
    options: Options,
    players: usize,
    sides: usize,
    is_cruce: bool,
    honour: bool,
    ranks: &'static str,
    phase: Phase,
    first: usize,
    deals_done: usize,
    scores: Vec<i64>,
    runs: Vec<i64>,
    last_result: Option<DealResult>,
    deal: Deal,
}

impl Match {
    /// A match before its first deal; `first` bids first in that deal.
    pub fn new(options: Options, first: usize) -> Match {
        let (players, sides) = match options {
            Cruce { players, teams, .. } => (players, if teams { 2 } else { players }),
            Whist { players, .. } => (players, players),
        };
        assert!(first < players);
        let is_cruce = matches!(options, Cruce { .. });
        Match {
            players,
            sides,
            is_cruce,
            honour: matches!(options, Cruce { honour: true, .. }),
            ranks: if is_cruce { CRUCE_RANKS } else { WHIST_RANKS },
            phase: Phase::WantsDeal,
            first,
            deals_done: 0,
            scores: vec![0; sides],
            runs: vec![0; if is_cruce { 0 } else { players }],
            last_result: None,
            deal: Deal::new(players, sides),
            options,
        }
    }

    /// Partners sit opposite each other (C2); otherwise every seat is its own side.
    fn side_of(&self, seat: usize) -> usize {
        seat % self.sides
    }

    fn zeros(&self) -> Vec<i64> {
        vec![0; self.sides]
    }

    fn seat_after(&self, seat: usize) -> usize {
        (seat + 1) % self.players
    }

    pub fn wants_deal(&self) -> bool {
        self.phase == Phase::WantsDeal
    }

    /// Cards for each seat in the deal to come or in progress (C5, W2).
    pub fn cards_each(&self) -> usize {
        match self.options {
            Cruce { players: 4, .. } => 6,
            Cruce { .. } => 8,
            Whist { start_with_ones, .. } => {
                let deals = whist_deals(self.players, start_with_ones);
                // After the end of the match, as in its last deal.
                deals[self.deals_done.min(deals.len() - 1)]
            }
        }
    }

    pub fn first(&self) -> usize {
        self.first
    }

    /// Deals the shuffled pack, a card at a time, beginning with the first player (C5, W2, W3).
    pub fn deal(&mut self, pack: &[String]) {
        assert!(self.wants_deal());
        let given: BTreeSet<String> = pack.iter().cloned().collect();
        let whole: BTreeSet<String> = deck(&self.options).into_iter().collect();
        assert!(pack.len() == whole.len() && given == whole, "not the pack");

        let mut deal = Deal::new(self.players, self.sides);
        deal.turn = self.first;
        let mut rest = pack.to_vec();
        let mut seat = self.first;
        for _ in 0..self.cards_each() * self.players {
            deal.hands[seat].push(rest.remove(0));
            seat = self.seat_after(seat);
        }
        match self.options {
            // Only with two players are cards left over (C5).
            Cruce { .. } => deal.stock = rest,
            // Deals of 8 have no trump, and leave no card to turn (W3).
            Whist { trump_in_ones, .. } => {
                if !rest.is_empty() && (self.cards_each() > 1 || trump_in_ones) {
                    deal.turned = Some(rest[0].clone());
                    deal.trump = Some(suit_of(&rest[0]));
                }
            }
        }
        self.deal = deal;
        self.phase = Phase::Bidding;
    }

    pub fn turned(&self) -> Option<String> {
        self.deal.turned.clone()
    }

    pub fn trump(&self) -> Option<char> {
        self.deal.trump
    }

    pub fn bidding(&self) -> bool {
        self.phase == Phase::Bidding
    }

    pub fn playing(&self) -> bool {
        self.phase == Phase::Playing
    }

    pub fn awaits_acceptance(&self) -> bool {
        self.phase == Phase::AwaitingAcceptance
    }

    pub fn turn(&self) -> Option<usize> {
        (self.bidding() || self.playing()).then_some(self.deal.turn)
    }

    /// What the seat in turn may bid, in ascending order (C6, W4).
    pub fn legal_bids(&self) -> Vec<u32> {
        let mut legal = Vec::new();
        if !self.bidding() {
            return legal;
        }
        match self.options {
            Cruce { max_bid, .. } => {
                for bid in 0..=max_bid {
                    if bid == 0 || self.deal.bids.iter().all(|earlier| bid > *earlier) {
                        legal.push(bid);
                    }
                }
            }
            Whist { .. } => {
                let cards = self.cards_each() as u32;
                let sum: u32 = self.deal.bids.iter().sum();
                let is_last = self.deal.bids.len() + 1 == self.players;
                for bid in 0..=cards {
                    if !is_last || sum + bid != cards {
                        legal.push(bid);
                    }
                }
            }
        }
        legal
    }

    pub fn bid(&mut self, bid: u32) {
        assert!(self.legal_bids().contains(&bid), "{bid} may not be bid");
        let seat = self.deal.turn;
        self.deal.bids.push(bid);
        self.deal.turn = self.seat_after(seat);
        // Every bid above 0 is higher than all before it (C6).
        if self.is_cruce && bid > 0 {
            self.deal.declarer = Some((seat, bid));
        }
        if self.deal.bids.len() < self.players {
            return;
        }
        self.phase = Phase::Playing;
        if let Cruce { all_pass_redeal: redeal, .. } = self.options {
            if redeal && self.deal.declarer.is_none() {
                self.finish_deal(Some(ThrownIn::AllPassed), self.zeros(), self.zeros());
                return;
            }
            // When all pass, the seat after the dealer declares with 0 (C6).
            let declarer = self.deal.declarer.unwrap_or((self.first, 0));
            self.deal.declarer = Some(declarer);
            // The declarer leads (C7); in whist the first player, who is in turn again (W2).
            self.deal.turn = declarer.0;
        }
    }

    /// Who won the bidding, once it is over.
    pub fn declarer(&self) -> Option<(usize, u32)> {
        if self.bidding() {
            return None;
        }
        self.deal.declarer
    }

    /// The cards of its own hand that the seat sees: three while bids are made on three (C6).
    pub fn visible_hand(&self, seat: usize) -> Vec<String> {
        let hand = self.deal.hands[seat].clone();
        match self.options {
            Cruce { bid_on_three, .. } if bid_on_three && self.bidding() => hand[0..3].to_vec(),
            _ => hand,
        }
    }

    /// The cards that the duties allow the seat in turn (C8, C13, W5).
    pub fn lawful_cards(&self) -> Vec<String> {
        if !self.playing() {
            return Vec::new();
        }
        let deal = &self.deal;
        let hand = &deal.hands[deal.turn];
        // No duty while the stock lasts (C13).
        if !deal.stock.is_empty() {
            return hand.clone();
        }
        let overtake = matches!(self.options, Cruce { overtake: true, .. });
        dutiful_cards(self.ranks, deal.trump, overtake, &deal.table, hand)
    }

    /// The cards that the seat in turn can play: on an honour table, every card (C15).
    pub fn playable_cards(&self) -> Vec<String> {
        if self.playing() && self.honour {
            return self.deal.hands[self.deal.turn].clone();
        }
        self.lawful_cards()
    }

    /// The cards the seat on lead may lead with a call (C10).
    pub fn callable(&self) -> Vec<String> {
        let mut cards = Vec::new();
        if self.is_cruce && self.playing() && self.deal.table.is_empty() {
            let hand = &self.deal.hands[self.deal.turn];
            for card in hand {
                if other_of_pair(card).is_some_and(|other| hand.contains(&other)) {
                    cards.push(card.clone());
                }
            }
        }
        cards
    }

    pub fn play(&mut self, card: &str, call: bool) {
        let card = card.to_string();
        assert!(self.playable_cards().contains(&card), "{card}: not now");
        let can_call = self.callable().contains(&card);
        let calls = match self.options {
            Cruce { automatic_calls: true, .. } => can_call,
            _ => call,
        };
        assert!(can_call || !calls, "{card} may not be called");
        let seat = self.deal.turn;
        if !self.lawful_cards().contains(&card) {
            let trick = self.deal.trick_winners.len();
            self.deal.unlawful.insert((trick, seat));
        }

        self.deal.hands[seat].retain(|held| *held != card);
        self.deal.table.push(card.clone());
        // The first card led makes its suit trump (C7).
        if self.is_cruce && self.deal.trump.is_none() {
            self.deal.trump = Some(suit_of(&card));
        }
        if calls {
            // The call counts at once (C10).
            let in_trump = self.deal.trump == Some(suit_of(&card));
            let worth = if in_trump { 40 } else { 20 };
            let side = self.side_of(seat);
            self.deal.points[side] += worth;
            self.deal.call_worth.push((seat, worth));
            let other = other_of_pair(&card).expect("a III or a IV");
            self.deal.shown.push((seat, other));
        }
        self.deal.turn = self.seat_after(seat);
        if self.deal.table.len() == self.players {
            self.finish_trick();
        }
    }

    fn finish_trick(&mut self) {
        // Every seat has played, so the leader is in turn again.
        let mut winner = self.deal.turn;
        let taking = taking_card(self.ranks, self.deal.trump, &self.deal.table);
        for card in &self.deal.table {
            if *card == taking {
                break;
            }
            winner = self.seat_after(winner);
        }
        let side = self.side_of(winner);
        // A trick is worth its cards (C11), or one in whist.
        let cards = self.deal.table.iter();
        let worth = match self.options {
            Cruce { .. } => cards.map(|card| card_points(card)).sum(),
            Whist { .. } => 1,
        };
        self.deal.points[side] += worth;
        self.deal.trick_winners.push(winner);
        self.deal.table.clear();
        self.deal.turn = winner;
        // Both draw, the winner first (C13).
        if !self.deal.stock.is_empty() {
            let loser = self.seat_after(winner);
            for seat in [winner, loser] {
                let drawn = self.deal.stock.remove(0);
                self.deal.hands[seat].push(drawn);
            }
        }
        if self.deal.hands.iter().all(|hand| hand.is_empty()) {
            self.phase = Phase::AwaitingAcceptance;
            if !self.honour {
                self.score_deal();
            }
        }
    }

    pub fn call_worth(&self) -> Vec<(usize, i64)> {
        self.deal.call_worth.clone()
    }

    /// The other cards of called pairs, while they are still in hand (C10).
    pub fn shown(&self, seat: usize) -> Vec<String> {
        let mut cards = Vec::new();
        for (caller, card) in &self.deal.shown {
            if *caller == seat && self.deal.hands[seat].contains(card) {
                cards.push(card.clone());
            }
        }
        cards
    }

    pub fn trick_winners(&self) -> Vec<usize> {
        self.deal.trick_winners.clone()
    }

    pub fn points(&self) -> Vec<i64> {
        self.deal.points.clone()
    }

    /// Whether this seat may challenge the card of the accused in that finished trick (C15).
    pub fn may_challenge(&self, by: usize, trick: usize, accused: usize) -> bool {
        self.honour
            && (self.playing() || self.awaits_acceptance())
            && by < self.players
            && accused < self.players
            && self.side_of(by) != self.side_of(accused)
            && trick < self.deal.trick_winners.len()
            && self.deal.wrong_challenges[by] < 2
            && !self.deal.judged.contains(&(trick, accused))
    }

    /// Judges the card; returns true if it was unlawful, and then throws the deal in (C15).
    pub fn challenge(&mut self, by: usize, trick: usize, accused: usize) -> bool {
        assert!(self.may_challenge(by, trick, accused));
        self.deal.judged.insert((trick, accused));
        let upheld = self.deal.unlawful.contains(&(trick, accused));
        if upheld {
            let mut change = self.zeros();
            change[self.side_of(accused)] = -3;
            let revoke = ThrownIn::Revoke { seat: accused };
            self.finish_deal(Some(revoke), change, self.zeros());
        } else {
            self.deal.wrong_challenges[by] += 1;
        }
        upheld
    }

    pub fn may_accept(&self, seat: usize) -> bool {
        self.awaits_acceptance() && seat < self.players && !self.deal.accepted.contains(&seat)
    }

    pub fn accept(&mut self, seat: usize) {
        assert!(self.may_accept(seat));
        self.deal.accepted.insert(seat);
        if self.deal.accepted.len() == self.players {
            self.score_deal();
        }
    }

    /// Scores a deal played to its end (C11, W6, W7).
    fn score_deal(&mut self) {
        let points = self.points();
        let mut change = self.zeros();
        let mut prizes = self.zeros();
        match self.options {
            Cruce { others_score_on_failure, .. } => {
                let (seat, bid) = self.deal.declarer.expect("a seat declared");
                let side = self.side_of(seat);
                change = cruce_change(&points, side, bid, others_score_on_failure);
            }
            Whist { prize, .. } => {
                let mut seat = self.first;
                for bid in self.deal.bids.clone() {
                    let bid = i64::from(bid);
                    let tricks = points[seat];
                    change[seat] = whist_change(bid, tricks);
                    // Deals of one card neither count nor break a run (W7).
                    if self.cards_each() > 1 {
                        let (run, won) = run_and_prize(self.runs[seat], bid == tricks, prize);
                        self.runs[seat] = run;
                        prizes[seat] = won;
                    }
                    seat = self.seat_after(seat);
                }
            }
        }
        self.finish_deal(None, change, prizes);
    }

    /// Records the result, passes the deal on, and ends the match if it is over.
    fn finish_deal(&mut self, thrown_in: Option<ThrownIn>, change: Vec<i64>, prize: Vec<i64>) {
        for side in 0..self.sides {
            self.scores[side] += change[side] + prize[side];
        }
        let points = self.points();
        self.last_result = Some(DealResult { thrown_in, points, change, prize });
        // Cards thrown in are no longer in a hand.
        self.deal.hands = vec![Vec::new(); self.players];
        // The deal passes to the next seat (C4, W2).
        self.first = self.seat_after(self.first);
        self.deals_done += 1;
        let over = match self.options {
            Cruce { target, margin, .. } => cruce_is_over(&self.scores, target, margin),
            // 3n+12 deals (W2, W8).
            Whist { players, .. } => self.deals_done == 3 * players + 12,
        };
        self.phase = if over { Phase::Over } else { Phase::WantsDeal };
    }

    pub fn scores(&self) -> Vec<i64> {
        self.scores.clone()
    }

    pub fn runs(&self) -> Vec<i64> {
        self.runs.clone()
    }

    pub fn last_result(&self) -> Option<DealResult> {
        self.last_result.clone()
    }

    pub fn over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// The sides with the best total once the match is over (C12, W8).
    pub fn winners(&self) -> Vec<usize> {
        let mut winners = Vec::new();
        for side in 0..self.sides {
            if self.over() && self.scores.iter().all(|score| *score <= self.scores[side]) {
                winners.push(side);
            }
        }
        winners
    }
}

mod tests;
