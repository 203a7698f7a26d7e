//! The named steps of the search.
//!
//! A tuning build can switch each of them off: to test it, to measure its worth, or to get plain alpha-beta. Every
//! other build has two fixed sets, [`Steps::DEFAULT`] and [`Steps::FULL_WIDTH`]; steps on which they agree are
//! compile-time constants.

use crate::switches::switches;

switches! {
    /// A step of the search.
    enum Step {
        /// On the principal variation, moves after the first get a full window only if a null window fails high.
        PrincipalVariation,
        /// Off the principal variation, a table entry of sufficient depth ends the search of a node.
        TableCutoff,
        /// Quiescence reads and writes the transposition table.
        QuiescenceTable,
        /// A table bound that is tighter than the static evaluation replaces it.
        TableEval,
        /// Iterations start with a narrow window around the previous value.
        Aspiration,
        /// Mate distance pruning: a mate found closer to the root narrows the window.
        MateDistance,
        /// A position from which the side to move can force a repetition is worth at least a draw.
        UpcomingRepetition,
        /// Nodes near the horizon with an evaluation far below alpha drop into quiescence.
        Razoring,
        /// Nodes near the horizon with an evaluation far above beta fail high without a search.
        ReverseFutility,
        /// If passing fails high, so does the node.
        NullMove,
        /// At high depth, a fail high of a null move is verified by a search without null moves.
        NullMoveVerification,
        /// A capture that fails high by a margin at reduced depth ends the search of a node.
        ProbCut,
        /// A table bound far above beta ends the search of a node, even if it is a few plies too shallow.
        TableProbCut,
        /// Nodes without a table move are searched a ply less.
        InternalReduction,
        /// The depth of a reduced node is adjusted by the evaluations before and after the reduced move.
        Hindsight,
        /// Late moves are searched at reduced depth.
        LateMoveReduction,
        /// Late captures and promotions are reduced as well.
        ReduceNoisy,
        /// The value of a reduced search that fails high sets the depth of the re-search.
        DeeperResearch,
        /// Moves of expected cut nodes are reduced more.
        ReduceCutNode,
        /// Moves of nodes where many replies failed high are reduced more.
        ReduceCutoffCount,
        /// Quiet moves are reduced more if the table move is a capture.
        ReduceTableCapture,
        /// Moves of nodes that were once on the principal variation are reduced less.
        ReduceTablePv,
        /// Moves that give check are reduced less.
        ReduceCheckLess,
        /// Moves of nodes whose evaluation needed much correction are reduced less.
        ReduceCorrectedLess,
        /// In nodes that were once on the principal variation, a table bound that says how the node will end changes
        /// the reduction of its moves.
        ReduceByTableBound,
        /// After a move that raises alpha without failing high, the other moves are searched shallower.
        RaisedAlpha,
        /// A value above beta is returned closer to beta, because the margin is uncertain.
        SoftFailHigh,
        /// Late move pruning: near the horizon, only a limited number of quiet moves is searched.
        LateMovePruning,
        /// Near the horizon, quiet moves that cannot raise the evaluation to alpha are skipped.
        Futility,
        /// Near the horizon, quiet moves with a bad history are skipped.
        HistoryPruning,
        /// Near the horizon, moves that lose material by static exchange are skipped.
        SeePruning,
        /// A table move without a good alternative is extended by a ply.
        SingularExtension,
        /// A table move that is better than every alternative by a wide margin is extended by two plies.
        DoubleExtension,
        /// A quiet table move that is better than every alternative by a very wide margin is extended by three plies.
        TripleExtension,
        /// If an alternative to the table move fails high as well, so does the node.
        MultiCut,
        /// A table move with good alternatives is reduced.
        NegativeExtension,
        /// A move that gives check is extended by a ply.
        CheckExtension,
        /// On the principal variation, a recapture on the same square is extended by a ply.
        RecaptureExtension,
        /// A pawn move to the seventh rank is extended by a ply.
        PawnPushExtension,
        /// The only legal reply to a check is extended by a ply.
        OneReplyExtension,
        /// The last two quiet moves that failed high at the same ply are tried before the other quiets.
        Killers,
        /// The quiet move that last refuted the opponent's move is tried after the killers.
        CounterMove,
        /// Butterfly history: quiets are ordered by how often they failed high anywhere in the tree.
        ButterflyHistory,
        /// Continuation history: replies to the opponent's previous move.
        ContinuationHistory1,
        /// Continuation history: follow-ups to our own previous move.
        ContinuationHistory2,
        /// Continuation history: follow-ups to our own move before the previous one.
        ContinuationHistory4,
        /// Pawn history: quiets are ordered by how often they failed high with this pawn structure.
        PawnHistory,
        /// The butterfly history distinguishes whether origin and target are attacked.
        ThreatHistory,
        /// Quiets that escape from a less valuable attacker are tried early, quiets that move into its attack late.
        ThreatOrder,
        /// Quiets that give check are tried early.
        CheckOrder,
        /// If all moves of a node fail low, the opponent's quiet move before it gets a bonus.
        FailLowBonus,
        /// A quiet table move whose table value ends a node gets a bonus, as if it had been searched.
        TableCutoffBonus,
        /// The opponent's previous quiet move gets a bonus or malus for the change of the static evaluation.
        EvaluationBonus,
        /// Captures are ordered by how often they failed high as well as by what they win.
        CaptureHistory,
        /// Correction history by pawn structure.
        PawnCorrection,
        /// Correction history by the pieces other than pawns of each side.
        NonPawnCorrection,
        /// Correction history by knights and bishops.
        MinorCorrection,
        /// Correction history by rooks, queens and kings.
        MajorCorrection,
        /// Correction history by the last two moves.
        ContinuationCorrection,
        /// Quiescence skips captures that lose material by static exchange.
        QuiescenceSee,
        /// Quiescence skips captures that cannot raise the evaluation to alpha.
        QuiescenceFutility,
        /// Quiescence tries only a few captures, unless they recapture, promote or give check.
        QuiescenceLimit,
        /// Quiescence tries quiet checks at its first ply.
        QuiescenceChecks,
        /// In check, quiescence skips the remaining quiet evasions once one is not mated.
        QuiescenceEvasions,
    }

    /// A set of steps.
    set Steps;
}

