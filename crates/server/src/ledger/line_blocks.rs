//! The lines of a ledger, in blocks that all readers share.
//!
//! Lines are only ever added. What a reader gets is a list of blocks, not a copy of their lines, and
//! the message with the lines of a block is made once for all connections. So a large ledger costs
//! hardly more memory when many clients ask for it and do not read.

use std::iter;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use wire::ledger::LedgerServerMessage;

/// A block with this many bytes gets no further line. A line is never split, however long it is.
pub(super) const BLOCK_BYTES: usize = 32 << 10;

/// Some lines, one after the other.
#[derive(Debug)]
pub(crate) struct LineBlock {
    /// How many lines come before.
    from: usize,
    /// The lines with their line ends.
    text: String,
    /// Where each line ends in the text, before its line end.
    ends: Vec<usize>,
    /// The message with all lines, as long as a connection needs it.
    message: Mutex<Option<Weak<String>>>,
}

impl Clone for LineBlock {
    fn clone(&self) -> LineBlock {
        let (text, ends) = (self.text.clone(), self.ends.clone());
        LineBlock { from: self.from, text, ends, message: Mutex::default() }
    }
}

impl LineBlock {
    fn after(from: usize) -> LineBlock {
        let (text, ends) = (String::new(), Vec::new());
        LineBlock { from, text, ends, message: Mutex::default() }
    }

    /// The lines with their line ends.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The number of lines up to the end of the block.
    fn end(&self) -> usize {
        self.from + self.ends.len()
    }

    fn is_full(&self) -> bool {
        self.text.len() >= BLOCK_BYTES
    }

    fn push(&mut self, line: &str) {
        self.text.push_str(line);
        self.ends.push(self.text.len());
        self.text.push('\n');
        *self.message.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
        if self.is_full() {
            self.text.shrink_to_fit();
            self.ends.shrink_to_fit();
        }
    }

    fn lines(&self) -> impl Iterator<Item = &str> {
        let starts = iter::once(0).chain(self.ends.iter().map(|end| end + 1));
        starts.zip(&self.ends).map(|(start, end)| &self.text[start..*end])
    }

    /// The message with the lines of this block that a client with this many lines does not have.
    fn message(&self, since: usize) -> Arc<String> {
        let skipped = since.saturating_sub(self.from);
        let make = || {
            let lines = self.lines().skip(skipped);
            Arc::new(LedgerServerMessage::lines_text(self.from + skipped, lines))
        };
        if skipped > 0 {
            return make();
        }
        let mut shared = self.message.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(message) = shared.as_ref().and_then(Weak::upgrade) {
            return message;
        }
        let message = make();
        *shared = Some(Arc::downgrade(&message));
        message
    }
}

/// The lines. A clone shares the blocks, and stays as it is when lines are added.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineBlocks(Vec<Arc<LineBlock>>);

impl LineBlocks {
    /// The number of lines.
    pub(super) fn len(&self) -> usize {
        self.0.last().map_or(0, |block| block.end())
    }

    /// Adds a line. It has no line end.
    pub(super) fn push(&mut self, line: &str) {
        match self.0.last_mut().filter(|block| !block.is_full()) {
            // If a reader has the block, it is copied once and the reader keeps the shorter one.
            Some(block) => Arc::make_mut(block).push(line),
            None => {
                let mut block = LineBlock::after(self.len());
                block.push(line);
                self.0.push(Arc::new(block));
            }
        }
    }

