//! The player of simulations: it chooses legal actions at random.

use cards::Seat;
use game::deal::{RandomStream, Seed};
use game::{Action, Rules, Table};

/// A player that acts at random.
///
/// Cards are drawn evenly from the legal ones. High bids are rarer than in an even draw, and so
/// are, on honour tables, cards that break a duty and challenges. Otherwise the scores of Cruce
/// would only fall and no match would end.
pub(crate) struct RandomPlayer(RandomStream);

impl RandomPlayer {
    pub(crate) fn new(seed: Seed) -> RandomPlayer {
        // The deals use the streams from 0 on.
        RandomPlayer(RandomStream::new(seed, u64::MAX))
    }

    /// A seat that may act, and its action.
    pub(crate) fn act(&mut self, table: &Table) -> Option<(Seat, Action)> {
        let public = table.public();
        let Some(turn) = public.turn() else { return self.accept(table) };
        if public.rules().honour() && self.0.below(60) == 0 {
            let challenge = self.challenge(table);
            if challenge.is_some() {
                return challenge;
            }
        }
        let hand = table.hand(turn);
        let lawful = public.lawful_cards(hand);
        let careless = self.0.below(60) == 0;
        let mut actions = public.actions(turn, hand);
        actions.retain(|action| match action {
            Action::Bid(_) => true,
            Action::Play { card, .. } => careless || lawful.contains(*card),
            Action::Challenge { .. } | Action::Accept => false,
        });
        let careful_bid =
            matches!((public.rules(), actions.first()?), (Rules::Cruce(_), Action::Bid(_)));
        let at =
            if careful_bid { self.low_index(actions.len()) } else { self.0.below(actions.len()) };
        Some((turn, actions[at]))
    }

    /// An index below `count`: most often 0, and each next one a fifth as often.
    fn low_index(&mut self, count: usize) -> usize {
        (0..count - 1).take_while(|_| self.0.below(5) == 0).count()
    }

    fn accept(&mut self, table: &Table) -> Option<(Seat, Action)> {
        let may = |seat: &Seat| table.check(*seat, Action::Accept).is_ok();
        Seat::first(table.rules().players()).find(may).map(|seat| (seat, Action::Accept))
    }

    fn challenge(&mut self, table: &Table) -> Option<(Seat, Action)> {
        let seats: Vec<Seat> = Seat::first(table.rules().players()).collect();
        let seat = seats[self.0.below(seats.len())];
        let mut actions = table.public().actions(seat, table.hand(seat));
        actions.retain(|action| matches!(action, Action::Challenge { .. }));
        (!actions.is_empty()).then(|| (seat, actions[self.0.below(actions.len())]))
    }
}
