//! The text of a match, event by event, for a spectator who sees all cards.

use cards::{BySeat, BySide, Card, CardSet, Seat, Side};
use game::cruce::{Contract, promised_points};
use game::deal::Deal;
use game::event::{DealScore, ThrownIn};
use game::public::Phase;
use game::{Event, OpenEvent, Public, Rules};

use crate::deal_score::{DeclarerPromise, SideLine, table};
use phrases::language::Language;
use phrases::layout::{WIDTH, capitalised, shortened, signed, width, wrap};
use phrases::text_rows;
use phrases::{Phrases, game_word};

/// The maximum length of a player's name in the name of a team.
const SHORT_IN_TEAM: usize = 8;

/// The maximum length of a name in the heading of a deal.
const SHORT_IN_HEADING: usize = 20;

/// The indent of lines between tricks, which aligns them with the cards.
const INDENT: &str = "     ";

/// Describes a match, event by event.
#[derive(Debug)]
pub struct Story {
    phrases: Phrases,
    rules: Rules,
    names: Vec<String>,
    deal: DealOpening,
}

/// The state of the present deal that later events need.
#[derive(Debug)]
struct DealOpening {
    first: Seat,
    opening: BySeat<CardSet>,
    bids: Vec<u8>,
    contract: Option<Contract>,
    calls: BySide<u8>,
    /// The points of the call that the trick on the table was led with.
    call: Option<u8>,
    drawn: Option<(Seat, Card)>,
    accepted: Vec<Seat>,
}

impl DealOpening {
    fn new(rules: &Rules) -> DealOpening {
        DealOpening {
            first: Seat::default(),
            opening: BySeat::filled(CardSet::EMPTY, rules.players()),
            bids: Vec::new(),
            contract: None,
            calls: BySide::filled(0, rules.sides()),
            call: None,
            drawn: None,
            accepted: Vec::new(),
        }
    }
}

impl Story {
    /// The story of a match between these players, in the order of the seats. Players without a name
    /// get a default name.
    pub fn new(language: Language, rules: Rules, names: Vec<String>) -> Story {
        let mut names = names;
        names.extend(Story::default_names(rules.players()).into_iter().skip(names.len()));
        Story { phrases: Phrases::new(language), rules, names, deal: DealOpening::new(&rules) }
    }

    /// The default names of players.
    pub fn default_names(players: usize) -> Vec<String> {
        ["Ana", "Bogdan", "Călin", "Dana", "Emil", "Florica"]
            .into_iter()
            .take(players)
            .map(String::from)
            .collect()
    }

    /// The text of an event: no, one or several lines, without a final line break. `after` is the public
    /// state after the event.
    pub fn tell(&mut self, event: &Event, after: &Public) -> String {
        let lines = match event {
            Event::Dealt(deal) => self.dealt(deal, after),
            Event::Completed { rest } => self.completed(rest),
            Event::Drew { seat, card } => self.drew(*seat, *card),
            Event::Open(happened) => self.open_event(happened, after),
        };
        lines.join("\n")
    }

    fn open_event(&mut self, happened: &OpenEvent, after: &Public) -> Vec<String> {
        match *happened {
            OpenEvent::Bid { bid, .. } => self.bid(bid, after),
            OpenEvent::Declared(contract) => self.declared(contract),
            OpenEvent::Played { seat, card, call } => self.played(seat, card, call, after),
            OpenEvent::Took { seat, points } => self.took(seat, points, after),
            OpenEvent::Challenged { by, trick, accused, broken } => {
                let mut lines = self.acceptances();
                let phrases = &self.phrases;
                let challenge = phrases.challenges(self.name(by), self.name(accused), trick + 1);
                let judgement = match broken {
                    Some(broken) => phrases.challenge_right(phrases.broken_duty(
                        self.name(accused),
                        &broken,
                        &self.rules,
                    )),
                    None => phrases.challenge_wrong(),
                };
                lines.push(wrap(&format!("{challenge} {judgement}"), INDENT, INDENT));
                lines
            }
            OpenEvent::Accepted { seat } => {
                self.deal.accepted.push(seat);
                Vec::new()
            }
            OpenEvent::ThrownIn { why, change } => self.thrown_in(why, &change, after),
            OpenEvent::Scored(score) => self.scored(&score, after),
            OpenEvent::Won { sides } => self.won(&sides),
        }
    }

