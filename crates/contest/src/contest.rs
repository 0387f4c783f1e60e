//! The contest: entrants, phases and tables, from the first list to the places (T1–T6).
//!
//! [`Contest::decide`] says what a change would lead to for somebody in a [`Role`], or why it may
//! not be; [`Contest::apply`] lets an [`Entry`] happen. A result touches its table and nothing
//! else, however large the contest and however long its log is.
//!
//! ```
//! use contest::{Change, Contest, Party, Refusal, Role, Settings, Venue};
//!
//! let rules = game::Rules::from_code("contest").unwrap();
//! let settings = Settings::new("Cupa".parse().unwrap(), "cupa".parse().unwrap(), rules, Venue::Hall);
//! let mut contest = Contest::new(settings.unwrap());
//! let admit = Change::Admit(vec![Party::Alone("Ana".parse().unwrap())]);
//! assert_eq!(contest.decide(0, Role::Public, admit.clone()), Err(Refusal::NotYours));
//! let entry = contest.decide(0, Role::Organiser, admit).unwrap();
//! // Here the entry is stored; then it happens.
//! contest.apply(&entry).unwrap();
//! assert_eq!(contest.next_entrants(), Err(Refusal::TooFew { least: 4 }));
//! ```

mod apply;
mod check;

use std::collections::BTreeMap;

use cards::{BySide, Side};
use game::cruce::Penalty;
use game::fair::{Commitment, Secret, Word};
use game::record::Name;

use crate::Millis;
use crate::entrant::{Entered, Entrant, Party};
use crate::outcome::MatchOutcome;
use crate::refusal::ContestRefusal;
use crate::settings::{ContestSettings, Venue};
use crate::sheet;
use crate::table::{ContestTable, ContestTableId, Ranked, Status};
use crate::urn::PhasePlan;

/// More phases than a contest of the largest size needs, voided ones counted.
pub const MAX_PHASES: usize = 99;

/// What somebody may do: whoever asks is given it by the link that he holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Everything.
    Organiser,
    /// What concerns one table.
    Referee(ContestTableId),
    /// To tell the result of the table he sits at, and to write on its sheet.
    Player(Entrant),
    /// The server, which opens tables and tells what its records say.
    House,
    /// Nothing but looking.
    Public,
}

/// Something that changes a contest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ContestChange {
    /// Other settings, before the first draw.
    Settings(ContestSettings),
    /// These enter, for the next draw.
    Admit(Vec<Party>),
    /// An entrant is called otherwise.
    Rename {
        /// Who.
        entrant: Entrant,
        /// What he is called.
        party: Party,
    },
    /// An entrant does not play any more. If he was to go on, the next of his table does.
    Withdraw {
        /// Who.
        entrant: Entrant,
    },
    /// He does after all; only before the next draw.
    Return {
        /// Who.
        entrant: Entrant,
    },
    /// The next draw is committed to (T6). A later commitment takes the place of an earlier one.
    Commit(Commitment),
    /// The lots are drawn (T1, T6).
    Draw {
        /// What was committed to.
        secret: Secret,
        /// What the hall said after the commitment.
        words: Vec<Word>,
    },
    /// A table of an online contest was opened on the server.
    Open {
        /// Which.
        table: ContestTableId,
        /// What it is called there.
        word: Word,
    },
    /// Something is written on a table's sheet.
    Keep {
        /// Which table.
        table: ContestTableId,
        /// What.
        change: sheet::SheetChange,
    },
    /// Somebody tells how a match ended. What different people tell stands side by side.
    Report {
        /// At which table.
        table: ContestTableId,
        /// How.
        outcome: MatchOutcome,
    },
    /// The referee decides how a match ended, in a dispute or to correct it. Play-offs of what was
    /// before are void.
    Rule {
        /// At which table.
        table: ContestTableId,
        /// How.
        outcome: MatchOutcome,
    },
    /// The referee takes points away, beside what the sheet says (C15, T5).
    Penalise {
        /// At which table.
        table: ContestTableId,
        /// Whom.
        place: Side,
        /// For what.
        penalty: Penalty,
    },
    /// A penalty was a mistake.
    Pardon {
        /// At which table.
        table: ContestTableId,
        /// Which of its penalties, counted from nought.
        penalty: usize,
    },
    /// Further deals were played to break a tie (T4).
    PlayOff {
        /// At which table.
        table: ContestTableId,
        /// What each made in them.
        scores: BySide<i32>,
    },
    /// A phase is opened again for corrections, though the next one was drawn.
    Reopen {
        /// Which, counted from nought.
        phase: usize,
    },
    /// The corrections are made. If others go on now, the later phases are void and must be drawn again.
    Close {
        /// Which, counted from nought.
        phase: usize,
    },
}

