//! The contest: entrants, phases and tables, from the first list to the places (T1–T6).
//!
//! [`Contest::decide`] checks a change made in a [`Role`] and returns its [`ContestEntry`], or the
//! reason for refusing it; [`Contest::apply`] applies an entry. A result changes only its table, so
//! its cost depends neither on the size of the contest nor on the length of its log.
//!
//! ```
//! use contest::{Contest, ContestChange, ContestRefusal, ContestSettings, Party, Role, Venue};
//!
//! let rules = game::Rules::from_code("contest").unwrap();
//! let (title, word) = ("Cupa".parse().unwrap(), "cupa".parse().unwrap());
//! let settings = ContestSettings::new(title, word, rules, Venue::Hall);
//! let mut contest = Contest::new(settings.unwrap());
//! let enter = ContestChange::Enter(vec![Party::Alone("Ana".parse().unwrap())]);
//! assert_eq!(contest.decide(0, Role::Public, enter.clone()), Err(ContestRefusal::NotYours));
//! let entry = contest.decide(0, Role::Organiser, enter).unwrap();
//! // The entry is stored here, and then applied.
//! contest.apply(&entry).unwrap();
//! assert_eq!(contest.next_entrants(), Err(ContestRefusal::TooFew { least: 4 }));
//! ```

mod apply;
mod check;
mod effect;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use cards::{BySide, Side};
use game::cruce::Penalty;
use game::fair::{Commitment, Secret, Word};
use game::record::Name;

use crate::Millis;
use crate::entrant::{Entrant, EntrantId, Party};
use crate::outcome::MatchOutcome;
use crate::refusal::ContestRefusal;
use crate::settings::{ContestSettings, Venue};
use crate::sheet;
use crate::table::{ContestTable, ContestTableId, Ranked, TableStatus};
use crate::urn::PhasePlan;

/// The maximum number of phases, voided ones included; the largest contest needs fewer.
pub const MAX_PHASES: usize = 99;

/// What a client may do; it follows from the link that the client holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// May do everything.
    Organiser,
    /// May do what concerns one table.
    Referee(ContestTableId),
    /// May report the result of the table at which the entrant sits, and write on its sheet.
    Player(EntrantId),
    /// The server, which opens tables and reports the results from its records.
    Server,
    /// May only look.
    Public,
}

/// A change of a contest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ContestChange {
    /// Replaces the settings, before the first draw.
    Settings(ContestSettings),
    /// Enters these entrants for the next draw.
    Enter(Vec<Party>),
    /// Changes the name of an entrant.
    Rename {
        /// The entrant.
        entrant: EntrantId,
        /// The new names.
        party: Party,
    },
    /// An entrant stops playing. If they were to go on, the next of their table goes on instead.
    Withdraw {
        /// The entrant.
        entrant: EntrantId,
    },
    /// An entrant takes a withdrawal back; only before the next draw.
    Return {
        /// The entrant.
        entrant: EntrantId,
    },
    /// Commits to the next draw (T6). A later commitment replaces an earlier one.
    Commit(Commitment),
    /// Draws the lots (T1, T6).
    Draw {
        /// The secret that was committed to.
        secret: Secret,
        /// The words said in the hall after the commitment.
        words: Vec<Word>,
    },
    /// A table of an online contest was opened on the server.
    Open {
        /// The table.
        table: ContestTableId,
        /// The id of its table on the server.
        server_table: Word,
    },
    /// Writes on a table's sheet.
    WriteSheet {
        /// The table.
        table: ContestTableId,
        /// The change of the sheet.
        change: sheet::SheetChange,
    },
    /// Reports how a match ended. Differing reports are kept side by side.
    Report {
        /// The table.
        table: ContestTableId,
        /// The reported result.
        outcome: MatchOutcome,
    },
    /// The referee decides how a match ended, in a dispute or as a correction. Earlier play-offs
    /// become void.
    Rule {
        /// The table.
        table: ContestTableId,
        /// The result that holds.
        outcome: MatchOutcome,
    },
    /// The referee deducts points, in addition to the sheet (C15, T5).
    Penalise {
        /// The table.
        table: ContestTableId,
        /// The penalised place.
        place: Side,
        /// The offence.
        penalty: Penalty,
    },
    /// Lifts a penalty that was a mistake.
    Pardon {
        /// The table.
        table: ContestTableId,
        /// The index of the penalty.
        penalty: usize,
    },
    /// Records further deals, played to break a tie (T4).
    PlayOff {
        /// The table.
        table: ContestTableId,
        /// The score of each place in them.
        scores: BySide<i32>,
    },
    /// Opens a phase again for corrections after the next one was drawn.
    Reopen {
        /// The index of the phase.
        phase: usize,
    },
    /// Ends the corrections. If other entrants go on now, the later phases are void and must be drawn again.
    Close {
        /// The index of the phase.
        phase: usize,
    },
    /// The server took the contest over from a file: it has not seen any earlier entry being made,
    /// and has drawn none of the lots so far.
    Import,
}

