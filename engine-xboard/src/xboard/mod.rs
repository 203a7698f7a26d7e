//! The xboard protocol: the state of the front end, and the dispatch of lines and events.
//!
//! A command takes effect at once, whatever the engine is doing, except for a few that must come after the current
//! move: `ping`, and commands that change threads and tables. A command that changes the position aborts the search.

mod analysis;
mod board;
mod commands;
mod play;
mod search;
mod settings;

use crate::clock::Control;
use crate::moves;
use crate::resign_draw::ResignDrawState;
use bartizan_engine::{SearchEvent, SearchResult};
use bartizan_frontend::{FrontEnd, Purpose, Searching, Session, console, why_illegal};
use bartizan_position::Game;
use bartizan_protocol::xboard::{Command, CommandError, Edit, Message, MoveText};
use bartizan_types::{Color, Excerpt, Move, Variant};
use std::fmt::Display;

/// Prefix of a line for readers of the client's log.
const COMMENT: &str = "# ";

/// Which side the engine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Neither side: the client enters the moves of both.
    Force,
    /// The engine plays this side.
    Playing(Color),
    /// Neither side: the engine analyses every position.
    Analysing,
}

/// Whether the engine may search the current position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The engine may search.
    Open,
    /// The client has sent `pause`. `resume` starts this search.
    Paused(Option<Purpose>),
    /// The game is over: the engine has resigned, or the result was announced.
    Over,
    /// The last position was illegal. The engine waits for another one.
    NoPosition,
}

/// The xboard front end.
pub(crate) struct Xboard {
    session: Session,
    mode: Mode,
    stage: Stage,
    control: Control,
    resign_draw: ResignDrawState,
    /// Moves that the client excludes from the searches of this position.
    excluded: Vec<Move>,
    /// The games before each null move, because a game cannot contain one.
    past: Vec<Game>,
    /// The board of edit mode.
    edit: Option<Edit>,
    /// Commands that wait for the engine's move.
    waiting: Vec<Command>,
    client: Client,
    /// Whether a person types the commands.
    is_typed: bool,
    /// The total memory limit in MiB, as set by `memory`.
    memory: Option<u64>,
    /// The depth of the last line of thinking that was shown, of this search.
    shown_depth: u32,
}

/// The client's known properties.
#[derive(Debug, Default)]
struct Client {
    /// Whether it wants to see thinking output.
    wants_thinking: bool,
    /// Whether the game is played on a chess server, which judges it.
    is_server: bool,
    /// Errors in the settings files, until it is known whether the client accepts comments.
    settings_faults: Vec<String>,
}

impl Xboard {
    /// Writes a message.
    fn send(&mut self, message: Message) {
        self.session.output.line(message);
    }

    /// Whether writing the output has failed.
    pub(crate) fn is_closed(&self) -> bool {
        self.session.output.is_closed()
    }

    /// Accepts moves as people type them: `nf3`.
    pub(crate) fn expect_typing(&mut self) {
        self.is_typed = true;
    }

    /// Writes a line for a user at a terminal.
    pub(crate) fn print(&mut self, text: impl Display) {
        self.session.output.line(text);
    }

    /// Writes a message for people, who may not see the client's output.
    pub(crate) fn complain(&mut self, text: impl Display) {
        self.session.output.complain(text);
    }

    /// Writes a line for readers of the client's log.
    fn comment(&mut self, text: impl Display) {
        for line in text.to_string().lines() {
            self.send(Message::Debug(line.to_owned()));
        }
    }

    /// `Error (REASON): COMMAND`.
    fn refuse(&mut self, reason: &str, command: &str) {
        self.send(Message::Error {
            reason: reason.to_owned(),
            command: Excerpt::with_length(command.trim(), Excerpt::LINE).to_string(),
        });
    }

    /// Allows a search again in a changed position, or at the client's request. After `pause`, it starts at `resume`.
    fn reopen(&mut self) {
        self.stage = match self.stage {
            Stage::Paused(_) => Stage::Paused(None),
            Stage::Open | Stage::Over | Stage::NoPosition => Stage::Open,
        };
    }

    /// A move, after which a person sees the board.
    fn receive_move(&mut self, command: Command) {
        let before = self.plies();
        self.receive(command);
        if self.plies() > before {
            self.show_board();
        }
    }

    /// Draws the board for a person.
    fn show_board(&mut self) {
        if self.is_typed {
            console::draw_board(self);
        }
    }

    /// Whether the engine is thinking about its move.
    fn is_thinking(&self) -> bool {
        self.session.task().purpose() == Some(Purpose::Think)
    }

    fn variant(&self) -> Variant {
        self.session.config().engine.variant
    }
}

impl FrontEnd for Xboard {
    const HELP: &'static str = "\
bartizan-xboard is a chess engine for xboard and WinBoard:

  xboard -fcp bartizan-xboard

Enter moves as e2e4 or Nf3, or commands of the protocol:

