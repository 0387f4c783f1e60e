//! The organiser's desk, in parts that are shown one at a time; and what everybody may see.

use contest::ContestStage;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::entrants::Entrants;
use super::links::Links;
use super::log::Log;
use super::standings::Standings;
use super::tables::Tables;
use super::urn::Urn;
use super::{Summary, use_contest};
use crate::roving_focus::{rove, tab_stop};
use crate::text::{t, use_words};

/// A part of the desk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OrganiserTab {
    Entrants,
    Urn,
    Tables,
    Standings,
    Links,
    Log,
}

impl OrganiserTab {
    const fn id(self) -> &'static str {
        match self {
            OrganiserTab::Entrants => "part-entrants",
            OrganiserTab::Urn => "part-urn",
            OrganiserTab::Tables => "part-tables",
            OrganiserTab::Standings => "part-standings",
            OrganiserTab::Links => "part-links",
            OrganiserTab::Log => "part-log",
        }
    }
}

/// Where somebody begins who opens the page now.
fn first(stage: ContestStage) -> OrganiserTab {
    match stage {
        ContestStage::Entering => OrganiserTab::Entrants,
        ContestStage::Playing { .. } => OrganiserTab::Tables,
        ContestStage::Played { .. } => OrganiserTab::Urn,
        ContestStage::Over => OrganiserTab::Standings,
    }
}

#[component]
pub(super) fn Organiser() -> impl IntoView {
    let words = use_words();
    let parts = vec![
        (OrganiserTab::Entrants, t!(words, hall_entrants)),
        (OrganiserTab::Urn, t!(words, hall_urn)),
        (OrganiserTab::Tables, t!(words, hall_tables)),
        (OrganiserTab::Standings, t!(words, hall_standings)),
        (OrganiserTab::Links, t!(words, hall_links)),
        (OrganiserTab::Log, t!(words, hall_log)),
    ];
    view! { <Parts parts decides=true /> }
}

/// What everybody sees.
#[component]
pub(super) fn Public() -> impl IntoView {
    let words = use_words();
    let parts = vec![
        (OrganiserTab::Tables, t!(words, hall_tables)),
        (OrganiserTab::Standings, t!(words, hall_standings)),
        (OrganiserTab::Log, t!(words, hall_log)),
    ];
    view! { <Parts parts decides=false /> }
}

#[component]
fn Parts(parts: Vec<(OrganiserTab, Signal<String>)>, decides: bool) -> impl IntoView {
    let (hall, words) = (use_contest(), use_words());
    let begins = untrack(|| hall.contest(|contest| Some(first(contest.stage()))));
    let known = |part: &OrganiserTab| parts.iter().any(|(other, _)| other == part);
    let begins = begins.filter(known).unwrap_or(match decides {
        true => OrganiserTab::Entrants,
        false => OrganiserTab::Standings,
    });
    let shown = RwSignal::new(begins);
    let all: Vec<OrganiserTab> = parts.iter().map(|(part, _)| *part).collect();
    let pressed = move |event: KeyboardEvent| {
        if let Some(next) = rove(&event) {
            shown.set(all[next]);
        }
    };
    let tabs = parts.into_iter().map(|(part, name)| {
        view! {
            <button
                type="button"
                role="tab"
                id=part.id()
                tabindex=move || tab_stop(shown.get() == part)
                aria-selected=move || if shown.get() == part { "true" } else { "false" }
                aria-controls="part"
                on:click=move |_| shown.set(part)
            >
                {name}
            </button>
        }
    });
    view! {
        <Summary />
        <div class="parts" role="tablist" aria-label=t!(words, hall_parts) on:keydown=pressed>
            {tabs.collect_view()}
        </div>
        <section id="part" role="tabpanel" aria-labelledby=move || shown.get().id()>
            {move || match shown.get() {
                OrganiserTab::Entrants => view! { <Entrants /> }.into_any(),
                OrganiserTab::Urn => {
                    view! { <Urn drawn=Callback::new(move |()| shown.set(OrganiserTab::Tables)) /> }
                        .into_any()
                }
                OrganiserTab::Tables => view! { <Tables decides /> }.into_any(),
                OrganiserTab::Standings => view! { <Standings /> }.into_any(),
                OrganiserTab::Links => view! { <Links /> }.into_any(),
                OrganiserTab::Log => view! { <Log /> }.into_any(),
            }}
        </section>
    }
}
