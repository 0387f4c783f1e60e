//! Instructions per move, counted by valgrind: a figure that does not depend on the load of the
//! machine, and is pinned.
//!
//! Two runs of different lengths are counted and subtracted, so that the start of the program
//! cancels.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::steps::{figure, step, succeed, written_by};
use crate::workspace::Workspace;
use crate::{misuse, setup};

const PINS: &str = "xtask/instructions.txt";
/// Built in a folder of its own, because its flags would make every other build start again.
const BUILT: &str = "instructions";
const NAMES: [&str; 9] = [
    "cruce4-play",
    "cruce4-deal",
    "whist4-play",
    "whist4-deal",
    "cruce2-play",
    "cruce3-play",
    "whist6-play",
    "cruce4-table",
    "whist4-table",
];
/// How often a deal may allocate on a table, where the log keeps the cards; a card never does.
const ALLOCATIONS_PER_DEAL: f64 = 4.0;
const SHORT_DEALS: u32 = 1000;
const LONG_DEALS: u32 = 2000;
/// How far a figure may differ from its pin, as a share of it.
const TOLERANCE: f64 = 0.03;

/// A measured figure, and the compiler that built the code.
#[derive(Debug, PartialEq)]
struct Figure {
    name: String,
    per_move: f64,
    compiler: String,
}

/// The comparison of a new figure with its pin.
#[derive(Clone, Copy, Debug, PartialEq)]
enum PinVerdict {
    Holds,
    Slower,
    Faster,
    OtherCompiler,
}

pub(crate) fn chore(workspace: &Workspace, options: &[&str]) -> Result<ExitCode> {
    match options {
        [] => {
            if let Some(note) = step("instruction counts", || check(workspace))? {
                println!("{note}");
            }
        }
        ["--update"] => step("pin instruction counts", || update(workspace))?,
        _ => return misuse("the only option here is `--update`."),
    }
    Ok(ExitCode::SUCCESS)
}

/// Measures every figure and compares it with its pin.
///
/// Returns a note if another compiler made the pins.
pub(crate) fn check(workspace: &Workspace) -> Result<Option<String>> {
    let text = fs::read_to_string(workspace.root.join(PINS))
        .with_context(|| format!("{PINS} is missing; --update writes it"))?;
    let pins = parse(&text)?;
    let measured = measure(workspace)?;
    let mut verdicts = Vec::new();
    println!("   {:<14}{:>9}{:>9}{:>9}", "per move", "counted", "pinned", "change");
    for new in measured {
        let pin = pins.iter().find(|pin| pin.name == new.name);
        let pin = pin.with_context(|| format!("{} has no pin; --update writes it", new.name))?;
        let verdict = compare(&new, pin);
        let note = match verdict {
            PinVerdict::Holds => "",
            PinVerdict::Slower => "SLOWER",
            PinVerdict::Faster => "faster: re-pin",
            PinVerdict::OtherCompiler => "pinned by another compiler",
        };
        let change = 100.0 * (new.per_move / pin.per_move - 1.0);
        let (name, counted, pinned) = (&new.name, new.per_move, pin.per_move);
        println!("   {name:<14}{counted:>9.1}{pinned:>9.1}{change:>+7.1} %  {note}");
        verdicts.push(verdict);
    }
    check_allocations(workspace)?;
    conclude(&verdicts)
}

fn update(workspace: &Workspace) -> Result<()> {
    let text = written(&measure(workspace)?);
    fs::write(workspace.root.join(PINS), &text).context(PINS)?;
    print!("{text}");
    Ok(())
}

fn measure(workspace: &Workspace) -> Result<Vec<Figure>> {
    setup::packages(&[setup::VALGRIND])?;
    let mut build = workspace.cargo();
    build.args(["build", "--release", "-p", "game", "--example", "playouts"]);
    build.arg("--target-dir").arg(workspace.target.join(BUILT)).env("RUSTFLAGS", flags());
    succeed(&mut build)?;
    let compiler = compiler(&written_by(workspace.command("rustc").arg("-vV"))?.stdout);
    let figure = |name: &str| {
        let per_move = per_move(workspace, name)?;
        Ok(Figure { name: name.to_owned(), per_move, compiler: compiler.clone() })
    };
    NAMES.into_iter().map(figure).collect()
}

/// The flags of the product, but the cipher does not detect processor features: the same program
/// must give the same count everywhere.
fn flags() -> String {
    let cipher = "--cfg chacha20_backend=\"soft\"";
    if cfg!(target_arch = "x86_64") {
        format!("-Ctarget-cpu=x86-64-v2 {cipher}")
    } else {
        cipher.to_owned()
    }
}

/// The compiler and its host, from the output of `rustc -vV`.
fn compiler(output: &str) -> String {
    let version = output.lines().next().unwrap_or_default();
    let host = output.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    format!("{version} {host}")
}

/// Fails if playing cards allocates, by counting the allocations of additional deals.
fn check_allocations(workspace: &Workspace) -> Result<()> {
    for name in NAMES {
        let short = allocations(workspace, name, SHORT_DEALS)?;
        let more = allocations(workspace, name, LONG_DEALS)? - short;
        let per_deal = more / f64::from(LONG_DEALS - SHORT_DEALS);
        let allowed = if name.ends_with("-table") { ALLOCATIONS_PER_DEAL } else { 0.0 };
        if per_deal > allowed {
            bail!("{name} allocates {per_deal} times per deal; {allowed} are allowed.");
        }
    }
    println!(
        "   no card allocates: 0 times per deal in playouts, at most {ALLOCATIONS_PER_DEAL} on a table"
    );
    Ok(())
}

