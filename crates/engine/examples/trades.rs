//! Searches won endings of five men that trade into four-man tables, with and without tables, and prints when each
//! search has found the win: `cargo run --release -p bartizan-engine --example trades -- SYZYGY TABLES`.
//!
//! SYZYGY is a folder with Syzygy tables of up to four men, TABLES one with the tables of
//! `bartizan-tools tb generate all3 all4`. Each position of `testdata/endings/trades.epd` is searched with an empty
//! hash table to a fixed number of nodes. The win counts as found with the first line from which on all lines are
//! tablebase wins or mates or, by the second criterion, are at least five pawns ahead. `trades --choose SYZYGY TABLES`
//! generates the file.
#![allow(clippy::print_stdout)] // A program prints its results.

mod support;

use bartizan_engine::{Engine, Options, SearchEvent};
use bartizan_notation::epd::{Epd, Operation, read_epd};
use bartizan_position::{Game, Position, Setup, Tolerance};
use bartizan_search::Limits;
use bartizan_types::{Bound, Color, PieceType, SplitMix64, Square, Value};
use std::fs;
use std::path::{Path, PathBuf};
use support::processor_time;

/// Nodes of a search.
const NODES: u64 = 3_000_000;

/// Minimum lead of the second criterion, in internal centipawns.
const LEAD: Value = Value(500);

const ENDINGS: [&str; 20] = [
    "KQPKQ", "KRPKR", "KRPKB", "KRPKN", "KRPKP", "KBPKB", "KBPKN", "KBPKP", "KNPKB", "KNPKN", "KNPKP", "KPPKB",
    "KPPKN", "KPPKP", "KBNKP", "KBBKP", "KQKRP", "KQKPP", "KRKPP", "KQKBP",
];

type Error = Box<dyn std::error::Error>;

/// The effort up to a moment of a search.
#[derive(Clone, Copy)]
struct Effort {
    nodes: u64,
    seconds: f64,
}

/// When a search found something that it then kept.
#[derive(Default)]
struct Found {
    win: Option<Effort>,
    lead: Option<Effort>,
}

fn main() -> Result<(), Error> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let chooses = arguments.first().is_some_and(|first| first == "--choose");
    arguments.drain(..usize::from(chooses));
    let [syzygy, tables] = arguments.as_slice() else { return Err("expected SYZYGY TABLES".into()) };
    let (syzygy, tables) = (PathBuf::from(syzygy), PathBuf::from(tables));
    if chooses {
        return choose(&mut engine(None, Some(&tables))?, &mut engine(None, None)?);
    }
    let mut engines = [engine(None, None)?, engine(Some(&syzygy), None)?, engine(None, Some(&tables))?];
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/endings/trades.epd");
    let mut totals = vec![(0, 0, 0.0); 2 * engines.len()];
    println!("| ending | without: win | five pawns | Syzygy: win | five pawns | mates: win | five pawns |");
    println!("|---|---|---|---|---|---|---|");
    for epd in read_epd(fs::read(&file)?.as_slice()) {
        let epd = epd?;
        let mut row = format!("| {} |", epd.operand("id").unwrap_or_default());
        for (number, engine) in engines.iter_mut().enumerate() {
            let found = search(engine, &epd.position, NODES)?;
            for (column, effort) in [found.win, found.lead].into_iter().enumerate() {
                let (count, nodes, seconds) = &mut totals[2 * number + column];
                row.push_str(&match effort {
                    Some(effort) => {
                        (*count, *nodes, *seconds) = (*count + 1, *nodes + effort.nodes, *seconds + effort.seconds);
                        format!(" {} nodes, {:.0} ms |", effort.nodes, effort.seconds * 1e3)
                    }
                    None => " – |".to_owned(),
                });
            }
        }
        println!("{row}");
    }
    let cells = totals.iter().map(|(count, nodes, seconds)| format!(" {count} found, {nodes} nodes, {seconds:.2} s |"));
    println!("| all |{}", cells.collect::<String>());
    Ok(())
}

fn engine(syzygy: Option<&Path>, tables: Option<&Path>) -> Result<Engine, Error> {
    let mut options = Options::default();
    options.syzygy.folders = syzygy.iter().map(|path| path.to_path_buf()).collect();
    options.table_folders = tables.iter().map(|path| path.to_path_buf()).collect();
    Ok(Engine::with_options(options)?)
}

/// Searches a position with an empty hash table.
fn search(engine: &mut Engine, position: &Position, nodes: u64) -> Result<Found, Error> {
    engine.new_game();
    engine.set_game(Game::new(position.clone()));
    let mut found = Found::default();
    let start = processor_time()?;
    for event in engine.go(Limits::nodes(nodes))? {
        let SearchEvent::Info(info) = event else { continue };
        // The system only updates the time of a running thread occasionally.
        let effort = Effort { nodes: info.nodes, seconds: (processor_time()? - start).max(0.0) };
        let is_lower = info.bound != Bound::Upper;
        let keep = |found: &mut Option<Effort>, is_there: bool| match is_there {
            // A lower bound counts like a value; an upper bound may mean that the win is gone.
            true if is_lower => *found = found.or(Some(effort)),
            _ => *found = None,
        };
        keep(&mut found.win, info.value.is_decisive() && info.value > Value::ZERO);
        keep(&mut found.lead, info.value >= LEAD);
    }
    Ok(found)
}

/// Draws a position of each ending that the first side, to move, wins by a trade a few moves away.
fn choose(with: &mut Engine, without: &mut Engine) -> Result<(), Error> {
    let mut random = SplitMix64::new(2026);
    for name in ENDINGS {
        // A few nodes must not find the win; more nodes must.
        let position = loop {
            let Some(position) = draw(name, &mut random) else { continue };
            let is_near = search(with, &position, 5_000)?.win.is_some();
            if is_near || search(without, &position, 50_000)?.win.is_some() {
                continue;
            }
            if search(with, &position, 500_000)?.win.is_some() {
                break position;
            }
        };
        let mut epd = Epd::new(position);
        epd.set(Operation::new("id", [name])?);
        println!("{epd}");
    }
    Ok(())
}

/// A random position in which white, to move, has the first pieces of the ending; `None` if the position is illegal.
fn draw(name: &str, random: &mut SplitMix64) -> Option<Position> {
    let mut setup = Setup::EMPTY;
    let mut kings = 0;
    for piece in name.chars().filter_map(PieceType::from_char) {
        // Each side's pieces begin with its king.
        kings += usize::from(piece == PieceType::King);
        let color = if kings == 1 { Color::White } else { Color::Black };
        let square = &mut setup.board[random.below(Square::COUNT)];
        if square.is_some() {
            return None;
        }
        *square = Some(piece.of(color));
    }
    setup.validate(Tolerance::NONE).ok().filter(|position| !position.in_check())
}
