//! Whether a change may be made. Nothing changes here.

use cards::{BySide, Side};
use game::Rules;

use super::{Contest, ContestChange, ContestPhase, ContestStage, MAX_PHASES, Role};
use crate::entrant::{Entered, Entrant, Party};
use crate::outcome::{InvalidOutcome, MatchOutcome};
use crate::refusal::ContestRefusal;
use crate::settings::{ContestSettings, Venue};
use crate::sheet::{self, Sheet};
use crate::table::{ContestTable, ContestTableId, MAX_NOTES, Status};
use crate::urn::{self, MAX_WORDS};

type Checked = Result<(), ContestRefusal>;

/// What a table's play-off can bring at most.
const MAX_PLAY_OFF: i32 = 999;

fn only_if(holds: bool, refusal: ContestRefusal) -> Checked {
    if holds { Ok(()) } else { Err(refusal) }
}

impl Role {
    fn organises(self) -> Checked {
        only_if(self == Role::Organiser, ContestRefusal::NotYours)
    }

    /// Whether he decides about a table.
    pub fn referees(self, table: ContestTableId) -> bool {
        matches!(self, Role::Organiser) || self == Role::Referee(table)
    }
}

impl Contest {
    /// Whether a change may be made in this role, or why not.
    pub fn check(&self, by: Role, change: &ContestChange) -> Checked {
        match change {
            ContestChange::Settings(settings) => {
                by.organises()?;
                self.check_settings(settings)
            }
            ContestChange::Admit(parties) => {
                by.organises()?;
                self.check_admission(parties)
            }
            ContestChange::Rename { entrant, party } => {
                by.organises()?;
                self.entered(*entrant)?;
                check_party(&self.settings, party)
            }
            ContestChange::Withdraw { entrant } => {
                by.organises()?;
                only_if(!self.entered(*entrant)?.has_withdrawn(), ContestRefusal::HasWithdrawn)?;
                only_if(self.stage() != ContestStage::Over, ContestRefusal::Over)
            }
            ContestChange::Return { entrant } => {
                by.organises()?;
                let since = self.entered(*entrant)?.withdrew;
                only_if(since == Some(self.phases.len()), ContestRefusal::CannotReturn)
            }
            ContestChange::Commit(_) => {
                by.organises()?;
                only_if(
                    !self.phases.last().is_some_and(ContestPhase::is_final),
                    ContestRefusal::FinalDrawn,
                )
            }
            ContestChange::Draw { secret, words } => {
                by.organises()?;
                let room = self.phases.len() + self.voided.len() < MAX_PHASES;
                only_if(room, ContestRefusal::TooManyPhases { most: MAX_PHASES })?;
                self.next_entrants()?;
                only_if(
                    words.len() <= MAX_WORDS,
                    ContestRefusal::TooManyWords { most: MAX_WORDS },
                )?;
                let committed = self.commitment.ok_or(ContestRefusal::NoCommitment)?;
                let commitment = urn::commitment(&self.settings, self.phases.len(), secret);
                only_if(commitment == committed, ContestRefusal::OtherSecret)
            }
            ContestChange::Open { table, .. } => {
                only_if(by == Role::House, ContestRefusal::NotYours)?;
                only_if(self.settings.venue() == Venue::Online, ContestRefusal::NotOnline)?;
                only_if(self.open_table(*table)?.opened.is_none(), ContestRefusal::AlreadyOpened)
            }
            ContestChange::Keep { table, change } => {
                let table = self.open_table(*table)?;
                self.check_sheet(by, table, change)
            }
            ContestChange::Report { table, outcome } => {
                check_report(by, self.open_table(*table)?, outcome)
            }
            ContestChange::Rule { table, outcome } => {
                let table = self.refereed(by, *table)?;
                Ok(outcome.check(&table.rules)?)
            }
            ContestChange::Penalise { table, place, .. } => {
                let table = self.refereed(by, *table)?;
                only_if(matches!(table.rules, Rules::Cruce(_)), ContestRefusal::NoPenalties)?;
                only_if(place.index() < table.entrants.len(), ContestRefusal::NoSuchPlace)?;
                only_if(table.penalties.len() < MAX_NOTES, ContestRefusal::TooMuch)
            }
            ContestChange::Pardon { table, penalty } => {
                let table = self.refereed(by, *table)?;
                only_if(*penalty < table.penalties.len(), ContestRefusal::NoSuchPenalty)
            }
            ContestChange::PlayOff { table, scores } => {
                if by != Role::House {
                    self.refereed(by, *table)?;
                }
                check_play_off(self.open_table(*table)?, scores)
            }
            ContestChange::Reopen { phase } => {
                by.organises()?;
                let phase = *phase;
                let reopened =
                    self.phases.get(phase).ok_or(ContestRefusal::NoSuchPhase)?.is_reopened();
                only_if(
                    phase + 1 < self.phases.len() && !reopened,
                    ContestRefusal::PhaseOpen { phase },
                )
            }
            ContestChange::Close { phase } => {
                by.organises()?;
                let (phase, closing) =
                    (*phase, self.phases.get(*phase).ok_or(ContestRefusal::NoSuchPhase)?);
                only_if(closing.is_reopened(), ContestRefusal::NotReopened { phase })?;
                closing.unsettled().map_or(Ok(()), |table| {
                    Err(ContestRefusal::NotSettled { table: table.id.table })
                })
            }
        }
    }

    fn check_settings(&self, settings: &ContestSettings) -> Checked {
        only_if(self.phases.is_empty(), ContestRefusal::AlreadyDrawn)?;
        let most = settings.most_entrants();
        only_if(self.entrants.len() <= most, ContestRefusal::TooMany { most })?;
        self.entrants.iter().try_for_each(|entered| check_party(settings, &entered.party))
    }

