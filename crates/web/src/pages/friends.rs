//! The form that opens a table for friends: the game, the pace, and whether it is listed.

use game::Rules;
use leptos::prelude::*;
use leptos::task::spawn_local;
use replica::Route;
use table_view::house_rules;
use wire::http::NewTable;
use wire::table::Pace;

use crate::api::{self, ApiError};
use crate::app::{OpeningIntent, use_pending_intent};
use crate::navigator;
use crate::pages::{Alert, Choice, Field, HouseRulesForm, player_name};
use crate::storage;
use crate::text::{PhraseSignal, t, use_phrases};

/// The seat layouts that are offered.
const SEATS: [&str; 8] =
    ["cruce2", "cruce3", "cruce4t", "cruce4s", "whist3", "whist4", "whist5", "whist6"];

/// The seat layouts of Cruce, with their texts.
pub(crate) fn seats_of_cruce(phrases: PhraseSignal) -> Vec<(&'static str, Signal<String>)> {
    vec![
        ("cruce2", t!(phrases, home_players, 2)),
        ("cruce3", t!(phrases, home_players, 3)),
        ("cruce4t", t!(phrases, home_players_teams, 4)),
        ("cruce4s", t!(phrases, home_players_alone, 4)),
    ]
}

/// The seat layouts of whist, with their texts.
pub(crate) fn seats_of_whist(phrases: PhraseSignal) -> Vec<(&'static str, Signal<String>)> {
    vec![
        ("whist3", t!(phrases, home_players, 3)),
        ("whist4", t!(phrases, home_players, 4)),
        ("whist5", t!(phrases, home_players, 5)),
        ("whist6", t!(phrases, home_players, 6)),
    ]
}

#[component]
pub(crate) fn FriendsPage(
    /// The code of the rules in the address.
    code: Option<String>,
) -> impl IntoView {
    let phrases = use_phrases();
    let Ok(usual) = Rules::from_code("classic") else { return ().into_any() };
    let form = TableForm {
        name: RwSignal::new(player_name(phrases)),
        rules: RwSignal::new(usual),
        pace: RwSignal::new(Pace::Off),
        listed: RwSignal::new(false),
    };
    let (busy, trouble) = (RwSignal::new(false), RwSignal::new(None::<ApiError>));
    let open = open_table(form, busy, trouble);
    view! {
        <main class="page narrow">
            <h1>{t!(phrases, play_with_friends)}</h1>
            <p class="lead">{t!(phrases, friends_lead)}</p>
            <form
                class="form"
                on:submit=move |event| {
                    event.prevent_default();
                    open();
                }
            >
                <TableFields form code />
                <button class="primary large" type="submit" disabled=move || busy.get()>
                    {t!(phrases, open_table)}
                </button>
                <Alert trouble_now=trouble />
            </form>
        </main>
    }
    .into_any()
}

/// What is chosen for the new table.
#[derive(Clone, Copy)]
struct TableForm {
    name: RwSignal<String>,
    rules: RwSignal<Rules>,
    pace: RwSignal<Pace>,
    listed: RwSignal<bool>,
}

/// Opens the table and goes there. Returns the function that does so.
fn open_table(
    form: TableForm,
    busy: RwSignal<bool>,
    trouble: RwSignal<Option<ApiError>>,
) -> impl Fn() + Copy {
    let (phrases, navigator) = (use_phrases(), navigator::use_navigator());
    let pending = use_pending_intent();
    move || {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        trouble.set(None);
        let chosen = form.name.get_untracked().trim().to_owned();
        if !chosen.is_empty() {
            storage::store("name", &chosen);
        }
        let table = NewTable {
            rules: form.rules.get_untracked().code(),
            pace: form.pace.get_untracked(),
            listed: form.listed.get_untracked(),
        };
        spawn_local(async move {
            match api::open(&table).await {
                Ok(opened) => {
                    let intent = OpeningIntent { name: player_name(phrases), bots: None };
                    pending.set(opened.table.clone(), intent);
                    navigator.go(Route::Table { table: opened.table, key: None });
                }
                Err(error) => {
                    trouble.set(Some(error));
                    busy.set(false);
                }
            }
        });
    }
}

/// The fields of the form.
#[component]
fn TableFields(form: TableForm, code: Option<String>) -> impl IntoView {
    let phrases = use_phrases();
    let TableForm { name, rules, pace, listed } = form;
    let seats = Signal::derive(move || {
        let seats = rules.with(house_rules::seats);
        SEATS.into_iter().find(|known| *known == seats).unwrap_or_default()
    });
    let sit = move |seats: &'static str| {
        rules.update(|rules| *rules = house_rules::on_seats(rules, seats).unwrap_or(*rules));
    };
    let paces = vec![
        (Pace::Off, t!(phrases, pace_off)),
        (Pace::Relaxed, t!(phrases, pace_relaxed)),
        (Pace::Fast, t!(phrases, pace_fast)),
    ];
    let who = vec![(false, t!(phrases, listed_no)), (true, t!(phrases, listed_yes))];
    view! {
        <Field
            label=t!(phrases, your_name)
            value=name
            id="own-name"
            letters=(1, 30)
            autocomplete="nickname"
        />
        <Choice title=t!(phrases, cruce) values=seats_of_cruce(phrases) value=seats choose=sit />
        <Choice title=t!(phrases, whist) values=seats_of_whist(phrases) value=seats choose=sit />
        <HouseRulesForm
            rules=rules.into()
            choose=Callback::new(move |chosen| rules.set(chosen))
            fixed=Signal::stored(false)
            seats=false
            invites=true
            typed=code
        />
        <Choice
            title=t!(phrases, pace_title)
            values=paces
            value=pace
            choose=move |chosen| pace.set(chosen)
        />
        <Choice
            title=t!(phrases, listed_title)
            values=who
            value=listed
            choose=move |chosen| listed.set(chosen)
        />
    }
}
