#!/usr/bin/env python3
"""Counts how often engines give a knight for the last good pawn of a side with the wrong bishop.

Usage: sacrifices.py NODES ENGINE...

White has king, bishop, a pawn on the a-file that the bishop cannot help to promote, and another pawn that its men guard.
Black, with the king on a8 or beside it, can take that pawn with the knight. What is left then is a draw. Each engine
searches 100 random positions of this kind. Needs python-chess (used with 1.11.2).
"""

import random
import sys

import chess
import chess.engine

POSITIONS = 100


def positions():
    rng = random.Random(11)
    found = []
    while len(found) < POSITIONS:
        king, bishop, rook_pawn, pawn, black_king, knight = squares = rng.sample(range(64), 6)
        is_wanted = (
            chess.square_file(rook_pawn) == 0
            and 1 <= chess.square_rank(rook_pawn) <= 4
            and chess.square_file(pawn) > 0
            and 1 <= chess.square_rank(pawn) <= 5
            and chess.BB_DARK_SQUARES & chess.BB_SQUARES[bishop]
            and chess.square_distance(black_king, chess.A8) <= 1
        )
        if not is_wanted:
            continue
        board = chess.Board(None)
        board.turn = chess.BLACK
        for square, letter in zip(squares, "KBPPkn"):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        capture = chess.Move(knight, pawn)
        if board.is_valid() and not board.is_check() and capture in board.legal_moves:
            if board.is_attacked_by(chess.WHITE, pawn):
                found.append((board, capture))
    return found


def main() -> None:
    nodes, *engines = sys.argv[1:]
    for path in engines:
        with chess.engine.SimpleEngine.popen_uci(path) as engine:
            limit = chess.engine.Limit(nodes=int(nodes))
            results = [engine.play(board, limit, game=board, info=chess.engine.INFO_SCORE) for board, _ in positions()]
        taken = sum(result.move == capture for result, (_, capture) in zip(results, positions()))
        low = sum(result.info["score"].pov(chess.BLACK).score(mate_score=10000) < -100 for result in results)
        print(f"{path}: takes the pawn in {taken} of {len(results)}, sees Black behind by more than 100 in {low}")


if __name__ == "__main__":
    main()
