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
use crate::memory::Memory;
use lanes::{Lanes, Shapes, lane, lowest};
use ranks::{Answers, Ranks};

/// What so many tricks are worth to each seat, from none to eight.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrickWorth(pub [[f64; 9]; MAX_SEATS]);

impl TrickWorth {
    /// Every seat plays to be as near to its bid as it can.
    pub fn near(bids: &BySeat<u8>) -> TrickWorth {
        let bids = bids.padded();
        TrickWorth(core::array::from_fn(|seat| {
            core::array::from_fn(|tricks| -(tricks as f64 - f64::from(bids[seat])).abs())
        }))
    }
}

/// Answers questions about positions of whist; it keeps its memory from one to
/// the next, and nothing that would change an answer.
#[derive(Default)]
pub struct Solver {
    shapes: Shapes,
    ranks: Ranks,
    answers: Answers,
    alone: WhistLoneMemories,
    settled: Option<Memory<settled::SettledEntry>>,
    nodes: u64,
}

/// Memories of the searches for so many players, made when they are first needed.
#[derive(Default)]
struct WhistLoneMemories {
    three: Option<Memory<alone::WhistLoneEntry<3>>>,
    four: Option<Memory<alone::WhistLoneEntry<4>>>,
    five: Option<Memory<alone::WhistLoneEntry<5>>>,
    six: Option<Memory<alone::WhistLoneEntry<6>>>,
}

/// Slots of a memory, as a power of two.
const SLOTS: u32 = 18;

impl Solver {
    /// A solver without memory yet.
    pub fn new() -> Solver {
        Solver::default()
    }

    /// How many positions between tricks it has looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What every seat gets after each legal card, if everybody plays for what
    /// his tricks are worth to him.
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

    /// The tricks that everybody has in the end after each legal card, if everybody
    /// plays for what they are worth to him and settles for one of the cards that
    /// are equally good to him; for which one follows from the salt.
    pub fn settled(
        &mut self,
        play: &Play,
        worth: &TrickWorth,
        salt: u64,
        limit: Limit<'_>,
    ) -> Result<ArrayVec<(Card, BySeat<u8>), 8>, Stopped> {
        let memory = self.settled.get_or_insert_with(|| Memory::new(SLOTS));
        let with = (&mut self.shapes, memory);
        match play.players() {
            3 => settled::<3>(play, worth, salt, with, limit, &mut self.nodes),
            4 => settled::<4>(play, worth, salt, with, limit, &mut self.nodes),
            5 => settled::<5>(play, worth, salt, with, limit, &mut self.nodes),
            _ => settled::<6>(play, worth, salt, with, limit, &mut self.nodes),
        }
    }

