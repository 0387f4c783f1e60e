//! One table of a contest: its match, the reports of it, and its result.

use core::cmp::Ordering;

use cards::{BySide, Seat, Side};
use game::Rules;
use game::cruce::Penalty;
use game::fair::Word;

use crate::Millis;
use crate::contest::{ContestEntry, Role};
use crate::entrant::EntrantId;
use crate::outcome::MatchOutcome;
use crate::sheet::Sheet;
use crate::urn::Ticket;

/// The maximum number of reports, penalties or play-offs of one table.
pub(crate) const MAX_NOTES: usize = 32;

/// Identifies a table of a contest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ContestTableId {
    /// The index of the phase.
    pub phase: usize,
    /// The index of the table in it.
    pub table: usize,
}

/// A report of the result of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatchReport {
    /// When it was made.
    pub at: Millis,
    /// The role that made it.
    pub by: Role,
    /// The reported result.
    pub outcome: MatchOutcome,
    /// Whether it is among the [imported](crate::Contest::imported) entries.
    pub imported: bool,
}

impl MatchReport {
    pub(crate) const fn new(entry: &ContestEntry, outcome: MatchOutcome) -> MatchReport {
        MatchReport { at: entry.at, by: entry.by, outcome, imported: false }
    }
}

/// A penalty that the referee imposed in addition to the sheet (T5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImposedPenalty {
    /// The penalised place.
    pub place: Side,
    /// The offence.
    pub penalty: Penalty,
}

/// The status of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableStatus {
    /// Nothing is known about its match.
    Awaited,
    /// Its sheet is being written.
    Playing,
    /// The reports differ; the referee must decide.
    Disputed,
    /// A tie must be played off (T4).
    Tied,
    /// It is known who goes on; in the final, who has which place.
    Settled,
}

/// An entrant in the ranking of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranked {
    /// Their place at the table.
    pub place: Side,
    /// The entrant.
    pub entrant: EntrantId,
    /// Their score, less penalties.
    pub score: i32,
    /// Their score in each play-off. A later one counts only for those whom the earlier ones left
    /// level.
    pub play_offs: Vec<i32>,
    /// Their rank, counted from 1; equal ones share it.
    pub rank: usize,
    /// Whether they have withdrawn; then they rank behind all others.
    pub withdrawn: bool,
}

/// A table and its match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContestTable {
    pub(crate) id: ContestTableId,
    pub(crate) rules: Rules,
    pub(crate) entrants: Vec<EntrantId>,
    pub(crate) dealer: Seat,
    /// The number of entrants that go on; 0 in the final.
    pub(crate) advancing_count: usize,
    pub(crate) withdrawn: BySide<bool>,
    pub(crate) sheet: Option<Box<Sheet>>,
    pub(crate) reports: Vec<MatchReport>,
    pub(crate) ruling: Option<MatchReport>,
    pub(crate) penalties: Vec<ImposedPenalty>,
    pub(crate) play_offs: Vec<BySide<i32>>,
    pub(crate) server_table: Option<Word>,
    /// Whether anything has changed since the last import.
    pub(crate) is_new: bool,
    status: TableStatus,
    ranking: Vec<Ranked>,
}

impl ContestTable {
    pub(crate) fn new(
        id: ContestTableId,
        rules: Rules,
        entrants: Vec<EntrantId>,
        dealer: Seat,
        advancing_count: usize,
    ) -> ContestTable {
        ContestTable {
            id,
            rules,
            dealer,
            advancing_count,
            withdrawn: BySide::filled(false, entrants.len()),
            entrants,
            sheet: None,
            reports: Vec::new(),
            ruling: None,
            penalties: Vec::new(),
            play_offs: Vec::new(),
            server_table: None,
            is_new: true,
            status: TableStatus::Awaited,
            ranking: Vec::new(),
        }
    }

    /// Computes what follows from a change. A reader does not compute it: a contest looks at all
    /// of its tables more often than one of them changes.
    pub(crate) fn compute(&mut self) {
        #[cfg(test)]
        TABLES_RANKED.set(TABLES_RANKED.get() + 1);
        self.is_new = true;
        self.ranking = self.ranked();
        self.status = self.computed_status();
    }

    /// The phase and the number of the table.
    pub const fn id(&self) -> ContestTableId {
        self.id
    }

    /// The rules of its match: those of the contest, for the number of players here.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The entrants at the table, by places.
    pub fn entrants(&self) -> &[EntrantId] {
        &self.entrants
    }

