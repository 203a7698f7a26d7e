//! `data filter`: takes positions of games.

use super::{PositionFile, Progress, each_game, print_summary, total_bytes};
use crate::files;
use crate::interrupt::Interrupt;
use bartizan_games::selfplay::SelfplayGame;
use bartizan_training::positions::Sample;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

const EXAMPLE: &str = "\
A static evaluation should not learn what only a search can see: positions in check, and positions whose best move takes
something or promotes, are left out.

Example:
  bartizan-tools data filter train.bin --max-score 2000 --out train.pos";

/// The largest mixed score. Points of nearly 0 or 1 have no bounded one.
const LABEL_MAX: f64 = 4_000.0;

/// The arguments of `data filter`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Files of games of `selfplay`
    #[arg(value_name = "GAMES", required = true)]
    files: Vec<PathBuf>,
    /// File for the positions
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of plies to skip at the start of each game; the random plies before it do not count
    #[arg(long, value_name = "PLIES", default_value_t = 4)]
    skip_plies: usize,
    /// Score above which a position is left out, in internal centipawns
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 2_000, value_parser = clap::value_parser!(u16).range(1..))]
    max_score: u16,
    /// Mix each score with those of the following plies, N of them on average, and with the result of the game
    #[arg(long, value_name = "N", default_value_t = 0)]
    horizon: u16,
    /// Internal centipawns of the games' scores that make one unit of the logistic curve of expected points
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..))]
    unit: u16,
    /// The same for the scores to write: other than `--unit`, it stretches them [default: that of --unit]
    #[arg(long, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(u16).range(1..))]
    unit_out: Option<u16>,
    /// Take positions whose best move is a capture or a promotion, too
    #[arg(long)]
    tactical: bool,
    /// Skip broken games
    #[arg(long)]
    skip_errors: bool,
    /// Print the counts as JSON, and no progress
    #[arg(long)]
    json: bool,
}

/// How many positions were taken, and why others were not.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Counts {
    games: u64,
    skipped_games: u64,
    positions: u64,
    opening: u64,
    in_check: u64,
    tactical: u64,
    decided: u64,
    taken: u64,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    files::refuse_input(&args.out, &args.files)?;
    let progress = Progress::new(total_bytes(&args.files)?, args.json, interrupt)?;
    let mut out = PositionFile::new(&args.out)?;
    let mut counts = Counts::default();
    let skipped = each_game(&args.files, args.skip_errors, &progress, |game| {
        counts.games += 1;
        take(args, &game, &mut counts, |sample| out.write(sample))
    })?;
    counts.skipped_games = skipped;
    let is_direct = out.is_direct;
    out.finish()?;
    progress.bar.finish_and_clear();
    print_summary(&if args.json { serde_json::to_string(&counts)? } else { text(&counts) }, is_direct)?;
    Ok(())
}

/// Takes the positions of a game.
fn take(
    args: &Args,
    game: &SelfplayGame,
    counts: &mut Counts,
    mut write: impl FnMut(Sample) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut position = game.start.clone();
    let labels = labels(game, args.horizon, args.unit, args.unit_out.unwrap_or(args.unit));
    for (ply, (scored, &label)) in game.moves.iter().zip(&labels).enumerate() {
        counts.positions += 1;
        let reason = if ply < args.skip_plies {
            &mut counts.opening
        } else if position.in_check() {
            &mut counts.in_check
        } else if !args.tactical && position.is_tactical(scored.mv) {
            &mut counts.tactical
        } else if scored.score.unsigned_abs() > args.max_score {
            &mut counts.decided
        } else {
            write(Sample::new(&position, label, game.winner))?;
            &mut counts.taken
        };
        *reason += 1;
        position.make_unchecked(scored.mv);
    }
    Ok(())
}

