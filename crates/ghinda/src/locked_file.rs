//! Files that several processes may write: read whole, changed in memory, and replaced at once.
//!
//! A new text is written beside the old one, synchronised to the disk and renamed over it. So the
//! file is always whole: after a crash it holds the old or the new text. A lock on a file beside it
//! makes writers wait for each other.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// A longer file is refused.
const MAX_BYTES: u64 = 256 << 20;

/// A file that no other process changes while the lock is held.
pub(crate) struct LockedFile {
    path: PathBuf,
    /// Held until this is dropped.
    _lock: File,
}

impl LockedFile {
    /// Waits until no other process holds the lock of the file.
    pub(crate) fn new(path: &Path) -> Result<LockedFile> {
        let beside = path.with_added_extension("lock");
        let lock = OpenOptions::new().create(true).append(true).open(&beside);
        let lock = lock.with_context(|| format!("{} cannot be written", beside.display()))?;
        lock.lock().with_context(|| format!("{} cannot be locked", beside.display()))?;
        Ok(LockedFile { path: path.to_owned(), _lock: lock })
    }

    /// The text of the file.
    pub(crate) fn read(&self) -> Result<String> {
        read(&self.path)
    }

    /// Replaces the text of the file, on the disk.
    pub(crate) fn replace(&self, text: &str) -> Result<()> {
        let new = self.path.with_added_extension("new");
        let written = write_through(&new, text).and_then(|()| fs::rename(&new, &self.path));
        if written.is_err() {
            // A partly written file is of no use.
            let _ = fs::remove_file(&new);
        }
        written.with_context(|| {
            format!("{} cannot be written; it is unchanged", self.path.display())
        })?;
        sync_folder(&self.path);
        Ok(())
    }

    /// Writes a file that must not exist yet.
    pub(crate) fn create(&self, text: &str) -> Result<()> {
        if fs::symlink_metadata(&self.path).is_ok() {
            bail!("{} exists already", self.path.display());
        }
        self.replace(text)
    }
}

fn write_through(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// The new name of a file is on the disk only after its folder is synchronised. Where folders
/// cannot be synchronised, the file itself is still whole.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
}

/// The text of a file; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    let name = path.display();
    if path == Path::new("-") {
        std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    } else {
        let file = File::open(path).with_context(|| format!("{name} cannot be opened"))?;
        let all = file.take(MAX_BYTES + 1).read_to_end(&mut bytes);
        all.with_context(|| format!("{name} cannot be read"))?;
    }
    if bytes.len() as u64 > MAX_BYTES {
        bail!("{name} is longer than {} MiB", MAX_BYTES >> 20);
    }
    String::from_utf8(bytes).with_context(|| format!("{name} is not UTF-8 text"))
}

/// Writes a file that only its owner may read.
pub(crate) fn write_secret(path: &Path, text: &str) -> Result<()> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.with_context(|| format!("{} cannot be written", path.display()))
}

/// Removes a file, if it exists.
pub(crate) fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("{} cannot be removed", path.display()))
        }
        _ => Ok(()),
    }
}
