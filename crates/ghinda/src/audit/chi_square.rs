//! The chi-square distribution: how often chance alone gives a statistic as large or as small.
//!
//! Degrees of freedom are whole numbers, so the gamma function is a product and needs no
//! approximation. The incomplete gamma function is a series on one side of the mean and a continued
//! fraction on the other, as in every textbook; both stop when a term no longer counts.

/// From here on a statistic that is too small is as suspicious as one that is too large. Below, exact
/// agreement is too likely: a monobit test has a difference of 0 every few thousand times.
const TWO_SIDED_FROM: usize = 30;

/// More terms than any statistic here needs: about ten times the root of the degrees of freedom.
const MAX_TERMS: usize = 100_000;

/// How likely chance gives a statistic at least as far from what is expected: too large, or, with
/// many degrees of freedom, too small.
pub(super) fn p_value(statistic: f64, freedom: usize) -> f64 {
    if freedom == 0 {
        return 1.0;
    }
    let (lower, upper) = tails(statistic, freedom);
    if freedom < TWO_SIDED_FROM { upper } else { (2.0 * lower.min(upper)).min(1.0) }
}

/// The probabilities of a smaller and of a larger statistic.
fn tails(statistic: f64, freedom: usize) -> (f64, f64) {
    let (a, x) = (freedom as f64 / 2.0, statistic / 2.0);
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    let scale = (a * x.ln() - x - ln_gamma_of_half(freedom)).exp();
    if x < a + 1.0 {
        let lower = (scale * series(a, x)).min(1.0);
        (lower, 1.0 - lower)
    } else {
        let upper = (scale * fraction(a, x)).min(1.0);
        (1.0 - upper, upper)
    }
}

/// The logarithm of the gamma function of half a whole number.
fn ln_gamma_of_half(twice: usize) -> f64 {
    let (start, smallest) = match twice % 2 {
        0 => (0.0, 1.0),
        _ => (0.5 * std::f64::consts::PI.ln(), 0.5),
    };
    let factors = (twice - 1) / 2;
    start + (0..factors).map(|step| (smallest + step as f64).ln()).sum::<f64>()
}

/// 1/a + x/(a(a+1)) + x²/(a(a+1)(a+2)) + …
fn series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0 / a, 1.0 / a);
    for step in 1..MAX_TERMS {
        term *= x / (a + step as f64);
        sum += term;
        if term < sum * f64::EPSILON {
            break;
        }
    }
    sum
}

/// The continued fraction of the upper tail, by Lentz's method.
fn fraction(a: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / away_from_zero(b);
    let mut product = d;
    for step in 1..MAX_TERMS {
        let step = step as f64;
        let numerator = -step * (step - a);
        b += 2.0;
        d = 1.0 / away_from_zero(numerator * d + b);
        c = away_from_zero(b + numerator / c);
        product *= d * c;
        if (d * c - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Statistic, degrees of freedom and upper tail, from mpmath with 30 digits.
    const KNOWN: [(f64, usize, f64); 14] = [
        (0.5, 1, 0.479_500_122_187_0),
        (10.8, 1, 0.001_015_000_947_1),
        (60.0, 1, 9.485_737_571_074e-15),
        (1.0, 2, 0.606_530_659_712_6),
        (3.0, 3, 0.391_625_176_271_1),
        (40.0, 7, 1.258_790_387_371e-6),
        (20.0, 30, 0.916_541_527_065_3),
        (255.0, 255, 0.488_222_521_770_4),
        (400.0, 255, 1.660_002_524_412e-8),
        (529.0, 529, 0.491_823_169_076_6),
        (800.0, 529, 2.174_540_070_184e-13),
        (2000.0, 2209, 0.999_400_848_858_8),
        (2209.5, 2209, 0.492_998_221_191_1),
        (2600.0, 2209, 1.221_494_070_948e-8),
    ];

    #[test]
    fn tails_match_known_values() {
        for (statistic, freedom, known) in KNOWN {
            let (lower, upper) = tails(statistic, freedom);
            assert!((upper / known - 1.0).abs() < 1e-9, "{statistic} {freedom}: {upper} {known}");
            assert!((lower + upper - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_tables_of_textbooks_agree() {
        let five_hundredths = [(3.841, 1), (5.991, 2), (18.307, 10), (124.342, 100)];
        for (statistic, freedom) in five_hundredths {
            assert!((tails(statistic, freedom).1 - 0.05).abs() < 1e-4);
        }
    }

    #[test]
    fn too_even_is_as_suspicious_as_too_uneven() {
        assert!(p_value(300.0, 529) < 1e-9 && p_value(800.0, 529) < 1e-9);
        assert!(p_value(529.0, 529) > 0.9);
        assert_eq!(p_value(0.0, 1), 1.0);
        assert_eq!(p_value(0.0, 529), 0.0);
        assert_eq!(p_value(0.0, 0), 1.0);
    }
}
