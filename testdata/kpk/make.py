#!/usr/bin/env python3
"""Writes kpk.bin, the wins of king and pawn against king, as the Syzygy table KPvK.rtbw has them.

Usage: make.py DIRECTORY-OF-SYZYGY-TABLES OUTPUT

Bit w of the little-endian 64-bit word (side * 24 + pawn) * 64 + k is set when White (king k, pawn) wins against a king
on w. Squares are a1 = 0 to h8 = 63; side is 0 with White to move, 1 with Black; pawn is 0 to 23 for a2, b2, c2, d2, a3
to d7. Illegal positions are left 0. Needs python-chess (made with 1.11.2).
"""

import struct
import sys

import chess
import chess.syzygy


def main() -> None:
    directory, output = sys.argv[1:]
    words = []
    with chess.syzygy.open_tablebase(directory, load_dtz=False) as tables:
        for turn in (chess.WHITE, chess.BLACK):
            for pawn in (chess.square(file, rank) for rank in range(1, 7) for file in range(4)):
                for strong in chess.SQUARES:
                    words.append(sum(1 << weak for weak in chess.SQUARES if wins(tables, turn, pawn, strong, weak)))
    with open(output, "wb") as file:
        file.write(struct.pack(f"<{len(words)}Q", *words))


def wins(tables: chess.syzygy.Tablebase, turn: chess.Color, pawn: int, strong: int, weak: int) -> bool:
    if len({pawn, strong, weak}) < 3:
        return False
    board = chess.Board.empty()
    board.set_piece_at(pawn, chess.Piece(chess.PAWN, chess.WHITE))
    board.set_piece_at(strong, chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(weak, chess.Piece(chess.KING, chess.BLACK))
    board.turn = turn
    return board.is_valid() and tables.probe_wdl(board) != 0


if __name__ == "__main__":
    main()
