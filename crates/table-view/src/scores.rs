//! The score sheet of a match: a row for each deal, a column for each side, and sentences that explain
//! the scores of a deal.

use cards::{Seat, Side};
use game::Rules;
use game::cruce::promised_points;
use wire::table::PlayedDealText;

use phrases::layout::{Columns, shortened, signed, total};
use phrases::text_rows::SHORT_NAME;
use phrases::{Phrases, game_word};
use replica::table::TableReplica;

use crate::participants;

/// The score sheet of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scores {
    /// The names of the sides.
    pub columns: Vec<String>,
    /// The deals, in order.
    pub rows: Vec<ScoreRow>,
    /// The explanation of the numbers in a cell.
    pub legend: String,
    /// The word that identifies the game in messages.
    pub game: &'static str,
}

/// The row of a deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoreRow {
    /// Its number, counted from 1.
    pub number: usize,
    /// The number of cards of each player, if it differs from deal to deal.
    pub cards: Option<usize>,
    /// A cell for each side.
    pub cells: Vec<ScoreCell>,
    /// The explanation of the scores: a sentence for each side.
    pub explanation: Vec<String>,
}

/// The result of a deal for a side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoreCell {
    /// The bid.
    pub bid: Option<u8>,
    /// Points in Cruce, tricks in whist; None if the deal was thrown in.
    pub made: Option<u8>,
    /// The result compared with the promise: `60 of 99`, in whist `1/2`.
    pub text: String,
    /// Whether the promise was kept; None if there was none.
    pub kept: Option<bool>,
    /// The change of the score.
    pub change: i32,
    /// The additional prize (W7).
    pub prize: i32,
    /// The score after it.
    pub total: i32,
}

impl Scores {
    /// The score sheet so far, from what a client knows; empty before a match.
    pub fn so_far(replica: &TableReplica, phrases: &Phrases) -> Scores {
        let Some((state, view)) = replica.state().zip(replica.view()) else {
            return Scores::default();
        };
        let names = participants::names(state, phrases);
        Scores::new(view.public().rules(), &names, &state.deals, phrases)
    }

    /// The score sheet of these deals. The names are in the order of the seats.
    pub fn new(
        rules: &Rules,
        names: &[String],
        deals: &[PlayedDealText],
        phrases: &Phrases,
    ) -> Scores {
        let columns: Vec<String> =
            Side::first(rules.sides()).map(|side| side_name(rules, names, side)).collect();
        let mut totals = vec![0; columns.len()];
        let row = |(at, deal): (usize, &PlayedDealText)| {
            let cells: Vec<ScoreCell> = Side::first(rules.sides())
                .map(|side| cell(rules, deal, side, &mut totals[side.index()], phrases))
                .collect();
            let explanation = explain(rules, deal, &cells, &columns, names, phrases);
            let cards = match rules {
                Rules::Cruce(_) => None,
                Rules::Whist(whist) => whist.cards_each(at),
            };
            ScoreRow { number: at + 1, cards, cells, explanation }
        };
        let rows = deals.iter().enumerate().map(row).collect();
        let game = game_word(rules);
        Scores { columns, rows, legend: phrases.sheet_legend(game), game }
    }
}

impl Scores {
    /// The winner of a finished match, or the sides that share the victory, in a sentence.
    pub fn winner(&self, phrases: &Phrases) -> String {
        let totals: Vec<i32> = match self.rows.last() {
            Some(row) => row.cells.iter().map(|cell| cell.total).collect(),
            None => return String::new(),
        };
        let best = totals.iter().max().copied().unwrap_or_default();
        let sides = self.columns.iter().zip(&totals).filter(|(_, total)| **total == best);
        let won: Vec<String> = sides.map(|(name, _)| name.clone()).collect();
        match &won[..] {
            [one] => phrases.won(one.split(" & ").count(), one.as_str()),
            several => phrases.shared(phrases.list_and(several)),
        }
    }

    /// The sheet as columns of text: a row for each deal, and the totals.
    pub fn grid(&self, phrases: &Phrases) -> Columns {
        let mut grid = Columns::new(&format!(">{}", ">".repeat(self.columns.len())));
        let names = self.columns.iter().map(|name| {
            let parts = name.split(" & ").map(|part| shortened(part, SHORT_NAME));
            parts.collect::<Vec<_>>().join(" & ")
        });
        grid.row(std::iter::once(phrases.column_deal(self.game)).chain(names));
        for row in &self.rows {
            let cells = row.cells.iter().map(|cell| {
                let prize = if cell.prize == 0 { String::new() } else { signed(cell.prize) };
                let change = signed(cell.change);
                let parts = [cell.text.as_str(), change.as_str(), prize.as_str()];
                let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
                format!("{}  {:>4}", parts.join(" "), total(cell.total))
            });
            let number = match row.cards {
                Some(cards) => format!("{} ({cards})", row.number),
                None => row.number.to_string(),
            };
            grid.row(std::iter::once(number).chain(cells));
        }
        grid
    }
}

