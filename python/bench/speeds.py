"""Measures the package beside python-chess: python bench/speeds.py [GAMES.pgn [PROGRAM]].

Interleaved rounds, best of five. PROGRAM is the example `table` of the crate `bartizan-games`, which makes the same
tables in Rust.
"""

import io
import random
import subprocess
import sys
import time

import chess
import chess.pgn

import bartizan


def best(work, count):
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) / count


def walk(boards):
    for board in boards:
        for move in list(board.legal_moves):
            board.push(move)
            board.pop()


def main():
    if len(sys.argv) > 1:
        text = open(sys.argv[1], encoding="utf-8", errors="replace").read()
    else:
        source, games = random.Random(1), []
        for _ in range(100):
            board = chess.Board()
            while not board.is_game_over() and board.ply() < 160:
                board.push(source.choice(list(board.legal_moves)))
            games.append(str(chess.pgn.Game.from_board(board)))
        text = "\n\n".join(games) + "\n\n"
    data = text.encode()
    own = [game.mainline_moves() for game in bartizan.read_pgn(data)]
    fens, board = [], chess.Board()
    for moves in own[:40]:
        board = bartizan.Board()
        for move in moves:
            fens.append(board.fen())
            try:
                board.push(move)
            except bartizan.IllegalMoveError:
                break
    theirs, ours = [chess.Board(fen) for fen in fens], [bartizan.Board(fen) for fen in fens]

    def chess_games():
        handle = io.StringIO(text)
        while (game := chess.pgn.read_game(handle)) is not None:
            list(game.mainline_moves())

    rows = {
        "legal moves of a position": (
            lambda: [list(board.legal_moves) for board in theirs],
            lambda: [list(board.legal_moves) for board in ours], len(fens)),
        "FEN of a position": (
            lambda: [board.fen() for board in theirs], lambda: [board.fen() for board in ours], len(fens)),
        "SAN of all moves of a position": (
            lambda: [[board.san(move) for move in board.legal_moves] for board in theirs],
            lambda: [[board.san(move) for move in board.legal_moves] for board in ours], len(fens)),
        "push and pop of all moves": (lambda: walk(theirs), lambda: walk(ours), len(fens)),
        "read_pgn with moves, a game": (
            chess_games, lambda: [game.mainline_moves() for game in bartizan.read_pgn(data)], len(own)),
        "pgn_to_arrow, a game": (None, lambda: bartizan.pgn_to_arrow(data)._exhaust(), len(own)),
    }
    if len(sys.argv) > 2:
        print("in Rust, a game:", subprocess.run([sys.argv[2], sys.argv[1]], capture_output=True, text=True, check=True).stdout)
    print(f"{'':30} {'python-chess':>14} {'bartizan':>14} {'ratio':>8}")
    for name, (their, our, count) in rows.items():
        slow = fast = float("inf")
        for _ in range(5):
            slow = min(slow, best(their, count)) if their and (count < 2_000 or slow == float("inf")) else slow
            fast = min(fast, best(our, count))
        ratio = f"{slow / fast:8.1f}" if their else ""
        shown = f"{slow * 1e6:11.1f} µs" if their else " " * 14
        print(f"{name:30} {shown} {fast * 1e6:11.2f} µs {ratio}")


if __name__ == "__main__":
    main()
