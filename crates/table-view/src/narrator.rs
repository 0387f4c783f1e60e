//! The events of a table as sentences, for screen readers and for the log.

use cards::{Seat, Side};
use game::{OpenEvent, Public, Rules, SeatEvent, Viewer};
use wire::table::{Phrase, PlayedDealText, TableEvent};

use crate::participants;
use crate::scores::{Scores, side_name};
use phrases::Phrases;
use replica::table::TableReplica;

/// The sentence for an event, if there is one. The replica has already applied the event.
pub fn sentence(event: &TableEvent, replica: &TableReplica, phrases: &Phrases) -> Option<String> {
    let state = replica.state()?;
    let rules = Rules::from_code(&state.rules).ok()?;
    let names = participants::names(state, phrases);
    match event.seat_event(&rules) {
        Ok(Some(seat_event)) => {
            let view = replica.view()?;
            let narrator = Narrator {
                viewer: view.viewer(),
                public: view.public(),
                deals: &state.deals,
                names: &names,
                phrases,
            };
            narrator.sentence(&seat_event)
        }
        _ => Announcer { names: &names, phrases }.sentence(event),
    }
}

/// Describes the events of a match.
pub(crate) struct Narrator<'a> {
    /// The viewer whom the sentences address.
    pub(crate) viewer: Viewer,
    /// The public state after the event.
    pub(crate) public: &'a Public,
    /// The finished deals; the last one is described when it ends.
    pub(crate) deals: &'a [PlayedDealText],
    /// The names of the players.
    pub(crate) names: &'a [String],
    pub(crate) phrases: &'a Phrases,
}

impl Narrator<'_> {
    fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.index()).map_or("", String::as_str)
    }

    fn side(&self, side: Side) -> String {
        side_name(self.public.rules(), self.names, side)
    }

    /// The sentence for an event, if there is one.
    pub(crate) fn sentence(&self, event: &SeatEvent) -> Option<String> {
        let (phrases, rules) = (self.phrases, self.public.rules());
        let pack = rules.pack();
        match event {
            SeatEvent::Dealt { hand, turned } => {
                let mut sentences = vec![phrases.spoken_dealt()];
                sentences.extend(hand.map(|hand| phrases.spoken_hand(phrases.all_of(pack, hand))));
                sentences.extend(turned.map(|card| phrases.trump(rules, Some(card.suit()))));
                Some(sentences.join(" "))
            }
            SeatEvent::Completed { rest } => {
                rest.map(|rest| phrases.spoken_rest(phrases.all_of(pack, rest)))
            }
            SeatEvent::Drew { seat, card } => {
                match card.filter(|_| self.viewer == Viewer::Seat(*seat)) {
                    Some(card) => Some(phrases.spoken_you_drew(phrases.the_card(pack, card))),
                    None => Some(phrases.spoken_drew(self.name(*seat))),
                }
            }
            SeatEvent::Open(happened) => self.open_event(happened),
        }
    }

    fn open_event(&self, happened: &OpenEvent) -> Option<String> {
        let (phrases, rules) = (self.phrases, self.public.rules());
        let pack = rules.pack();
        let name = |seat: Seat| self.name(seat);
        Some(match *happened {
            OpenEvent::Bid { seat, bid } => {
                format!("{}.", phrases.says(name(seat), phrases.bid(rules, bid)))
            }
            OpenEvent::Declared(contract) => {
                let side = self.side(rules.side_of(contract.declarer));
                phrases.declarer(name(contract.declarer), &side, contract.bid)
            }
            OpenEvent::Played { seat, card, call: Some(points) } => {
                phrases.leads_calling(name(seat), phrases.the_card(pack, card), points)
            }
            OpenEvent::Played { seat, card, call: None } => {
                let round = self.public.round();
                let leads = round.is_some_and(|round| round.trick().cards() == [card]);
                let card = phrases.the_card(pack, card);
                let sentence = match leads {
                    true => phrases.leads(name(seat), card),
                    false => phrases.plays(name(seat), card),
                };
                format!("{sentence}.")
            }
            OpenEvent::Took { seat, points } => phrases.taker(rules, name(seat), points),
            OpenEvent::Challenged { by, trick, accused, broken } => {
                let challenge = phrases.challenges(name(by), name(accused), trick + 1);
                let judgement = match broken {
                    Some(broken) => {
                        phrases.challenge_right(phrases.broken_duty(name(accused), &broken, rules))
                    }
                    None => phrases.challenge_wrong(),
                };
                format!("{challenge} {judgement}")
            }
            OpenEvent::Accepted { seat } => phrases.accepted(name(seat)),
            // The score sheet explains the score.
            OpenEvent::ThrownIn { .. } | OpenEvent::Scored(_) => {
                let scores = Scores::new(rules, self.names, self.deals, phrases);
                scores.rows.last()?.explanation.join(" ")
            }
            OpenEvent::Won { sides } => {
                let won = sides.entries().filter(|(_, won)| **won);
                let sides: Vec<String> = won.map(|(side, _)| self.side(side)).collect();
                match sides.len() {
                    1 => phrases.won(sides[0].split(" & ").count(), sides[0].as_str()),
                    _ => phrases.shared(phrases.list_and(&sides)),
                }
            }
        })
    }
}

