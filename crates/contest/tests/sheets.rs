//! Score sheets: the worked examples of the rules, sums that must add up, and edited lines.
#![allow(missing_docs, reason = "tests name themselves")]

use cards::{BySeat, BySide, Seat, Side};
use contest::sheet::{NextInput, Setup, Sheet, SheetChange, SheetLine, SheetRefusal};
use game::cruce::Contract;
use game::deal::{Dealer, RandomStream, Seed};
use game::event::{Event, Events, OpenEvent, ThrownIn};
use game::record::Name;
use game::{Action, Illegal, Rules, Table};

fn seat(number: usize) -> Seat {
    Seat::new(number - 1).unwrap()
}

/// A sheet on which the last seat deals first, so that seat 1 bids first.
fn sheet(code: &str) -> Sheet {
    let rules = Rules::from_code(code).unwrap();
    let names = ["Ana", "Bogdan", "Călin", "Dana", "Emil", "Florica"];
    let names = names[..rules.players()].iter().map(|name| name.parse().unwrap()).collect();
    Sheet::new(Setup { rules, names, dealer: seat(rules.players()) }).unwrap()
}

#[track_caller]
fn write(sheet: &mut Sheet, change: SheetChange) {
    let entry = sheet.decide(7, None, change).unwrap();
    sheet.apply(entry).unwrap();
}

/// Checks that a change is refused and has no effect.
#[track_caller]
fn refuse(sheet: &mut Sheet, change: SheetChange, refusal: SheetRefusal) {
    let before = sheet.clone();
    assert_eq!(sheet.decide(7, None, change.clone()), Err(refusal));
    let entry = contest::sheet::SheetEntry { at: 7, by: None, change };
    assert_eq!(sheet.apply(entry), Err(refusal));
    assert_eq!(*sheet, before);
}

fn cruce(declarer: usize, bid: u8, cards: &[u8], calls: &[u8]) -> SheetLine {
    let contract = Contract { declarer: seat(declarer), bid };
    let each = |points| BySide::from_slice(points).unwrap();
    SheetLine::Cruce { contract, cards: each(cards), calls: each(calls) }
}

fn whist(bids: &[u8], tricks: &[u8]) -> SheetLine {
    let each = |numbers| BySeat::from_slice(numbers).unwrap();
    SheetLine::Whist { bids: each(bids), tricks: each(tricks) }
}

fn total(sheet: &Sheet) -> Vec<i32> {
    sheet.total().as_slice().to_vec()
}

#[test]
fn what_is_so_already_is_not_written_again() {
    let mut cruce_sheet = sheet("contest");
    let contract = Contract { declarer: seat(1), bid: 1 };
    let line = cruce(1, 1, &[40, 40, 40, 0], &[0, 0, 0, 0]);
    let rename = |name: &str| SheetChange::Rename { seat: seat(2), name: name.parse().unwrap() };
    // Each change, and whether it may follow itself.
    let changes = [
        (SheetChange::Declare(contract), false),
        (SheetChange::Write(line), true),
        (SheetChange::Edit { line: 0, to: cruce(1, 2, &[40, 40, 40, 0], &[0; 4]) }, false),
        (rename("Zoe"), false),
        (SheetChange::Undo, true),
    ];
    for (change, may_follow) in changes {
        write(&mut cruce_sheet, change.clone());
        let again = cruce_sheet.decide(7, None, change.clone());
        if may_follow {
            cruce_sheet.apply(again.unwrap()).unwrap();
        } else {
            assert_eq!(again, Err(SheetRefusal::Unchanged), "{change:?}");
        }
    }
    // As many players as like may bid the same.
    let mut whist_sheet = sheet("whist4-818");
    write(&mut whist_sheet, SheetChange::Bid(2));
    write(&mut whist_sheet, SheetChange::Bid(2));
    // Sheets of older versions hold such changes, and one that undoes them.
    let before = whist_sheet.names().to_vec();
    for change in [rename("Bogdan"), SheetChange::Undo] {
        let entry = contest::sheet::SheetEntry { at: 7, by: None, change };
        whist_sheet.apply(entry).unwrap();
    }
    assert_eq!((whist_sheet.names(), whist_sheet.bids()), (before.as_slice(), &[2, 2][..]));
}

