//! The page before any program has come: its texts are phrases of `client`, in every language side
//! by side, of which the style sheet shows one.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use fluent_bundle::{FluentArgs, FluentBundle, FluentResource};

/// A language and its phrases.
type Tongue = (&'static str, FluentBundle<FluentResource>);

const LANGUAGES: [&str; 2] = ["ro", "en"];

/// Phrase files, read.
pub(crate) struct Phrases(Vec<Tongue>);

impl Phrases {
    pub(crate) fn read(folder: &Path) -> Result<Phrases> {
        let read = |language: &'static str| -> Result<Tongue> {
            let path = folder.join(format!("{language}.ftl"));
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            let resource = FluentResource::try_new(text)
                .map_err(|(_, faults)| anyhow::anyhow!("{}: {faults:?}", path.display()))?;
            let mut bundle = FluentBundle::new(vec![language.parse()?]);
            bundle.set_use_isolating(false);
            bundle.add_resource_overriding(resource);
            Ok((language, bundle))
        };
        Ok(Phrases(LANGUAGES.into_iter().map(read).collect::<Result<_>>()?))
    }

    /// The page with `{{play_now}}` and `{{home_players count=3}}` replaced by what they say.
    pub(crate) fn fill(&self, page: &str) -> Result<String> {
        let mut pieces = page.split("{{");
        let mut filled = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (asked, rest) = piece.split_once("}}").context("{{ without }}")?;
            filled.push_str(&self.say(asked).with_context(|| format!("{{{{{asked}}}}}"))?);
            filled.push_str(rest);
        }
        Ok(filled)
    }

    /// A phrase in all languages; once where they agree.
    fn say(&self, asked: &str) -> Result<String> {
        let mut words = asked.split(' ');
        let name = words.next().unwrap_or_default();
        let mut values = FluentArgs::new();
        for word in words {
            let (name, value) = word.split_once('=').context("a value without a name")?;
            match value.parse::<f64>() {
                Ok(number) => values.set(name, number),
                Err(_) => values.set(name, value),
            }
        }
        let mut said = Vec::new();
        for (language, bundle) in &self.0 {
            let message = bundle.get_message(name).and_then(|message| message.value());
            let message = message.with_context(|| format!("not in {language}.ftl"))?;
            let mut errors = Vec::new();
            let text = bundle.format_pattern(message, Some(&values), &mut errors).into_owned();
            if !errors.is_empty() || text.contains(['<', '&']) {
                bail!("{text:?} in {language}.ftl: {errors:?}");
            }
            said.push((*language, text));
        }
        if said.iter().all(|(_, text)| *text == said[0].1) {
            return Ok(said.swap_remove(0).1);
        }
        let spans =
            said.iter().map(|(language, text)| format!("<span lang=\"{language}\">{text}</span>"));
        Ok(spans.collect())
    }
}
