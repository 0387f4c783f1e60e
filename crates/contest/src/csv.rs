//! Tables for spreadsheets, in the format of RFC 4180.

/// A table of cells, written row by row.
#[derive(Clone, Debug, Default)]
pub struct Csv {
    text: String,
}

impl Csv {
    /// A table with these headings.
    pub fn new<T: AsRef<str>>(headings: impl IntoIterator<Item = T>) -> Csv {
        let mut csv = Csv::default();
        csv.row(headings);
        csv
    }

    /// Adds a row.
    pub fn row<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = T>) {
        for (at, cell) in cells.into_iter().enumerate() {
            if at > 0 {
                self.text.push(',');
            }
            self.cell(cell.as_ref());
        }
        self.text.push_str("\r\n");
    }

    fn cell(&mut self, cell: &str) {
        if cell.contains([',', '"', '\r', '\n']) {
            self.text.push('"');
            self.text.push_str(&cell.replace('"', "\"\""));
            self.text.push('"');
        } else {
            self.text.push_str(cell);
        }
    }

    /// The table as text.
    pub fn text(self) -> String {
        self.text
    }
}

/// Writes a name as a cell. A name that a spreadsheet would take for a formula is marked as text,
/// since any visitor may have typed it.
pub fn name(name: &str) -> String {
    let formula = name.starts_with(['=', '+', '-', '@']);
    if formula { format!("'{name}") } else { name.into() }
}

/// Splits a row into its cells.
///
/// A cell may be quoted; a quote in it is doubled. A row is one line: no cell contains a line feed.
pub fn cells(row: &str, separator: char) -> Result<Vec<String>, InvalidRow> {
    let mut cells = Vec::new();
    let mut rest = row;
    loop {
        let (cell, after) = match rest.trim_start_matches(' ').strip_prefix('"') {
            Some(quoted) => unquoted(quoted)?,
            None => {
                let end = rest.find(separator).unwrap_or(rest.len());
                (rest[..end].trim().to_owned(), &rest[end..])
            }
        };
        cells.push(cell);
        let after = after.trim_start_matches(' ');
        match after.strip_prefix(separator) {
            Some(more) => rest = more,
            None if after.is_empty() => return Ok(cells),
            None => return Err(InvalidRow::AfterQuotes),
        }
    }
}

/// Reads a cell after its opening quote; returns it and the text after its closing quote.
fn unquoted(text: &str) -> Result<(String, &str), InvalidRow> {
    let mut cell = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('"') {
        cell.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match rest.strip_prefix('"') {
            Some(more) => rest = more,
            None => return Ok((cell, rest)),
        }
        cell.push('"');
    }
    Err(InvalidRow::OpenQuotes)
}

/// A fault in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InvalidRow {
    /// A quote that is not closed on its line.
    #[error("the quotes are not closed")]
    OpenQuotes,
    /// Something between a closing quote and the next cell.
    #[error("something follows the closing quotes")]
    AfterQuotes,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_row_is_read_back() {
        let row = ["Ana", "Dan, the \"Bold\"", "", "−3", "\"", " x"];
        let mut csv = Csv::new(["a"]);
        csv.row(row);
        let text = csv.text();
        assert_eq!(text, "a\r\nAna,\"Dan, the \"\"Bold\"\"\",,−3,\"\"\"\", x\r\n");
        let read = cells(text.lines().nth(1).unwrap(), ',').unwrap();
        assert_eq!(read, ["Ana", "Dan, the \"Bold\"", "", "−3", "\"", "x"]);
    }

    #[test]
    fn rows_of_spreadsheets_are_read() {
        assert_eq!(cells("Ana;Dan", ';').unwrap(), ["Ana", "Dan"]);
        assert_eq!(cells(" \"Ana\" ; Dan ", ';').unwrap(), ["Ana", "Dan"]);
        assert_eq!(cells("Ana\t", '\t').unwrap(), ["Ana", ""]);
        assert_eq!(cells("", ',').unwrap(), [""]);
        assert_eq!(cells("\"Ana", ','), Err(InvalidRow::OpenQuotes));
        assert_eq!(cells("\"Ana\"x,y", ','), Err(InvalidRow::AfterQuotes));
    }

    #[test]
    fn a_name_is_not_a_formula() {
        assert_eq!(name("=1+1"), "'=1+1");
        assert_eq!(name("Ana"), "Ana");
    }
}
