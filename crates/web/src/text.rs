//! Words: every sentence comes from `client`, in the language of the settings.

use std::sync::Arc;

use client::{Language, Phrases};
use leptos::prelude::*;

use crate::settings::{Faces, Settings};

/// The phrases, which change with the language.
pub(crate) type Words = Memo<Spoken>;

/// Phrases that can be compared, so that nothing is said anew while the language stays.
#[derive(Clone)]
pub(crate) struct Spoken(Arc<Phrases>);

impl PartialEq for Spoken {
    fn eq(&self, other: &Spoken) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl std::ops::Deref for Spoken {
    type Target = Phrases;

    fn deref(&self) -> &Phrases {
        &self.0
    }
}

/// The phrases of the settings.
pub(crate) fn provide(settings: RwSignal<Settings>) -> Words {
    let wanted: Memo<(Language, Faces)> =
        Memo::new(move |_| settings.with(|settings| (settings.language, settings.faces)));
    let words = Memo::new(move |_| {
        let (language, faces) = wanted.get();
        let phrases = Phrases::new(language);
        Spoken(Arc::new(match faces {
            Faces::German => phrases,
            Faces::French => phrases.with_french_cards(),
        }))
    });
    provide_context(words);
    words
}

/// The phrases in a component.
pub(crate) fn words() -> Words {
    expect_context()
}

/// A phrase that changes with the language: `t!(words, home)`. A signal rather than a closure: one
/// type for all phrases is one way to show them in the compiled page.
macro_rules! t {
    ($words:expr, $name:ident $(, $value:expr)*) => {{
        let words = $words;
        leptos::prelude::Signal::derive(move || words.with(|phrases| phrases.$name($($value),*)))
    }};
}

pub(crate) use t;