impl ContestChange {
    /// The names that it brings: of the contest, of entrants, or on a sheet.
    pub fn names(&self) -> Vec<&Name> {
        match self {
            ContestChange::Settings(settings) => vec![settings.title()],
            ContestChange::Enter(parties) => parties.iter().flat_map(Party::names).collect(),
            ContestChange::Rename { party, .. } => party.names(),
            ContestChange::WriteSheet { change, .. } => change.name().into_iter().collect(),
            _ => Vec::new(),
        }
    }
}

/// A line of the log: a change, when it was made and by whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContestEntry {
    /// When it was made.
    pub at: Millis,
    /// The role in which it was made.
    pub by: Role,
    /// The change.
    pub change: ContestChange,
}

/// A phase that was drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContestPhase {
    commitment: Commitment,
    secret: Secret,
    words: Vec<Word>,
    plan: PhasePlan,
    /// The entrants that went on to it from the phase before.
    from: Vec<EntrantId>,
    /// The entrants that entered for it.
    late: Vec<EntrantId>,
    tables: Vec<ContestTable>,
    byes: Vec<EntrantId>,
    reopenings: Vec<Reopening>,
    imported: bool,
    /// How many of its tables are not settled.
    unsettled: usize,
    /// Whether anything has changed in it since the last import.
    is_new: bool,
}

/// A period in which a phase was open again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reopening {
    /// When it began.
    pub at: Millis,
    /// When it ended; `None` while the phase is open.
    pub until: Option<Millis>,
}

impl ContestPhase {
    /// The commitment published before the draw.
    pub const fn commitment(&self) -> &Commitment {
        &self.commitment
    }

    /// The secret revealed with the draw.
    pub const fn secret(&self) -> &Secret {
        &self.secret
    }

    /// The words said in the hall.
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// The number of tables and their sizes.
    pub const fn plan(&self) -> &PhasePlan {
        &self.plan
    }

    /// The tables of the phase.
    pub fn tables(&self) -> &[ContestTable] {
        &self.tables
    }

    /// The entrants that go on without playing (T4).
    pub fn byes(&self) -> &[EntrantId] {
        &self.byes
    }

    /// All entrants that had a ticket or a bye, in the order of their numbers.
    pub fn entrants(&self) -> Vec<EntrantId> {
        let mut all = [self.from.as_slice(), &self.late].concat();
        all.sort_unstable();
        all
    }

    /// The periods in which it was open again for corrections.
    pub fn reopenings(&self) -> &[Reopening] {
        &self.reopenings
    }

    /// Whether it is open again now.
    pub fn is_reopened(&self) -> bool {
        self.reopenings.last().is_some_and(|reopening| reopening.until.is_none())
    }

    /// Whether its draw is among the [imported](Contest::imported) entries: no server made it.
    pub const fn is_imported(&self) -> bool {
        self.imported
    }

    /// Whether it decides the places of the contest (T3).
    pub fn is_final(&self) -> bool {
        self.plan.is_final()
    }

    /// Whether all of its tables are settled.
    pub const fn is_settled(&self) -> bool {
        self.unsettled == 0
    }

    /// The first table that is not settled.
    pub fn unsettled(&self) -> Option<&ContestTable> {
        if self.is_settled() { None } else { self.tables.iter().find(|table| !table.is_settled()) }
    }
}

/// The stage of a contest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ContestStage {
    /// Nothing is drawn yet.
    Entering,
    /// A phase is being played.
    Playing {
        /// The index of the phase.
        phase: usize,
    },
    /// All tables of a phase are settled, and the next one can be drawn.
    Played {
        /// The index of the phase.
        phase: usize,
    },
    /// The final is settled.
    Over,
}

