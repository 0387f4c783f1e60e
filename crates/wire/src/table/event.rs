//! The events of a table, as one viewer receives them.
//!
//! The events of the game are made from [`SeatEvent`]s only, so they cannot contain
//! a card that the viewer may not see.

use cards::{BySeat, BySide, Card, CardSet, Pack, Seat, Side};
use game::cruce::Contract;
use game::event::{DealScore, ThrownIn};
use game::notation::{card_text, parse_card, parse_set, set_text};
use game::{OpenEvent, Rules, SeatEvent};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{IllegalText, MatchCommitment, Occupant, Pace, Phrase, StandInReason};

/// An event of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum TableEvent {
    /// The cards were dealt.
    Dealt {
        /// The viewer's cards; None for a spectator.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hand: Option<String>,
        /// The card turned up for trump.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turned: Option<String>,
    },
    /// The rest was dealt after the bidding (C6).
    Completed {
        /// The viewer's new cards; None for a spectator.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rest: Option<String>,
    },
    /// A seat drew a card from the stock (C13).
    Drew {
        /// The player's seat.
        seat: usize,
        /// The card, if the viewer drew it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<String>,
    },
    /// A player bid.
    Bid {
        /// The player's seat.
        seat: usize,
        /// The bid.
        bid: u8,
    },
    /// The bidding of Cruce is over (C6).
    Declared {
        /// The declarer's seat.
        seat: usize,
        /// The declarer's bid.
        bid: u8,
    },
    /// A card was played.
    Played {
        /// The player's seat.
        seat: usize,
        /// The card.
        card: String,
        /// The points of the call, if the pair of the card was called (C10).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<u8>,
    },
    /// A trick was taken.
    Took {
        /// The player's seat.
        seat: usize,
        /// The points in the trick; 0 in whist.
        points: u8,
    },
    /// A card was challenged (C15).
    Challenged {
        /// The challenger's seat.
        seat: usize,
        /// The trick.
        trick: u8,
        /// The seat whose card was challenged.
        accused: usize,
        /// The duty that the card broke, if it broke one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        broken: Option<IllegalText>,
    },
    /// A seat accepted the deal (C15).
    Accepted {
        /// The seat.
        seat: usize,
    },
    /// The deal was thrown in: every player passed, or a card broke a duty.
    ThrownIn {
        /// The seat whose card broke a duty.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        revoke: Option<usize>,
        /// How much it changed the score of each side.
        change: Vec<i16>,
    },
    /// The deal was scored.
    Scored {
        /// Each side's points in Cruce, each player's tricks in whist.
        points: Vec<u8>,
        /// How much the deal changed the score of each side.
        change: Vec<i16>,
        /// The prizes of whist, in addition to `change`.
        prize: Vec<i16>,
    },
    /// The match is won.
    Won {
        /// The sides that won.
        sides: Vec<usize>,
    },
    /// The deal is over, and all cards are shown as they were dealt.
    Hands {
        /// The hands.
        hands: Vec<String>,
        /// The stock in the order of drawing (C13).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stock: Option<String>,
    },

    /// A player changed their name.
    Renamed {
        /// The player's seat.
        seat: usize,
        /// The new name.
        name: String,
    },
    /// A player or a bot sat down.
    Seated {
        /// The seat.
        seat: usize,
        /// The player or the bot.
        who: Occupant,
    },
    /// A seat is free.
    #[serde(rename = "free")]
    SeatFreed {
        /// The seat.
        seat: usize,
        /// Whether the host removed its player.
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        kicked: bool,
    },
    /// Two seats were exchanged.
    Swapped {
        /// The seats.
        seats: [usize; 2],
    },
    /// The host has changed.
    Host {
        /// The seat of the host; None if the host does not sit.
        seat: Option<usize>,
    },
    /// The settings of the table have changed.
    Settings {
        /// The rules code.
        rules: String,
        /// The pace: how long a player may think.
        pace: Pace,
        /// Whether the lobby shows it.
        listed: bool,
    },
    /// The server committed to the deals of the next match.
    #[serde(rename = "promised")]
    Committed(MatchCommitment),
    /// A player added a word to the seed.
    Word {
        /// The player's seat.
        seat: usize,
        /// The word.
        word: String,
    },
    /// A match begins.
    Started {
        /// Its number.
        number: u32,
        /// The seat that bids first.
        first: usize,
    },
    /// The secret of the finished match, with which its deals can be rechecked.
    Secret {
        /// The secret.
        secret: String,
    },
    /// A bot stands in for a player.
    #[serde(rename = "stand_in")]
    StoodIn {
        /// The player's seat.
        seat: usize,
        /// The reason.
        why: StandInReason,
    },
    /// A player took the seat back from the bot.
    #[serde(rename = "back")]
    TookBack {
        /// The player's seat.
        seat: usize,
    },
    /// A player claimed the rest and was right; the server plays the cards that follow for all.
    Claimed {
        /// The player's seat.
        seat: usize,
    },
    /// A player has read the score.
    Ready {
        /// The player's seat.
        seat: usize,
    },
    /// A player asks for a pause.
    #[serde(rename = "wants_pause")]
    AskedForPause {
        /// The player's seat.
        seat: usize,
    },
    /// The clocks are stopped.
    Paused,
    /// The clocks run again.
    Resumed,
    /// A player asks for another match.
    #[serde(rename = "wants_rematch")]
    AskedForRematch {
        /// The player's seat.
        seat: usize,
    },
    /// A chat message.
    Said {
        /// The sender's seat.
        seat: usize,
        /// The text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// The quick phrase, instead of a text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        phrase: Option<Phrase>,
    },
    /// A player was muted or unmuted.
    Muted {
        /// The player's seat.
        seat: usize,
        /// Whether the player is muted.
        muted: bool,
    },
    /// The table is closed.
    Closed,
    /// An event of a newer server.
    #[serde(other)]
    Unknown,
}

