//! The words for people.

use crate::session::Session;
use crate::task::{Purpose, Task};
use bartizan_engine::suite::Suite;
use bartizan_engine::{Perft, console};

const HELP: &str = "\
bartizan-xboard is a chess engine for xboard and WinBoard: xboard -fcp bartizan-xboard
Moves are entered as e2e4 or Nf3. Words of the protocol, and these:

  new, go, force, undo          begin a game, let the engine play the side to move, stop it, take back a ply
  level 40 5 0, st 10, sd 12    time: 40 moves in 5 minutes, 10 seconds a move; depth 12
  post, nopost                  show what the engine thinks, or not
  analyze, ., exit              think about the position, tell how far it is, stop
  setboard FEN                  set up a position
  board                         draw the board, with FEN and key
  eval [FILE]                   the static evaluation of the position, or of each one of an EPD file and of it flipped
  perft N, divide N             count the leaves N plies deep, move by move; ? ends it
  test FILE [-t S] [-d N] [-n N] [-x N] [-N LINES] [-o FILE] [-v]
                                search the problems of an EPD file: seconds, depth, nodes; -x: end a search after so many
                                iterations with the solution; -N: best lines; -v: show the thinking; ? ends it
  loadgame FILE [N]             put the N-th game of a PGN file on the board
  savehash FILE, loadhash FILE  keep the hash table, for an analysis that goes on tomorrow
  help, quit                    this text, leave";

/// Does a command for people; `false` if the line is none.
pub(crate) fn try_command(session: &mut Session, line: &str) -> bool {
    let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
    let rest = rest.trim();
    if session.task.is_thinking() && is_word(word) {
        session.refuse("the engine is thinking", line);
        return true;
    }
    let done = match (word, rest) {
        ("help", _) => {
            session.output.line(HELP);
            Ok(())
        }
        ("board" | "d", _) => {
            session.output.line(console::board(session.engine.position()));
            Ok(())
        }
        ("eval", "") => {
            session.output.line(console::evaluation(session.engine.position()));
            Ok(())
        }
        ("eval", file) => console::evaluate_file(file)
            .map(|lines| lines.iter().for_each(|line| session.output.line(line)))
            .map_err(|error| error.to_string()),
        ("perft" | "divide", depth) => perft(session, depth),
        ("test", words) => test(session, words),
        ("loadgame", words) => load_game(session, words),
        ("savehash", file) => save_hash(session, file),
        ("loadhash", file) => load_hash(session, file),
        _ => return false,
    };
    if let Err(reason) = done {
        session.refuse(&reason, line);
    }
    true
}

fn is_word(word: &str) -> bool {
    ["perft", "divide", "test", "loadgame", "savehash", "loadhash"].contains(&word)
}

fn perft(session: &mut Session, depth: &str) -> Result<(), String> {
    let depth: u32 = depth.parse().map_err(|_| "how many plies?".to_owned())?;
    session.abandon();
    let chess960 = session.engine.options().chess960;
    let perft = Perft::start(session.engine.position().clone(), depth, chess960).map_err(|error| error.to_string())?;
    session.task = Task::Perft(perft);
    Ok(())
}

fn test(session: &mut Session, words: &str) -> Result<(), String> {
    let mut suite = Box::new(Suite::open(words).map_err(|error| error.to_string())?);
    session.abandon();
    // A suite that opens has a problem.
    if let Some((game, limits, lines)) = suite.next_search() {
        session.search_lines(game, limits, lines, Purpose::Test(suite));
    }
    Ok(())
}

/// `FILE` or `FILE N`; a path may hold blanks.
fn load_game(session: &mut Session, words: &str) -> Result<(), String> {
    let (file, number) = match words.rsplit_once(char::is_whitespace) {
        Some((file, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => (file.trim(), number),
        _ => (words, "1"),
    };
    if file.is_empty() {
        return Err("which file?".to_owned());
    }
    let number: usize = number.parse().map_err(|_| "which game?".to_owned())?;
    let game = console::load_game(file, number).map_err(|error| error.to_string())?;
    session.force();
    session.set_game(game);
    session.output.line(console::board(session.engine.position()));
    Ok(())
}

fn save_hash(session: &mut Session, file: &str) -> Result<(), String> {
    let interrupted = session.interrupt();
    let saved = session.engine.save_hash(file);
    session.take_up(interrupted);
    let positions = saved.map_err(|error| error.to_string())?;
    session.output.line(format_args!("{file}: {positions} positions saved"));
    Ok(())
}

fn load_hash(session: &mut Session, file: &str) -> Result<(), String> {
    let interrupted = session.interrupt();
    let loaded = session.engine.load_hash(file);
    session.take_up(interrupted);
    let positions = loaded.map_err(|error| error.to_string())?;
    session.output.line(format_args!("{file}: {positions} positions loaded"));
    Ok(())
}
