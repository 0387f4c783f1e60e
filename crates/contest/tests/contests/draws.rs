//! The urn: pinned draws, and fairness of draws.

use contest::urn::{self, PhasePlan};
use contest::{ContestChange, ContestRefusal, EntrantId, Role};
use game::deal::Seed;
use game::fair::{Secret, Word};

use crate::world::{World, entrant, settings};

/// Draws never change, since they may have been published. The vectors were made by
/// `examples/verify_draw.py`, which shares no code with this crate.
#[test]
fn pinned_draws_do_not_change() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/draws.golden");
    let kept = std::fs::read_to_string(path).expect("corpus/draws.golden");
    for line in kept.lines().filter(|line| !line.starts_with('#')) {
        let field = |name: &str| {
            let mut parts = line.split(' ').filter_map(|part| part.split_once('='));
            parts.find(|(key, _)| *key == name).unwrap_or_else(|| panic!("{name}: {line}")).1
        };
        let list = |text: &str| -> Vec<String> {
            text.split(',').filter(|part| !part.is_empty()).map(str::to_owned).collect()
        };
        let settings = settings(line.split(' ').next().unwrap());
        let phase = field("phase").parse::<usize>().unwrap() - 1;
        let secret: Secret = field("secret").parse().unwrap();
        assert_eq!(urn::commitment(&settings, phase, &secret).to_string(), field("commitment"));
        let words: Vec<Word> =
            list(field("words")).iter().map(|word| word.parse().unwrap()).collect();
        let all: Vec<EntrantId> =
            list(field("entrants")).iter().map(|number| entrant(number.parse().unwrap())).collect();
        let plan = PhasePlan::new(all.len(), settings.full_table()).unwrap();
        let drawn = urn::draw(urn::seed(&settings, phase, &secret, &words), &plan, &all);
        let numbers = |entrants: &[EntrantId]| {
            entrants
                .iter()
                .map(|entrant| entrant.number().to_string())
                .collect::<Vec<_>>()
                .join(",")
        };
        let tables: Vec<String> = drawn
            .tables
            .iter()
            .map(|(entrants, dealer)| format!("{}:{}", numbers(entrants), dealer.number()))
            .collect();
        assert_eq!(
            (tables.join("/").as_str(), numbers(&drawn.byes).as_str()),
            (field("tables"), field("byes"))
        );
    }
}

/// The draws of a contest are exported in the format of the vectors.
#[test]
fn a_contest_exports_its_draws() {
    let mut world = World::new("contest", 5);
    world.draw();
    let lines = world.contest.draws();
    assert!(
        lines.starts_with("cruce4s-21-m1-b4-on3-nobeat-noothers contest=cupa phase=1 commitment=")
    );
    assert!(
        lines.contains(" words=banana entrants=1,2,3,4,5 tables=") && lines.ends_with('\n'),
        "{lines}"
    );
}

#[test]
fn a_draw_needs_its_commitment() {
    let mut world = World::new("contest", 8);
    let settings = settings("contest");
    let secret = Secret::from_phrase("one");
    let draw = ContestChange::Draw { secret, words: Vec::new() };
    world.refuse(Role::Organiser, draw.clone(), ContestRefusal::NoCommitment);
    let other = Secret::from_phrase("two");
    world.organise(ContestChange::Commit(urn::commitment(&settings, 0, &other)));
    world.refuse(Role::Organiser, draw.clone(), ContestRefusal::OtherSecret);
    // A commitment to another phase does not fit.
    world.organise(ContestChange::Commit(urn::commitment(&settings, 1, &secret)));
    world.refuse(Role::Organiser, draw.clone(), ContestRefusal::OtherSecret);
    world.organise(ContestChange::Commit(urn::commitment(&settings, 0, &secret)));
    let words = vec!["a".parse().unwrap(); 7];
    let many = ContestChange::Draw { secret, words };
    world.refuse(Role::Organiser, many, ContestRefusal::TooManyWords { most: 6 });
    world.organise(draw);
    assert_eq!(world.contest.commitment(), None);
}

/// χ² of counts that should all be equal.
fn chi_square(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum()
}

fn some_seed(number: u32) -> Seed {
    let mut seed = [9; 32];
    seed[..4].copy_from_slice(&number.to_le_bytes());
    Seed(seed)
}

/// The seeds are fixed, so the test always has the same result; a biased shuffle (say, one that
/// draws every index among all) exceeds the bounds many times over.
#[test]
fn every_ticket_is_equally_likely_for_each_entrant() {
    let plan = PhasePlan::new(11, 4).unwrap();
    let all: Vec<EntrantId> = (0..11).map(|at| EntrantId::new(at).unwrap()).collect();
    let mut tickets = [[0_u32; 11]; 11];
    let mut together = [[0_u32; 11]; 11];
    let mut dealers = [0_u32; 4];
    for number in 0..22_000 {
        let drawn = urn::draw(some_seed(number), &plan, &all);
        let order = drawn.tables.iter().flat_map(|(entrants, _)| entrants);
        order.enumerate().for_each(|(at, entrant)| tickets[entrant.index()][at] += 1);
        for (entrants, _) in &drawn.tables {
            for one in entrants {
                entrants.iter().for_each(|other| together[one.index()][other.index()] += 1);
            }
        }
        dealers[drawn.tables[0].1.index()] += 1;
    }
    // 10 degrees of freedom per row: a value beyond 35 occurs once in ten thousand.
    for row in &tickets {
        assert!(chi_square(row) < 35.0, "{row:?}");
    }
    // All 121 cells, 100 degrees of freedom: a value beyond 161 occurs once in ten thousand.
    let sum: f64 = tickets.iter().map(|row| chi_square(row)).sum();
    assert!(sum < 161.0, "{sum}");
    // Two entrants meet: 55 pairs, each equally likely.
    let meetings: Vec<u32> = (0..11)
        .flat_map(|one| (0..one).map(move |other| (one, other)))
        .map(|(one, other)| together[one][other])
        .collect();
    assert!(chi_square(&meetings) < 101.0, "{meetings:?}");
    assert!(chi_square(&dealers) < 21.0, "{dealers:?}");
}

#[test]
fn byes_are_drawn_by_lot() {
    let plan = PhasePlan::new(5, 4).unwrap();
    let all: Vec<EntrantId> = (0..5).map(|at| EntrantId::new(at).unwrap()).collect();
    let mut byes = [0_u32; 5];
    for number in 0..10_000 {
        let drawn = urn::draw(some_seed(number), &plan, &all);
        assert_eq!((drawn.tables.len(), drawn.byes.len()), (1, 2));
        drawn.byes.iter().for_each(|bye| byes[bye.index()] += 1);
    }
    assert!(chi_square(&byes) < 23.0, "{byes:?}");
}
