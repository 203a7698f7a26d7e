//! A trace of the tree: what happened in each node, written while the search runs.
//!
//! With the feature `trace`, a search with a [`TreeTrace`] writes a line for each node that it has left. Without the
//! feature there is no tracer, and its calls compile to nothing.
//!
//! The format, version 1, is ASCII text, a record a line, fields separated by spaces:
//!
//! ```text
//! bartizan-trace 1
//! position FEN
//! n LEVEL MOVE PURPOSE DEPTH ALPHA BETA VALUE STEP NODES
//! p LEVEL MOVE STEP
//! end RECORDS LEFT-OUT
//! ```
//!
//! `n` is a node and `p` a move that was pruned. A node follows its children, whose level is one greater; those of
//! level 0 are the searches of the root, one for each window of an iteration. MOVE leads to the node: UCI notation,
//! with castling as the king's move to the rook; `0000` is a null move, and `-` none, because the same position is
//! searched for another purpose. DEPTH is in plies, 0 or less in quiescence. ALPHA, BETA and VALUE are for the side to
//! move in the node, in the search's units; the value of a node left by a stop means nothing. NODES counts the nodes in
//! the tree below it, itself included. LEFT-OUT is the number of records that did not fit.

#[cfg(feature = "trace")]
pub(crate) use recording::Tracer;
#[cfg(feature = "trace")]
pub use recording::{TreeSummary, TreeTrace};

/// Why a node is searched.
#[cfg_attr(not(feature = "trace"), allow(dead_code))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A root search.
    Root,
    /// A move, with the window of its node or a null window.
    #[default]
    Move,
    /// A late move at reduced depth.
    Reduced,
    /// A reduced move that failed high, at full depth.
    Research,
    /// A later move of the principal variation that failed high, with the full window.
    FullWindow,
    /// A null move.
    NullMove,
    /// The verification of a null move that failed high.
    NullVerification,
    /// The alternatives to a move that may be singular.
    Singular,
    /// A capture of ProbCut.
    ProbCut,
    /// Quiescence to confirm that a node can be razored.
    Razoring,
    /// A move in quiescence.
    Quiescence,
}

#[cfg(feature = "trace")]
mod recording {
    use super::Purpose;
    use crate::job::Job;
    use crate::statistics::Counter;
    use crate::worker::Worker;
    use bartizan_types::{Depth, Move, Ply, UciMove, Value, Variant};
    use parking_lot::Mutex;
    use std::fmt;
    use std::io::{self, Write};
    use std::sync::Arc;

    /// Where the trace of a search goes, and how much of it: see [`Search::tree`](crate::Search::tree).
    #[derive(Clone)]
    pub struct TreeTrace(Arc<Mutex<Trace>>);

