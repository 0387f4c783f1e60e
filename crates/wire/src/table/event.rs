//! What happened at a table, as one viewer is told.
//!
//! What happens in the game comes from [`SeatEvent`]s and from nothing else, so
//! that no card can stand here that the viewer may not see.

use cards::{BySeat, BySide, Card, CardSet, Pack, Seat, Side};
use game::cruce::Contract;
use game::event::{DealScore, ThrownIn};
use game::notation::{card_text, parse_card, parse_set, set_text};
use game::{Happened, Rules, SeatEvent};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{IllegalText, Occupant, Pace, Phrase, Promise, StandInReason};

/// One thing that happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum TableEvent {
    /// The cards were dealt.
    Dealt {
        /// The viewer's cards; nothing for somebody who watches.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hand: Option<String>,
        /// The card turned up for trump.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turned: Option<String>,
    },
    /// The rest was dealt after the bidding (C6).
    Completed {
        /// What the viewer got.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rest: Option<String>,
    },
    /// A seat drew a card from the stock (C13).
    Drew {
        /// Who.
        seat: usize,
        /// What, if it was the viewer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<String>,
    },
    /// A bid was said.
    Bid {
        /// By whom.
        seat: usize,
        /// How much.
        bid: u8,
    },
    /// The bidding of Cruce is over (C6).
    Declared {
        /// Who leads.
        seat: usize,
        /// What is promised.
        bid: u8,
    },
    /// A card was played.
    Played {
        /// By whom.
        seat: usize,
        /// Which.
        card: String,
        /// The points of the call, if its pair was called (C10).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<u8>,
    },
    /// A trick was taken.
    Took {
        /// By whom.
        seat: usize,
        /// The points in it; nought in whist.
        points: u8,
    },
    /// A card was challenged (C15).
    Challenged {
        /// By whom.
        seat: usize,
        /// In which trick.
        trick: u8,
        /// Whose card.
        accused: usize,
        /// The duty that was broken; nothing if none was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        broken: Option<IllegalText>,
    },
    /// A seat accepted the deal (C15).
    Accepted {
        /// Who.
        seat: usize,
    },
    /// The deal was thrown in: everybody passed, or a card broke a duty.
    ThrownIn {
        /// Whose card broke a duty.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        revoke: Option<usize>,
        /// What it changed.
        change: Vec<i16>,
    },
    /// The deal was scored.
    Scored {
        /// Each side's points in Cruce, each player's tricks in whist.
        points: Vec<u8>,
        /// What they changed.
        change: Vec<i16>,
        /// Prizes of whist, on top of it.
        prize: Vec<i16>,
    },
    /// The match is won.
    Won {
        /// By these sides.
        sides: Vec<usize>,
    },
    /// The deal is over, and all cards may be seen as they were dealt.
    Hands {
        /// The hands.
        hands: Vec<String>,
        /// The stock in the order of drawing (C13).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stock: Option<String>,
    },

    /// A player has another name.
    Renamed {
        /// Where.
        seat: usize,
        /// What he is called.
        name: String,
    },
    /// Somebody sat down.
    Seated {
        /// Where.
        seat: usize,
        /// Who.
        who: Occupant,
    },
    /// A seat is free.
    #[serde(rename = "free")]
    SeatFreed {
        /// Which.
        seat: usize,
        /// Whether its player was sent away.
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        kicked: bool,
    },
    /// Two seats were exchanged.
    Swapped {
        /// Which.
        seats: [usize; 2],
    },
    /// The player of a seat is the host now; nobody's if nobody is left.
    Host {
        /// Which.
        seat: Option<usize>,
    },
    /// The table is played otherwise.
    Settings {
        /// The rules code.
        rules: String,
        /// The clock.
        pace: Pace,
        /// Whether the lobby shows it.
        listed: bool,
    },
    /// What the server promises about the deals of the next match.
    Promised(Promise),
    /// A seat added a word to the seed.
    Word {
        /// Which.
        seat: usize,
        /// The word.
        word: String,
    },
    /// A match begins.
    Started {
        /// Its number.
        number: u32,
        /// Who bids first.
        first: usize,
    },
    /// The secret of the match that is over: now everybody can recheck its deals.
    Secret {
        /// The secret.
        secret: String,
    },
    /// A bot stands in for a player.
    StandIn {
        /// For whom.
        seat: usize,
        /// Why.
        why: StandInReason,
    },
    /// A player has his seat back.
    Back {
        /// Who.
        seat: usize,
    },
    /// A player claimed the rest and was right; the cards that follow are laid for all.
    Claimed {
        /// Who.
        seat: usize,
    },
    /// A player has read the score.
    Ready {
        /// Who.
        seat: usize,
    },
    /// A player wants a pause.
    WantsPause {
        /// Who.
        seat: usize,
    },
    /// The clocks stand still.
    Paused,
    /// They go on.
    Resumed,
    /// A player wants another match.
    WantsRematch {
        /// Who.
        seat: usize,
    },
    /// Somebody said something.
    Said {
        /// Who.
        seat: usize,
        /// What.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// Or which quick phrase.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        phrase: Option<Phrase>,
    },
    /// A player may not speak, or may again.
    Muted {
        /// Who.
        seat: usize,
        /// Whether he may not.
        muted: bool,
    },
    /// The table is closed.
    Closed,
    /// Something that a newer server tells.
    #[serde(other)]
    Unknown,
}

