//! King and one or two pieces against the bare king.

use super::{Mates, NO_MATE, distance, king_steps, longest};
use bartizan_position::Position;
use bartizan_types::{Bitboard, Color, Direction, File, PieceType, Rank, Square, rays};

/// Plies to mate with one or two pieces, no pawns, against the bare king, by retrograde analysis.
///
/// The board's symmetry keeps the bare king on a1 to d4.
#[derive(Debug)]
pub struct PieceMates {
    pieces: Vec<PieceType>,
    /// By [`index`]: with the strong side to move, then with the bare king to move.
    plies: [Vec<u8>; 2],
}

impl PieceMates {
    /// Solves the ending. Two pieces take some seconds without optimisation.
    ///
    /// # Panics
    ///
    /// Unless there are one or two pieces, neither a king nor a pawn.
    pub fn solve(pieces: &[PieceType]) -> Self {
        let plies = match pieces.len() {
            1 => solve::<3>(pieces),
            2 => solve::<4>(pieces),
            count => panic!("{count} pieces instead of one or two"),
        };
        Self { pieces: pieces.to_vec(), plies }
    }

    /// The longest mate in plies, with the strong side to move.
    pub fn longest(&self) -> Option<u32> {
        longest(&self.plies[0])
    }

    /// Plies to mate with the side `turn` to move, Black having the bare king `weak`; `None` for a draw or an illegal
    /// position. The squares of the pieces are in the order in which the pieces were given.
    pub fn plies_at(&self, turn: Color, weak: Square, strong: Square, pieces: &[Square]) -> Option<u32> {
        let mut squares = vec![weak, strong];
        squares.extend(pieces);
        distance(self.plies[usize::from(turn == Color::Black)][index(&squares)])
    }
}

impl Mates for PieceMates {
    fn plies(&self, position: &Position) -> Option<u32> {
        let [strong, weak] = Color::ALL.map(|color| position.king(color));
        let mut left = position.color(Color::White) - strong.bitboard();
        let mut pieces = Vec::new();
        for &piece_type in &self.pieces {
            let square = (left & position.by_type(piece_type)).first()?;
            left -= square.bitboard();
            pieces.push(square);
        }
        self.plies_at(position.turn(), weak, strong, &pieces)
    }
}

