//! Replaces a position by a quiet one: the end of the best line of captures.

use bartizan_position::{MoveGenStage, MoveList, Position, SEE_VALUES};
use bartizan_types::{Move, PieceType};

/// Nodes after which the search of a position is abandoned.
const MAX_NODES: u32 = 20_000;
/// Plies after which a line is abandoned: a series of checks can be long.
const MAX_PLIES: u32 = 40;
/// Larger than any value.
const INFINITE: f64 = 1e9;
const MATE: f64 = 1e6;

/// A capture search with any evaluation.
pub(crate) struct Resolver<F> {
    evaluate: F,
    nodes: u32,
}

/// The value for the side to move, and the position with that value.
type Line = (f64, Option<Position>);

impl<F: FnMut(&Position) -> f64> Resolver<F> {
    /// A resolver. `evaluate` returns centipawns for White.
    pub(crate) fn new(evaluate: F) -> Self {
        Self { evaluate, nodes: 0 }
    }

    /// The quiet position at the end of the best line of captures, possibly the position itself; `None` if the line
    /// ends in mate or the search is abandoned.
    pub(crate) fn resolve(&mut self, position: &Position) -> Option<Position> {
        self.nodes = 0;
        let (value, end) = self.search(position, -INFINITE, INFINITE, 0);
        end.filter(|_| value.abs() < MATE / 2.0 && self.nodes < MAX_NODES)
    }

    fn search(&mut self, position: &Position, mut alpha: f64, beta: f64, ply: u32) -> Line {
        self.nodes += 1;
        if ply >= MAX_PLIES || self.nodes >= MAX_NODES {
            return (0.0, None);
        }
        let in_check = position.in_check();
        let mut best = if in_check {
            // A shorter mate is worse for the mated side.
            (f64::from(ply) - MATE, None)
        } else {
            let for_white = (self.evaluate)(position);
            (if position.turn().is_white() { for_white } else { -for_white }, Some(position.clone()))
        };
        if best.0 >= beta {
            return best;
        }
        alpha = alpha.max(best.0);
        for mv in moves(position, in_check) {
            let (value, end) = self.search(&position.play_unchecked(mv), -beta, -alpha, ply + 1);
            if -value > best.0 {
                best = (-value, end);
                if best.0 >= beta {
                    break;
                }
                alpha = alpha.max(best.0);
            }
        }
        best
    }
}

/// Captures that do not lose material by static exchange evaluation, most valuable victim first; all moves in check.
fn moves(position: &Position, in_check: bool) -> MoveList {
    let mut moves = position.moves(if in_check { MoveGenStage::All } else { MoveGenStage::Captures });
    if !in_check {
        moves.retain(|mv| position.see_ge(*mv, 0));
    }
    let victim = |mv: &Move| {
        let value = |piece_type: Option<PieceType>| piece_type.map_or(0, |piece_type| SEE_VALUES[piece_type]);
        let by = value(position.piece_type_at(mv.from()));
        by / 100 - 10 * value(position.captured(*mv)) - value(mv.promotes_to())
    };
    moves.sort_by_key(victim);
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_types::Color;

    fn material(position: &Position) -> f64 {
        let side = |color| {
            PieceType::ALL.iter().map(|&t| position.pieces(color, t).count() as i32 * SEE_VALUES[t]).sum::<i32>()
        };
        f64::from(side(Color::White) - side(Color::Black))
    }

    fn end(fen: &str) -> Option<String> {
        let mut resolver = Resolver::new(material);
        resolver
            .resolve(&Position::from_fen(fen).unwrap())
            .map(|end| end.to_fen().split(' ').next().unwrap().to_owned())
    }

    #[test]
    fn captures_are_played_out() {
        // The pawn takes a knight and is taken back; the rook hangs before that.
        assert_eq!(end("4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1").as_deref(), Some("4k3/8/8/3P4/8/8/8/4K3"));
        assert_eq!(end("4k3/8/4p3/3p4/4P3/8/8/4K3 b - - 0 1").as_deref(), Some("4k3/8/4p3/8/4p3/8/8/4K3"));
        // Every possible capture is of a defended piece.
        let quiet = "4k3/2p5/3p4/8/8/3Q4/8/4K3";
        assert_eq!(end(&format!("{quiet} w - - 0 1")).as_deref(), Some(quiet));
    }

    #[test]
    fn a_pawn_taken_en_passant_is_a_victim_like_any_pawn() {
        let position = Position::from_fen("4k3/8/8/2pP4/p7/2N5/8/4K3 w - c6 0 1").unwrap();
        let order: Vec<String> = moves(&position, false).iter().map(Move::to_string).collect();
        assert_eq!(order, ["d5c6", "c3a4"]);
    }

    #[test]
    fn mates_are_left_out() {
        // Taking the rook is mate.
        assert_eq!(end("4r1k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1"), None);
    }
}
