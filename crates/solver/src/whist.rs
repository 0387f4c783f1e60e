//! Romanian whist with all cards open (W5).

mod alone;
mod camps;
mod lanes;
mod order;
mod ranks;
mod settled;
mod sure;

use arrayvec::ArrayVec;
use cards::{BySeat, Card, CardSet, MAX_SEATS, Seat};
use game::whist::Play;

use crate::limit::{Limit, Meter, Stopped};
use crate::transposition::TranspositionTable;
use lanes::{Lanes, Shapes, lane, lowest};
use ranks::{Answers, Ranks};

/// The worth of zero to eight tricks to each seat.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrickWorth(pub [[f64; 9]; MAX_SEATS]);

impl TrickWorth {
    /// Every seat plays to be as near to its bid as possible.
    pub fn near(bids: &BySeat<u8>) -> TrickWorth {
        let bids = bids.padded();
        TrickWorth(core::array::from_fn(|seat| {
            core::array::from_fn(|tricks| -(tricks as f64 - f64::from(bids[seat])).abs())
        }))
    }
}

/// Solves positions of whist. It reuses its memory from one position to the next;
/// that never changes a result.
#[derive(Default)]
pub struct Solver {
    shapes: Shapes,
    ranks: Ranks,
    answers: Answers,
    alone: WhistLoneMemories,
    settled: Option<TranspositionTable<settled::SettledEntry>>,
    nodes: u64,
}

/// Memories of the searches by number of players, allocated when first needed.
#[derive(Default)]
struct WhistLoneMemories {
    three: Option<TranspositionTable<alone::WhistLoneEntry<3>>>,
    four: Option<TranspositionTable<alone::WhistLoneEntry<4>>>,
    five: Option<TranspositionTable<alone::WhistLoneEntry<5>>>,
    six: Option<TranspositionTable<alone::WhistLoneEntry<6>>>,
}

/// Slots of a memory, as a power of two.
const SLOTS: u32 = 18;

impl Solver {
    /// A solver that has allocated no memory yet.
    pub fn new() -> Solver {
        Solver::default()
    }

    /// How many positions between tricks it has searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The result of every seat after each legal card, if every player plays for
    /// the worth of their tricks.
    pub fn values(
        &mut self,
        play: &Play,
        worth: &TrickWorth,
        limit: Limit<'_>,
    ) -> Result<ArrayVec<(Card, BySeat<f64>), 8>, Stopped> {
        let Solver { shapes, alone, nodes, .. } = self;
        match play.players() {
            3 => values::<3>(play, worth, shapes, &mut alone.three, limit, nodes),
            4 => values::<4>(play, worth, shapes, &mut alone.four, limit, nodes),
            5 => values::<5>(play, worth, shapes, &mut alone.five, limit, nodes),
            _ => values::<6>(play, worth, shapes, &mut alone.six, limit, nodes),
        }
    }

    /// The final tricks of every seat after each legal card, if every player plays for
    /// the worth of their tricks and chooses one of several equally good cards by the
    /// salt.
    pub fn settled(
        &mut self,
        play: &Play,
        worth: &TrickWorth,
        salt: u64,
        limit: Limit<'_>,
    ) -> Result<ArrayVec<(Card, BySeat<u8>), 8>, Stopped> {
        let memory = self.settled.get_or_insert_with(|| TranspositionTable::new(SLOTS));
        let with = (&mut self.shapes, memory);
        match play.players() {
            3 => settled::<3>(play, worth, salt, with, limit, &mut self.nodes),
            4 => settled::<4>(play, worth, salt, with, limit, &mut self.nodes),
            5 => settled::<5>(play, worth, salt, with, limit, &mut self.nodes),
            _ => settled::<6>(play, worth, salt, with, limit, &mut self.nodes),
        }
    }

    /// How many of all tricks the seat and its partner opposite take after each
    /// legal card, if every player plays for the tricks of their partnership. Empty
    /// unless there are four players.
    pub fn tricks(
        &mut self,
        play: &Play,
        seat: Seat,
        limit: Limit<'_>,
    ) -> Result<ArrayVec<(Card, u8), 8>, Stopped> {
        let Some((root, mut search)) = self.partners(play, seat, limit) else {
            return Ok(ArrayVec::new());
        };
        let mut values = ArrayVec::new();
        let mut cards = root.legal;
        let mut guess = search.guess(&root.laid);
        while cards != 0 {
            let card = lowest(cards);
            cards &= !card;
            let value =
                close_in(guess, root.rest, |bar| search.after(&root.laid, root.to_come, card, bar));
            if search.meter.stopped {
                break;
            }
            guess = value;
            values.extend(root.lanes.card(card).map(|card| (card, root.before + value as u8)));
        }
        let (stopped, nodes_searched) = (search.meter.stopped, search.meter.nodes);
        self.nodes += nodes_searched;
        if stopped { Err(Stopped) } else { Ok(values) }
    }

