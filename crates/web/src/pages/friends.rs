//! The form that opens a table for friends: the game, the pace, and whether it is listed.

use game::Rules;
use leptos::prelude::*;
use leptos::task::spawn_local;
use replica::Route;
use table_view::house_rules;
use wire::http::NewTable;
use wire::table::Pace;

use crate::api::{self, ApiError};
use crate::app::{OpeningIntent, OpeningIntents};
use crate::navigator;
use crate::pages::{Alert, Choice, Field, HouseRulesForm, player_name};
use crate::storage;
use crate::text::{Words, t, use_words};

/// The seat layouts that are offered.
const SEATS: [&str; 8] =
    ["cruce2", "cruce3", "cruce4t", "cruce4s", "whist3", "whist4", "whist5", "whist6"];

/// The seat layouts of Cruce, with their texts.
pub(crate) fn seats_of_cruce(words: Words) -> Vec<(&'static str, Signal<String>)> {
    vec![
        ("cruce2", t!(words, home_players, 2)),
        ("cruce3", t!(words, home_players, 3)),
        ("cruce4t", t!(words, home_players_teams, 4)),
        ("cruce4s", t!(words, home_players_alone, 4)),
    ]
}

/// The seat layouts of whist, with their texts.
pub(crate) fn seats_of_whist(words: Words) -> Vec<(&'static str, Signal<String>)> {
    vec![
        ("whist3", t!(words, home_players, 3)),
        ("whist4", t!(words, home_players, 4)),
        ("whist5", t!(words, home_players, 5)),
        ("whist6", t!(words, home_players, 6)),
    ]
}

#[component]
pub(crate) fn FriendsPage(
    /// The code of the rules in the address.
    code: Option<String>,
) -> impl IntoView {
    let (words, navigator) = (use_words(), navigator::use_navigator());
    let plans: OpeningIntents = expect_context();
    let name = RwSignal::new(player_name(words));
    let Ok(usual) = Rules::from_code("classic") else { return ().into_any() };
    let rules = RwSignal::new(usual);
    let seats = Signal::derive(move || {
        let seats = rules.with(house_rules::seats);
        SEATS.into_iter().find(|known| *known == seats).unwrap_or_default()
    });
    let sit = move |seats: &'static str| {
        rules.update(|rules| *rules = house_rules::on_seats(rules, seats).unwrap_or(*rules));
    };
    let pace = RwSignal::new(Pace::Off);
    let listed = RwSignal::new(false);
    let (busy, trouble) = (RwSignal::new(false), RwSignal::new(None::<ApiError>));
    let open = move || {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        trouble.set(None);
        let chosen = name.get_untracked().trim().to_owned();
        if !chosen.is_empty() {
            storage::keep("name", &chosen);
        }
        let table = NewTable {
            rules: rules.get_untracked().code(),
            pace: pace.get_untracked(),
            listed: listed.get_untracked(),
        };
        spawn_local(async move {
            match api::open(&table).await {
                Ok(opened) => {
                    let plan = OpeningIntent { name: player_name(words), bots: None };
                    plans.set(Some((opened.table.clone(), plan)));
                    navigator.go(Route::Table { table: opened.table, key: None });
                }
                Err(error) => {
                    trouble.set(Some(error));
                    busy.set(false);
                }
            }
        });
    };
    let paces = vec![
        (Pace::Off, t!(words, pace_off)),
        (Pace::Relaxed, t!(words, pace_relaxed)),
        (Pace::Fast, t!(words, pace_fast)),
    ];
    let who = vec![(false, t!(words, listed_no)), (true, t!(words, listed_yes))];
    view! {
        <main class="page narrow">
            <h1>{t!(words, play_with_friends)}</h1>
            <p class="lead">{t!(words, friends_lead)}</p>
            <form
                class="form"
                on:submit=move |event| {
                    event.prevent_default();
                    open();
                }
            >
                <Field
                    label=t!(words, your_name)
                    value=name
                    id="own-name"
                    letters=(1, 30)
                    autocomplete="nickname"
                />
                <Choice title=t!(words, cruce) values=seats_of_cruce(words) value=seats choose=sit />
                <Choice title=t!(words, whist) values=seats_of_whist(words) value=seats choose=sit />
                <HouseRulesForm
                    rules=rules.into()
                    choose=Callback::new(move |chosen| rules.set(chosen))
                    fixed=Signal::stored(false)
                    seats=false
                    invites=true
                    typed=code
                />
                <Choice
                    title=t!(words, pace_title)
                    values=paces
                    value=pace
                    choose=move |chosen| pace.set(chosen)
                />
                <Choice
                    title=t!(words, listed_title)
                    values=who
                    value=listed
                    choose=move |chosen| listed.set(chosen)
                />
                <button class="primary large" type="submit" disabled=move || busy.get()>
                    {t!(words, open_table)}
                </button>
                <Alert trouble_now=trouble />
            </form>
        </main>
    }
    .into_any()
}
