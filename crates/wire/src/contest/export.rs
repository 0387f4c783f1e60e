//! The computed state of a contest, for scripts that do not fold its lines.

use contest::standings::{EntrantState, Standing};
use contest::{Contest, ContestPhase, ContestStage, ContestTable, EntrantId, TableStatus};
use serde::{Deserialize, Serialize};

use super::change::PenaltyText;
use super::{SettingsText, role_text, table_text};
use crate::moment;

/// A whole contest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ContestExport {
    /// The settings.
    pub settings: SettingsText,
    /// The stage: `entering`, `playing`, `played` or `over`.
    pub stage: String,
    /// The valid phases.
    pub phases: Vec<PhaseExport>,
    /// The number of phases that were drawn and are void.
    pub voided: usize,
    /// The number of entries, the first ones, that a server took over from a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<usize>,
    /// The commitment to the next draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// The standings of all entrants; those who went furthest come first.
    pub standings: Vec<StandingExport>,
}

/// A phase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PhaseExport {
    /// The commitment from before its draw.
    pub commitment: String,
    /// The secret that the draw revealed.
    pub secret: String,
    /// The words from the hall.
    pub words: Vec<String>,
    /// Whether it decides the final places.
    pub is_final: bool,
    /// Whether it is open again for corrections.
    pub reopened: bool,
    /// Whether its draw comes from a file and was not made by the server.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub imported: bool,
    /// Its tables.
    pub tables: Vec<ContestTableExport>,
    /// The numbers of the entrants who advance without playing.
    pub byes: Vec<usize>,
}

/// A table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ContestTableExport {
    /// Its letter with the phase: `2B`.
    pub table: String,
    /// The rules code of its match.
    pub rules: String,
    /// The seat that deals first.
    pub dealer: usize,
    /// The status: `awaited`, `playing`, `disputed`, `tied` or `settled`.
    pub status: String,
    /// Its places, in order.
    pub places: Vec<PlaceExport>,
    /// The reported results of its match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reports: Vec<ReportExport>,
    /// The referee's decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruling: Option<ReportExport>,
    /// Penalties in addition to those on the sheet: the place and the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub penalties: Vec<(usize, PenaltyText)>,
    /// The id of the table on the server.
    #[serde(rename = "opened", default, skip_serializing_if = "Option::is_none")]
    pub server_table: Option<String>,
}

/// A place at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlaceExport {
    /// The ticket: `B3`.
    pub ticket: String,
    /// The number of the entrant.
    pub entrant: usize,
    /// The name, made unique within the contest.
    pub name: String,
    /// The score, with penalties subtracted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The scores in play-offs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub play_offs: Vec<i32>,
    /// The rank at the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
    /// Whether the entrant advances.
    pub goes_on: bool,
    /// Whether the entrant's tie must be played off.
    pub tied: bool,
    /// Whether the entrant has withdrawn.
    pub left: bool,
}

/// A reported or decided result of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReportExport {
    /// The time.
    pub at: String,
    /// The role of the reporter, as in a log.
    pub by: String,
    /// The scores, by places.
    pub scores: Vec<i32>,
    /// Whether the match was broken off.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub broken_off: bool,
    /// Whether it comes from a file that a server took over.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub imported: bool,
}

/// An entrant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StandingExport {
    /// The entrant's number.
    pub entrant: usize,
    /// The name, made unique within the contest.
    pub name: String,
    /// The state, from [`EntrantState::name`].
    pub state: String,
    /// The entrant's current or last table, with the phase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The ticket for that table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticket: Option<String>,
    /// The score at that table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The first and the last of the final places that the entrant has or shares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<(usize, usize)>,
}

impl ContestExport {
    /// Computes the state of the whole contest, in time proportional to its size.
    pub fn of(contest: &Contest) -> ContestExport {
        let stage = match contest.stage() {
            ContestStage::Entering => "entering",
            ContestStage::Playing { .. } => "playing",
            ContestStage::Played { .. } => "played",
            ContestStage::Over => "over",
        };
        let standings = contest.standings();
        ContestExport {
            settings: SettingsText::of(contest.settings()),
            stage: stage.into(),
            phases: contest.phases().iter().map(|phase| PhaseExport::of(contest, phase)).collect(),
            voided: contest.voided().len(),
            imported: contest.imported(),
            commitment: contest.commitment().map(ToString::to_string),
            standings: standings.iter().map(|one| StandingExport::of(contest, one)).collect(),
        }
    }
}

impl PhaseExport {
    fn of(contest: &Contest, phase: &ContestPhase) -> PhaseExport {
        PhaseExport {
            commitment: phase.commitment().to_string(),
            secret: phase.secret().reveal(),
            words: phase.words().iter().map(ToString::to_string).collect(),
            is_final: phase.is_final(),
            reopened: phase.is_reopened(),
            imported: phase.is_imported(),
            tables: phase
                .tables()
                .iter()
                .map(|table| ContestTableExport::of(contest, table))
                .collect(),
            byes: phase.byes().iter().map(|entrant| entrant.number()).collect(),
        }
    }
}

impl ContestTableExport {
    /// Computes the state of a table, in time independent of the size of the contest.
    pub fn of(contest: &Contest, table: &ContestTable) -> ContestTableExport {
        let status = match table.status() {
            TableStatus::Awaited => "awaited",
            TableStatus::Playing => "playing",
            TableStatus::Disputed => "disputed",
            TableStatus::Tied => "tied",
            TableStatus::Settled => "settled",
        };
        let report = |report: &contest::MatchReport| ReportExport {
            at: moment::text(report.at),
            by: role_text(report.by),
            scores: report.outcome.scores.as_slice().to_vec(),
            broken_off: report.outcome.broken_off,
            imported: report.imported,
        };
        let penalties = table.penalties().iter();
        ContestTableExport {
            table: table_text(table.id()),
            rules: table.rules().code(),
            dealer: table.dealer().number(),
            status: status.into(),
            places: places(contest, table),
            reports: table.reports().iter().map(report).collect(),
            ruling: table.ruling().map(report),
            penalties: penalties.map(|p| (p.place.number(), PenaltyText::of(p.penalty))).collect(),
            server_table: table.server_table().map(ToString::to_string),
        }
    }
}

fn places(contest: &Contest, table: &ContestTable) -> Vec<PlaceExport> {
    let (ranking, advancing, tied) = (table.ranking(), table.advancing(), table.tied());
    let place = |(ticket, entrant): (contest::urn::Ticket, EntrantId)| {
        let ranked = ranking.iter().find(|ranked| ranked.entrant == entrant);
        PlaceExport {
            ticket: ticket.to_string(),
            entrant: entrant.number(),
            name: contest.name(entrant),
            score: ranked.map(|ranked| ranked.score),
            play_offs: ranked.map(|ranked| ranked.play_offs.clone()).unwrap_or_default(),
            rank: ranked.map(|ranked| ranked.rank),
            goes_on: advancing.contains(&entrant),
            tied: tied.contains(&entrant),
            left: contest.entrant(entrant).is_some_and(contest::Entrant::has_withdrawn),
        }
    };
    table.tickets().map(place).collect()
}

impl StandingExport {
    /// The standing of an entrant.
    pub fn of(contest: &Contest, standing: &Standing) -> StandingExport {
        let state: EntrantState = standing.state;
        StandingExport {
            entrant: standing.entrant.number(),
            name: contest.name(standing.entrant),
            state: state.name().into(),
            table: standing.seat.map(|(id, _)| table_text(id)),
            ticket: standing.ticket().map(|ticket| ticket.to_string()),
            score: standing.score,
            places: standing.places,
        }
    }
}
