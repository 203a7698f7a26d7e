//! The line editor: arrow keys, history, completion with the Tab key.
//!
//! It reads on a separate thread; other threads print above the line being edited.

use super::history::History;
use super::{Mode, Screen};
use crate::user_folder;
use rustyline::completion::{Completer, FilenameCompleter, Pair, unescape};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::path::MAIN_SEPARATOR;

/// How many lines of history are kept.
const HISTORY: usize = 1_000;

/// What a person has entered.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Edited {
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D, or the terminal is gone.
    End,
}

/// Reads lines from a terminal, with history and completion.
pub struct LineEditor {
    editor: Editor<Words, DefaultHistory>,
    prompt: &'static str,
    history: Option<History>,
    screen: Option<Screen>,
    mode: Mode,
}

impl LineEditor {
    /// An editor that completes `commands`, and file names as arguments. The history is kept in the user's folder.
    ///
    /// # Errors
    /// Those of the terminal.
    pub(super) fn new(prompt: &'static str, commands: Vec<&'static str>) -> rustyline::Result<Self> {
        let config = Config::builder().max_history_size(HISTORY)?.completion_type(CompletionType::List).build();
        let mut editor = Editor::with_config(config)?;
        editor.set_helper(Some(Words { commands, files: FilenameCompleter::new() }));
        let history = user_folder().map(|folder| History::new(folder.join("history")));
        // Without a history there is nothing to recall yet.
        for entry in history.as_ref().and_then(|history| history.load(HISTORY).ok()).unwrap_or_default() {
            editor.add_history_entry(entry)?;
        }
        Ok(Self { editor, prompt, history, screen: None, mode: Mode::of_stdin() })
    }

    /// Starts printing for other threads, above the line being edited.
    ///
    /// # Errors
    /// Those of the terminal, and if the system cannot provide a thread.
    pub(super) fn screen(&mut self) -> rustyline::Result<Screen> {
        let screen = Screen::start(self.editor.create_external_printer()?)?;
        self.screen = Some(screen.clone());
        Ok(screen)
    }

    /// The mode of the terminal while nothing is edited.
    pub(crate) fn usual_mode(&self) -> Mode {
        self.mode.clone()
    }

    /// The printer above the line, if there is one.
    pub(crate) fn begun_screen(&self) -> Option<Screen> {
        self.screen.clone()
    }

    /// Waits for the next line.
    pub(crate) fn read(&mut self) -> Edited {
        let read = self.editor.readline(self.prompt);
        if let Some(screen) = &self.screen {
            screen.end_reading();
        }
        match read {
            Ok(line) => {
                self.remember(&line);
                Edited::Line(line)
            }
            Err(ReadlineError::Interrupted) => Edited::Interrupt,
            Err(_) => Edited::End,
        }
    }

    /// Saves each line at once, so that the history survives however the program ends.
    fn remember(&mut self, line: &str) {
        let is_new = self.editor.add_history_entry(line).unwrap_or(false);
        if let Some(history) = self.history.as_ref().filter(|_| is_new) {
            // The history is a convenience: an unwritable folder must not stop the program.
            let _ = history.append(line);
        }
    }
}

/// Completes the first word with a command and later ones with a file name.
struct Words {
    commands: Vec<&'static str>,
    files: FilenameCompleter,
}

impl Completer for Words {
    type Candidate = Pair;

    fn complete(&self, line: &str, position: usize, context: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let word = &line[..position];
        if word.trim_start().contains(char::is_whitespace) {
            let (start, files) = self.files.complete(line, position, context)?;
            return Ok((start, as_commands_read(files, &line[..start], &line[position..])));
        }
        let start = word.len() - word.trim_start().len();
        let small = word[start..].to_lowercase();
        let matching = self.commands.iter().filter(|command| command.starts_with(&small));
        let pair = |command: &&str| Pair { display: (*command).to_owned(), replacement: format!("{command} ") };
        Ok((start, matching.map(pair).collect()))
    }
}

/// File names in the commands' notation: in quotation marks if they contain spaces, without the completer's
/// backslashes. They stand between `before` and `after`.
fn as_commands_read(files: Vec<Pair>, before: &str, after: &str) -> Vec<Pair> {
    let escape = if cfg!(windows) { None } else { Some('\\') };
    let names: Vec<String> = files.iter().map(|file| unescape(&file.replacement, escape).into_owned()).collect();
    let is_begun = before.ends_with('"');
    let (begin, end) = match names.iter().any(|name| name.contains(char::is_whitespace)) {
        // The completer for Windows adds the mark itself.
        true if !is_begun && !cfg!(windows) => ("\"", "\""),
        true => ("", "\""),
        false => ("", if is_begun { "\"" } else { "" }),
    };
    // A folder, or one of several candidates, can be continued.
    let is_whole = names.len() == 1 && !names[0].ends_with(MAIN_SEPARATOR) && !after.starts_with('"');
    let end = if is_whole { end } else { "" };
    let pair = |(file, name): (Pair, String)| Pair { replacement: format!("{begin}{name}{end}"), ..file };
    files.into_iter().zip(names).map(pair).collect()
}

impl Helper for Words {}
impl Highlighter for Words {}
impl Validator for Words {}
impl Hinter for Words {
    type Hint = String;
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn names_with_blanks_are_completed_in_quotation_marks() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().display();
        std::fs::create_dir(folder.path().join("my suites")).unwrap();
        std::fs::write(folder.path().join("my suites/b $c.epd"), "").unwrap();
        std::fs::write(folder.path().join("one"), "").unwrap();
        let words = Words { commands: vec!["test"], files: FilenameCompleter::new() };
        let history = DefaultHistory::new();
        let complete = |line: &str| {
            let (start, pairs) = words.complete(line, line.len(), &Context::new(&history)).unwrap();
            assert_eq!(pairs.len(), 1, "{line}");
            line[..start].to_owned() + &pairs[0].replacement
        };
        assert_eq!(complete(&format!("test {path}/o")), format!("test {path}/one"));
        let begun = complete(&format!("test {path}/m"));
        assert_eq!(begun, format!("test \"{path}/my suites/"));
        assert_eq!(complete(&begun), format!("test \"{path}/my suites/b $c.epd\""));
    }
}
