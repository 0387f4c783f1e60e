//! Cards, sets of cards, packs and seats.
//!
//! Everything here is a small `Copy` value without heap or `std`. The crate
//! knows no game: points, trumps and legal plays are decided elsewhere.
//!
//! ```
//! use cards::{Card, CardSet, Rank, Suit};
//!
//! let ace = Card::new(Rank::Ace, Suit::Leaf);
//! let hand: CardSet = [ace, Card::new(Rank::Nine, Suit::Bell)].into_iter().collect();
//! assert!(hand.contains(ace));
//! assert_eq!(hand.in_suit(Suit::Leaf).highest(), Some(ace));
//! ```
#![no_std]

mod card;
mod each;
mod pack;
mod set;

pub use card::{Card, Rank, Suit};
pub use each::{BySeat, BySide, Each, Index, MAX_SEATS, Seat, Side};
pub use pack::Pack;
pub use set::CardSet;
