//! A line of moves with its positions: what the detectors look at.

use bartizan_attacks as attacks;
use bartizan_position::{MoveGenStage, Position};
use bartizan_types::{Bitboard, Color, Move, PieceType, Square};

use super::claim::Target;
use crate::points::points;

/// A line from a position. The winner is the side to move there; its moves have even indices.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The position before each move, and the last one.
    positions: Vec<Position>,
    moves: Vec<Move>,
}

impl Line {
    /// The line as far as its moves are legal. Where a promoted piece is taken at once, the pawn becomes a queen: to
    /// the search, any piece would be as good.
    pub(super) fn new(start: &Position, moves: &[Move]) -> Self {
        let mut line = Self { positions: vec![start.clone()], moves: Vec::new() };
        for (index, &mv) in moves.iter().enumerate() {
            let reply = moves.get(index + 1).filter(|reply| mv.is_promotion() && reply.to() == mv.to());
            let queen = reply.and_then(|&reply| {
                let queen = Move::promotion(mv.from(), mv.to(), PieceType::Queen);
                line.end().play(queen).is_ok_and(|next| next.is_legal(reply)).then_some(queen)
            });
            let mv = queen.unwrap_or(mv);
            let Ok(next) = line.end().play(mv) else { break };
            line.positions.push(next);
            line.moves.push(mv);
        }
        line
    }

    /// The first `length` moves of it.
    pub(super) fn prefix(&self, length: usize) -> Self {
        let length = length.min(self.len());
        Self { positions: self.positions[..=length].to_vec(), moves: self.moves[..length].to_vec() }
    }

    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    pub(super) fn moves(&self) -> &[Move] {
        &self.moves
    }

    pub(super) fn positions(&self) -> &[Position] {
        &self.positions
    }

    pub(super) fn start(&self) -> &Position {
        &self.positions[0]
    }

