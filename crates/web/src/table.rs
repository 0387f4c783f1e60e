//! The page of a table: from the link to the last card.

mod action_button;
mod challenge;
mod chat;
pub(crate) mod connection_lost;
pub(crate) mod dialog;
mod ends;
mod hand;
mod keys;
pub(crate) mod layout;
mod participants;
mod practice;
mod progress;
mod prompt;
pub(crate) mod scene;
pub(crate) mod scores;
mod seats;
mod side_panel;
mod status_lines;
mod waiting;

// A lesson uses the same components.
pub(crate) use hand::HandView;
pub(crate) use keys::Keys;
pub(crate) use progress::play_sounds;
pub(crate) use prompt::PromptBar;
pub(crate) use scene::{DealLine, SceneContext, SceneView, SidesLine};

use cards::Card;
use game::{Action, Rules};
use leptos::prelude::*;
use leptos::task::spawn_local;
use replica::Route;
use table_view::layout::TableKind;
use table_view::scene::TableScene;
use wire::table::{Snapshot, TableCommand, TableStage};

use crate::api::{self, ApiError};
use crate::app::{use_live_region, use_pending_intent};
use crate::connection_loop::{ConnectionState, EndReason};
use crate::navigator;
use crate::settings::use_settings;
use crate::table_connection::{Endpoint, TableConnection};
use crate::text::{t, use_phrases};

pub(crate) use practice::PracticePage;

/// What the components of a table share.
#[derive(Clone, Copy)]
pub(crate) struct TableContext {
    pub(crate) connection: TableConnection,
    /// The match as it is drawn; None before the first one.
    pub(crate) scene: Memo<Option<TableScene>>,
    /// The card that was tapped once.
    pub(crate) raised: RwSignal<Option<Card>>,
    /// Why the last tap had no effect.
    pub(crate) why: RwSignal<Option<table_view::scene::ReasonText>>,
    /// Whether the dialog with the seats is open.
    participants_open: RwSignal<bool>,
    /// Whether the dialog with the cards that may be challenged is open (C15).
    challenge_open: RwSignal<bool>,
    /// The seat whose player the host is about to remove, counted from 1.
    kick_candidate: RwSignal<Option<usize>>,
    /// The card that a lesson waits for.
    pub(crate) wanted: Signal<Option<Card>>,
    /// Performs a legal action: at a table, or in a lesson.
    on_action: Callback<Action>,
    /// Set at a practice table, where there are no other people.
    pub(crate) practice: Option<practice::PracticeContext>,
}

impl TableContext {
    pub(crate) fn new(
        connection: TableConnection,
        scene: Memo<Option<TableScene>>,
        on_action: Callback<Action>,
        wanted: Signal<Option<Card>>,
    ) -> TableContext {
        let (raised, why) = (RwSignal::new(None), RwSignal::new(None));
        let (participants_open, challenge_open) = (RwSignal::new(false), RwSignal::new(false));
        let kick_candidate = RwSignal::new(None);
        TableContext {
            connection,
            scene,
            raised,
            why,
            participants_open,
            challenge_open,
            kick_candidate,
            wanted,
            on_action,
            practice: None,
        }
    }

    /// Reads the state of the table; returns None before it is known.
    pub(crate) fn state<T>(self, look: impl FnOnce(&Snapshot) -> T) -> Option<T> {
        self.connection.replica.with(|replica| replica.state().map(look))
    }

    /// Reads the scene; returns None before the first match.
    pub(crate) fn with_scene<T>(self, look: impl FnOnce(&TableScene) -> T) -> Option<T> {
        self.scene.with(|scene| scene.as_ref().map(look))
    }

    /// Performs a legal action.
    pub(crate) fn act(self, action: Action) {
        self.raised.set(None);
        self.why.set(None);
        self.on_action.run(action);
    }
}

/// The table context in a component.
pub(crate) fn use_table() -> TableContext {
    expect_context()
}

/// A table by its name. The key of its link is exchanged first.
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
            let answer = api::admit(&name, &key).await;
            if answer.is_ok() {
                // The key is used once, and then hidden.
                navigator.replace(Route::Table { table: name, key: None });
            }
            entered.try_set(Some(answer));
        }),
    }
    let table = StoredValue::new(table);
    move || match entered.get() {
        None => view! { <connection_lost::OpeningPage /> }.into_any(),
        Some(Err(trouble)) => {
            view! { <connection_lost::EndedPage end=EndReason::Refused(trouble) /> }.into_any()
        }
        Some(Ok(())) => {
            view! { <ConnectedTable endpoint=Endpoint::Table(table.get_value()) /> }.into_any()
        }
    }
}

