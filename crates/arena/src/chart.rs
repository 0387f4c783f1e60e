//! A bar chart with intervals as SVG, for light and dark pages.

use std::fmt::Write;

use crate::statistics::Estimate;

/// One bar.
pub(crate) struct Bar<'a> {
    pub(crate) label: &'a str,
    pub(crate) value: Estimate,
}

/// The layout, in pixels.
const WIDTH: f64 = 760.0;
const LEFT: f64 = 170.0;
const RIGHT: f64 = 580.0;
const TOP: f64 = 78.0;
const ROW: f64 = 36.0;
const THICK: f64 = 20.0;

const STYLE: &str = "\
  text { font: 14px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; fill: #24292f }
  .paper { fill: #ffffff }
  .title { font-size: 17px; font-weight: 600 }
  .note, .tick { font-size: 12px; fill: #57606a }
  .tick { text-anchor: middle }
  .label { text-anchor: end }
  .value { font-variant-numeric: tabular-nums }
  .grid { stroke: #d8dee4; stroke-width: 1 }
  .zero { stroke: #57606a; stroke-width: 1 }
  .better { fill: #5a8f3d }
  .worse { fill: #c0704a }
  .whisker { stroke: #24292f; stroke-width: 1.5; fill: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .paper { fill: #0d1117 }
    .note, .tick { fill: #9198a1 }
    .grid { stroke: #2a313a }
    .zero { stroke: #9198a1 }
    .better { fill: #79b356 }
    .worse { fill: #d98a63 }
    .whisker { stroke: #e6edf3 }
  }
";

/// The chart, with the bars in the given order.
pub(crate) fn svg(title: &str, note: &str, bars: &[Bar<'_>]) -> String {
    let axis = Axis::over(bars);
    let foot = TOP + ROW * bars.len() as f64;
    let height = foot + 34.0;
    let mut picture = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        picture,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">
<title>{title}</title>
<style>
{STYLE}</style>
<rect class="paper" width="100%" height="100%" rx="8"/>
<text class="title" x="24" y="34">{title}</text>
<text class="note" x="24" y="54">{note}</text>"#,
        title = escaped(title),
        note = escaped(note),
    );
    for tick in axis.ticks() {
        let (x, text) = (axis.x(tick), axis.label(tick));
        let class = if tick == 0.0 { "zero" } else { "grid" };
        let _ = writeln!(
            picture,
            r#"<line class="{class}" x1="{x:.1}" y1="{TOP}" x2="{x:.1}" y2="{foot}"/>
<text class="tick" x="{x:.1}" y="{:.1}">{text}</text>"#,
            foot + 18.0
        );
    }
    for (at, bar) in bars.iter().enumerate() {
        picture.push_str(&row(&axis, TOP + ROW * (at as f64 + 0.5), bar));
    }
    picture.push_str("</svg>\n");
    picture
}

fn row(axis: &Axis, middle: f64, bar: &Bar<'_>) -> String {
    let Estimate { mean, plus_minus } = bar.value;
    let (zero, end) = (axis.x(0.0), axis.x(mean));
    let class = if mean < 0.0 { "worse" } else { "better" };
    let baseline = middle + 5.0;
    let mut text = format!(
        r#"<text class="label" x="{:.1}" y="{baseline:.1}">{}</text>
<rect class="{class}" x="{:.1}" y="{:.1}" width="{:.1}" height="{THICK}" rx="2"/>
"#,
        LEFT - 14.0,
        escaped(&short(bar.label)),
        zero.min(end),
        middle - THICK / 2.0,
        (end - zero).abs(),
    );
    if let Some(half) = plus_minus {
        let (from, to) = (axis.x(mean - half), axis.x(mean + half));
        let (up, down) = (middle - 5.0, middle + 5.0);
        let _ = writeln!(
            text,
            r#"<path class="whisker" d="M{from:.1} {middle:.1}H{to:.1}M{from:.1} {up:.1}V{down:.1}M{to:.1} {up:.1}V{down:.1}"/>"#
        );
    }
    let value = match plus_minus {
        Some(half) => format!("{} ± {half:.2}", two_decimals(mean)),
        None => two_decimals(mean),
    };
    let _ = writeln!(
        text,
        r#"<text class="value" x="{:.1}" y="{baseline:.1}">{value}</text>"#,
        RIGHT + 20.0
    );
    text
}

/// Two decimals, with a true minus, which is as wide as the plus.
fn two_decimals(value: f64) -> String {
    format!("{value:+.2}").replace('-', "\u{2212}")
}

/// The scale under the bars: from `min` to `max`, in round steps.
struct Axis {
    min: f64,
    max: f64,
    step: f64,
}

impl Axis {
    /// An axis that contains zero and every bar with its interval.
    fn over(bars: &[Bar<'_>]) -> Axis {
        let reach = |sign: f64| {
            let ends = bars
                .iter()
                .map(|bar| sign * bar.value.mean + bar.value.plus_minus.unwrap_or_default());
            ends.fold(0.0, f64::max)
        };
        let (below, above) = (reach(-1.0), reach(1.0));
        let step = round_step((below + above).max(0.001) / 6.0);
        let whole = |reach: f64| (reach / step).ceil() * step;
        let (min, max) = (-whole(below), whole(above));
        // If all bars are 0, the axis still needs a width.
        if min == max { Axis { min: -1.0, max: 1.0, step: 1.0 } } else { Axis { min, max, step } }
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + (RIGHT - LEFT) * (value - self.min) / (self.max - self.min)
    }

    fn ticks(&self) -> Vec<f64> {
        let from = (self.min / self.step).round() as i64;
        let to = (self.max / self.step).round() as i64;
        (from..=to).map(|tick| tick as f64 * self.step).collect()
    }

    fn label(&self, tick: f64) -> String {
        let decimals = (-self.step.log10().floor()).max(0.0) as usize;
        format!("{tick:.decimals$}").replace('-', "\u{2212}")
    }
}

/// The smallest of 1, 2, 5, 10, … times a power of ten that is not below `rough`.
fn round_step(rough: f64) -> f64 {
    let power = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    steps.into_iter().find(|step| step * power >= rough * 0.999).unwrap_or(10.0) * power
}

fn short(label: &str) -> String {
    if label.chars().count() <= 18 {
        return label.into();
    }
    label.chars().take(17).chain(['…']).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (rough, step) in
            [(0.7, 1.0), (1.0, 1.0), (1.1, 2.0), (3.0, 5.0), (7.0, 10.0), (0.03, 0.05)]
        {
            assert!((round_step(rough) - step).abs() < 1e-9, "{rough}");
        }
    }

    #[test]
    fn every_bar_lies_on_the_axis() {
        let estimate = |mean, half| Estimate { mean, plus_minus: Some(half) };
        let value = [estimate(12.3, 1.5), estimate(-4.0, 0.7), estimate(-8.3, 1.1)];
        let bars = value.map(|value| Bar { label: "a <b>", value });
        let axis = Axis::over(&bars);
        for bar in &bars {
            let half = bar.value.plus_minus.expect("an interval");
            for end in [bar.value.mean - half, bar.value.mean + half, 0.0] {
                assert!((LEFT..=RIGHT).contains(&axis.x(end)), "{end}");
            }
        }
        assert!(axis.ticks().contains(&0.0) && axis.ticks().len() <= 9, "{:?}", axis.ticks());
        let picture = svg("t", "n", &bars);
        assert_eq!(picture.matches("<rect").count(), 4);
        assert!(picture.contains("a &lt;b&gt;") && !picture.contains("NaN"));
        let even = svg("t", "n", &[Bar { label: "x", value: estimate(0.0, 0.0) }]);
        assert!(!even.contains("NaN") && !even.contains("inf"), "{even}");
    }
}
