//! Sounds: short tones that the browser synthesises, so that no file is loaded.

use js_sys::Reflect;
use web_sys::{AudioContext, OscillatorType};

/// A sound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sound {
    /// A card is played.
    Card,
    /// A trick is taken.
    Trick,
    /// It is the player's turn.
    Turn,
    /// A deal or a match is over.
    End,
}

impl Sound {
    /// Its notes: start, length, pitch, volume.
    const fn notes(self) -> &'static [(f64, f64, f32, f32)] {
        match self {
            Sound::Card => &[(0.0, 0.05, 190.0, 0.10)],
            Sound::Trick => &[(0.0, 0.06, 260.0, 0.07), (0.06, 0.08, 196.0, 0.07)],
            Sound::Turn => &[(0.0, 0.09, 659.0, 0.05), (0.1, 0.14, 880.0, 0.05)],
            Sound::End => {
                &[(0.0, 0.14, 523.0, 0.05), (0.14, 0.14, 659.0, 0.05), (0.28, 0.3, 784.0, 0.05)]
            }
        }
    }
}

/// Plays sounds once the user has interacted with the page, as browsers demand.
#[derive(Clone, Default)]
pub(crate) struct SoundPlayer(Option<AudioContext>);

impl SoundPlayer {
    /// Plays a sound, if the browser can.
    pub(crate) fn play(&mut self, sound: Sound) {
        if self.0.is_none() && has_user_activation() {
            self.0 = AudioContext::new().ok();
        }
        if let Some(context) = &self.0 {
            for (from, length, pitch, volume) in sound.notes() {
                let _ = note(context, *from, *length, *pitch, *volume);
            }
        }
    }
}

/// Whether the user has interacted with the page; true if the browser does not say.
fn has_user_activation() -> bool {
    let navigator = leptos::prelude::window().navigator();
    let activation = Reflect::get(&navigator, &"userActivation".into());
    let active = activation.and_then(|found| Reflect::get(&found, &"hasBeenActive".into()));
    active.ok().and_then(|active| active.as_bool()).unwrap_or(true)
}

fn note(
    context: &AudioContext,
    from: f64,
    length: f64,
    pitch: f32,
    volume: f32,
) -> Result<(), wasm_bindgen::JsValue> {
    let (tone, gain) = (context.create_oscillator()?, context.create_gain()?);
    let begins = context.current_time() + from;
    tone.set_type(OscillatorType::Triangle);
    tone.frequency().set_value(pitch);
    gain.gain().set_value_at_time(volume, begins)?;
    gain.gain().exponential_ramp_to_value_at_time(0.001, begins + length)?;
    tone.connect_with_audio_node(&gain)?;
    gain.connect_with_audio_node(&context.destination())?;
    tone.start_with_when(begins)?;
    tone.stop_with_when(begins + length)
}
