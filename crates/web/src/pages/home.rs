//! Where everybody begins: one tap to a game.

use cards::{Card, Pack, Rank, Suit};
use client::Route;
use futures_util::{FutureExt, select};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wire::http::NewTable;
use wire::table::Pace;

use crate::api::{self, Trouble};
use crate::app::{Plan, Plans, Unanswered};
use crate::card::Face;
use crate::pages::{Alert, Segments};
use crate::storage;
use crate::text::{Words, t, words};
use crate::{pieces, way};

/// The levels that are offered to people.
const LEVELS: [&str; 3] = ["easy", "medium", "hard"];
/// What whoever just wants to play gets.
pub(crate) const USUAL: &str = "cruce4t-21";
/// How long somebody waits for a server when he can play without it.
const PATIENCE_MS: u32 = 6_000;
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

/// How well the bots are to play: as was chosen last.
fn kept_level() -> &'static str {
    let kept = storage::read("level");
    kept.and_then(|kept| LEVELS.into_iter().find(|level| *level == kept)).unwrap_or("medium")
}

/// The plan of a table in this browser, by the rules and the level that was chosen last.
pub(crate) fn plan_of(rules: &str) -> String {
    format!("{rules},{}", kept_level())
}

/// Opens tables with bots.
#[derive(Clone, Copy)]
pub(crate) struct Opener {
    words: Words,
    way: way::Way,
    plans: Plans,
    unanswered: RwSignal<bool>,
    /// Whether a table is being opened.
    pub(crate) busy: RwSignal<bool>,
    /// Why it could not be opened.
    pub(crate) trouble: RwSignal<Option<Trouble>>,
}

impl Opener {
    pub(crate) fn new() -> Opener {
        let (busy, trouble) = (RwSignal::new(false), RwSignal::new(None));
        let Unanswered(unanswered) = expect_context();
        let (words, way, plans) = (words(), way::way(), expect_context());
        Opener { words, way, plans, unanswered, busy, trouble }
    }

    /// Opens a table with these rules and goes there; a table in this browser where no server answers.
    pub(crate) fn play(self, rules: &'static str) {
        if self.busy.get_untracked() {
            return;
        }
        self.busy.set(true);
        self.trouble.set(None);
        spawn_local(async move {
            let table = NewTable { rules: rules.into(), pace: Pace::Off, listed: false };
            let opened = select! {
                opened = Box::pin(api::open(&table)).fuse() => opened,
                () = TimeoutFuture::new(PATIENCE_MS).fuse() => Err(Trouble::Unreachable),
            };
            match opened {
                Ok(opened) => {
                    let plan = Plan { name: own_name(self.words), bots: Some(kept_level()) };
                    self.plans.set(Some((opened.table.clone(), plan)));
                    self.way.go(Route::Table { table: opened.table, key: None });
                }
                Err(Trouble::Unreachable) => {
                    // Somebody who has gone elsewhere meanwhile is not to be called back.
                    if self.busy.try_get_untracked().is_some() {
                        self.unanswered.set(true);
                        self.way.go(Route::Practice { plan: Some(plan_of(rules)) });
                    }
                }
                Err(error) => {
                    self.trouble.try_set(Some(error));
                    self.busy.try_set(false);
                }
            }
        });
    }
}

#[component]
pub(crate) fn Home() -> impl IntoView {
    let words = words();
    pieces::expect_a_game();
    let opener = Opener::new();
    let (busy, trouble) = (opener.busy, opener.trouble);
    let play = move |rules: &'static str| opener.play(rules);
    let shown = SHOWN.into_iter().enumerate().map(|(at, (rank, suit))| {
        let at = at.to_string();
        view! {
            <span class="card" style=("--i", at)>
                <Face card=Card::new(rank, suit) pack=Pack::Hungarian />
            </span>
        }
    });
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
                    on:click=move |_| play(USUAL)
                >
                    {t!(words, play_now)}
                </button>
                <p class="hint">{t!(words, play_now_more)}</p>
                <a class="button large" href="/friends">
                    {t!(words, play_with_friends)}
                </a>
                <p class="hint">
                    <a id="practice" href="/practice">
                        {t!(words, practise_offline)}
                    </a>
                </p>
                <Alert trouble_now=trouble />
                <div class="learn" hidden=storage::read("learnt").is_some()>
                    <p>{t!(words, learn_new)}</p>
                    <div class="row">
                        <a class="button" href="/learn/cruce">
                            {t!(words, lesson_title, "cruce")}
                        </a>
                        <a class="button" href="/learn/whist">
                            {t!(words, lesson_title, "whist")}
                        </a>
                    </div>
                </div>
            </div>
            <section class="choices">
                <h2>{t!(words, home_bots)}</h2>
                <Games busy play=Callback::new(play) />
            </section>
        </main>
    }
}

/// The games that can be played against bots, and how well these play.
#[component]
pub(crate) fn Games(
    /// Whether one is being opened.
    busy: RwSignal<bool>,
    /// Opens one, by its rules.
    play: Callback<&'static str>,
) -> impl IntoView {
    let words = words();
    let level = RwSignal::new(kept_level());
    let levels = vec![
        ("easy", t!(words, level_easy)),
        ("medium", t!(words, level_medium)),
        ("hard", t!(words, level_hard)),
    ];
    let choose_level = move |chosen: &'static str| {
        level.set(chosen);
        storage::keep("level", chosen);
    };
    let quick = move |rules: &'static str, players: usize| {
        view! {
            <button data-rules=rules disabled=move || busy.get() on:click=move |_| play.run(rules)>
                {t!(words, home_players, players)}
            </button>
        }
    };
    view! {
        <Segments label=t!(words, home_bots) values=levels value=level choose=choose_level />
        <div class="games">
            <div class="game">
                <h3>{t!(words, cruce)}</h3>
                <p>
                    {t!(words, cruce_in_short)} " "
                    <a href="/learn/cruce">{t!(words, learn_link)}</a>
                </p>
                <div class="row">
                    {quick("cruce2-21", 2)} {quick("cruce3-21", 3)} {quick("cruce4t-21", 4)}
                </div>
            </div>
            <div class="game">
                <h3>{t!(words, whist)}</h3>
                <p>
                    {t!(words, whist_in_short)} " "
                    <a href="/learn/whist">{t!(words, learn_link)}</a>
                </p>
                <div class="row">
                    {quick("whist3", 3)} {quick("whist4", 4)} {quick("whist5", 5)}
                    {quick("whist6", 6)}
                </div>
            </div>
        </div>
    }
}
