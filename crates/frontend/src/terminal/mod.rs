//! The terminal interface: a line editor, a coloured board, search output as a table.

pub(crate) mod board;
mod editor;
mod history;
mod mode;
mod screen;
mod style;
mod thinking;

pub(crate) use editor::Edited;
pub use editor::LineEditor;
pub(crate) use mode::Mode;
pub(crate) use screen::Screen;
pub use style::TerminalStyle;
pub use thinking::{thinking_heading, thinking_result, thinking_row};

use crate::Output;
use std::io::{IsTerminal, Write, stderr, stdin, stdout};

/// The standard streams: an output in a style that it supports, and a line editor if a person types at a terminal.
///
/// The editor prompts with `prompt` and completes `commands`.
pub fn open_terminal(prompt: &'static str, commands: Vec<&'static str>) -> (Output, Option<LineEditor>) {
    let style = TerminalStyle::of_stdout();
    if stdin().is_terminal()
        && stdout().is_terminal()
        && let Ok(mut editor) = LineEditor::new(prompt, commands)
        && let Ok(screen) = editor.screen()
    {
        let errors: Box<dyn Write + Send> =
            if stderr().is_terminal() { Box::new(screen.writer()) } else { Box::new(stderr()) };
        return (Output::new(screen.writer(), errors).with_style(style), Some(editor));
    }
    (Output::new(stdout(), stderr()).with_style(style), None)
}