/// The Romanian and the English rules show the same two deals, from 4–8 and from 6–8.
#[test]
fn cruce_scores_as_in_the_worked_example() {
    for (start, after) in [([4, 8], [[2, 9], [5, 9]]), ([6, 8], [[4, 9], [7, 9]])] {
        let mut sheet = sheet("classic");
        // As many deals of one or two points as lead to the first score of the example.
        while sheet.total()[Side::default()] < start[0] {
            write(&mut sheet, SheetChange::Write(cruce(1, 1, &[88, 32], &[0, 0])));
        }
        while total(&sheet)[1] < start[1] {
            write(&mut sheet, SheetChange::Write(cruce(2, 1, &[32, 88], &[0, 0])));
        }
        assert_eq!(total(&sheet), start);
        write(&mut sheet, SheetChange::Write(cruce(1, 2, &[64, 56], &[0, 0])));
        assert_eq!(total(&sheet), after[0]);
        write(&mut sheet, SheetChange::Write(cruce(3, 2, &[102, 18], &[0, 0])));
        assert_eq!(total(&sheet), after[1]);
    }
}

/// In contests a failed bid gives the others nothing (C11, 002).
#[test]
fn contests_score_as_in_the_worked_example() {
    let mut sheet = sheet("contest");
    write(&mut sheet, SheetChange::Write(cruce(2, 2, &[40, 60, 20, 0], &[0, 0, 0, 0])));
    assert_eq!(total(&sheet), [0, -2, 0, 0]);
    write(&mut sheet, SheetChange::Write(SheetLine::Revoke { seat: seat(3) }));
    assert_eq!(total(&sheet), [0, -2, -3, 0]);
    // The deal has passed on twice, from seat 4 to seat 2.
    assert_eq!(sheet.next().unwrap().dealer, seat(2));
    write(&mut sheet, SheetChange::Write(SheetLine::Misdeal));
    assert_eq!(total(&sheet), [0, -3, -3, 0]);
    assert_eq!(sheet.next().unwrap().dealer, seat(3));
}

/// Three bid and three taken score 8; one too few scores −1 and three too many −3 (W6).
#[test]
fn whist_scores_as_in_the_worked_example() {
    let mut sheet = sheet("whist3-818");
    write(&mut sheet, SheetChange::Write(whist(&[3, 3, 3], &[3, 2, 3])));
    assert_eq!(total(&sheet), [8, -1, 8]);
    write(&mut sheet, SheetChange::Write(whist(&[1, 3, 3], &[0, 6, 2])));
    assert_eq!(total(&sheet), [7, -4, 7]);
}

#[test]
fn five_right_bids_in_a_row_bring_a_prize() {
    let mut sheet = sheet("whist3-818");
    for _ in 0..3 {
        write(&mut sheet, SheetChange::Write(whist(&[8, 0, 1], &[8, 0, 0])));
    }
    write(&mut sheet, SheetChange::Write(whist(&[7, 0, 1], &[7, 0, 0])));
    assert_eq!(sheet.rows().last().unwrap().runs.as_slice(), [4, 4, -4]);
    write(&mut sheet, SheetChange::Write(whist(&[6, 0, 1], &[6, 0, 0])));
    let last = sheet.rows().last().unwrap();
    assert_eq!(last.prize.as_slice(), [10, 10, -10]);
    assert_eq!(last.total.as_slice(), [5 * 5 + 3 * 8 + 7 + 6 + 10, 5 * 5 + 10, -15]);
    // With one right bid less the prize is lost; the edited line keeps its earlier version.
    let was = sheet.rows()[1].line;
    write(&mut sheet, SheetChange::Edit { line: 1, to: whist(&[7, 0, 0], &[8, 0, 0]) });
    let last = sheet.rows().last().unwrap();
    assert_eq!(last.prize.as_slice(), [0, 10, 0]);
    assert_eq!(last.total.as_slice(), [4 * 5 + 2 * 8 + 7 + 6 - 1, 5 * 5 + 10, 5 - 4]);
    assert_eq!(sheet.rows()[1].before, [was]);
    write(&mut sheet, SheetChange::Undo);
    assert_eq!(sheet.rows().last().unwrap().prize.as_slice(), [10, 10, -10]);
    assert!(sheet.rows()[1].before.is_empty());
    assert_eq!(sheet.log().len(), 7);
}

