#!/usr/bin/env python3
"""Drives a UCI engine by the Python package `stockfish`, which expects Stockfish's own commands: every call, as its
documentation uses it.

The package has no timeouts: an answer that it does not understand blocks it for ever. So a watchdog ends this script.

Example:
    stockfish_package.py target/release/bartizan

Exit code: 0 when all was well, 1 when not, 77 when the package is not installed.
"""

from __future__ import annotations

import faulthandler
import os
import sys
import warnings

SKIPPED = 77
WATCHDOG_SECONDS = 100

try:
    from stockfish import Stockfish, StockfishException
except ImportError as error:
    print(f"SKIPPED: the Python package `stockfish` is not installed: {error}")
    sys.exit(SKIPPED)

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MIDDLEGAME = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
IN_CHECK = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"

failures: list[str] = []


def check(what: str, holds: bool, detail: object = "") -> None:
    print(f"{'ok    ' if holds else 'FAILED'} {what} {detail}", flush=True)
    if not holds:
        failures.append(what)


def raises(error: type[BaseException], call, *arguments) -> bool:
    try:
        call(*arguments)
    except error:
        return True
    return False


def parameters(engine: Stockfish) -> None:
    check("version", engine.get_stockfish_major_version() >= 0, engine.get_stockfish_major_minor_version())
    engine.get_stockfish_minor_version()
    check("release", not engine.is_development_build_of_engine())
    check("no patch", engine.get_stockfish_patch_version() == engine.get_stockfish_sha_version() == "")
    engine.update_engine_parameters({"Threads": 2, "Hash": 8, "UCI_Chess960": False, "Move Overhead": 20})
    check("parameters", engine.get_engine_parameters()["Hash"] == 8)
    engine.reset_engine_parameters()
    check("reset", engine.get_engine_parameters()["Hash"] == 16)
    engine.set_skill_level(5)
    engine.set_elo_rating(1500)
    check("weaker move", engine.is_move_legal(engine.get_best_move() or ""))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check("evaluation of a weaker engine", "value" in engine.get_evaluation())
    engine.resume_full_strength()
    engine.set_depth(6)
    engine.set_num_nodes(5_000)
    check("limits", (engine.get_depth(), engine.get_num_nodes()) == (6, 5_000))
    check("chances", engine.does_current_engine_version_have_wdl_option())


def board(engine: Stockfish) -> None:
    engine.set_fen_position(MIDDLEGAME)
    check("FEN", engine.get_fen_position() == MIDDLEGAME)
    check("FEN is valid", engine.is_fen_valid(MIDDLEGAME))
    for fen in ["8/8/8/8/8/8/8/8 w - - 0 1", "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", MATED]:
        check("FEN is not valid", not engine.is_fen_valid(fen), fen)
    engine.send_ucinewgame_command()
    engine.make_moves_from_start(["e2e4", "e7e6"])
    engine.make_moves_from_current_position(["d2d4", "d7d5", "e4d5"])
    check("moves", engine.get_fen_position().startswith("rnbqkbnr/ppp2ppp/4p3/3P4/3P4/8/PPP2PPP/RNBQKBNR b"))
    check("illegal moves", raises(ValueError, engine.make_moves_from_current_position, ["e6d5", "e1e4"]))
    check("position after them", engine.get_fen_position().startswith("rnbqkbnr/ppp2ppp/4p3/3P4/"))
    visual = engine.get_board_visual()
    check("board", visual.count("+---") == 72 and "| r | n | b | q | k | b | n | r | 8" in visual, f"\n{visual}")
    check("board from Black's side", engine.get_board_visual(False).splitlines()[1].startswith("| R | N | B | K |"))
    check("pieces", engine.get_what_is_on_square("d5") == Stockfish.Piece.WHITE_PAWN)
    check("empty squares", engine.get_what_is_on_square("e4") is None)
    check("legal moves", engine.is_move_legal("e6d5") and not engine.is_move_legal("e6e4"))
    check("capture", engine.will_move_be_a_capture("e6d5") == Stockfish.Capture.DIRECT_CAPTURE)
    check("no capture", engine.will_move_be_a_capture("g8f6") == Stockfish.Capture.NO_CAPTURE)
    engine.set_fen_position("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3")
    check("en passant", engine.will_move_be_a_capture("e5d6") == Stockfish.Capture.EN_PASSANT)
    engine.set_fen_position(START)
    total, moves = engine.get_perft(3)
    check("perft", total == 8_902 and moves["e2e4"] == 600, total)
    engine.flip()
    check("flip", " b " in engine.get_fen_position())


