//! The phrases in the language of the settings. Their file is an asset of the page.

use std::sync::Arc;

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use phrases::{Language, Phrases};

use crate::api;
use crate::app::asset;
use crate::settings::{Faces, Settings};

/// The phrases, which change with the language.
pub(crate) type PhraseSignal = Memo<SharedPhrases>;

/// Phrases that can be compared, so that nothing is drawn again while the language stays.
#[derive(Clone)]
pub(crate) struct SharedPhrases(Arc<Phrases>);

impl PartialEq for SharedPhrases {
    fn eq(&self, other: &SharedPhrases) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl std::ops::Deref for SharedPhrases {
    type Target = Phrases;

    fn deref(&self) -> &Phrases {
        &self.0
    }
}

/// A language and its phrase file; None before it is loaded.
pub(crate) type PhraseSource = RwSignal<Option<(Language, String)>>;

/// The delay before phrases are requested again.
const AGAIN_MS: u32 = 2_000;

/// Loads the phrases of the language of the settings, and others when it changes. Until they arrive
/// the page stays in the previous language.
pub(crate) fn fetch(settings: RwSignal<Settings>) -> PhraseSource {
    let source: PhraseSource = RwSignal::new(None);
    let wanted = Memo::new(move |_| settings.with(|settings| settings.language));
    Effect::new(move |_| {
        let language = wanted.get();
        spawn_local(async move {
            let address = asset(&format!("phrases.{language}")).unwrap_or_default();
            while wanted.try_get_untracked() == Some(language) {
                if let Ok(text) = api::text(&address).await {
                    source.try_set(Some((language, text)));
                    return;
                }
                TimeoutFuture::new(AGAIN_MS).await;
            }
        });
    });
    source
}

/// The phrases, with the names of the cards of the chosen faces.
pub(crate) fn provide(settings: RwSignal<Settings>, source: PhraseSource) -> PhraseSignal {
    let faces = Memo::new(move |_| settings.with(|settings| settings.faces));
    let phrases = Memo::new(move |_| {
        let (language, text) = source.get().unwrap_or_default();
        let phrases = Phrases::from_source(language, text);
        SharedPhrases(Arc::new(match faces.get() {
            Faces::German => phrases,
            Faces::French => phrases.with_french_cards(),
        }))
    });
    provide_context(phrases);
    phrases
}

/// The phrases in a component.
pub(crate) fn use_phrases() -> PhraseSignal {
    expect_context()
}

/// A phrase that changes with the language: `t!(phrases, home)`. It is a signal and not a closure, so
/// that all phrases have one type and share the compiled code that shows them.
macro_rules! t {
    ($phrases:expr, $name:ident $(, $value:expr)*) => {{
        let phrases = $phrases;
        leptos::prelude::Signal::derive(move || phrases.with(|phrases| phrases.$name($($value),*)))
    }};
}

pub(crate) use t;
