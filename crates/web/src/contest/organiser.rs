//! The organiser's page, in tabs, and the public page.

use contest::ContestStage;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::entrants::EntrantsTab;
use super::links::LinksTab;
use super::log::LogTab;
use super::standings::StandingsTable;
use super::tables::PhaseTables;
use super::urn::UrnTab;
use super::{ContestSummary, use_contest};
use crate::roving_focus::{move_focus, tab_stop};
use crate::text::{t, use_phrases};

/// A tab.
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

/// The tab that is shown first.
fn first(stage: ContestStage) -> OrganiserTab {
    match stage {
        ContestStage::Entering => OrganiserTab::Entrants,
        ContestStage::Playing { .. } => OrganiserTab::Tables,
        ContestStage::Played { .. } => OrganiserTab::Urn,
        ContestStage::Over => OrganiserTab::Standings,
    }
}

#[component]
pub(super) fn OrganiserView() -> impl IntoView {
    let phrases = use_phrases();
    let parts = vec![
        (OrganiserTab::Entrants, t!(phrases, contest_page_entrants)),
        (OrganiserTab::Urn, t!(phrases, contest_page_urn)),
        (OrganiserTab::Tables, t!(phrases, contest_page_tables)),
        (OrganiserTab::Standings, t!(phrases, contest_page_standings)),
        (OrganiserTab::Links, t!(phrases, contest_page_links)),
        (OrganiserTab::Log, t!(phrases, contest_page_log)),
    ];
    view! { <ContestTabs parts decides=true /> }
}

/// The page of every viewer without a role.
#[component]
pub(super) fn PublicView() -> impl IntoView {
    let phrases = use_phrases();
    let parts = vec![
        (OrganiserTab::Tables, t!(phrases, contest_page_tables)),
        (OrganiserTab::Standings, t!(phrases, contest_page_standings)),
        (OrganiserTab::Log, t!(phrases, contest_page_log)),
    ];
    view! { <ContestTabs parts decides=false /> }
}

#[component]
fn ContestTabs(parts: Vec<(OrganiserTab, Signal<String>)>, decides: bool) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let begins = untrack(|| context.contest(|contest| Some(first(contest.stage()))));
    let known = |part: &OrganiserTab| parts.iter().any(|(other, _)| other == part);
    let begins = begins.filter(known).unwrap_or(match decides {
        true => OrganiserTab::Entrants,
        false => OrganiserTab::Standings,
    });
    let shown = RwSignal::new(begins);
    let all: Vec<OrganiserTab> = parts.iter().map(|(part, _)| *part).collect();
    let pressed = move |event: KeyboardEvent| {
        if let Some(next) = move_focus(&event) {
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
        <ContestSummary />
        <div class="parts" role="tablist" aria-label=t!(phrases, contest_page_parts) on:keydown=pressed>
            {tabs.collect_view()}
        </div>
        <section id="part" role="tabpanel" aria-labelledby=move || shown.get().id()>
            {move || match shown.get() {
                OrganiserTab::Entrants => view! { <EntrantsTab /> }.into_any(),
                OrganiserTab::Urn => {
                    view! { <UrnTab drawn=Callback::new(move |()| shown.set(OrganiserTab::Tables)) /> }
                        .into_any()
                }
                OrganiserTab::Tables => view! { <PhaseTables decides /> }.into_any(),
                OrganiserTab::Standings => view! { <StandingsTable /> }.into_any(),
                OrganiserTab::Links => view! { <LinksTab /> }.into_any(),
                OrganiserTab::Log => view! { <LogTab /> }.into_any(),
            }}
        </section>
    }
}
