//! What happens at a table, said aloud: a sentence for each thing that is told, for those who
//! listen and for those who look away for a moment.

use game::{Happened, Rules, SeatEvent, Viewer};
use wire::table::{Phrase, Snapshot, Told};

use crate::company;
use crate::mirror::Mirror;
use crate::phrases::Phrases;
use crate::scores::side_name;

/// The sentence for something that was told, if there is one. The mirror has folded it in already.
pub fn spoken(told: &Told, mirror: &Mirror, phrases: &Phrases) -> Option<String> {
    let state = mirror.state()?;
    let rules = Rules::from_code(&state.rules).ok()?;
    let speaker = Speaker { state, mirror, rules, names: company::names(state, phrases), phrases };
    match told.seat_event(&rules) {
        Ok(Some(event)) => speaker.event(&event),
        _ => speaker.told(told),
    }
}

struct Speaker<'a> {
    state: &'a Snapshot,
    mirror: &'a Mirror,
    rules: Rules,
    names: Vec<String>,
    phrases: &'a Phrases,
}

impl Speaker<'_> {
    fn name(&self, number: usize) -> &str {
        number.checked_sub(1).and_then(|at| self.names.get(at)).map_or("", String::as_str)
    }

    fn event(&self, event: &SeatEvent) -> Option<String> {
        let (phrases, pack) = (self.phrases, self.rules.pack());
        let own = match self.mirror.view()?.viewer() {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator => None,
        };
        match event {
            SeatEvent::Dealt { hand, turned } => {
                let mut said = vec![phrases.spoken_dealt()];
                said.extend(hand.map(|hand| phrases.spoken_hand(phrases.all_of(pack, hand))));
                said.extend(turned.map(|card| phrases.trump(&self.rules, Some(card.suit()))));
                Some(said.join(" "))
            }
            SeatEvent::Completed { rest } => {
                rest.map(|rest| phrases.spoken_rest(phrases.all_of(pack, rest)))
            }
            SeatEvent::Drew { seat, card } => match card.filter(|_| own == Some(*seat)) {
                Some(card) => Some(phrases.spoken_you_drew(phrases.the_card(pack, card))),
                None => Some(phrases.spoken_drew(self.name(seat.number()))),
            },
            SeatEvent::Open(happened) => self.happened(happened),
        }
    }

    fn happened(&self, happened: &Happened) -> Option<String> {
        let (phrases, pack) = (self.phrases, self.rules.pack());
        let name = |seat: cards::Seat| self.name(seat.number());
        Some(match *happened {
            Happened::Bid { seat, bid } => {
                format!("{}.", phrases.says(name(seat), phrases.bid(&self.rules, bid)))
            }
            Happened::Declared(contract) => {
                let side =
                    side_name(&self.rules, &self.names, self.rules.side_of(contract.declarer));
                phrases.declarer(name(contract.declarer), &side, contract.bid)
            }
            Happened::Played { seat, card, call: Some(points) } => {
                phrases.leads_calling(name(seat), phrases.the_card(pack, card), points)
            }
            Happened::Played { seat, card, call: None } => {
                let round = self.mirror.view()?.public().round();
                let leads = round.is_some_and(|round| round.trick().cards() == [card]);
                let card = phrases.the_card(pack, card);
                let said = match leads {
                    true => phrases.leads(name(seat), card),
                    false => phrases.plays(name(seat), card),
                };
                format!("{said}.")
            }
            Happened::Took { seat, points } => phrases.taker(&self.rules, name(seat), points),
            Happened::Challenged { by, trick, accused, broken } => {
                let said = phrases.challenges(name(by), name(accused), trick + 1);
                let judged = match broken {
                    Some(broken) => phrases.challenge_right(phrases.broken_duty(
                        name(accused),
                        &broken,
                        &self.rules,
                    )),
                    None => phrases.challenge_wrong(),
                };
                format!("{said} {judged}")
            }
            Happened::Accepted { seat } => phrases.accepted(name(seat)),
            // The sheet tells how it came about.
            Happened::ThrownIn { .. } | Happened::Scored(_) => {
                let scores = crate::scores::Scores::new(
                    &self.rules,
                    &self.names,
                    &self.state.deals,
                    phrases,
                );
                scores.rows.last()?.story.join(" ")
            }
            Happened::Won { sides } => {
                let won = sides.entries().filter(|(_, won)| **won);
                let sides: Vec<String> =
                    won.map(|(side, _)| side_name(&self.rules, &self.names, side)).collect();
                match sides.len() {
                    1 => phrases.won(self.players(&sides), sides[0].as_str()),
                    _ => phrases.shared(phrases.list_and(&sides)),
                }
            }
        })
    }

    /// How many people a name stands for, for the verb.
    fn players(&self, sides: &[String]) -> usize {
        sides.iter().map(|side| side.split(" & ").count()).sum()
    }

    fn told(&self, told: &Told) -> Option<String> {
        let phrases = self.phrases;
        let said = match told {
            Told::Seated { seat, .. } => phrases.spoken_seated(self.name(*seat)),
            Told::Renamed { seat, name } => phrases.spoken_renamed(*seat, name.as_str()),
            Told::Free { seat, kicked } => match kicked {
                true => phrases.spoken_kicked(*seat),
                false => phrases.spoken_left(*seat),
            },
            Told::Swapped { seats: [one, two] } => phrases.spoken_swapped(*one, *two),
            Told::Host { seat: Some(seat) } => phrases.spoken_host(self.name(*seat)),
            Told::Started { .. } => phrases.spoken_started(),
            Told::StandIn { seat, .. } => phrases.spoken_stand_in(self.name(*seat)),
            Told::Back { seat } => phrases.spoken_back(self.name(*seat)),
            Told::Claimed { seat } => phrases.spoken_claimed(self.name(*seat)),
            Told::WantsPause { seat } => phrases.spoken_wants_pause(self.name(*seat)),
            Told::Paused => phrases.spoken_paused(),
            Told::Resumed => phrases.spoken_resumed(),
            Told::WantsRematch { seat } => phrases.spoken_wants_rematch(self.name(*seat)),
            Told::Said { seat, text, phrase } => {
                let text = match (text, phrase) {
                    (Some(text), _) => text.clone(),
                    (None, Some(phrase)) => quick(*phrase, phrases),
                    (None, None) => return None,
                };
                phrases.spoken_said(self.name(*seat), text)
            }
            Told::Closed => phrases.spoken_closed(),
            _ => return None,
        };
        Some(said)
    }
}

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
