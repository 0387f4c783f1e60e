//! The entrants: added one by one, as a pasted list or from a file; renaming, withdrawing and
//! returning; and the settings, until the first draw.

use contest::standings::EntrantState;
use contest::{ContestChange, ContestSettings, ContestStage, EntrantId, Party, roster};
use contest_view::{state, word_of};
use game::record::Name;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;

use super::form::{ConfirmButton, SettingsForm};
use super::use_contest;
use crate::text::{t, use_phrases};

#[component]
pub(super) fn EntrantsTab() -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let entering = Memo::new(move |_| {
        context.contest(|contest| Some(contest.stage())) == Some(ContestStage::Entering)
    });
    let may_enter = Memo::new(move |_| {
        context.contest(|contest| {
            !contest.phases().last().is_some_and(contest::ContestPhase::is_final)
        })
    });
    view! {
        <Show
            when=move || may_enter.get()
            fallback=move || view! { <p class="notice">{t!(phrases, contest_page_no_more_entrants)}</p> }
        >
            <AddEntrantForm />
            <AddListForm />
        </Show>
        <EntrantList />
        <Show when=move || entering.get()>
            <AmendSettings />
        </Show>
    }
}

fn pairs() -> Memo<bool> {
    let context = use_contest();
    Memo::new(move |_| context.contest(|contest| contest.settings().pairs()))
}

/// The party of one or two typed names, if they are valid.
fn party(first: &str, second: Option<&str>) -> Option<Party> {
    let name = |text: &str| Name::new(text.trim()).ok();
    match second {
        None => name(first).map(Party::Alone),
        Some(second) => name(first).zip(name(second)).map(|(one, two)| Party::Pair(one, two)),
    }
}

/// Adds one entrant; the field is ready for the next one at once.
#[component]
fn AddEntrantForm() -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let pairs = pairs();
    let (first, second) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let field = NodeRef::<leptos::html::Input>::new();
    let invalid = RwSignal::new(false);
    let add = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let (one, two) = (first.get_untracked(), second.get_untracked());
        let party = party(&one, pairs.get_untracked().then_some(two.as_str()));
        invalid.set(party.is_none());
        let Some(party) = party else { return };
        context.act(ContestChange::Enter(vec![party]), move || {
            first.try_set(String::new());
            second.try_set(String::new());
            if let Some(field) = field.try_get_untracked().flatten() {
                let _ = field.focus();
            }
        });
    };
    let input = move |value: RwSignal<String>, id: &'static str, label: Signal<String>| {
        view! {
            <label>
                <span>{label}</span>
                <input
                    type="text"
                    id=id
                    maxlength="40"
                    autocomplete="off"
                    prop:value=value
                    on:input=move |event| value.set(event_target_value(&event))
                />
            </label>
        }
    };
    view! {
        <form class="add" on:submit=add>
            <label>
                <span>{t!(phrases, contest_page_name)}</span>
                <input
                    type="text"
                    id="entrant"
                    maxlength="40"
                    autocomplete="off"
                    node_ref=field
                    prop:value=first
                    on:input=move |event| first.set(event_target_value(&event))
                />
            </label>
            <Show when=move || pairs.get()>
                {move || input(second, "partner", t!(phrases, contest_page_partner))}
            </Show>
            <button class="primary" type="submit">
                {t!(phrases, contest_page_add)}
            </button>
            <p class="alert" role="alert" hidden=move || !invalid.get()>
                {t!(phrases, contest_page_name_strange)}
            </p>
        </form>
    }
}

