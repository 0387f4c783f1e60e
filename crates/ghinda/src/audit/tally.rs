//! What is counted in the deals of one game. Counts are sums: threads count apart and add them up, so
//! that their number does not change the result.

use anyhow::Result;
use cards::Card;
use game::Rules;

use super::dealing::{AuditedDeal, AuditedMatch, PackSource};
use super::laws;
use super::order::Order;

/// How many groups the first bits of a commitment make.
pub(super) const COMMITMENT_GROUPS: usize = 16;

/// A matrix of counts.
#[derive(Clone)]
pub(super) struct Grid {
    width: usize,
    cells: Vec<u64>,
}

impl Grid {
    pub(super) fn new(height: usize, width: usize) -> Grid {
        Grid { width, cells: vec![0; height * width] }
    }

    pub(super) fn add(&mut self, row: impl Into<usize>, column: impl Into<usize>) {
        self.cells[row.into() * self.width + column.into()] += 1;
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[u64]> {
        self.cells.chunks(self.width)
    }

    pub(super) fn at(&self, row: usize, column: usize) -> u64 {
        self.cells[row * self.width + column]
    }

    /// All counts, row by row.
    pub(super) fn cells(&self) -> &[u64] {
        &self.cells
    }

    fn merge(&mut self, other: &Grid) {
        self.cells.iter_mut().zip(&other.cells).for_each(|(count, more)| *count += more);
    }
}

/// The bits of some 256-bit values.
#[derive(Clone)]
pub(super) struct BitTally {
    pub(super) values: u64,
    /// How often each of the 256 bits is set.
    pub(super) set: Vec<u64>,
    /// How often each byte occurs.
    pub(super) bytes: Vec<u64>,
}

impl BitTally {
    pub(super) fn new() -> BitTally {
        BitTally { values: 0, set: vec![0; 256], bytes: vec![0; 256] }
    }

    fn add(&mut self, value: &[u8; 32]) {
        self.values += 1;
        for (at, byte) in value.iter().enumerate() {
            self.bytes[usize::from(*byte)] += 1;
            for bit in 0..8 {
                self.set[8 * at + bit] += u64::from(byte >> bit & 1);
            }
        }
    }

    pub(super) fn merge(&mut self, other: &BitTally) {
        self.values += other.values;
        let pairs = self.set.iter_mut().zip(&other.set);
        pairs.chain(self.bytes.iter_mut().zip(&other.bytes)).for_each(|(own, more)| *own += more);
    }
}

/// Where cards go in deals of one size.
#[derive(Clone)]
pub(super) struct SizeTally {
    /// How many cards each seat gets.
    pub(super) cards_each: usize,
    /// Card by seat; the last column is for cards that no seat gets.
    pub(super) seats: Grid,
    /// Seat by shape of its hand.
    pub(super) shapes: Grid,
}

/// All counts of one game.
#[derive(Clone)]
pub(super) struct GameTally {
    pub(super) rules: Rules,
    pub(super) cards: usize,
    pub(super) matches: u64,
    pub(super) deals: u64,
    /// Pairs of consecutive deals, and of deals with the same number at consecutive tables.
    pub(super) deal_pairs: u64,
    pub(super) table_pairs: u64,
    /// Card by position.
    pub(super) positions: Grid,
    /// Card by the card under it; under the last card lies the first.
    pub(super) neighbours: Grid,
    /// Position of a card by its position in the next deal.
    pub(super) next_deal: Grid,
    /// Position of a card by its position in the same deal of the next table.
    pub(super) next_table: Grid,
    /// First bits of the commitment by the first card.
    pub(super) commitments: Grid,
    /// Card by place in the stock; the last column is for all other cards.
    pub(super) stock: Grid,
    /// How often each card is turned up.
    pub(super) turned: Grid,
    /// How often each seat is drawn to bid first.
    pub(super) first_seats: Grid,
    /// Fixed points, ascending runs, rising sequences, longest run, cycles and the length of the
    /// cycle of the lowest card: how often each number occurs.
    pub(super) orders: [Grid; 6],
    pub(super) sizes: Vec<SizeTally>,
    /// The bits of the secrets, of the commitments and of the seeds.
    pub(super) bits: [BitTally; 3],
    /// The first 64 bits of every secret, to find one that is drawn twice.
    pub(super) secret_heads: Vec<u64>,
}

impl GameTally {
    pub(super) fn new(rules: Rules) -> GameTally {
        let (cards, players) = (rules.pack().cards().len(), rules.players());
        let square = Grid::new(cards, cards);
        GameTally {
            rules,
            cards,
            matches: 0,
            deals: 0,
            deal_pairs: 0,
            table_pairs: 0,
            positions: square.clone(),
            neighbours: square.clone(),
            next_deal: square.clone(),
            next_table: square,
            commitments: Grid::new(COMMITMENT_GROUPS, cards),
            stock: Grid::new(cards, rules.stock() + 1),
            turned: Grid::new(1, cards),
            first_seats: Grid::new(1, players),
            orders: std::array::from_fn(|_| Grid::new(1, cards + 1)),
            sizes: Vec::new(),
            bits: std::array::from_fn(|_| BitTally::new()),
            secret_heads: Vec::new(),
        }
    }

