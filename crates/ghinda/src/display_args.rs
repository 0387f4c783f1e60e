//! Options and files that the terminal commands share: display options, the state folder, the name
//! of the user and the entropy.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use phrases::{Language, Phrases};
use table_view::scene::Direction;
use terminal::{Appearance, Colours, DisplayMode};

/// How a table is shown.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Display options")]
pub(crate) struct DisplayArgs {
    /// Print line by line: for screen readers, pipes and scripts [default: if there is no terminal]
    #[arg(long)]
    plain: bool,
    /// The card faces of Cruce
    #[arg(long, env = "GHINDA_CARDS", value_name = "SUITS", default_value = "german")]
    cards: CardStyle,
    /// The colours [default: those of the terminal; none if NO_COLOR is set]
    #[arg(long, alias = "color", value_name = "HOW")]
    colour: Option<ColourArg>,
    /// Seat the next player to the right
    #[arg(long)]
    counter_clockwise: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CardStyle {
    /// Bells, leaves, acorns and hearts
    German,
    /// Clubs, spades, diamonds and hearts
    French,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ColourArg {
    /// No colours
    None,
    /// The 16 colours of every terminal
    #[value(name = "16")]
    Sixteen,
    /// 256 colours
    #[value(name = "256")]
    Many,
}

impl DisplayArgs {
    pub(crate) fn display_mode(&self) -> DisplayMode {
        DisplayMode { plain: self.plain || !terminal::is_terminal(), appearance: self.appearance() }
    }

    pub(crate) fn appearance(&self) -> Appearance {
        let colours = match self.colour {
            Some(ColourArg::None) => Colours::None,
            Some(ColourArg::Sixteen) => Colours::Sixteen,
            Some(ColourArg::Many) => Colours::Many,
            None => Colours::of_environment(|name| std::env::var(name).ok()),
        };
        let direction = match self.counter_clockwise {
            true => Direction::CounterClockwise,
            false => Direction::Clockwise,
        };
        Appearance { colours, french: matches!(self.cards, CardStyle::French), direction }
    }

    pub(crate) fn phrases(&self, language: Language) -> Phrases {
        let phrases = Phrases::new(language);
        if self.appearance().french { phrases.with_french_cards() } else { phrases }
    }
}

/// The name of the user: the given one, else that of the system user, else a default.
pub(crate) fn player_name(given: Option<&str>, phrases: &Phrases) -> String {
    let user = || std::env::var("USER").ok().filter(|name| !name.is_empty() && name != "root");
    given.map(str::to_owned).or_else(user).unwrap_or_else(|| phrases.guest_name())
}

/// The path of a file in the state folder; returns None if the folder cannot be created.
pub(crate) fn state_file(name: &str) -> Option<PathBuf> {
    let folder = state_folder()?;
    std::fs::create_dir_all(&folder).ok()?;
    let safe = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "kept"));
    let stem: String = stem.chars().map(safe).collect();
    Some(folder.join(format!("{stem}.{ending}")))
}

/// The folder for state files, as the environment defines it.
pub(crate) fn state_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let own = set("GHINDA_STATE");
    let state = || set("XDG_STATE_HOME").map(|folder| folder.join("ghinda"));
    let home = || set("HOME").map(|folder| folder.join(".local/state/ghinda"));
    own.or_else(state).or_else(home)
}

/// Random bytes of the system, or bytes derived from a seed text.
pub(crate) fn entropy(seed: Option<&str>) -> Result<[u8; 32]> {
    if let Some(seed) = seed {
        return Ok(game::fair::Secret::from_phrase(seed).0);
    }
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .ok()
        .context("the system provides no randomness; use --seed TEXT")?;
    Ok(bytes)
}