#[test]
fn points_must_add_up() {
    let mut sheet = sheet("classic");
    let mut refuse_line = |line, refusal| refuse(&mut sheet, SheetChange::Write(line), refusal);
    refuse_line(cruce(1, 2, &[64, 57], &[0, 0]), SheetRefusal::CardsDoNotAddUp { found: 121 });
    refuse_line(cruce(1, 2, &[255, 255], &[0, 0]), SheetRefusal::CardsDoNotAddUp { found: 510 });
    let one = SheetRefusal::NoSuchPoints { side: Side::default(), points: 119 };
    refuse_line(cruce(1, 2, &[119, 1], &[0, 0]), one);
    refuse_line(cruce(1, 2, &[64, 56], &[10, 0]), SheetRefusal::NoSuchCalls);
    refuse_line(cruce(1, 2, &[64, 56], &[120, 0]), SheetRefusal::NoSuchCalls);
    refuse_line(cruce(1, 2, &[64, 56], &[80, 40]), SheetRefusal::NoSuchCalls);
    refuse_line(
        cruce(1, 7, &[64, 56], &[0, 0]),
        SheetRefusal::Bid(Illegal::BidTooHigh { most: 6 }),
    );
    refuse_line(cruce(2, 0, &[64, 56], &[0, 0]), SheetRefusal::OpenerDeclares { opener: seat(1) });
    refuse_line(cruce(5, 1, &[64, 56], &[0, 0]), SheetRefusal::NoSuchSeat);
    refuse_line(cruce(1, 1, &[64, 56, 0], &[0, 0, 0]), SheetRefusal::OtherSides { sides: 2 });
    refuse_line(SheetLine::AllPassed, SheetRefusal::OpenerDeclares { opener: seat(1) });
    refuse_line(whist(&[0; 4], &[0; 4]), SheetRefusal::OtherGame);
    write(&mut sheet, SheetChange::Write(cruce(1, 0, &[0, 120], &[0, 100])));
    assert_eq!(total(&sheet), [0, 6]);
}

#[test]
fn four_calls_of_twenty_are_impossible() {
    let mut sheet = sheet("contest");
    let line = |calls| SheetChange::Write(cruce(1, 1, &[40, 40, 40, 0], calls));
    refuse(&mut sheet, line(&[20, 20, 20, 20]), SheetRefusal::NoSuchCalls);
    write(&mut sheet, line(&[40, 20, 20, 20]));
}

#[test]
fn all_passed_is_written_as_the_rules_require() {
    let mut sheet = sheet("cruce3-11-redeal");
    let all_passed = cruce(1, 0, &[40, 40, 40], &[0, 0, 0]);
    refuse(&mut sheet, SheetChange::Write(all_passed), SheetRefusal::AllPassedIsThrownIn);
    write(&mut sheet, SheetChange::Write(SheetLine::AllPassed));
    assert_eq!(sheet.next().unwrap().dealer, seat(1));
    assert_eq!(total(&sheet), [0, 0, 0]);
}

#[test]
fn tricks_must_add_up_and_the_last_bid_is_restricted() {
    let mut sheet = sheet("whist4-818");
    for (bid, turn) in [(3, 1), (2, 2), (2, 3)] {
        let asks = sheet.next().unwrap().asks;
        assert!(
            matches!(asks, NextInput::Bid { seat, forbidden: None, .. } if seat.number() == turn)
        );
        write(&mut sheet, SheetChange::Bid(bid));
    }
    let next = sheet.next().unwrap();
    assert!(
        matches!(next.asks, NextInput::Bid { forbidden: Some(1), legal, .. } if legal.len() == 8)
    );
    refuse(&mut sheet, SheetChange::Bid(1), SheetRefusal::Bid(Illegal::SumForbidden { bid: 1 }));
    refuse(&mut sheet, SheetChange::Bid(9), SheetRefusal::Bid(Illegal::BidTooHigh { most: 8 }));
    write(&mut sheet, SheetChange::Bid(0));
    assert_eq!(sheet.next().unwrap().asks, NextInput::Result);
    refuse(&mut sheet, SheetChange::Bid(0), SheetRefusal::Bid(Illegal::NotBidding));
    let short = SheetRefusal::TricksDoNotAddUp { found: 7, cards: 8 };
    refuse(&mut sheet, SheetChange::Write(whist(&[3, 2, 2, 0], &[3, 2, 2, 0])), short);
    refuse(
        &mut sheet,
        SheetChange::Write(whist(&[3, 2, 2, 2], &[3, 2, 2, 1])),
        SheetRefusal::OtherBids,
    );
    refuse(&mut sheet, SheetChange::Write(SheetLine::Misdeal), SheetRefusal::NoPenalties);
    write(&mut sheet, SheetChange::Write(whist(&[3, 2, 2, 0], &[3, 2, 2, 1])));
    assert_eq!(total(&sheet), [8, 7, 7, -1]);
    // The next seat bids first, and the old bids are gone.
    assert_eq!((sheet.next().unwrap().first, sheet.bids().len()), (seat(2), 0));
}

