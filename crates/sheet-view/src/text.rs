//! The score sheet of a real table in plain text.

use cards::{Seat, Side};
use contest::sheet::{NextInput, PageRow, Sheet, SheetLine};
use game::Rules;

use phrases::Phrases;
use phrases::layout::{Columns, shortened, signed, total};
use phrases::text_rows::SHORT_NAME;

/// The sheet: a row for each line, a column for each side, and the next entry.
pub fn sheet(phrases: &Phrases, sheet: &Sheet) -> Vec<String> {
    let sides: Vec<Side> = Side::first(sheet.rules().sides()).collect();
    let mut table = Columns::new(&format!("><<{}", ">".repeat(sides.len())));
    let heads = [phrases.sheet_line(), phrases.sheet_dealer(), phrases.sheet_what()];
    table
        .row(heads.into_iter().chain(sides.iter().map(|side| side_name(sheet, *side, SHORT_NAME))));
    for (number, row) in sheet.rows().iter().enumerate() {
        let head =
            [(number + 1).to_string(), name(sheet, row.dealer()), described(phrases, sheet, row)];
        table.row(head.into_iter().chain(sides.iter().map(|side| cell(sheet, row, *side))));
        for before in &row.before {
            let earlier = PageRow { line: *before, ..row.clone() };
            let text = format!("{} {}", phrases.sheet_before(), line(phrases, sheet, &earlier));
            table.row([String::new(), String::new(), text]);
        }
    }
    let mut lines = table.lines("", 2);
    lines.push(String::new());
    lines.extend(next(phrases, sheet));
    lines
}

fn name(sheet: &Sheet, seat: Seat) -> String {
    sheet
        .names()
        .get(seat.index())
        .map_or(String::new(), |name| shortened(name.as_str(), SHORT_NAME))
}

/// The players of a side.
fn side_name(sheet: &Sheet, side: Side, most: usize) -> String {
    let names: Vec<String> =
        sheet.names_of(side).map(|name| shortened(name.as_str(), most)).collect();
    names.join(" & ")
}

/// The text of a line, with a note if it does not count.
fn described(phrases: &Phrases, sheet: &Sheet, row: &PageRow) -> String {
    let text = line(phrases, sheet, row);
    if row.counts { text } else { format!("{text} ({})", phrases.sheet_not_counted()) }
}

/// The text of a line, without the scores.
pub(crate) fn line(phrases: &Phrases, sheet: &Sheet, row: &PageRow) -> String {
    match row.line {
        SheetLine::Cruce { contract, cards, calls } => {
            let bid = phrases.bid(sheet.rules(), contract.bid);
            let declared = phrases.sheet_declared(name(sheet, contract.declarer), bid);
            let points = cards.iter().zip(calls.iter()).map(|(cards, calls)| match calls {
                0 => cards.to_string(),
                calls => format!("{cards}+{calls}"),
            });
            format!("{declared}: {}", points.collect::<Vec<_>>().join(" – "))
        }
        SheetLine::Whist { bids, tricks } => {
            let pairs = bids.iter().zip(tricks.iter()).map(|(bid, took)| format!("{bid}/{took}"));
            pairs.collect::<Vec<_>>().join(" ")
        }
        SheetLine::AllPassed => phrases.sheet_thrown_in(),
        SheetLine::Revoke { seat } => phrases.sheet_revoke(name(sheet, seat)),
        SheetLine::Misdeal => phrases.sheet_misdeal(name(sheet, row.dealer())),
    }
}

/// The score of a side, and how the line changed it.
fn cell(sheet: &Sheet, row: &PageRow, side: Side) -> String {
    let score = total(row.total[side]);
    if !row.counts {
        return score;
    }
    let prize = match (sheet.rules(), row.prize[side]) {
        (Rules::Whist(_), prize) if prize != 0 => format!(" {}", signed(prize.into())),
        _ => String::new(),
    };
    format!("{score} ({}{prize})", signed(row.change[side].into()))
}

/// The next entry, or the winners.
fn next(phrases: &Phrases, sheet: &Sheet) -> Vec<String> {
    if let Some(won) = sheet.winners() {
        let sides = won.entries().filter(|(_, won)| **won);
        let names: Vec<String> = sides.map(|(side, _)| side_name(sheet, side, 40)).collect();
        return vec![phrases.sheet_won(phrases.list_and(&names))];
    }
    let Some(next) = sheet.next() else { return Vec::new() };
    let number = next.line + 1;
    match next.asks {
        NextInput::Contract => {
            vec![phrases.sheet_next_contract(
                number,
                name(sheet, next.dealer),
                name(sheet, next.first),
            )]
        }
        NextInput::Bid { seat, forbidden, .. } => {
            let who = name(sheet, seat);
            let question =
                phrases.sheet_next_bid(next.cards_each, number, name(sheet, next.dealer), who);
            let warning = forbidden.map(|bid| phrases.sheet_forbidden(bid));
            std::iter::once(question).chain(warning).collect()
        }
        NextInput::Result => vec![phrases.sheet_next_result(number)],
    }
}
