//! Journals of matches against bots, stored in the browser: one for each plan that was played
//! lately, so that a match of whist does not replace one of Cruce; and the last finished match, for
//! its replay.

use practice::JournalUpdate;

use crate::storage;

/// The storage key of the list of plans, last played first. It prefixes the keys of their journals.
const LIST: &str = "practice";
/// The maximum number of journals.
const MAX_JOURNALS: usize = 6;
/// The maximum length of a stored journal. All browsers give a page five million characters, and
/// the longest match has a tenth of this. A longer journal is lost with the page.
const MAX_LETTERS: usize = 600_000;

fn storage_key(plan: &str) -> String {
    format!("{LIST}.{plan}")
}

/// The storage key of the last journal of a plan that could not be resumed.
fn unreadable_key(plan: &str) -> String {
    format!("unreadable.{plan}")
}

fn plans() -> Vec<String> {
    let list = storage::read(LIST).unwrap_or_default();
    list.split_whitespace().map(String::from).collect()
}

/// The storage key of the last finished match: a line with its name, and its record.
const LAST_MATCH: &str = "match";

fn heading(table: &str, number: u32) -> String {
    format!("{table}/{number}\n")
}

/// Stores the record of a match that no server has, in place of the previous one.
pub(crate) fn store_match(table: &str, number: u32, record: &str) {
    storage::store(LAST_MATCH, &[&heading(table, number), record].concat());
}

/// The record of a match, if it is the stored one.
pub(crate) fn stored_match(table: &str, number: u32) -> Option<String> {
    let stored = storage::read(LAST_MATCH)?;
    stored.strip_prefix(&heading(table, number)).map(String::from)
}

/// A data URL of a record.
pub(crate) fn address_of(record: &str) -> String {
    let text = js_sys::encode_uri_component(record);
    format!("data:text/plain;charset=utf-8,{}", String::from(text))
}

/// The plan that was played last.
pub(crate) fn latest() -> Option<String> {
    plans().into_iter().next()
}

/// Deletes the journal of a plan.
pub(crate) fn forget(plan: &str) {
    storage::forget(&storage_key(plan));
    let others: Vec<String> = plans().into_iter().filter(|other| other != plan).collect();
    storage::store(LIST, &others.join(" "));
}

/// The journal of a match while it is played.
pub(crate) struct StoredJournal {
    plan: String,
    text: String,
}

impl StoredJournal {
    /// Opens the journal of a plan. Returns its stored text, too.
    pub(crate) fn open(plan: &str) -> (StoredJournal, Option<String>) {
        let stored = storage::read(&storage_key(plan));
        let journal = StoredJournal { plan: plan.into(), text: stored.clone().unwrap_or_default() };
        if stored.is_some() {
            journal.move_to_front();
        }
        (journal, stored)
    }

    /// Appends an update and stores the journal.
    pub(crate) fn write(&mut self, update: &JournalUpdate) {
        if update.replaces {
            self.text.clear();
            self.move_to_front();
        }
        for line in &update.lines {
            self.text.push_str(line);
            self.text.push('\n');
        }
        if self.text.len() <= MAX_LETTERS {
            storage::store(&storage_key(&self.plan), &self.text);
        }
    }

    /// Keeps the stored text under another key, in place of an earlier one, and returns it: it cannot be
    /// resumed, and a new match is about to replace it.
    pub(crate) fn set_aside(&self) -> String {
        storage::store(&unreadable_key(&self.plan), &self.text);
        self.text.clone()
    }

    /// Puts the plan first in the list, and deletes the oldest journals.
    fn move_to_front(&self) {
        let mut all = plans();
        all.retain(|other| *other != self.plan);
        all.insert(0, self.plan.clone());
        for old in all.drain(MAX_JOURNALS.min(all.len())..) {
            storage::forget(&storage_key(&old));
            storage::forget(&unreadable_key(&old));
        }
        storage::store(LIST, &all.join(" "));
    }
}