    fn name(&self, seat: Seat) -> &str {
        &self.names[seat.index()]
    }

    /// The name of a side: `Ana & Călin`.
    fn side(&self, side: Side, most: usize) -> String {
        let players = Seat::first(self.rules.players());
        let names = players
            .filter(|seat| self.rules.side_of(*seat) == side)
            .map(|seat| shortened(self.name(seat), most));
        names.collect::<Vec<_>>().join(" & ")
    }

    fn sides(&self) -> impl Iterator<Item = Side> + use<> {
        Side::first(self.rules.sides())
    }

    /// A line after a label; the labels of a deal have the same width.
    fn labelled(&self, label: &str, text: &str) -> String {
        let phrases = &self.phrases;
        let game = game_word(&self.rules);
        let labels = [
            phrases.story_bids(game),
            phrases.story_declarer(),
            phrases.story_trump(game),
            phrases.story_stock(),
        ];
        let is_whist = matches!(self.rules, Rules::Whist(_));
        let used = labels.iter().enumerate().filter(|(at, _)| !is_whist || [0, 2].contains(at));
        let wide = used.map(|(_, label)| width(label)).max().unwrap_or_default();
        wrap(text, &format!("  {label:<wide$}  "), &" ".repeat(wide + 4))
    }

    fn dealt(&mut self, deal: &Deal, after: &Public) -> Vec<String> {
        self.deal = DealOpening::new(&self.rules);
        (self.deal.first, self.deal.opening) = (after.first(), deal.opening);
        let mut lines = Vec::new();
        if after.number() == 0 {
            lines.push(self.title());
        }
        lines.extend([String::new(), self.heading(deal, after), String::new()]);
        let (phrases, pack) = (&self.phrases, self.rules.pack());
        lines.extend(text_rows::hands(phrases, pack, &self.names, &deal.opening, "  "));
        lines.push(String::new());
        if !deal.stock.is_empty() {
            let stock = text_rows::cards(phrases, pack, &deal.stock);
            lines.push(self.labelled(&phrases.story_stock(), &stock));
        }
        if matches!(self.rules, Rules::Whist(_)) {
            let label = phrases.story_trump(game_word(&self.rules));
            let trump = match deal.turned {
                Some(card) => phrases.story_turned(
                    phrases.suit_name(pack, card.suit()),
                    phrases.the_card(pack, card),
                ),
                None => phrases.story_no_trump(),
            };
            lines.push(self.labelled(&label, &trump));
        }
        lines
    }

    fn title(&self) -> String {
        let phrases = &self.phrases;
        let title = match &self.rules {
            Rules::Cruce(rules) if rules.teams() => {
                let [first, second] =
                    [0, 1].map(|at| self.side(Side::new(at).unwrap_or_default(), WIDTH));
                phrases.story_cruce_teams(rules.target(), first, second)
            }
            Rules::Cruce(rules) => {
                phrases.story_cruce(rules.target(), phrases.list_and(&self.names))
            }
            Rules::Whist(_) => phrases.story_whist(phrases.list_and(&self.names)),
        };
        wrap(&format!("{title} ({})", self.rules), "", "")
    }

    fn heading(&self, deal: &Deal, after: &Public) -> String {
        let all = match &self.rules {
            Rules::Whist(rules) => rules.deals(),
            Rules::Cruce(_) => 0,
        };
        let text = self.phrases.story_deal(
            game_word(&self.rules),
            after.number() + 1,
            all,
            shortened(self.name(after.dealer()), SHORT_IN_HEADING),
            deal.hands[after.first()].len(),
        );
        let rule = WIDTH.saturating_sub(width(&text) + 4).max(2);
        format!("── {text} {}", "─".repeat(rule))
    }

