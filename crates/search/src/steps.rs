//! The named steps of the search, each of which can be switched off: to test it, to measure what it is worth, or to have
//! nothing but plain alpha-beta.

macro_rules! steps {
    ($($(#[$meta:meta])* $name:ident = $text:literal,)*) => {
        /// A step of the search that can be switched off.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Step { $($(#[$meta])* $name,)* }

        impl Step {
            /// All steps, in the order of the list.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name by which an option calls it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

steps! {
    /// The clock's share for a move ends the iterations, and several times as much a search; without, the share alone does.
    SoftLimit = "SoftLimit",
    /// A best move that changes asks for more time.
    TimeByStability = "TimeByStability",
    /// A best move that takes few of the nodes asks for more time.
    TimeByNodes = "TimeByNodes",
    /// A value that falls asks for more time.
    TimeByFall = "TimeByFall",
    /// On the principal variation the moves after the first are searched with a window of nothing before they get a full one.
    PrincipalVariation = "PrincipalVariation",
    /// A table entry that is deep enough ends the search of a node off the principal variation.
    TableCutoff = "TableCutoff",
    /// The same in quiescence.
    QuiescenceTable = "QuiescenceTable",
    /// A table bound that is tighter than the static evaluation replaces it.
    TableEval = "TableEval",
    /// Iterations begin with a narrow window around the last value.
    Aspiration = "Aspiration",
    /// A mate already found nearer to the root narrows the window.
    MateDistance = "MateDistance",
    /// A position from which a repetition can be forced is worth at least a draw.
    UpcomingRepetition = "UpcomingRepetition",
    /// Hopeless nodes near the horizon go to quiescence at once.
    Razoring = "Razoring",
    /// A static lead ends the search of a node near the horizon.
    ReverseFutility = "ReverseFutility",
    /// If even passing fails high, a move will.
    NullMove = "NullMove",
    /// At high depth a null move's fail high is verified by a search without null moves.
    NullMoveVerification = "NullMoveVerification",
    /// A capture that fails high by a margin at reduced depth will fail high at full depth.
    ProbCut = "ProbCut",
    /// A table bound that is far above beta, and not much too shallow, ends the search of a node.
    TableProbCut = "TableProbCut",
    /// Nodes without a table move are searched a ply less.
    InternalReduction = "InternalReduction",
    /// The reduction that led here was too large or too small, seen by the evaluations before and after.
    Hindsight = "Hindsight",
    /// Late moves are searched at reduced depth.
    LateMoveReduction = "LateMoveReduction",
    /// Captures and promotions are reduced, too.
    ReduceNoisy = "ReduceNoisy",
    /// A reduced search that surprises decides how deep the second one goes.
    DeeperResearch = "DeeperResearch",
    /// Nodes that are expected to fail high reduce more.
    ReduceCutNode = "ReduceCutNode",
    /// Children of nodes where many replies failed high reduce more.
    ReduceCutoffCount = "ReduceCutoffCount",
    /// When the table move is a capture, quiet moves reduce more.
    ReduceTableCapture = "ReduceTableCapture",
    /// Nodes that were once on the principal variation reduce less.
    ReduceTablePv = "ReduceTablePv",
    /// Moves that give check reduce less.
    ReduceCheckLess = "ReduceCheckLess",
    /// After enough quiet moves the rest is skipped near the horizon.
    LateMovePruning = "LateMovePruning",
    /// Quiet moves that cannot lift the evaluation to alpha are skipped near the horizon.
    Futility = "Futility",
    /// Quiet moves of bad history are skipped near the horizon.
    HistoryPruning = "HistoryPruning",
    /// Moves that lose material by static exchange are skipped near the horizon.
    SeePruning = "SeePruning",
    /// A table move without alternative is searched deeper.
    SingularExtension = "SingularExtension",
    /// … and deeper still when it stands out far.
    DoubleExtension = "DoubleExtension",
    /// If the alternatives to the table move fail high as well, the node does.
    MultiCut = "MultiCut",
    /// A table move that has alternatives is searched less deep.
    NegativeExtension = "NegativeExtension",
    /// A move that gives check is searched a ply deeper.
    CheckExtension = "CheckExtension",
    /// A capture that takes back on the same square is searched a ply deeper on the principal variation.
    RecaptureExtension = "RecaptureExtension",
    /// A pawn's move to the seventh rank is searched a ply deeper.
    PawnPushExtension = "PawnPushExtension",
    /// The only legal reply to a check is searched a ply deeper.
    OneReplyExtension = "OneReplyExtension",
    /// Two quiet moves that failed high at the same ply come first among the quiets.
    Killers = "Killers",
    /// The quiet move that last refuted the opponent's move follows them.
    CounterMove = "CounterMove",
    /// Quiets are ordered by how often they failed high in all of the tree.
    ButterflyHistory = "ButterflyHistory",
    /// … after the opponent's last move.
    ContinuationHistory1 = "ContinuationHistory1",
    /// … after our own last move.
    ContinuationHistory2 = "ContinuationHistory2",
    /// … after our move before that.
    ContinuationHistory4 = "ContinuationHistory4",
    /// … with this pawn structure.
    PawnHistory = "PawnHistory",
    /// The history of all of the tree tells attacked squares from others, where they are left and reached.
    ThreatHistory = "ThreatHistory",
    /// Quiets that leave an attack by something of less value come early, those that enter one late.
    ThreatOrder = "ThreatOrder",
    /// Quiets that give check come early.
    CheckOrder = "CheckOrder",
    /// Where all moves failed low, the opponent's last move is credited with it.
    FailLowBonus = "FailLowBonus",
    /// The opponent's last move is credited with what it did to the evaluation.
    EvaluationBonus = "EvaluationBonus",
    /// Captures are ordered by how often they failed high, beside what they win.
    CaptureHistory = "CaptureHistory",
    /// The evaluation is corrected by how wrong it was with this pawn structure.
    PawnCorrection = "PawnCorrection",
    /// … with these pieces of each side.
    NonPawnCorrection = "NonPawnCorrection",
    /// … with these knights and bishops.
    MinorCorrection = "MinorCorrection",
    /// … with these rooks, queens and kings.
    MajorCorrection = "MajorCorrection",
    /// … after the last two moves.
    ContinuationCorrection = "ContinuationCorrection",
    /// Quiescence skips captures that lose material.
    QuiescenceSee = "QuiescenceSee",
    /// Quiescence skips captures that cannot lift the evaluation to alpha.
    QuiescenceFutility = "QuiescenceFutility",
    /// Quiescence tries quiet checks at its first ply.
    QuiescenceChecks = "QuiescenceChecks",
    /// In check, quiescence tries no more quiet evasions after the first that does not lose.
    QuiescenceEvasions = "QuiescenceEvasions",
}

/// A set of steps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Steps(u64);

impl Steps {
    /// Plain alpha-beta.
    pub const NONE: Self = Self(0);

    /// Every step, those included that no match has shown to help.
    pub const ALL: Self = Self(u64::MAX >> (64 - Step::ALL.len()));

    /// Nothing that could overlook a forced line: what a search for a mate in so many moves needs.
    pub const FULL_WIDTH: Self = Self::NONE
        .with(Step::SoftLimit)
        .with(Step::TimeByStability)
        .with(Step::TimeByNodes)
        .with(Step::TimeByFall)
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

    /// Whether a step is in the set.
    #[inline]
    pub const fn has(self, step: Step) -> bool {
        self.0 >> step as u32 & 1 != 0
    }

    /// The set with a step.
    #[must_use]
    pub const fn with(self, step: Step) -> Self {
        Self(self.0 | 1 << step as u32)
    }

    /// The set without a step.
    #[must_use]
    pub const fn without(self, step: Step) -> Self {
        Self(self.0 & !(1 << step as u32))
    }
}

/// What the search does unless told otherwise: every step but those that were tried and won nothing (what has been measured
/// of each is in `testdata/ledger.md`).
impl Default for Steps {
    fn default() -> Self {
        const TRIED_WITHOUT_GAIN: [Step; 6] = [
            Step::NegativeExtension,
            Step::CheckExtension,
            Step::RecaptureExtension,
            Step::OneReplyExtension,
            Step::MinorCorrection,
            Step::MajorCorrection,
        ];
        TRIED_WITHOUT_GAIN.into_iter().fold(Self::ALL, Self::without)
    }
}

impl std::fmt::Debug for Steps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(Step::ALL.iter().filter(|&&step| self.has(step))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets() {
        assert!(Step::ALL.iter().all(|&step| Steps::ALL.has(step) && !Steps::NONE.has(step)));
        for &step in Step::ALL {
            assert!(!Steps::ALL.without(step).has(step));
            assert_eq!(Steps::ALL.without(step).with(step), Steps::ALL);
        }
        assert_eq!(format!("{:?}", Steps::NONE.with(Step::NullMove)), "{NullMove}");
    }
}
