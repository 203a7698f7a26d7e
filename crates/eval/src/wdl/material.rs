//! How much is left on the board, as the chances of the game depend on it.

use bartizan_position::Position;
use bartizan_types::PieceType;

/// The material of both sides together: pawn 1, knight and bishop 3, rook 5, queen 9; less than 17 counts as 17, more than 78
/// (all there is at the start of a game) as 78.
///
/// The bounds are Stockfish's: with still less on the board there are few games to learn from, and their scores are of
/// another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material(u8);

impl Material {
    /// The least that is told apart.
    pub const MIN: Self = Self(17);
    /// The most.
    pub const MAX: Self = Self(78);
    /// What counts as one in the polynomials of the model.
    const UNIT: f64 = 58.0;

    /// So many points, within the bounds.
    pub fn new(points: u32) -> Self {
        Self(points.clamp(u32::from(Self::MIN.0), u32::from(Self::MAX.0)) as u8)
    }

    /// What is on the board.
    pub fn of(position: &Position) -> Self {
        const POINTS: [(PieceType, u32); 5] = [
            (PieceType::Pawn, 1),
            (PieceType::Knight, 3),
            (PieceType::Bishop, 3),
            (PieceType::Rook, 5),
            (PieceType::Queen, 9),
        ];
        Self::new(POINTS.iter().map(|&(kind, points)| points * position.by_type(kind).count()).sum())
    }

    /// All that are told apart, the least first.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (Self::MIN.0..Self::MAX.0 + 1).map(Self)
    }

    /// The points, from 17 to 78.
    pub fn points(self) -> u32 {
        u32::from(self.0)
    }

    /// As the polynomials of the model want it: about one in a full middlegame.
    pub fn relative(self) -> f64 {
        f64::from(self.0) / Self::UNIT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_counted_within_bounds() {
        let points = |fen: &str| Material::of(&Position::from_fen(fen).unwrap()).points();
        assert_eq!(Material::of(&Position::startpos()), Material::MAX);
        assert_eq!(points("4k3/pp6/8/8/8/8/8/QRBNK3 w - - 0 1"), 22);
        assert_eq!(points("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"), 17);
        assert_eq!(points("qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1"), 78);
        assert_eq!(
            (Material::all().len(), Material::all().next(), Material::all().last()),
            (62, Some(Material::MIN), Some(Material::MAX))
        );
    }
}
