//! The score sheet of one real table, for both games and any rules.
//!
//! Players use real cards and write down only what they see: who declares and the points of each
//! side, or what each player bid and took. The sheet checks that it adds up, and derives the rest
//! with the scoring of [`game`]: scores, prizes, the dealer, the forbidden bid, the end of the match
//! and the winner.
//!
//! Every line can be edited later. What follows from it is computed again, and its earlier versions
//! stay with it; [`Sheet::log`] has everything that was ever written.

mod export;
mod line;
mod page;
mod refusal;
#[cfg(test)]
mod tests;

use cards::{BySide, Seat, Side};
use game::Rules;
use game::auction::{Auction, BidSet};
use game::cruce::Contract;
use game::record::Name;

use crate::Millis;
use page::{Replaced, SheetPage};

pub use line::SheetLine;
pub use page::PageRow;
pub use refusal::SheetRefusal;

/// The maximum number of lines; a match between people has fewer.
pub const MAX_LINES: usize = 300;
/// The maximum number of changes.
pub const MAX_CHANGES: usize = 2_000;

/// What is fixed before the first deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The rules.
    pub rules: Rules,
    /// The players, in the order of play.
    pub names: Vec<Name>,
    /// The first dealer.
    pub dealer: Seat,
}

/// A change of a sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SheetChange {
    /// In whist, the next player's bid (W4).
    Bid(u8),
    /// In Cruce, the contract after the bidding (C6).
    Declare(Contract),
    /// Completes a line. It must agree with the bids already written on it.
    Write(SheetLine),
    /// Corrects a line.
    Edit {
        /// The index of the line.
        line: usize,
        /// The corrected line.
        to: SheetLine,
    },
    /// Changes the name of a player.
    Rename {
        /// The seat of the player.
        seat: Seat,
        /// The new name.
        name: Name,
    },
    /// Undoes the last valid change.
    Undo,
}

impl SheetChange {
    /// The name that it brings.
    pub const fn name(&self) -> Option<&Name> {
        match self {
            SheetChange::Rename { name, .. } => Some(name),
            SheetChange::Bid(_)
            | SheetChange::Declare(_)
            | SheetChange::Write(_)
            | SheetChange::Edit { .. }
            | SheetChange::Undo => None,
        }
    }
}

/// A change, when it was made, and by whom if that is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetEntry {
    /// When it was made.
    pub at: Millis,
    /// Who made it.
    pub by: Option<Name>,
    /// The change.
    pub change: SheetChange,
}

/// The line that comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NextLine {
    /// The index of the line.
    pub line: usize,
    /// The dealer.
    pub dealer: Seat,
    /// The seat that bids first; in whist it also leads.
    pub first: Seat,
    /// The number of cards dealt to each player.
    pub cards_each: usize,
    /// What to write next.
    pub asks: NextInput,
}

/// What to write next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextInput {
    /// The declarer of Cruce and their bid (C6).
    Contract,
    /// A bid of whist (W4).
    Bid {
        /// The seat that bids.
        seat: Seat,
        /// The legal bids.
        legal: BidSet,
        /// The one number that the last bidder may not bid.
        forbidden: Option<u8>,
    },
    /// The result of the deal.
    Result,
}

/// A change that was not undone.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ValidChange {
    /// Its index in the log.
    at: usize,
    /// What it has replaced.
    replaced: Replaced,
}

/// A score sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet {
    setup: Setup,
    log: Vec<SheetEntry>,
    /// The valid changes.
    valid: Vec<ValidChange>,
    page: SheetPage,
}

impl Sheet {
    /// An empty sheet.
    pub fn new(setup: Setup) -> Result<Sheet, SheetRefusal> {
        let players = setup.rules.players();
        if setup.names.len() != players {
            return Err(SheetRefusal::OtherPlayers { players });
        }
        if setup.dealer.index() >= players {
            return Err(SheetRefusal::NoSuchSeat);
        }
        let page = SheetPage::new(&setup);
        Ok(Sheet { setup, log: Vec::new(), valid: Vec::new(), page })
    }

