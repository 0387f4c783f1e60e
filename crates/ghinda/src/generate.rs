//! `ghinda completions` and `ghinda man`: shell completions and manual pages, made from the code.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::Cli;

/// Print the completions for a shell
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda completions bash > ~/.local/share/bash-completion/completions/ghinda
  ghinda completions zsh > ~/.zfunc/_ghinda
  ghinda completions fish > ~/.config/fish/completions/ghinda.fish

zsh finds the file after fpath+=~/.zfunc, before compinit.")]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl CompletionsArgs {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        // The generator panics if it cannot write, so it writes to memory.
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "ghinda", &mut text);
        Ok(out.write_all(&text)?)
    }
}

/// Print the manual page, or write the pages of all commands
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda man | man -l -                      show it
  ghinda man --into ~/.local/share/man/man1  ghinda(1), ghinda-play(1) and so on")]
pub(crate) struct ManArgs {
    /// Write a page for each command into this folder
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

impl ManArgs {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        let command = Cli::command();
        let Some(folder) = &self.into else {
            return Ok(clap_mangen::Man::new(command).render(out)?);
        };
        let name = folder.display();
        std::fs::create_dir_all(folder).with_context(|| format!("{name} cannot be created"))?;
        clap_mangen::generate_to(command, folder)
            .with_context(|| format!("{name} cannot be written"))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use clap::error::ErrorKind;

    use super::*;

    /// The text below the options in the help of every command.
    fn notes(command: &clap::Command) -> Vec<String> {
        let own = command.get_after_help().map(ToString::to_string);
        own.into_iter().chain(command.get_subcommands().flat_map(notes)).collect()
    }

    /// The address of a database may contain a password.
    #[test]
    fn no_help_shows_the_address_of_a_database() {
        fn check(command: &clap::Command) -> usize {
            let is_database = |arg: &&clap::Arg| arg.get_id() == "database";
            let own = command.get_arguments().filter(is_database).inspect(|arg| {
                let hides = arg.get_env().is_none() || arg.is_hide_env_values_set();
                assert!(hides, "{}", command.get_name());
            });
            own.count() + command.get_subcommands().map(check).sum::<usize>()
        }
        assert!(check(&Cli::command()) >= 8);
    }

    /// A narrow terminal would break the columns of longer examples.
    #[test]
    fn examples_fit_into_eighty_columns() {
        for note in notes(&Cli::command()) {
            for line in note.lines() {
                assert!(phrases::layout::width(line) <= 80, "{line}");
            }
        }
    }

    #[test]
    fn examples_can_be_parsed() {
        // An example that is longer than a line goes on after a backslash, as in a shell.
        let notes = notes(&Cli::command()).join("\n").replace("\\\n", "");
        let lines = notes.lines();
        let lines = lines.filter_map(|line| line.strip_prefix("  "));
        let examples: Vec<&str> = lines.filter(|line| line.starts_with("ghinda")).collect();
        assert!(examples.len() > 50, "{examples:?}");
        for example in examples {
            // Without the explanation and without the part for the shell.
            let command = example.split("  ").next().unwrap_or_default();
            let command = command.split(['|', '<', '>', '&']).next().unwrap_or_default();
            let command = command.replace("LINK", "http://127.0.0.1:8080/t/7rk2m0q9xw");
            let words = command.split('\'').enumerate().flat_map(|(at, part)| match at % 2 {
                0 => part.split_whitespace().collect(),
                _ => vec![part],
            });
            match Cli::try_parse_from(words) {
                Err(error) if error.kind() != ErrorKind::DisplayHelp => panic!("{error}"),
                _ => {}
            }
        }
    }
}
