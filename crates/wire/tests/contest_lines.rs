//! Contests and sheets as JSON lines: they are read back unchanged, and errors name the line.
#![allow(missing_docs, reason = "tests name themselves")]

use cards::{BySeat, BySide, Seat, Side};
use contest::sheet::{self, Setup, Sheet, SheetLine};
use contest::urn;
use contest::{
    ContestChange, ContestSettings, ContestTableId, EntrantId, MatchOutcome, Party, Role, Venue,
};
use game::Rules;
use game::cruce::{Contract, Penalty};
use game::fair::Secret;
use wire::contest::export::ContestExport;
use wire::contest::{ContestChangeText, ContestLog};
use wire::sheet::{SheetChangeText, from_lines, to_lines};

fn seat(number: usize) -> Seat {
    Seat::new(number - 1).expect("a seat")
}

fn cruce_line() -> SheetLine {
    SheetLine::Cruce {
        contract: Contract { declarer: seat(2), bid: 1 },
        cards: BySide::from_slice(&[60, 60, 0, 0]).expect("four"),
        calls: BySide::from_slice(&[0, 40, 0, 0]).expect("four"),
    }
}

fn whist_line() -> SheetLine {
    let bids = BySeat::from_slice(&[1, 1, 0]).expect("three");
    SheetLine::Whist { bids, tricks: BySeat::from_slice(&[0, 1, 0]).expect("three") }
}

/// Every kind of change of a sheet.
fn sheet_changes() -> Vec<sheet::SheetChange> {
    use sheet::SheetChange;
    let lines = [
        cruce_line(),
        whist_line(),
        SheetLine::AllPassed,
        SheetLine::Revoke { seat: seat(3) },
        SheetLine::Misdeal,
    ];
    let mut all: Vec<SheetChange> = lines.iter().map(|line| SheetChange::Write(*line)).collect();
    all.extend(lines.iter().map(|line| SheetChange::Edit { line: 4, to: *line }));
    all.push(SheetChange::Bid(8));
    all.push(SheetChange::Declare(Contract { declarer: seat(4), bid: 6 }));
    all.push(SheetChange::Rename {
        seat: seat(1), name: "Zoe \"Z\" Țap".parse().expect("a name")
    });
    all.push(SheetChange::Undo);
    all
}

fn settings(venue: Venue) -> ContestSettings {
    let rules = Rules::from_code("contest").expect("rules");
    let (title, word) = ("Cupa satului".parse().expect("a name"), "cupa".parse().expect("a word"));
    ContestSettings::new(title, word, rules, venue).expect("settings")
}

/// Every kind of change of a contest.
fn changes() -> Vec<ContestChange> {
    let name = |name: &str| name.parse().expect("a name");
    let pair = Party::Pair(name("Ana"), name("Dan"));
    let table = ContestTableId { phase: 1, table: 30 };
    let entrant = EntrantId::new(6).expect("an entrant");
    let scores = BySide::from_slice(&[21, -3, 0, 7]).expect("four");
    let secret = Secret::from_phrase("lines");
    let mut all = vec![
        ContestChange::Settings(settings(Venue::Online)),
        ContestChange::Enter(vec![Party::Alone(name("Ana")), pair.clone()]),
        ContestChange::Rename { entrant, party: pair },
        ContestChange::Withdraw { entrant },
        ContestChange::Return { entrant },
        ContestChange::Commit(urn::commitment(&settings(Venue::Hall), 0, &secret)),
        ContestChange::Draw { secret, words: vec!["banana".parse().expect("a word")] },
        ContestChange::Open { table, server_table: "7rk2m0q9xw".parse().expect("a word") },
        ContestChange::Report { table, outcome: MatchOutcome::played(scores) },
        ContestChange::Rule { table, outcome: MatchOutcome::broken_off(scores) },
        ContestChange::Penalise { table, place: Side::default(), penalty: Penalty::Revoke },
        ContestChange::Penalise { table, place: Side::default(), penalty: Penalty::Misdeal },
        ContestChange::Pardon { table, penalty: 0 },
        ContestChange::PlayOff { table, scores },
        ContestChange::Reopen { phase: 0 },
        ContestChange::Close { phase: 0 },
        ContestChange::Import,
    ];
    all.extend(
        sheet_changes().into_iter().map(|change| ContestChange::WriteSheet { table, change }),
    );
    all
}

