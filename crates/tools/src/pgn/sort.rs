//! `pgn sort`: sorts games.

use super::output::{Numbering, OutArgs};
use crate::games::{GameText, Input};
use crate::interrupt::{Interrupt, Interrupted};
use anyhow::Context;
use bartizan_games::{SortKey, Sorter};
use bartizan_types::Escaped;

const EXAMPLE: &str = "\
Keys:
  date, rating (the mean of both players), eco, event, round (numerically),
  white, black, plies, result, tag:NAME.
  Text is compared ignoring case. Games without a key come first, or last with
  --reverse. Games with equal keys keep their order, also with --reverse.

Memory:
  --memory covers the games that are sorted and their keys, the file buffers,
  and the games read ahead: 20 MB per thread, and at least 1 MB for the rest.
  Threads may take up to half of it; if that is too little, fewer threads read.
  The program itself takes about 10 MB more.

Examples:
  bartizan-tools pgn sort games.pgn --by date,event,round --out games.pgn
  bartizan-tools pgn sort a.pgn b.pgn.zst --by rating --reverse | head -100";

/// The arguments of `pgn sort`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    input: Input,
    /// Sort keys, separated by commas, the most important first
    #[arg(long, value_name = "KEYS", value_delimiter = ',', default_value = "date,event,round")]
    by: Vec<SortKey>,
    /// Sort in descending order
    #[arg(short, long)]
    reverse: bool,
    #[command(flatten)]
    out: OutArgs,
    /// Memory for reading and sorting; larger inputs are sorted in temporary files next to the output
    #[arg(long, value_name = "MB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let file = args.out.path.as_deref().filter(|path| path.as_os_str() != "-");
    let folder = file.map_or_else(std::env::temp_dir, |path| bartizan_files::folder_of(path).to_owned());
    let mut out = args.out.open()?;
    let (input, memory) = args.input.within_memory(args.memory);
    let mut sorter = Sorter::new(memory, &folder);
    let cannot_sort = || format!("cannot write a temporary file in '{}'", Escaped(folder.display()));
    let work = |game: &GameText<'_>| {
        let key = game.raw.is_game.then(|| SortKey::of_game(&args.by, args.reverse, game));
        (key, game.raw.line_text().into_owned())
    };
    let mut numbers = Numbering::default();
    let mut last = Vec::new();
    let counts = input.each(interrupt, work, |place, (key, text)| {
        // Text that is not a game stays with the preceding game.
        last = key.unwrap_or(std::mem::take(&mut last));
        sorter.push_text(&last, numbers.next(place), &text).with_context(cannot_sort)
    })?;
    let mut sorted = sorter.finish().with_context(cannot_sort)?;
    while let Some((_, number, text)) = sorted.next_text().with_context(cannot_sort)? {
        out.write_game(number, text)?;
        if interrupt.is_set() {
            return Err(Interrupted(format!("after {} games", counts.games)).into());
        }
    }
    out.commit()?;
    args.input.report(&format!("{} games sorted", counts.games));
    Ok(())
}
