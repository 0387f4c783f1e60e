//! Positions with an obvious action, one case per line.

use bots::{Level, Limit};
use cards::{Card, Pack};
use game::{Action, View};

use crate::matches::ask;

/// The number of seeds for each position.
const SEEDS: u64 = 5;

/// An action as the protocol writes it: a bid, a card, or a card with its call.
fn action(pack: Pack, text: &str) -> Action {
    if let Ok(bid) = text.parse() {
        return Action::Bid(bid);
    }
    let (card, call) = text.strip_suffix('!').map_or((text, false), |card| (card, true));
    let mut letters = card.chars();
    let mut next = || letters.next().unwrap_or_else(|| panic!("{text} is not an action"));
    let (rank, suit) = (pack.rank_of(next()), pack.suit_of(next()));
    let card = Card::new(rank.expect("a rank"), suit.expect("a suit"));
    Action::Play { card, call }
}

/// Checks that the medium and the hard bot take one of these actions.
#[track_caller]
fn check(view: &str, right: &str) {
    check_level(Level::Medium, view, right);
    check_level(Level::Hard, view, right);
}

#[track_caller]
fn check_level(level: Level, view: &str, right: &str) {
    let view: View = view.parse().unwrap_or_else(|fault| panic!("{view}: {fault}"));
    let pack = view.public().rules().pack();
    let right: Vec<Action> = right.split(' ').map(|text| action(pack, text)).collect();
    assert!(right.iter().all(|action| view.check(*action).is_ok()), "{right:?} is illegal: {view}");
    let mut bot = level.bot();
    for number in 0..SEEDS {
        let done = ask(bot.as_mut(), level, &view, number, Limit::nodes(level.nodes()));
        let context = || format!("and not one of {right:?}, seed {number}: {view}");
        assert!(right.contains(&done), "{level} does {done:?} {}", context());
    }
}

#[test]
fn certain_whist_bids_are_made() {
    // The ace of trumps takes the only trick; the lowest of another suit never does.
    check("whist4 seat=1 hand=As turned=9s", "1");
    check("whist4 seat=3 hand=As turned=9s bids=0.0", "1");
    check("whist6 seat=6 hand=As turned=9s bids=0.0.0.0.0", "0");
    check("whist4 seat=3 hand=7c turned=9s bids=0.0", "0");
    check("whist5 seat=2 hand=5d turned=9s bids=1", "0");
    // All top trumps.
    check("whist3 deal=4 seat=1 hand=AKs turned=9s", "2");
    check("whist4 deal=6 seat=2 hand=AKQs turned=9s bids=1", "3");
    check("whist5 deal=8 seat=4 hand=AKQJs turned=9s bids=1.0.1", "4");
    // Only the lowest cards.
    check("whist4 deal=6 seat=2 hand=7c7d7h turned=9s bids=1", "0");
    check("whist6 deal=8 seat=3 hand=3c3d4h turned=9s bids=1.0", "0");
    // A whole suit and the lead.
    check_level(Level::Hard, "whist4 deal=11 seat=1 hand=AKQJT987s", "8");
}

#[test]
fn whist_is_played_for_the_bid() {
    // Trumps first, then the other ace.
    check("whist4 deal=5 seat=1 hand=AcAs turned=9s bids=2.0.0.1", "As");
    // The small trump is enough now; the ace takes a trick at any time.
    check("whist4 deal=5 seat=4 hand=A8s turned=9s bids=0.0.1.2 play=Kc.7c.8c", "8s");
    // No more tricks are needed: stay below, discard dangerous cards, lead low.
    check("whist4 deal=5 seat=4 hand=K7c turned=9s bids=1.1.1.0 play=8c.9c.Qc", "7c");
    check("whist4 deal=5 seat=2 hand=A7d turned=9s bids=1.0.1.1 play=Kc", "Ad");
    check_level(Level::Hard, "whist4 deal=5 seat=1 hand=7cAh turned=9s bids=0.1.1.1", "7c");
    check("whist3 deal=5 seat=3 hand=AQ9c turned=9s bids=1.1.0 play=Tc.Kc", "Qc 9c");
    // One more trick is needed: take it while possible.
    check("whist4 deal=5 seat=4 hand=Ac7d turned=9s bids=1.0.0.2 play=Kc.7c.8c", "Ac");
}

