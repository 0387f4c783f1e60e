//! Contests of every size, and contests with random changes.

use cards::{BySide, Seat, Side};
use contest::sheet::{self, SheetLine};
use contest::standings::EntrantState;
use contest::{ContestChange, ContestRefusal, ContestStage, ContestTableId, Party, Role};
use game::cruce::Penalty;
use game::deal::{RandomStream, Seed};
use game::fair::Secret;

use crate::world::{World, entrant, outcome};

fn lots(seed: u64) -> RandomStream {
    RandomStream::new(Seed([5; 32]), seed)
}

/// Plays a contest to its end and returns the number of entrants of each phase.
fn play(world: &mut World, lots: &mut RandomStream) -> Vec<usize> {
    while world.contest.stage() != ContestStage::Over {
        world.draw();
        world.settle(lots);
    }
    world.contest.phases().iter().map(|phase| phase.plan().entrants()).collect()
}

#[test]
fn every_number_of_players_leads_to_a_final_of_four() {
    let all = (4..=160).chain((161..1020).step_by(17)).chain(1020..=1024);
    for entrants in all {
        let mut world = World::new("contest", entrants);
        let mut lots = lots(entrants as u64);
        let phases = play(&mut world, &mut lots);
        assert_eq!(phases.last(), Some(&4), "{entrants}: {phases:?}");
        for pair in phases.windows(2) {
            // Two of every table, and two byes where there are five (T3, T4).
            let expected = if pair[0] == 5 { 4 } else { 2 * pair[0].div_ceil(4) };
            assert_eq!(pair[1], expected, "{entrants}: {phases:?}");
        }
        let standings = world.contest.standings();
        let places: Vec<_> = standings.iter().take(4).map(|standing| standing.places).collect();
        assert_eq!(places, [1, 2, 3, 4].map(|place| Some((place, place))), "{entrants}");
        assert!(standings[4..].iter().all(|standing| standing.state == EntrantState::Out));
        // Places are shared by exactly as many entrants as there are places.
        let mut next = 1;
        for shared in standings.chunk_by(|one, other| one.places == other.places) {
            assert_eq!(shared[0].places, Some((next, next + shared.len() - 1)), "{entrants}");
            next += shared.len();
        }
    }
}

#[test]
fn pairs_and_whist_lead_to_a_final_of_four_people() {
    for pairs in (2..=64).chain([511, 512]) {
        let mut world = World::new("contest4t", pairs);
        let phases = play(&mut world, &mut lots(pairs as u64));
        assert_eq!(phases.last(), Some(&2), "{pairs}: {phases:?}");
        assert!(phases.windows(2).all(|pair| pair[1] == pair[0].div_ceil(2)), "{phases:?}");
        world.replay("contest4t");
    }
    for players in 4..=64 {
        let mut world = World::new("whist", players);
        assert_eq!(play(&mut world, &mut lots(players as u64)).last(), Some(&4));
        world.replay("whist");
    }
}

fn some_line(world: &World, id: ContestTableId, lots: &mut RandomStream) -> SheetLine {
    let Some(table) = world.contest.table(id) else { return SheetLine::Misdeal };
    match lots.below(4) {
        0 => SheetLine::Misdeal,
        1 => SheetLine::Revoke { seat: Seat::new(lots.below(5)).unwrap() },
        _ => {
            let sides = table.rules().sides();
            let declarer = Seat::new(lots.below(4)).unwrap();
            let contract = game::cruce::Contract { declarer, bid: lots.below(4) as u8 };
            let mut cards = BySide::filled(0, sides);
            cards[Side::new(lots.below(sides)).unwrap()] = 100;
            cards[Side::new(lots.below(sides)).unwrap()] += 20;
            let calls = BySide::from_fn(sides, |_| if lots.below(4) == 0 { 40 } else { 0 });
            SheetLine::Cruce { contract, cards, calls }
        }
    }
}

