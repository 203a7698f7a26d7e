#!/usr/bin/env python3
"""Plays games between an engine and a UCI opponent, with python-chess as referee.

python-chess reads UCI and the xboard protocol strictly: it logs illegal moves and lines, unknown words and malformed numbers.
Every such message about the engine under test is a failure here. This script keeps the clocks, from writing `go` to reading
the move, without a margin.

Example:
    games.py --engine target/release/bartizan --opponent stockfish \\
        --opponent-option UCI_LimitStrength=true --opponent-option UCI_Elo=1500 --games 10 --tc 5+0.05

Exit code: 0 when the engine behaved in every game, 1 when it did not, 2 when the games could not be started.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import logging
import os
import shlex
import shutil
import sys
import threading
import time

import chess
import chess.engine
import chess.pgn

# Even positions after a few moves each; every one is played twice, with colours changed.
OPENINGS = [
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6",
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6",
    "d2d4 g8f6 c2c4 g7g6 b1c3 d7d5",
    "e2e4 e7e6 d2d4 d7d5 b1c3 g8f6",
    "c2c4 e7e5 b1c3 g8f6 g1f3 b8c6",
    "e2e4 c7c6 d2d4 d7d5 b1c3 d5e4 c3e4 c8f5",
    "d2d4 g8f6 c2c4 e7e6 g1f3 b7b6",
    "g1f3 d7d5 g2g3 g8f6 f1g2 c7c6",
    "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5",
    "d2d4 d7d5 c2c4 c7c6 g1f3 g8f6",
    "e2e4 d7d6 d2d4 g8f6 b1c3 g7g6",
]

# An engine silent for so long after its clock ran out hangs, and is killed.
HANG_SECONDS = 10.0
START_SECONDS = 20.0


class StartError(Exception):
    """An engine cannot be started or an option not be set."""


class Player:
    """An engine; it is started anew when it has ended."""

    def __init__(self, command: str, options: dict[str, str], protocol: str = "uci"):
        self.protocol = protocol
        self.command = self._find(shlex.split(command))
        self.options = options
        self.engine: chess.engine.SimpleEngine | None = None
        self.went_at = 0.0
        self.name = command

    @staticmethod
    def _find(command: list[str]) -> list[str]:
        """Debian keeps its engines in a folder that is not in everybody's PATH."""
        path = os.environ.get("PATH", os.defpath) + os.pathsep + "/usr/games"
        found = shutil.which(command[0], path=path) if command else None
        if found is None:
            raise StartError(f"no program `{' '.join(command)}`")
        return [os.path.abspath(found), *command[1:]]

    def start(self) -> chess.engine.SimpleEngine:
        """The running engine, started if it is not."""
        if self.engine is not None and not self.engine.returncode.done():
            return self.engine
        self.stop()
        try:
            start = getattr(chess.engine.SimpleEngine, f"popen_{self.protocol}")
            self.engine = start(self.command, timeout=START_SECONDS)
            self.engine.configure(self.options)
            self.engine.ping()
        except (chess.engine.EngineError, OSError, asyncio.TimeoutError) as fault:
            raise StartError(f"`{' '.join(self.command)}`: {fault or type(fault).__name__}") from fault
        self.name = self.engine.id.get("name", self.name)
        self._watch(self.engine.protocol)
        return self.engine

    def _watch(self, protocol: chess.engine.Protocol) -> None:
        """Notes when `go` is written, and logs what python-chess lets pass: lines that come while nothing was asked."""
        send_line, line_received = protocol.send_line, protocol.line_received

        def send_and_note(line: str) -> None:
            # The clock starts here, not when the game is set up with `ucinewgame`.
            if line == "go" or line.startswith("go "):
                self.went_at = time.perf_counter()
            send_line(line)

        def receive_and_check(line: str) -> None:
            # An xboard engine claims the end of the game behind its move.
            is_claim = self.protocol == "xboard" and line.startswith(("1-0", "0-1", "1/2-1/2"))
            if protocol.command is None and not is_claim:
                chess.engine.LOGGER.warning("%s: Unasked engine output: %r", protocol, line)
            line_received(line)

        protocol.send_line, protocol.line_received = send_and_note, receive_and_check

    def play(self, board: chess.Board, limit: chess.engine.Limit, game: int) -> tuple[chess.engine.PlayResult, float]:
        """A move and the seconds it took. Raises `EngineError`, `EngineTerminatedError` when it ends or hangs."""
        engine = self.start()
        clock = limit.white_clock if board.turn == chess.WHITE else limit.black_clock
        kill = lambda: engine.protocol.loop.call_soon_threadsafe(engine.transport.kill)
        watchdog = threading.Timer((clock or 0.0) + HANG_SECONDS, kill)
        watchdog.daemon = True
        watchdog.start()
        try:
            result = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL)
            return result, time.perf_counter() - self.went_at
        finally:
            watchdog.cancel()

    def stop(self) -> None:
        """Asks the engine to quit, and makes it."""
        if self.engine is None:
            return
        try:
            self.engine.timeout = HANG_SECONDS
            self.engine.quit()
        except (chess.engine.EngineError, asyncio.TimeoutError):
            pass
        self.engine.close()
        self.engine = None


