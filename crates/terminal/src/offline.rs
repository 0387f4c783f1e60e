//! A table in this process: a thread that runs the bots, and a journal in a file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use game::record::Name;
use practice::{Due, JournalUpdate, Practice, PracticePlan};

use crate::clock;
use crate::table_connection::{ConnectionEnd, TransportEvent, TransportRequest, TransportSender};

/// The maximum time for a bot's decision, in milliseconds; then it takes its best action so far.
const MAX_THINK_MILLIS: u64 = 4_000;
/// How many windows may keep a match of the same game at once.
const MAX_WINDOWS: usize = 9;
/// The longest time that the thread waits without a check.
const MAX_WAIT: Duration = Duration::from_secs(3600);

/// A table to be opened in this process.
#[derive(Clone, Debug)]
pub struct Offline {
    /// The rules and the levels of the bots: `cruce4t-21,medium`.
    pub plan: String,
    /// The player's name.
    pub name: String,
    /// The random bytes that determine all deals.
    pub entropy: [u8; 32],
    /// How long a bot takes for each action, in milliseconds.
    pub bots_take: u64,
    /// The journal file of an unfinished match; `None` stores no journal.
    pub journal: Option<PathBuf>,
    /// Whether to discard a stored match and begin a new one.
    pub anew: bool,
    /// The file to which the record of each finished match is appended.
    pub record: Option<PathBuf>,
}

/// The thread of a table. It ends when the sender of its texts is dropped.
pub(crate) struct BotThread {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Result<()>>,
}

impl BotThread {
    /// Waits for the end of the thread and returns any error with its files.
    pub(crate) fn end(self) -> Result<()> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap_or_else(|_| Err(anyhow!("the thread of the table has failed")))
    }
}

impl Offline {
    /// Opens the table or resumes the stored match. Its messages go to `on_event`.
    pub(crate) fn open<N>(self, on_event: N) -> Result<(TransportSender, BotThread)>
    where
        N: Fn(TransportEvent) + Send + 'static,
    {
        let journal = self
            .journal
            .as_deref()
            .map(|path| JournalFile::lock_free(path, self.anew))
            .transpose()?;
        let (practice, set_aside) = self.practice(journal.as_ref())?;
        let (sender, requests) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let host = OfflineHost {
            practice,
            journal,
            record: self.record,
            stop: stop.clone(),
            recorded: false,
        };
        let builder = std::thread::Builder::new().name("table".into());
        let thread = builder
            .spawn(move || {
                set_aside.into_iter().for_each(|path| on_event(TransportEvent::SetAside(path)));
                let result = host.serve(&requests, &on_event);
                if result.is_err() {
                    on_event(TransportEvent::Ended(ConnectionEnd::ServerFault));
                }
                result
            })
            .context("the thread of the table cannot be started")?;
        // A thread that has ended has already reported it.
        let transport = Box::new(move |request| _ = sender.send(request));
        Ok((transport, BotThread { stop, thread }))
    }

    /// The stored match, or a new one. A journal that cannot be resumed is set aside: its new path is
    /// returned, too.
    fn practice(&self, journal: Option<&JournalFile>) -> Result<(Practice, Option<PathBuf>)> {
        let name = Name::new(&self.name)
            .with_context(|| format!("{:?} is not a valid player name", self.name))?;
        let mut plan = PracticePlan::of_text(&self.plan, name)?;
        plan.timings.bot_delay = self.bots_take;
        let mut set_aside = None;
        if let Some(journal) = journal.filter(|_| !self.anew)
            && let Some(bytes) = journal.read()?
        {
            let text = String::from_utf8_lossy(&bytes);
            match Practice::resume(text.lines(), plan.timings, clock::millis()) {
                Ok(practice) if practice.record().is_none() => return Ok((practice, None)),
                Ok(_) => {}
                // It was cut off before its first line.
                Err(_) if text.trim().is_empty() => {}
                Err(_) => set_aside = Some(journal.set_aside()?),
            }
        }
        match Practice::open(&plan, self.entropy, clock::millis()) {
            Ok(practice) => Ok((practice, set_aside)),
            Err(refusal) => bail!("the table cannot be opened: {:?}", refusal.reason),
        }
    }
}

