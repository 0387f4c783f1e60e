//! Records as text, one fact per line.

use core::fmt;
use core::str::FromStr;

use arrayvec::ArrayVec;
use cards::{BySeat, BySide, Index, Side};

use super::{DealEnd, DealRecord, Record, RecordedMove};
use crate::deal::Deal;
use crate::event::{DealScore, ThrownIn};
use crate::fair::Word;
use crate::notation::{
    NotationFault, Text, card, card_text, each_text, hands_text, list_text, parse_hands, stock,
};
use crate::rules::Rules;

/// The first line of every record.
const HEADER: &str = "ghinda-record 1";
/// More moves than any deal can have: cards, challenges and acceptances.
pub const MAX_MOVES: usize = 80;
/// More deals than any real match has.
pub const MAX_DEALS: usize = 100_000;
/// The points of all cards and all calls.
pub const MAX_POINTS: u8 = 220;
/// More than the absolute value of any score.
pub const MAX_TOTAL: u32 = 99_999_999;

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}\nrules {}\ntable {}", self.rules, self.table)?;
        for (at, name) in self.names.iter().enumerate() {
            if let Some(name) = name {
                writeln!(f, "name {} {name}", at + 1)?;
            }
        }
        writeln!(f, "commitment {}", self.commitment)?;
        for (seat, word) in self.words.entries() {
            if let Some(word) = word {
                writeln!(f, "word {} {word}", seat.number())?;
            }
        }
        if let Some(secret) = &self.secret {
            writeln!(f, "secret {}", secret.reveal())?;
        }
        for (at, deal) in self.deals.iter().enumerate() {
            write_deal(f, &self.rules, at + 1, deal)?;
        }
        match &self.won {
            Some(sides) => {
                let won = sides.entries().filter(|(_, won)| **won);
                let sides: Vec<String> = won.map(|(side, _)| side.number().to_string()).collect();
                writeln!(f, "won {}", sides.join(" "))
            }
            None => writeln!(f, "unfinished"),
        }
    }
}

fn write_deal(
    f: &mut fmt::Formatter<'_>,
    rules: &Rules,
    number: usize,
    record: &DealRecord,
) -> fmt::Result {
    let (pack, deal) = (rules.pack(), &record.deal);
    writeln!(f, "deal {number} first {}", record.first.number())?;
    writeln!(f, "hands {}", hands_text(pack, &deal.hands, &deal.opening))?;
    if !deal.stock.is_empty() {
        writeln!(f, "stock {}", list_text(pack, &deal.stock))?;
    }
    if let Some(turned) = deal.turned {
        writeln!(f, "turned {}", card_text(pack, turned))?;
    }
    if !record.bids.is_empty() {
        let bids: Vec<String> = record.bids.iter().map(ToString::to_string).collect();
        writeln!(f, "bids {}", bids.join(" "))?;
    }
    let mut laid = 0;
    for (at, what) in record.moves.iter().enumerate() {
        // One line per trick; what follows the last card is on its own line.
        let starts = at == 0
            || (laid % rules.players() == 0
                && matches!(record.moves[at - 1], RecordedMove::Play { .. }));
        f.write_str(if !starts {
            " "
        } else if at == 0 {
            "play "
        } else {
            "\nplay "
        })?;
        f.write_str(&what.text(rules))?;
        laid += usize::from(matches!(what, RecordedMove::Play { .. }));
    }
    if !record.moves.is_empty() {
        writeln!(f)?;
    }
    let signed = |each: &BySide<i16>| each_text(each, i16::to_string);
    match &record.end {
        DealEnd::Open => Ok(()),
        DealEnd::Scored { score, total } => {
            let points = each_text(&score.points, u8::to_string);
            write!(f, "scored points {points} change {}", signed(&score.change))?;
            if matches!(rules, Rules::Whist(_)) {
                write!(f, " prize {}", signed(&score.prize))?;
            }
            writeln!(f, " total {}", each_text(total, i32::to_string))
        }
        DealEnd::ThrownIn { why, change, total } => {
            match why {
                ThrownIn::AllPassed => write!(f, "thrown-in all-passed")?,
                ThrownIn::Revoke { seat } => write!(f, "thrown-in revoke {}", seat.number())?,
            }
            let total = each_text(total, i32::to_string);
            writeln!(f, " change {} total {total}", signed(change))
        }
    }
}

