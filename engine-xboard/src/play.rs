//! Playing, pondering, analysing: which search runs when, and what becomes of its result.

use crate::moves;
use crate::xboard::Xboard;
use bartizan_engine::{Limits, Material, SearchInfo, SearchResult};
use bartizan_frontend::{Purpose, Searching, Task, san_line, score_info, score_text};
use bartizan_position::{Draw, Game, Outcome};
use bartizan_protocol::xboard::{GameResult, Message, Thinking};
use bartizan_types::{Color, Move, Value, Variant};
use std::time::Duration;

/// A move is easy when the search asks for less than this share of its time, in thousandths.
const EASY: u32 = 600;
/// How long `hint` may think when nothing is known.
const HINT_TIME: Duration = Duration::from_millis(200);

impl Xboard {
    /// `go`: the engine plays the side to move.
    pub(crate) fn go(&mut self) {
        if self.analysing {
            self.refuse("analysing", "go");
            return;
        }
        let turn = self.session.engine.position().turn();
        if self.is_thinking() && self.side == Some(turn) {
            return;
        }
        self.abandon();
        self.change_side(turn);
        self.over = false;
        self.start_thinking();
    }

    /// `playother`: the engine plays the side not to move, and may think about what comes.
    pub(crate) fn play_other(&mut self) {
        if self.analysing {
            self.refuse("analysing", "playother");
            return;
        }
        self.abandon();
        self.change_side(!self.session.engine.position().turn());
        self.over = false;
        if self.ponders {
            let guess = self.session.engine.table_move();
            self.start_pondering(guess);
        }
    }

    fn change_side(&mut self, side: Color) {
        if self.side.is_some_and(|old| old != side) {
            self.control.swap();
        }
        self.side = Some(side);
    }

    /// The opponent has played a legal move, or a move is entered for either side.
    pub(crate) fn opponent_moved(&mut self, mv: Move) {
        // A ponder search goes on if it has guessed right.
        if let Some(Purpose::Ponder(Some(guess))) = self.session.task().purpose() {
            let chess960 = self.session.config().engine.chess960;
            let (guess, played) =
                (guess.to_uci(Variant::from_chess960(chess960)), mv.to_uci(Variant::from_chess960(chess960)));
            if guess == played {
                self.session.output.trace(|| format!("ponder: hit {played}"));
                self.session.ponder_hit();
                // The move was found legal.
                let _ = self.session.engine.play(mv);
                self.excluded.clear();
                self.log_game();
                return;
            }
            self.session.output.trace(|| format!("ponder: miss: {played} instead of {guess}"));
        }
        self.abandon();
        if self.session.engine.play(mv).is_ok() {
            self.after_opponent();
        }
    }

    /// The position has gone on by a move that was not ours.
    pub(crate) fn after_opponent(&mut self) {
        self.excluded.clear();
        self.over = false;
        self.log_game();
        if self.analysing {
            self.start_analysis();
        } else if self.side == Some(self.session.engine.position().turn()) {
            self.start_thinking();
        }
    }

    fn log_game(&mut self) {
        if self.side.is_some() && !self.analysing && self.session.engine.logs_games() {
            let (game, players) = (self.session.engine.game().clone(), self.players());
            self.session.engine.log_game(&game, &players);
        }
    }

    /// Moves that a side has made since the game began.
    fn moves_made(&self, side: Color) -> u32 {
        let plies = self.plies() as u32;
        // Whoever is to move now made the last but one.
        if self.session.engine.position().turn() == side { plies / 2 } else { plies.div_ceil(2) }
    }

    /// The limits of a search for the side that the engine plays.
    fn limits(&self, side: Color) -> Limits {
        let all = self.session.engine.position().legal_moves();
        let search_moves = match self.excluded.is_empty() {
            true => Vec::new(),
            false => all.iter().copied().filter(|mv| !self.excluded.contains(mv)).collect(),
        };
        self.control.limits(self.moves_made(side)).with_search_moves(search_moves)
    }

    /// The engine is to move: it thinks, or says how the game has ended.
    pub(crate) fn start_thinking(&mut self) {
        if self.refused || self.analysing || self.over || self.is_paused() {
            return;
        }
        let Some(side) = self.side else { return };
        if let Some(outcome) = self.session.engine.game().outcome() {
            self.claim(outcome);
            return;
        }
        let limits = self.limits(side);
        self.search(self.session.engine.game().clone(), limits, Purpose::Think);
    }

