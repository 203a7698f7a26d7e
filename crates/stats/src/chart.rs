//! Line charts as SVG: two axes with round ticks, curves and dots, a legend.

use std::fmt::{self, Write as _};

/// Size of the picture and its margins, in pixels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 60.0;
const BOTTOM: f64 = 50.0;

/// The colours of the series, in order: those of matplotlib.
const COLORS: [&str; MOST_SERIES] = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#8c564b", "#e377c2"];

/// The number of series that a chart has a colour for; further ones are not drawn.
pub const MOST_SERIES: usize = 6;

/// About how many ticks an axis has.
const TICKS: f64 = 6.0;

/// A chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The line above the chart.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn; the first [`MOST_SERIES`] are.
    pub series: Vec<Series>,
}

/// What is drawn in one colour.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// What the legend calls it; without a name, the legend leaves it out.
    pub name: String,
    /// The points that a line connects.
    pub line: Vec<[f64; 2]>,
    /// Single points.
    pub dots: Vec<[f64; 2]>,
    /// Ranges of y, each with its x, low and high end.
    pub ranges: Vec<[f64; 3]>,
}

/// A range of numbers, and how they are placed.
#[derive(Clone, Debug)]
pub struct Axis {
    label: String,
    low: f64,
    high: f64,
    scale: Scale,
    unit: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Scale {
    Linear,
    Logarithmic,
}

impl Axis {
    /// An axis from `low` to `high`. An empty or infinite range is widened to something that can be drawn.
    pub fn linear(label: &str, low: f64, high: f64) -> Self {
        let (low, high) = match (low.is_finite() && high.is_finite(), low < high) {
            (true, true) => (low, high),
            (true, false) => (low - 1e-6 * low.abs().max(1.0), low + 1e-6 * low.abs().max(1.0)),
            (false, _) => (0.0, 1.0),
        };
        Self { label: label.to_owned(), low, high, scale: Scale::Linear, unit: "" }
    }

    /// A logarithmic axis with a tick at each power of ten. Both ends must be positive, and `low` the smaller one.
    pub fn logarithmic(label: &str, low: f64, high: f64) -> Self {
        Self { label: label.to_owned(), low, high, scale: Scale::Logarithmic, unit: "" }
    }

    /// The same axis with a unit behind the number of each tick.
    pub fn with_unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// Where a number lies, from 0 at the low end to 1 at the high end.
    fn place(&self, number: f64) -> f64 {
        let [low, number, high] = match self.scale {
            Scale::Linear => [self.low, number, self.high],
            Scale::Logarithmic => [self.low, number.max(self.low), self.high].map(f64::log10),
        };
        (number - low) / (high - low)
    }

    /// The numbers with a tick, and their texts.
    fn ticks(&self) -> Vec<(f64, String)> {
        match self.scale {
            Scale::Linear => {
                let step = round_step((self.high - self.low) / TICKS);
                let decimals = (-step.log10().floor()).max(0.0) as usize;
                let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
                let number = |tick: i64| tick as f64 * step;
                (first..=last).map(|tick| (number(tick), format!("{:.decimals$}{}", number(tick), self.unit))).collect()
            }
            Scale::Logarithmic => {
                let powers = self.low.log10().ceil() as i32..=self.high.log10().floor() as i32;
                let number = |power: i32| 10_f64.powi(power);
                powers.map(|power| (number(power), format!("{}{}", number(power), self.unit))).collect()
            }
        }
    }
}

/// The smallest of 1, 2, 5 times a power of ten that is not below `step`.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power).into_iter().find(|&round| round >= step).unwrap_or(step)
}

impl Chart {
    fn x(&self, number: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * self.x.place(number)
    }

    fn y(&self, number: f64) -> f64 {
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * self.y.place(number)
    }

