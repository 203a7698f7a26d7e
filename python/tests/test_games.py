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


def test_pyarrow_takes_tables():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(bartizan.pgn_to_arrow(TEXT.encode(), clocks=True, evals=True, problems=True))
    rows = table.to_pylist()
    assert [row["moves"] for row in rows] == [["e2e4", "e7e5", "g1f3"], ["d2d4", "d7d5"]]
    assert rows[0]["WhiteElo"] == 2500 and rows[0]["clocks"] == [300.0, None, None] and rows[0]["evals"][0] == 30
    table.validate(full=True)
    games = bartizan.pgn_to_arrow(TEXT.encode())
    assert pyarrow.schema(games).names == games.column_names
    pyarrow.table(games)
    with pytest.raises(RuntimeError):
        games.__arrow_c_stream__()


def test_polars_takes_tables():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(bartizan.pgn_to_arrow(TEXT.encode(), by_moves=True, moves="packed"))
    assert frame.height == 5 and str(Move.from_int(frame["move"][0])) == "e2e4"


def test_pandas_takes_tables():
    pandas = pytest.importorskip("pandas", minversion="3")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame.from_arrow(bartizan.pgn_to_arrow(TEXT.encode()))
    assert list(frame["White"]) == ["Anna", "Ben"] and frame["plies"].sum() == 5


def test_duckdb_takes_tables():
    duckdb = pytest.importorskip("duckdb")
    games = bartizan.pgn_to_arrow(TEXT.encode())
    assert duckdb.sql("select count(*), max(WhiteElo) from games").fetchall() == [(2, 2500)]


def test_errors_of_the_source_reach_data_frames():
    pyarrow = pytest.importorskip("pyarrow")

    class Broken:
        def read(self, size):
            raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        pyarrow.table(bartizan.pgn_to_arrow(Broken()))


def test_planes_are_arrays():
    numpy = pytest.importorskip("numpy")
    start, after = bartizan.Board(), bartizan.Board("4k3/8/8/3pP3/8/8/8/R3K3 w Q d6 0 1")
    black = bartizan.Board()
    black.push_san("e4")
    planes = numpy.frombuffer(bartizan.planes([start, after, black]), "u1").reshape(-1, 18, 8, 8)
    assert planes.shape == (3, 18, 8, 8) and planes[0, :12].sum() == 32 and planes[0, 12:16].all()
    assert planes[0, 0, 1].all() and planes[0, 5, 0, 4] == 1 and planes[0, 11, 7, 4] == 1
    assert planes[1, 16].sum() == planes[1, 16, 5, 3] == 1 and planes[1, 12:16, 0, 0].tolist() == [0, 1, 0, 0]
    assert planes[:, 17, 0, 0].tolist() == [1, 1, 0]
    relative = numpy.frombuffer(bartizan.planes(black, relative=True), "u1").reshape(18, 8, 8)
    assert (relative[:6, ::-1] == planes[2, 6:12]).all() and relative[0, 1].all()
