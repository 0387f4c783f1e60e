//! The names of players, contests and score sheets.
//!
//! A name that is written now must be [legible](Name::is_legible). One that was written earlier is read
//! by the older and weaker rule of [`FromStr`], so that every stored log and record stays readable.

use core::fmt;
use core::str::FromStr;

use thiserror::Error;

/// The most combining marks on one letter. Every script that stacks them needs fewer than four.
const MAX_MARKS: usize = 3;

/// The name of a player: 1 to 40 characters, none of them a control character
/// or one that reverses or hides the text around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name(String);

/// The error for a text that is not a [`Name`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a name of 1 to 40 visible characters, without spaces around it")]
pub struct InvalidName;

impl FromStr for Name {
    type Err = InvalidName;

    /// Reads a name that is stored. A name that a player writes is made by [`Name::new`].
    fn from_str(text: &str) -> Result<Name, InvalidName> {
        let fits = (1..=40).contains(&text.chars().count());
        let forbidden = |c: char| {
            c.is_control()
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
                || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}')
        };
        let clean = text.trim() == text && !text.chars().any(forbidden);
        if fits && clean { Ok(Name(text.into())) } else { Err(InvalidName) }
    }
}

impl Name {
    /// A name that a player writes now: it must be legible too.
    pub fn new(text: &str) -> Result<Name, InvalidName> {
        text.parse().ok().filter(Name::is_legible).ok_or(InvalidName)
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether readers see all of it, and nothing but it: no character is invisible, changes the
    /// direction of the text or has no agreed shape, and marks do not grow over the lines around.
    pub fn is_legible(&self) -> bool {
        let (mut marks, mut letters) = (0, 0);
        let mut before = ' ';
        for c in self.0.chars() {
            // After a symbol it chooses the coloured form, and keyboards add it by themselves.
            let chooses_emoji = c == '\u{fe0f}' && !before.is_alphanumeric() && !is_mark(before);
            if is_hidden(c) && !(chooses_emoji && before != ' ') {
                return false;
            }
            marks = if is_mark(c) { marks + 1 } else { 0 };
            letters += usize::from(!is_mark(c) && !c.is_whitespace() && c != '\u{fe0f}');
            if marks > MAX_MARKS {
                return false;
            }
            before = c;
        }
        letters > 0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a character is invisible, changes what is around it, or means nothing to others: the
/// categories Cc, Cf, Co, Zl and Zp, the noncharacters, selectors of variants, and letters that are blank.
fn is_hidden(c: char) -> bool {
    let noncharacter = u32::from(c) & 0xfffe == 0xfffe;
    noncharacter
        || c.is_control()
        || matches!(
            c,
            // Formatting of single scripts.
            '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
                | '\u{890}'..='\u{891}' | '\u{8e2}' | '\u{180b}'..='\u{180f}' | '\u{110bd}'
                | '\u{110cd}' | '\u{13430}'..='\u{13455}' | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
            // Joiners, directions, separators, and what is reserved for more of them.
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
            // Selectors and tags.
            | '\u{34f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}'
            // Letters and symbols that are blank.
            | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{2800}' | '\u{3164}'
                | '\u{ffa0}'
            // Private use, and noncharacters.
            | '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' | '\u{f0000}'..
        )
}

/// Whether a character is drawn on the one before: the marks for any letter, and those of the scripts
/// that stack them.
fn is_mark(c: char) -> bool {
    matches!(
        c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}' | '\u{5bf}'
            | '\u{5c1}'..='\u{5c2}' | '\u{5c4}'..='\u{5c5}' | '\u{5c7}' | '\u{610}'..='\u{61a}'
            | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}'
            | '\u{6e7}'..='\u{6e8}' | '\u{6ea}'..='\u{6ed}' | '\u{711}' | '\u{730}'..='\u{74a}'
            | '\u{7a6}'..='\u{7b0}' | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{93c}'
            | '\u{93e}'..='\u{94f}' | '\u{951}'..='\u{957}' | '\u{e31}' | '\u{e34}'..='\u{e3a}'
            | '\u{e47}'..='\u{e4e}' | '\u{eb1}' | '\u{eb4}'..='\u{ebc}' | '\u{ec8}'..='\u{ece}'
            | '\u{f71}'..='\u{f84}' | '\u{f8d}'..='\u{fbc}' | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20f0}' | '\u{302a}'..='\u{302f}'
            | '\u{3099}'..='\u{309a}' | '\u{fe20}'..='\u{fe2f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_scripts_are_legible() {
        for text in [
            "Ana",
            "Ștefan Țîru",
            "S\u{326}tefan",
            "Jean-Luc O'Neill (2)",
            "Nguye\u{302}\u{303}n",
            "שָׁלוֹם",
            "محمّد",
            "สมชาย ผู้ดี",
            "अनुष्का",
            "花子",
            "ハ\u{3099}",
            "김철수",
            "Ana ❤\u{fe0f}",
            "🃏",
            "table_bot.py",
        ] {
            assert_eq!(Name::new(text).map(|name| name.to_string()), Ok(text.into()), "{text}");
        }
    }

    #[test]
    fn what_readers_cannot_see_is_no_name() {
        for text in [
            "",
            " Ana",
            "Ana\u{a0}",
            "A\tna",
            "A\u{ad}na",
            "Ana\u{200b}",
            "Ana\u{200d}",
            "\u{202e}anA",
            "\u{2066}Ana\u{2069}",
            "Ana\u{61c}",
            "Ana\u{180e}",
            "Ana\u{2028}b",
            "Ana\u{e0041}",
            "Ana\u{e000}",
            "Ana\u{10fffd}",
            "Ana\u{fffe}",
            "Ana\u{fe0f}",
            "\u{fe0f}",
            "Ana\u{34f}",
            "\u{3164}",
            "\u{2800}\u{2800}",
            "\u{301}",
            "\u{301} \u{302}",
            "A\u{300}\u{301}\u{302}\u{303}na",
            "ก\u{e49}\u{e49}\u{e49}\u{e49}",
        ] {
            assert_eq!(Name::new(text), Err(InvalidName), "{text:?}");
        }
    }

    #[test]
    fn a_stored_name_stays_readable() {
        for text in ["A\u{ad}na", "\u{3164}", "\u{301}", "Ana\u{e0041}", "Ana\u{61c}"] {
            let name: Name = text.parse().expect("stored by an earlier version");
            assert!(!name.is_legible(), "{text:?}");
        }
    }
}
