//! The transposition table of a search.
//!
//! The table has a fixed size. A slot holds the whole key, not only a hash of it,
//! so a found entry always belongs to the position. A newer position overwrites an
//! older one. A lost entry costs time and never changes a result.

/// How many bits a key may have; the rest of a tag is the era.
pub(crate) const KEY_BITS: u32 = 52;
const ERAS: u64 = 1 << (64 - KEY_BITS);

#[derive(Clone, Copy)]
struct Slot<T> {
    /// The key in the low bits, the era in the high bits; 0 is never a tag.
    tag: u64,
    known: T,
}

/// A fixed number of slots.
#[derive(Clone)]
pub(crate) struct TranspositionTable<T> {
    slots: Box<[Slot<T>]>,
    /// How many of them are in use, less one.
    mask: usize,
    era: u64,
}

/// The slot and tag of a position.
#[derive(Clone, Copy)]
pub(crate) struct TableSlot {
    at: usize,
    tag: u64,
}

impl<T: Copy + Default> TranspositionTable<T> {
    /// A table of two to the `bits` slots.
    pub(crate) fn new(bits: u32) -> TranspositionTable<T> {
        let empty = Slot { tag: 0, known: T::default() };
        TranspositionTable { slots: vec![empty; 1 << bits].into(), mask: (1 << bits) - 1, era: 0 }
    }

    /// Forgets everything, mostly without touching the slots.
    pub(crate) fn clear(&mut self) {
        self.era += 1;
        if self.era == ERAS {
            self.era = 1;
            self.slots.iter_mut().for_each(|slot| slot.tag = 0);
        }
    }

    /// Forgets everything and uses only two to the `bits` slots from now on: a short
    /// search is faster if its table fits the cache.
    pub(crate) fn clear_within(&mut self, bits: u32) {
        self.clear();
        self.mask = (1 << bits).min(self.slots.len()) - 1;
    }

    /// The entry of a position, and the slot to store a new entry.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> (TableSlot, Option<T>) {
        self.probe_salted(key, 0)
    }

    /// As [`probe`](TranspositionTable::probe) for a key that alone does not identify a position:
    /// the entry may belong to another salt, which the caller must compare.
    #[inline]
    pub(crate) fn probe_salted(&self, key: u64, salt: u32) -> (TableSlot, Option<T>) {
        debug_assert!(key < 1 << KEY_BITS && self.era > 0);
        let spread = (key ^ u64::from(salt) << 20).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let at = (spread >> 40) as usize & self.mask;
        let place = TableSlot { at, tag: key | self.era << KEY_BITS };
        let slot = &self.slots[at];
        (place, (slot.tag == place.tag).then_some(slot.known))
    }

    #[inline]
    pub(crate) fn store(&mut self, place: TableSlot, known: T) {
        self.slots[place.at] = Slot { tag: place.tag, known };
    }
}
