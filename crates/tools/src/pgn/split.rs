//! `pgn split`: splits games into several files.

use super::output::{Numbering, Output};
use crate::games::{GameText, Input};
use crate::interrupt::Interrupt;
use crate::output::say;
use anyhow::Context;
use bartizan_games::{FileNamePattern, GameIdentity, Sorter, ValueFiles, split_values};
use bartizan_types::Escaped;
use std::path::Path;

/// The usage line of clap, which is wider than 80 columns.
const USAGE: &str = "\
bartizan-tools pgn split [OPTIONS]
           <--games <N>|--shards <N>|--shard <K/N>|--by <TAG>> [FILE]...";

const EXAMPLE: &str = "\
Every game is copied byte for byte. A file appears when it is complete; shards
appear all at once.

Examples:
  bartizan-tools pgn split games.pgn --games 10000 --out 'part-{}.pgn'
  bartizan-tools pgn split games.pgn.zst --shards 8 --by-moves \\
      --out 'shards/{}.pgn'
  bartizan-tools pgn split games.pgn --by player --out 'players/{}.pgn'
  zstdcat games.pgn.zst | bartizan-tools pgn split --shard 3/8 \\
      | bartizan-tools book build - --out part3.bin";

/// The arguments of `pgn split`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE, override_usage = USAGE)]
pub(super) struct Args {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    how: SplitBy,
    /// Choose the shard by the moves, so that identical games share a shard
    #[arg(long, conflicts_with_all = ["games", "by"])]
    by_moves: bool,
    /// File name pattern, also as .gz, .bz2 or .zst; {} is the number or the value [default: part-{}.pgn, or {}.pgn
    /// with --by]
    #[arg(short, long, value_name = "PATTERN", conflicts_with = "shard", value_parser = FileNamePattern::new)]
    out: Option<FileNamePattern>,
    /// Memory for reading and sorting with --by; larger inputs are sorted in temporary files next to the output
    #[arg(long, value_name = "MB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct SplitBy {
    /// Number of games per file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Number of files to distribute the games to
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=512))]
    shards: Option<u32>,
    /// Shard to write to standard output, such as 3/8
    #[arg(long, value_name = "K/N", value_parser = parse_shard)]
    shard: Option<(u32, u32)>,
    /// Tag to split by, one file per value, such as eco or event; also player (a game goes to both files) and year
    #[arg(long, value_name = "TAG")]
    by: Option<String>,
}

fn parse_shard(text: &str) -> Result<(u32, u32), String> {
    let numbers = text.split_once('/').and_then(|(shard, of)| Some((shard.parse().ok()?, of.parse().ok()?)));
    let valid = numbers.filter(|&(shard, of): &(u32, u32)| 1 <= shard && shard <= of);
    valid.ok_or_else(|| "expected SHARD/SHARDS, such as 3/8".to_owned())
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let pattern = if args.how.by.is_some() { "{}.pgn" } else { "part-{}.pgn" };
    let names = args.out.clone().map_or_else(|| FileNamePattern::new(pattern), Ok)?;
    match &args.how {
        SplitBy { games: Some(games), .. } => by_number(args, *games, &names, interrupt),
        SplitBy { shards: Some(shards), .. } => {
            let width = shards.to_string().len();
            let paths = (1..=*shards).map(|shard| names.numbered(shard as usize, width));
            let mut files = paths.map(|path| Output::new(Some(&path))).collect::<anyhow::Result<Vec<_>>>()?;
            let mut counts = vec![0; files.len()];
            into_shards(args, *shards, interrupt, |shard, is_game, number, text| {
                counts[shard as usize] += u64::from(is_game);
                files[shard as usize].write_game(number, text)
            })?;
            files.into_iter().try_for_each(Output::commit)?;
            let (least, most) = (counts.iter().min().unwrap_or(&0), counts.iter().max().unwrap_or(&0));
            let games: u64 = counts.iter().sum();
            Ok(say!("{games} games in {shards} files of {least} to {most}")?)
        }
        SplitBy { shard: Some((shard, of)), .. } => {
            let mut out = Output::new(None)?;
            let (mut own, mut all) = (0, 0);
            into_shards(args, *of, interrupt, |found, is_game, number, text| {
                all += u64::from(is_game);
                if found + 1 != *shard {
                    return Ok(());
                }
                own += u64::from(is_game);
                out.write_game(number, text)
            })?;
            out.commit()?;
            args.input.report(&format!("{own} of {all} games"));
            Ok(())
        }
        SplitBy { by, .. } => by_value(args, by.as_deref().unwrap_or_default(), &names, interrupt),
    }
}

