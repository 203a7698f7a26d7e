"""Reading positions, compared with a decoder that takes one piece at a time."""

import os
import tempfile
import unittest

import numpy as np

from architecture import KING_BUCKETS, Architecture, Invalid
from positions import MAGIC, RECORD, decode, open_positions

FENS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "rnbqkbnr/pppp1ppp/8/8/3PpP2/8/PPP1P1PP/RNBQKBNR b KQkq f3 0 3",
    "8/8/4k3/8/3K4/8/4P3/8 w - - 0 1",
    "8/1k6/8/8/8/8/6K1/q7 b - - 12 80",
    "4k3/8/8/8/8/8/8/2R1K3 b Q - 3 40",
]

PIECES = "PpNnBbRrQqKk"


def pack(fen, score=0, result=1):
    """A record, from a FEN whose rights to castle are those of rooks on the files a, c and h."""
    board, turn, castling, passant, clock, move = fen.split()
    pieces = {}
    for rank, row in zip(range(7, -1, -1), board.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                pieces[8 * rank + file] = PIECES.index(letter)
                file += 1
    for right in castling.strip("-"):
        rook, first = ("R", 0) if right.isupper() else ("r", 56)
        rooks = [
            square for square, piece in pieces.items() if piece == PIECES.index(rook) and square // 8 == first // 8
        ]
        pieces[max(rooks) if right in "Kk" else min(rooks)] = 12 + right.islower()
    if passant != "-":
        pieces["abcdefgh".index(passant[0]) + (32 if turn == "w" else 24)] = 14
    record = np.zeros((), RECORD)
    for number, (square, code) in enumerate(sorted(pieces.items())):
        record["occupied"] |= np.uint64(1 << square)
        record["codes"][number // 2] |= code << 4 * (number % 2)
    record["clock"], record["move"] = int(clock) | (turn == "b") << 15, int(move)
    record["score"], record["result"] = score, result
    return record


def slow_inputs(fen, architecture):
    """The inputs of the side to move and of the other, as the documentation of the architecture defines them."""
    board, turn = fen.split()[:2]
    men = []
    for rank, row in zip(range(7, -1, -1), board.split("/")):
        files = "".join(" " * int(letter) if letter.isdigit() else letter for letter in row)
        men += [(letter, file, rank) for file, letter in enumerate(files) if letter != " "]
    both = []
    for white in (turn == "w", turn != "w"):
        seen = [
            (letter.isupper() != white, "pnbrqk".index(letter.lower()), file, rank if white else 7 - rank)
            for letter, file, rank in men
        ]
        king_file, king_rank = next((file, rank) for theirs, kind, file, rank in seen if not theirs and kind == 5)
        mirror = king_file > 3
        bucket = architecture.king_buckets[4 * king_rank + (7 - king_file if mirror else king_file)]
        both.append(
            sorted(
                768 * bucket + 64 * (6 * theirs + kind) + 8 * rank + (7 - file if mirror else file)
                for theirs, kind, file, rank in seen
            )
        )
    return both


class Decoding(unittest.TestCase):
    def test_inputs_equal_their_definition(self):
        # The last one distinguishes all king squares.
        for buckets in [*KING_BUCKETS.values(), range(32)]:
            architecture = Architecture(32, tuple(buckets), 8)
            batch = decode(np.array([pack(fen) for fen in FENS]), architecture)
            parts = [sorted(part.tolist()) for part in np.split(batch.inputs, batch.starts[1:])]
            expected = [slow_inputs(fen, architecture) for fen in FENS]
            self.assertEqual(parts, [ours for ours, _ in expected] + [theirs for _, theirs in expected])
            self.assertEqual(batch.men.tolist(), [32, 32, 32, 32, 3, 3, 3])
            self.assertEqual(batch.bucket.tolist(), [7, 7, 7, 7, 0, 0, 0])

    def test_scores_and_results_are_for_the_side_to_move(self):
        white, black = FENS[4], FENS[5]
        records = [pack(white, 400, 2), pack(black, -400, 2), pack(black, 0, 0), pack(white, 0, 1)]
        batch = decode(np.array(records), Architecture(32, (0,) * 32, 1))
        self.assertEqual(batch.score.tolist(), [400, -400, 0, 0])
        self.assertEqual(batch.result.tolist(), [1, 0, 1, 0.5])
        logistic = 1 / (1 + np.exp(-1))
        expected = [0.75 * logistic + 0.25, 0.75 * (1 - logistic), 0.625, 0.5]
        np.testing.assert_allclose(batch.target(0.75, 400), expected, rtol=1e-6)

    def test_output_buckets_divide_the_men(self):
        architecture = Architecture(32, (0,) * 32, 8)
        self.assertEqual(
            architecture.output_bucket(np.arange(2, 33)).tolist(), [(men - 2) * 8 // 31 for men in range(2, 33)]
        )

    def test_records_that_are_no_positions_are_counted(self):
        architecture = Architecture(32, (0,) * 32, 1)
        good = pack(FENS[4])
        two_kings, no_piece, full = good.copy(), good.copy(), good.copy()
        two_kings["codes"][0] = 10 << 4 | 10
        no_piece["codes"][0] |= 15
        full["occupied"] = 2**33 - 1
        for bad in (np.zeros((), RECORD), two_kings, no_piece, full):
            with self.assertRaisesRegex(Invalid, "^2 records that are no positions"):
                decode(np.array([good, bad, good, bad]), architecture)


class Files(unittest.TestCase):
    def test_files_are_mapped_and_checked(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "positions")
            records = np.array([pack(fen) for fen in FENS])

            def write(content):
                with open(path, "wb") as file:
                    file.write(content)

            write(MAGIC + records.tobytes())
            self.assertEqual(open_positions(path).tobytes(), records.tobytes())
            write(MAGIC)
            self.assertEqual(len(open_positions(path)), 0)
            write(MAGIC + records.tobytes()[:-1])
            with self.assertRaisesRegex(Invalid, "has 31 bytes of 32"):
                open_positions(path)
            write(b"BZSELF01")
            with self.assertRaisesRegex(Invalid, "not a file of positions"):
                open_positions(path)
            with self.assertRaisesRegex(Invalid, "absent"):
                open_positions(os.path.join(folder, "absent"))


if __name__ == "__main__":
    unittest.main()
