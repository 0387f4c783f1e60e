//! Positions as text: a rules code and `key=value` fields.

use core::fmt;
use core::str::FromStr;

use arrayvec::ArrayVec;
use cards::{BySide, Card, Suit};

use super::fields::Fields;
use super::{
    NotationFault, NotationFaultKind, Text, card, card_text, each_text, hands_text, list,
    list_text, parse_hands, set_text, stock,
};
use crate::deal::{Deal, DealFault};
use crate::position::{DealStage, InPlay, PlayState, Position, PositionFault};
use crate::rules::Rules;
use crate::trick::Trick;

const FIELDS: &[&str] =
    &["first", "hands", "stock", "turned", "bids", "trump", "lead", "trick", "points", "taken"];

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pack = self.rules.pack();
        write!(f, "{} first={}", self.rules, self.first.number())?;
        match &self.stage {
            DealStage::Bidding(deal) => {
                write!(f, " hands={}", hands_text(pack, &deal.hands, &deal.opening))?;
                if !deal.stock.is_empty() {
                    write!(f, " stock={}", list_text(pack, &deal.stock))?;
                }
            }
            DealStage::Playing { play, .. } => {
                let hands = cards::BySeat::from_fn(play.players(), |seat| play.hand(seat));
                write!(f, " hands={}", each_text(&hands, |hand| set_text(pack, *hand)))?;
                if let InPlay::Cruce(play) = play
                    && !play.stock().is_empty()
                {
                    write!(f, " stock={}", list_text(pack, &play.stock()))?;
                }
            }
        }
        if let Some(turned) = self.turned {
            write!(f, " turned={}", card_text(pack, turned))?;
        }
        if !self.bids.is_empty() {
            let bids: Vec<String> = self.bids.iter().map(ToString::to_string).collect();
            write!(f, " bids={}", bids.join("."))?;
        }
        let DealStage::Playing { play, trick } = &self.stage else { return Ok(()) };
        let trump = match play {
            InPlay::Cruce(play) => play.trump(),
            InPlay::Whist(play) => play.trump().filter(|_| self.turned.is_none()),
        };
        if let Some(trump) = trump {
            write!(f, " trump={}", pack.suit_letter(trump))?;
        }
        write!(f, " lead={}", trick.leader().number())?;
        if !trick.is_empty() {
            let called = if trick.called() { "!" } else { "" };
            let cards = list_text(pack, trick.cards());
            write!(f, " trick={}{called}{}", &cards[..2], &cards[2..])?;
        }
        match play {
            InPlay::Cruce(play) => {
                let points = BySide::from_fn(self.rules.sides(), |side| play.points(side));
                write!(f, " points={}", each_text(&points, u8::to_string))
            }
            InPlay::Whist(play) => {
                let taken = cards::BySeat::from_fn(play.players(), |seat| play.taken(seat));
                write!(f, " taken={}", each_text(&taken, u8::to_string))
            }
        }
    }
}

impl FromStr for Position {
    type Err = NotationFault;

    fn from_str(text: &str) -> Result<Position, NotationFault> {
        let (rules, fields) = Fields::read(Text::new(text, 1), FIELDS)?;
        let pack = rules.pack();
        let first = fields.get("first").map_or(Ok(Default::default()), |text| text.seat(&rules))?;
        let stock = fields.get("stock").map_or(Ok(ArrayVec::new()), |text| stock(pack, text))?;
        let turned = fields.get("turned").map(|text| card(pack, text)).transpose()?;
        if let (Rules::Cruce(_), Some(text)) = (&rules, fields.get("turned")) {
            return Err(text.expected("no turned= in Cruce"));
        }
        let hands_at = fields.need("hands")?;
        let (hands, opening) = parse_hands(&rules, hands_at)?;
        if fields.get("lead").is_some() {
            if opening != hands {
                return Err(hands_at.expected("hands without + once cards are in play"));
            }
            return in_play(rules, &fields, first, turned, hands, &stock);
        }
        for name in ["trump", "trick", "points", "taken"] {
            fields.forbid(name, "before lead= says that the bidding is over")?;
        }
        let deal = Deal { hands, opening, stock, turned };
        // Any deal of this size will do, because a position has no match.
        let cards_each = hands[first].len();
        let number = match &rules {
            Rules::Cruce(_) => 0,
            Rules::Whist(w) => {
                (0..w.deals()).find(|n| w.cards_each(*n) == Some(cards_each)).unwrap_or(usize::MAX)
            }
        };
        deal.check(&rules, number).map_err(|fault| match fault {
            DealFault::Twice { card } => twice(&rules, hands_at, card),
            fault => hands_at.fault(NotationFaultKind::Deal(fault)),
        })?;
        let mut position = Position::new(rules, first, deal);
        for (bid, place) in fields.bids(rules.players())? {
            position
                .bid(bid)
                .map_err(|illegal| place.expected(format!("a legal bid ({illegal})")))?;
        }
        Ok(position)
    }
}

