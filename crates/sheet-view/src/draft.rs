//! A line while somebody writes it: the next one, or one that is to be changed.

use cards::{BySeat, BySide, Seat, Side};
use contest::sheet::{Sheet, SheetChange, SheetEntry, SheetLine, SheetRefusal};
use game::Rules;
use game::cruce::{Contract, POINTS_IN_PACK};

use super::{name, side_name};
use phrases::Phrases;
use phrases::layout::signed;

/// The points of one call (C10).
const CALL: u8 = 20;
/// The most that one side can call.
const MAX_CALLS: u8 = 100;

/// How a deal ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DraftKind {
    /// It was played.
    Played,
    /// Nobody bid (C6).
    AllPassed,
    /// Somebody broke a duty (C15).
    Revoke,
    /// It was dealt wrongly (C15).
    Misdeal,
}

/// Points of cards as somebody types them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Points {
    /// What stands there.
    pub text: String,
    /// Whether it follows from the others.
    pub filled: bool,
}

/// A line that is being written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draft {
    /// Which line is changed; nothing for the next one.
    pub line: Option<usize>,
    /// How the deal ended.
    pub kind: DraftKind,
    /// Who declares, or who broke a duty.
    pub seat: Option<Seat>,
    /// For how much he declares.
    pub bid: Option<u8>,
    /// The points of the cards, by sides.
    pub cards: Vec<Points>,
    /// The points of the calls, by sides.
    pub calls: Vec<u8>,
    /// What was bid in whist, by seats.
    pub bids: Vec<u8>,
    /// What was taken in whist, by seats.
    pub tricks: Vec<u8>,
}

/// What a draft comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DraftCheck {
    /// The change to be made, or why it cannot be made.
    pub change: Result<SheetChange, String>,
    /// What it would bring, or what is still missing.
    pub hint: String,
    /// Whether something is wrong, and not only missing.
    pub wrong: bool,
}

impl Draft {
    /// The next line, as far as it is known. Tricks begin at what was bid: most bids are kept.
    pub fn next(sheet: &Sheet) -> Draft {
        let (sides, players) = (sheet.rules().sides(), sheet.rules().players());
        let contract = sheet.contract();
        let mut bids = vec![0; players];
        if let Some(next) = sheet.next() {
            for (at, bid) in sheet.bids().iter().enumerate() {
                bids[next.first.after(at, players).index()] = *bid;
            }
        }
        Draft {
            line: None,
            kind: DraftKind::Played,
            seat: contract.map(|contract| contract.declarer),
            bid: contract.map(|contract| contract.bid),
            cards: vec![Points::default(); sides],
            calls: vec![0; sides],
            tricks: bids.clone(),
            bids,
        }
    }

    /// A line that is to be changed; nothing where there is none.
    pub fn of(sheet: &Sheet, line: usize) -> Option<Draft> {
        let row = sheet.rows().get(line)?;
        let (sides, players) = (sheet.rules().sides(), sheet.rules().players());
        let mut draft = Draft {
            line: Some(line),
            kind: DraftKind::Played,
            seat: None,
            bid: None,
            cards: vec![Points::default(); sides],
            calls: vec![0; sides],
            bids: vec![0; players],
            tricks: vec![0; players],
        };
        match row.line {
            SheetLine::Cruce { contract, cards, calls } => {
                (draft.seat, draft.bid) = (Some(contract.declarer), Some(contract.bid));
                let typed = |points: &u8| Points { text: points.to_string(), filled: false };
                draft.cards = cards.iter().map(typed).collect();
                // So that whoever corrects one of two numbers has corrected both.
                if let Some(last) = draft.cards.last_mut() {
                    last.filled = true;
                }
                draft.calls = calls.as_slice().to_vec();
            }
            SheetLine::Whist { bids, tricks } => {
                draft.bids = bids.as_slice().to_vec();
                draft.tricks = tricks.as_slice().to_vec();
            }
            SheetLine::AllPassed => draft.kind = DraftKind::AllPassed,
            SheetLine::Revoke { seat } => {
                (draft.kind, draft.seat) = (DraftKind::Revoke, Some(seat))
            }
            SheetLine::Misdeal => draft.kind = DraftKind::Misdeal,
        }
        Some(draft)
    }

    /// Types the points of a side. Once all sides but one are known, that one follows (C1).
    pub fn type_points(&mut self, side: Side, text: &str) {
        let text: String = text.chars().filter(char::is_ascii_digit).take(3).collect();
        let Some(points) = self.cards.get_mut(side.index()) else { return };
        *points = Points { text, filled: false };
        let open = |points: &Points| points.filled || points.text.is_empty();
        let mut others = self.cards.iter().enumerate().filter(|(_, points)| open(points));
        let (Some((at, _)), None) = (others.next(), others.next()) else {
            // What followed from numbers that are not there any more does not follow.
            self.cards.iter_mut().filter(|points| points.filled).for_each(|points| {
                *points = Points::default();
            });
            return;
        };
        // The side that was just emptied is not filled again under the hand.
        if at == side.index() {
            self.cards[at] = Points::default();
            return;
        }
        let others = self.cards.iter().enumerate().filter(|(other, _)| *other != at);
        let sum: Option<u16> = others.map(|(_, points)| number(&points.text)).sum();
        let rest = sum.and_then(|sum| u16::from(POINTS_IN_PACK).checked_sub(sum));
        let text = rest.map(|rest| rest.to_string()).unwrap_or_default();
        self.cards[at] = Points { text, filled: true };
    }

