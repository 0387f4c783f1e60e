//! A change that changes nothing is not written, and older logs with such entries are still read.

use cards::{BySide, Seat, Side};
use contest::sheet::{SheetChange, SheetRefusal};
use contest::{
    Contest, ContestChange, ContestEntry, ContestRefusal, ContestSettings, ContestTableId, Party,
    Role, Venue, urn,
};
use game::Rules;
use game::cruce::{Contract, Penalty};
use game::fair::Secret;

use crate::world::{World, entrant, outcome, scores, settings, table};

/// What happens to a change that was made and is made again.
enum Repeated {
    /// Nothing would change.
    Unchanged(ContestRefusal),
    /// It is forbidden now.
    Refused(ContestRefusal),
    /// It is something new.
    New,
}

const UNCHANGED: Repeated = Repeated::Unchanged(ContestRefusal::Unchanged);

/// The number of a kind of change. The compiler asks for a new kind here, and the test for its case.
const fn kind(change: &ContestChange) -> usize {
    match change {
        ContestChange::Settings(_) => 0,
        ContestChange::Enter(_) => 1,
        ContestChange::Rename { .. } => 2,
        ContestChange::Withdraw { .. } => 3,
        ContestChange::Return { .. } => 4,
        ContestChange::Commit(_) => 5,
        ContestChange::Draw { .. } => 6,
        ContestChange::Open { .. } => 7,
        ContestChange::WriteSheet { .. } => 8,
        ContestChange::Report { .. } => 9,
        ContestChange::Rule { .. } => 10,
        ContestChange::Penalise { .. } => 11,
        ContestChange::Pardon { .. } => 12,
        ContestChange::PlayOff { .. } => 13,
        ContestChange::Reopen { .. } => 14,
        ContestChange::Close { .. } => 15,
        ContestChange::Import => 16,
    }
}

const KINDS: usize = 17;

/// Who makes a change, the change, and what happens to it afterwards.
type Case = (Role, ContestChange, Repeated);

const A: ContestTableId = ContestTableId { phase: 0, table: 0 };

fn entering() -> World {
    World::new("contest", 8)
}

fn drawn() -> World {
    let mut world = entering();
    world.draw();
    world
}

fn online() -> World {
    let rules = Rules::from_code("contest").unwrap();
    let settings =
        ContestSettings::new("T".parse().unwrap(), "t".parse().unwrap(), rules, Venue::Online);
    let mut world = World { contest: Contest::new(settings.unwrap()), log: Vec::new() };
    let party = |number| Party::Alone(format!("P{number}").parse().unwrap());
    world.organise(ContestChange::Enter((1..=8).map(party).collect()));
    world.draw();
    world
}

/// Two phases are drawn, and the first one is open again.
fn reopened() -> World {
    let mut world = drawn();
    for letters in ["A", "B"] {
        let table = table(1, letters);
        world.organise(ContestChange::Rule { table, outcome: outcome(&[21, 20, 3, -4]) });
    }
    world.draw();
    world
}

/// The changes of the entrants and of the urn.
fn cases_of_the_organiser() -> Vec<(World, Case)> {
    let by = Role::Organiser;
    let ana = || Party::Alone("Ana".parse().unwrap());
    let secret = Secret::from_phrase("again");
    let commit = ContestChange::Commit(urn::commitment(&settings("contest"), 0, &secret));
    let mut withdrawn = entering();
    withdrawn.organise(ContestChange::Withdraw { entrant: entrant(2) });
    let mut committed = entering();
    committed.organise(commit.clone());
    let mut open_again = reopened();
    open_again.organise(ContestChange::Reopen { phase: 0 });
    let not_settled = ContestRefusal::NotSettled { table: 0 };
    vec![
        (entering(), (by, ContestChange::Settings(settings("whist")), UNCHANGED)),
        // Namesakes are entrants of their own.
        (entering(), (by, ContestChange::Enter(vec![ana()]), Repeated::New)),
        (entering(), (by, ContestChange::Rename { entrant: entrant(2), party: ana() }, UNCHANGED)),
        (
            entering(),
            (
                by,
                ContestChange::Withdraw { entrant: entrant(2) },
                Repeated::Refused(ContestRefusal::HasWithdrawn),
            ),
        ),
        (
            withdrawn,
            (
                by,
                ContestChange::Return { entrant: entrant(2) },
                Repeated::Refused(ContestRefusal::CannotReturn),
            ),
        ),
        (entering(), (by, commit, UNCHANGED)),
        (
            committed,
            (by, ContestChange::Draw { secret, words: Vec::new() }, Repeated::Refused(not_settled)),
        ),
        (
            reopened(),
            (
                by,
                ContestChange::Reopen { phase: 0 },
                Repeated::Refused(ContestRefusal::PhaseOpen { phase: 0 }),
            ),
        ),
        (
            open_again,
            (
                by,
                ContestChange::Close { phase: 0 },
                Repeated::Refused(ContestRefusal::NotReopened { phase: 0 }),
            ),
        ),
        // A file is taken over as often as it is brought.
        (entering(), (Role::Server, ContestChange::Import, Repeated::New)),
    ]
}

