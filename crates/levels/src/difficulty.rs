//! How hard a move is to see.

use bartizan_position::{CheckInfo, Position};
use bartizan_types::{Bitboard, Color, Move, PieceType, Square};

/// What the moves of a position are compared with.
pub(crate) struct Scene<'a> {
    position: &'a Position,
    /// Where the last move went, and whether it captured.
    last: Option<(Square, bool)>,
    info: CheckInfo,
    /// The pieces of the side to move that another of its sliders stands behind.
    screens: Bitboard,
    has_captures: bool,
    can_recapture: bool,
}

// Additions to the difficulty of a move. A difficulty of 1 is a move that a beginner overlooks more often than not. The
// features are those that studies of blunders and trainers of beginners name; their sizes are estimates.
const ANY: f64 = 0.22;
const CAPTURE: f64 = -0.12;
const TAKES_WHAT_MOVED: f64 = -0.07;
const CHECK: f64 = -0.08;
const PROMOTION: f64 = -0.15;
const BACKWARD: f64 = 0.22;
const SIDEWARD: f64 = 0.10;
const FAR: f64 = 0.15;
const LONG_DIAGONAL: f64 = 0.20;
const KNIGHT: f64 = 0.08;
const FORK: f64 = 0.12;
const DISCOVERY: f64 = 0.25;
const PIN: f64 = 0.25;
const ELSEWHERE: f64 = 0.12;
const QUIET_AMONG_CAPTURES: f64 = 0.10;
const IN_BETWEEN: f64 = 0.20;

impl<'a> Scene<'a> {
    /// The scene of a position after a move, which captured or did not.
    pub(crate) fn new(position: &'a Position, last: Option<(Square, bool)>, moves: &[Move]) -> Self {
        let us = position.turn();
        let occupied = position.occupied();
        let sliders = (position.diagonal_sliders() | position.orthogonal_sliders()) & position.color(us);
        let mut screens = Bitboard::EMPTY;
        for slider in sliders {
            screens |= position.attacks_from(slider) & position.color(us);
        }
        let has_captures = moves.iter().any(|&mv| occupied.contains(mv.to()) && !mv.is_castling());
        let recaptures = |&mv: &Move| last.is_some_and(|(square, captured)| captured && mv.to() == square);
        Self {
            position,
            last,
            info: position.check_info(),
            screens,
            has_captures,
            can_recapture: moves.iter().any(recaptures),
        }
    }

    /// Whether the move takes back what has just taken.
    pub(crate) fn is_recapture(&self, mv: Move) -> bool {
        self.last.is_some_and(|(square, captured)| captured && mv.to() == square) && !mv.is_castling()
    }

    /// How hard a legal move is to see: 0 for one that everybody sees, about 0.2 for an ordinary one, 1 or more for a
    /// long backward move that discovers an attack.
    pub(crate) fn difficulty(&self, mv: Move) -> f64 {
        if self.is_recapture(mv) {
            return 0.0;
        }
        let position = self.position;
        let (from, to) = (mv.from(), mv.destination());
        let Some(piece_type) = position.piece_type_at(from) else { return 0.0 };
        let us = position.turn();
        let is_capture = position.is_capture(mv);
        let gives_check = position.gives_check_with(&self.info, mv);
        let mut sum = ANY;
        if is_capture {
            let takes_what_moved = self.last.is_some_and(|(square, _)| square == to);
            sum += CAPTURE + if takes_what_moved { TAKES_WHAT_MOVED } else { 0.0 };
        } else if self.has_captures && !gives_check {
            sum += QUIET_AMONG_CAPTURES;
        }
        if gives_check {
            sum += CHECK;
        }
        if mv.is_promotion() {
            sum += PROMOTION;
        }
        if mv.is_castling() {
            return sum.max(0.0);
        }
        if piece_type != PieceType::Pawn {
            sum += self.geometry(piece_type, from, to, us);
        }
        if piece_type == PieceType::Knight {
            sum += KNIGHT + if self.forks(to, us) { FORK } else { 0.0 };
        }
        let discovers_check = self.info.blockers().contains(from) && !self.info.squares(piece_type).contains(to);
        if gives_check && discovers_check || self.screens.contains(from) && self.uncovers(from, to, us) {
            sum += DISCOVERY;
        }
        if is_capture && self.is_guarded_by_pinned_only(to, us) {
            sum += PIN;
        }
        if self.last.is_some_and(|(square, _)| square.distance(to) > 3 && square.distance(from) > 3) {
            sum += ELSEWHERE;
        }
        if self.can_recapture {
            sum += IN_BETWEEN;
        }
        sum.max(0.0)
    }

