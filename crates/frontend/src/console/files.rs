//! `test`, `loadgame`, `savehash`, `loadhash`: commands that read and write files.

use super::{ConsoleError, parse_in, position};
use crate::FrontEnd;
use crate::hash_file::{load_hash as load_hash_file, save_hash as save_hash_file};
use crate::suite::Suite;
use crate::words::unquoted;
use bartizan_files::ZeroGuard;
use bartizan_notation::pgn::{PgnGame, PgnReader};
use bartizan_position::Game;
use bartizan_types::Escaped;
use std::io::BufReader;
use std::path::Path;

pub(super) fn test<F: FrontEnd>(front: &mut F, arguments: &str) -> Result<(), ConsoleError> {
    let suite = Suite::open(arguments)?;
    for fault in suite.faults() {
        front.session().output.line(format_args!("skipped: {fault}"));
    }
    Ok(front.session().start_suite(Box::new(suite))?)
}

/// `loadgame FILE` or `loadgame FILE N`; the path may contain spaces.
pub(super) fn load_game<F: FrontEnd>(front: &mut F, arguments: &str) -> Result<(), ConsoleError> {
    let (file, number) = match arguments.rsplit_once(char::is_whitespace) {
        Some((file, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => (file.trim(), Some(number)),
        _ => (arguments, None),
    };
    let number = parse_in("loadgame", number, &(1..=usize::MAX), "the number of a game, from 1")?.unwrap_or(1);
    let pgn = read_game(Path::new(path("loadgame", file)?), number)?;
    for problem in &pgn.problems {
        front.session().output.line(problem);
    }
    // The reader has already played every move.
    front.set_game(pgn.to_game().unwrap_or_else(|_| Game::new(pgn.start.clone())));
    front.session().output.line(describe(&pgn));
    position::show_board(front, "")
}

/// Reads a game of a PGN file, numbered from 1.
fn read_game(path: &Path, number: usize) -> Result<PgnGame, ConsoleError> {
    let path = || path.to_owned();
    let io_error = |source| ConsoleError::Io { path: path(), source };
    let reader = BufReader::new(ZeroGuard::new(bartizan_files::open_regular(path()).map_err(io_error)?));
    let game = PgnReader::new(reader).nth(number - 1);
    let game = game.ok_or_else(|| ConsoleError::NoGame { path: path(), number })?;
    game.map_err(|source| ConsoleError::Pgn { path: path(), source })
}

/// Players, event, date and result: `Fischer - Spassky, World Championship, 1972.07.11, 1-0 (41 moves)`. Missing or
/// unknown tags are left out.
fn describe(game: &PgnGame) -> String {
    let tag = |name| game.tag(name).map(|text| Escaped(text).to_string()).unwrap_or_default();
    let player = |name| Some(tag(name)).filter(|text| !text.is_empty()).unwrap_or_else(|| "?".to_owned());
    let mut text = format!("{} - {}", player("White"), player("Black"));
    for name in ["Event", "Date"] {
        let value = tag(name);
        if !value.trim_matches(['?', '.', '-', ' ']).is_empty() {
            text += &format!(", {value}");
        }
    }
    let moves = game.moves.len().div_ceil(2);
    let plural = if moves == 1 { "" } else { "s" };
    format!("{text}, {} ({moves} move{plural})", game.result)
}

pub(super) fn save_hash<F: FrontEnd>(front: &mut F, file: &str) -> Result<(), ConsoleError> {
    let session = front.session();
    let file = path("savehash", file)?;
    let positions = save_hash_file(&session.engine, Path::new(file))?;
    session.output.line(format_args!("{}: {positions} positions saved", Escaped(file)));
    Ok(())
}

pub(super) fn load_hash<F: FrontEnd>(front: &mut F, file: &str) -> Result<(), ConsoleError> {
    let session = front.session();
    let file = path("loadhash", file)?;
    let positions = load_hash_file(&mut session.engine, Path::new(file))?;
    session.output.line(format_args!("{}: {positions} positions loaded", Escaped(file)));
    Ok(())
}

/// The file named by the rest of a line.
fn path<'a>(command: &'static str, text: &'a str) -> Result<&'a str, ConsoleError> {
    let text = unquoted(text);
    if text.is_empty() { Err(ConsoleError::Missing { command, expected: "a file" }) } else { Ok(text) }
}
