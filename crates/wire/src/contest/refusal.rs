//! A refusal of a contest or a sheet as JSON: its name, its clause, and the numbers with which a
//! client builds a sentence in any language.

use cards::{Seat, Side};
use contest::sheet::SheetRefusal;
use contest::{ContestRefusal, InvalidOutcome};
use game::{Illegal, Rules};
use serde::{Deserialize, Serialize};

/// A refusal as JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RefusalText {
    /// The kind of refusal: `contest`, `sheet`, `outcome` or `bid`.
    pub of: String,
    /// The name of the refusal, from [`ContestRefusal::name`].
    pub name: String,
    /// The clause that forbids it, if one does: `T4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// The fields of the refusal, in their order. Indices count from 0, as in the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<i64>,
}

/// A field of a refusal that is sent as a number.
trait Number: Sized {
    fn to_number(self) -> i64;
    fn from_number(number: i64) -> Option<Self>;
}

macro_rules! integers {
    ($($type:ty),*) => { $(impl Number for $type {
        fn to_number(self) -> i64 {
            i64::try_from(self).unwrap_or(i64::MAX)
        }
        fn from_number(number: i64) -> Option<Self> {
            number.try_into().ok()
        }
    })* };
}

integers!(usize, u8, u16, i32);

macro_rules! indices {
    ($($type:ty),*) => { $(impl Number for $type {
        fn to_number(self) -> i64 {
            self.index().to_number()
        }
        fn from_number(number: i64) -> Option<Self> {
            <$type>::new(usize::from_number(number)?)
        }
    })* };
}

indices!(Seat, Side);

/// Defines two functions from one list of variants: the numbers of a refusal, and the refusal with
/// a name and numbers. The caller handles variants that contain another refusal.
macro_rules! refusal_functions {
    ($type:ident: $numbers:ident, $named:ident; $($name:ident $({ $($field:ident),+ })?),+ $(,)?; else $($other:pat),*) => {
        fn $numbers(refusal: $type) -> Vec<i64> {
            match refusal {
                $($type::$name $({ $($field),+ })? => vec![$($($field.to_number()),+)?],)+
                $($other => Vec::new(),)*
            }
        }

        fn $named(name: &str, numbers: &[i64]) -> Option<$type> {
            let mut numbers = numbers.iter().copied();
            let refusal = match name {
                $(stringify!($name) => {
                    $type::$name $({ $($field: Number::from_number(numbers.next()?)?),+ })?
                })+
                _ => return None,
            };
            numbers.next().is_none().then_some(refusal)
        }
    };
}

refusal_functions!(ContestRefusal: contest_numbers, contest_refusal;
    NotForFour { players }, WordTooLong { most }, NotYours, ForReferee, TooMany { most },
    TooFew { least }, NoPairs, PairsOnly, NoSuchEntrant, HasWithdrawn, CannotReturn, NoSuchPhase,
    NoSuchTable, NoSuchPlace, PhaseClosed { phase }, PhaseOpen { phase }, NotReopened { phase },
    Reopened { phase }, NotSettled { table }, AlreadyDrawn, FinalDrawn, Over,
    TooManyPhases { most }, NoCommitment, OtherSecret, TooManyWords { most }, Ruled, NoTie,
    NoPenalties, NoSuchPenalty, TooMuch, NotOnline, AlreadyOpened, Unchanged;
    else ContestRefusal::Outcome(_), ContestRefusal::Sheet(_));

refusal_functions!(SheetRefusal: sheet_numbers, sheet_refusal;
    MatchOver, OtherGame, NoSuchSeat, OtherPlayers { players }, OtherSides { sides },
    OpenerDeclares { opener }, AllPassedIsThrownIn, CardsDoNotAddUp { found },
    NoSuchPoints { side, points }, NoSuchCalls, TricksDoNotAddUp { found, cards }, OtherBids,
    NoSuchLine, NothingToUndo, NoPenalties, SheetFull, Unchanged;
    else SheetRefusal::Bid(_));

refusal_functions!(InvalidOutcome: outcome_numbers, outcome_refusal;
    OtherSides { sides }, OutOfReach { score, least, most }, NobodyWon { target, margin }, NotOver,
    OtherRules;
    else);

