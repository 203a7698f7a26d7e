"""Filters games, annotates short ones and counts openings: the day's script of a user of python-chess.

Only the two lines below differ from the script for python-chess: `import chess` and `import chess.pgn`.
"""

import collections
import sys

import bartizan as chess
import bartizan.pgn

openings = collections.Counter()
with open(sys.argv[1]) as games, open(sys.argv[2], "w") as out:
    while (game := chess.pgn.read_game(games)) is not None:
        board = game.board()
        for move in game.mainline_moves():
            board.push(move)
        openings[game.headers.get("ECO", "?")] += 1
        if board.is_checkmate() and len(board.move_stack) < 60:
            end = game.end()
            end.comment = f"{board.result()} after {board.fullmove_number} moves"
            end.parent.nags.add(chess.pgn.NAG_BLUNDER)
            print(game, file=out, end="\n\n")
for code, count in openings.most_common(5):
    print(code, count)
