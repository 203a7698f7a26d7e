//! Which search runs when.

use super::{Mode, Stage, Xboard};
use crate::moves;
use bartizan_engine::uci::score_info;
use bartizan_engine::{Limits, MaterialCount, SearchInfo};
use bartizan_frontend::{Purpose, Searching, Task, san_line};
use bartizan_position::Game;
use bartizan_protocol::xboard::{Message, Thinking};
use bartizan_types::{Color, Move};
use std::time::Duration;

impl Xboard {
    /// Starts a search: now, at `resume`, or never if there is nothing to search.
    pub(super) fn proceed(&mut self, purpose: Purpose) {
        match &mut self.stage {
            Stage::Open => self.start(purpose),
            Stage::Paused(later) => *later = Some(purpose),
            Stage::Over | Stage::NoPosition => {}
        }
    }

    fn start(&mut self, purpose: Purpose) {
        match (self.mode, purpose) {
            (Mode::Playing(side), Purpose::Think) => self.think(side),
            (Mode::Playing(side), Purpose::Ponder(Some(guess))) => self.ponder(side, guess),
            (Mode::Analysing, Purpose::Analyse) => self.analyse_position(),
            // A search for another mode.
            _ => {}
        }
    }

    /// Thinks about the engine's move, or announces how the game has ended.
    fn think(&mut self, side: Color) {
        if let Some(outcome) = self.session.engine.game().outcome() {
            self.claim(outcome);
            return;
        }
        let moves = self.search_moves();
        if moves.is_empty() && !self.excluded.is_empty() {
            self.refuse("all moves are excluded", "go");
            return;
        }
        let limits = self.control.limits(self.moves_made(side)).with_search_moves(moves);
        self.search(self.session.engine.game().clone(), limits, Purpose::Think);
    }

    /// Ponders on the answer to an expected move, if the client wants it.
    fn ponder(&mut self, side: Color, guess: Move) {
        let mut game = self.session.engine.game().clone();
        if !self.session.config().ponder || game.push(guess).is_err() || game.outcome().is_some() {
            return;
        }
        let variant = self.variant();
        self.session.output.trace(|| format!("ponder: awaiting {}", guess.to_uci(variant)));
        self.tell_guess(guess);
        let limits = self.control.ponder_limits(self.moves_made(side));
        self.search(game, limits, Purpose::Ponder(Some(guess)));
    }

    /// Tells a client that wants thinking output the expected move: the lines of thinking begin after it.
    fn tell_guess(&mut self, guess: Move) {
        if self.client.wants_thinking {
            self.send(Message::Hint(moves::text(guess, self.variant())));
        }
    }

    /// `post`.
    pub(super) fn begin_to_show(&mut self) {
        self.client.wants_thinking = true;
        if let Some(Purpose::Ponder(Some(guess))) = self.session.task().purpose() {
            self.tell_guess(guess);
        }
    }

    fn analyse_position(&mut self) {
        // With no legal move, or all of them excluded, there is nothing to analyse.
        if self.session.engine.position().count_legal_moves() as usize > self.excluded.len() {
            let limits = Limits::infinite().with_search_moves(self.search_moves());
            self.search(self.session.engine.game().clone(), limits, Purpose::Analyse);
        }
    }

    /// The moves that a search may consider; none for all, or if all are excluded.
    fn search_moves(&self) -> Vec<Move> {
        if self.excluded.is_empty() {
            return Vec::new();
        }
        let legal = self.session.engine.position().legal_moves();
        legal.iter().copied().filter(|mv| !self.excluded.contains(mv)).collect()
    }

    fn search(&mut self, game: Game, limits: Limits, purpose: Purpose) {
        let lines = if purpose == Purpose::Analyse { self.session.config().engine.multipv } else { 1 };
        self.shown_depth = 0;
        let started = self.session.start_search(game, limits, lines, purpose);
        self.warn();
        if let Err(error) = started {
            self.send(Message::TellUserError(error.to_string()));
            if purpose == Purpose::Think {
                self.play_any_move();
            }
        }
    }

    /// Ends the task without a move; returns the search to start again.
    pub(super) fn suspend(&mut self) -> Option<Purpose> {
        let purpose = self.session.task().purpose().filter(|&purpose| purpose != Purpose::Think);
        self.abandon();
        purpose
    }

    /// Ends the task without a move, and executes the commands that have waited for it.
    pub(super) fn abandon(&mut self) {
        self.session.abandon_task();
        self.execute_waiting();
    }

    /// `?`: plays the best move found so far; ends a perft or a test.
    pub(super) fn move_now(&mut self) {
        match self.session.task_mut() {
            Task::Searching(search) if search.purpose == Purpose::Think => search.control.stop(),
            Task::Counting(_) | Task::Testing(..) | Task::Reviewing(_) => self.abandon(),
            Task::Searching(_) | Task::Idle => {}
        }
    }

    /// `easy`.
    pub(super) fn stop_pondering(&mut self) {
        self.set(|config| config.ponder = false);
        if matches!(self.session.task().purpose(), Some(Purpose::Ponder(_))) {
            self.abandon();
        }
    }

    /// The time used by a search for the engine's move.
    pub(super) fn time_of(&self, search: &Searching) -> Duration {
        if self.control.counts_nodes() {
            search.control.clock_time().unwrap_or_default()
        } else {
            search.started.elapsed()
        }
    }

    /// `pause`: stops the clocks and the search.
    pub(super) fn pause(&mut self) {
        if self.stage != Stage::Open {
            return;
        }
        if let Some(search) = self.session.task().search()
            && search.purpose == Purpose::Think
        {
            self.control.pause_after(self.time_of(search));
        }
        let later = match self.mode {
            Mode::Analysing => Some(Purpose::Analyse),
            Mode::Force | Mode::Playing(_) => self.session.task().purpose(),
        };
        self.abandon();
        self.stage = Stage::Paused(later);
    }

    /// `resume`.
    pub(super) fn unpause(&mut self) {
        if let Stage::Paused(later) = self.stage {
            self.stage = Stage::Open;
            later.into_iter().for_each(|purpose| self.start(purpose));
        }
    }

    /// Writes a line of thinking, if the client wants it.
    pub(super) fn show_thinking(&mut self, info: &SearchInfo) {
        let Some(search) = self.session.task().search() else { return };
        let is_wanted = self.client.wants_thinking || search.purpose == Purpose::Analyse;
        // Of several best lines, the last ones may come from the iteration before. xboard clears its window at a
        // smaller depth, and the best line with it.
        if !is_wanted || info.pv.is_empty() || info.depth < self.shown_depth {
            return;
        }
        self.shown_depth = info.depth;
        let root = search.control.root();
        let score = score_info(info.value, info.bound, MaterialCount::of(root));
        let mut line = Thinking::default();
        line.ply = info.depth;
        line.score = Thinking::encode_score(score.score);
        line.time = (info.time.as_millis() / 10) as u64;
        line.nodes = info.nodes;
        line.seldepth = Some(info.seldepth);
        line.speed = Some(info.nps());
        line.tbhits = Some(info.tablebase_hits);
        line.bound = score.bound;
        line.pv = san_line(root, &info.pv);
        self.send(Message::Thinking(line));
    }
}