    /// One call more or less for a side (C10).
    pub fn step_calls(&mut self, side: Side, up: bool) {
        if let Some(calls) = self.calls.get_mut(side.index()) {
            *calls = if up { (*calls + CALL).min(MAX_CALLS) } else { calls.saturating_sub(CALL) };
        }
    }

    /// One trick more or less for a player.
    pub fn step_tricks(&mut self, seat: Seat, up: bool, most: u8) {
        if let Some(tricks) = self.tricks.get_mut(seat.index()) {
            *tricks = if up { (*tricks + 1).min(most) } else { tricks.saturating_sub(1) };
        }
    }

    /// Another bid of a player, where a line is changed.
    pub fn step_bid(&mut self, seat: Seat, up: bool, most: u8) {
        if let Some(bid) = self.bids.get_mut(seat.index()) {
            *bid = if up { (*bid + 1).min(most) } else { bid.saturating_sub(1) };
        }
    }

    /// What it comes to.
    pub fn judge(&self, sheet: &Sheet, phrases: &Phrases) -> DraftCheck {
        let line = match self.line(sheet, phrases) {
            Ok(line) => line,
            Err((why, wrong)) => return DraftCheck { change: Err(why.clone()), hint: why, wrong },
        };
        let change = match self.line {
            Some(at) => SheetChange::Edit { line: at, to: line },
            None => SheetChange::Write(line),
        };
        match sheet.check(&change) {
            Ok(()) => {
                let hint = self.brings(sheet, &change);
                DraftCheck { change: Ok(change), hint, wrong: false }
            }
            Err(refusal) => {
                let why = phrases.refused_by_sheet(&refusal, sheet.rules());
                match self.tricks_astray(sheet, phrases) {
                    Some(hint) => DraftCheck { change: Err(why), hint, wrong: false },
                    None => DraftCheck { change: Err(why.clone()), hint: why, wrong: true },
                }
            }
        }
    }

    /// The line; or what is missing, and whether that is a fault.
    fn line(&self, sheet: &Sheet, phrases: &Phrases) -> Result<SheetLine, (String, bool)> {
        Ok(match (self.kind, sheet.rules()) {
            (DraftKind::Played, Rules::Whist(_)) => SheetLine::Whist {
                bids: BySeat::from_slice(&self.bids).unwrap_or_default(),
                tricks: BySeat::from_slice(&self.tricks).unwrap_or_default(),
            },
            (DraftKind::Played, Rules::Cruce(_)) => {
                let (Some(declarer), Some(bid)) = (self.seat, self.bid) else {
                    return Err((phrases.pad_asks_contract(), false));
                };
                let cards: Option<Vec<u16>> =
                    self.cards.iter().map(|points| number(&points.text)).collect();
                let cards = cards.ok_or_else(|| (phrases.pad_lacks_points(), false))?;
                let found: u16 = cards.iter().sum();
                let cards: Result<Vec<u8>, _> = cards.into_iter().map(u8::try_from).collect();
                let cards = cards.map_err(|_| {
                    let refusal = SheetRefusal::CardsDoNotAddUp { found };
                    (phrases.refused_by_sheet(&refusal, sheet.rules()), true)
                })?;
                SheetLine::Cruce {
                    contract: Contract { declarer, bid },
                    cards: BySide::from_slice(&cards).unwrap_or_default(),
                    calls: BySide::from_slice(&self.calls).unwrap_or_default(),
                }
            }
            (DraftKind::AllPassed, _) => SheetLine::AllPassed,
            (DraftKind::Revoke, _) => SheetLine::Revoke {
                seat: self.seat.ok_or_else(|| (phrases.pad_lacks_player(), false))?,
            },
            (DraftKind::Misdeal, _) => SheetLine::Misdeal,
        })
    }

    /// How many tricks are missing or too many, in words.
    fn tricks_astray(&self, sheet: &Sheet, phrases: &Phrases) -> Option<String> {
        let Rules::Whist(whist) = sheet.rules() else { return None };
        let at = self.line.unwrap_or(sheet.rows().len());
        let cards = whist.cards_each(at).unwrap_or_default();
        let taken: usize = self.tricks.iter().map(|tricks| usize::from(*tricks)).sum();
        match (cards.checked_sub(taken), taken.checked_sub(cards)) {
            (Some(0), _) => None,
            (Some(left), _) => Some(phrases.pad_tricks_left(left)),
            (_, over) => over.map(|over| phrases.pad_tricks_over(over)),
        }
    }

    /// What the line would bring each side.
    fn brings(&self, sheet: &Sheet, change: &SheetChange) -> String {
        let mut after = sheet.clone();
        let entry = SheetEntry { at: 0, by: None, change: change.clone() };
        if after.apply(entry).is_err() {
            return String::new();
        }
        let Some(row) = after.rows().get(self.line.unwrap_or(sheet.rows().len())) else {
            return String::new();
        };
        let each = Side::first(sheet.rules().sides()).map(|side| {
            let brought = i32::from(row.change[side]) + i32::from(row.prize[side]);
            format!("{} {}", side_name(sheet, side), signed(brought))
        });
        each.collect::<Vec<_>>().join(" · ")
    }
}

/// The players, to be chosen from.
pub fn players(sheet: &Sheet) -> Vec<(Seat, String)> {
    Seat::first(sheet.rules().players()).map(|seat| (seat, name(sheet, seat))).collect()
}

fn number(text: &str) -> Option<u16> {
    text.parse().ok()
}