/// The numbers of a refused bid; a sheet has no other refusal of the rules.
fn bid_numbers(illegal: Illegal) -> Vec<i64> {
    match illegal {
        Illegal::BidTooLow { highest: bid }
        | Illegal::BidTooHigh { most: bid }
        | Illegal::SumForbidden { bid } => vec![bid.to_number()],
        _ => Vec::new(),
    }
}

fn bid_refusal(name: &str, numbers: &[i64]) -> Option<Illegal> {
    let bid = numbers.first().and_then(|number| u8::from_number(*number));
    match (name, numbers.len()) {
        ("NotBidding", 0) => Some(Illegal::NotBidding),
        ("BidTooLow", 1) => bid.map(|highest| Illegal::BidTooLow { highest }),
        ("BidTooHigh", 1) => bid.map(|most| Illegal::BidTooHigh { most }),
        ("SumForbidden", 1) => bid.map(|bid| Illegal::SumForbidden { bid }),
        _ => None,
    }
}

impl RefusalText {
    /// The JSON form of a refusal of a contest with these rules. The refusal of a sheet without a
    /// contest is [`ContestRefusal::Sheet`].
    pub fn of(refusal: &ContestRefusal, rules: &Rules) -> RefusalText {
        let (of, numbers) = match *refusal {
            ContestRefusal::Sheet(SheetRefusal::Bid(illegal)) => ("bid", bid_numbers(illegal)),
            ContestRefusal::Sheet(refusal) => ("sheet", sheet_numbers(refusal)),
            ContestRefusal::Outcome(fault) => ("outcome", outcome_numbers(fault)),
            refusal => ("contest", contest_numbers(refusal)),
        };
        let clause = refusal.clause(rules).map(str::to_owned);
        RefusalText { of: of.into(), name: refusal.name().into(), clause, numbers }
    }

    /// The refusal. Returns None if it is unknown, for example from a newer program.
    pub fn refusal(&self) -> Option<ContestRefusal> {
        let (name, numbers) = (self.name.as_str(), self.numbers.as_slice());
        match self.of.as_str() {
            "contest" => contest_refusal(name, numbers),
            "sheet" => sheet_refusal(name, numbers).map(ContestRefusal::Sheet),
            "outcome" => outcome_refusal(name, numbers).map(ContestRefusal::Outcome),
            "bid" => bid_refusal(name, numbers).map(SheetRefusal::Bid).map(ContestRefusal::Sheet),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_read_back() {
        let rules = Rules::from_code("contest").unwrap();
        let side = Side::new(1).unwrap();
        for refusal in [
            ContestRefusal::NotYours,
            ContestRefusal::PhaseClosed { phase: 3 },
            ContestRefusal::NotSettled { table: 255 },
            ContestRefusal::NoPenalties,
            ContestRefusal::Unchanged,
            ContestRefusal::Sheet(SheetRefusal::Unchanged),
            ContestRefusal::Outcome(InvalidOutcome::OutOfReach {
                score: -1000,
                least: -999,
                most: 999,
            }),
            ContestRefusal::Outcome(InvalidOutcome::NotOver),
            ContestRefusal::Sheet(SheetRefusal::NoSuchPoints { side, points: 119 }),
            ContestRefusal::Sheet(SheetRefusal::TricksDoNotAddUp { found: 300, cards: 8 }),
            ContestRefusal::Sheet(SheetRefusal::NoPenalties),
            ContestRefusal::Sheet(SheetRefusal::Bid(Illegal::SumForbidden { bid: 1 })),
            ContestRefusal::Sheet(SheetRefusal::Bid(Illegal::NotBidding)),
        ] {
            let text = RefusalText::of(&refusal, &rules);
            let json = serde_json::to_string(&text).unwrap();
            let read: RefusalText = serde_json::from_str(&json).unwrap();
            assert_eq!(read.refusal(), Some(refusal), "{json}");
        }
        let text = |of: &str, name: &str, numbers: &[i64]| RefusalText {
            of: of.into(),
            name: name.into(),
            clause: None,
            numbers: numbers.to_vec(),
        };
        assert_eq!(text("contest", "PhaseClosed", &[]).refusal(), None);
        assert_eq!(text("contest", "PhaseClosed", &[-1]).refusal(), None);
        assert_eq!(text("contest", "NotYours", &[1]).refusal(), None);
        assert_eq!(text("sheet", "NoSuchPoints", &[9, 1]).refusal(), None);
        assert_eq!(text("kitchen", "Burnt", &[]).refusal(), None);
    }
}
