//! How the levels err, compared with people and with the limited levels of Stockfish.

use super::engines::{self, RIVALS};
use super::games::{Game, Match, first_moves};
use super::people::{BANDS, COUNT, FIGURES, Figures, LEGEND, distance, nearest, outside};
use super::{Lab, Report, ladder};
use crate::error::{Error, Result};
use crate::files;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;

/// Games of each player: half against each neighbour.
const GAMES: u32 = 100;

/// Nodes with which each position is judged, as for the figures of people.
const NODES: &str = "20000";

/// The plies in which openings are compared.
const PLIES: usize = 10;

/// The conduct of a player.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    name: String,
    rating: u32,
    games: u64,
    figures: Figures,
    /// Recaptures missed, in per cent.
    recaptures: Option<f64>,
}

pub(super) fn run(lab: &Lab<'_>) -> Result<Report> {
    let levels = of_levels(lab)?;
    let variety = variety(lab)?;
    let rivals = match engines::opponent("stockfish", "stockfish") {
        Ok(stockfish) => of_rivals(lab, &stockfish)?,
        Err(_) => {
            (lab.report)("conduct: 'stockfish' is not installed, so the levels are compared with people only");
            Vec::new()
        }
    };
    let data = json!({
        "levels": levels.iter().map(Row::json).collect::<Value>(),
        "stockfish": rivals.iter().map(Row::json).collect::<Value>(),
        "distinct_openings": json!(variety),
    });
    Ok(Report { text: text(&levels, &rivals, &variety), data })
}

/// The conduct of the levels against their neighbours, in the first games of the ladder.
fn of_levels(lab: &Lab<'_>) -> Result<Vec<Row>> {
    let games = lab.games_or(GAMES);
    let mut text = String::new();
    for (number, pair) in lab.levels.windows(2).enumerate() {
        // The weakest and the strongest level have only one neighbour.
        let is_end = number == 0 || number + 2 == lab.levels.len();
        let wanted = if is_end { games } else { games.div_ceil(2) };
        let played = ladder::play(lab, pair[0], pair[1], wanted)?.games()?;
        text.extend(played.iter().take(wanted as usize).map(|game| game.pgn.as_str()));
    }
    let ratings = lab.levels.iter().map(|&level| (level.to_string(), level)).collect();
    count(lab, "conduct-levels", &text, &ratings)
}

/// The conduct of Stockfish's levels, each against the next one.
fn of_rivals(lab: &Lab<'_>, stockfish: &Path) -> Result<Vec<Row>> {
    let games = lab.games_or(GAMES);
    let mut text = String::new();
    for (number, pair) in RIVALS.windows(2).enumerate() {
        let is_end = number == 0 || number + 2 == RIVALS.len();
        let wanted = if is_end { games } else { games.div_ceil(2) };
        let specs = pair.iter().map(|rival| rival.in_games(stockfish)).collect();
        let played = Match::new(lab, format!("stockfish-{number}"), specs, wanted).play(lab)?.games()?;
        text.extend(played.iter().take(wanted as usize).map(|game: &Game| game.pgn.as_str()));
    }
    let ratings = RIVALS.iter().map(|rival| (rival.label(), rival.rating)).collect();
    count(lab, "conduct-stockfish", &text, &ratings)
}

/// Counts the conduct of the players of some games by name.
fn count(lab: &Lab<'_>, name: &str, pgn: &str, ratings: &BTreeMap<String, u32>) -> Result<Vec<Row>> {
    let [games, journal] = ["pgn", "jsonl"].map(|extension| lab.file(&format!("{name}.{extension}")));
    // The counts of other games do not count.
    if files::read(&games).is_ok_and(|old| old != pgn) && journal.exists() {
        std::fs::remove_file(&journal).map_err(Error::io(&journal))?;
    }
    files::replace(&games, pgn)?;
    (lab.report)(&format!("{name}: judging the moves"));
    let (games, concurrency) = (games.display().to_string(), lab.concurrency.to_string());
    let args = ["pgn", "conduct", &games, "--nodes", NODES, "--by", "name", "--concurrency", &concurrency, "--json"];
    let args: Vec<String> = args.map(str::to_owned).into_iter().chain(lab.journal(name)).collect();
    let found = lab.tools(&args)?;
    let mut rows = Vec::new();
    for row in found["rows"].as_array().into_iter().flatten() {
        let name = row["name"].as_str().unwrap_or_default();
        if let Some(&rating) = ratings.get(name) {
            rows.push(Row::read(name, rating, row));
        }
    }
    if rows.len() != ratings.len() {
        return Err(Error::Check(format!("'{games}': found {} of {} players", rows.len(), ratings.len())));
    }
    rows.sort_by_key(|row| row.rating);
    Ok(rows)
}