#[test]
fn undo_takes_back_one_change_after_the_other() {
    let mut sheet = sheet("whist3");
    let empty = sheet.clone();
    write(&mut sheet, SheetChange::Bid(1));
    write(&mut sheet, SheetChange::Rename { seat: seat(2), name: "Zoe".parse().unwrap() });
    write(&mut sheet, SheetChange::Undo);
    assert_eq!((sheet.names(), sheet.bids()), (empty.names(), &[1][..]));
    write(&mut sheet, SheetChange::Undo);
    assert_eq!((sheet.next(), sheet.rows()), (empty.next(), empty.rows()));
    refuse(&mut sheet, SheetChange::Undo, SheetRefusal::NothingToUndo);
    assert_eq!(sheet.log().len(), 4);
    refuse(
        &mut sheet,
        SheetChange::Edit { line: 0, to: whist(&[0; 3], &[1, 0, 0]) },
        SheetRefusal::NoSuchLine,
    );
}

#[test]
fn a_changed_line_may_end_the_match_earlier() {
    let mut sheet = sheet("cruce2-2");
    write(&mut sheet, SheetChange::Write(cruce(1, 1, &[60, 60], &[0, 0])));
    write(&mut sheet, SheetChange::Write(cruce(2, 1, &[60, 60], &[0, 0])));
    write(&mut sheet, SheetChange::Write(cruce(1, 1, &[64, 56], &[0, 0])));
    write(&mut sheet, SheetChange::Declare(Contract { declarer: seat(2), bid: 1 }));
    assert_eq!(sheet.winners(), None);
    write(&mut sheet, SheetChange::Edit { line: 0, to: cruce(1, 1, &[118, 2], &[0, 0]) });
    assert_eq!(sheet.winners().unwrap().as_slice(), [true, false]);
    let counts: Vec<bool> = sheet.rows().iter().map(|row| row.counts).collect();
    assert_eq!((counts, total(&sheet)), (vec![true, false, false], vec![3, 0]));
    assert_eq!((sheet.contract(), sheet.next()), (None, None));
    assert_eq!(sheet.score_history().count(), 2);
    refuse(
        &mut sheet,
        SheetChange::Write(cruce(1, 1, &[60, 60], &[0, 0])),
        SheetRefusal::MatchOver,
    );
    write(&mut sheet, SheetChange::Undo);
    assert_eq!(total(&sheet), [3, 3]);
    assert!(sheet.contract().is_some() && sheet.winners().is_none());
}

#[test]
fn the_csv_has_every_line() {
    let mut sheet = sheet("classic");
    write(&mut sheet, SheetChange::Rename { seat: seat(1), name: "=Ana, \"A\"".parse().unwrap() });
    write(&mut sheet, SheetChange::Write(cruce(1, 2, &[64, 56], &[20, 0])));
    write(&mut sheet, SheetChange::Write(SheetLine::Misdeal));
    let csv = sheet.to_csv();
    let lines: Vec<&str> = csv.split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].contains("\"'=Ana, \"\"A\"\" & Călin cards\""), "{csv}");
    let played =
        "1,Dana,\"'=Ana, \"\"A\"\"\",6,played,\"'=Ana, \"\"A\"\"\",2,yes,64,20,2,2,56,0,1,1";
    assert_eq!(lines[1], played);
    assert_eq!(
        lines[2],
        "2,\"'=Ana, \"\"A\"\"\",Bogdan,6,misdeal,\"'=Ana, \"\"A\"\"\",,yes,,,-1,1,,,0,1"
    );
}

/// A match of the software with a sheet kept beside it.
struct KeptMatch {
    table: Table,
    sheet: Sheet,
    calls: BySide<u8>,
    contract: Option<Contract>,
    bids: BySeat<u8>,
}

