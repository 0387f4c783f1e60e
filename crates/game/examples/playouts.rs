//! Random playouts, for counting instructions and measuring speed.
//!
//! `playouts count NAME DEALS` plays that many deals and prints the moves made;
//! `playouts rate NAME SECONDS` plays for that long and prints moves per second.
//! NAME is the game with its players, then `-play` (one fixed deal, repeated),
//! `-deal` (every deal shuffled and dealt as a table does it) or `-table` (the
//! fixed deal on a [`Table`], with all its events). A move is a bid or a card;
//! every move is drawn from the legal ones.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use cards::{BySeat, BySide, Card, CardSet, Seat, Side};
use game::auction::Auction;
use game::deal::{Deal, Dealer, Seed};
use game::{Action, Rules, Table, cruce, whist};

/// Whist is played with seven cards each, as in the program it is compared with.
const WHIST_CARDS: usize = 7;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["count", name, deals] => match (Playouts::new(name), deals.parse::<u64>()) {
            (Some(mut playouts), Ok(deals)) => {
                let moves: u64 = (0..deals).map(|_| playouts.play_deal()).sum();
                println!("moves={moves}\nchecksum={}", playouts.checksum);
                ExitCode::SUCCESS
            }
            _ => usage(),
        },
        ["rate", name, seconds] => match (Playouts::new(name), seconds.parse::<u64>()) {
            (Some(mut playouts), Ok(seconds)) => {
                println!("moves_per_second={:.0}", playouts.rate(Duration::from_secs(seconds)));
                eprintln!("checksum={}", playouts.checksum);
                ExitCode::SUCCESS
            }
            _ => usage(),
        },
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: playouts count NAME DEALS | playouts rate NAME SECONDS");
    eprintln!("NAME: cruce4-play cruce4-deal cruce4-table whist4-play whist4-deal whist4-table …");
    ExitCode::from(2)
}

/// A fast random stream (a counter mixed by a wide multiplication).
struct Choice(u64);

impl Choice {
    #[inline]
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let wide = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        let drawn = (wide >> 64) as u64 ^ wide as u64;
        ((u128::from(drawn) * bound as u128) >> 64) as usize
    }

    #[inline]
    fn card(&mut self, legal: CardSet) -> Card {
        let at = self.below(legal.len());
        legal.nth(at).expect("a legal card")
    }
}

struct Playouts {
    rules: Rules,
    dealer: Dealer,
    /// The deal that is repeated; `None` if every deal is dealt anew.
    fixed: Option<Deal>,
    number: usize,
    /// Whether the deal is played on a [`Table`].
    live: bool,
    choice: Choice,
    /// Keeps the work from being optimised away; equal for equal deals.
    checksum: u64,
}

impl Playouts {
    fn new(name: &str) -> Option<Playouts> {
        let (game, what) = name.split_once('-')?;
        let rules = Rules::from_code(game).ok()?;
        let dealer = Dealer::new(rules, Seed([7; 32]));
        let mut playouts = Playouts {
            rules,
            dealer,
            fixed: None,
            number: 0,
            live: what == "table",
            choice: Choice(42),
            checksum: 0,
        };
        match what {
            "play" | "table" => playouts.fixed = Some(playouts.next_deal()),
            "deal" => {}
            _ => return None,
        }
        Some(playouts)
    }

    fn next_deal(&mut self) -> Deal {
        self.number += 1;
        let cards_each = match &self.rules {
            Rules::Cruce(rules) => rules.cards_each(),
            Rules::Whist(_) => WHIST_CARDS,
        };
        let pack = self.dealer.pack(self.number);
        Deal::from_pack(&self.rules, cards_each, Seat::default(), &pack)
    }

    fn rate(&mut self, time: Duration) -> f64 {
        #[allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
        let start = Instant::now();
        let mut moves = 0;
        loop {
            for _ in 0..1000 {
                moves += self.play_deal();
            }
            let passed = start.elapsed();
            if passed >= time {
                return moves as f64 / passed.as_secs_f64();
            }
        }
    }