/// A contest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contest {
    settings: ContestSettings,
    entrants: Vec<Entrant>,
    /// The entrants that share a name, in the order of their numbers.
    namesakes: BTreeMap<String, Vec<EntrantId>>,
    commitment: Option<Commitment>,
    phases: Vec<ContestPhase>,
    voided: Vec<ContestPhase>,
    /// The number of entries that were applied.
    length: usize,
    /// The number of entries before the last import.
    imported: Option<usize>,
}

impl Contest {
    /// A contest without entrants.
    pub fn new(settings: ContestSettings) -> Contest {
        Contest {
            settings,
            entrants: Vec::new(),
            namesakes: BTreeMap::new(),
            commitment: None,
            phases: Vec::new(),
            voided: Vec::new(),
            length: 0,
            imported: None,
        }
    }

    /// Returns the log entry of a change made in this role, or the reason for refusing it.
    ///
    /// A change [without effect](Contest::has_effect) is refused. [`Contest::apply`] accepts its entry,
    /// because older logs have such entries.
    pub fn decide(
        &self,
        at: Millis,
        by: Role,
        change: ContestChange,
    ) -> Result<ContestEntry, ContestRefusal> {
        self.check(by, &change)?;
        if !self.has_effect(by, &change) {
            return Err(match change {
                ContestChange::WriteSheet { .. } => {
                    ContestRefusal::Sheet(sheet::SheetRefusal::Unchanged)
                }
                _ => ContestRefusal::Unchanged,
            });
        }
        Ok(ContestEntry { at, by, change })
    }

    /// The settings of the contest.
    pub const fn settings(&self) -> &ContestSettings {
        &self.settings
    }

    /// All entrants, withdrawn ones included, in the order of their numbers.
    pub fn entrants(&self) -> impl Iterator<Item = (EntrantId, &Entrant)> {
        let numbered = self.entrants.iter().enumerate();
        numbered.filter_map(|(at, entered)| Some((EntrantId::new(at)?, entered)))
    }

    /// Returns an entrant.
    pub fn entrant(&self, entrant: EntrantId) -> Option<&Entrant> {
        self.entrants.get(entrant.index())
    }

    /// The position of an entrant among namesakes, counted from 1; `None` if no other has the name.
    pub fn namesake(&self, entrant: EntrantId) -> Option<usize> {
        let same = self.namesakes.get(&self.entrant(entrant)?.party.key())?;
        let at = same.iter().position(|other| *other == entrant)?;
        (same.len() > 1).then_some(at + 1)
    }

    /// A unique name of an entrant: `Ion Pop`, or `Ion Pop (2)`.
    pub fn name(&self, entrant: EntrantId) -> String {
        let name = self.entrant(entrant).map(|entered| entered.party.to_string());
        let mut name = name.unwrap_or_default();
        if let Some(which) = self.namesake(entrant) {
            name.push_str(&format!(" ({which})"));
        }
        name
    }

    /// The stage of the contest.
    pub fn stage(&self) -> ContestStage {
        let Some(last) = self.phases.last() else { return ContestStage::Entering };
        let phase = self.phases.len() - 1;
        match last.is_settled() {
            false => ContestStage::Playing { phase },
            true if last.is_final() => ContestStage::Over,
            true => ContestStage::Played { phase },
        }
    }

    /// The commitment to the next draw, if there is one (T6).
    pub const fn commitment(&self) -> Option<&Commitment> {
        self.commitment.as_ref()
    }

    /// The valid phases, in order.
    pub fn phases(&self) -> &[ContestPhase] {
        &self.phases
    }

    /// The phases that were drawn and became void because other entrants go on after a correction.
    pub fn voided(&self) -> &[ContestPhase] {
        &self.voided
    }

    /// The number of entries that a server took over from a file, always the first ones; `None` if
    /// there was no import. What they say about draws, times and authors is what the file says.
    pub const fn imported(&self) -> Option<usize> {
        self.imported
    }

    /// Returns a table of a valid phase.
    pub fn table(&self, id: ContestTableId) -> Option<&ContestTable> {
        self.phases.get(id.phase)?.tables.get(id.table)
    }

