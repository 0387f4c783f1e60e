//! The score sheet of one real table, for both games and any rules.
//!
//! People play with real cards and write down only what they know: who declares and how many
//! points each side counted, or what everybody bid and took. The sheet checks that it adds up,
//! and reckons with the scoring of [`game`]: scores, prizes, who deals, which bid is forbidden, when
//! the match is over and who has won.
//!
//! Every line can be changed later. All that follows from it is reckoned anew, and what it said
//! before stays with it; [`Sheet::log`] has everything that was ever written.

mod export;
mod line;
mod page;
mod refusal;

use cards::{BySide, Seat, Side};
use game::Rules;
use game::auction::{Auction, BidSet};
use game::cruce::Contract;
use game::record::Name;

use crate::Millis;
use page::SheetPage;

pub use line::SheetLine;
pub use page::PageRow;
pub use refusal::SheetRefusal;

/// More lines than any match of people has.
pub const MAX_LINES: usize = 300;
/// More changes than anybody makes to a sheet.
pub const MAX_CHANGES: usize = 2_000;

/// What is settled before the first deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The rules.
    pub rules: Rules,
    /// The players, in the order of play.
    pub names: Vec<Name>,
    /// Who deals first.
    pub dealer: Seat,
}

/// Something that is written on a sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SheetChange {
    /// In whist, the next player says how many tricks he will take (W4).
    Bid(u8),
    /// In Cruce, the bidding is over: who plays for what (C6).
    Declare(Contract),
    /// A line is complete. What was bid on it before must agree.
    Write(SheetLine),
    /// A line said something wrong.
    Edit {
        /// Which, counted from nought.
        line: usize,
        /// What it should say.
        to: SheetLine,
    },
    /// A player has another name.
    Rename {
        /// Who.
        seat: Seat,
        /// What he is called.
        name: Name,
    },
    /// The last change that still holds was a mistake.
    Undo,
}

/// A change with when it was made and by whom, if anybody said so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetEntry {
    /// When.
    pub at: Millis,
    /// By whom.
    pub by: Option<Name>,
    /// What.
    pub change: SheetChange,
}

/// What the sheet waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NextLine {
    /// The number of the line, counted from nought.
    pub line: usize,
    /// Who deals.
    pub dealer: Seat,
    /// Who bids first; in whist he leads, too.
    pub first: Seat,
    /// How many cards each player gets.
    pub cards_each: usize,
    /// What is to be written.
    pub asks: AskedFor,
}

/// What is to be written next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskedFor {
    /// Who declares in Cruce, and for how much (C6).
    Contract,
    /// A bid of whist (W4).
    Bid {
        /// Who says it.
        seat: Seat,
        /// What he may say.
        legal: BidSet,
        /// The one number that he may not say, being the last.
        forbidden: Option<u8>,
    },
    /// How the deal went.
    Result,
}

