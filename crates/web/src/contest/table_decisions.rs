//! One table, for the organiser or its referee: the result, reports, penalties, play-offs,
//! corrections.

use cards::{BySide, Side};
use contest::{Contest, ContestChange, ContestTable, ContestTableId, MatchOutcome, TableStatus};
use contest_view::board::TableCard;
use game::cruce::Penalty;
use leptos::prelude::*;
use phrases::Phrases;
use phrases::layout::signed;
use wire::contest::table_text;
use wire::ledger::LedgerCommand;

use super::form::{ConfirmButton, ScoresForm};
use super::table_sheet::TableSheet;
use super::tables::TableScores;
use super::use_contest;
use crate::text::{t, use_phrases};

/// Reads a table; returns the default if it does not exist any more.
fn at<T: Default>(
    contest: &Contest,
    id: ContestTableId,
    look: impl FnOnce(&ContestTable) -> T,
) -> T {
    contest.table(id).map(look).unwrap_or_default()
}

#[component]
pub(super) fn TableDecisions(id: ContestTableId) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let card = Memo::new(move |_| {
        context.describe(|phrases, contest| {
            at(contest, id, |table| Some(TableCard::new(phrases, contest, table)))
        })
    });
    let seen =
        move |look: fn(&TableCard) -> bool| card.with(|card| card.as_ref().is_some_and(look));
    let open = Memo::new(move |_| seen(|card| card.takes_results));
    let deals = move || card.with(|card| card.as_ref().map(|card| card.deals.clone()));
    let said = move || card.with(|card| card.as_ref().map(|card| card.status_text.clone()));
    let status = move || card.with(|card| card.as_ref().map(|card| card.status));
    view! {
        <div class="decisions">
            <p class="stands" data-status=status>
                {said}
            </p>
            <p class="hint">{deals}</p>
            <TableScores card />
            <p class="notice" hidden=move || open.get()>
                {t!(phrases, contest_page_closed)}
            </p>
            <StartMatch id />
            <ReportedResults id card open />
            <Show when=move || open.get()>
                <PlayOffForm id />
                <ResultForm id />
                <PenaltyList id card />
            </Show>
            <TableSheet id />
        </div>
    }
}

/// Starts an online match although a player is missing.
#[component]
fn StartMatch(id: ContestTableId) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let waits = Memo::new(move |_| {
        context.contest(|contest| {
            at(contest, id, |table| {
                table.server_table().is_some() && table.status() == TableStatus::Awaited
            })
        })
    });
    let begin = Callback::new(move |()| {
        context.command(LedgerCommand::Start { table: table_text(id) }, || ());
    });
    view! {
        <Show when=move || waits.get()>
            <ConfirmButton
                label=t!(phrases, contest_page_start)
                question=t!(phrases, contest_page_start_sure)
                id="begin"
                done=begin
            />
        </Show>
    }
}

/// The reports and the decision; if the reports differ, a button to adopt each.
#[component]
fn ReportedResults(
    id: ContestTableId,
    card: Memo<Option<TableCard>>,
    open: Memo<bool>,
) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let rule = move |scores: &[i32]| {
        let Some(scores) = BySide::from_slice(scores) else { return };
        let outcome = MatchOutcome::played(scores);
        context.act(ContestChange::Rule { table: id, outcome }, || ());
    };
    let results = move || {
        let card = card.get()?;
        let disputed = card.status == "disputed" && open.get();
        let rows = card.reports.into_iter().map(|report| {
            let scores = report.scores.clone();
            view! {
                <li>
                    <span>{report.said}</span>
                    <button class="adopt" hidden=!disputed on:click=move |_| rule(&scores)>
                        {t!(phrases, contest_page_adopt)}
                    </button>
                </li>
            }
        });
        let none = rows.len() == 0 && card.ruled.is_none();
        let ruled = card.ruled.map(|ruled| {
            view! {
                <li class="decided">
                    <strong>{t!(phrases, contest_page_decided)}</strong>
                    " "
                    {ruled}
                </li>
            }
        });
        Some(view! {
            <section hidden=none>
                <h3>{t!(phrases, contest_page_reports)}</h3>
                <ul class="reports">{rows.collect_view()} {ruled}</ul>
            </section>
        })
    };
    view! { {results} }
}

