//! `screen`: measures many changes of an engine at once.
//!
//! Testing forty changes one after the other takes forty matches. In a factorial experiment (Fisher 1926) every game is
//! evidence about all changes: each change is given to one of the two engines of a pair at random, so the engines
//! complement each other, and a linear model of the points separates the changes (two-level screening: Plackett and
//! Burman 1946). With n pairs of games every effect is known as well as from n pairs for it alone, apart from the noise
//! of the other changes. Interactions are averaged over, so the chosen changes must be tested together in a match.

mod factors;

use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::matches::{Detail, run_with_progress};
use crate::output::say;
use crate::paired::{Options, Paired, PairedArgs, Task};
use crate::random;
use crate::resume::{Comparison, cannot};
use anyhow::{Context, ensure};
use bartizan_match::{End, GameRecord, Match, Settings, journal};
use bartizan_stats::{Coefficient, Estimate, LeastSquares};
use factors::Factor;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What follows the options in `--help`.
const AFTER_HELP: &str = "\
A factor file has a line for each change: its name, the options without it, the options with it.
  # name       | without    | with
  wider-lmp    | lmp_base=5 | lmp_base=7
  no-probcut   |            | ProbCut=false
The search of Bartizan has these options in a build with --features tuning.

Example:
  bartizan-tools screen factors.txt --engine \"cmd=./engine nodes=20000\" \\
      --openings openings.epd --pairs 5000 --concurrency 4 --journal screen.jsonl
  bartizan-tools screen --resume screen.jsonl";

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Changes to measure, see below
    #[arg(value_name = "FILE", required_unless_present_any = ["resume", "report"])]
    factors: Option<PathBuf>,
    /// Pairs of games [default: 1000]
    #[arg(long, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pairs: Option<u32>,
    #[command(flatten)]
    paired: PairedArgs,
}

/// What defines a screening. The journal keeps it, so that a later run can continue it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Setup {
    #[serde(flatten)]
    paired: Paired,
    pairs: u32,
    factors: Vec<Factor>,
}

/// The effect of a change.
#[derive(Debug, Serialize)]
struct Effect {
    factor: String,
    /// Elo difference near an even score.
    elo: f64,
    /// Half-width of the 95 % confidence interval, in Elo; `None` when the results do not differ beyond the effects.
    margin: Option<f64>,
}

/// The results.
#[derive(Debug, Serialize)]
struct Report {
    pairs: usize,
    /// Effects, the best first; empty while there are too few games.
    effects: Vec<Effect>,
}

