//! The material on the board, as the win-draw-loss model counts it.

use bartizan_position::Position;
use bartizan_types::PieceType;

/// The material of both sides in points, from 17 to 78 (the starting position): pawn 1, knight and bishop 3, rook 5,
/// queen 9.
///
/// Other sums are clamped. The bounds are Stockfish's: with less material there are few games to fit, and most scores
/// come from endgame knowledge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaterialCount(u8);

impl MaterialCount {
    /// The smallest material that is distinguished.
    pub const MIN: Self = Self(17);
    /// The largest material that is distinguished.
    pub const MAX: Self = Self(78);
    /// The number of points that the polynomials of the model treat as 1.
    const UNIT: f64 = 58.0;

    /// Creates a material of `points`, clamped to the bounds.
    pub fn new(points: u32) -> Self {
        Self(points.clamp(u32::from(Self::MIN.0), u32::from(Self::MAX.0)) as u8)
    }

    /// Counts the material of a position.
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

    /// All distinguished values, in ascending order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (Self::MIN.0..Self::MAX.0 + 1).map(Self)
    }

    /// The points, from 17 to 78.
    pub fn points(self) -> u32 {
        u32::from(self.0)
    }

    /// The argument of the model's polynomials: points divided by 58, about 1 in a middlegame.
    pub fn relative(self) -> f64 {
        f64::from(self.0) / Self::UNIT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_counted_within_bounds() {
        let points = |fen: &str| MaterialCount::of(&Position::from_fen(fen).unwrap()).points();
        assert_eq!(MaterialCount::of(&Position::startpos()), MaterialCount::MAX);
        assert_eq!(points("4k3/pp6/8/8/8/8/8/QRBNK3 w - - 0 1"), 22);
        assert_eq!(points("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"), 17);
        assert_eq!(points("qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1"), 78);
        assert_eq!(
            (MaterialCount::all().len(), MaterialCount::all().next(), MaterialCount::all().last()),
            (62, Some(MaterialCount::MIN), Some(MaterialCount::MAX))
        );
    }
}
