//! Before the match: the link to the table, and the seats.

use leptos::prelude::*;
use leptos::task::spawn_local;
use qrcode::QrCode;
use qrcode::render::svg;
use replica::Route;
use wire::table::TableCommand;

use super::seats::SeatList;
use super::use_table;
use crate::api;
use crate::pages::{CopyButton, HouseRulesForm};
use crate::text::{t, use_phrases};

#[component]
pub(super) fn WaitingPage() -> impl IntoView {
    let (table, phrases) = (use_table(), use_phrases());
    let you = Memo::new(move |_| table.state(|state| state.you).unwrap_or_default());
    let rules = Memo::new(move |_| {
        table.state(|state| game::Rules::from_code(&state.rules).ok()).flatten()
    });
    let rules_words = move || {
        let rules = rules.get()?;
        Some(phrases.with(|phrases| phrases.title(&rules)))
    };
    let is_known = Memo::new(move |_| rules.with(Option::is_some));
    let house = move || {
        let first = is_known.get().then(|| rules.get_untracked()).flatten()?;
        let choose =
            move |chosen: game::Rules| table.connection.send(TableCommand::Rules(chosen.code()));
        Some(view! {
            <HouseRulesForm
                rules=Signal::derive(move || rules.get().unwrap_or(first))
                choose=Callback::new(choose)
                fixed=Signal::derive(move || !you.get().host)
                seats=true
                invites=true
                typed=None
            />
        })
    };
    // A contest has its own links and rules, and the match begins when all players have come.
    let contest = Memo::new(move |_| table.state(|state| state.contest.is_some()).unwrap_or(false));
    let awaited = move || match contest.get() {
        true => phrases.with(|phrases| phrases.waits_for_contest()),
        false => phrases.with(|phrases| phrases.waits_for_host()),
    };
    view! {
        <main class="page narrow waiting">
            <h1>{t!(phrases, waiting_title)}</h1>
            <p class="lead">{rules_words}</p>
            <Show when=move || !contest.get()>
                <Invitation />
            </Show>
            {house}
            <SeatList />
            <ContestLink />
            <Show when=move || you.get().host fallback=move || view! { <p>{awaited}</p> }>
                <button
                    class="primary large"
                    id="start"
                    disabled=move || you.get().seat.is_none()
                    on:click=move |_| table.connection.send(TableCommand::Start)
                >
                    {t!(phrases, start_match)}
                </button>
                <p class="hint">{t!(phrases, start_more)}</p>
            </Show>
            <Show when=move || you.get().seat.is_some() && !contest.get()>
                <button class="quiet" on:click=move |_| table.connection.send(TableCommand::Leave)>
                    {t!(phrases, stand_up)}
                </button>
            </Show>
        </main>
    }
}

/// A link to the contest to which the table belongs.
#[component]
pub(super) fn ContestLink() -> impl IntoView {
    let (table, phrases) = (use_table(), use_phrases());
    let contest = Memo::new(move |_| table.state(|state| state.contest.clone()).flatten());
    move || {
        let route = Route::Contest { ledger: contest.get()?, role_key: None };
        Some(view! {
            <a class="button" id="to-contest" href=route.address()>
                {t!(phrases, to_contest)}
            </a>
        })
    }
}

/// The invitation link, as text and as a QR code.
#[component]
pub(super) fn Invitation() -> impl IntoView {
    let (table, phrases) = (use_table(), use_phrases());
    let address = RwSignal::new(None::<String>);
    // The space is reserved while the link is fetched, so that no button moves.
    let expected = RwSignal::new(true);
    // Whether the host has requested a new link. The table only reports that something changed, so
    // it is fetched until it is different.
    let renewed = RwSignal::new(false);
    let not_host = Memo::new(move |_| !table.state(|state| state.you.host).unwrap_or_default());
    Effect::new(move |_| {
        let Some(table) = table.state(|state| state.table.clone()) else { return };
        if address.with_untracked(Option::is_some) && !renewed.get_untracked() {
            return;
        }
        spawn_local(async move {
            let Ok(link) = api::link(&table).await else {
                expected.try_set(false);
                return;
            };
            let origin = window().location().origin().unwrap_or_default();
            let route = Route::Table { table: link.table, key: Some(link.key) };
            let now = Some(format!("{origin}{}", route.address()));
            if address.try_get_untracked().is_some_and(|before| before != now) {
                renewed.try_set(false);
                address.try_set(now);
            }
        });
    });
    let qr = move || {
        let code = QrCode::new(address.get()?).ok()?;
        let text = code.render::<svg::Color>().min_dimensions(160, 160).build();
        // An XML declaration is not allowed inside a page.
        Some(text.split_once("?>").map_or(text.clone(), |(_, svg)| svg.to_owned()))
    };
    view! {
        <Show when=move || expected.get()>
            <div class="invitation">
                <div class="qr" role="img" aria-label=t!(phrases, qr_label) inner_html=qr></div>
                <div>
                    <p>{t!(phrases, invite_more)}</p>
                    <p class="row">
                        <input
                            type="text"
                            readonly
                            id="link"
                            aria-label=t!(phrases, table_link)
                            prop:value=move || address.get().unwrap_or_default()
                        />
                        <CopyButton
                            text=Signal::derive(move || address.get().unwrap_or_default())
                            label=t!(phrases, copy_link)
                        />
                    </p>
                    <button
                        id="relink"
                        hidden=not_host
                        on:click=move |_| {
                            renewed.set(true);
                            table.connection.send(TableCommand::Relink);
                        }
                    >
                        {t!(phrases, relink)}
                    </button>
                </div>
            </div>
        </Show>
    }
}