    /// The best of [`tricks`](Solver::tricks), with less work.
    pub fn best_tricks(
        &mut self,
        play: &Play,
        seat: Seat,
        limit: Limit<'_>,
    ) -> Result<u8, Stopped> {
        let Some((root, mut search)) = self.partners(play, seat, limit) else { return Ok(0) };
        let guess = search.guess(&root.laid);
        let value = close_in(guess, root.rest, |bar| search.best(&root.laid, root.to_come, bar));
        let (stopped, nodes_searched) = (search.meter.stopped, search.meter.nodes);
        self.nodes += nodes_searched;
        if stopped { Err(Stopped) } else { Ok(root.before + value as u8) }
    }

    fn partners<'a>(
        &'a mut self,
        play: &Play,
        seat: Seat,
        limit: Limit<'a>,
    ) -> Option<(WhistCampRoot, camps::WhistCampSearch<'a>)> {
        let turn = play.turn().filter(|_| play.players() == 4)?;
        let lanes = Lanes::new(in_hands(play));
        let hands = Seat::first(4).map(|seat| lanes.places(play.hand(seat)));
        let hands: [u64; 4] = hands.collect::<ArrayVec<u64, 4>>().into_inner().ok()?;
        self.ranks.set_hands(&lanes, &hands);
        let trumps = play.trump().map_or(0, |suit| lane(suit as u32));
        let (led, beating, winner) = on_table(play, &lanes, trumps);
        let left = hands.iter().fold(0, |all, hand| all | hand);
        let laid = camps::WhistCampTrick {
            left,
            led,
            beating,
            // Any card of the suit will do: no stored result depends on this trick.
            best: lowest(led),
            contested: false,
            winner: winner as u8,
            seat: turn.index() as u8,
            rest: play.hand(turn).len() as i8 - 1,
        };
        let ours = |other: &Seat| other.index() & 1 == seat.index() & 1;
        let root = WhistCampRoot {
            legal: lanes.places(play.legal()),
            rest: play.hand(turn).len() as i8,
            before: Seat::first(4).filter(ours).map(|seat| play.taken(seat)).sum(),
            to_come: 4 - play.laid(),
            laid,
            lanes,
        };
        let first = seat.index() & 1 == 0;
        let Solver { ranks, answers, .. } = self;
        let search = camps::WhistCampSearch::new(hands, first, trumps, ranks, answers, limit);
        Some((root, search))
    }
}

/// A position with partners, opened for search.
struct WhistCampRoot {
    laid: camps::WhistCampTrick,
    /// The number of cards still to come in the trick.
    to_come: usize,
    lanes: Lanes,
    legal: u64,
    /// The tricks to come, and those that the partners have taken.
    rest: i8,
    before: u8,
}

/// Moves the bar from a guess until both bounds of the value meet.
fn close_in(guess: i8, most: i8, mut reaches: impl FnMut(i8) -> bool) -> i8 {
    let (mut low, mut high) = (0, most);
    let mut bar = guess.clamp(1, most.max(1));
    while low < high {
        if reaches(bar) {
            low = bar;
            bar = low + 1;
        } else {
            high = bar - 1;
            bar = high;
        }
    }
    low
}

fn in_hands(play: &Play) -> CardSet {
    let hands = Seat::first(play.players()).map(|seat| play.hand(seat));
    hands.fold(CardSet::EMPTY, |all, hand| all | hand)
}

/// The suit led, the cards that would take the trick now, and the seat that is winning.
fn on_table(play: &Play, lanes: &Lanes, trumps: u64) -> (u64, u64, usize) {
    let Some(lead) = play.lead() else {
        return (0, u64::MAX, play.turn().unwrap_or_default().index());
    };
    // The best card has left its hand and has no place in the lanes: the cards that
    // beat it are found among those left.
    let above = lanes.places(in_hands(play) & CardSet::above(lead.best));
    let trumped = play.trump() == Some(lead.best.suit());
    let beating = if trumped { above } else { above | trumps };
    (lane(lead.suit as u32), beating, lead.winner.index())
}

