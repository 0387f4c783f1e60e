//! Who may do what, and what is refused.

use cards::Side;
use contest::sheet::{self, SheetLine};
use contest::{
    Contest, ContestChange, ContestRefusal, ContestSettings, InvalidOutcome, MatchOutcome, Party,
    Role, TableStatus, Venue,
};
use game::Rules;
use game::cruce::{Contract, Penalty};
use game::fair::{Secret, Word};

use crate::world::{World, entrant, outcome, scores, settings, table};

fn drawn(entrants: usize) -> World {
    let mut world = World::new("contest", entrants);
    world.draw();
    world
}

#[test]
fn only_the_organiser_organises() {
    let mut world = drawn(8);
    let player = Role::Player(entrant(1));
    let party = Party::Alone("Zoe".parse().unwrap());
    for by in [Role::Public, Role::Server, player, Role::Referee(table(1, "A"))] {
        for change in [
            ContestChange::Enter(vec![party.clone()]),
            ContestChange::Settings(settings("contest")),
            ContestChange::Rename { entrant: entrant(1), party: party.clone() },
            ContestChange::Withdraw { entrant: entrant(1) },
            ContestChange::Return { entrant: entrant(1) },
            ContestChange::Commit(contest::urn::commitment(
                &settings("contest"),
                1,
                &Secret([0; 32]),
            )),
            ContestChange::Draw { secret: Secret([0; 32]), words: Vec::new() },
            ContestChange::Reopen { phase: 0 },
            ContestChange::Close { phase: 0 },
        ] {
            world.refuse(by, change, ContestRefusal::NotYours);
        }
    }
}

#[test]
fn players_and_referees_report_only_their_own_table() {
    let mut world = drawn(8);
    let (a, b) = (table(1, "A"), table(1, "B"));
    let at_a = Role::Player(world.contest.table(a).unwrap().entrants()[0]);
    let report = |table| ContestChange::Report { table, outcome: outcome(&[21, 5, 7, 0]) };
    world.refuse(Role::Public, report(a), ContestRefusal::NotYours);
    world.refuse(at_a, report(b), ContestRefusal::NotYours);
    world.refuse(Role::Referee(b), report(a), ContestRefusal::NotYours);
    let ruling = ContestChange::Rule { table: a, outcome: outcome(&[21, 5, 7, 0]) };
    world.refuse(at_a, ruling.clone(), ContestRefusal::ForReferee);
    world.refuse(Role::Referee(b), ruling, ContestRefusal::ForReferee);
    let broken = ContestChange::Report {
        table: a,
        outcome: MatchOutcome::broken_off(scores(&[9, 5, 7, 0])),
    };
    world.refuse(at_a, broken.clone(), ContestRefusal::ForReferee);
    world.act(at_a, report(a));
    world.act(
        Role::Referee(b),
        ContestChange::Report {
            table: b,
            outcome: MatchOutcome::broken_off(scores(&[9, 5, 7, 0])),
        },
    );
    let penalty =
        ContestChange::Penalise { table: a, place: Side::default(), penalty: Penalty::Revoke };
    world.refuse(at_a, penalty, ContestRefusal::ForReferee);
}

#[test]
fn differing_reports_are_kept_until_the_referee_decides() {
    let mut world = drawn(8);
    let a = table(1, "A");
    let seats = world.contest.table(a).unwrap().entrants().to_vec();
    let report = |of: &[i32]| ContestChange::Report { table: a, outcome: outcome(of) };
    let status = |world: &World| world.contest.table(a).unwrap().status();
    world.act(Role::Player(seats[0]), report(&[21, 5, 7, 0]));
    world.act(Role::Player(seats[1]), report(&[21, 5, 7, 0]));
    assert_eq!(status(&world), TableStatus::Settled);
    world.act(Role::Player(seats[2]), report(&[21, 5, 4, 0]));
    assert_eq!(
        (status(&world), world.contest.table(a).unwrap().outcome()),
        (TableStatus::Disputed, None)
    );
    // The player corrects the report, and all agree again; two referees do not.
    world.act(Role::Player(seats[2]), report(&[21, 5, 7, 0]));
    assert_eq!(
        (status(&world), world.contest.table(a).unwrap().reports().len()),
        (TableStatus::Settled, 3)
    );
    world.act(Role::Referee(a), report(&[21, 5, 7, 0]));
    world.act(Role::Referee(a), report(&[21, 5, 6, 0]));
    assert_eq!(
        (status(&world), world.contest.table(a).unwrap().reports().len()),
        (TableStatus::Disputed, 5)
    );
    world.act(Role::Referee(a), ContestChange::Rule { table: a, outcome: outcome(&[21, 5, 6, 0]) });
    assert_eq!(status(&world), TableStatus::Settled);
    world.refuse(Role::Player(seats[0]), report(&[21, 5, 7, 0]), ContestRefusal::Ruled);
    assert_eq!(world.contest.table(a).unwrap().reports().len(), 5);
}

