//! The tests of an audit, their p-values, and the verdict.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;

use super::chi_square::p_value;
use super::fit::{self, Fit};
use super::laws;
use super::tally::{BitTally, GameTally};

/// How likely a fair shuffle fails the whole audit. It is divided by the number of tests
/// (Bonferroni), which holds however the tests depend on each other.
pub(super) const FAMILY_WISE: f64 = 0.001;

/// The result of an audit.
#[derive(Serialize)]
pub(super) struct AuditReport {
    version: &'static str,
    /// The text that replaced the randomness of the operating system.
    seed: Option<String>,
    cards: u64,
    deals: u64,
    matches: u64,
    family_wise: f64,
    /// A test with a smaller p-value fails.
    threshold: f64,
    pub(super) passed: bool,
    groups: Vec<TestGroup>,
}

/// The tests of one game, or of the secrets of all games.
#[derive(Serialize)]
struct TestGroup {
    /// A rules code, or `secrets`.
    name: String,
    about: String,
    tests: Vec<TestLine>,
}

/// One test.
#[derive(Serialize)]
struct TestLine {
    test: String,
    statistic: f64,
    freedom: usize,
    p: f64,
    passed: bool,
}

impl TestLine {
    fn new(test: impl Into<String>, fit: Fit) -> TestLine {
        let Fit { statistic, freedom } = fit;
        let p = p_value(statistic, freedom);
        TestLine { test: test.into(), statistic, freedom, p, passed: true }
    }
}

impl AuditReport {
    pub(super) fn new(seed: Option<String>, tallies: &[GameTally]) -> AuditReport {
        let mut groups: Vec<TestGroup> = tallies.iter().map(game_tests).collect();
        groups.push(secret_tests(tallies));
        let count = groups.iter().map(|group| group.tests.len()).sum::<usize>();
        let threshold = FAMILY_WISE / count as f64;
        let mut passed = true;
        for test in groups.iter_mut().flat_map(|group| &mut group.tests) {
            // A value that is no number fails.
            test.passed = test.p >= threshold;
            passed &= test.passed;
        }
        let sum = |count: fn(&GameTally) -> u64| tallies.iter().map(count).sum();
        AuditReport {
            version: env!("CARGO_PKG_VERSION"),
            seed,
            cards: sum(|tally| tally.deals * tally.cards as u64),
            deals: sum(|tally| tally.deals),
            matches: sum(|tally| tally.matches),
            family_wise: FAMILY_WISE,
            threshold,
            passed,
            groups,
        }
    }

    /// The tests that failed, as `GROUP: TEST`.
    pub(super) fn failed(&self) -> impl Iterator<Item = String> {
        self.groups.iter().flat_map(|group| {
            let failed = group.tests.iter().filter(|test| !test.passed);
            failed.map(|test| format!("{}: {}", group.name, test.test))
        })
    }

    pub(super) fn write(&self, out: &mut impl Write) -> Result<()> {
        let source = match &self.seed {
            Some(seed) => format!("the seed {seed:?}"),
            None => "the operating system".into(),
        };
        writeln!(out, "ghinda {}, secrets from {source}", self.version)?;
        let [cards, deals, matches] = [self.cards, self.deals, self.matches].map(grouped);
        writeln!(out, "{cards} cards in {deals} deals of {matches} matches")?;
        for group in &self.groups {
            writeln!(out, "\n{}: {}", group.name, group.about)?;
            writeln!(out, "  {:<44}{:>12}{:>9}{:>12}", "test", "chi-square", "freedom", "p")?;
            for test in &group.tests {
                let TestLine { test, statistic, freedom, p, passed } = test;
                let mark = if *passed { "" } else { "  FAILED" };
                let p = p_text(*p);
                writeln!(out, "  {test:<44}{statistic:>12.2}{freedom:>9}{p:>12}{mark}")?;
            }
        }
        self.write_verdict(out)
    }

    fn tests(&self) -> impl Iterator<Item = &TestLine> {
        self.groups.iter().flat_map(|group| &group.tests)
    }

    pub(super) fn smallest_p(&self) -> f64 {
        self.tests().map(|test| test.p).fold(1.0, f64::min)
    }

    fn write_verdict(&self, out: &mut impl Write) -> Result<()> {
        writeln!(out)?;
        writeln!(
            out,
            "A test fails below p = {} / {} = {}: a fair shuffle fails any of them",
            self.family_wise,
            self.tests().count(),
            p_text(self.threshold)
        )?;
        writeln!(
            out,
            "once in {} audits. The smallest p is {}.",
            1.0 / FAMILY_WISE,
            p_text(self.smallest_p())
        )?;
        match self.failed().collect::<Vec<_>>() {
            failed if failed.is_empty() => writeln!(out, "Passed.")?,
            failed => {
                writeln!(out, "FAILED:")?;
                failed.iter().try_for_each(|test| writeln!(out, "  {test}"))?;
            }
        }
        Ok(())
    }
}

