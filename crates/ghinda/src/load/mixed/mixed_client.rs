//! A client of the mixed load: it connects again by itself, and what was acknowledged is remembered.

use std::sync::Arc;
use std::time::Duration;

use replica::conversation::Replica;
use store::{LogId, PlayerId};
use tokio::time::{Instant, sleep_until, timeout};

use super::super::TIME_LIMIT;
use super::super::client::{LoadClient, LostConnection, Outcome, TextReplica, Wake};
use super::{MixedLoad, lock};

pub(super) struct MixedClient<R: TextReplica> {
    pub(super) load: Arc<MixedLoad>,
    client: LoadClient<R>,
    /// The table or the ledger.
    log: LogId,
    /// The player, at a table.
    player: Option<PlayerId>,
    /// The answer to the last command that was answered.
    answered: Option<(String, Outcome)>,
}

impl<R: TextReplica> MixedClient<R> {
    /// A client of a table, with a player, or of a ledger.
    pub(super) fn new(
        load: &Arc<MixedLoad>,
        replica: R,
        log: LogId,
        token: Option<(PlayerId, String)>,
    ) -> MixedClient<R> {
        let (player, token) = token.unzip();
        let kind = if player.is_some() { "tables" } else { "ledgers" };
        let url = load.socket_url(&format!("/api/{kind}/{log}/socket"));
        let client = LoadClient::new(replica, url, token, load.started);
        MixedClient { load: load.clone(), client, log, player, answered: None }
    }

    pub(super) fn replica(&self) -> &R {
        &self.client.replica
    }

    /// Whether the client knows everything and all its commands are answered.
    pub(super) fn is_idle(&self) -> bool {
        self.client.is_live() && self.client.unanswered_since().is_none()
    }

    /// Waits for what is to be handled next. It may stop being awaited at any time.
    pub(super) async fn wait(&mut self) -> Wake {
        self.client.wait().await
    }

    /// Does what the client woke up for, and counts it.
    pub(super) async fn handle(&mut self, wake: Wake) -> Option<<R as Replica>::Change> {
        match self.client.handle(wake).await {
            Ok(None) => None,
            Ok(Some(received)) => {
                if let Some(answer) = received.answer {
                    self.note(&answer.id, &answer.outcome, answer.took);
                    self.answered = Some((answer.id, answer.outcome));
                }
                Some(received.change)
            }
            Err(LostConnection::Misfit(text)) => {
                self.load.fault("a message does not fit", &format!("{}: {text}", self.log));
                None
            }
            Err(lost) => {
                self.load.error(lost.to_string());
                None
            }
        }
    }

    fn note(&self, id: &str, outcome: &Outcome, took: Duration) {
        match outcome {
            Outcome::Done { version } => {
                lock(&self.load.tally).acknowledged(took);
                lock(&self.load.acknowledged).add(self.log, self.player, id, *version);
            }
            Outcome::Refused(reason) => lock(&self.load.tally).refused(reason.clone()),
        }
    }

    /// Gives a command, which is sent this many times. Returns its id.
    pub(super) async fn send(&mut self, what: R::Command, times: usize) -> Option<String> {
        match self.client.command(what, times).await {
            Ok(id) => Some(id),
            // It is sent again later.
            Err(lost) => {
                self.load.error(lost.to_string());
                None
            }
        }
    }

    /// Gives a command and waits for its answer, also while the server is away. Returns whether it
    /// was done.
    pub(super) async fn command(&mut self, what: R::Command) -> bool {
        self.answered = None;
        // Its time would be that of connecting.
        while !self.client.is_live() {
            if !self.wait_in_time().await {
                return false;
            }
        }
        let Some(id) = self.send(what, 1).await else { return false };
        while self.client.unanswered_since().is_some() {
            if !self.wait_in_time().await {
                return false;
            }
        }
        let is_done = |(answered, outcome): &(String, Outcome)| {
            *answered == id && matches!(outcome, Outcome::Done { .. })
        };
        self.answered.as_ref().is_some_and(is_done)
    }

    /// Handles what comes next. Returns false, and counts a fault, if nothing comes.
    async fn wait_in_time(&mut self) -> bool {
        match timeout(TIME_LIMIT, self.client.wait()).await {
            Ok(wake) => {
                self.handle(wake).await;
                !self.is_stuck()
            }
            Err(_) => {
                self.load.error("a command got no answer");
                false
            }
        }
    }

    /// Whether a command waits for its answer for too long; counts it.
    pub(super) fn is_stuck(&self) -> bool {
        let stuck =
            self.client.unanswered_since().is_some_and(|since| since.elapsed() > TIME_LIMIT);
        if stuck {
            self.load.error("a command got no answer");
        }
        stuck
    }

    /// Waits until all commands are answered.
    pub(super) async fn settle(&mut self) {
        while self.client.unanswered_since().is_some() && self.wait_in_time().await {}
    }

    /// Only receives, until a moment.
    pub(super) async fn receive_until(&mut self, end: Instant) {
        loop {
            tokio::select! {
                wake = self.client.wait() => { self.handle(wake).await; }
                () = sleep_until(end) => return,
            }
        }
    }

    /// Drops the connection, and connects again after a pause.
    pub(super) fn disconnect(&mut self, pause: Duration) {
        self.client.disconnect(pause);
    }
}
