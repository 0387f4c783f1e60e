//! The score sheets that this device knows, and a form for a new one.

use cards::Seat;
use contest::Sheet;
use contest::sheet::Setup;
use game::Rules;
use game::record::Name;
use leptos::prelude::*;
use phrases::Language;
use replica::Route;
use sheet_view::SheetView;
use table_view::house_rules;
use wasm_bindgen::JsValue;

use crate::pages::{Choice, HouseRulesForm, seats_of_cruce, seats_of_whist};
use crate::sheets::{self, SharedSheet};
use crate::styled::Styled;
use crate::table::dialog::ConfirmQuestion;
use crate::text::{PhraseSignal, t, use_phrases};
use crate::{navigator, storage};

/// The storage key of the names that were used last.
const NAMES: &str = "sheet-names";
const MAX_PLAYERS: usize = 6;

#[component]
pub(crate) fn SheetsPage() -> impl IntoView {
    let phrases = use_phrases();
    let kept = RwSignal::new(sheets::names());
    let shared = RwSignal::new(sheets::shared());
    let none = move || kept.with(Vec::is_empty) && shared.with(Vec::is_empty);
    let on_servers = move || {
        shared.get().into_iter().map(|one| view! { <SharedSheetItem one shared /> }).collect_view()
    };
    let list = move || {
        kept.get().into_iter().map(|name| view! { <LocalSheetItem name kept /> }).collect_view()
    };
    view! {
        <Styled style="sheet">
        <main class="page narrow">
            <h1>{t!(phrases, sheets)}</h1>
            <p class="lead">{t!(phrases, sheets_lead)}</p>
            <div hidden=none>
                <h2>{t!(phrases, sheets_kept)}</h2>
                <ul class="tables kept-sheets">{on_servers} {list}</ul>
            </div>
            <h2>{t!(phrases, sheets_new)}</h2>
            <NewSheetForm />
        </main>
        </Styled>
    }
}

/// A sheet on a server.
#[component]
fn SharedSheetItem(one: SharedSheet, shared: RwSignal<Vec<SharedSheet>>) -> impl IntoView {
    let phrases = use_phrases();
    let address = Route::SharedSheet { ledger: one.ledger.clone(), key: None }.address();
    let names = Signal::stored(one.names);
    let forget = Callback::new(move |()| {
        sheets::forget_shared(&one.ledger);
        shared.set(sheets::shared());
    });
    let question =
        Signal::derive(move || phrases.with(|phrases| phrases.sheets_unknow_sure(names.get())));
    view! {
        <li>
            <a class="listed past" href=address>
                <strong>{t!(phrases, sheets_shared)}</strong>
                <span>{names}</span>
            </a>
            <ForgetButton names question forget />
        </li>
    }
}

/// A button that forgets a sheet after a confirmation.
#[component]
fn ForgetButton(
    names: Signal<String>,
    question: Signal<String>,
    forget: Callback<()>,
) -> impl IntoView {
    let phrases = use_phrases();
    let asks = RwSignal::new(false);
    view! {
        <button
            type="button"
            class="quiet forget"
            hidden=asks
            aria-label=move || {
                phrases.with(|phrases| format!("{}: {}", phrases.sheets_forget(), names.get()))
            }
            on:click=move |_| asks.set(true)
        >
            {t!(phrases, sheets_forget)}
        </button>
        <Show when=move || asks.get()>
            <ConfirmQuestion
                question
                yes=t!(phrases, sheets_forget)
                id="forget"
                done=forget
                cancel=Callback::new(move |()| asks.set(false))
            />
        </Show>
    }
}

/// A sheet on this device.
#[component]
fn LocalSheetItem(name: String, kept: RwSignal<Vec<String>>) -> impl IntoView {
    let phrases = use_phrases();
    let Some(sheet) = sheets::read(&name) else { return ().into_any() };
    let address = Route::Sheet { sheet: name.clone() }.address();
    let forget = Callback::new(move |()| {
        sheets::forget(&name);
        kept.set(sheets::names());
    });
    let written = sheet.log().last().map(|entry| entry.at);
    let lines = sheet.rows().len();
    let paper = Memo::new(move |_| phrases.with(|phrases| SheetView::new(&sheet, phrases)));
    let names = Signal::derive(move || paper.with(|paper| paper.columns.join(", ")));
    let question =
        Signal::derive(move || phrases.with(|phrases| phrases.sheets_forget_sure(names.get())));
    let sides = move || {
        let paper = paper.get();
        let each = paper.columns.into_iter().zip(paper.totals).enumerate();
        each.map(|(at, (name, score))| {
            let won = paper.won.get(at).copied().unwrap_or_default();
            view! { <span class="side" class:won=won>{name} " " <b>{score}</b></span> }
        })
        .collect_view()
    };
    view! {
        <li>
            <a class="listed past" href=address>
                <strong>
                    {move || paper.with(|paper| paper.title.clone())} " · "
                    {t!(phrases, sheets_lines, lines)} {move || written.map(|at| day(at, phrases))}
                </strong>
                {sides}
            </a>
            <ForgetButton names question forget />
        </li>
    }
    .into_any()
}

/// The local date of a timestamp.
fn day(at: u64, phrases: PhraseSignal) -> String {
    let language = phrases.with(|phrases| match phrases.language() {
        Language::Romanian => "ro-RO",
        Language::English => "en-GB",
    });
    let day = js_sys::Date::new(&JsValue::from_f64(at as f64));
    format!(" · {}", String::from(day.to_locale_date_string(language, &JsValue::UNDEFINED)))
}

