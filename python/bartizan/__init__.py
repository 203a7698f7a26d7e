"""Chess: fast rules and PGN, an engine, reviews of games, tablebases, books, tables of games."""

from __future__ import annotations

from collections.abc import Sequence

# The aliases say that the names are exported.
from . import _bartizan, eco as eco, engine as engine, pgn as pgn, polyglot as polyglot, svg as svg, syzygy as syzygy
from ._bartizan import (
    Board as Board,
    GameTable as GameTable,
    LegalMoves as LegalMoves,
    Move as Move,
    Piece as Piece,
    SquareSet as SquareSet,
    parse_square as parse_square,
    pgn_to_arrow as pgn_to_arrow,
    read_pgn as read_pgn,
    square_name as square_name,
)
from ._errors import (
    AmbiguousMoveError as AmbiguousMoveError,
    EngineError as EngineError,
    EngineTerminatedError as EngineTerminatedError,
    EpdError as EpdError,
    FenError as FenError,
    IllegalMoveError as IllegalMoveError,
    InvalidMoveError as InvalidMoveError,
    MissingTableError as MissingTableError,
    PgnError as PgnError,
    TablebaseError as TablebaseError,
)
from ._outcome import Outcome as Outcome, Termination as Termination
from .engine import Engine as Engine, EngineProcess as EngineProcess, Limit as Limit

__version__ = "0.1.0"

Color = bool
Square = int
PieceType = int

WHITE: Color = True
BLACK: Color = False
COLORS = [WHITE, BLACK]
COLOR_NAMES = ["black", "white"]

PAWN: PieceType = 1
KNIGHT: PieceType = 2
BISHOP: PieceType = 3
ROOK: PieceType = 4
QUEEN: PieceType = 5
KING: PieceType = 6
PIECE_TYPES = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING]

STARTING_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SQUARES = list(range(64))
SQUARE_NAMES = [square_name(square) for square in SQUARES]
FILE_NAMES = list("abcdefgh")
RANK_NAMES = list("12345678")

A1, B1, C1, D1, E1, F1, G1, H1 = range(0, 8)
A2, B2, C2, D2, E2, F2, G2, H2 = range(8, 16)
A3, B3, C3, D3, E3, F3, G3, H3 = range(16, 24)
A4, B4, C4, D4, E4, F4, G4, H4 = range(24, 32)
A5, B5, C5, D5, E5, F5, G5, H5 = range(32, 40)
A6, B6, C6, D6, E6, F6, G6, H6 = range(40, 48)
A7, B7, C7, D7, E7, F7, G7, H7 = range(48, 56)
A8, B8, C8, D8, E8, F8, G8, H8 = range(56, 64)


def square(file_index: int, rank_index: int) -> Square:
    """The square of a file and a rank, each from 0 to 7."""
    if not (0 <= file_index < 8 and 0 <= rank_index < 8):
        raise ValueError("files and ranks are numbered from 0 to 7")
    return rank_index * 8 + file_index


def square_file(square: Square) -> int:
    """The file of a square, from 0 to 7."""
    return square & 7


def square_rank(square: Square) -> int:
    """The rank of a square, from 0 to 7."""
    return square >> 3


def square_distance(a: Square, b: Square) -> int:
    """The number of moves of a king between two squares."""
    return max(abs(square_file(a) - square_file(b)), abs(square_rank(a) - square_rank(b)))


def square_mirror(square: Square) -> Square:
    """The square mirrored top to bottom."""
    return square ^ 56


def piece_symbol(piece_type: PieceType) -> str:
    """The small letter of a type of piece."""
    return Piece(piece_type, BLACK).symbol()


def piece_name(piece_type: PieceType) -> str:
    """The name of a type of piece."""
    return {1: "pawn", 2: "knight", 3: "bishop", 4: "rook", 5: "queen", 6: "king"}[piece_type]


def planes(boards: Board | Sequence[Board], *, relative: bool = False) -> bytearray:
    """Boards as planes of bytes 0 and 1, for training: 18 planes of 64 squares a board, a1 first.

    Twelve planes of pieces (pawn to king, White before Black), four of castling rights, en passant, and White
    to move. With `relative`, the side to move comes first and is at the bottom. For NumPy without a copy:
    `numpy.frombuffer(planes(boards), "u1").reshape(-1, 18, 8, 8)`.
    """
    return _bartizan.planes_of([boards] if isinstance(boards, Board) else list(boards), relative)