impl RecordedMove {
    /// The move as it is written in a record.
    pub fn text(&self, rules: &Rules) -> String {
        match *self {
            RecordedMove::Play { card, call } => {
                format!("{}{}", card_text(rules.pack(), card), if call { "!" } else { "" })
            }
            RecordedMove::Challenge { by, trick, accused, upheld } => {
                let mark = if upheld { '+' } else { '-' };
                format!("?{}:{}:{}{mark}", by.number(), trick + 1, accused.number())
            }
            RecordedMove::Accept { seat } => format!("ok{}", seat.number()),
        }
    }

    /// Parses a move as it is written in a record.
    pub fn parse(rules: &Rules, text: &str) -> Result<RecordedMove, NotationFault> {
        parse_move(rules, Text::new(text, 1))
    }
}

impl FromStr for Record {
    type Err = NotationFault;

    fn from_str(text: &str) -> Result<Record, NotationFault> {
        let mut lines = RecordLines::new(text);
        let record = record(&mut lines)?;
        match lines.next() {
            Some(more) => Err(more.expected("nothing after the end of the record")),
            None => Ok(record),
        }
    }
}

/// All records of a text, one after the other; at least one.
pub fn parse_all(text: &str) -> Result<Vec<Record>, NotationFault> {
    let mut lines = RecordLines::new(text);
    let mut records = vec![record(&mut lines)?];
    while lines.peek().is_some() {
        records.push(record(&mut lines)?);
    }
    Ok(records)
}

/// The lines of a record without empty lines and comments.
struct RecordLines<'a> {
    lines: core::iter::Peekable<Box<dyn Iterator<Item = Text<'a>> + 'a>>,
    end: Text<'a>,
}

impl<'a> RecordLines<'a> {
    fn new(text: &'a str) -> RecordLines<'a> {
        let end = Text::new("", text.lines().count() + 1);
        let lines = text.lines().enumerate().map(|(at, line)| Text::new(line.trim_end(), at + 1));
        let facts = lines.filter(|line| !line.is_empty() && !line.rest.starts_with('#'));
        let boxed: Box<dyn Iterator<Item = Text<'a>> + 'a> = Box::new(facts);
        RecordLines { lines: boxed.peekable(), end }
    }

    fn peek(&mut self) -> Option<Text<'a>> {
        self.lines.peek().copied()
    }

    fn next(&mut self) -> Option<Text<'a>> {
        self.lines.next()
    }

    /// What follows the keyword, if the next line begins with it.
    fn take(&mut self, keyword: &str) -> Option<Text<'a>> {
        let mut line = self.peek()?;
        let word = line.split(' ');
        (word.rest == keyword).then(|| {
            self.next();
            line
        })
    }

    /// What follows the keyword with which the next line must begin.
    fn need(&mut self, keyword: &str) -> Result<Text<'a>, NotationFault> {
        let here = self.peek().unwrap_or(self.end);
        self.take(keyword).ok_or_else(|| here.expected(format!("a line \"{keyword} …\"")))
    }
}