/// Runs the command.
///
/// # Errors
/// When the options, the engine or the files cannot be used. Everything that can be checked is checked before the first
/// game.
pub(crate) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let (task, journal) = args.paired.task()?;
    let (setup, concurrency) = match task {
        Task::Begin => (args.given()?, 1),
        Task::Resume | Task::Report => {
            let history = journal::read(journal).map_err(|error| cannot(verb(task), journal, &error))?;
            (args.stored(history.extra, task, journal)?, history.settings.concurrency)
        }
    };
    let settings = setup.settings(args.paired.concurrency.unwrap_or(concurrency))?;
    let mut end = End::Complete;
    if task != Task::Report {
        let games = Match::from(settings.clone()).stop_by(interrupt.stop());
        let games = games.extra(serde_json::json!({ SCREEN: setup }));
        let games = if task == Task::Resume { games.resume(journal) } else { games.journal(journal) };
        let detail = if args.paired.json { Detail::Lines } else { Detail::Bar };
        end = run_with_progress(games, &settings, detail)?.end;
    }
    let history = journal::read(journal)?;
    let (engines, given) = (&history.settings.engines, &settings.engines);
    ensure!(
        engines.len() == given.len() && engines.iter().zip(given).all(|(one, other)| one.plays_as(other)),
        "the journal '{}' was written with other factors, another engine or another seed",
        journal.display()
    );
    let report = report(setup.paired.seed, &setup.factors, &history.games);
    if args.paired.json {
        say!("{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        print(&report, setup.factors.len())?;
    }
    Ok(if end == End::Interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// The key of the settings among what the journal keeps for its writer.
const SCREEN: &str = "screen";

fn verb(task: Task) -> &'static str {
    if task == Task::Report { "report" } else { "resume" }
}

fn cannot_use(task: Task, journal: &Path) -> String {
    format!("cannot {} '{}'", verb(task), journal.display())
}

impl Args {
    /// The setup of the command line.
    fn given(&self) -> anyhow::Result<Setup> {
        Ok(Setup {
            paired: self.paired.given()?,
            pairs: self.pairs.unwrap_or(1_000),
            factors: factors::read(self.factors.as_deref().context("the file of factors is missing")?)?,
        })
    }

    /// The setup that a journal keeps. What is given too must be the same.
    fn stored(&self, mut extra: Value, task: Task, journal: &Path) -> anyhow::Result<Setup> {
        let context = || cannot_use(task, journal);
        let stored = match extra.get_mut(SCREEN) {
            Some(stored) => serde_json::from_value::<Setup>(stored.take()),
            None => {
                return self
                    .given()
                    .context("it has no settings of a screening; give those that it was begun with")
                    .with_context(context);
            }
        };
        let stored = stored.context("cannot read its settings, which another version may have written");
        let stored = stored.with_context(context)?;
        let mut compared = Comparison::with("file");
        if let Some(file) = &self.factors
            && factors::read(file)? != stored.factors
        {
            compared.add(format!("other factors in '{}'", file.display()));
        }
        let setup = Setup {
            paired: self.paired.stored(stored.paired, &mut compared)?,
            pairs: compared.stored("--pairs", self.pairs, stored.pairs),
            factors: stored.factors,
        };
        compared.finish().with_context(context)?;
        Ok(setup)
    }
}

/// The changes that the first engine of a pair has. The second engine has the others.
fn levels(seed: u64, pair: usize, factors: usize) -> Vec<bool> {
    let mut random = random::of_pair(seed, pair as u64);
    (0..factors).map(|_| random.below(2) == 1).collect()
}

impl Setup {
    /// The match.
    fn settings(&self, concurrency: usize) -> anyhow::Result<Settings> {
        let options = |first: &[bool], flip: bool| -> Options {
            let levels = self.factors.iter().zip(first).map(|(factor, &has)| &factor.levels[usize::from(has != flip)]);
            levels.flat_map(Clone::clone).collect()
        };
        let pairs = (0..self.pairs as usize).map(|pair| {
            let first = levels(self.paired.seed, pair, self.factors.len());
            [false, true].map(|flip| options(&first, flip))
        });
        self.paired.settings("Screening", 0, pairs, concurrency)
    }
}

/// Elo for one more point in each game, near an even score: the slope of the logistic curve at ½.
const ELO_PER_POINT: f64 = 1_600.0 / std::f64::consts::LN_10;

/// The effects, from the complete pairs of games.
fn report(seed: u64, factors: &[Factor], games: &[GameRecord]) -> Report {
    let mut points: HashMap<usize, (u64, u32)> = HashMap::new();
    for game in games {
        let (sum, count) = points.entry(game.pair).or_default();
        *sum += game.half_points(2 * game.pair);
        *count += 1;
    }
    let mut fit = LeastSquares::new(factors.len());
    let mut pairs = 0;
    for (&pair, _) in points.iter().filter(|(_, (_, count))| *count == 2) {
        let x: Vec<f64> = levels(seed, pair, factors.len()).iter().map(|&has| if has { 1.0 } else { -1.0 }).collect();
        // The sum is in half points of two games: 2 is an even score.
        let (sum, _) = points[&pair];
        fit.add(&x, (sum as f64 - 2.0) / 4.0);
        pairs += 1;
    }
    let effect = |(factor, Coefficient { value, margin, .. }): (&Factor, Coefficient)| Effect {
        factor: factor.name.clone(),
        elo: value * ELO_PER_POINT,
        margin: margin.map(|margin| margin * ELO_PER_POINT),
    };
    let mut effects: Vec<Effect> =
        fit.solve().into_iter().flat_map(|coefficients| factors.iter().zip(coefficients)).map(effect).collect();
    effects.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    Report { pairs, effects }
}

fn print(report: &Report, factors: usize) -> anyhow::Result<()> {
    say!("{} pairs of games, {factors} factors\n", report.pairs)?;
    if report.effects.is_empty() {
        say!("Too few games to separate the factors.")?;
        return Ok(());
    }
    let width = report.effects.iter().map(|effect| effect.factor.chars().count()).max().unwrap_or(0).max(6);
    say!("{:width$}  Elo (95 %)", "factor")?;
    for &Effect { ref factor, elo: value, margin } in &report.effects {
        say!("{factor:width$}  {}", Estimate { value, margin })?;
    }
    if report.effects.iter().all(|effect| effect.margin.is_none()) {
        return Ok(());
    }
    let by_chance = report.effects.len() as f64 / 20.0;
    say!("\nIf no factor had an effect, about {by_chance:.0} of these intervals would still exclude 0 by chance.")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_match::{SideStats, Termination};
    use bartizan_types::Color;

    fn factor(name: &str) -> Factor {
        let level = |value: &str| [(name.to_owned(), value.to_owned())].into();
        Factor { name: name.to_owned(), levels: [level("0"), level("1")] }
    }

    /// The engine with the first change wins a quarter of the games more than the other.
    #[test]
    fn the_effective_change_is_found() {
        let factors = ["strong", "nothing", "noise"].map(factor);
        let mut random = random::of_pair(9, 9);
        let mut games = Vec::new();
        for pair in 0..2_000 {
            let first_has = levels(5, pair, 3)[0];
            for half in 0..2 {
                let (white, black) = if half == 0 { (2 * pair, 2 * pair + 1) } else { (2 * pair + 1, 2 * pair) };
                let white_has = (half == 0) == first_has;
                let white_wins = random.unit_f64() < if white_has { 0.625 } else { 0.375 };
                games.push(GameRecord {
                    id: 2 * pair + half,
                    round: 0,
                    pair,
                    white,
                    black,
                    winner: Some(if white_wins { Color::White } else { Color::Black }),
                    termination: Termination::Checkmate,
                    detail: String::new(),
                    plies: 80,
                    sides: [SideStats::default(); 2],
                    faults: Vec::new(),
                    pgn: String::new(),
                });
            }
        }
        let report = report(5, &factors, &games);
        assert_eq!(report.pairs, 2_000);
        assert_eq!(report.effects[0].factor, "strong");
        // An eighth of a point in each game is 0.125 · 695 = 87 Elo.
        let [strong, others @ ..] = &report.effects[..] else { panic!("no effects") };
        assert!((strong.elo - 87.0).abs() < strong.margin.unwrap() * 1.5);
        assert!(others.iter().all(|effect| effect.elo.abs() < 2.0 * effect.margin.unwrap()));
        // Results that are all alike say nothing about their spread.
        games.iter_mut().for_each(|game| game.winner = None);
        let level = super::report(5, &factors, &games);
        assert!(level.effects.iter().all(|effect| (effect.elo, effect.margin) == (0.0, None)));
    }

    #[test]
    fn the_engines_of_a_pair_complement_each_other() {
        let engine = "cmd=engine option.Hash=8 nodes=100".to_owned();
        let resign = Some("3,900,both".parse().unwrap());
        let paired = Paired { engine, openings: PathBuf::new(), seed: 3, resign, draw: None };
        let setup = Setup { paired, pairs: 20, factors: ["a", "b", "c", "d"].map(factor).to_vec() };
        let settings = setup.settings(1).unwrap();
        assert_eq!(settings.engines.len(), 40);
        assert_eq!((settings.resign, settings.draw), (resign, None));
        for pair in settings.engines.chunks(2) {
            assert_eq!(pair[0].options["Hash"], "8");
            for name in ["a", "b", "c", "d"] {
                assert_ne!(pair[0].options[name], pair[1].options[name]);
            }
        }
        let with_a = settings.engines.iter().step_by(2).filter(|engine| engine.options["a"] == "1").count();
        assert!((3..=17).contains(&with_a));
    }
}
