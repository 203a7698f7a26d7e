//! The board.

use crate::basics::{ColorArg, PieceTypeArg, PyPiece, SquareArg, color, number};
use crate::epd;
use crate::errors::{IllegalMoveError, InvalidMoveError, fen_error, san_error};
use crate::legal_moves::LegalMoves;
use crate::moves::{Packed, PyMove};
use crate::outcome;
use crate::square_set::SquareSet;
use crate::state::State;
use crate::svg;
use bartizan_notation::san::{Lan, San, numbered, parse_san};
use bartizan_position::{FenStyle, Position, Setup, Tolerance, perft};
use bartizan_types::{Bitboard, CastlingSide, Excerpt, PieceType, Square};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::collections::BTreeMap;

/// The FEN of the initial position.
pub(crate) const STARTING_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A legal position and the moves that have led to it.
///
/// >>> from bartizan import Board
/// >>> board = Board()
/// >>> board.push_san("e4")
/// Move.from_uci('e2e4')
/// >>> [board.san(move) for move in board.legal_moves][:3]
/// ['Na6', 'Nc6', 'Nf6']
/// >>> board.fen()
/// 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
/// >>> Board("8/8/8/8/8/8/8/8 w - - 0 1")
/// Traceback (most recent call last):
///   ...
/// bartizan._errors.FenError: white has no king; black has no king
///
/// Boards can be compared, copied and pickled. They are not hashable, because they change; use `fen()` or `key`.
#[pyclass(name = "Board", module = "bartizan")]
#[derive(Clone)]
pub(crate) struct Board {
    pub(crate) state: State,
}

impl Board {
    pub(crate) fn position(&self) -> &Position {
        self.state.position()
    }

    /// Replaces the position by a changed one. The moves are forgotten.
    fn edit(&mut self, change: impl FnOnce(&mut Setup)) -> PyResult<()> {
        let mut setup = self.state.setup();
        change(&mut setup);
        let state = State::of_setup(setup, self.state.chess960).map_err(|error| fen_error(&error))?;
        self.state = state;
        Ok(())
    }

    /// The legal move of a text in SAN; `Packed::NULL` for a null move.
    fn read_san(&self, san: &str) -> PyResult<Packed> {
        if matches!(san, "--" | "Z0" | "0000" | "@@@@") {
            return Ok(Packed::NULL);
        }
        let mv = parse_san(self.position(), san).map_err(|error| san_error(&error))?;
        Ok(Packed::of(mv, self.state.chess960))
    }

    fn read_uci(&self, uci: &str) -> PyResult<Packed> {
        if uci == "0000" {
            return Ok(Packed::NULL);
        }
        let syntax =
            || InvalidMoveError::new_err(format!("invalid move '{}': expected e2e4 or e7e8q", Excerpt::new(uci)));
        let packed = uci.parse().ok().and_then(Packed::real).ok_or_else(syntax)?;
        let mv = self.state.resolve(packed)?;
        Ok(mv.map_or(Packed::NULL, |mv| Packed::of(mv, self.state.chess960)))
    }

    /// A move that must be legal.
    fn legal(&self, mv: &PyMove) -> PyResult<bartizan_types::Move> {
        self.state.resolve(mv.0)?.ok_or_else(|| IllegalMoveError::new_err("a null move is not legal"))
    }

    fn kings_rook(&self, by: ColorArg, side: CastlingSide) -> bool {
        let position = self.position();
        position.castling().rook(by.0, side, position.king(by.0)).is_some()
    }

    /// The text of the board: a line for each rank.
    fn draw(&self, piece: impl Fn(bartizan_types::Piece) -> char, empty: char) -> String {
        let mut text = String::with_capacity(128);
        for rank in (0..8).rev() {
            for file in 0..8 {
                let square = Square::from_index(8 * rank + file);
                text.push(self.position().piece_at(square).map_or(empty, &piece));
                text.push(if file < 7 { ' ' } else { '\n' });
            }
        }
        text.pop();
        text
    }
}

#[pymethods]
impl Board {
    /// A board with the position of a FEN. Without `chess960`, castling rights that exist only there are dropped.
    #[new]
    #[pyo3(signature = (fen = STARTING_FEN, *, chess960 = false))]
    fn new(fen: &str, chess960: bool) -> PyResult<Self> {
        if fen == STARTING_FEN {
            return Ok(Self { state: State::new(Position::startpos(), chess960) });
        }
        Ok(Self { state: State::of_fen(fen, chess960)? })
    }

