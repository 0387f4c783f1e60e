//! Draws a world from its seed: the table and its clients.

use game::Rules;
use game::deal::RandomStream;
use game::fair::Secret;
use ids::{PlayerId, TableId};
use replica::table::TableReplica;
use room::{Key, Opening};
use wire::table::Pace;

use crate::clients::{Client, ClientRole};

/// Rules with short matches, of as many kinds as possible.
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

/// Matches of whist are long, so few worlds play them.
const LONG: [&str; 4] = ["whist3", "whist4", "whist5-818", "whist6"];

/// A player who does not exist.
pub(crate) fn missing_player() -> PlayerId {
    player(9_999)
}

pub(crate) fn player(number: u64) -> PlayerId {
    PlayerId::new(number).expect("small")
}

/// The opening of the table.
pub(crate) fn opening(seed: u64, table: TableId, lots: &mut RandomStream) -> Opening {
    let code = match lots.below(60) {
        0 => LONG[lots.below(LONG.len())],
        _ => SHORT[lots.below(SHORT.len())],
    };
    // Two tables with the same deals; this one is the second.
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

/// The clients of a table: players, perhaps one of them twice, and some spectators.
pub(crate) fn clients(rules: &Rules, lots: &mut RandomStream) -> Vec<Client> {
    let people = 1 + lots.below(rules.players() + 1);
    let mut roles: Vec<(u64, ClientRole)> =
        (1..=people as u64).map(|at| (at, ClientRole::Plays)).collect();
    // A host who does not play.
    if people > 1 && lots.below(8) == 0 {
        roles[0].1 = ClientRole::Watches;
    }
    if lots.below(4) == 0 {
        roles.push((1 + lots.below(people) as u64, ClientRole::Plays));
    }
    if lots.below(3) == 0 {
        roles.push((100, ClientRole::Watches));
    }
    if lots.below(3) == 0 {
        roles.push((200, ClientRole::Stranger));
    }
    let client = |(at, (number, role)): (usize, (u64, ClientRole))| {
        Client::new(player(number), role, TableReplica::new(&format!("c{at}-")))
    };
    roles.into_iter().enumerate().map(client).collect()
}
