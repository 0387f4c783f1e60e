//! The numbers and the requests in `docs/protocol.md` are those of the code.

use std::fs;
use std::path::Path;

use room::Timings;
use room::driver::{MAX_CONNECTIONS, RESERVED_CONNECTIONS};
use serde_json::Value;
use server::accounts::{MAX_LOG_INS_WAITING, SESSION_DAYS, WRONG_AT_ONCE, WRONG_RECOVERY};
use server::byte_pool::SHARES;
use server::quotas::{MAX_LEDGERS_OF_PLAYER, MAX_TABLES_OF_PLAYER};
use server::tables::MAX_SIBLINGS;
use server::web::{Limits, document};
use wire::table::{MAX_BYTES, MAX_CHAT_TEXT, MAX_ID};

/// Numbers of the document that are private to their module: the file, the line of the number, and the
/// words of the document.
const PRIVATE_NUMBERS: [(&str, &str, &str); 21] = [
    (
        "web/socket.rs",
        "const HELLO_TIMEOUT: Duration = Duration::from_secs(10);",
        "Within 10 seconds the client says",
    ),
    (
        "web/socket.rs",
        "const PING_AFTER: Duration = Duration::from_secs(45);",
        "After 45 seconds without a word",
    ),
    (
        "web/socket.rs",
        "const PONG_TIMEOUT: Duration = Duration::from_secs(20);",
        "20 seconds later",
    ),
    (
        "web/socket.rs",
        "const OUTBOX_CAPACITY: usize = 64;",
        "| messages that wait for you | 64, and 1 MiB;",
    ),
    ("web/api.rs", "const MAX_BYTES: usize = 16 << 10;", "| a request over HTTP | 16 KiB |"),
    ("web/api.rs", "const LOBBY: usize = 200;", "at most 200 tables"),
    ("web/api.rs", "const PAGE: u32 = 50;", "50 a page"),
    ("accounts.rs", "const TRANSFER_MINUTES: i64 = 10;", "once, within 10 minutes"),
    ("../../room/src/driver.rs", "const TAIL: usize = 16;", "keeps the last 16 versions"),
    ("../../room/src/room.rs", "const MAX_DONE: usize = 64;", "the ids of the last 64 versions"),
    ("../../room/src/room.rs", "const MAX_CHAT_LINES: usize = 40;", "the last 40 things said"),
    (
        "../../room/src/room.rs",
        "pub const STAND_IN: Level = Level::Medium;",
        "a bot\n(`medium`) plays for them",
    ),
    ("web/ledgers.rs", "const MAX_UPLOAD: usize = 2 << 20;", "at most 2 MiB"),
    ("ledger/task.rs", "const TABLE_BYTES: usize = 2 << 10;", "after a draw counts as 2 KiB"),
    ("rations.rs", "const ENTRY_BYTES: usize = 32;", "counts as its text and 32 bytes"),
    (
        "ledger/task.rs",
        "const MAX_SUBSCRIBERS: usize = 5_000;",
        "| connections to a contest or a score sheet | 5000 |",
    ),
    (
        "../../room/src/room/decide.rs",
        "const DEALS_WHEN_CLOSED: usize = 2_000;",
        "| deals of a match | 2000;",
    ),
    ("quotas.rs", "const MAX_LEDGER_BYTES: usize = 8 << 20;", "`full` (8 MiB are stored)"),
    (
        "../../room/src/room/decide.rs",
        "const LOG_BYTES_WHEN_FULL: u64 = 12 << 20;",
        "| the log of a table | 100000 entries and 12 MiB;",
    ),
    (
        "../../wire/src/ledger.rs",
        "pub const MAX_BYTES: usize = 256 << 10;",
        "the size of a message: 256 KiB",
    ),
    ("../../wire/src/table.rs", "max_bytes: 256 << 10,", "| a message of the server | 256 KiB |"),
];

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The document with a space instead of each line break.
fn protocol() -> String {
    flat(&read("../../docs/protocol.md"))
}

fn flat(text: &str) -> String {
    text.replace('\n', " ")
}

/// What one address may have stored.
fn rations(limits: &Limits) -> [String; 3] {
    let at_once = |bytes: u32| {
        let mib = bytes >> 20;
        let of_one = mib / SHARES as u32;
        format!("| {mib} MiB at once, and as much an hour; of that {of_one} MiB for one player")
    };
    [
        ("in contests and score sheets", limits.ledger_bytes_an_hour),
        ("that it says and changes at tables", limits.table_bytes_an_hour),
        ("that it and the bots at its tables play", limits.play_bytes_an_hour),
    ]
    .map(|(what, bytes)| format!("| what one address has stored {what} {}", at_once(bytes)))
}

