"""Files of positions and their inputs, as in crates/training/src/positions.rs and crates/position/src/packed.rs.

All functions process thousands of positions at once. One array holds the pieces of all positions of a batch, position
by position; `starts` has the index of the first piece of each.
"""

import os
from dataclasses import dataclass

import numpy as np

from architecture import PIECE_SQUARES, Invalid

MAGIC = b"BZPOSN01"

# A position, little-endian: the occupied squares as bits, their 4-bit codes, counters and side to move; then the search
# score for the side to move, and the result: 0 if Black won, 1 for a draw, 2 if White won.
RECORD = np.dtype(
    [
        ("occupied", "<u8"),
        ("codes", "u1", 16),
        ("clock", "<u2"),
        ("move", "<u2"),
        ("score", "<i2"),
        ("result", "u1"),
        ("reserved", "u1"),
    ]
)
assert RECORD.itemsize == 32

BLACK_TO_MOVE = 0x8000

# Phases of the game by the minimum number of men.
PHASES = [("opening", 24), ("middlegame", 12), ("endgame", 0)]

NO_PIECE = 255


def _kinds():
    """The kind of a piece, as the side to move sees it, by that side and the code: pawn to king, then theirs."""
    kinds = np.full((2, 16), NO_PIECE, np.uint8)
    for turn in (0, 1):
        for code in range(12):
            # White pieces have even codes, black ones odd.
            kinds[turn, code] = code // 2 + 6 * (code % 2 != turn)
        # Rooks that may castle, and a pawn that can be captured en passant.
        kinds[turn, 12], kinds[turn, 13], kinds[turn, 14] = kinds[turn, 6], kinds[turn, 7], 6
    return kinds


KINDS = _kinds()
OUR_KING, THEIR_KING = 5, 11


def open_positions(path):
    """The records of a file, mapped into memory."""
    try:
        with open(path, "rb") as file:
            magic, size = file.read(8), os.fstat(file.fileno()).st_size - 8
    except OSError as error:
        raise Invalid(f"cannot read '{path}': {error.strerror}") from None
    if magic != MAGIC:
        raise Invalid(f"cannot read '{path}': not a file of positions: the first 8 bytes are not 'BZPOSN01'")
    if size % RECORD.itemsize:
        raise Invalid(
            f"cannot read '{path}': the last position is incomplete: it has {size % RECORD.itemsize} bytes of 32"
        )
    if size == 0:
        return np.empty(0, RECORD)
    return np.memmap(path, RECORD, "r", offset=8)


@dataclass
class Batch:
    """Positions as the network sees them."""

    # The active inputs: those of all sides to move, then those of all others.
    inputs: np.ndarray
    # Where the inputs of each position begin, in the same order.
    starts: np.ndarray
    # The output bucket of each position.
    bucket: np.ndarray
    men: np.ndarray
    # The search score for the side to move in internal centipawns, and the result for it: 0, 0.5 or 1.
    score: np.ndarray
    result: np.ndarray

    def target(self, score_weight, scale):
        """The expected results for the side to move: a blend of score and result."""
        score_weight, scale = np.float32(score_weight), np.float32(scale)
        expected = np.float32(1) / (np.float32(1) + np.exp(-self.score.astype(np.float32) / scale))
        return score_weight * expected + (np.float32(1) - score_weight) * self.result


def decode(records, architecture):
    """Reads positions. Raises Invalid for a record in which a side does not have exactly one king."""
    count = len(records)
    occupied = np.ascontiguousarray(records["occupied"])
    men = np.bitwise_count(occupied).astype(np.int32)
    if count and men.max() > 32:
        raise Invalid(f"{np.count_nonzero(men > 32)} records that are no positions")
    black = records["clock"] >= BLACK_TO_MOVE

    bits = np.unpackbits(occupied.view(np.uint8), bitorder="little")
    square = (np.flatnonzero(bits.view(bool)) & 63).astype(np.uint8)
    codes = np.empty((count, 32), np.uint8)
    codes[:, 0::2] = records["codes"] & 15
    codes[:, 1::2] = records["codes"] >> 4
    # The kinds of piece by code, for the side to move of each position.
    kinds = np.where(black[:, None], KINDS[1][codes], KINDS[0][codes])
    kind = kinds[np.arange(32) < men[:, None]]

    row = np.repeat(np.arange(count, dtype=np.int32), men)
    our_king, their_king = np.flatnonzero(kind == OUR_KING), np.flatnonzero(kind == THEIR_KING)
    kings = [np.bincount(row[king], minlength=count) for king in (our_king, their_king)]
    wrong = (kings[0] != 1) | (kings[1] != 1)
    wrong[row[kind == NO_PIECE]] = True
    if wrong.any():
        raise Invalid(f"{np.count_nonzero(wrong)} records that are no positions")

    # Black sees the board upside down.
    flip = np.where(black, 56, 0).astype(np.uint8)
    ours = _inputs(kind, square, row, square[our_king], flip, architecture)
    theirs = _inputs((kind + np.uint8(6)) % np.uint8(12), square, row, square[their_king], flip ^ 56, architecture)
    starts = np.cumsum(men, dtype=np.int32) - men
    white = np.minimum(records["result"], 2).astype(np.float32) / 2
    return Batch(
        inputs=np.concatenate([ours, theirs]),
        starts=np.concatenate([starts, starts + np.int32(len(ours))]),
        bucket=architecture.output_bucket(men),
        men=men,
        score=records["score"].copy(),
        result=np.where(black, 1 - white, white),
    )


def _inputs(kind, square, row, king, flip, architecture):
    """The inputs of one perspective: `flip` turns the board, and a king on the files e to h mirrors it."""
    king = king ^ flip
    mirrored = (king & 7) >= 4
    flip = flip ^ np.where(mirrored, 7, 0).astype(np.uint8)
    king = king ^ np.where(mirrored, 7, 0).astype(np.uint8)
    buckets = np.array(architecture.king_buckets, np.int32)
    first = PIECE_SQUARES * buckets[(king >> 3) * 4 + (king & 3)]
    return first[row] + 64 * kind.astype(np.int32) + (square ^ flip[row])
