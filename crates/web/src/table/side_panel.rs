//! What stands beside the table on a wide screen: the score sheet, the story of the deal and the chat.

use leptos::prelude::*;
use table_view::scores::Scores;

use super::chat::Chat;
use super::layout::{css, use_layout};
use super::scores::ScoreGrid;
use super::use_table;
use crate::text::{t, use_phrases};

/// How many sentences of the story are kept.
const MAX_SENTENCES: usize = 40;

#[component]
pub(super) fn SidePanel(scores: Memo<Scores>) -> impl IntoView {
    let (table, phrases, layout) = (use_table(), use_phrases(), use_layout());
    let area = Memo::new(move |_| layout.with(|layout| layout.panel));
    let story = story(table);
    let sentences = move || {
        let story = story.get();
        story.into_iter().rev().map(|sentence| view! { <li>{sentence}</li> }).collect_view()
    };
    move || {
        let area = area.get()?;
        let has_chat = table.practice.is_none();
        Some(view! {
            <aside class="side-panel" style=css(area)>
                <section aria-label=t!(phrases, score_sheet)>
                    <h2>{t!(phrases, score_sheet)}</h2>
                    <ScoreGrid scores />
                </section>
                <section class="happened" tabindex="0" aria-label=t!(phrases, story_title)>
                    <h2>{t!(phrases, story_title)}</h2>
                    <ol>{sentences}</ol>
                </section>
                {has_chat
                    .then(|| {
                        view! {
                            <section class="talk" aria-label=t!(phrases, talk_title)>
                                <h2>{t!(phrases, talk_title)}</h2>
                                <Chat />
                            </section>
                        }
                    })}
            </aside>
        })
    }
}

/// The sentences of the deal so far; those of the deal before go when the next one is dealt.
fn story(table: super::TableContext) -> RwSignal<Vec<String>> {
    let story = RwSignal::new(Vec::new());
    let deal = Memo::new(move |_| table.with_scene(|scene| scene.deal.clone()));
    Effect::new(move |_| {
        deal.track();
        story.set(Vec::new());
    });
    Effect::new(move |_| {
        let new = table.connection.sentences.get();
        if !new.is_empty() {
            story.update(|story| {
                story.extend(new);
                story.drain(..story.len().saturating_sub(MAX_SENTENCES));
            });
        }
    });
    story
}
