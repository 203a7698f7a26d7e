//! The state of one search thread, and what the main search and quiescence share.

use crate::correction::Corrections;
use crate::history::{Histories, PieceTo, QuietContext};
use crate::job::Job;
use crate::main_thread::Caller;
use crate::mate_cache::MateCache;
use crate::picker::Killers;
use crate::reductions::Reductions;
use crate::root::RootMove;
use crate::statistics::{Counter, Statistics};
use crate::steps::ActiveSteps;
use crate::table::TableEntry;
use crate::tracer::Tracer;
use arrayvec::ArrayVec;
use bartizan_eval::Evaluator;
use bartizan_position::{KeyHistory, Position};
use bartizan_types::{Bitboard, Depth, Key, Move, Ply, Value};
use std::sync::Arc;

/// A line of moves.
pub(crate) type PvLine = ArrayVec<Move, { Ply::MAX.0 as usize + 1 }>;

/// The data of a node that its neighbours in the line use, one frame for each ply.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// The corrected static evaluation; `None` in check.
    pub(crate) static_eval: Option<Value>,
    /// By how much the corrections changed it, in centipawns, at least 0.
    pub(crate) correction: i32,
    pub(crate) killers: Killers,
    /// The move made here; `None` for a null move.
    pub(crate) mv: Option<Move>,
    /// The piece moved and its target.
    pub(crate) moved: PieceTo,
    /// Whether the move was a capture.
    pub(crate) took: bool,
    /// What the opponent attacked before the move.
    pub(crate) attacked: Bitboard,
    /// The move excluded while its alternatives are searched for a singular extension.
    pub(crate) excluded: Option<Move>,
    /// The reduction of the move being searched, in plies.
    pub(crate) reduction: i32,
    /// The number of double extensions on the line so far.
    pub(crate) double_extensions: i32,
    /// The number of nodes at this ply that failed high, since the node two plies above started its moves.
    pub(crate) cutoffs: i32,
    /// Plies since the last null move of the line.
    pub(crate) since_null: u16,
    /// The principal variation from here.
    pub(crate) pv: PvLine,
}

/// One search thread.
pub(crate) struct Worker<'a, E> {
    pub(crate) job: Arc<Job>,
    pub(crate) id: usize,
    /// The caller of the search; `None` in helper threads, which report no events.
    pub(crate) caller: Option<Caller<'a>>,
    pub(crate) evaluator: E,
    pub(crate) histories: Histories,
    pub(crate) corrections: Corrections,
    pub(crate) steps: ActiveSteps,
    pub(crate) reductions: Reductions,
    pub(crate) frames: Vec<Frame>,
    pub(crate) keys: KeyHistory,
    pub(crate) roots: Vec<RootMove>,
    /// The index of the first root move of the current line. Earlier ones belong to better lines (MultiPV).
    pub(crate) first_root: usize,
    /// The index after the last root move with the same rank by the endgame tables as the first one.
    pub(crate) rank_end: usize,
    /// What was learnt about the root, while its move is preferred.
    pub(crate) learnt_root: Option<TableEntry>,
    /// The root move that failed high in the last aspiration window, while it is searched again.
    pub(crate) failed_high: Option<RootMove>,
    pub(crate) root_depth: Depth,
    pub(crate) completed_depth: Depth,
    pub(crate) seldepth: Ply,
    /// While a null move is verified, there are no null moves and no reverse futility before this ply.
    pub(crate) no_null_move_before: Ply,
    pub(crate) nodes: u64,
    /// The number of nodes at which the lines were last reported.
    pub(crate) reported_at: Option<u64>,
    /// The maximum number of pieces for which nodes probe the endgame tables; 0 for never.
    pub(crate) table_men: u32,
    /// The least depth of such nodes with that number of pieces.
    pub(crate) table_depth: Depth,
    /// The maximum number of pieces for which nodes probe the distance to mate; 0 for never.
    pub(crate) mate_men: u32,
    /// The greater of these numbers.
    pub(crate) probe_men: u32,
    pub(crate) mate_cache: MateCache,
    /// The number of positions found in the endgame tables.
    pub(crate) table_hits: u64,
    /// The node count at which to check the limits again.
    pub(crate) next_check: u64,
    /// Whether the search has ended. Values returned from now on are meaningless.
    pub(crate) stopped: bool,
    /// Whether quiescence tries no more moves: the search has ended, or its first iteration must end.
    pub(crate) stands_pat: bool,
    pub(crate) statistics: Statistics,
    pub(crate) tracer: Tracer,
}

/// The state that a thread keeps between searches.
pub(crate) struct WorkerState<E> {
    evaluator: E,
    histories: Histories,
    corrections: Corrections,
    reductions: Reductions,
    frames: Vec<Frame>,
}

impl<E> WorkerState<E> {
    pub(crate) fn new(evaluator: E) -> Self {
        Self {
            evaluator,
            histories: Histories::new(),
            corrections: Corrections::new(),
            reductions: Reductions::new(),
            // A node accesses the frames of its children and grandchildren.
            frames: vec![Frame::default(); Ply::MAX.index() + 3],
        }
    }

    /// Clears the histories, for a new game.
    pub(crate) fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }
}

