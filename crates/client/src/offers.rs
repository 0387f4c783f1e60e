//! What somebody may do at a table besides playing, as a list to choose from: sit down, add a
//! bot, begin, ask for a pause, send somebody away.

use wire::table::{Chair, Command, Phrase, Snapshot, Stage, Who};

use crate::company;
use crate::phrases::Phrases;

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

/// All that can be done now by whoever sees the table so. `name` is what he would be called, and
/// `level` how well a bot would play that he adds.
pub fn offers(state: &Snapshot, name: &str, level: &str, phrases: &Phrases) -> Vec<Offer> {
    let offering = Offering { state, name, level, phrases };
    if state.closed { Vec::new() } else { offering.all() }
}

/// The quick phrases, in the order in which they are offered.
pub const QUICK: [Phrase; 10] = [
    Phrase::Hello,
    Phrase::GoodLuck,
    Phrase::WellPlayed,
    Phrase::Thanks,
    Phrase::Sorry,
    Phrase::OneMoment,
    Phrase::YourTurn,
    Phrase::Close,
    Phrase::Again,
    Phrase::GoodNight,
];

struct Offering<'a> {
    state: &'a Snapshot,
    name: &'a str,
    level: &'a str,
    phrases: &'a Phrases,
}

impl Offering<'_> {
    fn all(&self) -> Vec<Offer> {
        let (state, phrases) = (self.state, self.phrases);
        let own = state.you.seat.and_then(|seat| state.seats.get(seat.checked_sub(1)?));
        let mut all = Vec::new();
        let mut offer = |label: String, command| all.push(Offer { label, command, question: None });
        if own.is_some_and(|own| own.stand_in.is_some()) {
            offer(phrases.take_back(), Command::TakeBack);
        }
        let playing = state.stage == Stage::Playing;
        if own.is_some() && state.paused {
            offer(phrases.resume(), Command::Resume);
        }
        if state.you.host && state.stage == Stage::Waiting && own.is_some() {
            offer(phrases.start_match(), Command::Start);
        }
        for (at, chair) in state.seats.iter().enumerate() {
            all.extend(self.of_seat(at + 1, chair));
        }
        let mut offer = |label: String, command| all.push(Offer { label, command, question: None });
        if let Some(own) = own.filter(|_| playing && !state.paused)
            && !own.wants_pause
        {
            offer(phrases.pause_ask(), Command::Pause);
        }
        if own.is_some() && self.seats_are_free() {
            offer(phrases.stand_up(), Command::Leave);
        }
        all
    }

    /// Whether everybody may sit where he likes: a contest gives its seats away by lot.
    fn seats_are_free(&self) -> bool {
        self.state.contest.is_none()
    }

    fn of_seat(&self, seat: usize, chair: &Chair) -> Vec<Offer> {
        let (you, phrases) = (self.state.you, self.phrases);
        let playing = self.state.stage == Stage::Playing;
        let who = company::name(chair.who.as_ref(), seat, phrases);
        let label = |what: String| format!("{seat} · {who}: {what}");
        let plain = |what: String, command| Offer { label: label(what), command, question: None };
        let sit = Command::Sit { seat, name: self.name.into() };
        let bot = || Command::Bot { seat, level: self.level.into() };
        let mut offers = Vec::new();
        match (&chair.who, you.seat) {
            _ if !self.seats_are_free() => {}
            (None, Some(_)) if !playing => offers.push(plain(phrases.move_here(), sit)),
            // A bot gives up its seat for somebody who has none.
            (None | Some(Who::Bot(_)), None) => offers.push(plain(phrases.sit_here(), sit)),
            _ => {}
        }
        match &chair.who {
            None if you.host => offers.push(plain(phrases.add_bot(), bot())),
            Some(Who::Bot(_)) if you.host && !playing => {
                offers.push(plain(phrases.remove_bot(), Command::Empty { seat }));
            }
            Some(Who::Person(_)) if you.host && you.seat != Some(seat) => {
                let mute = Command::Mute { seat, muted: !chair.muted };
                let what = if chair.muted { phrases.unmute() } else { phrases.mute() };
                offers.push(plain(what, mute));
                offers.push(Offer {
                    label: label(phrases.send_away()),
                    command: Command::Kick { seat },
                    question: Some(phrases.send_away_ask(who.as_str())),
                });
            }
            _ => {}
        }
        offers
    }
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
