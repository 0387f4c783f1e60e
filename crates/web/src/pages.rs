//! The places besides the table.

mod friends;
mod home;
mod lobby;
mod nowhere;
mod rules;
mod settings;

pub(crate) use friends::Friends;
pub(crate) use home::{Home, own_name as home_name};
pub(crate) use lobby::LobbyPage;
pub(crate) use nowhere::Nowhere;
pub(crate) use rules::RulesPage;
pub(crate) use settings::SettingsPage;

use leptos::prelude::*;

use crate::api::Trouble;
use crate::text::{Words, words};

/// A trouble in a sentence.
pub(crate) fn trouble(words: Words, trouble: Trouble) -> String {
    words.with(|phrases| match trouble {
        Trouble::Unreachable => phrases.trouble_unreachable(),
        Trouble::Gone => phrases.trouble_gone(),
        Trouble::Forbidden => phrases.trouble_forbidden(),
        Trouble::TooMany => phrases.trouble_too_many(),
        Trouble::Unwell => phrases.trouble_unwell(),
    })
}

/// Says what went wrong, where it did.
#[component]
pub(crate) fn Alert(trouble_now: RwSignal<Option<Trouble>>) -> impl IntoView {
    let words = words();
    view! {
        <p class="alert" role="alert" hidden=move || trouble_now.get().is_none()>
            {move || trouble_now.get().map(|now| trouble(words, now))}
        </p>
    }
}

/// One of a few values, as a row of buttons of which one is pressed.
#[component]
pub(crate) fn Segments<T>(
    /// What the row is for.
    label: Signal<String>,
    /// The values with their words.
    values: Vec<(T, Signal<String>)>,
    /// The value that is chosen.
    #[prop(into)]
    value: Signal<T>,
    /// Chooses another.
    choose: impl Fn(T) + Copy + Send + Sync + 'static,
) -> impl IntoView
where
    T: Copy + PartialEq + Send + Sync + 'static,
{
    let buttons = values.into_iter().map(|(one, word)| {
        view! {
            <button
                type="button"
                role="radio"
                aria-checked=move || if value.get() == one { "true" } else { "false" }
                on:click=move |_| choose(one)
            >
                {move || word.get()}
            </button>
        }
    });
    view! {
        <div class="segments" role="radiogroup" aria-label=move || label.get()>
            {buttons.collect_view()}
        </div>
    }
}

/// A phrase as a signal.
macro_rules! phrase {
    ($words:expr, $name:ident $(, $value:expr)*) => {
        $crate::text::t!($words, $name $(, $value)*)
    };
}

pub(crate) use phrase;
