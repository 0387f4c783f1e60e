//! How a world is drawn from its seed: the table and who comes to it.

use game::Rules;
use game::deal::Lots;
use game::fair::Secret;
use ids::{PlayerId, TableId};
use replica::table::TableReplica;
use room::{Key, Opening};
use wire::table::Pace;

use crate::clients::{Client, Part};

/// Rules whose matches are short, with as many kinds of them as there are.
pub(crate) const SHORT: [&str; 9] = [
    "cruce2-3",
    "cruce2-2-honour",
    "cruce3-2",
    "cruce4t-2",
    "cruce4t-2-on3-auto",
    "cruce4s-2-redeal",
    "cruce4t-2-honour",
    "cruce3-2-redeal-on3",
    "cruce2-4-auto",
];

/// Whist is long, and few of its worlds are enough.
const LONG: [&str; 4] = ["whist3", "whist4", "whist5-818", "whist6"];

/// The number of a player that nobody has.
pub(crate) fn nobody() -> PlayerId {
    player(9_999)
}

pub(crate) fn player(number: u64) -> PlayerId {
    PlayerId::new(number).expect("small")
}

/// The table of a world.
pub(crate) fn opening(seed: u64, table: TableId, lots: &mut Lots) -> Opening {
    let code = match lots.below(60) {
        0 => LONG[lots.below(LONG.len())],
        _ => SHORT[lots.below(SHORT.len())],
    };
    // The same deals at two tables; this one is the second.
    let siblings = match lots.below(6) {
        0 => vec![TableId::new(0x1_0000 + (seed & 0xFFFF)).expect("small"), table],
        _ => Vec::new(),
    };
    Opening {
        rules: Rules::from_code(code).expect("a code"),
        pace: [Pace::Off, Pace::Relaxed, Pace::Fast][lots.below(3)],
        listed: lots.below(3) > 0,
        host: player(1),
        key: Key::new([7; 16]),
        secret: Secret::from_phrase(&format!("world {seed}")),
        siblings,
        contest: None,
    }
}

/// Who comes to a table: players, perhaps one of them twice, and some who watch.
pub(crate) fn clients(rules: &Rules, lots: &mut Lots) -> Vec<Client> {
    let people = 1 + lots.below(rules.players() + 1);
    let mut parts: Vec<(u64, Part)> = (1..=people as u64).map(|at| (at, Part::Plays)).collect();
    // A host who does not play himself.
    if people > 1 && lots.below(8) == 0 {
        parts[0].1 = Part::Watches;
    }
    if lots.below(4) == 0 {
        parts.push((1 + lots.below(people) as u64, Part::Plays));
    }
    if lots.below(3) == 0 {
        parts.push((100, Part::Watches));
    }
    if lots.below(3) == 0 {
        parts.push((200, Part::Stranger));
    }
    let client = |(at, (number, part)): (usize, (u64, Part))| {
        Client::new(player(number), part, TableReplica::new(&format!("c{at}-")))
    };
    parts.into_iter().enumerate().map(client).collect()
}
