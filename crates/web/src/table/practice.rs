//! A practice table in this browser: the same table, without a server, against bots.

use leptos::prelude::*;
use replica::Route;
use wire::table::TableStage;

use super::dialog::Dialog;
use super::{ConnectedTable, TableContext};
use crate::app::{OfflineNotice, use_live_region};
use crate::journals;
use crate::navigator;
use crate::pages::{Choice, USUAL, choose_level, level, levels, plan_of};
use crate::table_connection::Endpoint;
use crate::text::{t, use_phrases};

/// What the components of a practice table share.
#[derive(Clone, Copy)]
pub(crate) struct PracticeContext {
    plan: StoredValue<String>,
    /// The number of the attempt.
    attempt: RwSignal<u32>,
    /// Whether the dialog that offers another match is open.
    pub(super) is_open: RwSignal<bool>,
}

impl PracticeContext {
    /// Drops a plan that cannot be played, and starts the default one.
    pub(super) fn start_usual(self) {
        journals::forget(&self.plan.get_value());
        self.plan.set_value(plan_of(USUAL));
        self.start_over();
    }

    /// Drops the match, and starts another with the same plan.
    pub(super) fn start_over(self) {
        journals::forget(&self.plan.get_value());
        self.is_open.set(false);
        self.attempt.update(|attempt| *attempt += 1);
    }
}

/// A table by its plan; without one, the plan that was played last.
#[component]
pub(crate) fn PracticePage(plan: Option<String>) -> impl IntoView {
    let plan = plan.or_else(journals::latest).unwrap_or_else(|| plan_of(USUAL));
    let (attempt, is_open) = (RwSignal::new(0), RwSignal::new(false));
    let practice = PracticeContext { plan: StoredValue::new(plan), attempt, is_open };
    move || {
        attempt.track();
        view! { <ConnectedTable endpoint=Endpoint::Practice(practice.plan.get_value()) practice /> }
            .into_any()
    }
}

/// Deletes the journal of a finished match when its table is left. After a reload it is still
/// there.
pub(super) fn forget_finished_match(table: TableContext, plan: &str) {
    let plan = plan.to_owned();
    on_cleanup(move || {
        let over = table.connection.replica.try_with_untracked(|replica| {
            replica.state().is_some_and(|state| state.stage == TableStage::Over)
        });
        if over == Some(true) {
            journals::forget(&plan);
        }
    });
}

/// The dialog that offers another match.
#[component]
pub(super) fn StartOverDialog(practice: PracticeContext) -> impl IntoView {
    let (phrases, navigator) = (use_phrases(), navigator::use_navigator());
    let play = Callback::new(move |rules: &'static str| {
        let plan = plan_of(rules);
        if practice.plan.with_value(|own| *own == plan) {
            practice.start_over();
        } else {
            practice.is_open.set(false);
            navigator.go(Route::Practice { plan: Some(plan) });
        }
    });
    view! {
        <Dialog open=practice.is_open title=t!(phrases, start_over)>
            <p>{t!(phrases, start_over_more)}</p>
            <p>
                <button class="primary" id="start-over" on:click=move |_| practice.start_over()>
                    {t!(phrases, start_over_same)}
                </button>
            </p>
            <PracticeGames play />
        </Dialog>
    }
}

/// Explains why the client plays offline.
#[component]
pub(super) fn OfflineReason() -> impl IntoView {
    let (phrases, live_region) = (use_phrases(), use_live_region());
    let OfflineNotice(unanswered) = expect_context();
    if unanswered.get_untracked() {
        live_region.announce(phrases.with_untracked(|phrases| phrases.practice_unanswered()));
    }
    view! {
        <p class="why" id="unanswered" hidden=move || !unanswered.get()>
            {t!(phrases, practice_unanswered)} " "
            <button class="quiet" on:click=move |_| unanswered.set(false)>
                {t!(phrases, close)}
            </button>
        </p>
    }
}

/// Tells that a new match began because the stored one cannot be read, and offers the stored one.
#[component]
pub(super) fn UnreadableJournal(unreadable: RwSignal<Option<String>>) -> impl IntoView {
    let (phrases, live_region) = (use_phrases(), use_live_region());
    Effect::new(move |_| {
        if unreadable.with(Option::is_some) {
            live_region.announce(phrases.with_untracked(|phrases| phrases.practice_unreadable()));
        }
    });
    let address = move || unreadable.get().map(|text| journals::address_of(&text));
    view! {
        <p class="why" id="unreadable" hidden=move || unreadable.with(Option::is_none)>
            {t!(phrases, practice_unreadable)} " "
            <a href=address download="match.journal">{t!(phrases, practice_unreadable_link)}</a> " "
            <button class="quiet" on:click=move |_| unreadable.set(None)>
                {t!(phrases, close)}
            </button>
        </p>
    }
}

/// The games against bots, and the level of the bots.
#[component]
fn PracticeGames(
    /// Starts a game with these rules.
    play: Callback<&'static str>,
) -> impl IntoView {
    let phrases = use_phrases();
    let level = RwSignal::new(level());
    let choose = move |chosen: &'static str| {
        level.set(chosen);
        choose_level(chosen);
    };
    let quick = move |rules: &'static str, players: usize| {
        view! {
            <button data-rules=rules on:click=move |_| play.run(rules)>
                {t!(phrases, home_players, players)}
            </button>
        }
    };
    view! {
        <Choice title=t!(phrases, home_bots) values=levels(phrases).to_vec() value=level choose />
        <div class="games">
            <div class="game">
                <h3>{t!(phrases, cruce)}</h3>
                <div class="row">
                    {quick("cruce2-21", 2)} {quick("cruce3-21", 3)} {quick("cruce4t-21", 4)}
                </div>
            </div>
            <div class="game">
                <h3>{t!(phrases, whist)}</h3>
                <div class="row">
                    {quick("whist3", 3)} {quick("whist4", 4)} {quick("whist5", 5)}
                    {quick("whist6", 6)}
                </div>
            </div>
        </div>
    }
}
