//! Effects of the progress of a match: sounds, and playing the only legal card.

use game::Action;
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use table_view::scene::{ScenePrompt, TableScene};

use super::TableContext;
use crate::settings::Settings;
use crate::sound::{Sound, SoundPlayer};

/// The delay before the only legal card is played. It is constant, so that opponents cannot infer
/// from it how many cards were legal.
const FORCED_MS: u32 = 900;

/// What is compared to detect progress.
#[derive(Clone, PartialEq, Eq)]
struct MatchProgress {
    laid: usize,
    tricks: usize,
    deal: String,
    my_turn: bool,
}

impl MatchProgress {
    fn of(scene: &TableScene) -> MatchProgress {
        MatchProgress {
            laid: scene.trick.len(),
            tricks: scene.tricks,
            deal: scene.deal.clone(),
            my_turn: scene.is_my_turn(),
        }
    }

    /// The sound of the progress since an earlier moment.
    fn sound_since(&self, before: &MatchProgress) -> Option<Sound> {
        if self.deal != before.deal {
            Some(Sound::End)
        } else if self.my_turn && !before.my_turn {
            Some(Sound::Turn)
        } else if self.tricks > before.tricks {
            Some(Sound::Trick)
        } else if self.laid > before.laid {
            Some(Sound::Card)
        } else {
            None
        }
    }
}

/// Plays a sound for every progress of the match.
pub(crate) fn play_sounds(table: TableContext, settings: RwSignal<Settings>) {
    let speaker = StoredValue::new_local(SoundPlayer::default());
    let course = Memo::new(move |_| table.with_scene(MatchProgress::of));
    Effect::new(move |before: Option<Option<MatchProgress>>| {
        let now = course.get();
        let sound = now
            .as_ref()
            .zip(before.flatten().as_ref())
            .and_then(|(now, before)| now.sound_since(before));
        if let Some(sound) = sound.filter(|_| settings.with_untracked(|settings| settings.sound)) {
            speaker.update_value(|speaker| speaker.play(sound));
        }
        now
    });
}

/// The card that must be played, if it is the only legal one.
fn forced(scene: &TableScene) -> Option<Action> {
    let mut playable = scene.playable();
    match (playable.next(), playable.next()) {
        (Some(only), None) if scene.prompt == ScenePrompt::Card && only.call.is_none() => {
            Some(Action::Play { card: only.card, call: false })
        }
        _ => None,
    }
}

/// Plays the only legal card, if the player has chosen so in the settings.
pub(super) fn play_forced_cards(table: TableContext, settings: RwSignal<Settings>) {
    // With the position in the match: a card that was refused is not tried again.
    let only = Memo::new(move |_| {
        let wanted = settings.with(|settings| settings.forced);
        let only = |scene: &TableScene| Some((forced(scene)?, scene.deal.clone(), scene.tricks));
        table.with_scene(only).flatten().filter(|_| wanted)
    });
    let tried = StoredValue::new(None);
    Effect::new(move |_| {
        let Some(now) = only.get().filter(|now| tried.get_value().as_ref() != Some(now)) else {
            return;
        };
        spawn_local(async move {
            TimeoutFuture::new(FORCED_MS).await;
            // The player may have played it meanwhile.
            if only.try_get_untracked().flatten().as_ref() == Some(&now) {
                table.act(now.0);
                tried.set_value(Some(now));
            }
        });
    });
}
