//! Positions that are legal to search.

use crate::zobrist::{self, Keys};
use crate::{MoveList, Setup};
use bartizan_attacks as attacks;
use bartizan_types::{
    Bitboard, ByColor, ByPieceType, CastlingRights, Color, Key, Move, Piece, PieceType, Rank, Square, Variant,
};
use core::hash::{Hash, Hasher};

/// A legal position: pieces, side to move, rights, counters, keys, checks and pins.
///
/// Positions are copied instead of unmade: [`Position::play_unchecked`] returns the position after a move.
///
/// Two positions are equal if all their fields are, counters included. Positions that count as repetitions of each
/// other have the same [`key`](Position::key).
///
/// It is aligned to cache lines, so that no write of a copy straddles two: perft is up to 7 % faster than with word
/// alignment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Position {
    by_type: ByPieceType<Bitboard>,
    by_color: ByColor<Bitboard>,
    board: [Option<Piece>; Square::COUNT],
    pub(crate) keys: Keys,
    castling: CastlingRights,
    checkers: Bitboard,
    pinned: Bitboard,
    halfmove_clock: u16,
    fullmove_number: u16,
    turn: Color,
    en_passant: Option<Square>,
}

const _: () = assert!(size_of::<Position>() == 256);

/// Hashes the [`key`](Position::key), which is already a good hash.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// The starting position of chess. A constant, because PGN readers need it for every game.
static START: Position = starting_position();

const fn starting_position() -> Position {
    use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};
    const BACK: [PieceType; 8] = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
    let mut board = [None; Square::COUNT];
    let mut file = 0;
    while file < 8 {
        board[file] = Some(BACK[file].of(Color::White));
        board[8 + file] = Some(Pawn.of(Color::White));
        board[48 + file] = Some(Pawn.of(Color::Black));
        board[56 + file] = Some(BACK[file].of(Color::Black));
        file += 1;
    }
    Position {
        by_type: ByPieceType([
            Bitboard(0x00ff_0000_0000_ff00),
            Bitboard(0x4200_0000_0000_0042),
            Bitboard(0x2400_0000_0000_0024),
            Bitboard(0x8100_0000_0000_0081),
            Bitboard(0x0800_0000_0000_0008),
            Bitboard(0x1000_0000_0000_0010),
        ]),
        by_color: ByColor([Bitboard(0xffff), Bitboard(0xffff << 48)]),
        keys: Keys::of_board(&board, CastlingRights::STANDARD),
        board,
        castling: CastlingRights::STANDARD,
        checkers: Bitboard::EMPTY,
        pinned: Bitboard::EMPTY,
        halfmove_clock: 0,
        fullmove_number: 1,
        turn: Color::White,
        en_passant: None,
    }
}

impl Position {
    /// The starting position of chess.
    #[inline]
    pub fn startpos() -> Self {
        START.clone()
    }

