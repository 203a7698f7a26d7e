//! The game: the moves of both sides, draw offers, and the end.

use super::{Mode, Stage, Xboard};
use crate::moves;
use crate::resign_draw::BoardSummary;
use bartizan_engine::{MaterialCount, SearchResult};
use bartizan_frontend::{Purpose, Searching, score_text};
use bartizan_position::{Draw, Outcome};
use bartizan_protocol::xboard::{GameResult, Message};
use bartizan_types::{Color, Move, Value};
use std::time::Duration;

/// A move counts as easy when the search needs less than this share of its time, in thousandths.
const EASY: u32 = 600;

/// Which sides the engine plays.
impl Xboard {
    /// `force`: the engine plays neither side. Moves excluded by an analysis are allowed again.
    pub(super) fn force(&mut self) {
        self.abandon();
        if self.mode == Mode::Analysing {
            self.excluded.clear();
        }
        self.mode = Mode::Force;
        if let Stage::Paused(_) = self.stage {
            self.stage = Stage::Open;
        }
    }

    /// `go`: the engine plays the side to move.
    pub(super) fn go(&mut self) {
        let turn = self.session.engine.position().turn();
        if self.is_thinking() && self.mode == Mode::Playing(turn) {
            return;
        }
        if self.play_side(turn, "go") {
            self.proceed(Purpose::Think);
        }
    }

    /// `playother`: the engine plays the side that is not to move, and may ponder.
    pub(super) fn play_other(&mut self) {
        let turn = self.session.engine.position().turn();
        if self.play_side(!turn, "playother")
            && let Some(guess) = self.session.engine.table_move()
        {
            self.proceed(Purpose::Ponder(Some(guess)));
        }
    }

    /// Plays a side from now on; `false` in an analysis or without a legal position, where `command` is refused.
    fn play_side(&mut self, side: Color, command: &str) -> bool {
        if self.stage == Stage::NoPosition {
            self.refuse("no legal position", command);
            return false;
        }
        match self.mode {
            Mode::Analysing => {
                self.refuse("analysing", command);
                return false;
            }
            Mode::Playing(old) => self.control.choose_side(old != side),
            Mode::Force => self.control.choose_side(false),
        }
        self.abandon();
        self.mode = Mode::Playing(side);
        if self.stage == Stage::Over {
            self.stage = Stage::Open;
        }
        true
    }
}

/// Moves.
impl Xboard {
    /// The opponent has played a legal move, or a move is entered for either side.
    pub(super) fn opponent_moved(&mut self, mv: Move) {
        if let Some(Purpose::Ponder(Some(guess))) = self.session.task().purpose() {
            let (guess, played) = (guess.to_uci(self.variant()), mv.to_uci(self.variant()));
            let is_hit = guess == played;
            if is_hit && !self.control.has_lost() {
                self.session.output.trace(|| format!("ponder: hit {played}"));
                self.session.ponder_hit();
                self.excluded.clear();
                self.control.begin_move();
                if self.session.engine.play(mv).is_ok() {
                    self.log_game();
                }
                return;
            }
            self.session.output.trace(|| match is_hit {
                true => format!("ponder: hit {played}, with less time than planned"),
                false => format!("ponder: miss: {played} instead of {guess}"),
            });
        }
        self.abandon();
        if self.session.engine.play(mv).is_ok() {
            self.after_opponent();
        }
    }

    /// Continues after a move that the engine did not choose.
    pub(super) fn after_opponent(&mut self) {
        self.excluded.clear();
        self.control.begin_move();
        self.reopen();
        self.log_game();
        match self.mode {
            Mode::Analysing => self.start_analysis(),
            Mode::Playing(side) if side == self.session.engine.position().turn() => self.proceed(Purpose::Think),
            Mode::Playing(_) | Mode::Force => {}
        }
    }

    /// Acts on the result of a search for the engine's move: moves, resigns, claims or offers a draw.
    pub(super) fn finish_move(&mut self, search: &Searching, result: &SearchResult) {
        let took = self.time_of(search);
        let game = self.session.engine.game();
        let (ply, quiet) = (self.plies() as u32, game.position().halfmove_clock());
        let (options, contempt) = (self.session.config().resign_draw, self.session.engine.contempt());
        let value = result.exact_value();
        let is_no_better = value.is_some_and(|value| value <= Value(-contempt));
        let claimable = game.claimable_draw().filter(|_| options.draws && is_no_better);
        let material = MaterialCount::of(game.position());
        let (board, level) = (BoardSummary::of(game.position()), self.session.config().engine.level());
        let decision = self.resign_draw.note(value, board, ply, quiet, &options, level);
        if let Some(draw) = claimable.filter(|_| !self.client.is_server) {
            self.session.output.trace(|| format!("draw: claimed at {}", score_text(result.value, material)));
            self.claim(Outcome::Draw(draw));
        } else if decision.resign {
            self.session.output.trace(|| format!("resigns at {}", score_text(result.value, material)));
            self.send(Message::Resign);
            self.stage = Stage::Over;
        } else if let Some(mv) = result.best {
            let accepted = self.answer_draw_offer(ply, contempt);
            // A server treats an offer as a claim if the rules allow one, and judges it while our clock runs. So the
            // move follows in any case.
            if !accepted && (decision.offer_draw || claimable.is_some()) {
                self.session.output.trace(|| "draw: offered");
                self.send(Message::OfferDraw);
            }
            self.explain(search, mv);
            self.play_own(mv, took);
            if let Some(reply) = result.ponder {
                self.proceed(Purpose::Ponder(Some(reply)));
            }
        } else {
            self.play_any_move();
        }
    }

