//! An evening: a table, a client that talks to it by texts, and a host that has a clock
//! and keeps the journal.

use std::sync::Arc;

use bots::{Level, Limit};
use game::deal::Seed;
use game::notation::action_text;
use game::public::Phase;
use game::record::Record;
use game::{Action, Rules, View, Viewer};
use practice::{Due, Practice, PracticePlan};
use replica::table::{TableChange, TableReplica};
use wire::table::{
    ClientMessage, CommandRefusal, RefusalReason, ServerMessage, Snapshot, TableCommand, TableStage,
};

/// When all evenings begin.
pub(crate) const EVENING: u64 = 1_789_500_000_000;

/// A person at a table.
pub(crate) struct Evening {
    pub(crate) practice: Practice,
    pub(crate) replica: TableReplica,
    pub(crate) now: u64,
    /// The journal as the host keeps it.
    pub(crate) journal: Vec<String>,
    /// How often it began anew.
    pub(crate) begun: usize,
    /// The refusals that were heard.
    pub(crate) refused: Vec<(TableCommand, CommandRefusal)>,
    /// Claims that were granted, and the version of the last that was made.
    pub(crate) claimed: usize,
    tried: u64,
    /// How many matches are wanted.
    pub(crate) matches: u32,
    /// The records of those that are over.
    pub(crate) records: Vec<Record>,
    /// Whether bots are let think to the end.
    pub(crate) patient: bool,
}

pub(crate) fn plan(code: &str, bots: &[Level]) -> PracticePlan {
    let rules = Rules::from_code(code).expect("a code");
    PracticePlan { bots: bots.to_vec(), ..PracticePlan::new(rules, "Ana".parse().expect("a name")) }
}

/// Bytes that a host would draw.
pub(crate) fn entropy(number: u8) -> [u8; 32] {
    core::array::from_fn(|at| number.wrapping_mul(31).wrapping_add(at as u8))
}

impl Evening {
    pub(crate) fn new(plan: &PracticePlan, number: u8) -> Evening {
        let practice = Practice::open(plan, entropy(number), EVENING).expect("a table");
        Evening::at(practice, TableReplica::new("a"))
    }

    /// An evening at a table that is there already.
    pub(crate) fn at(practice: Practice, replica: TableReplica) -> Evening {
        let mut evening = Evening {
            practice,
            replica,
            now: EVENING,
            journal: Vec::new(),
            begun: 0,
            refused: Vec::new(),
            claimed: 0,
            tried: 0,
            matches: 1,
            records: Vec::new(),
            patient: true,
        };
        evening.greet();
        evening
    }

    /// Says hello, as on a new connection.
    pub(crate) fn greet(&mut self) {
        let hello = self.replica.hello();
        self.say(&hello);
        self.check();
        // A claim that was being looked into is made again.
        let again: Vec<ClientMessage> = self.replica.unanswered().collect();
        again.iter().for_each(|command| self.say(command));
    }

    /// Gives up the table and goes on from the journal, as after a lost page. The client
    /// that is given knows what it knows.
    pub(crate) fn resume(&mut self) {
        let lines = self.journal.iter().map(String::as_str);
        self.practice =
            Practice::resume(lines, practice::tempo(), self.now).expect("the journal is whole");
        assert_eq!(self.practice.journal(), practice::JournalUpdate::default(), "nothing is new");
        self.greet();
    }

    pub(crate) fn say(&mut self, message: &ClientMessage) {
        let sent = self.practice.hear(self.now, &message.text());
        self.hear(&sent);
    }

    pub(crate) fn command(&mut self, what: TableCommand) {
        let command = self.replica.command(what);
        self.say(&command);
    }

    pub(crate) fn wake(&mut self) {
        let sent = self.practice.wake(self.now);
        self.hear(&sent);
    }

    fn hear(&mut self, sent: &[Arc<str>]) {
        for text in sent {
            let message = ServerMessage::read(text).expect("the table speaks the protocol");
            match self.replica.receive(message.clone()) {
                TableChange::Lost => panic!("{message:?} did not fit the mirror"),
                TableChange::Refused { command, refusal } => self.refused.push((command, refusal)),
                TableChange::Told(told) => {
                    let claims = |told: &_| matches!(told, wire::table::TableEvent::Claimed { .. });
                    self.claimed += told.iter().filter(|told| claims(told)).count();
                }
                TableChange::Nothing
                | TableChange::Snapshot
                | TableChange::Presence
                | TableChange::Arrived { .. } => {}
            }
        }
        self.keep();
    }

