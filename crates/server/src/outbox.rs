//! The messages that wait for a client: their number and their bytes are bounded, for each connection and
//! for all of them together.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use futures_channel::mpsc;
use wire::table::CloseReason;

use crate::quotas::{MAX_WAITING_BYTES, Quota};

/// The outboxes of a server.
#[derive(Clone)]
pub(crate) struct Outboxes {
    /// The bytes that wait in all of them.
    waiting: Arc<AtomicUsize>,
    max: usize,
}

/// What a connection is to send to its client.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// A message.
    Text(WaitingText),
    /// A message for many connections. It is not an `Arc<str>`, whose text lasts as long as a weak
    /// pointer to it.
    Shared(Arc<String>),
    /// The end of the connection.
    Close(CloseReason),
}

/// A message that counts among those that wait until it is dropped.
#[derive(Debug)]
pub(crate) struct WaitingText {
    text: Arc<str>,
    of_connection: Arc<WaitingBytes>,
}

/// What waits for one connection.
#[derive(Debug, Default)]
struct WaitingBytes {
    bytes: AtomicUsize,
    in_all: Arc<AtomicUsize>,
    /// Whether the connection ends without what waits, because it is too much.
    is_cut: AtomicBool,
}

/// Sends messages to a connection. The channel is of a kind that takes no memory while it is empty,
/// which it usually is.
pub(crate) struct Outbox {
    sender: mpsc::Sender<Outgoing>,
    waiting: Arc<WaitingBytes>,
    max_in_all: usize,
}

/// The other end of an outbox.
pub(crate) struct OutboxReceiver {
    receiver: mpsc::Receiver<Outgoing>,
    waiting: Arc<WaitingBytes>,
}

/// Why no more messages pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OutboxError {
    /// The client reads too slowly: as many messages or bytes wait as may.
    Full,
    /// The other end is gone.
    Gone,
}

impl OutboxError {
    /// Counts a client that reads too slowly; one that has gone does not count.
    pub(crate) fn count(self) {
        if self == OutboxError::Full {
            metrics::counter!("ghinda_slow_clients_total").increment(1);
        }
    }
}

impl Outboxes {
    /// Outboxes in which at most this many bytes wait together.
    pub(crate) fn new(max: usize) -> Outboxes {
        Outboxes { waiting: Arc::default(), max }
    }

    /// An outbox for this many messages.
    pub(crate) fn open(&self, messages: usize) -> (Outbox, OutboxReceiver) {
        let (sender, receiver) = mpsc::channel(messages);
        let waiting = WaitingBytes { in_all: self.waiting.clone(), ..WaitingBytes::default() };
        let waiting = Arc::new(waiting);
        let outbox = Outbox { sender, waiting: waiting.clone(), max_in_all: self.max };
        (outbox, OutboxReceiver { receiver, waiting })
    }

    /// The bytes that wait.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

impl Outbox {
    /// Adds a message for this client alone.
    pub(crate) fn send_text(&mut self, text: Arc<str>) -> Result<(), OutboxError> {
        if self.sender.is_closed() {
            return Err(OutboxError::Gone);
        }
        let waiting = self.waiting.bytes.load(Ordering::Relaxed);
        let in_all = self.waiting.in_all.load(Ordering::Relaxed);
        let is_scarce = in_all + text.len() > self.max_in_all;
        if waiting > 0 && (is_scarce || waiting + text.len() > MAX_WAITING_BYTES) {
            Quota::WaitingBytes.count_refusal();
            self.waiting.is_cut.store(true, Ordering::Relaxed);
            return Err(OutboxError::Full);
        }
        let text = WaitingText::new(text, self.waiting.clone());
        self.send(Outgoing::Text(text))
    }

    /// Adds a message for many clients, which share its text.
    pub(crate) fn send_shared(&mut self, text: Arc<String>) -> Result<(), OutboxError> {
        self.send(Outgoing::Shared(text))
    }

    /// Ends the connection after the messages that wait.
    pub(crate) fn close(&mut self, why: CloseReason) {
        let _ = self.send(Outgoing::Close(why));
    }

    /// If there are too many, those that wait are still sent: a client that has resumed with many commands
    /// gets some of the answers, and the others when it resumes again.
    fn send(&mut self, outgoing: Outgoing) -> Result<(), OutboxError> {
        self.sender.try_send(outgoing).map_err(|unsent| match unsent.is_full() {
            true => OutboxError::Full,
            false => OutboxError::Gone,
        })
    }
}

impl OutboxReceiver {
    /// The next message. An error if too many bytes waited, or if the outbox is dropped and empty.
    pub(crate) async fn recv(&mut self) -> Result<Outgoing, OutboxError> {
        let next = self.receiver.recv().await.map_err(|_| OutboxError::Gone)?;
        match self.waiting.is_cut.load(Ordering::Relaxed) {
            true => Err(OutboxError::Full),
            false => Ok(next),
        }
    }

