//! The player's own tables, past matches, and account.

use leptos::prelude::*;
use leptos::task::spawn_local;
use phrases::Language;
use table_view::past_matches::PastMatchLine;
use wasm_bindgen::JsValue;
use wire::http::{Credentials, Identity, PastMatchSummary};

use crate::api::{self, AccountRefusal, ApiError};
use crate::pages::{Alert, Field, trouble};
use crate::text::{PhraseSignal, t, use_phrases};

#[component]
pub(crate) fn MinePage() -> impl IntoView {
    let phrases = use_phrases();
    let me = RwSignal::new(None::<Identity>);
    let (matches, next) =
        (RwSignal::new(Vec::<PastMatchSummary>::new()), RwSignal::new(None::<String>));
    let known = RwSignal::new(false);
    let failed = RwSignal::new(None::<ApiError>);
    let more = move || {
        let after = next.get_untracked();
        spawn_local(async move {
            match api::history(after.as_deref()).await {
                Ok(page) => {
                    matches.try_update(|matches| matches.extend(page.matches));
                    next.try_set(page.next);
                    known.try_set(true);
                }
                Err(error) => _ = failed.try_set(Some(error)),
            }
        });
    };
    // Loaded again when the player changes, after logging in or out.
    Effect::new(move |before: Option<Option<String>>| {
        let player = me.with(|me| me.as_ref().map(|me| me.player.clone()));
        if player.is_some() && before.flatten() != player {
            matches.set(Vec::new());
            next.set(None);
            more();
        }
        player
    });
    spawn_local(async move {
        match api::session().await {
            Ok(known) => _ = me.try_set(Some(known)),
            Err(error) => _ = failed.try_set(Some(error)),
        }
    });
    let none = move || known.get() && matches.with(Vec::is_empty);
    view! {
        <main class="page narrow">
            <h1>{t!(phrases, mine)}</h1>
            <Alert trouble_now=failed />
            <ul class="tables">{move || own_tables(me)}</ul>
            <h2>{t!(phrases, mine_matches)}</h2>
            <p hidden=move || !none()>{t!(phrases, mine_none)}</p>
            <ul class="tables">
                {move || {
                    matches.with(|all| all.iter().map(|past| one_match(past, phrases)).collect_view())
                }}
            </ul>
            <button hidden=move || next.with(Option::is_none) on:click=move |_| more()>
                {t!(phrases, mine_more)}
            </button>
            <AccountForm me />
        </main>
    }
}

/// The tables at which the player sits.
fn own_tables(me: RwSignal<Option<Identity>>) -> impl IntoView {
    let phrases = use_phrases();
    let tables = me.with(|me| me.as_ref().map(|me| me.tables.clone())).unwrap_or_default();
    let item = |table: String| {
        let address = format!("/t/{table}");
        view! {
            <li>
                <a class="listed" href=address>
                    <strong>{t!(phrases, mine_table)}</strong>
                    <span>{table}</span>
                </a>
            </li>
        }
    };
    tables.into_iter().map(item).collect_view()
}

fn one_match(past: &PastMatchSummary, phrases: PhraseSignal) -> Option<AnyView> {
    let line = phrases.with(|phrases| PastMatchLine::new(past, phrases))?;
    let sides = line.sides.into_iter().map(|(name, score, won)| {
        view! { <span class="side" class:won=won>{name} " " <b>{score}</b></span> }
    });
    let ended = js_sys::Date::new(&JsValue::from_f64(line.ended as f64));
    let language = phrases.with(|phrases| match phrases.language() {
        Language::Romanian => "ro-RO",
        Language::English => "en-GB",
    });
    let ended = String::from(ended.to_locale_date_string(language, &JsValue::UNDEFINED));
    Some(
        view! {
            <li>
                <a class="listed past" href=line.address>
                    <strong>{line.game} " · " {ended}</strong>
                    {sides.collect_view()}
                </a>
            </li>
        }
        .into_any(),
    )
}

/// Registers, logs in, or logs out.
#[component]
fn AccountForm(me: RwSignal<Option<Identity>>) -> impl IntoView {
    let phrases = use_phrases();
    let account = Memo::new(move |_| me.with(|me| me.as_ref().and_then(|me| me.account.clone())));
    let leave = move |_| {
        spawn_local(async move {
            if api::log_out().await.is_ok()
                && let Ok(new_player) = api::session().await
            {
                me.try_set(Some(new_player));
            }
        });
    };
    let signed = Signal::derive(move || account.with(Option::is_some));
    view! {
        <h2>{t!(phrases, account)}</h2>
        <div hidden=move || !signed.get()>
            <p>
                {move || {
                    phrases.with(|phrases| phrases.account_is(account.get().unwrap_or_default()))
                }}
            </p>
            <button on:click=leave>{t!(phrases, log_out)}</button>
        </div>
        <CredentialsForm me signed />
    }
}

/// Registers or logs in.
#[component]
fn CredentialsForm(me: RwSignal<Option<Identity>>, signed: Signal<bool>) -> impl IntoView {
    let phrases = use_phrases();
    let (name, passphrase) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let (busy, refused) = (RwSignal::new(false), RwSignal::new(None::<AccountRefusal>));
    let send = move |new: bool| {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        refused.set(None);
        let given = Credentials {
            name: name.get_untracked().trim().to_owned(),
            passphrase: passphrase.get_untracked(),
        };
        spawn_local(async move {
            let answer = if new { api::register(&given).await } else { api::log_in(&given).await };
            busy.try_set(false);
            match answer {
                Ok(known) => {
                    passphrase.try_set(String::new());
                    me.try_set(Some(known));
                }
                Err(why) => _ = refused.try_set(Some(why)),
            }
        });
    };
    view! {
        <form
            class="form"
            hidden=signed
            on:submit=move |event| {
                event.prevent_default();
                send(false);
            }
        >
            <p>{t!(phrases, account_why)}</p>
            <Field
                label=t!(phrases, account_name)
                value=name
                id="account-name"
                letters=(3, 30)
                autocomplete="username"
            />
            <Field
                label=t!(phrases, account_passphrase)
                value=passphrase
                id="passphrase"
                kind="password"
                letters=(10, 200)
                autocomplete="current-password"
            />
            <p class="alert" role="alert" hidden=move || refused.get().is_none()>
                {move || refused.get().map(|refused| account_refusal(refused, phrases))}
            </p>
            <div class="row">
                <button class="primary" type="submit" disabled=move || busy.get()>
                    {t!(phrases, log_in)}
                </button>
                <button
                    type="button"
                    id="register"
                    disabled=move || busy.get()
                    on:click=move |_| send(true)
                >
                    {t!(phrases, account_new)}
                </button>
            </div>
        </form>
    }
}

fn account_refusal(refused: AccountRefusal, phrases: PhraseSignal) -> String {
    match refused {
        AccountRefusal::Name => phrases.with(|phrases| phrases.account_bad()),
        AccountRefusal::Taken => phrases.with(|phrases| phrases.account_taken()),
        AccountRefusal::Wrong => phrases.with(|phrases| phrases.account_wrong()),
        AccountRefusal::Tries => phrases.with(|phrases| phrases.account_tries()),
        AccountRefusal::Other(other) => trouble(phrases, other),
    }
}
