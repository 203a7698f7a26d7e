"""Engines, reviews, books, tables."""

import signal
import sys
import threading
import time
from pathlib import Path

import pytest

import bartizan
from bartizan import Board, Engine, Limit, Move, eco, pgn, polyglot, svg, syzygy

ROOT = Path(__file__).resolve().parents
TESTDATA = next((up / "testdata" for up in ROOT if (up / "testdata").is_dir()), ROOT[0])


def test_analysis_and_play():
    with Engine() as engine:
        board = Board("7k/8/6K1/8/8/8/8/R7 w - - 0 1")
        lines = engine.analyse(board, Limit(depth=6), multipv=2)
        assert [line["score"].white().mate() for line in lines] == [1, 2]
        assert engine.play(board, Limit(depth=4)).move == Move.from_uci("a1a8")
        assert engine.play(Board(), Limit(nodes=1000), level=1200).move in Board().legal_moves
        with pytest.raises(ValueError):
            engine.analyse(board, Limit())
    with pytest.raises(bartizan.EngineTerminatedError):
        engine.analyse(board, Limit(depth=1))


def test_endless_analyses_are_stopped():
    with Engine() as engine, engine.analysis(Board()) as analysis:
        for info in analysis:
            if info["depth"] >= 6:
                break
        analysis.stop()
        assert analysis.wait() in Board().legal_moves


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_search_hears_ctrl_c():
    # Whoever started the tests in the background has had the signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    begin = time.monotonic()
    threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt), Engine() as engine:
        engine.analyse(Board(), Limit(time=60))
    signal.signal(signal.SIGINT, before)
    assert time.monotonic() - begin < 10


def test_reviews():
    game = pgn.loads("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0")
    with Engine() as engine:
        review = engine.review(game, nodes=5_000)
        assert review.moves[5]["class"] == "blunder" and review.moves[5]["reasons"]
        assert "$4" in str(review.game) and review.html.lower().startswith("<!doctype html")
        board = Board()
        board.push_san("f3")
        board.push_san("e5")
        assert engine.explain_move(board, board.parse_san("g4"), nodes=2_000)["class"] == "blunder"
        assert engine.explain(Board()).reasons is not None


def test_knowledge():
    with syzygy.open_tablebase(TESTDATA / "syzygy") as tables:
        board = Board("4k3/8/3K4/8/4P3/8/8/8 w - - 0 1")
        assert (tables.probe_wdl(board), tables.probe_dtz(board)) == (2, 1)
        with pytest.raises(KeyError):
            tables.probe_wdl(Board())
    assert polyglot.built_in().find(Board()).move in Board().legal_moves
    assert str(eco.classify([Move.from_uci("e2e4"), Move.from_uci("c7c5")])).startswith("B2")
    assert svg.board(Board(), arrows=[(0, 63, "red")]).startswith("<svg")
    assert len(bartizan.planes([Board(), Board()])) == 2 * 18 * 64
