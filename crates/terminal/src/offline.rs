//! A table in this process: a thread in which bots think, and its journal in a file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use practice::{Due, JournalUpdate, Practice, PracticePlan};

use crate::clock;
use crate::table_session::{SendText, SessionEnd, TransportEvent};

/// How long a bot may think at most, in milliseconds; then it does what seems best.
const THINKS: u64 = 4_000;
/// In how many windows the same game can be kept at once.
const WINDOWS: usize = 9;
/// A thread that waits looks up now and then.
const LONG: Duration = Duration::from_secs(3600);

/// A table to be opened in this process.
#[derive(Clone, Debug)]
pub struct Offline {
    /// The rules and the levels of the bots: `cruce4t-21,medium`.
    pub plan: String,
    /// What the player is called.
    pub name: String,
    /// The random bytes from which all deals follow.
    pub entropy: [u8; 32],
    /// How long a bot takes for everything it does, in milliseconds.
    pub bots_take: u64,
    /// Where the match is kept until it is over; nothing if it is not to be kept.
    pub journal: Option<PathBuf>,
    /// Whether what is kept there is thrown away.
    pub anew: bool,
    /// Where the record of each match is written when it is over.
    pub record: Option<PathBuf>,
}

/// The thread of a table. It ends when nobody can hand it a text any more.
pub(crate) struct BotThread {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Result<()>>,
}

impl BotThread {
    /// Waits for its end, and tells what went wrong with its files.
    pub(crate) fn end(self) -> Result<()> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap_or_else(|_| Err(anyhow!("the table has failed")))
    }
}

impl Offline {
    /// Opens the table, or goes on with what is kept of it. Whatever it says goes to `news`.
    pub(crate) fn open<N>(self, news: N) -> Result<(SendText, BotThread)>
    where
        N: Fn(TransportEvent) + Send + 'static,
    {
        let journal =
            self.journal.as_deref().map(|path| JournalFile::free(path, self.anew)).transpose()?;
        let practice = self.practice(journal.as_ref())?;
        let (texts, heard) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let host = OfflineHost {
            practice,
            journal,
            record: self.record,
            stop: stop.clone(),
            recorded: false,
        };
        let thread = std::thread::Builder::new().name("table".into());
        let thread = thread
            .spawn(move || {
                let served = host.serve(&heard, &news);
                if served.is_err() {
                    news(TransportEvent::Ended(SessionEnd::Unwell));
                }
                served
            })
            .context("no thread")?;
        // A table that has ended has said so.
        let post = Box::new(move |text| _ = texts.send(text));
        Ok((post, BotThread { stop, thread }))
    }

    fn practice(&self, journal: Option<&JournalFile>) -> Result<Practice> {
        let name =
            self.name.parse().with_context(|| format!("nobody can be called {:?}", self.name))?;
        let mut plan = PracticePlan::of_text(&self.plan, name)?;
        plan.tempo.bot_takes = self.bots_take;
        if let Some(journal) = journal.filter(|_| !self.anew)
            && let Ok(text) = fs::read_to_string(&journal.path)
            // Of a journal that is spoilt nothing can be made.
            && let Ok(practice) = Practice::resume(text.lines(), plan.tempo, clock::millis())
            && practice.record().is_none()
        {
            return Ok(practice);
        }
        let opened = Practice::open(&plan, self.entropy, clock::millis());
        opened.map_err(|refusal| anyhow!("there can be no such table: {:?}", refusal.reason))
    }
}

struct OfflineHost {
    practice: Practice,
    journal: Option<JournalFile>,
    record: Option<PathBuf>,
    stop: Arc<AtomicBool>,
    /// Whether the record of the match that is over was written.
    recorded: bool,
}

