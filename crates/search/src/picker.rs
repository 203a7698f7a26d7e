//! The move picker: orders the moves of a node.

use crate::history::{Histories, QuietContext};
use crate::params;
use crate::quiets::QuietSink;
use crate::scored::ScoredMoves;
use crate::steps::{ActiveSteps, Step};
use crate::threats::Hints;
use bartizan_position::{MoveGenStage as Generated, MoveList, Position, SEE_VALUES};
use bartizan_types::{Move, PieceType};

/// The last two quiet moves that failed high at a ply.
pub(crate) type Killers = [Option<Move>; 2];

/// Whether quiescence tries quiet moves that give check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuietChecks {
    /// It does, at its first ply.
    Try,
    /// It does not, at later plies.
    Skip,
}

/// The weight of the victim's value in the ordering of captures. It leaves room for the attacker's type as a tie-break.
const VICTIM_WEIGHT: i32 = 8;

/// The unit of the capture history's weight in the ordering of captures: 1/16.
const HISTORY_WEIGHT_UNIT: i32 = 16;

/// Added to the score of captures among evasions, so that they come before quiets with any history.
const CAPTURES_FIRST: i32 = 1 << 24;

/// The stage of a picker: what it generates or returns next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    TableMove,
    GenerateCaptures,
    GoodCaptures,
    /// The refutation with this index.
    Refutation(usize),
    GenerateQuiets,
    Quiets,
    BadCaptures,
    GenerateEvasions,
    Evasions,
    GenerateChecks,
    Checks,
    Done,
}

/// Which moves a picker returns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// All moves.
    Search,
    /// In check, all evasions. Otherwise captures and promotions, and quiet checks if asked for.
    Quiescence {
        checks: QuietChecks,
        /// Whether captures that lose material are included.
        losing: bool,
    },
    /// Captures and promotions that win at least this many centipawns by static exchange.
    Captures { threshold: i32 },
}

/// Returns the legal moves of a node one by one, each exactly once, the most promising first. Moves are generated only
/// when their stage is reached.
///
/// The order is: table move; captures and promotions that do not lose material, by victim and capture history; killers
/// and counter move; quiets by history; captures that lose material. How much a good capture may lose or must win
/// depends on its history. In check, all evasions follow the table move. Quiescence gets captures and, if
/// asked for, quiet checks.
pub(crate) struct MovePicker {
    stage: Stage,
    table_move: Option<Move>,
    /// The killers and the counter move.
    refutations: [Option<Move>; 3],
    goal: Goal,
    skip_quiets: bool,
    context: QuietContext,
    /// The moves of the current stage.
    moves: ScoredMoves,
    bad_captures: MoveList,
    /// The number of bad captures returned.
    returned: usize,
}

impl MovePicker {
    fn with_goal(position: &Position, table_move: Option<Move>, context: QuietContext, goal: Goal) -> Self {
        let table_move = table_move.filter(|&mv| position.is_legal(mv));
        Self {
            stage: if table_move.is_some() { Stage::TableMove } else { Self::first_generation(position) },
            table_move,
            refutations: [None; 3],
            goal,
            skip_quiets: false,
            context,
            moves: ScoredMoves::new(),
            bad_captures: MoveList::new(),
            returned: 0,
        }
    }

    /// A picker for the main search. A table move or refutation that is not legal here is ignored.
    pub(crate) fn new(
        position: &Position,
        table_move: Option<Move>,
        killers: Killers,
        counter_move: Option<Move>,
        context: QuietContext,
    ) -> Self {
        let [first, second] = killers;
        let refutations = [first, second, counter_move.filter(|_| !killers.contains(&counter_move))];
        Self { refutations, ..Self::with_goal(position, table_move, context, Goal::Search) }
    }

