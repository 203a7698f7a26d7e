//! Validation: from a [`Setup`] to a [`Position`].

use crate::fen::FenError;
use crate::zobrist::Keys;
use crate::{Position, Setup};
use alloc::vec::Vec;
use bartizan_attacks as attacks;
use bartizan_types::{Bitboard, CastlingRights, Color, Move, Piece, PieceType, Rank, Square};
use core::fmt;
use core::str::FromStr;

/// A reason why a setup is not a legal position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Illegality {
    /// A side has no king.
    NoKing(Color),
    /// A side has more than one king.
    ManyKings(Color),
    /// A side has more than 16 pieces, pawns included.
    ManyPieces(Color),
    /// The side that is not to move is in check.
    OpponentInCheck(Color),
    /// A pawn is on the first or eighth rank.
    PawnOnBackRank(Bitboard),
    /// A side has more than eight pawns. See [`Tolerance::promoted`].
    ManyPawns(Color),
    /// A side has more promoted pieces than missing pawns. See [`Tolerance::promoted`].
    ManyPromoted(Color),
    /// No legal move can have given these checks. See [`Tolerance::checks`].
    ImpossibleCheck(Bitboard),
    /// A castling right lacks its king or rook. See [`Tolerance::castling`].
    CastlingRight(Square),
    /// No pawn can have passed the en passant square. See [`Tolerance::en_passant`].
    EnPassant(Square),
}

impl fmt::Display for Illegality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |color: Color| if color.is_white() { "white" } else { "black" };
        match *self {
            Self::NoKing(color) => write!(f, "{} has no king", name(color)),
            Self::ManyKings(color) => write!(f, "{} has more than one king", name(color)),
            Self::ManyPieces(color) => write!(f, "{} has more than 16 pieces", name(color)),
            Self::OpponentInCheck(color) => write!(f, "{0} is in check, but it is not {0}'s move", name(color)),
            Self::PawnOnBackRank(pawns) => {
                f.write_str("there is a pawn on ")?;
                pawns.first().map_or(Ok(()), |square| square.fmt(f))
            }
            Self::ManyPawns(color) => write!(f, "{} has more than 8 pawns", name(color)),
            Self::ManyPromoted(color) => write!(f, "{} has more promoted pieces than missing pawns", name(color)),
            Self::ImpossibleCheck(checkers) => {
                f.write_str("no legal move can have given check from ")?;
                for (i, square) in checkers.into_iter().enumerate() {
                    write!(f, "{}{square}", if i == 0 { "" } else { " and " })?;
                }
                Ok(())
            }
            Self::CastlingRight(rook) => {
                write!(f, "invalid castling right for {rook}: the king or the rook is not in place")
            }
            Self::EnPassant(square) => {
                write!(f, "invalid en passant square '{square}': no pawn can have passed it")
            }
        }
    }
}

impl core::error::Error for Illegality {}

/// The error of validating a setup: all reasons why it is illegal, most serious first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct IllegalSetup {
    reasons: Vec<Illegality>,
}

impl IllegalSetup {
    /// The reasons, most serious first.
    pub fn reasons(&self) -> &[Illegality] {
        &self.reasons
    }
}

