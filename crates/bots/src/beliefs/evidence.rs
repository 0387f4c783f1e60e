//! What a view proves about the cards that it does not show.
//!
//! Only hard facts count, never what a sensible player would have done: how many
//! cards everybody holds, what was shown by a call (C10), and what somebody
//! cannot have held because his card would have broken a duty (C8, W5) or his
//! lead would have been a call (C10, `automatic`). Bids prove nothing.

use arrayvec::ArrayVec;
use cards::{BySeat, CardSet, MAX_SEATS, Seat};
use game::duty::ruled_out;
use game::public::{Phase, Round};
use game::trick::Lead;
use game::{Rules, View, Viewer, cruce};

use super::draws::Draws;

/// A place for cards that the viewer does not see: a hand, or what lies beside
/// the hands, the stock of Cruce in two or the pile that whist leaves undealt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Holder {
    /// Whose hand; nobody's is the stock or the pile.
    pub(super) seat: Option<Seat>,
    /// The cards that certainly lie there.
    pub(super) sure: CardSet,
    /// The others that can, each for itself.
    pub(super) may: CardSet,
    /// How many others do.
    pub(super) room: u8,
}

/// The places there are: the hands, then what lies beside them.
pub(super) type Holders = ArrayVec<Holder, { MAX_SEATS + 1 }>;

/// What a view proves.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    /// Where cards lie. All cards but those that were played, or turned up in
    /// whist (W3), lie somewhere.
    pub(super) holders: Holders,
    /// The cards that lie in one of several places.
    pub(super) open: CardSet,
    /// Whether the cards beside the hands will be drawn in their order (C13).
    pub(super) stock: bool,
    /// Who else draws from the stock (C13).
    pub(super) other: Option<Seat>,
    /// When his cards can have come.
    pub(super) draws: Draws,
}

impl Evidence {
    /// What a view proves; nothing if no deal is in progress, if the viewer has
    /// no seat, or if the view contradicts itself.
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

    /// Puts the cards that can lie in one place only where they lie, until none
    /// is left; nothing if one can lie nowhere.
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

/// How many cards a seat has played.
fn played_by(rules: &Rules, round: Option<&Round>, seat: Seat) -> usize {
    round.map_or(0, |round| {
        round.tricks().len() + usize::from(round.trick().card_of(seat, rules.players()).is_some())
    })
}

/// How many cards a seat has drawn from the stock: one after each trick, the
/// winner first (C13).
fn drawn_by(rules: &Rules, round: Option<&Round>, seat: Seat) -> usize {
    let Some(round) = round else { return 0 };
    let drawn = rules.stock() - round.stock();
    let drawers = round.tricks().iter().flat_map(|trick| {
        let winner = trick.winner();
        [winner, winner.next(2)]
    });
    drawers.take(drawn).filter(|drawer| *drawer == seat).count()
}

/// What each seat cannot hold where nobody draws: what it did not hold once.
/// Nothing if a seat has played such a card, or shown it, after that.
fn voids(rules: &Rules, round: &Round) -> Option<BySeat<CardSet>> {
    let mut cannot = BySeat::filled(CardSet::EMPTY, rules.players());
    each_absence(rules, round, |_, seat, cards| cannot[seat] |= cards);
    let tricks = round.tricks().iter().chain([round.trick()]);
    let mut plays = tricks.flat_map(|trick| trick.plays(rules.players()));
    let mut shown = round.shown().entries();
    let lied = plays.any(|(seat, card)| cannot[seat].contains(card))
        || shown.any(|(seat, shown)| !(*shown & cannot[seat]).is_empty());
    (!lied).then_some(cannot)
}

/// What the seats of Cruce in two cannot hold, and when the cards of the other
/// can have come (C13).
fn drawing(rules: &Rules, round: &Round, other: Seat) -> (BySeat<CardSet>, Draws) {
    let mut absent = [CardSet::EMPTY; 12];
    each_absence(rules, round, |trick, seat, cards| {
        if seat == other {
            absent[trick] |= cards;
        }
    });
    // What he did not hold in a trick after which he has not drawn, he does not hold.
    let drawn = drawn_by(rules, Some(round), other);
    let mut cannot = BySeat::filled(CardSet::EMPTY, 2);
    cannot[other] = absent[drawn..].iter().fold(CardSet::EMPTY, |all, cards| all | *cards);
    (cannot, Draws::of(round, other, drawn, &absent))
}

/// Tells for each card played, with its trick, which cards its player cannot
/// have held at that time; those that lay on the table before are left out.
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

/// Whether a card is known to have broken no duty: the table would have refused
/// it, or on an honour table somebody challenged it and was wrong (C15).
fn is_judged(rules: &Rules, round: &Round, trick: usize, seat: Seat) -> bool {
    let cleared = |c: &game::public::Challenge| (usize::from(c.trick), c.accused) == (trick, seat);
    !rules.honour() || round.challenges().iter().any(cleared)
}