/// The form of a new sheet: game, rules, players, and the first dealer.
#[component]
fn NewSheetForm() -> impl IntoView {
    let (phrases, navigator) = (use_phrases(), navigator::use_navigator());
    let Ok(usual) = Rules::from_code("classic") else { return ().into_any() };
    let rules = RwSignal::new(usual);
    let seats = Signal::derive(move || {
        let seats = rules.with(house_rules::seats);
        let known = seats_of_cruce(phrases).into_iter().chain(seats_of_whist(phrases));
        known.map(|(known, _)| known).find(|known| *known == seats).unwrap_or_default()
    });
    let sit = move |seats: &'static str| {
        rules.update(|rules| *rules = house_rules::on_seats(rules, seats).unwrap_or(*rules));
    };
    let names = TypedNames::restore(phrases);
    let dealer = RwSignal::new(0);
    let players = Memo::new(move |_| rules.with(Rules::players));
    let wrong = RwSignal::new(false);
    let begin = move || {
        let Some(setup) = names.setup(rules.get_untracked(), dealer.get_untracked()) else {
            wrong.set(true);
            return;
        };
        names.store();
        navigator.go(Route::Sheet { sheet: sheets::begin(&setup) });
    };
    view! {
        <form
            class="form"
            id="new-sheet"
            on:submit=move |event| {
                event.prevent_default();
                begin();
            }
        >
            <Choice title=t!(phrases, cruce) values=seats_of_cruce(phrases) value=seats choose=sit />
            <Choice title=t!(phrases, whist) values=seats_of_whist(phrases) value=seats choose=sit />
            <HouseRulesForm
                rules=rules.into()
                choose=Callback::new(move |chosen| rules.set(chosen))
                fixed=Signal::stored(false)
                seats=false
                invites=false
                typed=None
            />
            <fieldset>
                <legend>{t!(phrases, sheets_names)}</legend>
                <div class="players">{name_fields(names, players)}</div>
            </fieldset>
            {dealer_choice(names, players, dealer)}
            <p class="alert" role="alert" hidden=move || !wrong.get()>
                {t!(phrases, entry_not_a_name)}
            </p>
            <button class="primary large" type="submit" id="begin">
                {t!(phrases, sheets_begin)}
            </button>
        </form>
    }
    .into_any()
}

/// The names that are typed into the form.
#[derive(Clone, Copy)]
struct TypedNames {
    names: StoredValue<Vec<RwSignal<String>>>,
    phrases: PhraseSignal,
}

impl TypedNames {
    /// The names that were used last.
    fn restore(phrases: PhraseSignal) -> TypedNames {
        let last = storage::read(NAMES).unwrap_or_default();
        let mut last = last.lines();
        let names: Vec<RwSignal<String>> = (0..MAX_PLAYERS)
            .map(|_| RwSignal::new(last.next().unwrap_or_default().to_owned()))
            .collect();
        TypedNames { names: StoredValue::new(names), phrases }
    }

    /// The name of a player, or a default if none is typed.
    fn name(self, at: usize) -> String {
        let typed = self.names.with_value(|names| names[at].get()).trim().to_owned();
        match typed.is_empty() {
            true => self.phrases.with(|phrases| phrases.sheets_player(at + 1)),
            false => typed,
        }
    }

    /// The setup of the sheet. Returns None if a name or the rules are invalid.
    fn setup(self, rules: Rules, dealer: usize) -> Option<Setup> {
        let players = rules.players();
        let names: Result<Vec<_>, _> =
            (0..players).map(|at| Name::new(&untrack(|| self.name(at)))).collect();
        let dealer = Seat::new(dealer % players).unwrap_or_default();
        let setup = Setup { rules, names: names.ok()?, dealer };
        Sheet::new(setup.clone()).is_ok().then_some(setup)
    }

    fn store(self) {
        let typed: Vec<String> = self.names.with_value(|names| {
            names.iter().map(|name| name.get_untracked().trim().to_owned()).collect()
        });
        storage::store(NAMES, &typed.join("\n"));
    }
}

/// A field for the name of each player.
fn name_fields(names: TypedNames, players: Memo<usize>) -> impl IntoView {
    let phrases = names.phrases;
    let field = move |at: usize| {
        let name = names.names.with_value(|names| names[at]);
        view! {
            <input
                type="text"
                id=format!("player-{}", at + 1)
                maxlength="40"
                autocomplete="off"
                autocapitalize="words"
                aria-label=t!(phrases, sheets_player, at + 1)
                placeholder=t!(phrases, sheets_player, at + 1)
                prop:value=name
                on:input=move |event| name.set(event_target_value(&event))
            />
        }
    };
    move || (0..players.get()).map(field).collect_view()
}

/// The choice of the first dealer.
fn dealer_choice(
    names: TypedNames,
    players: Memo<usize>,
    dealer: RwSignal<usize>,
) -> impl IntoView {
    let phrases = names.phrases;
    move || {
        let values = (0..players.get()).map(|at| (at, Signal::derive(move || names.name(at))));
        view! {
            <Choice
                title=t!(phrases, sheets_dealer)
                values=values.collect()
                value=Signal::derive(move || dealer.get() % players.get())
                choose=move |chosen| dealer.set(chosen)
            />
        }
    }
}