    pub(super) fn end(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// The position before the move at `index`.
    pub(super) fn at(&self, index: usize) -> &Position {
        &self.positions[index]
    }

    /// The position after the move at `index`.
    pub(super) fn after(&self, index: usize) -> &Position {
        &self.positions[index + 1]
    }

    pub(super) fn winner(&self) -> Color {
        self.start().turn()
    }

    pub(super) fn loser(&self) -> Color {
        !self.winner()
    }

    /// The indices of the winner's moves.
    pub(super) fn winner_moves(&self) -> impl DoubleEndedIterator<Item = usize> + use<> {
        (0..self.moves.len().div_ceil(2)).map(|number| 2 * number)
    }

    /// What the move at `index` captures, and where that stood.
    pub(super) fn capture(&self, index: usize) -> Option<Target> {
        let mv = *self.moves.get(index)?;
        let piece = self.at(index).captured(mv)?;
        let square = if mv.is_en_passant() { Square::new(mv.to().file(), mv.from().rank()) } else { mv.to() };
        Some(Target { piece, square })
    }

    /// The index of the first move of the winner after `index` that captures on `square`, if until then the man there
    /// has not been changed.
    pub(super) fn later_capture(&self, index: usize, square: Square) -> Option<usize> {
        let piece = self.after(index).piece_at(square)?;
        for later in index + 1..self.len() {
            if self.at(later).piece_at(square) != Some(piece) {
                return None;
            }
            if later % 2 == 0 && self.capture(later).is_some_and(|target| target.square == square) {
                return Some(later);
            }
        }
        None
    }
}

pub(super) fn target(position: &Position, square: Square) -> Option<Target> {
    position.piece_type_at(square).map(|piece| Target { piece, square })
}

/// Whether the man on `square` could be taken back if the man on `taker` captured it. Men behind the taker count, and
/// pinned ones, too.
pub(super) fn is_protected(position: &Position, taker: Square, square: Square) -> bool {
    let owner = position.piece_at(square).map(|piece| piece.color());
    owner.is_some_and(|owner| position.attackers_to(square, position.occupied() ^ taker.bitboard(), owner).any())
}

/// Whether the man on `from` attacks `square`.
pub(super) fn attacks_square(position: &Position, from: Square, square: Square) -> bool {
    position.attacks_from(from).contains(square)
}

/// The number of captures in a row that are looked at in a position.
const CAPTURES: u32 = 6;

/// What a capture or promotion gains at once, in points.
fn immediate(position: &Position, mv: Move) -> i32 {
    position.captured(mv).map_or(0, points) + mv.promotes_to().map_or(0, |piece| points(piece) - 1)
}

/// What a move gains in points if the other side takes back on its square with legal moves where this is good for it.
pub(super) fn exchange(position: &Position, mv: Move) -> i32 {
    immediate(position, mv) - best_exchange(&position.play_unchecked(mv), mv.to())
}

/// The most points that the side to move gains by captures on a square; 0 if no capture gains.
pub(super) fn best_exchange(position: &Position, square: Square) -> i32 {
    let captures = position.moves(MoveGenStage::Captures);
    let takes = captures.into_iter().filter(|&mv| mv.to() == square && position.is_capture(mv));
    takes.map(|mv| exchange(position, mv)).max().unwrap_or(0).max(0)
}

/// Whether a capture gains a pawn or more, by static exchange evaluation and by legal moves.
pub(super) fn gains(position: &Position, mv: Move) -> bool {
    position.see_ge(mv, 100) && exchange(position, mv) >= 1
}

/// Whether the side to move has captures or promotions that gain a pawn or more.
pub(super) fn has_gain(position: &Position) -> bool {
    let moves = position.moves(MoveGenStage::Captures);
    moves.iter().any(|&mv| position.see_ge(mv, 100) || exchange(position, mv) >= 1)
        || quiesce(position, CAPTURES, 0, 1) >= 1
}

/// What the side to move can gain by captures and promotions if both sides may stop at any time, within the bounds.
fn quiesce(position: &Position, depth: u32, alpha: i32, beta: i32) -> i32 {
    let in_check = position.in_check();
    let stage = if in_check { MoveGenStage::All } else { MoveGenStage::Captures };
    let mut moves = position.moves(stage);
    if in_check && moves.is_empty() {
        return -points(PieceType::King);
    }
    if depth == 0 {
        return 0;
    }
    moves.sort_by_key(|&mv| -immediate(position, mv));
    let mut best = if in_check { -points(PieceType::King) } else { 0 };
    for mv in moves {
        if best >= beta {
            break;
        }
        let gain = immediate(position, mv);
        let reply = quiesce(&position.play_unchecked(mv), depth - 1, gain - beta, gain - alpha.max(best));
        best = best.max(gain - reply);
    }
    best
}

/// A capture on `square` by the side to move that gains a pawn or more.
pub(super) fn gaining_capture(position: &Position, square: Square) -> Option<Move> {
    let moves = position.moves(MoveGenStage::Captures);
    moves.into_iter().find(|&mv| position.is_capture(mv) && mv.to() == square && gains(position, mv))
}

/// The men that stand first and second on the ray from `slider` through `through`.
pub(super) fn ray_men(position: &Position, slider: Square, through: Square) -> Option<(Square, Square)> {
    let line = attacks::line(slider, through);
    // The men on the line at this side of the slider, nearest first.
    let mut men: Vec<Square> = (line & position.occupied())
        .into_iter()
        .filter(|&square| square != slider && !attacks::between(square, through).contains(slider))
        .collect();
    men.sort_by_key(|&square| slider.distance(square));
    Some((*men.first()?, *men.get(1)?))
}

/// The sliders of `side`.
pub(super) fn sliders(position: &Position, side: Color) -> Bitboard {
    (position.orthogonal_sliders() | position.diagonal_sliders()) & position.color(side)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::tests::parse_line;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    fn exchanges_count_legal_captures() {
        let exchange = |fen: &str, mv: &str| {
            let position = position(fen);
            exchange(&position, position.parse_uci(mv).unwrap())
        };
        assert_eq!(exchange("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"), 1);
        assert_eq!(exchange("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"), -4);
        // The pawn on e6 is pinned and cannot take back.
        assert_eq!(exchange("4k3/8/4p3/3p4/8/8/4Q3/3RK3 w - - 0 1", "d1d5"), 1);
    }

    #[test]
    fn a_promoted_piece_that_is_taken_is_a_queen() {
        let first = |fen: &str, line: &str| {
            let start = position(fen);
            Line::new(&start, &parse_line(&start, line)).moves()[0].promotes_to()
        };
        assert_eq!(first("8/8/8/8/8/5k2/4p3/R6K b - - 0 1", "e2e1n a1e1"), Some(PieceType::Queen));
        assert_eq!(first("8/8/8/8/8/5k2/4p3/R6K b - - 0 1", "e2e1n a1a2"), Some(PieceType::Knight));
    }

    #[test]
    fn gains_are_seen() {
        assert!(has_gain(&position("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1")));
        assert!(has_gain(&position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")));
        assert!(!has_gain(&position("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1")));
        assert!(!has_gain(&Position::startpos()));
    }

    #[test]
    fn men_on_a_ray_are_found_in_order() {
        let position = position("4k3/8/4p3/3p4/8/8/4Q3/3RK3 w - - 0 1");
        assert_eq!(ray_men(&position, Square::E2, Square::E8), Some((Square::E6, Square::E8)));
        assert_eq!(ray_men(&position, Square::E2, Square::D3), None);
        assert_eq!(ray_men(&position, Square::E2, Square::E1), None);
    }

    #[test]
    fn a_later_capture_needs_the_same_man() {
        let start = position("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1");
        let line = Line::new(&start, &parse_line(&start, "e1e2 e8e7 d1d5"));
        assert_eq!(line.later_capture(0, Square::D5), Some(2));
        let line = Line::new(&start, &parse_line(&start, "e1e2 d5f4 e2e3"));
        assert_eq!(line.later_capture(0, Square::D5), None);
        assert_eq!(line.prefix(2).len(), 2);
    }
}