impl<'a, E: Evaluator> Worker<'a, E> {
    /// Prepares a search.
    pub(crate) fn new(id: usize, state: WorkerState<E>, job: Arc<Job>, caller: Option<Caller<'a>>) -> Self {
        let WorkerState { evaluator, histories, corrections, reductions, frames } = state;
        let roots = job.root_tables();
        let mut worker = Self {
            id,
            caller,
            evaluator,
            histories,
            corrections,
            steps: job.steps,
            reductions,
            frames,
            keys: job.keys.clone(),
            roots: roots.moves.iter().map(|&ranked| RootMove::new(ranked)).collect(),
            first_root: 0,
            rank_end: 0,
            learnt_root: None,
            failed_high: None,
            root_depth: Depth::ZERO,
            completed_depth: Depth::ZERO,
            seldepth: Ply::ZERO,
            no_null_move_before: Ply::ZERO,
            nodes: 0,
            reported_at: None,
            table_men: roots.limit,
            table_depth: roots.depth,
            mate_men: roots.mate_limit,
            probe_men: roots.limit.max(roots.mate_limit),
            mate_cache: MateCache::new(roots.mate_limit > 0),
            // The main thread counts those of the root.
            table_hits: if id == 0 { roots.hits } else { 0 },
            next_check: 0,
            stopped: false,
            stands_pat: false,
            statistics: Statistics::default(),
            tracer: Tracer::new(id, &job),
            job,
        };
        worker.prefer_learnt_move();
        worker.evaluator.reset(&worker.job.root);
        worker.frames.iter_mut().for_each(|frame| *frame = Frame::default());
        // There is no null move before the root.
        worker.frame(Ply::ZERO).since_null = u16::MAX;
        worker.histories.set_steps(worker.steps);
        worker.corrections.set_steps(worker.steps);
        #[cfg(feature = "tuning")]
        {
            worker.reductions = Reductions::new();
        }
        worker
    }

    /// Ends the thread's part in a search and releases everything that belongs to it.
    pub(crate) fn into_state(self) -> WorkerState<E> {
        let Self { evaluator, histories, corrections, reductions, frames, .. } = self;
        WorkerState { evaluator, histories, corrections, reductions, frames }
    }

    /// Counts a node and regularly checks whether the search is over.
    #[inline]
    pub(crate) fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check_limits();
        }
    }

    #[inline]
    pub(crate) fn frame(&mut self, ply: Ply) -> &mut Frame {
        &mut self.frames[ply.index()]
    }

    /// Prefetches the table's bucket of a position.
    #[inline]
    pub(crate) fn prefetch_table(&self, key: Key) {
        self.job.table.prefetch(key ^ self.job.salt);
    }

    /// Makes a move on `position`.
    #[inline]
    pub(crate) fn play(&mut self, position: &mut Position, mv: Move, ply: Ply) {
        let (moved, took) = (PieceTo::of(position, mv), position.is_capture(mv));
        let frame = self.frame(ply);
        frame.mv = Some(mv);
        frame.moved = moved;
        frame.took = took;
        let since_null = frame.since_null.saturating_add(1);
        self.frame(ply + 1).since_null = since_null;
        self.evaluator.play(position, mv);
        self.corrections.prefetch(position, [moved, self.moved(ply, 1)]);
        self.keys.push(position.key());
    }

    /// Makes a null move on `position`.
    #[inline]
    pub(crate) fn play_null(&mut self, position: &mut Position, ply: Ply) {
        let frame = self.frame(ply);
        frame.mv = None;
        frame.moved = PieceTo::NONE;
        frame.took = false;
        self.frame(ply + 1).since_null = 0;
        self.evaluator.play_null(position);
        self.prefetch_table(position.key());
        self.keys.push(position.key());
    }

    #[inline]
    pub(crate) fn undo(&mut self) {
        self.keys.pop();
        self.evaluator.undo();
    }

    /// The table's entry for a position.
    #[inline]
    pub(crate) fn probe_table(&self, position: &Position) -> Option<TableEntry> {
        self.job.table.probe(position.key() ^ self.job.salt)
    }

    #[inline]
    pub(crate) fn store_in_table(&mut self, position: &Position, entry: TableEntry) {
        if let Some(old) = self.job.table.replace(position.key() ^ self.job.salt, entry) {
            self.count(Counter::Replaced, Depth(old.depth));
            self.count_if(old.age > 0, Counter::ReplacedAged, Depth(old.depth));
        }
    }

    /// The piece moved and its target, `back` plies before this ply.
    #[inline]
    pub(crate) fn moved(&self, ply: Ply, back: i32) -> PieceTo {
        if ply.0 >= back { self.frames[(ply - back).index()].moved } else { PieceTo::NONE }
    }

    #[inline]
    pub(crate) fn quiet_context(&self, position: &Position, ply: Ply) -> QuietContext {
        let before = [1, 2, 4].map(|back| self.moved(ply, back));
        QuietContext::new(position.turn(), position.pawn_key(), before)
    }

    /// Sets the principal variation of a node: a move and the line below it.
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

impl<E> Worker<'_, E> {
    /// Counts an event at a depth.
    #[inline(always)]
    pub(crate) fn count(&mut self, counter: Counter, depth: Depth) {
        self.statistics.count(counter, depth.0, 1);
        self.tracer.note(counter);
    }

    /// Counts an event at a depth if it has happened.
    #[inline(always)]
    pub(crate) fn count_if(&mut self, happened: bool, counter: Counter, depth: Depth) {
        if happened {
            self.count(counter, depth);
        }
    }
}
