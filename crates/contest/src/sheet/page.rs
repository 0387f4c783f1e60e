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

    /// Applies a change that was checked.
    pub(super) fn write(&mut self, setup: &Setup, change: &SheetChange) {
        match change {
            SheetChange::Bid(bid) => self.bids.push(*bid),
            SheetChange::Declare(contract) => self.contract = Some(*contract),
            SheetChange::Write(line) => {
                let first = self.first(setup);
                self.add(&setup.rules, *line, Vec::new(), first);
                self.bids.clear();
                self.contract = None;
            }
            SheetChange::Edit { line, to } => self.edit(&setup.rules, *line, *to),
            SheetChange::Rename { seat, name } => self.names[seat.index()] = name.clone(),
            SheetChange::Undo => {}
        }
    }

    /// Edits a line and computes the whole sheet again, because the match may now end elsewhere.
    fn edit(&mut self, rules: &Rules, at: usize, to: SheetLine) {
        self.won = None;
        for (number, mut row) in core::mem::take(&mut self.rows).into_iter().enumerate() {
            if number == at && row.line != to {
                row.before.push(core::mem::replace(&mut row.line, to));
            }
            self.add(rules, row.line, row.before, row.first);
        }
        // Bids of the next line are void: there is no next line any more.
        if self.won.is_some() {
            self.bids.clear();
            self.contract = None;
        }
    }

    fn add(&mut self, rules: &Rules, line: SheetLine, before: Vec<SheetLine>, first: Seat) {
        let number = self.rows.len();
        let players = rules.players();
        let runs = self.rows.last().map_or(BySeat::filled(0, players), |row| row.runs);
        let counts = self.won.is_none();
        let none = BySide::filled(0, rules.sides());
        let cards_each = rules.cards_each(number).unwrap_or_default();
        let (change, prize, runs) = if counts {
            score_line(rules, &line, first, cards_each, &runs)
        } else {
            (none, none, runs)
        };
        let last = self.total();
        let gained = |side: Side| i32::from(change[side]) + i32::from(prize[side]);
        let total = BySide::from_fn(last.len(), |side| last[side] + gained(side));
        self.rows.push(PageRow {
            line,
            before,
            first,
            cards_each,
            counts,
            change,
            prize,
            runs,
            total,
        });
        if counts {
            self.won = rules.winners(&total, number + 1);
        }
    }
}

/// The effect of a deal on the scores and the runs, by the scoring of the games alone.
fn score_line(
    rules: &Rules,
    line: &SheetLine,
    first: Seat,
    cards_each: usize,
    runs: &BySeat<i8>,
) -> (BySide<i16>, BySide<i16>, BySeat<i8>) {
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
