"""How games end."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Termination(enum.Enum):
    """The reason why a game is over."""

    CHECKMATE = enum.auto()
    STALEMATE = enum.auto()
    INSUFFICIENT_MATERIAL = enum.auto()
    SEVENTYFIVE_MOVES = enum.auto()
    FIVEFOLD_REPETITION = enum.auto()
    FIFTY_MOVES = enum.auto()
    THREEFOLD_REPETITION = enum.auto()


@dataclass(frozen=True)
class Outcome:
    """How a game has ended: see `Board.outcome`."""

    termination: Termination
    """The reason."""
    winner: bool | None
    """WHITE, BLACK, or None for a draw."""

    def result(self) -> str:
        """The result as in PGN."""
        return "1/2-1/2" if self.winner is None else "1-0" if self.winner else "0-1"
