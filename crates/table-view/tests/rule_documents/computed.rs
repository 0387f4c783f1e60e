//! Examples without play: packs, schedules, score sheets and ends of matches.

use std::fmt::Display;
use std::str::FromStr;

use cards::{BySeat, BySide, Each, Index, Seat, Side, Suit};
use game::cruce::{self, Contract, Penalty};
use game::notation::parse_card;
use game::{Rules, whist};
use phrases::face;
use table_view::deal_score::{DeclarerPromise, SideLine, table};

use super::examples::{Entry, Fields, Given, Step};
use super::page::{Page, Wording};

/// Runs the steps of an example, each of which may fail.
pub fn each_step(
    entry: &Entry,
    mut step: impl FnMut(&Step) -> Result<(), String>,
) -> Result<(), String> {
    entry.steps.iter().try_for_each(|s| step(s).map_err(|fault| format!("{}: {fault}", s.line)))
}

pub fn no_such_step(step: &Step) -> Result<(), String> {
    Err(format!("\"{}\" is no step here", step.word))
}

pub fn run(entry: &Entry) -> Result<Page, String> {
    let at_start = |fault: String| match entry.steps.first() {
        Some(step) => format!("{}: {fault}", step.line - 1),
        None => fault,
    };
    match &entry.given {
        Given::Pack(rules) => pack(entry, rules),
        Given::Schedule(rules) => schedule(entry, rules),
        Given::Sheet(rules, fields) => {
            let sheet = match rules {
                Rules::Cruce(cruce) => cruce_sheet(rules, cruce, fields),
                Rules::Whist(whist) => whist_sheet(rules, whist, fields, has_prizes(entry)),
            };
            run_sheet(entry, rules, sheet.map_err(at_start)?)
        }
        Given::Match(rules, fields) => {
            let score = each(fields, "score", rules.sides()).map_err(at_start)?;
            let sheet = Sheet { score, ..Sheet::empty(rules) };
            run_sheet(entry, rules, sheet)
        }
        Given::Position(_) => Err("a position is played".into()),
    }
}

fn pack(entry: &Entry, rules: &Rules) -> Result<Page, String> {
    let mut page = Page::new(*rules);
    let pack = rules.pack();
    let parse = |text: &str| parse_card(pack, text).map_err(|fault| fault.to_string());
    let mut worth = Vec::new();
    each_step(entry, |step| {
        if step.word != "worth" && !worth.is_empty() {
            let worths = std::mem::take(&mut worth).join(" · ");
            page.sentence(|wording| format!("{} – {worths}", wording.phrases.points_now()));
        }
        match step.word.as_str() {
            "cards" => {
                step.expect_cards(0, pack, pack.cards())?;
                page.block(|wording| {
                    let row = |suit: Suit| wording.hand(String::new(), pack.cards().in_suit(suit));
                    Suit::ALL.map(|suit| wording.pictures(&[row(suit)])).concat()
                });
            }
            "worth" => {
                let card = parse(step.arg(0)?)?;
                let found = cruce::worth(card);
                step.expect(step.arg(1)?, &found.to_string())?;
                worth.push(format!("{} {found}", face(pack, card.rank())));
            }
            "total" => {
                let found: u8 = pack.cards().iter().map(cruce::worth).sum();
                step.expect(step.arg(0)?, &found.to_string())?;
                page.sentence(|wording| wording.phrases.all_worth(wording.phrases.points(found)));
            }
            "beats" => {
                let (strong, weak) = (parse(step.arg(0)?)?, parse(step.arg(1)?)?);
                let found = if strong.beats(weak, None) { "beats" } else { "does not beat" };
                step.expect("beats", found)?;
                page.sentence(|wording| {
                    let name = |card| wording.phrases.the_card(pack, card);
                    wording.phrases.beats(name(strong), name(weak))
                });
            }
            "each" => {
                let found = rules.cards_each(0).unwrap_or_default();
                step.expect(step.arg(0)?, &found.to_string())?;
                page.sentence(|wording| wording.phrases.cards_each(found));
            }
            "stock" => {
                let Rules::Cruce(rules) = rules else { return no_such_step(step) };
                step.expect(step.arg(0)?, &rules.stock().to_string())?;
                page.sentence(|wording| wording.phrases.stock_of(rules.stock()));
            }
            _ => return no_such_step(step),
        }
        Ok(())
    })?;
    Ok(page)
}

