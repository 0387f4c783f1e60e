//! A match that is over, step by step: what lay where at any moment of it, for one seat or with
//! all hands open, and in a sentence what had just happened.
//!
//! A [`Replay`] is made from a record, which is public once the match is over. It keeps the table
//! before each deal, so that any step is at most a deal away.

mod moment;
mod verdict;

use cards::{BySeat, CardSet, Seat};
use game::record::Record;
use game::{Event, Happened, PlayedDeal, Rules, Table, Viewer};
use wire::table::DealPlayed;

use crate::narrator::Narrator;
use crate::participants;
use crate::scene::{Direction, TableScene, deal_title};
use crate::scores::Scores;
use phrases::Phrases;

pub use moment::{DealMoment, Moment};
pub use verdict::Verdict;

/// A match that can be looked at again.
#[derive(Clone, Debug)]
pub struct Replay {
    rules: Rules,
    names: Vec<Option<String>>,
    events: Vec<Event>,
    steps: Vec<ReplayStep>,
    deals: Vec<Chapter>,
}

/// Something that people see at once, such as a card, or a trick that is taken.
#[derive(Clone, Copy, Debug)]
struct ReplayStep {
    moment: Moment,
    /// How many events have happened with it.
    events: usize,
}

/// A deal of the match.
#[derive(Clone, Debug)]
pub struct Chapter {
    /// The step in which its cards are dealt.
    pub start: usize,
    /// For each of its tricks, the step of its first card.
    pub tricks: Vec<usize>,
    /// The table before it, and how many events had led there.
    before: (Table, usize),
    /// How it ended.
    played: Option<DealPlayed>,
    /// How many challenges and acceptances it had (C15).
    said: usize,
}

/// How far to go at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stride {
    /// To the next step.
    Step,
    /// To where a trick is taken, or a deal begins or ends.
    Trick,
    /// To where a deal begins.
    Deal,
    /// To the end of the match, or back to its beginning.
    Match,
}

impl Replay {
    /// The match of a record. If something in it cannot have happened, it ends there;
    /// nothing if nothing has happened at all.
    pub fn new(record: &Record) -> Option<Replay> {
        let mut replay = Replay {
            rules: record.rules,
            names: record.names.iter().map(|name| name.as_ref().map(ToString::to_string)).collect(),
            events: Vec::new(),
            steps: Vec::new(),
            deals: Vec::new(),
        };
        // What is wrong with a record is what the verdict tells.
        let _ = record.play_again(&mut |before, event| replay.note(before, event));
        (!replay.steps.is_empty()).then_some(replay)
    }

