//! What happens by itself: deals, time-outs, stand-ins, and what follows when
//! everybody has agreed.
//!
//! A room in which no person is present stands still, and so do its clocks; whoever
//! comes back to a clock that has run out in the meantime is given a moment.

use bots::Level;
use cards::Seat;
use game::deal::Seed;
use game::public::Phase;
use game::{View, Viewer};
use wire::table::{Pace, RunningClock, StandInReason};

use super::{DecisionContext, Entry, Millis, Room, RoomMatch, RoomStage, SeatSlot};

/// How long the room waits for what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timings {
    /// How long a bot takes for everything it does, so that nobody can tell an easy
    /// decision from a hard one.
    pub bot_takes: Millis,
    /// How long the score can be read if somebody is not ready; where nobody else waits
    /// for it, as long as he likes.
    pub score_stands: Option<Millis>,
    /// How long a player may be gone before a bot stands in.
    pub gone_for: Millis,
    /// What is left at least of a clock for somebody who has just come back.
    pub after_return: Millis,
    /// How long a decision may take where the pace is relaxed.
    pub relaxed: Millis,
    /// The same where it is fast.
    pub fast: Millis,
}

impl Default for Timings {
    fn default() -> Timings {
        Timings {
            bot_takes: 900,
            score_stands: Some(20_000),
            gone_for: 30_000,
            after_return: 10_000,
            relaxed: 60_000,
            fast: 15_000,
        }
    }
}

impl Timings {
    /// How long a player may think about one decision.
    fn allows(self, pace: Pace) -> Option<Millis> {
        match pace {
            Pace::Off => None,
            Pace::Relaxed => Some(self.relaxed),
            Pace::Fast => Some(self.fast),
        }
    }
}

/// Who is connected. It is not part of the log: connections are not.
#[derive(Clone, Debug, Default)]
pub struct Presence {
    seats: Vec<SeatPresence>,
    host: Option<SeatPresence>,
    /// Since when at least one person has been here.
    awake_since: Option<Millis>,
}

/// Whether somebody is here.
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
    /// Takes note of who is here now.
    pub fn update(&mut self, seats: &[bool], host: bool, now: Millis) {
        self.seats.resize(seats.len(), SeatPresence { here: false, since: now });
        for (known, here) in self.seats.iter_mut().zip(seats) {
            known.update(*here, now);
        }
        self.host.get_or_insert(SeatPresence { here: host, since: now }).update(host, now);
        let anybody = seats.contains(&true);
        self.awake_since = anybody.then(|| self.awake_since.unwrap_or(now));
    }

    /// Whether the person of a seat is here.
    pub fn is_here(&self, seat: Seat) -> bool {
        self.seats.get(seat.index()).is_some_and(|known| known.here)
    }

    /// Since when he has been here or gone.
    fn since(&self, seat: Seat) -> Millis {
        self.seats.get(seat.index()).map_or(0, |known| known.since)
    }

    /// Each seat, whether its person is here.
    pub fn seats(&self) -> impl Iterator<Item = bool> + '_ {
        self.seats.iter().map(|known| known.here)
    }
}

/// A question to a bot.
#[derive(Clone, Debug)]
pub struct BotQuestion {
    /// Who is to act.
    pub seat: Seat,
    /// How well.
    pub level: Level,
    /// What the seat knows.
    pub view: View,
    /// Lots for the decision.
    pub seed: Seed,
    /// The version of the room since which the question stands.
    pub version: u64,
    /// When the answer is to be given.
    pub due: Millis,
}

impl Room {
    /// What is due now by itself, in the order in which it has to happen.
    pub fn due(&self, moment: &DecisionContext<'_>) -> Vec<Entry> {
        if self.closed {
            return Vec::new();
        }
        if let Some(entry) = self.due_at(moment) {
            return vec![entry];
        }
        match self.deadline(moment.presence) {
            Some((until, entry)) if until <= moment.now => vec![entry],
            _ => Vec::new(),
        }
    }

    /// When to ask again what is due, if nothing happens before.
    pub fn wakes_at(&self, moment: &DecisionContext<'_>) -> Option<Millis> {
        if self.closed {
            return None;
        }
        match self.due_at(moment) {
            Some(_) => Some(moment.now),
            None => self.deadline(moment.presence).map(|(until, _)| until),
        }
    }

    /// What follows at once from what has happened and from who is here.
    fn due_at(&self, moment: &DecisionContext<'_>) -> Option<Entry> {
        let presence = moment.presence;
        presence.awake_since?;
        if let Some(seat) = self.returned(presence) {
            return Some(Entry::Back { seat });
        }
        match &self.stage {
            // At a table of a contest nobody has to say that all have come.
            RoomStage::Waiting => {
                let all_seated = self.persons().count() == self.slots.len();
                let begins = self.contest.is_some() && all_seated;
                let started = if begins { self.start().ok() } else { None };
                started.and_then(|entries| entries.into_iter().next())
            }
            RoomStage::Playing(played) => {
                let first = played.deals.is_empty();
                let all_read = || self.all_here(presence, |chair| chair.ready);
                if played.table.wants_deal() && !self.paused && (first || all_read()) {
                    return Some(Entry::Dealt);
                }
                let all_want = || self.all_here(presence, |chair| chair.wants_pause);
                (!self.paused && all_want()).then_some(Entry::Paused)
            }
            RoomStage::Over(played) => {
                if self.promise.number == played.promise.number {
                    let (number, secret) = (self.next_number(), (moment.fresh)());
                    let another = self.siblings.is_empty() && self.contest.is_none();
                    return another.then_some(Entry::Promised { number, secret });
                }
                let all_want = self.all_here(presence, |chair| chair.ready);
                let started = if all_want { self.start().ok() } else { None };
                started.and_then(|entries| entries.into_iter().next())
            }
        }
    }

