//! The panel for the next entry: the contract, the bids, or the result of the deal.

use cards::Seat;
use contest::sheet::{NextInput, Sheet, SheetChange, SheetLine};
use game::Rules;
use game::cruce::{AllPass, Contract};
use leptos::html;
use leptos::prelude::*;
use sheet_view::{Draft, SheetAccess, SheetPrompt};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::SheetStore;
use super::form::{DraftVerdict, LineForm};
use crate::pages::Choice;
use crate::text::{t, use_phrases};

#[component]
pub(super) fn EntryPanel(
    store: SheetStore,
    #[prop(optional_no_strip)] again: Option<Callback<()>>,
) -> impl IntoView {
    let phrases = use_phrases();
    let sheet = store.sheet;
    let ask = Memo::new(move |_| {
        phrases.with(|phrases| sheet.with(|sheet| SheetPrompt::new(sheet, phrases)))
    });
    // What is asked, without its texts: as long as it does not change, the draft stays.
    let asked = Memo::new(move |_| ask.with(|ask| ask.as_ref().map(|ask| (ask.line, ask.asks))));
    let panel = NodeRef::<html::Section>::new();
    let body = entry_body(store, ask, asked);
    follow_with_focus(panel, asked);
    scroll_into_view(panel, asked);
    let of_ask = move |text: fn(&SheetPrompt) -> String| {
        Signal::derive(move || ask.with(|ask| ask.as_ref().map(text).unwrap_or_default()))
    };
    let lead = of_ask(|ask| ask.lead.clone());
    let question = of_ask(|ask| ask.question.clone());
    let bids = of_ask(|ask| match (&ask.said, &ask.forbidden) {
        (Some(said), Some(forbidden)) => format!("{said} {forbidden}"),
        (said, forbidden) => said.clone().or(forbidden.clone()).unwrap_or_default(),
    });
    let bidding = move || matches!(asked.get(), Some((_, NextInput::Bid { .. })));
    let end = Memo::new(move |_| {
        phrases.with(|phrases| sheet.with(|sheet| sheet_view::SheetView::new(sheet, phrases).end))
    });
    let over = Signal::derive(move || end.with(Option::is_some));
    let penalties = move || {
        let cruce = sheet.with(|sheet| matches!(sheet.rules(), Rules::Cruce(_)));
        (cruce && !over.get() && store.may.get() >= SheetAccess::Penalise)
            .then(|| view! { <PenaltyButtons store /> })
    };
    view! {
        <section
            class="entry"
            aria-label=t!(phrases, entry_next)
            node_ref=panel
            aria-busy=move || if store.busy.get() { "true" } else { "false" }
        >
            <p class="winner" hidden=move || !over.get()>
                {end}
            </p>
            <p class="hint" hidden=over>
                {lead}
            </p>
            <h2 hidden=over>{question}</h2>
            <p class="hint said-so-far" hidden=move || !bidding()>
                {bids}
            </p>
            <p class="alert" role="alert" hidden=move || store.refused.with(Option::is_none)>
                {store.refused}
            </p>
            {body}
            <EntryTools store over again />
            {penalties}
        </section>
    }
}

/// What is asked: the number of the line, and what of it.
type Asked = Option<(usize, NextInput)>;

/// The form for what is asked, if the viewer may write.
fn entry_body(
    store: SheetStore,
    ask: Memo<Option<SheetPrompt>>,
    asked: Memo<Asked>,
) -> impl IntoView {
    let sheet = store.sheet;
    let draft = RwSignal::new(sheet.with_untracked(Draft::next));
    Effect::new(move |before: Option<()>| {
        asked.track();
        if before.is_some() {
            draft.set(sheet.with_untracked(Draft::next));
        }
    });
    let writes = move || store.may.get() >= SheetAccess::Write;
    move || {
        asked.get().filter(|_| writes()).map(|(_, asks)| match asks {
            NextInput::Contract => view! { <ContractForm store /> }.into_any(),
            NextInput::Bid { seat, .. } => view! { <BidButtons store ask seat /> }.into_any(),
            NextInput::Result => view! {
                <LineForm store draft />
                <DraftVerdict store draft done=None />
            }
            .into_any(),
        })
    }
}

