//! A match that is over, looked at again: every card, from every seat, and whether it was fair.
//!
//! All buttons are [knobs](knob) of one kind, which keeps the page small.

use cards::Seat;
use game::record::Record;
use gloo_timers::future::TimeoutFuture;
use leptos::ev::{self, KeyboardEvent};
use leptos::prelude::*;
use leptos::task::spawn_local;
use phrases::game_word;
use replica::Route;
use table_view::TableScene;
use table_view::replay::{DealMoment, Replay, Stride, Verdict};
use table_view::scores::Scores;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::api::{self, ApiError};
use crate::app::use_live_region;
use crate::icon::{Drawn, Icon};
use crate::journals;
use crate::navigator::{self, Navigator, use_navigator};
use crate::pages::trouble;
use crate::settings::use_settings;
use crate::table::connection_lost::Sorry;
use crate::table::scene::{Bar, FeltView, SceneContext};
use crate::table::scores::{Grid, ScoreSheet};
use crate::text::{Words, t, use_words};

/// After how long a rest the address follows: browsers do not let it be changed all the time.
const REST_MS: u32 = 250;

/// The ways to go, as they stand side by side.
const STRIDES: [(Stride, bool, Icon); 8] = [
    (Stride::Match, false, Icon::First),
    (Stride::Deal, false, Icon::DealBack),
    (Stride::Trick, false, Icon::TrickBack),
    (Stride::Step, false, Icon::Back),
    (Stride::Step, true, Icon::Back),
    (Stride::Trick, true, Icon::TrickBack),
    (Stride::Deal, true, Icon::DealBack),
    (Stride::Match, true, Icon::First),
];

/// A match that was fetched, and where it was.
struct FetchedMatch {
    record: Record,
    replay: Replay,
    table: String,
    number: u32,
    /// Where the record is.
    file: String,
}

impl FetchedMatch {
    /// What a text tells of a match; nothing if it is no record.
    fn read(text: &str, table: &str, number: u32, file: String) -> Option<FetchedMatch> {
        let record: Record = text.parse().ok()?;
        let replay = Replay::new(&record)?;
        Some(FetchedMatch { record, replay, table: table.into(), number, file })
    }
}

/// How far the page is.
#[derive(Clone, Copy)]
enum Fetched {
    NotYet,
    Here(StoredValue<FetchedMatch>),
    Lacking(ApiError),
    /// What was fetched is no record, or an empty one.
    Unreadable,
}

#[component]
pub(crate) fn ReplayPage(table: String, number: u32) -> impl IntoView {
    let words = use_words();
    let fetched = RwSignal::new(Fetched::NotYet);
    // What is kept lives as long as the page.
    let owner = Owner::current();
    spawn_local(async move {
        // A match in this browser, or one on the server.
        let (told, file) = match journals::kept_match(&table, number) {
            Some(own) => (Ok(own.clone()), journals::address_of(&own)),
            None => {
                let file = api::record(&table, number);
                (api::text(&file).await, file)
            }
        };
        fetched.try_set(match told.map(|text| FetchedMatch::read(&text, &table, number, file)) {
            Ok(Some(kept)) => match owner {
                Some(owner) => Fetched::Here(owner.with(|| StoredValue::new(kept))),
                None => return,
            },
            Ok(None) => Fetched::Unreadable,
            Err(trouble) => Fetched::Lacking(trouble),
        });
    });
    move || {
        let now = fetched.get();
        if let Fetched::Here(kept) = now {
            return view! { <Shown kept /> }.into_any();
        }
        let said = move || {
            words.with(|phrases| match now {
                Fetched::Lacking(ApiError::Gone) => {
                    (phrases.replay_gone(), phrases.replay_gone_more())
                }
                Fetched::Lacking(other) => (phrases.replay(), trouble(words, other)),
                Fetched::Unreadable => {
                    (phrases.replay_unreadable(), phrases.replay_unreadable_more())
                }
                _ => (phrases.replay(), phrases.replay_loading()),
            })
        };
        let again = match now {
            Fetched::Lacking(trouble) => !matches!(trouble, ApiError::Gone | ApiError::Forbidden),
            Fetched::Unreadable => true,
            _ => false,
        };
        let (title, more) = (Signal::derive(move || said().0), Signal::derive(move || said().1));
        view! { <Sorry title more again /> }.into_any()
    }
}

