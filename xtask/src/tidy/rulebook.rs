//! The rule documents: the same clauses in both languages, each with examples that tests play.
//!
//! `docs/rules/examples.txt` holds the examples. The documents say where each one is told, between
//! `<!-- example C8.1 -->` and `<!-- /example -->`, inside the section of its clause.

use std::collections::{BTreeMap, BTreeSet};

use super::{Findings, Tree, numbered, prose};

const EXAMPLES: &str = "docs/rules/examples.txt";
const LANGUAGES: [&str; 2] = ["en", "ro"];
/// Each game's document, and its clauses: C1 to C15, W1 to W8.
const BOOKS: [(&str, &str, u32); 2] = [("cruce", "C", 15), ("whist", "W", 8)];

/// Examples by id, with the lines they begin at.
type Examples<'a> = BTreeMap<&'a str, usize>;

pub(super) fn check(tree: &Tree) -> Findings {
    let mut findings = Findings::default();
    let Some(text) = tree.text(EXAMPLES) else {
        findings.fault(EXAMPLES, 1, "is missing.");
        return findings;
    };
    let examples = examples(text, &mut findings);
    let mut clauses_checked = 0;
    for (stem, letter, count) in BOOKS {
        let clauses: Vec<String> = (1..=count).map(|number| format!("{letter}{number}")).collect();
        for clause in &clauses {
            if !examples.keys().any(|id| clause_of(id) == Some(clause)) {
                findings.fault(EXAMPLES, 1, format!("{clause} has no example."));
            }
        }
        for path in LANGUAGES.map(|language| format!("docs/rules/{stem}.{language}.md")) {
            match tree.text(&path) {
                Some(text) => Reader::new(&path, &clauses, &examples, &mut findings).read(text),
                None => findings.fault(&path, 1, "is missing."),
            }
        }
        clauses_checked += clauses.len();
    }
    findings.checked.push((clauses_checked, "clauses in two languages"));
    findings.checked.push((examples.len(), "examples"));
    findings
}

/// Entries are paragraphs whose first word is an id; lines with `#` are comments.
fn examples<'a>(text: &'a str, findings: &mut Findings) -> Examples<'a> {
    let mut found = Examples::new();
    let mut inside = false;
    for (line, text) in numbered(text).filter(|(_, text)| !text.starts_with('#')) {
        let first = text.split_whitespace().next();
        if let Some(id) = first.filter(|_| !inside) {
            if clause_of(id).is_none() {
                let sentence = format!("an entry begins with an id like C8.1, not `{id}`.");
                findings.fault(EXAMPLES, line, sentence);
            } else if found.insert(id, line).is_some() {
                findings.fault(EXAMPLES, line, format!("there are two examples {id}."));
            }
        }
        inside = first.is_some();
    }
    found
}

/// `C8` of `C8.1`, when there is such a clause.
fn clause_of(id: &str) -> Option<&str> {
    let (clause, number) = id.split_once('.')?;
    let number: u32 = number.parse().ok().filter(|parsed: &u32| parsed.to_string() == number)?;
    let exists = |(_, letter, count)| (1..=count).any(|n: u32| format!("{letter}{n}") == clause);
    (number > 0 && BOOKS.into_iter().any(exists)).then_some(clause)
}

/// The clause of a heading `### C8. Title`.
fn clause_heading(text: &str) -> Option<&str> {
    let clause = text.strip_prefix("### ")?.split_whitespace().next()?.strip_suffix('.')?;
    let number = clause.strip_prefix(|letter: char| letter.is_ascii_uppercase())?;
    number.parse::<u32>().is_ok().then_some(clause)
}

/// Reads one document from top to bottom, and remembers where it is.
struct Reader<'a> {
    path: &'a str,
    clauses: &'a [String],
    examples: &'a Examples<'a>,
    findings: &'a mut Findings,
    /// Clauses whose headings went by.
    seen: Vec<&'a str>,
    section: Option<&'a str>,
    open: Option<&'a str>,
    told: BTreeSet<&'a str>,
}

impl<'a> Reader<'a> {
    fn new(
        path: &'a str,
        clauses: &'a [String],
        examples: &'a Examples<'a>,
        findings: &'a mut Findings,
    ) -> Self {
        let (seen, told) = (Vec::new(), BTreeSet::new());
        Self { path, clauses, examples, findings, seen, section: None, open: None, told }
    }

    fn read(mut self, text: &'a str) {
        for (line, text) in prose(text) {
            if ["# ", "## ", "### "].iter().any(|hashes| text.starts_with(hashes)) {
                self.heading(line, text);
            }
            for (comment, _) in text.split("<!--").filter_map(|rest| rest.split_once("-->")) {
                match comment.split_whitespace().collect::<Vec<_>>()[..] {
                    ["example", id] => self.example(line, id),
                    ["/example"] if self.open.take().is_none() => {
                        self.fault(line, "no example is open here.".to_owned());
                    }
                    _ => {}
                }
            }
        }
        self.close(text.lines().count());
        for clause in self.clauses.iter().filter(|clause| !self.seen.contains(&clause.as_str())) {
            self.findings.fault(self.path, 1, format!("the heading `### {clause}.` is missing."));
        }
        for (id, line) in self.examples {
            let ours = clause_of(id).is_some_and(|clause| self.clauses.iter().any(|c| c == clause));
            if ours && !self.told.contains(id) {
                let sentence = format!("{id} is not told in {}.", self.path);
                self.findings.fault(EXAMPLES, *line, sentence);
            }
        }
    }

