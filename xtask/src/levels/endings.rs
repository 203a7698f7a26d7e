//! Won endings, played by the levels against the engine at full strength with distance-to-mate tables.

use super::games::{Game, Match};
use super::{Lab, Report, engines};
use crate::error::{Error, Result};
use crate::files;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Positions of each ending that White, to move, wins. testdata/levels/SOURCE.md tells how they were chosen.
const POSITIONS: &str = "testdata/levels/endings.epd";

/// Positions of each ending.
const COUNT: u32 = 50;

/// The range of the levels.
const LEVELS: std::ops::RangeInclusive<u32> = 800..=2000;

/// Nodes a move of the defender, which finds the moves in its tables.
const NODES: u64 = 20_000;

/// An ending, and from which level on every position should be won.
struct Ending {
    name: &'static str,
    won_from: Option<u32>,
}

/// In the order of the file. Those without a level are to be won as a strong player would, not always.
const ENDINGS: [Ending; 5] = [
    Ending { name: "KQK", won_from: Some(1000) },
    Ending { name: "KRK", won_from: Some(1000) },
    Ending { name: "KPK", won_from: Some(1200) },
    Ending { name: "KQKP", won_from: None },
    Ending { name: "KRPKR", won_from: None },
];

/// Wins of a level in an ending.
struct Cell {
    level: u32,
    ending: usize,
    wins: usize,
    games: usize,
    /// Wins that became draws by the 50-move rule.
    too_late: usize,
}

pub(super) fn run(lab: &Lab<'_>) -> Result<Report> {
    let tables = tables(lab)?;
    let positions = files::read(&files::root().join(POSITIONS))?;
    let mut cells = Vec::new();
    for (ending, Ending { name, .. }) in ENDINGS.iter().enumerate() {
        let chosen = of_ending(&positions, name);
        let wanted = lab.games_or(COUNT) as usize;
        let chosen: Vec<&str> = chosen.into_iter().take(wanted).collect();
        let file = lab.file(&format!("endings-{name}-{}.epd", chosen.len()));
        files::replace(&file, &format!("{}\n", chosen.join("\n")))?;
        for &level in lab.levels.iter().filter(|level| LEVELS.contains(level)) {
            let full = format!("arg=--no-config option.TablePath='{tables}' nodes={NODES}");
            let specs = vec![engines::untimed(&lab.engine, level), engines::spec(&lab.engine, "full", &full)];
            let mut ending_match =
                Match::new(lab, format!("ending-{name}-{level}-{}", chosen.len()), specs, 2 * chosen.len() as u32);
            ending_match.args = vec!["--openings".to_owned(), file.display().to_string()];
            let games = ending_match.play(lab)?.games()?;
            cells.push(Cell::count(level, ending, &games));
        }
    }
    if cells.is_empty() {
        let range = format!("{} to {}", LEVELS.start(), LEVELS.end());
        return Err(Error::Check(format!("no level from {range} is among --levels")));
    }
    Ok(Report { text: table(&cells), data: cells.iter().map(Cell::json).collect() })
}

impl Cell {
    /// Counts the games in which the level has White. In the others, which complete the pairs, it defends.
    fn count(level: u32, ending: usize, games: &[Game]) -> Self {
        let attacks = || games.iter().filter(|game| game.white == 0);
        Self {
            level,
            ending,
            wins: attacks().filter(|game| game.winner == "white").count(),
            games: attacks().count(),
            too_late: attacks().filter(|game| game.termination == "fifty_moves").count(),
        }
    }

    fn json(&self) -> Value {
        let Self { level, ending, wins, games, too_late } = self;
        let name = ENDINGS[*ending].name;
        json!({ "level": level, "ending": name, "wins": wins, "games": games, "fifty_moves": too_late })
    }
}

/// Generates the distance-to-mate tables of the endings, unless they are there. Returns their folder.
fn tables(lab: &Lab<'_>) -> Result<String> {
    let folder = lab.file("tables");
    (lab.report)("endings: generating the tables of KQK, KRK, KPK, KQKP and KRPKR, some minutes once");
    let path = folder.display().to_string();
    let mut command = std::process::Command::new(&lab.tools);
    command.args(["tb", "generate", "--tables", &path]).args(ENDINGS.iter().map(|ending| ending.name));
    crate::run::captured(&mut command, "bartizan-tools tb generate")?;
    Ok(path)
}