fn schedule(entry: &Entry, rules: &Rules) -> Result<Page, String> {
    let mut page = Page::new(*rules);
    let deals: Vec<usize> = (0..).map_while(|deal| rules.cards_each(deal)).take(99).collect();
    each_step(entry, |step| {
        if step.word != "deals" {
            return no_such_step(step);
        }
        let found: Vec<String> = deals.iter().map(ToString::to_string).collect();
        step.expect(&step.rest_text(), &found.join(" "))?;
        // A column for each deal, as high as its number of cards.
        let stair = |height: usize| {
            let cells = deals.iter().map(|cards| if *cards >= height { "█" } else { " " });
            format!("  {}", cells.collect::<Vec<_>>().join(" ")).trim_end().to_string()
        };
        let mut lines: Vec<String> = (1..=8).rev().map(stair).collect();
        lines.push(format!("  {}", found.join(" ")));
        page.block(|_| lines.clone());
        page.sentence(|wording| format!("{}.", wording.phrases.deals_of_match(deals.len())));
        Ok(())
    })?;
    Ok(page)
}

/// The result of a score sheet.
struct Sheet {
    lines: Vec<SideLine>,
    change: BySide<i16>,
    prize: BySide<i16>,
    runs: BySeat<i8>,
    /// After the deal.
    score: BySide<i32>,
    next: Seat,
}

impl Sheet {
    fn empty(rules: &Rules) -> Sheet {
        Sheet {
            lines: Vec::new(),
            change: BySide::filled(0, rules.sides()),
            prize: BySide::filled(0, rules.sides()),
            runs: BySeat::filled(0, rules.players()),
            score: BySide::filled(0, rules.sides()),
            next: Seat::default(),
        }
    }
}

fn cruce_sheet(all: &Rules, rules: &cruce::Rules, fields: &Fields) -> Result<Sheet, String> {
    let before: BySide<i32> = each(fields, "score", rules.sides())?;
    let (change, points, contract) = if fields.contains_key("revoke") {
        let guilty = rules.side_of(seat(fields, "revoke")?);
        let change = BySide::from_fn(rules.sides(), |side| {
            if side == guilty { Penalty::Revoke.change() } else { 0 }
        });
        (change, None, None)
    } else {
        let points: BySide<u8> = each(fields, "points", rules.sides())?;
        let contract = Contract { declarer: seat(fields, "declarer")?, bid: one(fields, "bid")? };
        (cruce::score(rules, contract, &points), Some(points), Some(contract))
    };
    let score = BySide::from_fn(rules.sides(), |side| before[side] + i32::from(change[side]));
    let promise = |side: Side| {
        let contract = contract.filter(|c| rules.side_of(c.declarer) == side)?;
        let promised = cruce::promised_points(contract.bid);
        let kept = u16::from(points?[side]) >= promised;
        Some(DeclarerPromise { bid: contract.bid, points: promised, kept })
    };
    let line = |side: Side| SideLine {
        before: Some(before[side]),
        points: points.map(|points| points[side]),
        promise: promise(side),
        change: Some(change[side]),
        total: Some(score[side]),
        ..SideLine::default()
    };
    let lines = Side::first(rules.sides()).map(line).collect();
    Ok(Sheet { lines, change, score, next: next(all, fields)?, ..Sheet::empty(all) })
}

/// Whether an example checks runs and prizes; other examples do not show them.
fn has_prizes(entry: &Entry) -> bool {
    entry.steps.iter().any(|step| step.word == "prize" || step.word == "runs")
}

fn whist_sheet(
    all: &Rules,
    rules: &whist::Rules,
    fields: &Fields,
    show_prizes: bool,
) -> Result<Sheet, String> {
    let players = rules.players();
    let before: BySide<i32> = each(fields, "score", players)?;
    let (bids, taken) = (each(fields, "bids", players)?, each(fields, "taken", players)?);
    let runs: BySeat<i8> = each(fields, "runs", players)?;
    let whist::WhistScores { change, prize, runs: after } =
        whist::score(rules, one(fields, "cards")?, &bids, &taken, &runs);
    let score = BySide::from_fn(players, |side| {
        before[side] + i32::from(change[side]) + i32::from(prize[side])
    });
    let line = |seat: Seat| {
        let side = all.side_of(seat);
        SideLine {
            before: Some(before[side]),
            bid: Some(bids[seat]),
            took: Some(taken[seat]),
            change: Some(change[side]),
            prize: show_prizes.then_some(prize[side]),
            runs: show_prizes.then_some((runs[seat], after[seat])),
            total: Some(score[side]),
            ..SideLine::default()
        }
    };
    let lines = Seat::first(players).map(line).collect();
    Ok(Sheet { lines, change, prize, runs: after, score, next: next(all, fields)? })
}

