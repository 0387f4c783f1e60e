//! The replay of a finished match: every step, from every seat, and the verification of the deals.
//!
//! All buttons are made by [`control_button`], which keeps the page small.

use cards::Seat;
use game::record::Record;
use gloo_timers::future::TimeoutFuture;
use leptos::ev::{self, KeyboardEvent};
use leptos::prelude::*;
use leptos::task::spawn_local;
use phrases::{Phrases, game_word};
use replica::Route;
use table_view::TableScene;
use table_view::layout::TableKind;
use table_view::replay::{DealMoment, Replay, Stride, Verdict};
use table_view::scores::Scores;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::api::{self, ApiError};
use crate::app::use_live_region;
use crate::icon::{Icon, IconImage};
use crate::journals;
use crate::navigator::{self, Navigator, use_navigator};
use crate::pages::trouble;
use crate::settings::use_settings;
use crate::table::connection_lost::ErrorPage;
use crate::table::layout::{self, css, use_layout};
use crate::table::scene::{SceneContext, SceneView, TableBar};
use crate::table::scores::{ScoreGrid, ScoreSheetDialog};
use crate::text::{PhraseSignal, t, use_phrases};

/// The address follows the step after this delay, because browsers limit how often it may change.
const REST_MS: u32 = 250;

/// The buttons that move through the match, in their order.
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

/// A match that was fetched, and where it was played.
struct FetchedMatch {
    record: Record,
    replay: Replay,
    table: String,
    number: u32,
    /// The address of the record.
    file: String,
}

impl FetchedMatch {
    /// Parses a record. Returns None if the text is not a record or an empty one.
    fn read(text: &str, table: &str, number: u32, file: String) -> Option<FetchedMatch> {
        let record: Record = text.parse().ok()?;
        let replay = Replay::new(&record)?;
        Some(FetchedMatch { record, replay, table: table.into(), number, file })
    }
}

/// The state of the request.
#[derive(Clone, Copy)]
enum Fetched {
    NotYet,
    Here(StoredValue<FetchedMatch>),
    Failed(ApiError),
    /// The text is not a record, or an empty one.
    Unreadable,
}

#[component]
pub(crate) fn ReplayPage(table: String, number: u32) -> impl IntoView {
    let phrases = use_phrases();
    let fetched = RwSignal::new(Fetched::NotYet);
    // The value lives as long as the page.
    let owner = Owner::current();
    spawn_local(async move {
        // A match of this browser, or one on the server.
        let (text, file) = match journals::stored_match(&table, number) {
            Some(own) => (Ok(own.clone()), journals::address_of(&own)),
            None => {
                let file = api::record(&table, number);
                (api::text(&file).await, file)
            }
        };
        fetched.try_set(match text.map(|text| FetchedMatch::read(&text, &table, number, file)) {
            Ok(Some(fetched)) => match owner {
                Some(owner) => Fetched::Here(owner.with(|| StoredValue::new(fetched))),
                None => return,
            },
            Ok(None) => Fetched::Unreadable,
            Err(error) => Fetched::Failed(error),
        });
    });
    move || {
        let now = fetched.get();
        if let Fetched::Here(fetched) = now {
            return view! { <ReplayView fetched /> }.into_any();
        }
        let texts = move || {
            phrases.with(|loaded| match now {
                Fetched::Failed(ApiError::Gone) => {
                    (loaded.replay_gone(), loaded.replay_gone_more())
                }
                Fetched::Failed(error) => (loaded.replay(), trouble(phrases, error)),
                Fetched::Unreadable => {
                    (loaded.replay_unreadable(), loaded.replay_unreadable_more())
                }
                _ => (loaded.replay(), loaded.replay_loading()),
            })
        };
        let again = match now {
            Fetched::Failed(error) => !matches!(error, ApiError::Gone | ApiError::Forbidden),
            Fetched::Unreadable => true,
            _ => false,
        };
        let (title, more) = (Signal::derive(move || texts().0), Signal::derive(move || texts().1));
        view! { <ErrorPage title more again /> }.into_any()
    }
}

/// A match at one of its steps.
#[derive(Clone, Copy)]
struct ReplayFrame {
    fetched: StoredValue<FetchedMatch>,
    step: RwSignal<usize>,
    /// The seat from which the match is seen, counted from 1; with 0 all hands are open.
    viewer: RwSignal<usize>,
    /// A notice that replaces the sentence until the next step.
    notice: RwSignal<Vec<String>>,
    phrases: PhraseSignal,
    navigator: Navigator,
}

