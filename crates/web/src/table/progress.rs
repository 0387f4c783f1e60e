//! What follows from the course of the game by itself: sounds, and the only card that is left to play.

use game::Action;
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use table_view::scene::{ScenePrompt, TableScene};

use super::TableContext;
use crate::settings::Settings;
use crate::sound::{Sound, SoundPlayer};

/// How long an only card waits before it is played. Always the same, so that nobody learns from
/// the time how many cards there were to choose from.
const FORCED_MS: u32 = 900;

/// What is compared to know what has happened.
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

    /// The sound of what lies between two moments.
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

/// Makes the game heard.
pub(crate) fn sounds(game: TableContext, settings: RwSignal<Settings>) {
    let speaker = StoredValue::new_local(SoundPlayer::default());
    let course = Memo::new(move |_| game.on_felt(MatchProgress::of));
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

/// The card that must be played, where it is the only one.
fn forced(scene: &TableScene) -> Option<Action> {
    let mut playable = scene.playable();
    match (playable.next(), playable.next()) {
        (Some(only), None) if scene.asks == ScenePrompt::Card && only.call.is_none() => {
            Some(Action::Play { card: only.card, call: false })
        }
        _ => None,
    }
}

/// Plays an only card, where the player wants that.
pub(super) fn forced_cards(game: TableContext, settings: RwSignal<Settings>) {
    // With its place in the match: a card that was refused is not tried again.
    let only = Memo::new(move |_| {
        let wanted = settings.with(|settings| settings.forced);
        let only = |scene: &TableScene| Some((forced(scene)?, scene.deal.clone(), scene.tricks));
        game.on_felt(only).flatten().filter(|_| wanted)
    });
    let tried = StoredValue::new(None);
    Effect::new(move |_| {
        let Some(now) = only.get().filter(|now| tried.get_value().as_ref() != Some(now)) else {
            return;
        };
        spawn_local(async move {
            TimeoutFuture::new(FORCED_MS).await;
            // He may have played it himself.
            if only.try_get_untracked().flatten().as_ref() == Some(&now) {
                game.act(now.0);
                tried.set_value(Some(now));
            }
        });
    });
}
