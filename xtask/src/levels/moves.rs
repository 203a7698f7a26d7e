//! The share of the moves of people that each level plays, by bands of the people's ratings.

use super::engines::{self, RIVALS, Rival};
use super::{Lab, Report};
use crate::error::{Error, Result};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Positions of each band.
const POSITIONS: u32 = 2_000;

/// The bands: their width, and where the first and the last one begin. Those below the first have too few games.
const BANDS: [&str; 4] = ["--band", "350", "--ratings", "800-2200"];

/// The probability below which a difference counts as significant.
const SIGNIFICANT: f64 = 0.05;

/// How often an engine chooses the moves of a band of people.
#[derive(Clone, Debug, PartialEq)]
struct Share {
    value: f64,
    /// The half-width of the 95 % interval.
    margin: f64,
    /// The probability of such a distance from the best engine of the same run between equal engines; `None` for the
    /// best one.
    p: Option<f64>,
}

/// An engine with its shares by band.
#[derive(Debug)]
struct Row {
    name: String,
    rating: u32,
    shares: Vec<Share>,
}

/// A band of ratings of people.
#[derive(Debug, PartialEq, Eq)]
struct Band {
    name: String,
    low: u32,
    /// `None` for the last band.
    high: Option<u32>,
    positions: u64,
}

impl Band {
    /// The rating for which a level is named that plays as these people.
    fn rating(&self) -> u32 {
        self.high.map_or(self.low, |high| self.low.midpoint(high + 1))
    }
}

/// An engine: name, rating, specification.
type Player = (String, u32, String);

pub(super) fn run(lab: &Lab<'_>) -> Result<Report> {
    let Some(people) = &lab.people else {
        return Err(Error::Skipped("needs the games of people: --people FILE".to_owned()));
    };
    let people = people.display().to_string();
    let of_level = |&level: &u32| (level.to_string(), level, engines::untimed(&lab.engine, level));
    let levels: Vec<Player> = lab.levels.iter().map(of_level).collect();
    let (bands, rows, data) = ask(lab, "moves-levels", &people, &levels)?;
    let mut rivals = Vec::new();
    let mut rival_data = Value::Null;
    match engines::opponent("stockfish", "stockfish") {
        Ok(stockfish) => {
            let of_rival = |rival: &Rival| (rival.label(), rival.rating, rival.in_positions(&stockfish));
            let players: Vec<Player> = RIVALS.iter().map(of_rival).collect();
            (_, rivals, rival_data) = ask(lab, "moves-stockfish", &people, &players)?;
        }
        Err(_) => (lab.report)("moves: 'stockfish' is not installed, so the levels are compared with each other only"),
    }
    Ok(Report { text: text(&bands, &rows, &rivals), data: json!({ "levels": data, "stockfish": rival_data }) })
}

/// Asks engines for their moves. The seed is always the same, so all runs have the same positions.
fn ask(lab: &Lab<'_>, name: &str, people: &str, players: &[Player]) -> Result<(Vec<Band>, Vec<Row>, Value)> {
    (lab.report)(&format!("{name}: asking {} engines for the moves of people", players.len()));
    let positions = lab.games_or(POSITIONS).to_string();
    let concurrency = lab.concurrency.to_string();
    let fixed = ["pgn", "agreement", people, "--positions", &positions, "--concurrency", &concurrency, "--json"];
    let mut args: Vec<String> = fixed.iter().chain(&BANDS).map(|&arg| arg.to_owned()).collect();
    for (.., spec) in players {
        args.extend(["--engine".to_owned(), spec.clone()]);
    }
    args.extend(lab.journal(name));
    let found = lab.tools(&args)?;
    let (bands, rows) = read(&found, players)?;
    Ok((bands, rows, found))
}

/// Reads the output of `pgn agreement --json`.
fn read(found: &Value, players: &[Player]) -> Result<(Vec<Band>, Vec<Row>)> {
    let unknown = || Error::Check("`bartizan-tools pgn agreement --json` has an unknown form".to_owned());
    let row = |(name, rating, _): &Player| Row { name: name.clone(), rating: *rating, shares: Vec::new() };
    let (mut bands, mut rows) = (Vec::new(), players.iter().map(row).collect::<Vec<_>>());
    for band in found["bands"].as_array().ok_or_else(unknown)? {
        let number = |key: &str| band[key].as_u64().and_then(|number| u32::try_from(number).ok());
        let Some(low) = number("low") else { continue };
        bands.push(Band {
            name: band["rating"].as_str().ok_or_else(unknown)?.to_owned(),
            low,
            high: number("high"),
            positions: band["positions"].as_u64().ok_or_else(unknown)?,
        });
        for row in &mut rows {
            let engines = band["engines"].as_array().into_iter().flatten();
            let engine = engines.into_iter().find(|engine| engine["name"] == *row.name).ok_or_else(unknown)?;
            let number = |key: &str| engine["share"][key].as_f64().ok_or_else(unknown);
            let (value, low, high) = (number("value")?, number("low")?, number("high")?);
            row.shares.push(Share { value, margin: (high - low) / 2.0, p: engine["behind_best"]["p"].as_f64() });
        }
    }
    Ok((bands, rows))
}

