//! Zobrist keys (Albert L. Zobrist, "A New Hashing Method with Application for Game Playing", 1970).
//!
//! The keys come from SplitMix64 with a fixed seed and must not change between versions, because learning files and
//! books store keys. `testdata/zobrist/` holds golden values.

use crate::Position;
use bartizan_types::{CastlingRights, Color, Key, Piece, PieceType, SplitMix64, Square};

/// The possible numbers of pieces of one type: 0 to 16.
const COUNTS: usize = 17;

/// The most pieces of a side.
const MOST: usize = COUNTS - 1;

/// The seed: "Bartizan" in ASCII.
const SEED: u64 = 0x4261_7274_697a_616e;

struct Numbers {
    /// The last row is that of empty squares.
    piece: [[Key; Square::COUNT]; Piece::COUNT + 1],
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
    let mut piece = [[Key(0); Square::COUNT]; Piece::COUNT + 1];
    let mut count = [[Key(0); COUNTS]; Piece::COUNT];
    let mut random = SplitMix64::new(SEED);
    let mut i = 0;
    while i < Piece::COUNT {
        piece[i] = keys(&mut random);
        count[i] = keys(&mut random);
        i += 1;
    }
    // The order of evaluation is the order written here; it determines the keys.
    Numbers {
        piece,
        count,
        castling: keys(&mut random),
        en_passant: keys(&mut random),
        black_to_move: Key(random.next_u64()),
    }
}

/// The key of a piece on a square.
#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> Key {
    NUMBERS.piece[piece.index()][square.index()]
}

/// The key of what is on a square: zero if it is empty. Branchless, because captures are hard to predict.
#[inline]
pub(crate) fn content(piece: Option<Piece>, square: Square) -> Key {
    NUMBERS.piece[piece.map_or(Piece::COUNT, Piece::index)][square.index()]
}

/// The key of having `count` pieces of this type and colour. Counts above 16 are treated as 16.
#[inline]
pub(crate) fn count(piece: Piece, count: u32) -> Key {
    NUMBERS.count[piece.index()][(count as usize).min(COUNTS - 1)]
}

/// The difference between the keys of having `count` pieces of this type and colour and one more. A position has at
/// most 16 pieces of one colour; greater counts are treated as smaller ones.
#[inline]
pub(crate) fn count_step(piece: Piece, count: u32) -> Key {
    static STEPS: [[Key; MOST]; Piece::COUNT] = count_steps();
    STEPS[piece.index()][count as usize % MOST]
}

const fn count_steps() -> [[Key; MOST]; Piece::COUNT] {
    const NUMBERS: Numbers = numbers();
    let mut steps = [[Key(0); MOST]; Piece::COUNT];
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut count = 0;
        while count < MOST {
            steps[piece][count] = Key(NUMBERS.count[piece][count].0 ^ NUMBERS.count[piece][count + 1].0);
            count += 1;
        }
        piece += 1;
    }
    steps
}

/// The key of a set of castling rights.
#[inline]
pub(crate) fn castling(rights: CastlingRights) -> Key {
    let mut key = Key(0);
    for rook in rights.rooks() {
        key ^= NUMBERS.castling[rook.index()];
    }
    key
}

/// The key of an en passant square.
#[inline]
pub(crate) fn en_passant(square: Square) -> Key {
    NUMBERS.en_passant[square.file().index()]
}

/// The key of black to move.
#[inline]
pub(crate) fn black_to_move() -> Key {
    NUMBERS.black_to_move
}

/// The difference between the keys before and after a piece has moved, side to move included.
pub(crate) const fn move_key(piece: Piece, from: usize, to: usize) -> Key {
    const NUMBERS: Numbers = numbers();
    let row = &NUMBERS.piece[piece.index()];
    Key(row[from].0 ^ row[to].0 ^ NUMBERS.black_to_move.0)
}

