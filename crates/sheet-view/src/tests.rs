//! Views of sheets that are entered line by line.

use cards::{BySeat, BySide};
use contest::sheet::{Setup, SheetEntry};
use game::cruce::Contract;

use super::*;
use phrases::language::Language;

fn sheet(code: &str) -> Sheet {
    let rules = Rules::from_code(code).unwrap();
    let names = ["Ana", "Bogdan", "Călin", "Dana", "Emil", "Florentina-Alexandra"];
    let names = names[..rules.players()].iter().map(|name| name.parse().unwrap()).collect();
    Sheet::new(Setup { rules, names, dealer: seat(rules.players() - 1) }).unwrap()
}

fn seat(at: usize) -> Seat {
    Seat::new(at).unwrap()
}

fn side(at: usize) -> Side {
    Side::new(at).unwrap()
}

fn apply(sheet: &mut Sheet, change: SheetChange) {
    sheet.apply(SheetEntry { at: 0, by: None, change }).unwrap();
}

fn deal(declarer: usize, bid: u8, cards: &[u8], calls: &[u8]) -> SheetLine {
    SheetLine::Cruce {
        contract: Contract { declarer: seat(declarer), bid },
        cards: BySide::from_slice(cards).unwrap(),
        calls: BySide::from_slice(calls).unwrap(),
    }
}

fn whist(bids: &[u8], tricks: &[u8]) -> SheetLine {
    let (bids, tricks) = (BySeat::from_slice(bids).unwrap(), BySeat::from_slice(tricks).unwrap());
    SheetLine::Whist { bids, tricks }
}

fn english() -> Phrases {
    Phrases::new(Language::English)
}

/// C11's examples: 64 points are not two, 102 are three.
#[test]
fn a_line_of_cruce_shows_the_bid_and_the_points() {
    let mut sheet = sheet("classic");
    apply(&mut sheet, SheetChange::Write(deal(0, 2, &[64, 56], &[0, 0])));
    apply(&mut sheet, SheetChange::Write(deal(1, 2, &[38, 82], &[0, 20])));
    apply(&mut sheet, SheetChange::Write(SheetLine::Misdeal));
    let view = SheetView::new(&sheet, &english());
    assert_eq!(view.columns, ["Ana & Călin", "Bogdan & Dana"]);
    let [first, second, third, next] = &view.rows[..] else { panic!("{view:#?}") };
    assert_eq!((first.head.as_str(), first.what.as_str()), ("1", "Ana"));
    assert_eq!((first.cells[0].bid, first.cells[0].kept), (Some(2), Some(false)));
    assert_eq!((first.cells[0].change.as_str(), first.cells[0].total.as_str()), ("−2", "−2"));
    assert_eq!(first.cells[1].bid, None);
    assert_eq!(second.cells[1].made, "82+20");
    assert_eq!(second.cells[1].kept, Some(true));
    assert_eq!((third.what.as_str(), third.dealer.as_str()), ("wrong deal", "Bogdan"));
    let changes: Vec<&str> = third.cells.iter().map(|cell| cell.change.as_str()).collect();
    assert_eq!(changes, ["", "−1"]);
    assert_eq!(next.state, LineState::Begun);
    assert_eq!(view.standing(), "Ana & Călin −1, Bogdan & Dana 3");
}

#[test]
fn a_changed_line_shows_its_earlier_version() {
    let mut sheet = sheet("classic");
    apply(&mut sheet, SheetChange::Write(deal(0, 2, &[64, 56], &[0, 0])));
    apply(&mut sheet, SheetChange::Write(deal(1, 1, &[60, 60], &[0, 0])));
    let before = SheetView::new(&sheet, &english());
    apply(&mut sheet, SheetChange::Edit { line: 0, to: deal(0, 2, &[66, 54], &[0, 0]) });
    let after = SheetView::new(&sheet, &english());
    let earlier = &after.rows[0].before[0];
    assert_eq!(
        (earlier.what.as_str(), &earlier.cells[..]),
        ("Ana 2", &["64".into(), "56".into()][..])
    );
    assert_eq!([&before.totals[0], &after.totals[0]], ["−1", "3"]);
    assert_eq!(undo(&sheet, &english()).unwrap(), "Undo the change of line 1");
}

