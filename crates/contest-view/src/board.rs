//! A table of a contest as clients draw it: the players, the reported and decided results, and the
//! actions that are possible now.

use contest::standings::EntrantState;
use contest::{
    Contest, ContestPhase, ContestTable, ContestTableId, EntrantId, MatchReport, TableStatus,
};
use game::Rules;
use game::cruce::Penalty;

use super::{author, dealer, draw_imported, phase_name, scores, state};
use phrases::Phrases;
use phrases::layout::{signed, total};

/// A table of a contest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableCard {
    /// Its id.
    pub id: ContestTableId,
    /// Its code with the phase, as used in links: `2B`.
    pub code: String,
    /// Its name: `Table B`.
    pub name: String,
    /// Its status, for the style sheet.
    pub status: &'static str,
    /// Its status, in words.
    pub status_text: String,
    /// The first dealer, in words.
    pub deals: String,
    /// The entrants at the table.
    pub places: Vec<BoardSeat>,
    /// The reported results, each with its reporter.
    pub reports: Vec<ReportLine>,
    /// The result that was decided, in words.
    pub ruled: Option<String>,
    /// The penalties outside the score sheet, in words.
    pub penalties: Vec<String>,
    /// The entrants whose tie must be played off.
    pub tied: Vec<String>,
    /// Whether results may be entered: its phase is the last one, or reopened.
    pub takes_results: bool,
    /// Whether its game has penalties (C15).
    pub punishes: bool,
}

/// A place at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardSeat {
    /// The ticket: `B3`.
    pub ticket: String,
    /// The number of the entrant.
    pub entrant: usize,
    /// The name.
    pub name: String,
    /// The score.
    pub score: Option<i32>,
    /// The score as text; empty if it is unknown.
    pub shown: String,
    /// The results of play-offs, in words.
    pub play_offs: String,
    /// Whether the entrant advances, has withdrawn, or must play off a tie; in words.
    pub mark: String,
    /// The same for the style sheet: `on`, `left`, `tied` or empty.
    pub class: &'static str,
}

/// A reported result of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportLine {
    /// The reporter and the result, in words.
    pub said: String,
    /// The scores.
    pub scores: Vec<i32>,
}

/// The word of a status, for the style sheet and the phrases.
pub(super) const fn status_word(status: TableStatus) -> &'static str {
    match status {
        TableStatus::Awaited => "awaited",
        TableStatus::Playing => "playing",
        TableStatus::Disputed => "disputed",
        TableStatus::Tied => "tied",
        TableStatus::Settled => "settled",
    }
}

impl TableCard {
    /// The card of a table.
    pub fn new(phrases: &Phrases, contest: &Contest, table: &ContestTable) -> TableCard {
        let status = status_word(table.status());
        let phase = contest.phases().get(table.id().phase);
        let last = table.id().phase + 1 == contest.phases().len();
        let tied = table.tied();
        TableCard {
            id: table.id(),
            code: super::table_name(table.id()),
            name: phrases.contest_table(contest::urn::table_letters(table.id().table)),
            status,
            status_text: phrases.contest_status(status),
            deals: phrases.contest_deals(dealer(contest, table)),
            places: places(phrases, contest, table, &tied),
            reports: table.reports().iter().map(|one| report_line(phrases, contest, one)).collect(),
            ruled: table.ruling().map(|one| report_line(phrases, contest, one).said),
            penalties: penalties(phrases, contest, table),
            tied: tied.iter().map(|entrant| contest.name(*entrant)).collect(),
            takes_results: last || phase.is_some_and(ContestPhase::is_reopened),
            punishes: matches!(table.rules(), Rules::Cruce(_)),
        }
    }

    /// The tables of a phase, given by its index.
    pub fn of_phase(phrases: &Phrases, contest: &Contest, phase: usize) -> Vec<TableCard> {
        let tables = contest.phases().get(phase).map(ContestPhase::tables).unwrap_or_default();
        tables.iter().map(|table| TableCard::new(phrases, contest, table)).collect()
    }

    /// Whether a referee must act on it.
    pub fn needs_attention(&self) -> bool {
        matches!(self.status, "disputed" | "tied")
    }
}

