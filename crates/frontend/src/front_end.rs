//! The event loop.

use crate::message::Message;
use crate::review::ReviewOutcome;
use crate::task::{Purpose, Searching, Task};
use crate::{LineEditor, Session, interrupt};
use bartizan_engine::{SearchEvent, SearchResult};
use bartizan_position::Game;
use std::fmt::Display;
use std::io::Read;

/// What a protocol adds to a [`Session`]: reading lines, and writing search events.
///
/// [`run`] and the console call these methods; a program implements them and keeps the session in a field.
pub trait FrontEnd {
    /// The text that the console's `help` prints before the list of console commands.
    const HELP: &'static str;

    /// The commands of the protocol, for suggestions and completion.
    const PROTOCOL_COMMANDS: &'static [&'static str];

    /// Commands of the program's command line that the console does not have, for suggestions.
    const PROGRAM_COMMANDS: &'static [&'static str] = &[];

    /// The session.
    fn session(&mut self) -> &mut Session;

    /// Handles a line of input, without its line end.
    fn handle_line(&mut self, line: &str);

    /// Writes an event of the current search, except the last.
    fn handle_search_event(&mut self, event: &SearchEvent);

    /// Handles the end of a search; `None` if its thread has died. The engine is idle.
    fn handle_search_end(&mut self, search: Searching, result: Option<SearchResult>);

    /// Handles the end of a review, for a front end that starts them. The engine is idle.
    fn handle_review_end(&mut self, _outcome: ReviewOutcome) {}

    /// Handles commands that have waited for the end of the task.
    fn handle_idle(&mut self);

    /// Reports an error in a line of input.
    fn report_error(&mut self, error: &dyn Display, line: &str);

    /// Replaces the current game at the request of a console user.
    fn set_game(&mut self, game: Game) {
        self.session().engine.set_game(game);
    }

    /// Whether the last position from the client was refused: the engine's board is not the client's, so nothing may be
    /// told about it.
    fn lacks_position(&self) -> bool {
        false
    }

    /// Frees the engine for a console command. Returns what was interrupted, for [`FrontEnd::resume`].
    ///
    /// # Errors
    /// If the task must not be interrupted, with the reason.
    fn interrupt(&mut self) -> Result<Option<Purpose>, &'static str>;

    /// Resumes the interrupted task, unless the console command has started another one. Does nothing by default.
    fn resume(&mut self, _interrupted: Option<Purpose>) {}
}

/// Handles input and events until the program should quit or the input ends, regardless of any task in progress.
pub fn run(front: &mut impl FrontEnd, input: impl Read + Send + 'static) {
    if let Err(error) = front.session().inbox().read_lines(input) {
        front.session().output.give_up(format_args!("error: cannot start a thread for the input: {error}"));
    }
    while !front.session().is_over() && handle_interruptible(front) {}
}

/// As [`run`], with a line editor. Ctrl-C stops the current task, or ends the program if there is none; the end of the
/// input (Ctrl-D) acts as `quit`. However the program ends, including by SIGTERM and SIGHUP, the terminal mode is
/// restored.
pub fn run_interactive(front: &mut impl FrontEnd, editor: LineEditor) {
    let mode = editor.usual_mode();
    interrupt::exit_in_mode(mode.clone());
    if let Err(error) = front.session().inbox().read_editor(editor) {
        front.session().output.give_up(format_args!("error: cannot start a thread for the input: {error}"));
    }
    while !front.session().is_over() && handle_next(front) {}
    if !front.session().is_over() {
        run_command(front, "quit");
    }
    mode.restore();
}

/// As [`run`], but at the end of the input, a task that ends by itself and the lines waiting for it are still
/// completed. A search that only another command could end is stopped, and answers.
pub fn run_to_end(front: &mut impl FrontEnd, input: impl Read + Send + 'static) {
    run(front, input);
    while !front.session().is_over() && !front.session().task().is_idle() {
        let task = front.session().task_mut();
        if task.is_endless() {
            task.stop();
        }
        handle_interruptible(front);
    }
}

/// Handles one line of input, and waits for the task that it starts. An [`Interrupter`](crate::Interrupter) stops a
/// search or a test suite.
pub fn run_command(front: &mut impl FrontEnd, line: &str) {
    front.handle_line(line);
    let session = front.session();
    let has_result = matches!(session.task(), Task::Searching(_) | Task::Testing(..));
    session.inbox().set_interruptible(has_result);
    while !front.session().is_over() && !front.session().task().is_idle() && handle_next(front) {}
    front.session().inbox().set_interruptible(false);
}

/// As [`handle_next`]. While it waits, an [`Interrupter`](crate::Interrupter) stops the task or ends the program.
fn handle_interruptible(front: &mut impl FrontEnd) -> bool {
    front.session().inbox().set_interruptible(true);
    handle_next(front)
}

/// Waits for a message and handles it; returns `false` at the end of the input.
fn handle_next(front: &mut impl FrontEnd) -> bool {
    match front.session().inbox().next() {
        Message::Line(line) => {
            // A command may keep this thread busy.
            front.session().inbox().set_interruptible(false);
            front.session().output.log_input(&line);
            front.handle_line(&line);
            prompt(front);
        }
        Message::Interrupt => {
            let session = front.session();
            if session.task().is_idle() {
                session.output.line("interrupted");
                session.quit();
            } else {
                session.task_mut().stop();
            }
            prompt(front);
        }
        Message::Search(_, event) => handle_search(front, event),
        Message::Perft(_, event) => {
            if front.session().handle_perft(event) {
                front.handle_idle();
            }
        }
        Message::Review(_, outcome) => {
            drop(front.session().take_task());
            front.handle_review_end(*outcome);
            front.handle_idle();
        }
        Message::EndOfInput => return false,
    }
    front.session().write_notes();
    true
}

/// Asks for the next line, unless the program ends: the editor would leave the terminal in its mode.
fn prompt(front: &mut impl FrontEnd) {
    let session = front.session();
    if !session.is_over() && !session.is_leaving() {
        session.inbox().prompt();
    }
}

fn handle_search(front: &mut impl FrontEnd, event: SearchEvent) {
    let session = front.session();
    session.note_search_event(&event);
    match session.task_mut() {
        Task::Searching(_) if !event.is_terminal() => {
            session.records.learn_from(&event);
            front.handle_search_event(&event);
        }
        Task::Searching(_) => {
            let Task::Searching(search) = session.take_task() else { return };
            let result = match event {
                SearchEvent::Finished(result) => Some(result),
                _ => None,
            };
            front.handle_search_end(search, result);
            front.handle_idle();
        }
        Task::Testing(..) => handle_suite(front, &event),
        Task::Idle | Task::Counting(_) | Task::Reviewing(_) => {}
    }
}

fn handle_suite(front: &mut impl FrontEnd, event: &SearchEvent) {
    let session = front.session();
    let Task::Testing(suite, control) = session.task_mut() else { return };
    let report = suite.handle_event(event);
    if report.is_decided {
        control.stop();
    }
    for line in &report.lines {
        session.output.line(line);
    }
    if !event.is_terminal() {
        return;
    }
    let Task::Testing(suite, _) = session.take_task() else { return };
    if let Err(error) = session.start_suite(suite) {
        front.report_error(&error, "test");
    }
    if front.session().task().is_idle() {
        front.handle_idle();
    }
}
