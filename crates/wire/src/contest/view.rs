//! A contest with all that follows from it, for scripts that fold nothing themselves.

use contest::standings::{EntrantState, Standing};
use contest::{Contest, ContestPhase, ContestStage, ContestTable, Entrant, Status};
use serde::{Deserialize, Serialize};

use super::change::PenaltyText;
use super::{SettingsText, role_text, table_text};
use crate::moment;

/// A whole contest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ContestView {
    /// What it is played by.
    pub settings: SettingsText,
    /// Where it stands: `entering`, `playing`, `played` or `over`.
    pub stage: String,
    /// The phases that hold.
    pub phases: Vec<PhaseView>,
    /// How many phases were drawn and are void.
    pub voided: usize,
    /// What the next draw was committed to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// How everybody stands, those who went furthest first.
    pub standings: Vec<PlayerView>,
}

/// A phase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PhaseView {
    /// What was committed to before its draw.
    pub commitment: String,
    /// What was revealed with it.
    pub secret: String,
    /// What the hall said.
    pub words: Vec<String>,
    /// Whether it gives the places.
    pub is_final: bool,
    /// Whether it is open again for corrections.
    pub reopened: bool,
    /// Its tables.
    pub tables: Vec<TableView>,
    /// Who goes on without playing, by numbers.
    pub byes: Vec<usize>,
}

/// A table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TableView {
    /// Which, with its phase: `2B`.
    pub table: String,
    /// The rules code of its match.
    pub rules: String,
    /// The seat that deals first.
    pub dealer: usize,
    /// Where it stands: `awaited`, `playing`, `disputed`, `tied` or `settled`.
    pub status: String,
    /// Who sits there, by places.
    pub places: Vec<PlaceView>,
    /// What was told of its match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reports: Vec<ReportView>,
    /// What was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruling: Option<ReportView>,
    /// Penalties beside the sheet: the place, and for what.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub penalties: Vec<(usize, PenaltyText)>,
    /// The table on the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened: Option<String>,
}

/// A place at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlaceView {
    /// The ticket: `B3`.
    pub ticket: String,
    /// The number of the entrant.
    pub entrant: usize,
    /// What he is called, so that nobody else is.
    pub name: String,
    /// His score, penalties taken off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// What he made in play-offs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub play_offs: Vec<i32>,
    /// His rank at the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
    /// Whether he goes on.
    pub goes_on: bool,
    /// Whether his tie must be played off.
    pub tied: bool,
    /// Whether he has withdrawn.
    pub left: bool,
}

/// What somebody told of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReportView {
    /// When.
    pub at: String,
    /// Who, as a log has it.
    pub by: String,
    /// The scores, by places.
    pub scores: Vec<i32>,
    /// Whether it was broken off.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub broken_off: bool,
}

/// An entrant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayerView {
    /// His number.
    pub entrant: usize,
    /// What he is called, so that nobody else is.
    pub name: String,
    /// How he stands, as [`State::name`] has it.
    pub state: String,
    /// Where he sits or sat last, with the phase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// His ticket there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticket: Option<String>,
    /// His score there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The places that he has or shares, from and to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<(usize, usize)>,
}

impl ContestView {
    /// The whole contest; it takes as long as the contest is large.
    pub fn of(contest: &Contest) -> ContestView {
        let stage = match contest.stage() {
            ContestStage::Entering => "entering",
            ContestStage::Playing { .. } => "playing",
            ContestStage::Played { .. } => "played",
            ContestStage::Over => "over",
        };
        let standings = contest.standings();
        ContestView {
            settings: SettingsText::of(contest.settings()),
            stage: stage.into(),
            phases: contest.phases().iter().map(|phase| PhaseView::of(contest, phase)).collect(),
            voided: contest.voided().len(),
            commitment: contest.commitment().map(ToString::to_string),
            standings: standings.iter().map(|one| PlayerView::of(contest, one)).collect(),
        }
    }
}

impl PhaseView {
    fn of(contest: &Contest, phase: &ContestPhase) -> PhaseView {
        PhaseView {
            commitment: phase.commitment().to_string(),
            secret: phase.secret().reveal(),
            words: phase.words().iter().map(ToString::to_string).collect(),
            is_final: phase.is_final(),
            reopened: phase.is_reopened(),
            tables: phase.tables().iter().map(|table| TableView::of(contest, table)).collect(),
            byes: phase.byes().iter().map(|entrant| entrant.number()).collect(),
        }
    }
}

impl TableView {
    /// A table; it takes no longer in a large contest than in a small one.
    pub fn of(contest: &Contest, table: &ContestTable) -> TableView {
        let status = match table.status() {
            Status::Awaited => "awaited",
            Status::Playing => "playing",
            Status::Disputed => "disputed",
            Status::Tied => "tied",
            Status::Settled => "settled",
        };
        let report = |report: &contest::MatchReport| ReportView {
            at: moment::text(report.at),
            by: role_text(report.by),
            scores: report.outcome.scores.as_slice().to_vec(),
            broken_off: report.outcome.broken_off,
        };
        let penalties = table.penalties().iter();
        TableView {
            table: table_text(table.id()),
            rules: table.rules().code(),
            dealer: table.dealer().number(),
            status: status.into(),
            places: places(contest, table),
            reports: table.reports().iter().map(report).collect(),
            ruling: table.ruling().map(report),
            penalties: penalties.map(|p| (p.place.number(), PenaltyText::of(p.penalty))).collect(),
            opened: table.opened().map(ToString::to_string),
        }
    }
}

fn places(contest: &Contest, table: &ContestTable) -> Vec<PlaceView> {
    let (ranking, advancing, tied) = (table.ranking(), table.advancing(), table.tied());
    let place = |(ticket, entrant): (contest::urn::Ticket, Entrant)| {
        let ranked = ranking.iter().find(|ranked| ranked.entrant == entrant);
        PlaceView {
            ticket: ticket.to_string(),
            entrant: entrant.number(),
            name: contest.name(entrant),
            score: ranked.map(|ranked| ranked.score),
            play_offs: ranked.map(|ranked| ranked.play_offs.clone()).unwrap_or_default(),
            rank: ranked.map(|ranked| ranked.rank),
            goes_on: advancing.contains(&entrant),
            tied: tied.contains(&entrant),
            left: contest.entrant(entrant).is_some_and(contest::Entered::has_withdrawn),
        }
    };
    table.tickets().map(place).collect()
}

impl PlayerView {
    /// An entrant as he stands.
    pub fn of(contest: &Contest, standing: &Standing) -> PlayerView {
        let state: EntrantState = standing.state;
        PlayerView {
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
