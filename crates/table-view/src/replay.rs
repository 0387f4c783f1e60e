//! A finished match, step by step: the scene after any step, for one seat or with all hands open, and
//! a sentence about the step.
//!
//! A [`Replay`] is made from a record, which is public once the match is over. It stores the table
//! before each deal, so that a step is reached by applying the events of one deal.

mod moment;
mod verdict;

use cards::{BySeat, CardSet, Seat};
use game::record::Record;
use game::{Event, OpenEvent, PlayedDeal, Rules, Table, Viewer};
use wire::table::PlayedDealText;

use crate::narrator::Narrator;
use crate::participants;
use crate::scene::{Direction, TableScene, deal_title};
use crate::scores::Scores;
use phrases::Phrases;

pub use moment::{DealMoment, Moment};
pub use verdict::Verdict;

/// A finished match that can be viewed step by step.
#[derive(Clone, Debug)]
pub struct Replay {
    rules: Rules,
    names: Vec<Option<String>>,
    events: Vec<Event>,
    steps: Vec<ReplayStep>,
    deals: Vec<ReplayDeal>,
}

/// One visible step, such as a card or a finished trick.
#[derive(Clone, Copy, Debug)]
struct ReplayStep {
    moment: Moment,
    /// The number of events up to and including this step.
    events: usize,
}

/// A deal of the match.
#[derive(Clone, Debug)]
pub struct ReplayDeal {
    /// The step that deals the cards.
    pub start: usize,
    /// The step of the first card of each trick.
    pub tricks: Vec<usize>,
    /// The table before the deal, and the number of events until then.
    before: (Table, usize),
    /// The result of the deal.
    played: Option<PlayedDealText>,
    /// The number of challenges and acceptances (C15).
    statements: usize,
}

/// The size of a jump.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stride {
    /// To the next step.
    Step,
    /// To the end of a trick, or the beginning or end of a deal.
    Trick,
    /// To the beginning of a deal.
    Deal,
    /// To the end of the match, or back to its beginning.
    Match,
}

impl Replay {
    /// The match of a record. It ends before the first event that is not possible. Returns None if
    /// there is no event.
    pub fn new(record: &Record) -> Option<Replay> {
        let mut replay = Replay {
            rules: record.rules,
            names: record.names.iter().map(|name| name.as_ref().map(ToString::to_string)).collect(),
            events: Vec::new(),
            steps: Vec::new(),
            deals: Vec::new(),
        };
        // The verdict reports the faults of a record.
        let _ = record.replay(&mut |before, event| replay.add_event(before, event));
        (!replay.steps.is_empty()).then_some(replay)
    }

