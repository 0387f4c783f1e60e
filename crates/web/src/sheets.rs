//! Score sheets on this device: the lines of each, and a list of them; and the sheets on servers
//! that this device knows, with their keys.

use std::cell::RefCell;

use contest::Sheet;
use contest::sheet::{Setup, SheetChange, SheetEntry, SheetRefusal};
use leptos::prelude::window;
use wire::sheet::{entry_line, from_lines, header_line};

use crate::connection_loop::now;
use crate::storage;

/// The storage key of the list of sheets, newest first. It prefixes the keys of their lines.
const LIST: &str = "sheets";
/// The alphabet of table names: no letter that looks like a digit.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const NAME_LENGTH: usize = 10;

fn storage_key(name: &str) -> String {
    format!("{LIST}.{name}")
}

/// The sheets on this device, newest first.
pub(crate) fn names() -> Vec<String> {
    let list = storage::read(LIST).unwrap_or_default();
    list.split_whitespace().map(String::from).collect()
}

/// A sheet. Returns None if it is not stored or cannot be read.
pub(crate) fn read(name: &str) -> Option<Sheet> {
    from_lines(&storage::read(&storage_key(name))?).ok()
}

/// Starts a sheet, and returns its name.
pub(crate) fn begin(setup: &Setup) -> String {
    let mut bytes = [0; NAME_LENGTH];
    if let Ok(crypto) = window().crypto() {
        // Without random bytes all names would be the same, and the next sheet would replace this
        // one.
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
    }
    let name: String =
        bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect();
    storage::store(&storage_key(&name), &header_line(setup));
    let others = names().into_iter().filter(|other| *other != name);
    let all: Vec<String> = std::iter::once(name.clone()).chain(others).collect();
    storage::store(LIST, &all.join(" "));
    name
}

/// Applies a change to a sheet and stores it. The stored sheet is read first, because another
/// window may have written. Also returns whether the change was stored permanently.
pub(crate) fn write(
    name: &str,
    shown: &Sheet,
    change: SheetChange,
) -> (Result<Sheet, SheetRefusal>, bool) {
    let mut sheet = read(name).unwrap_or_else(|| shown.clone());
    let entry: SheetEntry = match sheet.decide(now(), None, change) {
        Ok(entry) => entry,
        Err(refusal) => return (Err(refusal), true),
    };
    let mut text = wire::sheet::to_lines(&sheet);
    text.push_str(&entry_line(&entry));
    let kept = storage::store(&storage_key(name), &text);
    (sheet.apply(entry).map(|()| sheet), kept)
}

/// Deletes a sheet.
pub(crate) fn forget(name: &str) {
    storage::forget(&storage_key(name));
    let others: Vec<String> = names().into_iter().filter(|other| other != name).collect();
    storage::store(LIST, &others.join(" "));
}

/// The storage key of the sheets on servers, last opened first: name, key and players of each.
const SHARED: &str = "shared-sheets";
/// Stands for no key.
const NONE: &str = "-";

thread_local! {
    /// The sheet that was shared a moment ago, whose links are to be shown.
    static JUST_SHARED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Notes that a sheet was shared a moment ago.
pub(crate) fn just_shared(ledger: &str) {
    JUST_SHARED.set(Some(ledger.into()));
}

/// Returns whether a sheet was shared a moment ago, and clears the note.
pub(crate) fn take_just_shared(ledger: &str) -> bool {
    JUST_SHARED.take().is_some_and(|new| new == ledger)
}

/// A sheet on a server.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SharedSheet {
    pub(crate) ledger: String,
    pub(crate) key: Option<String>,
    /// The names of its players.
    pub(crate) names: String,
}

/// The sheets on servers that were opened here, the last one first.
pub(crate) fn shared() -> Vec<SharedSheet> {
    let list = storage::read(SHARED).unwrap_or_default();
    let one = |line: &str| {
        let mut cells = line.splitn(3, '\t');
        let (ledger, key) = (cells.next()?.to_owned(), cells.next()?);
        let key = (key != NONE).then(|| key.to_owned());
        Some(SharedSheet { ledger, key, names: cells.next().unwrap_or_default().into() })
    };
    list.lines().filter_map(one).collect()
}

fn store_shared(all: &[SharedSheet]) {
    let line = |one: &SharedSheet| {
        format!("{}\t{}\t{}", one.ledger, one.key.as_deref().unwrap_or(NONE), one.names)
    };
    storage::store(SHARED, &all.iter().map(line).collect::<Vec<_>>().join("\n"));
}

/// Stores that this device knows a sheet. A stored key is kept.
pub(crate) fn remember_shared(ledger: &str, key: Option<String>, names: Option<String>) {
    let mut all = shared();
    let before = all.iter().position(|one| one.ledger == ledger).map(|at| all.remove(at));
    let (old_key, old_names) = before.map(|one| (one.key, one.names)).unwrap_or_default();
    let names = names.unwrap_or(old_names);
    all.insert(0, SharedSheet { ledger: ledger.into(), key: key.or(old_key), names });
    store_shared(&all);
}

/// The stored key of a sheet.
pub(crate) fn key_of(ledger: &str) -> Option<String> {
    shared().into_iter().find(|one| one.ledger == ledger)?.key
}

/// Forgets a sheet on a server; it stays there.
pub(crate) fn forget_shared(ledger: &str) {
    let mut all = shared();
    all.retain(|one| one.ledger != ledger);
    store_shared(&all);
}
