//! The page before the program has loaded: its texts are phrases in every language side by side,
//! and the style sheet shows one.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use fluent_bundle::{FluentArgs, FluentBundle, FluentResource};

/// A language and its phrases.
type LanguageBundle = (&'static str, FluentBundle<FluentResource>);

const LANGUAGES: [&str; 2] = ["ro", "en"];

/// The phrases of all languages.
pub(crate) struct ShellPhrases(Vec<LanguageBundle>);

impl ShellPhrases {
    pub(crate) fn read(folder: &Path) -> Result<ShellPhrases> {
        let read = |language: &'static str| -> Result<LanguageBundle> {
            let path = folder.join(format!("{language}.ftl"));
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            let resource = FluentResource::try_new(text)
                .map_err(|(_, faults)| anyhow::anyhow!("{}: {faults:?}", path.display()))?;
            let mut bundle = FluentBundle::new(vec![language.parse()?]);
            bundle.set_use_isolating(false);
            bundle.add_resource_overriding(resource);
            Ok((language, bundle))
        };
        Ok(ShellPhrases(LANGUAGES.into_iter().map(read).collect::<Result<_>>()?))
    }

    /// The page with `{{play_now}}` and `{{home_players count=3}}` replaced by these phrases.
    pub(crate) fn fill(&self, page: &str) -> Result<String> {
        let mut pieces = page.split("{{");
        let mut filled = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (placeholder, rest) = piece.split_once("}}").context("{{ without }}")?;
            filled.push_str(
                &self.phrase(placeholder).with_context(|| format!("{{{{{placeholder}}}}}"))?,
            );
            filled.push_str(rest);
        }
        Ok(filled)
    }

    /// A phrase in all languages, or one text if they agree.
    fn phrase(&self, placeholder: &str) -> Result<String> {
        let mut words = placeholder.split(' ');
        let name = words.next().unwrap_or_default();
        let mut values = FluentArgs::new();
        for word in words {
            let (name, value) = word.split_once('=').context("a value without a name")?;
            match value.parse::<f64>() {
                Ok(number) => values.set(name, number),
                Err(_) => values.set(name, value),
            }
        }
        let mut texts = Vec::new();
        for (language, bundle) in &self.0 {
            let message = bundle.get_message(name).and_then(|message| message.value());
            let message = message.with_context(|| format!("not in {language}.ftl"))?;
            let mut errors = Vec::new();
            let text = bundle.format_pattern(message, Some(&values), &mut errors).into_owned();
            if !errors.is_empty() || text.contains(['<', '&']) {
                bail!("{text:?} in {language}.ftl: {errors:?}");
            }
            texts.push((*language, text));
        }
        if texts.iter().all(|(_, text)| *text == texts[0].1) {
            return Ok(texts.swap_remove(0).1);
        }
        let spans =
            texts.iter().map(|(language, text)| format!("<span lang=\"{language}\">{text}</span>"));
        Ok(spans.collect())
    }
}
