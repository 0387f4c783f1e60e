//! The worth of the points of a deal of Cruce to a side: the score they make, and its effect on the
//! match (C11, C12).

use cards::{BySide, Side};
use game::cruce::{self, Contract};
use game::{Public, Rules};

/// The standard deviation of the change of the lead in a deal.
const LEAD_DEVIATION: f64 = 3.0;
/// The score of the leading side per deal.
const SCORE_PER_DEAL: f64 = 2.3;

/// The worth of a point that does not change the score.
pub(crate) const POINT_WORTH: f64 = 0.01;

/// The rules and the score for which a deal is played.
#[derive(Clone, Debug)]
pub(crate) struct Stakes {
    rules: cruce::Rules,
    side: Side,
    score: BySide<i32>,
}

impl Stakes {
    pub(crate) fn of(public: &Public, side: Side) -> Option<Stakes> {
        let Rules::Cruce(rules) = *public.rules() else { return None };
        Some(Stakes { rules, side, score: *public.score() })
    }

    /// The worth if the deal changes nothing.
    pub(crate) fn as_it_stands(&self) -> f64 {
        self.worth_of_change(&BySide::filled(0, self.score.len()))
    }

    /// The worth of a contract to the side, in points of score at an equal score, if each side makes these
    /// points with an error of `spread`.
    pub(crate) fn worth(&self, contract: Contract, points: &BySide<f64>, spread: f64) -> f64 {
        // The medians of five equal parts of a normal distribution.
        const PARTS: [f64; 5] = [-1.4, -0.53, 0.0, 0.53, 1.4];
        let sum: f64 = PARTS.iter().map(|part| self.exactly(contract, points, part * spread)).sum();
        sum / PARTS.len() as f64
    }

    /// The worth if each side makes exactly these points; points that do not change the score count a
    /// little.
    pub(crate) fn outcome(&self, contract: Contract, points: &BySide<f64>) -> f64 {
        let others: f64 = points.iter().sum::<f64>() - points[self.side];
        self.exactly(contract, points, 0.0) + POINT_WORTH * (points[self.side] - others)
    }

    /// The same if the declarer's side makes `more` and the others share the loss.
    fn exactly(&self, contract: Contract, points: &BySide<f64>, more: f64) -> f64 {
        let declaring = self.rules.side_of(contract.declarer);
        let others = (points.len() - 1) as f64;
        let made = BySide::from_fn(points.len(), |side: Side| {
            let shift = if side == declaring { more } else { -more / others };
            (points[side] + shift).clamp(0.0, 220.0) as u8
        });
        let change = cruce::score(&self.rules, contract, &made);
        self.worth_of_change(&change)
    }

    /// The worth of a change of the score: the chance to win the match after it, scaled so that at an
    /// equal score a point is worth a point.
    fn worth_of_change(&self, change: &BySide<i16>) -> f64 {
        let after =
            BySide::from_fn(change.len(), |side: Side| self.score[side] + i32::from(change[side]));
        let rival = |score: &BySide<i32>| {
            score.entries().filter(|(side, _)| *side != self.side).map(|(_, total)| *total).max()
        };
        let (own, other) = (after[self.side], rival(&after).unwrap_or(0));
        // The others besides the best one count a little, since they may win as well.
        let rest: i16 =
            change.entries().filter(|(side, _)| *side != self.side).map(|(_, c)| *c).sum();
        let rest = f64::from(rest) / (change.len() - 1) as f64;
        let share =
            |lead: f64, deals: f64| 0.5 + 0.5 * (lead / (LEAD_DEVIATION * deals.sqrt())).tanh();
        let left = (f64::from(self.rules.target() - own.max(other)) / SCORE_PER_DEAL).max(1.0);
        let chance = match cruce::leader(&self.rules, &after) {
            Some(side) if side == self.side => 1.0,
            Some(_) => 0.0,
            None => share(f64::from(own - other), left),
        };
        let slope = 0.5
            / (LEAD_DEVIATION * (f64::from(self.rules.target()) / SCORE_PER_DEAL).max(1.0).sqrt());
        let lead = chance / slope;
        if change.len() > 2 { lead + 0.5 * (f64::from(change[self.side]) - rest) } else { lead }
    }
}
