//! Examples in which cards are played: each step is done or checked on the
//! engine, and told.

use cards::{BySide, Card, CardSet, Seat, Side};
use game::cruce::{Calls, Contract, POINTS_A_SCORE, callable};
use game::event::{DealScore, ThrownIn};
use game::notation::parse_card;
use game::{Action, Event, Happened, Illegal, Position, Rules};
use phrases::layout::{capitalised, signed};
use phrases::text_rows;
use phrases::text_rows::TakenRow;
use table_view::deal_score::{DeclarerPromise, SideLine};

use super::examples::{Entry, Step};
use super::live::Live;
use super::page::{Group, Page, Voice};
use super::reckoned::{each_step, no_such_step, tell_winners, text, told};

/// Up to so many cards a player, all hands are drawn; more are told in rows.
const DRAWN_HANDS: usize = 2;

pub fn run(entry: &Entry, position: &Position) -> Result<Page, String> {
    let first_line = entry.steps.first().map_or(0, |step| step.line - 1);
    let live = Live::new(position).map_err(|fault| format!("{first_line}: {fault}"))?;
    let rules = *position.rules();
    let mut player = Player {
        page: Page::new(rules),
        first: position.first(),
        bids: position.bids().to_vec(),
        rules,
        trick: live.trick(&rules),
        number: 0,
        calls: BySide::filled(0, rules.sides()),
        call: None,
        contract: position.contract(),
        taken: None,
        taker_told: false,
        drawn: Vec::new(),
        change: None,
        scored: None,
        looked: None,
        live,
    };
    player.open(entry);
    each_step(entry, |step| player.step(step))?;
    Ok(player.page)
}

struct Player {
    page: Page,
    live: Live,
    rules: Rules,
    first: Seat,
    bids: Vec<u8>,
    contract: Option<Contract>,
    calls: BySide<u8>,
    /// The cards on the table, and the call that they were led with.
    trick: Vec<(Seat, Card)>,
    call: Option<u8>,
    /// How many tricks are finished.
    number: usize,
    /// Who took the last trick with how many points, and whether that is told.
    taken: Option<(Seat, u8)>,
    taker_told: bool,
    drawn: Vec<Seat>,
    change: Option<BySide<i16>>,
    /// The points of a deal that is scored.
    scored: Option<BySide<u8>>,
    /// What was last drawn, so that it is not drawn twice.
    looked: Option<(usize, CardSet, bool)>,
}

impl Player {
    /// What there is before the first step.
    fn open(&mut self, entry: &Entry) {
        let says = |words: &[&str]| entry.steps.iter().any(|s| words.contains(&s.word.as_str()));
        let (rules, trump, points) = (self.rules, self.live.trump(), self.live.points(&self.rules));
        let hands = cards::BySeat::from_fn(rules.players(), |seat| self.live.hand(seat));
        if self.live.table().is_some() {
            // A bidding is told with the hands of those who bid.
            if says(&["play"]) || !says(&["bids", "legal", "sees"]) {
                self.show_hands(&hands);
            }
            if matches!(rules, Rules::Whist(_)) && !says(&["trump"]) {
                self.page.say(|live_region| live_region.phrases.trump(&rules, trump));
            }
            return;
        }
        self.page.say(|live_region| live_region.phrases.trump(&rules, trump));
        if says(&["points"]) {
            self.page.say(|live_region| {
                live_region.each_side(live_region.phrases.points_now(), &points)
            });
        }
        if says(&["taken"]) {
            self.page.say(|live_region| {
                live_region.each_side(live_region.phrases.tricks_now(), &points)
            });
        }
        let Some(first) = entry.steps.first() else { return };
        let played = first.rest.first().map_or(0, |cards| cards.split('.').count());
        if first.word == "play" && played == rules.players() {
            self.show_hands(&hands);
        } else if !["legal", "refuses"].contains(&first.word.as_str()) {
            self.look(false);
        }
    }

    fn show_hands(&mut self, hands: &cards::BySeat<CardSet>) {
        let (rules, turned) = (self.rules, self.live.turned());
        let whole = self.live.table().is_some();
        let small = whole && hands.iter().all(|hand| hand.len() <= DRAWN_HANDS);
        self.page.show(|live_region| {
            if !small {
                let names: Vec<String> = live_region.names.iter().map(|n| capitalised(n)).collect();
                return text_rows::hands(&live_region.phrases, rules.pack(), &names, hands, "");
            }
            let mut groups: Vec<Group> = hands
                .entries()
                .map(|(seat, hand)| live_region.hand(live_region.name(seat).into(), *hand))
                .collect();
            groups.extend(turned_group(live_region, turned));
            live_region.pictures(&groups)
        });
        if small {
            // They are all in sight.
            self.looked = self.live.turn().map(|seat| (0, self.live.hand(seat), false));
        }
    }

