//! Where the frames of a WebSocket end in the bytes of a client.
//!
//! The library that speaks the protocol keeps a buffer as large as the largest frame that it has read. To
//! replace the buffer nothing may be in it, so that after the beginning of a large frame no bytes are read
//! that belong to the next one.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The most bytes of a frame that is not large.
pub(super) const SMALL_FRAME: u64 = 4 << 10;
/// The most bytes of the header of a frame.
const MAX_HEADER: usize = 14;

/// A stream whose reads may be made to end where frames end.
pub(super) struct FrameStream<S> {
    stream: S,
    /// What was read before the stream became a WebSocket.
    first: Bytes,
    end: FrameEnd,
}

/// Where the present frame ends.
#[derive(Default)]
struct FrameEnd {
    header: [u8; MAX_HEADER],
    /// The bytes of the header that have been read.
    header_read: usize,
    /// The bytes of the frame after its header that have not been read.
    payload_left: u64,
    /// Whether a large frame has begun, since when reads end where frames end.
    is_exact: bool,
}

impl FrameEnd {
    /// The bytes of the header that are known to be missing; zero if it is complete.
    fn header_missing(&self) -> usize {
        let [_, second, ..] = self.header;
        let length = match (self.header_read, second & 0x7f) {
            (0..2, _) => 2,
            (_, 126) => 4,
            (_, 127) => 10,
            _ => 2,
        };
        let mask = if self.header_read >= 2 && second & 0x80 != 0 { 4 } else { 0 };
        length + mask - self.header_read
    }

    /// The bytes of the frame after its header, which is complete.
    fn payload(&self) -> u64 {
        let [_, second, a, b, c, d, e, f, g, h, ..] = self.header;
        match second & 0x7f {
            126 => u16::from_be_bytes([a, b]).into(),
            127 => u64::from_be_bytes([a, b, c, d, e, f, g, h]),
            short => short.into(),
        }
    }

    /// How many bytes may be read now.
    fn may_read(&self) -> usize {
        match (self.is_exact, self.payload_left) {
            (false, _) => usize::MAX,
            (true, 0) => self.header_missing(),
            (true, left) => usize::try_from(left).unwrap_or(usize::MAX),
        }
    }

    /// Notes bytes that were read.
    fn advance(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.payload_left > 0 {
                let read =
                    bytes.len().min(usize::try_from(self.payload_left).unwrap_or(usize::MAX));
                self.payload_left -= read as u64;
                bytes = &bytes[read..];
                continue;
            }
            let (header, rest) = bytes.split_at(self.header_missing().min(bytes.len()));
            self.header[self.header_read..][..header.len()].copy_from_slice(header);
            self.header_read += header.len();
            bytes = rest;
            if self.header_missing() == 0 {
                self.payload_left = self.payload();
                self.header_read = 0;
                self.is_exact |= self.payload_left > SMALL_FRAME;
            }
        }
    }
}

impl<S> FrameStream<S> {
    /// A stream of which some bytes were read already.
    pub(super) fn new(stream: S, first: Bytes) -> FrameStream<S> {
        FrameStream { stream, first, end: FrameEnd::default() }
    }

    /// Whether a large frame was read, since then nothing beyond the ends of frames, and now a whole frame.
    pub(super) fn is_after_large_frame(&self) -> bool {
        let FrameEnd { is_exact, header_read, payload_left, .. } = self.end;
        is_exact && header_read == 0 && payload_left == 0
    }

    /// Reads may go beyond the ends of frames again.
    pub(super) fn read_freely(&mut self) {
        self.end.is_exact = false;
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for FrameStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let FrameStream { stream, first, end } = &mut *self;
        let at_most = end.may_read().min(buffer.remaining());
        let mut part = ReadBuf::new(buffer.initialize_unfilled_to(at_most));
        if first.is_empty() {
            ready!(Pin::new(stream).poll_read(context, &mut part))?;
        } else {
            part.put_slice(&first.split_to(at_most.min(first.len())));
            if first.is_empty() {
                // Otherwise it would keep all that was read with it.
                *first = Bytes::new();
            }
        }
        let read = part.filled();
        end.advance(read);
        let read = read.len();
        buffer.advance(read);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for FrameStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    /// A masked frame with this many bytes, as clients send it.
    fn frame(payload: usize) -> Vec<u8> {
        let mut frame = vec![0x81];
        match payload {
            0..126 => frame.push(0x80 | payload as u8),
            126..0x1_0000 => {
                frame.push(0x80 | 126);
                frame.extend((payload as u16).to_be_bytes());
            }
            _ => {
                frame.push(0x80 | 127);
                frame.extend((payload as u64).to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.resize(frame.len() + payload, 7);
        frame
    }

    /// Reads frames of these sizes, at most this many bytes at once, and returns where the reads ended.
    async fn reads(payloads: &[usize], at_once: usize, first: usize) -> (Vec<usize>, Vec<u8>) {
        let bytes: Vec<u8> = payloads.iter().flat_map(|payload| frame(*payload)).collect();
        let (before, after) = bytes.split_at(first);
        let mut stream = FrameStream::new(after, Bytes::copy_from_slice(before));
        let (mut ends, mut all) = (Vec::new(), Vec::new());
        let mut buffer = vec![0; at_once];
        loop {
            let read = stream.read(&mut buffer).await.expect("a slice does not fail");
            if read == 0 {
                assert_eq!(all, bytes, "every byte is read once");
                return (ends, all);
            }
            all.extend(&buffer[..read]);
            ends.push(all.len());
        }
    }

    #[tokio::test]
    async fn after_the_beginning_of_a_large_frame_every_read_ends_with_its_frame() {
        let large = SMALL_FRAME as usize + 1;
        for payloads in [[3, large, 0, 125], [200, 300_000, 9, large], [large, 126, 70_000, 1]] {
            for (at_once, first) in [(1, 0), (7, 5), (256, 40), (256, 0)] {
                let (ends, _) = reads(&payloads, at_once, first).await;
                let mut end = 0;
                let mut large_seen = false;
                for payload in payloads {
                    end += frame(payload).len();
                    large_seen |= payload >= large;
                    assert!(!large_seen || ends.contains(&end), "{payloads:?} {at_once} {first}");
                }
            }
        }
    }

    #[tokio::test]
    async fn small_frames_are_read_together() {
        let (ends, all) = reads(&[100, 50, 60], 256, 0).await;
        assert_eq!(ends, [all.len()]);
    }
}