    /// Returns the log entry of a change, or the reason for refusing it.
    ///
    /// A change [without effect](Sheet::has_effect) is refused. [`Sheet::apply`] accepts its entry,
    /// because older sheets have such entries.
    pub fn decide(
        &self,
        at: Millis,
        by: Option<Name>,
        change: SheetChange,
    ) -> Result<SheetEntry, SheetRefusal> {
        self.check(&change)?;
        if self.has_effect(&change) {
            Ok(SheetEntry { at, by, change })
        } else {
            Err(SheetRefusal::Unchanged)
        }
    }

    /// Whether a change that may be made changes anything.
    pub fn has_effect(&self, change: &SheetChange) -> bool {
        match change {
            SheetChange::Declare(contract) => self.page.contract != Some(*contract),
            SheetChange::Edit { line, to } => {
                self.rows().get(*line).is_none_or(|row| row.line != *to)
            }
            SheetChange::Rename { seat, name } => {
                self.names().get(seat.index()).is_none_or(|present| present != name)
            }
            // Two players may bid the same, two deals may end the same, and each of them counts. An
            // `Undo` after another undoes an earlier change.
            SheetChange::Bid(_) | SheetChange::Write(_) | SheetChange::Undo => true,
        }
    }

    /// Applies a change. A refused change has no effect.
    ///
    /// It costs no more than the lines on the sheet, however much was written before: a file of changes may
    /// come from anybody.
    pub fn apply(&mut self, entry: SheetEntry) -> Result<(), SheetRefusal> {
        self.check(&entry.change)?;
        let at = self.log.len();
        match self.page.write(&self.setup, &entry.change) {
            Some(replaced) => self.valid.push(ValidChange { at, replaced }),
            None => {
                if let Some(last) = self.valid.pop() {
                    self.page.restore(&self.setup.rules, last.replaced);
                }
            }
        }
        self.log.push(entry);
        Ok(())
    }

    /// Checks whether a change may be made.
    pub fn check(&self, change: &SheetChange) -> Result<(), SheetRefusal> {
        if self.log.len() >= MAX_CHANGES {
            return Err(SheetRefusal::SheetFull);
        }
        match change {
            SheetChange::Bid(bid) => {
                self.check_open()?;
                let auction = self.auction().ok_or(SheetRefusal::OtherGame)?;
                auction.check(*bid).map_err(SheetRefusal::Bid)
            }
            SheetChange::Declare(contract) => {
                self.check_open()?;
                line::check_contract(&self.setup.rules, self.first(), *contract)
            }
            SheetChange::Write(line) => {
                self.check_open()?;
                line.check(&self.setup.rules, self.first(), self.rows().len())?;
                self.check_agreement(line)
            }
            SheetChange::Edit { line, to } => {
                let row = self.rows().get(*line).ok_or(SheetRefusal::NoSuchLine)?;
                to.check(&self.setup.rules, row.first, *line)
            }
            SheetChange::Rename { seat, .. } => {
                let exists = seat.index() < self.setup.rules.players();
                if exists { Ok(()) } else { Err(SheetRefusal::NoSuchSeat) }
            }
            SheetChange::Undo if self.valid.is_empty() => Err(SheetRefusal::NothingToUndo),
            SheetChange::Undo => Ok(()),
        }
    }

    /// Refuses if no further line can be started.
    fn check_open(&self) -> Result<(), SheetRefusal> {
        if self.winners().is_some() {
            Err(SheetRefusal::MatchOver)
        } else if self.rows().len() >= MAX_LINES {
            Err(SheetRefusal::SheetFull)
        } else {
            Ok(())
        }
    }

