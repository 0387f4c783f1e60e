//! What happens without a command: deals, time-outs, stand-ins, and what follows when all players
//! have agreed.
//!
//! While no player is present nothing happens, and the clocks stop. A player who returns after their
//! clock has run out gets some extra time.

use bots::Level;
use cards::Seat;
use game::deal::Seed;
use game::public::Phase;
use game::{View, Viewer};
use wire::table::{Pace, RunningClock, StandInReason};

use super::{DecisionContext, Entry, Millis, Room, RoomMatch, RoomStage, SeatSlot};

/// How long the room waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timings {
    /// How long a bot takes for every decision, so that easy and hard decisions look the same.
    pub bot_delay: Millis,
    /// How long the score is shown if a player is not ready. None: until the player is ready, where
    /// no other player waits.
    pub score_time: Option<Millis>,
    /// How long a player may be gone before a bot stands in.
    pub absence_limit: Millis,
    /// The minimum time that a player has after they return.
    pub return_grace: Millis,
    /// The time for a decision at the relaxed pace.
    pub relaxed: Millis,
    /// The time for a decision at the fast pace.
    pub fast: Millis,
}

impl Default for Timings {
    fn default() -> Timings {
        Timings {
            bot_delay: 900,
            score_time: Some(20_000),
            absence_limit: 30_000,
            return_grace: 10_000,
            relaxed: 60_000,
            fast: 15_000,
        }
    }
}

impl Timings {
    /// The time for one decision. Returns None if it is not limited.
    fn time_per_decision(self, pace: Pace) -> Option<Millis> {
        match pace {
            Pace::Off => None,
            Pace::Relaxed => Some(self.relaxed),
            Pace::Fast => Some(self.fast),
        }
    }
}

/// Which players are connected. Connections are not part of the log.
#[derive(Clone, Debug, Default)]
pub struct Presence {
    seats: Vec<SeatPresence>,
    host: Option<SeatPresence>,
    /// Since when at least one player on a seat has been connected.
    awake_since: Option<Millis>,
}

/// Whether a player is connected, and since when.
#[derive(Clone, Copy, Debug)]
struct SeatPresence {
    here: bool,
    since: Millis,
}

impl SeatPresence {
    fn update(&mut self, here: bool, now: Millis) {
        if self.here != here {
            *self = SeatPresence { here, since: now };
        }
    }
}

impl Presence {
    /// Sets who is connected now.
    pub fn update(&mut self, seats: &[bool], host: bool, now: Millis) {
        self.seats.resize(seats.len(), SeatPresence { here: false, since: now });
        for (known, here) in self.seats.iter_mut().zip(seats) {
            known.update(*here, now);
        }
        self.host.get_or_insert(SeatPresence { here: host, since: now }).update(host, now);
        let any_present = seats.contains(&true);
        self.awake_since = any_present.then(|| self.awake_since.unwrap_or(now));
    }

    /// Whether the player on a seat is connected.
    pub fn is_here(&self, seat: Seat) -> bool {
        self.seats.get(seat.index()).is_some_and(|known| known.here)
    }

    /// Since when the player on a seat has been connected or gone.
    fn since(&self, seat: Seat) -> Millis {
        self.seats.get(seat.index()).map_or(0, |known| known.since)
    }

    /// For each seat, whether its player is connected.
    pub fn seats(&self) -> impl Iterator<Item = bool> + '_ {
        self.seats.iter().map(|known| known.here)
    }
}

/// A question to a bot.
#[derive(Clone, Debug)]
pub struct BotQuestion {
    /// The seat that is to act.
    pub seat: Seat,
    /// How well the bot plays.
    pub level: Level,
    /// What the seat may see.
    pub view: View,
    /// The random seed of the decision.
    pub seed: Seed,
    /// The version of the position.
    pub version: u64,
    /// When the bot is to act.
    pub due: Millis,
}

impl Room {
    /// The entries that are due now without a command, in order.
    pub fn due_entries(&self, context: &DecisionContext<'_>) -> Vec<Entry> {
        if self.closed {
            return Vec::new();
        }
        if let Some(entry) = self.immediate_entry(context) {
            return vec![entry];
        }
        match self.deadline(context.presence) {
            Some((until, entry)) if until <= context.now => vec![entry],
            _ => Vec::new(),
        }
    }

    /// When to call [`Room::due_entries`] again if nothing happens before.
    pub fn due_at(&self, context: &DecisionContext<'_>) -> Option<Millis> {
        if self.closed {
            return None;
        }
        match self.immediate_entry(context) {
            Some(_) => Some(context.now),
            None => self.deadline(context.presence).map(|(until, _)| until),
        }
    }

    /// The entry that follows at once from the state and from who is connected.
    fn immediate_entry(&self, context: &DecisionContext<'_>) -> Option<Entry> {
        let presence = context.presence;
        presence.awake_since?;
        if let Some(seat) = self.returned_seat(presence) {
            return Some(Entry::TookBack { seat });
        }
        match &self.stage {
            // A table of a contest begins when all players have come.
            RoomStage::Waiting => {
                let all_seated = self.player_seats().count() == self.slots.len();
                let begins = self.contest.is_some() && all_seated;
                let started = if begins { self.decide_start(None).ok() } else { None };
                started.and_then(|entries| entries.into_iter().next())
            }
            RoomStage::Playing(played) => {
                let first = played.deals.is_empty();
                let all_read = || self.all_present(presence, |slot| slot.ready);
                if played.table.wants_deal() && !self.paused && (first || all_read()) {
                    return Some(Entry::Dealt);
                }
                let all_want = || self.all_present(presence, |slot| slot.asked_for_pause);
                (!self.paused && all_want()).then_some(Entry::Paused)
            }
            RoomStage::Over(played) => {
                if self.next_secret.number == played.secret.number {
                    let (number, secret) = (self.next_number(), (context.new_secret)());
                    let another = self.siblings.is_empty() && self.contest.is_none();
                    return another.then_some(Entry::Committed { number, secret });
                }
                let all_want = self.all_present(presence, |slot| slot.ready);
                let started = if all_want { self.decide_start(None).ok() } else { None };
                started.and_then(|entries| entries.into_iter().next())
            }
        }
    }

