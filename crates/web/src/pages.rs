//! The pages besides the table, and controls that they share.

mod friends;
mod house_rules;
mod learn;
mod lobby;
mod mine;
mod not_found;
mod play;
mod replay;
mod rules;
mod settings;
mod shared;
mod sheet;
mod sheets;

pub(crate) use friends::{FriendsPage, seats_of_cruce, seats_of_whist};
pub(crate) use house_rules::HouseRulesForm;
pub(crate) use learn::LearnPage;
pub(crate) use lobby::LobbyPage;
pub(crate) use mine::MinePage;
pub(crate) use not_found::NotFoundPage;
pub(crate) use play::{PlayPage, USUAL, choose_level, level, levels, plan_of, player_name};
pub(crate) use replay::ReplayPage;
pub(crate) use rules::RulesPage;
pub(crate) use settings::SettingsPage;
pub(crate) use shared::SharedSheetPage;
pub(crate) use sheet::SheetPage;
pub(crate) use sheets::SheetsPage;

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::ApiError;
use crate::icon::{Icon, IconImage};
use crate::navigator;
use crate::roving_focus::{move_focus, tab_stop};
use crate::text::{PhraseSignal, use_phrases};

/// An error as a sentence.
pub(crate) fn trouble(phrases: PhraseSignal, trouble: ApiError) -> String {
    phrases.with(|phrases| match trouble {
        ApiError::Unreachable => phrases.trouble_unreachable(),
        ApiError::Gone => phrases.trouble_gone(),
        ApiError::Forbidden => phrases.trouble_forbidden(),
        ApiError::TooMany => phrases.trouble_too_many(),
        ApiError::Full => phrases.trouble_full(),
        ApiError::ServerFault => phrases.trouble_unwell(),
    })
}

/// Shows an error, if there is one.
#[component]
pub(crate) fn Alert(trouble_now: RwSignal<Option<ApiError>>) -> impl IntoView {
    let phrases = use_phrases();
    view! {
        <p class="alert" role="alert" hidden=move || trouble_now.get().is_none()>
            {move || trouble_now.get().map(|now| trouble(phrases, now))}
        </p>
    }
}

/// A choice between a few values, as a titled row of buttons.
#[component]
pub(crate) fn Choice<T>(
    /// The title of the row.
    title: Signal<String>,
    /// The values with their texts.
    values: Vec<(T, Signal<String>)>,
    /// The chosen value.
    #[prop(into)]
    value: Signal<T>,
    /// Chooses a value.
    choose: impl Fn(T) + Copy + Send + Sync + 'static,
    /// Whether a choice takes effect at once, so that arrow keys only move the focus.
    #[prop(optional)]
    at_once: bool,
) -> impl IntoView
where
    T: Copy + PartialEq + Send + Sync + 'static,
{
    let (values, labels): (Vec<T>, Vec<Signal<String>>) = values.into_iter().unzip();
    let known = values.clone();
    let chosen = Signal::derive(move || known.iter().position(|one| *one == value.get()));
    let choose = Callback::new(move |at: usize| choose(values[at]));
    view! { <ChoiceButtons title labels chosen choose at_once /> }
}

/// The row itself, which identifies values by their positions: one compiled function for all types.
#[component]
fn ChoiceButtons(
    title: Signal<String>,
    labels: Vec<Signal<String>>,
    chosen: Signal<Option<usize>>,
    choose: Callback<usize>,
    at_once: bool,
) -> impl IntoView {
    // If no value is chosen, the tab key stops at the first.
    let at = move || chosen.get().unwrap_or_default();
    let pressed = move |event: KeyboardEvent| {
        if let Some(next) = move_focus(&event).filter(|_| !at_once) {
            choose.run(next);
        }
    };
    let buttons = labels.into_iter().enumerate().map(|(position, label)| {
        view! {
            <button
                type="button"
                role="radio"
                tabindex=move || tab_stop(at() == position)
                aria-checked=move || if chosen.get() == Some(position) { "true" } else { "false" }
                on:click=move |_| choose.run(position)
            >
                {label}
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

/// A required field of a form.
#[component]
pub(crate) fn Field(
    label: Signal<String>,
    value: RwSignal<String>,
    id: &'static str,
    /// `text` or `password`.
    #[prop(optional)]
    kind: Option<&'static str>,
    /// The minimum and maximum number of characters.
    letters: (u32, u32),
    /// The `autocomplete` attribute.
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
pub(crate) fn CopyButton(text: Signal<String>, label: Signal<String>) -> impl IntoView {
    let phrases = use_phrases();
    let copied = RwSignal::new(false);
    let copy = move |_| {
        spawn_local(async move {
            copied.try_set(navigator::copy(text.get_untracked()).await);
        });
    };
    let text_shown = Signal::derive(move || match copied.get() {
        true => phrases.with(|phrases| phrases.copied()),
        false => label.get(),
    });
    view! {
        <button type="button" on:click=copy>
            <IconImage icon=Icon::Copy />
            {text_shown}
        </button>
    }
}