    /// Traces the source of the move.
    fn explain(&mut self, search: &Searching, mv: Move) {
        if !self.session.output.has_trace() {
            return;
        }
        let reason = if self.session.engine.book_choice().is_some() {
            "book"
        } else if self.session.engine.position().count_legal_moves() == 1 {
            "single reply"
        } else if self.session.records.has_learnt(self.session.engine.position()) {
            "search, with learning"
        } else if search.progress.time_factor.is_some_and(|factor| factor < EASY) {
            "search, easy move"
        } else {
            "search"
        };
        let mv = moves::text(mv, self.variant());
        self.session.output.trace(|| format!("move: {mv}, from: {reason}"));
    }

    /// Plays the engine's move, which used this much of its time.
    fn play_own(&mut self, mv: Move, took: Duration) {
        let text = moves::text(mv, self.variant());
        let side = self.session.engine.position().turn();
        // A search only returns legal moves.
        if self.session.engine.play(mv).is_err() {
            return;
        }
        self.send(Message::Move(text));
        self.show_board();
        self.control.moved(took, self.moves_made(side));
        self.excluded.clear();
        self.log_game();
        if let Some(outcome) = self.session.engine.game().outcome() {
            self.claim(outcome);
        }
    }

    /// Plays some legal move after an internal error: the client waits for a move.
    pub(super) fn play_any_move(&mut self) {
        if let Some(&mv) = self.session.engine.position().legal_moves().first() {
            self.play_own(mv, Duration::ZERO);
        }
    }

    fn log_game(&mut self) {
        let Mode::Playing(side) = self.mode else { return };
        let players = self.session.players(side);
        self.session.records.log_game(self.session.engine.game(), &players);
    }
}

/// Draw offers, and the end of the game.
impl Xboard {
    /// `draw`: the opponent offers a draw. The engine answers with its next move, or at once if the opponent is to
    /// move.
    pub(super) fn draw_offered(&mut self) {
        match (self.mode, self.stage) {
            (Mode::Analysing, _) | (_, Stage::Over) => {}
            (Mode::Playing(side), _) if side != self.session.engine.position().turn() => {
                self.resign_draw.receive_offer();
                self.answer_draw_offer(self.plies() as u32, self.session.engine.contempt());
            }
            (Mode::Playing(_) | Mode::Force, _) => self.resign_draw.receive_offer(),
        }
    }

    /// Answers an offer, if there is one; returns whether it was accepted.
    fn answer_draw_offer(&mut self, ply: u32, contempt: i32) -> bool {
        if !self.resign_draw.withdraw_offer() {
            return false;
        }
        let config = self.session.config();
        let accepts = self.resign_draw.accepts_draw(ply, contempt, &config.resign_draw, config.engine.level());
        let score =
            self.resign_draw.last().map_or("no score".to_owned(), |(value, material)| score_text(value, material));
        let word = if accepts { "accepted" } else { "declined" };
        self.session.output.trace(|| format!("draw: offer {word} at {score}"));
        if accepts {
            // In this protocol, a second offer accepts the first.
            self.send(Message::OfferDraw);
        }
        accepts
    }

    /// `result`: the client announces that the game is over.
    pub(super) fn game_ended(&mut self, result: GameResult, reason: &str) {
        self.abandon();
        if let Mode::Playing(_) = self.mode {
            self.mode = Mode::Force;
        }
        if self.stage != Stage::NoPosition {
            self.stage = Stage::Over;
        }
        self.session.records.end_game(result, reason);
    }

    /// Announces the result, which must be true on the board.
    pub(super) fn claim(&mut self, outcome: Outcome) {
        let result = GameResult::from(outcome);
        let reason = match outcome {
            Outcome::Checkmate(Color::White) => "White mates",
            Outcome::Checkmate(Color::Black) => "Black mates",
            Outcome::Draw(draw) => reason(draw),
            _ => "Game over",
        };
        self.stage = Stage::Over;
        self.send(Message::Result { result, reason: reason.to_owned() });
        self.session.records.end_game(result, reason);
    }
}

fn reason(draw: Draw) -> &'static str {
    match draw {
        Draw::Stalemate => "Stalemate",
        Draw::InsufficientMaterial => "Insufficient material",
        Draw::ThreefoldRepetition => "Draw by repetition",
        Draw::FivefoldRepetition => "Draw by fivefold repetition",
        Draw::FiftyMoves => "Draw by fifty move rule",
        Draw::SeventyFiveMoves => "Draw by seventy-five move rule",
        _ => "Draw",
    }
}
