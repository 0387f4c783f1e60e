//! Fits how likely a player of Cruce is to lay a card, to games of a yardstick.
//!
//! `cargo run --release -p bots --example fit_manners` prints the table of
//! `crates/bots/src/manners/table.rs`.

use bots::manners::{COUNTS, KINDS, Sight, counts, kind};
use bots::{Level, Limit};
use cards::{CardSet, Seat};
use game::deal::{Dealer, Seed};
use game::{Action, Rules, Table, Viewer};

/// Deals that are watched.
const DEALS: usize = 700;
/// Steps of the fit, and how far each goes.
const STEPS: usize = 400;
const STRIDE: f64 = 0.5;

/// A choice: the counts of all legal cards, and the one that was played.
struct Choice {
    cards: Vec<[f64; COUNTS]>,
    played: usize,
}

fn main() {
    println!("pub(super) const TABLE: [[[f64; COUNTS]; KINDS]; 2] = [");
    for codes in [&["cruce4t"][..], &["cruce4s", "cruce3"]] {
        let choices = watch(codes);
        println!("    [");
        for choices in &choices {
            let weights = fit(choices);
            let line: Vec<String> = weights.iter().map(|weight| format!("{weight:.2}")).collect();
            println!("        [{}],", line.join(", "));
            let told = |choice: &Choice| chances(choice, &weights)[choice.played].ln();
            let blind = |choice: &Choice| -(choice.cards.len() as f64).ln();
            let mean = |of: &dyn Fn(&Choice) -> f64| {
                choices.iter().map(of).sum::<f64>() / choices.len().max(1) as f64
            };
            eprintln!("{} choices: {:.3} from {:.3}", choices.len(), mean(&told), mean(&blind));
        }
        println!("    ],");
    }
    println!("];");
}

/// Watches games and notes every choice by its kind.
fn watch(codes: &[&str]) -> Vec<Vec<Choice>> {
    let mut choices: Vec<Vec<Choice>> = (0..KINDS).map(|_| Vec::new()).collect();
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
                let action = bot.act(&view, Seed(seed), Limit::NONE).expect("somebody's turn");
                note(&table, seat, action, &mut choices);
                let events = table.decide(seat, action).expect("a legal action");
                events.iter().for_each(|event| table.apply(event).expect("a fresh event"));
            }
        }
    }
    choices
}

fn note(table: &Table, seat: Seat, action: Action, choices: &mut [Vec<Choice>]) {
    let (Action::Play { card, .. }, Some(round)) = (action, table.public().round()) else { return };
    let (rules, hand) = (table.rules(), table.hand(seat));
    let legal = table.public().lawful_cards(hand);
    if legal.len() < 2 {
        return;
    }
    let tricks = round.tricks().iter().chain([round.trick()]);
    let gone = tricks.fold(CardSet::EMPTY, |gone, trick| gone | trick.set());
    let sight = Sight {
        hand,
        legal,
        unseen: rules.pack().cards() - gone - hand,
        lead: round.trick().lead(),
        trump: round.trump(),
        ours: rules.side_of(round.trick().winner()) == rules.side_of(seat),
        after: rules.players() - round.trick().cards().len() - 1,
    };
    let played = legal.iter().position(|other| other == card).unwrap_or(0);
    let cards = legal.iter().map(|card| counts(&sight, card)).collect();
    choices[kind(&sight)].push(Choice { cards, played });
}

fn chances(choice: &Choice, weights: &[f64; COUNTS]) -> Vec<f64> {
    let score = |counts: &[f64; COUNTS]| -> f64 {
        counts.iter().zip(weights).map(|(count, weight)| count * weight).sum::<f64>().exp()
    };
    let scores: Vec<f64> = choice.cards.iter().map(score).collect();
    let sum: f64 = scores.iter().sum();
    scores.into_iter().map(|score| score / sum).collect()
}

/// Climbs to the weights under which what was played is most likely.
fn fit(choices: &[Choice]) -> [f64; COUNTS] {
    let mut weights = [0.0; COUNTS];
    let mut steepness = [1e-8; COUNTS];
    for _ in 0..STEPS {
        let mut slope = [0.0; COUNTS];
        for choice in choices {
            for (at, chance) in chances(choice, &weights).into_iter().enumerate() {
                let off = f64::from(u8::from(at == choice.played)) - chance;
                slope
                    .iter_mut()
                    .zip(choice.cards[at])
                    .for_each(|(slope, count)| *slope += off * count);
            }
        }
        for at in 0..COUNTS {
            let slope = slope[at] / choices.len().max(1) as f64 - 1e-4 * weights[at];
            steepness[at] += slope * slope;
            weights[at] += STRIDE * slope / f64::sqrt(steepness[at]);
        }
    }
    weights
}
