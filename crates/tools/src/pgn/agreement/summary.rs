//! How often engines agree with people, as a table and as JSON.

use crate::pgn::bands::band_json;
use bartizan_analysis::agreement::{BandAgreement, EngineAgreement, MoveSampling};
use bartizan_stats::Interval;
use bartizan_types::Escaped;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The probability below which a difference counts as significant.
const SIGNIFICANT: f64 = 0.05;

/// A table of the bands and the engines, whose names are given. `games` are all games and the broken ones.
pub(super) fn text(bands: &[BandAgreement], names: &[String], games: [usize; 2]) -> String {
    let positions: u64 = bands.iter().map(|band| band.positions).sum();
    let mut text = format!("{} games, {positions} positions", games[0]);
    if games[1] > 0 {
        let _ = write!(text, ", {} broken games left out", games[1]);
    }
    let labels: Vec<String> = bands.iter().map(|band| band.band.to_string()).collect();
    let names: Vec<String> = names.iter().map(|name| Escaped(name).to_string()).collect();
    let width =
        |texts: &[String], head: &str| texts.iter().fold(head.len(), |most, text| most.max(text.chars().count()));
    let (label_width, name_width) = (width(&labels, "rating"), width(&names, "engine"));
    let _ = write!(
        text,
        "\n\n{:<label_width$}  positions  {:<name_width$}  agrees, %             behind the best, points    p\n",
        "rating", "engine"
    );
    for (label, band) in labels.iter().zip(bands) {
        for (index, (name, engine)) in names.iter().zip(&band.engines).enumerate() {
            let is_first = index == 0;
            let (label, positions) =
                if is_first { (label.as_str(), band.positions.to_string()) } else { ("", String::new()) };
            let share = hundredfold(engine.share);
            let mut line = format!("{label:<label_width$}{positions:>11}  {name:<name_width$}  {share:<20}  ");
            match engine.behind_best {
                None => line += "best",
                Some(behind) => {
                    let mark = if behind.p < SIGNIFICANT { " *" } else { "" };
                    let p = if behind.p < 0.0001 { "< 0.0001".to_owned() } else { format!("{:.4}", behind.p) };
                    let _ = write!(line, "{:<25}  {p}{mark}", hundredfold(behind.difference));
                }
            }
            text += &line;
            text.push('\n');
        }
    }
    text
}

/// An interval in per cent.
fn hundredfold(Interval { value, low, high }: Interval) -> String {
    format!("{:.1}", Interval { value: 100.0 * value, low: 100.0 * low, high: 100.0 * high })
}

/// All counts.
pub(super) fn json(
    bands: &[BandAgreement],
    names: &[String],
    [games, broken]: [usize; 2],
    sampling: MoveSampling,
) -> Value {
    let engine = |(name, engine): (&String, &EngineAgreement)| {
        json!({
            "name": name,
            "agreed": engine.agreed,
            "share": engine.share,
            "behind_best": engine.behind_best,
        })
    };
    let band = |band: &BandAgreement| {
        let mut object = band_json(band.band);
        object.insert("positions".to_owned(), json!(band.positions));
        object.insert("best".to_owned(), json!(names[band.best]));
        object.insert("engines".to_owned(), names.iter().zip(&band.engines).map(engine).collect());
        Value::Object(object)
    };
    json!({
        "games": games,
        "broken": broken,
        "from_ply": sampling.from_ply,
        "seed": sampling.seed,
        "bands": bands.iter().map(band).collect::<Vec<_>>(),
    })
}
