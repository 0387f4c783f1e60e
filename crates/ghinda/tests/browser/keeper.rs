//! No process survives the test that started it, however that ends.
//!
//! A shell waits for the end of its input, which comes at the latest when this program ends, and
//! then ends every process it was told of and removes the folder that they share.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, OnceLock};

/// A number may belong to somebody else by now; our processes all name the folder.
const SCRIPT: &str = r#"
trap '' INT TERM HUP
while read -r pid; do pids="$pids $pid"; done
for pid in $pids; do
  if grep -qaF -- "$1" "/proc/$pid/cmdline" 2>/dev/null; then kill -9 "$pid"; fi
done
rm -rf "$1" || { sleep 1; rm -rf "$1"; }
"#;

pub(crate) struct Keeper {
    folder: PathBuf,
    shell: Mutex<Child>,
}

impl Keeper {
    /// The keeper of this program.
    pub(crate) fn shared() -> &'static Keeper {
        static SHARED: OnceLock<Keeper> = OnceLock::new();
        SHARED.get_or_init(Keeper::start)
    }

    fn start() -> Keeper {
        let name = format!("ghinda-browser-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).expect("a folder among the temporary files");
        let mut shell = Command::new("sh");
        shell.args(["-c", SCRIPT, "keeper"]).arg(&folder).current_dir("/");
        // Not our output: whoever reads it would wait for the keeper too.
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        Keeper { folder, shell: Mutex::new(shell.spawn().expect("a shell")) }
    }

    /// Where everything of these tests lies.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Tells it of a process whose command line names the folder.
    pub(crate) fn watch(&self, process: u64) {
        let mut shell = self.shell.lock().expect("nobody panics with it");
        let input = shell.stdin.as_mut().expect("it is open");
        writeln!(input, "{process}").expect("the keeper lives");
    }
}