/// A match at one of its steps.
#[derive(Clone, Copy)]
struct ReplayFrame {
    kept: StoredValue<FetchedMatch>,
    step: RwSignal<usize>,
    /// From which seat it is seen, counted from one; from nought, all hands lie open.
    eyes: RwSignal<usize>,
    /// What else is to be said, until the next step.
    notice: RwSignal<Vec<String>>,
    words: Words,
    navigator: Navigator,
}

/// What a knob does.
#[derive(Clone, Copy)]
enum ReplayControl {
    Go(Stride, bool),
    /// To the steps from the first to the one before the second.
    Jump(usize, usize),
    Look(usize),
    Share,
    Verify,
}

impl ReplayFrame {
    fn seat(self) -> Option<Seat> {
        self.eyes.get().checked_sub(1).and_then(Seat::new)
    }

    fn last(self) -> usize {
        self.kept.with_value(|kept| kept.replay.last())
    }

    fn names(self) -> Vec<String> {
        let names =
            |kept: &FetchedMatch| self.words.with_untracked(|phrases| kept.replay.names(phrases));
        self.kept.with_value(names)
    }

    fn scene(self) -> TableScene {
        let (step, seat) = (self.step.get(), self.seat());
        let direction = use_settings().with(|settings| settings.direction);
        let mut scene = self.words.with(|phrases| {
            self.kept.with_value(|kept| kept.replay.scene(step, seat, direction, phrases))
        });
        // Here a taken trick lies until the next card.
        scene.last = scene.last.filter(|_| scene.trick.is_empty());
        scene
    }

    fn sentence(self) -> String {
        let (step, seat) = (self.step.get(), self.seat());
        self.words
            .with(|phrases| self.kept.with_value(|kept| kept.replay.sentence(step, seat, phrases)))
    }

    /// The score sheet of the deals that were over by then.
    fn scores(self) -> Scores {
        let step = self.step.get();
        self.words.with(|phrases| self.kept.with_value(|kept| kept.replay.scores(step, phrases)))
    }

    /// The address of the moment.
    fn route(self) -> Route {
        let step = self.step.get_untracked();
        self.kept.with_value(|kept| Route::Replay {
            table: kept.table.clone(),
            number: kept.number,
            moment: Some(kept.replay.moment(step).to_string()),
        })
    }

    /// The step that the address asks for.
    fn asked(self) -> Option<usize> {
        let Route::Replay { moment: Some(moment), .. } = self.navigator.here() else { return None };
        Some(self.kept.with_value(|kept| kept.replay.find(&moment)))
    }

    fn does(self, what: ReplayControl) {
        self.notice.set(Vec::new());
        match what {
            ReplayControl::Go(stride, forward) => {
                let now = self.step.get_untracked();
                let then = self.kept.with_value(|kept| kept.replay.stride(now, stride, forward));
                self.step.set(then);
            }
            ReplayControl::Jump(start, _) => self.step.set(start),
            ReplayControl::Look(eyes) => self.eyes.set(eyes),
            ReplayControl::Share => {
                let origin = window().location().origin().unwrap_or_default();
                let link = format!("{origin}{}", self.route().address());
                spawn_local(async move {
                    let copied = navigator::copy(link).await;
                    let said = self.words.with_untracked(|phrases| match copied {
                        true => phrases.replay_copied(),
                        false => phrases.replay_address(),
                    });
                    self.notice.try_set(vec![said]);
                });
            }
            ReplayControl::Verify => {
                let names = self.names();
                let lines = self.words.with_untracked(|phrases| {
                    self.kept.with_value(|kept| {
                        let verdict = Verdict::of(&kept.record, &names, phrases);
                        let title = match verdict.right {
                            true => phrases.verified(),
                            false => phrases.verified_not(),
                        };
                        [vec![title], verdict.lines].concat()
                    })
                });
                self.notice.set(lines);
            }
        }
    }

    /// Whether a knob shows where we are.
    fn holds(self, what: ReplayControl) -> Option<&'static str> {
        let here = match what {
            ReplayControl::Jump(start, end) => (start..end).contains(&self.step.get()),
            ReplayControl::Look(eyes) => self.eyes.get() == eyes,
            _ => return None,
        };
        Some(if here { "true" } else { "false" })
    }

    /// Whether a knob leads nowhere.
    fn idle(self, what: ReplayControl) -> bool {
        match what {
            ReplayControl::Go(_, forward) => {
                self.step.get() == if forward { self.last() } else { 0 }
            }
            _ => false,
        }
    }
}

