//! Whole contests in a hall, with ties, penalties, corrections and withdrawals.

use cards::Side;
use contest::standings::EntrantState;
use contest::{ContestChange, ContestRefusal, ContestStage, Role, TableStatus};
use game::cruce::Penalty;

use crate::world::{World, entrant, outcome, scores, table};

fn settle(world: &mut World, phase: usize, letters: &str, of: &[i32]) {
    let table = table(phase, letters);
    world.act(Role::Referee(table), ContestChange::Rule { table, outcome: outcome(of) });
}

fn seat(world: &World, phase: usize, letters: &str, place: usize) -> contest::EntrantId {
    world.contest.table(table(phase, letters)).unwrap().entrants()[place - 1]
}

/// Sixteen players, with a penalty, a tie, a conflict and a correction.
#[test]
fn sixteen_players_play_for_four_places() {
    let mut world = World::new("contest", 16);
    assert_eq!(world.contest.stage(), ContestStage::Entering);
    world.draw();
    settle(&mut world, 1, "A", &[21, 20, 3, -4]);
    settle(&mut world, 1, "B", &[2, 18, 21, 17]);
    // A penalty of three lets the third of table B go on instead of the second.
    let b = table(1, "B");
    let place = Side::new(1).unwrap();
    world.act(
        Role::Referee(b),
        ContestChange::Penalise { table: b, place, penalty: Penalty::Revoke },
    );
    assert_eq!(
        world.contest.table(b).unwrap().advancing(),
        [seat(&world, 1, "B", 3), seat(&world, 1, "B", 4)]
    );
    world.act(Role::Organiser, ContestChange::Pardon { table: b, penalty: 0 });
    assert_eq!(world.contest.table(b).unwrap().advancing()[1], seat(&world, 1, "B", 2));
    // A tie for second place is played off until it is broken (T4).
    settle(&mut world, 1, "C", &[15, 15, 21, 15]);
    let c = table(1, "C");
    assert_eq!(world.contest.table(c).unwrap().status(), TableStatus::Tied);
    assert_eq!(world.contest.table(c).unwrap().tied().len(), 3);
    assert_eq!(world.contest.next_entrants(), Err(ContestRefusal::NotSettled { table: 2 }));
    world
        .act(Role::Referee(c), ContestChange::PlayOff { table: c, scores: scores(&[2, 2, 0, -1]) });
    assert_eq!(
        world.contest.table(c).unwrap().tied(),
        [seat(&world, 1, "C", 1), seat(&world, 1, "C", 2)]
    );
    world.act(Role::Referee(c), ContestChange::PlayOff { table: c, scores: scores(&[0, 1, 9, 9]) });
    // The first stays first, whatever their play-off score; those out of the tie stay out.
    assert_eq!(
        world.contest.table(c).unwrap().advancing(),
        [seat(&world, 1, "C", 3), seat(&world, 1, "C", 2)]
    );
    let more = ContestChange::PlayOff { table: c, scores: scores(&[0, 1, 9, 9]) };
    world.refuse(Role::Referee(c), more, ContestRefusal::NoTie);
    settle(&mut world, 1, "D", &[21, 2, 1, 0]);
    assert_eq!(world.contest.stage(), ContestStage::Played { phase: 0 });
    world.draw();
    // The first phase is closed now.
    let late = ContestChange::Rule { table: c, outcome: outcome(&[21, 20, 3, -4]) };
    world.refuse(Role::Organiser, late, ContestRefusal::PhaseClosed { phase: 0 });
    settle(&mut world, 2, "A", &[21, 20, 3, -4]);
    settle(&mut world, 2, "B", &[21, 20, 3, -4]);
    world.draw();
    let one_more = contest::Party::Alone("Late".parse().unwrap());
    world.refuse(Role::Organiser, ContestChange::Enter(vec![one_more]), ContestRefusal::FinalDrawn);
    // In the final every tie is played off.
    settle(&mut world, 3, "A", &[3, 21, 8, 3]);
    let a = table(3, "A");
    assert_eq!(world.contest.table(a).unwrap().status(), TableStatus::Tied);
    world.act(Role::Organiser, ContestChange::PlayOff { table: a, scores: scores(&[0, 0, 0, 1]) });
    assert_eq!(world.contest.stage(), ContestStage::Over);
    let standings = world.contest.standings();
    let order: Vec<_> = standings[..4].iter().map(|standing| standing.entrant).collect();
    assert_eq!(order, [2, 3, 4, 1].map(|place| seat(&world, 3, "A", place)));
    let shared = |standing: &contest::standings::Standing| standing.places.unwrap();
    assert!(standings[4..8].iter().all(|standing| shared(standing) == (5, 8)));
    assert!(standings[8..].iter().all(|standing| shared(standing) == (9, 16)));
    assert_eq!(world.contest.next_entrants(), Err(ContestRefusal::Over));
    world.replay("contest");
}

