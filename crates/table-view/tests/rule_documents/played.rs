//! Examples with play: each step is run or checked on the engine and described on the page.

use cards::{BySide, Card, CardSet, Seat, Side};
use game::cruce::{Calls, Contract, callable, promised_points};
use game::event::{DealScore, ThrownIn};
use game::notation::parse_card;
use game::{Action, Event, Illegal, OpenEvent, Position, Rules};
use phrases::layout::{capitalised, signed};
use phrases::text_rows;
use phrases::text_rows::TakenRow;
use table_view::deal_score::{DeclarerPromise, SideLine};

use super::computed::{add_winners, each_step, no_such_step, sheet_table, text};
use super::examples::{Entry, Step};
use super::live::Live;
use super::page::{Group, Page, Wording};

/// Hands with up to this number of cards are drawn; larger hands are shown in rows.
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
        is_taker_shown: false,
        drawn: Vec::new(),
        change: None,
        scored: None,
        shown: None,
        live,
    };
    player.add_situation(entry);
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
    /// The cards on the table, and the points of the leader's call.
    trick: Vec<(Seat, Card)>,
    call: Option<u8>,
    /// The number of finished tricks.
    number: usize,
    /// The winner and the points of the last trick, and whether the page shows them.
    taken: Option<(Seat, u8)>,
    is_taker_shown: bool,
    drawn: Vec<Seat>,
    change: Option<BySide<i16>>,
    /// The points of a scored deal.
    scored: Option<BySide<u8>>,
    /// The last picture of the seat in turn, which is not repeated.
    shown: Option<(usize, CardSet, bool)>,
}

impl Player {
    /// Adds the situation before the first step.
    fn add_situation(&mut self, entry: &Entry) {
        let has_step =
            |words: &[&str]| entry.steps.iter().any(|s| words.contains(&s.word.as_str()));
        let (rules, trump, points) = (self.rules, self.live.trump(), self.live.points(&self.rules));
        let hands = cards::BySeat::from_fn(rules.players(), |seat| self.live.hand(seat));
        if self.live.table().is_some() {
            // Examples of bidding show only the hands of the bidders.
            if has_step(&["play"]) || !has_step(&["bids", "legal", "sees"]) {
                self.add_hands(&hands);
            }
            if matches!(rules, Rules::Whist(_)) && !has_step(&["trump"]) {
                self.page.sentence(|wording| wording.phrases.trump(&rules, trump));
            }
            return;
        }
        self.page.sentence(|wording| wording.phrases.trump(&rules, trump));
        if has_step(&["points"]) {
            self.page.sentence(|wording| wording.each_side(wording.phrases.points_now(), &points));
        }
        if has_step(&["taken"]) {
            self.page.sentence(|wording| wording.each_side(wording.phrases.tricks_now(), &points));
        }
        let Some(first) = entry.steps.first() else { return };
        let played = first.rest.first().map_or(0, |cards| cards.split('.').count());
        if first.word == "play" && played == rules.players() {
            self.add_hands(&hands);
        } else if !["legal", "refuses"].contains(&first.word.as_str()) {
            self.add_turn(false);
        }
    }

    fn add_hands(&mut self, hands: &cards::BySeat<CardSet>) {
        let (rules, turned) = (self.rules, self.live.turned());
        let is_small =
            self.live.table().is_some() && hands.iter().all(|hand| hand.len() <= DRAWN_HANDS);
        self.page.block(|wording| {
            if !is_small {
                let names: Vec<String> = wording.names.iter().map(|n| capitalised(n)).collect();
                return text_rows::hands(&wording.phrases, rules.pack(), &names, hands, "");
            }
            let mut groups: Vec<Group> = hands
                .entries()
                .map(|(seat, hand)| wording.hand(wording.name(seat).into(), *hand))
                .collect();
            groups.extend(turned_group(wording, turned));
            wording.pictures(&groups)
        });
        if is_small {
            // All hands are on the page already.
            self.shown = self.live.turn().map(|seat| (0, self.live.hand(seat), false));
        }
    }

