//! Zobrist keys (Albert L. Zobrist, "A New Hashing Method with Application for Game Playing", 1970).
//!
//! The numbers come from SplitMix64 with the seed below and must stay the same from version to version: learning files
//! and books keep keys. `testdata/zobrist/` holds golden values.

use crate::Position;
use bartizan_types::{ByColor, CastlingRights, Color, Key, Piece, PieceType, SplitMix64, Square};

/// How many of one piece a side can have, and none: 0 to 16.
const COUNTS: usize = 17;

/// "Bartizan" in ASCII.
const SEED: u64 = 0x4261_7274_697a_616e;

struct Numbers {
    piece: [[Key; Square::COUNT]; Piece::COUNT],
    count: [[Key; COUNTS]; Piece::COUNT],
    castling: [Key; Square::COUNT],
    en_passant: [Key; 8],
    black_to_move: Key,
}

static NUMBERS: Numbers = numbers();

const fn keys<const N: usize>(random: &mut SplitMix64) -> [Key; N] {
    let mut keys = [Key(0); N];
    let mut i = 0;
    while i < N {
        keys[i] = Key(random.next_u64());
        i += 1;
    }
    keys
}

const fn numbers() -> Numbers {
    let mut piece = [[Key(0); Square::COUNT]; Piece::COUNT];
    let mut count = [[Key(0); COUNTS]; Piece::COUNT];
    let mut random = SplitMix64::new(SEED);
    let mut i = 0;
    while i < Piece::COUNT {
        piece[i] = keys(&mut random);
        count[i] = keys(&mut random);
        i += 1;
    }
    // The fields are evaluated in the order written here, which fixes the keys.
    Numbers {
        piece,
        count,
        castling: keys(&mut random),
        en_passant: keys(&mut random),
        black_to_move: Key(random.next_u64()),
    }
}

/// The number of a piece on a square.
#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> Key {
    NUMBERS.piece[piece.index()][square.index()]
}

/// The number of "there are `count` of this piece". No more than 16 are told apart.
#[inline]
pub(crate) fn count(piece: Piece, count: u32) -> Key {
    NUMBERS.count[piece.index()][(count as usize).min(COUNTS - 1)]
}

/// The numbers of all castling rights together.
#[inline]
pub(crate) fn castling(rights: CastlingRights) -> Key {
    let mut key = Key(0);
    for rook in rights.rooks() {
        key ^= NUMBERS.castling[rook.index()];
    }
    key
}

/// The number of an en passant square that can be taken on.
#[inline]
pub(crate) fn en_passant(square: Square) -> Key {
    NUMBERS.en_passant[square.file().index()]
}

/// The number of "black to move".
#[inline]
pub(crate) fn black_to_move() -> Key {
    NUMBERS.black_to_move
}

/// What the keys of two positions differ by when a piece has gone from one square to another: the move and the turn.
pub(crate) const fn move_key(piece: Piece, from: usize, to: usize) -> Key {
    const NUMBERS: Numbers = numbers();
    let row = &NUMBERS.piece[piece.index()];
    Key(row[from].0 ^ row[to].0 ^ NUMBERS.black_to_move.0)
}

/// The keys of a position, each kept up to date move by move.
///
/// The key of the whole position is not stored: it is the XOR of the pawns, both sides' other pieces and the state, so
/// that a quiet move changes two words and not three.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keys {
    pub(crate) pawns: Key,
    pub(crate) non_pawns: ByColor<Key>,
    /// Knights and bishops of both sides.
    pub(crate) minors: Key,
    pub(crate) material: Key,
    /// Side to move, castling rights, en passant.
    pub(crate) state: Key,
}

impl Keys {
    /// All keys from nothing: the slow way, for setting up and for tests.
    pub(crate) fn of(position: &Position) -> Self {
        let mut keys = Self::default();
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                keys.toggle(piece, square);
            }
        }
        for piece in Piece::ALL {
            keys.material ^= count(piece, position.pieces(piece.color(), piece.piece_type()).count());
        }
        keys.state = castling(position.castling());
        if let Some(square) = position.en_passant() {
            keys.state ^= en_passant(square);
        }
        if position.turn() == Color::Black {
            keys.state ^= black_to_move();
        }
        keys
    }

    /// The key of the kings, queens, rooks, bishops and knights of both sides.
    #[inline]
    pub(crate) fn all_non_pawns(&self) -> Key {
        self.non_pawns[Color::White] ^ self.non_pawns[Color::Black]
    }

    /// A piece appears on or leaves a square; the material key is another matter.
    #[inline]
    pub(crate) fn toggle(&mut self, piece: Piece, square: Square) {
        self.toggle_by(piece, self::piece(piece, square));
    }

    /// A piece goes from one square to another.
    #[inline]
    pub(crate) fn step(&mut self, piece: Piece, from: Square, to: Square) {
        self.toggle_by(piece, self::piece(piece, from) ^ self::piece(piece, to));
    }

    #[inline]
    fn toggle_by(&mut self, piece: Piece, number: Key) {
        if piece.piece_type() == PieceType::Pawn {
            self.pawns ^= number;
        } else {
            self.non_pawns[piece.color()] ^= number;
            if matches!(piece.piece_type(), PieceType::Knight | PieceType::Bishop) {
                self.minors ^= number;
            }
        }
    }
}
