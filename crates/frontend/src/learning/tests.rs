//! An engine that has fallen into a trap avoids it in the next game.
#![allow(clippy::unwrap_used)] // In a test a panic is the report.

use bartizan_engine::learning::LearningFile;
use bartizan_engine::{Engine, Limits, bench};
use bartizan_position::{Game, Position};
use bartizan_types::{Move, Value};
use std::path::Path;

/// The depth of the engine that learns.
const DEPTH: u32 = 4;
/// The depth of its opponent, which sees the trap.
const PUNISHER: u32 = 10;
/// Minimum loss of value by a trap, in internal centipawns.
const TRAP: i32 = 80;

fn learner(path: &Path) -> Engine {
    let mut engine = small();
    engine
        .configure(|options| {
            options.learning.enabled = true;
            options.learning.file = Some(path.to_owned());
            options.learning.depth = 4;
            options.learning.threshold = 60;
        })
        .unwrap();
    engine
}

/// An engine that learns nothing.
fn small() -> Engine {
    let mut engine = Engine::new();
    engine.configure(|options| options.hash_mib = 4).unwrap();
    engine
}

/// Searches the last position of a game and learns from the search.
fn think(engine: &mut Engine, game: &Game, depth: u32) -> (Option<Move>, Value) {
    let handle = engine.search(game.clone(), Limits::depth(depth), 1).unwrap();
    let mut events = Vec::new();
    let result = handle.wait_with(|event| events.push(event.clone()));
    events.iter().for_each(|event| engine.learn_from(event));
    (result.best, result.value)
}

/// Plays a move and its refutation, and searches again. Returns the move and the loss of value.
fn fall(engine: &mut Engine, start: &Position) -> Option<(Move, i32)> {
    engine.new_game();
    let mut game = Game::new(start.clone());
    let (mv, expected) = think(engine, &game, DEPTH);
    let mv = mv?;
    game.push(mv).ok()?;
    let (reply, _) = think(&mut small(), &game, PUNISHER);
    game.push(reply?).ok()?;
    game.outcome().is_none().then_some(())?;
    let (_, found) = think(engine, &game, DEPTH);
    // Differences between two won or two lost positions do not matter.
    let clear = |value: Value| value.0.clamp(-2_000, 2_000);
    Some((mv, clear(expected) - clear(found)))
}

/// The move of an engine that searches deeper.
fn deep_move(start: &Position) -> Option<Move> {
    think(&mut small(), &Game::new(start.clone()), PUNISHER).0
}

#[test]
fn a_trap_works_only_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learning.epd");
    let mut traps = 0;
    let mut avoided = 0;
    for fen in bench::positions() {
        let start = Position::from_fen(fen).unwrap();
        let _ = std::fs::remove_file(&path);
        let Some((mv, surprise)) = fall(&mut learner(&path), &start) else { continue };
        // A move that a deeper search prefers as well is not a trap.
        if surprise < TRAP || deep_move(&start) == Some(mv) {
            continue;
        }
        traps += 1;
        assert!(!LearningFile::read(&path).unwrap().records.is_empty(), "{fen}: nothing learnt");
        // The next game, as if in another process.
        let mut engine = learner(&path);
        engine.new_game();
        let (next, value) = think(&mut engine, &Game::new(start.clone()), DEPTH);
        let (again, _) = think(&mut small(), &Game::new(start), DEPTH);
        assert_eq!(again, Some(mv), "{fen}: without learning the same mistake");
        // It may repeat the move if it now knows the value and has no better one.
        println!("{fen}: {mv} (surprise {surprise}), then {next:?} at {value:?}");
        avoided += usize::from(next != Some(mv));
        if traps == 6 {
            break;
        }
    }
    assert!(traps > 0, "no bench position is a trap at depth {DEPTH}: take another depth");
    assert!(avoided * 2 >= traps, "{avoided} of {traps} traps avoided");
}

#[test]
fn read_only_writes_nothing_and_off_reads_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learning.epd");
    let game = Game::new(Position::from_fen(bench::positions().nth(3).unwrap()).unwrap());
    let mut engine = learner(&path);
    engine.configure(|options| options.learning.threshold = 1).unwrap();
    engine.configure(|options| options.learning.read_only = true).unwrap();
    think(&mut engine, &game, 8);
    assert!(!path.exists());
    engine.configure(|options| options.learning.read_only = false).unwrap();
    engine.configure(|options| options.learning.enabled = false).unwrap();
    think(&mut engine, &game, 8);
    assert!(!path.exists());
    engine.configure(|options| options.learning.enabled = true).unwrap();
    think(&mut engine, &game, 9);
    // This waits until the file is written.
    drop(engine);
    assert!(path.exists());
}
