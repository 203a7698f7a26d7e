//! `data split`: divides games by chance.

use super::{Progress, each_game, print_summary, total_bytes};
use crate::files::{self, cannot_write};
use crate::interrupt::Interrupt;
use anyhow::Context;
use bartizan_files::Replacement;
use bartizan_games::selfplay::GameWriter;
use bartizan_types::SplitMix64;
use std::io::BufWriter;
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
    let progress = Progress::new(total_bytes(&args.files)?, args.json, interrupt)?;
    let mut writers: Vec<GameWriter<BufWriter<Replacement>>> = Vec::new();
    let mut is_direct = false;
    for path in paths {
        let file = Replacement::new(path).with_context(|| cannot_write(path))?;
        is_direct |= file.is_direct();
        writers.push(GameWriter::new(BufWriter::new(file)).with_context(|| cannot_write(path))?);
    }
    let mut counts = [0_u32; 2];
    let mut number = 0;
    let mut random = SplitMix64::new(args.seed);
    let skipped = each_game(&args.files, args.skip_errors, &progress, |mut game| {
        let part = usize::from(random.unit_f64() < args.validation);
        // Numbers are unique in a file; those of several files are not.
        game.id = number;
        number += 1;
        counts[part] += 1;
        writers[part].write(&game).with_context(|| cannot_write(paths[part]))
    })?;
    for (writer, path) in writers.into_iter().zip(paths) {
        let file = writer.into_inner().into_inner().map_err(std::io::IntoInnerError::into_error);
        file.and_then(Replacement::commit).with_context(|| cannot_write(path))?;
    }
    progress.bar.finish_and_clear();
    let [train, validation] = counts;
    let summary = if args.json {
        serde_json::json!({ "train": train, "validation": validation, "skipped": skipped }).to_string()
    } else {
        let skipped = if skipped > 0 { format!(", {skipped} broken games skipped") } else { String::new() };
        format!("{train} games to train with, {validation} to validate with{skipped}")
    };
    print_summary(&summary, is_direct)?;
    Ok(())
}
