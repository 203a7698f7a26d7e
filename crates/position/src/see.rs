//! Static exchange evaluation (SEE): the value of a sequence of captures on one square.

use crate::Position;
use bartizan_attacks as attacks;
use bartizan_types::{Bitboard, ByPieceType, Color, Move, MoveKind, PieceType, Square};

/// The piece values of SEE in centipawns: conventional round numbers. The king is never lost and has the value 0.
pub const SEE_VALUES: ByPieceType<i32> = ByPieceType([100, 300, 300, 500, 900, 0]);

impl Position {
    /// Whether the exchange that a legal move starts gains at least `threshold` centipawns for the side to move.
    ///
    /// Both sides recapture with their least valuable piece and may stop at any time. Pinned pieces do not take part
    /// while the pinning piece is in place, as in Stockfish. Only a promotion by the first move counts. A call takes
    /// about 30 to 80 ns.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = self.piece_at(from) else { return false };
        let value_at = |square: Square| self.piece_at(square).map_or(0, |piece| SEE_VALUES[piece.piece_type()]);
        let mut occupied = self.occupied() ^ from.bitboard();
        let (gain, at_risk) = match mv.kind() {
            MoveKind::Castling => return threshold <= 0,
            MoveKind::Normal => (value_at(to), SEE_VALUES[mover.piece_type()]),
            MoveKind::Promotion(piece_type) => {
                let promoted = SEE_VALUES[piece_type];
                (value_at(to) + promoted - SEE_VALUES[PieceType::Pawn], promoted)
            }
            MoveKind::EnPassant => {
                occupied ^= Square::new(to.file(), from.rank()).bitboard();
                (SEE_VALUES[PieceType::Pawn], SEE_VALUES[PieceType::Pawn])
            }
        };
        // The margin above the threshold: first if the exchange stops here, then if the moved piece is lost as well.
        if gain < threshold {
            return false;
        }
        let kept = gain - at_risk;
        if kept >= threshold {
            return true;
        }
        let mut balance = kept - threshold;
        occupied |= to.bitboard();
        let diagonal = self.diagonal_sliders();
        let orthogonal = self.orthogonal_sliders();
        let mut attackers = self.all_attackers_to(to, occupied);
        // The sides capture in turn. The side that cannot capture, or gains nothing by it, fails.
        let mut side = self.turn();
        loop {
            side = !side;
            attackers &= occupied;
            let mut ours = attackers & self.color(side);
            if ours.any() {
                // A slider on the target square pins nothing: it is the piece to be captured.
                ours -= self.pinned_against(side, occupied, to);
            }
            let Some((piece_type, square)) = self.least_valuable(ours) else { break };
            occupied ^= square.bitboard();
            // The balance from the other side's view, with the capturing piece lost as well. The −1 makes an equal
            // balance count for the side that moved first.
            balance = -balance - 1 - SEE_VALUES[piece_type];
            if balance >= 0 {
                // The result is final, unless a king has captured a protected piece.
                if piece_type != PieceType::King || !(attackers & occupied).intersects(self.color(!side)) {
                    side = !side;
                }
                break;
            }
            if matches!(piece_type, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
                attackers |= attacks::bishop(to, occupied) & diagonal;
            }
            if matches!(piece_type, PieceType::Rook | PieceType::Queen) {
                attackers |= attacks::rook(to, occupied) & orthogonal;
            }
        }
        side != self.turn()
    }

    fn least_valuable(&self, attackers: Bitboard) -> Option<(PieceType, Square)> {
        PieceType::ALL
            .into_iter()
            .find_map(|piece_type| (attackers & self.by_type(piece_type)).first().map(|square| (piece_type, square)))
    }

    /// The pieces of `side` that are pinned to their king when only the squares `occupied` are occupied. A slider on
    /// `target` does not pin.
    fn pinned_against(&self, side: Color, occupied: Bitboard, target: Square) -> Bitboard {
        let king = self.king(side);
        let theirs = self.color(!side) & (occupied - target.bitboard());
        self.scan_sliders(king, theirs, occupied).blockers & self.color(side)
    }
}
