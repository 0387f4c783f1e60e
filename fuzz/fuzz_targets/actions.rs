//! Any stream of actions: each action is refused and changes nothing, or the table lists it and its
//! events apply.
#![no_main]

use cards::{Card, Seat};
use game::deal::{Dealer, Seed};
use game::event::Viewer;
use game::{Action, Rules, Table, View};
use libfuzzer_sys::fuzz_target;

const CODES: [&str; 10] = [
    "cruce2", "cruce3-1", "cruce4t-3", "cruce4s-5-honour", "contest", "contest3-honour-redeal",
    "cruce2-honour-auto", "whist3", "whist4-818", "whist6-plain1",
];

fuzz_target!(|bytes: &[u8]| {
    let [code, seed, stream @ ..] = bytes else { return };
    let Ok(rules) = Rules::from_code(CODES[usize::from(*code) % CODES.len()]) else { return };
    let dealer = Dealer::new(rules, Seed([*seed; 32]));
    let first = dealer.first_seat();
    let mut table = Table::new(rules, first);
    let mut view = View::new(rules, first, Viewer::Seat(Seat::default()));
    for chunk in stream.chunks_exact(3) {
        let public = table.public();
        let events = if table.wants_deal() {
            let deal = dealer.deal(public.number(), public.first()).expect("another deal");
            table.deal(deal).expect("a fair deal")
        } else {
            let seat = Seat::new(usize::from(chunk[0]) % 6).expect("a seat");
            let Some(action) = action(&table, seat, chunk) else { continue };
            let listed = public.actions(seat, table.hand(seat)).contains(&action);
            match table.decide(seat, action) {
                Ok(events) => {
                    assert!(listed);
                    events
                }
                Err(_) => {
                    assert!(!listed);
                    continue;
                }
            }
        };
        for event in &events {
            table.apply(event).expect("a decided event");
            view.apply(&event.seen_by(view.viewer())).expect("a visible event");
        }
        assert_eq!(view, table.view(view.viewer()));
    }
});

/// Half of the actions are listed ones, so that matches advance.
fn action(table: &Table, seat: Seat, chunk: &[u8]) -> Option<Action> {
    let (kind, value) = (chunk[1], chunk[2]);
    if kind >= 128 {
        let turn = table.public().turn().unwrap_or(seat);
        let listed = table.public().actions(turn, table.hand(turn));
        return listed.get(usize::from(value) % listed.len().max(1)).copied();
    }
    match kind % 4 {
        0 => Some(Action::Bid(value)),
        1 => Some(Action::Play { card: Card::from_index(value.into())?, call: kind > 64 }),
        2 => Some(Action::Challenge { trick: value / 6, accused: Seat::new((value % 6).into())? }),
        _ => Some(Action::Accept),
    }
}
