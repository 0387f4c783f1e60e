//! Lines of bounded length from an untrusted source.

use std::io::{self, BufRead};

/// The result of reading a line.
#[derive(PartialEq, Eq, Debug)]
pub enum InputLine {
    /// A line, without its line feed.
    Text(String),
    /// A line that is not UTF-8.
    NotText,
    /// A line that is too long; the rest of it is skipped.
    TooLong,
    /// There are no more lines.
    End,
}

/// Reads lines of at most `max_bytes` bytes.
pub struct LineReader<R> {
    from: R,
    max_bytes: usize,
    /// Whether the rest of a line that was too long is still to be skipped.
    skipping: bool,
}

impl<R: BufRead> LineReader<R> {
    /// A reader of lines of at most this many bytes.
    pub fn new(from: R, max_bytes: usize) -> LineReader<R> {
        LineReader { from, max_bytes, skipping: false }
    }

    /// Reads the next line. It buffers at most `max_bytes` bytes.
    pub fn read_line(&mut self) -> io::Result<InputLine> {
        let mut line = Vec::new();
        loop {
            let bytes = match self.from.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if bytes.is_empty() {
                let ended = line.is_empty() || self.skipping;
                return Ok(if ended { InputLine::End } else { text(line) });
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            let fits = line.len() + part.len() <= self.max_bytes;
            if !self.skipping && fits {
                line.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.from.consume(used);
            match (self.skipping, fits, end) {
                (true, _, Some(_)) => self.skipping = false,
                (true, _, None) => {}
                (false, true, Some(_)) => return Ok(text(line)),
                (false, true, None) => {}
                (false, false, end) => {
                    self.skipping = end.is_none();
                    return Ok(InputLine::TooLong);
                }
            }
        }
    }
}

fn text(mut line: Vec<u8>) -> InputLine {
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    String::from_utf8(line).map_or(InputLine::NotText, InputLine::Text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<InputLine> {
        // Small pieces, as a pipe may deliver them.
        let mut lines = LineReader::new(io::BufReader::with_capacity(3, bytes), 5);
        let mut read = Vec::new();
        loop {
            match lines.read_line().expect("a slice can be read") {
                InputLine::End => return read,
                line => read.push(line),
            }
        }
    }

    #[test]
    fn lines_end_with_or_without_a_line_feed() {
        let line = |line: &str| InputLine::Text(line.into());
        assert_eq!(all(b"ab\r\n\n12345\nc"), [line("ab"), line(""), line("12345"), line("c")]);
        assert_eq!(all(b""), []);
    }

    #[test]
    fn a_long_line_is_skipped_and_the_next_one_read() {
        let next = || InputLine::Text("next".into());
        assert_eq!(all(b"123456\nnext\n"), [InputLine::TooLong, next()]);
        assert_eq!(all(&[&[b'x'; 100][..], b"\nnext"].concat()), [InputLine::TooLong, next()]);
        assert_eq!(all(&[b'x'; 100]), [InputLine::TooLong]);
        assert_eq!(all(b"\xff\xfe\nnext\n"), [InputLine::NotText, next()]);
    }
}
