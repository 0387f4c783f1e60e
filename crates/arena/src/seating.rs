//! Seatings: every deal is played once for each way of seating two bots, so that neither has the
//! better cards.

use cards::{BySide, Seat, Side};
use game::Rules;

/// One of the two bots that are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum BotSide {
    #[default]
    A,
    B,
}

impl BotSide {
    pub(crate) const BOTH: [BotSide; 2] = [BotSide::A, BotSide::B];

    pub(crate) const fn index(self) -> usize {
        self as usize
    }
}

/// Which bot plays for each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Seating {
    rules: Rules,
    sides: BySide<BotSide>,
}

impl Seating {
    /// All ways to give half of the sides to each bot; if the number of sides is odd, one bot has
    /// one more and then the other.
    ///
    /// Every seating has its counterpart in which the bots have changed places, and every two seats
    /// are opposed equally often. So two bots that play alike get the same result with any cards,
    /// and neither gains by always sitting behind the other.
    pub(crate) fn all(rules: &Rules) -> Vec<Seating> {
        let sides = rules.sides();
        let halves = [sides / 2, sides.div_ceil(2)];
        // A has the first side; the counterpart gives it to B.
        let firsts = (1_u32..1 << sides).step_by(2);
        firsts
            .filter(|set| halves.contains(&(set.count_ones() as usize)))
            .flat_map(|set| [set, !set])
            .map(|set| Seating::of(rules, set))
            .collect()
    }

    /// A plays for the sides whose bits are set.
    fn of(rules: &Rules, set: u32) -> Seating {
        let who = |side: Side| if set >> side.index() & 1 == 1 { BotSide::A } else { BotSide::B };
        Seating { rules: *rules, sides: BySide::from_fn(rules.sides(), who) }
    }

    /// The bot on a seat.
    pub(crate) fn at(&self, seat: Seat) -> BotSide {
        self.sides[self.rules.side_of(seat)]
    }

    /// The bot that plays for a side.
    pub(crate) fn of_side(&self, side: Side) -> BotSide {
        self.sides[side]
    }

    /// The seats of a bot.
    pub(crate) fn seats(&self, who: BotSide) -> Vec<Seat> {
        Seat::first(self.rules.players()).filter(|seat| self.at(*seat) == who).collect()
    }

    /// How much better A did: the mean of its sides less the mean of B's, in parts of
    /// [`Seating::parts`], so that nothing is rounded.
    pub(crate) fn lead(&self, values: &BySide<i64>) -> i64 {
        let of =
            |who| self.sides.iter().zip(values.iter()).filter(move |(whose, _)| **whose == who);
        let sum = |who| of(who).map(|(_, value)| value).sum::<i64>();
        let count = |who| of(who).count() as i64;
        sum(BotSide::A) * count(BotSide::B) - sum(BotSide::B) * count(BotSide::A)
    }

    /// What 1 is worth in a [`Seating::lead`].
    pub(crate) fn parts(rules: &Rules) -> i64 {
        let sides = rules.sides();
        (sides / 2 * sides.div_ceil(2)) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(code: &str) -> Rules {
        Rules::from_code(code).expect("a code")
    }

    #[test]
    fn halves_are_exchanged_and_every_pair_is_opposed_equally_often() {
        let counts = [
            ("cruce2", 2),
            ("cruce4t", 2),
            ("cruce3", 6),
            ("cruce4s", 6),
            ("whist3", 6),
            ("whist4", 6),
            ("whist5", 20),
            ("whist6", 20),
        ];
        for (code, count) in counts {
            let rules = rules(code);
            let all = Seating::all(&rules);
            assert_eq!(all.len(), count, "{code}");
            for pair in all.chunks(2) {
                assert!(
                    Seat::first(rules.players()).all(|seat| pair[0].at(seat) != pair[1].at(seat))
                );
            }
            let mut opposed = Vec::new();
            for (one, other) in (0..rules.sides()).flat_map(|i| (0..i).map(move |j| (i, j))) {
                let who = |seating: &Seating, at| seating.of_side(Side::new(at).expect("a side"));
                opposed.push(all.iter().filter(|s| who(s, one) != who(s, other)).count());
            }
            assert!(opposed.iter().all(|count| *count == opposed[0]), "{code}: {opposed:?}");
        }
    }

    #[test]
    fn the_cards_alone_give_no_bot_a_lead() {
        for code in ["cruce2", "cruce3", "cruce4t", "whist5", "whist6"] {
            let rules = rules(code);
            let luck =
                BySide::from_fn(rules.sides(), |side: Side| (side.index() as i64).pow(3) - 7);
            let leads: Vec<i64> = Seating::all(&rules).iter().map(|s| s.lead(&luck)).collect();
            assert!(leads.iter().any(|lead| *lead != 0), "{code}");
            assert_eq!(leads.iter().sum::<i64>(), 0, "{code}");
        }
    }

    #[test]
    fn a_lead_is_a_difference_of_means() {
        let rules = rules("whist3");
        let values = BySide::from_slice(&[6, -1, 8]).expect("three");
        let seating = Seating::of(&rules, 0b101);
        assert_eq!(seating.seats(BotSide::B).len(), 1);
        // (6 + 8) / 2 - -1 is 8.
        assert_eq!(seating.lead(&values), 8 * Seating::parts(&rules));
    }
}
