//! What the board alone says of a quiet move, before any history: whether the squares that it leaves and reaches are
//! attacked, and whether it gives check.

use crate::params;
use crate::steps::{ActiveSteps, Step};
use bartizan_attacks as attacks;
use bartizan_position::{CheckInfo, Position};
use bartizan_types::{Bitboard, Color, Move, PieceType, Square};

/// The squares that one side attacks, by the least of what attacks them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threats {
    pawns: Bitboard,
    /// … or pawns.
    minors: Bitboard,
    /// … or anything less.
    rooks: Bitboard,
    all: Bitboard,
}

impl Threats {
    /// Nothing is attacked, or nobody has looked.
    pub(crate) const NONE: Self =
        Self { pawns: Bitboard::EMPTY, minors: Bitboard::EMPTY, rooks: Bitboard::EMPTY, all: Bitboard::EMPTY };

    /// What `by` attacks.
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

    /// Every square that is attacked.
    #[inline]
    pub(crate) fn all(&self) -> Bitboard {
        self.all
    }

    /// The squares where something of less value attacks a piece of this type.
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

/// Scores for quiet moves, beside those of the histories.
pub(crate) struct Hints {
    threats: Threats,
    /// What gives check, if checks count.
    checks: Option<CheckInfo>,
}

impl Hints {
    /// `threats` are those of the side that does not move. The checks are worked out here a second time: to hand them
    /// through the picker takes as many instructions (6.044 for 6.040 thousand million in bench).
    pub(crate) fn new(position: &Position, threats: Threats, steps: ActiveSteps) -> Self {
        let threats = if steps.has(Step::ThreatOrder) { threats } else { Threats::NONE };
        Self { threats, checks: steps.has(Step::CheckOrder).then(|| position.check_info()) }
    }

    /// Leaving an attack by something of less value is worth the more, the more there is to lose, and entering one costs the
    /// more (Stockfish); a check that loses next to nothing is worth something, too.
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
    fn threats_are_nested_and_whole() {
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
    fn a_queen_flees_from_a_rook_and_not_into_a_pawn() {
        // The queen on d4 is attacked by the rook on d8; e5 is attacked by the pawn on f6, h4 by nothing.
        let position = Position::from_fen("3r2k1/8/5p2/8/3Q4/8/8/6K1 w - - 0 1").unwrap();
        let hints = Hints::new(&position, Threats::new(&position, Color::Black), Steps::ALL);
        let score = |uci: &str| hints.score(&position, position.parse_uci(uci).unwrap());
        assert_eq!(score("d4h4"), 2 * params::threat_escape());
        assert_eq!(score("d4e5"), 2 * (params::threat_escape() - params::threat_entry()));
        // A check, though out of no danger; one that loses the queen is none.
        assert_eq!(score("d4c4"), 2 * params::threat_escape() + params::check_order());
        assert_eq!(score("d4d5"), 2 * (params::threat_escape() - params::threat_entry()));
        assert_eq!(score("g1f1"), 0);
        let none = Hints::new(&position, Threats::new(&position, Color::Black), Steps::NONE);
        assert_eq!(none.score(&position, position.parse_uci("d4c4").unwrap()), 0);
    }
}
