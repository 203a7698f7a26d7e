//! `pgn export`: writes games as tables for databases and data frames.

use crate::games::{GameText, Input};
use crate::interrupt::Interrupt;
use anyhow::{Context, ensure};
use bartizan_games::dataset::{DatasetInput, DatasetOptions, GameRecord, Manifest, PartWriter, Partition, Place};
use bartizan_types::Escaped;
use std::path::PathBuf;

const EXAMPLE: &str = "\
The folder gets games/*.parquet, and with --positions also positions/ and
material/. Problems are listed in problems/*.jsonl. A part appears when all of
its files are written: after an interruption, the same command continues with
the next part. docs/parquet.md describes the columns.

Examples:
  bartizan-tools pgn export games.pgn.zst --format parquet --out games
  bartizan-tools pgn export *.pgn --positions --partition year --out games";

/// The arguments of `pgn export`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    input: Input,
    /// Format of the files
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Parquet)]
    format: Format,
    /// Output folder: a new or empty one, or that of an interrupted export
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Also write the positions and the material that the games reach, which 'pgn find' needs
    #[arg(long)]
    positions: bool,
    /// Divide the games into folders: year, rating (bands of 200) or a tag, such as ECO
    #[arg(long, value_name = "BY")]
    partition: Option<Partition>,
    /// Number of games per part
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    part_games: u64,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    /// Apache Parquet, compressed with zstd.
    Parquet,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let Format::Parquet = args.format;
    let files = args.input.by_file()?;
    let inputs = files.iter().map(|(_, name, bytes)| DatasetInput { name: name.clone(), bytes: *bytes }).collect();
    let options = DatasetOptions {
        partition: args.partition.clone(),
        positions: args.positions,
        strict: args.input.is_strict(),
        part_games: args.part_games,
    };
    let out = Escaped(args.out.display());
    let new = Manifest::new(options, inputs);
    std::fs::create_dir_all(&args.out).with_context(|| crate::files::cannot_write(&args.out))?;
    let _claim = bartizan_files::claim_folder(&args.out).with_context(|| crate::files::cannot_write(&args.out))?;
    let mut manifest = Manifest::read(&args.out)?.unwrap_or_else(|| new.clone());
    ensure!(
        (&manifest.options, &manifest.inputs) == (&new.options, &new.inputs),
        "'{out}' has an export of other files or with other options; choose another folder"
    );
    if !manifest.complete {
        manifest.write(&args.out)?;
        write(args, &files, &mut manifest, interrupt)?;
    }
    let sum = |count: fn(&bartizan_games::dataset::PartSummary) -> u64| manifest.parts.iter().map(count).sum::<u64>();
    let (games, broken, problems) = (sum(|part| part.games), sum(|part| part.broken), sum(|part| part.problems));
    let parts = manifest.parts.len();
    let mut text = format!("{games} games in {parts} parts");
    if broken + problems > 0 {
        text += &format!(", {broken} broken games and {problems} problems listed in '{out}/problems'");
    }
    args.input.report(&text);
    Ok(())
}

fn write(
    args: &Args,
    files: &[(Input, String, Option<u64>)],
    manifest: &mut Manifest,
    interrupt: &Interrupt,
) -> anyhow::Result<()> {
    let options = manifest.options.clone();
    let mut start = manifest.end();
    let mut part: Option<PartWriter<'_>> = None;
    for (index, (file, ..)) in files.iter().enumerate().skip(start.input) {
        let done = if index == start.input { start.line } else { 0 };
        let work = |text: &GameText<'_>| {
            let is_new = text.raw.is_game && text.raw.line > done;
            is_new.then(|| text.read_checked()).flatten().map(|game| GameRecord::new(game, &options))
        };
        file.each(interrupt, work, |place, record| {
            let Some(record) = record else { return Ok(()) };
            let place = Place { input: index, number: place.number as u64, line: place.line };
            let number = u32::try_from(manifest.parts.len()).context("too many parts")?;
            let writer = part.get_or_insert_with(|| PartWriter::new(&args.out, &options, number, start));
            writer.push(&record, place)?;
            if writer.is_full()
                && let Some(full) = part.take()
            {
                manifest.parts.push(full.finish()?);
                manifest.write(&args.out)?;
                start = manifest.end();
            }
            Ok(())
        })?;
    }
    manifest.parts.extend(part.map(PartWriter::finish).transpose()?);
    manifest.complete = true;
    Ok(manifest.write(&args.out)?)
}