/// The name of a side: `Ana & Călin`.
pub fn side_name(rules: &Rules, names: &[String], side: Side) -> String {
    let players = Seat::first(rules.players()).filter(|seat| rules.side_of(*seat) == side);
    let names = players.filter_map(|seat| names.get(seat.index()).map(String::as_str));
    names.collect::<Vec<_>>().join(" & ")
}

fn cell(
    rules: &Rules,
    deal: &PlayedDealText,
    side: Side,
    total: &mut i32,
    phrases: &Phrases,
) -> ScoreCell {
    let at = side.index();
    let bid = match rules {
        Rules::Cruce(_) => {
            declared(rules, deal).filter(|(who, _)| *who == side).map(|(_, bid)| bid)
        }
        Rules::Whist(_) => deal.bids.get(at).copied().flatten(),
    };
    let made = deal.points.get(at).copied();
    let change = deal.change.get(at).copied().unwrap_or_default().into();
    let prize = deal.prize.get(at).copied().unwrap_or_default().into();
    *total += change + prize;
    let kept = bid.zip(made).and_then(|(bid, made)| match rules {
        Rules::Cruce(_) if bid == 0 => None,
        Rules::Cruce(_) => Some(u16::from(made) >= promised_points(bid)),
        Rules::Whist(_) => Some(bid == made),
    });
    // A bid of 0 in Cruce promises nothing.
    let wanted = bid.map(|bid| match rules {
        Rules::Cruce(_) => promised_points(bid),
        Rules::Whist(_) => bid.into(),
    });
    let text = match (made, wanted.filter(|_| kept.is_some())) {
        (Some(made), Some(wanted)) => match rules {
            Rules::Cruce(_) => phrases.sheet_made(made, wanted),
            // The usual short form, so that six players fit on a narrow sheet.
            Rules::Whist(_) => format!("{made}/{wanted}"),
        },
        (Some(made), None) => made.to_string(),
        // The deal was thrown in, and the side that is penalised broke a rule (C15).
        (None, _) if change < 0 => phrases.sheet_rule_broken(),
        (None, _) => String::new(),
    };
    ScoreCell { bid, made, text, kept, change, prize, total: *total }
}

/// The declarer's side in Cruce, with its bid.
fn declared(rules: &Rules, deal: &PlayedDealText) -> Option<(Side, u8)> {
    let declarer = Seat::from_number(deal.declarer?)?;
    let bid = deal.bids.get(declarer.index()).copied().flatten().unwrap_or_default();
    Some((rules.side_of(declarer), bid))
}

