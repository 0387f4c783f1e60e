//! Whose session each open connection has, so that it ends with the session: whoever
//! logs out, or changes a passphrase that others know, is gone everywhere at once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use store::{PlayerId, TokenHash};
use tokio::sync::Notify;

/// The sessions that have open connections.
#[derive(Default)]
pub(super) struct Callers {
    sessions: Arc<Mutex<Sessions>>,
}

type Sessions = BTreeMap<TokenHash, Open>;

struct Open {
    player: PlayerId,
    ending: Arc<Ending>,
    connections: usize,
}

#[derive(Default)]
struct Ending {
    has_come: AtomicBool,
    told: Notify,
}

impl Ending {
    fn tell(&self) {
        self.has_come.store(true, Ordering::Release);
        self.told.notify_waiters();
    }
}

/// A connection's share in its session.
pub(super) struct Caller {
    sessions: Arc<Mutex<Sessions>>,
    token: TokenHash,
    ending: Arc<Ending>,
}

fn lock(sessions: &Mutex<Sessions>) -> MutexGuard<'_, Sessions> {
    sessions.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Callers {
    /// Takes note of a connection.
    pub(super) fn enter(&self, token: TokenHash, player: PlayerId) -> Caller {
        let mut sessions = lock(&self.sessions);
        let open = sessions.entry(token).or_insert_with(|| Open {
            player,
            ending: Arc::default(),
            connections: 0,
        });
        open.connections += 1;
        Caller { sessions: self.sessions.clone(), token, ending: open.ending.clone() }
    }

    /// Ends the connections of a session that is over.
    pub(super) fn end(&self, token: TokenHash) {
        // Whoever comes with the same token later has another session.
        if let Some(open) = lock(&self.sessions).remove(&token) {
            open.ending.tell();
        }
    }

    /// Ends the connections of all sessions of a player.
    pub(super) fn end_all_of(&self, player: PlayerId) {
        lock(&self.sessions).retain(|_, open| {
            let other = open.player != player;
            if !other {
                open.ending.tell();
            }
            other
        });
    }
}

impl Caller {
    /// Comes when the session is over.
    pub(super) async fn ended(&self) {
        let told = self.ending.told.notified();
        if !self.ending.has_come.load(Ordering::Acquire) {
            told.await;
        }
    }
}

impl Drop for Caller {
    fn drop(&mut self) {
        let mut sessions = lock(&self.sessions);
        // After the end there may be another session of the same token.
        if let Some(open) = sessions.get_mut(&self.token)
            && Arc::ptr_eq(&open.ending, &self.ending)
        {
            open.connections -= 1;
            if open.connections == 0 {
                sessions.remove(&self.token);
            }
        }
    }
}
