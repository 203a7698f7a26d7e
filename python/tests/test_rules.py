"""The rules, beside python-chess as a yardstick where it is installed."""

import copy
import glob
import pickle
import random
from pathlib import Path

import pytest

import bartizan
from bartizan import Board, FenError, IllegalMoveError, InvalidMoveError, Move, Piece, SquareSet

ROOT = Path(__file__).resolve().parents
TESTDATA = next((up / "testdata" for up in ROOT if (up / "testdata").is_dir()), ROOT[0])


def test_moves_are_values():
    move = Move.from_uci("e7e8q")
    assert move == Move(bartizan.E7, bartizan.E8, bartizan.QUEEN) and hash(move) == hash(Move.from_uci("e7e8q"))
    assert pickle.loads(pickle.dumps(move)) is move and copy.deepcopy(move) is move
    assert Move.from_int(int(move)) is move and not Move.null()
    assert {move: 1}[Move.from_uci("e7e8q")] == 1


def test_boards_are_copied_compared_and_pickled():
    board = Board()
    for san in ["e4", "e5", "Nf3", "Nc6", "Bb5"]:
        board.push_san(san)
    for other in [board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))]:
        assert other == board and other.move_stack == board.move_stack
        other.pop()
        assert other != board
    assert board.copy(stack=False).move_stack == [] and board.root() == Board()
    with pytest.raises(TypeError):
        hash(board)


def test_illegal_moves_are_refused_and_change_nothing():
    board = Board()
    for text, error in [("e2e5", IllegalMoveError), ("nonsense", InvalidMoveError), ("", InvalidMoveError)]:
        with pytest.raises(error):
            board.push_uci(text)
    with pytest.raises(IllegalMoveError):
        board.push(Move.from_uci("e7e5"))
    assert board == Board()


def test_null_moves():
    board = Board()
    board.push(Move.null())
    assert board.turn == bartizan.BLACK and board.pop() == Move.null() and board == Board()


def test_edits_keep_the_position_legal():
    board = Board()
    board.set_piece_at(bartizan.D1, None)
    assert board.fen().startswith("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR")
    with pytest.raises(FenError) as caught:
        board.remove_piece_at(bartizan.E1)
    assert caught.value.reasons == ["white has no king"]
    assert board.piece_at(bartizan.E1) == Piece.from_symbol("K")


def test_endings():
    for fen, name in [("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "STALEMATE"), ("8/8/8/8/8/8/8/K1k5 w - - 0 1",
                      "INSUFFICIENT_MATERIAL"), ("R6k/8/6K1/8/8/8/8/8 b - - 0 1", "CHECKMATE"),
                      ("7k/8/6K1/8/8/8/8/R7 w - - 150 100", "SEVENTYFIVE_MOVES")]:
        outcome = Board(fen).outcome()
        assert outcome is not None and outcome.termination.name == name
    board = Board()
    for _ in range(2):
        for uci in ["g1f3", "g8f6", "f3g1", "f6g8"]:
            board.push_uci(uci)
    assert board.is_repetition(3) and board.can_claim_draw() and not board.is_game_over()
    assert board.result(claim_draw=True) == "1/2-1/2"


def test_hostile_arguments_raise():
    board = Board()
    for index, call in enumerate([
        lambda: board.piece_at(64), lambda: board.piece_at(-1), lambda: board.piece_at(10**30),
        lambda: board.piece_at("e4"), lambda: Move.from_int(2**40), lambda: Move.from_int(0xFFFF),
        lambda: Move(0, 0), lambda: Board("\0"), lambda: Board("8" * 100_000), lambda: SquareSet(-1),
        lambda: SquareSet(2**64), lambda: Board.from_chess960_pos(960), lambda: Board.from_epd("\0" * 50),
        lambda: board.push_san("\0e4"), lambda: Board._restore("x", False, []),
        lambda: Board._restore(bartizan.STARTING_FEN, False, [65535]), lambda: board.epd(bm=[[1]]),
        lambda: board.fen(en_passant="?"), lambda: Piece.from_symbol("xx"), lambda: board.attackers(2, 0),
        lambda: board.push_uci("a1a1"), lambda: Move.from_uci("a1a1"), lambda: board.find_move(0, 0),
    ]):
        with pytest.raises((ValueError, TypeError, OverflowError)):
            call()
            print("call", index)
    assert board == Board()


def test_random_text_never_panics():
    source = random.Random(61)
    seeds = [bartizan.STARTING_FEN, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "8/8/8/3pP3/8/8/8/K1k5 w - d6 0 1"]
    for _ in range(5_000):
        text = list(source.choice(seeds))
        for _ in range(source.randint(1, 6)):
            text[source.randrange(len(text))] = source.choice("KQkq/pPnN 0189-wbdé\0\n")
        for read in (Board, Board.from_epd, Board().parse_san, Board().parse_uci):
            try:
                read("".join(text))
            except ValueError:
                pass


def same(fens):
    chess = pytest.importorskip("chess")
    for fen in fens:
        theirs, ours = chess.Board(fen), Board(fen)
        moves = {move.uci(): theirs.san(move) for move in theirs.legal_moves}
        assert {move.uci(): ours.san(move) for move in ours.legal_moves} == moves, fen
        assert ours.fen() == theirs.fen()
        assert ours.result() == theirs.result(), fen


def test_random_games_are_those_of_python_chess():
    chess = pytest.importorskip("chess")
    source = random.Random(7)
    for _ in range(12):
        theirs, ours = chess.Board(), Board()
        while not theirs.is_game_over(claim_draw=True):
            moves = {move.uci(): theirs.san(move) for move in theirs.legal_moves}
            assert {move.uci(): ours.san(move) for move in ours.legal_moves} == moves, theirs.fen()
            assert (ours.fen(), ours.fen(en_passant="fen"), ours.fen(en_passant="xfen")) == (
                theirs.fen(), theirs.fen(en_passant="fen"), theirs.fen(en_passant="xfen"))
            uci = source.choice(list(moves))
            theirs.push_uci(uci)
            ours.push_uci(uci)
            assert ours.outcome() is None or theirs.is_game_over()
        assert ours.result(claim_draw=True) == theirs.result(claim_draw=True)


def test_positions_of_the_test_data():
    fens = []
    for path in sorted(glob.glob(str(TESTDATA / "epd" / "*.epd"))):
        for line in open(path, encoding="utf-8", errors="replace"):
            fields = line.split()
            if len(fields) >= 4 and "/" in fields[0]:
                fens.append(" ".join(fields[:4]) + " 0 1")
    assert fens
    same(fens[:400])
