//! `data shuffle`: brings positions into a random order.

use super::{CHUNK, PositionFile, Progress, each_chunk, open, print_summary, total_bytes};
use crate::input;
use crate::interrupt::Interrupt;
use anyhow::Context;
use bartizan_training::positions::{SAMPLE_SIZE, Sample};
use bartizan_types::SplitMix64;
use std::env;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, Write};
use std::path::PathBuf;

const EXAMPLE: &str = "\
Each order of all positions of all files is equally likely. First every position goes to one of several temporary files
by chance, in the folder of the result, or in that for temporary files where the result goes to standard output. Then
each of these is shuffled in memory.

Example:
  bartizan-tools data shuffle a.pos b.pos --memory 1024 --seed 7 --out shuffled.pos";

/// Temporary files at most: each has a buffer, and a system allows 1,024 open files.
const MOST_PARTS: u64 = 512;

/// The arguments of `data shuffle`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Files of positions of `data filter`
    #[arg(value_name = "POSITIONS", required = true)]
    files: Vec<PathBuf>,
    /// File for the positions
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Memory to use, in MB; at most 512 times as much can be shuffled
    #[arg(long, value_name = "MB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
    /// Seed of the order
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print the count as JSON, and no progress
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let total = total_bytes(&args.files)?;
    // Parts vary a little in size, so they are planned to be smaller than the memory. A stream has any size.
    let has_stream = args.files.iter().any(|file| input::is_stream(file).unwrap_or(false));
    let parts = if has_stream { MOST_PARTS } else { (total / (args.memory << 19) + 1).min(MOST_PARTS) };
    // All bytes are read twice: from the files, and from the parts.
    let progress = Progress::new(2 * total, args.json, interrupt)?;
    let mut out = PositionFile::new(&args.out)?;
    let is_direct = out.is_direct;
    let folder = match args.out.parent() {
        _ if is_direct => env::temp_dir(),
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let cannot_use = || format!("cannot use a temporary file in '{}'", folder.display());
    let mut buckets = Vec::new();
    for _ in 0..parts {
        buckets.push(BufWriter::new(tempfile::tempfile_in(&folder).with_context(cannot_use)?));
    }
    let mut random = SplitMix64::new(args.seed);
    let mut count = 0_u64;
    for file in &args.files {
        each_chunk(file, open(file, interrupt)?, CHUNK, |samples, _| {
            count += samples.len() as u64;
            progress.add_positions(samples.len())?;
            for sample in samples {
                buckets[random.below(parts as usize)].write_all(&sample.to_bytes()).with_context(cannot_use)?;
            }
            Ok(())
        })?;
    }
    for bucket in buckets {
        let file = bucket.into_inner().map_err(std::io::IntoInnerError::into_error).with_context(cannot_use)?;
        let mut records = read_part(file).with_context(cannot_use)?;
        random.shuffle(&mut records);
        for &record in &records {
            out.write(Sample::from_bytes(record))?;
        }
        progress.add_positions(records.len())?;
    }
    out.finish()?;
    progress.bar.finish_and_clear();
    let summary = if args.json {
        serde_json::json!({ "positions": count }).to_string()
    } else {
        format!("{count} positions in a random order")
    };
    print_summary(&summary, is_direct)?;
    Ok(())
}

fn read_part(mut file: File) -> std::io::Result<Vec<[u8; SAMPLE_SIZE]>> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let (records, _) = bytes.as_chunks();
    Ok(records.to_vec())
}
