//! The score sheet of a real table as clients draw it: the lines, the next entry, a line that a user
//! edits, and a chart of the match.
//!
//! This crate computes no scores: a [`Sheet`] knows the scores, the dealer and the allowed bids.

mod chart;
mod draft;
pub mod text;

use cards::{Seat, Side};
use contest::sheet::{NextInput, PageRow, Sheet, SheetChange, SheetLine};
use game::Rules;
use game::cruce::promised_points;

use phrases::layout::{signed, total};
use phrases::{Phrases, game_word};

pub use chart::{Chart, HEIGHT, ScoreMark, Track, WIDTH};
pub use draft::{Draft, DraftCheck, DraftKind, PointsField, players};

/// What a viewer may do with a sheet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum SheetAccess {
    /// Only read it.
    #[default]
    Read,
    /// Enter the results of deals; only the referee enters penalties (T5).
    Write,
    /// Enter results and penalties.
    Penalise,
}

/// The whole sheet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SheetView {
    /// The word of the game: `cruce` or `whist`.
    pub game: &'static str,
    /// The game and its seats.
    pub title: String,
    /// The names of the sides.
    pub columns: Vec<String>,
    /// The lines: the complete ones, the next one, and in whist those to come.
    pub rows: Vec<SheetRow>,
    /// The runs of right and wrong bids, if there are prizes for them (W7).
    pub runs: Vec<String>,
    /// The scores.
    pub totals: Vec<String>,
    /// Whether each side has won.
    pub won: Vec<bool>,
    /// The winners, in a sentence.
    pub end: Option<String>,
}

/// The state of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineState {
    /// It is complete.
    Written,
    /// It is the next one.
    Begun,
    /// It is still to come.
    Blank,
}

/// A line of the sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetRow {
    /// Its index.
    pub at: usize,
    /// Its state.
    pub state: LineState,
    /// Its heading: the number of cards in whist, the number of the line in Cruce.
    pub head: String,
    /// The dealer.
    pub dealer: String,
    /// In Cruce, the declarer, or what happened instead.
    pub what: String,
    /// A cell for each side.
    pub cells: Vec<SheetCell>,
    /// Its earlier versions, the oldest first.
    pub before: Vec<PreviousLine>,
    /// Why it does not count.
    pub note: Option<String>,
    /// The whole line in words.
    pub label: String,
}

/// The cell of a side.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SheetCell {
    /// The bid.
    pub bid: Option<u8>,
    /// Whether the bid was kept.
    pub kept: Option<bool>,
    /// The result: points with calls, `64+20`, or tricks.
    pub made: String,
    /// The change of the score.
    pub change: String,
    /// The additional prize (W7).
    pub prize: Option<String>,
    /// The score after it; empty if the line is not complete.
    pub total: String,
}

/// An earlier version of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PreviousLine {
    /// In Cruce, the declarer with the bid, or what happened instead.
    pub what: String,
    /// The result of each side, in whist after its bid: `2/1`.
    pub cells: Vec<String>,
}

impl SheetView {
    /// The view of a sheet.
    pub fn new(sheet: &Sheet, phrases: &Phrases) -> SheetView {
        let rules = sheet.rules();
        let written = sheet.rows().iter().enumerate();
        let mut rows: Vec<SheetRow> =
            written.map(|(at, row)| written_row(sheet, at, row, phrases)).collect();
        rows.extend(next_row(sheet, phrases));
        if let Rules::Whist(whist) = rules {
            rows.extend((rows.len()..whist.deals()).map(|at| blank_row(sheet, at)));
        }
        let won = sheet.winners().map(|won| won.iter().copied().collect()).unwrap_or_default();
        SheetView {
            game: game_word(rules),
            title: phrases.title(rules),
            columns: sides(sheet).map(|side| side_name(sheet, side)).collect(),
            rows,
            runs: runs(sheet, phrases),
            totals: sheet.total().iter().map(|score| total(*score)).collect(),
            won,
            end: winners(sheet, phrases),
        }
    }

    /// The scores in words: `Ana 5, Bogdan −2`.
    pub fn standing(&self) -> String {
        let each = self.columns.iter().zip(&self.totals);
        each.map(|(name, score)| format!("{name} {score}")).collect::<Vec<_>>().join(", ")
    }
}

/// The next entry of the sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetPrompt {
    /// The index of the line.
    pub line: usize,
    /// The deal, the dealer and the first bidder, in words.
    pub lead: String,
    /// The question.
    pub question: String,
    /// The kind of the answer.
    pub asks: NextInput,
    /// The first bidder, who declares if all pass.
    pub first: Seat,
    /// The number of cards of each player.
    pub cards_each: u8,
    /// The sum of the bids so far, in words; only in whist.
    pub said: Option<String>,
    /// The forbidden bid, with the reason (W4).
    pub forbidden: Option<String>,
}

