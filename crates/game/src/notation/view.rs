//! Views as text: what one seat knows, as a rules code and `key=value` fields.

use core::fmt;
use core::str::FromStr;

use cards::{BySeat, CardSet, Seat};

use super::fields::Fields;
use super::{NotationFault, Text, card, card_text, each_text, list, list_text, set, set_text};
use crate::auction::Auction;
use crate::cruce::BidOn;
use crate::event::{OpenEvent, SeatEvent, Viewer};
use crate::public::{Phase, Public};
use crate::rules::Rules;
use crate::view::View;

const FIELDS: &[&str] = &[
    "seat",
    "deal",
    "first",
    "score",
    "runs",
    "phase",
    "hand",
    "turned",
    "bids",
    "play",
    "drawn",
    "challenges",
    "accepted",
];

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let public = &self.public;
        let pack = public.rules.pack();
        let seat = match self.viewer() {
            Viewer::Seat(seat) => seat.number().to_string(),
            Viewer::Spectator => "-".into(),
        };
        write!(f, "{} seat={seat} deal={}", public.rules, public.number + 1)?;
        write!(
            f,
            " first={} score={}",
            public.first.number(),
            each_text(&public.score, i32::to_string)
        )?;
        if matches!(public.rules, Rules::Whist(_)) {
            write!(f, " runs={}", each_text(&public.runs, i8::to_string))?;
        }
        let auction = match &public.phase {
            Phase::Dealing => return f.write_str(" phase=dealing"),
            Phase::Over => return f.write_str(" phase=over"),
            Phase::Bidding(auction) => auction,
            Phase::Playing(round) => &round.auction,
        };
        if let Some(own) = &self.own {
            write!(f, " hand={}", set_text(pack, own.hand))?;
        }
        if let Some(turned) = auction.turned() {
            write!(f, " turned={}", card_text(pack, turned))?;
        }
        if !auction.bids.is_empty() {
            let bids: Vec<String> = auction.bids.iter().map(ToString::to_string).collect();
            write!(f, " bids={}", bids.join("."))?;
        }
        let Some(round) = public.round() else { return Ok(()) };
        let mut plays = Vec::new();
        for trick in round.tricks.iter().chain([&round.trick]) {
            for (at, card) in trick.cards().iter().enumerate() {
                let called = if at == 0 && trick.called() { "!" } else { "" };
                plays.push(format!("{}{called}", card_text(pack, *card)));
            }
        }
        if !plays.is_empty() {
            write!(f, " play={}", plays.join("."))?;
        }
        if !self.drawn().is_empty() {
            write!(f, " drawn={}", list_text(pack, self.drawn()))?;
        }
        if !round.challenges.is_empty() {
            let challenges = round
                .challenges
                .iter()
                .map(|c| format!("{}:{}:{}", c.by.number(), c.trick + 1, c.accused.number()));
            write!(f, " challenges={}", challenges.collect::<Vec<_>>().join("."))?;
        }
        let accepted = round.accepted.entries().filter(|(_, accepted)| **accepted);
        let accepted: Vec<String> = accepted.map(|(seat, _)| seat.number().to_string()).collect();
        if !accepted.is_empty() {
            write!(f, " accepted={}", accepted.join("."))?;
        }
        Ok(())
    }
}

impl FromStr for View {
    type Err = NotationFault;

    fn from_str(text: &str) -> Result<View, NotationFault> {
        let (rules, fields) = Fields::read(Text::new(text, 1), FIELDS)?;
        let seat_at = fields.need("seat")?;
        let viewer = if seat_at.rest == "-" {
            Viewer::Spectator
        } else {
            Viewer::Seat(seat_at.seat(&rules)?)
        };
        let start = match_state(rules, &fields)?;
        match fields.get("phase") {
            Some(phase) => {
                for name in &FIELDS[6..] {
                    fields.forbid(name, "while no deal is in progress")?;
                }
                between_deals(start, viewer, phase)
            }
            None => in_progress(start, viewer, &fields),
        }
    }
}

