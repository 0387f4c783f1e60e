//! One table of a contest: its match, what was told of it, and what holds.

use core::cmp::Ordering;

use cards::{BySide, Seat, Side};
use game::Rules;
use game::cruce::Penalty;
use game::fair::Word;

use crate::Millis;
use crate::contest::Role;
use crate::entrant::Entrant;
use crate::outcome::MatchOutcome;
use crate::sheet::Sheet;
use crate::urn::Ticket;

/// More reports, penalties or play-offs of one table than a referee would read.
pub(crate) const MAX_NOTES: usize = 32;

/// A table of a contest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ContestTableId {
    /// The phase, counted from nought.
    pub phase: usize,
    /// The table of it, counted from nought.
    pub table: usize,
}

/// What somebody told of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatchReport {
    /// When.
    pub at: Millis,
    /// Who.
    pub by: Role,
    /// What.
    pub outcome: MatchOutcome,
}

/// A penalty that the referee imposed beside the sheet (T5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Penalised {
    /// Who.
    pub place: Side,
    /// For what.
    pub penalty: Penalty,
}

/// Where a table stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Nothing is known of its match.
    Awaited,
    /// Its sheet is being written.
    Playing,
    /// Different things were told of it; the referee must decide.
    Disputed,
    /// A tie must be played off (T4).
    Tied,
    /// It is known who goes on; in the final, who has which place.
    Settled,
}

/// An entrant in the order of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranked {
    /// His place at the table.
    pub place: Side,
    /// Who.
    pub entrant: Entrant,
    /// His score, penalties taken off.
    pub score: i32,
    /// What he made in each play-off. A later one counts only for those whom the earlier ones
    /// left level.
    pub play_offs: Vec<i32>,
    /// His rank, from one; equal ones share it.
    pub rank: usize,
    /// Whether he has withdrawn; then he ranks behind all others.
    pub left: bool,
}

/// A table and its match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContestTable {
    pub(crate) id: ContestTableId,
    pub(crate) rules: Rules,
    pub(crate) entrants: Vec<Entrant>,
    pub(crate) dealer: Seat,
    /// How many go on; none in the final.
    pub(crate) going_on: usize,
    pub(crate) left: BySide<bool>,
    pub(crate) sheet: Option<Box<Sheet>>,
    pub(crate) reports: Vec<MatchReport>,
    pub(crate) ruling: Option<MatchReport>,
    pub(crate) penalties: Vec<Penalised>,
    pub(crate) play_offs: Vec<BySide<i32>>,
    pub(crate) opened: Option<Word>,
}

impl ContestTable {
    pub(crate) fn new(
        id: ContestTableId,
        rules: Rules,
        entrants: Vec<Entrant>,
        dealer: Seat,
        going_on: usize,
    ) -> ContestTable {
        ContestTable {
            id,
            rules,
            dealer,
            going_on,
            left: BySide::filled(false, entrants.len()),
            entrants,
            sheet: None,
            reports: Vec::new(),
            ruling: None,
            penalties: Vec::new(),
            play_offs: Vec::new(),
            opened: None,
        }
    }

    /// Which it is.
    pub const fn id(&self) -> ContestTableId {
        self.id
    }