/// The buttons that undo the last entry, and start another sheet after the match.
#[component]
fn EntryTools(
    store: SheetStore,
    over: Signal<bool>,
    #[prop(optional_no_strip)] again: Option<Callback<()>>,
) -> impl IntoView {
    let phrases = use_phrases();
    let undone =
        move || phrases.with(|phrases| store.sheet.with(|sheet| sheet_view::undo(sheet, phrases)));
    view! {
        <div class="row" hidden=move || store.may.get() < SheetAccess::Write>
            {again.map(|again| view! {
                <button
                    class="primary"
                    id="again"
                    hidden=move || !over.get()
                    on:click=move |_| again.run(())
                >
                    {t!(phrases, entry_again)}
                </button>
            })}
            <button
                type="button"
                id="undo"
                class="quiet"
                class:nothing=move || undone().is_none()
                disabled=move || store.busy.get() || undone().is_none()
                on:click=move |_| store.write.run(SheetChange::Undo)
            >
                {undone}
            </button>
        </div>
    }
}

/// A pressed button disappears with its question: the focus moves to the next one.
fn follow_with_focus<T: Clone + PartialEq + Send + Sync + 'static>(
    panel: NodeRef<html::Section>,
    asked: Memo<T>,
) {
    Effect::new(move |before: Option<()>| {
        asked.track();
        if before.is_none() {
            return;
        }
        request_animation_frame(move || {
            let lost = document().active_element().is_none_or(|now| now.tag_name() == "BODY");
            let Some(panel) = panel.get_untracked().filter(|_| lost) else { return };
            let found = "button:not([disabled]):not([hidden]), input";
            if let Ok(Some(first)) = panel.query_selector(found)
                && let Ok(first) = first.dyn_into::<HtmlElement>()
            {
                let options = web_sys::FocusOptions::new();
                options.set_prevent_scroll(true);
                let _ = first.focus_with_options(&options);
            }
        });
    });
}

/// Scrolls the line that is being written above the panel, whose height changes.
fn scroll_into_view<T: Clone + PartialEq + Send + Sync + 'static>(
    panel: NodeRef<html::Section>,
    asked: Memo<T>,
) {
    Effect::new(move |_| {
        asked.track();
        request_animation_frame(move || {
            let Some(panel) = panel.get_untracked() else { return };
            let root = document().document_element();
            if let Some(root) = root.and_then(|root| root.dyn_into::<HtmlElement>().ok()) {
                let height = format!("{}px", panel.offset_height());
                let _ = root.style().set_property("--panel", &height);
            }
            let Ok(Some(line)) = document().query_selector(".ruled .begun") else { return };
            let nearest = web_sys::ScrollIntoViewOptions::new();
            nearest.set_block(web_sys::ScrollLogicalPosition::Nearest);
            line.scroll_into_view_with_scroll_into_view_options(&nearest);
        });
    });
}

