//! What is done in a contest, in words that travel.

use contest::{Change, Outcome, Party};
use game::cruce::Penalty;
use serde::{Deserialize, Serialize};

use super::{SettingsText, entrant, parse_table, table_text};
use crate::lines::{Told, each, said, side};
use crate::sheet::SheetChange;

/// Something that changes a contest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "did", rename_all = "snake_case", deny_unknown_fields)]
pub enum ContestChange {
    /// Other settings, before the first draw.
    Settings(SettingsText),
    /// These enter.
    Admit {
        /// Who: a name, or two.
        entrants: Vec<PartyText>,
    },
    /// An entrant is called otherwise.
    Rename {
        /// Who.
        entrant: usize,
        /// What he is called.
        name: PartyText,
    },
    /// An entrant does not play any more.
    Withdraw {
        /// Who.
        entrant: usize,
    },
    /// He does after all.
    Return {
        /// Who.
        entrant: usize,
    },
    /// The next draw is committed to.
    Commit {
        /// With what.
        commitment: String,
    },
    /// The lots are drawn.
    Draw {
        /// What was committed to.
        secret: String,
        /// What the hall said.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        words: Vec<String>,
    },
    /// A table was opened on the server.
    Open {
        /// Which.
        table: String,
        /// What it is called there.
        word: String,
    },
    /// Something is written on a table's sheet.
    Keep {
        /// Which table.
        table: String,
        /// What.
        sheet: SheetChange,
    },
    /// Somebody tells how a match ended.
    Report {
        /// At which table.
        table: String,
        /// With which scores, by places.
        scores: Vec<i32>,
        /// Whether it was broken off.
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        broken_off: bool,
    },
    /// The referee decides how a match ended.
    Rule {
        /// At which table.
        table: String,
        /// With which scores, by places.
        scores: Vec<i32>,
        /// Whether it was broken off.
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        broken_off: bool,
    },
    /// The referee takes points away.
    Penalise {
        /// At which table.
        table: String,
        /// Whom.
        place: usize,
        /// For what.
        penalty: PenaltyText,
    },
    /// A penalty was a mistake.
    Pardon {
        /// At which table.
        table: String,
        /// Which of its penalties.
        penalty: usize,
    },
    /// Further deals broke a tie, or did not.
    PlayOff {
        /// At which table.
        table: String,
        /// What each made, by places.
        scores: Vec<i32>,
    },
    /// A phase is opened again.
    Reopen {
        /// Which.
        phase: usize,
    },
    /// It is closed again.
    Close {
        /// Which.
        phase: usize,
    },
}

/// Who enters: one, or two together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PartyText {
    /// One player.
    Alone(String),
    /// Two.
    Pair(String, String),
}

/// What points are taken away for (C15).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PenaltyText {
    /// A card that broke a duty.
    Revoke,
    /// A wrong deal.
    Misdeal,
}

impl PenaltyText {
    pub(super) const fn of(penalty: Penalty) -> PenaltyText {
        match penalty {
            Penalty::Revoke => PenaltyText::Revoke,
            Penalty::Misdeal => PenaltyText::Misdeal,
        }
    }

    const fn penalty(self) -> Penalty {
        match self {
            PenaltyText::Revoke => Penalty::Revoke,
            PenaltyText::Misdeal => Penalty::Misdeal,
        }
    }
}

impl PartyText {
    /// Those who enter, in words that travel.
    pub fn of(party: &Party) -> PartyText {
        match party {
            Party::Alone(name) => PartyText::Alone(name.to_string()),
            Party::Pair(first, second) => PartyText::Pair(first.to_string(), second.to_string()),
        }
    }

    fn party(&self) -> Told<Party> {
        Ok(match self {
            PartyText::Alone(name) => Party::Alone(name.parse().map_err(said)?),
            PartyText::Pair(first, second) => {
                Party::Pair(first.parse().map_err(said)?, second.parse().map_err(said)?)
            }
        })
    }
}

fn phase(number: usize) -> Told<usize> {
    number.checked_sub(1).ok_or_else(|| "phases are counted from 1".into())
}

