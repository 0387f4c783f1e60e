//! A player's page on a phone: their table, seat and standing, what comes next, and the result to
//! report.

use cards::BySide;
use contest::{ContestChange, ContestTableId, EntrantId, MatchOutcome, Venue};
use contest_view::phone::{Phone, PhoneSeat, ReportState};
use leptos::prelude::*;
use leptos::task::spawn_local;
use replica::Route;
use wire::ledger::LedgerRefusal;

use super::form::ScoresForm;
use super::standings::StandingsTable;
use super::table_sheet::TableSheet;
use super::tables::TableScores;
use super::{ContestSummary, use_contest};
use crate::api::{self, ApiError};
use crate::navigator;
use crate::text::{t, use_phrases};

#[component]
pub(super) fn PlayerView(entrant: EntrantId) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let phone = Memo::new(move |_| {
        context.describe(|phrases, contest| Phone::new(phrases, contest, entrant))
    });
    let part = move |look: fn(&Phone) -> String| {
        Signal::derive(move || phone.with(|phone| phone.as_ref().map(look).unwrap_or_default()))
    };
    let class = move || phone.with(|phone| phone.as_ref().map(|phone| phone.class));
    let (seat, place) = (part(|phone| phone.seat.clone()), part(|phone| phone.place.clone()));
    let (ticket, score) = (part(|phone| phone.ticket.clone()), part(|phone| phone.score.clone()));
    let card = Signal::derive(move || phone.with(|phone| phone.as_ref()?.table.clone()));
    // At an online contest the server keeps the score.
    let at = Memo::new(move |_| {
        let venue = context.contest(|contest| Some(contest.settings().venue()));
        let at = phone.with(|phone| Some(phone.as_ref()?.table.as_ref()?.id));
        at.filter(|_| venue == Some(Venue::Hall))
    });
    let online = Memo::new(move |_| phone.with(|phone| phone.as_ref().is_some_and(|p| p.online)));
    let seats =
        Memo::new(move |_| phone.with(|p| p.as_ref().map(|p| p.seats.clone()).unwrap_or_default()));
    view! {
        <ContestSummary />
        <p class="empty" hidden=move || phone.with(Option::is_some)>
            {t!(phrases, contest_page_nobody_such)}
        </p>
        <section class="me" data-state=class hidden=move || phone.with(Option::is_none)>
            <p class="ticket" hidden=move || ticket.with(String::is_empty)>
                {ticket}
            </p>
            <div>
                <h2>{part(|phone| phone.name.clone())}</h2>
                <p class="hint">{seat}</p>
                <p>
                    <strong id="state">{part(|phone| phone.state.clone())}</strong>
                    <span hidden=move || place.with(String::is_empty)>
                        " · " {t!(phrases, contest_page_place_is)} " " <b>{place}</b>
                    </span>
                    <span hidden=move || score.with(String::is_empty)>
                        " · " {t!(phrases, contest_page_score_is)} " " <b>{score}</b>
                    </span>
                </p>
            </div>
            <p class="next" role="status" id="next">
                {part(|phone| phone.next.clone())}
            </p>
        </section>
        <Show when=move || online.get()>
            <ToTableButton />
        </Show>
        <Show when=move || seats.with(|seats| !seats.is_empty())>
            <SeatRing seats />
            <TableScores card />
            <ReportForm phone />
            {move || at.get().map(|id| view! { <TableSheet id /> })}
        </Show>
        <details class="many">
            <summary>{t!(phrases, contest_page_standings)}</summary>
            <StandingsTable />
        </details>
    }
}

/// The table from above, with the player's own seat in front.
#[component]
fn SeatRing(seats: Memo<Vec<PhoneSeat>>) -> impl IntoView {
    let phrases = use_phrases();
    let seats = move || {
        let all = seats.get();
        let count = all.len();
        let one = |(at, seat): (usize, PhoneSeat)| {
            view! {
                <li class="at" class:own=seat.own style=format!("--at: {at}; --of: {count}")>
                    <span>{seat.name}</span>
                    <small hidden=!seat.deals>{t!(phrases, contest_page_deals)}</small>
                </li>
            }
        };
        all.into_iter().enumerate().map(one).collect_view()
    };
    view! {
        <ol class="ring" aria-label=t!(phrases, contest_page_ring)>
            {seats}
        </ol>
    }
}