/// Describes the events of a table outside the match.
struct Announcer<'a> {
    names: &'a [String],
    phrases: &'a Phrases,
}

impl Announcer<'_> {
    fn name(&self, number: usize) -> &str {
        number.checked_sub(1).and_then(|at| self.names.get(at)).map_or("", String::as_str)
    }

    fn sentence(&self, event: &TableEvent) -> Option<String> {
        let phrases = self.phrases;
        let sentence = match event {
            TableEvent::Seated { seat, .. } => phrases.spoken_seated(self.name(*seat)),
            TableEvent::Renamed { seat, name } => phrases.spoken_renamed(*seat, name.as_str()),
            TableEvent::SeatFreed { seat, kicked } => match kicked {
                true => phrases.spoken_kicked(*seat),
                false => phrases.spoken_left(*seat),
            },
            TableEvent::Swapped { seats: [one, two] } => phrases.spoken_swapped(*one, *two),
            TableEvent::Host { seat: Some(seat) } => phrases.spoken_host(self.name(*seat)),
            TableEvent::Started { .. } => phrases.spoken_started(),
            TableEvent::StoodIn { seat, .. } => phrases.spoken_stood_in(self.name(*seat)),
            TableEvent::TookBack { seat } => phrases.spoken_back(self.name(*seat)),
            TableEvent::Claimed { seat } => phrases.spoken_claimed(self.name(*seat)),
            TableEvent::AskedForPause { seat } => phrases.spoken_asked_for_pause(self.name(*seat)),
            TableEvent::Paused => phrases.spoken_paused(),
            TableEvent::Resumed => phrases.spoken_resumed(),
            TableEvent::AskedForRematch { seat } => {
                phrases.spoken_asked_for_rematch(self.name(*seat))
            }
            TableEvent::Said { seat, text, phrase } => {
                let text = match (text, phrase) {
                    (Some(text), _) => text.clone(),
                    (None, Some(phrase)) => quick(*phrase, phrases),
                    (None, None) => return None,
                };
                phrases.spoken_said(self.name(*seat), text)
            }
            TableEvent::Closed => phrases.spoken_closed(),
            _ => return None,
        };
        Some(sentence)
    }
}

/// The quick phrases, in the order of the menu.
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

/// A quick phrase in words.
pub fn quick(phrase: Phrase, phrases: &Phrases) -> String {
    match phrase {
        Phrase::Hello => phrases.quick_hello(),
        Phrase::GoodLuck => phrases.quick_good_luck(),
        Phrase::WellPlayed => phrases.quick_well_played(),
        Phrase::Thanks => phrases.quick_thanks(),
        Phrase::Sorry => phrases.quick_sorry(),
        Phrase::OneMoment => phrases.quick_one_moment(),
        Phrase::YourTurn => phrases.quick_your_turn(),
        Phrase::Close => phrases.quick_close(),
        Phrase::Again => phrases.quick_again(),
        Phrase::GoodNight => phrases.quick_good_night(),
    }
}
