//! What somebody may do at a table besides playing: sit down, add a bot, begin, ask for a pause, send
//! somebody away. A page has buttons for it, a terminal a list to choose from.

use wire::table::{Chair, Command, Snapshot, Stage, Who};

use crate::company;
use crate::phrases::Phrases;

/// Something that can be done. Seats are counted from one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    /// Sits down.
    Sit(usize),
    /// Sits down elsewhere.
    Move(usize),
    /// Lets a bot play there.
    AddBot(usize),
    /// Sends a bot away.
    RemoveBot(usize),
    /// Sends somebody away.
    SendAway(usize),
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

impl Deed {
    fn seat(self) -> Option<usize> {
        match self {
            Deed::Sit(seat) | Deed::Move(seat) | Deed::AddBot(seat) => Some(seat),
            Deed::RemoveBot(seat) | Deed::SendAway(seat) | Deed::Mute(seat) => Some(seat),
            Deed::Start | Deed::StandUp | Deed::TakeBack | Deed::AskForPause | Deed::GoOn => None,
        }
    }

    /// The chair that it is about: one's own, if no other is.
    fn chair(self, state: &Snapshot) -> Option<&Chair> {
        state.seats.get(self.seat().or(state.you.seat)?.checked_sub(1)?)
    }

    /// Whether whoever sees the table so may do it now.
    pub fn is_of_use(self, state: &Snapshot) -> bool {
        let Some(chair) = self.chair(state) else { return false };
        let (you, sits) = (state.you, state.you.seat.is_some());
        let (waiting, playing) = (state.stage == Stage::Waiting, state.stage == Stage::Playing);
        // A contest gives its seats away by lot.
        let free = state.contest.is_none();
        match (self, &chair.who) {
            // A bot gives up its seat for somebody who has none.
            (Deed::Sit(_), None | Some(Who::Bot(_))) => free && !sits,
            (Deed::Move(_), None) => free && sits && !playing,
            (Deed::AddBot(_), None) => you.host,
            (Deed::RemoveBot(_), Some(Who::Bot(_))) => you.host && !playing,
            (Deed::SendAway(seat) | Deed::Mute(seat), Some(Who::Person(_))) => {
                you.host && you.seat != Some(seat)
            }
            (Deed::Start, _) => you.host && waiting,
            (Deed::StandUp, _) => free,
            (Deed::TakeBack, _) => chair.stand_in.is_some(),
            // Whoever has asked for a pause waits for the others.
            (Deed::AskForPause, _) => playing && !state.paused && !chair.wants_pause,
            (Deed::GoOn, _) => state.paused,
            _ => false,
        }
    }

    /// In a word or two.
    pub fn words(self, state: &Snapshot, phrases: &Phrases) -> String {
        match self {
            Deed::Sit(_) => phrases.sit_here(),
            Deed::Move(_) => phrases.move_here(),
            Deed::AddBot(_) => phrases.add_bot(),
            Deed::RemoveBot(_) => phrases.remove_bot(),
            Deed::SendAway(_) => phrases.send_away(),
            Deed::Mute(_) if self.is_muted(state) => phrases.unmute(),
            Deed::Mute(_) => phrases.mute(),
            Deed::Start => phrases.start_match(),
            Deed::StandUp => phrases.stand_up(),
            Deed::TakeBack => phrases.take_back(),
            Deed::AskForPause => phrases.pause_ask(),
            Deed::GoOn => phrases.resume(),
        }
    }

    /// The wish. `name` is what somebody would be called who sits down, and `level` how well a bot would
    /// play.
    pub fn command(self, state: &Snapshot, name: &str, level: &str) -> Command {
        match self {
            Deed::Sit(seat) | Deed::Move(seat) => Command::Sit { seat, name: name.into() },
            Deed::AddBot(seat) => Command::Bot { seat, level: level.into() },
            Deed::RemoveBot(seat) => Command::Empty { seat },
            Deed::SendAway(seat) => Command::Kick { seat },
            Deed::Mute(seat) => Command::Mute { seat, muted: !self.is_muted(state) },
            Deed::Start => Command::Start,
            Deed::StandUp => Command::Leave,
            Deed::TakeBack => Command::TakeBack,
            Deed::AskForPause => Command::Pause,
            Deed::GoOn => Command::Resume,
        }
    }

