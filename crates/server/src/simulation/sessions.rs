//! Sessions as they should be: a model of what was created, ended and expired, compared with what the
//! server says. Only one request about them is under way at a time.

use store::{PlayerId, Store, StoreError};

use super::world::{ShellWorld, WorldEvent};
use crate::accounts::{AuthError, SESSION_DAYS, Token};
use crate::clock::TrustedClock;

/// A session in the model.
struct KnownSession {
    token: Token,
    player: PlayerId,
    expires_ms: i64,
    state: SimulatedSession,
    /// Whether it exists only to be exchanged.
    transfer: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SimulatedSession {
    Valid,
    Ended,
    /// An answer was lost.
    Unknown,
}

/// The sessions of a world, beside those of its players.
#[derive(Default)]
pub(super) struct SessionModel {
    sessions: Vec<KnownSession>,
    /// Whether a request is under way.
    busy: bool,
}

/// The names of the requests about them.
const REQUESTS: [&str; 6] = [
    "a new session",
    "a session to be found",
    "a session to be ended",
    "a link to another device",
    "an exchange",
    "a pruning of sessions",
];

const DAY: i64 = 24 * 60 * 60 * 1000;
const TRANSFER: i64 = 10 * 60 * 1000;
/// How many sessions a world creates this way.
const MAX_SESSIONS: usize = 12;

impl SessionModel {
    fn add(&mut self, token: Token, player: PlayerId, expires_ms: i64, transfer: bool) {
        let state = SimulatedSession::Valid;
        self.sessions.push(KnownSession { token, player, expires_ms, state, transfer });
    }

    /// A request that was lost may have done its work.
    pub(super) fn request_is_lost(&mut self, name: &str) {
        if REQUESTS.contains(&name) {
            self.busy = false;
            self.sessions.iter_mut().for_each(|session| session.state = SimulatedSession::Unknown);
        }
    }
}

fn is_certain(error: &StoreError) -> bool {
    !matches!(error, StoreError::Uncertain(_))
}

impl ShellWorld {
    /// Asks something about sessions, and compares the answer with the model.
    pub(super) fn ask_about_sessions(&mut self, server: usize) {
        if self.sessions.busy {
            return;
        }
        self.sessions.busy = true;
        let sessions = &self.sessions.sessions;
        let any = (!sessions.is_empty()).then(|| self.lots.below(sessions.len()));
        match (self.lots.below(10), any) {
            (0..3, Some(at)) => self.find_session(server, at),
            (3, Some(at)) => self.end_session(server, at),
            (4, Some(at)) => self.begin_transfer(server, at),
            (5 | 6, Some(_)) => self.exchange(server),
            (7, _) => self.prune_sessions(server),
            _ => self.create_session(server),
        }
    }

    fn clock_of(&self, server: usize) -> TrustedClock {
        self.servers[server].as_ref().expect("a server that serves").clocks.trusted
    }

    fn create_session(&mut self, server: usize) {
        if self.sessions.sessions.len() >= MAX_SESSIONS {
            self.sessions.busy = false;
            return;
        }
        let accounts = self.servers[server].as_ref().expect("it serves").accounts.clone();
        let expires = self.clock_of(server).now_ms() + SESSION_DAYS * DAY;
        self.ask(server, "a new session", None, async move {
            let begun = accounts.create_guest("").await;
            move |world: &mut ShellWorld| {
                world.sessions.busy = false;
                if let Ok((token, player)) = begun {
                    world.tally.count("a session begun");
                    world.sessions.add(token, player, expires, false);
                }
            }
        });
    }

    fn find_session(&mut self, server: usize, at: usize) {
        let accounts = self.servers[server].as_ref().expect("it serves").accounts.clone();
        let token = self.sessions.sessions[at].token.clone();
        let now = self.clock_of(server).now_ms();
        self.ask(server, "a session to be found", None, async move {
            let found = accounts.find_session(&token).await;
            move |world: &mut ShellWorld| {
                world.sessions.busy = false;
                let Ok(found) = found else { return };
                let known = &world.sessions.sessions[at];
                let valid = known.expires_ms > now && !known.transfer;
                match known.state {
                    SimulatedSession::Valid => {
                        let player = found.map(|session| session.player);
                        assert_eq!(player, valid.then_some(known.player), "a session is lost");
                        let what = if valid { "a session found" } else { "a session expired" };
                        world.tally.count(what);
                    }
                    SimulatedSession::Ended => assert_eq!(found, None, "a session that has ended"),
                    SimulatedSession::Unknown => {}
                }
            }
        });
    }

