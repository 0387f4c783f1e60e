//! A sheet as a table for spreadsheets, with one row per line.

use cards::{Seat, Side};
use game::Rules;

use super::{PageRow, Sheet, SheetLine};
use crate::csv::{self, Csv};

/// The columns of each side.
const CRUCE: [&str; 4] = ["cards", "calls", "score", "total"];
const WHIST: [&str; 5] = ["bid", "tricks", "score", "prize", "total"];

pub(super) fn csv(sheet: &Sheet) -> String {
    let rules = sheet.rules();
    let sides: Vec<Side> = Side::first(rules.sides()).collect();
    let columns: &[&str] = match rules {
        Rules::Cruce(_) => &CRUCE,
        Rules::Whist(_) => &WHIST,
    };
    let mut headings: Vec<String> =
        ["line", "dealer", "first", "cards_each", "what", "by", "bid", "counts"]
            .map(String::from)
            .into();
    for side in &sides {
        let name = side_name(sheet, *side);
        headings.extend(columns.iter().map(|column| csv::name(&format!("{name} {column}"))));
    }
    let mut table = Csv::new(headings);
    for (number, row) in sheet.rows().iter().enumerate() {
        let mut cells = head(sheet, number, row);
        for side in &sides {
            cells.extend(of_side(row, *side));
        }
        table.row(cells);
    }
    table.text()
}

fn side_name(sheet: &Sheet, side: Side) -> String {
    sheet.names_of(side).map(ToString::to_string).collect::<Vec<_>>().join(" & ")
}

/// The first cells of a row: its number, the dealer and the kind of line.
fn head(sheet: &Sheet, number: usize, row: &PageRow) -> Vec<String> {
    let name = |seat: Seat| csv::name(sheet.names()[seat.index()].as_str());
    let (what, by, bid) = match row.line {
        SheetLine::Cruce { contract, .. } => {
            ("played", name(contract.declarer), contract.bid.to_string())
        }
        SheetLine::Whist { .. } => ("played", String::new(), String::new()),
        SheetLine::AllPassed => ("all passed", String::new(), String::new()),
        SheetLine::Revoke { seat } => ("revoke", name(seat), String::new()),
        SheetLine::Misdeal => ("misdeal", name(row.dealer()), String::new()),
    };
    let counts = if row.counts { "yes" } else { "no" };
    vec![
        (number + 1).to_string(),
        name(row.dealer()),
        name(row.first),
        row.cards_each.to_string(),
        what.into(),
        by,
        bid,
        counts.into(),
    ]
}

fn of_side(row: &PageRow, side: Side) -> Vec<String> {
    let score = row.change[side].to_string();
    let total = row.total[side].to_string();
    match row.line {
        SheetLine::Cruce { cards, calls, .. } => {
            vec![cards[side].to_string(), calls[side].to_string(), score, total]
        }
        SheetLine::Whist { bids, tricks } => {
            // In whist every seat is its own side.
            let seat = Seat::new(side.index()).unwrap_or_default();
            let (bid, tricks) = (bids[seat].to_string(), tricks[seat].to_string());
            vec![bid, tricks, score, row.prize[side].to_string(), total]
        }
        SheetLine::AllPassed | SheetLine::Revoke { .. } | SheetLine::Misdeal => {
            vec![String::new(), String::new(), score, total]
        }
    }
}