/// What a button does.
#[derive(Clone, Copy)]
enum ReplayControl {
    Go(Stride, bool),
    /// To the first step; the button is pressed from there to the step before the second.
    Jump(usize, usize),
    Look(usize),
    Share,
    Verify,
}

impl ReplayFrame {
    fn seat(self) -> Option<Seat> {
        self.viewer.get().checked_sub(1).and_then(Seat::new)
    }

    fn last(self) -> usize {
        self.fetched.with_value(|fetched| fetched.replay.last())
    }

    fn names(self) -> Vec<String> {
        let names = |fetched: &FetchedMatch| {
            self.phrases.with_untracked(|phrases| fetched.replay.names(phrases))
        };
        self.fetched.with_value(names)
    }

    fn scene(self) -> TableScene {
        let (step, seat) = (self.step.get(), self.seat());
        let direction = use_settings().with(|settings| settings.direction);
        let mut scene = self.phrases.with(|phrases| {
            self.fetched.with_value(|fetched| fetched.replay.scene(step, seat, direction, phrases))
        });
        // In a replay a taken trick stays until the next card.
        scene.last = scene.last.filter(|_| scene.trick.is_empty());
        scene
    }

    fn sentence(self) -> String {
        let (step, seat) = (self.step.get(), self.seat());
        self.phrases.with(|phrases| {
            self.fetched.with_value(|fetched| fetched.replay.sentence(step, seat, phrases))
        })
    }

    /// The score sheet after the deals that are over at this step.
    fn scores(self) -> Scores {
        let step = self.step.get();
        self.phrases
            .with(|phrases| self.fetched.with_value(|fetched| fetched.replay.scores(step, phrases)))
    }

    /// The address of this step.
    fn route(self) -> Route {
        let step = self.step.get_untracked();
        self.fetched.with_value(|fetched| Route::Replay {
            table: fetched.table.clone(),
            number: fetched.number,
            moment: Some(fetched.replay.moment(step).to_string()),
        })
    }

    /// The step in the address.
    fn requested_step(self) -> Option<usize> {
        let Route::Replay { moment: Some(moment), .. } = self.navigator.here() else { return None };
        Some(self.fetched.with_value(|fetched| fetched.replay.find(&moment)))
    }