/// The score of each ply for the side to move, mixed with those after it.
///
/// The expected points of a ply are `1 / (N + 1)` its own and `N / (N + 1)` the mixed ones of the next ply, where `N`
/// is `horizon`; after the last ply they are the result. Richard Sutton (1988) calls that TD(λ), λ = `N / (N + 1)`.
/// A score of `unit` is worth `1 / (1 + 1 / e)` points before, and one of `unit_out` afterwards.
fn labels(game: &SelfplayGame, horizon: u16, unit: u16, unit_out: u16) -> Vec<i16> {
    let mut labels: Vec<i16> = game.moves.iter().map(|scored| scored.score).collect();
    if horizon == 0 && unit == unit_out {
        return labels;
    }
    let [horizon, unit, unit_out] = [horizon, unit, unit_out].map(f64::from);
    let later = horizon / (horizon + 1.0);
    let last_mover = if labels.len().is_multiple_of(2) { !game.start.turn() } else { game.start.turn() };
    // The points of the side that has just moved.
    let mut points = game.winner.map_or(0.5, |winner| f64::from(u8::from(winner == last_mover)));
    for label in labels.iter_mut().rev() {
        let own = 1.0 / (1.0 + (-f64::from(*label) / unit).exp());
        let mixed = (1.0 - later) * own + later * points;
        let score = unit_out * (mixed / (1.0 - mixed)).ln();
        *label = score.clamp(-LABEL_MAX, LABEL_MAX).round() as i16;
        points = 1.0 - mixed;
    }
    labels
}

fn text(counts: &Counts) -> String {
    let Counts { games, skipped_games, positions, opening, in_check, tactical, decided, taken } = *counts;
    let share = |count: u64| 100.0 * count as f64 / positions.max(1) as f64;
    let mut text = format!("{games} games, {positions} positions\n");
    if skipped_games > 0 {
        let _ = writeln!(text, "{skipped_games} broken games skipped");
    }
    for (count, reason) in [
        (opening, "at the start of a game"),
        (in_check, "in check"),
        (tactical, "with a capture or a promotion as best move"),
        (decided, "with too large a score"),
        (taken, "taken"),
    ] {
        let _ = writeln!(text, "{count:>12}  {:>4.1} %  {reason}", share(count));
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test reports by panicking.

    use super::*;
    use bartizan_games::selfplay::ScoredMove;
    use bartizan_position::Position;
    use bartizan_types::Color;

    /// A game of 1. e4 e5 2. Nf3 with these scores.
    fn game(scores: [i16; 3], winner: Option<Color>) -> SelfplayGame {
        let start = Position::startpos();
        let mut position = start.clone();
        let moves = ["e2e4", "e7e5", "g1f3"].iter().zip(scores).map(|(text, score)| {
            let mv = position.legal_moves().iter().copied().find(|mv| mv.to_string() == *text).unwrap();
            position.make_unchecked(mv);
            ScoredMove { mv, score }
        });
        let moves = moves.collect();
        SelfplayGame { id: 0, start, moves, winner }
    }

    #[test]
    fn without_a_horizon_scores_stay_or_are_stretched() {
        let game = game([20, -1_900, 32_000], None);
        assert_eq!(labels(&game, 0, 200, 200), [20, -1_900, 32_000]);
        assert_eq!(labels(&game, 0, 180, 200), [22, -2_111, 4_000]);
    }

    #[test]
    fn with_a_horizon_later_scores_and_the_result_count() {
        // Half its own points, half those of what follows: 0 cp are 0.5 points, and a win is 1.
        let won = labels(&game([0, 0, 0], Some(Color::White)), 1, 200, 200);
        let cp = |points: f64| (200.0 * (points / (1.0 - points)).ln()).round() as i16;
        assert_eq!(won, [cp(0.5625), cp(0.375), cp(0.75)]);
        let lost = labels(&game([0, 0, 0], Some(Color::Black)), 1, 200, 200);
        assert_eq!(lost, won.iter().map(|score| -score).collect::<Vec<_>>());
        assert_eq!(labels(&game([0, 0, 0], None), 1, 200, 200), [0, 0, 0]);
    }
}
