//! `pgn dedup`: removes duplicate games from a collection.

use super::output::{Numbering, OutArgs, Output};
use crate::files;
use crate::games::{GameText, Input};
use crate::interrupt::Interrupt;
use bartizan_games::{Duplicates, GameIdentity, Numbers, Prefixes, fullness};
use bartizan_notation::pgn::PgnGame;
use clap::ValueEnum;
use std::collections::HashSet;
use std::path::PathBuf;

const EXAMPLE: &str = "\
Games are duplicates if their moves and starting positions agree, whatever their
notation. A broken game is never removed, nor is a game without moves, unless
--same-players is given. Memory holds 16 bytes per game and their table, not the
games. With --keep fullest or --prefix, the input is read several times;
standard input is copied to a temporary file.

Examples:
  bartizan-tools pgn dedup a.pgn b.pgn --out all.pgn
  bartizan-tools pgn dedup games.pgn.zst --keep fullest --prefix \\
      --removed removed.pgn --out clean.pgn";

/// The arguments of `pgn dedup`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    input: Input,
    /// Duplicate to keep: the first, or the one with the most tags, comments, glyphs and variations
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = Keep::First)]
    keep: Keep,
    /// Treat games of different players as distinct
    #[arg(long)]
    same_players: bool,
    /// Also remove a game that is the beginning of another one with the same known players, the same date and no
    /// different result
    #[arg(long)]
    prefix: bool,
    #[command(flatten)]
    out: OutArgs,
    /// Output file for the removed games, also as .gz, .bz2 or .zst
    #[arg(long, value_name = "FILE")]
    removed: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Keep {
    First,
    Fullest,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    files::refuse_same(&[&args.out.path, &args.removed].into_iter().flatten().collect::<Vec<&PathBuf>>())?;
    args.input.refuse(args.removed.as_deref())?;
    let out = args.out.open()?;
    let removed = args.removed.as_deref().map(|path| Output::new(Some(path))).transpose()?;
    let copy = Copy { out, removed, numbers: Numbering::default(), games: 0, removes: false, dropped: 0 };
    let (copy, broken) = if args.keep == Keep::First && !args.prefix {
        in_one_pass(args, copy, interrupt)?
    } else {
        in_several_passes(args, copy, interrupt)?
    };
    let (games, dropped) = (copy.games, copy.dropped);
    copy.out.commit()?;
    copy.removed.map_or(Ok(()), Output::commit)?;
    let broken = if broken > 0 { format!(", {broken} broken") } else { String::new() };
    args.input.report(&format!("{games} games: {} kept, {dropped} removed{broken}", games - dropped));
    Ok(())
}

/// Writes the texts.
struct Copy {
    out: Output,
    removed: Option<Output>,
    numbers: Numbering,
    games: u64,
    /// Whether the last game was removed.
    removes: bool,
    dropped: u64,
}

impl Copy {
    /// Writes a text. For a game, `removes` says by its number whether to remove it; a text that is not a game stays
    /// with the preceding one.
    fn take(
        &mut self,
        number: u64,
        is_game: bool,
        text: &[u8],
        removes: impl FnOnce(u64) -> bool,
    ) -> anyhow::Result<()> {
        if is_game {
            self.removes = removes(self.games);
            self.games += 1;
            self.dropped += u64::from(self.removes);
        }
        match (self.removes, &mut self.removed) {
            (false, _) => self.out.write_game(number, text),
            (true, Some(removed)) => removed.write_game(number, text),
            (true, None) => Ok(()),
        }
    }
}

fn in_one_pass(args: &Args, mut copy: Copy, interrupt: &Interrupt) -> anyhow::Result<(Copy, usize)> {
    let mut seen = HashSet::new();
    let work = |game: &GameText<'_>| {
        let is_game = game.raw.is_game;
        let identity = |pgn: &PgnGame| GameIdentity::for_duplicates(game.raw, pgn, args.same_players);
        let identity = if is_game { game.see(usize::MAX, identity).flatten() } else { None };
        (is_game, identity, game.raw.line_text().into_owned())
    };
    let counts = args.input.each(interrupt, work, |place, (is_game, identity, text)| {
        let number = copy.numbers.next(place);
        copy.take(number, is_game, &text, |_| identity.is_some_and(|identity| !seen.insert(identity)))
    })?;
    Ok((copy, counts.broken))
}

fn in_several_passes(args: &Args, mut copy: Copy, interrupt: &Interrupt) -> anyhow::Result<(Copy, usize)> {
    let (input, _file) = args.input.repeatable(interrupt)?;
    let (mut duplicates, mut prefixes) = (Duplicates::new(), Prefixes::new());
    let work = |game: &GameText<'_>| {
        if !game.raw.is_game {
            return None;
        }
        let fullness = if args.keep == Keep::Fullest { fullness(game.raw) } else { 0 };
        let read = game.see(usize::MAX, |pgn| {
            let last = if args.prefix { Prefixes::steps(game.raw, pgn).pop() } else { None };
            (GameIdentity::for_duplicates(game.raw, pgn, args.same_players), last)
        });
        let (identity, last) = read.unwrap_or_default();
        Some((identity, fullness, last))
    };
    let counts = input.each(interrupt, work, |_, game| {
        if let Some((identity, fullness, last)) = game {
            duplicates.see(identity, fullness);
            last.into_iter().for_each(|last| prefixes.add(last));
        }
        Ok(())
    })?;
    let equal = duplicates.into_dropped();
    let again = input.without_reports();
    let beginnings = if args.prefix { beginnings(&again, prefixes, &equal, interrupt)? } else { Numbers::default() };
    let work = |game: &GameText<'_>| (game.raw.is_game, game.raw.line_text().into_owned());
    again.each(interrupt, work, |place, (is_game, text)| {
        let number = copy.numbers.next(place);
        copy.take(number, is_game, &text, |game| equal.contains(game) || beginnings.contains(game))
    })?;
    Ok((copy, counts.broken))
}

/// The games that are the beginning of another one that is kept.
fn beginnings(
    input: &Input,
    mut prefixes: Prefixes,
    equal: &Numbers,
    interrupt: &Interrupt,
) -> anyhow::Result<Numbers> {
    let mut games = 0;
    let work = |game: &GameText<'_>| {
        let is_game = game.raw.is_game;
        let pgn = if is_game { game.read(usize::MAX) } else { None };
        (is_game, pgn.map(|pgn| (pgn.result, Prefixes::steps(game.raw, &pgn))))
    };
    input.each(interrupt, work, |_, (is_game, read)| {
        if let Some((result, steps)) = read.filter(|_| !equal.contains(games)) {
            prefixes.extend(games, result, &steps);
        }
        games += u64::from(is_game);
        Ok(())
    })?;
    Ok(prefixes.into_dropped())
}
