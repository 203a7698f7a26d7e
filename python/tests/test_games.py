"""PGN and tables of games."""

import io
import pickle
import random

import pytest

import bartizan
import bartizan.pgn
from bartizan import Move, read_pgn

TEXT = """[White "Anna"]
[WhiteElo "2500"]

1. e4 {[%clk 0:05:00] [%eval 0.30]} e5 (1... c5 2. Nf3) 2. Nf3 $1 1-0

[White "Ben"]

1. d4 d5 2. Ke3 *
"""


def test_every_kind_of_source_reads_alike(tmp_path):
    import gzip

    path = tmp_path / "games.pgn.gz"
    path.write_bytes(gzip.compress(TEXT.encode()))
    expected = [str(game) for game in read_pgn(TEXT.encode())]
    assert len(expected) == 2
    for source in [path, str(path), bytearray(TEXT.encode()), io.StringIO(TEXT), io.BytesIO(TEXT.encode())]:
        assert [str(game) for game in read_pgn(source)] == expected
    handle = io.StringIO(TEXT)
    assert [str(bartizan.pgn.read_game(handle)) for _ in range(2)] == expected
    assert bartizan.pgn.read_game(handle) is None


def test_problems_have_places():
    first, second = read_pgn(TEXT.encode())
    assert first.problems == [] and first.headers["White"] == "Anna"
    (problem,) = second.problems
    assert (problem.line, problem.column) == (8, 13) and "Ke3" in problem.message
    with pytest.raises(bartizan.PgnError) as caught:
        list(read_pgn(TEXT.encode(), strict=True, on_error="raise"))
    assert caught.value.line > 0
    (kept,) = read_pgn(b'[Variant "Atomic"]\n\n1. e4 *')
    assert isinstance(kept.error, bartizan.PgnError) and kept.mainline_moves() == []
    assert list(read_pgn(b'[Variant "Atomic"]\n\n1. e4 *', on_error="skip")) == []


def test_nodes_are_edited():
    game = next(read_pgn(TEXT.encode()))
    e4 = game.next()
    assert e4.clock() == 300 and e4.eval().white().score() == 30 and e4.parent == game
    sicilian = e4.variations[1]
    e4.promote_to_main(sicilian)
    sicilian.nags.add(bartizan.pgn.NAG_BLUNDER)
    sicilian.comment = "sharp"
    assert [node.san() for node in game.mainline()] == ["e4", "c5", "Nf3"]
    game.headers["Result"] = "0-1"
    assert str(game).endswith("0-1") and "c5 $4 {sharp}" in str(game)
    assert "(" not in game.accept(bartizan.pgn.StringExporter(variations=False, comments=False))
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    e4.remove_variation(0)
    with pytest.raises(ValueError):
        sicilian.board()
    with pytest.raises(bartizan.IllegalMoveError):
        game.add_variation(Move.from_uci("e2e5"))


def test_files_that_raise():
    class Bad:
        def read(self, size):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        next(read_pgn(Bad()))
    with pytest.raises(FileNotFoundError):
        read_pgn("/no/such/file.pgn")
    with pytest.raises(TypeError):
        read_pgn(7)


def test_random_bytes_never_panic():
    source = random.Random(3)
    for _ in range(500):
        text = bytearray(TEXT.encode())
        for _ in range(source.randint(1, 40)):
            text[source.randrange(len(text))] = source.randrange(256)
        for game in read_pgn(bytes(text)):
            str(game)
        bartizan.pgn_to_arrow(bytes(text), clocks=True, evals=True, problems=True)._exhaust()


def test_tables_are_taken_by_data_frames():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(bartizan.pgn_to_arrow(TEXT.encode(), clocks=True, evals=True, problems=True))
    rows = table.to_pylist()
    assert [row["moves"] for row in rows] == [["e2e4", "e7e5", "g1f3"], ["d2d4", "d7d5"]]
    assert rows[0]["WhiteElo"] == 2500 and rows[0]["clocks"] == [300.0, None, None] and rows[0]["evals"][0] == 30
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(bartizan.pgn_to_arrow(TEXT.encode(), by_moves=True, moves="packed"))
    assert frame.height == 5 and str(Move.from_int(frame["move"][0])) == "e2e4"
    duckdb = pytest.importorskip("duckdb")
    games = bartizan.pgn_to_arrow(TEXT.encode())
    assert duckdb.sql("select count(*) from games").fetchall() == [(2,)]
    with pytest.raises(RuntimeError):
        games.__arrow_c_stream__()
