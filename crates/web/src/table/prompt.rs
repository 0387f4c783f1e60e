//! What the player is asked, and why the last tap did nothing.

use client::Route;
use client::table_scene::{ScenePrompt, BidChoice};
use game::{Action, Rules};
use leptos::prelude::*;
use wire::table::TableCommand;

use super::action_button::{Button, button};
use super::game;
use super::practice::WhyHere;
use super::status_lines::Rights;
use crate::settings::{Confirm, settings};
use crate::text::{t, words};

/// With how many cards in hand the rest can be claimed: more is hardly ever certain.
const MOST_CLAIMED: usize = 5;

#[component]
pub(crate) fn AskBar() -> impl IntoView {
    let game = game();
    let status = Memo::new(move |_| game.on_felt(|felt| felt.status.clone()).unwrap_or_default());
    let asks = Memo::new(move |_| game.on_felt(|felt| felt.asks.clone()).unwrap_or_default());
    view! {
        <div class="asks">
            {game.alone.map(|_| view! { <WhyHere /> })}
            <Refused />
            <Rights />
            <p class="status" class:now=move || asks.get() != ScenePrompt::Nothing>
                {move || status.get()}
            </p>
            <Claim />
            {button(Button::Doubt)}
            {move || match asks.get() {
                ScenePrompt::Bid(choices) => view! { <Bids choices /> }.into_any(),
                ScenePrompt::Accept => view! { <Accept /> }.into_any(),
                ScenePrompt::Card => view! { <Call /> }.into_any(),
                ScenePrompt::Nothing => ().into_any(),
            }}
        </div>
    }
}

/// "The rest is mine": the table proves it before it agrees. Offered when few cards are left.
#[component]
fn Claim() -> impl IntoView {
    let (game, words) = (game(), words());
    let may = Memo::new(move |_| {
        let may = |felt: &client::TableScene| {
            let few = (2..=MOST_CLAIMED).contains(&felt.hand.len());
            let free = felt.stock.is_none_or(|left| left == 0);
            felt.asks == ScenePrompt::Card && felt.trick.is_empty() && few && free && !felt.rules.honour()
        };
        // A lesson has no table that could agree.
        game.state(|_| ()).is_some() && game.on_felt(may).unwrap_or_default()
    });
    view! {
        <Show when=move || may.get()>
            <button class="claim" on:click=move |_| game.line.wish(TableCommand::Claim)>
                {t!(words, claim)}
            </button>
        </Show>
    }
}

/// Whether the deal was fair (C15).
#[component]
fn Accept() -> impl IntoView {
    let (game, words) = (game(), words());
    view! {
        <button class="primary accept" on:click=move |_| game.act(Action::Accept)>
            {t!(words, accept_deal)}
        </button>
    }
}

/// A raised card that may be led with a call is played with it or without.
#[component]
fn Call() -> impl IntoView {
    let (game, words) = (game(), words());
    let call = Memo::new(move |_| {
        let raised = game.raised.get()?;
        let held = |felt: &client::TableScene| {
            let held = felt.hand.iter().find(|held| held.card == raised)?;
            Some((raised, held.call?, felt.rules.calls_are_automatic()))
        };
        game.on_felt(held).flatten()
    });
    move || {
        let (card, points, automatic) = call.get()?;
        let play = move |call: bool| game.act(Action::Play { card, call });
        Some(view! {
            <div class="row">
                <button class="primary" on:click=move |_| play(true)>
                    {t!(words, play_calling, points)}
                </button>
                <Show when=move || !automatic>
                    <button on:click=move |_| play(false)>{t!(words, play_silently)}</button>
                </Show>
            </div>
        })
    }
}

/// The bids: those that may not be said tell why when they are tapped.
#[component]
fn Bids(choices: Vec<BidChoice>) -> impl IntoView {
    let (game, words, settings, voice) = (game(), words(), settings(), crate::app::voice());
    let chosen = RwSignal::new(None::<u8>);
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
                        voice.say(why.sentence.clone());
                        game.why.set(Some(why));
                        return;
                    }
                    let once = settings.with_untracked(|settings| settings.bids == Confirm::Once);
                    if once || chosen.get_untracked() == Some(bid) {
                        game.act(Action::Bid(bid));
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
        <div class="bids" role="group" aria-label=t!(words, your_bid)>
            {choices.into_iter().map(one).collect_view()}
        </div>
    }
}

/// Why the last tap did nothing, or what the table refused.
#[component]
fn Refused() -> impl IntoView {
    let (game, words) = (game(), words());
    let document_of = move |clause: &str| {
        let game_name = match game.on_felt(|felt| felt.rules) {
            Some(Rules::Whist(_)) => "whist",
            _ => "cruce",
        };
        Route::Rules { game: game_name, clause: Some(clause.to_owned()) }.address()
    };
    let refused = move || {
        let (_, refusal) = game.line.refused.get()?;
        Some(words.with(|phrases| phrases.refused_by_table(refusal.reason)))
    };
    view! {
        {move || {
            game.why
                .get()
                .map(|why| {
                    view! {
                        <p class="why" role="alert">
                            {why.sentence.clone()} " "
                            <a href=document_of(why.clause) target="_blank">
                                {t!(words, the_rule)}
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
                            <button class="quiet" on:click=move |_| game.line.refused.set(None)>
                                {t!(words, close)}
                            </button>
                        </p>
                    }
                })
        }}
    }
}
