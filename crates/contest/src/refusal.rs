//! Why a change of a contest is refused.

use thiserror::Error;

use crate::outcome::InvalidOutcome;
use crate::sheet;

/// Why a change of a contest is refused. A refused change has no effect.
///
/// It carries what a sentence in any language needs; [`ContestRefusal::clause`] names the clause of
/// the contest's rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ContestRefusal {
    /// The rules are not for four players (T1).
    #[error("a contest is played at tables of four: the rules are for {players}")]
    NotForFour {
        /// The number of players of the rules.
        players: usize,
    },
    /// The contest's word is too long.
    #[error("the word of a contest has at most {most} letters")]
    WordTooLong {
        /// The maximum length.
        most: usize,
    },
    /// The role of this link may not do it.
    #[error("this may not be done with this role")]
    NotYours,
    /// Only the referee of the table or the organiser may (T5).
    #[error("this is for the referee")]
    ForReferee,
    /// Too many entrants.
    #[error("a contest has at most {most} entrants")]
    TooMany {
        /// The maximum.
        most: usize,
    },
    /// Too few entrants.
    #[error("at least {least} entrants are needed")]
    TooFew {
        /// The minimum.
        least: usize,
    },
    /// A pair in a contest of single players.
    #[error("this contest is for single players: enter players one by one")]
    NoPairs,
    /// A single player in a contest of pairs.
    #[error("this contest is played in pairs: enter two together")]
    PairsOnly,
    /// There is no such entrant.
    #[error("there is no such entrant")]
    NoSuchEntrant,
    /// The entrant has withdrawn before.
    #[error("the entrant has withdrawn already")]
    HasWithdrawn,
    /// The entrant has not withdrawn, or lots were drawn since then.
    #[error("only an entrant who has withdrawn since the last draw can return")]
    CannotReturn,
    /// There is no such phase.
    #[error("there is no such phase")]
    NoSuchPhase,
    /// There is no such table.
    #[error("there is no such table")]
    NoSuchTable,
    /// There is no such place at the table.
    #[error("there is no such place at this table")]
    NoSuchPlace,
    /// The next phase is drawn: the results can only be changed after reopening.
    #[error("phase {} is closed: it must be reopened first", .phase + 1)]
    PhaseClosed {
        /// The index of the phase.
        phase: usize,
    },
    /// The phase is open and needs no reopening.
    #[error("phase {} is open", .phase + 1)]
    PhaseOpen {
        /// The index of the phase.
        phase: usize,
    },
    /// The phase was not reopened, so it cannot be closed.
    #[error("phase {} is not reopened", .phase + 1)]
    NotReopened {
        /// The index of the phase.
        phase: usize,
    },
    /// A phase is reopened and must be closed first.
    #[error("phase {} is reopened: it must be closed first", .phase + 1)]
    Reopened {
        /// The index of the phase.
        phase: usize,
    },
    /// A table of the phase is not settled.
    #[error("table {} is not settled", crate::urn::table_letters(*.table))]
    NotSettled {
        /// The index of the table.
        table: usize,
    },
    /// The lots have been drawn.
    #[error("the lots have been drawn")]
    AlreadyDrawn,
    /// The final has been drawn.
    #[error("the final has been drawn")]
    FinalDrawn,
    /// The contest is over.
    #[error("the contest is over")]
    Over,
    /// The maximum number of phases is reached.
    #[error("a contest has at most {most} phases")]
    TooManyPhases {
        /// The maximum.
        most: usize,
    },
    /// There is no commitment (T6).
    #[error("there is no commitment for this draw")]
    NoCommitment,
    /// The secret is not the one that was committed to (T6).
    #[error("the secret does not belong to the commitment")]
    OtherSecret,
    /// Too many words for the urn.
    #[error("a draw takes at most {most} words from the hall")]
    TooManyWords {
        /// The maximum.
        most: usize,
    },
    /// The result of a match is impossible.
    #[error("{0}")]
    Outcome(InvalidOutcome),
    /// The table's sheet refuses the change.
    #[error("{0}")]
    Sheet(sheet::SheetRefusal),
    /// The referee has decided about this table.
    #[error("the referee has decided about this table")]
    Ruled,
    /// There is no tie to break (T4).
    #[error("there is no tie to play off")]
    NoTie,
    /// Penalties exist only in Cruce (C15).
    #[error("there are no penalties in whist")]
    NoPenalties,
    /// There is no such penalty.
    #[error("there is no such penalty")]
    NoSuchPenalty,
    /// The maximum number of reports, penalties or play-offs is reached.
    #[error("too much was entered for this table")]
    TooMuch,
    /// The contest is not played on a server.
    #[error("the tables of this contest are in a hall")]
    NotOnline,
    /// The table is open already.
    #[error("the table has been opened already")]
    AlreadyOpened,
    /// Nothing would change.
    #[error("nothing would change: it is already like that")]
    Unchanged,
}

