//! Which move to try next.

use crate::history::{Histories, PieceTo, QuietContext};
use crate::params;
use crate::steps::{ActiveSteps, Step};
use crate::threats::Hints;
use arrayvec::ArrayVec;
use bartizan_position::{MAX_MOVES, MoveList, Position, SEE_VALUES, Stage};
use bartizan_types::{Move, PieceType};

/// Two quiet moves that failed high at the same ply.
pub(crate) type Killers = [Option<Move>; 2];

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    TableMove,
    GenerateCaptures,
    GoodCaptures,
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

/// What the moves are for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// All moves.
    Search,
    /// Captures that lose nothing (all of them with `losing`) and, if asked for, quiet checks; evasions in check.
    Quiescence { checks: bool, losing: bool },
    /// Captures that win at least so much by static exchange.
    Captures { threshold: i32 },
}

/// Hands out the legal moves of a node, each exactly once, the likely best first; what is not asked for is not generated.
///
/// The order: table move, captures that lose nothing (most valuable victim and capture history), killers and counter move,
/// quiets by history, captures that lose. In check: table move, then all evasions. For quiescence: captures only, and
/// checks if asked for.
pub(crate) struct MovePicker {
    stop: Stop,
    table_move: Option<Move>,
    /// Killers and counter move.
    refutations: [Option<Move>; 3],
    goal: Goal,
    skip_quiets: bool,
    context: QuietContext,
    /// The moves of the present stop, from `next` on.
    moves: ArrayVec<Scored, MAX_MOVES>,
    next: usize,
    bad_captures: MoveList,
}

impl MovePicker {
    fn of(position: &Position, table_move: Option<Move>, context: QuietContext, goal: Goal) -> Self {
        let table_move = table_move.filter(|&mv| position.is_legal(mv));
        Self {
            stop: if table_move.is_some() { Stop::TableMove } else { Self::first_generation(position) },
            table_move,
            refutations: [None; 3],
            goal,
            skip_quiets: false,
            context,
            moves: ArrayVec::new(),
            next: 0,
            bad_captures: MoveList::new(),
        }
    }

    /// For the main search. A table move that is not legal here is ignored, and so are refutations.
    pub(crate) fn new(
        position: &Position,
        table_move: Option<Move>,
        killers: Killers,
        counter_move: Option<Move>,
        context: QuietContext,
    ) -> Self {
        let [first, second] = killers;
        let refutations = [first, second, counter_move.filter(|_| !killers.contains(&counter_move))];
        Self { refutations, ..Self::of(position, table_move, context, Goal::Search) }
    }

    /// For quiescence: evasions in check, else captures and promotions, and quiet checks if asked for.
    pub(crate) fn quiescence(
        position: &Position,
        table_move: Option<Move>,
        context: QuietContext,
        checks: bool,
        steps: ActiveSteps,
    ) -> Self {
        let losing = !steps.has(Step::QuiescenceSee);
        let wanted = |&mv: &Move| position.in_check() || position.is_tactical(mv) && (losing || position.see_ge(mv, 0));
        Self::of(position, table_move.filter(wanted), context, Goal::Quiescence { checks, losing })
    }

    /// For ProbCut: captures and promotions that win at least so many centipawns by static exchange. Not in check.
    pub(crate) fn captures(
        position: &Position,
        table_move: Option<Move>,
        context: QuietContext,
        threshold: i32,
    ) -> Self {
        let wanted = |&mv: &Move| position.is_tactical(mv) && position.see_ge(mv, threshold);
        Self::of(position, table_move.filter(wanted), context, Goal::Captures { threshold })
    }

