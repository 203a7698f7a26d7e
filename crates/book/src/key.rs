//! Keys of positions in Polyglot books.

use crate::numbers::{CASTLING, EN_PASSANT, PIECES, WHITE_TO_MOVE};
use bartizan_position::{Observer, Position};
use bartizan_types::{Bitboard, CastlingRights, CastlingSide, Color, Key, Move, ParseError, Piece, PieceType, Square};
use std::fmt;
use std::str::FromStr;

/// The key of a position in a Polyglot book. Unlike [`Position::key`], it is the same in every program.
///
/// The format counts an en passant capture whenever a pawn has just advanced two squares and an enemy pawn stands
/// beside it, even if the capture is illegal. A [`Position`] stores legal captures only, so the exact key needs the
/// last move: that of a game, [`Game::preceding_move`](bartizan_position::Game::preceding_move), or that of a FEN,
/// [`Setup::double_step`](bartizan_position::Setup::double_step).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PolyglotKey(
    /// The bits.
    pub u64,
);

impl PolyglotKey {
    /// The key of a position whose last move is not known. It is wrong where an en passant capture would be illegal,
    /// for example because the pawn is pinned: use [`PolyglotKey::after`] for a game or a FEN.
    pub fn of(position: &Position) -> Self {
        Self::after(position, None)
    }

    /// The key of a position that `last` has led to. A FEN tells it by the en passant square:
    ///
    /// ```
    /// use bartizan_book::PolyglotKey;
    /// use bartizan_position::{Position, Setup};
    ///
    /// // Black's pawn on e4 is pinned.
    /// let before = Position::from_fen("8/8/8/8/k3p2R/8/3P4/4K3 w - - 0 1")?;
    /// let push = before.parse_uci("d2d4")?;
    /// let setup = Setup::from_fen("8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1")?;
    /// let after = Position::try_from(&setup)?;
    /// let by_moves = PolyglotKey::after(&before.play(push)?, Some(push));
    /// assert_eq!(PolyglotKey::after(&after, setup.double_step()), by_moves);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn after(position: &Position, last: Option<Move>) -> Self {
        RunningKey::new(position, last).get(position)
    }
}

/// The key of the last position of a line, kept up to date move by move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunningKey {
    board: Board,
    rights: CastlingRights,
    /// The combined numbers of these rights.
    castling: u64,
    /// The number of the file of a pawn that has just advanced two squares, or 0.
    pushed: u64,
}

impl RunningKey {
    pub(crate) fn new(position: &Position, last: Option<Move>) -> Self {
        let mut board = Board(0);
        for (square, piece) in position.placement() {
            board.put(piece, square);
        }
        let pushed = match last {
            Some(mv) => pushed_beside_enemy(position, mv),
            None => position.en_passant(),
        };
        Self { board, rights: position.castling(), castling: castling_number(position), pushed: file_number(pushed) }
    }

    /// Plays a legal move in the position that this is the key of.
    #[inline]
    pub(crate) fn make(&mut self, position: &mut Position, mv: Move) {
        position.make_observed(mv, &mut self.board);
        if position.castling() != self.rights {
            self.rights = position.castling();
            self.castling = castling_number(position);
        }
        self.pushed = file_number(pushed_beside_enemy(position, mv));
    }

    #[inline]
    pub(crate) fn get(&self, position: &Position) -> PolyglotKey {
        let turn = if position.turn() == Color::White { WHITE_TO_MOVE } else { 0 };
        PolyglotKey(self.board.0 ^ self.castling ^ self.pushed ^ turn)
    }
}

/// The numbers of all pieces on their squares.
#[derive(Clone, Copy, Debug)]
struct Board(u64);

impl Observer for Board {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.0 ^= number(piece, square);
    }

    #[inline]
    fn take(&mut self, piece: Piece, square: Square) {
        self.0 ^= number(piece, square);
    }
}

fn castling_number(position: &Position) -> u64 {
    let mut all = 0;
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if position.castling().rook(color, side, position.king(color)).is_some() {
                all ^= CASTLING[2 * color.index() + side as usize];
            }
        }
    }
    all
}

#[inline]
fn file_number(pushed: Option<Square>) -> u64 {
    pushed.map_or(0, |square| EN_PASSANT[square.file().index()])
}

