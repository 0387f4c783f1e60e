//! The wall: a large display with the entrants, the draw as it happens, the tables live, who
//! advances, and at the end the places. It needs no input.

use contest::Contest;
use contest_view::board::TableCard;
use contest_view::wall::{Slide, fit, pace, slides, warning};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;

use super::{
    ContestContext, ContestPageState, ContestUnavailable, LoadingPage, LostBanner,
    contest_page_state, qr_svg, use_contest,
};
use crate::connection_loop::ConnectionState;
use crate::settings::use_settings;
use crate::styled::Styled;
use crate::text::{t, use_phrases};

/// How long a slide is shown.
const STAYS_MS: u32 = 9_000;
/// How long a complete draw is shown.
const RESTS_MS: u32 = 6_000;
/// How many tables of a draw are shown at a time.
const TABLES: usize = 8;

#[component]
pub(crate) fn WallPage(ledger: String) -> impl IntoView {
    let ledger = StoredValue::new(ledger);
    view! {
        <Styled style="contest">
            {move || {
                let context = ContestContext::open(&ledger.get_value(), None);
                let page = contest_page_state(context);
                view! {
                    <LostBanner context />
                    {move || match page.get() {
                        ContestPageState::Opening => view! { <LoadingPage /> }.into_any(),
                        ContestPageState::Ended(end) => view! { <ContestUnavailable end /> }.into_any(),
                        ContestPageState::Role(_) => view! { <WallView /> }.into_any(),
                    }}
                }
            }}
        </Styled>
    }
}

/// A draw that is being shown.
#[derive(Clone, PartialEq, Eq)]
struct ShownDraw {
    phase: usize,
    title: String,
    /// The tables, each with its letters and the names of its players.
    tables: Vec<(String, Vec<String>)>,
    byes: Vec<String>,
}

impl ShownDraw {
    fn new(phrases: &phrases::Phrases, contest: &Contest, number: usize) -> Option<ShownDraw> {
        let phase = contest.phases().get(number)?;
        let table = |table: &contest::ContestTable| {
            let names = table.entrants().iter().map(|one| contest.name(*one)).collect();
            (contest::urn::table_letters(table.id().table), names)
        };
        Some(ShownDraw {
            phase: number,
            title: contest_view::phase_name(phrases, contest, number),
            tables: phase.tables().iter().map(table).collect(),
            byes: phase.byes().iter().map(|bye| contest.name(*bye)).collect(),
        })
    }

    fn tickets(&self) -> usize {
        self.tables.iter().map(|(_, names)| names.len()).sum()
    }
}

/// A table with its tickets, each with its number in the draw.
type TableLots = (String, Vec<(usize, String)>);

/// A name, scaled down if it has more letters than fit.
fn wall_name(name: String, letters: usize) -> impl IntoView {
    let size = fit(&name, letters);
    view! {
        <span class:long={size < 100} style=format!("--fit: {size}%")>
            {name}
        </span>
    }
}

/// How many letters of a name fit, depending on the number of tables.
const fn letters_that_fit(tables: usize) -> usize {
    match tables {
        0..=2 => 22,
        3 | 5 | 6 => 19,
        4 => 32,
        _ => 15,
    }
}

/// Whether animations are allowed.
fn moves() -> bool {
    let still = window().match_media("(prefers-reduced-motion: reduce)").ok().flatten();
    let still = still.is_some_and(|still| still.matches());
    use_settings().with_untracked(|settings| settings.motion) && !still
}

#[component]
fn WallView() -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let title = Memo::new(move |_| context.contest(|c| c.settings().title().to_string()));
    let stage = Memo::new(move |_| context.describe(contest_view::stage));
    let slides = Memo::new(move |_| context.describe(slides));
    let warning = Memo::new(move |_| context.describe(warning));
    let drawing = follow_draws(context);
    let at = turn_slides(slides, drawing);
    let commitment = Memo::new(move |_| {
        context.contest(|contest| contest.commitment().map(ToString::to_string))
    });
    let slide = Memo::new(move |_| {
        let at = at.get();
        slides.with(|slides| slides.get(at.min(slides.len().saturating_sub(1))).cloned())
    });
    let pages = move || {
        let all = slides.with(Vec::len);
        let at = at.get().min(all.saturating_sub(1));
        (0..all).map(|dot| view! { <i class:here=dot == at></i> }).collect_view()
    };
    let link = context.public_link();
    view! {
        <main class="wall">
            <header>
                <h1>{move || wall_name(title.get(), 32)}</h1>
                <p role="status">{move || stage.get()}</p>
            </header>
            <p class="warning" role="alert" hidden=move || warning.with(Option::is_none)>
                {move || warning.get()}
            </p>
            <div class="scene">
                {move || match drawing.get() {
                    Some(draw) => view! { <DrawView draw drawing /> }.into_any(),
                    None => view! { <SlideView slide /> }.into_any(),
                }}
            </div>
            <footer>
                <div
                    class="qr"
                    role="img"
                    aria-label=t!(phrases, qr_label)
                    inner_html=qr_svg(&link)
                ></div>
                <p class="follow">{t!(phrases, contest_page_follow)}</p>
                <p class="commitment" hidden=move || commitment.with(Option::is_none)>
                    <span>{t!(phrases, contest_page_committed)}</span>
                    <code>{move || commitment.get()}</code>
                </p>
                <p class="dots" aria-hidden="true" hidden=move || {
                    drawing.with(Option::is_some) || slides.with(Vec::len) < 2
                }>
                    {pages}
                </p>
            </footer>
        </main>
    }
}

