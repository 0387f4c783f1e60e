//! A session at a practice table: a client that exchanges texts with the table, a virtual clock, and a
//! stored journal.

use std::sync::Arc;

use bots::{Level, Limit};
use game::deal::Seed;
use game::notation::action_text;
use game::public::Phase;
use game::record::Record;
use game::{Action, Rules, View, Viewer};
use practice::{Due, Practice, PracticePlan};
use replica::Conversation;
use replica::table::{TableChange, TableReplica};
use wire::table::{
    ClientMessage, CloseReason, CommandRefusal, RefusalReason, ServerMessage, Snapshot,
    TableCommand, TableStage,
};

/// When all sessions begin.
pub(crate) const START: u64 = 1_789_500_000_000;

/// A player at a practice table.
pub(crate) struct Session {
    pub(crate) practice: Practice,
    pub(crate) replica: TableReplica,
    pub(crate) now: u64,
    /// The journal as the host stores it.
    pub(crate) journal: Vec<String>,
    /// How often the journal began anew.
    pub(crate) journal_starts: usize,
    conversation: Conversation<CloseReason>,
    /// The refusals that were received.
    pub(crate) refused: Vec<(TableCommand, CommandRefusal)>,
    /// How many claims were granted, and the version of the last claim.
    pub(crate) claimed: usize,
    claimed_at: u64,
    /// How many matches to play.
    pub(crate) matches: u32,
    /// The records of the finished matches.
    pub(crate) records: Vec<Record>,
    /// Whether bots may think to the end.
    pub(crate) bots_may_think: bool,
}

pub(crate) fn plan(code: &str, bots: &[Level]) -> PracticePlan {
    let rules = Rules::from_code(code).expect("a code");
    PracticePlan { bots: bots.to_vec(), ..PracticePlan::new(rules, "Ana".parse().expect("a name")) }
}

/// Random bytes for a table.
pub(crate) fn entropy(number: u8) -> [u8; 32] {
    core::array::from_fn(|at| number.wrapping_mul(31).wrapping_add(at as u8))
}

impl Session {
    pub(crate) fn new(plan: &PracticePlan, number: u8) -> Session {
        let practice = Practice::open(plan, entropy(number), START).expect("a table");
        Session::at(practice, TableReplica::new("a"))
    }

    /// A session at an open table.
    pub(crate) fn at(practice: Practice, replica: TableReplica) -> Session {
        let mut session = Session {
            practice,
            replica,
            conversation: Conversation::default(),
            now: START,
            journal: Vec::new(),
            journal_starts: 0,
            refused: Vec::new(),
            claimed: 0,
            claimed_at: 0,
            matches: 1,
            records: Vec::new(),
            bots_may_think: true,
        };
        session.connect();
        session
    }

    /// Sends a hello, as on a new connection.
    pub(crate) fn connect(&mut self) {
        // A claim that was being checked is sent again, once the replica is up to date.
        let hello = self.conversation.connected(&self.replica, self.now);
        self.send(&hello);
        self.check();
    }

    /// Drops the table and resumes it from the journal, as after a lost page. The client keeps its state.
    pub(crate) fn resume(&mut self) {
        let lines = self.journal.iter().map(String::as_str);
        self.practice =
            Practice::resume(lines, practice::timings(), self.now).expect("the journal is whole");
        assert_eq!(
            self.practice.take_journal_update(),
            practice::JournalUpdate::default(),
            "the journal has no new lines"
        );
        self.connect();
    }

    pub(crate) fn send(&mut self, message: &ClientMessage) {
        let sent = self.practice.receive(self.now, &message.text());
        self.receive(&sent);
    }

    pub(crate) fn command(&mut self, what: TableCommand) {
        let (_, message) = self.conversation.command(&mut self.replica, what);
        self.send(&message.expect("the replica is up to date"));
    }

    pub(crate) fn wake(&mut self) {
        let sent = self.practice.wake(self.now);
        self.receive(&sent);
    }

