//! Material: the pieces on the board, regardless of their squares.

use bartizan_position::Position;
use bartizan_types::{Color, Piece, PieceType};

/// The number of pieces of each type and colour.
///
/// Up to 15 equal pieces can be counted.
///
/// ```
/// use bartizan_position::Position;
/// use bartizan_tablebase::Material;
///
/// let position = Position::from_fen("8/8/8/4k3/4p3/8/8/K2R4 w - - 0 1")?;
/// assert_eq!(Material::parse("KRvKP"), Some(Material::of(&position)));
/// assert_eq!(Material::of(&position).men(), 4);
/// let names: Vec<String> = Material::all(3).into_iter().map(Material::name).collect();
/// assert_eq!(names.len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material(
    /// Four bits for each of the twelve pieces, by [`Piece::index`].
    u64,
);

impl Material {
    /// The material of a position.
    pub fn of(position: &Position) -> Self {
        position.placement().map(|(_, piece)| piece).collect()
    }

    /// Parses the name of a table, such as `KRPvKR`: white's pieces before the `v`, each side's king first.
    pub fn parse(name: &str) -> Option<Self> {
        let (white, black) = name.split_once('v')?;
        let mut material = Self::default();
        for (side, color) in [(white, Color::White), (black, Color::Black)] {
            if !side.starts_with('K') || side.matches('K').count() != 1 || side.len() > crate::MAX_MEN {
                return None;
            }
            for letter in side.chars() {
                // Only upper-case letters, which `from_char` reads as white pieces.
                let piece = Piece::from_char(letter).filter(|piece| piece.color().is_white())?;
                material = material.with(piece.piece_type().of(color));
            }
        }
        Some(material)
    }

    /// Every material of `men` pieces for which a table exists, once for both colours: the stronger side is White.
    pub fn all(men: usize) -> Vec<Self> {
        let mut all = Vec::new();
        for white in 1..men {
            for strong in Self::sides(white - 1) {
                for weak in Self::sides(men - white - 1) {
                    let side = |pieces: &[PieceType], color| {
                        let king = [PieceType::King.of(color)];
                        king.into_iter().chain(pieces.iter().map(move |piece| piece.of(color))).collect::<Vec<Piece>>()
                    };
                    let material: Self =
                        side(&strong, Color::White).into_iter().chain(side(&weak, Color::Black)).collect();
                    if material.is_canonical() {
                        all.push(material);
                    }
                }
            }
        }
        all
    }

    /// Every choice of pieces besides the king, the strongest first.
    fn sides(pieces: usize) -> Vec<Vec<PieceType>> {
        let mut sides = vec![Vec::new()];
        for _ in 0..pieces {
            sides = sides
                .iter()
                .flat_map(|side: &Vec<PieceType>| {
                    let weakest = side.last().copied().unwrap_or(PieceType::Queen);
                    let next = PieceType::ALL.into_iter().rev().filter(move |&next| next <= weakest);
                    next.map(|next| side.iter().copied().chain([next]).collect::<Vec<PieceType>>())
                })
                .collect();
        }
        sides
    }

    /// The pieces of a side, the king first, then the strongest.
    pub fn side(self, color: Color) -> impl Iterator<Item = PieceType> {
        let types = PieceType::ALL.into_iter().rev();
        types.flat_map(move |piece_type| std::iter::repeat_n(piece_type, self.count(piece_type.of(color))))
    }

    /// Whether the files are named after this material, not after the one with swapped colours: White has more pieces
    /// or, if equal in number, stronger ones.
    pub fn is_canonical(self) -> bool {
        let [white, black] = [Color::White, Color::Black].map(|color| self.side(color).collect::<Vec<PieceType>>());
        (white.len(), white) >= (black.len(), black)
    }

    /// The name of the table, such as `KRPvKR`.
    pub fn name(self) -> String {
        let material = if self.is_canonical() { self } else { self.mirrored() };
        let letters = |color| material.side(color).map(|piece_type| piece_type.of(Color::White).to_char());
        letters(Color::White).chain(['v']).chain(letters(Color::Black)).collect()
    }

    /// The material with an additional piece.
    #[must_use]
    pub fn with(self, piece: Piece) -> Self {
        Self(self.0 + (1 << (4 * piece.index())))
    }

    /// The material without one such piece. `None` if there is none.
    pub fn without(self, piece: Piece) -> Option<Self> {
        (self.count(piece) > 0).then(|| Self(self.0 - (1 << (4 * piece.index()))))
    }

    /// The number of pieces equal to `piece`.
    pub fn count(self, piece: Piece) -> usize {
        (self.0 >> (4 * piece.index()) & 15) as usize
    }

    /// The total number of pieces.
    pub fn men(self) -> usize {
        Piece::ALL.into_iter().map(|piece| self.count(piece)).sum()
    }

    /// Swaps the colours.
    #[must_use]
    pub fn mirrored(self) -> Self {
        // White pieces have even indices.
        const WHITE: u64 = 0x0f0f_0f0f_0f0f;
        Self((self.0 & WHITE) << 4 | self.0 >> 4 & WHITE)
    }

    /// Whether both sides have the same pieces.
    pub fn is_symmetric(self) -> bool {
        self == self.mirrored()
    }

    /// Whether a pawn is on the board.
    pub fn has_pawns(self) -> bool {
        Color::ALL.into_iter().any(|color| self.count(PieceType::Pawn.of(color)) > 0)
    }

    /// Whether some piece other than a king is the only one of its type and colour.
    pub(crate) fn has_single(self) -> bool {
        Piece::ALL.into_iter().any(|piece| piece.piece_type() != PieceType::King && self.count(piece) == 1)
    }
}

impl FromIterator<Piece> for Material {
    fn from_iter<I: IntoIterator<Item = Piece>>(pieces: I) -> Self {
        pieces.into_iter().fold(Self::default(), Self::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tables_are_named_once() {
        // As many as Syzygy has files.
        for (men, number) in [(3, 5), (4, 30), (5, 110), (6, 365), (7, 1_001)] {
            let mut names: Vec<String> = Material::all(men).into_iter().map(Material::name).collect();
            for (name, material) in names.iter().zip(Material::all(men)) {
                assert_eq!(Material::parse(name), Some(material), "{name}");
                assert_eq!(material.mirrored().name(), *name);
            }
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), number, "{men}");
        }
        assert_eq!(
            Material::all(3).into_iter().map(Material::name).collect::<Vec<_>>(),
            ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]
        );
        for name in ["KRvKB", "KNNvKQ", "KQPvKRP"] {
            assert_eq!(Material::parse(name).unwrap().name(), name);
        }
    }

    #[test]
    fn names_and_positions_agree() {
        let position = Position::from_fen("8/8/4k3/3r4/8/8/4P3/3RK3 w - - 0 1").unwrap();
        let material = Material::parse("KRPvKR").unwrap();
        assert_eq!(Material::of(&position), material);
        assert_eq!((material.men(), material.has_pawns(), material.is_symmetric()), (5, true, false));
        assert_eq!(material.mirrored(), Material::parse("KRvKRP").unwrap());
        assert!(Material::parse("KRvKR").unwrap().is_symmetric());
        assert!(Material::parse("KBBvK").is_some_and(|material| !material.has_single()));
        for name in ["", "K", "v", "KvQ", "KKvK", "KXvK", "KQvKvK", "kvk", "KQqvK", "KQQQQQQQQQQQQQQQQQvK"] {
            assert_eq!(Material::parse(name), None, "{name}");
        }
    }
}
