//! `data split`: divides games randomly.

use super::{Reading, print_summary};
use crate::files::{self, NewFile, cannot_write};
use crate::interrupt::Interrupt;
use anyhow::Context;
use bartizan_games::selfplay::{GameWriter, SelfplayGame};
use bartizan_training::data::{SplitCounts, split};
use std::path::PathBuf;

/// The usage line of clap, which is wider than 80 columns.
const USAGE: &str = "\
bartizan-tools data split [OPTIONS]
           --out-train <FILE> --out-validation <FILE> <GAMES>...";

const EXAMPLE: &str = "\
All positions of a game go to the same set, so no validation position neighbours
a training position. The choice depends on the seed, the position of the file in
the list and the number of the game in the file.

Example:
  bartizan-tools data split g1.bin g2.bin --validation 0.02 \\
      --out-train train.bin --out-validation held.bin";

/// The arguments of `data split`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE, override_usage = USAGE)]
pub(super) struct Args {
    /// Game files written by `selfplay`
    #[arg(value_name = "GAMES", required = true)]
    files: Vec<PathBuf>,
    /// Share of the games for validation
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = parse_share)]
    validation: f64,
    /// Output file for the training games
    #[arg(long, value_name = "FILE")]
    out_train: PathBuf,
    /// Output file for the validation games
    #[arg(long, value_name = "FILE")]
    out_validation: PathBuf,
    /// Seed of the random choice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Skip broken games
    #[arg(long)]
    skip_errors: bool,
    /// Accept an incomplete last game in files that are still being written
    #[arg(long)]
    partial: bool,
    /// Print the counts as JSON, without progress
    #[arg(long)]
    json: bool,
}

fn parse_share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("expected a number between 0 and 1".to_owned()),
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
