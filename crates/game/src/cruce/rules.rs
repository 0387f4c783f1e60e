//! The house rules of Cruce as data: unchecked ([`Spec`]) and checked ([`Rules`]).

use cards::{Pack, Seat, Side};

use crate::rules::RulesFault;

/// What the bids are made on (C6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum BidOn {
    /// The full hand.
    #[default]
    Full,
    /// The first three cards; the rest is dealt after the bidding.
    Three,
}

/// What happens when every player passes (C6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum AllPass {
    /// The seat after the dealer is declarer with a bid of 0, which cannot fail.
    #[default]
    Opener,
    /// The cards are thrown in and the next dealer deals.
    Redeal,
}

/// Who decides whether a pair led is called (C10).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Calls {
    /// The leader.
    #[default]
    Declared,
    /// No player: every pair that is led is called.
    Automatic,
}

/// Who enforces the duties of C8 (C15).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Enforcement {
    /// The table refuses an illegal card.
    #[default]
    Enforced,
    /// The opponents, by challenging.
    Honour,
}

/// House rules before they are checked; they may hold any values.
///
/// The default is `classic` for four players in teams.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each field is the option of that name in docs/rules")]
pub struct Spec {
    pub players: u32,
    pub teams: bool,
    pub target: u32,
    pub margin: u32,
    pub max_bid: u32,
    pub bid_on: BidOn,
    pub all_pass: AllPass,
    pub overtake: bool,
    pub calls: Calls,
    pub others_score_on_failure: bool,
    pub enforcement: Enforcement,
}

impl Default for Spec {
    fn default() -> Spec {
        Spec::classic(4)
    }
}

impl Spec {
    /// The game as most tables play it; four play in teams.
    pub const fn classic(players: u32) -> Spec {
        Spec {
            players,
            teams: players == 4,
            target: 21,
            margin: 2,
            max_bid: 6,
            bid_on: BidOn::Full,
            all_pass: AllPass::Opener,
            overtake: true,
            calls: Calls::Declared,
            others_score_on_failure: true,
            enforcement: Enforcement::Enforced,
        }
    }

    /// The game as contests play it, with or without teams.
    pub const fn contest(players: u32, teams: bool) -> Spec {
        Spec {
            teams,
            margin: 1,
            max_bid: if teams { 5 } else { 4 },
            bid_on: BidOn::Three,
            overtake: false,
            others_score_on_failure: false,
            ..Spec::classic(players)
        }
    }

    /// The checked rules, or all faults.
    pub fn check(self) -> Result<Rules, Vec<RulesFault>> {
        let mut faults = Vec::new();
        let mut within = |option, given, least, most| {
            if !(least..=most).contains(&given) {
                faults.push(RulesFault::OutOfRange { option, given, least, most });
            }
        };
        within("players", self.players, 2, 4);
        within("target", self.target, 1, 99);
        within("margin", self.margin, 1, 99);
        within("max_bid", self.max_bid, 1, 6);
        if self.teams && self.players != 4 {
            faults.push(RulesFault::TeamsNeedFour { players: self.players });
        }
        if faults.is_empty() { Ok(Rules(self)) } else { Err(faults) }
    }
}

/// Checked rules of Cruce.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules(Spec);

impl Rules {
    /// The pack it is played with (C1).
    pub const PACK: Pack = Pack::Hungarian;

    /// The options these rules were made from.
    pub const fn spec(&self) -> &Spec {
        &self.0
    }

    /// Two, three or four (C2).
    #[inline]
    pub const fn players(&self) -> usize {
        self.0.players as usize
    }

    /// Whether partners sit opposite each other (C2).
    #[inline]
    pub const fn teams(&self) -> bool {
        self.0.teams
    }

    /// How many sides there are (C2).
    #[inline]
    pub const fn sides(&self) -> usize {
        if self.0.teams { 2 } else { self.players() }
    }

    /// The side that a seat plays for (C2).
    #[inline]
    pub fn side_of(&self, seat: Seat) -> Side {
        if self.0.teams { Side::with_opposite(seat) } else { Side::alone(seat) }
    }

    /// How many cards each player is dealt (C5).
    #[inline]
    pub const fn cards_each(&self) -> usize {
        if self.0.players == 4 { 6 } else { 8 }
    }

    /// How many cards lie face down after the deal (C5).
    #[inline]
    pub const fn stock(&self) -> usize {
        if self.0.players == 2 { 8 } else { 0 }
    }

    /// How many tricks a deal has (C13).
    pub const fn tricks(&self) -> usize {
        24 / self.players()
    }

    /// How many cards the bids are made on (C6).
    pub const fn opening(&self) -> usize {
        match self.0.bid_on {
            BidOn::Full => self.cards_each(),
            BidOn::Three => 3,
        }
    }

    /// The highest possible bid (C6).
    pub const fn max_bid(&self) -> u8 {
        self.0.max_bid as u8
    }

    /// The score that ends the match (C12).
    pub const fn target(&self) -> i32 {
        self.0.target as i32
    }

    /// The lead that ends the match (C12).
    pub const fn margin(&self) -> i32 {
        self.0.margin as i32
    }
}