fn record(lines: &mut RecordLines<'_>) -> Result<Record, NotationFault> {
    let version = lines.need("ghinda-record")?;
    if version.rest != "1" {
        return Err(version.expected("version 1"));
    }
    let rules = lines.need("rules")?.rules()?;
    let table_at = lines.need("table")?;
    let table: Word = table_at.rest.parse().map_err(|e| table_at.expected(format!("{e}")))?;
    let mut names = vec![None; rules.players()];
    while let Some(mut text) = lines.take("name") {
        let seat_at = text.split(' ');
        let slot = &mut names[seat_at.seat(&rules)?.index()];
        if slot.is_some() {
            return Err(seat_at.expected("a seat that has no name yet"));
        }
        *slot = Some(text.rest.parse().map_err(|e| text.expected(format!("{e}")))?);
    }
    let commitment_at = lines.need("commitment")?;
    let commitment =
        commitment_at.rest.parse().map_err(|e| commitment_at.expected(format!("{e}")))?;
    let mut words = BySeat::filled(None, rules.players());
    while let Some(mut text) = lines.take("word") {
        let seat_at = text.split(' ');
        let slot = &mut words[seat_at.seat(&rules)?];
        if slot.is_some() {
            return Err(seat_at.expected("a seat that has no word yet"));
        }
        *slot = Some(text.rest.parse().map_err(|e| text.expected(format!("{e}")))?);
    }
    let secret = match lines.take("secret") {
        Some(text) => Some(text.rest.parse().map_err(|e| text.expected(format!("{e}")))?),
        None => None,
    };
    let mut deals: Vec<DealRecord> = Vec::new();
    while let Some(text) = lines.take("deal") {
        deals.push(deal(lines, &rules, text, deals.len())?);
    }
    let won = match lines.take("won") {
        Some(text) => Some(winners(&rules, text)?),
        None => {
            let here = lines.peek().unwrap_or(lines.end);
            let text = lines
                .take("unfinished")
                .ok_or_else(|| here.expected("a line \"deal …\", \"won …\" or \"unfinished\""))?;
            text.end("nothing after \"unfinished\"")?;
            None
        }
    };
    Ok(Record { rules, table, names, commitment, words, secret, deals, won })
}

fn winners(rules: &Rules, text: Text<'_>) -> Result<BySide<bool>, NotationFault> {
    let mut sides = BySide::filled(false, rules.sides());
    for word in text.words() {
        let number = word.number(rules.sides() as u32)?;
        let side = (number as usize).checked_sub(1).and_then(Side::new);
        match side {
            Some(side) if !sides[side] => sides[side] = true,
            _ => return Err(word.expected("a side, once")),
        }
    }
    if sides.iter().any(|won| *won) { Ok(sides) } else { Err(text.expected("the side that won")) }
}

fn deal(
    lines: &mut RecordLines<'_>,
    rules: &Rules,
    head: Text<'_>,
    before: usize,
) -> Result<DealRecord, NotationFault> {
    let pack = rules.pack();
    let mut words = head.words();
    let number_at = words.next().unwrap_or(head);
    if number_at.number(MAX_DEALS as u32)? as usize != before + 1 {
        return Err(number_at.expected(format!("deal {}", before + 1)));
    }
    match words.next() {
        Some(word) if word.rest == "first" => {}
        other => return Err(other.unwrap_or(head).expected("the word \"first\"")),
    }
    let first = words.next().unwrap_or(head).seat(rules)?;
    if let Some(more) = words.next() {
        return Err(more.expected("nothing after the first seat"));
    }
    let (hands, opening) = parse_hands(rules, lines.need("hands")?)?;
    let stock = lines.take("stock").map_or(Ok(ArrayVec::new()), |text| stock(pack, text))?;
    let turned = lines.take("turned").map(|text| card(pack, text)).transpose()?;
    let mut bids = Vec::new();
    if let Some(text) = lines.take("bids") {
        for word in text.words() {
            if bids.len() == rules.players() {
                return Err(word.expected("no more bids than players"));
            }
            bids.push(word.number(8)? as u8);
        }
    }
    let mut moves = Vec::new();
    while let Some(text) = lines.take("play") {
        for word in text.words() {
            if moves.len() == MAX_MOVES {
                return Err(word.expected("the end of this deal"));
            }
            moves.push(parse_move(rules, word)?);
        }
    }
    let end = end(lines, rules)?;
    Ok(DealRecord { first, deal: Deal { hands, opening, stock, turned }, bids, moves, end })
}