/// A score sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet {
    setup: Setup,
    log: Vec<SheetEntry>,
    /// The changes that have not been undone, by their places in the log.
    holding: Vec<usize>,
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
        Ok(Sheet { setup, log: Vec::new(), holding: Vec::new(), page })
    }

    /// What a change would be in the log, or why it may not be.
    pub fn decide(
        &self,
        at: Millis,
        by: Option<Name>,
        change: SheetChange,
    ) -> Result<SheetEntry, SheetRefusal> {
        self.check(&change)?;
        Ok(SheetEntry { at, by, change })
    }

    /// Lets a change happen. One that does not fit changes nothing.
    pub fn apply(&mut self, entry: SheetEntry) -> Result<(), SheetRefusal> {
        self.check(&entry.change)?;
        let at = self.log.len();
        if entry.change == SheetChange::Undo {
            self.holding.pop();
            self.page = SheetPage::new(&self.setup);
            for holding in &self.holding {
                self.page.write(&self.setup, &self.log[*holding].change);
            }
        } else {
            self.page.write(&self.setup, &entry.change);
            self.holding.push(at);
        }
        self.log.push(entry);
        Ok(())
    }

    /// Whether a change may be made, or why not.
    pub fn check(&self, change: &SheetChange) -> Result<(), SheetRefusal> {
        if self.log.len() >= MAX_CHANGES {
            return Err(SheetRefusal::SheetFull);
        }
        match change {
            SheetChange::Bid(bid) => {
                self.open_line()?;
                let auction = self.auction().ok_or(SheetRefusal::OtherGame)?;
                auction.check(*bid).map_err(SheetRefusal::Bid)
            }
            SheetChange::Declare(contract) => {
                self.open_line()?;
                line::check_contract(&self.setup.rules, self.first(), *contract)
            }
            SheetChange::Write(line) => {
                self.open_line()?;
                line.check(&self.setup.rules, self.first(), self.rows().len())?;
                self.check_agreement(line)
            }
            SheetChange::Edit { line, to } => {
                let row = self.rows().get(*line).ok_or(SheetRefusal::NoSuchLine)?;
                to.check(&self.setup.rules, row.first, *line)
            }
            SheetChange::Rename { seat, .. } => {
                let there = seat.index() < self.setup.rules.players();
                if there { Ok(()) } else { Err(SheetRefusal::NoSuchSeat) }
            }
            SheetChange::Undo if self.holding.is_empty() => Err(SheetRefusal::NothingToUndo),
            SheetChange::Undo => Ok(()),
        }
    }

    /// Refuses where no further line can be begun.
    fn open_line(&self) -> Result<(), SheetRefusal> {
        if self.winners().is_some() {
            Err(SheetRefusal::MatchOver)
        } else if self.rows().len() >= MAX_LINES {
            Err(SheetRefusal::SheetFull)
        } else {
            Ok(())
        }
    }

    /// Refuses a line that contradicts what was bid on it: two may be writing at once.
    fn check_agreement(&self, line: &SheetLine) -> Result<(), SheetRefusal> {
        let agrees = match line {
            SheetLine::Cruce { contract, .. } => {
                self.page.contract.is_none_or(|bid| bid == *contract)
            }
            SheetLine::Whist { bids, .. } => {
                let first = self.first();
                let players = self.setup.rules.players();
                let mut said = self.page.bids.iter().enumerate();
                said.all(|(at, bid)| bids[first.after(at, players)] == *bid)
            }
            SheetLine::AllPassed | SheetLine::Revoke { .. } | SheetLine::Misdeal => true,
        };
        if agrees { Ok(()) } else { Err(SheetRefusal::OtherBids) }
    }

    /// What was settled before the first deal; names as they were then.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.setup.rules
    }

    /// The players as they are called now, in the order of play.
    pub fn names(&self) -> &[Name] {
        &self.page.names
    }

    /// The players of a side.
    pub fn names_of(&self, side: Side) -> impl Iterator<Item = &Name> {
        let seats = Seat::first(self.setup.rules.players());
        seats
            .filter(move |seat| self.setup.rules.side_of(*seat) == side)
            .map(|seat| &self.page.names[seat.index()])
    }

    /// The lines that are complete, with what follows from them.
    pub fn rows(&self) -> &[PageRow] {
        &self.page.rows
    }

    /// What was ever written, in order.
    pub fn log(&self) -> &[SheetEntry] {
        &self.log
    }

    /// The last change that still holds: what [`Change::Undo`] would undo.
    pub fn last_change(&self) -> Option<&SheetChange> {
        self.holding.last().map(|at| &self.log[*at].change)
    }

    /// What was bid on the next line so far, in the order in which it was said.
    pub fn bids(&self) -> &[u8] {
        &self.page.bids
    }

    /// Who plays for what on the next line, once that is written (C6).
    pub fn contract(&self) -> Option<Contract> {
        self.page.contract
    }

    /// The scores now.
    pub fn total(&self) -> BySide<i32> {
        self.page.total()
    }

    /// Who has won, once the match is over (C12, W8).
    pub fn winners(&self) -> Option<BySide<bool>> {
        self.page.won
    }

    /// The scores before the first deal and after each line that counts: a chart of the match.
    pub fn course(&self) -> impl Iterator<Item = BySide<i32>> {
        let nought = BySide::filled(0, self.setup.rules.sides());
        let counted = self.rows().iter().filter(|row| row.counts);
        std::iter::once(nought).chain(counted.map(|row| row.total))
    }

    /// What is to be written next; nothing once the match is over.
    pub fn next(&self) -> Option<NextLine> {
        self.open_line().ok()?;
        let line = self.rows().len();
        let cards_each = self.setup.rules.cards_each(line)?;
        let (first, players) = (self.first(), self.setup.rules.players());
        let asks = match self.auction() {
            None if self.page.contract.is_none() => AskedFor::Contract,
            Some(auction) if !auction.is_over() => AskedFor::Bid {
                seat: first.after(self.page.bids.len(), players),
                legal: auction.legal(),
                forbidden: (0..=cards_each as u8).find(|bid| !auction.legal().contains(*bid)),
            },
            _ => AskedFor::Result,
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

    /// The bidding of whist on the next line, as far as it is written.
    fn auction(&self) -> Option<Auction> {
        let Rules::Whist(rules) = &self.setup.rules else { return None };
        let cards_each = rules.cards_each(self.rows().len())?;
        let mut auction = Auction::new(&self.setup.rules, cards_each, None);
        for bid in &self.page.bids {
            // What stands on the sheet was checked when it was written.
            auction.say(*bid).ok()?;
        }
        Some(auction)
    }
}