#[test]
fn the_document_has_the_numbers_of_the_code() {
    let text = protocol();
    let (timings, limits) = (Timings::default(), Limits::default());
    let a_second = limits.messages_a_second;
    let seconds = |millis: u64| millis / 1000;
    let public = [
        format!("| a message of a client | {} KiB;", MAX_BYTES >> 10),
        format!("| a command's id | {MAX_ID} characters |"),
        format!("1 to {MAX_ID} visible ASCII characters"),
        format!("| something said | {MAX_CHAT_TEXT} characters,"),
        format!(
            "| connections to a table | {MAX_CONNECTIONS}, and {RESERVED_CONNECTIONS} more for the \
             host and for each player; from one address {} without a seat |",
            MAX_CONNECTIONS / SHARES
        ),
        format!("| tables that play the same deals | {MAX_SIBLINGS} |"),
        format!("opens 2 to {MAX_SIBLINGS} tables"),
        format!("| open tables that a player has opened | {MAX_TABLES_OF_PLAYER} |"),
        format!("| contests and score sheets of a player | {MAX_LEDGERS_OF_PLAYER} "),
        format!("| requests under way | {},", limits.requests),
        format!("for {SESSION_DAYS} days"),
        format!("| passphrases that wait to be checked | {MAX_LOG_INS_WAITING} requests;"),
        format!(
            "| wrong passphrases for one name | {WRONG_AT_ONCE} at once, and one more a minute,"
        ),
        format!("| messages on a connection | {a_second} a second, {} at once;", 2 * a_second),
        format!("| the time to take one message | {} seconds |", limits.write_timeout.as_secs()),
        format!(
            "| the time to read on in an answer, 16 KiB of it or the rest | {} seconds |",
            limits.write_timeout.as_secs()
        ),
        format!("| connections in all | {} (", limits.sockets),
        format!("| connections from one address | {} (", limits.sockets_from_one),
        format!("from one address | {} a minute (", limits.costly_a_minute),
        format!("`relaxed` ({} seconds)", seconds(timings.relaxed)),
        format!("`fast` ({} seconds)", seconds(timings.fast)),
        format!(
            "the time for reading the score ({} seconds",
            seconds(timings.score_time.expect("a time"))
        ),
        format!("a player has been gone for {} seconds", seconds(timings.absence_limit)),
        format!("has {} seconds at least", seconds(timings.return_grace)),
        format!("every decision (0.{} seconds)", timings.bot_delay / 100),
    ];
    assert_eq!(WRONG_RECOVERY.as_secs(), 60);
    let missing = |words: &&String| !text.contains(words.as_str());
    let rations = rations(&limits);
    let missing: Vec<&String> = public.iter().chain(&rations).filter(missing).collect();
    assert_eq!(missing, Vec::<&String>::new(), "docs/protocol.md has other numbers");
    for (file, line, words) in PRIVATE_NUMBERS {
        assert!(read(&format!("src/{file}")).contains(line), "{file} has no `{line}` any more");
        assert!(text.contains(&flat(words)), "docs/protocol.md does not contain: {words}");
    }
}

#[test]
fn the_document_lists_every_request() {
    let text = protocol();
    let described: Value = serde_json::from_str(&document()).expect("JSON");
    let paths = described["paths"].as_object().expect("paths");
    assert!(paths.len() >= 16, "{paths:?}");
    for (path, operations) in paths {
        for method in operations.as_object().expect("operations").keys() {
            let row = format!("| `{} {path}` |", method.to_uppercase());
            assert!(text.contains(&row), "docs/protocol.md lacks {row}");
        }
    }
}

/// The codes of problems in a source file: the literals beside a status or a constructor.
fn codes(source: &str) -> Vec<&str> {
    let makers = ["Problem::bad(", "Problem::forbidden(", "StatusCode::"];
    let found = makers.iter().flat_map(|maker| source.match_indices(maker));
    let literal = |(at, _): (usize, &str)| {
        let rest = source[at..].split(';').next()?;
        let code = rest.split('"').nth(1)?;
        let plain = |input: char| input.is_ascii_lowercase() || input == '_';
        (!code.is_empty() && code.chars().all(plain)).then_some(code)
    };
    found.filter_map(literal).collect()
}

#[test]
fn the_document_names_every_problem() {
    let text = protocol();
    let mut count = 0;
    for file in ["api.rs", "headers.rs", "extract.rs", "problem.rs", "session.rs", "ledgers.rs"] {
        for code in codes(&read(&format!("src/web/{file}"))) {
            count += 1;
            assert!(text.contains(&format!("`{code}`")), "docs/protocol.md lacks {code} of {file}");
        }
    }
    assert!(count >= 20, "too few codes were found in the source");
}