    /// Draws the table and the hand of the seat in turn; `marked` shows which cards are allowed.
    fn add_turn(&mut self, marked: bool) {
        let Some(seat) = self.live.turn() else { return };
        let (hand, legal) = (self.live.hand(seat), self.live.legal());
        let (trick, turned) = (self.trick.clone(), self.live.turned());
        let picture = (trick.len(), hand, marked);
        let is_drawn_already = self.live.is_bidding() && hand.len() <= DRAWN_HANDS;
        if self.shown == Some(picture) || is_drawn_already {
            return;
        }
        self.shown = Some(picture);
        self.page.block(|wording| {
            let mut groups: Vec<Group> = turned_group(wording, turned).into_iter().collect();
            if !trick.is_empty() {
                groups.push(trick_group(wording, wording.phrases.on_the_table(), &trick));
            }
            let mut held = wording.hand(wording.phrases.holds(wording.name(seat)), hand);
            if marked {
                let mark = |card: &Card| if legal.contains(*card) { "✓" } else { "✗" };
                held.notes = held.cards.iter().map(|card| mark(card).into()).collect();
            }
            groups.push(held);
            wording.pictures(&groups)
        });
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        match step.word.as_str() {
            "bids" => self.legal_bids(step),
            "bid" => self.bid(step),
            "legal" => self.legal(step),
            "refuses" => self.refuses(step),
            "play" => self.play(step),
            "challenge" => self.challenge(step),
            "accept" => self.accept(step),
            "turn" => self.turn(step),
            "takes" => self.takes(step),
            "trump" => self.trump(step),
            "declarer" => self.declarer(step),
            "points" | "taken" => self.points(step),
            "shown" => self.shown_cards(step),
            "sees" => self.sees(step),
            "drawn" => self.drawn(step),
            "stock" => self.stock(step),
            "thrownin" | "change" | "score" | "over" | "next" => self.after_deal(step),
            _ => no_such_step(step),
        }
    }

    fn turn(&mut self, step: &Step) -> Result<(), String> {
        let (rules, turn) = (self.rules, self.live.turn());
        step.expect(step.arg(0)?, &turn.map_or("nobody".into(), number))?;
        let (is_bidding, is_leading) = (self.live.is_bidding(), self.trick.is_empty());
        let seat = turn.unwrap_or_default();
        self.page.sentence(|wording| match (is_bidding, is_leading) {
            (true, _) => wording.phrases.bidder(&rules, wording.name(seat)),
            (false, true) => wording.phrases.turn_to_lead(wording.name(seat)),
            (false, false) => wording.phrases.turn(wording.name(seat)),
        });
        Ok(())
    }

    fn trump(&mut self, step: &Step) -> Result<(), String> {
        let (rules, trump) = (self.rules, self.live.trump());
        let letter = |suit| rules.pack().suit_letter(suit).to_string();
        step.expect(step.arg(0)?, &trump.map_or("-".into(), letter))?;
        self.page.sentence(|wording| wording.phrases.trump(&rules, trump));
        Ok(())
    }

    fn shown_cards(&mut self, step: &Step) -> Result<(), String> {
        let (seat, pack) = (seat(step.arg(0)?)?, self.rules.pack());
        let shown = self.live.shown(seat);
        step.expect_cards(1, pack, shown)?;
        self.page.sentence(|wording| {
            wording.phrases.shown(wording.name(seat), wording.phrases.all_of(pack, shown))
        });
        Ok(())
    }

    fn sees(&mut self, step: &Step) -> Result<(), String> {
        let seat = seat(step.arg(0)?)?;
        let hand = self.live.hand(seat);
        step.expect_cards(1, self.rules.pack(), hand)?;
        if self.live.turn() == Some(seat) {
            self.shown = Some((self.trick.len(), hand, false));
        }
        self.page.block(|wording| {
            let title = wording.phrases.sees(wording.name(seat));
            wording.pictures(&[wording.hand(title, hand)])
        });
        Ok(())
    }

    fn drawn(&mut self, step: &Step) -> Result<(), String> {
        let drawn = std::mem::take(&mut self.drawn);
        let found: Vec<String> = drawn.iter().map(|seat| number(*seat)).collect();
        step.expect(&step.rest_text(), &found.join(" "))?;
        let [first, second] = drawn[..] else { return Err("two seats draw".into()) };
        self.page.sentence(|wording| {
            wording.phrases.draws_first(wording.name(first), wording.name(second))
        });
        Ok(())
    }

    fn stock(&mut self, step: &Step) -> Result<(), String> {
        let left = self.live.stock();
        step.expect(step.arg(0)?, &left.to_string())?;
        self.page.sentence(|wording| wording.phrases.stock_left(left));
        Ok(())
    }

    fn legal_bids(&mut self, step: &Step) -> Result<(), String> {
        let (rules, bids) = (self.rules, self.live.legal_bids());
        let found: Vec<String> = bids.iter().map(ToString::to_string).collect();
        step.expect(&step.rest_text(), &found.join(" "))?;
        let seat = self.live.turn().ok_or("no seat is to bid")?;
        self.add_turn(false);
        self.page.sentence(|wording| wording.phrases.legal_bids(&rules, wording.name(seat), &bids));
        Ok(())
    }

