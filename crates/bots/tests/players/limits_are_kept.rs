//! Limits: with any limit a bot returns a lawful action soon; and it does not search where there is
//! no choice.

use std::time::{Duration, Instant};

use bots::{Level, Limit};
use game::{Action, View};

use crate::matches::{KINDS, Lot, ask, each_choice, each_turn, lawful, rules, seed};

/// The levels that search before they act.
const SEARCHING: [Level; 5] =
    [Level::Medium, Level::Hard, Level::Pimc5, Level::Pimc50, Level::Pimc200];

/// Stops at once, without a limit of nodes.
const STOP_AT_ONCE: Limit<'static> = Limit { nodes: u64::MAX, stop: &|| true };

/// More than any answer without a long search takes, also on a slow and busy machine.
const SOON: Duration = Duration::from_secs(2);

/// Returns the result and the time it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    #[allow(clippy::disallowed_methods, reason = "the clock judges the bot, not the game")]
    let start = Instant::now();
    let done = work();
    (done, start.elapsed())
}

#[test]
fn a_bot_with_a_small_limit_acts_soon_and_keeps_the_rules() {
    let some = [0, 1, 10, 1_000].map(Limit::nodes);
    let mut players = Level::ALL.map(|level| (level, level.bot()));
    for (kind, code) in (0..).zip(KINDS) {
        let mut lot = Lot(kind);
        each_choice(code, 50 + kind, |_, _, view| {
            if lot.below(4) > 0 {
                return;
            }
            for (level, bot) in &mut players {
                for limit in some.into_iter().chain([STOP_AT_ONCE]) {
                    let question = lot.draw();
                    let (_, took) = timed(|| ask(bot.as_mut(), *level, view, question, limit));
                    let context = || format!("{level}, seed {question}, {limit:?}: {view}");
                    assert!(took < SOON, "{took:?}, {}", context());
                }
            }
        });
    }
}

#[test]
fn a_bot_with_a_small_limit_does_not_bid_the_maximum() {
    let views = [
        "cruce4t seat=1 hand=92b92l9a9h",
        "cruce4t seat=2 hand=92b92l9a9h bids=2",
        "cruce4s seat=2 hand=92b92l9a9h bids=0",
        "cruce3 seat=1 hand=92b92l92a92h",
        "cruce2 seat=2 hand=92b92l92a92h bids=1",
        "contest4s seat=3 hand=9b9l2a bids=0.1",
        "whist4 deal=9 seat=1 hand=87c87d87h turned=9s",
    ];
    for view in views {
        let view: View = view.parse().unwrap_or_else(|fault| panic!("{view}: {fault}"));
        for level in [Level::Medium, Level::Hard] {
            for limit in [Limit::nodes(0), Limit::nodes(10), STOP_AT_ONCE] {
                let action = ask(level.bot().as_mut(), level, &view, 1, limit);
                let is_low = matches!(action, Action::Bid(0..=3));
                assert!(is_low, "{level} bids {action:?}, {limit:?}: {view}");
            }
        }
    }
}

/// The median of the times it takes to act on these views.
fn median_time(level: Level, views: &[View]) -> Duration {
    let (mut bot, limit) = (level.bot(), Limit::nodes(10_000));
    let act = |view: &View| timed(|| bot.act(view, seed(1), limit)).1;
    let mut times: Vec<Duration> = views.iter().map(act).collect();
    times.sort();
    times[times.len() / 2]
}

#[test]
fn a_bot_does_not_search_without_a_choice() {
    let (mut free, mut forced) = (Vec::new(), Vec::new());
    for (number, code) in (0..).zip(KINDS).filter(|(_, code)| !rules(code).honour()) {
        each_turn(code, number, |game, _, view| {
            let in_play = game.table.public().round().is_some();
            match lawful(view).len() {
                1 if in_play && view.hand().len() > 2 => forced.push(view.clone()),
                2.. if in_play && view.hand().len() > 2 => free.push(view.clone()),
                _ => {}
            }
        });
    }
    free.truncate(60);
    forced.truncate(60);
    assert!(forced.len() > 30 && free.len() > 30, "{} and {}", forced.len(), free.len());
    for level in SEARCHING {
        let mut bot = level.bot();
        for view in &forced {
            let action = ask(bot.as_mut(), level, view, 1, Limit::nodes(0));
            assert_eq!([action], lawful(view)[..], "{level}: {view}");
        }
        let (thinking, acting) = (median_time(level, &free), median_time(level, &forced));
        assert!(5 * acting < thinking, "{level}: {acting:?} without a choice, {thinking:?} with");
    }
}
