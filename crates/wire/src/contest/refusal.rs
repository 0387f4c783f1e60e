//! A refusal of a contest or a sheet as JSON: its name, its clause, and the numbers that a sentence
//! in any language needs.

use cards::{Seat, Side};
use contest::sheet::SheetRefusal as OfSheet;
use contest::{ContestRefusal, InvalidOutcome};
use game::{Illegal, Rules};
use serde::{Deserialize, Serialize};

/// A refusal in words that travel.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RefusalText {
    /// Who refuses: `contest`, `sheet`, `outcome` or `bid`.
    pub of: String,
    /// Which refusal, as [`Refusal::name`] has it.
    pub name: String,
    /// The clause that forbids it, if one does: `T4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// What it is about, in the order in which the refusal has it; what people count, from 0 as
    /// the program does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<i64>,
}

/// Something that stands in a refusal as a number.
trait Number: Sized {
    fn told(self) -> i64;
    fn of(number: i64) -> Option<Self>;
}

macro_rules! whole {
    ($($type:ty),*) => { $(impl Number for $type {
        fn told(self) -> i64 {
            i64::try_from(self).unwrap_or(i64::MAX)
        }
        fn of(number: i64) -> Option<Self> {
            number.try_into().ok()
        }
    })* };
}

whole!(usize, u8, u16, i32);

macro_rules! place {
    ($($type:ty),*) => { $(impl Number for $type {
        fn told(self) -> i64 {
            self.index().told()
        }
        fn of(number: i64) -> Option<Self> {
            <$type>::new(usize::of(number)?)
        }
    })* };
}

place!(Seat, Side);

/// Two functions from one list of variants: the numbers of a refusal, and the refusal of a name
/// and numbers. What carries another refusal is told apart before.
macro_rules! told {
    ($type:ident: $numbers:ident, $named:ident; $($name:ident $({ $($field:ident),+ })?),+ $(,)?; else $($other:pat),*) => {
        fn $numbers(refusal: $type) -> Vec<i64> {
            match refusal {
                $($type::$name $({ $($field),+ })? => vec![$($($field.told()),+)?],)+
                $($other => Vec::new(),)*
            }
        }

        fn $named(name: &str, numbers: &[i64]) -> Option<$type> {
            let mut numbers = numbers.iter().copied();
            let refusal = match name {
                $(stringify!($name) => {
                    $type::$name $({ $($field: Number::of(numbers.next()?)?),+ })?
                })+
                _ => return None,
            };
            numbers.next().is_none().then_some(refusal)
        }
    };
}

told!(ContestRefusal: of_contest, contest_refusal;
    NotForFour { players }, WordTooLong { most }, NotYours, ForReferee, TooMany { most },
    TooFew { least }, NoPairs, PairsOnly, NoSuchEntrant, HasWithdrawn, CannotReturn, NoSuchPhase,
    NoSuchTable, NoSuchPlace, PhaseClosed { phase }, PhaseOpen { phase }, NotReopened { phase },
    Reopened { phase }, NotSettled { table }, AlreadyDrawn, FinalDrawn, Over,
    TooManyPhases { most }, NoCommitment, OtherSecret, TooManyWords { most }, Ruled, NoTie,
    NoPenalties, NoSuchPenalty, TooMuch, NotOnline, AlreadyOpened;
    else ContestRefusal::Outcome(_), ContestRefusal::Sheet(_));

told!(OfSheet: of_sheet, sheet_refusal;
    MatchOver, OtherGame, NoSuchSeat, OtherPlayers { players }, OtherSides { sides },
    OpenerDeclares { opener }, AllPassedIsThrownIn, CardsDoNotAddUp { found },
    NoSuchPoints { side, points }, NoSuchCalls, TricksDoNotAddUp { found, cards }, OtherBids,
    NoSuchLine, NothingToUndo, NoPenalties, SheetFull;
    else OfSheet::Bid(_));

told!(InvalidOutcome: of_outcome, outcome_refusal;
    OtherSides { sides }, OutOfReach { score, least, most }, NobodyWon { target, margin }, NotOver,
    OtherRules;
    else);

/// The refusals of a bidding; no other can stand on a sheet.
fn of_bid(illegal: Illegal) -> Vec<i64> {
    match illegal {
        Illegal::BidTooLow { highest: bid }
        | Illegal::BidTooHigh { most: bid }
        | Illegal::SumForbidden { bid } => vec![bid.told()],
        _ => Vec::new(),
    }
}

fn bid_refusal(name: &str, numbers: &[i64]) -> Option<Illegal> {
    let bid = numbers.first().and_then(|number| u8::of(*number));
    match (name, numbers.len()) {
        ("NotBidding", 0) => Some(Illegal::NotBidding),
        ("BidTooLow", 1) => bid.map(|highest| Illegal::BidTooLow { highest }),
        ("BidTooHigh", 1) => bid.map(|most| Illegal::BidTooHigh { most }),
        ("SumForbidden", 1) => bid.map(|bid| Illegal::SumForbidden { bid }),
        _ => None,
    }
}

impl RefusalText {
    /// A refusal of a contest by these rules in words that travel; one of a sheet alone is
    /// [`Refusal::Sheet`].
    pub fn of(refusal: &ContestRefusal, rules: &Rules) -> RefusalText {
        let (of, numbers) = match *refusal {
            ContestRefusal::Sheet(OfSheet::Bid(illegal)) => ("bid", of_bid(illegal)),
            ContestRefusal::Sheet(refusal) => ("sheet", of_sheet(refusal)),
            ContestRefusal::Outcome(fault) => ("outcome", of_outcome(fault)),
            refusal => ("contest", of_contest(refusal)),
        };
        let clause = refusal.clause(rules).map(str::to_owned);
        RefusalText { of: of.into(), name: refusal.name().into(), clause, numbers }
    }

    /// The refusal that these words mean; nothing where a newer program has more of them.
    pub fn refusal(&self) -> Option<ContestRefusal> {
        let (name, numbers) = (self.name.as_str(), self.numbers.as_slice());
        match self.of.as_str() {
            "contest" => contest_refusal(name, numbers),
            "sheet" => sheet_refusal(name, numbers).map(ContestRefusal::Sheet),
            "outcome" => outcome_refusal(name, numbers).map(ContestRefusal::Outcome),
            "bid" => bid_refusal(name, numbers).map(OfSheet::Bid).map(ContestRefusal::Sheet),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_travel() {
        let rules = Rules::from_code("contest").unwrap();
        let side = Side::new(1).unwrap();
        for refusal in [
            ContestRefusal::NotYours,
            ContestRefusal::PhaseClosed { phase: 3 },
            ContestRefusal::NotSettled { table: 255 },
            ContestRefusal::NoPenalties,
            ContestRefusal::Outcome(InvalidOutcome::OutOfReach {
                score: -1000,
                least: -999,
                most: 999,
            }),
            ContestRefusal::Outcome(InvalidOutcome::NotOver),
            ContestRefusal::Sheet(OfSheet::NoSuchPoints { side, points: 119 }),
            ContestRefusal::Sheet(OfSheet::TricksDoNotAddUp { found: 300, cards: 8 }),
            ContestRefusal::Sheet(OfSheet::NoPenalties),
            ContestRefusal::Sheet(OfSheet::Bid(Illegal::SumForbidden { bid: 1 })),
            ContestRefusal::Sheet(OfSheet::Bid(Illegal::NotBidding)),
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