/// The keys of a position, updated incrementally.
///
/// The key of the whole position is not stored. It is the XOR of the keys of the pawns, of both sides' other pieces and
/// of the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keys {
    /// The pawns of both sides, white's other pieces, black's other pieces: see [`GROUPS`].
    groups: [Key; 3],
    /// The knights and bishops of both sides.
    pub(crate) minors: Key,
    pub(crate) material: Key,
    /// The side to move, castling rights and en passant square.
    pub(crate) state: Key,
}

impl Keys {
    /// Computes all keys from the pieces, for setup and for tests.
    pub(crate) fn of(position: &Position) -> Self {
        let mut keys = Self::default();
        for (square, piece) in position.placement() {
            keys.toggle(piece, square);
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

    /// Like [`Keys::of`] for a position with white to move and no en passant square, at compile time.
    pub(crate) const fn of_board(board: &[Option<Piece>; Square::COUNT], rights: CastlingRights) -> Self {
        const NUMBERS: Numbers = numbers();
        let mut groups = [Key(0); 3];
        let (mut minors, mut material, mut state) = (0, 0, 0);
        let mut counts = [0; Piece::COUNT];
        let mut square = 0;
        while square < Square::COUNT {
            if let Some(piece) = board[square] {
                let (index, number) = (piece.index(), NUMBERS.piece[piece.index()][square].0);
                let group = GROUPS[index] as usize;
                groups[group] = Key(groups[group].0 ^ number);
                minors ^= number & MINORS[index];
                counts[index] += 1;
            }
            if rights.rooks().contains(Square::from_index(square)) {
                state ^= NUMBERS.castling[square].0;
            }
            square += 1;
        }
        let mut index = 0;
        while index < Piece::COUNT {
            material ^= NUMBERS.count[index][counts[index]].0;
            index += 1;
        }
        Self { groups, minors: Key(minors), material: Key(material), state: Key(state) }
    }

    /// The key of the pawns of both sides.
    #[inline]
    pub(crate) fn pawns(&self) -> Key {
        self.groups[0]
    }

    /// The key of the kings, queens, rooks, bishops and knights of one side.
    #[inline]
    pub(crate) fn non_pawns(&self, color: Color) -> Key {
        self.groups[1 + color.index()]
    }

    /// The key of the kings, queens, rooks, bishops and knights of both sides.
    #[inline]
    pub(crate) fn all_non_pawns(&self) -> Key {
        self.groups[1] ^ self.groups[2]
    }

    /// Adds or removes a piece on a square. Does not update the material key.
    #[inline]
    pub(crate) fn toggle(&mut self, piece: Piece, square: Square) {
        self.toggle_by(piece, self::piece(piece, square));
    }

    /// Moves a piece from one square to another.
    #[inline]
    pub(crate) fn step(&mut self, piece: Piece, from: Square, to: Square) {
        self.toggle_by(piece, self::piece(piece, from) ^ self::piece(piece, to));
    }

    #[inline]
    fn toggle_by(&mut self, piece: Piece, number: Key) {
        // Branchless: which piece moves next is hard to predict.
        self.groups[usize::from(GROUPS[piece.index()])] ^= number;
        self.minors ^= Key(number.0 & MINORS[piece.index()]);
    }
}

/// The group of [`Keys`] to which each piece belongs.
static GROUPS: [u8; Piece::COUNT] = [0, 0, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2];

/// All bits for knights and bishops, none for other pieces.
static MINORS: [u64; Piece::COUNT] = {
    let mut masks = [0; Piece::COUNT];
    let mut i = 0;
    while i < Piece::COUNT {
        if matches!(Piece::ALL[i].piece_type(), PieceType::Knight | PieceType::Bishop) {
            masks[i] = u64::MAX;
        }
        i += 1;
    }
    masks
};

const _: () = {
    let mut i = 0;
    while i < Piece::COUNT {
        let piece = Piece::ALL[i];
        let is_pawn = matches!(piece.piece_type(), PieceType::Pawn);
        assert!(GROUPS[i] as usize == if is_pawn { 0 } else { 1 + piece.color().index() });
        i += 1;
    }
};
