//! Folders that are gone after the test.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder among the temporary files, removed with all that is in it when this is dropped.
pub struct Folder(PathBuf);

impl Folder {
    /// A new and empty one.
    pub fn fresh() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("ghinda-test-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // Left over when an earlier program had the same number and was killed.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("a folder among the temporary files");
        Self(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Where a file of that name is in it, or will be.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
