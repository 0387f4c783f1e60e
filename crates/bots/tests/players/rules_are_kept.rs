//! Whole matches of all kinds of rules: every action is one that the table accepts
//! and that breaks no duty, and matches end.

use bots::{Bot, Level, Limit};
use game::{Action, Rules};

use crate::matches::{KINDS, Lot, MOST_DEALS, Match, ask};

/// Who sits on each seat of a table.
struct Players {
    seats: Vec<(Level, Box<dyn Bot>)>,
    limit: Limit<'static>,
}

impl Players {
    fn new(levels: &[Level], nodes: u64) -> Players {
        let seats = levels.iter().map(|level| (*level, level.bot())).collect();
        Players { seats, limit: Limit::nodes(nodes) }
    }

    /// Plays a whole match; how many deals it had.
    fn play(&mut self, code: &str, number: u64) -> usize {
        let (mut game, mut lot) = (Match::new(code, number), Lot(number));
        let mut t0 = std::time::Instant::now();
        while let Some(seat) = game.next() {
            let (level, bot) = &mut self.seats[seat.index()];
            let view = game.view(seat);
            let question = lot.draw();
            let action = ask(bot.as_mut(), *level, &view, question, self.limit);
            let kept = match action {
                Action::Play { card, .. } => view.public().lawful_cards(view.hand()).contains(card),
                Action::Bid(_) | Action::Accept => true,
                Action::Challenge { .. } => false,
            };
            assert!(kept, "{level} does {action:?}, seed {question}: {view}");
            game.act(seat, action, level.name());
            assert!(
                game.deals() <= 300 && t0.elapsed().as_secs() < 8,
                "{level}, match {number} does not end: {view}"
            );
        }
        assert!(game.table.is_over(), "{code}, match {number}");
        game.deals()
    }
}

#[test]
fn timing() {
    for (level, nodes) in [
        (Level::Medium, 3000),
        (Level::Medium, u64::MAX),
        (Level::Pimc5, 3000),
        (Level::Pimc5, 20000),
        (Level::Hard, 3000),
        (Level::Hard, 20000),
    ] {
        for code in KINDS {
            let rules = crate::matches::rules(code);
            let t = std::time::Instant::now();
            if matches!(rules, Rules::Cruce(_)) {
                if let Ok(d) = std::panic::catch_unwind(|| {
                    Players::new(&vec![level; rules.players()], nodes).play(code, 1)
                }) {
                    eprintln!(
                        "{level} {nodes} {code} {d} deals {:.1} ms a deal",
                        t.elapsed().as_secs_f64() * 1000.0 / d as f64
                    );
                } else {
                    eprintln!(
                        "{level} {nodes} {code} no end {:.1} ms",
                        t.elapsed().as_secs_f64() * 1000.0
                    );
                }
            }
        }
    }
}
