//! `tb verify`: verifies distance-to-mate tables.

use super::endings::Selection;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::say;
use crate::progress;
use crate::threads::parse_threads;
use anyhow::bail;
use bartizan_dtm::{Coverage, VerifyError};
use bartizan_tablebase::Tablebases;
use serde_json::json;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::Instant;

const EXAMPLE: &str = "\
Each value must be one ply further away than the best one after the legal moves.
The moves come from the engine's rules, which the generator does not use.
Mirrored positions must agree and, with --syzygy, so must the results, with
cursed wins as wins. Tables of 3 men are verified completely, larger ones by
random positions unless --all is given.

Example:
  bartizan-tools tb verify --tables tables --all --syzygy /syzygy KPKP";

/// The arguments of `tb verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    selection: Selection,
    /// Folders with Syzygy tables to compare with
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
    /// Verify every position of every table
    #[arg(long)]
    all: bool,
    /// Number of random positions per table of 4 or more men; about half of them are legal
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    draws: u64,
    /// Seed of the random positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of threads; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "auto", value_parser = parse_threads)]
    threads: NonZeroUsize,
    /// Print one JSON object per table
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let (tables, endgames) = args.selection.open()?;
    let syzygy = args.syzygy.as_deref().map(Tablebases::open).transpose()?;
    for endgame in &endgames {
        let begin = Instant::now();
        let all = args.all || endgame.men() <= 3;
        let coverage = if all { Coverage::All } else { Coverage::Sample { seed: args.seed, draws: args.draws } };
        let style = "{prefix} {bar:30} {percent} %  {elapsed} elapsed, {eta} left";
        let bar = progress::bar(1, style, args.json)?;
        bar.set_prefix(endgame.to_string());
        let report = |done, of| {
            bar.set_length(of);
            bar.set_position(done);
        };
        let verified =
            tables.verify(endgame, coverage, syzygy.as_ref(), args.threads.get(), &interrupt.stop(), &report);
        bar.finish_and_clear();
        let verified = match verified {
            Err(VerifyError::Interrupted) => bail!(Interrupted(format!("while verifying {endgame}"))),
            verified => verified?,
        };
        let seconds = begin.elapsed().as_secs_f64();
        if args.json {
            let object = json!({
                "ending": endgame.to_string(),
                "all": all,
                "seed": (!all).then_some(args.seed),
                "draws": (!all).then_some(args.draws),
                "positions": verified.positions,
                "en_passant": verified.en_passant,
                "images": verified.images,
                "syzygy": verified.syzygy,
                "seconds": seconds,
            });
            say!("{object}")?;
        } else {
            let scope = if all { "all".to_owned() } else { format!("seed {}", args.seed) };
            say!(
                "{endgame:<6} ok: {} positions ({scope}), {} en passant, {} mirror images, {} compared with Syzygy",
                verified.positions,
                verified.en_passant,
                verified.images,
                verified.syzygy
            )?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