    /// What a trace contains.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct TreeSummary {
        /// Records written.
        pub records: u64,
        /// Records that did not fit.
        pub left_out: u64,
    }

    struct Trace {
        out: Box<dyn Write + Send>,
        bytes_left: u64,
        summary: TreeSummary,
        failure: Option<io::Error>,
    }

    impl TreeTrace {
        /// The usual limit: 64 MiB.
        pub const MOST_BYTES: u64 = 64 << 20;

        /// A trace that writes at most about this number of bytes. Nodes that are open when the limit is reached are
        /// still written, so that the tree stays connected.
        pub fn new(out: impl Write + Send + 'static, most_bytes: u64) -> Self {
            let summary = TreeSummary::default();
            Self(Arc::new(Mutex::new(Trace { out: Box::new(out), bytes_left: most_bytes, summary, failure: None })))
        }

        /// Writes the last line, after the search.
        ///
        /// # Errors
        /// The first failure to write.
        pub fn finish(&self) -> io::Result<TreeSummary> {
            let mut trace = self.0.lock();
            let TreeSummary { records, left_out } = trace.summary;
            trace.line(format_args!("end {records} {left_out}"));
            trace.failure.take().map_or_else(|| trace.out.flush(), Err)?;
            Ok(trace.summary)
        }
    }

    impl fmt::Debug for TreeTrace {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_struct("TreeTrace").finish_non_exhaustive()
        }
    }

    impl Trace {
        fn line(&mut self, line: fmt::Arguments<'_>) {
            let line = format!("{line}\n");
            self.bytes_left = self.bytes_left.saturating_sub(line.len() as u64);
            if self.failure.is_none() {
                self.failure = self.out.write_all(line.as_bytes()).err();
            }
        }

        /// Writes a record, or counts it if it is not `due` and does not fit.
        fn record(&mut self, due: bool, line: fmt::Arguments<'_>) {
            if due || self.bytes_left > 0 {
                self.summary.records += 1;
                self.line(line);
            } else {
                self.summary.left_out += 1;
            }
        }
    }

    /// A node that the search has entered and not left.
    #[derive(Debug)]
    struct OpenNode {
        mv: Option<UciMove>,
        purpose: Purpose,
        depth: Depth,
        window: [Value; 2],
        nodes_before: u64,
        /// The step that decides the node or the move at hand.
        step: Option<&'static str>,
        /// Whether the node is written even if the trace is full: it may have written children.
        is_due: bool,
    }

    /// Follows the search and writes the nodes that it leaves.
    #[derive(Debug, Default)]
    pub(crate) struct Tracer {
        trace: Option<TreeTrace>,
        open: Vec<OpenNode>,
        /// The purpose of the next node.
        purpose: Purpose,
    }

    impl Tracer {
        /// The tracer of a thread: only the main thread traces.
        pub(crate) fn new(id: usize, job: &Job) -> Self {
            let trace = job.tree.clone().filter(|_| id == 0);
            if let Some(TreeTrace(trace)) = &trace {
                let mut trace = trace.lock();
                trace.line(format_args!("bartizan-trace 1"));
                trace.line(format_args!("position {}", job.root.to_fen()));
            }
            Self { trace, ..Self::default() }
        }

        /// States why the next node will be searched.
        pub(crate) fn expect(&mut self, purpose: Purpose) {
            self.purpose = purpose;
        }

        /// Notes an event, which may be what decides the current node or move.
        pub(crate) fn note(&mut self, counter: Counter) {
            if let (Some(node), Some(step)) = (self.open.last_mut(), deciding_step(counter)) {
                node.step = Some(step);
            }
        }

        /// Writes a move that the step just noted has pruned.
        pub(crate) fn pruned(&mut self, mv: Move) {
            let (level, mv) = (self.open.len(), uci(mv));
            let Some(node) = self.open.last_mut() else { return };
            let step = node.step.take().unwrap_or("pruned");
            if let Some(TreeTrace(trace)) = &self.trace {
                trace.lock().record(false, format_args!("p {level} {mv} {step}"));
            }
        }

        fn enter(&mut self, mv: Option<UciMove>, window: [Value; 2], depth: Depth, nodes_before: u64) {
            let Some(TreeTrace(trace)) = &self.trace else { return };
            let purpose = std::mem::take(&mut self.purpose);
            let is_due = trace.lock().bytes_left > 0;
            self.open.push(OpenNode { mv, purpose, depth, window, nodes_before, step: None, is_due });
        }

        fn leave(&mut self, value: Value, nodes: u64, is_stopped: bool) {
            let Some(node) = self.open.pop() else { return };
            let Some(TreeTrace(trace)) = &self.trace else { return };
            let OpenNode { mv, purpose, depth, window: [alpha, beta], nodes_before, step, is_due } = node;
            let mv = match mv {
                Some(mv) => mv.to_string(),
                None if purpose == Purpose::NullMove => "0000".to_owned(),
                None => "-".to_owned(),
            };
            let step = match step {
                _ if is_stopped => "stopped",
                Some(step) => step,
                None if value >= beta => "fail-high",
                None if value <= alpha => "fail-low",
                None => "exact",
            };
            let (level, purpose, nodes) = (self.open.len(), name(purpose), nodes - nodes_before);
            let (depth, alpha, beta, value) = (depth.0, alpha.0, beta.0, value.0);
            let line = format_args!("n {level} {mv} {purpose} {depth} {alpha} {beta} {value} {step} {nodes}");
            trace.lock().record(is_due, line);
        }
    }

    impl<E> Worker<'_, E> {
        /// Enters a node of the trace.
        pub(crate) fn trace_enter(&mut self, ply: Ply, alpha: Value, beta: Value, depth: Depth) {
            let has_move = !matches!(
                self.tracer.purpose,
                Purpose::Root | Purpose::NullVerification | Purpose::Singular | Purpose::Razoring
            );
            let mv = if has_move && ply > Ply::ZERO { self.frames[(ply - 1).index()].mv } else { None };
            self.tracer.enter(mv.map(uci), [alpha, beta], depth, self.nodes);
        }

        /// Leaves it.
        pub(crate) fn trace_leave(&mut self, value: Value) {
            self.tracer.leave(value, self.nodes, self.stopped);
        }
    }

    /// A move without the ambiguities of castling in Chess960.
    fn uci(mv: Move) -> UciMove {
        mv.to_uci(Variant::Chess960)
    }

    /// The step that an event shows to have decided a node or a move.
    fn deciding_step(counter: Counter) -> Option<&'static str> {
        Some(match counter {
            Counter::Terminal => "terminal",
            Counter::KnownBounds => "known-bounds",
            Counter::TableCutoff | Counter::QuiescenceCutoff => "hash",
            Counter::EndgameTable => "endgame-table",
            Counter::Razored => "razoring",
            Counter::ReverseFutility => "reverse-futility",
            Counter::NullMoveCutoff => "null-move",
            Counter::ProbCutCutoff => "probcut",
            Counter::TableProbCut => "hash-probcut",
            Counter::MultiCut => "multi-cut",
            Counter::StandPat => "stand-pat",
            Counter::NoMove => "no-move",
            Counter::LateMovesPruned => "late-move",
            Counter::FutilityPruned => "futility",
            Counter::HistoryPruned => "history",
            Counter::SeePruned => "exchange",
            _ => return None,
        })
    }

    fn name(purpose: Purpose) -> &'static str {
        match purpose {
            Purpose::Root => "root",
            Purpose::Move => "move",
            Purpose::Reduced => "reduced",
            Purpose::Research => "research",
            Purpose::FullWindow => "full-window",
            Purpose::NullMove => "null-move",
            Purpose::NullVerification => "null-verification",
            Purpose::Singular => "singular",
            Purpose::ProbCut => "probcut",
            Purpose::Razoring => "razoring",
            Purpose::Quiescence => "quiescence",
        }
    }
}

/// Replaces the tracer: no data and no code.
#[cfg(not(feature = "trace"))]
mod silent {
    use super::Purpose;
    use crate::job::Job;
    use crate::statistics::Counter;
    use crate::worker::Worker;
    use bartizan_types::{Depth, Move, Ply, Value};

    #[derive(Debug)]
    pub(crate) struct Tracer(());

    impl Tracer {
        #[inline(always)]
        pub(crate) fn new(_id: usize, _job: &Job) -> Self {
            Self(())
        }

        #[inline(always)]
        pub(crate) fn expect(&mut self, _purpose: Purpose) {}

        #[inline(always)]
        pub(crate) fn note(&mut self, _counter: Counter) {}

        #[inline(always)]
        pub(crate) fn pruned(&mut self, _mv: Move) {}
    }

    impl<E> Worker<'_, E> {
        #[inline(always)]
        pub(crate) fn trace_enter(&mut self, _ply: Ply, _alpha: Value, _beta: Value, _depth: Depth) {}

        #[inline(always)]
        pub(crate) fn trace_leave(&mut self, _value: Value) {}
    }
}

#[cfg(not(feature = "trace"))]
pub(crate) use silent::Tracer;
