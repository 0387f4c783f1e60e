//! Reproducible choices for the tests.

use game::deal::Seed;

/// SplitMix64: turns a number into a stream of choices.
#[derive(Clone, Debug)]
pub struct Lot(pub u64);

#[allow(dead_code, reason = "each test uses a part of it")]
impl Lot {
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.draw() % bound as u64) as usize
    }

    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    pub fn seed(&mut self) -> Seed {
        let mut bytes = [0; 32];
        bytes.chunks_mut(8).for_each(|chunk| chunk.copy_from_slice(&self.draw().to_le_bytes()));
        Seed(bytes)
    }
}
