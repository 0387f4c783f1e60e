//! The end of a deal and of the match: how the scores were made, and what comes next.

use cards::{CardSet, Pack};
use game::notation::parse_set;
use leptos::html::Button;
use leptos::prelude::*;
use phrases::{game_word, sorted};
use replica::{Route, TableReplica};
use table_view::participants;
use table_view::scores::Scores;
use wire::table::{TableCommand, TableStage};

use super::scores::ScoreGrid;
use super::use_table;
use crate::api;
use crate::card::CardFace;
use crate::journals;
use crate::text::{t, use_phrases};

fn is_ready(replica: &TableReplica) -> bool {
    let own = replica.seat();
    let state = replica.state();
    own.zip(state).is_some_and(|(own, state)| state.seats[own.index()].ready)
}

#[component]
pub(super) fn DealOver() -> impl IntoView {
    let (table, phrases) = (use_table(), use_phrases());
    let replica = table.connection.replica;
    let shown = Memo::new(move |_| replica.with(TableReplica::is_between_deals));
    let ready =
        Memo::new(move |_| replica.with(|replica| is_ready(replica) || replica.seat().is_none()));
    // The word for a deal depends on the game.
    let which = move || {
        let rules = |replica: &TableReplica| replica.view().map(|view| *view.public().rules());
        replica.with(rules).map_or("", |rules| game_word(&rules))
    };
    let story = move || {
        let scores = scores_so_far(table);
        // After a revoke: which card broke which rule, and who challenged it (C15).
        let broken =
            table.state(|state| state.deals.last().is_some_and(|deal| deal.revoke.is_some()));
        let judged = broken
            .filter(|broken| *broken)
            .and_then(|_| super::status_lines::challenge_verdict(table));
        let last = scores.rows.last().cloned();
        judged.into_iter().chain(last.map(|row| row.explanation).unwrap_or_default())
    };
    view! {
        <Show when=move || shown.get()>
            <section class="over" role="dialog" aria-label=t!(phrases, deal_over, which())>
                <h2>{t!(phrases, deal_over, which())}</h2>
                <ul class="story">
                    {move || {
                        story().map(|line| view! { <li>{line}</li> }).collect_view()
                    }}
                </ul>
                <DealtHands />
                <Show
                    when=move || !ready.get()
                    fallback=move || view! { <p>{t!(phrases, waits_for_others)}</p> }
                >
                    <button
                        class="primary large"
                        id="continue"
                        node_ref=focused_button()
                        on:click=move |_| table.connection.send(TableCommand::Ready)
                    >
                        {t!(phrases, next_deal, which())}
                    </button>
                </Show>
            </section>
        </Show>
    }
}

/// A reference to a button that receives the focus when it appears.
pub(super) fn focused_button() -> NodeRef<Button> {
    let button = NodeRef::<Button>::new();
    Effect::new(move |_| {
        if let Some(button) = button.get() {
            let _ = button.focus();
        }
    });
    button
}

/// The score sheet of the match so far.
pub(super) fn scores_so_far(table: super::TableContext) -> Scores {
    let phrases = use_phrases();
    table
        .connection
        .replica
        .with(|replica| phrases.with(|phrases| Scores::so_far(replica, phrases)))
}

/// All hands of the last deal, as they were dealt.
#[component]
fn DealtHands() -> impl IntoView {
    let (table, phrases) = (use_table(), use_phrases());
    let hands = Memo::new(move |_| {
        table.connection.replica.with(|replica| {
            let (state, hands) = replica.state().zip(replica.hands())?;
            let pack = replica.view()?.public().rules().pack();
            let names = phrases.with(|phrases| participants::names(state, phrases));
            let sets = hands.iter().map(|hand| parse_set(pack, hand).unwrap_or(CardSet::EMPTY));
            Some((pack, names.into_iter().zip(sets).collect::<Vec<(String, CardSet)>>()))
        })
    });
    let one = |pack: Pack, (name, hand): (String, CardSet)| {
        let cards = sorted(hand).into_iter().map(|card| {
            view! {
                <span class="mini">
                    <CardFace card pack />
                </span>
            }
        });
        view! {
            <li>
                <span>{name}</span>
                <span class="minis">{cards.collect_view()}</span>
            </li>
        }
    };
    move || {
        hands.get().map(|(pack, hands)| {
            view! {
                <details class="hands">
                    <summary>{t!(phrases, all_hands)}</summary>
                    <ul>{hands.into_iter().map(|hand| one(pack, hand)).collect_view()}</ul>
                </details>
            }
        })
    }
}

#[component]
pub(super) fn MatchOver() -> impl IntoView {
    let (table, phrases) = (use_table(), use_phrases());
    let shown = Memo::new(move |_| {
        table.state(|state| state.stage == TableStage::Over).unwrap_or_default()
    });
    let winner = move || {
        let sheet = scores_so_far(table);
        phrases.with(|phrases| sheet.winner(phrases))
    };
    let scores = Memo::new(move |_| scores_so_far(table));
    let ready = Memo::new(move |_| table.connection.replica.with(is_ready));
    // A match of a contest is played once.
    let again = Memo::new(move |_| {
        let alone = |state: &wire::table::Snapshot| state.contest.is_none();
        table
            .connection
            .replica
            .with(|replica| replica.seat().is_some() && replica.state().is_some_and(alone))
    });
    // No server has the record of a practice match.
    let own = move || table.practice.and_then(|_| table.connection.record.get());
    let name = move || table.state(|state| (state.table.clone(), state.commitment.number));
    Effect::new(move |_| {
        if let Some((record, (table, number))) = own().zip(name()).filter(|_| shown.get()) {
            journals::store_match(&table, number, &record);
        }
    });
    let record = move || match table.practice {
        None => name().map(|(table, number)| api::record(&table, number)),
        Some(_) => own().map(|record| journals::address_of(&record)),
    };
    let replay = move || {
        name().map(|(table, number)| Route::Replay { table, number, moment: None }.address())
    };
    view! {
        <Show when=move || shown.get()>
            <section class="over" role="dialog" aria-label=t!(phrases, match_over)>
                <h2>{winner}</h2>
                <ScoreGrid scores />
                <DealtHands />
                <div class="row">
                    <super::waiting::ContestLink />
                    <Show when=move || again.get()>
                        <button
                            class="primary large"
                            id="rematch"
                            node_ref=focused_button()
                            disabled=move || ready.get()
                            on:click=move |_| table.connection.send(TableCommand::AskForRematch)
                        >
                            {t!(phrases, rematch)}
                        </button>
                    </Show>
                    <a class="button" id="replay" href=replay>
                        {t!(phrases, replay)}
                    </a>
                    <a class="button" href=record target="_blank" download="match.record">
                        {t!(phrases, the_record)}
                    </a>
                    <a class="button" href="/">
                        {t!(phrases, go_home)}
                    </a>
                </div>
                <Show when=move || ready.get()>
                    <p>{t!(phrases, waits_for_others)}</p>
                </Show>
            </section>
        </Show>
    }
}