    /// Plays one deal at random and returns how many moves it had.
    fn play_deal(&mut self) -> u64 {
        match self.fixed.take() {
            Some(deal) => {
                let moves = if self.live { self.play_at_table(&deal) } else { self.play(&deal) };
                self.fixed = Some(deal);
                moves
            }
            None => {
                let deal = self.next_deal();
                self.play(&deal)
            }
        }
    }

    fn play(&mut self, deal: &Deal) -> u64 {
        let rules = self.rules;
        let players = rules.players();
        let mut auction = Auction::new(&rules, deal.hands[Seat::default()].len(), deal.turned);
        for _ in 0..players {
            let legal = auction.legal();
            let at = self.choice.below(legal.len());
            let bid = legal.nth(at).expect("a legal bid");
            auction.bid(bid).expect("a legal bid");
        }
        let cards = match &rules {
            Rules::Cruce(rules) => self.play_cruce(rules, deal, &auction),
            Rules::Whist(rules) => self.play_whist(rules, deal, &auction),
        };
        players as u64 + cards
    }

    /// Plays the deal as the first of a match, through every event of a table.
    fn play_at_table(&mut self, deal: &Deal) -> u64 {
        let mut table = Table::new(self.rules, Seat::default());
        if let Rules::Whist(rules) = &self.rules {
            let number = (0..).find(|at| rules.cards_each(*at) == Some(WHIST_CARDS));
            table = Table::at_deal(self.rules, Seat::default(), number.unwrap_or_default());
        }
        let mut moves = 0;
        let mut events = table.deal(deal.clone()).expect("a deal of these rules");
        loop {
            for event in &events {
                table.apply(event).expect("it was decided");
            }
            let Some(seat) = table.public().turn() else { break };
            let hand = table.hand(seat);
            let legal = table.public().legal_bids();
            let action = if legal.is_empty() {
                let card = self.choice.card(table.public().legal_cards(hand));
                let call = table.public().callable(hand).contains(card);
                Action::Play { card, call }
            } else {
                Action::Bid(legal.nth(self.choice.below(legal.len())).expect("a legal bid"))
            };
            events = table.decide(seat, action).expect("a legal action");
            moves += 1;
        }
        let total: i32 = table.public().score().iter().sum();
        self.check(&[total as i16]);
        moves
    }

    fn play_cruce(&mut self, rules: &cruce::Rules, deal: &Deal, auction: &Auction) -> u64 {
        let contract = auction.contract(Seat::default()).expect("a contract");
        let mut play = cruce::Play::new(rules, &deal.hands, &deal.stock, contract.declarer);
        let mut moves = 0;
        let choice = &mut self.choice;
        play.play_out(|legal| {
            moves += 1;
            choice.card(legal)
        });
        let points = BySide::from_fn(rules.sides(), |side: Side| play.points(side));
        let change = cruce::score(rules, contract, &points);
        self.check(change.as_slice());
        moves
    }

    fn play_whist(&mut self, rules: &whist::Rules, deal: &Deal, auction: &Auction) -> u64 {
        let mut play = whist::Play::new(&deal.hands, deal.trump(), Seat::default());
        let mut moves = 0;
        let choice = &mut self.choice;
        play.play_out(|legal| {
            moves += 1;
            choice.card(legal)
        });
        let players = rules.players();
        let bids = BySeat::from_fn(players, |seat: Seat| auction.bids()[seat.index()]);
        let taken = BySeat::from_fn(players, |seat: Seat| play.taken(seat));
        let runs = BySeat::filled(0, players);
        let score = whist::score(rules, auction.cards_each(), &bids, &taken, &runs);
        self.check(score.change.as_slice());
        moves
    }

    fn check(&mut self, change: &[i16]) {
        for value in change {
            self.checksum = self.checksum.wrapping_mul(31).wrapping_add(*value as u64);
        }
    }
}