    fn is_muted(self, state: &Snapshot) -> bool {
        self.chair(state).is_some_and(|chair| chair.muted)
    }
}

/// Something that can be done now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// In words: `Beech: send away`.
    pub label: String,
    /// The wish.
    pub command: Command,
    /// What is to be considered before it.
    pub question: Option<String>,
}

/// All that can be done now by whoever sees the table so, the most urgent first. `name` is what he would
/// be called, and `level` how well a bot would play that he adds.
pub fn offers(state: &Snapshot, name: &str, level: &str, phrases: &Phrases) -> Vec<Offer> {
    if state.closed {
        return Vec::new();
    }
    const OF_A_SEAT: [fn(usize) -> Deed; 6] =
        [Deed::Move, Deed::Sit, Deed::AddBot, Deed::RemoveBot, Deed::Mute, Deed::SendAway];
    let of_seats = (1..=state.seats.len()).flat_map(|seat| OF_A_SEAT.map(|deed| deed(seat)));
    let urgent = [Deed::TakeBack, Deed::GoOn, Deed::Start];
    let deeds = urgent.into_iter().chain(of_seats).chain([Deed::AskForPause, Deed::StandUp]);
    let offer = |deed: Deed| {
        let words = deed.words(state, phrases);
        let who = deed.seat().zip(deed.chair(state));
        let who = who.map(|(seat, chair)| (seat, company::name(chair.who.as_ref(), seat, phrases)));
        let question = match (deed, &who) {
            (Deed::SendAway(_), Some((_, who))) => Some(phrases.send_away_ask(who.as_str())),
            _ => None,
        };
        let label = match who {
            Some((seat, who)) => format!("{seat} · {who}: {words}"),
            None => words,
        };
        Offer { label, command: deed.command(state, name, level), question }
    };
    deeds.filter(|deed| deed.is_of_use(state)).map(offer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use wire::table::{Pace, Place, Promise};

    fn table(you: Place, stage: Stage) -> Snapshot {
        let who = |who| Chair { who: Some(who), present: true, ..Chair::default() };
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
                who(Who::Person("Ana".into())),
                who(Who::Bot("hard".into())),
                who(Who::Person("Dan".into())),
                Chair::default(),
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
    fn check(you: Place, stage: Stage, expected: &[&str]) {
        let phrases = Phrases::new(Language::English);
        let found = offers(&table(you, stage), "Zoe", "hard", &phrases);
        let labels: Vec<&str> = found.iter().map(|offer| offer.label.as_str()).collect();
        assert_eq!(labels, expected);
    }

    #[test]
    fn everybody_is_offered_what_he_may_do() {
        let host = Place { seat: Some(1), host: true };
        let of_the_host = [
            "Start",
            "2 · Beech: Remove",
            "3 · Dan: Mute",
            "3 · Dan: Send away",
            "4 · free seat: Move here",
            "4 · free seat: Bot",
            "Stand up",
        ];
        check(host, Stage::Waiting, &of_the_host);
        let guest = Place { seat: Some(3), host: false };
        check(guest, Stage::Waiting, &["4 · free seat: Move here", "Stand up"]);
        check(guest, Stage::Playing, &["Ask for a pause", "Stand up"]);
        let watches = ["2 · Beech: Sit here", "4 · free seat: Sit here"];
        check(Place { seat: None, host: false }, Stage::Playing, &watches);
    }

    #[test]
    fn a_contest_gives_its_seats_away_by_lot() {
        let offered = |you, stage| {
            let table = Snapshot { contest: Some("0000000002".into()), ..table(you, stage) };
            let offers = offers(&table, "Zoe", "hard", &Phrases::new(Language::English));
            offers.into_iter().map(|offer| offer.label).collect::<Vec<_>>()
        };
        let (guest, watches) =
            (Place { seat: Some(3), host: false }, Place { seat: None, host: false });
        assert_eq!(offered(guest, Stage::Playing), ["Ask for a pause"]);
        assert!(offered(watches, Stage::Playing).is_empty());
    }

    #[test]
    fn a_closed_table_offers_nothing() {
        let host = Place { seat: Some(1), host: true };
        let closed = Snapshot { closed: true, ..table(host, Stage::Waiting) };
        assert_eq!(offers(&closed, "Ana", "hard", &Phrases::new(Language::English)), []);
    }
}
