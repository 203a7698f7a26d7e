"""Whatever is passed in, exceptions come out: never a panic, which pytest would show as PanicException, or a crash."""

import bz2
import gzip
import inspect
import random
import threading
import warnings
from pathlib import Path

import pytest

import bartizan
from bartizan import Board, Engine, EngineProcess, Limit, Move, Piece, SquareSet, eco, pgn, polyglot, svg, syzygy

ROOT = Path(__file__).resolve().parents
TESTDATA = next((up / "testdata" for up in ROOT if (up / "testdata").is_dir()), ROOT[0])
ENDLESS = {"perft", "wait", "popen_uci", "popen_xboard"}


class Index:
    """An integer that uses the board which asks for it."""

    def __init__(self, board):
        self.board = board

    def __index__(self):
        repr((self.board == self.board, Board() != self.board))
        self.board.reset()
        return 4


class Raising:
    def __getattr__(self, name):
        raise RuntimeError(name)

    def __iter__(self):
        raise RuntimeError("iter")


def garbage():
    board = Board()
    return [
        None, True, -1, 0, 64, 2**63, 10**30, -(10**30), 1.5, float("nan"), float("inf"), "", "\0", "e2e4", "x" * 9_999,
        "é\udc80", "1-0", "White", b"\0\xff", b"1. e4 *", bytearray(b"[x"), [], [None], [1, 64], (), {}, {"White": 3},
        {0: "x"}, {"FEN": "x"}, object(), int, len, Raising(), Index(board), board, Move.null(),
        Move.from_uci("e2e4"), Piece.from_symbol("K"), SquareSet([1, 2]), iter([1, 2]), pgn.Game(), Limit(), Limit(nodes=9),
    ]


def targets():
    game = pgn.loads("1. e4 e5 (1... c5 {x} 2. Nf3 $1) 2. Ke2 *")
    engine = Engine()
    objects = [
        bartizan._bartizan, bartizan, eco, pgn, polyglot, svg, Board(), Board.from_chess960_pos(7), Move.from_uci("e2e4"),
        Piece.from_symbol("q"), SquareSet([3]), Board().legal_moves, game, game.next(), game.headers, game.next().nags,
        next(bartizan.read_pgn(b"[Variant \"x\"]\n\n*")), bartizan.read_pgn(b"1. e4 * 1. d4 *"), engine,
        engine.analysis(Board(), Limit(nodes=1)), polyglot.built_in(), eco.openings()[0],
        bartizan.pgn_to_arrow(b"1. e4 *"), syzygy.open_tablebase(TESTDATA / "syzygy"),
        Board().outcome, Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").outcome(),
    ]
    for thing in objects:
        for name in dir(thing):
            static = inspect.getattr_static(type(thing), name, None)
            is_own = not name.startswith("__") or not (inspect.ismodule(thing) or hasattr(object, name))
            if is_own and name not in ENDLESS and not inspect.ismodule(getattr(thing, name)):
                yield thing, name, inspect.isdatadescriptor(static)


def test_every_name_takes_garbage():
    source, values, calls = random.Random(61), garbage(), 0
    for thing, name, is_property in targets():
        for _ in range(60):
            arguments = [source.choice(values) for _ in range(source.choice([0, 1, 1, 1, 2, 2, 3, 5]))]
            calls += 1
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    if is_property and arguments:
                        setattr(thing, name, arguments[0])
                    else:
                        found = getattr(thing, name)
                        repr(found(*arguments) if callable(found) else found)
            except Exception:  # Not BaseException: what Rust panics with must not come through.
                pass
    assert calls > 10_000
    assert Board().push_san("e4") == Move.from_uci("e2e4")


@pytest.mark.parametrize("name", ["piece_at", "set_piece_at", "attackers", "find_move", "is_pinned"])
def test_arguments_that_use_the_board(name):
    board = Board()
    board.push_san("e4")
    for arguments in [(Index(board),), (Index(board), None), (True, Index(board)), (Index(board), Index(board))]:
        try:
            getattr(board, name)(*arguments)
        except (TypeError, ValueError, RuntimeError):
            pass
    assert board.fen()


