//! Reads the lines that users type into a sheet: `1 2 64+20 56`, `bid 1 0 2`, `revoke 3`. English
//! and Romanian words work in both languages.

use anyhow::{Context, Result, anyhow, bail};
use cards::{BySeat, BySide, Seat};
use contest::sheet::{SheetChange, SheetLine};
use game::Rules;
use game::cruce::Contract;
use game::record::Name;
use phrases::Phrases;

/// Reads typed lines under the rules of a sheet; errors are in the language of `phrases`.
pub(super) struct Typed<'a> {
    pub(super) rules: &'a Rules,
    pub(super) phrases: &'a Phrases,
}

/// The English word for a typed word.
fn english(word: &str) -> &str {
    match word {
        "pas" => "passed",
        "greșit" | "gresit" => "misdeal",
        "abatere" => "revoke",
        "joacă" | "joaca" => "declare",
        "spune" => "bid",
        "corectează" | "corecteaza" => "edit",
        "nume" => "rename",
        "înapoi" | "inapoi" => "undo",
        word => word,
    }
}

impl Typed<'_> {
    /// The changes that a line stands for.
    pub(super) fn changes(&self, line: &str) -> Result<Vec<SheetChange>> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (first, rest) =
            words.split_first().map_or(("", &[][..]), |(first, rest)| (english(first), rest));
        match (first, rest) {
            ("undo", []) => Ok(vec![SheetChange::Undo]),
            ("bid", bids) => {
                bids.iter().map(|bid| Ok(SheetChange::Bid(self.number(bid)?))).collect()
            }
            ("declare", [seat, bid]) => Ok(vec![SheetChange::Declare(self.contract(seat, bid)?)]),
            ("edit", [at, line @ ..]) => Ok(vec![self.edit(usize::from(self.number(at)?), line)?]),
            ("rename", [seat, name @ ..]) => Ok(vec![SheetChange::Rename {
                seat: self.seat(seat)?,
                name: Name::new(&name.join(" "))?,
            }]),
            _ => Ok(vec![SheetChange::Write(self.line(&words)?)]),
        }
    }

    /// The change that replaces line `number`, counted from 1.
    pub(super) fn edit(&self, number: usize, line: &[&str]) -> Result<SheetChange> {
        let at = number.checked_sub(1).ok_or_else(|| anyhow!(self.phrases.typed_from_one()))?;
        Ok(SheetChange::Edit { line: at, to: self.line(line)? })
    }

    /// The line of the sheet that the words stand for.
    pub(super) fn line(&self, words: &[&str]) -> Result<SheetLine> {
        let (first, rest) = words.split_first().context(self.no_line())?;
        match (english(first), rest) {
            ("passed", []) => return Ok(SheetLine::AllPassed),
            ("misdeal", []) => return Ok(SheetLine::Misdeal),
            ("revoke", [seat]) => return Ok(SheetLine::Revoke { seat: self.seat(seat)? }),
            _ => {}
        }
        match (self.rules, rest) {
            (Rules::Cruce(_), [bid, points @ ..]) => {
                let contract = self.contract(first, bid)?;
                let (mut cards, mut calls) = (Vec::new(), Vec::new());
                for word in points {
                    let (of_cards, of_calls) = word.split_once('+').unwrap_or((word, "0"));
                    cards.push(self.number(of_cards)?);
                    calls.push(self.number(of_calls)?);
                }
                let each =
                    |points: &[u8]| BySide::from_slice(points).with_context(|| self.no_line());
                Ok(SheetLine::Cruce { contract, cards: each(&cards)?, calls: each(&calls)? })
            }
            (Rules::Whist(_), _) => {
                let (mut bids, mut tricks) = (Vec::new(), Vec::new());
                for word in words {
                    let (bid, took) = word.split_once('/').with_context(|| self.no_line())?;
                    bids.push(self.number(bid)?);
                    tricks.push(self.number(took)?);
                }
                let each =
                    |numbers: &[u8]| BySeat::from_slice(numbers).with_context(|| self.no_line());
                Ok(SheetLine::Whist { bids: each(&bids)?, tricks: each(&tricks)? })
            }
            _ => bail!(self.no_line()),
        }
    }

    fn no_line(&self) -> String {
        let game = if let Rules::Whist(_) = self.rules { "whist" } else { "cruce" };
        self.phrases.typed_no_line(game)
    }

    fn contract(&self, seat: &str, bid: &str) -> Result<Contract> {
        Ok(Contract { declarer: self.seat(seat)?, bid: self.number(bid)? })
    }

    fn seat(&self, word: &str) -> Result<Seat> {
        seat(self.number(word)?.into(), self.phrases)
    }

    fn number(&self, word: &str) -> Result<u8> {
        word.parse().map_err(|_| anyhow!(self.phrases.typed_no_number(word)))
    }
}

/// The seat with a number, counted from 1.
pub(super) fn seat(number: usize, phrases: &Phrases) -> Result<Seat> {
    let seat = Seat::from_number(number);
    seat.ok_or_else(|| anyhow!(phrases.typed_no_seat(number)))
}

#[cfg(test)]
mod tests {
    use phrases::Language;

    use super::*;

    fn read(code: &str, language: Language, line: &str) -> Result<Vec<SheetChange>> {
        let (rules, phrases) = (Rules::from_code(code)?, Phrases::new(language));
        Typed { rules: &rules, phrases: &phrases }.changes(line)
    }

    #[test]
    fn both_languages_give_the_same_changes() {
        for (english, romanian) in [
            ("passed", "pas"),
            ("misdeal", "gresit"),
            ("revoke 3", "abatere 3"),
            ("declare 1 2", "joacă 1 2"),
            ("edit 2 passed", "corectează 2 pas"),
            ("rename 2 Ana Maria", "nume 2 Ana Maria"),
            ("undo", "înapoi"),
        ] {
            let expected = read("cruce4t-21", Language::English, english).expect(english);
            assert_eq!(read("cruce4t-21", Language::Romanian, romanian).expect(romanian), expected);
        }
        let bids = vec![SheetChange::Bid(1), SheetChange::Bid(0)];
        assert_eq!(read("whist3", Language::Romanian, "spune 1 0").expect("bids"), bids);
    }

    #[test]
    fn errors_are_in_the_language_of_the_sheet() {
        for (code, line, expected) in [
            ("cruce4t-21", "1", "Un rând de cruce e"),
            ("cruce4t-21", "1 2 multe 56", "„multe” nu e un număr"),
            ("cruce4t-21", "abatere 7", "Nu există locul 7"),
            ("cruce4t-21", "corectează 0 pas", "Rândurile se numără de la 1"),
            ("whist3", "1 0 2", "Un rând de whist e"),
        ] {
            let error = read(code, Language::Romanian, line).expect_err(line).to_string();
            assert!(error.starts_with(expected), "{line}: {error}");
        }
    }
}