fn attacks(piece_type: PieceType, square: Square, occupied: Bitboard) -> Bitboard {
    match piece_type {
        PieceType::Knight => [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
            .into_iter()
            .filter_map(|(files, ranks)| square.offset(files, ranks))
            .collect(),
        PieceType::Bishop => rays::slider_attacks(square, &Direction::BISHOP, occupied),
        PieceType::Rook => rays::slider_attacks(square, &Direction::ROOK, occupied),
        PieceType::Queen => rays::slider_attacks(square, &Direction::ALL, occupied),
        PieceType::King => king_steps(square),
        PieceType::Pawn => panic!("pawns have a table of their own"),
    }
}

/// The bare king, the other king, and the pieces.
type Squares<const N: usize> = [Square; N];

/// The place of a position in the table.
fn index(squares: &[Square]) -> usize {
    let weak = squares[0];
    let files = if weak.file() > File::D { 7 } else { 0 };
    let ranks = if weak.rank() > Rank::Fourth { 56 } else { 0 };
    let image = |square: Square| square.index() ^ files ^ ranks;
    let weak = image(weak);
    squares[1..].iter().fold((weak >> 3) * 4 + (weak & 7), |index, &square| index * 64 + image(square))
}

/// The position at a place in the table.
fn squares<const N: usize>(mut index: usize) -> Squares<N> {
    let mut squares = [Square::A1; N];
    for square in squares[1..].iter_mut().rev() {
        *square = Square::from_index(index & 63);
        index >>= 6;
    }
    squares[0] = Square::from_index((index >> 2) * 8 + (index & 3));
    squares
}

/// Works backwards from the mates, one ply after another.
fn solve<const N: usize>(pieces: &[PieceType]) -> [Vec<u8>; 2] {
    let size = 16 << (6 * (N - 1));
    let mut plies = [vec![NO_MATE; size], vec![NO_MATE; size]];
    // Whether the strong side may be to move, and the number of the weak side's moves that are not known to lose.
    let mut strong_to_move = vec![false; size];
    let mut escapes = vec![0_u8; size];
    let mut lost = Vec::new();
    for index in 0..size {
        let squares = squares::<N>(index);
        let [weak, strong] = [squares[0], squares[1]];
        let all: Bitboard = squares.into_iter().collect();
        if all.count() < N as u32 || weak.distance(strong) < 2 {
            continue;
        }
        // The bare king does not shield the squares behind it.
        let others = all - weak.bitboard();
        let guarded = pieces
            .iter()
            .zip(&squares[2..])
            .fold(king_steps(strong), |guarded, (&piece_type, &square)| guarded | attacks(piece_type, square, others));
        strong_to_move[index] = !guarded.contains(weak);
        // The capture of an unguarded piece is one of the moves. It never loses: what remains cannot mate.
        escapes[index] = (king_steps(weak) - guarded).count() as u8;
        if escapes[index] == 0 && guarded.contains(weak) {
            plies[1][index] = 0;
            lost.push(index);
        }
    }
    for depth in (1..).step_by(2) {
        let mut won = Vec::new();
        for index in lost.drain(..) {
            before_strong::<N>(pieces, index, |before| {
                if strong_to_move[before] && plies[0][before] == NO_MATE {
                    plies[0][before] = depth;
                    won.push(before);
                }
            });
        }
        for index in won {
            before_weak::<N>(index, |before| {
                escapes[before] -= 1;
                if escapes[before] == 0 {
                    plies[1][before] = depth + 1;
                    lost.push(before);
                }
            });
        }
        if lost.is_empty() {
            break;
        }
    }
    plies
}

/// Calls `found` with the positions from which a quiet move of the strong side leads to this one.
fn before_strong<const N: usize>(pieces: &[PieceType], now: usize, mut found: impl FnMut(usize)) {
    let squares = squares::<N>(now);
    let all: Bitboard = squares.into_iter().collect();
    for man in 1..N {
        let piece_type = if man == 1 { PieceType::King } else { pieces[man - 2] };
        for from in attacks(piece_type, squares[man], all) - all {
            let mut before = squares;
            before[man] = from;
            if before[0].distance(before[1]) > 1 {
                found(index(&before));
            }
        }
    }
}

/// Calls `found` with the positions from which a quiet move of the bare king leads to this one.
fn before_weak<const N: usize>(now: usize, mut found: impl FnMut(usize)) {
    let squares = squares::<N>(now);
    let all: Bitboard = squares.into_iter().collect();
    for from in king_steps(squares[0]) - all {
        let mut before = squares;
        before[0] = from;
        if before[0].distance(before[1]) > 1 {
            found(index(&before));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest mates in the literature: queen 10 moves, rook 16.
    #[test]
    fn longest_mates() {
        let longest = |piece_type| PieceMates::solve(&[piece_type]).longest().unwrap().div_ceil(2);
        assert_eq!([PieceType::Queen, PieceType::Rook].map(longest), [10, 16]);
        assert_eq!(PieceMates::solve(&[PieceType::Knight]).longest(), None);
    }

    #[test]
    fn positions_are_looked_up() {
        let rook = PieceMates::solve(&[PieceType::Rook]);
        let plies = |fen| rook.plies(&Position::from_fen(fen).unwrap());
        assert_eq!(plies("k7/8/1K6/8/8/8/8/7R w - - 0 1"), Some(1));
        assert_eq!(plies("k6R/8/1K6/8/8/8/8/8 b - - 0 1"), Some(0));
        assert_eq!(plies("8/8/8/8/8/8/1kR5/7K b - - 0 1"), None);
    }
}
