//! A contest on paper: tickets to cut out, a score sheet for each table, the bracket, and the final
//! list. The screen shows the pages as they are printed.

use contest::{Contest, ContestTable, Role};
use contest_view::board::{PhaseCard, TableCard};
use contest_view::wall::fit;
use game::Rules;
use leptos::prelude::*;
use phrases::layout::total;
use replica::Route;
use replica::route::PRINTED;

use super::tables::{ShownPhase, shown_phase};
use super::{
    ContestContext, ContestPageState, ContestUnavailable, LoadingPage, LostBanner,
    contest_page_state, known_contests, qr_svg, use_contest,
};
use crate::styled::Styled;
use crate::text::{t, use_phrases};

/// How many tickets fit on a page.
const TICKETS: usize = 10;
/// How many rows of the final list fit on a page.
const ROWS: usize = 38;
/// How many tables of the bracket fit side by side, and how many rows of them on a page.
const ACROSS: usize = 3;
const ROWS_OF_TABLES: usize = 7;
/// How many lines an empty score sheet of Cruce has.
const LINES: usize = 24;
/// The width of a page on the screen, with a margin.
const PAPER_PX: f64 = 794.0 + 16.0;

#[component]
pub(crate) fn PrintPage(ledger: String, what: &'static str) -> impl IntoView {
    let ledger = StoredValue::new(ledger);
    view! {
        <Styled style="contest">
            {move || {
                let name = ledger.get_value();
                let context = ContestContext::open(&name, known_contests::best(&name));
                let page = contest_page_state(context);
                view! {
                    <LostBanner context />
                    {move || match page.get() {
                        ContestPageState::Opening => view! { <LoadingPage /> }.into_any(),
                        ContestPageState::Ended(end) => view! { <ContestUnavailable end /> }.into_any(),
                        ContestPageState::Role(_) => view! { <PrintPreview what /> }.into_any(),
                    }}
                }
            }}
        </Styled>
    }
}

#[component]
fn PrintPreview(what: &'static str) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let ShownPhase { phases, phase, choice } = shown_phase();
    let choice = matches!(what, "tickets" | "sheets").then_some(choice);
    let others = PRINTED.map(|other| {
        let address = Route::Print { ledger: context.ledger_id(), what: other }.address();
        let current = (other == what).then_some("page");
        view! {
            <a class="button" href=address aria-current=current>
                {t!(phrases, contest_page_paper, other)}
            </a>
        }
    });
    let sheets = move || match what {
        "tickets" => tickets(context, phase.get()),
        "sheets" => sheets(context, phase.get()),
        "bracket" => bracket(context),
        _ => final_list(context),
    };
    let zoom = zoom();
    let empty = Memo::new(move |_| phases.with(Vec::is_empty));
    let organises = move || context.role() == Role::Organiser;
    let back = Route::Contest { ledger: context.ledger_id(), role_key: None }.address();
    view! {
        <main class="printing">
            <div class="page screen-only">
                <p>
                    <a href=back>{t!(phrases, contest_page_back)}</a>
                </p>
                <div class="row">{others.collect_view()}</div>
                {choice}
                <p class="notice" hidden=organises>
                    {t!(phrases, contest_page_print_public)}
                </p>
                <p class="empty" hidden=move || !empty.get()>
                    {t!(phrases, contest_page_no_tables)}
                </p>
                <button
                    class="primary large"
                    id="print"
                    hidden=move || empty.get()
                    on:click=move |_| {
                        let _ = window().print();
                    }
                >
                    {t!(phrases, contest_page_print_now)}
                </button>
            </div>
            <div class="sheets" data-what=what style=move || format!("--zoom: {:.3}", zoom.get())>
                {sheets}
            </div>
        </main>
    }
}

/// The scale at which pages fit the width of the screen.
fn zoom() -> Signal<f64> {
    let measure = || {
        let width = window().inner_width().ok().and_then(|width| width.as_f64());
        width.map_or(1.0, |width| (width / PAPER_PX).min(1.0))
    };
    let zoom = RwSignal::new(measure());
    let resized = window_event_listener(leptos::ev::resize, move |_| zoom.set(measure()));
    on_cleanup(move || resized.remove());
    zoom.into()
}

/// A name, scaled down if it has more letters than fit.
fn paper_name(name: String, letters: usize) -> impl IntoView {
    let size = format!("font-size: {}%", fit(&name, letters));
    view! { <span style=size>{name}</span> }
}

fn title(contest: &Contest) -> String {
    contest.settings().title().to_string()
}

