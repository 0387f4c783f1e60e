//! A contest under test, with its log, and its invariants.

use std::collections::{BTreeMap, BTreeSet};

use cards::{BySide, Seat, Side};
use contest::urn::{self, PhasePlan};
use contest::{
    Contest, ContestChange, ContestEntry, ContestRefusal, ContestSettings, ContestTableId,
    EntrantId, MatchOutcome, Party, Role, TableStatus, Venue,
};
use game::Rules;
use game::deal::RandomStream;
use game::fair::Secret;

/// A contest and its log.
pub(crate) struct World {
    pub(crate) contest: Contest,
    pub(crate) log: Vec<ContestEntry>,
}

pub(crate) fn settings(code: &str) -> ContestSettings {
    let rules = Rules::from_code(code).unwrap();
    let (title, word) = ("Cupa".parse().unwrap(), "cupa".parse().unwrap());
    ContestSettings::new(title, word, rules, Venue::Hall).unwrap()
}

pub(crate) fn entrant(number: usize) -> EntrantId {
    EntrantId::new(number - 1).unwrap()
}

pub(crate) fn table(phase: usize, letters: &str) -> ContestTableId {
    ContestTableId { phase: phase - 1, table: urn::table_of(letters).unwrap() }
}

pub(crate) fn scores(scores: &[i32]) -> BySide<i32> {
    BySide::from_slice(scores).unwrap()
}

pub(crate) fn outcome(of: &[i32]) -> MatchOutcome {
    MatchOutcome::played(scores(of))
}

impl World {
    pub(crate) fn new(code: &str, entrants: usize) -> World {
        let mut world = World { contest: Contest::new(settings(code)), log: Vec::new() };
        let pairs = world.contest.settings().pairs();
        let name = |at: usize| format!("P{at}").parse().unwrap();
        let party = |at: usize| match pairs {
            true => Party::Pair(name(at), name(at)),
            false => Party::Alone(name(at)),
        };
        world.organise(ContestChange::Enter((1..=entrants).map(party).collect()));
        world
    }

    #[track_caller]
    pub(crate) fn organise(&mut self, change: ContestChange) {
        self.act(Role::Organiser, change);
    }

    #[track_caller]
    pub(crate) fn act(&mut self, by: Role, change: ContestChange) {
        self.attempt(by, change.clone()).unwrap_or_else(|refusal| panic!("{change:?}: {refusal}"));
    }

    /// Checks that `decide` and `apply` give the same refusal and change nothing.
    #[track_caller]
    pub(crate) fn refuse(&mut self, by: Role, change: ContestChange, refusal: ContestRefusal) {
        let before = self.contest.clone();
        assert_eq!(self.contest.decide(0, by, change.clone()), Err(refusal));
        assert_eq!(self.contest.apply(&ContestEntry { at: 0, by, change }), Err(refusal));
        assert_eq!(self.contest, before);
    }

    pub(crate) fn attempt(
        &mut self,
        by: Role,
        change: ContestChange,
    ) -> Result<(), ContestRefusal> {
        let entry = self.contest.decide(self.log.len() as u64, by, change)?;
        self.contest.apply(&entry)?;
        self.log.push(entry);
        Ok(())
    }

    /// Commits to a draw and makes it, and checks that it follows from the secret and the words.
    #[track_caller]
    pub(crate) fn draw(&mut self) {
        let all = self.contest.next_entrants().unwrap();
        let number = self.contest.phases().len();
        let secret = Secret::from_phrase(&format!("{number} {}", self.log.len()));
        let settings = self.contest.settings().clone();
        self.organise(ContestChange::Commit(urn::commitment(&settings, number, &secret)));
        let words = vec!["banana".parse().unwrap()];
        self.organise(ContestChange::Draw { secret, words: words.clone() });
        let plan = PhasePlan::new(all.len(), settings.full_table()).unwrap();
        let drawn = urn::draw(urn::seed(&settings, number, &secret, &words), &plan, &all);
        let phase = self.contest.phases().last().unwrap();
        let tables: Vec<(Vec<EntrantId>, Seat)> = phase
            .tables()
            .iter()
            .map(|table| (table.entrants().to_vec(), table.dealer()))
            .collect();
        assert_eq!((tables, phase.byes()), (drawn.tables, drawn.byes.as_slice()));
        self.check();
    }

