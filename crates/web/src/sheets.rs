//! Score sheets kept on this device: the lines of each, and a list of them.

use contest::Sheet;
use contest::sheet::{Change, Entry, Refusal, Setup};
use leptos::prelude::window;
use wire::sheet::{entry_line, from_lines, header_line};

use crate::line::now;
use crate::storage;

/// Where the sheets are listed, the newest first. Their lines lie beside it.
const LIST: &str = "sheets";
/// As names of tables: no letter that looks like a digit.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const NAME_LENGTH: usize = 10;

fn place(name: &str) -> String {
    format!("{LIST}.{name}")
}

/// The sheets that are kept here, the newest first.
pub(crate) fn names() -> Vec<String> {
    let list = storage::read(LIST).unwrap_or_default();
    list.split_whitespace().map(String::from).collect()
}

/// A sheet, if it is kept here and can be read.
pub(crate) fn read(name: &str) -> Option<Sheet> {
    from_lines(&storage::read(&place(name))?).ok()
}

/// Begins a sheet, and gives its name.
pub(crate) fn begin(setup: &Setup) -> String {
    let mut bytes = [0; NAME_LENGTH];
    if let Ok(crypto) = window().crypto() {
        // Without it all names were one, and the next sheet would replace this one.
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
    }
    let name: String =
        bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect();
    storage::keep(&place(&name), &header_line(setup));
    let others = names().into_iter().filter(|other| *other != name);
    let all: Vec<String> = std::iter::once(name.clone()).chain(others).collect();
    storage::keep(LIST, &all.join(" "));
    name
}

/// Writes a change on a sheet: kept first, then shown. What another window has written meanwhile
/// comes first. Whether it outlives the page is told, too.
pub(crate) fn write(name: &str, shown: &Sheet, change: Change) -> (Result<Sheet, Refusal>, bool) {
    let mut sheet = read(name).unwrap_or_else(|| shown.clone());
    let entry: Entry = match sheet.decide(now() as u64, None, change) {
        Ok(entry) => entry,
        Err(refusal) => return (Err(refusal), true),
    };
    let mut text = wire::sheet::to_lines(&sheet);
    text.push_str(&entry_line(&entry));
    let kept = storage::keep(&place(name), &text);
    (sheet.apply(entry).map(|()| sheet), kept)
}

/// Forgets a sheet.
pub(crate) fn forget(name: &str) {
    storage::forget(&place(name));
    let others: Vec<String> = names().into_iter().filter(|other| other != name).collect();
    storage::keep(LIST, &others.join(" "));
}
