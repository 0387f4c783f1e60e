//! The urn: the commitment before the draw, the words of the audience, and the draw (T1, T6).

use contest::ContestStage;
use contest::urn::{MAX_WORDS, PhasePlan};
use contest_view::said_words;
use leptos::prelude::*;
use wire::ledger::LedgerCommand;

use super::form::ConfirmButton;
use super::use_contest;
use crate::text::{t, use_words};

#[component]
pub(super) fn UrnTab(
    /// Called after the draw.
    drawn: Callback<()>,
) -> impl IntoView {
    let (context, words) = (use_contest(), use_words());
    // How many tickets there are, in words; or why a draw is impossible.
    let tickets = Memo::new(move |_| {
        context.describe(|phrases, contest| match contest.next_entrants() {
            Err(refusal) => {
                Some(Err(phrases.refused_by_contest(&refusal, contest.settings().rules())))
            }
            Ok(all) => {
                let plan = PhasePlan::new(all.len(), contest.settings().full_table())?;
                let mut said = phrases.hall_in_urn(all.len(), plan.tables);
                if plan.smaller > 0 {
                    said = format!("{said} {}", phrases.hall_smaller(plan.smaller));
                }
                if plan.byes > 0 {
                    said = format!("{said} {}", phrases.hall_byes(plan.byes));
                }
                Some(Ok(said))
            }
        })
    });
    let ready = Memo::new(move |_| tickets.with(|tickets| matches!(tickets, Some(Ok(_)))));
    let said = move || match tickets.get() {
        Some(Ok(said) | Err(said)) => said,
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
    let heard = Memo::new(move |_| text.with(|text| said_words(text)));
    let too_many = Signal::derive(move || heard.with(|heard| heard.len() > MAX_WORDS));
    let taken = move || {
        heard.with(|heard| {
            let all: Vec<&str> = heard.iter().map(|word| word.as_str()).collect();
            all.join(" · ")
        })
    };
    let busy = move || context.waiting.get() > 0;
    let prepare = move |_| context.command(LedgerCommand::Prepare, || ());
    let draw = Callback::new(move |()| {
        let words = heard.with_untracked(|heard| heard.iter().map(ToString::to_string).collect());
        context.command(LedgerCommand::Draw { words }, move || {
            text.try_set(String::new());
            drawn.run(());
        });
    });
    let question = Signal::derive(move || {
        let silent = heard.with(Vec::is_empty);
        words.with(|phrases| match silent {
            true => phrases.hall_draw_silent(),
            false => phrases.hall_draw_sure(),
        })
    });
    view! {
        <p class="lead" class:alert=move || !ready.get() && !over.get()>
            {said}
        </p>
        <ol class="steps" hidden=move || over.get()>
            <li class:done=move || commitment.with(Option::is_some)>
                <h3>{t!(words, hall_prepare_title)}</h3>
                <p>{t!(words, hall_prepare_more)}</p>
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
                        words
                            .with(|phrases| match commitment.with(Option::is_some) {
                                true => phrases.hall_prepare_again(),
                                false => phrases.hall_prepare(),
                            })
                    }}
                </button>
            </li>
            <li>
                <h3>{t!(words, hall_words_title)}</h3>
                <p>{t!(words, hall_words_more, MAX_WORDS)}</p>
                <label>
                    <span class="unseen">{t!(words, hall_words_title)}</span>
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
                <p class="alert" role="alert" hidden=move || !too_many.get()>
                    {t!(words, hall_words_many, MAX_WORDS)}
                </p>
            </li>
            <li>
                <h3>{t!(words, hall_draw_title)}</h3>
                <p>{t!(words, hall_draw_more)}</p>
                <ConfirmButton
                    label=t!(words, hall_draw)
                    question
                    id="draw"
                    class="primary large"
                    disabled=Signal::derive(move || {
                        busy() || !ready.get() || too_many.get()
                            || commitment.with(Option::is_none)
                    })
                    done=draw
                />
            </li>
        </ol>
    }
}
