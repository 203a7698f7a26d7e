#!/usr/bin/env python3
"""Compares distances to mate of 3 men with Gaviota tables, read by python-chess.

gaviota.py TOOLS TABLES GAVIOTA [STEP]: TOOLS is the program bartizan-tools, TABLES has the tables of `tb generate all3`, GAVIOTA
those of the source package of python-chess, data/gaviota. Every legal position is compared in which the white king stands
on files a to d, once with white and once with black as the side that has the third piece; with STEP, only those of
each STEP-th pair of squares of the kings.
"""
import json
import subprocess
import sys
import threading

import chess
import chess.gaviota

PIECES = {"KQK": chess.QUEEN, "KRK": chess.ROOK, "KBK": chess.BISHOP, "KNK": chess.KNIGHT, "KPK": chess.PAWN}


def positions(piece, step):
    """The legal positions with the white king on files a to d."""
    board = chess.Board(None)
    pairs = 0
    for white in (square for square in chess.SQUARES if chess.square_file(square) < 4):
        for black in chess.SQUARES:
            if chess.square_distance(white, black) < 2:
                continue
            pairs += 1
            if pairs % step:
                continue
            for third in chess.SQUARES:
                if third in (white, black) or (piece == chess.PAWN and chess.square_rank(third) in (0, 7)):
                    continue
                for color in chess.COLORS:
                    board.set_piece_map({
                        white: chess.Piece(chess.KING, True), black: chess.Piece(chess.KING, False),
                        third: chess.Piece(piece, color),
                    })
                    for board.turn in chess.COLORS:
                        if not board.was_into_check():
                            yield board


def expected(gaviota, board):
    """The result and the plies."""
    if board.is_checkmate():
        return ("loss", 0)
    plies = gaviota.probe_dtm(board)
    return ("draw", None) if plies == 0 else ("win" if plies > 0 else "loss", abs(plies))


def main(tools, tables, folder, step=1):
    wrong = total = 0
    with chess.gaviota.PythonTablebase() as gaviota:
        gaviota.add_directory(folder)
        for name, piece in PIECES.items():
            probe = subprocess.Popen([tools, "tb", "probe", "--tables", tables, "--brief", "--json"],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

            def feed():
                for board in positions(piece, int(step)):
                    probe.stdin.write(board.fen() + "\n")
                probe.stdin.close()

            feeder = threading.Thread(target=feed)
            feeder.start()
            count = 0
            for board, line in zip(positions(piece, int(step)), probe.stdout):
                answer = json.loads(line)
                assert answer["fen"].split()[:2] == board.fen().split()[:2], answer
                value, wanted = (answer["mate"]["result"], answer["mate"]["plies"]), expected(gaviota, board)
                count += 1
                if value != wanted:
                    wrong += 1
                    print(f"{board.fen()}: {value} in the table, {wanted} in Gaviota's")
            feeder.join()
            assert probe.wait() == 0 and not probe.stdout.read(), "bartizan-tools failed"
            print(f"{name}: {count} positions compared", flush=True)
            total += count
    print(f"{total} positions, {wrong} different")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
