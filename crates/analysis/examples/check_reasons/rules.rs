//! The rules of chess as the second verifier needs them: slow, and written without the detectors.

use bartizan_position::Position;
use bartizan_types::{Color, Direction, Move, PieceType, Square};

const ORTHOGONAL: [Direction; 4] = [Direction::North, Direction::South, Direction::East, Direction::West];
const DIAGONAL: [Direction; 4] =
    [Direction::NorthEast, Direction::NorthWest, Direction::SouthEast, Direction::SouthWest];

/// The conventional value of a piece in pawns; more for a king than for all others together.
pub(crate) fn worth(piece_type: PieceType) -> i32 {
    match piece_type {
        PieceType::Pawn => 1,
        PieceType::Knight | PieceType::Bishop => 3,
        PieceType::Rook => 5,
        PieceType::Queen => 9,
        PieceType::King => 100,
    }
}

/// The pawns' worth of a side's pieces without its king.
pub(crate) fn material(position: &Position, color: Color) -> i32 {
    let own = position.placement().filter(|(_, piece)| piece.color() == color);
    own.filter(|(_, piece)| piece.piece_type() != PieceType::King).map(|(_, piece)| worth(piece.piece_type())).sum()
}

/// The material of a side less that of the other.
pub(crate) fn balance(position: &Position, color: Color) -> i32 {
    material(position, color) - material(position, !color)
}

/// The squares on the lines from a square, each up to and including the first occupied one.
fn rays(position: &Position, from: Square, directions: &[Direction]) -> Vec<Square> {
    let mut seen = Vec::new();
    for &direction in directions {
        let mut at = from;
        while let Some(next) = at.step(direction) {
            seen.push(next);
            if position.piece_at(next).is_some() {
                break;
            }
            at = next;
        }
    }
    seen
}

/// The squares that the piece on a square attacks.
pub(crate) fn attacked_from(position: &Position, from: Square) -> Vec<Square> {
    let Some(piece) = position.piece_at(from) else { return Vec::new() };
    let steps = |steps: &[(i8, i8)]| steps.iter().filter_map(|&(files, ranks)| from.offset(files, ranks)).collect();
    match piece.piece_type() {
        PieceType::Pawn => {
            let forward = if piece.color().is_white() { 1 } else { -1 };
            steps(&[(-1, forward), (1, forward)])
        }
        PieceType::Knight => steps(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]),
        PieceType::King => steps(&[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]),
        PieceType::Bishop => rays(position, from, &DIAGONAL),
        PieceType::Rook => rays(position, from, &ORTHOGONAL),
        PieceType::Queen => [rays(position, from, &DIAGONAL), rays(position, from, &ORTHOGONAL)].concat(),
    }
}

/// Whether the piece on a square attacks another.
pub(crate) fn attacks(position: &Position, from: Square, target: Square) -> bool {
    attacked_from(position, from).contains(&target)
}

/// The squares of a side's pieces that attack a square.
pub(crate) fn attackers(position: &Position, color: Color, target: Square) -> Vec<Square> {
    let own = position.placement().filter(|(_, piece)| piece.color() == color);
    own.map(|(square, _)| square).filter(|&square| attacks(position, square, target)).collect()
}

/// The squares strictly between two squares of a line; `None` if they share no rank, file or diagonal.
pub(crate) fn between(a: Square, b: Square) -> Option<Vec<Square>> {
    for direction in ORTHOGONAL.into_iter().chain(DIAGONAL) {
        let mut passed = Vec::new();
        let mut at = a;
        while let Some(next) = at.step(direction) {
            if next == b {
                return Some(passed);
            }
            passed.push(next);
            at = next;
        }
    }
    None
}

/// Whether `pinned` stands between `slider` and `behind` as the only piece, and the slider moves along this line.
pub(crate) fn is_pinned(position: &Position, slider: Square, pinned: Square, behind: Square) -> bool {
    let Some(line) = between(slider, behind) else { return false };
    let Some(piece) = position.piece_at(slider) else { return false };
    let is_straight = slider.file() == behind.file() || slider.rank() == behind.rank();
    let fits = match piece.piece_type() {
        PieceType::Queen => true,
        PieceType::Rook => is_straight,
        PieceType::Bishop => !is_straight,
        _ => false,
    };
    fits && line.iter().all(|&square| (square == pinned) == position.piece_at(square).is_some())
}