    /// How many of all tricks the seat and its partner opposite take after each
    /// legal card, if everybody plays for his partnership's tricks. Only four
    /// players have partners: nothing for others.
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
                near(guess, root.rest, |bar| search.after(&root.laid, root.to_come, card, bar));
            if search.meter.stopped {
                break;
            }
            guess = value;
            values.extend(root.lanes.card(card).map(|card| (card, root.before + value as u8)));
        }
        let (stopped, looked) = (search.meter.stopped, search.meter.nodes);
        self.nodes += looked;
        if stopped { Err(Stopped) } else { Ok(values) }
    }

    /// The best of [`tricks`](Solver::tricks), which needs less work.
    pub fn best_tricks(
        &mut self,
        play: &Play,
        seat: Seat,
        limit: Limit<'_>,
    ) -> Result<u8, Stopped> {
        let Some((root, mut search)) = self.partners(play, seat, limit) else { return Ok(0) };
        let guess = search.guess(&root.laid);
        let value = near(guess, root.rest, |bar| search.best(&root.laid, root.to_come, bar));
        let (stopped, looked) = (search.meter.stopped, search.meter.nodes);
        self.nodes += looked;
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
        self.ranks.hold(&lanes, &hands);
        let trumps = play.trump().map_or(0, |suit| lane(suit as u32));
        let (led, beating, winner) = on_table(play, &lanes, trumps);
        let left = hands.iter().fold(0, |all, hand| all | hand);
        let laid = camps::WhistCampTrick {
            left,
            led,
            beating,
            // Any card of the suit does: no answer below depends on this trick.
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
    /// Cards to come to the trick.
    to_come: usize,
    lanes: Lanes,
    legal: u64,
    /// Tricks to come, and those the partners have.
    rest: i8,
    before: u8,
}

/// Moves the bar from a guess until both sides of the value meet.
fn near(guess: i8, most: i8, mut reaches: impl FnMut(i8) -> bool) -> i8 {
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

/// The suit led, what would take the trick now, and who is winning it.
fn on_table(play: &Play, lanes: &Lanes, trumps: u64) -> (u64, u64, usize) {
    let Some(lead) = play.lead() else {
        return (0, u64::MAX, play.turn().unwrap_or_default().index());
    };
    // The best card has left its hand and has no place: what beats it is found
    // among the cards that are left.
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
        shapes.hold(&lanes, &hands);
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

    /// Asks about every legal card; of cards that come to the same, once.
    fn each<T: Copy>(
        &self,
        play: &Play,
        shapes: &Shapes,
        mut ask: impl FnMut(u64) -> T,
    ) -> ArrayVec<(Card, T), 8> {
        let table = alone::WhistLoneDeal { hands: self.hands, trumps: self.trumps, shapes };
        let mut answers = ArrayVec::new();
        let mut cards = self.lanes.places(play.legal());
        while cards != 0 {
            let mut same = table.neighbours(&self.laid, cards);
            cards &= !same;
            let answer = ask(lowest(same));
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
    memory: &mut Option<Memory<alone::WhistLoneEntry<N>>>,
    limit: Limit<'_>,
    nodes: &mut u64,
) -> Result<ArrayVec<(Card, BySeat<f64>), 8>, Stopped> {
    let open = WhistLoneRoot::<N>::new(play, shapes);
    let memory = memory.get_or_insert_with(|| Memory::new(SLOTS));
    memory.forget();
    let worths = alone::TrickWorths::new(core::array::from_fn(|seat| worth.0[seat]));
    let cards = alone::WhistLoneDeal { hands: open.hands, trumps: open.trumps, shapes };
    let mut search = alone::WhistLoneSearch { cards, worths, memory, meter: Meter::new(limit) };
    let values = open.each(play, shapes, |card| {
        let outcome = search.after(open.laid, card);
        BySeat::from_fn(N, |seat: Seat| outcome[seat.index()])
    });
    *nodes += search.meter.nodes;
    if search.meter.stopped { Err(Stopped) } else { Ok(values) }
}

fn settled<const N: usize>(
    play: &Play,
    worth: &TrickWorth,
    salt: u64,
    (shapes, memory): (&mut Shapes, &mut Memory<settled::SettledEntry>),
    limit: Limit<'_>,
    nodes: &mut u64,
) -> Result<ArrayVec<(Card, BySeat<u8>), 8>, Stopped> {
    let open = WhistLoneRoot::<N>::new(play, shapes);
    memory.forget();
    let worth = core::array::from_fn(|seat| worth.0[seat]);
    let (worths, most) = (alone::TrickWorths::new(worth), settled::most(&worth));
    let cards = alone::WhistLoneDeal { hands: open.hands, trumps: open.trumps, shapes };
    let meter = Meter::new(limit);
    let mut search = settled::SettledSearch { cards, worths, most, memory, meter, salt };
    let values = open.each(play, shapes, |card| {
        let taken = search.after(open.laid, card);
        BySeat::from_fn(N, |seat: Seat| (taken >> (4 * seat.index()) & 15) as u8)
    });
    *nodes += search.meter.nodes;
    if search.meter.stopped { Err(Stopped) } else { Ok(values) }
}