    /// Thinks about the answer to an expected move.
    pub(crate) fn start_pondering(&mut self, guess: Option<Move>) {
        let Some(side) = self.side else { return };
        let Some(guess) = guess else { return };
        if !self.ponders || self.over || self.refused || self.analysing || self.is_paused() {
            return;
        }
        let mut game = self.session.engine.game().clone();
        if game.push(guess).is_err() || game.outcome().is_some() {
            return;
        }
        let chess960 = self.session.config().engine.chess960;
        self.session.output.trace(|| format!("ponder: awaiting {}", guess.to_uci(Variant::from_chess960(chess960))));
        let limits = self.control.limits(self.moves_made(side)).pondering();
        self.search(game, limits, Purpose::Ponder(Some(guess)));
    }

    pub(crate) fn start_analysis(&mut self) {
        self.abandon();
        if self.refused || self.is_paused() {
            return;
        }
        let all = self.session.engine.position().legal_moves();
        let search_moves: Vec<Move> = all.iter().copied().filter(|mv| !self.excluded.contains(mv)).collect();
        // Nothing to think about: no legal move, or each is excluded.
        if search_moves.is_empty() {
            return;
        }
        let search_moves = if self.excluded.is_empty() { Vec::new() } else { search_moves };
        let limits = Limits::infinite().with_search_moves(search_moves);
        self.search(self.session.engine.game().clone(), limits, Purpose::Analyse);
    }

    fn search(&mut self, game: Game, limits: Limits, purpose: Purpose) {
        let lines = if purpose == Purpose::Analyse { self.session.config().engine.multipv } else { 1 };
        if let Err(error) = self.session.start_search(game, limits, lines, purpose) {
            self.session.output.line(Message::TellUserError(error.to_string()));
            if purpose == Purpose::Think {
                self.play_anything();
            }
        }
    }

    /// A line of thinking, for those who want it.
    pub(crate) fn post(&mut self, info: &SearchInfo) {
        let Some(running) = self.session.task().search() else { return };
        if !(self.posts || self.analysing) || info.pv.is_empty() {
            return;
        }
        let material = Material::of(running.control.root());
        let score = score_info(info.value, info.bound, material);
        let line = Thinking {
            ply: info.depth,
            score: Thinking::score_number(score.kind),
            time: (info.time.as_millis() / 10) as u64,
            nodes: info.nodes,
            seldepth: Some(info.seldepth),
            speed: Some(info.nps()),
            tbhits: Some(info.tablebase_hits),
            bound: score.bound,
            pv: san_line(running.control.root(), &info.pv),
        };
        self.session.output.line(Message::Thinking(line));
    }

    /// A search has ended by itself or by `?`.
    pub(crate) fn finish(&mut self, running: &Searching, result: &SearchResult) {
        if running.purpose != Purpose::Think {
            return;
        }
        let took = running.started.elapsed();
        let game = self.session.engine.game();
        let (ply, quiet) = (self.plies() as u32, game.position().halfmove_clock());
        let (manners, contempt) = (self.session.config().manners, self.session.engine.contempt());
        let claimable = game.claimable_draw().filter(|_| manners.draws && result.value <= Value(-contempt));
        let material = Material::of(game.position());
        let gesture = self.mood.note(result.value, material, ply, quiet, &manners);
        if let Some(draw) = claimable.filter(|_| !self.on_server) {
            self.session.output.trace(|| format!("draw: claimed at {}", score_text(result.value, material)));
            self.claim(Outcome::Draw(draw));
        } else if gesture.resign {
            self.session.output.trace(|| format!("resigns at {}", score_text(result.value, material)));
            self.session.output.line(Message::Resign);
            self.over = true;
        } else if let Some(mv) = result.best {
            let accepted = self.answer_draw_offer(ply, contempt);
            // A server takes an offer for a claim if the rules allow one, and judges it while our clock runs: so the move comes
            // all the same.
            if !accepted && (gesture.offer_draw || claimable.is_some()) {
                self.session.output.trace(|| "draw: offered");
                self.session.output.line(Message::OfferDraw);
            }
            self.explain(running, mv);
            self.play_own(mv, took);
            self.start_pondering(result.ponder);
        } else {
            self.play_anything();
        }
    }

    /// Where the move comes from.
    fn explain(&mut self, running: &Searching, mv: Move) {
        if !self.session.output.has_trace() {
            return;
        }
        let single = self.session.engine.position().count_legal_moves() == 1;
        let reason = if single {
            "single reply"
        } else if self.session.engine.has_learnt() {
            "search, with learning"
        } else if running.progress.time_factor.is_some_and(|factor| factor < EASY) {
            "search, easy move"
        } else {
            "search"
        };
        let mv = moves::text(mv, self.session.config().engine.chess960);
        self.comment(format_args!("move: {mv}, from: {reason}"));
    }

