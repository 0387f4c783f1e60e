//! `ghinda rules`: explains a rules code.

use std::io::Write;

use anyhow::{Context, Result};
use game::Rules;
use phrases::{Language, Phrases};

/// Explain a rules code or a preset, in English or Romanian
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ghinda rules                       the presets, and how a code is written
  ghinda rules classic               Cruce as most tables play it
  ghinda rules cruce3-15-redeal      Cruce for three, to 15; redeal if all pass
  ghinda rules whist5-818 --lang ro  whist for five, from 8 down to 1")]
pub(crate) struct ExplainArgs {
    /// A rules code such as cruce4t-21, or a preset: classic, contest, whist
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

impl ExplainArgs {
    pub(crate) fn run(&self, language: Language, out: &mut impl Write) -> Result<()> {
        let phrases = Phrases::new(language);
        let text = match &self.code {
            None => phrases.presets(),
            Some(code) => phrases.rules(&read(code)?),
        };
        Ok(writeln!(out, "{}", text.trim_end())?)
    }
}

/// The rules of a code that the user typed.
pub(crate) fn read(code: &str) -> Result<Rules> {
    Rules::from_code(code).context("the rules code is not valid")
}
