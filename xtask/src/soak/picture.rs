//! Memory, disk and p99 of a soak over time, as one SVG for light and dark pages.

use std::fmt::Write;

use super::figures::{SoakFigures, SoakWindow};
use crate::servers::plot::{PlotAxis, STYLE, grouped};

/// The layout, in pixels.
const WIDTH: f64 = 800.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 780.0;
const HEAD: f64 = 66.0;
const ROW: f64 = 170.0;
const TOP: f64 = 34.0;
const FOOT: f64 = 148.0;
const BELOW: f64 = 44.0;

/// The times are drawn in powers of ten: a restart takes a hundred times as long as an answer.
const TIMES: [f64; 5] = [1.0, 10.0, 100.0, 1_000.0, 10_000.0];

const COLOURS: &str = "\
  .kill { stroke: #c4432b; stroke-width: 1; stroke-dasharray: 2 3 }
  .faint { stroke: #5a8f3d; stroke-width: 1.5; stroke-opacity: 0.45; fill: none }
  @media (prefers-color-scheme: dark) {
    .kill { stroke: #f0755b }
    .faint { stroke: #79b356 }
  }
";

/// The vertical axis of a chart.
enum ChartScale {
    /// From 0.
    Even(PlotAxis),
    /// In powers of ten.
    Times,
}

impl ChartScale {
    /// The place of a value, from 0 at the foot to 1 at the top.
    fn share(&self, value: f64) -> f64 {
        match self {
            ChartScale::Even(axis) => value / axis.max,
            ChartScale::Times => {
                let [least, .., most] = TIMES;
                (value.clamp(least, most) / least).log10() / (most / least).log10()
            }
        }
    }

    fn ticks(&self) -> Vec<f64> {
        match self {
            ChartScale::Even(axis) => axis.ticks().collect(),
            ChartScale::Times => TIMES.to_vec(),
        }
    }

    fn y(&self, value: f64) -> f64 {
        FOOT - (FOOT - TOP) * self.share(value)
    }
}

/// The horizontal axis, which ends with the run.
struct TimeAxis {
    minutes: f64,
}

impl TimeAxis {
    fn ticks(&self) -> Vec<f64> {
        let axis = PlotAxis::upto(std::iter::once(self.minutes));
        axis.ticks().filter(|tick| *tick <= self.minutes * 1.01).collect()
    }
}

/// A curve: its class, and a value for each window; none where the server was away.
type SoakCurve = (&'static str, fn(&SoakWindow) -> Option<f64>);

/// What the dashed lines are.
fn restarts(figures: &SoakFigures) -> String {
    let by_itself = figures.ended_by_itself;
    let kills = (figures.restarts.len() as u64).saturating_sub(by_itself);
    let killed = (kills > 0).then(|| format!("killed {}", times(kills)));
    let ended = (by_itself > 0).then(|| format!("ended by itself {}", times(by_itself)));
    match [killed, ended].into_iter().flatten().collect::<Vec<_>>().join(" and ") {
        none if none.is_empty() => none,
        what => format!("; dashed: the server is {what}"),
    }
}

fn times(count: u64) -> String {
    if count == 1 { "once".into() } else { format!("{count} times") }
}

/// The picture.
pub(super) fn svg(figures: &SoakFigures) -> String {
    let windows = figures.part(0.0, 1.0);
    let time = TimeAxis { minutes: windows.last().map_or(0.0, |window| window.to) / 60.0 };
    let memory: SoakCurve = ("line", |window| Some(window.server?.rss_mib));
    let disk: SoakCurve = ("line", |window| Some(window.server?.disk_mib));
    let p50: SoakCurve = ("faint", |window| Some(window.line.p50_ms));
    let p99: SoakCurve = ("line", |window| Some(window.line.p99_ms));
    let charts: [(&str, bool, &[SoakCurve]); 3] = [
        ("memory of the server, MiB", false, &[memory]),
        ("database, MiB", false, &[disk]),
        ("from an action to its acknowledgement, ms: 99 %, and fainter 50 %", true, &[p50, p99]),
    ];
    let height = HEAD + ROW * charts.len() as f64 + BELOW - 20.0;
    let title = format!("A soak of {:.0} minutes", figures.seconds() / 60.0);
    let note = format!("means and percentiles of ten seconds{}", restarts(figures));
    let mut picture = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">
<title>{title}: memory, disk and p99</title>
<style>
{STYLE}{COLOURS}</style>
<rect class="paper" width="100%" height="100%" rx="8"/>
<text class="title" x="24" y="34">{title}</text>
<text class="note" x="24" y="54">{note}</text>
"#
    );
    for (at, (title, is_time, curves)) in charts.into_iter().enumerate() {
        let y = HEAD + ROW * at as f64;
        let values = windows.iter().flat_map(|window| curves.iter().map(|curve| curve.1(window)));
        let scale = match is_time {
            true => ChartScale::Times,
            false => ChartScale::Even(PlotAxis::upto(values.flatten())),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(picture, r#"<g transform="translate(0 {y})">"#);
        picture += &frame(title, &scale, &time, figures);
        for (class, value) in curves {
            picture += &curve(class, &windows, *value, &scale, &time);
        }
        picture += "</g>\n";
    }
    picture += &minutes(&time, HEAD + ROW * charts.len() as f64 - 22.0);
    picture + "</svg>\n"
}

fn x(minute: f64, time: &TimeAxis) -> f64 {
    LEFT + (RIGHT - LEFT) * minute / time.minutes.max(f64::MIN_POSITIVE)
}

/// The title, the lines of the axis, and the kills.
fn frame(title: &str, scale: &ChartScale, time: &TimeAxis, figures: &SoakFigures) -> String {
    let mut text = format!("<text x=\"{LEFT}\" y=\"22\">{title}</text>\n");
    for tick in scale.ticks() {
        let y = scale.y(tick);
        let _ = writeln!(
            text,
            r#"<line class="grid" x1="{LEFT}" y1="{y:.1}" x2="{RIGHT}" y2="{y:.1}"/>
<text class="tick" x="{:.0}" y="{:.1}">{}</text>"#,
            LEFT - 8.0,
            y + 4.0,
            grouped(tick)
        );
    }
    for restart in &figures.restarts {
        let x = x(restart.at / 60.0, time);
        let _ = writeln!(
            text,
            r#"<line class="kill" x1="{x:.1}" y1="{TOP}" x2="{x:.1}" y2="{FOOT}"/>"#
        );
    }
    text
}

/// A curve through the middles of the windows, with a gap where there is no value.
fn curve(
    class: &str,
    windows: &[SoakWindow],
    value: fn(&SoakWindow) -> Option<f64>,
    scale: &ChartScale,
    time: &TimeAxis,
) -> String {
    let mut path = String::new();
    let mut goes_on = false;
    for window in windows {
        let Some(value) = value(window) else {
            goes_on = false;
            continue;
        };
        let command = if goes_on { 'L' } else { 'M' };
        let x = x((window.from + window.to) / 120.0, time);
        let _ = write!(path, "{command}{x:.1} {:.1}", scale.y(value));
        goes_on = true;
    }
    format!("<path class=\"{class}\" d=\"{path}\"/>\n")
}

/// The numbers under the last chart.
fn minutes(time: &TimeAxis, y: f64) -> String {
    let mut text = String::new();
    for tick in time.ticks() {
        let x = x(tick, time);
        let _ = writeln!(
            text,
            r#"<text class="over" x="{x:.1}" y="{:.0}">{}</text>"#,
            y + 18.0,
            grouped(tick)
        );
    }
    let middle = (LEFT + RIGHT) / 2.0;
    let _ = writeln!(text, r#"<text class="over" x="{middle}" y="{:.0}">minutes</text>"#, y + 38.0);
    text
}

#[cfg(test)]
mod tests {
    use super::super::figures::made_up::hour;
    use super::*;

    #[test]
    fn the_picture_has_three_charts_and_a_mark_at_every_kill() {
        let picture = svg(&hour());
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        assert_eq!(picture.matches("<g transform").count(), 3);
        assert_eq!(picture.matches("<path class=\"line\"").count(), 3);
        assert_eq!(picture.matches("class=\"kill\"").count(), 3 * 11);
        assert!(picture.contains("A soak of 60 minutes") && picture.contains("killed 11 times<"));
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
    }

    #[test]
    fn an_end_by_itself_is_not_called_a_kill() {
        let mut figures = hour();
        figures.ended_by_itself = 1;
        assert!(
            svg(&figures)
                .contains("dashed: the server is killed 10 times and ended by itself once<")
        );
        (figures.restarts, figures.ended_by_itself) = (Vec::new(), 0);
        assert!(!svg(&figures).contains("dashed"));
    }

    #[test]
    fn a_window_without_samples_is_a_gap() {
        let mut figures = hour();
        figures.samples.retain(|sample| !(300.0..320.0).contains(&sample.at));
        let picture = svg(&figures);
        let memory = picture.lines().find(|line| line.contains("class=\"line\"")).unwrap();
        assert_eq!(memory.matches('M').count(), 2);
    }

    #[test]
    fn times_stay_inside_their_chart() {
        let scale = ChartScale::Times;
        assert_eq!((scale.y(0.0), scale.y(1.0), scale.y(1e9)), (FOOT, FOOT, TOP));
        assert!((scale.y(100.0) - (FOOT + TOP) / 2.0).abs() < 1e-9);
    }
}
