//! The audit passes what a server deals, and finds every fault that is put into it.

use cards::{Card, Seat};
use game::deal::{Deal, Dealer, RandomStream, Seed};
use game::fair::Secret;

use super::*;

const CARDS: u64 = 1_000_000;

fn audit(source: &dyn PackSource, jobs: usize) -> AuditReport {
    audit_of(source, CARDS, jobs)
}

fn audit_of(source: &dyn PackSource, cards: u64, jobs: usize) -> AuditReport {
    let tallies = deal_all(source, cards, jobs, &ProgressBar::hidden()).expect("dealt");
    AuditReport::new(Some("test".into()), &tallies)
}

fn text(report: &AuditReport) -> String {
    let mut text = Vec::new();
    report.write(&mut text).expect("memory");
    String::from_utf8(text).expect("UTF-8")
}

#[test]
fn what_a_server_deals_passes_and_a_seed_repeats_it() {
    let fair = || Production { seed: Some("fair".into()) };
    let report = audit(&fair(), 2);
    assert!(report.passed, "{}", text(&report));
    assert_eq!(text(&report), text(&audit(&fair(), 1)), "the number of threads changes nothing");
    let other = audit(&Production { seed: Some("other".into()) }, 2);
    assert!(other.passed && text(&other) != text(&report));
}

#[test]
fn secrets_of_the_operating_system_pass() {
    let report = audit(&Production { seed: None }, 2);
    // A thousandth of all audits fail by chance; a test must not.
    assert!(report.smallest_p() > 1e-12, "{}", text(&report));
}

/// Deals with a fault.
struct Faulty {
    /// The secret of a match, from the fair one and its number.
    secret: fn(Secret, u64) -> Secret,
    /// Which deal of the match is dealt.
    number: fn(usize) -> usize,
    /// How the sorted pack is shuffled.
    shuffle: fn(&mut RandomStream, &mut [Card]),
    /// What happens to the hands on their way to the seats.
    pass: fn(&mut RandomStream, &mut Deal),
}

/// Without a fault.
const FAIR: Faulty = Faulty {
    secret: |secret, _| secret,
    number: |number| number,
    shuffle: |stream, pack| stream.shuffle(pack),
    pass: |_, _| {},
};

impl PackSource for Faulty {
    fn secret(&self, rules: &Rules, number: u64) -> Secret {
        (self.secret)(Production { seed: Some("faulty".into()) }.secret(rules, number), number)
    }

    fn deal(
        &self,
        rules: &Rules,
        dealer: &Dealer,
        number: usize,
        first: Seat,
    ) -> Option<(Vec<Card>, Deal)> {
        // The fair pack is the seed of the faulty one, as a dealer does not tell its own.
        let mut pack = dealer.pack((self.number)(number)).to_vec();
        let mut seed = Seed([0; 32]);
        seed.0.iter_mut().zip(&pack).for_each(|(byte, card)| *byte = card.index() as u8);
        let mut stream = RandomStream::new(seed, 1);
        pack.sort();
        (self.shuffle)(&mut stream, &mut pack);
        let mut deal = Deal::from_pack(rules, rules.cards_each(number)?, first, &pack);
        (self.pass)(&mut stream, &mut deal);
        Some((pack, deal))
    }
}

#[track_caller]
fn found(source: Faulty, expected: &[&str]) {
    found_in(CARDS, source, expected);
}

#[track_caller]
fn found_in(cards: u64, source: Faulty, expected: &[&str]) {
    let report = audit_of(&source, cards, 2);
    let failed: Vec<String> = report.failed().collect();
    assert!(!report.passed && text(&report).contains("FAILED"));
    for test in expected {
        assert!(failed.iter().any(|failed| failed == test), "{test}: {failed:#?}");
    }
}

#[test]
fn the_test_hook_alone_is_no_fault() {
    let report = audit(&FAIR, 2);
    assert!(report.passed, "{}", text(&report));
}

#[test]
fn a_swap_with_any_card_is_found() {
    let shuffle = |stream: &mut RandomStream, pack: &mut [Card]| {
        for at in 0..pack.len() {
            pack.swap(at, stream.below(pack.len()));
        }
    };
    found(
        Faulty { shuffle, ..FAIR },
        &["cruce4t-21: card by position", "whist6: card by position"],
    );
}