#[test]
fn whist_has_all_its_lines_from_the_start() {
    let mut sheet = sheet("whist4");
    let view = SheetView::new(&sheet, &english());
    let heads: Vec<&str> = view.rows.iter().map(|row| row.head.as_str()).collect();
    assert_eq!(heads.len(), 24);
    assert_eq!(heads[..6], ["1", "1", "1", "1", "2", "3"]);
    assert!(view.runs.is_empty());
    // Ana is first; the last player may not make the sum of the bids 1.
    for bid in [0, 1, 0] {
        apply(&mut sheet, SheetChange::Bid(bid));
    }
    let prompt = SheetPrompt::new(&sheet, &english()).unwrap();
    assert_eq!(prompt.question, "What does Dana bid?");
    assert_eq!(prompt.forbidden.as_deref(), Some("Not 0: the bids would add up to the tricks."));
    assert_eq!(prompt.said.as_deref(), Some("Bid so far: 1, of one trick."));
    let begun = &SheetView::new(&sheet, &english()).rows[0];
    assert_eq!(
        begun.cells.iter().map(|cell| cell.bid).collect::<Vec<_>>(),
        [Some(0), Some(1), Some(0), None]
    );
    apply(&mut sheet, SheetChange::Bid(1));
    apply(&mut sheet, SheetChange::Write(whist(&[0, 1, 0, 1], &[0, 1, 0, 0])));
    let view = SheetView::new(&sheet, &english());
    let kept: Vec<_> = view.rows[0].cells.iter().map(|cell| cell.kept).collect();
    assert_eq!(kept, [Some(true), Some(true), Some(true), Some(false)]);
    // Deals of one card do not count towards a run (W7).
    assert_eq!(view.runs, ["–"; 4]);
}

#[test]
fn the_points_of_the_last_side_are_computed() {
    let mut sheet = sheet("classic");
    apply(&mut sheet, SheetChange::Declare(Contract { declarer: seat(0), bid: 2 }));
    let mut draft = Draft::next(&sheet);
    assert!(draft.check(&sheet, &english()).change.is_err());
    draft.type_points(side(0), "64");
    assert_eq!(draft.cards[1], PointsField { text: "56".into(), filled: true });
    draft.step_calls(side(0), true);
    let check = draft.check(&sheet, &english());
    assert_eq!(check.hint, "Ana & Călin +2 · Bogdan & Dana +1");
    assert_eq!(check.change, Ok(SheetChange::Write(deal(0, 2, &[64, 56], &[20, 0]))));
    // Different points for the other side do not add up.
    draft.type_points(side(1), "57");
    let check = draft.check(&sheet, &english());
    assert_eq!(check.hint, "The cards are worth 120 points together, not 121 (C1).");
    assert!(check.wrong && check.change.is_err());
    draft.type_points(side(1), "");
    assert_eq!(draft.cards[0].text, "64");
    draft.type_points(side(0), "640 points");
    assert!(draft.check(&sheet, &english()).change.is_err());
    for (at, text) in [(0, "12"), (1, "3x")] {
        draft.type_points(side(at), text);
    }
    assert_eq!(draft.cards[1].text, "3");
}

#[test]
fn the_fourth_of_four_sides_is_computed_after_every_change() {
    let mut sheet = sheet("contest");
    apply(&mut sheet, SheetChange::Declare(Contract { declarer: seat(0), bid: 1 }));
    let mut draft = Draft::next(&sheet);
    for (at, text) in [(0, "50"), (2, "30"), (1, "30")] {
        draft.type_points(side(at), text);
    }
    assert_eq!(draft.cards[3], PointsField { text: "10".into(), filled: true });
    draft.type_points(side(1), "31");
    assert_eq!(draft.cards[3].text, "9");
    draft.type_points(side(1), "");
    assert_eq!(draft.cards[3].text, "", "it cannot be computed any more");
    draft.type_points(side(1), "90");
    let check = draft.check(&sheet, &english());
    assert_eq!(draft.cards[3].text, "");
    assert!(check.change.is_err());
}