/// The tests of the deals of one game.
fn game_tests(tally: &GameTally) -> TestGroup {
    let GameTally { cards, deals, .. } = *tally;
    let ones = vec![1; cards];
    let moves = |grid, pairs| fit::places(grid, &ones, pairs);
    let mut tests = vec![
        TestLine::new("card by position", fit::places(&tally.positions, &ones, deals)),
        TestLine::new("card by seat", seats(tally)),
        TestLine::new("card by next card", fit::ring(&tally.neighbours, cards, deals)),
        TestLine::new("position by position in the next deal", {
            moves(&tally.next_deal, tally.deal_pairs)
        }),
        TestLine::new("position by position at the next table", {
            moves(&tally.next_table, tally.table_pairs)
        }),
        TestLine::new("commitment by first card", fit::uniform_rows(&tally.commitments)),
        TestLine::new("first seat", fit::uniform(tally.first_seats.cells())),
    ];
    tests.extend(order_tests(tally));
    for seat in 0..tally.rules.players() {
        tests
            .push(TestLine::new(format!("suit lengths of seat {}", seat + 1), shapes(tally, seat)));
    }
    if tally.turned.cells().iter().any(|count| *count > 0) {
        tests.push(TestLine::new("card turned up", fit::uniform(tally.turned.cells())));
    }
    let stock = tally.rules.stock();
    if stock > 0 {
        let mut sizes = vec![1; stock];
        sizes.push(cards - stock);
        let fit = fit::places(&tally.stock, &sizes, deals);
        tests.push(TestLine::new("card by place in the stock", fit));
    }
    let about = format!(
        "{} players, {cards} cards, {} deals of {} matches",
        tally.rules.players(),
        grouped(deals),
        grouped(tally.matches)
    );
    TestGroup { name: tally.rules.code(), about, tests }
}

/// The tests of the order of a pack by itself.
fn order_tests(tally: &GameTally) -> Vec<TestLine> {
    let n = tally.cards;
    let mut uniform = vec![1.0 / n as f64; n + 1];
    uniform[0] = 0.0;
    let laws = [
        ("fixed points", laws::fixed_points(n)),
        ("ascending runs", laws::ascending_runs(n)),
        ("rising sequences", laws::ascending_runs(n)),
        ("longest ascending run", laws::longest_run(n)),
        ("cycles", laws::cycles(n)),
        ("cycle of the lowest card", uniform),
    ];
    let tests = tally.orders.iter().zip(laws);
    tests.map(|(grid, (test, law))| TestLine::new(test, fit::law(grid.cells(), &law))).collect()
}

/// Card by seat, over all sizes of deals.
fn seats(tally: &GameTally) -> Fit {
    let players = tally.rules.players();
    let fits = tally.sizes.iter().map(|size| {
        let mut sizes = vec![size.cards_each; players];
        sizes.push(tally.cards - players * size.cards_each);
        fit::places(&size.seats, &sizes, deals_of(size.shapes.rows().next()))
    });
    fits.sum()
}

/// The shapes of the hands of a seat, over all sizes of deals.
fn shapes(tally: &GameTally, seat: usize) -> Fit {
    let fits = tally.sizes.iter().map(|size| {
        let counts = size.shapes.rows().nth(seat).unwrap_or_default();
        fit::law(counts, &laws::shapes(&tally.rules, size.cards_each))
    });
    fits.sum()
}

/// How many hands a seat got: one in every deal.
fn deals_of(shapes: Option<&[u64]>) -> u64 {
    shapes.unwrap_or_default().iter().sum()
}

/// The tests of the bits of secrets, and of what is hashed from them.
fn secret_tests(tallies: &[GameTally]) -> TestGroup {
    let mut tests = Vec::new();
    let matches: u64 = tallies.iter().map(|tally| tally.matches).sum();
    for (at, name) in ["secrets", "commitments", "seeds"].into_iter().enumerate() {
        let mut sum = BitTally::new();
        tallies.iter().for_each(|tally| sum.merge(&tally.bits[at]));
        let BitTally { values, set, bytes } = sum;
        let ones = set.iter().sum();
        tests.push(TestLine::new(
            format!("{name}: ones and zeros"),
            fit::monobit(ones, 256 * values),
        ));
        tests.push(TestLine::new(format!("{name}: each bit"), fit::bit_positions(&set, values)));
        tests.push(TestLine::new(format!("{name}: bytes"), fit::uniform(&bytes)));
    }
    tests.push(drawn_twice(tallies));
    let about = format!("{} secrets of 256 bits", grouped(matches));
    TestGroup { name: "secrets".into(), about, tests }
}

/// Secrets that begin with the same 64 bits. The statistic is their number; chance needs billions of
/// matches for one.
fn drawn_twice(tallies: &[GameTally]) -> TestLine {
    let mut heads: Vec<u64> =
        tallies.iter().flat_map(|tally| &tally.secret_heads).copied().collect();
    heads.sort_unstable();
    let twice = heads.windows(2).filter(|pair| pair[0] == pair[1]).count();
    let pairs = heads.len() as f64 * (heads.len() as f64 - 1.0) / 2.0;
    let p = if twice == 0 { 1.0 } else { (pairs / 2f64.powi(64)).min(1.0) };
    let (test, statistic) = ("secrets: drawn twice".to_owned(), twice as f64);
    TestLine { test, statistic, freedom: 0, p, passed: true }
}

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn p_text(p: f64) -> String {
    if p >= 0.0001 { format!("{p:.4}") } else { format!("{p:.1e}") }
}
