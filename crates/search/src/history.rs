//! Histories: how often moves failed high, for move ordering, pruning and reductions.
//!
//! All counters are updated with [`gravity`].

use crate::gravity;
use crate::params;
use crate::steps::{ActiveSteps, Step};
use crate::threats::Threats;
use bartizan_position::Position;
use bartizan_types::{Bitboard, Color, Depth, Key, Move, Piece, PieceType, Square};

/// A piece and the square it moves to, as an index into continuation histories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    const COUNT: usize = Piece::COUNT * Square::COUNT;

    /// No move, or a null move. Its row stays empty.
    pub(crate) const NONE: Self = Self(Self::COUNT as u16);

    #[inline]
    pub(crate) fn new(piece: Piece, to: Square) -> Self {
        Self((piece.index() * Square::COUNT + to.index()) as u16)
    }

    /// The index of a move of the side to move.
    #[inline]
    pub(crate) fn of(position: &Position, mv: Move) -> Self {
        position.piece_at(mv.from()).map_or(Self::NONE, |piece| Self::new(piece, mv.to()))
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Default for PieceTo {
    fn default() -> Self {
        Self::NONE
    }
}

/// Adds a bonus or malus to a history counter.
#[inline]
fn add(counter: &mut i16, bonus: i32) {
    gravity::update(counter, bonus, params::history_max());
}

/// Adds a bonus or malus to the counter of a piece and its target.
#[inline]
fn add_to(row: &mut Row, this: PieceTo, bonus: i32) {
    if let Some(counter) = row.as_flattened_mut().get_mut(this.index()) {
        add(counter, bonus);
    }
}

/// Counters for each target.
type Targets = [i16; Square::COUNT];

/// Counters for each piece and target.
type Row = [Targets; Piece::COUNT];

/// The counter of a piece and its target; zero for no piece.
#[inline]
fn counter(row: &Row, this: PieceTo) -> i32 {
    row.as_flattened().get(this.index()).copied().map_or(0, i32::from)
}

/// Rows of counters.
fn rows(len: usize) -> Box<[Row]> {
    vec![[[0; Square::COUNT]; Piece::COUNT]; len].into_boxed_slice()
}

/// A table of counters.
fn counters(len: usize) -> Box<[i16]> {
    vec![0; len].into_boxed_slice()
}

/// Rows of the pawn history. Pawn structures share a row if their keys are equal modulo this number. A starting
/// value; screening 5 tried 8,192 (`docs/lab/screening.md`).
const PAWN_ROWS: usize = 1_024;

/// The continuation histories in the order of [`QuietContext::before`].
const CONTINUATION_STEPS: [Step; 3] =
    [Step::ContinuationHistory1, Step::ContinuationHistory2, Step::ContinuationHistory4];

/// The counters of the butterfly history of one side: by whether origin and target are attacked, origin and target.
type Butterfly = [[Targets; Square::COUNT]; 4];

/// The first index of a move in [`Butterfly`].
#[inline]
fn danger(attacked: Bitboard, mv: Move) -> usize {
    2 * usize::from(attacked.contains(mv.from())) + usize::from(attacked.contains(mv.to()))
}

/// What the histories of the quiet moves of a node depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuietContext {
    pub(crate) side: Color,
    pub(crate) pawn_row: usize,
    /// The moves one, two and four plies back.
    pub(crate) before: [PieceTo; 3],
    /// What the opponent attacks; [`Threats::NONE`] if not computed.
    pub(crate) threats: Threats,
}

impl QuietContext {
    pub(crate) fn new(side: Color, pawn_key: Key, before: [PieceTo; 3]) -> Self {
        Self { side, pawn_row: pawn_key.0 as usize % PAWN_ROWS, before, threats: Threats::NONE }
    }
}

/// The histories of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Histories {
    steps: ActiveSteps,
    /// Butterfly history (Jonathan Schaeffer 1983), by side, whether origin and target are attacked, origin and target.
    butterfly: Box<[Butterfly]>,
    /// Continuation history, by a move one, two or four plies earlier and the move that follows it (Stockfish, after
    /// the counter moves of Jos Uiterwijk 1992).
    continuation: Box<[Row]>,
    /// Pawn history, by pawn structure, piece and target (Seer, Stockfish).
    pawn: Box<[Row]>,
    /// Capture history, by piece, target and victim.
    capture: Box<[i16]>,
    /// Counter moves: the quiet move that last refuted a move (Jos Uiterwijk 1992).
    counter_moves: Box<[Option<Move>]>,
}