class Complaints(logging.Handler):
    """Collects what python-chess logs, by the engine that caused it."""

    def __init__(self, ours: Player):
        super().__init__(logging.WARNING)
        self.ours = ours
        self.ours_to_move = True
        self.about_ours: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        # Most records name the engine first; the others arise while the engine to move is being read.
        text = record.getMessage()
        args = record.args if isinstance(record.args, tuple) else ()
        protocol = next((arg for arg in args if isinstance(arg, chess.engine.Protocol)), None)
        if protocol is None:
            is_ours = self.ours_to_move
        else:
            is_ours = self.ours.engine is not None and protocol is self.ours.engine.protocol
        # Every engine for xboard says this, and python-chess cannot do without the signal.
        if "Rejecting feature sigterm=0" in text:
            return
        print(f"  [{'engine' if is_ours else 'opponent'}] {record.levelname}: {text}", flush=True)
        if is_ours:
            self.about_ours.append(text)


@dataclasses.dataclass
class Game:
    """A finished game."""

    board: chess.Board
    result: str
    reason: str
    # What the engine under test did wrong, if anything.
    fault: str | None
    clocks: list[float]
    lowest_clock: float


def end_by_rule(board: chess.Board) -> tuple[str, str] | None:
    """Result and reason when the game is over; draws that may be claimed are."""
    if board.is_checkmate():
        return ("0-1" if board.turn == chess.WHITE else "1-0"), "checkmate"
    if board.is_stalemate():
        return "1/2-1/2", "stalemate"
    if board.is_insufficient_material():
        return "1/2-1/2", "insufficient material"
    if board.is_repetition(3):
        return "1/2-1/2", "threefold repetition"
    if board.halfmove_clock >= 100:
        return "1/2-1/2", "fifty moves"
    return None


