//! `match plan`: how many games a sequential test takes, and how long.

use super::args::Bounds;
use crate::output::say;
use anyhow::{bail, ensure};
use bartizan_match::{Standing, journal};
use bartizan_stats::{Expectation, Sample, Sprt, SprtModel};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What follows the options in `--help`.
const AFTER_HELP: &str = "\
The numbers of games are those of Wald's approximation. They depend on the spread of the results, so a journal of a
match with the same openings and limits gives the best plan, and the hours as well.

Examples:
  bartizan-tools match plan --sprt 0,3 --sprt 0,5 --sprt 0,10 --games-per-hour 800
  bartizan-tools match plan --sprt 0,5 --normalised --journal earlier.jsonl";

/// The standard deviation of a game's points without a journal: half of the games drawn, in pairs of the same opening.
const DEVIATION: f64 = 0.35;

/// The greatest difference, in Elo.
const MOST: f64 = 1_000.0;

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Hypotheses of a test, in Elo; may be repeated
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, required = true)]
    sprt: Vec<Bounds>,
    /// Probability that a test accepts a change worth only ELO0 [default: 0.05]
    #[arg(long, value_name = "PROBABILITY")]
    alpha: Option<f64>,
    /// Probability that a test rejects a change worth ELO1 [default: 0.05]
    #[arg(long, value_name = "PROBABILITY")]
    beta: Option<f64>,
    /// Take all differences as normalised instead of logistic Elo
    #[arg(long)]
    normalised: bool,
    /// True differences, in Elo [default: ELO0, the middle, ELO1 and twice ELO1 of each test, up to 1000]
    #[arg(long, value_name = "ELO,...", value_delimiter = ',', allow_hyphen_values = true)]
    elo: Vec<f64>,
    /// Journal of a match that tells the spread of the results and the duration of a game [default: none]
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Standard deviation of a game's points [default: that of the journal, otherwise 0.35]
    #[arg(long, value_name = "POINTS")]
    deviation: Option<f64>,
    /// Games that are played in an hour [default: those of the journal]
    #[arg(long, value_name = "GAMES")]
    games_per_hour: Option<f64>,
    /// Print the plan as JSON
    #[arg(long)]
    json: bool,
}

