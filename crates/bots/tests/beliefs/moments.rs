//! Moments of random deals: tables of any rules, between the first bid and the last card.

use std::collections::BTreeSet;

use bots::beliefs::{Beliefs, World};
use cards::{BySeat, Seat};
use game::deal::{Deal, Dealer, RandomStream};
use game::event::{Event, OpenEvent, Viewer};
use game::position::InPlay;
use game::public::Phase;
use game::{Action, Rules, Table, View};

pub use crate::lot::Lot;

/// The rules of a code.
pub fn rules(code: &str) -> Rules {
    Rules::from_code(code).unwrap_or_else(|faults| panic!("{code}: {faults}"))
}

/// A moment of a deal, with the deal itself.
pub struct Moment {
    pub table: Table,
    pub deal: Deal,
}

impl Moment {
    pub fn view(&self, seat: Seat) -> View {
        self.table.view(Viewer::Seat(seat))
    }

    /// The world of the actual deal.
    pub fn truth(&self) -> World {
        let stock = match self.table.position().as_ref().and_then(|position| position.play()) {
            Some(InPlay::Cruce(play)) => play.stock(),
            _ if self.table.public().awaits_acceptance() => Default::default(),
            _ => self.deal.stock.clone(),
        };
        // Where bids are made on three cards, the rest comes after them (C6).
        let bidding = match self.table.public().phase() {
            Phase::Playing(round) => round.trick().is_empty() && round.tricks().is_empty(),
            _ => true,
        };
        let hand = |seat: Seat| if bidding { self.deal.hands[seat] } else { self.table.hand(seat) };
        World { hands: BySeat::from_fn(self.deal.hands.len(), hand), stock }
    }
}

/// Plays a random deal of these rules, the `number`-th of its match, and calls `look` at every moment
/// of it.
pub fn each_moment(rules: Rules, number: usize, lot: &mut Lot, mut look: impl FnMut(&Moment)) {
    let dealer = Dealer::new(rules, lot.seed());
    let first = dealer.first_seat();
    let deal = dealer.deal(number, first).expect("the match has that deal");
    let mut moment = Moment { table: Table::at_deal(rules, first, number), deal: deal.clone() };
    let events = moment.table.deal(deal).expect("the dealer keeps the rules");
    moment.table.apply(&events[0]).expect("it was just dealt");
    while !moment.table.wants_deal() && !moment.table.is_over() {
        look(&moment);
        let Some(seat) = moment.table.public().turn() else { return };
        challenge(&mut moment.table, lot);
        let actions = moment.table.view(Viewer::Seat(seat)).actions();
        let wanted = |action: &&Action| matches!(action, Action::Bid(_) | Action::Play { .. });
        let open: Vec<&Action> = actions.iter().filter(wanted).collect();
        let action = *open[lot.below(open.len())];
        let events = moment.table.decide(seat, action).expect("a listed action is accepted");
        events.iter().for_each(|event| moment.table.apply(event).expect("a decided event fits"));
    }
}

/// Whether some worlds of a view come from more deals than others, by a few samples; used only to
/// find such views, which the brute force then checks.
pub fn is_uneven(view: &View) -> bool {
    let beliefs = Beliefs::new(view).expect("a deal is in progress");
    let mut lots = RandomStream::new(Lot(0).seed(), 0);
    let ways = (0..60).map(|_| beliefs.ways(&beliefs.sample(&mut lots)));
    ways.collect::<BTreeSet<_>>().len() > 1
}

/// On honour tables, sometimes makes a wrong challenge (C15).
fn challenge(table: &mut Table, lot: &mut Lot) {
    let Some(round) = table.public().round().filter(|round| !round.tricks().is_empty()) else {
        return;
    };
    let players = table.rules().players();
    let seat = |lot: &mut Lot| Seat::new(lot.below(players)).expect("a seat of the table");
    let (by, accused) = (seat(lot), seat(lot));
    let action = Action::Challenge { trick: lot.below(round.tricks().len()) as u8, accused };
    let Ok(events) = table.decide(by, action) else { return };
    if let Event::Open(OpenEvent::Challenged { broken: None, .. }) = events[0] {
        events.iter().for_each(|event| table.apply(event).expect("a decided event fits"));
    }
}