/// Pages of at most `most` items each.
fn pages<T: Clone + 'static>(
    all: Vec<T>,
    most: usize,
    class: &'static str,
    draw: impl Fn(T) -> AnyView,
) -> AnyView {
    let page = |things: &[T]| {
        let things: Vec<AnyView> = things.iter().cloned().map(&draw).collect();
        view! {
            <section class="sheet-of-paper">
                <div class=class>{things}</div>
            </section>
        }
    };
    all.chunks(most).map(page).collect_view().into_any()
}

/// Tickets: who plays where, with a QR code that opens the player's page.
fn tickets(context: ContestContext, phase: usize) -> AnyView {
    let all = context.describe(|phrases, contest| {
        let drawn =
            contest.phases().get(phase).map(contest::ContestPhase::tables).unwrap_or_default();
        let of_phase = contest_view::phase_name(phrases, contest, phase);
        let head = format!("{} · {of_phase}", title(contest));
        let tickets = drawn.iter().flat_map(ContestTable::tickets);
        let ticket = tickets.map(|(ticket, entrant)| {
            let link =
                context.link_for(Role::Player(entrant)).unwrap_or_else(|| context.public_link());
            (head.clone(), ticket.to_string(), contest.name(entrant), link)
        });
        ticket.collect::<Vec<_>>()
    });
    pages(all, TICKETS, "tickets", |(head, ticket, name, link)| {
        view! {
            <article class="cut">
                <div>
                    <small>{head}</small>
                    <b>{ticket}</b>
                    <span>
                        {paper_name(name, 34)}
                    </span>
                </div>
                <div class="qr" inner_html=qr_svg(&link)></div>
            </article>
        }
        .into_any()
    })
}

/// An empty score sheet for each table, with a QR code for the referee.
fn sheets(context: ContestContext, phase: usize) -> AnyView {
    let all = context.describe(|phrases, contest| {
        let drawn =
            contest.phases().get(phase).map(contest::ContestPhase::tables).unwrap_or_default();
        let of_phase = contest_view::phase_name(phrases, contest, phase);
        let sheet = |table: &ContestTable| {
            let link = context.link_for(Role::Referee(table.id()));
            BlankSheet {
                head: format!("{} · {of_phase}", title(contest)),
                card: TableCard::new(phrases, contest, table),
                link: link.unwrap_or_else(|| context.public_link()),
                cards: match table.rules() {
                    Rules::Whist(whist) => {
                        Some((0..).map_while(|at| whist.cards_each(at)).collect())
                    }
                    Rules::Cruce(_) => None,
                },
            }
        };
        drawn.iter().map(sheet).collect::<Vec<_>>()
    });
    pages(all, 1, "whole", move |sheet| blank_sheet(context, sheet))
}

/// An empty score sheet.
#[derive(Clone)]
struct BlankSheet {
    head: String,
    card: TableCard,
    link: String,
    /// The number of cards of each deal, which is known in whist.
    cards: Option<Vec<usize>>,
}

fn blank_sheet(context: ContestContext, sheet: BlankSheet) -> AnyView {
    let phrases = context.phrases;
    let BlankSheet { head, card, link, cards } = sheet;
    let names = card.places.iter().map(|place| {
        view! {
            <th>
                <small>{place.ticket.clone()}</small>
                {paper_name(place.name.clone(), 26)}
            </th>
        }
    });
    let names = names.collect_view();
    let columns = card.places.len();
    let what = if cards.is_some() { "cards" } else { "bid" };
    let lines: Vec<Option<usize>> = match cards {
        Some(cards) => cards.into_iter().map(Some).collect(),
        None => vec![None; LINES],
    };
    let blank = move || (0..columns).map(|_| view! { <td></td> }).collect_view();
    let line = move |(at, cards): (usize, Option<usize>)| {
        view! {
            <tr>
                <th>{at + 1}</th>
                <td>{cards}</td>
                {blank()}
            </tr>
        }
    };
    let row = move |label: &'static str| {
        view! {
            <tr class="sums">
                <th colspan="2">{t!(phrases, contest_page_sheet_row, label)}</th>
                {blank()}
            </tr>
        }
    };
    let sums = match card.punishes {
        true => vec!["penalties", "total", "play_off", "sign"],
        false => vec!["total", "play_off", "sign"],
    };
    view! {
        <article class="blank">
            <header>
                <div>
                    <small>{head}</small>
                    <h2>{card.name}</h2>
                    <p>{card.deals}</p>
                </div>
                <div class="qr" inner_html=qr_svg(&link)></div>
            </header>
            <table>
                <thead>
                    <tr>
                        <th>{t!(phrases, contest_page_sheet_row, "number")}</th>
                        <th>{t!(phrases, contest_page_sheet_row, what)}</th>
                        {names}
                    </tr>
                </thead>
                <tbody>{lines.into_iter().enumerate().map(line).collect_view()}</tbody>
                <tfoot>{sums.into_iter().map(row).collect_view()}</tfoot>
            </table>
            <p class="signed">{t!(phrases, contest_page_referee_signs)}</p>
        </article>
    }
    .into_any()
}