    /// The starting position of chess, without a copy.
    #[inline]
    pub fn startpos_ref() -> &'static Self {
        &START
    }

    pub(crate) fn empty(turn: Color, halfmove_clock: u16, fullmove_number: u16) -> Self {
        Self {
            by_type: ByPieceType::default(),
            by_color: ByColor::default(),
            board: [None; Square::COUNT],
            keys: Keys::default(),
            castling: CastlingRights::NONE,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            halfmove_clock,
            fullmove_number,
            turn,
            en_passant: None,
        }
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The type of the piece on a square.
    #[inline]
    pub fn piece_type_at(&self, square: Square) -> Option<PieceType> {
        self.piece_at(square).map(Piece::piece_type)
    }

    /// All pieces with their squares, from a1 to h8: the piece placement of a FEN.
    ///
    /// ```
    /// use bartizan_position::Position;
    /// use bartizan_types::{Piece, Square};
    ///
    /// let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")?;
    /// let expected = [(Square::E1, Piece::WhiteKing), (Square::E2, Piece::WhitePawn), (Square::E8, Piece::BlackKing)];
    /// assert!(position.placement().eq(expected));
    /// # Ok::<(), bartizan_position::PositionError>(())
    /// ```
    #[inline]
    pub fn placement(&self) -> impl DoubleEndedIterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// The squares of the pieces of one type, of both colours.
    #[inline]
    pub fn by_type(&self, piece_type: PieceType) -> Bitboard {
        self.by_type[piece_type]
    }

    /// The squares of the pieces of one colour.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.by_color[color]
    }

    /// The squares of the pieces of one colour and type.
    #[inline]
    pub fn pieces(&self, color: Color, piece_type: PieceType) -> Bitboard {
        self.color(color) & self.by_type(piece_type)
    }

    /// The squares of the rooks and queens of both colours.
    #[inline]
    pub fn orthogonal_sliders(&self) -> Bitboard {
        self.by_type(PieceType::Rook) | self.by_type(PieceType::Queen)
    }

    /// The squares of the bishops and queens of both colours.
    #[inline]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.by_type(PieceType::Bishop) | self.by_type(PieceType::Queen)
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[Color::White] | self.by_color[Color::Black]
    }

    /// The square of a side's king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        // A position has exactly one king per side; `from_index` masks the index, so this cannot panic.
        Square::from_index(self.pieces(color, PieceType::King).0.trailing_zeros() as usize)
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The castling rights.
    #[inline]
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The simplest variant in which the castling rights can arise: Chess960 if a king that may castle is not on e1 or
    /// e8, or its rook not on the a- or h-file.
    pub fn variant(&self) -> Variant {
        Variant::from_chess960(!self.nonstandard_castling().is_empty())
    }

    /// Removes the castling rights that standard chess does not have, and returns them; see
    /// [`Setup::drop_nonstandard_castling`].
    pub fn drop_nonstandard_castling(&mut self) -> CastlingRights {
        let dropped = self.nonstandard_castling();
        self.set_castling(self.castling.without(dropped.rooks()));
        dropped
    }

    fn nonstandard_castling(&self) -> CastlingRights {
        let king = |color| self.pieces(color, PieceType::King);
        self.castling.nonstandard(king(Color::White), king(Color::Black))
    }

    /// The square on which a pawn can legally be captured en passant.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The number of plies since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move, from 1. It increases after black's move.
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The number of plies since move 1, computed from the move number and the side to move.
    #[inline]
    pub fn game_ply(&self) -> u32 {
        2 * (u32::from(self.fullmove_number).max(1) - 1) + self.turn.index() as u32
    }

    /// The enemy pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pieces of the side to move that are pinned to their king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The Zobrist key of the position: pieces, side to move, castling rights, and the en passant square if a capture
    /// is possible.
    ///
    /// Its random numbers are specific to this crate. For a key that other programs share, use Polyglot's:
    /// `PolyglotKey` of `bartizan-book`.
    #[inline]
    pub fn key(&self) -> Key {
        self.keys.pawns() ^ self.keys.all_non_pawns() ^ self.keys.state
    }

    /// Predicts the key after a legal move, so that a hash table entry can be prefetched before the move is made.
    ///
    /// The prediction is wrong for castling, en passant captures, and moves that change castling rights or allow an en
    /// passant capture.
    #[inline]
    pub fn key_after(&self, mv: Move) -> Key {
        self.key_after_step(self.key_after_null(), mv)
    }

    /// The key after a null move.
    #[inline]
    pub fn key_after_null(&self) -> Key {
        self.key() ^ zobrist::black_to_move() ^ self.en_passant().map_or(Key(0), zobrist::en_passant)
    }

    /// Like [`Position::key_after`], given the [`Position::key_after_null`]: faster for many moves of one position.
    #[inline]
    pub fn key_after_step(&self, after_null: Key, mv: Move) -> Key {
        let Some(piece) = self.piece_at(mv.from()) else { return after_null };
        let arriving = mv.promotes_to().map_or(piece, |piece_type| piece_type.of(self.turn));
        after_null
            ^ zobrist::piece(piece, mv.from())
            ^ zobrist::piece(arriving, mv.to())
            ^ zobrist::content(self.piece_at(mv.to()), mv.to())
    }

    /// The key of the pawns of both sides.
    #[inline]
    pub fn pawn_key(&self) -> Key {
        self.keys.pawns()
    }

    /// The key of a side's pieces other than pawns.
    #[inline]
    pub fn non_pawn_key(&self, color: Color) -> Key {
        self.keys.non_pawns(color)
    }

    /// The key of the knights and bishops of both sides.
    #[inline]
    pub fn minor_key(&self) -> Key {
        self.keys.minors
    }

    /// The key of the rooks, queens and kings of both sides.
    #[inline]
    pub fn major_key(&self) -> Key {
        self.keys.all_non_pawns() ^ self.keys.minors
    }

    /// The key of the number of pieces of each type and colour, wherever they stand.
    #[inline]
    pub fn material_key(&self) -> Key {
        self.keys.material
    }

    /// The squares that the piece on a square attacks, including those occupied by its own side, and regardless of
    /// pins. The empty set if there is no piece.
    ///
    /// ```
    /// use bartizan_position::Position;
    /// use bartizan_types::Square;
    ///
    /// let position = Position::startpos();
    /// assert_eq!(position.attacks_from(Square::G1).count(), 3);
    /// assert_eq!(position.attacks_from(Square::E2), Square::D3.bitboard() | Square::F3.bitboard());
    /// assert!(position.attacks_from(Square::E4).is_empty());
    /// ```
    #[inline]
    pub fn attacks_from(&self, square: Square) -> Bitboard {
        let attacks = |piece| attacks::of_piece(piece, square, self.occupied());
        self.piece_at(square).map_or(Bitboard::EMPTY, attacks)
    }

    /// The pieces of `by` that attack `square` if `occupied` are the occupied squares.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard, by: Color) -> Bitboard {
        self.all_attackers_to(square, occupied) & self.color(by)
    }

    /// The pieces of both sides that attack `square` if `occupied` are the occupied squares.
    #[inline]
    pub fn all_attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::pawn(Color::Black, square) & self.pieces(Color::White, PieceType::Pawn)
            | attacks::pawn(Color::White, square) & self.pieces(Color::Black, PieceType::Pawn)
            | attacks::knight(square) & self.by_type(PieceType::Knight)
            | self.sliders_attacking(square, occupied)
            | attacks::king(square) & self.by_type(PieceType::King)
    }

    /// The bishops, rooks and queens of both sides that attack `square` if `occupied` are the occupied squares.
    #[inline]
    pub(crate) fn sliders_attacking(&self, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::bishop(square, occupied) & self.diagonal_sliders()
            | attacks::rook(square, occupied) & self.orthogonal_sliders()
    }

    /// The squares that `by` attacks if `occupied` are the occupied squares. Remove a king from `occupied` to include
    /// the squares behind it.
    #[inline]
    pub fn attacked_by(&self, by: Color, occupied: Bitboard) -> Bitboard {
        let theirs = self.color(by);
        let mut attacked = attacks::pawns(by, self.by_type(PieceType::Pawn) & theirs)
            | attacks::knights(self.by_type(PieceType::Knight) & theirs)
            | attacks::king(self.king(by));
        for square in self.diagonal_sliders() & theirs {
            attacked |= attacks::bishop(square, occupied);
        }
        for square in self.orthogonal_sliders() & theirs {
            attacked |= attacks::rook(square, occupied);
        }
        attacked
    }

    /// All legal moves.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        self.moves(crate::MoveGenStage::All)
    }

    /// Whether the side to move is checkmated.
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Whether the side to move has no legal move and is not in check.
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_legal_move()
    }

    /// Whether no sequence of legal moves leads to checkmate by either side: bare kings, a single minor piece, or
    /// only bishops, all on squares of one colour.
    pub fn is_insufficient_material(&self) -> bool {
        let heavy = self.by_type(PieceType::Pawn) | self.orthogonal_sliders();
        if heavy.any() {
            return false;
        }
        let bishops = self.by_type(PieceType::Bishop);
        let minors = bishops | self.by_type(PieceType::Knight);
        !minors.has_many() || minors == bishops && bishops.is_one_shade()
    }

    /// Whether a side cannot give checkmate by any sequence of legal moves, even if the other side helps: it has a bare
    /// king; or only a knight, and the other side has only queens besides its king; or only bishops on squares of one
    /// colour, and the board has no knights, pawns or bishops on the other colour.
    ///
    /// If its opponent's time runs out, the game is a draw (FIDE Laws of Chess, article 6.9).
    ///
    /// ```
    /// use bartizan_position::Position;
    /// use bartizan_types::Color;
    ///
    /// let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")?;
    /// assert!(position.has_insufficient_material(Color::Black));
    /// assert!(!position.has_insufficient_material(Color::White));
    /// # Ok::<(), bartizan_position::PositionError>(())
    /// ```
    pub fn has_insufficient_material(&self, color: Color) -> bool {
        let ours = self.color(color);
        if (self.by_type(PieceType::Pawn) | self.orthogonal_sliders()).intersects(ours) {
            return false;
        }
        let theirs = self.color(!color);
        if self.by_type(PieceType::Knight).intersects(ours) {
            // Pawns, knights, bishops and rooks may block squares of their own king.
            let helpers = theirs - self.by_type(PieceType::King) - self.by_type(PieceType::Queen);
            return !(ours - self.by_type(PieceType::King)).has_many() && helpers.is_empty();
        }
        let bishops = self.by_type(PieceType::Bishop);
        if bishops.intersects(ours) {
            let helpers = self.by_type(PieceType::Pawn) | self.by_type(PieceType::Knight);
            return helpers.is_empty() && bishops.is_one_shade();
        }
        true
    }

    /// Swaps the colours and mirrors the board top to bottom. The result is the same position for the other side.
    #[must_use]
    pub fn flipped(&self) -> Self {
        match self.to_setup().flipped().validate(crate::Tolerance::ALL) {
            Ok(position) => position,
            Err(_) => unreachable!("a legal position stays legal when mirrored"),
        }
    }

    /// Converts to a [`Setup`], which can be edited.
    pub fn to_setup(&self) -> Setup {
        Setup {
            board: self.board,
            turn: self.turn,
            castling: self.castling,
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    /// As [`Position::to_setup`], with the en passant square of the double step that has led to the position, whether
    /// or not a pawn can capture there. A move that cannot have been that double step has no effect.
    ///
    /// ```
    /// use bartizan_position::{Position, Setup};
    ///
    /// // The pawn on e5 is pinned.
    /// let setup = Setup::from_fen("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1")?;
    /// let position = Position::try_from(&setup)?;
    /// assert_eq!(position.to_setup().en_passant, None);
    /// assert_eq!(position.to_setup_after(setup.double_step()), setup);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_setup_after(&self, double_step: Option<Move>) -> Setup {
        let passed = |step: Move| Square::new(step.to().file(), (!self.turn).relative_rank(Rank::Third));
        let setup = Setup { en_passant: double_step.map(passed), ..self.to_setup() };
        if double_step.is_some() && setup.double_step() == double_step { setup } else { self.to_setup() }
    }

    /// Computes the checkers and the pinned pieces of the side to move.
    #[inline]
    pub(crate) fn update_checks(&mut self) {
        let king = self.king(self.turn);
        let theirs = self.color(!self.turn);
        let sliders = self.scan_sliders(king, theirs, self.occupied());
        let leapers = (attacks::knight(king) & self.by_type(PieceType::Knight)
            | attacks::pawn(self.turn, king) & self.by_type(PieceType::Pawn))
            & theirs;
        self.checkers = leapers | sliders.attackers;
        self.pinned = sliders.blockers & self.color(self.turn);
    }

    pub(crate) fn set_castling(&mut self, castling: CastlingRights) {
        self.keys.state ^= crate::zobrist::castling(self.castling) ^ crate::zobrist::castling(castling);
        self.castling = castling;
    }

    /// Sets the en passant square if a pawn can legally capture there. Checks and pins must be up to date.
    pub(crate) fn set_en_passant_if_legal(&mut self, square: Square) {
        let candidates = attacks::pawn(!self.turn, square) & self.pieces(self.turn, PieceType::Pawn);
        if candidates.into_iter().any(|from| self.en_passant_is_legal(from, square)) {
            self.en_passant = Some(square);
            self.keys.state ^= crate::zobrist::en_passant(square);
        }
    }
}