    fn completed(&self, rest: &BySeat<CardSet>) -> Vec<String> {
        let full = BySeat::from_fn(rest.len(), |seat| self.deal.opening[seat] | rest[seat]);
        let (phrases, pack) = (&self.phrases, self.rules.pack());
        let mut lines = vec![format!("\n  {}", phrases.story_rest())];
        lines.extend(text_rows::hands(phrases, pack, &self.names, &full, "  "));
        lines.push(String::new());
        lines
    }

    /// All bids are on one line, after the last one.
    fn bid(&mut self, bid: u8, after: &Public) -> Vec<String> {
        self.deal.bids.push(bid);
        if self.deal.bids.len() < self.rules.players() {
            return Vec::new();
        }
        let (phrases, rules, deal) = (&self.phrases, &self.rules, &self.deal);
        let mut text = text_rows::bids(phrases, rules, &self.names, deal.first, &deal.bids);
        if let Phase::Playing(round) = after.phase() {
            let cards = round.auction().cards_each();
            let sum: u8 = deal.bids.iter().sum();
            text = format!("{text} ({})", phrases.story_bids_sum(cards, sum));
        }
        let label = phrases.story_bids(game_word(rules));
        let mut lines = vec![self.labelled(&label, &text)];
        if matches!(rules, Rules::Whist(_)) {
            lines.push(String::new());
        }
        lines
    }

    fn declared(&mut self, contract: Contract) -> Vec<String> {
        self.deal.contract = Some(contract);
        let phrases = &self.phrases;
        let side = self.side(self.rules.side_of(contract.declarer), WIDTH);
        let promise = phrases.promise(self.name(contract.declarer), &side, contract.bid);
        vec![self.labelled(&phrases.story_declarer(), &promise)]
    }

    /// Cards appear trick by trick; only the first lead gets a line, as it decides the trump.
    fn played(&mut self, seat: Seat, card: Card, call: Option<u8>, after: &Public) -> Vec<String> {
        let Some(round) = after.round() else { return Vec::new() };
        if round.trick().cards().len() == 1 {
            self.deal.call = call;
        }
        if let Some(points) = call {
            self.deal.calls[self.rules.side_of(seat)] += points;
        }
        let decides_trump = round.tricks().is_empty()
            && round.trick().cards().len() == 1
            && matches!(self.rules, Rules::Cruce(_));
        if !decides_trump {
            return Vec::new();
        }
        let phrases = &self.phrases;
        let suit = phrases.suit_name(self.rules.pack(), card.suit());
        let trump = phrases.story_trump_led(suit, self.name(seat));
        let label = phrases.story_trump(game_word(&self.rules));
        vec![self.labelled(&label, &trump), String::new()]
    }

    fn took(&mut self, by: Seat, points: u8, after: &Public) -> Vec<String> {
        let Some((round, trick)) = after.round().and_then(|r| Some((r, r.tricks().last()?))) else {
            return Vec::new();
        };
        let plays = trick.plays(self.rules.players()).collect();
        let taken = text_rows::TakenRow { plays, call: self.deal.call.take(), by, points };
        let number = round.tricks().len();
        vec![text_rows::trick(&self.phrases, &self.rules, &self.names, number, &taken)]
    }

    /// Both draws after a trick are on one line.
    fn drew(&mut self, seat: Seat, card: Card) -> Vec<String> {
        let Some((winner, first)) = self.deal.drawn.take() else {
            self.deal.drawn = Some((seat, card));
            return Vec::new();
        };
        let (phrases, pack) = (&self.phrases, self.rules.pack());
        let texts = [(winner, first), (seat, card)].map(|(seat, card)| {
            phrases.story_draws(self.name(seat), text_rows::card(phrases, pack, card))
        });
        vec![wrap(&texts.join(", "), INDENT, INDENT)]
    }

