//! The current state of the sheet: the valid lines, and what follows from each.

use cards::{BySeat, BySide, Seat, Side};
use game::cruce::{self, Contract, Penalty};
use game::record::Name;
use game::{Rules, whist};

use super::{Setup, SheetChange, SheetLine};

/// A line and what follows from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageRow {
    /// The content of the line.
    pub line: SheetLine,
    /// Its earlier versions, the oldest first.
    pub before: Vec<SheetLine>,
    /// The seat that bid first.
    pub first: Seat,
    /// The number of cards dealt to each player.
    pub cards_each: usize,
    /// Whether it counts. If an edit makes the match end at an earlier line, the later lines have no
    /// effect.
    pub counts: bool,
    /// The change of the scores by the deal (C11, C15, W6).
    pub change: BySide<i16>,
    /// The prizes (W7).
    pub prize: BySide<i16>,
    /// The runs of right and wrong bids after it (W7); zeros in Cruce.
    pub runs: BySeat<i8>,
    /// The scores after it.
    pub total: BySide<i32>,
}

impl PageRow {
    /// The dealer of the line.
    pub fn dealer(&self) -> Seat {
        self.first.previous(self.runs.len())
    }
}

/// The valid part of all that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SheetPage {
    pub(super) names: Vec<Name>,
    pub(super) rows: Vec<PageRow>,
    /// The bids of the next line (W4).
    pub(super) bids: Vec<u8>,
    /// The contract of the next line (C6).
    pub(super) contract: Option<Contract>,
    /// The winners, once a line has ended the match.
    pub(super) won: Option<BySide<bool>>,
    zero: BySide<i32>,
}

/// The bids and the contract of the next line.
type Bidding = (Vec<u8>, Option<Contract>);

/// What a change has replaced on the page, so that it is undone without writing all others again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Replaced {
    /// A bid was added to those of the next line.
    NoBid,
    /// The contract of the next line.
    Contract(Option<Contract>),
    /// The bidding that a new line has completed.
    Bidding(Bidding),
    /// What an edit has replaced.
    Line {
        /// The index of the line.
        at: usize,
        /// Its earlier version, unless it was the same.
        line: Option<SheetLine>,
        /// The bidding that became void because the match is over.
        voided: Option<Bidding>,
    },
    /// The name of a player.
    Name(Seat, Name),
}

impl SheetPage {
    pub(super) fn new(setup: &Setup) -> SheetPage {
        SheetPage {
            names: setup.names.clone(),
            rows: Vec::new(),
            bids: Vec::new(),
            contract: None,
            won: None,
            zero: BySide::filled(0, setup.rules.sides()),
        }
    }

    /// The seat that bids first on the next line: the deal passes on after every line (C4, C6, C15, W2).
    pub(super) fn first(&self, setup: &Setup) -> Seat {
        let players = setup.rules.players();
        setup.dealer.next(players).after(self.rows.len() % players, players)
    }

    pub(super) fn total(&self) -> BySide<i32> {
        self.rows.last().map_or(self.zero, |row| row.total)
    }

    /// Applies a change that was checked, and returns what it has replaced. An undo is no change of its own.
    pub(super) fn write(&mut self, setup: &Setup, change: &SheetChange) -> Option<Replaced> {
        Some(match change {
            SheetChange::Bid(bid) => {
                self.bids.push(*bid);
                Replaced::NoBid
            }
            SheetChange::Declare(contract) => Replaced::Contract(self.contract.replace(*contract)),
            SheetChange::Write(line) => {
                self.add(setup, *line);
                Replaced::Bidding(self.take_bidding())
            }
            SheetChange::Edit { line, to } => self.edit(&setup.rules, *line, *to),
            SheetChange::Rename { seat, name } => {
                let old = core::mem::replace(&mut self.names[seat.index()], name.clone());
                Replaced::Name(*seat, old)
            }
            SheetChange::Undo => return None,
        })
    }

    /// Puts back what the last change has replaced.
    pub(super) fn restore(&mut self, rules: &Rules, replaced: Replaced) {
        match replaced {
            Replaced::NoBid => {
                self.bids.pop();
            }
            Replaced::Contract(contract) => self.contract = contract,
            Replaced::Bidding((bids, contract)) => {
                self.rows.pop();
                // Lines are added only while nobody has won.
                (self.bids, self.contract, self.won) = (bids, contract, None);
            }
            Replaced::Line { at, line, voided } => {
                if let Some(line) = line {
                    self.rows[at].line = line;
                    self.rows[at].before.pop();
                    self.compute_again(rules, at);
                }
                if let Some((bids, contract)) = voided {
                    (self.bids, self.contract) = (bids, contract);
                }
            }
            Replaced::Name(seat, name) => self.names[seat.index()] = name,
        }
    }

