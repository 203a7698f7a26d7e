//! What one capture wins, as a beginner counts it.

use bartizan_position::{MoveGenStage, Position};
use bartizan_review::points;
use bartizan_types::{Move, Square};

/// The points that one capture must win to be a gift: a piece.
pub(super) const GIFT: i32 = 3;

/// The centipawns that a recapture must win to be asked for: a pawn.
const PAWN: i32 = 100;

/// The points that a legal move takes.
pub(super) fn taken(position: &Position, mv: Move) -> i32 {
    position.captured(mv).map_or(0, points)
}

/// The points that a legal capture wins: the piece taken, less the taker if the opponent can take back on its square.
/// `None` if the move is not a capture.
pub(super) fn gain(position: &Position, mv: Move) -> Option<i32> {
    let taken = points(position.captured(mv)?);
    let taker = points(position.piece_type_at(mv.from())?);
    let is_retaken = !captures_on(&position.play_unchecked(mv), mv.to()).is_empty();
    Some(if is_retaken { taken - taker } else { taken })
}

/// The most points that the side to move can win by one capture; `None` if there is no capture.
pub(super) fn best_gain(position: &Position) -> Option<i32> {
    position.moves(MoveGenStage::Captures).iter().filter_map(|&mv| gain(position, mv)).max()
}

/// Whether a capture on a square wins at least a pawn by static exchange.
pub(super) fn has_winning_recapture(position: &Position, square: Square) -> bool {
    captures_on(position, square).into_iter().any(|mv| position.see_ge(mv, PAWN))
}

/// The legal moves that capture what stands on a square.
fn captures_on(position: &Position, square: Square) -> Vec<Move> {
    let mut captures = Vec::new();
    position.for_each_move(MoveGenStage::Captures, |mv| {
        if mv.to() == square && !mv.is_en_passant() && position.is_capture(mv) {
            captures.push(mv);
        }
    });
    captures
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test reports by panicking.

    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    fn a_capture_wins_what_it_takes_less_a_taker_that_is_taken_back() {
        for (fen, mv, expected) in [
            // A knight by a rook: free, protected by a pawn, and protected by a pawn that is pinned to its king.
            ("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "d1d5", Some(3)),
            ("4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1", "d1d5", Some(-2)),
            ("4k3/8/4p3/3n4/8/8/8/3RR1K1 w - - 0 1", "d1d5", Some(3)),
            // A queen by a pawn that is taken back, a pawn by a king, and a pawn in passing.
            ("4k3/8/4p3/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5", Some(8)),
            ("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "e1d2", Some(1)),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", Some(1)),
            // The promoted piece is at risk, but counts as the pawn it was.
            ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", Some(5)),
            ("1rr1k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", Some(4)),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", None),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", None),
        ] {
            let position = position(fen);
            assert_eq!(gain(&position, position.parse_uci(mv).unwrap()), expected, "{fen} {mv}");
        }
        assert_eq!(best_gain(&position("4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1")), Some(-2));
        assert_eq!(best_gain(&Position::startpos()), None);
    }

    #[test]
    fn a_recapture_wins_by_static_exchange() {
        for (fen, square, expected) in [
            // A knight has taken on d5. A pawn can take it back, or a queen that would be lost.
            ("4k3/8/4p3/3N4/8/8/8/3RK3 b - - 0 1", Square::D5, true),
            ("3qk3/8/8/3N4/4P3/8/8/3RK3 b - - 0 1", Square::D5, false),
            // A king takes back.
            ("3Rk3/8/8/8/8/8/8/4K3 b - - 0 1", Square::D8, true),
            // The pawn is protected by a rook: a queen would be lost for it, but two rooks win it.
            ("3qk3/8/8/8/3P4/8/8/3RK3 b - - 0 1", Square::D4, false),
            ("3rk3/3r4/8/8/3P4/8/8/3RK3 b - - 0 1", Square::D4, true),
        ] {
            assert_eq!(has_winning_recapture(&position(fen), square), expected, "{fen}");
        }
    }
}
