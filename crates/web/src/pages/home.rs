//! Where everybody begins: one tap to a game.

use cards::{Card, Pack, Rank, Suit};
use client::Route;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wire::http::NewTable;
use wire::table::Pace;

use crate::api::{self, Trouble};
use crate::app::{Plan, Plans};
use crate::card::Face;
use crate::pages::{Alert, Segments, phrase};
use crate::storage;
use crate::text::{Words, t, words};
use crate::way;

/// The levels that are offered to people.
pub(crate) const LEVELS: [&str; 3] = ["easy", "medium", "hard"];
/// The cards on the first page.
const SHOWN: [(Rank, Suit); 5] = [
    (Rank::Queen, Suit::Leaf),
    (Rank::Zaca, Suit::Bell),
    (Rank::Ace, Suit::Acorn),
    (Rank::King, Suit::Heart),
    (Rank::Jack, Suit::Acorn),
];

/// The name under which somebody played last, or a usual one.
pub(crate) fn own_name(words: Words) -> String {
    let usual = || words.with_untracked(|phrases| phrases.guest_name());
    storage::read("name").filter(|name| !name.trim().is_empty()).unwrap_or_else(usual)
}

#[component]
pub(crate) fn Home() -> impl IntoView {
    let (words, way) = (words(), way::way());
    let plans: Plans = expect_context();
    let level = RwSignal::new(
        storage::read("level")
            .and_then(|kept| LEVELS.into_iter().find(|level| *level == kept))
            .unwrap_or("medium"),
    );
    let (busy, trouble) = (RwSignal::new(false), RwSignal::new(None::<Trouble>));
    let play = move |rules: &'static str| {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        trouble.set(None);
        spawn_local(async move {
            let table = NewTable { rules: rules.into(), pace: Pace::Off, listed: false };
            match api::open(&table).await {
                Ok(opened) => {
                    let plan = Plan { name: own_name(words), bots: Some(level.get_untracked()) };
                    plans.set(Some((opened.table.clone(), plan)));
                    way.go(Route::Table { table: opened.table, key: None });
                }
                Err(error) => {
                    trouble.set(Some(error));
                    busy.set(false);
                }
            }
        });
    };
    let levels = vec![
        ("easy", phrase!(words, level_easy)),
        ("medium", phrase!(words, level_medium)),
        ("hard", phrase!(words, level_hard)),
    ];
    let choose_level = move |chosen: &'static str| {
        level.set(chosen);
        storage::keep("level", chosen);
    };
    let shown = SHOWN.into_iter().enumerate().map(|(at, (rank, suit))| {
        let at = at.to_string();
        view! {
            <span class="card" style=("--i", at)>
                <Face card=Card::new(rank, suit) pack=Pack::Hungarian />
            </span>
        }
    });
    let quick = move |rules: &'static str, players: usize| {
        view! {
            <button disabled=move || busy.get() on:click=move |_| play(rules)>
                {t!(words, home_players, players)}
            </button>
        }
    };
    view! {
        <main class="page home">
            <div class="hero">
                <div class="spread" aria-hidden="true">
                    {shown.collect_view()}
                </div>
                <h1>{t!(words, home_title)}</h1>
                <p class="lead">{t!(words, home_lead)}</p>
                <button
                    class="primary large"
                    id="play-now"
                    disabled=move || busy.get()
                    on:click=move |_| play("cruce4t-21")
                >
                    {t!(words, play_now)}
                </button>
                <p class="hint">{t!(words, play_now_more)}</p>
                <a class="button large" href="/friends">
                    {t!(words, play_with_friends)}
                </a>
                <Alert trouble_now=trouble />
            </div>
            <section class="choices">
                <h2>{t!(words, home_bots)}</h2>
                <Segments
                    label=phrase!(words, home_bots)
                    values=levels
                    value=level
                    choose=choose_level
                />
                <div class="games">
                    <div class="game">
                        <h3>{t!(words, cruce)}</h3>
                        <p>{t!(words, cruce_in_short)}</p>
                        <div class="row">
                            {quick("cruce2-21", 2)} {quick("cruce3-21", 3)} {quick("cruce4t-21", 4)}
                        </div>
                    </div>
                    <div class="game">
                        <h3>{t!(words, whist)}</h3>
                        <p>{t!(words, whist_in_short)}</p>
                        <div class="row">
                            {quick("whist3", 3)} {quick("whist4", 4)} {quick("whist5", 5)}
                            {quick("whist6", 6)}
                        </div>
                    </div>
                </div>
            </section>
        </main>
    }
}
