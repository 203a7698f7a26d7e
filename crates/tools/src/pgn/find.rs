//! `pgn find`: searches exported games for a position or material.

use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{note, say};
use anyhow::Context;
use bartizan_book::PolyglotKey;
use bartizan_games::dataset::Dataset;
use bartizan_games::filter::MaterialPattern;
use bartizan_position::{Position, Setup};
use std::collections::BTreeMap;
use std::path::PathBuf;

const EXAMPLE: &str = "\
Each line has the number of the game in the export, the number of plies before
the position is first reached, White, Black, the result and the date, separated
by tabs. Either side of the material may be White.

Examples:
  bartizan-tools pgn find games --material KRPvKR
  bartizan-tools pgn find games --material 'Q+P v R+P' --count
  bartizan-tools pgn find games \\
      --fen 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'";

/// The arguments of `pgn find`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Folder written by 'pgn export --positions'
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    what: What,
    /// Maximum number of games to print [default: no limit]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Print only the number of games
    #[arg(long, conflicts_with_all = ["limit", "json"])]
    count: bool,
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
    /// Suppress the summary
    #[arg(long)]
    quiet: bool,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct What {
    /// Position that the game reaches; the move counters do not matter
    #[arg(long, value_name = "FEN", value_parser = parse_key)]
    fen: Option<PolyglotKey>,
    /// Material that the game reaches, such as KRPvKR, KQP+vKRP* or 'Q+P v R+P'
    #[arg(long, value_name = "MATERIAL")]
    material: Option<MaterialPattern>,
}

fn parse_key(fen: &str) -> Result<PolyglotKey, String> {
    let setup = Setup::from_fen(fen).map_err(|error| error.to_string())?;
    let position = Position::try_from(&setup).map_err(|error| error.to_string())?;
    Ok(PolyglotKey::after(&position, setup.double_step()))
}

/// The printed tags.
const TAGS: [&str; 4] = ["White", "Black", "Result", "Date"];

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let dataset = Dataset::open(&args.folder)?;
    let is_stopped = || interrupt.is_set();
    let mut hits = match (&args.what.fen, &args.what.material) {
        (Some(key), _) => dataset.find_position(*key, is_stopped)?,
        (_, Some(material)) => dataset.find_material(material, is_stopped)?,
        _ => Vec::new(),
    };
    if interrupt.is_set() {
        return Err(Interrupted("while searching".to_owned()).into());
    }
    let found = hits.len();
    if args.count {
        return Ok(say!("{found}")?);
    }
    hits.truncate(args.limit.unwrap_or(usize::MAX));
    let numbers: Vec<u64> = hits.iter().map(|hit| hit.game).collect();
    let mut rows = BTreeMap::new();
    dataset.tags(&numbers, &TAGS, |game, values| {
        rows.insert(game, values.iter().map(|value| value.map(str::to_owned)).collect::<Vec<_>>());
    })?;
    for hit in &hits {
        let tags = rows.get(&hit.game).context("a game of the index is not in the games")?;
        if args.json {
            let mut object = serde_json::json!({ "game": hit.game, "ply": hit.ply });
            for (name, value) in TAGS.iter().zip(tags) {
                object[name.to_lowercase()] = value.clone().into();
            }
            say!("{object}")?;
            continue;
        }
        let ply = hit.ply.map(|ply| ply.to_string());
        // A tab in a tag would begin another column.
        let shown = |value: &Option<String>| value.as_deref().unwrap_or("-").replace('\t', " ");
        let columns: Vec<String> = std::iter::once(&ply).chain(tags).map(shown).collect();
        say!("{}\t{}", hit.game, columns.join("\t"))?;
    }
    if !dataset.manifest().complete {
        note!("warning: the export is not complete; run it again to continue");
    }
    if !args.quiet {
        note!("{found} games found");
    }
    Ok(())
}