#[test]
fn the_remainder_of_a_byte_is_found() {
    let shuffle = |stream: &mut RandomStream, pack: &mut [Card]| {
        for at in (1..pack.len()).rev() {
            pack.swap(at, stream.below(256) % (at + 1));
        }
    };
    // A faint fault: some cards are a twentieth too likely at some places.
    found_in(20 * CARDS, Faulty { shuffle, ..FAIR }, &["whist6: card by position"]);
}

#[test]
fn a_shuffle_that_moves_every_card_is_found() {
    // One too few in the bound: Sattolo's algorithm, which makes a single cycle.
    let shuffle = |stream: &mut RandomStream, pack: &mut [Card]| {
        for at in (1..pack.len()).rev() {
            pack.swap(at, stream.below(at));
        }
    };
    let tests = ["cruce2-21: fixed points", "cruce2-21: cycles", "cruce2-21: card by position"];
    found(Faulty { shuffle, ..FAIR }, &tests);
}

#[test]
fn a_card_that_stays_at_the_bottom_is_found() {
    let shuffle = |stream: &mut RandomStream, pack: &mut [Card]| {
        let last = pack.len() - 1;
        stream.shuffle(&mut pack[..last]);
    };
    let tests = [
        "cruce3-21: card by position",
        "whist3: card by seat",
        "cruce2-21: card by place in the stock",
    ];
    found(Faulty { shuffle, ..FAIR }, &tests);
}

#[test]
fn two_cards_that_stick_together_are_found() {
    let shuffle = |stream: &mut RandomStream, pack: &mut [Card]| {
        let (one, other) = (pack[0], pack[1]);
        stream.shuffle(pack);
        let place = |card: Card| pack.iter().position(|held| *held == card).unwrap_or_default();
        let (from, beside) = (place(other), (place(one) + 1) % pack.len());
        if stream.below(20) == 0 && pack[beside] != one {
            pack.swap(from, beside);
        }
    };
    found(Faulty { shuffle, ..FAIR }, &["whist4: card by next card"]);
}

#[test]
fn a_pack_that_is_cut_after_a_few_riffles_is_found() {
    let shuffle = |stream: &mut RandomStream, pack: &mut [Card]| {
        for _ in 0..4 {
            // A riffle backwards: every card goes to one of two heaps.
            let mut heaps = [Vec::new(), Vec::new()];
            pack.iter().for_each(|card| heaps[stream.below(2)].push(*card));
            pack.copy_from_slice(&heaps.concat());
        }
        pack.rotate_left(stream.below(pack.len()));
    };
    let tests =
        ["whist6: ascending runs", "whist6: longest ascending run", "whist6: card by next card"];
    found(Faulty { shuffle, ..FAIR }, &tests);
}

#[test]
fn a_deal_that_comes_again_is_found() {
    let number = |number: usize| number / 2;
    found(Faulty { number, ..FAIR }, &["whist5: position by position in the next deal"]);
}

#[test]
fn a_seat_that_gets_the_better_hand_is_found() {
    let pass = |stream: &mut RandomStream, deal: &mut Deal| {
        let hearts = |seat: Seat| deal.hands[seat].in_suit(cards::Suit::Heart).len();
        let seats: Vec<Seat> = Seat::first(2).collect();
        if stream.below(4) == 0 && hearts(seats[0]) < hearts(seats[1]) {
            for hands in [&mut deal.hands, &mut deal.opening] {
                (hands[seats[0]], hands[seats[1]]) = (hands[seats[1]], hands[seats[0]]);
            }
        }
    };
    found_in(
        5 * CARDS,
        Faulty { pass, ..FAIR },
        &["cruce2-21: suit lengths of seat 1", "cruce2-21: card by seat"],
    );
}

#[test]
fn a_secret_that_is_drawn_twice_is_found() {
    let secret = |fair: Secret, number: u64| match number % 100 {
        99 => Secret([7; 32]),
        _ => fair,
    };
    found(Faulty { secret, ..FAIR }, &["secrets: secrets: drawn twice"]);
}

#[test]
fn a_bit_that_is_rarely_set_is_found() {
    let secret = |fair: Secret, number: u64| {
        let mut secret = fair;
        secret.0[9] &= if number.is_multiple_of(2) { 0xef } else { 0xff };
        secret
    };
    found(Faulty { secret, ..FAIR }, &["secrets: secrets: each bit"]);
}