/// A button with an icon or with words.
fn knob(stage: ReplayFrame, what: ReplayControl, words: String, icon: Option<Icon>) -> AnyView {
    let (title, text) = match icon {
        Some(_) => (words, String::new()),
        None => (String::new(), words),
    };
    view! {
        <button
            class:ahead=matches!(what, ReplayControl::Go(_, true))
            title=title
            aria-pressed=move || stage.holds(what)
            disabled=move || stage.idle(what)
            on:click=move |_| stage.does(what)
        >
            {icon.map(|icon| view! { <Drawn icon /> })}
            {text}
        </button>
    }
    .into_any()
}

#[component]
fn Shown(kept: StoredValue<FetchedMatch>) -> impl IntoView {
    let (words, live_region, navigator) = (use_words(), use_live_region(), use_navigator());
    let (step, eyes) = (RwSignal::new(0), RwSignal::new(0));
    let notice = RwSignal::new(Vec::new());
    let stage = ReplayFrame { kept, step, eyes, notice, words, navigator };
    step.set(untrack(move || stage.asked()).unwrap_or_default());
    let scene = Memo::new(move |_| Some(stage.scene()));
    provide_context(SceneContext { scene, line: None });
    let sentence = Memo::new(move |_| stage.sentence());
    let (sheet, scores) = (RwSignal::new(false), Memo::new(move |_| stage.scores()));
    // At the end of a deal no card lies anywhere; what it brought does.
    let ended = Memo::new(move |_| {
        kept.with_value(|kept| kept.replay.moment(step.get()).part == DealMoment::End)
    });
    Effect::new(move |_| {
        let said = notice.get();
        live_region.say(if said.is_empty() { sentence.get() } else { said.join(" ") });
    });
    // The address follows the step, and the step the address.
    Effect::new(move |_| {
        let now = step.get();
        spawn_local(async move {
            TimeoutFuture::new(REST_MS).await;
            if step.try_get_untracked() == Some(now) {
                navigator.rename(stage.route());
                show_chips();
            }
        });
    });
    Effect::new(move |_| {
        if let Some(asked) = stage.asked().filter(|asked| *asked != step.get_untracked()) {
            step.set(asked);
        }
    });
    let listener = window_event_listener(ev::keydown, move |event| {
        if let Some((stride, forward)) = stride_of(&event) {
            event.prevent_default();
            stage.does(ReplayControl::Go(stride, forward));
        }
    });
    on_cleanup(move || listener.remove());
    let told = move || {
        let lines = match notice.get() {
            said if said.is_empty() => vec![sentence.get()],
            said => said,
        };
        lines.into_iter().map(|line| view! { <p>{line}</p> }).collect_view()
    };
    let strides = STRIDES.map(|(stride, forward, icon)| {
        let label = words.with_untracked(|phrases| match (stride, forward) {
            (Stride::Match, false) => phrases.replay_first(),
            (Stride::Deal, false) => phrases.replay_deal_back(),
            (Stride::Trick, false) => phrases.replay_trick_back(),
            (Stride::Step, false) => phrases.replay_back(),
            (Stride::Step, true) => phrases.replay_forward(),
            (Stride::Trick, true) => phrases.replay_trick_forward(),
            (Stride::Deal, true) => phrases.replay_deal_forward(),
            (Stride::Match, true) => phrases.replay_last(),
        });
        knob(stage, ReplayControl::Go(stride, forward), label, Some(icon))
    });
    let all = words.with_untracked(|phrases| phrases.replay_open());
    let seats = stage.names();
    let players = seats.len().to_string();
    let looks = std::iter::once(all).chain(seats).enumerate();
    let looks: Vec<AnyView> =
        looks.map(|(eyes, name)| knob(stage, ReplayControl::Look(eyes), name, None)).collect();
    let (share, verify) =
        words.with_untracked(|phrases| (phrases.replay_share(), phrases.verify_deals()));
    let record = kept.with_value(|kept| kept.file.clone());
    view! {
        <main class="table replay" data-seats=players>
            <Bar leave=t!(words, go_home)>
                <span class="tag">{t!(words, replay)}</span>
                <button
                    class="quiet round"
                    aria-label=t!(words, score_sheet)
                    on:click=move |_| sheet.set(true)
                >
                    <Drawn icon=Icon::Sheet />
                </button>
            </Bar>
            <div class="stage">
                <FeltView />
                <Show when=move || ended.get()>
                    <section class="brought" aria-label=t!(words, score_sheet)>
                        <Grid scores />
                    </section>
                </Show>
            </div>
            <section class="panel">
                <div class="told">{told}</div>
                <input
                    type="range"
                    min="0"
                    max=stage.last().to_string()
                    aria-label=t!(words, replay_step)
                    prop:value=move || step.get().to_string()
                    on:input=move |event| {
                        stage.does(ReplayControl::Jump(event_target_value(&event).parse().unwrap_or(0), 0));
                    }
                />
                <div class="strides">{strides.collect_view()}</div>
                {chapters(stage)}
                <div class="eyes" role="group" aria-label=t!(words, replay_eyes)>
                    {looks}
                </div>
                <div class="row">
                    {knob(stage, ReplayControl::Share, share, None)} {knob(stage, ReplayControl::Verify, verify, None)}
                    <a class="button" href=record download="match.record">
                        {t!(words, the_record)}
                    </a>
                </div>
            </section>
        </main>
        <ScoreSheet open=sheet scores />
    }
}

