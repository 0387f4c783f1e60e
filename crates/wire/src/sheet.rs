//! Score sheets as JSON lines: what was settled, then every change, one a line.
//!
//! Seats, sides and lines are counted from 1; `docs/contest.md` has the schema. [`SheetChange`] is
//! also what a client sends, and [`SheetView`] what a page draws that folds nothing itself.

use cards::{BySide, Seat};
use contest::sheet::{Asks, Change, Entry, Line, MOST_CHANGES, Row, Setup, Sheet};
use game::Rules;
use game::cruce::Contract;
use serde::{Deserialize, Serialize};

use crate::lines::{self, Told, each, said, seat, version, wrong};
use crate::moment;
use crate::record::Fault;

/// The version of the format.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    ghinda_sheet: u32,
    rules: String,
    names: Vec<String>,
    dealer: usize,
}

#[derive(Serialize, Deserialize)]
struct EntryLine {
    at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    #[serde(flatten)]
    change: SheetChange,
}

/// A change of a sheet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "did", rename_all = "snake_case", deny_unknown_fields)]
pub enum SheetChange {
    /// The next player bids, in whist.
    Bid {
        /// What.
        bid: u8,
    },
    /// The bidding of Cruce is over.
    Declare {
        /// Who plays.
        seat: usize,
        /// For how much.
        bid: u8,
    },
    /// A line is complete.
    Write {
        /// What it says.
        line: LineText,
    },
    /// A line said something wrong.
    Edit {
        /// Which.
        number: usize,
        /// What it should say.
        line: LineText,
    },
    /// A player has another name.
    Rename {
        /// Who.
        seat: usize,
        /// What he is called.
        name: String,
    },
    /// The last change that holds was a mistake.
    Undo,
}

/// A complete line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum LineText {
    /// A deal of Cruce.
    Cruce {
        /// Who played.
        declarer: usize,
        /// For how much.
        bid: u8,
        /// The points of the cards, by sides.
        cards: Vec<u8>,
        /// The points of the calls, by sides.
        calls: Vec<u8>,
    },
    /// A deal of whist.
    Whist {
        /// By seats.
        bids: Vec<u8>,
        /// By seats.
        tricks: Vec<u8>,
    },
    /// Nobody bid, and the cards were thrown in.
    AllPassed,
    /// A player broke a duty.
    Revoke {
        /// Who.
        seat: usize,
    },
    /// The dealer dealt wrongly.
    Misdeal,
}

impl LineText {
    /// The line in words that travel.
    pub fn of(line: &Line) -> LineText {
        match *line {
            Line::Cruce { contract, cards, calls } => LineText::Cruce {
                declarer: contract.declarer.number(),
                bid: contract.bid,
                cards: cards.as_slice().to_vec(),
                calls: calls.as_slice().to_vec(),
            },
            Line::Whist { bids, tricks } => LineText::Whist {
                bids: bids.as_slice().to_vec(),
                tricks: tricks.as_slice().to_vec(),
            },
            Line::AllPassed => LineText::AllPassed,
            Line::Revoke { seat } => LineText::Revoke { seat: seat.number() },
            Line::Misdeal => LineText::Misdeal,
        }
    }

    /// The line that these words tell, or what is wrong with them.
    pub fn line(&self) -> Told<Line> {
        Ok(match self {
            LineText::Cruce { declarer, bid, cards, calls } => Line::Cruce {
                contract: Contract { declarer: seat(*declarer)?, bid: *bid },
                cards: each(cards)?,
                calls: each(calls)?,
            },
            LineText::Whist { bids, tricks } => {
                Line::Whist { bids: each(bids)?, tricks: each(tricks)? }
            }
            LineText::AllPassed => Line::AllPassed,
            LineText::Revoke { seat: number } => Line::Revoke { seat: seat(*number)? },
            LineText::Misdeal => Line::Misdeal,
        })
    }
}

