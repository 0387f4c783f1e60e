//! Cruce with all cards open (C8 to C13).

mod alone;
mod camps;
mod choice;
mod root;
mod rows;
mod stock;

use arrayvec::ArrayVec;
use cards::{BySide, Card, Side};
use game::cruce::Play;

use crate::limit::{Limit, Stopped};
use crate::transposition::TranspositionTable;
use camps::CruceCampEntry;
use root::CruceRoot;

/// What a side plays for; all other sides play against it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Its points less those of all others.
    Difference,
    /// Its own points, whatever the others call.
    Points,
}

/// How much a call of 20 adds to the value of the first camp or subtracts from it,
/// in the search's own units: the difference is searched in halves, so that it
/// changes by as much as the points of the cards.
#[derive(Clone, Copy)]
struct CallWorth {
    ours: i32,
    theirs: i32,
}

impl CallWorth {
    #[inline]
    fn of_twenty(self, first: bool) -> i32 {
        if first { self.ours } else { self.theirs }
    }
}

impl Aim {
    fn worth(self) -> CallWorth {
        match self {
            Aim::Difference => CallWorth { ours: 10, theirs: 10 },
            Aim::Points => CallWorth { ours: 20, theirs: 0 },
        }
    }

    /// The final total of the first camp, if it gets `value` of the points at stake.
    fn total(self, play: &Play, side: Side, at_stake: i32, value: i32) -> i32 {
        let own = i32::from(play.points(side));
        let all: i32 = Side::first(play.sides()).map(|side| i32::from(play.points(side))).sum();
        match self {
            Aim::Difference => own - (all - own) + 2 * value - at_stake,
            Aim::Points => own + value,
        }
    }

    /// The value that leads to this final total, rounded up.
    fn value(self, play: &Play, side: Side, at_stake: i32, total: i32) -> i32 {
        let short = total - self.total(play, side, at_stake, 0);
        match self {
            Aim::Difference => short.div_euclid(2) + short.rem_euclid(2),
            Aim::Points => short,
        }
    }
}

/// Solves positions of Cruce. It reuses its memory from one position to the next;
/// that never changes a result.
#[derive(Clone)]
pub struct Solver {
    memory: TranspositionTable<CruceCampEntry>,
    /// Allocated for the first position with a stock.
    stock: Option<stock::StockTables>,
    /// Allocated for the first position with lone players.
    alone: Option<alone::CruceLoneTables>,
    nodes: u64,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

/// Opens a position for its number of players and evaluates the expression.
macro_rules! solve {
    (
        $solver:ident, $play:ident, $side:ident, $aim:ident, $limit:ident,
        |$root:ident, $at_stake:ident| $answer:expr
    ) => {{
        macro_rules! of {
            ($opened:expr) => {{
                let mut $root = $opened;
                let $at_stake = $root.at_stake();
                let answer = $answer;
                $solver.nodes += $root.nodes();
                answer
            }};
        }
        let (play, side, worth) = ($play, $side, $aim.worth());
        match play.players() {
            2 if !play.stock().is_empty() => {
                let tables = $solver.stock.get_or_insert_with(stock::StockTables::new);
                of!(stock::StockRoot::new(play, side, worth, tables, $limit))
            }
            2 => of!(CruceRoot::<2>::new(play, side, worth, &mut $solver.memory, $limit)),
            3 => of!(CruceRoot::<3>::new(play, side, worth, &mut $solver.memory, $limit)),
            _ => of!(CruceRoot::<4>::new(play, side, worth, &mut $solver.memory, $limit)),
        }
    }};
}

impl Solver {
    /// A solver with a quarter of a megabyte of memory, which is enough for two camps;
    /// it allocates more for the first position with a stock or lone players.
    pub fn new() -> Solver {
        Solver { memory: TranspositionTable::new(14), stock: None, alone: None, nodes: 0 }
    }

    /// How many positions between tricks it has searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The result of the side in the whole deal if every player plays perfectly.
    pub fn value(
        &mut self,
        play: &Play,
        side: Side,
        aim: Aim,
        limit: Limit<'_>,
    ) -> Result<i32, Stopped> {
        solve!(self, play, side, aim, limit, |root, at_stake| {
            root.value().map(|value| aim.total(play, side, at_stake, value))
        })
    }

    /// The result of the side after each legal card of the seat in turn.
    pub fn values(
        &mut self,
        play: &Play,
        side: Side,
        aim: Aim,
        limit: Limit<'_>,
    ) -> Result<ArrayVec<(Card, i32), 8>, Stopped> {
        solve!(self, play, side, aim, limit, |root, at_stake| {
            root.values().map(|mut values| {
                for (_, value) in &mut values {
                    *value = aim.total(play, side, at_stake, *value);
                }
                values
            })
        })
    }

    /// Whether the side can reach at least `total`, whatever the others do.
    pub fn reaches(
        &mut self,
        play: &Play,
        side: Side,
        aim: Aim,
        total: i32,
        limit: Limit<'_>,
    ) -> Result<bool, Stopped> {
        solve!(self, play, side, aim, limit, |root, at_stake| {
            let bar = aim.value(play, side, at_stake, total);
            root.reaches(bar)
        })
    }

    /// The points of every side in the whole deal after each legal card, if every
    /// player plays for their own side's points less the mean of all sides. Among
    /// cards that are equally good for a player any may be played, and the points are
    /// the average.
    ///
    /// This is for lone players, who do not form a camp against one of them. The
    /// result is empty while a stock lasts: then there are two players, who are two
    /// camps.
    pub fn points_of_all(
        &mut self,
        play: &Play,
        limit: Limit<'_>,
    ) -> Result<ArrayVec<(Card, BySide<f64>), 8>, Stopped> {
        if !play.stock().is_empty() {
            return Ok(ArrayVec::new());
        }
        let Solver { alone, nodes, .. } = self;
        match play.players() {
            2 => alone::points::<2>(play, alone, limit, nodes),
            3 => alone::points::<3>(play, alone, limit, nodes),
            _ => alone::points::<4>(play, alone, limit, nodes),
        }
    }
}
