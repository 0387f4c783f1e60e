//! A lesson: the same table, hand and bids as in a game, with an explanation.

use leptos::prelude::*;
use table_view::layout::TableKind;
use table_view::lesson::Lesson;
use table_view::scene::TableScene;

use crate::app::use_live_region;
use crate::icon::{Icon, IconImage};
use crate::pages::NotFoundPage;
use crate::settings::use_settings;
use crate::storage;
use crate::table::layout::{self, css, use_layout};
use crate::table::{
    DealLine, HandView, Keys, PromptBar, SceneContext, SceneView, SidesLine, TableContext,
    play_sounds,
};
use crate::table_connection::TableConnection;
use crate::text::{t, use_phrases};

#[component]
pub(crate) fn LearnPage(game: &'static str) -> impl IntoView {
    let (phrases, settings) = (use_phrases(), use_settings());
    let Some(lesson) = Lesson::new(game) else { return view! { <NotFoundPage /> }.into_any() };
    let lesson = RwSignal::new(lesson);
    // Whether the learner did something that is allowed but not the next step.
    let strayed = RwSignal::new(false);
    let scene = Memo::new(move |_| {
        let direction = settings.with(|settings| settings.direction);
        phrases.with(|phrases| lesson.with(|lesson| Some(lesson.scene(direction, phrases))))
    });
    let on_action = Callback::new(move |action| {
        let right = lesson.try_update(|lesson| lesson.act(action));
        strayed.set(right == Some(false));
    });
    let wanted = Signal::derive(move || lesson.with(Lesson::wanted));
    let shared = TableContext::new(TableConnection::without_table(), scene, on_action, wanted);
    provide_context(shared);
    provide_context(SceneContext { scene, connection: None });
    play_sounds(shared, settings);
    Keys::new(shared).listen();
    let at = Memo::new(move |_| lesson.with(Lesson::at));
    let text = Memo::new(move |_| {
        at.track();
        phrases.with(|phrases| lesson.with_untracked(|lesson| lesson.words(phrases)))
    });
    follow_lesson(shared, lesson, strayed, at, text);
    let rules = lesson.with_untracked(|lesson| *lesson.view().public().rules());
    let layout = layout::provide(rules, || TableKind::Lesson);
    let height = move || layout.with(|layout| format!("{}px", layout.height));
    let turn =
        Signal::derive(move || shared.with_scene(TableScene::is_my_turn).unwrap_or_default());
    view! {
        <main class="table lesson" class:my-turn=turn style=("height", height)>
            <header
                class="bar"
                class:deal-below=move || layout.with(|layout| layout.bar.deal_is_below)
                class:sides-below=move || layout.with(|layout| layout.bar.sides_are_below)
                style=move || layout.with(|layout| css(layout.bar.area))
            >
                <a class="quiet round" href="/" aria-label=t!(phrases, go_home)>
                    <IconImage icon=Icon::Back />
                </a>
                <DealLine />
                <SidesLine />
            </header>
            <LessonText game lesson strayed at text />
            <SceneView />
            <PromptBar />
            <HandView />
        </main>
    }
    .into_any()
}

/// Passes refused actions to the lesson, and announces each of its steps.
fn follow_lesson(
    shared: TableContext,
    lesson: RwSignal<Lesson>,
    strayed: RwSignal<bool>,
    at: Memo<usize>,
    text: Memo<String>,
) {
    let live_region = use_live_region();
    let is_last = Memo::new(move |_| lesson.with(Lesson::is_last));
    Effect::new(move |_| {
        if shared.why.with(Option::is_some) {
            strayed.set(false);
            lesson.update(Lesson::refused);
        }
    });
    Effect::new(move |_| {
        at.track();
        shared.raised.set(None);
        shared.why.set(None);
        strayed.set(false);
        live_region.announce(text.get());
        if is_last.get() {
            storage::store("learnt", "yes");
            // The first page offers lessons only to new players.
            if let Some(offer) = document().get_element_by_id("learn") {
                let _ = offer.set_attribute("hidden", "");
            }
        }
    });
}

/// The text of the current step, with the buttons to move through the lesson.
#[component]
fn LessonText(
    game: &'static str,
    lesson: RwSignal<Lesson>,
    strayed: RwSignal<bool>,
    at: Memo<usize>,
    text: Memo<String>,
) -> impl IntoView {
    let (phrases, layout) = (use_phrases(), use_layout());
    let all = lesson.with_untracked(Lesson::steps);
    let is_last = Memo::new(move |_| lesson.with(Lesson::is_last));
    let is_done = Memo::new(move |_| lesson.with(Lesson::is_done));
    let go = move |to: usize| lesson.update(|lesson| lesson.go(to));
    let (play, other) = match game {
        "cruce" => ("/play/cruce4t-21", "whist"),
        _ => ("/play/whist4", "cruce"),
    };
    let so_far = Signal::derive(move || format!("{}%", (at.get() + 1) * 100 / all));
    let step =
        Signal::derive(move || phrases.with(|phrases| phrases.lesson_step(at.get() + 1, all)));
    view! {
        <section
            class="told"
            style=move || layout.with(|layout| layout.lesson.map(css))
            aria-label=t!(phrases, lesson_title, game)>
            <div
                class="progress"
                role="img"
                aria-label=step
            >
                <span style=("width", so_far)></span>
            </div>
            <p>{text}</p>
            <p class="alert" role="alert" hidden=Signal::derive(move || !strayed.get())>
                {t!(phrases, lesson_other)}
            </p>
            <div class="row">
                <button
                    class="quiet"
                    hidden=is_last
                    disabled=Signal::derive(move || at.get() == 0)
                    on:click=move |_| go(at.get_untracked().saturating_sub(1))
                >
                    {t!(phrases, lesson_back)}
                </button>
                <Show
                    when=move || is_last.get()
                    fallback=move || {
                        view! {
                            <button
                                id="on"
                                class:primary=move || is_done.get()
                                on:click=move |_| go(at.get_untracked() + 1)
                            >
                                {t!(phrases, lesson_on)}
                            </button>
                        }
                    }
                >
                    <a class="button" href=format!("/learn/{other}")>
                        {t!(phrases, lesson_next_game, other)}
                    </a>
                    <a class="button primary" id="play-this" href=play>
                        {t!(phrases, play_now)}
                    </a>
                </Show>
            </div>
        </section>
    }
}
