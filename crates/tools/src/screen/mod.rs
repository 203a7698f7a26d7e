//! Tries many changes of an engine at once.
//!
//! To test forty changes one after the other takes forty matches. In a factorial experiment (Fisher 1926) every game is one
//! of each: two engines play, each change is made to one of the two by lot, so that the engines are each other's
//! complement, and a linear model of the points in who had which change tells the changes apart (two-level screening:
//! Plackett and Burman 1946). With n pairs of games every effect is known as well as if all n had been played for it
//! alone, but for the noise of the others. Interactions are averaged over: what is taken must be tested together in a
//! match of its own.

mod factors;

use crate::interrupt::Interrupt;
use crate::matches::config::Settings;
use crate::matches::journal::{self, GameRecord};
use crate::matches::{Files, tournament};
use crate::paired::{Options, PairedArgs};
use crate::random;
use bartizan_stats::{Coefficient, LeastSquares};
use anyhow::ensure;
use factors::Factor;
use serde::Serialize;
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The changes, a line for each: `NAME | OPTION=VALUE … | OPTION=VALUE …`, the options without and with it
    #[arg(value_name = "FILE")]
    factors: PathBuf,
    /// Pairs of games
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pairs: u32,
    #[command(flatten)]
    paired: PairedArgs,
}

/// What a change is worth.
#[derive(Debug, Serialize)]
struct Effect {
    factor: String,
    /// Elo near an even score.
    elo: f64,
    /// Half the width of its 95 % interval.
    margin: f64,
}

/// What the games say.
#[derive(Debug, Serialize)]
struct Report {
    pairs: usize,
    /// The best first; empty while there are too few games to tell.
    effects: Vec<Effect>,
}

/// Runs the command.
///
/// # Errors
/// With a message that names what is wrong. What can be checked is checked before the first game.
pub fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let paired = &args.paired;
    let factors = factors::read(&args.factors)?;
    let settings = settings(args, &factors)?;
    let mut reason = "complete";
    if !paired.report {
        let files = Files { journal: Some(&paired.journal), resume: paired.resume, ..Files::default() };
        reason = tournament(&settings, files, paired.json, interrupt)?.reason;
    }
    let history = journal::read(&paired.journal)?;
    ensure!(
        history.settings.engines == settings.engines,
        "{} was played with other factors, another engine or another seed",
        paired.journal.display()
    );
    let report = report(paired.seed, &factors, &history.games);
    if paired.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print(&report, factors.len());
    }
    Ok(if reason == "interrupted" { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

/// Whether the first engine of a pair has each change; the second has the others.
fn levels(seed: u64, pair: usize, factors: usize) -> Vec<bool> {
    let mut random = random::of_pair(seed, pair as u64);
    (0..factors).map(|_| random.below(2) == 1).collect()
}

/// Two engines for each pair.
fn settings(args: &Args, factors: &[Factor]) -> anyhow::Result<Settings> {
    let options = |first: &[bool], flip: bool| -> Options {
        factors.iter().zip(first).flat_map(|(factor, &has)| factor.levels[usize::from(has != flip)].clone()).collect()
    };
    let pairs = (0..args.pairs as usize).map(|pair| {
        let first = levels(args.paired.seed, pair, factors.len());
        [false, true].map(|flip| options(&first, flip))
    });
    args.paired.settings("Screening", 0, pairs)
}

/// Elo for a point more in each game, near an even score.
const ELO_PER_POINT: f64 = 1_600.0 / std::f64::consts::LN_10;

/// The effects, from those pairs of which both games are over.
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
        // Half points of two games: 2 is even.
        let (sum, _) = points[&pair];
        fit.add(&x, (sum as f64 - 2.0) / 4.0);
        pairs += 1;
    }
    let effect = |(factor, Coefficient { value, error }): (&Factor, Coefficient)| Effect {
        factor: factor.name.clone(),
        elo: value * ELO_PER_POINT,
        margin: 1.96 * error * ELO_PER_POINT,
    };
    let mut effects: Vec<Effect> =
        fit.solve().into_iter().flat_map(|coefficients| factors.iter().zip(coefficients)).map(effect).collect();
    effects.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    Report { pairs, effects }
}

fn print(report: &Report, factors: usize) {
    println!("{} pairs of games, {factors} factors\n", report.pairs);
    if report.effects.is_empty() {
        println!("Too few to tell them apart.");
        return;
    }
    let width = report.effects.iter().map(|effect| effect.factor.chars().count()).max().unwrap_or(0).max(6);
    println!("{:width$}  Elo (95 %)", "factor");
    for Effect { factor, elo, margin } in &report.effects {
        println!("{factor:width$}  {elo:+.1} ± {margin:.1}");
    }
    let by_chance = report.effects.len() as f64 / 20.0;
    println!(
        "\nWithout any effect at all, about {by_chance:.0} of them would lie outside their interval around 0 by chance."
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::journal::{SideStats, Termination};
    use bartizan_types::Color;

    fn factor(name: &str) -> Factor {
        let level = |value: &str| [(name.to_owned(), value.to_owned())].into();
        Factor { name: name.to_owned(), levels: [level("0"), level("1")] }
    }

    /// Whoever has the first change wins a game in four more than the other.
    #[test]
    fn finds_what_matters() {
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
        // An eighth of a point each game is 0.125 · 695 = 87 Elo.
        assert!((report.effects[0].elo - 87.0).abs() < report.effects[0].margin * 1.5);
        assert!(report.effects[1..].iter().all(|effect| effect.elo.abs() < 2.0 * effect.margin));
    }

    #[test]
    fn the_two_of_a_pair_complement_each_other() {
        let args = Args {
            factors: PathBuf::new(),
            pairs: 20,
            paired: PairedArgs {
                engine: "cmd=engine option.Hash=8 nodes=100".to_owned(),
                openings: PathBuf::new(),
                seed: 3,
                concurrency: 1,
                journal: PathBuf::new(),
                resume: false,
                report: false,
                json: false,
            },
        };
        let factors = ["a", "b", "c", "d"].map(factor);
        let settings = settings(&args, &factors).unwrap();
        assert_eq!(settings.engines.len(), 40);
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
