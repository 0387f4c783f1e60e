//! The actions of a user at a table besides playing: sit down, add a bot, start, ask for a pause, remove
//! a player. The page shows them as buttons, the terminal as a list.

use wire::table::{Occupant, SeatState, Snapshot, TableCommand, TableStage};

use crate::participants;
use phrases::Phrases;

/// An action of a user. Seats are counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableAction {
    /// Take a seat.
    Sit(usize),
    /// Move to a different seat.
    Move(usize),
    /// Add a bot.
    AddBot(usize),
    /// Remove a bot.
    RemoveBot(usize),
    /// Remove a player.
    Kick(usize),
    /// Mute or unmute a player.
    Mute(usize),
    /// Start the match.
    Start,
    /// Leave the seat.
    Leave,
    /// Take the seat back from the bot that stands in.
    TakeBack,
    /// Ask the other players for a pause.
    AskForPause,
    /// End a pause.
    Resume,
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
            | TableAction::Leave
            | TableAction::TakeBack
            | TableAction::AskForPause
            | TableAction::Resume => None,
        }
    }

    /// The state of the seat that it concerns: by default the viewer's own.
    fn seat_state(self, state: &Snapshot) -> Option<&SeatState> {
        state.seats.get(self.seat().or(state.you.seat)?.checked_sub(1)?)
    }

    /// Whether the viewer of this snapshot may do it now.
    pub fn is_possible(self, state: &Snapshot) -> bool {
        let Some(seat_state) = self.seat_state(state) else { return false };
        let (you, is_seated) = (state.you, state.you.seat.is_some());
        let is_waiting = state.stage == TableStage::Waiting;
        let is_playing = state.stage == TableStage::Playing;
        // A contest assigns its seats by lot.
        let is_free = state.contest.is_none();
        match (self, &seat_state.who) {
            // A bot gives up its seat for a spectator.
            (TableAction::Sit(_), None | Some(Occupant::Bot(_))) => is_free && !is_seated,
            (TableAction::Move(_), None) => is_free && is_seated && !is_playing,
            (TableAction::AddBot(_), None) => you.host,
            (TableAction::RemoveBot(_), Some(Occupant::Bot(_))) => you.host && !is_playing,
            (TableAction::Kick(seat) | TableAction::Mute(seat), Some(Occupant::Person(_))) => {
                you.host && you.seat != Some(seat)
            }
            (TableAction::Start, _) => you.host && is_waiting,
            (TableAction::Leave, _) => is_free,
            (TableAction::TakeBack, _) => seat_state.stand_in.is_some(),
            // A player who has asked for a pause waits for the others.
            (TableAction::AskForPause, _) => {
                is_playing && !state.paused && !seat_state.asked_for_pause
            }
            (TableAction::Resume, _) => state.paused,
            _ => false,
        }
    }

    /// Its name, in a word or two.
    pub fn words(self, state: &Snapshot, phrases: &Phrases) -> String {
        match self {
            TableAction::Sit(_) => phrases.sit_here(),
            TableAction::Move(_) => phrases.move_here(),
            TableAction::AddBot(_) => phrases.add_bot(),
            TableAction::RemoveBot(_) => phrases.remove_bot(),
            TableAction::Kick(_) => phrases.kick(),
            TableAction::Mute(_) if self.is_muted(state) => phrases.unmute(),
            TableAction::Mute(_) => phrases.mute(),
            TableAction::Start => phrases.start_match(),
            TableAction::Leave => phrases.stand_up(),
            TableAction::TakeBack => phrases.take_back(),
            TableAction::AskForPause => phrases.ask_for_pause(),
            TableAction::Resume => phrases.resume(),
        }
    }

    /// The command for the server. `name` is the name of a player who takes a seat, and `level` the level
    /// of a new bot.
    pub fn command(self, state: &Snapshot, name: &str, level: &str) -> TableCommand {
        match self {
            TableAction::Sit(seat) | TableAction::Move(seat) => {
                TableCommand::Sit { seat, name: name.into() }
            }
            TableAction::AddBot(seat) => TableCommand::AddBot { seat, level: level.into() },
            TableAction::RemoveBot(seat) => TableCommand::RemoveBot { seat },
            TableAction::Kick(seat) => TableCommand::Kick { seat },
            TableAction::Mute(seat) => TableCommand::Mute { seat, muted: !self.is_muted(state) },
            TableAction::Start => TableCommand::Start,
            TableAction::Leave => TableCommand::Leave,
            TableAction::TakeBack => TableCommand::TakeBack,
            TableAction::AskForPause => TableCommand::AskForPause,
            TableAction::Resume => TableCommand::Resume,
        }
    }

    fn is_muted(self, state: &Snapshot) -> bool {
        self.seat_state(state).is_some_and(|seat| seat.muted)
    }
}

