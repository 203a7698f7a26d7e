"""Compares moves, SAN, FEN and results with those of python-chess: python bench/compare.py [POSITIONS] [FILES ...].

POSITIONS of random games; PGN files by their main lines, EPD files by their positions. Prints what differs. Lines that
python-chess cannot read are passed.
"""

import random
import sys

import chess
import chess.pgn

import bartizan


def compare(theirs, ours):
    moves = {move.uci(): theirs.san(move) for move in theirs.legal_moves}
    own = {move.uci(): ours.san(move) for move in ours.legal_moves}
    if own != moves:
        return f"moves of {theirs.fen()}: {sorted(set(own.items()) ^ set(moves.items()))}"
    if ours.fen() != theirs.fen() or ours.result(claim_draw=True) != theirs.result(claim_draw=True):
        return f"{theirs.fen()} {theirs.result(claim_draw=True)}: {ours.fen()} {ours.result(claim_draw=True)}"
    return None


def random_games(count):
    source, done, different = random.Random(2026), 0, 0
    while done < count:
        theirs, ours = chess.Board(), bartizan.Board()
        while not theirs.is_game_over() and done < count:
            fault = compare(theirs, ours)
            different += fault is not None
            if fault:
                print(fault)
            done += 1
            uci = source.choice([move.uci() for move in theirs.legal_moves])
            theirs.push_uci(uci)
            ours.push_uci(uci)
    print(f"{done} positions of random games, {different} different")


def line(game):
    board = game.end().board()
    return game.headers.get("Result"), [move.uci() for move in game.mainline_moves()], board


def pgn(path):
    with open(path, encoding="utf-8-sig", errors="surrogateescape") as handle:
        theirs = []
        while (game := chess.pgn.read_game(handle)) is not None:
            theirs.append(line(game))
    ours = [line(game) for game in bartizan.read_pgn(path)]
    same = sum(a[:2] == b[:2] and compare(a[2], b[2]) is None for a, b in zip(theirs, ours))
    print(f"{path}: {len(theirs)} and {len(ours)} games, {same} alike")


def texts(operations):
    if "pv" in operations:
        operations["pv"] = [move.uci() for move in operations["pv"]]
    return {name: sorted(map(str, value)) if isinstance(value, list) and name != "pv" else value
            for name, value in operations.items()}


def epd(path):
    done = different = refused = 0
    for text in open(path, encoding="utf-8"):
        try:
            theirs, their_operations = chess.Board.from_epd(text)
        except ValueError:
            continue
        done += 1
        try:
            ours, operations = bartizan.Board.from_epd(text)
        except (bartizan.EpdError, bartizan.FenError) as error:
            if "illegal position" in str(error):
                refused += 1
                continue
            fault = f"{text.strip()}: {error}"
        else:
            fault = compare(theirs, ours)
            if fault is None and texts(operations) != texts(their_operations):
                fault = f"{texts(operations)} {texts(their_operations)}"
        different += fault is not None
        if fault:
            print(fault)
    print(f"{path}: {done} positions, {different} different, {refused} illegal")


if __name__ == "__main__":
    random_games(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
    for name in sys.argv[2:]:
        pgn(name) if name.endswith(".pgn") else epd(name)
