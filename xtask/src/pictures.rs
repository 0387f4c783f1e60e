//! The pictures of the documents, made from the real output of the program.

use std::fmt::Write;
use std::fs;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::no_options;
use crate::steps::{step, succeed, written_by};
use crate::workspace::Workspace;

const FOLDER: &str = "docs/pictures";
/// The first deal and a half: enough to show the text of a match.
const LINES: usize = 32;
const COLUMNS: usize = 80;
const LINE_HEIGHT: usize = 20;
const CHARACTER_WIDTH: f64 = 8.43;
const MARGIN: usize = 20;

pub(crate) fn chore(workspace: &Workspace, options: &[&str]) -> Result<ExitCode> {
    no_options(options)?;
    step("draw the pictures", || draw(workspace))?;
    Ok(ExitCode::SUCCESS)
}

fn draw(workspace: &Workspace) -> Result<()> {
    succeed(workspace.cargo().args(["build", "--release", "-p", "ghinda"]))?;
    let mut ghinda = Command::new(workspace.release("ghinda"));
    let story = written_by(ghinda.args(["simulate", "--seed", "acorn", "--lang", "en"]))?.stdout;
    let folder = workspace.root.join(FOLDER);
    fs::create_dir_all(&folder).context(FOLDER)?;
    let picture = terminal(story.lines().take(LINES));
    fs::write(folder.join("story.svg"), picture).context("story.svg")
}

/// Lines of text as a picture in a monospaced font.
fn terminal<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    let mut height = MARGIN;
    for line in lines {
        height += LINE_HEIGHT;
        let escaped = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let ink = if line.starts_with('─') || !line.starts_with(' ') { "head" } else { "text" };
        let length = line.chars().count() as f64 * CHARACTER_WIDTH;
        // The text length keeps the columns straight in any font.
        let _ = writeln!(
            text,
            "<text x=\"{MARGIN}\" y=\"{height}\" class=\"{ink}\" xml:space=\"preserve\" \
             textLength=\"{length:.1}\">{escaped}</text>"
        );
    }
    let height = height + MARGIN;
    let width = (COLUMNS as f64 * CHARACTER_WIDTH) as usize + 2 * MARGIN;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n\
         <style>text {{ font: 14px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace }} \
         .text {{ fill: #2b2a27 }} .head {{ fill: #8a5a1c; font-weight: bold }}</style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"10\" fill=\"#fbf7ee\" stroke=\"#d8cdb8\"/>\n\
         {text}</svg>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_the_sheet_is_as_high_as_the_text() {
        let picture = terminal(["Ana & Călin", "  a < b"].into_iter());
        assert!(picture.contains("Ana &amp; Călin") && picture.contains("a &lt; b"));
        assert!(picture.contains("height=\"80\""), "{picture}");
    }
}
