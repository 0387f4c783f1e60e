//! Whether a change may be made. Nothing changes here.

use cards::{BySide, Side};
use game::Rules;

use super::{Change, Contest, MOST_PHASES, Phase, Role, Stage};
use crate::entrant::{Entered, Entrant, Party};
use crate::outcome::{NotAnOutcome, Outcome};
use crate::refusal::Refusal;
use crate::settings::{Settings, Venue};
use crate::sheet::{self, Sheet};
use crate::table::{MOST_NOTES, Status, Table, TableId};
use crate::urn::{self, MOST_WORDS};

type Checked = Result<(), Refusal>;

/// What a table's play-off can bring at most.
const MOST_PLAY_OFF: i32 = 999;

fn only_if(holds: bool, refusal: Refusal) -> Checked {
    if holds { Ok(()) } else { Err(refusal) }
}

impl Role {
    fn organises(self) -> Checked {
        only_if(self == Role::Organiser, Refusal::NotYours)
    }

    /// Whether he decides about a table.
    pub fn referees(self, table: TableId) -> bool {
        matches!(self, Role::Organiser) || self == Role::Referee(table)
    }
}

impl Contest {
    /// Whether a change may be made in this role, or why not.
    pub fn check(&self, by: Role, change: &Change) -> Checked {
        match change {
            Change::Settings(settings) => {
                by.organises()?;
                self.check_settings(settings)
            }
            Change::Admit(parties) => {
                by.organises()?;
                self.check_admission(parties)
            }
            Change::Rename { entrant, party } => {
                by.organises()?;
                self.entered(*entrant)?;
                check_party(&self.settings, party)
            }
            Change::Withdraw { entrant } => {
                by.organises()?;
                only_if(!self.entered(*entrant)?.has_withdrawn(), Refusal::HasWithdrawn)?;
                only_if(self.stage() != Stage::Over, Refusal::Over)
            }
            Change::Return { entrant } => {
                by.organises()?;
                let since = self.entered(*entrant)?.withdrew;
                only_if(since == Some(self.phases.len()), Refusal::CannotReturn)
            }
            Change::Commit(_) => {
                by.organises()?;
                only_if(!self.phases.last().is_some_and(Phase::is_final), Refusal::FinalDrawn)
            }
            Change::Draw { secret, words } => {
                by.organises()?;
                let room = self.phases.len() + self.voided.len() < MOST_PHASES;
                only_if(room, Refusal::TooManyPhases { most: MOST_PHASES })?;
                self.next_entrants()?;
                only_if(words.len() <= MOST_WORDS, Refusal::TooManyWords { most: MOST_WORDS })?;
                let committed = self.commitment.ok_or(Refusal::NoCommitment)?;
                let commitment = urn::commitment(&self.settings, self.phases.len(), secret);
                only_if(commitment == committed, Refusal::OtherSecret)
            }
            Change::Open { table, .. } => {
                only_if(by == Role::House, Refusal::NotYours)?;
                only_if(self.settings.venue() == Venue::Online, Refusal::NotOnline)?;
                only_if(self.open_table(*table)?.opened.is_none(), Refusal::AlreadyOpened)
            }
            Change::Keep { table, change } => {
                let table = self.open_table(*table)?;
                self.check_sheet(by, table, change)
            }
            Change::Report { table, outcome } => {
                check_report(by, self.open_table(*table)?, outcome)
            }
            Change::Rule { table, outcome } => {
                let table = self.refereed(by, *table)?;
                Ok(outcome.check(&table.rules)?)
            }
            Change::Penalise { table, place, .. } => {
                let table = self.refereed(by, *table)?;
                only_if(matches!(table.rules, Rules::Cruce(_)), Refusal::NoPenalties)?;
                only_if(place.index() < table.entrants.len(), Refusal::NoSuchPlace)?;
                only_if(table.penalties.len() < MOST_NOTES, Refusal::TooMuch)
            }
            Change::Pardon { table, penalty } => {
                let table = self.refereed(by, *table)?;
                only_if(*penalty < table.penalties.len(), Refusal::NoSuchPenalty)
            }
            Change::PlayOff { table, scores } => {
                if by != Role::House {
                    self.refereed(by, *table)?;
                }
                check_play_off(self.open_table(*table)?, scores)
            }
            Change::Reopen { phase } => {
                by.organises()?;
                let phase = *phase;
                let reopened = self.phases.get(phase).ok_or(Refusal::NoSuchPhase)?.is_reopened();
                only_if(phase + 1 < self.phases.len() && !reopened, Refusal::PhaseOpen { phase })
            }
            Change::Close { phase } => {
                by.organises()?;
                let (phase, closing) =
                    (*phase, self.phases.get(*phase).ok_or(Refusal::NoSuchPhase)?);
                only_if(closing.is_reopened(), Refusal::NotReopened { phase })?;
                closing
                    .unsettled()
                    .map_or(Ok(()), |table| Err(Refusal::NotSettled { table: table.id.table }))
            }
        }
    }

    fn check_settings(&self, settings: &Settings) -> Checked {
        only_if(self.phases.is_empty(), Refusal::AlreadyDrawn)?;
        let most = settings.most_entrants();
        only_if(self.entrants.len() <= most, Refusal::TooMany { most })?;
        self.entrants.iter().try_for_each(|entered| check_party(settings, &entered.party))
    }

