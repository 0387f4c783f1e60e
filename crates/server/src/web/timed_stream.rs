//! A connection on which hardly anything can be written for too long ends.
//!
//! hyper limits the time for the head of a request, but not that for an answer: a client that asks and
//! does not read would keep its connection, and what it asked for, as long as it likes. A connection
//! that has nothing to write has no deadline, and one that has become a WebSocket has its own.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// So many bytes must be written before the deadline, or all that there is: a client that reads a few bytes
/// now and then would keep its answer as well.
const MIN_WRITTEN: usize = 16 << 10;

/// A stream whose writes have a deadline.
pub(super) struct TimedStream {
    stream: TcpStream,
    timeout: Duration,
    /// Runs from when a write waits for the network.
    deadline: Option<Pin<Box<Sleep>>>,
    /// The bytes that were written since then.
    written: usize,
    is_upgraded: Arc<AtomicBool>,
}

/// Ends the deadlines of a stream that has become a WebSocket.
pub(super) struct UpgradeFlag(Arc<AtomicBool>);

impl UpgradeFlag {
    /// Writes have no deadline any more.
    pub(super) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl TimedStream {
    pub(super) fn new(stream: TcpStream, timeout: Duration) -> (TimedStream, UpgradeFlag) {
        let is_upgraded = Arc::new(AtomicBool::new(false));
        let flag = UpgradeFlag(is_upgraded.clone());
        (TimedStream { stream, timeout, deadline: None, written: 0, is_upgraded }, flag)
    }

    /// The stream, whose writes have no deadline any more.
    pub(super) fn into_inner(self) -> TcpStream {
        self.stream
    }

    fn end_deadline(&mut self) {
        (self.deadline, self.written) = (None, 0);
    }

    /// The result of a write, or an error if writes have waited too long.
    fn in_time(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(bytes)) = written {
            self.written += bytes;
            if self.written >= MIN_WRITTEN {
                self.end_deadline();
            }
        }
        if written.is_ready() || self.is_upgraded.load(Ordering::Relaxed) {
            return written;
        }
        let timeout = self.timeout;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(timeout)));
        ready!(deadline.as_mut().poll(context));
        // The system forgets at once what the client has not read.
        let _ = self.stream.set_zero_linger();
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not read")))
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        if flushed.is_ready() {
            // All that there is has been written.
            self.end_deadline();
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.in_time(context, written)
    }

    /// Otherwise hyper would copy the parts of an answer.
    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpSocket};
    use tokio::time::timeout;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    /// A stream whose writes have a deadline, and its client.
    async fn connected(timeout: Duration) -> (TimedStream, UpgradeFlag, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let client = TcpStream::connect(address).await.expect("connected");
        let (stream, _) = listener.accept().await.expect("accepted");
        let (stream, flag) = TimedStream::new(stream, timeout);
        (stream, flag, client)
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_is_given_up_and_reset() {
        let (mut stream, _flag, mut client) = connected(Duration::from_millis(100)).await;
        let all = vec![7; 64 << 20];
        let written = timeout(LONG, stream.write_all(&all)).await.expect("it is given up");
        assert_eq!(written.expect_err("too slow").kind(), io::ErrorKind::TimedOut);
        drop(stream);
        let mut read = Vec::new();
        let end = timeout(LONG, client.read_to_end(&mut read)).await.expect("it ends");
        assert_eq!(end.expect_err("reset").kind(), io::ErrorKind::ConnectionReset);
        assert!(read.len() < all.len());
    }

    #[tokio::test]
    async fn a_client_that_reads_a_few_bytes_now_and_then_is_given_up_too() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(4 << 10).expect("a small buffer");
        let client = socket.connect(listener.local_addr().expect("an address"));
        let (client, accepted) = tokio::join!(client, listener.accept());
        let (mut client, (stream, _)) = (client.expect("connected"), accepted.expect("accepted"));
        let (mut stream, _flag) = TimedStream::new(stream, Duration::from_millis(500));
        let reading = tokio::spawn(async move {
            let mut buffer = [0; 1 << 10];
            while client.read_exact(&mut buffer).await.is_ok() {
                sleep(Duration::from_millis(50)).await;
            }
        });
        let written = timeout(LONG, stream.write_all(&vec![7; 64 << 20])).await;
        let error = written.expect("it is given up").expect_err("too slow");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(stream);
        timeout(LONG, reading).await.expect("it ends").expect("no panic");
    }

    #[tokio::test]
    async fn a_client_that_reads_or_is_asked_nothing_has_no_deadline() {
        let (mut stream, _flag, mut client) = connected(Duration::from_secs(20)).await;
        let reading = tokio::spawn(async move {
            let mut buffer = vec![0; 1 << 20];
            let mut count = 0;
            while count < 64 << 20 {
                count += client.read(&mut buffer).await.expect("read");
            }
            (client, count)
        });
        stream.write_all(&vec![7; 64 << 20]).await.expect("it is read");
        let (mut client, count) = reading.await.expect("it ended");
        assert_eq!(count, 64 << 20);
        stream.flush().await.expect("flushed");
        assert!(stream.deadline.is_none(), "nothing waits");
        client.write_all(b"ping").await.expect("written");
        let mut ping = [0; 4];
        stream.read_exact(&mut ping).await.expect("read");
    }

    #[tokio::test]
    async fn after_an_upgrade_there_is_no_deadline() {
        let (mut stream, flag, client) = connected(Duration::from_millis(50)).await;
        flag.set();
        let all = vec![7; 64 << 20];
        let write = timeout(Duration::from_secs(1), stream.write_all(&all)).await;
        assert!(write.is_err(), "it waits for the client");
        drop(client);
    }
}
