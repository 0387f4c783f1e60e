//! The stored form of every entry, compared with a file that older versions wrote.
//!
//! A log must stay readable for ever, so `entries.jsonl` only grows: a new kind of entry adds a
//! line, and no line changes.
#![allow(missing_docs, reason = "tests name themselves")]

use bots::Level;
use cards::{BySeat, Seat};
use game::Rules;
use game::fair::Secret;
use game::notation::ActionText;
use game::record::Name;
use ids::{Key, PlayerId, TableId};
use room::{
    ActedBy, ChatContent, Checkpoint, CheckpointSeat, DoneCommand, Entry, LoggedCommand,
    LoggedEntry, Opening, ShortFingerprint, log,
};
use wire::table::{Pace, Phrase, StandInReason, TableCommand};

const GOLDEN: &str = include_str!("entries.jsonl");

fn seat(number: usize) -> Seat {
    Seat::new(number - 1).expect("a seat")
}

fn player(number: u64) -> PlayerId {
    PlayerId::new(number).expect("a player")
}

fn name(text: &str) -> Name {
    text.parse().expect("a name")
}

fn opening(code: &str) -> Opening {
    Opening {
        rules: Rules::from_code(code).expect("rules"),
        pace: Pace::Relaxed,
        listed: true,
        host: player(1 << 62),
        key: Key::new([0xa5; 16]),
        secret: Secret([7; 32]),
        siblings: Vec::new(),
        contest: None,
    }
}

fn checkpoint() -> Checkpoint {
    let siblings = vec![TableId::new(1).expect("a table"), TableId::new(77).expect("a table")];
    let contest = "7rk2m0q9xw".parse().ok();
    let opening = Opening { siblings, contest, ..opening("cruce4t-21-honour") };
    let mut words = BySeat::filled(None, 4);
    words[seat(2)] = "ghinda-1".parse().ok();
    Checkpoint {
        opening,
        seats: vec![
            CheckpointSeat::Person { player: player(5), name: name("Ana \"Nuța\"") },
            CheckpointSeat::Bot(Level::Hard),
            CheckpointSeat::Bot(Level::Pimc50),
            CheckpointSeat::Bot(Level::Random),
        ],
        number: 3,
        words,
        admitted: vec![player(5), player(6)],
        kicked: vec![player(7)],
        muted: vec![player(6)],
        done: vec![DoneCommand { command: command("x-1", None), version: 12 }],
        log_bytes: 0,
        contest_command: None,
    }
}

/// A command; those of version 0.1 have no fingerprint.
fn command(id: &str, what: Option<&TableCommand>) -> LoggedCommand {
    LoggedCommand { player: player(5), id: id.into(), fingerprint: what.map(ShortFingerprint::of) }
}

fn action(text: &str) -> ActionText {
    text.parse().expect("an action")
}

/// The kinds of entries with the words that name them in the log. A new kind does not compile without its
/// word here, and fails the test without its line in the file.
macro_rules! kinds {
    ($($kind:ident: $word:literal,)*) => {
        const KINDS: &[&str] = &[$($word),*];

        fn kind(entry: &Entry) -> &'static str {
            match entry {
                $(Entry::$kind { .. } => $word,)*
            }
        }
    };
}

kinds! {
    Opened: "opened",
    Admitted: "admitted",
    Relinked: "relinked",
    Sat: "sat",
    Renamed: "renamed",
    SeatFreed: "left",
    Swapped: "swapped",
    BotAdded: "bot_sat",
    BotRemoved: "emptied",
    Hosted: "hosted",
    Settings: "settings",
    Committed: "promised",
    Word: "word",
    Started: "started",
    Dealt: "dealt",
    Acted: "acted",
    Claimed: "claimed",
    ClaimRefused: "claim_refused",
    StoodIn: "stood_in",
    TookBack: "back",
    Ready: "ready",
    AskedForPause: "wants_pause",
    Paused: "paused",
    Resumed: "resumed",
    AskedForRematch: "wants_rematch",
    Said: "said",
    Muted: "muted",
    Closed: "closed",
}

/// One entry of every kind, and of every shape that a kind has.
fn samples() -> Vec<Entry> {
    let (first, second) = (seat(1), seat(2));
    let acted = |seat, text, by| Entry::Acted { seat, action: action(text), by };
    vec![
        Entry::Opened(Box::new(opening("whist5-818-p5"))),
        Entry::Admitted { player: player(9) },
        Entry::Relinked { key: Key::new([1; 16]) },
        Entry::Sat { seat: second, player: player(9), name: name("Ion") },
        Entry::Renamed { seat: second, name: name("Ioana Șt.") },
        Entry::SeatFreed { seat: second, kicked: false },
        Entry::SeatFreed { seat: second, kicked: true },
        Entry::Swapped { seats: [first, seat(4)] },
        Entry::BotAdded { seat: second, level: Level::Easy },
        Entry::BotRemoved { seat: second },
        Entry::Hosted { player: player(9) },
        Entry::Settings {
            rules: opening("cruce2").rules,
            pace: Pace::Fast,
            listed: false,
            key: None,
        },
        Entry::Committed { number: 2, secret: Secret([0xff; 32]) },
        Entry::Word { seat: first, word: "noroc".parse().expect("a word") },
        Entry::Started(Box::new(checkpoint())),
        Entry::Started(Box::new(Checkpoint {
            done: Vec::new(),
            muted: Vec::new(),
            ..checkpoint()
        })),
        Entry::Dealt,
        acted(first, "0", ActedBy::Person),
        acted(second, "3", ActedBy::Bot),
        acted(first, "4b", ActedBy::Person),
        acted(first, "4b!", ActedBy::Bot),
        acted(second, "?2:1:3", ActedBy::Person),
        acted(second, "ok", ActedBy::Person),
        Entry::Claimed { seat: first, line: vec![(first, action("4b!")), (second, action("9b"))] },
        Entry::StoodIn { seat: first, why: StandInReason::Time },
        Entry::StoodIn { seat: first, why: StandInReason::Gone },
        Entry::TookBack { seat: first },
        Entry::Ready { seat: first },
        Entry::AskedForPause { seat: first },
        Entry::Paused,
        Entry::Resumed,
        Entry::AskedForRematch { seat: first },
        Entry::Said { seat: first, content: ChatContent::Text("salut \u{1f600}".into()) },
        Entry::Said { seat: first, content: ChatContent::Phrase(Phrase::WellPlayed) },
        Entry::Muted { seat: second, muted: true },
        Entry::Closed,
        Entry::Settings {
            rules: opening("cruce2").rules,
            pace: Pace::Off,
            listed: false,
            key: Some(Key::new([3; 16])),
        },
        Entry::Started(Box::new(Checkpoint {
            done: vec![
                DoneCommand { command: command("x-1", None), version: 12 },
                DoneCommand { command: command("x-2", Some(&TableCommand::Ready)), version: 13 },
            ],
            ..checkpoint()
        })),
        Entry::Started(Box::new(Checkpoint { log_bytes: 12_582_912, ..checkpoint() })),
        Entry::Started(Box::new(Checkpoint {
            contest_command: Some("l0c1-7".into()),
            ..checkpoint()
        })),
        Entry::ClaimRefused { seat: first },
    ]
}

