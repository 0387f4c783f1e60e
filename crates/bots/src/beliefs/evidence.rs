//! What a view proves about the cards that it does not show.
//!
//! Only hard facts count, never what a sensible player would have done: the number of cards in each
//! hand, cards shown by a call (C10), and cards that a player cannot have held because their play
//! would have broken a duty (C8, W5) or their lead would have been a call (C10, `automatic`). Bids
//! prove nothing.

use arrayvec::ArrayVec;
use cards::{BySeat, CardSet, MAX_SEATS, Seat};
use game::duty::ruled_out;
use game::public::{Phase, Round};
use game::trick::Lead;
use game::{Rules, View, Viewer, cruce};

use super::draws::Draws;

/// A place for cards that the viewer does not see: a hand, or the cards outside the hands, which are
/// the stock of Cruce for two or the undealt cards of whist.
#[derive(Clone, Copy, Debug)]
pub(super) struct Holder {
    /// The seat of the hand; `None` for the cards outside the hands.
    pub(super) seat: Option<Seat>,
    /// The cards that are certainly there.
    pub(super) sure: CardSet,
    /// The other cards that can be there, each by itself.
    pub(super) may: CardSet,
    /// The number of other cards that are there.
    pub(super) room: u8,
}

/// All places: the hands, then the cards outside them.
pub(super) type Holders = ArrayVec<Holder, { MAX_SEATS + 1 }>;

/// What a view proves.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    /// The places of the cards. All cards except those that were played, or turned up in whist (W3),
    /// are in one of them.
    pub(super) holders: Holders,
    /// The cards that can be in several places.
    pub(super) open: CardSet,
    /// Whether the cards outside the hands will be drawn in their order (C13).
    pub(super) stock: bool,
    /// The other seat that draws from the stock (C13).
    pub(super) other: Option<Seat>,
    /// When their cards can have come.
    pub(super) draws: Draws,
}

impl Evidence {
    /// The evidence of a view; `None` if no deal is in progress, if the viewer has no seat, or if the
    /// view contradicts itself.
    pub(super) fn of(view: &View) -> Option<Evidence> {
        let Viewer::Seat(own) = view.viewer() else { return None };
        let (public, rules) = (view.public(), view.public().rules());
        let (round, cards_each) = match public.phase() {
            Phase::Bidding(auction) => (None, auction.cards_each()),
            Phase::Playing(round) => (Some(round), round.auction().cards_each()),
            Phase::Dealing | Phase::Over => return None,
        };
        let nothing = BySeat::filled(CardSet::EMPTY, rules.players());
        let mut sure = round.map_or(nothing, |round| *round.shown());
        sure[own] = view.hand();
        let placed = sure.iter().fold(public.cards_seen(), |all, hand| all | *hand);
        let open = rules.pack().cards() - placed;

        let other = (rules.stock() > 0).then(|| own.next(2));
        let (cannot, draws) = match (round, other) {
            (None, _) => (nothing, Draws::default()),
            (Some(round), None) => (voids(rules, round)?, Draws::default()),
            (Some(round), Some(other)) => drawing(rules, round, other),
        };
        let mut holders = Holders::new();
        for (seat, sure) in sure.entries() {
            let held = cards_each + drawn_by(rules, round, seat) - played_by(rules, round, seat);
            let room = held.checked_sub(sure.len())? as u8;
            holders.push(Holder { seat: Some(seat), sure: *sure, may: open - cannot[seat], room });
        }
        let room: usize = holders.iter().map(|holder| usize::from(holder.room)).sum();
        let beside = open.len().checked_sub(room)? as u8;
        holders.push(Holder { seat: None, sure: CardSet::EMPTY, may: open, room: beside });
        let stock = rules.stock() > 0;
        Evidence { holders, open, stock, other, draws }.settled()
    }

    /// Moves cards that can be in only one place to the certain ones, until there are none; `None` if a
    /// card can be nowhere.
    fn settled(mut self) -> Option<Evidence> {
        loop {
            let (mut some, mut several) = (CardSet::EMPTY, CardSet::EMPTY);
            for holder in &mut self.holders {
                let full = holder.room == 0;
                holder.may = if full { CardSet::EMPTY } else { holder.may & self.open };
                several |= some & holder.may;
                some |= holder.may;
            }
            if some != self.open {
                return None;
            }
            let single = some - several;
            if single.is_empty() {
                return Some(self);
            }
            for holder in &mut self.holders {
                let lie = holder.may & single;
                holder.room = holder.room.checked_sub(lie.len() as u8)?;
                holder.sure |= lie;
            }
            self.open -= single;
        }
    }
}

