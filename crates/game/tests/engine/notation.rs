//! Printing and then parsing is the identity; parsing never panics and reports
//! where it stopped.

use game::event::Viewer;
use game::record::Record;
use game::{Position, Rules, View};
use proptest::prelude::*;

use crate::random::{Match, Rng, seats};

#[test]
fn positions_and_views_survive_print_and_parse() {
    for number in 0..250 {
        let mut rng = Rng(0xfee1 + number);
        let rules = rng.rules();
        let mut game = Match::new(rules, rng);
        let mut steps = 0;
        loop {
            if let Some(position) = game.table.position() {
                let text = position.to_string();
                let again: Position = text.parse().unwrap_or_else(|e| panic!("{text}\n{e}"));
                assert_eq!(again, position, "{text}");
                assert_eq!(again.to_string(), text);
            }
            let viewers = seats(rules.players()).into_iter().map(Viewer::Seat);
            for viewer in viewers.chain([Viewer::Spectator]) {
                let view = game.table.view(viewer);
                let text = view.to_string();
                let again: View = text.parse().unwrap_or_else(|e| panic!("{text}\n{e}"));
                assert_eq!(again, view, "{text}");
            }
            steps += 1;
            if steps > 400 || game.step().is_none() {
                break;
            }
        }
    }
}

#[track_caller]
fn fault(text: &str, expected: &str) {
    let fault = text.parse::<Position>().expect_err(text);
    assert_eq!(fault.to_string(), expected, "{text}");
}

#[test]
fn faults_name_the_place_and_what_was_expected() {
    fault("", "line 1, column 1: expected a rules code such as cruce4t-21, found nothing");
    fault("cruce4t", "line 1, column 8: expected hands=, found nothing");
    fault(
        "cruce4t hand=Ab",
        "line 1, column 9: expected one of first=, hands=, stock=, turned=, bids=, trump=, lead=, \
         trick=, points=, taken=, found \"hand=Ab\"",
    );
    fault("cruce4t lead=1 lead=2", "line 1, column 16: expected lead= only once, found \"lead=2\"");
    fault(
        "cruce4t lead=1 trump=b hands=AKb/9b/2b/3b",
        "line 1, column 31: expected a rank (A X 4 3 2 9) or a suit (b l a h), found \"Kb\"",
    );
    fault(
        "cruce4t lead=1 trump=b hands=Ab/9b/2b",
        "line 1, column 30: expected 4 hands between slashes, found \"Ab/9b/2b\"",
    );
    fault(
        "cruce4t lead=1 trump=b hands=Ab/9b/2b/A",
        "line 1, column 40: expected a suit (b l a h), found nothing",
    );
    fault(
        "cruce4t lead=1 trump=b hands=Ab/Ab/2b/3b",
        "line 1, column 41: expected Ab only once, found it twice",
    );
    fault(
        "cruce4t lead=1 trump=b hands=Ab/9b/2b/34b",
        "line 1, column 42: seat 1 must hold 2 cards, not 1",
    );
    fault("cruce4t lead=5", "line 1, column 15: expected hands=, found nothing");
    fault("cruce4t hands=Ab/9b/2b/3b", "line 1, column 15: seat 1 must get 6 cards, not 1");
    fault("whist3 hands=Ac/Kc/Qc", "line 1, column 14: a card must be turned up for trump");
    fault(
        "whist3 hands=Ac/Kc/Qc turned=9h bids=0.0.1",
        "line 1, column 42: expected a legal bid (the last bid may not be 1: the bids \
         would add up to the tricks), found \"1\"",
    );
    fault(
        "chess",
        "line 1, column 1: column 1: \"chess\" is no game; a code starts with cruce2, cruce3, \
         cruce4t, cruce4s, whist3 to whist6, classic, contest or whist",
    );
}