struct OfflineHost {
    practice: Practice,
    journal: Option<JournalFile>,
    record: Option<PathBuf>,
    stop: Arc<AtomicBool>,
    /// Whether the record of the finished match was written.
    recorded: bool,
}

impl OfflineHost {
    fn serve(
        mut self,
        requests: &Receiver<TransportRequest>,
        on_event: &impl Fn(TransportEvent),
    ) -> Result<()> {
        self.store()?;
        loop {
            let wait = match self.practice.due() {
                Some(Due::Think) => Duration::ZERO,
                Some(Due::Wake { at }) => {
                    Duration::from_millis(at.saturating_sub(clock::millis())).min(MAX_WAIT)
                }
                None => MAX_WAIT,
            };
            let messages = match requests.recv_timeout(wait) {
                Ok(TransportRequest::Send(text)) => self.practice.receive(clock::millis(), &text),
                Ok(TransportRequest::Connect) => {
                    on_event(TransportEvent::Up);
                    Vec::new()
                }
                Ok(TransportRequest::Disconnect) => {
                    on_event(TransportEvent::Lost);
                    Vec::new()
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) if self.practice.due() == Some(Due::Think) => {
                    let (until, stop) = (clock::millis() + MAX_THINK_MILLIS, self.stop.clone());
                    self.practice
                        .think(|| clock::millis() < until && !stop.load(Ordering::Relaxed));
                    Vec::new()
                }
                Err(RecvTimeoutError::Timeout) => self.practice.wake(clock::millis()),
            };
            // Stored before it is shown, so that a resumed match lacks nothing that was seen.
            self.store()?;
            messages.iter().for_each(|text| on_event(TransportEvent::Text(text.to_string())));
        }
    }

    fn store(&mut self) -> Result<()> {
        let update = self.practice.take_journal_update();
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
        let stored = if self.recorded { journal.delete() } else { journal.write(&update) };
        stored.with_context(|| format!("{} cannot be written", journal.path.display()))
    }
}

fn append(path: &Path, text: &str) -> std::io::Result<()> {
    OpenOptions::new().create(true).append(true).open(path)?.write_all(text.as_bytes())
}

/// The journal file of an unfinished match, locked against other windows.
struct JournalFile {
    path: PathBuf,
    /// A lock file beside the journal, held until this is dropped.
    _lock: File,
}

impl JournalFile {
    /// Returns a journal that no other window has locked: one with an unfinished match if there is
    /// one. With `anew` it is the first journal, or else one without a match.
    fn lock_free(first: &Path, anew: bool) -> Result<JournalFile> {
        let others = (2..=MAX_WINDOWS).map(|at| first.with_extension(format!("{at}.journal")));
        let mut paths: Vec<PathBuf> = std::iter::once(first.to_owned()).chain(others).collect();
        paths[usize::from(anew)..].sort_by_key(|path| path.exists() == anew);
        for path in paths {
            if let Some(journal) = JournalFile::lock(path)? {
                return Ok(journal);
            }
        }
        bail!("{MAX_WINDOWS} other windows are playing this game: close one of them first");
    }