    /// A person who was gone and is here again.
    fn returned(&self, presence: &Presence) -> Option<Seat> {
        self.seats().find(|seat| {
            self.slot(*seat).stand_in == Some(StandInReason::Gone) && presence.is_here(*seat)
        })
    }

    /// Whether there is a person who is here and for whom no bot stands in, and
    /// all of those are so.
    fn all_here(&self, presence: &Presence, are: impl Fn(&SeatSlot) -> bool) -> bool {
        let here = |seat: &Seat| presence.is_here(*seat) && self.slot(*seat).stand_in.is_none();
        let mut persons = self.persons().filter(here).peekable();
        persons.peek().is_some() && persons.all(|seat| are(self.slot(seat)))
    }

    /// What happens next if nobody does anything, and when.
    fn deadline(&self, presence: &Presence) -> Option<(Millis, Entry)> {
        let awake = presence.awake_since?;
        let Some(played) = self.playing() else { return self.next_host(presence) };
        if self.paused {
            return None;
        }
        let begun = played.since;
        if played.table.wants_deal() {
            let stands = match self.tempo.score_stands {
                Some(stands) => stands,
                // Whoever plays himself says when he has read it.
                None if self.all_here(presence, |_| true) => return None,
                None => self.tempo.bot_takes,
            };
            let until = (begun + stands).max(awake + self.tempo.bot_takes);
            return Some((until, Entry::Dealt));
        }
        let waiting = self.awaited(played).filter(|seat| self.slot(*seat).acting_bot().is_none());
        let stand_in = |seat: Seat| {
            let (until, why) = self.time_allowed(seat, begun, presence)?;
            Some((until, Entry::StoodIn { seat, why }))
        };
        waiting.filter_map(stand_in).min_by_key(|(until, _)| *until)
    }

    /// Who takes the table over between matches if its host has been gone for long.
    fn next_host(&self, presence: &Presence) -> Option<(Millis, Entry)> {
        let host = presence.host.filter(|host| !host.here && self.contest.is_none())?;
        let heir = self.persons().find(|seat| presence.is_here(*seat))?;
        let player = self.player_on(heir)?;
        Some((host.since + self.tempo.gone_for, Entry::Hosted { player }))
    }

    /// How long a person is waited for, and what his absence is called then.
    fn time_allowed(
        &self,
        seat: Seat,
        begun: Millis,
        presence: &Presence,
    ) -> Option<(Millis, StandInReason)> {
        let since = presence.since(seat);
        let time = self.tempo.allows(self.pace).map(|allowed| {
            // A clock that ran out while he was away, or everybody was, is not held
            // against him at once.
            let moment = since.max(presence.awake_since.unwrap_or(since));
            (begun + allowed).max(moment + self.tempo.after_return.min(allowed))
        });
        if presence.is_here(seat) {
            return time.map(|until| (until, StandInReason::Time));
        }
        let gone = since.max(begun) + self.tempo.gone_for;
        Some(match time {
            Some(until) if until < gone => (until, StandInReason::Time),
            _ => (gone, StandInReason::Gone),
        })
    }

    /// Everybody on whom the match waits: the seat in turn, or on an honour table
    /// those who have not accepted the deal.
    pub(super) fn awaited<'a>(&'a self, played: &'a RoomMatch) -> impl Iterator<Item = Seat> + 'a {
        let public = played.table.public();
        let turn = public.turn();
        let reckoning = public.is_reckoning();
        self.seats().filter(move |seat| {
            let accepted = || match public.phase() {
                Phase::Playing(round) => round.accepted()[*seat],
                _ => true,
            };
            turn == Some(*seat) || (reckoning && !accepted())
        })
    }

    /// The bot that is to act next, if somebody is here to see it.
    fn asked<'a>(&'a self, presence: &Presence) -> Option<(&'a RoomMatch, Seat, Level)> {
        presence.awake_since?;
        let played = self.playing()?;
        if self.paused || self.closed {
            return None;
        }
        let mut bots = self.awaited(played);
        bots.find_map(|seat| Some((played, seat, self.slot(seat).acting_bot()?)))
    }

    /// Since which version a bot is to act, if one is.
    pub fn question_version(&self, presence: &Presence) -> Option<u64> {
        self.asked(presence).map(|(played, ..)| played.asked_since)
    }

    /// The bot that is to act next, and what it is asked.
    pub fn bot_question(&self, presence: &Presence) -> Option<BotQuestion> {
        let awake = presence.awake_since?;
        let (played, seat, level) = self.asked(presence)?;
        Some(BotQuestion {
            seat,
            level,
            view: played.view(Viewer::Seat(seat)),
            seed: played.lots(played.asked_since),
            version: played.asked_since,
            due: played.since.max(awake) + self.tempo.bot_takes,
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
            // Nobody watches how long somebody may be gone.
            _ => None,
        }
    }
}
