//! The chart of the scores over the deals.

use leptos::prelude::*;
use sheet_view::{Chart, HEIGHT, SheetView, Track, WIDTH};

use crate::text::{t, use_phrases};

#[component]
pub(super) fn ScoreChart(chart: Memo<Option<Chart>>, paper: Memo<SheetView>) -> impl IntoView {
    let phrases = use_phrases();
    let label = move || {
        phrases.with(|phrases| paper.with(|paper| phrases.entry_chart_more(paper.standing())))
    };
    let drawn = move || chart.get().map(drawing);
    view! {
        <figure class="course" hidden=move || chart.with(Option::is_none)>
            <figcaption>{t!(phrases, entry_chart)}</figcaption>
            <svg viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="img" aria-label=label>
                {drawn}
            </svg>
        </figure>
    }
}

fn drawing(chart: Chart) -> impl IntoView {
    let right = chart.deals.last().map_or(0.0, |(x, _)| *x).max(
        chart
            .tracks
            .iter()
            .filter_map(|track| track.points.last())
            .fold(0.0, |x, end| end.0.max(x)),
    );
    let left = chart.tracks.first().and_then(|track| track.points.first()).map_or(0.0, |at| at.0);
    let levels = chart.levels.into_iter().map(|level| {
        view! {
            <line class="level" class:nought=level.is_zero x1=left x2=right y1=level.y y2=level.y />
            <text class="mark" x=left - 5.0 y=level.y + 3.5 text-anchor="end">
                {level.score}
            </text>
        }
    });
    let deals = chart.deals.into_iter().map(|(x, deal)| {
        view! {
            <text class="mark" x=x y=HEIGHT - 8.0 text-anchor="middle">
                {deal}
            </text>
        }
    });
    let target = chart.target.map(|y| view! { <line class="target" x1=left x2=right y1=y y2=y /> });
    view! {
        {levels.collect_view()}
        {deals.collect_view()}
        {target}
        {chart.tracks.into_iter().enumerate().map(track).collect_view()}
    }
}

fn track((at, track): (usize, Track)) -> impl IntoView {
    let points: Vec<String> = track.points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let (x, y) = track.points.last().copied().unwrap_or_default();
    view! {
        <g class="track" data-track=at.to_string()>
            <polyline points=points.join(" ") />
            <line class="lead-out" x1=x y1=y x2=x + 8.0 y2=track.label />
            <circle cx=x cy=y r="3" />
            <text x=x + 11.0 y=track.label + 4.0>
                {track.name} " " <tspan>{track.score}</tspan>
            </text>
        </g>
    }
}
