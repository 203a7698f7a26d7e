//! A move in 16 bits.

use crate::{CastlingSide, Color, File, PieceType, Square, UciMove, Variant};
use core::fmt;
use core::num::NonZeroU16;

/// The kind of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum MoveKind {
    /// An ordinary move or capture.
    Normal,
    /// An en passant capture.
    EnPassant,
    /// Castling. The target is the square of the castling rook, as in Chess960.
    Castling,
    /// A promotion to this piece.
    Promotion(PieceType),
}

/// A move: origin, target and kind in 16 bits. It is never zero, so `Option<Move>` takes 16 bits as well.
///
/// | bits  | meaning |
/// |-------|---------|
/// | 0–5   | origin square |
/// | 6–11  | target square; for castling, the square of the rook |
/// | 12–15 | 1 normal, 2 en passant, 3 castling, 4–7 promotion to knight, bishop, rook, queen |
///
/// With the feature `serde`, a move is serialised in JSON and other text as its two squares and a letter for its kind:
///
/// | text    | move                                                            |
/// |---------|-----------------------------------------------------------------|
/// | `e2e4`  | an ordinary move or capture                                     |
/// | `e7e8q` | a promotion to a queen, `n`, `b` or `r` for another piece       |
/// | `e5d6e` | an en passant capture                                           |
/// | `e1h1c` | castling of the king on e1 with the rook on h1                  |
///
/// So it can be read back without its position. The 16 bits are accepted as well; binary formats use these. For other
/// programs, serialise a [`UciMove`]: see [`Move::to_uci`].
///
/// A `Move` is not tied to a position. To check that it is legal, use `Position::is_legal` of `bartizan-position`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Move>() == 2 && size_of::<Option<Move>>() == 2);

const KIND_SHIFT: u32 = 12;
const NORMAL: NonZeroU16 = tag(1);
const EN_PASSANT: NonZeroU16 = tag(2);
const CASTLING: NonZeroU16 = tag(3);
const PROMOTION: NonZeroU16 = tag(4);

const fn tag(kind: u16) -> NonZeroU16 {
    match NonZeroU16::new(kind << KIND_SHIFT) {
        Some(tag) => tag,
        None => panic!("kinds are numbered from 1"),
    }
}

impl Move {
    #[inline]
    fn with_tag(tag: NonZeroU16, from: Square, to: Square) -> Self {
        // `NonZero | u16` is never zero by its type, so this needs no check.
        Self(tag | (from as u16 | (to as u16) << 6))
    }

    /// Creates an ordinary move or capture.
    #[inline]
    pub fn normal(from: Square, to: Square) -> Self {
        Self::with_tag(NORMAL, from, to)
    }

    /// Creates an en passant capture; `to` is the square behind the captured pawn.
    #[inline]
    pub fn en_passant(from: Square, to: Square) -> Self {
        Self::with_tag(EN_PASSANT, from, to)
    }

    /// Creates a castling move of the king on `king` with the rook on `rook`.
    #[inline]
    pub fn castling(king: Square, rook: Square) -> Self {
        Self::with_tag(CASTLING, king, rook)
    }

    /// Creates a promotion. A pawn or king as `piece_type` is replaced by a queen.
    #[inline]
    pub fn promotion(from: Square, to: Square, piece_type: PieceType) -> Self {
        let piece = match piece_type {
            PieceType::Knight => 0,
            PieceType::Bishop => 1,
            PieceType::Rook => 2,
            PieceType::Queen | PieceType::Pawn | PieceType::King => 3,
        };
        Self::with_tag(PROMOTION | (piece << KIND_SHIFT), from, to)
    }

    /// The origin square.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index(self.0.get() as usize)
    }

    /// The target square. For castling, the square of the rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index(self.0.get() as usize >> 6)
    }

    /// The square on which the moving piece lands. For castling, that of the king, g1 or c1 for White; see
    /// [`Move::to`].
    #[inline]
    pub const fn destination(self) -> Square {
        if !self.is_castling() {
            return self.to();
        }
        let color = if self.from().index() < Square::A2.index() { Color::White } else { Color::Black };
        CastlingSide::of(self.from(), self.to()).king_target(color)
    }

    /// The kind of the move.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() >> KIND_SHIFT {
            2 => MoveKind::EnPassant,
            3 => MoveKind::Castling,
            // One arm for all promotions: separate arms would compile to a jump table, whose targets are hard to
            // predict.
            kind @ 4..=7 => MoveKind::Promotion(match kind & 3 {
                0 => PieceType::Knight,
                1 => PieceType::Bishop,
                2 => PieceType::Rook,
                _ => PieceType::Queen,
            }),
            _ => MoveKind::Normal,
        }
    }

    /// The piece that a promotion yields; `None` for other moves.
    #[inline]
    pub const fn promotes_to(self) -> Option<PieceType> {
        match self.kind() {
            MoveKind::Promotion(piece_type) => Some(piece_type),
            _ => None,
        }
    }

    /// Whether the move is a promotion.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0.get() >> KIND_SHIFT >= 4
    }

    /// Whether the move is castling.
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.0.get() >> KIND_SHIFT == 3
    }

    /// Whether the move is an en passant capture.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.0.get() >> KIND_SHIFT == 2
    }

    /// Converts to coordinate notation, with castling written as in `variant`.
    ///
    /// Castling of a king that is not on the e-file, as in Chess960, is always written as king takes rook: the king's
    /// move, such as `f1g1` or `c1c1`, could be a different move or none.
    pub const fn to_uci(self, variant: Variant) -> UciMove {
        let (from, to) = (self.from(), self.to());
        let is_usual = matches!(variant, Variant::Standard) && matches!(from.file(), File::E);
        let to = if self.is_castling() && is_usual {
            let file = match CastlingSide::of(from, to) {
                CastlingSide::King => File::G,
                CastlingSide::Queen => File::C,
            };
            Square::new(file, from.rank())
        } else {
            to
        };
        UciMove { from, to, promotion: self.promotes_to() }
    }

    /// The 16 bits, laid out as in the table of [`Move`]; never 0.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// Converts from 16 bits; `None` if they do not encode a move. The move need not be legal in any position.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match (bits >> KIND_SHIFT, NonZeroU16::new(bits)) {
            (1..=7, Some(bits)) => Some(Self(bits)),
            _ => None,
        }
    }
}

/// The error of converting 16 bits that do not encode a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct InvalidMoveBits(
    /// The bits.
    pub u16,
);

impl fmt::Display for InvalidMoveBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#06x} does not encode a move", self.0)
    }
}

impl core::error::Error for InvalidMoveBits {}

impl TryFrom<u16> for Move {
    type Error = InvalidMoveBits;
    fn try_from(bits: u16) -> Result<Self, InvalidMoveBits> {
        Self::from_bits(bits).ok_or(InvalidMoveBits(bits))
    }
}

impl From<Move> for u16 {
    fn from(mv: Move) -> Self {
        mv.to_bits()
    }
}

/// Coordinate notation as other programs read it: `e2e4`, `e7e8q`, `e1g1`. Castling of a king that is not on the
/// e-file, as in Chess960, is written as king takes rook: see [`Move::to_uci`].
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_uci(Variant::Standard).fmt(f)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({self}, {:?})", self.kind())
    }
}