impl KeptMatch {
    fn new(rules: Rules, names: Vec<Name>, first: Seat) -> KeptMatch {
        let setup = Setup { rules, names, dealer: first.previous(rules.players()) };
        KeptMatch {
            table: Table::new(rules, first),
            sheet: Sheet::new(setup).unwrap(),
            calls: BySide::filled(0, rules.sides()),
            contract: None,
            bids: BySeat::filled(0, rules.players()),
        }
    }

    /// The events of the next deal or of a random action.
    fn next_events(&self, dealer: &Dealer, lots: &mut RandomStream) -> Events {
        let (table, sheet) = (&self.table, &self.sheet);
        if table.wants_deal() {
            let (number, first) = (table.public().number(), table.public().first());
            assert_eq!(sheet.next().map(|next| (next.line, next.first)), Some((number, first)));
            return table.deal(dealer.deal(number, first).unwrap()).unwrap();
        }
        let waiting = Seat::first(table.rules().players())
            .find(|seat| !table.public().actions(*seat, table.hand(*seat)).is_empty());
        let seat = table.public().turn().or(waiting).unwrap();
        let actions = table.public().actions(seat, table.hand(seat));
        // Low bids, so that matches end.
        let bound =
            if matches!(actions[0], Action::Bid(_)) { actions.len().min(2) } else { actions.len() };
        table.decide(seat, actions[lots.below(bound)]).unwrap()
    }

    /// Writes what an event adds to the sheet before the end of a deal; returns the line at its end.
    fn write_event(&mut self, event: &Event) -> Option<SheetLine> {
        let rules = *self.table.rules();
        match event {
            Event::Open(OpenEvent::Bid { seat, bid }) => {
                self.bids[*seat] = *bid;
                if matches!(rules, Rules::Whist(_)) {
                    write(&mut self.sheet, SheetChange::Bid(*bid));
                }
                None
            }
            Event::Open(OpenEvent::Declared(declared)) => {
                self.contract = Some(*declared);
                write(&mut self.sheet, SheetChange::Declare(*declared));
                None
            }
            Event::Open(OpenEvent::Played { seat, call, .. }) => {
                self.calls[rules.side_of(*seat)] += call.unwrap_or(0);
                None
            }
            Event::Open(OpenEvent::Scored(score)) => Some(match rules {
                Rules::Cruce(_) => SheetLine::Cruce {
                    contract: self.contract.unwrap(),
                    cards: BySide::from_fn(rules.sides(), |side| {
                        score.points[side] - self.calls[side]
                    }),
                    calls: self.calls,
                },
                Rules::Whist(_) => {
                    let tricks = BySeat::from_slice(score.points.as_slice()).unwrap();
                    SheetLine::Whist { bids: self.bids, tricks }
                }
            }),
            Event::Open(OpenEvent::ThrownIn { why, .. }) => Some(match why {
                ThrownIn::AllPassed => SheetLine::AllPassed,
                ThrownIn::Revoke { seat } => SheetLine::Revoke { seat: *seat },
            }),
            _ => None,
        }
    }
}

/// Plays a whole match of the software with a sheet beside it: every deal that can be played can be
/// written down, and leads to the same scores, prizes and winners.
fn play_with_sheet(code: &str, seed: u8) {
    let rules = Rules::from_code(code).unwrap();
    let (dealer, mut lots) =
        (Dealer::new(rules, Seed([seed; 32])), RandomStream::new(Seed([seed; 32]), 999));
    let names = sheet(code).names().to_vec();
    let mut kept = KeptMatch::new(rules, names, dealer.first_seat());
    while !kept.table.is_over() && kept.sheet.rows().len() < 200 {
        for event in &kept.next_events(&dealer, &mut lots) {
            kept.table.apply(event).unwrap();
            if let Some(line) = kept.write_event(event) {
                write(&mut kept.sheet, SheetChange::Write(line));
                assert_eq!(kept.sheet.total(), *kept.table.public().score(), "{code} {seed}");
                kept.calls = BySide::filled(0, rules.sides());
            }
        }
    }
    assert_eq!(kept.sheet.winners().is_some(), kept.table.is_over(), "{code} {seed}");
}

#[test]
fn every_match_of_the_software_can_be_written_down() {
    for code in [
        "cruce2",
        "cruce3-11-redeal",
        "classic",
        "contest",
        "contest3-15-honour",
        "whist3",
        "whist6-818-p5",
    ] {
        (0..20).for_each(|seed| play_with_sheet(code, seed));
    }
}
