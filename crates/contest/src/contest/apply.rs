//! The effect of a log entry on a contest.

use super::{Contest, ContestChange, ContestEntry, ContestPhase, Reopening, Role};
use crate::Millis;
use crate::entrant::{Entrant, EntrantId, Party};
use crate::outcome::MatchOutcome;
use crate::refusal::ContestRefusal;
use crate::sheet;
use crate::table::{ContestTable, ContestTableId, ImposedPenalty, MatchReport};
use crate::urn::{self, Drawn, PhasePlan};
use game::fair::{Secret, Word};

impl Contest {
    /// Applies an entry. A refused entry changes nothing.
    pub fn apply(&mut self, entry: &ContestEntry) -> Result<(), ContestRefusal> {
        self.check(entry.by, &entry.change)?;
        match &entry.change {
            // A commitment depends on the rules and the word, so the old one becomes void.
            ContestChange::Settings(settings) => {
                (self.settings, self.commitment) = (settings.clone(), None);
            }
            ContestChange::Enter(parties) => {
                parties.iter().for_each(|party| self.admit(party.clone()))
            }
            ContestChange::Rename { entrant, party } => self.rename(*entrant, party),
            ContestChange::Withdraw { entrant } => {
                self.set_withdrawal(*entrant, Some(self.phases.len()))
            }
            ContestChange::Return { entrant } => self.set_withdrawal(*entrant, None),
            ContestChange::Commit(commitment) => self.commitment = Some(*commitment),
            ContestChange::Draw { secret, words } => self.draw(*secret, words)?,
            ContestChange::Open { table, server_table } => {
                self.change_table(*table, |table| table.server_table = Some(*server_table))
            }
            ContestChange::WriteSheet { table, change } => {
                self.write_on_sheet(*table, entry.at, change)?
            }
            ContestChange::Report { table, outcome } => self.report(*table, entry, *outcome),
            ContestChange::Rule { table, outcome } => self.change_table(*table, |table| {
                table.ruling = Some(MatchReport::new(entry, *outcome));
                table.play_offs.clear();
            }),
            ContestChange::Penalise { table, place, penalty } => {
                self.change_table(*table, |table| {
                    table.penalties.push(ImposedPenalty { place: *place, penalty: *penalty });
                })
            }
            ContestChange::Pardon { table, penalty } => self.change_table(*table, |table| {
                table.penalties.remove(*penalty);
            }),
            ContestChange::PlayOff { table, scores } => {
                self.change_table(*table, |table| table.play_offs.push(*scores));
            }
            ContestChange::Reopen { phase } => {
                let reopening = Reopening { at: entry.at, until: None };
                self.phases[*phase].reopenings.push(reopening);
            }
            ContestChange::Close { phase } => self.close(*phase, entry.at),
            ContestChange::Import => self.import(),
        }
        self.length += 1;
        Ok(())
    }

    /// Marks everything so far as imported. A server that takes a contest over has neither the secret
    /// of the next draw nor the tables that another server opened, so that both are void: the organiser
    /// has it commit again, and it opens tables of its own.
    fn import(&mut self) {
        self.imported = Some(self.length);
        self.commitment = None;
        // A file may say many times that it was imported.
        let phases = self.phases.iter_mut().chain(&mut self.voided).filter(|phase| phase.is_new);
        for phase in phases {
            (phase.imported, phase.is_new) = (true, false);
            for table in phase.tables.iter_mut().filter(|table| table.is_new) {
                (table.server_table, table.is_new) = (None, false);
                table.reports.iter_mut().chain(&mut table.ruling).for_each(|report| {
                    report.imported = true;
                });
            }
        }
    }

    /// Changes a table that is known to exist.
    fn change_table(&mut self, id: ContestTableId, change: impl FnOnce(&mut ContestTable)) {
        let Some(phase) = self.phases.get_mut(id.phase) else { return };
        let Some(table) = phase.tables.get_mut(id.table) else { return };
        phase.is_new = true;
        phase.unsettled -= usize::from(!table.is_settled());
        change(table);
        table.compute();
        phase.unsettled += usize::from(!table.is_settled());
    }