    fn run(self, what: ReplayControl) {
        self.notice.set(Vec::new());
        match what {
            ReplayControl::Go(stride, forward) => {
                let now = self.step.get_untracked();
                let then =
                    self.fetched.with_value(|fetched| fetched.replay.stride(now, stride, forward));
                self.step.set(then);
            }
            ReplayControl::Jump(start, _) => self.step.set(start),
            ReplayControl::Look(viewer) => self.viewer.set(viewer),
            ReplayControl::Share => {
                let origin = window().location().origin().unwrap_or_default();
                let link = format!("{origin}{}", self.route().address());
                spawn_local(async move {
                    let copied = navigator::copy(link).await;
                    let notice = self.phrases.with_untracked(|phrases| match copied {
                        true => phrases.replay_copied(),
                        false => phrases.replay_address(),
                    });
                    self.notice.try_set(vec![notice]);
                });
            }
            ReplayControl::Verify => {
                let names = self.names();
                let lines = self.phrases.with_untracked(|phrases| {
                    self.fetched.with_value(|fetched| {
                        let verdict = Verdict::of(&fetched.record, &names, phrases);
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

    /// The `aria-pressed` attribute: whether a button stands for the current state.
    fn pressed(self, what: ReplayControl) -> Option<&'static str> {
        let here = match what {
            ReplayControl::Jump(start, end) => (start..end).contains(&self.step.get()),
            ReplayControl::Look(viewer) => self.viewer.get() == viewer,
            _ => return None,
        };
        Some(if here { "true" } else { "false" })
    }

    /// Whether a button has no effect.
    fn is_disabled(self, what: ReplayControl) -> bool {
        match what {
            ReplayControl::Go(_, forward) => {
                self.step.get() == if forward { self.last() } else { 0 }
            }
            _ => false,
        }
    }
}

/// A button with an icon or with a text.
fn control_button(
    frame: ReplayFrame,
    what: ReplayControl,
    label: String,
    icon: Option<Icon>,
) -> AnyView {
    let (title, text) = match icon {
        Some(_) => (label, String::new()),
        None => (String::new(), label),
    };
    view! {
        <button
            class:ahead=matches!(what, ReplayControl::Go(_, true))
            title=title
            aria-pressed=move || frame.pressed(what)
            disabled=move || frame.is_disabled(what)
            on:click=move |_| frame.run(what)
        >
            {icon.map(|icon| view! { <IconImage icon /> })}
            {text}
        </button>
    }
    .into_any()
}

#[component]
fn ReplayView(fetched: StoredValue<FetchedMatch>) -> impl IntoView {
    let (phrases, navigator) = (use_phrases(), use_navigator());
    let (step, viewer) = (RwSignal::new(0), RwSignal::new(0));
    let notice = RwSignal::new(Vec::new());
    let frame = ReplayFrame { fetched, step, viewer, notice, phrases, navigator };
    step.set(untrack(move || frame.requested_step()).unwrap_or_default());
    let scene = Memo::new(move |_| Some(frame.scene()));
    provide_context(SceneContext { scene, connection: None });
    let sentence = Memo::new(move |_| frame.sentence());
    let (sheet, scores) = (RwSignal::new(false), Memo::new(move |_| frame.scores()));
    // After a deal there are no cards to show; the scores are shown instead.
    let ended = Memo::new(move |_| {
        fetched.with_value(|fetched| fetched.replay.moment(step.get()).part == DealMoment::End)
    });
    announce_steps(frame, sentence);
    sync_address(frame);
    listen_to_keys(frame);
    let rules = fetched.with_value(|fetched| fetched.record.rules);
    let layout = layout::provide(rules, || TableKind::Replay);
    let height = move || layout.with(|layout| format!("{}px", layout.height));
    let felt = move || layout.with(|layout| css(layout.felt.area));
    view! {
        <main class="table replay" style=("height", height)>
            <TableBar leave=t!(phrases, go_home)>
                <span class="tag">{t!(phrases, replay)}</span>
                <button
                    class="quiet round"
                    aria-label=t!(phrases, score_sheet)
                    on:click=move |_| sheet.set(true)
                >
                    <IconImage icon=Icon::Sheet />
                </button>
            </TableBar>
            <SceneView />
            <Show when=move || ended.get()>
                <div class="stage" style=felt>
                    <section class="brought" aria-label=t!(phrases, score_sheet)>
                        <ScoreGrid scores />
                    </section>
                </div>
            </Show>
            <ReplayPanel frame sentence />
        </main>
        <ScoreSheetDialog open=sheet scores />
    }
}

/// Announces each step, and each notice.
fn announce_steps(frame: ReplayFrame, sentence: Memo<String>) {
    let live_region = use_live_region();
    Effect::new(move |_| {
        let notice = frame.notice.get();
        live_region.announce(if notice.is_empty() { sentence.get() } else { notice.join(" ") });
    });
}

/// The address follows the step, and the step the address.
fn sync_address(frame: ReplayFrame) {
    let step = frame.step;
    Effect::new(move |_| {
        let now = step.get();
        spawn_local(async move {
            TimeoutFuture::new(REST_MS).await;
            if step.try_get_untracked() == Some(now) {
                frame.navigator.replace(frame.route());
                show_chips();
            }
        });
    });
    Effect::new(move |_| {
        if let Some(asked) = frame.requested_step().filter(|asked| *asked != step.get_untracked()) {
            step.set(asked);
        }
    });
}

fn listen_to_keys(frame: ReplayFrame) {
    let listener = window_event_listener(ev::keydown, move |event| {
        if let Some((stride, forward)) = stride_of(&event) {
            event.prevent_default();
            frame.run(ReplayControl::Go(stride, forward));
        }
    });
    on_cleanup(move || listener.remove());
}

/// The sentence of the step, and all controls.
#[component]
fn ReplayPanel(frame: ReplayFrame, sentence: Memo<String>) -> impl IntoView {
    let (phrases, layout) = (use_phrases(), use_layout());
    let (step, notice) = (frame.step, frame.notice);
    let lines = move || {
        let lines = match notice.get() {
            notice if notice.is_empty() => vec![sentence.get()],
            notice => notice,
        };
        lines.into_iter().map(|line| view! { <p>{line}</p> }).collect_view()
    };
    let strides = STRIDES.map(|(stride, forward, icon)| {
        let label = phrases.with_untracked(|phrases| stride_label(phrases, stride, forward));
        control_button(frame, ReplayControl::Go(stride, forward), label, Some(icon))
    });
    let all = phrases.with_untracked(|phrases| phrases.replay_open());
    let viewers = std::iter::once(all).chain(frame.names()).enumerate();
    let viewers: Vec<AnyView> = viewers
        .map(|(viewer, name)| control_button(frame, ReplayControl::Look(viewer), name, None))
        .collect();
    let (share, verify) =
        phrases.with_untracked(|phrases| (phrases.replay_share(), phrases.verify_deals()));
    let record = frame.fetched.with_value(|fetched| fetched.file.clone());
    view! {
        <section class="panel" style=move || layout.with(|layout| css(layout.prompt))>
            <div class="told">{lines}</div>
            <input
                type="range"
                min="0"
                max=frame.last().to_string()
                aria-label=t!(phrases, replay_step)
                prop:value=move || step.get().to_string()
                on:input=move |event| {
                    let step = event_target_value(&event).parse().unwrap_or(0);
                    frame.run(ReplayControl::Jump(step, 0));
                }
            />
            <div class="strides">{strides.collect_view()}</div>
            {chapters(frame)}
            <div class="eyes" role="group" aria-label=t!(phrases, replay_eyes)>
                {viewers}
            </div>
            <div class="row">
                {control_button(frame, ReplayControl::Share, share, None)}
                {control_button(frame, ReplayControl::Verify, verify, None)}
                <a class="button" href=record download="match.record">
                    {t!(phrases, the_record)}
                </a>
            </div>
        </section>
    }
}

fn stride_label(phrases: &Phrases, stride: Stride, forward: bool) -> String {
    match (stride, forward) {
        (Stride::Match, false) => phrases.replay_first(),
        (Stride::Deal, false) => phrases.replay_deal_back(),
        (Stride::Trick, false) => phrases.replay_trick_back(),
        (Stride::Step, false) => phrases.replay_back(),
        (Stride::Step, true) => phrases.replay_forward(),
        (Stride::Trick, true) => phrases.replay_trick_forward(),
        (Stride::Deal, true) => phrases.replay_deal_forward(),
        (Stride::Match, true) => phrases.replay_last(),
    }
}

/// The deals of the match and the tricks of the deal, to jump to.
fn chapters(frame: ReplayFrame) -> AnyView {
    let phrases = frame.phrases;
    let which = frame.fetched.with_value(|fetched| game_word(&fetched.record.rules));
    let deal = Memo::new(move |_| {
        frame.fetched.with_value(|fetched| fetched.replay.moment(frame.step.get()).deal - 1)
    });
    // The first step of each deal, and the end of the last one.
    let starts = move || {
        frame.fetched.with_value(|fetched| {
            let deals = fetched.replay.deals().iter().map(|deal| deal.start);
            deals.chain([fetched.replay.last() + 1]).collect::<Vec<usize>>()
        })
    };
    let row = move |starts: &[usize]| {
        let buttons = starts.windows(2).enumerate().map(|(at, bounds)| {
            control_button(
                frame,
                ReplayControl::Jump(bounds[0], bounds[1]),
                (at + 1).to_string(),
                None,
            )
        });
        buttons.collect::<Vec<AnyView>>()
    };
    let tricks = move || {
        let (at, deals) = (deal.get(), starts());
        let mut starts =
            frame.fetched.with_value(|fetched| fetched.replay.deals()[at].tricks.clone());
        starts.push(deals[at + 1]);
        row(&starts)
    };
    view! {
        <div class="chips" role="group" aria-label=t!(phrases, column_deal, which)>
            <span>{t!(phrases, column_deal, which)}</span>
            {row(&starts())}
        </div>
        <div class="chips" role="group" aria-label=t!(phrases, replay_tricks)>
            <span>{t!(phrases, replay_tricks)}</span>
            {tricks}
        </div>
    }
    .into_any()
}

/// Scrolls to the current deal and trick: a row may be wider than the screen.
fn show_chips() {
    for row in [".chips", ".chips + .chips"] {
        let chip = document().query_selector(&format!("{row} [aria-pressed='true']"));
        let chip = chip.ok().flatten().and_then(|chip| chip.dyn_into::<HtmlElement>().ok());
        if let Some((row, chip)) = chip.and_then(|chip| Some((chip.parent_element()?, chip))) {
            row.set_scroll_left(chip.offset_left() - row.client_width() / 2);
        }
    }
}

/// The move that a key stands for. Elements with their own keys are excluded.
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
