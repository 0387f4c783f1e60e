//! Checks whether a change may be made. Nothing changes here.

use cards::{BySide, Side};
use game::Rules;
use game::fair::{Secret, Word};

use super::{Contest, ContestChange, ContestPhase, ContestStage, MAX_PHASES, Role};
use crate::entrant::{Entrant, EntrantId, Party};
use crate::outcome::{InvalidOutcome, MatchOutcome};
use crate::refusal::ContestRefusal;
use crate::settings::{ContestSettings, Venue};
use crate::sheet::{self, Sheet};
use crate::table::{ContestTable, ContestTableId, MAX_NOTES, TableStatus};
use crate::urn::{self, MAX_WORDS};

type Checked = Result<(), ContestRefusal>;

/// The maximum of a score in a play-off.
const MAX_PLAY_OFF: i32 = 999;

fn require(holds: bool, refusal: ContestRefusal) -> Checked {
    if holds { Ok(()) } else { Err(refusal) }
}

impl Role {
    fn require_organiser(self) -> Checked {
        require(self == Role::Organiser, ContestRefusal::NotYours)
    }

    /// Whether this role decides about a table.
    pub fn referees(self, table: ContestTableId) -> bool {
        matches!(self, Role::Organiser) || self == Role::Referee(table)
    }
}

impl Contest {
    /// Checks whether a change may be made in this role.
    pub fn check(&self, by: Role, change: &ContestChange) -> Checked {
        match change {
            ContestChange::Settings(settings) => {
                by.require_organiser()?;
                self.check_settings(settings)
            }
            ContestChange::Enter(parties) => {
                by.require_organiser()?;
                self.check_entering(parties)
            }
            ContestChange::Rename { entrant, party } => {
                by.require_organiser()?;
                self.entrant_of(*entrant)?;
                check_party(&self.settings, party)
            }
            ContestChange::Withdraw { entrant } => {
                by.require_organiser()?;
                self.check_withdrawal(*entrant)
            }
            ContestChange::Return { entrant } => {
                by.require_organiser()?;
                self.check_return(*entrant)
            }
            ContestChange::Commit(_) => {
                by.require_organiser()?;
                self.check_final_undrawn()
            }
            ContestChange::Draw { secret, words } => {
                by.require_organiser()?;
                self.check_draw(secret, words)
            }
            ContestChange::Open { table, .. } => self.check_opening(by, *table),
            ContestChange::WriteSheet { table, change } => {
                let table = self.changeable_table(*table)?;
                self.check_sheet(by, table, change)
            }
            ContestChange::Report { table, outcome } => {
                check_report(by, self.changeable_table(*table)?, outcome)
            }
            ContestChange::Rule { table, outcome } => {
                let table = self.refereed_table(by, *table)?;
                Ok(outcome.check(&table.rules)?)
            }
            ContestChange::Penalise { table, place, .. } => self.check_penalty(by, *table, *place),
            ContestChange::Pardon { table, penalty } => {
                let table = self.refereed_table(by, *table)?;
                require(*penalty < table.penalties.len(), ContestRefusal::NoSuchPenalty)
            }
            ContestChange::PlayOff { table, scores } => {
                if by != Role::Server {
                    self.refereed_table(by, *table)?;
                }
                check_play_off(self.changeable_table(*table)?, scores)
            }
            ContestChange::Reopen { phase } => {
                by.require_organiser()?;
                self.check_reopening(*phase)
            }
            ContestChange::Close { phase } => {
                by.require_organiser()?;
                self.check_closing(*phase)
            }
            ContestChange::Import => require(by == Role::Server, ContestRefusal::NotYours),
        }
    }

    fn check_withdrawal(&self, entrant: EntrantId) -> Checked {
        require(!self.entrant_of(entrant)?.has_withdrawn(), ContestRefusal::HasWithdrawn)?;
        require(self.stage() != ContestStage::Over, ContestRefusal::Over)
    }

    fn check_return(&self, entrant: EntrantId) -> Checked {
        let since = self.entrant_of(entrant)?.withdrew;
        require(since == Some(self.phases.len()), ContestRefusal::CannotReturn)
    }

    fn check_final_undrawn(&self) -> Checked {
        let drawn = self.phases.last().is_some_and(ContestPhase::is_final);
        require(!drawn, ContestRefusal::FinalDrawn)
    }

    fn check_draw(&self, secret: &Secret, words: &[Word]) -> Checked {
        let room = self.phases.len() + self.voided.len() < MAX_PHASES;
        require(room, ContestRefusal::TooManyPhases { most: MAX_PHASES })?;
        self.next_entrants()?;
        require(words.len() <= MAX_WORDS, ContestRefusal::TooManyWords { most: MAX_WORDS })?;
        let committed = self.commitment.ok_or(ContestRefusal::NoCommitment)?;
        let commitment = urn::commitment(&self.settings, self.phases.len(), secret);
        require(commitment == committed, ContestRefusal::OtherSecret)
    }

    fn check_opening(&self, by: Role, table: ContestTableId) -> Checked {
        require(by == Role::Server, ContestRefusal::NotYours)?;
        require(self.settings.venue() == Venue::Online, ContestRefusal::NotOnline)?;
        require(self.changeable_table(table)?.server_table.is_none(), ContestRefusal::AlreadyOpened)
    }

    fn check_penalty(&self, by: Role, table: ContestTableId, place: Side) -> Checked {
        let table = self.refereed_table(by, table)?;
        require(matches!(table.rules, Rules::Cruce(_)), ContestRefusal::NoPenalties)?;
        require(place.index() < table.entrants.len(), ContestRefusal::NoSuchPlace)?;
        require(table.penalties.len() < MAX_NOTES, ContestRefusal::TooMuch)
    }