/// The most that the side to move can win by captures on a square, in pawns: both sides take back with any legal move
/// or stop. 0 if no capture is worth it.
pub(crate) fn exchange(position: &Position, square: Square) -> i32 {
    let captures = position.legal_moves().into_iter().filter(|mv| takes_on(position, *mv, square));
    captures.map(|mv| exchange_by(position, mv)).max().unwrap_or(0).max(0)
}

/// What a capture wins if the other side takes back on the same square only where this is good for it.
pub(crate) fn exchange_by(position: &Position, mv: Move) -> i32 {
    let gain = gain(position, mv);
    gain - exchange(&position.play_unchecked(mv), mv.to())
}

/// The pawns' worth of what a move takes, and of what it promotes to beyond the pawn.
pub(crate) fn gain(position: &Position, mv: Move) -> i32 {
    let taken = position.captured(mv).map_or(0, worth);
    taken + mv.promotes_to().map_or(0, |piece_type| worth(piece_type) - 1)
}

fn takes_on(position: &Position, mv: Move, square: Square) -> bool {
    mv.to() == square && position.is_capture(mv)
}

/// What the side to move can win by captures and promotions, in pawns, if both sides may take anything or stop:
/// alpha-beta over at most `plies` such moves. In check, all moves are tried, and mate is worth 1,000.
pub(crate) fn capture_search(position: &Position, plies: u32) -> i32 {
    quiesce(position, plies, -2000, 2000)
}

fn quiesce(position: &Position, plies: u32, mut alpha: i32, beta: i32) -> i32 {
    let moves = position.legal_moves();
    let in_check = position.in_check();
    if moves.is_empty() {
        return if in_check { -1000 } else { 0 };
    }
    if plies == 0 {
        return 0;
    }
    let mut best = if in_check { -1000 } else { 0 };
    let mut tried: Vec<(i32, Move)> = moves
        .into_iter()
        .filter(|&mv| in_check || position.is_tactical(mv))
        .map(|mv| (gain(position, mv), mv))
        .collect();
    tried.sort_by_key(|&(gain, _)| -gain);
    for (gain, mv) in tried {
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
        best = best.max(gain - quiesce(&position.play_unchecked(mv), plies - 1, gain - beta, gain - alpha));
    }
    best
}

/// The positions along a line, the first one included; `None` if a move is not legal.
pub(crate) fn play_all(position: &Position, line: &[Move]) -> Option<Vec<Position>> {
    let mut positions = vec![position.clone()];
    for &mv in line {
        let next = positions.last()?.play(mv).ok()?;
        positions.push(next);
    }
    Some(positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    fn attacks_are_those_of_the_library() {
        let position = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        for (square, _) in position.placement() {
            let attacked: bartizan_types::Bitboard = attacked_from(&position, square).into_iter().collect();
            assert_eq!(attacked, position.attacks_from(square), "{square}");
        }
        assert_eq!(attackers(&position, Color::White, Square::E6), [Square::D5]);
    }

    #[test]
    fn an_exchange_counts_legal_recaptures_only() {
        // The rook wins a pawn that a pinned knight seems to protect; unpinned, it protects it.
        let pinned = position("4k3/4n3/8/3p4/8/8/8/K2RR3 w - - 0 1");
        assert_eq!(exchange(&pinned, Square::D5), 1);
        let free = position("4k3/4n3/8/3p4/8/8/8/K2R4 w - - 0 1");
        assert_eq!(exchange(&free, Square::D5), 0);
    }

    #[test]
    fn captures_elsewhere_count_in_a_capture_search() {
        // Black takes a bishop and loses the knight.
        let both = position("3r2k1/8/8/8/R5n1/3B4/8/6K1 b - - 0 1");
        assert_eq!(capture_search(&both, 6), 0);
        let hanging = position("6k1/8/8/8/R5n1/8/8/6K1 w - - 0 1");
        assert_eq!(capture_search(&hanging, 6), 3);
        assert_eq!(capture_search(&Position::startpos(), 6), 0);
    }

    #[test]
    fn pins_need_a_slider_of_the_right_kind_and_nothing_else_between() {
        let position = position("4k3/8/4n3/8/8/4R3/8/4K3 b - - 0 1");
        assert!(is_pinned(&position, Square::E3, Square::E6, Square::E8));
        assert!(!is_pinned(&position, Square::E3, Square::E5, Square::E8));
        assert_eq!(between(Square::A1, Square::D4), Some(vec![Square::B2, Square::C3]));
        assert_eq!(between(Square::A1, Square::B3), None);
    }
}
