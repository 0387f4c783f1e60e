//! Deals as a real table gets them: a secret, the commitment to it, the words of the seats, the seed
//! of the match, and a table that checks and deals every pack. Nothing here shuffles.

use anyhow::{Context, Result};
use cards::{BySeat, Card, CardSet, Seat};
use game::deal::{Deal, Dealer, Seed};
use game::event::Event;
use game::fair::{Commitment, Secret, Word};
use game::{Rules, Table};

/// A match of Cruce has no last deal. Thirty are as many as the longest match of whist has.
pub(super) const MAX_DEALS: usize = 30;

/// Where secrets and packs come from. Tests put faults here, which the audit must find.
pub(super) trait PackSource: Sync {
    /// The secret of the `number`-th match of these rules.
    fn secret(&self, rules: &Rules, number: u64) -> Secret;

    /// A deal of a match: the pack from the top down, and the hands that are dealt from it.
    fn deal(
        &self,
        _rules: &Rules,
        dealer: &Dealer,
        number: usize,
        first: Seat,
    ) -> Option<(Vec<Card>, Deal)> {
        Some((dealer.pack(number).to_vec(), dealer.deal(number, first)?))
    }
}

/// What a server deals.
pub(super) struct Production {
    /// Replaces the randomness of the operating system, so that a run can be repeated.
    pub(super) seed: Option<String>,
}

impl PackSource for Production {
    fn secret(&self, rules: &Rules, number: u64) -> Secret {
        match &self.seed {
            None => server::random::secret(),
            // The seed comes last, so that it cannot imitate the other parts.
            Some(seed) => {
                Secret::from_phrase(&format!("ghinda-audit-1\n{rules}\n{number}\n{seed}"))
            }
        }
    }
}

/// One match: its secret and what follows from it.
pub(super) struct AuditedMatch {
    rules: Rules,
    pub(super) secret: Secret,
    pub(super) commitment: Commitment,
    pub(super) seed: Seed,
    dealer: Dealer,
}

/// The cards of one deal as they lie on a table.
pub(super) struct AuditedDeal {
    /// The pack from the top down.
    pub(super) pack: Vec<Card>,
    /// How many cards each seat gets.
    pub(super) cards_each: usize,
    /// The hands that the table holds after the deal.
    pub(super) hands: BySeat<CardSet>,
    pub(super) stock: Vec<Card>,
    pub(super) turned: Option<Card>,
}

impl AuditedMatch {
    pub(super) fn new(rules: Rules, source: &dyn PackSource, number: u64) -> Result<AuditedMatch> {
        // As a room names its first match: ten letters or digits, a dash and a number.
        let name: Word = format!("{number:010}-1").parse()?;
        let secret = source.secret(&rules, number);
        let words = words(&rules, number)?;
        let seed = secret.seed(&name, &rules, &words);
        let commitment = secret.commit(&name, &rules);
        Ok(AuditedMatch { rules, secret, commitment, seed, dealer: Dealer::new(rules, seed) })
    }

    /// The seat that is drawn to bid first.
    pub(super) fn first_seat(&self) -> Seat {
        self.dealer.first_seat()
    }

    /// The `number`-th deal, counted from 0; None after the last.
    pub(super) fn deal(
        &self,
        source: &dyn PackSource,
        number: usize,
    ) -> Result<Option<AuditedDeal>> {
        let players = self.rules.players();
        let Some(cards_each) = self.rules.cards_each(number).filter(|_| number < MAX_DEALS) else {
            return Ok(None);
        };
        let first = self.first_seat().after(number % players, players);
        let mut table = Table::at_deal(self.rules, first, number);
        let (pack, deal) = source
            .deal(&self.rules, &self.dealer, number, first)
            .context("the match has no such deal")?;
        let (mut stock, mut turned) = (Vec::new(), None);
        for event in table.deal(deal)? {
            table.apply(&event)?;
            if let Event::Dealt(deal) = event {
                (stock, turned) = (deal.stock.to_vec(), deal.turned);
            }
        }
        let hands = BySeat::from_fn(players, |seat| table.hand(seat));
        Ok(Some(AuditedDeal { pack, cards_each, hands, stock, turned }))
    }
}

/// The words of the seats: all combinations of seats that say one and seats that do not.
fn words(rules: &Rules, number: u64) -> Result<BySeat<Option<Word>>> {
    let mut words = BySeat::filled(None, rules.players());
    for seat in Seat::first(rules.players()) {
        if number >> seat.index() & 1 == 1 {
            words[seat] = Some(format!("word-{number}-{}", seat.number()).parse()?);
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::RandomPlayer;

    /// The deals of the audit are those that a table gets when a whole match is played.
    #[test]
    fn a_match_that_is_played_has_the_same_deals() {
        let source = Production { seed: Some("same".into()) };
        for code in super::super::CODES {
            let rules = Rules::from_code(code).expect("rules");
            for number in 0..8 {
                let audited = AuditedMatch::new(rules, &source, number).expect("a match");
                let dealer = Dealer::new(rules, audited.seed);
                let mut table = Table::new(rules, dealer.first_seat());
                let mut player = RandomPlayer::new(audited.seed);
                while !table.is_over() && table.public().number() < MAX_DEALS {
                    if table.wants_deal() {
                        let (deal_number, first) =
                            (table.public().number(), table.public().first());
                        let deal = dealer.deal(deal_number, first).expect("a deal");
                        let same = audited.deal(&source, deal_number).expect("dealt").expect("one");
                        assert_eq!(same.hands.as_slice(), deal.hands.as_slice());
                        assert_eq!((&same.stock[..], same.turned), (&deal.stock[..], deal.turned));
                        for event in table.deal(deal).expect("a fair deal") {
                            table.apply(&event).expect("it applies");
                        }
                    }
                    let (seat, action) = player.act(&table).expect("an action");
                    for event in table.decide(seat, action).expect("a legal action") {
                        table.apply(&event).expect("it applies");
                    }
                }
            }
        }
    }

    #[test]
    fn secrets_of_the_system_differ_and_those_of_a_seed_repeat() {
        let rules = Rules::from_code("cruce4t").expect("rules");
        let drawn = |seed: Option<&str>| {
            let source = Production { seed: seed.map(str::to_owned) };
            source.secret(&rules, 7)
        };
        assert!(drawn(None) != drawn(None));
        assert!(drawn(Some("one")) == drawn(Some("one")));
        assert!(drawn(Some("one")) != drawn(Some("two")));
    }
}