/// The draw to show: only one that happens while the wall is open.
fn follow_draws(context: ContestContext) -> RwSignal<Option<ShownDraw>> {
    let drawing = RwSignal::new(None::<ShownDraw>);
    let drawn = Memo::new(move |_| {
        let live = context.connection.state.get() == ConnectionState::Live;
        context.contest(|contest| Some((contest.phases().len(), contest.voided().len(), live)))
    });
    Effect::new(move |before: Option<Option<(usize, usize, bool)>>| {
        let now = drawn.get();
        if let (Some(Some((phases, _, true))), Some((more, ..))) = (before, now)
            && more > phases
            && moves()
        {
            drawing.set(untrack(|| {
                context.describe(|phrases, contest| ShownDraw::new(phrases, contest, more - 1))
            }));
        }
        // The draw that is being shown may have been voided.
        let gone = drawing.with_untracked(|draw| {
            draw.as_ref().is_some_and(|draw| now.is_none_or(|(phases, ..)| draw.phase >= phases))
        });
        if gone {
            drawing.set(None);
        }
        now
    });
    drawing
}

/// Which slide is shown: the next one every few seconds.
fn turn_slides(slides: Memo<Vec<Slide>>, drawing: RwSignal<Option<ShownDraw>>) -> RwSignal<usize> {
    let at = RwSignal::new(0_usize);
    let kind = Memo::new(move |_| {
        slides
            .with(|slides| slides.first().map(core::mem::discriminant))
            .map(|kind| (kind, slides.with(Vec::len)))
    });
    // A new kind of slide starts with the first one.
    Effect::new(move |_| {
        kind.track();
        at.set(0);
    });
    spawn_local(async move {
        loop {
            TimeoutFuture::new(STAYS_MS).await;
            let Some(all) = slides.try_with_untracked(Vec::len) else { return };
            if drawing.try_with_untracked(Option::is_some) == Some(false) {
                at.try_update(|at| *at = (*at + 1) % all.max(1));
            }
        }
    });
    at
}

#[component]
fn SlideView(slide: Memo<Option<Slide>>) -> impl IntoView {
    move || {
        Some(match slide.get()? {
            Slide::Names { title, names } => names_slide(title, names),
            Slide::Tables { title, tables, byes } => tables_slide(title, tables, byes),
            Slide::Standings { title, rows } => standings_slide(title, rows),
            Slide::Podium { places } => podium_slide(places),
        })
    }
}

fn names_slide(title: String, names: Vec<String>) -> AnyView {
    let many = match names.len() {
        0..=8 => "few",
        9..=18 => "some",
        _ => "many",
    };
    let names = names.into_iter().map(|name| view! { <li>{wall_name(name, 19)}</li> });
    view! {
        <h2>{title}</h2>
        <ul class="names" data-many=many>
            {names.collect_view()}
        </ul>
    }
    .into_any()
}

fn tables_slide(title: String, tables: Vec<TableCard>, byes: String) -> AnyView {
    let count = tables.len();
    let tables = tables.into_iter().map(|card| {
        let places = card.places.into_iter().map(|place| {
            view! {
                <li class=place.class>
                    {wall_name(place.name, letters_that_fit(count))}
                    <small>{place.play_offs}</small>
                    <b>{place.shown}</b>
                </li>
            }
        });
        view! {
            <article data-status=card.status data-table=card.code>
                <h3>{card.name}</h3>
                <p>{card.status_text}</p>
                <ol>{places.collect_view()}</ol>
            </article>
        }
    });
    view! {
        <h2>{title}</h2>
        <div class="wall-tables" style=format!("--tables: {count}") data-tables=count>
            {tables.collect_view()}
        </div>
        <p class="resting">{byes}</p>
    }
    .into_any()
}

fn standings_slide(title: String, rows: Vec<[String; 4]>) -> AnyView {
    let rows = rows.into_iter().map(|[place, name, state, score]| {
        view! {
            <li>
                <b>{place}</b>
                {wall_name(name, 22)}
                <small>{state}</small>
                <i>{score}</i>
            </li>
        }
    });
    view! {
        <h2>{title}</h2>
        <ol class="wall-standings">{rows.collect_view()}</ol>
    }
    .into_any()
}

fn podium_slide(places: Vec<(usize, String, String)>) -> AnyView {
    let phrases = use_phrases();
    let places = places.into_iter().map(|(rank, name, score)| {
        view! {
            <li data-place=rank>
                {wall_name(name, 12)}
                <small>{score}</small>
                <b>{rank}</b>
            </li>
        }
    });
    view! {
        <h2>{t!(phrases, contest_page_podium)}</h2>
        <ol class="podium">{places.collect_view()}</ol>
    }
    .into_any()
}