    fn admit(&mut self, party: Party) {
        let Some(entrant) = EntrantId::new(self.entrants.len()) else { return };
        self.namesakes.entry(party.key()).or_default().push(entrant);
        let since = self.phases.len();
        self.entrants.push(Entrant { party, since, withdrew: None, last: None });
    }

    fn rename(&mut self, entrant: EntrantId, party: &Party) {
        let known = &mut self.entrants[entrant.index()];
        let old = core::mem::replace(&mut known.party, party.clone());
        if let Some(same) = self.namesakes.get_mut(&old.key()) {
            same.retain(|other| *other != entrant);
        }
        let same = self.namesakes.entry(party.key()).or_default();
        same.push(entrant);
        same.sort_unstable();
    }

    /// Sets or clears the withdrawal of an entrant, also at their table of the last phase.
    fn set_withdrawal(&mut self, entrant: EntrantId, when: Option<usize>) {
        let known = &mut self.entrants[entrant.index()];
        known.withdrew = when;
        if let Some((phase, Some(table))) = known.last
            && phase + 1 == self.phases.len()
        {
            self.change_table(ContestTableId { phase, table }, |table| {
                if let Some(place) = table.place_of(entrant) {
                    table.withdrawn[place] = when.is_some();
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
        let advancing_count = if plan.is_final() { 0 } else { self.settings.advancing_count() };
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
            unsettled: tables.len(),
            tables: Vec::with_capacity(tables.len()),
            byes,
            reopenings: Vec::new(),
            imported: false,
            is_new: true,
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
            phase.tables.push(ContestTable::new(id, rules, entrants, dealer, advancing_count));
        }
        self.phases.push(phase);
        Ok(())
    }

    fn write_on_sheet(
        &mut self,
        id: ContestTableId,
        at: Millis,
        change: &sheet::SheetChange,
    ) -> Result<(), ContestRefusal> {
        if let Some(table) = self.table(id).filter(|table| table.sheet.is_none()) {
            let fresh = Box::new(self.fresh_sheet(table).map_err(ContestRefusal::Sheet)?);
            self.change_table(id, |table| table.sheet = Some(fresh));
        }
        let entry = sheet::SheetEntry { at, by: None, change: change.clone() };
        let mut done = Ok(());
        self.change_table(id, |table| {
            if let Some(sheet) = &mut table.sheet {
                done = sheet.apply(entry);
            }
        });
        done.map_err(ContestRefusal::Sheet)
    }

    /// Adds a report. A player's new report replaces their earlier one; referees share a link, so all
    /// of their reports are kept.
    fn report(&mut self, id: ContestTableId, entry: &ContestEntry, outcome: MatchOutcome) {
        let report = MatchReport::new(entry, outcome);
        self.change_table(id, |table| {
            if matches!(entry.by, Role::Player(_)) {
                table.reports.retain(|other| other.by != entry.by);
            }
            table.reports.push(report);
        });
    }

    /// Closes a reopened phase. If other entrants go on now than before, the phases drawn from it
    /// become void.
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
        self.recompute_seats();
    }

    /// Recomputes where each entrant sat last in the valid phases, and moves later entries and
    /// withdrawals to the present phase.
    fn recompute_seats(&mut self) {
        let drawn = self.phases.len();
        for entrant in &mut self.entrants {
            entrant.last = None;
            entrant.since = entrant.since.min(drawn);
            entrant.withdrew = entrant.withdrew.map(|when| when.min(drawn));
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
        let withdrawn = self.entrants().filter(|(_, entrant)| entrant.withdrew == Some(drawn));
        let withdrawn: Vec<EntrantId> = withdrawn.map(|(entrant, _)| entrant).collect();
        withdrawn.into_iter().for_each(|entrant| self.set_withdrawal(entrant, Some(drawn)));
    }
}
