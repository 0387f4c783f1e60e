//! The user's settings, stored in the browser.

use leptos::prelude::*;
use phrases::Language;
use table_view::scene::Direction;

use crate::storage;

/// A setting with a few values, each with the word under which it is stored.
macro_rules! choices {
    ($(#[$about:meta])* $name:ident { $($(#[$what:meta])* $value:ident = $word:literal),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub(crate) enum $name { $($(#[$what])* $value),* }

        impl $name {
            pub(crate) const ALL: &[$name] = &[$($name::$value),*];

            pub(crate) const fn word(self) -> &'static str {
                match self { $($name::$value => $word),* }
            }

            pub(crate) fn of_word(word: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|value| value.word() == word)
            }
        }
    };
}

choices! {
    /// The faces of the cards of Cruce; whist has French ones.
    Faces {
        /// Bell, leaf, acorn, heart.
        #[default]
        German = "german",
        /// Clubs, spades, diamonds, hearts.
        French = "french",
    }
}

choices! {
    /// The colours of the suits.
    Colours {
        /// As printed.
        #[default]
        Usual = "usual",
        /// A colour for each suit.
        Four = "four",
        /// Four colours that can be distinguished in spite of colour blindness.
        Safe = "safe",
    }
}

choices! {
    /// Light or dark.
    Theme {
        /// As the system is set.
        #[default]
        System = "system",
        /// Light.
        Light = "light",
        /// Dark.
        Dark = "dark",
    }
}

choices! {
    /// The size of the cards.
    Size {
        /// Depends on the screen.
        #[default]
        Usual = "usual",
        /// With large corners and nothing else.
        Plain = "plain",
    }
}

choices! {
    /// How a card is played.
    Confirm {
        /// A tap raises it, another plays it.
        #[default]
        Twice = "twice",
        /// A tap plays it.
        Once = "once",
    }
}

/// All settings.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Settings {
    pub(crate) language: Language,
    pub(crate) faces: Faces,
    pub(crate) colours: Colours,
    pub(crate) theme: Theme,
    pub(crate) size: Size,
    pub(crate) cards: Confirm,
    pub(crate) bids: Confirm,
    pub(crate) direction: Direction,
    pub(crate) sound: bool,
    pub(crate) motion: bool,
    pub(crate) forced: bool,
}

impl Settings {
    /// The stored settings; defaults come from the browser.
    pub(crate) fn read() -> Settings {
        let word = |name: &str| storage::read(name).unwrap_or_default();
        let yes = |name: &str, usual: bool| storage::read(name).map_or(usual, |word| word == "yes");
        let suggested = window().navigator().language().unwrap_or_default();
        Settings {
            language: word("language").parse().unwrap_or(Language::of_locale(&suggested)),
            faces: Faces::of_word(&word("faces")).unwrap_or_default(),
            colours: Colours::of_word(&word("colours")).unwrap_or_default(),
            theme: Theme::of_word(&word("theme")).unwrap_or_default(),
            size: Size::of_word(&word("size")).unwrap_or_default(),
            cards: Confirm::of_word(&word("cards")).unwrap_or_default(),
            bids: Confirm::of_word(&word("bids")).unwrap_or(Confirm::Once),
            direction: match word("direction").as_str() {
                "counter" => Direction::CounterClockwise,
                _ => Direction::Clockwise,
            },
            sound: yes("sound", true),
            motion: yes("motion", true),
            forced: yes("forced", false),
        }
    }

    fn store(&self) {
        let yes = |value: bool| if value { "yes" } else { "no" };
        let direction = match self.direction {
            Direction::Clockwise => "clockwise",
            Direction::CounterClockwise => "counter",
        };
        for (name, word) in [
            ("language", self.language.code()),
            ("faces", self.faces.word()),
            ("colours", self.colours.word()),
            ("theme", self.theme.word()),
            ("size", self.size.word()),
            ("cards", self.cards.word()),
            ("bids", self.bids.word()),
            ("direction", direction),
            ("sound", yes(self.sound)),
            ("motion", yes(self.motion)),
            ("forced", yes(self.forced)),
        ] {
            storage::store(name, word);
        }
    }

    /// Sets the attributes that the style sheet reads.
    fn apply(&self) {
        let Some(root) = document().document_element() else { return };
        let motion = if self.motion { "on" } else { "off" };
        for (name, word) in [
            ("lang", self.language.code()),
            ("data-theme", self.theme.word()),
            ("data-colours", self.colours.word()),
            ("data-size", self.size.word()),
            ("data-motion", motion),
        ] {
            let _ = root.set_attribute(name, word);
        }
    }
}

/// Provides the settings to all components; every change is applied and stored.
pub(crate) fn provide() -> RwSignal<Settings> {
    let settings = RwSignal::new(Settings::read());
    provide_context(settings);
    Effect::new(move |before: Option<()>| {
        settings.with(|settings| {
            settings.apply();
            // Defaults of the browser are not stored.
            if before.is_some() {
                settings.store();
            }
        });
    });
    settings
}

/// The settings in a component.
pub(crate) fn use_settings() -> RwSignal<Settings> {
    expect_context()
}