fn report_line(phrases: &Phrases, contest: &Contest, report: &MatchReport) -> ReportLine {
    let who = author(phrases, contest, report.by, report.imported);
    let mut text = phrases.contest_reported(who, scores(&report.outcome.scores));
    if report.outcome.broken_off {
        text = format!("{text} ({})", phrases.contest_page_broken_off());
    }
    ReportLine {
        said: phrases::layout::capitalised(&text),
        scores: report.outcome.scores.as_slice().to_vec(),
    }
}

fn penalties(phrases: &Phrases, contest: &Contest, table: &ContestTable) -> Vec<String> {
    let describe = |penalised: &contest::ImposedPenalty| {
        let who = table.entrants().get(penalised.place.index()).map(|who| contest.name(*who));
        let why = penalty_word(penalised.penalty);
        let change = signed(penalised.penalty.change().into());
        phrases.contest_page_penalised(who.unwrap_or_default(), change, why)
    };
    table.penalties().iter().map(describe).collect()
}

/// The word of a penalty in phrases.
const fn penalty_word(penalty: Penalty) -> &'static str {
    match penalty {
        Penalty::Revoke => "revoke",
        Penalty::Misdeal => "misdeal",
    }
}

fn places(
    phrases: &Phrases,
    contest: &Contest,
    table: &ContestTable,
    tied: &[EntrantId],
) -> Vec<BoardSeat> {
    let (ranking, advancing) = (table.ranking(), table.advancing());
    let place = |(ticket, entrant): (contest::urn::Ticket, EntrantId)| {
        let ranked = ranking.iter().find(|ranked| ranked.entrant == entrant);
        let has_withdrawn = contest.entrant(entrant).is_some_and(contest::Entrant::has_withdrawn);
        let is_settled = table.status() == TableStatus::Settled;
        let (class, mark) = match ranked {
            _ if advancing.contains(&entrant) => ("on", state(phrases, EntrantState::Advances)),
            _ if has_withdrawn => ("left", state(phrases, EntrantState::Withdrawn)),
            _ if tied.contains(&entrant) => ("tied", phrases.contest_page_tied()),
            Some(ranked) if is_settled && table.is_final() => {
                ("", phrases.contest_page_rank(ranked.rank))
            }
            _ => ("", String::new()),
        };
        let play_offs = ranked.map_or(&[][..], |ranked| &ranked.play_offs);
        BoardSeat {
            ticket: ticket.to_string(),
            entrant: entrant.number(),
            name: contest.name(entrant),
            score: ranked.map(|ranked| ranked.score),
            shown: ranked.map_or(String::new(), |ranked| total(ranked.score)),
            play_offs: play_offs.iter().map(|made| signed(*made)).collect::<Vec<_>>().join(" "),
            mark,
            class,
        }
    };
    table.tickets().map(place).collect()
}

/// A phase of a contest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PhaseCard {
    /// Its index.
    pub phase: usize,
    /// Its name: `Phase 2`, or `Final`.
    pub name: String,
    /// Whether it is open again for corrections.
    pub reopened: bool,
    /// Whether it can be reopened: the next phase has been drawn.
    pub may_reopen: bool,
    /// How many of its tables are settled, in words.
    pub settled: String,
    /// The entrants who advance without playing, in words; empty if all play.
    pub byes: String,
    /// A notice that the server did not draw its lots; empty if it did.
    pub imported: String,
}

impl PhaseCard {
    /// All valid phases, in order.
    pub fn all(phrases: &Phrases, contest: &Contest) -> Vec<PhaseCard> {
        let last = contest.phases().len().saturating_sub(1);
        let card = |(number, phase): (usize, &ContestPhase)| {
            let settled =
                phase.tables().iter().filter(|t| t.status() == TableStatus::Settled).count();
            let names: Vec<String> = phase.byes().iter().map(|bye| contest.name(*bye)).collect();
            PhaseCard {
                phase: number,
                name: phase_name(phrases, contest, number),
                reopened: phase.is_reopened(),
                may_reopen: number < last && !phase.is_reopened(),
                settled: phrases.contest_page_settled(settled, phase.tables().len()),
                byes: match names.as_slice() {
                    [] => String::new(),
                    names => phrases.contest_byes(phrases.list_and(names)),
                },
                imported: draw_imported(phrases, contest, number).unwrap_or_default(),
            }
        };
        contest.phases().iter().enumerate().map(card).collect()
    }
}

/// Parses a score that a user typed.
pub fn parse_score(text: &str) -> Option<i32> {
    text.trim().replace('−', "-").parse().ok()
}
