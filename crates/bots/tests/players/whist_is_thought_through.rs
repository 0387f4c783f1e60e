//! The strong bot of whist: conclusions from played cards, and choices that must be made without
//! knowing more.

use bots::play_model::whist::{WhistTurn, chance};
use bots::{Level, Limit};
use cards::{Card, CardSet, Pack, Rank, Seat};
use game::duty::Ladder;
use game::trick::Lead;
use game::{Action, View};

use crate::matches::ask;

/// Cards of a pack, written like `Qc7c`.
fn cards(text: &str) -> Vec<Card> {
    let pack = Pack::FrenchFrom(Rank::Seven);
    let letters: Vec<char> = text.chars().collect();
    let card = |pair: &[char]| {
        Card::new(pack.rank_of(pair[0]).expect("a rank"), pack.suit_of(pair[1]).expect("a suit"))
    };
    letters.chunks(2).map(card).collect()
}

/// The chance that a player with this hand, who needs this number of tricks, plays the card last to a
/// trick of four in which `best` is the best card; spades are trump.
fn laid_last(hand: &str, need: i8, best: &str, card: &str) -> f64 {
    let (hand, best) = (cards(hand).into_iter().collect::<CardSet>(), cards(best)[0]);
    let (lead, trump) =
        (Some(Lead { suit: best.suit(), best, winner: Seat::default() }), cards("As")[0].suit());
    let sight = WhistTurn {
        hand,
        legal: Ladder::climb(hand, lead, Some(trump), false).legal(),
        unseen: Pack::FrenchFrom(Rank::Seven).cards() - hand - CardSet::EMPTY.with(best),
        lead,
        trump: Some(trump),
        need,
        spare: hand.len() as i8 - 1,
        others: 3 * (hand.len() - 1),
        after: 0,
    };
    chance(&sight, cards(card)[0])
}

#[test]
fn a_played_card_makes_other_cards_of_the_hand_unlikely() {
    // A player who needs no trick discards the queen under the king, so after the seven they hardly
    // have it; a player with no other card of the suit reveals nothing.
    assert!(laid_last("Qc7c9h", 0, "Kc", "7c") < 0.2);
    assert!(laid_last("Qc7c9h", 0, "Kc", "Qc") > 0.8);
    assert!((laid_last("7c9hJd", 0, "Kc", "7c") - 1.0).abs() < 1e-9);
    // They do not take a trick that they can avoid, and discard the ace.
    assert!(laid_last("Ac7c9h", 0, "Kc", "Ac") < 0.1);
    assert!(laid_last("Ad7d9h", 0, "Kc", "Ad") > laid_last("Ad7d9h", 0, "Kc", "7d"));
    // A player who needs tricks rather takes this one.
    assert!(laid_last("Ac7c9h", 2, "Kc", "Ac") > 2.0 * laid_last("Ac7c9h", 0, "Kc", "Ac"));
}

#[test]
fn chances_of_all_cards_sum_to_one() {
    for need in -1..=3 {
        let sum: f64 =
            ["Ac", "Tc", "7c"].map(|card| laid_last("AcTc7c", need, "Kc", card)).iter().sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum} with need {need}");
    }
}

#[test]
fn later_choices_are_not_made_with_all_cards_open() {
    // Seat 4 has its trick, needs no other, and leads. If it knew all cards at its next lead or
    // discard, the nine of spades would be best now, which is the average over solved worlds. It will
    // not know; a club is safer.
    let begun = "Qs.8s.As.Ts.9h.Th.Kh.Jh.8d.Qd.Tc.Jd.Ah.8h.Td.Qh.9d.Ks.Ad.Kd";
    let view = format!("whist4 seat=4 deal=11 first=1 hand=J9c9s bids=3.2.3.1 play={begun}");
    let view: View = view.parse().unwrap_or_else(|fault| panic!("{view}: {fault}"));
    for (level, right) in [(Level::Hard, "Jc9c"), (Level::Pimc200, "9s")] {
        let mut bot = level.bot();
        for seed in 0..5 {
            let done = ask(bot.as_mut(), level, &view, seed, Limit::nodes(level.nodes()));
            let is_right = |card: &Card| done == Action::Play { card: *card, call: false };
            assert!(cards(right).iter().any(is_right), "{level} does {done:?}, seed {seed}");
        }
    }
}
