//! King and pawn against the bare king.

use super::{Mates, NO_MATE, PieceMates, distance, king_steps, longest};
use bartizan_position::Position;
use bartizan_types::{Color, Direction, PieceType, Rank, Square};
use std::sync::LazyLock;

/// Plies to mate with king and pawn against the bare king, and after the promotion to a queen or a rook.
///
/// The positions with the pawn are solved by iteration over all of them until nothing changes.
#[derive(Debug)]
pub struct KingAndPawnMates {
    queen: PieceMates,
    rook: PieceMates,
    /// By [`index`].
    pawn: Vec<u8>,
}

impl KingAndPawnMates {
    /// The solved ending. The first call in a process takes some seconds without optimisation.
    pub fn get() -> &'static Self {
        static SOLVED: LazyLock<KingAndPawnMates> = LazyLock::new(KingAndPawnMates::solve);
        &SOLVED
    }

    fn solve() -> Self {
        let [queen, rook] = [PieceType::Queen, PieceType::Rook].map(|piece_type| PieceMates::solve(&[piece_type]));
        let mut solved = Self { queen, rook, pawn: vec![NO_MATE; 64 * 64 * 64 * 2] };
        // A pawn only moves forward, so each rank needs only the ranks above it.
        for rank in Rank::ALL[1..7].iter().rev() {
            for pawn in rank.bitboard() {
                while solved.sweep(pawn) {}
            }
        }
        solved
    }

    /// King and queen against the bare king.
    pub fn queen(&self) -> &PieceMates {
        &self.queen
    }

    /// King and rook against the bare king.
    pub fn rook(&self) -> &PieceMates {
        &self.rook
    }

    /// The longest mate in plies.
    pub fn longest(&self) -> Option<u32> {
        longest(&self.pawn)
    }

    /// Plies to mate with the side `turn` to move, a white pawn and Black's bare king `weak`; `None` for a draw or an
    /// illegal position.
    pub fn plies_at(&self, turn: Color, pawn: Square, strong: Square, weak: Square) -> Option<u32> {
        distance(self.pawn[index(turn == Color::White, pawn, strong, weak)])
    }

    /// Solves each position with the pawn on one square once. Returns whether anything changed.
    fn sweep(&mut self, pawn: Square) -> bool {
        let mut changed = false;
        for strong in Square::ALL.into_iter().filter(|&strong| strong != pawn) {
            for weak in Square::ALL.into_iter().filter(|&weak| weak != pawn && weak.distance(strong) > 1) {
                for strong_to_move in [true, false] {
                    let plies = if strong_to_move {
                        self.best_strong_move(pawn, strong, weak)
                    } else {
                        self.best_weak_move(pawn, strong, weak)
                    };
                    let entry = &mut self.pawn[index(strong_to_move, pawn, strong, weak)];
                    changed |= *entry != plies;
                    *entry = plies;
                }
            }
        }
        changed
    }

    fn best_strong_move(&self, pawn: Square, strong: Square, weak: Square) -> u8 {
        if guards(pawn, weak) {
            return NO_MATE; // Illegal: the side not to move is in check.
        }
        let mut best = NO_MATE;
        for to in king_steps(strong).into_iter().filter(|&to| to != pawn && to.distance(weak) > 1) {
            best = best.min(self.pawn[index(false, pawn, to, weak)]);
        }
        let free = |square: &Square| *square != strong && *square != weak;
        let single = pawn.step(Direction::North).filter(free);
        let double = single.filter(|_| pawn.rank() == Rank::Second).and_then(|over| over.step(Direction::North));
        for to in single.into_iter().chain(double.filter(free)) {
            if to.rank() == Rank::Eighth {
                for promoted in [&self.queen, &self.rook] {
                    let plies = promoted.plies_at(Color::Black, weak, strong, &[to]);
                    best = best.min(plies.map_or(NO_MATE, |plies| plies as u8));
                }
            } else {
                best = best.min(self.pawn[index(false, to, strong, weak)]);
            }
        }
        if best == NO_MATE { NO_MATE } else { best + 1 }
    }

    fn best_weak_move(&self, pawn: Square, strong: Square, weak: Square) -> u8 {
        let mut worst = None;
        for to in king_steps(weak).into_iter().filter(|&to| to.distance(strong) > 1 && !guards(pawn, to)) {
            let plies = if to == pawn { NO_MATE } else { self.pawn[index(true, pawn, strong, to)] };
            worst = worst.max(Some(plies));
        }
        match worst {
            None if guards(pawn, weak) => 0,
            None | Some(NO_MATE) => NO_MATE,
            Some(plies) => plies + 1,
        }
    }
}

impl Mates for KingAndPawnMates {
    fn plies(&self, position: &Position) -> Option<u32> {
        match position.by_type(PieceType::Pawn).first() {
            Some(pawn) => {
                let [strong, weak] = Color::ALL.map(|color| position.king(color));
                self.plies_at(position.turn(), pawn, strong, weak)
            }
            None => self.queen.plies(position).or_else(|| self.rook.plies(position)),
        }
    }
}

fn index(strong_to_move: bool, pawn: Square, strong: Square, weak: Square) -> usize {
    ((pawn.index() * 64 + strong.index()) * 64 + weak.index()) * 2 + usize::from(!strong_to_move)
}

/// Whether the pawn attacks the square.
fn guards(pawn: Square, square: Square) -> bool {
    [Direction::NorthEast, Direction::NorthWest].into_iter().any(|side| pawn.step(side) == Some(square))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest mate in the literature: 28 moves.
    #[test]
    fn longest_mate() {
        assert_eq!(KingAndPawnMates::get().longest().unwrap().div_ceil(2), 28);
    }
}