/// A position of lone players, opened for search.
struct WhistLoneRoot<const N: usize> {
    lanes: Lanes,
    hands: [u64; N],
    trumps: u64,
    laid: alone::WhistLoneTrick,
}

impl<const N: usize> WhistLoneRoot<N> {
    fn new(play: &Play, shapes: &mut Shapes) -> WhistLoneRoot<N> {
        let lanes = Lanes::new(in_hands(play));
        let seats: [Seat; N] = core::array::from_fn(|at| Seat::new(at).unwrap_or_default());
        let hands = seats.map(|seat| lanes.places(play.hand(seat)));
        shapes.set_hands(&lanes, &hands);
        let trumps = play.trump().map_or(0, |suit| lane(suit as u32));
        let (led, beating, winner) = on_table(play, &lanes, trumps);
        let laid = alone::WhistLoneTrick {
            left: hands.iter().fold(0, |all, hand| all | hand),
            taken: seats.map(|seat| u32::from(play.taken(seat)) << (4 * seat.index())).iter().sum(),
            led,
            beating,
            winner,
            seat: play.turn().unwrap_or_default().index(),
            to_come: N - play.laid(),
        };
        WhistLoneRoot { lanes, hands, trumps, laid }
    }

    /// Evaluates every legal card; of equivalent cards, only one.
    fn evaluate_each<T: Copy>(
        &self,
        play: &Play,
        shapes: &Shapes,
        mut evaluate: impl FnMut(u64) -> T,
    ) -> ArrayVec<(Card, T), 8> {
        let table = alone::WhistLoneDeal { hands: self.hands, trumps: self.trumps, shapes };
        let mut answers = ArrayVec::new();
        let mut cards = self.lanes.places(play.legal());
        while cards != 0 {
            let mut same = table.neighbours(&self.laid, cards);
            cards &= !same;
            let answer = evaluate(lowest(same));
            while same != 0 {
                answers.extend(self.lanes.card(lowest(same)).map(|card| (card, answer)));
                same &= same - 1;
            }
        }
        answers.sort_unstable_by_key(|(card, _)| *card);
        answers
    }
}

fn values<const N: usize>(
    play: &Play,
    worth: &TrickWorth,
    shapes: &mut Shapes,
    memory: &mut Option<TranspositionTable<alone::WhistLoneEntry<N>>>,
    limit: Limit<'_>,
    nodes: &mut u64,
) -> Result<ArrayVec<(Card, BySeat<f64>), 8>, Stopped> {
    let root = WhistLoneRoot::<N>::new(play, shapes);
    let memory = memory.get_or_insert_with(|| TranspositionTable::new(SLOTS));
    memory.clear();
    let worths = alone::TrickWorths::new(core::array::from_fn(|seat| worth.0[seat]));
    let cards = alone::WhistLoneDeal { hands: root.hands, trumps: root.trumps, shapes };
    let mut search = alone::WhistLoneSearch { cards, worths, memory, meter: Meter::new(limit) };
    let values = root.evaluate_each(play, shapes, |card| {
        let outcome = search.after(root.laid, card);
        BySeat::from_fn(N, |seat: Seat| outcome[seat.index()])
    });
    *nodes += search.meter.nodes;
    if search.meter.stopped { Err(Stopped) } else { Ok(values) }
}

fn settled<const N: usize>(
    play: &Play,
    worth: &TrickWorth,
    salt: u64,
    (shapes, memory): (&mut Shapes, &mut TranspositionTable<settled::SettledEntry>),
    limit: Limit<'_>,
    nodes: &mut u64,
) -> Result<ArrayVec<(Card, BySeat<u8>), 8>, Stopped> {
    let root = WhistLoneRoot::<N>::new(play, shapes);
    memory.clear();
    let worth = core::array::from_fn(|seat| worth.0[seat]);
    let (worths, most) = (alone::TrickWorths::new(worth), settled::most(&worth));
    let cards = alone::WhistLoneDeal { hands: root.hands, trumps: root.trumps, shapes };
    let meter = Meter::new(limit);
    let mut search = settled::SettledSearch { cards, worths, most, memory, meter, salt };
    let values = root.evaluate_each(play, shapes, |card| {
        let taken = search.after(root.laid, card);
        BySeat::from_fn(N, |seat: Seat| (taken >> (4 * seat.index()) & 15) as u8)
    });
    *nodes += search.meter.nodes;
    if search.meter.stopped { Err(Stopped) } else { Ok(values) }
}
