//! Honour tables: the cards of the finished tricks, of which one may be challenged (C15).

use cards::Pack;
use leptos::prelude::*;
use table_view::scene::{ChallengeableCard, FinishedTrick};

use super::dialog::{ConfirmQuestion, Dialog};
use super::use_table;
use crate::card::CardFace;
use crate::text::{t, use_phrases};

#[component]
pub(super) fn ChallengeDialog() -> impl IntoView {
    let (table, phrases) = (use_table(), use_phrases());
    // The card that was tapped, until it is challenged or not.
    let chosen = RwSignal::new(None::<ChallengeableCard>);
    let honour = Memo::new(move |_| {
        table
            .with_scene(|scene| scene.honour.clone().map(|honour| (honour, scene.rules.pack())))
            .flatten()
    });
    Effect::new(move |_| {
        table.challenge_open.track();
        chosen.set(None);
    });
    let trick = move |finished: FinishedTrick, pack: Pack| {
        let cards = finished
            .cards
            .into_iter()
            .map(|doubted| view! { <ChallengeCard doubted pack chosen /> });
        view! {
            <h3>{finished.title}</h3>
            <div class="row-of-cards">{cards.collect_view()}</div>
        }
    };
    let tricks = move || {
        let honour = honour.get().filter(|(honour, _)| !honour.tricks.is_empty());
        match honour {
            None => view! { <p>{t!(phrases, challenge_none)}</p> }.into_any(),
            Some((honour, pack)) => view! {
                <p>{t!(phrases, challenge_more, honour.left)}</p>
                {honour.tricks.into_iter().map(|finished| trick(finished, pack)).collect_view()}
            }
            .into_any(),
        }
    };
    view! {
        <Dialog open=table.challenge_open title=t!(phrases, challenge_title)>
            <div class="asked">{move || chosen.get().map(|card| confirmation(card, chosen))}</div>
            {tricks}
        </Dialog>
    }
}

/// A card of a finished trick.
#[component]
fn ChallengeCard(
    doubted: ChallengeableCard,
    pack: Pack,
    chosen: RwSignal<Option<ChallengeableCard>>,
) -> impl IntoView {
    let phrases = use_phrases();
    let action = doubted.action;
    let label = format!("{}: {}", doubted.player, doubted.name);
    let cleared =
        doubted.cleared.then(|| view! { <small>{t!(phrases, challenge_cleared)}</small> });
    let (face, name, barred) = (doubted.card, doubted.player.clone(), doubted.why.is_some());
    view! {
        <button
            class="doubted"
            class:barred=barred
            aria-disabled=if barred { "true" } else { "false" }
            aria-label=label
            aria-pressed=move || {
                let here = chosen.with(|now| now.as_ref().is_some_and(|now| now.action == action));
                if here { "true" } else { "false" }
            }
            on:click=move |_| chosen.set(Some(doubted.clone()))
        >
            <span class="card">
                <CardFace card=face pack />
            </span>
            <span>{name}</span>
            {cleared}
        </button>
    }
}

/// Asks whether to challenge the chosen card, or shows why it may not be challenged.
fn confirmation(
    doubted: ChallengeableCard,
    chosen: RwSignal<Option<ChallengeableCard>>,
) -> AnyView {
    let (table, phrases) = (use_table(), use_phrases());
    match doubted.why {
        Some(why) => view! { <p class="alert" role="alert">{why.sentence}</p> }.into_any(),
        None => {
            let done = Callback::new(move |()| {
                table.challenge_open.set(false);
                table.act(doubted.action);
            });
            let cancel = Callback::new(move |()| chosen.set(None));
            let yes = t!(phrases, challenge_now);
            view! { <ConfirmQuestion question=doubted.question yes id="challenge" done cancel /> }
                .into_any()
        }
    }
}