impl SheetChange {
    /// The change in words that travel.
    pub fn of(change: &Change) -> SheetChange {
        match change {
            Change::Bid(bid) => SheetChange::Bid { bid: *bid },
            Change::Declare(contract) => {
                SheetChange::Declare { seat: contract.declarer.number(), bid: contract.bid }
            }
            Change::Write(line) => SheetChange::Write { line: LineText::of(line) },
            Change::Edit { line, to } => {
                SheetChange::Edit { number: line + 1, line: LineText::of(to) }
            }
            Change::Rename { seat, name } => {
                SheetChange::Rename { seat: seat.number(), name: name.to_string() }
            }
            Change::Undo => SheetChange::Undo,
        }
    }

    /// The change that these words mean, or what is wrong with them.
    pub fn change(&self) -> Told<Change> {
        Ok(match self {
            SheetChange::Bid { bid } => Change::Bid(*bid),
            SheetChange::Declare { seat: number, bid } => {
                Change::Declare(Contract { declarer: seat(*number)?, bid: *bid })
            }
            SheetChange::Write { line } => Change::Write(line.line()?),
            SheetChange::Edit { number, line } => {
                let at = number.checked_sub(1).ok_or("lines are counted from 1")?;
                Change::Edit { line: at, to: line.line()? }
            }
            SheetChange::Rename { seat: number, name } => {
                Change::Rename { seat: seat(*number)?, name: name.parse().map_err(said)? }
            }
            SheetChange::Undo => Change::Undo,
        })
    }
}

/// The first line of a sheet.
pub fn header_line(setup: &Setup) -> String {
    lines::line(&Header {
        ghinda_sheet: VERSION,
        rules: setup.rules.code(),
        names: setup.names.iter().map(ToString::to_string).collect(),
        dealer: setup.dealer.number(),
    })
}

/// The line of an entry.
pub fn entry_line(entry: &Entry) -> String {
    lines::line(&EntryLine {
        at: moment::text(entry.at),
        by: entry.by.as_ref().map(ToString::to_string),
        change: SheetChange::of(&entry.change),
    })
}

/// A sheet as JSON lines.
pub fn to_lines(sheet: &Sheet) -> String {
    header_line(sheet.setup()) + &sheet.log().iter().map(entry_line).collect::<String>()
}

/// The empty sheet of a first line.
pub fn from_header(at: usize, line: &str) -> Result<Sheet, Fault> {
    header(lines::read(at, line)?).map_err(|what| wrong(at, what))
}

/// Adds what a line tells to a sheet, if it fits.
pub fn add_line(sheet: &mut Sheet, at: usize, line: &str) -> Result<(), Fault> {
    let entry = entry(lines::read(at, line)?).map_err(|what| wrong(at, what))?;
    sheet.apply(entry).map_err(|refusal| wrong(at, refusal))
}

/// The sheet of some JSON lines. Every change is checked again.
pub fn from_lines(text: &str) -> Result<Sheet, Fault> {
    let mut told = lines::told(text);
    let (at, first) = told.next().ok_or_else(|| wrong(1, "expected the header of a sheet"))?;
    let mut sheet = from_header(at, first)?;
    for (at, text) in told.take(MOST_CHANGES + 1) {
        add_line(&mut sheet, at, text)?;
    }
    Ok(sheet)
}

fn header(header: Header) -> Told<Sheet> {
    version(header.ghinda_sheet, VERSION)?;
    let rules = Rules::from_code(&header.rules).map_err(said)?;
    let names: Result<_, _> = header.names.iter().map(|name| name.parse()).collect();
    let setup = Setup { rules, names: names.map_err(said)?, dealer: seat(header.dealer)? };
    Sheet::new(setup).map_err(said)
}

fn entry(line: EntryLine) -> Told<Entry> {
    let by = line.by.map(|name| name.parse()).transpose().map_err(said)?;
    let at = moment::parse(&line.at).ok_or("expected a moment such as 2026-11-16T09:30:00.250Z")?;
    Ok(Entry { at, by, change: line.change.change()? })
}

