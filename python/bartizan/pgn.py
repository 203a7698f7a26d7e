"""Games: reading, editing and writing PGN."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Protocol

from ._bartizan import Game, GameNode, Headers, PgnIterator, Problem, read_game, read_headers, read_pgn, skip_game
from ._errors import PgnError

MutableMapping.register(Headers)  # pyright: ignore[reportAttributeAccessIssue]

NAG_GOOD_MOVE = 1
NAG_MISTAKE = 2
NAG_BRILLIANT_MOVE = 3
NAG_BLUNDER = 4
NAG_SPECULATIVE_MOVE = 5
NAG_DUBIOUS_MOVE = 6


class _Writable(Protocol):
    def write(self, text: str, /) -> object: ...


def loads(text: str) -> Game:
    """The first game of a text. Raises `PgnError` if there is none."""
    for game in read_pgn(text.encode()):
        return game
    raise PgnError("there is no game in the text")


class StringExporter:
    """Writes games as texts: `game.accept(StringExporter(comments=False))`."""

    def __init__(self, *, headers: bool = True, comments: bool = True, variations: bool = True) -> None:
        self._headers, self._comments, self._variations = headers, comments, variations

    def _export(self, game: Game) -> str:
        return game.pgn(headers=self._headers, comments=self._comments, variations=self._variations)


class FileExporter(StringExporter):
    """Writes games to a file: `game.accept(FileExporter(handle))`."""

    def __init__(
        self, handle: _Writable, *, headers: bool = True, comments: bool = True, variations: bool = True
    ) -> None:
        super().__init__(headers=headers, comments=comments, variations=variations)
        self._handle = handle

    def _export(self, game: Game) -> str:
        text = super()._export(game)
        self._handle.write(text + "\n\n")
        return text


__all__ = [
    "FileExporter", "Game", "GameNode", "Headers", "NAG_BLUNDER", "NAG_BRILLIANT_MOVE", "NAG_DUBIOUS_MOVE",
    "NAG_GOOD_MOVE", "NAG_MISTAKE", "NAG_SPECULATIVE_MOVE", "PgnError", "PgnIterator", "Problem", "StringExporter",
    "loads", "read_game", "read_headers", "read_pgn", "skip_game",
]
