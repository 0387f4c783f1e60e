//! The score sheet of a real table as it is to be drawn: the paper with its lines, what is to be
//! written next, a line while somebody writes it, and a chart of the match.
//!
//! Nothing here reckons: a [`Sheet`] knows the scores, who deals and what may be said.

mod chart;
mod draft;
pub mod text;

use cards::{Seat, Side};
use contest::sheet::{AskedFor, PageRow as Written, Sheet, SheetChange, SheetLine};
use game::Rules;

use phrases::layout::{signed, total};
use phrases::{Phrases, game_word};

pub use chart::{Chart, HEIGHT, ScoreMark, Track, WIDTH};
pub use draft::{Draft, DraftCheck, DraftKind, Points, players};

/// What whoever looks at a sheet may do with it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum SheetAccess {
    /// Only look.
    #[default]
    Look,
    /// Write how deals went; penalties are the referee's (T5).
    Write,
    /// Write everything.
    Penalise,
}

/// The paper.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SheetView {
    /// The word of the game: `cruce` or `whist`.
    pub game: &'static str,
    /// The game and its seats.
    pub title: String,
    /// The sides by their players.
    pub columns: Vec<String>,
    /// The lines: those that are written, the one that is begun, and in whist those to come.
    pub rows: Vec<SheetRow>,
    /// The runs of right and wrong bids, where there are prizes for them (W7).
    pub runs: Vec<String>,
    /// The scores.
    pub totals: Vec<String>,
    /// Which sides have won.
    pub won: Vec<bool>,
    /// Who has won, in a sentence.
    pub end: Option<String>,
}

/// How far a line has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineState {
    /// It is complete.
    Written,
    /// It is the next one.
    Begun,
    /// It is still to come.
    Blank,
}

/// A line of the paper.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetRow {
    /// Its place, counted from nought.
    pub at: usize,
    /// How far it has come.
    pub state: LineState,
    /// What stands before it: in whist the number of cards, in Cruce that of the line.
    pub head: String,
    /// Who deals.
    pub dealer: String,
    /// In Cruce, who plays, or what happened instead.
    pub what: String,
    /// What it says of each side.
    pub cells: Vec<SheetCell>,
    /// What it said before it was changed, the oldest first.
    pub before: Vec<PreviousLine>,
    /// Why it does not count.
    pub note: Option<String>,
    /// The whole line in words.
    pub label: String,
}

/// What a line says of a side.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SheetCell {
    /// What it promised.
    pub bid: Option<u8>,
    /// Whether it kept that.
    pub kept: Option<bool>,
    /// What it made: points with calls, `64+20`, or tricks.
    pub made: String,
    /// What that changed.
    pub change: String,
    /// The prize on top (W7).
    pub prize: Option<String>,
    /// The score after it; nothing where the line is not written yet.
    pub total: String,
}

/// What a line said before it was changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PreviousLine {
    /// In Cruce, who played for how much, or what happened instead.
    pub what: String,
    /// What each side made, in whist after what it bid: `2/1`.
    pub cells: Vec<String>,
}

impl SheetView {
    /// The paper of a sheet.
    pub fn new(sheet: &Sheet, phrases: &Phrases) -> SheetView {
        let rules = sheet.rules();
        let written = sheet.rows().iter().enumerate();
        let mut rows: Vec<SheetRow> =
            written.map(|(at, row)| row_of(sheet, at, row, phrases)).collect();
        rows.extend(begun(sheet, phrases));
        if let Rules::Whist(whist) = rules {
            rows.extend((rows.len()..whist.deals()).map(|at| blank(sheet, at)));
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
            end: end(sheet, phrases),
        }
    }

    /// The scores in a row, to be said: `Ana 5, Bogdan −2`.
    pub fn standing(&self) -> String {
        let each = self.columns.iter().zip(&self.totals);
        each.map(|(name, score)| format!("{name} {score}")).collect::<Vec<_>>().join(", ")
    }
}