fn allocations(workspace: &Workspace, name: &str, deals: u32) -> Result<f64> {
    let mut valgrind = workspace.command("valgrind");
    valgrind
        .arg("--leak-check=no")
        .arg(workspace.target.join(BUILT).join("release/examples/playouts"));
    let written = written_by(valgrind.args(["count", name, &deals.to_string()]))?;
    allocated(&written.stderr).context("valgrind printed no heap usage")
}

/// Reads `total heap usage: 1,234 allocs` from the output of valgrind.
fn allocated(stderr: &str) -> Option<f64> {
    let usage = stderr.lines().find_map(|line| line.split_once("total heap usage:"))?.1;
    usage.split_whitespace().next()?.replace(',', "").parse().ok()
}

fn per_move(workspace: &Workspace, name: &str) -> Result<f64> {
    let (short_instructions, short_moves) = count(workspace, name, SHORT_DEALS)?;
    let (long_instructions, long_moves) = count(workspace, name, LONG_DEALS)?;
    if long_moves <= short_moves {
        bail!("{name} plays no more moves in {LONG_DEALS} deals than in {SHORT_DEALS}.");
    }
    Ok((long_instructions - short_instructions) / (long_moves - short_moves))
}

/// Instructions and moves of one whole run.
fn count(workspace: &Workspace, name: &str, deals: u32) -> Result<(f64, f64)> {
    let mut valgrind = workspace.command("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    valgrind.arg(workspace.target.join(BUILT).join("release/examples/playouts"));
    let written = written_by(valgrind.args(["count", name, &deals.to_string()]))?;
    let instructions = collected(&written.stderr).context("valgrind printed no total")?;
    Ok((instructions, figure(&written.stdout, "moves")?))
}

/// Reads `==12== Collected : 345` from the output of valgrind.
fn collected(stderr: &str) -> Option<f64> {
    let total = stderr.lines().find_map(|line| line.split_once("== Collected :"))?.1;
    total.trim().parse().ok()
}

fn compare(new: &Figure, pin: &Figure) -> PinVerdict {
    let ratio = new.per_move / pin.per_move;
    if new.compiler != pin.compiler {
        PinVerdict::OtherCompiler
    } else if ratio > 1.0 + TOLERANCE {
        PinVerdict::Slower
    } else if ratio < 1.0 - TOLERANCE {
        PinVerdict::Faster
    } else {
        PinVerdict::Holds
    }
}

/// An improvement fails too: an old pin would hide the next regression.
fn conclude(verdicts: &[PinVerdict]) -> Result<Option<String>> {
    if verdicts.contains(&PinVerdict::Slower) {
        bail!("a figure is more than 3 % above its pin: a regression, or a cost to justify.");
    }
    if verdicts.contains(&PinVerdict::Faster) {
        bail!("a figure is more than 3 % below its pin; re-pin with `--update`.");
    }
    let unjudged =
        "INSTRUCTIONS NOT JUDGED: the pins belong to another compiler (--update re-pins)";
    Ok(verdicts.contains(&PinVerdict::OtherCompiler).then(|| unjudged.to_owned()))
}

fn written(figures: &[Figure]) -> String {
    let mut text = String::from("# name, instructions per move, compiler: ");
    text += "written by `cargo xtask bench-instructions --update`\n";
    for Figure { name, per_move, compiler } in figures {
        text += &format!("{name:<14}{per_move:>8.1}  {compiler}\n");
    }
    text
}

fn parse(text: &str) -> Result<Vec<Figure>> {
    let pins = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    pins.map(|line| pin(line).with_context(|| format!("{PINS}: no pin: `{line}`"))).collect()
}

fn pin(line: &str) -> Option<Figure> {
    let (name, rest) = line.trim().split_once(char::is_whitespace)?;
    let (per_move, compiler) = rest.trim_start().split_once(char::is_whitespace)?;
    let per_move = per_move.parse().ok()?;
    Some(Figure { name: name.to_owned(), per_move, compiler: compiler.trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cruce(per_move: f64, compiler: &str) -> Figure {
        Figure { name: "cruce4-play".to_owned(), per_move, compiler: compiler.to_owned() }
    }

    #[test]
    fn pins_survive_being_written_and_read() {
        let pins = vec![cruce(123.4, "rustc 1.95.0 (59807616e 2026-04-14)")];
        assert_eq!(parse(&written(&pins)).unwrap(), pins);
        assert!(parse("cruce4-play fast rustc\n").is_err());
    }

    #[test]
    fn the_total_is_read_from_the_output_of_valgrind() {
        let output = "==7== Events    : Ir\n==7== Collected : 1525373\n==7== \n";
        assert_eq!(collected(output), Some(1_525_373.0));
        assert_eq!(collected("==7== Command: playouts\n"), None);
    }

    #[test]
    fn a_figure_may_move_three_percent_either_way() {
        let verdict = |per_move, compiler| compare(&cruce(per_move, compiler), &cruce(100.0, "a"));
        assert_eq!(verdict(102.9, "a"), PinVerdict::Holds);
        assert_eq!(verdict(97.1, "a"), PinVerdict::Holds);
        assert_eq!(verdict(103.1, "a"), PinVerdict::Slower);
        assert_eq!(verdict(96.9, "a"), PinVerdict::Faster);
        assert_eq!(verdict(200.0, "b"), PinVerdict::OtherCompiler);
    }

    #[test]
    fn only_another_compiler_is_accepted() {
        assert!(conclude(&[PinVerdict::Holds, PinVerdict::OtherCompiler]).is_ok());
        assert!(conclude(&[PinVerdict::Holds, PinVerdict::Slower]).is_err());
        assert!(conclude(&[PinVerdict::Holds, PinVerdict::Faster]).is_err());
    }
}
