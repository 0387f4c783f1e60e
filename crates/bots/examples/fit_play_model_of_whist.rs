//! Fits how likely a player of whist is to play a card, to games of a yardstick.
//!
//! `cargo run --release -p bots --example fit_play_model_of_whist` prints the table of
//! `crates/bots/src/manners/whist/table.rs`.

mod fitting;

use bots::play_model::whist::{COUNTS, KINDS, WhistTurn, counts, kind};
use bots::{Level, Limit};
use cards::{CardSet, Seat};
use game::deal::{Dealer, Seed};
use game::public::Phase;
use game::{Action, Rules, Table, Viewer};

use fitting::{Choice, fitted};

/// The number of matches that are recorded, for each number of players.
const MATCHES: u8 = 14;

fn main() {
    println!("pub(super) const TABLE: [[f64; COUNTS]; KINDS] = [");
    for choices in &record(&["whist3", "whist4", "whist5", "whist6"]) {
        println!("    [{}],", fitted(choices));
    }
    println!("];");
}

/// Plays games, bid by what the hands promise and played by a yardstick, and records every choice by
/// its kind.
fn record(codes: &[&str]) -> Vec<Vec<Choice<COUNTS>>> {
    let mut choices: Vec<Vec<Choice<COUNTS>>> = (0..KINDS).map(|_| Vec::new()).collect();
    let (mut bidder, mut player) = (Level::Medium.bot(), Level::Pimc50.bot());
    for (code, number) in codes.iter().flat_map(|code| (0..MATCHES).map(move |at| (code, at))) {
        let Ok(rules) = Rules::from_code(code) else { continue };
        let dealer = Dealer::new(rules, Seed([number; 32]));
        let mut table = Table::new(rules, dealer.first_seat());
        let mut step = 0_u64;
        while !table.is_over() {
            if table.wants_deal() {
                let deal = dealer.deal(table.public().number(), table.public().first());
                let dealt = table.deal(deal.expect("another deal")).expect("a deal of these rules");
                dealt.iter().for_each(|event| table.apply(event).expect("a fresh event"));
            }
            let Some(seat) = table.public().turn() else { break };
            step += 1;
            let mut seed = [number; 32];
            seed[..8].copy_from_slice(&step.to_le_bytes());
            let view = table.view(Viewer::Seat(seat));
            let bidding = matches!(table.public().phase(), Phase::Bidding(_));
            let bot = if bidding { &mut bidder } else { &mut player };
            let action = bot.act(&view, Seed(seed), Limit::NONE).expect("a seat is in turn");
            add_choice(&table, seat, action, &mut choices);
            let events = table.decide(seat, action).expect("a legal action");
            events.iter().for_each(|event| table.apply(event).expect("a fresh event"));
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
    let players = rules.players();
    let tricks = round.tricks().iter().chain([round.trick()]);
    let gone = tricks.fold(CardSet::EMPTY, |gone, trick| gone | trick.set());
    let turned: CardSet = round.auction().turned().into_iter().collect();
    let need = |seat: Seat| {
        let taken = round.tricks().iter().filter(|trick| trick.winner() == seat).count();
        table.public().bid_of(seat).unwrap_or(0) as i8 - taken as i8
    };
    let others = || Seat::first(players).filter(|other| *other != seat);
    let turn = WhistTurn {
        hand,
        legal,
        unseen: rules.pack().cards() - gone - hand - turned,
        lead: round.trick().lead(),
        trump: round.trump(),
        need: need(seat),
        spare: hand.len() as i8 - others().map(|other| need(other).max(0)).sum::<i8>(),
        others: others().map(|other| table.hand(other).len()).sum(),
        after: players - round.trick().cards().len() - 1,
    };
    let played = legal.iter().position(|other| other == card).unwrap_or(0);
    let cards = legal.iter().map(|card| counts(&turn, card)).collect();
    choices[kind(&turn)].push(Choice { cards, played });
}