    /// Counts matches, each at a table of its own.
    pub(super) fn add_matches(
        &mut self,
        source: &dyn PackSource,
        numbers: std::ops::Range<u64>,
    ) -> Result<()> {
        let mut previous: Vec<Order> = Vec::new();
        for number in numbers {
            let audited = AuditedMatch::new(self.rules, source, number)?;
            self.add_match(&audited);
            let mut orders: Vec<Order> = Vec::new();
            while let Some(deal) = audited.deal(source, orders.len())? {
                let order = Order::new(&self.numbers(&deal.pack));
                self.add_order(&order);
                self.add_hands(&deal);
                let group = usize::from(audited.commitment.0[0]) * COMMITMENT_GROUPS / 256;
                self.commitments.add(group, order.cards()[0]);
                if let Some(before) = orders.last() {
                    self.deal_pairs += 1;
                    add_moves(&mut self.next_deal, before, &order);
                }
                if let Some(beside) = previous.get(orders.len()) {
                    self.table_pairs += 1;
                    add_moves(&mut self.next_table, beside, &order);
                }
                orders.push(order);
            }
            previous = orders;
        }
        Ok(())
    }

    fn add_match(&mut self, audited: &AuditedMatch) {
        self.matches += 1;
        self.first_seats.add(0usize, audited.first_seat().index());
        let values = [&audited.secret.0, &audited.commitment.0, &audited.seed.0];
        self.bits.iter_mut().zip(values).for_each(|(bits, value)| bits.add(value));
        let [head, ..] = *audited.secret.0.as_chunks::<8>().0 else { return };
        self.secret_heads.push(u64::from_be_bytes(head));
    }

    fn add_order(&mut self, order: &Order) {
        self.deals += 1;
        for (position, card) in order.cards().iter().enumerate() {
            self.positions.add(*card, position);
        }
        let below = order.cards().iter().cycle().skip(1);
        for (card, below) in order.cards().iter().zip(below) {
            self.neighbours.add(*card, *below);
        }
        let numbers = [
            order.fixed_points(),
            order.ascending_runs(),
            order.rising_sequences(),
            order.longest_run(),
            order.cycles(),
            order.first_cycle(),
        ];
        for (grid, number) in self.orders.iter_mut().zip(numbers) {
            grid.add(0usize, number);
        }
    }

    fn add_hands(&mut self, deal: &AuditedDeal) {
        let (cards, players) = (self.cards, self.rules.players());
        let number = card_numbers(&self.rules);
        let known = self.sizes.iter().position(|size| size.cards_each == deal.cards_each);
        let at = known.unwrap_or_else(|| {
            self.sizes.push(SizeTally {
                cards_each: deal.cards_each,
                seats: Grid::new(cards, players + 1),
                shapes: Grid::new(players, laws::SHAPES),
            });
            self.sizes.len() - 1
        });
        let size = &mut self.sizes[at];
        let mut left = self.rules.pack().cards();
        for (seat, hand) in deal.hands.entries() {
            size.shapes.add(seat.index(), laws::shape(*hand));
            hand.iter().for_each(|card| size.seats.add(number(card), seat.index()));
            left -= *hand;
        }
        left.iter().for_each(|card| size.seats.add(number(card), players));
        if let Some(card) = deal.turned {
            self.turned.add(0usize, number(card));
        }
        if !deal.stock.is_empty() {
            for card in self.rules.pack().cards() {
                let place = deal.stock.iter().position(|drawn| *drawn == card);
                self.stock.add(number(card), place.unwrap_or(deal.stock.len()));
            }
        }
    }

    fn numbers(&self, pack: &[Card]) -> Vec<u8> {
        let number = card_numbers(&self.rules);
        pack.iter().map(|card| number(*card)).collect()
    }

    /// Adds the counts of another thread.
    pub(super) fn merge(&mut self, mut other: GameTally) {
        self.matches += other.matches;
        self.deals += other.deals;
        self.deal_pairs += other.deal_pairs;
        self.table_pairs += other.table_pairs;
        self.bits.iter_mut().zip(&other.bits).for_each(|(bits, more)| bits.merge(more));
        self.secret_heads.append(&mut other.secret_heads);
        for (own, more) in self.grids().into_iter().zip(other.grids()) {
            own.merge(more);
        }
        for size in other.sizes {
            match self.sizes.iter_mut().find(|own| own.cards_each == size.cards_each) {
                None => self.sizes.push(size),
                Some(own) => {
                    own.seats.merge(&size.seats);
                    own.shapes.merge(&size.shapes);
                }
            }
        }
        self.sizes.sort_by_key(|size| size.cards_each);
    }

    fn grids(&mut self) -> Vec<&mut Grid> {
        let grids = [
            &mut self.positions,
            &mut self.neighbours,
            &mut self.next_deal,
            &mut self.next_table,
            &mut self.commitments,
            &mut self.stock,
            &mut self.turned,
            &mut self.first_seats,
        ];
        grids.into_iter().chain(&mut self.orders).collect()
    }
}

/// Counts where each card goes from one deal to another. From fair deals it is a permutation of the
/// positions in which all are equally likely.
fn add_moves(grid: &mut Grid, from: &Order, to: &Order) {
    for (before, after) in from.positions().iter().zip(to.positions()) {
        grid.add(*before, *after);
    }
}

/// The number of each card: how many cards of the sorted pack lie before it.
fn card_numbers(rules: &Rules) -> impl Fn(Card) -> u8 + use<> {
    let pack = rules.pack().cards().bits();
    move |card| (pack & ((1 << card.index()) - 1)).count_ones() as u8
}