    fn check_reopening(&self, phase: usize) -> Checked {
        let reopened = self.phases.get(phase).ok_or(ContestRefusal::NoSuchPhase)?.is_reopened();
        let closed = phase + 1 < self.phases.len() && !reopened;
        require(closed, ContestRefusal::PhaseOpen { phase })
    }

    fn check_closing(&self, phase: usize) -> Checked {
        let closing = self.phases.get(phase).ok_or(ContestRefusal::NoSuchPhase)?;
        require(closing.is_reopened(), ContestRefusal::NotReopened { phase })?;
        let unsettled = closing.unsettled();
        unsettled.map_or(Ok(()), |table| Err(ContestRefusal::NotSettled { table: table.id.table }))
    }

    fn check_settings(&self, settings: &ContestSettings) -> Checked {
        require(self.phases.is_empty(), ContestRefusal::AlreadyDrawn)?;
        let most = settings.most_entrants();
        require(self.entrants.len() <= most, ContestRefusal::TooMany { most })?;
        self.entrants.iter().try_for_each(|entrant| check_party(settings, &entrant.party))
    }

    fn check_entering(&self, parties: &[Party]) -> Checked {
        self.check_final_undrawn()?;
        require(!parties.is_empty(), ContestRefusal::TooFew { least: 1 })?;
        let most = self.settings.most_entrants();
        require(self.entrants.len() + parties.len() <= most, ContestRefusal::TooMany { most })?;
        parties.iter().try_for_each(|party| check_party(&self.settings, party))
    }

    fn entrant_of(&self, entrant: EntrantId) -> Result<&Entrant, ContestRefusal> {
        self.entrant(entrant).ok_or(ContestRefusal::NoSuchEntrant)
    }

    /// Returns a table that may be changed: its phase is the last one, or open again.
    fn changeable_table(&self, id: ContestTableId) -> Result<&ContestTable, ContestRefusal> {
        let phase = self.phases.get(id.phase).ok_or(ContestRefusal::NoSuchPhase)?;
        let table = phase.tables.get(id.table).ok_or(ContestRefusal::NoSuchTable)?;
        let open = id.phase + 1 == self.phases.len() || phase.is_reopened();
        require(open, ContestRefusal::PhaseClosed { phase: id.phase })?;
        Ok(table)
    }

    /// Returns a table that may be changed and about which this role decides.
    fn refereed_table(
        &self,
        by: Role,
        id: ContestTableId,
    ) -> Result<&ContestTable, ContestRefusal> {
        let table = self.changeable_table(id)?;
        require(by.referees(id), ContestRefusal::ForReferee)?;
        Ok(table)
    }

    fn check_sheet(&self, by: Role, table: &ContestTable, change: &sheet::SheetChange) -> Checked {
        let referee = by.referees(table.id);
        require(sits_or_referees(by, table), ContestRefusal::NotYours)?;
        require(table.ruling.is_none() || referee, ContestRefusal::Ruled)?;
        require(referee || !touches_penalty(table.sheet(), change), ContestRefusal::ForReferee)?;
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

/// Checks that a pair enters exactly if the contest is played in pairs (T1).
fn check_party(settings: &ContestSettings, party: &Party) -> Checked {
    match (settings.pairs(), party.is_pair()) {
        (true, false) => Err(ContestRefusal::PairsOnly),
        (false, true) => Err(ContestRefusal::NoPairs),
        _ => Ok(()),
    }
}

fn sits_or_referees(by: Role, table: &ContestTable) -> bool {
    let sits = matches!(by, Role::Player(entrant) if table.place_of(entrant).is_some());
    sits || by.referees(table.id)
}

fn check_report(by: Role, table: &ContestTable, outcome: &MatchOutcome) -> Checked {
    let may_report = by == Role::Server || sits_or_referees(by, table);
    require(may_report, ContestRefusal::NotYours)?;
    require(table.ruling.is_none(), ContestRefusal::Ruled)?;
    require(!outcome.broken_off || by.referees(table.id), ContestRefusal::ForReferee)?;
    outcome.check(&table.rules)?;
    require(table.reports.len() < MAX_NOTES, ContestRefusal::TooMuch)
}

fn check_play_off(table: &ContestTable, scores: &BySide<i32>) -> Checked {
    require(table.status() == TableStatus::Tied, ContestRefusal::NoTie)?;
    let sides = table.entrants.len();
    require(scores.len() == sides, InvalidOutcome::OtherSides { sides }.into())?;
    let (least, most) = (-MAX_PLAY_OFF, MAX_PLAY_OFF);
    let beyond = Side::first(sides).map(|side| scores[side]).find(|score| score.abs() > most);
    if let Some(score) = beyond {
        return Err(InvalidOutcome::OutOfReach { score, least, most }.into());
    }
    require(table.play_offs.len() < MAX_NOTES, ContestRefusal::TooMuch)
}

/// Whether a change of a sheet adds or removes a penalty (T5).
fn touches_penalty(sheet: Option<&Sheet>, change: &sheet::SheetChange) -> bool {
    let stands = |line: usize| {
        sheet.and_then(|sheet| sheet.rows().get(line)).is_some_and(|row| row.line.is_penalty())
    };
    match change {
        sheet::SheetChange::Write(line) => line.is_penalty(),
        sheet::SheetChange::Edit { line, to } => to.is_penalty() || stands(*line),
        sheet::SheetChange::Undo => match sheet.and_then(Sheet::last_change) {
            Some(sheet::SheetChange::Write(line)) => line.is_penalty(),
            // Undoing an edit restores the line before it.
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