#[component]
fn ConnectedTable(
    endpoint: Endpoint,
    #[prop(optional)] practice: Option<practice::PracticeContext>,
) -> impl IntoView {
    let (phrases, settings, live_region) = (use_phrases(), use_settings(), use_live_region());
    let connection = TableConnection::open(endpoint.clone(), phrases);
    let scene = Memo::new(move |_| {
        let direction = settings.with(|settings| settings.direction);
        connection.replica.with(|replica| {
            phrases.with(|phrases| TableScene::of_replica(replica, direction, phrases))
        })
    });
    let on_action = Callback::new(move |action| {
        if let Some(command) = connection.replica.with_untracked(|replica| replica.act(action)) {
            connection.replica.update(|replica| replica.show_early(action));
            connection.send(command);
        }
    });
    let table = TableContext {
        practice,
        ..TableContext::new(connection, scene, on_action, Signal::stored(None))
    };
    provide_context(table);
    provide_context(scene::SceneContext { scene, connection: Some(connection) });
    match &endpoint {
        Endpoint::Table(id) => carry_out_intent(table, id),
        Endpoint::Practice(plan) => practice::forget_finished_match(table, plan),
    }
    progress::play_sounds(table, settings);
    progress::play_forced_cards(table, settings);
    Effect::new(move |_| {
        let sentences = connection.sentences.get();
        if !sentences.is_empty() {
            live_region.announce(sentences.join(" "));
        }
    });
    lower_missing_card(table);
    let page = table_page_state(table);
    view! {
        <p class="banner" role="alert" hidden=move || connection.state.get() != ConnectionState::Lost>
            {t!(phrases, line_lost)}
        </p>
        {move || match page.get() {
            TablePageState::Opening => view! { <connection_lost::OpeningPage /> }.into_any(),
            TablePageState::Ended(end) => view! { <connection_lost::EndedPage end /> }.into_any(),
            TablePageState::Waiting => view! { <waiting::WaitingPage /> }.into_any(),
            TablePageState::Playing(rules) => view! { <MatchView rules /> }.into_any(),
        }}
    }
}

/// What the page of a table shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TablePageState {
    Opening,
    Waiting,
    Playing(Rules),
    Ended(EndReason),
}

/// What to show, depending on the connection and on the stage of the table.
fn table_page_state(table: TableContext) -> Memo<TablePageState> {
    Memo::new(move |_| match table.connection.state.get() {
        ConnectionState::Ended(end) => TablePageState::Ended(end),
        ConnectionState::Opening => TablePageState::Opening,
        ConnectionState::Live | ConnectionState::Lost => match table.state(|state| state.stage) {
            None => TablePageState::Opening,
            Some(TableStage::Waiting) => TablePageState::Waiting,
            Some(TableStage::Playing | TableStage::Over) => table
                .with_scene(|scene| TablePageState::Playing(scene.rules))
                .unwrap_or(TablePageState::Opening),
        },
    })
}

/// A card that left the hand is not raised any more.
fn lower_missing_card(table: TableContext) {
    Effect::new(move |_| {
        let held =
            table.with_scene(|scene| scene.hand.iter().map(|held| held.card).collect::<Vec<_>>());
        let raised = table.raised.get_untracked();
        if raised.is_some_and(|card| !held.unwrap_or_default().contains(&card)) {
            table.raised.set(None);
        }
        table.why.set(None);
    });
}

/// Sits down and adds the bots, if the table was opened for that.
fn carry_out_intent(table: TableContext, id: &str) {
    let pending = use_pending_intent();
    let id = id.to_owned();
    Effect::new(move |_| {
        if table.connection.state.get() != ConnectionState::Live {
            return;
        }
        let Some(intent) = pending.take(&id) else { return };
        let connection = table.connection;
        connection.send(TableCommand::Sit { seat: 1, name: intent.name });
        if let Some(level) = intent.bots {
            let seats = table
                .connection
                .replica
                .with_untracked(|replica| replica.state().map_or(0, |state| state.seats.len()));
            for seat in 2..=seats {
                connection.send(TableCommand::AddBot { seat, level: level.into() });
            }
            connection.send(TableCommand::Start);
        }
    });
}

/// A match, while it is played and afterwards.
#[component]
fn MatchView(rules: Rules) -> impl IntoView {
    let (table, phrases) = (use_table(), use_phrases());
    let keys = keys::Keys::new(table);
    keys.listen();
    let turn = move || table.with_scene(TableScene::is_my_turn).unwrap_or_default();
    let watches = Memo::new(move |_| table.state(|state| state.you.seat.is_none()) == Some(true));
    let layout = layout::provide(rules, move || match watches.get() {
        true => TableKind::Watched,
        false => TableKind::Seated,
    });
    let height = move || layout.with(|layout| format!("{}px", layout.height));
    let sheet = Memo::new(move |_| ends::scores_so_far(table));
    let leave = match table.practice {
        None => t!(phrases, leave_table),
        // At a practice table no other player waits.
        Some(_) => t!(phrases, leave_practice),
    };
    view! {
        <main class="table" class:my-turn=turn style=("height", height)>
            <p class="unseen">{t!(phrases, key_hint)}</p>
            <scene::TableBar leave>
                <scene::TableTools keys />
            </scene::TableBar>
            <scene::SceneView />
            <ends::DealOver />
            <ends::MatchOver />
            <prompt::PromptBar />
            <hand::HandView />
            <side_panel::SidePanel scores=sheet />
        </main>
        <scores::ScoreSheetDialog open=keys.sheet scores=sheet />
        <scene::LastTrickDialog open=keys.last />
        <challenge::ChallengeDialog />
        {table
            .practice
            .is_none()
            .then(|| {
                view! {
                    <chat::ChatDialog open=keys.talk />
                    <participants::ParticipantsDialog />
                }
            })}
        {table.practice.map(|practice| view! { <practice::StartOverDialog practice /> })}
        <keys::KeysHelpDialog open=keys.help />
    }
}
