//! Links with roles, to be sent or shown as QR codes; what can be printed; files for spreadsheets.

use contest::{ContestTableId, EntrantId, Role};
use contest_view::table_name;
use leptos::prelude::*;
use replica::Route;
use replica::route::PRINTED;
use wire::ledger::Ledger;

use super::{ContestContext, qr_svg, use_contest};
use crate::journals::address_of;
use crate::pages::CopyButton;
use crate::table::dialog::Dialog;
use crate::text::{t, use_phrases};

/// The maximum number of players that are listed without a search.
const SHOWN: usize = 40;

/// A link with its title.
#[derive(Clone, PartialEq, Eq, Hash)]
struct LinkCard {
    of: String,
    address: String,
}

#[component]
pub(super) fn LinksTab() -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let shown = RwSignal::new(None::<LinkCard>);
    let referees = Memo::new(move |_| referee_links(context));
    let row = move |link: LinkCard| view! { <LinkRow link shown /> };
    let public_links = move || {
        let public = t!(phrases, contest_page_link_public);
        let wall = t!(phrases, contest_page_link_wall);
        let to_wall = Route::Wall { ledger: context.ledger_id() };
        [
            LinkCard { of: public.get(), address: context.public_link() },
            LinkCard { of: wall.get(), address: context.link(&to_wall) },
        ]
        .map(row)
        .collect_view()
    };
    view! {
        <h2>{t!(phrases, contest_page_for_all)}</h2>
        <ul class="links">{public_links}</ul>
        <h2>{t!(phrases, contest_page_print)}</h2>
        <PrintLinks context />
        <h2>{t!(phrases, contest_page_referees)}</h2>
        <p class="hint">{t!(phrases, contest_page_referees_more)}</p>
        <ul class="links" id="referees">
            <For each=move || referees.get() key=Clone::clone children=row />
        </ul>
        <PlayerLinks shown />
        <h2>{t!(phrases, contest_page_files)}</h2>
        <FileLinks context />
        <QrDialog shown />
    }
}

/// The links of the referees of all tables that are open.
fn referee_links(context: ContestContext) -> Vec<LinkCard> {
    context.describe(|phrases, contest| {
        let last = contest.phases().len().saturating_sub(1);
        let open = contest.phases().iter().enumerate();
        let open = open.filter(|(number, phase)| *number == last || phase.is_reopened());
        let tables = open.flat_map(|(_, phase)| phase.tables());
        let link = |id: ContestTableId| {
            Some(LinkCard {
                of: phrases.contest_table(table_name(id)),
                address: context.link_for(Role::Referee(id))?,
            })
        };
        tables.filter_map(|table| link(table.id())).collect::<Vec<_>>()
    })
}

/// The links of the players whose names contain `sought`.
fn player_links(context: ContestContext, sought: &str) -> Vec<LinkCard> {
    context.contest(|contest| {
        let named = contest.entrants().filter(|(_, entered)| !entered.has_withdrawn());
        let named = named.map(|(entrant, _)| (entrant, contest.name(entrant)));
        let link = |(entrant, of): (EntrantId, String)| {
            Some(LinkCard { of, address: context.link_for(Role::Player(entrant))? })
        };
        let found = named.filter(|(_, name)| name.to_lowercase().contains(sought));
        found.filter_map(link).collect::<Vec<_>>()
    })
}

/// The links of the players, with a search.
#[component]
fn PlayerLinks(shown: RwSignal<Option<LinkCard>>) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let sought = RwSignal::new(String::new());
    let players = Memo::new(move |_| {
        let sought = sought.with(|sought| sought.trim().to_lowercase());
        player_links(context, &sought)
    });
    let row = move |link: LinkCard| view! { <LinkRow link shown /> };
    let left_out = move || players.with(Vec::len).saturating_sub(SHOWN);
    view! {
        <h2>{t!(phrases, contest_page_players)}</h2>
        <p class="hint">{t!(phrases, contest_page_players_more)}</p>
        <input
            type="text"
            id="sought"
            autocomplete="off"
            aria-label=t!(phrases, contest_page_seek)
            placeholder=t!(phrases, contest_page_seek)
            prop:value=sought
            on:input=move |event| sought.set(event_target_value(&event))
        />
        <ul class="links" id="players">
            <For
                each=move || players.with(|all| all[..all.len().min(SHOWN)].to_vec())
                key=Clone::clone
                children=row
            />
        </ul>
        <p class="hint" hidden=move || left_out() == 0>
            {move || phrases.with(|phrases| phrases.contest_page_left_out(left_out()))}
        </p>
    }
}

