//! What a search remembers of the positions it has met.
//!
//! The memory has a fixed size. A slot holds the whole key, never only a hash
//! of it, so what is found is what was stored; a newer position takes the slot
//! of an older one. Forgetting costs time and never changes an answer.

/// How many bits a key may have; the rest of a tag is the era.
pub(crate) const KEY_BITS: u32 = 52;
const ERAS: u64 = 1 << (64 - KEY_BITS);

#[derive(Clone, Copy)]
struct Slot<T> {
    /// The key below, the era above; nought is never a tag.
    tag: u64,
    known: T,
}

/// A fixed number of slots.
#[derive(Clone)]
pub(crate) struct Memory<T> {
    slots: Box<[Slot<T>]>,
    /// How many of them are in use, less one.
    mask: usize,
    era: u64,
}

/// Where a position was looked for.
#[derive(Clone, Copy)]
pub(crate) struct Probe {
    at: usize,
    tag: u64,
}

impl<T: Copy + Default> Memory<T> {
    /// A memory of two to the `bits` slots.
    pub(crate) fn new(bits: u32) -> Memory<T> {
        let empty = Slot { tag: 0, known: T::default() };
        Memory { slots: vec![empty; 1 << bits].into(), mask: (1 << bits) - 1, era: 0 }
    }

    /// Forgets everything, mostly without touching it.
    pub(crate) fn forget(&mut self) {
        self.era += 1;
        if self.era == ERAS {
            self.era = 1;
            self.slots.iter_mut().for_each(|slot| slot.tag = 0);
        }
    }

    /// The same, to go on with only two to the `bits` slots: a short search is faster
    /// where all it remembers stays near.
    pub(crate) fn forget_within(&mut self, bits: u32) {
        self.forget();
        self.mask = (1 << bits).min(self.slots.len()) - 1;
    }

    /// What is known of a position, and where to keep what will be learnt.
    #[inline]
    pub(crate) fn recall(&self, key: u64) -> (Probe, Option<T>) {
        self.recall_salted(key, 0)
    }

    /// The same for a key that alone does not tell positions apart: what is
    /// found may belong to another salt, which the caller has to compare.
    #[inline]
    pub(crate) fn recall_salted(&self, key: u64, salt: u32) -> (Probe, Option<T>) {
        debug_assert!(key < 1 << KEY_BITS && self.era > 0);
        let spread = (key ^ u64::from(salt) << 20).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let at = (spread >> 40) as usize & self.mask;
        let place = Probe { at, tag: key | self.era << KEY_BITS };
        let slot = &self.slots[at];
        (place, (slot.tag == place.tag).then_some(slot.known))
    }

    #[inline]
    pub(crate) fn keep(&mut self, place: Probe, known: T) {
        self.slots[place.at] = Slot { tag: place.tag, known };
    }
}
