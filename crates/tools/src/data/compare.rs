//! `data compare`: finds the positions on which a network and the hand-written evaluation disagree most.

use super::Reading;
use crate::files::cannot_read;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{say, say_part};
use anyhow::Context;
use bartizan_network::Network;
use bartizan_training::Error;
use bartizan_training::data::Disputes;
use indicatif::ProgressBar;
use std::path::PathBuf;

const EXAMPLE: &str = "\
Lists the positions whose two values differ most in expected points: half a pawn
counts for more in a balanced position than in a won one. The searches use the
evaluation of the engine, the mean of its network and the hand-written terms.
Scores are for White, in pawns, as the engine shows them.

Example:
  bartizan-tools data compare held.pos --network network.bin --count 20";

/// The arguments of `data compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Position files written by `data filter`
    #[arg(value_name = "POSITIONS", required = true)]
    files: Vec<PathBuf>,
    /// Network to compare
    #[arg(long, value_name = "FILE")]
    network: PathBuf,
    /// Number of positions to list
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    count: u16,
    /// Nodes per search
    #[arg(long, value_name = "NODES", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Hash table size of the searches
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: usize,
    /// Print JSON, without progress
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let network = Network::open(&args.network).with_context(|| cannot_read(&args.network))?;
    let reading = Reading::new(&args.files, false, 1, args.json, interrupt)?;
    let disputes = reading.with(|source| Ok(Disputes::find(source, &network, args.count.into())?))?;
    let bar = if args.json { ProgressBar::hidden() } else { ProgressBar::new(disputes.len() as u64) };
    let searched = disputes.search(args.nodes, args.hash, &interrupt.stop(), || bar.inc(1));
    let comparison = searched.map_err(|error| match error {
        Error::Stopped => Interrupted("while searching; nothing is listed".to_owned()).into(),
        error => anyhow::Error::from(error),
    })?;
    bar.finish_and_clear();
    if args.json { say!("{}", serde_json::to_string(&comparison)?) } else { say_part!("{comparison}") }?;
    Ok(())
}
