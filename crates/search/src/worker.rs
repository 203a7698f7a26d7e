//! One search thread's own things, and what it does at every node whatever the search.

use crate::correction::Corrections;
use crate::history::{Histories, PieceTo, QuietContext};
use crate::job::Job;
use crate::known;
use crate::listener::Listener;
use crate::params::CHECK_INTERVAL;
use crate::picker::Killers;
use crate::reductions::{self, Reductions};
use crate::root::RootMove;
use crate::steps::ActiveSteps;
use crate::table::TableEntry;
use arrayvec::ArrayVec;
use bartizan_eval::Evaluator;
use bartizan_position::{KeyHistory, Position};
use bartizan_types::{Bitboard, Depth, Move, Ply, Value};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// A line of moves.
pub(crate) type Line = ArrayVec<Move, { Ply::MAX.0 as usize + 1 }>;

/// What a node leaves for the nodes around it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// Corrected; `None` in check.
    pub(crate) static_eval: Option<Value>,
    pub(crate) killers: Killers,
    /// The move made here; `None` for a null move.
    pub(crate) mv: Option<Move>,
    /// What it moved where.
    pub(crate) moved: PieceTo,
    /// Whether it took something.
    pub(crate) took: bool,
    /// What the other side attacked before it.
    pub(crate) attacked: Bitboard,
    /// The move left out when the others are searched to see whether it is singular.
    pub(crate) excluded: Option<Move>,
    /// By how many plies the move being searched is reduced.
    pub(crate) reduction: i32,
    /// Moves of the line so far that were extended by two plies.
    pub(crate) double_extensions: i32,
    /// Nodes at this ply, under one parent's parent, that failed high.
    pub(crate) cutoffs: i32,
    /// Plies since the last null move of the line.
    pub(crate) since_null: u16,
    /// The best line from here.
    pub(crate) pv: Line,
}

/// One thread's search.
pub(crate) struct Worker<E> {
    pub(crate) job: Arc<Job>,
    pub(crate) id: usize,
    /// Receives the events of the search; `None` in helper threads, which report none.
    pub(crate) listener: Option<Listener>,
    pub(crate) evaluator: E,
    pub(crate) histories: Histories,
    pub(crate) corrections: Corrections,
    pub(crate) steps: ActiveSteps,
    pub(crate) reductions: Box<Reductions>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) keys: KeyHistory,
    pub(crate) roots: Vec<RootMove>,
    /// Of the moves in `roots`, those before this one are settled in this iteration (MultiPV).
    pub(crate) first_root: usize,
    /// The root move that failed high when the window was last missed, until it is searched to the end.
    pub(crate) failed_high: Option<RootMove>,
    pub(crate) root_depth: Depth,
    pub(crate) completed_depth: Depth,
    pub(crate) seldepth: Ply,
    /// While a null move is verified: no other before this ply.
    pub(crate) no_null_move_before: Ply,
    pub(crate) nodes: u64,
    next_check: u64,
    /// The search is over: every value on the way back to the root means nothing.
    pub(crate) stopped: bool,
}

impl<E: Evaluator> Worker<E> {
    pub(crate) fn new(id: usize, evaluator: E, job: Arc<Job>) -> Self {
        Self {
            job,
            id,
            listener: None,
            evaluator,
            histories: Histories::new(),
            corrections: Corrections::new(),
            steps: ActiveSteps::DEFAULT,
            reductions: reductions::table(),
            // A node looks at the frames of its children and theirs.
            frames: vec![Frame::default(); Ply::MAX.index() + 3],
            keys: KeyHistory::new(),
            roots: Vec::new(),
            first_root: 0,
            failed_high: None,
            root_depth: Depth::ZERO,
            completed_depth: Depth::ZERO,
            seldepth: Ply::ZERO,
            no_null_move_before: Ply::ZERO,
            nodes: 0,
            next_check: 0,
            stopped: false,
        }
    }

