//! Ordering of quiet moves by the board alone: whether their origin and target are attacked, and whether they give
//! check.

use crate::params;
use crate::steps::{ActiveSteps, Step};
use bartizan_attacks as attacks;
use bartizan_position::{CheckInfo, Position};
use bartizan_types::{Bitboard, ByPieceType, Color, Move, PieceType, Square};

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

    /// The squares where a less valuable piece attacks a piece of each type.
    #[inline]
    fn by_less(&self) -> ByPieceType<Bitboard> {
        ByPieceType([Bitboard::EMPTY, self.pawns, self.pawns, self.minors, self.rooks, Bitboard::EMPTY])
    }
}

/// Scores of quiet moves, added to those of the histories.
pub(crate) struct Hints {
    /// The squares where a less valuable piece attacks a piece of each type.
    attacked: ByPieceType<Bitboard>,
    /// The squares from which pieces give check; `None` if checks do not count.
    checks: Option<CheckInfo>,
}

/// The weight of a threat to each type of piece, in halves.
const HALVES: ByPieceType<i32> = ByPieceType([2, 2, 2, 3, 4, 2]);

impl Hints {
    /// `threats` are the attacks of the opponent. The checking squares are computed here a second time, because passing
    /// them through the picker is no faster.
    pub(crate) fn new(position: &Position, threats: Threats, steps: ActiveSteps) -> Self {
        let threats = if steps.has(Step::ThreatOrder) { threats } else { Threats::NONE };
        let checks = steps.has(Step::CheckOrder).then(|| position.check_info());
        Self { attacked: threats.by_less(), checks }
    }

    /// The hints for a piece on a square.
    #[inline]
    pub(crate) fn of(&self, piece_type: PieceType, from: Square) -> PieceHints {
        let attacked = self.attacked[piece_type];
        let halves = HALVES[piece_type];
        PieceHints {
            escape: if attacked.contains(from) { params::threat_escape() * halves / 2 } else { 0 },
            attacked,
            entry: params::threat_entry() * halves / 2,
            checks: self.checks.as_ref().map_or(Bitboard::EMPTY, |checks| checks.squares(piece_type)),
        }
    }
}

/// The hints for the moves of one piece.
pub(crate) struct PieceHints {
    /// The bonus if the piece leaves an attack.
    escape: i32,
    /// The squares where a less valuable piece attacks it.
    attacked: Bitboard,
    /// The malus for entering them.
    entry: i32,
    /// The squares from which it gives check.
    checks: Bitboard,
}

impl PieceHints {
    /// A bonus for escaping from a less valuable attacker and a malus for moving into its attack, in proportion to the
    /// piece's value (Stockfish), and a bonus for a check that loses little material.
    #[inline]
    pub(crate) fn score(&self, position: &Position, mv: Move) -> i32 {
        let mut score = self.escape;
        if self.attacked.contains(mv.to()) {
            score -= self.entry;
        }
        if self.checks.contains(mv.to()) && position.see_ge(mv, -params::check_order_loss()) {
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
        let score_of = |hints: &Hints, uci: &str| {
            let mv = position.parse_uci(uci).unwrap();
            hints.of(position.piece_type_at(mv.from()).unwrap(), mv.from()).score(&position, mv)
        };
        let score = |uci: &str| score_of(&hints, uci);
        assert_eq!(score("d4h4"), 2 * params::threat_escape());
        assert_eq!(score("d4e5"), 2 * (params::threat_escape() - params::threat_entry()));
        // A check gets its bonus on top of the escape, but not if it loses the queen.
        assert_eq!(score("d4c4"), 2 * params::threat_escape() + params::check_order());
        assert_eq!(score("d4d5"), 2 * (params::threat_escape() - params::threat_entry()));
        assert_eq!(score("g1f1"), 0);
        let none = Hints::new(&position, Threats::new(&position, Color::Black), Steps::NONE);
        assert_eq!(score_of(&none, "d4c4"), 0);
    }
}
