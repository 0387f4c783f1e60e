//! Bids by a look at the own hand, for the weaker levels.

use cards::Card;
use game::public::Phase;
use game::{Action, Rules, View, Viewer, cruce};

use crate::strength;
use crate::tricks::WhistDeal;

/// How many points less than the promise are bid.
const CAUTION: f64 = 8.0;

/// The bid that the viewer's hand suggests, with a bias in points (Cruce) or tricks (whist).
pub(crate) fn bid(view: &View, bias: f64) -> Option<Action> {
    let public = view.public();
    let (Phase::Bidding(auction), Viewer::Seat(seat)) = (public.phase(), view.viewer()) else {
        return None;
    };
    if public.turn() != Some(seat) {
        return None;
    }
    let legal = auction.legal();
    let bid = match public.rules() {
        Rules::Cruce(rules) => {
            let promise = strength::estimate(rules, view.hand()) - CAUTION + bias;
            let most = (promise / f64::from(cruce::POINTS_PER_SCORE)).clamp(0.0, 6.0) as u8;
            match auction.highest(public.first()) {
                // Partners do not outbid each other.
                Some((_, by)) if rules.side_of(by) == rules.side_of(seat) => 0,
                Some((bid, _)) if most > bid => bid + 1,
                Some(_) => 0,
                None => most,
            }
        }
        Rules::Whist(rules) => {
            let trump = auction.turned().map(Card::suit);
            let pack = public.rules().pack().cards();
            let deal = WhistDeal { pack, players: rules.players(), trump };
            (deal.estimate(view.hand()) + bias).round().clamp(0.0, 8.0) as u8
        }
    };
    let near = |other: &u8| (other.abs_diff(bid), *other);
    legal.iter().min_by_key(near).map(Action::Bid)
}
