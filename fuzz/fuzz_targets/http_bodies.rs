//! Any text as each body of the HTTP API: it is refused, or it survives being written and read. What a
//! body contains is read further: rules, keys, roles and whole ledgers, which are refused briefly.
#![no_main]

use std::fmt::Debug;

use contest::Role;
use game::Rules;
use ids::Key;
use libfuzzer_sys::fuzz_target;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wire::contest::{parse_role, role_text};
use wire::http::{
    AdmitRequest, Comparison, CreatedToken, Credentials, History, Identity, ListedTable, Lobby,
    NewDuplicate, NewLedger, NewPassphrase, NewSession, NewTable, NewToken, OpenedLedger,
    OpenedTable, PastMatchSummary, AssignedTable, TakeSeat,
};
use wire::ledger::{Ledger, role_key};

fuzz_target!(|text: &str| {
    read_requests(text);
    read_responses(text);
    // A ledger is text in a text, which a fuzzer seldom writes.
    let lines = NewLedger { lines: text.to_owned() };
    let sent = serde_json::to_string(&lines).expect("text has a JSON form");
    assert_eq!(read(&sent), Some(lines));
    open_ledger(text);
});

/// What clients send.
fn read_requests(text: &str) {
    read::<NewSession>(text);
    read::<Credentials>(text);
    read::<NewPassphrase>(text);
    read::<NewToken>(text);
    if let Some(new) = read::<NewTable>(text) {
        read_rules(&new.rules);
    }
    if let Some(new) = read::<NewDuplicate>(text) {
        read_rules(&new.table.rules);
    }
    if let Some(request) = read::<AdmitRequest>(text) {
        read_key(&request.key);
    }
    if let Some(asks) = read::<TakeSeat>(text) {
        read_key(&asks.key);
        if let Ok(role) = parse_role(&asks.role) {
            assert_eq!(parse_role(&role_text(role)), Ok(role));
            let organiser = Key::new([7; 16]);
            assert_eq!(role_key(organiser, role) == organiser, role == Role::Organiser);
        }
    }
    if let Some(new) = read::<NewLedger>(text) {
        open_ledger(&new.lines);
    }
}

/// What clients get; they read it as carefully.
fn read_responses(text: &str) {
    read::<Identity>(text);
    read::<CreatedToken>(text);
    read::<OpenedTable>(text);
    read::<Vec<OpenedTable>>(text);
    read::<ListedTable>(text);
    read::<Lobby>(text);
    read::<PastMatchSummary>(text);
    read::<History>(text);
    read::<Comparison>(text);
    read::<AssignedTable>(text);
    read::<OpenedLedger>(text);
}

/// Reads a body, if it is one, and checks that it survives being written and read.
fn read<T: DeserializeOwned + Serialize + PartialEq + Debug>(text: &str) -> Option<T> {
    let body: T = serde_json::from_str(text).ok()?;
    let again = serde_json::to_string(&body).expect("what was read has a JSON form");
    let again: T = serde_json::from_str(&again).expect("what was written can be read");
    assert_eq!(again, body);
    Some(body)
}

fn read_rules(code: &str) {
    if let Ok(rules) = Rules::from_code(code) {
        assert_eq!(Rules::from_code(&rules.code()), Ok(rules));
    }
}

fn read_key(text: &str) {
    if let Ok(key) = text.parse::<Key>() {
        assert_eq!(key.to_string().parse(), Ok(key));
    }
}

/// A server keeps a ledger as its own lines, and must be able to read them again.
fn open_ledger(lines: &str) {
    match Ledger::from_lines(lines) {
        Ok(ledger) => {
            let kept = ledger.to_lines();
            assert_eq!(kept.lines().count(), ledger.len());
            assert_eq!(Ledger::from_lines(&kept).ok(), Some(ledger));
        }
        // The server sends the fault to the client.
        Err(fault) => assert!(fault.to_string().chars().count() < 400),
    }
}