    /// The table at which an entrant sat last, and their place at it; `None` before the first draw
    /// and for a bye.
    pub fn seat_of(&self, entrant: EntrantId) -> Option<(&ContestTable, Side)> {
        let (phase, table) = self.entrant(entrant)?.last?;
        let table = self.table(ContestTableId { phase, table: table? })?;
        Some((table, table.place_of(entrant)?))
    }

    /// The tables of an online contest that wait to be opened.
    pub fn to_open(&self) -> impl Iterator<Item = &ContestTable> {
        let online = self.settings.venue() == Venue::Online;
        let tables = self.phases.last().into_iter().flat_map(|phase| &phase.tables);
        tables.filter(move |table| {
            online && table.server_table.is_none() && table.status() == TableStatus::Awaited
        })
    }

    /// The names at a table by seats; partners sit opposite each other (C2). Namesakes who play alone
    /// get their unique names if those fit.
    pub fn seats(&self, table: &ContestTable) -> Vec<Name> {
        if !self.settings.pairs() {
            let unique_name = |entrant: &EntrantId| {
                let plain =
                    || self.entrant(*entrant).map(|entered| entered.party.names()[0].clone());
                self.name(*entrant).parse().ok().or_else(plain)
            };
            return table.entrants.iter().filter_map(unique_name).collect();
        }
        let parties: Vec<Vec<&Name>> = table
            .entrants
            .iter()
            .filter_map(|entrant| Some(self.entrant(*entrant)?.party.names()))
            .collect();
        let of_round = |round: usize| {
            parties.iter().filter_map(move |names| names.get(round).copied().cloned())
        };
        (0..2).flat_map(of_round).collect()
    }

    /// The entrants with a ticket in the next urn, in the order of their numbers; or the reason why
    /// no draw is possible now.
    pub fn next_entrants(&self) -> Result<Vec<EntrantId>, ContestRefusal> {
        let drawn = self.phases.len();
        let late = self
            .entrants()
            .filter(|(_, entered)| entered.since >= drawn && !entered.has_withdrawn());
        let late: Vec<EntrantId> = late.map(|(entrant, _)| entrant).collect();
        let full = self.settings.full_table();
        let Some(last) = self.phases.last() else {
            return if late.len() < full {
                Err(ContestRefusal::TooFew { least: full })
            } else {
                Ok(late)
            };
        };
        if last.is_final() {
            return Err(if self.stage() == ContestStage::Over {
                ContestRefusal::Over
            } else {
                ContestRefusal::FinalDrawn
            });
        }
        if let Some(phase) = self.phases.iter().position(ContestPhase::is_reopened) {
            return Err(ContestRefusal::Reopened { phase });
        }
        if let Some(table) = last.unsettled() {
            return Err(ContestRefusal::NotSettled { table: table.id.table });
        }
        let mut all = self.advancing(last, late.len());
        all.extend(late);
        all.sort_unstable();
        // After withdrawals, three players may finish the contest.
        let least = if self.settings.pairs() { 2 } else { 3 };
        if all.len() < least { Err(ContestRefusal::TooFew { least }) } else { Ok(all) }
    }

    /// The entrants that go on from a settled phase, given the number of late entrants (T3, T4): the
    /// best of each table and the byes. If withdrawals leave fewer than a table, the best of the
    /// others go on too.
    fn advancing(&self, phase: &ContestPhase, late: usize) -> Vec<EntrantId> {
        let gone = |entrant: &EntrantId| {
            let drawn = phase.tables.first().map_or(0, |table| table.id.phase + 1);
            self.entrants[entrant.index()].withdrew.is_some_and(|when| when <= drawn)
        };
        let mut all: Vec<EntrantId> =
            phase.tables.iter().flat_map(ContestTable::going_on).collect();
        all.extend(phase.byes.iter().filter(|bye| !gone(bye)));
        let missing = self.settings.full_table().saturating_sub(all.len() + late);
        if missing > 0 {
            let ranked = phase.tables.iter().flat_map(ContestTable::ranking);
            let mut others: Vec<&Ranked> = ranked
                .filter(|ranked| !ranked.withdrawn && !all.contains(&ranked.entrant))
                .collect();
            // Equal ones stay in the order of their tickets, which were drawn by lot.
            others.sort_by(|one, other| one.compare(other));
            all.extend(others.iter().take(missing).map(|ranked| ranked.entrant));
        }
        all.sort_unstable();
        all
    }
}