    /// A result that the rules allow, with or without ties behind the winner.
    pub(crate) fn some_outcome(&self, id: ContestTableId, lots: &mut RandomStream) -> MatchOutcome {
        let places = self.contest.table(id).unwrap().entrants().len();
        let winner = lots.below(places);
        let score = |place: Side| {
            if place.index() == winner {
                21 + lots.below(3) as i32
            } else {
                lots.below(20) as i32 - 4
            }
        };
        MatchOutcome::played(BySide::from_fn(places, score))
    }

    /// Settles every table: results, and play-offs until all ties are broken.
    pub(crate) fn settle(&mut self, lots: &mut RandomStream) {
        let phase = self.contest.phases().len() - 1;
        for table in 0..self.contest.phases()[phase].tables().len() {
            let id = ContestTableId { phase, table };
            let referee = Role::Referee(id);
            while let status @ (TableStatus::Awaited
            | TableStatus::Disputed
            | TableStatus::Playing
            | TableStatus::Tied) = self.contest.table(id).unwrap().status()
            {
                if status == TableStatus::Tied {
                    let places = self.contest.table(id).unwrap().entrants().len();
                    let scores = BySide::from_fn(places, |_| lots.below(5) as i32 - 1);
                    self.act(referee, ContestChange::PlayOff { table: id, scores });
                } else {
                    let outcome = self.some_outcome(id, lots);
                    self.act(referee, ContestChange::Rule { table: id, outcome });
                }
            }
        }
    }

    /// Checks the invariants of a contest.
    #[track_caller]
    pub(crate) fn check(&self) {
        let contest = &self.contest;
        let full = contest.settings().full_table();
        let entered = contest.entrants().count();
        for phase in contest.phases() {
            let mut seated = BTreeSet::new();
            for table in phase.tables() {
                let places = table.entrants().len();
                assert!(places == full || places == 3 && full == 4, "{places} at a table");
                assert_eq!(table.rules().sides(), places);
                assert!(table.dealer().index() < table.rules().players());
                for entrant in table.entrants() {
                    assert!(seated.insert(*entrant), "{entrant:?} sits twice");
                }
                let advancing = table.advancing().len();
                let settled = table.status() == TableStatus::Settled;
                let by_result = table.outcome().is_some() && table.tied().is_empty();
                assert_eq!(settled, by_result, "{:?}", table.id());
                let scores = table.scores();
                let ranked = table.ranking().iter().map(|ranked| (ranked.place, ranked.score));
                assert_eq!(
                    ranked.collect::<BTreeMap<Side, i32>>(),
                    scores
                        .iter()
                        .flat_map(|scores| scores.entries())
                        .map(|(s, n)| (s, *n))
                        .collect()
                );
                assert!(
                    advancing <= contest.settings().advancing_count()
                        && (settled || advancing == 0)
                );
            }
            for bye in phase.byes() {
                assert!(seated.insert(*bye), "{bye:?} sits and has a bye");
            }
            let unsettled = phase.tables().iter().find(|t| t.status() != TableStatus::Settled);
            assert_eq!(phase.unsettled(), unsettled);
            assert_eq!(seated.len(), phase.plan().entrants());
            assert!(seated.iter().all(|entrant| entrant.index() < entered));
        }
        for pair in contest.phases().windows(2) {
            assert!(!pair[0].is_final());
        }
        if self.log.last().is_some_and(|entry| entry.change == ContestChange::Import) {
            self.check_imported();
        }
        // Every entrant has exactly one standing.
        let standings = contest.standings();
        let all: BTreeSet<EntrantId> = standings.iter().map(|standing| standing.entrant).collect();
        assert_eq!((standings.len(), all.len()), (entered, entered));
    }

    /// Checks that all that was there at an import is imported.
    fn check_imported(&self) {
        assert_eq!(self.contest.imported(), Some(self.log.len() - 1));
        for phase in self.contest.phases().iter().chain(self.contest.voided()) {
            assert!(phase.is_imported());
            for table in phase.tables() {
                let mut reports = table.reports().iter().chain(table.ruling());
                assert!(table.server_table().is_none() && reports.all(|report| report.imported));
            }
        }
    }

    /// Checks that replaying the log gives the same contest.
    pub(crate) fn replay(&self, code: &str) {
        self.replay_settings(settings(code));
    }

    /// The same for a contest that began with other settings.
    pub(crate) fn replay_settings(&self, initial_settings: ContestSettings) {
        let mut again = Contest::new(initial_settings);
        for entry in &self.log {
            again.apply(entry).unwrap();
        }
        assert_eq!(again, self.contest);
    }
}