impl Row {
    /// Reads a row of `bartizan-tools pgn conduct --json`.
    fn read(name: &str, rating: u32, row: &Value) -> Self {
        let share = |value: &Value| {
            let (count, of) = (value["count"].as_f64()?, value["of"].as_f64()?);
            (of > 0.0).then(|| 100.0 * count / of)
        };
        let losses = &row["losses"];
        let loss = |key: &str| share(&json!({ "count": losses[key], "of": losses["moves"] }));
        let figures = [
            share(&row["gifts_left"]),
            share(&row["gifts_taken"]),
            share(&row["undone"]),
            share(&row["king_walks"]),
            share(&row["mates_missed"]),
            losses["mean"].as_f64(),
            loss("under_1"),
            loss("from_5"),
            loss("from_10"),
            loss("from_15"),
            loss("from_30"),
        ];
        let games = row["games"].as_u64().unwrap_or_default();
        Self { name: name.to_owned(), rating, games, figures, recaptures: share(&row["recaptures_missed"]) }
    }

    fn json(&self) -> Value {
        let band = nearest(&self.figures);
        let figures = FIGURES.iter().zip(self.figures).map(|(figure, value)| (figure.name.to_owned(), json!(value)));
        json!({
            "name": self.name,
            "rating": self.rating,
            "games": self.games,
            "figures": figures.collect::<serde_json::Map<_, _>>(),
            "recaptures_missed": self.recaptures,
            "nearest": BANDS[band].name,
            "outside": outside(&self.figures, band).iter().map(|&index| FIGURES[index].name).collect::<Value>(),
        })
    }

    /// The cells of the figures; those outside a band and its neighbours are bold.
    fn cells(&self, outside: &[usize]) -> String {
        let cell = |(index, value): (usize, &Option<f64>)| {
            let decimals = FIGURES[index].decimals;
            let text = value.map_or_else(|| "–".to_owned(), |value| format!("{value:.decimals$}"));
            if outside.contains(&index) { format!(" **{text}** |") } else { format!(" {text} |") }
        };
        self.figures.iter().enumerate().map(cell).collect()
    }
}

/// Games of each level against itself from the initial position, with the book: how many openings differ?
fn variety(lab: &Lab<'_>) -> Result<Vec<(u32, usize, usize)>> {
    let mut found = Vec::new();
    for &level in lab.levels {
        let with_book = engines::untimed(&lab.engine, level).replace("OwnBook=false", "OwnBook=true");
        let mut game =
            Match::new(lab, format!("variety-{level}"), vec![with_book.clone(), with_book], lab.games_or(GAMES));
        game.args = ["--max-moves", &(PLIES / 2).to_string()].map(str::to_owned).to_vec();
        let games = game.play(lab)?.games()?;
        let openings: HashSet<Vec<String>> = games.iter().map(|game| first_moves(&game.pgn, PLIES)).collect();
        found.push((level, openings.len(), games.len()));
    }
    Ok(found)
}

/// The rival whose rating is nearest to that of a level.
fn equal_of(rivals: &[Row], rating: u32) -> Option<&Row> {
    rivals.iter().min_by_key(|rival| rival.rating.abs_diff(rating))
}

