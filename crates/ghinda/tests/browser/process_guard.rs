//! Ends all processes of the tests, however the tests end.
//!
//! A shell waits for the end of its input, which comes at the latest when this program ends. Then
//! it kills every process that was added and removes their shared folder.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, OnceLock};

/// A process id may have been reused by now; the command lines of all added processes name the
/// folder.
const SCRIPT: &str = r#"
trap '' INT TERM HUP
while read -r pid; do pids="$pids $pid"; done
for pid in $pids; do
  if grep -qaF -- "$1" "/proc/$pid/cmdline" 2>/dev/null; then kill -9 "$pid"; fi
done
rm -rf "$1" || { sleep 1; rm -rf "$1"; }
"#;

pub(crate) struct ProcessGuard {
    folder: PathBuf,
    shell: Mutex<Child>,
}

impl ProcessGuard {
    /// The guard of this program.
    pub(crate) fn shared() -> &'static ProcessGuard {
        static SHARED: OnceLock<ProcessGuard> = OnceLock::new();
        SHARED.get_or_init(ProcessGuard::start)
    }

    fn start() -> ProcessGuard {
        let name = format!("ghinda-browser-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).expect("a folder among the temporary files");
        let mut shell = Command::new("sh");
        shell.args(["-c", SCRIPT, "process-guard"]).arg(&folder).current_dir("/");
        // Not the output of the tests: its reader would wait for the shell too.
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        ProcessGuard { folder, shell: Mutex::new(shell.spawn().expect("a shell")) }
    }

    /// The folder for all files of these tests.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds a process whose command line names the folder.
    pub(crate) fn add(&self, process: u64) {
        let mut shell = self.shell.lock().expect("no panic holds the lock");
        let input = shell.stdin.as_mut().expect("an open pipe");
        writeln!(input, "{process}").expect("the shell runs");
    }
}
