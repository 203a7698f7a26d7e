//! An engine that has fallen into a trap avoids it in the next game.

use super::LearningFile;
use crate::message::Message;
use crate::{Output, Purpose, Session};
use bartizan_engine::{Limits, SearchEvent, bench};
use bartizan_position::{Game, Position};
use bartizan_types::{Move, Value};
use std::io;
use std::path::Path;

/// The depth of the engine that learns.
const DEPTH: u32 = 4;
/// The depth of its opponent, which sees the trap.
const PUNISHER: u32 = 10;
/// Minimum loss of value by a trap, in internal centipawns.
const TRAP: i32 = 80;

fn learner(path: &Path) -> Session {
    let mut session = small();
    session
        .configure(|config| {
            config.learning.enabled = true;
            config.learning.file = Some(path.to_owned());
            config.learning.depth = 4;
            config.learning.threshold = 60;
        })
        .unwrap();
    session
}

/// A session that learns nothing.
fn small() -> Session {
    let mut session = Session::new(Output::new(io::sink(), io::sink()));
    session.configure(|config| config.engine.hash_mib = 4).unwrap();
    session
}

/// Searches the last position of a game and learns from the search.
fn think(session: &mut Session, game: &Game, depth: u32) -> (Option<Move>, Value) {
    session.start_search(game.clone(), Limits::depth(depth), 1, Purpose::Analyse).unwrap();
    loop {
        let Message::Search(_, event) = session.inbox().next() else { continue };
        session.records.learn_from(&event);
        if let SearchEvent::Finished(result) = event {
            session.take_task();
            return (result.best, result.value);
        }
    }
}

/// Plays a move and its refutation, and searches again. Returns the move and the loss of value.
fn fall(session: &mut Session, start: &Position) -> Option<(Move, i32)> {
    session.new_game();
    let mut game = Game::new(start.clone());
    let (mv, expected) = think(session, &game, DEPTH);
    let mv = mv?;
    game.push(mv).ok()?;
    let (reply, _) = think(&mut small(), &game, PUNISHER);
    game.push(reply?).ok()?;
    game.outcome().is_none().then_some(())?;
    let (_, found) = think(session, &game, DEPTH);
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
        let mut session = learner(&path);
        session.new_game();
        let (next, value) = think(&mut session, &Game::new(start.clone()), DEPTH);
        let (again, _) = think(&mut small(), &Game::new(start), DEPTH);
        assert_eq!(again, Some(mv), "{fen}: without learning the same mistake");
        // It may repeat the move if it now knows the value and has nothing better.
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
    let mut session = learner(&path);
    session.configure(|config| config.learning.threshold = 1).unwrap();
    session.configure(|config| config.learning.read_only = true).unwrap();
    think(&mut session, &game, 8);
    assert!(!path.exists());
    session.configure(|config| config.learning.read_only = false).unwrap();
    session.configure(|config| config.learning.enabled = false).unwrap();
    think(&mut session, &game, 8);
    assert!(!path.exists());
    session.configure(|config| config.learning.enabled = true).unwrap();
    think(&mut session, &game, 9);
    // This waits until the file is written.
    drop(session);
    assert!(path.exists());
}
