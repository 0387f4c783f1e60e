//! The form of a line: the next one, or one that is changed.

use cards::{Seat, Side};
use contest::sheet::SheetChange;
use game::Rules;
use game::cruce::AllPass;
use game::record::Name;
use leptos::prelude::*;
use sheet_view::{Draft, DraftKind};

use super::SheetStore;
use super::entry::seats;
use crate::pages::{Choice, Field};
use crate::text::{t, use_phrases};

#[component]
pub(super) fn LineForm(store: SheetStore, draft: RwSignal<Draft>) -> impl IntoView {
    let (rules, lines) = store.sheet.with_untracked(|sheet| (*sheet.rules(), sheet.rows().len()));
    let edits = draft.with_untracked(|draft| draft.line);
    match rules {
        Rules::Whist(whist) => {
            let most = whist.cards_each(edits.unwrap_or(lines)).unwrap_or_default() as u8;
            view! { <TricksForm store draft most edits=edits.is_some() /> }.into_any()
        }
        Rules::Cruce(cruce) => {
            let kind = Memo::new(move |_| draft.with(|draft| draft.kind));
            let edited = edits.map(|_| {
                let passed = cruce.spec().all_pass;
                view! { <DealKindForm store draft kind most=cruce.max_bid() passed /> }
            });
            view! {
                {edited}
                <div hidden=move || kind.get() != DraftKind::Played>
                    <PointsForm store draft />
                </div>
            }
            .into_any()
        }
    }
}

/// How a deal of Cruce ended, its declarer and the bid.
#[component]
fn DealKindForm(
    store: SheetStore,
    draft: RwSignal<Draft>,
    kind: Memo<DraftKind>,
    most: u8,
    passed: AllPass,
) -> impl IntoView {
    let phrases = use_phrases();
    let mut kinds = vec![(DraftKind::Played, t!(phrases, entry_kind_played))];
    if passed == AllPass::Redeal {
        kinds.push((DraftKind::AllPassed, t!(phrases, entry_kind_passed)));
    }
    if store.may.get_untracked() >= sheet_view::SheetAccess::Penalise {
        kinds.push((DraftKind::Revoke, t!(phrases, entry_kind_revoke)));
        kinds.push((DraftKind::Misdeal, t!(phrases, entry_kind_misdeal)));
    }
    let least = if passed == AllPass::Opener { 0 } else { 1 };
    let bids = (least..=most).map(|bid| (Some(bid), Signal::stored(bid.to_string())));
    let who = Signal::derive(move || {
        phrases.with(|phrases| match kind.get() {
            DraftKind::Revoke => phrases.entry_penalty_revoke(),
            _ => phrases.entry_declarer(),
        })
    });
    view! {
        <div class="declare">
            <Choice
                title=t!(phrases, entry_kind)
                values=kinds
                value=kind
                choose=move |kind| draft.update(|draft| draft.kind = kind)
            />
            <div hidden=move || matches!(kind.get(), DraftKind::AllPassed | DraftKind::Misdeal)>
                <Choice
                    title=who
                    values=seats(store.sheet)
                    value=Signal::derive(move || draft.with(|draft| draft.seat))
                    choose=move |seat| draft.update(|draft| draft.seat = seat)
                />
            </div>
            <div hidden=move || kind.get() != DraftKind::Played>
                <Choice
                    title=t!(phrases, entry_declared_bid)
                    values=bids.collect()
                    value=Signal::derive(move || draft.with(|draft| draft.bid))
                    choose=move |bid| draft.update(|draft| draft.bid = bid)
                />
            </div>
        </div>
    }
}