#[test]
fn every_change_is_read_back() {
    for change in changes() {
        let text = serde_json::to_string(&ContestChangeText::of(&change)).expect("JSON");
        let read: ContestChangeText = serde_json::from_str(&text).expect(&text);
        assert_eq!(read.change(), Ok(change), "{text}");
    }
    for change in sheet_changes() {
        let text = serde_json::to_string(&SheetChangeText::of(&change)).expect("JSON");
        let read: SheetChangeText = serde_json::from_str(&text).expect(&text);
        assert_eq!(read.change(), Ok(change), "{text}");
    }
}

/// A small contest with a drawn phase, a sheet and a dispute, which a server took over before the last
/// report.
fn played() -> ContestLog {
    let mut log = ContestLog::new(settings(Venue::Hall));
    let mut act = |by, change| {
        let at = 1_794_821_400_000 + 1000 * log.entries.len() as u64;
        let entry = log.contest.decide(at, by, change).expect("a permitted change");
        log.contest.apply(&entry).expect("a valid entry");
        log.entries.push(entry);
    };
    let party = |name: &&str| Party::Alone(name.parse().expect("a name"));
    let names = ["Ana", "Bogdan", "Călin", "Dana", "Ana", "Florica", "Gelu"];
    act(Role::Organiser, ContestChange::Enter(names.iter().map(party).collect()));
    let secret = Secret::from_phrase("lines");
    act(
        Role::Organiser,
        ContestChange::Commit(urn::commitment(&settings(Venue::Hall), 0, &secret)),
    );
    let words = vec!["banana".parse().expect("a word")];
    act(Role::Organiser, ContestChange::Draw { secret, words });
    let [a, b] = [0, 1].map(|table| ContestTableId { phase: 0, table });
    act(
        Role::Referee(a),
        ContestChange::WriteSheet { table: a, change: sheet::SheetChange::Write(cruce_line()) },
    );
    let outcome = |scores: &[i32]| MatchOutcome::played(BySide::from_slice(scores).expect("a few"));
    act(Role::Referee(b), ContestChange::Report { table: b, outcome: outcome(&[21, 3, 4]) });
    act(Role::Organiser, ContestChange::Report { table: b, outcome: outcome(&[21, 3, 5]) });
    act(Role::Server, ContestChange::Import);
    act(Role::Organiser, ContestChange::Report { table: b, outcome: outcome(&[21, 3, 6]) });
    log
}

#[test]
fn a_contest_is_written_and_read() {
    let log = played();
    let text = log.to_lines();
    assert_eq!(ContestLog::from_lines(&text).expect("a contest"), log);
    let first = r#"{"ghinda_contest":1,"title":"Cupa satului","word":"cupa","rules":"cruce4s-21-m1-b4-on3-nobeat-noothers","venue":"hall"}"#;
    assert_eq!(text.lines().next(), Some(first));
    let second = r#"{"at":"2026-11-16T09:30:00.000Z","by":"organiser","did":"admit","entrants":["Ana","Bogdan","Călin","Dana","Ana","Florica","Gelu"]}"#;
    assert_eq!(text.lines().nth(1), Some(second));
    let kept = r#"{"at":"2026-11-16T09:30:03.000Z","by":"referee 1A","did":"keep","table":"1A","sheet":{"did":"write","line":{"cruce":{"declarer":2,"bid":1,"cards":[60,60,0,0],"calls":[0,40,0,0]}}}}"#;
    assert_eq!(text.lines().nth(4), Some(kept));
    let imported = r#"{"at":"2026-11-16T09:30:06.000Z","by":"house","did":"import"}"#;
    assert_eq!(text.lines().nth(7), Some(imported));
}

#[track_caller]
fn check_fault(from: &str, to: &str, fault: &str) {
    let text = played().to_lines();
    assert!(text.contains(from), "{from}");
    let found = ContestLog::from_lines(&text.replacen(from, to, 1)).expect_err(to);
    assert!(found.to_string().starts_with(fault), "{found}");
}