/// The draw: one name after the other moves from the urn to its place.
#[component]
fn DrawView(draw: ShownDraw, drawing: RwSignal<Option<ShownDraw>>) -> impl IntoView {
    let phrases = use_phrases();
    let all = draw.tickets();
    let each = pace(all);
    let drawn = count_tickets(all, each, drawing);
    let pictures = pictures(&draw.tables);
    let firsts: Vec<usize> = pictures.iter().map(|(first, _)| *first).collect();
    let picture = Memo::new(move |_| {
        let drawn = drawn.get();
        firsts.iter().rposition(|first| *first < drawn.max(1)).unwrap_or_default()
    });
    let pictures = StoredValue::new(pictures);
    let urn = NodeRef::<leptos::html::Div>::new();
    let tables = move || {
        let (_, tables) = pictures.with_value(|pictures| pictures.get(picture.get()).cloned())?;
        let count = tables.len();
        let place = move |(number, name)| {
            view! { <TicketPlace number name letters=letters_that_fit(count) drawn urn /> }
        };
        let one = |(letters, names): TableLots| {
            view! {
                <article>
                    <h3>{t!(phrases, contest_table, letters.clone())}</h3>
                    <ol>{names.into_iter().map(place).collect_view()}</ol>
                </article>
            }
        };
        Some(view! {
            <div class="wall-tables" style=format!("--tables: {count}") data-tables=count>
                {tables.into_iter().map(one).collect_view()}
            </div>
        })
    };
    let byes = draw.byes.clone();
    let byes = move || {
        let done = drawn.get() >= all && !byes.is_empty();
        done.then(|| phrases.with(|phrases| phrases.contest_byes(phrases.list_and(&byes))))
    };
    let speed = format!("--each: {}ms", each.clamp(220, 1_700));
    view! {
        <h2>{draw.title} " · " {t!(phrases, contest_page_drawing)}</h2>
        <div class="drawing" style=speed>
            {tables}
            <p class="byes">{byes}</p>
            <div class="urn" node_ref=urn aria-hidden="true">
                <svg viewBox="0 0 120 110">
                    <path d="M22 26 Q60 38 98 26 Q112 62 88 98 Q60 108 32 98 Q8 62 22 26Z"></path>
                    <ellipse cx="60" cy="24" rx="40" ry="10"></ellipse>
                </svg>
                <b>{move || all - drawn.get()}</b>
            </div>
        </div>
    }
}

/// Counts the tickets that have been drawn; the last one is moving. Ends the draw after the last.
fn count_tickets(all: usize, each: u32, drawing: RwSignal<Option<ShownDraw>>) -> RwSignal<usize> {
    let drawn = RwSignal::new(0_usize);
    spawn_local(async move {
        for number in 1..=all {
            if drawn.try_set(number).is_some() {
                return;
            }
            TimeoutFuture::new(each).await;
        }
        TimeoutFuture::new(RESTS_MS).await;
        if drawn.try_get_untracked().is_some() {
            drawing.try_set(None);
        }
    });
    drawn
}

/// The tables that are shown at a time, with the number of tickets before them.
fn pictures(tables: &[(String, Vec<String>)]) -> Vec<(usize, Vec<TableLots>)> {
    let mut number = 0;
    let picture = |tables: &[(String, Vec<String>)]| {
        let first = number;
        let of_picture = tables.iter().map(|(letters, names)| {
            let names = names.iter().map(|name| {
                number += 1;
                (number, name.clone())
            });
            (letters.clone(), names.collect())
        });
        (first, of_picture.collect())
    };
    tables.chunks(TABLES).map(picture).collect()
}

/// A place at a table, to which its name moves from the urn when its ticket is drawn.
#[component]
fn TicketPlace(
    number: usize,
    name: String,
    letters: usize,
    drawn: RwSignal<usize>,
    urn: NodeRef<leptos::html::Div>,
) -> impl IntoView {
    let size = fit(&name, letters);
    let place = NodeRef::<leptos::html::Span>::new();
    // The name starts at the position of the urn, relative to its place.
    Effect::new(move |_| {
        if drawn.get() != number {
            return;
        }
        let (Some(place), Some(urn)) = (place.get_untracked(), urn.get_untracked()) else {
            return;
        };
        let (from, to) = (urn.get_bounding_client_rect(), place.get_bounding_client_rect());
        let x = from.left() + from.width() / 2.0 - to.left() - to.width() / 2.0;
        let y = from.top() - to.top();
        let style: web_sys::CssStyleDeclaration =
            place.unchecked_ref::<web_sys::HtmlElement>().style();
        let _ = style.set_property("--x", &format!("{x:.0}px"));
        let _ = style.set_property("--y", &format!("{y:.0}px"));
    });
    view! {
        <li>
            <span
                node_ref=place
                class="lot"
                class:long={size < 100}
                style=format!("--fit: {size}%")
                class:out=move || { drawn.get() >= number }
                class:last=move || drawn.get() == number
            >
                {name}
            </span>
        </li>
    }
}