    /// The tickets of the entrants, by places.
    pub fn tickets(&self) -> impl Iterator<Item = (Ticket, EntrantId)> + '_ {
        let places = Side::first(self.entrants.len()).zip(&self.entrants);
        places.map(|(place, entrant)| (Ticket { table: self.id.table, place }, *entrant))
    }

    /// The place of an entrant.
    pub fn place_of(&self, entrant: EntrantId) -> Option<Side> {
        self.entrants.iter().position(|other| *other == entrant).and_then(Side::new)
    }

    /// The first dealer, drawn by lot.
    pub const fn dealer(&self) -> Seat {
        self.dealer
    }

    /// Whether it is the table of the final.
    pub const fn is_final(&self) -> bool {
        self.advancing_count == 0
    }

    /// Its score sheet, if there is one.
    pub fn sheet(&self) -> Option<&Sheet> {
        self.sheet.as_deref()
    }

    /// The reports of its match; the result of the sheet is not among them.
    pub fn reports(&self) -> &[MatchReport] {
        &self.reports
    }

    /// The decision of the referee or the organiser.
    pub const fn ruling(&self) -> Option<&MatchReport> {
        self.ruling.as_ref()
    }

    /// The penalties in addition to the sheet (T5).
    pub fn penalties(&self) -> &[ImposedPenalty] {
        &self.penalties
    }

    /// The scores of each place in the play-offs (T4).
    pub fn play_offs(&self) -> &[BySide<i32>] {
        &self.play_offs
    }

    /// The id of its table on the server, once it was opened.
    pub const fn server_table(&self) -> Option<&Word> {
        self.server_table.as_ref()
    }

    /// The result of the match: the ruling, or else what all reports and the sheet agree on.
    pub fn outcome(&self) -> Option<MatchOutcome> {
        if let Some(ruling) = &self.ruling {
            return Some(ruling.outcome);
        }
        let mut reported = self.reported();
        let first = reported.next()?;
        reported.all(|outcome| outcome == first).then_some(first)
    }

    /// All results of the match, from reports and from the sheet.
    fn reported(&self) -> impl Iterator<Item = MatchOutcome> + '_ {
        let of_sheet = self.sheet().and_then(|sheet| MatchOutcome::of_sheet(sheet).ok());
        self.reports.iter().map(|report| report.outcome).chain(of_sheet)
    }

    /// The scores: those of the result, or else the current ones of the sheet; less penalties.
    pub fn scores(&self) -> Option<BySide<i32>> {
        let running = || self.sheet().map(Sheet::total);
        let mut scores = self.outcome().map(|outcome| outcome.scores).or_else(running)?;
        for penalised in &self.penalties {
            scores[penalised.place] += i32::from(penalised.penalty.change());
        }
        Some(scores)
    }

    /// The status of the table.
    pub const fn status(&self) -> TableStatus {
        self.status
    }

    pub(crate) fn is_settled(&self) -> bool {
        self.status == TableStatus::Settled
    }

    fn computed_status(&self) -> TableStatus {
        if self.outcome().is_some() {
            return if self.tied().is_empty() { TableStatus::Settled } else { TableStatus::Tied };
        }
        match (self.reported().next(), &self.sheet) {
            (Some(_), _) => TableStatus::Disputed,
            (None, Some(_)) => TableStatus::Playing,
            (None, None) => TableStatus::Awaited,
        }
    }

    /// All entrants in order, if scores are known: the best first, equal ones by places.
    pub fn ranking(&self) -> &[Ranked] {
        &self.ranking
    }

    fn ranked(&self) -> Vec<Ranked> {
        let Some(scores) = self.scores() else { return Vec::new() };
        let places = Side::first(self.entrants.len()).zip(&self.entrants);
        let mut all: Vec<Ranked> = places
            .map(|(place, entrant)| Ranked {
                place,
                entrant: *entrant,
                score: scores[place],
                play_offs: self.play_offs.iter().map(|made| made[place]).collect(),
                rank: 0,
                withdrawn: self.withdrawn[place],
            })
            .collect();
        all.sort_by(Ranked::compare);
        for at in 0..all.len() {
            let equal = at > 0 && all[at - 1].compare(&all[at]).is_eq();
            all[at].rank = if equal { all[at - 1].rank } else { at + 1 };
        }
        all
    }

    /// The entrants whose tie must be played off (T4): for the last place that goes on, and in the
    /// final for every place. Empty while the result is not known.
    pub fn tied(&self) -> Vec<EntrantId> {
        if self.outcome().is_none() {
            return Vec::new();
        }
        let contending: Vec<&Ranked> =
            self.ranking.iter().filter(|ranked| !ranked.withdrawn).collect();
        let equal = |at: usize| contending[at - 1].rank == contending[at].rank;
        let borders = if self.is_final() {
            1..contending.len()
        } else {
            self.advancing_count..self.advancing_count + 1
        };
        let tie = borders.filter(|at| *at < contending.len()).find(|at| equal(*at));
        let rank = tie.map(|at| contending[at].rank);
        let tied = contending.iter().filter(|ranked| Some(ranked.rank) == rank);
        tied.map(|ranked| ranked.entrant).collect()
    }

    /// The entrants that go on, the best first (T3); empty before the table is settled and in the
    /// final.
    pub fn advancing(&self) -> Vec<EntrantId> {
        self.going_on().collect()
    }

    pub(crate) fn going_on(&self) -> impl Iterator<Item = EntrantId> + '_ {
        let count = if self.is_settled() { self.advancing_count } else { 0 };
        let contending = self.ranking.iter().filter(|ranked| !ranked.withdrawn);
        contending.take(count).map(|ranked| ranked.entrant)
    }
}

impl Ranked {
    /// Orders the better entrant first; equal ones are tied.
    pub(crate) fn compare(&self, other: &Ranked) -> Ordering {
        let by_withdrawal = self.withdrawn.cmp(&other.withdrawn);
        let by_score = other.score.cmp(&self.score);
        by_withdrawal.then(by_score).then_with(|| other.play_offs.cmp(&self.play_offs))
    }
}

#[cfg(test)]
std::thread_local! {
    /// How many times a table was ranked in this thread.
    pub(crate) static TABLES_RANKED: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}
