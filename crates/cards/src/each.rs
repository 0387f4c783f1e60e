//! Seats and sides, and one value for each of them.

use core::fmt;
use core::marker::PhantomData;
use core::ops;

/// The maximum number of seats at a table of any game.
pub const MAX_SEATS: usize = 6;

/// A place at the table, counted from 0 in the order of play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Seat(u8);

/// The players who score together: a team, or a lone player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Side(u8);

/// An index from 0 to below [`MAX_SEATS`].
pub trait Index: Copy {
    /// The value with this index, or `None` if the index is too large.
    fn nth(index: usize) -> Option<Self>;
    /// Its index.
    fn index(self) -> usize;
}

macro_rules! index {
    ($name:ident, $word:literal) => {
        impl $name {
            /// The `index`-th, counted from 0.
            #[inline]
            pub const fn new(index: usize) -> Option<$name> {
                if index < MAX_SEATS { Some($name(index as u8)) } else { None }
            }

            /// The one with this number, counted from 1.
            #[inline]
            pub const fn from_number(number: usize) -> Option<$name> {
                match number.checked_sub(1) {
                    Some(index) => $name::new(index),
                    None => None,
                }
            }

            /// Its index, counted from 0.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// Its number, counted from 1.
            #[inline]
            pub const fn number(self) -> usize {
                self.0 as usize + 1
            }

            /// The first `count` of them.
            pub fn first(count: usize) -> impl DoubleEndedIterator<Item = $name> + Clone {
                (0..count.min(MAX_SEATS) as u8).map($name)
            }
        }

        impl Index for $name {
            fn nth(index: usize) -> Option<$name> {
                $name::new(index)
            }
            #[inline]
            fn index(self) -> usize {
                $name::index(self)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($word, " {}"), self.number())
            }
        }
    };
}

index!(Seat, "seat");
index!(Side, "side");

impl Seat {
    /// The seat that plays after this one at a table of `players`.
    #[inline]
    #[must_use]
    pub const fn next(self, players: usize) -> Seat {
        self.after(1, players)
    }

    /// The seat `steps` further on; `steps` is at most `players`.
    #[inline]
    #[must_use]
    pub const fn after(self, steps: usize, players: usize) -> Seat {
        let at = self.0 as usize + steps;
        Seat(if at >= players { at - players } else { at } as u8)
    }

    /// The seat that plays before this one.
    #[inline]
    #[must_use]
    pub const fn previous(self, players: usize) -> Seat {
        self.after(players - 1, players)
    }

    /// The number of steps from `other` to this seat.
    #[inline]
    pub const fn steps_from(self, other: Seat, players: usize) -> usize {
        let (own, from) = (self.0 as usize, other.0 as usize);
        if own >= from { own - from } else { own + players - from }
    }
}

impl Side {
    /// The side of a seat that plays for itself.
    #[inline]
    pub const fn alone(seat: Seat) -> Side {
        Side(seat.0)
    }

    /// The side of a seat whose partner sits opposite at a table of four.
    #[inline]
    pub const fn with_opposite(seat: Seat) -> Side {
        Side(seat.0 & 1)
    }
}

/// One value for each of some seats or sides.
#[derive(Clone, Copy)]
pub struct Each<I, T> {
    values: [T; MAX_SEATS],
    count: u8,
    index: PhantomData<I>,
}

/// One value for each seat.
pub type BySeat<T> = Each<Seat, T>;
/// One value for each side.
pub type BySide<T> = Each<Side, T>;

impl<I: Index, T: Copy + Default> Each<I, T> {
    /// The same value `count` times; at most [`MAX_SEATS`].
    #[inline]
    pub fn filled(value: T, count: usize) -> Each<I, T> {
        Each { values: [value; MAX_SEATS], count: count.min(MAX_SEATS) as u8, index: PhantomData }
    }

    /// Computes each value from its index.
    #[inline]
    pub fn from_fn(count: usize, mut value: impl FnMut(I) -> T) -> Each<I, T> {
        let mut each = Each::filled(T::default(), count);
        for (at, slot) in each.values.iter_mut().enumerate().take(count) {
            if let Some(index) = I::nth(at) {
                *slot = value(index);
            }
        }
        each
    }

    /// The first `count` of these values.
    #[inline]
    pub fn from_padded(values: [T; MAX_SEATS], count: usize) -> Each<I, T> {
        Each { values, count: count.min(MAX_SEATS) as u8, index: PhantomData }
    }

    /// The values in order, or `None` if there are more than [`MAX_SEATS`].
    pub fn from_slice(values: &[T]) -> Option<Each<I, T>> {
        let mut each = Each::filled(T::default(), values.len());
        (values.len() <= MAX_SEATS).then(|| {
            each.values[..values.len()].copy_from_slice(values);
            each
        })
    }

    /// Applies a function to each value.
    pub fn map<U: Copy + Default>(&self, mut change: impl FnMut(T) -> U) -> Each<I, U> {
        Each::from_fn(self.len(), |index: I| change(self[index]))
    }
}

impl<I: Index, T> Each<I, T> {
    /// How many there are.
    #[inline]
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The values in order.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.values[..self.count as usize]
    }

    /// The values in order.
    pub fn iter(&self) -> core::slice::Iter<'_, T> {
        self.as_slice().iter()
    }

    /// The values in order, then unspecified values up to [`MAX_SEATS`].
    #[inline]
    pub const fn padded(&self) -> [T; MAX_SEATS]
    where
        T: Copy,
    {
        self.values
    }

    /// The values in order, each with its seat or side.
    pub fn entries(&self) -> impl Iterator<Item = (I, &T)> {
        self.iter().enumerate().filter_map(|(at, value)| Some((I::nth(at)?, value)))
    }
}

impl<I: Index, T> ops::Index<I> for Each<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, index: I) -> &T {
        &self.as_slice()[index.index()]
    }
}

impl<I: Index, T> ops::IndexMut<I> for Each<I, T> {
    #[inline]
    fn index_mut(&mut self, index: I) -> &mut T {
        &mut self.values[..self.count as usize][index.index()]
    }
}

impl<I: Index, T: PartialEq> PartialEq for Each<I, T> {
    fn eq(&self, other: &Each<I, T>) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<I: Index, T: Eq> Eq for Each<I, T> {}

impl<I: Index, T: Copy + Default> Default for Each<I, T> {
    fn default() -> Each<I, T> {
        Each::filled(T::default(), 0)
    }
}

impl<I: Index, T: fmt::Debug> fmt::Debug for Each<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_follow_each_other_in_a_circle() {
        for players in 2..=MAX_SEATS {
            for seat in Seat::first(players) {
                assert_eq!(seat.next(players).previous(players), seat);
                assert_eq!(seat.after(players, players), seat);
                for steps in 0..players {
                    assert_eq!(seat.after(steps, players).steps_from(seat, players), steps);
                }
            }
        }
        assert_eq!(Seat::new(MAX_SEATS), None);
    }

    #[test]
    fn each_holds_one_value_per_seat() {
        let squares: BySeat<usize> = BySeat::from_fn(4, |seat: Seat| seat.index() * seat.index());
        assert_eq!(squares.as_slice(), [0, 1, 4, 9]);
        assert_eq!(squares.map(|n| n + 1).as_slice(), [1, 2, 5, 10]);
        assert_eq!(BySeat::from_slice(&[0, 1, 4, 9]), Some(squares));
        assert_eq!(BySeat::<u8>::from_slice(&[0; 7]), None);
    }
}
