//! Fits weights to choices: how much each count of a card makes its play more likely.

/// The number of steps of the fit, and their size.
const STEPS: usize = 400;
const STRIDE: f64 = 0.5;

/// A choice: the counts of all legal cards, and the one that was played.
pub(crate) struct Choice<const N: usize> {
    pub(crate) cards: Vec<[f64; N]>,
    pub(crate) played: usize,
}

/// The weights for a line of a table; the quality of the fit goes to standard error.
pub(crate) fn fitted<const N: usize>(choices: &[Choice<N>]) -> String {
    let weights = fit(choices);
    let model = |choice: &Choice<N>| chances(choice, &weights)[choice.played].ln();
    let uniform = |choice: &Choice<N>| -(choice.cards.len() as f64).ln();
    let mean = |of: &dyn Fn(&Choice<N>) -> f64| {
        choices.iter().map(of).sum::<f64>() / choices.len().max(1) as f64
    };
    eprintln!("{} choices: {:.3} from {:.3}", choices.len(), mean(&model), mean(&uniform));
    let line: Vec<String> = weights.iter().map(|weight| format!("{weight:.2}")).collect();
    line.join(", ")
}

fn chances<const N: usize>(choice: &Choice<N>, weights: &[f64; N]) -> Vec<f64> {
    let score = |counts: &[f64; N]| -> f64 {
        counts.iter().zip(weights).map(|(count, weight)| count * weight).sum::<f64>().exp()
    };
    let scores: Vec<f64> = choice.cards.iter().map(score).collect();
    let sum: f64 = scores.iter().sum();
    scores.into_iter().map(|score| score / sum).collect()
}

/// Finds the weights with the greatest likelihood of the played cards, by gradient ascent.
fn fit<const N: usize>(choices: &[Choice<N>]) -> [f64; N] {
    let mut weights = [0.0; N];
    let mut steepness = [1e-8; N];
    for _ in 0..STEPS {
        let mut slope = [0.0; N];
        for choice in choices {
            for (at, chance) in chances(choice, &weights).into_iter().enumerate() {
                let off = f64::from(u8::from(at == choice.played)) - chance;
                slope
                    .iter_mut()
                    .zip(choice.cards[at])
                    .for_each(|(slope, count)| *slope += off * count);
            }
        }
        for at in 0..N {
            let slope = slope[at] / choices.len().max(1) as f64 - 1e-4 * weights[at];
            steepness[at] += slope * slope;
            weights[at] += STRIDE * slope / f64::sqrt(steepness[at]);
        }
    }
    weights
}
