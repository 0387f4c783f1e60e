//! Before the match: the link to the table, and seats that fill.

use client::Route;
use client::company::{self, Presence};
use leptos::prelude::*;
use leptos::task::spawn_local;
use qrcode::QrCode;
use qrcode::render::svg;
use wire::table::{Command, Who};

use super::game;
use crate::api;
use crate::pages::{Copy, HouseRules, own_name};
use crate::storage;
use crate::text::{t, words};

#[component]
pub(super) fn Waiting() -> impl IntoView {
    let (game, words) = (game(), words());
    let seats = Memo::new(move |_| game.state(|state| state.seats.clone()).unwrap_or_default());
    let you = Memo::new(move |_| game.state(|state| state.you).unwrap_or_default());
    let host = Memo::new(move |_| game.state(|state| state.host).flatten());
    let name = RwSignal::new(own_name(words));
    let sit = move |seat: usize| {
        let chosen = name.get_untracked().trim().to_owned();
        if !chosen.is_empty() {
            storage::keep("name", &chosen);
        }
        game.line.wish(Command::Sit { seat, name: own_name(words) });
    };
    let rules =
        Memo::new(move |_| game.state(|state| game::Rules::from_code(&state.rules).ok()).flatten());
    let rules_words = move || {
        let rules = rules.get()?;
        Some(words.with(|phrases| phrases.title(&rules)))
    };
    let is_known = Memo::new(move |_| rules.with(Option::is_some));
    let house = move || {
        let first = is_known.get().then(|| rules.get_untracked()).flatten()?;
        let choose = move |chosen: game::Rules| game.line.wish(Command::Rules(chosen.code()));
        Some(view! {
            <HouseRules
                rules=Signal::derive(move || rules.get().unwrap_or(first))
                choose=Callback::new(choose)
                fixed=Signal::derive(move || !you.get().host)
                seats=true
                typed=None
            />
        })
    };
    let seat_row = move |at: usize| {
        let number = at + 1;
        let chair =
            Memo::new(move |_| seats.with(|seats| seats.get(at).cloned()).unwrap_or_default());
        let who = move || {
            words.with(|phrases| {
                chair.with(|chair| company::name(chair.who.as_ref(), number, phrases))
            })
        };
        let presence =
            move || words.with(|phrases| chair.with(|chair| Presence::of(chair).words(phrases)));
        let free = move || chair.with(|chair| chair.who.is_none());
        let is_bot = move || chair.with(|chair| matches!(chair.who, Some(Who::Bot(_))));
        let mine = move || you.get().seat == Some(number);
        let by_host = move || you.get().host;
        view! {
            <li class="chair" class:free=free class:mine=mine>
                <span class="number">{number}</span>
                <span class="who">
                    <strong>{who}</strong>
                    <Show when=move || !free()>
                        <small>{presence}</small>
                    </Show>
                    <Show when=move || host.get() == Some(number)>
                        <small>{t!(words, is_host)}</small>
                    </Show>
                </span>
                <span class="row">
                    <Show when=move || free() && you.get().seat.is_none()>
                        <button class="primary" on:click=move |_| sit(number)>
                            {t!(words, sit_here)}
                        </button>
                    </Show>
                    <Show when=move || free() && you.get().seat.is_some()>
                        <button on:click=move |_| sit(number)>{t!(words, move_here)}</button>
                    </Show>
                    <Show when=move || free() && by_host()>
                        <button on:click=move |_| {
                            game.line.wish(Command::Bot { seat: number, level: level() });
                        }>{t!(words, add_bot)}</button>
                    </Show>
                    <Show when=move || is_bot() && by_host()>
                        <button on:click=move |_| game.line.wish(Command::Empty { seat: number })>
                            {t!(words, remove_bot)}
                        </button>
                    </Show>
                    <Show when=move || !free() && !is_bot() && by_host() && !mine()>
                        <button on:click=move |_| game.line.wish(Command::Kick { seat: number })>
                            {t!(words, send_away)}
                        </button>
                    </Show>
                </span>
            </li>
        }
    };
    let count = Memo::new(move |_| seats.with(Vec::len));
    view! {
        <main class="page narrow waiting">
            <h1>{t!(words, waiting_title)}</h1>
            <p class="lead">{rules_words}</p>
            <Invitation />
            <Show when=move || you.get().seat.is_none()>
                <label class="field">
                    <span>{t!(words, your_name)}</span>
                    <input
                        type="text"
                        maxlength="30"
                        autocomplete="nickname"
                        prop:value=move || name.get()
                        on:input=move |event| {
                            let typed = event_target_value(&event);
                            storage::keep("name", typed.trim());
                            name.set(typed);
                        }
                    />
                </label>
            </Show>
            {house}
            <ul class="chairs">{move || (0..count.get()).map(seat_row).collect_view()}</ul>
            <Show
                when=move || you.get().host
                fallback=move || view! { <p>{t!(words, waits_for_host)}</p> }
            >
                <button
                    class="primary large"
                    id="start"
                    disabled=move || you.get().seat.is_none()
                    on:click=move |_| game.line.wish(Command::Start)
                >
                    {t!(words, start_match)}
                </button>
                <p class="hint">{t!(words, start_more)}</p>
            </Show>
            <Show when=move || you.get().seat.is_some()>
                <button class="quiet" on:click=move |_| game.line.wish(Command::Leave)>
                    {t!(words, stand_up)}
                </button>
            </Show>
        </main>
    }
}

fn level() -> String {
    storage::read("level").unwrap_or_else(|| "medium".into())
}

/// The link, to be sent or to be shown.
#[component]
fn Invitation() -> impl IntoView {
    let (game, words) = (game(), words());
    let address = RwSignal::new(None::<String>);
    // Its place is kept while it is on its way, so that no button moves under a finger.
    let expected = RwSignal::new(true);
    Effect::new(move |_| {
        let Some(table) = game.state(|state| state.table.clone()) else { return };
        if address.with_untracked(Option::is_some) {
            return;
        }
        spawn_local(async move {
            let Ok(link) = api::link(&table).await else {
                expected.try_set(false);
                return;
            };
            let origin = window().location().origin().unwrap_or_default();
            let route = Route::Table { table: link.table, key: Some(link.key) };
            address.try_set(Some(format!("{origin}{}", route.address())));
        });
    });
    let qr = move || {
        let code = QrCode::new(address.get()?).ok()?;
        let text = code.render::<svg::Color>().min_dimensions(160, 160).build();
        // The declaration of a file has no place within a page.
        Some(text.split_once("?>").map_or(text.clone(), |(_, svg)| svg.to_owned()))
    };
    view! {
        <Show when=move || expected.get()>
            <div class="invitation">
                <div class="qr" role="img" aria-label=t!(words, qr_label) inner_html=qr></div>
                <div>
                    <p>{t!(words, invite_more)}</p>
                    <p class="row">
                        <input
                            type="text"
                            readonly
                            id="link"
                            aria-label=t!(words, table_link)
                            prop:value=move || address.get().unwrap_or_default()
                        />
                        <Copy
                            text=Signal::derive(move || address.get().unwrap_or_default())
                            label=t!(words, copy_link)
                        />
                    </p>
                </div>
            </div>
        </Show>
    }
}
