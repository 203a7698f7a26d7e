//! `book diff` and `book merge`.

use super::{Output, open};
use crate::output::say;
use anyhow::Context;
use bartizan_book::{Book, Entry, PolyglotKey};
use serde_json::json;
use std::collections::BTreeMap;
use std::iter::Peekable;
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
    /// Books to merge; the weights of a move are added, and what the first of them has learnt about it is kept
    #[arg(required = true)]
    sources: Vec<PathBuf>,
    /// Smallest sum of weights of a move to keep
    #[arg(long, value_name = "WEIGHT", default_value_t = 0)]
    min_weight: u32,
}

/// Groups the entries of a book by position.
struct Positions<'a>(Peekable<bartizan_book::Entries<'a>>);

impl Positions<'_> {
    fn peek(&mut self) -> anyhow::Result<Option<PolyglotKey>> {
        match self.0.peek() {
            Some(Ok(entry)) => Ok(Some(entry.key)),
            Some(Err(_)) => Err(self.0.next().and_then(Result::err).context("cannot read a book")?.into()),
            None => Ok(None),
        }
    }

    /// The weights of the moves of a position; of several entries with one move, the greatest.
    fn take(&mut self, key: PolyglotKey) -> anyhow::Result<BTreeMap<u16, u16>> {
        let mut moves = BTreeMap::new();
        while let Some(entry) = self.0.next_if(|entry| entry.as_ref().is_ok_and(|entry| entry.key == key)) {
            let Entry { mv, weight, .. } = entry?;
            let known = moves.entry(mv.0).or_default();
            *known = weight.max(*known);
        }
        Ok(moves)
    }
}

/// What differs between two books.
#[derive(Debug, Default, PartialEq, Eq)]
struct Difference {
    positions: u64,
    only_first_positions: u64,
    only_second_positions: u64,
    moves: u64,
    only_first_moves: u64,
    only_second_moves: u64,
    /// Moves with another share of the weights of their position, by more than one percent.
    weights: u64,
}

fn difference(first: &Book, second: &Book) -> anyhow::Result<Difference> {
    let mut sources = [Positions(first.iter().peekable()), Positions(second.iter().peekable())];
    let mut all = Difference::default();
    loop {
        let [a, b] = &mut sources;
        let Some(key) = [a.peek()?, b.peek()?].into_iter().flatten().min() else { return Ok(all) };
        let (a, b) = (a.take(key)?, b.take(key)?);
        match (a.is_empty(), b.is_empty()) {
            (false, true) => all.only_first_positions += 1,
            (true, false) => all.only_second_positions += 1,
            _ => all.positions += 1,
        }
        all.only_first_moves += a.keys().filter(|mv| !b.contains_key(mv)).count() as u64;
        all.only_second_moves += b.keys().filter(|mv| !a.contains_key(mv)).count() as u64;
        let total = |moves: &BTreeMap<u16, u16>| moves.values().map(|&weight| f64::from(weight)).sum::<f64>().max(1.0);
        let (total_a, total_b) = (total(&a), total(&b));
        for (mv, &weight) in &a {
            let Some(&other) = b.get(mv) else { continue };
            all.moves += 1;
            let shift = f64::from(weight) / total_a - f64::from(other) / total_b;
            all.weights += u64::from(shift.abs() > 0.01);
        }
    }
}

pub(super) fn diff(args: &DiffArgs) -> anyhow::Result<()> {
    let found = difference(&open(&args.first)?, &open(&args.second)?)?;
    if args.json {
        let all = json!({
            "positions": { "both": found.positions, "first": found.only_first_positions,
                "second": found.only_second_positions },
            "moves": { "both": found.moves, "first": found.only_first_moves, "second": found.only_second_moves,
                "other_share": found.weights },
        });
        say!("{}", serde_json::to_string_pretty(&all)?)?;
        return Ok(());
    }
    let (first, second) = (args.first.display(), args.second.display());
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
    let (positions, moves) = merged.with_context(|| format!("cannot merge to '{}'", args.target.display()))?;
    output.commit()?;
    say!("{}: {positions} positions, {moves} moves", args.target.display())?;
    Ok(())
}