def play_game(number: int, ours: Player, theirs: Player, log: Complaints, base: float, increment: float) -> Game:
    """Plays one game; the engine under test has White in games of even number."""
    ours_is = chess.WHITE if number % 2 == 0 else chess.BLACK
    board = chess.Board()
    for move in OPENINGS[number // 2 % len(OPENINGS)].split():
        board.push_uci(move)
    clock = {chess.WHITE: base, chess.BLACK: base}
    clocks: list[float] = []
    lowest = base

    # Both ready, and whatever they do at the start done, before a clock runs.
    for player in (ours, theirs):
        player.start().ping()

    while True:
        mover = board.turn
        log.ours_to_move = mover == ours_is
        player = ours if log.ours_to_move else theirs
        lost = "0-1" if mover == chess.WHITE else "1-0"

        def over(result: str, reason: str, is_fault: bool) -> Game:
            fault = reason if is_fault and log.ours_to_move else None
            return Game(board, result, reason, fault, clocks, lowest)

        ended = end_by_rule(board)
        if ended is not None:
            return over(*ended, False)
        limit = chess.engine.Limit(
            white_clock=clock[chess.WHITE],
            black_clock=clock[chess.BLACK],
            white_inc=increment,
            black_inc=increment,
        )
        try:
            result, seconds = player.play(board, limit, number)
        except chess.engine.EngineTerminatedError as fault:
            return over(lost, f"{player.name} crashed or hung: {fault}", True)
        except chess.engine.EngineError as fault:
            # Its state is unknown now.
            player.stop()
            return over(lost, f"{player.name} broke the rules: {fault}", True)
        clock[mover] -= seconds
        if log.ours_to_move:
            lowest = min(lowest, clock[mover])
        if clock[mover] < 0.0:
            # Who cannot win by any play cannot win on time either.
            outcome = "1/2-1/2" if board.has_insufficient_material(not mover) else lost
            return over(outcome, f"{player.name} lost on time by {-clock[mover] * 1000:.0f} ms", True)
        if result.move is None or not board.is_legal(result.move):
            return over(lost, f"{player.name} gave no legal move: {result.move}", True)
        clock[mover] += increment
        clocks.append(clock[mover])
        board.push(result.move)


def write_pgn(path: str, number: int, game: Game, ours: Player, theirs: Player, tc: str) -> None:
    """Appends a game with its clocks."""
    pgn = chess.pgn.Game.from_board(game.board)
    names = (ours.name, theirs.name) if number % 2 == 0 else (theirs.name, ours.name)
    pgn.headers["Event"] = "games.py"
    pgn.headers["Date"] = time.strftime("%Y.%m.%d")
    pgn.headers["Round"] = str(number + 1)
    pgn.headers["White"], pgn.headers["Black"] = names
    pgn.headers["Result"] = game.result
    pgn.headers["TimeControl"] = tc
    pgn.headers["Termination"] = game.reason
    played = list(pgn.mainline())
    for node, clock in zip(played[len(played) - len(game.clocks) :], game.clocks):
        node.set_clock(clock)
    with open(path, "a", encoding="utf-8") as file:
        print(pgn, file=file, end="\n\n")


def option(text: str) -> tuple[str, str]:
    """`NAME=VALUE`."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"`{text}` is not NAME=VALUE")
    return name, value


def time_control(text: str) -> tuple[float, float]:
    """`BASE+INCREMENT` in seconds."""
    base, _, increment = text.partition("+")
    try:
        numbers = float(base), float(increment or 0)
    except ValueError:
        numbers = (0.0, 0.0)
    if numbers[0] <= 0 or numbers[1] < 0:
        raise argparse.ArgumentTypeError(f"`{text}` is not BASE+INCREMENT in seconds")
    return numbers


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, metavar="CMD", help="the engine under test")
    parser.add_argument("--engine-option", type=option, action="append", default=[], metavar="K=V")
    parser.add_argument("--engine-protocol", choices=["uci", "xboard"], default="uci")
    parser.add_argument("--opponent", required=True, metavar="CMD")
    parser.add_argument("--opponent-option", type=option, action="append", default=[], metavar="K=V")
    parser.add_argument("--games", type=int, default=2, metavar="N")
    parser.add_argument("--tc", type=time_control, default=(1.0, 0.05), metavar="BASE+INC", help="seconds (1+0.05)")
    parser.add_argument("--pgn", metavar="FILE", help="append the games to this file")
    return parser.parse_args()


def main() -> int:
    args = arguments()
    base, increment = args.tc
    tc = f"{base:g}+{increment:g}"
    logger = logging.getLogger("chess.engine")
    logger.propagate = False
    players: list[Player] = []
    try:
        players.append(ours := Player(args.engine, dict(args.engine_option), args.engine_protocol))
        players.append(theirs := Player(args.opponent, dict(args.opponent_option)))
        log = Complaints(ours)
        logger.addHandler(log)
        # What it says while it starts is judged too; the opponent starts second.
        log.ours_to_move = True
        ours.start()
        log.ours_to_move = False
        theirs.start()
        print(f"{ours.name} - {theirs.name}, {args.games} games at {tc}", flush=True)

        tally = {"won": 0, "drawn": 0, "lost": 0}
        faults: list[str] = []
        for number in range(args.games):
            game = play_game(number, ours, theirs, log, base, increment)
            won = "1-0" if number % 2 == 0 else "0-1"
            ours_did = "drawn" if game.result == "1/2-1/2" else "won" if game.result == won else "lost"
            tally[ours_did] += 1
            print(
                f"game {number + 1}: {'white' if number % 2 == 0 else 'black'}, {ours_did} ({game.result}, "
                f"{game.reason}), {len(game.board.move_stack)} plies, lowest clock {game.lowest_clock:.3f} s",
                flush=True,
            )
            if game.fault:
                faults.append(f"game {number + 1}: {game.fault}")
            if args.pgn:
                write_pgn(args.pgn, number, game, ours, theirs, tc)
    except (StartError, chess.engine.EngineError) as fault:
        print(f"cannot play: {fault}", file=sys.stderr)
        return 2
    finally:
        for player in players:
            player.stop()

    points = tally["won"] + tally["drawn"] / 2
    print(
        f"total: +{tally['won']} ={tally['drawn']} -{tally['lost']}, {points:g} of {args.games}, "
        f"{len(faults)} faults, {len(log.about_ours)} complaints"
    )
    for fault in faults:
        print(f"FAULT: {fault}")
    for text in log.about_ours:
        print(f"COMPLAINT: {text}")
    return 1 if faults or log.about_ours else 0


if __name__ == "__main__":
    sys.exit(main())
