//! Statistics of the deals: means and their intervals.

use serde::Serialize;

/// The number of standard deviations to each side that contain 95 % of normal values.
const Z: f64 = 1.959_963_985;

/// A mean with its interval of 95 %.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Estimate {
    pub(crate) mean: f64,
    /// Half the width of the interval; None for a single value.
    pub(crate) plus_minus: Option<f64>,
}

impl Estimate {
    /// The mean of independent values.
    pub(crate) fn of(values: &[f64]) -> Estimate {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count.max(1.0);
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let freedom = values.len().saturating_sub(1);
        let plus_minus =
            (freedom > 0).then(|| student(freedom) * (squares / freedom as f64 / count).sqrt());
        Estimate { mean, plus_minus }
    }

    /// The text in a table: `+1.234 ± 0.567`.
    pub(crate) fn text(&self) -> String {
        let mean = signed(self.mean);
        match self.plus_minus {
            Some(half) => format!("{mean} ± {half:.3}"),
            None => mean,
        }
    }
}

/// A number with its sign; a rounded zero is always positive.
pub(crate) fn signed(value: f64) -> String {
    match format!("{value:+.3}") {
        text if text == "-0.000" => "+0.000".into(),
        text => text,
    }
}

/// How many standard errors lie to each side of a mean in 95 % (Student's t).
///
/// The first two are exact; from there on Fisher's expansion is right to the second decimal.
fn student(freedom: usize) -> f64 {
    let n = match freedom {
        0 => return f64::INFINITY,
        1 => return 12.706,
        2 => return 4.303,
        more => more as f64,
    };
    let [z, z3, z5, z7, z9] = [1, 3, 5, 7, 9].map(|power| Z.powi(power));
    let terms = [
        z,
        (z3 + z) / 4.0,
        (5.0 * z5 + 16.0 * z3 + 3.0 * z) / 96.0,
        (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / 384.0,
        (79.0 * z9 + 776.0 * z7 + 1482.0 * z5 - 1920.0 * z3 - 945.0 * z) / 92_160.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| sum / n + term)
}

/// A share of some trials with its interval of 95 % (Wilson's, which stays between 0 and 1 and also
/// holds for few trials).
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Share {
    pub(crate) share: f64,
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl Share {
    /// The share of `successes` in `trials`, where a draw is half a success.
    pub(crate) fn of(successes: f64, trials: usize) -> Share {
        let n = trials.max(1) as f64;
        let share = successes / n;
        let middle = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half = Z / (1.0 + Z * Z / n)
            * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).max(0.0).sqrt();
        Share { share, from: (middle - half).max(0.0), to: (middle + half).min(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64, within: f64) {
        assert!((one - other).abs() < within, "{one} is not {other}");
    }

    #[test]
    fn students_t_matches_the_tables() {
        let table = [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (4, 2.776),
            (5, 2.571),
            (10, 2.228),
            (30, 2.042),
            (100, 1.984),
            (1_000_000, 1.960),
        ];
        for (freedom, value) in table {
            near(student(freedom), value, 0.005);
        }
    }

    #[test]
    fn an_estimate_needs_two_values_for_its_interval() {
        assert_eq!(Estimate::of(&[3.0]), Estimate { mean: 3.0, plus_minus: None });
        let four = Estimate::of(&[1.0, 2.0, 3.0, 4.0]);
        assert_eq!(four.mean, 2.5);
        // The standard deviation is 1.291, the standard error 0.645.
        near(four.plus_minus.expect("an interval"), 3.182 * 0.6455, 0.01);
        let nothing = Estimate::of(&[0.0; 9]);
        assert_eq!(nothing.text(), "+0.000 ± 0.000");
        assert_eq!(signed(-0.0001), "+0.000");
    }

    #[test]
    fn wilsons_interval_matches_the_literature() {
        let share = Share::of(81.0, 263);
        near(share.from, 0.255, 0.001);
        near(share.to, 0.366, 0.001);
        let all = Share::of(10.0, 10);
        near(all.from, 0.722, 0.001);
        assert_eq!(all.to, 1.0);
    }
}