fn text(levels: &[Row], rivals: &[Row], variety: &[(u32, usize, usize)]) -> String {
    let headings: String = FIGURES.iter().map(|figure| format!(" {} |", figure.name)).collect();
    let heading = |first: &str, last: &str| {
        let lines = "---:|".repeat(COUNT);
        format!("| {first} | games |{headings} {last} |\n|---|---:|{lines}---|\n")
    };
    let mut text = heading("people", "");
    for band in &BANDS {
        let row = Row { name: String::new(), rating: 0, games: 0, figures: band.figures.map(Some), recaptures: None };
        let _ = writeln!(text, "| {} | |{} |", band.name, row.cells(&[]));
    }
    for (first, rows) in [("level", levels), ("Stockfish 15.1", rivals)] {
        if rows.is_empty() {
            continue;
        }
        let _ = write!(text, "\n{}", heading(first, "nearest people"));
        for row in rows {
            let band = nearest(&row.figures);
            let outside = outside(&row.figures, band);
            let name = row.name.trim_start_matches("Stockfish ");
            let _ = writeln!(text, "| {name} | {} |{} {} |", row.games, row.cells(&outside), BANDS[band].name);
        }
    }
    let _ = writeln!(text, "\nBold: outside the range of the nearest people and their neighbours. {LEGEND}\n");
    let _ = writeln!(
        text,
        "| level | figures in range | nearer to people than | recaptures missed | distinct first {PLIES} plies |\n\
         |---:|---:|---|---:|---:|"
    );
    for row in levels {
        let band = nearest(&row.figures);
        let counted = row.figures.iter().flatten().count();
        let inside = counted - outside(&row.figures, band).len();
        let nearer = equal_of(rivals, row.rating).map_or_else(
            || "–".to_owned(),
            |rival| {
                let (nearer, of) = nearer(row, rival, band);
                format!("{}: {nearer} of {of}", rival.name)
            },
        );
        let recaptures = row.recaptures.map_or_else(|| "–".to_owned(), |share| format!("{share:.1} %"));
        let distinct = variety.iter().find(|(level, ..)| *level == row.rating);
        let distinct = distinct.map_or_else(String::new, |(_, distinct, games)| format!("{distinct} of {games}"));
        let _ = writeln!(text, "| {} | {inside} of {counted} | {nearer} | {recaptures} | {distinct} |", row.name);
    }
    text
}

/// In how many figures, and of how many, a level is nearer to a band of people than a rival is.
fn nearer(level: &Row, rival: &Row, band: usize) -> (usize, usize) {
    let pairs = (0..COUNT).filter_map(|index| {
        let [one, other] = [level.figures[index]?, rival.figures[index]?];
        Some([one, other].map(|value| distance(index, value, &BANDS[band])))
    });
    let pairs: Vec<[f64; 2]> = pairs.collect();
    (pairs.iter().filter(|[one, other]| one < other).count(), pairs.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, rating: u32, figures: [f64; COUNT]) -> Row {
        Row { name: name.to_owned(), rating, games: 100, figures: figures.map(Some), recaptures: Some(12.34) }
    }

    #[test]
    fn rows_are_read() {
        let share = |count: u32, of: u32| json!({ "count": count, "of": of });
        let value = json!({
            "name": "800", "games": 100, "moves": 4000, "gifts_left": share(200, 4000), "gifts_taken": share(3, 4),
            "undone": share(10, 1000), "king_walks": share(5, 1000), "mates_missed": share(0, 0),
            "recaptures_missed": share(1, 8),
            "losses": { "moves": 100, "mean": 5.5, "under_1": 50, "from_5": 25, "from_10": 10, "from_15": 5,
                        "from_30": 2 },
        });
        let row = Row::read("800", 800, &value);
        let expected = [5.0, 75.0, 1.0, 0.5, -1.0, 5.5, 50.0, 25.0, 10.0, 5.0, 2.0];
        assert_eq!(row.figures, expected.map(|value: f64| (value >= 0.0).then_some(value)));
        assert_eq!((row.games, row.recaptures), (100, Some(12.5)));
        assert!(row.cells(&[0]).starts_with(" **5.0** | 75 | 1.0 | 0.5 | – | 5.5 |"), "{}", row.cells(&[0]));
    }

    #[test]
    fn levels_are_held_against_people_and_rivals() {
        let mut figures = BANDS[1].figures;
        figures[0] = 9.5;
        let level = row("800", 800, figures);
        let mut worse = BANDS[1].figures.map(|value| value + 1.0);
        worse[0] = 5.0;
        let rivals = [row("Stockfish Skill 0", 1320, worse), row("Stockfish Skill 9", 2703, worse)];
        assert_eq!(nearer(&level, &rivals[0], 1), (10, 11));
        let text = text(&[level], &rivals, &[(800, 93, 100)]);
        assert!(text.contains("| 800 | 100 | **9.5** | 78 |") && text.contains("| 1000–1199 |\n"), "{text}");
        assert!(text.contains("| 800 | 10 of 11 | Stockfish Skill 0: 10 of 11 | 12.3 % | 93 of 100 |\n"), "{text}");
        assert!(text.contains("| Skill 9 | 100 |"));
    }
}
