//! Why something may not stand on a sheet.

use cards::{Seat, Side};
use game::{Illegal, Rules};
use thiserror::Error;

/// Why a change of a sheet is refused. Nothing has changed.
///
/// It carries what a sentence in any language needs; [`Refusal::clause`] names the clause of
/// `docs/rules`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SheetRefusal {
    /// The match is over; its lines can still be changed.
    #[error("the match is over")]
    MatchOver,
    /// A bid that cannot be said.
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
        /// How many there are.
        players: usize,
    },
    /// Too many or too few sides.
    #[error("{sides} sides are needed")]
    OtherSides {
        /// How many there are.
        sides: usize,
    },
    /// Nobody bid, and by these rules the player after the dealer declares with 0 (C6).
    #[error("where all pass, {opener:?} declares with a bid of 0")]
    OpenerDeclares {
        /// Who.
        opener: Seat,
    },
    /// Nobody bid, and by these rules the cards are thrown in (C6).
    #[error("where all pass, the cards are thrown in")]
    AllPassedIsThrownIn,
    /// The points of the cards are not 120 (C1).
    #[error("the cards are worth 120 points in all, not {found}")]
    CardsDoNotAddUp {
        /// What they come to.
        found: u16,
    },
    /// Points that no cards are worth (C1).
    #[error("no cards are worth {points} point, or all the others")]
    NoSuchPoints {
        /// Whose.
        side: Side,
        /// How many.
        points: u8,
    },
    /// Calls that cannot be: 20 each in three suits, and 40 in trump (C10).
    #[error("calls are worth 20 in each of three suits and 40 in trump")]
    NoSuchCalls,
    /// The tricks are not as many as the cards of a player (W5).
    #[error("there are {cards} tricks in this deal, not {found}")]
    TricksDoNotAddUp {
        /// What they come to.
        found: u16,
        /// How many cards each player has.
        cards: u8,
    },
    /// The line says other bids than were written before.
    #[error("other bids stand on this line already")]
    OtherBids,
    /// There is no such line.
    #[error("there is no such line")]
    NoSuchLine,
    /// Nothing holds that could be undone.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// Penalties belong to Cruce (C15); a wrong deal of whist is dealt again.
    #[error("whist knows no penalties")]
    NoPenalties,
    /// More lines or changes than a sheet has.
    #[error("the sheet is full")]
    SheetFull,
}

impl SheetRefusal {
    /// The name of the refusal, as protocols write it.
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
        }
    }

    /// The clause of `docs/rules` that forbids it; none where no rule of a game is broken.
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
            | SheetRefusal::SheetFull => return None,
        })
    }
}
