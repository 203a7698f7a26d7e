"""Ctrl-C ends long work in native code, soon and as KeyboardInterrupt."""

import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals to processes")

# Each of these works for minutes.
WORK = {
    "read_pgn, skipping": """
class Endless:
    def read(self, size): return b"[Variant \\"Atomic\\"]\\n\\n1. e4 *\\n\\n" * 2_000
ready(); next(bartizan.read_pgn(Endless(), on_error="skip"))""",
    "read_pgn between games": """
class Blank:
    def read(self, size): return b"\\n" * 500_000
ready(); next(bartizan.read_pgn(Blank()))""",
    "read_pgn in a loop": """
ready()
while True:
    for game in bartizan.read_pgn(b"1. e4 e5 *\\n\\n" * 100_000): pass""",
    "pgn_to_arrow": """
class Endless:
    def read(self, size): return b"1. e4 e5 2. Nf3 *\\n\\n" * 5_000
ready(); bartizan.pgn_to_arrow(Endless())._exhaust()""",
    # The library may import others before it reads, and lose the signal then.
    "a data frame": """
import pyarrow
class Endless:
    def __init__(self): self.is_new = True
    def read(self, size):
        if self.is_new: ready()
        self.is_new = False
        return b"1. e4 e5 2. Nf3 *\\n\\n" * 5_000
try: pyarrow.table(bartizan.pgn_to_arrow(Endless(), tags=[], moves=None))
except OSError as error: print(error)
while True: pass""",
    "analyse": "engine = bartizan.Engine(); ready(); engine.analyse(bartizan.Board(), bartizan.Limit(time=600))",
    "play": "engine = bartizan.Engine(); ready(); engine.play(bartizan.Board(), bartizan.Limit(time=600))",
    "analysis": "engine = bartizan.Engine(); ready()\nfor info in engine.analysis(bartizan.Board()): pass",
    "wait": "engine = bartizan.Engine(); ready(); engine.analysis(bartizan.Board()).wait()",
    "a busy engine": """
engine = bartizan.Engine(); running = engine.analysis(bartizan.Board(), bartizan.Limit(time=600))
next(running); ready(); engine.analyse(bartizan.Board(), bartizan.Limit(depth=1))""",
    "review": """
engine = bartizan.Engine(); game = pgn.loads("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *")
ready(); engine.review(game, nodes=10**9)""",
    "explain_move": """
engine = bartizan.Engine(); board = bartizan.Board()
ready(); engine.explain_move(board, bartizan.Move.from_uci("e2e4"), nodes=10**10)""",
    "perft": "ready(); bartizan.Board().perft(12)",
}


@pytest.mark.parametrize("name", WORK)
def test_ctrl_c(name, tmp_path):
    if "pyarrow" in WORK[name]:
        pytest.importorskip("pyarrow")
    # Whoever started the tests in the background has had the signal ignored.
    head = """
import signal, bartizan
from bartizan import pgn
signal.signal(signal.SIGINT, signal.default_int_handler)
def ready(): print("ready", flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", head + WORK[name]], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, cwd=tmp_path) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == -signal.SIGINT and errors.rstrip().endswith("KeyboardInterrupt"), errors
