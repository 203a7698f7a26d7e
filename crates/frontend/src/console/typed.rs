//! Interprets other typed input: moves, capital letters, and misspelt commands.

use super::Commands;
use crate::FrontEnd;
use crate::play::{ending, find_move};
use crate::terminal::board::{self, View};
use bartizan_notation::san::{San, move_number};
use bartizan_protocol::did_you_mean;
use bartizan_protocol::xboard::Command;
use bartizan_types::{Color, Move};

/// The names of the console commands and of the protocol's commands that are plain words.
pub fn command_names<F: FrontEnd>() -> Vec<&'static str> {
    let console = Commands::<F>::ALL.iter().flat_map(|command| command.names).copied();
    let console = console.filter(|name| !F::PROTOCOL_COMMANDS.contains(name));
    console.chain(F::PROTOCOL_COMMANDS.iter().copied()).filter(|name| name.starts_with(char::is_alphabetic)).collect()
}

/// Other words for commands. The first command that a front end has is suggested.
const SYNONYMS: [(&[&str], &[&str]); 3] = [
    (&["evaluate", "evaluation", "explain", "score"], &["eval"]),
    (&["analyse", "analyze", "analysis"], &["analyze", "go infinite"]),
    (&["hint", "search", "think", "best", "bestmove"], &["go movetime 1000"]),
];

/// The text `; did you mean 'NAME'?` for the first word of a line, or empty if no command is similar.
pub fn suggestion<F: FrontEnd>(line: &str) -> String {
    let word = line.split_whitespace().next().unwrap_or_default().trim_start_matches('-').to_lowercase();
    let names = command_names::<F>();
    let has = |command: &&&str| names.iter().any(|name| command.split(' ').next() == Some(name));
    let commands = SYNONYMS.iter().find(|(words, _)| words.contains(&word.as_str())).map_or(&[][..], |(_, them)| them);
    match commands.iter().find(has) {
        Some(command) => format!("; did you mean '{command}'?"),
        // `play` is no command of the console, but an argument of the program.
        None => did_you_mean(&word, names.into_iter().chain(F::PROGRAM_COMMANDS.iter().copied())),
    }
}

/// Draws the board of the current game, with its last move.
pub fn draw_board<F: FrontEnd>(front: &mut F) {
    let session = front.session();
    let (game, style) = (session.engine.game(), session.output.style());
    let view = View { bottom: Color::White, last_move: game.moves().last(), style };
    let drawing = board::draw(game.position(), view);
    session.output.line(format_args!("\n{drawing}\n"));
}

/// The line with its first word in lower case, if that makes it a protocol command.
pub fn with_small_command<F: FrontEnd>(line: &str) -> String {
    let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
    let small = word.to_lowercase();
    if F::PROTOCOL_COMMANDS.contains(&small.as_str()) { format!("{small} {rest}") } else { line.to_owned() }
}

/// The move that a line denotes in the current position. Pieces and castling may be in lower case where that is
/// unambiguous.
pub fn typed_move<F: FrontEnd>(front: &mut F, line: &str) -> Option<Move> {
    find_move(front.session().engine.position(), line.trim())
}

/// Whether a line has the form of a move, legal or not.
pub fn looks_like_move(line: &str) -> bool {
    let is_move = |text: &str| matches!(Command::parse(text), Ok(Some(Command::Move(_))));
    let mut letters = line.trim().chars();
    let upper = letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str());
    !line.trim().contains(char::is_whitespace) && (is_move(line) || upper.is_some_and(|upper| is_move(&upper)))
}

/// Plays a typed move and draws the board; `false` if the line is not a legal move.
pub fn try_move<F: FrontEnd>(front: &mut F, line: &str) -> bool {
    let Some(mv) = typed_move(front, line) else { return false };
    let mut game = front.session().engine.game().clone();
    if front.lacks_position() {
        front.report_error(&"no position: the last one was refused", line);
        return true;
    }
    if let Err(reason) = front.interrupt() {
        front.report_error(&reason, line);
        return true;
    }
    let text = format!("{}{}", move_number(game.position()), San::new(game.position(), mv));
    // The move was resolved on this board.
    if game.push(mv).is_err() {
        return false;
    }
    let style = front.session().output.style();
    let drawing = board::draw(game.position(), View { bottom: Color::White, last_move: Some(mv), style });
    let end = ending(&game).map_or_else(String::new, |ending| format!("  {}", ending.text));
    front.set_game(game);
    front.session().output.line(format_args!("\n{drawing}\n\n{text}{end}"));
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_told_from_words() {
        for text in ["e5", "Nf6", "nf6", "e2e5", " exd5 ", "O-O", "Qh4#", "e8=Q", "bxc3"] {
            assert!(looks_like_move(text), "{text}");
        }
        for text in ["", "d", "eval", "go depth 3", "nf6 x", "?", "e9", "undo", "b2b"] {
            assert!(!looks_like_move(text), "{text}");
        }
    }
}
