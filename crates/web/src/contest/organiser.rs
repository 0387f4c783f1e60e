//! The organiser's desk, in parts that are shown one at a time; and what everybody may see.

use contest::Stage;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::entrants::Entrants;
use super::links::Links;
use super::log::Log;
use super::standings::Standings;
use super::tables::Tables;
use super::urn::Urn;
use super::{Summary, hall};
use crate::rove::{rove, tab_stop};
use crate::text::{t, words};

/// A part of the desk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Entrants,
    Urn,
    Tables,
    Standings,
    Links,
    Log,
}

impl Part {
    const fn id(self) -> &'static str {
        match self {
            Part::Entrants => "part-entrants",
            Part::Urn => "part-urn",
            Part::Tables => "part-tables",
            Part::Standings => "part-standings",
            Part::Links => "part-links",
            Part::Log => "part-log",
        }
    }
}

/// Where somebody begins who opens the page now.
fn first(stage: Stage) -> Part {
    match stage {
        Stage::Entering => Part::Entrants,
        Stage::Playing { .. } => Part::Tables,
        Stage::Played { .. } => Part::Urn,
        Stage::Over => Part::Standings,
    }
}

#[component]
pub(super) fn Organiser() -> impl IntoView {
    let words = words();
    let parts = vec![
        (Part::Entrants, t!(words, hall_entrants)),
        (Part::Urn, t!(words, hall_urn)),
        (Part::Tables, t!(words, hall_tables)),
        (Part::Standings, t!(words, hall_standings)),
        (Part::Links, t!(words, hall_links)),
        (Part::Log, t!(words, hall_log)),
    ];
    view! { <Parts parts decides=true /> }
}

/// What everybody sees.
#[component]
pub(super) fn Public() -> impl IntoView {
    let words = words();
    let parts = vec![
        (Part::Tables, t!(words, hall_tables)),
        (Part::Standings, t!(words, hall_standings)),
        (Part::Log, t!(words, hall_log)),
    ];
    view! { <Parts parts decides=false /> }
}

#[component]
fn Parts(parts: Vec<(Part, Signal<String>)>, decides: bool) -> impl IntoView {
    let (hall, words) = (hall(), words());
    let begins = untrack(|| hall.contest(|contest| Some(first(contest.stage()))));
    let known = |part: &Part| parts.iter().any(|(other, _)| other == part);
    let begins = begins.filter(known).unwrap_or(match decides {
        true => Part::Entrants,
        false => Part::Standings,
    });
    let shown = RwSignal::new(begins);
    let all: Vec<Part> = parts.iter().map(|(part, _)| *part).collect();
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
                Part::Entrants => view! { <Entrants /> }.into_any(),
                Part::Urn => {
                    view! { <Urn drawn=Callback::new(move |()| shown.set(Part::Tables)) /> }
                        .into_any()
                }
                Part::Tables => view! { <Tables decides /> }.into_any(),
                Part::Standings => view! { <Standings /> }.into_any(),
                Part::Links => view! { <Links /> }.into_any(),
                Part::Log => view! { <Log /> }.into_any(),
            }}
        </section>
    }
}
