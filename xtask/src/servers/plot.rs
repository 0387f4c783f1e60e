//! Small plots side by side as one SVG, for light and dark pages.

use std::fmt::Write;

/// One plot: values over another quantity, both axes from 0.
pub(super) struct Plot {
    pub(super) title: &'static str,
    /// The label of the horizontal axis.
    pub(super) over: &'static str,
    pub(super) points: Vec<(f64, f64)>,
    pub(super) expected: Expected,
}

/// The expected shape of the points, drawn as a dashed line.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Expected {
    /// A line from 0: twice as much costs twice as much.
    Proportional,
    /// The level of the mean.
    Constant,
}

/// The layout, in pixels.
const COLUMN: f64 = 380.0;
const ROW: f64 = 250.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 356.0;
const TOP: f64 = 44.0;
const FOOT: f64 = 196.0;
const HEAD: f64 = 66.0;
const TICKS: f64 = 4.0;

/// The colours and fonts of plots.
pub(crate) const STYLE: &str = "\
  text { font: 14px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; fill: #24292f }
  .paper { fill: #ffffff }
  .title { font-size: 17px; font-weight: 600 }
  .note, .tick, .over { font-size: 12px; fill: #57606a }
  .tick { text-anchor: end; font-variant-numeric: tabular-nums }
  .over { text-anchor: middle }
  .grid { stroke: #d8dee4; stroke-width: 1 }
  .expected { stroke: #57606a; stroke-width: 1; stroke-dasharray: 4 4 }
  .line { stroke: #5a8f3d; stroke-width: 2; fill: none }
  .point { fill: #5a8f3d }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .paper { fill: #0d1117 }
    .note, .tick, .over { fill: #9198a1 }
    .grid { stroke: #2a313a }
    .expected { stroke: #9198a1 }
    .line { stroke: #79b356 }
    .point { fill: #79b356 }
  }
";

/// The picture, with two plots per row.
pub(super) fn svg(title: &str, note: &str, plots: &[Plot]) -> String {
    let width = 2.0 * COLUMN;
    let height = HEAD + ROW * plots.len().div_ceil(2) as f64;
    let mut picture = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        picture,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">
<title>{title}</title>
<style>
{STYLE}</style>
<rect class="paper" width="100%" height="100%" rx="8"/>
<text class="title" x="24" y="34">{title}</text>
<text class="note" x="24" y="54">{note}</text>"#
    );
    for (at, plot) in plots.iter().enumerate() {
        let (x, y) = ((at % 2) as f64 * COLUMN, HEAD + (at / 2) as f64 * ROW);
        let _ = write!(picture, "<g transform=\"translate({x} {y})\">\n{}</g>\n", draw(plot));
    }
    picture.push_str("</svg>\n");
    picture
}

fn draw(plot: &Plot) -> String {
    let right = PlotAxis::upto(plot.points.iter().map(|point| point.0));
    let up = PlotAxis::upto(plot.points.iter().map(|point| point.1));
    let x = |value: f64| LEFT + (RIGHT - LEFT) * value / right.max;
    let y = |value: f64| FOOT - (FOOT - TOP) * value / up.max;
    let mut text = format!("<text x=\"{LEFT}\" y=\"24\">{}</text>\n", plot.title);
    for tick in up.ticks() {
        let _ = writeln!(
            text,
            r#"<line class="grid" x1="{LEFT}" y1="{0:.1}" x2="{RIGHT}" y2="{0:.1}"/>
<text class="tick" x="{1}" y="{2:.1}">{3}</text>"#,
            y(tick),
            LEFT - 8.0,
            y(tick) + 4.0,
            grouped(tick)
        );
    }
    for tick in right.ticks() {
        let _ = writeln!(
            text,
            r#"<text class="over" x="{:.1}" y="{}">{}</text>"#,
            x(tick),
            FOOT + 18.0,
            grouped(tick)
        );
    }
    let (from, to) = expected(plot, right.max);
    let _ = writeln!(
        text,
        r#"<text class="over" x="{}" y="{}">{}</text>
<line class="expected" x1="{LEFT}" y1="{:.1}" x2="{RIGHT}" y2="{:.1}"/>"#,
        (LEFT + RIGHT) / 2.0,
        FOOT + 38.0,
        plot.over,
        y(from),
        y(to)
    );
    let spots = plot.points.iter().map(|point| (x(point.0), y(point.1)));
    let path: Vec<String> = spots.clone().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    let _ = writeln!(text, "<path class=\"line\" d=\"M{}\"/>", path.join("L"));
    for (x, y) in spots {
        let _ = writeln!(text, r#"<circle class="point" cx="{x:.1}" cy="{y:.1}" r="3.5"/>"#);
    }
    text
}

/// The two ends of the expected line, at 0 and at the right end.
fn expected(plot: &Plot, right: f64) -> (f64, f64) {
    let sum = |value: fn(&(f64, f64)) -> f64| plot.points.iter().map(value).sum::<f64>();
    match plot.expected {
        Expected::Proportional => {
            (0.0, right * sum(|(x, y)| x * y) / sum(|(x, _)| x * x).max(f64::MIN_POSITIVE))
        }
        Expected::Constant => {
            let mean = sum(|(_, y)| *y) / plot.points.len().max(1) as f64;
            (mean, mean)
        }
    }
}

/// An axis from 0 to a round number.
pub(crate) struct PlotAxis {
    pub(crate) max: f64,
    step: f64,
}

impl PlotAxis {
    pub(crate) fn upto(values: impl Iterator<Item = f64>) -> PlotAxis {
        let greatest = values.fold(f64::MIN_POSITIVE, f64::max);
        let rough = greatest / TICKS;
        let power = 10f64.powf(rough.log10().floor());
        let round = [1.0, 2.0, 2.5, 5.0, 10.0].map(|step| step * power);
        let step = round.into_iter().find(|step| *step >= rough * 0.999).unwrap_or(rough);
        PlotAxis { max: step * (greatest / step).ceil(), step }
    }

    pub(crate) fn ticks(&self) -> impl Iterator<Item = f64> {
        let (count, step) = ((self.max / self.step).round() as usize, self.step);
        (0..=count).map(move |at| at as f64 * step)
    }
}

/// A number with separated thousands.
pub(crate) fn grouped(value: f64) -> String {
    if value.fract() != 0.0 {
        return format!("{value:.1}");
    }
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_round_and_contain_all_values() {
        for (greatest, max) in [(4000.0, 4000.0), (37.2, 40.0), (0.9, 1.0), (101.0, 150.0)] {
            let axis = PlotAxis::upto([1e-9, greatest].into_iter());
            assert!((axis.max - max).abs() < 1e-9, "{greatest}: {}", axis.max);
        }
    }

    #[test]
    fn the_dashed_line_goes_through_expected_points() {
        let plot = |expected| Plot {
            title: "t",
            over: "o",
            points: vec![(1.0, 3.0), (2.0, 6.0), (4.0, 12.0)],
            expected,
        };
        assert_eq!(expected(&plot(Expected::Proportional), 5.0), (0.0, 15.0));
        assert_eq!(expected(&plot(Expected::Constant), 5.0), (7.0, 7.0));
        let picture = svg("Costs", "n", &[plot(Expected::Proportional), plot(Expected::Constant)]);
        assert_eq!(picture.matches("<circle").count(), 6);
        assert!(picture.ends_with("</svg>\n") && picture.contains("viewBox=\"0 0 760 316\""));
    }

    #[test]
    fn thousands_are_separated() {
        let texts = [0.0, 12.0, 4000.0, 1_250_000.0, 2.5].map(grouped);
        assert_eq!(texts, ["0", "12", "4,000", "1,250,000", "2.5"]);
    }
}
