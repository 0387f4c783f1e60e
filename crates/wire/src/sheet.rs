//! Score sheets as JSON lines: the setup, then every change, one a line.
//!
//! Seats, sides and lines are counted from 1; `docs/contest.md` has the schema. Clients also send
//! [`SheetChangeText`].

use contest::sheet::{MAX_CHANGES, Setup, Sheet, SheetChange, SheetEntry, SheetLine};
use game::Rules;
use game::cruce::Contract;
use serde::{Deserialize, Serialize};

use crate::lines::{self, JsonLine, LineResult, check_version, each, error_text, line_fault, seat};
use crate::moment;
use crate::record::LineFault;

/// The version of the format.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SheetHeader {
    ghinda_sheet: u32,
    rules: String,
    names: Vec<String>,
    dealer: usize,
}

#[derive(Serialize, Deserialize)]
struct SheetEntryLine {
    at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    #[serde(flatten)]
    change: SheetChangeText,
}

/// A change of a sheet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "did", rename_all = "snake_case", deny_unknown_fields)]
pub enum SheetChangeText {
    /// The next player bids, in whist.
    Bid {
        /// The bid.
        bid: u8,
    },
    /// The bidding of Cruce is over.
    Declare {
        /// The declarer's seat.
        seat: usize,
        /// The declarer's bid.
        bid: u8,
    },
    /// Adds a complete line.
    Write {
        /// The line.
        line: LineText,
    },
    /// Corrects a line.
    Edit {
        /// The number of the line.
        number: usize,
        /// The corrected line.
        line: LineText,
    },
    /// Renames a player.
    Rename {
        /// The player's seat.
        seat: usize,
        /// The new name.
        name: String,
    },
    /// Undoes the last change that was not undone.
    Undo {},
}

/// A complete line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum LineText {
    /// A deal of Cruce.
    Cruce {
        /// The declarer's seat.
        declarer: usize,
        /// The declarer's bid.
        bid: u8,
        /// The points of the cards, by sides.
        cards: Vec<u8>,
        /// The points of the calls, by sides.
        calls: Vec<u8>,
    },
    /// A deal of whist.
    Whist {
        /// The bids, by seats.
        bids: Vec<u8>,
        /// The tricks, by seats.
        tricks: Vec<u8>,
    },
    /// All players passed, and the cards were thrown in.
    AllPassed,
    /// A player broke a duty.
    Revoke {
        /// The player's seat.
        seat: usize,
    },
    /// The dealer made a mistake.
    Misdeal,
}

impl LineText {
    /// The JSON form of a line.
    pub fn of(line: &SheetLine) -> LineText {
        match *line {
            SheetLine::Cruce { contract, cards, calls } => LineText::Cruce {
                declarer: contract.declarer.number(),
                bid: contract.bid,
                cards: cards.as_slice().to_vec(),
                calls: calls.as_slice().to_vec(),
            },
            SheetLine::Whist { bids, tricks } => LineText::Whist {
                bids: bids.as_slice().to_vec(),
                tricks: tricks.as_slice().to_vec(),
            },
            SheetLine::AllPassed => LineText::AllPassed,
            SheetLine::Revoke { seat } => LineText::Revoke { seat: seat.number() },
            SheetLine::Misdeal => LineText::Misdeal,
        }
    }

    /// Parses the line; the error describes what is wrong.
    pub fn line(&self) -> LineResult<SheetLine> {
        Ok(match self {
            LineText::Cruce { declarer, bid, cards, calls } => SheetLine::Cruce {
                contract: Contract { declarer: seat(*declarer)?, bid: *bid },
                cards: each(cards)?,
                calls: each(calls)?,
            },
            LineText::Whist { bids, tricks } => {
                SheetLine::Whist { bids: each(bids)?, tricks: each(tricks)? }
            }
            LineText::AllPassed => SheetLine::AllPassed,
            LineText::Revoke { seat: number } => SheetLine::Revoke { seat: seat(*number)? },
            LineText::Misdeal => SheetLine::Misdeal,
        })
    }
}

