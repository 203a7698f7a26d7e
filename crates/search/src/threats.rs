//! Ordering of quiet moves by the board alone: whether their origin and target are attacked, and whether they give
//! check.

use crate::params;
use crate::steps::{ActiveSteps, Step};
use bartizan_attacks as attacks;
use bartizan_position::{CheckInfo, Position};
use bartizan_types::{Bitboard, Color, Move, PieceType, Square};

/// The squares that one side attacks, by the least valuable attacker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threats {
    /// Attacked by pawns.
    pawns: Bitboard,
    /// Attacked by pawns, knights or bishops.
    minors: Bitboard,
    /// Attacked by rooks or less valuable pieces.
    rooks: Bitboard,
    /// Attacked by anything.
    all: Bitboard,
}

impl Threats {
    /// No square is attacked, or the attacks were not computed.
    pub(crate) const NONE: Self =
        Self { pawns: Bitboard::EMPTY, minors: Bitboard::EMPTY, rooks: Bitboard::EMPTY, all: Bitboard::EMPTY };

    /// The squares that `by` attacks.
    pub(crate) fn new(position: &Position, by: Color) -> Self {
        let occupied = position.occupied();
        let slides = |piece_type, ray: fn(Square, Bitboard) -> Bitboard| {
            position.pieces(by, piece_type).into_iter().fold(Bitboard::EMPTY, |all, square| all | ray(square, occupied))
        };
        let pawns = attacks::pawns(by, position.pieces(by, PieceType::Pawn));
        let knights = attacks::knights(position.pieces(by, PieceType::Knight));
        let minors = pawns | knights | slides(PieceType::Bishop, attacks::bishop);
        let rooks = minors | slides(PieceType::Rook, attacks::rook);
        let all = rooks | slides(PieceType::Queen, attacks::queen) | attacks::king(position.king(by));
        Self { pawns, minors, rooks, all }
    }

    /// All attacked squares.
    #[inline]
    pub(crate) fn all(&self) -> Bitboard {
        self.all
    }

    /// The squares where a less valuable piece attacks a piece of this type.
    #[inline]
    fn by_less_than(&self, piece_type: PieceType) -> Bitboard {
        match piece_type {
            PieceType::Pawn | PieceType::King => Bitboard::EMPTY,
            PieceType::Knight | PieceType::Bishop => self.pawns,
            PieceType::Rook => self.minors,
            PieceType::Queen => self.rooks,
        }
    }
}

/// Scores of quiet moves, added to those of the histories.
pub(crate) struct Hints {
    threats: Threats,
    /// The squares from which pieces give check; `None` if checks do not count.
    checks: Option<CheckInfo>,
}

impl Hints {
    /// `threats` are the attacks of the opponent. The checking squares are computed here a second time, because passing
    /// them through the picker is no faster (6.044 versus 6.040 billion instructions in bench).
    pub(crate) fn new(position: &Position, threats: Threats, steps: ActiveSteps) -> Self {
        let threats = if steps.has(Step::ThreatOrder) { threats } else { Threats::NONE };
        Self { threats, checks: steps.has(Step::CheckOrder).then(|| position.check_info()) }
    }

    /// A bonus for escaping from a less valuable attacker and a malus for moving into its attack, in proportion to the
    /// piece's value (Stockfish), and a bonus for a check that loses little material.
    pub(crate) fn score(&self, position: &Position, mv: Move) -> i32 {
        let Some(piece) = position.piece_at(mv.from()) else { return 0 };
        let piece_type = piece.piece_type();
        let attacked = self.threats.by_less_than(piece_type);
        let halves = match piece_type {
            PieceType::Queen => 4,
            PieceType::Rook => 3,
            _ => 2,
        };
        let mut score = 0;
        if attacked.contains(mv.from()) {
            score += params::threat_escape() * halves / 2;
        }
        if attacked.contains(mv.to()) {
            score -= params::threat_entry() * halves / 2;
        }
        if self.checks.as_ref().is_some_and(|checks| checks.squares(piece_type).contains(mv.to()))
            && position.see_ge(mv, -params::check_order_loss())
        {
            score += params::check_order();
        }
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::Steps;
    use bartizan_testkit::perft_suite;

    #[test]
    fn threats_are_nested_and_complete() {
        for case in perft_suite("random").iter().step_by(40) {
            let position = Position::from_fen(&case.fen).unwrap();
            for color in [Color::White, Color::Black] {
                let threats = Threats::new(&position, color);
                assert_eq!(threats.all(), position.attacked_by(color, position.occupied()), "{}", case.fen);
                let nested = [threats.pawns, threats.minors, threats.rooks, threats.all];
                assert!(nested.windows(2).all(|pair| (pair[0] - pair[1]).is_empty()), "{}", case.fen);
            }
        }
    }

    #[test]
    fn a_queen_escapes_from_a_rook_and_avoids_a_pawn() {
        // The queen on d4 is attacked by the rook on d8; e5 is attacked by the pawn on f6, h4 by nothing.
        let position = Position::from_fen("3r2k1/8/5p2/8/3Q4/8/8/6K1 w - - 0 1").unwrap();
        let hints = Hints::new(&position, Threats::new(&position, Color::Black), Steps::ALL);
        let score = |uci: &str| hints.score(&position, position.parse_uci(uci).unwrap());
        assert_eq!(score("d4h4"), 2 * params::threat_escape());
        assert_eq!(score("d4e5"), 2 * (params::threat_escape() - params::threat_entry()));
        // A check gets its bonus on top of the escape, but not if it loses the queen.
        assert_eq!(score("d4c4"), 2 * params::threat_escape() + params::check_order());
        assert_eq!(score("d4d5"), 2 * (params::threat_escape() - params::threat_entry()));
        assert_eq!(score("g1f1"), 0);
        let none = Hints::new(&position, Threats::new(&position, Color::Black), Steps::NONE);
        assert_eq!(none.score(&position, position.parse_uci("d4c4").unwrap()), 0);
    }
}
