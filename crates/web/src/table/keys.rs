//! The table by keyboard alone: keys announce everything that can be seen.

use cards::Suit;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use table_view::glance;
use table_view::scene::{ScenePrompt, TableScene};

use super::dialog::Dialog;
use super::{TableContext, hand};
use crate::app::{LiveRegion, use_live_region};
use crate::text::{PhraseSignal, t, use_phrases};

/// The keys, and the dialogs that they open.
#[derive(Clone, Copy)]
pub(crate) struct Keys {
    table: TableContext,
    live_region: LiveRegion,
    phrases: PhraseSignal,
    pub(crate) sheet: RwSignal<bool>,
    pub(crate) last: RwSignal<bool>,
    pub(crate) talk: RwSignal<bool>,
    pub(crate) help: RwSignal<bool>,
}

impl Keys {
    pub(crate) fn new(table: TableContext) -> Keys {
        let closed = || RwSignal::new(false);
        let (live_region, phrases) = (use_live_region(), use_phrases());
        Keys {
            table,
            live_region,
            phrases,
            sheet: closed(),
            last: closed(),
            talk: closed(),
            help: closed(),
        }
    }

    /// Listens on the window, because the focus is lost when the focused card is played.
    pub(crate) fn listen(self) {
        let listening = window_event_listener(leptos::ev::keydown, move |event| {
            self.pressed(&event);
        });
        on_cleanup(move || listening.remove());
    }

    fn pressed(self, event: &KeyboardEvent) {
        let modified = event.ctrl_key() || event.alt_key() || event.meta_key();
        // Text fields and open dialogs have their own keys. A closed dialog may keep the focus
        // until the browser paints again.
        let elsewhere = document().active_element().is_some_and(|element| {
            element.closest("input, dialog[open]").is_ok_and(|at| at.is_some())
        });
        if modified || elsewhere {
            return;
        }
        let key = event.key();
        let handled = match key.as_str() {
            "ArrowRight" | "ArrowLeft" => self.walk(key == "ArrowRight"),
            "t" | "T" => self.announce(|scene| scene.status.clone()),
            "r" => self.announce(glance::trick),
            "R" => self.announce(glance::last_trick),
            "v" | "V" => self.announce(glance::bids),
            "p" | "P" => self.announce(glance::points),
            "s" | "S" => self.toggle(self.sheet),
            "m" | "M" => self.toggle(self.table.participants_open),
            "c" | "C" if self.at_honour_table() => self.toggle(self.table.challenge_open),
            "?" => self.toggle(self.help),
            "1" | "2" | "3" | "4" => self.jump(&key),
            _ => false,
        };
        if handled {
            event.prevent_default();
        }
    }

    fn at_honour_table(self) -> bool {
        self.table.scene.with_untracked(|scene| scene.as_ref().is_some_and(|f| f.honour.is_some()))
    }

    fn toggle(self, window: RwSignal<bool>) -> bool {
        window.update(|open| *open = !*open);
        true
    }

    fn announce(self, text_of: impl Fn(&TableScene) -> String) -> bool {
        let text = self.table.scene.with_untracked(|scene| scene.as_ref().map(text_of));
        let nothing = || self.phrases.with_untracked(|phrases| phrases.nothing_yet());
        self.live_region.announce(text.filter(|text| !text.is_empty()).unwrap_or_else(nothing));
        true
    }

    /// Focuses the next card of the hand, or the previous one.
    fn walk(self, forward: bool) -> bool {
        let cards = self.table.scene.with_untracked(|scene| {
            scene.as_ref().map(|scene| scene.hand.iter().map(|held| held.card).collect::<Vec<_>>())
        });
        let cards = cards.unwrap_or_default();
        if cards.is_empty() {
            return false;
        }
        let at =
            hand::focused_card().and_then(|card| cards.iter().position(|other| *other == card));
        let next = match at {
            None if forward => 0,
            None => cards.len() - 1,
            Some(at) if forward => (at + 1) % cards.len(),
            Some(at) => (at + cards.len() - 1) % cards.len(),
        };
        hand::focus_card(cards[next]);
        true
    }

    /// Focuses the first card of a suit, in the order of the hand.
    fn jump(self, key: &str) -> bool {
        let at: usize = key.parse().unwrap_or(1);
        let suit = Suit::ALL[(at - 1) % 4];
        let card = self.table.scene.with_untracked(|scene| {
            let scene =
                scene.as_ref().filter(|scene| !matches!(scene.prompt, ScenePrompt::Bid(_)))?;
            scene.hand.iter().map(|held| held.card).find(|card| card.suit() == suit)
        });
        if let Some(card) = card {
            hand::focus_card(card);
        }
        card.is_some()
    }
}

/// The list of the keys.
#[component]
pub(crate) fn KeysHelpDialog(open: RwSignal<bool>) -> impl IntoView {
    let phrases = use_phrases();
    let rows = move || {
        phrases.with(|phrases| {
            [
                ("← →", phrases.key_walk()),
                ("Enter", phrases.key_play()),
                ("1 2 3 4", phrases.key_suit()),
                ("T", phrases.key_turn()),
                ("R", phrases.key_trick()),
                ("Shift R", phrases.last_trick()),
                ("V", phrases.key_bids()),
                ("P", phrases.key_points()),
                ("S", phrases.score_sheet()),
                ("M", phrases.participants_title()),
                ("C", phrases.key_challenge()),
                ("?", phrases.key_help()),
            ]
            .into_iter()
            .map(|(key, what)| view! { <tr><th scope="row"><kbd>{key}</kbd></th><td>{what}</td></tr> })
            .collect_view()
        })
    };
    view! {
        <Dialog open title=t!(phrases, key_help)>
            <table class="keys"><tbody>{rows}</tbody></table>
        </Dialog>
    }
}