/// What was told cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("what was told does not fit these rules")]
pub struct UnreadableEvent;

impl TableEvent {
    /// What a viewer is told of an event.
    pub fn of(event: &SeatEvent, rules: &Rules) -> TableEvent {
        let pack = rules.pack();
        let set = |cards: CardSet| set_text(pack, cards);
        let card = |card: Card| card_text(pack, card);
        match event {
            SeatEvent::Dealt { hand, turned } => {
                TableEvent::Dealt { hand: hand.map(set), turned: turned.map(card) }
            }
            SeatEvent::Completed { rest } => TableEvent::Completed { rest: rest.map(set) },
            SeatEvent::Drew { seat, card: drawn } => {
                TableEvent::Drew { seat: seat.number(), card: drawn.map(card) }
            }
            SeatEvent::Open(happened) => TableEvent::open(happened, rules),
        }
    }

    /// What everybody is told of something open.
    fn open(happened: &Happened, rules: &Rules) -> TableEvent {
        match *happened {
            Happened::Bid { seat, bid } => TableEvent::Bid { seat: seat.number(), bid },
            Happened::Declared(Contract { declarer, bid }) => {
                TableEvent::Declared { seat: declarer.number(), bid }
            }
            Happened::Played { seat, card, call } => TableEvent::Played {
                seat: seat.number(),
                card: card_text(rules.pack(), card),
                call,
            },
            Happened::Took { seat, points } => TableEvent::Took { seat: seat.number(), points },
            Happened::Challenged { by, trick, accused, broken } => TableEvent::Challenged {
                seat: by.number(),
                trick: trick + 1,
                accused: accused.number(),
                broken: broken.map(|illegal| IllegalText::of(&illegal, rules)),
            },
            Happened::Accepted { seat } => TableEvent::Accepted { seat: seat.number() },
            Happened::ThrownIn { why, change } => TableEvent::ThrownIn {
                revoke: match why {
                    ThrownIn::AllPassed => None,
                    ThrownIn::Revoke { seat } => Some(seat.number()),
                },
                change: change.as_slice().to_vec(),
            },
            Happened::Scored(DealScore { points, change, prize }) => TableEvent::Scored {
                points: points.as_slice().to_vec(),
                change: change.as_slice().to_vec(),
                prize: prize.as_slice().to_vec(),
            },
            Happened::Won { sides } => {
                let won = sides.entries().filter(|(_, won)| **won);
                TableEvent::Won { sides: won.map(|(side, _): (Side, _)| side.number()).collect() }
            }
        }
    }