    fn check_admission(&self, parties: &[Party]) -> Checked {
        only_if(!self.phases.last().is_some_and(Phase::is_final), Refusal::FinalDrawn)?;
        only_if(!parties.is_empty(), Refusal::TooFew { least: 1 })?;
        let most = self.settings.most_entrants();
        only_if(self.entrants.len() + parties.len() <= most, Refusal::TooMany { most })?;
        parties.iter().try_for_each(|party| check_party(&self.settings, party))
    }

    fn entered(&self, entrant: Entrant) -> Result<&Entered, Refusal> {
        self.entrant(entrant).ok_or(Refusal::NoSuchEntrant)
    }

    /// A table of which something may be told: its phase is the last one, or open again.
    fn open_table(&self, id: TableId) -> Result<&Table, Refusal> {
        let phase = self.phases.get(id.phase).ok_or(Refusal::NoSuchPhase)?;
        let table = phase.tables.get(id.table).ok_or(Refusal::NoSuchTable)?;
        let open = id.phase + 1 == self.phases.len() || phase.is_reopened();
        only_if(open, Refusal::PhaseClosed { phase: id.phase })?;
        Ok(table)
    }

    /// The same, for whoever decides about it.
    fn refereed(&self, by: Role, id: TableId) -> Result<&Table, Refusal> {
        let table = self.open_table(id)?;
        only_if(by.referees(id), Refusal::ForReferee)?;
        Ok(table)
    }

    fn check_sheet(&self, by: Role, table: &Table, change: &sheet::Change) -> Checked {
        let referee = by.referees(table.id);
        only_if(by != Role::House && sits_or_referees(by, table), Refusal::NotYours)?;
        only_if(table.ruling.is_none() || referee, Refusal::Ruled)?;
        only_if(referee || !touches_penalty(table.sheet(), change), Refusal::ForReferee)?;
        match table.sheet() {
            Some(sheet) => sheet.check(change),
            None => self.fresh_sheet(table).and_then(|sheet| sheet.check(change)),
        }
        .map_err(Refusal::Sheet)
    }

    /// The empty sheet of a table.
    pub(super) fn fresh_sheet(&self, table: &Table) -> Result<Sheet, sheet::Refusal> {
        let names = self.seats(table);
        Sheet::new(sheet::Setup { rules: table.rules, names, dealer: table.dealer })
    }
}

/// Whether players or a pair enter, as the contest is played (T1).
fn check_party(settings: &Settings, party: &Party) -> Checked {
    match (settings.pairs(), party.is_pair()) {
        (true, false) => Err(Refusal::PairsOnly),
        (false, true) => Err(Refusal::NoPairs),
        _ => Ok(()),
    }
}

fn sits_or_referees(by: Role, table: &Table) -> bool {
    let sits = matches!(by, Role::Player(entrant) if table.place_of(entrant).is_some());
    sits || by == Role::House || by.referees(table.id)
}

fn check_report(by: Role, table: &Table, outcome: &Outcome) -> Checked {
    only_if(sits_or_referees(by, table), Refusal::NotYours)?;
    only_if(table.ruling.is_none(), Refusal::Ruled)?;
    only_if(!outcome.broken_off || by.referees(table.id), Refusal::ForReferee)?;
    outcome.check(&table.rules)?;
    only_if(table.reports.len() < MOST_NOTES, Refusal::TooMuch)
}

fn check_play_off(table: &Table, scores: &BySide<i32>) -> Checked {
    only_if(table.status() == Status::Tied, Refusal::NoTie)?;
    let sides = table.entrants.len();
    only_if(scores.len() == sides, NotAnOutcome::OtherSides { sides }.into())?;
    let (least, most) = (-MOST_PLAY_OFF, MOST_PLAY_OFF);
    let beyond = Side::first(sides).map(|side| scores[side]).find(|score| score.abs() > most);
    if let Some(score) = beyond {
        return Err(NotAnOutcome::OutOfReach { score, least, most }.into());
    }
    only_if(table.play_offs.len() < MOST_NOTES, Refusal::TooMuch)
}

/// Whether a change of a sheet puts a penalty there or takes one away (T5).
fn touches_penalty(sheet: Option<&Sheet>, change: &sheet::Change) -> bool {
    let stands = |line: usize| {
        sheet.and_then(|sheet| sheet.rows().get(line)).is_some_and(|row| row.line.is_penalty())
    };
    match change {
        sheet::Change::Write(line) => line.is_penalty(),
        sheet::Change::Edit { line, to } => to.is_penalty() || stands(*line),
        sheet::Change::Undo => match sheet.and_then(Sheet::last_change) {
            Some(sheet::Change::Write(line)) => line.is_penalty(),
            // Undoing an edit brings back what stood there before it.
            Some(sheet::Change::Edit { line, to }) => {
                let row = sheet.and_then(|sheet| sheet.rows().get(*line));
                let before = row.and_then(|row| row.before.last());
                to.is_penalty() || before.is_some_and(|line| line.is_penalty())
            }
            _ => false,
        },
        sheet::Change::Bid(_) | sheet::Change::Declare(_) | sheet::Change::Rename { .. } => false,
    }
}
