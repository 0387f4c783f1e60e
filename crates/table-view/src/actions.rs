//! What somebody may do at a table besides playing: sit down, add a bot, begin, ask for a pause, send
//! somebody away. A page has buttons for it, a terminal a list to choose from.

use wire::table::{Occupant, SeatState, Snapshot, TableCommand, TableStage};

use crate::participants;
use phrases::Phrases;

/// Something that can be done. Seats are counted from one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableAction {
    /// Sits down.
    Sit(usize),
    /// Sits down elsewhere.
    Move(usize),
    /// Lets a bot play there.
    AddBot(usize),
    /// Sends a bot away.
    RemoveBot(usize),
    /// Sends somebody away.
    Kick(usize),
    /// Lets nobody hear somebody, or lets him be heard again.
    Mute(usize),
    /// Begins the match.
    Start,
    /// Gives the seat up.
    StandUp,
    /// Plays on where a bot has stood in.
    TakeBack,
    /// Asks the others for a pause.
    AskForPause,
    /// Ends a pause.
    GoOn,
}

impl TableAction {
    fn seat(self) -> Option<usize> {
        match self {
            TableAction::Sit(seat) | TableAction::Move(seat) | TableAction::AddBot(seat) => {
                Some(seat)
            }
            TableAction::RemoveBot(seat) | TableAction::Kick(seat) | TableAction::Mute(seat) => {
                Some(seat)
            }
            TableAction::Start
            | TableAction::StandUp
            | TableAction::TakeBack
            | TableAction::AskForPause
            | TableAction::GoOn => None,
        }
    }

    /// The chair that it is about: one's own, if no other is.
    fn chair(self, state: &Snapshot) -> Option<&SeatState> {
        state.seats.get(self.seat().or(state.you.seat)?.checked_sub(1)?)
    }

    /// Whether whoever sees the table so may do it now.
    pub fn is_of_use(self, state: &Snapshot) -> bool {
        let Some(chair) = self.chair(state) else { return false };
        let (you, sits) = (state.you, state.you.seat.is_some());
        let (waiting, playing) =
            (state.stage == TableStage::Waiting, state.stage == TableStage::Playing);
        // A contest gives its seats away by lot.
        let free = state.contest.is_none();
        match (self, &chair.who) {
            // A bot gives up its seat for somebody who has none.
            (TableAction::Sit(_), None | Some(Occupant::Bot(_))) => free && !sits,
            (TableAction::Move(_), None) => free && sits && !playing,
            (TableAction::AddBot(_), None) => you.host,
            (TableAction::RemoveBot(_), Some(Occupant::Bot(_))) => you.host && !playing,
            (TableAction::Kick(seat) | TableAction::Mute(seat), Some(Occupant::Person(_))) => {
                you.host && you.seat != Some(seat)
            }
            (TableAction::Start, _) => you.host && waiting,
            (TableAction::StandUp, _) => free,
            (TableAction::TakeBack, _) => chair.stand_in.is_some(),
            // Whoever has asked for a pause waits for the others.
            (TableAction::AskForPause, _) => playing && !state.paused && !chair.wants_pause,
            (TableAction::GoOn, _) => state.paused,
            _ => false,
        }
    }

    /// In a word or two.
    pub fn words(self, state: &Snapshot, phrases: &Phrases) -> String {
        match self {
            TableAction::Sit(_) => phrases.sit_here(),
            TableAction::Move(_) => phrases.move_here(),
            TableAction::AddBot(_) => phrases.add_bot(),
            TableAction::RemoveBot(_) => phrases.remove_bot(),
            TableAction::Kick(_) => phrases.send_away(),
            TableAction::Mute(_) if self.is_muted(state) => phrases.unmute(),
            TableAction::Mute(_) => phrases.mute(),
            TableAction::Start => phrases.start_match(),
            TableAction::StandUp => phrases.stand_up(),
            TableAction::TakeBack => phrases.take_back(),
            TableAction::AskForPause => phrases.pause_ask(),
            TableAction::GoOn => phrases.resume(),
        }
    }

    /// The wish. `name` is what somebody would be called who sits down, and `level` how well a bot would
    /// play.
    pub fn command(self, state: &Snapshot, name: &str, level: &str) -> TableCommand {
        match self {
            TableAction::Sit(seat) | TableAction::Move(seat) => {
                TableCommand::Sit { seat, name: name.into() }
            }
            TableAction::AddBot(seat) => TableCommand::Bot { seat, level: level.into() },
            TableAction::RemoveBot(seat) => TableCommand::Empty { seat },
            TableAction::Kick(seat) => TableCommand::Kick { seat },
            TableAction::Mute(seat) => TableCommand::Mute { seat, muted: !self.is_muted(state) },
            TableAction::Start => TableCommand::Start,
            TableAction::StandUp => TableCommand::Leave,
            TableAction::TakeBack => TableCommand::TakeBack,
            TableAction::AskForPause => TableCommand::Pause,
            TableAction::GoOn => TableCommand::Resume,
        }
    }

    fn is_muted(self, state: &Snapshot) -> bool {
        self.chair(state).is_some_and(|chair| chair.muted)
    }
}

