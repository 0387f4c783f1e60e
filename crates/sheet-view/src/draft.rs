//! A line of the sheet while a user edits it: the next line, or an earlier one.

use cards::{BySeat, BySide, Seat, Side};
use contest::sheet::{Sheet, SheetChange, SheetEntry, SheetLine, SheetRefusal};
use game::Rules;
use game::cruce::{Contract, POINTS_IN_PACK};

use super::{name, side_name};
use phrases::Phrases;
use phrases::layout::signed;

/// The points of one call (C10).
const CALL_POINTS: u8 = 20;
/// The maximum points that one side can call.
const MAX_CALL_POINTS: u8 = 100;

/// How a deal ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DraftKind {
    /// It was played.
    Played,
    /// All players passed (C6).
    AllPassed,
    /// A player broke a duty (C15).
    Revoke,
    /// It was dealt wrongly (C15).
    Misdeal,
}

/// The points of a side's cards as the user types them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PointsField {
    /// The text of the field.
    pub text: String,
    /// Whether it was computed from the other sides.
    pub filled: bool,
}

/// A line that is being edited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draft {
    /// The line that is changed; None for the next one.
    pub line: Option<usize>,
    /// How the deal ended.
    pub kind: DraftKind,
    /// The declarer, or the player who broke a duty.
    pub seat: Option<Seat>,
    /// The declarer's bid.
    pub bid: Option<u8>,
    /// The points of the cards, by side.
    pub cards: Vec<PointsField>,
    /// The points of the calls, by side.
    pub calls: Vec<u8>,
    /// The bids in whist, by seat.
    pub bids: Vec<u8>,
    /// The tricks in whist, by seat.
    pub tricks: Vec<u8>,
}

/// The result of checking a draft.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DraftCheck {
    /// The change to make, or why it cannot be made.
    pub change: Result<SheetChange, String>,
    /// How the scores would change, or what is still missing.
    pub hint: String,
    /// Whether an entry is wrong, not only missing.
    pub wrong: bool,
}