impl Steps {
    /// Every step except those that were tried without gain (`docs/lab/search.md`, `docs/lab/screening.md`).
    pub const DEFAULT: Self = Self::ALL
        .without(Step::CheckExtension)
        .without(Step::RecaptureExtension)
        .without(Step::OneReplyExtension)
        .without(Step::MajorCorrection);

    /// The steps that cannot miss a forced line, for mate searches.
    pub const FULL_WIDTH: Self = Self::NONE
        .with(Step::PrincipalVariation)
        .with(Step::TableCutoff)
        .with(Step::QuiescenceTable)
        .with(Step::MateDistance)
        .with(Step::QuiescenceSee)
        .with(Step::QuiescenceFutility)
        .with(Step::Killers)
        .with(Step::CounterMove)
        .with(Step::ButterflyHistory)
        .with(Step::ContinuationHistory1)
        .with(Step::ContinuationHistory2)
        .with(Step::CaptureHistory);
}

impl Default for Steps {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The steps of a running search: any set in a tuning build and in unit tests, otherwise one of two fixed sets.
#[cfg(any(test, feature = "tuning"))]
pub(crate) type ActiveSteps = Steps;

/// The steps of a running search: any set in a tuning build and in unit tests, otherwise one of two fixed sets.
#[cfg(not(any(test, feature = "tuning")))]
pub(crate) type ActiveSteps = FixedSteps;

/// Either [`Steps::DEFAULT`] or [`Steps::FULL_WIDTH`].
#[cfg(any(test, not(feature = "tuning")))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FixedSteps {
    full_width: bool,
}

#[cfg(any(test, not(feature = "tuning")))]
impl FixedSteps {
    /// [`Steps::DEFAULT`].
    pub(crate) const DEFAULT: Self = Self { full_width: false };

    /// [`Steps::FULL_WIDTH`].
    pub(crate) const FULL_WIDTH: Self = Self { full_width: true };

    /// Whether the set contains a step. The optimiser turns this into a constant where both sets agree, and into a test
    /// of one flag where they differ.
    #[inline(always)]
    pub(crate) const fn has(self, step: Step) -> bool {
        match (Steps::DEFAULT.has(step), Steps::FULL_WIDTH.has(step)) {
            (default, full_width) if default == full_width => default,
            (default, _) => default != self.full_width,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_contain_what_was_added() {
        assert!(Step::ALL.iter().all(|&step| Steps::ALL.has(step) && !Steps::NONE.has(step)));
        for &step in Step::ALL {
            assert!(!Steps::ALL.without(step).has(step));
            assert_eq!(Steps::ALL.without(step).with(step), Steps::ALL);
        }
        assert_eq!(format!("{:?}", Steps::NONE.with(Step::NullMove)), "{NullMove}");
    }

    #[test]
    fn names_are_those_of_the_variants() {
        for &step in Step::ALL {
            assert_eq!(step.name(), format!("{step:?}"));
        }
    }

    #[test]
    fn fixed_sets_contain_what_the_sets_contain() {
        for &step in Step::ALL {
            assert_eq!(FixedSteps::DEFAULT.has(step), Steps::DEFAULT.has(step), "{step:?}");
            assert_eq!(FixedSteps::FULL_WIDTH.has(step), Steps::FULL_WIDTH.has(step), "{step:?}");
        }
    }
}
