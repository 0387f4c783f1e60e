//! A chart of the scores over the deals. Each line ends at its name, so that colours are not needed.

use cards::Side;
use contest::sheet::Sheet;
use game::Rules;

use super::side_name;
use phrases::layout::{shortened, total};

/// The width of the drawing, which fits a phone.
pub const WIDTH: f32 = 360.0;
/// The height of the drawing.
pub const HEIGHT: f32 = 220.0;
const LEFT: f32 = 30.0;
const RIGHT: f32 = 112.0;
const TOP: f32 = 12.0;
const BOTTOM: f32 = 24.0;
/// The minimum distance between names.
const GAP: f32 = 14.0;
/// The maximum length of a name.
const LETTERS: usize = 11;
/// The maximum number of marked scores.
const MAX_LEVELS: i32 = 6;

/// A chart of a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Chart {
    /// A line for each side.
    pub tracks: Vec<Track>,
    /// The marked scores, from the lowest.
    pub levels: Vec<ScoreMark>,
    /// The marked deals: position and number.
    pub deals: Vec<(f32, usize)>,
    /// The position of the score that ends the match, if there is one (C12).
    pub target: Option<f32>,
}

/// The line of a side.
#[derive(Clone, PartialEq, Debug)]
pub struct Track {
    /// Its score before the first deal and after each deal.
    pub points: Vec<(f32, f32)>,
    /// The name at its end.
    pub name: String,
    /// The score at its end.
    pub score: String,
    /// The vertical position of the name.
    pub label: f32,
}

/// A marked score.
#[derive(Clone, PartialEq, Debug)]
pub struct ScoreMark {
    /// Its vertical position.
    pub y: f32,
    /// The score.
    pub score: String,
    /// Whether it is 0.
    pub is_zero: bool,
}

impl Chart {
    /// The chart of a sheet. Returns None before the first deal is over.
    pub fn new(sheet: &Sheet) -> Option<Chart> {
        let course: Vec<_> = sheet.score_history().collect();
        let deals = course.len() - 1;
        if deals == 0 {
            return None;
        }
        let target = match sheet.rules() {
            Rules::Cruce(cruce) => Some(cruce.target()),
            Rules::Whist(_) => None,
        };
        let scores = course.iter().flat_map(|each| each.iter().copied());
        let (least, most) = scores
            .chain(target)
            .fold((0, 0), |(least, most), score| (score.min(least), score.max(most)));
        let step = level_step(most - least);
        let (least, most) = (least.div_euclid(step) * step, -(-most).div_euclid(step) * step);
        let x = |deal: usize| LEFT + (WIDTH - LEFT - RIGHT) * deal as f32 / deals as f32;
        let y = |score: i32| {
            let share = (score - least) as f32 / (most - least).max(1) as f32;
            HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share
        };
        let mut tracks: Vec<Track> = Side::first(sheet.rules().sides())
            .map(|side| {
                let scores = course.iter().map(|each| each[side]).enumerate();
                let points: Vec<(f32, f32)> = scores.map(|(at, s)| (x(at), y(s))).collect();
                let score = course[deals][side];
                Track {
                    points,
                    name: shortened(&side_name(sheet, side), LETTERS),
                    score: total(score),
                    label: y(score),
                }
            })
            .collect();
        spread_labels(&mut tracks);
        let levels = (0..=(most - least) / step).map(|at| least + at * step);
        let stride = deals.div_ceil(8).max(1);
        Some(Chart {
            tracks,
            levels: levels
                .map(|score| ScoreMark { y: y(score), score: total(score), is_zero: score == 0 })
                .collect(),
            deals: (1..=deals).filter(|deal| deal % stride == 0).map(|at| (x(at), at)).collect(),
            target: target.map(y),
        })
    }
}

/// The distance between the marked scores.
fn level_step(range: i32) -> i32 {
    let powers = std::iter::successors(Some(1), |ten| Some(ten * 10));
    let steps = powers.flat_map(|ten| [ten, 2 * ten, 5 * ten]);
    // Scores are small, so the fallback is never used.
    steps.take(18).find(|step| range <= step * (MAX_LEVELS - 1)).unwrap_or(range.max(1))
}

/// Moves overlapping names apart and keeps their order.
fn spread_labels(tracks: &mut [Track]) {
    let mut order: Vec<usize> = (0..tracks.len()).collect();
    order.sort_by(|one, other| tracks[*one].label.total_cmp(&tracks[*other].label));
    let mut least = TOP;
    for at in &order {
        tracks[*at].label = tracks[*at].label.max(least);
        least = tracks[*at].label + GAP;
    }
    let mut most = HEIGHT - BOTTOM;
    for at in order.iter().rev() {
        tracks[*at].label = tracks[*at].label.min(most);
        most = tracks[*at].label - GAP;
    }
}