    /// Draws the table and the hand of the seat in turn; marked with what may be played.
    fn look(&mut self, marked: bool) {
        let Some(seat) = self.live.turn() else { return };
        let (hand, legal) = (self.live.hand(seat), self.live.legal());
        let (trick, turned) = (self.trick.clone(), self.live.turned());
        let looks = (trick.len(), hand, marked);
        let bidding_on_drawn = self.live.is_bidding() && hand.len() <= DRAWN_HANDS;
        if self.looked == Some(looks) || bidding_on_drawn {
            return;
        }
        self.looked = Some(looks);
        self.page.show(|live_region| {
            let mut groups: Vec<Group> = turned_group(live_region, turned).into_iter().collect();
            if !trick.is_empty() {
                groups.push(laid(live_region, live_region.phrases.on_the_table(), &trick));
            }
            let mut held =
                live_region.hand(live_region.phrases.holds(live_region.name(seat)), hand);
            if marked {
                let mark = |card: &Card| if legal.contains(*card) { "✓" } else { "✗" };
                held.notes = held.cards.iter().map(|card| mark(card).into()).collect();
            }
            groups.push(held);
            live_region.pictures(&groups)
        });
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        let rules = self.rules;
        match step.word.as_str() {
            "bids" => self.legal_bids(step),
            "bid" => self.bid(step),
            "legal" => self.legal(step),
            "refuses" => self.refuses(step),
            "play" => self.play(step),
            "challenge" => self.challenge(step),
            "accept" => self.accept(step),
            "turn" => {
                let turn = self.live.turn();
                step.expect(step.arg(0)?, &turn.map_or("nobody".into(), number))?;
                let (bidding, leading) = (self.live.is_bidding(), self.trick.is_empty());
                let seat = turn.unwrap_or_default();
                self.page.say(|live_region| match (bidding, leading) {
                    (true, _) => live_region.phrases.bidder(&rules, live_region.name(seat)),
                    (false, true) => live_region.phrases.turn_to_lead(live_region.name(seat)),
                    (false, false) => live_region.phrases.turn(live_region.name(seat)),
                });
                Ok(())
            }
            "takes" => self.takes(step),
            "trump" => {
                let pack = rules.pack();
                let letter = |suit| pack.suit_letter(suit).to_string();
                let trump = self.live.trump();
                step.expect(step.arg(0)?, &trump.map_or("-".into(), letter))?;
                self.page.say(|live_region| live_region.phrases.trump(&rules, trump));
                Ok(())
            }
            "declarer" => self.declarer(step),
            "points" | "taken" => self.points(step),
            "shown" => {
                let (seat, pack) = (seat(step.arg(0)?)?, rules.pack());
                let shown = self.live.shown(seat);
                step.expect_cards(1, pack, shown)?;
                self.page.say(|live_region| {
                    live_region
                        .phrases
                        .shown(live_region.name(seat), live_region.phrases.all_of(pack, shown))
                });
                Ok(())
            }
            "sees" => {
                let seat = seat(step.arg(0)?)?;
                let hand = self.live.hand(seat);
                step.expect_cards(1, rules.pack(), hand)?;
                if self.live.turn() == Some(seat) {
                    self.looked = Some((self.trick.len(), hand, false));
                }
                self.page.show(|live_region| {
                    let title = live_region.phrases.sees(live_region.name(seat));
                    live_region.pictures(&[live_region.hand(title, hand)])
                });
                Ok(())
            }
            "drawn" => {
                let drawn = std::mem::take(&mut self.drawn);
                let found: Vec<String> = drawn.iter().map(|seat| number(*seat)).collect();
                step.expect(&step.told(), &found.join(" "))?;
                let [first, second] = drawn[..] else { return Err("two draw".into()) };
                self.page.say(|live_region| {
                    live_region
                        .phrases
                        .draws_first(live_region.name(first), live_region.name(second))
                });
                Ok(())
            }
            "stock" => {
                let left = self.live.stock();
                step.expect(step.arg(0)?, &left.to_string())?;
                self.page.say(|live_region| live_region.phrases.stock_left(left));
                Ok(())
            }
            "thrownin" | "change" | "score" | "over" | "next" => self.after_deal(step),
            _ => no_such_step(step),
        }
    }

