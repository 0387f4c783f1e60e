//! The open connections of each session. A connection ends with its session: after a logout or a change
//! of the passphrase, all its connections end at once.

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
    end_signal: Arc<EndSignal>,
    connections: usize,
}

#[derive(Default)]
struct EndSignal {
    is_set: AtomicBool,
    notify: Notify,
}

impl EndSignal {
    fn set(&self) {
        self.is_set.store(true, Ordering::Release);
        self.notify.notify_waiters();
    }
}

/// A connection that belongs to a session.
pub(super) struct SessionConnection {
    sessions: Arc<Mutex<Sessions>>,
    token: TokenHash,
    end_signal: Arc<EndSignal>,
}

fn lock(sessions: &Mutex<Sessions>) -> MutexGuard<'_, Sessions> {
    sessions.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SessionConnections {
    /// Adds a connection to a session.
    pub(super) fn register(&self, token: TokenHash, player: PlayerId) -> SessionConnection {
        let mut sessions = lock(&self.sessions);
        let open = sessions.entry(token).or_insert_with(|| OpenSession {
            player,
            end_signal: Arc::default(),
            connections: 0,
        });
        open.connections += 1;
        SessionConnection {
            sessions: self.sessions.clone(),
            token,
            end_signal: open.end_signal.clone(),
        }
    }

    /// Ends the connections of a session that is over.
    pub(super) fn end(&self, token: TokenHash) {
        // A later connection with the same token belongs to another session.
        if let Some(open) = lock(&self.sessions).remove(&token) {
            open.end_signal.set();
        }
    }

    /// Ends the connections of all sessions of a player.
    pub(super) fn end_all_of(&self, player: PlayerId) {
        lock(&self.sessions).retain(|_, open| {
            let other = open.player != player;
            if !other {
                open.end_signal.set();
            }
            other
        });
    }
}

impl SessionConnection {
    /// Waits until the session ends.
    pub(super) async fn ended(&self) {
        let notified = self.end_signal.notify.notified();
        if !self.end_signal.is_set.load(Ordering::Acquire) {
            notified.await;
        }
    }
}

impl Drop for SessionConnection {
    fn drop(&mut self) {
        let mut sessions = lock(&self.sessions);
        // After the end there may be another session with the same token.
        if let Some(open) = sessions.get_mut(&self.token)
            && Arc::ptr_eq(&open.end_signal, &self.end_signal)
        {
            open.connections -= 1;
            if open.connections == 0 {
                sessions.remove(&self.token);
            }
        }
    }
}