#[test]
fn a_forged_contest_is_refused_with_its_line() {
    check_fault(
        "\"ghinda_contest\":1",
        "\"ghinda_contest\":2",
        "line 1, column 1: expected version 1, found 2",
    );
    check_fault("\"venue\":\"hall\"", "\"venue\":\"moon\"", "line 1, column");
    check_fault("\"venue\":\"hall\"", "\"venue\":\"hall\",\"colour\":1", "line 1, column");
    check_fault(
        "\"commitment\":\"",
        "\"commitment\":\"0",
        "line 3, column 1: 64 hexadecimal digits",
    );
    check_fault(
        "cruce4s-21",
        "cruce4s-20",
        "line 4, column 1: the secret does not belong to the commitment",
    );
    check_fault(
        "referee 1A",
        "referee 1B",
        "line 5, column 1: this may not be done with this role",
    );
    check_fault(
        "[60,60,0,0]",
        "[60,61,0,0]",
        "line 5, column 1: the cards are worth 120 points in all, not 121",
    );
    check_fault("[21,3,4]", "[21,3,4,4,4,4,4]", "line 6, column 1: 7 numbers are too many");
    check_fault("[21,3,4]", "[20,3,4]", "line 6, column 1: nobody has reached 21");
    check_fault("T09:30:05", "T09:61:05", "line 7, column 1: expected a moment");
    check_fault("\"did\":\"admit\"", "\"did\":\"admit\",\"colour\":1", "line 2, column");
    check_fault("\"did\":\"admit\"", "\"did\":\"dance\"", "line 2, column");
    check_fault(
        "\"did\":\"import\"",
        "\"did\":\"import\",\"of\":\"the server\"",
        "line 8, column 79: unknown field `of`",
    );
    check_fault(
        "\"by\":\"house\"",
        "\"by\":\"organiser\"",
        "line 8, column 1: this may not be done with this role",
    );
    check_fault(
        "\"table\":\"1A\"",
        "\"table\":\"A1\"",
        "line 5, column 1: expected a table with its phase",
    );
    assert!(ContestLog::from_lines("").is_err());
}

#[test]
fn a_sheet_is_written_and_read() {
    let rules = Rules::from_code("whist3").expect("rules");
    let names = ["Ana", "Dan", "Zoe"].iter().map(|name| name.parse().expect("a name")).collect();
    let mut sheet = Sheet::new(Setup { rules, names, dealer: seat(3) }).expect("a sheet");
    for change in [
        sheet::SheetChange::Bid(1),
        sheet::SheetChange::Write(whist_line()),
        sheet::SheetChange::Edit {
            line: 0,
            to: SheetLine::Whist {
                bids: BySeat::filled(0, 3),
                tricks: BySeat::from_slice(&[1, 0, 0]).expect("three"),
            },
        },
        sheet::SheetChange::Undo,
        sheet::SheetChange::Bid(1),
    ] {
        let entry = sheet.decide(1_794_821_400_000, Some("Ana".parse().expect("a name")), change);
        sheet.apply(entry.unwrap_or_else(|refusal| panic!("{refusal}"))).expect("a valid entry");
    }
    let text = to_lines(&sheet);
    assert_eq!(from_lines(&text).expect("a sheet"), sheet);
    assert!(text.starts_with("{\"ghinda_sheet\":1,\"rules\":\"whist3\",\"names\":[\"Ana\",\"Dan\",\"Zoe\"],\"dealer\":3}\n"));
    let broken = from_lines(&text.replacen("\"tricks\":[0,1,0]", "\"tricks\":[0,1,1]", 1));
    assert_eq!(
        broken.expect_err("two tricks").to_string(),
        "line 3, column 1: there are 1 tricks in this deal, not 2"
    );
    let broken = from_lines(&text.replacen("\"undo\"", "\"undo\",\"number\":1", 1));
    let fault = broken.expect_err("an undo of a line").to_string();
    assert!(
        fault.starts_with("line 5, column") && fault.contains("unknown field `number`"),
        "{fault}"
    );
}

#[test]
fn the_view_has_the_computed_state() {
    let contest = played().contest;
    let view = ContestExport::of(&contest);
    assert_eq!((view.stage.as_str(), view.standings.len()), ("playing", 7));
    let status: Vec<&str> =
        view.phases[0].tables.iter().map(|table| table.status.as_str()).collect();
    assert_eq!(status, ["playing", "disputed"]);
    let reports = view.phases[0].tables[1].reports.iter().map(|report| report.imported);
    assert_eq!((view.imported, view.phases[0].imported), (Some(6), true));
    assert_eq!(reports.collect::<Vec<_>>(), [true, true, false]);
    let json = serde_json::to_string(&view).expect("JSON");
    assert_eq!(serde_json::from_str::<ContestExport>(&json).expect("a view"), view);
    assert!(json.contains("Ana (1)") && json.contains("Ana (2)"));
}