#[test]
fn hopeless_hands_pass() {
    check("cruce4t seat=1 hand=92b92l9a9h", "0 1");
    check("cruce4t seat=2 hand=92b92l9a9h bids=2", "0");
    check("cruce4t seat=4 hand=92b92l9a9h bids=0.0.2", "0");
    check("cruce4s seat=1 hand=92b92l9a9h", "0");
    check("cruce4s seat=2 hand=92b92l9a9h bids=1", "0");
    check("cruce3 seat=1 hand=92b92l92a92h", "0");
    check_level(Level::Medium, "cruce2 seat=2 hand=92b92l92a92h bids=1", "0");
    check("contest4s seat=2 hand=9b9l2a bids=1", "0");
    check_level(Level::Hard, "contest4t seat=1 hand=9b9l2a", "0 1");
    check_level(Level::Medium, "contest4t seat=2 hand=9b9l2a bids=2", "0");
    check("contest4t seat=2 hand=9b9l2a bids=3", "0");
    // Near the end too.
    check("cruce4t seat=1 deal=9 score=20/19 hand=92b92l9a9h", "0 1");
    check("cruce4t seat=2 deal=9 score=20/19 hand=92b92l9a9h bids=1", "0");
    check_level(Level::Medium, "cruce4t seat=2 deal=9 score=20/19 hand=92b92l9a9h bids=2", "0");
    check_level(Level::Medium, "cruce4t seat=4 deal=9 score=19/20 hand=92b92l9a9h bids=0.0.2", "0");
    check("cruce4s seat=4 deal=9 score=20/19/3/5 hand=92b92l9a9h bids=0.0.1", "0");
}

#[test]
fn partners_do_not_outbid_each_other() {
    check("cruce4t seat=3 hand=92b92l9a9h bids=2.0", "0");
    check("cruce4t seat=3 hand=A9b92l9a3h bids=2.0", "0");
    check("cruce4t seat=4 deal=9 score=20/19 hand=42b39l9a2h bids=0.2.0", "0");
    check("contest4t seat=3 hand=9b9l2a bids=2.0", "0");
    check("contest4t seat=4 hand=3b9l2a bids=0.2.0", "0");
}

#[test]
fn certain_contracts_are_bid() {
    // Six tricks and a call of 40: 160 points.
    check("cruce4t seat=4 hand=AX43bAlAh bids=0.0.3", "4");
    check("cruce4s seat=4 hand=AX43bAlAh bids=0.0.3", "4");
    check("cruce4t seat=1 hand=AX43bAlAh", "2 3 4");
    check("cruce4s seat=1 hand=AX43bAlAh", "2 3 4");
    // A pass would give the others the point that they need.
    check("cruce4t seat=4 deal=9 score=20/18 hand=AX4bAlA9h bids=0.0.0", "1 2 3");
}

#[test]
fn decisive_calls_are_made() {
    let play = "play=Ab.3b.2b.9b.Al.9l.2l.3l.Ah.9h.2h.3h.Xh.4h.9a.2a";
    check(&format!("cruce4t seat=1 hand=43a bids=2.0.0.0 {play}"), "3a! 4a!");
    check(&format!("cruce4t seat=1 hand=43a bids=3.0.0.0 {play}"), "3a! 4a!");
    check(&format!("cruce4s seat=1 hand=43a bids=2.0.0.0 {play}"), "3a! 4a!");
}

#[test]
fn the_last_tricks_of_cruce_are_played_right() {
    let played = "Ab.3b.2b.9b.Al.9l.Xl.3l.4l.2l.9h.Xb.Ah.2h.Xh.3h";
    // To the partner's trick the valuable card, to the others' the worthless one.
    check(&format!("cruce4t seat=3 hand=X9a bids=1.0.0.0 play={played}.4h.4b.2a"), "Xa");
    check(&format!("cruce4t seat=3 hand=X9a bids=1.0.0.0 play={played}.4b.4h.2a"), "9a");
    // The trick that the contract needs.
    let played = "Ab.9b.2b.3b.Xb.4b.9a.9h.Ah.2h.3h.4h.Xh.2a.3a.4a.Xl.4l.3l";
    check(&format!("cruce4t-nobeat seat=4 hand=A9l bids=3.0.0.0 play={played}"), "Al");
    // The last trump is drawn, and the aces are safe.
    let played = "4b.2b.9b.3b.Aa.9a.2a.3a.Xa.4a.9h.9l";
    check(&format!("cruce4t-nobeat seat=1 hand=AbAlAh bids=2.0.0.0 play={played}"), "Ab");
}