    /// The next message if one waits.
    #[cfg(test)]
    pub(crate) fn try_recv(&mut self) -> Option<Outgoing> {
        self.receiver.try_recv().ok()
    }
}

impl WaitingText {
    fn new(text: Arc<str>, of_connection: Arc<WaitingBytes>) -> WaitingText {
        of_connection.bytes.fetch_add(text.len(), Ordering::Relaxed);
        of_connection.in_all.fetch_add(text.len(), Ordering::Relaxed);
        WaitingText { text, of_connection }
    }

    #[cfg(test)]
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

impl AsRef<[u8]> for WaitingText {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

impl Drop for WaitingText {
    fn drop(&mut self) {
        self.of_connection.bytes.fetch_sub(self.text.len(), Ordering::Relaxed);
        self.of_connection.in_all.fetch_sub(self.text.len(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;

    fn outbox(messages: usize) -> (Outbox, OutboxReceiver) {
        Outboxes::new(usize::MAX).open(messages)
    }

    fn text(bytes: usize) -> Arc<str> {
        "x".repeat(bytes).into()
    }

    #[tokio::test]
    async fn so_many_bytes_wait_for_a_client_and_no_more() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let _counts = metrics::set_default_local_recorder(&recorder);
        let (mut outbox, mut receiver) = outbox(64);
        for _ in 0..4 {
            assert_eq!(outbox.send_text(text(MAX_WAITING_BYTES / 4)), Ok(()));
        }
        // What was sent gives its place back.
        assert!(matches!(receiver.recv().await, Ok(Outgoing::Text(_))));
        assert_eq!(outbox.send_text(text(MAX_WAITING_BYTES / 4)), Ok(()));
        assert_eq!(outbox.send_text(text(1)), Err(OutboxError::Full));
        assert_eq!(receiver.recv().await.err(), Some(OutboxError::Full), "what waits is not sent");
        assert_eq!(Quota::WaitingBytes.refusals(&recorder), 1);
    }

    #[tokio::test]
    async fn one_message_may_always_wait() {
        let (mut outbox, mut receiver) = outbox(64);
        assert_eq!(outbox.send_text(text(2 * MAX_WAITING_BYTES)), Ok(()));
        assert!(matches!(receiver.recv().await, Ok(Outgoing::Text(_))));
        assert_eq!(outbox.send_text(text(1)), Ok(()));
    }

    #[tokio::test]
    async fn a_full_outbox_and_a_closed_one_are_read_to_their_ends() {
        let (mut full, mut receiver) = outbox(8);
        let mut sent = 0;
        while full.send_text(text(1)).is_ok() {
            sent += 1;
        }
        drop(full);
        // The channel has a place for its sender too.
        assert_eq!(sent, 9);
        for _ in 0..sent {
            assert!(matches!(receiver.recv().await, Ok(Outgoing::Text(_))));
        }
        assert_eq!(receiver.recv().await.err(), Some(OutboxError::Gone));
        let (mut closed, mut receiver) = outbox(9);
        assert_eq!(closed.send_text(text(1)), Ok(()));
        closed.close(CloseReason::Stopping);
        drop(closed);
        assert!(matches!(receiver.recv().await, Ok(Outgoing::Text(_))));
        assert!(matches!(receiver.recv().await, Ok(Outgoing::Close(CloseReason::Stopping))));
        assert!(receiver.recv().await.is_err());
    }

    #[tokio::test]
    async fn so_many_bytes_wait_for_all_clients_and_no_more() {
        let outboxes = Outboxes::new(10);
        let (mut first, mut first_receiver) = outboxes.open(8);
        let (mut second, second_receiver) = outboxes.open(8);
        assert_eq!(first.send_text(text(4)), Ok(()));
        assert_eq!(first.send_text(text(4)), Ok(()));
        assert_eq!(second.send_text(text(4)), Ok(()), "one may always wait");
        assert!(second.send_text(text(1)).is_err());
        assert!(matches!(first_receiver.recv().await, Ok(Outgoing::Text(_))));
        drop(second_receiver);
        drop(second);
        assert_eq!(outboxes.waiting(), 4);
        assert_eq!(first.send_text(text(4)), Ok(()));
        drop((first, first_receiver));
        assert_eq!(outboxes.waiting(), 0);
    }

    #[test]
    fn a_full_outbox_is_told_from_one_whose_client_has_gone() {
        let (mut full, _receiver) = outbox(1);
        while full.send_shared(Arc::default()).is_ok() {}
        assert_eq!(full.send_shared(Arc::default()), Err(OutboxError::Full));
        assert_eq!(full.send_text(text(1)), Err(OutboxError::Full));
        let (mut gone, receiver) = outbox(1);
        assert_eq!(gone.send_text(text(MAX_WAITING_BYTES)), Ok(()));
        drop(receiver);
        assert_eq!(gone.send_text(text(MAX_WAITING_BYTES)), Err(OutboxError::Gone));
        assert_eq!(gone.send_shared(Arc::default()), Err(OutboxError::Gone));
    }
}
