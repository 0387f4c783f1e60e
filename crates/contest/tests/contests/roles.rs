//! Who may do what, and what is refused.

use cards::Side;
use contest::sheet::{self, Line};
use contest::{
    Change, Contest, NotAnOutcome, Outcome, Party, Refusal, Role, Settings, Status, Venue,
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
    for by in [Role::Public, Role::House, player, Role::Referee(table(1, "A"))] {
        for change in [
            Change::Admit(vec![party.clone()]),
            Change::Settings(settings("contest")),
            Change::Rename { entrant: entrant(1), party: party.clone() },
            Change::Withdraw { entrant: entrant(1) },
            Change::Return { entrant: entrant(1) },
            Change::Commit(contest::urn::commitment(&settings("contest"), 1, &Secret([0; 32]))),
            Change::Draw { secret: Secret([0; 32]), words: Vec::new() },
            Change::Reopen { phase: 0 },
            Change::Close { phase: 0 },
        ] {
            world.refuse(by, change, Refusal::NotYours);
        }
    }
}

#[test]
fn players_and_referees_tell_of_their_own_table() {
    let mut world = drawn(8);
    let (a, b) = (table(1, "A"), table(1, "B"));
    let at_a = Role::Player(world.contest.table(a).unwrap().entrants()[0]);
    let report = |table| Change::Report { table, outcome: outcome(&[21, 5, 7, 0]) };
    world.refuse(Role::Public, report(a), Refusal::NotYours);
    world.refuse(at_a, report(b), Refusal::NotYours);
    world.refuse(Role::Referee(b), report(a), Refusal::NotYours);
    let ruling = Change::Rule { table: a, outcome: outcome(&[21, 5, 7, 0]) };
    world.refuse(at_a, ruling.clone(), Refusal::ForReferee);
    world.refuse(Role::Referee(b), ruling, Refusal::ForReferee);
    let broken = Change::Report { table: a, outcome: Outcome::broken_off(scores(&[9, 5, 7, 0])) };
    world.refuse(at_a, broken.clone(), Refusal::ForReferee);
    world.act(at_a, report(a));
    world.act(
        Role::Referee(b),
        Change::Report { table: b, outcome: Outcome::broken_off(scores(&[9, 5, 7, 0])) },
    );
    let penalty = Change::Penalise { table: a, place: Side::default(), penalty: Penalty::Revoke };
    world.refuse(at_a, penalty, Refusal::ForReferee);
}

#[test]
fn what_differs_stands_side_by_side_until_it_is_decided() {
    let mut world = drawn(8);
    let a = table(1, "A");
    let seats = world.contest.table(a).unwrap().entrants().to_vec();
    let report = |of: &[i32]| Change::Report { table: a, outcome: outcome(of) };
    let status = |world: &World| world.contest.table(a).unwrap().status();
    world.act(Role::Player(seats[0]), report(&[21, 5, 7, 0]));
    world.act(Role::Player(seats[1]), report(&[21, 5, 7, 0]));
    assert_eq!(status(&world), Status::Settled);
    world.act(Role::Player(seats[2]), report(&[21, 5, 4, 0]));
    assert_eq!(
        (status(&world), world.contest.table(a).unwrap().outcome()),
        (Status::Disputed, None)
    );
    // He changes his mind, and they agree again; two referees do not.
    world.act(Role::Player(seats[2]), report(&[21, 5, 7, 0]));
    assert_eq!(
        (status(&world), world.contest.table(a).unwrap().reports().len()),
        (Status::Settled, 3)
    );
    world.act(Role::Referee(a), report(&[21, 5, 7, 0]));
    world.act(Role::Referee(a), report(&[21, 5, 6, 0]));
    assert_eq!(
        (status(&world), world.contest.table(a).unwrap().reports().len()),
        (Status::Disputed, 5)
    );
    world.act(Role::Referee(a), Change::Rule { table: a, outcome: outcome(&[21, 5, 6, 0]) });
    assert_eq!(status(&world), Status::Settled);
    world.refuse(Role::Player(seats[0]), report(&[21, 5, 7, 0]), Refusal::Ruled);
    assert_eq!(world.contest.table(a).unwrap().reports().len(), 5);
}

#[test]
fn impossible_results_are_refused_with_the_reason() {
    let mut world = drawn(7);
    let mut refuse = |letters, of: &[i32], refusal: NotAnOutcome| {
        let change = Change::Report { table: table(1, letters), outcome: outcome(of) };
        world.refuse(Role::Organiser, change, refusal.into());
    };
    refuse("A", &[20, 1, 1, 1], NotAnOutcome::NobodyWon { target: 21, margin: 1 });
    refuse("A", &[21, 21, 1, 1], NotAnOutcome::NobodyWon { target: 21, margin: 1 });
    refuse("A", &[21, 1, 1], NotAnOutcome::OtherSides { sides: 4 });
    refuse("B", &[21, 1, 1, 1], NotAnOutcome::OtherSides { sides: 3 });
    refuse(
        "A",
        &[21, -1000, 1, 1],
        NotAnOutcome::OutOfReach { score: -1000, least: -999, most: 999 },
    );
    let nowhere = Change::Report { table: table(1, "C"), outcome: outcome(&[21, 1, 1]) };
    world.refuse(Role::Organiser, nowhere, Refusal::NoSuchTable);
    let never = Change::Report { table: table(2, "A"), outcome: outcome(&[21, 1, 1]) };
    world.refuse(Role::Organiser, never, Refusal::NoSuchPhase);
}

