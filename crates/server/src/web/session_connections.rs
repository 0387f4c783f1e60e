//! Whose session each open connection has, so that it ends with the session: whoever
//! logs out, or changes a passphrase that others know, is gone everywhere at once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use store::{PlayerId, TokenHash};
use tokio::sync::Notify;

/// The sessions that have open connections.
#[derive(Default)]
pub(super) struct SessionConnections {
    sessions: Arc<Mutex<Sessions>>,
}

type Sessions = BTreeMap<TokenHash, OpenSession>;

struct OpenSession {
    player: PlayerId,
    ending: Arc<EndSignal>,
    connections: usize,
}

#[derive(Default)]
struct EndSignal {
    has_come: AtomicBool,
    told: Notify,
}

impl EndSignal {
    fn tell(&self) {
        self.has_come.store(true, Ordering::Release);
        self.told.notify_waiters();
    }
}

/// A connection's share in its session.
pub(super) struct SessionConnection {
    sessions: Arc<Mutex<Sessions>>,
    token: TokenHash,
    ending: Arc<EndSignal>,
}

fn lock(sessions: &Mutex<Sessions>) -> MutexGuard<'_, Sessions> {
    sessions.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SessionConnections {
    /// Takes note of a connection.
    pub(super) fn register(&self, token: TokenHash, player: PlayerId) -> SessionConnection {
        let mut sessions = lock(&self.sessions);
        let open = sessions.entry(token).or_insert_with(|| OpenSession {
            player,
            ending: Arc::default(),
            connections: 0,
        });
        open.connections += 1;
        SessionConnection { sessions: self.sessions.clone(), token, ending: open.ending.clone() }
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

impl SessionConnection {
    /// Comes when the session is over.
    pub(super) async fn ended(&self) {
        let told = self.ending.told.notified();
        if !self.ending.has_come.load(Ordering::Acquire) {
            told.await;
        }
    }
}

impl Drop for SessionConnection {
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
