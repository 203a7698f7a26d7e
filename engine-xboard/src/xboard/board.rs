//! The current position: setup, moves, takebacks.

use super::{Mode, Stage, Xboard};
use bartizan_frontend::{Opponent, resolve_move, why_illegal};
use bartizan_position::{Game, PositionError, Setup};
use bartizan_protocol::xboard::{Command, Edit, EditLine, Message, MoveText};
use bartizan_types::{Color, Excerpt, Variant};

impl Xboard {
    /// `new`: the initial position; the engine plays Black, or continues its analysis.
    pub(super) fn new_game(&mut self) {
        self.abandon();
        self.session.new_game();
        self.set_opponent(Opponent::new_game);
        self.set(|config| config.engine.variant = Variant::Standard);
        if self.mode != Mode::Analysing {
            self.mode = Mode::Playing(Color::Black);
        }
        self.stage = Stage::Open;
        self.control.new_game();
        self.prepare();
        self.replace_game(Game::default());
    }

    /// `setboard FEN`.
    pub(super) fn set_board(&mut self, fen: &str) {
        let setup = Setup::from_fen(fen).map_err(PositionError::from);
        match setup.and_then(|setup| Ok(self.session.engine.game_from(setup)?)) {
            Ok(game) => {
                self.warn();
                self.replace_game(game);
            }
            Err(error) => self.refuse_position(&error.to_string()),
        }
    }

    fn refuse_position(&mut self, reason: &str) {
        self.abandon();
        self.stage = Stage::NoPosition;
        self.send(Message::TellUserError(format!("Illegal position: {reason}")));
    }

    /// Replaces the current game. An analysis continues with it.
    pub(super) fn replace_game(&mut self, game: Game) {
        self.abandon();
        self.session.engine.set_game(game);
        self.past.clear();
        self.control.restart();
        self.resign_draw = Default::default();
        self.position_changed();
    }

    /// Continues in a position that does not result from a move: only an analysis starts a search there.
    fn position_changed(&mut self) {
        self.excluded.clear();
        self.control.begin_move();
        self.reopen();
        if self.mode == Mode::Analysing {
            self.start_analysis();
        }
    }

    /// `edit`: the lines that follow change the board.
    pub(super) fn begin_edit(&mut self) {
        self.abandon();
        self.edit = Some(Edit::new(self.session.engine.position(), self.variant()));
    }

    /// Handles a line of edit mode; `false` for a command that is also valid there.
    pub(super) fn edit_line(&mut self, line: &str) -> bool {
        let Some(edit) = &mut self.edit else { return false };
        match EditLine::parse(line) {
            Some(line) => match edit.take(line) {
                None => {}
                Some(Ok(position)) => {
                    self.edit = None;
                    self.replace_game(Game::new(position));
                }
                Some(Err(error)) => {
                    self.edit = None;
                    self.refuse_position(&error.to_string());
                }
            },
            None if matches!(Command::parse(line), Ok(Some(Command::Quit | Command::Ping(_)))) => return false,
            None => self.refuse("invalid line in edit mode", line),
        }
        true
    }

    /// Takes back moves of both sides, including null moves.
    pub(super) fn take_back(&mut self, plies: usize) {
        let command = if plies == 1 { "undo" } else { "remove" };
        if self.stage == Stage::NoPosition || self.plies() < plies {
            self.refuse("no move to take back", command);
            return;
        }
        self.abandon();
        for _ in 0..plies {
            if self.session.engine.undo().is_some() {
                continue;
            }
            match self.past.pop() {
                Some(game) => self.session.engine.set_game(game),
                None => break,
            }
        }
        self.control.taken_back_to(self.plies());
        self.resign_draw.forget_scores();
        self.position_changed();
    }

    /// A move that the engine did not choose.
    pub(super) fn user_move(&mut self, text: &MoveText) {
        if self.stage == Stage::NoPosition {
            self.refuse_move(text, "there is no legal position");
        } else if self.is_thinking() {
            self.refuse("it is not your move", &text.to_string());
        } else if *text == MoveText::Null {
            self.null_move();
        } else if let Some(mv) = resolve_move(self.session.engine.position(), &text.to_string()) {
            self.opponent_moved(mv);
        } else {
            let is_over = !self.session.engine.position().has_legal_move();
            let reason = if is_over { Some("the game is over".to_owned()) } else { self.why_illegal(text) };
            self.refuse_move(text, &reason.unwrap_or_default());
        }
    }

    /// A reason for people.
    fn why_illegal(&self, text: &MoveText) -> Option<String> {
        self.is_typed.then(|| why_illegal(self.session.engine.position(), &text.to_string()))?
    }

    fn refuse_move(&mut self, text: &MoveText, reason: &str) {
        self.send(Message::IllegalMove { reason: reason.to_owned(), mv: Excerpt::new(&text.to_string()).to_string() });
    }

    /// `@@@@`: passes the move to the other side.
    fn null_move(&mut self) {
        let Some(next) = self.session.engine.position().play_null() else {
            self.refuse_move(&MoveText::Null, "in check");
            return;
        };
        let next = Game::new(next);
        let before = self.session.engine.game().clone();
        self.abandon();
        self.past.push(before);
        self.session.engine.set_game(next);
        self.after_opponent();
    }

    /// Plies played since the start of the game.
    pub(super) fn plies(&self) -> usize {
        self.past.iter().map(|game| game.moves().len() + 1).sum::<usize>() + self.session.engine.game().moves().len()
    }

    /// A side's moves since the time control began; none if all of them were taken back.
    pub(super) fn moves_made(&self, side: Color) -> u32 {
        let plies = self.plies().saturating_sub(self.control.start()) as u32;
        // The side to move made the move before last.
        if self.session.engine.position().turn() == side { plies / 2 } else { plies.div_ceil(2) }
    }
}