/// The reported results, the decision, and a form to report a result.
#[component]
fn ReportForm(phone: Memo<Option<Phone>>) -> impl IntoView {
    let report =
        Memo::new(move |_| phone.with(|phone| phone.as_ref().and_then(|p| p.report.clone())));
    let reports = reports(phone);
    let at = Memo::new(move |_| {
        phone.with(|phone| {
            let table = phone.as_ref()?.table.as_ref()?;
            let names: Vec<String> = table.places.iter().map(|place| place.name.clone()).collect();
            Some((table.id, names))
        })
    });
    move || {
        let report = report.get()?;
        let (id, names) = at.get()?;
        Some(report_section(report, id, names, reports))
    }
}

/// The reports of the players and the decision, as sentences.
fn reports(phone: Memo<Option<Phone>>) -> Memo<Vec<String>> {
    let phrases = use_phrases();
    Memo::new(move |_| {
        phone.with(|phone| {
            let table = phone.as_ref().and_then(|phone| phone.table.as_ref());
            let mut lines: Vec<String> = table
                .map(|table| table.reports.iter().map(|report| report.said.clone()).collect())
                .unwrap_or_default();
            let decided = phrases.with(|phrases| phrases.contest_page_decided());
            let ruled = table.and_then(|table| table.ruled.as_ref());
            lines.extend(ruled.map(|ruled| format!("{decided} {ruled}")));
            lines
        })
    })
}

fn report_section(
    report: ReportState,
    table: ContestTableId,
    names: Vec<String>,
    reports: Memo<Vec<String>>,
) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let send = Callback::new(move |scores: Vec<i32>| {
        let Some(scores) = BySide::from_slice(&scores) else { return };
        let outcome = MatchOutcome::played(scores);
        context.act(ContestChange::Report { table, outcome }, || ());
    });
    let second = report.class == "others";
    let agree = report.scores.clone().filter(|_| second);
    let values = match &report.scores {
        Some(scores) => scores.iter().copied().map(Some).collect(),
        None => vec![None; names.len()],
    };
    let label = match report.class {
        "nothing" => t!(phrases, contest_page_report),
        "mine" | "conflict" => t!(phrases, contest_page_report_again),
        _ => t!(phrases, contest_page_report_other),
    };
    view! {
        <section class="own-report" data-report=report.class>
            <h3>{t!(phrases, contest_page_result)}</h3>
            <p role="status" class:alert=report.class == "conflict">
                {report.text}
            </p>
            <ul class="reports">
                {move || {
                    reports.get().into_iter().map(|one| view! { <li>{one}</li> }).collect_view()
                }}
            </ul>
            {agree
                .map(|scores| {
                    view! {
                        <button
                            class="primary"
                            id="agree"
                            on:click=move |_| send.run(scores.clone())
                        >
                            {t!(phrases, contest_page_agree)}
                        </button>
                    }
                })}
            {report
                .may
                .then(|| view! { <ScoresForm id="report" names values label second done=send /> })}
        </section>
    }
}

/// Takes the player to their table on the server.
#[component]
fn ToTableButton() -> impl IntoView {
    let (context, phrases, navigator) = (use_contest(), use_phrases(), navigator::use_navigator());
    let going = RwSignal::new(false);
    let go = move || {
        let Some(role_key) = context.role_key else { return };
        going.set(true);
        spawn_local(async move {
            let seat = api::take_seat(
                &context.ledger_id(),
                &role_key.role_text(),
                &role_key.key.to_string(),
            )
            .await;
            going.try_set(false);
            match seat {
                Ok(taken) => navigator.go(Route::Table { table: taken.table, key: None }),
                Err(ApiError::Forbidden) => context.refuse(LedgerRefusal::NoTable),
                Err(_) => context.refuse(LedgerRefusal::Unavailable),
            }
        });
    };
    view! {
        <button
            class="primary large"
            id="to-table"
            disabled=move || going.get()
            on:click=move |_| go()
        >
            {t!(phrases, contest_page_to_table)}
        </button>
    }
}
