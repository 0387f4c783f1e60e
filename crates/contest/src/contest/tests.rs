//! What an entry costs: a log may come from anybody, and must not cost more for each entry the longer it
//! is or the larger the contest.

use game::Rules;

use super::*;
use crate::table::TABLES_RANKED;
use crate::urn;

const ENTRANTS: usize = 64;

fn organise(contest: &mut Contest, change: ContestChange) {
    let entry = contest.decide(0, Role::Organiser, change).expect("allowed");
    contest.apply(&entry).expect("applied");
}

fn draw(contest: &mut Contest) {
    let secret = Secret::from_phrase("cost");
    let commitment = urn::commitment(contest.settings(), contest.phases().len(), &secret);
    organise(contest, ContestChange::Commit(commitment));
    organise(contest, ContestChange::Draw { secret, words: Vec::new() });
}

fn rule(contest: &mut Contest, table: ContestTableId, winner: usize) {
    let score = |place: Side| if place.index() == winner { 21 } else { place.index() as i32 };
    let outcome = MatchOutcome::played(BySide::from_fn(4, score));
    organise(contest, ContestChange::Rule { table, outcome });
}

/// A contest whose first phase was played and whose second was drawn.
fn contest() -> Contest {
    let rules = Rules::from_code("contest").expect("a code");
    let (title, word) = ("Cupa".parse().expect("a name"), "cupa".parse().expect("a word"));
    let settings = ContestSettings::new(title, word, rules, Venue::Hall).expect("settings");
    let mut contest = Contest::new(settings);
    let name = |at: usize| Party::Alone(format!("P{at}").parse().expect("a name"));
    organise(&mut contest, ContestChange::Enter((0..ENTRANTS).map(name).collect()));
    draw(&mut contest);
    for table in 0..ENTRANTS / 4 {
        rule(&mut contest, ContestTableId { phase: 0, table }, 0);
    }
    draw(&mut contest);
    contest
}

#[test]
fn a_phase_that_is_reopened_again_and_again_ranks_only_what_changes() {
    let (mut contest, table) = (contest(), ContestTableId { phase: 0, table: 3 });
    let advancing = contest.table(table).expect("a table").advancing();
    let before = TABLES_RANKED.get();
    for round in 0..100 {
        organise(&mut contest, ContestChange::Reopen { phase: 0 });
        // The same two go on, and the second phase stays.
        let penalty = ContestChange::Penalise {
            table,
            place: Side::new(1).expect("a side"),
            penalty: Penalty::Misdeal,
        };
        organise(&mut contest, penalty);
        organise(&mut contest, ContestChange::Pardon { table, penalty: 0 });
        organise(&mut contest, ContestChange::Close { phase: 0 });
        assert_eq!(contest.phases().len(), 2, "{round}");
    }
    assert_eq!(TABLES_RANKED.get() - before, 200, "two changes of one table each time");
    assert_eq!(contest.table(table).expect("a table").advancing(), advancing);
}

#[test]
fn withdrawals_and_imports_rank_only_what_changes() {
    let mut contest = contest();
    let entrant = contest.phases()[1].tables()[0].entrants()[0];
    let before = TABLES_RANKED.get();
    for _ in 0..100 {
        organise(&mut contest, ContestChange::Withdraw { entrant });
        organise(&mut contest, ContestChange::Return { entrant });
        let import = ContestEntry { at: 0, by: Role::Server, change: ContestChange::Import };
        contest.apply(&import).expect("imported");
    }
    assert_eq!(TABLES_RANKED.get() - before, 200, "their own table, each time");
}