/// What is to be written next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetPrompt {
    /// The number of the line, counted from nought.
    pub line: usize,
    /// Which deal it is, who deals and who is first.
    pub lead: String,
    /// The question.
    pub question: String,
    /// What the answer is.
    pub asks: AskedFor,
    /// Who is first: he declares where all pass.
    pub first: Seat,
    /// How many cards each player has.
    pub cards_each: u8,
    /// What was said so far, in words; in whist alone.
    pub said: Option<String>,
    /// Which bid is forbidden and why (W4).
    pub forbidden: Option<String>,
}

impl SheetPrompt {
    /// What a sheet asks for; nothing once the match is over.
    pub fn new(sheet: &Sheet, phrases: &Phrases) -> Option<SheetPrompt> {
        let next = sheet.next()?;
        let (dealer, first) = (name(sheet, next.dealer), name(sheet, next.first));
        let (number, cards_each) = (next.line + 1, next.cards_each as u8);
        let lead = match sheet.rules() {
            Rules::Cruce(_) => phrases.pad_deal_cruce(number, dealer, first),
            Rules::Whist(whist) => {
                phrases.pad_deal_whist(number, whist.deals(), cards_each, dealer, first)
            }
        };
        let (question, forbidden) = match (next.asks, sheet.contract()) {
            (AskedFor::Contract, _) => (phrases.pad_asks_contract(), None),
            (AskedFor::Bid { seat, forbidden, .. }, _) => {
                let forbidden = forbidden.map(|bid| phrases.sheet_forbidden(bid));
                (phrases.pad_asks_bid(name(sheet, seat)), forbidden)
            }
            (AskedFor::Result, Some(contract)) => {
                let bid = phrases.bid(sheet.rules(), contract.bid);
                (phrases.pad_asks_points(name(sheet, contract.declarer), bid), None)
            }
            (AskedFor::Result, None) => (phrases.pad_asks_tricks(), None),
        };
        let sum: u32 = sheet.bids().iter().map(|bid| u32::from(*bid)).sum();
        let said = (!sheet.bids().is_empty()).then(|| phrases.pad_said(sum, cards_each));
        let (line, first, asks) = (next.line, next.first, next.asks);
        Some(SheetPrompt { line, lead, question, asks, first, cards_each, said, forbidden })
    }
}

/// What the last change was that could be undone, in words; nothing where there is none.
pub fn undo(sheet: &Sheet, phrases: &Phrases) -> Option<String> {
    let lines = sheet.rows().len();
    Some(match sheet.last_change()? {
        SheetChange::Bid(bid) => phrases.pad_undo_bid(*bid),
        SheetChange::Declare(contract) => {
            let bid = phrases.bid(sheet.rules(), contract.bid);
            phrases.pad_undo_declare(name(sheet, contract.declarer), bid)
        }
        SheetChange::Write(_) => phrases.pad_undo_write(lines),
        SheetChange::Edit { line, .. } => phrases.pad_undo_edit(line + 1),
        SheetChange::Rename { .. } => phrases.pad_undo_rename(),
        SheetChange::Undo => return None,
    })
}

/// What a player is called.
pub fn name(sheet: &Sheet, seat: Seat) -> String {
    sheet.names().get(seat.index()).map(ToString::to_string).unwrap_or_default()
}

/// A side by its players: `Ana & Călin`.
pub fn side_name(sheet: &Sheet, side: Side) -> String {
    sheet.names_of(side).map(ToString::to_string).collect::<Vec<_>>().join(" & ")
}

fn sides(sheet: &Sheet) -> impl Iterator<Item = Side> + use<> {
    Side::first(sheet.rules().sides())
}

fn head(sheet: &Sheet, at: usize) -> String {
    match sheet.rules() {
        Rules::Cruce(_) => (at + 1).to_string(),
        Rules::Whist(whist) => whist.cards_each(at).unwrap_or_default().to_string(),
    }
}

fn row_of(sheet: &Sheet, at: usize, row: &Written, phrases: &Phrases) -> SheetRow {
    let said = crate::text::line(phrases, sheet, row);
    SheetRow {
        at,
        state: LineState::Written,
        head: head(sheet, at),
        dealer: name(sheet, row.dealer()),
        what: what(sheet, &row.line, phrases),
        cells: sides(sheet).map(|side| cell(sheet, row, side)).collect(),
        before: row.before.iter().map(|line| before(sheet, line, phrases)).collect(),
        note: (!row.counts).then(|| phrases.sheet_not_counted()),
        label: phrases.pad_row(at + 1, said),
    }
}

