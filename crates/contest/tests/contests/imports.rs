//! Contests that a server takes over from a file: what it has not seen says so, for ever.

use contest::urn;
use contest::{
    Contest, ContestChange, ContestRefusal, ContestSettings, MatchOutcome, Party, Role, Venue,
};
use game::Rules;
use game::deal::{RandomStream, Seed};
use game::fair::Secret;

use crate::world::{World, entrant, outcome, settings, table};

fn import(world: &mut World) {
    world.act(Role::Server, ContestChange::Import);
}

/// An online contest of four whose table is open.
fn online() -> World {
    let rules = Rules::from_code("contest").unwrap();
    let settings =
        ContestSettings::new("T".parse().unwrap(), "t".parse().unwrap(), rules, Venue::Online);
    let mut world = World { contest: Contest::new(settings.unwrap()), log: Vec::new() };
    let party = |name: &str| Party::Alone(name.parse().unwrap());
    world.organise(ContestChange::Enter(["Ana", "Dan", "Ion", "Zoe"].map(party).to_vec()));
    world.draw();
    let word = "7rk2m0q9xw".parse().unwrap();
    world.act(Role::Server, ContestChange::Open { table: table(1, "A"), server_table: word });
    world
}

#[test]
fn only_the_server_says_what_was_imported() {
    let mut world = World::new("contest", 8);
    world.draw();
    let referee = Role::Referee(table(1, "A"));
    for by in [Role::Organiser, referee, Role::Player(entrant(1)), Role::Public] {
        world.refuse(by, ContestChange::Import, ContestRefusal::NotYours);
    }
    assert_eq!(world.contest.imported(), None);
    import(&mut world);
    assert_eq!(world.contest.imported(), Some(3));
    world.replay("contest");
}

#[test]
fn only_draws_before_the_last_import_are_imported() {
    let mut lots = RandomStream::new(Seed([5; 32]), 1);
    let mut world = World::new("contest", 16);
    let imported = |world: &World| {
        let phases = world.contest.phases().iter();
        phases.map(contest::ContestPhase::is_imported).collect::<Vec<bool>>()
    };
    // A file may say that it was imported before: that makes nothing more trustworthy.
    import(&mut world);
    world.draw();
    world.settle(&mut lots);
    assert_eq!((world.contest.imported(), imported(&world)), (Some(1), vec![false]));
    let before = world.log.len();
    import(&mut world);
    assert_eq!((world.contest.imported(), imported(&world)), (Some(before), vec![true]));
    world.draw();
    assert_eq!((world.contest.imported(), imported(&world)), (Some(before), vec![true, false]));
    let draws = world.contest.draws();
    let marked: Vec<bool> = draws.lines().map(|line| line.ends_with(" imported=yes")).collect();
    assert_eq!(marked, [true, false]);
    let now = world.log.len();
    import(&mut world);
    assert_eq!((world.contest.imported(), imported(&world)), (Some(now), vec![true, true]));
    world.replay("contest");
}

#[test]
fn a_voided_draw_stays_imported() {
    let mut world = World::new("contest", 8);
    world.draw();
    let rule = |world: &mut World, letters: &str, scores: &[i32]| {
        let table = table(1, letters);
        world.organise(ContestChange::Rule { table, outcome: outcome(scores) });
    };
    rule(&mut world, "A", &[21, 20, 3, -4]);
    rule(&mut world, "B", &[21, 20, 3, -4]);
    world.draw();
    import(&mut world);
    world.organise(ContestChange::Reopen { phase: 0 });
    rule(&mut world, "A", &[20, 3, 21, -4]);
    world.organise(ContestChange::Close { phase: 0 });
    assert!(world.contest.voided()[0].is_imported());
    world.draw();
    assert!(!world.contest.phases()[1].is_imported());
}

/// The secret of a commitment is not in the file, so that the server cannot draw with it.
#[test]
fn a_commitment_is_void_after_an_import_and_another_one_replaces_it() {
    let mut world = World::new("contest", 8);
    let settings = settings("contest");
    let secret = Secret::from_phrase("of the file");
    let commitment = urn::commitment(&settings, 0, &secret);
    world.organise(ContestChange::Commit(commitment));
    import(&mut world);
    assert_eq!(world.contest.commitment(), None);
    let draw = ContestChange::Draw { secret, words: Vec::new() };
    world.refuse(Role::Organiser, draw, ContestRefusal::NoCommitment);
    world.draw();
    assert!(!world.contest.phases()[0].is_imported());
}

#[test]
fn a_server_opens_tables_of_its_own_after_an_import() {
    let mut world = online();
    assert_eq!(world.contest.to_open().count(), 0);
    import(&mut world);
    let a = table(1, "A");
    assert_eq!(world.contest.table(a).unwrap().server_table(), None);
    assert_eq!(world.contest.to_open().map(contest::ContestTable::id).collect::<Vec<_>>(), [a]);
    let word = "0000000001".parse().unwrap();
    world.act(Role::Server, ContestChange::Open { table: a, server_table: word });
    assert_eq!(world.contest.table(a).unwrap().server_table(), Some(&word));
}

#[test]
fn imported_reports_are_marked_until_they_are_reported_again() {
    let mut world = online();
    let a = table(1, "A");
    let report = ContestChange::Report { table: a, outcome: outcome(&[21, 5, 7, 0]) };
    let rule = ContestChange::Rule { table: a, outcome: outcome(&[21, 5, 7, 0]) };
    let first = Role::Player(world.contest.table(a).unwrap().entrants()[0]);
    world.act(Role::Server, report.clone());
    world.act(first, report.clone());
    world.organise(rule.clone());
    import(&mut world);
    let marks = |world: &World| {
        let table = world.contest.table(a).unwrap();
        let reports = table.reports().iter().map(|report| report.imported);
        (reports.collect::<Vec<_>>(), table.ruling().unwrap().imported)
    };
    assert_eq!(marks(&world), (vec![true, true], true));
    // The same result changes something: so far only the file says it.
    world.organise(rule.clone());
    assert_eq!(marks(&world), (vec![true, true], false));
    assert_eq!(
        world.contest.decide(0, Role::Organiser, rule),
        Err(ContestRefusal::Unchanged),
        "now it is"
    );
    let result = MatchOutcome::played(outcome(&[21, 5, 7, 0]).scores);
    assert_eq!(world.contest.table(a).unwrap().outcome(), Some(result));
    // A ruling stands: nothing more is reported.
    world.refuse(first, report, ContestRefusal::Ruled);
}

#[test]
fn a_log_without_an_import_leads_to_the_contest_that_it_always_did() {
    let world = online();
    world.replay_settings(world.contest.settings().clone());
    assert_eq!(world.contest.imported(), None);
    assert!(!world.contest.draws().contains("imported"));
}