/// The declarer and the bid: written once both are chosen.
#[component]
fn ContractForm(store: SheetStore) -> impl IntoView {
    let phrases = use_phrases();
    let sheet = store.sheet;
    let (declarer, bid) = (RwSignal::new(None::<Seat>), RwSignal::new(None::<u8>));
    let declare = move || {
        let both = declarer.get_untracked().zip(bid.get_untracked());
        if let Some((declarer, bid)) = both.filter(|_| !store.busy.get_untracked()) {
            store.write.run(SheetChange::Declare(Contract { declarer, bid }));
        }
    };
    let (most, passed, first) = sheet.with_untracked(|sheet| {
        let first = sheet.next().map(|next| next.first).unwrap_or_default();
        match sheet.rules() {
            Rules::Cruce(cruce) => (cruce.max_bid(), cruce.spec().all_pass, first),
            Rules::Whist(_) => (0, AllPass::Redeal, first),
        }
    });
    let name = Signal::derive(move || sheet.with(|sheet| sheet_view::name(sheet, first)));
    let pass = move |_| {
        store.write.run(match passed {
            AllPass::Opener => SheetChange::Declare(Contract { declarer: first, bid: 0 }),
            AllPass::Redeal => SheetChange::Write(SheetLine::AllPassed),
        });
    };
    let pass_words = Signal::derive(move || {
        phrases.with(|phrases| match passed {
            AllPass::Opener => phrases.entry_all_pass(name.get()),
            AllPass::Redeal => phrases.entry_all_pass_again(),
        })
    });
    view! {
        <div class="declare">
            <Choice
                title=t!(phrases, entry_declarer)
                values=seats(sheet)
                value=declarer
                choose=move |chosen| {
                    declarer.set(chosen);
                    declare();
                }
                at_once=true
            />
            <Choice
                title=t!(phrases, entry_declared_bid)
                values=(1..=most).map(|bid| (Some(bid), Signal::stored(bid.to_string()))).collect()
                value=bid
                choose=move |chosen| {
                    bid.set(chosen);
                    declare();
                }
                at_once=true
            />
            <button type="button" id="all-pass" disabled=store.busy on:click=pass>
                {pass_words}
            </button>
        </div>
    }
}

/// The players as values of a choice.
pub(super) fn seats(sheet: Signal<Sheet>) -> Vec<(Option<Seat>, Signal<String>)> {
    let players = sheet.with_untracked(sheet_view::players);
    let one = |(seat, _)| {
        (Some(seat), Signal::derive(move || sheet.with(|sheet| sheet_view::name(sheet, seat))))
    };
    players.into_iter().map(one).collect()
}

/// The bids of whist. The forbidden one is disabled; the panel says why.
#[component]
fn BidButtons(store: SheetStore, ask: Memo<Option<SheetPrompt>>, seat: Seat) -> impl IntoView {
    let phrases = use_phrases();
    let name = Signal::derive(move || store.sheet.with(|sheet| sheet_view::name(sheet, seat)));
    let (most, forbidden) = ask.with_untracked(|ask| {
        let forbidden = ask.as_ref().and_then(|ask| match ask.asks {
            NextInput::Bid { forbidden, .. } => forbidden,
            _ => None,
        });
        (ask.as_ref().map_or(0, |ask| ask.cards_each), forbidden)
    });
    let buttons = (0..=most).map(|bid| {
        let no = forbidden == Some(bid);
        view! {
            <button
                type="button"
                class:forbidden=no
                data-bid=bid.to_string()
                disabled=move || no || store.busy.get()
                on:click=move |_| store.write.run(SheetChange::Bid(bid))
            >
                {bid}
            </button>
        }
    });
    view! {
        <div
            class="numbers"
            role="group"
            aria-label=move || phrases.with(|phrases| phrases.entry_bid_of(name.get()))
        >
            {buttons.collect_view()}
        </div>
    }
}

/// Penalties (C15).
#[component]
fn PenaltyButtons(store: SheetStore) -> impl IntoView {
    let phrases = use_phrases();
    let sheet = store.sheet;
    let players = seats(sheet).into_iter().filter_map(|(seat, name)| {
        let seat = seat?;
        Some(view! {
            <button
                type="button"
                data-seat=seat.number().to_string()
                disabled=store.busy
                on:click=move |_| store.write.run(SheetChange::Write(SheetLine::Revoke { seat }))
            >
                {name}
            </button>
        })
    });
    let dealer = move || {
        let dealer = sheet.with(|sheet| {
            sheet.next().map(|next| sheet_view::name(sheet, next.dealer)).unwrap_or_default()
        });
        phrases.with(|phrases| phrases.entry_penalty_misdeal(dealer))
    };
    view! {
        <details class="penalties">
            <summary>{t!(phrases, entry_penalty)}</summary>
            <p>{t!(phrases, entry_penalty_revoke)}</p>
            <div class="row">{players.collect_view()}</div>
            <button
                type="button"
                id="misdeal"
                disabled=store.busy
                on:click=move |_| store.write.run(SheetChange::Write(SheetLine::Misdeal))
            >
                {dealer}
            </button>
        </details>
    }
}
