//! The standings of a contest: for the wall display, for phones and for the final list.

use cards::Side;

use crate::contest::Contest;
use crate::entrant::EntrantId;
use crate::table::{ContestTableId, TableStatus};
use crate::urn::Ticket;

/// The standing of an entrant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The entrant.
    pub entrant: EntrantId,
    /// Their state.
    pub state: EntrantState,
    /// Where they sit or sat last.
    pub seat: Option<(ContestTableId, Side)>,
    /// Their score there, as far as it is known.
    pub score: Option<i32>,
    /// The first and the last of the places that they share with those eliminated in the same phase;
    /// equal numbers for a single place. `None` while they can still go on.
    pub places: Option<(usize, usize)>,
}

/// The state of an entrant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntrantState {
    /// Has entered, and waits for a draw.
    Waiting,
    /// Goes on without playing in this phase (T4).
    Bye,
    /// Sits at a table that is not settled.
    Playing,
    /// Goes on (T3).
    Advances,
    /// Is out.
    Out,
    /// Has withdrawn.
    Withdrawn,
    /// Has a place of the final.
    Placed,
}

impl EntrantState {
    /// The name of the state in tables and protocols.
    pub const fn name(self) -> &'static str {
        match self {
            EntrantState::Waiting => "waiting",
            EntrantState::Bye => "bye",
            EntrantState::Playing => "playing",
            EntrantState::Advances => "goes on",
            EntrantState::Out => "out",
            EntrantState::Withdrawn => "withdrawn",
            EntrantState::Placed => "placed",
        }
    }
}

impl Standing {
    /// The ticket of the current or last seat.
    pub fn ticket(&self) -> Option<Ticket> {
        self.seat.map(|(id, place)| Ticket { table: id.table, place })
    }
}

impl Contest {
    /// The standing of one entrant, without shared places.
    pub fn standing(&self, entrant: EntrantId) -> Option<Standing> {
        let known = self.entrant(entrant)?;
        let seated = self.seat_of(entrant);
        let score = seated.and_then(|(table, place)| Some(table.scores()?[place]));
        let last = known.last.map(|(phase, _)| phase);
        let drawn = self.phases().len();
        let in_last = last.is_some_and(|phase| phase + 1 == drawn);
        let state = match seated {
            _ if known.has_withdrawn() => EntrantState::Withdrawn,
            _ if known.since >= drawn => EntrantState::Waiting,
            _ if !in_last => EntrantState::Out,
            None => EntrantState::Bye,
            Some((table, _)) if table.status() != TableStatus::Settled => EntrantState::Playing,
            Some((table, _)) if table.is_final() => EntrantState::Placed,
            Some((table, _)) if table.advancing().contains(&entrant) => EntrantState::Advances,
            Some(_) => EntrantState::Out,
        };
        let seat = seated.map(|(table, place)| (table.id(), place));
        let places = match (state, seated) {
            (EntrantState::Placed, Some((table, _))) => {
                let ranking = table.ranking();
                let own = ranking.iter().find(|ranked| ranked.entrant == entrant);
                own.map(|ranked| (ranked.rank, ranked.rank))
            }
            _ => None,
        };
        Some(Standing { entrant, state, seat, score, places })
    }

    /// The standings of all entrants, those who went furthest first; within a phase they are ordered
    /// by score.
    pub fn standings(&self) -> Vec<Standing> {
        let mut all: Vec<(usize, Standing)> = self
            .entrants()
            .filter_map(|(entrant, known)| {
                // Entrants that were never drawn come last.
                let reached = known.last.map_or(0, |(phase, _)| phase + 1);
                Some((reached, self.standing(entrant)?))
            })
            .collect();
        let drawn = self.phases().len();
        all.sort_by_key(|(reached, standing)| {
            let place = standing.places.map_or(usize::MAX, |(from, _)| from);
            let out = matches!(standing.state, EntrantState::Out | EntrantState::Withdrawn);
            let score = standing.score.unwrap_or(i32::MIN);
            (usize::MAX - reached, place, out, core::cmp::Reverse(score), standing.entrant)
        });
        // Those who are out share the places of all who left in the same phase.
        for phase in 1..=drawn {
            let ahead = all.iter().filter(|(reached, _)| *reached > phase).count();
            let of_phase = |(reached, standing): &&mut (usize, Standing)| {
                let over = matches!(standing.state, EntrantState::Out | EntrantState::Withdrawn);
                *reached == phase && over
            };
            let going = all.iter().filter(|(reached, _)| *reached == phase).count();
            let out = all.iter_mut().filter(of_phase).count();
            let places = (ahead + going - out + 1, ahead + going);
            all.iter_mut().filter(of_phase).for_each(|(_, s)| s.places = Some(places));
        }
        all.into_iter().map(|(_, standing)| standing).collect()
    }
}
