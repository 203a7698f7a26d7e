//! Playing, pondering, analysing: which search runs when, and what becomes of its result.

use crate::moves;
use crate::session::Session;
use crate::task::{Progress, Purpose, Running, Task};
use bartizan_engine::{Limits, Material, SearchEvent, SearchInfo, SearchResult, console, shown, trace};
use bartizan_notation::pgn;
use bartizan_position::{Draw, Game, Outcome};
use bartizan_protocol::uci::{ScoreBound, ScoreKind};
use bartizan_protocol::xboard::{GameResult, Message, Thinking};
use bartizan_types::{Bound, Color, Move, Value};
use crossbeam::channel::unbounded;
use std::time::{Duration, Instant};

/// A move is easy when the search asks for less than this share of its time, in thousandths.
const EASY: u32 = 600;
/// How long `hint` may think when nothing is known.
const HINT_TIME: Duration = Duration::from_millis(200);

impl Session {
    /// `go`: the engine plays the side to move.
    pub(crate) fn go(&mut self) {
        if self.analysing {
            self.refuse("analysing", "go");
            return;
        }
        let turn = self.engine.position().turn();
        if self.task.is_thinking() && self.side == Some(turn) {
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
        self.change_side(!self.engine.position().turn());
        self.over = false;
        if self.ponders {
            let guess = self.engine.table_move();
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
        if let Task::Search(running) = &mut self.task
            && let Purpose::Ponder(guess) = running.purpose
        {
            let chess960 = self.engine.options().chess960;
            let (guess, played) = (guess.uci(chess960), mv.uci(chess960));
            if guess == played {
                self.output.trace(|| format!("ponder: hit {played}"));
                running.control.ponder_hit();
                running.purpose = Purpose::Think;
                running.started = Instant::now();
                // The move was found legal.
                let _ = self.engine.play(mv);
                self.excluded.clear();
                self.log_game();
                return;
            }
            self.output.trace(|| format!("ponder: miss: {played} instead of {guess}"));
        }
        self.abandon();
        if self.engine.play(mv).is_ok() {
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
        } else if self.side == Some(self.engine.position().turn()) {
            self.start_thinking();
        }
    }

    fn log_game(&mut self) {
        if self.side.is_some() && !self.analysing && self.engine.logs_games() {
            let (game, players) = (self.engine.game().clone(), self.players());
            self.engine.log_game(&game, &players);
        }
    }

    /// Moves that a side has made since the game began.
    fn moves_made(&self, side: Color) -> u32 {
        let plies = self.plies() as u32;
        // Whoever is to move now made the last but one.
        if self.engine.position().turn() == side { plies / 2 } else { plies.div_ceil(2) }
    }

    /// The limits of a search for the side that the engine plays.
    fn limits(&self, side: Color) -> Limits {
        let all = self.engine.position().legal_moves();
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
        if let Some(outcome) = self.engine.game().outcome() {
            self.claim(outcome);
            return;
        }
        let limits = self.limits(side);
        self.search(self.engine.game().clone(), limits, Purpose::Think);
    }

    /// Thinks about the answer to an expected move.
    pub(crate) fn start_pondering(&mut self, guess: Option<Move>) {
        let Some(side) = self.side else { return };
        let Some(guess) = guess else { return };
        if !self.ponders || self.over || self.refused || self.analysing || self.is_paused() {
            return;
        }
        let mut game = self.engine.game().clone();
        if game.push(guess).is_err() || game.outcome().is_some() {
            return;
        }
        let chess960 = self.engine.options().chess960;
        self.output.trace(|| format!("ponder: awaiting {}", guess.uci(chess960)));
        let limits = self.control.limits(self.moves_made(side)).pondering();
        self.search(game, limits, Purpose::Ponder(guess));
    }

    pub(crate) fn start_analysis(&mut self) {
        self.abandon();
        if self.refused || self.is_paused() {
            return;
        }
        let all = self.engine.position().legal_moves();
        let search_moves: Vec<Move> = all.iter().copied().filter(|mv| !self.excluded.contains(mv)).collect();
        // Nothing to think about: no legal move, or each is excluded.
        if search_moves.is_empty() {
            return;
        }
        let search_moves = if self.excluded.is_empty() { Vec::new() } else { search_moves };
        let limits = Limits::infinite().with_search_moves(search_moves);
        self.search(self.engine.game().clone(), limits, Purpose::Analyse);
    }

    fn search(&mut self, game: Game, limits: Limits, purpose: Purpose) {
        let lines = match purpose {
            Purpose::Analyse => self.engine.options().multipv,
            _ => 1,
        };
        self.search_lines(game, limits, lines, purpose);
    }

    pub(crate) fn search_lines(&mut self, game: Game, limits: Limits, lines: usize, purpose: Purpose) {
        let (sender, events) = unbounded();
        match self.engine.search_with(game, limits, lines, move |event| drop(sender.send(event))) {
            Ok(control) => {
                let progress = Progress::default();
                let running = Running { control, events, purpose, started: Instant::now(), progress };
                self.task = Task::Search(Box::new(running));
            }
            Err(error) => {
                self.output.line(Message::TellUserError(error.to_string()));
                if matches!(purpose, Purpose::Think) {
                    self.play_anything();
                }
            }
        }
        self.tell_notes();
    }

    pub(crate) fn on_search(&mut self, event: Option<SearchEvent>) {
        let Some(event) = event.filter(|event| *event != SearchEvent::Failed) else {
            self.search_died();
            return;
        };
        let Task::Search(running) = &mut self.task else { return };
        running.progress.note(&event);
        if self.output.traces() {
            let material = Material::of(running.control.root());
            let line = trace::event(&event, self.engine.options().chess960, material);
            line.into_iter().for_each(|line| self.output.comment(line));
        }
        if let Purpose::Test(suite) = &mut running.purpose {
            let heard = suite.hear(&event);
            if heard.stop {
                running.control.stop();
            }
            heard.lines.iter().for_each(|line| self.output.line(line));
            if matches!(event, SearchEvent::Finished(_)) {
                self.next_problem();
            }
            return;
        }
        self.engine.note(&event);
        match event {
            SearchEvent::Info(info) => self.post(&info),
            SearchEvent::Finished(result) => self.finish(&result),
            _ => {}
        }
    }

    /// A line of thinking, for those who want it.
    fn post(&mut self, info: &SearchInfo) {
        let Some(running) = self.task.search() else { return };
        if !(self.posts || self.analysing) || info.pv.is_empty() {
            return;
        }
        let material = Material::of(running.control.root());
        let score =
            info.value.mate_in_moves().map_or_else(|| ScoreKind::Cp(shown(info.value, material)), ScoreKind::Mate);
        let line = Thinking {
            ply: info.depth,
            score: Thinking::score_number(score),
            time: (info.time.as_millis() / 10) as u64,
            nodes: info.nodes,
            seldepth: Some(info.seldepth),
            speed: Some(info.nps()),
            tbhits: Some(info.tablebase_hits),
            bound: match info.bound {
                Bound::Exact => None,
                Bound::Lower => Some(ScoreBound::Lower),
                Bound::Upper => Some(ScoreBound::Upper),
            },
            pv: console::san_line(running.control.root(), &info.pv),
        };
        self.output.line(Message::Thinking(line));
    }

    /// A search has ended by itself or by `?`.
    fn finish(&mut self, result: &SearchResult) {
        let Task::Search(running) = std::mem::replace(&mut self.task, Task::Idle) else { return };
        if !matches!(running.purpose, Purpose::Think) {
            return;
        }
        let took = running.started.elapsed();
        let game = self.engine.game();
        let (ply, quiet) = (self.plies() as u32, game.position().halfmove_clock());
        let options = self.engine.options();
        let (manners, contempt) = (options.manners, self.engine.contempt());
        let claimable = game.claimable_draw().filter(|_| manners.draws && result.value <= Value(-contempt));
        let material = Material::of(game.position());
        let gesture = self.mood.note(result.value, material, ply, quiet, &manners);
        if let Some(draw) = claimable.filter(|_| !self.on_server) {
            self.output.trace(|| format!("draw: claimed at {}", trace::score(result.value, material)));
            self.claim(Outcome::Draw(draw));
        } else if gesture.resign {
            self.output.trace(|| format!("resigns at {}", trace::score(result.value, material)));
            self.output.line(Message::Resign);
            self.over = true;
        } else if let Some(mv) = result.best {
            let accepted = self.answer_draw_offer(ply, contempt);
            // A server takes an offer for a claim if the rules allow one, and judges it while our clock runs: so the move comes
            // all the same.
            if !accepted && (gesture.offer_draw || claimable.is_some()) {
                self.output.trace(|| "draw: offered");
                self.output.line(Message::OfferDraw);
            }
            self.explain(&running, mv);
            self.play_own(mv, took);
            self.start_pondering(result.ponder);
        } else {
            self.play_anything();
        }
        self.answer_waiting();
    }

    /// Where the move comes from.
    fn explain(&mut self, running: &Running, mv: Move) {
        if !self.output.traces() {
            return;
        }
        let single = self.engine.position().count_legal_moves() == 1;
        let reason = if single {
            "single reply"
        } else if self.engine.has_learnt() {
            "search, with learning"
        } else if running.progress.factor.is_some_and(|factor| factor < EASY) {
            "search, easy move"
        } else {
            "search"
        };
        let mv = moves::text(mv, self.engine.options().chess960);
        self.output.comment(format_args!("move: {mv}, from: {reason}"));
    }

    fn play_own(&mut self, mv: Move, took: Duration) {
        let text = moves::text(mv, self.engine.options().chess960);
        let side = self.engine.position().turn();
        // The search has found it among the legal moves.
        if self.engine.play(mv).is_err() {
            return;
        }
        self.output.line(Message::Move(text));
        self.control.moved(took, self.moves_made(side));
        self.excluded.clear();
        self.log_game();
        if let Some(outcome) = self.engine.game().outcome() {
            self.claim(outcome);
        }
    }

    /// Something has failed; a client waits for a move all the same.
    fn play_anything(&mut self) {
        if let Some(&mv) = self.engine.position().legal_moves().first() {
            self.play_own(mv, Duration::ZERO);
        }
    }

    fn search_died(&mut self) {
        let Task::Search(running) = std::mem::replace(&mut self.task, Task::Idle) else { return };
        self.output.line(Message::TellUserError("the search thread has died".to_owned()));
        if matches!(running.purpose, Purpose::Think) {
            self.play_anything();
        }
        self.answer_waiting();
    }

    /// Says how the game has ended. Only what is true on the board is claimed.
    fn claim(&mut self, outcome: Outcome) {
        let (result, reason) = match outcome {
            Outcome::Checkmate(Color::White) => (GameResult::WhiteWins, "White mates"),
            Outcome::Checkmate(Color::Black) => (GameResult::BlackWins, "Black mates"),
            Outcome::Draw(draw) => (GameResult::Draw, reason(draw)),
        };
        self.over = true;
        self.output.line(Message::Result { result, reason: reason.to_owned() });
        let result = match outcome {
            Outcome::Checkmate(winner) => pgn::GameResult::won_by(winner),
            Outcome::Draw(_) => pgn::GameResult::Draw,
        };
        self.engine.end_log(result, reason);
    }

    /// `?`.
    pub(crate) fn move_now(&mut self) {
        match &self.task {
            Task::Search(running) if matches!(running.purpose, Purpose::Think) => running.control.stop(),
            // A count or a test is stopped by it, too.
            Task::Perft(_) => self.abandon(),
            Task::Search(running) if matches!(running.purpose, Purpose::Test(_)) => self.abandon(),
            _ => {}
        }
    }

    /// `draw`: the opponent offers one. It is answered with our next move, or by what we last thought if the opponent is to
    /// move.
    pub(crate) fn draw(&mut self) {
        if self.analysing || self.over {
            return;
        }
        self.draw_offered = true;
        let turn = self.engine.position().turn();
        if self.side == Some(!turn) {
            let ply = self.plies() as u32;
            self.answer_draw_offer(ply, self.engine.contempt());
        }
    }

    /// Whether there was an offer, and it was accepted.
    fn answer_draw_offer(&mut self, ply: u32, contempt: i32) -> bool {
        if !std::mem::take(&mut self.draw_offered) {
            return false;
        }
        let accepts = self.mood.accepts_draw(ply, contempt, &self.engine.options().manners);
        let score = self.mood.last().map_or("no score".to_owned(), |(value, material)| trace::score(value, material));
        let word = if accepts { "accepted" } else { "declined" };
        self.output.trace(|| format!("draw: offer {word} at {score}"));
        if accepts {
            // To offer one is how one is accepted.
            self.output.line(Message::OfferDraw);
        }
        accepts
    }

    pub(crate) fn hard(&mut self) {
        self.ponders = true;
    }

    pub(crate) fn easy(&mut self) {
        self.ponders = false;
        if self.task.search().is_some_and(|running| matches!(running.purpose, Purpose::Ponder(_))) {
            self.abandon();
        }
    }

    /// `hint`: what we expect, what the table knows, or what a short search finds.
    pub(crate) fn hint(&mut self) {
        if self.refused {
            return;
        }
        let running = self.task.search();
        let known = match running.map(|running| (&running.purpose, &running.progress.best)) {
            Some((Purpose::Ponder(guess), _)) => Some(*guess),
            Some((Purpose::Analyse, Some(info))) => info.pv.first().copied(),
            _ => self.engine.table_move(),
        };
        let mv = match known {
            None if matches!(self.task, Task::Idle) => self
                .engine
                .search(self.engine.game().clone(), Limits::move_time(HINT_TIME), 1)
                .ok()
                .and_then(|handle| handle.wait().best),
            known => known,
        };
        if let Some(mv) = mv {
            self.output.line(Message::Hint(moves::text(mv, self.engine.options().chess960)));
        }
    }

    /// The next problem of a console user's test, or its summary.
    pub(crate) fn next_problem(&mut self) {
        let Task::Search(running) = std::mem::replace(&mut self.task, Task::Idle) else { return };
        let Purpose::Test(mut suite) = running.purpose else { return };
        match suite.next_search() {
            Some((game, limits, lines)) => self.search_lines(game, limits, lines, Purpose::Test(suite)),
            None => self.output.line(suite.summary()),
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