/// The sentences that explain the scores of a deal.
fn explain(
    rules: &Rules,
    deal: &PlayedDealText,
    cells: &[ScoreCell],
    columns: &[String],
    names: &[String],
    phrases: &Phrases,
) -> Vec<String> {
    if deal.points.is_empty() {
        let Some(revoke) = deal.revoke else { return vec![phrases.all_passed()] };
        let seat = Seat::new(revoke.saturating_sub(1)).unwrap_or_default();
        let side = rules.side_of(seat);
        let name = names.get(seat.index()).cloned().unwrap_or_default();
        let change = signed(cells[side.index()].change);
        return vec![phrases.score_revoked(name, columns[side.index()].as_str(), change)];
    }
    let explain_side = |(cell, name): (&ScoreCell, &String)| {
        let (made, change) = (cell.made.unwrap_or_default(), signed(cell.change));
        let mut sentence = match (rules, cell.bid) {
            (Rules::Cruce(_), Some(bid)) if bid > 0 => {
                let made = phrases.points(made);
                let wanted = promised_points(bid);
                match cell.kept {
                    Some(false) => phrases.score_failed(name.as_str(), wanted, made, change),
                    _ => phrases.score_kept(name.as_str(), wanted, made, change),
                }
            }
            (Rules::Cruce(_), _) => {
                phrases.score_others(name.as_str(), phrases.points(made), change)
            }
            (Rules::Whist(_), bid) => {
                let bid = bid.unwrap_or_default();
                let kept = if bid == made { "yes" } else { "no" };
                phrases.score_whist(kept, name.as_str(), bid, made, change)
            }
        };
        if cell.prize != 0 {
            sentence.push(' ');
            sentence.push_str(&phrases.score_prize(signed(cell.prize)));
        }
        sentence
    };
    cells.iter().zip(columns).map(explain_side).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use phrases::language::Language;

    fn names() -> Vec<String> {
        ["Ana", "Bogdan", "Călin", "Dana"].map(String::from).to_vec()
    }

    fn cruce(declarer: usize, bid: u8, points: [u8; 2], change: [i16; 2]) -> PlayedDealText {
        let mut bids = vec![Some(0); 4];
        bids[declarer - 1] = Some(bid);
        PlayedDealText {
            first: 1,
            bids,
            declarer: Some(declarer),
            points: points.to_vec(),
            change: change.to_vec(),
            prize: vec![0, 0],
            revoke: None,
        }
    }

    /// C11's examples: 64 points are not two, 102 are three.
    #[test]
    fn a_sheet_adds_up_and_explains_the_scores() {
        let rules = Rules::from_code("classic").expect("a code");
        let deals = [cruce(1, 2, [64, 56], [-2, 1]), cruce(3, 2, [102, 18], [3, 0])];
        let scores = Scores::new(&rules, &names(), &deals, &Phrases::new(Language::English));
        assert_eq!(scores.columns, ["Ana & Călin", "Bogdan & Dana"]);
        let totals: Vec<Vec<i32>> = scores
            .rows
            .iter()
            .map(|row| row.cells.iter().map(|cell| cell.total).collect())
            .collect();
        assert_eq!(totals, [[-2, 1], [1, 1]]);
        let kept: Vec<_> = scores.rows.iter().map(|row| row.cells[0].kept).collect();
        assert_eq!(kept, [Some(false), Some(true)]);
        assert_eq!(scores.rows[0].cells[1].kept, None, "they promised nothing");
        let texts: Vec<&str> = scores.rows[0].cells.iter().map(|cell| cell.text.as_str()).collect();
        assert_eq!(texts, ["64 of 66", "56"]);
        assert!(scores.legend.contains("promised"), "{}", scores.legend);
        assert_eq!(
            scores.rows[0].explanation[0],
            "Ana & Călin promised 66 and made only 64 points: −2."
        );
        assert_eq!(scores.rows[1].explanation[1], "Bogdan & Dana made 18 points: 0.");
    }

    #[test]
    fn thrown_in_deals_have_a_reason() {
        let rules = Rules::from_code("contest4t-honour").expect("a code");
        let mut deal = cruce(1, 2, [0, 0], [-3, 0]);
        deal.points.clear();
        deal.revoke = Some(3);
        let phrases = Phrases::new(Language::English);
        let scores = Scores::new(&rules, &names(), &[deal.clone()], &phrases);
        assert_eq!(
            scores.rows[0].explanation,
            ["A card of Călin broke a rule: the deal is thrown in, −3 for Ana & Călin."]
        );
        let texts: Vec<&str> = scores.rows[0].cells.iter().map(|cell| cell.text.as_str()).collect();
        assert_eq!(texts, ["broke a rule", ""]);
        deal.revoke = None;
        let scores = Scores::new(&rules, &names(), &[deal], &phrases);
        assert_eq!(scores.rows[0].explanation, [phrases.all_passed()]);
    }

    #[test]
    fn whist_shows_bids_tricks_and_prizes() {
        let rules = Rules::from_code("whist3").expect("a code");
        let deal = PlayedDealText {
            first: 1,
            bids: vec![Some(1), Some(0), Some(1)],
            declarer: None,
            points: vec![1, 1, 0],
            change: vec![6, -1, -1],
            prize: vec![10, 0, 0],
            revoke: None,
        };
        let phrases = Phrases::new(Language::English);
        let scores = Scores::new(&rules, &names(), &[deal], &phrases);
        let row = &scores.rows[0];
        assert_eq!(row.cards, Some(1));
        assert_eq!(row.cells.iter().map(|cell| cell.total).collect::<Vec<_>>(), [16, -1, -1]);
        assert_eq!(row.explanation[0], "Ana bid 1 and took 1: +6. Prize: +10.");
        assert_eq!(row.explanation[1], "Bogdan bid 0 and took 1: −1.");
        let texts: Vec<&str> = row.cells.iter().map(|cell| cell.text.as_str()).collect();
        assert_eq!(texts, ["1/1", "1/0", "0/1"]);
    }
}