/// Adds a list of entrants, pasted or from a file.
#[component]
fn AddListForm() -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let pairs = pairs();
    let text = RwSignal::new(String::new());
    let read = Memo::new(move |_| text.with(|text| roster::parse(text, pairs.get())));
    let faults = move || {
        phrases.with(|phrases| {
            read.with(|read| match read {
                Ok(_) => Vec::new(),
                Err(faults) => faults.iter().map(|one| phrases.fault_of_list(one)).collect(),
            })
        })
    };
    let found = Memo::new(move |_| read.with(|read| read.as_ref().map_or(0, Vec::len)));
    let admit = move |_| {
        let Ok(parties) = read.get_untracked() else { return };
        context.act(ContestChange::Enter(parties), move || _ = text.try_set(String::new()));
    };
    view! {
        <details class="many">
            <summary>{t!(phrases, contest_page_add_many)}</summary>
            <p class="hint">
                {move || {
                    phrases.with(|phrases| phrases.contest_page_list_hint(if pairs.get() { "pairs" } else { "alone" }))
                }}
            </p>
            <label>
                <span class="unseen">{t!(phrases, contest_page_list)}</span>
                <textarea
                    id="list"
                    rows="8"
                    prop:value=text
                    on:input=move |event| text.set(event_target_value(&event))
                ></textarea>
            </label>
            <ul class="alert faults" role="alert" hidden=move || read.with(Result::is_ok)>
                {move || faults().into_iter().map(|fault| view! { <li>{fault}</li> }).collect_view()}
            </ul>
            <div class="row">
                <button class="primary" id="admit" disabled=move || found.get() == 0 on:click=admit>
                    {move || phrases.with(|phrases| phrases.contest_page_enter(found.get()))}
                </button>
                <label class="button">
                    {t!(phrases, contest_page_file)}
                    <input
                        class="unseen"
                        type="file"
                        id="file"
                        accept=".csv,.txt,text/csv,text/plain"
                        on:change=move |event| read_file(&event, text)
                    />
                </label>
            </div>
        </details>
    }
}

/// Reads the file that was chosen into `text`.
fn read_file(event: &leptos::ev::Event, text: RwSignal<String>) {
    let input: web_sys::HtmlInputElement = event_target(event);
    let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
    // A list of a thousand names has a few dozen kilobytes.
    if file.size() > roster::MAX_BYTES as f64 {
        text.set("\n".repeat(roster::MAX_BYTES + 1));
        return;
    }
    spawn_local(async move {
        let blob: &web_sys::Blob = file.unchecked_ref();
        let read = js_sys::futures::JsFuture::from(blob.text()).await;
        if let Some(read) = read.ok().and_then(|read| read.as_string()) {
            text.try_set(read);
        }
        input.set_value("");
    });
}

/// An entrant in the list.
#[derive(Clone, PartialEq, Eq, Hash)]
struct EntrantRow {
    entrant: EntrantId,
    name: String,
    state: String,
    withdrawn: bool,
}

#[component]
fn EntrantList() -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let rows = Memo::new(move |_| {
        context.describe(|phrases, contest| {
            let row = |(entrant, entered): (EntrantId, &contest::Entrant)| {
                let standing = contest.standing(entrant);
                let state = standing
                    .filter(|one| one.state != EntrantState::Waiting)
                    .map(|one| state(phrases, one.state));
                EntrantRow {
                    entrant,
                    name: contest.name(entrant),
                    state: state.unwrap_or_default(),
                    withdrawn: entered.has_withdrawn(),
                }
            };
            contest.entrants().map(row).collect::<Vec<_>>()
        })
    });
    let count = move || {
        phrases.with(|phrases| {
            rows.with(|rows| {
                phrases.contest_page_count(rows.iter().filter(|row| !row.withdrawn).count())
            })
        })
    };
    let edited = RwSignal::new(None::<EntrantId>);
    let item = move |row: EntrantRow| view! { <EntrantItem row edited /> };
    view! {
        <h2>{count}</h2>
        <p class="empty" hidden=move || !rows.with(Vec::is_empty)>
            {t!(phrases, contest_page_nobody_yet)}
        </p>
        <ol class="entrants">
            <For each=move || rows.get() key=|row| row.clone() children=item />
        </ol>
    }
}