/// The state of the match outside the deal.
fn match_state(rules: Rules, fields: &Fields<'_>) -> Result<Public, NotationFault> {
    let first = fields.get("first").map_or(Ok(Seat::default()), |text| text.seat(&rules))?;
    let mut public = Public::new(rules, first);
    if let Some(text) = fields.get("deal") {
        let number = text.number(999_999)?;
        public.number = number.checked_sub(1).ok_or_else(|| text.expected("a deal from 1 on"))?;
    }
    if let Some(text) = fields.get("score") {
        public.score = text.each(rules.sides(), "scores", |text| text.signed())?;
    }
    match (&rules, fields.get("runs")) {
        (Rules::Whist(_), Some(text)) => {
            let run = |text: Text<'_>| match text.signed()? {
                run @ -4..=4 => Ok(run as i8),
                _ => Err(text.expected("a run from -4 to 4")),
            };
            public.runs = text.each(rules.players(), "runs", run)?;
        }
        (Rules::Cruce(_), Some(text)) => return Err(text.expected("no runs= in Cruce")),
        (_, None) => {}
    }
    Ok(public)
}

fn between_deals(
    mut public: Public,
    viewer: Viewer,
    phase: Text<'_>,
) -> Result<View, NotationFault> {
    let over = public.winners().is_some();
    public.phase = match (phase.rest, over) {
        ("over", true) => Phase::Over,
        ("dealing", false) => Phase::Dealing,
        ("over", false) => return Err(phase.expected("a score that ends the match")),
        ("dealing", true) => return Err(phase.expected("over, with this score")),
        _ => return Err(phase.expected("dealing or over")),
    };
    let exists = public.phase == Phase::Over || public.rules.cards_each(public.number()).is_some();
    if !exists {
        return Err(phase.expected("a deal that the match has"));
    }
    let own = View::new(public.rules, public.first, viewer).own;
    Ok(View { public, own })
}

/// Applies the events twice: first as a spectator sees them, to find the cards
/// that the viewer has played, and then as the viewer sees them.
fn in_progress(start: Public, viewer: Viewer, fields: &Fields<'_>) -> Result<View, NotationFault> {
    let spectator = View { public: start.clone(), own: None };
    let watched = apply_fields(spectator, fields, CardSet::EMPTY)?;
    let Viewer::Seat(seat) = viewer else {
        fields.forbid("hand", "for a spectator")?;
        fields.forbid("drawn", "for a spectator")?;
        return Ok(watched);
    };
    let rules = start.rules;
    let hand_at = fields.need("hand")?;
    let mut dealt = set(rules.pack(), hand_at)?;
    if let Some(card) = (dealt & watched.public.cards_seen()).lowest() {
        let name = card_text(rules.pack(), card);
        return Err(hand_at.expected(format!("no {name}, which lies on the table")));
    }
    if let Some(round) = watched.public.round() {
        for trick in round.tricks.iter().chain([&round.trick]) {
            dealt = trick.card_of(seat, rules.players()).map_or(dealt, |card| dealt.with(card));
        }
    }
    if let Some(text) = fields.get("drawn") {
        for (card, _, place) in list(rules.pack(), text, 4)? {
            if !dealt.remove(card) {
                return Err(place.expected("a card that is or was in hand, once"));
            }
        }
    }
    let cards_each = rules.cards_each(start.number()).unwrap_or_default();
    let bidding = matches!(watched.public.phase, Phase::Bidding(_));
    let holds = if bidding { rules.opening(cards_each) } else { cards_each };
    if dealt.len() != holds {
        return Err(hand_at.expected(format!("a hand that was dealt {holds} cards")));
    }
    let own = View::new(rules, start.first, viewer).own;
    apply_fields(View { public: start, own }, fields, dealt)
}

