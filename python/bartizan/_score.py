"""Scores of engines."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Score:
    """Centipawns, or moves to mate, from one side's view: see `Cp` and `Mate`.

    >>> from bartizan.engine import Cp, Mate
    >>> Mate(-3) < Cp(-500) < Cp(20) < Mate(5) < Mate(1)
    True
    >>> Cp(20).score(), Mate(2).score(), Mate(2).score(mate_score=10000), Mate(-1).mate()
    (20, None, 9998, -1)
    """

    _cp: int | None
    _mate: int | None

    def score(self, *, mate_score: int | None = None) -> int | None:
        """Centipawns. Mates are None, or `mate_score` less the moves to mate."""
        if self._mate is None:
            return self._cp
        if mate_score is None:
            return None
        return mate_score - self._mate if self._mate > 0 else -mate_score - self._mate

    def mate(self) -> int | None:
        """Moves to mate, negative if the other side mates; 0 for checkmated; or None."""
        return self._mate

    def is_mate(self) -> bool:
        """Whether one side mates."""
        return self._mate is not None

    def _order(self) -> int:
        return self.score(mate_score=1_000_000) or 0

    def __lt__(self, other: Score) -> bool:
        return self._order() < other._order()

    def __le__(self, other: Score) -> bool:
        return self._order() <= other._order()

    def __gt__(self, other: Score) -> bool:
        return self._order() > other._order()

    def __ge__(self, other: Score) -> bool:
        return self._order() >= other._order()

    def __neg__(self) -> Score:
        return Score(None if self._cp is None else -self._cp, None if self._mate is None else -self._mate)

    def __str__(self) -> str:
        return f"#{self._mate:+}" if self._mate is not None else f"{self._cp:+}"

    def __repr__(self) -> str:
        return f"Mate({self._mate:+})" if self._mate is not None else f"Cp({self._cp:+})"


def Cp(centipawns: int) -> Score:
    """A score in centipawns."""
    return Score(centipawns, None)


def Mate(moves: int) -> Score:
    """Mate in so many moves; negative if the other side mates."""
    return Score(None, moves)


@dataclass(frozen=True)
class PovScore:
    """A score, and the side whose view it is."""

    relative: Score
    """The score for `turn`."""
    turn: bool
    """WHITE or BLACK."""

    def pov(self, color: bool) -> Score:
        """The score for a side."""
        return self.relative if color == self.turn else -self.relative

    def white(self) -> Score:
        """The score for White."""
        return self.pov(True)

    def black(self) -> Score:
        """The score for Black."""
        return self.pov(False)

    def is_mate(self) -> bool:
        """Whether one side mates."""
        return self.relative.is_mate()


def _of_white(centipawns: int | None, mate: int | None) -> PovScore:
    return PovScore(Score(centipawns, mate), True)
