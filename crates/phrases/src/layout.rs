//! Plain text for a terminal: wrapped lines and aligned columns.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The maximum width of a text, in columns.
pub const WIDTH: usize = 80;

/// The width of a text, in columns. A name may contain characters that take two, or none.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The space between words that stay on one line; [`wrap`] replaces it with a plain space.
pub const TIE: &str = "\u{a0}";

/// The text in lines of at most [`WIDTH`], the first one after `first`, the others after `rest`. A
/// longer word gets its own line.
pub fn wrap(text: &str, first: &str, rest: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::from(first);
    let mut empty = true;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if !empty && width(&line) + 1 + width(word) > WIDTH {
            lines.push(std::mem::replace(&mut line, String::from(rest)));
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    lines.push(line);
    lines.join("\n").replace(TIE, " ")
}

/// The sentence with its first letter in upper case.
pub fn capitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A number with its sign, for a change of a score: `+3`, `−1`, `0`.
pub fn signed(number: i32) -> String {
    if number > 0 { format!("+{number}") } else { total(number) }
}

/// A number that may be negative, with a typographic minus.
pub fn total(number: i32) -> String {
    if number < 0 { format!("−{}", number.unsigned_abs()) } else { number.to_string() }
}

/// A name that is shortened to at most `most` columns.
pub fn shortened(name: &str, most: usize) -> String {
    if width(name) <= most {
        return name.into();
    }
    let mut columns = 0;
    let fits = |letter: &char| {
        columns += letter.width().unwrap_or(0);
        columns < most
    };
    let kept: String = name.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}

/// Rows of cells in aligned columns.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    rows: Vec<Vec<String>>,
    right: Vec<bool>,
}

impl Columns {
    /// One column for each letter of `alignment`: `<` aligns to the left, `>` to the right.
    pub fn new(alignment: &str) -> Columns {
        Columns { rows: Vec::new(), right: alignment.chars().map(|side| side == '>').collect() }
    }

    /// Adds a row; cells beyond the last column are ignored.
    pub fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The rows as lines after `indent`, with `gap` columns between the cells, or fewer if the lines
    /// would be too long.
    pub fn lines(&self, indent: &str, gap: usize) -> Vec<String> {
        let cell = |row: &Vec<String>, at: usize| row.get(at).map_or(0, |cell| width(cell));
        let widths: Vec<usize> = (0..self.right.len())
            .map(|at| self.rows.iter().map(|row| cell(row, at)).max().unwrap_or_default())
            .collect();
        let bare = width(indent) + widths.iter().sum::<usize>();
        let gaps = widths.len().saturating_sub(1).max(1);
        let gap = gap.min(WIDTH.saturating_sub(bare) / gaps).max(1);
        let mut lines = Vec::new();
        for row in &self.rows {
            let mut line = String::from(indent);
            for (at, (cell, right)) in row.iter().zip(&self.right).enumerate() {
                let space = " ".repeat(widths[at] - width(cell));
                if at > 0 {
                    line.push_str(&" ".repeat(gap));
                }
                if *right {
                    line.push_str(&space);
                }
                line.push_str(cell);
                if !*right {
                    line.push_str(&space);
                }
            }
            lines.push(line.trim_end().into());
        }
        lines
    }
}

/// The text without control characters: an error may quote a hostile file.
pub fn harmless(text: &str) -> String {
    let safe = |letter: char| letter == '\n' || !letter.is_control();
    let shown = |letter: char| if safe(letter) { letter } else { '\u{fffd}' };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_take_two_columns() {
        let mut table = Columns::new("<>");
        table.row(["日本", "1"]);
        table.row(["Ana", "2"]);
        let lines = table.lines("", 2);
        assert_eq!(lines, ["日本  1", "Ana   2"]);
        assert!(lines.iter().all(|line| width(line) == width(&lines[0])));
        assert_eq!(shortened("日本語の名前", 6), "日本…");
        assert_eq!(shortened("Alexandra", 5), "Alex…");
    }

    #[test]
    fn lines_break_between_words() {
        let text = "carte ".repeat(20);
        let wrapped = wrap(&text, "* ", "  ");
        assert!(wrapped.lines().all(|line| width(line) <= WIDTH));
        assert!(
            wrapped.starts_with("* carte") && wrapped.lines().nth(1).unwrap().starts_with("  c")
        );
        assert_eq!(wrapped.split_whitespace().count(), 21);
        assert_eq!(wrap("", "", ""), "");
    }

    #[test]
    fn cells_are_aligned_in_columns() {
        let mut columns = Columns::new("<>");
        columns.row(["Călin", "7"]);
        columns.row(["Ana", "−11"]);
        assert_eq!(columns.lines("  ", 2), ["  Călin    7", "  Ana    −11"]);
    }

    #[test]
    fn a_gap_shrinks_if_the_line_would_be_too_long() {
        let mut columns = Columns::new("<<");
        columns.row(["x".repeat(40), "y".repeat(38)]);
        assert_eq!(columns.lines("", 9).iter().map(|line| width(line)).max(), Some(80));
    }

    #[test]
    fn numbers_have_signs_and_names_are_shortened() {
        assert_eq!(
            [signed(3), signed(0), signed(-3), total(-1), total(5)],
            ["+3", "0", "−3", "−1", "5"]
        );
        assert_eq!(shortened("Constantinopol", 8), "Constan…");
        assert_eq!(capitalised("șase"), "Șase");
    }
}
