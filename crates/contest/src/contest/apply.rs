//! What an entry of the log does to a contest.

use super::{Contest, ContestChange, ContestEntry, ContestPhase, Reopening, Role};
use crate::Millis;
use crate::entrant::{Entered, Entrant, Party};
use crate::outcome::MatchOutcome;
use crate::refusal::ContestRefusal;
use crate::sheet;
use crate::table::{ContestTable, ContestTableId, MatchReport, Penalised};
use crate::urn::{self, Drawn, PhasePlan};
use game::fair::{Secret, Word};

impl Contest {
    /// Lets an entry happen. One that does not fit changes nothing.
    pub fn apply(&mut self, entry: &ContestEntry) -> Result<(), ContestRefusal> {
        self.check(entry.by, &entry.change)?;
        match &entry.change {
            // A commitment is one for these rules and this word, and would be void.
            ContestChange::Settings(settings) => {
                (self.settings, self.commitment) = (settings.clone(), None);
            }
            ContestChange::Admit(parties) => {
                parties.iter().for_each(|party| self.admit(party.clone()))
            }
            ContestChange::Rename { entrant, party } => self.rename(*entrant, party),
            ContestChange::Withdraw { entrant } => self.leave(*entrant, Some(self.phases.len())),
            ContestChange::Return { entrant } => self.leave(*entrant, None),
            ContestChange::Commit(commitment) => self.commitment = Some(*commitment),
            ContestChange::Draw { secret, words } => self.draw(*secret, words)?,
            ContestChange::Open { table, word } => {
                self.at(*table, |table| table.opened = Some(*word))
            }
            ContestChange::Keep { table, change } => self.keep(*table, entry.at, change)?,
            ContestChange::Report { table, outcome } => self.report(*table, entry, *outcome),
            ContestChange::Rule { table, outcome } => self.at(*table, |table| {
                table.ruling = Some(MatchReport { at: entry.at, by: entry.by, outcome: *outcome });
                table.play_offs.clear();
            }),
            ContestChange::Penalise { table, place, penalty } => self.at(*table, |table| {
                table.penalties.push(Penalised { place: *place, penalty: *penalty });
            }),
            ContestChange::Pardon { table, penalty } => self.at(*table, |table| {
                table.penalties.remove(*penalty);
            }),
            ContestChange::PlayOff { table, scores } => {
                self.at(*table, |table| table.play_offs.push(*scores));
            }
            ContestChange::Reopen { phase } => {
                let reopening = Reopening { at: entry.at, until: None };
                self.phases[*phase].reopenings.push(reopening);
            }
            ContestChange::Close { phase } => self.close(*phase, entry.at),
        }
        Ok(())
    }

    /// Changes a table that is known to be there.
    fn at(&mut self, id: ContestTableId, change: impl FnOnce(&mut ContestTable)) {
        let phase = self.phases.get_mut(id.phase);
        if let Some(table) = phase.and_then(|phase| phase.tables.get_mut(id.table)) {
            change(table);
        }
    }

    fn admit(&mut self, party: Party) {
        let Some(entrant) = Entrant::new(self.entrants.len()) else { return };
        self.namesakes.entry(party.key()).or_default().push(entrant);
        let since = self.phases.len();
        self.entrants.push(Entered { party, since, withdrew: None, last: None });
    }

    fn rename(&mut self, entrant: Entrant, party: &Party) {
        let entered = &mut self.entrants[entrant.index()];
        let old = core::mem::replace(&mut entered.party, party.clone());
        if let Some(same) = self.namesakes.get_mut(&old.key()) {
            same.retain(|other| *other != entrant);
        }
        let same = self.namesakes.entry(party.key()).or_default();
        same.push(entrant);
        same.sort_unstable();
    }

    /// Notes that an entrant has withdrawn, or has not; his table of the last phase must know.
    fn leave(&mut self, entrant: Entrant, when: Option<usize>) {
        let entered = &mut self.entrants[entrant.index()];
        entered.withdrew = when;
        if let Some((phase, Some(table))) = entered.last
            && phase + 1 == self.phases.len()
        {
            self.at(ContestTableId { phase, table }, |table| {
                if let Some(place) = table.place_of(entrant) {
                    table.left[place] = when.is_some();
                }
            });
        }
    }