    /// The seat of a player who was gone and is connected again.
    fn returned_seat(&self, presence: &Presence) -> Option<Seat> {
        self.seats().find(|seat| {
            self.slot(*seat).stand_in == Some(StandInReason::Gone) && presence.is_here(*seat)
        })
    }

    /// Whether all connected players without a stand-in satisfy a condition. False if there is no such
    /// player.
    fn all_present(&self, presence: &Presence, condition: impl Fn(&SeatSlot) -> bool) -> bool {
        let here = |seat: &Seat| presence.is_here(*seat) && self.slot(*seat).stand_in.is_none();
        let mut seats = self.player_seats().filter(here).peekable();
        seats.peek().is_some() && seats.all(|seat| condition(self.slot(seat)))
    }

    /// The entry that comes next if no player does anything, and when.
    fn deadline(&self, presence: &Presence) -> Option<(Millis, Entry)> {
        let awake = presence.awake_since?;
        let Some(played) = self.playing() else { return self.host_handover(presence) };
        if self.paused {
            return None;
        }
        let began = played.since;
        if played.table.wants_deal() {
            let stands = match self.timings.score_time {
                Some(stands) => stands,
                // The player ends it.
                None if self.all_present(presence, |_| true) => return None,
                None => self.timings.bot_delay,
            };
            let until = (began + stands).max(awake + self.timings.bot_delay);
            return Some((until, Entry::Dealt));
        }
        let players =
            self.awaited_seats(played).filter(|seat| self.slot(*seat).acting_bot().is_none());
        let stand_in = |seat: Seat| {
            let (until, why) = self.stand_in_deadline(seat, began, presence)?;
            Some((until, Entry::StoodIn { seat, why }))
        };
        players.filter_map(stand_in).min_by_key(|(until, _)| *until)
    }

    /// Between matches another player takes over the table from a host who is gone.
    fn host_handover(&self, presence: &Presence) -> Option<(Millis, Entry)> {
        let host = presence.host.filter(|host| !host.here && self.contest.is_none())?;
        let successor = self.player_seats().find(|seat| presence.is_here(*seat))?;
        let player = self.player_on(successor)?;
        Some((host.since + self.timings.absence_limit, Entry::Hosted { player }))
    }

    /// Until when the room waits for a player, and the reason of the stand-in after that.
    fn stand_in_deadline(
        &self,
        seat: Seat,
        began: Millis,
        presence: &Presence,
    ) -> Option<(Millis, StandInReason)> {
        let since = presence.since(seat);
        let time = self.timings.time_per_decision(self.pace).map(|allowed| {
            // A player whose clock ran out while they or all players were away gets extra time.
            let returned = since.max(presence.awake_since.unwrap_or(since));
            (began + allowed).max(returned + self.timings.return_grace.min(allowed))
        });
        if presence.is_here(seat) {
            return time.map(|until| (until, StandInReason::Time));
        }
        let gone = since.max(began) + self.timings.absence_limit;
        Some(match time {
            Some(until) if until < gone => (until, StandInReason::Time),
            _ => (gone, StandInReason::Gone),
        })
    }

    /// The seats for which the match waits: the seat in turn, or at an honour table those who have not
    /// accepted the deal.
    pub(super) fn awaited_seats<'a>(
        &'a self,
        played: &'a RoomMatch,
    ) -> impl Iterator<Item = Seat> + 'a {
        let public = played.table.public();
        let turn = public.turn();
        let awaits_acceptance = public.awaits_acceptance();
        self.seats().filter(move |seat| {
            let accepted = || match public.phase() {
                Phase::Playing(round) => round.accepted()[*seat],
                _ => true,
            };
            turn == Some(*seat) || (awaits_acceptance && !accepted())
        })
    }

    /// The bot that is to act next. Returns None if no player is connected.
    fn next_bot<'a>(&'a self, presence: &Presence) -> Option<(&'a RoomMatch, Seat, Level)> {
        presence.awake_since?;
        let played = self.playing()?;
        if self.paused || self.closed {
            return None;
        }
        let mut bots = self.awaited_seats(played);
        bots.find_map(|seat| Some((played, seat, self.slot(seat).acting_bot()?)))
    }

    /// The version of the question to the next bot. Returns None if no bot is to act.
    pub fn question_version(&self, presence: &Presence) -> Option<u64> {
        self.next_bot(presence).map(|(played, ..)| played.play_version)
    }

    /// The question to the bot that is to act next.
    pub fn bot_question(&self, presence: &Presence) -> Option<BotQuestion> {
        let awake = presence.awake_since?;
        let (played, seat, level) = self.next_bot(presence)?;
        Some(BotQuestion {
            seat,
            level,
            view: played.view(Viewer::Seat(seat)),
            seed: played.bot_seed(played.play_version),
            version: played.play_version,
            due: played.since.max(awake) + self.timings.bot_delay,
        })
    }

    /// The clock that the players see.
    pub fn clock(&self, presence: &Presence) -> Option<RunningClock> {
        let (until, entry) = self.deadline(presence)?;
        match entry {
            Entry::StoodIn { seat, why: StandInReason::Time } => {
                Some(RunningClock { seat: Some(seat.number()), until })
            }
            Entry::Dealt => Some(RunningClock { seat: None, until }),
            // Other deadlines are not shown.
            _ => None,
        }
    }
}