    /// A starting position of Chess960, from 0 to 959.
    #[staticmethod]
    fn from_chess960_pos(number: u32) -> PyResult<Self> {
        let position = usize::try_from(number).ok().and_then(Position::chess960);
        let position =
            position.ok_or_else(|| PyValueError::new_err("starting positions are numbered from 0 to 959"))?;
        Ok(Self { state: State::new(position, true) })
    }

    /// A board with the position of an EPD, and a dictionary of its operations.
    ///
    /// >>> from bartizan import Board
    /// >>> board, operations = Board.from_epd("6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"back rank\";")
    /// >>> operations
    /// {'bm': [Move.from_uci('d1d8')], 'id': 'back rank'}
    #[staticmethod]
    #[pyo3(signature = (epd, *, chess960 = false))]
    fn from_epd<'py>(py: Python<'py>, epd: &str, chess960: bool) -> PyResult<(Self, Bound<'py, PyDict>)> {
        let (state, operations) = epd::read(py, epd, chess960)?;
        Ok((Self { state }, operations))
    }

    /// A board with pieces on squares. Castling rights are letters as in FEN.
    ///
    /// >>> from bartizan import *
    /// >>> pieces = {E1: Piece.from_symbol("K"), E8: Piece.from_symbol("k"), H1: Piece.from_symbol("R")}
    /// >>> Board.from_pieces(pieces, castling="K").fen()
    /// '4k3/8/8/8/8/8/8/4K2R w K - 0 1'
    #[staticmethod]
    #[pyo3(signature = (pieces, *, turn = true, castling = "-", chess960 = false))]
    fn from_pieces(
        pieces: BTreeMap<u8, PyRef<'_, PyPiece>>,
        turn: bool,
        castling: &str,
        chess960: bool,
    ) -> PyResult<Self> {
        let mut setup = Setup { turn: color(turn), ..Setup::EMPTY };
        for (index, piece) in &pieces {
            let square = Square::try_from_index(usize::from(*index));
            let square = square.ok_or_else(|| PyValueError::new_err("square out of range: expected 0 to 63"))?;
            setup.board[square.index()] = Some(piece.0);
        }
        // The letters of the outermost rooks depend on the pieces.
        let side = if turn { 'w' } else { 'b' };
        let placement = setup.to_fen(FenStyle::XFen);
        let placement = placement.split(' ').next().unwrap_or_default();
        let state = State::of_fen(&format!("{placement} {side} {castling} - 0 1"), chess960)?;
        Ok(Self { state })
    }

    // What the position is.

    /// The side to move: WHITE or BLACK. Setting it forgets the moves.
    #[getter]
    fn turn(&self) -> bool {
        self.position().turn().is_white()
    }

    #[setter]
    fn set_turn(&mut self, turn: ColorArg) -> PyResult<()> {
        if self.position().turn() == turn.0 {
            return Ok(());
        }
        self.edit(|setup| {
            setup.turn = turn.0;
            setup.en_passant = None;
        })
    }

    /// The number of the move, from 1; it increases after Black's move.
    #[getter]
    fn fullmove_number(&self) -> u16 {
        self.position().fullmove_number()
    }

    /// The number of plies since the last capture or pawn move.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        self.position().halfmove_clock()
    }

    /// Whether moves are those of Chess960: castling is written as king takes rook.
    #[getter]
    fn chess960(&self) -> bool {
        self.state.chess960
    }

    /// The square that a pawn has just passed by a double step, whether or not a pawn can capture there; or None.
    #[getter]
    fn ep_square(&self) -> Option<usize> {
        self.state.passed().map(Square::index)
    }

    /// The rooks that may castle.
    #[getter]
    fn castling_rights(&self) -> SquareSet {
        SquareSet(self.position().castling().rooks())
    }

    /// The moves that have been played.
    #[getter]
    fn move_stack(&self, py: Python<'_>) -> PyResult<Vec<Py<PyMove>>> {
        self.state.moves().iter().map(|mv| mv.object(py)).collect()
    }

    /// A number of 64 bits that two positions share if they count as repetitions of each other, and else almost never.
    #[getter]
    fn key(&self) -> u64 {
        self.position().key().0
    }

    /// Whether a side may still castle towards the h-file.
    fn has_kingside_castling_rights(&self, color: ColorArg) -> bool {
        self.kings_rook(color, CastlingSide::King)
    }

    /// Whether a side may still castle towards the a-file.
    fn has_queenside_castling_rights(&self, color: ColorArg) -> bool {
        self.kings_rook(color, CastlingSide::Queen)
    }

    /// Whether a side may still castle.
    fn has_castling_rights(&self, color: ColorArg) -> bool {
        !self.position().castling().rooks_of(color.0).is_empty()
    }

    /// Whether there is a legal en passant capture.
    fn has_legal_en_passant(&self) -> bool {
        self.position().en_passant().is_some()
    }

    /// The number of plies since move 1.
    fn ply(&self) -> u32 {
        self.position().game_ply()
    }

    /// The piece on a square, or None.
    fn piece_at(&self, square: SquareArg) -> Option<PyPiece> {
        self.position().piece_at(square.0).map(PyPiece)
    }

    /// The type of the piece on a square, or None.
    fn piece_type_at(&self, square: SquareArg) -> Option<u8> {
        self.position().piece_type_at(square.0).map(number)
    }

    /// The colour of the piece on a square, or None.
    fn color_at(&self, square: SquareArg) -> Option<bool> {
        self.position().piece_at(square.0).map(|piece| piece.color().is_white())
    }

    /// The pieces by their squares.
    fn piece_map(&self) -> BTreeMap<usize, PyPiece> {
        self.position().placement().map(|(square, piece)| (square.index(), PyPiece(piece))).collect()
    }

    /// The squares of the pieces of a type and colour.
    fn pieces(&self, piece_type: PieceTypeArg, color: ColorArg) -> SquareSet {
        SquareSet(self.position().pieces(color.0, piece_type.0))
    }

    /// The occupied squares, or those of one colour.
    #[pyo3(signature = (color = None))]
    fn occupied(&self, color: Option<ColorArg>) -> SquareSet {
        let position = self.position();
        SquareSet(color.map_or_else(|| position.occupied(), |color| position.color(color.0)))
    }

    /// The square of a king.
    fn king(&self, color: ColorArg) -> usize {
        self.position().king(color.0).index()
    }

    /// The squares that the piece on a square attacks.
    fn attacks(&self, square: SquareArg) -> SquareSet {
        SquareSet(self.position().attacks_from(square.0))
    }

    /// The pieces of a colour that attack a square.
    fn attackers(&self, color: ColorArg, square: SquareArg) -> SquareSet {
        let position = self.position();
        SquareSet(position.attackers_to(square.0, position.occupied(), color.0))
    }

    /// Whether a piece of a colour attacks a square.
    fn is_attacked_by(&self, color: ColorArg, square: SquareArg) -> bool {
        self.attackers(color, square).0.any()
    }

    /// The pieces that give check.
    fn checkers(&self) -> SquareSet {
        SquareSet(self.position().checkers())
    }

    /// Whether the piece of a colour on a square is pinned to its king.
    fn is_pinned(&self, color: ColorArg, square: SquareArg) -> bool {
        self.state.pinned(color.0).contains(square.0)
    }

    // How the game stands.

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        self.position().in_check()
    }

    /// Whether the side to move is checkmated.
    fn is_checkmate(&self) -> bool {
        self.position().is_checkmate()
    }

    /// Whether the side to move has no legal move and is not in check.
    fn is_stalemate(&self) -> bool {
        self.position().is_stalemate()
    }

    /// Whether no sequence of legal moves leads to mate, by the pieces alone.
    fn is_insufficient_material(&self) -> bool {
        let position = self.position();
        position.is_insufficient_material()
    }

    /// Whether the pieces of a colour do not suffice to mate, whatever the other side has and does.
    fn has_insufficient_material(&self, color: ColorArg) -> bool {
        self.position().has_insufficient_material(color.0)
    }

    /// Whether the position has occurred at least `count` times.
    #[pyo3(signature = (count = 3))]
    fn is_repetition(&self, count: i64) -> bool {
        self.state.occurrences() as i64 >= count
    }

    /// Whether the position has occurred five times: the game is drawn.
    fn is_fivefold_repetition(&self) -> bool {
        self.state.occurrences() >= 5
    }

    /// Whether 50 moves of each side were neither captures nor pawn moves.
    fn is_fifty_moves(&self) -> bool {
        self.position().halfmove_clock() >= 100 && self.position().has_legal_move()
    }

    /// Whether 75 moves of each side were neither captures nor pawn moves: the game is drawn.
    fn is_seventyfive_moves(&self) -> bool {
        self.position().halfmove_clock() >= 150 && self.position().has_legal_move()
    }

    /// Whether the side to move can claim a draw, now or with its next move.
    fn can_claim_draw(&self) -> bool {
        self.state.can_claim_fifty() || self.state.can_claim_repetition()
    }

    /// Whether it can by the fifty-move rule.
    fn can_claim_fifty_moves(&self) -> bool {
        self.state.can_claim_fifty()
    }

    /// Whether it can by threefold repetition.
    fn can_claim_threefold_repetition(&self) -> bool {
        self.state.can_claim_repetition()
    }

    /// How the game has ended, or None. With `claim_draw`, a draw that can be claimed counts.
    ///
    /// >>> from bartizan import Board
    /// >>> outcome = Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").outcome()
    /// >>> outcome.termination.name, outcome.winner, outcome.result()
    /// ('STALEMATE', None, '1/2-1/2')
    #[pyo3(signature = (*, claim_draw = false))]
    fn outcome<'py>(&self, py: Python<'py>, claim_draw: bool) -> PyResult<Option<Bound<'py, PyAny>>> {
        outcome::of(&self.state, claim_draw).map(|ending| ending.object(py)).transpose()
    }

    /// Whether the game has ended.
    #[pyo3(signature = (*, claim_draw = false))]
    fn is_game_over(&self, claim_draw: bool) -> bool {
        outcome::of(&self.state, claim_draw).is_some()
    }

    /// The result: '1-0', '0-1', '1/2-1/2', or '*' if the game goes on.
    #[pyo3(signature = (*, claim_draw = false))]
    fn result(&self, claim_draw: bool) -> &'static str {
        outcome::of(&self.state, claim_draw).map_or("*", outcome::Ending::result)
    }

    /// Whether the position can occur in a game.
    fn is_valid(&self) -> bool {
        self.problems().is_empty()
    }

    /// Why the position cannot occur in a game: reasons in words.
    fn problems(&self) -> Vec<String> {
        match self.state.setup().validate(Tolerance::NONE) {
            Ok(_) => Vec::new(),
            Err(illegal) => illegal.reasons().iter().map(ToString::to_string).collect(),
        }
    }

    // Moves.

    /// The legal moves: iterable, with `in`, `len` and `count()`. They follow the board.
    #[getter]
    fn legal_moves(slf: Py<Self>) -> LegalMoves {
        LegalMoves::new(slf)
    }

    /// The legal moves from some squares to some squares.
    #[pyo3(signature = (from_mask = None, to_mask = None))]
    fn generate_legal_moves<'py>(
        &self,
        py: Python<'py>,
        from_mask: Option<crate::square_set::SquaresArg<'_>>,
        to_mask: Option<crate::square_set::SquaresArg<'_>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mask =
            |mask: Option<crate::square_set::SquaresArg<'_>>| mask.map_or(Ok(!Bitboard::EMPTY), |mask| mask.bitboard());
        let (from, to) = (mask(from_mask)?, mask(to_mask)?);
        self.list(py, |mv| {
            let (begin, end) = (mv & 63, mv >> 6 & 63);
            from.contains(Square::from_index(usize::from(begin))) && to.contains(Square::from_index(usize::from(end)))
        })
    }

    /// The legal captures, en passant included.
    fn generate_legal_captures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let position = self.position();
        let moves = position.legal_moves();
        let captures = moves.iter().filter(|&&mv| position.is_capture(mv));
        let objects = captures.map(|&mv| Packed::of(mv, self.state.chess960).object(py));
        Ok(PyList::new(py, objects.collect::<PyResult<Vec<_>>>()?)?.try_iter()?.into_any())
    }

    /// Whether a move is legal.
    fn is_legal(&self, r#move: &PyMove) -> bool {
        self.state.is_legal(r#move.0).is_some()
    }

    /// Plays a legal move, or a null move.
    ///
    /// Raises `IllegalMoveError` for any other; the board is unchanged.
    fn push(&mut self, r#move: &PyMove) -> PyResult<()> {
        self.state.push(r#move.0)
    }

    /// Plays a move in SAN, such as `Nf3`, and returns it.
    fn push_san(&mut self, py: Python<'_>, san: &str) -> PyResult<Py<PyMove>> {
        let mv = self.read_san(san)?;
        self.state.push(mv)?;
        mv.object(py)
    }

    /// Plays a move in coordinate notation, such as `g1f3`, and returns it.
    fn push_uci(&mut self, py: Python<'_>, uci: &str) -> PyResult<Py<PyMove>> {
        let mv = self.read_uci(uci)?;
        self.state.push(mv)?;
        mv.object(py)
    }

    /// Takes the last move back and returns it. Raises `IndexError` if there is none.
    fn pop(&mut self, py: Python<'_>) -> PyResult<Py<PyMove>> {
        self.state.pop().ok_or_else(|| PyIndexError::new_err("there is no move to take back"))?.object(py)
    }

    /// The last move. Raises `IndexError` if there is none.
    fn peek(&self, py: Python<'_>) -> PyResult<Py<PyMove>> {
        self.state.moves().last().ok_or_else(|| PyIndexError::new_err("no move has been played"))?.object(py)
    }

    /// The legal move from a square to a square. A pawn on the last rank becomes a queen unless told otherwise.
    #[pyo3(signature = (from_square, to_square, promotion = None))]
    fn find_move(
        &self,
        py: Python<'_>,
        from_square: SquareArg,
        to_square: SquareArg,
        promotion: Option<PieceTypeArg>,
    ) -> PyResult<Py<PyMove>> {
        let position = self.position();
        let is_pawn = position.piece_type_at(from_square.0) == Some(PieceType::Pawn);
        let is_last = matches!(to_square.0.rank(), bartizan_types::Rank::First | bartizan_types::Rank::Eighth);
        let queen = (is_pawn && is_last).then_some(PieceType::Queen);
        let promotion = promotion.map(|piece| piece.0).or(queen);
        let mv = bartizan_types::UciMove { from: from_square.0, to: to_square.0, promotion };
        let mv = self.state.resolve(
            Packed::real(mv).ok_or_else(|| IllegalMoveError::new_err("a move does not end where it begins"))?,
        )?;
        mv.map_or(Packed::NULL, |mv| Packed::of(mv, self.state.chess960)).object(py)
    }

    /// The legal move of a text in SAN. Raises `InvalidMoveError`, `IllegalMoveError` or `AmbiguousMoveError`.
    fn parse_san(&self, py: Python<'_>, san: &str) -> PyResult<Py<PyMove>> {
        self.read_san(san)?.object(py)
    }

    /// The legal move of a text in coordinate notation. Raises `InvalidMoveError` or `IllegalMoveError`.
    fn parse_uci(&self, py: Python<'_>, uci: &str) -> PyResult<Py<PyMove>> {
        self.read_uci(uci)?.object(py)
    }

    /// A legal move in SAN: `Nf3`, `exd6`, `O-O`, `e8=Q#`.
    fn san(&self, r#move: &PyMove) -> PyResult<String> {
        if r#move.0 == Packed::NULL {
            return Ok("--".to_owned());
        }
        Ok(San::new(self.position(), self.legal(r#move)?).to_string())
    }

    /// A legal move in long algebraic notation: `Ng1-f3`.
    fn lan(&self, r#move: &PyMove) -> PyResult<String> {
        if r#move.0 == Packed::NULL {
            return Ok("--".to_owned());
        }
        Ok(Lan::new(self.position(), self.legal(r#move)?).to_string())
    }

    /// A legal move in coordinate notation, with castling as this board writes it.
    fn uci(&self, r#move: &PyMove) -> PyResult<String> {
        let mv = self.state.resolve(r#move.0)?;
        Ok(mv.map_or(Packed::NULL, |mv| Packed::of(mv, self.state.chess960)).text())
    }

    /// A line of legal moves in SAN with numbers: `1. e4 e5 2. Nf3`.
    fn variation_san(&self, variation: Vec<PyRef<'_, PyMove>>) -> PyResult<String> {
        let mut state = self.state.flat();
        let mut moves = Vec::with_capacity(variation.len());
        for mv in &variation {
            let mv = state.resolve(mv.0)?.ok_or_else(|| IllegalMoveError::new_err("a line has no null moves"))?;
            state.play(mv);
            moves.push(mv);
        }
        numbered(self.position(), &moves).map_err(|error| IllegalMoveError::new_err(error.to_string()))
    }

    /// Whether a legal move is a capture.
    fn is_capture(&self, r#move: &PyMove) -> PyResult<bool> {
        Ok(self.position().is_capture(self.legal(r#move)?))
    }

    /// Whether a legal move is an en passant capture.
    fn is_en_passant(&self, r#move: &PyMove) -> PyResult<bool> {
        Ok(self.legal(r#move)?.is_en_passant())
    }

    /// Whether a legal move castles.
    fn is_castling(&self, r#move: &PyMove) -> PyResult<bool> {
        Ok(self.legal(r#move)?.is_castling())
    }

    /// Whether a legal move castles towards the h-file.
    fn is_kingside_castling(&self, r#move: &PyMove) -> PyResult<bool> {
        let mv = self.legal(r#move)?;
        Ok(mv.is_castling() && CastlingSide::of(mv.from(), mv.to()) == CastlingSide::King)
    }

    /// Whether a legal move castles towards the a-file.
    fn is_queenside_castling(&self, r#move: &PyMove) -> PyResult<bool> {
        let mv = self.legal(r#move)?;
        Ok(mv.is_castling() && CastlingSide::of(mv.from(), mv.to()) == CastlingSide::Queen)
    }

    /// Whether a legal move gives check.
    fn gives_check(&self, r#move: &PyMove) -> PyResult<bool> {
        Ok(self.position().gives_check(self.legal(r#move)?))
    }

    /// Whether a legal move is a capture or a pawn move.
    fn is_zeroing(&self, r#move: &PyMove) -> PyResult<bool> {
        let mv = self.legal(r#move)?;
        Ok(self.position().is_capture(mv) || self.position().piece_type_at(mv.from()) == Some(PieceType::Pawn))
    }

    /// Whether the exchanges that a legal move begins gain at least `threshold` centipawns.
    #[pyo3(signature = (r#move, threshold = 0))]
    fn see_at_least(&self, r#move: &PyMove, threshold: i32) -> PyResult<bool> {
        // Far beyond every exchange.
        Ok(self.position().see_ge(self.legal(r#move)?, threshold.clamp(-100_000, 100_000)))
    }

    /// The number of leaves of the tree of legal moves.
    ///
    /// >>> from bartizan import Board
    /// >>> Board().perft(4)
    /// 197281
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        let position = self.position().clone();
        crate::interrupt::run(py, move |stop| count(&position, depth, stop))
    }

    // Changing, copying.

    /// Makes this the board of a FEN. The moves are forgotten.
    fn set_fen(&mut self, fen: &str) -> PyResult<()> {
        self.state = State::of_fen(fen, self.state.chess960)?;
        Ok(())
    }

    /// Makes this the board of an EPD, and returns its operations.
    fn set_epd<'py>(&mut self, py: Python<'py>, epd: &str) -> PyResult<Bound<'py, PyDict>> {
        let (state, operations) = epd::read(py, epd, self.state.chess960)?;
        self.state = state;
        Ok(operations)
    }

    /// Back to the initial position.
    fn reset(&mut self) {
        self.state = State::new(Position::startpos(), self.state.chess960);
    }

    /// Puts a piece on a square, or empties it with None. The moves are forgotten.
    ///
    /// Raises `FenError` if the position would not be legal; the board is unchanged.
    #[pyo3(signature = (square, piece))]
    fn set_piece_at(&mut self, square: SquareArg, piece: Option<PyRef<'_, PyPiece>>) -> PyResult<()> {
        self.edit(|setup| setup.board[square.0.index()] = piece.map(|piece| piece.0))
    }

    /// Takes the piece off a square and returns it. The moves are forgotten.
    fn remove_piece_at(&mut self, square: SquareArg) -> PyResult<Option<PyPiece>> {
        let piece = self.piece_at(square);
        self.edit(|setup| setup.board[square.0.index()] = None)?;
        Ok(piece)
    }

    /// A copy; without `stack`, without the moves.
    #[pyo3(signature = (*, stack = true))]
    fn copy(&self, stack: bool) -> Self {
        Self { state: if stack { self.state.clone() } else { self.state.flat() } }
    }

    /// A copy of the first position.
    fn root(&self) -> Self {
        Self { state: self.state.root() }
    }

    /// The position mirrored top to bottom with the colours swapped, without the moves.
    fn mirror(&self) -> Self {
        let setup = self.state.setup().flipped();
        let flipped = State::of_setup(setup, self.state.chess960);
        Self { state: flipped.unwrap_or_else(|_| State::new(self.position().flipped(), self.state.chess960)) }
    }

    /// The FEN. `en_passant` says when the passed square is written: if a capture is `"legal"`, in every `"fen"` after
    /// a double step, or as in `"xfen"` if a pawn stands beside.
    #[pyo3(signature = (*, shredder = false, en_passant = "legal"))]
    fn fen(&self, shredder: bool, en_passant: &str) -> PyResult<String> {
        let style = if shredder { FenStyle::Shredder } else { FenStyle::XFen };
        let shows = match en_passant {
            "legal" => return Ok(self.position().to_fen_style(style)),
            "fen" => true,
            "xfen" => self.state.attackers_of_passed().any(),
            _ => return Err(PyValueError::new_err("en_passant is 'legal', 'fen' or 'xfen'")),
        };
        Ok(if shows { self.state.setup().to_fen(style) } else { self.position().to_fen_style(style) })
    }

    /// The first field of the FEN.
    fn board_fen(&self) -> String {
        let fen = self.position().to_fen();
        fen.split(' ').next().unwrap_or_default().to_owned()
    }

    /// The EPD: the first four fields of the FEN, and operations.
    ///
    /// >>> from bartizan import Board, Move
    /// >>> Board().epd(bm=[Move.from_uci("e2e4")], id="start", ce=12)
    /// 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id "start"; ce 12;'
    #[pyo3(signature = (*, shredder = false, **operations))]
    fn epd(&self, shredder: bool, operations: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        epd::write(&self.state, shredder, operations)
    }

    /// A picture of the board in words: figurines, a line for each rank.
    #[pyo3(signature = (*, invert_color = false, empty_square = '.'))]
    fn unicode(&self, invert_color: bool, empty_square: char) -> String {
        let figurine = |piece: bartizan_types::Piece| {
            if invert_color { piece.flip_color().to_figurine() } else { piece.to_figurine() }
        };
        self.draw(figurine, empty_square)
    }

    fn _repr_svg_(&self) -> String {
        svg::of_board(&self.state)
    }

    fn __str__(&self) -> String {
        self.draw(bartizan_types::Piece::to_char, '.')
    }

    fn __repr__(&self) -> String {
        let chess960 = if self.state.chess960 { ", chess960=True" } else { "" };
        format!("Board('{}'{chess960})", self.position().to_fen())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        let other = other.try_borrow()?;
        Ok(self.position() == other.position() && self.state.chess960 == other.state.chess960)
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    /// Restores a pickled board.
    #[staticmethod]
    fn _restore(fen: &str, chess960: bool, moves: Vec<u16>) -> PyResult<Self> {
        let mut state = State::of_fen(fen, chess960)?;
        for bits in moves {
            state.push(Packed(bits & 0x7fff))?;
        }
        Ok(Self { state })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let fen = self.state.root().setup().to_fen(FenStyle::Shredder);
        let moves: Vec<u16> = self.state.moves().iter().map(|mv| mv.0).collect();
        let arguments = (fen, self.state.chess960, moves).into_pyobject(py)?;
        Ok((py.get_type::<Self>().getattr("_restore")?, arguments))
    }
}

impl Board {
    /// An iterator over the legal moves that pass a filter of their bits.
    pub(crate) fn list<'py>(&self, py: Python<'py>, is_wanted: impl Fn(u16) -> bool) -> PyResult<Bound<'py, PyAny>> {
        let moves = self.position().legal_moves();
        let packed = moves.iter().map(|&mv| Packed::of(mv, self.state.chess960)).filter(|mv| is_wanted(mv.0));
        let objects: Vec<Py<PyMove>> = packed.map(|mv| mv.object(py)).collect::<PyResult<_>>()?;
        Ok(PyList::new(py, objects)?.try_iter()?.into_any())
    }
}

/// The leaves below a position. The count stops early, with any number, once a stop is requested.
fn count(position: &Position, depth: u32, stop: &bartizan_parallel::StopFlag) -> u64 {
    if depth <= 4 || stop.is_stopped() {
        return if stop.is_stopped() { 0 } else { perft(position, depth) };
    }
    position.legal_moves().iter().map(|&mv| count(&position.play_unchecked(mv), depth - 1, stop)).sum()
}