def test_a_source_that_reads_itself():
    class Source:
        def read(self, size):
            return next(games)

    games = bartizan.read_pgn(Source())
    with pytest.raises(RuntimeError, match="iterator"):
        next(games)

    class Wrong:
        def read(self, size):
            return 7

    with pytest.raises(TypeError):
        list(bartizan.read_pgn(Wrong()))
    with pytest.raises(TypeError):
        bartizan.pgn_to_arrow(Wrong())._exhaust()


@pytest.mark.parametrize("compress, suffix", [(gzip.compress, "gz"), (bz2.compress, "bz2")])
def test_truncated_files(compress, suffix, tmp_path):
    data = compress(b"1. e4 e5 *\n\n" * 50_000)
    path = tmp_path / f"games.pgn.{suffix}"
    for length in [1, 4, 15, len(data) // 2, len(data) - 3]:
        path.write_bytes(data[:length])
        for read in (bartizan.read_pgn, lambda path: [bartizan.pgn_to_arrow(path)._exhaust()]):
            try:
                list(read(path))
            except (OSError, ValueError) as error:
                assert str(error)
            else:
                assert length <= 4, "the end is missing"
    with pytest.raises((OSError, ValueError)):
        list(bartizan.read_pgn(tmp_path))


def test_deep_and_long_games():
    deep = "1. e4 " + "(1. d4 " * 100_000 + ")" * 100_000 + " *"
    (game,) = bartizan.read_pgn(deep.encode())
    # Nests deeper than the reader follows are faults, not a stack overflow.
    assert game.copy() is not game and str(game) and game.pgn(variations=False)
    turns = " ".join(["Nf3 Nf6 Ng1 Ng8"] * 20_000)
    (game,) = bartizan.read_pgn(f"{turns} *".encode())
    assert len(game.mainline_moves()) == 80_000 and game.end().board().is_fivefold_repetition()
    node = pgn.Game()
    for _ in range(2_000):
        for uci in ["g1f3", "g8f6", "f3g1", "f6g8"]:
            node = node.add_variation(Move.from_uci(uci))
    assert node.ply() == 8_000 and len(str(node.game())) > 8_000


def test_a_board_that_changes_during_iteration():
    board = Board()
    moves = board.legal_moves
    seen = 0
    for move in moves:
        board.push(move)
        assert len(moves) == 20
        board.pop()
        seen += 1
    assert seen == 20
    iterator = iter(moves)
    board.set_fen("7k/8/8/8/8/8/8/K7 w - - 0 1")
    assert len(list(iterator)) == 20 and len(moves) == 3


def test_threads_share_everything():
    board, game, faults = Board(), pgn.loads("1. e4 e5 2. Nf3 *"), []
    games = bartizan.read_pgn(b"1. e4 e5 *\n\n" * 2_000)
    read = []

    def work(seed):
        source = random.Random(seed)
        try:
            for _ in range(300):
                try:
                    if source.random() < 0.5 or not board.move_stack:
                        board.push(source.choice(list(board.legal_moves)))
                    else:
                        board.pop()
                    board.fen(), board == board, board.copy()
                except (IndexError, ValueError, RuntimeError):
                    pass
                game.next().comment = str(seed)
                game.add_variation(Move.from_uci(source.choice(["d2d4", "c2c4"])))
                str(game)
            read.append(sum(1 for _ in games))
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == [] and sum(read) == 2_000
    assert Board(board.fen()) == board and len(game.variations) <= 3


def test_limits_and_options_beyond_reason():
    board = Board()
    with Engine() as engine:
        for limit in [Limit(time=-1), Limit(time=float("nan")), Limit(time=1e300), Limit(depth=-1), Limit(depth=2**40),
                      Limit(nodes=2**70), Limit(white_clock="x"), Limit(time=1e18, white_inc=-1)]:
            with pytest.raises((ValueError, TypeError, OverflowError)):
                engine.analyse(board, limit)
        for limit in [Limit(time=1e19, nodes=10), Limit(white_clock=1e19, black_clock=1e19, white_inc=1e19, nodes=10),
                      Limit(depth=2**32 - 1, nodes=10), Limit(nodes=10, remaining_moves=2**32 - 1, white_clock=1),
                      Limit(nodes=10, mate=2**32 - 1), Limit(nodes=0), Limit(time=0)]:
            assert engine.play(board, limit).move in board.legal_moves
        assert len(engine.analyse(board, Limit(nodes=2_000), multipv=10**6)) == 20
        assert engine.analyse(Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Limit(depth=3))["pv"] == []
        for options in [{"Hash": 10**12}, {"Threads": 0}, {"\0": 1}, {"Threads": "x"}, {"None": None}]:
            with pytest.raises(bartizan.EngineError):
                engine.configure(options)
        with pytest.raises(bartizan.EngineError):
            engine.play(board, level=10**9)
        with pytest.raises(ValueError):
            engine.explain(Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"))
    with pytest.raises(bartizan.EngineError):
        Engine(threads=10**9)


def test_closed_engines():
    engine = Engine()
    running = engine.analysis(Board())
    next(running)
    engine.quit()  # Ends the search.
    assert running.wait() in Board().legal_moves
    engine.quit()
    for call in [lambda: engine.analyse(Board(), Limit(depth=1)), lambda: engine.play(Board()), engine.new_game,
                 lambda: engine.review(pgn.loads("1. e4 *")), lambda: engine.configure({"Hash": 1}),
                 lambda: engine.analysis(Board()).wait()]:
        with pytest.raises(bartizan.EngineTerminatedError):
            call()
    assert list(engine.analysis(Board())) == []
    endless = Engine().analysis(Board())
    del endless


def test_an_endless_search_makes_room():
    with Engine() as engine:
        running = engine.analysis(Board())
        next(running)
        assert engine.play(Board(), Limit(nodes=100)).move is not None
        assert running.wait() is not None


def test_programs_that_are_no_engines():
    with pytest.raises((OSError, bartizan.EngineError)):
        EngineProcess("/no/such/engine")
    with pytest.raises((OSError, ValueError, bartizan.EngineError)):
        EngineProcess([])
    with pytest.raises((OSError, ValueError, bartizan.EngineError)):
        EngineProcess("a\0b")
    with pytest.raises(ValueError):
        EngineProcess("x", protocol="cecp")


def test_broken_tables_and_books(tmp_path):
    source, board = random.Random(1), Board("4k3/8/8/8/8/8/8/KQ6 w - - 0 1")
    (tmp_path / "book.bin").write_bytes(b"\xff" * 33)
    whole = (TESTDATA / "syzygy" / "KQvK.rtbw").read_bytes()
    for _ in range(200):
        broken = bytearray(whole)
        for _ in range(source.randint(1, 9)):
            broken[source.randrange(len(broken))] = source.randrange(256)
        (tmp_path / "KQvK.rtbw").write_bytes(broken[: source.choice([len(broken), 0, 64, 1 << 10])])
        try:
            with syzygy.open_tablebase(tmp_path) as tables:
                tables.probe_wdl(board)
        except (KeyError, bartizan.TablebaseError) as error:
            assert str(error)
    tables = syzygy.open_tablebase(TESTDATA / "syzygy")
    assert tables.probe_wdl(board) == 2
    tables.close()
    with pytest.raises(ValueError):
        tables.probe_wdl(board)
    for path in [tmp_path / "book.bin", tmp_path / "none.bin", tmp_path]:
        with pytest.raises((ValueError, OSError)):
            polyglot.open_reader(path).find(Board())


def test_tables_with_odd_columns():
    for tags in [[], ["x" * 10_000], ["\0"], ["White", "White"], ["game"], ["moves"]]:
        try:
            bartizan.pgn_to_arrow(b"[White \"x\"]\n\n1. e4 *", tags=tags, batch_size=0)._exhaust()
        except ValueError as error:
            assert str(error)
    with pytest.raises((ValueError, OverflowError)):
        bartizan.pgn_to_arrow(b"", batch_size=-1)
    with pytest.raises(ValueError):
        bartizan.pgn_to_arrow(b"", moves="?")