    /// From here on no more quiet moves, please.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    fn first_generation(position: &Position) -> Stop {
        if position.in_check() { Stop::GenerateEvasions } else { Stop::GenerateCaptures }
    }

    pub(crate) fn next(&mut self, position: &Position, histories: &Histories) -> Option<Move> {
        loop {
            match self.stop {
                Stop::TableMove => {
                    self.stop = Self::first_generation(position);
                    return self.table_move;
                }
                Stop::GenerateCaptures => {
                    self.generate(position, Stage::Captures, |mv| capture_score(position, histories, mv));
                    self.stop = Stop::GoodCaptures;
                }
                Stop::GoodCaptures => match self.select() {
                    Some(mv) if self.is_good(position, histories, mv) => return Some(mv),
                    Some(mv) => self.bad_captures.push(mv),
                    None => {
                        self.stop = match self.goal {
                            Goal::Search => Stop::Refutation(0),
                            Goal::Quiescence { checks: true, .. } => Stop::GenerateChecks,
                            _ => Stop::Done,
                        }
                    }
                },
                Stop::Refutation(index) => {
                    self.stop = if index < 2 { Stop::Refutation(index + 1) } else { Stop::GenerateQuiets };
                    if let Some(mv) = self.refutation(position, index) {
                        return Some(mv);
                    }
                }
                Stop::GenerateQuiets => {
                    self.next = 0;
                    self.stop = Stop::BadCaptures;
                    if !self.skip_quiets {
                        let context = self.context;
                        let refutations = self.refutations;
                        let hints = Hints::new(position, context.threats, histories.steps());
                        let wanted = |mv| !refutations.contains(&Some(mv));
                        self.generate_if(position, Stage::Quiets, wanted, |mv| {
                            quiet_score(position, histories, &context, mv) + hints.score(position, mv)
                        });
                        self.stop = Stop::Quiets;
                    }
                }
                Stop::Quiets => match self.select() {
                    Some(mv) if !self.skip_quiets => return Some(mv),
                    _ => {
                        self.next = 0;
                        self.stop = Stop::BadCaptures;
                    }
                },
                Stop::BadCaptures => {
                    let mv = self.bad_captures.get(self.next).copied();
                    self.next += 1;
                    return mv;
                }
                Stop::GenerateEvasions => {
                    // Captures first, whatever they capture; then quiets by history.
                    let context = self.context;
                    self.generate(position, Stage::All, |mv| {
                        if position.is_tactical(mv) {
                            CAPTURES_FIRST + capture_score(position, histories, mv)
                        } else {
                            quiet_score(position, histories, &context, mv)
                        }
                    });
                    self.stop = Stop::Evasions;
                }
                Stop::Evasions => {
                    let mv = self.select()?;
                    if !self.skip_quiets || position.is_tactical(mv) {
                        return Some(mv);
                    }
                }
                Stop::GenerateChecks => {
                    let context = self.context;
                    self.moves.clear();
                    self.next = 0;
                    let (table_move, moves) = (self.table_move, &mut self.moves);
                    position.for_each_quiet_check(|mv| {
                        if Some(mv) != table_move {
                            moves.push(Scored { mv, score: quiet_score(position, histories, &context, mv) });
                        }
                    });
                    self.stop = Stop::Checks;
                }
                Stop::Checks => {
                    let mv = self.select()?;
                    if position.see_ge(mv, 0) {
                        return Some(mv);
                    }
                }
                Stop::Done => return None,
            }
        }
    }

    /// Whether a capture comes before the quiets (or comes at all, where only good ones are wanted).
    fn is_good(&self, position: &Position, histories: &Histories, mv: Move) -> bool {
        let threshold = match self.goal {
            // What has often failed high may lose a little.
            Goal::Search => -histories.capture(position, mv) / params::capture_history_see_divisor(),
            Goal::Quiescence { losing: true, .. } => return true,
            Goal::Quiescence { .. } => 0,
            Goal::Captures { threshold } => threshold,
        };
        position.see_ge(mv, threshold)
    }

    fn generate(&mut self, position: &Position, stage: Stage, score: impl Fn(Move) -> i32) {
        self.generate_if(position, stage, |_| true, score);
    }

    fn generate_if(
        &mut self,
        position: &Position,
        stage: Stage,
        wanted: impl Fn(Move) -> bool,
        score: impl Fn(Move) -> i32,
    ) {
        self.moves.clear();
        self.next = 0;
        let table_move = self.table_move;
        let moves = &mut self.moves;
        position.for_each_move(stage, |mv| {
            if Some(mv) != table_move && wanted(mv) {
                moves.push(Scored { mv, score: score(mv) });
            }
        });
    }

    /// The best of the moves that are left, the first of equals: a step of selection sort, because most nodes need few of
    /// them.
    fn select(&mut self) -> Option<Move> {
        let rest = self.moves.get_mut(self.next..)?;
        let (mut best, mut best_score) = (0, rest.first()?.score);
        // Not `max_by_key` with a key of score and index: this loop, and refutations that are not scored first, take 2.2 % of
        // the instructions of a whole search less.
        for (index, scored) in rest.iter().enumerate().skip(1) {
            if scored.score > best_score {
                (best, best_score) = (index, scored.score);
            }
        }
        rest.swap(0, best);
        self.next += 1;
        rest.first().map(|scored| scored.mv)
    }

    /// A refutation that can be played here and is quiet. One that cannot is forgotten, so that the quiets keep theirs.
    fn refutation(&mut self, position: &Position, index: usize) -> Option<Move> {
        let playable = |&mv: &Move| {
            !self.skip_quiets && Some(mv) != self.table_move && !position.is_tactical(mv) && position.is_legal(mv)
        };
        let mv = self.refutations[index].filter(playable);
        self.refutations[index] = mv;
        mv
    }
}