impl fmt::Display for IllegalSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("illegal position: ")?;
        for (i, reason) in self.reasons.iter().enumerate() {
            write!(f, "{}{reason}", if i == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl core::error::Error for IllegalSetup {}

/// The error of reading a position from a FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum PositionError {
    /// The text is not a FEN.
    Fen(FenError),
    /// The position is illegal.
    Illegal(IllegalSetup),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fen(error) => error.fmt(f),
            Self::Illegal(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for PositionError {}

impl From<FenError> for PositionError {
    fn from(error: FenError) -> Self {
        Self::Fen(error)
    }
}

impl From<IllegalSetup> for PositionError {
    fn from(error: IllegalSetup) -> Self {
        Self::Illegal(error)
    }
}

/// The illegalities that validation tolerates.
///
/// Wrong numbers of kings, pawns on the back ranks, a king that can be captured and more than 16 pieces per side are
/// never tolerated, because such positions cannot be searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tolerance {
    /// Drop castling rights whose king or rook is not in place.
    pub castling: bool,
    /// Drop an en passant square that no pawn can have passed.
    pub en_passant: bool,
    /// Accept checks that no legal move can have given.
    pub checks: bool,
    /// Accept more promoted pieces than missing pawns, and more than eight pawns.
    pub promoted: bool,
}

impl Tolerance {
    /// Tolerate nothing.
    pub const NONE: Self = Self { castling: false, en_passant: false, checks: false, promoted: false };
    /// Tolerate everything that can be searched, as engines do for positions set up by users.
    pub const ALL: Self = Self { castling: true, en_passant: true, checks: true, promoted: true };
}

/// The number of pawns with which a side starts.
const PAWNS: u32 = 8;

impl Setup {
    /// Converts the setup to a position.
    ///
    /// # Errors
    /// [`IllegalSetup`] lists every illegality that `tolerance` does not cover.
    pub fn validate(&self, tolerance: Tolerance) -> Result<Position, IllegalSetup> {
        let mut reasons = Vec::new();
        let mut found = |tolerated: bool, reason: Illegality| {
            if !tolerated {
                reasons.push(reason);
            }
        };

        let mut position = self.place();
        for color in Color::ALL {
            match position.pieces(color, PieceType::King).count() {
                0 => found(false, Illegality::NoKing(color)),
                1 => {}
                _ => found(false, Illegality::ManyKings(color)),
            }
            if position.color(color).count() > 16 {
                found(false, Illegality::ManyPieces(color));
            }
        }
        let stray = position.by_type(PieceType::Pawn) & (Rank::First.bitboard() | Rank::Eighth.bitboard());
        if stray.any() {
            found(false, Illegality::PawnOnBackRank(stray));
        }
        let one_king_each = Color::ALL.into_iter().all(|color| position.pieces(color, PieceType::King).count() == 1);
        if one_king_each && position.attackers_to(position.king(!self.turn), position.occupied(), self.turn).any() {
            found(false, Illegality::OpponentInCheck(!self.turn));
        }
        for color in Color::ALL {
            if position.pieces(color, PieceType::Pawn).count() > PAWNS {
                found(tolerance.promoted, Illegality::ManyPawns(color));
            }
            if position.surplus(color) {
                found(tolerance.promoted, Illegality::ManyPromoted(color));
            }
        }

        let mut castling = CastlingRights::NONE;
        for rook in self.castling.rooks() {
            if self.right_is_possible(rook) {
                castling.insert(rook);
            } else {
                found(tolerance.castling, Illegality::CastlingRight(rook));
            }
        }

        if one_king_each {
            position.update_checks();
        }
        let double_step = self.double_step().filter(|_| one_king_each);
        if let (Some(square), None) = (self.en_passant, double_step) {
            found(tolerance.en_passant, Illegality::EnPassant(square));
        }
        let checkers = position.checkers();
        if one_king_each && !checks_are_possible(&position, checkers, double_step) {
            found(tolerance.checks, Illegality::ImpossibleCheck(checkers));
        }

        if !reasons.is_empty() {
            return Err(IllegalSetup { reasons });
        }
        position.set_castling(castling);
        if let (Some(square), Some(_)) = (self.en_passant, double_step) {
            position.set_en_passant_if_legal(square);
        }
        debug_assert_eq!(position.keys, Keys::of(&position));
        Ok(position)
    }

    /// Puts the pieces on a board without any check. Castling rights, en passant, checks and pins are not yet set.
    fn place(&self) -> Position {
        let mut position = Position::empty(self.turn, self.halfmove_clock, self.fullmove_number.max(1));
        for square in Square::ALL {
            if let Some(piece) = self.piece_at(square) {
                position.put_piece(piece, square);
            }
        }
        position.keys = Keys::of(&position);
        position
    }

    /// Whether the king is on its back rank, the rook on its square, and no other right on the same side of the king.
    fn right_is_possible(&self, rook: Square) -> bool {
        let color = if rook.rank() == Rank::First { Color::White } else { Color::Black };
        let Some(king) = self.kings(color).first() else { return false };
        let same_side = |other: Square| (other.index() > king.index()) == (rook.index() > king.index());
        king.rank() == rook.rank()
            && self.piece_at(rook) == Some(Piece::new(PieceType::Rook, color))
            && self.castling.rooks_of(color).into_iter().filter(|&other| same_side(other)).count() == 1
    }
}

/// Whether one move can have given all checks: the moved piece gives check, or it discovers the check of one slider, or
/// both. After a double step, only the pawn or a slider behind the square it left can give check.
fn checks_are_possible(position: &Position, checkers: Bitboard, double_step: Option<Move>) -> bool {
    let king = position.king(position.turn());
    if let Some(step) = double_step {
        let explains = |checker| checker == step.to() || attacks::between(king, checker).contains(step.from());
        if !checkers.into_iter().all(explains) {
            return false;
        }
    }
    let slides =
        |square| matches!(position.piece_type_at(square), Some(PieceType::Bishop | PieceType::Rook | PieceType::Queen));
    let mut squares = checkers.into_iter();
    match (squares.next(), squares.next(), squares.next()) {
        (Some(a), Some(b), None) => (slides(a) || slides(b)) && !attacks::line(a, b).contains(king),
        (_, _, third) => third.is_none(),
    }
}

impl Position {
    /// Whether a side has more promoted pieces than missing pawns. Bishops are counted by the colour of their squares.
    fn surplus(&self, color: Color) -> bool {
        let count = |piece_type, mask: Bitboard| (self.pieces(color, piece_type) & mask).count();
        let over = |n: u32, start: u32| n.saturating_sub(start);
        let promoted = over(count(PieceType::Knight, Bitboard::ALL), 2)
            + over(count(PieceType::Bishop, Bitboard::LIGHT), 1)
            + over(count(PieceType::Bishop, Bitboard::DARK), 1)
            + over(count(PieceType::Rook, Bitboard::ALL), 2)
            + over(count(PieceType::Queen, Bitboard::ALL), 1);
        promoted > PAWNS.saturating_sub(count(PieceType::Pawn, Bitboard::ALL))
    }

    /// Reads a position from FEN, X-FEN or Shredder-FEN and tolerates no illegality.
    ///
    /// # Errors
    /// [`PositionError`] says what is wrong with the text, or lists every illegality of the position.
    pub fn from_fen(fen: &str) -> Result<Self, PositionError> {
        Self::from_fen_with(fen, Tolerance::NONE)
    }

    /// Reads a position from FEN, X-FEN or Shredder-FEN and tolerates some illegalities.
    ///
    /// # Errors
    /// As [`Position::from_fen`].
    pub fn from_fen_with(fen: &str, tolerance: Tolerance) -> Result<Self, PositionError> {
        Ok(Setup::from_fen(fen)?.validate(tolerance)?)
    }
}

impl TryFrom<&Setup> for Position {
    type Error = IllegalSetup;
    fn try_from(setup: &Setup) -> Result<Self, IllegalSetup> {
        setup.validate(Tolerance::NONE)
    }
}

impl FromStr for Position {
    type Err = PositionError;
    fn from_str(fen: &str) -> Result<Self, PositionError> {
        Self::from_fen(fen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn every_illegality_is_reported() {
        for (fen, reason) in [
            ("8/8/8/4k3/8/8/8/8 w", "white has no king"),
            ("8/8/8/8/8/8/8/8 w", "white has no king; black has no king"),
            ("kk6/8/8/8/8/8/8/7K w", "black has more than one king"),
            ("P6k/8/8/8/8/8/8/K6p w", "there is a pawn on h1"),
            ("k7/8/8/8/8/8/8/R6K w", "black is in check, but it is not black's move"),
            (
                "k7/8/8/QQQQQQQQ/QQQQQQQQ/8/8/7K b",
                "white has more than 16 pieces; white has more promoted pieces than missing pawns",
            ),
            ("7k/8/8/1QQ5/8/8/PPPPPPPP/7K b", "white has more promoted pieces than missing pawns"),
            ("7k/8/8/8/8/P7/PPPPPPPP/7K b", "white has more than 8 pawns"),
            (
                "7k/pppppppp/p7/8/8/qq6/8/7K b",
                "black has more than 8 pawns; black has more promoted pieces than missing pawns",
            ),
            ("4k3/8/8/8/8/8/8/4K3 w K", "invalid castling right for h1: the king or the rook is not in place"),
            ("4k3/8/8/8/4p3/8/8/4K3 w - e3", "invalid en passant square 'e3': no pawn can have passed it"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6", "invalid en passant square 'e6': no pawn can have passed it"),
            ("4k3/8/8/8/8/3n1n2/8/4K3 w", "no legal move can have given check from d3 and f3"),
            ("4k3/8/8/r7/8/8/8/r3K2r w", "no legal move can have given check from a1 and h1"),
        ] {
            let error = Position::from_fen(fen).unwrap_err();
            assert_eq!(error.to_string(), alloc::format!("illegal position: {reason}"), "{fen}");
        }
    }

    #[test]
    fn searchable_positions_can_be_tolerated() {
        let position = Position::from_fen_with("4k3/8/8/8/4p3/8/8/4K3 w KQkq e3", Tolerance::ALL).unwrap();
        assert_eq!(position.to_fen(), "4k3/8/8/8/4p3/8/8/4K3 w - - 0 1");
        assert!(Position::from_fen_with("4k3/8/8/8/8/3n1n2/8/4K3 w", Tolerance::ALL).is_ok());
        assert!(Position::from_fen_with("7k/8/8/8/8/P7/PPPPPPPP/7K b", Tolerance::ALL).is_ok());
        assert!(Position::from_fen_with("8/8/8/4k3/8/8/8/8 w", Tolerance::ALL).is_err());
    }
}
