//! Match records as JSON lines: a header, a line for each deal, and the end.
//!
//! They contain exactly what the text form contains, with the same notation of
//! cards; `docs/notation.md` has the schema.

use cards::{BySeat, BySide, Each, Index, Seat, Side};
use game::Rules;
use game::deal::Deal;
use game::event::{DealScore, ThrownIn};
use game::notation::{card_text, hands_text, parse_all_hands, parse_card};
use game::record::{
    DealEnd, DealRecord, MAX_DEALS, MAX_MOVES, MAX_POINTS, MAX_TOTAL, Record, RecordedMove,
};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::lines::{LineResult, check_version, error_text, line, line_fault, numbered, read};

/// The version of the format.
const VERSION: u32 = 1;

/// An error in JSON lines, with its position.
#[derive(Debug, Error)]
#[error("line {line}, column {column}: {what}")]
pub struct LineFault {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub what: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordHeader {
    ghinda_record: u32,
    rules: String,
    table: String,
    names: Vec<Option<String>>,
    commitment: String,
    words: Vec<Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordDeal {
    deal: usize,
    first: usize,
    hands: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    stock: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turned: Option<String>,
    bids: Vec<u8>,
    moves: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scored: Option<ScoredPart>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    thrown_in: Option<ThrownInPart>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScoredPart {
    points: Vec<u8>,
    change: Vec<i16>,
    prize: Vec<i16>,
    total: Vec<i32>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ThrownInPart {
    /// The seat whose card was rightly challenged; None if every player passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    revoke: Option<usize>,
    change: Vec<i16>,
    total: Vec<i32>,
}

/// Distinguishes a deal from the last line, in any order of the keys.
#[derive(Deserialize)]
struct LineTag {
    deal: Option<IgnoredAny>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordEnding {
    /// The sides that won, counted from 1; None while the match is not over.
    won: Option<Vec<usize>>,
}

/// A record as JSON lines.
pub fn to_lines(record: &Record) -> String {
    let header = RecordHeader {
        ghinda_record: VERSION,
        rules: record.rules.code(),
        table: record.table.to_string(),
        names: record.names.iter().map(|name| name.as_ref().map(ToString::to_string)).collect(),
        commitment: record.commitment.to_string(),
        words: record.words.iter().map(|word| word.map(|word| word.to_string())).collect(),
        secret: record.secret.map(|secret| secret.reveal()),
    };
    let mut text = line(&header);
    for (at, deal) in record.deals.iter().enumerate() {
        text.push_str(&line(&deal_line(&record.rules, at + 1, deal)));
    }
    let won = record.won.map(|sides| {
        let won = sides.entries().filter(|(_, won)| **won);
        won.map(|(side, _)| side.number()).collect()
    });
    text.push_str(&line(&RecordEnding { won }));
    text
}

fn deal_line(rules: &Rules, number: usize, record: &DealRecord) -> RecordDeal {
    let (pack, deal) = (rules.pack(), &record.deal);
    let hands = hands_text(pack, &deal.hands, &deal.opening);
    let (scored, thrown_in) = match &record.end {
        DealEnd::Open => (None, None),
        DealEnd::Scored { score, total } => {
            let part = ScoredPart {
                points: score.points.as_slice().to_vec(),
                change: score.change.as_slice().to_vec(),
                prize: score.prize.as_slice().to_vec(),
                total: total.as_slice().to_vec(),
            };
            (Some(part), None)
        }
        DealEnd::ThrownIn { why, change, total } => {
            let revoke = match why {
                ThrownIn::AllPassed => None,
                ThrownIn::Revoke { seat } => Some(seat.number()),
            };
            let (change, total) = (change.as_slice().to_vec(), total.as_slice().to_vec());
            (None, Some(ThrownInPart { revoke, change, total }))
        }
    };
    RecordDeal {
        deal: number,
        first: record.first.number(),
        hands: hands.split('/').map(str::to_owned).collect(),
        stock: deal.stock.iter().map(|card| card_text(pack, *card)).collect(),
        turned: deal.turned.map(|card| card_text(pack, card)),
        bids: record.bids.clone(),
        moves: record.moves.iter().map(|recorded| recorded.text(rules)).collect(),
        scored,
        thrown_in,
    }
}

/// Whether a text looks like JSON lines rather than the text form.
pub fn looks_like_lines(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// Reads all records from JSON lines; at least one.
pub fn from_lines(text: &str) -> Result<Vec<Record>, LineFault> {
    let mut lines = numbered(text).peekable();
    let end = text.lines().count() + 1;
    let mut records = Vec::new();
    loop {
        records.push(one_record(&mut lines, end)?);
        if lines.peek().is_none() {
            return Ok(records);
        }
    }
}

fn one_record<'a>(
    lines: &mut std::iter::Peekable<impl Iterator<Item = (usize, &'a str)>>,
    end: usize,
) -> Result<Record, LineFault> {
    let missing = |what: &str| line_fault(end, format!("expected {what}"));
    let (at, first) = lines.next().ok_or_else(|| missing("the header of a record"))?;
    let mut record = header(read(at, first)?).map_err(|what| line_fault(at, what))?;
    loop {
        let (at, text) = lines.next().ok_or_else(|| missing("a deal, or {\"won\":…}"))?;
        let wrong = |what: String| line_fault(at, what);
        if read::<LineTag>(at, text)?.deal.is_some() {
            let number = record.deals.len() + 1;
            let deal = read::<RecordDeal>(at, text)?;
            if deal.deal != number || number > MAX_DEALS {
                return Err(wrong(format!("expected deal {number}, found deal {}", deal.deal)));
            }
            record.deals.push(deal_record(&record.rules, deal).map_err(wrong)?);
        } else {
            record.won = won(&record.rules, read(at, text)?).map_err(wrong)?;
            return Ok(record);
        }
    }
}

/// Describes a fault in the value of a key.
fn value_fault(key: &str, fault: &game::notation::NotationFault) -> String {
    format!("{key}: {}", fault.what)
}

fn header(header: RecordHeader) -> LineResult<Record> {
    check_version(header.ghinda_record, VERSION)?;
    let rules = Rules::from_code(&header.rules).map_err(error_text)?;
    let players = rules.players();
    if header.names.len() != players || header.words.len() != players {
        return Err(format!("expected {players} names and {players} words (or null)"));
    }
    let table = header.table.parse().map_err(error_text)?;
    let commitment = header.commitment.parse().map_err(error_text)?;
    let mut words = BySeat::filled(None, players);
    for (seat, word) in Seat::first(players).zip(header.words) {
        words[seat] = word.map(|word| word.parse()).transpose().map_err(error_text)?;
    }
    let mut record = Record::new(rules, table, commitment, words);
    for (slot, name) in record.names.iter_mut().zip(header.names) {
        *slot = name.map(|name| name.parse()).transpose().map_err(error_text)?;
    }
    record.secret = header.secret.map(|secret| secret.parse()).transpose().map_err(error_text)?;
    Ok(record)
}

fn seat(rules: &Rules, number: usize) -> LineResult<Seat> {
    let seat = Seat::from_number(number);
    let at_table = seat.filter(|seat| seat.index() < rules.players());
    at_table.ok_or_else(|| format!("expected a seat from 1 to {}, found {number}", rules.players()))
}

fn each<I: Index, T: Copy + Default>(count: usize, values: &[T]) -> LineResult<Each<I, T>> {
    let each = Each::from_slice(values).filter(|each| each.len() == count);
    each.ok_or_else(|| format!("expected {count} numbers, found {}", values.len()))
}

/// Checks the limits of the text form, so that each form can hold every record of the other.
fn check_bounds(rules: &Rules, line: &RecordDeal) -> LineResult<()> {
    if line.bids.len() > rules.players() || line.bids.iter().any(|bid| *bid > 8) {
        return Err("expected at most one bid a player, from 0 to 8".into());
    }
    if line.moves.len() > MAX_MOVES {
        return Err(format!("expected at most {MAX_MOVES} moves, found {}", line.moves.len()));
    }
    if let Some(part) = &line.scored {
        let prizes = matches!(rules, Rules::Whist(_));
        if part.points.iter().any(|points| *points > MAX_POINTS) {
            return Err(format!("expected at most {MAX_POINTS} points"));
        }
        if !prizes && part.prize.iter().any(|prize| *prize != 0) {
            return Err("expected no prize in Cruce".into());
        }
    }
    let total = line.scored.as_ref().map(|part| &part.total);
    let total = total.or(line.thrown_in.as_ref().map(|part| &part.total));
    if total.is_some_and(|total| total.iter().any(|total| total.unsigned_abs() > MAX_TOTAL)) {
        return Err(format!("expected totals from -{MAX_TOTAL} to {MAX_TOTAL}"));
    }
    Ok(())
}

fn deal_record(rules: &Rules, line: RecordDeal) -> LineResult<DealRecord> {
    check_bounds(rules, &line)?;
    let pack = rules.pack();
    if line.hands.len() != rules.players() || line.hands.iter().any(|hand| hand.contains('/')) {
        return Err(format!("hands: expected {} hands", rules.players()));
    }
    let (hands, opening) = parse_all_hands(rules, &line.hands.join("/"))
        .map_err(|fault| value_fault("hands", &fault))?;
    if line.stock.len() > 8 {
        return Err(format!("expected a stock of at most 8 cards, found {}", line.stock.len()));
    }
    let card =
        |key, text: &String| parse_card(pack, text).map_err(|fault| value_fault(key, &fault));
    let stock: LineResult<_> = line.stock.iter().map(|text| card("stock", text)).collect();
    let turned = line.turned.map(|text| card("turned", &text)).transpose()?;
    let parse_move = |text: &String| {
        RecordedMove::parse(rules, text).map_err(|fault| value_fault("moves", &fault))
    };
    let moves: LineResult<_> = line.moves.iter().map(parse_move).collect();
    let sides = rules.sides();
    let end = match (line.scored, line.thrown_in) {
        (None, None) => DealEnd::Open,
        (Some(part), None) => DealEnd::Scored {
            score: DealScore {
                points: each(sides, &part.points)?,
                change: each(sides, &part.change)?,
                prize: each(sides, &part.prize)?,
            },
            total: each(sides, &part.total)?,
        },
        (None, Some(part)) => DealEnd::ThrownIn {
            why: match part.revoke {
                None => ThrownIn::AllPassed,
                Some(number) => ThrownIn::Revoke { seat: seat(rules, number)? },
            },
            change: each(sides, &part.change)?,
            total: each(sides, &part.total)?,
        },
        (Some(_), Some(_)) => return Err("expected either scored or thrown_in".into()),
    };
    Ok(DealRecord {
        first: seat(rules, line.first)?,
        deal: Deal { hands, opening, stock: stock?, turned },
        bids: line.bids,
        moves: moves?,
        end,
    })
}

fn won(rules: &Rules, ending: RecordEnding) -> LineResult<Option<BySide<bool>>> {
    let Some(numbers) = ending.won else { return Ok(None) };
    if numbers.is_empty() {
        return Err("expected the side that won, or null".into());
    }
    let mut sides = BySide::filled(false, rules.sides());
    for number in numbers {
        let side = Side::from_number(number);
        match side.filter(|side| side.index() < rules.sides()) {
            Some(side) if !sides[side] => sides[side] = true,
            _ => return Err(format!("expected a side from 1 to {}, once", rules.sides())),
        }
    }
    Ok(Some(sides))
}