#[test]
fn impossible_results_are_refused_with_the_reason() {
    let mut world = drawn(7);
    let mut refuse = |letters, of: &[i32], refusal: InvalidOutcome| {
        let change = ContestChange::Report { table: table(1, letters), outcome: outcome(of) };
        world.refuse(Role::Organiser, change, refusal.into());
    };
    refuse("A", &[20, 1, 1, 1], InvalidOutcome::NobodyWon { target: 21, margin: 1 });
    refuse("A", &[21, 21, 1, 1], InvalidOutcome::NobodyWon { target: 21, margin: 1 });
    refuse("A", &[21, 1, 1], InvalidOutcome::OtherSides { sides: 4 });
    refuse("B", &[21, 1, 1, 1], InvalidOutcome::OtherSides { sides: 3 });
    refuse(
        "A",
        &[21, -1000, 1, 1],
        InvalidOutcome::OutOfReach { score: -1000, least: -999, most: 999 },
    );
    let nowhere = ContestChange::Report { table: table(1, "C"), outcome: outcome(&[21, 1, 1]) };
    world.refuse(Role::Organiser, nowhere, ContestRefusal::NoSuchTable);
    let never = ContestChange::Report { table: table(2, "A"), outcome: outcome(&[21, 1, 1]) };
    world.refuse(Role::Organiser, never, ContestRefusal::NoSuchPhase);
}

#[test]
fn unsuitable_rules_and_parties_are_refused() {
    let make = |code: &str| {
        let rules = Rules::from_code(code).unwrap();
        ContestSettings::new("T".parse().unwrap(), "t".parse().unwrap(), rules, Venue::Hall)
            .map(drop)
    };
    assert_eq!(make("whist5"), Err(ContestRefusal::NotForFour { players: 5 }));
    assert_eq!(make("cruce3"), Err(ContestRefusal::NotForFour { players: 3 }));
    let long: Word = "x".repeat(61).parse().unwrap();
    let rules = Rules::from_code("contest").unwrap();
    let long = ContestSettings::new("T".parse().unwrap(), long, rules, Venue::Hall);
    assert_eq!(long, Err(ContestRefusal::WordTooLong { most: 60 }));
    let one = || Party::Alone("Ana".parse().unwrap());
    let two = Party::Pair("Ana".parse().unwrap(), "Dan".parse().unwrap());
    let mut alone = World::new("contest", 4);
    alone.refuse(Role::Organiser, ContestChange::Enter(vec![one(), two]), ContestRefusal::NoPairs);
    alone.refuse(
        Role::Organiser,
        ContestChange::Settings(settings("contest4t")),
        ContestRefusal::PairsOnly,
    );
    alone.refuse(
        Role::Organiser,
        ContestChange::Enter(Vec::new()),
        ContestRefusal::TooFew { least: 1 },
    );
    alone.refuse(
        Role::Organiser,
        ContestChange::Enter(vec![one(); 1021]),
        ContestRefusal::TooMany { most: 1024 },
    );
    alone.organise(ContestChange::Settings(settings("whist")));
    let mut pairs = World::new("contest4t", 2);
    pairs.refuse(Role::Organiser, ContestChange::Enter(vec![one()]), ContestRefusal::PairsOnly);
    let three = World::new("contest", 3);
    assert_eq!(three.contest.next_entrants(), Err(ContestRefusal::TooFew { least: 4 }));
}

