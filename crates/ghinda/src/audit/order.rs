//! The order of a shuffled pack as a permutation, and what is counted in it.

/// No pack has more cards.
const MOST: usize = 48;

/// Where the cards of a pack lie. Cards are numbers by their place in the sorted pack.
pub(super) struct Order {
    cards: usize,
    /// The card at each position.
    at: [u8; MOST],
    /// The position of each card.
    position: [u8; MOST],
}

impl Order {
    /// The order of cards that are all different and less than their number.
    pub(super) fn new(cards: &[u8]) -> Order {
        let mut order = Order { cards: cards.len(), at: [0; MOST], position: [0; MOST] };
        for (position, card) in cards.iter().enumerate() {
            order.at[position] = *card;
            order.position[usize::from(*card)] = position as u8;
        }
        order
    }

    /// The cards from the top of the pack down.
    pub(super) fn cards(&self) -> &[u8] {
        &self.at[..self.cards]
    }

    /// The position of each card.
    pub(super) fn positions(&self) -> &[u8] {
        &self.position[..self.cards]
    }

    /// How many cards lie where they lay in the sorted pack.
    pub(super) fn fixed_points(&self) -> usize {
        (0u8..).zip(self.cards()).filter(|(position, card)| position == *card).count()
    }

    /// How many runs of ascending cards follow each other.
    pub(super) fn ascending_runs(&self) -> usize {
        runs(self.cards())
    }

    /// How many sequences of the sorted pack can still be read from the top down. A riffle leaves few.
    pub(super) fn rising_sequences(&self) -> usize {
        runs(self.positions())
    }

    /// The length of the longest ascending run.
    pub(super) fn longest_run(&self) -> usize {
        let (mut longest, mut length) = (1, 1);
        for pair in self.cards().windows(2) {
            length = if pair[0] < pair[1] { length + 1 } else { 1 };
            longest = longest.max(length);
        }
        longest
    }

    /// How many cycles the order has.
    pub(super) fn cycles(&self) -> usize {
        let (mut seen, mut cycles) = (0u64, 0);
        for start in 0..self.cards {
            cycles += usize::from(seen >> start & 1 == 0);
            let mut at = start;
            while seen >> at & 1 == 0 {
                seen |= 1 << at;
                at = usize::from(self.at[at]);
            }
        }
        cycles
    }

    /// The length of the cycle with the lowest card, which is uniform.
    pub(super) fn first_cycle(&self) -> usize {
        let (mut length, mut at) = (1, self.at[0]);
        while at != 0 {
            at = self.at[usize::from(at)];
            length += 1;
        }
        length
    }
}

fn runs(numbers: &[u8]) -> usize {
    1 + numbers.windows(2).filter(|pair| pair[0] > pair[1]).count()
}