/// Mutations for `makemove`.
impl Position {
    /// Puts a piece on an empty square. The caller updates the keys.
    #[inline]
    pub(crate) fn put_piece(&mut self, piece: Piece, square: Square) {
        let bit = square.bitboard();
        self.by_type[piece.piece_type()] |= bit;
        self.by_color[piece.color()] |= bit;
        self.board[square.index()] = Some(piece);
    }

    /// Removes a piece. The caller updates the keys.
    #[inline]
    pub(crate) fn take_piece(&mut self, piece: Piece, square: Square) {
        let bit = square.bitboard();
        self.by_type[piece.piece_type()] ^= bit;
        self.by_color[piece.color()] ^= bit;
        self.board[square.index()] = None;
    }

    /// Moves a piece to an empty square. The caller updates the keys.
    #[inline]
    pub(crate) fn move_piece(&mut self, piece: Piece, from: Square, to: Square) {
        let bits = from.bitboard() | to.bitboard();
        self.by_type[piece.piece_type()] ^= bits;
        self.by_color[piece.color()] ^= bits;
        self.board[from.index()] = None;
        self.board[to.index()] = Some(piece);
    }

    #[inline]
    pub(crate) fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.keys.state ^= crate::zobrist::en_passant(square);
        }
    }

    #[inline]
    pub(crate) fn reset_halfmove_clock(&mut self) {
        self.halfmove_clock = 0;
    }

    /// Gives the move to the other side.
    #[inline]
    pub(crate) fn pass_turn(&mut self) {
        self.fullmove_number = self.fullmove_number.saturating_add(self.turn.index() as u16);
        self.turn = !self.turn;
        self.keys.state ^= crate::zobrist::black_to_move();
    }

    #[inline]
    pub(crate) fn count_halfmove(&mut self) {
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
    }
}

