//! The urn: the commitment before the draw, the words of the audience, and the draw (T1, T6).

use contest::urn::{MAX_WORDS, PhasePlan};
use contest::{Contest, ContestStage};
use contest_view::said_words;
use game::fair::Word;
use leptos::prelude::*;
use phrases::Phrases;
use wire::ledger::LedgerCommand;

use super::form::ConfirmButton;
use super::use_contest;
use crate::text::{t, use_phrases};

#[component]
pub(super) fn UrnTab(
    /// Called after the draw.
    drawn: Callback<()>,
) -> impl IntoView {
    let context = use_contest();
    // How many tickets there are, in words; or why a draw is impossible.
    let tickets = Memo::new(move |_| context.describe(tickets_in_words));
    let ready = Memo::new(move |_| tickets.with(|tickets| matches!(tickets, Some(Ok(_)))));
    let lead = move || match tickets.get() {
        Some(Ok(text) | Err(text)) => text,
        None => String::new(),
    };
    let over = Memo::new(move |_| {
        context.contest(|contest| {
            let last = contest.phases().last().is_some_and(contest::ContestPhase::is_final);
            last || contest.stage() == ContestStage::Over
        })
    });
    let commitment = Memo::new(move |_| {
        context.contest(|contest| contest.commitment().map(ToString::to_string))
    });
    let text = RwSignal::new(String::new());
    let called_words = Memo::new(move |_| text.with(|text| said_words(text)));
    view! {
        <p class="lead" class:alert=move || !ready.get() && !over.get()>
            {lead}
        </p>
        <ol class="steps" hidden=move || over.get()>
            <PrepareStep ready commitment />
            <WordsStep commitment text called_words />
            <DrawStep ready commitment text called_words drawn />
        </ol>
    }
}

/// How many tickets and tables the next draw has; or why it is impossible.
fn tickets_in_words(phrases: &Phrases, contest: &Contest) -> Option<Result<String, String>> {
    let entrants = match contest.next_entrants() {
        Ok(entrants) => entrants,
        Err(refusal) => {
            return Some(Err(phrases.refused_by_contest(&refusal, contest.settings().rules())));
        }
    };
    let plan = PhasePlan::new(entrants.len(), contest.settings().full_table())?;
    let mut text = phrases.contest_page_in_urn(entrants.len(), plan.tables);
    if plan.smaller > 0 {
        text = format!("{text} {}", phrases.contest_page_smaller(plan.smaller));
    }
    if plan.byes > 0 {
        text = format!("{text} {}", phrases.contest_page_byes(plan.byes));
    }
    Some(Ok(text))
}

/// The first step: the server commits to its secret (T1).
#[component]
fn PrepareStep(ready: Memo<bool>, commitment: Memo<Option<String>>) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let busy = move || context.waiting.get() > 0;
    let prepare = move |_| context.command(LedgerCommand::Prepare, || ());
    view! {
        <li class:done=move || commitment.with(Option::is_some)>
            <h3>{t!(phrases, contest_page_prepare_title)}</h3>
            <p>{t!(phrases, contest_page_prepare_more)}</p>
            <p class="commitment" hidden=move || commitment.with(Option::is_none)>
                <code id="commitment">{move || commitment.get()}</code>
            </p>
            <button
                id="prepare"
                class:primary=move || commitment.with(Option::is_none)
                disabled=move || busy() || !ready.get()
                on:click=prepare
            >
                {move || {
                    phrases
                        .with(|phrases| match commitment.with(Option::is_some) {
                            true => phrases.contest_page_prepare_again(),
                            false => phrases.contest_page_prepare(),
                        })
                }}
            </button>
        </li>
    }
}

/// The second step: the words that the audience calls out.
#[component]
fn WordsStep(
    commitment: Memo<Option<String>>,
    text: RwSignal<String>,
    called_words: Memo<Vec<Word>>,
) -> impl IntoView {
    let phrases = use_phrases();
    let taken = move || {
        called_words.with(|called_words| {
            let all: Vec<&str> = called_words.iter().map(|word| word.as_str()).collect();
            all.join(" · ")
        })
    };
    view! {
        <li>
            <h3>{t!(phrases, contest_page_words_title)}</h3>
            <p>{t!(phrases, contest_page_words_more, MAX_WORDS)}</p>
            <label>
                <span class="unseen">{t!(phrases, contest_page_words_title)}</span>
                <input
                    type="text"
                    id="words"
                    autocomplete="off"
                    autocapitalize="off"
                    disabled=move || commitment.with(Option::is_none)
                    prop:value=text
                    on:input=move |event| text.set(event_target_value(&event))
                />
            </label>
            <p class="hint" id="heard">
                {taken}
            </p>
            <p
                class="alert"
                role="alert"
                hidden=move || called_words.with(|called| called.len() <= MAX_WORDS)
            >
                {t!(phrases, contest_page_words_many, MAX_WORDS)}
            </p>
        </li>
    }
}

/// The third step: the draw.
#[component]
fn DrawStep(
    ready: Memo<bool>,
    commitment: Memo<Option<String>>,
    text: RwSignal<String>,
    called_words: Memo<Vec<Word>>,
    /// Called after the draw.
    drawn: Callback<()>,
) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let draw = Callback::new(move |()| {
        let called_words = called_words
            .with_untracked(|called_words| called_words.iter().map(ToString::to_string).collect());
        context.command(LedgerCommand::Draw { words: called_words }, move || {
            text.try_set(String::new());
            drawn.run(());
        });
    });
    let question = Signal::derive(move || {
        let silent = called_words.with(Vec::is_empty);
        phrases.with(|phrases| match silent {
            true => phrases.contest_page_draw_silent(),
            false => phrases.contest_page_draw_sure(),
        })
    });
    let disabled = Signal::derive(move || {
        let busy = context.waiting.get() > 0;
        let too_many = called_words.with(|called_words| called_words.len() > MAX_WORDS);
        busy || !ready.get() || too_many || commitment.with(Option::is_none)
    });
    view! {
        <li>
            <h3>{t!(phrases, contest_page_draw_title)}</h3>
            <p>{t!(phrases, contest_page_draw_more)}</p>
            <ConfirmButton
                label=t!(phrases, contest_page_draw)
                question
                id="draw"
                class="primary large"
                disabled=disabled
                done=draw
            />
        </li>
    }
}