impl SheetPrompt {
    /// The next entry of a sheet. Returns None once the match is over.
    pub fn new(sheet: &Sheet, phrases: &Phrases) -> Option<SheetPrompt> {
        let next = sheet.next()?;
        let (dealer, first) = (name(sheet, next.dealer), name(sheet, next.first));
        let (number, cards_each) = (next.line + 1, next.cards_each as u8);
        let lead = match sheet.rules() {
            Rules::Cruce(_) => phrases.entry_deal_cruce(number, dealer, first),
            Rules::Whist(whist) => {
                phrases.entry_deal_whist(number, whist.deals(), cards_each, dealer, first)
            }
        };
        let (question, forbidden) = match (next.asks, sheet.contract()) {
            (NextInput::Contract, _) => (phrases.entry_asks_contract(), None),
            (NextInput::Bid { seat, forbidden, .. }, _) => {
                let forbidden = forbidden.map(|bid| phrases.sheet_forbidden(bid));
                (phrases.entry_asks_bid(name(sheet, seat)), forbidden)
            }
            (NextInput::Result, Some(contract)) => {
                let bid = phrases.bid(sheet.rules(), contract.bid);
                (phrases.entry_asks_points(name(sheet, contract.declarer), bid), None)
            }
            (NextInput::Result, None) => (phrases.entry_asks_tricks(), None),
        };
        let sum: u32 = sheet.bids().iter().map(|bid| u32::from(*bid)).sum();
        let said = (!sheet.bids().is_empty()).then(|| phrases.entry_said(sum, cards_each));
        let (line, first, asks) = (next.line, next.first, next.asks);
        Some(SheetPrompt { line, lead, question, asks, first, cards_each, said, forbidden })
    }
}

/// The last change that can be undone, in words. Returns None if there is none.
pub fn undo(sheet: &Sheet, phrases: &Phrases) -> Option<String> {
    let lines = sheet.rows().len();
    Some(match sheet.last_change()? {
        SheetChange::Bid(bid) => phrases.entry_undo_bid(*bid),
        SheetChange::Declare(contract) => {
            let bid = phrases.bid(sheet.rules(), contract.bid);
            phrases.entry_undo_declare(name(sheet, contract.declarer), bid)
        }
        SheetChange::Write(_) => phrases.entry_undo_write(lines),
        SheetChange::Edit { line, .. } => phrases.entry_undo_edit(line + 1),
        SheetChange::Rename { .. } => phrases.entry_undo_rename(),
        SheetChange::Undo => return None,
    })
}

/// The name of a player.
pub fn name(sheet: &Sheet, seat: Seat) -> String {
    sheet.names().get(seat.index()).map(ToString::to_string).unwrap_or_default()
}

/// The name of a side: `Ana & Călin`.
pub fn side_name(sheet: &Sheet, side: Side) -> String {
    sheet.names_of(side).map(ToString::to_string).collect::<Vec<_>>().join(" & ")
}

fn sides(sheet: &Sheet) -> impl Iterator<Item = Side> + use<> {
    Side::first(sheet.rules().sides())
}

/// The heading of a line.
fn head(sheet: &Sheet, at: usize) -> String {
    match sheet.rules() {
        Rules::Cruce(_) => (at + 1).to_string(),
        Rules::Whist(whist) => whist.cards_each(at).unwrap_or_default().to_string(),
    }
}

fn written_row(sheet: &Sheet, at: usize, row: &PageRow, phrases: &Phrases) -> SheetRow {
    let text = crate::text::line(phrases, sheet, row);
    SheetRow {
        at,
        state: LineState::Written,
        head: head(sheet, at),
        dealer: name(sheet, row.dealer()),
        what: what(sheet, &row.line, phrases),
        cells: sides(sheet).map(|side| cell(sheet, row, side)).collect(),
        before: row.before.iter().map(|line| previous(sheet, line, phrases)).collect(),
        note: (!row.counts).then(|| phrases.sheet_not_counted()),
        label: phrases.entry_row(at + 1, text),
    }
}

/// The declarer, or what happened instead.
fn what(sheet: &Sheet, line: &SheetLine, phrases: &Phrases) -> String {
    match line {
        SheetLine::Cruce { contract, .. } => name(sheet, contract.declarer),
        SheetLine::Whist { .. } => String::new(),
        SheetLine::AllPassed => phrases.entry_passed(),
        SheetLine::Revoke { seat } => phrases.entry_revoked(name(sheet, *seat)),
        SheetLine::Misdeal => phrases.entry_misdealt(),
    }
}