    fn legal_bids(&mut self, step: &Step) -> Result<(), String> {
        let (rules, bids) = (self.rules, self.live.legal_bids());
        let found: Vec<String> = bids.iter().map(ToString::to_string).collect();
        step.expect(&step.told(), &found.join(" "))?;
        let seat = self.live.turn().ok_or("nobody is to bid")?;
        self.look(false);
        self.page.say(|live_region| {
            live_region.phrases.legal_bids(&rules, live_region.name(seat), &bids)
        });
        Ok(())
    }

    fn bid(&mut self, step: &Step) -> Result<(), String> {
        let rules = self.rules;
        let mut said = Vec::new();
        for word in step.arg(0)?.split('.') {
            let bid: u8 = word.parse().map_err(|_| format!("\"{word}\" is no bid"))?;
            let seat = self.live.turn().ok_or("nobody is to bid")?;
            let events = self.act(seat, Action::Bid(bid))?;
            said.push((seat, bid));
            self.bids.push(bid);
            if events.len() > 1 {
                tell_bids(&mut self.page, &rules, &std::mem::take(&mut said));
            }
            self.happen(&events)?;
        }
        tell_bids(&mut self.page, &rules, &said);
        Ok(())
    }

    fn act(&mut self, seat: Seat, action: Action) -> Result<Vec<Event>, String> {
        let told = |illegal: Illegal| format!("{} refuses this: {illegal}", illegal.name());
        self.live.act(seat, action).map_err(told)
    }

    /// Lets events happen, and tells those that end something.
    fn happen(&mut self, events: &[Event]) -> Result<(), String> {
        for event in events {
            self.live.apply(event)?;
            match event {
                Event::Open(happened) => self.happened(happened),
                Event::Drew { seat, .. } => self.drawn.push(*seat),
                Event::Dealt(_) | Event::Completed { .. } => {}
            }
        }
        Ok(())
    }

    fn happened(&mut self, happened: &Happened) {
        match *happened {
            Happened::Declared(contract) => self.contract = Some(contract),
            Happened::Played { seat, card, call } => {
                if self.trick.is_empty() {
                    (self.call, self.drawn) = (call, Vec::new());
                }
                self.trick.push((seat, card));
                self.calls[self.rules.side_of(seat)] += call.unwrap_or(0);
            }
            Happened::Took { seat, points } => {
                self.number += 1;
                (self.taken, self.taker_told) = (Some((seat, points)), false);
            }
            Happened::Scored(score) => self.scored(&score),
            Happened::ThrownIn { why, change } => self.thrown_in(why, change),
            Happened::Won { sides } => {
                let won: Vec<Side> =
                    sides.entries().filter(|(_, won)| **won).map(|(side, _)| side).collect();
                tell_winners(&mut self.page, &won);
            }
            Happened::Bid { .. } | Happened::Challenged { .. } | Happened::Accepted { .. } => {}
        }
    }

    fn legal(&mut self, step: &Step) -> Result<(), String> {
        let (rules, legal) = (self.rules, self.live.legal());
        step.expect_cards(0, rules.pack(), legal)?;
        let seat = self.live.turn().ok_or("nobody is to play")?;
        let hand = self.live.hand(seat);
        self.look(true);
        self.page.say(|live_region| {
            live_region.phrases.legal_cards(&rules, live_region.name(seat), hand, legal)
        });
        Ok(())
    }

