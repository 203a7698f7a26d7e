"""The stubs and annotations say what is there, for mypy and for pyright."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bartizan


def check(arguments, folder):
    if not importlib.util.find_spec(arguments[0].split(".")[0]):
        pytest.skip(f"{arguments[0]} is not installed")
    # Pyright looks for the interpreter there.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    result = subprocess.run([sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True,
                            env={**os.environ, "PATH": path})
    assert result.returncode == 0, result.stdout + result.stderr


USER = """
import bartizan as chess
import bartizan.pgn
from bartizan import Board, Engine, IllegalMoveError, Limit, Move, read_pgn

board: Board = Board()
with Engine() as engine:
    move: Move | None = engine.play(board, Limit(time=1)).move
    depth: int = engine.analyse(board, Limit(depth=3))["depth"]
    lines: list[chess.engine.Info] = engine.analyse(board, Limit(depth=3), multipv=2)
for game in read_pgn("games.pgn"):
    white: str = game.headers["White"]
    node: chess.pgn.GameNode = game.end()
try:
    board.push_san("e4")
except IllegalMoveError:
    square: int = chess.E4
"""


@pytest.mark.parametrize("arguments", [
    ["mypy", "--strict", "-p", "bartizan"], ["mypy.stubtest", "bartizan._bartizan"], ["mypy", "--strict", "user.py"],
    ["pyright", "--ignoreexternal", "--verifytypes", "bartizan"], ["pyright", "user.py"],
], ids=["mypy", "stubtest", "mypy user", "verifytypes", "pyright user"])
def test_types(arguments, tmp_path):
    (tmp_path / "user.py").write_text(USER)
    check(arguments, tmp_path)


def test_pyright_reads_the_package(tmp_path):
    shutil.copytree(Path(bartizan.__file__).parent, tmp_path / "bartizan")
    check(["pyright", "bartizan"], tmp_path)