    /// The acceptances since the last call.
    fn acceptances(&mut self) -> Vec<String> {
        let seats = std::mem::take(&mut self.deal.accepted);
        if seats.is_empty() {
            return Vec::new();
        }
        let names: Vec<String> = seats.iter().map(|seat| self.name(*seat).into()).collect();
        let sentence = self.phrases.accepted(self.phrases.list_and(&names));
        vec![wrap(&sentence, INDENT, INDENT)]
    }

    fn thrown_in(&mut self, why: ThrownIn, change: &BySide<i16>, after: &Public) -> Vec<String> {
        let phrases = &self.phrases;
        match why {
            ThrownIn::AllPassed => vec![format!("  {}", phrases.all_passed())],
            ThrownIn::Revoke { seat } => {
                let side = self.rules.side_of(seat);
                let sentence =
                    phrases.thrown_in(signed(change[side].into()), self.side(side, WIDTH));
                let mut lines = vec![wrap(&sentence, INDENT, INDENT), String::new()];
                let line = |side: Side| SideLine {
                    name: self.side(side, SHORT_IN_TEAM),
                    change: Some(change[side]),
                    total: Some(after.score()[side]),
                    ..SideLine::default()
                };
                let sheet: Vec<SideLine> = self.sides().map(line).collect();
                lines.extend(table(phrases, &sheet, "  "));
                lines
            }
        }
    }

    fn scored(&mut self, score: &DealScore, after: &Public) -> Vec<String> {
        let mut lines = self.acceptances();
        lines.push(String::new());
        let sheet: Vec<SideLine> =
            self.sides().map(|side| self.sheet_line(side, score, after.score()[side])).collect();
        lines.extend(table(&self.phrases, &sheet, "  "));
        lines
    }

    fn sheet_line(&self, side: Side, score: &DealScore, total: i32) -> SideLine {
        let deal = &self.deal;
        let common = SideLine {
            name: self.side(side, SHORT_IN_TEAM),
            change: Some(score.change[side]),
            total: Some(total),
            ..SideLine::default()
        };
        match &self.rules {
            Rules::Cruce(_) => {
                let contract =
                    deal.contract.filter(|c| self.rules.side_of(c.declarer) == side && c.bid > 0);
                let promise = contract.map(|contract| {
                    let points = promised_points(contract.bid);
                    let kept = u16::from(score.points[side]) >= points;
                    DeclarerPromise { bid: contract.bid, points, kept }
                });
                let has_calls = deal.calls.iter().any(|points| *points > 0);
                SideLine {
                    points: Some(score.points[side]),
                    calls: has_calls.then_some(deal.calls[side]),
                    promise,
                    ..common
                }
            }
            Rules::Whist(rules) => {
                let seat = Seat::new(side.index()).unwrap_or_default();
                let at = seat.steps_from(deal.first, self.rules.players());
                SideLine {
                    bid: deal.bids.get(at).copied(),
                    took: Some(score.points[side]),
                    prize: (rules.prize() > 0).then_some(score.prize[side]),
                    ..common
                }
            }
        }
    }

    fn won(&self, sides: &BySide<bool>) -> Vec<String> {
        let winners: Vec<Side> =
            sides.entries().filter(|(_, won)| **won).map(|(side, _)| side).collect();
        let names: Vec<String> = winners.iter().map(|side| self.side(*side, WIDTH)).collect();
        let sentence = match winners[..] {
            [side] => {
                let players = Seat::first(self.rules.players());
                let count = players.filter(|seat| self.rules.side_of(*seat) == side).count();
                self.phrases.won(count, self.side(side, WIDTH))
            }
            _ => self.phrases.shared(self.phrases.list_and(&names)),
        };
        vec![String::new(), wrap(&capitalised(&sentence), "", "")]
    }
}
