//! Parts of forms: the settings of a contest, the scores of a table, and a button that asks for
//! confirmation.

use contest::Venue;
use contest_view::board::parse_score;
use game::Rules;
use leptos::prelude::*;

use crate::pages::{Choice, Field, HouseRulesForm};
use crate::table::dialog::ConfirmQuestion;
use crate::text::{t, use_phrases};

/// The kinds of contests that are offered, by the codes of their rules.
const KINDS: [&str; 3] = ["contest", "contest4t", "whist4"];

/// The title, the rules and the venue of a contest.
#[component]
pub(super) fn SettingsForm(
    title: RwSignal<String>,
    rules: RwSignal<Rules>,
    venue: RwSignal<Venue>,
) -> impl IntoView {
    let phrases = use_phrases();
    let kinds = vec![
        (KINDS[0], t!(phrases, contest_page_kind_alone)),
        (KINDS[1], t!(phrases, contest_page_kind_pairs)),
        (KINDS[2], t!(phrases, contest_page_kind_whist)),
    ];
    let kind = Signal::derive(move || {
        rules.with(|rules| match rules {
            Rules::Whist(_) => KINDS[2],
            Rules::Cruce(_) if rules.sides() == 2 => KINDS[1],
            Rules::Cruce(_) => KINDS[0],
        })
    });
    let choose = move |code: &'static str| {
        if let Ok(chosen) = Rules::from_code(code) {
            rules.set(chosen);
        }
    };
    let venues = vec![
        (Venue::Hall, t!(phrases, contest_page_venue_hall)),
        (Venue::Online, t!(phrases, contest_page_venue_online)),
    ];
    let for_four = Signal::derive(move || rules.with(|rules| rules.players() == 4));
    view! {
        <Field
            label=t!(phrases, contest_page_title)
            value=title
            id="contest-title"
            letters=(1, 40)
            autocomplete="off"
        />
        <Choice title=t!(phrases, contest_page_kind) values=kinds value=kind choose />
        <HouseRulesForm
            rules=rules.into()
            choose=Callback::new(move |chosen| rules.set(chosen))
            fixed=Signal::stored(false)
            seats=false
            invites=false
            typed=None
        />
        <p class="alert" role="alert" hidden=for_four>
            {t!(phrases, contest_page_four)}
        </p>
        <Choice
            title=t!(phrases, contest_page_venue)
            values=venues
            value=venue
            choose=move |chosen| venue.set(chosen)
        />
    }
}

/// A button that asks for confirmation.
#[component]
pub(super) fn ConfirmButton(
    /// The text of the button.
    label: Signal<String>,
    /// The question.
    #[prop(into)]
    question: Signal<String>,
    id: &'static str,
    #[prop(optional)] class: &'static str,
    #[prop(optional, into)] disabled: Signal<bool>,
    done: Callback<()>,
) -> impl IntoView {
    let asks = RwSignal::new(false);
    move || {
        match asks.get() {
        false => view! {
            <button type="button" id=id class=class disabled=disabled on:click=move |_| asks.set(true)>
                {label}
            </button>
        }
        .into_any(),
        true => view! {
            <ConfirmQuestion
                question
                yes=label
                id="sure"
                done=Callback::new(move |()| {
                    asks.set(false);
                    done.run(());
                })
                cancel=Callback::new(move |()| asks.set(false))
            />
        }
        .into_any(),
    }
    }
}

/// A number for each name.
#[component]
pub(super) fn ScoresForm(
    /// The prefix of the ids of the fields.
    id: &'static str,
    names: Vec<String>,
    values: Vec<Option<i32>>,
    /// The text of the button.
    #[prop(into)]
    label: Signal<String>,
    #[prop(optional, into)] disabled: Signal<bool>,
    /// Whether another button is the primary one.
    #[prop(optional)]
    second: bool,
    /// Content between the fields and the button.
    #[prop(optional)]
    children: Option<Children>,
    done: Callback<Vec<i32>>,
) -> impl IntoView {
    let phrases = use_phrases();
    let typed: Vec<RwSignal<String>> = values
        .iter()
        .map(|value| RwSignal::new(value.map_or(String::new(), |value| value.to_string())))
        .collect();
    let missing = RwSignal::new(false);
    let fields = names.into_iter().zip(typed.clone()).enumerate().map(|(at, (name, value))| {
        view! {
            <label class="scored">
                <span>{name}</span>
                // No numeric keypad: on some phones it has no minus.
                <input
                    type="number"
                    step="1"
                    id=format!("{id}-{}", at + 1)
                    prop:value=value
                    on:input=move |event| value.set(event_target_value(&event))
                />
            </label>
        }
    });
    let fields = fields.collect_view();
    let submit = move || {
        let scores: Option<Vec<i32>> =
            typed.iter().map(|value| parse_score(&value.get_untracked())).collect();
        missing.set(scores.is_none());
        if let Some(scores) = scores {
            done.run(scores);
        }
    };
    view! {
        <form
            class="scores-form"
            novalidate
            on:submit=move |event| {
                event.prevent_default();
                submit();
            }
        >
            <div class="scoring">{fields}</div>
            {children.map(|children| children())}
            <p class="alert" role="alert" hidden=move || !missing.get()>
                {t!(phrases, contest_page_scores_missing)}
            </p>
            <button class:primary=!second type="submit" id=format!("{id}-send") disabled=disabled>
                {label}
            </button>
        </form>
    }
}