/// A link as a QR code, in a dialog that is open while there is one.
#[component]
fn QrDialog(shown: RwSignal<Option<LinkCard>>) -> impl IntoView {
    let phrases = use_phrases();
    let open = RwSignal::new(false);
    Effect::new(move |_| {
        if shown.with(Option::is_some) {
            open.set(true);
        }
    });
    Effect::new(move |_| {
        if !open.get() {
            shown.set(None);
        }
    });
    view! {
        <Dialog
            open
            title=Signal::derive(move || shown.get().map(|link| link.of).unwrap_or_default())
        >
            {move || {
                let link = shown.get()?;
                Some(
                    view! {
                        <div
                            class="qr big"
                            role="img"
                            aria-label=t!(phrases, qr_label)
                            inner_html=qr_svg(&link.address)
                        ></div>
                        <p class="address">{link.address}</p>
                    },
                )
            }}
        </Dialog>
    }
}

#[component]
fn LinkRow(link: LinkCard, shown: RwSignal<Option<LinkCard>>) -> impl IntoView {
    let phrases = use_phrases();
    let (address, of) = (link.address.clone(), link.of.clone());
    let label = of.clone();
    let name =
        Signal::derive(move || phrases.with(|phrases| phrases.contest_page_show_qr(label.clone())));
    view! {
        <li>
            <a href=address.clone() target="_blank" rel="noopener">
                {of}
            </a>
            <span class="row">
                <button aria-label=name on:click=move |_| shown.set(Some(link.clone()))>
                    "QR"
                </button>
                <CopyButton text=Signal::stored(address) label=t!(phrases, copy_link) />
            </span>
        </li>
    }
}

/// Links to the print pages.
#[component]
fn PrintLinks(context: ContestContext) -> impl IntoView {
    let phrases = use_phrases();
    let papers = PRINTED.map(|what| {
        let address = Route::Print { ledger: context.ledger_id(), what }.address();
        view! {
            <a class="button" href=address target="_blank">
                {t!(phrases, contest_page_paper, what)}
            </a>
        }
    });
    view! { <div class="row">{papers.collect_view()}</div> }
}

/// Downloads, generated when they are requested.
#[component]
fn FileLinks(context: ContestContext) -> impl IntoView {
    let phrases = use_phrases();
    let word = Memo::new(move |_| context.contest(|contest| contest.settings().word().to_string()));
    let file = move |what: &'static str, kind: &'static str| {
        let address = RwSignal::new(String::new());
        // Generated again at every press, because the contest goes on.
        let make = move || {
            let text = untrack(|| match what {
                "log" => context.connection.look(Ledger::to_lines).unwrap_or_default(),
                "standings" => context.contest(contest::Contest::standings_csv),
                "results" => context.contest(contest::Contest::results_csv),
                "tickets" => context.contest(contest::Contest::tickets_csv),
                _ => context.contest(contest::Contest::draws),
            });
            address.set(address_of(&text));
        };
        view! {
            <a
                class="button"
                href=move || address.get()
                download=move || format!("{}-{what}.{kind}", word.get())
                on:pointerdown=move |_| make()
                on:focus=move |_| make()
            >
                {t!(phrases, contest_page_file_of, what)}
            </a>
        }
    };
    view! {
        <div class="row">
            {file("standings", "csv")} {file("results", "csv")} {file("tickets", "csv")}
            {file("draws", "txt")} {file("log", "contest")}
        </div>
    }
}