/// The number of cards that a seat has played.
fn played_by(rules: &Rules, round: Option<&Round>, seat: Seat) -> usize {
    round.map_or(0, |round| {
        round.tricks().len() + usize::from(round.trick().card_of(seat, rules.players()).is_some())
    })
}

/// The number of cards that a seat has drawn from the stock: one after each trick, the winner first
/// (C13).
fn drawn_by(rules: &Rules, round: Option<&Round>, seat: Seat) -> usize {
    let Some(round) = round else { return 0 };
    let drawn = rules.stock() - round.stock();
    let drawers = round.tricks().iter().flat_map(|trick| {
        let winner = trick.winner();
        [winner, winner.next(2)]
    });
    drawers.take(drawn).filter(|drawer| *drawer == seat).count()
}

/// The cards that each seat cannot hold in games without a stock: those it did not hold once. `None`
/// if a seat has played or shown such a card after that.
fn voids(rules: &Rules, round: &Round) -> Option<BySeat<CardSet>> {
    let mut cannot = BySeat::filled(CardSet::EMPTY, rules.players());
    each_absence(rules, round, |_, seat, cards| cannot[seat] |= cards);
    let tricks = round.tricks().iter().chain([round.trick()]);
    let mut plays = tricks.flat_map(|trick| trick.plays(rules.players()));
    let mut shown = round.shown().entries();
    let contradicted = plays.any(|(seat, card)| cannot[seat].contains(card))
        || shown.any(|(seat, shown)| !(*shown & cannot[seat]).is_empty());
    (!contradicted).then_some(cannot)
}

/// The cards that the seats of Cruce for two cannot hold, and when the cards of the other can have
/// come (C13).
fn drawing(rules: &Rules, round: &Round, other: Seat) -> (BySeat<CardSet>, Draws) {
    let mut absent = [CardSet::EMPTY; 12];
    each_absence(rules, round, |trick, seat, cards| {
        if seat == other {
            absent[trick] |= cards;
        }
    });
    // Cards that they did not hold in a trick after which they have not drawn are not in the hand.
    let drawn = drawn_by(rules, Some(round), other);
    let mut cannot = BySeat::filled(CardSet::EMPTY, 2);
    cannot[other] = absent[drawn..].iter().fold(CardSet::EMPTY, |all, cards| all | *cards);
    (cannot, Draws::of(round, other, drawn, &absent))
}

/// Calls `note` for each played card, with its trick and the cards that its player cannot have held
/// at that time; cards that were already on the table are left out.
fn each_absence(rules: &Rules, round: &Round, mut note: impl FnMut(usize, Seat, CardSet)) {
    let overtake = matches!(rules, Rules::Cruce(rules) if rules.spec().overtake);
    let automatic = rules.calls_are_automatic();
    let trump = round.trump();
    let mut seen = CardSet::EMPTY;
    for (at, trick) in round.tricks().iter().chain([round.trick()]).enumerate() {
        let duties = rules.stock() <= 2 * at;
        let mut lead: Option<Lead> = None;
        for (seat, card) in trick.plays(rules.players()) {
            let mut absent = CardSet::EMPTY;
            if duties && is_judged(rules, round, at, seat) {
                absent = ruled_out(card, lead, trump, overtake);
            }
            if lead.is_none() && automatic && !trick.called() {
                absent = cruce::partner_in_pair(card).map_or(absent, |other| absent.with(other));
            }
            note(at, seat, absent - seen);
            seen.insert(card);
            match &mut lead {
                Some(led) if !card.beats(led.best, trump) => {}
                Some(led) => (led.best, led.winner) = (card, seat),
                None => lead = Some(Lead { suit: card.suit(), best: card, winner: seat }),
            }
        }
    }
}

/// Whether a card is known to have broken no duty: the table would have refused it, or on an honour
/// table a player challenged it and was wrong (C15).
fn is_judged(rules: &Rules, round: &Round, trick: usize, seat: Seat) -> bool {
    let cleared = |c: &game::public::Challenge| (usize::from(c.trick), c.accused) == (trick, seat);
    !rules.honour() || round.challenges().iter().any(cleared)
}