    /// The part that depends on direction and length.
    fn geometry(&self, piece_type: PieceType, from: Square, to: Square, us: Color) -> f64 {
        let (start, end) = (from.relative_to(us).rank().index(), to.relative_to(us).rank().index());
        let is_diagonal = from.file() != to.file() && start != end;
        let mut sum = 0.0;
        if end < start {
            sum += BACKWARD;
        } else if end == start {
            sum += SIDEWARD;
        }
        if piece_type != PieceType::Knight && from.distance(to) >= 4 {
            sum += if is_diagonal { LONG_DIAGONAL } else { FAR };
        }
        sum
    }

    /// Whether a knight on `to` attacks two pieces that are worth more.
    fn forks(&self, to: Square, us: Color) -> bool {
        let position = self.position;
        let heavy = position.orthogonal_sliders() | position.by_type(PieceType::King);
        (bartizan_attacks::knight(to) & heavy & position.color(!us)).has_many()
    }

    /// Whether a move from `from` opens a line from a slider to a more valuable piece of the opponent.
    fn uncovers(&self, from: Square, to: Square, us: Color) -> bool {
        let position = self.position;
        let without = position.occupied() ^ from.bitboard() | to.bitboard();
        let heavy = (position.orthogonal_sliders() | position.by_type(PieceType::King)) & position.color(!us);
        let behind = |sliders: Bitboard, attacks: fn(Square, Bitboard) -> Bitboard| {
            (sliders & position.color(us) & !from.bitboard())
                .into_iter()
                .any(|slider| (attacks(slider, without) & !attacks(slider, position.occupied()) & heavy).any())
        };
        behind(position.by_type(PieceType::Bishop), bartizan_attacks::bishop)
            || behind(position.by_type(PieceType::Rook), bartizan_attacks::rook)
    }

    /// Whether the opponent's only guards of a square are pinned to their king.
    fn is_guarded_by_pinned_only(&self, square: Square, us: Color) -> bool {
        let position = self.position;
        let guards = position.attackers_to(square, position.occupied(), !us);
        if guards.is_empty() {
            return false;
        }
        let king = position.king(!us);
        let pinned = position.scan_sliders(king, position.color(us), position.occupied()).blockers;
        guards.is_subset_of(pinned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difficulty(fen: &str, mv: &str, last: Option<(Square, bool)>) -> f64 {
        let position = Position::from_fen(fen).unwrap();
        let moves = position.legal_moves();
        Scene::new(&position, last, &moves).difficulty(position.parse_uci(mv).unwrap())
    }

    #[test]
    fn backward_long_and_discovering_moves_are_hard_to_see() {
        let fen = "4k3/7q/8/8/3B4/8/8/K2Q4 w - - 0 1";
        let near = difficulty(fen, "d4e5", None);
        assert!(difficulty(fen, "d4g1", None) > near, "backward");
        assert!(difficulty(fen, "d4h8", None) > near, "a long diagonal");
        let discovery = "3qk3/8/8/8/3B4/8/8/K2R4 w - - 0 1";
        assert!(difficulty(discovery, "d4e5", None) > near, "a discovered attack");
        let (fork, no_fork) = ("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "b3k3/8/8/3N4/8/8/8/4K3 w - - 0 1");
        assert!(difficulty(fork, "d5c7", None) > difficulty(no_fork, "d5c7", None), "a fork");
    }

    #[test]
    fn captures_are_seen_before_quiet_moves_and_recaptures_always() {
        let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
        assert!(difficulty(fen, "e4d5", None) < difficulty(fen, "e4e5", None));
        assert_eq!(difficulty(fen, "e4d5", Some((Square::D5, true))), 0.0);
        let moved = difficulty(fen, "e4d5", Some((Square::D5, false)));
        assert!(moved < difficulty(fen, "e4d5", None), "the piece that has just moved");
        let elsewhere = difficulty(fen, "e4e5", Some((Square::D5, true)));
        assert!(elsewhere > difficulty(fen, "e4e5", Some((Square::D5, false))), "an in-between move");
    }

    #[test]
    fn a_guard_that_is_pinned_is_easily_believed() {
        // The knight on d7 guards e5, but is pinned to the king.
        let (pinned, free) = ("4k3/3n4/8/1B2p3/8/5N2/8/4K3 w - - 0 1", "5k2/3n4/8/1B2p3/8/5N2/8/4K3 w - - 0 1");
        assert!(difficulty(pinned, "f3e5", None) > difficulty(free, "f3e5", None));
    }
}
