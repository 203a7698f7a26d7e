//! Neighbouring levels against each other: does each one beat the one below, and by how much?

use super::games::{Match, Played, Score};
use super::{Lab, Report, engines};
use crate::error::Result;
use serde_json::json;
use std::fmt::Write as _;

/// Games of each pair of neighbours.
const GAMES: u32 = 1_000;

/// From this rating on, decided and drawn games are adjudicated. Weaker levels lose won games and win lost ones.
const ADJUDICATED_FROM: u32 = 1_600;

/// A level against the one below.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) low: u32,
    pub(super) high: u32,
    /// Of the higher one.
    pub(super) score: Score,
}

impl Step {
    /// By how much the games exaggerate the difference of the ratings.
    fn stretch(&self) -> Option<f64> {
        self.score.elo.map(|(elo, _)| elo / f64::from(self.high - self.low))
    }

    /// Whether the higher level is stronger beyond the error.
    fn rises(&self) -> bool {
        self.score.estimate().is_some_and(|(elo, error)| elo > super::games::Z95 * error)
    }
}

/// Plays a level against the one below.
pub(super) fn play(lab: &Lab<'_>, low: u32, high: u32, games: u32) -> Result<Played> {
    let engines = vec![engines::untimed(&lab.engine, high), engines::untimed(&lab.engine, low)];
    let mut ladder = Match::new(lab, format!("ladder-{low}-{high}"), engines, games);
    if low >= ADJUDICATED_FROM {
        ladder = ladder.with(&["--resign", "5,900,both", "--draw", "60,10,10"]);
    }
    ladder.play(lab)
}

/// Plays all pairs of neighbours.
pub(super) fn steps(lab: &Lab<'_>) -> Result<Vec<Step>> {
    let games = lab.games_or(GAMES);
    let step = |pair: &[u32]| {
        let (low, high) = (pair[0], pair[1]);
        Ok(Step { low, high, score: play(lab, low, high, games)?.score()? })
    };
    lab.levels.windows(2).map(step).collect()
}

pub(super) fn run(lab: &Lab<'_>) -> Result<Report> {
    let steps = steps(lab)?;
    let rows = steps.iter().map(|step| {
        let Step { low, high, score } = step;
        json!({ "low": low, "high": high, "result": score.json(), "stretch": step.stretch(), "rises": step.rises() })
    });
    Ok(Report { data: rows.collect(), text: table(&steps) })
}

fn table(steps: &[Step]) -> String {
    let mut table = "| level | against | games | + = − | Elo | factor |\n|---:|---:|---:|---|---:|---:|\n".to_owned();
    for step in steps {
        let Step { low, high, score } = step;
        let stretch = step.stretch().map_or_else(|| "?".to_owned(), |stretch| format!("{stretch:.2}"));
        let (games, wdl, elo) = (score.games(), score.wdl_text(), score.elo_text());
        let _ = writeln!(table, "| {high} | {low} | {games} | {wdl} | {elo} | {stretch} |");
    }
    let weak: Vec<String> = steps.iter().filter(|step| !step.rises()).map(|step| step.high.to_string()).collect();
    let verdict = if weak.is_empty() {
        "Every level beats the one below beyond the error.".to_owned()
    } else {
        format!("**Not stronger than the level below beyond the error: {}.**", weak.join(", "))
    };
    format!("{table}\n{verdict} The factor is the Elo of the games by the difference of the ratings.\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_levels_that_do_not_rise() {
        let score = |elo, margin| Score { wins: 6, draws: 2, losses: 2, elo: Some((elo, Some(margin))) };
        let mut steps = vec![Step { low: 800, high: 1000, score: score(300.0, 20.0) }];
        let text = table(&steps);
        assert!(text.contains("| 1000 | 800 | 10 | 6 2 2 | +300 ± 20 | 1.50 |\n") && text.contains("Every"), "{text}");
        steps.push(Step { low: 1000, high: 1200, score: score(15.0, 20.0) });
        assert!(table(&steps).contains("**Not stronger than the level below beyond the error: 1200.**"));
    }
}
