#!/usr/bin/env python3
"""Makes positions with what python-chess says about them: FEN;wdl;dtz, a dash where it finds no distance.

make.py TABLES POSITIONS EN_PASSANT [SEED] > golden.txt

POSITIONS for each table of the folder TABLES, and EN_PASSANT positions of KPvKP in which a pawn can be taken in passing.
make.py --layout N [SEED] > layout.txt makes indices instead: see SOURCE.md.
"""
import os
import random
import sys

import chess
import chess.syzygy

LETTERS = {letter: piece for letter, piece in zip("KQRBNP", (6, 5, 4, 3, 2, 1))}


def emit(board, tables, seen):
    fen = board.fen()
    if not board.is_valid() or fen in seen:
        return 0
    seen.add(fen)
    dtz = tables.get_dtz(board)
    print(f"{fen};{tables.probe_wdl(board)};{'-' if dtz is None else dtz}")
    return 1


def placing(name, rng):
    """A board with the men of a table somewhere, perhaps with colours swapped, or None."""
    board = chess.Board(None)
    white, black = name.split("v")
    men = [(LETTERS[letter], True) for letter in white] + [(LETTERS[letter], False) for letter in black]
    flip = rng.random() < 0.5
    for square, (piece, color) in zip(rng.sample(range(64), len(men)), men):
        if piece == chess.PAWN and chess.square_rank(square) in (0, 7):
            return None
        board.set_piece_at(square, chess.Piece(piece, color ^ flip))
    board.turn = rng.random() < 0.5
    return board


def en_passant(rng):
    board = chess.Board(None)
    board.turn = rng.random() < 0.5
    file, rank, ahead = rng.randrange(8), 4 if board.turn else 3, 1 if board.turn else -1
    other = file + rng.choice((-1, 1))
    if not 0 <= other < 8:
        return None
    board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, not board.turn))
    board.set_piece_at(chess.square(other, rank), chess.Piece(chess.PAWN, board.turn))
    passed = [chess.square(file, rank + ahead * step) for step in (1, 2)]
    free = [square for square in chess.SQUARES if not board.piece_at(square) and square not in passed]
    for square, color in zip(rng.sample(free, 2), (True, False)):
        board.set_piece_at(square, chess.Piece(chess.KING, color))
    board.ep_square = passed[0]
    return board if board.is_valid() and board.has_legal_en_passant() else None


def golden(folder, positions, passing, rng):
    seen = set()
    names = sorted(file[:-5] for file in os.listdir(folder) if file.endswith(".rtbw"))
    with chess.syzygy.open_tablebase(folder) as tables:
        for make, count in [(lambda name=name: placing(name, rng), positions) for name in names] + [
            (lambda: en_passant(rng), passing)
        ]:
            while count:
                board = make()
                count -= emit(board, tables, seen) if board else 0


def layout(count, rng):
    """Men as a file lists them; orders; the file of the part; the size; squares; their index."""
    names = [name for name in chess.syzygy.tablenames(piece_count=7) if len(name) > 5]
    while count:
        name = rng.choice(names)
        white, black = name.split("v")
        codes = [LETTERS[letter] for letter in white] + [8 + LETTERS[letter] for letter in black]
        table = chess.syzygy.WdlTable(name + ".rtbw")
        single = [code for code in codes if codes.count(code) == 1]
        pawns = "P" in name
        if pawns:
            sides = sorted((codes.count(code), code) for code in (1, 9) if code in codes)
            lead = [code for number, code in sides for _ in range(number)]
        elif table.enc_type == 0:
            lead = rng.sample(single, 3)
        else:
            lead = [6, 14]
        kinds = [code for code in dict.fromkeys(codes) if code not in lead]
        rng.shuffle(kinds)
        pieces = lead + [code for kind in kinds for code in codes if code == kind]
        lead_men = codes.count(lead[0]) if pawns else len(lead)
        both = pawns and len(set(lead)) == 2
        groups = 1 + both + len(kinds)
        order = rng.randrange(groups)
        order2 = rng.choice([place for place in range(groups) if place != order]) if both else 15
        pos = []
        for code in pieces:
            low, high = (8, 56) if code & 7 == 1 else (0, 64)
            pos.append(rng.choice([square for square in range(low, high) if square not in pos]))
        kings = [pos[index] for index, code in enumerate(pieces) if code & 7 == 6]
        if chess.square_distance(*kings) < 2:
            continue
        if pawns:
            # Of two leading pawns on mirrored squares either may lead: both indices are in the file.
            ranks = sorted(chess.syzygy.FLAP[square] for square in pos[:lead_men])
            if ranks[:1] == ranks[1:2]:
                continue
        given, norm, factor = list(pos), [0] * 7, [0] * 7
        if pawns:
            table.pawns = [lead_men, len(lead) - lead_men]
            file = table.pawn_file(pos)
            table.set_norm_pawn(norm, pieces)
            size = table.calc_factors_pawn(factor, order, order2, norm, file)
            index = table.encode_pawn(norm, pos, factor)
        else:
            file = 0
            table.set_norm_piece(norm, pieces)
            size = table.calc_factors_piece(factor, order, norm)
            index = table.encode_piece(norm, pos, factor)
        print(*(",".join(map(str, part)) for part in (pieces, [order, order2], [file], [size], given, [index])), sep=";")
        count -= 1


def main():
    args = sys.argv[1:]
    if args[:1] == ["--layout"]:
        layout(int(args[1]), random.Random(int(args[2]) if len(args) > 2 else 1))
    else:
        golden(args[0], int(args[1]), int(args[2]), random.Random(int(args[3]) if len(args) > 3 else 1))


if __name__ == "__main__":
    main()
