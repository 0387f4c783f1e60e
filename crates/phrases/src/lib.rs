//! Every sentence that users read, in Romanian and in English.
//!
//! The sentences are in `texts/en.ftl` and `texts/ro.ftl`, in Fluent's syntax. This crate fills in the
//! typed values of the game. No other crate contains a sentence for users.
//!
//! [`layout`] wraps and aligns plain text, [`card_text`] draws cards in it, and [`text_rows`]
//! writes hands, tricks and bids in rows.
//!
//! ```
//! use game::{Illegal, Rules};
//! use phrases::{Language, Phrases};
//!
//! let rules = Rules::from_code("classic").unwrap();
//! let phrases = Phrases::new(Language::of_locale("ro_RO.UTF-8"));
//! let sentence = phrases.refusal(&Illegal::BidTooLow { highest: 2 }, &rules);
//! assert_eq!(sentence, "S-a zis deja două: ori zici mai mult, ori zici pas (C6).");
//! ```

pub mod card_text;
mod cards;
mod contest;
pub mod language;
pub mod layout;
mod messages;
mod refusals;
mod room;
mod rules;
mod table;
pub mod text_rows;

use core::fmt;

use ::cards::{Pack, Rank};
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use game::Rules;

pub use self::cards::{face, sorted};
pub use self::language::Language;

/// All sentences in one language.
pub struct Phrases {
    language: Language,
    /// Whether the cards of every game have their French names.
    french: bool,
    bundle: FluentBundle<FluentResource>,
}

impl fmt::Debug for Phrases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Phrases").field("language", &self.language).finish_non_exhaustive()
    }
}

impl Phrases {
    /// The sentences in this language.
    pub fn new(language: Language) -> Phrases {
        Phrases::from_source(language, source(language).into())
    }

    /// The sentences of a phrase file that the caller supplies: the page downloads one language and
    /// does not contain both.
    pub fn from_source(language: Language, source: String) -> Phrases {
        let mut bundle = FluentBundle::new_concurrent(vec![language.identifier()]);
        // Isolation marks around variables would break columns and searches, and both languages
        // run from left to right.
        bundle.set_use_isolating(false);
        // Entries that can be parsed are used; the tests ensure that all of them can.
        let resource = FluentResource::try_new(source).unwrap_or_else(|(parsed, _)| parsed);
        bundle.add_resource_overriding(resource);
        let added = bundle.add_function("FORM", move |values, _| match values {
            [FluentValue::Number(count)] => plural_form(language, count.value).into(),
            _ => FluentValue::Error,
        });
        debug_assert!(added.is_ok(), "the name is free in a new bundle");
        Phrases { language, french: false, bundle }
    }

    /// The same for a user who plays Cruce with French cards: the IV of bells is named king of clubs.
    #[must_use]
    pub fn with_french_cards(self) -> Phrases {
        Phrases { french: true, ..self }
    }

    /// The pack whose names are used for the cards of `pack`.
    pub fn displayed_pack(&self, pack: Pack) -> Pack {
        if self.french { Pack::FrenchFrom(Rank::Nine) } else { pack }
    }

    /// The language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The text of a message with its variables filled in.
    fn format(&self, name: &str, variables: &FluentArgs<'_>) -> String {
        let message = self.bundle.get_message(name).and_then(|message| message.value());
        debug_assert!(message.is_some(), "{name} is not in {}.ftl", self.language);
        // The name is a fallback; the tests ensure that no message is missing.
        let Some(pattern) = message else { return name.into() };
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(pattern, Some(variables), &mut errors);
        debug_assert!(errors.is_empty(), "{name} in {}.ftl: {errors:?}", self.language);
        text.into_owned()
    }

    /// A list with "and": `a, b and c`.
    pub fn list_and(&self, things: &[String]) -> String {
        join(things, |first, last| self.and(first, last))
    }

    /// A list with "or": `a, b or c`.
    pub fn list_or(&self, things: &[String]) -> String {
        join(things, |first, last| self.or(first, last))
    }
}

fn join(things: &[String], link: impl Fn(String, String) -> String) -> String {
    match things {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => link(first.join(", "), last.clone()),
    }
}

/// The plural category of a whole number: `one`, `few` or `other`.
///
/// The plural rules of Fluent return `other` for 102, because intl_pluralrules 7 does not reduce the
/// number to its last two digits. The phrase files call this function wherever a number can exceed 100.
fn plural_form(language: Language, count: f64) -> &'static str {
    match (language, count) {
        (_, 1.0) => "one",
        (Language::Romanian, 0.0) => "few",
        (Language::Romanian, _) if (1.0..20.0).contains(&(count % 100.0)) => "few",
        _ => "other",
    }
}

/// The text of a language's phrase file.
const fn source(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("../texts/en.ftl"),
        Language::Romanian => include_str!("../texts/ro.ftl"),
    }
}

/// The word that identifies a game in messages.
pub const fn game_word(rules: &Rules) -> &'static str {
    match rules {
        Rules::Cruce(_) => "cruce",
        Rules::Whist(_) => "whist",
    }
}

#[cfg(test)]
mod tests;
