//! Which move to try next.

use crate::history::ButterflyHistory;
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
enum Step {
    TableMove,
    GenerateCaptures,
    GoodCaptures,
    FirstKiller,
    SecondKiller,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    GenerateEvasions,
    Evasions,
    Done,
}

/// Hands out the legal moves of a node, each exactly once, the likely best first; what is not asked for is not generated.
///
/// The order: table move, captures that lose nothing (most valuable victim, least valuable attacker), killers, quiets by
/// history, captures that lose. In check: table move, then all evasions. For quiescence: captures that lose nothing only.
pub(crate) struct MovePicker {
    step: Step,
    table_move: Option<Move>,
    killers: Killers,
    quiescence: bool,
    /// The moves of the present step, from `next` on.
    moves: ArrayVec<Scored, MAX_MOVES>,
    next: usize,
    bad_captures: MoveList,
}

impl MovePicker {
    /// For the main search. A table move that is not legal here is ignored.
    pub(crate) fn new(position: &Position, table_move: Option<Move>, killers: Killers) -> Self {
        let table_move = table_move.filter(|&mv| position.is_legal(mv));
        Self {
            step: if table_move.is_some() { Step::TableMove } else { Self::first_generation(position) },
            table_move,
            killers,
            quiescence: false,
            moves: ArrayVec::new(),
            next: 0,
            bad_captures: MoveList::new(),
        }
    }

    /// For quiescence: evasions in check, else captures and promotions.
    pub(crate) fn quiescence(position: &Position, table_move: Option<Move>) -> Self {
        let wanted = |&mv: &Move| position.in_check() || position.is_tactical(mv) && position.see_ge(mv, 0);
        Self { quiescence: true, ..Self::new(position, table_move.filter(wanted), [None; 2]) }
    }

    fn first_generation(position: &Position) -> Step {
        if position.in_check() { Step::GenerateEvasions } else { Step::GenerateCaptures }
    }

    pub(crate) fn next(&mut self, position: &Position, history: &ButterflyHistory) -> Option<Move> {
        loop {
            match self.step {
                Step::TableMove => {
                    self.step = Self::first_generation(position);
                    return self.table_move;
                }
                Step::GenerateCaptures => {
                    self.generate(position, Stage::Captures, |mv| capture_score(position, mv));
                    self.step = Step::GoodCaptures;
                }
                Step::GoodCaptures => match self.select() {
                    Some(mv) if position.see_ge(mv, 0) => return Some(mv),
                    Some(mv) => self.bad_captures.push(mv),
                    None => self.step = if self.quiescence { Step::Done } else { Step::FirstKiller },
                },
                Step::FirstKiller => {
                    self.step = Step::SecondKiller;
                    if let Some(mv) = self.killer(position, 0) {
                        return Some(mv);
                    }
                }
                Step::SecondKiller => {
                    self.step = Step::GenerateQuiets;
                    if let Some(mv) = self.killer(position, 1) {
                        return Some(mv);
                    }
                }
                Step::GenerateQuiets => {
                    self.generate(position, Stage::Quiets, |mv| history.get(position.turn(), mv));
                    let killers = self.killers;
                    self.moves.retain(|scored| !killers.contains(&Some(scored.mv)));
                    self.step = Step::Quiets;
                }
                Step::Quiets => match self.select() {
                    Some(mv) => return Some(mv),
                    None => {
                        self.next = 0;
                        self.step = Step::BadCaptures;
                    }
                },
                Step::BadCaptures => {
                    let mv = self.bad_captures.get(self.next).copied();
                    self.next += 1;
                    return mv;
                }
                Step::GenerateEvasions => {
                    // Captures first, whatever they capture; then quiets by history.
                    self.generate(position, Stage::All, |mv| {
                        if position.is_tactical(mv) {
                            CAPTURES_FIRST + capture_score(position, mv)
                        } else {
                            history.get(position.turn(), mv)
                        }
                    });
                    self.step = Step::Evasions;
                }
                Step::Evasions => return self.select(),
                Step::Done => return None,
            }
        }
    }

    fn generate(&mut self, position: &Position, stage: Stage, score: impl Fn(Move) -> i32) {
        self.moves.clear();
        self.next = 0;
        let table_move = self.table_move;
        let moves = &mut self.moves;
        position.for_each_move(stage, |mv| {
            if Some(mv) != table_move {
                moves.push(Scored { mv, score: score(mv) });
            }
        });
    }

    /// The best of the moves that are left: a step of selection sort, because most nodes need few of them.
    fn select(&mut self) -> Option<Move> {
        let rest = self.moves.get_mut(self.next..)?;
        let best = rest.iter().enumerate().max_by_key(|(index, scored)| (scored.score, usize::MAX - index))?.0;
        rest.swap(0, best);
        self.next += 1;
        rest.first().map(|scored| scored.mv)
    }

    /// A killer that can be played here and is quiet. One that cannot is forgotten, so that the quiets keep theirs.
    fn killer(&mut self, position: &Position, index: usize) -> Option<Move> {
        let playable = |&mv: &Move| Some(mv) != self.table_move && !position.is_tactical(mv) && position.is_legal(mv);
        self.killers[index] = self.killers[index].filter(playable);
        self.killers[index]
    }
}

/// Above any history.
const CAPTURES_FIRST: i32 = 1 << 20;

/// Most valuable victim, least valuable attacker; a promotion counts as taking what it gains.
fn capture_score(position: &Position, mv: Move) -> i32 {
    let piece_type_at = |square| position.piece_at(square).map(|piece| piece.piece_type());
    let victim = if mv.is_en_passant() { Some(PieceType::Pawn) } else { piece_type_at(mv.to()) };
    let attacker = piece_type_at(mv.from()).map_or(0, |piece_type| piece_type.index() as i32);
    let gain = victim.map_or(0, |piece_type| SEE_VALUES[piece_type]);
    let promotion = mv.promotes_to().map_or(0, |piece_type| SEE_VALUES[piece_type] - SEE_VALUES[PieceType::Pawn]);
    // The victim counts before the attacker.
    (gain + promotion) * 8 - attacker
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_testkit::perft_suite;

    fn drain(position: &Position, mut picker: MovePicker) -> Vec<Move> {
        let history = ButterflyHistory::new();
        std::iter::from_fn(|| picker.next(position, &history)).collect()
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
                let mut all = drain(&position, MovePicker::new(&position, table_move, killers));
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
            let mut picked = drain(&position, MovePicker::quiescence(&position, None));
            let mut expected = position.legal_moves().to_vec();
            if !position.in_check() {
                expected.retain(|&mv| position.is_tactical(mv) && position.see_ge(mv, 0));
            }
            picked.sort_unstable();
            expected.sort_unstable();
            assert_eq!(picked, expected);
        }
    }
}
