//! What is written into the log of a room.

use bots::Level;
use cards::{BySeat, Seat};
use game::fair::{Secret, Word};
use game::record::Name;
use game::{Action, Rules};
use ids::{Key, PlayerId, TableId};
use wire::table::{Pace, StandInReason};

use super::{DoneCommand, Millis, Saying};

/// One entry of the log, with when it was made and which command led to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedEntry {
    /// When.
    pub at: Millis,
    /// The player whose command it was, and the id that he gave it.
    pub command: Option<(PlayerId, String)>,
    /// What.
    pub entry: Entry,
}

/// Something that happened in a room.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// The table was opened.
    Opened(Box<Opening>),
    /// A player came with the table's link, and may come again without it.
    Admitted {
        /// Who.
        player: PlayerId,
    },
    /// The old link is void.
    Relinked {
        /// The key of the new one.
        key: Key,
    },
    /// A person sat down, perhaps coming from another seat.
    Sat {
        /// Where.
        seat: Seat,
        /// Who.
        player: PlayerId,
        /// What he is called.
        name: Name,
    },
    /// A person has another name.
    Renamed {
        /// Where.
        seat: Seat,
        /// What he is called.
        name: Name,
    },
    /// A person gave his seat up or was sent away.
    Left {
        /// From where.
        seat: Seat,
        /// Whether he was sent away.
        kicked: bool,
    },
    /// Two seats were exchanged.
    Swapped {
        /// Which.
        seats: [Seat; 2],
    },
    /// A bot was put on a seat.
    BotSat {
        /// Where.
        seat: Seat,
        /// How well it plays.
        level: Level,
    },
    /// A bot was taken from its seat.
    Emptied {
        /// Which.
        seat: Seat,
    },
    /// Somebody is the host now.
    Hosted {
        /// Who.
        player: PlayerId,
    },
    /// The table is played otherwise.
    Settings {
        /// The rules.
        rules: Rules,
        /// The clock.
        pace: Pace,
        /// Whether the lobby shows it.
        listed: bool,
    },
    /// The deals of the next match are promised; the words said so far are void.
    Promised {
        /// The number of the match.
        number: u32,
        /// What the promise hides.
        secret: Secret,
    },
    /// A seat added a word to the seed.
    Word {
        /// Which.
        seat: Seat,
        /// The word.
        word: Word,
    },
    /// A match begins. It carries everything, so that a log can be read from here.
    Started(Box<Roster>),
    /// The next cards were dealt.
    Dealt,
    /// A seat did something.
    Acted {
        /// Which.
        seat: Seat,
        /// What.
        action: Action,
        /// Who did it for the seat.
        by: ActedBy,
    },
    /// A seat claimed the rest and was right: the cards that are laid for all.
    Claimed {
        /// Which.
        seat: Seat,
        /// Who plays what, in order.
        line: Vec<(Seat, Action)>,
    },
    /// A bot stands in for a person.
    StoodIn {
        /// For whom.
        seat: Seat,
        /// Why.
        why: StandInReason,
    },
    /// A person has his seat back.
    Back {
        /// Who.
        seat: Seat,
    },
    /// A person has read the score.
    Ready {
        /// Who.
        seat: Seat,
    },
    /// A person wants a pause.
    WantsPause {
        /// Who.
        seat: Seat,
    },
    /// The clocks stand still.
    Paused,
    /// They go on.
    Resumed,
    /// A person wants another match.
    WantsRematch {
        /// Who.
        seat: Seat,
    },
    /// A person said something.
    Said {
        /// Who.
        seat: Seat,
        /// What.
        saying: Saying,
    },
    /// A person may not speak, or may again.
    Muted {
        /// Who.
        seat: Seat,
        /// Whether he may not.
        muted: bool,
    },
    /// Nothing more will happen here.
    Closed,
}

/// Who acted for a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActedBy {
    /// The person on it.
    Person,
    /// A bot, on its own seat or standing in.
    Bot,
}

/// How a table is opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The rules of its matches.
    pub rules: Rules,
    /// The clock.
    pub pace: Pace,
    /// Whether the lobby shows it.
    pub listed: bool,
    /// Whose table it is.
    pub host: PlayerId,
    /// What its link holds.
    pub key: Key,
    /// What the promise about the first match hides.
    pub secret: Secret,
    /// The tables that play the same deals, this one among them; none usually.
    pub siblings: Vec<TableId>,
    /// The ledger of the contest to which the table belongs: it gives the seats away, nobody
    /// takes or leaves one, and there is one match.
    pub contest: Option<TableId>,
}

/// Everything about a room when a match begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roster {
    /// Rules, clock, host and the match's secret.
    pub opening: Opening,
    /// Who sits where.
    pub seats: Vec<RosterSeat>,
    /// The number of the match at this table.
    pub number: u32,
    /// What each seat added to the seed.
    pub words: BySeat<Option<Word>>,
    /// Who came with the link.
    pub admitted: Vec<PlayerId>,
    /// Who was sent away.
    pub kicked: Vec<PlayerId>,
    /// Who may not speak.
    pub muted: Vec<PlayerId>,
    /// The commands that were done, so that they are not done again.
    pub done: Vec<DoneCommand>,
}

/// Who sits on a seat when a match begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RosterSeat {
    /// A person.
    Person {
        /// Who.
        player: PlayerId,
        /// What he is called.
        name: Name,
    },
    /// A bot.
    Bot(Level),
}

impl Entry {
    /// Whether the log can be read from here.
    pub fn is_checkpoint(&self) -> bool {
        matches!(self, Entry::Opened(_) | Entry::Started(_))
    }

    /// Whether the table may look otherwise after it to those who are not there. What
    /// happens within a match does not concern them.
    pub(super) fn shows_outside(&self) -> bool {
        use Entry::{Acted, Claimed, Dealt, Ready, Said};
        let within =
            matches!(self, Dealt | Acted { .. } | Claimed { .. } | Ready { .. } | Said { .. });
        !within
    }
}