    /// A picker for quiescence: evasions in check, otherwise captures and promotions, and quiet checks if asked for.
    pub(crate) fn quiescence(
        position: &Position,
        table_move: Option<Move>,
        context: QuietContext,
        checks: QuietChecks,
        steps: ActiveSteps,
    ) -> Self {
        let losing = !steps.has(Step::QuiescenceSee);
        let wanted = |&mv: &Move| position.in_check() || position.is_tactical(mv) && (losing || position.see_ge(mv, 0));
        Self::with_goal(position, table_move.filter(wanted), context, Goal::Quiescence { checks, losing })
    }

    /// A picker for ProbCut: captures and promotions that win at least `threshold` centipawns by static exchange. The
    /// side to move must not be in check.
    pub(crate) fn captures(
        position: &Position,
        table_move: Option<Move>,
        context: QuietContext,
        threshold: i32,
    ) -> Self {
        let wanted = |&mv: &Move| position.is_tactical(mv) && position.see_ge(mv, threshold);
        Self::with_goal(position, table_move.filter(wanted), context, Goal::Captures { threshold })
    }

    /// Skips all remaining quiet moves.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// A move that may be the next: the best of the moves generated so far.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<Move> {
        match self.stage {
            Stage::GoodCaptures | Stage::Quiets | Stage::Evasions | Stage::Checks => self.moves.peek(),
            _ => None,
        }
    }

    fn first_generation(position: &Position) -> Stage {
        if position.in_check() { Stage::GenerateEvasions } else { Stage::GenerateCaptures }
    }

    /// The next move; `None` if there are no more.
    pub(crate) fn next(&mut self, position: &Position, histories: &Histories) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Self::first_generation(position);
                    return self.table_move;
                }
                Stage::GenerateCaptures => {
                    self.generate_captures(position, histories);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.moves.take_best() {
                    Some(mv) if self.is_good(position, histories, mv) => return Some(mv),
                    Some(mv) => self.bad_captures.push(mv),
                    None => self.stage = self.after_captures(),
                },
                Stage::Refutation(index) => {
                    self.stage = if index < 2 { Stage::Refutation(index + 1) } else { Stage::GenerateQuiets };
                    if let Some(mv) = self.take_refutation(position, index) {
                        return Some(mv);
                    }
                }
                Stage::GenerateQuiets => {
                    self.stage = Stage::BadCaptures;
                    if !self.skip_quiets {
                        self.generate_quiets(position, histories);
                        self.stage = Stage::Quiets;
                    }
                }
                Stage::Quiets => match self.moves.take_best() {
                    Some(mv) if !self.skip_quiets => return Some(mv),
                    _ => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures => {
                    let mv = self.bad_captures.get(self.returned).copied();
                    self.returned += 1;
                    return mv;
                }
                Stage::GenerateEvasions => {
                    self.generate_evasions(position, histories);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => {
                    let mv = self.moves.take_best()?;
                    if !self.skip_quiets || position.is_tactical(mv) {
                        return Some(mv);
                    }
                }
                Stage::GenerateChecks => {
                    self.generate_checks(position, histories);
                    self.stage = Stage::Checks;
                }
                Stage::Checks => {
                    let mv = self.moves.take_best()?;
                    if position.see_ge(mv, 0) {
                        return Some(mv);
                    }
                }
                Stage::Done => return None,
            }
        }
    }

    /// The stage after the good captures.
    fn after_captures(&self) -> Stage {
        match self.goal {
            Goal::Search => Stage::Refutation(0),
            Goal::Quiescence { checks: QuietChecks::Try, .. } => Stage::GenerateChecks,
            Goal::Quiescence { .. } | Goal::Captures { .. } => Stage::Done,
        }
    }

    /// Whether a capture comes before the quiets or, in quiescence and ProbCut, is returned at all.
    fn is_good(&self, position: &Position, histories: &Histories, mv: Move) -> bool {
        let threshold = match self.goal {
            // A capture that has often failed high may lose a little.
            Goal::Search => -histories.capture(position, mv) / params::capture_history_see_divisor(),
            Goal::Quiescence { losing: true, .. } => return true,
            Goal::Quiescence { .. } => 0,
            Goal::Captures { threshold } => threshold,
        };
        position.see_ge(mv, threshold)
    }

    // The generators are not inlined: the compiler would hoist their computations to the start of every call of `next`.

    /// Captures and promotions by victim and history.
    #[inline(never)]
    fn generate_captures(&mut self, position: &Position, histories: &Histories) {
        self.generate(position, Generated::Captures, |mv| capture_score(position, histories, mv));
    }

    /// Quiets by history and [`Hints`], without the refutations, which have been returned.
    #[inline(never)]
    fn generate_quiets(&mut self, position: &Position, histories: &Histories) {
        self.moves.clear();
        let [first, second, counter_move] = self.refutations;
        let mut sink = QuietSink {
            position,
            quiets: histories.quiets(&self.context),
            hints: Hints::new(position, self.context.threats, histories.steps()),
            excluded: [self.table_move, first, second, counter_move],
            moves: &mut self.moves,
        };
        position.generate(Generated::Quiets, &mut sink);
        self.moves.finish();
    }

    /// Evasions: all captures first, then quiets by history.
    #[inline(never)]
    fn generate_evasions(&mut self, position: &Position, histories: &Histories) {
        let quiets = histories.quiets(&self.context);
        self.generate(position, Generated::All, |mv| {
            if position.is_tactical(mv) {
                CAPTURES_FIRST + capture_score(position, histories, mv)
            } else {
                quiets.score(position, mv)
            }
        });
    }

    /// Quiet moves that give check, by history.
    #[inline(never)]
    fn generate_checks(&mut self, position: &Position, histories: &Histories) {
        let quiets = histories.quiets(&self.context);
        self.moves.clear();
        let (table_move, moves) = (self.table_move, &mut self.moves);
        position.for_each_quiet_check(|mv| {
            if Some(mv) != table_move {
                moves.push(mv, quiets.score(position, mv));
            }
        });
        self.moves.finish();
    }

    fn generate(&mut self, position: &Position, kind: Generated, score: impl Fn(Move) -> i32) {
        self.moves.clear();
        let (table_move, moves) = (self.table_move, &mut self.moves);
        position.for_each_move(kind, |mv| {
            if Some(mv) != table_move {
                moves.push(mv, score(mv));
            }
        });
        self.moves.finish();
    }

    /// A refutation, if it is a legal quiet move here. Otherwise it is dropped, so that the quiets include it.
    fn take_refutation(&mut self, position: &Position, index: usize) -> Option<Move> {
        let playable = |&mv: &Move| {
            !self.skip_quiets && Some(mv) != self.table_move && !position.is_tactical(mv) && position.is_legal(mv)
        };
        let mv = self.refutations[index].filter(playable);
        self.refutations[index] = mv;
        mv
    }
}

