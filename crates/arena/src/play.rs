//! Two bots at a table: single deals and whole matches. Each seat is asked with its own view.

use std::time::Duration;

use anyhow::{Context, Result};
use cards::{BySeat, BySide, Seat, Side};
use game::cruce::{Contract, promised_points};
use game::deal::Dealer;
use game::event::{DealScore, Event, OpenEvent, ThrownIn};
use game::{Action, Rules, Table, Viewer};
use wire::bot::{DealOver, HostMessage, MatchOver};

use crate::clock;
use crate::contender::ArenaPlayer;
use crate::fault::Faults;
use crate::seating::{BotSide, Seating};
use crate::seeds::DuplicateSeeds;

/// A match that has not ended after this many deals is stopped.
const MAX_DEALS: usize = 1_000;

/// Counts of what one bot did.
#[derive(Clone, Default, Debug)]
pub(crate) struct BotTally {
    /// Bids that it declared: in Cruce those above 0 that won the bidding, in whist all.
    pub(crate) declared: u64,
    /// The declared bids that it made.
    pub(crate) made: u64,
    /// Decisions between at least two actions.
    pub(crate) decisions: u64,
    pub(crate) thinking: Duration,
    pub(crate) longest: Duration,
    pub(crate) faults: Faults,
}

impl BotTally {
    pub(crate) fn add(&mut self, other: &BotTally) {
        self.declared += other.declared;
        self.made += other.made;
        self.decisions += other.decisions;
        self.thinking += other.thinking;
        self.longest = self.longest.max(other.longest);
        self.faults.add(&other.faults);
    }

    fn bid(&mut self, made: bool) {
        self.declared += 1;
        self.made += u64::from(made);
    }
}

/// What each side gained in a deal.
struct Gains {
    /// Points with calls in Cruce; in whist the same as the change.
    points: BySide<i64>,
    /// The change of the score (C11, W6).
    change: BySide<i64>,
}

/// The outcome of one duplicate, over all its seatings.
#[derive(Clone, Default, Debug)]
pub struct DuplicateOutcome {
    /// The lead of A, summed over the seatings, in parts of [`Seating::parts`].
    pub(crate) points: i64,
    pub(crate) score: i64,
    /// Matches that A won, that neither won alone, and that B won.
    pub(crate) matches: [u64; 3],
    /// The counts of each bot.
    pub(crate) tallies: [BotTally; 2],
}

/// A table with its players.
struct ArenaTable<'a> {
    seeds: &'a DuplicateSeeds<'a>,
    seating: &'a Seating,
    players: &'a mut [ArenaPlayer; 2],
    tallies: &'a mut [BotTally; 2],
    table: Table,
    /// The sides that have won, once the match is over.
    won: Option<BySide<bool>>,
}

/// Plays one deal with every seating.
pub(crate) fn deal(
    seeds: &DuplicateSeeds<'_>,
    seatings: &[Seating],
    players: &mut [ArenaPlayer; 2],
) -> Result<DuplicateOutcome> {
    let number = match seeds.rules {
        Rules::Cruce(_) => 0,
        // Whist goes through the deals of a match and begins again.
        Rules::Whist(rules) => seeds.number % rules.deals(),
    };
    let dealer = seeds.dealer();
    let mut outcome = DuplicateOutcome::default();
    for seating in seatings {
        let table = Table::at_deal(seeds.rules, dealer.first_seat(), number);
        let tallies = &mut outcome.tallies;
        let mut game = ArenaTable { seeds, seating, players, tallies, table, won: None };
        let gains = game.deal(&dealer)?;
        outcome.points += seating.lead(&gains.points);
        outcome.score += seating.lead(&gains.change);
    }
    Ok(outcome)
}

/// Plays one match with every seating.
pub(crate) fn whole_match(
    seeds: &DuplicateSeeds<'_>,
    seatings: &[Seating],
    players: &mut [ArenaPlayer; 2],
) -> Result<DuplicateOutcome> {
    let dealer = seeds.dealer();
    let mut outcome = DuplicateOutcome::default();
    for seating in seatings {
        let table = Table::new(seeds.rules, dealer.first_seat());
        let tallies = &mut outcome.tallies;
        let mut game = ArenaTable { seeds, seating, players, tallies, table, won: None };
        let winners = game.whole_match(&dealer)?;
        let won = |who| {
            let sides = winners.iter().flat_map(|sides| sides.entries());
            sides.filter(|(_, won)| **won).any(|(side, _)| seating.of_side(side) == who)
        };
        let place = match (won(BotSide::A), won(BotSide::B)) {
            (true, false) => 0,
            (false, true) => 2,
            // Shared (W8), or stopped.
            _ => 1,
        };
        outcome.matches[place] += 1;
    }
    Ok(outcome)
}

