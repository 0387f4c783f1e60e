//! A table in this browser: the same felt, without a server and without anybody but bots.

use leptos::prelude::*;
use replica::Route;
use wire::table::TableStage;

use super::dialog::Dialog;
use super::{Connected, TableContext};
use crate::app::{OfflineNotice, use_live_region};
use crate::journals;
use crate::navigator;
use crate::pages::{Choice, USUAL, choose_level, level, levels, plan_of};
use crate::table_connection::Endpoint;
use crate::text::{t, use_words};

/// What there is at such a table.
#[derive(Clone, Copy)]
pub(crate) struct PracticeContext {
    plan: StoredValue<String>,
    /// Which attempt this is.
    attempt: RwSignal<u32>,
    /// Whether it is being asked what to play instead.
    pub(super) asks: RwSignal<bool>,
}

impl PracticeContext {
    /// Gives up a plan by which nothing can be played, and begins as usual.
    pub(super) fn begin_as_usual(self) {
        journals::forget(&self.plan.get_value());
        self.plan.set_value(plan_of(USUAL));
        self.start_over();
    }

    /// Gives up the match, and begins another by the same plan.
    pub(super) fn start_over(self) {
        journals::forget(&self.plan.get_value());
        self.asks.set(false);
        self.attempt.update(|attempt| *attempt += 1);
    }
}

/// A table by its plan; without one, what was played last.
#[component]
pub(crate) fn PracticePage(plan: Option<String>) -> impl IntoView {
    let plan = plan.or_else(journals::latest).unwrap_or_else(|| plan_of(USUAL));
    let (attempt, asks) = (RwSignal::new(0), RwSignal::new(false));
    let alone = PracticeContext { plan: StoredValue::new(plan), attempt, asks };
    move || {
        attempt.track();
        view! { <Connected far=Endpoint::Practice(alone.plan.get_value()) alone /> }.into_any()
    }
}

/// A match that is over was read when its table is left. One that is loaded anew is not.
pub(super) fn forget_what_was_read(game: TableContext, plan: &str) {
    let plan = plan.to_owned();
    on_cleanup(move || {
        let over = game.line.replica.try_with_untracked(|replica| {
            replica.state().is_some_and(|state| state.stage == TableStage::Over)
        });
        if over == Some(true) {
            journals::forget(&plan);
        }
    });
}

/// What to play instead.
#[component]
pub(super) fn StartOver(alone: PracticeContext) -> impl IntoView {
    let (words, navigator) = (use_words(), navigator::use_navigator());
    let play = Callback::new(move |rules: &'static str| {
        let plan = plan_of(rules);
        if alone.plan.with_value(|own| *own == plan) {
            alone.start_over();
        } else {
            alone.asks.set(false);
            navigator.go(Route::Practice { plan: Some(plan) });
        }
    });
    view! {
        <Dialog open=alone.asks title=t!(words, start_over)>
            <p>{t!(words, start_over_more)}</p>
            <p>
                <button class="primary" id="start-over" on:click=move |_| alone.start_over()>
                    {t!(words, start_over_same)}
                </button>
            </p>
            <Games play />
        </Dialog>
    }
}

/// Says why somebody who wanted to play on a server plays here.
#[component]
pub(super) fn WhyHere() -> impl IntoView {
    let (words, live_region) = (use_words(), use_live_region());
    let OfflineNotice(unanswered) = expect_context();
    if unanswered.get_untracked() {
        live_region.say(words.with_untracked(|phrases| phrases.practice_unanswered()));
    }
    view! {
        <p class="why" id="unanswered" hidden=move || !unanswered.get()>
            {t!(words, practice_unanswered)} " "
            <button class="quiet" on:click=move |_| unanswered.set(false)>
                {t!(words, close)}
            </button>
        </p>
    }
}

/// The games that can be played against bots, and how well these play.
#[component]
fn Games(
    /// Begins one, by its rules.
    play: Callback<&'static str>,
) -> impl IntoView {
    let words = use_words();
    let level = RwSignal::new(level());
    let choose = move |chosen: &'static str| {
        level.set(chosen);
        choose_level(chosen);
    };
    let quick = move |rules: &'static str, players: usize| {
        view! {
            <button data-rules=rules on:click=move |_| play.run(rules)>
                {t!(words, home_players, players)}
            </button>
        }
    };
    view! {
        <Choice title=t!(words, home_bots) values=levels(words).to_vec() value=level choose />
        <div class="games">
            <div class="game">
                <h3>{t!(words, cruce)}</h3>
                <div class="row">
                    {quick("cruce2-21", 2)} {quick("cruce3-21", 3)} {quick("cruce4t-21", 4)}
                </div>
            </div>
            <div class="game">
                <h3>{t!(words, whist)}</h3>
                <div class="row">
                    {quick("whist3", 3)} {quick("whist4", 4)} {quick("whist5", 5)}
                    {quick("whist6", 6)}
                </div>
            </div>
        </div>
    }
}