    /// Writes down an event that happens at this table.
    fn note(&mut self, before: &Table, event: &Event) {
        let (step, public) = (self.steps.len(), before.public());
        if matches!(event, Event::Dealt(_)) {
            self.deals.push(Chapter {
                start: step,
                tricks: Vec::new(),
                before: (before.clone(), self.events.len()),
                played: None,
                said: 0,
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
                    deal.played.get_or_insert_with(|| DealPlayed::from(&ended));
                }
                match happened {
                    Happened::Bid { .. } => {
                        let said = public.auction().map_or(0, |auction| auction.bids().len());
                        Some(DealMoment::Bid(said + 1))
                    }
                    Happened::Played { .. } => {
                        let laid = public.round().map_or(0, |round| round.trick().cards().len());
                        if laid == 0 {
                            deal.tricks.push(step);
                        }
                        Some(DealMoment::Card { trick, card: laid + 1 })
                    }
                    Happened::Took { .. } => Some(DealMoment::Taken(trick)),
                    Happened::Challenged { .. } | Happened::Accepted { .. } => {
                        deal.said += 1;
                        Some(DealMoment::Said(deal.said))
                    }
                    Happened::ThrownIn { .. } | Happened::Scored(_) => Some(DealMoment::End),
                    Happened::Declared(_) | Happened::Won { .. } => None,
                }
            }
        };
        // What follows by itself belongs to the step that it follows from.
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

    /// What everybody is called, in the order of the seats.
    pub fn names(&self, phrases: &Phrases) -> Vec<String> {
        let names = self.names.iter().enumerate();
        names.map(|(at, name)| participants::recorded(name.as_deref(), at + 1, phrases)).collect()
    }

    /// The last step; the first one is nought.
    pub fn last(&self) -> usize {
        self.steps.len() - 1
    }

    /// The deals, to jump to.
    pub fn deals(&self) -> &[Chapter] {
        &self.deals
    }

    /// The name of a step in links.
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

    /// The step of a moment in a link; the beginning, if it is none.
    pub fn find(&self, link: &str) -> usize {
        Moment::parse(link).map_or(0, |moment| self.step_of(moment))
    }

    /// Where a stride from here leads.
    pub fn stride(&self, step: usize, stride: Stride, forward: bool) -> usize {
        let stops = |at: &usize| match stride {
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
            (step + 1..self.steps.len()).find(stops).unwrap_or(self.last())
        } else {
            (0..step.min(self.steps.len())).rev().find(stops).unwrap_or(0)
        }
    }

    /// The table after a step: the truth, with all hands and every view.
    pub fn at(&self, step: usize) -> Table {
        let step = self.steps[step.min(self.last())];
        let (mut table, from) = self.deals[step.moment.deal - 1].before.clone();
        for event in &self.events[from..step.events] {
            // It did so when the record was read.
            let fits = table.apply(event);
            debug_assert!(fits.is_ok(), "{event:?}");
        }
        table
    }

    /// The felt after a step: as a seat saw it, or with all hands open.
    pub fn scene(
        &self,
        step: usize,
        seat: Option<Seat>,
        direction: Direction,
        phrases: &Phrases,
    ) -> TableScene {
        let (table, names) = (self.at(step), self.names(phrases));
        // Whoever looks through the eyes of a seat has its cards before him and no others.
        let lies_open = |other: Seat| seat.is_none_or(|seat| seat == other);
        let hands = BySeat::from_fn(self.rules.players(), |other| match lies_open(other) {
            true => table.hand(other),
            false => CardSet::EMPTY,
        });
        let view = table.view(seat.map_or(Viewer::Spectator, Viewer::Seat));
        let mut scene = TableScene::open(&view, &hands, &names, direction, phrases);
        // After its end, a table counts the next deal.
        scene.deal = deal_title(&self.rules, self.moment(step).deal - 1, phrases);
        scene
    }

    /// The score sheet after a step: the deals that were over by then.
    pub fn scores(&self, step: usize, phrases: &Phrases) -> Scores {
        let Moment { deal, part } = self.moment(step);
        let over = deal - usize::from(part != DealMoment::End);
        let deals = self.deals[..over].iter().filter_map(|deal| deal.played.clone());
        let deals: Vec<DealPlayed> = deals.collect();
        Scores::new(&self.rules, &self.names(phrases), &deals, phrases)
    }

    /// What happened with a step, as a seat was told it, or as everybody may know it now.
    pub fn sentence(&self, step: usize, seat: Option<Seat>, phrases: &Phrases) -> String {
        let (step, names) = (step.min(self.last()), self.names(phrases));
        let ReplayStep { moment, events } = self.steps[step];
        let deal = &self.deals[moment.deal - 1];
        let (mut table, from) = match step == deal.start {
            true => deal.before.clone(),
            false => (self.at(step - 1), self.steps[step - 1].events),
        };
        let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
        let mut said = Vec::new();
        for event in &self.events[from..events] {
            let _ = table.apply(event);
            let teller = Narrator {
                viewer,
                public: table.public(),
                deals: deal.played.as_slice(),
                names: &names,
                phrases,
            };
            said.extend(match event {
                Event::Drew { seat: who, card } if seat.is_none() => {
                    let card = phrases.the_card(self.rules.pack(), *card);
                    let name = names[who.index()].as_str();
                    Some(format!("{}.", phrases.story_draws(name, card)))
                }
                _ => teller.event(&event.seen_by(viewer)),
            });
        }
        said.join(" ")
    }
}

#[cfg(test)]
mod tests;
