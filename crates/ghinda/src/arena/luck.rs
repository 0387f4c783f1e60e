//! Where all luck of an arena comes from: its seed, and nothing else.

use cards::Seat;
use game::deal::{Dealer, Seed};
use game::fair::Secret;
use game::public::{Phase, Public};
use game::{Rules, View};

/// The luck of one duplicate: the same for every seating of it.
pub(crate) struct Luck<'a> {
    pub(crate) rules: Rules,
    /// What the arena was started with.
    pub(crate) seed: &'a str,
    /// The number of the duplicate, counted from nought.
    pub(crate) number: usize,
}

impl Luck<'_> {
    /// Who deals the cards.
    pub(crate) fn dealer(&self) -> Dealer {
        Dealer::new(self.rules, self.hash("deals"))
    }

    /// The lots of one decision. They depend on the deal, the seat and how much
    /// has been done, but not on who sits there: whoever plays alike draws alike.
    pub(crate) fn decision(&self, seat: Seat, view: &View) -> Seed {
        let public = view.public();
        let (deal, seat, done) = (public.number(), seat.number(), done(public));
        self.hash(&format!("decision {deal} {seat} {done}"))
    }

    fn hash(&self, what: &str) -> Seed {
        let (rules, number, seed) = (self.rules, self.number, self.seed);
        // What was typed stands last, so that it cannot look like anything else.
        Seed(Secret::from_phrase(&format!("ghinda-arena-1\n{rules}\n{number}\n{what}\n{seed}")).0)
    }
}

/// How many bids, cards, challenges and acceptances there were in this deal.
fn done(public: &Public) -> usize {
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
