//! The game as PGN.

use bartizan_engine::{NAME, today};
use bartizan_notation::pgn::{GameResult, PgnGame};
use bartizan_notation::san::San;
use bartizan_position::{Game, Position};
use bartizan_types::{Color, Move};
use std::fs::File;
use std::io;
use std::path::Path;

/// Appends a game to a PGN file, which is created if it does not exist.
pub(super) fn append(path: &Path, game: &Game, person: Color, result: GameResult) -> io::Result<()> {
    let mut pgn = PgnGame::new(game.start().clone());
    let (white, black) = if person.is_white() { ("Player", NAME) } else { (NAME, "Player") };
    let (year, month, day) = today();
    let date = format!("{year:04}.{month:02}.{day:02}");
    for (tag, value) in [("Event", "Casual game"), ("Site", "?"), ("Date", date.as_str()), ("Round", "-")] {
        pgn.set_tag(tag, value);
    }
    pgn.set_tag("White", white);
    pgn.set_tag("Black", black);
    pgn.moves = game.moves().map(Into::into).collect();
    pgn.result = result;
    let mut file = File::options().create(true).append(true).open(path)?;
    let mut text = Vec::new();
    if file.metadata()?.len() > 0 {
        text.push(b'\n');
    }
    pgn.write_to(&mut text)?;
    bartizan_files::append(&mut file, &text)
}

/// Moves with their numbers: `1. e4 e5 2. Nf3`.
pub(super) fn numbered(start: &Position, moves: &[Move]) -> String {
    let mut position = start.clone();
    let mut words = Vec::with_capacity(moves.len());
    for (index, &mv) in moves.iter().enumerate() {
        let san = San::new(&position, mv);
        let has_number = position.turn().is_white() || index == 0;
        let number = if has_number { super::move_number(&position) } else { String::new() };
        words.push(format!("{number}{san}"));
        let Ok(next) = position.play(mv) else { break };
        position = next;
    }
    words.join(" ")
}