impl SheetChangeText {
    /// The JSON form of a change.
    pub fn of(change: &SheetChange) -> SheetChangeText {
        match change {
            SheetChange::Bid(bid) => SheetChangeText::Bid { bid: *bid },
            SheetChange::Declare(contract) => {
                SheetChangeText::Declare { seat: contract.declarer.number(), bid: contract.bid }
            }
            SheetChange::Write(line) => SheetChangeText::Write { line: LineText::of(line) },
            SheetChange::Edit { line, to } => {
                SheetChangeText::Edit { number: line + 1, line: LineText::of(to) }
            }
            SheetChange::Rename { seat, name } => {
                SheetChangeText::Rename { seat: seat.number(), name: name.to_string() }
            }
            SheetChange::Undo => SheetChangeText::Undo {},
        }
    }

    /// Parses the change; the error describes what is wrong.
    pub fn change(&self) -> LineResult<SheetChange> {
        Ok(match self {
            SheetChangeText::Bid { bid } => SheetChange::Bid(*bid),
            SheetChangeText::Declare { seat: number, bid } => {
                SheetChange::Declare(Contract { declarer: seat(*number)?, bid: *bid })
            }
            SheetChangeText::Write { line } => SheetChange::Write(line.line()?),
            SheetChangeText::Edit { number, line } => {
                let at = number.checked_sub(1).ok_or("lines are counted from 1")?;
                SheetChange::Edit { line: at, to: line.line()? }
            }
            SheetChangeText::Rename { seat: number, name } => SheetChange::Rename {
                seat: seat(*number)?,
                name: name.parse().map_err(error_text)?,
            },
            SheetChangeText::Undo {} => SheetChange::Undo,
        })
    }
}

/// The first line of a sheet.
pub fn header_line(setup: &Setup) -> String {
    lines::line(&SheetHeader {
        ghinda_sheet: VERSION,
        rules: setup.rules.code(),
        names: setup.names.iter().map(ToString::to_string).collect(),
        dealer: setup.dealer.number(),
    })
}

/// The line of an entry.
pub fn entry_line(entry: &SheetEntry) -> String {
    lines::line(&SheetEntryLine {
        at: moment::text(entry.at),
        by: entry.by.as_ref().map(ToString::to_string),
        change: SheetChangeText::of(&entry.change),
    })
}

/// A sheet as JSON lines.
pub fn to_lines(sheet: &Sheet) -> String {
    header_line(sheet.setup()) + &sheet.log().iter().map(entry_line).collect::<String>()
}

/// Reads a header; the sheet has no entries yet.
pub fn from_header<'a>(at: usize, line: impl Into<JsonLine<'a>>) -> Result<Sheet, LineFault> {
    header(lines::read(at, line)?).map_err(|what| line_fault(at, what))
}

/// Adds the entry of a line to a sheet, if it is valid.
pub fn add_line<'a>(
    sheet: &mut Sheet,
    at: usize,
    line: impl Into<JsonLine<'a>>,
) -> Result<(), LineFault> {
    let entry = entry(lines::read(at, line)?).map_err(|what| line_fault(at, what))?;
    sheet.apply(entry).map_err(|refusal| line_fault(at, refusal))
}

/// Reads a sheet from JSON lines. Every change is checked again.
pub fn from_lines(text: &str) -> Result<Sheet, LineFault> {
    let mut lines = lines::numbered(text);
    let (at, first) =
        lines.next().ok_or_else(|| line_fault(1, "expected the header of a sheet"))?;
    let mut sheet = from_header(at, first)?;
    for (at, text) in lines.take(MAX_CHANGES + 1) {
        add_line(&mut sheet, at, text)?;
    }
    Ok(sheet)
}

fn header(header: SheetHeader) -> LineResult<Sheet> {
    check_version(header.ghinda_sheet, VERSION)?;
    let rules = Rules::from_code(&header.rules).map_err(error_text)?;
    let names: Result<_, _> = header.names.iter().map(|name| name.parse()).collect();
    let setup = Setup { rules, names: names.map_err(error_text)?, dealer: seat(header.dealer)? };
    Sheet::new(setup).map_err(error_text)
}

fn entry(line: SheetEntryLine) -> LineResult<SheetEntry> {
    let by = line.by.map(|name| name.parse()).transpose().map_err(error_text)?;
    let at = moment::parse(&line.at).ok_or("expected a moment such as 2026-11-16T09:30:00.250Z")?;
    Ok(SheetEntry { at, by, change: line.change.change()? })
}