/// Something that can be done now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OfferedAction {
    /// In words: `Beech: send away`.
    pub label: String,
    /// The wish.
    pub command: TableCommand,
    /// What is to be considered before it.
    pub question: Option<String>,
}

/// All that can be done now by whoever sees the table so, the most urgent first. `name` is what he would
/// be called, and `level` how well a bot would play that he adds.
pub fn offers(state: &Snapshot, name: &str, level: &str, phrases: &Phrases) -> Vec<OfferedAction> {
    if state.closed {
        return Vec::new();
    }
    const OF_A_SEAT: [fn(usize) -> TableAction; 6] = [
        TableAction::Move,
        TableAction::Sit,
        TableAction::AddBot,
        TableAction::RemoveBot,
        TableAction::Mute,
        TableAction::Kick,
    ];
    let of_seats = (1..=state.seats.len()).flat_map(|seat| OF_A_SEAT.map(|deed| deed(seat)));
    let urgent = [TableAction::TakeBack, TableAction::GoOn, TableAction::Start];
    let deeds =
        urgent.into_iter().chain(of_seats).chain([TableAction::AskForPause, TableAction::StandUp]);
    let offer = |deed: TableAction| {
        let words = deed.words(state, phrases);
        let who = deed.seat().zip(deed.chair(state));
        let who =
            who.map(|(seat, chair)| (seat, participants::name(chair.who.as_ref(), seat, phrases)));
        let question = match (deed, &who) {
            (TableAction::Kick(_), Some((_, who))) => Some(phrases.send_away_ask(who.as_str())),
            _ => None,
        };
        let label = match who {
            Some((seat, who)) => format!("{seat} · {who}: {words}"),
            None => words,
        };
        OfferedAction { label, command: deed.command(state, name, level), question }
    };
    deeds.filter(|deed| deed.is_of_use(state)).map(offer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use phrases::language::Language;
    use wire::table::{Pace, Promise, ViewerPlace};

    fn table(you: ViewerPlace, stage: TableStage) -> Snapshot {
        let who = |who| SeatState { who: Some(who), present: true, ..SeatState::default() };
        let promise = Promise {
            number: 1,
            table: "0000000001-1".into(),
            commitment: "0".repeat(64),
            secret: None,
        };
        Snapshot {
            version: 3,
            table: "0000000001".into(),
            you,
            rules: "cruce4t-21".into(),
            pace: Pace::Off,
            listed: false,
            host: Some(1),
            seats: vec![
                who(Occupant::Person("Ana".into())),
                who(Occupant::Bot("hard".into())),
                who(Occupant::Person("Dan".into())),
                SeatState::default(),
            ],
            stage,
            promise,
            next: None,
            view: None,
            deals: Vec::new(),
            clock: None,
            paused: false,
            said: Vec::new(),
            duplicate: None,
            contest: None,
            closed: false,
        }
    }

    #[track_caller]
    fn check(you: ViewerPlace, stage: TableStage, expected: &[&str]) {
        let phrases = Phrases::new(Language::English);
        let found = offers(&table(you, stage), "Zoe", "hard", &phrases);
        let labels: Vec<&str> = found.iter().map(|offer| offer.label.as_str()).collect();
        assert_eq!(labels, expected);
    }

    #[test]
    fn everybody_is_offered_what_he_may_do() {
        let host = ViewerPlace { seat: Some(1), host: true };
        let of_the_host = [
            "Start",
            "2 · Beech: Remove",
            "3 · Dan: Mute",
            "3 · Dan: Send away",
            "4 · free seat: Move here",
            "4 · free seat: Bot",
            "Stand up",
        ];
        check(host, TableStage::Waiting, &of_the_host);
        let guest = ViewerPlace { seat: Some(3), host: false };
        check(guest, TableStage::Waiting, &["4 · free seat: Move here", "Stand up"]);
        check(guest, TableStage::Playing, &["Ask for a pause", "Stand up"]);
        let watches = ["2 · Beech: Sit here", "4 · free seat: Sit here"];
        check(ViewerPlace { seat: None, host: false }, TableStage::Playing, &watches);
    }

    #[test]
    fn a_contest_gives_its_seats_away_by_lot() {
        let offered = |you, stage| {
            let table = Snapshot { contest: Some("0000000002".into()), ..table(you, stage) };
            let offers = offers(&table, "Zoe", "hard", &Phrases::new(Language::English));
            offers.into_iter().map(|offer| offer.label).collect::<Vec<_>>()
        };
        let (guest, watches) =
            (ViewerPlace { seat: Some(3), host: false }, ViewerPlace { seat: None, host: false });
        assert_eq!(offered(guest, TableStage::Playing), ["Ask for a pause"]);
        assert!(offered(watches, TableStage::Playing).is_empty());
    }

    #[test]
    fn a_closed_table_offers_nothing() {
        let host = ViewerPlace { seat: Some(1), host: true };
        let closed = Snapshot { closed: true, ..table(host, TableStage::Waiting) };
        assert_eq!(offers(&closed, "Ana", "hard", &Phrases::new(Language::English)), []);
    }
}
