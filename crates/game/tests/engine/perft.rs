//! Node counts: the corpus, and properties that need no second engine.

use game::Position;
use game::perft::{after, moves, perft};

#[track_caller]
fn position(text: &str) -> Position {
    text.parse().unwrap_or_else(|fault| panic!("{text}\n{fault}"))
}

#[test]
fn the_corpus_has_the_same_counts() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus");
    let mut counted = 0;
    for entry in std::fs::read_dir(folder).expect("corpus/") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|ending| ending != "perft") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a text");
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (place, counts) = line.split_once(" ; ").expect("POSITION ; D1 n ; D2 n …");
            let position = position(place);
            for count in counts.split(" ; ") {
                let (depth, nodes) = count.split_once(' ').expect("Dk n");
                let depth: u32 = depth.strip_prefix('D').expect("Dk").parse().expect("a depth");
                let nodes: u64 = nodes.parse().expect("a count");
                assert_eq!(perft(&position, depth), nodes, "{place} at depth {depth}");
                let next = moves(&position).into_iter().map(|first| after(&position, first));
                let parts: u64 =
                    next.map(|next| perft(&next.expect("a legal move"), depth - 1)).sum();
                assert_eq!(parts, nodes, "the parts of {place}");
                counted += 1;
            }
        }
    }
    assert!(counted >= 40, "only {counted} counts in the corpus");
}

#[test]
fn without_duties_every_order_of_every_hand_is_possible() {
    // Every player is void in every other player's suit, and there is no trump.
    for (text, cards, players) in [
        ("whist3 lead=1 hands=AKQc/AKQs/AKQd", 3, 3),
        ("whist4 lead=2 hands=AKc/AKs/AKd/AKh", 2, 4),
        ("whist4 lead=4 hands=AKQc/AKQs/AKQd/AKQh", 3, 4),
    ] {
        let orders: u64 = (1..=cards).product();
        let depth = cards as u32 * players;
        assert_eq!(perft(&position(text), depth), orders.pow(players), "{text}");
    }
    // Cruce with two players, while the stock lasts: any of eight cards, each time.
    let fresh = position("cruce2 lead=1 hands=AX4329bAXl/4329lAX43a stock=2a.9a.Ah.Xh.4h.3h.2h.9h");
    assert_eq!(perft(&fresh, 6), 8u64.pow(6));
}

#[test]
fn a_duty_never_adds_a_legal_sequence() {
    let deal = "hands=Ab3bXl9a/Xb4l9l4a/4b9bAl2a/3l2l3aXa lead=1 trump=b";
    let mut with = position(&format!("cruce4t {deal}"));
    let mut without = position(&format!("cruce4t-nobeat {deal}"));
    for depth in 1..=8 {
        assert!(perft(&with, depth) <= perft(&without, depth), "depth {depth}");
    }
    // The same from every position that both can reach.
    while let Some(card) = with.play().and_then(|play| play.legal().lowest()) {
        if with.turn().is_none() || with.play_card(card, false).is_err() {
            break;
        }
        without.play_card(card, false).expect("legal without the duty too");
        assert!(perft(&with, 4) <= perft(&without, 4));
    }
}

#[test]
fn renaming_the_suits_changes_no_count() {
    let named = |[b, l, a]: [char; 3]| {
        position(&format!(
            "cruce4t hands=A3{b}X{l}9{a}/X{b}49{l}4{a}/49{b}A{l}2{a}/32{l}3X{a} trump={b} lead=3"
        ))
    };
    let one = named(['b', 'l', 'a']);
    for names in [['l', 'b', 'a'], ['h', 'a', 'l'], ['a', 'h', 'b']] {
        let other = named(names);
        assert_ne!(one, other);
        for depth in 1..=10 {
            assert_eq!(perft(&one, depth), perft(&other, depth), "{other} at depth {depth}");
        }
    }
}