    /// The event that was told; nothing where it is none of the game.
    pub fn seat_event(&self, rules: &Rules) -> Result<Option<SeatEvent>, UnreadableEvent> {
        let pack = rules.pack();
        let seat = |number: usize| seat(rules, number);
        let happened = match self {
            TableEvent::Dealt { hand, turned } => {
                let hand = each(hand, |text| set(pack, text))?;
                let turned = each(turned, |text| card(pack, text))?;
                return Ok(Some(SeatEvent::Dealt { hand, turned }));
            }
            TableEvent::Completed { rest } => {
                let rest = each(rest, |text| set(pack, text))?;
                return Ok(Some(SeatEvent::Completed { rest }));
            }
            TableEvent::Drew { seat: by, card: drawn } => {
                let drawn = each(drawn, |text| card(pack, text))?;
                return Ok(Some(SeatEvent::Drew { seat: seat(*by)?, card: drawn }));
            }
            TableEvent::Bid { seat: by, bid } => Happened::Bid { seat: seat(*by)?, bid: *bid },
            TableEvent::Declared { seat: by, bid } => {
                Happened::Declared(Contract { declarer: seat(*by)?, bid: *bid })
            }
            TableEvent::Played { seat: by, card: text, call } => {
                Happened::Played { seat: seat(*by)?, card: card(pack, text)?, call: *call }
            }
            TableEvent::Took { seat: by, points } => {
                Happened::Took { seat: seat(*by)?, points: *points }
            }
            TableEvent::Challenged { seat: by, trick, accused, broken } => Happened::Challenged {
                by: seat(*by)?,
                trick: trick.checked_sub(1).ok_or(UnreadableEvent)?,
                accused: seat(*accused)?,
                broken: each(broken, |text| text.illegal(rules).map_err(|_| UnreadableEvent))?,
            },
            TableEvent::Accepted { seat: by } => Happened::Accepted { seat: seat(*by)? },
            TableEvent::ThrownIn { revoke, change } => Happened::ThrownIn {
                why: match revoke {
                    None => ThrownIn::AllPassed,
                    Some(by) => ThrownIn::Revoke { seat: seat(*by)? },
                },
                change: by_side(rules, change)?,
            },
            TableEvent::Scored { points, change, prize } => Happened::Scored(DealScore {
                points: by_side(rules, points)?,
                change: by_side(rules, change)?,
                prize: by_side(rules, prize)?,
            }),
            TableEvent::Won { sides } => {
                let won = |side: Side| sides.contains(&side.number());
                Happened::Won { sides: BySide::from_fn(rules.sides(), won) }
            }
            _ => return Ok(None),
        };
        Ok(Some(SeatEvent::Open(happened)))
    }

    /// All cards of a deal that is over.
    pub fn hands(rules: &Rules, hands: &BySeat<CardSet>, stock: &[Card]) -> TableEvent {
        let pack = rules.pack();
        TableEvent::Hands {
            hands: hands.iter().map(|hand| set_text(pack, *hand)).collect(),
            stock: (!stock.is_empty()).then(|| game::notation::list_text(pack, stock)),
        }
    }
}

fn each<T, U>(
    value: &Option<T>,
    read: impl FnOnce(&T) -> Result<U, UnreadableEvent>,
) -> Result<Option<U>, UnreadableEvent> {
    value.as_ref().map(read).transpose()
}

fn seat(rules: &Rules, number: usize) -> Result<Seat, UnreadableEvent> {
    let seat = number.checked_sub(1).and_then(Seat::new);
    seat.filter(|seat| seat.index() < rules.players()).ok_or(UnreadableEvent)
}

fn card(pack: Pack, text: &str) -> Result<Card, UnreadableEvent> {
    parse_card(pack, text).map_err(|_| UnreadableEvent)
}

fn set(pack: Pack, text: &str) -> Result<CardSet, UnreadableEvent> {
    parse_set(pack, text).map_err(|_| UnreadableEvent)
}

/// One value for each side of these rules.
fn by_side<T: Copy + Default>(rules: &Rules, values: &[T]) -> Result<BySide<T>, UnreadableEvent> {
    if values.len() != rules.sides() {
        return Err(UnreadableEvent);
    }
    Ok(BySide::from_fn(values.len(), |side: Side| values[side.index()]))
}