impl Histories {
    pub(crate) fn new() -> Self {
        Self {
            steps: ActiveSteps::DEFAULT,
            butterfly: vec![[[[0; Square::COUNT]; Square::COUNT]; 4]; Color::ALL.len()].into_boxed_slice(),
            continuation: rows(PieceTo::COUNT + 1),
            pawn: rows(PAWN_ROWS),
            capture: counters(PieceTo::COUNT * PieceType::COUNT),
            counter_moves: vec![None; PieceTo::COUNT + 1].into_boxed_slice(),
        }
    }

    pub(crate) fn set_steps(&mut self, steps: ActiveSteps) {
        self.steps = steps;
    }

    pub(crate) fn steps(&self) -> ActiveSteps {
        self.steps
    }

    pub(crate) fn clear(&mut self) {
        self.capture.fill(0);
        self.butterfly.as_flattened_mut().as_flattened_mut().as_flattened_mut().fill(0);
        for table in [&mut self.continuation, &mut self.pawn] {
            table.as_flattened_mut().as_flattened_mut().fill(0);
        }
        self.counter_moves.fill(None);
    }

    /// The history of a quiet move: the sum over all tables.
    #[inline]
    pub(crate) fn quiet(&self, context: &QuietContext, position: &Position, mv: Move) -> i32 {
        self.quiets(context).score(position, mv)
    }

    /// The rows of the tables for the quiet moves of a node, to score many of them.
    #[inline]
    pub(crate) fn quiets(&self, context: &QuietContext) -> Quiets<'_> {
        let attacked = if self.steps.has(Step::ThreatHistory) { context.threats.all() } else { Bitboard::EMPTY };
        Quiets {
            steps: self.steps,
            side: context.side,
            butterfly: &self.butterfly[context.side.index()],
            attacked,
            pawn: &self.pawn[context.pawn_row],
            continuation: context.before.map(|before| &self.continuation[before.index()]),
        }
    }

    /// The history of a move as a continuation of the previous moves.
    #[inline]
    pub(crate) fn continuations(&self, context: &QuietContext, this: PieceTo) -> i32 {
        let mut sum = 0;
        for (&before, step) in context.before.iter().zip(CONTINUATION_STEPS) {
            if self.steps.has(step) {
                sum += counter(&self.continuation[before.index()], this);
            }
        }
        sum
    }

    /// Adds a bonus or malus to a quiet move in every table.
    pub(crate) fn add_quiet(&mut self, context: &QuietContext, this: PieceTo, mv: Move, bonus: i32) {
        self.add_butterfly(context.side, context.threats.all(), mv, bonus);
        add_to(&mut self.pawn[context.pawn_row], this, bonus);
        self.add_continuations(context.before, this, bonus);
    }

    /// Adds a bonus or malus to a quiet move in the butterfly history.
    pub(crate) fn add_butterfly(&mut self, side: Color, attacked: Bitboard, mv: Move, bonus: i32) {
        let attacked = if self.steps.has(Step::ThreatHistory) { attacked } else { Bitboard::EMPTY };
        let counter = &mut self.butterfly[side.index()][danger(attacked, mv)][mv.from().index()][mv.to().index()];
        add(counter, bonus);
    }

    /// Adds a bonus or malus to a move as a continuation of the moves one, two and four plies before it.
    pub(crate) fn add_continuations(&mut self, before: [PieceTo; 3], this: PieceTo, bonus: i32) {
        for before in before {
            if before != PieceTo::NONE {
                add_to(&mut self.continuation[before.index()], this, bonus);
            }
        }
    }

    #[inline]
    fn capture_index(position: &Position, mv: Move) -> usize {
        // A promotion without capture counts as the capture of a pawn, as does en passant.
        let victim = position.piece_type_at(mv.to()).unwrap_or(PieceType::Pawn);
        PieceTo::of(position, mv).index().min(PieceTo::COUNT - 1) * PieceType::COUNT + victim.index()
    }

    /// The history of a capture or promotion.
    #[inline]
    pub(crate) fn capture(&self, position: &Position, mv: Move) -> i32 {
        if self.steps.has(Step::CaptureHistory) {
            i32::from(self.capture[Self::capture_index(position, mv)])
        } else {
            0
        }
    }

    /// Adds a bonus or malus to a capture or promotion.
    pub(crate) fn add_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        add(&mut self.capture[Self::capture_index(position, mv)], bonus);
    }

    /// The quiet move that last refuted the previous move.
    #[inline]
    pub(crate) fn counter_move(&self, before: PieceTo) -> Option<Move> {
        self.steps.has(Step::CounterMove).then(|| self.counter_moves[before.index()]).flatten()
    }

    pub(crate) fn set_counter_move(&mut self, before: PieceTo, mv: Move) {
        if before != PieceTo::NONE {
            self.counter_moves[before.index()] = Some(mv);
        }
    }
}