/// The number of a piece on a square.
#[inline]
fn number(piece: Piece, square: Square) -> u64 {
    let kind = 2 * piece.piece_type().index() + usize::from(piece.color() == Color::White);
    PIECES[Square::COUNT * kind + square.index()]
}

/// The square of the pawn that `last` has advanced by two ranks, if an enemy pawn stands beside it.
#[inline]
fn pushed_beside_enemy(position: &Position, last: Move) -> Option<Square> {
    let (from, to) = (last.from(), last.to());
    let mover = position.piece_at(to)?;
    if mover.piece_type() != PieceType::Pawn || from.rank().distance(to.rank()) != 2 {
        return None;
    }
    let beside = Bitboard(to.file().adjacent().0 & to.rank().bitboard().0);
    let enemies = position.pieces(!mover.color(), PieceType::Pawn);
    (!(enemies & beside).is_empty()).then_some(to)
}

/// Sixteen lower-case hexadecimal digits, as Polyglot prints them.
impl fmt::Display for PolyglotKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Sixteen hexadecimal digits in either case, with or without `0x` in front of them.
///
/// ```
/// use bartizan_book::PolyglotKey;
/// use bartizan_position::Position;
///
/// assert_eq!("463b96181691fc9c".parse(), Ok(PolyglotKey::of(&Position::startpos())));
/// ```
impl FromStr for PolyglotKey {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.parse().map(|Key(bits)| Self(bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_position::Game;
    use bartizan_testkit::random_move;
    use bartizan_types::SplitMix64;

    /// The nine examples of "Polyglot book format".
    const EXAMPLES: [(&str, &str, u64); 9] = [
        ("", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c),
        ("e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a4_8b5a_8e47_ff78),
        (
            "e2e4 d7d5 e4e5 f7f5 e1e2",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3",
            0x652a_607c_a3f2_42c1,
        ),
        (
            "e2e4 d7d5 e4e5 f7f5 e1e2 e8f7",
            "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4",
            0x00fd_d303_c946_bdd9,
        ),
        (
            "a2a4 b7b5 h2h4 b5b4 c2c4",
            "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3",
            0x3c81_23ea_7b06_7637,
        ),
        (
            "a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3",
            "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4",
            0x5c3f_9b82_9b27_9560,
        ),
    ];

    #[test]
    fn published_examples() {
        for (moves, fen, key) in EXAMPLES {
            let mut game = Game::default();
            for mv in moves.split_whitespace() {
                game.push(game.position().parse_uci(mv).unwrap()).unwrap();
            }
            assert_eq!(PolyglotKey::after(game.position(), game.moves().last()), PolyglotKey(key), "{moves}");
            assert_eq!(PolyglotKey::of(&Position::from_fen(fen).unwrap()), PolyglotKey(key), "{fen}");
        }
    }

    #[test]
    fn a_pawn_that_may_not_capture_en_passant_counts() {
        // The pawn on e4 is pinned. The key is that of python-chess 1.11.
        let before = Position::from_fen("8/8/8/8/k3p2R/8/3P4/4K3 w - - 0 1").unwrap();
        let push = before.parse_uci("d2d4").unwrap();
        let after = before.play(push).unwrap();
        assert_eq!(after.en_passant(), None);
        let with = PolyglotKey::after(&after, Some(push));
        assert_eq!(with, PolyglotKey(0xc90c_f3fb_73c1_07b2));
        assert_eq!(with.0 ^ PolyglotKey::of(&after).0, EN_PASSANT[3]);
    }

    #[test]
    fn a_running_key_is_that_of_its_position() {
        let mut random = SplitMix64::new(1);
        // With castling, en passant captures and promotions within reach.
        for fen in [
            EXAMPLES[0].1,
            "r3k2r/p1p1p1p1/1P6/3pP1pP/1pP5/6P1/P2P4/R3K2R w KQkq - 0 1",
            "8/P6k/8/8/1p6/8/2P4p/K7 w - - 0 1",
        ] {
            for _ in 0..200 {
                let mut position = Position::from_fen(fen).unwrap();
                let mut running = RunningKey::new(&position, None);
                for _ in 0..60 {
                    let Some(mv) = random_move(&position, &mut random) else { break };
                    running.make(&mut position, mv);
                    let fresh = PolyglotKey::after(&position, Some(mv));
                    assert_eq!(running.get(&position), fresh, "{}", position.to_fen());
                }
            }
        }
    }
}
