//! `match plan`: how many games a sequential test takes, and how long.

use super::args::Bounds;
use crate::output::say;
use anyhow::{bail, ensure};
use bartizan_match::journal;
use bartizan_match::plan::{DEVIATION, MatchStatistics, Plan, Tests};
use bartizan_stats::SprtModel;
use bartizan_types::Escaped;
use std::path::PathBuf;
use std::process::ExitCode;

/// What follows the options in `--help`.
const AFTER_HELP: &str = "\
The number of games is Wald's approximation. It depends on the spread of the
results, so a journal of a match with the same openings and limits gives the
best estimate, also of the hours.

Examples:
  bartizan-tools match plan --sprt 0,3 --sprt 0,5 --games-per-hour 800
  bartizan-tools match plan --sprt 0,5 --normalised --journal earlier.jsonl";

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Hypotheses of a test, in Elo; may be repeated
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, required = true)]
    sprt: Vec<Bounds>,
    /// Probability of accepting a change worth only ELO0 [default: 0.05]
    #[arg(long, value_name = "PROBABILITY")]
    alpha: Option<f64>,
    /// Probability of rejecting a change worth ELO1 [default: 0.05]
    #[arg(long, value_name = "PROBABILITY")]
    beta: Option<f64>,
    /// Interpret all Elo values as normalised instead of logistic Elo
    #[arg(long)]
    normalised: bool,
    /// True differences, in Elo [default: ELO0, the middle, ELO1 and twice ELO1 of each test, up to 1000]
    #[arg(long, value_name = "ELO,...", value_delimiter = ',', allow_hyphen_values = true)]
    elo: Vec<f64>,
    /// Match journal to take the spread of the results and the length of a game from [default: none]
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Standard deviation of the points of a game [default: that of the journal, otherwise 0.35]
    #[arg(long, value_name = "POINTS")]
    deviation: Option<f64>,
    /// Games played per hour [default: that of the journal]
    #[arg(long, value_name = "GAMES")]
    games_per_hour: Option<f64>,
    /// Print the plan as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let plan = plan(args)?;
    if args.json { say!("{}", serde_json::to_string_pretty(&plan)?) } else { say!("{plan}") }?;
    Ok(ExitCode::SUCCESS)
}

fn plan(args: &Args) -> anyhow::Result<Plan> {
    let played = args.journal.as_deref().map(journal::read).transpose()?.map(|history| MatchStatistics::from(&history));
    let deviation = match (args.deviation, &args.journal, played) {
        (Some(deviation), ..) | (None, _, Some(MatchStatistics { deviation: Some(deviation), .. })) => deviation,
        (None, Some(path), _) => {
            bail!("the games of '{}' do not show the spread of the results; give --deviation", Escaped(path.display()))
        }
        (None, None, _) => DEVIATION,
    };
    let games_per_hour = args.games_per_hour.or(played.and_then(|played| played.games_per_hour));
    if let Some(games) = games_per_hour {
        ensure!(games > 0.0 && games.is_finite(), "invalid --games-per-hour '{games}': must be positive");
    }
    let tests = Tests {
        bounds: args.sprt.iter().map(|&Bounds { elo0, elo1 }| (elo0, elo1)).collect(),
        model: if args.normalised { SprtModel::Normalised } else { SprtModel::Logistic },
        alpha: args.alpha.unwrap_or(0.05),
        beta: args.beta.unwrap_or(0.05),
        differences: args.elo.clone(),
        deviation,
        games_per_hour,
    };
    Ok(tests.plan()?)
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

    /// Even games with identical results tell how long they take.
    #[test]
    fn the_deviation_may_be_given_where_the_journal_does_not_tell_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        std::fs::write(&path, "{\"event\":\"start\",\"version\":1,\"settings\":{}}\n").unwrap();
        let line = format!("--sprt 0,5 --journal {}", path.display());
        assert!(rows(&line).unwrap_err().contains("do not show the spread of the results; give --deviation"));
        assert_eq!(rows(&(line + " --deviation 0.3")).unwrap().len(), 4);
    }
}