/// An action that is possible now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OfferedAction {
    /// Its text: `Ion: send away`.
    pub label: String,
    /// The command for the server.
    pub command: TableCommand,
    /// The question that confirms it.
    pub question: Option<String>,
}

/// All actions that are possible now for the viewer of this snapshot, the most urgent first. `name` and
/// `level` are those of [`TableAction::command`].
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
    let of_seats = (1..=state.seats.len()).flat_map(|seat| OF_A_SEAT.map(|action| action(seat)));
    let urgent = [TableAction::TakeBack, TableAction::Resume, TableAction::Start];
    let actions =
        urgent.into_iter().chain(of_seats).chain([TableAction::AskForPause, TableAction::Leave]);
    let offer = |action: TableAction| {
        let words = action.words(state, phrases);
        let who = action
            .seat()
            .zip(action.seat_state(state))
            .map(|(number, seat)| (number, participants::name(seat.who.as_ref(), number, phrases)));
        let question = match (action, &who) {
            (TableAction::Kick(_), Some((_, who))) => Some(phrases.kick_ask(who.as_str())),
            _ => None,
        };
        let label = match who {
            Some((seat, who)) => format!("{seat} · {who}: {words}"),
            None => words,
        };
        OfferedAction { label, command: action.command(state, name, level), question }
    };
    actions.filter(|action| action.is_possible(state)).map(offer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use phrases::language::Language;
    use wire::table::ViewerPlace;

    fn table(you: ViewerPlace, stage: TableStage) -> Snapshot {
        let who = |who| SeatState { who: Some(who), present: true, ..SeatState::default() };
        Snapshot {
            you,
            host: Some(1),
            seats: vec![
                who(Occupant::Person("Ana".into())),
                who(Occupant::Bot("hard".into())),
                who(Occupant::Person("Dan".into())),
                SeatState::default(),
            ],
            stage,
            ..test_support::table::snapshot("cruce4t-21", 4)
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
    fn every_viewer_is_offered_the_allowed_actions() {
        let host = ViewerPlace { seat: Some(1), host: true };
        let host_actions = [
            "Start",
            "2 · Beech: Remove",
            "3 · Dan: Mute",
            "3 · Dan: Send away",
            "4 · free seat: Move here",
            "4 · free seat: Bot",
            "Stand up",
        ];
        check(host, TableStage::Waiting, &host_actions);
        let player = ViewerPlace { seat: Some(3), host: false };
        check(player, TableStage::Waiting, &["4 · free seat: Move here", "Stand up"]);
        check(player, TableStage::Playing, &["Ask for a pause", "Stand up"]);
        let spectator_actions = ["2 · Beech: Sit here", "4 · free seat: Sit here"];
        check(ViewerPlace { seat: None, host: false }, TableStage::Playing, &spectator_actions);
    }

    #[test]
    fn seats_of_a_contest_cannot_be_taken_or_left() {
        let offered = |you, stage| {
            let table = Snapshot { contest: Some("0000000002".into()), ..table(you, stage) };
            let offers = offers(&table, "Zoe", "hard", &Phrases::new(Language::English));
            offers.into_iter().map(|offer| offer.label).collect::<Vec<_>>()
        };
        let (player, spectator) =
            (ViewerPlace { seat: Some(3), host: false }, ViewerPlace { seat: None, host: false });
        assert_eq!(offered(player, TableStage::Playing), ["Ask for a pause"]);
        assert!(offered(spectator, TableStage::Playing).is_empty());
    }

    #[test]
    fn a_closed_table_offers_nothing() {
        let host = ViewerPlace { seat: Some(1), host: true };
        let closed = Snapshot { closed: true, ..table(host, TableStage::Waiting) };
        assert_eq!(offers(&closed, "Ana", "hard", &Phrases::new(Language::English)), []);
    }
}
