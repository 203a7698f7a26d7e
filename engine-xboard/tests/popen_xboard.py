#!/usr/bin/env python3
"""Drives bartizan-xboard by python-chess's `popen_xboard`: play, analyse, options, pings, undo, and how it ends.

For whole games see `engine-uci/tests/games.py --engine-protocol xboard`.

Example:
    popen_xboard.py target/release/bartizan-xboard

Exit code: 0 when all was well, 1 when not.
"""

from __future__ import annotations

import logging
import sys
import time

import chess
import chess.engine

complaints: list[str] = []


class Complaints(logging.Handler):
    """Collects the warnings and errors of python-chess."""

    # python-chess warns that it needs SIGTERM, and that it does not expect the `stat01` it has asked for.
    EXPECTED = ("Rejecting feature sigterm=0", "Unexpected engine output: 'stat01: ")

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if not any(expected in text for expected in self.EXPECTED):
            complaints.append(text)


def check(what: str, holds: bool, detail: object = "") -> None:
    print(f"{'ok    ' if holds else 'FAILED'} {what} {detail}", flush=True)
    if not holds:
        complaints.append(f"{what} {detail}")


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    logger = logging.getLogger("chess.engine")
    logger.propagate = False
    logger.addHandler(Complaints(logging.WARNING))
    engine = chess.engine.SimpleEngine.popen_xboard(sys.argv[1], timeout=20)
    check("name", engine.id.get("name", "").startswith("Bartizan"), engine.id)
    check("options", {"Contempt", "MultiPV", "Resign", "ResignScore", "LearningFile"} <= set(engine.options), sorted(engine.options))

    engine.configure({"Contempt": 10, "Resign": False, "memory": 32, "cores": 2})
    try:
        engine.configure({"Contempt": 100_000})
        check("a value out of range is refused", False)
    except chess.engine.EngineError as error:
        check("a value out of range is refused", True, error)
    engine.configure({"cores": 1, "Contempt": 0})

    board = chess.Board()
    for limit in [
        chess.engine.Limit(time=0.1),
        chess.engine.Limit(depth=6),
        chess.engine.Limit(white_clock=5, black_clock=5, white_inc=0.1, black_inc=0.1),
        chess.engine.Limit(white_clock=5, black_clock=5, remaining_moves=40),
        chess.engine.Limit(time=1, depth=4),
    ]:
        result = engine.play(board, limit, info=chess.engine.INFO_ALL, game="one")
        check(f"play {limit}", result.move in board.legal_moves and "pv" in result.info, result.move)
        pv_board = board.copy()
        for move in result.info["pv"]:
            pv_board.push(move)
        board.push(result.move)

    # Back: python-chess takes its moves back by `undo` and `remove` when the game is the same.
    board.pop()
    board.pop()
    result = engine.play(board, chess.engine.Limit(depth=5), game="one")
    check("after taking back", result.move in board.legal_moves, result.move)

    begin = time.perf_counter()
    for _ in range(200):
        engine.ping()
    took = (time.perf_counter() - begin) / 200
    check("a ping takes less than 10 ms", took < 0.01, f"{took * 1000:.3f} ms")

    info = engine.analyse(chess.Board(), chess.engine.Limit(time=0.3), game="two")
    check("analyse", info["depth"] > 5 and info["score"].white().score() is not None, (info["depth"], info["score"]))
    mate = chess.Board("7k/8/5K2/8/8/8/8/R7 w - - 0 1")
    info = engine.analyse(mate, chess.engine.Limit(depth=8), game="three")
    check("a mate in two", info["score"].white() == chess.engine.Mate(2), info["score"])
    info = engine.analyse(chess.Board(), chess.engine.Limit(depth=6), root_moves=[chess.Move.from_uci("a2a3")], game="four")
    check("root moves", info["pv"][0] == chess.Move.from_uci("a2a3"), info["pv"][:1])

    with engine.analysis(chess.Board(), game="five") as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 9:
                break
    engine.ping()
    check("an analysis is stopped", True)

    for fen in ["bqrkrnnb/pppppppp/8/8/8/8/PPPPPPPP/BQRKRNNB w KQkq - 0 1", "4k3/8/8/8/8/8/8/1R1K2R1 w KQ - 0 1"]:
        shuffled = chess.Board(fen, chess960=True)
        for _ in range(4):
            result = engine.play(shuffled, chess.engine.Limit(depth=5), game=fen)
            shuffled.push(result.move)
        check("Chess960", True, shuffled.fen())

    result = engine.play(
        chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4"), chess.engine.Limit(time=0.1)
    )
    check("mate in one", result.move == chess.Move.from_uci("f3f7"), result.move)
    result = engine.play(chess.Board(), chess.engine.Limit(time=0.2), ponder=True, game="six")
    check("pondering", result.move is not None, (result.move, result.ponder))
    engine.ping()
    result = engine.play(chess.Board("4k3/8/8/8/8/8/3QQ3/4K3 b - - 0 60"), chess.engine.Limit(time=0.1), draw_offered=True)
    check("a draw offer is taken when lost", result.draw_offered, result)

    engine.quit()
    check("ends", True)
    for complaint in complaints:
        print(f"COMPLAINT: {complaint}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