/// The changes of a table.
fn cases_of_a_table() -> Vec<(World, Case)> {
    let referee = Role::Referee(A);
    let report = || ContestChange::Report { table: A, outcome: outcome(&[21, 5, 7, 0]) };
    let rule = ContestChange::Rule { table: A, outcome: outcome(&[21, 5, 7, 0]) };
    let penalise =
        ContestChange::Penalise { table: A, place: Side::default(), penalty: Penalty::Revoke };
    let contract = Contract { declarer: Seat::default(), bid: 1 };
    let keep = ContestChange::WriteSheet { table: A, change: SheetChange::Declare(contract) };
    let unchanged_sheet = || Repeated::Unchanged(ContestRefusal::Sheet(SheetRefusal::Unchanged));
    let open = ContestChange::Open { table: A, server_table: "7rk2m0q9xw".parse().unwrap() };
    let mut penalised = drawn();
    penalised.organise(penalise.clone());
    penalised.organise(penalise.clone());
    let mut tied = drawn();
    tied.organise(ContestChange::Rule { table: A, outcome: outcome(&[15, 15, 21, 15]) });
    let play_off = ContestChange::PlayOff { table: A, scores: scores(&[1, 1, 0, 1]) };
    let player = drawn();
    let first = Role::Player(player.contest.table(A).unwrap().entrants()[0]);
    let no_sheet = drawn();
    let name = no_sheet.contest.seats(no_sheet.contest.table(A).unwrap())[0].clone();
    let rename = |name| ContestChange::WriteSheet {
        table: A,
        change: SheetChange::Rename { seat: Seat::default(), name },
    };
    assert_eq!(
        no_sheet.contest.decide(0, referee, rename(name)),
        Err(ContestRefusal::Sheet(SheetRefusal::Unchanged)),
        "a name alone begins no sheet"
    );
    vec![
        (online(), (Role::Server, open, Repeated::Refused(ContestRefusal::AlreadyOpened))),
        (drawn(), (referee, keep, unchanged_sheet())),
        (no_sheet, (referee, rename("Zoe".parse().unwrap()), unchanged_sheet())),
        (player, (first, report(), UNCHANGED)),
        (drawn(), (referee, report(), UNCHANGED)),
        (online(), (Role::Server, report(), UNCHANGED)),
        (drawn(), (referee, rule, UNCHANGED)),
        // A player may be penalised twice for the same, and two penalties are lifted one by one.
        (drawn(), (referee, penalise, Repeated::New)),
        (penalised, (referee, ContestChange::Pardon { table: A, penalty: 0 }, Repeated::New)),
        // Further deals may end as those before.
        (tied, (referee, play_off, Repeated::New)),
    ]
}

#[test]
fn what_is_so_already_is_not_written_again() {
    let mut seen = [false; KINDS];
    for (mut world, (by, change, repeated)) in
        cases_of_the_organiser().into_iter().chain(cases_of_a_table())
    {
        seen[kind(&change)] = true;
        world.act(by, change.clone());
        match repeated {
            Repeated::Unchanged(refusal) => {
                assert!(refusal.is_unchanged());
                let before = world.contest.clone();
                assert_eq!(world.contest.decide(0, by, change.clone()), Err(refusal));
                assert_eq!(world.contest, before);
                // Older logs have such entries.
                let entry = ContestEntry { at: 0, by, change };
                world.contest.apply(&entry).unwrap_or_else(|why| panic!("{entry:?}: {why}"));
            }
            Repeated::Refused(refusal) => world.refuse(by, change, refusal),
            Repeated::New => {
                let before = world.contest.clone();
                world.act(by, change);
                assert_ne!(world.contest, before);
            }
        }
    }
    assert_eq!(seen, [true; KINDS], "a kind of change has no case");
}

#[test]
fn what_differs_a_little_is_written() {
    let mut world = drawn();
    let referee = Role::Referee(A);
    let report = |of: &[i32]| ContestChange::Report { table: A, outcome: outcome(of) };
    let rule = |of: &[i32]| ContestChange::Rule { table: A, outcome: outcome(of) };
    let first = Role::Player(world.contest.table(A).unwrap().entrants()[0]);
    world.act(first, report(&[21, 5, 7, 0]));
    world.act(referee, report(&[21, 5, 7, 0]));
    world.act(first, report(&[21, 5, 6, 0]));
    world.act(first, report(&[21, 5, 7, 0]));
    // The organiser confirms what the referee has decided.
    world.act(referee, rule(&[15, 15, 21, 15]));
    world.organise(rule(&[15, 15, 21, 15]));
    // A ruling voids the play-offs, so that the same one changes something after them.
    let scores = BySide::from_slice(&[1, 0, 0, 0]).unwrap();
    world.act(referee, ContestChange::PlayOff { table: A, scores });
    world.organise(rule(&[15, 15, 21, 15]));
    assert!(world.contest.table(A).unwrap().play_offs().is_empty());
    world.replay("contest");
}

/// The commitment depends on the settings, but those that do not change leave it as it is.
#[test]
fn settings_that_are_saved_unchanged_leave_the_commitment() {
    let mut world = entering();
    let settings = settings("contest");
    let commitment = urn::commitment(&settings, 0, &Secret::from_phrase("kept"));
    world.organise(ContestChange::Commit(commitment));
    let again = ContestChange::Settings(settings);
    assert_eq!(world.contest.decide(0, Role::Organiser, again), Err(ContestRefusal::Unchanged));
    assert_eq!(world.contest.commitment(), Some(&commitment));
}
