//! The weak player: a hurried look at his own hand, and now and then a slip.

use game::deal::{Lots, Seed};
use game::position::InPlay;
use game::public::Phase;
use game::{Action, View, Viewer};
use solver::Limit;

use crate::beliefs::Beliefs;
use crate::{Bot, instinct, sensible, sensible_actions};

/// Of so many cards one is a slip.
const SLIP: usize = 6;

pub(crate) struct Easy;

impl Bot for Easy {
    fn act(&mut self, view: &View, seed: Seed, _: Limit<'_>) -> Option<Action> {
        let actions = sensible_actions(view);
        let mut lots = Lots::new(seed, 0);
        if actions.len() < 2 {
            return actions.first().copied();
        }
        if let Phase::Bidding(_) = view.public().phase() {
            // Moods of up to fifteen points or a trick.
            let mood = lots.below(31) as f64 - 15.0;
            let whist = matches!(view.public().rules(), game::Rules::Whist(_));
            return sensible::bid(view, if whist { mood / 15.0 } else { mood });
        }
        if lots.below(SLIP) == 0 {
            return actions.get(lots.below(actions.len())).copied();
        }
        hurried(view).or(actions.first().copied())
    }
}

/// The card that a hurried look suggests, with the call if there is one.
pub(crate) fn hurried(view: &View) -> Option<Action> {
    let public = view.public();
    let Viewer::Seat(seat) = view.viewer() else { return None };
    // Any world does: instinct looks at its own hand only.
    let world = Beliefs::new(view)?.worlds().next()?;
    let card = match InPlay::of(public, &world.hands, &world.stock)? {
        InPlay::Cruce(play) => instinct::cruce(&play)?,
        InPlay::Whist(play) => {
            let bid = public.bid_of(seat)?;
            instinct::whist(&play, bid as i8 - play.taken(seat) as i8)?
        }
    };
    let call = public.callable(view.hand()).contains(card);
    Some(Action::Play { card, call })
}
