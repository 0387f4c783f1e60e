//! A disk that is soon full, for one test of the program that runs: the test is run once more, by
//! itself and in a process of its own, where it finds the disk.

use std::path::PathBuf;
use std::process::Command;

use crate::folder::Folder;

/// Tells a test that it was started by [`run`], and where the disk is.
const DISK: &str = "GHINDA_SMALL_DISK";

/// Where the disk is. Nothing in a test that [`run`] has not started: it has nothing to do then.
pub fn here() -> Option<PathBuf> {
    std::env::var_os(DISK).map(PathBuf::from)
}

/// Runs a test, named with its modules, on an empty disk of so many megabytes. It must pass.
pub fn run(test: &str, megabytes: u32) {
    let folder = Folder::fresh();
    // A disk that nobody else sees: mounted in a namespace of its own, which needs no root.
    let script = "mount -t tmpfs -o \"size=$1m\" none \"$2\" && \
                  exec \"$3\" --exact \"$4\" --nocapture";
    let ended = Command::new("unshare")
        .args(["--map-root-user", "--mount", "sh", "-c", script, "sh", &megabytes.to_string()])
        .args([folder.path(), &std::env::current_exe().expect("this program")])
        .arg(test)
        .env(DISK, folder.path())
        .output()
        .expect("the program `unshare` of util-linux");
    let told = String::from_utf8_lossy(&ended.stdout);
    let complained = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{told}\n{complained}");
    assert!(told.contains("1 passed"), "{told}");
}
