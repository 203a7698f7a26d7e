//! `data split`: divides games randomly.

use super::{Reading, print_summary};
use crate::files::{self, NewFile, cannot_write};
use crate::interrupt::Interrupt;
use anyhow::Context;
use bartizan_games::selfplay::{GameWriter, SelfplayGame};
use bartizan_training::data::{SplitCounts, split};
use std::path::PathBuf;

const EXAMPLE: &str = "\
A game goes as a whole to one of the files, so that no position to validate with is the neighbour of one to train with.
The choice depends on the seed, the number of the file in the list, and the number of the game in the file.

Example:
  bartizan-tools data split g1.bin g2.bin --validation 0.02 --out-train train.bin --out-validation held.bin";

/// The arguments of `data split`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Files of games of `selfplay`
    #[arg(value_name = "GAMES", required = true)]
    files: Vec<PathBuf>,
    /// Share of the games to validate with
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = parse_share)]
    validation: f64,
    /// File for the games to train with
    #[arg(long, value_name = "FILE")]
    out_train: PathBuf,
    /// File for the games to validate with
    #[arg(long, value_name = "FILE")]
    out_validation: PathBuf,
    /// Seed of the choice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Skip broken games
    #[arg(long)]
    skip_errors: bool,
    /// The last game of a file may be incomplete, because it is still being written
    #[arg(long)]
    partial: bool,
    /// Print the counts as JSON, and no progress
    #[arg(long)]
    json: bool,
}

fn parse_share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("a number between 0 and 1 is needed".to_owned()),
    }
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let paths = [&args.out_train, &args.out_validation];
    files::refuse_same(&paths)?;
    for path in paths {
        files::refuse_input(path, &args.files)?;
        files::refuse_compressed(path)?;
    }
    let reading = Reading::new(&args.files, args.skip_errors, 1, args.json, interrupt)?.partial(args.partial);
    let begin = |path: &PathBuf| GameWriter::new(NewFile::create(path)?).with_context(|| cannot_write(path));
    let mut writers = paths.into_iter().map(begin).collect::<anyhow::Result<Vec<_>>>()?;
    let write = |is_validation, game: &SelfplayGame| {
        let part = usize::from(is_validation);
        writers[part].write(game).with_context(|| cannot_write(paths[part]))
    };
    let counts = reading.with(|source| split(source, args.validation, args.seed, write))?;
    let mut is_direct = false;
    for file in writers.into_iter().map(GameWriter::into_inner) {
        is_direct |= file.is_direct();
        file.commit()?;
    }
    let SplitCounts { train, validation, skipped } = counts;
    let summary = if args.json {
        serde_json::json!({ "train": train, "validation": validation, "skipped": skipped }).to_string()
    } else {
        let skipped = if skipped > 0 { format!(", {skipped} broken games skipped") } else { String::new() };
        format!("{train} games to train with, {validation} to validate with{skipped}")
    };
    Ok(print_summary(&summary, is_direct)?)
}