    fn refuses(&mut self, step: &Step) -> Result<(), String> {
        let turn = self.live.turn().unwrap_or_default();
        let (by, action, reason) = match step.arg(0)? {
            "bid" => {
                self.look(false);
                let bid = step.number(1)?;
                (turn, Action::Bid(bid as u8), step.arg(2)?)
            }
            "seat" => {
                let (card, call) = self.card(step.arg(2)?)?;
                (seat(step.arg(1)?)?, Action::Play { card, call }, step.arg(3)?)
            }
            "challenge" => {
                let (by, action) = challenge(step, 1)?;
                (by, action, step.arg(4)?)
            }
            text => {
                self.look(true);
                let (card, call) = self.card(text)?;
                (turn, Action::Play { card, call }, step.arg(1)?)
            }
        };
        let refusal = self.live.act(by, action).err();
        step.expect(reason, refusal.map_or("accepted", |illegal| illegal.name()))?;
        let (Some(illegal), rules) = (refusal, self.rules) else { return Ok(()) };
        let named = step.arg(0)? == "seat";
        self.page.refuse(
            |live_region| match action {
                Action::Bid(bid) => live_region.phrases.bid(&rules, bid),
                Action::Play { card, call } => {
                    let name = live_region.phrases.card(rules.pack(), card);
                    let name = if call { live_region.phrases.with_call(name) } else { name };
                    if named { format!("{}, {name}", live_region.name(by)) } else { name }
                }
                _ => capitalised(&told_challenge(live_region, by, action)),
            },
            |live_region| live_region.phrases.refusal(&illegal, &rules),
        );
        Ok(())
    }

    /// A card with or without its call; `4b!` is called.
    fn card(&self, text: &str) -> Result<(Card, bool), String> {
        let (name, call) = match text.strip_suffix('!') {
            Some(name) => (name, true),
            None => (text, false),
        };
        Ok((parse_card(self.rules.pack(), name).map_err(|fault| fault.to_string())?, call))
    }

    fn play(&mut self, step: &Step) -> Result<(), String> {
        let whole = self.live.table().is_some();
        let mut from_lead = self.trick.is_empty();
        let mut said = Vec::new();
        for word in step.arg(0)?.split('.') {
            let seat = self.live.turn().ok_or("nobody is to play")?;
            let (card, call) = self.card(word)?;
            let call = call || self.calls_itself(seat, card);
            let events = self.act(seat, Action::Play { card, call })?;
            said.push((seat, card));
            // The card and its trick are told before the score that may follow.
            let (now, later): (Vec<Event>, Vec<Event>) = events.into_iter().partition(|event| {
                !matches!(event, Event::Open(Happened::Scored(_) | Happened::Won { .. }))
            });
            self.happen(&now)?;
            if self.trick.len() == self.rules.players() {
                if whole && from_lead {
                    self.tell_row();
                } else if whole {
                    self.tell_plays(&said);
                } else {
                    let trick = self.trick.clone();
                    self.page.show(|live_region| {
                        live_region.pictures(&[laid(
                            live_region,
                            live_region.phrases.trick_taken(),
                            &trick,
                        )])
                    });
                }
                (from_lead, self.call) = (true, None);
                self.trick.clear();
                said.clear();
            }
            self.happen(&later)?;
        }
        self.tell_plays(&said);
        Ok(())
    }

    /// At an automatic table the call is part of the lead (C10).
    fn calls_itself(&self, seat: Seat, card: Card) -> bool {
        matches!(&self.rules, Rules::Cruce(rules) if rules.spec().calls == Calls::Automatic)
            && self.trick.is_empty()
            && callable(self.live.hand(seat)).contains(card)
    }

    fn tell_row(&mut self) {
        let (rules, number) = (self.rules, self.number);
        let Some((by, points)) = self.taken else { return };
        self.taker_told = true;
        let taken = TakenRow { plays: self.trick.clone(), call: self.call, by, points };
        self.page.row(|live_region| {
            let names: Vec<String> =
                live_region.names.iter().map(|name| capitalised(name)).collect();
            text_rows::trick(&live_region.phrases, &rules, &names, number, &taken)
        });
    }

    fn tell_plays(&mut self, said: &[(Seat, Card)]) {
        if said.is_empty() {
            return;
        }
        let (pack, call) = (self.rules.pack(), self.call);
        // The cards told are the last ones on the table.
        let leads = said.len() == self.trick.len();
        self.page.say(|live_region| {
            let mut parts = Vec::new();
            for (at, (seat, card)) in said.iter().enumerate() {
                let (name, card) =
                    (live_region.name(*seat), live_region.phrases.the_card(pack, *card));
                parts.push(match (at, call) {
                    (0, Some(points)) if leads => {
                        live_region.phrases.leads_calling(name, card, points)
                    }
                    (0, None) if leads => live_region.phrases.leads(name, card),
                    _ if at == usize::from(leads) => live_region.phrases.plays(name, card),
                    _ => format!("{name} {card}"),
                });
            }
            let sentence = parts.join(", ");
            if sentence.ends_with('!') { sentence } else { format!("{sentence}.") }
        });
    }

