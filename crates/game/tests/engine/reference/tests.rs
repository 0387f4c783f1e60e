//! The reference engine against the worked examples of the rules.

use super::*;

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(String::from).collect()
}

fn cruce(players: usize, teams: bool, honour: bool) -> Options {
    Cruce {
        players,
        teams,
        target: 21,
        margin: 2,
        max_bid: 6,
        bid_on_three: honour,
        all_pass_redeal: honour,
        overtake: true,
        automatic_calls: false,
        others_score_on_failure: true,
        honour,
    }
}

/// A pack that gives these hands, seat 0 first; the cards not named follow.
fn pack_giving(options: &Options, hands: &[&str]) -> Vec<String> {
    let mut pack = Vec::new();
    for place in 0..words(hands[0]).len() {
        for hand in hands {
            pack.push(words(hand)[place].clone());
        }
    }
    for card in deck(options) {
        if !pack.contains(&card) {
            pack.push(card);
        }
    }
    pack
}

#[test]
fn c8_overtake() {
    let left = |trump, overtake, table, hand| {
        dutiful_cards(CRUCE_RANKS, Some(trump), overtake, &words(table), &words(hand)).join(" ")
    };
    // 000: IV of bell led, leaf is trump.
    assert_eq!(left('l', true, "4b", "Ab 2b Al"), "Ab");
    assert_eq!(left('l', false, "4b", "Ab 2b Al"), "Ab 2b");
    assert_eq!(left('l', true, "4b 3l", "Ab 2b Al"), "Ab 2b");
    assert_eq!(left('l', true, "4b 3l 2b", "2l 4l Ah"), "4l");
    // A trump that cannot win must still be played; with neither suit, any card may be.
    assert_eq!(left('l', true, "4b 3l", "2l 9l Ah"), "2l 9l");
    assert_eq!(left('l', true, "4b 3l", "Aa 9h"), "Aa 9h");
    // No card that beats the table: any card of the suit. On lead: any card.
    assert_eq!(left('l', true, "Xl", "4l 9l Ab"), "4l 9l");
    assert_eq!(left('l', true, "", "4l 9l Ab"), "4l 9l Ab");
    assert_eq!(taking_card(CRUCE_RANKS, Some('a'), &words("4b Ah Xb 9b")), "Xb");
    assert_eq!(taking_card(CRUCE_RANKS, Some('h'), &words("4b 9h Xb 2h")), "2h");
    assert_eq!(taking_card(WHIST_RANKS, None, &words("Qh As Kh")), "Kh");
}

#[test]
fn c11_and_c12_scores_and_the_end() {
    // 000: 4-8, bid two, 64 and 56 gives 2-9; then bid two, 102 and 18 gives 5-9.
    let mut game = Match::new(cruce(4, true, false), 0);
    game.scores = vec![4, 8];
    for (points, scores) in [([64, 56], [2, 9]), ([102, 18], [5, 9])] {
        game.deal.points = points.to_vec();
        game.deal.declarer = Some((2, 2));
        game.score_deal();
        assert_eq!(game.scores(), scores);
    }
    assert_eq!(cruce_change(&[64, 56], 0, 2, false), [-2, 0]);
    assert_eq!(cruce_change(&[0, 120], 0, 0, true), [0, 3]);
    assert!(cruce_is_over(&[5, 21, 19], 21, 2));
    assert!(!cruce_is_over(&[5, 21, 20], 21, 2));
    assert!(!cruce_is_over(&[20, 3], 21, 2));
}

#[test]
fn w2_w6_w7_deals_scores_and_prizes() {
    let four = "1 1 1 1 2 3 4 5 6 7 8 8 8 8 7 6 5 4 3 2 1 1 1 1";
    let sizes: Vec<String> = whist_deals(4, true).iter().map(usize::to_string).collect();
    assert_eq!(sizes, words(four));
    assert_eq!(whist_deals(3, false).len(), 21);
    let changes = [whist_change(3, 3), whist_change(3, 2), whist_change(3, 6)];
    assert_eq!(changes, [8, -1, -3]);
    assert_eq!(run_and_prize(3, true, 10), (4, 0));
    assert_eq!(run_and_prize(4, true, 10), (0, 10));
    assert_eq!(run_and_prize(4, false, 10), (-1, 0));
    assert_eq!(run_and_prize(-4, false, 5), (0, -5));
    assert_eq!(run_and_prize(-4, true, 5), (1, 0));
    assert_eq!(run_and_prize(4, true, 0), (0, 0));
}