/// A sheet as it is to be drawn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SheetView {
    /// The rules code.
    pub rules: String,
    /// The players, by seats.
    pub names: Vec<String>,
    /// The lines that are complete.
    pub rows: Vec<RowView>,
    /// What is to be written next; nothing when the match is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NextView>,
    /// What was bid on the next line so far, in the order in which it was said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bids: Vec<u8>,
    /// Who declares on the next line, and for how much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract: Option<(usize, u8)>,
    /// The scores, by sides.
    pub total: Vec<i32>,
    /// The sides that have won; none while the match goes on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub won: Vec<usize>,
    /// The scores at the start and after each line that counts.
    pub course: Vec<Vec<i32>>,
    /// How many changes were made: a newer view has more.
    pub version: usize,
}

/// A line as it is to be drawn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RowView {
    /// What it says.
    pub line: LineText,
    /// What it said before it was changed, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<LineText>,
    /// Who dealt.
    pub dealer: usize,
    /// Who bid first.
    pub first: usize,
    /// How many cards each player got.
    pub cards_each: usize,
    /// Whether it counts.
    pub counts: bool,
    /// What it changed, by sides.
    pub change: Vec<i16>,
    /// Prizes, by sides.
    pub prize: Vec<i16>,
    /// Runs of right and wrong bids, by seats.
    pub runs: Vec<i8>,
    /// The scores after it, by sides.
    pub total: Vec<i32>,
}

/// What a sheet waits for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NextView {
    /// The number of the line.
    pub number: usize,
    /// Who deals.
    pub dealer: usize,
    /// Who bids first.
    pub first: usize,
    /// How many cards each player gets.
    pub cards_each: usize,
    /// What is to be written: `contract`, `bid` or `result`.
    pub asks: String,
    /// Who bids.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// What he may say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub legal: Vec<u8>,
    /// What he may not say, being the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forbidden: Option<u8>,
}

impl SheetView {
    /// A sheet as everybody may see it.
    pub fn of(sheet: &Sheet) -> SheetView {
        let numbers = |each: &BySide<i32>| each.as_slice().to_vec();
        let won = sheet.winners().map(|won| {
            let winners = won.entries().filter(|(_, won)| **won);
            winners.map(|(side, _)| side.number()).collect()
        });
        SheetView {
            rules: sheet.rules().code(),
            names: sheet.names().iter().map(ToString::to_string).collect(),
            rows: sheet.rows().iter().map(row_view).collect(),
            next: next_view(sheet),
            bids: sheet.bids().to_vec(),
            contract: sheet.contract().map(|contract| (contract.declarer.number(), contract.bid)),
            total: numbers(&sheet.total()),
            won: won.unwrap_or_default(),
            course: sheet.course().map(|total| numbers(&total)).collect(),
            version: sheet.log().len(),
        }
    }
}

fn row_view(row: &Row) -> RowView {
    RowView {
        line: LineText::of(&row.line),
        before: row.before.iter().map(LineText::of).collect(),
        dealer: row.dealer().number(),
        first: row.first.number(),
        cards_each: row.cards_each,
        counts: row.counts,
        change: row.change.as_slice().to_vec(),
        prize: row.prize.as_slice().to_vec(),
        runs: row.runs.as_slice().to_vec(),
        total: row.total.as_slice().to_vec(),
    }
}

fn next_view(sheet: &Sheet) -> Option<NextView> {
    let next = sheet.next()?;
    let (asks, turn, legal, forbidden) = match next.asks {
        Asks::Contract => ("contract", None, Vec::new(), None),
        Asks::Bid { seat, legal, forbidden } => {
            ("bid", Some(seat), legal.iter().collect(), forbidden)
        }
        Asks::Result => ("result", None, Vec::new(), None),
    };
    Some(NextView {
        number: next.line + 1,
        dealer: next.dealer.number(),
        first: next.first.number(),
        cards_each: next.cards_each,
        asks: asks.into(),
        turn: turn.map(Seat::number),
        legal,
        forbidden,
    })
}