    fn takes(&mut self, step: &Step) -> Result<(), String> {
        let (rules, (seat, points)) = (self.rules, self.taken.ok_or("no trick is finished")?);
        step.expect(step.arg(0)?, &number(seat))?;
        if !self.taker_told {
            self.taker_told = true;
            self.page.say(|live_region| {
                live_region.phrases.taker(&rules, live_region.name(seat), points)
            });
        }
        Ok(())
    }

    fn declarer(&mut self, step: &Step) -> Result<(), String> {
        let rules = self.rules;
        let contract = self.contract.ok_or("nobody is declarer")?;
        step.expect(&step.told(), &format!("{} {}", number(contract.declarer), contract.bid))?;
        self.page.say(|live_region| {
            let side = live_region.side(rules.side_of(contract.declarer));
            let name = live_region.name(contract.declarer);
            live_region.phrases.declarer(name, &side, contract.bid)
        });
        Ok(())
    }

    fn points(&mut self, step: &Step) -> Result<(), String> {
        let points = self.scored.unwrap_or_else(|| self.live.points(&self.rules));
        let cruce = matches!(self.rules, Rules::Cruce(_));
        if (step.word == "points") != cruce {
            return no_such_step(step);
        }
        step.expect(step.arg(0)?, &text(&points))?;
        if self.scored.is_some() {
            // They stand in the table of the score.
            return Ok(());
        }
        let told = |live_region: &Voice| {
            let label = if cruce {
                live_region.phrases.points_now()
            } else {
                live_region.phrases.tricks_now()
            };
            live_region.each_side(label, &points)
        };
        if self.page.ends_in_row() {
            self.page
                .row(|live_region| phrases::layout::wrap(&told(live_region), "     ", "     "));
        } else {
            self.page.say(told);
        }
        Ok(())
    }

    fn challenge(&mut self, step: &Step) -> Result<(), String> {
        let (by, action) = challenge(step, 0)?;
        let rules = self.rules;
        let events = self.act(by, action)?;
        let broken = events.iter().find_map(|event| match event {
            Event::Open(Happened::Challenged { accused, broken, .. }) => Some((*accused, *broken)),
            _ => None,
        });
        let (accused, broken) = broken.ok_or("nothing was judged")?;
        step.expect(step.arg(3)?, if broken.is_some() { "upheld" } else { "wrong" })?;
        self.page.say(|live_region| {
            let judged = match &broken {
                Some(broken) => {
                    let duty =
                        live_region.phrases.broken_duty(live_region.name(accused), broken, &rules);
                    live_region.phrases.challenge_right(duty)
                }
                None => live_region.phrases.challenge_wrong(),
            };
            format!("{} {judged}", told_challenge(live_region, by, action))
        });
        self.happen(&events)
    }

    fn accept(&mut self, step: &Step) -> Result<(), String> {
        let seats: Result<Vec<Seat>, String> = step.arg(0)?.split('.').map(seat).collect();
        let seats = seats?;
        self.page.say(|live_region| {
            let names: Vec<String> =
                seats.iter().map(|seat| live_region.name(*seat).into()).collect();
            live_region.phrases.accepted(live_region.phrases.list_and(&names))
        });
        for seat in seats {
            let events = self.act(seat, Action::Accept)?;
            self.happen(&events)?;
        }
        Ok(())
    }

    fn scored(&mut self, score: &DealScore) {
        (self.change, self.scored) = (Some(score.change), Some(score.points));
        let total = self.live.table().map(|table| *table.public().score());
        let called = self.calls.iter().any(|points| *points > 0);
        let line = |side: Side| match self.rules {
            Rules::Cruce(_) => {
                let contract = self.contract.filter(|c| self.rules.side_of(c.declarer) == side);
                let promise = contract.map(|contract| {
                    let points = u16::from(contract.bid) * u16::from(POINTS_A_SCORE);
                    let kept = u16::from(score.points[side]) >= points;
                    DeclarerPromise { bid: contract.bid, points, kept }
                });
                SideLine {
                    points: Some(score.points[side]),
                    calls: called.then_some(self.calls[side]),
                    promise,
                    change: Some(score.change[side]),
                    total: total.map(|total| total[side]),
                    ..SideLine::default()
                }
            }
            // The deals before this one were played anyhow: their totals say nothing.
            Rules::Whist(_) => {
                let seat = Seat::new(side.index()).unwrap_or_default();
                let said = seat.steps_from(self.first, self.rules.players());
                SideLine {
                    bid: self.bids.get(said).copied(),
                    took: Some(score.points[side]),
                    change: Some(score.change[side]),
                    ..SideLine::default()
                }
            }
        };
        let lines: Vec<SideLine> = Side::first(self.rules.sides()).map(line).collect();
        self.page.show(|live_region| told(live_region, &lines));
    }