/// The deals of the match and the tricks of the deal, to jump to.
fn chapters(stage: ReplayFrame) -> AnyView {
    let words = stage.words;
    let which = stage.kept.with_value(|kept| game_word(&kept.record.rules));
    let deal = Memo::new(move |_| {
        stage.kept.with_value(|kept| kept.replay.moment(stage.step.get()).deal - 1)
    });
    // Where each begins, and where the last one ends.
    let starts = move || {
        stage.kept.with_value(|kept| {
            let deals = kept.replay.deals().iter().map(|deal| deal.start);
            deals.chain([kept.replay.last() + 1]).collect::<Vec<usize>>()
        })
    };
    let row = move |starts: &[usize]| {
        let knobs = starts.windows(2).enumerate().map(|(at, bounds)| {
            knob(stage, ReplayControl::Jump(bounds[0], bounds[1]), (at + 1).to_string(), None)
        });
        knobs.collect::<Vec<AnyView>>()
    };
    let tricks = move || {
        let (at, deals) = (deal.get(), starts());
        let mut starts = stage.kept.with_value(|kept| kept.replay.deals()[at].tricks.clone());
        starts.push(deals[at + 1]);
        row(&starts)
    };
    view! {
        <div class="chips" role="group" aria-label=t!(words, column_deal, which)>
            <span>{t!(words, column_deal, which)}</span>
            {row(&starts())}
        </div>
        <div class="chips" role="group" aria-label=t!(words, replay_tricks)>
            <span>{t!(words, replay_tricks)}</span>
            {tricks}
        </div>
    }
    .into_any()
}

/// Brings the deal and the trick that we are at into sight: there may be more than fit in a row.
fn show_chips() {
    for row in [".chips", ".chips + .chips"] {
        let chip = document().query_selector(&format!("{row} [aria-pressed='true']"));
        let chip = chip.ok().flatten().and_then(|chip| chip.dyn_into::<HtmlElement>().ok());
        if let Some((row, chip)) = chip.and_then(|chip| Some((chip.parent_element()?, chip))) {
            row.set_scroll_left(chip.offset_left() - row.client_width() / 2);
        }
    }
}

/// Where a key leads. What is changed by keys itself keeps them.
fn stride_of(event: &KeyboardEvent) -> Option<(Stride, bool)> {
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    let taken = target.is_some_and(|target| {
        target.closest("input, dialog[open], .paper").is_ok_and(|at| at.is_some())
    });
    if taken || event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    Some(match event.key().as_str() {
        "ArrowRight" => (Stride::Step, true),
        "ArrowLeft" => (Stride::Step, false),
        "ArrowDown" => (Stride::Trick, true),
        "ArrowUp" => (Stride::Trick, false),
        "PageDown" => (Stride::Deal, true),
        "PageUp" => (Stride::Deal, false),
        "End" => (Stride::Match, true),
        "Home" => (Stride::Match, false),
        _ => return None,
    })
}