/// Above any history.
const CAPTURES_FIRST: i32 = 1 << 24;

/// A quiet move by its histories.
#[inline]
fn quiet_score(position: &Position, histories: &Histories, context: &QuietContext, mv: Move) -> i32 {
    histories.quiet(context, PieceTo::of(position, mv), mv)
}

/// Most valuable victim first, then what captures have done so far; a promotion counts as taking what it gains.
fn capture_score(position: &Position, histories: &Histories, mv: Move) -> i32 {
    let piece_type_at = |square| position.piece_at(square).map(|piece| piece.piece_type());
    let victim = if mv.is_en_passant() { Some(PieceType::Pawn) } else { piece_type_at(mv.to()) };
    let attacker = piece_type_at(mv.from()).map_or(0, |piece_type| piece_type.index() as i32);
    let gain = victim.map_or(0, |piece_type| SEE_VALUES[piece_type]);
    let promotion = mv.promotes_to().map_or(0, |piece_type| SEE_VALUES[piece_type] - SEE_VALUES[PieceType::Pawn]);
    // The victim counts before the attacker.
    let history = histories.capture(position, mv) * params::capture_history_weight() / 16;
    (gain + promotion) * 8 - attacker + history
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::Steps;
    use bartizan_testkit::perft_suite;

    fn drain(position: &Position, mut picker: MovePicker) -> Vec<Move> {
        let histories = Histories::new();
        std::iter::from_fn(|| picker.next(position, &histories)).collect()
    }

    fn context(position: &Position) -> QuietContext {
        QuietContext::new(position.turn(), position.pawn_key(), [PieceTo::NONE; 3])
    }

    /// Whatever the table move and the killers are, each legal move comes exactly once.
    #[test]
    fn each_legal_move_exactly_once() {
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
                // Two killers at one ply are never the same move.
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
    fn quiescence_takes_only_what_loses_nothing() {
        for case in perft_suite("random").iter().step_by(40) {
            let position = Position::from_fen(&case.fen).unwrap();
            let steps = Steps::default();
            let picker = MovePicker::quiescence(&position, None, context(&position), false, steps);
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
    fn quiescence_with_checks_adds_the_safe_ones_and_no_move_twice() {
        for case in perft_suite("random").iter().step_by(40) {
            let position = Position::from_fen(&case.fen).unwrap();
            if position.in_check() {
                continue;
            }
            let steps = Steps::default();
            let table_move = position.legal_moves().first().copied();
            let mut picked =
                drain(&position, MovePicker::quiescence(&position, table_move, context(&position), true, steps));
            let mut expected = position.legal_moves().to_vec();
            let wanted = |&mv: &Move| (position.is_tactical(mv) || position.gives_check(mv)) && position.see_ge(mv, 0);
            expected.retain(wanted);
            picked.sort_unstable();
            expected.sort_unstable();
            assert_eq!(picked, expected, "{}", case.fen);
        }
    }

    /// After a word to skip the quiets none comes, and all captures still do.
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
