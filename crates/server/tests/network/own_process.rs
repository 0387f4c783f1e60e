//! Tests that measure the memory of their process, and therefore have one of their own.

use std::fs;
use std::process::Command;

/// Set in the process of such a test, to its name.
const NAME: &str = "TEST_IN_OWN_PROCESS";

/// Whether this process is that of a test alone. If not, runs the test in one, which must pass.
pub(crate) fn is_alone(test: &str) -> bool {
    if std::env::var(NAME).is_ok_and(|name| name == test) {
        return true;
    }
    let program = std::env::current_exe().expect("this program");
    let mut alone = Command::new(program);
    let ran = alone.args(["--exact", test]).env(NAME, test).output().expect("it runs");
    let output = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() && output.contains("1 passed"), "{output}");
    false
}

/// The memory that this process has in the machine now, in MiB.
pub(crate) fn resident_mib() -> usize {
    let statm = fs::read_to_string("/proc/self/statm").expect("Linux");
    let pages: usize =
        statm.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("a number");
    // A page has 4 KiB, or more on some machines, where less is measured.
    pages / 256
}

/// The most memory that this process has had, in MiB.
pub(crate) fn most_resident_mib() -> usize {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the line");
    most.trim().trim_end_matches(" kB").parse::<usize>().expect("a number") / 1024
}
