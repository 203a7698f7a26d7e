//! Moves.
//!
//! A Python move is what coordinate notation says, so that it can be made without a position: origin, target and
//! promotion. Moves are immutable, and there is one object for each: a list of legal moves allocates only itself.

use crate::basics::{PieceTypeArg, SquareArg, number};
use crate::errors::InvalidMoveError;
use bartizan_types::{Excerpt, Move, PieceType, Square, UciMove, Variant};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// A move in 15 bits: six for the origin, six for the target, three for the type of the promotion (0 for none). A null
/// move is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Packed(pub(crate) u16);

/// The number of packed moves, valid or not.
const SLOTS: usize = 1 << 15;

impl Packed {
    pub(crate) const NULL: Self = Self(0);

    pub(crate) const fn of_uci(mv: UciMove) -> Self {
        let promotion = match mv.promotion {
            Some(piece_type) => number(piece_type) as u16,
            None => 0,
        };
        Self(mv.from.index() as u16 | (mv.to.index() as u16) << 6 | promotion << 12)
    }

    /// A move of a position, with castling as a game of chess or Chess960 writes it.
    pub(crate) const fn of(mv: Move, chess960: bool) -> Self {
        Self::of_uci(mv.to_uci(Variant::from_chess960(chess960)))
    }

    /// `None` for a null move.
    pub(crate) fn to_uci(self) -> Option<UciMove> {
        if self == Self::NULL {
            return None;
        }
        let square = |bits: u16| Square::from_index(usize::from(bits & 63));
        let promotion = usize::from(self.0 >> 12).checked_sub(1).and_then(PieceType::try_from_index);
        Some(UciMove { from: square(self.0), to: square(self.0 >> 6), promotion })
    }

    /// A move of a text or of squares; `None` if it ends where it begins.
    pub(crate) fn real(mv: UciMove) -> Option<Self> {
        (mv.from != mv.to).then(|| Self::of_uci(mv))
    }

    /// A move of 16 bits from outside.
    fn checked(bits: u16) -> Option<Self> {
        let promotion = bits >> 12;
        let is_still = bits & 63 == bits >> 6 & 63;
        (promotion <= 6 && !(is_still && bits != 0)).then_some(Self(bits))
    }

    pub(crate) fn text(self) -> String {
        self.to_uci().map_or_else(|| "0000".to_owned(), |mv| mv.to_string())
    }

    /// The object of the move.
    pub(crate) fn object(self, py: Python<'_>) -> PyResult<Py<PyMove>> {
        static TABLE: PyOnceLock<Box<[PyOnceLock<Py<PyMove>>]>> = PyOnceLock::new();
        let table = TABLE.get_or_init(py, || (0..SLOTS).map(|_| PyOnceLock::new()).collect());
        let slot = &table[usize::from(self.0) % SLOTS];
        Ok(slot.get_or_try_init(py, || Py::new(py, PyMove(self)))?.clone_ref(py))
    }
}

/// A move: immutable, hashable, comparable. It need not be legal in any position.
///
/// >>> from bartizan import Move, E2, E4
/// >>> Move(E2, E4)
/// Move.from_uci('e2e4')
/// >>> Move.from_uci('e7e8q').promotion
/// 5
/// >>> bool(Move.null())
/// False
#[pyclass(name = "Move", module = "bartizan", frozen)]
pub(crate) struct PyMove(pub(crate) Packed);

#[pymethods]
impl PyMove {
    #[new]
    #[pyo3(signature = (from_square, to_square, promotion = None))]
    fn new(from_square: SquareArg, to_square: SquareArg, promotion: Option<PieceTypeArg>) -> PyResult<Self> {
        let mv = UciMove { from: from_square.0, to: to_square.0, promotion: promotion.map(|piece| piece.0) };
        let packed = Packed::real(mv);
        packed.map(Self).ok_or_else(|| PyValueError::new_err("a move does not end where it begins"))
    }

    /// The move of a text in coordinate notation, such as `e2e4` or `e7e8q`; `0000` is a null move.
    #[staticmethod]
    fn from_uci(py: Python<'_>, uci: &str) -> PyResult<Py<Self>> {
        if matches!(uci, "0000" | "--") {
            return Packed::NULL.object(py);
        }
        let parsed = uci.parse().ok().and_then(Packed::real);
        let invalid =
            || InvalidMoveError::new_err(format!("invalid move '{}': expected e2e4 or e7e8q", Excerpt::new(uci)));
        parsed.ok_or_else(invalid)?.object(py)
    }

    /// The move of 16 bits as in the columns of `pgn_to_arrow(moves="packed")`: see `int(move)`.
    #[staticmethod]
    fn from_int(py: Python<'_>, bits: u16) -> PyResult<Py<Self>> {
        let invalid = || InvalidMoveError::new_err(format!("{bits} is not a packed move"));
        Packed::checked(bits).ok_or_else(invalid)?.object(py)
    }

    /// The null move, which passes the turn.
    #[staticmethod]
    fn null(py: Python<'_>) -> PyResult<Py<Self>> {
        Packed::NULL.object(py)
    }

    /// The square where the move begins.
    #[getter]
    #[allow(clippy::wrong_self_convention, reason = "the name in Python")]
    fn from_square(&self) -> u8 {
        (self.0.0 & 63) as u8
    }

    /// The square where the move ends; of castling that of the king, and in Chess960 that of the rook.
    #[getter]
    fn to_square(&self) -> u8 {
        (self.0.0 >> 6 & 63) as u8
    }

    /// The type of piece that a pawn becomes, or None.
    #[getter]
    fn promotion(&self) -> Option<u8> {
        Some((self.0.0 >> 12) as u8).filter(|&piece| piece > 0)
    }

    /// The move in coordinate notation.
    fn uci(&self) -> String {
        self.0.text()
    }

    fn __str__(&self) -> String {
        self.0.text()
    }

    fn __repr__(&self) -> String {
        format!("Move.from_uci('{}')", self.0.text())
    }

    fn __bool__(&self) -> bool {
        self.0 != Packed::NULL
    }

    /// The move in 15 bits: `from_square | to_square << 6 | (promotion or 0) << 12`.
    fn __int__(&self) -> u16 {
        self.0.0
    }

    fn __hash__(&self) -> u64 {
        u64::from(self.0.0)
    }

    fn __richcmp__(&self, other: PyRef<'_, Self>, op: pyo3::pyclass::CompareOp) -> bool {
        op.matches(self.0.0.cmp(&other.0.0))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (u16,))> {
        Ok((py.get_type::<Self>().getattr("from_int")?, (self.0.0,)))
    }
}
