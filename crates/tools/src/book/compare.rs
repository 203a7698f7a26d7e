//! `book diff` and `book merge`.

use super::{Output, open};
use crate::output::say;
use anyhow::Context;
use bartizan_book::{Book, difference};
use bartizan_types::Escaped;
use serde_json::json;
use std::path::PathBuf;

const DIFF_EXAMPLE: &str = "\
Example:
  bartizan-tools book diff old.bin new.bin";

const MERGE_EXAMPLE: &str = "\
Example:
  bartizan-tools book merge all.bin part1.bin part2.bin";

#[derive(Debug, clap::Args)]
#[command(after_help = DIFF_EXAMPLE)]
pub(super) struct DiffArgs {
    /// First book
    first: PathBuf,
    /// Second book
    second: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = MERGE_EXAMPLE)]
pub(super) struct MergeArgs {
    /// Book to write
    target: PathBuf,
    /// Books to merge; the weights of a move are added, and its learning data is that of the first book that has any
    #[arg(required = true)]
    sources: Vec<PathBuf>,
    /// Minimum total weight of a move
    #[arg(long, value_name = "WEIGHT", default_value_t = 0)]
    min_weight: u32,
}

pub(super) fn diff(args: &DiffArgs) -> anyhow::Result<()> {
    let found = difference(&open(&args.first)?, &open(&args.second)?).context("cannot read a book")?;
    if args.json {
        let all = json!({
            "positions": { "both": found.positions, "first": found.only_first_positions,
                "second": found.only_second_positions },
            "moves": { "both": found.moves, "first": found.only_first_moves, "second": found.only_second_moves,
                "other_share": found.weights },
        });
        return Ok(say!("{all:#}")?);
    }
    let (first, second) = (Escaped(args.first.display()), Escaped(args.second.display()));
    say!(
        "positions: {} in both, {} only in {first}, {} only in {second}",
        found.positions,
        found.only_first_positions,
        found.only_second_positions
    )?;
    say!(
        "moves: {} in both, {} only in {first}, {} only in {second}",
        found.moves,
        found.only_first_moves,
        found.only_second_moves
    )?;
    say!("{} moves have another share of their position's weights", found.weights)?;
    Ok(())
}

pub(super) fn merge(args: &MergeArgs) -> anyhow::Result<()> {
    let books = args.sources.iter().map(|path| open(path)).collect::<anyhow::Result<Vec<Book>>>()?;
    let mut output = Output::create(&args.target)?;
    let merged = bartizan_book::merge(&books, args.min_weight, |entry| output.write(entry));
    let (positions, moves) = merged.with_context(|| format!("cannot merge to '{}'", Escaped(args.target.display())))?;
    output.commit()?;
    say!("{}: {positions} positions, {moves} moves", Escaped(args.target.display()))?;
    Ok(())
}
