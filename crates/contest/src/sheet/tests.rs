//! What is undone and edited leads to the same page as if it had never been written, and costs as much as
//! the lines on the sheet, however long its log is.

use game::deal::{RandomStream, Seed};

use super::page::LINES_SCORED;
use super::*;

fn sheet(code: &str) -> Sheet {
    let rules = Rules::from_code(code).expect("a code");
    let names = ["Ana", "Ion", "Eva", "Dan", "Zoe", "Pop"];
    let names = names[..rules.players()].iter().map(|name| name.parse().expect("a name")).collect();
    Sheet::new(Setup { rules, names, dealer: Seat::default() }).expect("a sheet")
}

fn apply(sheet: &mut Sheet, change: SheetChange) -> Result<(), SheetRefusal> {
    sheet.apply(SheetEntry { at: 7, by: None, change })
}

/// The page that a list of changes leads to, by the plain definition: every line is written again after
/// every change.
fn plain_page(setup: &Setup, changes: &[SheetChange]) -> SheetPage {
    let mut page = SheetPage::new(setup);
    for change in changes {
        let SheetChange::Edit { line: at, to } = change else {
            page.write(setup, change);
            continue;
        };
        let mut edited = SheetPage::new(setup);
        for (number, row) in page.rows.iter().enumerate() {
            let line = if number == *at { *to } else { row.line };
            edited.write(setup, &SheetChange::Write(line));
            edited.rows[number].before = row.before.clone();
            if number == *at && row.line != *to {
                edited.rows[number].before.push(row.line);
            }
        }
        edited.names = page.names;
        if edited.won.is_none() {
            (edited.bids, edited.contract) = (page.bids, page.contract);
        }
        page = edited;
    }
    page
}

/// A line of the game, possible or not.
fn some_line(rules: &Rules, lots: &mut RandomStream) -> SheetLine {
    let declarer = Seat::new(lots.below(rules.players())).expect("a seat");
    match (rules, lots.below(9)) {
        (_, 0) => SheetLine::AllPassed,
        (_, 1) => SheetLine::Misdeal,
        (_, 2) => SheetLine::Revoke { seat: declarer },
        (Rules::Cruce(_), _) => {
            let mut cards = BySide::filled(0, rules.sides());
            cards[Side::new(lots.below(rules.sides())).expect("a side")] = 100;
            cards[Side::new(lots.below(rules.sides())).expect("a side")] += 20;
            let contract = Contract { declarer, bid: lots.below(4) as u8 };
            SheetLine::Cruce { contract, cards, calls: BySide::filled(0, rules.sides()) }
        }
        (Rules::Whist(_), _) => {
            let mut tricks = cards::BySeat::filled(0, rules.players());
            tricks[declarer] = if lots.below(2) == 0 { 1 } else { 8 };
            SheetLine::Whist {
                bids: cards::BySeat::filled(lots.below(2) as u8, tricks.len()),
                tricks,
            }
        }
    }
}

fn some_change(sheet: &Sheet, lots: &mut RandomStream) -> SheetChange {
    let rules = sheet.rules();
    let seat = Seat::new(lots.below(rules.players())).expect("a seat");
    match lots.below(12) {
        0 => SheetChange::Bid(lots.below(3) as u8),
        1 => SheetChange::Declare(Contract { declarer: seat, bid: 1 + lots.below(3) as u8 }),
        2 => SheetChange::Rename {
            seat,
            name: format!("P{}", lots.below(5)).parse().expect("a name"),
        },
        3..=5 => SheetChange::Undo,
        6..=8 => {
            let line = lots.below(sheet.rows().len() + 1);
            SheetChange::Edit { line, to: some_line(rules, lots) }
        }
        _ => SheetChange::Write(some_line(rules, lots)),
    }
}

#[test]
fn undone_and_edited_sheets_are_those_that_were_written_so_at_once() {
    let (mut undone, mut ended, mut reopened) = (0, 0, 0);
    for code in ["cruce2-2", "cruce3-11-redeal", "contest", "whist3", "whist4-818"] {
        for seed in 0..60 {
            let mut lots = RandomStream::new(Seed([9; 32]), seed);
            let (mut sheet, mut valid) = (sheet(code), Vec::new());
            for _ in 0..120 {
                let change = some_change(&sheet, &mut lots);
                let was_over = sheet.winners().is_some();
                if apply(&mut sheet, change.clone()).is_err() {
                    continue;
                }
                match change {
                    SheetChange::Undo => {
                        valid.pop();
                        undone += 1;
                    }
                    change => valid.push(change),
                }
                assert_eq!(sheet.page, plain_page(&sheet.setup, &valid), "{code} {seed}");
                ended += usize::from(!was_over && sheet.winners().is_some());
                reopened += usize::from(was_over && sheet.winners().is_none());
            }
        }
    }
    // The test has value only if every case occurs.
    assert!(undone > 2_000 && ended > 100 && reopened > 100, "{undone} {ended} {reopened}");
}

#[test]
fn a_change_costs_no_more_than_the_lines_on_the_sheet() {
    let mut sheet = sheet("contest");
    let misdeal = SheetChange::Write(SheetLine::Misdeal);
    (0..MAX_LINES).for_each(|_| apply(&mut sheet, misdeal.clone()).expect("written"));
    let revoke = |seat| SheetLine::Revoke { seat: Seat::new(seat % 4).expect("a seat") };
    let half = (MAX_CHANGES - MAX_LINES) / 2;
    for at in 0..half {
        apply(&mut sheet, SheetChange::Edit { line: 0, to: revoke(at) }).expect("edited");
    }
    for _ in 0..half {
        let before = LINES_SCORED.get();
        apply(&mut sheet, SheetChange::Undo).expect("undone");
        assert!(LINES_SCORED.get() - before <= MAX_LINES, "{}", LINES_SCORED.get() - before);
    }
    assert_eq!(sheet.log().len(), MAX_CHANGES);
    assert_eq!(sheet.page, plain_page(&sheet.setup, &vec![misdeal; MAX_LINES]));
}

#[test]
fn a_log_costs_as_much_again_when_it_is_twice_as_long() {
    let cost = |rounds: usize| {
        let mut sheet = sheet("contest");
        let before = LINES_SCORED.get();
        for round in 0..rounds {
            let line = SheetLine::Revoke { seat: Seat::new(round % 4).expect("a seat") };
            let rename =
                SheetChange::Rename { seat: Seat::default(), name: "Zoe".parse().expect("a name") };
            for change in [SheetChange::Write(line), rename, SheetChange::Undo] {
                apply(&mut sheet, change).expect("applied");
            }
        }
        LINES_SCORED.get() - before
    };
    assert_eq!([cost(75), cost(150), cost(300)], [75, 150, 300]);
}
