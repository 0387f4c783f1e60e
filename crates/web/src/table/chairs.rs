//! The seats and who sits on them, with what may be done about each: the same before a match and
//! while it is played.

use client::company::{self, Presence};
use leptos::prelude::*;
use wire::table::{Command, Stage, Who};

use super::{ends, game};
use crate::pages::home_name;
use crate::storage;
use crate::text::{t, words};

/// The levels that a host can choose for a bot.
const LEVELS: [&str; 3] = ["easy", "medium", "hard"];

#[component]
pub(super) fn Chairs() -> impl IntoView {
    let (game, words) = (game(), words());
    let count = Memo::new(move |_| game.state(|state| state.seats.len()).unwrap_or_default());
    let sits = Memo::new(move |_| game.state(|state| state.you.seat).flatten().is_some());
    let name = RwSignal::new(home_name(words));
    // Whom the host is about to send away.
    let asked = RwSignal::new(None::<usize>);
    view! {
        <Show when=move || !sits.get()>
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
        <ul class="chairs">
            {move || (0..count.get()).map(|at| view! { <Chair at asked /> }).collect_view()}
        </ul>
    }
}

#[component]
fn Chair(at: usize, asked: RwSignal<Option<usize>>) -> impl IntoView {
    let (game, words) = (game(), words());
    let number = at + 1;
    let chair = Memo::new(move |_| {
        game.state(|state| state.seats.get(at).cloned()).flatten().unwrap_or_default()
    });
    let you = Memo::new(move |_| game.state(|state| state.you).unwrap_or_default());
    let host = Memo::new(move |_| game.state(|state| state.host).flatten());
    let playing =
        Memo::new(move |_| game.state(|state| state.stage == Stage::Playing).unwrap_or_default());
    let who = Signal::derive(move || {
        words.with(|phrases| chair.with(|chair| company::name(chair.who.as_ref(), number, phrases)))
    });
    let presence =
        move || words.with(|phrases| chair.with(|chair| Presence::of(chair).words(phrases)));
    let free = move || chair.with(|chair| chair.who.is_none());
    let level = move || {
        chair.with(|chair| match &chair.who {
            Some(Who::Bot(level)) => Some(level.clone()),
            _ => None,
        })
    };
    let is_bot = move || level().is_some();
    let muted = move || chair.with(|chair| chair.muted);
    let by_host = move || you.get().host;
    let mine = move || you.get().seat == Some(number);
    let others = move || by_host() && !free() && !is_bot() && !mine();
    let wish = move |command: Command| game.line.wish(command);
    let sit = move |_| wish(Command::Sit { seat: number, name: home_name(words) });
    let levels = move || {
        let words_of = [t!(words, level_easy), t!(words, level_medium), t!(words, level_hard)];
        let option = |(name, word): (&'static str, Signal<String>)| {
            let chosen = move || level().as_deref() == Some(name);
            view! { <option value=name selected=chosen>{word}</option> }
        };
        LEVELS.into_iter().zip(words_of).map(option).collect_view()
    };
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
                // A bot gives up its seat for somebody who has none.
                <Show when=move || (free() || is_bot()) && you.get().seat.is_none()>
                    <button class="primary" on:click=sit>
                        {t!(words, sit_here)}
                    </button>
                </Show>
                <Show when=move || free() && you.get().seat.is_some() && !playing.get()>
                    <button on:click=sit>{t!(words, move_here)}</button>
                </Show>
                <Show when=move || free() && by_host()>
                    <button on:click=move |_| wish(Command::Bot {
                        seat: number,
                        level: kept_level(),
                    })>{t!(words, add_bot)}</button>
                </Show>
                <Show when=move || is_bot() && by_host()>
                    <select
                        aria-label=move || words.with(|phrases| phrases.bot_level(who.get()))
                        on:change=move |event| wish(Command::Bot {
                            seat: number,
                            level: event_target_value(&event),
                        })
                    >
                        {levels}
                    </select>
                </Show>
                <Show when=move || is_bot() && by_host() && !playing.get()>
                    <button on:click=move |_| wish(Command::Empty { seat: number })>
                        {t!(words, remove_bot)}
                    </button>
                </Show>
                <Show when=move || others() && asked.get() != Some(number)>
                    <button class="send-away" on:click=move |_| asked.set(Some(number))>
                        {t!(words, send_away)}
                    </button>
                    <button on:click=move |_| wish(Command::Mute {
                        seat: number,
                        muted: !muted(),
                    })>
                        {move || {
                            words.with(|phrases| match muted() {
                                true => phrases.unmute(),
                                false => phrases.mute(),
                            })
                        }}
                    </button>
                </Show>
            </span>
            <Show when=move || others() && asked.get() == Some(number)>
                <div class="alert" role="alert">
                    <p>{move || words.with(|phrases| phrases.send_away_ask(who.get()))}</p>
                    <p class="row">
                        <button
                            class="primary"
                            id="send-away"
                            node_ref=ends::focused()
                            on:click=move |_| {
                                asked.set(None);
                                wish(Command::Kick { seat: number });
                            }
                        >
                            {t!(words, send_away)}
                        </button>
                        <button on:click=move |_| asked.set(None)>{t!(words, no)}</button>
                    </p>
                </div>
            </Show>
        </li>
    }
}

fn kept_level() -> String {
    storage::read("level").unwrap_or_else(|| "medium".into())
}