impl From<InvalidOutcome> for ContestRefusal {
    fn from(fault: InvalidOutcome) -> ContestRefusal {
        ContestRefusal::Outcome(fault)
    }
}

impl ContestRefusal {
    /// The name of the refusal in protocols.
    pub const fn name(&self) -> &'static str {
        match self {
            ContestRefusal::NotForFour { .. } => "NotForFour",
            ContestRefusal::WordTooLong { .. } => "WordTooLong",
            ContestRefusal::NotYours => "NotYours",
            ContestRefusal::ForReferee => "ForReferee",
            ContestRefusal::TooMany { .. } => "TooMany",
            ContestRefusal::TooFew { .. } => "TooFew",
            ContestRefusal::NoPairs => "NoPairs",
            ContestRefusal::PairsOnly => "PairsOnly",
            ContestRefusal::NoSuchEntrant => "NoSuchEntrant",
            ContestRefusal::HasWithdrawn => "HasWithdrawn",
            ContestRefusal::CannotReturn => "CannotReturn",
            ContestRefusal::NoSuchPhase => "NoSuchPhase",
            ContestRefusal::NoSuchTable => "NoSuchTable",
            ContestRefusal::NoSuchPlace => "NoSuchPlace",
            ContestRefusal::PhaseClosed { .. } => "PhaseClosed",
            ContestRefusal::PhaseOpen { .. } => "PhaseOpen",
            ContestRefusal::NotReopened { .. } => "NotReopened",
            ContestRefusal::Reopened { .. } => "Reopened",
            ContestRefusal::Over => "Over",
            ContestRefusal::NotSettled { .. } => "NotSettled",
            ContestRefusal::AlreadyDrawn => "AlreadyDrawn",
            ContestRefusal::FinalDrawn => "FinalDrawn",
            ContestRefusal::TooManyPhases { .. } => "TooManyPhases",
            ContestRefusal::NoCommitment => "NoCommitment",
            ContestRefusal::OtherSecret => "OtherSecret",
            ContestRefusal::TooManyWords { .. } => "TooManyWords",
            ContestRefusal::Outcome(InvalidOutcome::OtherSides { .. }) => "OtherSides",
            ContestRefusal::Outcome(InvalidOutcome::OutOfReach { .. }) => "OutOfReach",
            ContestRefusal::Outcome(InvalidOutcome::NobodyWon { .. }) => "NobodyWon",
            ContestRefusal::Outcome(InvalidOutcome::NotOver) => "NotOver",
            ContestRefusal::Outcome(InvalidOutcome::OtherRules) => "OtherRules",
            ContestRefusal::Sheet(refusal) => refusal.name(),
            ContestRefusal::Ruled => "Ruled",
            ContestRefusal::NoTie => "NoTie",
            ContestRefusal::NoPenalties => "NoPenalties",
            ContestRefusal::NoSuchPenalty => "NoSuchPenalty",
            ContestRefusal::TooMuch => "TooMuch",
            ContestRefusal::NotOnline => "NotOnline",
            ContestRefusal::AlreadyOpened => "AlreadyOpened",
            ContestRefusal::Unchanged => "Unchanged",
        }
    }

    /// Whether nothing would change: the contest or the sheet is as the change would have it.
    pub const fn is_unchanged(&self) -> bool {
        matches!(
            self,
            ContestRefusal::Unchanged | ContestRefusal::Sheet(sheet::SheetRefusal::Unchanged)
        )
    }

    /// The clause of the contest (T) or of its game that forbids it, if there is one.
    pub const fn clause(&self, rules: &game::Rules) -> Option<&'static str> {
        Some(match self {
            ContestRefusal::NotForFour { .. }
            | ContestRefusal::TooMany { .. }
            | ContestRefusal::NoPairs
            | ContestRefusal::PairsOnly
            | ContestRefusal::NoSuchTable
            | ContestRefusal::NoSuchPlace => "T1",
            ContestRefusal::NotSettled { .. } | ContestRefusal::FinalDrawn => "T3",
            ContestRefusal::TooFew { .. } | ContestRefusal::NoTie => "T4",
            ContestRefusal::ForReferee => "T5",
            ContestRefusal::NoPenalties => "C15",
            ContestRefusal::NoCommitment
            | ContestRefusal::OtherSecret
            | ContestRefusal::TooManyWords { .. } => "T6",
            ContestRefusal::Outcome(InvalidOutcome::NobodyWon { .. }) => "C12",
            ContestRefusal::Outcome(InvalidOutcome::OutOfReach { .. }) => match rules {
                game::Rules::Cruce(_) => "C11",
                game::Rules::Whist(_) => "W6",
            },
            ContestRefusal::Outcome(
                InvalidOutcome::OtherSides { .. } | InvalidOutcome::NotOver,
            ) => "T2",
            ContestRefusal::Sheet(refusal) => return refusal.clause(rules),
            _ => return None,
        })
    }
}