    fn receive(&mut self, sent: &[Arc<str>]) {
        for text in sent {
            let message = ServerMessage::read(text).expect("a message of the protocol");
            let step = self.conversation.receive(&mut self.replica, message.clone(), self.now);
            step.send.iter().for_each(|message| self.send(message));
            match step.change {
                TableChange::Gap => panic!("{message:?} does not fit the replica"),
                TableChange::Refused { command, refusal } => self.refused.push((command, refusal)),
                TableChange::Events(events) => {
                    let is_claim =
                        |event: &_| matches!(event, wire::table::TableEvent::Claimed { .. });
                    self.claimed += events.iter().filter(|event| is_claim(event)).count();
                }
                TableChange::Nothing
                | TableChange::Snapshot
                | TableChange::Presence
                | TableChange::Synced { .. } => {}
            }
        }
        self.store_journal();
    }

    /// Stores the journal like a host.
    fn store_journal(&mut self) {
        let update = self.practice.take_journal_update();
        if update.replaces {
            self.journal.clear();
            self.journal_starts += 1;
        }
        self.journal.extend(update.lines);
    }

    /// Checks that the client shows what the table shows.
    pub(crate) fn check(&self) {
        let mut shown: Snapshot = self.replica.state().expect("the table is known").clone();
        shown.view = self.replica.view().map(ToString::to_string);
        assert_eq!(shown, self.practice.snapshot());
    }

    pub(crate) fn state(&self) -> &Snapshot {
        self.replica.state().expect("the table is known")
    }

    /// Does the next step: the player's command, or what is due. Returns whether there was one.
    pub(crate) fn step(&mut self) -> bool {
        if let Some(what) = self.next_command() {
            self.now += 350;
            self.command(what);
        } else {
            match self.practice.due() {
                Some(Due::Think) => self.practice.think(|| self.bots_may_think),
                Some(Due::Wake { at }) => {
                    self.now = self.now.max(at);
                    self.wake();
                }
                None => return false,
            }
        }
        self.check();
        let state = self.state();
        if state.stage == TableStage::Over && self.records.len() < state.commitment.number as usize
        {
            let record = self.practice.record().expect("a finished match has a record");
            self.records.push(record);
        }
        true
    }

    /// Plays until nothing is left to do.
    pub(crate) fn play(&mut self) {
        while self.step() {
            if self.state().stage != TableStage::Over {
                assert_eq!(self.practice.record(), None, "a record would reveal the cards");
            }
        }
    }

    /// The player's command now: see [`next_command`].
    pub(crate) fn next_command(&mut self) -> Option<TableCommand> {
        next_command(&self.replica, &mut self.claimed_at, self.matches)
    }

    /// Checks that only claims were refused.
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

/// The command of a player who wants this many matches. It depends only on the state of the table.
/// `claimed_at` is the version of the last claim.
pub(crate) fn next_command(
    replica: &TableReplica,
    claimed_at: &mut u64,
    matches: u32,
) -> Option<TableCommand> {
    if !replica.is_settled() {
        return None;
    }
    let state = replica.state()?;
    let (seat, version) = (state.you.seat?, state.version);
    match state.stage {
        TableStage::Waiting => Some(TableCommand::Start),
        TableStage::Over if state.commitment.number < matches => {
            (!state.seats[seat - 1].ready).then_some(TableCommand::AskForRematch)
        }
        TableStage::Over => None,
        TableStage::Playing => {
            let view = replica.view()?;
            let public = view.public();
            if matches!(public.phase(), Phase::Dealing) {
                let ready = state.seats[seat - 1].ready || state.deals.is_empty();
                return (!ready).then_some(TableCommand::Ready);
            }
            let action = easy_move(view, version)?;
            // Claims now and then, also where the claim cannot be proven. A wrong claim is an entry.
            let in_turn = matches!(action, Action::Play { .. });
            if in_turn && view.hand().len() <= 3 && version > *claimed_at + 1 {
                *claimed_at = version;
                return Some(TableCommand::Claim);
            }
            let Viewer::Seat(own) = view.viewer() else { return None };
            Some(TableCommand::Act(action_text(public.rules(), own, action)))
        }
    }
}

fn easy_move(view: &View, version: u64) -> Option<Action> {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&version.to_be_bytes());
    Level::Easy.bot().act(view, Seed(seed), Limit::nodes(0))
}

/// The entries of a journal without their times.
pub(crate) fn without_times(journal: &[String]) -> Vec<String> {
    let bare = |line: &String| {
        let mut parts = line.splitn(3, ' ');
        let (number, _, body) = (parts.next(), parts.next(), parts.next());
        format!("{} {}", number.unwrap_or_default(), body.unwrap_or_default())
    };
    journal.iter().skip(1).map(bare).collect()
}
