//! Crosstables: who scored what against whom, with Sonneborn-Berger.

use crate::standing::Standing;
use bartizan_stats::WdlCounts;
use bartizan_types::Escaped;
use serde::Serialize;
use std::cmp::Ordering;
use std::fmt;

/// The crosstable of a tournament, best engine first: by score, then by Sonneborn-Berger, then by the order given.
///
/// Rows are ordered by points per game, so that engines with unequal numbers of games, as in a gauntlet, compare. With
/// equal numbers this is the order by points.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct CrossTable {
    rows: Vec<CrossTableRow>,
}

/// An engine's row of a [`CrossTable`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CrossTableRow {
    /// The engine's name.
    pub name: String,
    /// Number of games.
    pub games: u64,
    /// Points: a draw is half a point.
    pub points: f64,
    /// Sonneborn-Berger: each opponent's points, times the points made against it.
    ///
    /// That is the points of every opponent beaten and half the points of every opponent drawn, game by game.
    pub sonneborn_berger: f64,
    /// Results against each engine, in the order of the rows; `None` without a game.
    pub against: Vec<Option<WdlCounts>>,
}

impl CrossTable {
    /// The table of these engines. `between` tells the games of two of them, by number, as the first sees them.
    ///
    /// ```
    /// use bartizan_match::CrossTable;
    /// use bartizan_match::stats::WdlCounts;
    ///
    /// let games = |first, second| match (first, second) {
    ///     (0, 1) => WdlCounts::new(2, 0, 0),
    ///     (1, 0) => WdlCounts::new(0, 0, 2),
    ///     _ => WdlCounts::new(0, 2, 0),
    /// };
    /// let table = CrossTable::new(["a", "b", "c"].map(str::to_owned).to_vec(), games);
    /// let row = &table.rows()[0];
    /// // Two wins against b, which has one point, and two draws with c, which has two.
    /// assert_eq!((row.name.as_str(), row.points, row.sonneborn_berger), ("a", 3.0, 4.0));
    /// ```
    pub fn new(names: Vec<String>, between: impl Fn(usize, usize) -> WdlCounts) -> Self {
        let engines = 0..names.len();
        let opponents = |engine: usize| engines.clone().filter(move |&other| other != engine);
        let totals: Vec<WdlCounts> =
            engines.clone().map(|engine| opponents(engine).map(|other| between(engine, other)).sum()).collect();
        let sonneborn_berger: Vec<f64> = engines
            .clone()
            .map(|engine| opponents(engine).map(|other| between(engine, other).points() * totals[other].points()).sum())
            .collect();
        let mut order: Vec<usize> = engines.clone().collect();
        let key = |engine: usize| (totals[engine].score().unwrap_or(0.0), sonneborn_berger[engine]);
        order.sort_by(|&a, &b| descending(key(a), key(b)));
        let cell = |engine: usize, other: usize| {
            (engine != other).then(|| between(engine, other)).filter(|games| games.total() > 0)
        };
        let row = |&engine: &usize| CrossTableRow {
            name: names[engine].clone(),
            games: totals[engine].total(),
            points: totals[engine].points(),
            sonneborn_berger: sonneborn_berger[engine],
            against: order.iter().map(|&other| cell(engine, other)).collect(),
        };
        Self { rows: order.iter().map(row).collect() }
    }

    /// The table of a match, whose engines have these names.
    pub fn of(names: Vec<String>, standing: &Standing) -> Self {
        Self::new(names, |first, second| standing.games_between(first, second))
    }

    /// The rows, best engine first.
    pub fn rows(&self) -> &[CrossTableRow] {
        &self.rows
    }
}

fn descending(a: (f64, f64), b: (f64, f64)) -> Ordering {
    b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
}

/// A table for people. A cell is points made and games played against the engine of that rank.
impl fmt::Display for CrossTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.rows.iter().map(|row| Escaped(&row.name).to_string()).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("engine".len());
        let cells: Vec<Vec<String>> = self.rows.iter().enumerate().map(|(rank, row)| cells(rank, row)).collect();
        let column = cells.iter().flatten().map(String::len).max().unwrap_or(0);
        write!(f, "      {:width$}  games   points         SB", "engine")?;
        for rank in 1..=self.rows.len() {
            write!(f, "  {rank:>column$}")?;
        }
        writeln!(f)?;
        for (rank, ((row, name), cells)) in (1..).zip(self.rows.iter().zip(names).zip(cells)) {
            let CrossTableRow { games, points, sonneborn_berger, .. } = row;
            write!(f, "{rank:>4}  {name:width$}  {games:>5} {points:>8.1} {sonneborn_berger:>10.2}")?;
            for cell in cells {
                write!(f, "  {cell:>column$}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

fn cells(rank: usize, row: &CrossTableRow) -> Vec<String> {
    let text = |(index, games): (usize, &Option<WdlCounts>)| match games {
        _ if index == rank => "*".to_owned(),
        Some(games) => format!("{}/{}", games.points(), games.total()),
        None => "-".to_owned(),
    };
    row.against.iter().enumerate().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::record;
    use bartizan_types::Color::{Black, White};

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn sonneborn_berger_orders_equal_points() {
        // Sonneborn-Berger separates b from a, which made the same score.
        let games = [
            record(0, 0, 1, None),
            record(2, 0, 2, Some(White)),
            record(4, 0, 3, Some(Black)),
            record(6, 1, 2, Some(Black)),
            record(8, 1, 3, Some(White)),
            record(10, 2, 3, Some(Black)),
            record(12, 0, 1, None),
        ];
        let table = CrossTable::of(names(&["a", "b", "c", "last\n"]), &Standing::of(4, &games));
        let text = "      engine  games   points         SB    1    2    3    4\n   \
                    1  last\\n      3      2.0       3.00    *  0/1  1/1  1/1\n   \
                    2  b           4      2.0       4.00  1/1    *  1/2  0/1\n   \
                    3  a           4      2.0       3.00  0/1  1/2    *  1/1\n   \
                    4  c           3      1.0       2.00  0/1  1/1  0/1    *\n";
        assert_eq!(table.to_string(), text);
    }

    #[test]
    fn engines_without_a_game_between_them_have_no_cell() {
        let games = [record(0, 0, 1, Some(White)), record(1, 2, 0, Some(White))];
        let table = CrossTable::of(names(&["a", "b", "c"]), &Standing::of(3, &games));
        let json = serde_json::to_value(&table).unwrap();
        assert_eq!(json[0]["name"], "c");
        assert_eq!(json[0]["sonneborn_berger"], 1.0);
        assert_eq!(json[0]["against"][1], serde_json::json!({ "wins": 1, "draws": 0, "losses": 0 }));
        assert!(json[0]["against"][0].is_null() && json[0]["against"][2].is_null(), "{json}");
        assert!(table.to_string().contains("  -"), "{table}");
    }

    #[test]
    fn no_engines_make_an_empty_table() {
        assert!(CrossTable::new(Vec::new(), |_, _| WdlCounts::default()).rows().is_empty());
    }
}