    fn grid(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for (number, text) in self.x.ticks() {
            let (x, y) = (self.x(number), bottom + 18.0);
            writeln!(f, r##"<line x1="{x:.1}" y1="{TOP}" x2="{x:.1}" y2="{bottom}" stroke="#ddd"/>"##)?;
            writeln!(f, r#"<text x="{x:.1}" y="{y}" text-anchor="middle">{text}</text>"#)?;
        }
        for (number, text) in self.y.ticks() {
            let (x, y) = (LEFT - 6.0, self.y(number));
            writeln!(f, r##"<line x1="{LEFT}" y1="{y:.1}" x2="{right}" y2="{y:.1}" stroke="#ddd"/>"##)?;
            writeln!(f, r#"<text x="{x}" y="{:.1}" text-anchor="end">{text}</text>"#, y + 4.0)?;
        }
        let (x, y) = ((LEFT + right) / 2.0, (TOP + bottom) / 2.0);
        writeln!(f, r#"<text x="{x}" y="{}" text-anchor="middle">{}</text>"#, HEIGHT - 12.0, escape(&self.x.label))?;
        let turned = format!(r#"text-anchor="middle" transform="rotate(-90 16 {y})""#);
        writeln!(f, r#"<text x="16" y="{y}" {turned}>{}</text>"#, escape(&self.y.label))
    }

    /// The names in the colours of their series, below the title.
    fn legend(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.series.iter().zip(COLORS).filter(|(series, _)| !series.name.is_empty());
        let mut names = String::new();
        for (series, color) in named {
            write!(names, r#"<tspan dx="12" fill="{color}">{}</tspan>"#, escape(&series.name))?;
        }
        if names.is_empty() { Ok(()) } else { writeln!(f, r#"<text x="{}" y="46">{names}</text>"#, LEFT - 12.0) }
    }

    fn draw(&self, f: &mut fmt::Formatter<'_>, series: &Series, color: &str) -> fmt::Result {
        fn is_drawable<const N: usize>(point: &&[f64; N]) -> bool {
            point.iter().all(|number| number.is_finite())
        }
        let mut points = String::new();
        for &[x, y] in series.line.iter().filter(is_drawable) {
            write!(points, "{}{:.1},{:.1}", if points.is_empty() { "" } else { " " }, self.x(x), self.y(y))?;
        }
        if !points.is_empty() {
            writeln!(f, r#"<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>"#)?;
        }
        for &[x, low, high] in series.ranges.iter().filter(is_drawable) {
            let (x, low, high) = (self.x(x), self.y(low), self.y(high));
            writeln!(f, r#"<line x1="{x:.1}" y1="{low:.1}" x2="{x:.1}" y2="{high:.1}" stroke="{color}"/>"#)?;
        }
        for &[x, y] in series.dots.iter().filter(is_drawable) {
            writeln!(f, r#"<circle cx="{:.1}" cy="{:.1}" r="3" fill="{color}"/>"#, self.x(x), self.y(y))?;
        }
        Ok(())
    }
}

/// The chart as the text of an SVG file.
impl fmt::Display for Chart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let font = r#"font-family="sans-serif" font-size="13""#;
        writeln!(f, r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {font}>"#)?;
        writeln!(f, r#"<rect width="100%" height="100%" fill="white"/>"#)?;
        writeln!(f, r#"<text x="{LEFT}" y="24" font-weight="bold">{}</text>"#, escape(&self.title))?;
        self.grid(f)?;
        self.legend(f)?;
        self.series.iter().zip(COLORS).try_for_each(|(series, color)| self.draw(f, series, color))?;
        writeln!(f, "</svg>")
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let texts = |axis: Axis| axis.ticks().into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(texts(Axis::linear("", 0.0, 1.0)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(texts(Axis::linear("", 0.0, 100.0).with_unit(" %"))[..2], ["0 %", "20 %"]);
        assert_eq!(texts(Axis::linear("", 0.1312, 0.1339)), ["0.1315", "0.1320", "0.1325", "0.1330", "0.1335"]);
        assert_eq!(texts(Axis::logarithmic("", 1e-3, 30.0)), ["0.001", "0.01", "0.1", "1", "10"]);
    }

    #[test]
    fn any_range_and_any_number_can_be_drawn() {
        let ends = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, 1e-9, -7.5, 1e12];
        for low in ends {
            for high in ends {
                let line = ends.map(|number| [number, number]).to_vec();
                let ranges = ends.map(|number| [number, number, -number]).to_vec();
                let series = vec![Series { name: "a<b".to_owned(), dots: line.clone(), line, ranges }];
                let axis = Axis::linear("x", low, high);
                let svg = Chart { title: "A & B".to_owned(), x: axis.clone(), y: axis, series }.to_string();
                assert!(svg.contains("A &amp; B") && svg.contains("a&lt;b") && svg.ends_with("</svg>\n"));
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{low} {high}: {svg}");
                assert!(svg.len() < 20_000, "{low} {high}");
            }
        }
    }
}
