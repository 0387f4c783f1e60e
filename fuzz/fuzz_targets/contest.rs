//! Any text is a contest, a sheet or a list of entrants, or is refused. What was read survives being
//! written and read, and all its reports can be made.
#![no_main]

use contest::roster;
use libfuzzer_sys::fuzz_target;
use wire::contest::ContestLog;
use wire::contest::export::ContestExport;
use wire::sheet::{from_lines, to_lines};

fuzz_target!(|text: &str| {
    for pairs in [false, true] {
        let _ = roster::parse(text, pairs);
    }
    if let Ok(log) = ContestLog::from_lines(text) {
        let _ = ContestExport::of(&log.contest);
        let _ = (log.contest.results_csv(), log.contest.draws());
        assert_eq!(ContestLog::from_lines(&log.to_lines()).ok(), Some(log));
    }
    if let Ok(sheet) = from_lines(text) {
        let _ = sheet.to_csv();
        assert_eq!(from_lines(&to_lines(&sheet)).ok(), Some(sheet));
    }
});
