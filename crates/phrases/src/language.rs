//! The languages of the phrases.

use core::fmt;
use core::str::FromStr;

use thiserror::Error;
use unic_langid::LanguageIdentifier;

/// A language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Romanian.
    Romanian,
}

/// A name that is not the code of a language.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown language \"{found}\"; use en or ro")]
pub struct NoSuchLanguage {
    /// The name, shortened.
    pub found: String,
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 2] = [Language::English, Language::Romanian];

    /// Its two-letter code.
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Romanian => "ro",
        }
    }

    /// Its name in the language itself.
    pub const fn own_name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::Romanian => "Română",
        }
    }

    /// The language of a locale such as `ro_RO.UTF-8`, `ro-MD` or `C`: English unless the locale is
    /// Romanian.
    pub fn of_locale(locale: &str) -> Language {
        let code = locale.trim().split(['_', '-', '.', '@']).next().unwrap_or_default();
        code.parse().unwrap_or_default()
    }

    pub(crate) fn identifier(self) -> LanguageIdentifier {
        // Both codes are language tags, so the default is never used.
        self.code().parse().unwrap_or_default()
    }
}

impl FromStr for Language {
    type Err = NoSuchLanguage;

    fn from_str(name: &str) -> Result<Language, NoSuchLanguage> {
        let has_code = |language: &Language| language.code().eq_ignore_ascii_case(name);
        Language::ALL
            .into_iter()
            .find(has_code)
            .ok_or_else(|| NoSuchLanguage { found: name.chars().take(20).collect() })
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_parsed_from_its_code() {
        for language in Language::ALL {
            assert_eq!(language.to_string().parse(), Ok(language));
            assert_eq!(language.identifier().to_string(), language.code());
        }
        assert_eq!("RO".parse(), Ok(Language::Romanian));
        assert!("română".parse::<Language>().is_err());
    }

    #[test]
    fn a_locale_selects_the_language() {
        for locale in ["ro_RO.UTF-8", "ro-RO", "ro", "ro_MD", "RO_ro@euro", " ro_RO "] {
            assert_eq!(Language::of_locale(locale), Language::Romanian, "{locale}");
        }
        for locale in ["en_GB.UTF-8", "C", "POSIX", "", "de_DE", "roa_XX", "C.UTF-8"] {
            assert_eq!(Language::of_locale(locale), Language::English, "{locale}");
        }
    }
}
