//! Any text is a record or is refused; a record survives print and parse in both forms, and can be
//! rechecked.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::record::{from_lines, to_lines};

fuzz_target!(|text: &str| {
    let records = game::record::parse_all(text).or_else(|_| from_lines(text));
    for record in records.unwrap_or_default() {
        let _ = record.verify();
        assert_eq!(record.to_string().parse(), Ok(record.clone()));
        assert_eq!(from_lines(&to_lines(&record)).ok(), Some(vec![record]));
    }
});
