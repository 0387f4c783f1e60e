//! A disk that is soon full, for one test of the running program: the test runs once more, alone
//! and in a separate process, where it finds the disk.

use std::path::PathBuf;
use std::process::Command;

use crate::folder::TempFolder;

/// The variable with the path of the disk, for a test started by [`run`].
const DISK: &str = "GHINDA_SMALL_DISK";

/// The path of the disk; `None` in a test that [`run`] has not started, which then does nothing.
pub fn here() -> Option<PathBuf> {
    std::env::var_os(DISK).map(PathBuf::from)
}

/// Runs a test, named with its modules, on an empty disk of this size. The test must pass.
pub fn run(test: &str, megabytes: u32) {
    let folder = TempFolder::create();
    // The disk is mounted in a separate namespace, which needs no root.
    let script = "mount -t tmpfs -o \"size=$1m\" none \"$2\" && \
                  exec \"$3\" --exact \"$4\" --nocapture";
    let ended = Command::new("unshare")
        .args(["--map-root-user", "--mount", "sh", "-c", script, "sh", &megabytes.to_string()])
        .args([folder.path(), &std::env::current_exe().expect("this program")])
        .arg(test)
        .env(DISK, folder.path())
        .output()
        .expect("the program `unshare` of util-linux");
    let output = String::from_utf8_lossy(&ended.stdout);
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{output}\n{errors}");
    assert!(output.contains("1 passed"), "{output}");
}