/// Who plays, or what happened instead.
fn what(sheet: &Sheet, line: &SheetLine, phrases: &Phrases) -> String {
    match line {
        SheetLine::Cruce { contract, .. } => name(sheet, contract.declarer),
        SheetLine::Whist { .. } => String::new(),
        SheetLine::AllPassed => phrases.pad_passed(),
        SheetLine::Revoke { seat } => phrases.pad_revoked(name(sheet, *seat)),
        SheetLine::Misdeal => phrases.pad_misdealt(),
    }
}

fn cell(sheet: &Sheet, row: &Written, side: Side) -> SheetCell {
    let (bid, made, kept) = promised(sheet, &row.line, side);
    let mut cell =
        SheetCell { bid, made, kept, total: total(row.total[side]), ..SheetCell::default() };
    if row.counts {
        let quiet = matches!(
            row.line,
            SheetLine::AllPassed | SheetLine::Revoke { .. } | SheetLine::Misdeal
        );
        let change = i32::from(row.change[side]);
        cell.change = if quiet && change == 0 { String::new() } else { signed(change) };
        let prize = i32::from(row.prize[side]);
        cell.prize = (prize != 0).then(|| signed(prize));
    }
    cell
}

/// What a side promised on a line, what it made, and whether that was as promised.
fn promised(sheet: &Sheet, line: &SheetLine, side: Side) -> (Option<u8>, String, Option<bool>) {
    match line {
        SheetLine::Cruce { contract, cards, calls } => {
            let own = sheet.rules().side_of(contract.declarer) == side;
            let bid = own.then_some(contract.bid);
            let wanted = bid.filter(|bid| *bid > 0);
            let points = u16::from(cards[side]) + u16::from(calls[side]);
            let needed = |bid: u8| u16::from(bid) * u16::from(game::cruce::POINTS_A_SCORE);
            (bid, made(cards[side], calls[side]), wanted.map(|bid| points >= needed(bid)))
        }
        SheetLine::Whist { bids, tricks } => {
            // In whist every seat is a side of its own.
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

fn before(sheet: &Sheet, line: &SheetLine, phrases: &Phrases) -> PreviousLine {
    let cells = sides(sheet).map(|side| match promised(sheet, line, side) {
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

/// The line that waits to be written, with what was bid on it.
fn begun(sheet: &Sheet, phrases: &Phrases) -> Option<SheetRow> {
    let next = sheet.next()?;
    let players = sheet.rules().players();
    let mut row = blank(sheet, next.line);
    row.state = LineState::Begun;
    row.dealer = name(sheet, next.dealer);
    row.label = phrases.pad_row_begun(next.line + 1);
    if let Some(contract) = sheet.contract() {
        row.what = name(sheet, contract.declarer);
        row.cells[sheet.rules().side_of(contract.declarer).index()].bid = Some(contract.bid);
    }
    for (at, bid) in sheet.bids().iter().enumerate() {
        row.cells[next.first.after(at, players).index()].bid = Some(*bid);
    }
    Some(row)
}

fn blank(sheet: &Sheet, at: usize) -> SheetRow {
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
            last.runs.iter().map(|run| run_of(*run, phrases)).collect()
        }
        _ => Vec::new(),
    }
}

/// How many deals in a row were bid rightly or wrongly.
fn run_of(run: i8, phrases: &Phrases) -> String {
    match run {
        0 => phrases.pad_no_run(),
        run if run > 0 => format!("✓{run}"),
        run => format!("✗{}", run.unsigned_abs()),
    }
}

fn end(sheet: &Sheet, phrases: &Phrases) -> Option<String> {
    let won = sheet.winners()?;
    let winners = won.entries().filter(|(_, won)| **won);
    let names: Vec<String> = winners.map(|(side, _)| side_name(sheet, side)).collect();
    Some(phrases.sheet_won(phrases.list_and(&names)))
}

#[cfg(test)]
mod tests;
