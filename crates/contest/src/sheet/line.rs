//! The content of one line of a sheet, and its checks.

use cards::{BySeat, BySide, Seat};
use game::Illegal;
use game::Rules;
use game::auction::Auction;
use game::cruce::{AllPass, Contract, POINTS_IN_PACK};

use super::SheetRefusal;

/// The points of calls in a deal: one call in trump, and one in each of three other suits (C10).
const TRUMP_CALL: u16 = 40;
const CALL: u8 = 20;
const PLAIN_CALLS: u16 = 60;

/// A complete line: the result of one deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SheetLine {
    /// A deal of Cruce that was played.
    Cruce {
        /// The contract.
        contract: Contract,
        /// The points of the cards that each side took, without calls: 120 in all.
        cards: BySide<u8>,
        /// The points that each side called (C10).
        calls: BySide<u8>,
    },
    /// A deal of whist that was played.
    Whist {
        /// What each player bid.
        bids: BySeat<u8>,
        /// The number of tricks each player took.
        tricks: BySeat<u8>,
    },
    /// All players passed, and the cards were thrown in (C6, `all_pass: redeal`).
    AllPassed,
    /// A player revoked: −3 for their side, and the deal is thrown in (C15).
    Revoke {
        /// The seat of the player.
        seat: Seat,
    },
    /// The dealer misdealt: −1 for their side, and the deal passes on (C15).
    Misdeal,
}

impl SheetLine {
    /// Whether it is a penalty, which only the referee may enter in contests (T5).
    pub const fn is_penalty(&self) -> bool {
        matches!(self, SheetLine::Revoke { .. } | SheetLine::Misdeal)
    }

    /// Checks whether a deal can have this result; `first` bids first, and `number` is the index of
    /// the deal in the match.
    pub(super) fn check(
        &self,
        rules: &Rules,
        first: Seat,
        number: usize,
    ) -> Result<(), SheetRefusal> {
        match (self, rules) {
            (SheetLine::Cruce { contract, cards, calls }, Rules::Cruce(_)) => {
                check_contract(rules, first, *contract)?;
                check_points(rules, cards, calls)
            }
            (SheetLine::Whist { bids, tricks }, Rules::Whist(whist)) => {
                let cards_each = whist.cards_each(number).ok_or(SheetRefusal::MatchOver)?;
                check_tricks(rules, first, cards_each, bids, tricks)
            }
            (SheetLine::AllPassed, Rules::Cruce(cruce)) => match cruce.spec().all_pass {
                AllPass::Redeal => Ok(()),
                AllPass::Opener => Err(SheetRefusal::OpenerDeclares { opener: first }),
            },
            (SheetLine::Revoke { seat }, Rules::Cruce(_)) => {
                if seat.index() < rules.players() {
                    Ok(())
                } else {
                    Err(SheetRefusal::NoSuchSeat)
                }
            }
            (SheetLine::Misdeal, Rules::Cruce(_)) => Ok(()),
            (SheetLine::Revoke { .. } | SheetLine::Misdeal, Rules::Whist(_)) => {
                Err(SheetRefusal::NoPenalties)
            }
            _ => Err(SheetRefusal::OtherGame),
        }
    }
}

/// Checks whether bidding can lead to this contract (C6).
pub(super) fn check_contract(
    rules: &Rules,
    first: Seat,
    contract: Contract,
) -> Result<(), SheetRefusal> {
    let Rules::Cruce(cruce) = rules else { return Err(SheetRefusal::OtherGame) };
    if contract.declarer.index() >= rules.players() {
        return Err(SheetRefusal::NoSuchSeat);
    }
    if contract.bid > cruce.max_bid() {
        return Err(SheetRefusal::Bid(Illegal::BidTooHigh { most: cruce.max_bid() }));
    }
    match cruce.spec().all_pass {
        _ if contract.bid > 0 => Ok(()),
        AllPass::Redeal => Err(SheetRefusal::AllPassedIsThrownIn),
        AllPass::Opener if contract.declarer != first => {
            Err(SheetRefusal::OpenerDeclares { opener: first })
        }
        AllPass::Opener => Ok(()),
    }
}

/// Checks whether the points of a deal add up (C1, C10).
fn check_points(rules: &Rules, cards: &BySide<u8>, calls: &BySide<u8>) -> Result<(), SheetRefusal> {
    let sides = rules.sides();
    if cards.len() != sides || calls.len() != sides {
        return Err(SheetRefusal::OtherSides { sides });
    }
    let found: u16 = cards.iter().map(|points| u16::from(*points)).sum();
    if found != u16::from(POINTS_IN_PACK) {
        return Err(SheetRefusal::CardsDoNotAddUp { found });
    }
    // The cheapest cards are worth 2, 3 and 4: no side can take one point, or leave one.
    if let Some((side, points)) = cards.entries().find(|(_, points)| [1, 119].contains(*points)) {
        return Err(SheetRefusal::NoSuchPoints { side, points: *points });
    }
    let called: u16 = calls.iter().map(|points| u16::from(*points)).sum();
    let trump =
        if calls.iter().any(|points| u16::from(*points) >= TRUMP_CALL) { TRUMP_CALL } else { 0 };
    let valid = calls.iter().all(|points| points % CALL == 0) && called <= PLAIN_CALLS + trump;
    if valid { Ok(()) } else { Err(SheetRefusal::NoSuchCalls) }
}

/// Checks whether the bids and tricks of a deal of whist are possible (W4, W5).
fn check_tricks(
    rules: &Rules,
    first: Seat,
    cards_each: usize,
    bids: &BySeat<u8>,
    tricks: &BySeat<u8>,
) -> Result<(), SheetRefusal> {
    let players = rules.players();
    if bids.len() != players || tricks.len() != players {
        return Err(SheetRefusal::OtherPlayers { players });
    }
    let mut auction = Auction::new(rules, cards_each, None);
    for at in 0..players {
        auction.bid(bids[first.after(at, players)]).map_err(SheetRefusal::Bid)?;
    }
    let found: u16 = tricks.iter().map(|tricks| u16::from(*tricks)).sum();
    let cards = cards_each as u8;
    if found == u16::from(cards) {
        Ok(())
    } else {
        Err(SheetRefusal::TricksDoNotAddUp { found, cards })
    }
}