fn cell(sheet: &Sheet, row: &PageRow, side: Side) -> SheetCell {
    let (bid, made, kept) = outcome(sheet, &row.line, side);
    let mut cell =
        SheetCell { bid, made, kept, total: total(row.total[side]), ..SheetCell::default() };
    if row.counts {
        let is_unplayed = matches!(
            row.line,
            SheetLine::AllPassed | SheetLine::Revoke { .. } | SheetLine::Misdeal
        );
        let change = i32::from(row.change[side]);
        cell.change = if is_unplayed && change == 0 { String::new() } else { signed(change) };
        let prize = i32::from(row.prize[side]);
        cell.prize = (prize != 0).then(|| signed(prize));
    }
    cell
}

/// The bid of a side on a line, its result, and whether the bid was kept.
fn outcome(sheet: &Sheet, line: &SheetLine, side: Side) -> (Option<u8>, String, Option<bool>) {
    match line {
        SheetLine::Cruce { contract, cards, calls } => {
            let own = sheet.rules().side_of(contract.declarer) == side;
            let bid = own.then_some(contract.bid);
            let wanted = bid.filter(|bid| *bid > 0);
            let points = u16::from(cards[side]) + u16::from(calls[side]);
            (bid, made(cards[side], calls[side]), wanted.map(|bid| points >= promised_points(bid)))
        }
        SheetLine::Whist { bids, tricks } => {
            // In whist every seat is its own side.
            let seat = Seat::new(side.index()).unwrap_or_default();
            let (bid, took) = (bids[seat], tricks[seat]);
            (Some(bid), took.to_string(), Some(bid == took))
        }
        SheetLine::AllPassed | SheetLine::Revoke { .. } | SheetLine::Misdeal => {
            (None, String::new(), None)
        }
    }
}

fn made(cards: u8, calls: u8) -> String {
    match calls {
        0 => cards.to_string(),
        calls => format!("{cards}+{calls}"),
    }
}

fn previous(sheet: &Sheet, line: &SheetLine, phrases: &Phrases) -> PreviousLine {
    let cells = sides(sheet).map(|side| match outcome(sheet, line, side) {
        (Some(bid), took, _) if matches!(line, SheetLine::Whist { .. }) => format!("{bid}/{took}"),
        (_, made, _) => made,
    });
    let what = match line {
        SheetLine::Cruce { contract, .. } => {
            format!("{} {}", name(sheet, contract.declarer), contract.bid)
        }
        other => what(sheet, other, phrases),
    };
    PreviousLine { what, cells: cells.collect() }
}

/// The line that is entered next, with the bids made so far.
fn next_row(sheet: &Sheet, phrases: &Phrases) -> Option<SheetRow> {
    let next = sheet.next()?;
    let players = sheet.rules().players();
    let mut row = blank_row(sheet, next.line);
    row.state = LineState::Begun;
    row.dealer = name(sheet, next.dealer);
    row.label = phrases.entry_row_begun(next.line + 1);
    if let Some(contract) = sheet.contract() {
        row.what = name(sheet, contract.declarer);
        row.cells[sheet.rules().side_of(contract.declarer).index()].bid = Some(contract.bid);
    }
    for (at, bid) in sheet.bids().iter().enumerate() {
        row.cells[next.first.after(at, players).index()].bid = Some(*bid);
    }
    Some(row)
}

fn blank_row(sheet: &Sheet, at: usize) -> SheetRow {
    SheetRow {
        at,
        state: LineState::Blank,
        head: head(sheet, at),
        dealer: String::new(),
        what: String::new(),
        cells: sides(sheet).map(|_| SheetCell::default()).collect(),
        before: Vec::new(),
        note: None,
        label: String::new(),
    }
}

fn runs(sheet: &Sheet, phrases: &Phrases) -> Vec<String> {
    match (sheet.rules(), sheet.rows().last()) {
        (Rules::Whist(whist), Some(last)) if whist.prize() != 0 && sheet.winners().is_none() => {
            last.runs.iter().map(|run| run_text(*run, phrases)).collect()
        }
        _ => Vec::new(),
    }
}

/// The number of consecutive right or wrong bids.
fn run_text(run: i8, phrases: &Phrases) -> String {
    match run {
        0 => phrases.entry_no_run(),
        run if run > 0 => format!("✓{run}"),
        run => format!("✗{}", run.unsigned_abs()),
    }
}

/// The winners, in a sentence.
fn winners(sheet: &Sheet, phrases: &Phrases) -> Option<String> {
    let won = sheet.winners()?;
    let winners = won.entries().filter(|(_, won)| **won);
    let names: Vec<String> = winners.map(|(side, _)| side_name(sheet, side)).collect();
    Some(phrases.sheet_won(phrases.list_and(&names)))
}

#[cfg(test)]
mod tests;
