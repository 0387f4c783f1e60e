//! How a deal was scored, as a small table: a line for each side.

use phrases::Phrases;
use phrases::layout::{Columns, signed, total};

/// A side's line. What is `None` in every line has no column.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SideLine {
    /// The name of the side.
    pub name: String,
    /// Its score before the deal.
    pub before: Option<i32>,
    /// Its points in Cruce (C11).
    pub points: Option<u8>,
    /// How many of them are from calls (C10).
    pub calls: Option<u8>,
    /// Its promise in Cruce (C6).
    pub promise: Option<DeclarerPromise>,
    /// Its bid in whist (W4).
    pub bid: Option<u8>,
    /// The tricks it took in whist.
    pub took: Option<u8>,
    /// The change of its score (C11, C15, W6).
    pub change: Option<i16>,
    /// The prize (W7).
    pub prize: Option<i16>,
    /// Its runs of right and wrong bids, before and after (W7).
    pub runs: Option<(i8, i8)>,
    /// Its score after the deal.
    pub total: Option<i32>,
}

/// The promise of the declarer's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeclarerPromise {
    /// The bid.
    pub bid: u8,
    /// The points that the bid promises.
    pub points: u16,
    /// Whether it was kept.
    pub kept: bool,
}

/// The table as lines of text after `indent`.
pub fn table(phrases: &Phrases, lines: &[SideLine], indent: &str) -> Vec<String> {
    let all = columns(phrases);
    let shown: Vec<&Column> = all
        .iter()
        .filter(|column| lines.iter().any(|line| (column.cell)(line).is_some()))
        .collect();
    let alignment: String = shown.iter().map(|column| column.side).collect();
    let mut table = Columns::new(&format!("<{alignment}"));
    table.row(std::iter::once(String::new()).chain(shown.iter().map(|c| c.title.clone())));
    for line in lines {
        let cells = shown.iter().map(|column| (column.cell)(line).unwrap_or_default());
        table.row(std::iter::once(line.name.clone()).chain(cells));
    }
    table.lines(indent, 3)
}

struct Column<'a> {
    title: String,
    side: char,
    cell: CellText<'a>,
}

/// The text of a line in a column.
type CellText<'a> = Box<dyn Fn(&SideLine) -> Option<String> + 'a>;

fn columns(phrases: &Phrases) -> Vec<Column<'_>> {
    fn number<'a>(title: String, cell: impl Fn(&SideLine) -> Option<String> + 'a) -> Column<'a> {
        Column { title, side: '>', cell: Box::new(cell) }
    }
    let promise = |promise: DeclarerPromise| {
        let bid = phrases.bid_word(promise.bid);
        match (promise.bid, promise.kept) {
            (0, _) => "–".into(),
            (_, true) => phrases.bid_made(bid, promise.points),
            (_, false) => phrases.bid_failed(bid, promise.points),
        }
    };
    // Without a prize the cell is empty.
    let prize = |prize: i16| if prize == 0 { String::new() } else { signed(prize.into()) };
    vec![
        number(phrases.column_before(), |line| line.before.map(total)),
        number(phrases.column_cards(), |line| Some((line.points? - line.calls?).to_string())),
        number(phrases.column_calls(), |line| line.calls.map(|calls| calls.to_string())),
        number(phrases.column_points(), |line| line.points.map(|points| points.to_string())),
        Column {
            title: phrases.column_bid("cruce"),
            side: '<',
            cell: Box::new(move |line| line.promise.map(promise)),
        },
        number(phrases.column_bid("whist"), |line| line.bid.map(|bid| bid.to_string())),
        number(phrases.column_took(), |line| line.took.map(|took| took.to_string())),
        number(phrases.column_score(), |line| line.change.map(|change| signed(change.into()))),
        number(phrases.column_prize(), move |line| line.prize.map(prize)),
        number(phrases.column_run(), |line| {
            let (before, after) = line.runs?;
            Some(format!("{} → {}", signed(before.into()), signed(after.into())))
        }),
        number(phrases.column_total(), |line| line.total.map(total)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use phrases::language::Language;

    #[test]
    fn a_table_has_only_the_columns_with_values() {
        let phrases = Phrases::new(Language::English);
        let line = |name: &str, bid, took, change: i16, total| SideLine {
            name: name.into(),
            bid: Some(bid),
            took: Some(took),
            change: Some(change),
            total: Some(total),
            ..SideLine::default()
        };
        let lines = [line("Ana", 1, 1, 6, 16), line("Bogdan", 0, 2, -2, -2)];
        assert_eq!(
            table(&phrases, &lines, "  ").join("\n"),
            "           bid   took   score   total\n  \
             Ana        1      1      +6      16\n  \
             Bogdan     0      2      −2      −2"
        );
    }
}
