//! The table: from the link to the last card.

mod action_button;
mod challenge;
mod chat;
pub(crate) mod connection_lost;
pub(crate) mod dialog;
mod ends;
mod hand;
mod keys;
mod participants;
mod practice;
mod progress;
mod prompt;
pub(crate) mod scene;
pub(crate) mod scores;
mod seats;
mod status_lines;
mod waiting;

// A lesson is drawn with the same parts.
pub(crate) use hand::Hand;
pub(crate) use keys::Keys;
pub(crate) use progress::sounds;
pub(crate) use prompt::AskBar;
pub(crate) use scene::{DealLine, FeltView, SceneContext, SidesLine};

use cards::Card;
use game::Action;
use leptos::prelude::*;
use leptos::task::spawn_local;
use replica::Route;
use table_view::scene::TableScene;
use wire::table::{Snapshot, TableCommand, TableStage};

use crate::api::{self, ApiError};
use crate::app::{OpeningIntents, use_live_region};
use crate::connection_loop::{ConnectionState, EndReason};
use crate::navigator;
use crate::settings::use_settings;
use crate::table_connection::{Endpoint, TableConnection};
use crate::text::{t, use_words};

pub(crate) use practice::PracticePage;

/// What the parts of a table share.
#[derive(Clone, Copy)]
pub(crate) struct TableContext {
    pub(crate) line: TableConnection,
    /// The match as it is drawn; nothing before the first one.
    pub(crate) scene: Memo<Option<TableScene>>,
    /// The card that was tapped once.
    pub(crate) raised: RwSignal<Option<Card>>,
    /// Why the last tap did nothing.
    pub(crate) why: RwSignal<Option<table_view::scene::ReasonText>>,
    /// Whether the window with the seats and what may be done about them is open.
    company: RwSignal<bool>,
    /// Whether the window with the cards that may be challenged is open (C15).
    challenge: RwSignal<bool>,
    /// The seat whose player the host is about to send away, counted from one.
    sends_away: RwSignal<Option<usize>>,
    /// The card that a lesson waits for.
    pub(crate) wanted: Signal<Option<Card>>,
    /// Does something that is allowed: at a table, or in a lesson.
    acts: Callback<Action>,
    /// What there is at a table in this browser. There is nobody to talk to.
    pub(crate) alone: Option<practice::PracticeContext>,
}

impl TableContext {
    pub(crate) fn new(
        line: TableConnection,
        scene: Memo<Option<TableScene>>,
        acts: Callback<Action>,
        wanted: Signal<Option<Card>>,
    ) -> TableContext {
        let (raised, why) = (RwSignal::new(None), RwSignal::new(None));
        let (company, challenge) = (RwSignal::new(false), RwSignal::new(false));
        let sends_away = RwSignal::new(None);
        TableContext {
            line,
            scene,
            raised,
            why,
            company,
            challenge,
            sends_away,
            wanted,
            acts,
            alone: None,
        }
    }

    /// Something about the table; nothing before it is known.
    pub(crate) fn state<T>(self, look: impl FnOnce(&Snapshot) -> T) -> Option<T> {
        self.line.replica.with(|replica| replica.state().map(look))
    }

    /// Something about the felt.
    pub(crate) fn on_felt<T>(self, look: impl FnOnce(&TableScene) -> T) -> Option<T> {
        self.scene.with(|scene| scene.as_ref().map(look))
    }

    /// Does something in the game.
    pub(crate) fn act(self, action: Action) {
        self.raised.set(None);
        self.why.set(None);
        self.acts.run(action);
    }
}

/// The shared parts in a component.
pub(crate) fn use_table() -> TableContext {
    expect_context()
}

/// A table by its name: lets the key of its link be exchanged first.
#[component]
pub(crate) fn TablePage(table: String) -> impl IntoView {
    let navigator = navigator::use_navigator();
    let entered = RwSignal::new(None::<Result<(), ApiError>>);
    let key = match navigator.here() {
        Route::Table { key, .. } => key,
        _ => None,
    };
    let name = table.clone();
    match key {
        None => entered.set(Some(Ok(()))),
        Some(key) => spawn_local(async move {
            let answer = api::enter(&name, &key).await;
            if answer.is_ok() {
                // Used once; nobody shall read it over a shoulder.
                navigator.rename(Route::Table { table: name, key: None });
            }
            entered.try_set(Some(answer));
        }),
    }
    let table = StoredValue::new(table);
    move || match entered.get() {
        None => view! { <connection_lost::Opening /> }.into_any(),
        Some(Err(trouble)) => {
            view! { <connection_lost::Ended end=EndReason::Refused(trouble) /> }.into_any()
        }
        Some(Ok(())) => view! { <Connected far=Endpoint::Table(table.get_value()) /> }.into_any(),
    }
}

