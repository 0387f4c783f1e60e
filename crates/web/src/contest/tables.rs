//! The tables of a phase, live; for the organiser with a button that opens each.

use contest::{ContestChange, ContestTableId};
use contest_view::board::{PhaseCard, TableCard};
use leptos::prelude::*;

use super::form::ConfirmButton;
use super::table_decisions::TableDecisions;
use super::use_contest;
use crate::pages::Choice;
use crate::table::dialog::Dialog;
use crate::text::{t, use_phrases};

/// The players of a table with their scores.
#[component]
pub(super) fn TableScores(#[prop(into)] card: Signal<Option<TableCard>>) -> impl IntoView {
    let rows = move || {
        let places = card.get().map(|card| card.places).unwrap_or_default();
        let row = |place: contest_view::board::BoardSeat| {
            view! {
                <tr class=place.class>
                    <td class="ticket">{place.ticket}</td>
                    <th scope="row">{place.name} <small>{place.mark}</small></th>
                    <td class="number">{place.play_offs}</td>
                    <td class="number">
                        <b>{place.shown}</b>
                    </td>
                </tr>
            }
        };
        places.into_iter().map(row).collect_view()
    };
    view! {
        <table class="places">
            <tbody>{rows}</tbody>
        </table>
    }
}

/// The phase that is shown, and the choice of another.
pub(super) struct ShownPhase {
    /// All phases.
    pub(super) phases: Memo<Vec<PhaseCard>>,
    /// The number of the phase: the last one, unless the viewer has chosen another that still
    /// exists.
    pub(super) phase: Memo<usize>,
    /// The choice; empty if there is only one phase.
    pub(super) choice: AnyView,
}

pub(super) fn shown_phase() -> ShownPhase {
    let (context, phrases) = (use_contest(), use_phrases());
    let phases = Memo::new(move |_| context.describe(PhaseCard::all));
    let chosen = RwSignal::new(None::<usize>);
    let phase = Memo::new(move |_| {
        let last = phases.with(|phases| phases.len().saturating_sub(1));
        chosen.get().filter(|chosen| *chosen <= last).unwrap_or(last)
    });
    let names = Memo::new(move |_| {
        phases.with(|phases| phases.iter().map(|phase| phase.name.clone()).collect::<Vec<_>>())
    });
    let choice = move || {
        let names = names.get();
        (names.len() > 1).then(|| {
            let values = names.into_iter().enumerate();
            let values = values.map(|(at, name)| (at, Signal::stored(name))).collect();
            view! {
                <Choice
                    title=t!(phrases, contest_page_phases)
                    values
                    value=phase
                    choose=move |at| chosen.set(Some(at))
                />
            }
        })
    };
    ShownPhase { phases, phase, choice: choice.into_any() }
}

/// The tables of the chosen phase.
#[component]
pub(super) fn PhaseTables(
    /// Whether the viewer may decide about them.
    decides: bool,
) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let ShownPhase { phases, phase, choice } = shown_phase();
    let cards = Memo::new(move |_| {
        context.describe(|phrases, contest| TableCard::of_phase(phrases, contest, phase.get()))
    });
    let ids = Memo::new(move |_| {
        cards.with(|cards| cards.iter().map(|card| card.id).collect::<Vec<ContestTableId>>())
    });
    let at = RwSignal::new(None::<ContestTableId>);
    let open = RwSignal::new(false);
    Effect::new(move |_| {
        if !open.get() {
            at.set(None);
        }
    });
    let one = move |id: ContestTableId| {
        let card = Memo::new(move |_| cards.with(|cards| cards.get(id.table).cloned()));
        let show = move |_| {
            at.set(Some(id));
            open.set(true);
        };
        view! { <TableCardView card show=Callback::new(show) decides /> }
    };
    let title = Signal::derive(move || {
        let id = at.get();
        cards.with(|cards| {
            let card = cards.iter().find(|card| Some(card.id) == id);
            card.map(|card| card.name.clone()).unwrap_or_default()
        })
    });
    let none = move || phases.with(Vec::is_empty);
    view! {
        <p class="empty" hidden=move || !none()>
            {t!(phrases, contest_page_no_tables)}
        </p>
        <div hidden=none>
            <div class="choosing">{choice}</div>
            <PhaseNotes phases phase decides />
            <div class="hall-tables">
                <For each=move || ids.get() key=|id| (id.phase, id.table) children=one />
            </div>
        </div>
        <Dialog open title>
            {move || at.get().map(|id| view! { <TableDecisions id /> })}
        </Dialog>
    }
}

/// Notes about a phase, and buttons to reopen and close it.
#[component]
fn PhaseNotes(phases: Memo<Vec<PhaseCard>>, phase: Memo<usize>, decides: bool) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let card = Memo::new(move |_| phases.with(|phases| phases.get(phase.get()).cloned()));
    move || {
        let card = card.get()?;
        let number = card.phase;
        let name = StoredValue::new(card.name.clone());
        let reopen = Signal::derive(move || {
            phrases.with(|phrases| phrases.contest_page_reopen_sure(name.get_value()))
        });
        let close = Signal::derive(move || {
            phrases.with(|phrases| phrases.contest_page_close_sure(name.get_value()))
        });
        Some(view! {
            <div class="about" class:reopened=card.reopened>
                <p>
                    {card.settled} " " {card.byes}
                    <strong hidden=!card.reopened>" " {t!(phrases, contest_phase_again)}</strong>
                </p>
                <p hidden=card.imported.is_empty()>{card.imported.clone()}</p>
                {(decides && card.may_reopen)
                    .then(|| {
                        view! {
                            <ConfirmButton
                                label=t!(phrases, contest_page_reopen)
                                question=reopen
                                id="reopen"
                                done=Callback::new(move |()| {
                                    context.act(ContestChange::Reopen { phase: number }, || ());
                                })
                            />
                        }
                    })}
                {(decides && card.reopened)
                    .then(|| {
                        view! {
                            <ConfirmButton
                                label=t!(phrases, contest_page_close)
                                question=close
                                id="close-phase"
                                class="primary"
                                done=Callback::new(move |()| {
                                    context.act(ContestChange::Close { phase: number }, || ());
                                })
                            />
                        }
                    })}
            </div>
        })
    }
}

/// A table as a card.
#[component]
fn TableCardView(
    card: Memo<Option<TableCard>>,
    show: Callback<()>,
    decides: bool,
) -> impl IntoView {
    let phrases = use_phrases();
    let part = move |look: fn(&TableCard) -> String| {
        move || card.with(|card| card.as_ref().map(look).unwrap_or_default())
    };
    let status = move || card.with(|card| card.as_ref().map(|card| card.status));
    let code = part(|card| card.code.clone());
    view! {
        <article class="hall-table" data-status=status data-table=code>
            <header>
                <h3>{part(|card| card.name.clone())}</h3>
                <span class="stands">{part(|card| card.status_text.clone())}</span>
            </header>
            <p class="hint">{part(|card| card.deals.clone())}</p>
            <TableScores card />
            {decides
                .then(|| {
                    view! {
                        <button class="decide" on:click=move |_| show.run(())>
                            {t!(phrases, contest_page_open_table)}
                        </button>
                    }
                })}
        </article>
    }
}
