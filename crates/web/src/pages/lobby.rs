//! The publicly listed tables, to join or to watch.

use game::Rules;
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use table_view::participants;
use wire::http::ListedTable;
use wire::table::TableStage;

use crate::api::{self, ApiError};
use crate::pages::Alert;
use crate::text::{t, use_phrases};

/// How often the lobby is fetched.
const LOOKS_MS: u32 = 4_000;

#[component]
pub(crate) fn LobbyPage() -> impl IntoView {
    let phrases = use_phrases();
    let tables = RwSignal::new(None::<Vec<ListedTable>>);
    let trouble = RwSignal::new(None::<ApiError>);
    spawn_local(async move {
        loop {
            let seen = api::lobby().await;
            // The page was left.
            let gone = match seen {
                Ok(lobby) => {
                    trouble.try_set(None);
                    tables.try_set(Some(lobby.tables)).is_some()
                }
                Err(error) => trouble.try_set(Some(error)).is_some(),
            };
            if gone {
                return;
            }
            TimeoutFuture::new(LOOKS_MS).await;
        }
    });
    let item = move |listed: ListedTable| view! { <ListedTableItem listed /> };
    view! {
        <main class="page narrow">
            <h1>{t!(phrases, lobby)}</h1>
            <Alert trouble_now=trouble />
            <p hidden=move || tables.with(Option::is_some)>{t!(phrases, loading)}</p>
            <div
                class="empty"
                hidden=move || tables.with(|tables| !tables.as_ref().is_some_and(Vec::is_empty))
            >
                <p>{t!(phrases, lobby_empty)}</p>
                <a class="button primary" href="/friends">
                    {t!(phrases, open_table)}
                </a>
            </div>
            <ul class="tables">
                {move || {
                    tables.get().unwrap_or_default().into_iter().map(item).collect_view()
                }}
            </ul>
        </main>
    }
}

/// A table of the lobby: its game, its players, and its free seats.
#[component]
fn ListedTableItem(listed: ListedTable) -> impl IntoView {
    let phrases = use_phrases();
    let (players, waits) = (listed.seats.len(), listed.stage == TableStage::Waiting);
    let free = listed.seats.iter().filter(|seat| seat.is_none()).count();
    let rules = Rules::from_code(&listed.rules).ok();
    let address = format!("/t/{}", listed.table);
    let seats = listed.seats.clone();
    let names = move || {
        phrases.with(|phrases| {
            let named = seats.iter().enumerate().filter(|(_, who)| who.is_some());
            let names: Vec<String> =
                named.map(|(at, who)| participants::name(who.as_ref(), at + 1, phrases)).collect();
            names.join(", ")
        })
    };
    let game = move || {
        phrases.with(|phrases| match rules {
            Some(Rules::Whist(_)) => phrases.whist(),
            _ => phrases.cruce(),
        })
    };
    view! {
        <li>
            <a class="listed" href=address>
                <strong>{game} " · " {t!(phrases, home_players, players)}</strong>
                <span>{names}</span>
                <span class="tag">
                    {move || {
                        phrases
                            .with(|phrases| match (waits, free) {
                                (true, _) => phrases.lobby_free(free),
                                (false, _) => phrases.lobby_watch(),
                            })
                    }}
                </span>
            </a>
        </li>
    }
}
