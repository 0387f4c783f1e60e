//! The seeds of deals and decisions, all derived from the seed of the arena.

use cards::Seat;
use game::deal::{Dealer, Seed};
use game::fair::Secret;
use game::public::{Phase, Public};
use game::{Rules, View};

/// The seeds of one duplicate. All its seatings share them.
pub(crate) struct DuplicateSeeds<'a> {
    pub(crate) rules: Rules,
    /// The seed of the arena.
    pub(crate) seed: &'a str,
    /// The number of the duplicate, counted from 0.
    pub(crate) number: usize,
}

impl DuplicateSeeds<'_> {
    /// The dealer of the duplicate.
    pub(crate) fn dealer(&self) -> Dealer {
        Dealer::new(self.rules, self.hash("deals"))
    }

    /// The seed of one decision. It depends on the deal, the seat and the number of actions so far,
    /// but not on the bot: bots that play alike get the same seeds.
    pub(crate) fn decision(&self, seat: Seat, view: &View) -> Seed {
        let public = view.public();
        let (deal, seat, actions) = (public.number(), seat.number(), count_actions(public));
        self.hash(&format!("decision {deal} {seat} {actions}"))
    }

    fn hash(&self, what: &str) -> Seed {
        let (rules, number, seed) = (self.rules, self.number, self.seed);
        // The seed comes last, so that it cannot imitate the other parts.
        Seed(Secret::from_phrase(&format!("ghinda-arena-1\n{rules}\n{number}\n{what}\n{seed}")).0)
    }
}

/// The number of bids, cards, challenges and acceptances in this deal.
fn count_actions(public: &Public) -> usize {
    match public.phase() {
        Phase::Dealing | Phase::Over => 0,
        Phase::Bidding(auction) => auction.bids().len(),
        Phase::Playing(round) => {
            let laid = round.tricks().iter().chain([round.trick()]).map(|t| t.cards().len());
            let accepted = round.accepted().iter().filter(|accepted| **accepted).count();
            round.auction().bids().len() + laid.sum::<usize>() + round.challenges().len() + accepted
        }
    }
}