    /// Adds an event that follows the table `before`.
    fn add_event(&mut self, before: &Table, event: &Event) {
        let (step, public) = (self.steps.len(), before.public());
        if matches!(event, Event::Dealt(_)) {
            self.deals.push(ReplayDeal {
                start: step,
                tricks: Vec::new(),
                before: (before.clone(), self.events.len()),
                played: None,
                statements: 0,
            });
        }
        self.events.push(event.clone());
        let number = self.deals.len();
        let Some(deal) = self.deals.last_mut() else { return };
        let trick = public.round().map_or(0, |round| round.tricks().len()) + 1;
        let part = match event {
            Event::Dealt(_) => Some(DealMoment::Dealt),
            Event::Completed { .. } | Event::Drew { .. } => None,
            Event::Open(happened) => {
                if let Some(ended) = PlayedDeal::ended_by(public, happened) {
                    deal.played.get_or_insert_with(|| PlayedDealText::from(&ended));
                }
                match happened {
                    OpenEvent::Bid { .. } => {
                        let bids = public.auction().map_or(0, |auction| auction.bids().len());
                        Some(DealMoment::Bid(bids + 1))
                    }
                    OpenEvent::Played { .. } => {
                        let cards = public.round().map_or(0, |round| round.trick().cards().len());
                        if cards == 0 {
                            deal.tricks.push(step);
                        }
                        Some(DealMoment::Card { trick, card: cards + 1 })
                    }
                    OpenEvent::Took { .. } => Some(DealMoment::Taken(trick)),
                    OpenEvent::Challenged { .. } | OpenEvent::Accepted { .. } => {
                        deal.statements += 1;
                        Some(DealMoment::Statement(deal.statements))
                    }
                    OpenEvent::ThrownIn { .. } | OpenEvent::Scored(_) => Some(DealMoment::End),
                    OpenEvent::Declared(_) | OpenEvent::Won { .. } => None,
                }
            }
        };
        // An automatic event belongs to the step that causes it.
        let events = self.events.len();
        match (part, self.steps.last_mut()) {
            (Some(part), _) => {
                self.steps.push(ReplayStep { moment: Moment { deal: number, part }, events });
            }
            (None, Some(last)) => last.events = events,
            (None, None) => {}
        }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The names of the players, in the order of the seats.
    pub fn names(&self, phrases: &Phrases) -> Vec<String> {
        let names = self.names.iter().enumerate();
        names.map(|(at, name)| participants::recorded(name.as_deref(), at + 1, phrases)).collect()
    }

    /// The index of the last step.
    pub fn last(&self) -> usize {
        self.steps.len() - 1
    }

    /// The deals.
    pub fn deals(&self) -> &[ReplayDeal] {
        &self.deals
    }

    /// The moment of a step, which identifies it in links.
    pub fn moment(&self, step: usize) -> Moment {
        self.steps[step.min(self.last())].moment
    }

    /// The step of a moment, or the last one before it.
    pub fn step_of(&self, moment: Moment) -> usize {
        let deal = moment.deal.clamp(1, self.deals.len());
        let part = if moment.deal > deal { DealMoment::End } else { moment.part };
        let start = self.deals[deal - 1].start;
        let steps = self.steps[start..].iter().take_while(|step| step.moment.deal == deal);
        let before = steps.enumerate().filter(|(_, step)| step.moment.part.rank() <= part.rank());
        let found = before.max_by_key(|(_, step)| step.moment.part.rank());
        start + found.map_or(0, |(at, _)| at)
    }

    /// The step of a moment in a link; the first step if the link is invalid.
    pub fn find(&self, link: &str) -> usize {
        Moment::parse(link).map_or(0, |moment| self.step_of(moment))
    }

    /// The step that a stride from `step` reaches.
    pub fn stride(&self, step: usize, stride: Stride, forward: bool) -> usize {
        let is_stop = |at: &usize| match stride {
            Stride::Step => true,
            Stride::Trick => {
                matches!(
                    self.moment(*at).part,
                    DealMoment::Dealt | DealMoment::Taken(_) | DealMoment::End
                )
            }
            Stride::Deal => self.moment(*at).part == DealMoment::Dealt,
            Stride::Match => false,
        };
        if forward {
            (step + 1..self.steps.len()).find(is_stop).unwrap_or(self.last())
        } else {
            (0..step.min(self.steps.len())).rev().find(is_stop).unwrap_or(0)
        }
    }

    /// The table after a step, with all hands.
    pub fn at(&self, step: usize) -> Table {
        let step = self.steps[step.min(self.last())];
        let (mut table, from) = self.deals[step.moment.deal - 1].before.clone();
        for event in &self.events[from..step.events] {
            // The events were valid when the record was read.
            let applied = table.apply(event);
            debug_assert!(applied.is_ok(), "{event:?}");
        }
        table
    }

    /// The scene after a step: as a seat saw it, or with all hands open.
    pub fn scene(
        &self,
        step: usize,
        seat: Option<Seat>,
        direction: Direction,
        phrases: &Phrases,
    ) -> TableScene {
        let (table, names) = (self.at(step), self.names(phrases));
        // The view of a seat shows only the cards of that seat.
        let is_open = |other: Seat| seat.is_none_or(|seat| seat == other);
        let hands = BySeat::from_fn(self.rules.players(), |other| match is_open(other) {
            true => table.hand(other),
            false => CardSet::EMPTY,
        });
        let view = table.view(seat.map_or(Viewer::Spectator, Viewer::Seat));
        let mut scene = TableScene::open(&view, &hands, &names, direction, phrases);
        // After the end of a deal the table already counts the next one.
        scene.deal = deal_title(&self.rules, self.moment(step).deal - 1, phrases);
        scene
    }

    /// The score sheet after a step, with the deals finished by then.
    pub fn scores(&self, step: usize, phrases: &Phrases) -> Scores {
        let Moment { deal, part } = self.moment(step);
        let finished = deal - usize::from(part != DealMoment::End);
        let deals = self.deals[..finished].iter().filter_map(|deal| deal.played.clone());
        let deals: Vec<PlayedDealText> = deals.collect();
        Scores::new(&self.rules, &self.names(phrases), &deals, phrases)
    }

    /// The sentence of a step: as a seat received it, or with all cards open.
    pub fn sentence(&self, step: usize, seat: Option<Seat>, phrases: &Phrases) -> String {
        let (step, names) = (step.min(self.last()), self.names(phrases));
        let ReplayStep { moment, events } = self.steps[step];
        let deal = &self.deals[moment.deal - 1];
        let (mut table, from) = match step == deal.start {
            true => deal.before.clone(),
            false => (self.at(step - 1), self.steps[step - 1].events),
        };
        let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
        let mut sentences = Vec::new();
        for event in &self.events[from..events] {
            let _ = table.apply(event);
            let narrator = Narrator {
                viewer,
                public: table.public(),
                deals: deal.played.as_slice(),
                names: &names,
                phrases,
            };
            sentences.extend(match event {
                Event::Drew { seat: who, card } if seat.is_none() => {
                    let card = phrases.the_card(self.rules.pack(), *card);
                    let name = names[who.index()].as_str();
                    Some(format!("{}.", phrases.story_draws(name, card)))
                }
                _ => narrator.sentence(&event.seen_by(viewer)),
            });
        }
        sentences.join(" ")
    }
}

#[cfg(test)]
mod tests;