fn parse_move(rules: &Rules, word: Text<'_>) -> Result<RecordedMove, NotationFault> {
    let mut text = word;
    if text.eat('?') {
        let upheld = match text.rest.chars().last() {
            Some('+') => true,
            Some('-') => false,
            _ => return Err(word.expected("+ or - at the end of a challenge")),
        };
        text.rest = &text.rest[..text.rest.len() - 1];
        let by = text.split(':').seat(rules)?;
        let trick_at = text.split(':');
        let trick = trick_at.number(12)?.checked_sub(1);
        let trick = trick.ok_or_else(|| trick_at.expected("a trick from 1 on"))? as u8;
        let accused = text.seat(rules)?;
        return Ok(RecordedMove::Challenge { by, trick, accused, upheld });
    }
    if let Some(seat) = word.rest.strip_prefix("ok") {
        let seat = Text { rest: seat, column: word.column + 2, ..word }.seat(rules)?;
        return Ok(RecordedMove::Accept { seat });
    }
    let call = word.rest.ends_with('!');
    text.rest = word.rest.strip_suffix('!').unwrap_or(word.rest);
    Ok(RecordedMove::Play { card: card(rules.pack(), text)?, call })
}

fn end(lines: &mut RecordLines<'_>, rules: &Rules) -> Result<DealEnd, NotationFault> {
    if let Some(text) = lines.take("scored") {
        let mut words = LabelledWords { words: Box::new(text.words()), end: text };
        let points = words
            .each("points", rules.sides(), |text| Ok(text.number(MAX_POINTS.into())? as u8))?;
        let change = words.each("change", rules.sides(), small)?;
        let prize = match rules {
            Rules::Whist(_) => words.each("prize", rules.sides(), small)?,
            Rules::Cruce(_) => BySide::filled(0, rules.sides()),
        };
        let total = words.each("total", rules.sides(), |text| text.signed())?;
        words.end()?;
        return Ok(DealEnd::Scored { score: DealScore { points, change, prize }, total });
    }
    if let Some(text) = lines.take("thrown-in") {
        let mut words = LabelledWords { words: Box::new(text.words()), end: text };
        let why_at = words.next("all-passed or revoke")?;
        let why = match why_at.rest {
            "all-passed" => ThrownIn::AllPassed,
            "revoke" => ThrownIn::Revoke { seat: words.next("a seat")?.seat(rules)? },
            _ => return Err(why_at.expected("all-passed or revoke")),
        };
        let change = words.each("change", rules.sides(), small)?;
        let total = words.each("total", rules.sides(), |text| text.signed())?;
        words.end()?;
        return Ok(DealEnd::ThrownIn { why, change, total });
    }
    Ok(DealEnd::Open)
}

fn small(text: Text<'_>) -> Result<i16, NotationFault> {
    i16::try_from(text.signed()?).map_err(|_| text.expected("a smaller number"))
}

/// The words of a line with labels.
struct LabelledWords<'a> {
    words: Box<dyn Iterator<Item = Text<'a>> + 'a>,
    end: Text<'a>,
}

impl<'a> LabelledWords<'a> {
    fn next(&mut self, expected: &str) -> Result<Text<'a>, NotationFault> {
        self.words.next().ok_or_else(|| self.end.expected(expected))
    }

    fn each<I: Index, T: Copy + Default>(
        &mut self,
        label: &str,
        count: usize,
        value: impl FnMut(Text<'a>) -> Result<T, NotationFault>,
    ) -> Result<cards::Each<I, T>, NotationFault> {
        let word = self.next(label)?;
        if word.rest != label {
            return Err(word.expected(format!("\"{label}\"")));
        }
        self.next(label)?.each(count, "numbers", value)
    }

    fn end(&mut self) -> Result<(), NotationFault> {
        self.words.next().map_or(Ok(()), |more| Err(more.expected("nothing more")))
    }
}
