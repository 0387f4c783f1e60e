//! A behaviour signature: fixed matches of every kind hash to one number.
//!
//! A change of this number is a change of behaviour. It may be right, but it must
//! be intended: the commit that changes it must mention it.

use crate::random::{Match, Rng};
use game::Rules;
use game::event::Viewer;

const SIGNATURE: u64 = 490_254_427_646_216_089;

#[test]
fn the_behaviour_has_not_changed() {
    let codes = [
        "cruce2",
        "cruce3-11",
        "cruce4t",
        "cruce4s-15",
        "contest",
        "contest3-honour",
        "cruce4t-auto-redeal",
        "whist3",
        "whist4-818",
        "whist5-plain1",
        "whist6-p5",
    ];
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for (number, code) in codes.into_iter().enumerate() {
        let rules = Rules::from_code(code).expect("a code");
        let mut game = Match::new(rules, Rng(number as u64));
        while game.step().is_some() {
            for byte in game.table.view(Viewer::Seat(Default::default())).to_string().bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
    }
    assert_eq!(hash, SIGNATURE, "the behaviour of the engine has changed");
}
