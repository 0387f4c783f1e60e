//! Why a change of a sheet is refused.

use cards::{Seat, Side};
use game::{Illegal, Rules};
use thiserror::Error;

/// Why a change of a sheet is refused. A refused change has no effect.
///
/// It carries what a sentence in any language needs; [`SheetRefusal::clause`] names the clause of
/// `docs/rules`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SheetRefusal {
    /// The match is over; its lines can still be changed.
    #[error("the match is over")]
    MatchOver,
    /// An illegal bid.
    #[error("{0}")]
    Bid(Illegal),
    /// A line of the other game.
    #[error("this is a line of another game")]
    OtherGame,
    /// There is no such seat.
    #[error("there is no such seat")]
    NoSuchSeat,
    /// Too many or too few players.
    #[error("{players} players are needed")]
    OtherPlayers {
        /// The number needed.
        players: usize,
    },
    /// Too many or too few sides.
    #[error("{sides} sides are needed")]
    OtherSides {
        /// The number needed.
        sides: usize,
    },
    /// All passed, and by these rules the player after the dealer declares with 0 (C6).
    #[error("where all pass, {opener:?} declares with a bid of 0")]
    OpenerDeclares {
        /// The seat of that player.
        opener: Seat,
    },
    /// All passed, and by these rules the cards are thrown in (C6).
    #[error("where all pass, the cards are thrown in")]
    AllPassedIsThrownIn,
    /// The points of the cards are not 120 (C1).
    #[error("the cards are worth 120 points in all, not {found}")]
    CardsDoNotAddUp {
        /// Their sum.
        found: u16,
    },
    /// Points that no set of cards has (C1).
    #[error("no cards are worth {points} point, or all the others")]
    NoSuchPoints {
        /// The side.
        side: Side,
        /// Its points.
        points: u8,
    },
    /// Impossible calls: there are 20 points in each of three suits, and 40 in trump (C10).
    #[error("calls are worth 20 in each of three suits and 40 in trump")]
    NoSuchCalls,
    /// The number of tricks differs from the number of cards of a player (W5).
    #[error("there are {cards} tricks in this deal, not {found}")]
    TricksDoNotAddUp {
        /// Their sum.
        found: u16,
        /// The number of cards of each player.
        cards: u8,
    },
    /// The line has other bids than were written before.
    #[error("this line already has other bids")]
    OtherBids,
    /// There is no such line.
    #[error("there is no such line")]
    NoSuchLine,
    /// There is no valid change to undo.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// Penalties exist only in Cruce (C15); a misdeal of whist is dealt again.
    #[error("there are no penalties in whist")]
    NoPenalties,
    /// The maximum number of lines or changes is reached.
    #[error("the sheet is full")]
    SheetFull,
    /// Nothing would change.
    #[error("nothing would change: it is already like that")]
    Unchanged,
}

impl SheetRefusal {
    /// The name of the refusal in protocols.
    pub const fn name(&self) -> &'static str {
        match self {
            SheetRefusal::Bid(illegal) => illegal.name(),
            SheetRefusal::MatchOver => "MatchOver",
            SheetRefusal::OtherGame => "OtherGame",
            SheetRefusal::NoSuchSeat => "NoSuchSeat",
            SheetRefusal::OtherPlayers { .. } => "OtherPlayers",
            SheetRefusal::OtherSides { .. } => "OtherSides",
            SheetRefusal::OpenerDeclares { .. } => "OpenerDeclares",
            SheetRefusal::AllPassedIsThrownIn => "AllPassedIsThrownIn",
            SheetRefusal::CardsDoNotAddUp { .. } => "CardsDoNotAddUp",
            SheetRefusal::NoSuchPoints { .. } => "NoSuchPoints",
            SheetRefusal::NoSuchCalls => "NoSuchCalls",
            SheetRefusal::TricksDoNotAddUp { .. } => "TricksDoNotAddUp",
            SheetRefusal::OtherBids => "OtherBids",
            SheetRefusal::NoSuchLine => "NoSuchLine",
            SheetRefusal::NothingToUndo => "NothingToUndo",
            SheetRefusal::NoPenalties => "NoPenalties",
            SheetRefusal::SheetFull => "SheetFull",
            SheetRefusal::Unchanged => "Unchanged",
        }
    }

    /// The clause of `docs/rules` that forbids it; `None` if no rule of a game is broken.
    pub const fn clause(&self, rules: &Rules) -> Option<&'static str> {
        let cruce = matches!(rules, Rules::Cruce(_));
        Some(match self {
            SheetRefusal::Bid(illegal) => illegal.clause(rules),
            SheetRefusal::MatchOver => {
                if cruce {
                    "C12"
                } else {
                    "W8"
                }
            }
            SheetRefusal::NoSuchSeat
            | SheetRefusal::OtherPlayers { .. }
            | SheetRefusal::OtherSides { .. } => {
                if cruce {
                    "C2"
                } else {
                    "W1"
                }
            }
            SheetRefusal::OpenerDeclares { .. } | SheetRefusal::AllPassedIsThrownIn => "C6",
            SheetRefusal::CardsDoNotAddUp { .. } | SheetRefusal::NoSuchPoints { .. } => "C1",
            SheetRefusal::NoSuchCalls => "C10",
            SheetRefusal::TricksDoNotAddUp { .. } => "W5",
            SheetRefusal::NoPenalties => "C15",
            SheetRefusal::OtherBids => {
                if cruce {
                    "C6"
                } else {
                    "W4"
                }
            }
            SheetRefusal::OtherGame
            | SheetRefusal::NoSuchLine
            | SheetRefusal::NothingToUndo
            | SheetRefusal::SheetFull
            | SheetRefusal::Unchanged => return None,
        })
    }
}
