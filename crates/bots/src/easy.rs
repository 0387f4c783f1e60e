//! The weak bot: takes a quick look at its own hand, and sometimes makes a mistake.

use game::deal::{RandomStream, Seed};
use game::position::InPlay;
use game::public::Phase;
use game::{Action, View, Viewer};
use solver::Limit;

use crate::beliefs::Beliefs;
use crate::{Bot, quick_play, sensible, sensible_actions};

/// One card in this many is a mistake.
const MISTAKE_EVERY: usize = 6;

pub(crate) struct Easy;

impl Bot for Easy {
    fn act(&mut self, view: &View, seed: Seed, _: Limit<'_>) -> Option<Action> {
        let actions = sensible_actions(view);
        let mut lots = RandomStream::new(seed, 0);
        if actions.len() < 2 {
            return actions.first().copied();
        }
        if let Phase::Bidding(_) = view.public().phase() {
            // A random bias of up to fifteen points or one trick.
            let bias = lots.below(31) as f64 - 15.0;
            let whist = matches!(view.public().rules(), game::Rules::Whist(_));
            return sensible::bid(view, if whist { bias / 15.0 } else { bias });
        }
        if lots.below(MISTAKE_EVERY) == 0 {
            return actions.get(lots.below(actions.len())).copied();
        }
        quick_play(view).or(actions.first().copied())
    }
}

/// The card that a quick look suggests, with the call if there is one.
pub(crate) fn quick_play(view: &View) -> Option<Action> {
    let public = view.public();
    let Viewer::Seat(seat) = view.viewer() else { return None };
    // Any world will do: the choice depends only on the own hand.
    let world = Beliefs::new(view)?.worlds().next()?;
    let card = match InPlay::of(public, &world.hands, &world.stock)? {
        InPlay::Cruce(play) => quick_play::cruce(&play)?,
        InPlay::Whist(play) => {
            let bid = public.bid_of(seat)?;
            quick_play::whist(&play, bid as i8 - play.taken(seat) as i8)?
        }
    };
    let call = public.callable(view.hand()).contains(card);
    Some(Action::Play { card, call })
}