    fn end_session(&mut self, server: usize, at: usize) {
        let accounts = self.servers[server].as_ref().expect("it serves").accounts.clone();
        let token = self.sessions.sessions[at].token.clone();
        self.ask(server, "a session to be ended", None, async move {
            let ended = accounts.end_session(&token).await;
            move |world: &mut ShellWorld| {
                world.sessions.busy = false;
                let known = &mut world.sessions.sessions[at];
                match ended {
                    Ok(()) => known.state = SimulatedSession::Ended,
                    Err(error) if is_certain(&error) => {}
                    Err(_) if known.state == SimulatedSession::Valid => {
                        known.state = SimulatedSession::Unknown;
                    }
                    Err(_) => {}
                }
                world.tally.count("a session ended");
            }
        });
    }

    /// Makes a link to another device.
    fn begin_transfer(&mut self, server: usize, at: usize) {
        let accounts = self.servers[server].as_ref().expect("it serves").accounts.clone();
        let player = self.sessions.sessions[at].player;
        let expires = self.clock_of(server).now_ms() + TRANSFER;
        self.ask(server, "a link to another device", None, async move {
            let link = accounts.transfer(player).await;
            move |world: &mut ShellWorld| {
                world.sessions.busy = false;
                if let Ok(token) = link {
                    world.sessions.add(token, player, expires, true);
                }
            }
        });
    }

    /// Two devices use a link at the same time: one of them gets a session.
    fn exchange(&mut self, server: usize) {
        let sessions = &self.sessions.sessions;
        let Some(at) = sessions.iter().rposition(|session| session.transfer) else {
            return self.create_session(server);
        };
        let accounts = self.servers[server].as_ref().expect("it serves").accounts.clone();
        let token = sessions[at].token.clone();
        let now = self.clock_of(server).now_ms();
        self.ask(server, "an exchange", None, async move {
            let both = tokio::join!(
                biased;
                accounts.exchange(&token),
                accounts.exchange(&token),
            );
            move |world: &mut ShellWorld| {
                world.sessions.busy = false;
                world.exchanged(at, now, [both.0, both.1]);
            }
        });
    }

    fn exchanged(
        &mut self,
        at: usize,
        now: i64,
        answers: [Result<(Token, PlayerId), AuthError>; 2],
    ) {
        let known = &self.sessions.sessions[at];
        let (player, state) = (known.player, known.state);
        let usable = state == SimulatedSession::Valid && known.expires_ms > now;
        let done = answers.iter().filter(|answer| answer.is_ok()).count();
        assert!(done <= 1, "a link was used twice");
        assert!(done == 0 || usable || state == SimulatedSession::Unknown, "an old link was used");
        let used = |answer: &Result<_, AuthError>| matches!(answer, Err(AuthError::LinkUsed));
        let all_used = answers.iter().all(used);
        assert!(!(usable && all_used), "a link that could be used was refused");
        if all_used {
            self.tally.count("a link that was used before");
        }
        let failed = answers.iter().any(|answer| matches!(answer, Err(AuthError::Store(_))));
        if done == 1 {
            self.sessions.sessions[at].state = SimulatedSession::Ended;
            self.tally.count("a session on another device");
        } else if failed && state == SimulatedSession::Valid {
            self.sessions.sessions[at].state = SimulatedSession::Unknown;
        }
        for (token, owner) in answers.into_iter().flatten() {
            assert_eq!(owner, player, "a link leads to another player");
            self.sessions.add(token, owner, now + SESSION_DAYS * DAY, false);
        }
    }

    fn prune_sessions(&mut self, server: usize) {
        let known = self.servers[server].as_ref().expect("it serves");
        let (store, now) = (known.store.clone(), known.clocks.trusted.now_ms());
        self.ask(server, "a pruning of sessions", None, async move {
            let pruned = store.prune_sessions(now).await;
            move |world: &mut ShellWorld| {
                world.sessions.busy = false;
                let state = match &pruned {
                    Ok(_) => SimulatedSession::Ended,
                    Err(error) if is_certain(error) => return,
                    Err(_) => SimulatedSession::Unknown,
                };
                if pruned.is_ok_and(|count| count > 0) {
                    world.tally.count("expired sessions removed");
                }
                let expired = |session: &&mut KnownSession| session.expires_ms <= now;
                for session in world.sessions.sessions.iter_mut().filter(expired) {
                    if session.state == SimulatedSession::Valid || state == SimulatedSession::Ended
                    {
                        session.state = state;
                    }
                }
            }
        });
    }

    /// Schedules the next question beside the tables.
    pub(super) fn schedule_ask(&mut self) {
        self.schedule_within(300..3_000, WorldEvent::Ask);
    }
}