#[test]
fn contests_of_other_tables_and_parties_are_refused() {
    let make = |code: &str| {
        let rules = Rules::from_code(code).unwrap();
        Settings::new("T".parse().unwrap(), "t".parse().unwrap(), rules, Venue::Hall).map(drop)
    };
    assert_eq!(make("whist5"), Err(Refusal::NotForFour { players: 5 }));
    assert_eq!(make("cruce3"), Err(Refusal::NotForFour { players: 3 }));
    let long: Word = "x".repeat(61).parse().unwrap();
    let rules = Rules::from_code("contest").unwrap();
    let long = Settings::new("T".parse().unwrap(), long, rules, Venue::Hall);
    assert_eq!(long, Err(Refusal::WordTooLong { most: 60 }));
    let one = || Party::Alone("Ana".parse().unwrap());
    let two = Party::Pair("Ana".parse().unwrap(), "Dan".parse().unwrap());
    let mut alone = World::new("contest", 4);
    alone.refuse(Role::Organiser, Change::Admit(vec![one(), two]), Refusal::NoPairs);
    alone.refuse(Role::Organiser, Change::Settings(settings("contest4t")), Refusal::PairsOnly);
    alone.refuse(Role::Organiser, Change::Admit(Vec::new()), Refusal::TooFew { least: 1 });
    alone.refuse(
        Role::Organiser,
        Change::Admit(vec![one(); 1021]),
        Refusal::TooMany { most: 1024 },
    );
    alone.organise(Change::Settings(settings("whist")));
    let mut pairs = World::new("contest4t", 2);
    pairs.refuse(Role::Organiser, Change::Admit(vec![one()]), Refusal::PairsOnly);
    let three = World::new("contest", 3);
    assert_eq!(three.contest.next_entrants(), Err(Refusal::TooFew { least: 4 }));
}

#[test]
fn those_of_one_name_are_told_apart() {
    let mut world = World::new("contest", 1);
    let party = |name: &str| Party::Alone(name.parse().unwrap());
    world.organise(Change::Admit(vec![party("Ion Pop"), party("Ana"), party("ION POP")]));
    let names: Vec<String> = (1..=4).map(|number| world.contest.name(entrant(number))).collect();
    assert_eq!(names, ["P1", "Ion Pop (1)", "Ana", "ION POP (2)"]);
    world.organise(Change::Rename { entrant: entrant(2), party: party("Ion Popa") });
    assert_eq!(world.contest.name(entrant(4)), "ION POP");
}

#[test]
fn penalties_on_a_sheet_are_for_the_referee() {
    let mut world = drawn(8);
    let a = table(1, "A");
    let player = Role::Player(world.contest.table(a).unwrap().entrants()[3]);
    let keep = |change| Change::Keep { table: a, change };
    let seat = cards::Seat::default();
    world.refuse(player, keep(sheet::Change::Write(Line::Misdeal)), Refusal::ForReferee);
    world.act(Role::Referee(a), keep(sheet::Change::Write(Line::Revoke { seat })));
    let played = Line::Cruce {
        contract: Contract { declarer: seat, bid: 1 },
        cards: cards::BySide::from_slice(&[60, 60, 0, 0]).unwrap(),
        calls: cards::BySide::from_slice(&[0, 0, 0, 0]).unwrap(),
    };
    world.refuse(player, keep(sheet::Change::Undo), Refusal::ForReferee);
    let edit = sheet::Change::Edit { line: 0, to: played };
    world.refuse(player, keep(edit.clone()), Refusal::ForReferee);
    world.refuse(Role::House, keep(sheet::Change::Undo), Refusal::NotYours);
    world.act(Role::Organiser, keep(edit));
    // To undo that would bring the penalty back.
    world.refuse(player, keep(sheet::Change::Undo), Refusal::ForReferee);
    world.act(player, keep(sheet::Change::Write(played)));
    let table = world.contest.table(a).unwrap();
    assert_eq!(table.status(), Status::Playing);
    assert_eq!(table.scores().unwrap().as_slice(), [2, 2, 0, 0]);
}

#[test]
fn whist_knows_no_penalties() {
    let mut world = World::new("whist", 4);
    world.draw();
    let penalty = Change::Penalise {
        table: table(1, "A"),
        place: Side::default(),
        penalty: Penalty::Misdeal,
    };
    world.refuse(Role::Organiser, penalty, Refusal::NoPenalties);
}

#[test]
fn a_server_is_told_which_tables_to_open() {
    let rules = Rules::from_code("contest").unwrap();
    let online = Settings::new("T".parse().unwrap(), "t".parse().unwrap(), rules, Venue::Online);
    let mut world = World { contest: Contest::new(online.unwrap()), log: Vec::new() };
    let party = || Party::Alone("Ana".parse().unwrap());
    world.organise(Change::Admit((0..9).map(|_| party()).collect()));
    assert_eq!(world.contest.to_open().count(), 0);
    world.draw();
    let codes: Vec<String> = world.contest.to_open().map(|table| table.rules().code()).collect();
    assert_eq!(codes, ["cruce3-21-m1-b4-on3-nobeat-noothers"; 3]);
    let open = Change::Open { table: table(1, "B"), word: "7rk2m0q9xw".parse().unwrap() };
    world.refuse(Role::Organiser, open.clone(), Refusal::NotYours);
    world.act(Role::House, open.clone());
    world.refuse(Role::House, open, Refusal::AlreadyOpened);
    assert_eq!(world.contest.to_open().count(), 2);
    let report = Change::Report { table: table(1, "A"), outcome: outcome(&[21, 5, 7]) };
    world.act(Role::House, report);
    assert_eq!(world.contest.to_open().count(), 1);
    let mut hall = drawn(4);
    let open = Change::Open { table: table(1, "A"), word: "7rk2m0q9xw".parse().unwrap() };
    hall.refuse(Role::House, open, Refusal::NotOnline);
}
