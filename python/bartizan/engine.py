"""Engines: the built-in one in this process, and others in processes of their own."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, overload

from . import _bartizan
from ._bartizan import Board, Move
from ._errors import EngineError, EngineTerminatedError
from ._score import Cp, Mate, PovScore, Score

if TYPE_CHECKING:
    from typing_extensions import Self

Info = dict[str, Any]
"""What an engine says of a line: `score`, `pv`, `pv_san`, `depth`, `nodes`, `time`, `multipv` and more."""


@dataclass
class Limit:
    """When a search ends: the first limit that is reached. Times are seconds."""

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    white_clock: float | None = None
    black_clock: float | None = None
    white_inc: float | None = None
    black_inc: float | None = None
    remaining_moves: int | None = None


@dataclass
class PlayResult:
    """The move that an engine plays."""

    move: Move | None
    info: Info = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Explanation:
    """Why a position is good or bad."""

    text: str
    """Reasons, terms and a board, in words."""
    score: float
    """Pawns for White, without a search."""
    reasons: list[tuple[str, float]]
    """Sentences with their pawns for White, the most important first."""
    pieces: dict[int, float]
    """What each piece is worth for its side, in pawns, by square."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Review:
    """The review of a game."""

    data: dict[str, Any]
    """Everything: players, opening, moves, accuracy."""
    game: _bartizan.Game
    """The game with evaluations, glyphs and better lines."""
    html: str
    """A page of its own."""

    @property
    def moves(self) -> list[dict[str, Any]]:
        """The moves: `san`, `class`, `loss`, `bestLine`, `reasons` and more."""
        moves: list[dict[str, Any]] = self.data["moves"]
        return moves

    @property
    def mistakes(self) -> list[dict[str, Any]]:
        """The moves that are mistakes or blunders."""
        return [move for move in self.moves if move["class"] in ("inaccuracy", "mistake", "blunder", "miss")]


def _limit(limit: Limit | None, root_moves: Iterable[Move] | None) -> dict[str, Any]:
    given = {name: value for name, value in asdict(limit).items() if value is not None} if limit else {}
    if root_moves is not None:
        given["root_moves"] = list(root_moves)
    return given


def _texts(options: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name, str(value).lower() if isinstance(value, bool) else str(value)) for name, value in options.items()]


def _info(line: Info, turn: bool) -> Info:
    cp, mate = line.pop("cp", None), line.pop("mate", None)
    line["score"] = PovScore(Score(cp, mate), turn)
    return line


class Analysis(Iterator[Info]):
    """A search that is running: iterate over its lines, and stop it. Leaving a `with` block stops it, too."""

    def __init__(self, search: _bartizan.RunningSearch, turn: bool) -> None:
        self._search = search
        self._turn = turn

    def __next__(self) -> Info:
        return _info(next(self._search), self._turn)

    def stop(self) -> None:
        """Asks the search to end."""
        self._search.stop()

    def wait(self) -> Move | None:
        """Waits for the search to end, and returns its move."""
        return self._search.wait()

    def __enter__(self) -> Analysis:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()
        self.wait()


