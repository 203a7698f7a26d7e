//! `eco classify`: writes the tags ECO, Opening and Variation.

use super::games::{Game, Input};
use super::to_json;
use crate::interrupt::Interrupt;
use crate::output::OutputError;
use anyhow::Context;
use bartizan_files::Replacement;
use serde_json::Value;
use std::io::{self, BufWriter, Write, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Only these tags change, and SubVariation is removed. Comments, variations and everything else stay byte for byte. A game
that leaves the table at once, or that is broken, is copied as it is.

Examples:
  bartizan-tools eco classify games.pgn --out named.pgn
  bartizan-tools eco classify games.pgn --out games.pgn
  zcat games.pgn.gz | bartizan-tools eco classify | gzip > named.pgn.gz
  bartizan-tools eco classify games.pgn --json";

/// The arguments of `eco classify`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    input: Input,
    /// File to write, as a whole and when all is done; it may be the input [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object per game instead of the game
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let Some(path) = &args.out else {
        write(args, interrupt, stdout().lock(), |error| OutputError::from(error).into())?;
        return Ok(ExitCode::SUCCESS);
    };
    let cannot_write = || format!("cannot write '{}'", path.display());
    let mut file = Replacement::new(path).with_context(cannot_write)?;
    write(args, interrupt, &mut file, |error| anyhow::Error::new(error).context(cannot_write()))?;
    file.commit().with_context(cannot_write)?;
    Ok(ExitCode::SUCCESS)
}

fn write(
    args: &Args,
    interrupt: &Interrupt,
    out: impl Write,
    failed: impl Fn(io::Error) -> anyhow::Error,
) -> anyhow::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let mut named = 0;
    let counts = args.input.each(interrupt, |game| {
        named += usize::from(game.opening().is_some());
        if args.json { write_json(game, &mut out) } else { write_game(game, &mut out) }.map_err(&failed)
    })?;
    out.flush().map_err(&failed)?;
    let without = counts.games - counts.broken - named;
    let broken = counts.broken;
    args.input.report(&format!("{} games: {named} named, {without} without an opening, {broken} broken", counts.games));
    Ok(())
}

fn write_game(game: &Game, out: &mut impl Write) -> io::Result<()> {
    let Some(opening) = game.opening() else { return out.write_all(&game.raw.bytes) };
    let changes = [
        ("ECO", Some(opening.code())),
        ("Opening", Some(opening.opening())),
        ("Variation", opening.variation()),
        ("SubVariation", None),
    ];
    game.raw.write_with_tags(out, &changes)
}

fn write_json(game: &Game, out: &mut impl Write) -> io::Result<()> {
    let Some(pgn) = &game.pgn else { return Ok(()) };
    let mut object = game.opening().map_or_else(|| serde_json::json!({ "eco": null }), to_json);
    object["game"] = game.number.into();
    object["line"] = game.raw.line.into();
    for (key, tag) in [("white", "White"), ("black", "Black")] {
        object[key] = pgn.tag(tag).map_or(Value::Null, Value::from);
    }
    object["result"] = pgn.result.as_str().into();
    writeln!(out, "{object}")
}
