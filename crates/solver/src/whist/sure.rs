//! Tricks of a partnership that need no search.
//!
//! Hands are in the order of the seats, from the one on lead: leader, next, partner,
//! last. Every bound includes the cards whose ranks it depends on, of which the
//! lowest of each suit matters; the lengths of suits are always assumed known.

use super::lanes::{lane, lowest, suit_of, up_to};
use super::ranks::highest;

/// The cards that make this many tricks sure for the camp on lead when no hand has a
/// trump: the leader cashes winners, then plays to the partner, who cashes more.
#[inline]
pub(super) fn at_once(hands: &[u64; 4], wanted: u32) -> Option<u64> {
    let [hand, next, partner, last] = *hands;
    let beaten = up_to(next | last);
    let (wins, helps) = (hand & !beaten, partner & !beaten);
    if wins | helps == 0 {
        return None;
    }
    let (mut own, mut over, mut winner_over) = (0, 0, 0);
    let (mut because, mut because_over) = (0, 0);
    // Whether the leader can play to the partner, and whether with a winner.
    let (mut bridge, mut winner_bridge) = (false, false);
    for suit in [lane(0), lane(1), lane(2), lane(3)] {
        let (own_wins, partner_wins) = (wins & suit, helps & suit);
        if own_wins | partner_wins == 0 {
            continue;
        }
        let enemies = (next & suit).count_ones().max((last & suit).count_ones());
        let length = (hand & suit).count_ones();
        // The leader plays winners from the highest, the partner cards from the
        // lowest, until the partner would have to take the trick.
        let (mut cash, mut own_left, mut partner_left) = (0, own_wins, partner & suit);
        while own_left != 0 && (partner_left == 0 || lowest(partner_left) < highest(own_left)) {
            own_left ^= highest(own_left);
            partner_left &= partner_left.wrapping_sub(1);
            cash += 1;
        }
        if cash > 0 {
            because |= lowest(own_wins);
            if cash >= enemies && partner_left == 0 {
                (cash, own_left) = (length, 0);
            }
            own += cash;
            if own >= wanted {
                return Some(because);
            }
        }
        // Then the partner cashes the winners that the leader need not take.
        let blocked = if own_left == 0 { 0 } else { 2 * highest(own_left) - 1 };
        let mut kept = (partner_wins & partner_left & !blocked).count_ones();
        if kept > 0 {
            bridge |= length > cash;
            winner_bridge |= cash > 0 && partner_wins > lowest(own_wins);
            winner_over += kept;
            if cash + kept >= enemies && cash + kept >= length {
                kept = partner_left.count_ones();
            }
            over += kept;
            because_over |= lowest(partner_wins);
        }
    }
    let tricks = hand.count_ones();
    if !bridge {
        if !winner_bridge || own == 0 {
            return None;
        }
        // One round less is played of that suit, so small cards do not count.
        (own, over) = (own - 1, winner_over);
    }
    (own + over.min(tricks - own) >= wanted).then_some(because | because_over)
}

/// The cards that make this many tricks sure for the camp that does not lead when no
/// hand has a trump.
///
/// The leaders may run the suits of which they hold the highest card. Each round
/// takes a card from at least one of them, so the run ends, and they must lead
/// another suit: the opponent who holds its highest card has kept it, with as
/// many other winners as cards left, and cashes them.
#[inline]
pub(super) fn later(hands: &[u64; 4], wanted: u32) -> Option<u64> {
    let all = hands[0] | hands[1] | hands[2] | hands[3];
    let (mut run, mut because) = (0, 0);
    // For each opponent: the suits they win, how many, and the number of winners.
    let (mut held, mut suits, mut wins) = ([0; 2], [0; 2], [0; 2]);
    for suit in [lane(0), lane(1), lane(2), lane(3)] {
        let cards = all & suit;
        if cards == 0 {
            continue;
        }
        let top = highest(cards);
        if top & (hands[1] | hands[3]) == 0 {
            run += (hands[0] & suit).count_ones().max((hands[2] & suit).count_ones());
            continue;
        }
        let at = usize::from(top & hands[3] != 0);
        let own = hands[2 * at + 1] & suit;
        let others = cards ^ own;
        let tops = if others == 0 { own } else { own & !(2 * highest(others) - 1) };
        let (length, count) = (own.count_ones(), tops.count_ones());
        let longest = (hands[0] & suit).count_ones().max((hands[2] & suit).count_ones());
        let longest = longest.max((hands[3 - 2 * at] & suit).count_ones());
        held[at] |= suit;
        suits[at] += 1;
        wins[at] += if longest <= count { length } else { count };
        because |= lowest(tops);
    }
    if because == 0 {
        return None;
    }
    let kept = hands[0].count_ones().saturating_sub(run);
    for at in 0..2 {
        if suits[at] == 0 {
            continue;
        }
        // The opponent keeps the highest card of each of these suits.
        if kept < suits[at] {
            return None;
        }
        let mut sure = wins[at].min(kept);
        let other = 1 - at;
        if wins[at] < kept && hands[2 * at + 1] & held[other] != 0 {
            // Then the opponent plays to their partner.
            sure += wins[other].min(kept - wins[at]);
        }
        if sure < wanted {
            return None;
        }
    }
    Some(because)
}

/// As [`at_once`], but with trumps: a hand without a suit trumps it.
pub(super) fn at_once_with_trumps(hands: &[u64; 4], trumps: u64, wanted: u32) -> Option<u64> {
    let (own, because) = cash(hands, trumps);
    if own >= wanted {
        return Some(because);
    }
    let [hand, next, partner, last] = *hands;
    let top = partner & trumps & !up_to(hand | next | last);
    if top == 0 || hand & trumps == 0 {
        return None;
    }
    let (partner_tricks, because) = cash(&[partner, last, hand, next], trumps);
    (partner_tricks >= wanted).then_some(because | highest(top))
}

/// The winners that a leader can cash one after the other.
#[inline]
fn cash(hands: &[u64; 4], trumps: u64) -> (u32, u64) {
    let [hand, next, partner, last] = *hands;
    let others = next | partner | last;
    let tops = hand & !up_to(others);
    let ruffs = others & trumps != 0;
    let (mut sure, mut because) = (0, 0);
    let mut suits = tops;
    while suits != 0 {
        let suit = lane(suit_of(suits));
        because |= lowest(suits);
        suits &= !suit;
        let run = (tops & suit).count_ones();
        let lengths = [next, partner, last].map(|cards| (cards & suit).count_ones());
        sure += if ruffs && suit != trumps {
            // A hand that follows cannot trump.
            run.min(lengths[0]).min(lengths[1]).min(lengths[2])
        } else if lengths.iter().all(|length| *length <= run) {
            (hand & suit).count_ones()
        } else {
            run
        };
    }
    (sure, because)
}