/// The first of these lines whose command has a fingerprint.
const FIRST_FINGERPRINT: u64 = 37;

fn logged(at: u64, entry: Entry) -> LoggedEntry {
    let what = (at >= FIRST_FINGERPRINT).then_some(&TableCommand::Start);
    // Of those without one, every third answers a command.
    let answers = what.is_some() || at.is_multiple_of(3);
    LoggedEntry { at, command: answers.then(|| command(&format!("id-{at}"), what)), entry }
}

#[test]
fn every_entry_is_stored_as_before() {
    let written: Vec<String> =
        (0..).zip(samples()).map(|(at, entry)| log::encode(&logged(at, entry))).collect();
    assert_eq!(written, GOLDEN.lines().collect::<Vec<_>>());
}

#[test]
fn every_kind_of_entry_has_a_line() {
    let samples = samples();
    for word in KINDS {
        assert!(samples.iter().any(|entry| kind(entry) == *word), "no sample of {word}");
    }
    for (line, entry) in GOLDEN.lines().zip(&samples) {
        assert!(line.contains(&format!(r#""did":"{}""#, kind(entry))), "{line}");
    }
}

#[test]
fn every_stored_entry_is_read() {
    assert_eq!(GOLDEN.lines().count(), samples().len());
    for (at, (line, entry)) in (0..).zip(GOLDEN.lines().zip(samples())) {
        assert_eq!(log::decode(at, line).expect(line), logged(at, entry));
    }
}

#[test]
fn the_bytes_of_a_stored_entry_are_known_without_writing_it() {
    for (at, line) in (0..).zip(GOLDEN.lines()) {
        let logged = log::decode(at, line).expect(line);
        assert_eq!(log::stored_bytes(&logged), line.len() as u64, "{line}");
    }
    let said = |text: &str| Entry::Said {
        seat: seat(1),
        content: ChatContent::Text(text.repeat(200 / text.chars().count())),
    };
    let longest =
        Entry::Sat { seat: seat(4), player: player(u64::MAX >> 1), name: name(&"😀".repeat(40)) };
    let word = Entry::Word { seat: seat(1), word: "x".repeat(64).parse().expect("a word") };
    for entry in [said("😀"), said("\"\n"), said("\\"), said("\u{1}"), longest, word] {
        let command = LoggedCommand {
            player: player(u64::MAX >> 1),
            id: "\\\"".repeat(18),
            fingerprint: Some(ShortFingerprint::of(&TableCommand::Start)),
        };
        let logged = LoggedEntry { at: 1, command: Some(command), entry };
        assert_eq!(log::stored_bytes(&logged), log::encode(&logged).len() as u64, "{logged:?}");
    }
}

#[test]
fn a_name_that_is_refused_today_is_read_from_the_log() {
    let renamed = Entry::Renamed { seat: seat(1), name: name("A\u{ad}na") };
    let stored = logged(1, renamed);
    assert_eq!(log::decode(1, &log::encode(&stored)).expect("readable"), stored);
}

#[test]
fn what_is_not_an_entry_is_refused() {
    let bad = [
        "",
        "{}",
        r#"{"did":"danced"}"#,
        r#"{"did":"back","seat":0}"#,
        r#"{"did":"back","seat":7}"#,
        r#"{"did":"admitted","player":9223372036854775808}"#,
        r#"{"did":"acted","seat":1,"action":"much too long"}"#,
        r#"{"did":"bot_sat","seat":1,"level":"genius"}"#,
        r#"{"did":"said","seat":1}"#,
        r#"{"did":"relinked","key":"short"}"#,
        r#"{"by":[5],"did":"closed"}"#,
        r#"{"by":[5,"id-1","0123abcd",7],"did":"closed"}"#,
        r#"{"by":[5,"id-1","0123abcg"],"did":"closed"}"#,
        r#"{"by":[5,"id-1","+123abcd"],"did":"closed"}"#,
        r#"{"by":[5,"id-1","123abcd"],"did":"closed"}"#,
    ];
    for line in bad {
        assert!(log::decode(0, line).is_err(), "{line}");
    }
}
