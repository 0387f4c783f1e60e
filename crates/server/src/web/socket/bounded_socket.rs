//! The WebSocket of one client, with buffers that do not stay large.
//!
//! The library that speaks the protocol never gives back what its buffers once needed. So large messages
//! are sent in parts, and after a large message was received its reader is replaced.

use axum::body::Bytes;
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

use super::frames::{FrameStream, SMALL_FRAME};
use crate::quotas::SOCKET_BUFFER;
use crate::web::listen::limit_send_buffer;

/// How many bytes are read at once: messages are short, and there are many connections.
const READ_BUFFER: usize = 256;
/// The bytes of a message that are sent as one part.
const PART_BYTES: usize = 4 << 10;
/// From this many bytes on the network gets them at once.
const WRITE_BUFFER: usize = 1 << 10;
/// The most bytes that wait for the network: a part, and an answer of the protocol.
const MAX_UNSENT: usize = 2 * PART_BYTES;

/// A WebSocket on the stream of a client.
pub(super) struct BoundedSocket {
    /// Always there, but while it is replaced.
    socket: Option<WebSocketStream<FrameStream<TcpStream>>>,
    config: WebSocketConfig,
    /// Whether the last thing that was received is a whole message.
    has_whole_message: bool,
    /// Whether the server has closed it: then nothing is replaced any more.
    is_closed: bool,
}

// What begins in the middle of a read must not end in it.
const _: () = assert!(SMALL_FRAME as usize > READ_BUFFER);

impl BoundedSocket {
    /// A WebSocket on a stream of which some bytes were read already. Messages of the client have at most this
    /// many bytes.
    pub(super) async fn new(stream: TcpStream, first: Bytes, max_bytes: usize) -> BoundedSocket {
        limit_send_buffer(&stream, SOCKET_BUFFER);
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(WRITE_BUFFER)
            .max_write_buffer_size(MAX_UNSENT)
            .max_message_size(Some(max_bytes))
            .max_frame_size(Some(max_bytes));
        let stream = FrameStream::new(stream, first);
        let socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(config)).await;
        BoundedSocket { socket: Some(socket), config, has_whole_message: false, is_closed: false }
    }

    /// The next message, or None when the client is gone. Nothing is lost if the caller stops waiting.
    pub(super) async fn recv(&mut self) -> Option<Result<Message, Error>> {
        if let Err(error) = self.shrink().await {
            return Some(Err(error));
        }
        let next = self.socket.as_mut()?.next().await;
        self.has_whole_message = matches!(next, Some(Ok(Message::Text(_) | Message::Binary(_))));
        next
    }

    /// Replaces the reader after a large message. No bytes and no part of a message are in it then.
    async fn shrink(&mut self) -> Result<(), Error> {
        let is_whole = std::mem::take(&mut self.has_whole_message) && !self.is_closed;
        let Some(socket) = self.socket.as_mut() else { return Ok(()) };
        if !is_whole || !socket.get_ref().is_after_large_frame() {
            return Ok(());
        }
        self.has_whole_message = true;
        // An answer of the protocol may wait.
        socket.flush().await?;
        let Some(socket) = self.socket.take() else { return Ok(()) };
        let mut stream = socket.into_inner();
        stream.read_freely();
        let config = Some(self.config);
        // It does not wait, so that the socket is there again.
        let socket = WebSocketStream::from_raw_socket(stream, Role::Server, config).await;
        self.socket = Some(socket);
        self.has_whole_message = false;
        Ok(())
    }

    /// Sends a text, in parts if it is long.
    pub(super) async fn send_text(&mut self, text: Bytes) -> Result<(), Error> {
        let Some(socket) = self.socket.as_mut() else { return Err(Error::AlreadyClosed) };
        let (mut left, mut kind) = (text, Data::Text);
        loop {
            let part = left.split_to(left.len().min(PART_BYTES));
            let is_last = left.is_empty();
            let frame = Frame::message(part, OpCode::Data(kind), is_last);
            socket.feed(Message::Frame(frame)).await?;
            if is_last {
                return socket.flush().await;
            }
            kind = Data::Continue;
        }
    }

    /// Sends a ping, or closes the WebSocket.
    pub(super) async fn send(&mut self, message: Message) -> Result<(), Error> {
        self.is_closed |= message.is_close();
        match self.socket.as_mut() {
            Some(socket) => socket.send(message).await,
            None => Err(Error::AlreadyClosed),
        }
    }
}
