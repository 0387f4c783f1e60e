//! Journals of matches against bots, kept in the browser: one for each plan that was played
//! lately, so that whoever tries whist does not lose his Cruce; and the last match that was
//! played to its end, to be looked at again.

use practice::JournalUpdate;

use crate::storage;

/// Where the plans are listed, last played first. Their journals lie beside it.
const LIST: &str = "practice";
/// How many matches are kept.
const MOST: usize = 6;
/// How many letters of a match are kept: all browsers give a page five million, and the longest
/// match has a tenth of this. What comes after is lost with the page.
const MAX_LETTERS: usize = 600_000;

fn place(plan: &str) -> String {
    format!("{LIST}.{plan}")
}

fn plans() -> Vec<String> {
    let list = storage::read(LIST).unwrap_or_default();
    list.split_whitespace().map(String::from).collect()
}

/// Where the last match lies that was played to its end: a line with its name, and its record.
const LAST_MATCH: &str = "match";

fn heading(table: &str, number: u32) -> String {
    format!("{table}/{number}\n")
}

/// Keeps the record of a match that no server has, in place of the one before.
pub(crate) fn keep_match(table: &str, number: u32, record: &str) {
    storage::keep(LAST_MATCH, &[&heading(table, number), record].concat());
}

/// The record of a match, if it is the one that is kept.
pub(crate) fn kept_match(table: &str, number: u32) -> Option<String> {
    let kept = storage::read(LAST_MATCH)?;
    kept.strip_prefix(&heading(table, number)).map(String::from)
}

/// An address that is a record.
pub(crate) fn address_of(record: &str) -> String {
    let text = js_sys::encode_uri_component(record);
    format!("data:text/plain;charset=utf-8,{}", String::from(text))
}

/// The plan that was played last.
pub(crate) fn latest() -> Option<String> {
    plans().into_iter().next()
}

/// Forgets the match that was played by a plan.
pub(crate) fn forget(plan: &str) {
    storage::forget(&place(plan));
    let others: Vec<String> = plans().into_iter().filter(|other| other != plan).collect();
    storage::keep(LIST, &others.join(" "));
}

/// The journal of a match while it is played.
pub(crate) struct StoredJournal {
    plan: String,
    text: String,
}

impl StoredJournal {
    /// Opens the journal of a plan, and gives what was kept in it.
    pub(crate) fn open(plan: &str) -> (StoredJournal, Option<String>) {
        let kept = storage::read(&place(plan));
        let journal = StoredJournal { plan: plan.into(), text: kept.clone().unwrap_or_default() };
        if kept.is_some() {
            journal.list();
        }
        (journal, kept)
    }

    /// Writes what is new.
    pub(crate) fn write(&mut self, pages: &JournalUpdate) {
        if pages.anew {
            self.text.clear();
            self.list();
        }
        for line in &pages.lines {
            self.text.push_str(line);
            self.text.push('\n');
        }
        if self.text.len() <= MAX_LETTERS {
            storage::keep(&place(&self.plan), &self.text);
        }
    }

    /// Puts the plan first in the list, and forgets those at its end.
    fn list(&self) {
        let mut all = plans();
        all.retain(|other| *other != self.plan);
        all.insert(0, self.plan.clone());
        for old in all.drain(MOST.min(all.len())..) {
            storage::forget(&place(&old));
        }
        storage::keep(LIST, &all.join(" "));
    }
}
