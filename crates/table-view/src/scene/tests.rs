//! Scenes of positions in notation.

use cards::Pack;
use game::notation::set_text;

use super::*;
use phrases::language::Language;

/// The second trick of a deal in teams: seat 3 must follow bells.
const FOLLOWING: &str = "cruce4t-21 seat=3 deal=2 first=2 score=3/1 hand=X4b3l9a2h bids=0.2.0.0 \
                         play=4l!.Al.9l.Xl.3b.9b.Ab";

fn scene(view: &str) -> TableScene {
    turned(view, Direction::Clockwise)
}

fn turned(view: &str, direction: Direction) -> TableScene {
    let view: View = view.parse().unwrap_or_else(|fault| panic!("{view}: {fault}"));
    let names: Vec<String> = ["Ana", "Bogdan", "Călin", "Dana"].map(String::from).to_vec();
    TableScene::new(&view, &names, direction, &Phrases::new(Language::English))
}

fn names(scene: &TableScene) -> Vec<&str> {
    scene.places.iter().map(|place| place.name.as_str()).collect()
}

#[test]
fn the_viewer_comes_first_and_the_next_player_sits_to_the_left_or_right() {
    assert_eq!(names(&scene(FOLLOWING)), ["Călin", "Dana", "Ana", "Bogdan"]);
    let other = turned(FOLLOWING, Direction::CounterClockwise);
    assert_eq!(names(&other), ["Călin", "Bogdan", "Ana", "Dana"]);
    assert_eq!(other.place_of(Seat::new(3).expect("seat 4")), 3);
}

#[test]
fn a_forbidden_card_has_a_reason_and_the_cards_owed() {
    let scene = scene(FOLLOWING);
    assert!(scene.is_my_turn());
    assert_eq!(scene.prompt, ScenePrompt::Card);
    let playable: Vec<&str> = scene.playable().map(|held| held.name.as_str()).collect();
    assert_eq!(playable, ["X of bells", "IV of bells"]);
    let forbidden = scene.hand.iter().find(|held| held.why.is_some()).expect("a duty");
    let why = forbidden.why.as_ref().expect("a reason");
    assert_eq!(why.clause, "C8");
    assert_eq!(set_text(Pack::Hungarian, why.owed), "X4b");
    assert!(why.sentence.contains("(C8)"), "{}", why.sentence);
}

#[test]
fn a_scene_shows_the_trick_the_trump_and_the_promise() {
    let scene = scene(FOLLOWING);
    assert_eq!(scene.trump, SceneTrump::Suit(Suit::Leaf, None), "the first lead");
    assert_eq!(scene.trick.len(), 3);
    let best: Vec<bool> = scene.trick.iter().map(|played| played.best).collect();
    assert_eq!(best, [false, false, true], "the ace of bells");
    let last = scene.last.as_ref().expect("a trick is taken");
    assert!(last.cards[0].called, "the IV was led with its pair");
    assert_eq!(scene.places[last.by].name, "Dana");
    // Seat 3 has bid two for seats 1 and 3, and has called 40.
    let own = &scene.sides[0];
    assert!(own.own);
    assert_eq!((own.points, own.promised), (Some(40), Some(66)));
    assert_eq!(own.need.as_deref(), Some("needs 26"));
    assert_eq!(scene.sides[1].promised, None);
}

#[test]
fn cards_in_other_hands_are_counted() {
    let scene = scene(FOLLOWING);
    let counts: Vec<usize> = scene.places.iter().map(|place| place.cards).collect();
    // Dana leads to the second trick, Ana and Bogdan follow, and Călin has not played yet.
    assert_eq!(counts, [5, 4, 4, 4]);
    assert_eq!(scene.hand.len(), counts[0]);
}

#[test]
fn whist_shows_the_bids_and_forbids_the_sum() {
    let scene = scene("whist3 seat=2 deal=4 first=3 score=0/0/0 turned=9h hand=Ah9c bids=1.1");
    let ScenePrompt::Bid(choices) = &scene.prompt else { panic!("{:?}", scene.prompt) };
    let forbidden: Vec<u8> =
        choices.iter().filter(|choice| choice.why.is_some()).map(|choice| choice.bid).collect();
    assert_eq!(forbidden, [0], "two cards each, two tricks bid");
    assert_eq!(scene.trump, SceneTrump::Suit(Suit::Heart, french_card("9h")));
    let bids: Vec<Option<&str>> = scene.places.iter().map(|place| place.bid.as_deref()).collect();
    assert_eq!(bids, [None, Some("1"), Some("1")]);
}

fn french_card(text: &str) -> Option<Card> {
    game::notation::parse_card(Pack::FrenchFrom(cards::Rank::Nine), text).ok()
}

#[test]
fn a_spectator_has_no_prompt_and_no_hand() {
    let scene = scene(&FOLLOWING.replace("seat=3", "seat=-").replace(" hand=X4b3l9a2h", ""));
    assert_eq!(scene.prompt, ScenePrompt::Nothing);
    assert!(scene.hand.is_empty());
    assert_eq!(names(&scene), ["Ana", "Bogdan", "Călin", "Dana"]);
    assert!(!scene.places.iter().any(|place| place.is_viewer));
}

#[test]
fn a_paused_table_has_no_prompt() {
    let scene = scene(FOLLOWING).paused(&Phrases::new(Language::English));
    assert_eq!((scene.prompt.clone(), scene.is_my_turn()), (ScenePrompt::Nothing, false));
    assert_eq!(scene.status, "The table is paused");
    assert!(scene.hand.iter().all(|held| held.why.is_none()));
    assert_eq!(scene.trick.len(), 3, "the cards stay on the table");
}

#[test]
fn between_deals_and_after_the_match_there_is_no_trump_and_no_stock() {
    let over = scene("cruce2 seat=1 deal=9 score=21/3 phase=over");
    assert_eq!((over.trump, over.stock), (SceneTrump::NoDeal, None));
    assert_eq!(over.deal, "Deal 8", "the last deal");
    let between = scene("cruce2 seat=1 deal=2 first=2 score=1/0 phase=dealing");
    assert_eq!((between.trump, between.stock), (SceneTrump::NoDeal, None));
    let bids = scene("cruce2 seat=1 hand=AX4329bAXl");
    assert_eq!((bids.trump, bids.stock), (SceneTrump::Unknown, Some(8)));
}

#[test]
fn an_open_scene_marks_the_forbidden_cards() {
    let view: View = FOLLOWING.parse().expect("a view");
    let names: Vec<String> = ["Ana", "Bogdan", "Călin", "Dana"].map(String::from).to_vec();
    let own = view.hand();
    let hands = BySeat::from_fn(4, |seat| if seat.index() == 2 { own } else { CardSet::EMPTY });
    let phrases = Phrases::new(Language::English);
    let scene = TableScene::open(&view, &hands, &names, Direction::Clockwise, &phrases);
    assert_eq!(set_text(Pack::Hungarian, scene.places[0].forbidden), "3l9a2h");
    assert!(scene.places[1..].iter().all(|place| place.forbidden.is_empty()));
}