/// The points of the cards and the calls, by sides.
#[component]
fn PointsForm(store: SheetStore, draft: RwSignal<Draft>) -> impl IntoView {
    let phrases = use_phrases();
    let sheet = store.sheet;
    let sides = sheet.with_untracked(|sheet| sheet.rules().sides());
    let one = move |side: Side| {
        let name = Signal::derive(move || sheet.with(|sheet| sheet_view::side_name(sheet, side)));
        let points =
            move || draft.with(|draft| draft.cards.get(side.index()).cloned().unwrap_or_default());
        let calls = Signal::derive(move || {
            draft.with(|draft| draft.calls.get(side.index()).copied().unwrap_or_default())
        });
        let step = Callback::new(move |up| draft.update(|draft| draft.step_calls(side, up)));
        let about =
            Signal::derive(move || phrases.with(|phrases| phrases.entry_calls_of(name.get())));
        view! {
            <li>
                <span class="who">{name}</span>
                <input
                    type="text"
                    inputmode="numeric"
                    autocomplete="off"
                    data-points=side.number().to_string()
                    class:filled=move || points().filled
                    aria-label=move || phrases.with(|phrases| phrases.entry_points_of(name.get()))
                    prop:value=move || points().text
                    on:focus=move |event| {
                        let input: web_sys::HtmlInputElement = event_target(&event);
                        input.select();
                    }
                    on:input=move |event| {
                        let typed = event_target_value(&event);
                        draft.update(|draft| draft.type_points(side, &typed));
                    }
                />
                <Stepper value=calls about step name=format!("calls-{}", side.number()) />
            </li>
        }
    };
    view! {
        <ul class="counts points">
            <li class="heads" aria-hidden="true">
                <span></span>
                <span>{t!(phrases, entry_cards)}</span>
                <span>{t!(phrases, entry_calls)}</span>
            </li>
            {Side::first(sides).map(one).collect_view()}
        </ul>
    }
}

/// The tricks of every player; for a line that is changed, the bids too.
#[component]
fn TricksForm(store: SheetStore, draft: RwSignal<Draft>, most: u8, edits: bool) -> impl IntoView {
    let phrases = use_phrases();
    let sheet = store.sheet;
    let players = sheet.with_untracked(|sheet| sheet.rules().players());
    let one = move |seat: Seat| {
        let name = Signal::derive(move || sheet.with(|sheet| sheet_view::name(sheet, seat)));
        let of = move |each: fn(&Draft) -> &Vec<u8>| {
            Signal::derive(move || {
                draft.with(|draft| each(draft).get(seat.index()).copied().unwrap_or_default())
            })
        };
        let (bid, took) = (of(|draft| &draft.bids), of(|draft| &draft.tricks));
        let bids = Callback::new(move |up| draft.update(|draft| draft.step_bid(seat, up, most)));
        let takes =
            Callback::new(move |up| draft.update(|draft| draft.step_tricks(seat, up, most)));
        let bid_of =
            Signal::derive(move || phrases.with(|phrases| phrases.entry_bid_of(name.get())));
        let took_of =
            Signal::derive(move || phrases.with(|phrases| phrases.entry_tricks_of(name.get())));
        let said = if edits {
            view! { <Stepper value=bid about=bid_of step=bids name=format!("bid-{}", seat.number()) /> }
                .into_any()
        } else {
            view! {
                <span class="bid-said">
                    <span class="unseen">{bid_of}</span>
                    {bid}
                </span>
            }
            .into_any()
        };
        view! {
            <li class:astray=move || bid.get() != took.get()>
                <span class="who">{name}</span>
                {said}
                <Stepper value=took about=took_of step=takes name=format!("took-{}", seat.number()) />
            </li>
        }
    };
    view! {
        <ul class="counts tricks" class:edits=edits>
            <li class="heads" aria-hidden="true">
                <span></span>
                <span>{t!(phrases, entry_bid)}</span>
                <span>{t!(phrases, entry_tricks)}</span>
            </li>
            {Seat::first(players).map(one).collect_view()}
        </ul>
    }
}

/// A number with a button for less and one for more.
#[component]
fn Stepper(
    value: Signal<u8>,
    about: Signal<String>,
    step: Callback<bool>,
    name: String,
) -> impl IntoView {
    let phrases = use_phrases();
    view! {
        <span class="stepper" role="group" aria-label=about data-stepper=name>
            <button
                type="button"
                aria-label=move || phrases.with(|phrases| phrases.entry_less_of(about.get()))
                on:click=move |_| step.run(false)
            >
                "−"
            </button>
            <output>{value}</output>
            <button
                type="button"
                aria-label=move || phrases.with(|phrases| phrases.entry_more_of(about.get()))
                on:click=move |_| step.run(true)
            >
                "+"
            </button>
        </span>
    }
}