/// A change with when it was made and by whom: a line of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContestEntry {
    /// When.
    pub at: Millis,
    /// In which role.
    pub by: Role,
    /// What.
    pub change: ContestChange,
}

/// A phase that was drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContestPhase {
    commitment: Commitment,
    secret: Secret,
    words: Vec<Word>,
    plan: PhasePlan,
    /// Who went on to it from the phase before.
    from: Vec<Entrant>,
    /// Who entered for it.
    late: Vec<Entrant>,
    tables: Vec<ContestTable>,
    byes: Vec<Entrant>,
    reopenings: Vec<Reopening>,
}

/// A phase was opened again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reopening {
    /// When.
    pub at: Millis,
    /// Until when; nothing while it is open.
    pub until: Option<Millis>,
}

impl ContestPhase {
    /// What was published before the draw.
    pub const fn commitment(&self) -> &Commitment {
        &self.commitment
    }

    /// What was revealed with it.
    pub const fn secret(&self) -> &Secret {
        &self.secret
    }

    /// What the hall said.
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// How many tables it has, and of which size.
    pub const fn plan(&self) -> &PhasePlan {
        &self.plan
    }

    /// Its tables.
    pub fn tables(&self) -> &[ContestTable] {
        &self.tables
    }

    /// Who goes on without playing (T4).
    pub fn byes(&self) -> &[Entrant] {
        &self.byes
    }

    /// Everybody who had a ticket or a bye, in the order of their numbers.
    pub fn entrants(&self) -> Vec<Entrant> {
        let mut all = [self.from.as_slice(), &self.late].concat();
        all.sort_unstable();
        all
    }

    /// When it was opened again for corrections.
    pub fn reopenings(&self) -> &[Reopening] {
        &self.reopenings
    }

    /// Whether it is open again now.
    pub fn is_reopened(&self) -> bool {
        self.reopenings.last().is_some_and(|reopening| reopening.until.is_none())
    }

    /// Whether it gives the places of the contest (T3).
    pub fn is_final(&self) -> bool {
        self.plan.is_final()
    }

    /// The first table that is not settled.
    pub fn unsettled(&self) -> Option<&ContestTable> {
        self.tables.iter().find(|table| table.status() != Status::Settled)
    }
}

/// Where a contest stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ContestStage {
    /// Nothing is drawn yet.
    Entering,
    /// A phase, counted from nought, is being played.
    Playing {
        /// Which.
        phase: usize,
    },
    /// All tables of a phase are settled, and the next one can be drawn.
    Played {
        /// Which.
        phase: usize,
    },
    /// The final is settled.
    Over,
}