fn apply_fields(
    mut view: View,
    fields: &Fields<'_>,
    dealt: CardSet,
) -> Result<View, NotationFault> {
    let rules = view.public.rules;
    let pack = rules.pack();
    let turned = fields.get("turned").map(|text| card(pack, text)).transpose()?;
    let turned_at = fields.get("turned").unwrap_or(fields.end());
    let own_seat = view.own.as_ref().map(|own| own.seat);
    // Which three were seen first no longer matters once the rest is dealt.
    let opening: CardSet = match &rules {
        Rules::Cruce(r) if r.spec().bid_on == BidOn::Three => dealt.iter().take(3).collect(),
        _ => dealt,
    };
    view.apply(&SeatEvent::Dealt { hand: own_seat.map(|_| opening), turned })
        .map_err(|_| turned_at.expected("a card turned up just where this deal has trump"))?;
    for (bid, place) in fields.bids(rules.players())? {
        let seat = view.public.turn().ok_or_else(|| place.expected("no more bids"))?;
        view.apply(&SeatEvent::Open(OpenEvent::Bid { seat, bid }))
            .map_err(|_| place.expected("a legal bid"))?;
    }
    if let Some(contract) = view.public.contract_bid() {
        // The event follows from the bids, so it fits.
        let _ = view.apply(&SeatEvent::Open(OpenEvent::Declared(contract)));
        let _ = view.apply(&SeatEvent::Completed { rest: own_seat.map(|_| dealt - opening) });
    } else if all_passed(&view.public) {
        return Err(fields.end().expected("phase=dealing, since every player passed"));
    }
    let mut drawn = match fields.get("drawn") {
        Some(text) => list(pack, text, 4)?,
        None => Vec::new(),
    }
    .into_iter();
    if let Some(text) = fields.get("play") {
        for (card, called, place) in list(pack, text, 48)? {
            let fault = || place.expected("a card that can have been played here");
            let seat = view.public.turn().ok_or_else(fault)?;
            let call = called.then(|| view.public.call_points(card));
            view.apply(&SeatEvent::Open(OpenEvent::Played { seat, card, call }))
                .map_err(|_| fault())?;
            if let Some((seat, points)) = view.public.full_trick() {
                let _ = view.apply(&SeatEvent::Open(OpenEvent::Took { seat, points }));
            }
            while let Some(seat) = view.public.next_to_draw() {
                let card = match own_seat {
                    Some(own) if own == seat => drawn.next().map(|(card, _, _)| card),
                    _ => None,
                };
                view.apply(&SeatEvent::Drew { seat, card })
                    .map_err(|_| fields.end().expected("drawn= with every card drawn so far"))?;
            }
        }
    }
    if own_seat.is_some()
        && let Some((_, _, place)) = drawn.next()
    {
        return Err(place.expected("only cards drawn so far"));
    }
    if view.public.awaits_acceptance() && !rules.honour() {
        return Err(fields.end().expected("phase=dealing, since the deal is over"));
    }
    apply_challenges(&mut view, fields)?;
    Ok(view)
}

fn all_passed(public: &Public) -> bool {
    let full = |auction: &Auction| auction.is_over();
    matches!(&public.phase, Phase::Bidding(auction) if full(auction))
}

fn apply_challenges(view: &mut View, fields: &Fields<'_>) -> Result<(), NotationFault> {
    let rules = view.public.rules;
    if let Some(text) = fields.get("challenges") {
        for place in text.pieces('.') {
            let mut rest = place;
            let by = rest.split(':').seat(&rules)?;
            let trick_at = rest.split(':');
            let trick = trick_at
                .number(12)?
                .checked_sub(1)
                .ok_or_else(|| trick_at.expected("a trick from 1 on"))?;
            let accused = rest.seat(&rules)?;
            let happened = OpenEvent::Challenged { by, trick: trick as u8, accused, broken: None };
            view.apply(&SeatEvent::Open(happened))
                .map_err(|_| place.expected("a challenge that could be made"))?;
        }
    }
    if let Some(text) = fields.get("accepted") {
        let mut accepted = BySeat::filled(false, rules.players());
        for place in text.pieces('.') {
            let seat = place.seat(&rules)?;
            accepted[seat] = true;
            view.apply(&SeatEvent::Open(OpenEvent::Accepted { seat }))
                .map_err(|_| place.expected("a seat that may accept the deal"))?;
        }
        if accepted.iter().all(|accepted| *accepted) {
            return Err(text.expected("phase=dealing, since every player has accepted"));
        }
    }
    Ok(())
}
