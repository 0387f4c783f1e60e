//! The changes of a contest as JSON.

use contest::{ContestChange, MatchOutcome, Party};
use game::cruce::Penalty;
use serde::{Deserialize, Serialize};

use super::{SettingsText, entrant, parse_table, table_text};
use crate::lines::{LineResult, each, error_text, side};
use crate::sheet::SheetChangeText;

/// A change of a contest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "did", rename_all = "snake_case", deny_unknown_fields)]
pub enum ContestChangeText {
    /// Changes the settings, before the first draw.
    Settings(SettingsText),
    /// Enters entrants.
    #[serde(rename = "admit")]
    Enter {
        /// The entrants: one name each, or two for a pair.
        entrants: Vec<PartyText>,
    },
    /// Renames an entrant.
    Rename {
        /// The entrant's number.
        entrant: usize,
        /// The new name.
        name: PartyText,
    },
    /// Withdraws an entrant.
    Withdraw {
        /// The entrant's number.
        entrant: usize,
    },
    /// Readmits an entrant who has withdrawn.
    Return {
        /// The entrant's number.
        entrant: usize,
    },
    /// Commits to the next draw.
    Commit {
        /// The commitment.
        commitment: String,
    },
    /// Draws the lots.
    Draw {
        /// The secret of the commitment.
        secret: String,
        /// The words from the hall.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        words: Vec<String>,
    },
    /// A table was opened on the server.
    Open {
        /// The table.
        table: String,
        /// The id of its table on the server.
        #[serde(rename = "word")]
        server_table: String,
    },
    /// Changes the sheet of a table.
    #[serde(rename = "keep")]
    WriteSheet {
        /// The table.
        table: String,
        /// The change.
        sheet: SheetChangeText,
    },
    /// Reports the result of a match.
    Report {
        /// The table.
        table: String,
        /// The scores, by places.
        scores: Vec<i32>,
        /// Whether the match was broken off.
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        broken_off: bool,
    },
    /// The referee decides the result of a match.
    Rule {
        /// The table.
        table: String,
        /// The scores, by places.
        scores: Vec<i32>,
        /// Whether the match was broken off.
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        broken_off: bool,
    },
    /// The referee gives a penalty.
    Penalise {
        /// The table.
        table: String,
        /// The place that is penalised.
        place: usize,
        /// The reason.
        penalty: PenaltyText,
    },
    /// Removes a penalty that was a mistake.
    Pardon {
        /// The table.
        table: String,
        /// The number of the penalty at the table.
        penalty: usize,
    },
    /// The result of further deals that were played to break a tie.
    PlayOff {
        /// The table.
        table: String,
        /// The scores of the further deals, by places.
        scores: Vec<i32>,
    },
    /// Opens a phase again.
    Reopen {
        /// The phase.
        phase: usize,
    },
    /// Closes a phase that was reopened.
    Close {
        /// The phase.
        phase: usize,
    },
    /// A server took the contest over from a file, with all the lines before this one.
    // The braces make unknown keys an error.
    Import {},
}

/// An entrant: one player, or a pair.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PartyText {
    /// One player.
    Alone(String),
    /// Two players.
    Pair(String, String),
}

/// The reason for a penalty (C15).
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
    /// The names as texts.
    pub fn of(party: &Party) -> PartyText {
        match party {
            Party::Alone(name) => PartyText::Alone(name.to_string()),
            Party::Pair(first, second) => PartyText::Pair(first.to_string(), second.to_string()),
        }
    }

    fn party(&self) -> LineResult<Party> {
        Ok(match self {
            PartyText::Alone(name) => Party::Alone(name.parse().map_err(error_text)?),
            PartyText::Pair(first, second) => {
                Party::Pair(first.parse().map_err(error_text)?, second.parse().map_err(error_text)?)
            }
        })
    }
}

fn phase(number: usize) -> LineResult<usize> {
    number.checked_sub(1).ok_or_else(|| "phases are counted from 1".into())
}