  new                   start a new game
  go, force             let the engine play the side to move, or neither side
  undo                  take back a ply
  level 40 5 0          set the time control: 40 moves in 5 minutes
  st 10, sd 12          set the time per move in seconds, the search depth
  strength 50           set the strength in percent, 1 to 100
  post, nopost          show or hide the search
  analyze, ., exit      analyse the position, show the progress, stop
  setboard FEN          set up a position
  ?                     move now; also ends perft and test
  quit                  exit";

    const PROTOCOL_COMMANDS: &'static [&'static str] = &[
        "new", "go", "force", "undo", "level", "st", "sd", "strength", "post", "nopost", "analyze", "setboard", "?",
        "quit",
    ];

    fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    fn handle_line(&mut self, line: &str) {
        self.session.output.trace(|| format!("command: {}", Excerpt::with_length(line.trim(), Excerpt::LINE)));
        if self.edit.is_some() && self.edit_line(line) {
            return;
        }
        match Command::parse(line) {
            Ok(None) => {}
            Ok(Some(command @ (Command::Move(_) | Command::UserMove(_)))) => self.receive_move(command),
            Ok(Some(command)) => self.receive(command),
            Err(CommandError::Unknown { .. }) if self.set_strength(line) || console::try_command(self, line) => {}
            Err(error) => match self.is_typed.then(|| console::typed_move(self, line)).flatten() {
                Some(mv) => self.receive_move(Command::UserMove(moves::text(mv, self.variant()))),
                None if !self.is_typed => self.refuse(&error.to_string(), line),
                None => match why_illegal(self.session.engine.position(), line.trim()) {
                    Some(_) => self.user_move(&MoveText::parse(line)),
                    None => self.refuse(&format!("{error}{}", console::suggestion::<Self>(line)), line),
                },
            },
        }
    }

    fn handle_search_event(&mut self, event: &SearchEvent) {
        if let SearchEvent::Info(info) = event {
            self.warn();
            self.show_thinking(info);
        }
    }

    fn handle_search_end(&mut self, search: Searching, result: Option<SearchResult>) {
        let Some(result) = result else {
            self.send(Message::TellUserError("the search thread has panicked".to_owned()));
            if search.purpose == Purpose::Think {
                self.play_any_move();
            }
            return;
        };
        // Before the next search starts.
        self.session.records.learn_from(&SearchEvent::Finished(result.clone()));
        if search.purpose == Purpose::Think {
            self.finish_move(&search, &result);
        }
    }

    fn handle_idle(&mut self) {
        self.execute_waiting();
    }

    fn report_error(&mut self, error: &dyn Display, line: &str) {
        self.refuse(&error.to_string(), line);
    }

    fn set_game(&mut self, game: Game) {
        self.force();
        self.replace_game(game);
    }

    fn lacks_position(&self) -> bool {
        self.stage == Stage::NoPosition
    }

    fn interrupt(&mut self) -> Result<Option<Purpose>, &'static str> {
        if self.is_thinking() { Err("the engine is thinking") } else { Ok(self.suspend()) }
    }

    fn resume(&mut self, interrupted: Option<Purpose>) {
        interrupted.into_iter().for_each(|purpose| self.proceed(purpose));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_frontend::Output;
    use std::io::{Write, sink};
    use std::sync::{Arc, Mutex};

    #[test]
    fn people_may_type_moves_in_small_letters() {
        let mut xboard = Xboard::new(Output::new(sink(), sink()), false);
        for (is_typed, plies) in [(false, 0), (true, 1)] {
            xboard.is_typed = is_typed;
            xboard.handle_line("force");
            xboard.handle_line("nf3");
            assert_eq!(xboard.session.engine.game().moves().len(), plies);
        }
    }

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn people_see_the_board_and_the_reason_of_a_refusal() {
        let said = |is_typed: bool, line: &str| {
            let written = Shared::default();
            let mut xboard = Xboard::new(Output::new(written.clone(), sink()), false);
            xboard.is_typed = is_typed;
            xboard.handle_line("force");
            xboard.handle_line(line);
            let bytes = written.0.lock().unwrap().clone();
            String::from_utf8(bytes).unwrap()
        };
        for (line, text) in [
            ("e2e4", " 4  .  .  .  . [P] .  .  . \n"),
            ("nf3", " 3  .  .  .  .  . [N] .  . \n"),
            ("usermove e2e5", "Illegal move (the pawn on e2 cannot go to e5): e2e5\n"),
            ("Nf9", "Illegal move (no knight can go to f9): Nf9\n"),
            ("analyse", "Error (unknown command; did you mean 'analyze'?): analyse\n"),
        ] {
            let typed = said(true, line);
            assert!(typed.contains(text), "{line}: {typed}");
            assert!(!said(false, line).contains(text), "{line}");
        }
    }
}