fn run_sheet(entry: &Entry, rules: &Rules, sheet: Sheet) -> Result<Page, String> {
    let mut page = Page::new(*rules);
    if sheet.lines.is_empty() {
        page.sentence(|wording| wording.each_side(wording.phrases.score_now(), &sheet.score));
    } else {
        page.block(|wording| sheet_table(wording, &sheet.lines));
    }
    let mut has_winner = false;
    each_step(entry, |step| {
        let expect = |each: String| step.expect(step.arg(0)?, &each);
        match step.word.as_str() {
            "change" => expect(text(&sheet.change))?,
            "prize" => expect(text(&sheet.prize))?,
            "runs" => expect(text(&sheet.runs))?,
            "score" => expect(text(&sheet.score))?,
            "next" => {
                step.expect(step.arg(0)?, &sheet.next.number().to_string())?;
                page.sentence(|wording| {
                    wording.phrases.first_bidder(rules, wording.name(sheet.next))
                });
            }
            "over" => {
                let over = !winners(rules, &sheet.score).is_empty();
                step.expect(step.arg(0)?, if over { "yes" } else { "no" })?;
                if over {
                    add_winners(&mut page, &winners(rules, &sheet.score));
                    has_winner = true;
                } else {
                    page.sentence(|wording| wording.phrases.goes_on());
                }
            }
            "winner" => {
                let won = winners(rules, &sheet.score);
                let found: Vec<String> = won.iter().map(|s| s.number().to_string()).collect();
                step.expect(step.arg(0)?, &found.join("."))?;
                if !has_winner {
                    add_winners(&mut page, &won);
                }
            }
            _ => return no_such_step(step),
        }
        Ok(())
    })?;
    Ok(page)
}

/// The winners with these scores; in whist, if this was the last deal.
fn winners(rules: &Rules, score: &BySide<i32>) -> Vec<Side> {
    match rules {
        Rules::Cruce(rules) => cruce::leader(rules, score).into_iter().collect(),
        Rules::Whist(_) => whist::winners(score).collect(),
    }
}

pub fn add_winners(page: &mut Page, won: &[Side]) {
    page.sentence(|wording| {
        let names: Vec<String> = won.iter().map(|side| wording.side(*side)).collect();
        match won[..] {
            [side] => {
                let seats = Seat::first(wording.rules.players());
                let count = seats.filter(|seat| wording.rules.side_of(*seat) == side).count();
                wording.phrases.won(count, wording.side(side))
            }
            _ => wording.phrases.shared(wording.phrases.list_and(&names)),
        }
    });
}

/// The lines of a sheet, with the names of the sides.
pub fn sheet_table(wording: &Wording, lines: &[SideLine]) -> Vec<String> {
    let named = lines.iter().zip(Side::first(wording.rules.sides())).map(|(line, side)| SideLine {
        name: phrases::layout::capitalised(&wording.side(side)),
        ..line.clone()
    });
    table(&wording.phrases, &named.collect::<Vec<_>>(), "")
}

/// The values, separated by slashes.
pub fn text<I: Index, T: Display>(each: &Each<I, T>) -> String {
    each.iter().map(ToString::to_string).collect::<Vec<_>>().join("/")
}

fn field<'a>(fields: &'a Fields, key: &str) -> Result<&'a str, String> {
    fields.get(key).map(String::as_str).ok_or(format!("{key}= is needed"))
}

fn one<T: FromStr>(fields: &Fields, key: &str) -> Result<T, String> {
    let text = field(fields, key)?;
    text.parse().map_err(|_| format!("{key}={text} is no number"))
}

fn each<I: Index, T: FromStr + Copy + Default>(
    fields: &Fields,
    key: &str,
    count: usize,
) -> Result<Each<I, T>, String> {
    let text = field(fields, key)?;
    let values: Option<Vec<T>> = text.split('/').map(|value| value.parse().ok()).collect();
    let each = values.and_then(|values| Each::from_slice(&values));
    each.filter(|each| each.len() == count).ok_or(format!("{key}={text} needs {count} numbers"))
}

fn seat(fields: &Fields, key: &str) -> Result<Seat, String> {
    let number: usize = one(fields, key)?;
    Seat::from_number(number).ok_or(format!("{key}={number} is no seat"))
}

/// The first bidder of the next deal (C4, W2).
fn next(rules: &Rules, fields: &Fields) -> Result<Seat, String> {
    let first = if fields.contains_key("first") { seat(fields, "first")? } else { Seat::default() };
    Ok(first.next(rules.players()))
}