impl ContestChangeText {
    /// The change as texts and numbers.
    pub fn of(change: &ContestChange) -> ContestChangeText {
        match change {
            ContestChange::Settings(settings) => {
                ContestChangeText::Settings(SettingsText::of(settings))
            }
            ContestChange::Enter(parties) => {
                ContestChangeText::Enter { entrants: parties.iter().map(PartyText::of).collect() }
            }
            ContestChange::Rename { entrant, party } => {
                ContestChangeText::Rename { entrant: entrant.number(), name: PartyText::of(party) }
            }
            ContestChange::Withdraw { entrant } => {
                ContestChangeText::Withdraw { entrant: entrant.number() }
            }
            ContestChange::Return { entrant } => {
                ContestChangeText::Return { entrant: entrant.number() }
            }
            ContestChange::Commit(commitment) => {
                ContestChangeText::Commit { commitment: commitment.to_string() }
            }
            ContestChange::Draw { secret, words } => ContestChangeText::Draw {
                secret: secret.reveal(),
                words: words.iter().map(ToString::to_string).collect(),
            },
            ContestChange::Open { table, server_table } => ContestChangeText::Open {
                table: table_text(*table),
                server_table: server_table.to_string(),
            },
            ContestChange::WriteSheet { table, change } => ContestChangeText::WriteSheet {
                table: table_text(*table),
                sheet: SheetChangeText::of(change),
            },
            ContestChange::Report { table, outcome } => ContestChangeText::Report {
                table: table_text(*table),
                scores: outcome.scores.as_slice().to_vec(),
                broken_off: outcome.broken_off,
            },
            ContestChange::Rule { table, outcome } => ContestChangeText::Rule {
                table: table_text(*table),
                scores: outcome.scores.as_slice().to_vec(),
                broken_off: outcome.broken_off,
            },
            ContestChange::Penalise { table, place, penalty } => ContestChangeText::Penalise {
                table: table_text(*table),
                place: place.number(),
                penalty: PenaltyText::of(*penalty),
            },
            ContestChange::Pardon { table, penalty } => {
                ContestChangeText::Pardon { table: table_text(*table), penalty: penalty + 1 }
            }
            ContestChange::PlayOff { table, scores } => ContestChangeText::PlayOff {
                table: table_text(*table),
                scores: scores.as_slice().to_vec(),
            },
            ContestChange::Reopen { phase } => ContestChangeText::Reopen { phase: phase + 1 },
            ContestChange::Close { phase } => ContestChangeText::Close { phase: phase + 1 },
            ContestChange::Import => ContestChangeText::Import {},
        }
    }

    /// Parses the change; the error describes what is wrong.
    pub fn change(&self) -> LineResult<ContestChange> {
        let outcome = |scores: &[i32], broken_off| {
            Ok::<_, String>(MatchOutcome { scores: each(scores)?, broken_off })
        };
        Ok(match self {
            ContestChangeText::Settings(settings) => ContestChange::Settings(settings.settings()?),
            ContestChangeText::Enter { entrants } => ContestChange::Enter(
                entrants.iter().map(PartyText::party).collect::<LineResult<_>>()?,
            ),
            ContestChangeText::Rename { entrant: number, name } => {
                ContestChange::Rename { entrant: entrant(*number)?, party: name.party()? }
            }
            ContestChangeText::Withdraw { entrant: number } => {
                ContestChange::Withdraw { entrant: entrant(*number)? }
            }
            ContestChangeText::Return { entrant: number } => {
                ContestChange::Return { entrant: entrant(*number)? }
            }
            ContestChangeText::Commit { commitment } => {
                ContestChange::Commit(commitment.parse().map_err(error_text)?)
            }
            ContestChangeText::Draw { secret, words } => {
                let words: Result<_, _> = words.iter().map(|word| word.parse()).collect();
                ContestChange::Draw {
                    secret: secret.parse().map_err(error_text)?,
                    words: words.map_err(error_text)?,
                }
            }
            ContestChangeText::Open { table, server_table } => ContestChange::Open {
                table: parse_table(table)?,
                server_table: server_table.parse().map_err(error_text)?,
            },
            ContestChangeText::WriteSheet { table, sheet } => {
                ContestChange::WriteSheet { table: parse_table(table)?, change: sheet.change()? }
            }
            ContestChangeText::Report { table, scores, broken_off } => ContestChange::Report {
                table: parse_table(table)?,
                outcome: outcome(scores, *broken_off)?,
            },
            ContestChangeText::Rule { table, scores, broken_off } => ContestChange::Rule {
                table: parse_table(table)?,
                outcome: outcome(scores, *broken_off)?,
            },
            ContestChangeText::Penalise { table, place, penalty } => ContestChange::Penalise {
                table: parse_table(table)?,
                place: side(*place)?,
                penalty: penalty.penalty(),
            },
            ContestChangeText::Pardon { table, penalty } => ContestChange::Pardon {
                table: parse_table(table)?,
                penalty: penalty.checked_sub(1).ok_or("penalties are counted from 1")?,
            },
            ContestChangeText::PlayOff { table, scores } => {
                ContestChange::PlayOff { table: parse_table(table)?, scores: each(scores)? }
            }
            ContestChangeText::Reopen { phase: number } => {
                ContestChange::Reopen { phase: phase(*number)? }
            }
            ContestChangeText::Close { phase: number } => {
                ContestChange::Close { phase: phase(*number)? }
            }
            ContestChangeText::Import {} => ContestChange::Import,
        })
    }
}
