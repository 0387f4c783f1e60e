//! The yardsticks never change: their actions in fixed deals hash to these numbers.
//!
//! THE NUMBERS MAY NEVER BE EDITED. Strength is measured against `pimc5`, `pimc50` and `pimc200` over
//! the years, and means nothing if their play changes. If this test fails, the tested code is wrong:
//! the drawn worlds, their solved values, or the rules.

use bots::{Level, Limit};
use cards::Seat;
use game::Action;

use crate::matches::{Lot, Match, ask};

const PIMC5: u64 = 1_065_777_087_790_195_889;
const PIMC50: u64 = 773_587_922_549_397_297;
const PIMC200: u64 = 18_305_463_039_412_656_214;

/// Deals of every game: the rules, and the index of the deal in its match. Those that all three
/// yardsticks play come first.
const DEALS: [(&str, usize); 20] = [
    ("cruce4t", 0),
    ("cruce4s", 0),
    ("cruce3", 0),
    ("cruce2", 0),
    ("contest4t", 0),
    ("whist3", 7),
    ("whist4", 6),
    ("whist5", 7),
    ("whist6", 9),
    ("whist5", 12),
    ("cruce2-auto-nobeat", 0),
    ("contest4s", 0),
    ("contest3", 0),
    ("contest2", 0),
    ("cruce4t-auto-redeal", 0),
    ("cruce3-honour", 0),
    ("whist3-818", 0),
    ("whist4", 9),
    ("whist6-plain1", 2),
    ("whist3", 1),
];

/// FNV-1a over the seats and actions.
struct Hash(u64);

impl Hash {
    fn take(&mut self, seat: Seat, action: Action) {
        let (kind, what, more) = match action {
            Action::Bid(bid) => (0, bid, 0),
            Action::Play { card, call } => (1, card.index() as u8, u8::from(call)),
            Action::Challenge { trick, accused } => (2, trick, accused.index() as u8),
            Action::Accept => (3, 0, 0),
        };
        for byte in [seat.index() as u8, kind, what, more] {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// The hash of a yardstick's actions in the first of the deals, each dealt `times` times.
fn signature(level: Level, deals: usize, times: u64) -> u64 {
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    let mut bot = level.bot();
    for time in 0..times {
        for (at, (code, deal)) in (0..).zip(DEALS).take(deals) {
            let number = 100 * time + at;
            let (mut game, mut lot) = (Match::at_deal(code, number, deal), Lot(number));
            while let Some(seat) = game.next().filter(|_| game.deals() == deal) {
                let view = game.view(seat);
                let action = ask(bot.as_mut(), level, &view, lot.draw(), Limit::NONE);
                hash.take(seat, action);
                game.act(seat, action, level.name());
            }
        }
    }
    hash.0
}

#[test]
fn pimc5_does_not_change() {
    assert_eq!(signature(Level::Pimc5, 20, 6), PIMC5, "pimc5 plays differently");
}

#[test]
fn pimc50_does_not_change() {
    assert_eq!(signature(Level::Pimc50, 20, 1), PIMC50, "pimc50 plays differently");
}

#[test]
fn pimc200_does_not_change() {
    assert_eq!(signature(Level::Pimc200, 11, 1), PIMC200, "pimc200 plays differently");
}