    /// The rules of its match: those of the contest, for as many as sit here.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Who sits here, by places.
    pub fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    /// The tickets that led here, by places.
    pub fn tickets(&self) -> impl Iterator<Item = (Ticket, Entrant)> + '_ {
        let places = Side::first(self.entrants.len()).zip(&self.entrants);
        places.map(|(place, entrant)| (Ticket { table: self.id.table, place }, *entrant))
    }

    /// The place of an entrant.
    pub fn place_of(&self, entrant: Entrant) -> Option<Side> {
        self.entrants.iter().position(|other| *other == entrant).and_then(Side::new)
    }

    /// Who deals first, by lot.
    pub const fn dealer(&self) -> Seat {
        self.dealer
    }

    /// Whether it is the table of the final.
    pub const fn is_final(&self) -> bool {
        self.going_on == 0
    }

    /// Its score sheet, if one is kept here.
    pub fn sheet(&self) -> Option<&Sheet> {
        self.sheet.as_deref()
    }

    /// What was told of its match, each by whom; the sheet speaks for itself.
    pub fn reports(&self) -> &[MatchReport] {
        &self.reports
    }

    /// What the referee or the organiser decided.
    pub const fn ruling(&self) -> Option<&MatchReport> {
        self.ruling.as_ref()
    }

    /// The penalties beside the sheet (T5).
    pub fn penalties(&self) -> &[Penalised] {
        &self.penalties
    }

    /// What each made in the deals that were played to break a tie (T4).
    pub fn play_offs(&self) -> &[BySide<i32>] {
        &self.play_offs
    }

    /// The table on the server at which it is played, once it was opened.
    pub const fn opened(&self) -> Option<&Word> {
        self.opened.as_ref()
    }

    /// What the match came to: what was decided, or else what all tell.
    pub fn outcome(&self) -> Option<MatchOutcome> {
        if let Some(ruling) = &self.ruling {
            return Some(ruling.outcome);
        }
        let mut told = self.told();
        let first = told.next()?;
        told.all(|outcome| outcome == first).then_some(first)
    }

    /// All that is told of the match, by people and by the sheet.
    fn told(&self) -> impl Iterator<Item = MatchOutcome> + '_ {
        let of_sheet = self.sheet().and_then(|sheet| MatchOutcome::of_sheet(sheet).ok());
        self.reports.iter().map(|report| report.outcome).chain(of_sheet)
    }

    /// The scores: those of the outcome, or else as the sheet has them so far; penalties
    /// are taken off.
    pub fn scores(&self) -> Option<BySide<i32>> {
        let running = || self.sheet().map(Sheet::total);
        let mut scores = self.outcome().map(|outcome| outcome.scores).or_else(running)?;
        for penalised in &self.penalties {
            scores[penalised.place] += i32::from(penalised.penalty.change());
        }
        Some(scores)
    }

    /// Where the table stands.
    pub fn status(&self) -> Status {
        if self.outcome().is_some() {
            return if self.tied().is_empty() { Status::Settled } else { Status::Tied };
        }
        match (self.told().next(), &self.sheet) {
            (Some(_), _) => Status::Disputed,
            (None, Some(_)) => Status::Playing,
            (None, None) => Status::Awaited,
        }
    }

    /// Everybody in order, as far as scores are known: the best first, equal ones by places.
    pub fn ranking(&self) -> Vec<Ranked> {
        let Some(scores) = self.scores() else { return Vec::new() };
        let places = Side::first(self.entrants.len()).zip(&self.entrants);
        let mut all: Vec<Ranked> = places
            .map(|(place, entrant)| Ranked {
                place,
                entrant: *entrant,
                score: scores[place],
                play_offs: self.play_offs.iter().map(|made| made[place]).collect(),
                rank: 0,
                left: self.left[place],
            })
            .collect();
        all.sort_by(Ranked::compare);
        for at in 0..all.len() {
            let equal = at > 0 && all[at - 1].compare(&all[at]).is_eq();
            all[at].rank = if equal { all[at - 1].rank } else { at + 1 };
        }
        all
    }

    /// Those whose tie must be played off (T4): for the last place that goes on, and in
    /// the final for every place. None while the outcome is not known.
    pub fn tied(&self) -> Vec<Entrant> {
        if self.outcome().is_none() {
            return Vec::new();
        }
        let ranking = self.ranking();
        let contending: Vec<&Ranked> = ranking.iter().filter(|ranked| !ranked.left).collect();
        let equal = |at: usize| contending[at - 1].rank == contending[at].rank;
        let borders =
            if self.is_final() { 1..contending.len() } else { self.going_on..self.going_on + 1 };
        let tie = borders.filter(|at| *at < contending.len()).find(|at| equal(*at));
        let rank = tie.map(|at| contending[at].rank);
        let tied = contending.iter().filter(|ranked| Some(ranked.rank) == rank);
        tied.map(|ranked| ranked.entrant).collect()
    }

    /// Who goes on from here, the best first (T3); nobody before it is settled, and nobody from
    /// the final.
    pub fn advancing(&self) -> Vec<Entrant> {
        if self.status() != Status::Settled {
            return Vec::new();
        }
        let contending = self.ranking().into_iter().filter(|ranked| !ranked.left);
        contending.take(self.going_on).map(|ranked| ranked.entrant).collect()
    }
}

impl Ranked {
    /// Who stands before whom; equal ones are tied.
    pub(crate) fn compare(&self, other: &Ranked) -> Ordering {
        let by_left = self.left.cmp(&other.left);
        let by_score = other.score.cmp(&self.score);
        by_left.then(by_score).then_with(|| other.play_offs.cmp(&self.play_offs))
    }
}