    fn play_own(&mut self, mv: Move, took: Duration) {
        let text = moves::text(mv, self.session.config().engine.chess960);
        let side = self.session.engine.position().turn();
        // The search has found it among the legal moves.
        if self.session.engine.play(mv).is_err() {
            return;
        }
        self.session.output.line(Message::Move(text));
        self.control.moved(took, self.moves_made(side));
        self.excluded.clear();
        self.log_game();
        if let Some(outcome) = self.session.engine.game().outcome() {
            self.claim(outcome);
        }
    }

    /// Something has failed; a client waits for a move all the same.
    fn play_anything(&mut self) {
        if let Some(&mv) = self.session.engine.position().legal_moves().first() {
            self.play_own(mv, Duration::ZERO);
        }
    }

    pub(crate) fn search_died(&mut self, purpose: Purpose) {
        self.session.output.line(Message::TellUserError("the search thread has panicked".to_owned()));
        if purpose == Purpose::Think {
            self.play_anything();
        }
    }

    /// Says how the game has ended. Only what is true on the board is claimed.
    fn claim(&mut self, outcome: Outcome) {
        let (result, reason) = match outcome {
            Outcome::Checkmate(Color::White) => (GameResult::WhiteWins, "White mates"),
            Outcome::Checkmate(Color::Black) => (GameResult::BlackWins, "Black mates"),
            Outcome::Draw(draw) => (GameResult::Draw, reason(draw)),
        };
        self.over = true;
        self.session.output.line(Message::Result { result, reason: reason.to_owned() });
        self.session.engine.end_log(result, reason);
    }

    /// `?`.
    pub(crate) fn move_now(&mut self) {
        match self.session.task_mut() {
            Task::Searching(search) if search.purpose == Purpose::Think => search.control.stop(),
            // A perft or a test is stopped by it, too.
            Task::Counting(_) | Task::Testing(..) => self.abandon(),
            Task::Searching(_) | Task::Idle => {}
        }
    }

    /// `draw`: the opponent offers one. It is answered with our next move, or by what we last thought if the opponent is to
    /// move.
    pub(crate) fn draw(&mut self) {
        if self.analysing || self.over {
            return;
        }
        self.draw_offered = true;
        let turn = self.session.engine.position().turn();
        if self.side == Some(!turn) {
            let ply = self.plies() as u32;
            self.answer_draw_offer(ply, self.session.engine.contempt());
        }
    }

    /// Whether there was an offer, and it was accepted.
    fn answer_draw_offer(&mut self, ply: u32, contempt: i32) -> bool {
        if !std::mem::take(&mut self.draw_offered) {
            return false;
        }
        let accepts = self.mood.accepts_draw(ply, contempt, &self.session.config().manners);
        let score = self.mood.last().map_or("no score".to_owned(), |(value, material)| score_text(value, material));
        let word = if accepts { "accepted" } else { "declined" };
        self.session.output.trace(|| format!("draw: offer {word} at {score}"));
        if accepts {
            // To offer one is how one is accepted.
            self.session.output.line(Message::OfferDraw);
        }
        accepts
    }

    pub(crate) fn hard(&mut self) {
        self.ponders = true;
    }

    pub(crate) fn easy(&mut self) {
        self.ponders = false;
        if self.session.task().search().is_some_and(|running| matches!(running.purpose, Purpose::Ponder(_))) {
            self.abandon();
        }
    }

    /// `hint`: what we expect, what the table knows, or what a short search finds.
    pub(crate) fn hint(&mut self) {
        if self.refused {
            return;
        }
        let running = self.session.task().search();
        let known = match running.map(|running| (running.purpose, &running.progress.best)) {
            Some((Purpose::Ponder(Some(guess)), _)) => Some(guess),
            Some((Purpose::Analyse, Some(info))) => info.pv.first().copied(),
            _ => self.session.engine.table_move(),
        };
        let mv = match known {
            None if self.session.task().is_idle() => self
                .session
                .engine
                .search(self.session.engine.game().clone(), Limits::move_time(HINT_TIME), 1)
                .ok()
                .and_then(|handle| handle.wait().best),
            known => known,
        };
        if let Some(mv) = mv {
            self.session.output.line(Message::Hint(moves::text(mv, self.session.config().engine.chess960)));
        }
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