    fn draw(&mut self, secret: Secret, words: &[Word]) -> Result<(), ContestRefusal> {
        let all = self.next_entrants()?;
        let number = self.phases.len();
        let plan = PhasePlan::new(all.len(), self.settings.full_table());
        let plan = plan.ok_or(ContestRefusal::TooFew { least: self.settings.full_table() })?;
        let seed = urn::seed(&self.settings, number, &secret, words);
        let Drawn { tables, byes } = urn::draw(seed, &plan, &all);
        let going_on = if plan.is_final() { 0 } else { self.settings.going_on() };
        let (late, from) = all
            .iter()
            .partition(|entrant| number == 0 || self.entrants[entrant.index()].since >= number);
        let mut phase = ContestPhase {
            commitment: self.commitment.take().ok_or(ContestRefusal::NoCommitment)?,
            secret,
            words: words.to_vec(),
            plan,
            from,
            late,
            tables: Vec::with_capacity(tables.len()),
            byes,
            reopenings: Vec::new(),
        };
        for bye in &phase.byes {
            self.entrants[bye.index()].last = Some((number, None));
        }
        for (at, (entrants, dealer)) in tables.into_iter().enumerate() {
            for entrant in &entrants {
                self.entrants[entrant.index()].last = Some((number, Some(at)));
            }
            let rules = self.settings.rules_for(entrants.len());
            let id = ContestTableId { phase: number, table: at };
            phase.tables.push(ContestTable::new(id, rules, entrants, dealer, going_on));
        }
        self.phases.push(phase);
        Ok(())
    }

    fn keep(
        &mut self,
        id: ContestTableId,
        at: Millis,
        change: &sheet::SheetChange,
    ) -> Result<(), ContestRefusal> {
        if let Some(table) = self.table(id).filter(|table| table.sheet.is_none()) {
            let fresh = Box::new(self.fresh_sheet(table).map_err(ContestRefusal::Sheet)?);
            self.at(id, |table| table.sheet = Some(fresh));
        }
        let entry = sheet::SheetEntry { at, by: None, change: change.clone() };
        let mut done = Ok(());
        self.at(id, |table| {
            if let Some(sheet) = &mut table.sheet {
                done = sheet.apply(entry);
            }
        });
        done.map_err(ContestRefusal::Sheet)
    }

    /// A player who tells something else than before has changed his mind. Referees share a link,
    /// so that what two of them tell stands side by side.
    fn report(&mut self, id: ContestTableId, entry: &ContestEntry, outcome: MatchOutcome) {
        let report = MatchReport { at: entry.at, by: entry.by, outcome };
        self.at(id, |table| {
            if matches!(entry.by, Role::Player(_)) {
                table.reports.retain(|other| other.by != entry.by);
            }
            table.reports.push(report);
        });
    }

    /// Closes a phase that was opened again. Where others go on than before, what was drawn
    /// from it is void.
    fn close(&mut self, phase: usize, at: Millis) {
        if let Some(reopening) = self.phases[phase].reopenings.last_mut() {
            reopening.until = Some(at);
        }
        let Some(next) = self.phases.get(phase + 1) else { return };
        if self.advancing(&self.phases[phase], next.late.len()) == next.from {
            return;
        }
        self.voided.extend(self.phases.drain(phase + 1..));
        self.commitment = None;
        self.seat_again();
    }

    /// Puts everybody back where he sat last in the phases that hold, and lets who entered or
    /// withdrew later have done so now.
    fn seat_again(&mut self) {
        let drawn = self.phases.len();
        for entered in &mut self.entrants {
            entered.last = None;
            entered.since = entered.since.min(drawn);
            entered.withdrew = entered.withdrew.map(|when| when.min(drawn));
        }
        for (number, phase) in self.phases.iter().enumerate() {
            for bye in &phase.byes {
                self.entrants[bye.index()].last = Some((number, None));
            }
            for table in &phase.tables {
                for entrant in &table.entrants {
                    self.entrants[entrant.index()].last = Some((number, Some(table.id.table)));
                }
            }
        }
        let withdrawn = self.entrants().filter(|(_, entered)| entered.withdrew == Some(drawn));
        let withdrawn: Vec<Entrant> = withdrawn.map(|(entrant, _)| entrant).collect();
        withdrawn.into_iter().for_each(|entrant| self.leave(entrant, Some(drawn)));
    }
}