#[test]
fn c10_and_c15_calls_and_challenges() {
    let options = cruce(3, false, true);
    let hands = ["3b 4b 9b 3l 4l 9l 9a 9h", "Ab Xb Al Xl Aa Xa Ah Xh", "2b 2l 2a 2h 3a 4a 3h 4h"];
    let pack = pack_giving(&options, &hands);
    let mut game = Match::new(options, 0);
    game.deal(&pack);
    assert_eq!(game.visible_hand(0), words("3b 4b 9b"));
    game.bid(1);
    assert_eq!(game.legal_bids(), [0, 2, 3, 4, 5, 6]);
    game.bid(0);
    game.bid(0);
    assert_eq!(game.declarer(), Some((0, 1)));
    assert_eq!(game.callable(), words("3b 4b 3l 4l"));
    game.play("3b", true);
    assert_eq!((game.trump(), game.points()), (Some('b'), vec![40, 0, 0]));
    assert_eq!((game.call_worth(), game.shown(0)), (vec![(0, 40)], words("4b")));
    assert_eq!(game.lawful_cards(), words("Ab Xb"));
    game.play("Al", false);
    assert!(!game.may_challenge(0, 0, 1));
    game.play("2b", false);
    assert_eq!((game.trick_winners(), game.turn()), (vec![0], Some(0)));
    assert!(!game.challenge(1, 0, 2));
    assert!(!game.may_challenge(0, 0, 2) && !game.may_challenge(1, 0, 1));
    assert!(!game.challenge(1, 0, 0));
    assert!(!game.may_challenge(1, 0, 1) && !game.may_accept(0));
    assert!(game.challenge(2, 0, 1));
    let result = game.last_result().unwrap();
    assert_eq!(result.thrown_in, Some(ThrownIn::Revoke { seat: 1 }));
    assert_eq!((result.points, result.change), (vec![56, 0, 0], vec![0, -3, 0]));
    assert_eq!((game.scores(), game.first()), (vec![0, -3, 0], 1));
    game.deal(&pack);
    for _ in 0..3 {
        game.bid(0);
    }
    let result = game.last_result().unwrap();
    assert_eq!(result.thrown_in, Some(ThrownIn::AllPassed));
    assert!(game.wants_deal() && game.first() == 2 && game.scores() == [0, -3, 0]);
}

#[test]
fn c13_two_players_draw_and_have_no_duties_until_the_stock_is_gone() {
    let options = cruce(2, false, true);
    let hands = ["9b 2b 3b 4b Xb Ab 9l 2l", "9a 2a 3a 4a Xa Aa 3l 4l"];
    let mut game = Match::new(options.clone(), 0);
    game.deal(&pack_giving(&options, &hands));
    game.bid(0);
    game.bid(1);
    game.play("3l", true);
    assert_eq!(game.lawful_cards().len(), 8);
    game.play("9b", false);
    // The stock is what the hands left of the pack: Al Ah Xl Xh 4h 3h 2h 9h.
    assert!(game.visible_hand(1).contains(&"Al".to_string()));
    assert!(game.visible_hand(0).contains(&"Ah".to_string()));
    assert!(!game.challenge(1, 0, 0));
    for card in ["4l", "2b", "Al", "3b", "Xl", "4b", "9a"] {
        game.play(card, false);
    }
    assert!(game.deal.stock.is_empty() && game.trick_winners() == [1, 1, 1, 1]);
    assert_eq!(game.lawful_cards(), words("9l 2l"));
}

#[test]
fn w3_and_w4_turned_card_and_the_last_bid() {
    let options = Whist { players: 3, start_with_ones: true, trump_in_ones: true, prize: 10 };
    let mut game = Match::new(options.clone(), 2);
    game.deal(&deck(&options));
    assert_eq!((game.turned(), game.trump()), (Some("Ah".into()), Some('h')));
    game.bid(1);
    assert_eq!((game.turn(), game.legal_bids()), (Some(0), vec![0, 1]));
    game.bid(0);
    assert_eq!(game.legal_bids(), [1]);
    game.bid(1);
    for card in ["Ac", "As", "Ad"] {
        game.play(card, false);
    }
    assert_eq!(game.scores(), [5, -1, 6]);
    assert_eq!((game.runs(), game.first()), (vec![0, 0, 0], 0));
}
