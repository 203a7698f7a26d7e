//! `data shuffle`: puts positions into a random order.

use super::{Reading, finish, position_file, total_bytes};
use crate::files::cannot_write;
use crate::input;
use crate::interrupt::Interrupt;
use anyhow::Context;
use bartizan_training::data::{Shuffle, shuffle};
use std::env;
use std::path::PathBuf;

const EXAMPLE: &str = "\
Every order of all positions of all files is equally likely. Positions are first
distributed at random to temporary files, in the folder of the output file, or
in the system's temporary folder if the output is standard output. Each
temporary file is then shuffled in memory.

Example:
  bartizan-tools data shuffle a.pos b.pos --memory 1024 --out shuffled.pos";

/// The arguments of `data shuffle`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Position files written by `data filter`
    #[arg(value_name = "POSITIONS", required = true)]
    files: Vec<PathBuf>,
    /// Output file for the positions
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Memory to use; up to 512 times as much can be shuffled
    #[arg(long, value_name = "MB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
    /// Seed of the order
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print the count as JSON, without progress
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let bytes = total_bytes(&args.files)?;
    // The size of a stream is unknown.
    let has_stream = args.files.iter().any(|file| input::is_stream(file).unwrap_or(false));
    // All bytes are read twice: from the files, and from the parts.
    let reading = Reading::new(&args.files, false, 2, args.json, interrupt)?;
    let mut out = position_file(&args.out)?;
    let is_direct = out.get_ref().is_direct();
    let folder = if is_direct { env::temp_dir() } else { bartizan_files::folder_of(&args.out).to_owned() };
    let settings =
        Shuffle { bytes: (!has_stream).then_some(bytes), memory: args.memory, folder: &folder, seed: args.seed };
    let write = |sample| out.write(sample).with_context(|| cannot_write(&args.out));
    let count = reading.with(|source| shuffle(source, &settings, write))?;
    let summary = if args.json {
        serde_json::json!({ "positions": count }).to_string()
    } else {
        format!("{count} positions in a random order")
    };
    finish(out, &summary)
}
