//! `eco classify`: writes the tags ECO, Opening and Variation.

use super::{PLIES, to_json};
use crate::games::{GameText, Input, Place};
use crate::interrupt::Interrupt;
use crate::pgn::output::{Numbering, Output};
use bartizan_book::eco::Opening;
use bartizan_games::filter::opening;
use bartizan_notation::pgn::PgnGame;
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Only these tags change, and SubVariation is removed; comments, variations and
everything else are copied byte for byte. Broken games, and games without an
opening in the table, are copied unchanged.

Examples:
  bartizan-tools eco classify games.pgn --out named.pgn
  bartizan-tools eco classify games.pgn --out games.pgn
  bartizan-tools eco classify 2024.pgn.zst 2025.pgn.zst --out named.pgn.gz
  bartizan-tools eco classify games.pgn --json";

/// The arguments of `eco classify`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    input: Input,
    /// Output file, also as .gz, .bz2 or .zst, written when everything is done; may be the input file [default:
    /// standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object per game, instead of the games
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    if args.json {
        args.input.refuse(args.out.as_deref())?;
    }
    let mut out = Output::new(args.out.as_deref())?;
    let (mut numbers, mut named) = (Numbering::default(), 0);
    let counts = args.input.each(
        interrupt,
        |game| classify(game, args.json),
        |place, Classified { is_named, text }| {
            named += usize::from(is_named);
            let number = numbers.next(place);
            match text {
                Text::Game(bytes) => out.write_game(number, &bytes),
                Text::Object(object) => out.write(&line(place, object)),
                Text::Nothing => Ok(()),
            }
        },
    )?;
    out.commit()?;
    let without = counts.games - counts.broken - named;
    let broken = counts.broken;
    args.input.report(&format!("{} games: {named} named, {without} without an opening, {broken} broken", counts.games));
    Ok(ExitCode::SUCCESS)
}

struct Classified {
    is_named: bool,
    text: Text,
}

enum Text {
    Game(Vec<u8>),
    Object(Value),
    Nothing,
}

fn classify(game: &GameText<'_>, json: bool) -> Classified {
    let pgn = game.read(PLIES);
    let opening = pgn.as_ref().and_then(opening);
    let text = match pgn {
        _ if !json => Text::Game(with_tags(game, opening)),
        Some(pgn) => Text::Object(to_object(&pgn, opening)),
        None => Text::Nothing,
    };
    Classified { is_named: opening.is_some(), text }
}

/// The text of the game with the tags of the opening.
fn with_tags(game: &GameText<'_>, opening: Option<&Opening>) -> Vec<u8> {
    let Some(opening) = opening else { return game.raw.bytes.clone() };
    let mut text = Vec::with_capacity(game.raw.bytes.len() + 128);
    // Writing to memory cannot fail.
    let written = game.raw.write_with_tags(&mut text, &opening.tags());
    if written.is_ok() { text } else { game.raw.bytes.clone() }
}

fn to_object(pgn: &PgnGame, opening: Option<&Opening>) -> Value {
    let mut object = opening.map_or_else(|| serde_json::json!({ "eco": null }), to_json);
    for (key, tag) in [("white", "White"), ("black", "Black")] {
        object[key] = pgn.tag(tag).map_or(Value::Null, Value::from);
    }
    object["result"] = pgn.result.as_str().into();
    object
}

/// The line of a game as JSON.
fn line(place: Place<'_>, mut object: Value) -> Vec<u8> {
    object["file"] = place.file.map_or(Value::Null, |file| file.to_string_lossy().into_owned().into());
    object["game"] = place.number.into();
    object["line"] = place.line.into();
    format!("{object}\n").into_bytes()
}
