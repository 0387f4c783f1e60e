//! `ghinda completions` and `ghinda man`: what shells and man want, made from the code.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::Cli;

/// Print the completions of a shell
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda completions bash > ~/.local/share/bash-completion/completions/ghinda
  ghinda completions zsh > ~/.zfunc/_ghinda
  ghinda completions fish > ~/.config/fish/completions/ghinda.fish

zsh finds it after fpath+=~/.zfunc, before compinit.")]
pub(crate) struct Completions {
    /// Which shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        // The generator cannot fail politely, so it writes to memory.
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "ghinda", &mut text);
        Ok(out.write_all(&text)?)
    }
}

/// Print the manual page, or write those of all commands
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda man | man -l -                      read it now
  ghinda man --into ~/.local/share/man/man1  ghinda(1), ghinda-play(1) and so on")]
pub(crate) struct Man {
    /// Write a page for each command into this folder
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        let command = Cli::command();
        let Some(folder) = &self.into else {
            return Ok(clap_mangen::Man::new(command).render(out)?);
        };
        let name = folder.display();
        std::fs::create_dir_all(folder).with_context(|| format!("{name} cannot be made"))?;
        clap_mangen::generate_to(command, folder)
            .with_context(|| format!("{name} cannot be written"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Examples stand in columns: a terminal that broke them would tear them apart.
    fn check(command: &clap::Command) {
        let more = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        for line in more.lines() {
            assert!(client::layout::width(line) <= 80, "{}: {line}", command.get_name());
        }
        command.get_subcommands().for_each(check);
    }

    #[test]
    fn examples_fit_into_eighty_columns() {
        check(&Cli::command());
    }
}