#[test]
fn a_correction_after_the_draw_needs_a_reopened_phase() {
    let mut world = World::new("contest", 8);
    world.draw();
    settle(&mut world, 1, "A", &[21, 20, 3, -4]);
    settle(&mut world, 1, "B", &[21, 20, 3, -4]);
    world.refuse(
        Role::Organiser,
        ContestChange::Reopen { phase: 0 },
        ContestRefusal::PhaseOpen { phase: 0 },
    );
    world.draw();
    settle(&mut world, 2, "A", &[21, 0, 3, 7]);
    world.refuse(
        Role::Organiser,
        ContestChange::Close { phase: 0 },
        ContestRefusal::NotReopened { phase: 0 },
    );
    // The order changes but not who goes on: the final stays valid.
    world.organise(ContestChange::Reopen { phase: 0 });
    assert!(world.contest.phases()[0].is_reopened());
    world.refuse(
        Role::Organiser,
        ContestChange::Reopen { phase: 0 },
        ContestRefusal::PhaseOpen { phase: 0 },
    );
    settle(&mut world, 1, "A", &[20, 21, 3, -4]);
    world.organise(ContestChange::Close { phase: 0 });
    assert_eq!((world.contest.phases().len(), world.contest.stage()), (2, ContestStage::Over));
    assert!(!world.contest.phases()[0].is_reopened());
    assert_eq!(world.contest.phases()[0].reopenings().len(), 1);
    // Another player goes on: the final is void, visibly, and drawn again.
    world.organise(ContestChange::Reopen { phase: 0 });
    settle(&mut world, 1, "A", &[20, 3, 21, -4]);
    world.organise(ContestChange::Close { phase: 0 });
    assert_eq!((world.contest.phases().len(), world.contest.voided().len()), (1, 1));
    assert_eq!(world.contest.stage(), ContestStage::Played { phase: 0 });
    let in_final = seat(&world, 1, "A", 3);
    assert_eq!(world.contest.standing(in_final).unwrap().state, EntrantState::Advances);
    world.draw();
    assert!(world.contest.seat_of(in_final).unwrap().0.is_final());
    world.replay("contest");
}

#[test]
fn a_withdrawn_entrant_is_replaced_by_the_next_of_their_table() {
    let mut world = World::new("contest", 8);
    world.draw();
    settle(&mut world, 1, "A", &[21, 20, 3, 3]);
    settle(&mut world, 1, "B", &[21, 20, 3, -4]);
    let [first, third, fourth] = [1, 3, 4].map(|place| seat(&world, 1, "A", place));
    world.organise(ContestChange::Withdraw { entrant: first });
    world.refuse(
        Role::Organiser,
        ContestChange::Withdraw { entrant: first },
        ContestRefusal::HasWithdrawn,
    );
    // The two behind are level, and now their tie matters.
    let a = table(1, "A");
    assert_eq!(world.contest.table(a).unwrap().tied(), [third, fourth]);
    world.act(Role::Referee(a), ContestChange::PlayOff { table: a, scores: scores(&[0, 0, 1, 2]) });
    assert!(world.contest.next_entrants().unwrap().contains(&fourth));
    world.organise(ContestChange::Return { entrant: first });
    assert!(world.contest.next_entrants().unwrap().contains(&first));
    world.organise(ContestChange::Withdraw { entrant: first });
    world.draw();
    world.refuse(
        Role::Organiser,
        ContestChange::Return { entrant: first },
        ContestRefusal::CannotReturn,
    );
    // In the final, a withdrawn entrant gets the last place.
    let leader = seat(&world, 2, "A", 1);
    world.organise(ContestChange::Withdraw { entrant: leader });
    settle(&mut world, 2, "A", &[21, 0, 3, 7]);
    let ranking = world.contest.table(table(2, "A")).unwrap().ranking();
    assert_eq!(ranking.last().map(|ranked| (ranked.entrant, ranked.rank)), Some((leader, 4)));
    assert_eq!(world.contest.stage(), ContestStage::Over);
}

#[test]
fn five_players_have_byes_and_a_late_entrant_joins() {
    let mut world = World::new("contest", 5);
    world.draw();
    let phase = &world.contest.phases()[0];
    let byes = phase.byes().to_vec();
    assert_eq!((phase.tables()[0].entrants().len(), byes.len()), (3, 2));
    assert_eq!(world.contest.standing(byes[0]).unwrap().state, EntrantState::Bye);
    settle(&mut world, 1, "A", &[21, 4, 5]);
    assert_eq!(world.contest.next_entrants().unwrap().len(), 4);
    // After a bye withdraws three remain, so the third of the table goes on too.
    world.organise(ContestChange::Withdraw { entrant: byes[0] });
    let next = world.contest.next_entrants().unwrap();
    assert!(next.len() == 4 && next.contains(&seat(&world, 1, "A", 2)));
    // A late entrant takes that place.
    world.organise(ContestChange::Enter(vec![contest::Party::Alone("Late".parse().unwrap())]));
    let next = world.contest.next_entrants().unwrap();
    assert!(
        next.len() == 4 && next.contains(&entrant(6)) && !next.contains(&seat(&world, 1, "A", 2))
    );
    world.draw();
    assert!(world.contest.phases()[1].is_final());
    world.replay("contest");
}