/// The engine whose rating is nearest.
fn nearest(rows: &[Row], rating: u32) -> Option<&Row> {
    rows.iter().min_by_key(|row| row.rating.abs_diff(rating))
}

fn text(bands: &[Band], levels: &[Row], rivals: &[Row]) -> String {
    let names: String = bands.iter().map(|band| format!(" {} |", band.name)).collect();
    let counts: String = bands.iter().map(|band| format!(" {} |", band.positions)).collect();
    let mut text = format!("| engine |{names}\n|---|{}\n| positions |{counts}\n", "---:|".repeat(bands.len()));
    for row in levels.iter().chain(rivals) {
        let _ = write!(text, "| {} |", row.name);
        for share in &row.shares {
            let mark = if share.p.is_none() { "**" } else { "" };
            let _ = write!(text, " {mark}{:.1} ± {:.1}{mark} |", 100.0 * share.value, 100.0 * share.margin);
        }
        text.push('\n');
    }
    text.push_str(
        "\nIn %, with 95 % intervals; bold: the best level of the band, and the best of Stockfish.\n\n\
         | people | level | among the levels | |\n|---|---:|---|---|\n",
    );
    for (index, band) in bands.iter().enumerate() {
        let Some(own) = nearest(levels, band.rating()) else { continue };
        let best = levels.iter().find(|row| row.shares[index].p.is_none()).map_or("", |row| row.name.as_str());
        let among = match own.shares[index].p {
            None => "the best".to_owned(),
            Some(p) if p < SIGNIFICANT => format!("**significantly worse than {best}**, p = {p:.3}"),
            Some(p) => format!("not significantly worse than {best}, p = {p:.3}"),
        };
        let against = nearest(rivals, own.rating).map_or_else(String::new, |rival| {
            let is_better = own.shares[index].value > rival.shares[index].value;
            format!("{} than {}", if is_better { "better" } else { "**not better**" }, rival.name)
        });
        let _ = writeln!(text, "| {} | {} | {among} | {against} |", band.name, own.name);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn players(names: &[(&str, u32)]) -> Vec<Player> {
        names.iter().map(|&(name, rating)| (name.to_owned(), rating, String::new())).collect()
    }

    fn engine(name: &str, value: f64, p: Option<f64>) -> Value {
        let behind = p.map(|p| json!({ "difference": {}, "p": p }));
        json!({ "name": name, "agreed": 1, "share": { "value": value, "low": value - 0.02, "high": value + 0.02 },
                "behind_best": behind })
    }

    fn found(engines: [[(&str, f64, Option<f64>); 2]; 2]) -> Value {
        let [low, high] = engines.map(|band| band.map(|(name, value, p)| engine(name, value, p)));
        json!({ "bands": [
            { "rating": "under 1000", "low": null, "high": 999, "positions": 3, "engines": [] },
            { "rating": "1000–1399", "low": 1000, "high": 1399, "positions": 2000, "engines": low },
            { "rating": "2400 and more", "low": 2400, "high": null, "positions": 300, "engines": high },
        ] })
    }

    #[test]
    fn levels_are_compared_with_each_other_and_with_rivals() {
        let two = players(&[("1200", 1200), ("2400", 2400)]);
        let levels =
            [[("1200", 0.4, Some(0.2)), ("2400", 0.41, None)], [("1200", 0.42, None), ("2400", 0.38, Some(0.001))]];
        let (bands, levels) = read(&found(levels), &two).unwrap();
        assert_eq!(bands.iter().map(Band::rating).collect::<Vec<_>>(), [1200, 2400]);
        let rivals = players(&[("S 1", 1300), ("S 2", 2300)]);
        let shares = [[("S 1", 0.39, None), ("S 2", 0.3, Some(0.1))], [("S 1", 0.2, Some(0.1)), ("S 2", 0.4, None)]];
        let (_, rivals) = read(&found(shares), &rivals).unwrap();
        let text = text(&bands, &levels, &rivals);
        for line in [
            "| positions | 2000 | 300 |\n| 1200 | 40.0 ± 2.0 | **42.0 ± 2.0** |\n",
            "| 1000–1399 | 1200 | not significantly worse than 2400, p = 0.200 | better than S 1 |\n",
            "| 2400 and more | 2400 | **significantly worse than 1200**, p = 0.001 | **not better** than S 2 |\n",
        ] {
            assert!(text.contains(line), "{line}{text}");
        }
    }

    #[test]
    fn missing_engines_are_an_error() {
        let one = found([[("a", 0.1, None), ("b", 0.1, None)]; 2]);
        assert!(read(&one, &players(&[("c", 1)])).unwrap_err().to_string().contains("unknown form"));
        assert!(read(&json!({}), &[]).is_err());
    }
}