/// A part of a phase that is printed on one page: its title, its tables, and notes.
type PrintedPart = (String, Vec<TableCard>, String);

/// Every phase with its tables and results; small phases share a page.
fn bracket(context: ContestContext) -> AnyView {
    let mut pages: Vec<Vec<PrintedPart>> = Vec::new();
    let mut room = 0;
    for (head, notes, tables) in context.describe(phases) {
        for tables in tables.chunks(ACROSS * (ROWS_OF_TABLES - 1)) {
            // The title is about as high as a row of tables.
            let rows = 1 + tables.len().div_ceil(ACROSS);
            let part = (head.clone(), tables.to_vec(), notes.clone());
            match pages.last_mut().filter(|_| rows <= room) {
                Some(page) => page.push(part),
                None => {
                    pages.push(vec![part]);
                    room = ROWS_OF_TABLES;
                }
            }
            room -= rows;
        }
    }
    let part = |(head, tables, notes): PrintedPart| {
        view! {
            <h2>{head}</h2>
            <div class="stages">{tables.iter().map(on_paper).collect_view()}</div>
            <p>{notes}</p>
        }
    };
    let page = |parts: Vec<PrintedPart>| {
        let parts = parts.into_iter().map(part).collect_view();
        view! { <section class="sheet-of-paper">{parts}</section> }
    };
    pages.into_iter().map(page).collect_view().into_any()
}

/// The phases with their titles, notes and tables: the byes, and whether the draw comes from a file.
fn phases(phrases: &phrases::Phrases, contest: &Contest) -> Vec<(String, String, Vec<TableCard>)> {
    let cards = PhaseCard::all(phrases, contest).into_iter();
    let of_phase = cards.map(|phase| {
        let tables = TableCard::of_phase(phrases, contest, phase.phase);
        let notes = format!("{} {}", phase.byes, phase.imported);
        (format!("{} · {}", title(contest), phase.name), notes.trim().to_owned(), tables)
    });
    of_phase.collect()
}

/// A table of the bracket.
fn on_paper(card: &TableCard) -> impl IntoView + use<> {
    let places = card.places.iter().map(|place| {
        view! {
            <li class=place.class>
                <span>
                    {paper_name(place.name.clone(), 17)}
                </span>
                <small>{place.play_offs.clone()}</small>
                <b>{place.shown.clone()}</b>
            </li>
        }
    });
    view! {
        <article>
            <h3>{card.name.clone()}</h3>
            <ol>{places.collect_view()}</ol>
        </article>
    }
}

/// Every entrant with their place.
fn final_list(context: ContestContext) -> AnyView {
    let phrases = context.phrases;
    let rows = context.describe(|phrases, contest| {
        let row = |standing: contest::standings::Standing| {
            let phase =
                standing.seat.map(|(id, _)| contest_view::phase_name(phrases, contest, id.phase));
            [
                contest_view::place(&standing),
                contest.name(standing.entrant),
                contest_view::state(phrases, standing.state),
                phase.unwrap_or_default(),
                standing.score.map_or(String::new(), total),
            ]
        };
        contest.standings().into_iter().map(row).collect::<Vec<_>>()
    });
    let head = context.describe(|phrases, contest| {
        format!("{} · {}", title(contest), phrases.contest_page_paper("final"))
    });
    let page = |rows: &[[String; 5]]| {
        let row = |[place, name, state, phase, score]: [String; 5]| {
            view! {
                <tr>
                    <td class="number">{place}</td>
                    <th>
                        {paper_name(name, 40)}
                    </th>
                    <td>{state}</td>
                    <td>{phase}</td>
                    <td class="number">{score}</td>
                </tr>
            }
        };
        let columns = ["place", "name", "state", "phase", "score"];
        let columns =
            columns.map(|column| view! { <th>{t!(phrases, contest_column, column)}</th> });
        view! {
            <section class="sheet-of-paper">
                <h2>{head.clone()}</h2>
                <table class="final-list">
                    <thead>
                        <tr>{columns.collect_view()}</tr>
                    </thead>
                    <tbody>{rows.iter().cloned().map(row).collect_view()}</tbody>
                </table>
            </section>
        }
    };
    rows.chunks(ROWS).map(page).collect_view().into_any()
}
