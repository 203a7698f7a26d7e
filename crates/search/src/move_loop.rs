//! Steps 9 to 15 of a node: its moves are picked, pruned, extended and searched.

use crate::child_prefetch::ChildPrefetch;
use crate::extensions::Extension;
use crate::history::PieceTo;
use crate::move_pruning::Pruning;
use crate::node::{Candidate, Expected, Node, NodeResult, NodeType, NonPv, Pv};
use crate::params;
use crate::picker::MovePicker;
use crate::reductions::ONE_PLY;
use crate::statistics::Counter;
use crate::steps::Step;
use crate::tracer::Purpose;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::{CheckInfo, Position};
use bartizan_types::{Bound, Depth, Move, Ply, Value};

/// How the search of the moves of a node ended.
pub(crate) enum Ending {
    /// The search was stopped.
    Stopped,
    /// An alternative to the table move fails high as well; the node fails high with this value.
    MultiCut(Value),
    /// Every move that was not pruned has been searched, up to a fail high.
    Searched,
}

impl<E: Evaluator> Worker<'_, E> {
    /// Steps 9 to 15: searches the moves of a node and fills in `outcome`.
    pub(crate) fn search_moves<N: NodeType>(
        &mut self,
        position: &Position,
        mut node: Node,
        outcome: &mut NodeResult,
    ) -> Ending {
        let ply = node.ply;
        let killers = if self.steps.has(Step::Killers) { self.frame(ply).killers } else { [None; 2] };
        let counter_move = self.histories.counter_move(node.context.before[0]);
        let mut picker = MovePicker::new(position, node.table_move(), killers, counter_move, node.context);
        self.reset_descendants::<N>(ply);
        let old_alpha = node.alpha;
        let checks = position.check_info();
        let mut number = 0;
        let mut ahead = ChildPrefetch::new(position);

        // Step 9. Pick the next move.
        while let Some(mv) = picker.next(position, &self.histories) {
            if Some(mv) == node.excluded || N::ROOT && !self.is_root_candidate(mv) {
                continue;
            }
            number += 1;
            if N::ROOT {
                self.report_current_move(mv, number);
            }
            let candidate = self.candidate(position, &node, &checks, mv, number);

            // Step 10. Prune it.
            if !N::ROOT && !outcome.value.is_lost() {
                match self.prune_move(position, &node, &candidate) {
                    Pruning::Nothing => {}
                    Pruning::ThisMove => {
                        self.tracer.pruned(mv);
                        continue;
                    }
                    Pruning::RemainingQuiets => {
                        self.tracer.pruned(mv);
                        picker.skip_quiets();
                        continue;
                    }
                }
            }

            self.prefetch(&mut ahead, position, mv, &mut picker);

            // Step 11. Extend it.
            let extension = match self.extension::<N>(position, &node, &candidate) {
                Extension::Plies(plies) => plies,
                Extension::MultiCut(value) => {
                    self.count(Counter::MultiCut, node.depth);
                    return Ending::MultiCut(value);
                }
            };
            if self.stopped {
                return Ending::Stopped;
            }

            // Step 12. Make the move and search it.
            self.count(Counter::Move, node.depth);
            let nodes_before = self.nodes;
            self.frame(ply).double_extensions = self.double_extensions_above(ply) + i32::from(extension >= 2);
            let mut next = position.clone();
            self.play(&mut next, mv, ply);
            let new_depth = node.depth - 1 + extension;
            let mut value = self.search_move::<N>(&next, &node, &candidate, new_depth, outcome.value);
            self.undo();
            if self.stopped {
                return Ending::Stopped;
            }

            // Step 13. At the root, record its value and line.
            if N::ROOT {
                value = self.root_value(mv, value);
                self.update_root(mv, value, node.alpha, node.beta, number, self.nodes - nodes_before);
            }

            // Step 14. Is it the best so far?
            if value > outcome.value {
                outcome.value = value;
                if value > node.alpha {
                    outcome.mv = Some(mv);
                    if N::PV && !N::ROOT {
                        self.update_pv(mv, ply);
                    }
                    if value >= node.beta {
                        self.frame(ply).cutoffs += 1;
                        self.count(Counter::Cutoff, node.depth);
                        self.count_if(number == 1, Counter::FirstMoveCutoff, node.depth);
                        self.count_if(matches!(number, 2 | 3), Counter::EarlyCutoff, node.depth);
                        break;
                    }
                    node.alpha = value;
                    if !N::ROOT {
                        node.depth -= self.raised_alpha_reduction(node.depth, value);
                    }
                }
            }

            // Step 15. If not, remember it for a malus.
            if Some(mv) != outcome.mv {
                outcome.add_searched(&candidate);
            }
        }
        outcome.bound = Bound::of(outcome.value, old_alpha, node.beta);
        outcome.depth = node.depth;
        if !N::ROOT {
            outcome.value = self.soften(outcome.value, node.beta, node.depth);
        }
        self.count_if(outcome.bound == Bound::Upper, Counter::FailLow, node.depth);
        Ending::Searched
    }

    /// The plies by which to reduce the remaining moves after a move that raised alpha to a value, which is likely the
    /// best (Stockfish).
    #[inline]
    fn raised_alpha_reduction(&self, depth: Depth, value: Value) -> i32 {
        let range = params::raised_alpha_min_depth()..=params::raised_alpha_max_depth();
        let is_reduced = self.steps.has(Step::RaisedAlpha) && range.contains(&depth.0) && !value.is_decisive();
        if is_reduced { params::raised_alpha_reduction() } else { 0 }
    }

    /// Clears what earlier nodes left in the frames below: killers are shared only among siblings, and cutoffs are
    /// counted among the grandchildren of one node.
    #[inline]
    fn reset_descendants<N: NodeType>(&mut self, ply: Ply) {
        self.frame(ply + 1).killers = [None; 2];
        self.frame(ply + 2).cutoffs = 0;
        if N::ROOT {
            // The root has no parent to reset this.
            self.frame(ply + 1).cutoffs = 0;
        }
    }

    fn candidate(&self, position: &Position, node: &Node, checks: &CheckInfo, mv: Move, number: usize) -> Candidate {
        let is_quiet = !position.is_tactical(mv);
        let this = PieceTo::of(position, mv);
        let history = if is_quiet {
            self.histories.quiet(&node.context, position, mv)
        } else {
            self.histories.capture(position, mv)
        };
        let gives_check = position.gives_check_with(checks, mv);
        Candidate { mv, this, number, is_quiet, gives_check, history }
    }

    /// Searches the position after a move: after the first move with the full window, after others with a null window,
    /// at reduced depth if late. A move that turns out better than expected is searched again.
    fn search_move<N: NodeType>(
        &mut self,
        next: &Position,
        node: &Node,
        candidate: &Candidate,
        mut new_depth: Depth,
        best_value: Value,
    ) -> Value {
        let Node { alpha, beta, ply, .. } = *node;
        if N::PV && !self.steps.has(Step::PrincipalVariation) {
            return -self.alphabeta::<Pv>(next, -beta, -alpha, new_depth, ply + 1, Expected::All);
        }
        let child = node.expected.child();
        let mut value = Value::ZERO;
        let mut needs_full_window = N::PV;
        if let Some(reduction) = self.late_move_reduction::<N>(node, candidate) {
            // At least one ply is left; on the principal variation a good move may even gain one.
            let reduced = Depth((new_depth.0 - reduction / ONE_PLY).clamp(1, new_depth.0.max(1) + i32::from(N::PV)));
            self.frame(ply).reduction = (new_depth - reduced.0).0;
            if reduced < new_depth {
                self.count(Counter::Reduced, node.depth);
                self.statistics.count(Counter::ReducedPlies, node.depth.0, (new_depth - reduced.0).0 as u64);
            }
            self.tracer.expect(if reduced < new_depth { Purpose::Reduced } else { Purpose::Move });
            value = -self.alphabeta::<NonPv>(next, -alpha - 1, -alpha, reduced, ply + 1, Expected::Cut);
            self.frame(ply).reduction = 0;
            if value > alpha && reduced < new_depth && !self.stopped {
                self.count(Counter::Researched, node.depth);
                new_depth += self.research_depth(value, best_value, new_depth);
                if new_depth > reduced {
                    self.tracer.expect(Purpose::Research);
                    value = -self.alphabeta::<NonPv>(next, -alpha - 1, -alpha, new_depth, ply + 1, child);
                }
                self.count_if(value > alpha, Counter::ResearchedHigh, node.depth);
                self.learn_from_research(node, candidate, value);
            }
            needs_full_window &= value > alpha;
        } else if !N::PV || candidate.number > 1 {
            value = -self.alphabeta::<NonPv>(next, -alpha - 1, -alpha, new_depth, ply + 1, child);
            needs_full_window &= value > alpha;
        }
        if needs_full_window && !self.stopped {
            self.count_if(candidate.number > 1, Counter::FullWindow, node.depth);
            self.tracer.expect(if candidate.number > 1 { Purpose::FullWindow } else { Purpose::Move });
            value = -self.alphabeta::<Pv>(next, -beta, -alpha, new_depth, ply + 1, Expected::All);
        }
        value
    }
}