/// An entrant with the buttons to rename, withdraw and return.
#[component]
fn EntrantItem(row: EntrantRow, edited: RwSignal<Option<EntrantId>>) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let EntrantRow { entrant, name, state, withdrawn } = row;
    let who = name.clone();
    let question = Signal::derive(move || {
        phrases.with(|phrases| phrases.contest_page_withdraw_sure(who.clone()))
    });
    let withdraw = view! {
        <ConfirmButton
            label=t!(phrases, contest_page_withdraw)
            question
            id="withdraw"
            class="quiet"
            done=Callback::new(move |()| context.act(ContestChange::Withdraw { entrant }, || ()))
        />
    };
    let back = view! {
        <button class="quiet" on:click=move |_| context.act(ContestChange::Return { entrant }, || ())>
            {t!(phrases, contest_page_return)}
        </button>
    };
    view! {
        <li class:withdrawn=withdrawn>
            <span class="number">{entrant.number()}</span>
            <span class="who">{name} <small>{state}</small></span>
            <span class="row">
                <button class="quiet" on:click=move |_| edited.set(Some(entrant))>
                    {t!(phrases, contest_page_rename)}
                </button>
                {match withdrawn {
                    true => back.into_any(),
                    false => withdraw.into_any(),
                }}
            </span>
            <Show when=move || edited.get() == Some(entrant)>
                <RenameForm entrant edited />
            </Show>
        </li>
    }
}

#[component]
fn RenameForm(entrant: EntrantId, edited: RwSignal<Option<EntrantId>>) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let pairs = pairs();
    let names = untrack(|| {
        context.contest(|contest| {
            let party = contest.entrant(entrant).map(contest::Entrant::party);
            party.map(|party| party.names().iter().map(ToString::to_string).collect::<Vec<_>>())
        })
    });
    let names = names.unwrap_or_default();
    let part = |at: usize| RwSignal::new(names.get(at).cloned().unwrap_or_default());
    let (first, second) = (part(0), part(1));
    let save = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let (one, two) = (first.get_untracked(), second.get_untracked());
        let renamed = party(&one, pairs.get_untracked().then_some(two.as_str()));
        let Some(party) = renamed else { return };
        context.act(ContestChange::Rename { entrant, party }, move || _ = edited.try_set(None));
    };
    let input = move |value: RwSignal<String>| {
        view! {
            <input
                type="text"
                class="renamed"
                maxlength="40"
                required
                autocomplete="off"
                aria-label=t!(phrases, contest_page_name)
                prop:value=value
                on:input=move |event| value.set(event_target_value(&event))
            />
        }
    };
    view! {
        <form class="rename row" on:submit=save>
            {input(first)}
            {move || pairs.get().then(|| input(second))}
            <button class="primary" type="submit">
                {t!(phrases, contest_page_save)}
            </button>
            <button type="button" on:click=move |_| edited.set(None)>
                {t!(phrases, contest_page_cancel)}
            </button>
        </form>
    }
}

/// Changes the settings before the first draw.
#[component]
fn AmendSettings() -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let Some(settings) = untrack(|| context.contest(|contest| Some(contest.settings().clone())))
    else {
        return ().into_any();
    };
    let title = RwSignal::new(settings.title().to_string());
    let (rules, venue) = (RwSignal::new(*settings.rules()), RwSignal::new(settings.venue()));
    let saved = RwSignal::new(false);
    let save = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let name = Name::new(title.get_untracked().trim());
        let word = word_of(&title.get_untracked());
        let made = name.ok().zip(word).map(|(name, word)| {
            ContestSettings::new(name, word, rules.get_untracked(), venue.get_untracked())
        });
        // The form itself shows what is wrong with invalid settings.
        if let Some(Ok(settings)) = made {
            context.act(ContestChange::Settings(settings), move || _ = saved.try_set(true));
        }
    };
    view! {
        <details class="many" on:toggle=move |_| saved.set(false)>
            <summary>{t!(phrases, contest_page_settings)}</summary>
            <form class="form" on:submit=save>
                <SettingsForm title rules venue />
                <button class="primary" type="submit" id="save-settings">
                    {t!(phrases, contest_page_save)}
                </button>
                <p role="status" hidden=move || !saved.get()>
                    {t!(phrases, contest_page_saved)}
                </p>
            </form>
        </details>
    }
    .into_any()
}