/// A form to enter or correct the result.
#[component]
fn ResultForm(id: ContestTableId) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let broken = RwSignal::new(false);
    // The form is drawn again only if the stored result changes.
    let stands = Memo::new(move |_| {
        context.contest(|contest| {
            at(contest, id, |table| {
                let outcome = table.outcome();
                let names: Vec<String> =
                    table.entrants().iter().map(|entrant| contest.name(*entrant)).collect();
                let before = table.ruling().is_some() || !table.reports().is_empty();
                (names, outcome, before, !table.play_offs().is_empty())
            })
        })
    });
    move || {
        let (names, outcome, before, play_offs) = stands.get();
        let values = match outcome {
            Some(outcome) => outcome.scores.iter().map(|score| Some(*score)).collect(),
            None => vec![None; names.len()],
        };
        broken.set(outcome.is_some_and(|outcome| outcome.broken_off));
        let done = move |scores: Vec<i32>| {
            let Some(scores) = BySide::from_slice(&scores) else { return };
            let outcome = MatchOutcome { scores, broken_off: broken.get_untracked() };
            let change = match before {
                true => ContestChange::Rule { table: id, outcome },
                false => ContestChange::Report { table: id, outcome },
            };
            context.act(change, || ());
        };
        let (title, label) = match before {
            true => (t!(phrases, contest_page_rule), t!(phrases, contest_page_decide)),
            false => (t!(phrases, contest_page_match_result), t!(phrases, contest_page_send)),
        };
        view! {
            <section>
                <h3>{title}</h3>
                <p class="hint" hidden=!play_offs>
                    {t!(phrases, contest_page_voids_play_offs)}
                </p>
                <ScoresForm id="score" names values label done=Callback::new(done)>
                    <label class="check">
                        <input
                            type="checkbox"
                            id="broken-off"
                            prop:checked=broken
                            on:change=move |event| broken.set(event_target_checked(&event))
                        />
                        <span>{t!(phrases, contest_page_was_broken_off)}</span>
                    </label>
                </ScoresForm>
            </section>
        }
    }
}

/// Further deals after a tie (T4).
#[component]
fn PlayOffForm(id: ContestTableId) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let tied = Memo::new(move |_| {
        context.contest(|contest| {
            at(contest, id, |table| {
                if table.status() != TableStatus::Tied {
                    return None;
                }
                let tied = table.tied();
                let places: Vec<usize> = tied
                    .iter()
                    .filter_map(|entrant| table.place_of(*entrant))
                    .map(Side::index)
                    .collect();
                let names: Vec<String> = tied.iter().map(|one| contest.name(*one)).collect();
                Some((names, places, table.entrants().len(), table.play_offs().len()))
            })
        })
    });
    move || {
        let (names, places, all, _) = tied.get()?;
        let listed = names.clone();
        let lead = Signal::derive(move || {
            phrases.with(|phrases| phrases.contest_page_play_off(phrases.list_and(&listed)))
        });
        let values = vec![None; names.len()];
        let done = move |made: Vec<i32>| {
            let mut scores = vec![0; all];
            for (place, made) in places.iter().zip(made) {
                if let Some(score) = scores.get_mut(*place) {
                    *score = made;
                }
            }
            if let Some(scores) = BySide::from_slice(&scores) {
                context.act(ContestChange::PlayOff { table: id, scores }, || ());
            }
        };
        Some(view! {
            <section class="play-off">
                <h3>{t!(phrases, contest_page_play_off_title)}</h3>
                <p>{lead}</p>
                <ScoresForm
                    id="play-off"
                    names
                    values
                    label=t!(phrases, contest_page_play_off_send)
                    done=Callback::new(done)
                />
            </section>
        })
    }
}

/// Penalties that the referee imposes and pardons (C15, T5).
#[component]
fn PenaltyList(id: ContestTableId, card: Memo<Option<TableCard>>) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let punishes = Memo::new(move |_| card.with(|c| c.as_ref().is_some_and(|c| c.punishes)));
    let names = Memo::new(move |_| {
        card.with(|card| {
            let places = card.as_ref().map(|card| card.places.as_slice()).unwrap_or_default();
            places.iter().map(|place| place.name.clone()).collect::<Vec<_>>()
        })
    });
    let imposed = Memo::new(move |_| {
        card.with(|card| card.as_ref().map(|c| c.penalties.clone()).unwrap_or_default())
    });
    let one = move |(place, name): (usize, String)| {
        let button = move |penalty: Penalty, why: &'static str| {
            let who = names.with_untracked(|names| names.get(place).cloned()).unwrap_or_default();
            let change = signed(penalty.change().into());
            // The accessible name begins with the visible text.
            let seen = change.clone();
            let text = move |phrases: &Phrases| {
                format!("{seen} {}", phrases.contest_page_penalise(who.clone(), why))
            };
            let label = Signal::derive(move || phrases.with(|phrases| text(phrases)));
            let impose = move |_| {
                if let Some(place) = Side::new(place) {
                    context.act(ContestChange::Penalise { table: id, place, penalty }, || ());
                }
            };
            view! {
                <button aria-label=label data-penalty=why on:click=impose>
                    {change}
                    " "
                    {t!(phrases, contest_page_penalty_short, why)}
                </button>
            }
        };
        view! {
            <li>
                <span>{name}</span>
                {button(Penalty::Revoke, "revoke")}
                {button(Penalty::Misdeal, "misdeal")}
            </li>
        }
    };
    let pardon = move |(number, said): (usize, String)| {
        view! {
            <li>
                <span>{said}</span>
                <button
                    class="pardon"
                    on:click=move |_| {
                        context.act(ContestChange::Pardon { table: id, penalty: number }, || ());
                    }
                >
                    {t!(phrases, contest_page_pardon)}
                </button>
            </li>
        }
    };
    view! {
        <section hidden=move || !punishes.get()>
            <h3>{t!(phrases, contest_page_penalties)}</h3>
            <ul class="penalties imposed">
                {move || imposed.get().into_iter().enumerate().map(pardon).collect_view()}
            </ul>
            <ul class="penalties">
                {move || names.get().into_iter().enumerate().map(one).collect_view()}
            </ul>
        </section>
    }
}