#[test]
fn tricks_start_at_the_bids_and_must_add_up() {
    let mut sheet = sheet("whist3");
    for _ in 0..3 {
        let first = sheet.next().unwrap().first;
        let mut tricks = [0; 3];
        tricks[first.index()] = 1;
        apply(&mut sheet, SheetChange::Write(whist(&[0, 0, 0], &tricks)));
    }
    for bid in [1, 0, 0] {
        apply(&mut sheet, SheetChange::Bid(bid));
    }
    let mut draft = Draft::next(&sheet);
    assert_eq!(draft.tricks, [1, 0, 0]);
    let check = draft.check(&sheet, &english());
    assert_eq!(check.hint, "One trick is left to give.");
    assert_eq!(check.change, Err("There are 2 tricks in this deal, not 1 (W5).".into()));
    draft.step_tricks(seat(2), true, 2);
    let check = draft.check(&sheet, &english());
    assert_eq!(check.hint, "Ana +6 · Bogdan +5 · Călin −1");
    assert_eq!(check.change, Ok(SheetChange::Write(whist(&[1, 0, 0], &[1, 0, 1]))));
    draft.step_tricks(seat(2), true, 2);
    draft.step_tricks(seat(2), true, 2);
    assert_eq!(draft.check(&sheet, &english()).hint, "There is one trick too many.");
}

#[test]
fn any_line_can_be_edited() {
    let mut sheet = sheet("cruce4s-21-redeal");
    let lines = [
        deal(0, 2, &[64, 56, 0, 0], &[20, 0, 0, 0]),
        SheetLine::AllPassed,
        SheetLine::Revoke { seat: seat(2) },
        SheetLine::Misdeal,
    ];
    for line in lines {
        apply(&mut sheet, SheetChange::Write(line));
    }
    for (at, line) in lines.into_iter().enumerate() {
        let draft = Draft::of(&sheet, at).unwrap();
        let change = draft.check(&sheet, &english()).change;
        assert_eq!(change, Ok(SheetChange::Edit { line: at, to: line }));
    }
    assert_eq!(Draft::of(&sheet, 4), None);
    let mut draft = Draft::of(&sheet, 3).unwrap();
    draft.kind = DraftKind::Revoke;
    assert_eq!(draft.check(&sheet, &english()).hint, "Choose who.");
}

#[test]
fn a_chart_stays_in_its_frame_and_its_names_do_not_overlap() {
    let mut sheet = sheet("whist6");
    assert_eq!(Chart::new(&sheet), None);
    for _ in 0..6 {
        let next = sheet.next().unwrap();
        let mut tricks = [0; 6];
        tricks[next.first.index()] = 1;
        apply(&mut sheet, SheetChange::Write(whist(&[0; 6], &tricks)));
    }
    let chart = Chart::new(&sheet).unwrap();
    assert_eq!(chart.tracks.len(), 6);
    let mut labels: Vec<f32> = chart.tracks.iter().map(|track| track.label).collect();
    labels.sort_by(f32::total_cmp);
    assert!(labels.windows(2).all(|two| two[1] - two[0] > 13.9), "{labels:?}");
    for track in &chart.tracks {
        assert_eq!(track.points.len(), 7);
        let is_inside = |(x, y): &(f32, f32)| (0.0..WIDTH).contains(x) && (0.0..HEIGHT).contains(y);
        assert!(track.points.iter().all(is_inside), "{track:?}");
        assert!((0.0..HEIGHT).contains(&track.label));
        assert!(track.name.chars().count() <= 12);
    }
    assert!(chart.levels.iter().any(|level| level.is_zero));
    assert!((2..=7).contains(&chart.levels.len()), "{:?}", chart.levels);
}

#[test]
fn a_finished_match_shows_the_winner_and_has_no_prompt() {
    let mut sheet = sheet("cruce2-1-m1");
    apply(&mut sheet, SheetChange::Write(deal(0, 2, &[70, 50], &[0, 0])));
    let view = SheetView::new(&sheet, &english());
    assert_eq!(view.end.as_deref(), Some("The match is over. Won by Ana."));
    assert_eq!(view.won, [true, false]);
    assert_eq!(SheetPrompt::new(&sheet, &english()), None);
    assert_eq!(view.rows.len(), 1);
}