    /// A heading ends the section before it, and `### C8. Title` begins that of C8.
    fn heading(&mut self, line: usize, text: &'a str) {
        self.close(line);
        self.section = clause_heading(text);
        let Some(clause) = self.section else { return };
        let place = |name: &str| self.clauses.iter().position(|clause| clause == name);
        if place(clause).is_none() {
            self.fault(line, format!("there is no clause {clause} in this game."));
        } else if self.seen.contains(&clause) {
            self.fault(line, format!("{clause} has a second heading."));
        } else if self.seen.last().is_some_and(|last| place(last) > place(clause)) {
            self.fault(line, format!("{clause} is out of order."));
        }
        self.seen.push(clause);
    }

    fn example(&mut self, line: usize, id: &'a str) {
        self.close(line);
        self.open = Some(id);
        if !self.examples.contains_key(id) {
            self.fault(line, format!("there is no example {id} in {EXAMPLES}."));
        } else if self.section != clause_of(id) {
            self.fault(line, format!("{id} is told outside the section of its clause."));
        }
        if !self.told.insert(id) {
            self.fault(line, format!("{id} is told a second time."));
        }
    }

    /// What follows cannot stand inside an example.
    fn close(&mut self, line: usize) {
        if let Some(id) = self.open.take() {
            self.fault(line, format!("the example {id} is still open here."));
        }
    }

    fn fault(&mut self, line: usize, sentence: String) {
        self.findings.fault(self.path, line, sentence);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "# Cruce\n\
        ### C1. Deck\n<!-- example C1.1 -->\n```\n### no heading\n```\n<!-- /example -->\n\
        ### C2. Deal\n<!-- example C2.1 -->One<!-- /example -->\n";

    /// Faults of a document of a small game with the clauses C1 and C2.
    fn faults(text: &str) -> Vec<String> {
        let mut findings = Findings::default();
        let examples = examples("C1.1\n\nC2.1\n", &mut findings);
        let clauses = ["C1".to_owned(), "C2".to_owned()];
        Reader::new("a.md", &clauses, &examples, &mut findings).read(text);
        findings.faults
    }

    #[test]
    fn ids_have_one_spelling() {
        assert_eq!(clause_of("C8.12"), Some("C8"));
        for odd in ["C8", "C8.0", "C08.1", "c8.1", "C8.1.", "8.1", "C+8.1", "C16.1", "C8.01", ""] {
            assert_eq!(clause_of(odd), None, "{odd}");
        }
    }

    #[test]
    fn entries_are_paragraphs_and_comments_are_nothing() {
        let mut findings = Findings::default();
        let text = "# all\n\nC1.1 a title\nC9.9\n\n# why\nC1.2\n# still the same entry\nmore\n";
        assert_eq!(examples(text, &mut findings), Examples::from([("C1.1", 3), ("C1.2", 7)]));
        assert_eq!(findings.faults, Vec::<String>::new());
    }

    #[test]
    fn bad_entries_are_faults() {
        let mut findings = Findings::default();
        examples("C1.1\n\nC1.1\n\nC16.1\n\nhello\n", &mut findings);
        assert_eq!(findings.faults.len(), 3, "{:?}", findings.faults);
    }

    #[test]
    fn a_good_document_has_no_faults() {
        assert_eq!(faults(GOOD), Vec::<String>::new());
    }

    #[test]
    fn each_fault_of_a_document_is_told() {
        let swapped = GOOD.replace("### C1.", "### C3.").replace("### C2.", "### C1.");
        let cases = [
            (GOOD.replace("### C2.", "### C1."), "C1 has a second heading"),
            (GOOD.replace("### C2.", "### Two."), "`### C2.` is missing"),
            (swapped.replace("### C3.", "### C2."), "C1 is out of order"),
            (GOOD.replace("### C2.", "### W2."), "no clause W2 in this game"),
            (GOOD.replace("C2.1", "C1.1"), "C1.1 is told a second time"),
            (GOOD.replace("C2.1", "C2.7"), "no example C2.7 in"),
            (GOOD.replace("C2.1", "C2.7"), "examples.txt:3: C2.1 is not told in a.md"),
            (GOOD.replace("### C2.", "### Two."), "C2.1 is told outside the section of its clause"),
            (GOOD.replace("```\n<!-- /example -->", "```"), "C1.1 is still open here"),
            (GOOD.replace("One<!-- /example -->", "One"), "C2.1 is still open here"),
            (GOOD.replace("One", "<!-- /example -->"), "no example is open here"),
        ];
        for (text, sentence) in cases {
            let found = faults(&text);
            assert!(found.iter().any(|fault| fault.contains(sentence)), "{sentence}: {found:#?}");
        }
    }

    #[test]
    fn every_clause_of_both_games_wants_an_example() {
        let faults = check(&Tree::of(&[(EXAMPLES, "C1.1\n\nW8.1\n")])).faults;
        assert_eq!(
            faults.iter().filter(|fault| fault.ends_with("has no example.")).count(),
            14 + 7
        );
    }
}