/// The event does not fit the rules of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the event does not fit these rules")]
pub struct UnreadableEvent;

impl TableEvent {
    /// The form in which a viewer receives an event of the game.
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

    /// The form of a public event, the same for every viewer.
    fn open(happened: &OpenEvent, rules: &Rules) -> TableEvent {
        match *happened {
            OpenEvent::Bid { seat, bid } => TableEvent::Bid { seat: seat.number(), bid },
            OpenEvent::Declared(Contract { declarer, bid }) => {
                TableEvent::Declared { seat: declarer.number(), bid }
            }
            OpenEvent::Played { seat, card, call } => TableEvent::Played {
                seat: seat.number(),
                card: card_text(rules.pack(), card),
                call,
            },
            OpenEvent::Took { seat, points } => TableEvent::Took { seat: seat.number(), points },
            OpenEvent::Challenged { by, trick, accused, broken } => TableEvent::Challenged {
                seat: by.number(),
                trick: trick + 1,
                accused: accused.number(),
                broken: broken.map(|illegal| IllegalText::of(&illegal, rules)),
            },
            OpenEvent::Accepted { seat } => TableEvent::Accepted { seat: seat.number() },
            OpenEvent::ThrownIn { why, change } => TableEvent::ThrownIn {
                revoke: match why {
                    ThrownIn::AllPassed => None,
                    ThrownIn::Revoke { seat } => Some(seat.number()),
                },
                change: change.as_slice().to_vec(),
            },
            OpenEvent::Scored(DealScore { points, change, prize }) => TableEvent::Scored {
                points: points.as_slice().to_vec(),
                change: change.as_slice().to_vec(),
                prize: prize.as_slice().to_vec(),
            },
            OpenEvent::Won { sides } => {
                let won = sides.entries().filter(|(_, won)| **won);
                TableEvent::Won { sides: won.map(|(side, _): (Side, _)| side.number()).collect() }
            }
        }
    }

    /// The event of the game. Returns None for other events of the table.
    pub fn seat_event(&self, rules: &Rules) -> Result<Option<SeatEvent>, UnreadableEvent> {
        let pack = rules.pack();
        let seat = |number: usize| seat(rules, number);
        let happened = match self {
            TableEvent::Dealt { hand, turned } => {
                let hand = optional(hand, |text| set(pack, text))?;
                let turned = optional(turned, |text| card(pack, text))?;
                return Ok(Some(SeatEvent::Dealt { hand, turned }));
            }
            TableEvent::Completed { rest } => {
                let rest = optional(rest, |text| set(pack, text))?;
                return Ok(Some(SeatEvent::Completed { rest }));
            }
            TableEvent::Drew { seat: by, card: drawn } => {
                let drawn = optional(drawn, |text| card(pack, text))?;
                return Ok(Some(SeatEvent::Drew { seat: seat(*by)?, card: drawn }));
            }
            TableEvent::Bid { seat: by, bid } => OpenEvent::Bid { seat: seat(*by)?, bid: *bid },
            TableEvent::Declared { seat: by, bid } => {
                OpenEvent::Declared(Contract { declarer: seat(*by)?, bid: *bid })
            }
            TableEvent::Played { seat: by, card: text, call } => {
                OpenEvent::Played { seat: seat(*by)?, card: card(pack, text)?, call: *call }
            }
            TableEvent::Took { seat: by, points } => {
                OpenEvent::Took { seat: seat(*by)?, points: *points }
            }
            TableEvent::Challenged { seat: by, trick, accused, broken } => OpenEvent::Challenged {
                by: seat(*by)?,
                trick: trick.checked_sub(1).ok_or(UnreadableEvent)?,
                accused: seat(*accused)?,
                broken: optional(broken, |text| text.illegal(rules).map_err(|_| UnreadableEvent))?,
            },
            TableEvent::Accepted { seat: by } => OpenEvent::Accepted { seat: seat(*by)? },
            TableEvent::ThrownIn { revoke, change } => OpenEvent::ThrownIn {
                why: match revoke {
                    None => ThrownIn::AllPassed,
                    Some(by) => ThrownIn::Revoke { seat: seat(*by)? },
                },
                change: by_side(rules, change)?,
            },
            TableEvent::Scored { points, change, prize } => OpenEvent::Scored(DealScore {
                points: by_side(rules, points)?,
                change: by_side(rules, change)?,
                prize: by_side(rules, prize)?,
            }),
            TableEvent::Won { sides } => {
                let won = |side: Side| sides.contains(&side.number());
                OpenEvent::Won { sides: BySide::from_fn(rules.sides(), won) }
            }
            _ => return Ok(None),
        };
        Ok(Some(SeatEvent::Open(happened)))
    }

    /// The event that shows all cards of a finished deal.
    pub fn hands(rules: &Rules, hands: &BySeat<CardSet>, stock: &[Card]) -> TableEvent {
        let pack = rules.pack();
        TableEvent::Hands {
            hands: hands.iter().map(|hand| set_text(pack, *hand)).collect(),
            stock: (!stock.is_empty()).then(|| game::notation::list_text(pack, stock)),
        }
    }
}

/// Reads a value if there is one.
fn optional<T, U>(
    value: &Option<T>,
    read: impl FnOnce(&T) -> Result<U, UnreadableEvent>,
) -> Result<Option<U>, UnreadableEvent> {
    value.as_ref().map(read).transpose()
}

fn seat(rules: &Rules, number: usize) -> Result<Seat, UnreadableEvent> {
    let seat = Seat::from_number(number);
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
