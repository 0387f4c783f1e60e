//! Fits how likely a player of Cruce is to play a card, to games of a yardstick.
//!
//! `cargo run --release -p bots --example fit_play_model` prints the table of
//! `crates/bots/src/manners/table.rs`.

mod fitting;

use bots::play_model::{COUNTS, CruceTurn, KINDS, counts, kind};
use bots::{Level, Limit};
use cards::{CardSet, Seat};
use game::deal::{Dealer, Seed};
use game::{Action, Rules, Table, Viewer};

use fitting::{Choice, fitted};

/// The number of deals that are recorded.
const DEALS: usize = 700;

fn main() {
    println!("pub(super) const TABLE: [[[f64; COUNTS]; KINDS]; 2] = [");
    for codes in [&["cruce4t"][..], &["cruce4s", "cruce3"]] {
        let choices = record(codes);
        println!("    [");
        for choices in &choices {
            println!("        [{}],", fitted(choices));
        }
        println!("    ],");
    }
    println!("];");
}

/// Plays games and records every choice by its kind.
fn record(codes: &[&str]) -> Vec<Vec<Choice<COUNTS>>> {
    let mut choices: Vec<Vec<Choice<COUNTS>>> = (0..KINDS).map(|_| Vec::new()).collect();
    let mut bot = Level::Pimc50.bot();
    for code in codes {
        let Ok(rules) = Rules::from_code(code) else { continue };
        let dealer = Dealer::new(rules, Seed([21; 32]));
        for number in 0..DEALS / codes.len() {
            let first = Seat::default().after(number % rules.players(), rules.players());
            let mut table = Table::at_deal(rules, first, 0);
            let Some(deal) = dealer.deal(number, first) else { continue };
            let dealt = table.deal(deal).expect("a deal of these rules");
            dealt.iter().for_each(|event| table.apply(event).expect("a fresh event"));
            let mut step = 0;
            while let Some(seat) = table.public().turn() {
                step += 1;
                let mut seed = [0; 32];
                seed[..8].copy_from_slice(&(number as u64 * 1000 + step).to_le_bytes());
                let view = table.view(Viewer::Seat(seat));
                let action = bot.act(&view, Seed(seed), Limit::NONE).expect("a seat is in turn");
                add_choice(&table, seat, action, &mut choices);
                let events = table.decide(seat, action).expect("a legal action");
                events.iter().for_each(|event| table.apply(event).expect("a fresh event"));
            }
        }
    }
    choices
}

fn add_choice(table: &Table, seat: Seat, action: Action, choices: &mut [Vec<Choice<COUNTS>>]) {
    let (Action::Play { card, .. }, Some(round)) = (action, table.public().round()) else { return };
    let (rules, hand) = (table.rules(), table.hand(seat));
    let legal = table.public().lawful_cards(hand);
    if legal.len() < 2 {
        return;
    }
    let tricks = round.tricks().iter().chain([round.trick()]);
    let gone = tricks.fold(CardSet::EMPTY, |gone, trick| gone | trick.set());
    let turn = CruceTurn {
        hand,
        legal,
        unseen: rules.pack().cards() - gone - hand,
        lead: round.trick().lead(),
        trump: round.trump(),
        ours: rules.side_of(round.trick().winner()) == rules.side_of(seat),
        after: rules.players() - round.trick().cards().len() - 1,
    };
    let played = legal.iter().position(|other| other == card).unwrap_or(0);
    let cards = legal.iter().map(|card| counts(&turn, card)).collect();
    choices[kind(&turn)].push(Choice { cards, played });
}