    /// Refuses a line that contradicts its bids: two clients may write at the same time.
    fn check_agreement(&self, line: &SheetLine) -> Result<(), SheetRefusal> {
        let agrees = match line {
            SheetLine::Cruce { contract, .. } => {
                self.page.contract.is_none_or(|bid| bid == *contract)
            }
            SheetLine::Whist { bids, .. } => {
                let first = self.first();
                let players = self.setup.rules.players();
                let mut written = self.page.bids.iter().enumerate();
                written.all(|(at, bid)| bids[first.after(at, players)] == *bid)
            }
            SheetLine::AllPassed | SheetLine::Revoke { .. } | SheetLine::Misdeal => true,
        };
        if agrees { Ok(()) } else { Err(SheetRefusal::OtherBids) }
    }

    /// What was fixed before the first deal; the names are the original ones.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.setup.rules
    }

    /// The present names of the players, in the order of play.
    pub fn names(&self) -> &[Name] {
        &self.page.names
    }

    /// The names of the players of a side.
    pub fn names_of(&self, side: Side) -> impl Iterator<Item = &Name> {
        let seats = Seat::first(self.setup.rules.players());
        seats
            .filter(move |seat| self.setup.rules.side_of(*seat) == side)
            .map(|seat| &self.page.names[seat.index()])
    }

    /// The complete lines, with what follows from them.
    pub fn rows(&self) -> &[PageRow] {
        &self.page.rows
    }

    /// Everything that was ever written, in order.
    pub fn log(&self) -> &[SheetEntry] {
        &self.log
    }

    /// The last valid change, which [`SheetChange::Undo`] would undo.
    pub fn last_change(&self) -> Option<&SheetChange> {
        self.valid.last().map(|valid| &self.log[valid.at].change)
    }

    /// The bids of the next line so far, in order.
    pub fn bids(&self) -> &[u8] {
        &self.page.bids
    }

    /// The contract of the next line, once it is written (C6).
    pub fn contract(&self) -> Option<Contract> {
        self.page.contract
    }

    /// The current scores.
    pub fn total(&self) -> BySide<i32> {
        self.page.total()
    }

    /// The winners, once the match is over (C12, W8).
    pub fn winners(&self) -> Option<BySide<bool>> {
        self.page.won
    }

    /// The scores before the first deal and after each line that counts, for a chart of the match.
    pub fn score_history(&self) -> impl Iterator<Item = BySide<i32>> {
        let zero = BySide::filled(0, self.setup.rules.sides());
        let counted = self.rows().iter().filter(|row| row.counts);
        std::iter::once(zero).chain(counted.map(|row| row.total))
    }

    /// What to write next; `None` once the match is over.
    pub fn next(&self) -> Option<NextLine> {
        self.check_open().ok()?;
        let line = self.rows().len();
        let cards_each = self.setup.rules.cards_each(line)?;
        let (first, players) = (self.first(), self.setup.rules.players());
        let asks = match self.auction() {
            None if self.page.contract.is_none() => NextInput::Contract,
            Some(auction) if !auction.is_over() => NextInput::Bid {
                seat: first.after(self.page.bids.len(), players),
                legal: auction.legal(),
                forbidden: (0..=cards_each as u8).find(|bid| !auction.legal().contains(*bid)),
            },
            _ => NextInput::Result,
        };
        Some(NextLine { line, dealer: first.previous(players), first, cards_each, asks })
    }

    /// The sheet as a table for spreadsheets.
    pub fn to_csv(&self) -> String {
        export::csv(self)
    }

    fn first(&self) -> Seat {
        self.page.first(&self.setup)
    }

    /// The auction of whist on the next line, as far as it is written.
    fn auction(&self) -> Option<Auction> {
        let Rules::Whist(rules) = &self.setup.rules else { return None };
        let cards_each = rules.cards_each(self.rows().len())?;
        let mut auction = Auction::new(&self.setup.rules, cards_each, None);
        for bid in &self.page.bids {
            // Bids on the sheet were checked when they were written.
            auction.bid(*bid).ok()?;
        }
        Some(auction)
    }
}