#[test]
fn entrants_of_one_name_get_distinct_names() {
    let mut world = World::new("contest", 1);
    let party = |name: &str| Party::Alone(name.parse().unwrap());
    world.organise(ContestChange::Enter(vec![party("Ion Pop"), party("Ana"), party("ION POP")]));
    let names: Vec<String> = (1..=4).map(|number| world.contest.name(entrant(number))).collect();
    assert_eq!(names, ["P1", "Ion Pop (1)", "Ana", "ION POP (2)"]);
    world.organise(ContestChange::Rename { entrant: entrant(2), party: party("Ion Popa") });
    assert_eq!(world.contest.name(entrant(4)), "ION POP");
}

#[test]
fn penalties_on_a_sheet_are_for_the_referee() {
    let mut world = drawn(8);
    let a = table(1, "A");
    let player = Role::Player(world.contest.table(a).unwrap().entrants()[3]);
    let keep = |change| ContestChange::WriteSheet { table: a, change };
    let seat = cards::Seat::default();
    world.refuse(
        player,
        keep(sheet::SheetChange::Write(SheetLine::Misdeal)),
        ContestRefusal::ForReferee,
    );
    world.act(Role::Referee(a), keep(sheet::SheetChange::Write(SheetLine::Revoke { seat })));
    let played = SheetLine::Cruce {
        contract: Contract { declarer: seat, bid: 1 },
        cards: cards::BySide::from_slice(&[60, 60, 0, 0]).unwrap(),
        calls: cards::BySide::from_slice(&[0, 0, 0, 0]).unwrap(),
    };
    world.refuse(player, keep(sheet::SheetChange::Undo), ContestRefusal::ForReferee);
    let edit = sheet::SheetChange::Edit { line: 0, to: played };
    world.refuse(player, keep(edit.clone()), ContestRefusal::ForReferee);
    world.refuse(Role::Server, keep(sheet::SheetChange::Undo), ContestRefusal::NotYours);
    world.act(Role::Organiser, keep(edit));
    // Undoing that would restore the penalty.
    world.refuse(player, keep(sheet::SheetChange::Undo), ContestRefusal::ForReferee);
    world.act(player, keep(sheet::SheetChange::Write(played)));
    let table = world.contest.table(a).unwrap();
    assert_eq!(table.status(), TableStatus::Playing);
    assert_eq!(table.scores().unwrap().as_slice(), [2, 2, 0, 0]);
}

#[test]
fn whist_has_no_penalties() {
    let mut world = World::new("whist", 4);
    world.draw();
    let penalty = ContestChange::Penalise {
        table: table(1, "A"),
        place: Side::default(),
        penalty: Penalty::Misdeal,
    };
    world.refuse(Role::Organiser, penalty, ContestRefusal::NoPenalties);
}

#[test]
fn an_online_contest_lists_the_tables_to_open() {
    let rules = Rules::from_code("contest").unwrap();
    let online =
        ContestSettings::new("T".parse().unwrap(), "t".parse().unwrap(), rules, Venue::Online);
    let mut world = World { contest: Contest::new(online.unwrap()), log: Vec::new() };
    let party = || Party::Alone("Ana".parse().unwrap());
    world.organise(ContestChange::Enter((0..9).map(|_| party()).collect()));
    assert_eq!(world.contest.to_open().count(), 0);
    world.draw();
    let codes: Vec<String> = world.contest.to_open().map(|table| table.rules().code()).collect();
    assert_eq!(codes, ["cruce3-21-m1-b4-on3-nobeat-noothers"; 3]);
    let open =
        ContestChange::Open { table: table(1, "B"), server_table: "7rk2m0q9xw".parse().unwrap() };
    world.refuse(Role::Organiser, open.clone(), ContestRefusal::NotYours);
    world.act(Role::Server, open.clone());
    world.refuse(Role::Server, open, ContestRefusal::AlreadyOpened);
    assert_eq!(world.contest.to_open().count(), 2);
    let report = ContestChange::Report { table: table(1, "A"), outcome: outcome(&[21, 5, 7]) };
    world.act(Role::Server, report);
    assert_eq!(world.contest.to_open().count(), 1);
    let mut hall = drawn(4);
    let open =
        ContestChange::Open { table: table(1, "A"), server_table: "7rk2m0q9xw".parse().unwrap() };
    hall.refuse(Role::Server, open, ContestRefusal::NotOnline);
}