    fn check_admission(&self, parties: &[Party]) -> Checked {
        only_if(
            !self.phases.last().is_some_and(ContestPhase::is_final),
            ContestRefusal::FinalDrawn,
        )?;
        only_if(!parties.is_empty(), ContestRefusal::TooFew { least: 1 })?;
        let most = self.settings.most_entrants();
        only_if(self.entrants.len() + parties.len() <= most, ContestRefusal::TooMany { most })?;
        parties.iter().try_for_each(|party| check_party(&self.settings, party))
    }

    fn entered(&self, entrant: Entrant) -> Result<&Entered, ContestRefusal> {
        self.entrant(entrant).ok_or(ContestRefusal::NoSuchEntrant)
    }

    /// A table of which something may be told: its phase is the last one, or open again.
    fn open_table(&self, id: ContestTableId) -> Result<&ContestTable, ContestRefusal> {
        let phase = self.phases.get(id.phase).ok_or(ContestRefusal::NoSuchPhase)?;
        let table = phase.tables.get(id.table).ok_or(ContestRefusal::NoSuchTable)?;
        let open = id.phase + 1 == self.phases.len() || phase.is_reopened();
        only_if(open, ContestRefusal::PhaseClosed { phase: id.phase })?;
        Ok(table)
    }

    /// The same, for whoever decides about it.
    fn refereed(&self, by: Role, id: ContestTableId) -> Result<&ContestTable, ContestRefusal> {
        let table = self.open_table(id)?;
        only_if(by.referees(id), ContestRefusal::ForReferee)?;
        Ok(table)
    }

    fn check_sheet(&self, by: Role, table: &ContestTable, change: &sheet::SheetChange) -> Checked {
        let referee = by.referees(table.id);
        only_if(by != Role::House && sits_or_referees(by, table), ContestRefusal::NotYours)?;
        only_if(table.ruling.is_none() || referee, ContestRefusal::Ruled)?;
        only_if(referee || !touches_penalty(table.sheet(), change), ContestRefusal::ForReferee)?;
        match table.sheet() {
            Some(sheet) => sheet.check(change),
            None => self.fresh_sheet(table).and_then(|sheet| sheet.check(change)),
        }
        .map_err(ContestRefusal::Sheet)
    }

    /// The empty sheet of a table.
    pub(super) fn fresh_sheet(&self, table: &ContestTable) -> Result<Sheet, sheet::SheetRefusal> {
        let names = self.seats(table);
        Sheet::new(sheet::Setup { rules: table.rules, names, dealer: table.dealer })
    }
}

/// Whether players or a pair enter, as the contest is played (T1).
fn check_party(settings: &ContestSettings, party: &Party) -> Checked {
    match (settings.pairs(), party.is_pair()) {
        (true, false) => Err(ContestRefusal::PairsOnly),
        (false, true) => Err(ContestRefusal::NoPairs),
        _ => Ok(()),
    }
}

fn sits_or_referees(by: Role, table: &ContestTable) -> bool {
    let sits = matches!(by, Role::Player(entrant) if table.place_of(entrant).is_some());
    sits || by == Role::House || by.referees(table.id)
}

fn check_report(by: Role, table: &ContestTable, outcome: &MatchOutcome) -> Checked {
    only_if(sits_or_referees(by, table), ContestRefusal::NotYours)?;
    only_if(table.ruling.is_none(), ContestRefusal::Ruled)?;
    only_if(!outcome.broken_off || by.referees(table.id), ContestRefusal::ForReferee)?;
    outcome.check(&table.rules)?;
    only_if(table.reports.len() < MAX_NOTES, ContestRefusal::TooMuch)
}

fn check_play_off(table: &ContestTable, scores: &BySide<i32>) -> Checked {
    only_if(table.status() == Status::Tied, ContestRefusal::NoTie)?;
    let sides = table.entrants.len();
    only_if(scores.len() == sides, InvalidOutcome::OtherSides { sides }.into())?;
    let (least, most) = (-MAX_PLAY_OFF, MAX_PLAY_OFF);
    let beyond = Side::first(sides).map(|side| scores[side]).find(|score| score.abs() > most);
    if let Some(score) = beyond {
        return Err(InvalidOutcome::OutOfReach { score, least, most }.into());
    }
    only_if(table.play_offs.len() < MAX_NOTES, ContestRefusal::TooMuch)
}

/// Whether a change of a sheet puts a penalty there or takes one away (T5).
fn touches_penalty(sheet: Option<&Sheet>, change: &sheet::SheetChange) -> bool {
    let stands = |line: usize| {
        sheet.and_then(|sheet| sheet.rows().get(line)).is_some_and(|row| row.line.is_penalty())
    };
    match change {
        sheet::SheetChange::Write(line) => line.is_penalty(),
        sheet::SheetChange::Edit { line, to } => to.is_penalty() || stands(*line),
        sheet::SheetChange::Undo => match sheet.and_then(Sheet::last_change) {
            Some(sheet::SheetChange::Write(line)) => line.is_penalty(),
            // Undoing an edit brings back what stood there before it.
            Some(sheet::SheetChange::Edit { line, to }) => {
                let row = sheet.and_then(|sheet| sheet.rows().get(*line));
                let before = row.and_then(|row| row.before.last());
                to.is_penalty() || before.is_some_and(|line| line.is_penalty())
            }
            _ => false,
        },
        sheet::SheetChange::Bid(_)
        | sheet::SheetChange::Declare(_)
        | sheet::SheetChange::Rename { .. } => false,
    }
}
