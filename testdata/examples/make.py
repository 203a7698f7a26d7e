#!/usr/bin/env python3
"""Makes tactics.epd: positions with one clearly best move that a shallow search misses.

    make.py --games GAMES.pgn --stockfish stockfish --bartizan target/release/bartizan > tactics.epd

Needs python-chess and Stockfish. A position of a game is taken if
- by the scores in the game, written after each move, its move gains at least GAP over the same side's previous move;
- Stockfish's best move leads its second choice by at least GAP at 20,000 nodes and still does, with the same move, at 500,000 nodes;
- it is no recapture, and the side to move is not yet winning without it;
- Bartizan at 200 nodes prefers another move.
"""
import argparse
import chess
import chess.engine
import chess.pgn
import re
import sys

GAP = 120


def best_two(engine, board, nodes):
    lines = engine.analyse(board, chess.engine.Limit(nodes=nodes), multipv=2)
    scores = [line["score"].relative.score(mate_score=10_000) for line in lines]
    return lines[0]["pv"][0], scores[0], scores[1]


def score_of(node):
    """The score in the comment, `+0.35/8`, in centipawns for the side that moved."""
    match = re.match(r"([+-]\d+\.\d+)/", node.comment.strip())
    return round(float(match[1]) * 100) if match else None


def is_tactic(board, stockfish, bartizan):
    if board.is_check() or board.legal_moves.count() < 10:
        return None
    move, first, second = best_two(stockfish, board, 20_000)
    if first - second < GAP or second > 200 or first < 50:
        return None
    if board.move_stack and board.is_capture(move) and board.peek().to_square == move.to_square:
        return None
    shallow = bartizan.play(board, chess.engine.Limit(nodes=200), game=object()).move
    if shallow == move:
        return None
    deep, first, second = best_two(stockfish, board, 500_000)
    return move if deep == move and first - second >= GAP and second <= 200 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", required=True)
    parser.add_argument("--stockfish", required=True)
    parser.add_argument("--bartizan", required=True)
    parser.add_argument("--count", type=int, default=40)
    args = parser.parse_args()
    found = 0
    with chess.engine.SimpleEngine.popen_uci(args.stockfish) as stockfish, \
            chess.engine.SimpleEngine.popen_uci(args.bartizan) as bartizan, open(args.games) as games:
        while found < args.count and (game := chess.pgn.read_game(games)):
            board = game.board()
            scores = [None, None]
            for node in game.mainline():
                score = score_of(node)
                before, scores[board.turn] = scores[board.turn], score
                gains = before is not None and score is not None and score - before >= GAP
                if gains and (move := is_tactic(board, stockfish, bartizan)):
                    found += 1
                    print(board.epd(bm=[move], id=f"tactics {found}"), flush=True)
                board.push(node.move)
            print(f"{found} of {args.count}", end="\r", file=sys.stderr)


if __name__ == "__main__":
    main()
