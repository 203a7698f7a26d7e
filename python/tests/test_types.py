"""The stubs say what is there."""

import importlib.util
import subprocess
import sys

import pytest


@pytest.mark.skipif(not importlib.util.find_spec("mypy"), reason="mypy is not installed")
@pytest.mark.parametrize("arguments", [["mypy", "--strict", "-p", "bartizan"], ["mypy.stubtest", "bartizan._bartizan"]])
def test_stubs(arguments, tmp_path):
    result = subprocess.run([sys.executable, "-m", *arguments], cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