fn in_play(
    rules: Rules,
    fields: &Fields<'_>,
    first: cards::Seat,
    turned: Option<Card>,
    hands: cards::BySeat<cards::CardSet>,
    stock: &[Card],
) -> Result<Position, NotationFault> {
    let pack = rules.pack();
    let leader = fields.need("lead")?.seat(&rules)?;
    let given = fields.get("trump").map(|text| suit(&rules, text)).transpose()?.flatten();
    if let (Some(_), Some(text)) = (turned, fields.get("trump")) {
        return Err(text.expected("either turned= or trump="));
    }
    let trump = given.or(turned.map(Card::suit));
    let mut trick = Trick::led_by(leader);
    if let Some(text) = fields.get("trick") {
        let laid = list(pack, text, rules.players() - 1)?;
        for (at, (card, called, place)) in laid.into_iter().enumerate() {
            let may_call = matches!(rules, Rules::Cruce(_))
                && at == 0
                && crate::cruce::partner_in_pair(card).is_some_and(|c| hands[leader].contains(c));
            if called && !may_call {
                return Err(place.expected("a ! only after a lead whose pair is still in hand"));
            }
            trick.lay(card, called, trump, rules.players());
        }
    }
    let (own, other) = match rules {
        Rules::Cruce(_) => ("points", "taken"),
        Rules::Whist(_) => ("taken", "points"),
    };
    fields.forbid(other, "in this game")?;
    // The worth of all cards and all calls, or the number of all tricks.
    let most = if matches!(rules, Rules::Cruce(_)) { 220 } else { 8 };
    let points = match fields.get(own) {
        Some(text) => {
            let points: BySide<u8> =
                text.each(rules.sides(), "numbers", |text| Ok(text.number(most)? as u8))?;
            if points.iter().map(|p| u32::from(*p)).sum::<u32>() > most {
                return Err(text.expected(format!("at most {most} in all")));
            }
            points
        }
        None => BySide::filled(0, rules.sides()),
    };
    let mut bids = ArrayVec::new();
    for (bid, _) in fields.bids(rules.players())? {
        bids.push(bid);
    }
    let state = PlayState { trump, points, trick };
    Position::in_play(rules, first, turned, bids, (hands, stock), state).map_err(
        |fault| match fault {
            PositionFault::Twice { card } => twice(&rules, fields.end(), card),
            fault => fields.end().fault(NotationFaultKind::Impossible(fault)),
        },
    )
}

fn twice(rules: &Rules, place: Text<'_>, card: Card) -> NotationFault {
    let expected = format!("{} only once", card_text(rules.pack(), card));
    place.fault(NotationFaultKind::Expected { expected, found: "it twice".into() })
}

fn suit(rules: &Rules, text: Text<'_>) -> Result<Option<Suit>, NotationFault> {
    let pack = rules.pack();
    if text.rest == "-" {
        return Ok(None);
    }
    let mut letters = text.rest.chars();
    match (letters.next().and_then(|c| pack.suit_of(c)), letters.next()) {
        (Some(suit), None) => Ok(Some(suit)),
        _ if pack.is_hungarian() => Err(text.expected("a suit (b l a h) or -")),
        _ => Err(text.expected("a suit (c s d h) or -")),
    }
}