/// The effect of a draft or what is wrong with it, and the button that writes it.
#[component]
pub(super) fn DraftVerdict(
    store: SheetStore,
    draft: RwSignal<Draft>,
    /// Called after it was written.
    done: Option<Callback<()>>,
) -> impl IntoView {
    let phrases = use_phrases();
    let verdict = Memo::new(move |_| {
        phrases.with(|phrases| {
            store.sheet.with(|sheet| draft.with(|draft| draft.check(sheet, phrases)))
        })
    });
    // The user pressed the button of an incomplete draft: the reason is shown.
    let insisted = RwSignal::new(false);
    Effect::new(move |_| {
        verdict.track();
        insisted.set(false);
    });
    let unready = move || verdict.with(|verdict| verdict.change.is_err());
    let why = move || {
        verdict.with(|verdict| match &verdict.change {
            Err(why) if verdict.wrong || insisted.get() => Some(why.clone()),
            _ => None,
        })
    };
    let hint = move || verdict.with(|verdict| verdict.hint.clone());
    let write = move || match verdict.with_untracked(|verdict| verdict.change.clone()) {
        Ok(change) if !store.busy.get_untracked() => {
            store.write.run(change);
            if let Some(done) = done {
                done.run(());
            }
        }
        Ok(_) => {}
        Err(_) => insisted.set(true),
    };
    let edits = draft.with_untracked(|draft| draft.line.is_some());
    view! {
        <p class="alert" role="alert" hidden=move || why().is_none()>
            {why}
        </p>
        <p class="brings" role="status" hidden=move || why().is_some()>
            {hint}
        </p>
        <button
            type="button"
            class="primary write"
            id=if edits { "save-line" } else { "write-line" }
            aria-disabled=move || if unready() { "true" } else { "false" }
            disabled=store.busy
            on:click=move |_| write()
        >
            {if edits { t!(phrases, entry_save) } else { t!(phrases, entry_write) }}
        </button>
    }
}

/// The form that renames the players.
#[component]
pub(super) fn NamesForm(store: SheetStore, open: RwSignal<bool>) -> impl IntoView {
    const IDS: [&str; 6] = ["name-1", "name-2", "name-3", "name-4", "name-5", "name-6"];
    let phrases = use_phrases();
    let players = store.sheet.with_untracked(sheet_view::players);
    let names: Vec<(Seat, RwSignal<String>)> =
        players.into_iter().map(|(seat, name)| (seat, RwSignal::new(name))).collect();
    let fields = names.iter().zip(IDS).map(|((seat, name), id)| {
        let number = seat.number();
        view! {
            <Field
                label=t!(phrases, sheets_player, number)
                value=*name
                id
                letters=(1, 40)
                autocomplete="off"
            />
        }
    });
    let fields = fields.collect_view();
    let wrong = RwSignal::new(false);
    let save = move || {
        let mut changes = Vec::new();
        for (seat, name) in &names {
            let Ok(name) = Name::new(name.get_untracked().trim()) else {
                wrong.set(true);
                return;
            };
            let other = store.sheet.with_untracked(|sheet| sheet.names()[seat.index()] != name);
            if other {
                changes.push(SheetChange::Rename { seat: *seat, name });
            }
        }
        for change in changes {
            store.write.run(change);
        }
        open.set(false);
    };
    view! {
        <form
            class="form"
            novalidate
            on:submit=move |event| {
                event.prevent_default();
                save();
            }
        >
            {fields}
            <p class="alert" role="alert" hidden=move || !wrong.get()>
                {t!(phrases, entry_not_a_name)}
            </p>
            <button class="primary" type="submit">
                {t!(phrases, entry_rename_save)}
            </button>
        </form>
    }
}