/// The FENs of an ending's positions.
fn of_ending<'a>(positions: &'a str, name: &str) -> Vec<&'a str> {
    let id = format!("id \"{name}");
    let is_of =
        |line: &&str| line.split(';').any(|operation| operation.contains(&id) && operation.trim_end().ends_with('"'));
    positions.lines().filter(|line| is_of(line) && ending_of(line) == name).collect()
}

/// The ending by the men of a position, such as `KQKP`.
fn ending_of(line: &str) -> String {
    let men = |is_side: fn(&char) -> bool| {
        let board = line.split_whitespace().next().unwrap_or_default();
        let mut men: Vec<char> = board.chars().filter(|c| c.is_ascii_alphabetic()).filter(is_side).collect();
        men.sort_by_key(|man| "KQRBNP".find(man.to_ascii_uppercase()));
        men.into_iter().map(|man| man.to_ascii_uppercase()).collect::<String>()
    };
    men(char::is_ascii_uppercase) + &men(char::is_ascii_lowercase)
}

fn table(cells: &[Cell]) -> String {
    let names: String = ENDINGS.iter().map(|ending| format!(" {} |", ending.name)).collect();
    let mut table = format!("| level |{names}\n|---:|{}\n", "---:|".repeat(ENDINGS.len()));
    let mut levels: Vec<u32> = cells.iter().map(|cell| cell.level).collect();
    levels.sort_unstable();
    levels.dedup();
    for level in levels {
        let _ = write!(table, "| {level} |");
        for (ending, Ending { won_from, .. }) in ENDINGS.iter().enumerate() {
            let text = cells.iter().find(|cell| (cell.level, cell.ending) == (level, ending)).map_or_else(
                String::new,
                |cell| {
                    let Cell { wins, games, too_late, .. } = cell;
                    let late = if *too_late > 0 { format!(" ({too_late} by 50 moves)") } else { String::new() };
                    let misses = won_from.is_some_and(|from| level >= from) && wins < games;
                    let mark = if misses { "**" } else { "" };
                    format!("{mark}{wins} of {games}{mark}{late}")
                },
            );
            let _ = write!(table, " {text} |");
        }
        table.push('\n');
    }
    format!("{table}\nWon by the level with White; in brackets, drawn by the 50-move rule. Bold: should all be won.\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_the_positions() {
        let positions = files::read(&files::root().join(POSITIONS)).unwrap();
        for Ending { name, .. } in &ENDINGS {
            let of = of_ending(&positions, name);
            assert_eq!(of.len(), COUNT as usize, "{name}");
            assert!(of.iter().all(|line| line.split_whitespace().nth(1) == Some("w")));
        }
        assert_eq!(positions.lines().count(), COUNT as usize * ENDINGS.len());
    }

    #[test]
    fn endings_are_told_by_their_men() {
        assert_eq!(ending_of("8/6R1/2P5/k7/4K3/8/7r/8 w - - id \"x\";"), "KRPKR");
        assert_eq!(ending_of("8/8/8/8/8/5k2/4p3/KQ6 w - -"), "KQKP");
    }

    #[test]
    fn only_games_with_white_count() {
        let game = |id: usize, winner: &str, termination: &str| Game {
            id,
            white: id % 2,
            black: 1 - id % 2,
            winner: winner.to_owned(),
            termination: termination.to_owned(),
            pgn: String::new(),
        };
        let games = [
            game(0, "white", "checkmate"),
            game(1, "white", "checkmate"),
            game(2, "none", "fifty_moves"),
            game(4, "none", "stalemate"),
        ];
        let cell = Cell::count(1000, 1, &games);
        assert_eq!((cell.wins, cell.games, cell.too_late), (1, 3, 1));
        let text = table(&[cell, Cell { level: 800, ending: 0, wins: 49, games: 50, too_late: 0 }]);
        assert!(
            text.contains("| 800 | 49 of 50 |  |") && text.contains("| 1000 |  | **1 of 3** (1 by 50 moves) |"),
            "{text}"
        );
    }
}