    /// Forgets what it learnt from other games.
    pub(crate) fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }

    /// Sets itself to the root of a new search.
    pub(crate) fn prepare(&mut self, job: Arc<Job>) {
        self.evaluator.reset(&job.root);
        self.keys = job.keys.clone();
        self.roots = job.moves.iter().map(|&mv| RootMove::new(mv)).collect();
        self.frames.iter_mut().for_each(|frame| *frame = Frame::default());
        // At the root no null move is near.
        self.frame(Ply::ZERO).since_null = u16::MAX;
        self.steps = job.steps;
        self.histories.set_steps(job.steps);
        self.corrections.set_steps(job.steps);
        #[cfg(feature = "tuning")]
        {
            self.reductions = reductions::table();
        }
        self.job = job;
        self.no_null_move_before = Ply::ZERO;
        self.completed_depth = Depth::ZERO;
        self.nodes = 0;
        self.next_check = 0;
        self.stopped = false;
    }

    /// Counts a node and, now and then, looks whether the search is over.
    #[inline]
    pub(crate) fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check_limits();
        }
    }

    /// Only the main thread looks at limits; the others wait for the stop flag.
    #[cold]
    fn check_limits(&mut self) {
        // Relaxed: a number for display.
        self.job.nodes[self.id].store(self.nodes, Relaxed);
        self.next_check = self.nodes + CHECK_INTERVAL;
        if self.id == 0 {
            if let Some(limit) = self.job.limits.nodes {
                let total = self.job.total_nodes();
                // So that one thread stops at the very node.
                self.next_check = self.next_check.min(self.nodes + limit.saturating_sub(total).max(1));
                self.stopped |= !self.answers_late() && total >= limit;
            }
            if let Some(hard) = self.job.plan.hard {
                // In this order: before the ponder hit the clock has run since the search began.
                self.stopped |= !self.answers_late() && self.job.control.clock_elapsed() >= hard;
            }
        }
        self.stopped |= self.job.control.is_stopped();
    }

    /// Whether nothing but a word from outside may end the search now.
    pub(crate) fn answers_late(&self) -> bool {
        self.job.limits.infinite || self.job.control.is_pondering()
    }

    /// Publishes the node count, exact from here.
    pub(crate) fn publish_nodes(&self) {
        self.job.nodes[self.id].store(self.nodes, Relaxed);
    }

    #[inline]
    pub(crate) fn frame(&mut self, ply: Ply) -> &mut Frame {
        &mut self.frames[ply.index()]
    }

    /// Has the table's entry for what comes after a move fetched while there is other work to do.
    #[inline]
    pub(crate) fn prefetch(&self, position: &Position, mv: Move) {
        self.job.table.prefetch(position.key_after(mv) ^ self.job.salt);
    }

    #[inline]
    pub(crate) fn play(&mut self, position: &Position, mv: Move, ply: Ply) -> Position {
        let (moved, took) = (PieceTo::of(position, mv), position.is_capture(mv));
        let frame = self.frame(ply);
        frame.mv = Some(mv);
        frame.moved = moved;
        frame.took = took;
        let since_null = frame.since_null.saturating_add(1);
        self.frame(ply + 1).since_null = since_null;
        let next = self.evaluator.play(position, mv);
        self.keys.push(next.key());
        next
    }

    #[inline]
    pub(crate) fn play_null(&mut self, position: &Position, ply: Ply) -> Position {
        let frame = self.frame(ply);
        frame.mv = None;
        frame.moved = PieceTo::NONE;
        frame.took = false;
        self.frame(ply + 1).since_null = 0;
        let next = self.evaluator.play_null(position);
        self.job.table.prefetch(next.key() ^ self.job.salt);
        self.keys.push(next.key());
        next
    }

    #[inline]
    pub(crate) fn undo(&mut self) {
        self.keys.pop();
        self.evaluator.undo();
    }

    /// What the evaluator says of a node, as it counts at the root.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position, ply: Ply) -> Value {
        known::at_ply(self.evaluator.evaluate(position), ply)
    }

    /// What the table knows of a position.
    #[inline]
    pub(crate) fn probe_table(&self, position: &Position) -> Option<TableEntry> {
        self.job.table.probe(position.key() ^ self.job.salt)
    }

    #[inline]
    pub(crate) fn store_in_table(&self, position: &Position, entry: TableEntry) {
        self.job.table.store(position.key() ^ self.job.salt, entry);
    }

    /// A draw by repetition, 50 moves or material, at a node below the root.
    #[inline]
    pub(crate) fn is_draw(&self, position: &Position, ply: Ply) -> bool {
        let clock = position.halfmove_clock();
        self.keys.is_search_draw(self.reversible(position, ply), ply.index())
            || position.is_insufficient_material()
            // Mate on the last of the 100 plies is mate.
            || clock >= 100 && (!position.in_check() || position.has_legal_move())
    }

    /// Plies within which the position can have stood on the board before: neither a capture or pawn move nor a null move
    /// lies between.
    #[inline]
    pub(crate) fn reversible(&self, position: &Position, ply: Ply) -> u16 {
        position.halfmove_clock().min(self.frames[ply.index()].since_null)
    }

    /// What a draw is worth to the side to move.
    #[inline]
    pub(crate) fn draw_value(&self, ply: Ply) -> Value {
        if ply.0 & 1 == 0 { -self.job.contempt } else { self.job.contempt }
    }

    /// What was moved where, `back` plies before this ply.
    #[inline]
    pub(crate) fn moved(&self, ply: Ply, back: i32) -> PieceTo {
        if ply.0 >= back { self.frames[(ply - back).index()].moved } else { PieceTo::NONE }
    }

    #[inline]
    pub(crate) fn quiet_context(&self, position: &Position, ply: Ply) -> QuietContext {
        let before = [1, 2, 4].map(|back| self.moved(ply, back));
        QuietContext::new(position.turn(), position.pawn_key(), before)
    }

    /// The line of a node: this move and the line below it.
    pub(crate) fn update_pv(&mut self, mv: Move, ply: Ply) {
        let (above, below) = self.frames.split_at_mut(ply.index() + 1);
        if let (Some(frame), Some(child)) = (above.last_mut(), below.first()) {
            frame.pv.clear();
            frame.pv.push(mv);
            let room = frame.pv.remaining_capacity();
            frame.pv.extend(child.pv.iter().copied().take(room));
        }
    }
}
