//! A client of a contest or a score sheet: the replica and the conversation of all clients over a real
//! socket. It expects that the connection holds.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use replica::ledger::{CommandResult, LedgerChange};
use replica::{Conversation, LedgerReplica, RoleKey};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use wire::ledger::{CloseReason, Ledger, LedgerCommand, LedgerServerMessage};

const TIME_LIMIT: Duration = Duration::from_secs(60);

pub(crate) struct LedgerClient {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    conversation: Conversation<CloseReason>,
    replica: LedgerReplica,
}

impl LedgerClient {
    /// Connects, and waits until the lines are there.
    pub(crate) async fn connect(
        address: &str,
        ledger: &str,
        id_prefix: &str,
        role_key: Option<RoleKey>,
    ) -> LedgerClient {
        let url = format!("ws://{address}/api/ledgers/{ledger}/socket");
        let (mut socket, _) = tokio_tungstenite::connect_async(url).await.expect("a socket");
        let mut conversation = Conversation::default();
        let replica = LedgerReplica::new(id_prefix, role_key);
        let hello = conversation.connected(&replica, 0);
        socket.send(hello.text().into()).await.expect("sent");
        let mut client = LedgerClient { socket, conversation, replica };
        while client.replica.ledger().is_none() || !client.conversation.is_live() {
            client.receive().await;
        }
        assert!(!client.replica.is_refused(), "the key grants the role");
        client
    }

    pub(crate) fn ledger(&self) -> &Ledger {
        self.replica.ledger().expect("it has come")
    }

    /// Sends a command, and waits for its answer.
    pub(crate) async fn command(&mut self, command: LedgerCommand) -> CommandResult {
        let (wanted, message) = self.conversation.command(&mut self.replica, command);
        let message = message.expect("the connection holds");
        self.socket.send(message.text().into()).await.expect("sent");
        loop {
            match self.receive().await {
                LedgerChange::Answered { id, answer } if id == wanted => return answer,
                _ => {}
            }
        }
    }

    async fn receive(&mut self) -> LedgerChange {
        let frame = timeout(TIME_LIMIT, self.socket.next()).await.expect("in time");
        let frame = frame.expect("a frame").expect("a message");
        let message = LedgerServerMessage::read(frame.to_text().expect("text"));
        let message = message.expect("a message of the protocol");
        let step = self.conversation.receive(&mut self.replica, message, 0);
        assert!(!step.disconnect, "the connection ends: {:?}", self.conversation.state());
        step.change
    }
}
