//! Folders that are removed after the test.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A temporary folder, removed with its contents when this is dropped.
pub struct TempFolder(PathBuf);

impl TempFolder {
    /// Creates an empty folder.
    pub fn create() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("ghinda-test-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // Left over if an earlier program had the same process id and was killed.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("a temporary folder");
        Self(path)
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The path of a file in it, which need not exist.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
