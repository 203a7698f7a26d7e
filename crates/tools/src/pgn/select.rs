//! `pgn select`: random positions of games.

use super::output::Output;
use crate::games::Input;
use crate::interrupt::Interrupt;
use anyhow::ensure;
use bartizan_games::{Reservoir, SampledPosition, Sampling, SeenPositions};
use bartizan_types::Key;
use std::ops::RangeInclusive;
use std::path::PathBuf;

const EXAMPLE: &str = "\
Each line has the game as id and the result as c9, as tune reads them; without a
result, there is no c9. No position is printed twice. The same games and options
give the same lines, whatever --threads is, and the positions of a game do not
depend on other games. Duplicates are detected in constant memory, so a few new
positions are mistaken for duplicates: 0.04 % of ten million.

Examples:
  bartizan-tools pgn select games.pgn --min-ply 16 --per-game 4 \\
      --distance 12 --quiet-positions --out positions.epd
  bartizan-tools pgn select games.pgn.zst --limit 100000 --random-move \\
      --seed 7 > positions.epd";

/// The arguments of `pgn select`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    input: Input,
    /// Minimum number of plies before a position
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    min_ply: usize,
    /// Maximum number of plies before a position [default: no limit]
    #[arg(long, value_name = "PLIES")]
    max_ply: Option<usize>,
    /// Minimum distance between two positions of a game
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    distance: usize,
    /// Maximum distance from a position to the next one of the game [default: no limit]
    #[arg(short = 's', long, value_name = "PLIES")]
    max_distance: Option<usize>,
    /// Maximum number of positions per game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    per_game: u32,
    /// Maximum number of positions, sampled at random from all [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Play a random legal move from each position and take the resulting position
    #[arg(long)]
    random_move: bool,
    /// Take only quiet positions: not in check, no capture or promotion with a positive static exchange
    #[arg(long)]
    quiet_positions: bool,
    /// Minimum number of men, kings and pawns included
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(2..=32))]
    min_men: u32,
    /// Maximum number of men
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(2..=32))]
    max_men: u32,
    /// Range of the game phase, from 24 (all pieces) to 0 (none): queens count 4, rooks 2, bishops and knights 1
    /// [default: any]
    #[arg(long, value_name = "LEAST-MOST", value_parser = parse_range)]
    phase: Option<RangeInclusive<u32>>,
    /// Skip games without a result
    #[arg(long)]
    decided: bool,
    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Output file, also as .gz, .bz2 or .zst, written when everything is done [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object per position instead of EPD
    #[arg(long)]
    json: bool,
}

pub(super) fn parse_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let range = text.split_once('-').and_then(|(least, most)| Some(least.parse().ok()?..=most.parse().ok()?));
    range
        .filter(|range: &RangeInclusive<u32>| !range.is_empty())
        .ok_or_else(|| "expected LEAST-MOST, such as 4-16".to_owned())
}

/// A position as printed, and its key.
type Line = (Key, String);

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    args.input.refuse(args.out.as_deref())?;
    let most = args.max_ply.unwrap_or(usize::MAX);
    ensure!(args.min_ply <= most, "invalid --min-ply '{}': greater than --max-ply {most}", args.min_ply);
    let (min_men, max_men) = (args.min_men, args.max_men);
    ensure!(min_men <= max_men, "invalid --min-men '{min_men}': greater than --max-men {max_men}");
    if let Some(most) = args.max_distance {
        ensure!(most >= args.distance, "invalid --max-distance '{most}': less than --distance {}", args.distance);
        ensure!(most > 0, "invalid --max-distance '0': a position is at least a ply from the next one");
    }
    let mut out = Output::new(args.out.as_deref())?;
    let sampling = Sampling {
        plies: args.min_ply..=args.max_ply.unwrap_or(usize::MAX),
        distance: args.distance,
        max_distance: args.max_distance,
        per_game: args.per_game as usize,
        random_move: args.random_move,
        quiet: args.quiet_positions,
        men: args.min_men..=args.max_men,
        phases: args.phase.clone().unwrap_or(0..=u32::MAX),
        seed: args.seed,
    };
    let mut reservoir = args.limit.map(|limit| Reservoir::new(limit as usize, args.seed));
    let mut seen = SeenPositions::new();
    let (mut taken, mut duplicates) = (0_u64, 0_u64);
    let work = |game: &crate::games::GameText<'_>| -> Vec<Line> {
        let Some(game) = game.read(usize::MAX) else { return Vec::new() };
        if args.decided && game.result == bartizan_types::GameResult::Unknown {
            return Vec::new();
        }
        let samples = sampling.of_game(&game);
        samples.into_iter().map(|sample| (sample.position.key(), show(args, &sample))).collect()
    };
    let counts = args.input.each(interrupt, work, |_, lines| {
        for (key, line) in lines {
            if !seen.see(key) {
                duplicates += 1;
                continue;
            }
            taken += 1;
            match &mut reservoir {
                Some(reservoir) => drop(reservoir.push(line)),
                None => out.write_line(line)?,
            }
        }
        Ok(())
    })?;
    let lines = reservoir.map(Reservoir::into_items).unwrap_or_default();
    lines.iter().try_for_each(|line| out.write_line(line))?;
    out.commit()?;
    let of = if args.limit.is_some() { format!("{} of ", lines.len()) } else { String::new() };
    let broken = if counts.broken > 0 { format!(", {} broken", counts.broken) } else { String::new() };
    args.input.report(&format!("{of}{taken} positions from {} games, {duplicates} duplicates{broken}", counts.games));
    Ok(())
}

fn show(args: &Args, sample: &SampledPosition) -> String {
    let epd = sample.epd();
    if !args.json {
        return epd.to_string();
    }
    let object = serde_json::json!({
        "fen": sample.position.to_fen(),
        "id": epd.id(),
        "ply": sample.ply,
        "result": sample.result.as_str(),
    });
    object.to_string()
}