    /// Keeps the journal as a host does.
    fn keep(&mut self) {
        let pages = self.practice.journal();
        if pages.anew {
            self.journal.clear();
            self.begun += 1;
        }
        self.journal.extend(pages.lines);
    }

    /// The client shows what the table shows.
    pub(crate) fn check(&self) {
        let mut mirrored: Snapshot = self.replica.state().expect("it knows the table").clone();
        mirrored.view = self.replica.view().map(ToString::to_string);
        assert_eq!(mirrored, self.practice.shown());
    }

    pub(crate) fn state(&self) -> &Snapshot {
        self.replica.state().expect("it knows the table")
    }

    /// Does the next thing: what the person would do, or what is due. Whether there was
    /// anything.
    pub(crate) fn step(&mut self) -> bool {
        if let Some(what) = self.idea() {
            self.now += 350;
            self.command(what);
        } else {
            match self.practice.due() {
                Some(Due::Think) => self.practice.think(|| self.patient),
                Some(Due::Wake { at }) => {
                    self.now = self.now.max(at);
                    self.wake();
                }
                None => return false,
            }
        }
        self.check();
        let state = self.state();
        if state.stage == TableStage::Over && self.records.len() < state.promise.number as usize {
            let record = self.practice.record().expect("a match that is over has a record");
            self.records.push(record);
        }
        true
    }

    /// Plays until nothing is left to do.
    pub(crate) fn play(&mut self) {
        while self.step() {
            if self.state().stage != TableStage::Over {
                assert_eq!(self.practice.record(), None, "a record shows the cards");
            }
        }
    }

    /// What the person does now: see [`idea`].
    pub(crate) fn idea(&mut self) -> Option<TableCommand> {
        idea(&self.replica, &mut self.tried, self.matches)
    }

    /// Everything that was refused was a claim that nobody could prove.
    pub(crate) fn check_refusals(&self) {
        for (command, refusal) in &self.refused {
            assert_eq!(*command, TableCommand::Claim, "{refusal:?}");
            assert!(
                matches!(refusal.reason, RefusalReason::NotProven | RefusalReason::NoClaims),
                "{refusal:?}"
            );
        }
    }
}

/// What a person does now who wants so many matches: always the same at the same point of one.
/// `tried` is the version at which he claimed last.
pub(crate) fn idea(replica: &TableReplica, tried: &mut u64, matches: u32) -> Option<TableCommand> {
    if !replica.is_settled() {
        return None;
    }
    let state = replica.state()?;
    let (seat, version) = (state.you.seat?, state.version);
    match state.stage {
        TableStage::Waiting => Some(TableCommand::Start),
        TableStage::Over if state.promise.number < matches => {
            (!state.seats[seat - 1].ready).then_some(TableCommand::Rematch)
        }
        TableStage::Over => None,
        TableStage::Playing => {
            let view = replica.view()?;
            let public = view.public();
            if matches!(public.phase(), Phase::Dealing) {
                let ready = state.seats[seat - 1].ready || state.deals.is_empty();
                return (!ready).then_some(TableCommand::Ready);
            }
            let action = move_of(view, version)?;
            // Whoever is sure of the rest, or only hopes so, says it now and then.
            let in_turn = matches!(action, Action::Play { .. });
            if in_turn && view.hand().len() <= 3 && version != *tried {
                *tried = version;
                return Some(TableCommand::Claim);
            }
            let Viewer::Seat(own) = view.viewer() else { return None };
            Some(TableCommand::Act(action_text(public.rules(), own, action)))
        }
    }
}

fn move_of(view: &View, version: u64) -> Option<Action> {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&version.to_be_bytes());
    Level::Easy.bot().act(view, Seed(seed), Limit::nodes(0))
}

/// The entries of a journal without the times at which they were made.
pub(crate) fn timeless(journal: &[String]) -> Vec<String> {
    let bare = |line: &String| {
        let mut parts = line.splitn(3, ' ');
        let (number, _, body) = (parts.next(), parts.next(), parts.next());
        format!("{} {}", number.unwrap_or_default(), body.unwrap_or_default())
    };
    journal.iter().skip(1).map(bare).collect()
}