impl ArenaTable<'_> {
    /// Plays deals until the match is over. Returns None if it is stopped before.
    fn whole_match(&mut self, dealer: &Dealer) -> Result<Option<BySide<bool>>> {
        while !self.table.is_over() && self.table.public().number() < MAX_DEALS {
            self.deal(dealer)?;
        }
        for who in BotSide::BOTH {
            let seats = self.seating.seats(who);
            let over = MatchOver::new(self.won.as_ref(), self.table.public(), &seats);
            self.players[who.index()].notify(&HostMessage::MatchOver(over));
        }
        Ok(self.won)
    }

    fn deal(&mut self, dealer: &Dealer) -> Result<Gains> {
        let public = self.table.public();
        let deal = dealer.deal(public.number(), public.first()).context("there is no such deal")?;
        let mut bids = BySeat::filled(0, self.seeds.rules.players());
        let (mut contract, mut gains) = (None, None);
        let mut events = self.table.deal(deal)?;
        loop {
            for event in &events {
                self.table.apply(event)?;
                match event {
                    Event::Open(OpenEvent::Bid { seat, bid }) => bids[*seat] = *bid,
                    Event::Open(OpenEvent::Declared(declared)) => contract = Some(*declared),
                    Event::Open(OpenEvent::Scored(score)) => {
                        self.count_contracts(contract, &bids, score);
                        gains = Some(self.scored(score));
                    }
                    Event::Open(OpenEvent::ThrownIn { why, change }) => {
                        gains = Some(self.thrown_in(*why, change));
                    }
                    Event::Open(OpenEvent::Won { sides }) => self.won = Some(*sides),
                    _ => {}
                }
            }
            if let Some(gains) = gains {
                return Ok(gains);
            }
            let (seat, action) = self.ask()?;
            events = self.table.decide(seat, action)?;
        }
    }

    /// Asks the seat in turn or, when all cards are played on an honour table, a seat that has not
    /// accepted the deal yet (C15).
    fn ask(&mut self) -> Result<(Seat, Action)> {
        let may_accept = |seat: &Seat| self.table.check(*seat, Action::Accept).is_ok();
        let waiting = || Seat::first(self.seeds.rules.players()).find(may_accept);
        let seat = self.table.public().turn().or_else(waiting).context("no seat can act")?;
        let view = self.table.view(Viewer::Seat(seat));
        let seed = self.seeds.decision(seat, &view);
        let who = self.seating.at(seat).index();
        let start = clock::now();
        let answer = self.players[who].act(&view, seed);
        let took = start.elapsed();
        let tally = &mut self.tallies[who];
        if view.actions().len() > 1 {
            tally.decisions += 1;
            tally.thinking += took;
            tally.longest = tally.longest.max(took);
        }
        if let Some(fault) = &answer.fault {
            let place = format!("deal {}, seat {}", self.seeds.number + 1, seat.number());
            tally.faults.note(&place, fault);
        }
        Ok((seat, answer.action.context("a seat in turn cannot act")?))
    }

    fn count_contracts(
        &mut self,
        contract: Option<Contract>,
        bids: &BySeat<u8>,
        score: &DealScore,
    ) {
        match (self.seeds.rules, contract) {
            (Rules::Cruce(rules), Some(contract)) if contract.bid > 0 => {
                let points = u16::from(score.points[rules.side_of(contract.declarer)]);
                let made = points >= promised_points(contract.bid);
                self.tallies[self.seating.at(contract.declarer).index()].bid(made);
            }
            (Rules::Cruce(_), _) => {}
            (Rules::Whist(_), _) => {
                for (seat, bid) in bids.entries() {
                    let made = score.points[Side::alone(seat)] == *bid;
                    self.tallies[self.seating.at(seat).index()].bid(made);
                }
            }
        }
    }

    fn scored(&mut self, score: &DealScore) -> Gains {
        let public = self.table.public();
        for who in BotSide::BOTH {
            let over = DealOver::scored(score, public, &self.seating.seats(who));
            self.players[who.index()].notify(&HostMessage::DealOver(over));
        }
        let change = score.change.map(i64::from);
        let points = match self.seeds.rules {
            Rules::Cruce(_) => score.points.map(i64::from),
            Rules::Whist(_) => change,
        };
        Gains { points, change }
    }

    fn thrown_in(&mut self, why: ThrownIn, change: &BySide<i16>) -> Gains {
        let public = self.table.public();
        for who in BotSide::BOTH {
            let over = DealOver::thrown_in(why, change, public, &self.seating.seats(who));
            self.players[who.index()].notify(&HostMessage::DealOver(over));
        }
        Gains { points: BySide::filled(0, change.len()), change: change.map(i64::from) }
    }
}