/// The rows of the histories for the quiet moves of one node.
pub(crate) struct Quiets<'a> {
    steps: ActiveSteps,
    side: Color,
    butterfly: &'a Butterfly,
    attacked: Bitboard,
    pawn: &'a Row,
    continuation: [&'a Row; 3],
}

impl<'a> Quiets<'a> {
    /// The rows of one type of piece.
    #[inline]
    pub(crate) fn of(&self, piece_type: PieceType) -> PieceQuiets<'a> {
        self.of_piece(piece_type.of(self.side))
    }

    #[inline]
    fn of_piece(&self, piece: Piece) -> PieceQuiets<'a> {
        let piece = piece.index();
        PieceQuiets {
            steps: self.steps,
            butterfly: self.butterfly,
            attacked: self.attacked,
            pawn: &self.pawn[piece],
            continuation: self.continuation.map(|row| &row[piece]),
        }
    }

    /// The history of a quiet move: the sum over all tables.
    #[inline]
    pub(crate) fn score(&self, position: &Position, mv: Move) -> i32 {
        position.piece_at(mv.from()).map_or(0, |piece| self.of_piece(piece).score(mv))
    }
}

/// The rows of the histories for the quiet moves of one type of piece.
pub(crate) struct PieceQuiets<'a> {
    steps: ActiveSteps,
    butterfly: &'a Butterfly,
    attacked: Bitboard,
    pawn: &'a Targets,
    continuation: [&'a Targets; 3],
}

impl PieceQuiets<'_> {
    /// The history of a quiet move of the piece: the sum over all tables.
    #[inline]
    pub(crate) fn score(&self, mv: Move) -> i32 {
        let to = mv.to().index();
        let mut sum = 0;
        if self.steps.has(Step::ButterflyHistory) {
            sum += i32::from(self.butterfly[danger(self.attacked, mv)][mv.from().index()][to]);
        }
        if self.steps.has(Step::PawnHistory) {
            sum += i32::from(self.pawn[to]);
        }
        for (row, step) in self.continuation.iter().zip(CONTINUATION_STEPS) {
            if self.steps.has(step) {
                sum += i32::from(row[to]);
            }
        }
        sum
    }
}

/// The bonus for a move that fails high at a depth.
pub(crate) fn bonus(depth: Depth) -> i32 {
    let bonus = params::history_bonus_slope() * depth.0 - params::history_bonus_offset();
    bonus.clamp(0, params::history_bonus_cap())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_stay_in_range() {
        let mut histories = Histories::new();
        let context = QuietContext::new(
            Color::White,
            Key(5),
            [PieceTo::new(Piece::BlackKnight, Square::F6), PieceTo::NONE, PieceTo::NONE],
        );
        let position = Position::startpos();
        let mv = Move::normal(Square::E2, Square::E4);
        let this = PieceTo::new(Piece::WhitePawn, Square::E4);
        let max = params::history_max();
        for sign in [1, -1] {
            for _ in 0..10_000 {
                histories.add_quiet(&context, this, mv, sign * bonus(Depth(30)));
            }
            let sum = histories.quiet(&context, &position, mv) * sign;
            // Butterfly history, pawn history and one continuation history.
            assert!((3 * max * 9 / 10..=3 * max).contains(&sum), "{sum}");
        }
        let other = QuietContext::new(Color::Black, Key(6), [PieceTo::NONE; 3]);
        assert_eq!(histories.quiet(&other, &position, mv), 0);
        histories.clear();
        assert_eq!(histories.quiet(&context, &position, mv), 0);
    }

    #[test]
    fn no_continuation_of_a_null_move_is_learnt() {
        let mut histories = Histories::new();
        let context = QuietContext::new(Color::White, Key(0), [PieceTo::NONE; 3]);
        let this = PieceTo::new(Piece::WhiteKing, Square::H8);
        histories.add_continuations(context.before, this, 1_000);
        histories.set_counter_move(PieceTo::NONE, Move::normal(Square::A1, Square::A2));
        assert_eq!(histories.continuations(&context, this), 0);
        assert_eq!(histories.counter_move(PieceTo::NONE), None);
    }
}