    fn bid(&mut self, step: &Step) -> Result<(), String> {
        let rules = self.rules;
        let mut bids = Vec::new();
        for word in step.arg(0)?.split('.') {
            let bid: u8 = word.parse().map_err(|_| format!("\"{word}\" is no bid"))?;
            let seat = self.live.turn().ok_or("no seat is to bid")?;
            let events = self.act(seat, Action::Bid(bid))?;
            bids.push((seat, bid));
            self.bids.push(bid);
            if events.len() > 1 {
                add_bids(&mut self.page, &rules, &std::mem::take(&mut bids));
            }
            self.apply(&events)?;
        }
        add_bids(&mut self.page, &rules, &bids);
        Ok(())
    }

    fn act(&mut self, seat: Seat, action: Action) -> Result<Vec<Event>, String> {
        let refusal = |illegal: Illegal| format!("{} refuses this: {illegal}", illegal.name());
        self.live.act(seat, action).map_err(refusal)
    }

    /// Applies events, and describes those that end a deal or the match.
    fn apply(&mut self, events: &[Event]) -> Result<(), String> {
        for event in events {
            self.live.apply(event)?;
            match event {
                Event::Open(happened) => self.open_event(happened),
                Event::Drew { seat, .. } => self.drawn.push(*seat),
                Event::Dealt(_) | Event::Completed { .. } => {}
            }
        }
        Ok(())
    }

    fn open_event(&mut self, happened: &OpenEvent) {
        match *happened {
            OpenEvent::Declared(contract) => self.contract = Some(contract),
            OpenEvent::Played { seat, card, call } => {
                if self.trick.is_empty() {
                    (self.call, self.drawn) = (call, Vec::new());
                }
                self.trick.push((seat, card));
                self.calls[self.rules.side_of(seat)] += call.unwrap_or(0);
            }
            OpenEvent::Took { seat, points } => {
                self.number += 1;
                (self.taken, self.is_taker_shown) = (Some((seat, points)), false);
            }
            OpenEvent::Scored(score) => self.scored(&score),
            OpenEvent::ThrownIn { why, change } => self.thrown_in(why, change),
            OpenEvent::Won { sides } => {
                let won: Vec<Side> =
                    sides.entries().filter(|(_, won)| **won).map(|(side, _)| side).collect();
                add_winners(&mut self.page, &won);
            }
            OpenEvent::Bid { .. } | OpenEvent::Challenged { .. } | OpenEvent::Accepted { .. } => {}
        }
    }

    fn legal(&mut self, step: &Step) -> Result<(), String> {
        let (rules, legal) = (self.rules, self.live.legal());
        step.expect_cards(0, rules.pack(), legal)?;
        let seat = self.live.turn().ok_or("no seat is to play")?;
        let hand = self.live.hand(seat);
        self.add_turn(true);
        self.page.sentence(|wording| {
            wording.phrases.legal_cards(&rules, wording.name(seat), hand, legal)
        });
        Ok(())
    }