/// A test of a change with a known difference.
#[derive(Debug, Serialize)]
struct Row {
    elo0: f64,
    elo1: f64,
    /// The true difference.
    elo: f64,
    /// Probability that H1 is accepted.
    passes: f64,
    /// Mean number of games.
    games: f64,
    hours: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Plan {
    model: SprtModel,
    alpha: f64,
    beta: f64,
    deviation: f64,
    games_per_hour: Option<f64>,
    tests: Vec<Row>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let plan = plan(args)?;
    if args.json {
        say!("{}", serde_json::to_string_pretty(&plan)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let pace = plan.games_per_hour.map_or_else(String::new, |games| format!(", {games:.0} games an hour"));
    say!(
        "{} Elo, alpha {}, beta {}, deviation of a game {:.3}{pace}\n",
        plan.model,
        plan.alpha,
        plan.beta,
        plan.deviation
    )?;
    say!("{:>14} {:>8} {:>8} {:>8} {:>8}", "test", "Elo", "passes", "games", "hours")?;
    for Row { elo0, elo1, elo, passes, games, hours } in &plan.tests {
        let test = format!("[{elo0}, {elo1}]");
        let hours = hours.map_or_else(|| "-".to_owned(), |hours| format!("{hours:.1}"));
        say!("{test:>14} {elo:>8.1} {:>6.1} % {games:>8.0} {hours:>8}", 100.0 * passes)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn plan(args: &Args) -> anyhow::Result<Plan> {
    let played = args.journal.as_deref().map(played).transpose()?;
    let deviation = match (args.deviation, &args.journal, played) {
        (Some(deviation), ..) | (None, _, Some((Some(deviation), _))) => deviation,
        (None, Some(path), _) => {
            bail!("the games of '{}' do not tell the spread of the results: give --deviation", path.display())
        }
        (None, None, _) => DEVIATION,
    };
    ensure!(deviation > 0.0 && deviation <= 0.5, "the deviation of a game is above 0 and at most 0.5, not {deviation}");
    let games_per_hour = args.games_per_hour.or(played.and_then(|played| played.1));
    if let Some(games) = games_per_hour {
        ensure!(games > 0.0 && games.is_finite(), "invalid --games-per-hour '{games}': must be positive");
    }
    let model = if args.normalised { SprtModel::Normalised } else { SprtModel::Logistic };
    let (alpha, beta) = (args.alpha.unwrap_or(0.05), args.beta.unwrap_or(0.05));
    let mut tests = Vec::new();
    for &Bounds { elo0, elo1 } in &args.sprt {
        let sprt = Sprt::new(elo0, elo1, alpha, beta, model)?;
        let differences = if args.elo.is_empty() { usual(elo0, elo1) } else { args.elo.clone() };
        for elo in differences {
            ensure!(elo.abs() <= MOST, "the difference {elo} is out of range (-1000 to 1000)");
            let Expectation { games, passes } = sprt.expect(elo, deviation);
            let hours = games_per_hour.map(|pace| games / pace);
            ensure!(
                [games, passes, hours.unwrap_or(0.0)].iter().all(|number| number.is_finite()),
                "the test [{elo0}, {elo1}] has no finite length if the difference is {elo}"
            );
            tests.push(Row { elo0, elo1, elo, passes, games, hours });
        }
    }
    Ok(Plan { model, alpha, beta, deviation, games_per_hour, tests })
}

/// The differences of a test without `--elo`, each once.
fn usual(elo0: f64, elo1: f64) -> Vec<f64> {
    let mut differences = Vec::new();
    for elo in [elo0, elo0.midpoint(elo1), elo1, 2.0 * elo1] {
        if elo.abs() <= MOST && !differences.contains(&elo) {
            differences.push(elo);
        }
    }
    differences
}

/// The deviation of a game's points and the games in an hour of a match between two engines, as far as it tells them.
fn played(path: &Path) -> anyhow::Result<(Option<f64>, Option<f64>)> {
    let history = journal::read(path)?;
    let standing = Standing::of(history.settings.engines.len(), &history.games);
    let sample = Sample::from(&standing.pairs(0, 1));
    let micros: u64 = history.games.iter().flat_map(|game| &game.sides).map(|side| side.time).sum();
    let hours = micros as f64 / 3.6e9 / history.settings.concurrency as f64;
    Ok((
        (sample.variance > 0.0).then(|| sample.variance.sqrt()),
        (hours > 0.0).then(|| history.games.len() as f64 / hours),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn rows(arguments: &str) -> Result<Vec<f64>, String> {
        let line = Line::try_parse_from(["plan"].into_iter().chain(arguments.split(' '))).map_err(|e| e.to_string())?;
        let plan = plan(&line.args).map_err(|error| error.to_string())?;
        assert!(plan.tests.iter().all(|row| row.games.is_finite() && row.passes.is_finite()), "{arguments}");
        Ok(plan.tests.iter().map(|row| row.elo).collect())
    }

    #[test]
    fn every_difference_is_planned_once_and_within_the_range() {
        assert_eq!(rows("--sprt 0,5").unwrap(), [0.0, 2.5, 5.0, 10.0]);
        assert_eq!(rows("--sprt 0,600").unwrap(), [0.0, 300.0, 600.0]);
        assert_eq!(rows("--sprt -5,0").unwrap(), [-5.0, -2.5, 0.0]);
        assert_eq!(rows("--sprt -10,-5 --elo 3,3").unwrap(), [3.0, 3.0]);
        assert_eq!(rows("--sprt -1000,1000 --deviation 1e-200").unwrap(), [-1000.0, 0.0, 1000.0]);
        assert!(rows("--sprt 0,5 --elo 1200").unwrap_err().contains("1200 is out of range"));
    }

    #[test]
    fn a_length_without_end_is_refused() {
        for arguments in ["--sprt 0,1e-300", "--sprt 999.9999999999999,1000", "--sprt 0,5 --games-per-hour 1e-320"] {
            assert!(rows(arguments).unwrap_err().contains("has no finite length"), "{arguments}");
        }
    }

    /// Games that are all alike tell how long they take.
    #[test]
    fn the_deviation_may_be_given_where_the_journal_does_not_tell_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        std::fs::write(&path, "{\"event\":\"start\",\"version\":1,\"settings\":{}}\n").unwrap();
        let line = format!("--sprt 0,5 --journal {}", path.display());
        assert!(rows(&line).unwrap_err().contains("do not tell the spread of the results: give --deviation"));
        assert_eq!(rows(&(line + " --deviation 0.3")).unwrap().len(), 4);
    }
}
