//! The reasons for a hint: facts that the seat can know, and the comparison with the other choices.

use cards::Card;
use game::cruce::{self, promised_points};
use game::public::{Phase, Round};
use game::{Action, Illegal, Rules, Viewer};

use super::{ActionWorth, Hint, decimal, is_bid, whole};
use phrases::layout::capitalised;
use phrases::{Phrases, game_word};

/// Up to this difference, in points of score, two choices are equally good.
const AS_GOOD: f64 = 0.03;
/// Up to this difference, the better choice is a little better.
const A_LITTLE: f64 = 0.25;
/// From this difference on, the better choice is much better.
const MUCH: f64 = 1.0;

impl Hint<'_> {
    /// The reasons for the advice, as sentences.
    pub fn reasons(&self, phrases: &Phrases) -> Vec<String> {
        let mut reasons = self.why_forced(phrases);
        let is_forced = self.is_forced();
        match (self.view.public().phase(), self.best.action) {
            (_, Action::Accept) => return vec![phrases.hint_nothing_to_challenge()],
            (_, Action::Challenge { .. }) => return vec![phrases.hint_revoked()],
            (Phase::Playing(round), Action::Play { card, .. }) => {
                reasons.extend(self.about_trump(phrases, round, card));
                reasons.extend(self.about_trick(phrases, round, card));
                reasons.extend(self.compared(phrases));
                reasons.extend(self.standing(phrases, round).filter(|_| !is_forced));
            }
            (Phase::Bidding(_), Action::Bid(bid)) if !is_forced => {
                reasons.extend(self.compared(phrases));
                reasons.extend(self.about_bids(phrases));
                reasons.extend(self.about_hand(phrases, bid));
            }
            _ => {}
        }
        if !is_forced {
            reasons.push(self.about_ways(phrases));
            reasons.extend(self.rough.then(|| phrases.hint_rough()));
        }
        reasons
    }

    /// Why there is no choice; empty if there is one.
    fn why_forced(&self, phrases: &Phrases) -> Vec<String> {
        if !self.is_forced() {
            return Vec::new();
        }
        if matches!(self.best.action, Action::Play { .. }) && self.view.hand().len() == 1 {
            return vec![phrases.hint_last_card()];
        }
        // The strictest duty is the explanation.
        let strictness = |illegal: &Illegal| match illegal {
            Illegal::MustBeat { .. } => 2,
            Illegal::MustTrump { .. } => 1,
            _ => 0,
        };
        let duty = self.refused().into_iter().map(|(_, illegal)| illegal).max_by_key(strictness);
        let duty = duty.map(|illegal| phrases.refusal(&illegal, self.view.public().rules()));
        std::iter::once(phrases.hint_no_choice(self.honour_word())).chain(duty).collect()
    }

    /// The first lead decides the trump (C7).
    fn about_trump(&self, phrases: &Phrases, round: &Round, card: Card) -> Option<String> {
        let rules = self.view.public().rules();
        let makes_trump = matches!(rules, Rules::Cruce(_)) && round.trump().is_none();
        makes_trump.then(|| phrases.hint_makes_trump(phrases.suit_name(rules.pack(), card.suit())))
    }

    /// What is certain about the trick after this card.
    fn about_trick(&self, phrases: &Phrases, round: &Round, card: Card) -> Option<String> {
        let (rules, Viewer::Seat(seat)) = (self.view.public().rules(), self.view.viewer()) else {
            return None;
        };
        let (game, leads) = (game_word(rules), round.trick().is_empty());
        let led = matches!(rules, Rules::Cruce(_)).then_some(card.suit());
        let mut trick = round.trick().clone();
        trick.lay(card, false, round.trump().or(led), rules.players());
        let winner = trick.winner();
        if trick.is_full(rules.players()) {
            let points = phrases.points(cruce::worth_of(trick.cards()));
            return Some(if winner == seat {
                phrases.hint_takes(game, points)
            } else if rules.side_of(winner) == rules.side_of(seat) {
                phrases.hint_partner_takes(points)
            } else {
                phrases.hint_other_takes(game, phrases.seat_name(winner), points)
            });
        }
        match winner == seat {
            true if self.unbeatable => {
                Some(phrases.hint_unbeatable(if leads { "yes" } else { "no" }))
            }
            true => None,
            false => Some(phrases.hint_beaten()),
        }
    }

    /// The comparison of the advice with the other choices.
    fn compared(&self, phrases: &Phrases) -> Option<String> {
        let (best, others) = (&self.best, &self.others);
        let next = others.first()?;
        let gap = |choice: &ActionWorth| best.worth - choice.worth;
        let as_good = others.iter().filter(|other| gap(other) <= AS_GOOD);
        let as_good: Vec<Action> = as_good.map(|choice| choice.action).collect();
        if as_good.len() == others.len() && self.unweighed.iter().all(|a| !is_bid(a)) {
            return Some(phrases.hint_all_same());
        }
        if !as_good.is_empty() {
            return Some(phrases.hint_as_good(self.one_of(phrases, &as_good)));
        }
        let by = match gap(next) {
            gap if gap >= MUCH => "much",
            gap if gap <= A_LITTLE => "little",
            _ => "some",
        };
        Some(phrases.hint_better(by, self.name_with_article(phrases, next.action)))
    }

    /// The promise, and what has been made of it so far.
    fn standing(&self, phrases: &Phrases, round: &Round) -> Option<String> {
        let (public, Viewer::Seat(seat)) = (self.view.public(), self.view.viewer()) else {
            return None;
        };
        let rules = public.rules();
        let Some(contract) = round.contract() else {
            let at = seat.steps_from(public.first(), rules.players());
            let taken = round.points()[rules.side_of(seat)];
            let bid = *round.auction().bids().get(at)?;
            return Some(phrases.hint_bid_and_taken(bid, taken, self.view.hand().len()));
        };
        let side = rules.side_of(contract.declarer);
        let teams = rules.sides() < rules.players();
        let who = match (side == rules.side_of(seat), teams) {
            (true, true) => "team",
            (true, false) => "you",
            (false, true) => "two",
            (false, false) => "one",
        };
        let points = phrases.points(promised_points(contract.bid));
        let made = round.points()[side];
        let side = capitalised(&phrases.side_name(rules, side));
        (contract.bid > 0).then(|| phrases.hint_promised(who, side, points, made))
    }

    /// The bids so far.
    fn about_bids(&self, phrases: &Phrases) -> Option<String> {
        let (public, Viewer::Seat(seat)) = (self.view.public(), self.view.viewer()) else {
            return None;
        };
        let Phase::Bidding(auction) = public.phase() else { return None };
        let (rules, bids) = (public.rules(), auction.bids());
        if let Rules::Whist(_) = rules {
            let sum: u8 = bids.iter().sum();
            let has_bids = !bids.is_empty();
            return has_bids.then(|| phrases.hint_bids_so_far(sum, auction.cards_each()));
        }
        let highest = *bids.iter().max().filter(|highest| **highest > 0)?;
        let at = bids.iter().position(|bid| *bid == highest)?;
        let holder = public.first().after(at, rules.players());
        let bid = phrases.bid(rules, highest);
        Some(match rules.side_of(holder) == rules.side_of(seat) {
            true => phrases.hint_partner_holds(bid),
            false => phrases.hint_other_holds(phrases.seat_name(holder), bid),
        })
    }

    /// The expected result of the hand, compared with the advised bid or with the lowest possible one.
    fn about_hand(&self, phrases: &Phrases, bid: u8) -> Option<String> {
        let (promise, public) = (self.promise?, self.view.public());
        let Rules::Cruce(rules) = public.rules() else {
            return Some(phrases.hint_tricks(decimal(phrases, promise, 1)));
        };
        let least = public.legal_bids().iter().find(|bid| *bid > 0)?;
        let bid = if bid > 0 { bid } else { least };
        let teams = if rules.teams() { "yes" } else { "no" };
        let points = phrases.points(promise.round().max(0.0));
        Some(phrases.hint_declaring(teams, points, phrases.bid_word(bid), promised_points(bid)))
    }

    /// The number of ways in which the unseen cards can be distributed.
    fn about_ways(&self, phrases: &Phrases) -> String {
        const MILLION: f64 = 1e6;
        const BILLION: f64 = 1e9;
        let ways = self.ways as f64;
        let rounded = |size: &'static str, part: f64| {
            // Two digits are precise enough.
            let digits = usize::from(part < 10.0);
            let part = if digits == 1 { (part * 10.0).round() / 10.0 } else { part.round() };
            let digits = if part.fract() == 0.0 { 0 } else { digits };
            phrases.hint_ways(size, part, decimal(phrases, part, digits))
        };
        match ways {
            _ if self.ways == 1 => phrases.hint_ways("known", 1, "1"),
            ways if ways < MILLION => phrases.hint_ways("exact", ways, whole(phrases, self.ways)),
            ways if ways < BILLION => rounded("million", ways / MILLION),
            ways if ways < MILLION * MILLION => rounded("billion", ways / BILLION),
            _ => phrases.hint_ways("more", 0, "0"),
        }
    }
}
