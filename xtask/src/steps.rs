//! Prints the progress of a chore: a heading before each step, the time after it. A failing program
//! stops the chore.

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

/// Runs one step of a chore under a heading; the error of a failing step names the step.
#[allow(clippy::disallowed_methods, reason = "a chore prints how long it took")]
pub(crate) fn step<T>(title: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("\n== {title}");
    let start = Instant::now();
    let outcome = work();
    let ending = if outcome.is_ok() { "took" } else { "FAILED after" };
    println!("   {ending} {:.1} s", start.elapsed().as_secs_f64());
    outcome.with_context(|| format!("the step \"{title}\" failed"))
}

/// Runs a program with the input and output of this process. It must succeed.
pub(crate) fn succeed(command: &mut Command) -> Result<()> {
    println!("   $ {}", shown(command));
    let status =
        command.status().with_context(|| format!("`{}` could not be started", shown(command)))?;
    if !status.success() {
        bail!("`{}` ended with {status}.", shown(command));
    }
    Ok(())
}

/// The two outputs of a program.
pub(crate) struct Written {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs a program and returns its output. It must succeed.
pub(crate) fn written_by(command: &mut Command) -> Result<Written> {
    let output =
        command.output().with_context(|| format!("`{}` could not be started", shown(command)))?;
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        bail!("`{}` ended with {}:\n{}", shown(command), output.status, stderr.trim_end());
    }
    let stdout = String::from_utf8(output.stdout)
        .with_context(|| format!("`{}` wrote text that is not UTF-8", shown(command)))?;
    Ok(Written { stdout, stderr })
}

/// Whether a program exists and succeeds: the probe for what is installed.
pub(crate) fn works(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Finds `key=VALUE` on a line of its own, the output format of all measured programs.
pub(crate) fn figure(stdout: &str, key: &str) -> Result<f64> {
    let value = stdout.lines().find_map(|line| line.trim().strip_prefix(key)?.strip_prefix('='));
    let value = value.with_context(|| format!("no line `{key}=…` in:\n{stdout}"))?;
    value.parse().with_context(|| format!("`{key}={value}` is not a number"))
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_read_from_its_own_line() {
        assert_eq!(figure("warming up\nmoves=64000\n", "moves").unwrap(), 64000.0);
        assert_eq!(figure("moves_per_second=1.5e6\n", "moves_per_second").unwrap(), 1.5e6);
        assert!(figure("moves_per_second=7\n", "moves").is_err());
        assert!(figure("moves=many\n", "moves").is_err());
    }

    #[test]
    fn a_failing_step_is_named() {
        let error =
            step("count the deck", || -> Result<()> { bail!("a card is missing.") }).unwrap_err();
        assert_eq!(format!("{error:#}"), "the step \"count the deck\" failed: a card is missing.");
    }

    #[test]
    fn commands_are_shown_as_typed() {
        assert_eq!(shown(Command::new("cargo").args(["fmt", "--all"])), "cargo fmt --all");
    }
}