/// The score of a capture or promotion: most valuable victim and capture history, then least valuable attacker. A
/// promotion counts as a capture of the material it gains.
fn capture_score(position: &Position, histories: &Histories, mv: Move) -> i32 {
    let attacker = position.piece_type_at(mv.from()).map_or(0, |piece_type| piece_type.index() as i32);
    let gain = position.captured(mv).map_or(0, |piece_type| SEE_VALUES[piece_type]);
    let promotion = mv.promotes_to().map_or(0, |piece_type| SEE_VALUES[piece_type] - SEE_VALUES[PieceType::Pawn]);
    let history = histories.capture(position, mv) * params::capture_history_weight() / HISTORY_WEIGHT_UNIT;
    (gain + promotion) * VICTIM_WEIGHT - attacker + history
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::PieceTo;
    use crate::steps::Steps;
    use bartizan_testkit::perft_suite;

    fn drain(position: &Position, mut picker: MovePicker) -> Vec<Move> {
        let histories = Histories::new();
        std::iter::from_fn(|| picker.next(position, &histories)).collect()
    }

    fn context(position: &Position) -> QuietContext {
        QuietContext::new(position.turn(), position.pawn_key(), [PieceTo::NONE; 3])
    }

    /// For any table move and killers, each legal move is returned exactly once.
    #[test]
    fn each_legal_move_is_returned_exactly_once() {
        for (n, case) in perft_suite("random").iter().step_by(40).enumerate() {
            let position = Position::from_fen(&case.fen).unwrap();
            let legal = position.legal_moves();
            let mut expected = legal.to_vec();
            expected.sort_unstable();
            let any = |n: usize| Move::from_bits((n * 40_503 % 65_536) as u16);
            let some = |n: usize| legal.get(n % legal.len().max(1)).copied();
            for (table_move, killers) in [
                (None, [None; 2]),
                (any(n), [any(n + 1), any(n + 2)]),
                (some(n), [some(n + 1), some(n + 2)]),
                (some(n), [some(n), some(n + 7)]),
            ] {
                // The killers of a ply are never the same move.
                let killers = if killers[0] == killers[1] { [killers[0], None] } else { killers };
                let picker = MovePicker::new(&position, table_move, killers, any(n + 3), context(&position));
                let mut all = drain(&position, picker);
                if let Some(mv) = table_move.filter(|&mv| position.is_legal(mv)) {
                    assert_eq!(all.first(), Some(&mv));
                }
                all.sort_unstable();
                assert_eq!(all, expected, "{} {table_move:?} {killers:?}", case.fen);
            }
        }
    }

    #[test]
    fn quiescence_gets_only_captures_that_lose_nothing() {
        for case in perft_suite("random").iter().step_by(40) {
            let position = Position::from_fen(&case.fen).unwrap();
            let steps = Steps::default();
            let picker = MovePicker::quiescence(&position, None, context(&position), QuietChecks::Skip, steps);
            let mut picked = drain(&position, picker);
            let mut expected = position.legal_moves().to_vec();
            if !position.in_check() {
                expected.retain(|&mv| position.is_tactical(mv) && position.see_ge(mv, 0));
            }
            picked.sort_unstable();
            expected.sort_unstable();
            assert_eq!(picked, expected);
        }
    }

    #[test]
    fn quiescence_with_checks_gets_safe_checks_and_no_move_twice() {
        for case in perft_suite("random").iter().step_by(40) {
            let position = Position::from_fen(&case.fen).unwrap();
            if position.in_check() {
                continue;
            }
            let steps = Steps::default();
            let table_move = position.legal_moves().first().copied();
            let mut picked = drain(
                &position,
                MovePicker::quiescence(&position, table_move, context(&position), QuietChecks::Try, steps),
            );
            let mut expected = position.legal_moves().to_vec();
            let wanted = |&mv: &Move| (position.is_tactical(mv) || position.gives_check(mv)) && position.see_ge(mv, 0);
            expected.retain(wanted);
            picked.sort_unstable();
            expected.sort_unstable();
            assert_eq!(picked, expected, "{}", case.fen);
        }
    }

    /// After `skip_quiets`, no quiet is returned, but all captures are.
    #[test]
    fn quiets_can_be_skipped() {
        let histories = Histories::new();
        for case in perft_suite("random").iter().step_by(40) {
            let position = Position::from_fen(&case.fen).unwrap();
            let mut picker = MovePicker::new(&position, None, [None; 2], None, context(&position));
            picker.skip_quiets();
            let mut picked: Vec<Move> = std::iter::from_fn(|| picker.next(&position, &histories)).collect();
            let mut expected = position.legal_moves().to_vec();
            expected.retain(|&mv| position.is_tactical(mv));
            picked.sort_unstable();
            expected.sort_unstable();
            assert_eq!(picked, expected, "{}", case.fen);
        }
    }
}