impl Draft {
    /// The next line, with what is known. The tricks start at the bids, since most bids are kept.
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
            cards: vec![PointsField::default(); sides],
            calls: vec![0; sides],
            tricks: bids.clone(),
            bids,
        }
    }

    /// An existing line, to be changed. Returns None if there is no such line.
    pub fn of(sheet: &Sheet, line: usize) -> Option<Draft> {
        let row = sheet.rows().get(line)?;
        let (sides, players) = (sheet.rules().sides(), sheet.rules().players());
        let mut draft = Draft {
            line: Some(line),
            kind: DraftKind::Played,
            seat: None,
            bid: None,
            cards: vec![PointsField::default(); sides],
            calls: vec![0; sides],
            bids: vec![0; players],
            tricks: vec![0; players],
        };
        match row.line {
            SheetLine::Cruce { contract, cards, calls } => {
                (draft.seat, draft.bid) = (Some(contract.declarer), Some(contract.bid));
                let typed = |points: &u8| PointsField { text: points.to_string(), filled: false };
                draft.cards = cards.iter().map(typed).collect();
                // With two sides, correcting one number then corrects the other, too.
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

    /// Sets the points of a side. Once all sides but one are known, the last is computed (C1).
    pub fn type_points(&mut self, side: Side, text: &str) {
        let text: String = text.chars().filter(char::is_ascii_digit).take(3).collect();
        let Some(points) = self.cards.get_mut(side.index()) else { return };
        *points = PointsField { text, filled: false };
        let is_open = |points: &PointsField| points.filled || points.text.is_empty();
        let mut open = self.cards.iter().enumerate().filter(|(_, points)| is_open(points));
        let (Some((at, _)), None) = (open.next(), open.next()) else {
            // A number computed from fields that are now empty is no longer valid.
            self.cards.iter_mut().filter(|points| points.filled).for_each(|points| {
                *points = PointsField::default();
            });
            return;
        };
        // The field that the user has just emptied stays empty.
        if at == side.index() {
            self.cards[at] = PointsField::default();
            return;
        }
        let others = self.cards.iter().enumerate().filter(|(other, _)| *other != at);
        let sum: Option<u16> = others.map(|(_, points)| number(&points.text)).sum();
        let rest = sum.and_then(|sum| u16::from(POINTS_IN_PACK).checked_sub(sum));
        let text = rest.map(|rest| rest.to_string()).unwrap_or_default();
        self.cards[at] = PointsField { text, filled: true };
    }

    /// Adds or removes one call of a side (C10).
    pub fn step_calls(&mut self, side: Side, up: bool) {
        if let Some(calls) = self.calls.get_mut(side.index()) {
            *calls = if up {
                (*calls + CALL_POINTS).min(MAX_CALL_POINTS)
            } else {
                calls.saturating_sub(CALL_POINTS)
            };
        }
    }

    /// Adds or removes one trick of a player.
    pub fn step_tricks(&mut self, seat: Seat, up: bool, most: u8) {
        if let Some(tricks) = self.tricks.get_mut(seat.index()) {
            *tricks = if up { (*tricks + 1).min(most) } else { tricks.saturating_sub(1) };
        }
    }

    /// Raises or lowers the bid of a player on a line that is changed.
    pub fn step_bid(&mut self, seat: Seat, up: bool, most: u8) {
        if let Some(bid) = self.bids.get_mut(seat.index()) {
            *bid = if up { (*bid + 1).min(most) } else { bid.saturating_sub(1) };
        }
    }

    /// Checks the draft against the sheet.
    pub fn check(&self, sheet: &Sheet, phrases: &Phrases) -> DraftCheck {
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
                let hint = self.score_changes(sheet, &change);
                DraftCheck { change: Ok(change), hint, wrong: false }
            }
            Err(refusal) => {
                let why = phrases.refused_by_sheet(&refusal, sheet.rules());
                match self.wrong_trick_count(sheet, phrases) {
                    Some(hint) => DraftCheck { change: Err(why), hint, wrong: false },
                    None => DraftCheck { change: Err(why.clone()), hint: why, wrong: true },
                }
            }
        }
    }

    /// The line; or what is missing or wrong, and whether it is wrong.
    fn line(&self, sheet: &Sheet, phrases: &Phrases) -> Result<SheetLine, (String, bool)> {
        Ok(match (self.kind, sheet.rules()) {
            (DraftKind::Played, Rules::Whist(_)) => SheetLine::Whist {
                bids: BySeat::from_slice(&self.bids).unwrap_or_default(),
                tricks: BySeat::from_slice(&self.tricks).unwrap_or_default(),
            },
            (DraftKind::Played, Rules::Cruce(_)) => {
                let (Some(declarer), Some(bid)) = (self.seat, self.bid) else {
                    return Err((phrases.entry_asks_contract(), false));
                };
                let cards: Option<Vec<u16>> =
                    self.cards.iter().map(|points| number(&points.text)).collect();
                let cards = cards.ok_or_else(|| (phrases.entry_lacks_points(), false))?;
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
                seat: self.seat.ok_or_else(|| (phrases.entry_lacks_player(), false))?,
            },
            (DraftKind::Misdeal, _) => SheetLine::Misdeal,
        })
    }

    /// How many tricks are missing or too many, in words.
    fn wrong_trick_count(&self, sheet: &Sheet, phrases: &Phrases) -> Option<String> {
        let Rules::Whist(whist) = sheet.rules() else { return None };
        let at = self.line.unwrap_or(sheet.rows().len());
        let cards = whist.cards_each(at).unwrap_or_default();
        let taken: usize = self.tricks.iter().map(|tricks| usize::from(*tricks)).sum();
        match (cards.checked_sub(taken), taken.checked_sub(cards)) {
            (Some(0), _) => None,
            (Some(left), _) => Some(phrases.entry_tricks_left(left)),
            (_, over) => over.map(|over| phrases.entry_tricks_over(over)),
        }
    }

    /// How the line would change the score of each side, in words.
    fn score_changes(&self, sheet: &Sheet, change: &SheetChange) -> String {
        let mut after = sheet.clone();
        let entry = SheetEntry { at: 0, by: None, change: change.clone() };
        if after.apply(entry).is_err() {
            return String::new();
        }
        let Some(row) = after.rows().get(self.line.unwrap_or(sheet.rows().len())) else {
            return String::new();
        };
        let each = Side::first(sheet.rules().sides()).map(|side| {
            let sum = i32::from(row.change[side]) + i32::from(row.prize[side]);
            format!("{} {}", side_name(sheet, side), signed(sum))
        });
        each.collect::<Vec<_>>().join(" · ")
    }
}

/// The players with their names.
pub fn players(sheet: &Sheet) -> Vec<(Seat, String)> {
    Seat::first(sheet.rules().players()).map(|seat| (seat, name(sheet, seat))).collect()
}

fn number(text: &str) -> Option<u16> {
    text.parse().ok()
}