/// A contest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contest {
    settings: ContestSettings,
    entrants: Vec<Entered>,
    /// Who is called the same, in the order of their numbers.
    namesakes: BTreeMap<String, Vec<Entrant>>,
    commitment: Option<Commitment>,
    phases: Vec<ContestPhase>,
    voided: Vec<ContestPhase>,
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
        }
    }

    /// What a change would be in the log if it is made in this role, or why it may not be.
    pub fn decide(
        &self,
        at: Millis,
        by: Role,
        change: ContestChange,
    ) -> Result<ContestEntry, ContestRefusal> {
        self.check(by, &change)?;
        Ok(ContestEntry { at, by, change })
    }

    /// What it is played by.
    pub const fn settings(&self) -> &ContestSettings {
        &self.settings
    }

    /// All who ever entered, in the order of their numbers.
    pub fn entrants(&self) -> impl Iterator<Item = (Entrant, &Entered)> {
        let numbered = self.entrants.iter().enumerate();
        numbered.filter_map(|(at, entered)| Some((Entrant::new(at)?, entered)))
    }

    /// An entrant.
    pub fn entrant(&self, entrant: Entrant) -> Option<&Entered> {
        self.entrants.get(entrant.index())
    }

    /// Which of several of the same name an entrant is, from one; nothing where he is the only one.
    pub fn namesake(&self, entrant: Entrant) -> Option<usize> {
        let same = self.namesakes.get(&self.entrant(entrant)?.party.key())?;
        let at = same.iter().position(|other| *other == entrant)?;
        (same.len() > 1).then_some(at + 1)
    }

    /// What an entrant is called so that nobody else is: `Ion Pop`, or `Ion Pop (2)`.
    pub fn name(&self, entrant: Entrant) -> String {
        let name = self.entrant(entrant).map(|entered| entered.party.to_string());
        let mut name = name.unwrap_or_default();
        if let Some(which) = self.namesake(entrant) {
            name.push_str(&format!(" ({which})"));
        }
        name
    }

    /// Where it stands.
    pub fn stage(&self) -> ContestStage {
        let Some(last) = self.phases.last() else { return ContestStage::Entering };
        let phase = self.phases.len() - 1;
        match last.unsettled() {
            Some(_) => ContestStage::Playing { phase },
            None if last.is_final() => ContestStage::Over,
            None => ContestStage::Played { phase },
        }
    }

    /// The commitment to the next draw, if there is one (T6).
    pub const fn commitment(&self) -> Option<&Commitment> {
        self.commitment.as_ref()
    }

    /// The phases that hold, in order.
    pub fn phases(&self) -> &[ContestPhase] {
        &self.phases
    }

    /// The phases that were drawn and are void, as others go on after a correction.
    pub fn voided(&self) -> &[ContestPhase] {
        &self.voided
    }

    /// A table.
    pub fn table(&self, id: ContestTableId) -> Option<&ContestTable> {
        self.phases.get(id.phase)?.tables.get(id.table)
    }

    /// The table at which an entrant sat last, and his place at it; nothing before the first draw
    /// and for a bye.
    pub fn seat_of(&self, entrant: Entrant) -> Option<(&ContestTable, Side)> {
        let (phase, table) = self.entrant(entrant)?.last?;
        let table = self.table(ContestTableId { phase, table: table? })?;
        Some((table, table.place_of(entrant)?))
    }

    /// The tables of an online contest that wait to be opened.
    pub fn to_open(&self) -> impl Iterator<Item = &ContestTable> {
        let online = self.settings.venue() == Venue::Online;
        let tables = self.phases.last().into_iter().flat_map(|phase| &phase.tables);
        tables.filter(move |table| {
            online && table.opened.is_none() && table.status() == Status::Awaited
        })
    }

    /// The names at a table by seats: partners sit opposite each other (C2). Namesakes who play alone are
    /// told apart, as far as a name has room for it.
    pub fn seats(&self, table: &ContestTable) -> Vec<Name> {
        if !self.settings.pairs() {
            let told = |entrant: &Entrant| {
                let plain =
                    || self.entrant(*entrant).map(|entered| entered.party.names()[0].clone());
                self.name(*entrant).parse().ok().or_else(plain)
            };
            return table.entrants.iter().filter_map(told).collect();
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

    /// Who has a ticket in the next urn, in the order of their numbers; or why nothing can be
    /// drawn now.
    pub fn next_entrants(&self) -> Result<Vec<Entrant>, ContestRefusal> {
        let drawn = self.phases.len();
        let late = self
            .entrants()
            .filter(|(_, entered)| entered.since >= drawn && !entered.has_withdrawn());
        let late: Vec<Entrant> = late.map(|(entrant, _)| entrant).collect();
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
        // Who is left of a contest that most have left may finish it in three.
        let least = if self.settings.pairs() { 2 } else { 3 };
        if all.len() < least { Err(ContestRefusal::TooFew { least }) } else { Ok(all) }
    }

    /// Who goes on from a phase that is settled, beside so many who enter late (T3, T4): the best of
    /// each table and the byes. Where withdrawals leave fewer than a table, the best of the others go on too.
    fn advancing(&self, phase: &ContestPhase, late: usize) -> Vec<Entrant> {
        let gone = |entrant: &Entrant| {
            let drawn = phase.tables.first().map_or(0, |table| table.id.phase + 1);
            self.entrants[entrant.index()].withdrew.is_some_and(|when| when <= drawn)
        };
        let mut all: Vec<Entrant> = phase.tables.iter().flat_map(ContestTable::advancing).collect();
        all.extend(phase.byes.iter().filter(|bye| !gone(bye)));
        let missing = self.settings.full_table().saturating_sub(all.len() + late);
        if missing > 0 {
            let ranked = phase.tables.iter().flat_map(ContestTable::ranking);
            let mut others: Vec<Ranked> =
                ranked.filter(|ranked| !ranked.left && !all.contains(&ranked.entrant)).collect();
            // Equal ones stand in the order of their tickets, which were drawn by lot.
            others.sort_by(Ranked::compare);
            all.extend(others.iter().take(missing).map(|ranked| ranked.entrant));
        }
        all.sort_unstable();
        all
    }
}