impl Default for Position {
    /// The starting position.
    fn default() -> Self {
        Self::startpos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constant_starting_position_is_that_of_its_fen() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(Position::startpos(), Position::from_fen(fen).unwrap());
    }

    #[test]
    fn insufficient_material_by_colour() {
        // Board, and whether white and black cannot mate. The cases are those of FIDE's article 5.2.2 and its
        // commentary.
        for (board, white, black) in [
            ("4k3/8/8/8/8/8/8/4K3", true, true),
            ("4k3/8/8/8/8/8/8/4KN2", true, true),
            ("4k3/8/8/8/8/8/4P3/4K3", false, true),
            ("3qk3/8/8/8/8/8/8/4KN2", true, false),
            ("3rk3/8/8/8/8/8/8/4KN2", false, false),
            ("4k3/8/8/8/8/8/8/3NKN2", false, true),
            ("4kb2/8/8/8/8/8/8/4KN2", false, false),
            ("4kb2/8/8/8/8/8/8/2B1K3", true, true),
            ("2b1k3/8/8/8/8/8/8/2B1K3", false, false),
            ("3rk3/8/8/8/8/8/8/2B1K3", true, false),
            ("3nk3/8/8/8/8/8/8/2B1K3", false, false),
            ("4k3/4p3/8/8/8/8/8/2B1K3", false, false),
        ] {
            let position = Position::from_fen(&alloc::format!("{board} w - - 0 1")).unwrap();
            assert_eq!(position.has_insufficient_material(Color::White), white, "{board}");
            assert_eq!(position.has_insufficient_material(Color::Black), black, "{board}");
            assert_eq!(position.is_insufficient_material(), white && black, "{board}");
        }
    }
}
