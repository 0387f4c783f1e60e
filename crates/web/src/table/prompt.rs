//! What the player is asked, and why the last tap had no effect.

use game::{Action, Rules};
use leptos::prelude::*;
use replica::Route;
use table_view::refusals;
use table_view::scene::{BidChoice, ScenePrompt};
use wire::table::TableCommand;

use super::action_button::{Button, button};
use super::layout::{css, use_layout};
use super::practice::{OfflineReason, UnreadableJournal};
use super::status_lines::StatusLines;
use super::use_table;
use crate::settings::{Confirm, use_settings};
use crate::text::{t, use_phrases};

#[component]
pub(crate) fn PromptBar() -> impl IntoView {
    let (table, layout) = (use_table(), use_layout());
    let status =
        Memo::new(move |_| table.with_scene(|scene| scene.status.clone()).unwrap_or_default());
    let asks =
        Memo::new(move |_| table.with_scene(|scene| scene.prompt.clone()).unwrap_or_default());
    view! {
        <div class="asks" style=move || layout.with(|layout| css(layout.prompt))>
            <div class="asks-content">
            {table.practice.map(|_| view! { <OfflineReason /> })}
            {table.practice.map(|_| {
                view! { <UnreadableJournal unreadable=table.connection.unreadable /> }
            })}
            <TableRefusalNotice />
            <StatusLines />
            <p class="status" class:now=move || asks.get() != ScenePrompt::Nothing>
                {move || status.get()}
            </p>
            <ClaimButton />
            {button(Button::Challenge)}
            {move || match asks.get() {
                ScenePrompt::Accept => view! { <AcceptButton /> }.into_any(),
                ScenePrompt::Card => view! { <CallButtons /> }.into_any(),
                ScenePrompt::Bid(_) | ScenePrompt::Nothing => ().into_any(),
            }}
            </div>
        </div>
        {move || match asks.get() {
            ScenePrompt::Bid(choices) => view! { <BidButtons choices /> }.into_any(),
            ScenePrompt::Accept | ScenePrompt::Card | ScenePrompt::Nothing => ().into_any(),
        }}
    }
}

/// "The rest is mine": the table proves a claim before it agrees. Offered when few cards are left.
#[component]
fn ClaimButton() -> impl IntoView {
    let (table, phrases) = (use_table(), use_phrases());
    let may = Memo::new(move |_| {
        let may = table.with_scene(table_view::TableScene::may_claim).unwrap_or_default();
        // A lesson has no table that could agree.
        may && table.state(|_| ()).is_some()
    });
    view! {
        <Show when=move || may.get()>
            <button class="claim" on:click=move |_| table.connection.send(TableCommand::Claim)>
                {t!(phrases, claim)}
            </button>
        </Show>
    }
}

/// Accepts the deal as fair (C15).
#[component]
fn AcceptButton() -> impl IntoView {
    let (table, phrases) = (use_table(), use_phrases());
    view! {
        <button class="primary accept" on:click=move |_| table.act(Action::Accept)>
            {t!(phrases, accept_deal)}
        </button>
    }
}

/// A raised card that may be led with a call is played with it or without.
#[component]
fn CallButtons() -> impl IntoView {
    let (table, phrases) = (use_table(), use_phrases());
    let call = Memo::new(move |_| {
        let raised = table.raised.get()?;
        let held = |scene: &table_view::TableScene| {
            let held = scene.hand.iter().find(|held| held.card == raised)?;
            Some((raised, held.call?, scene.rules.calls_are_automatic()))
        };
        table.with_scene(held).flatten()
    });
    move || {
        let (card, points, automatic) = call.get()?;
        let play = move |call: bool| table.act(Action::Play { card, call });
        Some(view! {
            <div class="row">
                <button class="primary" on:click=move |_| play(true)>
                    {t!(phrases, play_calling, points)}
                </button>
                <Show when=move || !automatic>
                    <button on:click=move |_| play(false)>{t!(phrases, play_silently)}</button>
                </Show>
            </div>
        })
    }
}

/// The bids: a tap on a forbidden one shows why it is forbidden.
#[component]
fn BidButtons(choices: Vec<BidChoice>) -> impl IntoView {
    let (table, phrases, settings, live_region) =
        (use_table(), use_phrases(), use_settings(), crate::app::use_live_region());
    let (chosen, layout) = (RwSignal::new(None::<u8>), use_layout());
    let one = move |choice: BidChoice| {
        let bid = choice.bid;
        let forbidden = choice.why.is_some();
        let why = choice.why.clone();
        view! {
            <button
                class="bid"
                data-bid=bid.to_string()
                class:forbidden=forbidden
                class:raised=move || chosen.get() == Some(bid)
                aria-disabled=if forbidden { "true" } else { "false" }
                on:click=move |_| {
                    if let Some(why) = why.clone() {
                        live_region.announce(why.sentence.clone());
                        table.why.set(Some(why));
                        return;
                    }
                    let once = settings.with_untracked(|settings| settings.bids == Confirm::Once);
                    if once || chosen.get_untracked() == Some(bid) {
                        table.act(Action::Bid(bid));
                    } else {
                        chosen.set(Some(bid));
                    }
                }
            >
                <strong>{choice.word.clone()}</strong>
                {choice.points.map(|points| view! { <small>{points}</small> })}
            </button>
        }
    };
    view! {
        <div
            class="bids"
            role="group"
            aria-label=t!(phrases, your_bid)
            style=move || layout.with(|layout| css(layout.felt.bids))
        >
            {choices.into_iter().map(one).collect_view()}
        </div>
    }
}

/// Why the last tap had no effect, or what the table refused.
#[component]
fn TableRefusalNotice() -> impl IntoView {
    let (table, phrases) = (use_table(), use_phrases());
    let document_of = move |clause: &str| {
        let game_name = match table.with_scene(|scene| scene.rules) {
            Some(Rules::Whist(_)) => "whist",
            _ => "cruce",
        };
        Route::Rules { game: game_name, clause: Some(clause.to_owned()) }.address()
    };
    let refused = move || {
        let (_, refusal) = table.connection.refused.get()?;
        let rules = table.with_scene(|scene| scene.rules);
        Some(phrases.with(|phrases| refusals::sentence(&refusal, rules.as_ref(), phrases)))
    };
    view! {
        {move || {
            table.why
                .get()
                .map(|why| {
                    view! {
                        <p class="why" role="alert">
                            {why.sentence.clone()} " "
                            <a href=document_of(why.clause) target="_blank">
                                {t!(phrases, the_rule)}
                            </a>
                        </p>
                    }
                })
        }}
        {move || {
            refused()
                .map(|sentence| {
                    view! {
                        <p class="why" role="alert">
                            {sentence} " "
                            <button class="quiet" on:click=move |_| table.connection.refused.set(None)>
                                {t!(phrases, close)}
                            </button>
                        </p>
                    }
                })
        }}
    }
}
