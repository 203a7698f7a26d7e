//! `data filter`: takes positions of games.

use super::{PositionFile, Progress, each_game, total_bytes};
use crate::interrupt::Interrupt;
use crate::output::{say, say_part};
use bartizan_data::SelfplayGame;
use bartizan_data::positions::Sample;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

const EXAMPLE: &str = "\
A static evaluation should not learn what only a search can see: positions in check, and positions whose best move takes
something or promotes, are left out.

Example:
  bartizan-tools data filter train.bin --max-score 2000 --out train.pos";

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
    let progress = Progress::new(total_bytes(&args.files)?, args.json, interrupt)?;
    let mut out = PositionFile::new(&args.out)?;
    let mut counts = Counts::default();
    let skipped = each_game(&args.files, args.skip_errors, &progress, |game, _| {
        counts.games += 1;
        take(args, &game, &mut counts, |sample| out.write(sample))
    })?;
    counts.skipped_games = skipped;
    out.finish()?;
    progress.bar.finish_and_clear();
    if args.json { say!("{}", serde_json::to_string(&counts)?) } else { say_part!("{}", text(&counts)) }?;
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
    for (ply, scored) in game.moves.iter().enumerate() {
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
            write(Sample::new(&position, scored.score, game.winner))?;
            &mut counts.taken
        };
        *reason += 1;
        position.make_unchecked(scored.mv);
    }
    Ok(())
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