def searches(engine: Stockfish) -> None:
    for fen in [START, MIDDLEGAME]:
        engine.set_fen_position(fen)
        check("best move", engine.is_move_legal(engine.get_best_move() or ""))
        check("best move with a clock", engine.is_move_legal(engine.get_best_move(wtime=1_000, btime=1_000) or ""))
        check("best move in a time", engine.is_move_legal(engine.get_best_move_time(50) or ""))
        for lines in [1, 2, 3, 5, 20]:
            for nodes in [0, 3_000]:
                top = engine.get_top_moves(lines, verbose=True, num_nodes=nodes)
                firsts = {move["Move"] for move in top}
                numbers = [move["MultiPVNumber"] for move in top]
                right = len(firsts) == lines and [int(number) for number in numbers] == list(range(1, lines + 1))
                check(f"{lines} top moves by {nodes or 'depth'}", right, [move["Move"] for move in top])
        raw = engine.raw_stockfish_output(engine.get_top_moves)
        check("raw output", raw[-1].startswith("bestmove "))
        check("evaluation", engine.get_evaluation()["type"] == "cp")
        check("evaluation in a time", engine.get_evaluation(searchtime=50)["type"] == "cp")
        check("chances", sum(engine.get_wdl_stats() or []) == 1_000)
        check("chances in a time", len(engine.get_wdl_stats(get_as_tuple=True, time=50) or ()) == 3)
        check("static evaluation", abs(engine.get_static_eval() or 9) < 2, engine.get_static_eval())
    engine.set_fen_position("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")
    check("static evaluation of the side to move", (engine.get_static_eval() or 0) < -1)
    engine.set_turn_perspective(False)
    check("static evaluation of White", not engine.get_turn_perspective() and (engine.get_static_eval() or 0) > 1)
    check("evaluation of White", engine.get_evaluation()["value"] > 100)
    engine.set_turn_perspective(True)
    engine.set_fen_position(MATE_IN_ONE)
    check("mate", engine.get_evaluation() == {"type": "mate", "value": 1})
    check("mating move", engine.get_top_moves(1)[0] == {"Move": "a1a8", "Centipawn": None, "Mate": 1})
    engine.set_fen_position(IN_CHECK)
    check("no static evaluation in check", engine.get_static_eval() is None)
    for fen in [MATED, STALEMATE]:
        engine.set_fen_position(fen)
        check("no move at the end", engine.get_best_move() is None and engine.get_top_moves(3) == [])
        check("no chances at the end", engine.get_wdl_stats() is None)
    engine.set_fen_position("8/8/8/8/8/8/8/8 w - - 0 1", False)
    check("no move of a refused position", engine.get_best_move() is None and engine.get_top_moves(3) == [])
    check("no legal move in a refused position", not engine.is_move_legal("e2e4"))
    check("no static evaluation of it", raises(RuntimeError, engine.get_static_eval))
    engine.set_fen_position(START)
    check("move of the next position", engine.is_move_legal(engine.get_best_move() or ""))


def benchmark(engine: Stockfish) -> None:
    answer = engine.benchmark(Stockfish.BenchmarkParameters(ttSize=1, limit=1))
    check("benchmark", int(answer.split(":")[1]) > 0, answer)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    faulthandler.dump_traceback_later(WATCHDOG_SECONDS, exit=True)
    engine = Stockfish(os.path.abspath(sys.argv[1]), depth=6, parameters={"Hash": 16})
    for part in [parameters, board, searches, benchmark]:
        part(engine)
    engine.send_quit_command()
    check("a closed engine", raises(StockfishException, engine.get_best_move))
    print(f"{len(failures)} failures: {failures}" if failures else "all was well")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
