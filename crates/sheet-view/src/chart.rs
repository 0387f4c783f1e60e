//! The scores over the deals, as lines that can be told apart without colours: each ends at its name.

use cards::Side;
use contest::sheet::Sheet;
use game::Rules;

use super::side_name;
use phrases::layout::{shortened, total};

/// The width of the drawing, as narrow as a telephone.
pub const WIDTH: f32 = 360.0;
/// The height of the drawing.
pub const HEIGHT: f32 = 220.0;
const LEFT: f32 = 30.0;
const RIGHT: f32 = 112.0;
const TOP: f32 = 12.0;
const BOTTOM: f32 = 24.0;
/// How far names stand apart at least.
const GAP: f32 = 14.0;
/// How many letters of a name there is room for.
const LETTERS: usize = 11;
/// How many levels there are at most.
const MAX_LEVELS: i32 = 6;

/// A chart.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Chart {
    /// A line for each side.
    pub tracks: Vec<Track>,
    /// The scores that are marked, from below.
    pub levels: Vec<ScoreMark>,
    /// The deals that are marked: where, and which.
    pub deals: Vec<(f32, usize)>,
    /// The score that ends the match, where there is one (C12).
    pub target: Option<f32>,
}

/// The line of a side.
#[derive(Clone, PartialEq, Debug)]
pub struct Track {
    /// Where it goes: its score before the first deal and after each.
    pub points: Vec<(f32, f32)>,
    /// The name at its end.
    pub name: String,
    /// The score at its end.
    pub score: String,
    /// Where the name stands.
    pub label: f32,
}

/// A score that is marked.
#[derive(Clone, PartialEq, Debug)]
pub struct ScoreMark {
    /// Where.
    pub y: f32,
    /// Which.
    pub score: String,
    /// Whether it is nought.
    pub nought: bool,
}

impl Chart {
    /// The chart of a sheet; nothing before the first deal is over.
    pub fn new(sheet: &Sheet) -> Option<Chart> {
        let course: Vec<_> = sheet.course().collect();
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
        let step = step(most - least);
        let (least, most) = (least.div_euclid(step) * step, -(-most).div_euclid(step) * step);
        let x = |deal: usize| LEFT + (WIDTH - LEFT - RIGHT) * deal as f32 / deals as f32;
        let y = |score: i32| {
            let part = (score - least) as f32 / (most - least).max(1) as f32;
            HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part
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
        spread(&mut tracks);
        let levels = (0..=(most - least) / step).map(|at| least + at * step);
        let stride = deals.div_ceil(8).max(1);
        Some(Chart {
            tracks,
            levels: levels
                .map(|score| ScoreMark { y: y(score), score: total(score), nought: score == 0 })
                .collect(),
            deals: (1..=deals).filter(|deal| deal % stride == 0).map(|at| (x(at), at)).collect(),
            target: target.map(y),
        })
    }
}

/// How far apart the marked scores are.
fn step(range: i32) -> i32 {
    let tens = std::iter::successors(Some(1), |ten| Some(ten * 10));
    let steps = tens.flat_map(|ten| [ten, 2 * ten, 5 * ten]);
    // Scores are small; the last one is never reached.
    steps.take(18).find(|step| range <= step * (MAX_LEVELS - 1)).unwrap_or(range.max(1))
}

/// Moves the names apart, in the order of the scores.
fn spread(tracks: &mut [Track]) {
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