/// A text and whether it is a game.
fn text(game: &GameText<'_>) -> (bool, Vec<u8>) {
    (game.raw.is_game, game.raw.line_text().into_owned())
}

/// The width of file numbers if the number of files is unknown.
const WIDTH: usize = 4;

fn by_number(args: &Args, size: u64, names: &FileNamePattern, interrupt: &Interrupt) -> anyhow::Result<()> {
    let (mut games, mut files) = (0, 0);
    let mut numbers = Numbering::default();
    let mut file: Option<Output> = None;
    let read = args.input.each(interrupt, text, |place, (is_game, text)| {
        if is_game && games % size == 0 && games > 0 {
            file.take().map_or(Ok(()), Output::commit)?;
        }
        let file = match &mut file {
            Some(file) => file,
            None => {
                files += 1;
                file.insert(Output::new(Some(&names.numbered(files, WIDTH)))?)
            }
        };
        games += u64::from(is_game);
        file.write_game(numbers.next(place), &text)
    });
    read.with_context(|| format!("after {} complete files", files.saturating_sub(1)))?;
    file.map_or(Ok(()), Output::commit)?;
    Ok(say!("{games} games in {files} files")?)
}

/// Distributes the texts: passes to `write` the shard of each, from 0, whether it is a game, its number and the text.
fn into_shards(
    args: &Args,
    shards: u32,
    interrupt: &Interrupt,
    mut write: impl FnMut(u32, bool, u64, &[u8]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut numbers = Numbering::default();
    let (mut games, mut shard) = (0, 0);
    let work = |game: &GameText<'_>| {
        let (is_game, bytes) = text(game);
        let own = args.by_moves.then(|| {
            let read = if is_game { game.see(usize::MAX, GameIdentity::of) } else { None };
            read.unwrap_or_else(|| GameIdentity::of_text(&bytes)).part(shards)
        });
        (is_game, own, bytes)
    };
    args.input.each(interrupt, work, |place, (is_game, own, bytes)| {
        if is_game {
            shard = own.unwrap_or(u32::try_from(games % u64::from(shards)).unwrap_or_default());
            games += 1;
        }
        // Text that is not a game stays with the preceding game.
        write(shard, is_game, numbers.next(place), &bytes)
    })?;
    Ok(())
}

fn by_value(args: &Args, by: &str, names: &FileNamePattern, interrupt: &Interrupt) -> anyhow::Result<()> {
    let folder = Some(names.folder()).filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (input, memory) = args.input.within_memory(args.memory);
    let mut sorter = Sorter::new(memory, folder);
    let mut paths = ValueFiles::default();
    let mut last: Vec<String> = Vec::new();
    let mut numbers = Numbering::default();
    let mut games = 0_u64;
    let work = |game: &GameText<'_>| (split_values(game.raw, by), text(game));
    let cannot_sort = || format!("cannot write a temporary file in '{}'", Escaped(folder.display()));
    input.each(interrupt, work, |place, (values, (is_game, text))| {
        let number = numbers.next(place);
        games += u64::from(is_game);
        if is_game {
            last = paths.keys(names, &values);
        }
        last.iter().try_for_each(|key| sorter.push_text(key.as_bytes(), number, &text)).with_context(cannot_sort)
    })?;
    let mut sorted = sorter.finish().with_context(cannot_sort)?;
    let mut file: Option<(Vec<u8>, Output)> = None;
    let mut files = 0;
    while let Some((key, number, text)) = sorted.next_text().with_context(cannot_sort)? {
        if let Some((_, full)) = file.take_if(|(old, _)| old != key) {
            full.commit()?;
            interrupt_after(files, interrupt)?;
        }
        let (_, file) = match &mut file {
            Some(file) => file,
            None => {
                let path = paths.path(key).context("a lost file name")?;
                files += 1;
                file.insert((key.to_vec(), Output::new(Some(path))?))
            }
        };
        file.write_game(number, text)?;
    }
    if let Some((_, file)) = file {
        file.commit()?;
    }
    Ok(say!("{games} games in {files} files")?)
}

fn interrupt_after(files: usize, interrupt: &Interrupt) -> anyhow::Result<()> {
    if interrupt.is_set() {
        return Err(crate::interrupt::Interrupted(format!("after {files} complete files")).into());
    }
    Ok(())
}
