#![doc = include_str!("../README.md")]
//!
//! Sliders use fancy magic bitboards (Pradyumna Kannan, "Magic move-bitboard generation in computer chess", 2007; plain
//! magics by Lasse Hansen and Gerd Isenberg). If the crate is compiled for a processor with BMI2
//! (`-C target-cpu=native` or `x86-64-v3`), they use the instruction PEXT instead.
//!
//! AMD's Zen 1 and Zen 2 execute PEXT in microcode, about a hundred times slower. With `target-cpu=native` on one of
//! these processors, and with `target-cpu=znver1` and `znver2`, the crate uses magics. With other settings, add
//! `-C target-feature=-bmi2`.
//!
//! The 841 KiB of slider tables are constants in the binary: no initialisation is needed at run time. The crate is
//! `no_std`.
#![no_std]

mod leapers;
mod lines;
mod sliders;
#[cfg(test)]
mod slow_pext;

pub use leapers::{king, knight, knights, pawn, pawns, pawns_double};
pub use lines::{between, bishop_rays, diagonals, line, rook_rays};
pub use sliders::{bishop, queen, rook, xray_bishop, xray_rook};

use bartizan_types::{Bitboard, Piece, PieceType, Square};

/// The attacks of a piece of any type except the pawn, for which this **returns the empty set**: a pawn's attacks
/// depend on its colour. See [`of_piece`] and [`pawn`].
#[inline]
pub fn of(piece_type: PieceType, square: Square, occupied: Bitboard) -> Bitboard {
    match piece_type {
        PieceType::Pawn => Bitboard::EMPTY,
        PieceType::Knight => knight(square),
        PieceType::Bishop => bishop(square, occupied),
        PieceType::Rook => rook(square, occupied),
        PieceType::Queen => queen(square, occupied),
        PieceType::King => king(square),
    }
}

/// The attacks of a piece of any type and colour, if `occupied` are the occupied squares.
///
/// ```
/// use bartizan_attacks as attacks;
/// use bartizan_types::{Bitboard, Piece, Square};
///
/// let pawn = attacks::of_piece(Piece::BlackPawn, Square::E4, Bitboard::EMPTY);
/// assert_eq!(pawn, Square::D3.bitboard() | Square::F3.bitboard());
/// ```
#[inline]
pub fn of_piece(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.piece_type() {
        PieceType::Pawn => pawn(piece.color(), square),
        piece_type => of(piece_type, square, occupied),
    }
}