impl OfflineHost {
    fn serve(mut self, heard: &Receiver<String>, news: &impl Fn(TransportEvent)) -> Result<()> {
        self.keep()?;
        news(TransportEvent::Up);
        loop {
            let waits = match self.practice.due() {
                Some(Due::Think) => Duration::ZERO,
                Some(Due::Wake { at }) => {
                    Duration::from_millis(at.saturating_sub(clock::millis())).min(LONG)
                }
                None => LONG,
            };
            let sent = match heard.recv_timeout(waits) {
                Ok(text) => self.practice.hear(clock::millis(), &text),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) if self.practice.due() == Some(Due::Think) => {
                    let (until, stop) = (clock::millis() + THINKS, self.stop.clone());
                    self.practice
                        .think(|| clock::millis() < until && !stop.load(Ordering::Relaxed));
                    Vec::new()
                }
                Err(RecvTimeoutError::Timeout) => self.practice.wake(clock::millis()),
            };
            // Kept before it is shown: nothing is seen that would be forgotten.
            self.keep()?;
            sent.iter().for_each(|text| news(TransportEvent::Text(text.to_string())));
        }
    }

    fn keep(&mut self) -> Result<()> {
        let pages = self.practice.journal();
        let record = self.practice.record();
        self.recorded &= record.is_some();
        if let Some(record) = record.filter(|_| !self.recorded) {
            self.recorded = true;
            if let Some(path) = &self.record {
                let written = append(path, &record.to_string());
                written.with_context(|| format!("{} cannot be written", path.display()))?;
            }
        }
        let Some(journal) = &self.journal else { return Ok(()) };
        let kept = if self.recorded { journal.forget() } else { journal.write(&pages) };
        kept.with_context(|| format!("{} cannot be written", journal.path.display()))
    }
}

fn append(path: &Path, text: &str) -> std::io::Result<()> {
    OpenOptions::new().create(true).append(true).open(path)?.write_all(text.as_bytes())
}

/// Where a match is kept until it is over, and nobody else keeps his.
struct JournalFile {
    path: PathBuf,
    /// Held until this is dropped, in a file beside it.
    _lock: File,
}

impl JournalFile {
    /// One that no other window is writing: with a match that was left there, otherwise without.
    /// Whoever begins anew has the first one, or one without a match.
    fn free(first: &Path, anew: bool) -> Result<JournalFile> {
        let others = (2..=WINDOWS).map(|at| first.with_extension(format!("{at}.journal")));
        let mut paths: Vec<PathBuf> = std::iter::once(first.to_owned()).chain(others).collect();
        paths[usize::from(anew)..].sort_by_key(|path| path.exists() == anew);
        for path in paths {
            if let Some(journal) = JournalFile::lock(path)? {
                return Ok(journal);
            }
        }
        bail!("{WINDOWS} other windows are playing this: leave one of them first");
    }

    /// Nothing if another window has it.
    fn lock(path: PathBuf) -> Result<Option<JournalFile>> {
        let beside = path.with_added_extension("lock");
        let lock = OpenOptions::new().create(true).append(true).open(&beside);
        let lock = lock.with_context(|| format!("{} cannot be written", beside.display()))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => Ok(None),
            // Where files cannot be locked there is hardly a second window.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(JournalFile { path, _lock: lock })),
        }
    }

    fn write(&self, pages: &JournalUpdate) -> std::io::Result<()> {
        if pages.lines.is_empty() && !pages.anew {
            return Ok(());
        }
        let mut options = OpenOptions::new();
        options.create(true).append(!pages.anew).truncate(pages.anew).write(true);
        // Whoever reads it can know all cards.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut text = pages.lines.join("\n");
        text.push('\n');
        options.open(&self.path)?.write_all(text.as_bytes())
    }

    fn forget(&self) -> std::io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use test_support::folder::Folder;

    use super::*;

    #[test]
    fn every_window_keeps_a_match_of_its_own() {
        let folder = Folder::fresh();
        let path = folder.file("match-cruce4t.journal");
        let page = |line: &str| JournalUpdate { anew: true, lines: vec![line.into()] };

        let first = JournalFile::free(&path, false).expect("free");
        assert_eq!(first.path, path);
        first.write(&page("first")).expect("written");
        let second = JournalFile::free(&path, false).expect("free");
        second.write(&page("second")).expect("written");
        assert_eq!(fs::read_to_string(&first.path).expect("kept"), "first\n");

        // Whoever comes back finds what was left: here the second match, as the first is over.
        let left = second.path.clone();
        first.forget().expect("forgotten");
        drop((first, second));
        assert_eq!(JournalFile::free(&path, false).expect("free").path, left);

        // Whoever begins anew throws away no match but his own.
        let own = JournalFile::free(&path, true).expect("free");
        assert_eq!(own.path, path);
        let other = JournalFile::free(&path, true).expect("free");
        assert!(!other.path.exists() && other.path != left);
        drop((own, other));

        let free = || JournalFile::free(&path, false);
        let held: Vec<JournalFile> = (0..WINDOWS).map_while(|_| free().ok()).collect();
        assert_eq!(held.len(), WINDOWS);
        let refused = JournalFile::free(&path, false).err().expect("no tenth window");
        assert!(refused.to_string().contains("other windows"), "{refused}");
    }
}
