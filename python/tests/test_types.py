"""The stubs and annotations say what is there, for mypy and for pyright."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

import bartizan


def check(arguments, folder):
    if not importlib.util.find_spec(arguments[0].split(".")[0]):
        pytest.skip(f"{arguments[0]} is not installed")
    result = subprocess.run([sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("arguments", [
    ["mypy", "--strict", "-p", "bartizan"], ["mypy.stubtest", "bartizan._bartizan"],
    ["pyright", "--pythonpath", sys.executable, "--ignoreexternal", "--verifytypes", "bartizan"],
], ids=["mypy", "stubtest", "verifytypes"])
def test_package(arguments, tmp_path):
    check(arguments, tmp_path)


def test_pyright(tmp_path):
    package, tests = Path(bartizan.__file__).parent, Path(__file__).parent
    settings = {"include": [str(package), str(tests)], "strict": [str(package)], "reportMissingImports": "none"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    check(["pyright", "--pythonpath", sys.executable, "--project", str(tmp_path)], tmp_path)
