//! The shuffle is fixed: `corpus/deals.golden` can be verified in any language.

use core::fmt::Write;

use game::Rules;
use game::deal::{Dealer, Seed};
use game::notation::list_text;

/// One line per pack: the rules, the seed, the seat that bids first in the first deal,
/// the deal's number, and the shuffled pack.
fn golden() -> String {
    let mut text = String::new();
    for (code, byte) in [("cruce4t-21", 0), ("cruce2-21", 1), ("whist3", 2), ("whist6", 255)] {
        let rules = Rules::from_code(code).expect("a code");
        let seed = [byte; 32];
        let dealer = Dealer::new(rules, Seed(seed));
        let hex: String = seed.iter().map(|byte| format!("{byte:02x}")).collect();
        for number in [0, 1, 41] {
            let pack = list_text(rules.pack(), &dealer.pack(number));
            let first = dealer.first_seat().number();
            writeln!(text, "{code} seed={hex} first={first} deal={} pack={pack}", number + 1)
                .expect("a string takes text");
        }
    }
    text
}

#[test]
fn packs_are_shuffled_as_in_the_corpus() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/deals.golden");
    let kept = std::fs::read_to_string(path).expect("corpus/deals.golden");
    let kept: Vec<&str> = kept.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(kept, golden().lines().collect::<Vec<_>>());
}
