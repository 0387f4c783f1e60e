//! The contests that this device knows, and a form for a new one.

use contest::{ContestSettings, Venue};
use contest_view::word_of;
use game::Rules;
use game::record::Name;
use leptos::prelude::*;
use leptos::task::spawn_local;
use replica::Route;
use replica::role_key::RoleKey;
use wire::contest::header_line;

use super::form::SettingsForm;
use super::known_contests::{self, KnownContest};
use crate::api::{self, ApiError};
use crate::navigator;
use crate::pages::Alert;
use crate::styled::Styled;
use crate::text::{t, use_phrases};

#[component]
pub(crate) fn ContestsPage() -> impl IntoView {
    view! {
        <Styled style="contest">
            <ContestList />
        </Styled>
    }
}

#[component]
fn ContestList() -> impl IntoView {
    let phrases = use_phrases();
    let known = RwSignal::new(known_contests::all());
    let Ok(usual) = Rules::from_code("contest") else { return ().into_any() };
    let item = move |contest| view! { <KnownContestItem contest known /> };
    view! {
        <main class="page narrow contests">
            <h1>{t!(phrases, contest_page_contests)}</h1>
            <p class="lead">{t!(phrases, contest_page_contests_lead)}</p>
            <ul class="tables" hidden=move || known.with(Vec::is_empty)>
                {move || known.get().into_iter().map(item).collect_view()}
            </ul>
            <h2>{t!(phrases, contest_page_new)}</h2>
            <NewContestForm usual />
        </main>
    }
    .into_any()
}

/// A known contest, with the role of this device, and a button to forget it.
#[component]
fn KnownContestItem(contest: KnownContest, known: RwSignal<Vec<KnownContest>>) -> impl IntoView {
    let phrases = use_phrases();
    let KnownContest { ledger, role_key, title } = contest;
    let (to, of) = (ledger.clone(), ledger.clone());
    let role = Signal::derive(move || {
        phrases.with(|phrases| match role_key.map(|role_key| role_key.role) {
            None => phrases.contest_page_as("public", ""),
            Some(contest::Role::Organiser) => phrases.contest_page_as("organiser", ""),
            Some(contest::Role::Referee(table)) => {
                phrases.contest_page_as("referee", contest_view::table_name(table))
            }
            Some(contest::Role::Player(entrant)) => {
                phrases.contest_page_as("player", entrant.number().to_string())
            }
            Some(_) => String::new(),
        })
    });
    view! {
        <li class="known">
            <a
                class="listed"
                href=Route::Contest { ledger: ledger.clone(), role_key: None }.address()
                on:click=move |_| known_contests::remember(&to, role_key, None)
            >
                <strong>{title}</strong>
                <span>{role}</span>
            </a>
            <button
                class="quiet"
                on:click=move |_| {
                    known_contests::forget(&of, role_key);
                    known.set(known_contests::all());
                }
            >
                {t!(phrases, contest_page_forget)}
            </button>
        </li>
    }
}

/// Opens a contest on the server.
#[component]
fn NewContestForm(usual: Rules) -> impl IntoView {
    let (phrases, navigator) = (use_phrases(), navigator::use_navigator());
    let (busy, trouble) = (RwSignal::new(false), RwSignal::new(None::<ApiError>));
    let title = RwSignal::new(String::new());
    let (rules, venue) = (RwSignal::new(usual), RwSignal::new(Venue::Hall));
    let open = move |settings: ContestSettings| {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        trouble.set(None);
        let title = settings.title().to_string();
        spawn_local(async move {
            let opened = api::open_ledger(header_line(&settings)).await;
            let opened = opened.and_then(|opened| {
                let key = opened.key.parse().map_err(|_| ApiError::ServerFault)?;
                Ok((opened.ledger, RoleKey::organiser(key)))
            });
            match opened {
                Ok((ledger, role_key)) => {
                    known_contests::remember(&ledger, Some(role_key), Some(&title));
                    navigator.go(Route::Contest { ledger, role_key: None });
                }
                Err(error) => {
                    trouble.try_set(Some(error));
                    busy.try_set(false);
                }
            }
        });
    };
    let submit = move || {
        let name = Name::new(title.get_untracked().trim());
        let word = word_of(&title.get_untracked());
        let settings = name.ok().zip(word).and_then(|(name, word)| {
            ContestSettings::new(name, word, rules.get_untracked(), venue.get_untracked()).ok()
        });
        if let Some(settings) = settings {
            open(settings);
        }
    };
    view! {
        <form
            class="form"
            on:submit=move |event| {
                event.prevent_default();
                submit();
            }
        >
            <SettingsForm title rules venue />
            <button class="primary large" type="submit" id="found" disabled=move || busy.get()>
                {t!(phrases, contest_page_found)}
            </button>
            <Alert trouble_now=trouble />
        </form>
    }
}