    fn take_bidding(&mut self) -> Bidding {
        (core::mem::take(&mut self.bids), self.contract.take())
    }

    /// Edits a line and computes what follows from it again, because the match may now end elsewhere.
    fn edit(&mut self, rules: &Rules, at: usize, to: SheetLine) -> Replaced {
        let row = &mut self.rows[at];
        let line = (row.line != to).then_some(row.line);
        if let Some(line) = line {
            row.before.push(line);
            row.line = to;
            self.compute_again(rules, at);
        }
        // Bids of the next line are void: there is no next line any more.
        let voided = self.won.is_some().then(|| self.take_bidding());
        Replaced::Line { at, line, voided }
    }

    fn add(&mut self, setup: &Setup, line: SheetLine) {
        let rules = &setup.rules;
        let none = BySide::filled(0, rules.sides());
        let at = self.rows.len();
        self.rows.push(PageRow {
            line,
            before: Vec::new(),
            first: self.first(setup),
            cards_each: rules.cards_each(at).unwrap_or_default(),
            counts: false,
            change: none,
            prize: none,
            runs: BySeat::filled(0, rules.players()),
            total: self.zero,
        });
        self.compute_from(rules, at);
    }

    /// Computes again what follows from a line that was changed. A line that does not count has no effect.
    fn compute_again(&mut self, rules: &Rules, from: usize) {
        if self.rows[from].counts {
            // The lines before it did not end the match.
            self.won = None;
            self.compute_from(rules, from);
        }
    }

    /// Computes what follows from all lines from one on. The lines before it have not ended the match, or
    /// `won` says how.
    fn compute_from(&mut self, rules: &Rules, from: usize) {
        let none = BySide::filled(0, rules.sides());
        let (before, rows) = self.rows.split_at_mut(from);
        let last = before.last();
        let mut runs = last.map_or(BySeat::filled(0, rules.players()), |row| row.runs);
        let mut total = last.map_or(self.zero, |row| row.total);
        for (number, row) in (from + 1..).zip(rows) {
            row.counts = self.won.is_none();
            (row.change, row.prize) = (none, none);
            if row.counts {
                (row.change, row.prize, runs) =
                    score_line(rules, &row.line, row.first, row.cards_each, &runs);
                for side in Side::first(rules.sides()) {
                    total[side] += i32::from(row.change[side]) + i32::from(row.prize[side]);
                }
                self.won = rules.winners(&total, number);
            }
            (row.runs, row.total) = (runs, total);
        }
    }
}

#[cfg(test)]
std::thread_local! {
    /// How many lines were scored in this thread.
    pub(super) static LINES_SCORED: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// The effect of a deal on the scores and the runs, by the scoring of the games alone.
fn score_line(
    rules: &Rules,
    line: &SheetLine,
    first: Seat,
    cards_each: usize,
    runs: &BySeat<i8>,
) -> (BySide<i16>, BySide<i16>, BySeat<i8>) {
    #[cfg(test)]
    LINES_SCORED.set(LINES_SCORED.get() + 1);
    let none = BySide::filled(0, rules.sides());
    let penalty = |seat: Seat, penalty: Penalty| {
        let guilty = rules.side_of(seat);
        let change = |side| if side == guilty { penalty.change() } else { 0 };
        (BySide::from_fn(rules.sides(), change), none, *runs)
    };
    match (line, rules) {
        (SheetLine::Cruce { contract, cards, calls }, Rules::Cruce(cruce)) => {
            let points = BySide::from_fn(cards.len(), |side| cards[side] + calls[side]);
            (cruce::score(cruce, *contract, &points), none, *runs)
        }
        (SheetLine::Whist { bids, tricks }, Rules::Whist(rules)) => {
            let scored = whist::score(rules, cards_each, bids, tricks, runs);
            (scored.change, scored.prize, scored.runs)
        }
        (SheetLine::Revoke { seat }, _) => penalty(*seat, Penalty::Revoke),
        (SheetLine::Misdeal, _) => penalty(first.previous(rules.players()), Penalty::Misdeal),
        // All passed; these rules accept no other line.
        _ => (none, none, *runs),
    }
}
