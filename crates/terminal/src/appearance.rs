//! How things look: colours where the terminal has them, and marks that need none.
//!
//! Colour never carries information alone: suits have names, a card that may not be played has a
//! broken border, and the chosen card a thick one. The background is the terminal's own, so text on
//! it must be readable on black and on white. Of the sixteen colours, whose shades depend on the
//! terminal, only red is used there.

use cards::Suit;
use ratatui::style::{Color, Modifier, Style};
use table_view::scene::Direction;

/// The number of colours that the terminal supports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Colours {
    /// None: bold, dim and reversed text only.
    None,
    /// The sixteen named colours, whose shades the user may have changed.
    #[default]
    Sixteen,
    /// 256, which look the same everywhere.
    Many,
}

impl Colours {
    /// The colours for an environment: <https://no-color.org> first, then what the terminal reports.
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Colours {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let term = set("TERM").unwrap_or_default();
        if set("NO_COLOR").is_some() || term == "dumb" {
            return Colours::None;
        }
        let many =
            set("COLORTERM").is_some_and(|value| value.contains("24bit") || value == "truecolor");
        if many || term.contains("256") || term.contains("direct") {
            return Colours::Many;
        }
        Colours::Sixteen
    }
}

/// How a player wants to see the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Appearance {
    /// The colours.
    pub colours: Colours,
    /// Whether Cruce is played with French cards.
    pub french: bool,
    /// The direction in which the seats go round the table.
    pub direction: Direction,
}

impl Appearance {
    fn pick(self, sixteen: Style, many: Style) -> Style {
        match self.colours {
            Colours::None => Style::new(),
            Colours::Sixteen => sixteen,
            Colours::Many => many,
        }
    }

    /// The background of a card.
    pub(crate) fn paper(self) -> Style {
        self.pick(
            Style::new().fg(Color::Black).bg(Color::White),
            Style::new().fg(Color::Indexed(238)).bg(Color::Indexed(230)),
        )
    }

    /// The print on a card of a suit. `french` is true for a French face.
    pub(crate) fn suit(self, suit: Suit, french: bool) -> Style {
        let (sixteen, many) = match (french, suit) {
            (true, Suit::Bell | Suit::Leaf) => (Color::Black, Color::Indexed(16)),
            (_, Suit::Heart) | (true, Suit::Acorn) => (Color::Red, Color::Indexed(160)),
            (false, Suit::Bell) => (Color::Magenta, Color::Indexed(130)),
            (false, Suit::Leaf) => (Color::Black, Color::Indexed(22)),
            (false, Suit::Acorn) => (Color::Blue, Color::Indexed(58)),
        };
        self.pick(Style::new().fg(sixteen), Style::new().fg(many)).add_modifier(Modifier::BOLD)
    }

    /// The name of the declarer.
    pub(crate) fn trump(self) -> Style {
        let plain = Style::new().add_modifier(Modifier::UNDERLINED);
        self.pick(plain, Style::new().fg(Color::Indexed(130))).add_modifier(Modifier::BOLD)
    }

    /// A card that may not be played now.
    pub(crate) fn forbidden(self) -> Style {
        match self.colours {
            Colours::None => Style::new().add_modifier(Modifier::DIM),
            Colours::Sixteen => Style::new().fg(Color::Black).bg(Color::Gray),
            Colours::Many => Style::new().fg(Color::Indexed(240)).bg(Color::Indexed(251)),
        }
    }

    /// The bars at the top and at the bottom.
    pub(crate) fn bar(self) -> Style {
        let plain = Style::new().add_modifier(Modifier::REVERSED);
        match self.colours {
            Colours::None | Colours::Sixteen => plain,
            Colours::Many => Style::new().fg(Color::Indexed(230)).bg(Color::Indexed(22)),
        }
    }

    /// A prompt to the player.
    pub(crate) fn asked(self) -> Style {
        let plain = Style::new().add_modifier(Modifier::UNDERLINED);
        self.pick(plain, Style::new().fg(Color::Indexed(28))).add_modifier(Modifier::BOLD)
    }

    /// A refusal and its reason.
    pub(crate) fn warning(self) -> Style {
        self.pick(Style::new().fg(Color::Red), Style::new().fg(Color::Indexed(196)))
            .add_modifier(Modifier::BOLD)
    }

    /// Secondary information.
    pub(crate) fn quiet(self) -> Style {
        match self.colours {
            Colours::None => Style::new(),
            Colours::Sixteen => Style::new().add_modifier(Modifier::DIM),
            Colours::Many => Style::new().fg(Color::Indexed(243)),
        }
    }

    /// The chosen item.
    pub(crate) fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD)
    }

    /// Titles, and the name of the player whose turn it is.
    pub(crate) fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(variables: &[(&str, &str)], expected: Colours) {
        let found = Colours::of_environment(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string())
        });
        assert_eq!(found, expected, "{variables:?}");
    }

    #[test]
    fn colours_are_what_the_environment_says() {
        check(&[], Colours::Sixteen);
        check(&[("TERM", "xterm")], Colours::Sixteen);
        check(&[("TERM", "xterm-256color")], Colours::Many);
        check(&[("TERM", "xterm"), ("COLORTERM", "truecolor")], Colours::Many);
        check(&[("TERM", "dumb")], Colours::None);
        check(&[("TERM", "xterm-256color"), ("NO_COLOR", "1")], Colours::None);
        check(&[("TERM", "xterm-256color"), ("NO_COLOR", "")], Colours::Many);
    }

    #[test]
    fn without_colours_there_are_none() {
        let appearance = Appearance { colours: Colours::None, ..Appearance::default() };
        let styles = [
            appearance.paper(),
            appearance.forbidden(),
            appearance.bar(),
            appearance.asked(),
            appearance.warning(),
        ];
        let suits = Suit::ALL.map(|suit| appearance.suit(suit, false));
        for style in styles.into_iter().chain(suits).chain([
            appearance.quiet(),
            appearance.chosen(),
            appearance.trump(),
        ]) {
            assert_eq!((style.fg, style.bg), (None, None), "{style:?}");
        }
    }
}