    fn refuses(&mut self, step: &Step) -> Result<(), String> {
        let turn = self.live.turn().unwrap_or_default();
        let (by, action, reason) = match step.arg(0)? {
            "bid" => {
                self.add_turn(false);
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
                self.add_turn(true);
                let (card, call) = self.card(text)?;
                (turn, Action::Play { card, call }, step.arg(1)?)
            }
        };
        let refusal = self.live.act(by, action).err();
        step.expect(reason, refusal.map_or("accepted", |illegal| illegal.name()))?;
        let (Some(illegal), rules) = (refusal, self.rules) else { return Ok(()) };
        let has_name = step.arg(0)? == "seat";
        self.page.refusal(
            |wording| match action {
                Action::Bid(bid) => wording.phrases.bid(&rules, bid),
                Action::Play { card, call } => {
                    let name = wording.phrases.card(rules.pack(), card);
                    let name = if call { wording.phrases.with_call(name) } else { name };
                    if has_name { format!("{}, {name}", wording.name(by)) } else { name }
                }
                _ => capitalised(&challenge_sentence(wording, by, action)),
            },
            |wording| wording.phrases.refusal(&illegal, &rules),
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
        let is_table = self.live.table().is_some();
        let mut from_lead = self.trick.is_empty();
        let mut plays = Vec::new();
        for word in step.arg(0)?.split('.') {
            let seat = self.live.turn().ok_or("no seat is to play")?;
            let (card, call) = self.card(word)?;
            let call = call || self.calls_itself(seat, card);
            let events = self.act(seat, Action::Play { card, call })?;
            plays.push((seat, card));
            // The card and its trick come before the score that may follow.
            let (now, later): (Vec<Event>, Vec<Event>) = events.into_iter().partition(|event| {
                !matches!(event, Event::Open(OpenEvent::Scored(_) | OpenEvent::Won { .. }))
            });
            self.apply(&now)?;
            if self.trick.len() == self.rules.players() {
                if is_table && from_lead {
                    self.add_trick_row();
                } else if is_table {
                    self.add_plays(&plays);
                } else {
                    let trick = self.trick.clone();
                    self.page.block(|wording| {
                        wording.pictures(&[trick_group(
                            wording,
                            wording.phrases.trick_taken(),
                            &trick,
                        )])
                    });
                }
                (from_lead, self.call) = (true, None);
                self.trick.clear();
                plays.clear();
            }
            self.apply(&later)?;
        }
        self.add_plays(&plays);
        Ok(())
    }

    /// At an automatic table the call is part of the lead (C10).
    fn calls_itself(&self, seat: Seat, card: Card) -> bool {
        matches!(&self.rules, Rules::Cruce(rules) if rules.spec().calls == Calls::Automatic)
            && self.trick.is_empty()
            && callable(self.live.hand(seat)).contains(card)
    }

    fn add_trick_row(&mut self) {
        let (rules, number) = (self.rules, self.number);
        let Some((by, points)) = self.taken else { return };
        self.is_taker_shown = true;
        let taken = TakenRow { plays: self.trick.clone(), call: self.call, by, points };
        self.page.row(|wording| {
            let names: Vec<String> = wording.names.iter().map(|name| capitalised(name)).collect();
            text_rows::trick(&wording.phrases, &rules, &names, number, &taken)
        });
    }

    fn add_plays(&mut self, plays: &[(Seat, Card)]) {
        if plays.is_empty() {
            return;
        }
        let (pack, call) = (self.rules.pack(), self.call);
        // `plays` are the last cards on the table.
        let leads = plays.len() == self.trick.len();
        self.page.sentence(|wording| {
            let mut parts = Vec::new();
            for (at, (seat, card)) in plays.iter().enumerate() {
                let (name, card) = (wording.name(*seat), wording.phrases.the_card(pack, *card));
                parts.push(match (at, call) {
                    (0, Some(points)) if leads => wording.phrases.leads_calling(name, card, points),
                    (0, None) if leads => wording.phrases.leads(name, card),
                    _ if at == usize::from(leads) => wording.phrases.plays(name, card),
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
        if !self.is_taker_shown {
            self.is_taker_shown = true;
            self.page.sentence(|wording| wording.phrases.taker(&rules, wording.name(seat), points));
        }
        Ok(())
    }

    fn declarer(&mut self, step: &Step) -> Result<(), String> {
        let rules = self.rules;
        let contract = self.contract.ok_or("there is no declarer")?;
        step.expect(&step.rest_text(), &format!("{} {}", number(contract.declarer), contract.bid))?;
        self.page.sentence(|wording| {
            let side = wording.side(rules.side_of(contract.declarer));
            let name = wording.name(contract.declarer);
            wording.phrases.declarer(name, &side, contract.bid)
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
            // The table of the score shows them.
            return Ok(());
        }
        let sentence = |wording: &Wording| {
            let label =
                if cruce { wording.phrases.points_now() } else { wording.phrases.tricks_now() };
            wording.each_side(label, &points)
        };
        if self.page.ends_in_row() {
            self.page.row(|wording| phrases::layout::wrap(&sentence(wording), "     ", "     "));
        } else {
            self.page.sentence(sentence);
        }
        Ok(())
    }

    fn challenge(&mut self, step: &Step) -> Result<(), String> {
        let (by, action) = challenge(step, 0)?;
        let rules = self.rules;
        let events = self.act(by, action)?;
        let broken = events.iter().find_map(|event| match event {
            Event::Open(OpenEvent::Challenged { accused, broken, .. }) => Some((*accused, *broken)),
            _ => None,
        });
        let (accused, broken) = broken.ok_or("nothing was judged")?;
        step.expect(step.arg(3)?, if broken.is_some() { "upheld" } else { "wrong" })?;
        self.page.sentence(|wording| {
            let judgement = match &broken {
                Some(broken) => {
                    let duty = wording.phrases.broken_duty(wording.name(accused), broken, &rules);
                    wording.phrases.challenge_right(duty)
                }
                None => wording.phrases.challenge_wrong(),
            };
            format!("{} {judgement}", challenge_sentence(wording, by, action))
        });
        self.apply(&events)
    }

    fn accept(&mut self, step: &Step) -> Result<(), String> {
        let seats: Result<Vec<Seat>, String> = step.arg(0)?.split('.').map(seat).collect();
        let seats = seats?;
        self.page.sentence(|wording| {
            let names: Vec<String> = seats.iter().map(|seat| wording.name(*seat).into()).collect();
            wording.phrases.accepted(wording.phrases.list_and(&names))
        });
        for seat in seats {
            let events = self.act(seat, Action::Accept)?;
            self.apply(&events)?;
        }
        Ok(())
    }

    fn scored(&mut self, score: &DealScore) {
        (self.change, self.scored) = (Some(score.change), Some(score.points));
        let total = self.live.table().map(|table| *table.public().score());
        let has_calls = self.calls.iter().any(|points| *points > 0);
        let line = |side: Side| match self.rules {
            Rules::Cruce(_) => {
                let contract = self.contract.filter(|c| self.rules.side_of(c.declarer) == side);
                let promise = contract.map(|contract| {
                    let points = promised_points(contract.bid);
                    let kept = u16::from(score.points[side]) >= points;
                    DeclarerPromise { bid: contract.bid, points, kept }
                });
                SideLine {
                    points: Some(score.points[side]),
                    calls: has_calls.then_some(self.calls[side]),
                    promise,
                    change: Some(score.change[side]),
                    total: total.map(|total| total[side]),
                    ..SideLine::default()
                }
            }
            // The earlier deals were arbitrary, so the totals are left out.
            Rules::Whist(_) => {
                let seat = Seat::new(side.index()).unwrap_or_default();
                let at = seat.steps_from(self.first, self.rules.players());
                SideLine {
                    bid: self.bids.get(at).copied(),
                    took: Some(score.points[side]),
                    change: Some(score.change[side]),
                    ..SideLine::default()
                }
            }
        };
        let lines: Vec<SideLine> = Side::first(self.rules.sides()).map(line).collect();
        self.page.block(|wording| sheet_table(wording, &lines));
    }

    fn thrown_in(&mut self, why: ThrownIn, change: BySide<i16>) {
        self.change = Some(change);
        let rules = self.rules;
        let ThrownIn::Revoke { seat } = why else {
            self.page.sentence(|wording| wording.phrases.all_passed());
            return;
        };
        self.page.sentence(|wording| {
            let side = rules.side_of(seat);
            wording.phrases.thrown_in(signed(change[side].into()), wording.side(side))
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
                    self.page
                        .sentence(|wording| wording.each_side(wording.phrases.score_now(), &score));
                }
                Ok(())
            }
            "over" => {
                let over = table.is_over();
                step.expect(step.arg(0)?, if over { "yes" } else { "no" })?;
                if !over {
                    self.page.sentence(|wording| wording.phrases.goes_on());
                }
                Ok(())
            }
            _ => {
                let first = table.public().first();
                step.expect(step.arg(0)?, &number(first))?;
                self.page
                    .sentence(|wording| wording.phrases.first_bidder(&rules, wording.name(first)));
                Ok(())
            }
        }
    }
}

fn add_bids(page: &mut Page, rules: &Rules, bids: &[(Seat, u8)]) {
    if bids.is_empty() {
        return;
    }
    page.sentence(|wording| {
        let mut parts = Vec::new();
        for (at, (seat, bid)) in bids.iter().enumerate() {
            let (name, bid) = (wording.name(*seat), wording.phrases.bid(rules, *bid));
            // "Seat 2 pass" is readable, "seat 2 1" is not.
            let needs_verb = at == 0 || matches!(rules, Rules::Whist(_));
            parts.push(if needs_verb {
                wording.phrases.says(name, bid)
            } else {
                format!("{name} {bid}")
            });
        }
        format!("{}.", parts.join(", "))
    });
}

fn turned_group(wording: &Wording, turned: Option<Card>) -> Option<Group> {
    let cards = vec![turned?];
    Some(Group { title: wording.phrases.turned_up(), cards, notes: Vec::new() })
}

/// The cards of a trick, each with its player.
fn trick_group(wording: &Wording, title: String, trick: &[(Seat, Card)]) -> Group {
    Group {
        title,
        cards: trick.iter().map(|(_, card)| *card).collect(),
        notes: trick.iter().map(|(seat, _)| wording.name(*seat).into()).collect(),
    }
}

fn challenge_sentence(wording: &Wording, by: Seat, action: Action) -> String {
    let Action::Challenge { trick, accused } = action else { return String::new() };
    wording.phrases.challenges(wording.name(by), wording.name(accused), trick + 1)
}

/// `by trick accused`, all counted from 1.
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
    let seat = number.and_then(Seat::from_number);
    seat.ok_or(format!("\"{text}\" is no seat"))
}
