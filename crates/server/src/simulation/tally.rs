//! What has happened in worlds: how often, and in which order.

use std::collections::BTreeMap;
use std::fmt;

/// How often each thing has happened, and how large each queue has been.
#[derive(Clone, Default)]
pub(super) struct WorldTally {
    counts: BTreeMap<String, u64>,
    largest: BTreeMap<&'static str, usize>,
}

impl WorldTally {
    pub(super) fn count(&mut self, what: &str) {
        self.count_many(what, 1);
    }

    pub(super) fn count_many(&mut self, what: &str, times: u64) {
        match self.counts.get_mut(what) {
            Some(before) => *before += times,
            None => {
                self.counts.insert(what.into(), times);
            }
        }
    }

    pub(super) fn note_size(&mut self, what: &'static str, size: usize) {
        let largest = self.largest.entry(what).or_default();
        *largest = size.max(*largest);
    }

    pub(super) fn add(&mut self, other: &WorldTally) {
        other.counts.iter().for_each(|(what, times)| self.count_many(what, *times));
        other.largest.iter().for_each(|(what, size)| self.note_size(what, *size));
    }

    /// What has happened, and how often.
    pub(super) fn counts(&self) -> impl Iterator<Item = (&str, u64)> {
        self.counts.iter().map(|(what, times)| (what.as_str(), *times))
    }

    /// The largest sizes of what is bounded.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (&str, usize)> {
        self.largest.iter().map(|(what, size)| (*what, *size))
    }

    pub(super) fn of(&self, what: &str) -> u64 {
        self.counts.get(what).copied().unwrap_or_default()
    }
}

/// The order of everything that happens in a world, as one number. Two runs of a seed have the same.
pub(super) struct Trace {
    hash: u64,
    /// Whether each line is printed.
    prints: bool,
}

impl Trace {
    pub(super) fn new() -> Trace {
        Trace { hash: 0xcbf2_9ce4_8422_2325, prints: std::env::var_os("GHINDA_TRACE").is_some() }
    }

    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// Notes a line. FNV-1a is enough for an equality of two runs of one program.
    pub(super) fn note(&mut self, at: u64, what: fmt::Arguments<'_>) {
        let line = format!("{at:>7} {what}");
        for byte in line.bytes() {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        if self.prints {
            let end = line.floor_char_boundary(220);
            println!("{}", &line[..end]);
        }
    }
}
