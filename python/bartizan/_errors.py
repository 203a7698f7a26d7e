"""The exceptions of the package."""

from __future__ import annotations


class InvalidMoveError(ValueError):
    """A text or number that is not a move."""


class IllegalMoveError(ValueError):
    """A move that is not legal in the position."""


class AmbiguousMoveError(ValueError):
    """A text that several legal moves fit."""


class FenError(ValueError):
    """A text that is not the FEN of a legal position."""

    column: int | None
    """The column of the fault, from 1."""
    reasons: list[str]
    """Why a position that could be read is illegal."""

    def __init__(self, message: str, column: int | None = None, reasons: list[str] | None = None) -> None:
        super().__init__(message, column, reasons)
        self.column = column
        self.reasons = reasons or []

    def __str__(self) -> str:
        return str(self.args[0])


class PgnError(ValueError):
    """A game that cannot be read."""

    game: int
    """The number of the game in its source, from 1."""
    line: int
    """The line of the fault, from 1."""
    column: int
    """Its column in characters, from 1."""

    def __init__(self, message: str, game: int = 0, line: int = 0, column: int = 0) -> None:
        super().__init__(message, game, line, column)
        self.game = game
        self.line = line
        self.column = column

    @property
    def message(self) -> str:
        """The fault without its place."""
        return str(self.args[0])

    def __str__(self) -> str:
        if not self.line:
            return self.message
        return f"game {self.game}, line {self.line}, column {self.column}: {self.message}"


class EpdError(ValueError):
    """A text that is not EPD, or operations that EPD cannot hold."""


class EngineError(RuntimeError):
    """An engine cannot do what it is asked."""


class EngineTerminatedError(EngineError):
    """The process of an engine has ended or does not answer."""


class TablebaseError(RuntimeError):
    """A table is damaged or cannot be read."""


class MissingTableError(KeyError):
    """No table covers the position."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""