class _Base:
    def __init__(self, searcher: _bartizan.Searcher) -> None:
        self._searcher = searcher

    @property
    def name(self) -> str:
        """The name and version of the engine."""
        return self._searcher.name

    def configure(self, options: Mapping[str, Any]) -> None:
        """Sets options by their names in UCI."""
        for name, value in _texts(options):
            self._searcher.set_option(name, value)

    @overload
    def analyse(
        self, board: Board, limit: Limit, *, multipv: None = None, root_moves: Iterable[Move] | None = None
    ) -> Info: ...

    @overload
    def analyse(
        self, board: Board, limit: Limit, *, multipv: int, root_moves: Iterable[Move] | None = None
    ) -> list[Info]: ...

    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        root_moves: Iterable[Move] | None = None,
    ) -> Info | list[Info]:
        """The line that the engine finds, a dictionary; with `multipv`, a list of the best lines.

        >>> from bartizan import Board, Engine, Limit
        >>> with Engine() as engine:
        ...     info = engine.analyse(Board("7k/8/6K1/8/8/8/8/R7 w - - 0 1"), Limit(depth=4))
        >>> info["score"].white(), info["pv_san"]
        (Mate(+1), ['Ra8#'])
        """
        _, lines = self._searcher.search(board, _limit(limit, root_moves), max(multipv or 1, 1))
        infos = [_info(line, board.turn) for line in lines]
        if multipv is not None:
            return infos
        return infos[0] if infos else {"score": PovScore(Mate(0) if board.is_check() else Cp(0), board.turn), "pv": []}

    def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        root_moves: Iterable[Move] | None = None,
    ) -> Analysis:
        """Begins a search, endless without a limit, and returns it."""
        given = _limit(limit, root_moves)
        if limit is None:
            given["infinite"] = True
        return Analysis(self._searcher.start(board, given, max(multipv, 1)), board.turn)

    def play(self, board: Board, limit: Limit, *, root_moves: Iterable[Move] | None = None) -> PlayResult:
        """The move that the engine plays, by the clocks or other limits."""
        move, lines = self._searcher.search(board, _limit(limit, root_moves), None)
        return PlayResult(move, _info(lines[0], board.turn) if lines else {})

    def new_game(self) -> None:
        """Forgets earlier searches."""
        self._searcher.clear()

    def review(
        self,
        game: _bartizan.Game,
        *,
        nodes: int = 100_000,
        skip: int = 0,
        critical: int = 0,
        reasons: bool = True,
        variation: int = 8,
        title: str = "",
    ) -> Review:
        """Judges the moves of a game, from the ply after `skip` on, with so many nodes for each position."""
        found = self._searcher.review(
            game, nodes=nodes, skipped=skip, critical=critical, reasons=reasons, variation=variation, title=title
        )
        if found is None:
            raise EngineError("there is no move to judge")
        return Review(json.loads(found[0]), found[1], found[2])

    def explain_move(self, board: Board, move: Move, *, nodes: int = 100_000) -> dict[str, Any]:
        """Judges a move: `class`, `loss`, `bestLine`, `refutation`, `reasons` and more."""
        after = board.copy()
        after.push(move)
        game = _bartizan.Game.from_board(after)
        return self.review(game, nodes=nodes, skip=len(after.move_stack) - 1).moves[-1]

    def quit(self) -> None:
        """Ends the engine."""
        self._searcher.close()

    close = quit

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.quit()


class Engine(_Base):
    """The built-in engine. It searches without the interpreter's lock; Ctrl-C ends a search."""

    def __init__(self, *, threads: int = 1, hash: int = 16, options: Mapping[str, Any] | None = None) -> None:
        given = {"Threads": threads, "Hash": hash, **(options or {})}
        super().__init__(_bartizan.Searcher.built_in(_texts(given)))

    def play(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        root_moves: Iterable[Move] | None = None,
        level: int | None = None,
    ) -> PlayResult:
        """The move that the engine plays; with `level`, like a player of that rating, from 600 to 3000.

        Without a limit, it thinks for 0.1 seconds.
        """
        self.configure({"UCI_LimitStrength": level is not None, **({} if level is None else {"UCI_Elo": level})})
        return super().play(board, limit or Limit(time=0.1), root_moves=root_moves)

    def explain(self, board: Board) -> Explanation:
        """Why a position is good or bad, without a search.

        >>> from bartizan import Board, Engine
        >>> explanation = Engine().explain(Board("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1"))
        >>> explanation.score > 1
        True
        """
        text, score, reasons, pieces = _bartizan.explain_position(board)
        return Explanation(text, score, reasons, dict(pieces))


class EngineProcess(_Base):
    """Another engine, in a process of its own, which speaks UCI or xboard."""

    def __init__(
        self,
        command: str | os.PathLike[str] | Sequence[str],
        *,
        protocol: str = "uci",
        options: Mapping[str, Any] | None = None,
        cwd: str | os.PathLike[str] | None = None,
    ) -> None:
        parts = [os.fspath(command)] if isinstance(command, (str, os.PathLike)) else [str(part) for part in command]
        super().__init__(_bartizan.Searcher.process(parts, protocol, _texts(options or {}), cwd))

    @classmethod
    def popen_uci(cls, command: str | Sequence[str], **options: Any) -> EngineProcess:
        """Starts a UCI engine."""
        return cls(command, protocol="uci", **options)

    @classmethod
    def popen_xboard(cls, command: str | Sequence[str], **options: Any) -> EngineProcess:
        """Starts an xboard engine."""
        return cls(command, protocol="xboard", **options)


SimpleEngine = EngineProcess

__all__ = [
    "Analysis", "Cp", "Engine", "EngineError", "EngineProcess", "EngineTerminatedError", "Explanation", "Info", "Limit",
    "Mate", "PlayResult", "PovScore", "Review", "Score", "SimpleEngine",
]
