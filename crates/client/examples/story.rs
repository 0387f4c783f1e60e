//! Tells a match between players who play at random, to look at the phrases:
//! `cargo run -p client --example story -- ro cruce4t-21 7`.

use std::error::Error;

use client::{Language, Story};
use game::deal::{Dealer, Seed};
use game::{Action, Rules, Table};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |at: usize, usual: &str| words.get(at).map_or(usual.into(), String::clone);
    let language: Language = word(0, "en").parse()?;
    let rules = Rules::from_code(&word(1, "classic"))?;
    let mut random: u64 = word(2, "1").parse()?;
    let dealer = Dealer::new(rules, Seed([random as u8; 32]));
    let mut table = Table::new(rules, dealer.first_seat());
    let mut story = Story::new(language, rules, Vec::new());
    while !table.is_over() {
        let events = if table.wants_deal() {
            let public = table.public();
            table.deal(dealer.deal(public.number(), public.first()).ok_or("no such deal")?)?
        } else {
            let seats = cards::Seat::first(rules.players());
            let choices: Vec<_> = seats
                .flat_map(|seat| {
                    let actions = table.public().actions(seat, table.hand(seat));
                    actions.into_iter().map(move |action| (seat, action))
                })
                // Who bids at random fails for ever.
                .filter(|(_, action)| !matches!(action, Action::Bid(2..)))
                .collect();
            // The constants of Knuth's MMIX; good enough to look at sentences.
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let (seat, action) = choices[(random >> 33) as usize % choices.len()];
            table.decide(seat, action)?
        };
        for event in &events {
            table.apply(event)?;
            let told = story.tell(event, table.public());
            if !told.is_empty() {
                println!("{told}");
            }
        }
    }
    Ok(())
}