#[test]
fn impossible_positions_and_views_are_refused() {
    for text in [
        "cruce4t hands=Ab/Xb/Al/Xl trump=b lead=1 points=220/0",
        "cruce4t hands=AX4329b/AX4329l/AX4329a/AX4329h lead=1 points=1/0",
        "cruce4t hands=AX432b/AX4329l/AX4329a/AX4329h trump=l lead=1 trick=9b",
        "cruce4t hands=AX4329b/AX4329l/AX4329a/AX4329h bids=1.0.0.0 lead=2",
        "cruce4t-on3 hands=AX4b+329b/AX4329l/AX4329a/AX4329h lead=1",
        "cruce4t hands=Ab+/Xb/Al/Xl trump=h lead=1",
        "cruce4t hands=-/-/-/- trump=b lead=1 trick=Ab.9b",
        "cruce3 hands=Ab/Xb/Al stock=9h.2h trump=h lead=1",
        "whist3 hands=AKQJT9cAKs/QJT9sAKQJd/T9dAKQJT9h trump=c lead=1",
        "whist3 hands=AKQJT9cAKs/QJT9sAKQJd/T9dAKQJT9h lead=1 taken=8/0/0",
        "whist3 hands=Ac/Kc/Qc turned=9h bids=1.1.1 lead=2",
    ] {
        assert!(text.parse::<Position>().is_err(), "{text}");
    }
    // Calls of a pair that has been played, and cards that another seat has shown.
    for play in [
        "3b!.9h.2h.3h.4b!",
        "3b!.9h.2h.3h.4b!.4h.Xh.Ah.3l!.9l.Ab.Xl.4l!.Al.Xb.2l.3a!.Aa.2b.Xa.4a!",
        "3b!.4b",
        "3b!.9b.Ab.Xb.3l.4b",
    ] {
        let text = format!("cruce4t-21 seat=- bids=1.0.0.0 play={play}");
        assert!(text.parse::<View>().is_err(), "{text}");
    }
    let own = "cruce4t-21 seat=2 bids=1.0.0.0 hand=4bXbAl9l2h play=3b!.Ab";
    assert!(own.parse::<View>().is_err(), "the pair that seat 1 calls is in this hand");
    let long = format!("cruce4t{}", "-".repeat(1_000_000));
    assert!(Rules::from_code(&long).is_err_and(|faults| faults.faults().len() == 1));
}

#[test]
fn a_position_survives_to_its_last_card() {
    let mut position: Position =
        "cruce4t hands=A3bXl/Xb9l4a/49bAl/2lX3a trump=b lead=1".parse().expect("a position");
    while position.turn().is_some() {
        let legal = position.play().expect("in play").legal();
        position.play_card(legal.lowest().expect("a card"), false).expect("it is legal");
        assert_eq!(position.to_string().parse(), Ok(position.clone()), "{position}");
    }
}

/// A text of a notation with some random changes.
fn mutated(text: String, rng: &mut Rng) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=rng.below(4) {
        let at = rng.below(letters.len().max(1)).min(letters.len().saturating_sub(1));
        let fresh = rng.one_of(&[
            'A', 'b', 'h', '9', '0', '1', '.', '/', '=', '-', ' ', '!', '+', ':', '?', '\n', 'ă',
            '\0',
        ]);
        match rng.below(4) {
            0 if !letters.is_empty() => letters[at] = fresh,
            1 if !letters.is_empty() => drop(letters.remove(at)),
            2 => letters.truncate(at),
            _ => letters.insert(at, fresh),
        }
    }
    letters.into_iter().collect()
}

#[test]
fn no_mutation_makes_a_parser_panic() {
    for number in 0..4_000 {
        let mut rng = Rng(0xbad + number);
        let rules = rng.rules();
        let mut game = Match::new(rules, rng.clone());
        for _ in 0..rng.below(60) {
            game.step();
        }
        if let Some(position) = game.table.position() {
            let text = mutated(position.to_string(), &mut rng);
            if let Ok(read) = text.parse::<Position>() {
                assert_eq!(read.to_string().parse(), Ok(read), "{text}");
            }
        }
        let viewer = rng.one_of(&seats(rules.players()));
        let text = mutated(game.table.view(Viewer::Seat(viewer)).to_string(), &mut rng);
        if let Ok(read) = text.parse::<View>() {
            assert_eq!(read.to_string().parse(), Ok(read), "{text}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_parsed_or_refused(text in "\\PC{0,80}") {
        let _ = text.parse::<Position>();
        let _ = text.parse::<View>();
        let _ = text.parse::<Record>();
        let _ = Rules::from_code(&text);
    }

    #[test]
    fn any_rules_code_round_trips(text in "(cruce|classic|contest|whist)[0-9ts]{0,2}(-[a-z0-9]{1,8}){0,4}") {
        if let Ok(rules) = Rules::from_code(&text) {
            prop_assert_eq!(Rules::from_code(&rules.code()), Ok(rules));
        }
    }
}

#[test]
fn the_examples_in_the_document_can_be_parsed() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/notation.md");
    let document = std::fs::read_to_string(path).expect("docs/notation.md");
    let mut read = 0;
    for line in
        document.lines().filter(|line| line.starts_with("cruce") || line.starts_with("whist"))
    {
        if line.contains(" seat=") {
            let view: View = line.parse().unwrap_or_else(|fault| panic!("{line}\n{fault}"));
            assert_eq!(view.to_string(), line);
            read += 1;
        } else if line.contains(" hands=") {
            let position: Position = line.parse().unwrap_or_else(|fault| panic!("{line}\n{fault}"));
            assert_eq!(position.to_string().parse(), Ok(position));
            read += 1;
        }
    }
    assert!(read >= 5, "only {read} examples");
}