impl ContestChange {
    /// The change in words that travel.
    pub fn of(change: &Change) -> ContestChange {
        match change {
            Change::Settings(settings) => ContestChange::Settings(SettingsText::of(settings)),
            Change::Admit(parties) => {
                ContestChange::Admit { entrants: parties.iter().map(PartyText::of).collect() }
            }
            Change::Rename { entrant, party } => {
                ContestChange::Rename { entrant: entrant.number(), name: PartyText::of(party) }
            }
            Change::Withdraw { entrant } => ContestChange::Withdraw { entrant: entrant.number() },
            Change::Return { entrant } => ContestChange::Return { entrant: entrant.number() },
            Change::Commit(commitment) => {
                ContestChange::Commit { commitment: commitment.to_string() }
            }
            Change::Draw { secret, words } => ContestChange::Draw {
                secret: secret.reveal(),
                words: words.iter().map(ToString::to_string).collect(),
            },
            Change::Open { table, word } => {
                ContestChange::Open { table: table_text(*table), word: word.to_string() }
            }
            Change::Keep { table, change } => {
                ContestChange::Keep { table: table_text(*table), sheet: SheetChange::of(change) }
            }
            Change::Report { table, outcome } => ContestChange::Report {
                table: table_text(*table),
                scores: outcome.scores.as_slice().to_vec(),
                broken_off: outcome.broken_off,
            },
            Change::Rule { table, outcome } => ContestChange::Rule {
                table: table_text(*table),
                scores: outcome.scores.as_slice().to_vec(),
                broken_off: outcome.broken_off,
            },
            Change::Penalise { table, place, penalty } => ContestChange::Penalise {
                table: table_text(*table),
                place: place.number(),
                penalty: PenaltyText::of(*penalty),
            },
            Change::Pardon { table, penalty } => {
                ContestChange::Pardon { table: table_text(*table), penalty: penalty + 1 }
            }
            Change::PlayOff { table, scores } => ContestChange::PlayOff {
                table: table_text(*table),
                scores: scores.as_slice().to_vec(),
            },
            Change::Reopen { phase } => ContestChange::Reopen { phase: phase + 1 },
            Change::Close { phase } => ContestChange::Close { phase: phase + 1 },
        }
    }

    /// The change that these words mean, or what is wrong with them.
    pub fn change(&self) -> Told<Change> {
        let outcome = |scores: &[i32], broken_off| {
            Ok::<_, String>(Outcome { scores: each(scores)?, broken_off })
        };
        Ok(match self {
            ContestChange::Settings(settings) => Change::Settings(settings.settings()?),
            ContestChange::Admit { entrants } => {
                Change::Admit(entrants.iter().map(PartyText::party).collect::<Told<_>>()?)
            }
            ContestChange::Rename { entrant: number, name } => {
                Change::Rename { entrant: entrant(*number)?, party: name.party()? }
            }
            ContestChange::Withdraw { entrant: number } => {
                Change::Withdraw { entrant: entrant(*number)? }
            }
            ContestChange::Return { entrant: number } => {
                Change::Return { entrant: entrant(*number)? }
            }
            ContestChange::Commit { commitment } => {
                Change::Commit(commitment.parse().map_err(said)?)
            }
            ContestChange::Draw { secret, words } => {
                let words: Result<_, _> = words.iter().map(|word| word.parse()).collect();
                Change::Draw { secret: secret.parse().map_err(said)?, words: words.map_err(said)? }
            }
            ContestChange::Open { table, word } => {
                Change::Open { table: parse_table(table)?, word: word.parse().map_err(said)? }
            }
            ContestChange::Keep { table, sheet } => {
                Change::Keep { table: parse_table(table)?, change: sheet.change()? }
            }
            ContestChange::Report { table, scores, broken_off } => Change::Report {
                table: parse_table(table)?,
                outcome: outcome(scores, *broken_off)?,
            },
            ContestChange::Rule { table, scores, broken_off } => {
                Change::Rule { table: parse_table(table)?, outcome: outcome(scores, *broken_off)? }
            }
            ContestChange::Penalise { table, place, penalty } => Change::Penalise {
                table: parse_table(table)?,
                place: side(*place)?,
                penalty: penalty.penalty(),
            },
            ContestChange::Pardon { table, penalty } => Change::Pardon {
                table: parse_table(table)?,
                penalty: penalty.checked_sub(1).ok_or("penalties are counted from 1")?,
            },
            ContestChange::PlayOff { table, scores } => {
                Change::PlayOff { table: parse_table(table)?, scores: each(scores)? }
            }
            ContestChange::Reopen { phase: number } => Change::Reopen { phase: phase(*number)? },
            ContestChange::Close { phase: number } => Change::Close { phase: phase(*number)? },
        })
    }
}
