//! Whole matches of all kinds of rules: every action is accepted by the table and breaks no duty, no
//! challenge is wrong, and matches end.

use bots::{Bot, Level, Limit};
use cards::Seat;
use game::event::{Event, OpenEvent, Viewer};
use game::{Action, View};

use crate::matches::{
    KINDS, Lot, MAX_DEALS, Match, any_card, ask, each_turn, rules, seed, shorter,
};

/// After this many deals, a short match of slow bots may be stopped.
const ENOUGH_DEALS: usize = 30;

/// The bots on the seats of a table.
struct Players {
    seats: Vec<(Level, Box<dyn Bot>)>,
    limit: Limit<'static>,
    /// The seat that breaks duties where the table allows it, if there is one.
    wild: Option<Seat>,
}

impl Players {
    fn new(levels: Vec<Level>, nodes: u64) -> Players {
        let seats = levels.into_iter().map(|level| (level, level.bot())).collect();
        Players { seats, limit: Limit::nodes(nodes), wild: None }
    }

    /// Plays a match until it is over or has this number of deals, and returns it.
    #[track_caller]
    fn play(&mut self, code: &str, number: u64, deals: usize) -> Match {
        let (mut game, mut lot) = (Match::new(code, number), Lot(number));
        while game.deals() < deals
            && let Some(seat) = game.next()
        {
            if self.wild.is_some() && challenge(&mut game, &mut lot) {
                continue;
            }
            let (level, bot) = &mut self.seats[seat.index()];
            let view = game.view(seat);
            let question = lot.draw();
            let mut action = ask(bot.as_mut(), *level, &view, question, self.limit);
            if matches!(action, Action::Play { .. }) && self.wild == Some(seat) {
                action = any_card(&view, &mut lot);
            }
            let events = game.act(seat, action, level.name());
            if let Event::Open(OpenEvent::Challenged { broken: None, .. }) = events[0] {
                panic!("{level} challenges wrongly: {action:?}, seed {question}: {view}");
            }
        }
        game
    }

    /// Plays a whole match, and returns its number of deals.
    #[track_caller]
    fn play_to_the_end(&mut self, code: &str, number: u64) -> usize {
        let game = self.play(code, number, MAX_DEALS);
        assert!(game.table.is_over(), "{code}, match {number} does not end");
        game.deals()
    }
}

/// Sometimes challenges a random card, rightly or wrongly (C15).
fn challenge(game: &mut Match, lot: &mut Lot) -> bool {
    let players = game.table.rules().players();
    let mut seat = || Seat::new(lot.below(players)).expect("a seat of the table");
    let (by, accused) = (seat(), seat());
    let tricks = game.table.public().round().map_or(0, |round| round.tricks().len());
    if tricks == 0 || lot.below(30) > 0 {
        return false;
    }
    let action = Action::Challenge { trick: lot.below(tricks) as u8, accused };
    let may = game.table.check(by, action).is_ok();
    if may {
        game.act(by, action, "the test");
    }
    may
}

/// Plays whole matches of every kind, at least `each` deals of it, with bots of one level; returns
/// the total number of deals.
fn play_all(level: Level, nodes: u64, each: usize) -> usize {
    let of_kind = |(kind, code): (usize, &&str)| {
        let mut players = Players::new(vec![level; rules(code).players()], nodes);
        let (mut deals, mut number) = (0, 1000 * kind as u64);
        while deals < each {
            deals += players.play_to_the_end(code, number);
            number += 1;
        }
        deals
    };
    KINDS.iter().enumerate().map(of_kind).sum()
}

#[test]
fn random_bots_keep_the_rules() {
    assert!(play_all(Level::Random, 0, 100) > 3_000);
}

#[test]
fn easy_bots_keep_the_rules() {
    assert!(play_all(Level::Easy, 0, 100) > 3_000);
}

#[test]
fn medium_bots_keep_the_rules() {
    assert!(play_all(Level::Medium, 2_000, 1) > 400);
}

/// Plays one bot of this level against easy ones, in short matches of every kind.
fn play_one(level: Level, nodes: u64) {
    let (mut deals, mut ended) = (0, 0);
    for (number, code) in KINDS.iter().enumerate() {
        let players = rules(code).players();
        let mut levels = vec![Level::Easy; players];
        levels[number % players] = level;
        let game = Players::new(levels, nodes).play(&shorter(code), number as u64, ENOUGH_DEALS);
        deals += game.deals();
        ended += usize::from(game.table.is_over());
    }
    assert!(deals > 250, "{level}: {deals} deals");
    assert!(10 * ended >= 9 * KINDS.len(), "{level}: {ended} matches of {} ended", KINDS.len());
}

#[test]
fn hard_bots_keep_the_rules() {
    play_one(Level::Hard, 20_000);
}

#[test]
fn yardsticks_keep_the_rules() {
    play_one(Level::Pimc5, 20_000);
    play_one(Level::Pimc50, 1_000);
    play_one(Level::Pimc200, 1_000);
}

#[test]
fn bots_keep_the_duties_against_a_player_who_breaks_them() {
    let levels =
        [(Level::Easy, 0), (Level::Medium, 1_000), (Level::Hard, 3_000), (Level::Pimc5, 20_000)];
    let honour: Vec<&str> = KINDS.into_iter().filter(|code| rules(code).honour()).collect();
    for (number, code) in (0..).zip(honour.into_iter().cycle().take(20)) {
        let (level, nodes) = levels[number as usize % levels.len()];
        let players = rules(code).players();
        let wild = number as usize % players;
        let mut levels = vec![level; players];
        levels[wild] = Level::Random;
        let mut players = Players { wild: Seat::new(wild), ..Players::new(levels, nodes) };
        players.play(&shorter(code), number, ENOUGH_DEALS / 3);
    }
}

#[test]
fn a_bot_out_of_turn_does_nothing_but_challenge() {
    let mut players = Level::ALL.map(|level| (level, level.bot()));
    let mut check = |view: &View, question: u64| {
        for (level, bot) in &mut players {
            let action = bot.act(view, seed(question), Limit::nodes(100));
            let may = match action {
                Some(Action::Challenge { .. }) => view.check(action.unwrap()).is_ok(),
                Some(_) => false,
                None => true,
            };
            assert!(may, "{level} does {action:?}, seed {question}: {view}");
        }
    };
    for (number, code) in (0..).zip(KINDS) {
        let mut lot = Lot(number);
        check(&Match::new(code, 0).view(Seat::default()), 0);
        each_turn(code, number, |game, seat, _| {
            let players = game.table.rules().players();
            if lot.below(6) == 0 && game.table.public().turn().is_some() {
                check(&game.table.view(Viewer::Spectator), lot.draw());
                check(&game.view(seat.next(players)), lot.draw());
            }
        });
    }
}
