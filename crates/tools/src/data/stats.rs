//! `data stats`: counts what data consists of.

use super::Reading;
use crate::interrupt::Interrupt;
use crate::output::{say, say_part};
use bartizan_training::data::{SCORES, Stats, stats};
use std::fmt::Write as _;
use std::path::PathBuf;

const EXAMPLE: &str = "\
Scores are in internal centipawns, for the side to move. Positions are the same if board, side to move, castling rights
and en passant agree; where there are more than a million of them, a sample of them is counted.

Example:
  bartizan-tools data stats games.bin shuffled.pos";

/// The arguments of `data stats`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Files of games of `selfplay`, or of positions of `data filter`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Skip broken games
    #[arg(long)]
    skip_errors: bool,
    /// Print the counts as JSON, and no progress
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let reading = Reading::new(&args.files, args.skip_errors, 1, args.json, interrupt)?;
    let counts = reading.with(|source| Ok(stats(source)?))?;
    if args.json { say!("{}", serde_json::to_string(&counts)?) } else { say_part!("{}", text(&counts)) }?;
    Ok(())
}

fn text(counts: &Stats) -> String {
    let mut text = String::new();
    let positions = counts.positions;
    if counts.games > 0 {
        let _ = writeln!(text, "{} games", counts.games);
    }
    if counts.skipped_games > 0 {
        let _ = writeln!(text, "{} broken games skipped", counts.skipped_games);
    }
    let _ = writeln!(text, "{positions} positions, {:.1} % of them repeated", 100.0 * counts.repeated);
    let mut line = |count: u64, what: &str| {
        let _ = writeln!(text, "{count:>12}  {:>4.1} %  {what}", 100.0 * count as f64 / positions.max(1) as f64);
    };
    line(counts.won, "won by the side to move");
    line(counts.drawn, "drawn");
    line(counts.lost, "lost by the side to move");
    line(counts.opening, "with 24 men or more");
    line(counts.middlegame, "with 12 to 23 men");
    line(counts.endgame, "with fewer men");
    line(counts.in_check, "in check");
    let mut from = 0;
    for (end, &count) in SCORES.iter().zip(&counts.scores) {
        line(count, &format!("with a score from {from} to {}", end - 1));
        from = *end;
    }
    line(counts.scores[SCORES.len()], &format!("with a score of {from} or more"));
    text
}