#[component]
fn Connected(
    far: Endpoint,
    #[prop(optional)] alone: Option<practice::PracticeContext>,
) -> impl IntoView {
    let (words, settings, live_region) = (use_words(), use_settings(), use_live_region());
    let line = TableConnection::open(far.clone(), words);
    let scene = Memo::new(move |_| {
        let direction = settings.with(|settings| settings.direction);
        line.replica.with(|replica| {
            let (state, view) = (replica.state()?, replica.sight()?);
            words.with(|phrases| {
                let names = table_view::participants::names(state, phrases);
                let scene = TableScene::new(view, &names, direction, phrases);
                Some(if state.paused { scene.paused(phrases) } else { scene })
            })
        })
    });
    let acts = Callback::new(move |action| {
        if let Some(command) = line.replica.with_untracked(|replica| replica.act(action)) {
            line.replica.update(|replica| replica.lay(action));
            line.send(command);
        }
    });
    let game = TableContext { alone, ..TableContext::new(line, scene, acts, Signal::stored(None)) };
    provide_context(game);
    provide_context(scene::SceneContext { scene, line: Some(line) });
    match &far {
        Endpoint::Table(table) => carry_out_plan(game, table),
        Endpoint::Practice(plan) => practice::forget_what_was_read(game, plan),
    }
    progress::sounds(game, settings);
    progress::forced_cards(game, settings);
    Effect::new(move |_| {
        let said = line.said.get();
        if !said.is_empty() {
            live_region.say(said.join(" "));
        }
    });
    // A card that went elsewhere is not raised any more.
    Effect::new(move |_| {
        let held =
            game.on_felt(|scene| scene.hand.iter().map(|held| held.card).collect::<Vec<_>>());
        let raised = game.raised.get_untracked();
        if raised.is_some_and(|card| !held.unwrap_or_default().contains(&card)) {
            game.raised.set(None);
        }
        game.why.set(None);
    });
    let scene = Memo::new(move |_| match line.state.get() {
        ConnectionState::Ended(end) => TableFace::Ended(end),
        ConnectionState::Opening => TableFace::Opening,
        ConnectionState::Live | ConnectionState::Lost => match game.state(|state| state.stage) {
            None => TableFace::Opening,
            Some(TableStage::Waiting) => TableFace::Waiting,
            Some(TableStage::Playing | TableStage::Over) => TableFace::Playing,
        },
    });
    view! {
        <p class="banner" role="alert" hidden=move || line.state.get() != ConnectionState::Lost>
            {t!(words, line_lost)}
        </p>
        {move || match scene.get() {
            TableFace::Opening => view! { <connection_lost::Opening /> }.into_any(),
            TableFace::Ended(end) => view! { <connection_lost::Ended end /> }.into_any(),
            TableFace::Waiting => view! { <waiting::Waiting /> }.into_any(),
            TableFace::Playing => view! { <Playing /> }.into_any(),
        }}
    }
}

/// Which of its faces the table shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TableFace {
    Opening,
    Waiting,
    Playing,
    Ended(EndReason),
}

/// Sits down and fills the seats, where the table was opened for that.
fn carry_out_plan(game: TableContext, table: &str) {
    let plans: OpeningIntents = expect_context();
    let table = table.to_owned();
    Effect::new(move |_| {
        if game.line.state.get() != ConnectionState::Live {
            return;
        }
        let planned = plans.with_untracked(|plans| {
            plans.as_ref().filter(|(name, _)| *name == table).map(|(_, plan)| plan.clone())
        });
        let Some(plan) = planned else { return };
        plans.set(None);
        let line = game.line;
        line.send(TableCommand::Sit { seat: 1, name: plan.name });
        if let Some(level) = plan.bots {
            let seats = game
                .line
                .replica
                .with_untracked(|replica| replica.state().map_or(0, |state| state.seats.len()));
            for seat in 2..=seats {
                line.send(TableCommand::Bot { seat, level: level.into() });
            }
            line.send(TableCommand::Start);
        }
    });
}

/// A match, while it is played and afterwards.
#[component]
fn Playing() -> impl IntoView {
    let (game, words) = (use_table(), use_words());
    let keys = keys::Keys::new(game);
    keys.listen();
    let seats = move || game.on_felt(|scene| scene.places.len()).unwrap_or_default().to_string();
    let turn = move || game.on_felt(TableScene::is_my_turn).unwrap_or_default();
    let watches = Memo::new(move |_| game.state(|state| state.you.seat.is_none()) == Some(true));
    let sheet = Memo::new(move |_| ends::sheet(game));
    let leave = match game.alone {
        None => t!(words, leave_table),
        // Nobody waits for whoever plays alone.
        Some(_) => t!(words, leave_practice),
    };
    view! {
        <main class="table" data-seats=seats class:my-turn=turn class:watches=watches>
            <p class="unseen">{t!(words, key_hint)}</p>
            <scene::Bar leave>
                <scene::Tools keys />
            </scene::Bar>
            <scene::FeltView />
            <ends::BetweenDeals />
            <ends::MatchOver />
            <prompt::AskBar />
            <hand::Hand />
        </main>
        <scores::ScoreSheet open=keys.sheet scores=sheet />
        <scene::LastTrick open=keys.last />
        <challenge::Challenge />
        {game
            .alone
            .is_none()
            .then(|| {
                view! {
                    <chat::Talk open=keys.talk />
                    <participants::Company />
                }
            })}
        {game.alone.map(|alone| view! { <practice::StartOver alone /> })}
        <keys::KeysHelp open=keys.help />
    }
}
