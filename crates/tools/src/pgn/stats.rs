//! `pgn stats`: summarises a collection.

use crate::files;
use crate::games::Input;
use crate::interrupt::Interrupt;
use crate::output::{say, say_part};
use anyhow::Context;
use bartizan_games::CollectionStatistics;
use bartizan_types::Escaped;
use std::path::PathBuf;

const EXAMPLE: &str = "\
A player's performance is the rating that explains the score against the mean
rating of the opponents, over the games with a known opponent's rating.

Examples:
  bartizan-tools pgn stats games.pgn --top 20
  bartizan-tools pgn stats games.pgn.zst --json > games.json
  bartizan-tools pgn stats --merge part1.json part2.json";

/// The arguments of `pgn stats`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    input: Input,
    /// Determine the openings from the positions, not the tags
    #[arg(long)]
    classify: bool,
    /// JSON outputs of earlier runs to add up
    #[arg(long, value_name = "JSON", num_args = 1.., conflicts_with_all = ["files", "classify"])]
    merge: Vec<PathBuf>,
    /// Number of rows per table
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Print a JSON object with all counts
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let statistics = if args.merge.is_empty() { read(args, interrupt)? } else { merge(&args.merge)? };
    if args.json {
        say!("{}", serde_json::to_string(&statistics)?)?;
    } else {
        say_part!("{}", statistics.text(args.top))?;
    }
    Ok(())
}

fn read(args: &Args, interrupt: &Interrupt) -> anyhow::Result<CollectionStatistics> {
    let parts = args.input.fold(interrupt, |part: &mut CollectionStatistics, game| part.see(game, args.classify))?;
    let mut whole = CollectionStatistics::default();
    parts.iter().for_each(|part| whole.merge(part));
    Ok(whole)
}

fn merge(files: &[PathBuf]) -> anyhow::Result<CollectionStatistics> {
    let mut whole = CollectionStatistics::default();
    for path in files {
        let text = bartizan_files::read(path, bartizan_files::MOST_WHOLE).with_context(|| files::cannot_read(path))?;
        let part = serde_json::from_slice(&text);
        let part: CollectionStatistics =
            part.with_context(|| format!("'{}' is not the output of 'pgn stats --json'", Escaped(path.display())))?;
        whole.merge(&part);
    }
    Ok(whole)
}