    /// Returns `None` if another window holds the lock.
    fn lock(path: PathBuf) -> Result<Option<JournalFile>> {
        let lock_path = path.with_added_extension("lock");
        let lock = OpenOptions::new().create(true).append(true).open(&lock_path);
        let lock = lock.with_context(|| format!("{} cannot be written", lock_path.display()))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => Ok(None),
            // Where files cannot be locked, a second window is unlikely.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(JournalFile { path, _lock: lock })),
        }
    }

    fn write(&self, update: &JournalUpdate) -> std::io::Result<()> {
        if update.lines.is_empty() && !update.replaces {
            return Ok(());
        }
        let mut options = OpenOptions::new();
        options.create(true).append(!update.replaces).truncate(update.replaces).write(true);
        // The journal reveals all cards.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut text = update.lines.join("\n");
        text.push('\n');
        options.open(&self.path)?.write_all(text.as_bytes())
    }

    /// The stored bytes, if there are any.
    fn read(&self) -> Result<Option<Vec<u8>>> {
        match fs::read(&self.path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => {
                Err(error).with_context(|| format!("{} cannot be read", self.path.display()))
            }
        }
    }

    /// Gives the file another name, which no file has, and returns it.
    fn set_aside(&self) -> Result<PathBuf> {
        let first = self.path.with_added_extension("unreadable");
        let others = (2..).map(|number| first.with_added_extension(number.to_string()));
        let mut free = std::iter::once(first.clone()).chain(others).filter(|path| !path.exists());
        let path = free.next().unwrap_or(first);
        fs::rename(&self.path, &path)
            .with_context(|| format!("{} cannot be renamed", self.path.display()))?;
        Ok(path)
    }

    fn delete(&self) -> std::io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use test_support::folder::TempFolder;

    use super::*;

    #[test]
    fn a_journal_that_cannot_be_resumed_is_set_aside() {
        let folder = TempFolder::create();
        let path = folder.file("match-cruce2.journal");
        let offline = Offline {
            plan: "cruce2,easy".into(),
            name: "Ana".into(),
            entropy: [7; 32],
            bots_take: 1,
            journal: Some(path.clone()),
            anew: false,
            record: None,
        };
        let journal = JournalFile::lock_free(&path, false).expect("free");
        let open = || offline.practice(Some(&journal)).expect("a table").1;
        assert_eq!(open(), None, "there is no journal");
        let aside = |name: &str| folder.file(&format!("match-cruce2.journal.{name}"));
        for (content, name) in [
            (b"ghinda practice 99\nof a later version\n".as_slice(), "unreadable"),
            (b"\xff\xfe no text", "unreadable.2"),
        ] {
            fs::write(&path, content).expect("written");
            assert_eq!(open(), Some(aside(name)));
            assert_eq!(fs::read(aside(name)).expect("kept"), content);
            assert!(!path.exists());
        }
        fs::write(&path, "").expect("written");
        assert_eq!(open(), None, "an empty journal holds nothing");
        // What the system does not let us read is not replaced either.
        fs::remove_file(&path).expect("removed");
        fs::create_dir(&path).expect("a folder");
        let error = offline.practice(Some(&journal)).err().expect("refused");
        assert!(error.to_string().contains("cannot be read"), "{error}");
    }

    #[test]
    fn every_window_keeps_a_match_of_its_own() {
        let folder = TempFolder::create();
        let path = folder.file("match-cruce4t.journal");
        let update = |line: &str| JournalUpdate { replaces: true, lines: vec![line.into()] };

        let first = JournalFile::lock_free(&path, false).expect("free");
        assert_eq!(first.path, path);
        first.write(&update("first")).expect("written");
        let second = JournalFile::lock_free(&path, false).expect("free");
        second.write(&update("second")).expect("written");
        assert_eq!(fs::read_to_string(&first.path).expect("stored"), "first\n");

        // A new window resumes the unfinished match: here the second, as the first is over.
        let left = second.path.clone();
        first.delete().expect("deleted");
        drop((first, second));
        assert_eq!(JournalFile::lock_free(&path, false).expect("free").path, left);

        // A new match replaces only the first journal, never that of another match.
        let own = JournalFile::lock_free(&path, true).expect("free");
        assert_eq!(own.path, path);
        let other = JournalFile::lock_free(&path, true).expect("free");
        assert!(!other.path.exists() && other.path != left);
        drop((own, other));

        let free = || JournalFile::lock_free(&path, false);
        let held: Vec<JournalFile> = (0..MAX_WINDOWS).map_while(|_| free().ok()).collect();
        assert_eq!(held.len(), MAX_WINDOWS);
        let refused =
            JournalFile::lock_free(&path, false).err().expect("a tenth window is refused");
        assert!(refused.to_string().contains("other windows"), "{refused}");
    }
}