    fn thrown_in(&mut self, why: ThrownIn, change: BySide<i16>) {
        self.change = Some(change);
        let rules = self.rules;
        let ThrownIn::Revoke { seat } = why else {
            self.page.say(|live_region| live_region.phrases.all_passed());
            return;
        };
        self.page.say(|live_region| {
            let side = rules.side_of(seat);
            live_region.phrases.thrown_in(signed(change[side].into()), live_region.side(side))
        });
    }

    fn after_deal(&mut self, step: &Step) -> Result<(), String> {
        let Some(table) = self.live.table() else { return no_such_step(step) };
        let rules = self.rules;
        match step.word.as_str() {
            "thrownin" => step.expect("yes", if self.change.is_some() { "yes" } else { "no" }),
            "change" => {
                let change = self.change.ok_or("the deal is not over")?;
                step.expect(step.arg(0)?, &text(&change))
            }
            "score" => {
                let score = *table.public().score();
                step.expect(step.arg(0)?, &text(&score))?;
                if self.scored.is_none() {
                    self.page.say(|live_region| {
                        live_region.each_side(live_region.phrases.score_now(), &score)
                    });
                }
                Ok(())
            }
            "over" => {
                let over = table.is_over();
                step.expect(step.arg(0)?, if over { "yes" } else { "no" })?;
                if !over {
                    self.page.say(|live_region| live_region.phrases.goes_on());
                }
                Ok(())
            }
            _ => {
                let first = table.public().first();
                step.expect(step.arg(0)?, &number(first))?;
                self.page.say(|live_region| {
                    live_region.phrases.first_bidder(&rules, live_region.name(first))
                });
                Ok(())
            }
        }
    }
}

fn tell_bids(page: &mut Page, rules: &Rules, said: &[(Seat, u8)]) {
    if said.is_empty() {
        return;
    }
    page.say(|live_region| {
        let mut parts = Vec::new();
        for (at, (seat, bid)) in said.iter().enumerate() {
            let (name, bid) = (live_region.name(*seat), live_region.phrases.bid(rules, *bid));
            // "Seat 2 pass" can be read, "seat 2 1" cannot.
            let word = at == 0 || matches!(rules, Rules::Whist(_));
            parts.push(if word {
                live_region.phrases.says(name, bid)
            } else {
                format!("{name} {bid}")
            });
        }
        format!("{}.", parts.join(", "))
    });
}

fn turned_group(live_region: &Voice, turned: Option<Card>) -> Option<Group> {
    let cards = vec![turned?];
    Some(Group { title: live_region.phrases.turned_up(), cards, notes: Vec::new() })
}

/// The cards of a trick, each with who laid it.
fn laid(live_region: &Voice, title: String, trick: &[(Seat, Card)]) -> Group {
    Group {
        title,
        cards: trick.iter().map(|(_, card)| *card).collect(),
        notes: trick.iter().map(|(seat, _)| live_region.name(*seat).into()).collect(),
    }
}

fn told_challenge(live_region: &Voice, by: Seat, action: Action) -> String {
    let Action::Challenge { trick, accused } = action else { return String::new() };
    live_region.phrases.challenges(live_region.name(by), live_region.name(accused), trick + 1)
}

/// `by trick accused`, all counted from one.
fn challenge(step: &Step, at: usize) -> Result<(Seat, Action), String> {
    let trick = step.number(at + 1)?.checked_sub(1).ok_or("tricks count from 1")?;
    let accused = seat(step.arg(at + 2)?)?;
    Ok((seat(step.arg(at)?)?, Action::Challenge { trick: trick as u8, accused }))
}

fn number(seat: Seat) -> String {
    seat.number().to_string()
}

fn seat(text: &str) -> Result<Seat, String> {
    let number: Option<usize> = text.parse().ok();
    let seat = number.and_then(|number| Seat::new(number.checked_sub(1)?));
    seat.ok_or(format!("\"{text}\" is no seat"))
}