/// A random change in a random role, possible or not.
fn some_change(world: &World, lots: &mut RandomStream) -> (Role, ContestChange) {
    let phases = world.contest.phases();
    let phase = phases.len().saturating_sub(1 + lots.below(2) * lots.below(2));
    let tables = phases.get(phase).map_or(1, |phase| phase.tables().len());
    let id = ContestTableId { phase, table: lots.below(tables + 1) };
    let chosen = entrant(1 + lots.below(world.contest.entrants().count() + 1));
    let by = match lots.below(8) {
        0 => Role::Public,
        1 => Role::Server,
        2 => Role::Player(chosen),
        3 => Role::Referee(ContestTableId { table: lots.below(tables + 1), ..id }),
        4 => Role::Referee(id),
        _ => Role::Organiser,
    };
    let table = world.contest.table(id);
    let places = table.map_or(4, |table| table.entrants().len());
    let some = |lots: &mut RandomStream| match table {
        Some(_) if lots.below(9) > 0 => world.some_outcome(id, lots),
        _ => outcome(&[21, 1, 1]),
    };
    let place = Side::new(lots.below(places + 1)).unwrap();
    let change = match lots.below(20) {
        0 => ContestChange::Enter(vec![Party::Alone("Late".parse().unwrap())]),
        1 => ContestChange::Withdraw { entrant: chosen },
        2 => ContestChange::Return { entrant: chosen },
        3 => {
            ContestChange::Rename { entrant: chosen, party: Party::Alone("Other".parse().unwrap()) }
        }
        4 => ContestChange::Penalise { table: id, place, penalty: Penalty::Revoke },
        5 => ContestChange::Pardon { table: id, penalty: lots.below(2) },
        6 => ContestChange::Reopen { phase },
        7 => ContestChange::Close { phase },
        8 => ContestChange::PlayOff {
            table: id,
            scores: BySide::from_fn(places, |_| lots.below(3) as i32),
        },
        9..=10 => {
            let line = some_line(world, id, lots);
            let change = match lots.below(4) {
                0 => sheet::SheetChange::Undo,
                1 => sheet::SheetChange::Edit { line: lots.below(3), to: line },
                _ => sheet::SheetChange::Write(line),
            };
            ContestChange::WriteSheet { table: id, change }
        }
        11 => ContestChange::Rule { table: id, outcome: some(lots) },
        12 => {
            let secret = Secret::from_phrase("nothing");
            ContestChange::Draw { secret, words: Vec::new() }
        }
        13 => ContestChange::Import,
        _ => ContestChange::Report { table: id, outcome: some(lots) },
    };
    (by, change)
}

#[test]
fn no_entrant_is_lost_whatever_happens() {
    let (mut done, mut refused, mut voided, mut finished) = (0, 0, 0, 0);
    for seed in 0..400 {
        let mut lots = lots(10_000 + seed);
        let entrants = 4 + lots.below(if seed % 10 == 0 { 60 } else { 20 });
        let mut world = World::new("contest", entrants);
        for _ in 0..12 {
            for _ in 0..lots.below(40) {
                let (by, change) = some_change(&world, &mut lots);
                let before = world.contest.clone();
                match world.attempt(by, change.clone()) {
                    Ok(()) => done += 1,
                    Err(refusal) => {
                        assert_eq!(world.contest, before, "{change:?}: {refusal}");
                        assert!(!refusal.name().is_empty() && !refusal.to_string().is_empty());
                        refused += 1;
                    }
                }
                world.check();
            }
            let reopened =
                world.contest.phases().iter().position(contest::ContestPhase::is_reopened);
            if let Some(phase) = reopened.filter(|_| lots.below(3) > 0) {
                let _ = world.attempt(Role::Organiser, ContestChange::Close { phase });
            }
            if !world.contest.phases().is_empty() && lots.below(4) > 0 {
                world.settle(&mut lots);
            }
            if let Ok(all) = world.contest.next_entrants() {
                world.draw();
                let is_final = world.contest.phases().last().unwrap().is_final();
                assert_eq!(is_final, all.len() <= 4, "{all:?}");
            }
        }
        voided += world.contest.voided().len();
        finished += usize::from(world.contest.stage() == ContestStage::Over);
        world.replay("contest");
    }
    // The test has value only if every case occurs.
    assert!(done > 5_000 && refused > 5_000, "{done} {refused}");
    assert!(voided > 10 && finished > 50, "{voided} {finished}");
}

/// Whatever the withdrawals, the final has four while four of the phase before remain.
#[test]
fn the_final_has_four_while_four_remain() {
    for seed in 0..300 {
        let mut lots = lots(20_000 + seed);
        let mut world = World::new("contest", 4 + lots.below(13));
        loop {
            world.draw();
            world.settle(&mut lots);
            if world.contest.stage() == ContestStage::Over {
                break;
            }
            let phase = world.contest.phases().last().unwrap();
            let mut remaining: Vec<_> =
                phase.tables().iter().flat_map(|table| table.entrants().to_vec()).collect();
            remaining.extend(phase.byes());
            lots.shuffle(&mut remaining);
            let leaving = lots.below(remaining.len() - 3);
            for entrant in &remaining[..leaving] {
                // They may have withdrawn before, and still be ranked at their table.
                match world.attempt(Role::Organiser, ContestChange::Withdraw { entrant: *entrant })
                {
                    Ok(()) | Err(ContestRefusal::HasWithdrawn) => {}
                    Err(refusal) => panic!("{refusal}"),
                }
            }
            world.settle(&mut lots);
            let next = world.contest.next_entrants().unwrap();
            assert!(next.len() >= 4, "seed {seed}: {next:?}");
        }
        assert_eq!(world.contest.phases().last().unwrap().plan().entrants(), 4);
        world.replay("contest");
    }
}