    /// The messages with the lines that a client with this many lines does not have.
    pub(super) fn messages(&self, since: usize) -> impl Iterator<Item = Arc<String>> + '_ {
        let first = self.0.partition_point(|block| block.end() <= since);
        self.0[first..].iter().map(move |block| block.message(since))
    }

    /// The bytes of all lines with their line ends.
    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(|block| block.text.len()).sum()
    }

    /// The blocks, in order.
    pub(crate) fn blocks(&self) -> &[Arc<LineBlock>] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use game::deal::{RandomStream, Seed};

    use super::*;

    /// Lines of random lengths, some longer than a block: texts in JSON.
    fn random_lines(seed: u8) -> Vec<String> {
        let mut random = RandomStream::new(Seed([seed; 32]), 0);
        let mut length = || match random.below(40) {
            0 => BLOCK_BYTES + random.below(BLOCK_BYTES),
            1..=9 => random.below(10),
            _ => random.below(4_000),
        };
        (0..150).map(|_| format!("\"{}\"", "x".repeat(length()))).collect()
    }

    fn blocks_of(lines: &[String]) -> LineBlocks {
        let mut blocks = LineBlocks::default();
        lines.iter().for_each(|line| blocks.push(line));
        blocks
    }

    fn text_of(blocks: &LineBlocks) -> String {
        blocks.blocks().iter().map(|block| block.text()).collect()
    }

    /// The lines of messages, which follow each other without a gap.
    fn received(messages: impl Iterator<Item = Arc<String>>, since: usize) -> Vec<String> {
        let mut received = Vec::new();
        for message in messages {
            let message = LedgerServerMessage::read(&message).expect("a message");
            let LedgerServerMessage::Lines { from, lines } = message else { panic!("no lines") };
            assert_eq!(from, since + received.len());
            assert!(!lines.is_empty());
            received.extend(lines.iter().map(ToString::to_string));
        }
        received
    }

    #[test]
    fn the_blocks_are_the_lines_and_every_client_gets_what_it_lacks() {
        for seed in 0..4 {
            let lines = random_lines(seed);
            let blocks = blocks_of(&lines);
            let whole: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
            assert_eq!((blocks.len(), blocks.bytes()), (lines.len(), whole.len()));
            assert!(text_of(&blocks) == whole, "seed {seed}");
            for since in 0..=lines.len() {
                let missing = received(blocks.messages(since), since);
                assert!(missing == lines[since..], "seed {seed}, since {since}");
            }
        }
    }

    #[test]
    fn a_block_is_full_at_its_size_and_a_longer_line_stays_whole() {
        let lines = random_lines(7);
        let blocks = blocks_of(&lines);
        let longest = lines.iter().map(String::len).max().expect("lines");
        assert!(longest > BLOCK_BYTES);
        let (last, full) = blocks.0.split_last().expect("blocks");
        assert!(full.iter().all(|block| block.is_full()) && !full.is_empty());
        for block in full.iter().chain([last]) {
            assert!(block.text.len() <= BLOCK_BYTES + longest);
        }
    }

    #[test]
    fn readers_share_blocks_and_messages_for_as_long_as_one_needs_them() {
        let lines = random_lines(9);
        let mut blocks = blocks_of(&lines);
        let reader = blocks.clone();
        let pairs = || blocks.0.iter().zip(&reader.0);
        assert!(pairs().all(|(one, other)| Arc::ptr_eq(one, other)));
        let [one, other]: [Vec<Arc<String>>; 2] = [(); 2].map(|()| blocks.messages(0).collect());
        assert!(one.iter().zip(&other).all(|(one, other)| Arc::ptr_eq(one, other)));
        // A client that was there before gets the rest of a block by itself, and shares the others.
        let resumed: Vec<Arc<String>> = reader.messages(1).collect();
        assert!(!Arc::ptr_eq(&resumed[0], &one[0]));
        assert!(Arc::ptr_eq(&resumed[1], &one[1]));
        let first = Arc::downgrade(&one[0]);
        drop((one, other));
        assert!(first.upgrade().is_none(), "no connection needs it any more");
        // A reader keeps what it got while lines are added.
        let before = text_of(&reader);
        lines.iter().for_each(|line| blocks.push(line));
        assert!(text_of(&reader) == before);
        assert_eq!(received(blocks.messages(0), 0).len(), 2 * lines.len());
        assert_eq!(received(blocks.messages(lines.len()), lines.len()), lines);
    }
}
