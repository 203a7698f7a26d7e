#!/usr/bin/env python3
"""Writes endings.epd: 50 won positions of each of five endings, White to move, with their distances to mate.

Usage: make.py BARTIZAN-TOOLS FOLDER-OF-TABLES > endings.epd

Random positions, of which those are kept that the tables of `bartizan-tools tb generate` know as won in the range of
moves below. A win in at most 50 moves is one under the 50-move rule, too. Needs python-chess (made with 1.11.2).
"""

import json
import random
import subprocess
import sys

import chess

# The ending, the least and the most moves to mate, and the ranks of a pawn as its owner counts them. The least number
# leaves out positions that a few checks or a capture decide. In KQKP the pawn is two steps or one from the last rank:
# further back it is lost at once.
ENDINGS = [
    ("KQK", 5, 50, ()),
    ("KRK", 8, 50, ()),
    ("KPK", 10, 50, range(2, 7)),
    ("KQKP", 8, 50, (6, 7)),
    ("KRPKR", 15, 50, range(4, 8)),
]
POSITIONS = 50
SEED = 58
# Positions to probe at a time.
BATCH = 1000


def main() -> None:
    tools, folder = sys.argv[1:]
    rng = random.Random(SEED)
    for ending, least, most, ranks in ENDINGS:
        found: list[str] = []
        while len(found) < POSITIONS:
            fens = [random_fen(rng, ending, ranks) for _ in range(BATCH)]
            command = [tools, "tb", "probe", "--tables", folder, "--brief", "--json"]
            probe = subprocess.run(command, input="\n".join(fens), capture_output=True, text=True)
            for fen, line in zip(fens, probe.stdout.splitlines(), strict=True):
                mate = json.loads(line)["mate"]
                if mate["result"] == "win" and least <= mate["moves"] <= most and len(found) < POSITIONS:
                    fields = " ".join(fen.split()[:4])
                    found.append(f'{fields} dm {mate["moves"]}; id "{ending} {len(found) + 1}";')
        print("\n".join(found))


def random_fen(rng: random.Random, ending: str, ranks: range | tuple[int, ...]) -> str:
    """White, to move, has the men before the second king."""
    while True:
        board = chess.Board.empty()
        second = ending.rindex("K")
        for index, letter in enumerate(ending):
            color = index < second
            square = rng.randrange(64)
            rank = chess.square_rank(square if color else chess.square_mirror(square)) + 1
            if board.piece_at(square) or letter == "P" and rank not in ranks:
                break
            board.set_piece_at(square, chess.Piece(chess.PIECE_SYMBOLS.index(letter.lower()), color))
        else:
            board.turn = chess.WHITE
            if board.is_valid() and not board.is_check():
                return board.fen()


if __name__ == "__main__":
    main()
