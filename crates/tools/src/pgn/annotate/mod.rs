//! `pgn annotate`: annotates games with an engine's judgement of the moves.
//!
//! Each position is searched with empty tables, so that its evaluation does not depend on the threads.

mod summary;

use super::output::Output;
use crate::interrupt::Interrupt;
use crate::output::{note, say};
use crate::review::{Ended, Review, ReviewArgs, ReviewPlan, Reviewed, USUAL_NODES};
use anyhow::ensure;
use bartizan_analysis::{AnnotationStyle, DetailOptions, ReviewStatistics};
use std::path::PathBuf;

const EXAMPLE: &str = "\
Every position of the main line is searched with empty tables. The evaluation
follows the move as [%eval -0.25] or [%eval #3], from White's point of view. A
move is an inaccuracy (?!, $6), a mistake (?, $2) or a blunder (??, $4) if it
loses at least 5, 10 or 15 points of win per cent, and the engine prefers
another move; a draw is half a win. The engine's line is added as a variation,
and the reason of a mistake as a comment, where one is confirmed. Everything
else in the games stays; they are written in export format. Broken games are
copied unchanged. Without --st, the same games and options give the same output,
whatever --concurrency is. Without a limit, each position is searched with
100000 nodes.

Examples:
  bartizan-tools pgn annotate games.pgn --nodes 200000 --out annotated.pgn
  bartizan-tools pgn annotate games.pgn --st 1 --from-ply 17 \\
      --engine 'cmd=stockfish option.Hash=256' > annotated.pgn
  bartizan-tools pgn annotate games.pgn --depth 16 --journal run.jsonl \\
      --out annotated.pgn --json";

/// The arguments of `pgn annotate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    review: ReviewArgs,
    /// First ply to annotate; 21 skips ten moves of each side
    #[arg(long, value_name = "PLY", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    from_ply: u32,
    /// Maximum length of the better lines; 0 for none
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    variation_plies: u32,
    /// Do not write evaluations
    #[arg(long)]
    no_evals: bool,
    /// Do not look for the reasons of mistakes
    #[arg(long)]
    no_reasons: bool,
    /// Replace existing evaluations and the glyphs ?!, ? and ??. Without this option they stay, and their moves get no
    /// new ones
    #[arg(long)]
    replace: bool,
    /// Output file, also as .gz, .bz2 or .zst, written when everything is done; an interrupted run does not replace it
    /// [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print each player's losses and mistakes as JSON, instead of the table on standard error
    #[arg(long, requires = "out")]
    json: bool,
}

impl Args {
    fn plan(&self) -> ReviewPlan {
        ReviewPlan {
            journal: ("annotate", "a journal of pgn annotate"),
            usual_nodes: USUAL_NODES,
            skipped: self.from_ply as usize - 1,
            only_moves: false,
            details: DetailOptions { reasons: !self.no_reasons, critical: 0, ..DetailOptions::default() },
        }
    }

    fn style(&self) -> AnnotationStyle {
        AnnotationStyle {
            skipped: self.from_ply as usize - 1,
            variation: self.variation_plies as usize,
            replaces: self.replace,
            evals: !self.no_evals,
        }
    }
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let outputs: Vec<&PathBuf> = args.out.iter().collect();
    let review = Review::new(&args.review, args.plan(), &outputs, interrupt)?;
    let is_printed = args.out.as_ref().is_none_or(|path| path.as_os_str() == "-");
    ensure!(!(args.json && is_printed), "--json prints to standard output; give --out for the games");
    let mut out = Output::new(args.out.as_deref())?;
    let (engine, budget, style) = (review.engine_name(), review.budget(), args.style());
    let mut statistics = ReviewStatistics::default();
    let Ended { is_complete, error } = review.run(|reviewed| {
        match reviewed {
            Reviewed::Game(number, game, details) => {
                let tree = statistics.annotate(*game, &details.reasons, &engine, style);
                out.write_game(number, tree.to_string().as_bytes())?;
            }
            Reviewed::Other(number, other) => {
                statistics.games += u64::from(other.is_game);
                statistics.broken += u64::from(other.is_broken);
                out.write_game(number, &other.bytes)?;
            }
        }
        Ok(())
    })?;
    // Partial output does not replace a file.
    if is_complete || statistics.games > 0 && args.out.as_ref().is_none_or(|path| !path.exists()) {
        out.commit()?;
    }
    error.map_or(Ok(()), Err)?;
    if !args.review.quiet && !args.json {
        note!("{}", summary::table(&statistics));
    }
    if args.json {
        say!("{}", summary::json(&statistics, &engine, &budget))?;
    }
    ensure!(is_complete, Review::interrupted(&args.review, statistics.games));
    Ok(())
}
