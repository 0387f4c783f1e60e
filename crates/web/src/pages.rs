//! The places besides the table.

mod friends;
mod house;
mod learn;
mod lobby;
mod mine;
mod nowhere;
mod play;
mod replay;
mod rules;
mod settings;
mod shared;
mod sheet;
mod sheets;

pub(crate) use friends::{Friends, seats_of_cruce, seats_of_whist};
pub(crate) use house::HouseRules;
pub(crate) use learn::LearnPage;
pub(crate) use lobby::LobbyPage;
pub(crate) use mine::MinePage;
pub(crate) use nowhere::Nowhere;
pub(crate) use play::{PlayPage, USUAL, choose_level, level, levels, own_name, plan_of};
pub(crate) use replay::ReplayPage;
pub(crate) use rules::RulesPage;
pub(crate) use settings::SettingsPage;
pub(crate) use shared::SharedPage;
pub(crate) use sheet::SheetPage;
pub(crate) use sheets::SheetsPage;

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::ApiError;
use crate::icon::{Drawn, Icon};
use crate::navigator;
use crate::roving_focus::{rove, tab_stop};
use crate::text::{Words, use_words};

/// A trouble in a sentence.
pub(crate) fn trouble(words: Words, trouble: ApiError) -> String {
    words.with(|phrases| match trouble {
        ApiError::Unreachable => phrases.trouble_unreachable(),
        ApiError::Gone => phrases.trouble_gone(),
        ApiError::Forbidden => phrases.trouble_forbidden(),
        ApiError::TooMany => phrases.trouble_too_many(),
        ApiError::Unwell => phrases.trouble_unwell(),
    })
}

/// Says what went wrong, where it did.
#[component]
pub(crate) fn Alert(trouble_now: RwSignal<Option<ApiError>>) -> impl IntoView {
    let words = use_words();
    view! {
        <p class="alert" role="alert" hidden=move || trouble_now.get().is_none()>
            {move || trouble_now.get().map(|now| trouble(words, now))}
        </p>
    }
}

/// One of a few values, as a titled row of buttons of which one is pressed.
#[component]
pub(crate) fn Choice<T>(
    /// What is chosen.
    title: Signal<String>,
    /// The values with their words.
    values: Vec<(T, Signal<String>)>,
    /// The value that is chosen.
    #[prop(into)]
    value: Signal<T>,
    /// Chooses another.
    choose: impl Fn(T) + Copy + Send + Sync + 'static,
    /// Whether arrows only lead from one to the next, because what is chosen is done at once.
    #[prop(optional)]
    at_once: bool,
) -> impl IntoView
where
    T: Copy + PartialEq + Send + Sync + 'static,
{
    let (values, words): (Vec<T>, Vec<Signal<String>>) = values.into_iter().unzip();
    let known = values.clone();
    let chosen = Signal::derive(move || known.iter().position(|one| *one == value.get()));
    let choose = Callback::new(move |at: usize| choose(values[at]));
    view! { <Buttons title words chosen choose at_once /> }
}

/// The row itself, which knows its values by their places: one piece of code for all types.
#[component]
fn Buttons(
    title: Signal<String>,
    words: Vec<Signal<String>>,
    chosen: Signal<Option<usize>>,
    choose: Callback<usize>,
    at_once: bool,
) -> impl IntoView {
    // Where nothing is chosen yet, the tab key stops at the first.
    let at = move || chosen.get().unwrap_or_default();
    let pressed = move |event: KeyboardEvent| {
        if let Some(next) = rove(&event).filter(|_| !at_once) {
            choose.run(next);
        }
    };
    let buttons = words.into_iter().enumerate().map(|(place, word)| {
        view! {
            <button
                type="button"
                role="radio"
                tabindex=move || tab_stop(at() == place)
                aria-checked=move || if chosen.get() == Some(place) { "true" } else { "false" }
                on:click=move |_| choose.run(place)
            >
                {word}
            </button>
        }
    });
    view! {
        <fieldset>
            <legend>{title}</legend>
            <div class="segments" role="radiogroup" aria-label=title on:keydown=pressed>
                {buttons.collect_view()}
            </div>
        </fieldset>
    }
}

/// A field of a form that must be filled in.
#[component]
pub(crate) fn Field(
    label: Signal<String>,
    value: RwSignal<String>,
    id: &'static str,
    /// `text` or `password`.
    #[prop(optional)]
    kind: Option<&'static str>,
    /// How many letters it takes at least and at most.
    letters: (u32, u32),
    /// What the browser may fill it with.
    autocomplete: &'static str,
) -> impl IntoView {
    view! {
        <label>
            <span>{label}</span>
            <input
                type=kind.unwrap_or("text")
                id=id
                required
                minlength=letters.0.to_string()
                maxlength=letters.1.to_string()
                autocomplete=autocomplete
                autocapitalize="off"
                prop:value=value
                on:input=move |event| value.set(event_target_value(&event))
            />
        </label>
    }
}

/// A button that copies a text.
#[component]
pub(crate) fn Copy(text: Signal<String>, label: Signal<String>) -> impl IntoView {
    let words = use_words();
    let copied = RwSignal::new(false);
    let copy = move |_| {
        spawn_local(async move {
            copied.try_set(navigator::copy(text.get_untracked()).await);
        });
    };
    let said = Signal::derive(move || match copied.get() {
        true => words.with(|phrases| phrases.copied()),
        false => label.get(),
    });
    view! {
        <button type="button" on:click=copy>
            <Drawn icon=Icon::Copy />
            {said}
        </button>
    }
}
