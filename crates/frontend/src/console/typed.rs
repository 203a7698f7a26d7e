//! What people type besides commands: moves, capital letters, and words with typing errors.

use super::Commands;
use crate::FrontEnd;
use crate::play::{ending, find_move, move_number};
use crate::terminal::board::{self, View};
use bartizan_notation::san::San;
use bartizan_protocol::did_you_mean;
use bartizan_types::Color;

/// The names of the console commands and those of the protocol.
pub fn command_names<F: FrontEnd>() -> Vec<&'static str> {
    let console = Commands::<F>::ALL.iter().flat_map(|command| command.names).copied();
    console.chain(F::PROTOCOL_COMMANDS.iter().copied()).collect()
}

/// The text `; did you mean 'NAME'?` for the first word of a line, or nothing if no command is similar.
pub fn suggestion<F: FrontEnd>(line: &str) -> String {
    let word = line.split_whitespace().next().unwrap_or_default();
    did_you_mean(word.trim_start_matches('-'), command_names::<F>())
}

/// The line with its first word in small letters if that makes it a command of the protocol.
pub fn with_small_command<F: FrontEnd>(line: &str) -> String {
    let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
    let small = word.to_lowercase();
    if F::PROTOCOL_COMMANDS.contains(&small.as_str()) { format!("{small} {rest}") } else { line.to_owned() }
}

/// Plays a move that a person has typed, and draws the board; `false` if the line is not a legal move.
pub fn try_move<F: FrontEnd>(front: &mut F, line: &str) -> bool {
    let mut game = front.session().engine.game().clone();
    let Some(mv) = find_move(game.position(), line.trim()) else { return false };
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
